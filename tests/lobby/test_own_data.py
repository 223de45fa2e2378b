"""The privacy page, and the file with a person's data."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, override_settings
from django.utils import timezone

from game.engine.rules import TENHOU
from game.identity.sessions import SESSION_KEY
from game.live.chat_store import ChatMessage, append_line
from game.models import Game, GameLog, GamePlayer, GameSeat, PlayAccuracy, Player, Report, Sanction
from game.results.play_figures import PlayFigures, encode_figures
from game.tables.room import SeatMeta, TableId
from game.tables.settings import TableSettings
from lobby.accounts import rate_limits
from lobby.models import Person
from lobby.play.backend import current_backend

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh", "pages")]

OWN = "/privacy/own-data/"
PASSWORD = "four winds, one wall"


async def guest(name: str) -> tuple[AsyncClient, Person]:
    person = await Person.objects.acreate(name=name)
    browser = AsyncClient()
    session = await sync_to_async(lambda: browser.session)()
    session[SESSION_KEY] = str(person.pk)
    await session.asave()
    return browser, person


async def running_table(*people: Person) -> TableId:
    backend = await current_backend()
    seats = [SeatMeta(name=person.name, person=str(person.pk)) for person in people]
    seats += [SeatMeta(name=f"b{seat}", bot="tsumogiri") for seat in range(4 - len(people))]
    table_id = f"table-{people[0].name}"
    await backend.tables.open_game(table_id, seats, TableSettings(rules=TENHOU))
    return TableId(table_id)


async def say(table_id: TableId, person: Person, text: str, *, at_ms: int = 1_000) -> None:
    redis = (await current_backend()).process.redis
    await append_line(
        redis, table_id, "table", ChatMessage(at_ms, str(person.pk), person.name, 0, text)
    )


async def finished_game(table_id: str, *people: Person, is_public: bool = True) -> None:
    now = timezone.now()
    game = await Game.objects.acreate(
        table_id=table_id,
        rules={"name": "tenhou"},
        hands=[{"kyoku": 0, "honba": 0, "results": []}],
        started_at=now - timedelta(hours=1),
        ended_at=now,
        is_public=is_public,
    )
    await GameLog.objects.acreate(game=game, format=1, data=b"", ended_at=now)
    for seat in range(4):
        person = people[seat] if seat < len(people) else None
        await GameSeat.objects.acreate(
            game=game,
            seat=seat,
            person_id=person.pk if person else None,
            name=person.name if person else f"b{seat}",
            bot="" if person else "tsumogiri",
            score=25_000,
            place=seat + 1,
            points=Decimal("1.5"),
        )
        if person:
            await GamePlayer.objects.acreate(
                game=game,
                seat=seat,
                person_id=person.pk,
                name=person.name,
                figures=encode_figures(PlayFigures(hands=7)),
            )


async def collect_personal_data(browser: AsyncClient) -> dict[str, Any]:
    answer = await browser.get(OWN)
    assert answer.status_code == 200
    assert re.fullmatch(
        r'attachment; filename="riichi-[\d-]+\.json"', answer.headers["Content-Disposition"]
    )
    return dict(json.loads(answer.content))


async def test_file_has_the_chosen_avatar() -> None:
    browser, anna = await guest("Anna")
    await Player.objects.acreate(person_id=anna.pk, name="Anna", is_listed=True, avatar="E-gold")
    assert (await collect_personal_data(browser))["avatar"] == "E-gold"


async def test_file_has_games_chat_and_moderators_notes() -> None:
    (browser, anna), (_, bruno) = await guest("Anna"), await guest("Bruno")
    await finished_game("private", bruno, anna, is_public=False)
    await finished_game("of others", bruno)
    table_id = await running_table(anna, bruno)
    await say(table_id, bruno, "hello")
    await say(table_id, anna, "good luck", at_ms=2_000)
    await say(TableId("private"), anna, "well played")  # the game of this table has just ended
    await Sanction.objects.acreate(
        person_id=anna.pk, kind=Sanction.MUTE, until=timezone.now(), why="loud"
    )
    for person, by in ((anna, bruno), (bruno, anna)):
        await Report.objects.acreate(
            table_id=table_id,
            line=f"of {person.name}",
            person_id=person.pk,
            name=person.name,
            text=f"said by {person.name}",
            reporter_id=by.pk,
        )

    counts = {"efficient": 5, "efficient_of": 9, "safe": 1, "safe_of": 2}
    await PlayAccuracy.objects.acreate(game_id="private", person_id=anna.pk, seat=1, **counts)

    data = await collect_personal_data(browser)
    assert data["accuracy"] == [{"game": "private", "seat": 1, **counts}]
    assert data["account"]["name"] == "Anna"
    (game,) = data["games"]
    assert (game["table"], game["your_seat"]) == ("private", 1)
    assert [seat["name"] for seat in game["seats"]] == ["Bruno", "Anna", "b2", "b3"]
    assert game["hands"] == [{"kyoku": 0, "honba": 0, "results": []}]
    assert "/game/private/mjai/" in game["records"]
    assert game["you_began"]
    assert game["you_did"]["hands"] == 7
    lines = [(line["table"], line["said_at"], line["text"]) for line in data["talk"]]
    assert lines == [
        ("private", "1970-01-01T00:00:01+00:00", "well played"),
        (table_id, "1970-01-01T00:00:02+00:00", "good luck"),
    ]
    assert [report["text"] for report in data["reports_of_what_you_said"]] == ["said by Anna"]
    assert str(bruno.pk) not in json.dumps(data), "the file does not name who reported the person"
    assert [report["text"] for report in data["reports_by_you"]] == ["said by Bruno"]
    assert [sanction["why"] for sanction in data["mutes_and_bans"]] == ["loud"]


async def test_file_has_games_with_a_seat_taken_over() -> None:
    (browser, anna), (_, bruno) = await guest("Anna"), await guest("Bruno")
    await finished_game("one", bruno)
    await GamePlayer.objects.acreate(
        game_id="one",
        seat=0,
        person_id=anna.pk,
        name="Anna",
        has_result=False,
        figures=encode_figures(PlayFigures(hands=2, wins=1, is_partial=True)),
    )
    (game,) = (await collect_personal_data(browser))["games"]
    assert (game["table"], game["you_began"]) == ("one", False)
    did = game["you_did"]
    assert (len(did), did["hands"], did["wins"], did["tenpai_draws"]) == (10, 2, 1, 0)


async def test_file_has_chat_at_a_running_table_without_a_seat() -> None:
    (browser, anna), (_, bruno) = await guest("Anna"), await guest("Bruno")
    table_id = await running_table(bruno)
    await say(table_id, anna, "well played")
    await say(table_id, bruno, "thanks")
    (line,) = (await collect_personal_data(browser))["talk"]
    assert (line["table"], line["text"]) == (table_id, "well played")


async def test_file_of_an_account_has_no_password() -> None:
    browser = AsyncClient()
    form = {"name": "Chika", "password": PASSWORD, "again": PASSWORD, "mail": "c@example.org"}
    assert (await browser.post("/sign-up/", form)).status_code == 302
    assert OWN in (await browser.get("/profile/")).content.decode()
    data = await collect_personal_data(browser)
    assert data["account"]["mail"] == "c@example.org"
    assert data["account"]["signed_up_at"]
    assert await Player.objects.aexists()
    assert data["ratings"] == []
    assert "argon2" not in json.dumps(data)


async def test_visitor_without_session_gets_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await AsyncClient().get(OWN)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/privacy/")
    monkeypatch.setattr(
        rate_limits, "EXPORTS_OF_PERSON", rate_limits.Limit("exports-person", 1, 3_600)
    )
    browser, _ = await guest("Anna")
    await collect_personal_data(browser)
    assert (await browser.get(OWN)).status_code == 429


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Privacy"), ("fr", "Vie privée"), ("ja", "プライバシー")]
)
async def test_privacy_page_is_translated_and_linked(language: str, title: str) -> None:
    browser = AsyncClient()
    with override_settings(CONTACT="Riichi Club Example <mail@example.org>"):
        page = (await browser.get("/privacy/", headers={"Accept-Language": language})).content
    assert f"<h1>{title}</h1>" in page.decode()
    assert "Riichi Club Example &lt;mail@example.org&gt;" in page.decode()
    assert " 90 " in page.decode() or "90日" in page.decode()
    first = await browser.get("/", headers={"Accept-Language": language})
    assert f'<a href="/privacy/">{title}</a>' in first.content.decode()
    assert OWN not in page.decode(), "a visitor without data gets no link to the file"
