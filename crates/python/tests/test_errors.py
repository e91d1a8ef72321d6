"""What is raised: the right exception with the message of the command, but for what can be done, and never a panic."""

from __future__ import annotations

import json
import os
import re
import sys

import numpy as np
import pytest
from conftest import SHOP
from sklearn.base import is_regressor

import kinwood
from kinwood._estimators import __all__ as NAMES

X = [[1.0, 5.0], [2.0, 4.0], [8.0, 1.0], [9.0, 2.0]] * 3
Y = ["a", "a", "b", "b"] * 3


def plain(text):
    """A message of the command without what the command puts around it."""
    text = re.sub(r"\s+", " ", text.replace("error: ", "", 1)).strip()
    return text


def said(error):
    return re.sub(r"\s+", " ", str(error)).strip()


# ----- as the command says it -----


@pytest.fixture
def flat(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("size,kind\n" + "".join(f"{row / 4},{'ab'[row % 2]}\n" for row in range(20)), encoding="utf-8")
    return path


def test_settings(command, flat):
    table = kinwood.Table({"size": [row / 4 for row in range(20)], "kind": ["ab"[row % 2] for row in range(20)]}, target="kind")
    for learner, estimator, setting, value in [
        ("knn", kinwood.KNeighborsClassifier, "k", "0"),
        ("knn", kinwood.KNeighborsClassifier, "k", "many"),
        ("knn", kinwood.KNeighborsClassifier, "distance", "euclid"),
        ("tree", kinwood.PCTClassifier, "search", "sideways"),
        ("tree", kinwood.PCTClassifier, "leaf", "-1"),
        ("svm", kinwood.KernelSVC, "c", "0"),
        ("oner", kinwood.OneR, "bucket", "0"),
        ("forest", kinwood.ForestClassifier, "trees", "none"),
    ]:
        told = command("fit", learner, flat, "--target", "kind", "--set", f"{setting}={value}", "--quiet", fails=True)
        with pytest.raises(ValueError) as raised:
            estimator(**{setting: value}).fit(table)
        assert said(raised.value) in plain(told), (learner, setting)


def test_what_learners_cannot_take(command, tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps([{"steps": [float(row)], "mass": float(row)} for row in range(12)]), encoding="utf-8")
    told = command("fit", "m5", path, "--target", "mass", "--quiet", fails=True)
    with pytest.raises(ValueError) as raised:
        kinwood.M5Regressor().fit(kinwood.Table({"steps": [[float(row)] for row in range(12)]}), [float(row) for row in range(12)])
    # What can be done is said in the words of each.
    wrong, found, _ = said(raised.value).partition("; leave it out")
    assert found and wrong + found in plain(told)


def test_columns_that_are_not_there(command, flat, tmp_path):
    model = tmp_path / "model.kin"
    command("fit", "knn", flat, "--target", "kind", "-o", model, "--quiet")
    other = tmp_path / "other.csv"
    other.write_text("mass,kind\n1,a\n2,b\n", encoding="utf-8")
    told = command("predict", model, other, fails=True)
    with pytest.raises(ValueError) as raised:
        kinwood.load(model).predict(kinwood.Database(other))
    assert "size" in said(raised.value)
    assert said(raised.value) in plain(told)


def test_files(command, tmp_path):
    for name, content in [("missing.csv", None), ("broken.json", "[{"), ("broken.pl", "p(a, ."), ("broken.kin", "nonsense")]:
        path = tmp_path / name
        if content is not None:
            path.write_text(content, encoding="utf-8")
        if name.endswith(".kin"):
            told = command("show", path, fails=True)
            with pytest.raises((ValueError, OSError)) as raised:
                kinwood.load(path)
        else:
            told = command("describe", path, fails=True)
            with pytest.raises((ValueError, OSError)) as raised:
                kinwood.Database(path)
        assert said(raised.value) in plain(told), name
        assert isinstance(raised.value, FileNotFoundError) == (content is None), name


def test_distances(command):
    for expression, a, b, of in [
        ("edits", "a", "b", None),
        ("edit(", "a", "b", None),
        ("edit", 1, 2, None),
        ("hausdorff(edit)", "a", "b", "string"),
    ]:
        typed = ["--type", of] if of else []
        told = command("distance", expression, json.dumps(a), json.dumps(b), *typed, fails=True)
        with pytest.raises(ValueError) as raised:
            kinwood.distance(expression, a, b, type=of)
        first = said(raised.value).split(";")[0].split("; ")[0]
        assert first in plain(told), expression


# ----- the right exceptions -----


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.kin"):
        kinwood.load(tmp_path / "nothing.kin")
    with pytest.raises(FileNotFoundError, match="nothing.sqlite"):
        kinwood.Database(tmp_path / "nothing.sqlite")
    with pytest.raises(FileNotFoundError):
        kinwood.Database(tmp_path / "nothing" / "at" / "all")
    with pytest.raises(OSError):
        kinwood.OneR().fit(X, Y).save(tmp_path / "nowhere" / "model.kin")
    with pytest.raises(OSError):
        kinwood.load(tmp_path)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_files_that_may_not_be_read(tmp_path):
    path = tmp_path / "model.kin"
    kinwood.OneR().fit(X, Y).save(path)
    path.chmod(0)
    with pytest.raises(PermissionError):
        kinwood.load(path)


def test_files_are_checked_to_the_last_byte(tmp_path):
    path = tmp_path / "model.kin"
    kinwood.PCTClassifier().fit(X, Y).save(path)
    content = path.read_bytes()
    for damaged in (b"", content[:10], content[:-1], content[: len(content) // 2], content + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="model file|checksum|section|byte|damaged"):
            kinwood.load(path)
    random = np.random.default_rng(0)
    for place in random.integers(0, len(content), size=60):
        damaged = bytearray(content)
        damaged[place] ^= 0x41
        path.write_bytes(bytes(damaged))
        try:
            kinwood.load(path).predict(X)
        except (ValueError, OSError):
            pass


def test_a_failed_save_leaves_what_was(tmp_path):
    path = tmp_path / "model.kin"
    path.mkdir()
    with pytest.raises(OSError):
        kinwood.OneR().fit(X, Y).save(path)
    assert path.is_dir()
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.kin"]


def test_the_wrong_kind_of_model(tmp_path):
    path = tmp_path / "model.kin"
    kinwood.OneR().fit(X, Y).save(path)
    with pytest.raises(ValueError, match="OneR.*KNeighborsClassifier"):
        kinwood.KNeighborsClassifier.load(path)


def test_what_models_cannot_do():
    near = kinwood.KNeighborsClassifier(k=1).fit(X, Y)
    for call in (near.to_svg, near.to_dot, near.to_sql, near.plot, near.html):
        with pytest.raises(NotImplementedError) as raised:
            call()
        assert len(str(raised.value)) > 10
    tree = kinwood.PCTClassifier().fit([{"a"}, {"b"}] * 6, ["x", "y"] * 6)
    try:
        tree.to_sql()
    except NotImplementedError as error:
        assert len(str(error)) > 10


def test_missing_answers():
    for y in (np.array(["a", None] * 6, dtype=object), np.array([1.0, np.nan] * 6), [None] * 12):
        with pytest.raises(ValueError, match=r"(?i)nan|missing|none|label type"):
            kinwood.KNeighborsClassifier(k=1).fit(X, y)
    for y in ([1.0, np.nan] * 6, [1.0, np.inf] * 6, [1.0, None] * 6):
        with pytest.raises(ValueError):
            kinwood.KNeighborsRegressor(k=1).fit(X, y)
    with pytest.raises(ValueError, match="number"):
        kinwood.KNeighborsRegressor(k=1).fit(X, Y)


def test_answers_of_strange_kinds():
    for y in (["a", 1] * 6, [("a",), ("b",)] * 6, [b"a", b"b"] * 6, [1 + 2j, 3] * 6, "ab" * 6, 3, {"a": 1}):
        try:
            model = kinwood.KNeighborsClassifier(k=1).fit(X, y)
        except (ValueError, TypeError):
            continue
        assert model.predict(X).shape == (12,)


def test_rows_and_columns_that_are_wrong():
    model = kinwood.PCTClassifier().fit(X, Y)
    for rows in (
        [[1.0]],
        [[1.0, 2.0, 3.0]],
        [["a", "b"]],
        ["text"],
        [{1.0}],
        [[1.0, 2.0], [3.0]],
        [[None, "x"]],
        np.zeros((1, 2, 2)),
        3,
        None,
        "ab",
    ):
        with pytest.raises((ValueError, TypeError)) as raised:
            model.predict(rows)
        assert len(str(raised.value)) > 10, rows
    strings = kinwood.KNeighborsClassifier(k=1).fit(["a", "b"] * 6, Y)
    for rows in ([[1.0, 2.0]], [{1.0}], [kinwood.Tree("a")], np.zeros((1, 2)), kinwood.Table({"x": [1.0]}), 3):
        with pytest.raises((ValueError, TypeError)) as raised:
            strings.predict(rows)
        assert len(str(raised.value)) > 10, rows


def test_named_columns_are_named():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [1.0, 2.0] * 6, "colour": ["r", "b"] * 6})
    model = kinwood.PCTClassifier().fit(frame, Y)
    for wrong in (frame[["size"]], frame.rename(columns={"colour": "hue"}), frame.assign(more=1.0)):
        with pytest.raises(ValueError, match="colour|hue|more"):
            model.predict(wrong)
    try:
        model.predict(frame.assign(size="text"))
    except ValueError as error:
        assert "size" in str(error)


def test_indices_of_explanations_and_trees():
    model = kinwood.PCTClassifier().fit(X, Y)
    for row in (-1, 12, 1000):
        with pytest.raises(IndexError, match=str(row)):
            model.explain(X, row)
    for tree in (-1, 1):
        with pytest.raises(IndexError):
            model.plot(tree)


@pytest.mark.parametrize("name", NAMES)
def test_degenerate_data_never_panics(name):
    """One row, one class, constant columns, columns of nothing, huge and tiny numbers: an answer or a ValueError."""
    estimator = getattr(kinwood, name)
    numbers = is_regressor(estimator())
    texts = ["a", "b"] * 6
    cases = [
        ([[1.0]], 1),
        ([[1.0], [1.0]], 2),
        ([[1.0, 1.0]] * 12, 12),
        ([[np.nan]] * 12, 12),
        ([[1e308], [-1e308]] * 6, 12),
        ([[5e-324], [0.0]] * 6, 12),
        (np.zeros((12, 0)), 12),
        ([[float(row)] * 40 for row in range(12)], 12),
        ([""] * 12, 12),
        (["", "a" * 1000] * 6, 12),
        ([set()] * 12, 12),
        ([[], [1.0]] * 6, 12),
        ([kinwood.Bag([])] * 12, 12),
        ([kinwood.Tree("a")] * 12, 12),
        ([kinwood.Graph([])] * 12, 12),
        ([kinwood.Graph([], ["n"])] * 12, 12),
        ([np.zeros((0, 2)), np.zeros((1, 2))] * 6, 12),
        (kinwood.Table({"a": [None] * 12}), 12),
        (kinwood.Table({"a": ["x"] * 12, "b": [None] * 12}), 12),
        (kinwood.Table({"a": [{None}, {1.0}] * 6}), 12),
        (kinwood.Database({"t": {"a": [1.0, 2.0] * 6}}, table="t"), 12),
    ]
    for rows, count in cases:
        for y in ([float(row % 3) for row in range(count)], [0.0] * count) if numbers else (texts[:count], ["a"] * count):
            try:
                model = estimator().fit(rows, y)
                found = model.predict(rows)
                assert len(found) == count
            except ValueError as error:
                assert len(str(error)) > 5
                assert "panic" not in str(error)


def test_one_class_is_learned_or_refused():
    for name in NAMES:
        estimator = getattr(kinwood, name)()
        if not hasattr(estimator, "predict_proba"):
            continue
        try:
            model = estimator.fit(X, ["only"] * 12)
        except ValueError as error:
            assert len(str(error)) > 10
            continue
        assert set(model.predict(X)) == {"only"}
        np.testing.assert_array_equal(model.predict_proba(X), np.ones((12, 1)))


def test_a_database_whose_keys_lead_nowhere():
    orders = {**SHOP["order"], "customer_id": ["nobody"] * len(SHOP["order"]["customer_id"])}
    try:
        shop = kinwood.Database(
            {"customer": SHOP["customer"], "order": orders}, table="customer", target="stays", keys={"order.customer_id": "customer.id"}
        )
    except ValueError as error:
        assert "customer_id" in str(error)
        return
    for kind in (kinwood.KNeighborsClassifier, kinwood.MIRTClassifier, kinwood.PCTClassifier):
        try:
            assert kind().fit(shop).predict(shop).shape == (12,)
        except ValueError as error:
            assert len(str(error)) > 10


def test_no_exception_is_a_panic(python):
    """A mistake inside would be a RuntimeError that asks to report it; here is what was once suspected of one."""
    program = """
import kinwood, numpy as np
calls = [
    lambda: kinwood.pairwise("euclidean", np.zeros((0, 3))),
    lambda: kinwood.pairwise("euclidean", np.zeros((3, 0))),
    lambda: kinwood.pairwise("hausdorff(absolute)", [set(), set()]),
    lambda: kinwood.distance("edit", "\\ud800", "a"),
    lambda: kinwood.Graph([(1, 1)]),
    lambda: kinwood.Graph([(1, 2), (1, 2), (2, 1)]),
    lambda: kinwood.Tree(""),
    lambda: kinwood.Tree("a" * 100000),
    lambda: kinwood.Tree("a(" * 5000 + "b" + ")" * 5000),
    lambda: kinwood.Term("f(" * 100000),
    lambda: kinwood.Table({}),
    lambda: kinwood.Table([]),
    lambda: kinwood.Table([{}]),
    lambda: kinwood.Table({"": [1.0]}),
    lambda: kinwood.Table({"a": [1.0]}, types={"a": "list<" * 100 + "numeric" + ">" * 100}),
    lambda: kinwood.Database({"t": {}}, table="t"),
    lambda: kinwood.distance("hausdorff(" * 200 + "absolute" + ")" * 200, {1.0}, {2.0}),
    lambda: kinwood.distance("", 1.0, 2.0),
    lambda: kinwood.laws("edit", "numeric"),
    lambda: kinwood.place(np.zeros((0, 0))),
    lambda: kinwood.place(np.zeros((1, 1))),
    lambda: kinwood.medoids(np.zeros((0, 0)), 1),
    lambda: kinwood.KNeighborsClassifier(k=1).fit(np.zeros((2, 3000)), ["a", "b"]).predict(np.zeros((1, 3000))),
    lambda: kinwood.KNeighborsClassifier(k=10**30).fit([[1.0], [2.0]], ["a", "b"]),
    lambda: kinwood.ForestClassifier(random_state=2**64).fit([[1.0], [2.0]] * 6, ["a", "b"] * 6),
    lambda: kinwood._kinwood.Model.from_bytes(b""),
    lambda: kinwood._kinwood.Data.from_bytes(b"x" * 100),
    lambda: kinwood._kinwood.Column.labels(np.array([5]), ["a"]),
    lambda: kinwood._kinwood.Column.labels(np.array([2**40]), ["a"]),
]
for number, call in enumerate(calls):
    try:
        call()
    except (ValueError, TypeError, OverflowError, IndexError, MemoryError):
        pass
    except BaseException as error:
        print(number, type(error).__name__, error)
print("done")
"""
    done = python(program)
    assert done.stdout.strip() == "done", (done.stdout, done.stderr[-2000:])
    assert "panicked" not in done.stderr
