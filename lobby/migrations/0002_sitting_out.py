from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("lobby", "0001_first_release"),)

    operations = (
        migrations.AddField(
            model_name="eventplayer",
            name="sat_out_rounds",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="eventplayer",
            name="sat_out_points",
            field=models.DecimalField(db_default=0, decimal_places=1, default=0, max_digits=6),
        ),
        migrations.AlterField(
            model_name="event",
            name="fill",
            field=models.CharField(
                choices=[
                    ("refuse", "refuse"),
                    ("bots", "bots"),
                    ("substitutes", "substitutes"),
                    ("sit_out", "sit out by turns"),
                ],
                default="refuse",
                max_length=12,
            ),
        ),
    )
