import django.db.models.deletion
from django.db import migrations, models


def _facts(model):
    """Return the columns that repeat facts of the game. They have defaults, because a process of
    the earlier release does not write them."""
    return [
        migrations.AddField(model, "ended_at", models.DateTimeField(null=True)),
        migrations.AddField(model, "is_broken_off", models.BooleanField(db_default=False)),
        migrations.AddField(model, "is_public", models.BooleanField(db_default=True)),
        migrations.AddField(
            model, "preset", models.CharField(blank=True, db_default="", max_length=40)
        ),
    ]


class Migration(migrations.Migration):
    """Add the table and the columns into which the next migration brings the data."""

    dependencies = [
        ("game", "0008_remove_seat_counts"),
    ]

    operations = [
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
        # Nothing changes in the database, where SQLite would copy all games.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("game", "log", models.BinaryField(default=b"")),
            ]
        ),
        *_facts("gameplayer"),
        *_facts("gameseat"),
    ]
