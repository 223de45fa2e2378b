"""Games whose walls were drawn with pages, as records with a proof, and all changes of these
records."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import quote

import msgspec

from game.engine.rules import RuleSet
from game.engine.wall import shuffled_wall
from game.engine.wall_proof import (
    NO_BYTES,
    UNSIGNED_VERSION,
    VERSION,
    bound_facts,
    commitment_of,
    rules_text,
    seed_of,
    unsigned_binding,
    unsigned_seed,
)
from game.records import writing_mjai, writing_mjlog, writing_tenhou6
from game.records.own import OwnGame
from game.records.wall_check import read_proof
from game.tables.wall_signer import WallSigner
from tests.records.own_games import game_on

RULES_TEXT: Final = Path(__file__).with_name("bound_rules.json").read_text().strip()
"""Stored, since the seed follows from it: with a new switch every game would be another one."""
RULES: Final = msgspec.convert(json.loads(RULES_TEXT), RuleSet)
TABLE: Final = "table-1"
SEATS: Final = ("person:a", "person:b", "bot:sensible", "person:d")
PAGES: Final = (0, 1, 3)
SIGNER: Final = WallSigner("the secret key of a site")
TILES: Final = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [*"ESWNPFC"]


def draw(rng: Random, reveals: Sequence[int] = PAGES, commits: Sequence[int] = PAGES) -> Any:
    """Return the JSON of one draw of `TABLE` with the pages of these seats, bound as version 1
    does it."""
    given = [rng.randbytes(32) if seat in commits else NO_BYTES for seat in range(4)]
    secret = rng.randbytes(32)
    return {
        "commitments": [commitment_of(data).hex() if data else "" for data in given],
        "secret": secret.hex(),
        "binding": unsigned_binding(TABLE, SEATS, RULES_TEXT, secret).hex(),
        "contributions": [data.hex() if seat in reveals else "" for seat, data in enumerate(given)],
    }


def draws_of(number: int) -> list[Any]:
    """Return a void draw, in which seat 1 did not reveal, and the draw that counts."""
    rng = Random(number)
    return bound(draw(rng, reveals=(0, 3)), draw(rng, (0, 3), (0, 3)))


def bound(*draws: Any) -> list[Any]:
    """Return these draws bound to each other and signed, as version 2 does it."""
    chain: list[Any] = []
    for drawn in draws:
        chain.append(dict(drawn))
        facts = bound_facts(read_proof(proof_of(chain) | {"version": VERSION}))[-1]
        key, signature = SIGNER.sign(facts.binding)
        chain[-1] |= {"binding": facts.binding.hex(), "key": key.hex()}
        chain[-1] |= {"signature": signature.hex()}
    return chain


def version_of(draws: Sequence[Any]) -> int:
    return VERSION if "signature" in draws[-1] else UNSIGNED_VERSION


def seed_from(draws: Sequence[Any]) -> bytes:
    last = draws[-1]
    given = [bytes.fromhex(text) for text in last["contributions"]]
    secret, binding = bytes.fromhex(last["secret"]), bytes.fromhex(last["binding"])
    if version_of(draws) == UNSIGNED_VERSION:
        return unsigned_seed(TABLE, secret, given)
    return seed_of(TABLE, binding, secret, given)


def proof_of(draws: Sequence[Any]) -> dict[str, Any]:
    return {
        "version": version_of(draws),
        "table": TABLE,
        "seats": list(SEATS),
        "rules": RULES_TEXT,
        "draws": list(draws),
    }


def play_on_draws(draws: Sequence[Any], *, number: int = 1, hands: int | None = None) -> OwnGame:
    """Return a random game on the walls of these draws, or its first hands."""
    seed = seed_from(draws)
    walls = (shuffled_wall(RULES, seed, hand) for hand in count())
    events = game_on(walls, Random(number), RULES)
    whole = tuple([tuple(hand) for hand in events[:hands]])
    return OwnGame(("A", "B", "C", "D"), RULES, whole, seed)


def as_mjai(game: OwnGame, proof: dict[str, Any] | None, mark: Any = ...) -> str:
    """Return the record with this proof, or with a whole mark instead of its own."""
    first, *lines = writing_mjai.write_mjai(game).splitlines()
    start = json.loads(first)
    start["house"] = _marked(start["house"], proof, mark)
    return to_lines([start, *map(json.loads, lines)])


def as_tenhou6(game: OwnGame, proof: dict[str, Any] | None, mark: Any = ...) -> str:
    file = json.loads(writing_tenhou6.write_tenhou6(game))
    file["house"] = _marked(file["house"], proof, mark)
    return json.dumps(file, ensure_ascii=False)


def as_mjlog(game: OwnGame, proof: dict[str, Any] | None, mark: Any = ...) -> str:
    text = writing_mjlog.write_mjlog(game)
    own = {"format": 1, "rules": json.loads(rules_text(game.rules)), "seed": game.seed.hex()}
    mark = _marked(own, proof, mark)
    begin = text.index(' house="') + len(' house="')
    end = text.index('"', begin)
    return text[:begin] + quote(json.dumps(mark), safe="") + text[end:]


def _marked(own: dict[str, Any], proof: dict[str, Any] | None, mark: Any) -> Any:
    if mark is not ...:
        return mark
    return own if proof is None else own | {"proof": proof}


def to_lines(events: Sequence[Any]) -> str:
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def changed_values(text: str) -> Iterator[tuple[str, str]]:
    """Yield changes, each as a name and the changed mjai record: every byte of the hashed values,
    the order of the seats, and every rule."""
    first, rest = text.split("\n", 1)
    start = json.loads(first)
    house = start["house"]
    for holder, key, name in _changed_texts(house):
        for place, other in _other_bytes(holder[key]):
            before, holder[key] = holder[key], other
            yield f"{name}, character {place}", to_lines([start]) + rest
            holder[key] = before
    seats = house["proof"]["seats"]
    for seat in range(3):
        seats[seat], seats[seat + 1] = seats[seat + 1], seats[seat]
        yield f"seats {seat} and {seat + 1}", to_lines([start]) + rest
        seats[seat], seats[seat + 1] = seats[seat + 1], seats[seat]
    for rule in json.loads(house["proof"]["rules"]):
        value = house["rules"][rule]
        house["rules"][rule] = [value]
        yield f"rule {rule}", to_lines([start]) + rest
        house["rules"][rule] = value


def _changed_texts(house: dict[str, Any]) -> Iterator[tuple[Any, Any, str]]:
    """Yield each hashed text as its container, its key and its name. The commitment of a page that
    did not reveal is left out: there are no bytes to compare it with."""
    proof = house["proof"]
    yield house, "seed", "seed"
    yield proof, "table", "table"
    yield proof, "rules", "rules"
    for seat in range(4):
        yield proof["seats"], seat, f"name of seat {seat}"
    for number, draw in enumerate(proof["draws"], start=1):
        for key in ("secret", "binding", "key", "signature"):
            if key in draw:
                yield draw, key, f"{key} of draw {number}"
        for key in ("commitments", "contributions"):
            for seat, value in enumerate(draw[key]):
                if value and draw["contributions"][seat]:
                    yield draw[key], seat, f"{key} of seat {seat} in draw {number}"


def _other_bytes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text with one character changed, for each place; in hexadecimal texts to another
    digit."""
    for place, character in enumerate(text):
        is_hex = len(text) in (64, 128)
        other = f"{int(character, 16) ^ 1:x}" if is_hex else chr(ord(character) ^ 1)
        yield place, text[:place] + other + text[place + 1 :]


def changed_tiles(text: str) -> Iterator[tuple[str, str]]:
    """Yield records in which one tile is replaced by one that its seat never holds in that hand. A
    different discard from the same hand is another game on the same wall, which a proof of the wall
    cannot detect."""
    events = [json.loads(line) for line in text.splitlines()]
    starts = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    for begin, end in zip(starts, [*starts[1:], len(events)], strict=True):
        hand = events[begin:end]
        for number, event in enumerate(hand, start=begin + 1):
            held = _held_by(event.get("actor"), hand)
            for holder, key in _tiles_in(event):
                before = holder[key]
                holder[key] = next(tile for tile in TILES if tile not in (*held, before[:2]))
                yield f"line {number}, {event['type']}, {before}", to_lines(events)
                holder[key] = before


def _held_by(seat: int | None, hand: list[Any]) -> set[str]:
    """Return the tiles that the seat is dealt, draws or calls in the hand."""
    if seat is None:
        return set()
    held = set(hand[0]["tehais"][seat])
    return held | {
        event["pai"]
        for event in hand
        if event.get("actor") == seat and event["type"] in ("tsumo", "chi", "pon", "daiminkan")
    }


def _tiles_in(event: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    for key in ("pai", "dora_marker"):
        if key in event:
            yield event, key
    rows = [event.get(key, []) for key in ("consumed", "uradora_markers", "hora_tehais")]
    rows += event.get("tehais", [])
    for row in rows:
        for place, tile in enumerate(row):
            if tile != "?":
                yield row, place


def cheats(rng: Random) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """Yield frauds of a server, or of a page that helps it: a name, the proof, the seed."""
    draws = bound(draw(rng), draw(rng))
    yield "draws again after the reveals", proof_of(draws), seed_from(draws)
    dropped = copy.deepcopy(draws[:1])
    dropped[0]["contributions"][0] = ""
    yield "drops the bytes of a page", proof_of(dropped), seed_from(dropped)
    hidden = copy.deepcopy(dropped)
    hidden[0]["commitments"][0] = ""
    hidden = bound(*hidden)
    yield "drops a page without a trace in the record", proof_of(hidden), seed_from(hidden)
    chosen = copy.deepcopy(draws[:1])
    chosen[0]["contributions"][3] = rng.randbytes(32).hex()
    yield "chooses last", proof_of(chosen), seed_from(chosen)
    other = copy.deepcopy(draws[:1])
    other[0]["secret"] = rng.randbytes(32).hex()
    yield "takes another secret", proof_of(other), seed_from(other)
    back = bound(draw(rng, reveals=(0, 3)), draw(rng))
    yield "lets a page come back", proof_of(back), seed_from(back)
    void = bound(draw(rng, reveals=(0, 3)), draw(rng, (0, 3), (0, 3)))
    yield "removes a void draw", proof_of(void[1:]), seed_from(void)
    other = bound(draw(rng, reveals=(1, 3)), draw(rng, (1, 3), (1, 3)))
    blamed = [other[0], void[1]]
    yield "blames a void draw on another seat", proof_of(blamed), seed_from(blamed)
    forged = copy.deepcopy(draws[:1])
    _, signature = SIGNER.sign(bytes(32))
    forged[0] |= {"signature": signature.hex()}
    yield "signs something else", proof_of(forged), seed_from(forged)
