"""Winning hands as examples: their input for the engine, and how pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from game.engine.rules import RuleSet
from game.engine.value import HandValue, WinContext, value_of
from lobby.learn.tile_rows import ShownRow, read_meld, read_tiles, shown_row


@dataclass(frozen=True, slots=True)
class Example:
    """A win of South in an East round, by ron unless `is_tsumo`. The tiles are in the
    notation of `lobby.learn.tile_rows`."""

    tiles: str
    """The concealed tiles without the winning one."""
    win: str
    melds: tuple[str, ...] = ()
    is_tsumo: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    seat_wind: str = "2z"
    round_wind: str = "1z"
    dora: str = ""
    """The dora indicators."""
    ura: str = ""
    norths: int = 0
    """How many norths are set aside."""

    def context(self, rules: RuleSet) -> WinContext:
        """Return the input for the engine."""
        return WinContext(
            rules=rules,
            tiles=read_tiles(self.tiles),
            melds=tuple(read_meld(meld) for meld in self.melds),
            winning_tile=read_tiles(self.win)[0],
            is_tsumo=self.is_tsumo,
            seat_wind=read_tiles(self.seat_wind)[0] >> 1,
            round_wind=read_tiles(self.round_wind)[0] >> 1,
            riichi=self.riichi,
            double_riichi=self.double_riichi,
            ippatsu=self.ippatsu,
            rinshan=self.rinshan,
            chankan=self.chankan,
            last_tile=self.last_tile,
            first_turn=self.first_turn,
            dora=read_tiles(self.dora),
            ura=read_tiles(self.ura),
            norths=self.norths,
        )

    def value(self, rules: RuleSet) -> HandValue | None:
        """Return the value of the hand under these rules, or None if it cannot win."""
        return value_of(self.context(rules))

    @property
    def row(self) -> ShownRow:
        """The hand with its melds and its norths set aside, the winning tile marked."""
        norths = ["4z"] * self.norths
        return shown_row(" ".join([self.tiles, f"!{self.win}", *self.melds, *norths]))

    def in_suits(self, suits: Mapping[str, str]) -> Example:
        """Return the hand with the tiles of each suit as tiles of another one."""
        table = str.maketrans(dict(suits))
        return replace(
            self,
            tiles=self.tiles.translate(table),
            win=self.win.translate(table),
            melds=tuple(meld.translate(table) for meld in self.melds),
            dora=self.dora.translate(table),
            ura=self.ura.translate(table),
        )

    @property
    def indicators(self) -> ShownRow | None:
        """The dora or ura dora indicator of the example, if it has one."""
        shown = self.dora or self.ura
        return shown_row(shown) if shown else None
