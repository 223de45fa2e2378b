"""Check that pages and server fixed the seed of a game, and a receipt of it if there is one:
python3 check_seed.py RECORD.jsonl [RECEIPT.json]"""

import hashlib
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


def check_receipt(receipt, table, draws):
    """Did the server tell the page of the receipt the same?"""
    seat, given, at = receipt["seat"], receipt["contribution"], receipt["draw"] - 1
    if receipt["version"] != 1:
        commitments = [read_bytes(text, [0, 32]) for text in row(receipt["commitments"])]
        names = ("terms", "secret_hash", "binding", "key", "signature")
        terms, secret_hash, now, key, signature = (
            read_bytes(receipt[name], [32, 64]) for name in names
        )
        covered = (secret_hash, receipt["left_out"], read_bytes(receipt["previous"], [0, 32]))
        facts = (receipt["table"], terms, receipt["draw"], commitments, *covered)
        if binding_of(*facts) != now or not is_signed(now, key, signature):
            sys.exit("RECEIPT: the server has not signed it")
    if given and sha(bytes.fromhex(given)).hex() != receipt["commitments"][seat]:
        sys.exit("RECEIPT: its bytes do not fit its commitment")
    drawn = draws[at] if 0 <= at < len(draws) and receipt["table"] == table else {}
    told = all(drawn.get(name) == receipt[name] for name in ("binding", "commitments"))
    expect(told, "the server told the page of the receipt something else")
    if given and drawn["contributions"][seat] != given:
        expect(False, f"the record lacks the bytes of seat {seat}, which the receipt has")


try:
    _, house = read_record(sys.argv[1])
    draws, signer = check_proof(house)
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            check_receipt(json.load(file), house["proof"]["table"], draws)
except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
    sys.exit(f"DAMAGED: {error}")
print(f"FITS: draw {len(draws)} fixed the seed, {signer}")
