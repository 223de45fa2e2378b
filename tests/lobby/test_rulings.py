"""Officers of a league decide on penalties and on games that do not count."""

from __future__ import annotations

import csv
import re

import pytest
from django.test import AsyncClient

from lobby.accounts import rate_limits
from lobby.events import rulings
from lobby.models import Dispute, Membership, Person, Ruling
from tests.lobby.club_people import account, enrol, new_club
from tests.lobby.pages import text_of
from tests.lobby.seasons import (
    AUTUMN,
    begin,
    count_rows,
    finish,
    finished_game,
    league_club,
    league_of_four,
    new_league,
    states,
)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pages"),
    pytest.mark.postgresql,
]

LOG = f"{AUTUMN}log/"


@pytest.fixture(autouse=True)
def _reset_limits() -> None:
    rate_limits.cache.clear()


async def decide(officer: AsyncClient, **form: str) -> str:
    """Send the form. Return the code of the note, or the status without a note."""
    path = "games/" if form.get("do") == "dispute" else "officials/do/"
    answer = await officer.post(f"{AUTUMN}{path}", {"reason": "because", **form})
    return answer.headers.get("Location", "").partition("note=")[2] or str(answer.status_code)


async def standings() -> dict[str, tuple[str, str]]:
    data = (await AsyncClient().get(f"/api/1{AUTUMN}standings/")).json()
    return {item["name"]: (item["points"], item["deducted"]) for item in data["items"]}


async def file_of(part: str) -> str:
    return text_of(await AsyncClient().get(f"{AUTUMN}{part}.csv")).lstrip("\N{BOM}")


async def test_penalty_is_subtracted_until_it_is_cancelled() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club)
    member, ben = await account("Ben")
    await enrol(club, ben)
    await finished_game(league, 1, [ben])
    form = {"do": "penalty", "person": str(ben.pk), "points": "20"}
    assert await decide(officer, **form) == "done"
    await finished_game(league, 2, [ben])
    assert await standings() == {"Ben": ("71.0", "20.0")}
    (row,) = csv.DictReader((await file_of("standings")).splitlines())
    assert (row["points"], row["deducted"]) == ("71.0", "20.0")
    page = text_of(await AsyncClient().get(LOG))
    assert "because" in page
    assert "penalties \N{MINUS SIGN}20.0" in text_of(await AsyncClient().get(AUTUMN))
    own = (await member.get("/privacy/own-data/")).json()
    assert own["account"]["rulings_of_events"][0]["points"] == "20.0"
    for wrong, note in (
        ({"person": str(anna.pk)}, "own"),
        ({"points": "0"}, "points"),
        ({"reason": " "}, "reason"),
        ({"person": "nobody"}, "404"),
        ({"do": "nothing"}, "404"),
    ):
        assert await decide(officer, **(form | wrong)) == note, wrong
    ruling = await Ruling.objects.aget()
    assert await decide(officer, do=f"cancel:{ruling.pk}") == "done"
    assert await standings() == {"Ben": ("91.0", "0")}
    assert await decide(officer, do=f"cancel:{ruling.pk}") == "gone"


async def test_full_list_of_rulings_can_still_be_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    await new_league(club)
    _, ben = await account("Ben")
    await enrol(club, ben)
    monkeypatch.setattr(rulings, "MAX_RULINGS", 1)
    form = {"do": "penalty", "person": str(ben.pk), "points": "20"}
    assert [await decide(officer, **form) for _ in range(2)] == ["done", "many"]
    ruling = await Ruling.objects.aget()
    assert await decide(officer, do=f"cancel:{ruling.pk}") == "done"


async def test_officer_who_plays_in_the_league_decides_only_without_another() -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club)
    member, ben = await account("Ben")
    await enrol(club, ben)
    await finished_game(league, 1, [anna])
    await finished_game(league, 2, [ben])
    dispute = {"do": "dispute", "game": "game-2", "text": "The last ron had four han"}
    assert await decide(member, **dispute) == "done"
    neutral, cleo = await account("Cleo")
    await enrol(club, cleo, Membership.ORGANISER)
    key = (await Dispute.objects.aget()).pk
    penalty = {"do": "penalty", "person": str(ben.pk), "points": "5"}
    for form in ({"do": "void", "game": "game-2"}, {"do": f"kept:{key}"}, penalty):
        assert await decide(officer, **form) == "plays", form
    assert await decide(neutral, **penalty) == "done"
    await Membership.objects.filter(person=cleo).aupdate(role=Membership.MEMBER)
    assert await decide(officer, do=f"kept:{key}") == "done", "the next place in the standings"
    assert await decide(officer, do="void", game="game-2") == "done"
    page = text_of(await AsyncClient().get(LOG))
    assert page.count("decided by a player of this event") == 3, "the dispute says so, too"
    marked = Ruling.objects.filter(is_by_player=True).values_list("kind", flat=True)
    assert [kind async for kind in marked] == ["void", "decide"]
    assert (await Dispute.objects.aget()).is_by_player


async def test_table_of_a_void_game_is_played_again() -> None:
    league, browsers, people = await league_of_four()
    officer, elsa = await account("Elsa")
    await enrol(await league_club(league), elsa, Membership.ORGANISER)
    first = await begin(browsers)
    assert await decide(officer, do="void", game=first) == "game", "it is not over"
    await finish(first, people)
    assert await decide(browsers[0], do="void", game=first) == "own", "Anna has played there"
    assert await decide(officer, do="void", game=first) == "done"
    assert await decide(officer, do="void", game=first) == "void"
    assert (await states(), await count_rows()) == (["open"], 0)
    ruling = await Ruling.objects.aget()
    assert await decide(officer, do=f"cancel:{ruling.pk}") == "done"
    assert (await states(), await count_rows()) == (["played"], 1)
    assert await decide(officer, do="void", game=first) == "done"
    second = await begin(browsers)
    await finish(second, people)
    assert (await states(), await count_rows()) == (["played"], 1)
    ruling = await Ruling.objects.aget(kind="void", is_cancelled=False)
    assert await decide(officer, do=f"cancel:{ruling.pk}") == "replaced"


async def test_disputed_result_is_provisional_until_an_officer_decides() -> None:
    league, browsers, people = await league_of_four()
    officer, elsa = await account("Elsa")
    await enrol(await league_club(league), elsa, Membership.ORGANISER)
    table_id = await begin(browsers)
    form = {"do": "dispute", "game": table_id, "text": "The last ron had four han"}
    assert await decide(browsers[1], **form) == "game", "it is not over"
    await finish(table_id, people)
    assert await decide(officer, **form) == "game", "Elsa has not played there"
    assert await decide(AsyncClient(), **form) == "404"
    assert await decide(browsers[1], **(form | {"text": ""})) == "text"
    assert await decide(browsers[1], **form) == "done"
    assert await decide(browsers[1], **form) == "disputed"
    assert text_of(await AsyncClient().get(AUTUMN)).count("provisional") == 4
    key = (await Dispute.objects.aget()).pk
    assert await decide(browsers[2], do=f"kept:{key}") == "404", "Cleo is no officer"
    assert await decide(browsers[0], do=f"kept:{key}") == "own", "Anna has played there"
    assert await decide(officer, do=f"kept:{key}") == "done"
    assert await decide(officer, do=f"kept:{key}") == "decided"
    assert "provisional" not in text_of(await AsyncClient().get(AUTUMN))
    page = text_of(await browsers[1].get(LOG))
    assert "The result stands" in page
    assert "because" in page


@pytest.mark.parametrize(
    ("form", "error", "text"),
    [
        ({"score0": "120001"}, "correct-scores-error", "have to be full hundreds"),
        ({"reason": " "}, "correct-reason-error", "Say why"),
        ({"reason": " ", "do": "void"}, "correct-reason-error", "Say why"),
    ],
)
async def test_refused_correction_says_why_and_keeps_what_was_typed(
    form: dict[str, str], error: str, text: str
) -> None:
    officer, anna = await account("Anna")
    club = await new_club(anna)
    league = await new_league(club)
    _, ben = await account("Ben")
    await enrol(club, ben)
    await finished_game(league, 1, [ben])
    typed = {f"score{seat}": f"{30_100 + seat}00" for seat in range(4)}
    sent = {"do": "correct", "game": "game-1", "reason": "a ron was not counted", **typed, **form}
    answer = await officer.post(f"{AUTUMN}officials/do/", sent)
    page = text_of(await officer.get(answer.headers["Location"]))
    (shown,) = re.findall(rf'id="{error}"[^>]*>([^<]*)<', page)
    assert text in shown
    assert '<option value="game-1" selected>' in page
    for name in (*typed, "reason"):
        assert not sent[name].strip() or f'value="{sent[name]}"' in page, name
    assert error not in text_of(await officer.get(answer.headers["Location"]))


async def test_former_officer_decides_nothing() -> None:
    league, _, people = await league_of_four()
    officer, elsa = await account("Elsa")
    club = await league_club(league)
    await enrol(club, elsa, Membership.ORGANISER)
    await Membership.objects.filter(club=club, person=elsa).aupdate(role=Membership.MEMBER)
    form = {"do": "penalty", "person": str(people[1].pk), "points": "20"}
    assert await decide(officer, **form) == "404"
    assert await Person.objects.filter(rulings__isnull=False).acount() == 0
