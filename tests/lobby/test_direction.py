"""Officials of a tournament act at tables, on players and on results; the log shows it, and players
can dispute results."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient

from game.models import GameSeat
from game.tables.room import Room, read_notice
from lobby.accounts import rate_limits
from lobby.events import results, rounds, rulings, table_orders
from lobby.events.impartiality import Official
from lobby.events.live_tables import live_table
from lobby.models import (
    Club,
    Dispute,
    Event,
    EventPlayer,
    EventTable,
    Membership,
    Person,
    Ruling,
)
from lobby.play.backend import current_backend
from mahjong_site.asgi import application
from tests.kit.wires import Wire
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.cups import PATH, POINTS, finish_round, new_cup, tables_of
from tests.lobby.pages import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]
ACT = f"{PATH}officials/do/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def start_tournament(entrants: int = 8, **terms: Any) -> tuple[AsyncClient, Event]:
    """Create a tournament whose first round runs; return the browser of an official who does not
    play, and the tournament."""
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, entrants, **{"round_minutes": 75, **terms})
    await officer.post(f"{PATH}round/", {"round": "1"})
    return officer, cup


async def room_of(row: EventTable) -> Room:
    room = await (await current_backend()).tables.room(row.table_id)
    assert room is not None
    return room


async def do(officer: AsyncClient, verb: str, table: int = 0, **form: str) -> str:
    """Send the form. Return the code of the note, or the status without a note."""
    place = {"round": "1", "table": str(table)} if table else {}
    answer = await officer.post(ACT, {"do": verb, "reason": "the lamp fell", **place, **form})
    where = answer.headers.get("Location", "")
    return where.partition("note=")[2] or str(answer.status_code)


async def standings(cup: Event) -> dict[str, Decimal]:
    rows = (await database_sync_to_async(results.standings_of)(cup)).rows
    return {row.player: row.points for row in rows}


async def test_one_table_gets_extra_time() -> None:
    """Organisers who use Pantheon cannot give extra time to one table: its timer is for all."""
    officer, cup = await start_tournament()
    first, second = await tables_of(cup, 1)
    before = [(await room_of(row)).clock.round_ends_at for row in (first, second)]
    assert await do(officer, "extend", 1, minutes="5") == "done"
    after = [await room_of(row) for row in (first, second)]
    assert [room.clock.round_ends_at for room in after] == [before[0] + 300_000, before[1]]
    assert read_notice(after[0].notice) == ("extend", "the lamp fell")
    assert after[1].notice == ""


async def test_all_tables_are_paused_and_resumed() -> None:
    officer, cup = await start_tournament()
    assert await do(officer, "pause") == "done"
    rooms = [await room_of(row) for row in await tables_of(cup, 1)]
    assert all(room.clock.paused_at for room in rooms)
    assert "clocks stopped" in text_of(await officer.get(f"{PATH}officials/"))
    assert await do(officer, "pause") == "nothing"
    assert await do(officer, "resume", 2) == "done"
    rooms = [await room_of(row) for row in await tables_of(cup, 1)]
    assert [bool(room.clock.paused_at) for room in rooms] == [True, False]
    assert rooms[1].notice == ""


async def test_orders_are_carried_out_after_a_crash() -> None:
    """The process dies after it has stored the order."""
    _, cup = await start_tournament()
    row = (await tables_of(cup, 1))[0]
    await EventTable.objects.filter(pk=row.pk).aupdate(extra_minutes=7, orders=1)
    ends_at = (await room_of(row)).clock.round_ends_at
    await table_orders.carry_out_all()
    await table_orders.carry_out_all()
    assert (await room_of(row)).clock.round_ends_at == ends_at + 7 * 60_000
    assert not await EventTable.objects.exclude(orders_done=1).filter(pk=row.pk).aexists()


@pytest.mark.postgresql
async def test_penalty_outlives_seating_rounds_and_repeated_games() -> None:
    """Organisers who use Pantheon lose penalties when a seating is reset."""
    officer, cup = await start_tournament(rounds=2, method="swiss")
    entrant = await EventPlayer.objects.select_related("person").aget(event=cup, number=1)
    player = str(entrant.person_id)
    assert await do(officer, "penalty", person=player, points="20.5") == "done"
    assert await do(officer, "chombo", person=player, points="20") == "done"
    assert await standings(cup) == {player: Decimal("-40.5")}
    (first,) = (await database_sync_to_async(results.standings_of)(cup)).rows
    assert first.place is None, "a place without a game"
    (row,) = [table for table in await tables_of(cup, 1) if 1 in table.seats]
    assert read_notice((await room_of(row)).notice) == ("chombo", "the lamp fell")
    assert await do(officer, "repeat_game", row.number) == "done"
    await finish_round(cup, 1)
    before = await standings(cup)
    seat = row.seats.index(1)
    assert before[player] == POINTS[seat] - Decimal("40.5")
    assert sum(before.values()) == Decimal("-40.5")
    await officer.post(f"{PATH}round/", {"round": "2"})
    assert len(await tables_of(cup, 2)) == 2
    assert await standings(cup) == before
    await do(officer, "void", row.number)
    assert (await standings(cup))[player] == Decimal("-40.5")
    penalty = await Ruling.objects.filter(kind="penalty").afirst()
    assert penalty is not None
    assert await do(officer, f"cancel:{penalty.pk}") == "done"
    assert await do(officer, f"cancel:{penalty.pk}") == "gone"
    assert (await standings(cup))[player] == Decimal("-20")


async def test_equal_players_share_a_place() -> None:
    """Pantheon breaks ties by the order of its rows."""
    officer, cup = await start_tournament()
    await finish_round(cup, 1)
    rows = (await database_sync_to_async(results.standings_of)(cup)).rows
    assert [row.place for row in rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    del officer


async def test_substitute_takes_the_seat_with_a_fixed_result() -> None:
    officer, cup = await start_tournament()
    _, ben = await account("Ben")
    await enrol(await Club.objects.aget(), ben)
    entrant = await EventPlayer.objects.aget(event=cup, number=3)
    (row,) = [table for table in await tables_of(cup, 1) if 3 in table.seats]
    seat = row.seats.index(3)
    form = {"entrant": str(entrant.pk), "substitute": str(ben.pk), "points": "-15"}
    anna = await Person.objects.aget(name="Anna")
    assert await do(officer, "replace", **{**form, "substitute": str(anna.pk)}) == "own"
    assert await do(officer, "replace", **form) == "done"
    assert (await room_of(row)).meta.seats[seat].person == str(ben.pk)
    assert await database_sync_to_async(rounds.own_table_id)(cup, str(ben.pk)) == row.table_id
    assert await database_sync_to_async(rounds.own_table_id)(cup, str(entrant.person_id)) == ""
    other = await EventPlayer.objects.aget(event=cup, number=4)
    busy = {**form, "entrant": str(other.pk)}
    assert await do(officer, "replace", **busy) == "busy"
    await finish_round(cup, 1)
    assert (await standings(cup))[str(entrant.person_id)] == Decimal("-15")
    await officer.post(f"{PATH}round/", {"round": "2"})
    (later,) = [table for table in await tables_of(cup, 2) if 3 in table.seats]
    assert (await room_of(later)).meta.seats[later.seats.index(3)].person == str(ben.pk)
    bot = {"entrant": str(other.pk), "substitute": "bot", "points": "-20"}
    assert await do(officer, "replace", **bot) == "done"
    (of_bot,) = [table for table in await tables_of(cup, 2) if 4 in table.seats]
    assert (await room_of(of_bot)).is_bot(of_bot.seats.index(4))
    backend = await current_backend()
    names = {number: f"n{number}" for number in range(1, 9)}
    shown = await live_table(backend, of_bot, names, is_over=False, has_dispute=False)
    (seat,) = [seat for seat in shown.seats if seat.for_name == "n4"]
    assert (seat.is_bot, seat.is_away, seat.is_missing) == (True, False, False)
    assert await do(officer, f"take_back:{entrant.pk}") == "done"
    assert not (await EventPlayer.objects.aget(pk=entrant.pk)).is_replaced


async def test_hand_and_game_are_played_again() -> None:
    officer, cup = await start_tournament(4)
    (row,) = await tables_of(cup, 1)
    former = row.table_id
    room = await room_of(row)
    assert await do(officer, "repeat_hand", 1) in {"done", "no_hand"}
    assert await do(officer, "repeat_game", 1) == "done"
    (row,) = await tables_of(cup, 1)
    assert row.table_id != former
    assert row.table_id == rounds.table_id(cup.pk, 1, 1, 2)
    assert row.former == [former]
    backend = await current_backend()
    old = await backend.tables.room(former)
    assert old is None or backend.tables.is_over(old)
    assert [seat.person for seat in (await room_of(row)).meta.seats] == [
        seat.person for seat in room.meta.seats
    ]


@pytest.mark.postgresql
async def test_result_is_corrected_with_the_same_sum() -> None:
    officer, cup = await start_tournament(4)
    assert await do(officer, "correct", 1, **scores(30_000, 30_000, 30_000, 30_000)) == "not_over"
    await finish_round(cup, 1)
    await GameSeat.objects.aupdate(points=0)  # all four scores are equal
    (row,) = await tables_of(cup, 1)
    assert await do(officer, "correct", 1, **scores(40_000, 30_000, 30_000, 30_000)) == "sum"
    assert await do(officer, "correct", 1, **scores(40_050, 29_950, 30_000, 20_000)) == "scores"
    assert await do(officer, "correct", 1, **scores(20_000, 40_000, 35_000, 25_000)) == "done"
    rows = (await database_sync_to_async(results.standings_of)(cup)).rows
    people = {entrant.number: str(entrant.person_id) async for entrant in EventPlayer.objects.all()}
    assert [row.player for row in rows] == [people[row.seats[at]] for at in (1, 2, 3, 0)]
    assert sum(row.points for row in rows) == 0
    assert await GameSeat.objects.filter(score=30_000).acount() == 4, "the record stays"


def scores(*four: int) -> dict[str, str]:
    return {f"score{seat}": str(score) for seat, score in enumerate(four)}


async def test_void_game_does_not_count_and_the_round_goes_on() -> None:
    officer, cup = await start_tournament()
    first, _ = await tables_of(cup, 1)
    assert await do(officer, "void", 1) == "done"
    assert await do(officer, "void", 1) == "void"
    backend = await current_backend()
    room = await backend.tables.room(first.table_id)
    assert room is None or backend.tables.is_over(room)
    await finish_round(cup, 1)
    assert len(await standings(cup)) == 4
    await officer.post(f"{PATH}round/", {"round": "2"})
    assert len(await tables_of(cup, 2)) == 2


@pytest.mark.postgresql
async def test_disputed_result_is_provisional_until_an_official_decides() -> None:
    officer, cup = await start_tournament(4)
    browser, ben = await account("Ben")
    await EventPlayer.objects.filter(event=cup, number=1).aupdate(person=ben)
    await finish_round(cup, 1)
    (row,) = await tables_of(cup, 1)
    path = f"{PATH}games/"
    assert "Dispute the result" in text_of(await browser.get(path))
    form = {"game": row.table_id, "text": "ron was not counted"}
    assert "note=done" in (await browser.post(path, form)).headers["Location"]
    assert "Dispute the result" not in text_of(await browser.get(path))
    assert "note=disputed" in (await browser.post(path, form)).headers["Location"]
    assert (await officer.get(path)).status_code == 404
    assert "provisional" in text_of(await browser.get(PATH))
    found = await Dispute.objects.aget()
    assert "ron was not counted" in text_of(await officer.get(f"{PATH}officials/"))
    assert await do(officer, f"kept:{found.pk}") == "done"
    assert await do(officer, f"kept:{found.pk}") == "decided"
    assert "provisional" not in text_of(await browser.get(PATH))
    assert "the lamp fell" in text_of(await browser.get(path))


async def test_player_rules_on_no_table_while_another_officer_does_not_play() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 7)
    await EventPlayer.objects.acreate(event=cup, person=anna)
    neutral, ben = await account("Ben")
    await enrol(club, ben, Membership.ORGANISER)
    await officer.post(f"{PATH}round/", {"round": "1"})
    assert await do(officer, "pause") == "nothing"
    own = await EventPlayer.objects.aget(event=cup, person=anna)
    (other,) = [table for table in await tables_of(cup, 1) if own.number not in table.seats]
    someone = await EventPlayer.objects.aget(event=cup, number=other.seats[0])
    penalty = {"person": str(someone.person_id), "points": "5"}
    assert await do(officer, "void", other.number) == "plays"
    assert await do(officer, "penalty", **penalty) == "plays"
    assert await do(neutral, "penalty", **penalty) == "done"
    user = await User.objects.aget(person=ben)
    user.is_active = False
    await user.asave()
    assert await do(officer, "penalty", **penalty) == "done", "Ben's account is closed"
    by = [row.by_id async for row in Ruling.objects.order_by("pk")]
    assert by == [ben.pk, anna.pk]
    assert not await Ruling.objects.filter(is_by_player=True).aexists()


@pytest.mark.postgresql
async def test_officer_who_is_a_rival_decides_last() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 14, log_is_public=True)
    _, ben = await account("Ben")
    await enrol(club, ben, Membership.ORGANISER)
    for person in (anna, ben):
        await EventPlayer.objects.acreate(event=cup, person=person)
    await officer.post(f"{PATH}round/", {"round": "1"})
    await finish_round(cup, 1)
    numbers = {row.person_id: row.number async for row in EventPlayer.objects.filter(event=cup)}
    officers = {numbers[anna.pk], numbers[ben.pk]}
    table = next(row for row in await tables_of(cup, 1) if not officers & set(row.seats))
    seated = [person for person, number in numbers.items() if number in table.seats]
    places = {str(person): 10 * at for at, person in enumerate(seated, 1)}
    places |= {str(anna.pk): 12, str(ben.pk): 13}
    with pytest.raises(rulings.RulingRefused, match="rival"):
        await rulings.declare_void(
            cup, table.table_id, by=Official(anna, "reason", places), table=table
        )
    await rulings.correct_result(
        cup, table.table_id, [30_000] * 4, by=Official(ben, "reason", places), table=table
    )
    await Membership.objects.filter(person=ben).aupdate(role=Membership.MEMBER)
    await rulings.declare_void(
        cup, table.table_id, by=Official(anna, "reason", places), table=table
    )
    log = text_of(await AsyncClient().get(f"{PATH}log/"))
    assert log.count("decided by a player of this event") == 1
    rows = Ruling.objects.order_by("pk").values_list("kind", "is_by_player")
    assert [row async for row in rows] == [("correct", False), ("void", True)]


async def test_official_may_not_act_on_own_game() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    cup = await new_cup(club, 7)
    await EventPlayer.objects.acreate(event=cup, person=anna)
    await officer.post(f"{PATH}round/", {"round": "1"})
    own = await EventPlayer.objects.aget(event=cup, person=anna)
    (row,) = [table for table in await tables_of(cup, 1) if own.number in table.seats]
    await finish_round(cup, 1)
    (other,) = [table for table in await tables_of(cup, 1) if table != row]
    for verb in ("void", "repeat_game", "repeat_hand"):
        assert await do(officer, verb, row.number) in {"own", "no_hand"}
    assert await do(officer, "correct", row.number, **scores(*[30_000] * 4)) == "own"
    assert await do(officer, "penalty", person=str(own.person_id), points="5") == "own"
    assert await do(officer, "void", other.number) == "done"
    page = text_of(await officer.get(f"{PATH}officials/1/{row.number}/"))
    assert "another official has to decide" in page
    assert await Ruling.objects.acount() == 1


@pytest.mark.postgresql
async def test_official_of_another_game_sees_no_more_than_spectators() -> None:
    """The page shows names, scores and the hand, as in the table's own summary, and no tiles."""
    officer, cup = await start_tournament(4)
    (row,) = await tables_of(cup, 1)
    page = text_of(await officer.get(f"{PATH}officials/1/1/"))
    room = await room_of(row)
    assert room.meta.seats[0].name in page
    assert "tehai" not in page
    assert room.seat_of((await Person.objects.aget(name="Anna")).pk.hex) is None


async def test_log_is_shown_only_to_permitted_readers() -> None:
    officer, cup = await start_tournament(4)
    await do(officer, "pause", 1)
    stranger = AsyncClient()
    assert "the lamp fell" in text_of(await officer.get(f"{PATH}log/"))
    assert "the lamp fell" not in text_of(await stranger.get(f"{PATH}log/"))
    await Event.objects.filter(pk=cup.pk).aupdate(log_is_public=True)
    assert "the lamp fell" in text_of(await stranger.get(f"{PATH}log/"))


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("form", "note"),
    [
        ({"do": "pause", "reason": " "}, "reason"),
        ({"do": "pause", "reason": "x" * 301}, "reason"),
        ({"do": "extend", "minutes": "0"}, "minutes"),
        ({"do": "extend", "minutes": "61"}, "minutes"),
        ({"do": "penalty", "points": "-5"}, "points"),
        ({"do": "penalty", "points": "NaN"}, "points"),
        ({"do": "penalty", "points": "1.25"}, "points"),
        ({"do": "penalty", "points": "1", "person": "0"}, ""),
        ({"do": "nothing"}, ""),
        ({"do": "void"}, ""),
        ({"do": "pause", "round": "1", "table": "99"}, ""),
        ({"do": "cancel:99"}, ""),
    ],
)
async def test_wrong_forms_change_nothing(form: dict[str, str], note: str) -> None:
    officer, cup = await start_tournament(4)
    entrant = await EventPlayer.objects.filter(event=cup).afirst()
    assert entrant is not None
    sent = {"reason": "a reason", "person": str(entrant.person_id), **form}
    answer = await officer.post(ACT, sent)
    if note:
        assert answer.headers["Location"].endswith(f"note={note}")
    else:
        assert answer.status_code == 404
    assert not await Ruling.objects.aexists()


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ({"do": "penalty", "reason": "late again", "points": "1.25"}, "penalty-points-error"),
        ({"do": "chombo", "reason": " ", "points": "7.5"}, "penalty-reason-error"),
        ({"do": "extend", "reason": "late again", "minutes": "61"}, "time-minutes-error"),
    ],
)
async def test_refused_form_keeps_what_was_typed(form: dict[str, str], shown: str) -> None:
    officer, cup = await start_tournament(4)
    entrant = await EventPlayer.objects.filter(event=cup).alast()
    assert entrant is not None
    answer = await officer.post(ACT, {"person": str(entrant.person_id), **form})
    page = text_of(await officer.get(answer.headers["Location"]))
    assert page.count(f'id="{shown}"') == 1
    for name in ("points", "minutes"):
        if name in form:
            assert f'value="{form[name]}"' in page
    if form["reason"].strip():
        assert f'value="{form["reason"]}"' in page
    if form["do"] != "extend":
        assert f'<option value="{entrant.person_id}" selected>' in page
    again = text_of(await officer.get(answer.headers["Location"]))
    assert shown not in again


async def test_former_official_acts_no_more() -> None:
    officer, cup = await start_tournament(4)
    club = await Club.objects.aget()
    await Membership.objects.filter(club=club).aupdate(role=Membership.MEMBER)
    answer = await officer.post(ACT, {"do": "pause", "reason": "x"})
    assert answer.status_code == 404
    assert not (await room_of((await tables_of(cup, 1))[0])).clock.paused_at


@pytest.mark.postgresql
async def test_players_and_officials_check_in() -> None:
    officer, cup = await start_tournament(4)
    browser, ben = await account("Ben")
    await EventPlayer.objects.filter(event=cup, number=1).aupdate(person=ben)
    await browser.post(f"{PATH}check-in/", {"do": "here"})
    assert "You are checked in." in text_of(await browser.get(PATH))
    other = await EventPlayer.objects.aget(event=cup, number=2)
    assert await do(officer, f"here:{other.pk}") == "done"
    assert await EventPlayer.objects.filter(came_at__isnull=False).acount() == 2
    assert await do(officer, f"away:{other.pk}") == "done"
    assert await EventPlayer.objects.filter(came_at__isnull=False).acount() == 1


async def test_directors_page_follows_the_tables() -> None:
    officer, cup = await start_tournament(4)
    await officer.get(PATH)
    headers = [
        (b"host", b"testserver"),
        (b"origin", b"http://testserver"),
        (b"cookie", f"sessionid={officer.cookies['sessionid'].value}".encode()),
    ]
    wire = Wire(application, f"/ws/lobby{PATH}officials/", headers=headers)
    assert (await wire.connect())[0]
    try:
        await parts_with(wire, "1 game is running")
        await do(officer, "pause", 1)
        await parts_with(wire, "clocks stopped")
        backend = await current_backend()
        (row,) = await tables_of(cup, 1)
        await backend.process.service.store.freeze(row.table_id)  # type: ignore[arg-type]
        await parts_with(wire, "1 table hangs")
    finally:
        await wire.disconnect()


async def test_director_is_offered_only_possible_actions() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 4, rounds=1)
    clocks, places = "Stop the clocks", "Who is here"
    page = text_of(await officer.get(f"{PATH}officials/"))
    assert clocks not in page
    assert places in page
    await officer.post(f"{PATH}round/", {"round": "1"})
    page = text_of(await officer.get(f"{PATH}officials/"))
    assert clocks in page
    assert "4 players have not opened their tables" in page
    await finish_round(cup, 1)
    page = text_of(await officer.get(f"{PATH}officials/"))
    assert clocks not in page
    assert places not in page
    assert "All rounds have been played." in page
    assert page.count('<span class="score">30,000</span>') == 4


async def test_first_round_waits_for_full_tables() -> None:
    officer, anna = await account("Anna")
    cup = await new_cup(await new_club(anna), 3)
    for path in (PATH, f"{PATH}officials/"):
        assert "Start round 1" not in text_of(await officer.get(path))
    await Event.objects.filter(pk=cup.pk).aupdate(fill="bots")
    for path in (PATH, f"{PATH}officials/"):
        assert "Start round 1" in text_of(await officer.get(path))


async def test_log_has_the_time_of_the_event() -> None:
    officer, cup = await start_tournament(4)
    await Event.objects.filter(pk=cup.pk).aupdate(time_zone="Asia/Tokyo")
    entrant = await EventPlayer.objects.filter(event=cup).afirst()
    assert entrant is not None
    await do(officer, "penalty", person=str(entrant.person_id), points="5")
    page = text_of(await officer.get(f"{PATH}log/"))
    assert "+09:00" in page
    assert "\N{MINUS SIGN}5.0" in page


async def parts_with(wire: Wire, text: str) -> None:
    """Wait until the page shows that text."""
    while True:
        message = await wire.receive_json_from(60)
        if text in message.get("parts", {}).get("officials", ""):
            return


async def test_players_sit_where_the_seating_puts_them() -> None:
    """East, South, West and North of the schedule are seats 0 to 3 of the game, also when the table
    is played again."""
    officer, cup = await start_tournament()
    people = {
        entrant.number: str(entrant.person_id)
        async for entrant in EventPlayer.objects.filter(event=cup)
    }
    schedule = (await Event.objects.aget(pk=cup.pk)).schedule
    assert [row.seats for row in await tables_of(cup, 1)] == schedule[0]
    await do(officer, "repeat_game", 1)
    for row, seats in zip(await tables_of(cup, 1), schedule[0], strict=True):
        room = await room_of(row)
        assert [seat.person for seat in room.meta.seats] == [people[number] for number in seats]


async def test_page_of_a_table_is_for_officers() -> None:
    officer, _ = await start_tournament(4)
    path = f"{PATH}officials/1/1/"
    member, ben = await account("Ben")
    await enrol(await Club.objects.aget(), ben)
    assert (await officer.get(path)).status_code == 200
    for browser in (member, AsyncClient()):
        assert (await browser.get(path)).status_code == 404
        answer = await browser.post(ACT, {"do": "void", "reason": "x", "round": "1", "table": "1"})
        assert answer.status_code == 404


@pytest.mark.postgresql
async def test_own_data_has_penalties_disputes_and_decisions() -> None:
    officer, cup = await start_tournament(4)
    browser, ben = await account("Ben")
    await EventPlayer.objects.filter(event=cup, number=1).aupdate(person=ben)
    entrant = await EventPlayer.objects.aget(event=cup, person=ben)
    await do(officer, "penalty", person=str(entrant.person_id), points="5")
    await finish_round(cup, 1)
    (row,) = await tables_of(cup, 1)
    await browser.post(f"{PATH}games/", {"game": row.table_id, "text": "no ron"})
    own = (await browser.get("/privacy/own-data/")).json()["account"]
    assert [ruling["points"] for ruling in own["rulings_of_events"]] == ["5.0"]
    assert [dispute["text"] for dispute in own["disputes_of_events"]] == ["no ron"]
    decided = (await officer.get("/privacy/own-data/")).json()["account"]["decisions_as_official"]
    assert [decision["kind"] for decision in decided] == ["penalty"]


async def test_official_checks_in_several_at_once() -> None:
    officer, cup = await start_tournament(8)
    keys = [row.pk async for row in EventPlayer.objects.filter(event=cup)]
    await officer.post(ACT, {"do": "here", "present": [str(key) for key in keys[:3]]})
    here = EventPlayer.objects.filter(came_at__isnull=False).values_list("pk", flat=True)
    assert [key async for key in here] == keys[:3]
    assert (await officer.post(ACT, {"do": "here", "present": ["0"]})).status_code == 404
