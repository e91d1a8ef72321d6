"""Trees of numbers as arrays that other tools take: ONNX and SHAP."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _input


def flat_trees(estimator: Any) -> list[dict[str, Any]]:
    """The trees as arrays: the column and threshold of each test, where rows above it and where the others go, and what leaves say.

    Values of leaves are probabilities of `classes_`, or a number; what an estimator predicts is their mean over all trees.
    """
    told = estimator.to_json()
    kinds = [target["kind"] for target in told.get("targets", ())]
    if len(kinds) != 1 or kinds[0] not in ("classes", "number"):
        raise NotImplementedError("trees of one target, a class or a number, can be written so; these predict something else")
    settings = dict(estimator.model_.settings)
    combine = told.get("combine", "best")
    trees = told.get("trees")
    if not trees or estimator._learner == "boost":
        raise NotImplementedError(f"{type(estimator).__name__} has no trees that can be written so")
    if combine == "best":
        trees = trees[:1]
    elif combine != "average":
        raise NotImplementedError(f"trees that predict by {combine} cannot be written so: combine='average' can")
    if settings.get("smoothing", "0") not in ("0", "0.0"):
        raise NotImplementedError("smoothed trees cannot be written so: smoothing=0 can")
    known = getattr(estimator, "feature_names_in_", None)
    names = _input.names(estimator.n_features_in_) if known is None else [str(name) for name in known]
    places = {name: place for place, name in enumerate(names)}
    labels = estimator._label_places() if kinds[0] == "classes" else None
    return [_flat(tree["root"], places, labels) for tree in trees]


def _flat(root: dict[str, Any], places: dict[str, int], labels: dict[str, int] | None) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = []
    waiting: list[tuple[dict[str, Any], int, str]] = [(root, -1, "")]
    while waiting:
        node, parent, side = waiting.pop()
        place = len(nodes)
        if parent >= 0:
            nodes[parent][side] = place
        test = node.get("test")
        made: dict[str, Any] = {"feature": -1, "threshold": 0.0, "above": -1, "below": -1, "weight": float(node["weight"])}
        made["value"] = _value(node["targets"][0], labels)
        nodes.append(made)
        if test is None:
            continue
        if "above" not in test or test.get("column") not in places:
            raise NotImplementedError(
                f"a test on `{test.get('column')}` is no threshold of a number: such trees cannot be written so, `to_sql` writes more"
            )
        made["feature"], made["threshold"] = places[test["column"]], float(test["above"])
        waiting.append((node["no"], place, "below"))
        waiting.append((node["yes"], place, "above"))
    return {
        "feature": np.array([node["feature"] for node in nodes], dtype=np.int64),
        "threshold": np.array([node["threshold"] for node in nodes], dtype=np.float64),
        "above": np.array([node["above"] for node in nodes], dtype=np.int64),
        "below": np.array([node["below"] for node in nodes], dtype=np.int64),
        "weight": np.array([node["weight"] for node in nodes], dtype=np.float64),
        "value": np.array([node["value"] for node in nodes], dtype=np.float64),
    }


def _value(answer: dict[str, Any], labels: dict[str, int] | None) -> list[float]:
    if labels is None:
        return [float(answer["mean"])]
    shares = np.zeros(max(labels.values()) + 1)
    for label, weight in answer["weights"].items():
        shares[labels[label]] += weight
    total = shares.sum()
    return [float(share) for share in (shares / total if total > 0 else shares)]


def exported(estimator: Any, path: Any = None) -> Any:
    """The ONNX model of an estimator's trees."""
    from onnx import TensorProto, checker, helper

    trees = flat_trees(estimator)
    classes = getattr(estimator, "classes_", None) if hasattr(estimator, "classes_") else None
    attributes = _ensemble(trees, helper, TensorProto, leaves="class" if classes is not None else "target")
    width = estimator.n_features_in_
    X = helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None, width])
    if classes is None:
        node = helper.make_node(
            "TreeEnsembleRegressor", ["X"], ["predicted"], domain="ai.onnx.ml", n_targets=1, aggregate_function="SUM", **attributes
        )
        outputs = [helper.make_tensor_value_info("predicted", TensorProto.FLOAT, [None, 1])]
    else:
        texts = classes.dtype.kind not in "iub"
        listed = (
            {"classlabels_strings": [str(label) for label in classes]}
            if texts
            else {"classlabels_int64s": [int(label) for label in classes]}
        )
        node = helper.make_node(
            "TreeEnsembleClassifier", ["X"], ["label", "probabilities"], domain="ai.onnx.ml", post_transform="NONE", **listed, **attributes
        )
        outputs = [
            helper.make_tensor_value_info("label", TensorProto.STRING if texts else TensorProto.INT64, [None]),
            helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [None, len(classes)]),
        ]
    graph = helper.make_graph([node], "kinwood", [X], outputs)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)], producer_name="kinwood"
    )
    model.ir_version = 8
    checker.check_model(model)
    if path is not None:
        with open(os.fspath(path), "wb") as out:
            out.write(model.SerializeToString())
    return model


def _ensemble(trees: list[dict[str, Any]], helper: Any, types: Any, leaves: str) -> dict[str, Any]:
    """The attributes of a tree ensemble: rows that are not above a threshold take the true branch."""
    nodes: dict[str, list[Any]] = {
        name: [] for name in ("treeids", "nodeids", "featureids", "modes", "truenodeids", "falsenodeids", "missing")
    }
    thresholds: list[float] = []
    answers: dict[str, list[int]] = {"treeids": [], "nodeids": [], "ids": []}
    weights: list[float] = []
    for number, tree in enumerate(trees):
        for place in range(len(tree["feature"])):
            leaf = tree["feature"][place] < 0
            nodes["treeids"].append(number)
            nodes["nodeids"].append(place)
            nodes["featureids"].append(0 if leaf else int(tree["feature"][place]))
            nodes["modes"].append("LEAF" if leaf else "BRANCH_LEQ")
            nodes["truenodeids"].append(0 if leaf else int(tree["below"][place]))
            nodes["falsenodeids"].append(0 if leaf else int(tree["above"][place]))
            nodes["missing"].append(0)
            thresholds.append(float(tree["threshold"][place]))
            if leaf:
                for kind, value in enumerate(tree["value"][place]):
                    answers["treeids"].append(number)
                    answers["nodeids"].append(place)
                    answers["ids"].append(kind)
                    weights.append(float(value) / len(trees))
    return {
        **{f"nodes_{name}": values for name, values in nodes.items() if name != "missing"},
        "nodes_missing_value_tracks_true": nodes["missing"],
        "nodes_values_as_tensor": helper.make_tensor("nodes_values", types.DOUBLE, [len(thresholds)], thresholds),
        **{f"{leaves}_{name}": values for name, values in answers.items()},
        f"{leaves}_weights_as_tensor": helper.make_tensor("weights", types.DOUBLE, [len(weights)], weights),
    }


def explained(estimator: Any, X: Any) -> Any:
    """What each column adds to each prediction, by SHAP's explainer of trees."""
    import shap

    trees = flat_trees(estimator)
    scale = 1.0 / len(trees)
    told = [
        {
            "children_left": tree["below"].astype(np.int32),
            "children_right": tree["above"].astype(np.int32),
            "children_default": tree["below"].astype(np.int32),
            "features": np.where(tree["feature"] < 0, -2, tree["feature"]).astype(np.int32),
            "thresholds": tree["threshold"],
            "values": tree["value"] * scale,
            "node_sample_weight": tree["weight"],
        }
        for tree in trees
    ]
    rows = np.asarray(X, dtype=np.float64)
    found = shap.TreeExplainer({"trees": told}, feature_perturbation="tree_path_dependent")(rows, check_additivity=False)
    known = getattr(estimator, "feature_names_in_", None)
    found.feature_names = _input.names(rows.shape[1]) if known is None else [str(name) for name in known]
    return found
