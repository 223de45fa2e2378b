"""The Django app of accounts, matchmaking and pregame tables."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.models import User
        from django.db.models.signals import post_save, pre_delete, pre_save

        from lobby.accounts.services import revoke_for_user

        for signal in (pre_save, post_save, pre_delete):
            signal.connect(revoke_for_user, sender=User)
