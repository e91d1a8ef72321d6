"""Queries: rows of data and of models through a connection of the DB-API."""

from __future__ import annotations

import pytest

import kinwood


@pytest.fixture
def plants(tmp_path):
    path = tmp_path / "plants.csv"
    rows = [f"{n},{n % 3},{'moss' if n < 12 else 'tree'}" for n in range(24)]
    path.write_text("\n".join(["height,color,kind", *rows]) + "\n")
    return path


def test_a_connection_has_cursors(plants):
    with kinwood.connect(plants) as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT height, kind FROM plants WHERE height < ? ORDER BY height", (3,))
        assert [column[0] for column in cursor.description] == ["height", "kind"]
        assert cursor.rowcount == 3
        assert cursor.fetchone() == (0, "moss")
        assert cursor.fetchmany(1) == [(1, "moss")]
        assert list(cursor) == [(2, "moss")]
        assert cursor.fetchone() is None
        values = (None, True, 2, 0.5, "text", b"bytes")
        assert connection.execute("SELECT ?, ?, ?, ?, ?, ?", values).fetchall() == [(None, 1, 2, 0.5, "text", b"bytes")]
    with pytest.raises(ValueError, match="closed"):
        connection.execute("SELECT 1")


def test_trees_are_frames(plants):
    pytest.importorskip("pandas")
    # Whole numbers in the first column number the rows, unless somebody says that they do not.
    connection = kinwood.connect(plants, target="kind", roles={"height": "input"}, cache=False)
    with pytest.warns(UserWarning, match="beam of 5"):
        frame = connection.frame("SELECT size, training_error FROM trees WHERE size <= 7 ORDER BY error LIMIT 5")
    assert list(frame.columns) == ["size", "training_error"]
    assert frame["training_error"].iloc[0] == 0.0


def test_errors_are_exceptions(plants):
    connection = kinwood.connect(plants)
    with pytest.raises(ValueError, match="did you mean `height`"):
        connection.execute("SELECT hieght FROM plants")
    with pytest.raises(PermissionError, match="write=True"):
        connection.execute("DELETE FROM plants")
    with pytest.raises(PermissionError, match="attach"):
        connection.execute("ATTACH 'x' AS y")
    with pytest.raises(ValueError, match="did you mean `input`"):
        kinwood.connect(plants, roles={"height": "ipnut"})
    with pytest.raises(TypeError, match="a parameter is"):
        connection.execute("SELECT ?", ([1],))
    with pytest.raises(FileNotFoundError):
        kinwood.connect(plants.parent / "nowhere.csv")


def test_it_is_the_db_api(plants):
    connection = kinwood.connect(plants)
    with pytest.raises(connection.ProgrammingError, match="did you mean `height`"):
        connection.execute("SELECT hieght FROM plants")
    with pytest.raises(connection.NotSupportedError, match="attach"):
        connection.execute("ATTACH 'x' AS y")
    assert issubclass(connection.ProgrammingError, connection.DatabaseError)
    assert issubclass(connection.DatabaseError, connection.Error)
    with pytest.raises(connection.ProgrammingError, match="in their order"):
        connection.execute("SELECT :a", {"a": 1})
    cursor = connection.cursor()
    cursor.setinputsizes([])
    cursor.setoutputsize(1)
    cursor.executemany("SELECT ?", [(1,), (2,)])
    assert cursor.fetchall() == [(2,)]
    connection.commit()
    connection.rollback()
    connection.close()
    with pytest.raises(connection.InterfaceError, match="closed"):
        connection.commit()


def test_what_is_begun_is_taken_back(tmp_path):
    import sqlite3

    path = tmp_path / "plants.sqlite"
    plain = sqlite3.connect(path)
    plain.executescript("CREATE TABLE plants (height REAL, kind TEXT); INSERT INTO plants VALUES (1, 'moss'), (9, 'tree')")
    plain.close()
    with kinwood.connect(path, write=True) as connection:
        count = "SELECT count(*) FROM plants"
        connection.execute("BEGIN; DELETE FROM plants")
        assert connection.execute(count).fetchone() == (0,)
        connection.rollback()
        assert connection.execute(count).fetchone() == (2,)
        connection.execute("BEGIN; DELETE FROM plants WHERE height > 5")
        connection.commit()
        assert connection.execute(count).fetchone() == (1,)


def test_pandas_reads_from_it(plants):
    pandas = pytest.importorskip("pandas")
    connection = kinwood.connect(plants, cache=False)
    with pytest.warns(UserWarning):
        frame = pandas.read_sql("SELECT kind, count(*) AS n FROM plants GROUP BY kind ORDER BY kind", connection)
    assert frame["n"].tolist() == [12, 12]
