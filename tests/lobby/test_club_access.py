"""Each kind of person tries every page and socket of a club: owner, organiser, member, organiser of
another club, former member, guest, visitor without a session, moderator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.clubs import members
from lobby.events.download_views import PARTS
from lobby.events.registration import make_event
from lobby.models import (
    ApiToken,
    Applicant,
    Club,
    Event,
    EventPlayer,
    EventTable,
    JoinRequest,
    Membership,
    Ruling,
    SavedRules,
    Team,
)
from lobby.play import saved_rules
from lobby.play.backend import current_backend
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import table_form, text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
]

STRANGERS: Final = ("other organiser", "former member", "guest", "anonymous", "moderator")
MEMBERS: Final = ("owner", "organiser", "member")
EVERYBODY: Final = (*MEMBERS, *STRANGERS)
OFFICERS: Final = ("owner", "organiser")
SECRET: Final = "Thursday Club"
EVENT: Final = "events/<slug:event>/"

PAGES: Final = {
    "": EVERYBODY,
    "games/": EVERYBODY,
    "rules/": EVERYBODY,
    "members/": MEMBERS,
    "events/": EVERYBODY,
    "events/new/": OFFICERS,
    "api/": OFFICERS,
    **{f"{EVENT}{part}.csv": EVERYBODY for part in PARTS},
    EVENT: EVERYBODY,
    f"{EVENT}rules/": EVERYBODY,
    f"{EVENT}edit/": OFFICERS,
    f"{EVENT}entrants/": OFFICERS,
    f"{EVENT}calendar.ics": EVERYBODY,
    f"{EVENT}standings/": EVERYBODY,
    f"{EVENT}standings.json": EVERYBODY,
    f"{EVENT}teams/": OFFICERS,
    f"{EVENT}offline/": EVERYBODY,
    f"{EVENT}offline/<int:game>/": (),  # the club has no such game
    f"{EVENT}records/<slug:form>.zip": (),  # no game has ended
    f"{EVENT}fixtures/": (),  # it has no list; see `test_fixtures`
    f"{EVENT}feature/": EVERYBODY,
    f"{EVENT}officials/": OFFICERS,
    f"{EVENT}officials/<int:round>/<int:table>/": (),
    f"{EVENT}log/": EVERYBODY,
    f"{EVENT}games/": (*MEMBERS, "former member"),
    "edit/": OFFICERS,
    "edit/text/": OFFICERS,
    "edit/settings/": ("owner",),
}
"""The people who may load the pages of a public club. The former member is an entrant of the
event with rounds, which has no table yet; `test_direction` loads the page of a table."""
WITHOUT_ROUNDS: Final = {
    f"{EVENT}feature/": (),
    f"{EVENT}games/": MEMBERS,
}
"""The pages that other people may load if the event has no rounds."""
POSTS: Final = {
    "chat/": MEMBERS,
    "api/": OFFICERS,
    "members/do/": OFFICERS,
    "rules/default/": OFFICERS,
    "edit/text/": OFFICERS,
    "edit/settings/": ("owner",),
    "delete/": ("owner",),
    "events/new/": OFFICERS,
    f"{EVENT}offline/": OFFICERS,
    f"{EVENT}offline/<int:game>/": OFFICERS,
    f"{EVENT}table/": MEMBERS,
    f"{EVENT}fixtures/": OFFICERS,
    f"{EVENT}fixtures/<int:number>/": (),  # only for the four players of the table
    f"{EVENT}edit/": OFFICERS,
    f"{EVENT}enter/": MEMBERS,
    f"{EVENT}entrants/": OFFICERS,
    f"{EVENT}teams/": OFFICERS,
    f"{EVENT}round/": OFFICERS,
    f"{EVENT}officials/do/": OFFICERS,
    f"{EVENT}games/": MEMBERS,
    f"{EVENT}delete/": ("owner",),
}
"""The people who may send the forms that change a club."""
OPEN_POSTS: Final = {"join/", "leave/", f"{EVENT}check-in/"}
"""Forms that change nothing but one's own membership or entry."""


LEAGUE: Final = {
    "name": "Taken over",
    "slug": "taken",
    "rules": "tenhou",
    "starts_on": "2026-01-01",
    "ends_on": "2026-12-31",
    "time_zone": "UTC",
    "ranking": "points",
    "min_games": "0",
    "max_games": "7",
    "best_games": "0",
}


CUP: Final = {
    "name": "Taken over",
    "slug": "taken",
    "rules": "tenhou",
    "rounds": "3",
    "method": "random",
    "fill": "bots",
}


OWN_POSTS: Final = {
    *(
        "chat/",
        "leave/",
        "events/autumn/table/",
        "events/autumn/enter/",
        "events/autumn/games/",
        "events/cup/enter/",
    )
}
"""Forms that change only what a member may change."""


@dataclass
class StagedClub:
    """A club, and a browser for each kind of visitor."""

    club: Club
    browsers: dict[str, AsyncClient]
    applicant: str
    member: str
    organiser: str
    entrant: int
    """The key of an entrant of the tournament."""
    rules: str

    async def show(self, is_public: bool) -> None:
        """Make the club and its events public or private."""
        await Club.objects.filter(pk=self.club.pk).aupdate(is_public=is_public)
        await Event.objects.aupdate(is_public=is_public)

    async def state(self) -> object:
        """Return all data that could be changed from outside."""
        club = await Club.objects.aget(pk=self.club.pk)
        rows = Membership.objects.filter(club=club).order_by("pk")
        rules = SavedRules.objects.filter(club=club)
        return (
            (club.name, club.text, club.is_public, club.entry, club.invite_key),
            club.default_rules_id,
            [row async for row in rows.values_list("person", "role")],
            [row async for row in JoinRequest.objects.values_list("club", "person")],
            [row async for row in rules.values_list("pk", "name")],
            [row async for row in Event.objects.values_list("slug", "name", "max_games")],
            await (await current_backend()).call("ZCARD", "pregame-tables"),
            [row async for row in Event.objects.values_list("slug", "schedule", "apart")],
            [row async for row in EventPlayer.objects.values_list("person")],
            [row async for row in Applicant.objects.values_list("person", "state")],
            [
                row
                async for row in EventPlayer.objects.values_list("person", "number", "is_replaced")
            ],
            [row async for row in EventPlayer.objects.values_list("came_at", "is_withdrawn")],
            await Ruling.objects.acount(),
            await EventTable.objects.acount(),
            await Team.objects.acount(),
            await ApiToken.objects.acount(),
        )


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    rate_limits.cache.clear()
    for name, limit in vars(rate_limits).items():
        if isinstance(limit, rate_limits.Limit):
            wide = rate_limits.Limit(limit.name, 10_000, limit.window_s)
            monkeypatch.setattr(rate_limits, name, wide)


@pytest_asyncio.fixture
async def staged_club() -> StagedClub:
    browsers: dict[str, AsyncClient] = {"anonymous": AsyncClient(), "guest": AsyncClient()}
    await browsers["guest"].post("/play/")
    people = {}
    for kind in (*MEMBERS, "other organiser", "former member", "applicant"):
        browsers[kind], people[kind] = await account(kind)
    browsers["moderator"], _ = await account("moderator", is_staff=True)
    club = await new_club(people["owner"], is_public=False, entry="invitation")
    await enrol(club, people["organiser"], Membership.ORGANISER)
    await enrol(club, people["member"])
    await enrol(club, people["former member"])
    await database_sync_to_async(members.leave)(club, people["former member"])
    other = await new_club(people["member"], "other")
    await enrol(other, people["other organiser"], Membership.ORGANISER)
    await JoinRequest.objects.acreate(club=club, person=people["applicant"])
    today = timezone.localdate()
    season = await database_sync_to_async(make_event)(
        club,
        PRESETS["tenhou"],
        "5+20",
        slug="autumn",
        name="Thursday Club in autumn",
        starts_on=today - timedelta(days=2),
        ends_on=today + timedelta(days=2),
        format="open",
        registration="open",
    )
    await EventPlayer.objects.acreate(event=season, person=people["member"])
    cup = await database_sync_to_async(make_event)(
        club,
        PRESETS["tenhou"],
        "5+20",
        slug="cup",
        name="Thursday Club Cup",
        format="rounds",
        rounds=2,
        method="random",
        fill="bots",
        starts_at=timezone.now(),
    )
    for kind in ("owner", "organiser", "member", "former member"):
        await EventPlayer.objects.acreate(event=cup, person=people[kind])
    rules = await database_sync_to_async(saved_rules.save_rules)(
        club, "House", PRESETS["tenhou"], "5+20"
    )
    return StagedClub(
        club,
        browsers,
        str(people["applicant"].pk),
        str(people["member"].pk),
        str(people["organiser"].pk),
        (await EventPlayer.objects.aget(event=cup, person=people["member"])).pk,
        rules.pk,
    )


def address_of(staged_club: StagedClub, path: str, event: str = "cup") -> str:
    path = path.replace("<slug:form>", "mjlog")
    path = re.sub("<int:(round|table|game|number)>", "1", path)
    return f"/clubs/{staged_club.club.slug}/{path.replace('<slug:event>', event)}"


def club_routes() -> set[str]:
    """Return the addresses below a club's own address."""
    start = "clubs/<slug:slug>/"
    routes = {
        str(pattern.pattern)
        for part in get_resolver().url_patterns
        for pattern in getattr(part, "url_patterns", [])
        if isinstance(pattern, URLPattern)
    }
    return {route.removeprefix(start) for route in routes if route.startswith(start)}


def test_every_address_of_a_club_is_tried() -> None:
    assert club_routes() == {*PAGES, *POSTS, *OPEN_POSTS, "join/<slug:key>/"}


@pytest.mark.parametrize("is_public", [True, False])
async def test_pages_open_only_for_permitted_visitors(
    staged_club: StagedClub, is_public: bool
) -> None:
    await staged_club.show(is_public)
    wrong = []
    tries = [(address_of(staged_club, path), allowed) for path, allowed in PAGES.items()]
    for path, allowed in PAGES.items():
        if path.startswith(EVENT):
            address = address_of(staged_club, path, "autumn")
            tries.append((address, WITHOUT_ROUNDS.get(path, allowed)))
    for path, allowed in tries:
        for kind in EVERYBODY:
            answer = await staged_club.browsers[kind].get(path)
            may_see = kind in allowed and (is_public or kind in MEMBERS)
            if answer.status_code != (200 if may_see else 404):
                wrong.append(f"{kind} at {path}: {answer.status_code}")
            if not may_see and SECRET in text_of(answer):
                wrong.append(f"{kind} at {path} reads the name")
    assert not wrong, "\n".join(wrong)


async def test_private_club_looks_like_a_missing_one(staged_club: StagedClub) -> None:
    await staged_club.show(False)
    for kind in STRANGERS:
        browser = staged_club.browsers[kind]
        for path in (*PAGES, "join/guessed-key/"):
            known = await browser.get(address_of(staged_club, path))
            missing = await browser.get(
                address_of(staged_club, path).replace("/thursday/", "/nowhere/")
            )
            assert (known.status_code, missing.status_code) == (404, 404)
            tokens = r'name="csrfmiddlewaretoken" value="\w+"'
            texts = [
                re.sub(tokens, "", text_of(address)).replace(slug, "")
                for address, slug in ((known, staged_club.club.slug), (missing, "nowhere"))
            ]
            assert texts[0] == texts[1]
        assert SECRET not in text_of(await browser.get("/clubs/"))


def forms_of(staged_club: StagedClub) -> list[tuple[str, dict[str, str]]]:
    """Return the forms that the pages of the club accept, with their fields."""
    person = staged_club.member
    verbs = ["new_link", f"accept:{staged_club.applicant}", f"decline:{staged_club.applicant}"]
    verbs += [f"{verb}:{person}" for verb in ("remove", "organiser", "member", "owner")]
    verbs += [f"remove:{staged_club.organiser}", "remove:nobody", "owner:", "nothing"]
    return [
        *(("members/do/", {"do": verb}) for verb in verbs),
        ("rules/default/", {"key": staged_club.rules}),
        ("api/", {"do": "token", "label": "taken"}),
        ("events/autumn/offline/", {}),
        ("events/cup/offline/", {}),
        ("edit/text/", {"text": "taken over"}),
        ("edit/settings/", {"name": "Taken", "entry": "open", "is_public": "on"}),
        ("delete/", {"name": "Thursday Club"}),
        ("chat/", {"text": "Hello"}),
        ("events/new/?format=open", LEAGUE),
        ("events/autumn/edit/", LEAGUE),
        ("events/autumn/delete/", {"name": "Thursday Club in autumn"}),
        ("events/autumn/table/", {}),
        ("events/autumn/enter/", {"do": "enter"}),
        ("events/autumn/fixtures/", {"do": "make", "games": "4"}),
        ("events/autumn/fixtures/1/", {}),
        (
            "events/autumn/officials/do/",
            {"do": "penalty", "person": person, "points": "20", "reason": "because"},
        ),
        *(("events/autumn/entrants/", {"do": f"{verb}:{person}"}) for verb in ("add", "accept")),
        *((f"events/{event}/teams/", {"do": "make", "name": "Own"}) for event in ("autumn", "cup")),
        *((f"events/{event}/teams/", {"do": f"remove:{person}"}) for event in ("autumn", "cup")),
        ("events/new/?format=rounds", CUP),
        ("events/cup/enter/", {"do": "enter"}),
        ("events/cup/enter/", {"do": "withdraw"}),
        ("events/cup/edit/", CUP),
        *(
            ("events/cup/entrants/", {"do": f"{verb}:{person}"})
            for verb in ("add", "accept", "remove", "late", "withdraw")
        ),
        *(
            ("events/cup/entrants/", {"do": f"{verb}:{person}:{staged_club.organiser}"})
            for verb in ("apart", "together")
        ),
        ("events/cup/round/", {"round": "1"}),
        ("events/cup/delete/", {"name": "Thursday Club Cup"}),
        *(
            (
                "events/cup/officials/do/",
                {
                    "do": verb,
                    "reason": "because",
                    "entrant": str(staged_club.entrant),
                    "person": person,
                    "substitute": "bot",
                    "points": "20",
                    "minutes": "5",
                },
            )
            for verb in (
                *("pause", "extend", "penalty", "chombo", "replace", "void", "correct"),
                *(
                    f"{verb}:{staged_club.entrant}"
                    for verb in ("here", "take_back", "cancel", "kept")
                ),
            )
        ),
        ("events/autumn/games/", {"game": "1", "text": "wrong"}),
        ("join/", {}),
        ("leave/", {}),
        ("join/guessed-key/", {}),
    ]


@pytest.mark.parametrize("is_public", [True, False])
async def test_strangers_change_nothing(staged_club: StagedClub, is_public: bool) -> None:
    await staged_club.show(is_public)
    before = await staged_club.state()
    for kind in STRANGERS:
        browser = staged_club.browsers[kind]
        for path, form in forms_of(staged_club):
            answer = await browser.post(f"/clubs/{staged_club.club.slug}/{path}", form)
            assert answer.status_code in {302, 404}, f"{kind} {path}"
            if path not in OPEN_POSTS:
                assert answer.status_code == 404, f"{kind} {path}"
        for verb in ("rename", "delete"):
            answer = await browser.post(f"/rules/{staged_club.rules}/{verb}/", {"name": "Taken"})
            assert answer.status_code == 404
        form = {**table_form(), "club": staged_club.club.slug, "entry": "club"}
        save = {"save": "club", "rules_name": "Theirs"}
        assert (await browser.post("/tables/new/", form)).status_code == 404
        assert (await browser.post("/tables/new/save/", {**form, **save})).status_code == 404
        assert (await browser.get(f"/tables/new/?club={staged_club.club.slug}")).status_code == 404
        assert await staged_club.state() == before, kind


async def test_member_changes_only_the_own_membership(staged_club: StagedClub) -> None:
    before = await staged_club.state()
    browser = staged_club.browsers["member"]
    for path, form in forms_of(staged_club):
        if path not in OWN_POSTS:
            answer = await browser.post(f"/clubs/{staged_club.club.slug}/{path}", form)
            assert answer.status_code == (302 if path == "join/" else 404), path
    answer = await browser.post(f"/rules/{staged_club.rules}/delete/")
    assert answer.status_code == 404
    form = {**table_form(), "club": staged_club.club.slug, "entry": "club"}
    form |= {"save": "club", "rules_name": "Theirs"}
    answer = await browser.post("/tables/new/save/", form)
    assert answer.status_code == 404
    assert await staged_club.state() == before


@pytest.mark.postgresql
async def test_organiser_may_not_do_actions_of_the_owner(staged_club: StagedClub) -> None:
    before = await staged_club.state()
    browser = staged_club.browsers["organiser"]
    owner = str((await Membership.objects.aget(club=staged_club.club, role="owner")).person_id)
    for path, form in (
        *(
            ("members/do/", {"do": f"{verb}:{staged_club.member}"})
            for verb in ("organiser", "member", "owner")
        ),
        ("members/do/", {"do": f"remove:{owner}"}),
        ("members/do/", {"do": f"remove:{staged_club.organiser}"}),
        ("members/do/", {"do": f"owner:{staged_club.organiser}"}),
        ("edit/settings/", {"name": "Taken", "entry": "open"}),
        ("delete/", {"name": "Thursday Club"}),
        ("events/autumn/delete/", {"name": "Thursday Club in autumn"}),
        ("events/cup/delete/", {"name": "Thursday Club Cup"}),
    ):
        answer = await browser.post(f"/clubs/{staged_club.club.slug}/{path}", form)
        assert answer.status_code == 404, (path, form)
    assert await staged_club.state() == before
    await browser.post(
        f"/clubs/{staged_club.club.slug}/members/do/", {"do": f"remove:{staged_club.member}"}
    )
    assert not await Membership.objects.filter(
        club=staged_club.club, person=staged_club.member
    ).aexists()


async def test_forms_need_the_token_of_a_page(staged_club: StagedClub) -> None:
    before = await staged_club.state()
    for kind in MEMBERS:
        browser = AsyncClient(enforce_csrf_checks=True)
        browser.cookies = staged_club.browsers[kind].cookies
        for path, form in forms_of(staged_club):
            answer = await browser.post(f"/clubs/{staged_club.club.slug}/{path}", form)
            assert answer.status_code == 403, path
    assert await staged_club.state() == before


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("", "Who is here"),
        ("events/autumn/", "Standings"),
        ("events/cup/", "entrants"),
        ("events/cup/feature/", '"go"'),
    ],
)
async def test_socket_of_a_private_club_is_for_members(
    staged_club: StagedClub, path: str, text: str
) -> None:
    for kind in EVERYBODY:
        await staged_club.browsers[kind].get("/clubs/")
        cookies = staged_club.browsers[kind].cookies.items()
        headers = [
            (b"host", b"testserver"),
            (b"origin", b"http://testserver"),
            (b"cookie", "; ".join(f"{name}={cookie.value}" for name, cookie in cookies).encode()),
        ]
        address = f"/ws/lobby/clubs/{staged_club.club.slug}/{path}?was=another-table"
        wire = Wire(application, address, headers=headers)
        assert (await wire.connect())[0]
        await wire.receive_output()  # skip the request for a heartbeat
        message = await wire.receive_output()
        if kind in MEMBERS:
            assert text in message["text"]
        else:
            assert (message["type"], message["code"]) == ("websocket.close", 4404)
        await wire.disconnect()


async def test_log_of_an_outage_has_no_key_of_an_invitation(
    caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    nowhere = "redis://127.0.0.1:1"
    back_end = {"BACKEND": "game.redis.django_cache.Cache", "LOCATION": nowhere}
    settings.CACHES = settings.CACHES | {"default": back_end}
    answer = await AsyncClient().get("/clubs/thursday/join/SECRET/")
    assert answer.status_code == 503
    assert 'href="/clubs/thursday/join/SECRET/">Try again' in answer.content.decode()
    assert "/clubs/<slug:slug>/join/<slug:key>/ cannot be answered" in caplog.text
    assert "SECRET" not in caplog.text
