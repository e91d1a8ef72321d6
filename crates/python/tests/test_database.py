"""Databases: where they come from, how they are sliced, and that what is sliced away is not reached."""

from __future__ import annotations

import json
import os
import pickle
import sqlite3

import numpy as np
import pytest
from conftest import SHOP
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict, cross_val_score

import kinwood
from kinwood import Database

KEYS = {"order.customer_id": "customer.id"}


def of_shop(**more):
    return Database(SHOP, table="customer", keys=KEYS, primary={"customer": "id"}, **more)


def write_sqlite(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customer (id TEXT PRIMARY KEY, region TEXT, age REAL, stays TEXT)")
        connection.execute('CREATE TABLE "order" (customer_id TEXT REFERENCES customer(id), amount REAL, how TEXT)')
        connection.execute("CREATE VIEW old AS SELECT id FROM customer WHERE age > 30")
        connection.executemany("INSERT INTO customer VALUES (?, ?, ?, ?)", zip(*SHOP["customer"].values()))
        connection.executemany('INSERT INTO "order" VALUES (?, ?, ?)', zip(*SHOP["order"].values()))
    connection.close()
    return path


def write_folder(folder):
    folder.mkdir()
    for name, columns in SHOP.items():
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write_json(path):
    tables = {name: [dict(zip(columns, row)) for row in zip(*columns.values())] for name, columns in SHOP.items()}
    path.write_text(json.dumps(tables), encoding="utf-8")
    return path


def facts():
    lines = [f"{name}({', '.join(map(str, row))})." for name, columns in SHOP.items() for row in zip(*columns.values())]
    return "\n".join(lines)


# ----- sources -----


def test_a_mapping_of_columns(shop):
    assert len(shop) == 12
    assert shop.tables == {"customer": 12, "order": 24}
    assert shop.keys == KEYS
    assert shop.target == "stays"
    assert list(shop.y) == SHOP["customer"]["stays"]
    assert shop.inputs == ["region", "age"]
    assert shop.columns_of("order")["amount"] == "numeric"
    assert "24 rows" in repr(shop)
    assert "order" in shop.describe()
    with pytest.raises((KeyError, ValueError), match="nowhere"):
        shop.columns_of("nowhere")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_of_every_library_are_the_same_database(library, shop):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    other = Database(
        {name: make(columns) for name, columns in SHOP.items()}, table="customer", target="stays", keys=KEYS, primary={"customer": "id"}
    )
    assert other.columns == shop.columns
    model = kinwood.KNeighborsClassifier(k=3).fit(shop)
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(shop))


def test_keys_are_looked_for_where_none_are_stated():
    found = Database(SHOP, table="customer", target="stays")
    assert found.keys == KEYS
    assert any("key" in notice for notice in found.notices)


def test_sources_agree(tmp_path, shop):
    expected = kinwood.PCTClassifier().fit(shop).predict_proba(shop)
    sources = [write_sqlite(tmp_path / "shop.sqlite"), write_folder(tmp_path / "shop"), write_json(tmp_path / "shop.json")]
    for source in sources:
        for target in ("customer.stays", ["customer.stays"]):
            opened = Database(source, target=target)
            assert (len(opened), opened.target, list(opened.y)) == (12, "stays", SHOP["customer"]["stays"]), source
            assert opened.keys == KEYS, source
        np.testing.assert_array_equal(kinwood.PCTClassifier().fit(opened).predict_proba(opened), expected)


def test_paths_may_be_texts(tmp_path):
    path = write_sqlite(tmp_path / "shop.sqlite")
    assert len(Database(str(path), table="customer")) == 12
    assert len(Database(os.fspath(path), table="order")) == 24


def test_views_and_tables_of_sqlite(tmp_path):
    path = write_sqlite(tmp_path / "shop.sqlite")
    assert set(Database(path, table="customer").tables) == {"customer", "order", "old"}
    assert set(Database(path, table="customer", views=False).tables) == {"customer", "order"}
    assert set(Database(path, table="customer", tables=["customer"]).tables) == {"customer"}


def test_facts_of_prolog():
    held = Database.facts(facts(), table="customer")
    assert held.tables == {"customer": 12, "order": 24}
    target = f"customer.{list(held.columns)[3]}"
    model = kinwood.MIRTClassifier().fit(Database.facts(facts(), target=target))
    assert set(model.classes_) == {"yes", "no"}
    with pytest.raises(ValueError):
        Database.facts("parent(ann, ", table="parent")


def test_a_server_that_is_not_there_is_an_error():
    with pytest.raises((OSError, ValueError), match=r"(?i)connect|refused|server"):
        Database("postgresql://nobody@127.0.0.1:1/nothing", table="a")


def test_a_schema_says_all(tmp_path):
    folder = write_folder(tmp_path / "shop")
    (folder / "schema.toml").write_text('target = "customer.stays"\n', encoding="utf-8")
    try:
        opened = Database(folder)
    except ValueError as error:
        pytest.skip(f"another form of schema: {error}")
    assert opened.target == "stays"
    assert len(opened) == 12


def test_roles():
    ignoring = of_shop(target="stays", roles={"customer.age": "ignore"})
    assert ignoring.inputs == ["region"]
    assert ignoring.roles["age"] == "ignore"
    assert kinwood.KNeighborsClassifier(k=1).fit(ignoring).n_features_in_ == 1
    with pytest.raises(ValueError, match="role"):
        of_shop(roles={"customer.age": "nonsense"})
    with pytest.raises(ValueError, match="ages"):
        of_shop(roles={"customer.ages": "ignore"})


def test_types():
    held = of_shop(types={"age": "nominal", "order.how": "string"})
    assert held.columns["age"] == "nominal"
    assert held.columns_of("order")["how"] == "string"


def test_several_targets():
    held = of_shop(target=["stays", "region"])
    assert held.target == ["stays", "region"]
    assert held.y.shape == (12, 2)
    model = kinwood.PCTClassifier().fit(held)
    assert model.predict(held).shape == (12, 2)
    assert [name for name, _, role in model.model_.columns if role == "input"] == ["age"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "table="),
        ({"table": "nobody"}, "nobody"),
        ({"table": "customer", "target": "nothing"}, "nothing"),
        ({"table": "customer", "keys": {"order.customer": "customer.id"}}, "customer"),
        ({"table": "customer", "keys": {"order.customer_id": "client.id"}}, "client"),
        ({"table": "customer", "keys": {"customer_id": "customer.id"}}, "table.column"),
        ({"table": "customer", "primary": {"client": "id"}}, "client"),
        ({"table": "customer", "types": {"client.a": "numeric"}}, "client"),
        ({"table": "customer", "primary": {"customer": "region"}}, "region"),
    ],
)
def test_mistakes_are_named(options, words):
    with pytest.raises((ValueError, KeyError), match=words):
        Database(SHOP, **options)


def test_files_take_no_keys(tmp_path):
    with pytest.raises(ValueError, match="schema"):
        Database(write_sqlite(tmp_path / "shop.sqlite"), table="customer", keys=KEYS)


def test_no_tables():
    with pytest.raises(ValueError, match="table"):
        Database({})


# ----- slices -----


def test_slices_of_rows(shop):
    assert len(shop[[0, 3]]) == 2
    assert list(shop[[3, 0]]["age"]) == [29.0, 20.0]
    assert list(shop[np.arange(12) % 2 == 0].y) == SHOP["customer"]["stays"][::2]
    assert len(shop[2:5]) == 3
    assert len(shop[-2:][[1]]) == 1
    assert len(shop[[1, 1, 1]]) == 3
    assert shop[[0]].target == "stays"
    for wrong in ([12], [-13], [0.5], ["a"], [True]):
        with pytest.raises(IndexError):
            shop[wrong]


def test_rows_taken_twice_may_have_two_answers(shop):
    """Slices with repeated rows count each of them, with its own answer; where that cannot be, it is said."""
    twice = kinwood.Table({"x": [1.0, 2.0]})[[0, 0, 0, 1]]
    assert kinwood.MeanRegressor().fit(twice, [1.0, 2.0, 3.0, 10.0]).predict(twice)[0] == 4.0
    assert kinwood.MajorityClassifier().fit(twice, ["a", "b", "b", "a"]).predict_proba(twice)[0].tolist() == [0.5, 0.5]
    try:
        found = kinwood.MeanRegressor().fit(shop[[0, 0, 1, 1]], [1.0, 2.0, 3.0, 4.0]).predict(shop[[0]])
    except ValueError:
        return
    assert found[0] == 2.5


def test_rows_taken_twice_count_twice(shop):
    rows = [0, 0, 0, 2]
    assert kinwood.MajorityClassifier().fit(shop[rows], shop.y[rows]).predict_proba(shop[[0]]).tolist() == [[0.25, 0.75]]
    table = kinwood.Table(SHOP["customer"], target="stays", roles={"id": "ignore"})
    assert np.isfinite([kinwood.PCTClassifier().fit(table[[0, 0, 1, 2, 2]]).score(table, table.y)]).all()


def test_a_slice_can_be_pickled(shop):
    part = pickle.loads(pickle.dumps(shop[[3, 5, 1]]))
    assert list(part["age"]) == [29.0, 35.0, 23.0]
    assert part.target == "stays"
    model = kinwood.KNeighborsClassifier(k=2).fit(shop)
    np.testing.assert_array_equal(model.predict_proba(part), model.predict_proba(shop)[[3, 5, 1]])


def test_a_slice_is_the_database_of_its_rows_alone(shop):
    """Linked rows of rows that are sliced away count for nothing: neither when fitting nor in what is scaled."""
    rows = [0, 2, 3, 5, 6, 7, 9]
    names = {SHOP["customer"]["id"][row] for row in rows}
    alone = Database(
        {
            "customer": {name: [column[row] for row in rows] for name, column in SHOP["customer"].items()},
            "order": {
                name: [value for value, owner in zip(column, SHOP["order"]["customer_id"]) if owner in names]
                for name, column in SHOP["order"].items()
            },
        },
        table="customer",
        target="stays",
        keys=KEYS,
        primary={"customer": "id"},
    )
    for kind in (
        kinwood.KNeighborsClassifier,
        kinwood.PCTClassifier,
        kinwood.MIRTClassifier,
        kinwood.DBDTClassifier,
        kinwood.KernelSVC,
        kinwood.MISVC,
    ):
        np.testing.assert_allclose(
            kind().fit(shop[rows]).predict_proba(shop), kind().fit(alone).predict_proba(shop), rtol=1e-9, err_msg=kind.__name__
        )


FRIENDS = {
    "person": {"name": [f"p{number}" for number in range(20)], "answer": ["yes" if number % 2 else "no" for number in range(20)]},
    # Everybody knows one other, whose answer is the same: whoever sees that answer is never wrong.
    "knows": {
        "who": [f"p{number}" for number in range(20)],
        "whom": [f"p{(number + 10) % 20}" for number in range(20)],
        "since": [float(number * 7 % 5) for number in range(20)],
    },
}


def friends():
    return Database(
        FRIENDS,
        table="person",
        target="answer",
        keys={"knows.who": "person.name", "knows.whom": "person.name"},
        primary={"person": "name"},
        roles={"person.name": "id"},
    )


@pytest.mark.parametrize(
    "name", ["KNeighborsClassifier", "PCTClassifier", "MIRTClassifier", "DBDTClassifier", "KernelSVC", "KStarClassifier"]
)
def test_answers_of_others_are_not_seen(name):
    """The target is hidden where keys lead back to its table, so that nobody's answer is read off a friend's."""
    held = friends()
    estimator = getattr(kinwood, name)
    settings = (
        {"depth": 2} if "depth" in estimator().get_params() and name in ("KNeighborsClassifier", "KernelSVC", "KStarClassifier") else {}
    )
    try:
        scores = cross_val_score(estimator(**settings), held, held.y, cv=KFold(2), error_score="raise")
    except ValueError as error:
        assert "input" in str(error), "there is nothing to learn from, and that may be said"
        return
    assert scores.mean() < 0.9, "it sees the answers of linked rows"


def test_left_out_rows_are_not_reached():
    """A fold's own rows reach rows of the other fold by two keys: their columns must not count in training."""
    people = {**FRIENDS["person"], "secret": [float(number >= 10) * (number % 2) * 100 for number in range(20)]}
    held = Database(
        {**FRIENDS, "person": people},
        table="person",
        target="answer",
        keys={"knows.who": "person.name", "knows.whom": "person.name"},
        primary={"person": "name"},
        roles={"person.name": "id"},
    )
    first = list(range(10))
    changed = {**people, "secret": people["secret"][:10] + [7.0] * 10}
    other = Database(
        {**FRIENDS, "person": changed},
        table="person",
        target="answer",
        keys={"knows.who": "person.name", "knows.whom": "person.name"},
        primary={"person": "name"},
        roles={"person.name": "id"},
    )
    kinds = (
        kinwood.KNeighborsClassifier(k=5, depth=2, weights="inverse"),
        kinwood.MIRTClassifier(),
        kinwood.PCTClassifier(),
        kinwood.DBDTClassifier(),
        kinwood.KStarClassifier(),
        kinwood.KernelSVC(depth=2),
    )
    for kind in kinds:
        model, again = clone(kind).fit(held[first]), clone(kind).fit(other[first])
        assert model.show() == again.show(), f"{kind} looks at rows that are left out"
        np.testing.assert_array_equal(model.predict_proba(held[first]), again.predict_proba(other[first]), err_msg=str(kind))
    # They are reached where they are not left out, else nothing was tested.
    whole = [clone(kinds[0]).fit(data).predict_proba(data[first]) for data in (held, other)]
    assert (whole[0] != whole[1]).any()


def test_cross_validation_over_a_database(shop):
    for kind in (kinwood.KNeighborsClassifier(k=1), kinwood.MIRTClassifier(), kinwood.OneR(flatten="p2"), kinwood.MISVC()):
        found = cross_val_predict(kind, shop, shop.y, cv=3)
        assert found.shape == (12,)
        assert set(found) <= {"yes", "no"}


def test_the_target_that_is_named_is_hidden_from_prediction(shop):
    """Predicting never needs the answers, and never looks at them."""
    model = kinwood.KNeighborsClassifier(k=3).fit(shop)
    turned = {**SHOP["customer"], "stays": ["yes" if answer == "no" else "no" for answer in SHOP["customer"]["stays"]]}
    without = {name: column for name, column in SHOP["customer"].items() if name != "stays"}
    for customer in (turned, without):
        other = Database({**SHOP, "customer": customer}, table="customer", keys=KEYS, primary={"customer": "id"})
        np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(shop))


def test_another_y_than_the_named_one(shop):
    """y given apart is learned in the place of the target that the database names."""
    regions = SHOP["customer"]["region"]
    model = kinwood.PCTClassifier(leaf=1).fit(of_shop(target="region"), regions)
    assert set(model.classes_) == {"north", "south"}
    assert [name for name, _, role in model.model_.columns if role == "input"] == ["age", "stays"]


def test_new_linked_rows_are_predicted(shop):
    model = kinwood.KNeighborsClassifier(k=1).fit(shop)
    new = Database(
        {
            "customer": {"id": ["n1", "n2"], "region": ["north", "south"], "age": [30.0, 30.0]},
            "order": {"customer_id": ["n1", "n2", "n2"], "amount": [5.0, 50.0, 51.0], "how": ["card", "cash", "card"]},
        },
        table="customer",
        keys=KEYS,
        primary={"customer": "id"},
    )
    assert model.predict(new).shape == (2,)


def test_a_missing_table_is_refused(shop):
    model = kinwood.MIRTClassifier().fit(shop)
    lonely = Database({"customer": SHOP["customer"]}, table="customer")
    with pytest.raises(ValueError, match="order"):
        model.predict(lonely)


def test_public_data(public_data):
    """Mutagenesis as facts or SQLite, where somebody has it."""
    found = [path for pattern in ("**/*utagenesis*.sqlite", "**/*muta*.pl", "**/*muta*.db") for path in public_data.glob(pattern)]
    if not found:
        pytest.skip("no mutagenesis in KINWOOD_DATA")
    try:
        opened = Database(found[0])
    except ValueError as error:
        assert "table" in str(error)
    else:
        assert opened.tables
