"""Writes our own games as mjlog, each tile with a number of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.engine import events as facts
from game.engine.events import Event
from game.engine.rules import RuleSet
from game.engine.tiles import EAST
from game.records.laying import DEAL, FIRST_DRAW, INDICATORS, REPLACEMENTS
from game.records.mjlog_results import REASONS
from game.records.yaku_names import MJLOG
from tests.records.own_games import Hands

_YAKU: Final = {name: number for number, name in MJLOG.items()}
_REASON: Final = {reason: name for name, reason in REASONS.items()}
_LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")


def mjlog(hands: Hands, rules: RuleSet, seed: str = "", walls: Sequence[Sequence[int]] = ()) -> str:
    """The game as one text. With a seed go its walls, in Tenhou's numbers."""
    kind = 0xA1 | (8 if rules.length == "east_south" else 0)
    kind |= (0 if rules.red_fives[0] else 2) | (0 if rules.kuitan else 4)
    told = [f'<mjloggm ver="2.3"><SHUFFLE seed="{seed}" ref=""/><GO type="{kind}" lobby="0"/>']
    told.append('<UN n0="A" n1="B" n2="C" n3="D"/><TAIKYOKU oya="0"/>')
    for number, hand in enumerate(hands):
        told += _Writer(hand, walls[number] if walls else None).told
    return "".join(told) + "</mjloggm>"


def numbered(wall: bytes) -> list[int]:
    """A number for each tile of the wall, red fives the lowest of their kind."""
    has_reds = any(tile & 1 for tile in wall)
    given: dict[int, int] = {}
    numbers = []
    for tile in wall:
        first = 1 if has_reds and tile in (8, 26, 44) else 0
        copy = given.get(tile, first)
        given[tile] = copy + 1
        numbers.append(4 * (tile >> 1) + copy)
    return numbers


class _Writer:
    def __init__(self, events: Sequence[Event], wall: Sequence[int] | None) -> None:
        start = events[0]
        assert isinstance(start, facts.HandStarted)
        self.start = start
        self.wall = wall or numbered(start.wall)
        self.tile_of = dict(zip(self.wall, start.wall, strict=True))
        self.dealer = start.oya
        self.hands = [[self.wall[at] for at in DEAL[(seat - self.dealer) % 4]] for seat in range(4)]
        self.melds: list[dict[int, int]] = [{}, {}, {}, {}]
        """By seat the codes of its melds, by kind; a run by minus its code."""
        self.scores = list(start.scores)
        self.kyotaku = start.kyotaku
        self.draws = self.supplements = 0
        self.indicators = 1
        self.drawn = self.thrown = -1
        self.told = [self._init()]
        for event in events[1:]:
            self.told += self._written(event)

    def _init(self) -> str:
        start = self.start
        kyoku = 4 * ((start.bakaze >> 1) - EAST) + start.kyoku - 1
        hands = " ".join(f'hai{seat}="{_list(self.hands[seat])}"' for seat in range(4))
        seed = [kyoku, start.honba, start.kyotaku, 0, 0, self.wall[INDICATORS[0]]]
        return f'<INIT seed="{_list(seed)}" ten="{self._ten()}" oya="{start.oya}" {hands}/>'

    def _ten(self) -> str:
        return _list([score // 100 for score in self.scores])

    def _written(self, event: Event) -> list[str]:
        match event:
            case facts.Drawn(actor=seat, rinshan=rinshan):
                place = REPLACEMENTS[self.supplements] if rinshan else FIRST_DRAW - self.draws
                self.supplements += rinshan
                self.draws += not rinshan
                self.drawn = self.wall[place]
                self.hands[seat].append(self.drawn)
                return [f"<{'TUVW'[seat]}{self.drawn}/>"]
            case facts.Discarded(actor=seat, pai=pai, tsumogiri=tsumogiri):
                self.thrown = self.drawn if tsumogiri else self._held(seat, pai)
                self.hands[seat].remove(self.thrown)
                self.drawn = -1
                return [f"<{'DEFG'[seat]}{self.thrown}/>"]
            case facts.DoraRevealed():
                self.indicators += 1
                return [f'<DORA hai="{self.wall[INDICATORS[self.indicators - 1]]}"/>']
            case facts.RiichiDeclared(actor=seat):
                return [f'<REACH who="{seat}" step="1"/>']
            case facts.RiichiAccepted(actor=seat):
                self.scores[seat] -= 1_000
                self.kyotaku += 1
                return [f'<REACH who="{seat}" ten="{self._ten()}" step="2"/>']
            case facts.Won():
                return [self._won(event)]
            case facts.HandDrawn():
                return [self._hand_drawn(event)]
            case facts.GameEnded():
                return self._ended(event)
            case _:
                return self._called(event)

    def _held(self, seat: int, tile: int) -> int:
        """A number of this tile that the seat holds, but not the one just drawn."""
        return next(
            number
            for number in self.hands[seat]
            if self.tile_of[number] == tile and number != self.drawn
        )

    def _take(self, seat: int, tiles: Sequence[int]) -> list[int]:
        taken = []
        for tile in tiles:
            number = next(held for held in self.hands[seat] if self.tile_of[held] == tile)
            self.hands[seat].remove(number)
            taken.append(number)
        return taken

    def _called(self, event: Event) -> list[str]:
        match event:
            case facts.ChiCalled(actor=seat, target=target, consumed=consumed):
                run = sorted([self.thrown, *self._take(seat, consumed)])
                low = run[0] // 4
                code = (target - seat) % 4 | 4
                for place, number in enumerate(run):
                    code |= number % 4 << (3 + 2 * place)
                code |= (3 * (low // 9 * 7 + low % 9) + run.index(self.thrown)) << 10
                self.melds[seat][-code] = code
            case facts.PonCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                three = sorted([self.thrown, *self._take(seat, consumed)])
                (left,) = {0, 1, 2, 3} - {number % 4 for number in three}
                code = (target - seat) % 4 | 8 | left << 5
                code |= (3 * (pai >> 1) + three.index(self.thrown)) << 9
                self.melds[seat][pai >> 1] = code
            case facts.DaiminkanCalled(actor=seat, target=target, pai=pai, consumed=consumed):
                self._take(seat, consumed)
                code = self.melds[seat][pai >> 1] = (target - seat) % 4 | self.thrown << 8
            case facts.AnkanDeclared(actor=seat, consumed=consumed):
                numbers = self._take(seat, consumed)
                code = self.melds[seat][consumed[0] >> 1] = min(numbers) << 8
            case facts.KakanDeclared(actor=seat, pai=pai):
                self.thrown = self._take(seat, [pai])[0]
                code = self.melds[seat][pai >> 1] ^ 8 | 16
                self.melds[seat][pai >> 1] = code
            case _:
                return []
        self.drawn = -1
        return [f'<N who="{seat}" m="{code}"/>']

    def _won(self, won: facts.Won) -> str:
        winning = self.drawn if won.actor == won.target else self.thrown
        closed = sorted({*self.hands[won.actor], winning})
        limit = "yakuman" if won.limit == "kazoe_yakuman" else won.limit
        found = {
            "ba": f"{self.start.honba},{self.kyotaku}",
            "hai": _list(closed),
            "m": _list(list(self.melds[won.actor].values())),
            "machi": str(winning),
            "ten": _list([won.fu, won.points, _LIMITS.index(limit)]),
            **self._yaku(won),
            "doraHai": _list([self.wall[at] for at in INDICATORS[: self.indicators]]),
            "doraHaiUra": _list(
                [self.wall[at - 1] for at in INDICATORS[: len(won.uradora_markers)]]
            ),
            "who": str(won.actor),
            "fromWho": str(won.target),
            "paoWho": str(won.liable) if won.liable >= 0 else "",
            "sc": self._changes(won.deltas),
        }
        self.kyotaku = 0
        return f"<AGARI {_attributes(found)}/>"

    def _yaku(self, won: facts.Won) -> dict[str, str]:
        if won.yakuman:
            return {"yakuman": _list([_YAKU[name] for name, _ in won.yaku])}
        return {"yaku": _list([value for name, han in won.yaku for value in (_YAKU[name], han)])}

    def _hand_drawn(self, drawn: facts.HandDrawn) -> str:
        found = {
            "type": _REASON[drawn.reason],
            "ba": f"{self.start.honba},{self.kyotaku}",
            "sc": self._changes(drawn.deltas),
        }
        for seat, row in enumerate(drawn.tehais):
            found[f"hai{seat}"] = _list(self.hands[seat]) if row else ""
        return f"<RYUUKYOKU {_attributes(found)}/>"

    def _changes(self, deltas: Sequence[int]) -> str:
        pairs = zip(self.scores, deltas, strict=True)
        told = _list([value // 100 for pair in pairs for value in pair])
        self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
        return told

    def _ended(self, ended: facts.GameEnded) -> list[str]:
        pairs = zip(ended.scores, ended.placement, strict=True)
        owari = ",".join(f"{score // 100},{points}" for score, (_, points) in pairs)
        self.told[-1] = self.told[-1].removesuffix("/>") + f' owari="{owari}"/>'
        return []


def _list(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _attributes(found: dict[str, str]) -> str:
    """The attributes that say something."""
    return " ".join(f'{name}="{value}"' for name, value in found.items() if value)
