"""Trees, and how they are shown; see :mod:`kinwood.sklearn`."""

from __future__ import annotations

import os
from typing import Any

from .._estimators import DecisionTreeClassifier, DecisionTreeRegressor
from .._looking import whole

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "export_graphviz", "export_text", "plot_tree"]


def export_text(decision_tree: Any, **_: Any) -> str:
    """The tree as a person reads it: :meth:`show`; what else scikit-learn's function takes is about its own form.

    >>> from kinwood.sklearn.tree import DecisionTreeClassifier, export_text
    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
    >>> "x0 > 5" in export_text(tree)
    True
    """
    return str(decision_tree.show())


def export_graphviz(decision_tree: Any, out_file: str | os.PathLike[str] | None = None, **_: Any) -> str | None:
    """The tree for Graphviz: :meth:`to_dot`, as a text or written to a file."""
    text = str(decision_tree.to_dot())
    if out_file is None:
        return text
    whole(out_file, text)
    return None


def plot_tree(decision_tree: Any, *, max_depth: int | None = None, ax: Any = None, fontsize: float | None = None, **_: Any) -> Any:
    """Draws the tree with matplotlib and gives the axes: :meth:`plot`."""
    return decision_tree.plot(ax=ax, depth=max_depth, fontsize=9.0 if fontsize is None else float(fontsize))
