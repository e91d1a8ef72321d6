"""Kinwood: learning from data that is not a flat table.

Estimators with scikit-learn's conventions, built on similarity and trees, for columns that hold sets, lists, trees, graphs or bags, for
relational databases and logical facts; and the distances and kernels that they are built on.

>>> import kinwood
>>> words = ["kitten", "sitting", "mitten", "table", "cable", "fable"]
>>> model = kinwood.KNeighborsClassifier(distance="edit").fit(words, ["cat", "cat", "cat", "wood", "wood", "wood"])
>>> print(*model.predict(["bitten", "stable"]))
cat wood
"""

from ._data import Database, Table
from ._estimators import *  # noqa: F403
from ._estimators import __all__ as _names
from ._kinwood import Bag, Graph, Term, Tree, __version__
from ._loading import load
from .checking import check_structured_estimator
from .measures import catalogue, distance, kernel, laws, medoids, pairwise, place, register_distance
from .quality import quality_measures, register_measure, scorer

__all__ = [
    *_names,
    "Bag",
    "Database",
    "Graph",
    "Table",
    "Term",
    "Tree",
    "__version__",
    "catalogue",
    "check_structured_estimator",
    "distance",
    "kernel",
    "laws",
    "load",
    "medoids",
    "pairwise",
    "place",
    "quality_measures",
    "register_distance",
    "register_measure",
    "scorer",
]
