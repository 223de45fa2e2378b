"""Reads typed hands: concealed tiles and sets in the notation of `lobby.learn.tile_rows`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from game.engine.rules import RuleSet
from game.engine.state import Meld
from game.engine.tiles import NOT_IN_PLAY, RED_FIVES, is_red, kind_of
from lobby.learn.tile_rows import read_meld, read_tiles, tile_name

_GROUP_PATTERN: Final = re.compile(r"(?:[0-9]+[mps]|[1-7]+z)+")
_SIGNS: Final = "<^>#"
_COPIES_OF_KIND: Final = 4


class HandRefused(ValueError):
    """The typed hand is wrong. The message says why, in the reader's language."""


class TypedHand(NamedTuple):
    """The concealed tiles and the sets of a typed hand."""

    tiles: tuple[int, ...]
    """The concealed tiles in the order of typing, the drawn or winning tile last."""
    melds: tuple[Meld, ...]

    @property
    def has_drawn(self) -> bool:
        """Whether the hand has a drawn or winning tile."""
        return len(self.tiles) % 3 == 2


def read_typed_hand(text: str) -> TypedHand:
    """Return the hand of that text, such as ``123m456p99s <312m #1111z``. Raises HandRefused."""
    tiles: list[int] = []
    melds: list[Meld] = []
    for group in text.split():
        if group[0] in _SIGNS:
            melds.append(_read_set(group))
        else:
            tiles += read_typed_tiles(group)
    whole = len(tiles) + 3 * len(melds)
    if whole not in (13, 14):
        raise HandRefused(
            _("A hand has 13 tiles, or 14 with the drawn one; here there are %(number)d.")
            % {"number": whole}
        )
    return TypedHand(tuple(tiles), tuple(melds))


def read_typed_tiles(text: str) -> tuple[int, ...]:
    """Return the tiles of that text, such as ``19m05p7z``. Raises HandRefused."""
    joined = "".join(text.split())
    if joined and not _GROUP_PATTERN.fullmatch(joined):
        raise HandRefused(
            _("“%(text)s” is not a group of tiles such as 123m, 406p, 99s or 1567z.")
            % {"text": text}
        )
    return read_tiles(joined)


def check_tiles(tiles: Iterable[int], rules: RuleSet) -> None:
    """Raise HandRefused if the wall of these rules lacks one of the tiles, or has fewer of them."""
    counts = Counter(tiles)
    kinds = Counter(kind_of(tile) for tile in counts.elements())
    for tile, count in counts.items():
        kind = kind_of(tile)
        if NOT_IN_PLAY[rules.players] >> kind & 1:
            raise HandRefused(_("Three players play without %(tile)s.") % {"tile": tile_name(tile)})
        reds = rules.red_fives[kind // 9] if kind in RED_FIVES else 0
        most = reds if is_red(tile) else _COPIES_OF_KIND - reds
        if count > most or kinds[kind] > _COPIES_OF_KIND:
            text = _("There are too many tiles %(tile)s; these rules have %(most)d.")
            if kind in RED_FIVES:
                text = _(
                    "There are too many tiles %(tile)s; these rules have %(most)d. "
                    "A red five is written 0."
                )
            raise HandRefused(text % {"tile": tile_name(tile), "most": most})


def _read_set(text: str) -> Meld:
    tiles = read_typed_tiles(text[1:])
    kinds = sorted(map(kind_of, tiles))
    is_same = len(set(kinds)) == 1 and len(kinds) in ((4,) if text[0] == "#" else (3, 4))
    if not is_same and (text[0] == "#" or not _is_run(kinds)):
        raise HandRefused(_("“%(text)s” is not a set.") % {"text": text})
    return read_meld(text)


def _is_run(kinds: list[int]) -> bool:
    low = kinds[0] if kinds else 0
    return kinds == [low, low + 1, low + 2] and low < 27 and low % 9 < 7
