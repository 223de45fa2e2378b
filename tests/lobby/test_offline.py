"""Games at real tables: which sheets are accepted, what counts, and corrections with a reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from game.engine.presets import PRESETS
from lobby.accounts import rate_limits
from lobby.events import offline
from lobby.events.registration import make_event
from lobby.models import (
    Club,
    Event,
    EventPlayer,
    Membership,
    OfflineChange,
    OfflineGame,
    OfflineSeat,
    Person,
)
from lobby.play.club_tables import may_play
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import text_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

AUTUMN = "/clubs/thursday/events/autumn/"
SHEET = f"{AUTUMN}offline/"
API = "/api/1/clubs/thursday/events/autumn/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def club_with_league(**terms: Any) -> tuple[AsyncClient, Event, list[Person]]:
    """Create a club with a league; return the owner's browser, the league, and four other
    members."""
    officer, anna = await account("Anna")
    club = await new_club(anna)
    people = []
    for name in ("Ben", "Cleo", "Dora", "Elsa"):
        _, person = await account(name)
        await enrol(club, person)
        people.append(person)
    today = timezone.now().date()
    usual = {
        "slug": "autumn",
        "name": "Autumn League",
        "starts_on": today - timedelta(days=3),
        "ends_on": today + timedelta(days=3),
        "format": "open",
        "registration": "members",
        "time_zone": "Asia/Tokyo",
    }
    league = await database_sync_to_async(make_event)(
        club, PRESETS["ema-2025"], "15+30", **{**usual, **terms}
    )
    return officer, league, people


def sheet(people: list[Person], scores: list[int], **more: str) -> dict[str, str]:
    form = {"played_at": "2026-11-20T19:30", "sticks": "0"}
    form |= {f"player{at}": str(person.pk) for at, person in enumerate(people)}
    return form | {f"score{at}": str(score) for at, score in enumerate(scores)} | more


async def points_of(path: str = API) -> dict[str, Decimal]:
    rows = (await AsyncClient().get(f"{path}standings/")).json()["items"]
    return {row["name"]: Decimal(row["points"]) for row in rows}


async def test_games_and_their_changes_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(offline, "MAX_GAMES", 2)
    monkeypatch.setattr(offline, "MAX_CHANGES", 1)
    officer, _, people = await club_with_league()
    filled = sheet(people, [42_000, 31_000, 28_000, 19_000])
    for _ in range(2):
        assert (await officer.post(SHEET, filled)).status_code == 302
    assert "cannot have more games" in text_of(await officer.post(SHEET, filled))
    assert await OfflineGame.objects.acount() == 2
    game = await OfflineGame.objects.afirst()
    assert game is not None
    changed = sheet(people, [41_000, 32_000, 28_000, 19_000], reason="misread")
    assert (await officer.post(f"{SHEET}{game.pk}/", changed)).status_code == 302
    assert "too often" in text_of(await officer.post(f"{SHEET}{game.pk}/", changed))
    assert await OfflineChange.objects.acount() == 1


async def test_result_counts_with_the_uma_of_the_event() -> None:
    officer, _, people = await club_with_league()
    answer = await officer.post(SHEET, sheet(people, [42_000, 31_000, 28_000, 19_000]))
    assert answer.headers["Location"] == SHEET
    game = await OfflineGame.objects.aget()
    assert game.played_at == datetime(2026, 11, 20, 10, 30, tzinfo=UTC)
    expected = {"Ben": "27.0", "Cleo": "6.0", "Dora": "-7.0", "Elsa": "-26.0"}
    assert await points_of() == {name: Decimal(points) for name, points in expected.items()}
    (item,) = (await AsyncClient().get(f"{API}games/")).json()["items"]
    assert (item["is_offline"], item["table"]) == (True, None)
    page = text_of(await AsyncClient().get(SHEET))
    assert "42,000" in page
    assert "Enter a result" not in page


async def test_equal_scores_share_the_uma() -> None:
    officer, _, people = await club_with_league()
    await officer.post(SHEET, sheet(people, [40_000, 30_000, 30_000, 20_000]))
    points = await points_of()
    assert points["Cleo"] == points["Dora"] == 0
    assert sum(points.values()) == 0


@pytest.mark.parametrize(
    ("scores", "more", "text"),
    [
        ([42_000, 31_000, 28_000, 18_000], {}, "do not add up to 120000"),
        ([42_000, 31_000, 28_000, 19_000], {"sticks": "1"}, "do not add up to 120000"),
        ([42_050, 30_950, 28_000, 19_000], {}, "Scores are in hundreds."),
        ([42_000, 31_000, 28_000, 19_000], {"player1": "first"}, "A player has two seats."),
        ([42_000, 31_000, 28_000, 19_000], {"player1": "own"}, "You have played in this game."),
        ([42_000, 31_000, 28_000, 19_000], {"player1": "stranger"}, "choose one of the options"),
        ([42_000, 31_000, 28_000, 19_000], {"played_at": ""}, "Please fill this in."),
    ],
)
async def test_wrong_sheets_are_refused(scores: list[int], more: Any, text: str) -> None:
    officer, _, people = await club_with_league()
    anna = await Person.objects.aget(name="Anna")
    _, stranger = await account("Fay")
    names = {"first": people[0], "own": anna, "stranger": stranger}
    more = {key: str(names[value].pk) if value in names else value for key, value in more.items()}
    answer = await officer.post(SHEET, sheet(people, scores, **more))
    assert answer.status_code == 422
    assert text in text_of(answer)
    assert await OfflineGame.objects.acount() == 0


async def test_sticks_that_are_left_over_belong_to_the_sum() -> None:
    officer, _, people = await club_with_league()
    answer = await officer.post(SHEET, sheet(people, [41_000, 31_000, 28_000, 19_000], sticks="1"))
    assert answer.status_code == 302
    assert sum([seat.written async for seat in OfflineSeat.objects.all()]) == 119_000


async def test_correction_has_a_reason_that_everybody_reads() -> None:
    officer, _, people = await club_with_league()
    await officer.post(SHEET, sheet(people, [42_000, 31_000, 28_000, 19_000]))
    one = f"{SHEET}{(await OfflineGame.objects.aget()).pk}/"
    right = sheet(people, [31_000, 42_000, 28_000, 19_000])
    assert (await officer.post(one, right)).status_code == 422
    assert (await points_of())["Ben"] == 27
    answer = await officer.post(one, {**right, "reason": "Scores were exchanged"})
    assert answer.headers["Location"] == SHEET
    assert (await points_of())["Cleo"] == 27
    assert "Scores were exchanged" in text_of(await AsyncClient().get(SHEET))
    change = await OfflineChange.objects.aget()
    assert [seat["score"] for seat in change.before["seats"]] == [42_000, 31_000, 28_000, 19_000]
    answer = await officer.post(one, {"do": "cancel", "reason": "Was a friendly game"})
    assert answer.status_code == 302
    assert await points_of() == {}
    assert "cancelled" in text_of(await AsyncClient().get(SHEET))
    await officer.post(one, {**right, "reason": "It counts after all"})
    assert (await points_of())["Cleo"] == 27


async def test_organiser_does_not_change_an_own_game() -> None:
    officer, league, people = await club_with_league()
    await officer.post(SHEET, sheet(people, [42_000, 31_000, 28_000, 19_000]))
    game = await OfflineGame.objects.aget()
    ben = people[0]
    await Membership.objects.filter(person=ben).aupdate(role=Membership.ORGANISER)
    browser = AsyncClient()
    assert ben.user is not None
    await browser.aforce_login(ben.user)
    form = {**sheet(people, [60_000, 30_000, 20_000, 10_000]), "reason": "more for me"}
    for more in ({}, {"do": "cancel"}):
        answer = await browser.post(f"{SHEET}{game.pk}/", {**form, **more})
        assert answer.status_code == 422
        assert "You have played in this game." in text_of(answer)
    assert (await points_of())["Ben"] == 27
    assert league.pk == game.event_id


async def test_games_at_real_tables_count_for_the_greatest_number() -> None:
    officer, league, people = await club_with_league(max_games=1)
    assert await database_sync_to_async(may_play)(league.pk, str(people[0].pk))
    await officer.post(SHEET, sheet(people, [42_000, 31_000, 28_000, 19_000]))
    assert not await database_sync_to_async(may_play)(league.pk, str(people[0].pk))


async def test_tournament_counts_games_at_real_tables() -> None:
    officer, _, people = await club_with_league()
    club = await Club.objects.aget()
    cup = await database_sync_to_async(make_event)(
        club,
        PRESETS["ema-2025"],
        "15+30",
        slug="cup",
        name="Cup",
        format="rounds",
        rounds=2,
        method="random",
        fill="bots",
    )
    path = "/clubs/thursday/events/cup/"
    form = sheet(people, [42_000, 31_000, 28_000, 19_000], round="1")
    assert (await officer.post(f"{path}offline/", form)).status_code == 422
    for person in people:
        await EventPlayer.objects.acreate(event=cup, person=person)
    assert (await officer.post(f"{path}offline/", form)).status_code == 302
    assert (await points_of(f"/api/1{path}"))["Ben"] == 27
    assert await points_of() == {}


async def test_officer_who_plays_in_the_event_corrects_only_without_another() -> None:
    _, _, people = await club_with_league()
    neutral, fay = await account("Fay")
    await enrol(await Club.objects.aget(), fay, Membership.ORGANISER)
    playing, rival = await account("Gina")
    await enrol(await Club.objects.aget(), rival, Membership.ORGANISER)
    await neutral.post(SHEET, sheet(people, [32_000, 30_500, 29_000, 28_500]))
    await neutral.post(SHEET, sheet([rival, *people[1:]], [32_000, 30_500, 29_000, 28_500]))
    first, _ = [game async for game in OfflineGame.objects.order_by("pk")]
    cancel = {"do": "cancel", "reason": "entered twice"}
    answer = await playing.post(f"{SHEET}{first.pk}/", cancel)
    assert "An organiser who does not play in it has to decide." in text_of(answer)
    await Membership.objects.filter(person=fay).aupdate(role=Membership.MEMBER)
    await Membership.objects.filter(role=Membership.OWNER).aupdate(role=Membership.MEMBER)
    await playing.post(f"{SHEET}{first.pk}/", cancel)
    change = await OfflineChange.objects.aget()
    assert (change.by_id, change.is_by_player) == (rival.pk, True)
    assert "decided by a player of this event" in text_of(await AsyncClient().get(SHEET))
