"""The Django app of the people, and of how they get to a table."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People, and the way from the first page to a table."""

    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from game.tables import chore_added, house
        from lobby.seeking import chores_done

        async def lobby_goes_on() -> None:
            await chores_done(await house())

        chore_added(lobby_goes_on)
