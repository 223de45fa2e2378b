"""Fits the networks of the strongest bot to recorded games, for `python -m bench.bots fit`.

Owns the fit: the probability of an option is proportional to the exponential of its rating, and the
fit makes the choices of the players most likely (Adam with decay of weights and dropout). Every
sixth game is left out of the fit and judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.bots.recorded_decisions import PASSED, RecordedDecision
from game.bots.network import Floats, Network, limited

LEFT_OUT: Final = 6
"""One game in this number is left out of the fit and judges it."""
_LAYERS: Final = (64, 32)
_EPOCHS: Final = 24
_BATCH: Final = 256
_LEARNING_RATE: Final = 0.002
_MOMENTUM: Final = 0.9
_SQUARES_MOMENTUM: Final = 0.999
_DECAY: Final = 0.05
_DROPOUT: Final = 0.15
_IMPOSSIBLE: Final = -1e9
"""The rating of padding, and of a pass where nobody may pass."""


class Decisions(NamedTuple):
    """Decisions of one kind, padded to the same number of options."""

    features: Floats
    """Of shape (decisions, options, features)."""
    is_option: NDArray[np.bool_]
    """Of shape (decisions, options); false for padding."""
    chosen: NDArray[np.int64]
    """Index of the chosen option, of shape (decisions,). The number of options stands for a
    pass."""
    game: NDArray[np.int64]
    """Number of the game, of shape (decisions,)."""
    can_pass: bool
    """Whether players can pass in decisions of this kind."""

    def of(self, which: NDArray[np.int64]) -> Decisions:
        """Return the decisions with these indices."""
        return Decisions(
            self.features[which],
            self.is_option[which],
            self.chosen[which],
            self.game[which],
            self.can_pass,
        )


def collect(games: Iterable[Iterable[RecordedDecision]]) -> Decisions:
    """Return the decisions of all these games. Raises ValueError if there are none."""
    found = [(number, decision) for number, game in enumerate(games) for decision in game]
    if not found:
        raise ValueError("no decisions in these records")
    most = max(len(decision.features) for _, decision in found)
    features = np.zeros((len(found), most, found[0][1].features.shape[1]), np.float32)
    is_option = np.zeros((len(found), most), np.bool_)
    for at, (_, decision) in enumerate(found):
        features[at, : len(decision.features)] = decision.features
        is_option[at, : len(decision.features)] = True
    chosen = [most if each.chosen == PASSED else each.chosen for _, each in found]
    numbers = [number for number, _ in found]
    can_pass = most in chosen
    return Decisions(limited(features), is_option, np.array(chosen), np.array(numbers), can_pass)


def parts_of(decisions: Decisions) -> tuple[Decisions, Decisions]:
    """Return the decisions to fit, and the decisions that judge the fit."""
    judging = decisions.game % LEFT_OUT == 0
    return decisions.of(np.flatnonzero(~judging)), decisions.of(np.flatnonzero(judging))


def agreement(network: Network, decisions: Decisions) -> float:
    """Return the share of decisions in which the player chose the option with the highest
    rating."""
    ratings = _ratings(network, decisions)
    return float((ratings.argmax(1) == decisions.chosen).mean())


def fit(
    decisions: Decisions, seed: int = 0, after_epoch: Callable[[int, int], None] | None = None
) -> Network:
    """Return a network fitted to the decisions. `after_epoch` is called after each epoch with the
    number of epochs done and the number of all epochs."""
    random = np.random.default_rng(seed)
    network = _random_network(random, decisions.features.shape[-1])
    steps = _EPOCHS * max(1, len(decisions.chosen) // _BATCH)
    optimizer = _Adam([*network.weights, *network.biases], steps)
    for epoch in range(_EPOCHS):
        for batch in _batches(random, len(decisions.chosen)):
            weights, biases = _gradients(network, decisions.of(batch), random)
            optimizer.step([*weights, *biases], decayed=len(weights))
        if after_epoch is not None:
            after_epoch(epoch + 1, _EPOCHS)
    return network


def _random_network(random: np.random.Generator, inputs: int) -> Network:
    network = Network([], [])
    for before, after in zip((inputs, *_LAYERS), (*_LAYERS, 1), strict=True):
        spread = np.sqrt(2 / before)
        network.weights.append(random.normal(0, spread, (before, after)).astype(np.float32))
        network.biases.append(np.zeros(after, np.float32))
    return network


def _batches(random: np.random.Generator, number: int) -> Iterator[NDArray[np.int64]]:
    order = random.permutation(number)
    yield from np.array_split(order, max(1, number // _BATCH))


def _ratings(network: Network, decisions: Decisions) -> Floats:
    """Return the ratings of all options, with a last column for a pass."""
    return _with_pass(network.apply(decisions.features), decisions)


def _with_pass(ratings: Floats, decisions: Decisions) -> Floats:
    """Return the ratings of the options, with a last column for a pass."""
    passing = np.full((len(ratings), 1), 0.0 if decisions.can_pass else _IMPOSSIBLE, np.float32)
    return np.hstack([np.where(decisions.is_option, ratings, np.float32(_IMPOSSIBLE)), passing])


def _gradients(
    network: Network, decisions: Decisions, random: np.random.Generator
) -> tuple[list[Floats], list[Floats]]:
    """Return the gradients of the mean negative log-likelihood: of the weights and of the biases,
    by layer."""
    inputs = [decisions.features]
    kept: list[Floats] = []
    last = len(network.weights) - 1
    for at, (weights, biases) in enumerate(zip(*network, strict=True)):
        values = inputs[-1] @ weights + biases
        if at < last:
            kept.append(_dropout(random, values.shape[-1]))
            values = np.maximum(values, 0) * kept[-1]
        inputs.append(values)
    ratings = _with_pass(inputs.pop()[..., 0], decisions)
    errors = np.exp(ratings - ratings.max(1, keepdims=True))
    errors /= errors.sum(1, keepdims=True)
    errors[np.arange(len(errors)), decisions.chosen] -= 1
    slope = np.where(decisions.is_option, errors[:, :-1], np.float32(0))[..., None] / len(errors)
    by_weights: list[Floats] = []
    by_biases: list[Floats] = []
    for at in reversed(range(last + 1)):
        flat = slope.reshape(-1, slope.shape[-1])
        before = inputs[at].reshape(-1, inputs[at].shape[-1])
        by_weights.insert(0, (before.T @ flat).astype(np.float32))
        by_biases.insert(0, flat.sum(0).astype(np.float32))
        if at:
            slope = (slope @ network.weights[at].T) * (inputs[at] > 0) * kept[at - 1]
    return by_weights, by_biases


def _dropout(random: np.random.Generator, number: int) -> Floats:
    """Return random factors for the values of a layer: 0 for a share of `_DROPOUT`, otherwise equal
    factors that keep the mean."""
    kept = random.random(number) >= _DROPOUT
    return (kept / (1 - _DROPOUT)).astype(np.float32)


class _Adam:
    """Adam (Kingma and Ba, 2014) with decoupled decay of weights. The learning rate falls as a
    cosine to 0."""

    def __init__(self, parameters: Sequence[Floats], steps: int) -> None:
        self._parameters = parameters
        self._steps = steps
        self._step = 0
        self._means = [np.zeros_like(each) for each in parameters]
        self._squares = [np.zeros_like(each) for each in parameters]

    def step(self, gradients: Sequence[Floats], decayed: int) -> None:
        """Move the parameters against the gradients. The first `decayed` parameters also decay."""
        self._step += 1
        rate = _LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * min(1.0, self._step / self._steps)))
        for at, (parameter, gradient) in enumerate(zip(self._parameters, gradients, strict=True)):
            mean, square = self._means[at], self._squares[at]
            mean += (1 - _MOMENTUM) * (gradient - mean)
            square += (1 - _SQUARES_MOMENTUM) * (gradient * gradient - square)
            change = (mean / (1 - _MOMENTUM**self._step)) / (
                np.sqrt(square / (1 - _SQUARES_MOMENTUM**self._step)) + 1e-8
            )
            if at < decayed:
                change = change + _DECAY * parameter
            parameter -= (rate * change).astype(np.float32)
