from django.db import migrations


class Migration(migrations.Migration):
    """Remove the logs in the form of before migration 0010, which has converted them. One that it
    could not read is lost."""

    dependencies = [
        ("game", "0024_wall_keys"),
    ]

    operations = [
        migrations.RemoveField("game", "log"),
        migrations.RemoveField("game", "log_format"),
    ]
