"""Previews of positions: the picture, the page without scripts, and the tags that chats read."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.test import Client

from game.engine.events import Event, GameEnded, HandStarted, Won
from game.engine.evolve import evolve
from game.engine.perspective import OPEN_SPECTATOR, view
from game.engine.state import Table
from game.engine.tiles import HIDDEN, NO_TILE, TILE_TO_TEXT
from game.imports.imported_game import AcceptedRecord, decode_game, read_record
from game.imports.records import add_record
from game.live import encoding
from game.models import ReplayLink
from game.results import board_picture
from game.results.board_picture import RankingRow, board_svg
from game.results.replay_positions import ReplayPosition, position_of, table_at, visible_table_at
from game.results.replay_script import is_shown, replay_script
from lobby.accounts import rate_limits
from tests.kit.random_games import NAMES
from tests.web.archived_games import PERSON, archive, browser_of, whole_game

ROOT: Final = Path(settings.BASE_DIR)
SPRITE: Final = (ROOT / "static" / "img" / "tiles.svg").read_text(encoding="utf-8")
RECORD: Final = ROOT / "tests" / "records" / "fixtures" / "own.mjlog"
PLACE: Final = "?hand=2&step=20&seat=1&open=0"
in_database = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_pictures() -> None:
    board_picture._kept.clear()


# Positions


def test_table_at_each_position_is_the_one_of_the_script() -> None:
    events = whole_game(3)
    script = replay_script(events, NAMES, write=encoding.encode_event)
    starts = [hand.at for hand in script.hands]
    table, at, tables = Table(), -1, dict[int, Table]()
    for event in events:
        table = evolve(table, event)
        at += is_shown(event)
        tables[at] = table if is_shown(event) else tables[at]
    for hand, start in enumerate(starts):
        end = starts[hand + 1] if hand + 1 < len(starts) else len(script.events)
        for step in range(0, end - start, 7):
            wanted = ReplayPosition(hand, step)
            found = table_at(events, wanted)
            assert found is not None
            assert view(found[0], OPEN_SPECTATOR) == view(tables[start + step], OPEN_SPECTATOR)
            assert found[1] == wanted
        past = table_at(events, ReplayPosition(hand, 9_999))
        assert past is not None
        assert past[1].step == end - start - 1
        assert past[0].scores == tables[end - 1].scores


def test_position_that_does_not_exist_is_the_first_deal() -> None:
    found = table_at(whole_game(), ReplayPosition(hand=99, step=5))
    assert found is not None
    assert found[1] == ReplayPosition(0, 0)
    first = next(at for at, event in enumerate(whole_game()) if isinstance(event, HandStarted))
    assert table_at(whole_game()[:first], ReplayPosition()) is None


def test_link_to_a_game_shows_the_win_with_the_most_points() -> None:
    events = whole_game(3)
    wins = [event for event in events if isinstance(event, Won)]
    best = max(wins, key=lambda win: win.points)
    found = table_at(events, ReplayPosition(is_best_win=True))
    assert found is not None
    table, position = found
    assert position.seat == best.actor
    assert position.step > 0
    assert not position.is_best_win
    assert table.hands[best.actor].tiles[: len(best.tehai)] == best.tehai
    dealt = [event for event in events if not isinstance(event, Won)]
    assert table_at(dealt[:30], ReplayPosition(is_best_win=True, seat=2)) == table_at(
        dealt[:30], ReplayPosition(seat=2)
    )


@pytest.mark.parametrize(
    ("query", "position"),
    [
        ({}, ReplayPosition(seat=3, is_best_win=True)),
        ({"seat": "1", "open": "0"}, ReplayPosition(0, 0, 1, False, is_best_win=True)),
        ({"hand": "2", "step": "20", "seat": "1", "open": "0"}, ReplayPosition(1, 20, 1, False)),
        (
            {"hand": "0", "step": "-1", "seat": "4", "open": "", "names": "0"},
            ReplayPosition(0, 0, 3, True, False),
        ),
        ({"hand": "x", "step": "1e3", "seat": "\u0661"}, ReplayPosition(seat=3)),
        ({"step": "9999999"}, ReplayPosition(seat=3)),
    ],
)
def test_query_is_read_as_in_the_browser(query: dict[str, str], position: ReplayPosition) -> None:
    assert position_of(query, 4, 3) == position
    again = {name: values[0] for name, values in parse_qs(position.query).items()}
    assert position_of(again, 4, 0) == position


# The picture


def faces(svg: str) -> list[str]:
    return sorted(re.findall(r'<use href="#t-([^"]+)"', svg.partition("</defs>")[2]))


def expected_faces(seen: Table) -> list[str]:
    """Return the tiles that lie on the table, the winds, and five places of indicators."""
    tiles = [seen.drawn] if seen.drawn != NO_TILE else []
    for hand in seen.hands:
        tiles += [*hand.tiles, *(entry & 0xFF for entry in hand.river)]
        for meld in hand.melds:
            laid = sorted(meld.tiles, key=lambda tile: tile % 2 == 0)
            tiles += [HIDDEN, *laid[:2], HIDDEN] if meld.called == NO_TILE else meld.tiles
    tiles += [*seen.dora, *[HIDDEN] * 5][:5]
    names = ["back" if tile == HIDDEN else TILE_TO_TEXT[tile] for tile in tiles]
    return sorted([*names, *"ESWN", "ESWN"[seen.kyoku // 4 % 4]])


@pytest.mark.parametrize("is_open", [True, False])
def test_picture_has_every_tile_that_is_seen_and_no_other(is_open: bool) -> None:
    melds = set()
    for seed in (2, 5):
        for hand in range(4):
            for step in (0, 15, 40, 9_999):
                position = ReplayPosition(hand, step, hand, is_open)
                found = table_at(whole_game(seed), position)
                assert found is not None
                seen = visible_table_at(found[0], position)
                melds |= {meld.type for hand in seen.hands for meld in hand.melds}
                assert faces(board_svg(seen, position.seat, SPRITE)) == expected_faces(seen)
                if not is_open and step == 15:
                    assert HIDDEN in seen.hands[(hand + 1) % 4].tiles
    assert len(melds) > 1


@in_database
def test_picture_is_a_cached_png_of_the_usual_size(monkeypatch: pytest.MonkeyPatch) -> None:
    archive("public", whole_game())
    answer = Client().get(f"/game/public/replay/preview.png{PLACE}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["Cache-Control"] == "public, max-age=600"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert len(answer.content) < 400_000
    monkeypatch.setattr(board_picture, "render", lambda *_: b"again")
    assert Client().get(f"/game/public/replay/preview.png{PLACE}&names=0").content == answer.content
    other = Client().get("/game/public/replay/preview.png?hand=2&step=21&seat=1&open=0")
    assert other.content == b"again"


@in_database
def test_only_the_latest_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    archive("public", whole_game())
    asked: list[object] = []
    monkeypatch.setattr(board_picture, "KEPT", 2)
    monkeypatch.setattr(board_picture, "render", lambda *_: asked.append(None) or b"small")
    for step in (1, 2, 3, 3, 2, 1):
        Client().get(f"/game/public/replay/preview.png?hand=1&step={step}")
    assert len(asked) == 4, "the first one was dropped, and rendered again"


@in_database
def test_pictures_are_limited_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    archive("public", whole_game())
    few = rate_limits.Limit("few-pictures", 2, 60)
    monkeypatch.setattr(rate_limits, "PICTURES_OF_ADDRESS", few)
    monkeypatch.setattr(board_picture, "render", lambda *_: b"small")
    # The limit may begin a new window in between.
    statuses = [Client().get("/game/public/replay/preview.png").status_code for _ in range(5)]
    assert set(statuses) == {200, 429}


def texts_of(client: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts of the picture at that address."""
    with monkeypatch.context() as patched:
        patched.setattr(
            board_picture,
            "render",
            lambda seen, bottom, *result: board_svg(seen, bottom, SPRITE, *result).encode(),
        )
        board_picture._kept.clear()
        svg = client.get(address).content.decode()
    return [unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", svg)]


def result_of(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return the final ranking as a picture has it; hidden names are empty."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    texts = []
    for seat in sorted(range(4), key=lambda seat: end.placement[seat][0]):
        score = f"{end.scores[seat]:,}".replace(",", "\u202f")
        texts += [str(end.placement[seat][0]), *filter(None, [names[seat]]), score]
    return texts


@in_database
def test_picture_of_a_whole_game_has_the_names_and_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    events = whole_game(3)
    archive("public", events)
    whole = "/game/public/replay/preview.png"
    shown = texts_of(Client(), whole, monkeypatch)
    assert shown[-12:] == result_of(events, NAMES)
    without = texts_of(Client(), f"{whole}?names=0", monkeypatch)
    assert without[-8:] == result_of(events, [""] * 4)
    assert not set(NAMES) & set(without)
    at_a_step = texts_of(Client(), f"{whole}{PLACE}", monkeypatch)
    assert len(at_a_step) == 5, "the points and the round"


@in_database
def test_picture_behind_a_link_has_only_the_names_that_the_link_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    events = whole_game(3)
    archive("private", events, public=False)
    player = browser_of(PERSON)
    for form, named in ({}, []), ({"shows_name": "1"}, [2]):
        ReplayLink.objects.all().delete()
        player.post("/game/private/replay/links/", form)
        address = f"/shared/{ReplayLink.objects.get().pk}/preview.png"
        names = [name if seat in named else "" for seat, name in enumerate(NAMES)]
        expected = result_of(events, names)
        assert texts_of(Client(), address, monkeypatch)[-len(expected) :] == expected
        assert texts_of(Client(), f"{address}?names=0", monkeypatch)[-8:] == result_of(
            events, [""] * 4
        )


def test_long_names_are_cut_and_signs_of_markup_are_text() -> None:
    found = table_at(whole_game(), ReplayPosition(is_best_win=True))
    assert found is not None
    names = ["<b>&", "a" * 40, "\u6625" * 40, ""]
    ranking = [RankingRow(seat + 1, seat, 25_000) for seat in range(4)]
    svg = board_svg(view(found[0], OPEN_SPECTATOR), 0, SPRITE, ranking, names)
    assert "&lt;b&gt;&amp;</text>" in svg
    assert re.search(r">a{8,14}\u2026</text>", svg)
    assert re.search(">\u6625{6,8}\u2026</text>", svg)
    render = board_picture.render(found[0], 0, ranking, names)
    assert render[:4] == b"\x89PNG"


@in_database
def test_picture_of_an_imported_game_has_the_names_and_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = read_record(RECORD.read_bytes())
    assert isinstance(record, AcceptedRecord)
    key, _ = add_record(record, None)
    events = decode_game(record.game).events
    expected = result_of(events, record.names)
    page = Client().get(f"/replay/{key}/").content.decode()
    shown = texts_of(Client(), tags(page)["image"], monkeypatch)
    assert shown[-12:] == expected
    told = [part.split(" ", 2)[:2] for part in tags(page)["description"].split(" · ")]
    assert told == [[f"{expected[at]}.", expected[at + 1]] for at in range(0, 12, 3)]


# Pages


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


@in_database
def test_replay_and_small_page_name_the_picture_of_their_position() -> None:
    archive("public", whole_game())
    for path in ("/game/public/replay/", "/game/public/replay/preview/"):
        answer = Client().get(f"{path}{PLACE}")
        assert answer.status_code == 200
        found = tags(answer.content.decode())
        address = urlsplit(found["image"])
        assert address.scheme == "http"
        assert f"{address.path}?{address.query}" == f"/game/public/replay/preview.png{PLACE}"
        assert Client().get(found["image"]).status_code == 200
        assert found["description"] == " · ".join(NAMES)
        assert "Tenhou" in found["title"]
    page = answer.content.decode()
    assert "<script" not in page
    players = re.findall(r'#t-([ESWN])"[\s/]*>\s*</svg>\s*</span>\s*([^<]+?)\s*</dt>', page)
    assert (sorted(wind for wind, _name in players), len(players)) == (sorted("ESWN"), 4)
    assert [name for _wind, name in players] == list(NAMES)
    assert re.search(r"East \d(, \d honba)?, step 20", page)
    assert f'href="/game/public/replay/{PLACE.replace("&", "&amp;")}"' in page
    assert f'src="/game/public/replay/preview.png{PLACE.replace("&", "&amp;")}"' in page


@in_database
def test_names_stay_hidden_in_previews() -> None:
    archive("private", whole_game(), public=False)
    archive("public", whole_game())
    player = browser_of(PERSON)
    player.post("/game/private/replay/links/")
    link = f"/shared/{ReplayLink.objects.get().pk}/"
    for path in (
        link,
        f"{link}?names=1",
        f"{link}preview/?names=1",
        "/game/public/replay/?names=0",
        "/game/public/replay/preview/?names=0",
    ):
        page = Client().get(path).content.decode()
        text = tags(page)["description"]
        told = sorted(re.findall(r"Player \d", text))
        assert told == ["Player 1", "Player 2", "Player 3", "Player 4"], path
        assert not [name for name in NAMES if name in text], path
        assert not [name for name in NAMES if f">{name}<" in page or f'"{name}"' in page], path
        assert "private" not in page


@in_database
def test_previews_are_shown_only_to_viewers_of_the_replay() -> None:
    archive("private", whole_game(), public=False)
    player = browser_of(PERSON)
    for name in ("preview/", "preview.png"):
        assert Client().get(f"/game/private/replay/{name}").status_code == 404
        answer = player.get(f"/game/private/replay/{name}")
        assert answer.status_code == 200
        assert answer["X-Robots-Tag"] == "noindex"
        assert "public" not in answer["Cache-Control"]
        # The picture is cached by now.
        assert Client().get(f"/game/private/replay/{name}").status_code == 404
    player.post("/game/private/replay/links/")
    link = f"/shared/{ReplayLink.objects.get().pk}/"
    for name in ("preview/", "preview.png"):
        assert Client().get(f"{link}{name}").status_code == 200
    player.post(f"{link}take-back/")
    for name in ("preview/", "preview.png"):
        assert Client().get(f"{link}{name}").status_code == 404


@in_database
async def test_imported_game_has_previews() -> None:
    from django.test import AsyncClient

    record = read_record(RECORD.read_bytes())
    assert isinstance(record, AcceptedRecord)
    key, _ = await database_sync_to_async(add_record)(record, None)
    browser = AsyncClient()
    page = await browser.get(f"/replay/{key}/?hand=1&step=4")
    picture = tags(page.content.decode())["image"]
    answer = await browser.get(picture.removeprefix("http://testserver"))
    assert answer.content[:4] == b"\x89PNG"
    assert answer["X-Robots-Tag"] == "noindex"
    small = await browser.get(f"/replay/{key}/preview/?hand=1&step=4")
    assert small.status_code == 200
    assert (await browser.get("/replay/unknown/preview.png")).status_code == 404
