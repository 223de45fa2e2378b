"""The pages of finished games, players and ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from msgspec import structs

from game.engine.events import Event
from game.engine.presets import ALL_PRESETS
from game.identity.sessions import person_of
from game.models import Game, GameLog, GameSeat, Player, WallKey
from game.records.formats import FORMATS, Format
from game.records.own import FormatCannotExpress
from game.results import figure_cards, history, months, personal_results, replay_links, statistics
from game.results.accuracy import accuracy_of, last_games
from game.results.avatars import is_name_of_bot
from game.results.filters import LENGTHS, BadFilter, PlayFilter, number_links
from game.results.game_text import (
    describe_details,
    describe_worth,
    explain_no_record,
    format_number,
    length_name,
    player_name,
    rules_name,
)
from game.results.ladders import (
    BOT_LADDERS,
    LADDERS,
    MIN_GAMES,
    MIN_PEOPLE,
    LadderKind,
    places_in_ladders,
)
from game.results.play_figures import BestHand, PlayFigures, sum_figures
from game.results.ratings import MIN_WAIT
from game.results.replay_positions import ReplayPosition

_FIRST_PRESET: Final = "tenhou"
_FIRST_LENGTH: Final = "east_south"
_LAST_PAGE: Final = 1_000

ReadEvents = Callable[[Game], Iterable[Event]]
"""A function that reads the events of an archived game from its log. `game.urls` passes the
archive's reader."""


@never_cache
@require_safe
def game(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show a finished game: its ranking, the chart of points, every hand."""
    person = person_of(request.session)
    played, seats = _find_game(table_id, person)
    names = [player_name(seat.name) for seat in seats]
    people = [seat.person_id for seat in seats if seat.person_id is not None]
    formats = [(kind, form.title) for kind, form in FORMATS.items()]
    context = {
        "game": played,
        "rules": rules_name(played.rules, played.preset),
        "names": names,
        "bot": next((seat.bot for seat in seats if seat.bot), ""),
        "ranking": history.ranking(played, person, statistics.find_public_players(people)),
        "hands": history.played_hands(played, names),
        "chart": history.chart_scores(played, names),
        "is_rating_to_come": statistics.is_queued(table_id),
        "formats": formats if history.has_log(played) else [],
        "has_played": history.has_played(played, person),
        "links": [
            (request.build_absolute_uri(reverse("game:shared_replay", args=[link.key])), link)
            for link in replay_links.links_of(played, person)
        ],
    }
    return render(request, "game/game.html", context)


@never_cache
@require_safe
def record(request: HttpRequest, table_id: str, kind: str, read_events: ReadEvents) -> HttpResponse:
    """Send a finished game as a file in the format `kind`, for the tools of players."""
    played, seats = _find_game(table_id, person_of(request.session))
    form = FORMATS.get(kind)
    if form is None:
        raise Http404
    try:
        if not history.has_log(played):
            raise FormatCannotExpress("not_kept", "the log of the game is not kept any more")
        text = _write_record(played, seats, form, read_events)
    except FormatCannotExpress as reason:
        context = {"game": played, "format": form.title, "why": explain_no_record(reason.code)}
        return render(request, "game/no_record.html", context, status=409)
    disposition = f'attachment; filename="{table_id}.{form.suffix}"'
    return HttpResponse(
        text,
        content_type=f"{form.content_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )


@never_cache
@require_safe
def is_archived(request: HttpRequest, table_id: str) -> HttpResponse:
    """Answer as JSON whether the game of a table is archived and the visitor may see it."""
    played = history.find_game(table_id)
    is_visible = played is not None and history.can_see(played, person_of(request.session))
    return JsonResponse({"archived": is_visible})


def _find_game(table_id: str, person: str) -> tuple[Game, list[GameSeat]]:
    """Return that game and its seats in order. Raises Http404 unless the person may see it."""
    played = history.find_game(table_id)
    if played is None or not history.can_see(played, person):
        raise Http404
    return played, sorted(played.seats.all(), key=lambda seat: seat.seat)


def _write_record(
    played: Game, seats: Sequence[GameSeat], form: Format, read_events: ReadEvents
) -> str:
    names = [player_name(seat.name) for seat in seats]
    return form.write(history.game_record(played, read_events(played), names))


@never_cache
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Show the visitor's games and statistics, private games included."""
    person = person_of(request.session)
    if not person:
        return render(request, "game/my_games.html", {"has_games": False})
    context = _own_games_context(request, UUID(person))
    return render(request, "game/my_games.html", context)


@never_cache
@require_safe
def player(request: HttpRequest, person: UUID) -> HttpResponse:
    """Show the public page of a player who has an account."""
    found = Player.objects.filter(pk=person, is_listed=True).first()
    if found is None:
        raise Http404
    context = _player_context(request, person, only_public=True)
    context |= {
        "name": found.name,
        "avatar": found.avatar,
        "person": person,
        "may_be_friend": not is_name_of_bot(found.name)
        and str(person) != person_of(request.session),
    }
    return render(request, "game/player.html", context)


@require_safe
def figure_definitions(request: HttpRequest) -> HttpResponse:
    return render(request, "game/figures.html", {"groups": figure_cards.GROUPS})


@require_safe
def ladders(request: HttpRequest, preset: str = _FIRST_PRESET) -> HttpResponse:
    """Redirect to the preset's ladder of East and South games."""
    if preset not in ALL_PRESETS:
        raise Http404
    return redirect("game:ladder", preset=preset, length=_FIRST_LENGTH)


@never_cache
@require_safe
def ladder(request: HttpRequest, preset: str, length: str, *, bots: bool = False) -> HttpResponse:
    """Show a ladder of people or of bots."""
    kind = LadderKind(preset, length, bots)
    if kind.name not in (BOT_LADDERS if bots else LADDERS):
        raise Http404
    page = _page_number(request)
    rows, has_more = statistics.ladder_page(kind.name, person_of(request.session), page)
    context = {
        "ladder_name": statistics.ladder_name(kind),
        "ladders": statistics.ladder_links(kind),
        "rows": rows,
        "is_of_bots": bots,
        "players": kind.players,
        "min_games": MIN_GAMES,
        "min_people": MIN_PEOPLE,
        "settle_s": int(MIN_WAIT.total_seconds()),
        "is_absence_last": settings.RATED_ABSENCE == "last",
        **_page_links(page, has_more),
    }
    return render(request, "game/ladder.html", context)


def _player_context(request: HttpRequest, person: UUID, *, only_public: bool) -> dict[str, Any]:
    """Return the template context of a player's page. Synchronous, because each of its about twenty
    queries would otherwise switch threads twice."""
    numbers = statistics.numbers_played(person, only_public=only_public)
    try:
        chosen = PlayFilter.of_query(request.GET, numbers)
    except BadFilter:
        raise Http404 from None
    players = chosen.players
    page = _page_number(request)
    against = _opponent(chosen)
    latest = chosen.latest_games(person, only_public=only_public)
    dated = statistics.dated_figures(person, latest, only_public=only_public, chosen=chosen)
    figures = sum_figures([part for _month, part in dated])
    site = statistics.figures_of_site(chosen)
    games, has_more = history.games_of(person, only_public=only_public, chosen=chosen, page=page)
    places = places_in_ladders(person)
    return {
        **_figures_context(figures, site, players),
        "best": _best_hand(figures.best),
        "months": months.course_by_month(dated, players),
        "rating_chart": personal_results.chart_rating(person, chosen),
        "opponents": personal_results.opponents(person, latest),
        "ladder_ratings": [
            {**row, "place": places.get(row["ladder"].name)}
            for row in statistics.ratings_of(person, players)
        ],
        "is_rating_to_come": statistics.has_queued_games(person, players),
        "presets": statistics.presets_of(person, players, only_public=only_public),
        "has_games": bool(numbers),
        "numbers": number_links(chosen, numbers),
        "chosen": chosen,
        "against": against,
        "lengths": [(length, length_name(length)) for length in LENGTHS],
        "query": chosen.query,
        "games": games,
        "chart": history.chart_places(person, latest, players),
        "accuracy": accuracy_of(person, players, only_public=only_public, preset=chosen.preset),
        **_page_links(page, has_more),
    }


def _own_games_context(request: HttpRequest, person: UUID) -> dict[str, Any]:
    """Return the context of the page of the visitor's own games."""
    context = _player_context(request, person, only_public=False)
    return {**context, "last_games": last_games(person, context["chosen"].players)}


def _figures_context(figures: PlayFigures, site: PlayFigures, players: int) -> dict[str, Any]:
    means = [
        format_number(Fraction(total, count), 0) if count else "\N{EN DASH}"
        for total, count in zip(figures.scores, figures.places, strict=True)
    ]
    return {
        "figures": figures,
        "groups": figure_cards.cards(figures, site),
        "first_figures": figure_cards.early_cards(figures, site),
        "enough_games": figure_cards.ENOUGH_GAMES,
        "bars": figure_cards.bars(figures),
        "places": [
            {"share": figure_cards.Share(count, figures.games), "score": mean}
            for count, mean in zip(figures.places, means, strict=True)
        ][:players],
        "yaku": figure_cards.yaku_counts(figures.yaku, figures.wins, site.yaku, site.wins),
        "yakuman": figure_cards.yaku_counts(figures.yakuman, figures.wins, site.yakuman, site.wins),
    }


def _best_hand(best: BestHand | None) -> dict[str, Any] | None:
    """Return the best hand for the template, with the address of its replay position, or of its
    game if the log was removed."""
    if best is None:
        return None
    if GameLog.objects.filter(pk=best.table_id).exists():
        position = ReplayPosition(hand=best.hand, step=best.step, seat=best.seat)
        address = f"{reverse('game:replay', args=[best.table_id])}?{position.query}"
    else:
        address = reverse("game:game", args=[best.table_id])
    result = {**structs.asdict(best), "type": "hora"}
    return {
        "points": format_number(best.points),
        "worth": describe_worth(result),
        "yaku": describe_details(result, ()),
        "address": address,
    }


def _opponent(chosen: PlayFilter) -> Player | None:
    """Return the chosen opponent. Raises Http404 unless that player has a public page."""
    if not chosen.against:
        return None
    found = Player.objects.filter(pk=UUID(chosen.against), is_listed=True).first()
    if found is None:
        raise Http404
    return found


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:6]) <= _LAST_PAGE:
        raise Http404
    return int(text[:6])


def _page_links(page: int, has_more: bool) -> dict[str, Any]:
    return {"newer": page - 1 if page > 1 else None, "older": page + 1 if has_more else None}


_PROGRAMS: Final = (
    ("check_seed.py", "Python", "python3 check_seed.py"),
    ("check_seed.mjs", "JavaScript", "node check_seed.mjs"),
    ("check_wall.py", "Python", "python3 check_wall.py"),
    ("check_wall.mjs", "JavaScript", "node check_wall.mjs"),
)


@require_safe
def fair(request: HttpRequest) -> HttpResponse:
    """Show the page about fair walls: the keys of the site and programs to download that check a
    wall."""
    folder = settings.BASE_DIR / "static" / "fair"
    programs = [
        (f"fair/{name}", name, language, command, (folder / name).read_text(encoding="utf-8"))
        for name, language, command in _PROGRAMS
    ]
    keys = list(WallKey.objects.all())
    return render(request, "game/fair.html", {"programs": programs, "keys": keys})
