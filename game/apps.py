"""The Django app of the tables: their sockets, pages and finished games."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Holds running tables' sockets and pages, and the archive of finished games."""

    name = "game"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import pre_delete, pre_migrate

        from game.afterwards.ratings import before_game_is_deleted
        from game.chores import chore_added
        from game.models import Game
        from game.rooms.archive import old_games_read
        from game.rooms.database import check_encoding
        from game.sanctions import bans_carried_out

        chore_added(bans_carried_out)
        chore_added(old_games_read)
        pre_migrate.connect(check_encoding, sender=self)
        pre_delete.connect(before_game_is_deleted, sender=Game)
