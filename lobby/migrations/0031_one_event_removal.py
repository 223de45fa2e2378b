"""Remove the tables of tournaments, whose rows 0030 has moved."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobby", "0030_move_tournaments")]

    operations = [
        migrations.RemoveField(
            model_name="offlinegame",
            name="tournament",
        ),
        migrations.RemoveField(
            model_name="team",
            name="tournament",
        ),
        migrations.RemoveField(
            model_name="applicant",
            name="tournament",
        ),
        migrations.AlterModelOptions(
            name="event",
            options={"ordering": ("-starts_on", "-made_at", "name")},
        ),
        migrations.AlterModelOptions(
            name="eventplayer",
            options={"ordering": ("number", "pk")},
        ),
        migrations.AlterModelOptions(
            name="eventtable",
            options={"ordering": ("round", "number")},
        ),
        migrations.RemoveField(
            model_name="clubgame",
            name="fixture",
        ),
        migrations.RemoveField(
            model_name="event",
            name="has_fixtures",
        ),
        migrations.AlterField(
            model_name="applicant",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="applicants",
                to="lobby.event",
            ),
        ),
        migrations.AlterField(
            model_name="eventtable",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="tables", to="lobby.event"
            ),
        ),
        migrations.AlterField(
            model_name="offlinegame",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="offline_games",
                to="lobby.event",
            ),
        ),
        migrations.AlterField(
            model_name="team",
            name="event",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="teams", to="lobby.event"
            ),
        ),
        migrations.AddConstraint(
            model_name="applicant",
            constraint=models.UniqueConstraint(fields=("event", "person"), name="one_application"),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decision", "")),
                fields=("game", "person"),
                name="one_open_dispute",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(fields=("club", "slug"), name="one_event"),
        ),
        migrations.AddConstraint(
            model_name="eventplayer",
            constraint=models.UniqueConstraint(fields=("event", "person"), name="one_entry"),
        ),
        migrations.AddConstraint(
            model_name="eventplayer",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_number"),
        ),
        migrations.AddConstraint(
            model_name="eventtable",
            constraint=models.UniqueConstraint(
                fields=("event", "round", "number"), name="one_event_table"
            ),
        ),
        migrations.AddConstraint(
            model_name="eventtable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("table_id", ""), _negated=True),
                fields=("table_id",),
                name="one_table_of_event",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_cancelled", False), ("kind", "void")),
                fields=("game",),
                name="one_void_ruling",
            ),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(fields=("event", "name"), name="one_team"),
        ),
        migrations.DeleteModel("Penalty"),
        migrations.DeleteModel("Intervention"),
        migrations.DeleteModel("TournamentDispute"),
        migrations.DeleteModel("RoundTable"),
        migrations.DeleteModel("Entrant"),
        migrations.DeleteModel("Tournament"),
    ]
