"""What all estimators share: from data to a model of the extension, and what it says, shows and explains."""

from __future__ import annotations

import copy
import inspect
import json
import logging
import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import RegressorTags, check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d, validate_data

from . import _input, _names
from ._data import Rows, owner_of
from ._everyday import Everyday, appends, available
from ._kinwood import Column, Data, Model, Work
from ._kinwood import fit as _fit
from ._looking import Looking

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self

log = logging.getLogger("kinwood")

MATRIX_ROW = "tuple<at: numeric, row: list<numeric>>"
"""A row of a matrix of distances or kernel values, as the extension looks values up."""
CUT_SHORT = "stopped before"
"""How the notice of a search begins that ran out of time."""
Kind = TypeVar("Kind")


class Estimator(Looking, Everyday, BaseEstimator):
    """A learner of the extension with scikit-learn's conventions."""

    value_type_: str | None
    classes_: Any
    notices_: list[str]
    random_state: Any
    n_jobs: Any
    memory: Any
    time: Any
    progress: Any

    _orders: list[np.ndarray | None]

    _learner: ClassVar[str]
    _settings: ClassVar[Mapping[str, tuple[str, str]]]
    """For each parameter the learner's name of it, and the learner's default as text."""
    _fixed: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Settings that the class stands for."""
    _several: ClassVar[bool] = False
    """Whether it predicts several targets at once."""
    _baseline: ClassVar[bool] = False
    """Whether it is a yardstick, that good scores are not asked of."""
    _ordered: ClassVar[bool] = False
    """Whether classes are known in their own order rather than by first appearance: where one answer serves all rows, a tie is of all."""
    _sets: ClassVar[bool] = False
    """Whether it predicts sets of labels."""

    # ----- data -----

    def _rows(self, X: Any, *, reset: bool) -> Data:
        """The data as the extension has it; columns are remembered when `reset` and checked otherwise."""
        X = owner_of(X)
        by = self._matrix_of(X) if reset else getattr(self, "_matrix", None)
        if by is not None:
            return self._matrix_rows(X, by, reset)
        if isinstance(X, Rows):
            if reset:
                self._remember(X.inputs, None)
            return X._data
        if _input.library(X) == "polars" and hasattr(X, "collect"):
            X = X.collect()
        if _input.is_values(X):
            return self._values(X, reset)
        if not reset and getattr(self, "value_type_", None) is not None and isinstance(X, (list, tuple, np.ndarray)):
            return self._values(X, reset)
        if isinstance(X, (list, tuple)) and len(X) and all(isinstance(row, Mapping) for row in X):
            data = _input.records(X, roles=True)
            if reset:
                self._remember([name for name, *_ in data.columns], None)
            return data
        if _input.is_frame(X):
            if not hasattr(X, "shape"):
                data = _input.frame(X, roles=True)
                if reset:
                    self._remember([name for name, *_ in data.columns], None)
                return data
            validate_data(self, X, skip_check_array=True, reset=reset)
            # Fitted on an array, or with names that are no texts, columns are known by their places.
            placed = getattr(self, "feature_names_in_", None) is None and (reset or self.value_type_ is None)
            data = _input.frame(_input.placed(X) if placed else X, roles=True)
            if len(data) == 0:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
            if reset:
                self.value_type_ = None
            return data
        if _mixed(X):
            rows = np.asarray(X, dtype=object)
            validate_data(self, rows, skip_check_array=True, reset=reset)
            if reset:
                self.value_type_ = None
            known = getattr(self, "feature_names_in_", None)
            return _input.records(list(rows), named=None if known is None else [str(name) for name in known], roles=True)
        checked = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset)
        if reset:
            self.value_type_ = None
        known = getattr(self, "feature_names_in_", None)
        return _input.matrix(checked, _input.names(checked.shape[1]) if known is None else [str(name) for name in known])

    def _matrix_of(self, X: Any) -> Any:
        """What a matrix is computed by that the learner is given instead of rows, if any."""
        self._matrix = _names.matrix_metric(self, _is_plain(X))
        return self._matrix

    def _matrix_rows(self, X: Any, by: Any, reset: bool) -> Data:
        """The rows of a matrix of distances or kernel values with the training rows."""
        if isinstance(X, Rows):
            raise ValueError(
                f"`{getattr(by, '__name__', by)}` is of vectors or of values, not of the rows of a {type(X).__name__}: "
                "`kinwood.register_distance` makes a function a distance of these"
            )
        if by == "precomputed" or _is_plain(X):
            rows = validate_data(self, X, dtype=np.float64, reset=reset)
        else:
            rows = list(X)
            if reset:
                self._remember([_input.VALUE], "values")
        if reset:
            self.value_type_ = None
            self._fit_X = None if by == "precomputed" else rows
        if by == "precomputed":
            if reset and rows.shape[0] != rows.shape[1]:
                raise ValueError(f"a precomputed matrix is square, a row and a column for each training row, not of shape {rows.shape}")
            values = rows
        else:
            values = _names.matrix(self, rows, self._fit_X, by)
        if not np.isfinite(values).all():
            raise ValueError(f"`{getattr(by, '__name__', by)}` gave a value that is no finite number")
        listed = [(place if reset else -1, row) for place, row in enumerate(values.tolist())]
        return Data.table("values", [(_input.VALUE, Column.values(listed, of=MATRIX_ROW))])

    def _values(self, X: Any, reset: bool) -> Data:
        if not reset:
            of = getattr(self, "value_type_", None)
            if of is None:
                raise ValueError(
                    f"{type(self).__name__} was fitted on columns {', '.join(self._model_inputs()[:8])}: "
                    "give rows with those, not one list of values"
                )
            return _input.values(X, of)
        data = _input.values(X)
        self._remember([_input.VALUE], data.columns[0][1])
        return data

    def _remember(self, names: list[str], of: str | None) -> None:
        self.n_features_in_ = len(names)
        self.value_type_ = of
        if of is None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _model_inputs(self) -> list[str]:
        return [name for name, _, role in self.model_.columns if role == "input" and name not in self.model_.targets]

    # ----- fitting -----

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learns from rows.

        Parameters
        ----------
        X : array, frame, list of values, Table or Database
            The rows.
        y : array or frame, optional
            What is to be predicted; where it is not given, the target that a :class:`Database` or :class:`Table` names.
        sample_weight : array, optional
            How much each row counts; 1 unless said. Only shares matter: multiplying all weights changes nothing.
        """
        return self._fit(X, y, sample_weight)

    @available(appends)
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> Self:
        """Learns from more rows, beside those that are known already; the first call fits.

        Parameters
        ----------
        X : array, frame, list of values, Table or Database
            More rows.
        y : array or frame, optional
            What is to be predicted of them; where it is not given, the target that `X` names.
        classes : array, optional
            All classes that there will be. Classes that come later are taken as they come.

        What a distance takes from data, such as the ranges of columns, is that of the first rows.
        """
        if not hasattr(self, "model_"):
            self._fit(X, y)
            self._more_classes(classes)
            return self
        if getattr(self, "_matrix", None) is not None:
            raise ValueError("partial_fit is not for matrices of distances, nor for functions as metric: fit on all rows")
        X = owner_of(X)
        data = self._rows(X, reset=False)
        other = clone(self)
        targets = other._targets_of(y, X._targets if isinstance(X, Rows) else [], data)
        if len(targets) != self.n_outputs_:
            raise ValueError(f"the model predicts {self.n_outputs_} targets, and {len(targets)} are given")
        named = [(name, column) for name, (_, column) in zip(self.model_.targets, targets)]
        self.model_ = self.model_.appended(data, named, f"{self!r}.partial_fit(X, y)", self._work())
        if hasattr(self, "classes_"):
            self._more_classes(other.classes_)
            self._more_classes(classes)
        self._appended(data)
        self.notices_ = [*self.notices_, *data.notices, *self.model_.notices]
        self._tell([*data.notices, *self.model_.notices])
        return self

    def _more_classes(self, classes: Any) -> None:
        """Takes classes beside those that are known; they stay in order."""
        if classes is None or not hasattr(self, "classes_"):
            return
        if self.n_outputs_ == 1:
            self.classes_ = np.unique(np.concatenate([self.classes_, np.asarray(classes)]))
        else:
            self.classes_ = [np.unique(np.concatenate([own, np.asarray(more)])) for own, more in zip(self.classes_, classes)]
        # The places of the model's labels among them are looked up by name.
        self._orders = [None] * self.n_outputs_

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        # A fit that fails leaves nothing of the one before.
        if hasattr(self, "model_"):
            del self.model_
        X = owner_of(X)
        work = self._work()
        data = self._rows(X, reset=True)
        named = X._targets if isinstance(X, Rows) else []
        targets = self._targets_of(y, named, data)
        if len(targets) > 1 and not self._several:
            raise ValueError(f"{type(self).__name__} predicts one target, and {len(targets)} are given")
        weights = self._row_weights(sample_weight, targets, data)
        weighing, kept = None, None
        if weights is not None:
            counting = np.flatnonzero(weights > 0)
            if 0 < len(counting) < len(weights):
                # What does not count is not there: no threshold is put beside its values, and no spread is of them.
                data = data.select(counting.astype(np.int64))
                targets = [(name, column.take(counting.astype(np.int64))) for name, column in targets]
                weights, kept = weights[counting], counting
            scaled = _input.relative(weights)
            weighing = None if scaled is None else Column.numbers(scaled)
        settings = self._given(self._shape(data, [name for name, _ in targets], weights is not None))
        self.model_: Model = _fit(data, targets, self._learner, settings, weights=weighing, command=f"{self!r}.fit(X, y)", work=work)
        self.n_outputs_ = len(targets)
        self.notices_ = [*data.notices, *self.model_.notices]
        if self._learner == "knn":
            self._stored = [(np.arange(len(data)) if kept is None else kept, data)]
        self._tell(self.notices_)
        for notice in self.model_.notices:
            if notice.startswith(CUT_SHORT):
                warnings.warn(notice, ConvergenceWarning, stacklevel=3)
        return self

    def _row_weights(self, sample_weight: Any, targets: list[tuple[str, Column]], data: Data) -> np.ndarray | None:
        """How much rows count: what is given, times the weights of their classes."""
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, np.empty((len(data), 0)), dtype=np.float64, ensure_non_negative=True)
            if not np.any(weights > 0):
                raise ValueError("sample_weight is 0 for every row: there is nothing to learn from")
        classes = getattr(self, "class_weight", None)
        if classes is None or self._learner not in _names.TREES:
            return weights
        if len(targets) > 1 or not hasattr(self, "classes_"):
            raise ValueError("class_weight is of the classes of one target")
        if isinstance(classes, str) and classes != "balanced":
            raise ValueError(f"class_weight is `balanced` or a dictionary from classes to numbers, not {classes!r}")
        names = {written(label): label for label in self.classes_.tolist()}
        truth = np.array([names.get(label, label) for label in targets[0][1].to_list()], dtype=object)
        if isinstance(classes, Mapping):
            unknown = [label for label in classes if label not in set(truth.tolist())]
            if unknown:
                raise ValueError(f"class_weight has a weight of the class {unknown[0]!r}, which y does not have")
            by_class = np.array([float(classes.get(label, 1.0)) for label in truth.tolist()])
        else:
            by_class = compute_sample_weight("balanced", np.array([str(label) for label in truth.tolist()]))
        return by_class if weights is None else weights * by_class

    def _shape(self, data: Data, targets: list[str], weighted: bool) -> _names.Shape:
        """What the meaning of parameters depends on."""
        inputs = [(name, of) for name, of, role in data.columns if role == "input" and name not in targets]
        names = [name for name, _ in inputs]
        alone = len(data.all_tables) == 1
        return _names.Shape(
            rows=len(data),
            names=names,
            numeric=alone and bool(inputs) and all(of == "numeric" for _, of in inputs),
            numbers=lambda: np.column_stack([np.array(data.column(name).to_list(), dtype=np.float64) for name in names]),
            weighted=weighted,
        )

    def _targets_of(self, y: Any, named: list[str], data: Data) -> list[tuple[str, Column]]:
        raise NotImplementedError

    def _answers(self, y: Any, data: Data) -> np.ndarray:
        """One answer a row, or a column each of several targets where the learner has several."""
        values = y.to_numpy() if _input.library(y) in ("pandas", "polars") else np.asarray(y)
        if values.ndim != 2 or values.shape[1] == 1 or not self._several:
            values = column_or_1d(values, warn=True)
        self._check_length(values, data)
        return values

    def _check_length(self, y: Any, data: Data) -> None:
        if len(y) != len(data):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(data), len(y)]}")

    def _required(self) -> ValueError:
        return ValueError(
            f"{type(self).__name__} requires y to be passed, but the target y is None; a Database or Table may name its target instead."
        )

    def _given(self, shape: _names.Shape) -> list[tuple[str, str]]:
        """Parameters that differ from the learner's defaults, as the learner's settings."""
        if getattr(self, "_matrix", None) is not None:
            measure = "precomputed" if self._learner == "knn" else "precomputed_kernel"
            stated = {"distance" if self._learner == "knn" else "kernel": measure}
        else:
            stated = {}
        found = {**_names.translated(self, shape), **stated}
        given = dict(self._fixed)
        for parameter, (name, default) in self._settings.items():
            value = found[name] if name in found else getattr(self, parameter, None)
            if value is None or name in given:
                continue
            text = written(value)
            if text != default and not _same_number(text, default):
                given[name] = text
            elif name in found and "preset" in self._settings and default != "none":
                given[name] = text
        return list(given.items())

    def _work(self) -> Work:
        state = self.random_state
        if state is None:
            seed = 1
        elif isinstance(state, (int, np.integer)):
            if state < 0:
                raise ValueError(f"random_state is a whole number from 0, not {state}")
            seed = int(state)
        else:
            seed = int(check_random_state(state).randint(np.iinfo(np.int32).max))
        progress = self.progress
        if progress == "auto" and getattr(self, "verbose", None):
            progress = True
        return _input.work(n_jobs=self.n_jobs, seed=seed, memory=self.memory, time=self.time, progress=progress)

    def _tell(self, notices: list[str]) -> None:
        for notice in notices:
            log.info("%s: %s", type(self).__name__, notice)

    # ----- predicting -----

    def _predictions(self, X: Any) -> list[dict[str, Any]]:
        check_is_fitted(self, "model_")
        answers, notices = self.model_.predict(self._rows(X, reset=False), self._work())
        self._tell(notices)
        return answers

    def _truth(self, X: Any, y: Any) -> Any:
        """What is to be predicted of rows: given, or the target that they name."""
        X = owner_of(X)
        if y is not None:
            return y
        if isinstance(X, Rows) and X._targets:
            return X.y
        raise ValueError(f"{type(self).__name__}.score requires y, or a Database or Table that names its target")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.pairwise = any(
            isinstance(getattr(self, name, None), str) and getattr(self, name) == "precomputed" for name in ("metric", "kernel", "distance")
        )
        tags.target_tags.required = True
        tags.target_tags.single_output = True
        tags.target_tags.multi_output = self._several
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    # ----- files -----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a `.kin` file, wholly or not at all; :func:`kinwood.load` and the command read it."""
        check_is_fitted(self, "model_")
        if self.model_.chosen is not None:
            place = self.model_.chosen - 1
            raise ValueError(
                f"a file holds a set of models as a whole: save the set, and take `members_[{place}]` of what is loaded, "
                f"or save `pick({place + 1})` of the set"
            )
        self.model_.save(os.fspath(path), _input.work())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """Reads a `.kin` file that this kind of estimator or the command wrote."""
        from ._loading import load

        return load(path, cls)

    @property
    def members_(self) -> list[Any]:
        """The models of a set of models, each an estimator of its own, best first; a model that is one is its only member."""
        check_is_fitted(self, "model_")
        count = self.model_.members
        if count == 1:
            return [self]
        members = []
        for number in range(1, count + 1):
            member = copy.copy(self)
            member.model_ = self.model_.member(number)
            members.append(member)
        return members

    def pick(self, member: int) -> Any:
        """One of a set of models as an estimator of its own, which can be saved: it holds nothing of the others.

        Parameters
        ----------
        member : int
            Its number from 1, as :meth:`members_table` lists them. A model that is no set is its only member.
        """
        check_is_fitted(self, "model_")
        alone = copy.copy(self)
        alone.model_ = self.model_.pick(member, f"pick({member})")
        return alone

    def to_json(self) -> Any:
        """The model as plain Python values: what `kinwood show --json` tells of it."""
        check_is_fitted(self, "model_")
        return json.loads(self.model_.to_json())


def documented(kind: type[Kind]) -> type[Kind]:
    """Puts what the parameters of an estimator mean into its documentation: estimators of one learner share them."""
    shared = next(base for base in kind.__mro__ if base.__name__.endswith("Parameters"))
    own, parameters = inspect.cleandoc(kind.__doc__ or ""), inspect.cleandoc(shared.__doc__ or "")
    before, attributes, after = own.partition("Attributes\n----------\n")
    kind.__doc__ = f"{before}{parameters}\n\n{attributes}{after}"
    return kind


def written(value: Any) -> str:
    """A parameter's value as a learner's setting is written."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, Mapping):
        return ",".join(f"{name}={written(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(written(part) for part in value)
    return str(value)


def _same_number(a: str, b: str) -> bool:
    try:
        return float(a) == float(b)
    except ValueError:
        return False


def _is_plain(X: Any) -> bool:
    """Whether rows are of numbers alone."""
    if isinstance(X, np.ndarray):
        return X.ndim == 2 and X.dtype.kind in "iufb"
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and not _input.is_values(X) and not _mixed(X) and not isinstance(X[0], Mapping)
    if _input.library(X) == "pandas" and hasattr(X, "columns"):
        return all(getattr(kind, "kind", "O") in "iufb" for kind in X.dtypes)
    if _input.library(X) == "polars" and hasattr(X, "schema"):
        return all(kind.is_numeric() for kind in X.dtypes)
    return False


def _mixed(X: Any) -> bool:
    """Whether rows hold more than numbers: texts, or values with structure."""
    if isinstance(X, np.ndarray):
        if X.ndim != 2 or X.dtype.kind not in "OUS":
            return False
        cells = X.ravel().tolist()
    elif isinstance(X, (list, tuple)) and len(X) and all(isinstance(row, (list, tuple)) for row in X):
        cells = [cell for row in X for cell in row]
    else:
        return False
    return any((isinstance(cell, (list, tuple)) or _input.is_structure(cell)) and not _numeric(cell) for cell in cells)


def _numeric(cell: Any) -> bool:
    """Whether it is a text that is a number."""
    if not isinstance(cell, str):
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def target_names(y: Any, named: list[str], width: int, data: Data) -> list[str]:
    """What targets are called: as the data says, as the frame says, or `y`."""
    if len(named) == width:
        return list(named)
    taken = {name for name, *_ in data.columns}
    if _input.library(y) in ("pandas", "polars"):
        given = getattr(y, "name", None) if width == 1 and not hasattr(y, "columns") else None
        names = [str(given)] if given not in (None, "") else [str(name) for name in getattr(y, "columns", [])]
        if len(names) == width and not taken.intersection(names):
            return names
    base = "y"
    while any(name == base or name.startswith(f"{base}_") for name in taken):
        base = f"{base}_"
    return [base] if width == 1 else [f"{base}_{place}" for place in range(width)]


class _Answered:
    """An estimator whose predictions are there already."""

    def __init__(self, predicted: np.ndarray) -> None:
        self._predicted = predicted

    def predict(self, X: Any) -> np.ndarray:
        return self._predicted


def same_as_default(estimator: Any, name: str) -> bool:
    """Whether a parameter is what its class has by default."""
    return not _names.is_given(estimator, name)


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator of classes predicts probabilities."""
    return bool(estimator._gives_probabilities())


class Classifier(ClassifierMixin, Estimator):
    """An estimator whose targets are classes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self._baseline
        return tags

    def _targets_of(self, y: Any, named: list[str], data: Data) -> list[tuple[str, Column]]:
        if y is None:
            if not named:
                raise self._required()
            return self._named_targets(named, data)
        if self._sets and _is_sets(y):
            self._check_length(y, data)
            column = Column.values([set(map(str, labels)) for labels in y], of="set<nominal>")
            self._keep([np.array(sorted({str(label) for labels in y for label in labels}), dtype=object)], [None])
            return [(target_names(y, named, 1, data)[0], column)]
        ordered = self._ordered_labels(y, named, data)
        if ordered is not None:
            return ordered
        values = self._answers(y, data)
        unknown = values != values if values.dtype != object else [value is None or value != value for value in values.ravel().tolist()]
        if np.any(unknown):
            raise ValueError("Input y contains NaN or None: rows without a class are left out before fitting.")
        check_classification_targets(values)
        columns = [values] if values.ndim == 1 else [values[:, place] for place in range(values.shape[1])]
        encoded = [_encoded(column, self._ordered) for column in columns]
        self._keep([classes for classes, _, _ in encoded], [order for _, order, _ in encoded])
        names = target_names(y, named, len(columns), data)
        return [(name, column) for name, (_, _, column) in zip(names, encoded)]

    def _ordered_labels(self, y: Any, named: list[str], data: Data) -> list[tuple[str, Column]] | None:
        """Classes that have an order, as a pandas column of ordered categories states it, where the learner knows what that is."""
        if self._learner not in _names.TREES or not bool(getattr(getattr(y, "cat", None), "ordered", False)):
            return None
        self._check_length(y, data)
        column = _input.one_column(y)
        values = list(y.cat.categories)
        present = set(y.dropna().tolist())
        if len(present) < len(set(y.tolist())):
            raise ValueError("Input y contains NaN or None: rows without a class are left out before fitting.")
        classes = np.array(values) if all(isinstance(value, type(values[0])) for value in values) else np.array(values, dtype=object)
        if classes.dtype.kind in "US":
            classes = classes.astype(object)
        ranks = np.argsort(classes, kind="stable")
        places = np.empty_like(ranks)
        places[ranks] = np.arange(len(ranks))
        self._keep([classes[ranks]], [places])
        return [(target_names(y, named, 1, data)[0], column)]

    def _named_targets(self, named: list[str], data: Data) -> list[tuple[str, Column]]:
        columns = [data.column(name) for name in named]
        if [column.of for column in columns] == ["set<nominal>"] and self._sets:
            self._keep([np.array(sorted({label for labels in columns[0].to_list() for label in labels or ()}), dtype=object)], [None])
            return [(named[0], columns[0])]
        taken: list[tuple[str, Column]] = []
        classes: list[np.ndarray] = []
        orders: list[np.ndarray | None] = []
        for name, column in zip(named, columns):
            if column.of == "numeric":
                # Numbers that are classes stay numbers, as they are in `y`.
                numbers = np.array(column.to_list(), dtype=np.float64)
                if np.isnan(numbers).any():
                    raise ValueError(f"the target `{name}` has missing values: rows without a class are left out before fitting")
                check_classification_targets(numbers)
                values, order, column = _encoded(numbers, self._ordered)
            else:
                column = column if column.of == "nominal" else column.cast("nominal")
                labels = {label for label in column.to_list() if label is not None}
                values, order = np.array(sorted(labels), dtype=object), None
            taken.append((name, column))
            classes.append(values)
            orders.append(order)
        self._keep(classes, orders)
        return taken

    def _keep(self, classes: list[np.ndarray], orders: list[np.ndarray | None]) -> None:
        self._orders = orders
        self.classes_ = classes[0] if len(classes) == 1 else classes

    def _classes(self) -> list[np.ndarray]:
        return [self.classes_] if self.n_outputs_ == 1 else list(self.classes_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; a set of labels where sets were learned; a column each of several targets.

        Of classes that are equally probable, the one met first in training is predicted, as the command does.
        """
        return self._answered(self._predictions(X))

    def _answered(self, answers: list[dict[str, Any]]) -> NDArray[Any]:
        """What answers predict."""
        if answers[0]["kind"] == "labels":
            labels, shares = np.array(answers[0]["labels"], dtype=object), answers[0]["shares"]
            sets = np.empty(len(shares), dtype=object)
            sets[:] = [frozenset(labels[row >= 0.5]) for row in shares]
            return sets
        columns = []
        for answer, classes, places in zip(answers, self._classes(), self._places(answers)):
            columns.append(answer["numbers"] if answer["kind"] == "numbers" else classes[places[answer["codes"]]])
        if len(columns) == 1:
            return columns[0]
        # A model of the command may predict classes and numbers together.
        mixed = any(answer["kind"] == "numbers" for answer in answers)
        return np.column_stack([column.astype(object) for column in columns] if mixed else columns)

    def _gives_probabilities(self) -> bool:
        if "probabilities" not in self._settings:
            return True
        stated = getattr(self, "probability", None)
        own = not same_as_default(self, "probabilities")
        if (self.probabilities if own or stated is None else stated) is not False:
            return True
        raise AttributeError(f"predict_proba is not available when probabilities=False: {type(self).__name__} has decision_function")

    @available(_gives_probabilities)
    def predict_proba(self, X: Any) -> Any:
        """The probability of each class of `classes_`; a list of such arrays for several targets."""
        return self._probabilities(self._predictions(X))

    def _probabilities(self, answers: list[dict[str, Any]]) -> Any:
        """The probabilities of classes that answers tell."""
        probabilities: list[np.ndarray | None] = []
        for answer, classes, places in zip(answers, self._classes(), self._places(answers)):
            if answer["kind"] == "numbers":
                probabilities.append(None)
                continue
            ordered = np.zeros((len(answer["shares"]), len(classes)))
            kept = places >= 0
            ordered[:, places[kept]] = answer["shares"][:, kept]
            probabilities.append(ordered)
        return probabilities[0] if len(probabilities) == 1 else probabilities

    @available(gives_probabilities)
    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each class."""
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(each) for each in found] if isinstance(found, list) else np.log(found)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows whose class is right: of several targets all of them, of sets of labels the very set.

        Parameters
        ----------
        X : array, frame, list of values, Table or Database
            The rows.
        y : array or frame, optional
            Their classes; where it is not given, the target that `X` names.
        sample_weight : array, optional
            How much each row counts.
        """
        truth, predicted = self._truth(X, y), self.predict(X)
        if len(truth) != len(predicted):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(predicted), len(truth)]}")
        if _is_sets(list(predicted)):
            right = np.array([set(map(str, a)) == set(map(str, b)) for a, b in zip(truth, predicted)], dtype=float)
            return float(np.average(right, weights=sample_weight))
        truth = np.asarray(truth)
        if truth.ndim == 2 and truth.shape[1] == 1:
            truth = truth[:, 0]
        if truth.ndim == 2:
            pairs = zip(truth.tolist(), predicted.tolist())
            right = np.array([all(a == b for a, b in zip(*rows)) for rows in pairs], dtype=float)
            return float(np.average(right, weights=sample_weight))
        return float(ClassifierMixin.score(_Answered(predicted), None, truth, sample_weight))  # type: ignore[arg-type]

    def _label_places(self) -> dict[str, int]:
        """For each label that the model knows, its place in `classes_`."""
        labels = self.model_.classes(self.model_.targets[0]) or []
        order = self._orders[0]
        if order is not None:
            return {label: int(place) for label, place in zip(labels, order)}
        known = {written(label): place for place, label in enumerate(self._classes()[0])}
        return {label: known[label] for label in labels if label in known}

    def _places(self, answers: list[dict[str, Any]]) -> list[np.ndarray]:
        """For each label of the model, its place in `classes_`."""
        found = []
        for answer, classes, order in zip(answers, self._classes(), self._orders):
            if answer["kind"] == "numbers":
                found.append(np.array([], dtype=np.int64))
                continue
            if order is not None:
                found.append(order)
                continue
            place = {written(label): position for position, label in enumerate(classes)}
            found.append(np.array([place.get(label, -1) for label in answer["labels"]], dtype=np.int64))
        return found


class Regressor(RegressorMixin, Estimator):
    """An estimator whose targets are numbers."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._baseline
        return tags

    def _targets_of(self, y: Any, named: list[str], data: Data) -> list[tuple[str, Column]]:
        if y is None:
            if not named:
                raise self._required()
            told = [(name, data.column(name)) for name in named]
            for name, column in told:
                if column.of != "numeric":
                    raise ValueError(f"the target `{name}` is `{column.of}`, and {type(self).__name__} predicts numbers")
            return told
        values = self._answers(y, data)
        if np.iscomplexobj(values):
            raise ValueError("Complex data not supported")
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the target is not of numbers: {error}") from None
        if not np.isfinite(values).all():
            raise ValueError("Input y contains NaN or infinity.")
        self._spread = float(np.var(values)) if values.size else 0.0
        columns = [values] if values.ndim == 1 else list(values.T)
        names = target_names(y, named, len(columns), data)
        return [(name, Column.numbers(np.ascontiguousarray(column))) for name, column in zip(names, columns)]

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row; a column each of several targets."""
        return self._answered(self._predictions(X))

    def _answered(self, answers: list[dict[str, Any]]) -> NDArray[Any]:
        """What answers predict."""
        columns = [answer["numbers"] if "numbers" in answer else _values(answer["values"]) for answer in answers]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of the spread that is explained (R²).

        Parameters
        ----------
        X : array, frame, list of values, Table or Database
            The rows.
        y : array or frame, optional
            Their numbers; where they are not given, the target that `X` names.
        sample_weight : array, optional
            How much each row counts.
        """
        return float(RegressorMixin.score(_Answered(self.predict(X)), None, self._truth(X, y), sample_weight))  # type: ignore[arg-type]


def _values(values: list[Any]) -> np.ndarray:
    """Numbers as an array, series of one length as its rows, others as objects."""
    if len({len(value) if isinstance(value, list) else -1 for value in values}) == 1:
        return np.array(values, dtype=np.float64)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


class ByTarget(Classifier):
    """An estimator of classes or of numbers, whichever the target is."""

    _numbers = False

    def _targets_of(self, y: Any, named: list[str], data: Data) -> list[tuple[str, Column]]:
        if self.task not in ("classification", "regression"):
            raise ValueError(f"task is `classification` or `regression`, not `{self.task}`")
        self._numbers = self.task == "regression"
        if not self._numbers:
            return super()._targets_of(y, named, data)
        if hasattr(self, "classes_"):
            del self.classes_
        return Regressor._targets_of(self, y, named, data)  # type: ignore[arg-type]

    def predict(self, X: Any) -> NDArray[Any]:
        """The class or the number of each row; a column each of several targets."""
        return self._answered(self._predictions(X))

    def _answered(self, answers: list[dict[str, Any]]) -> NDArray[Any]:
        """What answers predict."""
        return Regressor._answered(self, answers) if self._numbers else super()._answered(answers)  # type: ignore[arg-type]

    def _has_classes(self) -> bool:
        return bool(self.task != "regression")

    @available(_has_classes)
    def predict_proba(self, X: Any) -> Any:
        """The probability of each class of `classes_`; a list of such arrays for several targets."""
        return super().predict_proba(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows whose class is right; of numbers the share of their spread that is explained (R²)."""
        scored = Regressor.score if self._numbers else Classifier.score
        return scored(self, X, y, sample_weight)  # type: ignore[arg-type]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not self._has_classes():
            tags.estimator_type = "regressor"
            tags.classifier_tags = None
            tags.regressor_tags = RegressorTags()
        return tags


def _is_sets(y: Any) -> bool:
    return isinstance(y, (list, tuple)) and len(y) > 0 and all(isinstance(labels, (set, frozenset)) for labels in y)


def _encoded(values: np.ndarray, ordered: bool) -> tuple[np.ndarray, np.ndarray, Column]:
    """The classes in order, the place among them of each label of the column, and the column.

    Unless it is to know them in their order, the column knows its labels by first appearance, as a file that is read does: ties and
    pairs of classes come out as they do for the command.
    """
    classes, codes = np.unique(values, return_inverse=True)
    codes = codes.ravel()
    _, first = np.unique(codes, return_index=True)
    order = np.arange(len(classes)) if ordered else np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    labels = [written(classes[place]) for place in order]
    if len(set(labels)) != len(labels):
        labels = [f"{label} #{place}" for place, label in enumerate(labels)]
    return classes, order, Column.labels(rank[codes].astype(np.int64), labels)

