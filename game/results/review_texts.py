"""The texts of the review panel, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _


def review_texts() -> dict[str, str]:
    """Return the texts that `static/js/replay/review.js` shows; `{name}` is filled in there."""
    return {
        "title": _("Review"),
        "start": _("Review this game"),
        "intro": _("Figures for each discard, and the ten dearest decisions of each seat."),
        "waiting": _("The review waits for its turn."),
        "running": _("The review is being computed."),
        "failed": _("The review could not be computed."),
        "too_many": _("You wait for other reviews already. Try again when they are done."),
        "unreachable": _("The server cannot be reached. Try again."),
        "figures_page": _("What the figures say, and what they leave out"),
        "dearest": _("Dearest decisions of {seat}"),
        "no_dearest": _("The bot would have discarded the same, or as well, each time."),
        "question": _("Hand {hand}, discard {turn}: what would you discard?"),
        "answer": _("Show the answer"),
        "chosen": _("Discarded: {tile}. The bot rates this {loss} points below its best discard."),
        "chosen_best": _("Discarded: {tile}. The bot rates no discard higher."),
        "yours": _("Your choice: {tile}, {loss} points below the bot’s best discard."),
        "bot_discard": _("The bot would discard {tile}."),
        "bot_riichi": _("The bot would declare riichi with {tile}."),
        "bot_kan": _("The bot would declare a kan."),
        "bot_win": _("The bot would win."),
        "bot_abort": _("The bot would abort the hand."),
        "terms": _("Value {value}, danger {cost} points, {shanten}-shanten with {unseen} tiles."),
        "why_danger": _("It costs less danger."),
        "why_speed": _("It is faster."),
        "why_value": _("Its hand is worth more."),
        "why_shape": _("The tile is of less use later."),
        "no_decision": _("There is no discard to review at this position."),
        "tile": _("Discard"),
        "shanten": _("Shanten"),
        "unseen": _("Useful tiles unseen"),
        "tenpai": _("Tenpai"),
        "win": _("Win"),
        "points": _("Points alone"),
        "danger": _("Deal-in"),
        "counted": _("{rate} ({cases} cases)"),
        "estimated": _("{rate} (estimate of a model)"),
        "fastest": _("fastest"),
        "safest": _("safest"),
        "worth_most": _("worth most alone"),
    }
