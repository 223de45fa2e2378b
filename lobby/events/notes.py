"""Notes of pages of events by the code in the query `note`."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy as _

NOTES: Final[dict[str, Any]] = {
    "done": _("Done."),
    "nothing": _(
        "There was nothing to do: no such game is running, or another organiser has to decide."
    ),
    "reason": _("Say why, in 300 characters at most."),
    "official": _("You are not an organiser of this club any more."),
    "own": _("You cannot decide about yourself or about a game in which you play."),
    "game": _("This game is not over, or it does not count."),
    "replaced": _("The table of the list has another game by now."),
    "many": _("This event cannot have more decisions."),
    "gone": _("The decision has been cancelled already."),
    "plays": _("You play in this event. An organiser who does not play in it has to decide."),
    "rival": _(
        "You are within two places of a player of this game. An organiser who is not has to decide."
    ),
    "no_hand": _("No hand is being played there."),
    "void": _("The game is void already."),
    "next_round": _("The next round has begun, so this game cannot be played again."),
    "not_over": _("The game is not over, or it was broken off."),
    "scores": _("The scores have to be full hundreds."),
    "sum": _("The sum of the scores has to be what it was."),
    "points": _("Points are between 0 and 200, with one decimal at most."),
    "minutes": _("Between 1 and 60 minutes."),
    "busy": _("This person plays in the event already."),
    "member": _("Only members of the club can play."),
    "entered": _("This person takes part already."),
    "no_round": _("No round has begun, or there are no more rounds."),
    "player": _("This person does not take part."),
    "pair": _("Choose two different players."),
    "rounds": _("A round with a higher number has begun."),
    "fill": _("In this event nobody takes the seats that are left over."),
    "decided": _("The dispute has been decided already."),
    "disputed": _("You have disputed this result already."),
    "text": _("Say what is wrong, in 600 characters at most."),
}
"""Notes of the pages of officials and players."""
EVENT_NOTES: Final[dict[str, Any]] = {
    "over": _("All rounds have been played."),
    "running": _("The round before is not over yet."),
    "seats": _(
        'The entrants do not fill the tables. Enter somebody, or choose under "Edit the event" '
        "who takes the seats that are left over."
    ),
    "substitutes": _("Officials have to name members who take the seats that are left over."),
    "prescribed": _("The prescribed seats are for another number of entrants."),
    "begun": _("The first round has begun."),
    "closed": _("Registration is closed."),
    "asked": _("Your request is on its way to the organisers."),
    "waiting": _("All places are taken. You are on the waiting list."),
}
"""Notes of the page of an event."""
