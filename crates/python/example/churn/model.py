"""The model: trees over the orders of a customer, of a depth that rows apart decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import kinwood


@dataclass(frozen=True)
class Choice:
    """A model, and how it was chosen."""

    model: kinwood.ForestClassifier
    depth: int
    accuracies: dict[int, float]


def chosen(data: kinwood.Database, depths: Sequence[int], seed: int = 0) -> Choice:
    """The forest of the depth that predicts a third of the rows best, fitted on all of them."""
    rows = np.random.default_rng(seed).permutation(len(data))
    held, own = data[rows[: len(rows) // 3]], data[rows[len(rows) // 3 :]]
    accuracies = {depth: forest(depth).fit(own).score(held) for depth in depths}
    best = max(depths, key=lambda depth: accuracies[depth])
    return Choice(forest(best).fit(data), best, accuracies)


def forest(depth: int) -> kinwood.ForestClassifier:
    """A forest on aggregates of the orders."""
    return kinwood.ForestClassifier(n_estimators=30, max_depth=depth, flatten="p2", random_state=1)
