"""Events of clubs: players, teams, tables, rulings, disputes, games at real tables."""

from __future__ import annotations

import uuid
from typing import Any, get_args

from django.db import models

from game.tables.settings import DELAYED, Watch
from lobby.accounts.models import Person
from lobby.clubs.models import Club


class Event(models.Model):
    """An event of a club. Its `format` decides how players meet.

    `open`: whoever of the players meets plays. `list`: fixed tables, whose players agree on a
    time (`lobby.events.fixtures`). `rounds`: seating by a method (`lobby.events.rounds`).
    """

    OPEN_FORMAT, LIST_FORMAT, ROUNDS = "open", "list", "rounds"
    MEMBERS, OPEN, REQUEST, LIST = "members", "open", "request", "list"
    POINTS, PLACES = "points", "places"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    format = models.CharField(
        max_length=6, choices=((OPEN_FORMAT, "open"), (LIST_FORMAT, "list"), (ROUNDS, "rounds"))
    )
    """It does not change."""
    slug = models.SlugField(max_length=40)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    rules = models.JSONField()
    """The whole `RuleSet`. It does not change."""
    clock = models.CharField(max_length=10)
    """The name of the clock, one of `game.tables.settings.CLOCKS`."""
    time_zone = models.CharField(max_length=40, default="UTC")
    """The time zone in which times of the event are shown and typed."""
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    """The first and the last day of play in the time zone of the event; None with rounds."""
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    """Beginning and end of an event with rounds, if they are known."""
    registration = models.CharField(
        max_length=10,
        choices=(
            (MEMBERS, "every member"),
            (OPEN, "open"),
            (REQUEST, "request"),
            (LIST, "list"),
        ),
        default=OPEN,
    )
    """Who may play: every member of the club, or those who are entered: by themselves, by a request
    to the organisers, or on a list of the organisers."""
    registration_ends_at = models.DateTimeField(null=True, blank=True)
    """When people can no longer register themselves."""
    max_entrants = models.PositiveSmallIntegerField(default=0)
    """The number of places, after which people wait for one; 0 for no limit."""
    ranking = models.CharField(
        max_length=6,
        choices=((POINTS, "sum of points"), (PLACES, "average place")),
        default=POINTS,
    )
    ties = models.CharField(
        max_length=6, choices=(("shared", "shared"), ("broken", "broken")), default="shared"
    )
    """Whether equal players share a place, or `lobby.events.standings.TIE_BREAKS` decide."""
    min_games = models.PositiveSmallIntegerField(default=0)
    """The number of games from which a player has a place in the standings."""
    max_games = models.PositiveSmallIntegerField(default=0)
    """The number of the first games of a player that count; 0 for all."""
    best_games = models.PositiveSmallIntegerField(default=0)
    """The number of the best of these games that count; 0 for all."""
    is_public = models.BooleanField(default=True)
    """Whether everybody can see the pages and the games of the event; otherwise only members of the
    club."""
    watch = models.CharField(
        max_length=14,
        choices=[(name, name) for name in get_args(Watch)],
        default="closed",
    )
    """What spectators see of the event's tables (`game.tables.settings.Watch`)."""
    watch_delay_s = models.PositiveSmallIntegerField(default=300)
    """Seconds from the end of a hand until spectators see it, if it is shown later."""
    log_is_public = models.BooleanField(default=True)
    """Whether everybody who sees the event may read the log of its officials; otherwise only late
    entries, withdrawals and changes of the event."""
    rounds = models.PositiveSmallIntegerField(default=0)
    """The number of rounds; 0 without rounds. The fields below concern events with rounds."""
    method = models.CharField(
        max_length=10,
        blank=True,
        choices=(
            ("balanced", "balanced"),
            ("random", "random"),
            ("swiss", "Swiss"),
            ("interval", "interval"),
            ("prescribed", "prescribed"),
        ),
    )
    """The method of seating (`lobby.events.seating`)."""
    fill = models.CharField(
        max_length=12,
        choices=(
            ("refuse", "refuse"),
            ("bots", "bots"),
            ("substitutes", "substitutes"),
            ("sit_out", "sit out by turns"),
        ),
        default="refuse",
    )
    """Who takes the seats that are left over, or whether players sit out by turns instead."""
    substitutes = models.JSONField(default=list, editable=False)
    """The ids of the members who take them, in the order of the seats. Their results do not
    count."""
    schedule = models.JSONField(null=True, editable=False)
    """The seats of all rounds, prescribed or drawn when the first one began; None before, and for
    methods that go by the standings."""
    drawn = models.JSONField(default=dict, editable=False)
    """The seats of the next round as officials see them before it starts: `round`, `tables` with
    the numbers of the players by seat, and the terms of that moment. Empty if nobody has
    looked."""
    round_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes after which one more hand is played; 0: games end by their rules alone."""
    no_show_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes after which a player who has not come to the table is a no-show; 0: never."""
    no_show = models.CharField(
        max_length=10, choices=(("bot", "bot"), ("penalty", "penalty")), default="bot"
    )
    """What happens for a no-show: a bot plays that game, or the player gets a penalty."""
    no_show_points = models.DecimalField(max_digits=5, decimal_places=1, default=20)
    """The points of the penalty of a no-show, in thousands."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=-15)
    """The result of a game in which somebody else plays for the player, in thousands."""
    missed_points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """What a player gets for each round before a late entry, or in which the player sits out, in
    thousands. The mean result of a round is 0."""
    next_round_at = models.DateTimeField(null=True, blank=True)
    """When the next round starts, if the officials have said so."""
    apart = models.JSONField(default=list, editable=False)
    """Pairs of ids of people who must not meet (`lobby.events.apart`)."""
    feature_number = models.PositiveSmallIntegerField(default=1, editable=False)
    """The number of the table that a stream shows (`lobby.events.direction`)."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-starts_on", "-made_at", "name")
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_event"),)

    def __str__(self) -> str:
        return self.name

    @property
    def has_rounds(self) -> bool:
        return self.format == self.ROUNDS

    @property
    def has_fixtures(self) -> bool:
        return self.format == self.LIST_FORMAT

    @property
    def delay_s(self) -> int:
        """Seconds after its end until spectators see a hand of the event; 0 if they see it live or
        not at all."""
        return self.watch_delay_s if self.watch in DELAYED else 0

    @property
    def playing(self) -> models.QuerySet[EventPlayer]:
        """The entrants who have not withdrawn."""
        return self.entrants.filter(is_withdrawn=False)

    def has_begun(self) -> bool:
        """Return whether a round has begun. Afterwards only officials let people enter or leave
        (`lobby.events.direction`).
        """
        return self.has_rounds and self.tables.exists()

    def has_place(self) -> bool:
        return not self.max_entrants or self.entrants.count() < self.max_entrants

    def move_up(self) -> None:
        """Enter waiting applicants, the first to register first, while there are places. Call it
        in a transaction that has locked the event.
        """
        if self.has_begun():
            return
        for applicant in self.applicants.filter(state=Applicant.WAITING):
            if not self.has_place():
                return
            self.entrants.get_or_create(person=applicant.person)
            applicant.delete()

    def leave_team(self, person: uuid.UUID) -> None:
        """Take the person out of their team, because they no longer take part."""
        TeamPlayer.objects.filter(team__in=self.teams.all(), person=person).delete()

    def remove(self, person: uuid.UUID) -> bool:
        """Take that person off all lists, and let the next one move up. Return False if they are on
        no list, or play in rounds that have begun. Call it in a transaction that has locked the
        event.

        Without rounds, their finished games still count for their team.
        """
        applied, _ = self.applicants.filter(person=person).delete()
        entered = 0
        if not self.has_begun():
            entered, _ = self.entrants.filter(person=person).delete()
            if self.has_rounds:
                self.leave_team(person)
            self.move_up()
        return bool(applied or entered)


class EventPlayer(models.Model):
    """Somebody who takes part in an event for which people register."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entries")
    entered_at = models.DateTimeField(auto_now_add=True)
    number = models.PositiveSmallIntegerField(null=True)
    """The number of the player in seats of rounds, from 1, drawn by lot when the first one
    begins. A late entrant gets one that nobody has had."""
    is_withdrawn = models.BooleanField(default=False)
    """Whether the player takes part in no further rounds. The results stay."""
    missed_rounds = models.PositiveSmallIntegerField(default=0)
    """The number of rounds before a late entry, or between withdrawal and return."""
    sat_out_rounds = models.JSONField(default=list, db_default=[])
    """The numbers of the rounds in which the player sat out by turns."""
    sat_out_points = models.DecimalField(max_digits=6, decimal_places=1, default=0, db_default=0)
    """The sum of the points for them, in thousands."""
    came_at = models.DateTimeField(null=True)
    """When the player checked in."""
    is_replaced = models.BooleanField(default=False)
    """Whether a substitute or a bot plays from the next round on."""
    substitute = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, related_name="substitutions"
    )
    """The person who plays if `is_replaced`; None for a bot."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The fixed result of each game that the substitute or bot plays, in thousands."""

    class Meta:
        ordering = ("number", "pk")
        constraints = (
            models.UniqueConstraint(fields=("event", "person"), name="one_entry"),
            models.UniqueConstraint(fields=("event", "number"), name="one_number"),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.event}"


class Applicant(models.Model):
    """Somebody who wants to take part in an event and is not entered yet."""

    ASKED, WAITING = "asked", "waiting"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="applicants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="applications")
    state = models.CharField(max_length=10, choices=((ASKED, "asked"), (WAITING, "waiting")))
    """Whether the person has asked the organisers or waits for a place."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "person"), name="one_application"),)

    def __str__(self) -> str:
        return f"{self.person} for {self.event}"


class Team(models.Model):
    """Players of an event whose results are added up (`lobby.events.teams`)."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ("name", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "name"), name="one_team"),)

    def __str__(self) -> str:
        return self.name


class TeamPlayer(models.Model):
    """A player of a team. A person is in one team of an event at most."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey("lobby.Person", on_delete=models.CASCADE, related_name="team_places")

    class Meta:
        ordering = ("person__name", "pk")
        constraints = (models.UniqueConstraint(fields=("team", "person"), name="one_team_place"),)

    def __str__(self) -> str:
        return f"{self.person} in {self.team}"


class Ruling(models.Model):
    """A decision of an official with its reason: an entry of the log of the event.

    Points of a penalty, a chombo or a no-show are subtracted from the player. They belong to the
    player, not to a game: voiding a game or deleting a round does not change them. A void ruling
    takes a game out of the standings, a correction gives it other scores. A late entry gives
    points for the missed rounds; its `points` have the opposite sign.
    """

    PENALTY, CHOMBO, NO_SHOW, VOID, CORRECTION = "penalty", "chombo", "no_show", "void", "correct"
    LATE, WITHDRAWAL, CHANGE = "late", "withdraw", "change"
    WITH_POINTS = (PENALTY, CHOMBO, NO_SHOW)

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(max_length=20)
    """One of `lobby.events.log_views.KINDS`."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, related_name="rulings")
    """The player whom it concerns; None for a game or a table."""
    points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The points, in thousands, which are subtracted from the player."""
    table = models.ForeignKey(
        "lobby.EventTable", on_delete=models.SET_NULL, null=True, related_name="rulings"
    )
    """The table of a round at which it was decided."""
    game = models.CharField(max_length=40, blank=True, db_index=True)
    """The id of the table of the game that it concerns; '' for none."""
    scores = models.JSONField(null=True)
    """The final scores by seat of a correction."""
    changes = models.JSONField(null=True)
    """The old and the new value of each changed field of the event, by its name."""
    detail = models.CharField(max_length=120, blank=True)
    """What the log says beside the kind: minutes, points, scores, or the name of a substitute."""
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="decisions")
    """The official; None for the server, which looks for players who have not come."""
    made_at = models.DateTimeField(auto_now_add=True)
    is_cancelled = models.BooleanField(default=False)
    cancel_reason = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the official plays in the event and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("game",),
                condition=models.Q(kind="void", is_cancelled=False),
                name="one_void_ruling",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.event}"


class EventTables(models.Manager["EventTable"]):
    """Reads tables with `is_void` and `scores`, which follow from the rulings about their games."""

    def get_queryset(self) -> models.QuerySet[EventTable]:
        rulings: Any = Ruling.objects.filter(game=models.OuterRef("table_id"), is_cancelled=False)
        corrections = rulings.filter(scores__isnull=False).values("scores")
        read: dict[str, Any] = {
            "is_void": models.Exists(rulings.filter(kind=Ruling.VOID)),
            "scores": models.Subquery(corrections[:1]),
        }
        return super().get_queryset().annotate(**read)


class EventTable(models.Model):
    """A table that the event has seated: one of a round, or one of its list.

    All tables of a round are stored in one transaction and opened after it. A table of the list has
    `players`, who open it themselves.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField(default=0)
    """The round, from 1; 0 for a table of the list."""
    number = models.PositiveSmallIntegerField()
    """The number in the round or on the list, from 1."""
    table_id = models.CharField(max_length=40, blank=True)
    """The id of the table of the game. That of a round follows from the event, the round and the
    number by a keyed hash; that of the list is '' until its game is opened."""
    former = models.JSONField(default=list)
    """The ids of the tables of earlier games, which do not count."""
    players = models.ManyToManyField(Person, related_name="listed_tables")
    """The players of a table of the list. The fields below concern rounds."""
    seats = models.JSONField(default=list)
    """The numbers of the players: East, South, West, North. Numbers that no player has are bots or
    substitutes."""
    is_open = models.BooleanField(default=False, db_index=True)
    replacements = models.JSONField(default=dict)
    """By seat, as text, of those who do not play themselves: `person`, the id of the substitute or
    '' for a bot, `name`, and `points`, the fixed result."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """The number of the game, from 1: an official may let it be played again."""
    is_paused = models.BooleanField(default=False)
    """Whether an official has stopped the clocks."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes that officials have added to the time of the round."""
    repeated_hand = models.PositiveSmallIntegerField(default=0)
    """The last hand that is to be played again, counted from 1; 0 for none."""
    notice = models.TextField(blank=True)
    """The last notice of an official at the table (`game.tables.room.official_notice`)."""
    orders = models.PositiveIntegerField(default=0)
    """How many orders officials have given for the table (`lobby.events.table_orders`)."""
    orders_done = models.PositiveIntegerField(default=0)
    """The number of these orders that have been carried out."""
    no_show_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes of the event for players who do not come, when the round started."""
    are_no_shows_checked = models.BooleanField(default=False)

    objects = EventTables()

    is_void: bool = False
    """Whether an official has declared the game void. Read with the row, from its rulings."""
    scores: list[int] | None = None
    """The final scores by seat as an official has corrected them. Read with the row."""

    class Meta:
        ordering = ("round", "number")
        constraints = (
            models.UniqueConstraint(fields=("event", "round", "number"), name="one_event_table"),
            models.UniqueConstraint(
                fields=("table_id",), condition=~models.Q(table_id=""), name="one_table_of_event"
            ),
        )

    def __str__(self) -> str:
        return f"{self.event}: {self.round}.{self.number}"


class Dispute(models.Model):
    """An objection of a player to the result of a game. The result is provisional until an
    official decides.
    """

    KEPT, CHANGED = "kept", "changed"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="disputes")
    game = models.CharField(max_length=40)
    """The id of the table of the game."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="disputes")
    text = models.CharField(max_length=600)
    made_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, blank=True)
    """The decision, `kept` or `changed`; '' while the dispute waits."""
    answer = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the official plays in the event and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "person"), condition=models.Q(decision=""), name="one_open_dispute"
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} disputes {self.game}"


class OfflineGame(models.Model):
    """A game at a real table, with the result that an organiser has entered
    (`lobby.events.offline`)."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="offline_games")
    round = models.PositiveSmallIntegerField(null=True)
    table = models.OneToOneField(
        EventTable, on_delete=models.SET_NULL, null=True, related_name="offline_game"
    )
    """The table of the event's list whose game it is."""
    played_at = models.DateTimeField()
    sticks = models.PositiveSmallIntegerField(default=0)
    """The number of riichi sticks that were left on the table."""
    is_cancelled = models.BooleanField(default=False)
    """Whether the game no longer counts."""
    entered_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-played_at", "-pk")

    def __str__(self) -> str:
        return f"{self.event}: {self.played_at:%Y-%m-%d}"


class OfflineSeat(models.Model):
    """The result of a player in a game at a real table."""

    game = models.ForeignKey(OfflineGame, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    """The seat, 0 to 3; seat 0 dealt first."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="offline_results")
    written = models.IntegerField()
    """The score as it was entered."""
    score = models.IntegerField()
    """The score with the sticks that were left over, if the rules give them to somebody."""
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """The final points in thousands, with uma and oka."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (
            models.UniqueConstraint(fields=("game", "seat"), name="one_offline_seat"),
            models.UniqueConstraint(fields=("game", "person"), name="one_offline_result"),
        )

    def __str__(self) -> str:
        return f"{self.person}: {self.points}"


class OfflineChange(models.Model):
    """The result of a game at a real table as it was before a correction or cancellation."""

    game = models.ForeignKey(OfflineGame, on_delete=models.CASCADE, related_name="changes")
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)
    before = models.JSONField()
    """The game before the change: ``{"seats": [{"person", "score", "points"}], "sticks",
    "is_cancelled"}``."""
    is_by_player = models.BooleanField(default=False)
    """Whether a player of the event has decided, since no other officer could."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")

    def __str__(self) -> str:
        return self.reason
