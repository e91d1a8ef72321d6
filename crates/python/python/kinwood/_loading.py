"""Model files as estimators."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from . import _input
from ._base import ByTarget, Classifier
from ._kinwood import Model


def load(path: str | os.PathLike[str], kind: Any = None) -> Any:
    """Reads a `.kin` file as the estimator that it is of, whoever wrote it: Python, the command or Rust.

    Classes are texts in the file; where all of them are whole numbers they are numbers again. `kind` may be the class that is wanted.

    >>> import kinwood, os, tempfile
    >>> rule = kinwood.OneR().fit([[1.0], [2.0], [8.0], [9.0]] * 6, [0, 0, 1, 1] * 6)
    >>> path = os.path.join(tempfile.mkdtemp(), "rule.kin")
    >>> rule.save(path)
    >>> kinwood.load(path).predict([[1.5], [8.5]])
    array([0, 1])
    """
    model = Model.load(os.fspath(path), _input.work())
    found = kind_of(model)
    if kind is None or issubclass(found, kind):
        kind = found
    elif kind._learner != model.learner or not set(kind._fixed) <= set(model.settings) or _numbers(model) != issubclass(kind, RegressorMixin):
        raise ValueError(f"`{os.fspath(path)}` holds a {found.__name__}, not a {kind.__name__}")
    return of_model(model, kind)


def _numbers(model: Model) -> bool:
    """Whether it predicts numbers."""
    columns = {name: of for name, of, _ in model.columns}
    return any(columns[target] == "numeric" for target in model.targets)


def kind_of(model: Model) -> Any:
    """The class that a model is of: the most special one that its settings fit."""
    from ._estimators import LEARNERS

    stated = set(model.settings)
    fitting = [kind for kind in LEARNERS[model.learner] if set(kind._fixed) <= stated]
    special = [kind for kind in fitting if kind._fixed] or fitting
    return special[-1 if _numbers(model) else 0]


def of_model(model: Model, kind: Any) -> Any:
    """The fitted estimator of a model."""
    classes = [model.classes(target) for target in model.targets]
    columns = {name: of for name, of, _ in model.columns}
    estimator = kind(**_parameters(kind, model))
    if isinstance(estimator, ByTarget) and _numbers(model):
        estimator.task = "regression"
        estimator._numbers = True
    estimator.model_ = model
    inputs = [name for name, _, role in model.columns if role == "input"]
    estimator.n_features_in_ = len(inputs)
    estimator.n_outputs_ = len(model.targets)
    estimator.notices_ = []
    estimator.value_type_ = columns[_input.VALUE] if inputs == [_input.VALUE] else None
    if estimator.value_type_ is None and inputs != _input.names(len(inputs)):
        estimator.feature_names_in_ = np.array(inputs, dtype=object)
    if isinstance(estimator, Classifier) and not _numbers(model):
        _restore_classes(estimator, classes)
    return estimator


def _parameters(kind: Any, model: Model) -> dict[str, Any]:
    """The settings of a model as parameters; those that are the learner's defaults stay away."""
    stated = dict(model.settings)
    parameters = {}
    for parameter, (name, default) in kind._settings.items():
        value = stated.get(name)
        if value is not None and value != default:
            parameters[parameter] = _read(value)
    return parameters


def _read(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def _restore_classes(estimator: Any, classes: list[list[str] | None]) -> None:
    if classes == [None]:
        estimator.classes_ = np.array([], dtype=object)
        return
    restored = [_labels(labels or []) for labels in classes]
    orders = []
    ordered = []
    for labels in restored:
        values, places = np.unique(labels, return_inverse=True)
        ordered.append(values)
        orders.append(places.ravel())
    estimator._keep(ordered, orders)


def _labels(labels: list[str]) -> np.ndarray:
    if labels and all(re.fullmatch(r"0|-?[1-9]\d{0,17}", label) for label in labels):
        return np.array([int(label) for label in labels])
    return np.array(labels, dtype=object)
