"""The Django app of the game."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """The app of running tables, their sockets and pages, and finished games."""

    name = "game"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import post_save, pre_delete, pre_migrate, pre_save

        from game.models import Game, Sanction
        from game.moderation.sanctions import revoke_proofs
        from game.results.ratings import undo_ratings_before_delete
        from game.results.totals import uncount_before_delete
        from game.tables.database import check_encoding, check_history

        pre_migrate.connect(check_encoding, sender=self)
        pre_migrate.connect(check_history, sender=self)
        pre_save.connect(revoke_proofs, sender=Sanction)
        post_save.connect(revoke_proofs, sender=Sanction)
        pre_delete.connect(undo_ratings_before_delete, sender=Game)
        pre_delete.connect(uncount_before_delete, sender=Game)
