"""The events of a table. Names, tags and fields are those of mjai where mjai has them.

Owns their fields. Every field declares who may see it (`game.engine.visibility`). An event is
private as a whole if its class sets `private_to_actor`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from game.engine.actions import Action
from game.engine.by_seat import BySeat
from game.engine.fu import FuPart
from game.engine.rules import RuleSet
from game.engine.visibility import ACTOR_TILE, HIDDEN_ALWAYS, OWN_BIT, OWN_ROW_OF_TILES, PUBLIC


class GameStarted(msgspec.Struct, tag="start_game", frozen=True, gc=False, array_like=True):
    names: Annotated[BySeat[str], PUBLIC]
    rules: Annotated[RuleSet, PUBLIC]
    seed: Annotated[bytes, HIDDEN_ALWAYS]
    """Empty if the seed is drawn with the pages of the players (`WallDrawOpened`)."""


class WallDrawOpened(msgspec.Struct, tag="wall_draw", frozen=True, gc=False, array_like=True):
    """A draw of the wall begins: the browser pages of these seats are asked for commitments.
    `game.engine.wall_proof` describes the scheme."""

    number: Annotated[int, PUBLIC]
    """From 1."""
    seats: Annotated[tuple[int, ...], PUBLIC]
    table_id: Annotated[str, HIDDEN_ALWAYS] = ""
    """Set in the first draw only, like `players` and `rules`."""
    players: Annotated[BySeat[str], HIDDEN_ALWAYS] = ("", "", "", "")
    """By seat ``person:<id>`` or ``bot:<name>``."""
    rules: Annotated[str, HIDDEN_ALWAYS] = ""
    """The text that the server's hash binds (`rules_text`)."""
    version: Annotated[int, HIDDEN_ALWAYS] = 1
    """The version of the proof; set in the first draw only."""


class WallCommitted(msgspec.Struct, tag="wall_commit", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    commitment: Annotated[bytes, PUBLIC]


class WallBound(msgspec.Struct, tag="wall_bind", frozen=True, gc=False, array_like=True):
    """The server fixes the commitments and binds itself to its secret. Pages reveal now."""

    commitments: Annotated[BySeat[bytes], PUBLIC]
    """By seat; empty for none."""
    binding: Annotated[bytes, PUBLIC]
    secret: Annotated[bytes, HIDDEN_ALWAYS]
    terms: Annotated[bytes, PUBLIC] = b""
    """The hash of the seats and the rules; empty in version 1, like what follows."""
    secret_hash: Annotated[bytes, PUBLIC] = b""
    key: Annotated[bytes, PUBLIC] = b""
    """The public key of the signature."""
    signature: Annotated[bytes, PUBLIC] = b""


class WallRevealed(msgspec.Struct, tag="wall_reveal", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    contribution: Annotated[bytes, PUBLIC]


class WallVoided(msgspec.Struct, tag="wall_void", frozen=True, gc=False, array_like=True):
    """The draw is void, because the pages of these seats committed but did not reveal."""

    left_out: Annotated[tuple[int, ...], PUBLIC]


class WallSeeded(msgspec.Struct, tag="wall_seed", frozen=True, gc=False, array_like=True):
    """The seed of all walls is fixed. The first hand is dealt next."""

    seed: Annotated[bytes, HIDDEN_ALWAYS]
    pages: Annotated[tuple[int, ...], PUBLIC]
    """The seats whose pages took part. If there are none, the seed is the server's own and the
    game has no proof."""


class HandStarted(msgspec.Struct, tag="start_kyoku", frozen=True, gc=False, array_like=True):
    """A hand is dealt, 13 tiles to each seat; the dealer's first draw follows."""

    bakaze: Annotated[int, PUBLIC]
    """Prevailing wind, as a tile."""
    kyoku: Annotated[int, PUBLIC]
    """1..4 within the round."""
    honba: Annotated[int, PUBLIC]
    kyotaku: Annotated[int, PUBLIC]
    oya: Annotated[int, PUBLIC]
    dora_marker: Annotated[int, PUBLIC]
    scores: Annotated[BySeat[int], PUBLIC]
    tehais: Annotated[BySeat[tuple[int, ...]], OWN_ROW_OF_TILES]
    wall: Annotated[bytes, HIDDEN_ALWAYS]


class Drawn(msgspec.Struct, tag="tsumo", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, ACTOR_TILE]
    rinshan: Annotated[bool, PUBLIC] = False
    """The tile is a replacement tile; nobody robbed the kan or the north."""


class Discarded(msgspec.Struct, tag="dahai", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    tsumogiri: Annotated[bool, PUBLIC]
    may_ron: Annotated[int, OWN_BIT] = 0
    may_call: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    """Bit per seat: the tile completes its hand, with or without a yaku. If the seat does not win,
    it is furiten."""
    may_foul: Annotated[int, OWN_BIT] = 0
    """Bit per seat: the rules let it declare a false win (`game.engine.fouls`)."""


class RiichiDeclared(msgspec.Struct, tag="reach", frozen=True, gc=False, array_like=True):
    """A seat declares riichi. Its next discard is the declaration tile."""

    actor: Annotated[int, PUBLIC]
    double: Annotated[bool, PUBLIC] = False


class RiichiAccepted(msgspec.Struct, tag="reach_accepted", frozen=True, gc=False, array_like=True):
    """Nobody won on the declaration tile, so the riichi stick is paid."""

    actor: Annotated[int, PUBLIC]


class ChiCalled(msgspec.Struct, tag="chi", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()
    """Pao: the yaku for which `target` is liable from now on (`game.engine.pao`)."""


class PonCalled(msgspec.Struct, tag="pon", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()


class DaiminkanCalled(msgspec.Struct, tag="daiminkan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int, int], PUBLIC]
    liable_for: Annotated[tuple[str, ...], PUBLIC] = ()


class AnkanDeclared(msgspec.Struct, tag="ankan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int, int, int], PUBLIC]
    may_ron: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    may_foul: Annotated[int, OWN_BIT] = 0


class KakanDeclared(msgspec.Struct, tag="kakan", frozen=True, gc=False, array_like=True):
    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    consumed: Annotated[tuple[int, int, int], PUBLIC]
    """The tiles of the pon to which `pai` is added."""
    may_ron: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    may_foul: Annotated[int, OWN_BIT] = 0


class NorthSetAside(msgspec.Struct, tag="kita", frozen=True, gc=False, array_like=True):
    """A seat sets a north of its hand aside. Unless it is robbed, a replacement tile follows."""

    actor: Annotated[int, PUBLIC]
    pai: Annotated[int, PUBLIC]
    may_ron: Annotated[int, OWN_BIT] = 0
    waiting: Annotated[int, OWN_BIT] = 0
    may_foul: Annotated[int, OWN_BIT] = 0


class DoraRevealed(msgspec.Struct, tag="dora", frozen=True, gc=False, array_like=True):
    dora_marker: Annotated[int, PUBLIC]


class Answered(msgspec.Struct, tag="answer", frozen=True, gc=False, array_like=True):
    """A seat answers the open question. Only that seat sees the event."""

    private_to_actor: ClassVar[bool] = True

    actor: Annotated[int, PUBLIC]
    action: Annotated[Action, PUBLIC]


class Won(msgspec.Struct, tag="hora", frozen=True, gc=False, array_like=True):
    """A win. Several winners have one event each, the seat nearest after the discarder first.
    `deltas` include honba and sticks; `scores` are the points after this win."""

    actor: Annotated[int, PUBLIC]
    target: Annotated[int, PUBLIC]
    """The seat that dealt in; the winner itself on a self-draw."""
    pai: Annotated[int, PUBLIC]
    tehai: Annotated[tuple[int, ...], PUBLIC]
    """The winner's concealed tiles without the winning tile."""
    uradora_markers: Annotated[tuple[int, ...], PUBLIC]
    yaku: Annotated[tuple[tuple[str, int], ...], PUBLIC]
    """Yaku ids with their han (of a yakuman, how many times it counts)."""
    fan: Annotated[int, PUBLIC]
    fu: Annotated[int, PUBLIC]
    yakuman: Annotated[int, PUBLIC]
    """How many yakuman the hand counts; 0 for an ordinary hand."""
    limit: Annotated[str, PUBLIC]
    """'', 'mangan', 'haneman', 'baiman', 'sanbaiman', 'kazoe_yakuman' or 'yakuman'."""
    points: Annotated[int, PUBLIC]
    """What all payers pay together, without honba and sticks."""
    liable: Annotated[int, PUBLIC]
    """Pao: the seat that pays, or -1."""
    deltas: Annotated[BySeat[int], PUBLIC]
    scores: Annotated[BySeat[int], PUBLIC]
    fu_parts: Annotated[tuple[FuPart, ...], PUBLIC] = ()
    """The fu before rounding, by their causes; empty for a yakuman."""


class WallUsedUp(msgspec.Struct, tag="wall_used_up", frozen=True, gc=False, array_like=True):
    """The wall is used up and nobody took the last discard. Seats in tenpai now choose whether to
    show their hands, as the rules allow; `HandDrawn` follows."""

    may_show: Annotated[int, OWN_BIT] = 0


class HandDrawn(msgspec.Struct, tag="ryukyoku", frozen=True, gc=False, array_like=True):
    """The hand ends without a win: `exhaustive`, `nagashi_mangan`, one of the aborts
    `kyushu_kyuhai`, `sufon_renda`, `sucha_riichi`, `sukaikan`, `sanchaho`, `chombo`, or
    `abandoned`: the game was ended, restored from a backup, or the hand is played again."""

    reason: Annotated[str, PUBLIC]
    tehais: Annotated[BySeat[tuple[int, ...]], PUBLIC]
    """The hands that are shown; an empty row for a hand that stays closed."""
    tenpais: Annotated[BySeat[bool], PUBLIC]
    deltas: Annotated[BySeat[int], PUBLIC]
    scores: Annotated[BySeat[int], PUBLIC]
    actor: Annotated[int, PUBLIC] = -1
    """The seat that declared kyushu kyuhai, or -1."""
    nagashi: Annotated[tuple[int, ...], PUBLIC] = ()
    """Seats whose discards made nagashi mangan."""
    foul: Annotated[str, PUBLIC] = ""
    """The cause of a chombo: 'false_win' or 'noten_riichi'; else ''."""
    offenders: Annotated[tuple[int, ...], PUBLIC] = ()
    """The seats that committed a chombo."""


class HandEnded(msgspec.Struct, tag="end_kyoku", frozen=True, gc=False, array_like=True):
    """The hand is over. The table waits until the seats have confirmed the result."""


class GameEnded(msgspec.Struct, tag="end_game", frozen=True, gc=False, array_like=True):
    scores: Annotated[BySeat[int], PUBLIC]
    """Final points, with leftover riichi sticks paid out."""
    placement: Annotated[tuple[tuple[int, float], ...], PUBLIC]
    """Per seat: its place, from 1, and points in thousands with uma and oka."""
    bonus: Annotated[tuple[tuple[float, float], ...], PUBLIC] = ()
    """Per seat: the uma and the oka in the points, in thousands."""
    broken_off: Annotated[bool, PUBLIC] = False
    """The game was ended before the rules end it, so that it has no final ranking. Older games,
    stored without this field, have False."""


class GameRestored(msgspec.Struct, tag="restored", frozen=True, gc=False, array_like=True):
    """The game continues with a new seed, because it was restored from a backup or the hand is
    played again. Later walls are derived from the new seed and the number of the hand."""

    seed: Annotated[bytes, HIDDEN_ALWAYS]
    reason: Annotated[str, PUBLIC] = ""
    """`official`: an official of a tournament lets the hand be played again; empty for a backup."""


class LastHandCalled(msgspec.Struct, tag="last_hand", frozen=True, gc=False, array_like=True):
    """The time of the round is over: the game ends after the current hand and one more."""


class AwayChanged(msgspec.Struct, tag="away", frozen=True, gc=False, array_like=True):
    """The player of a seat is away, so that a bot plays for the seat, or is back."""

    actor: Annotated[int, PUBLIC]
    away: Annotated[bool, PUBLIC]


Event = (
    GameStarted
    | HandStarted
    | Drawn
    | Discarded
    | RiichiDeclared
    | RiichiAccepted
    | ChiCalled
    | PonCalled
    | DaiminkanCalled
    | AnkanDeclared
    | KakanDeclared
    | NorthSetAside
    | DoraRevealed
    | Answered
    | Won
    | WallUsedUp
    | HandDrawn
    | HandEnded
    | GameEnded
    | AwayChanged
    | GameRestored
    | LastHandCalled
    | WallDrawOpened
    | WallCommitted
    | WallBound
    | WallRevealed
    | WallVoided
    | WallSeeded
)
