"""Converts rules, tiles and melds into those of the package `jansou`, so that its results can be
compared."""

from __future__ import annotations

from typing import Final

from jansou.core.hand import CallSource
from jansou.core.hand import Meld as OracleMeld
from jansou.core.hand import MeldType as OracleMeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Tile, TileKind

from game.engine.rules import RuleSet
from game.engine.state import Meld, MeldType
from game.engine.tiles import kind_of

_MELDS: Final = {
    MeldType.CHI: OracleMeldType.CHII,
    MeldType.PON: OracleMeldType.PON,
    MeldType.DAIMINKAN: OracleMeldType.DAIMINKAN,
    MeldType.ANKAN: OracleMeldType.ANKAN,
    MeldType.KAKAN: OracleMeldType.SHOUMINKAN,
}


def oracle_rules(rules: RuleSet) -> Rules:
    return Rules(
        double_wind_fu=rules.double_wind_fu,
        kiriage_mangan=rules.kiriage_mangan,
        kazoe_yakuman=rules.kazoe == "yakuman",
        multiple_yakuman=rules.yakuman_add_up,
        double_yakuman=bool(rules.double_yakuman),
        aka_dora=any(rules.red_fives),
        ura_dora=rules.ura_dora,
        kuitan=rules.kuitan,
    )


def oracle_tile(tile: int) -> Tile:
    return Tile(TileKind(kind_of(tile)), red=bool(tile & 1))


def oracle_meld(meld: Meld) -> OracleMeld:
    tiles = tuple(map(oracle_tile, meld.tiles))
    if meld.type == MeldType.ANKAN:
        return OracleMeld(OracleMeldType.ANKAN, tiles)
    added = tiles[-1] if meld.type == MeldType.KAKAN else None
    return OracleMeld(_MELDS[meld.type], tiles, tiles[0], CallSource.KAMICHA, added)
