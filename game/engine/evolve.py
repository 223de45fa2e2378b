"""Applies events to a table.

Owns how each event changes the state. Must not validate events, look at the wall or ask what is
legal: an event contains all that is needed. Works on redacted events too.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from msgspec.structs import replace

from game.engine.by_seat import BySeat
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
    GameEnded,
    GameRestored,
    GameStarted,
    HandDrawn,
    HandEnded,
    HandStarted,
    KakanDeclared,
    LastHandCalled,
    NorthSetAside,
    PonCalled,
    RiichiAccepted,
    RiichiDeclared,
    WallBound,
    WallCommitted,
    WallDrawOpened,
    WallRevealed,
    WallSeeded,
    WallUsedUp,
    WallVoided,
    Won,
)
from game.engine.hand import after_discard, remove_tiles, with_tile
from game.engine.kuikae import forbidden_kinds
from game.engine.nukidora import is_north_open
from game.engine.pao import RINSHAN
from game.engine.state import (
    DEALS_PER_ROUND,
    RIVER_RIICHI,
    RIVER_TAKEN,
    RIVER_TSUMOGIRI,
    SEATS_OF,
    STICK_POINTS,
    Dealt,
    Hand,
    Meld,
    MeldType,
    Phase,
    Riichi,
    Table,
)
from game.engine.tiles import EAST, NO_TILE, kind_of
from game.engine.wall import LAYOUTS
from game.engine.wall_draw import evolve_draw

Hands = BySeat[Hand]
_UNANSWERED: Final[dict[int, BySeat[None]]] = {players: (None,) * players for players in SEATS_OF}
_CLEARED_CLAIMS: Final[dict[int, dict[str, Any]]] = {
    players: {"may_ron": 0, "may_foul": 0, "may_call": 0, "answers": unanswered}
    for players, unanswered in _UNANSWERED.items()
}
"""By the number of players, like `_UNANSWERED`."""


def evolve(table: Table, event: Event) -> Table:
    """Return the table after the event."""
    match event:  # the most frequent events first
        case Drawn():
            return _on_drawn(table, event)
        case Discarded():
            return _on_discarded(table, event)
        case Answered():
            return _on_answered(table, event)
        case PonCalled():
            return _on_called(table, event, MeldType.PON)
        case ChiCalled():
            return _on_called(table, event, MeldType.CHI)
        case HandEnded():
            return _on_hand_ended(table, event)
        case HandStarted():
            return _on_hand_started(table, event)
        case RiichiDeclared():
            return _on_riichi_declared(table, event)
        case RiichiAccepted():
            return _on_riichi_accepted(table, event)
        case Won():
            return _on_won(table, event)
        case HandDrawn():
            return _on_hand_drawn(table, event)
        case DoraRevealed():
            return _on_dora_revealed(table, event)
        case NorthSetAside():
            return _on_north_set_aside(table, event)
        case AnkanDeclared():
            return _on_ankan_declared(table, event)
        case KakanDeclared():
            return _on_kakan_declared(table, event)
        case DaiminkanCalled():
            return _on_daiminkan_called(table, event)
        case WallUsedUp():
            return _on_wall_used_up(table, event)
        case AwayChanged():
            return _on_away_changed(table, event)
        case GameStarted():
            return _on_game_started(table, event)
        case GameEnded():
            return _on_game_ended(table, event)
        case GameRestored():
            return _on_game_restored(table, event)
        case LastHandCalled():
            return replace(table, last_hand=table.hands_dealt + 1)
        case (
            WallDrawOpened()
            | WallCommitted()
            | WallBound()
            | WallRevealed()
            | WallVoided()
            | WallSeeded()
        ):
            return evolve_draw(table, event)
        case _:
            assert_never(event)


def _on_game_started(table: Table, event: GameStarted) -> Table:
    players = event.rules.players
    return Table(
        rules=event.rules,
        names=event.names,
        seed=event.seed,
        away=table.away[:players],
        scores=(0,) * players,
        hands=(Hand(),) * players,
        answers=_UNANSWERED[players],
        chombos=(0,) * players,
    )


def _on_game_restored(table: Table, event: GameRestored) -> Table:
    return replace(table, seed=event.seed)


def _on_hand_started(table: Table, event: HandStarted) -> Table:
    kyoku = DEALS_PER_ROUND * (kind_of(event.bakaze) - EAST) + event.kyoku - 1
    players = table.rules.players
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
        wall_draw=table.wall_draw,
        last_hand=table.last_hand,
        wall=event.wall,
        left=LAYOUTS[players].live,
        dora=(event.dora_marker,),
        hands=tuple([Hand(tiles) for tiles in event.tehais]),
        turn=event.oya,
        answers=_UNANSWERED[players],
        history=(*table.history, Dealt(kyoku, event.honba, event.scores)),
    )


def _on_drawn(table: Table, event: Drawn) -> Table:
    actor = event.actor
    hands, rules = table.hands, table.rules
    is_kan = event.rinshan and not is_north_open(table)
    interrupts = is_kan or (event.rinshan and rules.nuki_interrupts)
    if interrupts:
        hands = _with_ippatsu_cleared(hands)
    hand = hands[actor]
    if hand.missed and hand.riichi == Riichi.NONE:
        hands = _with_hand(hands, actor, replace(hand, missed=False))
    return replace(
        table,
        phase=Phase.TURN,
        step=table.step + 1,
        left=table.left - 1,
        supplements=table.supplements + event.rinshan,
        hands=hands,
        turn=actor,
        drawn=event.pai,
        rinshan=is_kan or (event.rinshan and rules.nuki_rinshan),
        unbroken=table.unbroken and not interrupts,
        robbing=False,
        claimed=NO_TILE,
        **_CLEARED_CLAIMS[rules.players],
    )


def _on_discarded(table: Table, event: Discarded) -> Table:
    actor = event.actor
    hand = table.hands[actor]
    tiles = after_discard(hand.tiles, table.drawn, event.pai, tsumogiri=event.tsumogiri)
    entry = event.pai | RIVER_TSUMOGIRI * event.tsumogiri
    if hand.riichi and not any(
        laid & RIVER_RIICHI and not laid & RIVER_TAKEN for laid in hand.river
    ):
        entry |= RIVER_RIICHI
    hand = replace(hand, tiles=tiles, river=(*hand.river, entry), ippatsu=False)
    hands = _with_hand(table.hands, actor, _without_rinshan_pao(hand))
    return replace(
        table,
        phase=Phase.CLAIMS,
        step=table.step + 1,
        hands=_with_missed(hands, event.waiting),
        turn=actor,
        drawn=NO_TILE,
        rinshan=False,
        forbidden=0,
        claimed=event.pai,
        may_ron=event.may_ron,
        may_foul=event.may_foul,
        may_call=event.may_call,
        answers=_UNANSWERED[table.rules.players],
    )


def _on_riichi_declared(table: Table, event: RiichiDeclared) -> Table:
    hand = replace(table.hands[event.actor], riichi=Riichi.DECLARED, double_riichi=event.double)
    return replace(table, hands=_with_hand(table.hands, event.actor, hand))


def _on_riichi_accepted(table: Table, event: RiichiAccepted) -> Table:
    actor = event.actor
    hand = replace(table.hands[actor], riichi=Riichi.ACCEPTED, ippatsu=True)
    scores = list(table.scores)
    scores[actor] -= STICK_POINTS
    return replace(
        table,
        hands=_with_hand(table.hands, actor, hand),
        scores=tuple(scores),
        kyotaku=table.kyotaku + 1,
    )


def _on_daiminkan_called(table: Table, event: DaiminkanCalled) -> Table:
    called = _on_called(table, event, MeldType.DAIMINKAN)
    return replace(called, dora_due=_dora_due_after_kan(table), forbidden=0)


def _on_called(
    table: Table,
    event: ChiCalled | PonCalled | DaiminkanCalled,
    meld_type: MeldType,
) -> Table:
    actor, target = event.actor, event.target
    laid = tuple(sorted((event.pai, *event.consumed)))
    hands = _with_ippatsu_cleared(table.hands)
    giver, taker = hands[target], hands[actor]
    *river, last = giver.river
    hands = _with_hand(hands, target, replace(giver, river=(*river, last | RIVER_TAKEN)))
    taker = replace(
        taker,
        tiles=remove_tiles(taker.tiles, event.consumed),
        melds=(*taker.melds, Meld(meld_type, laid, event.pai, target)),
        liable=(*taker.liable, *((yaku, target) for yaku in event.liable_for)),
        missed=False,
    )
    hands = _with_hand(hands, actor, taker)
    if table.rules.missed_ends == "own_turn_or_any_call":
        hands = _with_missed_cleared(hands)
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
        **_CLEARED_CLAIMS[table.rules.players],
    )


def _on_ankan_declared(table: Table, event: AnkanDeclared) -> Table:
    hand = table.hands[event.actor]
    meld = Meld(MeldType.ANKAN, tuple(sorted(event.consumed)), NO_TILE, event.actor)
    hand = replace(
        hand,
        tiles=remove_tiles(_with_drawn(table, hand), event.consumed),
        melds=(*hand.melds, meld),
    )
    table = replace(table, dora_due=_dora_due_after_kan(table))
    return _open_to_robbers(table, event, hand, event.consumed[0])


def _on_kakan_declared(table: Table, event: KakanDeclared) -> Table:
    hand = table.hands[event.actor]
    kind = kind_of(event.pai)
    melds = tuple(
        Meld(
            MeldType.KAKAN,
            tuple(sorted((*meld.tiles, event.pai))),
            meld.called,
            meld.target,
            event.pai,
        )
        if meld.type == MeldType.PON and kind_of(meld.tiles[0]) == kind
        else meld
        for meld in hand.melds
    )
    hand = replace(hand, tiles=remove_tiles(_with_drawn(table, hand), (event.pai,)), melds=melds)
    table = replace(table, dora_due=_dora_due_after_kan(table))
    return _open_to_robbers(table, event, hand, event.pai)


def _on_north_set_aside(table: Table, event: NorthSetAside) -> Table:
    hand = table.hands[event.actor]
    tiles = remove_tiles(_with_drawn(table, hand), (event.pai,))
    hand = replace(hand, tiles=tiles, norths=hand.norths + 1)
    return _open_to_robbers(table, event, hand, event.pai)


def _open_to_robbers(
    table: Table, event: AnkanDeclared | KakanDeclared | NorthSetAside, hand: Hand, tile: int
) -> Table:
    """Return the table with this kan or north laid down, while other seats may win on the tile."""
    hands = _with_hand(table.hands, event.actor, _without_rinshan_pao(hand))
    return replace(
        table,
        phase=Phase.CLAIMS,
        step=table.step + 1,
        hands=_with_missed(hands, event.waiting),
        turn=event.actor,
        drawn=NO_TILE,
        rinshan=False,
        robbing=True,
        claimed=tile,
        may_ron=event.may_ron,
        may_foul=event.may_foul,
        may_call=0,
        answers=_UNANSWERED[table.rules.players],
    )


def _on_dora_revealed(table: Table, event: DoraRevealed) -> Table:
    return replace(
        table,
        dora=(*table.dora, event.dora_marker),
        dora_due=table.dora_due - 1,
    )


def _on_answered(table: Table, event: Answered) -> Table:
    answers = list(table.answers)
    answers[event.actor] = event.action
    return replace(table, answers=tuple(answers))


def _on_won(table: Table, event: Won) -> Table:
    hand = replace(table.hands[event.actor], tiles=event.tehai, missed=False, shown=True)
    return replace(
        table,
        hands=_with_hand(_without_robbed_north(table, event), event.actor, hand),
        scores=event.scores,
        kyotaku=table.kyotaku - sum(event.deltas) // STICK_POINTS,
        drawn=event.pai if event.actor == event.target else table.drawn,
        results=(*table.results, event),
    )


def _without_robbed_north(table: Table, event: Won) -> Hands:
    """Return the hands after the first win on a north that was being set aside. That north no
    longer counts for the seat that set it aside."""
    if table.results or not is_north_open(table):
        return table.hands
    hand = table.hands[event.target]
    return _with_hand(table.hands, event.target, replace(hand, norths=hand.norths - 1))


def _on_wall_used_up(table: Table, event: WallUsedUp) -> Table:
    return replace(
        table,
        phase=Phase.SHOWING,
        step=table.step + 1,
        claimed=NO_TILE,
        may_show=event.may_show,
        **_CLEARED_CLAIMS[table.rules.players],
    )


def _on_hand_drawn(table: Table, event: HandDrawn) -> Table:
    hands = table.hands
    for seat, tiles in enumerate(event.tehais):
        if tiles:
            hands = _with_hand(hands, seat, replace(hands[seat], tiles=tiles, shown=True))
    return replace(
        table,
        hands=hands,
        scores=event.scores,
        kyotaku=table.kyotaku - sum(event.deltas) // STICK_POINTS,
        drawn=NO_TILE,
        results=(*table.results, event),
        last_hand=_last_hand_after(table, event),
        chombos=_with_chombos(table.chombos, event.offenders),
    )


def _last_hand_after(table: Table, event: HandDrawn) -> int:
    """Return the number of the last hand. After an abandoned hand it is one higher, because the
    hand is played again."""
    return (
        table.last_hand + 1 if table.last_hand and event.reason == "abandoned" else table.last_hand
    )


def _on_hand_ended(table: Table, event: HandEnded) -> Table:
    return replace(
        table,
        phase=Phase.RESULT,
        step=table.step + 1,
        may_show=0,
        **_CLEARED_CLAIMS[table.rules.players],
    )


def _on_game_ended(table: Table, event: GameEnded) -> Table:
    return replace(
        table,
        phase=Phase.ENDED,
        step=table.step + 1,
        scores=event.scores,
        kyotaku=0,
        placement=event.placement,
        bonus=event.bonus,
        broken_off=event.broken_off,
        answers=_UNANSWERED[table.rules.players],
    )


def _on_away_changed(table: Table, event: AwayChanged) -> Table:
    away = list(table.away)
    away[event.actor] = event.away
    return replace(table, away=tuple(away))


def _with_hand(hands: Hands, seat: int, hand: Hand) -> Hands:
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)


def _with_missed(hands: Hands, waiting: int) -> Hands:
    """Set `missed` for the seats of the mask `waiting`, whose hands the open tile completes. A seat
    that then wins on the tile is not furiten by it."""
    for seat in range(len(hands)) if waiting else ():
        if waiting >> seat & 1:
            hands = _with_hand(hands, seat, replace(hands[seat], missed=True))
    return hands


def _with_missed_cleared(hands: Hands) -> Hands:
    """Return the hands with `missed` cleared, except in riichi."""
    for seat, hand in enumerate(hands):
        if hand.missed and hand.riichi == Riichi.NONE:
            hands = _with_hand(hands, seat, replace(hand, missed=False))
    return hands


def _with_ippatsu_cleared(hands: Hands) -> Hands:
    """Return the hands with ippatsu cleared, as after a call or kan."""
    for seat, hand in enumerate(hands):
        if hand.ippatsu:
            hands = _with_hand(hands, seat, replace(hand, ippatsu=False))
    return hands


def _without_rinshan_pao(hand: Hand) -> Hand:
    """Return the hand without pao for rinshan: the replacement tile has not won, so the player who
    discarded the fourth tile no longer pays."""
    if not hand.liable:
        return hand
    left = tuple([entry for entry in hand.liable if entry[0] != RINSHAN])
    return replace(hand, liable=left)


def _with_drawn(table: Table, hand: Hand) -> tuple[int, ...]:
    """Return the sorted concealed tiles, including the drawn one."""
    return hand.tiles if table.drawn == NO_TILE else with_tile(hand.tiles, table.drawn)


def _dora_due_after_kan(table: Table) -> int:
    return table.dora_due + table.rules.kan_dora


def _with_chombos(chombos: BySeat[int], offenders: tuple[int, ...]) -> BySeat[int]:
    """Return the chombo counts with one added for each of the offenders."""
    if not offenders:
        return chombos
    return tuple([count + (seat in offenders) for seat, count in enumerate(chombos)])
