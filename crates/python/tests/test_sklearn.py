"""scikit-learn's own checks, and its tools with our estimators in them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier, VotingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score, cross_validate, train_test_split
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import kinwood
from kinwood._estimators import LEARNERS, NAMESAKES
from kinwood._estimators import __all__ as NAMES
from kinwood._names import Shape

FLAT = [name for name in NAMES if name != "MISVC"]
"""Estimators that take plain numbers; the other needs bags."""


WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
UNEQUAL = {
    **dict.fromkeys(
        ("BeamSearch", "DBDTClassifier", "DBDTRegressor", "PCTClassifier", "PCTRegressor", "M5Regressor"),
        "the least size of a leaf, and what pruning takes for evidence, are of rows: a row that counts twice is one row",
    ),
    **dict.fromkeys(
        ("ForestClassifier", "ForestRegressor", "RandomForestClassifier", "RandomForestRegressor"),
        "which rows are drawn depends on how many there are",
    ),
    **dict.fromkeys(
        ("BoostClassifier", "BoostRegressor"),
        "weights are 1 in the mean, beside which stand the price of large leaves and their least size; "
        "folds that choose the rounds are of rows",
    ),
    **dict.fromkeys(("KNeighborsClassifier", "KNeighborsRegressor"), "k counts rows, whatever they weigh"),
    **dict.fromkeys(("CitationKNN", "CitationKNNRegressor"), "references and citers are numbers of rows, whatever these weigh"),
    **dict.fromkeys(
        ("CentresClassifier", "CentresRegressor"),
        "weights are 1 in the mean, beside which stands the least weight of a leaf; a third of the rows is held back",
    ),
    "OneR": "weights are 1 in the mean, beside which stands the least weight of an interval",
    **dict.fromkeys(
        ("MIRTClassifier", "MIRTRegressor"),
        "only nodes of more rows than the root of the number of all are divided, and terms of formulas are tried on rows, "
        "whatever these weigh",
    ),
    **dict.fromkeys(("AutoClassifier", "AutoRegressor"), "folds that choose among learners are of rows, and to most learners a row is one"),
    **dict.fromkeys(
        ("KernelRidge", "KernelSVC", "KernelSVR", "SVC", "SVR"),
        "weights are 1 in the mean, beside which stands the price of errors, `C` or `alpha`; kernels are scaled by rows",
    ),
    **dict.fromkeys(("NuSVC", "NuSVR"), "nu is a share of rows: weights that differ are refused"),
}
"""Estimators to which a row that counts twice is not two rows, as to scikit-learn's forests."""
REFUSING = ("NuSVC", "NuSVR")
"""Estimators that take no weights but equal ones."""


CLASSES = {
    "DBDTClassifier": "trees are grown until leaves are pure, whatever rows count",
    "KernelSVC": "probabilities are calibrated, which undoes prices of classes",
    "NuSVC": "a share of errors has no prices, as in scikit-learn",
}


def expected(name):
    failing = {WEIGHTS: UNEQUAL[name]} if name in UNEQUAL else {}
    if name in REFUSING:
        failing["check_sample_weights_not_overwritten"] = UNEQUAL[name]
    return {**failing, "check_class_weight_classifiers": CLASSES[name]} if name in CLASSES else failing


def checks():
    for name in FLAT:
        failing = expected(name)
        for estimator, check in estimator_checks_generator(getattr(kinwood, name)()):
            reason = failing.get(check.func.__name__)
            marks = pytest.mark.xfail(reason=reason, strict=False) if reason else ()
            yield pytest.param(estimator, check, id=f"{name}-{check.func.__name__}", marks=marks)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", NAMES)
def test_estimators_are_classifiers_or_regressors(name):
    estimator = getattr(kinwood, name)()
    assert is_classifier(estimator) != is_regressor(estimator)
    assert not name.endswith("Classifier") or is_classifier(estimator)
    assert not name.endswith("Regressor") or is_regressor(estimator)


def test_beam_search_is_of_the_kind_that_its_task_says():
    assert is_classifier(kinwood.BeamSearch())
    assert is_regressor(kinwood.BeamSearch(task="regression"))
    with pytest.raises(ValueError, match="task"):
        kinwood.BeamSearch(task="guess").fit([[1.0], [2.0]], [1, 2])


@pytest.mark.parametrize("name", FLAT)
def test_every_estimator_works_in_a_pipeline(name, numbers):
    X, labels = numbers
    estimator = getattr(kinwood, name)()
    y = labels if is_classifier(estimator) else X[:, 0] * 2 + 1
    line = make_pipeline(StandardScaler(), estimator).fit(X, y)
    assert line.predict(X).shape == (40,)
    scores = cross_val_score(make_pipeline(StandardScaler(), clone(estimator)), X, y, cv=3, error_score="raise")
    assert np.isfinite(scores).all()


def test_a_pipeline_may_make_structures(numbers):
    texts = ["ab", "abc", "abb", "xyz", "xy", "xxy"] * 3
    line = make_pipeline(
        FunctionTransformer(lambda given: [set(text) for text in given]), kinwood.KNeighborsClassifier(distance="symmetric_difference")
    )
    line.fit(texts, ["a", "a", "a", "x", "x", "x"] * 3)
    assert list(line.predict(["aab", "yx"])) == ["a", "x"]


def test_a_column_transformer_may_stand_before():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"colour": ["red", "blue"] * 10, "size": [float(size) for size in range(20)]})
    made = ColumnTransformer([("colour", OneHotEncoder(sparse_output=False), ["colour"])], remainder="passthrough")
    line = make_pipeline(made.set_output(transform="pandas"), kinwood.PCTClassifier())
    assert line.fit(frame, ["r", "b"] * 10).score(frame, ["r", "b"] * 10) == 1.0


def test_grid_search_tunes_settings(numbers):
    X, y = numbers
    search = GridSearchCV(
        kinwood.KNeighborsClassifier(), {"k": [1, 3, 26], "distance": ["euclidean", "sum"]}, cv=3, error_score="raise"
    ).fit(X, y)
    assert search.best_params_["k"] in (1, 3)
    assert search.best_estimator_.score(X, y) > 0.8
    assert len(search.cv_results_["params"]) == 6


def test_grid_search_over_a_database(shop):
    search = GridSearchCV(kinwood.KNeighborsClassifier(), {"k": [1, 3]}, cv=3, error_score="raise").fit(shop, shop.y)
    assert search.best_score_ >= 0.5
    assert search.predict(shop).shape == (12,)


@pytest.mark.parametrize("jobs", [None, 2])
def test_cross_validation_gives_the_same_on_processes_of_its_own(numbers, jobs):
    X, y = numbers
    expected = cross_val_predict(kinwood.PCTClassifier(), X, y, cv=StratifiedKFold(3), method="predict_proba")
    found = cross_val_predict(kinwood.PCTClassifier(), X, y, cv=StratifiedKFold(3), method="predict_proba", n_jobs=jobs)
    np.testing.assert_array_equal(found, expected)


def test_cross_validate_takes_several_scores(numbers):
    X, y = numbers
    told = cross_validate(kinwood.KStarClassifier(), X, y, cv=3, scoring=["accuracy", "neg_log_loss", "roc_auc"], error_score="raise")
    assert np.isfinite(told["test_roc_auc"]).all()


def test_train_test_split_slices_everything(shop):
    words = ["kitten", "mitten", "sitting", "table", "cable", "fable"] * 2
    for X in (words, [set(word) for word in words], kinwood.Table({"word": words}), shop):
        train, test, y_train, y_test = train_test_split(X, shop.y, test_size=4, random_state=0)
        assert (len(train), len(test)) == (8, 4)
        assert kinwood.KNeighborsClassifier().fit(train, y_train).predict(test).shape == y_test.shape


def test_stacking_bagging_and_voting_take_our_estimators(numbers):
    X, y = numbers
    parts = [("near", kinwood.KNeighborsClassifier()), ("tree", kinwood.PCTClassifier()), ("svm", kinwood.KernelSVC())]
    assert StackingClassifier(parts, LogisticRegression(), cv=3).fit(X, y).score(X, y) > 0.8
    assert BaggingClassifier(kinwood.PCTClassifier(), n_estimators=5, random_state=0).fit(X, y).score(X, y) > 0.8
    numeric = [("mean", kinwood.MeanRegressor()), ("m5", kinwood.M5Regressor())]
    assert VotingRegressor(numeric).fit(X, X[:, 0]).score(X, X[:, 0]) > 0.3


def test_several_targets():
    X = np.random.default_rng(3).normal(size=(40, 2))
    Y = np.column_stack([X[:, 0] * 2, X[:, 1] - 1])
    together = kinwood.PCTRegressor().fit(X, Y)
    assert together.n_outputs_ == 2
    assert together.predict(X).shape == (40, 2)
    assert MultiOutputRegressor(kinwood.M5Regressor()).fit(X, Y).predict(X).shape == (40, 2)
    classes = np.where(Y > 0, "plus", "minus").astype(object)
    several = kinwood.PCTClassifier().fit(X, classes)
    assert [list(of) for of in several.classes_] == [["minus", "plus"]] * 2
    assert [shares.shape for shares in several.predict_proba(X)] == [(40, 2)] * 2
    with pytest.raises(ValueError, match=r"(?i)one target|1d array"):
        kinwood.OneR().fit(X, classes)


def test_several_numbers_as_classes():
    X = [[float(row), float(row % 4)] for row in range(24)]
    Y = np.column_stack([np.arange(24) // 12, np.arange(24) % 2])
    model = kinwood.PCTClassifier().fit(X, Y)
    assert [of.tolist() for of in model.classes_] == [[0, 1], [0, 1]]
    np.testing.assert_array_equal(model.predict(X)[:, 0], Y[:, 0])


def test_sets_of_labels():
    X = [[float(row % 6), float(row % 4)] for row in range(48)]
    labels = [{"low"} if row % 6 < 3 else {"high", "even"} if row % 2 == 0 else {"high"} for row in range(48)]
    model = kinwood.PCTClassifier().fit(X, labels)
    assert list(model.classes_) == ["even", "high", "low"]
    found = model.predict(X)
    assert found.shape == (48,)
    assert sum(set(answer) == truth for answer, truth in zip(found, labels)) > 40
    assert model.predict_proba(X).shape == (48, 3)
    with pytest.raises(ValueError, match="label|class"):
        kinwood.KNeighborsClassifier().fit(X, labels)


WEIGHTED = [name for name in FLAT if name not in REFUSING]


def said(model, X):
    """What a model says of rows as numbers: probabilities, decisions where it has none, or predictions."""
    for method in ("predict_proba", "decision_function"):
        if hasattr(model, method):
            return getattr(model, method)(X)
    return model.predict(X)


def weighable(name):
    """An estimator, and rows in which the others would predict something else than the first twenty."""
    random = np.random.default_rng(5)
    X = random.normal(size=(60, 3)) * np.repeat([9.0, 1.0], [20, 40])[:, None]
    y = X[:, 0] + X[:, 1] * X[:, 2] / 10 + random.normal(size=60) / 2
    estimator = getattr(kinwood, name)()
    if not is_classifier(estimator):
        return estimator, X, y
    # The class of the first row and of the first that counts is one: labels are known in the order in which they are met.
    y[0] = y[20]
    return estimator, X, np.where(y > np.median(y), "a", "b")


@pytest.mark.parametrize("name", [name for name in WEIGHTED if name not in UNEQUAL])
def test_a_weight_is_a_repetition(name):
    X = np.array([[float(row), float(row * 7 % 5)] for row in range(20)])
    estimator = getattr(kinwood, name)()
    y = np.array(["a" if row < 11 else "b" for row in range(20)]) if is_classifier(estimator) else X[:, 0] + X[:, 1] / 3
    weights = np.arange(20) % 3
    weighted = clone(estimator).fit(X, y, sample_weight=weights)
    repeated = clone(estimator).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(said(weighted, X), said(repeated, X))


@pytest.mark.parametrize("name", [name for name in UNEQUAL if name not in REFUSING])
def test_where_a_weight_is_no_repetition_it_counts_nevertheless(name):
    estimator, X, y = weighable(name)
    weights = np.random.default_rng(6).random(60) * 5 + 0.01
    weighted, plain = clone(estimator).fit(X, y, sample_weight=weights), clone(estimator).fit(X, y)
    assert np.abs(said(weighted, X) - said(plain, X)).max() > 1e-3


@pytest.mark.parametrize("name", FLAT)
def test_a_row_of_weight_zero_is_not_there(name):
    estimator, X, y = weighable(name)
    weighted = clone(estimator).fit(X, y, sample_weight=np.repeat([0.0, 3.0], [20, 40]))
    without = clone(estimator).fit(X[20:], y[20:])
    np.testing.assert_allclose(said(weighted, X), said(without, X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", [kinwood.KernelRidge, kinwood.SVC, kinwood.SVR], ids=lambda kind: kind.__name__)
def test_with_machines_a_weight_is_a_repetition_at_the_price_that_it_stands_for(kind):
    estimator, X, y = weighable(kind.__name__)
    weights = np.arange(60) % 3 + 1
    mean, exact = weights.mean(), {"kernel": "rbf", "gamma": 0.1}
    if kind is kinwood.KernelRidge:
        dear, plain = estimator.set_params(alpha=1 / mean, **exact), kind(alpha=1.0, **exact)
    else:
        dear, plain = estimator.set_params(C=mean, tol=1e-8, **exact), kind(C=1.0, tol=1e-8, **exact)
    weighted = dear.fit(X, y, sample_weight=weights)
    repeated = plain.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(said(weighted, X), said(repeated, X), atol=1e-6)


@pytest.mark.parametrize("name", REFUSING)
def test_weights_that_cannot_count_are_refused(name):
    estimator, X, y = weighable(name)
    with pytest.raises(ValueError, match="cannot count some rows more than others"):
        clone(estimator).fit(X, y, sample_weight=np.arange(1.0, 61.0))
    plain = clone(estimator).fit(X, y)
    for scale in (1.0, 1e-9, 1e7):
        np.testing.assert_array_equal(said(clone(estimator).fit(X, y, sample_weight=np.full(60, scale)), X), said(plain, X))


@pytest.mark.parametrize("name", WEIGHTED)
def test_scaling_all_weights_changes_nothing(name):
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3))
    estimator = getattr(kinwood, name)()
    y = np.where(X[:, 0] + random.normal(size=60) / 2 > 0, "a", "b") if is_classifier(estimator) else X[:, 0] + random.normal(size=60) / 2
    weights = random.random(60)
    answers = []
    for scale in (1.0, 1 / weights.sum(), 1e-9, 1e7):
        model = clone(estimator).fit(X, y, sample_weight=weights * scale)
        answers.append(said(model, X))
    for other in answers[1:]:
        np.testing.assert_array_equal(answers[0], other)
    # Rows that all count the same count as without weights.
    plain, even = clone(estimator).fit(X, y), clone(estimator).fit(X, y, sample_weight=np.full(60, 0.001))
    np.testing.assert_array_equal(plain.predict(X), even.predict(X))


def test_least_sizes_count_rows_whatever_they_weigh():
    X, y = np.arange(12.0)[:, None], np.array(["a", "b"] * 6)
    weights = np.where(np.arange(12) == 5, 1000.0, 0.001)
    for kind in (kinwood.DecisionTreeClassifier, kinwood.PCTClassifier):
        model = kind(min_samples_leaf=4).fit(X, y, sample_weight=weights)
        _, sizes = np.unique(model.apply(X), return_counts=True)
        assert sizes.min() >= 4


def test_boosting_by_weights_works_on_our_trees():
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 5))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    for tree in (kinwood.PCTClassifier(depth=3), kinwood.DecisionTreeClassifier(max_depth=3)):
        boosted = AdaBoostClassifier(tree, n_estimators=30, random_state=0).fit(X[:300], y[:300])
        assert boosted.score(X[300:], y[300:]) > 0.85


def test_random_states():
    X = np.random.default_rng(1).normal(size=(60, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2]
    fit = lambda state: kinwood.ForestRegressor(random_state=state).fit(X, y).predict(X)  # noqa: E731
    np.testing.assert_array_equal(fit(None), fit(1))
    np.testing.assert_array_equal(fit(5), fit(np.int64(5)))
    np.testing.assert_array_equal(fit(np.random.RandomState(3)), fit(np.random.RandomState(3)))
    assert (fit(1) != fit(2)).any()
    with pytest.raises(ValueError, match="random_state"):
        fit(-1)


def test_permutation_importance_finds_the_column(numbers):
    X, y = numbers
    told = permutation_importance(kinwood.PCTClassifier().fit(X, y), X, y, n_repeats=3, random_state=0)
    assert told.importances_mean.argmax() == 0


def test_not_fitted_is_said_everywhere():
    model = kinwood.PCTClassifier()
    calls = ["show", "to_json", "to_svg", "to_dot", "to_sql", "plot", "html", "report"]
    for call in calls:
        with pytest.raises(NotFittedError):
            getattr(model, call)()
    for call in (lambda: model.save("nowhere.kin"), lambda: model.explain([[1.0]]), lambda: model.members_):
        with pytest.raises(NotFittedError):
            call()


def test_every_learner_has_an_estimator():
    assert set(LEARNERS) == {learner["name"] for learner in json.loads(kinwood._kinwood.learners())}


@pytest.mark.parametrize("name", NAMES)
def test_every_default_is_the_learners_own(name):
    """A parameter that is left alone is no setting of the model; one that is stated differently is."""
    estimator = getattr(kinwood, name)()
    if name in NAMESAKES or name.startswith("KNeighbors"):
        pytest.skip("its defaults are those of scikit-learn")
    shape = Shape(rows=10, names=["a", "b"], numeric=False, numbers=lambda: np.zeros((10, 2)))
    assert estimator._given(shape) == list(estimator._fixed)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_settings_are_named(name):
    estimator = getattr(kinwood, name)()
    for parameter in set(estimator._settings) & set(estimator.get_params()):
        wrong = clone(estimator).set_params(**{parameter: "no such thing !"})
        with pytest.raises((ValueError, TypeError, FileNotFoundError)) as raised:
            wrong.fit([[1.0, 2.0], [3.0, 4.0]] * 6, ["a", "b"] * 6 if is_classifier(estimator) else [1.0, 2.0] * 6)
        assert len(str(raised.value)) > 10


def test_sets_of_labels_after_classes_forget_the_classes():
    X = [[1.0], [2.0], [8.0], [9.0]] * 4
    sets = [{"b"}, {"b"}, {"a", "c"}, {"a", "c"}] * 4
    fresh = kinwood.PCTClassifier().fit(X, sets)
    again = kinwood.PCTClassifier().fit(X, ["z", "z", "y", "y"] * 4).fit(X, sets)
    assert list(again.classes_) == ["a", "b", "c"]
    np.testing.assert_array_equal(again.predict_proba([[1.0]]), [[0.0, 1.0, 0.0]])
    np.testing.assert_array_equal(again.predict_proba(X), fresh.predict_proba(X))
