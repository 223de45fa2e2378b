"""Queue finished games until they are rated. Archived games are rated already."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0012_public_games"),
    ]

    operations = [
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
            ],
            options={
                "indexes": [models.Index(fields=["ladder", "ended_at"], name="unrated_of_ladder")],
            },
        ),
    ]
