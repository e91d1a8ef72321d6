"""What can be done about an error or a notice is said in Python's words, and what is said helps."""

from __future__ import annotations

import re
import sqlite3

import pytest

import kinwood

FLAG = re.compile(r"(?<![\w+-])--[a-z]")


def refused(kind, call):
    """The message of an error, which speaks of no flag."""
    with pytest.raises(kind) as raised:
        call()
    message = str(raised.value)
    assert not FLAG.search(message), message
    return message


def told(notices, about):
    """The one notice about something; none of them speaks of a flag."""
    assert not any(FLAG.search(notice) for notice in notices), notices
    (found,) = (notice for notice in notices if about in notice)
    return found


def walks(**stated):
    return kinwood.Table({"steps": [[float(row)] for row in range(12)], "size": [row / 4 for row in range(12)]}, **stated)


def test_a_column_that_cannot_be_used_is_left_out():
    mass = [float(row) for row in range(12)]
    message = refused(ValueError, lambda: kinwood.M5Regressor().fit(walks(), mass))
    assert message.endswith('; leave it out with `roles={"steps": "ignore"}` of a `Table` or `Database`')
    assert len(kinwood.M5Regressor().fit(walks(roles={"steps": "ignore"}), mass).predict(walks())) == 12


def test_no_inputs_are_left():
    nothing = walks(roles={"steps": "ignore", "size": "ignore"})
    message = refused(ValueError, lambda: kinwood.OneR().fit(nothing, ["a", "b"] * 6))
    assert message.endswith('(`roles={"COLUMN": "input"}` changes that)')


@pytest.fixture
def animals(tmp_path):
    path = tmp_path / "animals.csv"
    lines = [f"animal {row},{'yes' if row % 2 else 'no'},{row / 4}" for row in range(20)]
    path.write_text("name,milk,size\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_role_that_was_guessed_is_changed(animals):
    guessed = kinwood.Database(animals, target="milk")
    assert told(guessed.notices, "`name`").endswith(' (`roles={"name": "input"}` changes that)')
    assert kinwood.Database(animals, target="milk", roles={"name": "input"}).roles["name"] == "input"


def test_what_looks_like_an_id_is_the_target_all_the_same(animals):
    message = refused(ValueError, lambda: kinwood.Database(animals, target="name"))
    assert message.endswith('; if it is none, say `roles={"name": "target"}`')
    assert kinwood.Database(animals, target="name", roles={"name": "target"}).target == "name"


def test_tables_and_views_of_a_database(tmp_path):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "create table customer (id integer primary key, stays text);"
            "create table visit (customer integer references customer (id), length real);"
            "insert into customer values (1, 'yes'), (2, 'no');"
            "insert into visit values (1, 3.5), (2, 4.5), (2, 1.5);"
            "create view doubled as select length * 2 as twice from visit;"
        )
    all_read = kinwood.Database(path, table="customer")
    assert told(all_read.notices, "`doubled`").endswith("; a schema can state keys, `views=False` leaves views out")
    assert "doubled" not in kinwood.Database(path, table="customer", views=False).tables
    alone = kinwood.Database(path, table="visit", tables=["visit"])
    assert told(alone.notices, "`customer`").endswith("is not read; it is left out (`tables=` can name the table)")


def test_bags_are_made():
    message = refused(ValueError, lambda: kinwood.MISVC().fit([[1.0], [2.0]] * 6, ["a", "b"] * 6))
    assert message.endswith('(`bag="COLUMN"` of a `Database` makes bags of the rows of a flat table)')


def test_one_of_many_trees_is_chosen():
    X, y = [[float(row), float(row % 3)] for row in range(30)], ["a", "b", "b"] * 10
    forest = kinwood.ForestClassifier(trees=21).fit(X, y)
    message = refused(NotImplementedError, forest.to_sql)
    assert message.endswith("only one can be written: choose it, as `members_[0]` does")
    assert forest.members_[0].to_sql().startswith("SELECT")
    shown = forest.show()
    assert not FLAG.search(shown)
    assert shown.endswith("\n\n`members_[0].show()` shows a tree\n")
    assert "`members_" not in forest.members_[0].show()
    assert "`members_" not in kinwood.ForestClassifier(trees=20).fit(X, y).show()


def test_wide_tables_are_described_in_part():
    wide = kinwood.Table({f"x{column}": [float(column), 0.0] for column in range(60)})
    assert "\n  (all columns: `.columns`)\n" in wide.describe()
    assert len(wide.columns) == 60
