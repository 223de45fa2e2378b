"""The validator finds every single change of a valid record and names its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game.engine.by_seat import BySeat
from game.records.mjlog_codes import call_event, decode_meld
from game.records.reading import read_recorded_game
from game.records.recorded import RecordError
from game.records.validate import FileReport, validate_game

FIXTURES = Path(__file__).parent / "fixtures"
MJLOG = (FIXTURES / "own.mjlog").read_text()
TENHOU6 = (FIXTURES / "own.json").read_text()
MJAI = (FIXTURES / "own.mjson").read_text()


def validate(text: str) -> FileReport:
    return validate_game("changed", read_recorded_game(text.encode()))


def replace_occurrence(text: str, old: str, new: str, number: int = 0) -> str:
    """Return the text with that occurrence changed."""
    places = [found.start() for found in re.finditer(re.escape(old), text)]
    assert len(places) > number, f"{old!r} is there {len(places)} times"
    at = places[number]
    return text[:at] + new + text[at + len(old) :]


def objections(report: FileReport) -> list[str]:
    """Return all objections as lines: hand, place, what, and the values of both sides."""
    found = [
        f"hand {it.hand}, {it.place}: {it.what}: {it.ours} / {it.theirs}"
        for it in report.differences
    ]
    return [*found, *report.faults]


@pytest.mark.parametrize("text", [MJLOG, TENHOU6, MJAI], ids=["mjlog", "tenhou6", "mjai"])
def test_unchanged_record_has_no_difference(text: str) -> None:
    report = validate(text)
    assert not objections(report)
    assert len(report.hands) == 5
    assert report.hands[-1].final == (43_500, 18_800, 15_900, 21_800)


CHANGES: dict[str, BySeat[str]] = {
    # Tiles
    "mjlog, another draw": (MJLOG, "<T134/>", "<T27/>", "hand 0, element 7: course of the hand"),
    "mjlog, another copy drawn": (MJLOG, "<T134/>", "<T132/>", "hand 0, element 7: tiles"),
    "mjlog, another discard": (MJLOG, "<D117/>", "<D3/>", "hand 0, element 8: illegal"),
    "mjai, another discard": (
        MJAI,
        '{"type":"dahai","actor":1,"pai":"8m","tsumogiri":false}',
        '{"type":"dahai","actor":1,"pai":"9m","tsumogiri":false}',
        "illegal",
    ),
    "mjai, another draw": (
        MJAI,
        '{"type":"tsumo","actor":0,"pai":"C"}',
        '{"type":"tsumo","actor":0,"pai":"3p"}',
        "illegal: that tile is not in your hand / seat 0 discards C",
    ),
    "tenhou6, another draw": (
        TENHOU6,
        "[47,43,39,33,46,44,11,",
        "[23,43,39,33,46,44,11,",
        "illegal: that tile is not in your hand / seat 0 discards C",
    ),
    "tenhou6, another discard": (
        TENHOU6,
        "[43,32,60,52,43,",
        "[43,23,60,52,43,",
        "illegal: that tile is not in your hand / seat 0 discards 3p",
    ),
    # Payments
    "mjai, the stick of a riichi": (
        MJAI,
        '"deltas":[0,0,-1000,0]',
        '"deltas":[0,0,-900,0]',
        "hand 0, line 74, reach_accepted: the deltas [0, 0, -900, 0] are not those of a stick",
    ),
    "mjai, the stick of a riichi without the other seats": (
        MJAI,
        '"deltas":[0,0,-1000,0]',
        '"deltas":[0,0,-1000]',
        "these are not numbers for 4 seats: [0, 0, -1000]",
    ),
    "mjlog, a payment": (MJLOG, "240,59,250,0", "240,60,250,0", "payments: 5900 0 -3900 0 / 6000"),
    "mjlog, what a win is worth": (MJLOG, 'ten="40,3900,0"', 'ten="40,4000,0"', "points: 3900"),
    "mjlog, fu": (MJLOG, 'ten="40,3900,0"', 'ten="50,3900,0"', "fu: 40 / 50"),
    "mjlog, a limit": (MJLOG, 'ten="25,12000,2"', 'ten="25,12000,1"', "limit: haneman / mangan"),
    "mjlog, the score after a stick": (
        MJLOG,
        'ten="250,250,240,250"',
        'ten="250,250,250,250"',
        "scores",
    ),
    "mjlog, a final score": (MJLOG, 'owari="435,', 'owari="436,', "final scores"),
    "mjlog, final points": (MJLOG, ",53.0,188", ",54.0,188", "final points: 53.0"),
    "mjlog, a score at the deal": (
        MJLOG,
        'ten="299,250,201,250" oya="1"',
        'ten="299,251,200,250" oya="1"',
        "hand 2, : scores: 29900 25000",
    ),
    "tenhou6, a payment": (TENHOU6, "[5900,0,-3900,0]", "[5900,0,-3900,100]", "payments"),
    "tenhou6, a worth": (TENHOU6, "40符2飜3900点", "40符2飜2600点", "points: 3900 / 2600"),
    "tenhou6, noten payments": (
        TENHOU6,
        '["流局",[0,0,0,0]]',
        '["流局",[1000,1000,1000,-3000]]',
        "payments",
    ),
    "mjai, a payment": (
        MJAI,
        '"deltas":[5900,0,-3900,0]',
        '"deltas":[5900,-3900,0,0]',
        "payments: 5900 0 -3900 0 / 5900 -3900 0 0",
    ),
    "mjai, fu": (MJAI, '"fu":40', '"fu":30', "fu: 40 / 30"),
    "mjai, a final score": (
        MJAI,
        '"end_game","scores":[43500',
        '"end_game","scores":[43600',
        "final scores",
    ),
    # Yaku
    "mjlog, a yaku": (MJLOG, 'yaku="1,1,19,1"', 'yaku="1,1,20,1"', "yaku: hatsu 1"),
    "mjlog, a yaku more": (MJLOG, 'yaku="1,1,19,1"', 'yaku="1,1,19,1,7,1"', "yaku"),
    "mjlog, a riichi left out": (MJLOG, 'yaku="1,1,19,1"', 'yaku="19,1"', "han: 2 / 1"),
    "tenhou6, a yaku": (TENHOU6, "役牌　發(1飜)", "役牌　中(1飜)", "yaku"),
    "mjai, a yaku": (MJAI, '["sangenpai",1]', '["bakaze",1]', "yaku"),
    # Indicators
    "mjlog, an ura indicator": (MJLOG, 'doraHaiUra="28,7"', 'doraHaiUra="29,7"', "hand 0"),
    "mjlog, a kan dora": (MJLOG, '<DORA hai="115"/>', '<DORA hai="114"/>', "hand 0"),
    "tenhou6, an ura indicator": (
        TENHOU6,
        "[43,42],[18,12]",
        "[43,42],[45,12]",
        "yaku: hatsu 1, riichi 1, ura 3 / hatsu 1, riichi 1",
    ),
    # Calls
    "mjai, a call by another seat": (
        MJAI,
        '{"type":"chi","actor":1,"target":0,"pai":"9s"',
        '{"type":"chi","actor":2,"target":0,"pai":"9s"',
        "hand 0, line 21: illegal: seat 2 may not take the tile / seat 2 calls chi from seat 0",
    ),
    "mjai, a call with other tiles": (
        MJAI,
        '"pai":"9s","consumed":["7s","8s"]',
        '"pai":"9s","consumed":["8s","8s"]',
        "hand 0, line 21: illegal",
    ),
    "mjai, a call of another seat's tile": (
        MJAI,
        '{"type":"chi","actor":1,"target":0,"pai":"9s"',
        '{"type":"chi","actor":1,"target":3,"pai":"9s"',
        "hand 0, line 21: course of the hand",
    ),
    "mjai, a call that was not made": (
        MJAI,
        '{"type":"chi","actor":1,"target":0,"pai":"9s","consumed":["7s","8s"]}\n',
        "",
        "hand 0, line 21: course of the hand",
    ),
    "mjai, a riichi that was not declared": (MJAI, '{"type":"reach","actor":2}\n', "", "hand 0"),
    "tenhou6, a call with other tiles": (TENHOU6, '"c393738"', '"c393839"', "hand 0"),
    "tenhou6, a call from another seat": (TENHOU6, '"p262626"', '"26p2626"', "hand 0"),
    "tenhou6, a riichi that was not declared": (TENHOU6, '"r12"', "12", "hand 0"),
    # Who deals, and what lies on the table
    "mjlog, honba": (MJLOG, '<INIT seed="1,2,0', '<INIT seed="1,1,0', "hand 2, : honba: 2 / 1"),
    "mjlog, the dealer": (
        MJLOG,
        '<INIT seed="2,0,0,0,0,121" ten="435,188,159,218" oya="2"',
        '<INIT seed="3,0,0,0,0,121" ten="435,188,159,218" oya="3"',
        "dealer: 2 / 3",
    ),
    "mjlog, riichi sticks": (MJLOG, '<INIT seed="2,0,0', '<INIT seed="2,0,1', "riichi sticks"),
    "mjlog, sticks at a win": (MJLOG, '<AGARI ba="0,2"', '<AGARI ba="0,1"', "riichi sticks: 2 / 1"),
    "mjlog, who dealt in": (MJLOG, 'who="0" fromWho="2"', 'who="0" fromWho="1"', "from: 2 / 1"),
    "mjlog, another kind of draw": (
        MJLOG,
        '<RYUUKYOKU ba="1,0"',
        '<RYUUKYOKU type="kan4" ba="1,0"',
        "draw: exhaustive",
    ),
    "mjlog, liability": (MJLOG, 'fromWho="2" sc=', 'fromWho="2" paoWho="3" sc=', "liable seat"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_single_change_is_found(name: str) -> None:
    text, old, new, expected = CHANGES[name]
    found = objections(validate(replace_occurrence(text, old, new)))
    assert any(expected in line for line in found), found


DAMAGES: dict[str, BySeat[str]] = {
    "mjlog, a tile twice": (MJLOG, "<V18/>", "<V134/>", "tile 134 appears a second time"),
    "mjlog, no such tile": (MJLOG, "<V18/>", "<V136/>", "there is no tile 136"),
    "mjlog, an unknown element": (MJLOG, "<V18/>", "<X18/>", "<X18/>: unknown element"),
    "mjlog, a damaged element": (MJLOG, "<V18/>", "<V1x8/>", "the element is damaged"),
    "mjlog, an attribute missing": (MJLOG, 'machi="97" ', "", "it has no 'machi'"),
    "mjlog, an unknown yaku": (MJLOG, 'yaku="1,1,19,1"', 'yaku="1,1,99,1"', "unknown yaku 99"),
    "mjlog, an unknown draw": (
        MJLOG,
        '<RYUUKYOKU ba="1,0"',
        '<RYUUKYOKU type="what" ba="1,0"',
        "unknown kind of draw",
    ),
    "tenhou6, a tile five times": (
        TENHOU6,
        "[16,52,28,29,",
        "[16,52,26,29,",
        "the tile 6p appears 5 times; only 4 exist",
    ),
    "tenhou6, no such tile": (
        TENHOU6,
        "[16,52,28,29,",
        "[16,52,48,29,",
        "the deal of seat 0: there is no tile 48",
    ),
    "tenhou6, an unknown result": (
        TENHOU6,
        '"流局"',
        '"流浪"',
        "the result: unknown result '流浪'",
    ),
    "tenhou6, an unknown entry": (TENHOU6, '"k26262626"', '"z26262626"', "z26262626"),
    "tenhou6, a discard missing": (TENHOU6, "[43,32,60,52,", "[32,60,52,", "fit no order"),
    "mjai, a tile five times": (
        MJAI,
        '["6m","5pr","8p"',
        '["6m","6p","8p"',
        "the tile 6p appears 5 times; only 4 exist",
    ),
    "mjai, no such tile": (
        MJAI,
        '"pai":"9s","consumed"',
        '"pai":"0s","consumed"',
        "line 21, chi: no such tile: '0s'",
    ),
    "mjai, an unknown event": (
        MJAI,
        '"type":"chi","actor":1',
        '"type":"chow","actor":1',
        "line 21, chow: unknown event",
    ),
    "mjai, half a line": (MJAI, '"pai":"9s","consumed":["7s","8s"]}', '"pai":"9', "line 21"),
    "mjai, a field missing": (
        MJAI,
        '"pai":"9s","consumed":["7s","8s"]',
        '"pai":"9s"',
        "line 21, chi: it has no 'consumed'",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_hand_does_not_stop_the_others(name: str) -> None:
    text, old, new, expected = DAMAGES[name]
    report = validate(replace_occurrence(text, old, new))
    assert any(expected in fault for fault in report.faults), report
    assert report.faults[0].startswith("hand ")
    assert not report.differences
    assert len(report.hands) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not a record"),
        (MJLOG.replace("<GO", "<NO"), "unknown element NO"),
        (MJLOG[: MJLOG.index("<INIT")], "no hand"),
        (MJLOG[:200], "the file ends within an element: <SHUFFLE"),
        (MJLOG.replace("base64,D", "base64,!"), "seed of the walls is damaged"),
        (TENHOU6[: TENHOU6.index('"log"') + 60], "JSON is damaged"),
        (MJAI.splitlines()[0], "no hand"),
        (MJAI.replace('{"type":"start_game"', '{"type":', 1), "line 1"),
        (
            MJAI.replace('"end_game","scores":[43500', '"end_game","scores":["43500"'),
            "final scores",
        ),
        (MJAI.replace('"end_game","scores":[43500,', '"end_game","scores":['), "final scores"),
    ],
    ids=[
        *("empty", "no GO", "no INIT", "cut within an element", "seed", "half a JSON"),
        *("no start_kyoku", "line 1"),
        *("a final score as text", "three final scores"),
    ],
)
def test_an_unreadable_file_is_reported_with_a_reason(text: str, expected: str) -> None:
    with pytest.raises(RecordError, match=expected):
        read_recorded_game(text.encode())


def test_record_ending_within_its_first_hand_is_damaged() -> None:
    for text in (MJLOG[: MJLOG.index("<REACH")], MJAI[: MJAI.index('{"type":"reach"')]):
        report = validate(text)
        assert "the hand has no end" in report.faults[-1]


_CALL = r'<N who="(\d)" m="(\d+)"/>'


def _each(pattern: str, text: str, change: Callable[[re.Match[str]], str]) -> Iterator[str]:
    for found in re.finditer(pattern, text):
        yield text[: found.start()] + change(found) + text[found.end() :]


def _beginnings() -> list[str]:
    """Return the record of tenhou.net with its first hand, with its first two, and so on, so that a
    change in a hand can be tried without the hands after it."""
    starts = [found.start() for found in re.finditer("<INIT", MJLOG)]
    return [MJLOG[:start] for start in starts[1:]] + [MJLOG]


def _each_in_last_hand(
    pattern: str, text: str, change: Callable[[re.Match[str]], str]
) -> Iterator[str]:
    last = text.rindex("<INIT")
    yield from (text[:last] + other for other in _each(pattern, text[last:], change))


def test_beginnings_of_a_record_have_no_fault() -> None:
    for text in _beginnings():
        assert not objections(validate(text))


def _first_hand(text: str, begin: str) -> str:
    """Return the record with only its first hand, so that many changes can be tried."""
    second = [found.start() for found in re.finditer(re.escape(begin), text)][1]
    return text[:second]


def test_every_changed_draw_is_found() -> None:
    """Another kind and another copy of the same kind are both found, by the wall of the seed."""
    hand = _first_hand(MJLOG, "<INIT")
    for step in (1, 4):
        for other in _each(
            r"<([T-W])(\d+)/>",
            hand,
            lambda found: f"<{found[1]}{(int(found[2]) + step) % 136}/>",  # noqa: B023
        ):
            assert objections(validate(other))


def test_discard_of_a_tile_not_held_is_found() -> None:
    hand = _first_hand(MJLOG, "<INIT")
    numbers = {int(number) for number in re.findall(r"\d+", hand[hand.index("<INIT") :])}
    nowhere = min(set(range(136)) - numbers)
    for other in _each(r"<([D-G])\d+/>", hand, lambda found: f"<{found[1]}{nowhere}/>"):
        assert objections(validate(other))


def test_every_changed_payment_is_found() -> None:
    for text in _beginnings():
        last = text.rindex("<INIT")
        for found in re.finditer(r' (?:sc|ten|ba|owari)="([^"]*)"', text[last:]):
            for number in re.finditer(r"[\d.]+", found[1]):
                start = last + found.start(1) + number.start()
                other = str(float(number[0]) + 1) if "." in number[0] else int(number[0]) + 1
                changed = f"{text[:start]}{other}{text[start + len(number[0]) :]}"
                assert objections(validate(changed)), f"{found[0]}: {number[0]} made {other}"


def test_every_changed_call_is_found() -> None:
    """The test changes each bit of each call's code that makes another call, and the caller."""
    for text in _beginnings():
        for bit in range(16):
            for other in _each_in_last_hand(
                _CALL,
                text,
                lambda found: _with_bit_changed(found, bit),  # noqa: B023
            ):
                assert other == text or objections(validate(other)), f"bit {bit}"
        for other in _each_in_last_hand(
            r'<N who="(\d)"', text, lambda found: f'<N who="{(int(found[1]) + 1) % 4}"'
        ):
            assert objections(validate(other))


def _with_bit_changed(found: re.Match[str], bit: int) -> str:
    code = int(found[2])
    other = code ^ 1 << bit
    try:
        is_the_same = call_event(0, decode_meld(other), True) == call_event(
            0, decode_meld(code), True
        )
    except ValueError:
        is_the_same = False
    return found[0] if is_the_same else f'<N who="{found[1]}" m="{other}"/>'
