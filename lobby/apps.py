"""The Django app of the people, and of how they get to a table."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """People, and the way from the first page to a table."""

    name = "lobby"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from game.live.lobby_api import chore_added, house, named_by
        from lobby.accounts.expiry import remove_expired
        from lobby.pregame.seating import carry_out_bans, run_lobby_tasks

        async def lobby_goes_on() -> None:
            await run_lobby_tasks(await house())

        async def name_of(person: str) -> str:
            from lobby.models import Person

            found = await Person.objects.filter(pk=person).values_list("name", flat=True).afirst()
            return found or ""

        async def remove_banned_people() -> None:
            await carry_out_bans(await house())

        chore_added(lobby_goes_on)
        chore_added(remove_expired)
        chore_added(remove_banned_people)
        named_by(name_of)
