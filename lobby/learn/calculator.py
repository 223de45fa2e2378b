"""What the calculator says about a hand: its worth, its waits, and what to discard.

The worth is the engine's, the waits are those of the help at a table, and the discards have the
figures of a review. A hand of the calculator has no opponents yet: nobody else has discarded or
declared anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from game.analysis.study import seat_view, study
from game.analysis.study_answer import Prospect, Worth
from game.engine.actions import DeclareRiichi, Discard
from game.engine.hand import waits
from game.engine.legal import legal
from game.engine.points import win_payments
from game.engine.state import DEALS_PER_ROUND, SEATS_OF, Dealt, Hand, Phase, Riichi, Table
from game.engine.tiles import (
    EAST,
    HIDDEN,
    NO_TILE,
    TILE_TO_TEXT,
    kind_of,
    tile_from_text,
)
from game.engine.value import WinContext, value_of
from game.engine.wall import LAYOUTS
from game.results.game_text import format_number, table_text
from game.reviews.figures import Choice
from game.reviews.game_review import weigh
from lobby.learn.calculator_form import CalculatorForm
from lobby.learn.shown_exercises import value_context
from lobby.learn.tile_rows import ShownRow, meld_row, read_tiles, row_of_tiles

_OWN: Final = 0
"""The seat of the hand."""
_DEALT_TILES: Final = 13


def answer_context(form: CalculatorForm) -> dict[str, Any]:
    """Return the context of the answer to a valid form."""
    hand = form.hand_read
    *others, last = hand.tiles
    concealed = tuple(sorted(others)) if hand.has_drawn else tuple(sorted(hand.tiles))
    shown = {
        "hand": row_of_tiles(concealed, last if hand.has_drawn else NO_TILE),
        "melds": [meld_row(meld) for meld in hand.melds],
    }
    if not hand.has_drawn:
        return {**shown, "prospect": _prospect(form, concealed)}
    is_complete = bool(waits(concealed, hand.melds) >> kind_of(last) & 1)
    return {
        **shown,
        "is_complete": is_complete,
        "win": _win_context(form, concealed, last) if is_complete else None,
        "discards": [] if form.cleaned_data["riichi"] else _list_discards(form, concealed, last),
    }


def _win_context(
    form: CalculatorForm, concealed: tuple[int, ...], last: int
) -> dict[str, Any] | None:
    """Return the context of a win; None if it lacks a yaku or the han that the rules require."""
    chosen, rules = form.cleaned_data, form.chosen_rules
    is_tsumo, moment = chosen["win"] == "tsumo", chosen["moment"]
    value = value_of(
        WinContext(
            rules=rules,
            tiles=concealed,
            melds=form.hand_read.melds,
            winning_tile=last,
            is_tsumo=is_tsumo,
            seat_wind=form.wind("seat"),
            round_wind=form.wind("round"),
            riichi=bool(chosen["riichi"]),
            double_riichi=chosen["riichi"] == "double",
            ippatsu=chosen["ippatsu"],
            rinshan=moment == "kan" and is_tsumo,
            chankan=moment == "kan" and not is_tsumo,
            last_tile=moment == "last",
            first_turn=moment == "first",
            dora=form.dora_read,
            ura=form.ura_read,
            honba=chosen["honba"],
            norths=chosen["norths"],
        )
    )
    if value is None:
        return None
    dealer = _dealer(form)
    deltas, _liable = win_payments(
        rules,
        value,
        winner=_OWN,
        target=_OWN if is_tsumo else _OWN + 1,
        dealer=dealer,
        honba=chosen["honba"],
        kyotaku=chosen["sticks"],
        liable=(),
    )
    payers = [
        (_wind_name(rules.players, seat, dealer) if is_tsumo else _("Discarder"), -points)
        for seat, points in enumerate(deltas)
        if points < 0
    ]
    return {
        **value_context(value),
        "points": format_number(deltas[_OWN]),
        "payers": [(name, format_number(points)) for name, points in payers],
        "sticks": format_number(1_000 * chosen["sticks"]) if chosen["sticks"] else "",
    }


def _dealer(form: CalculatorForm) -> int:
    return (EAST - form.wind("seat")) % form.chosen_rules.players


def _wind_name(players: int, seat: int, dealer: int) -> str:
    return table_text("winds", "ESWN"[(seat - dealer) % players])


def _build_view(form: CalculatorForm, concealed: tuple[int, ...], drawn: int) -> Table:
    """Build the seat's view of the entered hand: on its own turn if it has a drawn tile, otherwise
    on the next seat's."""
    chosen, rules, players = form.cleaned_data, form.chosen_rules, form.chosen_rules.players
    dealer = _dealer(form)
    kyoku = DEALS_PER_ROUND * (form.wind("round") - EAST) + dealer
    draws = players * (chosen["turn"] - 1) + (_OWN - dealer) % players + 1
    scores = (rules.start_points,) * players
    hand = Hand(
        tiles=concealed,
        melds=form.hand_read.melds,
        riichi=Riichi.ACCEPTED if chosen["riichi"] else Riichi.NONE,
        double_riichi=chosen["riichi"] == "double",
        norths=chosen["norths"],
    )
    return Table(
        rules=rules,
        names=("",) * players,
        away=(False,) * players,
        answers=(None,) * players,
        chombos=(0,) * players,
        phase=Phase.TURN,
        kyoku=kyoku,
        honba=chosen["honba"],
        kyotaku=chosen["sticks"],
        scores=scores,
        hands_dealt=1,
        left=max(0, LAYOUTS[players].live - draws),
        dora=form.dora_read,
        hands=(hand, *[Hand(tiles=(HIDDEN,) * _DEALT_TILES) for _ in SEATS_OF[players][1:]]),
        turn=_OWN if drawn != NO_TILE else _OWN + 1,
        drawn=drawn,
        unbroken=chosen["turn"] == 1 and not form.hand_read.melds,
        history=(Dealt(kyoku, chosen["honba"], scores),),
    )


def _prospect(form: CalculatorForm, concealed: tuple[int, ...]) -> dict[str, Any]:
    """Return the context of the waits of a tenpai hand, or of the useful tiles of another hand."""
    found = study(seat_view(_build_view(form, concealed, NO_TILE), _OWN)).hand
    assert found is not None  # the next seat has the turn
    tiles = found.useful or tuple((wait.pai, wait.left) for wait in found.waits)
    return {
        "shanten": found.shanten,
        "waits": list(_list_waits(found)),
        "useful": _row_of_kinds(dict(found.useful)),
        "count": sum(left for _tile, left in tiles),
    }


def _list_waits(prospect: Prospect) -> Iterator[dict[str, Any]]:
    for wait in prospect.waits:
        yield {
            "row": row_of_tiles((tile_from_text(wait.pai),)),
            "left": wait.left,
            "ron": _describe_worth(wait.ron),
            "tsumo": _describe_worth(wait.tsumo),
        }


def _describe_worth(worth: Worth | None) -> str:
    """Describe a win by its points, with its limit or its han and fu; '' without a yaku."""
    if worth is None:
        return ""
    if worth.limit:
        size = table_text("limits", worth.limit)
    else:
        size = _("%(han)d han, %(fu)d fu") % {"han": worth.han, "fu": worth.fu}
    return f"{format_number(worth.points)} ({size})"


def _list_discards(
    form: CalculatorForm, concealed: tuple[int, ...], drawn: int
) -> list[dict[str, Any]]:
    """Return the discards with the figures of a review, the one that the bot rates highest
    first."""
    table = _build_view(form, concealed, drawn)
    weighed = weigh(table, _OWN, legal(table, _OWN), with_curves=True)
    bot = weighed.bot
    chosen = TILE_TO_TEXT[bot.pai] if isinstance(bot, Discard | DeclareRiichi) else ""
    return [
        {
            **_describe_discard(choice),
            "is_bots": choice.tile == chosen,
            "is_riichi": choice.tile == chosen and isinstance(bot, DeclareRiichi),
        }
        for choice in weighed.choices
        if choice.action == "discard"
    ]


def _describe_discard(choice: Choice) -> dict[str, Any]:
    curves = choice.curves
    return {
        "row": row_of_tiles((tile_from_text(choice.tile),)),
        "shanten": choice.shanten,
        "unseen": choice.unseen,
        "useful": _row_of_kinds(choice.useful),
        "tenpai": _format_chance(curves.tenpai) if curves else "",
        "win": _format_chance(curves.win) if curves else "",
        "points": format_number(curves.points) if curves else "",
        "value": format_number(choice.value),
        "labels": choice.labels,
        "riichi": choice.riichi,
    }


def _format_chance(steps: Sequence[int]) -> str:
    """Add up the chances of a win or a tenpai per draw, in per mille, and return the sum as a
    percentage in the reader's format.
    """
    return f"{format_number(Fraction(sum(steps), 10), decimals=1)} %"


def _row_of_kinds(tiles: dict[str, int]) -> ShownRow | None:
    found = tuple(tile_from_text(tile) for tile in tiles)
    return row_of_tiles(found) if found else None


def keyboard() -> list[list[dict[str, Any]]]:
    """Return the rows of tiles to click: each tile with its notation and its picture."""
    return [
        [
            {"text": rank + suit, "row": row_of_tiles(read_tiles(rank + suit))}
            for rank in ("1234567" if suit == "z" else "1234506789")
        ]
        for suit in "mpsz"
    ]
