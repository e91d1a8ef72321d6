"""Queries: SQL over data, with models as rows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _input
from ._kinwood import Queries

# What the DB-API wants to be known of whatever connects.
apilevel = "2.0"
threadsafety = 1
paramstyle = "qmark"


class Warning(UserWarning):  # noqa: A001
    """What was decided without being asked, as the DB-API has it."""


class Error(Exception):
    """What goes wrong in a query; each is one of Python's own exceptions too."""


class InterfaceError(Error, ValueError):
    """The connection is used as it cannot be: it is closed."""


class DatabaseError(Error):
    """What the database cannot do."""


class ProgrammingError(DatabaseError, ValueError):
    """The statement is wrong, or names what is not there."""


class NotSupportedError(DatabaseError, PermissionError):
    """The statement would do what a query may not."""


class DataError(DatabaseError):
    """A value that cannot be taken."""


class OperationalError(DatabaseError):
    """What the database could not do for a reason of its own."""


class IntegrityError(DatabaseError):
    """What would leave keys without what they refer to."""


class InternalError(DatabaseError):
    """A mistake of ours."""


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
    `CREATE VIRTUAL TABLE … USING kinwood(…)` fits and keeps. `target` is what they predict where a query does not say, and `roles` says
    what columns are to them, such as `{"height": "input"}`. `write` lets statements change the tables of a SQLite file; `cache` keeps
    what searches find beside the data. The connection is one of the DB-API: `execute`, `cursor`, `fetchall`, and `frame` for a frame.

    >>> import kinwood, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "plants.csv")
    >>> rows = [f"{n + 0.5},{'moss' if n < 5 else 'tree'}" for n in range(10)]
    >>> _ = open(path, "w").write(chr(10).join(["height,kind", *rows, ""]))
    >>> with kinwood.connect(path, cache=False) as connection:
    ...     connection.execute("SELECT size FROM trees('kind') WHERE error = 0 AND complete = 1 AND size <= ?", (3,)).fetchall()
    [(3,)]
    """
    targets = [target] if isinstance(target, str) else list(target or [])
    return Connection(Queries.open(os.fspath(path), write, cache, targets, list((roles or {}).items()), _input.work()))


class Connection:
    """A connection to data, as the DB-API has it: `apilevel` 2.0, parameters are `?`, and its exceptions are attributes of it.

    Statements take effect at once, unless one of them is `BEGIN`.
    """

    Warning = Warning
    Error = Error
    InterfaceError = InterfaceError
    DatabaseError = DatabaseError
    ProgrammingError = ProgrammingError
    NotSupportedError = NotSupportedError
    DataError = DataError
    OperationalError = OperationalError
    IntegrityError = IntegrityError
    InternalError = InternalError

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
        """Ends the transaction that `BEGIN` began; without one what was written is written."""
        if self._open().in_transaction():
            self._run("COMMIT", ())

    def rollback(self) -> None:
        """Takes back what was written since `BEGIN`."""
        if self._open().in_transaction():
            self._run("ROLLBACK", ())

    def close(self) -> None:
        """Ends the connection."""
        self._queries = None

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Queries:
        if self._queries is None:
            raise InterfaceError("the connection is closed")
        return self._queries

    def _run(self, sql: str, parameters: Sequence[Any]) -> tuple[list[str], list[tuple[Any, ...]]]:
        queries = self._open()
        if isinstance(parameters, Mapping):
            raise ProgrammingError("parameters are a sequence for `?`, in their order; names such as `:name` are not known")
        try:
            columns, rows, notices = queries.run(sql, list(parameters), _input.work())
        except PermissionError as error:
            raise NotSupportedError(str(error)) from None
        except ValueError as error:
            # Errors of the package's own kinds stay what they are.
            if type(error) is not ValueError:
                raise
            raise ProgrammingError(str(error)) from None
        for notice in notices:
            warnings.warn(notice, Warning, stacklevel=4)
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

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Does nothing: parameters have the sizes that they have."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Does nothing: values have the sizes that they have."""

    def close(self) -> None:
        """Lets go of the rows."""
        self._columns, self._rows = [], []

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row
