"""Trees of numbers as arrays that other tools take (ONNX and SHAP), and what columns add to the scores of boosted trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _input
from ._looking import whole


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
    flat = [_flat(tree["root"], places, labels) for tree in trees]
    prior = float(settings.get("prior", "0")) if combine == "average" else 0.0
    if labels is not None and prior > 0:
        # Even probabilities have votes beside those of the trees; each tree has its share of these.
        even = np.zeros(flat[0]["value"].shape[1])
        even[list(labels.values())] = 1 / len(labels)
        for tree in flat:
            tree["value"] = (len(flat) * tree["value"] + prior * even) / (len(flat) + prior)
    return flat


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


def boosted_trees(estimator: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is told of the one target of boosted trees, and for each of its scores the trees as arrays, whose leaves add to the score."""
    targets = estimator.to_json()["targets"]
    if len(targets) != 1 or targets[0]["kind"] not in ("classes", "number"):
        raise NotImplementedError("trees of one target, a class or a number, can be written so; these predict something else")
    known = getattr(estimator, "feature_names_in_", None)
    names = _input.names(estimator.n_features_in_) if known is None else [str(name) for name in known]
    places = {name: place for place, name in enumerate(names)}
    trees = []
    for output, score in enumerate(targets[0]["scores"]):
        trees += [_boosted(nodes, places, output, len(targets[0]["scores"])) for nodes in score["trees"]]
    return targets[0], trees


def _boosted(nodes: list[dict[str, Any]], places: dict[str, int], output: int, outputs: int) -> dict[str, Any]:
    for node in nodes:
        if "test" in node and (node["threshold"] is None or node["column"] not in places or not _of_whole(node)):
            raise NotImplementedError(
                f"a test on `{node['column']}` is no threshold of a number: such trees cannot be written so, `to_sql` writes more"
            )
    leaf = ["test" not in node for node in nodes]
    value = np.zeros((len(nodes), outputs))
    value[:, output] = [node.get("adds", 0.0) for node in nodes]
    return {
        "feature": np.array([-1 if end else places[node["column"]] for node, end in zip(nodes, leaf)], dtype=np.int64),
        "threshold": np.array([0.0 if end else node["threshold"] for node, end in zip(nodes, leaf)], dtype=np.float64),
        "above": np.array([node.get("yes", -1) for node in nodes], dtype=np.int64),
        "below": np.array([node.get("no", -1) for node in nodes], dtype=np.int64),
        "missing": np.array([node.get("missing") == "no" for node in nodes], dtype=np.int64),
        "value": value,
        "of": output,
    }


def _of_whole(node: dict[str, Any]) -> bool:
    """Whether a test is of a number itself, not of something that a value contains."""
    return bool(node["test"] == f"{node['column']} is known" or node["test"].startswith(f"{node['column']} > "))


LOGARITHMS = ("poisson", "gamma")
"""Losses whose scores are logarithms of what is predicted."""


def _exported_boosting(estimator: Any) -> Any:
    """The ONNX graph of boosted trees: the scores, and what becomes of them."""
    from onnx import TensorProto, helper

    target, trees = boosted_trees(estimator)
    begins = [float(score["begins"]) for score in target["scores"]]
    if target["loss"] not in ("logistic", "softmax", "squared", "absolute", "huber", "quantile", *LOGARITHMS):
        raise NotImplementedError(f"boosted trees by {target['loss']} loss cannot be written so")
    attributes = _ensemble(trees, helper, TensorProto, leaves="target", scale=1.0)
    scores = helper.make_node(
        "TreeEnsembleRegressor",
        ["X"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=len(begins),
        aggregate_function="SUM",
        base_values_as_tensor=helper.make_tensor("base_values", TensorProto.DOUBLE, [len(begins)], begins),
        **attributes,
    )
    width = estimator.n_features_in_
    X = helper.make_tensor_value_info("X", TensorProto.DOUBLE, [None, width])
    if target["kind"] == "number":
        last = "Exp" if target["loss"] in LOGARITHMS else "Identity"
        outputs = [helper.make_tensor_value_info("predicted", TensorProto.FLOAT, [None, 1])]
        return helper.make_graph([scores, helper.make_node(last, ["scores"], ["predicted"])], "kinwood", [X], outputs)
    classes = estimator.classes_
    places = estimator._label_places()
    order = [places[score["of"].partition(" of ")[2]] for score in target["scores"]]
    nodes = [scores]
    if target["loss"] == "logistic":
        # The score is of one of the two classes, which may be the first.
        nodes += [
            helper.make_node("Sigmoid", ["scores"], ["one"]),
            helper.make_node("Sub", ["unit", "one"], ["other"]),
            helper.make_node("Concat", ["one", "other"] if order[0] == 0 else ["other", "one"], ["probabilities"], axis=1),
        ]
    else:
        nodes += [
            helper.make_node("Gather", ["scores", "order"], ["ordered"], axis=1),
            helper.make_node("Softmax", ["ordered"], ["probabilities"], axis=1),
        ]
    nodes += [
        helper.make_node("ArgMax", ["probabilities"], ["place"], axis=1, keepdims=0),
        helper.make_node("Gather", ["labels", "place"], ["label"], axis=0),
    ]
    texts = classes.dtype.kind not in "iub"
    listed: Any = [str(label).encode() for label in classes] if texts else [int(label) for label in classes]
    kind = TensorProto.STRING if texts else TensorProto.INT64
    constants = [
        helper.make_tensor("labels", kind, [len(classes)], listed),
        helper.make_tensor("unit", TensorProto.FLOAT, [1], [1.0]),
        helper.make_tensor("order", TensorProto.INT64, [len(order)], np.argsort(order).tolist()),
    ]
    used = {name for node in nodes for name in node.input}
    outputs = [
        helper.make_tensor_value_info("label", kind, [None]),
        helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [None, len(classes)]),
    ]
    return helper.make_graph(nodes, "kinwood", [X], outputs, initializer=[of for of in constants if of.name in used])


def exported(estimator: Any, path: Any = None) -> Any:
    """The ONNX model of an estimator's trees."""
    from onnx import checker, helper

    graph = _exported_boosting(estimator) if estimator._learner == "boost" else _exported_trees(estimator)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)], producer_name="kinwood"
    )
    model.ir_version = 8
    checker.check_model(model)
    if path is not None:
        whole(path, model.SerializeToString())
    return model


def _exported_trees(estimator: Any) -> Any:
    """The ONNX graph of trees that are averaged."""
    from onnx import TensorProto, helper

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
    return helper.make_graph([node], "kinwood", [X], outputs)


def _ensemble(trees: list[dict[str, Any]], helper: Any, types: Any, leaves: str, scale: float | None = None) -> dict[str, Any]:
    """The attributes of a tree ensemble: rows that are not above a threshold take the true branch. Leaves count `scale` each, their share
    of all trees by default; of boosted trees one value alone."""
    scale = 1.0 / len(trees) if scale is None and trees else scale or 1.0
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
            nodes["missing"].append(int(tree["missing"][place]) if "missing" in tree else 0)
            thresholds.append(float(tree["threshold"][place]))
            if leaf:
                values = list(enumerate(tree["value"][place]))
                for kind, value in values if "of" not in tree else [values[tree["of"]]]:
                    answers["treeids"].append(number)
                    answers["nodeids"].append(place)
                    answers["ids"].append(kind)
                    weights.append(float(value) * scale)
    return {
        **{f"nodes_{name}": values for name, values in nodes.items() if name != "missing"},
        "nodes_missing_value_tracks_true": nodes["missing"],
        "nodes_values_as_tensor": helper.make_tensor("nodes_values", types.DOUBLE, [len(thresholds)], thresholds),
        **{f"{leaves}_{name}": values for name, values in answers.items()},
        f"{leaves}_weights_as_tensor": helper.make_tensor("weights", types.DOUBLE, [len(weights)], weights),
    }


def explained(estimator: Any, X: Any) -> Any:
    """What each column adds to each prediction: of boosted trees their own Shapley values, of others by SHAP's explainer of trees."""
    import shap

    if estimator._learner == "boost":
        return shap.Explanation(**_added(estimator, X))
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


def _added(estimator: Any, X: Any) -> dict[str, Any]:
    """What each column adds to the scores of boosted trees, in the order of `classes_`, as the parts of a ``shap.Explanation``."""
    told = estimator.model_.contributions(estimator._rows(X, reset=False), estimator._work())
    if estimator.n_outputs_ > 1:
        raise NotImplementedError("what columns add is told of one target; these trees predict several")
    known = getattr(estimator, "feature_names_in_", None)
    names = _input.names(estimator.n_features_in_) if known is None else [str(name) for name in known]
    if getattr(estimator, "value_type_", None) is not None:
        names = [_input.VALUE]
    rows = len(told[0][3])
    values, begins = np.zeros((rows, len(names), len(told))), np.zeros(len(told))
    places = {name: place for place, name in enumerate(names)}
    labels = estimator._label_places() if hasattr(estimator, "classes_") and len(told) > 1 else None
    for place, (of, begin, columns, adds) in enumerate(told):
        # A score of a class has its name behind what it is measured in.
        output = place if labels is None else labels.get(of.partition(" of ")[2], place)
        begins[output] = begin
        for column, added in zip(columns, adds.T):
            if column in places:
                values[:, places[column], output] += added
    if len(told) == 1:
        # Of two classes the score is of one, and told of the second.
        first = hasattr(estimator, "classes_") and estimator._label_places().get(told[0][0].partition(" of ")[2]) == 0
        values, begins = (-values if first else values)[:, :, 0], (-begins if first else begins)
    data = X.to_numpy() if hasattr(X, "to_numpy") else np.asarray(X) if not isinstance(X, (list, tuple)) else np.array(X, dtype=object)
    more = {"output_names": [str(label) for label in estimator.classes_]} if len(told) > 1 and hasattr(estimator, "classes_") else {}
    base = np.repeat(begins[None, :], rows, axis=0) if len(told) > 1 else np.repeat(begins, rows)
    return {"values": values, "base_values": base, "data": data, "feature_names": names, **more}
