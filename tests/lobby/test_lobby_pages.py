"""The pages of the lobby without scripts."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import AsyncClient
from django.utils import timezone
from msgspec.structs import replace

from game.bots import LEVELS
from game.engine.clock import EARLY_MS
from game.engine.presets import PRESETS, preset
from game.engine.rules import TENHOU, is_switch_used
from game.live import outbound
from game.models import Game, GameSeat, Ladder, Player, Rating, Sanction
from game.operations.table_administration import hold_tables, resume_tables
from game.results.avatars import default_avatar
from game.results.ladders import Origin
from game.tables.requests import Leave, Vote
from game.tables.room import SeatMeta
from game.tables.settings import CLOCKS, DEFAULT_CLOCK, TableSettings, quicken
from lobby.accounts import rate_limits
from lobby.models import Person
from lobby.play import queues
from lobby.play.backend import current_backend
from tests.lobby.club_people import account, new_club
from tests.lobby.pages import (
    create_table,
    invite_link,
    press,
    room_at,
    table_form,
    text_of,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

NOWHERE = "/tables/nothing-of-that-id/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_new_table_has_the_chosen_rules_clock_and_seats() -> None:
    host = AsyncClient()
    choice = {"seat_1": "sensible", "seat_2": "tsumogiri", "seat_3": "sensible", "clock": "none"}
    address = await create_table(
        host, preset="ema-2025", **choice, watch="open_delayed", delay_minutes="7"
    )
    assert "EMA 2025" in text_of(await host.get(address))
    room = await room_at(await press(host, address, "ready"))
    assert room.table.rules == PRESETS["ema-2025"].__class__(
        **{
            **{
                name: getattr(PRESETS["ema-2025"], name)
                for name in room.table.rules.__struct_fields__
            },
            "length": "east",
        }
    )
    assert room.meta.clock.is_unlimited
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "sensible", "sensible", "tsumogiri"]
    assert (room.meta.settings.watch, room.meta.settings.watch_delay_s) == ("open_delayed", 420)
    assert (room.meta.ladder, room.meta.settings.opens_after) == ("", "hand")
    assert (room.meta.settings.public, room.meta.settings.help, room.meta.settings.may_join) == (
        True,
        True,
        False,
    )


async def test_own_rules_are_played() -> None:
    host = AsyncClient()
    bots = {"seat_1": "sensible", "seat_2": "sensible", "seat_3": "sensible"}
    address = await create_table(
        host, **bots, **{"rule-red_fives": "0 0 0", "rule-uma": "30 10 -10 -30"}
    )
    page = text_of(await host.get(address))
    assert "Custom rules" in page
    assert "+30 +10 \N{MINUS SIGN}10 \N{MINUS SIGN}30" in page
    rules = (await room_at(await press(host, address, "ready"))).table.rules
    assert (rules.name, rules.red_fives, rules.uma) == ("own", (0, 0, 0), (30, 10, -10, -30))


async def test_contradictory_rules_are_refused_with_the_reason() -> None:
    answer = await AsyncClient().post("/tables/new/", table_form(**{"rule-oka": "100"}))
    assert answer.status_code == 422
    assert "The oka is 0 or what all players pay in" in text_of(answer)
    assert await Person.objects.acount() == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("watch", "everything"),
        ("delay_minutes", "2"),
        ("clock", "0+0"),
        ("seat_1", "clever"),
        ("entry", ""),
        ("preset", "house"),
    ],
)
async def test_invalid_choice_is_refused(field: str, value: str) -> None:
    changes = {"watch": "open_delayed", field: value}
    preset = changes.pop("preset", None)
    form = table_form(**changes)
    answer = await AsyncClient().post(
        "/tables/new/", {**form, **({"preset": preset} if preset else {})}
    )
    assert answer.status_code == 422


async def test_every_switch_is_on_the_page_and_follows_the_preset() -> None:
    client = AsyncClient()
    page = text_of(await client.get("/tables/new/"))
    rules = PRESETS["tenhou"]
    for name in rules.__struct_fields__[2:]:
        is_asked = name not in ("length", "players") and is_switch_used(name, rules.players)
        assert (f'name="rule-{name}"' in page) is is_asked, name
    assert 'name="rule-start_points" value="25000"' in page
    part = text_of(await client.get("/tables/new/rules/wrc-2025/"))
    assert 'name="rule-start_points" value="30000"' in part
    assert 'name="base" value="wrc-2025"' in part
    shown = await client.post("/tables/new/", {**table_form(), "preset": "wrc-2025", "show": "1"})
    assert 'name="rule-start_points" value="30000"' in text_of(shown)
    assert (await client.get("/tables/new/rules/house/")).status_code == 404


async def test_game_begins_when_invited_friends_are_ready() -> None:
    host, friend = AsyncClient(), AsyncClient()
    bots = {"seat_2": "sensible", "seat_3": "sensible"}
    address = await create_table(host, entry="invited", **bots)
    link = await invite_link(host, address)
    page = text_of(await friend.get(link))
    assert "Sit down" in page
    assert "invites you to a table. You need no account." in page
    assert await press(friend, link, "sit") == link
    assert "invites you" not in text_of(await friend.get(link))
    assert await press(friend, link, "ready") == link
    table = await press(host, address, "ready")
    room = await room_at(table)
    assert not room.meta.settings.public
    assert sum(bool(seat.person) for seat in room.meta.seats) == 2
    page = text_of(await friend.get(link))
    assert f'href="{table}"' in page
    assert "Return to table" in text_of(await friend.get("/lobby/"))
    assert "Return to table" in text_of(await friend.get("/"))


def without_details(answer: HttpResponse, path: str) -> str:
    """Return the page without its own address and token."""
    text = text_of(answer).replace(path, "")
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", text)


async def test_private_table_answers_strangers_as_an_unknown_one() -> None:
    host, stranger = AsyncClient(), AsyncClient()
    address = await create_table(host, entry="invited")
    link = await invite_link(host, address)
    nothing = await stranger.get(NOWHERE)
    wrong = link[:-3] + ("aa/" if link[-3:] != "aa/" else "bb/")
    for path in (address, wrong, f"{address}key/x/"):
        answer = await stranger.get(path)
        assert answer.status_code == 404
        assert without_details(answer, path) == without_details(nothing, NOWHERE)
        assert (await stranger.post(f"{path}do/", {"do": "sit"})).status_code == 404
    assert address not in text_of(await stranger.get("/lobby/"))
    assert (await stranger.get(link)).status_code == 200


async def test_guessing_links_is_rate_limited() -> None:
    client = AsyncClient()
    statuses = [(await client.get(f"/tables/a/key/{n}/")).status_code for n in range(62)]
    assert statuses[:60] == [404] * 60
    assert statuses[60:] == [429] * 2


async def test_password_is_required_and_not_shown() -> None:
    host, guest = AsyncClient(), AsyncClient()
    address = await create_table(host, password="tanuki soba")
    assert "password" in text_of(await guest.get("/lobby/"))
    assert "tanuki" not in text_of(await guest.get(address))
    assert await press(guest, address, "sit") == f"{address}?no=password"
    assert await press(guest, address, "sit", password="kitsune") == f"{address}?no=password"
    assert "not the password" in text_of(await guest.get(f"{address}?no=password"))
    assert await press(guest, address, "sit", password="tanuki soba") == address
    keys = await (await current_backend()).call("KEYS", "pregame:*")
    stored = await (await current_backend()).call("GET", keys[0])
    assert b"tanuki" not in stored


async def test_password_attempts_are_rate_limited() -> None:
    host, guest = AsyncClient(), AsyncClient()
    address = await create_table(host, password="tanuki soba")
    for _ in range(20):
        await press(guest, address, "sit", password="no")
    answer = await guest.post(f"{address}do/", {"do": "sit", "password": "tanuki soba"})
    assert answer.status_code == 429


async def test_open_tables_are_listed_until_they_are_full() -> None:
    host, other = AsyncClient(), AsyncClient()
    address = await create_table(host, seat_2="sensible", seat_3="sensible")
    assert f'href="{address}"' in text_of(await AsyncClient().get("/lobby/"))
    await press(other, address, "sit")
    assert f'href="{address}"' not in text_of(await AsyncClient().get("/lobby/"))
    assert f'href="{address}"' in text_of(await other.get("/lobby/"))
    assert await press(other, address, "rise") == address
    assert f'href="{address}"' in text_of(await AsyncClient().get("/lobby/"))


async def test_only_the_host_decides_about_seats() -> None:
    host, other = AsyncClient(), AsyncClient()
    address = await create_table(host)
    await press(other, address, "sit")
    assert await press(other, address, "bot:2:sensible") == f"{address}?no=not_host"
    assert await press(host, address, "bot:2:sensible") == address
    assert await press(host, address, "send:1") == address
    assert "Sit down" in text_of(await other.get(address))
    assert (await host.post(f"{address}do/", {"do": "burn"})).status_code == 404


@pytest.mark.parametrize("path", ["/lobby/seek/", "/lobby/stop/", "/tables/new/"])
async def test_nothing_is_done_without_the_token_of_a_page(path: str) -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    assert (await client.post(path, {})).status_code == 403


async def test_player_enters_and_leaves_a_queue() -> None:
    client = AsyncClient()
    form = {"preset": "tenhou", "length": "east", "bots": "never"}
    assert (await client.post("/lobby/seek/", form)).headers["Location"] == "/lobby/?looking=1"
    page = text_of(await client.get("/lobby/?looking=1"))
    assert "<strong>Looking for a game" in page
    assert 'http-equiv="refresh"' in page
    assert "1 player waiting." in text_of(await AsyncClient().get("/lobby/"))
    await client.post("/lobby/stop/")
    assert "<strong>Looking for a game" not in text_of(await client.get("/lobby/"))


async def test_player_paired_at_once_is_sent_to_the_table() -> None:
    people = [AsyncClient() for _ in range(4)]
    form = {"preset": "tenhou", "length": "east", "bots": "never"}
    lobby = [(await client.post("/lobby/seek/", form)).headers["Location"] for client in people]
    backend = await current_backend()
    await queues.process_queue(backend, queues.QUEUES["tenhou.east"])
    tables = {
        (await client.get(page))["Location"] for client, page in zip(people, lobby, strict=True)
    }
    assert len(tables) == 1
    assert tables.pop().startswith("/table/")
    assert "Return to table" in text_of(await people[0].get("/lobby/"))


@pytest.mark.parametrize("change", [{"preset": "x"}, {"length": "west"}, {"bots": "1"}])
async def test_unknown_queue_is_refused(change: dict[str, str]) -> None:
    form = {"preset": "tenhou", "length": "east", "bots": "never", **change}
    await AsyncClient().post("/lobby/seek/", form)
    assert await (await current_backend()).call("KEYS", "q:*") == []


async def test_left_seat_is_listed_and_can_be_taken() -> None:
    host, guest, late = AsyncClient(), AsyncClient(), AsyncClient()
    address = await create_table(host, seat_2="sensible", seat_3="sensible", may_join="on")
    await press(guest, address, "sit")
    await press(host, address, "ready")
    table = await press(guest, address, "ready")
    room = await room_at(table)
    service = (await current_backend()).process.service
    person = (await Person.objects.order_by("-created_at").afirst()).pk  # type: ignore[union-attr]
    seat = room.seat_of(str(person))
    assert seat is not None
    path = f"/lobby/take/{room.table_id}/"
    assert (await late.post(path, {"seat": str(seat)})).headers["Location"] == "/lobby/?no=taken"
    await service.apply_request(room.table_id, Leave(seat))
    page = text_of(await AsyncClient().get("/lobby/"))
    assert f'formaction="{path}" name="seat" value="{seat}"' in page
    assert (await late.post(path, {"seat": str(seat)})).headers["Location"] == table
    assert not (await room_at(table)).has_left(seat)
    assert (await late.post(path, {"seat": "9"})).status_code == 404
    assert (await late.post("/lobby/take/nothing/", {"seat": "0"})).status_code == 404


async def test_no_fourth_seat_can_be_taken_at_a_table_of_three() -> None:
    host, late = AsyncClient(), AsyncClient()
    address = await create_table(host, preset="tenhou-3", seat_1="novice", seat_2="novice")
    table_id = (await room_at(await press(host, address, "ready"))).table_id
    path = f"/lobby/take/{table_id}/"
    assert (await late.post(path, {"seat": "2"})).headers["Location"] == "/lobby/?no=taken"
    assert (await late.post(path, {"seat": "3"})).status_code == 404


async def test_own_table_is_offered_to_return_to() -> None:
    client, anna = await account("Anna")
    club = await new_club(anna)
    bots = {"seat_1": "sensible", "seat_2": "sensible", "seat_3": "sensible"}
    address = await create_table(client, club=club.slug, entry="club", **bots)
    await press(client, address, "ready")
    for page in ("/watch/", f"/clubs/{club.slug}/"):
        (await current_backend()).cache.clear()
        own, others = [text_of(await browser.get(page)) for browser in (client, AsyncClient())]
        assert "Return to table" in own, page
        assert "Return to table" not in others, page


async def test_rematch_asks_the_same_people() -> None:
    host, guest = AsyncClient(), AsyncClient()
    address = await create_table(host, seat_2="sensible", seat_3="sensible")
    await press(guest, address, "sit")
    await press(host, address, "ready")
    table = await press(guest, address, "ready")
    room = await room_at(table)
    again = f"/tables/again/{room.table_id}/"
    assert (await host.post(again)).headers["Location"] == "/lobby/?no=playing"
    assert (await AsyncClient().post(again)).headers["Location"] == "/lobby/?no=late"
    service = (await current_backend()).process.service
    for seat, meta in enumerate(room.meta.seats):
        if meta.person:
            await service.apply_request(room.table_id, Vote(seat, "end"))
    rematch = (await host.post(again)).headers["Location"]
    assert re.fullmatch(r"/tables/\w+/", rematch)
    assert "You are invited to a rematch." in text_of(await guest.get("/lobby/"))
    assert "Join" in text_of(await guest.get(rematch))
    next_table = (await guest.post(again)).headers["Location"]
    assert (await room_at(next_table)).meta.seats == room.meta.seats
    assert (await host.get(rematch)).status_code == 200


async def test_one_player_and_three_bots_play_again_at_once() -> None:
    client = AsyncClient()
    table = (await client.post("/play/")).headers["Location"]
    room = await room_at(table)
    seat = next(at for at, meta in enumerate(room.meta.seats) if meta.person)
    await (await current_backend()).process.service.apply_request(room.table_id, Vote(seat, "end"))
    next_table = (await client.post(f"/tables/again/{room.table_id}/")).headers["Location"]
    assert (await room_at(next_table)).meta.seats == room.meta.seats


async def test_pages_load_no_foreign_and_run_no_inline_code() -> None:
    client = AsyncClient()
    address = await create_table(client)
    for path in ("/lobby/", "/tables/new/", address):
        text = text_of(await client.get(path))
        assert not re.findall(r'(?:src|href)="(?!/|data:|#)[^"]*"', text)
        assert " style=" not in text
        assert not re.findall(r"<script(?![^>]* src=)", text)
        assert not re.findall(r"\son\w+=", text)


async def test_names_are_escaped() -> None:
    client = AsyncClient()
    address = await create_table(client)
    await Person.objects.aupdate(name="<b>x</b>")
    other = AsyncClient()
    await press(other, address, "sit")
    person = await Person.objects.order_by("-created_at").afirst()
    assert person is not None
    person.name = "<script>"
    await person.asave()
    await press(other, address, "rise")
    await press(other, address, "sit")
    assert "<script>" not in text_of(await client.get(address))
    assert "&lt;script&gt;" in text_of(await client.get(address))


async def test_left_seat_at_a_private_table_needs_link_and_password() -> None:
    host, guest, late = AsyncClient(), AsyncClient(), AsyncClient()
    address = await create_table(
        host,
        entry="invited",
        password="sesame",
        may_join="on",
        seat_2="sensible",
        seat_3="sensible",
    )
    link = await invite_link(host, address)
    await press(guest, link, "sit", password="sesame")
    await press(host, address, "ready")
    table = await press(guest, link, "ready")
    room = await room_at(table)
    person = (await Person.objects.order_by("-created_at").afirst()).pk  # type: ignore[union-attr]
    seat = room.seat_of(str(person))
    assert seat is not None
    await (await current_backend()).process.service.apply_request(room.table_id, Leave(seat))
    page = text_of(await late.get(link))
    assert f'value="take:{seat}"' in page
    assert 'name="password"' in page
    for wrong in ({}, {"password": "wrong"}):
        assert await press(late, link, f"take:{seat}", **wrong) == f"{link}?no=password"
    assert (await room_at(table)).has_left(seat)
    assert await press(late, link, f"take:{seat}", password="sesame") == table
    assert not (await room_at(table)).has_left(seat)


async def test_game_against_bots_leaves_the_queue() -> None:
    client = AsyncClient()
    form = {"preset": "tenhou", "length": "east", "bots": "never"}
    await client.post("/lobby/seek/", form)
    await client.post("/play/")
    assert "1 player waiting." not in text_of(await AsyncClient().get("/lobby/"))
    assert (await client.post("/lobby/seek/", form)).headers["Location"] == "/lobby/?no=seated"
    assert "Start another game" in text_of(await client.get("/"))


async def test_lobby_leads_back_to_the_own_game_instead_of_another() -> None:
    client = AsyncClient()
    assert 'type="submit">Find a game</button>' in text_of(await client.get("/lobby/"))
    await client.post("/play/")
    page = text_of(await client.get("/lobby/"))
    assert "Find a game</button>" not in page
    assert len(re.findall(r'href="/table/[\w-]+/">Return to table', page)) == 2


async def test_play_now_seats_bots_of_the_chosen_level() -> None:
    client = AsyncClient()
    page = text_of(await client.get("/"))
    for level in LEVELS:
        assert f'<option value="{level}"' in page
    answer = await client.post("/play/", {"bot": "careful", "quick_bots": "on"})
    room = await room_at(answer.headers["Location"])
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "careful", "careful", "careful"]
    assert room.meta.clock == quicken(CLOCKS[DEFAULT_CLOCK])
    assert room.meta.clock.reaction_ms > 2 * EARLY_MS
    plain = await AsyncClient().post("/play/", {"bot": "clever"})
    room = await room_at(plain.headers["Location"])
    assert [seat.bot for seat in room.meta.seats].count("sensible") == 3
    assert room.meta.clock == CLOCKS[DEFAULT_CLOCK]


async def test_play_now_uses_the_chosen_clock() -> None:
    client = AsyncClient()
    page = text_of(await client.get("/"))
    for clock in CLOCKS:
        assert f'<option value="{clock}"' in page
    answer = await client.post("/play/", {"bot": "novice", "clock": "60+0", "quick_bots": "on"})
    room = await room_at(answer.headers["Location"])
    assert room.meta.clock == quicken(CLOCKS["60+0"])
    unknown = await AsyncClient().post("/play/", {"clock": "no such clock"})
    room = await room_at(unknown.headers["Location"])
    assert room.meta.clock == CLOCKS[DEFAULT_CLOCK]


async def test_play_now_uses_the_chosen_length() -> None:
    page = text_of(await AsyncClient().get("/"))
    for length in ("east", "east_south"):
        assert f'<option value="{length}"' in page
    short = await AsyncClient().post("/play/", {"length": "east"})
    usual = await AsyncClient().post("/play/", {"length": "no such length"})
    assert (await room_at(short.headers["Location"])).table.rules.length == "east"
    assert (await room_at(usual.headers["Location"])).table.rules == TENHOU


async def test_page_of_a_game_offers_the_same_bots_and_length_again() -> None:
    now = timezone.now()
    game = await Game.objects.acreate(
        table_id="again", rules={"length": "east"}, started_at=now, ended_at=now
    )
    for seat in range(4):
        await GameSeat.objects.acreate(
            game=game,
            ended_at=now,
            seat=seat,
            name=f"n{seat}",
            bot="novice" if seat else "",
            score=25_000,
            place=seat + 1,
            points=0,
        )
    client = AsyncClient()
    page = text_of(await client.get("/game/again/"))
    form = page.partition('action="/play/"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(bot|length|clock)" value="([^"]*)"', form))
    assert fields == {"bot": "novice", "length": "east", "clock": "60+0"}
    room = await room_at((await client.post("/play/", fields)).headers["Location"])
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "novice", "novice", "novice"]
    assert room.table.rules.length == "east"


async def test_first_page_offers_what_was_chosen_last() -> None:
    client = AsyncClient()
    chosen = {"players": "3", "bot": "careful", "length": "east", "clock": "60+0"}
    quick = '<input type="checkbox" name="quick_bots" value="on" checked>'
    answer = await client.post("/play/", {**chosen, "quick_bots": "on"})
    room = await room_at(answer.headers["Location"])
    assert room.table.rules == replace(preset("tenhou-3"), length="east")
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "careful", "careful"]
    page = text_of(await client.get("/"))
    assert re.findall(r'<option value="([^"]+)" selected', page) == [*chosen.values()]
    assert quick in page
    await client.post("/play/", chosen)
    assert quick not in text_of(await client.get("/"))


async def test_first_page_suits_a_beginner_until_there_is_an_account() -> None:
    page = text_of(await AsyncClient().get("/"))
    assert re.findall(r'<option value="([^"]+)" selected', page) == ["novice", "east", "60+0"]
    assert "Never played?" in page
    assert '<a href="/rules/tenhou/">Tenhou rules</a>' in page
    member = AsyncClient()
    await member.post("/sign-up/", {"name": "Annabel", "password": "four winds, one wall"})
    page = text_of(await member.get("/"))
    chosen = re.findall(r'<option value="([^"]+)" selected', page)
    assert chosen == ["sensible", "east_south", DEFAULT_CLOCK]
    assert "Never played?" not in page


async def test_whole_game_after_the_guided_hands_suits_a_beginner() -> None:
    client = AsyncClient()
    table = await client.post("/learn/guided/riichi/")
    page = text_of(await client.get(table.headers["Location"]))
    form = page.split('action="/play/"')[1].split("</form>")[0]
    sent = dict(re.findall(r'name="(bot|length|clock)" value="([^"]+)"', form))
    room = await room_at((await client.post("/play/", sent)).headers["Location"])
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "novice", "novice", "novice"]
    assert room.meta.clock == CLOCKS["60+0"]
    assert room.table.rules.length == "east"


async def test_quick_bots_need_a_table_with_one_person() -> None:
    host, guest = AsyncClient(), AsyncClient()
    bots = {"seat_1": "novice", "seat_2": "hasty", "seat_3": "sensible", "quick_bots": "on"}
    alone = await create_table(host, **bots)
    room = await room_at(await press(host, alone, "ready"))
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "hasty", "novice", "sensible"]
    assert room.meta.clock == quicken(CLOCKS["5+10"])
    together = await create_table(guest, **{**bots, "seat_1": ""})
    other = AsyncClient()
    await press(other, together, "sit")
    await press(guest, together, "ready")
    room = await room_at(await press(other, together, "ready"))
    assert room.meta.clock == CLOCKS["5+10"]


async def test_play_now_returns_to_a_game_with_people() -> None:
    host, guest = AsyncClient(), AsyncClient()
    address = await create_table(host, seat_2="sensible", seat_3="sensible")
    await press(guest, address, "sit")
    await press(host, address, "ready")
    table = await press(guest, address, "ready")
    for client in (host, guest):
        assert (await client.post("/play/")).headers["Location"] == table
        assert "Start another game" not in text_of(await client.get("/"))


async def test_banned_person_can_sit_down_nowhere() -> None:
    client = AsyncClient()
    address = await create_table(client)
    person = await Person.objects.aget()
    until = timezone.now() + timedelta(days=1)
    await Sanction.objects.acreate(person_id=person.pk, kind=Sanction.BAN, until=until)
    form = {"preset": "tenhou", "length": "east", "bots": "never"}
    doing = [("/play/", {}), ("/lobby/seek/", form), (f"{address}do/", {"do": "ready"})]
    for path, sent_fields in [*doing, ("/tables/new/", table_form())]:
        answer = await client.post(path, sent_fields)
        assert answer.status_code == 403
        assert "If a moderator has closed the tables to you" in text_of(answer)
    for path in ("/", "/lobby/"):
        assert "A moderator has closed the tables to you until" in text_of(await client.get(path))
    assert "Play now" not in text_of(await client.get("/"))
    await Sanction.objects.aupdate(until=timezone.now() - timedelta(seconds=1))
    for path in ("/", "/lobby/"):
        assert "A moderator has closed" not in text_of(await client.get(path))
    assert (await client.post("/lobby/seek/", form)).status_code == 302


async def test_lobby_shows_a_hold_of_the_whole_site() -> None:
    client = AsyncClient()
    assert "Maintenance" not in text_of(await client.get("/lobby/"))
    backend = await current_backend()
    await hold_tables(backend.process.service, 10, "Back at noon.")
    page = text_of(await client.get("/lobby/"))
    assert "Maintenance" in page
    assert "Back at noon." in page
    assert "10 min" in page
    await resume_tables(backend.process.service)
    assert "Maintenance" not in text_of(await client.get("/lobby/"))


async def test_first_page_says_that_the_own_game_runs() -> None:
    client = AsyncClient()
    assert "Japanese mahjong in your browser" in text_of(await client.get("/"))
    await client.post("/play/")
    page = text_of(await client.get("/"))
    assert "Your game is in progress." in page
    assert "Japanese mahjong in your browser" not in page


async def test_table_has_the_avatars_of_its_players() -> None:
    client = AsyncClient()
    await client.post("/sign-up/", {"name": "Annika", "password": "four winds, one wall"})
    await client.post("/profile/avatar/", {"tile": "5mr", "colour": "blue"})
    answer = await client.post("/play/")
    room = await room_at(answer.headers["Location"])
    avatars = {seat.name: seat.avatar for seat in room.meta.seats}
    assert avatars.pop("Annika") == "5mr-blue"
    assert set(avatars.values()) == {""}, "bots have none"
    seat = next(at for at, meta in enumerate(room.meta.seats) if meta.name == "Annika")
    frame = json.loads(outbound.encode("sync", room, seat))
    assert frame["view"]["avatars"][seat] == "5mr-blue"


async def test_rated_table_has_the_listed_ratings_of_its_players() -> None:
    people = [(await account(name))[1] for name in ("Anna", "Berta", "Cleo", "Dan")]
    ladder = await Ladder.objects.acreate(name="tenhou.east_south")
    for person, games in zip(people, (10, 9), strict=False):
        player = await Player.objects.acreate(person_id=person.pk, name=person.name, is_listed=True)
        await Rating.objects.acreate(
            player=player, ladder=ladder, mu=25, sigma=8, shown=1_234, games=games
        )
    for person in people[2:]:
        await Player.objects.acreate(person_id=person.pk, name=person.name, is_listed=True)
    tables = (await current_backend()).tables
    seats = [SeatMeta(person.name, str(person.pk)) for person in people]
    views = []
    settings = TableSettings(rules=TENHOU, help=False)
    origins: dict[str, Origin] = {"rated": "queue", "friendly": ""}
    for table_id, origin in origins.items():
        await tables.open_game(table_id, seats, settings, origin=origin)
        room = await tables.room(table_id)
        assert room is not None
        views.append(json.loads(outbound.encode("sync", room, 0))["view"])
    rated, friendly = views
    assert rated["ratings"] == [1_234, 0, 0, 0], "with ten games a rating is listed"
    assert "ratings" not in friendly


async def test_guest_has_the_avatar_of_the_name() -> None:
    answer = await AsyncClient().post("/play/")
    room = await room_at(answer.headers["Location"])
    (guest,) = [seat for seat in room.meta.seats if seat.person]
    assert guest.avatar == str(default_avatar(guest.name))


PAGES_OF_ACCOUNTS = ("/lobby/", "/watch/", "/learn/", "/games/", "/friends/", "/profile/")


@pytest.mark.parametrize("path", ["/sign-in/", *PAGES_OF_ACCOUNTS])
async def test_navigation_marks_the_shown_page(path: str) -> None:
    client = (await account("Anna"))[0] if path in PAGES_OF_ACCOUNTS else AsyncClient()
    page = text_of(await client.get(path))
    assert f'href="{path}" aria-current="page"' in page
