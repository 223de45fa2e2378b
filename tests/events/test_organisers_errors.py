"""Errors that organisers report of other tournament programs do not occur: a search for a seating
that hangs or fails on odd numbers of players, and players in wrong seats.

Extra time for one table, lost penalties and equal places are in `tests/lobby/test_direction.py`.
"""

from __future__ import annotations

import pytest

from lobby.events.seating import SeatingError, plan_rounds, seats_needed


@pytest.mark.parametrize("method", ["random", "swiss", "interval", "balanced"])
@pytest.mark.parametrize("players", [5, 6, 7, 9, 13, 41])
def test_odd_numbers_of_players_are_seated_or_refused(method: str, players: int) -> None:
    """Bots or substitutes take the missing seats; nobody plays twice, and nobody is left out."""
    with pytest.raises(SeatingError, match="do not fill tables of 4"):
        seats_needed(players, 4, 3, "refuse")
    seats = seats_needed(players, 4, 3, "bots")
    assert seats % 4 == 0
    assert players <= seats < players + 4
    for seated_round in plan_rounds(method, seats, 4, 3, seed=players):  # type: ignore[arg-type]
        assert sorted(number for table in seated_round for number in table) == list(
            range(1, seats + 1)
        )
