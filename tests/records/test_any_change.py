"""The validator finds every single changed discard, call and number in the first hand of a record.

A draw that stays in a hidden hand, or is discarded at once, can be replaced without a
contradiction: only the seed of an mjlog detects this (`test_changed_records`). The draws changed
here are of tiles that are discarded from the hand later.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from game.records.reading import read_recorded_game
from game.records.validate import validate_game

FIXTURES = Path(__file__).parent / "fixtures"
TENHOU6: dict[str, Any] = json.loads((FIXTURES / "own.json").read_text())
TENHOU6["log"] = TENHOU6["log"][:1]
MJAI = [json.loads(line) for line in (FIXTURES / "own.mjson").read_text().splitlines()]
MJAI = MJAI[: [at for at, it in enumerate(MJAI) if it["type"] == "start_kyoku"][1]]
NOWHERE, NOWHERE_IN_MJAI = 23, "3p"
"""A tile that nobody has, draws or discards in this hand."""
DEAL, DRAWS, DISCARDS = 4, 5, 6
"""The columns of seat 0 in a hand of tenhou.net/6; those of the next seat are three further."""
NUMBERS = ("deltas", "scores", "fu", "fan", "hora_points", "honba", "kyotaku", "kyoku")


def objections(text: str) -> list[str]:
    report = validate_game("changed", read_recorded_game(text.encode()))
    return [*(f"{it.hand} {it.what} {it.ours}" for it in report.differences), *report.faults]


def to_json(game: dict[str, Any]) -> str:
    return json.dumps(game, ensure_ascii=False)


def lines(events: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, events))


CUT = objections(to_json(TENHOU6))
"""The objections to the shortened record: it does not say that the game goes on, and nothing
else."""


def test_shortened_records_are_valid() -> None:
    assert [line.partition(" ")[2] for line in CUT] == ["end of the game it goes on"]
    assert not objections(lines(MJAI))


def tenhou6_with(change: Callable[[list[Any]], Iterator[str]]) -> Iterator[tuple[str, str]]:
    """Yield the name of each change, and the changed record."""
    game = copy.deepcopy(TENHOU6)
    for name in change(game["log"][0]):
        yield name, to_json(game)


def exchange(row: list[Any], at: int, other: Any) -> Iterator[str]:
    """Replace that entry of the row until the next change is asked for; yield the name of the
    change."""
    before, row[at] = row[at], other
    yield f"{before} made {other}"
    row[at] = before


def other_discards(hand: list[Any]) -> Iterator[str]:
    for column in range(DISCARDS, 16, 3):
        for at, entry in enumerate(hand[column]):
            if isinstance(entry, int) and entry not in (0, 60):
                yield from exchange(hand[column], at, NOWHERE)


def other_draws(hand: list[Any]) -> Iterator[str]:
    """Change drawn tiles that are discarded later, and of which the hand has no others."""
    for column in range(DRAWS, 16, 3):
        dealt, draws, discards = hand[column - 1 : column + 2]
        for at, entry in enumerate(draws):
            is_single = [*dealt, *draws].count(entry) == 1
            if is_single and entry in discards and discards.index(entry) > at:
                yield from exchange(draws, at, NOWHERE)


def other_calls(hand: list[Any]) -> Iterator[str]:
    """Make calls with other tiles, or leave them out."""
    for column in (*range(DRAWS, 16, 3), *range(DISCARDS, 16, 3)):
        for at, entry in enumerate(hand[column]):
            if isinstance(entry, str) and re.search("[cpmka]", entry):
                tiles = re.findall(r"\d\d", entry)
                other = entry.replace(tiles[-1], str(NOWHERE))
                yield from exchange(hand[column], at, other)
                yield from exchange(hand[column], at, int(tiles[0]))


def other_numbers(hand: list[Any]) -> Iterator[str]:
    for row in (hand[0], hand[1], hand[16][1]):
        for at, number in enumerate(row):
            yield from exchange(row, at, number + (1 if row is hand[0] else 100))


@pytest.mark.parametrize("change", [other_discards, other_draws, other_calls, other_numbers])
def test_every_such_change_of_tenhou6_is_found(
    change: Callable[[list[Any]], Iterator[str]],
) -> None:
    tried = [(name, objections(text)) for name, text in tenhou6_with(change)]
    assert len(tried) >= 3
    assert [name for name, found in tried if set(found) <= set(CUT)] == []


def mjai_with(change: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]) -> Iterator[str]:
    """Yield the mjai record with one changed event after another. `change` yields the replacements
    of an event."""
    for at, event in enumerate(MJAI):
        for other in change(event):
            yield lines([*MJAI[:at], *([other] if other else []), *MJAI[at + 1 :]])


def other_mjai_discards(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield discards of a tile that the seat does not have, or by another seat."""
    if event["type"] == "dahai":
        yield event | {"pai": NOWHERE_IN_MJAI}
        yield event | {"actor": (event["actor"] + 1) % 4}


def other_mjai_draws(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an empty event, which leaves the draw out, and the draw by another seat."""
    if event["type"] == "tsumo":
        yield {}
        yield event | {"actor": (event["actor"] + 1) % 4}


def other_mjai_calls(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield calls by another seat, of another seat's tile, with other tiles, or left out."""
    if "consumed" in event:
        yield {}
        yield event | {"actor": (event["actor"] + 1) % 4}
        yield event | {"consumed": [*event["consumed"][1:], "?"]}
        if "target" in event:
            yield event | {"target": (event["target"] + 1) % 4}


def other_mjai_numbers(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in NUMBERS:
        match event.get(name):
            case int(number):
                yield event | {name: number % 4 + 1 if name == "kyoku" else number + 1}
            case [*row]:
                for at, number in enumerate(row):
                    yield event | {name: [*row[:at], number + 100, *row[at + 1 :]]}


@pytest.mark.parametrize(
    "change", [other_mjai_draws, other_mjai_discards, other_mjai_calls, other_mjai_numbers]
)
def test_every_such_change_of_mjai_is_found(
    change: Callable[[dict[str, Any]], Iterator[dict[str, Any]]],
) -> None:
    unnoticed, tried = [], 0
    for text in mjai_with(change):
        tried += 1
        if not objections(text):
            unnoticed.append(next(line for line in text.splitlines() if line not in lines(MJAI)))
    assert tried >= 8
    assert unnoticed == []
