import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import lobby.clubs.models
import lobby.play.models


class Migration(migrations.Migration):
    initial = True
    # A database that has passed this one has all tables.
    replaces = [("lobby", "0033_late_entries")]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "seen_on",
                    models.DateField(
                        db_index=True, default=django.utils.timezone.localdate, editable=False
                    ),
                ),
                (
                    "name_key",
                    models.CharField(editable=False, max_length=120, null=True, unique=True),
                ),
                (
                    "look_key",
                    models.CharField(editable=False, max_length=120, null=True, unique=True),
                ),
                ("language", models.CharField(blank=True, max_length=10)),
                ("table_settings", models.JSONField(blank=True, null=True)),
                ("takes_requests", models.BooleanField(default=True)),
                ("is_shown_online", models.BooleanField(default=True)),
                ("deleted_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "user",
                    models.OneToOneField(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="person",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "people",
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("text", models.TextField(blank=True, max_length=20000)),
                ("html", models.TextField(blank=True, editable=False)),
                ("renderer_version", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("is_public", models.BooleanField(default=True)),
                (
                    "entry",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("request", "request"),
                            ("invitation", "invitation"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "invite_key",
                    models.CharField(default=lobby.clubs.models.new_invite_key, max_length=40),
                ),
                ("is_site", models.BooleanField(default=False, editable=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("name",),
                "permissions": (("hold_site_events", "Can hold events of the site"),),
            },
        ),
        migrations.CreateModel(
            name="BotAccount",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="bot_account",
                        serialize=False,
                        to="lobby.person",
                    ),
                ),
                ("is_open", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bots",
                        to="lobby.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(blank=True, max_length=40)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("used_on", models.DateField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="lobby.person",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="lobby.club",
                    ),
                ),
            ],
            options={
                "ordering": ("created_at",),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "format",
                    models.CharField(
                        choices=[("open", "open"), ("list", "list"), ("rounds", "rounds")],
                        max_length=6,
                    ),
                ),
                ("slug", models.SlugField(max_length=40)),
                ("name", models.CharField(max_length=60)),
                ("rules", models.JSONField()),
                ("clock", models.CharField(max_length=10)),
                ("time_zone", models.CharField(default="UTC", max_length=40)),
                ("starts_on", models.DateField(blank=True, null=True)),
                ("ends_on", models.DateField(blank=True, null=True)),
                ("starts_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                (
                    "registration",
                    models.CharField(
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
                ("registration_ends_at", models.DateTimeField(blank=True, null=True)),
                ("max_entrants", models.PositiveSmallIntegerField(default=0)),
                (
                    "ranking",
                    models.CharField(
                        choices=[("points", "sum of points"), ("places", "average place")],
                        default="points",
                        max_length=6,
                    ),
                ),
                (
                    "ties",
                    models.CharField(
                        choices=[("shared", "shared"), ("broken", "broken")],
                        default="shared",
                        max_length=6,
                    ),
                ),
                ("min_games", models.PositiveSmallIntegerField(default=0)),
                ("max_games", models.PositiveSmallIntegerField(default=0)),
                ("best_games", models.PositiveSmallIntegerField(default=0)),
                ("is_public", models.BooleanField(default=True)),
                (
                    "watch",
                    models.CharField(
                        choices=[
                            ("closed", "closed"),
                            ("open_delayed", "open_delayed"),
                            ("closed_delayed", "closed_delayed"),
                            ("nobody", "nobody"),
                        ],
                        default="closed",
                        max_length=14,
                    ),
                ),
                ("watch_delay_s", models.PositiveSmallIntegerField(default=300)),
                ("log_is_public", models.BooleanField(default=True)),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
                (
                    "method",
                    models.CharField(
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
                (
                    "fill",
                    models.CharField(
                        choices=[
                            ("refuse", "refuse"),
                            ("bots", "bots"),
                            ("substitutes", "substitutes"),
                        ],
                        default="refuse",
                        max_length=12,
                    ),
                ),
                ("substitutes", models.JSONField(default=list, editable=False)),
                ("schedule", models.JSONField(editable=False, null=True)),
                ("drawn", models.JSONField(default=dict, editable=False)),
                ("round_minutes", models.PositiveSmallIntegerField(default=0)),
                ("no_show_minutes", models.PositiveSmallIntegerField(default=0)),
                (
                    "no_show",
                    models.CharField(
                        choices=[("bot", "bot"), ("penalty", "penalty")],
                        default="bot",
                        max_length=10,
                    ),
                ),
                ("no_show_points", models.DecimalField(decimal_places=1, default=20, max_digits=5)),
                (
                    "substitute_points",
                    models.DecimalField(decimal_places=1, default=-15, max_digits=5),
                ),
                ("missed_points", models.DecimalField(decimal_places=1, default=0, max_digits=5)),
                ("next_round_at", models.DateTimeField(blank=True, null=True)),
                ("apart", models.JSONField(default=list, editable=False)),
                ("feature_number", models.PositiveSmallIntegerField(default=1, editable=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="lobby.club",
                    ),
                ),
            ],
            options={
                "ordering": ("-starts_on", "-made_at", "name"),
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("text", models.CharField(max_length=600)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("decision", models.CharField(blank=True, max_length=10)),
                ("answer", models.CharField(blank=True, max_length=300)),
                ("is_by_player", models.BooleanField(default=False)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disputes",
                        to="lobby.person",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disputes",
                        to="lobby.event",
                    ),
                ),
            ],
            options={
                "ordering": ("-made_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="ClubGame",
            fields=[
                ("table_id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="games",
                        to="lobby.club",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="games",
                        to="lobby.event",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Applicant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("asked", "asked"), ("waiting", "waiting")], max_length=10
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="applications",
                        to="lobby.person",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="applicants",
                        to="lobby.event",
                    ),
                ),
            ],
            options={
                "ordering": ("made_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="EventPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("entered_at", models.DateTimeField(auto_now_add=True)),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("is_withdrawn", models.BooleanField(default=False)),
                ("missed_rounds", models.PositiveSmallIntegerField(default=0)),
                ("came_at", models.DateTimeField(null=True)),
                ("is_replaced", models.BooleanField(default=False)),
                (
                    "substitute_points",
                    models.DecimalField(decimal_places=1, default=0, max_digits=5),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entrants",
                        to="lobby.event",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="lobby.person",
                    ),
                ),
                (
                    "substitute",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="substitutions",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("number", "pk"),
            },
        ),
        migrations.CreateModel(
            name="EventTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(default=0)),
                ("number", models.PositiveSmallIntegerField()),
                ("table_id", models.CharField(blank=True, max_length=40)),
                ("former", models.JSONField(default=list)),
                ("seats", models.JSONField(default=list)),
                ("is_open", models.BooleanField(db_index=True, default=False)),
                ("replacements", models.JSONField(default=dict)),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("is_paused", models.BooleanField(default=False)),
                ("extra_minutes", models.PositiveSmallIntegerField(default=0)),
                ("repeated_hand", models.PositiveSmallIntegerField(default=0)),
                ("notice", models.TextField(blank=True)),
                ("orders", models.PositiveIntegerField(default=0)),
                ("orders_done", models.PositiveIntegerField(default=0)),
                ("no_show_minutes", models.PositiveSmallIntegerField(default=0)),
                ("are_no_shows_checked", models.BooleanField(default=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="lobby.event",
                    ),
                ),
                (
                    "players",
                    models.ManyToManyField(related_name="listed_tables", to="lobby.person"),
                ),
            ],
            options={
                "ordering": ("round", "number"),
            },
        ),
        migrations.CreateModel(
            name="ExerciseScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("level", models.CharField(max_length=10)),
                ("tried", models.PositiveIntegerField(default=0)),
                ("right", models.PositiveIntegerField(default=0)),
                ("streak", models.PositiveIntegerField(default=0)),
                ("best_streak", models.PositiveIntegerField(default=0)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="exercise_scores",
                        to="lobby.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Friendship",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("accepted_at", models.DateTimeField(null=True)),
                (
                    "asker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("made_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="join_requests",
                        to="lobby.club",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="join_requests",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("made_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("organiser", "organiser"),
                            ("member", "member"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="lobby.club",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("joined_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="OfflineGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(null=True)),
                ("played_at", models.DateTimeField()),
                ("sticks", models.PositiveSmallIntegerField(default=0)),
                ("is_cancelled", models.BooleanField(default=False)),
                ("entered_at", models.DateTimeField(auto_now_add=True)),
                (
                    "entered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="offline_games",
                        to="lobby.event",
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="offline_game",
                        to="lobby.eventtable",
                    ),
                ),
            ],
            options={
                "ordering": ("-played_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="OfflineChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("before", models.JSONField()),
                ("is_by_player", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="lobby.offlinegame",
                    ),
                ),
            ],
            options={
                "ordering": ("made_at", "pk"),
            },
        ),
        migrations.CreateModel(
            name="OfflineSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("written", models.IntegerField()),
                ("score", models.IntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("points", models.DecimalField(decimal_places=1, max_digits=7)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="lobby.offlinegame",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="offline_results",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("game", "seat"),
            },
        ),
        migrations.CreateModel(
            name="RemovedMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("removed_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removed_members",
                        to="lobby.club",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("points", models.DecimalField(decimal_places=1, default=0, max_digits=5)),
                ("game", models.CharField(blank=True, db_index=True, max_length=40)),
                ("scores", models.JSONField(null=True)),
                ("changes", models.JSONField(null=True)),
                ("detail", models.CharField(blank=True, max_length=120)),
                ("reason", models.CharField(max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("is_cancelled", models.BooleanField(default=False)),
                ("cancel_reason", models.CharField(blank=True, max_length=300)),
                ("is_by_player", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="decisions",
                        to="lobby.person",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rulings",
                        to="lobby.event",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rulings",
                        to="lobby.person",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rulings",
                        to="lobby.eventtable",
                    ),
                ),
            ],
            options={
                "ordering": ("-made_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="SavedRules",
            fields=[
                (
                    "key",
                    models.CharField(
                        default=lobby.play.models.new_rules_key,
                        editable=False,
                        max_length=20,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("rules", models.JSONField(editable=False)),
                ("clock", models.CharField(editable=False, max_length=10)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_rules",
                        to="lobby.club",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_rules",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "saved rules",
                "ordering": ("name",),
            },
        ),
        migrations.AddField(
            model_name="club",
            name="default_rules",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="lobby.savedrules",
            ),
        ),
        migrations.CreateModel(
            name="SharedOrigin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("has_address", models.BooleanField(default=False)),
                ("has_browser", models.BooleanField(default=False)),
                ("last_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "ordering": ("-last_at",),
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="teams",
                        to="lobby.event",
                    ),
                ),
            ],
            options={
                "ordering": ("name", "pk"),
            },
        ),
        migrations.CreateModel(
            name="TeamPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="team_places",
                        to="lobby.person",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="players",
                        to="lobby.team",
                    ),
                ),
            ],
            options={
                "ordering": ("person__name", "pk"),
            },
        ),
        migrations.CreateModel(
            name="BotToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(blank=True, max_length=40)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("used_on", models.DateField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("scopes", models.JSONField(default=list)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="lobby.botaccount",
                    ),
                ),
            ],
            options={
                "ordering": ("created_at",),
                "abstract": False,
            },
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(fields=("club", "slug"), name="one_event"),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decision", "")),
                fields=("game", "person"),
                name="one_open_dispute",
            ),
        ),
        migrations.AddIndex(
            model_name="clubgame",
            index=models.Index(fields=["club", "-opened_at"], name="games_of_club"),
        ),
        migrations.AddConstraint(
            model_name="applicant",
            constraint=models.UniqueConstraint(fields=("event", "person"), name="one_application"),
        ),
        migrations.AddConstraint(
            model_name="eventplayer",
            constraint=models.UniqueConstraint(fields=("event", "person"), name="one_entry"),
        ),
        migrations.AddConstraint(
            model_name="eventplayer",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_number"),
        ),
        migrations.AddConstraint(
            model_name="eventtable",
            constraint=models.UniqueConstraint(
                fields=("event", "round", "number"), name="one_event_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="eventtable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("table_id", ""), _negated=True),
                fields=("table_id",),
                name="one_table_of_event",
            ),
        ),
        migrations.AddConstraint(
            model_name="exercisescore",
            constraint=models.UniqueConstraint(
                fields=("person", "kind", "level"), name="one_exercise_score"
            ),
        ),
        migrations.AddConstraint(
            model_name="friendship",
            constraint=models.UniqueConstraint(fields=("first", "second"), name="one_friendship"),
        ),
        migrations.AddConstraint(
            model_name="joinrequest",
            constraint=models.UniqueConstraint(fields=("club", "person"), name="one_join_request"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("club", "person"), name="one_membership"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                condition=models.Q(("role", "owner")), fields=("club",), name="one_owner"
            ),
        ),
        migrations.AddConstraint(
            model_name="offlineseat",
            constraint=models.UniqueConstraint(fields=("game", "seat"), name="one_offline_seat"),
        ),
        migrations.AddConstraint(
            model_name="offlineseat",
            constraint=models.UniqueConstraint(
                fields=("game", "person"), name="one_offline_result"
            ),
        ),
        migrations.AddConstraint(
            model_name="removedmember",
            constraint=models.UniqueConstraint(
                fields=("club", "person"), name="one_removed_member"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_cancelled", False), ("kind", "void")),
                fields=("game",),
                name="one_void_ruling",
            ),
        ),
        migrations.AddConstraint(
            model_name="savedrules",
            constraint=models.UniqueConstraint(fields=("owner", "name"), name="one_name_per_owner"),
        ),
        migrations.AddConstraint(
            model_name="savedrules",
            constraint=models.UniqueConstraint(fields=("club", "name"), name="one_name_per_club"),
        ),
        migrations.AddConstraint(
            model_name="savedrules",
            constraint=models.CheckConstraint(
                condition=models.Q(("owner", None), ("club", None), _connector="XOR"),
                name="rules_of_one_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_site", True)), fields=("is_site",), name="one_site_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="sharedorigin",
            constraint=models.UniqueConstraint(
                fields=("first", "second"), name="one_shared_origin"
            ),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(fields=("event", "name"), name="one_team"),
        ),
        migrations.AddConstraint(
            model_name="teamplayer",
            constraint=models.UniqueConstraint(fields=("team", "person"), name="one_team_place"),
        ),
    ]
