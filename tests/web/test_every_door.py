"""Every address and every socket of the site, tried by everybody who has no business there.

The addresses are taken from the URL resolver: one that has no line here fails the test.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

import pytest
import pytest_asyncio
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import AsyncClient
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from game.engine.clock import ClockSettings
from game.engine.presets import PRESETS
from game.live.process import close_current
from game.models import Game, GameSeat
from game.routing import websocket_urlpatterns
from game.tables.room import SeatMeta, TableId
from lobby.accounts import rate_limits
from lobby.accounts.guests import get_or_create_guest
from lobby.matchmaking.backend import Backend, current_backend
from lobby.models import Person
from lobby.pregame import services as pregame_services
from lobby.pregame.model import PregameTable, Terms
from lobby.routing import websocket_urlpatterns as lobby_websockets
from mahjong_site.asgi import application
from tests.kit.processes import RedisServer
from tests.web.short_forms import versioned

pytestmark = pytest.mark.django_db(transaction=True)

VISITORS: Final = ("nobody", "guest", "player elsewhere", "watcher", "moderator")
STRANGERS: Final = ("nobody", "moderator")
"""Those of them who have never sat down."""
OWNER: Final = "Annabel Hidden"
"""Sits at the private table, is of the pregame table, has played the private game."""
REFUSED: Final = (403, 404, 405)
TABLE_PASSWORD: Final = "hash-of-the-tables-password"
SLOW: Final = ClockSettings(base_ms=600_000, bank_ms=600_000)


@dataclass(frozen=True)
class World:
    """What is behind the doors."""

    backend: Backend
    table_id: TableId
    pregame: PregameTable
    finished: str
    owner: str
    account: int
    """Of the owner."""

    @property
    def kept_from_all(self) -> tuple[str, ...]:
        """What stands on no page that any of the visitors may see."""
        return (self.pregame.token, TABLE_PASSWORD)

    async def state(self) -> object:
        """All of it that could be changed from outside."""
        room = await self.backend.tables.room(self.table_id)
        assert room is not None
        owner = await Person.objects.select_related("user").aget(pk=self.owner)
        assert owner.user is not None
        key = await self.backend.call("GET", f"g:{self.pregame.id}")
        return (
            (room.head, room.meta, room.votes, key),
            (owner.name, owner.language, owner.table_settings, owner.deleted_at),
            (owner.user.username, owner.user.password, owner.user.email, owner.user.is_staff),
            await User.objects.filter(is_staff=True).acount(),
            await Game.objects.filter(pk=self.finished, is_public=False).acount(),
        )


@pytest.fixture(autouse=True)
def _site_settings(
    redis_server: RedisServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    settings.REDIS_URL = redis_server.url
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.METRICS_TOKEN = secrets.token_urlsafe(16)
    cache.clear()
    for name, limit in vars(rate_limits).items():
        if isinstance(limit, rate_limits.Limit):  # this test tries everything, often
            monkeypatch.setattr(
                rate_limits, name, rate_limits.Limit(limit.name, 10_000, limit.window_s)
            )
        elif isinstance(limit, rate_limits.Pace):
            monkeypatch.setattr(
                rate_limits, name, rate_limits.Pace(limit.name, 10_000, limit.longest_s)
            )
    yield
    cache.clear()


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    backend = await current_backend()
    user = await User.objects.acreate_user("owner", password=secrets.token_hex())
    owner = await Person.objects.acreate(name=OWNER, user=user, name_key="a", look_key="a")
    table_id = await private_table(backend, str(owner.pk), OWNER)
    made = await pregame_services.create(
        backend,
        person=str(owner.pk),
        name=OWNER,
        terms=Terms(rules=PRESETS["tenhou"], public=False),
        bots=("", "", ""),
        password=TABLE_PASSWORD,
    )
    finished = await finished_game(owner)
    yield World(backend, table_id, made, finished, str(owner.pk), user.pk)
    await close_current()


async def private_table(backend: Backend, person: str, name: str) -> TableId:
    bots = [SeatMeta(name=f"b{at}", bot="tsumogiri") for at in range(3)]
    return await backend.process.service.open_table(
        seats=(SeatMeta(name=name, person=person), bots[0], bots[1], bots[2]),
        rules=PRESETS["tenhou"],
        clock=SLOW,
        public=False,
    )


async def finished_game(owner: Person) -> str:
    now = datetime.now(UTC)
    name = secrets.token_urlsafe(12)
    game = await Game.objects.acreate(
        table_id=name, rules={}, is_public=False, started_at=now, ended_at=now, log=b"wall"
    )
    for seat in range(4):
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=None if seat else owner.pk,
            name=f"b{seat}" if seat else OWNER,
            bot="tsumogiri" if seat else "",
            score=25_000,
            place=seat + 1,
            points=0,
        )
    return name


async def visitor(kind: str, world: World, *, checks_forms: bool = False) -> AsyncClient:
    """Somebody's browser."""
    client = AsyncClient(enforce_csrf_checks=checks_forms)
    if kind == "nobody":
        return client
    if kind == "moderator":
        who = await User.objects.acreate_superuser(f"m{uuid4().hex[:8]}", password="x")
        await client.aforce_login(who)
        return client
    session = await client.asession()
    person = await get_or_create_guest(session)
    await session.asave()
    client.cookies["sessionid"] = session.session_key or ""
    if kind == "player elsewhere":
        await private_table(world.backend, str(person.pk), person.name)
    if kind == "watcher":
        wire = await at_table(client, world)
        await wire.disconnect()
    return client


# Pages


@dataclass(frozen=True)
class Door:
    """An address and the statuses with which it answers every visitor."""

    path: str
    get: int
    post: int = 405
    get_without_person: int = 0
    """To a visitor who has never sat down, if that is another."""

    def expected(self, method: str, visitor: str) -> int:
        if method == "POST":
            return self.post
        return (visitor in STRANGERS and self.get_without_person) or self.get


def doors(world: World) -> dict[str, Door]:
    """Of the private things of somebody else, by route."""
    table, made = world.table_id, world.pregame.id
    uid = urlsafe_base64_encode(force_bytes(world.account))
    guessed = secrets.token_urlsafe(16)
    invited = f"/tables/{made}/key/{guessed}/"
    by_form = {"get": 405, "post": 302}
    return {
        "language/": Door("/language/", 302, 302),
        "watch/": Door("/watch/", 200),
        "table/<slug:table_id>/": Door(f"/table/{table}/", 200),
        "game/<slug:table_id>/": Door(f"/game/{world.finished}/", 404),
        "game/<slug:table_id>/<slug:kind>/": Door(f"/game/{world.finished}/mjai/", 404),
        "games/": Door("/games/", 200),
        "player/<uuid:person>/": Door(f"/player/{world.owner}/", 404),
        "ranking/": Door("/ranking/", 302),
        "ranking/<slug:preset>/": Door("/ranking/tenhou/", 302),
        "ranking/<slug:preset>/<slug:length>/": Door("/ranking/tenhou/east/", 200),
        "gallery/": Door("/gallery/", 200),
        "robots.txt": Door("/robots.txt", 200),
        "privacy/": Door("/privacy/", 200),
        "privacy/own-data/": Door("/privacy/own-data/", 200, get_without_person=302),
        "healthz": Door("/healthz", 200),
        "metrics": Door("/metrics", 404),
        "readyz": Door("/readyz", 503),  # there is no worker
        "": Door("/", 200),
        "play/": Door("/play/", **by_form),
        "lobby/": Door("/lobby/", 200),
        "lobby/seek/": Door("/lobby/seek/", **by_form),
        "lobby/stop/": Door("/lobby/stop/", **by_form),
        "lobby/take/<slug:table_id>/": Door(f"/lobby/take/{table}/", 405, 404),
        "tables/new/": Door("/tables/new/", 200, 422),
        "tables/new/rules/<slug:preset>/": Door("/tables/new/rules/tenhou/", 200),
        "tables/again/<slug:table_id>/": Door(f"/tables/again/{table}/", **by_form),
        "tables/<slug:pregame_id>/": Door(f"/tables/{made}/", 404),
        "tables/<slug:pregame_id>/do/": Door(f"/tables/{made}/do/", 405, 404),
        "tables/<slug:pregame_id>/key/<slug:token>/": Door(invited, 404),
        "tables/<slug:pregame_id>/key/<slug:token>/do/": Door(f"{invited}do/", 405, 404),
        "sign-up/": Door("/sign-up/", 200, 200),
        "sign-in/": Door("/sign-in/", 200, 200),
        "sign-in/forgotten/": Door("/sign-in/forgotten/", 200, 200),
        "sign-in/link/<str:uid>/<str:token>/": Door(f"/sign-in/link/{uid}/{guessed}/", 410, 410),
        "profile/": Door("/profile/", 302),
        "profile/name/": Door("/profile/name/", **by_form),
        "profile/language/": Door("/profile/language/", **by_form),
        "profile/table/": Door("/profile/table/", **by_form),
        "profile/settings/": Door("/profile/settings/", 405, 403),
        "profile/password/": Door("/profile/password/", **by_form),
        "profile/mail/": Door("/profile/mail/", **by_form),
        "profile/delete/": Door("/profile/delete/", 302, 302),
        "sign-out/": Door("/sign-out/", **by_form),
    }


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Every address of the site."""
    for one in resolver.url_patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one, route)
        else:
            assert isinstance(one, URLPattern)
            yield route


def is_admins(route: str) -> bool:
    return route.startswith("admin/")


def behind(route: str, world: World) -> str:
    """An address of the admin site by its route."""
    ids = {"person": world.owner, "game": world.finished}
    model = route.split("/")[2] if route.count("/") > 2 else ""
    route = re.sub(r"<path:object_id>|<id>", ids.get(model, str(world.account)), route)
    route = route.replace("<path:content_type_id>", "1").replace("(?P<url>.*)$", "nowhere/")
    return "/" + re.sub(r"\^\(\?P<app_label>(\w+).*", r"\1/", route)


async def test_every_address_is_listed(world: World) -> None:
    known = {route for route in routes(get_resolver()) if not is_admins(route)}
    assert set(doors(world)) == known


async def test_pages_of_others_are_closed(world: World) -> None:
    for kind in VISITORS:
        client = await visitor(kind, world)
        before = await world.state()
        wrong = []
        for door in doors(world).values():
            for method in ("GET", "POST"):
                expected = door.expected(method, kind)
                answer = await asked(client, method, door.path)
                if answer.status_code != expected:
                    wrong.append(
                        f"{method} {door.path}: {answer.status_code} {answer.get('Location')}"
                    )
                page = shown(answer)
                wrong += [
                    f"{method} {door.path} shows {one}" for one in kept(world, door) if one in page
                ]
        assert not wrong, "\n".join(wrong)
        assert await world.state() == before


def kept(world: World, door: Door) -> tuple[str, ...]:
    """What must not stand on that page. Whoever has the link of a table may watch it."""
    listed = () if world.table_id in door.path else (world.table_id,)
    return (*world.kept_from_all, OWNER, *listed)


def shown(page: HttpResponse) -> str:
    """Without the tokens, which are never the same."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode())


async def asked(client: AsyncClient, method: str, path: str) -> HttpResponse:
    ask = client.get if method == "GET" else client.post
    return await ask(path)  # type: ignore[return-value]


async def test_nothing_is_done_without_the_token_of_a_page(world: World) -> None:
    for kind in VISITORS:
        client = await visitor(kind, world, checks_forms=True)
        before = await world.state()
        paths = [door.path for door in doors(world).values()]
        paths += [behind(route, world) for route in routes(get_resolver()) if is_admins(route)]
        wrong = {path for path in paths if (await client.post(path)).status_code not in REFUSED}
        assert wrong == set()
        assert await world.state() == before


async def test_admin_site_is_for_moderators_only(world: World) -> None:
    for kind in VISITORS[:-1]:
        client = await visitor(kind, world)
        before = await world.state()
        for route in filter(is_admins, routes(get_resolver())):
            path = behind(route, world)
            for method in ("GET", "POST"):
                answer = await asked(client, method, path)
                where = answer.get("Location", "")
                if path == "/admin/login/":
                    assert answer.status_code == 200
                else:
                    is_led_away = where.startswith(("/admin/login/?next=", "/sign-in/"))
                    assert answer.status_code == 302, f"{method} {path}: {answer.status_code}"
                    assert is_led_away or where == "/admin/", f"{method} {path} leads to {where}"
                assert OWNER not in answer.content.decode()
        assert await world.state() == before


async def test_staff_without_permissions_sees_nothing(world: World) -> None:
    client = AsyncClient()
    user = await User.objects.acreate_user("newcomer", password="x", is_staff=True)
    await client.aforce_login(user)
    open_to_staff = {"/admin/", "/admin/password_change/", "/admin/jsi18n/"}
    for route in filter(is_admins, routes(get_resolver())):
        path = behind(route, world)
        answer = await client.get(path)
        if answer.status_code == 200:
            assert path in open_to_staff | {"/admin/password_change/done/"}, path
        assert OWNER not in answer.content.decode()


async def test_moderator_sees_no_hidden_tiles_or_keys(world: World) -> None:
    client = await visitor("moderator", world)
    log = "wall"  # the finished game's
    for route in filter(is_admins, routes(get_resolver())):
        path = behind(route, world)
        if "logout" in path:
            continue
        page = shown(await client.get(path))
        user = await User.objects.aget(pk=world.account)
        for secret in (*world.kept_from_all, user.password, f"b'{log}'"):
            assert secret not in page, f"{path} shows {secret}"


async def test_private_objects_look_like_missing_ones(world: World) -> None:
    """What is somebody else's answers as what is not there."""
    client = await visitor("guest", world)
    there, nowhere = world.pregame.id, secrets.token_urlsafe(9)
    pairs = [
        (f"/tables/{there}/", f"/tables/{nowhere}/"),
        (f"/tables/{there}/key/x/", f"/tables/{nowhere}/key/x/"),
        (f"/game/{world.finished}/", f"/game/{nowhere}/"),
        (f"/game/{world.finished}/mjai/", f"/game/{nowhere}/mjai/"),
        (f"/table/{world.finished}/", f"/table/{nowhere}/"),
        (f"/player/{world.owner}/", f"/player/{uuid4()}/"),
        ("/sign-in/link/MQ/x-y/", "/sign-in/link/OTk5OTk/x-y/"),
    ]
    for one, other in pairs:
        first, second = await client.get(one), await client.get(other)
        assert first.status_code == second.status_code
        assert shown(first).replace(one, "") == shown(second).replace(other, "")


async def test_links_and_ids_cannot_be_guessed(world: World) -> None:
    """At least 72 bits of chance in what opens a table to who knows it, 128 in an invitation."""
    assert len(world.pregame.id) * 6 >= 72
    assert len(world.table_id) * 6 >= 96
    assert len(world.pregame.token) * 6 >= 128


# Sockets


SOCKETS: Final = {
    "ws/table/<slug:table_id>/": "/ws/table/{table}/",
    "ws/lobby/": "/ws/lobby/",
    "ws/lobby/watch/": "/ws/lobby/watch/",
    "ws/lobby/tables/<slug:pregame_id>/": "/ws/lobby/tables/{pregame}/?token=guessed",
}


def test_every_socket_is_listed() -> None:
    known = [*websocket_urlpatterns, *lobby_websockets]
    assert {str(one.pattern) for one in known} == set(SOCKETS)


@pytest.mark.parametrize("origin", ["http://testserver:8000", "https://testserver", "null", ""])
async def test_sockets_refuse_other_origins(origin: str, world: World) -> None:
    client = await visitor("moderator", world)
    for path in SOCKETS.values():
        wire = socket(client, path.format(table=world.table_id, pregame=world.pregame.id), origin)
        assert (await wire.connect())[0] is False


async def test_spectator_cannot_act_and_sees_no_hand(world: World) -> None:
    for kind in VISITORS:
        client = await visitor(kind, world)
        before = await world.state()
        wire = await at_table(client, world)
        await wire.send_json_to({"t": "hello", "seq": 0})
        sync = await wire.receive_json_from(timeout=5)
        assert (sync["t"], sync["you"], sync["legal"], sync["clock"]) == ("sync", None, [], None)
        hands = [hand["tiles"] for hand in sync["view"]["hands"]]
        assert {tile for tiles in hands for tile in tiles} == {"?"}
        assert sync["view"]["drawn"] in (None, "?")
        discard = {"type": "dahai", "pai": "1m", "tsumogiri": False}
        for message in (
            {"t": "act", "cid": "a", "q": sync["q"], "a": discard},
            {"t": "act", "cid": "b", "q": sync["q"], "a": {"type": "none"}},
            {"t": "vote", "motion": "end"},
            {"t": "resume"},
            {"t": "leave"},
            {"t": "study", "q": sync["q"]},
        ):
            await wire.send_json_to(message)
            while (answer := await wire.receive_json_from(timeout=5))["t"] == "watchers":
                continue
            assert answer.get("code") == "not_seated", f"{message} was answered by {answer}"
        await wire.disconnect()
        assert await world.state() == before


async def test_lobby_sockets_hide_private_tables(world: World) -> None:
    for kind in VISITORS:
        client = await visitor(kind, world)
        before = await world.state()
        for path in (
            "/ws/lobby/",
            "/ws/lobby/watch/",
            f"/ws/lobby/tables/{world.pregame.id}/?token=x",
        ):
            wire = socket(client, path)
            assert (await wire.connect())[0]
            heard = [await wire.receive_output(5), await wire.receive_output(5)]
            is_private = "tables" in path
            assert heard[1]["type"] == ("websocket.close" if is_private else "websocket.send")
            told = json.dumps(heard)
            for secret in (*world.kept_from_all, OWNER, world.table_id):
                assert secret not in told, f"{path} tells {secret}"
            if not is_private:
                await wire.send_json_to({"t": "do", "do": "take:0"})
                while (said := await wire.receive_output(5))["type"] != "websocket.close":
                    assert OWNER not in json.dumps(said)
                assert said["code"] == 4400
            await wire.disconnect()
        assert await world.state() == before


async def at_table(client: AsyncClient, world: World) -> WebsocketCommunicator:
    wire = socket(client, versioned(f"/ws/table/{world.table_id}/"))
    is_open, _ = await wire.connect()
    assert is_open
    return wire


def socket(
    client: AsyncClient, path: str, origin: str = "http://testserver"
) -> WebsocketCommunicator:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = [
        (b"host", b"testserver"),
        (b"origin", origin.encode()),
        (b"cookie", cookies.encode()),
    ]
    return WebsocketCommunicator(application, path, headers=headers)
