"""MLflow: models are kept as `.kin` files beside what MLflow keeps, and loaded as estimators or as functions of frames.

``kinwood.mlflow.log_model(model, name="model")`` logs a fitted estimator in the current run, ``kinwood.mlflow.load_model(uri)`` gives it
back, and ``mlflow.pyfunc.load_model(uri)`` gives what predicts frames, as MLflow's servers do. A `.kin` file is checked when it is read
and runs nothing, unlike the pickles of ``mlflow.sklearn``. It needs the package `mlflow` or `mlflow-skinny`.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _kinwood
from ._loading import load

FLAVOR_NAME = "kinwood"
"""The name of the flavour in `MLmodel` files."""
MODEL = "model.kin"
"""The file of the model, within the folder that MLflow keeps."""


def requirements() -> list[str]:
    """What a place needs to be installed that loads these models."""
    from importlib.metadata import version

    return [f"kinwood=={_kinwood.__version__}", f"numpy=={version('numpy')}", f"scikit-learn=={version('scikit-learn')}"]


def save_model(
    kinwood_model: Any,
    path: str | os.PathLike[str],
    *,
    mlflow_model: Any = None,
    signature: Any = None,
    input_example: Any = None,
    pip_requirements: Sequence[str] | None = None,
    extra_pip_requirements: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Writes a fitted estimator as an MLflow model into a new folder.

    Parameters
    ----------
    kinwood_model : estimator
        A fitted estimator of this package.
    path : str or path
        The folder, which must not be there yet or be empty.
    mlflow_model : mlflow.models.Model, optional
        What MLflow knows of the model already; :func:`log_model` gives it.
    signature : mlflow.models.ModelSignature, optional
        The columns that go in and come out, as ``mlflow.models.infer_signature`` finds them.
    input_example : frame, optional
        Some rows, kept beside the model.
    pip_requirements, extra_pip_requirements : list of str, optional
        What a place that loads the model installs; beside it, or in place of :func:`requirements`.
    metadata : mapping, optional
        More to be kept in the `MLmodel` file.
    """
    import mlflow
    from mlflow.models import Model

    check_is_fitted(kinwood_model, "model_")
    folder = Path(path)
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(f"`{folder}` is there already and holds files: give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    about = Model() if mlflow_model is None else mlflow_model
    if signature is not None:
        about.signature = signature
    if metadata is not None:
        about.metadata = dict(metadata)
    if input_example is not None:
        from mlflow.models.utils import _save_example

        _save_example(about, input_example, str(folder))
    kinwood_model.save(folder / MODEL)
    needs = [*(requirements() if pip_requirements is None else pip_requirements), *(extra_pip_requirements or [])]
    (folder / "requirements.txt").write_text("".join(f"{need}\n" for need in [f"mlflow=={mlflow.__version__}", *needs]), encoding="utf-8")
    environment = f"python: {platform.python_version()}\nbuild_dependencies:\n- pip\ndependencies:\n- -r requirements.txt\n"
    (folder / "python_env.yaml").write_text(environment, encoding="utf-8")
    mlflow.pyfunc.add_to_model(about, loader_module=__name__, data=MODEL, python_env="python_env.yaml")
    about.add_flavor(FLAVOR_NAME, data=MODEL, version=_kinwood.__version__, estimator=type(kinwood_model).__name__)
    about.save(str(folder / "MLmodel"))


def log_model(kinwood_model: Any, name: str = "model", **options: Any) -> Any:
    """Logs a fitted estimator as a model of the current MLflow run.

    Parameters
    ----------
    kinwood_model : estimator
        A fitted estimator of this package.
    name : str
        What the model is called in the run.
    **options
        As for :func:`save_model`, and those of ``mlflow.models.Model.log``, such as `registered_model_name`.

    Returns
    -------
    mlflow.models.model.ModelInfo
        Where the model is; its `model_uri` is for :func:`load_model`.
    """
    import sys
    from inspect import signature

    from mlflow.models import Model

    # Models have names since MLflow 3; before, they are paths among the artifacts of a run.
    named = {"artifact_path": None, "name": name} if "name" in signature(Model.log).parameters else {"artifact_path": name}
    return Model.log(flavor=sys.modules[__name__], kinwood_model=kinwood_model, **named, **options)


def load_model(model_uri: str, dst_path: str | None = None) -> Any:
    """The estimator of an MLflow model, by its address, such as ``models:/name/1`` or a folder."""
    from mlflow.artifacts import download_artifacts

    folder = download_artifacts(artifact_uri=model_uri, dst_path=dst_path)
    return load(Path(folder) / MODEL)


class Function:
    """A model as a function of frames, which ``mlflow.pyfunc`` calls."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def predict(self, X: Any, params: Mapping[str, Any] | None = None) -> Any:
        """What is predicted of the rows of a frame; with ``params={"method": "predict_proba"}`` the probabilities of classes.

        MLflow hands `params` on where the model's signature has them: ``infer_signature(X, y, params={"method": "predict"})``.
        """
        method = (params or {}).get("method", "predict")
        if method not in ("predict", "predict_proba", "decision_function"):
            raise ValueError(f"method is `predict`, `predict_proba` or `decision_function`, not {method!r}")
        if self.estimator.value_type_ is not None and hasattr(X, "columns") and len(X.columns) == 1:
            X = X.iloc[:, 0].tolist()
        return getattr(self.estimator, method)(X)


def _load_pyfunc(path: str) -> Function:
    """What MLflow calls to load a model as a function."""
    return Function(load(path))
