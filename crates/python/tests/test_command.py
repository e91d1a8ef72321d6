"""The package and the command are one: the same data gives the same predictions, bit for bit, whoever fits and whoever predicts."""

from __future__ import annotations

import csv
import io
import json
import sqlite3

import numpy as np
import pytest
from conftest import ROOT, SHOP
from sklearn.base import is_classifier, is_regressor

import kinwood
from kinwood._estimators import LEARNERS

ROWS = 36
LIST = json.loads(kinwood._kinwood.learners())


def cases(*without):
    """Learners, with what they predict."""
    for learner in LIST:
        for target in ("nominal", "numeric"):
            if target in learner["targets"] and learner["name"] not in without:
                yield learner["name"], target


FLAT = list(cases("mi_svm"))

STATED = {"knn": {"k": 5}}
"""Settings that both sides are told, where the estimator has another default than the command, as scikit-learn's users expect it."""


def stated_of(learner, **more):
    """The settings that both sides are told, and the words that tell the command."""
    settings = {**STATED.get(learner, {}), **more}
    return settings, [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]


def flat_rows():
    """A table with ties, repeated numbers and missing cells, in which three classes are to be told apart."""
    random = np.random.default_rng(11)
    rows = []
    for row in range(ROWS):
        size = round(float(random.normal()), 3)
        kind = "big" if size > 0.4 else "small" if size < -0.4 else "middle"
        colour = ("red", "blue", "green")[int(random.integers(3))] if row % 5 else None
        rows.append({"size": size, "colour": colour, "count": float(random.integers(4)), "kind": kind, "mass": size * 3 + row / 7})
    return rows


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows([{name: "" if value is None else value for name, value in row.items()} for row in rows])
    return path


def table_of(rows, target):
    """The same rows as a Table: both other targets are kept from the learner by the caller."""
    names = [name for name in rows[0] if name not in ("kind", "mass")]
    return kinwood.Table({name: [row[name] for row in rows] for name in names}), [row[target] for row in rows]


def told(text):
    """The CSV of predictions: the answers, and for classes the shares by their labels."""
    lines = list(csv.reader(io.StringIO(text)))
    header, body = lines[0], lines[1:]
    answers = [line[header.index("prediction")] for line in body]
    shares = {name[2:-1]: [float(line[place]) for line in body] for place, name in enumerate(header) if name.startswith("p(")}
    return answers, shares


def same(model, X, text):
    """That the estimator says of rows exactly what the command printed."""
    answers, shares = told(text)
    if not is_classifier(model):
        np.testing.assert_array_equal(model.predict(X), [float(answer) for answer in answers])
        return
    assert [str(label) for label in model.predict(X)] == answers
    expected = np.column_stack([shares[str(label)] for label in model.classes_])
    np.testing.assert_array_equal(model.predict_proba(X), expected)


def estimator_of(learner, target):
    fits = is_classifier if target == "nominal" else is_regressor
    return next(kind for kind in LEARNERS[learner] if fits(kind()) and not kind._fixed)


def column_of(target):
    return ("kind", "mass") if target == "nominal" else ("mass", "kind")


@pytest.mark.parametrize(("learner", "target"), FLAT)
def test_flat_tables(command, tmp_path, learner, target):
    rows = flat_rows()
    name, other = column_of(target)
    X, y = table_of(rows, name)
    data = write_csv(tmp_path / "data.csv", [{column: value for column, value in row.items() if column != other} for row in rows])
    theirs = tmp_path / "command.kin"
    settings, stated = stated_of(learner)
    command("fit", learner, data, "--target", name, *stated, "-o", theirs, "--quiet")
    printed = command("predict", theirs, data)

    # The model of the command in Python, on the rows as Python has them and as the file has them.
    loaded = kinwood.load(theirs)
    assert type(loaded) is estimator_of(learner, target)
    same(loaded, X, printed)
    same(loaded, kinwood.Database(data), printed)

    # A model of Python's own, of rows and answers, and of a table that names what is to be predicted.
    same(estimator_of(learner, target)(**settings).fit(X, y), X, printed)
    named = kinwood.Table({column: [row[column] for row in rows] for column in rows[0] if column != other}, target=name)
    ours = estimator_of(learner, target)(**settings).fit(named)
    same(ours, named, printed)

    # And that by the command.
    file = tmp_path / "python.kin"
    ours.save(file)
    assert told(command("predict", file, data)) == told(printed)
    assert ours.show() == loaded.show()
    assert ours.to_json() == loaded.to_json()


@pytest.mark.parametrize(("learner", "target"), FLAT)
def test_frames_give_what_files_give(command, tmp_path, learner, target):
    pandas = pytest.importorskip("pandas")
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    name, other = column_of(target)
    settings, stated = stated_of(learner)
    command("fit", learner, data, "--target", name, "--ignore", other, *stated, "-o", tmp_path / "model.kin", "--quiet")
    printed = command("predict", tmp_path / "model.kin", data)
    frame = pandas.read_csv(data)
    X, y = frame.drop(columns=["kind", "mass"]), frame[name]
    same(estimator_of(learner, target)(**settings).fit(X, y), X, printed)


@pytest.mark.parametrize(("learner", "target"), FLAT)
def test_other_rows_with_unseen_labels(command, tmp_path, learner, target):
    rows = flat_rows()
    train = write_csv(tmp_path / "train.csv", rows)
    asked = [{**row, "colour": "violet" if place % 4 == 0 else row["colour"], "size": row["size"] * 2} for place, row in enumerate(rows)]
    test = write_csv(tmp_path / "test.csv", asked)
    name, other = column_of(target)
    settings, stated = stated_of(learner)
    command("fit", learner, train, "--target", name, "--ignore", other, *stated, "-o", tmp_path / "model.kin", "--quiet")
    printed = command("predict", tmp_path / "model.kin", test)
    X, y = table_of(rows, name)
    asked_table, _ = table_of(asked, name)
    same(estimator_of(learner, target)(**settings).fit(X, y), asked_table, printed)


# ----- structured values -----

STRUCTURED = list(cases("m5", "mi_svm"))

SCHEMA = """
[tables.things.columns]
tags = "set<nominal>"
shape = "tree"
"""


def nested_rows():
    return [
        {
            "tags": sorted({"abc"[row % 3], "xyz"[row * 5 % 7 % 3], "k"} if row % 4 else {"k"}),
            "steps": [float(step * row % 5) for step in range(1 + row % 4)],
            "shape": f"a({'b,c' if row % 3 else 'd'})",
            "word": ["kitten", "mitten", "sofa", "table"][row % 4] + "s" * (row % 2),
            "kind": "odd" if row % 2 else "even",
            "mass": row % 4 + row / 9,
        }
        for row in range(24)
    ]


@pytest.mark.parametrize(("learner", "target"), STRUCTURED)
def test_structured_values(command, tmp_path, learner, target):
    rows = nested_rows()
    data, schema = tmp_path / "things.json", tmp_path / "schema.toml"
    data.write_text(json.dumps(rows), encoding="utf-8")
    schema.write_text(SCHEMA, encoding="utf-8")
    name, other = column_of(target)
    described = ["--with-schema", schema]
    settings, stated = stated_of(learner)
    command("fit", learner, data, *described, "--target", name, "--ignore", other, *stated, "-o", tmp_path / "model.kin", "--quiet")
    printed = command("predict", tmp_path / "model.kin", data, *described)
    columns = {column: [row[column] for row in rows] for column in rows[0] if column not in ("kind", "mass")}
    columns["tags"] = [set(tags) for tags in columns["tags"]]
    X = kinwood.Table(columns, types={"shape": "tree"})
    read = kinwood.Database(data, schema=schema)
    assert {column: read.columns[column] for column in X.columns} == X.columns
    same(kinwood.load(tmp_path / "model.kin"), X, printed)
    ours = estimator_of(learner, target)(**settings).fit(X, [row[name] for row in rows])
    same(ours, X, printed)
    ours.save(tmp_path / "ours.kin")
    assert told(command("predict", tmp_path / "ours.kin", data, *described)) == told(printed)


def test_bags_of_a_flat_file(command, tmp_path):
    rows = [
        {"bag": f"b{row // 3}", "x": float(row * 7 % 11), "y": float(row % 4), "kind": "plus" if row // 3 % 2 else "minus"}
        for row in range(48)
    ]
    data = write_csv(tmp_path / "bags.csv", rows)
    for learner in ("mi_svm", "citation_knn", "svm", "knn"):
        model = tmp_path / f"{learner}.kin"
        settings, stated = stated_of(learner)
        command("fit", learner, data, "--bag", "bag", "--target", "kind", *stated, "-o", model, "--quiet")
        printed = command("predict", model, data, "--bag", "bag")
        bags = kinwood.Database(data, bag="bag", target="bags.kind")
        same(kinwood.load(model), bags, printed)
        same(LEARNERS[learner][0](**settings).fit(bags), bags, printed)


# ----- several tables -----


def write_sqlite(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customer (id TEXT PRIMARY KEY, region TEXT, age REAL, stays TEXT)")
        connection.execute('CREATE TABLE "order" (customer_id TEXT REFERENCES customer(id), amount REAL, how TEXT)')
        connection.executemany("INSERT INTO customer VALUES (?, ?, ?, ?)", zip(*SHOP["customer"].values()))
        connection.executemany('INSERT INTO "order" VALUES (?, ?, ?)', zip(*SHOP["order"].values()))
    connection.close()
    return path


@pytest.mark.parametrize("learner", [learner["name"] for learner in LIST])
def test_linked_tables(command, tmp_path, learner):
    targets = next(of["targets"] for of in LIST if of["name"] == learner)
    name = "stays" if "nominal" in targets else "age"
    settings, stated = stated_of(learner, **({"flatten": "p2"} if learner in ("oner", "m5") else {}))
    data = write_sqlite(tmp_path / "shop.sqlite")
    command("fit", learner, data, "--target", f"customer.{name}", *stated, "-o", tmp_path / "model.kin", "--quiet")
    printed = command("predict", tmp_path / "model.kin", data)
    opened = kinwood.Database(data, target=f"customer.{name}")
    same(kinwood.load(tmp_path / "model.kin"), opened, printed)
    estimator = estimator_of(learner, "nominal" if name == "stays" else "numeric")(**settings)
    ours = estimator.fit(opened)
    same(ours, opened, printed)
    ours.save(tmp_path / "ours.kin")
    assert told(command("predict", tmp_path / "ours.kin", data)) == told(printed)

    # The same tables as Python has them.
    held = kinwood.Database(SHOP, table="customer", target=name, keys={"order.customer_id": "customer.id"}, primary={"customer": "id"})
    same(estimator.fit(held), held, printed)
    same(estimator.fit(held, held.y), held, printed)


def test_facts(command, tmp_path):
    facts = "".join(
        f"molecule(m{row}, {row * 5 % 7}, {'yes' if row % 3 else 'no'}). "
        f"atom(m{row}, m{row}a, {'c' if row % 3 else 'n'}). atom(m{row}, m{row}b, o). "
        for row in range(18)
    )
    data = tmp_path / "molecules.pl"
    data.write_text(facts, encoding="utf-8")
    tables = kinwood.Database(data, table="molecule").columns
    target = list(tables)[2]
    command("fit", "mirt", data, "--target", f"molecule.{target}", "-o", tmp_path / "model.kin", "--quiet")
    printed = command("predict", tmp_path / "model.kin", data)
    held = kinwood.Database(data, target=f"molecule.{target}")
    same(kinwood.MIRTClassifier().fit(held), held, printed)
    same(kinwood.load(tmp_path / "model.kin"), kinwood.Database.facts(facts, target=f"molecule.{target}"), printed)


# ----- settings, seeds, members -----


def test_settings_mean_the_same(command, tmp_path):
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    X, y = table_of(rows, "kind")
    cases = [
        ("knn", {"k": "auto"}),
        ("knn", {"k": 3, "weights": "inverse"}),
        ("tree", {"leaf": 5, "search": "best_first"}),
        ("forest", {"trees": 7}),
        ("svm", {"c": 0.1}),
        ("kstar", {"blend": 0.35}),
    ]
    for number, (learner, settings) in enumerate(cases):
        stated = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        model = tmp_path / f"{number}.kin"
        command("fit", learner, data, "--target", "kind", "--ignore", "mass", *stated, "-o", model, "--quiet")
        printed = command("predict", model, data)
        same(LEARNERS[learner][0](**settings).fit(X, y), X, printed)
        loaded = kinwood.load(model)
        assert {name: loaded.get_params()[name] for name in settings} == settings


def test_seeds_mean_the_same(command, tmp_path):
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    X, y = table_of(rows, "mass")
    for seed in (1, 7):
        command("fit", "forest", data, "--target", "mass", "--ignore", "kind", "--seed", seed, "-o", tmp_path / f"{seed}.kin", "--quiet")
        same(kinwood.ForestRegressor(random_state=seed).fit(X, y), X, command("predict", tmp_path / f"{seed}.kin", data))


def test_a_beam_and_its_members(command, tmp_path):
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    X, y = table_of(rows, "kind")
    beam = kinwood.BeamSearch(width=3, constraints="size <= 5").fit(X, y)
    beam.save(tmp_path / "beam.kin")
    same(beam, X, command("predict", tmp_path / "beam.kin", data))
    for number, member in enumerate(beam.members_, 1):
        same(member, X, command("predict", tmp_path / "beam.kin", data, "--member", number))
        beam.pick(number).save(tmp_path / "one.kin")
        same(member, X, command("predict", tmp_path / "one.kin", data))
        command("pick", tmp_path / "beam.kin", number, "-o", tmp_path / "two.kin", "--force")
        same(kinwood.load(tmp_path / "two.kin"), X, command("predict", tmp_path / "one.kin", data))


def test_several_targets_and_sets_of_labels(command, tmp_path):
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    X = kinwood.Table({name: [row[name] for row in rows] for name in ("size", "colour")})
    command("fit", "tree", data, "--target", "mass", "--target", "count", "--ignore", "kind", "-o", tmp_path / "model.kin", "--quiet")
    lines = list(csv.DictReader(io.StringIO(command("predict", tmp_path / "model.kin", data))))
    loaded = kinwood.load(tmp_path / "model.kin")
    ours = kinwood.PCTRegressor().fit(X, [[row["mass"], row["count"]] for row in rows])
    columns = [name for name in lines[0] if "mass" in name or "count" in name][:2]
    expected = np.array([[float(line[name]) for name in columns] for line in lines])
    np.testing.assert_array_equal(loaded.predict(X), expected)
    np.testing.assert_array_equal(ours.predict(X), expected)


def test_a_class_and_a_number_together(command, tmp_path):
    """The command predicts both at once; who loads such a model gets both, each of its kind."""
    rows = flat_rows()
    data = write_csv(tmp_path / "data.csv", rows)
    for learner in ("tree", "knn"):
        model = tmp_path / f"{learner}.kin"
        command("fit", learner, data, "--target", "kind", "--target", "mass", "-o", model, "--quiet")
        lines = list(csv.DictReader(io.StringIO(command("predict", model, data))))
        X, _ = table_of(rows, "kind")
        found = kinwood.load(model).predict(X)
        assert [str(label) for label in found[:, 0]] == [line["prediction(kind)"] for line in lines]
        assert [float(number) for number in found[:, 1]] == [float(line["prediction(mass)"]) for line in lines]


def test_model_files_of_older_versions_are_read():
    folder = ROOT / "golden"
    files = sorted(folder.glob("*-v*.kin")) if folder.is_dir() else []
    if not files:
        pytest.skip("the recorded models are not beside the package")
    for file in files:
        learner = file.name.rpartition("-v")[0]
        if learner == "container":
            with pytest.raises(ValueError, match="not a model"):
                kinwood.load(file)
            continue
        model = kinwood.load(file)
        assert type(model) in LEARNERS[learner]
        assert model.show()
        assert model.model_.to_bytes() == kinwood._kinwood.Model.from_bytes(model.model_.to_bytes()).to_bytes()


def test_classes_that_are_numbers(command, tmp_path):
    """Whole numbers are classes to a classifier; the file says their labels, and they are numbers again when it is loaded."""
    X = [[float(row), float(row * 5 % 7)] for row in range(24)]
    y = [row // 8 * 5 for row in range(24)]
    model = kinwood.PCTClassifier().fit(X, y)
    model.save(tmp_path / "model.kin")
    data = write_csv(tmp_path / "data.csv", [{"x0": a, "x1": b} for a, b in X])
    answers, shares = told(command("predict", tmp_path / "model.kin", data))
    assert [int(answer) for answer in answers] == model.predict(X).tolist()
    loaded = kinwood.load(tmp_path / "model.kin")
    assert loaded.classes_.tolist() == [0, 5, 10]
    np.testing.assert_array_equal(loaded.predict_proba(X), np.column_stack([shares[str(label)] for label in (0, 5, 10)]))


# ----- distances -----


def test_distances_are_the_same(command):
    for expression, a, b, of in [
        ("edit", '"kitten"', '"sitting"', "string"),
        ("hausdorff(absolute)", "[1,2,3]", "[4,5,20]", "set<numeric>"),
        ("tree_edit", '"a(b,c)"', '"a(b,d(c))"', "tree"),
    ]:
        printed = json.loads(command("distance", expression, a, b, "--type", of, "--json"))
        value = kinwood.distance(expression, json.loads(a), json.loads(b), type=of)
        assert value in _numbers(printed), printed


def _numbers(told):
    if isinstance(told, dict):
        return [number for part in told.values() for number in _numbers(part)]
    if isinstance(told, list):
        return [number for part in told for number in _numbers(part)]
    return [told] if isinstance(told, (int, float)) else []


def test_the_catalogues_are_the_same(command):
    assert json.loads(command("learners", "--json"))["learners"] == LIST
    # Other tests and examples register distances of their own, and only Python is given matrices of them.
    matrices = ("precomputed", "precomputed_kernel")
    ours = [of for of in kinwood.catalogue() if of["reference"] != "registered by the user" and of["name"] not in matrices]
    assert json.loads(command("distances", "--json"))["measures"] == ours


def test_versions_are_the_same(command):
    assert kinwood.__version__ in command("--version")
