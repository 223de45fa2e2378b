"""Golden games: staged hands as text, with their transcripts.

A file contains a title, the ids of the rules that it tests, the ruling in words (lines with
``>``), the situation, the moves, and the whole transcript for each rule set:

    Three players win on one discard

    rule: T13 S4
    > Tenhou aborts the hand.

    hand: East 1, honba 1, sticks 1
    East: EEEWWW999m44s88p
    draws: 8s

    play
      East riichi 8s
      South wins
    under tenhou
      ...what happens...
    under tenhou sanchaho=false
      ...

The situation may contain ``points`` (a number for each seat, from East; by default those of the
rule set), ``draws``, ``last``, ``replacements``, ``dora`` and ``ura``, as in
`tests.kit.tables.wall_of`. The moves of a ``play`` are played for each ``under`` up to the next
``play``. A move is a wind and a verb of `MOVES`. A player who could act passes if no move names
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from game.engine import actions, progress
from game.engine.actions import Action
from game.engine.commands import Act
from game.engine.decide import Rejected
from game.engine.presets import preset
from game.engine.rules import RuleSet
from game.engine.state import Phase
from tests.kit.play import Play, stage
from tests.kit.tables import picture, tile, tiles
from tests.kit.transcript import WINDS, Transcript, counters_text, round_name

_TILE_FIELDS: Final = ("draws", "last", "replacements", "dora", "ura")
_HAND_PATTERN: Final = re.compile(r"(East|South|West) ([1-4]), honba (\d+), sticks (\d+)")
_INDENT: Final = "  "


class Scene(NamedTuple):
    """The moves under one rule set, with their transcript."""

    under: str
    """A preset and switches, as in ``tenhou sanchaho=false``."""
    moves: tuple[str, ...]
    transcript: str


class GoldenGame(NamedTuple):
    """The contents of the file of a golden game."""

    title: str
    rule: tuple[str, ...]
    """The ids of rulings, scenes and requirements."""
    situation: dict[str, str]
    scenes: tuple[Scene, ...]


def read_game(path: Path) -> GoldenGame:
    """Read the file of a golden game. Raises ``ValueError`` with the file and the line."""
    title = ""
    situation: dict[str, str] = {}
    scenes: list[Scene] = []
    for number, (mark, rest, block) in enumerate(_split_blocks(path.read_text(encoding="utf-8"))):
        if number == 0:
            title = mark
        elif mark == "play":
            moves = tuple(block)
        elif mark == "under":
            scenes.append(Scene(rest, moves, "\n".join(block)))
        elif mark.endswith(":") and mark[:-1] in ("rule", "hand", "points", *WINDS, *_TILE_FIELDS):
            situation[mark[:-1]] = rest
        elif mark != ">":
            raise ValueError(f"{path.name}: unknown line {mark!r}")
    rule = tuple(situation.pop("rule", "").split())
    return GoldenGame(title, rule, situation, tuple(scenes))


def _split_blocks(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield for each line that is not indented its first word, the rest of the line, and the
    indented lines below. The first line (the title) is not split."""
    open_block: tuple[str, str, list[str]] | None = None
    for number, line in enumerate(text.splitlines()):
        if line.startswith(_INDENT) and open_block:
            open_block[2].append(line[len(_INDENT) :])
        elif line:
            if open_block:
                yield open_block
            mark, _, rest = (line, "", "") if number == 0 else line.partition(" ")
            open_block = mark, rest.strip(), []
    if open_block:
        yield open_block


def write_transcripts(path: Path, transcripts: list[str]) -> None:
    """Replace the file's transcripts by these, one for each scene."""
    fresh = iter(transcripts)
    lines: list[str] = []
    is_old = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("under "):
            lines += [line, *(_INDENT + new for new in next(fresh).splitlines())]
            is_old = True
        elif not (is_old and line.startswith(_INDENT)):
            is_old = False
            lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def rules_of(under: str) -> RuleSet:
    """Parse a preset with switches, such as ``tenhou sanchaho=false``. Unless a switch says
    otherwise, the engine refuses false declarations."""
    name, *switches = under.split()
    values: dict[str, Any] = {}
    for switch in switches:
        key, _, value = switch.partition("=")
        try:
            values[key] = json.loads(value)
        except json.JSONDecodeError:
            values[key] = value
    if unknown := set(values) - set(RuleSet.__struct_fields__):
        raise ValueError(f"no such switch: {', '.join(sorted(unknown))}")
    rules = msgspec.to_builtins(preset(name)) | {"false_declarations": False} | values
    return msgspec.convert(rules, RuleSet)


def play_scene(game: GoldenGame, scene: Scene) -> tuple[Play, str]:
    """Play the moves of the scene. Return the game and its transcript."""
    play = _stage(game, rules_of(scene.under))
    transcript = Transcript(play.table.dealer, play.table.rules.players)
    shown_events = 0

    def catch_up() -> None:
        nonlocal shown_events
        transcript.add_events(play.events[shown_events:])
        shown_events = len(play.events)

    shown_events = 1  # The first event has the rules, which are in the heading.
    for move in scene.moves:
        outcome = _make_move(play, transcript, move)
        catch_up()
        if outcome:
            transcript.add_line(outcome)
    while play.table.phase in (Phase.CLAIMS, Phase.SHOWING):
        play.proceed()
    catch_up()
    transcript.add_line(_next_step(play, transcript))
    return play, transcript.text()


def _stage(game: GoldenGame, rules: RuleSet) -> Play:
    match = _HAND_PATTERN.fullmatch(game.situation.get("hand", "East 1, honba 0, sticks 0"))
    if match is None:
        raise ValueError(f"{game.title}: the hand {game.situation['hand']!r} cannot be read")
    kyoku = 4 * WINDS.index(match[1]) + int(match[2]) - 1
    players = rules.players
    hands = [""] * players
    points = [rules.start_points] * players
    given = [int(part) for part in game.situation.get("points", "").split()]
    for place, wind in enumerate(WINDS[:players]):
        seat = (kyoku % 4 + place) % players
        hands[seat] = game.situation.get(wind, "")
        points[seat] = given[place] if given else rules.start_points
    draws, last, replacements, dora, ura = (game.situation.get(name, "") for name in _TILE_FIELDS)
    return stage(
        hands,
        draws,
        last=last,
        rinshan=replacements,
        dora=dora,
        ura=ura,
        kyoku=kyoku,
        honba=int(match[3]),
        kyotaku=int(match[4]),
        scores=tuple(points),
        rules=rules,
    )


def _next_step(play: Play, transcript: Transcript) -> str:
    """Return the line that says how it continues after the last move: the next deal, the next
    player, or the end."""
    match play.table.phase:
        case Phase.ENDED:
            return "no further hand"
        case Phase.RESULT:
            deal = progress.next_deal(play.table)
            assert deal is not None
            dealer = transcript.name(deal.kyoku % 4)
            left = counters_text(deal.honba, play.table.kyotaku)
            return f"next: {round_name(deal.kyoku)}, {dealer} deals, {left}"
        case _:
            return f"play goes on: {transcript.name(play.table.turn)} to act"


def _make_move(play: Play, transcript: Transcript, move: str) -> str:
    """Make a move of a golden game. The moves `may` and `tries` change nothing; they return a line
    for the transcript. Others return ""."""
    name, _, rest = move.partition(" ")
    if name == "all":
        _move_all(play, rest)
        return ""
    if name not in WINDS:
        raise ValueError(f"the move {move!r} does not begin with a wind or 'all'")
    seat = (play.table.dealer + WINDS.index(name)) % play.table.rules.players
    verb, _, what = rest.partition(" ")
    match verb:
        case "may":
            play.proceed_unless_asked(seat)
            offers = play.offered(seat)
            found = play.discardable(seat) if what == "discard" else offers
            return f"({name} {rest}: {', '.join(sorted(found)) or 'nothing'})"
        case "tries":
            word, _, tile_text = what.partition(" ")
            play.proceed_unless_asked(seat)
            action = MOVES[word](play, tile_text)
            verdict = play.attempt(Act(seat, play.table.step, action))
            assert isinstance(verdict, Rejected), f"{move}: {verdict}\n{picture(play.table)}"
            return f"({name} tries {what} - refused: {verdict.text})"
        case _:
            play.proceed_unless_asked(seat)
            play.act(seat, MOVES[verb](play, what))
            return ""


def _move_all(play: Play, what: str) -> None:
    """Make a move for all players: ``all discard 9m 1p``, ``all throw 3 times``, ``all throw until
    4 left``, ``all pass`` or ``all throw to the end``."""
    match what.split():
        case ["discard", *row]:
            play.discard_in_turn("".join(row))
        case ["throw", times, "times"]:
            play.tsumogiri(int(times))
        case ["throw", "until", left, "left"]:
            play.tsumogiri_until_left(int(left))
        case ["throw", "to", "the", "end"]:
            play.proceed()
            while play.table.phase == Phase.TURN:
                play.tsumogiri()
        case ["pass"]:
            play.proceed()
        case _:
            raise ValueError(f"unknown move of all players: {what!r}")


def _discard(play: Play, what: str) -> Action:
    text, _, how = what.partition(" ")
    pai = tile(text)
    return actions.Discard(pai, pai == play.table.drawn and how != "from hand")


def _riichi(play: Play, what: str) -> Action:
    pai = tile(what)
    return actions.DeclareRiichi(pai, pai == play.table.drawn)


def _chi(_: Play, what: str) -> Action:
    one, two = sorted(tiles(what))
    return actions.CallChi((one, two))


def _pon(_: Play, what: str) -> Action:
    one, two = sorted(tiles(what))
    return actions.CallPon((one, two))


def _kan(_: Play, what: str) -> Action:
    one, two, three = sorted(tiles(what))
    return actions.CallKan((one, two, three))


def _ankan(_: Play, what: str) -> Action:
    one, two, three, four = sorted(tiles(what))
    return actions.DeclareAnkan((one, two, three, four))


MOVES: Final[dict[str, Callable[[Play, str], Action]]] = {
    "discards": _discard,
    "riichi": _riichi,
    "chi": _chi,
    "pon": _pon,
    "kan": _kan,
    "ankan": _ankan,
    "north": lambda _, __: actions.SetNorthAside(),
    "kakan": lambda _, what: actions.DeclareKakan(tile(what)),
    "wins": lambda _, __: actions.Win(),
    "kyushu": lambda _, __: actions.DeclareKyushu(),
    "passes": lambda _, __: actions.Pass(),
    "hides": lambda _, __: actions.Pass(),
    "shows": lambda _, __: actions.ShowTenpai(),
}
