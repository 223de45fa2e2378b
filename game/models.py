"""Finished games, and how their players stand. A running table is never in the database:
Redis alone holds it.

People are referred to by their id and not by a foreign key: a game outlives the guests
who played it, and this app does not know what a person is. What the lobby wants it to know
of one, it tells through `game.results.players`.
"""

from __future__ import annotations

from django.db import models


class Game(models.Model):
    """A game that has been played to its end. `table_id` was the id of its table."""

    table_id = models.CharField(max_length=40, primary_key=True)
    rules = models.JSONField()
    """The whole rule set, so that a game stays readable when a preset changes."""
    is_public = models.BooleanField(default=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    hands = models.JSONField(default=list)
    """Per hand ``{"kyoku": 0, "honba": 0, "results": [...]}``; the results as the wire
    writes `hora` and `ryukyoku`."""
    log_format = models.PositiveSmallIntegerField(default=1)
    log = models.BinaryField()
    """Every event of the game, private ones too, as the archive packs them."""
    preset = models.CharField(max_length=40, blank=True, default="")
    """The preset that was played, of whatever length; empty for rules of the table's own."""
    ladder = models.CharField(max_length=40, blank=True, default="")
    """The ladder in which it is rated (`game.results.ladders`); empty if it is not."""
    is_broken_off = models.BooleanField(default=False)
    """Ended by its players or the site before the rules end it: it counts in no figures."""
    revision = models.PositiveSmallIntegerField(default=0, db_index=True)
    """By which revision of `game.tables.archive` its log was last read. The worker reads older
    ones again: it counts what the players did, and removes the names of deleted accounts."""

    class Meta:
        ordering = ("-ended_at",)
        indexes = (models.Index(fields=("ladder", "ended_at"), name="games_of_ladder"),)
        permissions = (("run_tables", "Can stop and end running tables"),)

    def __str__(self) -> str:
        return self.table_id


class GameSeat(models.Model):
    """A seat of a finished game: who began the game there, and how it ended."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    """0..3; seat 0 dealt first."""
    person_id = models.UUIDField(null=True, blank=True, db_index=True)
    """Who began the game there. Empty for a bot."""
    name = models.CharField(max_length=40)
    bot = models.CharField(max_length=20, blank=True)
    """The kind of bot, empty for a person."""
    score = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """Final points in thousands, uma and oka in."""
    is_rated = models.BooleanField(default=False)
    """Takes part in the game's ladder."""
    is_absent = models.BooleanField(default=False)
    """The person who began there was not there when the last hand ended: a bot, a stand-in or
    somebody else played."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="one_row_per_seat"),)

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.name}"


class GamePlayer(models.Model):
    """A person's part in a finished game, and what they did in it.

    Everybody who has sat at the table has one, also those who took the seat of a player who had
    left. The counts are of the hands that they played (`game.results.counts`).
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    person_id = models.UUIDField(db_index=True)
    seat = models.PositiveSmallIntegerField()
    """Where they sat first."""
    name = models.CharField(max_length=40, blank=True)
    """As they were called then."""
    has_result = models.BooleanField(default=True)
    """They began the game: the result of their seat is theirs."""
    hands = models.PositiveSmallIntegerField(default=0)
    wins = models.PositiveSmallIntegerField(default=0)
    tsumo_wins = models.PositiveSmallIntegerField(default=0)
    win_points = models.PositiveIntegerField(default=0)
    """The worth of the hands won, without counters and sticks."""
    deal_ins = models.PositiveSmallIntegerField(default=0)
    deal_in_points = models.PositiveIntegerField(default=0)
    """What they paid for the worth of the hands dealt in to, without counters."""
    riichi = models.PositiveSmallIntegerField(default=0)
    calls = models.PositiveSmallIntegerField(default=0)
    """Hands opened by a call."""
    draws = models.PositiveSmallIntegerField(default=0)
    """Exhaustive draws."""
    tenpai_draws = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("game", "seat", "pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "person_id"), name="one_part_per_person"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.name}"


class Player(models.Model):
    """What is known of somebody who plays, beside their games."""

    person_id = models.UUIDField(primary_key=True)
    name = models.CharField(max_length=40, blank=True)
    """As they are called now; at their seats stands what they were called then."""
    is_listed = models.BooleanField(default=False)
    """Has an account: has ratings and a page that everybody may see."""
    is_forgotten = models.BooleanField(default=False)
    """Has deleted it: no name of theirs is shown or kept any more."""

    def __str__(self) -> str:
        return self.name or str(self.person_id)


class Ladder(models.Model):
    """Ratings in games of one preset and length. Whoever changes a rating in it holds its row
    locked, so that games are taken one after another."""

    name = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.name


class Rating(models.Model):
    """How a player stands in a ladder."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.IntegerField()
    """What pages show, and the order of the ladder."""
    games = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("player", "ladder"), name="one_rating"),)
        indexes = (models.Index(fields=("ladder", "-shown"), name="ratings_in_order"),)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ladder_id}: {self.shown}"


class RatingChange(models.Model):
    """How one game changed one rating (`game.results.ratings`)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rating_changes")
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "rating"), name="one_change_per_game"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: rating {self.rating_id}"


class Sanction(models.Model):
    """What a moderator has told somebody, until a day."""

    MUTE, BAN = "mute", "ban"

    person_id = models.UUIDField(db_index=True)
    kind = models.CharField(
        max_length=8,
        choices=((MUTE, "mute: may not talk"), (BAN, "ban: may neither talk nor sit down")),
    )
    until = models.DateTimeField()
    why = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    carried_out_at = models.DateTimeField(null=True, blank=True, editable=False, db_index=True)
    """When a ban had taken effect at the tables (`game.moderation.sanctions`)."""

    class Meta:
        ordering = ("-until",)

    def __str__(self) -> str:
        return f"{self.kind} of {self.person_id} until {self.until:%Y-%m-%d %H:%M}"


class Report(models.Model):
    """Something said at a table that somebody has told the moderators of."""

    table_id = models.CharField(max_length=40)
    line = models.CharField(max_length=40)
    person_id = models.UUIDField(db_index=True)
    """Who has said it."""
    name = models.CharField(max_length=40)
    text = models.CharField(max_length=400)
    around = models.JSONField(default=list)
    """The lines before and after it, with it."""
    reporter_id = models.UUIDField()
    made_at = models.DateTimeField(auto_now_add=True)
    is_settled = models.BooleanField(default=False)

    class Meta:
        ordering = ("is_settled", "-made_at")
        constraints = (
            models.UniqueConstraint(
                fields=("table_id", "line", "reporter_id"), name="one_report_per_line"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:60]}"
