"""People: guests, accounts and bots. Also their clubs and the rule sets that they have saved.

The browser's session identifies a guest. An account is a person with a Django user, which holds
password, e-mail address and permissions. A guest who signs up stays the same person. A deleted
account leaves a person without name and user, so that references to it stay valid.
"""

from __future__ import annotations

import json
import secrets
import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone


def new_invite_key() -> str:
    """Return a random key of an invitation link."""
    return secrets.token_urlsafe(16)


def new_rules_key() -> str:
    """Return a random key of saved rules. Whoever knows it may see them."""
    return secrets.token_urlsafe(9)


class Person(models.Model):
    """A player."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    """Empty for a deleted account."""
    created_at = models.DateTimeField(auto_now_add=True)
    seen_on = models.DateField(default=timezone.localdate, db_index=True, editable=False)
    """The last day on which they opened a page."""
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="person",
    )
    name_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """`lobby.accounts.names.name_key` of an account, by which people find it. None for guests,
    whose names need not differ."""
    look_key = models.CharField(max_length=120, unique=True, null=True, editable=False)
    """`lobby.accounts.names.look_key`: no two accounts look alike."""
    language = models.CharField(max_length=10, blank=True)
    """One of the site's languages. Empty: the browser's."""
    table_settings = models.JSONField(null=True, blank=True)
    """The settings of `static/js/settings.js` that differ from the defaults. None until the first
    change."""
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name or f"deleted {self.pk}"

    @property
    def is_account(self) -> bool:
        """Whether the person has signed up."""
        return self.user_id is not None

    @property
    def table_settings_json(self) -> str:
        """The settings as JSON, for the page of a table."""
        return json.dumps(self.table_settings)


class ExerciseScore(models.Model):
    """How an account has done in exercises of a kind and level (`lobby.learn.exercises`)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="exercise_scores")
    kind = models.CharField(max_length=10)
    level = models.CharField(max_length=10)
    tried = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    """Right answers since the last wrong one."""
    best_streak = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "kind", "level"), name="one_exercise_score"),
        )

    def __str__(self) -> str:
        return f"{self.person}: {self.kind}, {self.level}"


class Club(models.Model):
    """A club (`lobby.clubs`). Strangers cannot see a private one."""

    OPEN, REQUEST, INVITATION = "open", "request", "invitation"

    slug = models.SlugField(max_length=40, unique=True)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    text = models.TextField(blank=True, max_length=20_000)
    """The text of its page, in Markdown."""
    is_public = models.BooleanField(default=True)
    entry = models.CharField(
        max_length=10, choices=((OPEN, "open"), (REQUEST, "request"), (INVITATION, "invitation"))
    )
    """How people join. Whoever has the invitation link can join in any case."""
    invite_key = models.CharField(max_length=40, default=new_invite_key)
    """Of the invitation link."""
    default_rules = models.ForeignKey(
        "SavedRules", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The rules and the clock that a new table of the club has at first."""
    is_site = models.BooleanField(default=False, editable=False)
    """The club of the site: it has no owner, and its organisers are the accounts that have the
    permission to hold events of the site."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        permissions = (("hold_site_events", "Can hold events of the site"),)
        constraints = (
            models.UniqueConstraint(
                fields=("is_site",), condition=models.Q(is_site=True), name="one_site_club"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A member of a club. A club has one owner."""

    OWNER, ORGANISER, MEMBER = "owner", "organiser", "member"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(
        max_length=10,
        choices=((OWNER, "owner"), (ORGANISER, "organiser"), (MEMBER, "member")),
        default=MEMBER,
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("joined_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("club", "person"), name="one_membership"),
            models.UniqueConstraint(
                fields=("club",), condition=models.Q(role="owner"), name="one_owner"
            ),
        )

    def __str__(self) -> str:
        return f"{self.person} in {self.club}"

    def end(self) -> None:
        """Delete the membership, with entries in leagues and in tournaments that have not begun.
        Those who wait for a place move up.

        After the owner, the organiser who joined first becomes the owner, or else the member; a
        club without members is deleted. Call it in a transaction.
        """
        events: list[Event] = [
            *Tournament.objects.select_for_update().filter(club=self.club_id),
            *League.objects.select_for_update().filter(club=self.club_id),
        ]
        for event in events:
            event.remove(self.person_id)
        self.delete()
        if self.role != self.OWNER:
            return
        rest = Membership.objects.filter(club=self.club_id)
        heir = rest.filter(role=self.ORGANISER).first() or rest.first()
        if heir is None:
            Club.objects.filter(pk=self.club_id).delete()
        else:
            rest.filter(pk=heir.pk).update(role=self.OWNER)


class JoinRequest(models.Model):
    """Somebody asks to become a member of a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="join_requests")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="join_requests")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (models.UniqueConstraint(fields=("club", "person"), name="one_join_request"),)

    def __str__(self) -> str:
        return f"{self.person} asks for {self.club}"


class Event(models.Model):
    """A tournament or a league: who takes part (`lobby.clubs.registration`)."""

    OPEN, REQUEST, LIST = "open", "request", "list"
    entrants: Any
    """The manager of its rows of `Entrant` or `LeaguePlayer`."""
    applicants: Any
    teams: Any

    max_entrants = models.PositiveSmallIntegerField(default=0)
    """Who registers after so many waits for a place; 0 for no limit."""
    ties = models.CharField(
        max_length=6, choices=(("shared", "shared"), ("broken", "broken")), default="shared"
    )
    """Whether equal players share a place, or `lobby.events.standings.TIE_BREAKS` decide."""
    registration_ends_at = models.DateTimeField(null=True, blank=True)
    """When people can no longer register themselves."""
    is_public = models.BooleanField(default=True)
    """Everybody can see the pages and the games of the event; otherwise only members of the
    club."""
    watch = models.CharField(
        max_length=14,
        choices=(
            ("closed", "live, closed hands"),
            ("closed_delayed", "later, closed hands"),
            ("open_delayed", "later, open hands"),
            ("nobody", "nobody"),
        ),
        default="closed",
    )
    """What spectators see of its tables (`game.tables.room.Watch`)."""
    watch_delay_s = models.PositiveSmallIntegerField(default=300)
    """How long after its end they see a hand, if it is shown later."""

    class Meta:
        abstract = True

    def has_begun(self) -> bool:
        """Whether nobody can enter or leave any more."""
        return False

    def has_place(self) -> bool:
        return not self.max_entrants or self.entrants.count() < self.max_entrants

    def move_up(self) -> None:
        """Enter those who wait, in the order in which they registered, while there are places.
        Call it in a transaction that has locked the event."""
        if self.has_begun():
            return
        for one in self.applicants.filter(state=Applicant.WAITING):
            if not self.has_place():
                return
            self.entrants.get_or_create(person=one.person)
            one.delete()

    def leave_team(self, person: uuid.UUID) -> None:
        """Take somebody who no longer takes part out of their team."""
        TeamPlayer.objects.filter(team__in=self.teams.all(), person=person).delete()

    def remove(self, person: uuid.UUID) -> bool:
        """Take that person off all lists, and let the next one move up. Return False if they are on
        no list, or play in a tournament that has begun. Call it in such a transaction."""
        applied, _ = self.applicants.filter(person=person).delete()
        entered = 0
        if not self.has_begun():
            entered, _ = self.entrants.filter(person=person).delete()
            if isinstance(self, Tournament):  # in a league, finished games still count
                self.leave_team(person)
            self.move_up()
        return bool(applied or entered)


class League(Event):
    """A season of a club: its members play by one rule set, and have standings
    (`lobby.clubs.leagues`)."""

    POINTS, PLACES = "points", "places"
    MEMBERS = "members"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="leagues")
    slug = models.SlugField(max_length=40)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    rules = models.JSONField()
    """The whole `RuleSet`. It does not change."""
    clock = models.CharField(max_length=10)
    """One of `lobby.pregame.clocks`."""
    time_zone = models.CharField(max_length=40, default="UTC")
    starts_on = models.DateField()
    ends_on = models.DateField()
    """The last day, in that time zone."""
    min_games = models.PositiveSmallIntegerField(default=0)
    """Games before a player has a place in the standings."""
    max_games = models.PositiveSmallIntegerField(default=0)
    """Games of a player that count, the first ones; 0 for all."""
    best_games = models.PositiveSmallIntegerField(default=0)
    """The best of these that count; 0 for all."""
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


class Tournament(Event):
    """A tournament of a club, in rounds with seating (`lobby.clubs.tournaments`)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tournaments")
    slug = models.SlugField(max_length=40)
    """The name in the address. It does not change."""
    name = models.CharField(max_length=60)
    rules = models.JSONField()
    """The whole `RuleSet`. It does not change."""
    clock = models.CharField(max_length=10)
    """One of `lobby.pregame.clocks`."""
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
    """One of `lobby.events.seating`."""
    fill = models.CharField(max_length=12, choices=(("refuse", "refuse"), ("bots", "bots")))
    """Who takes the seats that are left over."""
    schedule = models.JSONField(null=True, editable=False)
    """The seats of all rounds, prescribed or drawn when the tournament began; None before, and for
    methods that go by the standings."""
    time_zone = models.CharField(max_length=40, default="UTC")
    """In which its times are shown and typed."""
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    registration = models.CharField(
        max_length=10,
        choices=((Event.OPEN, "open"), (Event.REQUEST, "request"), (Event.LIST, "list")),
        default=Event.OPEN,
    )
    """How members enter."""
    round_minutes = models.PositiveSmallIntegerField(default=0)
    """After so many minutes one more hand is played; 0: games end by their rules alone."""
    log_is_public = models.BooleanField(default=False)
    """Everybody who sees the tournament may read what officials have done; otherwise officials."""
    no_show_minutes = models.PositiveSmallIntegerField(default=0)
    """A player who has not come to the table after so many minutes is a no-show; 0: never."""
    no_show = models.CharField(
        max_length=10, choices=(("bot", "bot"), ("penalty", "penalty")), default="bot"
    )
    """What follows: a bot plays that game, or the player gets a penalty."""
    no_show_points = models.DecimalField(max_digits=5, decimal_places=1, default=20)
    """The points of that penalty, in thousands."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=-15)
    """The result of a game in which somebody else plays for the player, in thousands."""
    feature_number = models.PositiveSmallIntegerField(default=1, editable=False)
    """The number of the table that a stream shows (`lobby.clubs.feature`)."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-made_at",)
        constraints = (models.UniqueConstraint(fields=("club", "slug"), name="one_tournament"),)

    def __str__(self) -> str:
        return self.name

    def has_begun(self) -> bool:
        return self.tables.exists()


class Applicant(models.Model):
    """Somebody who wants to take part in a tournament or a league and is not entered yet."""

    ASKED, WAITING = "asked", "waiting"

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    league = models.ForeignKey(
        League, on_delete=models.CASCADE, null=True, related_name="applicants"
    )
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="applications")
    state = models.CharField(max_length=10, choices=((ASKED, "asked"), (WAITING, "waiting")))
    """Asked the organisers, or waits for a place."""
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


class Entrant(models.Model):
    """Somebody who takes part in a tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(null=True)
    """From 1, drawn by lot when the first round begins."""
    came_at = models.DateTimeField(null=True)
    """When the player checked in."""
    is_replaced = models.BooleanField(default=False)
    """From the next round on a substitute plays, or a bot."""
    substitute = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, related_name="substitutions"
    )
    """Who plays if `is_replaced`; None for a bot."""
    substitute_points = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    """The fixed result of each such game, in thousands."""

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
    """Follows from the tournament, the round and the number by a keyed hash."""
    seats = models.JSONField()
    """The entrants' numbers: East, South, West, North. Greater ones than there are entrants are
    bots."""
    is_open = models.BooleanField(default=False, db_index=True)
    replacements = models.JSONField(default=dict)
    """By seat, as text, of those who do not play themselves: `person`, the id of the substitute or
    '' for a bot, `name`, and `points`, the fixed result."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """Which game of these four it is: an official may let it be played again."""
    former = models.JSONField(default=list)
    """The ids of the tables of the games before, which do not count."""
    is_void = models.BooleanField(default=False)
    """The game does not count."""
    scores = models.JSONField(null=True)
    """The final scores by seat as an official has corrected them."""
    is_paused = models.BooleanField(default=False)
    """An official has stopped the clocks."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """What officials have added to the time of the round."""
    repeated_hand = models.PositiveSmallIntegerField(default=0)
    """The last hand that is to be played again, counted from 1; 0 for none."""
    notice = models.TextField(blank=True)
    """The last notice of an official at the table (`game.tables.notices`)."""
    orders = models.PositiveIntegerField(default=0)
    """How often officials have changed what is to be done at the table."""
    orders_done = models.PositiveIntegerField(default=0)
    """How much of that the table has got."""
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


class ClubGame(models.Model):
    """A game of a club, running or finished. Stored before the table is opened."""

    table_id = models.CharField(max_length=40, primary_key=True)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="games")
    league = models.ForeignKey(
        League, on_delete=models.SET_NULL, null=True, blank=True, related_name="games"
    )
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=("club", "-opened_at"), name="games_of_club"),)

    def __str__(self) -> str:
        return self.table_id


class OfflineGame(models.Model):
    """A game at a real table, whose result an organiser has entered (`lobby.clubs.offline`)."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    league = models.ForeignKey(
        League, on_delete=models.CASCADE, null=True, related_name="offline_games"
    )
    round = models.PositiveSmallIntegerField(null=True)
    played_at = models.DateTimeField()
    sticks = models.PositiveSmallIntegerField(default=0)
    """Riichi sticks that were left on the table."""
    is_cancelled = models.BooleanField(default=False)
    """It no longer counts."""
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
    """0..3; seat 0 dealt first."""
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="offline_results")
    written = models.IntegerField()
    """The score as it was entered."""
    score = models.IntegerField()
    """With the sticks that were left over, if the rules give them to somebody."""
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """Final points in thousands, with uma and oka."""

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
    """``{"seats": [{"person", "score", "points"}], "sticks", "is_cancelled"}``."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")

    def __str__(self) -> str:
        return self.reason


class SavedRules(models.Model):
    """A rule set with a clock, under a name (`lobby.pregame.saved_rules`).

    The rules never change, so that a link to them always shows what was saved.
    """

    key = models.CharField(max_length=20, primary_key=True, default=new_rules_key, editable=False)
    """Stands in the address of the page of these rules."""
    owner = models.ForeignKey(
        Person, on_delete=models.CASCADE, null=True, editable=False, related_name="saved_rules"
    )
    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, null=True, editable=False, related_name="saved_rules"
    )
    """They belong to a person or to a club."""
    name = models.CharField(max_length=60)
    rules = models.JSONField(editable=False)
    """The whole `RuleSet`, with the name and the version of the preset that it equals, if any."""
    clock = models.CharField(max_length=10, editable=False)
    """One of `lobby.pregame.clocks`."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)
        verbose_name_plural = "saved rules"
        constraints = (
            models.UniqueConstraint(fields=("owner", "name"), name="one_name_per_owner"),
            models.UniqueConstraint(fields=("club", "name"), name="one_name_per_club"),
            models.CheckConstraint(
                condition=models.Q(owner=None) ^ models.Q(club=None), name="rules_of_one_owner"
            ),
        )

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """A secret with which a program reads the events of a club (`lobby.clubs.api_tokens`)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="api_tokens")
    label = models.CharField(max_length=40, blank=True)
    """What the officers call it."""
    digest = models.CharField(max_length=64, unique=True, editable=False)
    """The hash of the token, which is stored nowhere."""
    created_at = models.DateTimeField(auto_now_add=True)
    used_on = models.DateField(null=True, blank=True)
    """The last day on which a program used it."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created_at",)

    def __str__(self) -> str:
        return self.label or f"token {self.pk}"


class BotAccount(models.Model):
    """The person is a program, for ever. It has no user and never signs in."""

    person = models.OneToOneField(
        Person, on_delete=models.CASCADE, primary_key=True, related_name="bot_account"
    )
    owner = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="bots")
    is_open = models.BooleanField(default=False)
    """Anybody may add the bot to a table; otherwise only the owner."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.person)


class BotToken(models.Model):
    """A secret with which a program acts for a bot."""

    bot = models.ForeignKey(BotAccount, on_delete=models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=40, blank=True)
    """What the owner calls it."""
    digest = models.CharField(max_length=64, unique=True, editable=False)
    """`lobby.bots.accounts.digest_of` the token, which is stored nowhere."""
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    used_on = models.DateField(null=True, blank=True)
    """The last day on which a program used it."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created_at",)

    def __str__(self) -> str:
        return self.label or f"token {self.pk}"


from lobby.event_models import (  # noqa: E402
    Dispute,
    Intervention,
    Penalty,
    Team,
    TeamPlayer,
)

__all__ = ["Dispute", "Intervention", "Penalty", "Team", "TeamPlayer"]
