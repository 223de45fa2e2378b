"""Check that pages and server fixed the seed of a game: python3 check_seed.py RECORD.jsonl"""

import hashlib
import json
import sys


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def field(text):
    return len(text.encode()).to_bytes(4, "big") + text.encode()


with open(sys.argv[1], encoding="utf-8") as record:
    house = json.loads(record.readline())["house"]
proof = house.get("proof") or sys.exit("NO PROOF in this record")
fields = [field(text) for text in (proof["table"], *proof["seats"], proof["rules"])]
fits = {**house["rules"], **json.loads(proof["rules"])} == house["rules"]
for number, draw in enumerate(proof["draws"], 1):
    secret, binding = bytes.fromhex(draw["secret"]), bytes.fromhex(draw["binding"])
    pages = list(zip(draw["commitments"], draw["contributions"], strict=True))
    fits &= sha(b"riichi wall binding 1", *fields, secret) == binding
    fits &= all(not given or sha(bytes.fromhex(given)).hex() == hash for hash, given in pages)
    fits &= any(hash and not given for hash, given in pages) == (number < len(proof["draws"]))
parts = [b"\1" + bytes.fromhex(given) if given else b"\0" for _, given in pages]
fits &= any(given for _, given in pages) and len(secret) == 32 and set(map(len, parts)) <= {1, 33}
fits &= sha(b"riichi wall seed 1", fields[0], secret, *parts).hex() == house["seed"]
print(f"FITS: draw {number} fixed the seed" if fits else sys.exit("DOES NOT FIT"))
