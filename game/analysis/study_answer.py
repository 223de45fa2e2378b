"""The answer to `study`: the analysis of its own hand that a seat receives.

Owns the fields of the answer, as `docs/protocol.md` describes them. Tiles are text. Computes
nothing; `game.analysis.study` does.
"""

from __future__ import annotations

import msgspec

TileCount = tuple[str, int]
"""A tile, and the number of copies of it that the seat does not see."""


class _Part(msgspec.Struct, frozen=True, gc=False):
    pass


class Worth(_Part, frozen=True, gc=False):
    """The value of a win. It leaves out ippatsu, rinshan, chankan, tenhou, chiihou, renhou and ura
    dora."""

    han: int
    fu: int
    yakuman: int
    limit: str
    points: int
    """Points from all payers together, without honba and sticks."""
    yaku: tuple[tuple[str, int], ...]


class Wins(_Part, frozen=True, gc=False):
    """The values of a ron and of a tsumo; each is null without a yaku."""

    ron: Worth | None
    tsumo: Worth | None


class Wait(_Part, frozen=True, gc=False):
    """A tile that completes the hand, the number of unseen copies, and the values of the win."""

    pai: str
    left: int
    ron: Worth | None
    tsumo: Worth | None
    riichi: Wins | None = msgspec.field(name="reach")
    """The values after riichi is declared with this discard; null if that is not legal."""


class Prospect(_Part, frozen=True, gc=False):
    """The waits or the useful tiles of a hand before its draw."""

    shanten: int
    useful: tuple[TileCount, ...]
    """Tiles that reduce the shanten, with unseen copies; empty for a tenpai hand."""
    waits: tuple[Wait, ...]
    furiten: tuple[str, ...]
    """The reasons for furiten: `own_discard`, `temporary`, `riichi`."""


class StudyChoice(_Part, frozen=True, gc=False):
    """A legal discard, and the hand after it."""

    pai: str
    tsumogiri: bool
    then: Prospect


class Barred(_Part, frozen=True, gc=False):
    """A tile that kuikae forbids to discard."""

    pai: str
    why: str
    """`same_tile` or `other_end`."""


class Study(_Part, frozen=True, gc=False, tag_field="t", tag="study"):
    """The analysis of the seat's own hand."""

    q: int
    hand: Prospect | None
    """The hand before its draw; null on the seat's own turn."""
    discards: tuple[StudyChoice, ...]
    kuikae: tuple[Barred, ...]
