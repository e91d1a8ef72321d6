"""Checks of estimators that take structured data: what scikit-learn's `check_estimator` is for arrays.

The data is small and has a law that is easy to learn. No check asks how good predictions are: they ask whether an estimator keeps
the conventions that pipelines, cross-validation and users rely on.
"""

from __future__ import annotations

import copy
import importlib.util
import pickle
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_validate

from ._data import Database, Table
from ._kinwood import Bag, Graph, Term, Tree

ROWS = 24
REFUSALS = (ValueError, TypeError, NotImplementedError)
"""What an estimator says to data that it cannot take."""

Maker = Callable[[list[int]], Any]
"""Data of the rows with these numbers."""


@dataclass(frozen=True)
class Kind:
    """A kind of data: one way to give it, and others that mean the same."""

    make: Maker
    ways: Mapping[str, Maker] = field(default_factory=dict)
    lacking: Maker | None = None
    """The same with some values missing."""
    strange: Maker | None = None
    """Data that an estimator fitted on this kind cannot be asked about."""
    named: bool = False
    """Whether columns have names, and their order does not count."""


class Outcome(NamedTuple):
    """What was found for a kind of data."""

    supported: bool
    """Whether the estimator takes it."""
    ways: tuple[str, ...]
    """The other ways to give the same data that it takes."""
    refused: dict[str, str]
    """The other ways that it refuses, and what it says."""
    reason: str
    """What it says where it does not take the kind."""


# ----- data -----


def _high(row: int) -> bool:
    return row % 3 == 0 or row % 8 == 5


def _number(row: int) -> float:
    """A number that is high in rows of the one class, with digits that no other row has."""
    return (7.0 if _high(row) else 2.0) + (row * 7 % ROWS) / ROWS


def _colour(row: int) -> str:
    return ("red" if _high(row) else "blue") if row % 6 else "green"


def _word(row: int) -> str:
    return ("kitten" if _high(row) else "sofa") + "abcdefgh"[row % 8] * (1 + row % 2)


def _set(row: int) -> set[str]:
    return {_colour(row), "abc"[row % 3], "xy"[row % 2]} if row % 7 else {_colour(row)}


def _list(row: int) -> list[float]:
    return [_number(row) + step for step in range(1 + row % 4)]


def _record(row: int) -> dict[str, Any]:
    return {"size": _number(row), "colour": _colour(row), "count": float(row % 5)}


def _bag(row: int) -> np.ndarray:
    points = [[_number(row), float(row % 5)], [1.0 + row % 3, 3.0], [4.0, _number(row) / 2]]
    return np.array(points[: 1 + row % 3])


def _tree(row: int) -> str:
    inner = "b(c,d)" if _high(row) else "e"
    return f"a({inner},{'fgh'[row % 3]})" if row % 2 else f"a({inner})"


def _term(row: int) -> str:
    inner = "p(a,X)" if _high(row) else "q(b)"
    return f"f({inner},{'cde'[row % 3]})"


def _edges(row: int) -> list[tuple[int, int]]:
    ring = [(node, node + 1) for node in range(2 + row % 3)]
    return [*ring, (2 + row % 3, 0)] if _high(row) else ring


def _nodes(row: int) -> dict[int, str]:
    return {node: "CNO"[(node * (1 + row % 2)) % 3] for node in range(3 + row % 3)}


def _graph(row: int) -> Graph:
    return Graph(_edges(row), _nodes(row))


def _networkx(row: int) -> Any:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from((node, {"label": label}) for node, label in _nodes(row).items())
    graph.add_edges_from(_edges(row))
    return graph


_FLAT = {"size": _number, "colour": _colour, "count": lambda row: float(row % 5)}
_MIXED = {"size": _number, "colours": _set, "steps": _list}


def _has(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def _columns(of: Mapping[str, Callable[[int], Any]], rows: list[int]) -> dict[str, list[Any]]:
    return {name: [value(row) for row in rows] for name, value in of.items()}


def _pandas(columns: Mapping[str, list[Any]]) -> Any:
    import pandas

    return pandas.DataFrame(dict(columns))


def _polars(columns: Mapping[str, list[Any]]) -> Any:
    import polars

    return polars.DataFrame(dict(columns))


def _arrow(columns: Mapping[str, list[Any]]) -> Any:
    import pyarrow

    return pyarrow.table(dict(columns))


_FRAMES = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow}


def _framed(of: Mapping[str, Callable[[int], Any]]) -> dict[str, Maker]:
    """A maker for each library of frames that is there."""

    def of_library(frame: Callable[[Mapping[str, list[Any]]], Any]) -> Maker:
        return lambda rows: frame(_columns(of, rows))

    return {library: of_library(frame) for library, frame in _FRAMES.items() if _has(library)}


def _listed(value: Callable[[int], Any]) -> Maker:
    return lambda rows: [value(row) for row in rows]


def _gaps(make: Maker, every: int = 5) -> Maker:
    """A list in which some values are missing."""
    return lambda rows: [None if row % every == 1 else value for row, value in zip(rows, make(rows))]


def _table(value: Callable[[int], Any], of: str) -> Maker:
    return lambda rows: Table([value(row) for row in rows], types={"value": of})


def _series(value: Callable[[int], Any], libraries: Iterable[str]) -> dict[str, Maker]:
    found: dict[str, Maker] = {}
    if _has("pandas") and "pandas" in libraries:

        def pandas_series(rows: list[int]) -> Any:
            import pandas

            return pandas.Series([value(row) for row in rows])

        found["pandas"] = pandas_series
    if _has("polars") and "polars" in libraries:

        def polars_series(rows: list[int]) -> Any:
            import polars

            return polars.Series([value(row) for row in rows])

        found["polars"] = polars_series
    if _has("pyarrow") and "pyarrow" in libraries:

        def arrow_array(rows: list[int]) -> Any:
            import pyarrow

            return pyarrow.array([value(row) for row in rows])

        found["pyarrow"] = arrow_array
    return found


def _objects(value: Callable[[int], Any]) -> Maker:
    def make(rows: list[int]) -> np.ndarray:
        array = np.empty(len(rows), dtype=object)
        array[:] = [value(row) for row in rows]
        return array

    return make


def _values(value: Callable[[int], Any], libraries: Iterable[str] = (), **more: Maker) -> Kind:
    """A list of values, which is one column."""
    listed = _listed(value)
    ways = {"tuple": lambda rows: tuple(listed(rows)), "Table": lambda rows: Table(listed(rows)), "array of objects": _objects(value)}
    strange = _listed(lambda row: {"other": float(row), "columns": 1.0})
    return Kind(listed, {**ways, **_series(value, libraries), **more}, _gaps(listed), strange)


def _matrix(rows: list[int]) -> np.ndarray:
    return np.array([[_number(row), float(row % 5), (row * 5 % ROWS) / 3] for row in rows]).reshape(len(rows), 3)


def _holed(rows: list[int]) -> np.ndarray:
    matrix = _matrix(rows)
    matrix[1::5, 1] = np.nan
    return matrix


def _without(of: Mapping[str, Callable[[int], Any]], frame: Callable[[Mapping[str, list[Any]]], Any]) -> Maker:
    """A frame that lacks the first column."""
    rest = dict(list(of.items())[1:])
    return lambda rows: frame(_columns({**rest, "unheard_of": _number}, rows))


def _gapped(of: Mapping[str, Callable[[int], Any]], frame: Callable[[Mapping[str, list[Any]]], Any]) -> Maker:
    def make(rows: list[int]) -> Any:
        columns = _columns(of, rows)
        for place, values in enumerate(columns.values()):
            values[place :: 5 + place] = [None] * len(values[place :: 5 + place])
        return frame(columns)

    return make


def _things(rows: list[int]) -> dict[str, list[Any]]:
    return {"id": [f"t{row:02}" for row in rows], "size": [_number(row) for row in rows], "colour": [_colour(row) for row in rows]}


def _parts(rows: list[int]) -> dict[str, list[Any]]:
    linked = [(row, part) for row in rows for part in range(1 + row % 3)]
    return {
        "thing_id": [f"t{row:02}" for row, _ in linked],
        "weight": [_number(row) + part for row, part in linked],
        "material": [("iron" if _high(row) else "wood") if part else "glue" for row, part in linked],
    }


def _database(frame: Callable[[Mapping[str, list[Any]]], Any], change: Callable[[dict[str, list[Any]]], None] | None = None) -> Maker:
    def make(rows: list[int]) -> Database:
        things, parts = _things(rows), _parts(rows)
        if change is not None:
            change(things)
        tables = {"thing": frame(things), "part": frame(parts)}
        return Database(tables, table="thing", keys={"part.thing_id": "thing.id"}, primary={"thing": "id"})

    return make


def _forget_sizes(things: dict[str, list[Any]]) -> None:
    things["size"][::5] = [None] * len(things["size"][::5])


def _rename_size(things: dict[str, list[Any]]) -> None:
    things["unheard_of"] = things.pop("size")


def kinds_of_data() -> dict[str, Kind]:
    """Every kind of data that can be made with the libraries that are there."""
    flat, mixed = _framed(_FLAT), _framed(_MIXED)
    flat_table: Maker = lambda rows: Table(_columns(_FLAT, rows))  # noqa: E731
    mixed_table: Maker = lambda rows: Table(_columns(_MIXED, rows))  # noqa: E731
    kinds: dict[str, Kind] = {
        "numbers": Kind(
            _matrix,
            {
                "list": lambda rows: _matrix(rows).tolist(),
                "array by columns": lambda rows: np.asfortranarray(_matrix(rows)),
                "Table": lambda rows: Table(_matrix(rows)),
            },
            _holed,
            lambda rows: _matrix(rows)[:, :2],
        ),
        "strings": _values(_word, ("pandas", "polars", "pyarrow")),
        "sets": _values(_set, ("pandas",), frozensets=_listed(lambda row: frozenset(_set(row)))),
        "lists": _values(_list, ("pandas", "polars", "pyarrow")),
        "records": Kind(
            _listed(_record),
            {"Table": flat_table, **flat},
            _gapped(_FLAT, _records),
            _listed(lambda row: {"unheard_of": _number(row)}),
            True,
        ),
        "tuples": Kind(
            _listed(lambda row: (_number(row), _colour(row))),
            {"list": _listed(lambda row: [_number(row), _colour(row)]), "array of objects": lambda rows: _grid(rows)},
            _listed(lambda row: (None if row % 5 == 1 else _number(row), _colour(row))),
            _listed(lambda row: (_number(row), _colour(row), _colour(row))),
        ),
        "bags": _values(_bag, Bag=_listed(lambda row: Bag([tuple(point) for point in _bag(row).tolist()]))),
        "trees": _values(lambda row: Tree(_tree(row)), written=_table(_tree, "tree")),
        "terms": _values(lambda row: Term(_term(row)), written=_table(_term, "term")),
        "graphs": _values(_graph, (), **({"networkx": _listed(_networkx)} if _has("networkx") else {})),
        "table": Kind(
            mixed_table,
            {name: mixed[name] for name in ("pandas",) if name in mixed}
            | {"records": _listed(lambda row: {n: of(row) for n, of in _MIXED.items()})},
            _gapped(_MIXED, Table),
            _without(_MIXED, Table),
            True,
        ),
        "database": Kind(
            _database(dict),
            {name: _database(_FRAMES[name]) for name in flat},
            _database(dict, _forget_sizes),
            _database(dict, _rename_size),
        ),
    }
    if flat:
        first = next(iter(flat))
        rest = {name: make for name, make in flat.items() if name != first}
        frame = _FRAMES[first]
        kinds["frame"] = Kind(flat[first], {**rest, "Table": flat_table}, _gapped(_FLAT, frame), _without(_FLAT, frame), True)
    if _has("pyarrow"):
        nested = {"size": _number, "colour": _colour, "steps": _list}
        others = {name: make for name, make in _framed(nested).items() if name != "pyarrow"}
        kinds["arrow"] = Kind(_framed(nested)["pyarrow"], others, _gapped(nested, _arrow), _without(nested, _arrow), True)
    return kinds


def _records(columns: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _grid(rows: list[int]) -> np.ndarray:
    return np.array([[_number(row), _colour(row)] for row in rows], dtype=object)


# ----- laws -----


def check_structured_estimator(estimator: Any, *, kinds: Iterable[str] | None = None) -> dict[str, Outcome]:
    """Checks that a classifier or regressor keeps scikit-learn's conventions on structured data too.

    The estimator is cloned, never fitted itself. Each kind of data that it takes is held to the same laws: what shapes `fit` and
    `predict` have; that the same data gives the same predictions however it is given, on however many threads, sliced, pickled,
    saved and loaded; that data is not changed, a first fit is forgotten by a second, missing values are taken or refused, and
    what cannot be done raises what scikit-learn raises.

    Parameters
    ----------
    estimator : classifier or regressor
        Any object with scikit-learn's conventions, of this package or another.
    kinds : list of str, optional
        The kinds of data that are checked, all of which it must take: ``"numbers"``, ``"frame"``, ``"records"``, ``"tuples"``,
        ``"strings"``, ``"sets"``, ``"lists"``, ``"bags"``, ``"trees"``, ``"terms"``, ``"graphs"``, ``"table"``, ``"arrow"``, ``"database"``
        and ``"flattened"``, a database that is given to ``flatten="p2"``. Unless said, all are checked. A kind that it does not take
        is then refused by a ValueError, TypeError or NotImplementedError that says why; it must take one that is more than
        numbers, and `flattened` if it has a parameter `flatten`.

    Returns
    -------
    dict
        For each kind, whether the estimator takes it, in which ways it may be given, and what it says where it refuses.

    Raises
    ------
    AssertionError
        Names the estimator, the kind of data and the law that is broken.

    Examples
    --------
    >>> import kinwood
    >>> found = kinwood.check_structured_estimator(kinwood.KNeighborsClassifier(k=3), kinds=["sets", "trees", "database"])
    >>> found["sets"].supported
    True
    """
    name = type(estimator).__name__
    if not (is_classifier(estimator) or is_regressor(estimator)):
        raise AssertionError(f"{name}: it is neither a classifier nor a regressor by its tags")
    known = kinds_of_data()
    tasks = {kind: (of, estimator) for kind, of in known.items()}
    if "flatten" in estimator.get_params(deep=False):
        tasks["flattened"] = (known["database"], clone(estimator).set_params(flatten="p2"))
    chosen = list(tasks) if kinds is None else _known(kinds, tasks)
    demanded = chosen if kinds is not None else ["flattened"]
    found = {}
    for kind in chosen:
        of, given = tasks[kind]
        found[kind] = _Check(name, given, kind, of).all()
        if kind in demanded and not found[kind].supported:
            raise AssertionError(f"{name} on {kind}: it must take them, and says: {found[kind].reason}")
    if kinds is None and not any(outcome.supported for kind, outcome in found.items() if kind != "numbers"):
        said = "; ".join(f"{kind}: {outcome.reason}" for kind, outcome in found.items() if kind != "numbers")
        raise AssertionError(f"{name}: it takes no structured data at all: {said}")
    return found


def _known(kinds: Iterable[str], tasks: Mapping[str, Any]) -> list[str]:
    if isinstance(kinds, str):
        raise TypeError(f"kinds are a list: write [{kinds!r}]")
    chosen = list(kinds)
    for kind in chosen:
        if kind not in tasks:
            raise ValueError(f"there is no kind of data `{kind}` here: there are {', '.join(tasks)}")
    return chosen


def _must(holds: Any, said: str) -> None:
    """An assertion that is made however Python is run."""
    if not holds:
        raise AssertionError(said)


class _Check:
    """The laws for one estimator on one kind of data."""

    def __init__(self, name: str, estimator: Any, kind: str, of: Kind) -> None:
        self.name, self.kind, self.of = name, kind, of
        self.classifies = is_classifier(estimator)
        self.estimator = clone(estimator)
        if "random_state" in self.estimator.get_params(deep=False) and self.estimator.random_state is None:
            self.estimator.set_params(random_state=0)
        self.rows = list(range(ROWS))
        self.y = self.targets(self.rows)

    def targets(self, rows: list[int]) -> np.ndarray:
        if self.classifies:
            return np.array(["high" if _high(row) else "low" for row in rows], dtype=object)
        return np.array([_number(row) + row % 5 / 3 for row in rows])

    @contextmanager
    def law(self, law: str) -> Iterator[None]:
        """Whatever fails inside breaks this law."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except Exception as error:
            said = f"{type(error).__name__}: {error}" if not isinstance(error, AssertionError) else str(error)
            raise AssertionError(f"{self.name} on {self.kind}: {law}: {said}") from error

    def refuses(self, call: Callable[[], Any], *expected: type[Exception], saying: Iterable[str] = ()) -> None:
        """That a call raises one of these, with a message that says one of some words."""
        try:
            answer = call()
        except expected as error:
            words = list(saying)
            _must(len(str(error)) > 10, f"the message says too little: {str(error)!r}")
            _must(not words or any(word in str(error) for word in words), f"the message names none of {words}: {str(error)!r}")
            return
        raise AssertionError(f"nothing is raised, and the answer is {type(answer).__name__}")

    def new(self) -> Any:
        return clone(self.estimator)

    def answers(self, fitted: Any, X: Any) -> list[np.ndarray]:
        """All that a fitted estimator says of rows."""
        said = [np.asarray(fitted.predict(X))]
        if self.classifies and hasattr(fitted, "predict_proba"):
            said.append(np.asarray(fitted.predict_proba(X)))
        return said

    def same(self, a: list[np.ndarray], b: list[np.ndarray]) -> None:
        _must(len(a) == len(b), "predict_proba is there once only")
        for one, other in zip(a, b):
            _must(one.shape == other.shape, f"shapes {one.shape} and {other.shape}")
            differ = np.flatnonzero((one != other).reshape(len(one), -1).any(axis=1))
            for row in differ[:1]:
                raise AssertionError(f"row {row} is {one[row]} and {other[row]}")

    def close(self, a: list[np.ndarray], b: list[np.ndarray]) -> None:
        for one, other in zip(a, b):
            if one.dtype.kind == "f":
                np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-12)
            else:
                self.same([one], [other])

    def all(self) -> Outcome:
        fitted = self.new()
        X = self.of.make(self.rows)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted.fit(X, self.y)
        except REFUSALS as error:
            with self.law("a refusal says why"):
                _must(len(str(error)) > 10, f"{type(error).__name__}: {str(error)!r}")
            return Outcome(False, (), {}, str(error))
        except Exception as error:
            raise AssertionError(
                f"{self.name} on {self.kind}: data that cannot be taken is refused by ValueError, TypeError or NotImplementedError: "
                f"{type(error).__name__}: {error}"
            ) from error
        self.unfitted(X)
        with self.law("predict takes what fit took"):
            expected = self.answers(fitted, X)
        self.unchanged()
        self.again(fitted, X, expected)
        self.shapes(fitted, X, expected)
        self.parameters(fitted, X, expected)
        self.copies(fitted, X, expected)
        self.rows_apart(fitted, expected)
        self.slices()
        self.lacking()
        self.refusals(fitted)
        self.order(fitted, expected)
        ways, refused = self.ways(expected)
        return Outcome(True, ways, refused, "")

    def unfitted(self, X: Any) -> None:
        with self.law("predict before fit raises NotFittedError"):
            self.refuses(lambda: self.new().predict(X), NotFittedError)

    def shapes(self, fitted: Any, X: Any, expected: list[np.ndarray]) -> None:
        with self.law("predict gives a value for each row"):
            _must(expected[0].shape == (ROWS,), f"shape {expected[0].shape}")
        with self.law("score is a finite number"):
            _must(np.isfinite(fitted.score(X, self.y)), "it is not finite")
        if not self.classifies:
            with self.law("predictions are finite numbers"):
                _must(expected[0].dtype.kind == "f" and np.isfinite(expected[0]).all(), f"{expected[0]}")
            return
        with self.law("classes_ are the classes of y in order"):
            _must(list(fitted.classes_) == ["high", "low"], f"classes_ is {fitted.classes_!r}")
        with self.law("predictions are classes"):
            _must(set(expected[0]) <= {"high", "low"}, f"{set(expected[0])}")
        with self.law("classes may be numbers"):
            numbers = self.new().fit(X, np.where(self.y == "high", 0, 1))
            _must(list(numbers.classes_) == [0, 1], f"classes_ is {numbers.classes_!r}")
            self.same([expected[0] == "low"], [np.asarray(numbers.predict(X)) == 1])
        if len(expected) == 1:
            return
        shares = expected[1]
        with self.law("predict_proba has a row each and a column for each class"):
            _must(shares.shape == (ROWS, 2), f"shape {shares.shape}")
        with self.law("probabilities are between 0 and 1 and add up to 1"):
            _must((shares >= 0).all() and (shares <= 1).all(), f"{shares.min()} to {shares.max()}")
            np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-9)
        with self.law("the most probable class is predicted"):
            clear = np.abs(shares[:, 0] - shares[:, 1]) > 1e-9
            self.same([fitted.classes_[shares.argmax(axis=1)][clear]], [expected[0][clear]])

    def parameters(self, fitted: Any, X: Any, expected: list[np.ndarray]) -> None:
        with self.law("get_params, set_params and clone keep parameters"):
            stated = self.estimator.get_params(deep=False)
            _must(repr(fitted.get_params(deep=False)) == repr(stated), "fit changes parameters")
            _must(repr(clone(fitted).get_params(deep=False)) == repr(stated), "clone changes parameters")
            _must(repr(self.new().set_params(**stated).get_params(deep=False)) == repr(stated), "set_params loses parameters")
            self.refuses(lambda: self.new().set_params(no_such_parameter=1), ValueError)
        if "n_jobs" in self.estimator.get_params(deep=False):
            for threads in (1, 2):
                with self.law(f"n_jobs={threads} changes no result"):
                    other = self.new().set_params(n_jobs=threads).fit(X, self.y)
                    self.same(expected, self.answers(other, X))

    def unchanged(self) -> None:
        with self.law("data is not changed by fit and predict"):
            given, y = self.of.make(self.rows), self.y.copy()
            before = pickle.dumps((given, y))
            fitted = self.new()
            fitted.fit(given, y)
            self.answers(fitted, given)
            _must(pickle.dumps((given, y)) == before, "it is not what it was")

    def again(self, fitted: Any, X: Any, expected: list[np.ndarray]) -> None:
        with self.law("fit returns the estimator"):
            other = self.new()
            _must(other.fit(X, self.y) is other, "it returns something else")
        with self.law("the same data gives the same model"):
            self.same(expected, self.answers(other, X))
        with self.law("predicting changes nothing"):
            self.same(expected, self.answers(fitted, X))
        with self.law("a second fit forgets the first"):
            some = self.rows[3:15]
            other = self.new().fit(self.of.make(some), self.targets(some)[::-1])
            self.same(expected, self.answers(other.fit(X, self.y), X))
        with self.law("a fit on other kinds of data is forgotten too"):
            flat = self.new()
            try:
                flat.fit(_matrix(self.rows), self.y)
            except Exception:
                return
            self.same(expected, self.answers(flat.fit(X, self.y), X))

    def copies(self, fitted: Any, X: Any, expected: list[np.ndarray]) -> None:
        with self.law("an estimator that is not fitted can be pickled"):
            self.same(expected, self.answers(pickle.loads(pickle.dumps(self.new())).fit(X, self.y), X))
        with self.law("a fitted estimator can be pickled and predicts the same"):
            self.same(expected, self.answers(pickle.loads(pickle.dumps(fitted)), X))
        with self.law("a fitted estimator can be copied and predicts the same"):
            self.same(expected, self.answers(copy.deepcopy(fitted), X))
        if hasattr(fitted, "save") and hasattr(type(fitted), "load"):
            with self.law("a saved estimator is loaded and predicts the same"), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "model.kin"
                fitted.save(path)
                loaded = type(fitted).load(path)
                self.same(expected, self.answers(loaded, X))
                if self.classifies:
                    _must(list(loaded.classes_) == list(fitted.classes_), f"classes_ is {loaded.classes_!r}")

    def rows_apart(self, fitted: Any, expected: list[np.ndarray]) -> None:
        for rows in (self.rows[:1], self.rows[5:9], self.rows[::-1]):
            with self.law("a row is predicted alike whatever rows stand beside it"):
                self.close([part[rows] for part in expected], self.answers(fitted, self.of.make(rows)))

    def slices(self) -> None:
        # All labels are met in the rows that stay, in the same order: ties between labels come out alike.
        parts = [self.rows[start : start + 6] for start in (6, 12, 18)]
        folds = [([row for row in self.rows if row not in part], part) for part in parts]
        with self.law("cross-validation can slice the data"):
            told = cross_validate(self.new(), self.of.make(self.rows), self.y, cv=folds, return_estimator=True, error_score="raise")
            _must(np.isfinite(told["test_score"]).all(), f"{told['test_score']}")
        for (train, test), sliced, score in zip(folds, told["estimator"], told["test_score"]):
            with self.law("rows that are sliced away do not count"):
                alone = self.new().fit(self.of.make(train), self.targets(train))
                X = self.of.make(test)
                self.close(self.answers(alone, X), self.answers(sliced, X))
                np.testing.assert_allclose(score, alone.score(X, self.targets(test)), rtol=1e-7)

    def lacking(self) -> None:
        if self.of.lacking is None:
            return
        X = self.of.lacking(self.rows)
        with self.law("missing values are taken or refused by ValueError"):
            try:
                fitted = self.new().fit(X, self.y)
            except ValueError:
                return
            said = self.answers(fitted, X)
            _must(all(len(part) == ROWS for part in said), "not every row is predicted")
            _must(all(np.isfinite(part).all() for part in said if part.dtype.kind == "f"), "predictions are not finite")
            self.same(said, self.answers(fitted, self.of.lacking(self.rows)))

    def refusals(self, fitted: Any) -> None:
        X = self.of.make(self.rows)
        with self.law("fit without y is refused by ValueError or TypeError"):
            self.refuses(lambda: self.new().fit(X, None), ValueError, TypeError)
        with self.law("y of another length is refused by ValueError"):
            self.refuses(lambda: self.new().fit(X, self.y[:-1]), ValueError)
        with self.law("fit on no rows is refused"):
            self.refuses(lambda: self.new().fit(self.of.make([]), self.y[:0]), ValueError, TypeError, IndexError)
        if self.of.strange is not None:
            with self.law("other columns than those of fit are refused by an error that says so"):
                ask = lambda: fitted.predict(self.of.strange(self.rows))  # type: ignore[misc]  # noqa: E731
                if self.of.named:
                    self.refuses(ask, ValueError, saying=("size", "unheard_of"))
                else:
                    self.refuses(ask, Exception)

    def order(self, fitted: Any, expected: list[np.ndarray]) -> None:
        """Columns with names are taken by their names."""
        if not self.of.named:
            return
        with self.law("columns in another order are taken by name or refused by ValueError"):
            turned = _turned(self.of.make(self.rows))
            try:
                said = self.answers(fitted, turned)
            except ValueError:
                return
            self.same(expected, said)

    def ways(self, expected: list[np.ndarray]) -> tuple[tuple[str, ...], dict[str, str]]:
        taken, refused = [], {}
        plain = self.new().fit(self.of.make(self.rows), self.y)
        for way, make in self.of.ways.items():
            X = make(self.rows)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fitted = self.new().fit(X, self.y)
            except REFUSALS as error:
                refused[way] = str(error)
                continue
            with self.law(f"the same data given as {way} gives the same predictions"):
                self.same(expected, self.answers(fitted, X))
            with self.law(f"what was fitted otherwise takes {way}"):
                self.same(expected, self.answers(plain, X))
            taken.append(way)
        return tuple(taken), refused


def _turned(X: Any) -> Any:
    """The same data with its columns in the opposite order."""
    if isinstance(X, list):
        return [dict(reversed(list(row.items()))) for row in X]
    if isinstance(X, Table):
        return Table({name: list(X[name]) for name in reversed(list(X.columns))}, types=X.columns)
    names = list(X.column_names if hasattr(X, "column_names") else X.columns)[::-1]
    return X.select(names) if hasattr(X, "select") else X[names]
