"""Judges the table network by games that it was not fitted to.

Owns the lines about agreement, log loss and reliability. Intervals of 95 % are over groups of games
with one seed of walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import torch

from bench.bots.table_fitting import MOST_OPTIONS, Judged, Part, batch_of, interval, judge
from game.bots.network import Network
from game.bots.table_network import Weights, read_opponents, see

_GROUPS: Final = 10


def lines_of(weights: Weights, before: dict[str, Network], parts: dict[str, Part]) -> Iterator[str]:
    """Yield what the network gains over the networks `before` in these decisions, and how reliable
    its probabilities are."""
    tensors = {name: torch.from_numpy(each) for name, each in weights.items()}
    for kind, part in parts.items():
        judged, old = judge(tensors, kind, part), judge_options(before[kind], kind, part)
        gain, loss = judged.agrees.astype(float) - old.agrees, judged.losses - old.losses
        yield (
            f"{kind}: {len(part.chosen)} decisions of {len(np.unique(part.group))} groups of games,"
            f" agreement {judged.agreement:.2%} ± {interval(judged.agrees * 1.0, part.group):.2%},"
            f" log loss {judged.log_loss:.4f} ± {interval(judged.losses, part.group):.4f}"
        )
        yield (
            f"  by their features alone {old.agreement:.2%} and {old.log_loss:.4f}; gained"
            f" {gain.mean():+.2%} ± {interval(gain, part.group):.2%}"
            f" and {loss.mean():+.4f} ± {interval(loss, part.group):.4f}"
        )
        yield from _choice_lines(judged, part)
    yield from _opponent_lines(tensors, parts["discards"])


def judge_options(network: Network, kind: str, part: Part) -> Judged:
    """Return how far a network that rates options by their features alone agrees with these
    decisions."""
    ratings = np.full((len(part.chosen), MOST_OPTIONS + 1), -1e9)
    where = np.repeat(np.arange(len(part.chosen)), part.options)
    column = np.arange(len(where)) - part.first[where]
    ratings[where, column] = network.apply(part.features.astype(np.float32))
    if kind == "calls":
        ratings[:, -1] = 0.0
    ratings -= ratings.max(1, keepdims=True)
    scores = ratings - np.log(np.exp(ratings).sum(1, keepdims=True))
    chosen = np.where(part.chosen < 0, MOST_OPTIONS, part.chosen)
    losses, agrees = -scores[np.arange(len(chosen)), chosen], scores.argmax(1) == chosen
    return Judged(float(agrees.mean()), float(losses.mean()), agrees, losses, np.exp(scores))


def _choice_lines(judged: Judged, part: Part) -> Iterator[str]:
    """Yield the reliability of the probabilities of options, by tenths."""
    chosen = np.where(part.chosen < 0, MOST_OPTIONS, part.chosen)
    taken = np.zeros(judged.probabilities.shape, np.bool_)
    taken[np.arange(len(chosen)), chosen] = True
    is_option = judged.probabilities > 0
    predicted, happened = judged.probabilities[is_option], taken[is_option]
    tenth = np.minimum((predicted * _GROUPS).astype(int), _GROUPS - 1)
    for number in range(_GROUPS):
        here = tenth == number
        if here.any():
            yield _reliability_line(predicted[here], happened[here])


def _opponent_lines(weights: Weights, part: Part) -> Iterator[str]:
    """Yield the reliability of what the network reads of the opponents, by groups of equal size."""
    found: dict[str, list[tuple[Any, Any]]] = {"tenpai": [], "waits": [], "deal-in": []}
    with torch.no_grad():
        for which in np.array_split(np.arange(len(part.chosen)), len(part.chosen) // 2048 + 1):
            batch = batch_of(part, which)
            read = read_opponents(weights, see(weights, batch.planes, batch.numbers), torch.cat)
            dealt = read.deal_in[torch.arange(len(which)), batch.chosen_kind]
            for name, logits, happened in (
                ("tenpai", read.tenpai, batch.waits.amax(2)),
                ("waits", read.waits, batch.waits.transpose(1, 2)),
                ("deal-in", dealt, batch.dealt_in),
            ):
                found[name].append(
                    (torch.sigmoid(logits).numpy().ravel(), happened.numpy().ravel())
                )
    for name, pairs in found.items():
        predicted, happened = (np.concatenate(each) for each in zip(*pairs, strict=True))
        yield f"{name}: {len(predicted)} cases, {happened.mean():.2%}"
        order = np.argsort(predicted, kind="stable")
        for group in np.array_split(order, _GROUPS):
            yield _reliability_line(predicted[group], happened[group])


def _reliability_line(predicted: Any, happened: Any) -> str:
    share = float(happened.mean())
    margin = 1.96 * (share * (1 - share) / len(happened)) ** 0.5
    return (
        f"  predicted {predicted.mean():7.2%}, happened {share:7.2%} ± {margin:.2%}"
        f" of {len(happened)}"
    )
