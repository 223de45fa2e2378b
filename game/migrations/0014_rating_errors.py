from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the reason why a game cannot be rated, and an index for the list of a ladder."""

    dependencies = [
        ("game", "0013_unrated_games"),
    ]

    operations = [
        migrations.AddField(
            model_name="unratedgame",
            name="error",
            field=models.CharField(blank=True, db_default="", max_length=200),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["ladder", "-shown", "id", "games"], name="ladder_list"),
        ),
        migrations.RemoveIndex(model_name="rating", name="ratings_in_order"),
    ]
