import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("lobby", "0002_sitting_out"),)

    operations = (
        migrations.CreateModel(
            name="PuzzleRating",
            fields=[
                ("key", models.CharField(max_length=12, primary_key=True, serialize=False)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField(default=25 / 3)),
                ("answers", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="PuzzleScore",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="puzzle_score",
                        serialize=False,
                        to="lobby.person",
                    ),
                ),
                ("mu", models.FloatField(default=25.0)),
                ("sigma", models.FloatField(default=25 / 3)),
                ("tried", models.PositiveIntegerField(default=0)),
                ("right", models.PositiveIntegerField(default=0)),
                ("streak", models.PositiveIntegerField(default=0)),
                ("best_streak", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="PuzzleAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(db_index=True, max_length=12)),
                ("choice", models.PositiveSmallIntegerField()),
                ("is_right", models.BooleanField()),
                ("answered_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_answers",
                        to="lobby.person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("person", "key"), name="one_first_puzzle_answer"
                    )
                ]
            },
        ),
    )
