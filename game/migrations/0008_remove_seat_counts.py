from django.db import migrations


class Migration(migrations.Migration):
    """Remove the counts that are now in the rows of players, and the order of rating changes."""

    dependencies = [
        ("game", "0007_split_ladders"),
    ]

    operations = [
        migrations.RemoveField(model_name="gameseat", name="calls"),
        migrations.RemoveField(model_name="gameseat", name="deal_in_points"),
        migrations.RemoveField(model_name="gameseat", name="deal_ins"),
        migrations.RemoveField(model_name="gameseat", name="draws"),
        migrations.RemoveField(model_name="gameseat", name="hands"),
        migrations.RemoveField(model_name="gameseat", name="is_counted"),
        migrations.RemoveField(model_name="gameseat", name="riichi"),
        migrations.RemoveField(model_name="gameseat", name="tenpai_draws"),
        migrations.RemoveField(model_name="gameseat", name="tsumo_wins"),
        migrations.RemoveField(model_name="gameseat", name="win_points"),
        migrations.RemoveField(model_name="gameseat", name="wins"),
        migrations.RemoveField(model_name="ratingchange", name="number"),
    ]
