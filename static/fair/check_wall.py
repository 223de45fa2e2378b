"""Check the walls of a game without its site: python3 check_wall.py RECORD.jsonl"""

import hashlib
import itertools
import json
import sys


def expect(fits, what):
    return fits or sys.exit(f"DOES NOT FIT: {what}")


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def field(text):
    return len(text.encode()).to_bytes(4, "big") + text.encode()


with open(sys.argv[1], encoding="utf-8") as file:
    events = [json.loads(line) for line in file]
house = events[0]["house"]
rules, proof = house["rules"], house.get("proof") or sys.exit("NO PROOF in this record")
expect(proof["version"] == 1 and {**rules, **json.loads(proof["rules"])} == rules, "the rules")
fields, silent = [field(text) for text in (proof["table"], *proof["seats"], proof["rules"])], set()
for number, draw in enumerate(proof["draws"], 1):  # Was the seed bound before it could be known?
    values = [draw["secret"], draw["binding"], *draw["commitments"], *draw["contributions"]]
    is_sized = len(values) == 10 and all(len(value) in (0, 64) for value in values)
    expect(is_sized, f"a value of draw {number}")
    secret, binding, *fours = map(bytes.fromhex, values)
    expect(sha(b"riichi wall binding 1", *fields, secret) == binding, f"the hash of draw {number}")
    expect(not any(fours[seat] for seat in silent), f"draw {number} has a page that was left out")
    for seat in range(4):
        commitment, given = fours[seat], fours[4 + seat]
        expect(not given or sha(given) == commitment, f"draw {number}: the bytes of seat {seat}")
        silent |= {seat} if commitment and not given else set()
    is_void = any(fours[seat] and not fours[4 + seat] for seat in range(4))
    expect(is_void == (number < len(proof["draws"])), f"draw {number} is not the one that counts")
expect(any(fours[4:]), "no page took part")
pages = [b"\1" + given if given else b"\0" for given in fours[4:]]
seed = sha(b"riichi wall seed 1", field(proof["table"]), secret, *pages)
expect(seed.hex() == house["seed"], "the seed")

names = [rank + suit for suit in "mps" for rank in "123456789"] + list("ESWNPFC")
reds = {f"5{suit}": rules["red_fives"][at] for at, suit in enumerate("mps")}
tiles = [name + "r" * (copy >= 4 - reds.get(name, 0)) for name in names for copy in range(4)]


def stream(hand):
    for block in itertools.count():
        data = sha(b"riichi wall 1", seed, hand.to_bytes(4, "big"), block.to_bytes(4, "big"))
        yield from (data[at] * 256 + data[at + 1] for at in range(0, 32, 2))


hand, is_kan, last = -1, False, None
for line, event in enumerate(events, 1):  # Does every tile come from the walls of this seed?
    kind, pai, actor = event["type"], event.get("pai"), event.get("actor")
    if kind == "start_kyoku":
        hand, numbers, wall = hand + 1, stream(hand + 1), tiles[:]
        for i in range(135, 0, -1):
            j = next(n for n in numbers if n < 65536 - 65536 % (i + 1)) % (i + 1)
            wall[i], wall[j] = wall[j], wall[i]
        live, markers = iter(wall[83:13:-1]), iter(wall[5:14:2])
        dead = iter([wall[1], wall[0], wall[3], wall[2], *wall[4:14:2]])
        hands, pons, is_kan = [row[:] for row in event["tehais"]], [], False
        for seat, row in enumerate(hands):
            place = (seat - event["oya"]) % 4
            dealt = [wall[135 - 16 * (n // 4) - 4 * place - n % 4] for n in range(12)]
            expect(sorted(row) == sorted([*dealt, wall[87 - place]]), f"the deal, line {line}")
    if kind == "tsumo":
        expect(pai == next(dead if is_kan else live), f"the draw, line {line}")
        hands[actor].append(pai)
    if "dora_marker" in event:
        expect(event["dora_marker"] == next(markers), f"the dora, line {line}")
    for tile in [pai] if kind in ("dahai", "kakan") else event.get("consumed", []):
        expect(tile in hands[actor], f"a tile, line {line}")
        hands[actor].remove(tile)
    if kind == "pon":
        pons.append(sorted([pai, *event["consumed"]]))
    expect(kind != "kakan" or sorted(event["consumed"]) in pons, f"the kan, line {line}")
    if kind in ("chi", "pon", "daiminkan", "hora") or event.get("tsumogiri"):
        expect(pai == last, f"the tile, line {line}")
    if kind == "hora":
        hidden = [pai] * (actor == event["target"]) + event["hora_tehais"]
        ura = event["uradora_markers"]
        expect(sorted(hidden) == sorted(hands[actor]), f"the hand, line {line}")
        expect(ura == wall[4:14:2][: len(ura)], f"the ura dora, line {line}")
    for seat, row in enumerate(event["tehais"] if kind == "ryukyoku" else []):
        expect({"?"} == {*row} or sorted(row) == sorted(hands[seat]), f"a hand, line {line}")
    is_kan = kind.endswith("kan") or (is_kan and kind != "tsumo")
    last = pai or event.get("consumed", [last])[0]
print(f"FITS: {sum(map(len, pages)) // 33} pages took part, draw {number}, {hand + 1} hands")
