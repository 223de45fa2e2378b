"""The rule sets with well-known names.

Owns the values of the presets and of their earlier versions. `docs/rules.md` lists their
differences, their sources, and the values that no source confirms. A game stores its whole
`RuleSet`; a game of an earlier version is still a game of that preset.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from game.engine.rules import TENHOU, RuleSet, unused_switches

_NO_ABORTS: Final = {
    "kyushu_kyuhai": False,
    "sufon_renda": False,
    "sucha_riichi": False,
    "sukaikan": "off",
    "sanchaho": False,
    "honba_after_abort": False,
}
_NO_EARLY_END: Final = {
    "extra_round": False,
    "tobi": False,
    "agari_yame": False,
    "tenpai_yame": False,
}
_MAHJONG_SOUL: Final = replace(
    TENHOU,
    name="mahjong-soul",
    return_points=25_000,
    oka=0,
    uma=(15, 5, -5, -15),
    sanchaho=False,
    pending_dora_at_robbery=True,
    kokushi_robs_ankan=True,
    double_yakuman=("kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushi"),
    pao_composite="own_yakuman",
)

_TOURNAMENT: Final = replace(
    TENHOU,
    start_points=30_000,
    oka=0,
    ties="share",
    open_kan_dora="before_replacement",
    riichi_ankan="shape_unchanged",
    noten_declaration=True,
    own_four_is_noten="all",
    pao_honba="discarder",
    pao_composite="own_yakuman",
    **_NO_EARLY_END,
)
"""The common rules of tournaments at real tables."""

_EMA_2016: Final = replace(
    _TOURNAMENT,
    name="ema-2016",
    version=3,
    uma=(15, 5, -5, -15),
    red_fives=(0, 0, 0),
    honba_multi="each",
    sticks_multi="own_then_nearest",
    riichi_needs_points=False,
    kakan_is_discard=True,
    renho="mangan",
    nagashi_mangan="off",
    kokushi_robs_ankan=True,
    kazoe="sanbaiman",
    yakuman_add_up=False,
    chombo="after_game",
    chombo_points=20_000,
    **_NO_ABORTS,
)
_EMA_2012: Final = replace(
    _TOURNAMENT,
    name="ema-2012",
    version=3,
    uma=(30, 10, -10, -30),
    two_han_minimum_from=5,
    kuitan=False,
    kuikae_same_tile=True,
    kuikae_other_end=True,
    honba_multi="each",
    sticks_multi="own_then_nearest",
    sanchaho=False,
    riichi_needs_points=False,
    missed_ends="own_turn_or_any_call",
    renho="yakuman",
    nagashi_mangan="win",
    yakuman_add_up=False,
    double_yakuman=("daisuushi",),
    chombo="reverse_mangan",
)
_EMA_2025: Final = replace(
    _EMA_2016,
    name="ema-2025",
    leftover_sticks="split_rounded_down",
    riichi_tiles_left=1,
    kakan_is_discard=False,
    renho="five_han",
    kiriage_mangan=True,
    double_wind_fu=2,
)
_WRC_2025: Final = replace(
    _EMA_2025,
    name="wrc-2025",
    leftover_sticks="void",
    multi_ron="head_bump",
    honba_multi="nearest_only",
    sticks_multi="nearest",
    riichi_tiles_left=0,
    kokushi_robs_ankan=False,
    kazoe="yakuman",
    yakuman_add_up=True,
    pao_suukantsu=True,
)
_M_LEAGUE: Final = replace(
    _TOURNAMENT,
    name="m-league",
    start_points=25_000,
    oka=20_000,
    uma=(30, 10, -10, -30),
    leftover_sticks="split_tied",
    multi_ron="head_bump",
    riichi_needs_points=False,
    riichi_tiles_left=1,
    nagashi_mangan="off",
    kazoe="sanbaiman",
    kiriage_mangan=True,
    double_wind_fu=2,
    pao_suukantsu=True,
    chombo="after_game",
    chombo_points=20_000,
    **_NO_ABORTS,
)
_JPML_A: Final = replace(
    _TOURNAMENT,
    name="jpml-a",
    uma=(0, 0, 0, 0),
    floating_uma=((0, 0, 0, 0), (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0, 0, 0, 0)),
    leftover_sticks="void",
    red_fives=(0, 0, 0),
    kuikae_other_end=True,
    multi_ron="head_bump",
    riichi_tiles_left=1,
    ippatsu=False,
    ura_dora=False,
    kan_dora=False,
    kan_ura=False,
    riichi_ankan="waits_unchanged",
    noten_declaration=False,
    renho="mangan",
    nagashi_mangan="off",
    ryuiso_needs_hatsu=True,
    kokushi_robs_ankan=True,
    kazoe="sanbaiman",
    yakuman_add_up=False,
    rinshan_tsumo_fu=False,
    pao_suukantsu=True,
    pao_rinshan=True,
    chombo="after_game",
    chombo_points=20_000,
)
_JPML_2026: Final = replace(
    _JPML_A,
    name="jpml-2026",
    kuikae_other_end=False,
    riichi_ankan="yaku_kept",
    renho="off",
    kazoe="yakuman",
    yakuman_add_up=True,
    double_wind_fu=2,
    rinshan_tsumo_fu=True,
    **_NO_ABORTS,
)
_SAIKOUISEN: Final = replace(
    _TOURNAMENT,
    name="saikouisen",
    uma=(30, 10, -10, -30),
    leftover_sticks="void",
    red_fives=(0, 0, 0),
    multi_ron="head_bump",
    riichi_tiles_left=0,
    noten_declaration=False,
    nagashi_mangan="off",
    kazoe="sanbaiman",
    yakuman_add_up=False,
    kiriage_mangan=True,
    double_wind_fu=2,
    pao_daisangen=False,
    pao_daisuushi=False,
    chombo="after_game",
    chombo_points=20_000,
    **_NO_ABORTS,
)
_CLASSIC: Final = replace(
    _TOURNAMENT,
    name="classic",
    version=3,
    uma=(30, 10, -10, -30),
    two_han_minimum_from=5,
    red_fives=(0, 0, 0),
    fifth_kan="abort",
    kyushu_ankan_cancels=False,
    pao_suukantsu=True,
    pao_suukantsu_by="risky_tile",
    pao_chinitsu=True,
    pao_ryuuiisou=True,
    pao_tsuuiisou=True,
    pao_chinroutou=True,
    pao_rinshan=True,
    pao_risky_last_tiles=True,
    pao_composite="whole_hand_if_alone",
    false_declarations=True,
    chombo="reverse_mangan",
    chombo_honba=1,
    chombo_returns_riichi=False,
)

_TENHOU_3: Final = replace(
    TENHOU,
    name="tenhou-3",
    players=3,
    start_points=35_000,
    return_points=40_000,
    goal_points=40_000,
    oka=15_000,
    uma=(20, 0, -20),
    rounding="half_up",
    honba_points=200,
    red_fives=(0, 1, 1),
    riichi_tiles_left=3,
    noten_payments=(1_000, 2_000),
    nukidora="north",
    **unused_switches(3),
)
_MAHJONG_SOUL_3: Final = replace(
    _TENHOU_3,
    name="mahjong-soul-3",
    return_points=35_000,
    oka=0,
    uma=(15, 0, -15),
    rounding="none",
    pending_dora_at_robbery=True,
    kokushi_robs_ankan=True,
    double_yakuman=_MAHJONG_SOUL.double_yakuman,
    pao_composite="own_yakuman",
)
_KANSAI: Final = replace(
    _TENHOU_3,
    name="kansai",
    uma=(20, -10, -10),
    floating_uma=((20, -10, -10), (20, -10, -10), (10, 0, -10), (0, 0, 0)),
    rounding="none",
    tobi_at_zero=True,
    honba_points=1_000,
    honba_at_tsumo="whole_from_each",
    tsumo_with_three="split_equal",
    red_fives=(0, 4, 4),
    kuitan=False,
    north_is_yakuhai=True,
)

PRESETS: Final[dict[str, RuleSet]] = {
    rules.name: rules
    for rules in (
        TENHOU,
        _MAHJONG_SOUL,
        _M_LEAGUE,
        _EMA_2012,
        _EMA_2016,
        _EMA_2025,
        _WRC_2025,
        _JPML_A,
        _JPML_2026,
        _SAIKOUISEN,
        _CLASSIC,
    )
}
"""The presets of four players."""

PRESETS_OF_THREE: Final[dict[str, RuleSet]] = {
    rules.name: rules
    for rules in (
        _TENHOU_3,
        _MAHJONG_SOUL_3,
        replace(_TENHOU_3, name="riichi-city-3"),
        replace(_MAHJONG_SOUL_3, name="mahjong-soul-3-no-loss", tsumo_with_three="split_half"),
        _KANSAI,
    )
}
"""The presets of three players."""

ALL_PRESETS: Final = PRESETS | PRESETS_OF_THREE

_EARLIER_VALUES: Final[dict[tuple[str, int], dict[str, Any]]] = {
    ("tenhou", 1): {"rounding": "half_up", "own_four_is_noten": "all"},
    ("mahjong-soul", 1): {"own_four_is_noten": "all"},
    ("m-league", 1): {},
    ("ema-2012", 2): {"riichi_needs_points": True},
    ("ema-2012", 1): {},
    ("ema-2016", 2): {"riichi_needs_points": True, "kakan_is_discard": False},
    ("ema-2016", 1): {},
    ("ema-2025", 2): {"riichi_needs_points": True, "leftover_sticks": "split_tied"},
    ("ema-2025", 1): {},
    ("wrc-2025", 2): {"riichi_needs_points": True},
    ("wrc-2025", 1): {},
    ("jpml-a", 1): {"riichi_tiles_left": 0},
    ("saikouisen", 1): {},
    ("classic", 2): {"renchan": "tenpai_east_only"},
    ("classic", 1): {"pao_composite": "own_yakuman"},
}
"""What each earlier version of a preset changes in the version after it, the later version first.
Version 1 has in addition the changes that `RuleSet` applies."""


def _earlier_versions() -> dict[tuple[str, int], RuleSet]:
    found = dict[tuple[str, int], RuleSet]()
    for (name, version), changes in _EARLIER_VALUES.items():
        later = found.get((name, version + 1), PRESETS[name])
        found[name, version] = replace(later, version=version, **changes)
    return found


EARLIER_VERSIONS: Final = _earlier_versions()
"""Earlier versions of the presets, by name and version."""


def preset(name: str, version: int | None = None) -> RuleSet:
    """Return the preset of that name, by default in its current version. Raises
    ``KeyError`` for an unknown name, listing the known ones, and for an unknown version."""
    try:
        current = ALL_PRESETS[name]
    except KeyError:
        raise KeyError(f"no preset {name!r}; there are {', '.join(sorted(ALL_PRESETS))}") from None
    return current if version in (None, current.version) else EARLIER_VERSIONS[name, version]
