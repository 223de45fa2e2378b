"""The texts of the review panel, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


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
        "no_costliest": _("No decision of this seat is worth less than the bot’s."),
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
        "best": _("Best"),
        "good": _("Good"),
        "inaccuracy": _("Inaccuracy"),
        "mistake": _("Mistake"),
        "blunder": _("Blunder"),
        "lost": _("{severity}: {places} places lost ({points} points)"),
        "share": _("7 dan {share}"),
        "unlike_fitted": _(
            "The shares of 7-dan players are from games by Tenhou’s rules; the rules of this "
            "game differ."
        ),
        "comma": pgettext("between reasons", ", "),
        "gained_for": _("For {gained} it accepts {given_up}."),
        "only_given_up": _("It accepts {given_up}, for nothing that these figures show."),
        "only_gained": _("It has {gained}; strong players choose otherwise all the same."),
        "no_reason": _("These figures do not show why the bot chooses otherwise."),
        "no_reason_share": _(
            "These figures show no difference, but only {share} of strong players choose this."
        ),
        "more_near": _("a nearer hand ({made_speed} instead of {speed})"),
        "less_near": _("a farther hand ({made_speed} instead of {speed})"),
        "more_wide": _("more useful tiles ({made_unseen} instead of {unseen})"),
        "less_wide": _("fewer useful tiles ({made_unseen} instead of {unseen})"),
        "more_safe": _("less danger to deal in ({made_danger} instead of {danger})"),
        "less_safe": _("more danger to deal in ({made_danger} instead of {danger})"),
        "more_cheap": _("a lower expected loss ({made_cost} points instead of {cost})"),
        "less_cheap": _("a higher expected loss ({made_cost} points instead of {cost})"),
        "more_value": _("a hand worth more ({made_value} points instead of {value})"),
        "less_value": _("a hand worth less ({made_value} points instead of {value})"),
        "more_riichi": _("dearer wins ({made_declared} points with riichi)"),
        "less_riichi": _("wins without riichi (with it {declared} points)"),
        "more_free": _("a hand that may still change and fold"),
        "less_free": _("a hand that can no longer change or fold"),
        "verdict": _("Verdict on {name}: accuracy {share}"),
        "accuracy_all": _("Accuracy in all: {share}."),
        "no_accuracy": _("Nothing was at stake in the decisions of this seat."),
        "phase_efficiency": _("Efficiency: {share} ({decisions} decisions)"),
        "phase_calls": _("Calls: {share} ({decisions} decisions)"),
        "phase_riichi": _("Riichi: {share} ({decisions} decisions)"),
        "phase_defence": _("Defence: {share} ({decisions} decisions)"),
        "phase_last": _("Last hands: {share} ({decisions} decisions)"),
        "moments": _("The dearest moments"),
        "habit_calls": _("To work on: calls that leave the hand too cheap or too open."),
        "habit_passes": _("To work on: tiles that are worth a call."),
        "habit_riichi": _("To work on: hands that are better without riichi."),
        "habit_silent": _("To work on: riichi with hands that are ready for it."),
        "habit_win": _("To work on: wins that were passed."),
        "habit_folds": _("To work on: folding hands that are worth their danger."),
        "habit_danger": _("To work on: dangerous discards."),
        "habit_speed": _("To work on: discards that keep more useful tiles."),
        "habit_value": _("To work on: the value of the hand."),
        "habit_cost": _("It cost {places} places in {times} decisions."),
        "luck": _(
            "Luck, from draws, ura dora and the choices of others: {luck} places "
            "(95 % interval {low} to {high})."
        ),
        "places": _("Expected place before each hand, and the place at the end"),
        "loading": _("The chances by draw are being computed."),
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
