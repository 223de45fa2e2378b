"""Reads finished games for pages: final rankings, hands, charts, lists of games.

Does not read logs: callers pass the events of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from game.engine.events import Event
from game.engine.fouls import CHOMBO
from game.engine.state import STICK_POINTS
from game.models import Game, GameLog, GamePlayer, GameSeat
from game.records.own import OwnGame, own_game
from game.results.avatars import is_name_of_bot
from game.results.charts import Chart, place_chart, score_chart
from game.results.filters import PlayFilter
from game.results.game_text import (
    bot_level,
    describe_details,
    describe_result,
    format_number,
    format_signed,
    hand_name,
    join_list,
    place_name,
    player_name,
    rules_name,
    short_round_name,
)
from game.results.statistics import ALL_OF_FOUR

GAMES_PER_PAGE: Final = 20
GAMES_IN_CHART: Final = 30
_NO_CHANGE: Final = "\N{PLUS-MINUS SIGN}0"


def find_game(table_id: str) -> Game | None:
    """Return the finished game of that table, with its seats; None if there is none."""
    query = Game.objects.prefetch_related("seats", "players")
    return query.filter(pk=table_id).first()


def has_log(game: Game) -> bool:
    """Return whether the log of the game has not been removed yet."""
    return GameLog.objects.filter(game=game).exists()


def game_record(game: Game, events: Iterable[Event], names: Sequence[str]) -> OwnGame:
    """Return the game in the common form from which records are written. `names` are by seat;
    `events` are those of the whole game. Raises `CannotHold` if no hand was played to its end."""
    return own_game(events, tuple(names), is_broken_off=game.is_broken_off)


def can_see(game: Game, person: str) -> bool:
    """Return whether that person may see the game. A private game is visible to its players and to
    the officials of its event only."""
    if game.is_public or has_played(game, person):
        return True
    is_official: Callable[[str, str], bool] = import_string(settings.IS_OFFICIAL)
    return bool(person) and is_official(game.pk, person)


def has_played(game: Game, person: str) -> bool:
    """Return whether that person has had a seat in the game."""
    rows: list[GameSeat | GamePlayer] = [*game.seats.all(), *game.players.all()]
    return any(_is_person(row, person) for row in rows)


def has_finished_game(person: str, players: int) -> bool:
    """Return whether that person has played a game with `players` players from beginning to end."""
    return GameSeat.objects.filter(person_id=person, seat_count=players).exists()


def ranking(game: Game, person: str, listed: Mapping[UUID, str]) -> list[dict[str, Any]]:
    """Return a row for each player who began the game, the winner first. `listed` maps players with
    a public page to their avatars. A row's `replaced_by` has the names of players who took over the
    seat."""
    seats = game.seats.all()
    later: dict[int, list[str]] = {}
    for player in game.players.all():
        if not player.has_result:
            later.setdefault(player.seat, []).append(player_name(player.name))
    return [
        {
            "seat": seat.seat,
            "place": seat.place,
            "name": player_name(seat.name),
            "bot": bool(seat.bot),
            "level": bot_level(seat.bot),
            "avatar": listed.get(seat.person_id, "") if seat.person_id else "",
            "is_you": _is_person(seat, person),
            "person": seat.person_id if seat.person_id in listed else None,
            "is_program": is_name_of_bot(seat.name),
            "score": seat.score,
            "points": format_signed(seat.points, 1),
            "is_absent": seat.is_absent,
            "replaced_by": later.get(seat.seat, ()),
        }
        for seat in sorted(seats, key=lambda seat: seat.place)
    ]


def played_hands(game: Game, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each hand. A row has one ending for each winner. If riichi sticks were left
    on the table, a last row says who got them."""
    rows = _scores_by_hand(game)
    hands = [
        _hand_row(
            hand_name(hand["kyoku"], hand["honba"]),
            [
                {"text": describe_result(result, names), "details": describe_details(result, names)}
                for result in hand["results"]
            ],
            before,
            after,
            hand["results"],
        )
        for hand, (before, after) in zip(game.hands, pairwise(rows), strict=True)
    ]
    if hands and (final := _final_scores(game)) != rows[-1]:
        gains = [name for name, was, now in zip(names, rows[-1], final, strict=True) if now > was]
        left_over = {"text": _("Riichi sticks left over"), "details": join_list(gains)}
        hands.append(_hand_row(_("End"), [left_over], rows[-1], final))
    return hands


def _hand_row(
    title: str,
    endings: list[dict[str, str]],
    before: tuple[int, ...],
    after: tuple[int, ...],
    results: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return a row of the table of hands. Each seat's change of points includes its riichi stick,
    which the row also gives as `stick`."""
    sticks = _sticks_paid(before, after, results)
    shown = [
        {
            "value": now - was,
            "text": format_signed(now - was)
            if now != was
            else _NO_CHANGE
            if stick
            else "\N{EN DASH}",
            "stick": format_signed(-stick) if stick else "",
        }
        for was, now, stick in zip(before, after, sticks, strict=True)
    ]
    return {"round": title, "endings": endings, "deltas": shown, "scores": after}


def _sticks_paid(
    before: Sequence[int], after: Sequence[int], results: Sequence[dict[str, Any]]
) -> list[int]:
    """Return by seat the points paid for riichi sticks, which the `deltas` of results leave out.
    Zeros after a chombo that returns the sticks: its `deltas` include them, so that their sum is
    positive."""
    nobody = [0] * len(before)
    changes = [result.get("deltas") or nobody for result in results]
    is_chombo = any(result.get("reason") == CHOMBO for result in results)
    if not results or (is_chombo and sum(map(sum, changes)) > 0):
        return nobody
    paid = [
        was + sum(change[seat] for change in changes) - now
        for seat, (was, now) in enumerate(zip(before, after, strict=True))
    ]
    return [points if points == STICK_POINTS else 0 for points in paid]


def chart_scores(game: Game, names: Sequence[str]) -> Chart | None:
    """Chart the points from the start to the final scores, with a label at the first hand of each
    round; None if no hand was played to its end."""
    rows = _scores_by_hand(game)
    points, titles, kyoku = [rows[0]], list[str](), -1
    for hand, after in zip(game.hands, rows[1:], strict=True):
        if not _is_broken_off(hand):
            points.append(after)
            titles.append(short_round_name(hand["kyoku"]) if hand["kyoku"] != kyoku else "")
            kyoku = hand["kyoku"]
    if not titles:
        return None
    if (final := _final_scores(game)) != points[-1]:
        points.append(final)
        titles.append(_("End"))
    return score_chart(names, points, titles, rows[0][0])


def _is_broken_off(hand: dict[str, Any]) -> bool:
    return all(result.get("reason") == "abandoned" for result in hand["results"])


def _final_scores(game: Game) -> tuple[int, ...]:
    """Return the scores by seat, with leftover sticks."""
    return tuple(seat.score for seat in sorted(game.seats.all(), key=lambda seat: seat.seat))


def _scores_by_hand(game: Game) -> list[tuple[int, ...]]:
    """Return the points by seat at the start and after each hand."""
    start = game.rules.get("start_points", 25_000)
    rows = [(start,) * game.seat_count]
    for hand in game.hands:
        rows.append(_scores_after(rows[-1], hand["results"]))
    return rows


def _scores_after(before: tuple[int, ...], results: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    if results and "scores" in results[-1]:
        return tuple(results[-1]["scores"])
    return tuple(
        points + sum(int(result["deltas"][seat]) for result in results)
        for seat, points in enumerate(before)
    )


def games_of(
    person: UUID, *, only_public: bool, chosen: PlayFilter = ALL_OF_FOUR, page: int = 1
) -> tuple[list[dict[str, Any]], bool]:
    """Return one page of that person's games as rows, the latest first, and whether there are
    more."""
    first = (page - 1) * GAMES_PER_PAGE
    order = ("-ended_at", "-game_id")
    rows = GamePlayer.objects.filter(person_id=person).order_by(*order)
    rows = chosen.of_games(rows, only_public=only_public)
    # Select ids first: the index alone answers that, without the rows of earlier pages.
    games = list(rows.values_list("game_id", flat=True)[first : first + GAMES_PER_PAGE + 1])
    shown = GamePlayer.objects.filter(person_id=person, game__in=games[:GAMES_PER_PAGE])
    shown = shown.select_related("game").defer("figures", "game__hands").order_by(*order)
    found = shown.prefetch_related("game__seats")
    return [_game_row(player_row) for player_row in found], len(games) > GAMES_PER_PAGE


def chart_places(person: UUID, latest: Sequence[str], players: int) -> Chart | None:
    """Chart the player's places in the first `GAMES_IN_CHART` of these games (`latest` first, all
    with `players` players). Games that were broken off are skipped. None if fewer than two places
    are left."""
    shown = latest[:GAMES_IN_CHART]
    rows = GameSeat.objects.filter(person_id=person, game__in=shown, is_broken_off=False)
    rows = rows.order_by("-ended_at", "-game_id")
    places = list(rows.values_list("place", flat=True))
    if len(places) < 2:
        return None
    return place_chart(places[::-1], [place_name(place) for place in range(1, players + 1)])


def _game_row(player_row: GamePlayer) -> dict[str, Any]:
    """Return a row of the list of games. `place` is 0 if the game was broken off or the player took
    over a seat."""
    game = player_row.game
    seats = sorted(game.seats.all(), key=lambda seat: seat.place)
    own = next(seat for seat in seats if seat.seat == player_row.seat)
    has_place = player_row.has_result and not game.is_broken_off
    if has_place:
        place = place_name(own.place)
    else:
        place = _("Broken off") if game.is_broken_off else _("Took over a seat")
    return {
        "table_id": game.pk,
        "ended_at": game.ended_at,
        "rules": rules_name(game.rules, game.preset),
        "place": own.place if has_place else 0,
        "place_name": place,
        "score": format_number(own.score) if player_row.has_result else "",
        "points": format_signed(own.points, 1) if has_place else "",
        "others": [
            player_name(seat.name, seat.bot)
            for seat in seats
            if seat.person_id != player_row.person_id
        ],
        "is_public": game.is_public,
        "is_absent": player_row.has_result and own.is_absent,
    }


def _is_person(row: GameSeat | GamePlayer, person: str) -> bool:
    return bool(person) and str(row.person_id) == person
