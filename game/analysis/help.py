"""What a seat is told of its own hand: the fields of the answer to `study` in `docs/protocol.md`.

Tiles are text.
"""

from __future__ import annotations

import msgspec

Outlook = tuple[str, int]
"""A tile, and how many of its kind the reader does not see."""


class _Part(msgspec.Struct, frozen=True, gc=False):
    pass


class Worth(_Part, frozen=True, gc=False):
    """What a win would bring, without the luck of the moment."""

    han: int
    fu: int
    yakuman: int
    limit: str
    points: int
    """From all payers together, without honba and sticks."""
    yaku: tuple[tuple[str, int], ...]


class Wins(_Part, frozen=True, gc=False):
    """A win on a discard and by self-draw; null for one that has no yaku."""

    ron: Worth | None
    tsumo: Worth | None


class Wait(_Part, frozen=True, gc=False):
    """A tile that completes the hand."""

    pai: str
    left: int
    ron: Worth | None
    tsumo: Worth | None
    reach: Wins | None
    """The same after riichi is declared with this discard; null if it cannot be."""


class Prospect(_Part, frozen=True, gc=False):
    """What a hand that waits for its next tile can become."""

    shanten: int
    useful: tuple[Outlook, ...]
    """The tiles that bring it nearer; empty for a hand that is tenpai."""
    waits: tuple[Wait, ...]
    furiten: tuple[str, ...]
    """Why it may not ron: `own_discard`, `temporary`, `riichi`."""


class Choice(_Part, frozen=True, gc=False):
    """A legal discard, and what it leaves."""

    pai: str
    tsumogiri: bool
    then: Prospect


class Barred(_Part, frozen=True, gc=False):
    """A tile of the hand that may not be discarded after the call just made."""

    pai: str
    why: str
    """`same_tile` or `other_end`."""


class Study(_Part, frozen=True, gc=False, tag_field="t", tag="study"):
    """What the rules say of the reader's own hand."""

    q: int
    hand: Prospect | None
    """Of a hand that has no tile too many; null on the own turn."""
    discards: tuple[Choice, ...]
    kuikae: tuple[Barred, ...]
