"""The switches of the rules as data.

Owns their names, values and defaults. A switch has the same name here, in the tests and in
`docs/rules.md`. The defaults are those of Tenhou's ranked hanchan with red fives, the preset
`tenhou`. Must not know what a switch does: the modules that `docs/rules.md` names read it.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import force_setattr


class RuleSet(msgspec.Struct, frozen=True, gc=False):
    """All switches of the rules. A stored game includes its whole rule set; switches that no longer
    exist are ignored when it is read."""

    name: str = "tenhou"
    version: int = 2
    """The version of the preset of that name. `game.engine.presets` says how earlier versions
    differ."""

    # Frame of the game
    players: Literal[4, 3] = 4
    """How many seats the table has. `is_switch_used` says which switches need three or four."""
    start_points: int = 25_000
    return_points: int = 30_000
    """Final points are counted relative to this score."""
    goal_points: int = 30_000
    """The score that ends the game after the last hand, and that a leading dealer needs to stop."""
    oka: int = 20_000
    """Paid to the first place."""
    uma: tuple[int, ...] = (20, 10, -10, -20)
    """Thousands, by place."""
    floating_uma: tuple[tuple[int, ...], ...] = ()
    """If not empty: uma by the number of players (from 0) at or above `return_points`."""
    ties: Literal["first_dealer_order", "share"] = "first_dealer_order"
    rounding: Literal["none", "half_up", "five_down_six_up"] = "none"
    """Final scores to thousands: halves away from zero, or 500 towards it and 600 away."""
    length: Literal["east", "east_south"] = "east_south"
    extra_round: bool = True
    """Sudden-death round when nobody has `goal_points` after the last hand."""
    tobi: bool = True
    """A score below zero ends the game."""
    tobi_at_zero: bool = False
    """With `tobi`: a score of exactly zero ends the game, too."""
    agari_yame: bool = True
    """A leading dealer who wins the last hand ends the game."""
    tenpai_yame: bool = True
    """A leading dealer who is tenpai at the end of the last hand ends the game."""
    dealer_stops: Literal["automatic", "choice"] = "automatic"
    """Whether such a dealer is asked."""
    dealer_stops_below_goal: bool = False
    """In the very last hand a leading dealer ends the game even below `goal_points`. Version 1
    always played so and does not store this switch."""
    leftover_sticks: Literal["winner", "split_tied", "split_rounded_down", "void"] = "winner"
    renchan: Literal["tenpai", "win_only", "none", "tenpai_east_only"] = "tenpai"
    honba_after_draw: bool = True
    honba_after_abort: bool = True
    honba_points: int = 300
    """What a ron gains by each honba; a self-draw as `honba_at_tsumo` says."""
    honba_at_tsumo: Literal["shared", "whole_from_each"] = "shared"
    """Whether the payers of a self-draw share `honba_points`, or each pays all of them."""
    tsumo_with_three: Literal["loss", "split_half", "split_equal", "dealer_pays", "add_1000"] = (
        "loss"
    )
    """Who pays the share of the missing fourth player at a self-draw: nobody (`loss`), both payers
    half of it each, both so that they pay the same, the dealer (or both, if the dealer wins), or
    both 1,000 points instead of it."""
    minimum_han: Literal[1, 2, 4] = 1
    """The han from yaku that every win needs."""
    two_han_minimum_from: int = 0
    """The honba from which two han from yaku are needed; 0: never."""

    # Tiles, calls, claims
    red_fives: tuple[int, int, int] = (1, 1, 1)
    kuitan: bool = True
    kuikae_same_tile: bool = False
    """May discard the kind just called."""
    kuikae_other_end: bool = False
    """May discard the tile at the other end of a called run."""
    multi_ron: Literal["head_bump", "two", "all"] = "all"
    honba_multi: Literal["each", "nearest_only"] = "nearest_only"
    sticks_multi: Literal["nearest", "own_then_nearest"] = "nearest"
    fifth_kan: Literal["forbidden", "abort", "use_ura"] = "forbidden"

    # Abortive draws
    kyushu_kyuhai: bool = True
    kyushu_ankan_cancels: bool = True
    sufon_renda: bool = True
    sucha_riichi: bool = True
    sukaikan: Literal["after_discard_pass", "on_declaration", "off"] = "after_discard_pass"
    """When four kans of several players end the hand: `after_discard_pass` when nobody wins on the
    discard after the fourth kan, `on_declaration` when the fourth kan is not robbed."""
    sanchaho: bool = True

    # Riichi, kan, dora
    riichi_needs_points: bool = True
    riichi_tiles_left: int = 4
    """Tiles that must be left in the live wall to declare riichi."""
    furiten_riichi: bool = True
    ippatsu: bool = True
    ura_dora: bool = True
    kan_dora: bool = True
    kan_ura: bool = True
    open_kan_dora: Literal["before_replacement", "at_discard", "after_discard_passes"] = (
        "at_discard"
    )
    """When the dora of an open or added kan is turned: `after_discard_passes` when nobody wins on
    the discard after that kan. (`sukaikan` has the same moment as `after_discard_pass`; both values
    are stored in games.)"""
    pending_dora_at_robbery: bool = False
    """The dora still due for an earlier kan is turned before an added kan is robbed."""
    riichi_ankan: Literal["never", "waits_unchanged", "yaku_kept", "shape_unchanged"] = (
        "waits_unchanged"
    )
    noten_declaration: bool = False
    """A tenpai player not in riichi may keep the hand closed at an exhaustive draw."""
    own_four_is_noten: Literal["off", "concealed", "all"] | bool = "concealed"
    """Which of the player's own tiles count when all four tiles of a wait make the hand noten.
    Games stored under version 1 contain a bool, which is read as "all" or "off"."""
    noten_payments: tuple[int, ...] | int = (1_000, 1_500, 3_000)
    """What each noten seat pays if one seat is tenpai, if two are, and so on. Games stored before
    these were several numbers contain one: what the noten seats pay together."""

    # Norths set aside
    nukidora: Literal["off", "north"] = "off"
    """Whether a north may be set aside on the own turn: it is a dora then, and a replacement tile
    is drawn."""
    nuki_interrupts: bool = True
    """A north that nobody has robbed ends ippatsu and the rights of the first turn."""
    nuki_ron: Literal["any_hand", "kokushi_only", "off"] = "any_hand"
    """Which hands can win on a north that is set aside. It is not chankan."""
    nuki_rinshan: bool = True
    """A win on the replacement tile of a north is rinshan kaihou; otherwise the replacement is a
    draw like any other."""

    # Furiten
    missed_ends: Literal["own_turn", "own_turn_or_any_call"] = "own_turn"
    missed_without_yaku: bool = True
    kakan_is_discard: bool = False

    # Yaku
    renho: Literal["off", "mangan", "five_han", "yakuman"] = "off"
    nagashi_mangan: Literal["off", "draw", "win"] = "draw"
    ryuiso_needs_hatsu: bool = False
    kokushi_robs_ankan: bool = False
    north_is_yakuhai: bool = False
    """North counts as the dragons do, for every seat."""

    # Limits and fu
    kazoe: Literal["yakuman", "sanbaiman"] = "yakuman"
    yakuman_add_up: bool = True
    yakuman_cap: int = 6
    double_yakuman: tuple[str, ...] = ()
    """Yaku ids that count twice, of kokushi_13, suuankou_tanki, junsei_chuuren, daisuushi."""
    kiriage_mangan: bool = False
    double_wind_fu: Literal[2, 4] = 4
    rinshan_tsumo_fu: bool = True

    # Pao
    pao_daisangen: bool = True
    pao_daisuushi: bool = True
    pao_suukantsu: bool = False
    pao_suukantsu_by: Literal["fourth_kan", "risky_tile"] = "fourth_kan"
    """What makes liable, for a player with three kans: the fourth kan, or any set of a tile of
    which no other copy is visible."""
    pao_chinitsu: bool = False
    pao_ryuuiisou: bool = False
    pao_tsuuiisou: bool = False
    pao_chinroutou: bool = False
    pao_rinshan: bool = False
    pao_risky_last_tiles: bool = False
    pao_honba: Literal["discarder", "pao_player"] = "pao_player"
    pao_composite: Literal["whole_hand", "whole_hand_if_alone", "own_yakuman"] = "whole_hand"
    """What liable seats pay for in a hand of several yakuman: the first seat for all; a single seat
    for all, several seats each for their own; or each for its own."""

    # Chombo
    false_declarations: bool = False
    """The table accepts false wins and noten riichi, which lead to chombo; otherwise it refuses
    them."""
    chombo: Literal["impossible", "reverse_mangan", "after_game"] = "impossible"
    """Paid at once as a reverse mangan, or subtracted in the final ranking."""
    chombo_points: int = 0
    """Subtracted `after_game`."""
    chombo_honba: int = 0
    """Honba added when the hand is played again."""
    chombo_returns_riichi: bool = True
    """Riichi sticks of the hand go back to the seats that paid them."""

    def __post_init__(self) -> None:
        if isinstance(self.own_four_is_noten, bool):
            value = "all" if self.own_four_is_noten else "off"
            force_setattr(self, "own_four_is_noten", value)
        if isinstance(self.noten_payments, int):
            total = self.noten_payments
            force_setattr(self, "noten_payments", (total // 3, total // 2, total))
        if self.version == 1:
            force_setattr(self, "dealer_stops_below_goal", True)


@cache
def _switch_types() -> dict[str, Any]:
    """Return the types of all switches. Cached, because the rules form asks for each type: 1 ms of
    CPU instead of 50 ms."""
    return get_type_hints(RuleSet)


def switch_type(name: str) -> Any:
    """Return the type of a switch's current values, without types (bool, int) that only old stored
    games contain."""
    hint = _switch_types()[name]
    if get_origin(hint) not in (Union, UnionType):
        return hint
    (current,) = [part for part in get_args(hint) if part not in (bool, int)]
    return current


TENHOU: Final = RuleSet()

_SWITCHES_OF_PLAYER_COUNT: Final[dict[str, tuple[int, Any]]] = {
    "honba_at_tsumo": (3, "shared"),
    "tsumo_with_three": (3, "loss"),
    "nukidora": (3, "off"),
    "nuki_interrupts": (3, True),
    "nuki_ron": (3, "any_hand"),
    "nuki_rinshan": (3, True),
    "north_is_yakuhai": (3, False),
    "kuikae_other_end": (4, False),
    "sufon_renda": (4, False),
    "sucha_riichi": (4, False),
    "sanchaho": (4, False),
}
"""The switches that exist with three or with four players only, with that number and with the value
that they must have otherwise. Three players have no chi and no three opponents; four set no norths
aside."""


def is_switch_used(name: str, players: int) -> bool:
    """Return whether the switch of that name exists for this number of players."""
    return name not in _SWITCHES_OF_PLAYER_COUNT or _SWITCHES_OF_PLAYER_COUNT[name][0] == players


def unused_switches(players: int) -> dict[str, Any]:
    """Map each switch that does not exist for this number of players to the value that it must
    have."""
    return {
        name: value
        for name, (needed, value) in _SWITCHES_OF_PLAYER_COUNT.items()
        if needed != players
    }
