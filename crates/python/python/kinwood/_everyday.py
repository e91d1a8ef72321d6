"""What users of scikit-learn expect of fitted estimators: neighbours, decisions, leaves, importances, other formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np
from sklearn.utils import Bunch
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _input, _names
from ._tree_arrays import TreeArrays, arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray


Method = TypeVar("Method", bound=Callable[..., Any])


def available(condition: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """A method that is there where a condition on the estimator holds, of the type that it has there."""
    return cast("Callable[[Method], Method]", available_if(condition))


def _is(*learners: str) -> Callable[[Method], Method]:
    """A condition: that an estimator is of one of these learners."""
    return available(lambda estimator: estimator._learner in learners)


APPENDING = ("knn", "kstar", "citation_knn", "majority", "mean")
"""Learners whose models take more rows without being fitted anew."""
STAGED_ROOM = 1 << 24
"""Numbers that the predictions of several stages may have at a time."""


def appends(estimator: Any) -> bool:
    """Whether the models of an estimator take more rows."""
    return bool(estimator._learner in APPENDING)


def _classifies(estimator: Any) -> bool:
    """Whether an estimator of boosted trees predicts classes."""
    return bool(estimator._learner == "boost" and hasattr(estimator, "predict_proba"))


def _decides(estimator: Any) -> bool:
    """Whether an estimator has functions that decide about the classes of one target."""
    return bool(estimator._learner == "svm" or (_classifies(estimator) and getattr(estimator, "n_outputs_", 1) == 1))


class Everyday:
    """Methods of fitted estimators by the names that scikit-learn has for them; each is there where the learner has what it tells."""

    model_: Any
    _learner: ClassVar[str]
    _stored: list[tuple[Any, Any]]
    """The places and the data of the rows that neighbours are of, part by part as they came."""

    # ----- neighbours -----

    @_is("knn")
    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The nearest training rows of each row.

        Parameters
        ----------
        X : data, optional
            The rows; without them the training rows, each of which is then no neighbour of its own.
        n_neighbors : int, optional
            How many; as many as vote by default.
        return_distance : bool
            Whether distances come before the places of the rows.

        Returns
        -------
        distances, rows : arrays with a row each and a column a neighbour, nearest first
        """
        check_is_fitted(self, "model_")
        count = n_neighbors if n_neighbors is not None else int(json.loads(self.model_.to_json()).get("k", 1))
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"n_neighbors is a whole number from 1, not {n_neighbors!r}")
        parts: list[tuple[Any, Any]] = getattr(self, "_stored", [])
        stored = sum(len(rows) for rows, _ in parts)
        if parts and count > stored - (X is None):
            raise ValueError(f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {count}, n_samples_fit = {stored}")
        work = self._work()  # type: ignore[attr-defined]
        if X is not None:
            distances, rows = self.model_.neighbours(self._rows(X, reset=False), count, work)  # type: ignore[attr-defined]
        elif not parts:
            raise ValueError("a model that was read from a file does not know which rows were its own: give `X`")
        else:
            found = [self.model_.neighbours(data, count + 1, work) for _, data in parts]
            distances, rows = (np.concatenate(each) for each in zip(*found))
            own = rows == np.arange(len(rows))[:, None]
            own[~own.any(axis=1), -1] = True
            distances, rows = (each[~own].reshape(len(rows), count) for each in (distances, rows))
        if any(len(places) < places[-1] + 1 for places, _ in parts if len(places)):
            # Rows that do not count were left out before fitting.
            rows = np.concatenate([places for places, _ in parts])[rows]
        return (distances, rows) if return_distance else rows

    def _appended(self, data: Any) -> None:
        """Remembers rows that were learned beside others."""
        if self._learner == "knn":
            begin = max((int(places[-1]) + 1 for places, _ in self._stored if len(places)), default=0)
            self._stored = [*self._stored, (begin + np.arange(len(data)), data)]

    @_is("knn")
    def kneighbors_graph(self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity") -> Any:
        """The nearest training rows of each row as a sparse matrix of ones, or of distances with ``mode="distance"``."""
        from scipy.sparse import csr_matrix

        if mode not in ("connectivity", "distance"):
            raise ValueError(f"mode is `connectivity` or `distance`, not {mode!r}")
        distances, rows = self.kneighbors(X, n_neighbors)
        values = distances if mode == "distance" else np.ones_like(distances)
        ends = np.arange(0, rows.size + 1, rows.shape[1])
        known = max((int(places[-1]) + 1 for places, _ in getattr(self, "_stored", []) if len(places)), default=0)
        width = max(known, int(rows.max(initial=-1)) + 1)
        return csr_matrix((values.ravel(), rows.ravel(), ends), shape=(len(rows), width))

    # ----- machines -----

    @available(_decides)
    def decision_function(self, X: Any) -> NDArray[Any]:
        """How far on which side of the boundaries rows are; of boosted trees the sums that probabilities are made from.

        Of two classes a number each, above 0 for the second of `classes_`; of more a column a class, or with
        ``decision_function_shape="ovo"`` a column for each pair of classes.
        """
        from sklearn.utils.multiclass import _ovr_decision_function

        check_is_fitted(self, "model_")
        between, values = self.model_.decisions(self._rows(X, reset=False), self._work())  # type: ignore[attr-defined]
        if getattr(self, "form", "c") == "one_class":
            return values[:, 0]
        places = self._label_places()  # type: ignore[attr-defined]
        classes = len(self.classes_)  # type: ignore[attr-defined]
        if self._learner == "boost":
            if len(between) == 1 and classes == 2:
                return values[:, 0] if places[between[0][0]] == 1 else -values[:, 0]
            ordered = np.full((len(values), classes), -np.inf)
            ordered[:, [places[one] for one, _ in between]] = values
            return ordered
        pairs = [(a, b) for a in range(classes) for b in range(a + 1, classes)]
        ordered = np.zeros((len(values), len(pairs)))
        for column, (one, other) in enumerate(between):
            a, b = places[one], places[other]
            ordered[:, pairs.index((min(a, b), max(a, b)))] = values[:, column] if a < b else -values[:, column]
        if classes <= 2:
            return -ordered[:, 0] if pairs else np.zeros(len(values))
        if getattr(self, "decision_function_shape", None) == "ovo":
            return ordered
        return _ovr_decision_function(ordered < 0, -ordered, classes)

    @property
    def n_iter_(self) -> Any:
        """How many steps each machine took, as an array; of boosting the number of rounds, for several targets a list of them."""
        if self._learner not in ("svm", "svr", "boost"):
            raise AttributeError(f"{type(self).__name__} has no n_iter_")
        check_is_fitted(self, "model_")
        told = json.loads(self.model_.to_json())
        if self._learner == "boost":
            rounds = [int(target["rounds"]) for target in told["targets"]]
            return rounds[0] if len(rounds) == 1 else rounds
        machines = told["report"]["machines"]
        return np.array([max(1, machine["iterations"]) for machine in machines], dtype=np.int64)

    # ----- boosting -----

    def _staged(self, X: Any, read: Callable[[list[dict[str, Any]]], Any]) -> Iterator[Any]:
        """What is read of the answers after each step of a model that was made step by step."""
        check_is_fitted(self, "model_")
        data, work, stages = self._rows(X, reset=False), self._work(), self.model_.stages  # type: ignore[attr-defined]
        classes = getattr(self, "classes_", None)
        width = max(1, 0 if classes is None else len(classes))
        together = max(1, STAGED_ROOM // max(1, len(data) * width))
        for first in range(1, stages + 1, together):
            for answers in self.model_.staged(data, first, min(first + together, stages + 1), work):
                yield read(answers)

    @_is("boost")
    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """What is predicted after each round, the first first."""
        return self._staged(X, self._answered)  # type: ignore[attr-defined]

    @available(_classifies)
    def staged_predict_proba(self, X: Any) -> Iterator[Any]:
        """The probabilities of the classes after each round, the first first."""
        return self._staged(X, self._probabilities)  # type: ignore[attr-defined]

    # ----- trees -----

    @_is("tree", "dbdt", "forest", "m5", "mirt", "centres", "boost")
    def apply(self, X: Any) -> NDArray[np.int64]:
        """The leaf that each row reaches, by its number in the tree; a column a tree of a set.

        A row that a missing value sends into several branches is where most of it is.
        """
        rows, trees, nodes, shares = self._ways(X)
        drawn = self._drawn()
        leaf = np.zeros(len(rows), dtype=bool)
        for place, tree in enumerate(drawn):
            own = trees == place
            leaf[own] = tree["is_leaf"][nodes[own]]
        rows, trees, nodes, shares = rows[leaf], trees[leaf], nodes[leaf], shares[leaf]
        # The largest share is written last.
        order = np.argsort(shares, kind="stable")
        reached = np.zeros((rows.max(initial=-1) + 1, len(drawn)), dtype=np.int64)
        reached[rows[order], trees[order]] = nodes[order]
        return reached if self._is_set() else reached[:, 0]

    @_is("tree", "dbdt", "forest", "m5", "mirt", "centres", "boost")
    def decision_path(self, X: Any) -> Any:
        """The nodes that rows pass, as a sparse matrix of ones with a column a node; of a set with the column where each tree begins."""
        from scipy.sparse import csr_matrix

        rows, trees, nodes, _ = self._ways(X)
        begins = np.concatenate([[0], np.cumsum([len(tree["is_leaf"]) for tree in self._drawn()])])
        columns = begins[trees] + nodes
        ones = np.ones(len(rows), dtype=np.int64)
        found = csr_matrix((ones, (rows, columns)), shape=(rows.max(initial=-1) + 1, begins[-1]))
        return (found, begins) if self._is_set() else found

    def _ways(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        return self.model_.visited(self._rows(X, reset=False), self._work())  # type: ignore[attr-defined]

    def _is_set(self) -> bool:
        return self._learner in ("forest", "boost") or self.model_.members > 1

    def _drawn(self) -> list[dict[str, Any]]:
        """The trees as arrays, made once for a model."""
        kept = getattr(self, "_drawing", None)
        if kept is None or kept[0] is not self.model_:
            if self._learner == "boost":
                told = json.loads(self.model_.to_json())["targets"]
                drawn = [_boosted(tree) for target in told for tree in _in_rounds(target)]
            else:
                drawn = [_arrays(tree, self._gini()) for tree in json.loads(self.model_.drawing())["trees"]]
            kept = (self.model_, drawn)
            self._drawing = kept
        return kept[1]

    def _gini(self) -> bool:
        return dict(self.model_.settings).get("heuristic") == "gini"

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column lets the impurity fall, over all trees; they add up to 1."""
        if self._learner not in ("tree", "dbdt", "forest", "m5", "boost"):
            raise AttributeError(f"{type(self).__name__} has no feature_importances_: scikit-learn's `permutation_importance` is of any")
        check_is_fitted(self, "model_")
        told = json.loads(self.model_.to_json()).get("importances")
        shares: dict[str, float] = {}
        if told:
            shares = {of["input"]: of.get("share", of.get("gain", 0.0)) for of in told}
        else:
            for tree in self._drawn():
                for column, fall in tree["falls"]:
                    shares[column] = shares.get(column, 0.0) + fall
        known = getattr(self, "feature_names_in_", None)
        names = _input.names(self.n_features_in_) if known is None else [str(name) for name in known]  # type: ignore[attr-defined]
        if getattr(self, "value_type_", None) is not None:
            names = [_input.VALUE]
        found = np.zeros(len(names))
        places = {name: place for place, name in enumerate(names)}
        for name, share in shares.items():
            # What a key leads to, or a part of a value, counts for the column that it is a part of.
            place = places.get(name, places.get(name.partition(".")[0]))
            if place is not None:
                found[place] += share
        total = found.sum()
        return found / total if total > 0 else found

    @property
    def estimators_(self) -> list[Any]:
        """The trees of a set, each an estimator; `members_`."""
        if self._learner != "forest" and not (hasattr(self, "model_") and self.model_.members > 1):
            raise AttributeError(f"{type(self).__name__} is one model, not a set of them")
        return self.members_  # type: ignore[attr-defined,no-any-return]

    @property
    def oob_score_(self) -> float:
        """How good the trees are for rows that they did not see: the share of right classes, or R² for numbers."""
        if self._learner != "forest":
            raise AttributeError(f"{type(self).__name__} has no oob_score_: it does not draw rows")
        check_is_fitted(self, "model_")
        told = json.loads(self.model_.to_json()).get("out_of_bag") or []
        if not told:
            raise AttributeError("no row was left out of a tree: `bootstrap=True` or `sample='bootstrap'` draws rows")
        if told[0]["measure"] == "rmse":
            return float(1.0 - told[0]["value"] ** 2 / self._spread) if self._spread > 0 else 0.0  # type: ignore[attr-defined]
        return float(told[0]["value"])

    @_is("tree", "dbdt", "m5", "mirt")
    def get_depth(self) -> int:
        """The most tests from the root to a leaf."""
        check_is_fitted(self, "model_")
        return max(int(tree["depth"]) for tree in self._drawn()[:1])

    @_is("tree", "dbdt", "m5", "mirt")
    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self, "model_")
        return int(self._drawn()[0]["is_leaf"].sum())

    @property
    def tree_(self) -> TreeArrays:
        """The tree as the arrays that scikit-learn's trees have: children, columns, thresholds, impurities, values."""
        if self._learner not in ("tree", "forest"):
            raise AttributeError(f"{type(self).__name__} has no tree_")
        check_is_fitted(self, "model_")
        if self._is_set() and self.model_.members > 1:
            raise AttributeError(f"{type(self).__name__} is a set of trees: each of `estimators_` has a tree_")
        told = json.loads(self.model_.to_json())
        known = getattr(self, "feature_names_in_", None)
        names = _input.names(self.n_features_in_) if known is None else [str(name) for name in known]  # type: ignore[attr-defined]
        if any(target["kind"] not in ("classes", "number") for target in told["targets"]):
            raise AttributeError("trees of classes and of numbers have a tree_; this one predicts something else")
        drawn = self._drawn()[0]
        parents = list(zip(drawn["parent"].tolist(), drawn["branch"]))
        columns = {name: place for place, name in enumerate(names)}
        return arrays(drawn, parents, told["trees"][0]["root"], columns, self._places_by_target(), len(names))

    def _places_by_target(self) -> list[dict[str, int] | None]:
        """For each target the place in `classes_` of each label that the model knows; nothing for a number."""
        if not hasattr(self, "classes_"):
            return [None] * self.n_outputs_  # type: ignore[attr-defined]
        labels = [self.model_.classes(target) or [] for target in self.model_.targets]
        found = self._places([{"kind": "classes", "labels": own} for own in labels])  # type: ignore[attr-defined]
        return [dict(zip(own, places.tolist())) for own, places in zip(labels, found)]

    @_is("tree")
    def cost_complexity_pruning_path(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """How the tree that is grown on these rows without pruning shrinks as size costs more.

        Returns
        -------
        Bunch with `ccp_alphas` and `impurities`, the prices of a leaf at which a subtree goes and the impurity of the leaves then, as
        scikit-learn tells them.
        """
        from sklearn.base import clone

        grown = clone(self).set_params(pruning="none") if "pruning" in _names.defaults(type(self)) else clone(self)
        grown._fit(X, y, sample_weight)
        return _pruning_path(grown._drawn()[0])

    # ----- other formats -----

    @_is("tree", "dbdt", "forest", "boost")
    def to_onnx(self, path: Any = None) -> Any:
        """The trees as an ONNX model of numbers, which `onnxruntime` and others compute: gives it, and writes it to a path.

        Its input `X` is a matrix of doubles. Tests must be about numbers, and no value may be missing.
        """
        from ._onnx import exported

        check_is_fitted(self, "model_")
        return exported(self, path)

    @_is("tree", "dbdt", "forest", "boost")
    def shap_explanation(self, X: Any) -> Any:
        """What each column adds to each prediction, as a ``shap.Explanation``.

        Of boosted trees these are Shapley values of the scores, computed here for columns of any type; of other trees the package `shap`
        computes them (TreeExplainer).
        """
        from ._onnx import explained

        check_is_fitted(self, "model_")
        return explained(self, X)


def _in_rounds(target: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The boosted trees of a target in the order in which they were made: of each round one a score."""
    scores = [score["trees"] for score in target["scores"]]
    return [trees[place] for place in range(len(scores[0])) for trees in scores] if scores else []


def _boosted(nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """A boosted tree as far as its ways need it."""
    parent = np.full(len(nodes), -1, dtype=np.int64)
    for place, node in enumerate(nodes):
        for side in ("yes", "no"):
            if "test" in node:
                parent[node[side]] = place
    return {"parent": parent, "is_leaf": np.array(["test" not in node for node in nodes], dtype=bool)}


def _arrays(tree: dict[str, Any], gini: bool) -> dict[str, Any]:
    """A drawn tree as arrays: parents, leaves, impurities, and by how much tests let the impurity fall."""
    nodes = tree["nodes"]
    parent = np.array([-1 if node["parent"] is None else node["parent"] for node in nodes], dtype=np.int64)
    is_leaf = np.array([node["test"] is None for node in nodes], dtype=bool)
    weight = np.array([node["weight"] for node in nodes], dtype=np.float64)
    spread = np.array([_impurity(node["answers"], gini) for node in nodes]) * weight
    below = np.zeros(len(nodes))
    np.add.at(below, parent[1:], spread[1:])
    whole = weight[0] if len(weight) and weight[0] > 0 else 1.0
    falls = [
        (node["test"]["column"], max(0.0, float(spread[place] - below[place])) / whole)
        for place, node in enumerate(nodes)
        if node["test"] is not None and node["test"].get("column") is not None
    ]
    depth = np.zeros(len(nodes), dtype=np.int64)
    for place in range(1, len(nodes)):
        depth[place] = depth[parent[place]] + 1
    branch = [int(node["branch"] or 0) for node in nodes]
    return {
        "parent": parent,
        "branch": branch,
        "is_leaf": is_leaf,
        "weight": weight,
        "spread": spread / whole,
        "falls": falls,
        "depth": depth.max(initial=0),
    }


def _impurity(answers: list[dict[str, Any]], gini: bool) -> float:
    """How unlike the rows of a node are, summed over targets."""
    total = 0.0
    for answer in answers:
        if "classes" in answer:
            counts = np.asarray(answer["classes"], dtype=np.float64)
            shares = counts / counts.sum() if counts.sum() > 0 else counts
            known = shares[shares > 0]
            total += float(1 - (shares**2).sum()) if gini else float(-(known * np.log2(known)).sum())
        elif "deviation" in answer:
            total += float(answer["deviation"] or 0.0) ** 2
    return total


def _pruning_path(tree: dict[str, Any]) -> Any:
    """The prices at which the weakest subtrees go (Breiman and others 1984, section 3.3)."""
    parent, spread = tree["parent"], tree["spread"]
    count = len(parent)
    inner = ~tree["is_leaf"]
    gone = np.zeros(count, dtype=bool)
    alphas, impurities = [0.0], []

    def sums() -> tuple[np.ndarray, np.ndarray]:
        leaves, below = np.zeros(count), np.zeros(count)
        for node in range(count - 1, -1, -1):
            if gone[node]:
                continue
            if not inner[node]:
                leaves[node], below[node] = 1.0, spread[node]
            if node:
                leaves[parent[node]] += leaves[node]
                below[parent[node]] += below[node]
        return leaves, below

    leaves, below = sums()
    impurities.append(float(below[0]))
    while inner[0]:
        standing = np.flatnonzero(inner & ~gone)
        price = (spread[standing] - below[standing]) / (leaves[standing] - 1)
        least = price.min()
        weakest = standing[np.argmin(price)]
        inner[weakest] = False
        for node in range(weakest + 1, count):
            gone[node] |= parent[node] == weakest or gone[parent[node]]
        leaves, below = sums()
        alphas.append(max(float(least), alphas[-1]))
        impurities.append(float(below[0]))
    kept = [place for place in range(len(alphas)) if place + 1 == len(alphas) or alphas[place + 1] > alphas[place] + 1e-15]
    return Bunch(ccp_alphas=np.array([alphas[place] for place in kept]), impurities=np.array([impurities[place] for place in kept]))
