"""Which players of a queue are matched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lobby.play.origins import UNKNOWN, Origin
from lobby.play.queues import (
    UNLIMITED_AFTER_MS,
    Ticket,
    allowed_gap,
    make_parties,
    reason_to_wait,
)

NOW = 10_000_000


def waiting(
    person: str,
    rating: int = 1500,
    waited_s: float = 0,
    bots_after_s: int | None = None,
    origin: Origin = UNKNOWN,
) -> Ticket:
    since = NOW - int(waited_s * 1000)
    return Ticket(person, person, person, rating, since, bots_after_s, origin)


seats_at_tables = st.sampled_from([3, 4])
queues = st.lists(
    st.builds(
        waiting,
        person=st.uuids().map(str),
        rating=st.integers(0, 3000),
        waited_s=st.integers(0, 200),
        bots_after_s=st.none() | st.sampled_from([15, 30, 60, 120]),
    ),
    max_size=24,
    unique_by=lambda player: player.person,
)


@given(queues, seats_at_tables)
def test_players_are_paired_once_and_no_table_has_too_many(queue: list[Ticket], seats: int) -> None:
    seated = [player for party in make_parties(queue, seats, NOW) for player in party]
    assert len({player.person for player in seated}) == len(seated)
    assert set(seated) <= set(queue)
    for party in make_parties(queue, seats, NOW):
        assert 1 <= len(party) <= seats


@given(queues, seats_at_tables)
def test_longest_wait_is_matched_once_the_gap_is_unlimited(queue: list[Ticket], seats: int) -> None:
    """The longest waiting player finds a full table, whatever the ratings."""
    if len(queue) < seats:
        return
    oldest = min(queue, key=lambda player: (player.since, player.person))
    if NOW - oldest.since >= UNLIMITED_AFTER_MS:
        assert any(oldest in party for party in make_parties(queue, seats, NOW))


@given(queues, seats_at_tables)
def test_players_whose_wait_for_people_has_ended_are_matched(
    queue: list[Ticket], seats: int
) -> None:
    seated = {player for party in make_parties(queue, seats, NOW) for player in party}
    for player in queue:
        if player.bots_after_s is not None and NOW - player.since >= 1000 * player.bots_after_s:
            assert player in seated


@given(queues, seats_at_tables)
def test_bots_join_only_players_whose_wait_has_ended(queue: list[Ticket], seats: int) -> None:
    for party in make_parties(queue, seats, NOW):
        if len(party) < seats:
            for player in party:
                assert player.bots_after_s is not None
                assert NOW - player.since >= 1000 * player.bots_after_s


@given(queues, seats_at_tables)
def test_all_players_are_within_the_gap_of_the_first(queue: list[Ticket], seats: int) -> None:
    """The first is matched with the others. One of them may have waited longer, if too few players
    were within the gap of that one."""
    for first, *others in make_parties(queue, seats, NOW):
        for other in others:
            assert abs(other.rating - first.rating) <= allowed_gap(NOW - first.since)


@given(queues, st.randoms(use_true_random=False))
def test_order_of_the_queue_changes_nothing(queue: list[Ticket], chance: object) -> None:
    mixed = list(queue)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert make_parties(mixed, 4, NOW) == make_parties(queue, 4, NOW)


@given(st.integers(0, 300_000), st.integers(0, 300_000))
def test_gap_only_grows(one: int, other: int) -> None:
    shorter, longer = sorted((one, other))
    assert allowed_gap(shorter) <= allowed_gap(longer)


def test_the_nearest_by_rating_are_chosen() -> None:
    queue = [
        waiting("first", 1500, waited_s=30),
        *(waiting(f"near{n}", 1500 + n, waited_s=1) for n in range(3)),
        waiting("farther", 1600, waited_s=20),
    ]
    (party,) = make_parties(queue, 4, NOW)
    assert {player.person for player in party} == {"first", "near0", "near1", "near2"}


def test_distant_ratings_wait_until_the_gap_is_large_enough() -> None:
    def queue(waited_s: float) -> list[Ticket]:
        return [waiting(str(n), 1000 + 100 * n, waited_s=waited_s) for n in range(4)]

    assert make_parties(queue(5), 4, NOW) == []
    (party,) = make_parties(queue(21), 4, NOW)
    assert len(party) == 4


def test_player_who_refuses_bots_keeps_waiting() -> None:
    queue = [waiting("patient", waited_s=600), waiting("hasty", waited_s=15, bots_after_s=15)]
    (party,) = make_parties(queue, 4, NOW)
    assert [player.person for player in party] == ["hasty"]


origins = st.builds(Origin, st.sampled_from(["", "a", "b"]), st.sampled_from(["", "x", "y"]))
mixed = st.lists(
    st.builds(
        waiting,
        person=st.uuids().map(str),
        waited_s=st.integers(0, 200),
        bots_after_s=st.none() | st.just(15),
        origin=origins,
    ),
    max_size=16,
    unique_by=lambda player: player.person,
)


@given(mixed)
def test_nobody_meets_somebody_with_the_same_address_or_browser(queue: list[Ticket]) -> None:
    for party in make_parties(queue, 4, NOW):
        for at, player in enumerate(party):
            assert not any(player.origin.shares(other.origin) for other in party[:at])


def test_pair_that_has_met_often_is_chosen_last_and_after_ninety_seconds() -> None:
    often = {frozenset(("a", "b"))}
    four = [waiting(person, waited_s=89) for person in "abcd"]
    assert make_parties(four, 4, NOW, often) == []
    assert reason_to_wait(four[0], four, NOW, often) == "often"
    assert reason_to_wait(four[2], four, NOW, often) == ""
    (party,) = make_parties([waiting(person, waited_s=90) for person in "abcd"], 4, NOW, often)
    assert len(party) == 4
    five = [waiting("a", waited_s=95), *(waiting(person, waited_s=90) for person in "bcde")]
    (party,) = make_parties(five, 4, NOW, often)
    assert {player.person for player in party} == {"a", "c", "d", "e"}


def test_reason_to_wait_names_a_shared_address_first() -> None:
    one, other = waiting("a", origin=Origin("x")), waiting("b", origin=Origin("x", "y"))
    assert reason_to_wait(one, [one, other], NOW, {frozenset(("a", "b"))}) == "origin"
    assert reason_to_wait(one, [one], NOW, frozenset()) == ""
