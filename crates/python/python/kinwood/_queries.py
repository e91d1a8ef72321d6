"""Queries: SQL over data, with models as rows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _input
from ._kinwood import Queries


def connect(
    path: str | os.PathLike[str],
    *,
    target: str | Sequence[str] | None = None,
    roles: Mapping[str, str] | None = None,
    write: bool = False,
    cache: bool = True,
) -> Connection:
    """Opens data for queries: a SQLite file in place, anything else that is read as a database for the time of the connection.

    Beside the tables of the data stand those of models: `trees` and what is in them, `neighbours`, `clusters`, and models that
    `CREATE VIRTUAL TABLE … USING kinwood(…)` fits and keeps. `target` is what they predict where a query does not say, and `roles` says what
    columns are to them, such as `{"height": "input"}`. `write` lets statements change the tables of a SQLite file; `cache` keeps
    what searches find beside the data. The connection is one of the DB-API: `execute`, `cursor`, `fetchall`, and `frame` for a frame.

    >>> import kinwood, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "plants.csv")
    >>> _ = open(path, "w").write("height,kind" + chr(10) + "".join(f"{n + 0.5},{'moss' if n < 5 else 'tree'}" + chr(10) for n in range(10)))
    >>> with kinwood.connect(path, cache=False) as connection:
    ...     connection.execute("SELECT size FROM trees('kind') WHERE error = 0 AND complete = 1 AND size <= ?", (3,)).fetchall()
    [(3,)]
    """
    targets = [target] if isinstance(target, str) else list(target or [])
    return Connection(Queries.open(os.fspath(path), write, cache, targets, list((roles or {}).items()), _input.work()))


class Connection:
    """A connection to data, as the DB-API has it. Statements take effect at once; there is nothing to commit."""

    def __init__(self, queries: Queries) -> None:
        self._queries: Queries | None = queries

    def cursor(self) -> Cursor:
        """A cursor of its own."""
        return Cursor(self)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Runs statements, and gives the cursor over the rows of the last one that has some."""
        return self.cursor().execute(sql, parameters)

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The rows as a frame of pandas."""
        return self.execute(sql, parameters).frame()

    def commit(self) -> None:
        """Does nothing: what was written is written."""

    def close(self) -> None:
        """Ends the connection."""
        self._queries = None

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, sql: str, parameters: Sequence[Any]) -> tuple[list[str], list[tuple[Any, ...]]]:
        if self._queries is None:
            raise ValueError("the connection is closed")
        columns, rows, notices = self._queries.run(sql, list(parameters), _input.work())
        for notice in notices:
            warnings.warn(notice, UserWarning, stacklevel=4)
        return columns, rows


class Cursor:
    """A walk over the rows of a statement."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._columns: list[str] = []
        self._rows: list[tuple[Any, ...]] = []
        self._at = 0

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Runs statements; `?` in them are the parameters, in their order."""
        self._columns, self._rows = self.connection._run(sql, parameters)
        self._at = 0
        return self

    def executemany(self, sql: str, many: Iterable[Sequence[Any]]) -> Cursor:
        """Runs a statement for each of several sets of parameters."""
        for parameters in many:
            self.execute(sql, parameters)
        return self

    @property
    def description(self) -> list[tuple[Any, ...]] | None:
        """Seven things for each column, of which the name is known; `None` where the statement has no rows."""
        return [(name, None, None, None, None, None, None) for name in self._columns] or None

    @property
    def rowcount(self) -> int:
        """How many rows there are; -1 where the statement has none."""
        return len(self._rows) if self._columns else -1

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row; `None` behind the last."""
        rows = self.fetchmany(1)
        return rows[0] if rows else None

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """The next so many rows."""
        begin = self._at
        self._at = min(len(self._rows), begin + (self.arraysize if size is None else size))
        return self._rows[begin : self._at]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows that are left."""
        return self.fetchmany(len(self._rows))

    def frame(self) -> Any:
        """The rows that are left as a frame of pandas."""
        import pandas

        return pandas.DataFrame.from_records(self.fetchall(), columns=self._columns)

    def close(self) -> None:
        """Lets go of the rows."""
        self._columns, self._rows = [], []

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row
