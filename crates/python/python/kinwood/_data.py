"""Tables and databases: data with more than a matrix has, which cross-validation can slice by row."""

from __future__ import annotations

import copy
import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _input
from ._kinwood import Column, Data


class Handle:
    """A row of a table as the cell of an array: tools that make arrays of rows hand these on, and estimators find the rows again."""

    __slots__ = ("owner", "place")

    def __init__(self, owner: Rows, place: int) -> None:
        self.owner = owner
        self.place = place

    def __repr__(self) -> str:
        return f"<row {self.place} of {self.owner!r}>"


def handles(rows: Rows) -> np.ndarray:
    """Rows as an array with a column for each input, every cell of which is a handle of its row."""
    listed = np.empty(len(rows), dtype=object)
    listed[:] = [Handle(rows, place) for place in range(len(rows))]
    return np.repeat(listed[:, None], max(1, rows.shape[1]), axis=1)


def owner_of(X: Any) -> Any:
    """The rows that an array of handles stands for; everything else as it is.

    A column whose handles are of other rows than those of the other columns has been shuffled: the input of that column is then taken
    from those rows.
    """
    if not isinstance(X, np.ndarray) or X.dtype != object or X.size == 0 or not isinstance(X.flat[0], Handle):
        return X
    cells = X if X.ndim == 2 else X[:, None]
    owner: Rows = cells[0, 0].owner
    places = np.array([[cell.place if isinstance(cell, Handle) and cell.owner is owner else -1 for cell in row] for row in cells.tolist()])
    if (places < 0).any():
        raise ValueError("rows of several tables are no rows of one: make one Table or Database of them")
    alike = (places[:, :, None] == places[:, None, :]).sum(axis=(0, 2)) if places.shape[1] < 200 else np.zeros(places.shape[1])
    rising = np.array([bool((np.diff(column) > 0).all()) for column in places.T])
    base = int(np.lexsort((~rising, -alike))[0])
    rows: Rows = owner[places[:, base]]
    moved = {place: places[:, place] for place in range(places.shape[1]) if not np.array_equal(places[:, place], places[:, base])}
    if not moved:
        return rows
    if places.shape[1] != len(owner.inputs):
        raise ValueError("columns of a Table or Database have been taken apart: a tool may take rows, and shuffle columns")
    return rows._with_columns({owner.inputs[place]: owner._data.column(owner.inputs[place]).take(taken) for place, taken in moved.items()})


class Rows:
    """Rows of a table: what :class:`Table` and :class:`Database` have in common."""

    _data: Data
    _targets: list[str]

    def __len__(self) -> int:
        return len(self._data)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of input columns of their table."""
        return len(self._data), len(self.inputs)

    @property
    def columns(self) -> dict[str, str]:
        """The columns of the table and their types."""
        return {name: of for name, of, _ in self._data.columns}

    @property
    def roles(self) -> dict[str, str]:
        """The columns of the table and what they are for."""
        return {name: role for name, _, role in self._data.columns}

    @property
    def inputs(self) -> list[str]:
        """The columns of the table that predictions are made from."""
        return [name for name, _, role in self._data.columns if role == "input" and name not in self._targets]

    @property
    def target(self) -> str | list[str] | None:
        """The column to predict, or the columns; nothing where none is named."""
        return (self._targets[0] if len(self._targets) == 1 else list(self._targets)) if self._targets else None

    @property
    def y(self) -> np.ndarray:
        """The values of the target, for scikit-learn's functions: texts or numbers; a column each of several targets."""
        if not self._targets:
            raise ValueError("no target is named: say which column it is by `target=`")
        columns = [self[name] for name in self._targets]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def __getitem__(self, key: Any) -> Any:
        """A column by its name as an array; the same data with fewer rows by numbers, a mask or a slice.

        ``data[rows, columns]`` is a pandas frame of inputs, which are chosen by their places, a mask, a slice or their names: what a
        :class:`~sklearn.compose.ColumnTransformer` asks for.
        """
        if isinstance(key, str):
            return _array(self._data.column(key).to_list())
        if isinstance(key, tuple) and len(key) == 2:
            key, columns = key
            if columns is not Ellipsis and not (isinstance(columns, slice) and columns == slice(None)):
                return _frame_of(self if isinstance(key, slice) and key == slice(None) else self[key], columns)
        chosen = type(self).__new__(type(self))
        chosen._targets = list(self._targets)
        chosen._data = self._data.select(_positions(key, len(self)))
        return chosen

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The rows as an array of handles, for tools of scikit-learn that ask for one; estimators take them as the rows they are."""
        return handles(self)

    def _with_columns(self, columns: Mapping[str, Column]) -> Rows:
        """The same rows with other values of some columns."""
        named = [(name, columns.get(name, self._data.column(name))) for name, *_ in self._data.columns]
        tables = self._data.all_tables
        root = Data.table(tables[0][0], named)
        if len(tables) > 1:
            others = [(name, self._data.other(name)) for name, _ in tables[1:]]
            root = Data.tables(
                "a database in memory",
                [(tables[0][0], root), *others],
                root=tables[0][0],
                primary=[],
                keys=self._data.keys,
                work=_input.work(),
            )
        changed = type(self).__new__(type(self))
        changed._targets = list(self._targets)
        changed._data = root.with_roles([(name, role) for name, _, role in self._data.columns])
        return changed

    def to_pandas(self) -> Any:
        """The table as a pandas frame: numbers, dates and labels as pandas has them, everything else as objects."""
        import pandas as pd

        made = {}
        for name, of, _ in self._data.columns:
            values = self._data.column(name).to_list()
            if of == "nominal":
                made[name] = pd.Series(values, dtype=object)
            elif of == "datetime":
                made[name] = pd.to_datetime(pd.Series(values, dtype=object))
            elif of == "numeric":
                made[name] = pd.Series(np.array(values, dtype=np.float64))
            else:
                made[name] = pd.Series(list(values), dtype=object)
        frame = pd.DataFrame(made)
        for name in self._data.ordered:
            frame[name] = pd.Categorical(frame[name], categories=self._data.column(name).labels_in_order(), ordered=True)
        return frame

    def head(self, rows: int = 5) -> Any:
        """The first rows as a pandas frame."""
        return self[: max(0, rows)].to_pandas()

    def _repr_html_(self) -> str:
        text = html.escape(repr(self))
        try:
            shown = self.head(5)
        except ImportError:
            return f"<pre>{text}</pre>"
        roles = {name: role for name, role in self.roles.items() if role != "input"}
        told = f"<p>{text}</p>"
        if roles:
            told += "<p>" + html.escape(", ".join(f"{name}: {role}" for name, role in roles.items())) + "</p>"
        return told + shown.map(_short).to_html(notebook=True)

    def describe(self) -> str:
        """Tables, columns and keys for people, as `kinwood describe` tells them."""
        return self._data.describe()

    @property
    def notices(self) -> list[str]:
        """What was decided without being asked: types, roles, keys."""
        return self._data.notices

    def __deepcopy__(self, memo: Any) -> Rows:
        # Rows do not change: frames that know them are copied with what they know.
        return self

    def __reduce__(self) -> Any:
        return _again, (type(self), self._data.to_bytes(), self._targets)

    def __repr__(self) -> str:
        of = ", ".join(f"{name}: {of}" for name, of in list(self.columns.items())[:8])
        more = ", …" if len(self.columns) > 8 else ""
        return f"<{type(self).__name__} with {len(self)} rows of {of}{more}>"


BEHIND = "kinwood.rows"
"""Under what name a frame of columns knows the rows that it is of."""


def _frame_of(rows: Rows, columns: Any) -> Any:
    """Inputs of rows as a frame, or one as a series, which know the rows they are of."""
    names = rows.inputs
    if isinstance(columns, str) or np.ndim(columns) == 0 and not isinstance(columns, slice):
        chosen: Any = columns if isinstance(columns, str) else names[int(columns)]
    elif isinstance(columns, slice):
        chosen = names[columns]
    else:
        listed = list(columns)
        if all(isinstance(name, str) for name in listed):
            chosen = [str(name) for name in listed]
        else:
            chosen = [names[int(place)] for place in _positions(np.asarray(listed), len(names))]
    for name in [chosen] if isinstance(chosen, str) else chosen:
        if name not in names:
            raise KeyError(f"`{name}` is no input: there are {', '.join(names)}")
    frame = rows.to_pandas()[chosen]
    frame.attrs[BEHIND] = rows
    return frame


class columns:
    """Chooses columns for a :class:`~sklearn.compose.ColumnTransformer`, of frames and of a `Table` or `Database` alike.

    Parameters
    ----------
    *names : str
        The columns; all of the type without any.
    type : str, optional
        Only columns of this type, such as ``"numeric"``, ``"nominal"`` or ``"set<nominal>"``.

    Examples
    --------
    >>> import kinwood
    >>> from sklearn.compose import ColumnTransformer
    >>> from sklearn.preprocessing import StandardScaler
    >>> shop = kinwood.Database(
    ...     {"customer": {"id": ["a", "b"], "age": [30.0, 40.0]}, "order": {"customer_id": ["a", "a", "b"], "amount": [3.0, 4.0, 50.0]}},
    ...     table="customer", keys={"order.customer_id": "customer.id"}, primary={"customer": "id"},
    ... )
    >>> made = ColumnTransformer([
    ...     ("own", StandardScaler(), kinwood.columns(type="numeric")),
    ...     ("orders", kinwood.RelationalFeatures(aggregates="paper", numeric=True, own=False), kinwood.columns()),
    ... ])
    >>> made.fit_transform(shop)
    array([[-1. ,  3.5],
           [ 1. , 50. ]])
    """

    def __init__(self, *names: str, type: str | None = None) -> None:
        self.names = names
        self.type = type

    def __call__(self, X: Any) -> list[Any]:
        """The places of the columns in a `Table` or `Database`, and their names in a frame."""
        rows = X if isinstance(X, Rows) else Table(X)
        known = rows.inputs if isinstance(X, Rows) else list(rows.columns)
        for name in self.names:
            if name not in known:
                raise ValueError(f"there is no column `{name}`: there are {', '.join(known)}")
        of = rows.columns
        chosen = [name for name in self.names or known if self.type is None or of[name] == self.type]
        return [known.index(name) for name in chosen] if isinstance(X, Rows) else chosen

    def __repr__(self) -> str:
        told = [repr(name) for name in self.names] + ([f"type={self.type!r}"] if self.type is not None else [])
        return f"columns({', '.join(told)})"


def _short(value: Any) -> Any:
    """A value as a cell of a page shows it."""
    text = str(value)
    return value if len(text) <= 60 else f"{text[:59]}…"


def _again(of: type[Rows], data: bytes, targets: list[str]) -> Rows:
    rows = of.__new__(of)
    rows._data = Data.from_bytes(data)
    rows._targets = targets
    return rows


def _positions(key: Any, rows: int) -> np.ndarray:
    if isinstance(key, slice):
        return np.arange(rows, dtype=np.int64)[key]
    if isinstance(key, (int, np.integer)):
        return np.array([key], dtype=np.int64)
    given = np.asarray(key)
    if given.dtype == bool:
        if given.shape != (rows,):
            raise IndexError(f"a mask of {rows} rows has {rows} truth values, not {given.shape}")
        return np.flatnonzero(given).astype(np.int64)
    if given.size and given.dtype.kind not in "iu":
        raise IndexError("rows are chosen by whole numbers, truth values or a slice")
    return given.astype(np.int64).ravel()


def _array(values: Any) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values
    if values and all(isinstance(value, (float, type(None))) for value in values):
        return np.array([np.nan if value is None else value for value in values])
    if all(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


class Table(Rows):
    """One table whose columns may hold anything, with types that values alone do not tell.

    Parameters
    ----------
    data : frame, mapping from names to columns, list of records or of values, or 2-D array
        The columns. A list of values is one column, called `value`.
    types : mapping from column names to types, optional
        Types such as ``"string"``, ``"set<numeric>"`` or ``"bag<tuple<nominal, charge: numeric>>"``, where the guess is not meant.
    target : str or list of str, optional
        The columns to predict: hidden from all estimators, and given as :attr:`y`.
    roles : mapping from column names to roles, optional
        Columns that are no inputs: ``{"name": "id", "count": "weight", "note": "ignore"}``.

    Examples
    --------
    >>> import kinwood
    >>> table = kinwood.Table({"smiles": ["CCO", "CC"], "weight": [46.1, 30.1]}, types={"smiles": "string"})
    >>> table.columns
    {'smiles': 'string', 'weight': 'numeric'}
    >>> table[[1]]["weight"]
    array([30.1])
    """

    def __init__(
        self,
        data: Any,
        types: Mapping[str, str] | None = None,
        *,
        target: str | Iterable[str] | None = None,
        roles: Mapping[str, str] | None = None,
    ) -> None:
        self._data = table_of(data, types)
        self._targets = _named(self._data, target)
        stated = [*(roles or {}).items(), *((name, "target") for name in self._targets)]
        if stated:
            self._data = self._data.with_roles(stated)


def table_of(X: Any, types: Mapping[str, str] | None = None) -> Data:
    """One table from any of the ways there are to give one."""
    if isinstance(X, Rows):
        if types:
            return _input.frame({name: X._data.column(name) for name in X.columns}, types=types)
        return X._data
    if _input.is_values(X):
        return _input.values(X, (types or {}).get(_input.VALUE))
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "iufb" and not types:
        return _input.matrix(np.asarray(X, dtype=np.float64), _input.names(X.shape[1]))
    if isinstance(X, (list, tuple, np.ndarray)):
        return _input.records(list(X), types)
    return _input.frame(X, types=types)


def _named(data: Data, target: str | Iterable[str] | None) -> list[str]:
    if target is None:
        return []
    targets = [target] if isinstance(target, str) else [str(name) for name in target]
    for name in targets:
        data.column(name)
    return targets


class Database(Rows):
    """Tables and the foreign keys between them; its rows are those of the table that is predicted.

    Estimators that follow keys see all that a row's keys reach. Slicing chooses rows of the one table, and the rows of that table
    which are left out are not reached from the others either, so that cross-validation is honest.

    Parameters
    ----------
    source : mapping, path or URL
        A mapping from names to frames; the path of a SQLite file, of a folder of tables, of Prolog facts or of any other file that
        `kinwood` reads; or a URL such as ``postgresql://user@host/database``.
    table : str, optional
        The table whose rows are predicted. It need not be said where there is one table only, where a target names it
        (``"molecule.mutagenic"``), or where the schema of the source says it.
    target : str or list of str, optional
        The columns to predict: hidden from all estimators, and given as :attr:`y`.
    keys : mapping, optional
        Foreign keys of a mapping of frames, such as ``{"atom.molecule_id": "molecule.id"}``. Without it, keys are looked for in the
        values, as the command does.
    primary : mapping, optional
        Primary keys of a mapping of frames: from tables to a column or columns.
    roles : mapping, optional
        Roles of columns that are not what their values suggest: ``{"molecule.name": "ignore"}``.
    types : mapping, optional
        Types of columns that are not what their values suggest: ``{"customer.basket": "set<nominal>"}``.
    time : mapping, optional
        When rows of tables are: a column, ``{"order": "date"}``, or two between which they hold, ``{"contract": ["begin", "end"]}``.
    as_of : str or date, optional
        By when rows see others: a column of their table, or one date for all rows. Nothing that has a later time is seen, by whatever
        estimator. A column with the role ``"cutoff"`` does the same. Models keep it.
    gap, window, horizon : float, optional
        Nothing of so many days before the cutoff is seen; nothing older than so many days; targets are known after so many days, and
        then seen by later rows.
    freeze : str or date, optional
        No row sees anything later than this, however much later its cutoff is.
    schema, bag, tables, database_schema, views
        As `--with-schema`, `--bag`, `--tables`, `--database-schema` and `--no-views` of the command.

    Examples
    --------
    >>> import pandas as pd, kinwood
    >>> customers = pd.DataFrame({"id": ["a", "b", "c"], "region": ["north", "south", "north"], "stays": ["yes", "no", "yes"]})
    >>> orders = pd.DataFrame({"customer_id": ["a", "a", "b", "c"], "amount": [3.0, 4.0, 50.0, 2.0]})
    >>> shop = kinwood.Database(
    ...     {"customer": customers, "order": orders}, table="customer", target="stays", keys={"order.customer_id": "customer.id"}
    ... )
    >>> len(shop), shop.tables, shop.y
    (3, {'customer': 3, 'order': 4}, array(['yes', 'no', 'yes'], dtype=object))
    """

    def __init__(
        self,
        source: Mapping[str, Any] | str | os.PathLike[str],
        *,
        table: str | None = None,
        target: str | Sequence[str] | None = None,
        keys: Mapping[str, str] | None = None,
        primary: Mapping[str, str | Sequence[str]] | None = None,
        roles: Mapping[str, str] | None = None,
        types: Mapping[str, str] | None = None,
        schema: str | os.PathLike[str] | None = None,
        bag: str | None = None,
        tables: Sequence[str] | None = None,
        database_schema: str | None = None,
        views: bool = True,
        time: Mapping[str, str | Sequence[str]] | None = None,
        as_of: Any = None,
        gap: float | None = None,
        window: float | None = None,
        horizon: float | None = None,
        freeze: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        targets = [target] if isinstance(target, str) else list(target or [])
        table, targets = _table_of_targets(table, targets)
        work = _input.work(progress=progress)
        if isinstance(source, Mapping):
            self._data = _of_frames(source, table or _owner(source, targets), keys, primary, roles, types, work)
            named = targets
        else:
            if keys or primary:
                raise ValueError("keys and primary keys of files stand in a schema: give it as `schema=`")
            self._data, named = Data.open(
                os.fspath(source),
                root=table,
                targets=targets,
                schema=os.fspath(schema) if schema is not None else None,
                bag=bag,
                tables=list(tables) if tables is not None else None,
                database_schema=database_schema,
                views=views,
                roles=list((roles or {}).items()),
                types=list((types or {}).items()),
                work=work,
            )
        self._targets = _named(self._data, named)
        if self._targets:
            self._data = self._data.with_roles([(name, "target") for name in self._targets])
        if time:
            stated = [(owner, [columns] if isinstance(columns, str) else list(columns)) for owner, columns in time.items()]
            self._data = self._data.with_time(stated)
        if any(said is not None for said in (as_of, gap, window, horizon, freeze)):
            self._data = self._data.seen(_instant(as_of), gap=gap, window=window, horizon=horizon, freeze=_instant(freeze))

    def seen(
        self,
        as_of: Any = None,
        *,
        gap: float | None = None,
        window: float | None = None,
        horizon: float | None = None,
        freeze: Any = None,
    ) -> Database:
        """The same rows, which see others by another column of cutoffs or another date; what is not named stays as it is.

        ``model.predict(shop.seen(as_of="2024-06-30"))`` asks a model as of another date than that of each row.
        """
        other = copy.copy(self)
        other._data = self._data.seen(_instant(as_of), gap=gap, window=window, horizon=horizon, freeze=_instant(freeze))
        return other

    def task(
        self,
        entity: str,
        *,
        every: float | str,
        horizon: float | str,
        target: str,
        name: str | None = None,
        table: str = "task",
        start: Any = None,
        end: Any = None,
        validation: Any = None,
        test: Any = None,
        cutoffs: int | None = None,
        where: str | None = None,
        who: str | None = None,
        active: float | str | None = None,
        active_in: str | None = None,
        empty: str | None = None,
        via: str | None = None,
        time: str | None = None,
        past: bool = False,
        progress: bool | str = "auto",
    ) -> Database:
        """The examples of a task over time, as `kinwood task` makes them: for each row of a table, every so many days, what happens next.

        The examples are rows of one more table of the same database. Each sees what was known by its cutoff, in the column ``date``; the
        target is hidden, and given as :attr:`y`. With `validation` or `test` a column ``split`` says what rows are for. Parameters are
        those of the command, where `start` and `end` are `--from` and `--to`, and `time` is `--time-column`.

        Parameters
        ----------
        entity : str
            The table whose rows the task is about.
        every, horizon : float or str
            A cutoff every so many days, and how many days after it are looked at: 30, ``"4 weeks"``.
        target : str
            What is to be predicted, such as ``"count(order where amount > 100)"`` or ``"none(order)"``.
        past : bool
            Whether targets of earlier examples are data for later ones, once their horizon is over.

        Examples
        --------
        >>> import pandas as pd, kinwood
        >>> customers = pd.DataFrame({"id": ["a", "b"], "region": ["north", "south"]})
        >>> days = pd.to_datetime(["2024-01-03", "2024-01-20", "2024-02-11", "2024-02-28"])
        >>> orders = pd.DataFrame({"customer": ["a", "b", "a", "b"], "day": days, "amount": [3.0, 50.0, 4.0, 2.0]})
        >>> shop = kinwood.Database({"customer": customers, "order": orders}, table="customer", keys={"order.customer": "customer.id"})
        >>> task = shop.task("customer", every=14, horizon=14, target="any(order)")
        >>> len(task), task["id"][:4].tolist(), task.y[:4].tolist()
        (8, ['a', 'b', 'a', 'b'], ['0', '0', '0', '1'])
        """
        definition = _definition(
            entity=entity,
            every=every,
            horizon=horizon,
            target=target,
            name=name,
            start=start,
            end=end,
            validation=validation,
            test=test,
            cutoffs=cutoffs,
            where=where,
            who=who,
            active=active,
            active_in=active_in,
            empty=empty,
            via=via,
            time=time,
        )
        made = type(self).__new__(type(self))
        made._data = self._data.with_task(definition, table, past, _input.work(progress=progress))
        made._targets = [column for column, _, role in made._data.columns if role == "target"]
        return made

    def task_sql(self, entity: str, **options: Any) -> str:
        """The query that makes the examples of :meth:`task`, in SQL for SQLite and PostgreSQL."""
        return self._data.task_sql(_definition(entity=entity, **options))

    @classmethod
    def facts(cls, text: str, **options: Any) -> Database:
        """A database from Prolog facts as text, read as a file of them is.

        >>> import kinwood
        >>> facts = "parent(ann, bob). parent(bob, cid). old(ann). old(bob)."
        >>> sorted(kinwood.Database.facts(facts, table="parent").tables)
        ['old', 'parent']
        """
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "facts.pl"
            path.write_text(text, encoding="utf-8")
            return cls(path, **options)

    @property
    def tables(self) -> dict[str, int]:
        """The tables and their numbers of rows, the one that is predicted first."""
        return dict(self._data.all_tables)

    @property
    def keys(self) -> dict[str, str]:
        """The foreign keys: which columns refer to which."""
        joined = lambda table, columns: f"{table}.{','.join(columns)}"  # noqa: E731
        return {joined(a, from_columns): joined(b, to_columns) for a, from_columns, b, to_columns in self._data.keys}

    def columns_of(self, table: str) -> dict[str, str]:
        """The columns of any table and their types."""
        return {name: of for name, of, _ in self._data.other(table).columns}

    def __repr__(self) -> str:
        others = ", ".join(f"{name} ({rows} rows)" for name, rows in list(self.tables.items())[1:])
        root = next(iter(self.tables))
        target = f", target {', '.join(self._targets)}" if self._targets else ""
        return f"<Database with {len(self)} rows of {root}{target}{'; ' + others if others else ''}>"


def _instant(given: Any) -> str | None:
    """A column, a date or a number as it is written."""
    if given is None or isinstance(given, str):
        return given
    if hasattr(given, "isoformat"):
        return str(given.isoformat())
    return str(given)


def _definition(**stated: Any) -> str:
    """A task as the package states it, without what is left to the defaults."""
    stated["from"], stated["to"] = stated.pop("start", None), stated.pop("end", None)
    for name in ("from", "to", "validation", "test"):
        stated[name] = _instant(stated.get(name))
    return json.dumps({name: value for name, value in stated.items() if value is not None})


def _table_of_targets(table: str | None, targets: list[str]) -> tuple[str | None, list[str]]:
    """Targets may be written with their table, which is then the one meant."""
    plain = []
    for target in targets:
        owner, dot, column = target.partition(".")
        if dot and table in (None, owner):
            table = owner
            plain.append(column)
        else:
            plain.append(target)
    return table, plain


def _owner(source: Mapping[str, Any], targets: list[str]) -> str | None:
    """The only table that has the targets, if there is one."""
    having = [str(name) for name, held in source.items() if set(targets) <= {str(column) for column in _headings(held)}]
    return having[0] if targets and len(having) == 1 else None


def _headings(held: Any) -> Iterable[Any]:
    if isinstance(held, Mapping):
        return held
    for names in ("column_names", "columns"):
        if hasattr(held, names):
            return list(getattr(held, names))
    return ()


def _of_frames(source: Mapping[str, Any], table: str | None, keys: Any, primary: Any, roles: Any, types: Any, work: Any) -> Data:
    if not source:
        raise ValueError("a database has at least one table")
    if table is None:
        if len(source) > 1:
            raise ValueError(f"say whose rows are predicted by `table=`: {', '.join(source)}")
        table = next(iter(source))
    by_table: dict[str, dict[str, str]] = {}
    for name, of in (types or {}).items():
        owner, _, column = name.rpartition(".")
        by_table.setdefault(owner or table, {})[column] = of
    unknown = set(by_table) - set(source)
    if unknown:
        raise ValueError(f"there is no table `{sorted(unknown)[0]}` to give types: there are {', '.join(source)}")
    given = []
    for name, held in source.items():
        try:
            given.append((str(name), table_of(held, by_table.get(name))))
        except (TypeError, ValueError) as error:
            raise type(error)(f"table `{name}`: {error}") from None
    stated = None
    if keys is not None:
        stated = [(*_columns(a), *_columns(b)) for a, b in keys.items()]
    wanted = [(owner, [columns] if isinstance(columns, str) else list(columns)) for owner, columns in (primary or {}).items()]
    return Data.tables("a database in memory", given, root=table, primary=wanted, keys=stated, roles=list((roles or {}).items()), work=work)


def _columns(written: str) -> tuple[str, list[str]]:
    table, dot, columns = written.partition(".")
    if not dot or not columns:
        raise ValueError(f"`{written}` is no column of a table: write it as `table.column`")
    return table, [column.strip() for column in columns.split(",")]
