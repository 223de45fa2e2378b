from django.db import migrations, models

from game.results.play_figures import encode_figures
from game.results.totals import SITE, figures_of, key_of, sum_changes


def add_sums_of_three(apps, schema_editor):
    """Add the sums of finished games of three, from the figures that each game has kept. Deleted
    accounts and removed guests keep none."""
    GamePlayer, GameSeat, Player, PlayTotal = (
        apps.get_model("game", name) for name in ("GamePlayer", "GameSeat", "Player", "PlayTotal")
    )
    parts = GamePlayer.objects.filter(seat_count=3, figures__isnull=False)
    known = Player.objects.filter(is_forgotten=False, pk__in=parts.values("person_id"))
    counted = {SITE, *known.values_list("pk", flat=True)}
    seats = {(seat.game_id, seat.person_id): seat for seat in GameSeat.objects.filter(seat_count=3)}
    contributions = [
        (key_of(part), figures_of(part, seats.get((part.game_id, part.person_id))))
        for part in parts.order_by("ended_at", "pk")
    ]
    PlayTotal.objects.bulk_create(
        PlayTotal(
            key=key.text,
            person_id=key.person,
            month=key.month,
            preset=key.preset,
            length=key.length,
            is_rated=key.is_rated,
            is_public=key.is_public,
            seat_count=key.seat_count,
            figures=encode_figures(figures),
        )
        for key, figures in sum_changes((), contributions).items()
        if key.person in counted
    )


def remove_sums_of_three(apps, schema_editor):
    """Remove the sums of games of three. Without a number of players they would count as others."""
    apps.get_model("game", "PlayTotal").objects.filter(seat_count=3).delete()


def review_games_of_three_again(apps, schema_editor):
    """Queue the reviews of games of three, from which no accuracy was stored."""
    GameSeat, Review = (apps.get_model("game", name) for name in ("GameSeat", "Review"))
    games = GameSeat.objects.filter(seat_count=3).values("game")
    Review.objects.filter(game__in=games, state="done").update(state="queued", attempts=0)


class Migration(migrations.Migration):
    dependencies = (("game", "0002_seat_count"),)

    operations = (
        migrations.AddField(
            model_name="playtotal",
            name="seat_count",
            field=models.PositiveSmallIntegerField(db_default=4),
        ),
        migrations.RemoveIndex(model_name="gameplayer", name="games_of_person"),
        migrations.AddIndex(
            model_name="gameplayer",
            index=models.Index(
                fields=["person_id", "seat_count", "-ended_at", "-game", "is_public", "preset"],
                name="games_of_person",
            ),
        ),
        migrations.RemoveIndex(model_name="playaccuracy", name="accuracy_of_person"),
        migrations.AddIndex(
            model_name="playaccuracy",
            index=models.Index(
                fields=[
                    *("person_id", "seat_count", "-ended_at", "-game", "is_public", "preset"),
                    *("efficient", "efficient_of", "safe", "safe_of"),
                ],
                name="accuracy_of_person",
            ),
        ),
        migrations.RunPython(add_sums_of_three, remove_sums_of_three),
        migrations.RunPython(review_games_of_three_again, migrations.RunPython.noop),
    )
