"""The public checker on every estimator of the package, and on estimators that are deliberately wrong."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

import kinwood
from kinwood import check_structured_estimator
from kinwood._estimators import __all__ as NAMES
from kinwood.checking import kinds_of_data

KINDS = [*kinds_of_data(), "flattened"]
FLAT = ["numbers", "frame", "records", "tuples", "database", "flattened"]
BAGS = ["sets", "lists", "bags", "database", "arrow"]
TAKEN = {
    "M5Regressor": FLAT,
    # One attribute is enough for it: of a table it takes those it can read.
    "OneR": [*FLAT, "table", "arrow"],
    "MISVC": BAGS,
}
"""What estimators take that do not take everything."""


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_keeps_the_laws_on_all_it_takes(name):
    estimator = getattr(kinwood, name)()
    takes = TAKEN.get(name, [kind for kind in KINDS if kind != "flattened" or "flatten" in estimator.get_params()])
    found = check_structured_estimator(estimator)
    assert {kind for kind, outcome in found.items() if outcome.supported} == set(takes)
    refused = {f"{kind} as {way}": said for kind, outcome in found.items() for way, said in outcome.refused.items()}
    assert not refused


@pytest.mark.parametrize(
    "estimator",
    [
        kinwood.BeamSearch(task="regression"),
        kinwood.KNeighborsClassifier(k=3, weights="inverse"),
        kinwood.PCTClassifier(search="best_first"),
        kinwood.OneR(flatten="p1"),
        kinwood.M5Regressor(flatten="p1"),
        kinwood.MIRTRegressor(preset="best"),
    ],
    ids=repr,
)
def test_settings_break_no_law(estimator):
    check_structured_estimator(estimator)


# ----- somebody else's estimators -----


class Lengths(ClassifierMixin, BaseEstimator):
    """Classifies texts by their lengths: small, right, and not ours."""

    def __init__(self, n_jobs=None):
        self.n_jobs = n_jobs

    def features(self, X):
        values = list(X)
        if not all(isinstance(value, str) for value in values):
            raise ValueError("Lengths takes a list of texts only")
        if not values:
            raise ValueError("there is no text")
        return np.array([len(value) for value in values])

    def fit(self, X, y=None):
        if y is None:
            raise ValueError("Lengths needs y, the classes")
        lengths = self.features(X)
        if len(lengths) != len(y):
            raise ValueError("X and y have different lengths")
        if any(label is None for label in y):
            raise ValueError("y has missing values")
        y = np.asarray(y)
        self.classes_ = np.unique(y)
        self.means_ = np.array([lengths[y == label].mean() for label in self.classes_])
        return self

    def predict_proba(self, X):
        check_is_fitted(self)
        far = np.abs(self.features(X)[:, None] - self.means_[None, :]) + 1e-3
        return (1 / far) / (1 / far).sum(axis=1, keepdims=True)

    def predict(self, X):
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


def test_somebody_elses_estimator_passes():
    found = check_structured_estimator(Lengths())
    assert [kind for kind, outcome in found.items() if outcome.supported] == ["strings"]
    assert "tuple" in found["strings"].ways
    assert "texts only" in found["sets"].reason
    assert list(check_structured_estimator(Lengths(), kinds=["strings"])) == ["strings"]


def test_what_others_have_wrong_is_found():
    letters = make_pipeline(CountVectorizer(analyzer="char"), LogisticRegression())
    with pytest.raises(AssertionError, match=r"Pipeline on strings: missing values .*AttributeError: 'NoneType'"):
        check_structured_estimator(letters, kinds=["strings"])


def test_pipelines_of_others_and_ours_pass():
    """Kinds that are stated are the only ones looked at: what a step says of others is its own affair."""
    check_structured_estimator(make_pipeline(FunctionTransformer(), kinwood.KNeighborsClassifier()), kinds=["strings", "trees"])


class Numbers(LogisticRegression):
    def fit(self, X, y=None):
        if not isinstance(X, np.ndarray) or X.dtype.kind != "f":
            raise ValueError("a matrix of numbers is expected")
        return super().fit(X, y)


def test_an_estimator_of_numbers_alone_does_not_pass():
    with pytest.raises(AssertionError, match="Numbers: it takes no structured data"):
        check_structured_estimator(Numbers())


def test_a_kind_that_is_asked_for_must_be_taken():
    with pytest.raises(AssertionError, match=r"Lengths on sets: it must take them.*texts only"):
        check_structured_estimator(Lengths(), kinds=["strings", "sets"])


def test_kinds_are_checked():
    with pytest.raises(ValueError, match="no kind of data `words`"):
        check_structured_estimator(Lengths(), kinds=["words"])
    with pytest.raises(TypeError, match="list"):
        check_structured_estimator(Lengths(), kinds="strings")
    with pytest.raises(AssertionError, match="neither a classifier nor a regressor"):
        check_structured_estimator(BaseEstimator(), kinds=["strings"])


def test_the_estimator_itself_is_left_alone():
    estimator = Lengths()
    check_structured_estimator(estimator, kinds=["strings"])
    assert not hasattr(estimator, "classes_")


# ----- wrong ones -----


class NoSelf(Lengths):
    def fit(self, X, y=None):
        super().fit(X, y)


class Unsorted(Lengths):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.classes_, self.means_ = self.classes_[::-1], self.means_[::-1]
        return self


class NotOne(Lengths):
    def predict_proba(self, X):
        return super().predict_proba(X) * 0.9


class OtherClass(Lengths):
    def predict(self, X):
        shares = self.predict_proba(X)
        return self.classes_[shares.argmin(axis=1)]


class TwoColumns(Lengths):
    def predict(self, X):
        return super().predict(X)[:, None]


class Unfitted(Lengths):
    def predict(self, X):
        if not hasattr(self, "classes_"):
            return np.array(["high"] * len(X), dtype=object)
        return super().predict(X)


class Remembers(Lengths):
    def fit(self, X, y=None):
        before = getattr(self, "means_", None)
        super().fit(X, y)
        if before is not None and len(before) == len(self.means_):
            self.means_ = (self.means_ + 9 * before) / 10
        return self


class Changes(Lengths):
    def fit(self, X, y=None):
        super().fit(X, y)
        if isinstance(X, list):
            X[0] = X[0] + "!"
        return self


class Parameters(Lengths):
    def fit(self, X, y=None):
        self.n_jobs = 3
        return super().fit(X, y)


class Threads(Lengths):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.means_ = self.means_ + (5.0 if self.n_jobs == 2 else 0.0) * np.arange(2)
        return self


class Neighbours(Lengths):
    """Looks at the other rows that it is asked about."""

    def predict_proba(self, X):
        shares = super().predict_proba(X)
        return shares if len(shares) > 20 else shares[::-1]


class Pickles(Lengths):
    def __getstate__(self):
        state = super().__getstate__()
        if "means_" in state:
            state["means_"] = state["means_"][::-1]
        return state


class Ways(Lengths):
    def features(self, X):
        return super().features(X) + (10 if isinstance(X, tuple) else 0)


class Missing(Lengths):
    def features(self, X):
        super().features([value for value in X if value is not None])
        return np.array([len(value) for value in X])


class Breaks(Lengths):
    def fit(self, X, y=None):
        if not isinstance(X[0], str):
            raise KeyError("x")
        return super().fit(X, y)


class Silent(Lengths):
    def features(self, X):
        try:
            return super().features(X)
        except ValueError:
            raise ValueError("") from None


class NoTarget(Lengths):
    def fit(self, X, y=None):
        return super().fit(X, ["high", "low"] * (len(X) // 2) if y is None else y)


class Shorter(Lengths):
    def fit(self, X, y=None):
        return super().fit(list(X)[: len(y)] if y is not None else X, y)


class TakesAnything(Lengths):
    def features(self, X):
        if not len(X):
            raise ValueError("there is no text")
        return np.array([len(str(value)) for value in X])


class Random(Lengths):
    drawn = 0

    def fit(self, X, y=None):
        super().fit(X, y)
        Random.drawn += 1
        self.means_ = self.means_ + Random.drawn
        return self


@pytest.mark.parametrize(
    ("wrong", "law"),
    [
        (NoSelf, "fit returns the estimator"),
        (Unsorted, "classes_ are the classes"),
        (NotOne, "add up to 1"),
        (OtherClass, "most probable class"),
        (TwoColumns, "a value for each row"),
        (Unfitted, "NotFittedError"),
        (Remembers, "a second fit forgets"),
        (Changes, "data is not changed"),
        (Parameters, "fit changes parameters"),
        (Threads, "n_jobs=2"),
        (Neighbours, "whatever rows stand beside"),
        (Pickles, "pickled and predicts the same"),
        (Ways, "given as tuple"),
        (Missing, "missing values are taken or refused by ValueError"),
        (Breaks, "is refused by ValueError, TypeError or NotImplementedError"),
        (Silent, "a refusal says why"),
        (NoTarget, "fit without y"),
        (Shorter, "another length"),
        (TakesAnything, "other columns than those of fit"),
        (Random, "the same data gives the same model"),
    ],
    ids=lambda given: getattr(given, "__name__", None),
)
def test_wrong_estimators_are_caught(wrong, law):
    with pytest.raises(AssertionError, match=rf"^{wrong.__name__} on \w+: .*({law})"):
        check_structured_estimator(wrong(), kinds=None if wrong in (Breaks, Silent) else ["strings"])


class ByPlace(RegressorMixin, BaseEstimator):
    """Takes columns of frames by their places."""

    def fit(self, X, y):
        if not hasattr(X, "iloc"):
            raise TypeError("a frame of pandas is expected")
        self.slope_ = np.polyfit(self.first(X), np.asarray(y, dtype=float), 1)
        return self

    def first(self, X):
        if not hasattr(X, "iloc"):
            raise TypeError("a frame of pandas is expected")
        if "size" not in X:
            raise ValueError("there is no column size")
        column = X.iloc[:, 0]
        return np.array([len(value) if isinstance(value, str) else value for value in column], dtype=float)

    def predict(self, X):
        if not hasattr(self, "slope_"):
            raise NotFittedError("fit it before you ask")
        return np.polyval(self.slope_, self.first(X))


def test_columns_taken_by_place_are_caught():
    pytest.importorskip("pandas")
    with pytest.raises(AssertionError, match=r"ByPlace on frame: .*(another order|missing values|on no rows|length)"):
        check_structured_estimator(ByPlace(), kinds=["frame"])


class Loses(kinwood.PCTClassifier):
    """Writes a model that is not its own."""

    def save(self, path):
        kinwood.PCTClassifier(depth=1).fit([[1.0], [2.0]] * 6, ["high", "low"] * 6).save(path)


def test_a_wrong_file_is_caught():
    with pytest.raises(AssertionError, match="a saved estimator"):
        check_structured_estimator(Loses(), kinds=["sets"])
