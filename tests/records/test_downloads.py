"""Downloads of finished games: their content, and who may download them."""

from __future__ import annotations

import csv
import io
import stat
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from bench.bots.games import play_game
from game.engine.clock import Clock, ClockSettings
from game.engine.commands import EndGame
from game.engine.decide import Accepted, decide
from game.engine.events import Event, GameEnded, GameStarted, HandStarted
from game.engine.evolve import evolve
from game.engine.presets import PRESETS
from game.engine.rules import TENHOU, RuleSet
from game.engine.state import Phase, Table
from game.identity.sessions import SESSION_KEY
from game.live.process import ARCHIVE
from game.models import Game, GameLog
from game.records.formats import FORMATS
from game.records.summary import OUTCOMES
from game.results.players import forget_player
from game.tables.room import Commit, Room, SeatMeta, TableId, TableMeta
from game.tables.settings import TableSettings
from tests.kit.play import Play
from tests.kit.random_games import NAMES, TEMPERS
from tests.records.own_games import random_game
from tests.records.rare_ends import ENDS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh")]

PERSON = str(uuid4())
AT = 1_790_000_000_000


def archive_game(
    name: str,
    events: Sequence[Event],
    *,
    rules: RuleSet = TENHOU,
    public: bool = True,
    commands: tuple[Any, ...] = (),
) -> None:
    """Bring the game of these events into the database as its table would."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    seats = (SeatMeta(name=NAMES[0], person=PERSON), *(SeatMeta(n, bot="b") for n in NAMES[1:]))
    table = Table(rules=rules, phase=Phase.ENDED, scores=end.scores, placement=end.placement)
    meta = TableMeta(seats, ClockSettings(), settings=TableSettings(public=public), opened_at=AT)
    room = Room(TableId(name), meta, 1, table=table)
    commit = Commit(1, b"a", AT, commands, tuple(events), Clock())
    assert ARCHIVE.save_game(room, (commit,))


def on_any_walls(seed: int, rules: RuleSet = TENHOU) -> list[Event]:
    """Return a game on walls that follow from no seed, so that rare events happen."""
    hands = random_game(seed, rules)
    return [GameStarted(NAMES, rules, b""), *(event for hand in hands for event in hand)]


def game_of_one_hand(play: Play) -> list[Event]:
    """Return a game of a single hand, after which the players have ended it."""
    start = next(at for at, event in enumerate(play.events) if isinstance(event, HandStarted))
    hand = [event for event in play.events[start:] if not isinstance(event, GameEnded)]
    end = GameEnded((25_000,) * 4, ((1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0)))
    return [GameStarted(NAMES, TENHOU, b""), *hand, end]


def play_from_seed(seed: int) -> list[Event]:
    return play_game(seed, [TEMPERS[(seed + seat) % len(TEMPERS)] for seat in range(4)]).events


def broken_off() -> list[Event]:
    """Return a game after two hands, in the middle of the third."""
    found: list[Event] = []
    table = Table()
    for event in play_from_seed(1):
        found.append(event)
        table = evolve(table, event)
        if table.hands_dealt == 3 and table.left < 50:
            verdict = decide(table, EndGame())
            assert isinstance(verdict, Accepted)
            return [*found, *verdict.events]
    raise AssertionError("the game has no third hand")


def download(name: str, kind: str, into: Path, client: Client | None = None) -> Path:
    answer = (client or Client()).get(f"/game/{name}/{kind}/")
    assert answer.status_code == 200, answer.content.decode()
    form = FORMATS[kind]
    assert answer["Content-Type"] == f"{form.content_type}; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.{form.suffix}"'
    file = into / f"{name}.{form.suffix}"
    file.write_bytes(answer.content)
    return file


def test_every_download_is_replayed_without_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive_game("seed-1", play_from_seed(1))
    archive_game("seed-13", play_from_seed(13))
    for stage in ENDS:
        archive_game(stage.__name__, game_of_one_hand(stage()), commands=(EndGame(),))
    archive_game("ema", on_any_walls(1, PRESETS["ema-2025"]), rules=PRESETS["ema-2025"])
    archive_game("kans", on_any_walls(1))
    archive_game("broken", broken_off(), commands=(EndGame(),))
    files = [download(game.pk, kind, tmp_path) for game in Game.objects.all() for kind in FORMATS]
    call_command("validate_records", *map(str, files))
    summary = capsys.readouterr().out
    assert f"{len(files)} files, {len(files)} replayed" in summary
    assert "0 differences, 0 damaged, 0 explained by the record" in summary
    for outcome in set(OUTCOMES) - {"triple ron", "nagashi", "no outcome"}:
        assert f"  {outcome} " in summary, summary


def test_unsuitable_format_is_refused_with_an_alternative(tmp_path: Path) -> None:
    rules = PRESETS["classic"]
    archive_game("chombo", on_any_walls(0, rules), rules=rules)
    for kind in ("mjlog", "tenhou6"):
        answer = Client().get(f"/game/chombo/{kind}/")
        assert answer.status_code == 409
        assert "no word for chombo" in answer.content.decode()
    call_command("validate_records", str(download("chombo", "mjai", tmp_path)))


def test_running_games_and_unknown_formats_have_no_download() -> None:
    archive_game("one", play_from_seed(1))
    for address in ("/game/none/mjai/", "/game/one/paper/", "/game/one/MJAI/"):
        assert Client().get(address).status_code == 404
    assert Client().post("/game/one/mjai/").status_code == 405


def test_only_its_players_download_a_private_game(tmp_path: Path) -> None:
    archive_game("one", play_from_seed(1), public=False)
    player, other = Client(), Client()
    for client, person in ((player, PERSON), (other, str(uuid4()))):
        session = client.session
        session[SESSION_KEY] = person
        session.save()
    for kind in FORMATS:
        assert Client().get(f"/game/one/{kind}/").status_code == 404
        assert other.get(f"/game/one/{kind}/").status_code == 404
        download("one", kind, tmp_path, player)


def test_files_do_not_name_a_deleted_person(tmp_path: Path) -> None:
    archive_game("one", play_from_seed(1))
    before = {kind: download("one", kind, tmp_path).read_text() for kind in FORMATS}
    assert all(NAMES[0] in text for text in before.values())
    forget_player(UUID(PERSON))
    for kind in FORMATS:
        text = download("one", kind, tmp_path).read_text()
        assert NAMES[0] not in text
        assert NAMES[1] in text


def test_game_page_links_to_its_files() -> None:
    archive_game("one", play_from_seed(1))
    page = Client().get("/game/one/").content.decode()
    assert all(f'href="/game/one/{kind}/"' in page for kind in FORMATS)


def test_game_without_a_finished_hand_has_no_file() -> None:
    events = broken_off()
    first = events[:30]
    table = Table()
    for event in first:
        table = evolve(table, event)
    verdict = decide(table, EndGame())
    assert isinstance(verdict, Accepted)
    archive_game("short", [*first, *verdict.events], commands=(EndGame(),))
    answer = Client().get("/game/short/mjai/")
    assert answer.status_code == 409
    assert "No hand of this game" in answer.content.decode()


def export(path: Path, *options: str) -> tuple[zipfile.ZipFile, list[dict[str, str]]]:
    """Return the zip file that the command writes, and the lines of its index."""
    call_command("export_games", str(path), *options, stdout=io.StringIO())
    archive = zipfile.ZipFile(path)
    assert archive.testzip() is None
    lines = archive.read("index.csv").decode().splitlines()
    return archive, list(csv.DictReader(lines))


@pytest.mark.postgresql
def test_export_has_all_records_of_a_person_with_an_index(tmp_path: Path) -> None:
    archive_game("one", play_from_seed(1))
    archive_game("private", play_from_seed(13), public=False)
    archive_game("showing", game_of_one_hand(next(iter(ENDS))()), commands=(EndGame(),))
    Game.objects.filter(pk="showing").update(ended_at=datetime(2031, 5, 1, tzinfo=UTC))
    file = tmp_path / "games.zip"
    archive, index = export(file, "--person", PERSON, "--format", "mjai", "--format", "mjlog")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [row["game"] for row in index] == ["one", "private", "showing"]
    assert [row["is_public"] for row in index] == ["1", "0", "1"]
    assert index[0]["person_1"] == PERSON
    assert index[0]["name_2"] == NAMES[1]
    files = [path for row in index for path in row["files"].split()]
    assert {*files, "index.csv"} == set(archive.namelist())
    assert "2031/05/showing.mjlog" in files
    for kind in ("mjai", "mjlog"):
        path = next(path for path in files if path.endswith(f"one.{FORMATS[kind].suffix}"))
        assert archive.read(path) == download("one", kind, tmp_path).read_bytes()


@pytest.mark.postgresql
def test_export_of_the_site_names_games_without_a_record(tmp_path: Path) -> None:
    archive_game("kept", play_from_seed(1))
    archive_game("removed", play_from_seed(2))
    GameLog.objects.filter(game="removed").delete()
    archive, index = export(tmp_path / "games.zip")
    assert {row["game"]: bool(row["files"]) for row in index} == {"kept": True, "removed": False}
    removed = next(row for row in index if row["game"] == "removed")
    assert "not kept any more" in removed["no_record"]
    assert len(archive.namelist()) == 2
    _, none = export(tmp_path / "later.zip", "--since", "2040-01-01")
    assert none == []


def test_export_refuses_unknown_names_and_existing_files(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no player has the name 'Nobody'"):
        call_command("export_games", str(tmp_path / "a.zip"), "--person", "Nobody")
    taken = tmp_path / "b.zip"
    taken.write_bytes(b"mine")
    with pytest.raises(CommandError, match="File exists"):
        call_command("export_games", str(taken))
    assert taken.read_bytes() == b"mine"
