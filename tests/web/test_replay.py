"""The pages of replays: the contents of their scripts, and who may see them."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from game.engine.events import Answered
from game.models import GameLog, Player, ReplayLink, Report
from game.results import replay_views
from game.results.avatars import avatar_of
from game.results.players import forget_player, list_player, set_avatar, set_named_in_links
from game.results.replay_links import MAX_LINKS
from game.results.replay_script import replay_script
from tests.kit.random_games import NAMES
from tests.web.archived_games import PERSON, archive, browser_of, whole_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]


def player() -> Client:
    """Return the browser of the player of seat 2."""
    return browser_of(PERSON)


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
    for hand, following in pairwise(script["hands"]):
        changes = [now - was for was, now in zip(hand["scores"], following["scores"], strict=True)]
        assert hand["result"]["deltas"] == changes, "with the riichi sticks"
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
    wins = [(at, event) for at, event in enumerate(script["events"]) if event["type"] == "hora"]
    assert wins
    for at, win in wins:
        known = [
            wait for wait in script["waits"] if wait["seat"] == win["actor"] and wait["at"] < at
        ]
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
    page = Client().get("/game/public/").content.decode()
    assert 'href="/game/public/replay/"' in page
    assert 'href="/game/public/replay/#review"' in page


def test_replay_is_gone_once_the_log_is_deleted() -> None:
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


def test_script_is_made_once_and_kept_by_browsers(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def script(*args: Any, **named: Any) -> Any:
        made.append(named["game_id"])
        return replay_script(*args, **named)

    monkeypatch.setattr(replay_views, "replay_script", script)
    archive("played", whole_game())
    first = Client().get("/game/played/replay.json")
    again = Client().get("/game/played/replay.json", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again["ETag"]) == (304, first["ETag"])
    assert first["Cache-Control"] == "public, max-age=600"
    assert made == ["played"]
    archive("private", whole_game(), public=False)
    assert player().get("/game/private/replay.json")["Cache-Control"] == "no-cache, private"


def make_link(client: Client, name: str, **form: str) -> str:
    assert client.post(f"/game/{name}/replay/links/", form).status_code == 302
    return f"/shared/{ReplayLink.objects.latest('made_at').pk}/"


@pytest.mark.postgresql
def test_link_shows_a_private_game_without_names_until_revoked() -> None:
    archive("private", whole_game(), public=False)
    link = make_link(player(), "private")
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
    link = make_link(player(), "private", shows_name="on")
    names = Client().get(f"{link}replay.json").json()["names"]
    assert names == ["Player 1", "Player 2", NAMES[2], "Player 4"]


def test_link_names_others_only_if_they_have_agreed() -> None:
    agreed, silent = str(uuid4()), str(uuid4())
    for person in (agreed, silent):
        list_player(UUID(person), "N")
    set_named_in_links(UUID(agreed), True)
    archive("private", whole_game(), public=False, people={0: agreed, 1: silent, 2: PERSON})
    named, hidden = make_link(player(), "private", shows_name="on"), make_link(player(), "private")
    hidden_names = ["Player 1", "Player 2", "Player 3", "Player 4"]

    def names(link: str) -> list[str]:
        found: list[str] = Client().get(f"{link}replay.json").json()["names"]
        return found

    assert names(named) == [NAMES[0], "Player 2", NAMES[2], "Player 4"]
    assert names(hidden) == hidden_names
    set_named_in_links(UUID(agreed), False)
    assert names(named) == ["Player 1", "Player 2", NAMES[2], "Player 4"]
    set_named_in_links(UUID(agreed), True)
    forget_player(UUID(agreed))
    assert names(named) == ["Player 1", "Player 2", NAMES[2], "Player 4"]


def test_people_have_their_avatars_where_they_are_named() -> None:
    agreed, silent, deleted = str(uuid4()), str(uuid4()), str(uuid4())
    for person in (agreed, silent, deleted):
        list_player(UUID(person), "N")
    people = {0: agreed, 1: silent, 2: PERSON, 3: deleted}
    archive("faces", whole_game(), people=people)
    set_avatar(UUID(agreed), "5mr-blue")
    forget_player(UUID(deleted))
    own = [avatar_of(name, "") for name in NAMES]
    assert script_of("faces")["avatars"] == ["5mr-blue", own[1], own[2], ""]
    set_avatar(UUID(agreed), "E-red")
    assert script_of("faces")["avatars"][0] == "E-red"
    set_named_in_links(UUID(agreed), True)
    for form, avatars in ((), [""] * 4), ((("shows_name", "on"),), ["E-red", "", own[2], ""]):
        link = make_link(player(), "faces", **dict(form))
        assert Client().get(f"{link}replay.json").json()["avatars"] == avatars


def test_bots_have_no_avatar() -> None:
    archive("bots", whole_game())
    script = script_of("bots")
    assert [bool(avatar) for avatar in script["avatars"]] == [False, False, True, False]
    assert [bool(level) for level in script["levels"]] == [True, True, False, True]


def test_guest_cannot_agree_to_be_named() -> None:
    guest = str(uuid4())
    Player.objects.create(person_id=UUID(guest), name="G")
    set_named_in_links(UUID(guest), True)
    assert not Player.objects.filter(is_named_in_links=True).exists()


def test_account_agrees_on_its_profile_and_takes_it_back() -> None:
    account = Client()
    account.post("/sign-up/", {"name": "Agreeable", "password": "four winds, one wall"})
    box = 'name="named_in_links" id="ReplayPreferences-named_in_links"'
    for form, is_agreed in (({}, False), ({"named_in_links": "on"}, True), ({}, False)):
        assert account.post("/profile/replays/", form).status_code == 302
        assert Player.objects.get(name="Agreeable").is_named_in_links is is_agreed
        page = account.get("/profile/").content.decode()
        assert (f"{box} checked" in page) is is_agreed


REPORT = {"seat": "0", "reason": "unfair", "text": "passes every ron", "position": ""}


def test_player_is_reported_from_a_replay_with_the_position() -> None:
    other = str(uuid4())
    archive("public", whole_game(), people={0: other, 2: PERSON})
    assert 'data-report="/game/public/replay/report/"' in (
        player().get("/game/public/replay/").content.decode()
    )
    path = "/game/public/replay/report/?hand=2&step=11&seat=2&open=0"
    page = player().get(path).content.decode()
    assert NAMES[0] in page
    assert NAMES[2] not in page, "nobody reports themselves"
    assert NAMES[1] not in page, "bots are not reported"
    position = "?hand=2&step=11&seat=2&open=0"
    sent = player().post(path, {**REPORT, "position": position[1:]})
    assert b"Thank you" in sent.content
    player().post(path, {**REPORT, "text": "again"})
    report = Report.objects.get()
    assert (str(report.person_id), str(report.reporter_id)) == (other, PERSON)
    assert (report.name, report.reason, report.text) == (NAMES[0], "unfair", "passes every ron")
    assert report.position == position


def test_bots_are_not_reported() -> None:
    archive("public", whole_game())
    page = player().get("/game/public/replay/report/").content.decode()
    assert "There is nobody to report" in page
    assert 'href="/game/public/replay/"' in page


def test_holder_of_a_link_reports_without_learning_names() -> None:
    other = str(uuid4())
    archive("private", whole_game(), public=False, people={0: other, 2: PERSON})
    link = make_link(player(), "private")
    anonymous = Client().get(f"{link}report/")
    assert anonymous.headers["Location"].startswith("/sign-in/?next=")
    someone = browser_of(str(uuid4()))
    page = someone.get(f"{link}report/").content.decode()
    assert "Player 1" in page
    assert not [name for name in NAMES if name in page]
    assert "private" not in page
    assert b"Thank you" in someone.post(f"{link}report/", REPORT).content
    assert str(Report.objects.get().person_id) == other
    assert someone.get("/game/private/replay/report/").status_code == 404


@pytest.mark.parametrize(
    "wrong", [{"seat": "1"}, {"seat": "2"}, {"seat": "7"}, {"reason": "x"}, {"text": "x" * 301}]
)
def test_wrong_reports_are_not_kept(wrong: dict[str, str]) -> None:
    archive("public", whole_game(), people={0: str(uuid4()), 2: PERSON})
    answer = player().post("/game/public/replay/report/", REPORT | wrong)
    assert b"Thank you" not in answer.content
    assert not Report.objects.exists()


def test_position_of_a_report_is_a_replay_query_or_empty() -> None:
    archive("public", whole_game(), people={0: str(uuid4()), 2: PERSON})
    for text in ("javascript:alert(1)", "?hand=1&step=x", "//evil.example"):
        Report.objects.all().delete()
        page = player().post("/game/public/replay/report/", {**REPORT, "position": text})
        assert Report.objects.get().position == ""
        assert 'href="/game/public/replay/"' in page.content.decode()


@pytest.mark.postgresql
def test_person_makes_twenty_reports_a_day() -> None:
    archive("public", whole_game(), people={0: str(uuid4()), 2: PERSON})
    for number in range(20):
        Report.objects.create(
            table_id=f"t{number}", line="l", person_id=uuid4(), reporter_id=UUID(PERSON)
        )
    answer = player().post("/game/public/replay/report/", REPORT)
    assert answer.status_code == 429
    assert Report.objects.count() == 20


def test_only_players_make_links() -> None:
    archive("public", whole_game())
    assert Client().post("/game/public/replay/links/").status_code == 404
    assert "replay/links" not in Client().get("/game/public/").content.decode()
    assert not ReplayLink.objects.exists()


@pytest.mark.postgresql
def test_links_of_a_deleted_account_end() -> None:
    archive("private", whole_game(), public=False)
    link = make_link(player(), "private")
    forget_player(UUID(PERSON))
    assert Client().get(link).status_code == 404


def test_oldest_link_gives_way_to_a_new_one() -> None:
    archive("private", whole_game(), public=False)
    links = [make_link(player(), "private") for _ in range(MAX_LINKS + 1)]
    assert [Client().get(link).status_code for link in links] == [404] + [200] * MAX_LINKS
