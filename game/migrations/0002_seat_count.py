from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("game", "0001_first_release"),)

    operations = (
        *(
            migrations.AddField(
                model_name=name,
                name="seat_count",
                field=models.PositiveSmallIntegerField(db_default=4),
            )
            for name in ("gameplayer", "gameseat", "playaccuracy")
        ),
        migrations.RemoveIndex(model_name="gameplayer", name="games_of_person"),
        migrations.AddIndex(
            model_name="gameplayer",
            index=models.Index(
                fields=["person_id", "-ended_at", "-game", "is_public", "preset", "seat_count"],
                name="games_of_person",
            ),
        ),
    )
