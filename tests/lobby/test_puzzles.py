"""Pages of puzzles: one answer, its explanation, and ratings of people and puzzles."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient

from game.puzzles.puzzle import Puzzle, shipped_puzzles
from lobby.models import Person, PuzzleAnswer, PuzzleRating, PuzzleScore
from lobby.puzzles.shown_puzzle import answer_text
from tests.lobby.pages import text_of

PASSWORD = "seven words and a tile"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


async def account(name: str) -> tuple[AsyncClient, Person]:
    """Make an account that is signed in."""
    user = await User.objects.acreate_user(name)
    person = await Person.objects.acreate(name=name, user=user, name_key=name, look_key=name)
    client = AsyncClient(headers={"accept-language": "en"})
    await client.aforce_login(user)
    return client, person


def some_puzzle() -> tuple[str, Puzzle]:
    """Return the first shipped puzzle with its key."""
    return next(iter(shipped_puzzles().items()))


async def test_every_shipped_puzzle_is_asked_and_answered() -> None:
    client = AsyncClient(headers={"accept-language": "en"})
    for key, puzzle in shipped_puzzles().items():
        path = f"/learn/puzzles/{key}/"
        asked = text_of(await client.get(path))
        assert "verdict" not in asked
        assert puzzle.source not in asked
        right = text_of(await client.post(path, {"answer": str(puzzle.best)}))
        assert 'class="verdict is-right"' in right
        assert answer_text(puzzle.choices[puzzle.best]) in right
        wrong = text_of(await client.post(path, {"answer": str(puzzle.rival)}))
        assert 'class="verdict"' in wrong


async def test_page_without_an_answer_does_not_say_it() -> None:
    key, puzzle = some_puzzle()
    page = text_of(await AsyncClient().get(f"/learn/puzzles/{key}/"))
    for number in (*puzzle.gains, *puzzle.errors):
        assert f">{number}<" not in page
    assert "is-best" not in page


async def test_answers_that_do_not_exist_are_no_answers() -> None:
    key, puzzle = some_puzzle()
    client, person = await account("ann")
    for answer in ("", "-1", "x", str(len(puzzle.choices))):
        page = text_of(await client.post(f"/learn/puzzles/{key}/", {"answer": answer}))
        assert "verdict" not in page
    assert not await PuzzleAnswer.objects.filter(person=person).aexists()


async def test_guests_are_not_rated() -> None:
    key, puzzle = some_puzzle()
    await AsyncClient().post(f"/learn/puzzles/{key}/", {"answer": str(puzzle.best)})
    assert not await PuzzleRating.objects.aexists()
    assert not await PuzzleAnswer.objects.aexists()


@pytest.mark.postgresql
async def test_only_the_first_answer_counts_for_both() -> None:
    key, puzzle = some_puzzle()
    client, person = await account("bea")
    path = f"/learn/puzzles/{key}/"
    await client.post(path, {"answer": str(puzzle.rival)})
    score = await PuzzleScore.objects.aget(person=person)
    rating = await PuzzleRating.objects.aget(key=key)
    assert (score.tried, score.right, score.streak) == (1, 0, 0)
    assert score.mu < 25
    assert rating.answers == 1
    again = text_of(await client.post(path, {"answer": str(puzzle.best)}))
    assert 'class="verdict is-right"' in again
    same = await PuzzleScore.objects.aget(person=person)
    assert (same.mu, same.tried) == (score.mu, 1)
    assert (await PuzzleRating.objects.aget(key=key)).mu == rating.mu


async def test_right_answers_make_a_streak_and_are_not_asked_again() -> None:
    client, person = await account("cat")
    answered = set()
    for _ in range(3):
        response = await client.get("/learn/puzzles/next/")
        key = re.fullmatch(r"/learn/puzzles/(\w+)/", response["Location"])
        assert key is not None
        assert key[1] not in answered
        answered.add(key[1])
        best = shipped_puzzles()[key[1]].best
        await client.post(response["Location"], {"answer": str(best)})
    score = await PuzzleScore.objects.aget(person=person)
    assert (score.streak, score.best_streak) == (3, 3)
    assert score.mu > 25


async def test_the_next_puzzle_keeps_the_theme() -> None:
    _, puzzle = some_puzzle()
    response = await AsyncClient().get(f"/learn/puzzles/next/?theme={puzzle.theme}")
    path, _, query = response["Location"].partition("?")
    assert query == f"theme={puzzle.theme}"
    assert shipped_puzzles()[path.split("/")[-2]].theme == puzzle.theme


async def test_deleted_accounts_leave_no_answers() -> None:
    key, puzzle = some_puzzle()
    client, person = await account("dan")
    user = await User.objects.aget(person=person)
    user.set_password(PASSWORD)
    await user.asave()
    await client.aforce_login(user)
    await client.post(f"/learn/puzzles/{key}/", {"answer": str(puzzle.best)})
    exported = await client.get("/privacy/own-data/")
    assert key in text_of(exported)
    await client.post("/profile/delete/", {"old": PASSWORD})
    assert not (await Person.objects.aget(pk=person.pk)).name
    assert not await PuzzleAnswer.objects.filter(person=person).aexists()
    assert not await PuzzleScore.objects.filter(person=person).aexists()
