"""Small feed-forward networks that say how likely a strong player takes each of several options.

Owns the networks and their files, one for each number of players. Each was fitted to the decisions
of strong players in recorded games (`bench.bots.fitting`, docs/bot-strength.md). A network rates
each option by its own features; the probability of an option is proportional to the exponential of
its rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

NETWORKS: Final = {
    4: Path(__file__).with_name("networks.npz"),
    3: Path(__file__).with_name("networks_of_three.npz"),
}
"""The files by the number of players."""
_MAX_FEATURE: Final = 5.0
"""Largest absolute value of a feature; features beyond it are cut."""
DIGITS: Final = 4
"""Decimal digits of ratings. They are rounded, so that processors that add in another order take
the same option."""

Floats = NDArray[np.float32]


class Network(NamedTuple):
    """The layers of a network: weights of shape (inputs, outputs) and biases of shape (outputs,).
    The last layer has one output."""

    weights: list[Floats]
    biases: list[Floats]

    def rate(self, options: Sequence[Sequence[float]]) -> list[float]:
        """Return the rating of each option from its features."""
        ratings = self.apply(limited(np.array(options, np.float32)))
        return [round(float(rating), DIGITS) for rating in ratings]

    def apply(self, features: Floats) -> Floats:
        """Return the ratings, of shape (...), from limited features of shape (..., features)."""
        values = features
        last = len(self.weights) - 1
        for at, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = values @ weights + biases
            if at < last:
                values = np.maximum(values, 0)
        return values[..., 0]


def limited(features: Floats) -> Floats:
    """Return the features, cut to the range that the networks accept."""
    return np.clip(features, -_MAX_FEATURE, _MAX_FEATURE)


@cache
def network(name: str, players: int) -> Network:
    """Return the network of that name; the file is read once for each."""
    with NETWORKS[players].open("rb") as file:
        return read_networks(file)[name]


def read_networks(file: IO[bytes]) -> dict[str, Network]:
    """Return the networks of a file that `write_networks` wrote, by name."""
    found: dict[str, Network] = {}
    with np.load(file, allow_pickle=False) as arrays:
        for key in arrays:
            name, _, layer = key.partition(" ")
            network = found.setdefault(name, Network([], []))
            (network.weights if layer.startswith("w") else network.biases).append(
                arrays[key].astype(np.float32)
            )
    return found


def write_networks(file: IO[bytes], networks: dict[str, Network]) -> None:
    """Write the networks with half the digits of a float, which change no rating noticeably."""
    arrays: dict[str, Any] = {}
    for name, network in networks.items():
        for at, (weights, biases) in enumerate(zip(*network, strict=True)):
            arrays[f"{name} weights {at}"] = weights.astype(np.float16)
            arrays[f"{name} biases {at}"] = biases.astype(np.float16)
    np.savez_compressed(file, **arrays)
