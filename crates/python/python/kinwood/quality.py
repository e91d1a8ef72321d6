"""Measures of quality: how good predictions are, by a name such as ``auc``, and measures of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _kinwood


def quality_measures() -> list[dict[str, Any]]:
    """Every measure of quality: name, title, summary, formula, whether greater is better, and what it needs.

    >>> import kinwood
    >>> [measure["name"] for measure in kinwood.quality_measures() if measure["needs"] == "classes"][:3]
    ['accuracy', 'balanced_accuracy', 'f1']
    """
    return json.loads(_kinwood.quality_measures())


def register_measure(
    name: str,
    function: Callable[..., float | None] | None = None,
    *,
    greater_is_better: bool = True,
    needs: str = "classes",
) -> Any:
    """Makes a Python function a measure of quality under a name: :func:`scorer` takes the name, and reports have it beside the others.

    The function gets what is true and what is predicted of the rows whose truth is known, and gives a finite number, or None where the
    rows define none. Rows with weights come with ``sample_weight=``. What it raises is raised where the measure is used. Registered
    again, the name means the new function. It is known in this process only.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and underscores; not the name of a measure that Kinwood comes with.
    function : callable
        The measure; without it this is a decorator.
    greater_is_better : bool
        Whether a greater value is a better one.
    needs : {"classes", "probabilities", "numbers", "labels"}
        What it is computed from. `classes`: two arrays of classes as text. `probabilities`: an array of classes as text and a matrix
        with a column for each class, in the order of their texts. `numbers`: two arrays of numbers. `labels`: two matrices of truth
        values with a column for each label, of sets of labels.

    Examples
    --------
    >>> import kinwood
    >>> @kinwood.register_measure("largest_error", greater_is_better=False, needs="numbers")
    ... def largest_error(y_true, y_pred):
    ...     return abs(y_true - y_pred).max()
    >>> X, y = [[float(x)] for x in range(20)], [float(x) for x in range(20)]
    >>> model = kinwood.MeanRegressor().fit(X, y)
    >>> float(kinwood.scorer("largest_error")(model, X, y))
    -9.5
    """
    if function is None:

        def decorate(function: Callable[..., float | None]) -> Callable[..., float | None]:
            register_measure(name, function, greater_is_better=greater_is_better, needs=needs)
            return function

        return decorate
    _kinwood.register_measure(name, function, greater_is_better=greater_is_better, needs=needs)
    return function


def scorer(name: str) -> Scorer:
    """A scorer for scikit-learn, such as the `scoring` of ``cross_val_score``, by the name of a measure.

    >>> import kinwood
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[float(x % 10)] for x in range(40)], ["low" if x % 10 < 5 else "high" for x in range(40)]
    >>> scores = cross_val_score(kinwood.PCTClassifier(), X, y, scoring=kinwood.scorer("balanced_accuracy"))
    >>> print(*scores)
    1.0 1.0 1.0 1.0 1.0
    """
    return Scorer(name)


class Scorer:
    """Scores a fitted estimator on rows by a measure. Greater is better: a measure of which less is better is taken negative.

    Rows that do not define the measure score NaN.
    """

    def __init__(self, name: str) -> None:
        known = {measure["name"]: measure for measure in quality_measures()}
        if name not in known:
            # The extension says which name is near, or which names there are.
            _kinwood.score_numbers(name, np.empty(0), np.empty(0), None)
        self.name = name
        self.greater_is_better: bool = known[name]["greater_is_better"]
        self.needs: str = known[name]["needs"]
        if self.needs == "labels":
            raise ValueError(f"`{name}` is a measure of sets of labels; a scorer is of classes or numbers")

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        score = self._of_numbers(estimator, X, y, weights) if self.needs == "numbers" else self._of_classes(estimator, X, y, weights)
        if score is None:
            return float("nan")
        return score if self.greater_is_better else -score

    def _of_numbers(self, estimator: Any, X: Any, y: Any, weights: Any) -> float | None:
        truth = np.ascontiguousarray(y, dtype=np.float64)
        predicted = np.ascontiguousarray(estimator.predict(X), dtype=np.float64)
        if truth.ndim != 1 or predicted.ndim != 1:
            raise ValueError("a scorer is of one target")
        return _kinwood.score_numbers(self.name, truth, predicted, weights)

    def _of_classes(self, estimator: Any, X: Any, y: Any, weights: Any) -> float | None:
        classes = list(estimator.classes_)
        if classes and isinstance(classes[0], np.ndarray):
            raise ValueError("a scorer is of one target")
        # Classes that occur here and were not learned stand behind, with no probability.
        known = {known: place for place, known in enumerate(classes)}
        for label in np.asarray(y).tolist():
            known.setdefault(label, len(known))
        shares = np.asarray(estimator.predict_proba(X), dtype=np.float64)
        probabilities = np.zeros((len(shares), len(known)))
        probabilities[:, : shares.shape[1]] = shares
        said = (y, estimator.predict(X))
        truth, predicted = (np.array([known[label] for label in np.asarray(given).tolist()], np.int64) for given in said)
        names = [str(label) for label in known]
        return _kinwood.score_classes(self.name, truth, predicted, probabilities.ravel(), names, weights)

    def __repr__(self) -> str:
        return f"kinwood.scorer({self.name!r})"
