"""Distances and kernels between values of any type, by expressions such as ``hausdorff(absolute)``.

What an expression may be stands in the manual of the command (`docs/similarity.md`); :func:`catalogue` lists every name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _input, _kinwood, _names
from ._data import Rows, table_of
from ._kinwood import Column, Data


def distance(expression: str, a: Any, b: Any, *, type: str | None = None) -> Any:
    """The distance between two values: a number, or a pair of whole numbers where the distance is one.

    Parameters
    ----------
    expression : str
        What is measured.
    a, b : values
        Numbers, texts, lists, sets, tuples, :class:`Bag`, :class:`Tree`, :class:`Term`, :class:`Graph`, NetworkX graphs, RDKit molecules,
        nested in any way.
    type : str, optional
        Their type, where the guess is not meant: ``"set<numeric>"``.

    Examples
    --------
    >>> import kinwood
    >>> kinwood.distance("hausdorff(absolute)", {1, 2, 3}, {4, 5, 20})
    17.0
    >>> kinwood.distance("edit", "kitten", "sitting")
    3.0
    >>> kinwood.distance("tree_edit", kinwood.Tree("a(b,c)"), kinwood.Tree("a(b,d(c))"))
    1.0
    """
    return _one(expression, a, b, type, kernel=False)


def kernel(expression: str, a: Any, b: Any, *, type: str | None = None) -> float:
    """The inner product of two values.

    >>> import kinwood
    >>> kinwood.kernel("product", 2.0, 3.0)
    6.0
    """
    return _one(expression, a, b, type, kernel=True)


def _known(expression: str, things: Any) -> str:
    """An expression, where a common name of a distance stands for one: `manhattan` of rows, `levenshtein` of texts."""
    if expression in ("manhattan", "cityblock", "l1", "l2", "minkowski"):
        plain = isinstance(things, Data) and all(of == "numeric" for _, of, role in things.columns if role == "input")
        name = "euclidean" if expression == "minkowski" else expression
        return _names.PLAIN[name] if plain else _names.MIXED.get(name, name)
    return _names.ALIASES.get(expression, expression)


def _one(expression: str, a: Any, b: Any, of: str | None, *, kernel: bool) -> Any:
    expression = _known(expression, None)
    if _kinwood.is_kernel(expression) != kernel:
        kinds = ("kernel", "distance") if kernel else ("distance", "kernel")
        raise ValueError(f"`{expression}` is no {kinds[0]} but a {kinds[1]}: `kinwood.{kinds[1]}` computes it")
    return _kinwood.measure(expression, Column.values([a, b], of=of, words="labels"))


def pairwise(
    expression: str,
    X: Any,
    Y: Any = None,
    *,
    type: str | None = None,
    depth: int = 1,
    n_jobs: int | None = None,
    memory: int | None = None,
    progress: bool | str = "auto",
) -> np.ndarray:
    """The matrix of distances or inner products of all things in `X` with all in `Y`, or in `X` itself.

    Parameters
    ----------
    expression : str
        A distance or a kernel, or a common name: `manhattan`, `minkowski`, `levenshtein`.
        On rows of several columns it is one of rows, such as ``euclidean`` (columns scaled by their ranges) or
        ``euclidean(absolute)`` (as they are).
    X, Y : list of values, 2-D array, frame, Table or Database
        The things. What an expression takes from data, such as ranges, it takes from `Y`, else from `X`: give training data as `Y`, and
        matrices of training and of test data go together.
    type : str, optional
        The type of the values of a list, where the guess is not meant.
    depth : int
        How many foreign keys away the rows of a :class:`Database` are compared.
    n_jobs : int, optional
        Threads; one by default, -1 for all.
    memory : int, optional
        Bytes that the matrix may have.

    Examples
    --------
    >>> import kinwood
    >>> kinwood.pairwise("symmetric_difference", [{"a", "b"}, {"b"}, {"c"}])
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    >>> kinwood.pairwise("euclidean(absolute)", [[0, 0], [3, 4]], [[0, 0]])
    array([[0.],
           [5.]])
    """
    work = _input.work(n_jobs=n_jobs, memory=memory, progress=progress)
    queries = _things(X, type)
    references = None if Y is None else _things(Y, type)
    expression = _known(expression, queries)
    return _kinwood.pairwise(expression, queries, references, depth=depth, work=work)


def _things(X: Any, of: str | None) -> Column | Data:
    if isinstance(X, Rows):
        return X._data
    if of is not None or _input.is_values(X) or _is_plain_list(X):
        return Column.values(list(X), of=of, words="labels")
    if isinstance(X, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in X):
        try:
            return table_of(np.asarray(X, dtype=np.float64))
        except (TypeError, ValueError):
            return table_of(X)
    return table_of(X)


def _is_plain_list(X: Any) -> bool:
    if isinstance(X, np.ndarray):
        return X.ndim == 1
    return isinstance(X, (list, tuple)) and not any(isinstance(value, (list, tuple, dict, np.ndarray)) for value in X)


class Laws(NamedTuple):
    """What a measure guarantees."""

    expression: str
    """The measure in full."""
    laws: dict[str, bool]
    """Each law, and whether it holds on complete values."""
    with_missing: dict[str, bool] | None = None
    """The same where values may be missing, by the policy that `missing=` says; None where they are refused, or where only data tell how
    far a missing value is."""
    with_empty: dict[str, bool] | None = None
    """The same where collections may be empty, by what `empty=` says; None where they are refused."""


def laws(expression: str, type: str) -> Laws:
    """What a distance or kernel guarantees on values of a type.

    >>> import kinwood
    >>> kinwood.laws("hausdorff(absolute)", "set<numeric>").laws["triangle"]
    True
    >>> kinwood.laws("hausdorff(discrete, empty=0.1)", "set<nominal>").with_empty["triangle"]
    False
    >>> kinwood.laws("mean(discrete, missing=max)", "tuple<nominal>").with_missing["zero_on_self"]
    False
    """
    full, holds = _kinwood.laws(expression, type)
    complete, missing, empty = (None if told is None else dict(told) for told in holds)
    return Laws(full, complete or {}, missing, empty)


def catalogue() -> list[dict[str, Any]]:
    """Every distance and kernel: name, kind, values, summary, laws, cost, reference, settings, example."""
    return json.loads(_kinwood.measures())


def register_distance(
    name: str,
    function: Callable[[Any, Any], float] | None = None,
    *,
    symmetric: bool = True,
    zero_on_self: bool = True,
    separates: bool = False,
    triangle: bool = False,
    type: str | None = None,
) -> Any:
    """Makes a Python function a distance that can be used inside any expression and by any estimator, under a name.

    The function gets two values (numbers, texts, lists, frozen sets, tuples and the package's own) and gives a number that is not
    negative. What it raises is raised where the distance is used. Registered again, the name means the new function. It is known in
    this process only: models keep its name, so whoever loads one registers the function first, and so does every worker of joblib that
    is a process of its own.

    Parameters
    ----------
    name : str
        Letters, digits and underscores; not the name of a distance that Kinwood comes with.
    function : callable
        The distance; without it this is a decorator.
    symmetric, zero_on_self, separates, triangle : bool
        What you promise. Searches rely on it: a promise that does not hold gives wrong neighbours.
    type : str, optional
        The only type it is for.

    Examples
    --------
    >>> import kinwood
    >>> @kinwood.register_distance("length_difference", triangle=True)
    ... def length_difference(a, b):
    ...     return abs(len(a) - len(b))
    >>> kinwood.distance("hausdorff(length_difference)", {"a", "bb"}, {"cccc"})
    3.0
    """
    if function is None:

        def decorate(function: Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
            register_distance(
                name, function, symmetric=symmetric, zero_on_self=zero_on_self, separates=separates, triangle=triangle, type=type
            )
            return function

        return decorate
    _kinwood.register_distance(
        name, function, symmetric=symmetric, zero_on_self=zero_on_self, separates=separates, triangle=triangle, of=type
    )
    return function


class Placed(NamedTuple):
    """A map of things."""

    points: np.ndarray
    """Two coordinates for each thing."""
    shown: float
    """The share of the spread that the map shows, 0 to 1."""


def place(matrix: np.ndarray) -> Placed:
    """Places things on a map by their distances, as well as two dimensions can (classical scaling).

    >>> import kinwood
    >>> placed = kinwood.place(kinwood.pairwise("absolute", [0.0, 1.0, 3.0]))
    >>> placed.points.shape, round(placed.shown, 6)
    ((3, 2), 1.0)
    """
    points, shown = _kinwood.map(np.ascontiguousarray(matrix, dtype=np.float64), _input.work())
    return Placed(points, shown)


class Grouped(NamedTuple):
    """Things in groups."""

    medoids: np.ndarray
    """The thing that each group stands around."""
    groups: np.ndarray
    """The group of each thing."""
    total: float
    """The sum of the distances of all things from the middle of their groups."""


def medoids(matrix: np.ndarray, groups: int) -> Grouped:
    """Groups things around some of their own, by their distances (k-medoids).

    >>> import kinwood
    >>> kinwood.medoids(kinwood.pairwise("absolute", [0.0, 1.0, 9.0, 10.0, 11.0]), 2).groups
    array([0, 0, 1, 1, 1])
    """
    found = _kinwood.medoids(np.ascontiguousarray(matrix, dtype=np.float64), groups, _input.work())
    return Grouped(*found)
