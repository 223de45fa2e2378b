"""Finished games, players, ratings, reports and sanctions. Running tables are in Redis only.

Rows name people by id and not by a foreign key: a game outlives the guests who played it, and this
app does not know `lobby.models.Person`. The lobby reports changes of accounts through
`game.results.players`.
"""

from __future__ import annotations

from typing import Final

from django.db import models

MAX_ERROR: Final = 200


class Game(models.Model):
    """A finished game. `table_id` was the id of its table."""

    table_id = models.CharField(max_length=40, primary_key=True)
    rules = models.JSONField()
    """The whole rule set, so that a game stays readable when a preset changes."""
    is_public = models.BooleanField(default=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    hands = models.JSONField(default=list)
    """Per hand ``{"kyoku": 0, "honba": 0, "results": [...]}``; the results as the wire
    writes `hora` and `ryukyoku`."""
    preset = models.CharField(max_length=40, blank=True, default="")
    """The preset, of any length; empty for custom rules."""
    ladder = models.CharField(max_length=40, blank=True, default="")
    """The ladder in which it is rated (`game.results.ladders`); empty if it is not."""
    is_broken_off = models.BooleanField(default=False)
    """Ended early by its players or an operator; left out of statistics."""
    revision = models.PositiveSmallIntegerField(default=0, db_index=True)
    """The revision of `game.archive.archive` that last read the log. The worker reads older ones
    again: it counts what the players did, and removes the names of deleted accounts."""

    class Meta:
        ordering = ("-ended_at",)
        indexes = (
            models.Index(fields=("ladder", "ended_at"), name="games_of_ladder"),
            models.Index(fields=("is_public", "-ended_at"), name="public_games"),
        )
        permissions = (("run_tables", "Can stop and end running tables"),)

    def __str__(self) -> str:
        return self.table_id

    @property
    def seat_count(self) -> int:
        """The number of seats. Games of earlier releases do not have it in their rules."""
        return int(self.rules.get("players", 4))


class GameLog(models.Model):
    """The log of a finished game: every event with its time, private events included, and the
    people by seat (`game.archive.game_log`). Removed after `settings.RECORDS_KEPT_DAYS`."""

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="kept_log"
    )
    format = models.PositiveSmallIntegerField()
    data = models.BinaryField()
    ended_at = models.DateTimeField(db_index=True)
    """Copied from the game."""

    def __str__(self) -> str:
        return self.game_id


class _OfGame(models.Model):
    """Facts of the game that are copied into the rows of its players. One index then serves the
    list and the figures of a player. They do not change after the game."""

    ended_at = models.DateTimeField(null=True)
    """Empty only until the worker has read a game again that was archived during an update."""
    is_public = models.BooleanField(db_default=True)
    is_broken_off = models.BooleanField(db_default=False)
    preset = models.CharField(max_length=40, blank=True, db_default="")
    seat_count = models.PositiveSmallIntegerField(db_default=4)
    """The number of seats."""

    class Meta:
        abstract = True


class GameSeat(_OfGame):
    """A seat of a finished game: the person or bot that started there, and the result."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    """From 0; seat 0 dealt first."""
    person_id = models.UUIDField(null=True, blank=True)
    """Who began the game there. Empty for a bot."""
    name = models.CharField(max_length=40)
    bot = models.CharField(max_length=20, blank=True)
    """The kind of bot, empty for a person."""
    score = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=1)
    """Final points in thousands, with uma and oka."""
    is_rated = models.BooleanField(default=False)
    """Takes part in the game's ladder."""
    is_absent = models.BooleanField(default=False)
    """The person who began there was absent when the last hand ended: a bot, a stand-in or
    somebody else played."""

    class Meta:
        ordering = ("game", "seat")
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="one_row_per_seat"),)
        indexes = (
            models.Index(
                fields=(
                    *("person_id", "-ended_at", "-game"),
                    *("is_public", "is_broken_off", "preset", "place", "points"),
                ),
                name="results_of_person",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.name}"


class GamePlayer(_OfGame):
    """The part of a person in a finished game.

    Each person who had a seat at the table has one row, even after taking over a seat during the
    game.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    person_id = models.UUIDField()
    seat = models.PositiveSmallIntegerField()
    """The first seat of the person."""
    name = models.CharField(max_length=40, blank=True)
    """The name at that time."""
    has_result = models.BooleanField(default=True)
    """The person began the game, and so has the result of the seat."""
    length = models.CharField(max_length=12, blank=True, db_default="")
    """Of the rules: "east" or "east_south"."""
    is_rated = models.BooleanField(db_default=False)
    """The game counts in a ladder for this player."""
    figures = models.BinaryField(null=True)
    """The figures of the hands that the person played (`game.results.play_figures`); empty if the
    log was not kept. Null until the worker has read a game again that an earlier release has
    archived."""

    class Meta:
        ordering = ("game", "seat", "pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "person_id"), name="one_part_per_person"),
        )
        indexes = (
            models.Index(
                fields=("person_id", "seat_count", "-ended_at", "-game", "is_public", "preset"),
                name="games_of_person",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.name}"


class PlayTotal(models.Model):
    """The sum of a player's figures over the games of a month with the same number of players,
    preset, length and kind (`game.results.totals`). A page adds a few such rows, whatever the
    number of games.

    The site has rows of its own, with the person `game.results.totals.SITE`.
    """

    key = models.CharField(max_length=120, primary_key=True)
    """The other fields without the figures, as one text."""
    person_id = models.UUIDField(db_index=True)
    month = models.DateField()
    """The first day of the month in which the games ended, in UTC."""
    preset = models.CharField(max_length=40, blank=True)
    length = models.CharField(max_length=12, blank=True)
    is_rated = models.BooleanField()
    is_public = models.BooleanField()
    seat_count = models.PositiveSmallIntegerField(db_default=4)
    figures = models.BinaryField()
    """From `game.results.play_figures.encode_figures`."""

    def __str__(self) -> str:
        return self.key


class Player(models.Model):
    """A person who has finished a game or has an account."""

    person_id = models.UUIDField(primary_key=True)
    name = models.CharField(max_length=40, blank=True)
    """The present name; `GameSeat` and `GamePlayer` keep the name at the time of the game."""
    is_listed = models.BooleanField(default=False)
    """Has an account, and so ratings and a public page."""
    is_forgotten = models.BooleanField(default=False)
    """Has deleted the account: no name of the person is shown or kept."""
    is_named_in_links = models.BooleanField(default=False)
    """Has agreed that links to replays which other players make show the name."""
    avatar = models.CharField(max_length=12, blank=True)
    """The chosen avatar (`game.results.avatars`). Empty: the one that follows from the name."""

    def __str__(self) -> str:
        return self.name or str(self.person_id)


class Ladder(models.Model):
    """Ratings in games of one preset and length. A transaction locks this row before it changes a
    rating, so that games are rated one after another (`game.results.ratings`)."""

    name = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.name


class Rating(models.Model):
    """The rating of a player in a ladder."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.IntegerField()
    """The rating that pages show and that orders the ladder."""
    games = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("player", "ladder"), name="one_rating"),)
        indexes = (models.Index(fields=("ladder", "-shown", "id", "games"), name="ladder_list"),)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.ladder_id}: {self.shown}"


class RatingChange(models.Model):
    """The change of one rating by one game (`game.results.ratings`)."""

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


class UnratedGame(models.Model):
    """A finished game of a ladder that is not rated yet (`game.results.ratings`)."""

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="unrated"
    )
    ladder = models.CharField(max_length=40)
    ended_at = models.DateTimeField()
    archived_at = models.DateTimeField()
    is_late = models.BooleanField(default=False)
    """Archived after the settling time of its end."""
    error = models.CharField(max_length=MAX_ERROR, blank=True, db_default="")
    """Why it cannot be rated; workers leave it out then."""

    class Meta:
        indexes = (models.Index(fields=("ladder", "ended_at"), name="unrated_of_ladder"),)

    def __str__(self) -> str:
        return f"{self.game_id} in {self.ladder}"


class Sanction(models.Model):
    """A mute or a ban of a person, until a time."""

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
    """When a ban took effect at the tables (`game.moderation.bans`)."""

    class Meta:
        ordering = ("-until",)

    def __str__(self) -> str:
        why = f": {self.why}" if self.why else ""
        return f"{self.kind} until {self.until:%Y-%m-%d %H:%M} UTC{why}"


class Report(models.Model):
    """A reported chat line, or a reported player in a replay (`game.moderation.reports`)."""

    table_id = models.CharField(max_length=40)
    line = models.CharField(max_length=40)
    """The id of the line; "seat-0" to "seat-3" for a player in a replay."""
    person_id = models.UUIDField(db_index=True)
    """The author of the line, or the player."""
    name = models.CharField(max_length=40)
    text = models.CharField(max_length=400)
    """The line, or what the reporter writes about the player."""
    reason = models.CharField(max_length=12, blank=True)
    """A key of `game.moderation.reports.REASONS`; empty for a chat line."""
    position = models.CharField(max_length=80, blank=True)
    """The query of the position in the replay; empty for a chat line."""
    around = models.JSONField(default=list)
    """The lines before and after it, and the line itself."""
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
        return f"{self.name}: {self.reason} {self.text[:60]}"


class ImportedRecord(models.Model):
    """A game imported from another site (`game.imports.records`)."""

    key = models.CharField(max_length=40, primary_key=True)
    """A random text. Whoever knows it may see the game."""
    deletion_hash = models.BinaryField(max_length=32)
    """SHA-256 of the key for deletion, which only the person who imported the game has."""
    owner_id = models.UUIDField(null=True, blank=True, db_index=True)
    """The account that imported it; empty for guests and tools."""
    names = models.JSONField()
    """By seat; empty where the record has none."""
    format = models.CharField(max_length=10)
    is_over = models.BooleanField()
    """As in `ImportedGame`."""
    game = models.BinaryField()
    """The events and the differences (`game.imports.imported_game.ImportedGame`)."""
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.key


class Review(models.Model):
    """The review of a finished game or of an imported record (`game.reviews`)."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, null=True, related_name="review")
    record = models.OneToOneField(
        ImportedRecord, on_delete=models.CASCADE, null=True, related_name="review"
    )
    state = models.CharField(max_length=8, default="queued", db_index=True)
    """"queued", "running", "done" or "failed"."""
    version = models.PositiveSmallIntegerField()
    """`game.reviews.game_review.VERSION` of the figures."""
    requested_by = models.CharField(max_length=40, blank=True, default="")
    """The id of the person who asked for it; empty once it is done."""
    requested_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True)
    """While it is running: another worker may take it over then."""
    attempts = models.PositiveSmallIntegerField(default=0)
    hands = models.PositiveSmallIntegerField(default=0)
    hands_done = models.PositiveSmallIntegerField(default=0)
    figures = models.BinaryField(default=b"")
    """From `game.reviews.storage.encode_review`."""

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(game=None) ^ models.Q(record=None), name="review_of_one_game"
            ),
        )

    def __str__(self) -> str:
        return f"review of {self.game_id or self.record_id}"


class ReviewerRun(models.Model):
    """A reviewer's column that is still missing in a review (`game.reviews.reviewer_columns`)."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="reviewer_runs")
    name = models.CharField(max_length=40)
    claimed_until = models.DateTimeField(null=True)
    """While it is computed: another worker may take it over then."""
    attempts = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"column {self.name} of review {self.review_id}"


class PlayAccuracy(_OfGame):
    """How accurate the discards of a person in a reviewed game were, by the measures of
    `game.reviews.game_review`. A change of the measures has to remove the rows."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="accuracies")
    person_id = models.UUIDField()
    seat = models.PositiveSmallIntegerField()
    efficient = models.PositiveSmallIntegerField()
    """As in `game.reviews.figures.Accuracy`, like the next three."""
    efficient_of = models.PositiveSmallIntegerField()
    safe = models.PositiveSmallIntegerField()
    safe_of = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("game", "seat", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "person_id", "seat"), name="one_accuracy_per_seat"
            ),
        )
        indexes = (
            models.Index(
                fields=(
                    *("person_id", "seat_count", "-ended_at", "-game", "is_public", "preset"),
                    *("efficient", "efficient_of", "safe", "safe_of"),
                ),
                name="accuracy_of_person",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} {self.person_id}"


class ReplayLink(models.Model):
    """A link that shows the replay of a game to everybody who has it
    (`game.results.replay_links`)."""

    key = models.CharField(max_length=40, primary_key=True)
    """A random text."""
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="replay_links")
    person_id = models.UUIDField(db_index=True)
    """The player who made the link."""
    shows_name = models.BooleanField(default=False)
    """Shows the name of that player, and of the others who have agreed to that."""
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at",)

    def __str__(self) -> str:
        return self.key


class Block(models.Model):
    """A person blocks another one (`game.moderation.blocks`)."""

    person_id = models.UUIDField()
    """Who blocks."""
    blocked_id = models.UUIDField(db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("made_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("person_id", "blocked_id"), name="one_block"),
        )

    def __str__(self) -> str:
        return f"{self.person_id} blocks {self.blocked_id}"


class WallKey(models.Model):
    """A public key under which this site signs or has signed walls (`game.tables.wall_keys`)."""

    public_key = models.CharField(max_length=64, primary_key=True)
    """Ed25519, in hexadecimal."""
    first_used_at = models.DateTimeField()
    last_used_at = models.DateTimeField()
    """To an hour: a worker notes it."""

    class Meta:
        ordering = ("-last_used_at",)

    def __str__(self) -> str:
        return self.public_key
