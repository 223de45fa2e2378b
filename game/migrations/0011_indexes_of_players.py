from django.db import migrations, models


class Migration(migrations.Migration):
    """Index the columns that lists and figures of a player read. An index is built faster after the
    data are written."""

    dependencies = [
        ("game", "0010_convert_logs"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="gameplayer",
            index=models.Index(
                fields=[
                    *("person_id", "-ended_at", "-game", "is_public", "preset"),
                    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
                    *("riichi", "calls", "draws", "tenpai_draws"),
                ],
                name="games_of_person",
            ),
        ),
        migrations.AddIndex(
            model_name="gameseat",
            index=models.Index(
                fields=[
                    *("person_id", "-ended_at", "-game"),
                    *("is_public", "is_broken_off", "preset", "place", "points"),
                ],
                name="results_of_person",
            ),
        ),
        # The new indexes begin with the person, too.
        migrations.AlterField("gameplayer", "person_id", models.UUIDField()),
        migrations.AlterField("gameseat", "person_id", models.UUIDField(blank=True, null=True)),
    ]
