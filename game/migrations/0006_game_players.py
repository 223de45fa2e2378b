import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the tables and fields into which the next migration brings the data."""

    dependencies = [
        ("game", "0005_bans_take_effect"),
    ]

    operations = [
        migrations.CreateModel(
            name="GamePlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_id", models.UUIDField(db_index=True)),
                ("seat", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, max_length=40)),
                ("has_result", models.BooleanField(default=True)),
                ("hands", models.PositiveSmallIntegerField(default=0)),
                ("wins", models.PositiveSmallIntegerField(default=0)),
                ("tsumo_wins", models.PositiveSmallIntegerField(default=0)),
                ("win_points", models.PositiveIntegerField(default=0)),
                ("deal_ins", models.PositiveSmallIntegerField(default=0)),
                ("deal_in_points", models.PositiveIntegerField(default=0)),
                ("riichi", models.PositiveSmallIntegerField(default=0)),
                ("calls", models.PositiveSmallIntegerField(default=0)),
                ("draws", models.PositiveSmallIntegerField(default=0)),
                ("tenpai_draws", models.PositiveSmallIntegerField(default=0)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="players",
                        to="game.game",
                    ),
                ),
            ],
            options={"ordering": ("game", "seat", "pk")},
        ),
        migrations.AddConstraint(
            model_name="gameplayer",
            constraint=models.UniqueConstraint(
                fields=("game", "person_id"), name="one_part_per_person"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="is_broken_off",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="game",
            name="revision",
            field=models.PositiveSmallIntegerField(db_index=True, default=0),
        ),
        migrations.AddField(
            model_name="gameseat",
            name="is_absent",
            field=models.BooleanField(default=False),
        ),
        migrations.RemoveConstraint(
            model_name="ratingchange",
            name="changes_follow_each_other",
        ),
    ]
