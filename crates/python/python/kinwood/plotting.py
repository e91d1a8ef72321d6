"""Displays with matplotlib, as scikit-learn has them: ``TreeDisplay.from_estimator(model)`` draws, and keeps what it has drawn.

For calibration and confusion, scikit-learn's own displays take the estimators as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted


def _axes(ax: Any) -> Any:
    import matplotlib.pyplot as plt

    return plt.subplots()[1] if ax is None else ax


class _Display:
    """What was drawn."""

    ax_: Any
    figure_: Any

    def _keep(self, ax: Any) -> Any:
        self.ax_ = ax
        self.figure_ = ax.figure
        return self


class TreeDisplay(_Display):
    """A tree of a model.

    >>> import kinwood
    >>> tree = kinwood.PCTClassifier().fit([[1.0], [2.0], [8.0], [9.0]] * 3, ["low", "low", "high", "high"] * 3)
    >>> kinwood.plotting.TreeDisplay.from_estimator(tree).figure_ is not None
    True
    """

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, tree: int = 0, depth: int | None = None, fontsize: float = 9.0, ax: Any = None
    ) -> TreeDisplay:
        """Draws a tree, the first of a set by default."""
        return cls()._keep(estimator.plot(tree, ax=ax, depth=depth, fontsize=fontsize))  # type: ignore[no-any-return]


class ImportanceDisplay(_Display):
    """How much a model relies on each column."""

    def __init__(self, names: Any, importances: Any, spread: Any = None) -> None:
        self.names = np.asarray(names, dtype=object)
        self.importances = np.asarray(importances, dtype=np.float64)
        self.spread = None if spread is None else np.asarray(spread, dtype=np.float64)

    @classmethod
    def from_estimator(cls, estimator: Any, *, most: int = 20, ax: Any = None) -> ImportanceDisplay:
        """Draws `feature_importances_`."""
        check_is_fitted(estimator)
        found = estimator.feature_importances_
        known = getattr(estimator, "feature_names_in_", None)
        return cls([f"x{place}" for place in range(len(found))] if known is None else known, found).plot(most=most, ax=ax)

    @classmethod
    def from_permutations(cls, found: Any, names: Any, *, most: int = 20, ax: Any = None) -> ImportanceDisplay:
        """Draws what scikit-learn's `permutation_importance` found."""
        return cls(names, found.importances_mean, found.importances_std).plot(most=most, ax=ax)

    def plot(self, *, most: int = 20, ax: Any = None) -> ImportanceDisplay:
        """Draws the most important columns, the first on top."""
        ax = _axes(ax)
        order = np.argsort(-self.importances, kind="stable")[:most][::-1]
        spread = None if self.spread is None else self.spread[order]
        ax.barh([str(name) for name in self.names[order]], self.importances[order], xerr=spread)
        ax.set_xlabel("importance")
        return self._keep(ax)  # type: ignore[no-any-return]


class BeamDisplay(_Display):
    """The trees of a beam or forest: how large and how good each is."""

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, measure: str | None = None, ax: Any = None) -> BeamDisplay:
        """Draws a point a tree: its nodes, and the measure on these rows."""
        lines = estimator.members_table(X, y, measure=measure)
        known = [name for name in lines.columns if name in ("accuracy", "rmse", "mae")]
        name = measure if measure in lines.columns else known[0] if known else str(lines.columns[-1])
        ax = _axes(ax)
        ax.scatter(lines["size"], lines[name])
        for member, size, value in zip(lines["member"], lines["size"], lines[name]):
            ax.annotate(str(member), (size, value), xytext=(3, 3), textcoords="offset points")
        ax.set_xlabel("nodes")
        ax.set_ylabel(name)
        return cls()._keep(ax)  # type: ignore[no-any-return]


class MapDisplay(_Display):
    """Things placed by their distances."""

    def __init__(self, points: Any, shown: float) -> None:
        self.points = points
        self.shown = shown

    @classmethod
    def from_matrix(cls, matrix: Any, labels: Any = None, *, ax: Any = None) -> MapDisplay:
        """Draws a matrix of distances, as ``kinwood.pairwise`` gives one; a colour a label."""
        from .measures import place

        placed = place(np.asarray(matrix, dtype=np.float64))
        made = cls(placed.points, placed.shown)
        ax = _axes(ax)
        if labels is None:
            ax.scatter(*placed.points.T)
        else:
            labels = np.asarray(labels)
            for label in dict.fromkeys(labels.tolist()):
                ax.scatter(*placed.points[labels == label].T, label=str(label))
            ax.legend()
        ax.set_title(f"{placed.shown:.0%} of the spread")
        return made._keep(ax)  # type: ignore[no-any-return]
