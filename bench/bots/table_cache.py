"""Keeps the decisions of recorded games on disk, in the form that the table network is fitted to.

Owns the cache: one file for some games each, so that processes can share the work and a fit can
begin before all games are read. Games are told apart by the seed of their walls, so that pieces of
one game fall into the same part.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.bots.danger_check import winners_on
from bench.bots.recorded_decisions import SeenDecision, seen_calls_of, seen_discards_of
from game.analysis.shape import shanten_and_useful
from game.bots.network import limited
from game.bots.table_planes import globals_of, planes_of
from game.engine.events import Event, GameEnded
from game.engine.tiles import KINDS, count_kinds, kind_of, kinds_in
from game.records.reading import read_recorded_game, record_paths, unpack_text
from game.records.recorded import RecordError, UnsupportedRecord
from game.records.validate import engine_events, validate_game

GAMES_IN_FILE: Final = 8
LEFT_OUT: Final = 6
"""One group of games in this number is left out of the fit and judges it."""
KINDS_OF_DECISION: Final = ("discards", "calls")
_SEED: Final = re.compile(r'<SHUFFLE seed="([^"]+)"')
_ORDER_SALT: Final = b"order"


def group_of(raw: bytes) -> int:
    """Return a number that all records with the same seed of walls have in common; of a record
    without a seed, a number of its bytes."""
    found = _SEED.search(unpack_text(raw))
    return int.from_bytes(hashlib.sha256(found[1].encode() if found else raw).digest()[:6])


def judges(group: int) -> bool:
    """Whether games of this group are left out of the fit and judge it."""
    return group % LEFT_OUT == 0


def tunes(group: int) -> bool:
    """Whether games of this group are left out of the fit and set its temperature."""
    return group % (4 * LEFT_OUT) == 1


def read_into(folder: Path, paths: Iterable[Path], processes: int) -> Iterator[tuple[int, int]]:
    """Read the records into the folder; files that are there already stay. Yield the number of
    files done and the number of all."""
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(record_paths(paths), key=_shuffled)
    parts = [found[at : at + GAMES_IN_FILE] for at in range(0, len(found), GAMES_IN_FILE)]
    with multiprocessing.Pool(processes) as pool:
        for done, _ in enumerate(pool.imap(partial(_read_part, folder), parts), 1):
            yield done, len(parts)


def _shuffled(path: Path) -> bytes:
    """Return a key that puts the records into an order without meaning."""
    return hashlib.sha256(_ORDER_SALT + path.name.encode()).digest()


def _read_part(folder: Path, paths: Sequence[Path]) -> None:
    name = hashlib.sha256("\n".join(path.name for path in paths).encode()).hexdigest()[:16]
    if (folder / f"{name}.npz").exists():
        return
    arrays = _arrays_of(_rows_of(paths))
    unfinished = folder / f"{name}.part"
    with unfinished.open("wb") as file:
        np.savez(file, **arrays)
    unfinished.rename(folder / f"{name}.npz")


def _rows_of(paths: Iterable[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in paths:
        raw = path.read_bytes()
        try:
            game = read_recorded_game(raw)
            events = engine_events(game, validate_game(str(path), game))
        except (RecordError, UnsupportedRecord):
            continue
        group = group_of(raw)
        places = next(
            ([place for place, _ in e.placement] for e in events if isinstance(e, GameEnded)),
            [0] * 4,
        )
        for kind, found in (
            ("discards", seen_discards_of(events)),
            ("calls", seen_calls_of(events)),
        ):
            for seen in found:
                row = _row_of(seen, events, places)
                row["group"] = group
                yield kind, row


def _row_of(seen: SeenDecision, events: Sequence[Event], places: list[int]) -> dict[str, Any]:
    decision, visible = seen.decision, seen.visible
    seat = visible.seat
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    winners = winners_on(events[seen.at + 1 : seen.at + 12], seat)
    return {
        "planes": planes_of(visible),
        "globals": globals_of(visible).astype(np.float16),
        "features": limited(decision.features).astype(np.float16),
        "kinds": [kind_of(tile) for tile in seen.tiles],
        "options": len(seen.tiles),
        "chosen": decision.chosen,
        "waits": [_waits_of(seen, other) for other in others],
        "dealt_in": [other in winners for other in others],
        "place": places[seat],
    }


def _waits_of(seen: SeenDecision, seat: int) -> list[int]:
    """Return the mask of the kinds that complete the hand of the seat."""
    shanten, useful = shanten_and_useful(count_kinds(seen.table.hands[seat].tiles), 4)
    found = [0] * KINDS
    for kind in kinds_in(useful if shanten == 0 else 0):
        found[kind] = 1
    return found


def _arrays_of(rows: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    by_kind: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS_OF_DECISION}
    for kind, row in rows:
        by_kind[kind].append(row)
    found: dict[str, Any] = {}
    for kind, each in by_kind.items():
        if not each:
            continue
        for name, dtype in (
            ("planes", np.uint8),
            ("globals", np.float16),
            ("waits", np.uint8),
            ("dealt_in", np.uint8),
            ("options", np.uint8),
            ("chosen", np.int8),
            ("place", np.uint8),
            ("group", np.int64),
        ):
            found[f"{kind} {name}"] = np.array([row[name] for row in each], dtype)
        found[f"{kind} features"] = np.concatenate([row["features"] for row in each])
        found[f"{kind} kinds"] = np.concatenate([row["kinds"] for row in each]).astype(np.uint8)
    return found
