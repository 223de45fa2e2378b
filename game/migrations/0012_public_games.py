from django.db import migrations, models


class Migration(migrations.Migration):
    """Index the columns that the admin site's list of public or private games reads."""

    dependencies = [
        ("game", "0011_indexes_of_players"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["is_public", "-ended_at"], name="public_games"),
        ),
    ]
