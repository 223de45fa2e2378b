"""What may be done at a table before its game, value by value."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from game.live.lobby_api import PRESETS
from lobby.pregame import model
from lobby.pregame.model import KEPT_AFTER_START_MS, KEPT_MS, No, PregameTable, Seat, Terms

START = 1_790_000_000_000


def gathering(*people: str, bots: int = 0, keeps_seats: bool = False) -> PregameTable:
    """With these people, the first of whom is the host, and so many bots behind them."""
    seats = [Seat(person=one, name=one.upper()) for one in people]
    seats += [Seat(bot="sensible", name=f"bot{n}", is_ready=True) for n in range(bots)]
    seats += [Seat()] * (4 - len(seats))
    return PregameTable(
        id="g",
        host=people[0],
        terms=Terms(rules=PRESETS["tenhou"]),
        seats=tuple(seats),
        token="t",
        touched_at=START,
        keeps_seats=keeps_seats,
    )


def done(change: model.Change | None) -> PregameTable:
    assert isinstance(change, PregameTable), change
    return change


def test_people_take_free_seats_in_order_and_the_fifth_finds_none() -> None:
    table = gathering("a")
    for one in "bcd":
        table = done(model.sat_down(table, one, one))
    assert table.people == ("a", "b", "c", "d")
    assert model.sat_down(table, "e", "e") == No("full")
    assert not table.is_listed


def test_who_sits_down_twice_has_one_seat() -> None:
    table = done(model.sat_down(gathering("a"), "a", "again"))
    assert table.people == ("a",)


def test_when_the_host_leaves_the_next_one_is_host_and_the_last_ends_it() -> None:
    table = done(model.stood_up(gathering("a", "b"), "a"))
    assert table.host == "b"
    assert model.stood_up(table, "b") is None
    assert model.stood_up(table, "stranger") == No("not_here")


def test_only_the_host_gives_seats_to_bots_and_sends_people_away() -> None:
    table = gathering("a", "b")
    assert model.bot_placed(table, "b", 2, "sensible") == No("not_host")
    assert model.sent_away(table, "b", 0) == No("not_host")
    with_bot = done(model.bot_placed(table, "a", 2, "tsumogiri"))
    assert with_bot.seats[2].bot == "tsumogiri"
    assert with_bot.seats[2].is_ready
    assert done(model.bot_placed(with_bot, "a", 2, "")).seats[2].is_empty
    assert done(model.sent_away(table, "a", 1)).people == ("a",)


@pytest.mark.parametrize(
    ("at", "bot", "code"),
    [(1, "sensible", "taken"), (2, "clever", "taken"), (4, "sensible", "no_seat")],
)
def test_a_bot_takes_nobodys_seat(at: int, bot: str, code: str) -> None:
    assert model.bot_placed(gathering("a", "b"), "a", at, bot) == No(code)


def test_bots_at_one_table_are_called_differently() -> None:
    table = gathering("a")
    for at in (1, 2, 3):
        table = done(model.bot_placed(table, "a", at, "sensible"))
    assert len({seat.name for seat in table.seats}) == 4


def test_there_is_a_plan_once_all_four_are_ready_and_seats_are_as_drawn() -> None:
    table = done(model.said_ready(gathering("a", "b", bots=2), "a", True))
    assert model.planned(table, "t", [2, 0, 3, 1]).plan is None
    table = model.planned(done(model.said_ready(table, "b", True)), "t", [2, 0, 3, 1])
    assert table.plan == model.Plan("t", (2, 0, 3, 1))
    assert model.planned(table, "another", [0, 1, 2, 3]) == table


def test_with_an_empty_seat_there_is_no_plan() -> None:
    table = done(model.said_ready(gathering("a", bots=2), "a", True))
    assert model.planned(table, "t", [0, 1, 2, 3]).plan is None


def test_at_a_rematch_seats_are_kept() -> None:
    table = done(model.said_ready(gathering("a", bots=3, keeps_seats=True), "a", True))
    plan = model.planned(table, "t", [3, 2, 1, 0]).plan
    assert plan is not None
    assert plan.order == (0, 1, 2, 3)


def test_once_there_is_a_plan_nothing_changes_any_more() -> None:
    table = done(model.said_ready(gathering("a", bots=3), "a", True))
    table = model.planned(table, "t", [0, 1, 2, 3])
    begun = No("begun")
    assert model.stood_up(table, "a") == begun
    assert model.said_ready(table, "a", False) == begun
    assert model.sat_down(table, "b", "b") == begun
    assert model.bot_placed(table, "a", 1, "") == begun
    assert model.sent_away(table, "a", 1) == begun
    assert not table.is_listed


@dataclass(frozen=True)
class Kept:
    """A table at which a seat is kept for b."""

    table: PregameTable

    @classmethod
    def for_b(cls) -> Kept:
        table = gathering("a", bots=2, keeps_seats=True)
        seats = (table.seats[0], Seat(name="B", kept_for="b"), *table.seats[1:3])
        return cls(model.replace(table, seats=seats))


def test_a_kept_seat_is_for_who_was_asked_and_nobody_else() -> None:
    table = Kept.for_b().table
    assert table.is_asked("b")
    assert not table.is_listed
    assert model.sat_down(table, "c", "C") == No("full")
    taken = done(model.sat_down(table, "b", "B"))
    assert taken.seat_of("b") == 1
    assert taken.seats[1].is_ready


def test_who_was_asked_and_says_no_leaves_the_seat_to_others() -> None:
    table = done(model.stood_up(Kept.for_b().table, "b"))
    assert table.has_free_seat
    assert done(model.sat_down(table, "c", "C")).seat_of("c") == 1


def test_a_table_lasts_as_long_as_somebody_looks_after_it() -> None:
    table = gathering("a", bots=3)
    assert table.ends_at() == START + KEPT_MS
    begun = model.planned(done(model.said_ready(table, "a", True)), "t", [0, 1, 2, 3])
    assert begun.ends_at() == START + KEPT_AFTER_START_MS
