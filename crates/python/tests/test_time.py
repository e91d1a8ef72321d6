"""Rows see what was known by their cutoffs, in Python too."""

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import TimeSeriesSplit, cross_val_score

import kinwood


def frames(late=1.0):
    """Customers, their orders, and whether they came back in the month after each month's first day."""
    rng = np.random.default_rng(3)
    orders, asked = [], []
    for customer in range(12):
        mood = rng.integers(3)
        for month in range(1, 9):
            mood = int(np.clip(mood + rng.integers(-1, 2), 0, 3))
            asked.append((datetime.date(2024, month, 1), customer, "yes" if mood > 1 else "no"))
            for order in range(mood):
                orders.append((customer, datetime.date(2024, month, 3 + 7 * order), float(10 * mood + order)))
        orders.append((customer, datetime.date(2030, 1, 1), late))
    asked.sort()
    order = pd.DataFrame(orders, columns=["customer", "date", "amount"])
    visit = pd.DataFrame(asked, columns=["date", "customer", "back"])
    for frame in (order, visit):
        frame["date"] = pd.to_datetime(frame["date"])
    return {"customer": pd.DataFrame({"id": range(12), "size": np.arange(12) % 5}), "order": order, "visit": visit}


def shop(late=1.0, **options):
    keys = {"order.customer": "customer.id", "visit.customer": "customer.id"}
    given = {"time": {"order": "date"}, "as_of": "date", **options}
    return kinwood.Database(frames(late), target="visit.back", keys=keys, primary={"customer": "id"}, **given)


@pytest.mark.parametrize("make", [lambda: kinwood.KNeighborsClassifier(depth=2), lambda: kinwood.MIRTClassifier()])
def test_the_future_changes_nothing(make):
    here, there = shop(), shop(late=9e9)
    train, test = np.arange(60), np.arange(60, 96)
    said = [make().fit(data[train]).predict_proba(data[test]) for data in (here, there)]
    np.testing.assert_array_equal(*said)
    late = [data.seen(as_of="2031-01-01") for data in (here, there)]
    without = [make().fit(data[train]).predict_proba(data[test]) for data in late]
    assert not np.array_equal(*without)


def test_scikit_learn_divides_by_time():
    data = shop(horizon=30.0)
    model = kinwood.MIRTClassifier()
    scores = cross_val_score(model, data, data.y, cv=TimeSeriesSplit(3), scoring="accuracy")
    changed = shop(late=9e9, horizon=30.0)
    np.testing.assert_array_equal(scores, cross_val_score(model, changed, data.y, cv=TimeSeriesSplit(3), scoring="accuracy"))


def test_cutoffs_are_a_role_too_and_survive_pickling_and_files(tmp_path):
    data = shop()
    by_role = kinwood.Database(
        frames(), target="visit.back", keys={"order.customer": "customer.id", "visit.customer": "customer.id"},
        primary={"customer": "id"}, time={"order": "date"}, roles={"visit.date": "cutoff"},
    )
    model = kinwood.KNeighborsClassifier(depth=2).fit(data)
    expected = model.predict_proba(data)
    np.testing.assert_array_equal(kinwood.KNeighborsClassifier(depth=2).fit(by_role).predict_proba(by_role), expected)
    again = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(kinwood.KNeighborsClassifier(depth=2).fit(again).predict_proba(again), expected)
    model.save(tmp_path / "m.kin")
    # A model keeps by when its rows see.
    plain = kinwood.Database(
        frames(), target="visit.back", keys={"order.customer": "customer.id", "visit.customer": "customer.id"}, primary={"customer": "id"}
    )
    np.testing.assert_array_equal(kinwood.load(tmp_path / "m.kin").predict_proba(plain), expected)
    frozen = model.predict_proba(data.seen(freeze=datetime.date(2024, 3, 1)))
    assert not np.array_equal(frozen, expected)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="did you mean"):
        shop(as_of="visit.dat")
    with pytest.raises((ValueError, KeyError), match="unknown column"):
        shop(time={"order": "dat"})
    with pytest.raises(ValueError, match="one column, or two"):
        shop(time={"order": []})
    with pytest.raises(ValueError, match="gap of -1"):
        shop(gap=-1.0)
    with pytest.raises(ValueError, match="cannot be changed"):
        kinwood.KNeighborsClassifier(depth=2).fit(shop()).predict(shop(gap=2.0))


def test_a_task_makes_examples_whose_rows_see_what_was_known():
    held = frames()
    orders, customers = held["order"], held["customer"]
    keys = {"order.customer": "customer.id"}

    def made(late):
        orders = frames(late)["order"]
        plain = kinwood.Database({"customer": customers, "order": orders}, table="customer", keys=keys, primary={"customer": "id"})
        options = {"every": 28, "horizon": "4 weeks", "target": "none(order)", "name": "left", "end": "2024-09-01"}
        return plain, options, plain.task("customer", **options, validation=datetime.date(2024, 6, 1), test="2024-07-01", past=True)

    plain, options, task = made(1.0)
    # What a loop over customers and orders finds.
    assert task.target == "left" and set(task["split"]) == {"train", "val", "test"}
    assert task.roles["date"] == "cutoff" and task.roles["split"] == "fold"
    by = {customer: group["date"].to_numpy() for customer, group in orders.groupby("customer")}
    shown = task.to_pandas()
    for date, customer, left in zip(shown["date"].dt.tz_localize(None), shown["id"], shown["left"], strict=True):
        after = by.get(int(customer), np.array([], dtype="datetime64[ns]"))
        inside = (after > date.to_datetime64()) & (after <= (date + pd.Timedelta(days=28)).to_datetime64())
        assert left == str(int(not inside.any()))
    # Estimators take it as it is, and do not see the future.
    train, test = task["split"] == "train", task["split"] == "test"
    _, _, changed = made(9e9)
    for make in (lambda: kinwood.MIRTClassifier(), lambda: kinwood.KNeighborsClassifier(depth=2)):
        said = [make().fit(data[train]).predict_proba(data[test]) for data in (task, changed)]
        np.testing.assert_array_equal(*said)
    scores = cross_val_score(kinwood.MIRTClassifier(), task, task.y, cv=TimeSeriesSplit(3), scoring="neg_log_loss")
    assert np.isfinite(scores).all()
    # The same by the query in SQLite.
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.execute("create table customer (id integer, size integer)")
    connection.execute('create table "order" (customer integer, date text, amount real)')
    connection.executemany("insert into customer values (?, ?)", customers.to_numpy().tolist())
    connection.executemany('insert into "order" values (?, ?, ?)', [(int(c), str(d.date()), a) for c, d, a in orders.to_numpy().tolist()])
    rows = connection.execute(plain.task_sql("customer", **options)).fetchall()
    assert len(rows) == len(plain.task("customer", **options))
    with pytest.raises(ValueError, match="did you mean `customer`"):
        plain.task("custmer", every=28, horizon=28, target="none(order)")
    with pytest.raises(ValueError, match="there is one already"):
        plain.task("customer", every=28, horizon=28, target="none(order)", table="order")
