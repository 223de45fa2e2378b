"""Tables of three players are made with the form of the lobby."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from msgspec.structs import replace

from game.engine.presets import PRESETS_OF_THREE, preset
from game.models import Game, GameSeat
from game.tables.requests import End
from lobby.accounts import rate_limits
from lobby.events.views import _rule_choices
from lobby.play import saved_rules
from lobby.play.backend import current_backend
from lobby.play.rule_form import RuleForm
from tests.lobby.club_people import account, new_club
from tests.lobby.pages import (
    create_table,
    invite_link,
    numbers_in,
    press,
    room_at,
    table_form,
    text_of,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]

THREE = "tenhou-3"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def test_form_offers_presets_of_three_with_their_switches_alone() -> None:
    client = AsyncClient()
    page = text_of(await client.get("/tables/new/"))
    for name in PRESETS_OF_THREE:
        assert f'<option value="{name}" data-players="3"' in page
    assert "Only with four players." in page
    part = text_of(await client.get(f"/tables/new/rules/{THREE}/"))
    assert 'name="rule-nukidora"' in part
    assert 'name="rule-sanchaho"' not in part
    assert numbers_in(part, "rule-uma") == ["20", "0", "-20"]
    again = await client.post("/tables/new/", {**table_form(), "preset": THREE, "show": "1"})
    assert 'name="rule-nukidora"' in text_of(again)
    rules = text_of(await client.get(f"/rules/{THREE}/"))
    assert "35,000" in rules
    assert "The last regular hand is the last one of South." in rules


async def test_three_people_play_at_the_table() -> None:
    host, friends = AsyncClient(), [AsyncClient(), AsyncClient(), AsyncClient()]
    rules = table_form(THREE)
    address = await create_table(host, **rules)
    link = await invite_link(host, address)
    for friend in friends[:2]:
        await press(friend, link, "sit")
        await press(friend, link, "ready")
    assert "full" in await press(friends[2], link, "sit")
    room = await room_at(await press(host, address, "ready"))
    assert room.table.rules == replace(preset(THREE), length="east")
    assert len(room.meta.seats) == 3
    assert room.meta.ladder == ""


async def test_rematch_keeps_three_seats() -> None:
    host = AsyncClient()
    address = await create_table(host, **table_form(THREE), seat_1="novice", seat_2="careful")
    room = await room_at(await press(host, address, "ready"))
    backend = await current_backend()
    await backend.process.service.apply_request(room.table_id, End())
    answer = await host.post(f"/tables/again/{room.table_id}/")
    again = await room_at(answer.headers["Location"])
    assert [seat.name for seat in again.meta.seats] == [seat.name for seat in room.meta.seats]
    assert again.table.rules == room.table.rules


async def test_play_again_after_a_game_of_three_opens_a_table_of_three() -> None:
    answer = await AsyncClient().post("/play/", {"players": "3", "bot": "novice", "length": "east"})
    room = await room_at(answer.headers["Location"])
    assert room.table.rules == replace(preset(THREE), length="east")
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "novice", "novice"]


async def test_rules_of_three_are_compared_among_themselves() -> None:
    client = AsyncClient()
    names = [f"/rules/{name}/" for name in PRESETS_OF_THREE]
    page = text_of(await client.get("/learn/rules/"))
    assert "Three players" in page
    assert not any(name in page for name in names)
    for query in ("players=3", "rules=kansai&rules=tenhou-3", "rules=tenhou&players=3"):
        page = text_of(await client.get(f"/learn/rules/?{query}"))
        assert f"/rules/{THREE}/" in page
        assert "/rules/kansai/" in page
        assert "/rules/ema-2025/" not in page
        assert "Share of the missing player" in page


@pytest.mark.parametrize("page", ["yaku", "points"])
async def test_yaku_and_points_are_shown_for_three(page: str) -> None:
    client = AsyncClient()
    of_three = text_of(await client.get(f"/learn/{page}/?rules={THREE}"))
    assert f'<option value="{THREE}" selected>' in of_three
    shown = {"yaku": 'id="nukidora"', "points": "each of the two if the dealer wins"}[page]
    assert shown in of_three
    assert shown not in text_of(await client.get(f"/learn/{page}/"))


async def test_bots_take_the_two_other_seats() -> None:
    host = AsyncClient()
    bots = {"seat_1": "novice", "seat_2": "careful", "seat_3": "sensible"}
    address = await create_table(host, **table_form(THREE), **bots)
    room = await room_at(await press(host, address, "ready"))
    assert sorted(seat.bot for seat in room.meta.seats) == ["", "careful", "novice"]


async def test_changed_switches_of_three_make_own_rules() -> None:
    host = AsyncClient()
    changes = {"rule-nuki_ron": "kokushi_only", "seat_1": "novice", "seat_2": "novice"}
    address = await create_table(host, **{**table_form(THREE), **changes})
    page = text_of(await host.get(address))
    assert "Custom rules, three players, East only" in page
    rules = (await room_at(await press(host, address, "ready"))).table.rules
    assert (rules.name, rules.players, rules.nuki_ron) == ("own", 3, "kokushi_only")
    form = RuleForm(rules=rules)
    assert len(form.differences()) == 1


@pytest.mark.parametrize(("shown_first", "chosen"), [("tenhou", THREE), (THREE, "tenhou")])
async def test_other_number_of_players_is_chosen_without_scripts(
    shown_first: str, chosen: str
) -> None:
    """The switches on the page are still those of the rules that it showed first."""
    host = AsyncClient()
    form = {**table_form(shown_first), "preset": chosen, "base": shown_first}
    bots = {f"seat_{number}": "novice" for number in (1, 2, 3)}
    answer = await host.post("/tables/new/", {**form, **bots})
    assert answer.status_code == 302, text_of(answer)
    room = await room_at(await press(host, answer.headers["Location"], "ready"))
    assert room.table.rules.name == chosen
    form.pop("rule-kuitan")
    answer = await host.post("/tables/new/", form)
    assert answer.status_code == 422
    assert "Show its switches first." in text_of(answer)


async def test_events_can_have_rules_of_three() -> None:
    _, owner = await account("Owner")
    club = await new_club(owner)
    await sync_to_async(saved_rules.save_rules)(club, "Sanma", preset(THREE), "5+10")
    choices = await sync_to_async(_rule_choices)(club)
    assert "Sanma" in {name for _, name in choices}
    assert {key for key, _ in choices} >= set(PRESETS_OF_THREE)


async def test_hints_are_for_a_first_game_of_three_with_help() -> None:
    bots = {"seat_1": "novice", "seat_2": "novice", "seat_3": "novice"}

    async def opened(client: AsyncClient, **changes: str) -> str:
        address = await create_table(client, **{**table_form(THREE), **bots, **changes})
        return await press(client, address, "ready")

    newcomer = AsyncClient()
    table = await opened(newcomer)
    page = text_of(await newcomer.get(table))
    assert 'id="three-hints"' in page
    assert 'data-on="loss"' in page
    for changes in ({"help": ""}, {"preset": "tenhou"}):
        client = AsyncClient()
        assert "three-hints" not in text_of(await client.get(await opened(client, **changes)))
    client = AsyncClient()
    kansai = text_of(await client.get(await opened(client, **table_form("kansai"))))
    assert 'data-on="loss"' not in kansai
    now = timezone.now()
    game = await Game.objects.acreate(table_id="first", rules={}, started_at=now, ended_at=now)
    person = next(seat.person for seat in (await room_at(table)).meta.seats if seat.person)
    seat = {"person_id": person, "name": "n", "score": 0, "place": 1, "points": 0}
    await GameSeat.objects.acreate(game=game, seat=0, seat_count=3, **seat)
    assert "three-hints" not in text_of(await newcomer.get(table))
