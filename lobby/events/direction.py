"""Actions of the officials of a tournament.

Each action has a reason, is stored in the log and shown at the table. A change and its log entry
are stored in one transaction; then `lobby.events.table_orders` applies the change at the table.
Officials may not act on games in which they play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final
from uuid import UUID

from asgiref.sync import sync_to_async

from game.engine.state import Phase
from game.results.group_results import find_counted_game
from game.tables.notices import INTERVENTIONS, official_notice
from lobby.accounts.coded_error import CodedError
from lobby.accounts.transactions import in_transaction
from lobby.clubs.members import OFFICERS
from lobby.events.impartiality import Official, judge_officer
from lobby.events.table_orders import carry_out
from lobby.events.table_results import check_scores
from lobby.events.tournaments import describe_replacement, open_table, plays_at, table_id
from lobby.models import Entrant, Intervention, Membership, Penalty, Person, RoundTable, Tournament
from lobby.play.backend import Backend, current_backend

MAX_REASON: Final = 300
MAX_EXTENSION: Final = 60
"""The most minutes that can be added at once."""


class DirectionRefused(CodedError):
    """The intervention is not possible. `code` says why."""


async def latest_tables(tournament: Tournament) -> list[RoundTable]:
    """Return the tables of the last round that has begun."""
    last = await RoundTable.objects.filter(tournament=tournament).order_by("round").alast()
    if last is None:
        return []
    rows = RoundTable.objects.filter(tournament=tournament, round=last.round)
    return [row async for row in rows]


async def find_table(tournament: Tournament, round_number: int, number: int) -> RoundTable | None:
    rows = RoundTable.objects.filter(tournament=tournament, round=round_number, number=number)
    return await rows.select_related("tournament__club").afirst()


async def pause(tables: Sequence[RoundTable], by: Official, *, is_paused: bool) -> int:
    """Stop or restart the clocks of these tables. Return at how many. Leave out tables that are
    over, and those on which the official may not decide."""

    def change(row: RoundTable) -> str:
        row.is_paused = is_paused
        return ""

    kind = "pause" if is_paused else "resume"
    rows = [row for row in await _open_to(tables, by) if row.is_paused != is_paused]
    for row in rows:
        await _order(row, by, kind, change)
    return len(rows)


async def extend(tables: Sequence[RoundTable], by: Official, minutes: int) -> int:
    """Give these tables more time for the round, unless their time is over. Return how many got
    it."""

    def change(row: RoundTable) -> str:
        row.extra_minutes += minutes
        return str(minutes)

    done, backend = 0, await current_backend()
    for row in await _open_to(tables, by):
        room = await backend.tables.room(row.table_id)
        if room is not None and room.clock.round_ends_at:
            await _order(row, by, "extend", change)
            done += 1
    return done


async def repeat_hand(row: RoundTable, by: Official) -> None:
    """Let the running hand be played again. Raises DirectionRefused."""
    backend = await current_backend()
    room = await backend.tables.room(row.table_id)
    playing = (Phase.TURN, Phase.CLAIMS, Phase.SHOWING)
    if room is None or room.table.phase not in playing:
        raise DirectionRefused("no_hand")
    hand = room.table.hands_dealt

    def change(one: RoundTable) -> str:
        one.repeated_hand = hand
        return ""

    await _order(row, by, "repeat_hand", change)


async def void_game(row: RoundTable, by: Official) -> None:
    """Let the game not count; end it if it is running. Raises DirectionRefused."""

    def change(one: RoundTable) -> str:
        if one.is_void:
            raise DirectionRefused("void")
        one.is_void = True
        return ""

    await _order(row, by, "void", change)


async def repeat_game(row: RoundTable, by: Official) -> None:
    """Let the same players play another game instead of this one. Raises DirectionRefused."""

    def change(one: RoundTable) -> str:
        if RoundTable.objects.filter(tournament=one.tournament, round__gt=one.round).exists():
            raise DirectionRefused("next_round")
        one.former = [*one.former, one.table_id]
        one.attempt += 1
        one.table_id = table_id(one.tournament_id, one.round, one.number, one.attempt)
        one.is_open = one.is_void = one.is_paused = one.are_no_shows_checked = False
        one.extra_minutes = one.repeated_hand = 0
        one.scores = None
        return ""

    await _order(row, by, "repeat_game", change)
    backend = await current_backend()
    fresh = await RoundTable.objects.select_related("tournament__club").aget(pk=row.pk)
    await open_table(backend, fresh)
    fresh.is_open = True
    await carry_out(backend, fresh)


async def correct_result(row: RoundTable, by: Official, scores: Sequence[int]) -> None:
    """Give the finished game other final scores, East first. Raises DirectionRefused and
    ScoresRefused."""

    def change(one: RoundTable) -> str:
        game = find_counted_game(one.table_id)
        if game is None:
            raise DirectionRefused("not_over")
        check_scores(game, scores)
        one.scores = list(scores)
        return " · ".join(map(str, scores))

    await _order(row, by, "correct", change)


async def give_penalty(
    tournament: Tournament, entrant: Entrant, by: Official, kind: str, points: Decimal
) -> None:
    """Subtract points from the entrant in the standings, independently of the games. Raises
    DirectionRefused."""

    def give(row: RoundTable | None) -> None:
        Penalty.objects.create(
            tournament=tournament, entrant=entrant, kind=kind, points=points, reason=by.reason
        )
        note(tournament, by, kind, str(points), table=row, entrant=entrant)

    await _act_on_entrant(tournament, entrant, by, kind, give)


async def cancel_penalty(tournament: Tournament, penalty: Penalty, by: Official) -> None:
    """Give the points of that penalty back. Raises DirectionRefused."""

    def cancel(row: RoundTable | None) -> None:
        rows = Penalty.objects.filter(pk=penalty.pk, is_cancelled=False)
        if not rows.update(is_cancelled=True):
            raise DirectionRefused("cancelled")
        detail = str(penalty.points)
        note(tournament, by, "cancel_penalty", detail, table=row, entrant=penalty.entrant)

    await _act_on_entrant(tournament, penalty.entrant, by, "cancel_penalty", cancel)


async def replace_player(
    tournament: Tournament,
    entrant: Entrant,
    by: Official,
    substitute: Person | None,
    points: Decimal,
) -> None:
    """Let the substitute, or a bot for None, play for the entrant from now on, with that result in
    each game. Raises DirectionRefused."""

    def put(row: RoundTable | None) -> None:
        if substitute is not None and substitute.pk == by.person.pk:
            raise DirectionRefused("own")  # an official may not direct a game in which they play
        if substitute is not None and _is_busy(tournament, entrant, substitute):
            raise DirectionRefused("busy")
        entrant.is_replaced = True
        entrant.substitute = substitute
        entrant.substitute_points = points
        entrant.save(update_fields=["is_replaced", "substitute", "substitute_points"])
        if row is not None and entrant.number is not None:
            seat = row.seats.index(entrant.number)
            row.replacements = {**row.replacements, str(seat): describe_replacement(entrant, seat)}
        name = substitute.name if substitute is not None else ""
        note(tournament, by, "replace", name, table=row, entrant=entrant)

    await _act_on_entrant(tournament, entrant, by, "replace", put)


async def take_back(tournament: Tournament, entrant: Entrant, by: Official) -> None:
    """Let the entrant play again, from the next round on. Raises DirectionRefused."""

    def put(row: RoundTable | None) -> None:
        Entrant.objects.filter(pk=entrant.pk).update(is_replaced=False, substitute=None)
        note(tournament, by, "take_back", "", table=row, entrant=entrant)

    await _act_on_entrant(tournament, entrant, by, "", put)


async def _order(
    row: RoundTable, by: Official, kind: str, change: Callable[[RoundTable], str]
) -> None:
    """Change the orders for the table, add the log entry, and carry the orders out."""

    def store() -> RoundTable:
        rows = RoundTable.objects.select_for_update().select_related("tournament__club")
        current = rows.get(pk=row.pk)
        check_official(current.tournament, by.person)
        check_own(current, by.person)
        check_impartial(current.tournament, by, row=current)
        detail = change(current)
        _set_notice(current, kind, by.reason)
        current.orders += 1
        current.save()
        note(current.tournament, by, kind, detail, table=current)
        return current

    current = await in_transaction(store)
    await carry_out(await current_backend(), current)


async def _act_on_entrant(
    tournament: Tournament,
    entrant: Entrant,
    by: Official,
    kind: str,
    change: Callable[[RoundTable | None], None],
) -> None:
    """Change an entrant, and show a notice at their table if its game is running. `kind` is '' for
    no notice."""
    backend = await current_backend()
    running = await _running_table(backend, tournament, entrant)

    def store() -> RoundTable | None:
        list(Tournament.objects.select_for_update().filter(pk=tournament.pk))
        check_official(tournament, by.person)
        if entrant.person_id == by.person.pk:
            raise DirectionRefused("own")
        current = None
        if running is not None:
            current = RoundTable.objects.select_for_update().get(pk=running.pk)
            check_own(current, by.person)
        check_impartial(tournament, by, row=current, entrant=entrant)
        change(current)
        if current is not None:
            if kind:
                _set_notice(current, kind, by.reason)
            current.orders += 1
            current.save()
        return current

    row = await in_transaction(store)
    if row is not None:
        await carry_out(backend, row)


async def _running_table(
    backend: Backend, tournament: Tournament, entrant: Entrant
) -> RoundTable | None:
    """Return the table of the last round at which the entrant has a seat, if its game runs."""
    for row in await latest_tables(tournament):
        if entrant.number in row.seats:
            room = await backend.tables.room(row.table_id)
            is_running = room is not None and not backend.tables.is_over(room)
            return row if is_running or not row.is_open else None
    return None


async def _open_to(tables: Sequence[RoundTable], by: Official) -> list[RoundTable]:
    """Return the tables with running games on which the official may act."""
    backend, found = await current_backend(), list[RoundTable]()
    for row in tables:
        room = await backend.tables.room(row.table_id)
        if room is None or backend.tables.is_over(room):
            continue
        if await sync_to_async(_may_order)(row, by):
            found.append(row)
    return found


async def plays_there(row: RoundTable, person: Person) -> bool:
    return await sync_to_async(_has_seat)(row, person)


def _has_seat(row: RoundTable, person: Person) -> bool:
    """Return whether the person is an entrant with a seat there, or plays there for another
    entrant."""
    entrant = Entrant.objects.filter(tournament=row.tournament_id, person=person).first()
    number = entrant.number if entrant is not None else None
    return number in row.seats or plays_at(row, str(person.pk), number)


def check_own(row: RoundTable, person: Person) -> None:
    if _has_seat(row, person):
        raise DirectionRefused("own")


def _may_order(row: RoundTable, by: Official) -> bool:
    try:
        check_own(row, by.person)
        check_impartial(row.tournament, by, row=row)
    except DirectionRefused:
        return False
    return True


def check_impartial(
    tournament: Tournament,
    by: Official,
    *,
    row: RoundTable | None = None,
    entrant: Entrant | None = None,
) -> bool:
    """Return whether the official decides as a player of the tournament, because nobody else can.
    Raises DirectionRefused if another official has to decide."""
    concerned = {entrant.person_id} if entrant is not None else set[UUID]()
    if row is not None:
        seated = Entrant.objects.filter(tournament=tournament, number__in=row.seats)
        concerned |= set(seated.values_list("person", flat=True))
        taken = (replaced["person"] for replaced in row.replacements.values())
        concerned |= {UUID(person) for person in taken if person}
    verdict = judge_officer(tournament, by.person, concerned, by.places)
    if verdict in ("plays", "rival"):
        raise DirectionRefused(verdict)
    return verdict == "as_player"


def check_official(tournament: Tournament, person: Person) -> None:
    """Raise DirectionRefused unless the person is an officer of the club at this moment."""
    if not Membership.objects.filter(
        club=tournament.club_id, person=person, role__in=OFFICERS
    ).exists():
        raise DirectionRefused("official")


def _is_busy(tournament: Tournament, entrant: Entrant, substitute: Person) -> bool:
    """Return whether the substitute already plays in the tournament, as an entrant or for another
    one."""
    others = Entrant.objects.filter(tournament=tournament)
    current = Tournament.objects.get(pk=tournament.pk)
    return (
        others.filter(person=substitute).exists()
        or others.filter(substitute=substitute).exclude(pk=entrant.pk).exists()
        or str(substitute.pk) in current.substitutes
    )


def _set_notice(row: RoundTable, kind: str, reason: str) -> None:
    row.notice = official_notice(kind, reason) if kind in INTERVENTIONS else ""  # type: ignore[arg-type]


def note(
    tournament: Tournament,
    by: Official,
    kind: str,
    detail: str,
    *,
    table: RoundTable | None = None,
    entrant: Entrant | None = None,
) -> None:
    Intervention.objects.create(
        tournament=tournament,
        table=table,
        entrant=entrant,
        kind=kind,
        detail=detail[:120],
        reason=by.reason,
        by=by.person,
        is_by_player=check_impartial(tournament, by, row=table, entrant=entrant),
    )


async def feature_table(tournament: Tournament) -> tuple[str, int]:
    """Return the id and the number of the feature table: the open table of the last round that the
    director has chosen, otherwise the first one; ('', 0) while there is none."""
    current = await Tournament.objects.aget(pk=tournament.pk)
    rows = [row for row in await latest_tables(tournament) if row.is_open]
    chosen = [row for row in rows if row.number == current.feature_number]
    return next(((row.table_id, row.number) for row in (*chosen, *rows)), ("", 0))


async def choose_feature_table(row: RoundTable) -> None:
    """Show the table of that number on the stream, in this round and in the following ones."""
    await Tournament.objects.filter(pk=row.tournament_id).aupdate(feature_number=row.number)
