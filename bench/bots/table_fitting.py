"""Fits the table network to the cache of recorded decisions, for `python -m bench.bots fit-table`.

Owns the fit by PyTorch (requirements-fit.txt): the choices of the players become most likely, and
as auxiliary aims the waits of the opponents, their tenpai, who dealt in, and the own final place.
The learning rate falls as a cosine of the time spent, so that a fit ends after the minutes that it
is given on any machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from bench.bots.table_cache import KINDS_OF_DECISION, judges, tunes
from game.bots.table_network import (
    CHECK,
    Seen,
    Sizes,
    Weights,
    rate,
    read_opponents,
    see,
    shapes,
)
from game.bots.table_planes import PLANE_SCALES
from game.engine.tiles import EAST, KINDS

_BATCH: Final = 512
_LEARNING_RATE: Final = 0.002
_LEAST_RATE: Final = 0.01
"""Share of the learning rate at the end."""
_WARM_UP: Final = 0.02
"""Share of the time in which the learning rate rises."""
_DECAY: Final = 0.1
_DROPOUT: Final = 0.3
_DROPOUT_OF_PLANES: Final = 0.1
_BESIDE: Final = (slice(68, 74), slice(74, 80))
"""The features of a discard that describe its neighbours in the suit, in the order of the ranks:
their copies in the hand and the unseen ones. A mirrored suit turns them round."""
MOST_OPTIONS: Final = 14
_IMPOSSIBLE: Final = -1e9
_AUXILIARY: Final = {"tenpai": 0.05, "waits": 0.5, "deal_in": 0.1, "place": 0.02}
"""Weights of the auxiliary losses beside that of the choice."""
_FACTORS: Final = tuple(number / 100 for number in range(60, 141, 2))
"""The inverse temperatures that are tried."""
_CHECKED: Final = 12
"""Number of positions of each kind of decision that a file has for tests."""
CHECKPOINT_S: Final = 240.0


class Part(NamedTuple):
    """Decisions of one kind. The options of all decisions follow each other in `features` and
    `kinds`."""

    planes: Any
    numbers: Any
    waits: Any
    dealt_in: Any
    place: Any
    chosen: Any
    group: Any
    first: Any
    """Index of the first option of each decision."""
    options: Any
    """Number of options of each decision."""
    features: Any
    kinds: Any


class Batch(NamedTuple):
    """Decisions as tensors."""

    planes: torch.Tensor
    numbers: torch.Tensor
    features: torch.Tensor
    kinds: torch.Tensor
    where: torch.Tensor
    column: torch.Tensor
    chosen: torch.Tensor
    waits: torch.Tensor
    dealt_in: torch.Tensor
    place: torch.Tensor
    chosen_kind: torch.Tensor


def load(folder: Path, is_wanted: Callable[[int], bool]) -> dict[str, Part]:
    """Return the decisions of the groups that are wanted, by kind. Raises ValueError without
    any."""
    found: dict[str, dict[str, list[Any]]] = {}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as arrays:
            for kind in KINDS_OF_DECISION:
                if f"{kind} group" not in arrays:
                    continue
                group = arrays[f"{kind} group"]
                keep = np.array([is_wanted(int(each)) for each in group])
                rows = np.repeat(keep, arrays[f"{kind} options"])
                names = found.setdefault(kind, {})
                for name in (
                    "planes",
                    "globals",
                    "waits",
                    "dealt_in",
                    "place",
                    "chosen",
                    "group",
                    "options",
                ):
                    names.setdefault(name, []).append(arrays[f"{kind} {name}"][keep])
                for name in ("features", "kinds"):
                    names.setdefault(name, []).append(arrays[f"{kind} {name}"][rows])
    if not found:
        raise ValueError(f"there are no decisions in {folder}")
    return {
        kind: _part({name: np.concatenate(pieces) for name, pieces in each.items()})
        for kind, each in found.items()
    }


def _part(arrays: dict[str, Any]) -> Part:
    options = arrays["options"].astype(np.int64)
    return Part(
        arrays["planes"],
        arrays["globals"],
        arrays["waits"],
        arrays["dealt_in"],
        arrays["place"],
        arrays["chosen"].astype(np.int64),
        arrays["group"],
        np.concatenate([[0], options.cumsum()[:-1]]),
        options,
        arrays["features"],
        arrays["kinds"],
    )


def batch_of(part: Part, which: Any) -> Batch:
    """Return the decisions with these indices."""
    options = part.options[which]
    where = np.repeat(np.arange(len(which)), options)
    column = np.arange(len(where)) - np.repeat(options.cumsum() - options, options)
    rows = part.first[which][where] + column
    chosen = part.chosen[which]
    chosen_rows = part.first[which] + np.maximum(chosen, 0)
    return Batch(
        torch.from_numpy(part.planes[which]).float() * torch.from_numpy(PLANE_SCALES),
        torch.from_numpy(part.numbers[which]).float(),
        torch.from_numpy(part.features[rows]).float(),
        torch.from_numpy(part.kinds[rows].astype(np.int64)),
        torch.from_numpy(where),
        torch.from_numpy(column),
        torch.from_numpy(np.where(chosen < 0, MOST_OPTIONS, chosen)),
        torch.from_numpy(part.waits[which]).float(),
        torch.from_numpy(part.dealt_in[which]).float(),
        torch.from_numpy(part.place[which].astype(np.int64)),
        torch.from_numpy(part.kinds[chosen_rows].astype(np.int64)),
    )


def _mirrored(kinds: torch.Tensor) -> torch.Tensor:
    """Return the kinds after 1 and 9 of each suit, 2 and 8 and so on changed places."""
    return torch.where(kinds < EAST, kinds + 8 - 2 * (kinds % 9), kinds)


def mirror(kind: str, batch: Batch) -> Batch:
    """Return the same decisions with the ranks of all suits turned round."""
    order = _mirrored(torch.arange(KINDS))
    features = batch.features.clone()
    if kind == "discards":
        for beside in _BESIDE:
            features[:, beside] = batch.features[:, beside].flip(1)
    return batch._replace(
        planes=batch.planes[:, order],
        waits=batch.waits[:, :, order],
        features=features,
        kinds=_mirrored(batch.kinds),
        chosen_kind=_mirrored(batch.chosen_kind),
    )


def scores_of(weights: Weights, kind: str, batch: Batch, seen: Any) -> torch.Tensor:
    """Return the log-probability of each option, of shape (decisions, options); the last column is
    a pass, and padding has none."""
    ratings = rate(weights, kind, seen, batch.features, batch.kinds, batch.where)
    table = torch.full((len(batch.chosen), MOST_OPTIONS + 1), _IMPOSSIBLE)
    if kind == "calls":
        table[:, -1] = 0.0
    table = table.index_put((batch.where, batch.column), ratings)
    return functional.log_softmax(table, 1)


def _loss(weights: Weights, kind: str, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of the fit, and the loss of the choice alone."""
    planes = functional.dropout(batch.planes, _DROPOUT_OF_PLANES)
    seen = see(weights, planes, batch.numbers)
    seen = Seen(*(functional.dropout(each, _DROPOUT) for each in seen))
    choice = functional.nll_loss(scores_of(weights, kind, batch, seen), batch.chosen)
    found = read_opponents(weights, seen, torch.cat)
    bce = functional.binary_cross_entropy_with_logits
    tenpai = batch.waits.amax(2)
    total = choice + _AUXILIARY["tenpai"] * bce(found.tenpai, tenpai)
    total = total + _AUXILIARY["waits"] * bce(found.waits, batch.waits.transpose(1, 2))
    if kind == "discards":
        at = torch.arange(len(batch.chosen))
        total = total + _AUXILIARY["deal_in"] * bce(
            found.deal_in[at, batch.chosen_kind], batch.dealt_in
        )
    known = batch.place > 0
    if bool(known.any()):
        total = total + _AUXILIARY["place"] * functional.cross_entropy(
            found.place[known], batch.place[known] - 1
        )
    return total, choice.detach()


def random_weights(parts: dict[str, Part], sizes: Sizes) -> dict[str, torch.Tensor]:
    """Return random weights for decisions like these."""
    features = {kind: part.features.shape[1] for kind, part in parts.items()}
    one = next(iter(parts.values()))
    found = {}
    for name, shape in shapes(one.planes.shape[2], one.numbers.shape[1], features, sizes).items():
        spread = math.sqrt(2 / shape[0]) if name.endswith("w") else 0.0
        if name.startswith(("mix", "rest", "discards", "calls")):
            spread /= 2
        found[name] = torch.empty(shape).normal_(0, spread or 1) if spread else torch.zeros(shape)
    return found


def fit(
    folder: Path,
    checkpoint: Path,
    minutes: float,
    report: Callable[[str], None],
    seed: int = 0,
) -> dict[str, Any]:
    """Return the weights as arrays of NumPy. The fit goes on from the checkpoint if there is one.
    `report` gets a line of the learning curve after each pass over the games."""
    torch.manual_seed(seed)
    files = number_of_files(folder)
    parts = load(folder, _is_fitted)
    tuning = load(folder, tunes)
    weights = random_weights(parts, Sizes())
    spent, passes = 0.0, 0
    for each in weights.values():
        each.requires_grad_()
    decayed = [each for name, each in weights.items() if name.endswith("w")]
    plain = [each for name, each in weights.items() if not name.endswith("w")]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": _DECAY}, {"params": plain, "weight_decay": 0.0}],
        lr=_LEARNING_RATE,
        betas=(0.9, 0.99),
    )
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        with torch.no_grad():
            for name, each in weights.items():
                each.copy_(state["weights"][name])
        optimizer.load_state_dict(state["optimizer"])
        spent, passes = state["spent"], state["passes"]
    began = saved = time.monotonic()
    before = spent
    while spent < minutes * 60:
        if number_of_files(folder) > files:
            files = number_of_files(folder)
            parts = load(folder, _is_fitted)
        losses: dict[str, list[float]] = {kind: [] for kind in parts}
        for kind, which in _batches(parts, seed + passes):
            spent = before + time.monotonic() - began
            share = min(1.0, spent / (minutes * 60))
            _set_rate(optimizer, share)
            batch = batch_of(parts[kind], which)
            if torch.rand(()) < 0.5:
                batch = mirror(kind, batch)
            total, choice = _loss(weights, kind, batch)
            optimizer.zero_grad(set_to_none=True)
            total.backward()
            torch.nn.utils.clip_grad_norm_(list(weights.values()), 5.0)
            optimizer.step()
            losses[kind].append(float(choice))
            if time.monotonic() - saved > CHECKPOINT_S:
                saved = time.monotonic()
                _save(checkpoint, weights, optimizer, spent, passes)
            if share >= 1:
                break
        passes += 1
        _save(checkpoint, weights, optimizer, spent, passes)
        fitted = ", ".join(f"{kind} {np.mean(each or [0]):.4f}" for kind, each in losses.items())
        others = ", ".join(
            f"{kind} {judged.log_loss:.4f} ({judged.agreement:.2%})"
            for kind, judged in (
                (kind, judge(weights, kind, part)) for kind, part in tuning.items()
            )
        )
        report(f"{spent / 60:.1f} min, pass {passes}: log loss fitted {fitted}; not seen {others}")
    return {name: each.detach().numpy() for name, each in weights.items()}


def number_of_files(folder: Path) -> int:
    """Return the number of files of the cache. More may come while a fit runs; they take part from
    the next pass on."""
    return len([*folder.glob("*.npz")])


def _is_fitted(group: int) -> bool:
    return not judges(group) and not tunes(group)


def _set_rate(optimizer: torch.optim.Optimizer, share: float) -> None:
    factor = _LEAST_RATE + (1 - _LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * share))
    for group in optimizer.param_groups:
        group["lr"] = _LEARNING_RATE * factor * min(1.0, share / _WARM_UP + 0.01)


def _save(
    path: Path, weights: Weights, optimizer: torch.optim.Optimizer, spent: float, passes: int
) -> None:
    unfinished = path.with_suffix(".part")
    torch.save(
        {
            "weights": {name: each.detach() for name, each in weights.items()},
            "optimizer": optimizer.state_dict(),
            "spent": spent,
            "passes": passes,
        },
        unfinished,
    )
    unfinished.rename(path)


def _batches(parts: dict[str, Part], seed: int) -> Iterator[tuple[str, Any]]:
    random = np.random.default_rng(seed)
    found = [
        (kind, which)
        for kind, part in parts.items()
        for which in np.array_split(
            random.permutation(len(part.chosen)), max(1, len(part.chosen) // _BATCH)
        )
    ]
    for at in random.permutation(len(found)):
        yield found[at]


class Judged(NamedTuple):
    """How far a network agrees with the players in decisions of one kind."""

    agreement: float
    log_loss: float
    agrees: Any
    """Whether the network agrees, of shape (decisions,)."""
    losses: Any
    """Of shape (decisions,)."""
    probabilities: Any
    """Of shape (decisions, options); the last column is a pass."""


def judge(weights: Weights, kind: str, part: Part) -> Judged:
    """Return how far the network agrees with these decisions."""
    scores = []
    with torch.no_grad():
        for which in np.array_split(np.arange(len(part.chosen)), len(part.chosen) // 2048 + 1):
            batch = batch_of(part, which)
            seen = see(weights, batch.planes, batch.numbers)
            scores.append(scores_of(weights, kind, batch, seen))
    found = torch.cat(scores).numpy()
    chosen = np.where(part.chosen < 0, MOST_OPTIONS, part.chosen)
    losses = -found[np.arange(len(chosen)), chosen]
    agrees = found.argmax(1) == chosen
    return Judged(float(agrees.mean()), float(losses.mean()), agrees, losses, np.exp(found))


def tempered(weights: Weights, parts: dict[str, Part]) -> dict[str, Any]:
    """Return the weights with the ratings of each kind divided by the temperature that makes the
    choices in these decisions most likely."""
    found = dict(weights)
    tensors = {name: torch.from_numpy(each) for name, each in weights.items()}
    for kind, part in parts.items():
        judged = judge(tensors, kind, part)
        scores = torch.from_numpy(np.log(np.maximum(judged.probabilities, 1e-30)))
        chosen = torch.from_numpy(np.where(part.chosen < 0, MOST_OPTIONS, part.chosen))
        losses = {
            factor: float(functional.nll_loss(functional.log_softmax(scores * factor, 1), chosen))
            for factor in _FACTORS
        }
        best = min(losses, key=losses.__getitem__)
        found[f"{kind} last w"] = weights[f"{kind} last w"] * np.float32(best)
    return found


def checks_of(weights: Weights, parts: dict[str, Part]) -> dict[str, Any]:
    """Return some positions with the ratings of their options by PyTorch, from weights with half
    the digits, for the tests of play."""
    tensors = {name: torch.from_numpy(each).half().float() for name, each in weights.items()}
    found: dict[str, Any] = {}
    for kind, part in parts.items():
        which = np.arange(0, len(part.chosen), max(1, len(part.chosen) // _CHECKED))[:_CHECKED]
        batch = batch_of(part, which)
        with torch.no_grad():
            seen = see(tensors, batch.planes, batch.numbers)
            ratings = rate(tensors, kind, seen, batch.features, batch.kinds, batch.where)
        for name, each in (
            ("planes", part.planes[which]),
            ("numbers", part.numbers[which]),
            ("features", batch.features.half().numpy()),
            ("kinds", batch.kinds.numpy().astype(np.uint8)),
            ("where", batch.where.numpy().astype(np.uint8)),
            ("ratings", ratings.numpy()),
        ):
            found[f"{CHECK}{kind} {name}"] = each
    return found


def interval(values: Any, groups: Any) -> float:
    """Return half of the width of the 95 % interval of the mean of the values, over groups of
    games."""
    _, at = np.unique(groups, return_inverse=True)
    sums = np.bincount(at, values - values.mean())
    return float(1.96 * math.sqrt((sums**2).sum()) / len(values))
