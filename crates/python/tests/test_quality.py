"""Measures of quality: by name for scikit-learn, and one's own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, cohen_kappa_score, log_loss, mean_squared_error
from sklearn.model_selection import cross_val_score

import kinwood


def test_measures_are_those_of_the_command_and_scikit_learn(numbers):
    X, y = numbers
    model = LogisticRegression().fit(X, y)
    assert kinwood.scorer("accuracy")(model, X, y) == accuracy_score(y, model.predict(X))
    assert kinwood.scorer("log_loss")(model, X, y) == pytest.approx(-log_loss(y, model.predict_proba(X)))
    weights = np.arange(1.0, len(y) + 1)
    weighted = accuracy_score(y, model.predict(X), sample_weight=weights)
    assert kinwood.scorer("accuracy")(model, X, y, sample_weight=weights) == pytest.approx(weighted)
    line = LinearRegression().fit(X[:, :2], X[:, 2])
    error = mean_squared_error(X[:, 2], line.predict(X[:, :2])) ** 0.5
    assert kinwood.scorer("rmse")(line, X[:, :2], X[:, 2]) == pytest.approx(-error)
    scores = cross_val_score(kinwood.KNeighborsClassifier(k=3), X, y, scoring=kinwood.scorer("auc"), cv=4)
    assert scores.shape == (4,) and (scores > 0.5).all()


def test_a_class_that_was_not_learned_is_wrong_and_nothing_is_undefined(numbers):
    X, y = numbers
    model = kinwood.PCTClassifier().fit(X, y)
    other = np.full(len(y), "other", dtype=object)
    assert kinwood.scorer("accuracy")(model, X, other) == 0.0
    assert np.isnan(kinwood.scorer("auc")(model, X, np.full(len(y), "low", dtype=object)))


def test_names_are_checked(numbers):
    with pytest.raises(ValueError, match="unknown measure `acuracy`; did you mean `accuracy`"):
        kinwood.scorer("acuracy")
    with pytest.raises(ValueError, match="expected one of accuracy, balanced_accuracy"):
        kinwood.scorer("zzzzzz")
    with pytest.raises(ValueError, match="sets of labels"):
        kinwood.scorer("hamming_loss")
    with pytest.raises(ValueError, match="there is a built-in measure `rmse`"):
        kinwood.register_measure("rmse", min, needs="numbers")
    with pytest.raises(ValueError, match="is no name of a measure"):
        kinwood.register_measure("My Measure", min)
    with pytest.raises(ValueError, match="needs `classes`, `probabilities`, `numbers` or `labels`, not `ranks`"):
        kinwood.register_measure("of_ranks", min, needs="ranks")
    with pytest.raises(TypeError, match="a measure is a function"):
        kinwood.register_measure("no_function", 3)
    X, y = numbers
    with pytest.raises(ValueError, match="`mae` is a measure for numbers, not for classes"):
        from kinwood import _kinwood

        _kinwood.score_classes("mae", np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1), ["a"], None)


def test_a_measure_of_ones_own_is_scored_listed_and_in_reports(numbers):
    X, y = numbers
    kinwood.register_measure("kappa", cohen_kappa_score)
    listed = {measure["name"]: measure for measure in kinwood.quality_measures()}
    assert listed["kappa"]["needs"] == "classes" and listed["kappa"]["greater_is_better"]
    model = kinwood.PCTClassifier().fit(X, y)
    assert kinwood.scorer("kappa")(model, X, y) == pytest.approx(cohen_kappa_score(y, model.predict(X)))
    assert "kappa" in model.report(X, y, folds=3).text

    seen = []

    @kinwood.register_measure("worst_share", greater_is_better=False, needs="probabilities")
    def worst_share(y_true, probabilities):
        seen.append((y_true.shape, probabilities.shape))
        columns = np.searchsorted(np.unique(y), y_true)
        return 1 - probabilities[np.arange(len(y_true)), columns].min()

    shares = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    assert kinwood.scorer("worst_share")(model, X, y) == pytest.approx(shares.min() - 1)
    assert seen == [((40,), (40, 2))]
    # Registered again, the name means the new function.
    kinwood.register_measure("worst_share", lambda y_true, p: 0.25, greater_is_better=False, needs="probabilities")
    assert kinwood.scorer("worst_share")(model, X, y) == -0.25


def test_a_measure_of_sets_is_given_matrices():
    X = [[float(x)] for x in range(30)]
    y = [{"a", "b"} if x < 15 else {"b"} for x in range(30)]
    given = []

    def matrices(y_true, y_pred):
        given.append((y_true.dtype, y_true.shape[1], y_pred.shape == y_true.shape))
        return (y_true == y_pred).mean()

    kinwood.register_measure("same_cells", matrices, needs="labels")
    model = kinwood.PCTClassifier().fit(X, y)
    assert "same_cells" in model.report(X, y, folds=2).text
    assert given and all(one == (np.dtype(bool), 2, True) for one in given)


def test_what_a_measure_raises_is_raised_where_it_is_used(numbers):
    X, y = numbers

    def fails(y_true, y_pred):
        raise ZeroDivisionError("there is nothing to divide")

    kinwood.register_measure("failing", fails, needs="numbers")
    line = kinwood.MeanRegressor().fit(X, X[:, 0])
    with pytest.raises(ZeroDivisionError, match="nothing to divide"):
        kinwood.scorer("failing")(line, X, X[:, 0])
    with pytest.raises(ZeroDivisionError, match="nothing to divide"):
        line.report(X, X[:, 0], folds=2)
    kinwood.register_measure("failing", lambda y_true, y_pred: float("inf"), needs="numbers")
    with pytest.raises(ValueError, match="the measure `failing` gave inf"):
        kinwood.scorer("failing")(line, X, X[:, 0])
    kinwood.register_measure("failing", lambda y_true, y_pred: None, needs="numbers")
    assert np.isnan(kinwood.scorer("failing")(line, X, X[:, 0]))
    assert line.report(X, X[:, 0], folds=2).text
