"""Move the ten counts of a player in a game to the figures, which have had them too."""

from typing import Any, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from game.results.play_figures import PlayFigures, encode_figures

_COUNTS: Final = (
    *("hands", "wins", "tsumo_wins", "win_points", "deal_ins", "deal_in_points"),
    *("riichi", "calls", "draws", "tenpai_draws"),
)


def _keep_counts(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keep the counts of games whose figures are empty, as the log was lost before they were
    counted. They stay out of the sums."""
    players: Any = apps.get_model("game", "GamePlayer").objects
    for row in list(players.filter(figures=b"", hands__gt=0)):
        counts = {name: getattr(row, name) for name in _COUNTS}
        row.figures = encode_figures(PlayFigures(**counts, is_partial=True))
        row.save(update_fields=["figures"])


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0025_remove_old_logs"),
    ]

    operations = [
        migrations.RunPython(_keep_counts, migrations.RunPython.noop, elidable=True),
        migrations.RemoveIndex("gameplayer", "games_of_person"),
        *[migrations.RemoveField("gameplayer", name) for name in _COUNTS],
        migrations.AddIndex(
            "gameplayer",
            models.Index(
                fields=["person_id", "-ended_at", "-game", "is_public", "preset"],
                name="games_of_person",
            ),
        ),
    ]
