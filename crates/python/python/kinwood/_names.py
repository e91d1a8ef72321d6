"""Parameters by the names that scikit-learn has for them, as settings of learners.

Where scikit-learn has a parameter of the same meaning, an estimator has it by that name beside its own: ``n_neighbors`` beside ``k``.
A parameter counts as given where it is not what the class has by default; of two names of one setting only one may be given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

TREES = ("tree", "dbdt", "forest", "boost")
"""Learners whose settings are those of trees."""


@dataclass
class Shape:
    """What the meaning of some parameters depends on."""

    rows: int
    names: list[str]
    """The columns that predictions are made from."""
    numeric: bool
    """Whether these are numbers, all of them."""
    numbers: Callable[[], np.ndarray]
    """The rows as a matrix of numbers, where they are."""
    weighted: bool = False
    classes: list[Any] = field(default_factory=list)


_DEFAULTS: dict[Any, dict[str, Any]] = {}


def defaults(kind: Any) -> dict[str, Any]:
    """The parameters of a class and what they are by default."""
    if kind not in _DEFAULTS:
        named = signature(kind.__init__).parameters.values()
        _DEFAULTS[kind] = {parameter.name: parameter.default for parameter in named if parameter.name != "self"}
    return _DEFAULTS[kind]


def is_given(estimator: Any, name: str) -> bool:
    """Whether a parameter is something else than its class has by default."""
    known = defaults(type(estimator))
    return name in known and not same(getattr(estimator, name), known[name])


def same(a: Any, b: Any) -> bool:
    """Whether two values of a parameter are the same; arrays are not compared."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) or isinstance(a, bool) != isinstance(b, bool):
        return False
    try:
        return bool(a == b)
    except (TypeError, ValueError):
        return False


class Settings:
    """Settings of a learner, each from one parameter."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._own = {setting: parameter for parameter, (setting, _) in estimator._settings.items()}
        self.found: dict[str, Any] = {}

    def put(self, setting: str, value: Any, parameter: str) -> None:
        """Takes the value of a setting from a parameter of scikit-learn's name, unless its own parameter is given alone."""
        own = self._own.get(setting, setting)
        estimator = self._estimator
        if own != parameter and is_given(estimator, own):
            if is_given(estimator, parameter):
                mine, other = getattr(estimator, own), getattr(estimator, parameter)
                raise ValueError(f"{parameter}={other!r} and {own}={mine!r} are one parameter: give one of them")
            return
        self.found[setting] = value

    def get(self, setting: str) -> Any:
        """What was taken for a setting, or what its own parameter says."""
        return self.found.get(setting, getattr(self._estimator, self._own.get(setting, setting), None))


def translated(estimator: Any, shape: Shape) -> dict[str, Any]:
    """The settings that parameters by scikit-learn's names stand for."""
    settings = Settings(estimator)
    learner = estimator._learner
    has = defaults(type(estimator)).__contains__
    value = lambda name: getattr(estimator, name) if has(name) else None  # noqa: E731
    if learner == "knn":
        _neighbours(settings, value, estimator, shape)
    elif learner == "boost":
        _boosting(settings, value, shape)
    elif learner in TREES or learner in ("m5", "mirt"):
        _trees(settings, value, estimator, shape)
    elif learner in ("svm", "svr", "ridge", "mi_svm"):
        _kernels(settings, value, estimator, shape)
    return settings.found


# ----- neighbours -----

PLAIN = {
    "euclidean": "euclidean(absolute)",
    "l2": "euclidean(absolute)",
    "manhattan": "sum(absolute)",
    "cityblock": "sum(absolute)",
    "l1": "sum(absolute)",
}
"""Distances of rows of numbers, as they are."""

MIXED = {"euclidean": "euclidean", "l2": "euclidean", "manhattan": "sum", "cityblock": "sum", "l1": "sum", "gower": "mean"}
"""The same of rows that hold more than numbers: each column by the default distance of its type."""

ALIASES = {"levenshtein": "edit", "edit_distance": "edit"}
"""Other names of distances of values."""

SERIES = ("dtw", "erp", "msm", "twe", "lcss", "correlation")
"""Distances of series, which the rows of a matrix are to them."""

VECTORS = (
    "chebyshev",
    "sqeuclidean",
    "minkowski",
    "canberra",
    "braycurtis",
    "cosine",
    "hamming",
    "jaccard",
    "dice",
    "mahalanobis",
    "seuclidean",
    "haversine",
    "nan_euclidean",
    "rogerstanimoto",
    "russellrao",
    "sokalsneath",
    "yule",
)
"""Distances of vectors that scikit-learn and SciPy compute: a matrix of them is given to the learner."""

SCALED = "euclidean(absolute(range=deviation))"
"""The distance of rows of numbers by default: columns in units of their standard deviations."""


def scaled(shape: Shape) -> str:
    """The distance of rows of numbers by default. Columns of two values are labels to it, and count 1 where they differ: in units of their
    standard deviations the rarest of many indicators would count most."""
    X = shape.numbers()
    least, greatest = np.nanmin(X, axis=0, initial=np.inf), np.nanmax(X, axis=0, initial=-np.inf)
    two = ((X == least) | (X == greatest) | np.isnan(X)).all(axis=0)
    if two.all():
        return "euclidean(absolute(range=train))"
    if not two.any() or not all(name.isascii() and name.isidentifier() for name in shape.names):
        return SCALED
    parts = (f"{name}: absolute(range={'train' if binary else 'deviation'})" for name, binary in zip(shape.names, two))
    return f"euclidean({', '.join(parts)})"


def alias(name: str, rows: bool) -> str:
    """A distance by a common name as an expression, of rows of numbers or of values."""
    name = "euclidean" if rows and name == "minkowski" else name
    return (PLAIN.get(name) if rows else None) or ALIASES.get(name, name)


def _neighbours(settings: Settings, value: Callable[[str], Any], estimator: Any, shape: Shape) -> None:
    count = value("n_neighbors")
    if count is not None:
        if isinstance(count, bool) or not (
            count in ("loo", "auto") if isinstance(count, str) else isinstance(count, (int, np.integer)) and count >= 1
        ):
            raise ValueError(f"n_neighbors is a whole number from 1, `loo` or `auto`, not {count!r}")
        if not (value("preset") == "ib1" and not is_given(estimator, "n_neighbors")):
            settings.put("k", count, "n_neighbors")
    weights = value("weights")
    if callable(weights):
        raise ValueError("weights is one of `uniform`, `distance`, `inverse` and `kernel`, not a function")
    if weights == "distance":
        settings.found["weights"] = "inverse"
    metric, distance = value("metric"), value("distance")
    if metric is None:
        if distance is None and value("preset") is None and shape.numeric:
            settings.found["distance"] = scaled(shape)
        elif distance is not None and not callable(distance):
            settings.found["distance"] = alias(distance, False) if isinstance(distance, str) else distance
        return
    if getattr(estimator, "_matrix", None) is not None:
        return
    if metric == "minkowski" and value("p") == 1:
        metric = "manhattan"
    elif metric == "minkowski":
        metric = "euclidean"
    names = PLAIN if shape.numeric else MIXED
    settings.put("distance", names.get(metric) or ALIASES.get(metric, metric), "metric")


def matrix_metric(estimator: Any, plain: bool) -> Any:
    """What a matrix of distances or kernel values is computed by, where a learner is given one: a name, a function, or nothing.

    `plain` says whether rows are numbers, which common names of distances of vectors are about.
    """
    learner = estimator._learner
    has = defaults(type(estimator))
    if learner == "knn" and "metric" in has:
        metric = estimator.metric if estimator.metric is not None else estimator.distance
        if metric == "precomputed" or callable(metric):
            return metric
        if metric == "minkowski" and plain:
            p = 2 if estimator.p is None else estimator.p
            return None if p in (1, 2) and not estimator.metric_params else "minkowski"
        return metric if plain and metric in VECTORS else None
    if learner in ("svm", "svr", "ridge"):
        kernel = estimator.kernel
        if kernel == "precomputed" or callable(kernel):
            return kernel
        return kernel if plain and kernel in MATRIX_KERNELS else None
    return None


def matrix(estimator: Any, X: Any, Y: Any, by: Any) -> np.ndarray:
    """The distances or kernel values between rows and the training rows."""
    from sklearn.metrics import pairwise as sk

    distances = estimator._learner == "knn"
    if callable(by) and not distances:
        given = by(X, Y)
    elif callable(by):
        more = dict(getattr(estimator, "metric_params", None) or {})
        given = np.array([[float(by(a, b, **more)) for b in Y] for a in X], dtype=np.float64)
    elif distances:
        more = dict(getattr(estimator, "metric_params", None) or {})
        if by == "minkowski":
            more["p"] = 2 if estimator.p is None else estimator.p
        given = sk.pairwise_distances(np.asarray(X, np.float64), np.asarray(Y, np.float64), metric=by, **more)
    else:
        more = {"gamma": kernel_width(estimator, Y), "degree": _or(estimator, "degree", 3), "coef0": _or(estimator, "coef0", 0.0)}
        if by in ("chi2", "laplacian"):
            more = {"gamma": more["gamma"]}
        given = sk.pairwise_kernels(np.asarray(X, np.float64), np.asarray(Y, np.float64), metric=by, filter_params=True, **more)
    found = np.asarray(given, dtype=np.float64)
    if found.ndim != 2 or found.shape != (len(X), len(Y)):
        what = getattr(by, "__name__", by)
        raise ValueError(f"`{what}` gave {found.shape} values for {len(X)} rows and {len(Y)} training rows: one for each pair is needed")
    return found


def _or(estimator: Any, name: str, default: Any) -> Any:
    value = getattr(estimator, name, None)
    return default if value is None else value


# ----- trees -----

CRITERIA = {
    "gini": "gini",
    "entropy": "gain",
    "log_loss": "gain",
    "squared_error": "variance",
    "friedman_mse": "variance",
    "variance": "variance",
}


def _trees(settings: Settings, value: Callable[[str], Any], estimator: Any, shape: Shape) -> None:
    criterion = value("criterion")
    if criterion is not None:
        if criterion not in CRITERIA:
            raise ValueError(f"criterion is one of {', '.join(CRITERIA)}, not {criterion!r}")
        settings.put("heuristic", CRITERIA[criterion], "criterion")
    if value("max_depth") is not None:
        settings.put("depth", _whole("max_depth", value("max_depth"), 1), "max_depth")
    least = value("min_samples_leaf")
    share = value("min_weight_fraction_leaf") or 0.0
    if least is not None:
        settings.put("leaf", _count("min_samples_leaf", least, shape.rows, 1), "min_samples_leaf")
    if share:
        if not 0 <= share <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf is a share from 0 to 0.5, not {share!r}")
        # The weights of rows are 1 in the mean, and constraints are about weights.
        least_weight = f"leaf >= {share * shape.rows!r}"
        own = value("constraints")
        settings.found["constraints"] = f"({own}) and {least_weight}" if own else least_weight
    split = value("min_samples_split")
    if split is not None:
        rows = _count("min_samples_split", split, shape.rows, 2)
        if "split" in settings._own:
            settings.put("split", rows, "min_samples_split")
        elif rows > 2:
            raise ValueError(f"min_samples_split={split!r} is nothing that {type(estimator).__name__} knows: min_samples_leaf is")
    if value("max_leaf_nodes") is not None:
        leaves = _whole("max_leaf_nodes", value("max_leaf_nodes"), 2)
        settings.put("search", "best_first", "max_leaf_nodes")
        settings.put("size", 2 * leaves - 1, "max_leaf_nodes")
    if value("n_estimators") is not None:
        settings.put("trees", _whole("n_estimators", value("n_estimators"), 1), "n_estimators")
    if "max_features" in defaults(type(estimator)):
        _features(settings, value("max_features"), estimator, shape)
    if value("bootstrap") is not None:
        settings.put("sample", "bootstrap" if value("bootstrap") else "all", "bootstrap")
    _monotone(settings, value, shape)
    for name, plain, instead in (
        ("min_impurity_decrease", (None, 0, 0.0), "min_samples_leaf"),
        ("ccp_alpha", (None, 0, 0.0), "pruning='cost_complexity'"),
        ("max_samples", (None, 1.0), "sample='subsample', 63.2 percent of the rows,"),
        ("warm_start", (None, False), "fitting anew"),
        ("splitter", (None, "best"), "ExtraTreesClassifier(n_estimators=1, bootstrap=False)"),
    ):
        if value(name) not in plain:
            raise ValueError(f"{name}={value(name)!r} is nothing that {type(estimator).__name__} knows: {instead} comes nearest")


def _boosting(settings: Settings, value: Callable[[str], Any], shape: Shape) -> None:
    for name, setting, least in (
        ("n_estimators", "trees", 1),
        ("max_iter", "trees", 1),
        ("max_leaf_nodes", "leaves", 2),
        ("max_depth", "depth", 1),
        ("max_bins", "bins", 2),
        ("n_iter_no_change", "patience", 1),
    ):
        if value(name) is not None:
            settings.put(setting, _whole(name, value(name), least), name)
    if value("min_samples_leaf") is not None:
        settings.put("leaf", _count("min_samples_leaf", value("min_samples_leaf"), shape.rows, 1), "min_samples_leaf")
    for name, setting in (("learning_rate", "rate"), ("l2_regularization", "l2"), ("subsample", "rows"), ("max_features", "columns")):
        if value(name) is not None:
            settings.put(setting, value(name), name)


def _features(settings: Settings, wanted: Any, estimator: Any, shape: Shape) -> None:
    width = max(1, len(shape.names))
    if wanted is None and not is_given(estimator, "max_features"):
        return
    if wanted is None:
        found: Any = "all"
    elif wanted in ("sqrt", "log2"):
        found = max(1, int(math.sqrt(width) if wanted == "sqrt" else math.log2(width)))
    elif isinstance(wanted, (float, np.floating)) and 0 < wanted <= 1:
        found = max(1, int(wanted * width))
    elif isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool) and wanted >= 1:
        found = int(wanted)
    else:
        raise ValueError(f"max_features is a whole number from 1, a share up to 1.0, `sqrt`, `log2` or None, not {wanted!r}")
    found = "all" if found != "all" and found >= width else found
    if "inputs" in settings._own:
        settings.put("inputs", found, "max_features")
    elif found != "all":
        raise ValueError(
            f"max_features={wanted!r} is nothing that {type(estimator).__name__} knows: a forest of one tree does, "
            "RandomForestClassifier(n_estimators=1, bootstrap=False, max_features=…)"
        )


def _monotone(settings: Settings, value: Callable[[str], Any], shape: Shape) -> None:
    wanted = value("monotonic_cst")
    if wanted is None:
        return
    pairs = list(wanted.items()) if isinstance(wanted, Mapping) else list(zip(shape.names, np.asarray(wanted).tolist()))
    if not isinstance(wanted, Mapping) and len(np.asarray(wanted)) != len(shape.names):
        raise ValueError(f"monotonic_cst has {len(np.asarray(wanted))} values for {len(shape.names)} columns")
    words = {1: "up", -1: "down"}
    stated = [f"monotone({name}, {words[int(sign)]})" for name, sign in pairs if int(sign) != 0]
    if stated:
        own = settings.get("constraints")
        settings.found["constraints"] = " and ".join([*([f"({own})"] if own else []), *stated])


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is a whole number from {least}, not {value!r}")
    return int(value)


def _count(name: str, value: Any, rows: int, least: int) -> int:
    """A number of rows, given as one or as a share of them."""
    if isinstance(value, (float, np.floating)) and 0 < value <= 1:
        return max(least, math.ceil(value * rows))
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is a whole number of rows from {least}, or a share of them up to 1.0, not {value!r}")
    return int(value)


# ----- kernels -----

NAMED_KERNELS = ("rbf", "linear")
"""Kernels of vectors that ours compute."""
MATRIX_KERNELS = ("poly", "polynomial", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2")
"""Kernels of vectors that scikit-learn computes."""
DEFAULT_KERNEL = "gaussian(euclidean)"


def _kernels(settings: Settings, value: Callable[[str], Any], estimator: Any, shape: Shape) -> None:
    price = value("C")
    if price is not None:
        if isinstance(price, (bool, str)) or not price > 0:
            raise ValueError(f"C is a number above 0, not {price!r}")
        settings.put("c", price, "C")
    if value("tol") is not None:
        settings.put("tolerance", value("tol"), "tol")
    if value("alpha") is not None:
        settings.put("lambda", value("alpha"), "alpha")
    if value("probability") is not None:
        settings.put("probabilities", bool(value("probability")), "probability")
    _class_prices(settings, value, shape)
    _kernel(settings, value, estimator, shape)


def _class_prices(settings: Settings, value: Callable[[str], Any], shape: Shape) -> None:
    wanted = value("class_weight")
    if wanted is None:
        return
    if wanted == "balanced":
        settings.put("weights", "balanced", "class_weight")
    elif isinstance(wanted, Mapping):
        settings.put("weights", ", ".join(f"{label}: {number}" for label, number in wanted.items()), "class_weight")
    else:
        raise ValueError(f"class_weight is `balanced` or a dictionary from classes to numbers, not {wanted!r}")


def _kernel(settings: Settings, value: Callable[[str], Any], estimator: Any, shape: Shape) -> None:
    kernel, gamma = value("kernel"), value("gamma")
    if getattr(estimator, "_matrix", None) is not None:
        settings.found["gamma"] = "auto"
        return
    if kernel == DEFAULT_KERNEL and gamma == "scale":
        kernel = "rbf"
    if kernel == "linear":
        settings.found["kernel"] = "add(product)" if shape.numeric else "add"
        settings.found["gamma"] = "auto"
    elif kernel == "rbf":
        settings.found["kernel"] = "gaussian(euclidean(absolute))" if shape.numeric else DEFAULT_KERNEL
        settings.found["gamma"] = width(estimator, shape.numbers) if shape.numeric else "auto*2"
    elif kernel == DEFAULT_KERNEL and shape.numeric and estimator._learner != "mi_svm":
        settings.found["kernel"] = f"gaussian({scaled(shape)})"
        if gamma in (None, "auto"):
            settings.found["gamma"] = "auto*2"
    elif gamma == "scale":
        settings.found["gamma"] = "auto*2"


def width(estimator: Any, numbers: Callable[[], np.ndarray]) -> float:
    """What scikit-learn's kernels multiply by: a number; `scale` for one over columns times variance, `auto` for one over columns."""
    gamma = estimator.gamma
    if isinstance(gamma, str) and defaults(type(estimator)).get("gamma") == gamma == "auto":
        gamma = "scale"
    if gamma == "scale":
        X = numbers()
        spread = float(np.nanvar(X)) * X.shape[1]
        return 1.0 / spread if spread > 0 else 1.0
    if gamma == "auto":
        return 1.0 / max(1, int(numbers().shape[1]))
    if gamma is None:
        return 1.0 / max(1, int(numbers().shape[1]))
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float, np.number)) or not gamma > 0:
        raise ValueError(f"gamma is a number above 0, `scale` or `auto` with kernel={estimator.kernel!r}, not {gamma!r}")
    return float(gamma)


def kernel_width(estimator: Any, Y: Any) -> float:
    """The same from the training rows."""
    return width(estimator, lambda: np.asarray(Y, dtype=np.float64))
