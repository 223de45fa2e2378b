"""A round starts safely: if a process dies between any two steps, no table is opened twice and none
is left out."""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, Final

import pytest
from channels.db import database_sync_to_async

from lobby.events import rounds
from lobby.models import ClubGame, Event, EventPlayer, EventTable
from lobby.play.backend import current_backend
from lobby.play.player_location import Location, find_location
from lobby.play.table_access import TableAccess
from tests.lobby.club_people import account, new_club
from tests.lobby.cups import new_cup, rooms_of, tables_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

_STEPS: Final = (
    (rounds, "start_round"),
    (rounds, "record_game"),
    (TableAccess, "open_game"),
    (rounds.movements, "record_seat"),
    (rounds, "record_open"),
    (rounds, "notify"),
)
"""Every step of starting a round, as its owner and name."""


class Killed(BaseException):
    """The process died at this step."""


class StepKiller:
    """Kills the process after that many steps of starting a round."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.after: int | None = None
        self.done = 0
        for owner, name in _STEPS:
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, step: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(*args: Any, **named: Any) -> Any:
            outcome = await step(*args, **named)
            self._count()
            return outcome

        def counted_in_thread(*args: Any, **named: Any) -> Any:
            outcome = step(*args, **named)
            self._count()
            return outcome

        return counted if iscoroutinefunction(step) else counted_in_thread

    def _count(self) -> None:
        self.done += 1
        if self.done == self.after:
            raise Killed


async def test_process_may_die_after_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    _, anna = await account("Anna")
    club = await new_club(anna)
    cut = StepKiller(monkeypatch)
    of_a_table = 1 + 1 + 4 + 1 + 1
    for after in (*range(1, 2 + of_a_table), 1 + of_a_table + 4):
        cup = await new_cup(club, 8, slug=f"cup-{after}", method="random")
        cut.done, cut.after = 0, after
        with pytest.raises(Killed):
            await start(cup)
        cut.after = None
        await database_sync_to_async(rounds.start_round)(cup, 1)  # the official repeats the request
        await rounds.open_planned_tables()  # the worker completes the round
        await check_round(cup)
    assert await ClubGame.objects.acount() == await EventTable.objects.acount()


async def start(cup: Event) -> None:
    """Start the round as the official's request does."""
    await database_sync_to_async(rounds.start_round)(cup, 1)
    await rounds.open_tables(cup)


async def check_round(cup: Event) -> None:
    """Check that each table of the first round is open once, and that its players are led to it."""
    rows = await tables_of(cup, 1)
    assert len(rows) == 2
    assert all(row.is_open for row in rows)
    assert sorted(number for row in rows for number in row.seats) == list(range(1, 9))
    people = {
        entrant.number: str(entrant.person_id)
        async for entrant in EventPlayer.objects.filter(event=cup)
    }
    backend = await current_backend()
    for row, room in zip(rows, await rooms_of(rows), strict=True):
        assert row.table_id == rounds.table_id(cup.pk, 1, row.number)
        assert [seat.person for seat in room.meta.seats] == [people[seat] for seat in row.seats]
        for person in (people[seat] for seat in row.seats):
            assert await find_location(backend, person) == Location("table", row.table_id)
