"""Prepares a puzzle for its page: the table, the answers and the solution, in the reader's
language."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.engine.state import Phase, Table
from game.engine.tiles import NO_TILE, TILE_TO_TEXT, tile_from_text
from game.puzzles.puzzle import Puzzle
from game.results.game_text import format_number, join_list
from game.results.review_sentences import sentence_of
from game.results.review_texts import review_texts
from game.reviews.figures import Choice
from game.reviews.reasons import reasons_of
from lobby.learn.shown_table import table_context
from lobby.learn.tile_rows import ShownRow, row_of_tiles, tile_name

THEME_NAMES: Final = {
    "efficiency": gettext_lazy("Efficiency"),
    "push": gettext_lazy("Push against riichi"),
    "fold": gettext_lazy("Fold against riichi"),
    "call": gettext_lazy("Call or not"),
}
LEVEL_NAMES: Final = {
    "easy": gettext_lazy("Easy"),
    "medium": gettext_lazy("Medium"),
    "hard": gettext_lazy("Hard"),
}
_MIN_CHANCE: Final = 1
"""In per cent; answers that strong players take less often are not listed."""


def position_context(puzzle: Puzzle) -> dict[str, Any]:
    """Return the context of the table as the seat saw it, and of the answers."""
    seen, seat = puzzle.position, puzzle.seat
    return {
        "question": _question(seen),
        **table_context(seen, seat),
        "hand": row_of_tiles(seen.hands[seat].tiles),
        "tiles": _tile_buttons(puzzle),
        "calls": _call_buttons(puzzle),
    }


def _question(seen: Table) -> str:
    if seen.phase == Phase.TURN:
        return _("What would you discard?")
    return _("%(tile)s was discarded: would you call it?") % {"tile": tile_name(seen.claimed)}


def _tile_buttons(puzzle: Puzzle) -> list[dict[str, Any]]:
    """Return the tiles of the hand, the drawn one last, each with the answer that discards it."""
    seen = puzzle.position
    if seen.phase != Phase.TURN:
        return []
    places = {choice.tile: place for place, choice in enumerate(puzzle.choices)}
    tiles = list(seen.hands[puzzle.seat].tiles)
    if seen.drawn != NO_TILE:
        tiles.append(seen.drawn)
    return [
        {
            "row": row_of_tiles((tile,)),
            "name": _button_name(tile, is_drawn=number == len(tiles) - 1 and seen.drawn != NO_TILE),
            "place": places.get(TILE_TO_TEXT[tile]),
            "is_drawn": seen.drawn != NO_TILE and number == len(tiles) - 1,
        }
        for number, tile in enumerate(tiles)
    ]


def _button_name(tile: int, *, is_drawn: bool) -> str:
    text = _("Discard %(tile)s, just drawn") if is_drawn else _("Discard %(tile)s")
    return text % {"tile": tile_name(tile)}


def _call_buttons(puzzle: Puzzle) -> list[dict[str, Any]]:
    if puzzle.position.phase == Phase.TURN:
        return []
    return [
        {"name": answer_text(choice), "place": place, "row": _laid_row(choice)}
        for place, choice in enumerate(puzzle.choices)
    ]


def _laid_row(choice: Choice) -> ShownRow | None:
    return row_of_tiles(tuple(map(tile_from_text, choice.laid))) if choice.laid else None


def answer_text(choice: Choice) -> str:
    """Return an answer in words."""
    tiles = choice.laid if choice.action != "discard" else [choice.tile]
    names = join_list([tile_name(tile_from_text(tile)) for tile in tiles])
    return review_texts()[f"act_{choice.action}"].format(tiles=names)


def solution_context(puzzle: Puzzle, chosen: int) -> dict[str, Any]:
    """Return the context of the solution after the answer `chosen`, a place in the choices."""
    best, made = puzzle.choices[puzzle.best], puzzle.choices[chosen]
    is_right = chosen == puzzle.best
    compared = puzzle.rival if is_right else chosen
    other = puzzle.choices[compared]
    return {
        "is_right": is_right,
        "best": answer_text(best),
        "made": answer_text(made),
        "rival": answer_text(puzzle.choices[puzzle.rival]),
        "compared": answer_text(other),
        "sentence": sentence_of(
            best, other, *reasons_of(best, other), puzzle.chances[compared] / 100
        ),
        "chance": puzzle.chances[puzzle.best],
        "gain": format_number(10 * (sum(puzzle.gains) // 20)),
        "answers": [
            {
                "name": answer_text(choice),
                "chance": chance,
                "speed": _speed(choice),
                "danger": None if choice.danger is None else round(100 * choice.danger),
                "score": format_number(choice.score),
                "is_best": place == puzzle.best,
                "is_made": place == chosen,
            }
            for chance, place, choice in sorted(
                zip(puzzle.chances, range(len(puzzle.choices)), puzzle.choices, strict=True),
                key=lambda row: (-row[0], row[1]),
            )
            if chance >= _MIN_CHANCE or place in (chosen, puzzle.best)
        ],
    }


def _speed(choice: Choice) -> str:
    texts = review_texts()
    if choice.shanten is None:
        return ""
    name = "speed" if choice.shanten else "speed_tenpai"
    return texts[name].format(shanten=choice.shanten, unseen=choice.unseen)
