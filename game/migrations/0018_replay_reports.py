from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0017_replay_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="is_named_in_links",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="report",
            name="reason",
            field=models.CharField(blank=True, max_length=12),
        ),
        migrations.AddField(
            model_name="report",
            name="position",
            field=models.CharField(blank=True, max_length=80),
        ),
    ]
