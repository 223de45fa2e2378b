"""The texts of the review panel, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _


def review_texts() -> dict[str, str]:
    """Return the texts that `static/js/replay/review*.js` show, by name. Placeholders such as
    `{name}` are filled in by the scripts."""
    return {
        "title": _("Review"),
        "start": _("Review this game"),
        "intro": _("Figures for each decision, and the ten costliest decisions of each seat."),
        "waiting": _("The review is waiting for its turn."),
        "running": _("The review is being computed."),
        "failed": _("The review could not be computed."),
        "too_many": _("You are already waiting for other reviews. Try again when they are done."),
        "unreachable": _("The server cannot be reached. Try again."),
        "figures_page": _("What the figures say, and what they leave out"),
        "accuracy": _(
            "Efficiency: {efficient} of {efficient_of} discards were among the fastest. "
            "Defence: {safe} of {safe_of} were among the safest."
        ),
        "costliest": _("Costliest decisions of the seat at the bottom"),
        "no_costliest": _("The bot rates no decision of this seat below its own."),
        "question": _("{hand}, turn {turn}: what would you discard?"),
        "question_turn": _("{hand}, turn {turn}: what would you do?"),
        "question_claim": _("{hand}, on {tile}: what would you do?"),
        "choices": _("What can be chosen"),
        "answer": _("Show the answer"),
        "own_turn": _("{wind}, turn {turn}"),
        "on_tile": _("{wind}, on {tile}"),
        "yours": _("Your choice: {choice}."),
        "made": _("Played: {choice}."),
        "bot": _("Bot: {choice}."),
        "loss": _("By these figures it is worth {loss} points less than the bot’s choice."),
        "no_loss": _("By these figures it is worth no less than the bot’s choice."),
        "act_discard": _("Discard {tiles}"),
        "act_riichi": _("Riichi, discard {tiles}"),
        "act_chi": _("Chi with {tiles}"),
        "act_pon": _("Pon with {tiles}"),
        "act_kan": _("Kan with {tiles}"),
        "act_kita": _("Kita {tiles}"),
        "act_pass": _("Pass"),
        "act_win": _("Win"),
        "act_abort": _("Abort the hand"),
        "terms": _("Value {value}; speed {speed}; danger {cost}."),
        "why_danger": _("It risks less: danger {cost} instead of {made_cost} points."),
        "why_speed": _("It is faster: {speed} instead of {made_speed}."),
        "why_value": _("Its hand is worth more: {value} instead of {made_value} points."),
        "why_shape": _("The discarded tile would be of less use later."),
        "why_riichi": _("It rates riichi {gain} points above the same discard without riichi."),
        "why_silent": _("It rates riichi {gain} points below the same discard without riichi."),
        "why_rule": _("A fixed rule of the bot decides here, not these figures."),
        "why_players": _("Strong players more often choose this; these figures do not show why."),
        "why_win": _("The win pays {value} points."),
        "why_abort": _("It expects too little from this hand."),
        "reviewer": _("{name}: {choice}."),
        "reviewer_riichi": _("{name}: riichi."),
        "reviewer_none": _("{name}: no answer."),
        "reviewer_same": _("{name}: the same choice in {same} of {of} decisions."),
        "reviewer_waits": _("{name} is still being asked."),
        "reviewer_failed": _("It stopped before the end of the game."),
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
        "counted_three": _(
            "Deals in to {wind}: {rate} (rate of four times a factor from {cases} cases of three)"
        ),
        "counted_few": _(
            "Deals in to {wind}: {rate} "
            "(rate of four times a factor from only {cases} cases of three)"
        ),
        "estimated": _("Deals in to {wind}: {rate} (estimate of a model)"),
        "riichi": _("Mean ron: {declared} points with riichi, {silent} without."),
        "curves": _("Alone, within {draws} draws: tenpai {tenpai} (dashed), win {win}."),
        "no_curves": _("The chances by draw could not be computed on this site."),
        "points_alone": _("Points alone: {points}"),
        "rating": _("Value {value}, danger {cost}; the bot’s rating {score}."),
        "no_decision": _("There is no decision to review at this position."),
        "nearest": _("Go to a decision of this seat"),
    }
