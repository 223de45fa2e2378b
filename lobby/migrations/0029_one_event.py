"""Give leagues and their rows the names that events of all formats have."""

import django.db.models.deletion
from django.db import migrations, models

_CONSTRAINTS = (
    ("applicant", "one_league_application"),
    ("applicant", "one_application"),
    ("applicant", "application_for_one_event"),
    ("team", "one_league_team"),
    ("team", "one_tournament_team"),
    ("team", "team_of_one_event"),
    ("offlinegame", "offline_game_of_one_event"),
    ("league", "one_league"),
    ("leagueplayer", "one_league_entry"),
    ("fixture", "one_fixture"),
    ("leagueruling", "one_void_ruling"),
    ("leaguedispute", "one_league_dispute"),
    ("dispute", "one_open_dispute"),
    ("entrant", "one_entry"),
    ("entrant", "one_number"),
)
_MODELS = (
    ("Dispute", "TournamentDispute"),
    ("League", "Event"),
    ("LeaguePlayer", "EventPlayer"),
    ("Fixture", "EventTable"),
    ("LeagueRuling", "Ruling"),
    ("LeagueDispute", "Dispute"),
)
_FIELDS = (
    *(
        (model, "league", "event")
        for model in (
            *("applicant", "team", "eventplayer", "eventtable", "ruling", "dispute"),
            *("offlinegame", "clubgame"),
        )
    ),
    ("ruling", "table_id", "game"),
    ("dispute", "table_id", "game"),
    ("offlinegame", "fixture", "table"),
)


class Migration(migrations.Migration):
    dependencies = [("lobby", "0028_watch_choices")]

    operations = [
        *(migrations.RemoveConstraint(model, name) for model, name in _CONSTRAINTS),
        *(migrations.RenameModel(old, new) for old, new in _MODELS),
        *(migrations.RenameField(model, old, new) for model, old, new in _FIELDS),
        migrations.AddField("event", "format", models.CharField(max_length=6, default="open")),
        migrations.AddField(
            model_name="event",
            name="ends_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="feature_number",
            field=models.PositiveSmallIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="event",
            name="fill",
            field=models.CharField(
                choices=[("refuse", "refuse"), ("bots", "bots"), ("substitutes", "substitutes")],
                default="refuse",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="log_is_public",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="event",
            name="method",
            field=models.CharField(
                blank=True,
                choices=[
                    ("balanced", "balanced"),
                    ("random", "random"),
                    ("swiss", "Swiss"),
                    ("interval", "interval"),
                    ("prescribed", "prescribed"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="no_show",
            field=models.CharField(
                choices=[("bot", "bot"), ("penalty", "penalty")], default="bot", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="no_show_minutes",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="no_show_points",
            field=models.DecimalField(decimal_places=1, default=20, max_digits=5),
        ),
        migrations.AddField(
            model_name="event",
            name="round_minutes",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="rounds",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="event",
            name="schedule",
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="substitute_points",
            field=models.DecimalField(decimal_places=1, default=-15, max_digits=5),
        ),
        migrations.AddField(
            model_name="event",
            name="substitutes",
            field=models.JSONField(default=list, editable=False),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="came_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="is_replaced",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="number",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="substitute",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="substitutions",
                to="lobby.person",
            ),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="substitute_points",
            field=models.DecimalField(decimal_places=1, default=0, max_digits=5),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="are_no_shows_checked",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="attempt",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="extra_minutes",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="former",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="is_open",
            field=models.BooleanField(db_index=True, default=False),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="is_paused",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="notice",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="orders",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="orders_done",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="repeated_hand",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="replacements",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="round",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="seats",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="eventtable",
            name="table_id",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name="ruling",
            name="detail",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.AddField(
            model_name="ruling",
            name="scores",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="ruling",
            name="table",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="rulings",
                to="lobby.eventtable",
            ),
        ),
        migrations.AlterField(
            model_name="dispute",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="disputes",
                to="lobby.person",
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="events", to="lobby.club"
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="ends_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="event",
            name="format",
            field=models.CharField(
                choices=[("open", "open"), ("list", "list"), ("rounds", "rounds")], max_length=6
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="ranking",
            field=models.CharField(
                choices=[("points", "sum of points"), ("places", "average place")],
                default="points",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="registration",
            field=models.CharField(
                choices=[
                    ("members", "every member"),
                    ("open", "open"),
                    ("request", "request"),
                    ("list", "list"),
                ],
                default="open",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="starts_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="eventplayer",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="lobby.person",
            ),
        ),
        migrations.AlterField(
            model_name="eventtable",
            name="players",
            field=models.ManyToManyField(related_name="listed_tables", to="lobby.person"),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="decisions",
                to="lobby.person",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="game",
            field=models.CharField(blank=True, db_index=True, max_length=40),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="kind",
            field=models.CharField(max_length=20),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="person",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rulings",
                to="lobby.person",
            ),
        ),
    ]
