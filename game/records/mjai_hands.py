"""Reads one hand of an mjai record, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from game.engine.by_seat import BySeat
from game.engine.draws import ABORTS
from game.engine.events import (
    AnkanDeclared,
    DaiminkanCalled,
    Discarded,
    DoraRevealed,
    Drawn,
    KakanDeclared,
    NorthSetAside,
    RiichiAccepted,
    RiichiDeclared,
)
from game.engine.rules import RuleSet
from game.engine.state import DEALS_PER_ROUND, STICK_POINTS
from game.engine.tiles import EAST, HIDDEN, NO_TILE, kind_of, tile_from_text
from game.records.mjlog_results import REASONS as OF_TENHOU
from game.records.recorded import (
    BadHand,
    CutOff,
    RecordedDraw,
    RecordedEvent,
    RecordedHand,
    RecordedWin,
    call_from_mjai,
    read_numbers_by_seat,
)
from game.records.recorded_wall import RecordedWall
from game.records.yaku_names import MJAI_YAKU, RENHOU, YAKUMAN_IDS

REASONS: Final = {
    "fanpai": "exhaustive",
    "howanpai": "exhaustive",
    "exhaustive": "exhaustive",
    "nagashimangan": "nagashi_mangan",
    "nagashi_mangan": "nagashi_mangan",
    "kyushukyuhai": "kyushu_kyuhai",
    "kyushu_kyuhai": "kyushu_kyuhai",
    "sufonrenta": "sufon_renda",
    "sufon_renda": "sufon_renda",
    "suchareach": "sucha_riichi",
    "sucha_riichi": "sucha_riichi",
    "sukaikan": "sukaikan",
    "sanchaho": "sanchaho",
    "chombo": "chombo",
    **{name: reason for name, reason in OF_TENHOU.items() if name},
}
"""Reasons of draws by gimite's names, by ours, and by those of mjlog, which some writers keep."""
DAMAGE_TYPE: Final = "damage"
CUT_TYPE: Final = "cut"
"""The type of an event of which the record has only the beginning."""
_SPELLINGS: Final = {
    "chii": "chi",
    "ryuukyoku": "ryukyoku",
    "agari": "hora",
    "haipai": "start_kyoku",
    "kyoutaku": "kyotaku",
    "nukidora": "kita",
    "ura_markers": "uradora_markers",
}
_IGNORED_TYPES: Final = frozenset({"none", "hello", "end_kyoku", "end_game", "error", CUT_TYPE})
_CALLS: Final = ("chi", "pon", "daiminkan")
_OWN_DECLARATIONS: Final = ("ankan", "kakan", "kita")
"""What a seat declares on its own turn."""
_YAKUMAN_HAN: Final = 100
"""The han of a yakuman in mjai."""


class MjaiLine(NamedTuple):
    """An event of mjai with the usual spelling of its type."""

    number: int
    type: str
    fields: dict[str, Any]


def normalize_event(number: int, event: Any) -> MjaiLine:
    """Return the event with the usual spelling of its type, or a damaged event if it is invalid."""
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str):
        return damaged_line(number, f"this is not an event: {str(event)[:80]}")
    fields: dict[str, Any] = {_SPELLINGS.get(name, name): value for name, value in event.items()}
    if "start_kyoku" in fields:
        fields["tehais"] = fields.pop("start_kyoku")
    return MjaiLine(number, _SPELLINGS.get(kind, kind), fields)


def damaged_line(number: int, why: str) -> MjaiLine:
    """Return an event that replaces an unreadable line."""
    return MjaiLine(number, DAMAGE_TYPE, {DAMAGE_TYPE: why})


class Scores:
    """The running scores of the record, for hands that start without recorded scores."""

    def __init__(self, start: int, players: int) -> None:
        self.players = players
        self.now: BySeat[int] = (start,) * players
        self.is_known = True
        """Whether the record contains all changes since the last known scores."""
        self.had_gaps = False

    def update_from(self, fields: dict[str, Any]) -> BySeat[int] | None:
        """Update and return the scores after an event. None if the event has no scores or deltas,
        or if the scores are unknown."""
        if fields.get("scores") is not None:
            self.set_scores(read_numbers_by_seat(fields["scores"], self.players))
        elif fields.get("deltas"):
            deltas = read_numbers_by_seat(fields["deltas"], self.players)
            self.now = tuple(map(sum, zip(self.now, deltas, strict=True)))
        else:
            return None
        return self.now if self.is_known else None

    def set_scores(self, scores: BySeat[int]) -> None:
        self.now, self.is_known = scores, True

    def miss_change(self) -> None:
        """Note that the record lacks a change of scores, so that the scores are unknown from here
        on."""
        self.is_known, self.had_gaps = False, True

    def pay_stick(self, seat: int) -> None:
        scores = list(self.now)
        scores[seat] -= STICK_POINTS
        self.now = tuple(scores)


def read_mjai_hand(
    number: int, lines: Sequence[MjaiLine], rules: RuleSet, scores: Scores, *, is_last: bool
) -> RecordedHand | BadHand:
    """Return the hand of these events. The first event is `start_kyoku`."""
    line = lines[0]
    try:
        reader = _Reader(number, line.fields, rules, scores)
        for line in lines[1:]:
            reader.take(line)
        return reader.finish(lines)
    except CutOff as error:
        return BadHand(number, f"line {line.number}, {line.type}: {error}", is_cut_off=is_last)
    except KeyError as error:
        return BadHand(number, f"line {line.number}, {line.type}: it has no {error}")
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        return BadHand(number, f"line {line.number}, {line.type}: {error}")


class _Reader:
    def __init__(self, number: int, start: dict[str, Any], rules: RuleSet, scores: Scores) -> None:
        self.number = number
        self.scores = scores
        wind = kind_of(tile_from_text(start["bakaze"])) - EAST
        self.kyoku = DEALS_PER_ROUND * wind + start["kyoku"] - 1
        if start["oya"] != self.kyoku % DEALS_PER_ROUND:
            raise ValueError(f"seat {start['oya']} deals in {start['bakaze']} {start['kyoku']}")
        self.honba, self.kyotaku = start["honba"], start.get("kyotaku")
        if start.get("scores") is not None:
            scores.set_scores(read_numbers_by_seat(start["scores"], rules.players))
        self.start_scores = scores.now if scores.is_known else None
        self._rules = rules
        self.recorded_wall = RecordedWall(rules, self.kyoku % DEALS_PER_ROUND)
        self.dora_marker = tile_from_text(start["dora_marker"])
        self.recorded_wall.place_indicator(self.dora_marker)
        self.tehais = tuple([_read_tiles(row) for row in start["tehais"][: rules.players]])
        for seat, row in enumerate(self.tehais):
            self.recorded_wall.deal(seat, row)
        self.events: list[RecordedEvent] = []
        self.places: list[int] = []
        self.scores_after: list[tuple[int, BySeat[int]]] = []
        self.replaced_by = -1

    def take(self, line: MjaiLine) -> None:
        if line.type in _IGNORED_TYPES:
            return
        recorded = self._read_event(line.type, line.fields)
        self.events.append(recorded)
        self.places.append(line.number)
        if isinstance(recorded, DaiminkanCalled | AnkanDeclared | KakanDeclared | NorthSetAside):
            self.replaced_by = recorded.actor

    def _read_event(self, kind: str, fields: dict[str, Any]) -> RecordedEvent:
        match kind:
            case "tsumo":
                tile, seat = tile_from_text(fields["pai"]), fields["actor"]
                is_replacement = self.replaced_by == seat
                self.recorded_wall.draw(tile, rinshan=is_replacement)
                self.replaced_by = -1
                return Drawn(seat, tile, is_replacement)
            case "dahai":
                tile = tile_from_text(fields["pai"])
                return Discarded(fields["actor"], tile, bool(fields["tsumogiri"]))
            case "dora":
                marker = tile_from_text(fields["dora_marker"])
                self.recorded_wall.place_indicator(marker)
                return DoraRevealed(marker)
            case "reach":
                return RiichiDeclared(fields["actor"])
            case "reach_accepted":
                return self._read_accepted_riichi(fields)
            case "hora":
                return self._read_win(fields)
            case "ryukyoku":
                return read_ryukyoku(fields, self.scores)
            case "damage":
                raise ValueError(fields[DAMAGE_TYPE])
            case _:
                return _call_event(kind, fields)

    def _read_accepted_riichi(self, fields: dict[str, Any]) -> RiichiAccepted:
        if fields.get("deltas") and not _is_stick(fields, self.scores.players):
            raise ValueError(f"the deltas {fields['deltas']} are not those of a stick")
        after = self.scores.update_from(fields)
        if after:
            self.scores_after.append((len(self.events), after))
        else:
            self.scores.pay_stick(fields["actor"])
        return RiichiAccepted(fields["actor"])

    def _read_win(self, fields: dict[str, Any]) -> RecordedWin:
        win = read_hora(fields, self.scores)
        is_riichi = RiichiAccepted(win.actor) in self.events
        if win.ura == () and is_riichi and self._rules.ura_dora:  # such a win always shows some
            win = replace(win, ura=None)
        self.recorded_wall.place_ura(win.ura or ())
        return win

    def finish(self, lines: Sequence[MjaiLine]) -> RecordedHand:
        broken_off = ""
        if not self.events or not isinstance(self.events[-1], RecordedWin | RecordedDraw):
            errors = [line for line in lines if line.type == "error"]
            if not errors:
                raise CutOff("the hand has no end")
            why = errors[-1].fields.get("why", "an error")
            broken_off = f"the record stops with {why} in line {errors[-1].number}"
        return RecordedHand(
            number=self.number,
            kyoku=self.kyoku,
            honba=self.honba,
            kyotaku=self.kyotaku,
            scores=self.start_scores,
            dora_marker=self.dora_marker,
            tehais=self.tehais,
            wall=self.recorded_wall.wall(),
            events=tuple(self.events),
            places=tuple(self.places),
            scores_after=tuple(self.scores_after),
            broken_off=broken_off,
        )


def _is_stick(fields: dict[str, Any], players: int) -> bool:
    """Return whether these deltas are the payment of one riichi stick by the event's seat."""
    return read_numbers_by_seat(fields["deltas"], players) == tuple(
        [-STICK_POINTS if seat == fields["actor"] else 0 for seat in range(players)]
    )


def _call_event(kind: str, fields: dict[str, Any]) -> RecordedEvent:
    if kind not in (*_CALLS, *_OWN_DECLARATIONS):
        raise ValueError("unknown event")
    target = fields["target"] if kind in _CALLS else fields["actor"]
    pai = NO_TILE if kind == "ankan" else tile_from_text(fields["pai"])
    consumed = () if kind == "kita" else _read_tiles(fields["consumed"])
    return call_from_mjai(kind, fields["actor"], target, pai, consumed)


def read_hora(fields: dict[str, Any], scores: Scores) -> RecordedWin:
    """Return the win of a hora event. Many dialects omit fields; these are None."""
    pai = tile_from_text(fields["pai"]) if "pai" in fields else None
    yaku, is_yakuman = _read_yaku(fields.get("yakus"))
    ura = fields.get("uradora_markers")
    deltas = fields.get("deltas")
    after = scores.update_from(fields)
    if deltas is None and after is None:
        scores.miss_change()
    return RecordedWin(
        actor=fields["actor"],
        target=fields["target"],
        pai=pai,
        tehai=_concealed_tiles(fields.get("hora_tehais"), pai),
        ura=None if ura is None else tuple([tile_from_text(text) for text in ura]),
        yaku=yaku,
        fan=fields.get("fan"),
        fu=fields.get("fu"),
        yakuman=is_yakuman,
        points=fields.get("hora_points"),
        deltas=None if deltas is None else read_numbers_by_seat(deltas, scores.players),
        scores=after,
    )


def read_ryukyoku(fields: dict[str, Any], scores: Scores) -> RecordedDraw:
    """Return the draw of a ryukyoku event. Hands and tenpai are read only if the wall was used
    up."""
    reason = fields.get("reason") or ""
    if reason and reason not in REASONS:
        raise ValueError(f"unknown reason {reason!r}")
    reason = REASONS.get(reason, "")
    tenpais = fields.get("tenpais") if reason == "exhaustive" or "nagashi" in fields else None
    if tenpais is not None:
        tenpais = tenpais[: scores.players]
    deltas = fields.get("deltas")
    after = scores.update_from(fields)
    if not deltas and after is None and reason not in ABORTS:
        scores.miss_change()
    return RecordedDraw(
        reason=reason,
        tehais=_shown_hands(fields.get("tehais"), tenpais),
        tenpais=None if tenpais is None else tuple(tenpais),
        deltas=read_numbers_by_seat(deltas, scores.players) if deltas else None,
        scores=after,
        foul=fields.get("foul"),
        offenders=tuple(fields["offenders"]) if "offenders" in fields else None,
    )


def _shown_hands(
    rows: Sequence[Sequence[str]] | None, tenpais: Sequence[bool] | None
) -> tuple[tuple[int, ...] | None, ...] | None:
    """Return the hands of the tenpai seats; None for a hand that the record does not show. Closed
    hands are recorded as hidden tiles."""
    if rows is None or tenpais is None:
        return None
    read = [_read_tiles(row) for row in rows[: len(tenpais)]]
    return tuple(
        [
            row if is_tenpai else () if HIDDEN in row else None
            for row, is_tenpai in zip(read, tenpais, strict=True)
        ]
    )


def _concealed_tiles(row: Sequence[str] | None, pai: int | None) -> tuple[int, ...] | None:
    """Return the concealed tiles without the winning tile. Some writers include it on tsumo."""
    if row is None or "?" in row:
        return None
    tiles = list(_read_tiles(row))
    if len(tiles) % 3 == 2 and pai in tiles:
        tiles.remove(pai)
    return tuple(tiles)


def _read_yaku(pairs: Any) -> tuple[tuple[tuple[str, int], ...] | None, bool | None]:
    """Return the yaku with their han, and whether they are yakuman; None for both if a name is
    unknown. The record does not say whether a yakuman is a double one."""
    if pairs is None or any(name not in MJAI_YAKU for name, _ in pairs):
        return None, None
    found = [(MJAI_YAKU[name], han) for name, han in pairs if han]
    yakuman = tuple([(name, 1) for name, han in found if _is_yakuman(name, han)])
    return yakuman or tuple(found), bool(yakuman)


def _is_yakuman(name: str, han: int) -> bool:
    return name in YAKUMAN_IDS or (name == RENHOU and han >= _YAKUMAN_HAN)


def _read_tiles(row: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted([tile_from_text(text) for text in row]))
