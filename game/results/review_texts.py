"""The texts of the review panel, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _


def review_texts() -> dict[str, str]:
    """Return the texts that `static/js/replay/review*.js` show; `{name}` is filled in there."""
    return {
        "title": _("Review"),
        "start": _("Review this game"),
        "intro": _("Figures for each decision, and the ten dearest decisions of each seat."),
        "waiting": _("The review waits for its turn."),
        "running": _("The review is being computed."),
        "failed": _("The review could not be computed."),
        "too_many": _("You wait for other reviews already. Try again when they are done."),
        "unreachable": _("The server cannot be reached. Try again."),
        "figures_page": _("What the figures say, and what they leave out"),
        "accuracy": _(
            "In this game: efficient {efficient} of {efficient_of} discards, "
            "safe {safe} of {safe_of}."
        ),
        "dearest": _("Dearest decisions of the seat at the bottom"),
        "no_dearest": _("The bot rates no decision of this seat below its own."),
        "question": _("Hand {hand}, discard {turn}: what would you discard?"),
        "question_turn": _("Hand {hand}, discard {turn}: what would you do?"),
        "question_claim": _("Hand {hand}, on {tile}: what would you do?"),
        "choices": _("What can be chosen"),
        "answer": _("Show the answer"),
        "own_turn": _("{wind}, discard {turn}"),
        "on_tile": _("{wind}, on {tile}"),
        "yours": _("Your choice: {choice}."),
        "made": _("Played: {choice}."),
        "bot": _("Bot: {choice}."),
        "loss": _("The bot rates it {loss} points below its own choice."),
        "no_loss": _("The bot rates no choice higher than this."),
        "act_discard": _("Discard {tiles}"),
        "act_riichi": _("Riichi, discard {tiles}"),
        "act_chi": _("Chi with {tiles}"),
        "act_pon": _("Pon with {tiles}"),
        "act_kan": _("Kan with {tiles}"),
        "act_pass": _("Pass"),
        "act_win": _("Win"),
        "act_abort": _("Abort the hand"),
        "terms": _("Value {value}, speed {speed}, danger {cost}."),
        "why_danger": _("It risks less: danger {cost} instead of {made_cost} points."),
        "why_speed": _("It is faster: {speed} instead of {made_speed}."),
        "why_value": _("Its hand is worth more: {value} instead of {made_value} points."),
        "why_shape": _("The discarded tile is of less use later."),
        "why_riichi": _("Riichi is worth {gain} points more to it than the discard alone."),
        "why_silent": _("Riichi is worth {gain} points less to it than the discard alone."),
        "why_rule": _("A fixed rule of the bot decides, not these figures."),
        "why_win": _("The win pays {value} points."),
        "why_abort": _("It expects too little of this hand."),
        "speed": _("{shanten}-shanten, {unseen} tiles"),
        "speed_tenpai": _("tenpai, {unseen} tiles"),
        "deal_in": _("deal-in {rate}"),
        "mark_made": _("played"),
        "mark_bot": _("bot"),
        "fastest": _("fastest"),
        "safest": _("safest"),
        "worth_most": _("worth most alone"),
        "then": _("Then the bot would discard {tile}."),
        "useful": _("Useful tiles unseen:"),
        "counted": _("Deals in to {wind}: {rate} ({cases} cases)"),
        "estimated": _("Deals in to {wind}: {rate} (estimate of a model)"),
        "riichi": _("Mean ron: {declared} points with riichi, {silent} without."),
        "curves": _("Alone, within {draws} draws: tenpai {tenpai} (dashed), win {win}."),
        "points_alone": _("Points alone: {points}"),
        "rating": _("Value {value}, danger {cost}; the bot’s rating {score}."),
        "no_decision": _("There is no decision to review at this position."),
    }
