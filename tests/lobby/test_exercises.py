"""Exercises: their answers agree with plain definitions, and accounts keep their scores."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient

from game.engine.rules import TENHOU
from game.engine.tiles import KINDS, NORTH, count_kinds, kind_of
from game.engine.value import value_of
from lobby.learn.exercises import (
    EXERCISE_KINDS,
    LEVELS,
    Question,
    make_question,
    wanted_numbers,
)
from lobby.models import ExerciseScore, Person
from tests.lobby.pages import text_of

SEEDS = [str(number) for number in range(8)]
LEVELS_AND_SEEDS = [(level, seed) for level in LEVELS for seed in SEEDS]

PAGE_MARKS = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pages")]


def completing_kinds(tiles: tuple[int, ...]) -> set[str]:
    """Return the kinds that complete the tiles; each kind is tried."""
    counts = count_kinds(tiles)
    found = set()
    for kind in range(KINDS):
        if counts[kind] < 4:
            counts[kind] += 1
            if is_complete(counts):
                found.add(str(kind))
            counts[kind] -= 1
    return found


def is_complete(counts: list[int]) -> bool:
    """Return whether the tiles are sets and a pair, or seven pairs. Exercises contain no thirteen
    orphans."""
    if sum(counts) == 14 and sorted(counts)[-7:] == [2] * 7:
        return True
    for kind in range(KINDS):
        if counts[kind] >= 2:
            rest = list(counts)
            rest[kind] -= 2
            if are_sets(rest):
                return True
    return False


def are_sets(counts: list[int]) -> bool:
    """Return whether the tiles can be divided into runs and triplets."""
    first = next((kind for kind in range(KINDS) if counts[kind]), None)
    if first is None:
        return True
    for block in ((first,) * 3, (first, first + 1, first + 2)):
        is_run = block[0] != block[1]
        if is_run and (first >= 27 or first % 9 > 6):
            continue
        rest = list(counts)
        for kind in block:
            rest[kind] -= 1
        if min(rest) >= 0 and are_sets(rest):
            return True
    return False


@pytest.mark.parametrize("kind", EXERCISE_KINDS)
def test_same_seed_asks_the_same(kind: str) -> None:
    for level in LEVELS:
        assert make_question(kind, level, "a") == make_question(kind, level, "a")
        assert len({make_question(kind, level, seed) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize(("level", "seed"), LEVELS_AND_SEEDS)
def test_waits_complete_the_hand(level: str, seed: str) -> None:
    asked = make_question("waits", level, seed)
    assert set(asked.answer) == completing_kinds(asked.tiles)
    assert asked.answer <= set(asked.options)


@pytest.mark.parametrize(("level", "seed"), LEVELS_AND_SEEDS)
def test_yaku_and_points_are_those_of_the_hand(level: str, seed: str) -> None:
    asked = make_question("yaku", level, seed)
    assert asked.win is not None
    value = value_of(asked.win)
    assert value is not None
    assert asked.answer == {name for name, _ in value.yaku}
    assert asked.answer < set(asked.options)
    counted = make_question("points", level, seed)
    assert counted.win is not None
    worth = value_of(counted.win)
    assert worth is not None
    numbers = wanted_numbers(counted)
    assert numbers["han"] == sum(han for _, han in worth.yaku)
    assert ("fu" in numbers) == (worth.limit == "")
    given = {name: str(number) for name, number in numbers.items()}
    assert counted.is_right(given)
    assert not counted.is_right({**given, "points": str(numbers["points"] + 100)})


@pytest.mark.parametrize(("level", "seed"), LEVELS_AND_SEEDS)
def test_barred_tiles_would_complete_the_called_set(level: str, seed: str) -> None:
    asked = make_question("kuikae", level, seed)
    (meld,) = asked.melds
    others = list(meld.tiles)
    others.remove(meld.called)
    barred = {
        option
        for option in asked.options
        if is_set(sorted([*(kind_of(tile) for tile in others), int(option)]))
    }
    assert asked.answer == barred
    assert TENHOU.kuikae_same_tile is TENHOU.kuikae_other_end is False


def is_set(kinds: list[int]) -> bool:
    low, middle, high = kinds
    is_run = (middle, high) == (low + 1, low + 2) and low < 27 and low % 9 < 7
    return low == middle == high or is_run


@pytest.mark.parametrize(("level", "seed"), LEVELS_AND_SEEDS)
def test_furiten_discards_leave_a_wait_in_the_river(level: str, seed: str) -> None:
    asked = make_question("furiten", level, seed)
    found = set()
    for option in asked.options:
        left = list(asked.tiles)
        left.remove(2 * int(option))
        river = {str(kind_of(tile)) for tile in asked.river} | {option}
        if completing_kinds(tuple(left)) & river:
            found.add(option)
    assert asked.answer == found


async def account(name: str) -> tuple[AsyncClient, Person]:
    user = await User.objects.acreate_user(name)
    person = await Person.objects.acreate(name=name, user=user, name_key=name, look_key=name)
    client = AsyncClient(headers={"accept-language": "en"})
    await client.aforce_login(user)
    return client, person


def right_form(asked: Question) -> dict[str, object]:
    if not asked.options:
        return {name: str(number) for name, number in wanted_numbers(asked).items()}
    return {"option": sorted(asked.answer)}


async def next_path(client: AsyncClient, kind: str = "waits", level: str = "easy") -> str:
    answer = await client.get(f"/learn/exercises/{kind}/{level}/")
    assert answer.status_code == 302
    return str(answer.headers["Location"])


class TestPages:
    """The pages of the exercises."""

    pytestmark = PAGE_MARKS

    @pytest.mark.postgresql
    async def test_every_kind_is_asked_and_checked(self) -> None:
        client = AsyncClient()
        for kind in EXERCISE_KINDS:
            path = await next_path(client, kind, "medium")
            shown = text_of(await client.get(path))
            assert "is-right" not in shown
            asked = make_question(kind, "medium", path.split("/")[-2])
            right = text_of(await client.post(path, right_form(asked)))
            assert 'class="verdict is-right"' in right
            wrong = text_of(await client.post(path, {"option": ["99"], "han": "77"}))
            assert 'class="verdict"' in wrong
        assert not await ExerciseScore.objects.aexists()

    async def test_every_kind_links_to_its_explanation(self) -> None:
        client = AsyncClient()
        for kind in EXERCISE_KINDS:
            page = text_of(await client.get(f"/learn/exercises/{kind}/easy/abc/"))
            step = page.split('class="fine explanation"')[1].split("</p>")[0]
            address, _, anchor = re.findall(r'href="([^"]+)"', step)[-1].partition("#")
            explained = await client.get(address)
            assert address != "/learn/exercises/"
            assert explained.status_code == 200
            assert f'id="{anchor}"' in text_of(explained) or not anchor

    async def test_points_are_explained_line_by_line(self) -> None:
        path = "/learn/exercises/points/easy/fu/"
        page = text_of(
            await AsyncClient().post(path, {"han": "1"}, headers={"accept-language": "en"})
        )
        asked = make_question("points", "easy", "fu")
        assert asked.value is not None
        for _cause, fu, _tile in asked.value.fu_parts:
            assert f"<td>{fu}</td>" in page
        assert "Rounded up" in page

    @pytest.mark.postgresql
    async def test_account_counts_each_question_once(self) -> None:
        client, person = await account("ann")
        path = await next_path(client)
        assert await next_path(client) == path, "a question can be skipped"
        right = right_form(make_question("waits", "easy", path.split("/")[-2]))
        await client.post(path, right)
        page = text_of(await client.post(path, right))
        assert "did not count" in page
        second = await next_path(client)
        assert second != path
        await client.post(second, {"option": []})
        third = await next_path(client)
        await client.post(third, right_form(make_question("waits", "easy", third.split("/")[-2])))
        score = await ExerciseScore.objects.aget(person=person)
        assert (score.tried, score.right, score.streak, score.best_streak) == (3, 2, 1, 1)
        listed = text_of(await client.get("/learn/exercises/"))
        assert re.search(r"2 of 3 right, best streak 1", listed)

    async def test_other_seeds_do_not_count(self) -> None:
        client, person = await account("bea")
        await client.post("/learn/exercises/waits/easy/abc/", {"option": ["0"]})
        assert not await ExerciseScore.objects.filter(person=person).aexists()

    async def test_unknown_exercises_are_not_found(self) -> None:
        for path in ("no/easy/", "waits/no/", "waits/no/abc/", f"waits/easy/{'a' * 41}/"):
            assert (await AsyncClient().get(f"/learn/exercises/{path}")).status_code == 404


@pytest.mark.parametrize(("level", "seed"), LEVELS_AND_SEEDS)
def test_dora_of_a_hand_with_norths_are_counted_one_by_one(level: str, seed: str) -> None:
    asked = make_question("kita", level, seed)
    tiles = [kind_of(tile) for tile in asked.tiles] + [NORTH] * asked.norths
    seen = Counter([*tiles, *(kind_of(tile) for tile in asked.indicators)])
    assert len(asked.tiles) == 14
    assert max(seen.values()) <= 4
    assert not any(0 < kind < 8 for kind in seen), "2 to 8 of characters"
    after = {8: 0, 17: 9, 26: 18, 30: 27, 33: 31, 0: 8}
    han = asked.norths + sum(tile % 2 for tile in asked.tiles)
    for tile in asked.indicators:
        han += tiles.count(after.get(kind_of(tile), kind_of(tile) + 1))
    assert wanted_numbers(asked) == {"han": han}
    assert asked.is_right({"han": str(han)})
    assert not asked.is_right({"han": str(han + 1)})
