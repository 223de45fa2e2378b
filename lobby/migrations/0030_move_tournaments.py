"""Move tournaments, with all that belongs to them, to the tables of events.

Leagues, their players, lists of tables, rulings and disputes are there already and keep their ids.
A tournament whose address a league of its club has gets the address with `-tournament` after it,
and a number if that one is taken, too.
"""

from collections import defaultdict
from decimal import Decimal
from itertools import count

from django.db import migrations

_TERMS = (
    *("name", "rules", "clock", "max_entrants", "ties", "registration_ends_at", "is_public"),
    *("watch", "watch_delay_s", "club_id", "rounds", "method", "fill", "substitutes", "schedule"),
    *("time_zone", "starts_at", "ends_at", "registration", "round_minutes", "log_is_public"),
    *("no_show_minutes", "no_show", "no_show_points", "substitute_points", "feature_number"),
)
_TABLE = (
    *("round", "number", "table_id", "former", "seats", "is_open", "replacements", "attempt"),
    *("is_paused", "extra_minutes", "repeated_hand", "notice", "orders", "orders_done"),
    "are_no_shows_checked",
)
_ENTRY = ("person_id", "number", "came_at", "is_replaced", "substitute_id", "substitute_points")


def _copied(row, names):
    return {name: getattr(row, name) for name in names}


def _set_formats(apps):
    """Set the format of leagues, and the game of each table of a list."""
    Event = apps.get_model("lobby", "Event")
    Event.objects.filter(has_fixtures=True).update(format="list")
    EventTable = apps.get_model("lobby", "EventTable")
    for game in apps.get_model("lobby", "ClubGame").objects.filter(fixture__isnull=False):
        EventTable.objects.filter(pk=game.fixture_id).update(table_id=game.table_id)


def _free_slug(apps, tournament):
    """Return an address that no event and no other tournament of the club has."""
    rows = apps.get_model("lobby", "Event").objects.filter(club=tournament.club_id)
    taken = set(rows.values_list("slug", flat=True))
    if tournament.slug not in taken:
        return tournament.slug
    rows = apps.get_model("lobby", "Tournament").objects.filter(club=tournament.club_id)
    taken |= set(rows.values_list("slug", flat=True))
    ends = (f"-tournament-{number}" if number > 1 else "-tournament" for number in count(1))
    slugs = (f"{tournament.slug[: 40 - len(end)]}{end}" for end in ends)
    return next(slug for slug in slugs if slug not in taken)


def _move_tournament(apps, tournament):
    Event = apps.get_model("lobby", "Event")
    slug = _free_slug(apps, tournament)
    event = Event.objects.create(format="rounds", slug=slug, **_copied(tournament, _TERMS))
    Event.objects.filter(pk=event.pk).update(made_at=tournament.made_at)
    for model in ("Applicant", "Team", "OfflineGame"):
        rows = apps.get_model("lobby", model).objects.filter(tournament=tournament)
        rows.update(event=event, tournament=None)
    EventPlayer = apps.get_model("lobby", "EventPlayer")
    people = {}
    for entrant in (
        apps.get_model("lobby", "Entrant").objects.filter(tournament=tournament).order_by("pk")
    ):
        people[entrant.pk] = entrant.person_id
        entry = EventPlayer.objects.create(event=event, **_copied(entrant, _ENTRY))
        EventPlayer.objects.filter(pk=entry.pk).update(entered_at=tournament.made_at)
    moved = {}
    for table in apps.get_model("lobby", "RoundTable").objects.filter(tournament=tournament):
        moved[table.pk] = table, _move_table(apps, event, table)
    _move_rulings(apps, tournament, event, people, moved)
    _move_disputes(apps, event, people, moved)


def _move_table(apps, event, table):
    ClubGame = apps.get_model("lobby", "ClubGame")
    ClubGame.objects.filter(pk__in=[*table.former, table.table_id]).update(event=event)
    return apps.get_model("lobby", "EventTable").objects.create(
        event=event, **_copied(table, _TABLE)
    )


def _move_rulings(apps, tournament, event, people, moved):
    """Move the log, with the points of penalties, and say of which game each entry is."""
    Ruling = apps.get_model("lobby", "Ruling")
    penalties = defaultdict(list)
    for penalty in (
        apps.get_model("lobby", "Penalty")
        .objects.filter(tournament=tournament)
        .order_by("given_at", "pk")
    ):
        penalties[penalty.entrant_id, penalty.kind, penalty.reason].append(penalty)
    games = {pk: [*table.former, table.table_id] for pk, (table, _) in moved.items()}
    attempts = defaultdict(int)
    void, corrected = {}, {}
    log = apps.get_model("lobby", "Intervention").objects.filter(tournament=tournament)
    for entry in log.order_by("at", "pk"):
        known = games.get(entry.table_id, [])
        game = known[min(attempts[entry.table_id], len(known) - 1)] if known else ""
        attempts[entry.table_id] += entry.kind == "repeat_game"
        found = penalties[entry.entrant_id, entry.kind, entry.reason] if entry.entrant_id else []
        penalty = found.pop(0) if found else None
        ruling = Ruling.objects.create(
            event=event,
            kind=entry.kind,
            person_id=people.get(entry.entrant_id),
            points=_points(entry, penalty),
            is_cancelled=penalty.is_cancelled if penalty else False,
            table=moved[entry.table_id][1] if entry.table_id else None,
            game=game,
            detail="" if penalty or entry.kind == "cancel_penalty" else entry.detail,
            reason=entry.reason,
            by_id=entry.by_id,
            is_by_player=entry.is_by_player,
        )
        Ruling.objects.filter(pk=ruling.pk).update(made_at=entry.at)
        if entry.kind == "void":
            void[game] = ruling
        elif entry.kind == "correct":
            corrected[game] = ruling
    for penalty in [one for rows in penalties.values() for one in rows]:
        ruling = Ruling.objects.create(
            event=event,
            person_id=people[penalty.entrant_id],
            **_copied(penalty, ("kind", "points", "reason", "is_cancelled")),
        )
        Ruling.objects.filter(pk=ruling.pk).update(made_at=penalty.given_at)
    for table, copied in moved.values():
        wanted = {"event": event, "table": copied, "game": table.table_id, "reason": "-"}
        if table.is_void and table.table_id not in void:
            Ruling.objects.create(kind="void", **wanted)
        if table.scores is not None and table.table_id in corrected:
            rows = Ruling.objects.filter(pk=corrected[table.table_id].pk)
            rows.update(scores=table.scores)
        elif table.scores is not None:
            Ruling.objects.create(kind="correct", scores=table.scores, **wanted)


def _points(entry, penalty):
    """Return the points of a penalty, or of one that the entry cancels."""
    if entry.kind == "cancel_penalty":
        return Decimal(entry.detail)
    return penalty.points if penalty else 0


def _move_disputes(apps, event, people, moved):
    Dispute = apps.get_model("lobby", "Dispute")
    for row in apps.get_model("lobby", "TournamentDispute").objects.filter(table__in=list(moved)):
        dispute = Dispute.objects.create(
            event=event,
            game=moved[row.table_id][0].table_id,
            person_id=people[row.entrant_id],
            **_copied(row, ("text", "decision", "answer")),
        )
        Dispute.objects.filter(pk=dispute.pk).update(made_at=row.made_at)


def move(apps, schema_editor):
    _set_formats(apps)
    for tournament in apps.get_model("lobby", "Tournament").objects.order_by("pk"):
        _move_tournament(apps, tournament)


class Migration(migrations.Migration):
    dependencies = [("lobby", "0029_one_event")]
    operations = [migrations.RunPython(move)]
