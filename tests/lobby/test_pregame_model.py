"""The pure functions that change a pregame table."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.template.loader import render_to_string

from game.engine.presets import PRESETS
from game.tables.settings import TableSettings
from lobby.play import pregame
from lobby.play.pregame import (
    EXPIRES_AFTER_MS,
    EXPIRES_AFTER_START_MS,
    PregameRefusal,
    PregameTable,
    Seat,
)

START = 1_790_000_000_000


def pregame_table(*people: str, bots: int = 0, keeps_seats: bool = False) -> PregameTable:
    """Return a table of these people, the first of whom is the host, and then `bots` bots."""
    seats = [Seat(person=person, name=person.upper()) for person in people]
    seats += [Seat(bot="sensible", name=f"bot{n}", is_ready=True) for n in range(bots)]
    seats += [Seat()] * (4 - len(seats))
    return PregameTable(
        id="g",
        host=people[0],
        settings=TableSettings(rules=PRESETS["tenhou"]),
        seats=tuple(seats),
        token="t",
        touched_at=START,
        keeps_seats=keeps_seats,
    )


def done(change: pregame.Change | None) -> PregameTable:
    assert isinstance(change, PregameTable), change
    return change


def test_fifth_player_finds_no_seat() -> None:
    table = pregame_table("a")
    for person in "bcd":
        table = done(pregame.take_seat(table, person, person))
    assert table.people == ("a", "b", "c", "d")
    assert pregame.take_seat(table, "e", "e") == PregameRefusal("full")
    assert not table.is_listed


def test_sitting_down_twice_takes_one_seat() -> None:
    table = done(pregame.take_seat(pregame_table("a"), "a", "again"))
    assert table.people == ("a",)


def test_next_player_becomes_host_and_the_last_ends_the_table() -> None:
    table = done(pregame.leave_seat(pregame_table("a", "b"), "a"))
    assert table.host == "b"
    assert pregame.leave_seat(table, "b") is None
    assert pregame.leave_seat(table, "stranger") == PregameRefusal("not_here")


def test_only_the_host_adds_bots_and_removes_people() -> None:
    table = pregame_table("a", "b")
    assert pregame.place_bot(table, "b", 2, "sensible") == PregameRefusal("not_host")
    assert pregame.remove_player(table, "b", 0) == PregameRefusal("not_host")
    with_bot = done(pregame.place_bot(table, "a", 2, "tsumogiri"))
    assert with_bot.seats[2].bot == "tsumogiri"
    assert with_bot.seats[2].is_ready
    assert done(pregame.place_bot(with_bot, "a", 2, "")).seats[2].is_empty
    assert done(pregame.remove_player(table, "a", 1)).people == ("a",)


@pytest.mark.parametrize(
    ("at", "bot", "code"),
    [(1, "sensible", "taken"), (2, "clever", "taken"), (4, "sensible", "no_seat")],
)
def test_bot_takes_no_occupied_seat(at: int, bot: str, code: str) -> None:
    assert pregame.place_bot(pregame_table("a", "b"), "a", at, bot) == PregameRefusal(code)


def test_bots_at_one_table_have_different_names() -> None:
    table = pregame_table("a")
    for at in (1, 2, 3):
        table = done(pregame.place_bot(table, "a", at, "sensible"))
    assert len({seat.name for seat in table.seats}) == 4


def test_plan_exists_once_all_are_ready_with_drawn_seats() -> None:
    table = done(pregame.set_ready(pregame_table("a", "b", bots=2), "a", True))
    assert pregame.plan_game(table, "t", [2, 0, 3, 1]).plan is None
    table = pregame.plan_game(done(pregame.set_ready(table, "b", True)), "t", [2, 0, 3, 1])
    assert table.plan == pregame.Plan("t", (2, 0, 3, 1))
    assert pregame.plan_game(table, "another", [0, 1, 2, 3]) == table


def test_table_with_an_empty_seat_has_no_plan() -> None:
    table = done(pregame.set_ready(pregame_table("a", bots=2), "a", True))
    assert pregame.plan_game(table, "t", [0, 1, 2, 3]).plan is None


def test_rematch_keeps_seats() -> None:
    table = done(pregame.set_ready(pregame_table("a", bots=3, keeps_seats=True), "a", True))
    plan = pregame.plan_game(table, "t", [3, 2, 1, 0]).plan
    assert plan is not None
    assert plan.order == (0, 1, 2, 3)


def test_nothing_changes_after_the_plan() -> None:
    table = done(pregame.set_ready(pregame_table("a", bots=3), "a", True))
    table = pregame.plan_game(table, "t", [0, 1, 2, 3])
    begun = PregameRefusal("begun")
    assert pregame.leave_seat(table, "a") == begun
    assert pregame.set_ready(table, "a", False) == begun
    assert pregame.take_seat(table, "b", "b") == begun
    assert pregame.place_bot(table, "a", 1, "") == begun
    assert pregame.remove_player(table, "a", 1) == begun
    assert not table.is_listed


@dataclass(frozen=True)
class TableWithAKeptSeat:
    """A table at which a seat is kept for b."""

    table: PregameTable

    @classmethod
    def for_b(cls) -> TableWithAKeptSeat:
        table = pregame_table("a", bots=2, keeps_seats=True)
        seats = (table.seats[0], Seat(name="B", kept_for="b"), *table.seats[1:3])
        return cls(pregame.replace(table, seats=seats))


def test_kept_seat_is_for_the_invited_person_only() -> None:
    table = TableWithAKeptSeat.for_b().table
    assert table.is_invited("b")
    assert not table.is_listed
    assert pregame.take_seat(table, "c", "C") == PregameRefusal("full")
    taken = done(pregame.take_seat(table, "b", "B"))
    assert taken.seat_of("b") == 1
    assert taken.seats[1].is_ready


def test_declined_seat_is_free_for_others() -> None:
    table = done(pregame.leave_seat(TableWithAKeptSeat.for_b().table, "b"))
    assert table.has_free_seat
    assert done(pregame.take_seat(table, "c", "C")).seat_of("c") == 1


def test_table_expires_after_its_last_touch() -> None:
    table = pregame_table("a", bots=3)
    assert table.expires_at() == START + EXPIRES_AFTER_MS
    begun = pregame.plan_game(done(pregame.set_ready(table, "a", True)), "t", [0, 1, 2, 3])
    assert begun.expires_at() == START + EXPIRES_AFTER_START_MS


@pytest.mark.parametrize(
    ("people", "text"), [("abcd", "everybody is ready"), ("abc", "all seats are taken")]
)
def test_page_names_missing_conditions_of_the_start(people: str, text: str) -> None:
    shown = {"pregame": pregame_table(*people), "seat": 0, "person": "a", "avatars": {}}
    assert f"as soon as {text}" in render_to_string("lobby/fragments/seats.html", shown)
