"""The privacy page, and the download of a person's own data."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.imports.records import KEPT_DAYS
from game.operations.personal_data import collect_personal_data, row_data
from game.tables.bridge import ask
from lobby.accounts import rate_limits
from lobby.accounts.expiry import GUEST_DAYS
from lobby.accounts.refusals import TOO_MANY_TRIES, with_error_pages
from lobby.accounts.visitors import visitor_of
from lobby.bots.accounts import bots_of
from lobby.friends.friendships import friendships_of
from lobby.models import BotAccount, Event, Person, PuzzleScore, RemovedMember, SharedOrigin


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored, for how long, and who sees it."""
    context = {
        "contact": settings.CONTACT,
        "guest_days": GUEST_DAYS,
        "import_days": KEPT_DAYS,
        "pair_days": SharedOrigin.KEPT_DAYS,
        "record_days": settings.RECORDS_KEPT_DAYS,
    }
    return render(request, "lobby/privacy.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
def download_own_data(request: HttpRequest) -> HttpResponse:
    """Return everything that is stored about the visitor, guest or account, as a JSON file."""
    person = visitor_of(request)
    if person is None:
        return redirect("lobby:privacy")
    rate_limits.EXPORTS_OF_PERSON.count(str(person.pk))
    data = {"account": _account_data(person), **ask(collect_personal_data(str(person.pk)))}
    name = f"riichi-{timezone.localdate():%Y-%m-%d}.json"
    return JsonResponse(
        data,
        json_dumps_params={"ensure_ascii": False, "indent": 1},
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _account_data(person: Person) -> dict[str, Any]:
    """Return the fields of the person, and of the user if there is one."""
    row = Person.objects.select_related("user").get(pk=person.pk)
    data: dict[str, Any] = {
        "id": str(row.pk),
        **row_data(row, ("name", "created_at", "seen_on", "language", "table_settings")),
        **_data_of_clubs(row),
        # Without the other person, whom only moderators see.
        "same_address_or_browser": [
            row_data(pair, ("has_address", "has_browser", "last_at"))
            for pair in SharedOrigin.objects.filter(Q(first=row) | Q(second=row))
        ],
        **_data_of_events(row),
        "saved_rules": [
            row_data(rules, ("name", "clock", "rules")) for rules in row.saved_rules.all()
        ],
        "takes_friend_requests": row.takes_requests,
        "is_shown_online": row.is_shown_online,
        "friendships": [
            {
                "person": str(
                    friendship.second_id if friendship.first_id == row.pk else friendship.first_id
                ),
                "asked_by": str(friendship.asker_id),
                "asked_at": friendship.made_at.isoformat(),
                **row_data(friendship, ("accepted_at",)),
            }
            for friendship in friendships_of(row.pk)
        ],
        "exercises": [
            row_data(score, ("kind", "level", "tried", "right", "streak", "best_streak"))
            for score in row.exercise_scores.all()
        ],
        "puzzles": [
            row_data(answer, ("key", "choice", "is_right", "answered_at"))
            for answer in row.puzzle_answers.all()
        ],
        "puzzle_scores": [
            row_data(score, ("mu", "sigma", "tried", "right", "streak", "best_streak"))
            for score in PuzzleScore.objects.filter(person=row)
        ],
    }
    if row.user is not None:
        last = row.user.last_login
        data |= {
            "mail": row.user.email,
            "signed_up_at": row.user.date_joined.isoformat(),
            "last_signed_in_at": last.isoformat() if last is not None else None,
            "bots": [_bot_data(bot) for bot in bots_of(row)],
        }
    return data


def _data_of_clubs(row: Person) -> dict[str, Any]:
    """Return the memberships, requests and other rows of clubs about the person."""
    return {
        "clubs": [
            {"club": membership.club.slug, **row_data(membership, ("role", "joined_at"))}
            for membership in row.memberships.select_related("club")
        ],
        "club_requests": [
            {"club": join_request.club.slug, **row_data(join_request, ("made_at",))}
            for join_request in row.join_requests.select_related("club")
        ],
        "removed_from_clubs": [
            {"club": removed.club.slug, **row_data(removed, ("removed_at",))}
            for removed in RemovedMember.objects.filter(person=row).select_related("club")
        ],
        "tokens_of_clubs": [
            {"club": token.club.slug, **row_data(token, ("label", "created_at", "revoked_at"))}
            for token in row.api_tokens.select_related("club")
        ],
    }


def _data_of_events(row: Person) -> dict[str, Any]:
    """Return what events store about the person as a player and as an official."""
    return {
        "events": [
            {
                **_event_data(entry.event),
                "number": entry.number,
                "checked_in_at": entry.came_at.isoformat() if entry.came_at else None,
                **row_data(
                    entry,
                    (
                        *("entered_at", "is_replaced", "is_withdrawn", "missed_rounds"),
                        *("sat_out_rounds", "sat_out_points"),
                    ),
                ),
                # Without the others, whom only officials see.
                "pairs_apart": sum(str(row.pk) in pair for pair in entry.event.apart),
            }
            for entry in row.entries.select_related("event__club")
        ],
        "tables_of_lists": [
            {**_event_data(table.event), "number": table.number}
            for table in row.listed_tables.select_related("event__club")
        ],
        "rulings_of_events": [
            {
                **_event_data(ruling.event),
                **row_data(ruling, ("kind", "points", "reason", "is_cancelled", "made_at")),
            }
            for ruling in row.rulings.select_related("event__club")
        ],
        "disputes_of_events": [
            {
                **_event_data(dispute.event),
                **row_data(dispute, ("game", "text", "made_at", "decision", "answer")),
            }
            for dispute in row.disputes.select_related("event__club")
        ],
        "decisions_as_official": [
            {**_event_data(ruling.event), **row_data(ruling, ("kind", "reason", "made_at"))}
            for ruling in row.decisions.select_related("event__club")
        ],
    }


def _event_data(event: Event) -> dict[str, Any]:
    return {"club": event.club.slug, "event": event.slug}


def _bot_data(bot: BotAccount) -> dict[str, Any]:
    return {
        "id": str(bot.pk),
        "name": bot.person.name,
        **row_data(bot, ("is_open", "created_at")),
        "tokens": [
            row_data(token, ("label", "scopes", "created_at", "used_on", "revoked_at"))
            for token in bot.tokens.all()
        ],
    }
