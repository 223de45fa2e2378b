from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0018_site_events"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="method",
            field=models.CharField(
                choices=[
                    ("balanced", "balanced"),
                    ("random", "random"),
                    ("swiss", "Swiss"),
                    ("interval", "interval"),
                    ("prescribed", "prescribed"),
                ],
                max_length=10,
            ),
        ),
    ]
