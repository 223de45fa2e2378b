"""Every address and every socket of the site refuses visitors without access.

The addresses come from the URL resolver: an address that is not listed here fails the test.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import AsyncClient
from django.urls import get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from game.engine.clock import ClockSettings
from game.engine.presets import PRESETS
from game.identity.sessions import SESSION_KEY
from game.imports.imported_game import AcceptedRecord, read_record
from game.imports.records import add_record
from game.live.process import close_current
from game.models import Game, GameSeat, ImportedRecord
from game.routing import websocket_urlpatterns
from game.tables.room import SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from lobby.accounts import rate_limits
from lobby.accounts.visitors import get_or_create_guest
from lobby.clubs.members import create_club
from lobby.events.api import PARTS
from lobby.events.download_views import PARTS as CSV_PARTS
from lobby.models import Club, Membership, Person, SavedRules
from lobby.play import pregame_services
from lobby.play.backend import Backend, current_backend
from lobby.play.pregame import PregameTable
from lobby.play.saved_rules import save_rules
from lobby.routing import websocket_urlpatterns as lobby_websockets
from mahjong_site.asgi import application
from tests.kit.processes import RedisServer
from tests.kit.routes import is_admin_route, list_routes
from tests.kit.wires import Wire
from tests.web.short_forms import with_version

pytestmark = pytest.mark.django_db(transaction=True)

VISITORS: Final = ("anonymous", "guest", "player elsewhere", "spectator", "moderator")
STRANGERS: Final = ("anonymous", "moderator")
"""The visitors who have never sat down."""
OWNER: Final = "Annabel Hidden"
"""The person at the private table and at the pregame table, who has played the private game."""
REFUSED: Final = (403, 404, 405)
CLUB: Final = "Club of the hidden"
TABLE_PASSWORD: Final = "hash-of-the-tables-password"
RECORD: Final = Path(__file__).parent.parent / "records" / "fixtures" / "own.mjlog"
SLOW: Final = ClockSettings(base_ms=600_000, bank_ms=600_000)


@dataclass(frozen=True)
class PrivateObjects:
    """The objects that visitors must neither see nor change."""

    backend: Backend
    table_id: TableId
    pregame: PregameTable
    finished: str
    owner: str
    account: int
    """The key of the owner's account."""
    imported: str
    """The key of a game of another site that the owner has brought."""
    rules: str
    """The key of rules that the owner has saved."""
    club: str
    """The address of a private club of the owner."""

    @property
    def hidden_from_all(self) -> tuple[str, ...]:
        """Return texts that are on no page that any of the visitors may see."""
        return (self.pregame.token, TABLE_PASSWORD)

    async def state(self) -> object:
        """Return all data of the objects that could be changed from outside."""
        room = await self.backend.tables.room(self.table_id)
        assert room is not None
        owner = await Person.objects.select_related("user").aget(pk=self.owner)
        assert owner.user is not None
        key = await self.backend.call("GET", f"pregame:{self.pregame.id}")
        return (
            (room.head, room.meta, room.votes, key),
            (owner.name, owner.language, owner.table_settings, owner.deleted_at),
            (owner.user.username, owner.user.password, owner.user.email, owner.user.is_staff),
            await User.objects.filter(is_staff=True).acount(),
            await Game.objects.filter(pk=self.finished, is_public=False).acount(),
            [row async for row in ImportedRecord.objects.values_list("pk", "owner_id")],
            [row async for row in Club.objects.values_list("slug", "name", "text", "invite_key")],
            [row async for row in Membership.objects.values_list("club", "person", "role")],
            [row async for row in SavedRules.objects.values_list("pk", "owner_id", "name")],
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
        if isinstance(limit, rate_limits.Limit):  # these tests send many requests to every page
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
async def private() -> AsyncIterator[PrivateObjects]:
    backend = await current_backend()
    user = await User.objects.acreate_user("owner", password=secrets.token_hex())
    owner = await Person.objects.acreate(name=OWNER, user=user, name_key="a", look_key="a")
    table_id = await private_table(backend, str(owner.pk), OWNER)
    made = await pregame_services.create_table(
        backend,
        person=str(owner.pk),
        name=OWNER,
        settings=TableSettings(rules=PRESETS["tenhou"], public=False, password=TABLE_PASSWORD),
        bots=("", "", ""),
    )
    finished = await finished_game(owner)
    record = read_record(RECORD.read_bytes())
    assert isinstance(record, AcceptedRecord)
    imported, _ = await database_sync_to_async(add_record)(record, owner.pk)
    rules = (
        await database_sync_to_async(save_rules)(owner, "Thursday", PRESETS["tenhou"], "5+20")
    ).pk
    club = await database_sync_to_async(create_club)(
        owner, slug="hidden", name=CLUB, is_public=False, entry=Club.INVITATION
    )
    yield PrivateObjects(
        backend,
        table_id,
        made,
        finished,
        str(owner.pk),
        user.pk,
        imported,
        rules,
        club.slug,
    )
    await close_current()


async def private_table(backend: Backend, person: str, name: str) -> TableId:
    bots = [SeatMeta(name=f"b{at}", bot="tsumogiri") for at in range(3)]
    return await backend.process.service.open_table(
        TableMeta(
            seats=(SeatMeta(name=name, person=person), bots[0], bots[1], bots[2]),
            clock=SLOW,
            settings=TableSettings(public=False, rules=PRESETS["tenhou"]),
        )
    )


async def finished_game(owner: Person) -> str:
    now = datetime.now(UTC)
    name = secrets.token_urlsafe(12)
    game = await Game.objects.acreate(
        table_id=name, rules={}, is_public=False, started_at=now, ended_at=now
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


async def visitor(kind: str, private: PrivateObjects, *, checks_forms: bool = False) -> AsyncClient:
    """Return the browser of a visitor of that kind."""
    client = AsyncClient(enforce_csrf_checks=checks_forms)
    if kind == "anonymous":
        return client
    if kind == "moderator":
        user = await User.objects.acreate_superuser(f"m{uuid4().hex[:8]}", password="x")
        await client.aforce_login(user)
        return client
    session = await client.asession()
    person = await database_sync_to_async(get_or_create_guest)(session)
    await session.asave()
    client.cookies["sessionid"] = session.session_key or ""
    if kind == "player elsewhere":
        await private_table(private.backend, str(person.pk), person.name)
    if kind == "spectator":
        wire = await at_table(client, private)
        await wire.disconnect()
    return client


# Pages


@dataclass(frozen=True)
class Address:
    """An address and the statuses with which it answers every visitor."""

    path: str
    get: int
    post: int = 405
    get_without_person: int = 0
    """The status for a visitor who has never sat down, if it is another one."""

    def expected(self, method: str, visitor: str) -> int:
        if method == "POST":
            return self.post
        return (visitor in STRANGERS and self.get_without_person) or self.get


def addresses(private: PrivateObjects) -> dict[str, Address]:
    """Return the addresses of private objects and of the site, by route."""
    table, made = private.table_id, private.pregame.id
    uid = urlsafe_base64_encode(force_bytes(private.account))
    guessed = secrets.token_urlsafe(16)
    invited = f"/tables/{made}/key/{guessed}/"
    by_form = {"get": 405, "post": 302}
    replay = f"/replay/{private.imported}/"
    return {
        "language/": Address("/language/", 302, 302),
        "table/<slug:table_id>/": Address(f"/table/{table}/", 200),
        "table/<slug:table_id>/seat-proof/": Address(f"/table/{table}/seat-proof/", 204),
        "game/<slug:table_id>/": Address(f"/game/{private.finished}/", 404),
        "game/<slug:table_id>/replay/": Address(f"/game/{private.finished}/replay/", 404),
        "game/<slug:table_id>/replay.json": Address(f"/game/{private.finished}/replay.json", 404),
        "game/<slug:table_id>/review.json": Address(
            f"/game/{private.finished}/review.json", 404, 404
        ),
        "game/<slug:table_id>/curves.json": Address(
            f"/game/{private.finished}/curves.json?at=1&seat=0", 404
        ),
        "replay/<slug:key>/curves.json": Address(f"/replay/{guessed}/curves.json", 404),
        "games/review/": Address("/games/review/", **by_form),
        "replay/<slug:key>/review.json": Address(f"/replay/{guessed}/review.json", 404, 404),
        "game/<slug:table_id>/replay/links/": Address(
            f"/game/{private.finished}/replay/links/", 405, 404
        ),
        "shared/<slug:key>/": Address(f"/shared/{guessed}/", 404),
        "shared/<slug:key>/take-back/": Address(f"/shared/{guessed}/take-back/", 405, 404),
        "shared/<slug:key>/replay.json": Address(f"/shared/{guessed}/replay.json", 404),
        "game/<slug:table_id>/replay/report/": Address(
            f"/game/{private.finished}/replay/report/", 404, 404
        ),
        "shared/<slug:key>/report/": Address(f"/shared/{guessed}/report/", 404, 404),
        "game/<slug:key>/replay/preview/": Address(
            f"/game/{private.finished}/replay/preview/", 404
        ),
        "game/<slug:key>/replay/preview.png": Address(
            f"/game/{private.finished}/replay/preview.png", 404
        ),
        "shared/<slug:key>/preview/": Address(f"/shared/{guessed}/preview/", 404),
        "shared/<slug:key>/preview.png": Address(f"/shared/{guessed}/preview.png", 404),
        "replay/<slug:key>/preview/": Address(f"{replay}preview/", 200),
        "replay/<slug:key>/preview.png": Address(f"{replay}preview.png", 200),
        "game/<slug:table_id>/archived/": Address(f"/game/{private.finished}/archived/", 200),
        "game/<slug:table_id>/<slug:kind>/": Address(f"/game/{private.finished}/mjai/", 404),
        "review/figures/": Address("/review/figures/", 200),
        "figures/": Address("/figures/", 200),
        "games/": Address("/games/", 200),
        "player/<uuid:person>/": Address(f"/player/{private.owner}/", 404),
        "ranking/": Address("/ranking/", 302),
        "ranking/bots/<slug:preset>/<slug:length>/": Address("/ranking/bots/tenhou/east/", 200),
        "ranking/<slug:preset>/": Address("/ranking/tenhou/", 302),
        "ranking/<slug:preset>/<slug:length>/": Address("/ranking/tenhou/east/", 200),
        "fair/": Address("/fair/", 200),
        "gallery/": Address("/gallery/", 200),
        "replay/": Address("/replay/", 200, 400),
        # Whoever has the address may see an imported game; only its owner may delete it.
        "replay/<slug:key>/": Address(replay, 200),
        "replay/<slug:key>/about/": Address(f"{replay}about/", 200),
        "replay/<slug:key>/replay.json": Address(f"{replay}replay.json", 200),
        "replay/<slug:key>/delete/": Address(f"{replay}delete/", 405, 403),
        "robots.txt": Address("/robots.txt", 200),
        "manifest.webmanifest": Address("/manifest.webmanifest", 200),
        "sw.js": Address("/sw.js", 200),
        "offline/": Address("/offline/", 200),
        "privacy/": Address("/privacy/", 200),
        "privacy/own-data/": Address("/privacy/own-data/", 200, get_without_person=302),
        "healthz": Address("/healthz", 200),
        "metrics": Address("/metrics", 404),
        "readyz": Address("/readyz", 503),  # 503: there is no worker
        "": Address("/", 200),
        "play/": Address("/play/", **by_form),
        "scheme/": Address("/scheme/", **by_form),
        "lobby/": Address("/lobby/", 200),
        "lobby/seek/": Address("/lobby/seek/", **by_form),
        "lobby/practice/": Address("/lobby/practice/", **by_form),
        "lobby/stop/": Address("/lobby/stop/", **by_form),
        "lobby/take/<slug:table_id>/": Address(f"/lobby/take/{table}/", 405, 404),
        "tables/new/": Address("/tables/new/", 200, 422),
        "tables/new/save/": Address("/tables/new/save/", 405, 422),
        "tables/new/rules/<slug:preset>/": Address("/tables/new/rules/tenhou/", 200),
        "tables/again/<slug:table_id>/": Address(f"/tables/again/{table}/", **by_form),
        "tables/<slug:pregame_id>/": Address(f"/tables/{made}/", 404),
        "tables/<slug:pregame_id>/do/": Address(f"/tables/{made}/do/", 405, 404),
        "tables/<slug:pregame_id>/chat/": Address(f"/tables/{made}/chat/", 404, 404),
        "tables/<slug:pregame_id>/key/<slug:token>/chat/": Address(f"{invited}chat/", 404, 404),
        "tables/<slug:pregame_id>/rules/": Address(f"/tables/{made}/rules/", 404),
        "tables/<slug:pregame_id>/key/<slug:token>/rules/": Address(f"{invited}rules/", 404),
        **{
            f"learn/{page}": Address(f"/learn/{page}", 200)
            for page in ("", "yaku/", "points/", "glossary/", "rules/")
        },
        "table/<slug:table_id>/yaku/": Address(f"/table/{table}/yaku/", 200),
        "learn/guided/": Address("/learn/guided/", 200),
        "learn/guided/<slug:name>/": Address("/learn/guided/pon/", **by_form),
        "learn/<slug:slug>/": Address("/learn/riichi/", 200),
        "learn/calculator/": Address("/learn/calculator/", 200),
        "learn/puzzles/": Address("/learn/puzzles/", 200),
        "learn/puzzles/next/": Address("/learn/puzzles/next/", 302),
        "learn/puzzles/<slug:key>/": Address("/learn/puzzles/none/", 404, 404),
        "learn/exercises/": Address("/learn/exercises/", 200),
        "learn/exercises/<slug:kind>/<slug:level>/": Address("/learn/exercises/waits/easy/", 302),
        "learn/exercises/<slug:kind>/<slug:level>/<slug:seed>/": Address(
            "/learn/exercises/waits/easy/abc/", 200, 200
        ),
        "clubs/": Address("/clubs/", 200),
        "clubs/new/": Address("/clubs/new/", 302, 302),
        **club_addresses(f"/clubs/{private.club}/", guessed),
        "watch/": Address("/watch/", 200),
        "live/": Address("/live/", 200),
        "watch/now/": Address("/watch/now/", 302),
        "rules/": Address("/rules/", 200),
        # Whoever has the address may see saved rules; only their owner may change them.
        "rules/<slug:key>/": Address(f"/rules/{private.rules}/", 200),
        "rules/<slug:key>/rename/": Address(f"/rules/{private.rules}/rename/", 405, 404),
        "rules/<slug:key>/delete/": Address(f"/rules/{private.rules}/delete/", 405, 404),
        "tables/<slug:pregame_id>/key/<slug:token>/": Address(invited, 404),
        "tables/<slug:pregame_id>/key/<slug:token>/do/": Address(f"{invited}do/", 405, 404),
        "sign-up/": Address("/sign-up/", 200, 200),
        "sign-in/": Address("/sign-in/", 200, 200),
        "sign-in/forgotten/": Address("/sign-in/forgotten/", 200, 200),
        "sign-in/link/<str:uid>/<str:token>/": Address(f"/sign-in/link/{uid}/{guessed}/", 410, 410),
        "profile/": Address("/profile/", 302),
        "profile/name/": Address("/profile/name/", **by_form),
        "profile/avatar/": Address("/profile/avatar/", **by_form),
        "profile/language/": Address("/profile/language/", **by_form),
        "profile/table/": Address("/profile/table/", **by_form),
        "profile/replays/": Address("/profile/replays/", **by_form),
        "profile/settings/": Address("/profile/settings/", 405, 403),
        "profile/password/": Address("/profile/password/", **by_form),
        "profile/mail/": Address("/profile/mail/", **by_form),
        "bots/tables/": Address("/bots/tables/", 405, 403),
        "profile/bots/": Address("/profile/bots/", 302, 302),
        "friends/": Address("/friends/", 302),
        "friends/news/": Address("/friends/news/", 403),
        "friends/<uuid:other>/": Address(f"/friends/{private.owner}/", 302),
        "friends/<uuid:other>/do/": Address(f"/friends/{private.owner}/do/", **by_form),
        "profile/friends/": Address("/profile/friends/", **by_form),
        "profile/delete/": Address("/profile/delete/", 302, 302),
        "sign-out/": Address("/sign-out/", **by_form),
    }


def _with_numbers(page: str) -> str:
    """Return the address with values for its variables."""
    return re.sub("<int:[a-z]+>", "1", page).replace("<slug:form>", "mjlog")


def club_addresses(club: str, guessed: str) -> dict[str, Address]:
    """Return the addresses of a private club. `tests/lobby/test_club_access.py` tries each as a
    member."""
    pages = ("", "members/", "games/", "rules/")
    forms = ("join/", "leave/", "chat/", "members/do/", "rules/default/", "delete/")
    both = ("edit/", "edit/text/", "edit/settings/")
    return {
        **{f"clubs/<slug:slug>/{page}": Address(f"{club}{page}", 404) for page in pages},
        **{f"clubs/<slug:slug>/{page}": Address(f"{club}{page}", 405, 404) for page in forms},
        **{f"clubs/<slug:slug>/{page}": Address(f"{club}{page}", 404, 404) for page in both},
        "clubs/<slug:slug>/events/": Address(f"{club}events/", 404, 405),
        "clubs/<slug:slug>/events/new/": Address(f"{club}events/new/", 404, 404),
        **{
            f"clubs/<slug:slug>/events/<slug:event>/{page}": Address(
                f"{club}events/autumn/{_with_numbers(page)}", get, post
            )
            for page, get, post in (
                *((page, 404, 405) for page in ("", "rules/", "calendar.ics", "standings.json")),
                *((page, 404, 405) for page in ("standings/", "feature/")),
                *((f"{part}.csv", 404, 405) for part in CSV_PARTS),
                *((page, 405, 404) for page in ("enter/", "table/", "delete/")),
                *(
                    (page, 404, 404)
                    for page in ("edit/", "entrants/", "offline/", "teams/", "round/")
                ),
                *((page, 404, 404) for page in ("offline/<int:game>/", "fixtures/", "games/")),
                *((page, 404, 405) for page in ("officials/", "log/")),
                ("officials/<int:round>/<int:table>/", 404, 405),
                ("records/<slug:form>.zip", 404, 405),
                *((page, 405, 404) for page in ("officials/do/", "check-in/")),
                ("fixtures/<int:number>/", 405, 404),
            )
        },
        "clubs/<slug:slug>/api/": Address(f"{club}api/", 404, 404),
        "api/1/clubs/<slug:slug>/": Address(f"/api/1{club}", 404),
        **{
            f"api/1/clubs/<slug:slug>/events/<slug:name>/{page}": Address(
                f"/api/1{club}events/autumn/{page}", 404
            )
            for page in ("", *(f"{part}/" for part in PARTS))
        },
        "clubs/<slug:slug>/join/<slug:key>/": Address(f"{club}join/{guessed}/", 404, 404),
    }


def admin_path(route: str, private: PrivateObjects) -> str:
    """Return an address of the admin site by its route."""
    ids = {"person": private.owner, "game": private.finished}
    model = route.split("/")[2] if route.count("/") > 2 else ""
    route = re.sub(r"<path:object_id>|<id>", ids.get(model, str(private.account)), route)
    route = route.replace("<path:content_type_id>", "1").replace("(?P<url>.*)$", "nowhere/")
    return "/" + re.sub(r"\^\(\?P<app_label>(\w+).*", r"\1/", route)


async def test_every_address_is_listed(private: PrivateObjects) -> None:
    known = {route for route in list_routes(get_resolver()) if not is_admin_route(route)}
    known = {route for route in known if "(?P<kind>league|tournament)" not in route}  # redirects
    assert set(addresses(private)) == known


async def test_pages_of_others_are_closed(private: PrivateObjects) -> None:
    for kind in VISITORS:
        client = await visitor(kind, private)
        before = await private.state()
        wrong = []
        for address in addresses(private).values():
            for method in ("GET", "POST"):
                expected = address.expected(method, kind)
                answer = await request(client, method, address.path)
                if answer.status_code != expected:
                    wrong.append(
                        f"{method} {address.path}: {answer.status_code} {answer.get('Location')}"
                    )
                page = text_without_tokens(answer)
                wrong += [
                    f"{method} {address.path} shows {name}"
                    for name in hidden_on(private, address)
                    if name in page
                ]
        assert not wrong, "\n".join(wrong)
        assert await private.state() == before


async def test_running_game_has_no_replay_review_or_preview(private: PrivateObjects) -> None:
    """Strangers, moderators and the player of the game are refused alike."""
    player = AsyncClient()
    session = await player.asession()
    session[SESSION_KEY] = private.owner
    await session.asave()
    player.cookies["sessionid"] = session.session_key or ""
    start = f"/game/{private.table_id}/"
    ends = (
        *("replay/", "replay.json", "review.json", "replay/preview/", "replay/preview.png"),
        *("replay/report/", "replay/links/", "mjai/"),
    )
    for client in (AsyncClient(), await visitor("moderator", private), player):
        for end in ends:
            answers = [await request(client, method, start + end) for method in ("GET", "POST")]
            assert {answer.status_code for answer in answers} <= {404, 405}, end
            pages = [answer.content.decode(errors="replace") for answer in answers]
            assert client is player or not [page for page in pages if OWNER in page]
    finished = await player.get(f"/game/{private.finished}/")
    assert finished.status_code == 200, "the player's own finished game is visible"


def hidden_on(private: PrivateObjects, address: Address) -> tuple[str, ...]:
    """Return the texts that must not be on that page. Whoever has the link of a table may watch
    it."""
    listed = () if private.table_id in address.path else (private.table_id,)
    return (*private.hidden_from_all, OWNER, CLUB, *listed)


def text_without_tokens(page: HttpResponse) -> str:
    """Return the text without form tokens, which differ in every answer."""
    return re.sub(
        r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode(errors="replace")
    )


async def request(client: AsyncClient, method: str, path: str) -> HttpResponse:
    ask = client.get if method == "GET" else client.post
    return await ask(path)  # type: ignore[return-value]


async def test_nothing_is_done_without_the_token_of_a_page(private: PrivateObjects) -> None:
    """The test tries each kind of visitor."""
    for kind in VISITORS:
        client = await visitor(kind, private, checks_forms=True)
        before = await private.state()
        paths = [address.path for address in addresses(private).values()]
        paths += [
            admin_path(route, private)
            for route in list_routes(get_resolver())
            if is_admin_route(route)
        ]
        wrong = {path for path in paths if (await client.post(path)).status_code not in REFUSED}
        assert wrong == set()
        assert await private.state() == before


async def test_admin_site_is_for_moderators_only(private: PrivateObjects) -> None:
    for kind in VISITORS[:-1]:
        client = await visitor(kind, private)
        before = await private.state()
        for route in filter(is_admin_route, list_routes(get_resolver())):
            path = admin_path(route, private)
            for method in ("GET", "POST"):
                answer = await request(client, method, path)
                where = answer.get("Location", "")
                if path == "/admin/login/":
                    assert answer.status_code == 200
                else:
                    leads_to_login = where.startswith(("/admin/login/?next=", "/sign-in/"))
                    assert answer.status_code == 302, f"{method} {path}: {answer.status_code}"
                    assert leads_to_login or where == "/admin/", f"{method} {path} leads to {where}"
                assert OWNER not in answer.content.decode()
        assert await private.state() == before


async def test_staff_without_permissions_sees_nothing(private: PrivateObjects) -> None:
    client = AsyncClient()
    user = await User.objects.acreate_user("newcomer", password="x", is_staff=True)
    await client.aforce_login(user)
    open_to_staff = {"/admin/", "/admin/password_change/", "/admin/jsi18n/"}
    for route in filter(is_admin_route, list_routes(get_resolver())):
        path = admin_path(route, private)
        answer = await client.get(path)
        if answer.status_code == 200:
            assert path in open_to_staff | {"/admin/password_change/done/"}, path
        assert OWNER not in answer.content.decode()


@pytest.mark.postgresql
async def test_moderator_sees_no_hidden_tiles_or_keys(private: PrivateObjects) -> None:
    client = await visitor("moderator", private)
    log = "wall"  # a word of the finished game's log
    for route in filter(is_admin_route, list_routes(get_resolver())):
        path = admin_path(route, private)
        if "logout" in path:
            continue
        page = text_without_tokens(await client.get(path))
        user = await User.objects.aget(pk=private.account)
        for secret in (*private.hidden_from_all, user.password, f"b'{log}'"):
            assert secret not in page, f"{path} shows {secret}"


async def test_private_objects_look_like_missing_ones(private: PrivateObjects) -> None:
    """A request for an object of another person is answered like one for a missing object."""
    client = await visitor("guest", private)
    known_id, nowhere = private.pregame.id, secrets.token_urlsafe(9)
    pairs = [
        (f"/tables/{known_id}/", f"/tables/{nowhere}/"),
        (f"/tables/{known_id}/key/x/", f"/tables/{nowhere}/key/x/"),
        (f"/game/{private.finished}/", f"/game/{nowhere}/"),
        (f"/game/{private.finished}/mjai/", f"/game/{nowhere}/mjai/"),
        (f"/game/{private.finished}/archived/", f"/game/{nowhere}/archived/"),
        (f"/game/{private.finished}/replay/", f"/game/{nowhere}/replay/"),
        (f"/game/{private.finished}/replay.json", f"/game/{nowhere}/replay.json"),
        (f"/game/{private.finished}/review.json", f"/game/{nowhere}/review.json"),
        (f"/table/{private.finished}/", f"/table/{nowhere}/"),
        (f"/player/{private.owner}/", f"/player/{uuid4()}/"),
        (f"/clubs/{private.club}/", "/clubs/nowhere/"),
        (f"/clubs/{private.club}/games/", "/clubs/nowhere/games/"),
        ("/sign-in/link/MQ/x-y/", "/sign-in/link/OTk5OTk/x-y/"),
    ]
    for known, unknown in pairs:
        refused, missing = await client.get(known), await client.get(unknown)
        assert refused.status_code == missing.status_code
        refusal = text_without_tokens(refused).replace(known, "")
        assert refusal == text_without_tokens(missing).replace(unknown, "")


async def test_links_and_ids_cannot_be_guessed(private: PrivateObjects) -> None:
    """An id that opens a table has at least 72 random bits, an invitation 128."""
    assert len(private.pregame.id) * 6 >= 72
    assert len(private.table_id) * 6 >= 96
    assert len(private.pregame.token) * 6 >= 128


# Sockets


SOCKETS: Final = {
    "ws/table/<slug:table_id>/": "/ws/table/{table}/",
    "ws/bots/": "/ws/bots/",
    "ws/lobby/": "/ws/lobby/",
    "ws/lobby/watch/": "/ws/lobby/watch/",
    "ws/lobby/waiting/": "/ws/lobby/waiting/?was=queue",
    "ws/lobby/clubs/<slug:slug>/": "/ws/lobby/clubs/hidden/",
    **{
        f"ws/lobby/clubs/<slug:slug>/events/<slug:event>/{page}": (
            f"/ws/lobby/clubs/hidden/events/autumn/{_with_numbers(page)}"
        )
        for page in ("", "feature/", "officials/", "officials/<int:round>/<int:table>/")
    },
    "ws/lobby/tables/<slug:pregame_id>/": "/ws/lobby/tables/{pregame}/?token=guessed",
}


def test_every_socket_is_listed() -> None:
    known = [*websocket_urlpatterns, *lobby_websockets]
    assert {str(route.pattern) for route in known} == set(SOCKETS)


@pytest.mark.parametrize("origin", ["http://testserver:8000", "https://testserver", "null", ""])
async def test_sockets_refuse_other_origins(origin: str, private: PrivateObjects) -> None:
    client = await visitor("moderator", private)
    for path in SOCKETS.values():
        wire = socket(
            client, path.format(table=private.table_id, pregame=private.pregame.id), origin
        )
        assert (await wire.connect())[0] is False


@pytest.mark.postgresql
async def test_spectator_cannot_act_and_sees_no_hand(private: PrivateObjects) -> None:
    for kind in VISITORS:
        client = await visitor(kind, private)
        before = await private.state()
        wire = await at_table(client, private)
        await wire.send_json_to({"t": "hello", "seq": 0})
        sync = await wire.receive_json_from()
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
            while (answer := await wire.receive_json_from())["t"] == "spectators":
                continue
            assert answer.get("code") == "not_seated", f"{message} was answered by {answer}"
        await wire.disconnect()
        assert await private.state() == before


async def test_lobby_sockets_hide_private_tables(private: PrivateObjects) -> None:
    for kind in VISITORS:
        client = await visitor(kind, private)
        before = await private.state()
        for path in (
            "/ws/lobby/",
            "/ws/lobby/watch/",
            f"/ws/lobby/tables/{private.pregame.id}/?token=x",
            f"/ws/lobby/clubs/{private.club}/",
        ):
            wire = socket(client, path)
            assert (await wire.connect())[0]
            messages = [await wire.receive_output(), await wire.receive_output()]
            is_private = "tables" in path or "clubs" in path
            assert messages[1]["type"] == ("websocket.close" if is_private else "websocket.send")
            text = json.dumps(messages)
            for secret in (*private.hidden_from_all, OWNER, CLUB, private.table_id):
                assert secret not in text, f"{path} tells {secret}"
            if not is_private:
                await wire.send_json_to({"t": "do", "do": "take:0"})
                while (message := await wire.receive_output())["type"] != "websocket.close":
                    assert OWNER not in json.dumps(message)
                assert message["code"] == 4400
            await wire.disconnect()
        assert await private.state() == before


async def at_table(client: AsyncClient, private: PrivateObjects) -> Wire:
    wire = socket(client, with_version(f"/ws/table/{private.table_id}/"))
    is_open, _ = await wire.connect()
    assert is_open
    return wire


def socket(client: AsyncClient, path: str, origin: str = "http://testserver") -> Wire:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = [
        (b"host", b"testserver"),
        (b"origin", origin.encode()),
        (b"cookie", cookies.encode()),
    ]
    return Wire(application, path, headers=headers)
