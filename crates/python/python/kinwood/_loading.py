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
from ._names import SCALED, defaults


def load(path: str | os.PathLike[str], kind: Any = None) -> Any:
    """Reads a `.kin` file as the estimator that it is of, whoever wrote it: Python, the command or Rust.

    Classes are texts in the file; where all of them are whole numbers or truth values, they are such again. `kind` may be the class that
    is wanted.

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
    elif not _fits(kind, model):
        raise ValueError(f"`{os.fspath(path)}` holds a {found.__name__}, not a {kind.__name__}")
    return of_model(model, kind)


def _fits(kind: Any, model: Model) -> bool:
    """Whether a model could be of this class."""
    same = kind._learner == model.learner and set(kind._fixed) <= set(model.settings)
    return same and _numbers(model) == issubclass(kind, RegressorMixin)


def _numbers(model: Model) -> bool:
    """Whether it predicts numbers, and nothing else."""
    columns = {name: of for name, of, _ in model.columns}
    return all(columns[target] in ("numeric", "list<numeric>") for target in model.targets)


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
    inputs = [name for name, _, role in model.columns if role == "input" and name not in model.targets]
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
    stated = _without_choices(dict(model.settings))
    parameters = {}
    taken = defaults(kind)
    for parameter, (name, default) in kind._settings.items():
        if parameter not in taken:
            continue
        value = stated.get(name)
        if name == "k" and value is not None:
            # Neighbours are five by default here, and one to the learner.
            if value != str(defaults(kind)["n_neighbors"]):
                parameters[parameter] = _read(value)
        elif value is not None and value != default:
            parameters[parameter] = _read(value)
    return parameters


def _without_choices(stated: dict[str, str]) -> dict[str, str]:
    """The settings without those that an estimator chooses for rows of numbers."""
    if stated.get("kernel") == f"gaussian({SCALED})" and stated.get("gamma") == "auto*2":
        return {name: value for name, value in stated.items() if name not in ("kernel", "gamma")}
    if stated.get("distance") == SCALED:
        del stated["distance"]
    return stated


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
    if _sets(estimator.model_):
        estimator._keep([np.array(sorted(classes[0] or []), dtype=object)], [None])
        return
    ordered, orders = [], []
    for labels in classes:
        # A number beside classes has none.
        values, places = (None, None) if labels is None else np.unique(_labels(labels), return_inverse=True)
        ordered.append(values)
        orders.append(None if places is None else places.ravel())
    estimator._keep(ordered, orders)


def _sets(model: Model) -> bool:
    """Whether it predicts a set of labels."""
    columns = {name: of for name, of, _ in model.columns}
    return columns[model.targets[0]].startswith("set<")


def _labels(labels: list[str]) -> np.ndarray:
    if labels and all(re.fullmatch(r"0|-?[1-9]\d{0,17}", label) for label in labels):
        return np.array([int(label) for label in labels])
    if labels and set(labels) <= {"true", "false"}:
        return np.array([label == "true" for label in labels])
    return np.array(labels, dtype=object)
