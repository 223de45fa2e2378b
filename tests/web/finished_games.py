"""Finished games, built from logs and archived in the database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.test import AsyncClient
from django.utils import timezone

from game.engine.by_seat import BySeat
from game.engine.clock import Clock, ClockSettings
from game.engine.commands import StartGame
from game.engine.events import (
    ChiCalled,
    Event,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    PonCalled,
    RiichiDeclared,
    Won,
)
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.identity.sessions import SESSION_KEY
from game.live.process import ARCHIVE
from game.models import GamePlayer, Rating
from game.results.ladders import Origin
from game.results.play_figures import PlayFigures, decode_figures
from game.results.players import list_player
from game.results.ratings import rate_due_games
from game.results.recording import ladder_at_start
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings

AT = 1_790_000_000_000
HOUR = 3_600_000
ROWS: Any = ((), (), (), ())
START: Any = (25_000,) * 4
SEED = bytes(32)

Seats = Sequence[SeatMeta]


def hand(kyoku: int, honba: int = 0) -> HandStarted:
    """Return the deal of a hand of the East round."""
    return HandStarted(
        bakaze=54,
        kyoku=kyoku + 1,
        honba=honba,
        kyotaku=0,
        oya=kyoku,
        dora_marker=0,
        scores=START,
        tehais=ROWS,
        wall=b"",
    )


def win_event(
    actor: int, target: int, points: int, deltas: Any, scores: Any = START, liable: int = -1
) -> Won:
    return Won(
        actor=actor,
        target=target,
        pai=0,
        tehai=(),
        uradora_markers=(),
        yaku=(("riichi", 1), ("tanyao", 1)),
        fan=2,
        fu=40,
        yakuman=0,
        limit="",
        points=points,
        liable=liable,
        deltas=deltas,
        scores=scores,
    )


def draw_event(reason: str, tenpais: Any = (False,) * 4, scores: Any = START) -> HandDrawn:
    return HandDrawn(reason, ROWS, tenpais, (0, 0, 0, 0), scores)


def two_hands() -> list[Event]:
    """Return the events of two hands: seat 1 declares riichi and wins on a discard of seat 2, which
    has called twice; then nobody wins."""
    return [
        hand(0),
        ChiCalled(2, 1, 0, (2, 4)),
        PonCalled(2, 0, 0, (0, 0)),
        RiichiDeclared(1),
        win_event(1, 2, 2600, (0, 3600, -2600, 0), (25_000, 27_600, 22_400, 25_000)),
        hand(1, 1),
        draw_event("exhaustive", (True, False, False, True), (26_500, 26_100, 20_900, 26_500)),
    ]


def seats(*people: UUID | None) -> list[SeatMeta]:
    """Return a seat for each person, and a bot for each None."""
    return [
        SeatMeta(name=f"p{at}", person=str(person))
        if person
        else SeatMeta(name=f"b{at}", bot="sensible")
        for at, person in enumerate(people)
    ]


def with_seat(sat: Seats, at: int, meta: SeatMeta) -> BySeat[SeatMeta]:
    """Return the same seats with that person or bot in one of them."""
    changed = list(sat)
    changed[at] = meta
    return changed[0], changed[1], changed[2], changed[3]


def without(sat: Seats, at: int) -> BySeat[SeatMeta]:
    """Return the same seats after a bot has replaced the player of that seat."""
    return with_seat(sat, at, SeatMeta(sat[at].name, sat[at].person, "sensible"))


def with_new_player(sat: Seats, at: int, person: UUID, name: str = "late") -> BySeat[SeatMeta]:
    """Return the same seats after somebody has taken that seat."""
    return with_seat(sat, at, SeatMeta(name, str(person)))


def room_and_log(
    name: str,
    sat: Seats,
    steps: Sequence[Event | BySeat[SeatMeta]] | None = None,
    *,
    places: BySeat[int] = (1, 2, 3, 4),
    scores: Any = None,
    points: Any = None,
    rules: RuleSet = TENHOU,
    public: bool = True,
    ended_at: int = AT,
    commands: tuple[Any, ...] = (),
    origin: Origin = "queue",
    clock: ClockSettings | None = None,
    help: bool = False,
) -> tuple[Room, list[Commit]]:
    """Return the room at the end of its game, and its log. A step is an event, or the seats from
    then on; each is a commit. The game was opened as the lobby opens games of queues."""
    clock = clock or ClockSettings()
    ladder, rated = ladder_at_start(
        [seat.person for seat in sat],
        rules=rules,
        origin=origin,
        has_clock=not clock.is_unlimited,
        has_help=help,
        bot_accounts=[seat.is_program for seat in sat],
    )
    by_place = {1: 50.0, 2: 10.0, 3: -20.0, 4: -40.0}
    points = points or [by_place[place] for place in places]
    placement = tuple(zip(places, points, strict=True))
    steps = two_hands() if steps is None else steps
    results = [step.scores for step in steps if isinstance(step, (Won, HandDrawn))]
    scores = scores or results[-1]
    names: Any = tuple(seat.name for seat in sat)
    four: Any = tuple(sat)
    log = [
        Commit(
            1,
            b"a",
            ended_at - HOUR,
            (StartGame(rules, names, SEED),),
            (GameStarted(names, rules, SEED),),
            Clock(),
            seats=four,
        )
    ]
    for step in (*steps, GameEnded(scores, placement)):
        is_seats = isinstance(step, tuple)
        events: Any = () if is_seats else (step,)
        four = step if is_seats else four
        is_last = isinstance(step, GameEnded)
        log.append(
            Commit(
                len(log) + 1,
                b"b",
                ended_at,
                commands if is_last else (),
                events,
                Clock(),
                seats=four if is_seats else None,
            )
        )
    table = Table(rules=rules, phase=Phase.ENDED, scores=scores, placement=placement)
    meta = TableMeta(
        four,
        clock,
        settings=TableSettings(public=public, help=help),
        opened_at=ended_at,
        ladder=ladder,
        rated=rated,
    )
    return Room(TableId(name), meta, len(log), table=table), log


def save_unrated(*args: Any, **details: Any) -> bool:
    """Archive such a game in the database, unrated. Return whether this call has saved it."""
    room, log = room_and_log(*args, **details)
    return ARCHIVE.save_game(room, log)


def archive_game(*args: Any, **details: Any) -> bool:
    """Archive such a game in the database, and rate it. Return whether this call has saved it."""
    is_new = save_unrated(*args, **details)
    rate_all()
    return is_new


def rate_all() -> None:
    """Rate all queued games as the worker does after the settling time."""
    while rate_due_games(timezone.now() + timedelta(days=3650)):
        pass


def people(count: int) -> list[UUID]:
    """Return that many people with accounts."""
    made = [uuid4() for _ in range(count)]
    for at, person in enumerate(made):
        list_player(person, f"Player {at}")
    return made


def ratings(ladder: str = "tenhou.east_south") -> dict[UUID, tuple[float, float, int]]:
    rows = Rating.objects.filter(ladder_id=ladder)
    return {row.player_id: (row.mu, row.sigma, row.games) for row in rows}


def client(person: UUID | None = None) -> AsyncClient:
    """Return the browser of that person; without one, of a visitor who has never played."""
    made = AsyncClient()
    if person is not None:
        session = made.session
        session[SESSION_KEY] = str(person)
        session.save()
        made.cookies["sessionid"] = str(session.session_key)
    return made


async def text_at(at: AsyncClient, path: str) -> str:
    """Return the page, without the links that lead from figures to their definitions."""
    page = await at.get(path)
    assert page.status_code == 200, path
    text = re.sub(r"\s+", " ", page.content.decode())
    return re.sub(r'<dt><a href="/figures/#[a-z-]+">([^<]*)</a></dt>', r"<dt>\1</dt>", text)


def stored_figures(row: GamePlayer) -> PlayFigures:
    """Return the figures that are stored for a player in a game."""
    return decode_figures(bytes(row.figures or b""))
