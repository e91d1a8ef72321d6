"""What users of scikit-learn type: names of parameters, classes and metrics, and what they ask of fitted estimators."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import SHOP
from sklearn import datasets, ensemble, neighbors, svm, tree
from sklearn.base import clone, is_classifier
from sklearn.metrics import pairwise as distances
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kinwood
from kinwood._estimators import NAMESAKES


@pytest.fixture(scope="module")
def iris():
    X, y = datasets.load_iris(return_X_y=True)
    return train_test_split(X, y, random_state=0)


@pytest.fixture(scope="module")
def line():
    random = np.random.default_rng(5)
    X = random.normal(size=(160, 4))
    return train_test_split(X, X[:, 0] * 2 + X[:, 1] ** 2 + random.normal(size=160) / 5, random_state=0)


# ----- names -----


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "minkowski", "chebyshev", "cosine", "canberra", "l1", "cityblock"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_neighbours_are_those_of_scikit_learn(iris, metric, weights):
    X, X_test, y, _ = iris
    given = {"n_neighbors": 7, "metric": metric, "weights": weights}
    ours, theirs = kinwood.KNeighborsClassifier(**given).fit(X, y), neighbors.KNeighborsClassifier(**given).fit(X, y)
    np.testing.assert_allclose(ours.kneighbors(X_test)[0], theirs.kneighbors(X_test)[0], atol=1e-9)
    assert np.mean(ours.predict(X_test) == theirs.predict(X_test)) > 0.95, "up to ties"


@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_power_of_minkowski(iris, p):
    X, X_test, y, _ = iris
    ours = kinwood.KNeighborsRegressor(4, metric="minkowski", p=p).fit(X, y)
    theirs = neighbors.KNeighborsRegressor(4, metric="minkowski", p=p).fit(X, y)
    np.testing.assert_allclose(ours.kneighbors(X_test)[0], theirs.kneighbors(X_test)[0], atol=1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid"])
def test_machines_are_those_of_scikit_learn(iris, kernel):
    X, X_test, y, _ = iris
    scaled = StandardScaler().fit(X)
    X, X_test = scaled.transform(X), scaled.transform(X_test)
    for two in (True, False):
        rows = y < 2 if two else y >= 0
        ours = kinwood.SVC(kernel=kernel, gamma="scale", coef0=1.0, tol=1e-6).fit(X[rows], y[rows])
        theirs = svm.SVC(kernel=kernel, gamma="scale", coef0=1.0, tol=1e-6).fit(X[rows], y[rows])
        assert np.mean(ours.predict(X_test) == theirs.predict(X_test)) > 0.94
        if kernel != "sigmoid":
            np.testing.assert_allclose(ours.decision_function(X_test), theirs.decision_function(X_test), atol=0.02)


def test_regression_machines_are_those_of_scikit_learn(line):
    X, X_test, y, _ = line
    for given in ({"C": 10.0, "epsilon": 0.05}, {"kernel": "linear"}, {"gamma": 0.3}, {"gamma": "auto"}):
        ours, theirs = kinwood.SVR(tol=1e-6, **given).fit(X, y), svm.SVR(tol=1e-6, **given).fit(X, y)
        np.testing.assert_allclose(ours.predict(X_test), theirs.predict(X_test), atol=0.02)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_ridge_by_kernels_is_that_of_scikit_learn(line, kernel):
    from sklearn.kernel_ridge import KernelRidge

    from kinwood.sklearn.kernel_ridge import KernelRidge as Ours

    X, X_test, y, _ = line
    y = y - y.mean()
    theirs = KernelRidge(alpha=1.0, kernel=kernel, gamma=0.2).fit(X, y)
    ours = Ours(alpha=1.0, kernel=kernel, gamma=0.2).fit(X, y)
    assert np.corrcoef(ours.predict(X_test), theirs.predict(X_test))[0, 1] > 0.98


def test_precomputed_matrices_and_functions_give_the_same(iris):
    X, X_test, y, _ = iris
    near = kinwood.KNeighborsClassifier(3, metric="manhattan").fit(X, y)
    matrix = kinwood.KNeighborsClassifier(3, metric="precomputed").fit(distances.manhattan_distances(X), y)
    called = kinwood.KNeighborsClassifier(3, metric=lambda a, b: np.abs(a - b).sum()).fit(X, y)
    expected = near.predict(X_test)
    np.testing.assert_array_equal(matrix.predict(distances.manhattan_distances(X_test, X)), expected)
    np.testing.assert_array_equal(called.predict(X_test), expected)
    np.testing.assert_array_equal(matrix.kneighbors(distances.manhattan_distances(X_test, X))[1], near.kneighbors(X_test)[1])
    gram = kinwood.SVC(kernel="precomputed", C=2.0).fit(X @ X.T, y)
    function = kinwood.SVC(kernel=lambda a, b: a @ b.T, C=2.0).fit(X, y)
    linear = kinwood.SVC(kernel="linear", C=2.0).fit(X, y)
    np.testing.assert_array_equal(gram.predict(X_test @ X.T), linear.predict(X_test))
    np.testing.assert_array_equal(function.predict(X_test), linear.predict(X_test))
    # Cross-validation takes rows and columns of a matrix of all.
    assert cross_val_score(clone(gram), X @ X.T, y, cv=3, error_score="raise").mean() > 0.9
    with pytest.raises(ValueError, match="square"):
        kinwood.KNeighborsClassifier(metric="precomputed").fit(np.zeros((3, 2)), ["a", "b", "a"])


def test_columns_of_numbers_count_by_their_deviations_and_indicators_as_labels():
    X = np.column_stack([np.arange(12.0) * 1000, np.arange(12) % 2, np.arange(12) == 3])
    y = ["a", "b"] * 6
    near = kinwood.KNeighborsClassifier(3).fit(X, y)
    deviation = X[:, 0].std()
    expected = np.sqrt(((X[:, None, 0] - X[None, :, 0]) / deviation) ** 2 + (X[:, None, 1:] != X[None, :, 1:]).sum(axis=2))
    np.testing.assert_allclose(near.kneighbors(X, 12)[0], np.sort(expected, axis=1), atol=1e-9)
    assert kinwood.KernelSVC().fit(X, y).score(X, y) >= 0.5


def test_a_function_of_values_is_a_metric():
    words = ["kitten", "sitting", "mitten", "table", "cable", "fable"]
    model = kinwood.KNeighborsClassifier(1, metric=lambda a, b: abs(len(a) - len(b))).fit(words, ["long"] * 3 + ["short"] * 3)
    assert list(model.predict(["abcdefg", "abcde"])) == ["long", "short"]
    assert list(kinwood.KNeighborsClassifier(1, metric="levenshtein").fit(words, list("cccwww")).predict(["bitten"])) == ["c"]
    sets = kinwood.KNeighborsClassifier(1, metric="jaccard").fit([{"a", "b"}, {"c"}], ["x", "y"])
    assert list(sets.predict([{"a"}, {"c", "d"}])) == ["x", "y"]
    assert kinwood.distance("levenshtein", "kitten", "sitting") == 3.0
    np.testing.assert_array_equal(kinwood.pairwise("manhattan", [[0, 0], [3, 4]]), [[0, 7], [7, 0]])


def test_two_names_of_one_parameter_are_an_error():
    X, y = [[1.0], [2.0], [3.0], [4.0]] * 3, list("aabb") * 3
    for wrong, named in (
        (kinwood.KNeighborsClassifier(n_neighbors=3, k=1), "n_neighbors=3 and k=1"),
        (kinwood.ForestClassifier(n_estimators=3, trees=4), "n_estimators=3 and trees=4"),
        (kinwood.PCTClassifier(max_depth=3, depth=4), "max_depth=3 and depth=4"),
        (kinwood.KernelSVC(C=3, c=4), "C=3 and c=4"),
    ):
        with pytest.raises(ValueError, match=named):
            wrong.fit(X, y)
    assert kinwood.KNeighborsClassifier(k=1).fit(X, y).to_json()["k"] == 1
    assert kinwood.KNeighborsClassifier(3).fit(X, y).to_json()["k"] == 3
    assert kinwood.KNeighborsClassifier().fit(X, y).to_json()["k"] == 5


@pytest.mark.parametrize(
    ("estimator", "named"),
    [
        (kinwood.KNeighborsClassifier(n_neighbors=0), "n_neighbors"),
        (kinwood.KNeighborsClassifier(weights=len), "weights"),
        (kinwood.DecisionTreeClassifier(min_samples_leaf=0), "min_samples_leaf"),
        (kinwood.DecisionTreeClassifier(max_depth=0.5), "max_depth"),
        (kinwood.DecisionTreeClassifier(criterion="poisson"), "criterion"),
        (kinwood.DecisionTreeClassifier(max_features="sqrt"), "max_features"),
        (kinwood.DecisionTreeClassifier(ccp_alpha=0.1), "ccp_alpha"),
        (kinwood.RandomForestClassifier(max_features=1.5), "max_features"),
        (kinwood.RandomForestClassifier(warm_start=True), "warm_start"),
        (kinwood.SVC(C=0), "C is"),
        (kinwood.SVC(gamma=-1.0), "gamma"),
        (kinwood.SVC(class_weight="even"), "class_weight"),
        (kinwood.DecisionTreeClassifier(class_weight={"z": 2}), "class_weight"),
    ],
)
def test_errors_name_parameters(estimator, named):
    with pytest.raises(ValueError, match=named) as raised:
        estimator.fit([[1.0, 2.0], [2.0, 1.0], [3.0, 2.0], [4.0, 1.0]] * 3, list("aabb") * 3)
    assert "--" not in str(raised.value)


def test_shares_are_of_the_rows_and_columns(iris):
    X, _, y, _ = iris
    model = kinwood.DecisionTreeClassifier(min_samples_leaf=0.2).fit(X, y)
    assert np.unique(model.apply(X), return_counts=True)[1].min() >= np.ceil(0.2 * len(X))
    forest = kinwood.RandomForestClassifier(5, max_features=0.5).fit(X, y)
    assert dict(forest.model_.settings)["inputs"] == "2"
    assert dict(kinwood.ExtraTreesClassifier(5).fit(X, y).model_.settings)["sample"] == "all"
    small = kinwood.DecisionTreeClassifier(max_leaf_nodes=3).fit(X, y)
    assert small.get_n_leaves() == 3
    light = kinwood.DecisionTreeClassifier(min_weight_fraction_leaf=0.25).fit(X, y)
    assert np.unique(light.apply(X), return_counts=True)[1].min() >= 0.25 * len(X)


def test_weights_of_classes(line):
    X, _, y, _ = line
    labels = np.where(y > np.quantile(y, 0.9), "rare", "usual")
    for kind in (kinwood.DecisionTreeClassifier, kinwood.RandomForestClassifier):
        extra = {"max_depth": 2} if kind is kinwood.DecisionTreeClassifier else {"max_depth": 2, "n_estimators": 20}
        plain = kind(**extra, random_state=0).fit(X, labels)
        balanced = kind(**extra, class_weight="balanced", random_state=0).fit(X, labels)
        stated = kind(**extra, class_weight={"rare": 9.0}, random_state=0).fit(X, labels)
        for weighted in (balanced, stated):
            assert np.mean(weighted.predict(X) == "rare") > np.mean(plain.predict(X) == "rare")
    assert kinwood.SVC(class_weight="balanced").fit(X, labels).score(X, labels) > 0.5


def test_monotone_columns(line):
    X, _, y, _ = line
    model = kinwood.DecisionTreeRegressor(max_depth=4, monotonic_cst=[1, 0, 0, 0]).fit(X, y)
    grid = np.zeros((50, 4))
    grid[:, 0] = np.linspace(-2, 2, 50)
    assert (np.diff(model.predict(grid)) >= -1e-9).all()


@pytest.mark.parametrize("name", NAMESAKES)
def test_namesakes_have_the_parameters_of_scikit_learn(name):
    theirs = next(getattr(module, name) for module in (tree, ensemble, svm) if hasattr(module, name))()
    ours = getattr(kinwood, name)()
    for parameter, value in theirs.get_params().items():
        assert parameter in ours.get_params(), parameter
        if parameter not in ("probability", "max_features", "class_weight", "criterion"):
            assert ours.get_params()[parameter] == value, parameter
    assert is_classifier(ours) == is_classifier(theirs)


# ----- fitted estimators -----


def test_probabilities_that_are_not_fitted_are_not_there(iris):
    X, _, y, _ = iris
    for machine in (kinwood.KernelSVC(probabilities=False), kinwood.SVC()):
        fitted = machine.fit(X, y)
        assert not hasattr(fitted, "predict_proba")
        with pytest.raises(AttributeError, match="predict_proba"):
            fitted.predict_proba(X)
        assert fitted.decision_function(X).shape == (len(X), 3)
    assert hasattr(kinwood.SVC(probability=True), "predict_proba")
    assert not hasattr(kinwood.KNeighborsClassifier(), "decision_function")


def test_neighbours_without_rows_are_those_of_the_training_rows(iris):
    X, X_test, y, _ = iris
    ours, theirs = (module(3, metric="euclidean").fit(X, y) for module in (kinwood.KNeighborsClassifier, neighbors.KNeighborsClassifier))
    np.testing.assert_allclose(ours.kneighbors()[0], theirs.kneighbors()[0])
    assert not (ours.kneighbors()[1] == np.arange(len(X))[:, None]).any()
    np.testing.assert_allclose(
        ours.kneighbors_graph(X_test, mode="distance").sum(axis=1), theirs.kneighbors_graph(X_test, mode="distance").sum(axis=1)
    )
    with pytest.raises(ValueError, match="n_neighbors"):
        ours.kneighbors(X_test, 1000)


def test_leaves_and_paths(iris):
    X, X_test, y, _ = iris
    model = kinwood.DecisionTreeClassifier().fit(X, y)
    leaves, path = model.apply(X_test), model.decision_path(X_test)
    assert path[np.arange(len(X_test)), leaves].min() == 1
    assert path.sum(axis=1).max() - 1 == model.get_depth()
    for leaf in np.unique(leaves):
        assert len({tuple(row) for row in model.predict_proba(X_test)[leaves == leaf].tolist()}) == 1
    forest = kinwood.RandomForestClassifier(7).fit(X, y)
    assert forest.apply(X_test).shape == (len(X_test), 7)
    found, begins = forest.decision_path(X_test)
    assert found.shape == (len(X_test), begins[-1]) and len(begins) == 8
    assert len(forest.estimators_) == 7


def test_importances_and_rows_out_of_the_bag(iris):
    X, _, y, _ = iris
    for model in (kinwood.PCTClassifier(), kinwood.RandomForestClassifier(20), kinwood.ExtraTreesClassifier(20)):
        found = model.fit(X, y).feature_importances_
        assert found.shape == (4,) and abs(found.sum() - 1) < 1e-9
        assert found[2:].sum() > found[:2].sum(), "petals tell"
    cancer = datasets.load_breast_cancer(return_X_y=True)
    theirs = tree.DecisionTreeClassifier(max_depth=2, random_state=0).fit(*cancer).feature_importances_
    ours = kinwood.DecisionTreeClassifier(max_depth=2).fit(*cancer).feature_importances_
    np.testing.assert_allclose(sorted(ours), sorted(theirs), atol=1e-6)
    assert 0.85 < kinwood.RandomForestClassifier(50).fit(X, y).oob_score_ <= 1
    assert 0.7 < kinwood.RandomForestRegressor(50).fit(X, y).oob_score_ <= 1
    assert not hasattr(kinwood.KNeighborsClassifier().fit(X, y), "feature_importances_")


def test_the_path_of_pruning_is_that_of_scikit_learn():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    theirs = tree.DecisionTreeClassifier(max_depth=4, random_state=0).cost_complexity_pruning_path(X, y)
    ours = kinwood.DecisionTreeClassifier(max_depth=4).cost_complexity_pruning_path(X, y)
    # The same impurities where the trees are the same: at the root and after the first test.
    np.testing.assert_allclose(ours.impurities[-2:], theirs.impurities[-2:], rtol=1e-6)
    assert (np.diff(ours.ccp_alphas) > 0).all() and (np.diff(ours.impurities) > 0).all()


def passed(arrays, X):
    """For each row the nodes that it passes, by the arrays of a tree alone."""
    found = np.zeros((len(X), arrays.node_count), dtype=np.int64)
    node = np.zeros(len(X), dtype=np.int64)
    for _ in range(arrays.max_depth + 1):
        found[np.arange(len(X)), node] = 1
        right = X[np.arange(len(X)), np.maximum(arrays.feature[node], 0)] > arrays.threshold[node]
        below = np.where(right, arrays.children_right[node], arrays.children_left[node])
        node = np.where(arrays.children_left[node] >= 0, below, node)
    return found, node


@pytest.mark.parametrize("kind", ["DecisionTreeClassifier", "PCTClassifier", "DecisionTreeRegressor", "PCTRegressor"])
def test_the_arrays_of_a_tree_tell_what_it_does(iris, kind):
    X, X_test, y, _ = iris
    model = getattr(kinwood, kind)()
    numbers = not is_classifier(model)
    model.fit(X, X[:, 3] + y if numbers else np.array(["setosa", "versicolor", "virginica"])[y])
    arrays = model.tree_
    path, leaves = passed(arrays, X_test)
    np.testing.assert_array_equal(leaves, model.apply(X_test))
    np.testing.assert_array_equal(path, model.decision_path(X_test).toarray())
    said = model.predict(X_test)[:, None] if numbers else model.predict_proba(X_test)
    np.testing.assert_allclose(arrays.value[leaves, 0], said)
    np.testing.assert_array_equal(arrays.n_node_samples, model.decision_path(X).toarray().sum(axis=0))
    assert len(arrays) == arrays.node_count == 2 * arrays.n_leaves - 1
    assert (arrays.n_leaves, arrays.max_depth) == (model.get_n_leaves(), model.get_depth())
    assert (arrays.n_features, arrays.n_outputs) == (4, 1)
    ends = arrays.children_left < 0
    assert (arrays.children_right[ends] == -1).all() and (arrays.feature[ends] == -2).all() and (arrays.feature[~ends] >= 0).all()
    # Impurities are of the rows of each node: the fall is what importances are made of.
    weight, impurity = arrays.weighted_n_node_samples, arrays.impurity * arrays.weighted_n_node_samples
    falls = impurity[~ends] - impurity[arrays.children_left[~ends]] - impurity[arrays.children_right[~ends]]
    shares = np.bincount(arrays.feature[~ends], np.maximum(falls, 0) / weight[0], minlength=4)
    np.testing.assert_allclose(shares / shares.sum(), model.feature_importances_)


def test_arrays_are_of_one_tree_of_thresholds(iris):
    X, X_test, y, _ = iris
    forest = kinwood.RandomForestClassifier(3).fit(X, y)
    for place, member in enumerate(forest.estimators_):
        np.testing.assert_array_equal(passed(member.tree_, X_test)[1], forest.apply(X_test)[:, place])
    several = kinwood.PCTClassifier().fit(X, np.column_stack([y, X[:, 0] > 6]))
    assert several.tree_.value.shape[1:] == (2, 3)
    assert not hasattr(forest, "tree_") and not hasattr(kinwood.KNeighborsClassifier().fit(X, y), "tree_")
    words = kinwood.PCTClassifier().fit([["red"], ["blue"], ["green"]] * 6, ["a", "b", "b"] * 6)
    with pytest.raises(AttributeError, match="no threshold of a number"):
        words.tree_  # noqa: B018


# ----- more rows -----

APPENDING = [
    kinwood.KNeighborsClassifier(3, distance="euclidean(absolute)"),
    kinwood.KNeighborsRegressor(3, distance="euclidean(absolute)"),
    kinwood.KStarClassifier(),
    kinwood.KStarRegressor(),
    kinwood.CitationKNN(distance="euclidean(absolute)"),
    kinwood.CitationKNNRegressor(distance="euclidean(absolute)"),
    kinwood.MajorityClassifier(),
    kinwood.MeanRegressor(),
]


def table_of(X, y):
    lines = [",".join(["x0", "x1", "x2", "y"]), *(",".join([*map(repr, row), str(of)]) for row, of in zip(X.tolist(), y.tolist()))]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("estimator", APPENDING, ids=lambda estimator: type(estimator).__name__)
def test_more_rows_are_those_that_the_command_appends(estimator, tmp_path, command):
    X = np.random.default_rng(2).normal(size=(60, 3))
    y = np.where(X[:, 0] > 0, "plus", "minus") if is_classifier(estimator) else X[:, 0] * 2
    if is_classifier(estimator):
        y = y.astype(object)
        y[50:] = "late"
    first = clone(estimator).partial_fit(X[:40], y[:40])
    first.save(tmp_path / "first.kin")
    (tmp_path / "more.csv").write_text(table_of(X[40:], y[40:]), encoding="utf-8")
    command("append", tmp_path / "first.kin", tmp_path / "more.csv", "-o", tmp_path / "all.kin")
    appended = kinwood.load(tmp_path / "all.kin", type(estimator))
    grown = first.partial_fit(X[40:], y[40:])
    whole = clone(estimator).fit(X, y)
    says = "predict_proba" if is_classifier(estimator) else "predict"
    found = getattr(grown, says)(X)
    np.testing.assert_allclose(found, getattr(whole, says)(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(grown.predict(X), appended.predict(X))
    if is_classifier(estimator):
        assert list(grown.classes_) == ["late", "minus", "plus"]
        order = [list(appended.classes_).index(label) for label in grown.classes_]
        np.testing.assert_array_equal(found, appended.predict_proba(X)[:, order])
    else:
        np.testing.assert_array_equal(found, appended.predict(X))


def test_partial_fit_knows_classes_beforehand_and_refuses_what_cannot_grow(iris):
    X, X_test, y, _ = iris
    near = kinwood.KNeighborsClassifier(3).partial_fit(X[y == 0], y[y == 0], classes=[0, 1, 2])
    assert near.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(near.predict_proba(X_test), np.tile([1.0, 0.0, 0.0], (len(X_test), 1)))
    near.partial_fit(X[y > 0], y[y > 0])
    assert near.score(X_test, iris[3]) > 0.9
    assert near.kneighbors(X_test, 1)[1].max() < len(X)
    assert not hasattr(kinwood.PCTClassifier(), "partial_fit")
    with pytest.raises(ValueError, match="fit on all rows"):
        kinwood.KNeighborsClassifier(1, metric="chebyshev").partial_fit(X, y).partial_fit(X, y)


# ----- other formats -----


def test_onnx_computes_the_same(tmp_path, iris, line):
    onnx = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    X, X_test, y, _ = iris
    for model in (
        kinwood.DecisionTreeClassifier(),
        kinwood.RandomForestClassifier(15),
        kinwood.PCTClassifier(),
        kinwood.ExtraTreesClassifier(5),
        kinwood.BoostClassifier(n_estimators=20),
    ):
        model.fit(X, np.array(["setosa", "versicolor", "virginica"])[y]).to_onnx(tmp_path / "model.onnx")
        labels, shares = onnx.InferenceSession(str(tmp_path / "model.onnx")).run(None, {"X": X_test})
        np.testing.assert_allclose(shares, model.predict_proba(X_test), atol=1e-6)
        assert np.mean(np.array(labels) == model.predict(X_test)) > 0.97
    X, X_test, y, _ = line
    for sign in (X[:, 0] > 0, X[:, 0] <= 0):
        # Of two classes boosted trees have one score, which may be of either.
        model = kinwood.BoostClassifier(n_estimators=20).fit(X, sign)
        model.to_onnx(tmp_path / "model.onnx")
        _, shares = onnx.InferenceSession(str(tmp_path / "model.onnx")).run(None, {"X": X_test})
        np.testing.assert_allclose(shares, model.predict_proba(X_test), atol=1e-6)
    for model in (
        kinwood.DecisionTreeRegressor(),
        kinwood.RandomForestRegressor(15),
        kinwood.ForestRegressor(5),
        kinwood.BoostRegressor(n_estimators=20),
    ):
        model.fit(X, y).to_onnx(tmp_path / "model.onnx")
        (found,) = onnx.InferenceSession(str(tmp_path / "model.onnx")).run(None, {"X": X_test})
        np.testing.assert_allclose(found[:, 0], model.predict(X_test), rtol=1e-5, atol=1e-5)
    words = kinwood.PCTClassifier().fit([["red"], ["blue"], ["green"]] * 6, ["a", "b", "b"] * 6)
    with pytest.raises(NotImplementedError, match="x0"):
        words.to_onnx()


def test_shap_explains(line):
    pytest.importorskip("shap")
    X, X_test, y, _ = line
    model = kinwood.RandomForestRegressor(10).fit(X, y)
    told = model.shap_explanation(X_test)
    np.testing.assert_allclose(
        told.values.reshape(len(X_test), -1).sum(axis=1) + np.ravel(told.base_values), model.predict(X_test), atol=1e-6
    )
    assert list(told.feature_names) == ["x0", "x1", "x2", "x3"]


def test_scores_need_no_answers_where_data_names_them(shop):
    model = kinwood.KNeighborsClassifier(1).fit(shop)
    assert model.score(shop) == 1.0
    X = [[float(x)] for x in range(20)]
    sets = [{"low"} if x < 10 else {"high", "far"} for x in range(20)]
    assert kinwood.PCTClassifier().fit(X, sets).score(X, sets) == 1.0
    several = np.array([["a" if x < 10 else "b", "even" if x < 5 else "odd"] for x in range(20)])
    assert kinwood.PCTClassifier().fit(X, several).score(X, several) == 1.0
    with pytest.raises(ValueError, match="requires y"):
        kinwood.PCTClassifier().fit(X, sets).score(X)


# ----- data -----


def test_a_column_of_names_is_no_input(tmp_path, command):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    random = np.random.default_rng(0)
    frame = pandas.DataFrame({"name": [f"Patient {row:05}" for row in range(200)], "dose": random.normal(size=200).round(3)})
    frame["site"] = random.choice(["north", "south"], size=200)
    frame["record_no"] = np.arange(200) + 1000
    y = pandas.Series(np.where(frame["dose"] > 0, "well", "ill"), name="state")
    frame.assign(state=y).to_csv(tmp_path / "rows.csv", index=False)
    read = kinwood.Database(tmp_path / "rows.csv", target="state")
    for given in (frame, polars.from_pandas(frame), frame.to_dict(orient="list"), frame.to_dict(orient="records")):
        model = kinwood.PCTClassifier().fit(given, y)
        inputs = [name for name, _, role in model.model_.columns if role == "input"]
        assert inputs == read.inputs == ["dose", "site"]
        assert model.score(given, y) > 0.97
    told = command("fit", "tree", tmp_path / "rows.csv", "--target", "state", "--output", tmp_path / "model.kin")
    assert told is not None
    assert [name for name, _, role in kinwood.load(tmp_path / "model.kin").model_.columns if role == "input"] == inputs


def test_where_all_columns_would_be_names_they_are_inputs():
    model = kinwood.PCTClassifier().fit({"x": list(range(20))}, ["a"] * 10 + ["b"] * 10)
    assert model.score({"x": list(range(20))}, ["a"] * 10 + ["b"] * 10) == 1.0


def test_an_array_is_fitted_and_a_frame_is_predicted(iris):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, X_test, y, _ = iris
    model = kinwood.PCTClassifier().fit(X, y)
    names = ["a", "b", "c", "d"]
    for frame in (pandas.DataFrame(X_test, columns=names), polars.DataFrame(X_test, schema=names)):
        with pytest.warns(UserWarning, match="feature names"):
            np.testing.assert_array_equal(model.predict(frame), model.predict(X_test))
    mixed = pandas.DataFrame({"colour": ["red", "blue"] * 6, "size": np.arange(12.0)})
    other = kinwood.PCTClassifier().fit(mixed, ["r", "b"] * 6)
    with pytest.warns(UserWarning, match="feature names"):
        assert list(other.predict(mixed.to_numpy())) == ["r", "b"] * 6


def test_spans_and_times_of_day_are_seconds():
    import datetime

    pandas, polars, arrow = pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    spans = [datetime.timedelta(minutes=row) for row in range(4)]
    times = [datetime.time(row, 30) for row in range(4)]
    frames = (
        polars.DataFrame({"span": spans, "at": times}),
        pandas.DataFrame({"span": pandas.to_timedelta(spans), "at": times}),
        arrow.table({"span": spans, "at": times}),
        {"span": spans, "at": times},
    )
    for frame in frames:
        table = kinwood.Table(frame)
        assert table.columns == {"span": "numeric", "at": "numeric"}
        np.testing.assert_array_equal(table["span"], [0.0, 60.0, 120.0, 180.0])
        np.testing.assert_array_equal(table["at"], [1800.0, 5400.0, 9000.0, 12600.0])


def test_ordered_categories_keep_their_order():
    pandas = pytest.importorskip("pandas")
    sizes = pandas.Series(pandas.Categorical(["small", "large", "medium"] * 8, categories=["small", "medium", "large"], ordered=True))
    table = kinwood.Table({"size": sizes})
    assert list(table.to_pandas()["size"].cat.categories) == ["small", "medium", "large"]
    assert table.to_pandas()["size"].cat.ordered
    X = np.array([0.0, 2.0, 1.0] * 8)[:, None]
    model = kinwood.PCTClassifier().fit(X, sizes)
    assert model.to_json()["targets"][0]["kind"] == "ordered"
    assert list(model.predict([[0.0], [1.0], [2.0]])) == ["small", "medium", "large"]
    assert model.predict_proba(X).shape == (24, 3)
    assert model.score(X, sizes) == 1.0


def test_tests_of_dates_are_sql():
    pandas = pytest.importorskip("pandas")
    import sqlite3

    frame = pandas.DataFrame({"day": pandas.date_range("2024-01-01", periods=40), "size": np.arange(40.0) % 7})
    y = np.where(frame["day"] < "2024-01-20", "early", "late")
    model = kinwood.PCTClassifier().fit(frame, y)
    with sqlite3.connect(":memory:") as connection:
        frame.to_sql("data", connection, index=False)
        answers = [answer for (answer,) in connection.execute(model.to_sql("data"))]
    assert answers == list(model.predict(frame))


def test_tables_show_themselves(shop):
    pytest.importorskip("pandas")
    frame = shop.to_pandas()
    assert list(frame.columns) == ["id", "region", "age", "stays"] and len(frame) == 12
    assert len(shop.head(3)) == 3
    page = shop._repr_html_()
    assert "region" in page and len(page) < 20_000
    assert "smiles" in kinwood.Table({"smiles": ["CCO" * 100, "CC"]})._repr_html_()


# ----- tools -----


def test_tools_that_make_arrays_keep_databases(shop):
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

    near = kinwood.KNeighborsClassifier(1)
    assert BaggingClassifier(near, n_estimators=5, random_state=0).fit(shop, shop.y).score(shop, shop.y) > 0.6
    assert AdaBoostClassifier(kinwood.PCTClassifier(flatten="p2"), n_estimators=3).fit(shop, shop.y).score(shop, shop.y) > 0.6


def test_columns_of_databases_are_shuffled(shop):
    from sklearn.inspection import permutation_importance

    told = kinwood.Table(SHOP["customer"], target="stays", roles={"id": "id"})
    for rows in (told, shop):
        model = kinwood.KNeighborsClassifier(1).fit(rows)
        found = permutation_importance(model, rows, rows.y, n_repeats=5, random_state=0)
        assert found.importances.shape == (2, 5)
        assert found.importances_mean.max() > 0, "neighbours look at columns"


def test_databases_are_divided_by_every_tool(shop):
    for cv in (3, TimeSeriesSplit(3)):
        scores = cross_val_score(kinwood.KNeighborsClassifier(1), shop, shop.y, cv=cv, error_score="raise")
        assert np.isfinite(scores).all()
    train, test = train_test_split(shop, test_size=4, random_state=0)
    assert (len(train), len(test)) == (8, 4)
    search = GridSearchCV(kinwood.KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=3, error_score="raise").fit(shop, shop.y)
    assert search.best_params_["n_neighbors"] in (1, 3)


def test_relational_features_come_before_any_estimator(shop):
    pytest.importorskip("pandas")
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder

    features = kinwood.RelationalFeatures(aggregates="paper").fit(shop)
    names = list(features.get_feature_names_out())
    assert "stays" not in names and "order.amount" in names
    assert len(kinwood.RelationalFeatures().fit(shop).get_feature_names_out()) > len(names)
    encoded = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include=object)), remainder="passthrough"
    )
    line = make_pipeline(kinwood.RelationalFeatures().set_output(transform="pandas"), encoded, LogisticRegression(max_iter=2000))
    assert line.fit(shop, shop.y).score(shop, shop.y) > 0.9
    assert np.isfinite(cross_val_score(line, shop, shop.y, cv=3, error_score="raise")).all()
    assert kinwood.RelationalFeatures(numeric=True).fit_transform(shop).dtype == np.float64


def test_distances_to_medoids_and_components_of_kernels():
    words = ["kitten", "mitten", "bitten", "table", "cable", "fable"] * 3
    y = ["c", "c", "c", "w", "w", "w"] * 3
    line = make_pipeline(kinwood.DistanceFeatures("levenshtein", n_medoids=2), tree.DecisionTreeClassifier())
    assert line.fit(words, y).predict(["sitten", "gable"]).tolist() == ["c", "w"]
    frame = kinwood.DistanceFeatures("levenshtein", n_medoids=2).set_output(transform="pandas").fit_transform(words)
    assert list(frame.columns) == ["distance_0", "distance_1"]
    from sklearn.decomposition import PCA

    X = datasets.load_iris().data
    ours = kinwood.KernelPCA(2, kernel="add(product)").fit(X)
    np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(PCA(2).fit_transform(X)), atol=1e-6)
    placed = kinwood.KernelPCA(2, kernel="euclidean(absolute)").fit_transform(X)
    np.testing.assert_allclose(np.abs(placed), np.abs(PCA(2).fit_transform(X)), atol=1e-6)


def test_displays(iris):
    pytest.importorskip("matplotlib")
    from sklearn.calibration import CalibrationDisplay

    X, _, y, _ = iris
    forest = kinwood.RandomForestClassifier(3).fit(X, y)
    assert kinwood.plotting.TreeDisplay.from_estimator(forest, depth=2).ax_ is not None
    assert kinwood.plotting.ImportanceDisplay.from_estimator(forest).importances.shape == (4,)
    assert kinwood.plotting.MapDisplay.from_matrix(kinwood.pairwise("manhattan", X[:20]), y[:20]).points.shape == (20, 2)
    beam = kinwood.BeamSearch(width=3, constraints="size <= 5").fit(X, y)
    assert kinwood.plotting.BeamDisplay.from_estimator(beam, X, y).figure_ is not None
    assert CalibrationDisplay.from_estimator(kinwood.PCTClassifier().fit(X, y == 1), X, y == 1).ax_ is not None


def test_importing_takes_little_time(python):
    program = "import time; begun = time.perf_counter(); import kinwood; print(time.perf_counter() - begun)"
    import sys

    assert "sklearn" not in python("import kinwood, sys; print([name for name in sys.modules if name == 'sklearn'])").stdout
    done = python(program)
    assert done.returncode == 0, done.stderr
    assert sys.version_info and float(done.stdout) < 5, "no test depends on the clock: what is promised is that nothing heavy is imported"
