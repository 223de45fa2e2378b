"""The script of a replay: one JSON value with all data for the replay page.

Owns the form of that value. Pure. All hands are open in it, so it is made only of finished games.
It leaves out the wall, ura dora that were not turned, and private questions and answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from game.engine import events as facts
from game.engine.by_seat import BySeat
from game.engine.events import Event
from game.engine.evolve import evolve
from game.engine.furiten import is_furiten
from game.engine.hand import waits_of
from game.engine.perspective import OPEN_SPECTATOR, redact
from game.engine.state import Table
from game.engine.tiles import TILE_TO_TEXT, kinds_in

VERSION: Final = 1
EncodeEvent = Callable[[Event], dict[str, Any]]
"""A function that writes a redacted event for the wire (`game.live.encoding.encode_event`)."""

_MARK_KINDS: Final[dict[type, str]] = {
    facts.RiichiDeclared: "riichi",
    facts.ChiCalled: "call",
    facts.PonCalled: "call",
    facts.DaiminkanCalled: "kan",
    facts.AnkanDeclared: "kan",
    facts.KakanDeclared: "kan",
    facts.NorthSetAside: "north",
}


class TimelineMark(msgspec.Struct, frozen=True):
    """A riichi, call or other event that the timeline marks."""

    at: int
    kind: str
    """'riichi', 'call', 'kan', 'north', 'win', 'deal_in' or 'draw'."""
    actor: int
    """The seat of the moment; -1 for a drawn hand."""


class Waits(msgspec.Struct, frozen=True):
    """The waits of a seat from an event on, until the next entry of that seat."""

    at: int
    seat: int
    tiles: tuple[str, ...]
    """The kinds that the seat waits for, as text; empty if the seat is not tenpai."""
    furiten: bool


class HandResult(msgspec.Struct):
    """How a hand ended; `at` is the index of the event."""

    at: int
    """The index of its first `hora` or `ryukyoku`."""
    kind: str
    """'tsumo', 'ron' or 'draw'."""
    winners: list[int]
    loser: int
    """The seat that dealt in, or -1."""
    reason: str
    """The reason of a draw, as in `ryukyoku`; '' after a win."""
    deltas: list[int]
    """How the points of each seat changed in the hand, with its own riichi stick."""


class ReplayHand(msgspec.Struct):
    """One hand of the game; it begins with the event of index `at`."""

    at: int
    """The index of its `start_kyoku`."""
    bakaze: str
    kyoku: int
    honba: int
    scores: BySeat[int]
    """The points at its start."""
    result: HandResult | None = None
    """How the hand ended; None if it does not end in the record."""


class ReplayScript(msgspec.Struct):
    """A whole game for the replay page. Step `i` of the replay shows the table after
    `events[0..i]`."""

    id: str | None
    names: Sequence[str]
    rules: dict[str, Any]
    """The rules, in the form of frames."""
    preset: str | None
    hands: list[ReplayHand]
    events: list[dict[str, Any]]
    """The events, in the form of frames, without short forms and with all hands open. The first is
    `start_game`."""
    marks: list[TimelineMark]
    waits: list[Waits]
    levels: Sequence[str] = ()
    """By seat the id of the site's bot that began the game there; '' for a player."""
    avatars: Sequence[str] = ()
    """By seat the avatar of the player; '' for a bot, and for a player who is not named."""
    differences: Sequence[dict[str, Any]] = ()
    """The differences of an imported record from the rules, each with its `at`."""
    has_points: bool = True
    """Whether the points are those of the game. An imported record may lack them; then they follow
    from the rules alone, and pages mark them as uncertain."""
    version: int = VERSION


def replay_script(
    events: Iterable[Event],
    names: Sequence[str],
    *,
    write: EncodeEvent,
    game_id: str | None = None,
    preset: str | None = None,
    levels: Sequence[str] = (),
    avatars: Sequence[str] = (),
    is_broken_off: bool = False,
    differences: Sequence[dict[str, Any]] = (),
    has_points: bool = True,
) -> ReplayScript:
    """Return the script of the game with these events. `names` replace the names in the events.

    `is_broken_off` is needed for older games, whose events do not say that they were broken off. In
    `differences`, `at` is an index among the events that are shown (`is_shown`). Raises ValueError
    if the events do not begin with the start of a game.
    """
    script = ReplayScript(
        game_id, list(names), {}, preset, [], [], [], [], levels, avatars, differences, has_points
    )
    table, known = Table(), list[_KnownWaits]()
    for event in events:
        table = evolve(table, event)
        if not is_shown(event):
            continue
        shown = redact(event, OPEN_SPECTATOR)
        assert shown is not None  # only answers are private
        at, written = len(script.events), write(shown)
        if isinstance(event, facts.GameStarted):
            written["names"] = script.names
            script.rules = written["rules"]
        elif not script.events:
            raise ValueError("a replay begins with the start of a game")
        elif isinstance(event, facts.GameEnded) and is_broken_off:
            written["broken_off"] = True
        script.events.append(written)
        _add_event(script, at, event, written)
        if isinstance(event, facts.HandStarted):
            known = [_NO_WAITS] * len(table.hands)
        _add_waits(script, at, table, known)
    return script


def is_shown(event: Event) -> bool:
    """Return whether a replay shows the event: all but answers, which only their own seat has
    seen."""
    return not isinstance(event, facts.Answered)


def encode(script: ReplayScript) -> bytes:
    """Encode the script as JSON."""
    return msgspec.json.encode(script)


def _add_event(script: ReplayScript, at: int, event: Event, written: dict[str, Any]) -> None:
    """Add the hand, the result or the mark of this event to the script."""
    match event:
        case facts.HandStarted():
            hand = ReplayHand(at, written["bakaze"], event.kyoku, event.honba, event.scores)
            script.hands.append(hand)
        case facts.Won(actor=actor, target=target):
            script.marks.append(TimelineMark(at, "win", actor))
            if actor != target:
                script.marks.append(TimelineMark(at, "deal_in", target))
        case facts.HandDrawn():
            script.marks.append(TimelineMark(at, "draw", -1))
        case _:
            if (kind := _MARK_KINDS.get(type(event))) is not None:
                script.marks.append(TimelineMark(at, kind, written["actor"]))
    if isinstance(event, facts.Won | facts.HandDrawn) and script.hands:
        _add_result(script.hands[-1], at, event)


def _add_result(hand: ReplayHand, at: int, event: facts.Won | facts.HandDrawn) -> None:
    result = hand.result or HandResult(at, "draw", [], -1, "", [])
    if isinstance(event, facts.HandDrawn):
        result.reason = event.reason
    else:
        result.kind = "tsumo" if event.actor == event.target else "ron"
        result.winners.append(event.actor)
        result.loser = -1 if event.actor == event.target else event.target
    result.deltas = [now - was for was, now in zip(hand.scores, event.scores, strict=True)]
    hand.result = result


_KnownWaits = tuple[int, bool]
"""The mask of the waits of a seat, and whether it is furiten."""
_NO_WAITS: Final[_KnownWaits] = (0, False)


def _add_waits(script: ReplayScript, at: int, table: Table, known: list[_KnownWaits]) -> None:
    """Add an entry for each seat whose waits differ from `known` (by seat), and update `known`.
    Does nothing before the first hand."""
    for seat, hand in enumerate(table.hands[: len(known)]):
        mask = waits_of(hand)
        now = mask, bool(mask) and is_furiten(table, seat)
        if now != known[seat]:
            known[seat] = now
            tiles = tuple(TILE_TO_TEXT[2 * kind] for kind in kinds_in(mask))
            script.waits.append(Waits(at, seat, tiles, now[1]))
