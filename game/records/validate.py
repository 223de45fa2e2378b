"""Replays recorded games and reports the results by hand and by file.

After a difference the next hand is dealt as recorded, so that one difference neither hides nor
causes others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.events import Event, HandDrawn, Won
from game.engine.points import final_placement
from game.engine.progress import game_ended_event
from game.engine.rules import RuleSet
from game.engine.state import SEATS, Phase
from game.records.compare import (
    END_OF_GAME,
    THE_ENGINE_FAILED,
    WHOLE_HAND,
    Difference,
    Mismatch,
    end_differences,
)
from game.records.reading import read_recorded_game
from game.records.recorded import (
    BadHand,
    RecordedGame,
    RecordedHand,
    RecordError,
    UnsupportedRecord,
)
from game.records.replay import Replay
from game.records.tenhou_versions import ROUNDED_VERSION_NAME

_OUTCOMES: Final = {"nagashi_mangan": "nagashi"}
_YAKUMAN_HAN: Final = 13
_IN_ANY_RULES: Final = frozenset(
    {
        *(f"deal of seat {seat}" for seat in SEATS),
        *("indicator", "tiles", THE_ENGINE_FAILED, "winning hand", "winning tile"),
    }
)
"""Differences that no rules can explain."""


class Winner(msgspec.Struct, frozen=True):
    """A win as computed by the engine."""

    seat: int
    target: int = msgspec.field(name="from")
    han: int
    """Han; 13 for each yakuman that is paid."""
    fu: int
    yaku: tuple[tuple[str, int], ...]
    points: int
    pao: int | None


class HandReport(msgspec.Struct, frozen=True):
    """A hand as played by the engine. `outcome` is None if engine and record differ before the
    hand's end."""

    file: str
    hand: int
    round: int
    """0 is East 1, 4 South 1."""
    honba: int
    outcome: str | None
    winners: tuple[Winner, ...]
    deltas: BySeat[int] | None
    scores: BySeat[int] | None
    final: BySeat[int] | None
    """The final scores, if the game ended with this hand. Changes and scores are None if the record
    leaves some out."""


class FileReport(msgspec.Struct, frozen=True):
    """The report of one file."""

    file: str
    format: str = ""
    hands: tuple[HandReport, ...] = ()
    differences: tuple[Difference, ...] = ()
    faults: tuple[str, ...] = ()
    """The damage found."""
    notes: tuple[str, ...] = ()
    """Deviations that the record itself explains."""
    unsupported: str = ""
    """The reason why the file is not replayed."""
    versions: tuple[str, ...] = ()
    """The versions of the rules under which engine and record agree."""
    own_rules: str = ""
    """Why the game may have been played by unknown rules; empty unless differences show it."""
    own_rule_differences: tuple[Difference, ...] = ()
    """The differences that unknown rules can explain."""
    unknown: frozenset[str] = frozenset()
    """What the record leaves out, of "ura", "kan_dora" and "scores"."""
    rules: RuleSet | None = None
    """The rules by which the game was replayed, with the start points of the record."""

    @property
    def agrees(self) -> bool:
        """Whether the file has no differences and no damage."""
        return not (self.differences or self.faults or self.unsupported)


def validate_file(path: Path) -> FileReport:
    """Read a file and replay its game."""
    try:
        game = read_recorded_game(path.read_bytes())
    except OSError as error:
        return FileReport(str(path), faults=(f"it cannot be read: {error.strerror}",))
    except RecordError as error:
        return FileReport(str(path), faults=(str(error),))
    except UnsupportedRecord as reason:
        return FileReport(str(path), unsupported=str(reason))
    return validate_game(str(path), game)


def validate_game(name: str, game: RecordedGame) -> FileReport:
    """Replay all hands of a game. If several rules are possible, use the first with which the game
    ends as recorded, or the first version with which engine and record agree. If the game may have
    had unknown rules, only differences that no rules can explain count."""
    report = _validate_by_version(name, game) if game.versions else _validate_by_end(name, game)
    if not game.own_rules or all(found.what in _IN_ANY_RULES for found in report.differences):
        return report
    own = [found for found in report.differences if found.what not in _IN_ANY_RULES]
    kept = tuple([found for found in report.differences if found.what in _IN_ANY_RULES])
    return replace(
        report, differences=kept, own_rules=game.own_rules, own_rule_differences=tuple(own)
    )


def _validate_by_end(name: str, game: RecordedGame) -> FileReport:
    reports = (_replay_game(name, game, rules) for rules in (game.rules, *game.other_rules))
    first = next(reports)
    if _ends_as_recorded(first):
        return first
    return next(filter(_ends_as_recorded, reports), first)


def _validate_by_version(name: str, game: RecordedGame) -> FileReport:
    """Try the versions of the rules that give the fewest wrong final points. Return the report of
    the first version that agrees with the record (of the first version if none does), with the
    names of all that agree."""
    off = [_count_wrong_final_points(rules, game) for _, rules in game.versions]
    agreeing: list[str] = []
    best: FileReport | None = None
    for (label, rules), points_off in zip(game.versions, off, strict=True):
        if points_off > min(off) or (agreeing and label == ROUNDED_VERSION_NAME):
            continue
        report = _replay_game(name, game, rules)
        if best is None or (report.agrees and not agreeing):
            best = report
        if report.agrees:
            agreeing.append(label)
    assert best is not None
    return replace(best, versions=tuple(agreeing))


def _count_wrong_final_points(rules: RuleSet, game: RecordedGame) -> int:
    """Count the seats whose final points under these rules differ from the record."""
    if game.final_scores is None or game.final_points is None:
        return 0
    _, placement = final_placement(_with_start_points(game, rules), game.final_scores, kyotaku=0)
    ours = [points for _, points in placement]
    return sum(our != their for our, their in zip(ours, game.final_points, strict=True))


def _ends_as_recorded(report: FileReport) -> bool:
    return all(found.what != END_OF_GAME for found in report.differences)


def engine_events(game: RecordedGame, report: FileReport) -> tuple[Event, ...]:
    """Return all events of the engine for a game. `Difference.at` in the report of `validate_game`
    is an index into these events."""
    if report.rules is None:
        return ()
    replay = Replay(game, report.rules)
    for hand in game.hands:
        if isinstance(hand, RecordedHand):
            _play_hand(hand, replay)
    return tuple(replay.events)


def _replay_game(name: str, game: RecordedGame, rules: RuleSet) -> FileReport:
    rules = _with_start_points(game, rules)
    try:
        replay = Replay(game, rules)
    except UnsupportedRecord as reason:
        return FileReport(name, unsupported=str(reason))
    hands: list[HandReport] = []
    differences: list[Difference] = []
    faults: list[str] = []
    for hand in game.hands:
        if isinstance(hand, BadHand) and hand.is_cut_off and hands:
            replay.notes.append(f"hand {hand.number} is left out: the record ends within it")
            continue
        if isinstance(hand, BadHand):
            faults.append(f"hand {hand.number}, {hand.fault}")
            replay.is_trusted = False
            continue
        differences += _play_hand(hand, replay)
        if game.is_over and hand is game.hands[-1]:
            replay.end_by_choice()
        if hand.broken_off and not replay.results:
            replay.notes.append(f"hand {hand.number} is not played to its end: {hand.broken_off}")
        hands.append(_hand_report(name, hand, replay))
    if game.is_over and replay.is_trusted:
        differences += _end_differences(game, replay)
    if replay.has_sticks_paid:
        differences += replay.without_sticks
    else:
        replay.notes += [
            f"hand {found.hand}: the record's payments leave the riichi sticks out"
            for found in replay.without_sticks
        ]
    return FileReport(
        name,
        game.format,
        tuple(hands),
        tuple(differences),
        tuple(faults),
        tuple(replay.notes),
        unknown=frozenset(replay.unknown),
        rules=rules,
    )


def _play_hand(hand: RecordedHand, replay: Replay) -> list[Difference]:
    """Play the hand and return its differences. An exception of the engine becomes a difference."""
    try:
        return replay.play(hand)
    except Exception as error:
        return replay.record_engine_failure(error)


def _with_start_points(game: RecordedGame, rules: RuleSet) -> RuleSet:
    """Return the rules with the start points of the record."""
    first = game.hands[0]
    if isinstance(first, BadHand) or first.kyoku or first.honba:
        return rules
    if first.scores is None or len(set(first.scores)) > 1:
        return rules
    start = first.scores[0]
    if start == rules.start_points:
        return rules
    back = max(start, rules.return_points)
    return replace(
        rules, start_points=start, return_points=back, oka=rules.players * (back - start)
    )


def _end_differences(game: RecordedGame, replay: Replay) -> list[Difference]:
    table = replay.table
    last, at = game.hands[-1].number, len(replay.events) - 1
    if table.phase != Phase.ENDED and "scores" in replay.unknown:
        return []
    if table.phase != Phase.ENDED:
        if not game.plays_on:
            what = Mismatch("end of the game", "it goes on", "it is over")
            return [Difference(last, WHOLE_HAND, "", *what, at=at)]
        replay.notes.append(f"the game ends with hand {last}: {game.plays_on}")
        ended = game_ended_event(table)
        table = replace(table, scores=ended.scores, placement=ended.placement)
    return [
        Difference(last, WHOLE_HAND, "", *mismatch, at=at)
        for mismatch in end_differences(table, game)
    ]


def _hand_report(name: str, hand: RecordedHand, replay: Replay) -> HandReport:
    results, table = replay.results, replay.table
    sums = [sum(changes) for changes in zip(*(result.deltas for result in results), strict=True)]
    has_scores = "scores" not in replay.unknown
    return HandReport(
        file=name,
        hand=hand.number,
        round=hand.kyoku,
        honba=hand.honba,
        outcome=_outcome_name(results[0]) if results else None,
        winners=tuple([_winner_report(result) for result in results if isinstance(result, Won)]),
        deltas=tuple(sums) if results and has_scores else None,
        scores=results[-1].scores if results and has_scores else None,
        final=table.scores if table.phase == Phase.ENDED and has_scores else None,
    )


def _outcome_name(result: Won | HandDrawn) -> str:
    if isinstance(result, HandDrawn):
        return _OUTCOMES.get(result.reason, result.reason)
    return "tsumo" if result.actor == result.target else "ron"


def _winner_report(won: Won) -> Winner:
    times = _YAKUMAN_HAN if won.yakuman else 1
    return Winner(
        seat=won.actor,
        target=won.target,
        han=_YAKUMAN_HAN * won.yakuman or won.fan,
        fu=won.fu,
        yaku=tuple([(name, han * times) for name, han in won.yaku]),
        points=won.points,
        pao=None if won.liable < 0 else won.liable,
    )
