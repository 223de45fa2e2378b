"""What a table is after an event. Never validates; works on redacted events too.

An event says all that has happened: nothing here looks at the wall or asks what would have
been allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from game.engine.events import (
    AnkanDeclared,
    Answered,
    AwayChanged,
    ChiCalled,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    Event,
    FourInts,
    GameEnded,
    GameRestored,
    GameStarted,
    HandDrawn,
    HandEnded,
    HandStarted,
    KakanDeclared,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallUsedUp,
    Won,
)
from game.engine.hand import exchanged, with_tile, without
from game.engine.kuikae import forbidden_kinds
from game.engine.pao import RINSHAN
from game.engine.state import (
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TSUMOGIRI,
    Dealt,
    Hand,
    Meld,
    MeldType,
    Phase,
    Riichi,
    Table,
)
from game.engine.tiles import EAST, NO_TILE
from game.engine.wall import LIVE

Hands = tuple[Hand, Hand, Hand, Hand]
_UNANSWERED: Final = (None, None, None, None)
_STICK: Final = 1_000


def evolve(table: Table, event: Event) -> Table:
    """The table after the event."""
    return _AFTER[type(event)](table, event)


def _game_started(table: Table, event: GameStarted) -> Table:
    return Table(rules=event.rules, names=event.names, seed=event.seed, away=table.away)


def _game_restored(table: Table, event: GameRestored) -> Table:
    return replace(table, seed=event.seed)


def _hand_started(table: Table, event: HandStarted) -> Table:
    east, south, west, north = event.tehais
    kyoku = 4 * ((event.bakaze >> 1) - EAST) + event.kyoku - 1
    return Table(
        rules=table.rules,
        names=table.names,
        seed=table.seed,
        away=table.away,
        phase=Phase.TURN,
        step=table.step + 1,
        kyoku=kyoku,
        honba=event.honba,
        kyotaku=event.kyotaku,
        scores=event.scores,
        hands_dealt=table.hands_dealt + 1,
        chombos=table.chombos,
        wall=event.wall,
        left=LIVE,
        dora=(event.dora_marker,),
        hands=(Hand(east), Hand(south), Hand(west), Hand(north)),
        turn=event.oya,
        history=(*table.history, Dealt(kyoku, event.honba, event.scores)),
    )


def _drawn(table: Table, event: Drawn) -> Table:
    actor = event.actor
    hands = table.hands
    if event.rinshan:
        hands = _uninterrupted_no_more(hands)
    hand = hands[actor]
    if hand.missed and hand.riichi == Riichi.NONE:
        hands = _with_hand(hands, actor, replace(hand, missed=False))
    return _after_turn(
        table,
        Phase.TURN,
        hands,
        actor,
        left=table.left - 1,
        supplements=table.supplements + event.rinshan,
        drawn=event.pai,
        rinshan=event.rinshan,
        unbroken=table.unbroken and not event.rinshan,
    )


def _discarded(table: Table, event: Discarded) -> Table:
    actor = event.actor
    hand = table.hands[actor]
    tiles = hand.tiles
    entry = event.pai
    if event.tsumogiri:
        entry |= RIVER_TSUMOGIRI
    elif table.drawn == NO_TILE:
        tiles = without(tiles, (event.pai,))
    else:
        tiles = exchanged(tiles, event.pai, table.drawn)
    if hand.riichi and not any(
        laid & RIVER_RIICHI and not laid & RIVER_TAKEN for laid in hand.river
    ):
        entry |= RIVER_RIICHI
    hand = replace(hand, tiles=tiles, river=(*hand.river, entry), ippatsu=False)
    hands = _with_missed(_with_hand(table.hands, actor, _past_rinshan(hand)), event.waiting)
    return _after_turn(
        table,
        Phase.CLAIMS,
        hands,
        actor,
        left=table.left,
        supplements=table.supplements,
        unbroken=table.unbroken,
        claimed=event.pai,
        may_ron=event.may_ron,
        may_call=event.may_call,
        may_foul=event.may_foul,
    )


def _after_turn(
    table: Table,
    phase: Phase,
    hands: Hands,
    turn: int,
    *,
    left: int,
    supplements: int,
    unbroken: bool,
    drawn: int = NO_TILE,
    rinshan: bool = False,
    claimed: int = NO_TILE,
    may_ron: int = 0,
    may_call: int = 0,
    may_foul: int = 0,
) -> Table:
    """The table after a draw or a discard. These are nearly all that ever happens, and fields
    that are given by their place take half the time of fields that are replaced by name."""
    return Table(
        table.rules,
        table.names,
        table.seed,
        table.away,
        phase,
        table.step + 1,
        table.kyoku,
        table.honba,
        table.kyotaku,
        table.scores,
        table.hands_dealt,
        table.wall,
        left,
        supplements,
        table.dora,
        table.dora_due,
        hands,
        turn,
        drawn,
        rinshan,
        unbroken,
        0,  # forbidden
        False,  # robbing
        claimed,
        may_ron,
        may_call,
        _UNANSWERED,
        table.results,
        table.placement,
        table.may_show,
        table.history,
        table.bonus,
        may_foul,
        table.chombos,
    )


def _riichi_declared(table: Table, event: RiichiDeclared) -> Table:
    hand = replace(table.hands[event.actor], riichi=Riichi.DECLARED, double_riichi=event.double)
    return replace(table, hands=_with_hand(table.hands, event.actor, hand))


def _riichi_accepted(table: Table, event: RiichiAccepted) -> Table:
    actor = event.actor
    hand = replace(table.hands[actor], riichi=Riichi.ACCEPTED, ippatsu=True)
    scores = list(table.scores)
    scores[actor] -= _STICK
    return replace(
        table,
        hands=_with_hand(table.hands, actor, hand),
        scores=_four(scores),
        kyotaku=table.kyotaku + 1,
    )


def _run_called(table: Table, event: ChiCalled) -> Table:
    return _called(table, event, MeldType.CHI, event.liable_for)


def _triplet_called(table: Table, event: PonCalled) -> Table:
    return _called(table, event, MeldType.PON, event.liable_for)


def _kan_called(table: Table, event: DaiminkanCalled) -> Table:
    called = _called(table, event, MeldType.DAIMINKAN, event.liable_for)
    return replace(called, dora_due=_one_more_dora(table), forbidden=0)


def _called(
    table: Table,
    event: ChiCalled | PonCalled | DaiminkanCalled,
    meld_type: MeldType,
    liable_for: tuple[str, ...],
) -> Table:
    actor, target = event.actor, event.target
    laid = tuple(sorted((event.pai, *event.consumed)))
    hands = _uninterrupted_no_more(table.hands)
    giver, taker = hands[target], hands[actor]
    *river, last = giver.river
    hands = _with_hand(hands, target, replace(giver, river=(*river, last | RIVER_TAKEN)))
    taker = replace(
        taker,
        tiles=without(taker.tiles, event.consumed),
        melds=(*taker.melds, Meld(meld_type, laid, event.pai, target)),
        liable=(*taker.liable, *((yaku, target) for yaku in liable_for)),
        missed=False,
    )
    hands = _with_hand(hands, actor, taker)
    if table.rules.missed_ends == "own_turn_or_any_call":
        hands = _forgiven(hands)
    return replace(
        table,
        phase=Phase.TURN,
        step=table.step + 1,
        hands=hands,
        turn=actor,
        drawn=NO_TILE,
        unbroken=False,
        forbidden=forbidden_kinds(table.rules, event.pai, event.consumed),
        claimed=NO_TILE,
        may_ron=0,
        may_foul=0,
        may_call=0,
        answers=_UNANSWERED,
    )


def _closed_kan(table: Table, event: AnkanDeclared) -> Table:
    hand = table.hands[event.actor]
    meld = Meld(MeldType.ANKAN, tuple(sorted(event.consumed)), NO_TILE, event.actor)
    hand = replace(
        hand,
        tiles=without(_with_drawn(table, hand), event.consumed),
        melds=(*hand.melds, meld),
    )
    return _kan_declared(table, event, hand, event.consumed[0])


def _added_kan(table: Table, event: KakanDeclared) -> Table:
    hand = table.hands[event.actor]
    kind = event.pai >> 1
    melds = tuple(
        Meld(
            MeldType.KAKAN,
            tuple(sorted((*meld.tiles, event.pai))),
            meld.called,
            meld.target,
            event.pai,
        )
        if meld.type == MeldType.PON and meld.tiles[0] >> 1 == kind
        else meld
        for meld in hand.melds
    )
    hand = replace(hand, tiles=without(_with_drawn(table, hand), (event.pai,)), melds=melds)
    return _kan_declared(table, event, hand, event.pai)


def _kan_declared(
    table: Table, event: AnkanDeclared | KakanDeclared, hand: Hand, tile: int
) -> Table:
    hands = _with_hand(table.hands, event.actor, _past_rinshan(hand))
    return replace(
        table,
        phase=Phase.CLAIMS,
        step=table.step + 1,
        dora_due=_one_more_dora(table),
        hands=_with_missed(hands, event.waiting),
        turn=event.actor,
        drawn=NO_TILE,
        rinshan=False,
        robbing=True,
        claimed=tile,
        may_ron=event.may_ron,
        may_foul=event.may_foul,
        may_call=0,
        answers=_UNANSWERED,
    )


def _dora_revealed(table: Table, event: DoraRevealed) -> Table:
    return replace(
        table,
        dora=(*table.dora, event.dora_marker),
        dora_due=table.dora_due - 1,
    )


def _answered(table: Table, event: Answered) -> Table:
    answers = list(table.answers)
    answers[event.actor] = event.action
    return replace(table, answers=tuple(answers))


def _won(table: Table, event: Won) -> Table:
    hand = replace(table.hands[event.actor], tiles=event.tehai, missed=False, shown=True)
    return replace(
        table,
        hands=_with_hand(table.hands, event.actor, hand),
        scores=event.scores,
        kyotaku=table.kyotaku - sum(event.deltas) // _STICK,
        drawn=event.pai if event.actor == event.target else table.drawn,
        results=(*table.results, event),
    )


def _wall_used_up(table: Table, event: WallUsedUp) -> Table:
    return replace(
        table,
        phase=Phase.SHOWING,
        step=table.step + 1,
        claimed=NO_TILE,
        may_ron=0,
        may_foul=0,
        may_call=0,
        may_show=event.may_show,
        answers=_UNANSWERED,
    )


def _hand_drawn(table: Table, event: HandDrawn) -> Table:
    hands = table.hands
    for seat, tiles in enumerate(event.tehais):
        if tiles:
            hands = _with_hand(hands, seat, replace(hands[seat], tiles=tiles, shown=True))
    return replace(
        table,
        hands=hands,
        scores=event.scores,
        kyotaku=table.kyotaku - sum(event.deltas) // _STICK,
        drawn=NO_TILE,
        results=(*table.results, event),
        chombos=_with_fouls(table.chombos, event.offenders),
    )


def _hand_ended(table: Table, event: HandEnded) -> Table:
    return replace(
        table,
        phase=Phase.RESULT,
        step=table.step + 1,
        may_ron=0,
        may_foul=0,
        may_call=0,
        may_show=0,
        answers=_UNANSWERED,
    )


def _game_ended(table: Table, event: GameEnded) -> Table:
    return replace(
        table,
        phase=Phase.ENDED,
        step=table.step + 1,
        scores=event.scores,
        kyotaku=0,
        placement=event.placement,
        bonus=event.bonus,
        answers=_UNANSWERED,
    )


def _away_changed(table: Table, event: AwayChanged) -> Table:
    away = list(table.away)
    away[event.actor] = event.away
    return replace(table, away=(away[0], away[1], away[2], away[3]))


def _with_hand(hands: Hands, seat: int, hand: Hand) -> Hands:
    east, south, west, north = hands
    match seat:
        case 0:
            return hand, south, west, north
        case 1:
            return east, hand, west, north
        case 2:
            return east, south, hand, north
        case _:
            return east, south, west, hand


def _with_missed(hands: Hands, waiting: int) -> Hands:
    """The hands, those for which the open tile is a winning one marked as having missed it:
    it counts unless they win now."""
    for seat in range(4) if waiting else ():
        if waiting >> seat & 1:
            hands = _with_hand(hands, seat, replace(hands[seat], missed=True))
    return hands


def _forgiven(hands: Hands) -> Hands:
    """The hands without what they missed, those in riichi apart."""
    for seat, hand in enumerate(hands):
        if hand.missed and hand.riichi == Riichi.NONE:
            hands = _with_hand(hands, seat, replace(hand, missed=False))
    return hands


def _uninterrupted_no_more(hands: Hands) -> Hands:
    """The hands after a call or kan: nobody's ippatsu lives on."""
    for seat, hand in enumerate(hands):
        if hand.ippatsu:
            hands = _with_hand(hands, seat, replace(hand, ippatsu=False))
    return hands


def _past_rinshan(hand: Hand) -> Hand:
    """The hand when its replacement tile has not won: who fed the kan is out of that."""
    if not hand.liable:
        return hand
    left = tuple([entry for entry in hand.liable if entry[0] != RINSHAN])
    return replace(hand, liable=left)


def _with_drawn(table: Table, hand: Hand) -> tuple[int, ...]:
    """The concealed tiles, the drawn one sorted into them."""
    return hand.tiles if table.drawn == NO_TILE else with_tile(hand.tiles, table.drawn)


def _one_more_dora(table: Table) -> int:
    return table.dora_due + table.rules.kan_dora


def _with_fouls(chombos: FourInts, offenders: tuple[int, ...]) -> FourInts:
    """The fouls of each seat, these added."""
    if not offenders:
        return chombos
    return _four([count + (seat in offenders) for seat, count in enumerate(chombos)])


def _four(numbers: list[int]) -> FourInts:
    return numbers[0], numbers[1], numbers[2], numbers[3]


_AFTER: Final[dict[type, Callable[[Table, Any], Table]]] = {
    GameStarted: _game_started,
    HandStarted: _hand_started,
    Drawn: _drawn,
    Discarded: _discarded,
    RiichiDeclared: _riichi_declared,
    RiichiAccepted: _riichi_accepted,
    ChiCalled: _run_called,
    PonCalled: _triplet_called,
    DaiminkanCalled: _kan_called,
    AnkanDeclared: _closed_kan,
    KakanDeclared: _added_kan,
    DoraRevealed: _dora_revealed,
    Answered: _answered,
    Won: _won,
    WallUsedUp: _wall_used_up,
    HandDrawn: _hand_drawn,
    HandEnded: _hand_ended,
    GameEnded: _game_ended,
    AwayChanged: _away_changed,
    GameRestored: _game_restored,
}
