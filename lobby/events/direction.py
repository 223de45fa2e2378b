"""Actions of the officials of an event with rounds: clocks, hands and replacements at its tables,
and late entries and withdrawals between the rounds.

Each is a ruling (`lobby.events.rulings`). Those at a table are shown there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from channels.db import database_sync_to_async

from game.engine.state import Phase
from lobby.events.impartiality import Official
from lobby.events.rounds import describe_replacement, open_table, table_id
from lobby.events.rulings import RulingRefused, check_official, people_at, store_ruling
from lobby.events.table_orders import carry_out
from lobby.models import Event, EventPlayer, EventTable, Membership, Person, Ruling
from lobby.play.backend import current_backend

MAX_REASON: Final = 300
MAX_EXTENSION: Final = 60
"""The most minutes that can be added at once."""


def latest_tables(event: Event) -> list[EventTable]:
    """Return the tables of the last round that has begun."""
    last = EventTable.objects.filter(event=event, round__gt=0).order_by("round").last()
    if last is None:
        return []
    rows = EventTable.objects.filter(event=event, round=last.round)
    return list(rows.select_related("event__club"))


def find_table(event: Event, round_number: int, number: int) -> EventTable | None:
    """Return the table of that number in the round, or None. Tables of a list have round 0 and are
    never returned.
    """
    rows = EventTable.objects.filter(event=event, round__gt=0, round=round_number, number=number)
    return rows.select_related("event__club").first()


async def pause_tables(tables: Sequence[EventTable], by: Official, *, is_paused: bool) -> int:
    """Stop or restart the clocks of these tables. Return the number of changed tables. Leave out
    tables that are over, and those on which the official may not decide.
    """

    def change(row: EventTable) -> str:
        row.is_paused = is_paused
        return ""

    kind = "pause" if is_paused else "resume"
    rows = [row for row in await _running_tables_for(tables, by) if row.is_paused != is_paused]
    for row in rows:
        await _rule_on_table(row, by, kind, change)
    return len(rows)


async def extend_round(tables: Sequence[EventTable], by: Official, minutes: int) -> int:
    """Give these tables more minutes for the round, unless their time is over. Return the number
    of tables that got them.
    """

    def change(row: EventTable) -> str:
        row.extra_minutes += minutes
        return str(minutes)

    done, backend = 0, await current_backend()
    for row in await _running_tables_for(tables, by):
        room = await backend.tables.room(row.table_id)
        if room is not None and room.clock.round_ends_at:
            await _rule_on_table(row, by, "extend", change)
            done += 1
    return done


async def repeat_hand(row: EventTable, by: Official) -> None:
    """Let the running hand be played again. Raises RulingRefused."""
    backend = await current_backend()
    room = await backend.tables.room(row.table_id)
    playing = (Phase.TURN, Phase.CLAIMS, Phase.SHOWING)
    if room is None or room.table.phase not in playing:
        raise RulingRefused("no_hand")
    hand = room.table.hands_dealt

    def change(one: EventTable) -> str:
        one.repeated_hand = hand
        return ""

    await _rule_on_table(row, by, "repeat_hand", change)


async def repeat_game(row: EventTable, by: Official) -> None:
    """Let the same players play another game instead of this one. Raises RulingRefused."""

    def change(one: EventTable) -> str:
        if EventTable.objects.filter(event=one.event, round__gt=one.round).exists():
            raise RulingRefused("next_round")
        one.former = [*one.former, one.table_id]
        one.attempt += 1
        one.table_id = table_id(one.event_id, one.round, one.number, one.attempt)
        one.is_open = one.is_paused = one.are_no_shows_checked = False
        one.extra_minutes = one.repeated_hand = 0
        return ""

    await _rule_on_table(row, by, "repeat_game", change)
    backend = await current_backend()
    fresh = await EventTable.objects.select_related("event__club").aget(pk=row.pk)
    await open_table(backend, fresh)
    fresh.is_open = True
    await carry_out(backend, fresh)


async def replace_player(
    event: Event,
    entrant: EventPlayer,
    by: Official,
    substitute: Person | None,
    points: Decimal,
) -> None:
    """Let the substitute, or a bot for None, play for the entrant from now on, with that result in
    each game. Raises RulingRefused."""

    def put_substitute(current: Event, row: EventTable | None) -> dict[str, Any]:
        if substitute is not None and substitute.pk == by.person.pk:
            raise RulingRefused("own")  # an official may not direct a game in which they play
        if substitute is not None and _is_busy(current, entrant, substitute):
            raise RulingRefused("busy")
        entrant.is_replaced = True
        entrant.substitute = substitute
        entrant.substitute_points = points
        entrant.save(update_fields=["is_replaced", "substitute", "substitute_points"])
        if row is not None and entrant.number is not None:
            seat = row.seats.index(entrant.number)
            row.replacements = {**row.replacements, str(seat): describe_replacement(entrant, seat)}
        return {"detail": substitute.name if substitute is not None else ""}

    table = await running_table(event, entrant)
    await store_ruling(
        event, by, "replace", change=put_substitute, table=table, person_id=entrant.person_id
    )


async def let_entrant_return(event: Event, entrant: EventPlayer, by: Official) -> None:
    """End the replacement of the entrant, who plays again from the next round on. Raises
    RulingRefused.
    """

    def end_replacement(_event: Event, _row: EventTable | None) -> dict[str, Any]:
        EventPlayer.objects.filter(pk=entrant.pk).update(is_replaced=False, substitute=None)
        return {}

    table = await running_table(event, entrant)
    await store_ruling(
        event, by, "take_back", change=end_replacement, table=table, person_id=entrant.person_id
    )


async def enter_late(event: Event, person: UUID, by: Official) -> None:
    """Let a member of the club, or a player who has withdrawn, play from the next round on. For
    missed rounds the player gets the points that the event's settings give at this moment. Raises
    RulingRefused.
    """

    def enter(current: Event, _row: EventTable | None) -> dict[str, Any]:
        rows = list(current.tables.all())
        begun = {row.round for row in rows}
        if not begun or max(begun) >= current.rounds:
            raise RulingRefused("no_round")
        entrant = current.entrants.filter(person=person).first()
        if entrant is None:
            if not Membership.objects.filter(club=current.club_id, person=person).exists():
                raise RulingRefused("member")
            known = current.entrants.filter(number__isnull=False).values_list("number", flat=True)
            # Bots and substitutes have had numbers, too.
            taken = {*known, *(number for row in rows for number in row.seats)}
            entrant = EventPlayer(event=current, person_id=person, number=max(taken) + 1)
        elif not entrant.is_withdrawn:
            raise RulingRefused("entered")
        if (
            current.entrants.filter(substitute=person).exists()
            or str(person) in current.substitutes
        ):
            raise RulingRefused("busy")
        current.applicants.filter(person=person).delete()
        seated = sum(entrant.number in row.seats for row in rows)
        sat_out = len(entrant.sat_out_rounds)
        missed = len(begun) - seated - sat_out - entrant.missed_rounds
        entrant.missed_rounds += missed
        entrant.is_withdrawn = False
        entrant.save()
        return {"points": -missed * current.missed_points, "detail": str(missed)}

    await store_ruling(event, by, Ruling.LATE, change=enter, person_id=person)


async def withdraw_player(event: Event, person: UUID, by: Official) -> None:
    """Give the entrant no seat from the next round on. A running game goes on, and all results
    stay. Raises RulingRefused.
    """

    def leave(current: Event, _row: EventTable | None) -> dict[str, Any]:
        left = current.playing.filter(person=person)
        if not current.has_begun():
            raise RulingRefused("no_round")
        if not left.update(is_withdrawn=True, is_replaced=False, substitute=None):
            raise RulingRefused("player")
        return {}

    await store_ruling(event, by, Ruling.WITHDRAWAL, change=leave, person_id=person)


async def running_table(event: Event, entrant: EventPlayer) -> EventTable | None:
    """Return the table of the last round at which the entrant has a seat, if its game runs."""
    if entrant.number is None:
        return None
    backend = await current_backend()
    for row in await database_sync_to_async(latest_tables)(event):
        if entrant.number in row.seats:
            room = await backend.tables.room(row.table_id)
            is_running = room is not None and not backend.tables.is_over(room)
            return row if is_running or not row.is_open else None
    return None


async def _rule_on_table(
    row: EventTable, by: Official, kind: str, change: Callable[[EventTable], str]
) -> None:
    """Change the table and enter a ruling about it. `change` returns the detail of the ruling."""

    def change_table(_event: Event, current: EventTable | None) -> dict[str, Any]:
        return {"detail": change(current) if current is not None else ""}

    await store_ruling(row.event, by, kind, change=change_table, table=row)


async def _running_tables_for(tables: Sequence[EventTable], by: Official) -> list[EventTable]:
    """Return the tables with running games on which the official may act."""
    backend, found = await current_backend(), list[EventTable]()
    for row in tables:
        room = await backend.tables.room(row.table_id)
        if room is None or backend.tables.is_over(room):
            continue
        if await database_sync_to_async(_may_rule_on)(row, by):
            found.append(row)
    return found


def plays_there(row: EventTable, person: Person) -> bool:
    return person.pk in people_at(row)


def _may_rule_on(row: EventTable, by: Official) -> bool:
    try:
        check_official(row.event, by, people_at(row))
    except RulingRefused:
        return False
    return True


def _is_busy(event: Event, entrant: EventPlayer, substitute: Person) -> bool:
    """Return whether the substitute already plays in the event, as entrant or as substitute."""
    others = event.entrants.filter(substitute=substitute).exclude(pk=entrant.pk)
    is_entrant = event.entrants.filter(person=substitute).exists()
    return is_entrant or others.exists() or str(substitute.pk) in event.substitutes


def feature_table(event: Event) -> tuple[str, int]:
    """Return the id and the number of the feature table: the open table of the last round that
    officials have chosen, otherwise the first one; ('', 0) while there is none."""
    current = Event.objects.get(pk=event.pk)
    rows = [row for row in latest_tables(event) if row.is_open]
    chosen = [row for row in rows if row.number == current.feature_number]
    return next(((row.table_id, row.number) for row in (*chosen, *rows)), ("", 0))


def choose_feature_table(row: EventTable) -> None:
    """Make the table with the number of `row` the feature table, in this round and in the
    following ones.
    """
    Event.objects.filter(pk=row.event_id).update(feature_number=row.number)
