"""The Django app of the people, and of how they get to a table."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People, and the way from the first page to a table."""

    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"
