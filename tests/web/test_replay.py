"""The pages of replays: what their scripts hold, and who may see them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from game.bot_measures.games import play_game
from game.engine.clock import Clock, ClockSettings
from game.engine.events import Answered, Event, GameEnded
from game.engine.rules import TENHOU
from game.engine.state import Phase, Table
from game.identity.sessions import SESSION_KEY
from game.live.process import ARCHIVE
from game.models import GameLog, ReplayLink
from game.results.players import forget_player
from game.results.replay_links import MOST_LINKS
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta
from tests.kit.random_games import NAMES, TEMPERS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

PERSON = str(uuid4())
AT = 1_790_000_000_000


def whole_game(seed: int = 1) -> list[Event]:
    return play_game(seed, [TEMPERS[(seed + seat) % len(TEMPERS)] for seat in range(4)]).events


def archive(name: str, events: Sequence[Event], *, public: bool = True) -> None:
    """Bring the game of these events into the database as its table would."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    one, two, three, four = NAMES
    seats = (
        SeatMeta(name=one, bot="b"),
        SeatMeta(name=two, bot="b"),
        SeatMeta(name=three, person=PERSON),
        SeatMeta(name=four, bot="b"),
    )
    table = Table(rules=TENHOU, phase=Phase.ENDED, scores=end.scores, placement=end.placement)
    room = Room(TableId(name), TableMeta(seats, ClockSettings(), public, AT), 1, table=table)
    assert ARCHIVE.save_game(room, (Commit(1, b"a", AT, (), tuple(events), Clock()),))


def player() -> Client:
    """The browser of the player of seat 2."""
    client = Client()
    session = client.session
    session[SESSION_KEY] = PERSON
    session.save()
    return client


def script_of(name: str, client: Client | None = None) -> dict[str, Any]:
    answer = (client or Client()).get(f"/game/{name}/replay.json")
    assert answer.status_code == 200
    script: dict[str, Any] = answer.json()
    return script


def test_script_has_hands_results_and_marks_at_their_events() -> None:
    archive("played", whole_game())
    script = script_of("played")
    events = script["events"]
    assert (script["version"], script["id"], script["names"]) == (1, "played", list(NAMES))
    assert events[0]["type"] == "start_game"
    starts = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    assert [hand["at"] for hand in script["hands"]] == starts
    for hand in script["hands"]:
        first = events[hand["result"]["at"]]
        assert first["type"] == ("ryukyoku" if hand["result"]["kind"] == "draw" else "hora")
        assert hand["scores"] == events[hand["at"]]["scores"]
    expected = {"riichi": "reach", "win": "hora", "deal_in": "hora", "draw": "ryukyoku"}
    for mark in script["marks"]:
        event = events[mark["at"]]
        if mark["kind"] in expected:
            assert event["type"] == expected[mark["kind"]]
        if mark["kind"] != "draw":
            assert mark["actor"] == event["target" if mark["kind"] == "deal_in" else "actor"]
    reaches = sum(event["type"] == "reach" for event in events)
    assert reaches == sum(mark["kind"] == "riichi" for mark in script["marks"]) > 0


def test_script_opens_hands_but_not_the_wall_or_private_answers() -> None:
    played = whole_game()
    assert any(isinstance(event, Answered) for event in played)
    archive("played", played)
    text = json.dumps(script_of("played"))
    assert '"?"' not in text
    for hidden in ("wall", "seed", "may_ron", "may_call", "waiting", "answer"):
        assert f'"{hidden}"' not in text


def test_waits_are_those_of_a_winner_before_the_win() -> None:
    archive("played", whole_game())
    script = script_of("played")
    wins = [(at, one) for at, one in enumerate(script["events"]) if one["type"] == "hora"]
    assert wins
    for at, win in wins:
        known = [one for one in script["waits"] if one["seat"] == win["actor"] and one["at"] < at]
        assert win["pai"].rstrip("r") in known[-1]["tiles"]


def test_private_game_has_a_replay_for_its_players_only() -> None:
    archive("private", whole_game(), public=False)
    for path in ("/game/private/replay/", "/game/private/replay.json"):
        assert Client().get(path).status_code == 404
        answer = player().get(path)
        assert answer.status_code == 200
        assert answer["X-Robots-Tag"] == "noindex"
    page = player().get("/game/private/replay/").content.decode()
    assert '<meta name="robots" content="noindex">' in page
    assert 'data-seat="2"' in page


def test_public_game_may_be_indexed_and_links_to_its_replay() -> None:
    archive("public", whole_game())
    answer = Client().get("/game/public/replay/")
    assert answer.status_code == 200
    assert "noindex" not in answer.content.decode()
    assert "X-Robots-Tag" not in answer.headers
    assert 'href="/game/public/replay/"' in Client().get("/game/public/").content.decode()


def test_replay_ends_with_the_log_of_the_game() -> None:
    archive("old", whole_game())
    GameLog.objects.all().delete()
    assert Client().get("/game/old/").status_code == 200
    assert "/game/old/replay/" not in Client().get("/game/old/").content.decode()
    for path in ("/game/old/replay/", "/game/old/replay.json"):
        assert Client().get(path).status_code == 404


def test_script_is_compressed_for_browsers_that_take_it() -> None:
    archive("played", whole_game())
    answer = Client().get("/game/played/replay.json", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.content)) == script_of("played")


def made_link(client: Client, name: str, **form: str) -> str:
    assert client.post(f"/game/{name}/replay/links/", form).status_code == 302
    return f"/shared/{ReplayLink.objects.latest('made_at').pk}/"


def test_link_shows_a_private_game_without_names_until_it_is_taken_back() -> None:
    archive("private", whole_game(), public=False)
    link = made_link(player(), "private")
    assert link in player().get("/game/private/").content.decode()
    page, script = Client().get(link), Client().get(f"{link}replay.json")
    assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex")
    assert script.json()["id"] is None
    assert script.json()["names"] == ["Player 1", "Player 2", "Player 3", "Player 4"]
    for text in (page.content.decode(), script.content.decode()):
        assert "private" not in text
        assert not [name for name in NAMES if f'"{name}"' in text]
    edited = Client().get(f"{link}replay.json?names=1")
    assert edited.json()["names"] == script.json()["names"]
    assert Client().get("/game/private/replay/").status_code == 404
    assert Client().post(f"{link}take-back/").status_code == 404
    assert player().post(f"{link}take-back/").status_code == 302
    for path in (link, f"{link}replay.json"):
        assert Client().get(path).status_code == 404


def test_link_shows_only_the_name_of_its_maker() -> None:
    archive("private", whole_game(), public=False)
    link = made_link(player(), "private", shows_name="on")
    names = Client().get(f"{link}replay.json").json()["names"]
    assert names == ["Player 1", "Player 2", NAMES[2], "Player 4"]


def test_only_players_make_links() -> None:
    archive("public", whole_game())
    assert Client().post("/game/public/replay/links/").status_code == 404
    assert "replay/links" not in Client().get("/game/public/").content.decode()
    assert not ReplayLink.objects.exists()


def test_links_of_a_deleted_account_end() -> None:
    archive("private", whole_game(), public=False)
    link = made_link(player(), "private")
    forget_player(UUID(PERSON))
    assert Client().get(link).status_code == 404


def test_oldest_link_gives_way_to_a_new_one() -> None:
    archive("private", whole_game(), public=False)
    links = [made_link(player(), "private") for _ in range(MOST_LINKS + 1)]
    assert [Client().get(link).status_code for link in links] == [404] + [200] * MOST_LINKS
