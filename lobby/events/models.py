"""Fields that leagues and tournaments share: registration, who may see and watch, teams."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, get_args

from django.db import models

from game.tables.settings import DELAYED, Watch
from lobby.accounts.models import Person
from lobby.clubs.models import Club


class Event(models.Model):
    """A tournament or a league: who takes part (`lobby.events.registration`)."""

    OPEN, REQUEST, LIST = "open", "request", "list"
    KIND: ClassVar[str]
    """The name of the kind of event in addresses and templates."""
    entrants: Any
    """The manager of the event's rows of `Entrant` or `LeaguePlayer`."""
    applicants: Any
    teams: Any
    KEEPS_TEAMS: ClassVar = False
    """Whether finished games still count for the team of a player who leaves."""

    slug = models.SlugField(max_length=40)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    rules = models.JSONField()
    """The whole `RuleSet`. It does not change."""
    clock = models.CharField(max_length=10)
    """The name of the clock, one of `game.tables.settings.CLOCKS`."""
    max_entrants = models.PositiveSmallIntegerField(default=0)
    """The number of places, after which people wait for one; 0 for no limit."""
    ties = models.CharField(
        max_length=6, choices=(("shared", "shared"), ("broken", "broken")), default="shared"
    )
    """Whether equal players share a place, or `lobby.events.standings.TIE_BREAKS` decide."""
    registration_ends_at = models.DateTimeField(null=True, blank=True)
    """When people can no longer register themselves."""
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

    class Meta:
        abstract = True

    @property
    def delay_s(self) -> int:
        """Seconds after its end until spectators see a hand of the event; 0 if they see it live or
        not at all."""
        return self.watch_delay_s if self.watch in DELAYED else 0

    def has_begun(self) -> bool:
        """Return whether the event has begun, after which nobody can enter or leave."""
        return False

    def has_place(self) -> bool:
        return not self.max_entrants or self.entrants.count() < self.max_entrants

    def move_up(self) -> None:
        """Enter those who wait, in the order in which they registered, while there are places.
        Call it in a transaction that has locked the event."""
        if self.has_begun():
            return
        for applicant in self.applicants.filter(state=Applicant.WAITING):
            if not self.has_place():
                return
            self.entrants.get_or_create(person=applicant.person)
            applicant.delete()

    def leave_team(self, person: uuid.UUID) -> None:
        """Take somebody who no longer takes part out of their team."""
        TeamPlayer.objects.filter(team__in=self.teams.all(), person=person).delete()

    def remove(self, person: uuid.UUID) -> bool:
        """Take that person off all lists, and let the next one move up. Return False if they are on
        no list, or play in a tournament that has begun. Call it in a transaction that has locked
        the event."""
        applied, _ = self.applicants.filter(person=person).delete()
        entered = 0
        if not self.has_begun():
            entered, _ = self.entrants.filter(person=person).delete()
            if not self.KEEPS_TEAMS:
                self.leave_team(person)
            self.move_up()
        return bool(applied or entered)


class Applicant(models.Model):
    """Somebody who wants to take part in a tournament or a league and is not entered yet."""

    ASKED, WAITING = "asked", "waiting"

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    league = models.ForeignKey(
        "lobby.League", on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="applications")
    state = models.CharField(max_length=10, choices=((ASKED, "asked"), (WAITING, "waiting")))
    """Whether the person has asked the organisers or waits for a place."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "person"), name="one_application"),
            models.UniqueConstraint(fields=("league", "person"), name="one_league_application"),
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="application_for_one_event",
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} for {self.tournament or self.league}"


class Team(models.Model):
    """Players of an event whose results are added up (`lobby.events.teams`)."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, null=True, related_name="teams"
    )
    league = models.ForeignKey(
        "lobby.League", on_delete=models.CASCADE, null=True, related_name="teams"
    )
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ("name", "pk")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "name"), name="one_tournament_team"),
            models.UniqueConstraint(fields=("league", "name"), name="one_league_team"),
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="team_of_one_event",
            ),
        )

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


class League(Event):
    """A season of a club: its members play by one rule set, and have standings
    (`lobby.events.leagues`)."""

    POINTS, PLACES = "points", "places"
    MEMBERS = "members"
    KIND: ClassVar = "league"
    KEEPS_TEAMS: ClassVar = True

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="leagues")
    time_zone = models.CharField(max_length=40, default="UTC")
    starts_on = models.DateField()
    ends_on = models.DateField()
    """The last day, in the time zone of the league."""
    min_games = models.PositiveSmallIntegerField(default=0)
    """The number of games from which a player has a place in the standings."""
    max_games = models.PositiveSmallIntegerField(default=0)
    """The number of the first games of a player that count; 0 for all."""
    best_games = models.PositiveSmallIntegerField(default=0)
    """The number of the best of these games that count; 0 for all."""
    registration = models.CharField(
        max_length=10,
        choices=(
            (MEMBERS, "every member"),
            (Event.OPEN, "open"),
            (Event.REQUEST, "request"),
            (Event.LIST, "list"),
        ),
        default=MEMBERS,
    )
    """Who may play: every member of the club, or those who are entered."""
    has_fixtures = models.BooleanField(default=False)
    """Whether the games are those of a list of tables; otherwise people play whenever four meet. It
    does not change."""
    ranking = models.CharField(
        max_length=6, choices=((POINTS, "sum of points"), (PLACES, "average place"))
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-starts_on", "name")
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_league"),)

    def __str__(self) -> str:
        return self.name


class LeaguePlayer(models.Model):
    """Somebody who takes part in a league for which people register."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="league_entries")
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("entered_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("league", "person"), name="one_league_entry"),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.league}"


class Fixture(models.Model):
    """A table of the list of a league: four players who have to play one game
    (`lobby.events.fixtures`)."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="fixtures")
    number = models.PositiveSmallIntegerField()
    """The number of the table, from 1."""
    players = models.ManyToManyField(Person, related_name="fixtures")

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("league", "number"), name="one_fixture"),)

    def __str__(self) -> str:
        return f"{self.league}: {self.number}"


class LeagueRuling(models.Model):
    """What an officer has decided in a league: a penalty, or that a game does not count
    (`lobby.events.rulings`)."""

    PENALTY, CHOMBO, VOID = "penalty", "chombo", "void"

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="rulings")
    kind = models.CharField(
        max_length=10, choices=((PENALTY, "penalty"), (CHOMBO, "chombo"), (VOID, "void"))
    )
    person = models.ForeignKey(
        Person, on_delete=models.CASCADE, null=True, related_name="league_rulings"
    )
    """The player who has the penalty; None for a void game."""
    points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The points of the penalty, in thousands, which are subtracted."""
    table_id = models.CharField(max_length=40, blank=True)
    """The void game; '' for a penalty."""
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    is_cancelled = models.BooleanField(default=False)
    cancel_reason = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the officer plays in the league and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("table_id",),
                condition=models.Q(kind="void", is_cancelled=False),
                name="one_void_ruling",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} in {self.league}"


class LeagueDispute(models.Model):
    """A player does not agree with the result of a game of a league. The result is provisional
    until an officer decides."""

    KEPT, CHANGED = "kept", "changed"

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="disputes")
    table_id = models.CharField(max_length=40)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="league_disputes")
    text = models.CharField(max_length=600)
    made_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, blank=True)
    """The decision, `kept` or `changed`; '' while the dispute waits."""
    answer = models.CharField(max_length=300, blank=True)
    is_by_player = models.BooleanField(default=False)
    """Whether the officer plays in the league and is a direct rival of those concerned, because
    nobody else could decide."""

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("table_id", "person"), name="one_league_dispute"),
        )

    def __str__(self) -> str:
        return f"{self.person} disputes {self.table_id}"


class Tournament(Event):
    """A tournament of a club, in rounds with seating (`lobby.events.tournaments`)."""

    KIND: ClassVar = "tournament"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tournaments")
    rounds = models.PositiveSmallIntegerField()
    method = models.CharField(
        max_length=10,
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
        choices=(("refuse", "refuse"), ("bots", "bots"), ("substitutes", "substitutes")),
    )
    """Who takes the seats that are left over."""
    substitutes = models.JSONField(default=list, editable=False)
    """The ids of the members who take them, in the order of the seats. Their results do not
    count."""
    schedule = models.JSONField(null=True, editable=False)
    """The seats of all rounds, prescribed or drawn when the tournament began; None before, and for
    methods that go by the standings."""
    time_zone = models.CharField(max_length=40, default="UTC")
    """The time zone in which times of the tournament are shown and typed."""
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    registration = models.CharField(
        max_length=10,
        choices=((Event.OPEN, "open"), (Event.REQUEST, "request"), (Event.LIST, "list")),
        default=Event.OPEN,
    )
    """How players enter: by themselves, by a request to the organisers, or on a list of the
    organisers."""
    round_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes after which one more hand is played; 0: games end by their rules alone."""
    log_is_public = models.BooleanField(default=False)
    """Whether everybody who sees the tournament may read its log of interventions; otherwise
    officials."""
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
    feature_number = models.PositiveSmallIntegerField(default=1, editable=False)
    """The number of the table that a stream shows (`lobby.events.direction`)."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-made_at",)
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_tournament"),)

    def __str__(self) -> str:
        return self.name

    def has_begun(self) -> bool:
        return self.tables.exists()


class Entrant(models.Model):
    """Somebody who takes part in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(null=True)
    """The number of the entrant, from 1, drawn by lot when the first round begins."""
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
            models.UniqueConstraint(fields=("tournament", "person"), name="one_entry"),
            models.UniqueConstraint(fields=("tournament", "number"), name="one_number"),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.tournament}"


class RoundTable(models.Model):
    """A table of a round. All tables of a round are stored in one transaction and opened after
    it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    table_id = models.CharField(max_length=40, unique=True)
    """The id of the table. It follows from the tournament, the round and the number by a keyed
    hash."""
    seats = models.JSONField()
    """The entrants' numbers: East, South, West, North. Numbers above the number of entrants are
    bots or substitutes."""
    is_open = models.BooleanField(default=False, db_index=True)
    replacements = models.JSONField(default=dict)
    """By seat, as text, of those who do not play themselves: `person`, the id of the substitute or
    '' for a bot, `name`, and `points`, the fixed result."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """The number of the game, from 1: an official may let it be played again."""
    former = models.JSONField(default=list)
    """The ids of the tables of earlier games, which do not count."""
    is_void = models.BooleanField(default=False)
    """Whether the game does not count."""
    scores = models.JSONField(null=True)
    """The final scores by seat as an official has corrected them."""
    is_paused = models.BooleanField(default=False)
    """Whether an official has stopped the clocks."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """The minutes that officials have added to the time of the round."""
    repeated_hand = models.PositiveSmallIntegerField(default=0)
    """The last hand that is to be played again, counted from 1; 0 for none."""
    notice = models.TextField(blank=True)
    """The last notice of an official at the table (`game.tables.notices`)."""
    orders = models.PositiveIntegerField(default=0)
    """How many orders officials have given for the table (`lobby.events.table_orders`)."""
    orders_done = models.PositiveIntegerField(default=0)
    """The number of these orders that have been carried out."""
    are_no_shows_checked = models.BooleanField(default=False)

    class Meta:
        ordering = ("round", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "round", "number"), name="one_table_of_round"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.round}.{self.number}"


class Penalty(models.Model):
    """Points that an entrant loses in the standings. It belongs to the tournament, not to a game,
    so that nothing that happens to a game or a round removes it."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, related_name="penalties"
    )
    entrant = models.ForeignKey("lobby.Entrant", on_delete=models.CASCADE, related_name="penalties")
    kind = models.CharField(
        max_length=10,
        choices=(("penalty", "penalty"), ("chombo", "chombo"), ("no_show", "no-show")),
    )
    points = models.DecimalField(max_digits=5, decimal_places=1)
    """The points of the penalty, in thousands, which are subtracted."""
    reason = models.CharField(max_length=300)
    is_cancelled = models.BooleanField(default=False)
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("given_at", "pk")

    def __str__(self) -> str:
        return f"{self.entrant}: {self.points}"


class Intervention(models.Model):
    """An entry of the log of a tournament: what an official has done and why."""

    tournament = models.ForeignKey(
        "lobby.Tournament", on_delete=models.CASCADE, related_name="interventions"
    )
    table = models.ForeignKey(
        "lobby.RoundTable", on_delete=models.CASCADE, null=True, related_name="interventions"
    )
    entrant = models.ForeignKey(
        "lobby.Entrant", on_delete=models.CASCADE, null=True, related_name="interventions"
    )
    kind = models.CharField(max_length=20)
    detail = models.CharField(max_length=120, blank=True)
    """The detail of the intervention: minutes, points, scores, or the name of a substitute."""
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(
        "lobby.Person", on_delete=models.SET_NULL, null=True, related_name="interventions"
    )
    """The official; None for the server, which looks for players who have not come."""
    is_by_player = models.BooleanField(default=False)
    """Whether the official is a player of the tournament and a direct rival of those concerned,
    because nobody else could decide."""
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.kind} in {self.tournament}"


class Dispute(models.Model):
    """A player does not agree with the result of a game. The result is provisional until an
    official decides."""

    KEPT, CHANGED = "kept", "changed"

    table = models.ForeignKey("lobby.RoundTable", on_delete=models.CASCADE, related_name="disputes")
    entrant = models.ForeignKey("lobby.Entrant", on_delete=models.CASCADE, related_name="disputes")
    text = models.CharField(max_length=600)
    made_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, blank=True)
    """The decision, `kept` or `changed`; '' while the dispute waits."""
    answer = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("table", "entrant"),
                condition=models.Q(decision=""),
                name="one_open_dispute",
            ),
        )

    def __str__(self) -> str:
        return f"{self.entrant} disputes {self.table}"


class OfflineGame(models.Model):
    """A game at a real table, with the result that an organiser has entered
    (`lobby.events.offline`)."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    league = models.ForeignKey(
        League, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    round = models.PositiveSmallIntegerField(null=True)
    fixture = models.OneToOneField(
        Fixture, on_delete=models.SET_NULL, null=True, related_name="offline_game"
    )
    """The table of the league's list whose game it is."""
    played_at = models.DateTimeField()
    sticks = models.PositiveSmallIntegerField(default=0)
    """The number of riichi sticks that were left on the table."""
    is_cancelled = models.BooleanField(default=False)
    """Whether the game no longer counts."""
    entered_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-played_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(tournament=None) ^ models.Q(league=None),
                name="offline_game_of_one_event",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament or self.league}: {self.played_at:%Y-%m-%d}"


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
    """A result of a game at a real table before it was corrected or cancelled."""

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
