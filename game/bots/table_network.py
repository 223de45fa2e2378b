"""The network that sees the whole table: what strong players do, and what it reads of opponents.

Owns the forward pass of the network and its file. `game.bots.table_planes` says what it sees. Each
suit goes through the same weights and sees the sum of the other two, so that suits are equal; the
honours have weights of their own. The rating of an option follows from its features
(`game.bots.features`, `call_features`), from what the network made of its kind of tile, and from
the whole table. The probability of an option is proportional to the exponential of its rating;
passing has the rating 0.

The functions take arrays of NumPy in play and tensors of PyTorch in the fit
(`bench.bots.table_fitting`), so that both compute the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import numpy as np

from game.analysis.visible_tiles import VisibleTiles
from game.bots.network import DIGITS, limited
from game.bots.table_planes import PLANE_SCALES, globals_of, planes_of
from game.engine.tiles import kind_of

CHECK: Final = "check "
"""Begins the names of the arrays with which tests compare the ratings of a file: positions, options
and the ratings that the fit computed for them (`bench.bots.table_fitting.checks_of`)."""
FILE: Final = Path(__file__).with_name("table_network.npz")
OPPONENTS: Final = 3
_SUITS: Final = 3
_RANKS: Final = 9
_HONOURS: Final = 7
_SUITED: Final = _SUITS * _RANKS

Array = Any
"""An array of NumPy or a tensor of PyTorch."""
Weights = Mapping[str, Array]
"""The parameters by name."""


class Sizes(NamedTuple):
    """The widths of the layers."""

    encoded: int = 192
    mixed: int = 128
    numbers: int = 64
    kind: int = 48
    option: int = 96
    last: int = 48


class Seen(NamedTuple):
    """What the network made of positions. The first axis is the position."""

    suits: Array
    """Of shape (positions, suits, values)."""
    honours: Array
    """Of shape (positions, values)."""
    whole: Array
    """Of shape (positions, values)."""


class Read(NamedTuple):
    """What the network reads of the opponents, as logits. Opponents are in the order of play."""

    tenpai: Array
    """Of shape (positions, opponents)."""
    waits: Array
    """Whether a kind completes the hand: of shape (positions, kinds, opponents)."""
    deal_in: Array
    """Whether a discard of the kind deals in: of shape (positions, kinds, opponents)."""
    place: Array
    """Of shape (positions, places): the own final place, not normalized."""


def shapes(planes: int, numbers: int, features: Mapping[str, int], sizes: Sizes) -> dict[str, Any]:
    """Return the shape of each parameter. Names that end in "b" are biases. `features` are the
    numbers of features of an option by kind of decision."""
    s = sizes
    found: dict[str, tuple[int, ...]] = {
        "numbers w": (numbers, s.numbers),
        "numbers b": (s.numbers,),
        "suit w": (_RANKS * planes, s.encoded),
        "suit b": (s.encoded,),
        "honours w": (_HONOURS * planes, s.mixed),
        "honours b": (s.mixed,),
        "mix suit w": (s.encoded, s.mixed),
        "mix others w": (s.encoded, s.mixed),
        "mix honours w": (s.mixed, s.mixed),
        "mix numbers w": (s.numbers, s.mixed),
        "mix b": (s.mixed,),
        "rest suits w": (s.encoded, s.mixed),
        "rest honours w": (s.mixed, s.mixed),
        "rest numbers w": (s.numbers, s.mixed),
        "rest b": (s.mixed,),
        "whole w": (2 * s.mixed, s.mixed),
        "whole b": (s.mixed,),
        "tenpai w": (s.mixed, OPPONENTS),
        "tenpai b": (OPPONENTS,),
        "place w": (s.mixed, 4),
        "place b": (4,),
    }
    for head, width in (("waits", OPPONENTS), ("deal_in", OPPONENTS), ("kind", s.kind)):
        found[f"{head} suit w"] = (s.mixed, _RANKS * width)
        found[f"{head} suit b"] = (_RANKS * width,)
        found[f"{head} honours w"] = (s.mixed, _HONOURS * width)
        found[f"{head} honours b"] = (_HONOURS * width,)
    for name, number in features.items():
        found[f"{name} features w"] = (number, s.option)
        found[f"{name} kind w"] = (s.kind, s.option)
        found[f"{name} whole w"] = (s.mixed, s.option)
        found[f"{name} b"] = (s.option,)
        found[f"{name} second w"] = (s.option, s.last)
        found[f"{name} second b"] = (s.last,)
        found[f"{name} last w"] = (s.last, 1)
    return found


def see(weights: Weights, planes: Array, numbers: Array) -> Seen:
    """Return what the network makes of positions. `planes` are scaled, of shape (positions, kinds,
    planes); `numbers` are of shape (positions, numbers)."""
    w = weights
    count = len(planes)
    by_suit = planes[:, :_SUITED].reshape(count, _SUITS, -1)
    plain = (numbers @ w["numbers w"] + w["numbers b"]).clip(min=0)
    suits = (by_suit @ w["suit w"] + w["suit b"]).clip(min=0)
    honours = planes[:, _SUITED:].reshape(count, -1) @ w["honours w"] + w["honours b"]
    honours = honours.clip(min=0)
    total = suits.sum(1)
    shared = honours @ w["mix honours w"] + plain @ w["mix numbers w"] + w["mix b"]
    others = (total @ w["mix others w"] + shared)[:, None]
    mixed = suits @ (w["mix suit w"] - w["mix others w"]) + others
    rest = total @ w["rest suits w"] + honours @ w["rest honours w"]
    rest = (rest + plain @ w["rest numbers w"] + w["rest b"]).clip(min=0)
    mixed = mixed.clip(min=0)
    half = w["mix b"].shape[0]
    whole = mixed.sum(1) @ w["whole w"][:half] + rest @ w["whole w"][half:] + w["whole b"]
    return Seen(mixed, rest, whole.clip(min=0))


def _by_kind(weights: Weights, head: str, seen: Seen) -> tuple[Array, Array]:
    """Return the values of a head: of the suited kinds, of shape (positions, 27, values), and of
    the honours."""
    w, count = weights, len(seen.suits)
    suited = seen.suits @ w[f"{head} suit w"] + w[f"{head} suit b"]
    honours = seen.honours @ w[f"{head} honours w"] + w[f"{head} honours b"]
    return suited.reshape(count, _SUITED, -1), honours.reshape(count, _HONOURS, -1)


def rate(
    weights: Weights, kind_of_decision: str, seen: Seen, features: Array, kinds: Array, where: Array
) -> Array:
    """Return the rating of each option, of shape (options,). `features` are of shape (options,
    features); `kinds` are the kinds of tile and `where` the indices of the positions."""
    w, name = weights, kind_of_decision
    suited, honours = _by_kind(w, "kind", seen)
    is_suited = (kinds < _SUITED)[:, None]
    of_suit = suited[where, kinds.clip(max=_SUITED - 1)]
    of_honour = honours[where, (kinds - _SUITED).clip(min=0)]
    of_kind = of_suit * is_suited + of_honour * ~is_suited
    whole = seen.whole @ w[f"{name} whole w"] + w[f"{name} b"]
    values = features @ w[f"{name} features w"] + of_kind @ w[f"{name} kind w"] + whole[where]
    values = (values.clip(min=0) @ w[f"{name} second w"] + w[f"{name} second b"]).clip(min=0)
    return (values @ w[f"{name} last w"])[:, 0]


def read_opponents(weights: Weights, seen: Seen, join: Any = np.concatenate) -> Read:
    """Return what the network reads of the opponents. `join` joins arrays along an axis."""
    w = weights
    return Read(
        seen.whole @ w["tenpai w"] + w["tenpai b"],
        join(_by_kind(w, "waits", seen), 1),
        join(_by_kind(w, "deal_in", seen), 1),
        seen.whole @ w["place w"] + w["place b"],
    )


class Question(NamedTuple):
    """A choice between options at a table of four."""

    visible: VisibleTiles
    features: Sequence[Sequence[float]]
    """Of each option."""
    tiles: Sequence[int]
    """The tile of each option: the discard, or the tile that is called."""


def rate_questions(kind_of_decision: str, questions: Sequence[Question]) -> list[list[float]]:
    """Return for each question the ratings of its options. Many questions together take less time
    than one after the other."""
    weights = table_weights()
    planes = np.array([planes_of(each.visible) for each in questions]) * PLANE_SCALES
    numbers = np.array([globals_of(each.visible) for each in questions])
    sizes = [len(each.tiles) for each in questions]
    rows = [row for each in questions for row in each.features]
    kinds = np.array([kind_of(tile) for each in questions for tile in each.tiles])
    where = np.repeat(np.arange(len(questions)), sizes)
    features = limited(np.array(rows, np.float32))
    found = rate(weights, kind_of_decision, see(weights, planes, numbers), features, kinds, where)
    ratings = iter(found.tolist())
    return [[round(next(ratings), DIGITS) for _ in range(size)] for size in sizes]


@cache
def table_weights() -> dict[str, Array]:
    """Return the weights in play; the file is read once."""
    with FILE.open("rb") as file:
        return read_weights(file)


def read_weights(file: IO[bytes]) -> dict[str, Array]:
    """Return the weights of a file that `write_weights` wrote."""
    with np.load(file, allow_pickle=False) as arrays:
        return {
            name: arrays[name].astype(np.float32) for name in arrays if not name.startswith(CHECK)
        }


def write_weights(
    file: IO[bytes], weights: Mapping[str, Array], checks: Mapping[str, Array]
) -> None:
    """Write the weights with half the digits of a float, and the arrays of `checks`, whose names
    begin with `CHECK`."""
    halves: dict[str, Any] = {name: each.astype(np.float16) for name, each in weights.items()}
    np.savez_compressed(file, **halves, **checks)
