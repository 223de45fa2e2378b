import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    # A database that has passed this one has all tables.
    replaces = [("game", "0026_one_form_of_figures")]

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Game",
            fields=[
                ("table_id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("rules", models.JSONField()),
                ("is_public", models.BooleanField(default=True)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(db_index=True)),
                ("hands", models.JSONField(default=list)),
                ("preset", models.CharField(blank=True, default="", max_length=40)),
                ("ladder", models.CharField(blank=True, default="", max_length=40)),
                ("is_broken_off", models.BooleanField(default=False)),
                ("revision", models.PositiveSmallIntegerField(db_index=True, default=0)),
            ],
            options={
                "ordering": ("-ended_at",),
                "permissions": (("run_tables", "Can stop and end running tables"),),
            },
        ),
        migrations.CreateModel(
            name="GamePlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("is_public", models.BooleanField(db_default=True)),
                ("is_broken_off", models.BooleanField(db_default=False)),
                ("preset", models.CharField(blank=True, db_default="", max_length=40)),
                ("person_id", models.UUIDField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, max_length=40)),
                ("has_result", models.BooleanField(default=True)),
                ("length", models.CharField(blank=True, db_default="", max_length=12)),
                ("is_rated", models.BooleanField(db_default=False)),
                ("figures", models.BinaryField(null=True)),
            ],
            options={
                "ordering": ("game", "seat", "pk"),
            },
        ),
        migrations.CreateModel(
            name="GameSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("is_public", models.BooleanField(db_default=True)),
                ("is_broken_off", models.BooleanField(db_default=False)),
                ("preset", models.CharField(blank=True, db_default="", max_length=40)),
                ("seat", models.PositiveSmallIntegerField()),
                ("person_id", models.UUIDField(blank=True, null=True)),
                ("name", models.CharField(max_length=40)),
                ("bot", models.CharField(blank=True, max_length=20)),
                ("score", models.IntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("points", models.DecimalField(decimal_places=1, max_digits=7)),
                ("is_rated", models.BooleanField(default=False)),
                ("is_absent", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("game", "seat"),
            },
        ),
        migrations.CreateModel(
            name="ImportedRecord",
            fields=[
                ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("deletion_hash", models.BinaryField(max_length=32)),
                ("owner_id", models.UUIDField(blank=True, db_index=True, null=True)),
                ("names", models.JSONField()),
                ("format", models.CharField(max_length=10)),
                ("is_over", models.BooleanField()),
                ("game", models.BinaryField()),
                ("created_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "ordering": ("-created_at",),
            },
        ),
        migrations.CreateModel(
            name="Ladder",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="PlayAccuracy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("is_public", models.BooleanField(db_default=True)),
                ("is_broken_off", models.BooleanField(db_default=False)),
                ("preset", models.CharField(blank=True, db_default="", max_length=40)),
                ("person_id", models.UUIDField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("efficient", models.PositiveSmallIntegerField()),
                ("efficient_of", models.PositiveSmallIntegerField()),
                ("safe", models.PositiveSmallIntegerField()),
                ("safe_of", models.PositiveSmallIntegerField()),
            ],
            options={
                "ordering": ("game", "seat", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("person_id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("is_listed", models.BooleanField(default=False)),
                ("is_forgotten", models.BooleanField(default=False)),
                ("is_named_in_links", models.BooleanField(default=False)),
                ("avatar", models.CharField(blank=True, max_length=12)),
            ],
        ),
        migrations.CreateModel(
            name="PlayTotal",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("person_id", models.UUIDField(db_index=True)),
                ("month", models.DateField()),
                ("preset", models.CharField(blank=True, max_length=40)),
                ("length", models.CharField(blank=True, max_length=12)),
                ("is_rated", models.BooleanField()),
                ("is_public", models.BooleanField()),
                ("figures", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("shown", models.IntegerField()),
                ("games", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mu_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="ReplayLink",
            fields=[
                ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("person_id", models.UUIDField(db_index=True)),
                ("shows_name", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("made_at",),
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table_id", models.CharField(max_length=40)),
                ("line", models.CharField(max_length=40)),
                ("person_id", models.UUIDField(db_index=True)),
                ("name", models.CharField(max_length=40)),
                ("text", models.CharField(max_length=400)),
                ("reason", models.CharField(blank=True, max_length=12)),
                ("position", models.CharField(blank=True, max_length=80)),
                ("around", models.JSONField(default=list)),
                ("reporter_id", models.UUIDField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("is_settled", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("is_settled", "-made_at"),
            },
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("state", models.CharField(db_index=True, default="queued", max_length=8)),
                ("version", models.PositiveSmallIntegerField()),
                ("requested_by", models.CharField(blank=True, default="", max_length=40)),
                ("requested_at", models.DateTimeField()),
                ("claimed_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("hands", models.PositiveSmallIntegerField(default=0)),
                ("hands_done", models.PositiveSmallIntegerField(default=0)),
                ("figures", models.BinaryField(default=b"")),
            ],
        ),
        migrations.CreateModel(
            name="ReviewerRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_id", models.UUIDField(db_index=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("mute", "mute: may not talk"),
                            ("ban", "ban: may neither talk nor sit down"),
                        ],
                        max_length=8,
                    ),
                ),
                ("until", models.DateTimeField()),
                ("why", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "carried_out_at",
                    models.DateTimeField(blank=True, db_index=True, editable=False, null=True),
                ),
            ],
            options={
                "ordering": ("-until",),
            },
        ),
        migrations.CreateModel(
            name="WallKey",
            fields=[
                ("public_key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("first_used_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("-last_used_at",),
            },
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_id", models.UUIDField()),
                ("blocked_id", models.UUIDField(db_index=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ("made_at", "pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("person_id", "blocked_id"), name="one_block")
                ],
            },
        ),
        migrations.CreateModel(
            name="GameLog",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="kept_log",
                        serialize=False,
                        to="game.game",
                    ),
                ),
                ("format", models.PositiveSmallIntegerField()),
                ("data", models.BinaryField()),
                ("ended_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="UnratedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="unrated",
                        serialize=False,
                        to="game.game",
                    ),
                ),
                ("ladder", models.CharField(max_length=40)),
                ("ended_at", models.DateTimeField()),
                ("archived_at", models.DateTimeField()),
                ("is_late", models.BooleanField(default=False)),
                ("error", models.CharField(blank=True, db_default="", max_length=200)),
            ],
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["ladder", "ended_at"], name="games_of_ladder"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["is_public", "-ended_at"], name="public_games"),
        ),
        migrations.AddField(
            model_name="gameplayer",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="players", to="game.game"
            ),
        ),
        migrations.AddField(
            model_name="gameseat",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="game.game"
            ),
        ),
        migrations.AddField(
            model_name="playaccuracy",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="accuracies",
                to="game.game",
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="ladder",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to="game.ladder",
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to="game.player",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rating_changes",
                to="game.game",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="rating",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="game.rating",
            ),
        ),
        migrations.AddField(
            model_name="replaylink",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="replay_links",
                to="game.game",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                fields=("table_id", "line", "reporter_id"), name="one_report_per_line"
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="game",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="review",
                to="game.game",
            ),
        ),
        migrations.AddField(
            model_name="review",
            name="record",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="review",
                to="game.importedrecord",
            ),
        ),
        migrations.AddField(
            model_name="reviewerrun",
            name="review",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reviewer_runs",
                to="game.review",
            ),
        ),
        migrations.AddIndex(
            model_name="unratedgame",
            index=models.Index(fields=["ladder", "ended_at"], name="unrated_of_ladder"),
        ),
        migrations.AddIndex(
            model_name="gameplayer",
            index=models.Index(
                fields=["person_id", "-ended_at", "-game", "is_public", "preset"],
                name="games_of_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="gameplayer",
            constraint=models.UniqueConstraint(
                fields=("game", "person_id"), name="one_part_per_person"
            ),
        ),
        migrations.AddIndex(
            model_name="gameseat",
            index=models.Index(
                fields=[
                    "person_id",
                    "-ended_at",
                    "-game",
                    "is_public",
                    "is_broken_off",
                    "preset",
                    "place",
                    "points",
                ],
                name="results_of_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="gameseat",
            constraint=models.UniqueConstraint(fields=("game", "seat"), name="one_row_per_seat"),
        ),
        migrations.AddIndex(
            model_name="playaccuracy",
            index=models.Index(
                fields=[
                    "person_id",
                    "-ended_at",
                    "-game",
                    "is_public",
                    "preset",
                    "efficient",
                    "efficient_of",
                    "safe",
                    "safe_of",
                ],
                name="accuracy_of_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="playaccuracy",
            constraint=models.UniqueConstraint(
                fields=("game", "person_id", "seat"), name="one_accuracy_per_seat"
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["ladder", "-shown", "id", "games"], name="ladder_list"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(fields=("player", "ladder"), name="one_rating"),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(
                fields=("game", "rating"), name="one_change_per_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.CheckConstraint(
                condition=models.Q(("game", None), ("record", None), _connector="XOR"),
                name="review_of_one_game",
            ),
        ),
    ]
