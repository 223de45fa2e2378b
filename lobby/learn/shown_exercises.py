"""Prepares an exercise for its page: its tiles, choices and solution, in the reader's language."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from game.engine.tiles import EAST, NO_TILE, NORTH
from game.engine.value import HandValue
from game.results.game_text import format_number, table_text
from lobby.learn.exercises import Question, wanted_numbers
from lobby.learn.points_sheet import payment_text
from lobby.learn.tile_rows import meld_row, row_of_tiles, tile_name
from lobby.learn.yaku_sheet import worth_text

NUMBER_NAMES: Final = {"han": _("Han"), "fu": _("Fu"), "points": _("Points in all")}


def exercise_context(
    asked: Question, chosen: frozenset[str], given: dict[str, str], *, is_answered: bool
) -> dict[str, Any]:
    """Return the context of a question: its tiles, winds, options and fields."""
    win = asked.win
    options = [
        {
            "value": option,
            "name": _option_name(asked.kind, option),
            "row": None if asked.kind == "yaku" else row_of_tiles((2 * int(option),)),
            "is_chosen": option in chosen,
            "is_right": is_answered and option in asked.answer,
            "is_wrong": is_answered and option in chosen - asked.answer,
        }
        for option in asked.options
    ]
    fields = (
        [
            {"name": name, "label": label, "value": given[name]}
            for name, label in NUMBER_NAMES.items()
            if name in wanted_numbers(asked)
        ]
        if not asked.options
        else []
    )
    return {
        "hand": row_of_tiles(asked.tiles, win.winning_tile if win else NO_TILE),
        "melds": [meld_row(meld) for meld in asked.melds],
        "river": row_of_tiles(asked.river) if asked.river else None,
        "norths": row_of_tiles((2 * NORTH,) * asked.norths) if asked.norths else None,
        "indicators": row_of_tiles(asked.indicators) if asked.indicators else None,
        "is_tsumo": bool(win and win.is_tsumo),
        "is_riichi": bool(win and win.riichi),
        "win": win,
        "round": table_text("winds", "ESWN"[win.round_wind - EAST]) if win else "",
        "seat": table_text("winds", "ESWN"[win.seat_wind - EAST]) if win else "",
        "options": options,
        "fields": fields,
        "given": " · ".join(f"{field['label']} {field['value']}" for field in fields),
    }


def _option_name(kind: str, option: str) -> str:
    return table_text("yaku", option) if kind == "yaku" else tile_name(2 * int(option))


def solution_context(asked: Question) -> dict[str, Any]:
    """Return the context of the solution, which the page shows after an answer."""
    value, win = asked.value, asked.win
    if asked.bonus:
        return {
            "bonus": [(table_text("yaku", name), han) for name, han in asked.bonus],
            "han": wanted_numbers(asked)["han"],
        }
    if value is None or win is None:
        names = [
            _option_name(asked.kind, option) for option in asked.options if option in asked.answer
        ]
        return {"right_names": names}
    return {
        "right_names": [table_text("yaku", name) for name, _han in value.yaku],
        "points": format_number(wanted_numbers(asked)["points"]),
        "payment": payment_text(value, is_dealer=win.seat_wind == EAST, is_tsumo=win.is_tsumo),
        **value_context(value),
    }


def value_context(value: HandValue) -> dict[str, Any]:
    """Return the context of the yaku, han, fu and limit of a hand."""
    return {
        "yaku": [
            (table_text("yaku", name), worth_text(count, value.yakuman > 0))
            for name, count in value.yaku
        ],
        "han": value.fan,
        "fu": value.fu,
        "fu_sum": sum(fu for _, fu, _ in value.fu_parts),
        "fu_lines": [
            {
                "name": table_text("fuParts", cause),
                "fu": fu,
                "tile": "" if tile == NO_TILE else tile_name(tile),
            }
            for cause, fu, tile in value.fu_parts
        ],
        "limit": table_text("limits", value.limit) if value.limit else "",
    }
