"""MLflow keeps models as `.kin` files and gives them back, as estimators and as functions of frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kinwood

mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed: pip install mlflow-skinny")


@pytest.fixture
def plants():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"height": random.normal(size=60), "colour": random.choice(["red", "blue"], 60)})
    y = np.where((X["height"] > 0) & (X["colour"] == "red"), "yes", "no")
    return X, kinwood.ForestClassifier(n_estimators=10).fit(X, y)


def test_a_saved_model_is_given_back(tmp_path, plants):
    from kinwood import mlflow as ours

    X, model = plants
    signature = mlflow.models.infer_signature(X, model.predict(X).astype(str).tolist(), params={"method": "predict"})
    ours.save_model(model, tmp_path / "model", signature=signature, input_example=X.head(3), metadata={"of": "plants"})
    assert (tmp_path / "model" / "model.kin").is_file()
    needs = (tmp_path / "model" / "requirements.txt").read_text(encoding="utf-8").split()
    assert f"kinwood=={kinwood.__version__}" in needs
    again = ours.load_model(str(tmp_path / "model"))
    assert isinstance(again, kinwood.ForestClassifier)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    function = mlflow.pyfunc.load_model(str(tmp_path / "model"))
    assert function.metadata.metadata == {"of": "plants"}
    np.testing.assert_array_equal(function.predict(X), model.predict(X))
    np.testing.assert_array_equal(function.predict(X, params={"method": "predict_proba"}), model.predict_proba(X))
    with pytest.raises(ValueError, match="method is `predict`"):
        function.predict(X, params={"method": "fit"})
    with pytest.raises(FileExistsError, match="give a new folder"):
        ours.save_model(model, tmp_path / "model")


def test_a_run_logs_a_model(tmp_path, monkeypatch, plants):
    from kinwood import mlflow as ours

    X, model = plants
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    try:
        with mlflow.start_run():
            logged = ours.log_model(model, name="plants")
        np.testing.assert_array_equal(ours.load_model(logged.model_uri).predict(X), model.predict(X))
    finally:
        mlflow.set_tracking_uri(before)


def test_a_model_of_values_takes_a_frame_of_one_column(tmp_path):
    from kinwood import mlflow as ours

    words = ["kitten", "mitten", "sitting", "table", "cable", "fable"]
    model = kinwood.KNeighborsClassifier(1, distance="edit").fit(words, ["cat", "cat", "cat", "wood", "wood", "wood"])
    ours.save_model(model, tmp_path / "model")
    function = mlflow.pyfunc.load_model(str(tmp_path / "model"))
    assert list(function.predict(pd.DataFrame({"word": ["bitten", "gable"]}))) == ["cat", "wood"]
