"""The choices of a seat with their figures: discards, calls, kans, wins and passing.

Owns how an offered action becomes a `Choice`. Pure. Works on what the seat sees, never on hidden
tiles. Value, cost and score are those of the bot's model (`game.bots.discards`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from game.analysis import discard_speed
from game.analysis.danger import Threat
from game.analysis.discard_speed import (
    MAX_CURVE_SHANTEN,
    Speed,
    curves_after,
    fastest_discards,
    speed_after,
    speed_of,
)
from game.analysis.hand_value import avoided_loss, count_dora, estimate_best_goal
from game.analysis.study import SeatView, study
from game.analysis.study_answer import Wait
from game.analysis.visible_tiles import VisibleTiles
from game.bots.calling import call_option
from game.bots.discards import RatedDiscard, rate_discards
from game.bots.riichi import riichi_gain
from game.engine import wins
from game.engine.actions import (
    Action,
    CallChi,
    CallKan,
    CallPon,
    DeclareAnkan,
    DeclareKakan,
    DeclareKyushu,
    DeclareRiichi,
    Discard,
    Pass,
    SetNorthAside,
    Win,
)
from game.engine.nukidora import NORTH_TILE, is_north_open
from game.engine.state import Meld, MeldType, Phase
from game.engine.tiles import NO_TILE, NORTH, count_kinds, kind_of, tile_from_text, tile_to_text
from game.reviews.dangers import combined_rate, dangers_of
from game.reviews.figures import ChanceCurves, Choice, RiichiFigures

_NAMES: Final = {
    Discard: "discard",
    DeclareRiichi: "discard",
    CallChi: "chi",
    CallPon: "pon",
    CallKan: "kan",
    DeclareAnkan: "kan",
    DeclareKakan: "kan",
    SetNorthAside: "kita",
    DeclareKyushu: "abort",
    Win: "win",
    Pass: "pass",
}

Tiles = tuple[int, ...]


def name_of(action: Action) -> str:
    """Return the name of the action as in `Choice.action`; '' for an answer that is not a
    choice."""
    return _NAMES.get(type(action), "")


def laid_by(action: Action) -> Tiles:
    """Return the tiles of the hand that a call or a kan exposes, or that are set aside."""
    match action:
        case CallChi() | CallPon() | CallKan() | DeclareAnkan():
            return action.consumed
        case DeclareKakan(pai=pai):
            return (pai,)
        case SetNorthAside():
            return (NORTH_TILE,)
        case _:
            return ()


def place_of(choices: Sequence[Choice], action: Action) -> int | None:
    """Return which of the choices the action is."""
    name, laid = name_of(action), _texts(laid_by(action))
    tile = tile_to_text(action.pai) if isinstance(action, Discard | DeclareRiichi) else ""
    for place, choice in enumerate(choices):
        is_same = choice.tile == tile if name == "discard" else choice.laid == laid
        if choice.action == name and is_same:
            return place
    return None


def choices_of(
    visible: VisibleTiles,
    actions: Sequence[Action],
    against: tuple[Threat, ...],
    rated: Sequence[RatedDiscard],
) -> list[Choice]:
    """Return the choices among these actions, without curves: first the others without duplicates,
    then the rated discards."""
    found: list[Choice] = []
    for action in actions:
        if not isinstance(action, Discard | DeclareRiichi):
            choice = _choice(visible, action, against)
            if choice not in found:
                found.append(choice)
    if not rated:
        return _label_fastest(found)
    riichi = _riichi_figures(visible, actions, rated, against)
    return [*found, *_discards(visible, rated, against, riichi)]


def rated_discards(
    visible: VisibleTiles, actions: Sequence[Action], against: tuple[Threat, ...]
) -> list[RatedDiscard]:
    """Return the possible discards, the one that the bot rates highest first."""
    tiles = sorted({action.pai for action in actions if isinstance(action, Discard)})
    if not tiles:
        return []
    return rate_discards(visible, visible.tiles, visible.hand.melds, tiles, against)


def _choice(visible: VisibleTiles, action: Action, against: tuple[Threat, ...]) -> Choice:
    name, laid = name_of(action), _texts(laid_by(action))
    match action:
        case CallChi() | CallPon():
            return _call(visible, action, against)
        case Win():
            return _win(visible)
        case DeclareKyushu():
            return Choice(name)
        case CallKan() | DeclareAnkan() | DeclareKakan():
            counts, melds = _after_kan(visible, action)
            return _rest(visible, counts, melds, Choice(name, laid=laid))
        case SetNorthAside():
            counts = visible.counts.copy()
            counts[NORTH] -= 1
            choice = Choice(name, laid=laid)
            return _rest(visible, counts, visible.hand.melds, choice, added_dora=1)
        case _:
            if visible.table.phase == Phase.TURN:
                raise ValueError(f"no choice of a turn: {action}")
            return _rest(visible, visible.counts, visible.hand.melds, Choice(name))


def _rest(
    visible: VisibleTiles,
    counts: list[int],
    melds: tuple[Meld, ...],
    choice: Choice,
    added_dora: int = 0,
) -> Choice:
    """Return the choice with the figures of a hand before its draw."""
    speed = speed_of(visible, counts)
    dora = count_dora(visible, visible.tiles, visible.hand.melds) + added_dora
    value = estimate_best_goal(visible, counts.copy(), melds, dora, with_next_waits=True).value
    return replace(
        choice,
        shanten=speed.shanten,
        useful=_useful(speed),
        unseen=speed.unseen,
        value=round(value),
        score=round(value),
    )


def _after_kan(
    visible: VisibleTiles, action: CallKan | DeclareAnkan | DeclareKakan
) -> tuple[list[int], tuple[Meld, ...]]:
    """Return the concealed tiles by kind and the melds after a kan, before the replacement."""
    table, melds = visible.table, visible.hand.melds
    counts = visible.counts.copy()
    for tile in laid_by(action):
        counts[kind_of(tile)] -= 1
    match action:
        case DeclareKakan(pai=pai):
            return counts, tuple(_with_added(meld, pai) for meld in melds)
        case DeclareAnkan(consumed=consumed):
            return counts, (*melds, Meld(MeldType.ANKAN, consumed, NO_TILE, visible.seat))
        case CallKan(consumed=consumed):
            tiles = tuple(sorted((*consumed, table.claimed)))
            return counts, (*melds, Meld(MeldType.DAIMINKAN, tiles, table.claimed, table.turn))


def _with_added(meld: Meld, tile: int) -> Meld:
    """Return the pon of this kind as an added kan, and other melds as they are."""
    if meld.type != MeldType.PON or kind_of(meld.tiles[0]) != kind_of(tile):
        return meld
    tiles = tuple(sorted((*meld.tiles, tile)))
    return replace(meld, type=MeldType.KAKAN, tiles=tiles, added=tile)


def _call(visible: VisibleTiles, call: CallChi | CallPon, against: tuple[Threat, ...]) -> Choice:
    """Return the figures after a call and the discard with the highest score."""
    option = call_option(visible, call, against)
    if option is None:
        raise ValueError(f"{call} leaves no legal discard")
    best = option.discard
    counts = count_kinds(option.rest)
    counts[kind_of(best.tile)] -= 1
    speed = speed_of(visible, counts)
    dangers = dangers_of(visible, against, [best.tile])[best.tile]
    return Choice(
        name_of(call),
        tile=tile_to_text(best.tile),
        laid=_texts(call.consumed),
        shanten=speed.shanten,
        useful=_useful(speed),
        unseen=speed.unseen,
        dangers=dangers,
        danger=combined_rate(dangers),
        value=round(best.value),
        cost=round(best.cost),
        score=round(best.value - best.cost),
    )


def _win(visible: VisibleTiles) -> Choice:
    """Return the win of this seat alone, without ura dora, because the view of a seat has no
    wall."""
    table, seat = visible.table, visible.seat
    if table.phase == Phase.TURN:
        won = wins.tsumo_win(table)
    else:
        is_closed = any(
            meld.type == MeldType.ANKAN and kind_of(meld.tiles[0]) == kind_of(table.claimed)
            for meld in table.hands[table.turn].melds
        )
        chankan = table.robbing and not is_closed and not is_north_open(table)
        (won,) = wins.ron_wins(table, [seat], chankan=chankan)
    paid = won.deltas[seat]
    worth = visible.stakes.win(won.points) if visible.stakes is not None else paid
    return Choice("win", value=paid, score=round(worth + avoided_loss(visible)))


def _discards(
    visible: VisibleTiles,
    rated: Sequence[RatedDiscard],
    against: tuple[Threat, ...],
    riichi: Mapping[str, RiichiFigures],
) -> Iterable[Choice]:
    speeds = {choice.tile: speed_after(visible, kind_of(choice.tile)) for choice in rated}
    dangers = dangers_of(visible, against, speeds)
    choices = [
        Choice(
            "discard",
            tile=tile_to_text(choice.tile),
            shanten=speeds[choice.tile].shanten,
            useful=_useful(speeds[choice.tile]),
            unseen=speeds[choice.tile].unseen,
            dangers=dangers[choice.tile],
            danger=combined_rate(dangers[choice.tile]),
            value=round(choice.value),
            cost=round(choice.cost),
            score=round(choice.score),
            riichi=riichi.get(tile_to_text(choice.tile)),
        )
        for choice in rated
    ]
    names = {tile_to_text(tile) for tile in fastest_discards(speeds)}
    least = min((choice.danger for choice in choices if choice.danger is not None), default=None)
    for choice in choices:
        labels = {
            "fastest": choice.tile in names,
            "safest": choice.danger is not None and choice.danger == least,
        }
        yield replace(choice, labels=[label for label, is_set in labels.items() if is_set])


def with_curves_of(
    visible: VisibleTiles, choices: Sequence[Choice], places: Collection[int]
) -> list[Choice]:
    """Return the choices, with curves for the discards at these places after which the hand is
    close enough to a win. If all have them, label the one that is worth most alone. Without the
    solver there are none."""
    if not discard_speed.HAS_SOLVER:
        return list(choices)
    found = [
        replace(choice, curves=_curves(visible, choice)) if place in places else choice
        for place, choice in enumerate(choices)
    ]
    most = max((choice.curves.points for choice in found if choice.curves), default=0)
    if len(places) < len(choices) or most == 0:
        return found
    return [
        replace(choice, labels=[*choice.labels, "worth_most"])
        if choice.curves and choice.curves.points == most
        else choice
        for choice in found
    ]


def _curves(visible: VisibleTiles, choice: Choice) -> ChanceCurves | None:
    is_near = choice.shanten is not None and choice.shanten <= MAX_CURVE_SHANTEN
    if choice.action != "discard" or not is_near:
        return None
    rated = curves_after(visible, tile_from_text(choice.tile))
    return ChanceCurves(_steps(rated.tenpai), _steps(rated.win), round(rated.points))


def _steps(curve: Iterable[float]) -> list[int]:
    """Return by how much the curve rises with each draw, in per mille."""
    heights = [round(1_000 * chance) for chance in curve]
    return [after - before for before, after in pairwise([0, *heights])]


def _label_fastest(choices: Sequence[Choice]) -> list[Choice]:
    """Label the fastest of the choices on an open tile."""
    going_on = [choice for choice in choices if choice.shanten is not None]
    best = min((_slowness(choice) for choice in going_on), default=None)
    return [
        replace(choice, labels=["fastest"])
        if choice.shanten is not None and _slowness(choice) == best
        else choice
        for choice in choices
    ]


def _slowness(choice: Choice) -> tuple[int, int]:
    return choice.shanten or 0, -choice.unseen


def _riichi_figures(
    visible: VisibleTiles,
    actions: Iterable[Action],
    rated: Iterable[RatedDiscard],
    against: tuple[Threat, ...],
) -> dict[str, RiichiFigures]:
    """Return by discard what riichi changes, for discards with which it can be declared."""
    tiles = {action.pai for action in actions if isinstance(action, DeclareRiichi)}
    if not tiles:
        return {}
    found = study(SeatView(visible.table, visible.seat))
    waits = {choice.pai: choice.then.waits for choice in found.discards}
    return {
        (text := tile_to_text(choice.tile)): RiichiFigures(
            declared=_mean_ron(waits[text], in_riichi=True),
            silent=_mean_ron(waits[text], in_riichi=False),
            gain=round(riichi_gain(visible, choice, against)),
        )
        for choice in rated
        if choice.tile in tiles
    }


def _mean_ron(waits: Iterable[Wait], *, in_riichi: bool) -> int:
    total = copies = 0
    for wait in waits:
        worth = wait.ron
        if in_riichi:
            worth = wait.riichi.ron if wait.riichi is not None else None
        total += wait.left * (worth.points if worth is not None else 0)
        copies += wait.left
    return round(total / copies) if copies else 0


def _useful(speed: Speed) -> dict[str, int]:
    return {tile_to_text(2 * kind): left for kind, left in speed.useful.items()}


def _texts(tiles: Iterable[int]) -> list[str]:
    return [tile_to_text(tile) for tile in tiles]
