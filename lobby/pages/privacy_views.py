"""The privacy page, and the download of a person's own data."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.imports.records import KEPT_DAYS
from game.operations.personal_data import collect_personal_data
from lobby.accounts import rate_limits
from lobby.accounts.expiry import GUEST_DAYS
from lobby.accounts.visitors import visitor_of
from lobby.bots.accounts import bots_of
from lobby.friends.friendships import friendships_of
from lobby.models import BotAccount, Entrant, Person
from lobby.pages.refusals import TOO_MANY_TRIES, with_error_pages


@require_safe
async def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored, for how long, and who sees it."""
    context = {
        "contact": settings.CONTACT,
        "guest_days": GUEST_DAYS,
        "import_days": KEPT_DAYS,
        "record_days": settings.RECORDS_KEPT_DAYS,
    }
    return render(request, "lobby/privacy.html", context)


@never_cache
@require_safe
@with_error_pages(TOO_MANY_TRIES)
async def download_own_data(request: HttpRequest) -> HttpResponse:
    """Return everything that is stored about the visitor, guest or account, as a JSON file."""
    person = visitor_of(request)
    if person is None:
        return redirect("lobby:privacy")
    await rate_limits.EXPORTS_OF_PERSON.count(str(person.pk))
    data = {"account": await _account_data(person), **await collect_personal_data(str(person.pk))}
    name = f"riichi-{timezone.localdate():%Y-%m-%d}.json"
    return JsonResponse(
        data,
        json_dumps_params={"ensure_ascii": False, "indent": 1},
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _account_data(person: Person) -> dict[str, Any]:
    """Return the fields of the person, and of the user if there is one."""
    row = await Person.objects.select_related("user").aget(pk=person.pk)
    found: dict[str, Any] = {
        "id": str(row.pk),
        "name": row.name,
        "created_at": row.created_at.isoformat(),
        "seen_on": row.seen_on.isoformat(),
        "language": row.language,
        "table_settings": row.table_settings,
        "clubs": [
            {
                "club": membership.club.slug,
                "role": membership.role,
                "joined_at": membership.joined_at.isoformat(),
            }
            async for membership in row.memberships.select_related("club")
        ],
        "club_requests": [
            {"club": join_request.club.slug, "made_at": join_request.made_at.isoformat()}
            async for join_request in row.join_requests.select_related("club")
        ],
        "tournaments": [
            _entry_data(entrant)
            async for entrant in row.entries.select_related("tournament__club").prefetch_related(
                "penalties", "disputes__table"
            )
        ],
        "leagues": [
            {
                "club": entry.league.club.slug,
                "league": entry.league.slug,
                "entered_at": entry.entered_at.isoformat(),
            }
            async for entry in row.league_entries.select_related("league__club")
        ],
        "tables_of_leagues": [
            {
                "club": fixture.league.club.slug,
                "league": fixture.league.slug,
                "number": fixture.number,
            }
            async for fixture in row.fixtures.select_related("league__club")
        ],
        "penalties_of_leagues": [
            {
                "club": ruling.league.club.slug,
                "league": ruling.league.slug,
                "kind": ruling.kind,
                "points": str(ruling.points),
                "reason": ruling.reason,
                "is_cancelled": ruling.is_cancelled,
                "given_at": ruling.made_at.isoformat(),
            }
            async for ruling in row.league_rulings.select_related("league__club")
        ],
        "disputes_of_leagues": [
            {
                "league": dispute.league.slug,
                "table": dispute.table_id,
                "text": dispute.text,
                "decision": dispute.decision,
                "answer": dispute.answer,
            }
            async for dispute in row.league_disputes.select_related("league")
        ],
        "decisions_as_official": [
            {
                "tournament": intervention.tournament.slug,
                "kind": intervention.kind,
                "reason": intervention.reason,
                "at": intervention.at.isoformat(),
            }
            async for intervention in row.interventions.select_related("tournament")
        ],
        "saved_rules": [
            {"name": rules.name, "clock": rules.clock, "rules": rules.rules}
            async for rules in row.saved_rules.all()
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
                "accepted_at": friendship.accepted_at.isoformat()
                if friendship.accepted_at
                else None,
            }
            async for friendship in friendships_of(row.pk)
        ],
        "exercises": [
            {
                "kind": score.kind,
                "level": score.level,
                "tried": score.tried,
                "right": score.right,
                "streak": score.streak,
                "best_streak": score.best_streak,
            }
            async for score in row.exercise_scores.all()
        ],
    }
    if row.user is not None:
        last = row.user.last_login
        found |= {
            "mail": row.user.email,
            "signed_up_at": row.user.date_joined.isoformat(),
            "last_signed_in_at": last.isoformat() if last is not None else None,
            "bots": [_bot_data(bot) for bot in await bots_of(row)],
        }
    return found


def _entry_data(entry: Entrant) -> dict[str, Any]:
    return {
        "club": entry.tournament.club.slug,
        "tournament": entry.tournament.slug,
        "number": entry.number,
        "checked_in_at": entry.came_at.isoformat() if entry.came_at else None,
        "is_replaced": entry.is_replaced,
        "penalties": [
            {
                "kind": penalty.kind,
                "points": str(penalty.points),
                "reason": penalty.reason,
                "is_cancelled": penalty.is_cancelled,
                "given_at": penalty.given_at.isoformat(),
            }
            for penalty in entry.penalties.all()
        ],
        "disputes": [
            {
                "table": dispute.table.table_id,
                "text": dispute.text,
                "made_at": dispute.made_at.isoformat(),
                "decision": dispute.decision,
                "answer": dispute.answer,
            }
            for dispute in entry.disputes.all()
        ],
    }


def _bot_data(bot: BotAccount) -> dict[str, Any]:
    return {
        "id": str(bot.pk),
        "name": bot.person.name,
        "is_open": bot.is_open,
        "created_at": bot.created_at.isoformat(),
        "tokens": [
            {
                "label": token.label,
                "scopes": token.scopes,
                "created_at": token.created_at.isoformat(),
                "used_on": token.used_on.isoformat() if token.used_on else None,
                "revoked_at": token.revoked_at.isoformat() if token.revoked_at else None,
            }
            for token in bot.tokens.all()
        ],
    }
