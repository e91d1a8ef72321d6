"""What users give as data, as what the extension works on.

Arrays and lists of numbers are tables as scikit-learn has them. Frames have named columns of any type. A list of anything else
(texts, sets, trees, graphs, bags, sequences of different lengths) is one column of values.
"""

from __future__ import annotations

import datetime
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from ._kinwood import Bag, Column, Data, Graph, Term, Tree, Work
from ._progress import bar

LISTED = ("to_list", "tolist", "to_pylist")
"""How columns of other libraries become lists."""
VALUE = "value"
"""What the one column of a list of values is called."""


def work(
    *, n_jobs: int | None = None, seed: int = 1, memory: int | None = None, time: float | None = None, progress: bool | str = "auto"
) -> Work:
    """How work is done: on one thread, unless a number is given or a `joblib.parallel_config` says one; -1 is all of the machine."""
    threads = _jobs_around() if n_jobs is None else 1
    if n_jobs is not None:
        if n_jobs == 0:
            raise ValueError("n_jobs is a number of threads, or -1 for all: 0 means nothing")
        machine = os.cpu_count() or 1
        # More threads than work gets done on are no help, and a million are none.
        threads = min(n_jobs, 8 * machine) if n_jobs > 0 else max(1, machine + 1 + n_jobs)
    return Work(threads=threads, seed=seed, memory=_whole("memory", memory), seconds=_number("time", time), progress=bar(progress))


def _jobs_around() -> int:
    """The number of threads that joblib has been told of around this call; 1 if none."""
    joblib = sys.modules.get("joblib")
    if joblib is None:
        return 1
    return max(1, int(joblib.effective_n_jobs(None)))


def relative(weights: np.ndarray) -> np.ndarray | None:
    """Weights whose mean is 1, so that their scale means nothing; nothing where all are the same.

    The last digits go: they are what rounding leaves where the same weights are given in another unit.
    """
    if len(weights) == 0 or not np.isfinite(weights).all() or weights.max() <= 0 or np.all(weights == weights[0]):
        return None
    weights = weights / weights.max()
    mantissa, exponent = np.frexp(weights * (len(weights) / weights.sum()))
    return np.ascontiguousarray(np.ldexp(np.round(mantissa * 2.0**40) / 2.0**40, exponent))


def _whole(name: str, given: Any) -> int | None:
    if given is None:
        return None
    if isinstance(given, (int, float, np.number)) and given >= 0 and float(given).is_integer():
        return int(given)
    raise ValueError(f"{name} is a whole number from 0, not {given!r}")


def _number(name: str, given: Any) -> float | None:
    if given is None:
        return None
    if isinstance(given, (int, float, np.number)):
        return float(given)
    raise ValueError(f"{name} is a number, not {given!r}")


def library(value: Any) -> str:
    """The library that a value's type comes from."""
    return type(value).__module__.partition(".")[0]


def is_frame(X: Any) -> bool:
    """Whether it is a table with named columns."""
    # Some sparse matrices are mappings too.
    if library(X) == "scipy" or isinstance(X, (list, tuple, np.ndarray)) or hasattr(X, "_data"):
        return False
    if isinstance(X, Mapping):
        return True
    return library(X) in ("pandas", "polars", "pyarrow") and hasattr(X, "columns") or (
        hasattr(X, "__arrow_c_stream__") and not hasattr(X, "to_list")
    )


def is_values(X: Any) -> bool:
    """Whether it is a list of values that are no rows of numbers: one structured column."""
    if isinstance(X, np.ndarray):
        if X.ndim == 1 and X.dtype.kind in "UST":
            return True
        listed = X.ndim == 1 and X.dtype == object
        return X.ndim == 3 or (listed and any(is_structure(value) or _is_sequence(value) for value in X))
    if library(X) in ("pandas", "polars", "pyarrow") and not hasattr(X, "columns"):
        return any(hasattr(X, method) for method in LISTED)
    if not isinstance(X, (list, tuple)) or len(X) == 0:
        return False
    known = [value for value in X if value is not None]
    if not known:
        return False
    if any(is_structure(value) for value in known):
        return True
    # Sequences of different lengths are no rows.
    if all(_is_sequence(value) for value in known):
        lengths = {len(value) for value in known}
        return len(lengths) > 1 or any(isinstance(value, np.ndarray) and value.ndim == 2 for value in known)
    return False


def is_structure(value: Any) -> bool:
    """Whether it is a value of its own rather than a number or a row: whatever is not understood is one too, and refused by name later."""
    if isinstance(value, (str, set, frozenset, Counter, Bag, Tree, Term, Graph)):
        return True
    if library(value) in ("pandas", "polars"):
        return hasattr(value, "columns")
    return not isinstance(value, (list, tuple, Mapping, Number, np.ndarray, np.generic)) and not hasattr(value, "__float__")


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray)) and not np.isscalar(value)


def values(X: Any, of: str | None = None) -> Data:
    """One column of values. Texts are strings here: a list of texts alone is not a list of labels."""
    listed = list(X)
    return Data.table("values", [(VALUE, Column.values(listed, of=of, words="strings" if of is None else "auto"))])


def matrix(X: np.ndarray, names: Sequence[str]) -> Data:
    """A table of numbers, a column each."""
    return Data.table("data", list(zip(names, Column.matrix(_checked(X)))))


def names(width: int) -> list[str]:
    """What columns without a name are called."""
    return [f"x{place}" for place in range(width)]


def placed(X: Any) -> dict[str, Any]:
    """The columns of a frame under the names of columns without one."""
    if library(X) == "polars" and hasattr(X, "collect"):
        X = X.collect()
    if library(X) == "pandas":
        columns = [X.iloc[:, place] for place in range(X.shape[1])]
    elif library(X) == "polars":
        columns = [X.get_column(column) for column in X.columns]
    elif library(X) == "pyarrow":
        columns = list(X.columns)
    else:
        columns = list(X.values())
    return dict(zip(names(len(columns)), columns))


def frame(X: Any, name: str = "data", types: Mapping[str, str] | None = None, *, roles: bool = False) -> Data:
    """A table of named columns: a frame, or a mapping from names to columns. With `roles`, names of rows are no inputs, as in files."""
    if library(X) == "pandas":
        return _table(name, [(str(column), X.iloc[:, place]) for place, column in enumerate(X.columns)], types, roles)
    if library(X) == "polars":
        if hasattr(X, "collect"):
            X = X.collect()
        # Columns of these types, also nested ones, are not handed over by polars, or not as others read them.
        alien = any(of in str(held) for held in X.schema.values() for of in ALIEN)
        if alien or types:
            return _table(name, [(column, X.get_column(column)) for column in X.columns], types, roles)
    if isinstance(X, Mapping):
        return _table(name, list(X.items()), types, roles)
    if Data.offers_arrow(X):
        if library(X) == "pyarrow" and hasattr(X, "schema") and any(str(of).startswith(SPANS) for of in X.schema.types):
            return _table(name, [(str(column), X.column(place)) for place, column in enumerate(X.schema.names)], types, roles)
        data = Data.arrow(name, X, work(), roles=roles)
        infinite = next((notice for notice in data.notices if "infinite" in notice), None)
        if infinite:
            raise ValueError(f"an infinite number is no value: leave it out (null) or put a finite one; {infinite}")
        if types:
            return _table(name, [(column, data.column(column)) for column, *_ in data.columns], types, roles)
        return data
    raise TypeError(f"`{type(X).__qualname__}` is no table: pandas and polars frames, Arrow tables and dictionaries of columns are")


ALIEN = ("Object", "Null", "Int128", "Duration", "Time", "Enum")
"""Types of polars whose columns do not come by Arrow, or would lose what they mean."""
SPANS = ("duration", "time32", "time64")
"""Types of Arrow that are spans of time or times of day."""


def records(
    X: Sequence[Any], types: Mapping[str, str] | None = None, *, named: Sequence[str] | None = None, roles: bool = False
) -> Data:
    """A table from rows: dictionaries, or sequences of the same length."""
    if all(isinstance(row, Mapping) for row in X):
        columns: dict[str, None] = {}
        for row in X:
            columns.update(dict.fromkeys(row))
        return _table("data", [(str(column), [row.get(column) for row in X]) for column in columns], types, roles)
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in X]
    width = len(rows[0]) if rows else 0
    called = names(width) if named is None or len(named) != width else named
    return _table("data", [(name, [row[place] for row in rows]) for place, name in enumerate(called)], types, roles)


def _table(name: str, columns: Iterable[tuple[str, Any]], types: Mapping[str, str] | None, roles: bool = False) -> Data:
    types = dict(types or {})
    table = []
    for column, given in columns:
        try:
            table.append((str(column), one_column(given, types.pop(str(column), None))))
        except (TypeError, ValueError) as error:
            raise type(error)(f"column `{column}`: {error}") from None
    if types:
        known = ", ".join(column for column, _ in table)
        raise ValueError(f"there is no column `{next(iter(types))}` to give a type: there are {known}")
    return Data.table(name, table, roles=roles)


def one_column(given: Any, of: str | None = None, words: str = "auto") -> Column:
    """One column from whatever holds its values, by one copy where it is an array of numbers."""
    if isinstance(given, Column):
        return given if of is None else given.cast(of)
    if of is not None and of not in ("numeric", "nominal"):
        return Column.values(_listed(given), of=of)
    column = _fast_column(given, words)
    return column if of is None else column.cast(of)


def _fast_column(given: Any, words: str) -> Column:
    if library(given) == "pandas":
        kind = getattr(given, "dtype", None)
        if str(kind) == "category":
            codes, categories = given.cat.codes.to_numpy(np.int64), [str(label) for label in given.cat.categories]
            return Column.labels(codes, categories, ordered=bool(given.cat.ordered))
        if getattr(kind, "kind", "O") == "m":
            return Column.numbers(np.ascontiguousarray(given.dt.total_seconds().to_numpy(np.float64)))
        if str(kind) in ("bool", "boolean"):
            return Column.values(given.tolist(), words="labels")
        if getattr(kind, "kind", "O") in "iuf":
            return Column.numbers(_checked(given.to_numpy(np.float64, na_value=np.nan)))
        return Column.values(given.tolist(), words=words)
    if library(given) == "polars":
        if given.dtype.is_numeric():
            return Column.numbers(_checked(given.cast(float).fill_null(float("nan")).to_numpy()))
        if str(given.dtype).startswith("Enum"):
            labels = given.dtype.categories.to_list()
            places = {label: place for place, label in enumerate(labels)}
            codes = np.array([-1 if value is None else places[value] for value in given.to_list()], np.int64)
            return Column.labels(codes, labels, ordered=True)
        return Column.values(_spans(given.to_list()), words=words)
    if library(given) == "pyarrow":
        return Column.values(_spans(given.to_pylist()), words=words)
    if isinstance(given, np.ndarray) and given.ndim == 1:
        if given.dtype.kind in "iuf":
            return Column.numbers(_checked(np.ascontiguousarray(given, dtype=np.float64)))
        if given.dtype.kind == "m":
            seconds = given.astype("timedelta64[ns]").astype(np.int64) / 1e9
            return Column.numbers(np.where(np.isnat(given), np.nan, seconds))
        return Column.values(given.tolist() if given.dtype.kind != "M" else list(given), words=words)
    return Column.values(_listed(given), words=words)


def _spans(listed: list[Any]) -> list[Any]:
    """Spans of time and times of day as seconds; everything else as it is."""
    if not any(isinstance(value, (datetime.timedelta, datetime.time)) for value in listed):
        return listed
    return [seconds(value) if isinstance(value, (datetime.timedelta, datetime.time)) else value for value in listed]


def seconds(value: datetime.timedelta | datetime.time) -> float:
    """The seconds of a span of time, or since midnight."""
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return value.hour * 3600.0 + value.minute * 60.0 + value.second + value.microsecond / 1e6


def _checked(numbers: np.ndarray) -> np.ndarray:
    if np.isinf(numbers).any():
        raise ValueError("an infinite number is no value: leave it out (NaN) or put a finite one")
    return numbers


def _listed(given: Any) -> list[Any]:
    for method in LISTED:
        if hasattr(given, method):
            return getattr(given, method)()
    return list(given)
