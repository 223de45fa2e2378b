"""The staged hands of the guided first game end as their guide says, at a table that is not
listed."""

from __future__ import annotations

import pytest

from game.analysis.shape import shanten
from game.engine.commands import CallLastHand, DealHand
from game.engine.furiten import is_furiten
from game.engine.state import Phase
from game.engine.tiles import NO_TILE, count_kinds
from game.live.process import ARCHIVE, Process
from game.models import Game
from game.tables.guided_hands import LEARNER_SEAT, RULES, staged_wall
from game.tables.requests import Leave
from game.tables.room import Room, SeatMeta
from tests.kit.play import Play
from tests.tables.staging import AT_ONCE, MakeProcess, person_at


def deal(name: str) -> Play:
    play = Play(RULES)
    play.do(CallLastHand())
    play.do(DealHand(staged_wall(name)))
    return play


def discard_as_explained(play: Play, text: str, *, is_riichi: bool = False) -> None:
    """Let the learner make the discard that the guide asks for, and check that it costs no
    shanten."""
    before = learner_shanten(play)
    if is_riichi:
        play.riichi(LEARNER_SEAT, text)
    else:
        play.discard(LEARNER_SEAT, text)
    assert learner_shanten(play) == before, text


def learner_shanten(play: Play) -> int:
    table = play.table
    has_drawn = table.turn == LEARNER_SEAT and table.drawn != NO_TILE
    tiles = table.hands[LEARNER_SEAT].tiles + (table.drawn,) * has_drawn
    return shanten(count_kinds(tiles), 4)


def others_discard(play: Play) -> None:
    """Let the other seats discard what they draw, until the learner is asked."""
    play.proceed()
    while play.table.phase == Phase.TURN and play.table.turn != LEARNER_SEAT:
        play.discard(play.table.turn, play.drawn)
        if play.offered(LEARNER_SEAT):
            return
        play.proceed()


def test_hand_with_a_pon_is_won_by_tsumo() -> None:
    play = deal("pon")
    discard_as_explained(play, "N")
    others_discard(play)
    assert "pon PP" in play.offered(LEARNER_SEAT)
    play.pon(LEARNER_SEAT, "PP")
    discard_as_explained(play, "9p")
    others_discard(play)
    assert play.drawn == "6s"
    play.tsumo(LEARNER_SEAT)
    assert play.win.yaku == (("haku", 1),)
    assert play.table.last_hand == play.table.hands_dealt, "the game has one hand"


def test_hand_with_riichi_is_furiten_and_won_by_tsumo() -> None:
    play = deal("riichi")
    discard_as_explained(play, "9s")
    others_discard(play)
    discard_as_explained(play, "N")
    others_discard(play)
    assert "chi 67m" in play.offered(LEARNER_SEAT), "the learner is to pass"
    play.proceed()
    discard_as_explained(play, "W", is_riichi=True)
    play.proceed()
    seen = []
    while play.table.turn != LEARNER_SEAT:
        seen.append(play.drawn)
        play.discard(play.table.turn, play.drawn)
        assert is_furiten(play.table, LEARNER_SEAT)
        assert play.offered(LEARNER_SEAT) == set()
        play.proceed()
    assert "6s" in seen, "a tile of the wait is discarded, and no ron offered"
    play.tsumo(LEARNER_SEAT)
    assert ("riichi", 1) in play.win.yaku


async def open_guided_hand(make_process: MakeProcess) -> tuple[Process, Room]:
    process = await make_process("a")
    learner = SeatMeta(name="Anna", person=person_at(LEARNER_SEAT))
    table_id = await process.service.open_guided("pon", learner, ("b1", "b2", "b3"), AT_ONCE)
    return process, await process.service.read_room(table_id)


async def test_table_is_unlisted_unrated_and_closed_to_others(make_process: MakeProcess) -> None:
    process, room = await open_guided_hand(make_process)
    meta = room.meta
    assert (meta.guided, meta.settings.public, meta.settings.watch, meta.ladder) == (
        "pon",
        False,
        "nobody",
        "",
    )
    assert not any(meta.rated)
    assert not meta.settings.may_join
    assert await process.service.list_tables() == []
    assert [seat.bot for seat in meta.seats] == ["", "tsumogiri", "tsumogiri", "tsumogiri"]


async def test_unknown_hand_is_an_error(make_process: MakeProcess) -> None:
    process = await make_process("a")
    learner = SeatMeta(name="Anna", person=person_at(LEARNER_SEAT))
    with pytest.raises(KeyError, match="nothing"):
        await process.service.open_guided("nothing", learner, ("b1", "b2", "b3"), AT_ONCE)


@pytest.mark.django_db(transaction=True)
async def test_abandoned_hand_ends_and_is_not_archived(make_process: MakeProcess) -> None:
    process, room = await open_guided_hand(make_process)
    await process.service.apply_request(room.table_id, Leave(LEARNER_SEAT))
    assert (await process.service.read_room(room.table_id)).table.phase == Phase.ENDED
    await ARCHIVE.archive_game(process.service, room.table_id)
    assert not await Game.objects.filter(pk=room.table_id).aexists()
    claimed, _ = await process.store.claim(now=2**52, lease_ms=5_000, at_most=9)
    assert claimed == [], "the worker is done with it"
