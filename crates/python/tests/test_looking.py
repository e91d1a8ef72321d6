"""Looking at models: pages, drawings, reports, explanations, SQL, JSON, files and copies."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
import sqlite3
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.base import clone, is_regressor

import kinwood
from kinwood._estimators import NAMESAKES
from kinwood._estimators import __all__ as NAMES

ROWS = 60


def rows():
    random = np.random.default_rng(2)
    return {
        "size": [round(float(value), 3) for value in random.normal(size=ROWS)],
        "colour": [("red", "blue", 'it\'s "green"')[int(value)] for value in random.integers(3, size=ROWS)],
        "count": [None if row % 11 == 0 else float(row % 5) for row in range(ROWS)],
    }


def table():
    return kinwood.Table(rows())


def classes():
    held = rows()
    return [("high" if size > 0.3 else "low") if colour != "red" else "none" for size, colour in zip(held["size"], held["colour"])]


def masses():
    held = rows()
    return [3 * size + (count or 0.0) for size, count in zip(held["size"], held["count"])]


TREES = {
    "PCTClassifier": classes,
    "PCTRegressor": masses,
    "BeamSearch": classes,
    "DBDTClassifier": classes,
    "DBDTRegressor": masses,
    "ForestClassifier": classes,
    "M5Regressor": masses,
    "MIRTClassifier": classes,
    "MIRTRegressor": masses,
}


def fitted(name):
    return getattr(kinwood, name)().fit(table(), TREES[name]())


class Checked(HTMLParser):
    """Pages whose tags are closed in their order, and what they load from elsewhere."""

    VOID = {
        "meta",
        "br",
        "hr",
        "img",
        "input",
        "link",
        "col",
        "path",
        "rect",
        "line",
        "circle",
        "use",
        "polyline",
        "polygon",
        "ellipse",
        "stop",
    }

    def __init__(self):
        super().__init__()
        self.open, self.outside, self.scripts = [], [], 0

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href") and value and re.match(r"https?:|//", value) and tag != "a":
                self.outside.append(value)
        self.scripts += tag == "script"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in ("p", "li", "tr", "td", "th", "thead", "tbody", "option", "dt", "dd"):
            self.open.pop()
        assert self.open, f"</{tag}> without a beginning"
        assert self.open.pop() == tag


def checked(page):
    reader = Checked()
    reader.feed(page)
    reader.close()
    assert [tag for tag in reader.open if tag not in ("html", "body", "p", "li", "td", "tr")] == []
    assert reader.outside == [], "a page stands alone"
    return page


# ----- in notebooks -----


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_shows_itself_in_a_notebook(name):
    estimator = getattr(kinwood, name)()
    assert name in estimator._repr_html_()
    assert estimator._repr_mimebundle_()["text/plain"] == repr(estimator)
    assert set(estimator._repr_mimebundle_(include=None, exclude=None)) == {"text/plain", "text/html"}


@pytest.mark.parametrize("name", TREES)
def test_trees_are_shown_as_a_page_inside(name):
    shown = fitted(name)._repr_html_()
    assert "<details><summary>tree</summary><iframe srcdoc=" in shown, "on demand"
    assert "sandbox" in shown
    assert shown.count("<iframe") == 1
    frame = shown[shown.index("<iframe") :]
    assert "<script" not in frame, "the page is quoted"


def test_a_notebook_keeps_little_of_a_large_model():
    random = np.random.default_rng(0)
    X = random.normal(size=(1500, 8))
    y = (X[:, 0] * X[:, 1] + random.normal(size=1500) > 0).astype(int)
    for model in (kinwood.ForestClassifier(trees=60), kinwood.DecisionTreeClassifier()):
        assert len(model.fit(X, y)._repr_html_()) < 400_000


def test_models_without_trees_show_their_parameters():
    assert "KNeighborsClassifier" in kinwood.KNeighborsClassifier(k=1).fit(table(), classes())._repr_html_()


# ----- pages and drawings -----


@pytest.mark.parametrize("name", TREES)
def test_pages_and_drawings(name, tmp_path):
    model = fitted(name)
    page = model.html()
    checked(page.text)
    assert "page of" in repr(page)
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.text
    with_rows = checked(model.html(table()).text)
    assert len(with_rows) >= len(page.text)
    ElementTree.fromstring(model.to_svg())
    dot = model.to_dot()
    assert dot.lstrip().startswith(("digraph", "graph"))
    assert dot.count("{") == dot.count("}")


def test_hostile_labels_stay_labels():
    hostile = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"]; }', "\\", "--", "'; DROP TABLE x"]
    X = kinwood.Table({"<b>column</b>": [hostile[row % 6] for row in range(60)], "n": [float(row % 7) for row in range(60)]})
    model = kinwood.PCTClassifier(leaf=1).fit(X, [hostile[row % 6] for row in range(60)])
    for page in (model.html().text, model.html(X).text, model.report(X, [hostile[row % 6] for row in range(60)], folds=2).text):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        checked(page)
    ElementTree.fromstring(model.to_svg())


@pytest.mark.parametrize("name", TREES)
def test_plots(name):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    model = fitted(name)
    ax = model.plot()
    assert len(ax.texts) > 0
    figure, own = plt.subplots()
    assert model.plot(0, ax=own, depth=1, fontsize=6) is own
    assert len(own.texts) <= len(ax.texts)
    assert model.plot(depth=0) is not None
    figure.canvas.draw()
    plt.close("all")


def test_each_tree_of_a_forest_can_be_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    model = kinwood.ForestClassifier(trees=3).fit(table(), classes())
    for tree in range(3):
        model.plot(tree)
    with pytest.raises(IndexError, match="3"):
        model.plot(3)
    plt.close("all")
    assert matplotlib is not None


# ----- reports -----


@pytest.mark.parametrize(
    "name", ["PCTClassifier", "M5Regressor", "KNeighborsClassifier", "KernelSVC", "MIRTRegressor", "MajorityClassifier"]
)
def test_reports(name):
    estimator = getattr(kinwood, name)()
    y = masses() if name.endswith("Regressor") else classes()
    model = estimator.fit(table(), y)
    alone = checked(model.report().text)
    shown = checked(model.report(table()).text)
    judged = checked(model.report(table(), y, folds=3, rows=[0, 5]).text)
    assert len(alone) < len(shown) < len(judged)
    assert checked(model.report(table(), y, folds=0).text)
    assert "iframe" in model.report()._repr_html_()


def test_a_report_judges_as_cross_validation_does(shop):
    model = kinwood.KNeighborsClassifier(k=1).fit(shop)
    page = model.report(shop, folds=3).text
    checked(page)
    assert model.report(shop, folds=3).text == page, "the same page again"


def test_reports_of_classes_that_are_numbers():
    X = [[float(row), float(row % 4)] for row in range(24)]
    y = [row // 12 for row in range(24)]
    checked(kinwood.PCTClassifier().fit(X, y).report(X, y, folds=2).text)


def test_reports_refuse_rows_that_are_not_there():
    model = kinwood.PCTClassifier().fit(table(), classes())
    with pytest.raises((ValueError, IndexError)):
        model.report(table(), classes(), folds=2, rows=[ROWS])


# ----- explanations -----


def test_a_tree_is_explained_by_its_tests():
    pandas = pytest.importorskip("pandas")
    model = kinwood.PCTClassifier().fit(table(), classes())
    told = model.explain(table(), 3)
    assert isinstance(told, pandas.DataFrame)
    assert (told["kind"] == "test").all()
    assert len(told) >= 1
    assert model.predict(table())[3] in told.attrs["text"]


def test_neighbours_explain():
    model = kinwood.KNeighborsClassifier(k=3).fit(table(), classes())
    told = model.explain(table()[[4]], 0, most=2)
    near = told[told["kind"] == "row"]
    assert len(near) == 2
    assert near["row"].iloc[0] == 4, "nobody is nearer than itself"
    assert near["answer"].iloc[0] == classes()[4]


@pytest.mark.parametrize("name", NAMES)
def test_every_model_explains_or_says_that_it_does_not(name):
    estimator = getattr(kinwood, name)()
    X = (
        [[{"a"}, {"b"}, {"a", "b"}][row % 3] for row in range(24)]
        if name == "MISVC"
        else [[float(row), float(row % 5)] for row in range(24)]
    )
    y = [float(row) for row in range(24)] if is_regressor(estimator) else ["ab"[row % 3 == 0] for row in range(24)]
    model = estimator.fit(X, y)
    try:
        told = model.explain(X, 2)
    except NotImplementedError as error:
        assert len(str(error)) > 10
        return
    # A tree that is one leaf has no tests to tell.
    assert told.empty or set(told["kind"]) <= {"test", "row", "other rows", "term", "node"}
    assert told.attrs["text"].strip()


def test_explanations_without_pandas(monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    model = kinwood.PCTClassifier().fit([[1.0], [2.0], [8.0], [9.0]] * 6, ["a", "a", "b", "b"] * 6)
    monkeypatch.setattr(builtins, "__import__", without)
    told = model.explain([[1.5]])
    assert isinstance(told, list)
    assert told[0]["kind"] == "test"


# ----- SQL -----


def in_sqlite(columns):
    connection = sqlite3.connect(":memory:")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    connection.execute(f"CREATE TABLE things ({names})")
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO things VALUES ({marks})", zip(*columns.values()))
    return connection


@pytest.mark.parametrize(
    "name",
    [
        "PCTClassifier",
        "PCTRegressor",
        "DBDTClassifier",
        "DBDTRegressor",
        "ForestClassifier",
        "ForestRegressor",
        "M5Regressor",
        "OneR",
        "MajorityClassifier",
        "MeanRegressor",
        "BeamSearch",
    ],
)
def test_sql_predicts_the_same(name):
    estimator = getattr(kinwood, name)()
    y = classes() if hasattr(estimator, "predict_proba") else masses()
    model = estimator.fit(table(), y)
    try:
        statement = model.to_sql("things")
    except NotImplementedError as error:
        pytest.skip(f"{name} writes no SQL: {error}")
    found = [row[0] for row in in_sqlite(rows()).execute(statement)]
    if hasattr(estimator, "predict_proba"):
        assert found == list(model.predict(table()))
        shares = [row for row in in_sqlite(rows()).execute(model.to_sql("things", asked="shares"))]
        numbers = np.array([[value for value in row if isinstance(value, (int, float))] for row in shares], dtype=float)
        proba = model.predict_proba(table())
        np.testing.assert_allclose(np.sort(numbers, axis=1), np.sort(proba, axis=1), atol=1e-9)
    else:
        np.testing.assert_allclose(found, model.predict(table()), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("distance", ["mean", "scaled(mean)", "scaled(euclidean, missing=skip)"])
def test_sql_finds_the_nearest_prototype(distance):
    model = kinwood.DBDTClassifier(prototypes="all", distance=distance).fit(table(), classes())
    found = [row[0] for row in in_sqlite(rows()).execute(model.to_sql("things"))]
    assert found == list(model.predict(table()))


def test_sql_names_a_distance_that_it_cannot_compute():
    sets = [[{"a"}, {"b"}, {"a", "c"}][row % 3] for row in range(24)]
    model = kinwood.DBDTClassifier().fit(kinwood.Table({"parts": sets}), ["yes", "no", "no"] * 8)
    with pytest.raises(NotImplementedError, match="`jaccard` compares values of type `set<nominal>`"):
        model.to_sql("things")


def test_sql_of_what_is_known():
    model = kinwood.PCTClassifier().fit(table(), classes())
    held = rows()
    held["size"][0] = None
    found = [row[0] for row in in_sqlite(held).execute(model.to_sql("things", asked="known"))]
    assert found[0] is None or len(found) == ROWS
    with pytest.raises(ValueError, match="answers"):
        model.to_sql("things", asked="all")


def test_sql_of_strange_names():
    columns = {'say "hi"': [1.0, 2.0, 8.0, 9.0] * 6, "select": ["it's", "it's", "so", "so"] * 6}
    model = kinwood.PCTClassifier().fit(kinwood.Table(columns), ["a'b", "a'b", 'c"d', 'c"d'] * 6)
    found = [row[0] for row in in_sqlite(columns).execute(model.to_sql("things"))]
    assert found == ["a'b", "a'b", 'c"d', 'c"d'] * 6


def test_sql_of_several_tables(shop, tmp_path):
    from conftest import SHOP

    model = kinwood.MIRTClassifier().fit(shop)
    try:
        statement = model.to_sql("told")
    except NotImplementedError as error:
        pytest.skip(f"no SQL: {error}")
    connection = sqlite3.connect(":memory:")
    for name, columns in SHOP.items():
        connection.execute(f'CREATE TABLE "{name}" ({", ".join(columns)})')
        connection.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(columns))})', zip(*columns.values()))
    connection.executescript(statement)
    answers = dict(zip(SHOP["customer"]["id"], model.predict(shop)))
    cursor = connection.execute("SELECT * FROM told")
    names = [of[0] for of in cursor.description]
    for row in cursor:
        told = dict(zip(names, row))
        if "id" in told:
            assert answers[told["id"]] in told.values()


# ----- JSON, files, copies -----


@pytest.mark.parametrize("name", NAMES)
def test_models_tell_themselves_as_json(name):
    estimator = getattr(kinwood, name)()
    X = (
        [[{"a"}, {"b"}, {"a", "b"}][row % 3] for row in range(24)]
        if name == "MISVC"
        else [[float(row), float(row % 5)] for row in range(24)]
    )
    y = [float(row) for row in range(24)] if is_regressor(estimator) else ["ab"[row % 3 == 0] for row in range(24)]
    model = estimator.fit(X, y)
    told = model.to_json()
    assert told
    assert json.loads(json.dumps(told)) == told
    assert model.show().strip()


def same(model, other, X):
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize("name", NAMES)
def test_files_pickles_and_copies(name, tmp_path):
    # A file knows learners: it is read as the class of one that has no namesake.
    kind = next(of for of in getattr(kinwood, name).__mro__ if of.__name__ not in NAMESAKES)
    estimator = getattr(kinwood, name)()
    X = (
        [[{"a"}, {"b"}, {"a", "b"}][row % 3] for row in range(24)]
        if name == "MISVC"
        else [[float(row), float(row % 5)] for row in range(24)]
    )
    y = [float(row) for row in range(24)] if is_regressor(estimator) else ["ab"[row % 3 == 0] for row in range(24)]
    model = estimator.fit(X, y)
    model.save(tmp_path / "model.kin")
    content = (tmp_path / "model.kin").read_bytes()
    assert content == model.model_.to_bytes()
    loaded = kinwood.load(str(tmp_path / "model.kin"))
    assert type(loaded) is kind
    loaded.save(tmp_path / "again.kin")
    assert (tmp_path / "again.kin").read_bytes() == content, "the same bytes, however often"
    again = pickle.loads(pickle.dumps(model))
    assert again.model_.to_bytes() == content
    assert pickle.dumps(again) == pickle.dumps(pickle.loads(pickle.dumps(again)))
    for other in (loaded, again, copy.deepcopy(model), copy.copy(model)):
        same(model, other, X)
        assert other.show() == model.show()
        assert other.n_features_in_ == model.n_features_in_
        assert name in NAMESAKES or other.get_params() == model.get_params()
    fresh = clone(loaded)
    assert not hasattr(fresh, "model_")
    same(model, fresh.fit(X, y), X)


def test_what_is_remembered_by_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows())
    model = kinwood.PCTClassifier(leaf=3, search="best_first").fit(frame, classes())
    model.save(tmp_path / "model.kin")
    loaded = kinwood.load(tmp_path / "model.kin")
    assert list(loaded.feature_names_in_) == list(frame.columns)
    assert list(loaded.classes_) == list(model.classes_)
    assert (loaded.leaf, loaded.search) == (3, "best_first")
    same(model, loaded, frame)
    with pytest.raises(ValueError):
        loaded.predict(frame[["size"]])
    words = kinwood.KNeighborsClassifier(k=1, distance="edit").fit(["a", "bb"] * 6, ["x", "y"] * 6)
    words.save(tmp_path / "words.kin")
    assert list(kinwood.load(tmp_path / "words.kin").predict(["a", "bbb"])) == ["x", "y"]


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1],
        [3, -2],
        [True, False],
        ["1", "2"],
        ["01", "1"],
        ["a", "b"],
        [0.0, 1.0],
        [2**53, 2**53 + 1],
        ["", "x"],
        ["ü", "日本"],
        [np.int8(1), np.int8(2)],
    ],
    ids=repr,
)
def test_classes_survive(labels, tmp_path):
    """Classes of any kind are the same after pickling; a file knows their texts."""
    X = [[1.0], [9.0]] * 8
    y = np.array(labels * 8)
    model = kinwood.KNeighborsClassifier(k=1).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.classes_.dtype == np.unique(y).dtype
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), y)
    assert again.classes_.dtype == model.classes_.dtype
    model.save(tmp_path / "model.kin")
    loaded = kinwood.load(tmp_path / "model.kin")
    assert len(set(loaded.predict(X))) == 2
    if isinstance(labels[0], int) and not isinstance(labels[0], bool):
        np.testing.assert_array_equal(loaded.predict(X), y)


def test_sets_of_labels_survive(tmp_path):
    X = [[float(row % 6)] for row in range(48)]
    y = [{"low"} if row % 6 < 3 else {"high", "up"} for row in range(48)]
    model = kinwood.PCTClassifier().fit(X, y)
    model.save(tmp_path / "model.kin")
    for other in (pickle.loads(pickle.dumps(model)), kinwood.load(tmp_path / "model.kin")):
        assert list(other.predict(X)) == list(model.predict(X))
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
        assert list(other.classes_) == ["high", "low", "up"]


def test_members(tmp_path):
    beam = kinwood.BeamSearch(width=3, constraints="size <= 5").fit(table(), classes())
    members = beam.members_
    assert len(members) >= 2
    assert len({member.show() for member in members}) == len(members)
    for member in members:
        assert member.predict(table()).shape == (ROWS,)
        assert len(member.members_) == 1
        same(member, pickle.loads(pickle.dumps(member)), table())
        same(member, copy.deepcopy(member), table())
    assert kinwood.PCTClassifier().fit(table(), classes()).members_[0].show()


def test_a_member_is_pickled_alone_and_saved_with_its_set(tmp_path):
    forest = kinwood.ForestClassifier(trees=4).fit(table(), classes())
    for chosen in (forest, kinwood.BeamSearch(width=3, constraints="size <= 5").fit(table(), classes())):
        member = chosen.members_[1]
        same(member, pickle.loads(pickle.dumps(member)), table())
        with pytest.raises(ValueError, match="members_.1."):
            member.save(tmp_path / "member.kin")
        assert not (tmp_path / "member.kin").exists()
        chosen.save(tmp_path / "set.kin")
        same(member, kinwood.load(tmp_path / "set.kin").members_[1], table())
        (tmp_path / "set.kin").unlink()


@pytest.mark.parametrize("name", ["BeamSearch", "ForestClassifier"])
def test_members_are_listed_and_picked(name, tmp_path):
    settings = {"width": 3, "constraints": "size <= 5"} if name == "BeamSearch" else {"trees": 3}
    chosen = getattr(kinwood, name)(**settings).fit(table(), classes())
    alone = chosen.members_table()
    assert list(alone["member"]) == [1, 2, 3]
    assert ("score" in alone.columns) == (name == "BeamSearch")
    assert "similarity" not in alone.columns and all(isinstance(columns, list) for columns in alone["columns"])
    lines = chosen.members_table(table(), classes(), folds=2)
    for (_, line), member in zip(lines.iterrows(), chosen.members_):
        assert line["accuracy"] == pytest.approx(member.score(table(), classes()))
        tree = member.to_json()["trees"][0]
        assert (line["size"], line["leaves"], line["depth"]) == (tree["size"], tree["leaves"], tree["depth"])
    assert lines["similarity"][0] == 1.0
    assert lines["accuracy by rank"].between(0, 1).all() and "accuracy by rank sd" in lines.columns
    assert list(chosen.members_table(table(), classes(), measure="brier").filter(like="brier").columns) == ["brier"]
    # Without what is true, models are compared with each other only.
    blind = chosen.members_table(table())
    assert blind["accuracy"].isna().all() and blind["similarity"].notna().all()
    second = chosen.pick(2)
    same(second, chosen.members_[1], table())
    second.save(tmp_path / "second.kin")
    again = kinwood.load(tmp_path / "second.kin")
    same(second, again, table())
    assert len(again.members_) == 1 and list(again.members_table()["member"]) == [2]
    same(second, pickle.loads(pickle.dumps(second)), table())
    with pytest.raises(ValueError, match="no member 4"):
        chosen.pick(4)
    with pytest.raises(ValueError, match="give `X` and `y`"):
        chosen.members_table(table(), folds=2)
    with pytest.raises(ValueError, match="did you mean `accuracy`"):
        chosen.members_table(table(), classes(), measure="acuracy")


def test_notices_are_told_and_logged(caplog):
    import logging

    with caplog.at_level(logging.INFO, logger="kinwood"):
        model = kinwood.PCTClassifier().fit(table(), classes())
        model.predict(kinwood.Table({**rows(), "colour": ["violet"] * ROWS}))
    assert isinstance(model.notices_, list)
    assert all(isinstance(notice, str) for notice in model.notices_)
    assert any("violet" in record.message or "colour" in record.message for record in caplog.records)


def test_numbers_are_told_in_full():
    model = kinwood.MeanRegressor().fit([[0.0]] * 3, [0.1, 0.2, 0.4])
    assert math.isclose(model.predict([[0.0]])[0], 0.7 / 3)
