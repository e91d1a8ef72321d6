"""Kinwood: learning from data that is not a flat table.

Estimators with scikit-learn's conventions, built on similarity and trees, for columns that hold sets, lists, trees, graphs or bags, for
relational databases and logical facts; and the distances and kernels that they are built on.

>>> import kinwood
>>> words = ["kitten", "sitting", "mitten", "table", "cable", "fable"]
>>> model = kinwood.KNeighborsClassifier(n_neighbors=3, metric="levenshtein").fit(words, ["cat", "cat", "cat", "wood", "wood", "wood"])
>>> print(*model.predict(["bitten", "stable"]))
cat wood
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._estimator_names import NAMES as _ESTIMATORS
from ._kinwood import Bag, Graph, Term, Tree, __version__

if TYPE_CHECKING:
    from . import checking as checking
    from . import measures as measures
    from . import mlflow as mlflow
    from . import plotting as plotting
    from . import quality as quality
    from ._data import Database as Database
    from ._data import Table as Table
    from ._data import columns as columns
    from ._estimators import *  # noqa: F403
    from ._loading import load as load
    from ._queries import connect as connect
    from ._transformers import DistanceFeatures as DistanceFeatures
    from ._transformers import KernelPCA as KernelPCA
    from ._transformers import RelationalFeatures as RelationalFeatures
    from .checking import check_structured_estimator as check_structured_estimator
    from .measures import catalogue as catalogue
    from .measures import distance as distance
    from .measures import kernel as kernel
    from .measures import laws as laws
    from .measures import medoids as medoids
    from .measures import pairwise as pairwise
    from .measures import place as place
    from .measures import register_distance as register_distance
    from .quality import quality_measures as quality_measures
    from .quality import register_measure as register_measure
    from .quality import scorer as scorer

_FROM = {
    "Database": "_data",
    "Table": "_data",
    "columns": "_data",
    "load": "_loading",
    "connect": "_queries",
    "DistanceFeatures": "_transformers",
    "KernelPCA": "_transformers",
    "RelationalFeatures": "_transformers",
    "check_structured_estimator": "checking",
    **dict.fromkeys(("catalogue", "distance", "kernel", "laws", "medoids", "pairwise", "place", "register_distance"), "measures"),
    **dict.fromkeys(("quality_measures", "register_measure", "scorer"), "quality"),
    **dict.fromkeys(_ESTIMATORS, "_estimators"),
}
"""Where each name is: a module is imported when something of it is first used, since scikit-learn alone takes most of a second."""
_MODULES = ("checking", "measures", "mlflow", "plotting", "quality", "sklearn")

__all__ = [*_FROM, "Bag", "Graph", "Term", "Tree", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _FROM:
        found = getattr(import_module(f".{_FROM[name]}", __name__), name)
        globals()[name] = found
        return found
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
