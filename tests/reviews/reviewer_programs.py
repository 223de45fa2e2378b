"""Reviewer programs for tests, each with one habit: `python reviewer_programs.py HABIT SEAT`.

They need nothing but Python, and follow the convention of mjai.app.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import sys
import time

HABIT, *_ = sys.argv[1:]


def say(answer: dict[str, object]) -> None:
    print(json.dumps(answer), flush=True)


def answer(events: list[dict[str, object]], seat: int) -> dict[str, object]:
    last = events[-1]
    if HABIT == "reach":
        return {"type": "reach", "actor": seat}
    if last["type"] == "tsumo" and last["actor"] == seat:
        return {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    return {"type": "none"}


def main(seat: int) -> None:
    for number, line in enumerate(sys.stdin):
        if HABIT == "hang":
            time.sleep(1_000)
        elif HABIT == "silent":
            continue
        elif HABIT == "die" and number == 3:
            sys.exit("the model is missing")
        elif HABIT == "flood":
            for count in itertools.count():
                print(f"thinking {count:01000}")
        elif HABIT == "endless":
            while True:
                sys.stdout.write("x" * 100_000)
        elif HABIT == "hungry":
            bytearray(2**30)
        elif HABIT == "environment":
            sys.exit(" ".join(sorted(os.environ)))
        elif HABIT == "connect":
            say({"type": _connection_to(int(sys.argv[2]))})
            continue
        say(answer(json.loads(line), seat))


def _connection_to(port: int) -> str:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return "refused"
    return "connected"


if __name__ == "__main__":
    main(int(sys.argv[-1]))
