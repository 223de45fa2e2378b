"""The Django app of the tables: their sockets, pages and finished games."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Holds running tables' sockets and pages, and the archive of finished games."""

    name = "game"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import pre_migrate

        from game.chores import chore_added
        from game.rooms.database import check_encoding
        from game.sanctions import bans_carried_out

        chore_added(bans_carried_out)
        pre_migrate.connect(check_encoding, sender=self)
