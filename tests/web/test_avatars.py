"""Avatars: which ones can be chosen, who may choose one, and who sees it."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import AsyncClient

from game.models import Player
from game.results.avatars import (
    COLOURS,
    MAX_LENGTH,
    TILES,
    Avatar,
    avatar,
    default_avatar,
    parse_avatar,
)
from game.results.players import forget_player, list_player, set_avatar

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "four winds, one wall"
STATIC = Path(__file__).parents[2] / "static"


async def sign_up(name: str = "Anna") -> AsyncClient:
    browser = AsyncClient()
    answer = await browser.post("/sign-up/", {"name": name, "password": PASSWORD})
    assert answer.status_code == 302
    return browser


def test_every_avatar_is_read_as_written_and_fits_the_column() -> None:
    written = [str(Avatar(tile, colour)) for tile in TILES for colour in COLOURS]
    assert len(set(written)) == 37 * 6
    assert all(str(parse_avatar(text)) == text for text in written)
    assert max(map(len, written)) <= MAX_LENGTH
    assert Player._meta.get_field("avatar").max_length == MAX_LENGTH


@pytest.mark.parametrize("text", ["", "5mr", "5mr-", "-red", "0m-red", "back-red", "E-pink"])
def test_invalid_texts_are_no_avatar(text: str) -> None:
    assert parse_avatar(text) is None


def test_sprite_and_sheet_have_every_tile_and_colour() -> None:
    sprite = (STATIC / "img" / "tiles.svg").read_text(encoding="utf-8")
    assert set(TILES) <= set(re.findall(r'<symbol id="t-(\w+)"', sprite))
    sheet = (STATIC / "css" / "players.css").read_text(encoding="utf-8")
    # Grey is the default background.
    assert set(COLOURS) - {"grey"} == set(re.findall(r"\.avatar-(\w+) \{\s*--avatar", sheet))


def test_avatar_follows_from_the_name_until_one_is_chosen() -> None:
    assert default_avatar("Anna") == default_avatar("Anna")
    assert len({default_avatar(f"Player {at}") for at in range(200)}) > 100
    shown = avatar("Anna", "")
    assert (shown["tile"], shown["colour"]) == (
        default_avatar("Anna").tile,
        default_avatar("Anna").colour,
    )
    assert avatar("Anna", "5mr-blue")["tile"] == "5mr"
    assert avatar("BOT Anna", "") == {}


async def test_account_chooses_an_avatar_that_its_public_page_shows() -> None:
    anna = await sign_up()
    person = await Player.objects.aget(name="Anna")
    answer = await anna.post("/profile/avatar/", {"tile": "5pr", "colour": "violet"})
    assert answer.status_code == 302
    stranger = AsyncClient()
    page: str = (await stranger.get(f"/player/{person.pk}/")).content.decode()
    assert re.search(r'class="avatar avatar-violet large".*?#t-5pr"', page, re.DOTALL)
    profile = (await anna.get("/profile/")).content.decode()
    assert re.search(r'value="5pr" checked', profile)
    assert re.search(r'value="violet" checked', profile)


@pytest.mark.parametrize(("tile", "colour"), [("back", "red"), ("5m", "pink"), ("", "")])
async def test_unknown_tile_or_colour_is_refused(tile: str, colour: str) -> None:
    anna = await sign_up()
    answer = await anna.post("/profile/avatar/", {"tile": tile, "colour": colour})
    assert answer.status_code != 302
    assert (await Player.objects.aget(name="Anna")).avatar == ""


async def test_choice_needs_the_forms_token_and_an_account() -> None:
    anna = AsyncClient(enforce_csrf_checks=True)
    answer = await anna.post("/profile/avatar/", {"tile": "5m", "colour": "red"})
    assert answer.status_code == 403
    guest = AsyncClient()
    answer = await guest.post("/profile/avatar/", {"tile": "5m", "colour": "red"})
    assert (answer.status_code, answer["Location"][:9]) == (302, "/sign-in/")


def test_deleted_account_keeps_no_avatar() -> None:
    person = uuid4()
    list_player(person, "Anna")
    set_avatar(person, "E-gold")
    forget_player(person)
    assert Player.objects.get(pk=person).avatar == ""
