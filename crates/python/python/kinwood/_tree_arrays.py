"""A tree as the arrays that scikit-learn's trees have, for programs that walk them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAF, UNDEFINED = -1, -2
"""What stands in the place of a child, and of a column, where there is none."""


@dataclass(frozen=True)
class TreeArrays:
    """A tree whose tests are thresholds of numbers, a place in each array a node; `apply` and `decision_path` number nodes alike.

    Rows that are at most the threshold go left, others right. Values are of shape (nodes, targets, classes): shares of classes in the
    order of `classes_`, or the mean of a number.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    impurity: NDArray[np.float64]
    weighted_n_node_samples: NDArray[np.float64]
    value: NDArray[np.float64]
    n_features: int
    max_depth: int

    @property
    def node_count(self) -> int:
        """The number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_node_samples(self) -> NDArray[np.int64]:
        """The weight of the rows of each node as a whole number: how many they are, where rows have no weights."""
        return np.rint(self.weighted_n_node_samples).astype(np.int64)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.children_left == LEAF).sum())

    @property
    def n_outputs(self) -> int:
        """The number of targets."""
        return int(self.value.shape[1])

    def __len__(self) -> int:
        return self.node_count


def arrays(
    drawn: dict[str, Any], parents: list[tuple[int, int]], root: dict[str, Any], columns: dict[str, int], labels: Any, n_features: int
) -> TreeArrays:
    """The arrays of a tree, from what is drawn of it and what its JSON says; nodes are numbered as they are drawn.

    `parents` has for each node the one above it and the branch, `labels` for each target the places of its labels, or nothing for a
    number.
    """
    count = len(parents)
    told: list[dict[str, Any]] = [root] * count
    children = np.full((count, 2), LEAF, dtype=np.int64)
    feature, threshold = np.full(count, UNDEFINED, dtype=np.int64), np.full(count, float(UNDEFINED))
    widest = max(1 if places is None else len(set(places.values())) for places in labels)
    value = np.zeros((count, len(labels), widest))
    for node, (parent, branch) in enumerate(parents):
        if parent >= 0:
            told[node] = told[parent]["no" if branch else "yes"]
            # Rows above a threshold take the first branch, and go right.
            children[parent, 1 - branch] = node
        test = told[node].get("test")
        if test is not None:
            if "above" not in test or test.get("column") not in columns:
                raise AttributeError(f"a test on `{test.get('column')}` is no threshold of a number: `to_json` tells any tree")
            feature[node], threshold[node] = columns[test["column"]], float(test["above"])
        for target, (answer, places) in enumerate(zip(told[node]["targets"], labels)):
            if places is None:
                value[node, target, 0] = float(answer["mean"])
                continue
            for label, weight in answer["weights"].items():
                value[node, target, places[label]] += weight
            total = value[node, target].sum()
            value[node, target] /= total if total > 0 else 1.0
    weight = drawn["weight"]
    whole = weight[0] if count and weight[0] > 0 else 1.0
    return TreeArrays(
        children_left=children[:, 0],
        children_right=children[:, 1],
        feature=feature,
        threshold=threshold,
        impurity=drawn["spread"] * whole / np.where(weight > 0, weight, 1.0),
        weighted_n_node_samples=weight,
        value=value,
        n_features=n_features,
        max_depth=int(drawn["depth"]),
    )
