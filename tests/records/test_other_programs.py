"""Records of other programs: what they leave out, how they divide and end files, and dialects.

The records are those of a game of this site, changed as other programs write them.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from game.engine.events import Won
from game.engine.rules import TENHOU
from game.imports.imported_game import ImportedGame, RefusedRecord, read_game
from game.imports.shown_game import shown_notes
from game.records.reading import read_recorded_game
from game.records.recorded import OtherFile, RecordError
from game.records.validate import FileReport, engine_events, validate_game
from tests.records.own_games import random_game
from tests.records.writing import mjai, mjlog, tenhou6

FIXTURES = Path(__file__).parent / "fixtures"
HANDS = random_game(7)
MJAI = mjai(HANDS)
TENHOU6 = tenhou6(HANDS, TENHOU)
MJLOG = mjlog(HANDS, TENHOU)
ADDRESS = "https://tenhou.net/6/#json="

Line = dict[str, Any]


def validate(text: str | bytes) -> FileReport:
    raw = text if isinstance(text, bytes) else text.encode()
    return validate_game("record", read_recorded_game(raw))


def assert_agrees(report: FileReport, hands: int = len(HANDS)) -> None:
    assert not report.faults
    assert not report.differences
    assert not report.own_rule_differences
    assert len(report.hands) == hands


def lines_of(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def changed(text: str, change: Callable[[Line], Line | None]) -> str:
    """Return the lines after the change; a line that becomes None is left out."""
    lines = [change(line) for line in lines_of(text)]
    return "\n".join([json.dumps(line) for line in lines if line is not None])


def without(text: str, fields: Collection[str], types: Collection[str] = ()) -> str:
    def leave_out(line: Line) -> Line | None:
        if line["type"] in types:
            return None
        return {name: value for name, value in line.items() if name not in fields}

    return changed(text, leave_out)


# What a record does not say is unknown


def test_the_game_has_what_these_tests_leave_out() -> None:
    wins = [event for hand in HANDS for event in hand if isinstance(event, Won)]
    assert any("ura" in dict(win.yaku) for win in wins)
    assert any(line["type"] == "dora" for line in lines_of(MJAI))


@pytest.mark.parametrize(
    ("fields", "types", "unknown"),
    [
        (("uradora_markers",), (), {"ura"}),
        (("uradora_markers", "yakus", "fan", "fu"), (), {"ura"}),
        (("uradora_markers", "yakus", "fan", "fu", "hora_points", "scores"), (), {"ura"}),
        ((), ("dora",), {"kan_dora"}),
        (("yakus", "fan", "fu"), ("dora",), {"kan_dora"}),
        (("kyotaku",), (), set()),
        (("scores", "deltas"), (), {"scores"}),
        (("scores", "deltas", "hora_points", "yakus", "fan", "kyotaku"), (), {"scores"}),
    ],
)
def test_values_that_mjai_leaves_out_are_compared_with_nothing(
    fields: Collection[str], types: Collection[str], unknown: set[str]
) -> None:
    report = validate(without(MJAI, fields, types))
    assert_agrees(report)
    assert report.unknown == unknown
    has_scores = "scores" not in unknown
    assert all((hand.scores is not None) == has_scores for hand in report.hands)


def test_end_of_a_game_without_points_is_not_compared() -> None:
    """Two hands and the end: no rules end a game then, if the points are known."""
    begin = [found.start() for found in re.finditer('{"type":"start_kyoku"', MJAI)][2]
    text = MJAI[:begin] + json.dumps({"type": "end_game"})
    assert [found.what for found in validate(text).differences] == ["end of the game"]
    assert_agrees(validate(without(text, ("scores", "deltas"))), hands=2)


def test_unknown_ura_dora_are_not_counted() -> None:
    fields = ("uradora_markers", "yakus", "fan", "fu", "hora_points", "deltas", "scores")
    game = read_recorded_game(without(MJAI, fields).encode())
    wins = [
        event for event in engine_events(game, validate_game("", game)) if isinstance(event, Won)
    ]
    assert wins
    assert not any(win.uradora_markers or "ura" in dict(win.yaku) for win in wins)


def test_no_ura_indicators_of_a_win_in_riichi_are_unknown_ones() -> None:
    """Rules with ura dora always turn some, so that an empty list cannot mean that there are
    none."""

    def empty(line: Line) -> Line:
        if line["type"] == "hora":
            line["uradora_markers"] = []
        return line

    report = validate(changed(MJAI, empty))
    assert_agrees(report)
    assert report.unknown == {"ura"}


def test_payments_that_no_hidden_dora_explain_are_a_difference() -> None:
    def pay_less(line: Line) -> Line:
        if line["type"] == "hora":
            line["deltas"] = [delta - delta // 2 // 100 * 100 for delta in line["deltas"]]
        return line

    text = without(changed(MJAI, pay_less), ("uradora_markers", "yakus", "fan", "fu", "scores"))
    assert "payments" in {found.what for found in validate(text).differences}


@pytest.mark.parametrize("keeps_ura", [True, False])
def test_value_without_yaku_is_read(keeps_ura: bool) -> None:
    file = json.loads(TENHOU6)
    for hand in file["log"]:
        result = hand[-1]
        result[2::2] = [win[:4] for win in result[2::2]]
        if not keeps_ura:
            hand[3] = []
    assert_agrees(validate(json.dumps(file)))
    file["log"][0][-1] = ["和了", [8000, -8000, 0, 0], [0, 1, 0, "満貫8000点"]]
    assert validate(json.dumps(file)).differences


def test_drawn_tile_may_be_named_in_riichi() -> None:
    """The hands of players in riichi hold another copy of some of these tiles."""
    file = json.loads(TENHOU6)
    named = 0
    for hand in file["log"]:
        for seat in range(4):
            draws, discards = hand[5 + 3 * seat], hand[6 + 3 * seat]
            at = next((n for n, entry in enumerate(discards) if str(entry).startswith("r")), None)
            for place in range(len(discards) if at is None else at + 1, len(discards)):
                if discards[place] == 60:
                    discards[place], named = draws[place], named + 1
    assert named
    assert_agrees(validate(json.dumps(file)))


# One part for each hand


def parts() -> list[dict[str, Any]]:
    file = json.loads(TENHOU6)
    final = {"sc": file.pop("sc")}
    single = [file | {"log": [hand]} for hand in file["log"]]
    return [*single[:-1], single[-1] | final]


def as_addresses() -> list[str]:
    return [ADDRESS + quote(json.dumps(part)) for part in parts()]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(as_addresses()),
        "\r\n\r\n".join(f"{address}&ts=0" for address in as_addresses()),
        "\n".join(json.dumps(part) for part in parts()),
        json.dumps(parts(), ensure_ascii=False),
        json.dumps(as_addresses(), indent=1),
    ],
    ids=["addresses", "addresses with ts", "JSON lines", "array", "array of addresses"],
)
def test_hands_in_parts_are_one_game(text: str) -> None:
    assert validate(text).hands == validate(TENHOU6).hands
    game = read_game(text.encode())
    assert isinstance(game, ImportedGame)
    assert (game.hands, game.is_over) == (len(HANDS), True)


def test_parts_of_several_games_are_refused() -> None:
    first, second, *_ = parts()
    text = json.dumps([first, second | {"name": ["E", "F", "G", "H"]}])
    with pytest.raises(RecordError, match="part 2: it is of another game"):
        read_recorded_game(text.encode())


# Records that end too early


def cut(text: str, before: str, hand: int) -> str:
    """Return the text up to the first of these words after the begin of the hand."""
    begin = [found.start() for found in re.finditer(r'<INIT|"start_kyoku"', text)][hand]
    return text[: text.index(before, begin)]


def tenhou6_cut_in(hand: int) -> str:
    whole = json.loads(TENHOU6)
    text = json.dumps(whole | {"log": whole["log"][: hand + 1]})
    return text[: len(text) - len(json.dumps(whole["log"][hand])) // 2]


@pytest.mark.parametrize(
    "text",
    [
        cut(MJLOG, "<D", 2),
        cut(MJLOG, "<D", 2) + '<N who="',
        cut(MJLOG, "<D", 2) + "</mjloggm>",
        MJLOG[: [found.start() for found in re.finditer("<INIT", MJLOG)][2] + 20],
        cut(MJAI, '{"type":"tsumo"', 2),
        cut(MJAI, '{"type":"tsumo"', 2) + '{"type":"tsu',
        json.dumps(lines_of(cut(MJAI, '{"type":"tsumo"', 2)))[:-3],
        tenhou6_cut_in(2),
        ADDRESS + quote(tenhou6_cut_in(2)),
    ],
    ids=[
        *("mjlog", "in an element", "closed", "in INIT", "mjai", "in a line", "array"),
        *("tenhou6", "address"),
    ],
)
def test_record_is_shown_up_to_its_last_whole_hand(text: str) -> None:
    report = validate(text)
    assert_agrees(report, hands=2)
    assert report.notes == ("hand 2 is left out: the record ends within it",)
    game = read_game(text.encode())
    assert isinstance(game, ImportedGame)
    assert (game.hands, game.cut_hand, game.is_over) == (2, 3, False)
    (_, sentence), *_ = shown_notes(game)
    assert sentence == "The record ends within hand 3. It is shown up to its last whole hand."


def test_gzip_that_ends_too_early_is_read_up_to_there() -> None:
    packed = gzip.compress(MJLOG.encode())
    report = validate(packed[: len(packed) * 3 // 4])
    assert report.notes
    assert not report.faults
    assert 0 < len(report.hands) < len(HANDS)


def test_record_without_a_whole_hand_is_damaged_everywhere() -> None:
    for text in (cut(MJLOG, "<D", 0), cut(MJAI, '{"type":"tsumo"', 0), tenhou6_cut_in(0)):
        game = read_game(text.encode())
        assert isinstance(game, RefusedRecord)
        assert game.code == "damaged"
        with contextlib.suppress(RecordError):
            assert validate(text).faults


# Dialects


def with_own_sticks(text: str) -> str:
    """Return the record as riichi.dev writes it: deltas contain the sticks paid in the hand."""
    paid: list[int] = []

    def change(line: Line) -> Line:
        nonlocal paid
        if line["type"] == "start_kyoku":
            paid = []
        if line["type"] == "reach_accepted":
            paid.append(line["actor"])
            return {"type": "reach_accepted", "actor": line["actor"]}
        if line["type"] in ("hora", "ryukyoku"):
            line.pop("scores", None)
            for seat in paid:
                line["deltas"][seat] -= 1_000
            paid = []
        return line

    return changed(text, change)


def test_deltas_with_the_sticks_of_the_hand_are_recognised() -> None:
    text = with_own_sticks(MJAI)
    assert text != MJAI
    assert_agrees(validate(text))
    lines = lines_of(text)
    second = [line for line in lines if line["type"] == "start_kyoku"][1]
    second["scores"][0] += 100
    report = validate("\n".join(map(json.dumps, lines)))
    assert ("scores", 1) in {(found.what, found.hand) for found in report.differences}


# majiang

_HONOURS = "ESWNPFC"
_DIRECTION = {1: "+", 2: "=", 3: "-"}


def pai(tile: str) -> str:
    if tile in _HONOURS:
        return f"z{_HONOURS.index(tile) + 1}"
    return f"{tile[1]}{0 if tile.endswith('r') else tile[0]}"


def row(tiles: Collection[str]) -> str:
    return "".join(pai(tile) for tile in sorted(tiles, key=pai))


def meld(line: Line) -> str:
    suit, digits = pai(line["consumed"][0])[0], [pai(tile)[1] for tile in line["consumed"]]
    if line["type"] == "ankan":
        return suit + "".join(digits)
    added = pai(line["pai"])[1]
    if line["type"] == "kakan":
        return suit + "".join(digits) + "=" + added
    sign = _DIRECTION[(line["target"] - line["actor"]) % 4]
    if line["type"] == "chi":
        order = sorted([*digits, added + sign], key=lambda entry: entry[0].replace("0", "5"))
        return suit + "".join(order)
    return suit + "".join(digits) + added + sign


def majiang(text: str, first: int = 0) -> dict[str, Any]:
    """Return the mjai record as majiang, in which player `first` deals first."""
    log: list[list[Line]] = []
    dealer, is_replacement, declares = 0, False, False
    for line in lines_of(text):
        kind, seat = line["type"], (line.get("actor", 0) - dealer) % 4
        match kind:
            case "start_kyoku":
                dealer = line["oya"]
                log.append([{"qipai": start(line)}])
            case "tsumo":
                name = "gangzimo" if is_replacement else "zimo"
                log[-1].append({name: {"l": seat, "p": pai(line["pai"])}})
                is_replacement = False
            case "reach":
                declares = True
            case "dahai":
                sign = "_" * line["tsumogiri"] + "*" * declares
                log[-1].append({"dapai": {"l": seat, "p": pai(line["pai"]) + sign}})
                declares = False
            case "chi" | "pon" | "daiminkan":
                log[-1].append({"fulou": {"l": seat, "m": meld(line)}})
                is_replacement = kind == "daiminkan"
            case "ankan" | "kakan":
                log[-1].append({"gang": {"l": seat, "m": meld(line)}})
                is_replacement = True
            case "dora":
                log[-1].append({"kaigang": {"baopai": pai(line["dora_marker"])}})
            case "hora":
                log[-1].append({"hule": win(line, seat, dealer)})
            case "ryukyoku":
                log[-1].append({"pingju": draw(line, dealer)})
    turned = [lines_of(text)[-1]["scores"][(n - first) % 4] for n in range(4)]
    return {"title": "", "player": list("DABC"), "qijia": first, "log": log, "defen": turned}


def from_dealer(values: list[Any], dealer: int) -> list[Any]:
    return values[dealer:] + values[:dealer]


def start(line: Line) -> Line:
    return {
        "zhuangfeng": "ESWN".index(line["bakaze"]),
        "jushu": line["kyoku"] - 1,
        "changbang": line["honba"],
        "lizhibang": line["kyotaku"],
        "defen": from_dealer(line["scores"], line["oya"]),
        "baopai": pai(line["dora_marker"]),
        "shoupai": [row(tiles) for tiles in from_dealer(line["tehais"], line["oya"])],
    }


def win(line: Line, seat: int, dealer: int) -> Line:
    is_tsumo = line["target"] == line["actor"]
    return {
        "l": seat,
        "shoupai": row(_closed(line)) + pai(line["pai"]),
        "baojia": None if is_tsumo else (line["target"] - dealer) % 4,
        "fubaopai": [pai(tile) for tile in line["uradora_markers"]] or None,
        "fu": line["fu"],
        "fanshu": line["fan"],
        "defen": line["hora_points"],
        "fenpei": from_dealer(line["deltas"], dealer),
    }


def _closed(line: Line) -> list[str]:
    """Return the closed tiles without the winning one."""
    tiles = list(line["hora_tehais"])
    if len(tiles) % 3 == 2:
        tiles.remove(line["pai"])
    return tiles


def draw(line: Line, dealer: int) -> Line:
    names = {"fanpai": "荒牌平局", "exhaustive": "荒牌平局", "kyushukyuhai": "九種九牌"}
    shown = [row(tiles) if "?" not in tiles else "" for tiles in line["tehais"]]
    if "tenpais" in line:
        shown = [hand if is_in else "" for hand, is_in in zip(shown, line["tenpais"], strict=True)]
    return {
        "name": names[line["reason"]],
        "shoupai": from_dealer(shown, dealer),
        "fenpei": from_dealer(line["deltas"], dealer),
    }


@pytest.mark.parametrize("first", [0, 1])
def test_majiang_is_read_with_seats_from_the_first_dealer(first: int) -> None:
    text = json.dumps(majiang((FIXTURES / "own.mjson").read_text(), first))
    report = validate(text)
    assert_agrees(report, hands=5)
    assert report.format == "majiang"
    assert read_recorded_game(text.encode()).names == (
        tuple("DABC") if first == 0 else tuple("ABCD")
    )
    game = read_game(text.encode())
    assert isinstance(game, ImportedGame)
    assert game.hands == 5


def test_majiang_record_that_ends_too_early() -> None:
    text = json.dumps(majiang((FIXTURES / "own.mjson").read_text()))
    report = validate(text[: len(text) * 2 // 3])
    assert not report.faults
    assert not report.differences
    assert report.notes[-1].endswith("the record ends within it")


# Files that are no record


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"PK\x03\x04" + bytes(60), "zip"),
        (b"<!doctype html><html></html>", "html"),
        (b"<?xml version='1.0'?>\n<html lang='ja'>", "html"),
        (b'{"name":".lq.GameDetailRecords","data":""}', "soul_export"),
        (b'[{"name":"RecordNewRound","data":{"chang":0}}]', "soul_export"),
    ],
)
def test_other_files_are_named(raw: bytes, code: str) -> None:
    with pytest.raises(OtherFile) as refused:
        read_recorded_game(raw)
    assert refused.value.code == code
    refusal = read_game(raw)
    assert isinstance(refusal, RefusedRecord)
    assert refusal.code == code


@pytest.mark.parametrize("result", [None, []])
def test_last_hand_without_result_is_not_the_end_of_the_game(result: list[Any] | None) -> None:
    file = json.loads(TENHOU6)
    assert file["sc"]
    if result is None:
        file["log"][-1].pop()
    else:
        file["log"][-1][-1] = result
    report = validate(json.dumps(file))
    assert not report.differences
    assert len(report.hands) == len(HANDS) - 1


@pytest.mark.parametrize(
    "write",
    [
        lambda text: MJAI.replace("{", f'{{"zz":{text},', 1),
        lambda text: TENHOU6.replace("{", f'{{"zz":{text},', 1),
    ],
)
def test_deeply_nested_record_is_refused(write: Callable[[str], str]) -> None:
    with pytest.raises(RecordError, match="nested"):
        read_recorded_game(write("[" * 100_000 + "]" * 100_000).encode())


@pytest.mark.parametrize(
    "begin", ["<!-- ", "<![CDATA[", "<?x ", "<!DOCTYPE mjloggm [<!ENTITY h ''>]>"]
)
def test_mjlog_with_hidden_elements_is_refused(begin: str) -> None:
    """Other programs would not see them, or others than this one."""
    with pytest.raises(RecordError, match="which no mjlog contains"):
        read_recorded_game(MJLOG.replace("<GO", f"{begin}<GO", 1).encode())
    assert_agrees(validate('<?xml version="1.0" encoding="utf-8"?>\n' + MJLOG))
