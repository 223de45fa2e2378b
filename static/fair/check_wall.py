"""Check the walls of a game without its site: python3 check_wall.py RECORD.jsonl"""

import hashlib
import itertools
import json
import re
import sys


def expect(fits, what):
    if not fits:
        sys.exit(f"DOES NOT FIT: {what}")


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def field(text):
    return len(text.encode()).to_bytes(4, "big") + text.encode()


def by_seat(row):
    return b"".join(b"\1" + value if value else b"\0" for value in row)


# Signatures: Ed25519, RFC 8032.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)


def point(data):
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    return (x if x % 2 == sign else P - x, y) if x * x % P == square else None


def add(one, other):  # in extended coordinates, which need no division
    (x, y, z, t), (u, v, w, s) = one, other
    a, b = (y - x) * (v - u) % P, (y + x) * (v + u) % P
    c, d = 2 * t * s * D % P, 2 * z * w % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, x, y):
    total, base = (0, 1, 1, 0), (x, y, 1, x * y % P)
    while number:
        total = add(total, base) if number % 2 else total
        base, number = add(base, base), number // 2
    return total


def is_signed(binding, key, signature):
    found, text = point(key) if len(key) == 32 else None, b"riichi wall signature 2" + binding
    if found is None or len(signature) != 64:
        return False
    start, s = signature[:32], int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(start + key + text).digest(), "little") % ORDER
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    x, y, z, _ = add(times(s, *base), times(h, P - found[0], found[1]))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return s < ORDER and start == (y + x % 2 * 2**255).to_bytes(32, "little")


def binding_of(table, terms, number, commitments, secret_hash, left_out, previous):
    start = b"riichi wall binding 2" + field(table) + terms + number.to_bytes(4, "big")
    mask = bytes([sum(1 << seat for seat in left_out)])
    return sha(start, by_seat(commitments), secret_hash, mask, previous)


def number_of(text):
    value = float(text)
    expect(abs(value) < 2**53, f"the number {text}")
    return int(value) if value.is_integer() else value


def read_json(text):
    return json.loads(text, parse_int=number_of, parse_float=number_of, parse_constant=number_of)


def same(one, other):
    return json.dumps(one) == json.dumps(other)  # true is not 1


def row(value, size=None):
    expect(isinstance(value, list) and size in (None, len(value)), "a list")
    return value


def read_bytes(text, sizes):
    expect(re.fullmatch("([0-9a-f]{2})*", text) and len(text) // 2 in sizes, "the form of a value")
    return bytes.fromhex(text)


def read_record(path):
    """Return the events of a record and its mark, which has to be the only one."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        text = file.read()
    if text.lstrip().startswith("["):
        events = read_json(text)
    else:
        events = [read_json(line) for line in text.split("\n") if line.strip(" \t\r")]
    first = [event.get("type") for event in events].index("start_kyoku")
    is_start = all(event.get("type") in ("start_game", "hello", "none") for event in events[:first])
    expect(is_start, "something else before the first hand")
    house = next((event["house"] for event in events[:first] if "house" in event), None)
    if not isinstance(house, dict) or not house.keys() & {"seed", "proof"}:
        sys.exit("NO PROOF in this record")
    marks = 0
    for string, colon in re.findall(r'("(?:[^"\\]|\\.)*")(\s*:)?', text):
        value = json.loads(string)
        value.encode()  # fails for half of a character, which other languages read differently
        marks += bool(colon) and value == "house"
    expect(marks == 1, "more than one mark")
    if house.get("proof") is None:
        sys.exit("NO PROOF in this record")
    return events, house


def players_of(rules):
    players = rules.get("players", 4)
    expect(same(players, 3) or same(players, 4), "the number of players")
    return players


def check_proof(house):
    """Was the seed fixed before anybody could know it? Returns the draws and who signed them."""
    rules, proof, seed = house["rules"], house["proof"], house["seed"]
    version, table, draws = proof["version"], proof["table"], row(proof["draws"])
    players = players_of(rules)
    expect(same(house["format"], 1), "the format")
    expect(draws, "no draw")
    expect(same(version, 1) or same(version, 2), "the version")
    for name, value in read_json(proof["rules"]).items():
        expect(name in rules and same(rules[name], value), f"the rule {name}")
    fields = [field(text) for text in (*row(proof["seats"], players), proof["rules"])]
    terms, left_out, binding = sha(b"riichi wall terms 2", *fields), set(), b""
    for number, draw in enumerate(draws, 1):
        secret, now = (read_bytes(draw[name], [32]) for name in ("secret", "binding"))
        commitments, contributions = (
            [read_bytes(text, [0, 32]) for text in row(draw[name], players)]
            for name in ("commitments", "contributions")
        )
        if version == 1:
            expected = sha(b"riichi wall binding 1", field(table), *fields, secret)
            is_valid = same([draw.get("key", ""), draw.get("signature", "")], ["", ""])
        else:
            facts = (table, terms, number, commitments, sha(secret), left_out, binding)
            expected = binding_of(*facts)
            key, signature = read_bytes(draw["key"], [32]), read_bytes(draw["signature"], [64])
            is_valid = is_signed(now, key, signature)
        expect(now == expected, f"the hash of draw {number}")
        expect(is_valid, f"the signature of draw {number}")
        made = [commitment for commitment in commitments if commitment]
        expect(len({*made}) == len(made), f"draw {number}: a copied commitment")
        expect(not any(commitments[seat] for seat in left_out), f"draw {number}: who was left out")
        for seat, given in enumerate(contributions):
            fits = not given or sha(given) == commitments[seat]
            expect(fits, f"draw {number}: the bytes of seat {seat}")
        silent = {at for at in range(players) if commitments[at] and not contributions[at]}
        expect(bool(silent) == (number < len(draws)), f"draw {number} is not the one that counts")
        left_out, binding = left_out | silent, now
    expect(any(contributions), "no page took part")
    start, chained = (b"riichi wall seed 1", b"") if version == 1 else (b"riichi wall seed 2", now)
    expected = sha(start, field(table), chained, secret, by_seat(contributions))
    expect(expected.hex() == seed, "the seed")
    signer = "not signed (version 1)" if version == 1 else f"signed with {draw['key']}"
    return draws, signer


SALTS = {136: b"riichi wall 1", 108: b"riichi wall 2"}  # by the number of tiles


def shuffled(rules, seed, hand):
    names = [rank + suit for suit in "mps" for rank in "123456789"] + list("ESWNPFC")
    if players_of(rules) == 3:  # without 2m to 8m
        del names[1:8]
    reds = {f"5{suit}": rules["red_fives"][at] for at, suit in enumerate("mps")}
    wall = [name + "r" * (copy >= 4 - reds.get(name, 0)) for name in names for copy in range(4)]
    numbers = stream(SALTS[len(wall)], seed, hand)
    for i in range(len(wall) - 1, 0, -1):
        j = next(n for n in numbers if n < 65536 - 65536 % (i + 1)) % (i + 1)
        wall[i], wall[j] = wall[j], wall[i]
    return wall


def stream(salt, seed, hand):
    for block in itertools.count():
        data = sha(salt, seed, hand.to_bytes(4, "big"), block.to_bytes(4, "big"))
        yield from (data[at] * 256 + data[at + 1] for at in range(0, 32, 2))


def is_meld(kind, tiles):
    if len(tiles) != (4 if kind.endswith("kan") else 3) + (kind == "ankan"):
        return False
    kinds = sorted(tile[:2] for tile in tiles)
    ranks = "".join(tile[0] for tile in kinds)
    is_run = len({tile[1:] for tile in kinds}) == 1 and ranks in "123456789"
    return is_run if kind == "chi" else len({*kinds}) == 1


class Hand:
    """One hand on the wall of the seed."""

    def __init__(self, wall, event, players):
        self.turn, self.step, self.open_by, self.last = event["oya"], "draw", None, None
        self.players, last = players, len(wall) - 1
        expect(self.is_seat(self.turn), "the dealer")
        self.live, self.is_replacement = wall[last - 13 * players : 13 : -1], False
        if players == 4:
            self.markers, self.ura, dead = wall[5:14:2], wall[4:14:2], [1, 0, 3, 2, 4, 6, 8, 10, 12]
        else:
            self.markers, self.ura, dead = wall[9:18:2], wall[8:18:2], [1, 0, 3, 2, 5, 4, 7, 6]
        self.dead = [wall[place] for place in dead]
        self.hands, self.pons = [row(tiles)[:] for tiles in row(event["tehais"], players)], []
        for seat, tiles in enumerate(self.hands):
            place = (seat - self.turn) % players
            start = last - 4 * place
            dealt = [wall[start - 4 * players * (n // 4) - n % 4] for n in range(12)]
            one = wall[last - 12 * players - place]
            expect(sorted(tiles) == sorted([*dealt, one]), "the deal")
        self.play("dora", event)

    def is_seat(self, value):
        return any(same(value, seat) for seat in range(self.players))

    def expect_turn(self, actor, *steps):
        expect(same(actor, self.turn) and self.step in steps, "the turn")

    def remove(self, seat, tiles):
        for tile in tiles:
            expect(tile in self.hands[seat], "a tile")
            self.hands[seat].remove(tile)

    def play(self, kind, event):
        actor, pai, consumed = event.get("actor"), event.get("pai"), event.get("consumed")
        expect(self.step != "over" or kind in ("hora", "end_kyoku"), "something after the result")
        if kind == "dora":
            expect(self.markers and event["dora_marker"] == self.markers.pop(0), "the dora")
        elif kind == "tsumo":
            self.expect_turn(actor, "draw")
            tiles = self.dead if self.is_replacement else self.live
            expect(tiles and pai == tiles.pop(0), "the draw")
            self.hands[actor].append(pai)
            self.step, self.is_replacement, self.open_by, self.last = "drawn", False, None, pai
        elif kind == "dahai":
            self.expect_turn(actor, "drawn", "called")
            is_drawn = self.step == "drawn" and pai == self.last
            is_true, is_false = (event["tsumogiri"] is value for value in (True, False))
            expect(is_false or (is_true and is_drawn), "a tile")
            self.remove(actor, [pai])
            self.turn, self.step, self.open_by, self.last = (
                (actor + 1) % self.players,
                "draw",
                actor,
                pai,
            )
        elif kind in ("chi", "pon", "daiminkan"):
            is_other = actor != self.open_by and self.is_seat(actor)
            is_open = self.open_by is not None and same(event["target"], self.open_by)
            expect(is_other and is_open and (kind != "chi" or actor == self.turn), "the turn")
            expect(pai == self.last and is_meld(kind, [pai, *row(consumed)]), "the meld")
            self.remove(actor, consumed)
            self.pons += [[actor, *sorted([pai, *consumed])]] if kind == "pon" else []
            self.is_replacement = kind == "daiminkan"
            self.step = "draw" if self.is_replacement else "called"
            self.turn, self.open_by = actor, None
        elif kind in ("ankan", "kakan"):
            self.expect_turn(actor, "drawn")
            pai = pai if kind == "kakan" else row(consumed)[0]
            expect(is_meld(kind, [pai, *row(consumed)]), "the meld")
            if kind == "kakan":
                expect([actor, *sorted(consumed)] in self.pons, "the kan")
                self.pons.remove([actor, *sorted(consumed)])
            self.remove(actor, [pai] if kind == "kakan" else consumed)
            self.step, self.is_replacement, self.open_by, self.last = "draw", True, actor, pai
        elif kind == "kita":
            self.expect_turn(actor, "drawn")
            expect(pai == "N", "the north")
            self.remove(actor, [pai])
            self.step, self.is_replacement, self.open_by, self.last = "draw", True, actor, pai
        elif kind == "hora":
            is_seat = self.is_seat(actor)
            hidden, target = row(event["hora_tehais"])[:], event["target"]
            if is_seat and same(actor, target):
                self.expect_turn(actor, "drawn")
                hidden.append(pai)
            else:
                is_open = self.open_by is not None and same(target, self.open_by)
                expect(is_seat and is_open and self.step in ("draw", "over"), "the turn")
            expect(pai == self.last, "the tile")
            expect(sorted(hidden) == sorted(self.hands[actor]), "the hand")
            ura = row(event["uradora_markers"])
            expect(ura == self.ura[: len(ura)], "the ura dora")
            self.step = "over"
        elif kind == "ryukyoku":
            for seat, tiles in enumerate(row(event["tehais"], self.players)):
                is_hidden = all(tile == "?" for tile in row(tiles))
                expect(is_hidden or sorted(tiles) == sorted(self.hands[seat]), "a hand")
            self.step, self.open_by = "over", None
        elif kind == "end_kyoku":
            expect(self.step == "over", "the hand has no result")
            self.step = "closed"
        else:
            expect(kind not in ("start_kyoku", "end_game"), "the record stops inside a hand")
            expect(kind in ("reach", "reach_accepted"), "not an event of a hand")
            expect(self.is_seat(actor), "the turn")


def check_tiles(events, rules, seed):
    """Does every tile come from the walls of this seed? Returns the hands, and the end if any."""
    hand, hands, is_over = None, 0, False
    for event in events:
        kind = event.get("type")
        expect(not is_over, "something follows the end of the game")
        if hand is not None and hand.step != "closed":
            hand.play(kind, event)
        elif kind == "start_kyoku":
            hand, hands = Hand(shuffled(rules, seed, hands), event, players_of(rules)), hands + 1
        else:
            is_start = hand is None and kind in ("start_game", "hello", "none")
            expect(is_start or kind == "end_game", "something else between two hands")
            is_over = kind == "end_game"
    expect(hand.step == "closed", "the record stops inside a hand")
    return hands, is_over


try:
    events, house = read_record(sys.argv[1])
    draws, signer = check_proof(house)
    hands, is_over = check_tiles(events, house["rules"], bytes.fromhex(house["seed"]))
except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
    sys.exit(f"DAMAGED: {error}")
pages = sum(map(bool, draws[-1]["contributions"]))
end = "the game ended" if is_over else "the end of the game is not in the record"
print(f"FITS: {pages} pages took part, draw {len(draws)}, {signer}; hands: {hands}, {end}")
