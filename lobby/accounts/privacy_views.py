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
from lobby.accounts import rate_limits
from lobby.accounts.expiry import GUEST_DAYS
from lobby.accounts.refusals import TOO_MANY_TRIES, with_error_pages
from lobby.accounts.visitors import visitor_of
from lobby.bots.accounts import bots_of
from lobby.friends.friendships import friendships_of
from lobby.models import BotAccount, Entrant, League, Person, RemovedMember, SharedOrigin


@require_safe
async def privacy(request: HttpRequest) -> HttpResponse:
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
    data: dict[str, Any] = {
        "id": str(row.pk),
        **row_data(row, ("name", "created_at", "seen_on", "language", "table_settings")),
        "clubs": [
            {"club": membership.club.slug, **row_data(membership, ("role", "joined_at"))}
            async for membership in row.memberships.select_related("club")
        ],
        "club_requests": [
            {"club": join_request.club.slug, **row_data(join_request, ("made_at",))}
            async for join_request in row.join_requests.select_related("club")
        ],
        "removed_from_clubs": [
            {"club": removed.club.slug, **row_data(removed, ("removed_at",))}
            async for removed in RemovedMember.objects.filter(person=row).select_related("club")
        ],
        "tokens_of_clubs": [
            {"club": token.club.slug, **row_data(token, ("label", "created_at", "revoked_at"))}
            async for token in row.api_tokens.select_related("club")
        ],
        # Without the other person, whom only moderators see.
        "same_address_or_browser": [
            row_data(pair, ("has_address", "has_browser", "last_at"))
            async for pair in SharedOrigin.objects.filter(Q(first=row) | Q(second=row))
        ],
        "tournaments": [
            _entry_data(entrant)
            async for entrant in row.entries.select_related("tournament__club").prefetch_related(
                "penalties", "disputes__table"
            )
        ],
        "leagues": [
            {**_league_data(entry.league), **row_data(entry, ("entered_at",))}
            async for entry in row.league_entries.select_related("league__club")
        ],
        "tables_of_leagues": [
            {**_league_data(fixture.league), "number": fixture.number}
            async for fixture in row.fixtures.select_related("league__club")
        ],
        "penalties_of_leagues": [
            {
                **_league_data(ruling.league),
                **row_data(ruling, ("kind", "points", "reason", "is_cancelled")),
                "given_at": ruling.made_at.isoformat(),
            }
            async for ruling in row.league_rulings.select_related("league__club")
        ],
        "disputes_of_leagues": [
            {
                "league": dispute.league.slug,
                **row_data(dispute, ("table_id", "text", "decision", "answer")),
            }
            async for dispute in row.league_disputes.select_related("league")
        ],
        "decisions_as_official": [
            {
                "tournament": intervention.tournament.slug,
                **row_data(intervention, ("kind", "reason", "at")),
            }
            async for intervention in row.interventions.select_related("tournament")
        ],
        "saved_rules": [
            row_data(rules, ("name", "clock", "rules")) async for rules in row.saved_rules.all()
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
            async for friendship in friendships_of(row.pk)
        ],
        "exercises": [
            row_data(score, ("kind", "level", "tried", "right", "streak", "best_streak"))
            async for score in row.exercise_scores.all()
        ],
    }
    if row.user is not None:
        last = row.user.last_login
        data |= {
            "mail": row.user.email,
            "signed_up_at": row.user.date_joined.isoformat(),
            "last_signed_in_at": last.isoformat() if last is not None else None,
            "bots": [_bot_data(bot) for bot in await bots_of(row)],
        }
    return data


def _league_data(league: League) -> dict[str, Any]:
    return {"club": league.club.slug, "league": league.slug}


def _entry_data(entry: Entrant) -> dict[str, Any]:
    return {
        "club": entry.tournament.club.slug,
        "tournament": entry.tournament.slug,
        "number": entry.number,
        "checked_in_at": entry.came_at.isoformat() if entry.came_at else None,
        "is_replaced": entry.is_replaced,
        "penalties": [
            row_data(penalty, ("kind", "points", "reason", "is_cancelled", "given_at"))
            for penalty in entry.penalties.all()
        ],
        "disputes": [
            {
                "table": dispute.table.table_id,
                **row_data(dispute, ("text", "made_at", "decision", "answer")),
            }
            for dispute in entry.disputes.all()
        ],
    }


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
