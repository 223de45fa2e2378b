"""Clubs: founding, joining, roles, pages, tables, games and ratings."""

from __future__ import annotations

import asyncio
import re
import threading
from datetime import timedelta
from decimal import Decimal
from html.parser import HTMLParser
from uuid import UUID

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.utils import timezone

from game.models import Game, GamePlayer, GameSeat, Player
from game.results.group_results import RatedSeat, skills_of
from game.results.ladders import displayed_rating
from game.tables.requests import Vote
from game.tables.room import TableId
from lobby.accounts import rate_limits
from lobby.accounts.transactions import in_transaction
from lobby.clubs import members
from lobby.clubs.forms import MAX_TEXT
from lobby.clubs.page_text import MAX_HTML_BYTES, TooComplex, render_markdown, render_or_quote
from lobby.models import Club, ClubGame, JoinRequest, Membership, Person, SavedRules
from lobby.play import pregame_services
from lobby.play.backend import current_backend
from tests.lobby.club_people import account, enrol, new_club, roles_of
from tests.lobby.pages import numbers_in, press, room_at, table_form, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

PASSWORD = "four winds, one wall"
SETTINGS = {"name": "Friday Club", "slug": "friday", "entry": "request", "is_public": "on"}
BOTS = {"seat_1": "sensible", "seat_2": "sensible", "seat_3": "sensible"}


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


class Elements(HTMLParser):
    """A parser that collects the elements of a text, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.all = list[tuple[str, dict[str, str | None]]]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))


# Founding and joining


@pytest.mark.postgresql
async def test_account_founds_a_club_and_owns_it() -> None:
    client, _ = await account("Anna")
    answer = await client.post("/clubs/new/", SETTINGS)
    assert answer.headers["Location"] == "/clubs/friday/"
    club = await Club.objects.aget(slug="friday")
    assert await roles_of(club) == {"Anna": "owner"}
    assert "Friday Club" in text_of(await client.get("/clubs/"))
    assert "Friday Club" in text_of(await AsyncClient().get("/clubs/"))


@pytest.mark.parametrize("slug", ["new", "A", "a b", "-a", "a--b", "ab-", "été", "x" * 41])
async def test_address_of_a_club_is_checked(slug: str) -> None:
    client, _ = await account("Anna")
    answer = await client.post("/clubs/new/", {**SETTINGS, "slug": slug})
    assert answer.status_code == 422
    assert await Club.objects.acount() == 0


@pytest.mark.postgresql
async def test_addresses_are_unique_and_clubs_of_an_owner_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client, anna = await account("Anna")
    await new_club(anna, "friday")
    answer = await client.post("/clubs/new/", SETTINGS)
    assert "This address is taken." in text_of(answer)
    monkeypatch.setattr(members, "MAX_OWNED", 1)
    answer = await client.post("/clubs/new/", {**SETTINGS, "slug": "monday"})
    assert answer.status_code == 422
    assert await Club.objects.acount() == 1


@pytest.mark.postgresql
async def test_guest_cannot_found_or_join() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna, entry="open")
    guest = AsyncClient()
    await guest.post("/play/")
    for path in ("/clubs/new/", f"/clubs/{club.slug}/join/"):
        answer = await guest.post(path, SETTINGS)
        assert answer.headers["Location"].startswith("/sign-in/")
    assert await Membership.objects.acount() == 1


async def test_open_club_is_joined_freely_and_left() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna, entry="open")
    client, _ = await account("Ben")
    await client.post(f"/clubs/{club.slug}/join/")
    await client.post(f"/clubs/{club.slug}/join/")
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}
    await client.post(f"/clubs/{club.slug}/leave/")
    assert await roles_of(club) == {"Anna": "owner"}


@pytest.mark.postgresql
async def test_request_is_accepted_declined_or_withdrawn() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    people = {}
    for name in ("Ben", "Cleo", "Dora"):
        client, person = await account(name)
        answer = await client.post(f"/clubs/{club.slug}/join/")
        assert answer.headers["Location"] == f"/clubs/{club.slug}/?note=asked"
        people[name] = client, person
    assert "3 people ask to join." in text_of(await officer.get(f"/clubs/{club.slug}/"))
    client, _ = people["Dora"]
    assert "You have asked to join." in text_of(await client.get(f"/clubs/{club.slug}/"))
    await client.post(f"/clubs/{club.slug}/leave/")
    page = text_of(await officer.get(f"/clubs/{club.slug}/members/"))
    for name, verb in (("Ben", "accept"), ("Cleo", "decline")):
        do = f"{verb}:{people[name][1].pk}"
        assert f'value="{do}"' in page
        answer = await officer.post(f"/clubs/{club.slug}/members/do/", {"do": do})
        assert answer.status_code == 302
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}
    assert await JoinRequest.objects.acount() == 0


async def test_invitation_link_is_valid_until_it_is_renewed() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna, is_public=False, entry="invitation")
    client, _ = await account("Ben")
    link = f"/clubs/{club.slug}/join/{club.invite_key}/"
    assert link in text_of(await officer.get(f"/clubs/{club.slug}/members/"))
    assert (await client.get(f"/clubs/{club.slug}/")).status_code == 404
    assert "You are invited" in text_of(await client.get(link))
    assert (await AsyncClient().post(link)).headers["Location"] == f"/sign-in/?next={link}"
    await client.post(link)
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}
    assert (await client.get(link)).headers["Location"] == f"/clubs/{club.slug}/"
    assert (await client.get(f"/clubs/{club.slug}/")).status_code == 200
    await officer.post(f"/clubs/{club.slug}/members/do/", {"do": "new_link"})
    assert (await AsyncClient().get(link)).status_code == 404
    assert len(club.invite_key) * 6 >= 128


@pytest.mark.parametrize("entry", ["open", "request", "invitation"])
async def test_removed_member_comes_back_by_a_request_alone(entry: str) -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna, is_public=False, entry=entry)
    client, ben = await account("Ben")
    await enrol(club, ben)
    old = f"/clubs/{club.slug}/join/{club.invite_key}/"
    address = f"/clubs/{club.slug}/members/do/"
    await officer.post(address, {"do": f"remove:{ben.pk}"})
    assert (await client.get(old)).status_code == 404
    await club.arefresh_from_db()
    new = f"/clubs/{club.slug}/join/{club.invite_key}/"
    assert "Your request is on its way" in text_of(await client.post(new))
    assert await roles_of(club) == {"Anna": "owner"}
    assert "was removed" in text_of(await officer.get(f"/clubs/{club.slug}/members/"))
    await officer.post(address, {"do": f"accept:{ben.pk}"})
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}
    await client.post(f"/clubs/{club.slug}/leave/")
    await database_sync_to_async(members.join)(club, ben, is_invited=True)
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}


@pytest.mark.parametrize("is_public", [True, False])
async def test_invitation_leads_to_the_page_of_a_public_club(is_public: bool) -> None:
    _, anna = await account("Anna")
    club = await new_club(anna, is_public=is_public)
    link = f"/clubs/{club.slug}/join/{club.invite_key}/"
    for client in (AsyncClient(), (await account("Ben"))[0]):
        page = text_of(await client.get(link))
        assert (f'href="/clubs/{club.slug}/"' in page) is is_public


@pytest.mark.postgresql
async def test_parallel_joins_make_one_membership() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna, entry="open")
    _, ben = await account("Ben")
    await asyncio.gather(*[database_sync_to_async(members.join)(club, ben) for _ in range(6)])
    assert await roles_of(club) == {"Anna": "owner", "Ben": "member"}


# Roles


async def test_owner_names_organisers_and_hands_the_club_over() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    _, ben = await account("Ben")
    await enrol(club, ben)
    do = f"/clubs/{club.slug}/members/do/"
    await owner.post(do, {"do": f"organiser:{ben.pk}"})
    assert (await roles_of(club))["Ben"] == "organiser"
    await owner.post(do, {"do": f"member:{ben.pk}"})
    assert (await roles_of(club))["Ben"] == "member"
    await owner.post(do, {"do": f"owner:{ben.pk}"})
    assert await roles_of(club) == {"Anna": "organiser", "Ben": "owner"}
    assert (await owner.post(do, {"do": f"owner:{anna.pk}"})).status_code == 404


async def test_owner_cannot_leave_and_deletes_the_club_by_its_name() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    answer = await owner.post(f"/clubs/{club.slug}/leave/")
    assert answer.headers["Location"].endswith("?note=owner")
    await owner.post(f"/clubs/{club.slug}/delete/", {"name": "Thursday"})
    assert await Club.objects.acount() == 1
    await owner.post(f"/clubs/{club.slug}/delete/", {"name": "Thursday Club"})
    assert await Club.objects.acount() == 0


async def test_club_gets_a_new_owner_when_the_owner_deletes_the_account() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    for name, role in (("Ben", "member"), ("Cleo", "organiser"), ("Dora", "organiser")):
        await enrol(club, (await account(name))[1], role)
    user = await User.objects.aget(person=anna)
    user.set_password(PASSWORD)
    await user.asave()
    await owner.aforce_login(user)
    await owner.post("/profile/delete/", {"old": PASSWORD})
    assert await roles_of(club) == {"Ben": "member", "Cleo": "owner", "Dora": "organiser"}


@pytest.mark.postgresql
async def test_club_without_members_is_deleted() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    membership = await Membership.objects.aget(club=club)
    await database_sync_to_async(in_transaction)(membership.end)
    assert await Club.objects.acount() == 0


# The page


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Rules", "<h2>Rules</h2>"),
        ("**bold** and *so*", "<p><strong>bold</strong> and <em>so</em></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        (
            "[x](https://example.org)",
            '<p><a href="https://example.org" rel="nofollow noopener noreferrer">x</a></p>',
        ),
    ],
)
def test_markdown_is_rendered(text: str, html: str) -> None:
    assert render_markdown(text).strip() == html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://example.org/track.png)",
        '<a href="https://example.org" onclick="alert(1)">x</a>',
        "<style>body{display:none}</style>",
        '<form action="/profile/delete/" method="post"><button>x</button></form>',
        '<https://example.org/" onmouseover="alert(1)>',
    ],
)
def test_markdown_carries_no_code_and_loads_nothing(text: str) -> None:
    found = Elements()
    found.feed(str(render_markdown(text)))
    assert {tag for tag, _ in found.all} <= {"p", "a"}
    for _, attributes in found.all:
        assert set(attributes) <= {"href", "title", "rel"}
        assert (attributes.get("href") or "https:").startswith(("https:", "mailto:"))


@pytest.mark.parametrize(
    "text",
    [
        "|a" * 256 + "|\n" + "|-" * 256 + "|\n" + "|\n" * 9_000,
        "|a|\n|-|\n" + "|\n" * 9_900,
        "[" * 20_000,
        "[\n" * 10_000,
        "<a@b.c>" * 2_800,
        "**a" * 6_600,
        "* a\n" * 5_000,
        "[a]: b\n" * 2_800,
        f"[a]: {'x' * 9_000}\n\n" + "[a]" * 40,
        '"' * 20_000,
        "&" * 20_000,
    ],
)
def test_work_for_a_text_of_a_club_is_limited(text: str) -> None:
    with pytest.raises(TooComplex):
        render_markdown(text)
    assert len(text) <= MAX_TEXT
    quoted = render_or_quote(text)
    assert quoted.startswith("<pre>")
    assert len(quoted.encode()) <= MAX_HTML_BYTES


def test_long_page_of_a_club_is_rendered() -> None:
    page = "## Evening\n\nWe meet **every Thursday** at the [Dragon](https://example.org).\n\n"
    page += "- Doors open at *18:00*\n- Guests pay 5 euros\n\n| Anna | 43,000 |\n|---|---|\n"
    page += "Members pay nothing. " * 12 + "\n\n"
    assert render_markdown((page * 50)[:20_000]).count("<table>") > 40
    table = "|a|b|c|d|\n|-|-|-|-|\n" + "|12|13|14|15|\n" * 499
    assert render_markdown(table).count("<td>") == 1_996
    with pytest.raises(TooComplex):
        render_markdown(table + "|16|\n")


async def test_text_of_a_club_is_rendered_when_saved_and_by_newer_renderers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    address = f"/clubs/{club.slug}/edit/text/"
    await owner.post(address, {"text": "*Tea* at 8."})
    threads = list[str]()

    def render(text: str) -> str:
        threads.append(threading.current_thread().name)
        return f"<p>{text}, rendered again</p>"

    monkeypatch.setattr(members, "render_or_quote", render)
    assert "<em>Tea</em> at 8." in text_of(await AsyncClient().get(f"/clubs/{club.slug}/"))
    assert not threads
    monkeypatch.setattr(members, "RENDERER_VERSION", 2)
    for _ in range(2):
        page = text_of(await AsyncClient().get(f"/clubs/{club.slug}/"))
        assert "<p>*Tea* at 8., rendered again</p>" in page
    assert len(threads) == 1
    assert threads[0] != threading.current_thread().name
    answer = await owner.post(address, {"text": "[" * 20_000})
    assert answer.status_code == 422
    assert "too much formatting" in text_of(answer)
    assert (await Club.objects.aget(pk=club.pk)).text == "*Tea* at 8."
    moderator, _ = await account("Mona", is_staff=True)
    form = {"name": "Tea Club", "text": "Coffee", "memberships-TOTAL_FORMS": 0}
    form |= {"memberships-INITIAL_FORMS": 0}
    await moderator.post(f"/admin/lobby/club/{club.pk}/change/", form)
    page = text_of(await AsyncClient().get(f"/clubs/{club.slug}/"))
    assert "<p>Coffee, rendered again</p>" in page


async def test_officers_write_the_page_and_the_owner_changes_the_settings() -> None:
    owner, anna = await account("Anna")
    club = await new_club(anna)
    answer = await owner.post(
        f"/clubs/{club.slug}/edit/text/", {"text": "# Welcome\n\n*Tea* at 8."}
    )
    assert answer.headers["Location"] == f"/clubs/{club.slug}/?note=text"
    page = text_of(await AsyncClient().get(f"/clubs/{club.slug}/"))
    assert "<h2>Welcome</h2>" in page
    assert "<em>Tea</em> at 8." in page
    form = {"name": "Tea Club", "entry": "invitation"}
    await owner.post(f"/clubs/{club.slug}/edit/settings/", form)
    changed = await Club.objects.aget(pk=club.pk)
    assert (changed.name, changed.is_public, changed.entry) == ("Tea Club", False, "invitation")
    answer = await owner.post(f"/clubs/{club.slug}/edit/settings/", {"name": "", "entry": "open"})
    assert answer.status_code == 422


# Rules and tables


@pytest.mark.postgresql
async def test_rules_of_the_club_are_the_default_of_its_tables() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    form = {**table_form(**{"rule-uma": "30 10 -10 -30", "clock": "15+30"}), "entry": "club"}
    form |= {"club": club.slug, "rules_name": "House", "save": "club"}
    answer = await officer.post("/tables/new/save/", form)
    saved = await SavedRules.objects.aget(club=club)
    assert answer.headers["Location"] == f"/rules/{saved.pk}/"
    await officer.post(f"/clubs/{club.slug}/rules/default/", {"key": saved.pk})
    member, ben = await account("Ben")
    await enrol(club, ben)
    page = text_of(await member.get(f"/tables/new/?club={club.slug}"))
    assert re.search(rf'<option value="{saved.pk}" selected[^>]*>House</option>', page)
    assert numbers_in(page, "rule-uma") == ["30", "10", "-10", "-30"]
    assert '<option value="15+30" selected>' in page
    assert "House" in text_of(await AsyncClient().get(f"/clubs/{club.slug}/rules/"))
    await officer.post(f"/rules/{saved.pk}/rename/", {"name": "Home"})
    assert (await SavedRules.objects.aget(pk=saved.pk)).name == "Home"
    answer = await officer.post(f"/rules/{saved.pk}/delete/")
    assert answer.headers["Location"] == f"/clubs/{club.slug}/rules/"
    assert (await Club.objects.aget(pk=club.pk)).default_rules_id is None


async def make_club_table(client: AsyncClient, club: Club, **changes: str) -> str:
    form = {**table_form(**changes), "entry": "club", "club": club.slug}
    answer = await client.post("/tables/new/", form)
    assert answer.status_code == 302, text_of(answer)
    return answer.headers["Location"]


@pytest.mark.parametrize("is_public", [True, False])
async def test_members_find_the_table_in_the_lobby_of_the_club(is_public: bool) -> None:
    host, anna = await account("Anna")
    club = await new_club(anna, is_public=is_public)
    member, ben = await account("Ben")
    await enrol(club, ben)
    stranger, _ = await account("Cleo")
    address = await make_club_table(host, club)
    assert f'href="{address}"' in text_of(await member.get(f"/clubs/{club.slug}/"))
    assert address not in text_of(await stranger.get("/lobby/"))
    assert address not in text_of(await member.get("/lobby/"))
    assert (await stranger.get(address)).status_code == 404
    assert (await stranger.post(f"{address}do/", {"do": "sit"})).status_code == 404
    page = text_of(await member.get(address))
    assert "Thursday Club" in page
    assert await press(member, address, "sit") == address


async def test_running_game_and_rematch_belong_to_the_club() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna, is_public=False)
    table = await press(host, await make_club_table(host, club, **BOTS), "ready")
    room = await room_at(table)
    assert (await ClubGame.objects.aget()).table_id == room.table_id
    assert not room.meta.settings.public
    page = text_of(await host.get(f"/clubs/{club.slug}/"))
    assert f'href="{table}"' in page
    backend = await current_backend()
    seat = room.seat_of(str(anna.pk))
    assert seat is not None
    await backend.process.service.apply_request(TableId(room.table_id), Vote(seat, "end"))
    assert table not in text_of(await host.get(f"/clubs/{club.slug}/"))
    await host.post(f"/tables/again/{room.table_id}/")
    games = [row async for row in ClubGame.objects.values_list("club__slug", flat=True)]
    assert games == [club.slug, club.slug]


async def test_repeated_start_opens_one_game() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna)
    address = await make_club_table(host, club, **BOTS)
    backend = await current_backend()
    pregame_id = address.strip("/").split("/")[1]
    outcome = await pregame_services.set_ready(backend, pregame_id, str(anna.pk), True)
    assert not isinstance(outcome, pregame_services.PregameRefusal)
    again = outcome.__class__(
        **{name: getattr(outcome, name) for name in outcome.__struct_fields__ if name != "is_open"}
    )
    await pregame_services.start_planned_game(backend, again)
    assert await ClubGame.objects.acount() == 1


@pytest.mark.postgresql
async def test_club_gets_a_new_owner_when_a_moderator_deletes_the_owner() -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    await enrol(club, (await account("Ben"))[1])
    moderator, _ = await account("Moderator", is_staff=True)
    await moderator.post(f"/admin/lobby/person/{anna.pk}/delete/", {"post": "yes"})
    assert not await Person.objects.filter(pk=anna.pk).aexists()
    assert await roles_of(club) == {"Ben": "owner"}


async def test_members_see_present_members() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna)
    member, ben = await account("Ben")
    await enrol(club, ben)
    await member.get(f"/clubs/{club.slug}/")
    page = text_of(await host.get(f"/clubs/{club.slug}/"))
    assert '<span class="chair">Anna</span><span class="chair">Ben</span>' in page
    assert "Who is here" not in text_of(await AsyncClient().get(f"/clubs/{club.slug}/"))
    await database_sync_to_async(members.leave)(club, ben)
    assert '<span class="chair">Ben</span>' not in text_of(await host.get(f"/clubs/{club.slug}/"))


# Games and ratings


async def finished_game(
    club: Club,
    table_id: str,
    people: list[Person],
    *,
    day: int,
    is_public: bool = False,
    players: int = 4,
) -> None:
    """Store a game in which these people take the places from the first on, and bots the others."""
    ended = timezone.now() - timedelta(days=30 - day)
    game = await Game.objects.acreate(
        table_id=table_id,
        rules={"length": "east", "players": players},
        is_public=is_public,
        started_at=ended,
        ended_at=ended,
    )
    await ClubGame.objects.acreate(table_id=table_id, club=club)
    for seat in range(players):
        person = people[seat] if seat < len(people) else None
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=person.pk if person else None,
            name=person.name if person else f"b{seat}",
            bot="" if person else "sensible",
            score=25_000,
            place=seat + 1,
            points=Decimal(["45.5", "5", "-15.5", "-35"][seat]),
            seat_count=players,
        )
        if person is not None:
            await GamePlayer.objects.acreate(
                game=game, person_id=person.pk, seat=seat, name=person.name
            )
            await Player.objects.aupdate_or_create(
                person_id=person.pk, defaults={"name": person.name, "is_listed": True}
            )


@pytest.mark.postgresql
async def test_games_figures_and_ratings_are_those_of_the_club_only() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna)
    _, ben = await account("Ben")
    other = await new_club(ben, "other")
    await finished_game(club, "club-1", [anna, ben], day=1, is_public=True)
    await finished_game(club, "club-2", [ben, anna], day=2)
    await finished_game(club, "club-3", [anna, ben], day=3)
    await finished_game(other, "other-1", [ben, anna], day=4)
    games = [[anna, ben], [ben, anna], [anna, ben]]
    seats = [
        [RatedSeat(person.pk, place, False) for place, person in enumerate(game, start=1)]
        for game in games
    ]
    skills = skills_of(seats, "last")
    page = text_of(await AsyncClient().get(f"/clubs/{club.slug}/games/"))
    for person in (anna, ben):
        assert f'<td class="number sum">{displayed_rating(skills[person.pk])}</td>' in page
    assert displayed_rating(skills[anna.pk]) > displayed_rating(skills[ben.pk])
    assert "1.33" in page  # the mean place of Anna
    assert "+96" in page  # the sum of Anna's results
    assert "other-1" not in page
    assert 'href="/game/club-1/"' in page
    assert 'href="/game/club-2/"' not in page
    assert 'href="/game/club-2/"' in text_of(await host.get(f"/clubs/{club.slug}/games/"))


@pytest.mark.postgresql
async def test_players_of_a_club_have_figures_of_four_and_of_three_apart() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna)
    _, ben = await account("Ben")
    _, cleo = await account("Cleo")
    path = f"/clubs/{club.slug}/games/"
    await finished_game(club, "three", [ben, anna], day=1, players=3)
    choice = '<nav class="choices" aria-label="Players">'
    assert choice not in text_of(await host.get(path)), "there is nothing to choose"
    await finished_game(club, "three-b", [ben, cleo, anna], day=2, players=3)
    await finished_game(club, "four", [anna, ben], day=3)
    for query, means in (("", ["1.00", "2.00"]), ("?players=3", ["1.00", "2.00", "2.50"])):
        page = text_of(await host.get(f"{path}{query}"))
        found = re.findall(r'data-label="Mean place">([\d.]+)</td>', page)
        assert sorted(found) == means
        rating_of_anna = displayed_rating(
            skills_of(
                [
                    [RatedSeat(person.pk, place, False) for place, person in enumerate(game, 1)]
                    for game in ([[ben, anna], [ben, cleo, anna]] if query else [[anna, ben]])
                ],
                "last",
            )[anna.pk]
        )
        assert f'<td class="number sum">{rating_of_anna}</td>' in page
        assert page.count('class="club-game"') == 3, "the list has all games"
        assert choice in page
        assert f'href="/player/{anna.pk}/?players={3 if query else 4}"' in page
    assert (await host.get(f"{path}?players=5")).status_code == 404


@pytest.mark.postgresql
async def test_deleted_player_has_no_row_and_no_name() -> None:
    host, anna = await account("Anna")
    club = await new_club(anna)
    _, ben = await account("Benedict")
    await finished_game(club, "club-1", [anna, ben], day=1)
    await Player.objects.filter(pk=ben.pk).aupdate(name="", is_forgotten=True)
    await GameSeat.objects.filter(person_id=ben.pk).aupdate(name="")
    page = text_of(await host.get(f"/clubs/{club.slug}/games/"))
    assert "Benedict" not in page
    assert "deleted player" in page


def test_ratings_of_a_group_follow_the_order_of_the_games() -> None:
    one, two = UUID(int=1), UUID(int=2)
    won = [RatedSeat(one, 1, False), RatedSeat(two, 2, False)]
    lost = [RatedSeat(one, 2, False), RatedSeat(two, 1, False)]
    assert skills_of([won], "last")[one] > skills_of([lost], "last")[one]
    assert skills_of([won, lost], "last") != skills_of([lost, won], "last")
    absent = [RatedSeat(one, 1, True), RatedSeat(two, 2, False)]
    assert skills_of([absent], "last") == skills_of([lost], "last")
    assert skills_of([won[:1]], "last") == {}


async def test_own_data_names_the_clubs() -> None:
    client, anna = await account("Anna")
    await new_club(anna)
    data = (await client.get("/privacy/own-data/")).json()
    assert data["account"]["clubs"][0]["club"] == "thursday"
