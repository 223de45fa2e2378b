"""Writes a game of this site as mjlog, with a number 0..135 for each tile.

Other programs expect ranks and ratings, so every player gets those of a new player.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from game.engine import events as facts
from game.engine.events import Event
from game.engine.state import DEALS_PER_ROUND, SEATS, STICK_POINTS
from game.engine.tiles import EAST, NORTH, kind_of
from game.engine.wall import LAYOUTS
from game.records.mjlog import HANCHAN, NO_KUITAN, NO_REDS, THREE_PLAYERS
from game.records.mjlog_results import LIMITS, REASONS
from game.records.own import MARK_KEY, FormatCannotExpress, OwnGame, PlayedHand, own_mark
from game.records.recorded import fill_four_slots
from game.records.tenhou_versions import USUAL_REDS
from game.records.yaku_names import MJLOG_YAKU, NUKIDORA_AS_DORA

_YAKU: Final = {name: number for number, name in MJLOG_YAKU.items()}
_FIRST_SEAT_WIND: Final = 10
_FIRST_ROUND_WIND: Final = 14
_REASON: Final = {reason: name for name, reason in REASONS.items()}
_HUMAN_PLAYERS_BIT: Final = 0x01
_RANK_ATTRIBUTES: Final = 'dan="0,0,0,0" rate="1500.00,1500.00,1500.00,1500.00" sx="M,M,M,M"'


def write_mjlog(game: OwnGame) -> str:
    """Return the game as mjlog text. Raises `FormatCannotExpress` for games with rules that mjlog
    cannot express."""
    if game.rules.red_fives not in ((0, 0, 0), USUAL_REDS[game.rules.players]):
        raise FormatCannotExpress("red_fives", "the format has one red five of each suit, or none")
    elements = ['<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/>', _go_element(game)]
    seats = enumerate(fill_four_slots(game.names, ""))
    names = " ".join(f'n{seat}="{quote(name)}"' for seat, name in seats)
    elements.append(f'<UN {names} {_RANK_ATTRIBUTES}/><TAIKYOKU oya="0"/>')
    for hand in game.hands:
        elements += _Writer(hand, is_broken_off=game.is_broken_off).elements
    return "".join(elements) + "</mjloggm>"


def _go_element(game: OwnGame) -> str:
    rules = game.rules
    kind = _HUMAN_PLAYERS_BIT | (HANCHAN if rules.length == "east_south" else 0)
    kind |= (0 if any(rules.red_fives) else NO_REDS) | (0 if rules.kuitan else NO_KUITAN)
    kind |= 0 if rules.players == len(SEATS) else THREE_PLAYERS
    attribute = ""
    if mark := own_mark(game):
        text = quote(json.dumps(mark, separators=(",", ":")), safe="")
        attribute = f' {MARK_KEY}="{text}"'
    return f'<GO type="{kind}" lobby="0"{attribute}/>'


def number_tiles(wall: bytes) -> list[int]:
    """Give each tile of the wall its number 0..135. Red fives have the lowest number of their
    kind."""
    with_reds = {tile >> 1 for tile in wall if tile & 1}
    given: dict[int, int] = {}
    numbers = []
    for tile in wall:
        first = 1 if kind_of(tile) in with_reds and not tile & 1 else 0
        copy = given.get(tile, first)
        given[tile] = copy + 1
        numbers.append(4 * kind_of(tile) + copy)
    return numbers


class _Writer:
    def __init__(self, events: PlayedHand, *, is_broken_off: bool) -> None:
        start = events[0]
        assert isinstance(start, facts.HandStarted)
        self.start = start
        self.is_broken_off = is_broken_off
        self.wall = number_tiles(start.wall)
        players = len(start.scores)
        self.layout = LAYOUTS[players]
        self.tile_of = dict(zip(self.wall, start.wall, strict=True))
        self.dealer = start.oya
        self.hands = [
            [self.wall[at] for at in self.layout.deal[(seat - self.dealer) % players]]
            for seat in range(players)
        ]
        self.melds: list[dict[int, int]] = [{} for _ in self.hands]
        """The codes of the melds of each seat, by kind; of a run or a north set aside, by its
        negative code."""
        self.scores = list(start.scores)
        self.kyotaku = start.kyotaku
        self.draws = self.replacements_drawn = 0
        self.indicators = 1
        self.drawn = self.discarded = -1
        self.elements = [self._init_element()]
        for event in events[1:]:
            self.elements += self._elements_of(event)

    def _init_element(self) -> str:
        start = self.start
        kyoku = DEALS_PER_ROUND * (kind_of(start.bakaze) - EAST) + start.kyoku - 1
        rows = enumerate(fill_four_slots(self.hands, []))
        hands = " ".join(f'hai{seat}="{_join_numbers(row)}"' for seat, row in rows)
        seed = [kyoku, start.honba, start.kyotaku, 0, 0, self.wall[self.layout.indicators[0]]]
        scores = self._scores_in_hundreds()
        return f'<INIT seed="{_join_numbers(seed)}" ten="{scores}" oya="{start.oya}" {hands}/>'

    def _scores_in_hundreds(self) -> str:
        return _join_numbers([score // 100 for score in fill_four_slots(self.scores, 0)])

    def _elements_of(self, event: Event) -> list[str]:
        match event:
            case facts.Drawn(actor=seat, rinshan=rinshan):
                place = (
                    self.layout.replacements[self.replacements_drawn]
                    if rinshan
                    else self.layout.first_draw - self.draws
                )
                self.replacements_drawn += rinshan
                self.draws += not rinshan
                self.drawn = self.wall[place]
                self.hands[seat].append(self.drawn)
                return [f"<{'TUVW'[seat]}{self.drawn}/>"]
            case facts.Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
                self.discarded = self.drawn if tsumogiri else self._find_held_number(seat, pai)
                self.hands[seat].remove(self.discarded)
                self.drawn = -1
                return [f"<{'DEFG'[seat]}{self.discarded}/>"]
            case facts.DoraRevealed():
                self.indicators += 1
                return [f'<DORA hai="{self._open_indicators()[-1]}"/>']
            case facts.RiichiDeclared(actor=seat):
                return [f'<REACH who="{seat}" step="1"/>']
            case facts.RiichiAccepted(actor=seat):
                self.scores[seat] -= STICK_POINTS
                self.kyotaku += 1
                return [f'<REACH who="{seat}" ten="{self._scores_in_hundreds()}" step="2"/>']
            case facts.Won():
                return [self._win_element(event)]
            case facts.HandDrawn():
                return [self._draw_element(event)]
            case facts.GameEnded():
                return [] if self.is_broken_off else self._ended(event)
            case _:
                return self._call_elements(event)

    def _open_indicators(self) -> list[int]:
        return [self.wall[at] for at in self.layout.indicators[: self.indicators]]

    def _find_held_number(self, seat: int, tile: int) -> int:
        """Return the number of a copy of this tile that the seat holds. The copy just drawn is not
        chosen."""
        return next(
            number
            for number in self.hands[seat]
            if self.tile_of[number] == tile and number != self.drawn
        )

    def _take_from_hand(self, seat: int, tiles: Sequence[int]) -> list[int]:
        taken = []
        for tile in tiles:
            number = next(held for held in self.hands[seat] if self.tile_of[held] == tile)
            self.hands[seat].remove(number)
            taken.append(number)
        return taken

    def _call_elements(self, event: Event) -> list[str]:
        match event:
            case facts.ChiCalled(actor=seat, target=target, consumed=consumed):
                run = sorted([self.discarded, *self._take_from_hand(seat, consumed)])
                low = run[0] // 4
                code = (target - seat) % 4 | 4
                for place, number in enumerate(run):
                    code |= number % 4 << (3 + 2 * place)
                code |= (3 * (low // 9 * 7 + low % 9) + run.index(self.discarded)) << 10
                self.melds[seat][-code] = code
            case facts.PonCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                three = sorted([self.discarded, *self._take_from_hand(seat, consumed)])
                (left,) = {0, 1, 2, 3} - {number % 4 for number in three}
                code = (target - seat) % 4 | 8 | left << 5
                code |= (3 * kind_of(pai) + three.index(self.discarded)) << 9
                self.melds[seat][kind_of(pai)] = code
            case facts.DaiminkanCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                self._take_from_hand(seat, consumed)
                code = self.melds[seat][kind_of(pai)] = (target - seat) % 4 | self.discarded << 8
            case facts.AnkanDeclared(actor=seat, consumed=consumed):
                numbers = self._take_from_hand(seat, consumed)
                code = self.melds[seat][kind_of(consumed[0])] = min(numbers) << 8
            case facts.KakanDeclared(actor=seat, pai=pai):
                self.discarded = self._take_from_hand(seat, [pai])[0]
                code = self.melds[seat][kind_of(pai)] ^ 8 | 16
                self.melds[seat][kind_of(pai)] = code
            case facts.NorthSetAside(actor=seat, pai=pai):
                self.discarded = self._take_from_hand(seat, [pai])[0]
                code = self.discarded << 8 | 32
                self.melds[seat][-code] = code
            case _:
                return []
        self.drawn = -1
        return [f'<N who="{seat}" m="{code}"/>']

    def _win_element(self, won: facts.Won) -> str:
        winning = self.drawn if won.actor == won.target else self.discarded
        closed = sorted({*self.hands[won.actor], winning})
        limit = "yakuman" if won.limit == "kazoe_yakuman" else won.limit
        found = {
            "ba": f"{self.start.honba},{self.kyotaku}",
            "hai": _join_numbers(closed),
            "m": _join_numbers(list(self.melds[won.actor].values())),
            "machi": str(winning),
            "ten": _join_numbers([won.fu, won.points, LIMITS.index(limit)]),
            **self._yaku_attributes(won),
            "doraHai": _join_numbers(self._open_indicators()),
            "doraHaiUra": _join_numbers(
                [self.wall[at - 1] for at in self.layout.indicators[: len(won.uradora_markers)]]
            ),
            "who": str(won.actor),
            "fromWho": str(won.target),
            "paoWho": str(won.liable) if won.liable >= 0 else "",
            "sc": self._apply_deltas(won.deltas),
        }
        self.kyotaku = 0
        return f"<AGARI {_format_attributes(found)}/>"

    def _yaku_attributes(self, won: facts.Won) -> dict[str, str]:
        yaku: dict[int, int] = {}
        for name, han in won.yaku:
            number = self._yaku_number(name, won.actor)
            yaku[number] = yaku.get(number, 0) + han
        if won.yakuman:
            return {"yakuman": _join_numbers(list(yaku))}
        return {"yaku": _join_numbers([value for pair in yaku.items() for value in pair])}

    def _yaku_number(self, yaku: str, seat: int) -> int:
        match yaku:
            case "seat_wind":
                return _FIRST_SEAT_WIND + (seat - self.dealer) % len(self.hands)
            case "north":
                return _FIRST_SEAT_WIND + NORTH - EAST
            case "round_wind":
                return _FIRST_ROUND_WIND + kind_of(self.start.bakaze) - EAST
            case _:
                return _YAKU[NUKIDORA_AS_DORA.get(yaku, yaku)]

    def _draw_element(self, drawn: facts.HandDrawn) -> str:
        if drawn.reason not in _REASON:
            raise FormatCannotExpress(drawn.reason, f"the format cannot express a {drawn.reason}")
        found = {
            "type": _REASON[drawn.reason],
            "ba": f"{self.start.honba},{self.kyotaku}",
            "sc": self._apply_deltas(drawn.deltas),
        }
        for seat, row in enumerate(drawn.tehais):
            found[f"hai{seat}"] = _join_numbers(self.hands[seat]) if row else ""
        return f"<RYUUKYOKU {_format_attributes(found)}/>"

    def _apply_deltas(self, deltas: Sequence[int]) -> str:
        pairs = zip(fill_four_slots(self.scores, 0), fill_four_slots(deltas, 0), strict=True)
        changes = _join_numbers([value // 100 for pair in pairs for value in pair])
        self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return changes

    def _ended(self, ended: facts.GameEnded) -> list[str]:
        pairs = zip(ended.scores, ended.placement, strict=True)
        texts = [f"{score / 100:.10g},{points}" for score, (_, points) in pairs]
        owari = ",".join(fill_four_slots(texts, "0,0"))
        self.elements[-1] = self.elements[-1].removesuffix("/>") + f' owari="{owari}"/>'
        return []


def _join_numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _format_attributes(found: dict[str, str]) -> str:
    """Return the XML attributes as text, without empty ones."""
    return " ".join(f'{name}="{value}"' for name, value in found.items() if value)
