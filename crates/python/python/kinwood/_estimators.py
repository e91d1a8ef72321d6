"""The estimators, one for each learner and kind of target. Written by generate.py from the registry of learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from ._base import ByTarget, Classifier, Regressor, documented

__all__ = [
    "AutoClassifier",
    "AutoRegressor",
    "BeamSearch",
    "BoostClassifier",
    "BoostRegressor",
    "CentresClassifier",
    "CentresRegressor",
    "CitationKNN",
    "CitationKNNRegressor",
    "DBDTClassifier",
    "DBDTRegressor",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KStarClassifier",
    "KStarRegressor",
    "KernelRidge",
    "KernelSVC",
    "KernelSVR",
    "M5Regressor",
    "MIRTClassifier",
    "MIRTRegressor",
    "MISVC",
    "MajorityClassifier",
    "MeanRegressor",
    "NuSVC",
    "NuSVR",
    "OneR",
    "PCTClassifier",
    "PCTRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "SVC",
    "SVR",
]


class MajorityParameters:
    """Parameters
    ----------
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "majority"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MajorityClassifier(MajorityParameters, Classifier):
    """Predicts the class shares of the training rows: what every other learner has to beat.

    The learner `majority` of the command.

    Reference: the default rule; e.g. Holte 1993

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.MajorityClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    high high
    """

    _baseline = True
    _ordered = True


class MeanParameters:
    """Parameters
    ----------
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "mean"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MeanRegressor(MeanParameters, Regressor):
    """Predicts the mean of the training rows: what every other learner of numbers has to beat.

    The learner `mean` of the command.

    Reference: the default rule for numbers

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.MeanRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _baseline = True


class OnerParameters:
    """Parameters
    ----------
    bucket : int, default 6
        How many rows of its most frequent class an interval of numbers holds at least. Expected: a whole number from 1.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "oner"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "bucket": ("bucket", "6"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        bucket: int = 6,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.bucket = bucket
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class OneR(OnerParameters, Classifier):
    """1R: predicts the class from the single attribute that classifies the training rows best.

    The learner `oner` of the command.

    Reference: Holte, Very simple classification rules perform well on most commonly used datasets, Machine Learning 11, 1993

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.OneR(bucket=2).fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _baseline = True


class KnnParameters:
    """Parameters
    ----------
    n_neighbors : int | Literal["loo", "auto"] | None, default 5
        How many neighbours vote, or `loo` to choose the number by leave-one-out; `k`.
    preset : Literal["none", "ib1"] | None, default None
        Other defaults: ib1 for k=1, weights=uniform, distance=euclidean, missing=max; settings given beside it win. Expected: one of none,
        ib1.
    k : int | Literal["auto", "loo"] | None, default None
        How many neighbours vote; loo chooses the number with the least leave-one-out error on the training rows, and so does auto with at
        most 1000 of them left out, drawn at random; with a filter auto is 1. Expected: a whole number from 1, or auto or loo. By default
        "auto", or what the preset says.
    most : int | None, default None
        The largest k that auto and loo try. Expected: a whole number from 1 to 10000. By default 30, or what the preset says.
    weights : Literal["uniform", "inverse", "kernel", "distance"] | None, default None
        How much a neighbour's vote counts: the same for all, the inverse of its distance, or the tricube kernel of its distance over that
        of neighbour k+1. Expected: one of uniform, inverse, kernel. By default "uniform", or what the preset says.
    filter : Literal["none", "ib2", "ib3"] | None, default None
        Which training rows are kept: all (none), those that the ones kept before misclassify (ib2), or of these the ones with a
        significantly good record (ib3). Expected: one of none, ib2, ib3. By default None, or what the preset says.
    distance : str | Callable[..., float] | None, default None
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column. By default "euclidean", or what the preset says.
    depth : int | None, default None
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8. By default 1, or what the
        preset says.
    missing : Literal["own", "max", "skip"] | None, default None
        A missing value is a point of its own (own), as far as can be (max: IB1), or left out (skip). Expected: one of own, max, skip. By
        default "own", or what the preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default None, or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    metric : str | Callable[..., float] | None, default None
        How far rows are apart: `euclidean`, `manhattan`, `minkowski`, `cosine` and the like of vectors as they are, `precomputed`, a
        function of two vectors or values, or any expression, such as `levenshtein`, `jaccard` and `dtw` of values; `distance`.
    p : float | None, default None
        The power of `metric='minkowski'`; 2 by default.
    metric_params : Mapping[str, Any] | None, default None
        More arguments of the metric, by name.
    algorithm : Literal["auto", "ball_tree", "kd_tree", "brute"] | None, default None
        Taken and not used: the search is always exact.
    leaf_size : int | None, default None
        Taken and not used.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "knn"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "k": ("k", "auto"),
        "most": ("most", "30"),
        "weights": ("weights", "uniform"),
        "filter": ("filter", "none"),
        "distance": ("distance", "euclidean"),
        "depth": ("depth", "1"),
        "missing": ("missing", "own"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        n_neighbors: int | Literal["loo", "auto"] | None = 5,
        *,
        preset: Literal["none", "ib1"] | None = None,
        k: int | Literal["auto", "loo"] | None = None,
        most: int | None = None,
        weights: Literal["uniform", "inverse", "kernel", "distance"] | None = None,
        filter: Literal["none", "ib2", "ib3"] | None = None,
        distance: str | Callable[..., float] | None = None,
        depth: int | None = None,
        missing: Literal["own", "max", "skip"] | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        metric: str | Callable[..., float] | None = None,
        p: float | None = None,
        metric_params: Mapping[str, Any] | None = None,
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] | None = None,
        leaf_size: int | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.preset = preset
        self.k = k
        self.most = most
        self.weights = weights
        self.filter = filter
        self.distance = distance
        self.depth = depth
        self.missing = missing
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KNeighborsClassifier(KnnParameters, Classifier):
    """Predicts from the k most similar training rows; IB1, IB2 and IB3 are settings of it.

    The learner `knn` of the command.

    Reference: Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.KNeighborsClassifier(n_neighbors=3).fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _ordered = True


@documented
class KNeighborsRegressor(KnnParameters, Regressor):
    """Predicts from the k most similar training rows; IB1, IB2 and IB3 are settings of it.

    The learner `knn` of the command.

    Reference: Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.KNeighborsRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _ordered = True


class KstarParameters:
    """Parameters
    ----------
    blend : float | str | Sequence[float], default 0.2
        How far the sphere of influence reaches, from 0 (the nearest values) to 1 (all alike); `0.2, age=0.5` for a column of its own,
        `cross_validation` to choose on the training rows.
    auto_blend : bool, default False
        Whether the blend of each column and value is chosen by the entropy of the targets. Expected: `true` or `false`.
    missing : Literal["average", "ignore", "maximal", "none"] | None, default "average"
        A missing stored value is any of the others (average), leaves its row out (ignore), is the furthest (maximal), or the one asked
        about (none). Expected: one of average, ignore, maximal, none.
    compat : Literal["none", "weka"] | None, default None
        Follow the paper (none), or compute as Weka 3.9.7 does (weka). Expected: one of none, weka.
    distance : str | Mapping[str, Any] | Sequence[Any], default ""
        How far values of columns are apart, as `column: expression, ...`; structured columns have a default.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "kstar"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "blend": ("blend", "0.2"),
        "auto_blend": ("auto_blend", "false"),
        "missing": ("missing", "average"),
        "compat": ("compat", "none"),
        "distance": ("distance", ""),
        "depth": ("depth", "1"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        blend: float | str | Sequence[float] = 0.2,
        auto_blend: bool = False,
        missing: Literal["average", "ignore", "maximal", "none"] | None = "average",
        compat: Literal["none", "weka"] | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] = "",
        depth: int = 1,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.blend = blend
        self.auto_blend = auto_blend
        self.missing = missing
        self.compat = compat
        self.distance = distance
        self.depth = depth
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KStarClassifier(KstarParameters, Classifier):
    """Predicts from all training rows, weighed by the probability of turning into them at random.

    The learner `kstar` of the command.

    Reference: Cleary and Trigg, K*: an instance-based learner using an entropic distance measure, ICML 1995

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.KStarClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """


@documented
class KStarRegressor(KstarParameters, Regressor):
    """Predicts from all training rows, weighed by the probability of turning into them at random.

    The learner `kstar` of the command.

    Reference: Cleary and Trigg, K*: an instance-based learner using an entropic distance measure, ICML 1995

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.KStarRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class CitationKnnParameters:
    """Parameters
    ----------
    references : int, default 2
        How many of the nearest stored rows vote. Expected: a whole number from 1.
    citers : int, default 4
        Stored rows vote that would count the row asked about among so many nearest of theirs. Expected: a whole number from 0.
    ties : str | Mapping[str, Any] | Sequence[Any], default "nearest"
        Which of classes with equally many votes is predicted: that of the nearest voter (nearest), or this class.
    bags : str | Mapping[str, Any] | Sequence[Any], default "min_hausdorff"
        How bags and sets are compared where the distance does not say; a name alone joins members that are rows by euclidean.
    distance : str | Mapping[str, Any] | Sequence[Any], default "euclidean"
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    missing : Literal["own", "max", "skip"], default "own"
        A missing value is a point of its own (own), as far as can be (max), or left out (skip). Expected: one of own, max, skip.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "citation_knn"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "references": ("references", "2"),
        "citers": ("citers", "4"),
        "ties": ("ties", "nearest"),
        "bags": ("bags", "min_hausdorff"),
        "distance": ("distance", "euclidean"),
        "depth": ("depth", "1"),
        "missing": ("missing", "own"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        references: int = 2,
        citers: int = 4,
        ties: str | Mapping[str, Any] | Sequence[Any] = "nearest",
        bags: str | Mapping[str, Any] | Sequence[Any] = "min_hausdorff",
        distance: str | Mapping[str, Any] | Sequence[Any] = "euclidean",
        depth: int = 1,
        missing: Literal["own", "max", "skip"] = "own",
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.references = references
        self.citers = citers
        self.ties = ties
        self.bags = bags
        self.distance = distance
        self.depth = depth
        self.missing = missing
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class CitationKNN(CitationKnnParameters, Classifier):
    """Predicts bags from the training bags nearest to them and from those they are near to.

    The learner `citation_knn` of the command.

    Reference: Wang and Zucker, Solving the multiple-instance problem: a lazy learning approach, ICML 2000

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood, numpy as np
    >>> near = [np.array([[0.0, 0.1], [5.0, 5.0]]), np.array([[0.1, 0.0]])]
    >>> far = [np.array([[9.0, 9.1], [5.0, 5.1]]), np.array([[9.1, 9.0]])]
    >>> bags = (near + far) * 3
    >>> model = kinwood.CitationKNN(citers=2).fit(bags, ["near", "near", "far", "far"] * 3)
    >>> print(*model.predict([np.array([[0.0, 0.0], [5.1, 5.0]])]))
    near
    """


@documented
class CitationKNNRegressor(CitationKnnParameters, Regressor):
    """Predicts bags from the training bags nearest to them and from those they are near to.

    The learner `citation_knn` of the command.

    Reference: Wang and Zucker, Solving the multiple-instance problem: a lazy learning approach, ICML 2000

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.CitationKNNRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class TreeParameters:
    """Parameters
    ----------
    search : Literal["greedy", "best_first", "beam", "exhaustive"] | None, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), several trees at once (beam), or not at all:
        every tree up to a size is made (exhaustive), of which there must not be too many. Expected: one of greedy, best_first, beam,
        exhaustive. By default "greedy", or what the preset says.
    preset : Literal["none", "paper"] | None, default None
        `paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data,
        structured columns are tested by prototypes alone, gains are not corrected, and the tree of a beam that errs least in training
        answers. Expected: one of none, paper.
    heuristic : Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. By default "auto", or what the preset says.
    leaf : float | None, default None
        The least number of examples in a leaf; rows with weights count as rows. Expected: a number from 0.000001. By default 2, or what the
        preset says.
    size : int | None, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none. By
        default None, or what the preset says.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By default None, or what the preset
        says.
    constraints : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`. By
        default "", or what the preset says.
    costs : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. By default "", or what the preset says.
    pruning : Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None, default None
        How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else. Expected: one of auto,
        none, c45, m5, size, reduced_error, cost_complexity, models. By default "auto", or what the preset says.
    confidence : float | None, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. By default 0.25, or what the
        preset says.
    one_se : bool | None, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. By default
        False, or what the preset says.
    smoothing : float | None, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. By default 0, or what the preset says.
    subsets : bool | None, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. By default True, or what the
        preset says.
    threshold : Literal["middle", "value"] | None, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. By default
        "middle", or what the preset says.
    missing : Literal["divide", "largest"] | None, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. By default "divide", or what the preset says.
    follow : int | None, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. By default 2, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. By default "mean", or what the preset says.
    keys : int | None, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. By
        default 0, or what the preset says.
    prototypes : int | Literal["all"] | None, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. By default 2, or what the preset says.
    attraction : Literal["nearest", "density"] | None, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. By default "nearest", or what the preset says.
    structured : Literal["auto", "members", "prototypes"] | None, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. By default "auto", or what
        the preset says.
    labels : int | None, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. By default 1000, or what the preset says.
    stop_words : str | Mapping[str, Any] | Sequence[Any] | None, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. By default "", or what
        the preset says.
    corrected : bool | None, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. By default True, or what the preset says.
    width : int | None, default None
        How many trees a beam holds. Expected: a whole number from 1. By default 10, or what the preset says.
    alpha : float | None, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. By default 1e-05, or what the preset says.
    beta : float | None, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. By default 0, or what the preset says.
    similarity : Literal["predictions", "distributions"] | None, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. By default "predictions", or what the preset says.
    margin : float | None, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. By default 1e-06, or what the preset
        says.
    epsilon : float | None, default None
        Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with
        search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers
        relative to that of a tree of one leaf; 0 keeps the last beam, or all trees. Expected: a number from 0 to 1. By default 0, or what
        the preset says.
    first : Literal["score", "error"] | None, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. By default "score", or what the preset says.
    combine : Literal["best", "vote", "average"] | None, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. By default
        "best", or what the preset says.
    class_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. By default "", or what the preset says.
    target_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. By default
        "", or what the preset says.
    hierarchy_weight : float | None, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. By default 0.75, or what
        the preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default None, or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    criterion : Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None, default None
        What makes a test good; `heuristic`.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_split : float | None, default None
        The least number of rows that are divided, or a share of all rows.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    min_weight_fraction_leaf : float | None, default None
        The least share of the rows in a leaf.
    max_leaf_nodes : int | None, default None
        The most leaves, the most gaining being divided first; `search='best_first'` with a `size`.
    min_impurity_decrease : float | None, default None
        0 alone: every test that gains something may be taken.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    ccp_alpha : float | None, default None
        0 alone: `pruning='cost_complexity'` chooses it.
    monotonic_cst : Mapping[str, int] | Sequence[int] | None, default None
        1 for columns with which predictions rise, -1 fall; `constraints`.
    splitter : Literal["best"] | None, default None
        `best` alone.
    max_features : float | Literal["sqrt", "log2"] | None, default None
        All alone: a forest looks at some columns in each node.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "tree"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "search": ("search", "greedy"),
        "preset": ("preset", "none"),
        "heuristic": ("heuristic", "auto"),
        "leaf": ("leaf", "2"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
        "pruning": ("pruning", "auto"),
        "confidence": ("confidence", "0.25"),
        "one_se": ("one_se", "false"),
        "smoothing": ("smoothing", "0"),
        "subsets": ("subsets", "true"),
        "threshold": ("threshold", "middle"),
        "missing": ("missing", "divide"),
        "follow": ("follow", "2"),
        "distance": ("distance", "mean"),
        "keys": ("keys", "0"),
        "prototypes": ("prototypes", "2"),
        "attraction": ("attraction", "nearest"),
        "structured": ("structured", "auto"),
        "labels": ("labels", "1000"),
        "stop_words": ("stop_words", ""),
        "corrected": ("corrected", "true"),
        "width": ("width", "10"),
        "alpha": ("alpha", "0.00001"),
        "beta": ("beta", "0"),
        "similarity": ("similarity", "predictions"),
        "margin": ("margin", "0.000001"),
        "epsilon": ("epsilon", "0"),
        "first": ("first", "score"),
        "combine": ("combine", "best"),
        "class_weights": ("class_weights", ""),
        "target_weights": ("target_weights", ""),
        "hierarchy_weight": ("hierarchy_weight", "0.75"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        search: Literal["greedy", "best_first", "beam", "exhaustive"] | None = None,
        preset: Literal["none", "paper"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        pruning: Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None = None,
        confidence: float | None = None,
        one_se: bool | None = None,
        smoothing: float | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        first: Literal["score", "error"] | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        splitter: Literal["best"] | None = None,
        max_features: float | Literal["sqrt", "log2"] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.search = search
        self.preset = preset
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.pruning = pruning
        self.confidence = confidence
        self.one_se = one_se
        self.smoothing = smoothing
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.first = first
        self.combine = combine
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.splitter = splitter
        self.max_features = max_features
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class PCTClassifier(TreeParameters, Classifier):
    """Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.

    The learner `tree` of the command.

    Reference: Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006;
    Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.PCTClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class PCTRegressor(TreeParameters, Regressor):
    """Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.

    The learner `tree` of the command.

    Reference: Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006;
    Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.PCTRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class BeamSearchParameters:
    """Parameters
    ----------
    preset : Literal["none", "paper"] | None, default None
        `paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data,
        structured columns are tested by prototypes alone, gains are not corrected, and the tree of a beam that errs least in training
        answers. Expected: one of none, paper.
    heuristic : Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. By default "auto", or what the preset says.
    leaf : float | None, default None
        The least number of examples in a leaf; rows with weights count as rows. Expected: a number from 0.000001. By default 2, or what the
        preset says.
    size : int | None, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none. By
        default None, or what the preset says.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By default None, or what the preset
        says.
    constraints : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`. By
        default "", or what the preset says.
    costs : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. By default "", or what the preset says.
    pruning : Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None, default None
        How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else. Expected: one of auto,
        none, c45, m5, size, reduced_error, cost_complexity, models. By default "auto", or what the preset says.
    confidence : float | None, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. By default 0.25, or what the
        preset says.
    one_se : bool | None, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. By default
        False, or what the preset says.
    smoothing : float | None, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. By default 0, or what the preset says.
    subsets : bool | None, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. By default True, or what the
        preset says.
    threshold : Literal["middle", "value"] | None, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. By default
        "middle", or what the preset says.
    missing : Literal["divide", "largest"] | None, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. By default "divide", or what the preset says.
    follow : int | None, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. By default 2, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. By default "mean", or what the preset says.
    keys : int | None, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. By
        default 0, or what the preset says.
    prototypes : int | Literal["all"] | None, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. By default 2, or what the preset says.
    attraction : Literal["nearest", "density"] | None, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. By default "nearest", or what the preset says.
    structured : Literal["auto", "members", "prototypes"] | None, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. By default "auto", or what
        the preset says.
    labels : int | None, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. By default 1000, or what the preset says.
    stop_words : str | Mapping[str, Any] | Sequence[Any] | None, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. By default "", or what
        the preset says.
    corrected : bool | None, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. By default True, or what the preset says.
    width : int | None, default None
        How many trees a beam holds. Expected: a whole number from 1. By default 10, or what the preset says.
    alpha : float | None, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. By default 1e-05, or what the preset says.
    beta : float | None, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. By default 0, or what the preset says.
    similarity : Literal["predictions", "distributions"] | None, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. By default "predictions", or what the preset says.
    margin : float | None, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. By default 1e-06, or what the preset
        says.
    epsilon : float | None, default None
        Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with
        search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers
        relative to that of a tree of one leaf; 0 keeps the last beam, or all trees. Expected: a number from 0 to 1. By default 0, or what
        the preset says.
    first : Literal["score", "error"] | None, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. By default "score", or what the preset says.
    combine : Literal["best", "vote", "average"] | None, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. By default
        "best", or what the preset says.
    class_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. By default "", or what the preset says.
    target_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. By default
        "", or what the preset says.
    hierarchy_weight : float | None, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. By default 0.75, or what
        the preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default None, or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    criterion : Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None, default None
        What makes a test good; `heuristic`.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_split : float | None, default None
        The least number of rows that are divided, or a share of all rows.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    min_weight_fraction_leaf : float | None, default None
        The least share of the rows in a leaf.
    max_leaf_nodes : int | None, default None
        The most leaves, the most gaining being divided first; `search='best_first'` with a `size`.
    min_impurity_decrease : float | None, default None
        0 alone: every test that gains something may be taken.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    ccp_alpha : float | None, default None
        0 alone: `pruning='cost_complexity'` chooses it.
    monotonic_cst : Mapping[str, int] | Sequence[int] | None, default None
        1 for columns with which predictions rise, -1 fall; `constraints`.
    splitter : Literal["best"] | None, default None
        `best` alone.
    max_features : float | Literal["sqrt", "log2"] | None, default None
        All alone: a forest looks at some columns in each node.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    task : Literal["classification", "regression"], default "classification"
        `classification` or `regression`: whether targets are classes or numbers.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "tree"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "heuristic": ("heuristic", "auto"),
        "leaf": ("leaf", "2"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
        "pruning": ("pruning", "auto"),
        "confidence": ("confidence", "0.25"),
        "one_se": ("one_se", "false"),
        "smoothing": ("smoothing", "0"),
        "subsets": ("subsets", "true"),
        "threshold": ("threshold", "middle"),
        "missing": ("missing", "divide"),
        "follow": ("follow", "2"),
        "distance": ("distance", "mean"),
        "keys": ("keys", "0"),
        "prototypes": ("prototypes", "2"),
        "attraction": ("attraction", "nearest"),
        "structured": ("structured", "auto"),
        "labels": ("labels", "1000"),
        "stop_words": ("stop_words", ""),
        "corrected": ("corrected", "true"),
        "width": ("width", "10"),
        "alpha": ("alpha", "0.00001"),
        "beta": ("beta", "0"),
        "similarity": ("similarity", "predictions"),
        "margin": ("margin", "0.000001"),
        "epsilon": ("epsilon", "0"),
        "first": ("first", "score"),
        "combine": ("combine", "best"),
        "class_weights": ("class_weights", ""),
        "target_weights": ("target_weights", ""),
        "hierarchy_weight": ("hierarchy_weight", "0.75"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("search", "beam"),)
    _several = True

    def __init__(
        self,
        *,
        preset: Literal["none", "paper"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        pruning: Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None = None,
        confidence: float | None = None,
        one_se: bool | None = None,
        smoothing: float | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        first: Literal["score", "error"] | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        splitter: Literal["best"] | None = None,
        max_features: float | Literal["sqrt", "log2"] | None = None,
        verbose: int | bool | None = None,
        task: Literal["classification", "regression"] = "classification",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.preset = preset
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.pruning = pruning
        self.confidence = confidence
        self.one_se = one_se
        self.smoothing = smoothing
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.first = first
        self.combine = combine
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.splitter = splitter
        self.max_features = max_features
        self.verbose = verbose
        self.task = task
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class BeamSearch(BeamSearchParameters, ByTarget):
    """Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.

    A beam of the best trees is kept while they grow; `members_` are the trees, each an estimator of its own, best first.

    The learner `tree` of the command.

    Reference: Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006;
    Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[float(x % 7), float(x % 5)] for x in range(70)], ["in" if x % 7 > 3 else "out" for x in range(70)]
    >>> beam = kinwood.BeamSearch(width=3, constraints="size <= 7").fit(X, y)
    >>> len(beam.members_), beam.score(X, y)
    (3, 1.0)
    """

    _sets = True


class DbdtParameters:
    """Parameters
    ----------
    preset : Literal["none", "paper"] | None, default None
        `paper` takes the choice of the paper for every setting that is not given: structured columns are tested by prototypes alone, gains
        are not corrected, and trees are not cut back. Expected: one of none, paper.
    prototypes : int | Literal["all"] | None, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. By default 2, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. By default "mean", or what the preset says.
    keys : int | None, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. By
        default 1, or what the preset says.
    attraction : Literal["nearest", "density"] | None, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. By default "nearest", or what the preset says.
    boundary : Literal["middle", "best"] | None, default None
        Where the boundary between two prototypes that are numbers lies: midway, or where the branches are least spread (best). Expected:
        one of middle, best. By default "middle", or what the preset says.
    structured : Literal["auto", "members", "prototypes"] | None, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. By default "auto", or what
        the preset says.
    labels : int | None, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. By default 1000, or what the preset says.
    stop_words : str | Mapping[str, Any] | Sequence[Any] | None, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. By default "", or what
        the preset says.
    corrected : bool | None, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. By default True, or what the preset says.
    missing : Literal["divide", "largest"] | None, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. By default "largest", or what the preset says.
    gain : bool | None, default None
        Whether a test must gain something: without, a node is divided until it is pure or nothing divides it. Expected: `true` or `false`.
        By default False, or what the preset says.
    search : Literal["greedy", "best_first", "beam"] | None, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. By default "greedy", or what the preset says.
    heuristic : Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. By default "gain_ratio", or what the preset says.
    leaf : float | None, default None
        The least number of examples in a leaf; rows with weights count as rows. Expected: a number from 0. By default 0, or what the preset
        says.
    size : int | None, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none. By
        default None, or what the preset says.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By default None, or what the preset
        says.
    constraints : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`. By
        default "", or what the preset says.
    costs : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. By default "", or what the preset says.
    pruning : Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None, default None
        How trees are cut back: auto takes c45 for classes, cost_complexity for numbers and m5 for all else; the paper does not cut back.
        Expected: one of auto, none, c45, m5, size, reduced_error, cost_complexity, models. By default "auto", or what the preset says.
    confidence : float | None, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. By default 0.25, or what the
        preset says.
    one_se : bool | None, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. By default
        False, or what the preset says.
    smoothing : float | None, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. By default 0, or what the preset says.
    width : int | None, default None
        How many trees a beam holds. Expected: a whole number from 1. By default 10, or what the preset says.
    alpha : float | None, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. By default 1e-05, or what the preset says.
    beta : float | None, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. By default 0, or what the preset says.
    similarity : Literal["predictions", "distributions"] | None, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. By default "predictions", or what the preset says.
    margin : float | None, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. By default 1e-06, or what the preset
        says.
    epsilon : float | None, default None
        Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with
        search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers
        relative to that of a tree of one leaf; 0 keeps the last beam, or all trees. Expected: a number from 0 to 1. By default 0, or what
        the preset says.
    first : Literal["score", "error"] | None, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. By default "score", or what the preset says.
    combine : Literal["best", "vote", "average"] | None, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. By default
        "best", or what the preset says.
    class_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. By default "", or what the preset says.
    target_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. By default
        "", or what the preset says.
    hierarchy_weight : float | None, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. By default 0.75, or what
        the preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default None, or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "dbdt"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "prototypes": ("prototypes", "2"),
        "distance": ("distance", "mean"),
        "keys": ("keys", "1"),
        "attraction": ("attraction", "nearest"),
        "boundary": ("boundary", "middle"),
        "structured": ("structured", "auto"),
        "labels": ("labels", "1000"),
        "stop_words": ("stop_words", ""),
        "corrected": ("corrected", "true"),
        "missing": ("missing", "largest"),
        "gain": ("gain", "false"),
        "search": ("search", "greedy"),
        "heuristic": ("heuristic", "gain_ratio"),
        "leaf": ("leaf", "0"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
        "pruning": ("pruning", "auto"),
        "confidence": ("confidence", "0.25"),
        "one_se": ("one_se", "false"),
        "smoothing": ("smoothing", "0"),
        "width": ("width", "10"),
        "alpha": ("alpha", "0.00001"),
        "beta": ("beta", "0"),
        "similarity": ("similarity", "predictions"),
        "margin": ("margin", "0.000001"),
        "epsilon": ("epsilon", "0"),
        "first": ("first", "score"),
        "combine": ("combine", "best"),
        "class_weights": ("class_weights", ""),
        "target_weights": ("target_weights", ""),
        "hierarchy_weight": ("hierarchy_weight", "0.75"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        preset: Literal["none", "paper"] | None = None,
        prototypes: int | Literal["all"] | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        boundary: Literal["middle", "best"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        missing: Literal["divide", "largest"] | None = None,
        gain: bool | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        pruning: Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None = None,
        confidence: float | None = None,
        one_se: bool | None = None,
        smoothing: float | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        first: Literal["score", "error"] | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        max_depth: int | None = None,
        min_samples_leaf: float | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.preset = preset
        self.prototypes = prototypes
        self.distance = distance
        self.keys = keys
        self.attraction = attraction
        self.boundary = boundary
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.missing = missing
        self.gain = gain
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.pruning = pruning
        self.confidence = confidence
        self.one_se = one_se
        self.smoothing = smoothing
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.first = first
        self.combine = combine
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class DBDTClassifier(DbdtParameters, Classifier):
    """Grows a tree whose tests ask which prototype a value is nearest to, whatever the value is, or what it contains.

    The learner `dbdt` of the command.

    Reference: Estruch, Ferri, Hernandez-Orallo and Ramirez-Quintana, Similarity functions for structured data: an application to decision
    trees, Inteligencia Artificial 10, 2006

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.DBDTClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class DBDTRegressor(DbdtParameters, Regressor):
    """Grows a tree whose tests ask which prototype a value is nearest to, whatever the value is, or what it contains.

    The learner `dbdt` of the command.

    Reference: Estruch, Ferri, Hernandez-Orallo and Ramirez-Quintana, Similarity functions for structured data: an application to decision
    trees, Inteligencia Artificial 10, 2006

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.DBDTRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class ForestParameters:
    """Parameters
    ----------
    n_estimators : int | None, default None
        How many trees there are; `trees`.
    preset : Literal["random", "paper", "bagging", "extra", "subspaces", "proximity", "proximity2", "beam"], default "random"
        What is drawn: rows and the columns of each node (random; paper for no more than Breiman has), rows alone (bagging), thresholds too
        (extra), the columns of each tree (subspaces), prototypes (proximity), their distances too (proximity2), or nothing, the trees being
        those of a beam (beam); settings given beside it win. Expected: one of random, paper, bagging, extra, subspaces, proximity,
        proximity2, beam.
    trees : int | None, default None
        How many samples of the rows a tree is grown on, or with search=beam the trees of a beam. Expected: a whole number from 1 to 100000.
        By default 100, or what the preset says.
    sample : Literal["bootstrap", "subsample", "all"] | None, default None
        The rows of a tree: as many as there are, drawn with repetition (bootstrap), 63.2 percent of them (subsample), or all. Expected: one
        of bootstrap, subsample, all. By default "bootstrap", or what the preset says.
    inputs : int | Literal["auto", "all"] | None, default None
        How many columns a node looks at, drawn anew in each: a number, all, or by default the root of their number for classes and a third
        of it for numbers. Expected: a whole number from 1, or auto or all. By default "auto", or what the preset says.
    space : float | None, default None
        The share of the columns that a tree may use, drawn for each tree. Expected: a number from 0.000001 to 1. By default 1, or what the
        preset says.
    tests : Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None, default None
        Thresholds and subsets are sought (best) or drawn at random (drawn), structured columns being tested as `structured` says; or
        prototypes are sought for all columns (prototypes), or drawn for all (drawn_prototypes). Expected: one of best, drawn, prototypes,
        drawn_prototypes. By default "best", or what the preset says.
    draws : int | None, default None
        How often prototypes are drawn in a node, the best draw being taken. Expected: a whole number from 1 to 10000. By default 5, or what
        the preset says.
    distances : Literal["one", "several"] | None, default None
        Whether drawn prototypes of series, collections of labels and strings are compared by the distance of their column (one), or by one
        that is drawn with its settings each time (several). Expected: one of one, several. By default "one", or what the preset says.
    search : Literal["greedy", "best_first", "beam"] | None, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. By default "greedy", or what the preset says.
    heuristic : Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. By default "auto", or what the preset says.
    leaf : float | None, default None
        The least number of examples in a leaf; rows with weights count as rows. Expected: a number from 0.000001. By default 1, or what the
        preset says.
    size : int | None, default None
        The most nodes of a tree, leaves included, or `none`; with search=best_first or beam. Expected: a whole number from 1, or none. By
        default None, or what the preset says.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By default None, or what the preset
        says.
    constraints : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What every tree must keep to, such as `depth <= 4 or cost <= 2.5`, `leaf >= 5`, `not uses(age)`, `monotone(age, up)`, `like(FILE)`.
        By default "", or what the preset says.
    costs : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. By default "", or what the preset says.
    subsets : bool | None, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. By default True, or what the
        preset says.
    threshold : Literal["middle", "value"] | None, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. By default
        "middle", or what the preset says.
    missing : Literal["divide", "largest"] | None, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. By default "largest", or what the preset says.
    follow : int | None, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. By default 2, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. By default "mean", or what the preset says.
    keys : int | None, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. By
        default 0, or what the preset says.
    prototypes : int | Literal["all"] | None, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. By default 2, or what the preset says.
    attraction : Literal["nearest", "density"] | None, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. By default "nearest", or what the preset says.
    structured : Literal["auto", "members", "prototypes"] | None, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. By default "auto", or what
        the preset says.
    labels : int | None, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. By default 1000, or what the preset says.
    stop_words : str | Mapping[str, Any] | Sequence[Any] | None, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. By default "", or what
        the preset says.
    corrected : bool | None, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. By default True, or what the preset says.
    width : int | None, default None
        How many trees a beam holds. Expected: a whole number from 1. By default 10, or what the preset says.
    alpha : float | None, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. By default 1e-05, or what the preset says.
    beta : float | None, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. By default 0, or what the preset says.
    similarity : Literal["predictions", "distributions"] | None, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. By default "predictions", or what the preset says.
    margin : float | None, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. By default 1e-06, or what the preset
        says.
    epsilon : float | None, default None
        Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with
        search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers
        relative to that of a tree of one leaf; 0 keeps the last beam, or all trees. Expected: a number from 0 to 1. By default 0, or what
        the preset says.
    combine : Literal["average", "vote"] | None, default None
        How the trees predict: by the average of their answers, or by vote. Expected: one of average, vote. By default "average", or what
        the preset says.
    prior : float | None, default None
        With combine=average, how many votes even probabilities have beside those of the trees: no class or label that some row may have is
        impossible. Expected: a number that is not negative. By default 1, or what the preset says.
    class_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. By default "", or what the preset says.
    target_weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. By default
        "", or what the preset says.
    hierarchy_weight : float | None, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. By default 0.75, or what
        the preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default "p2", or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    criterion : Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None, default None
        What makes a test good; `heuristic`.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_split : float | None, default None
        The least number of rows that are divided, or a share of all rows.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    min_weight_fraction_leaf : float | None, default None
        The least share of the rows in a leaf.
    max_leaf_nodes : int | None, default None
        The most leaves, the most gaining being divided first; `search='best_first'` with a `size`.
    min_impurity_decrease : float | None, default None
        0 alone: every test that gains something may be taken.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    ccp_alpha : float | None, default None
        0 alone: `pruning='cost_complexity'` chooses it.
    monotonic_cst : Mapping[str, int] | Sequence[int] | None, default None
        1 for columns with which predictions rise, -1 fall; `constraints`.
    max_features : float | Literal["sqrt", "log2"] | None, default None
        How many columns a node looks at: a number, a share, or the root or logarithm of their number; `inputs`.
    bootstrap : bool | None, default None
        Whether trees grow on rows drawn with repetition; `sample`.
    oob_score : bool | None, default None
        Taken and not used: `oob_score_` is there wherever rows are drawn.
    max_samples : float | None, default None
        All alone; `sample='subsample'` takes 63.2 percent of the rows.
    warm_start : bool | None, default None
        False alone.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "forest"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "random"),
        "trees": ("trees", "100"),
        "sample": ("sample", "bootstrap"),
        "inputs": ("inputs", "auto"),
        "space": ("space", "1"),
        "tests": ("tests", "best"),
        "draws": ("draws", "5"),
        "distances": ("distances", "one"),
        "search": ("search", "greedy"),
        "heuristic": ("heuristic", "auto"),
        "leaf": ("leaf", "1"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
        "subsets": ("subsets", "true"),
        "threshold": ("threshold", "middle"),
        "missing": ("missing", "largest"),
        "follow": ("follow", "2"),
        "distance": ("distance", "mean"),
        "keys": ("keys", "0"),
        "prototypes": ("prototypes", "2"),
        "attraction": ("attraction", "nearest"),
        "structured": ("structured", "auto"),
        "labels": ("labels", "1000"),
        "stop_words": ("stop_words", ""),
        "corrected": ("corrected", "true"),
        "width": ("width", "10"),
        "alpha": ("alpha", "0.00001"),
        "beta": ("beta", "0"),
        "similarity": ("similarity", "predictions"),
        "margin": ("margin", "0.000001"),
        "epsilon": ("epsilon", "0"),
        "combine": ("combine", "average"),
        "prior": ("prior", "1"),
        "class_weights": ("class_weights", ""),
        "target_weights": ("target_weights", ""),
        "hierarchy_weight": ("hierarchy_weight", "0.75"),
        "flatten": ("flatten", "p2"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        n_estimators: int | None = None,
        *,
        preset: Literal["random", "paper", "bagging", "extra", "subspaces", "proximity", "proximity2", "beam"] = "random",
        trees: int | None = None,
        sample: Literal["bootstrap", "subsample", "all"] | None = None,
        inputs: int | Literal["auto", "all"] | None = None,
        space: float | None = None,
        tests: Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None = None,
        draws: int | None = None,
        distances: Literal["one", "several"] | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["average", "vote"] | None = None,
        prior: float | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        max_features: float | Literal["sqrt", "log2"] | None = None,
        bootstrap: bool | None = None,
        oob_score: bool | None = None,
        max_samples: float | None = None,
        warm_start: bool | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.preset = preset
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
        self.distances = distances
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.prior = prior
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.max_samples = max_samples
        self.warm_start = warm_start
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class ForestClassifier(ForestParameters, Classifier):
    """Grows many trees, each on rows and columns drawn at random, and answers by all of them together.

    The learner `forest` of the command.

    Reference: Breiman, Random forests, Machine Learning 45, 2001; Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning
    63, 2006; Lucas et al., Proximity Forest, Data Mining and Knowledge Discovery 33, 2019

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.ForestClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class ForestRegressor(ForestParameters, Regressor):
    """Grows many trees, each on rows and columns drawn at random, and answers by all of them together.

    The learner `forest` of the command.

    Reference: Breiman, Random forests, Machine Learning 45, 2001; Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning
    63, 2006; Lucas et al., Proximity Forest, Data Mining and Knowledge Discovery 33, 2019

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.ForestRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class BoostParameters:
    """Parameters
    ----------
    trees : int, default 500
        The most rounds; each adds a tree for every number, or for every class where there are more than two. Expected: a whole number from
        1 to 100000.
    rate : float, default 0.1
        The part of each tree's answer that is added: the smaller, the more trees it takes. Expected: a number above 0 and at most 1.
    leaves : int, default 31
        The most leaves of a tree; the leaf that gains most is divided next. Expected: a whole number from 2 to 65536.
    depth : int | None, default None
        The most tests from the root of a tree to a leaf, or `none`: 1 makes the model a sum of one curve a column, 2 adds pairs of columns.
        Expected: a whole number from 1, or none.
    leaf : float | Literal["auto"], default "auto"
        The least weight of the rows of a leaf; `auto` is a twentieth of all, from 2 to 20. Expected: a number above 0, or auto.
    curvature : float, default 0.001
        The least sum of second derivatives of the loss in a leaf: leaves whose rows are as good as certain are not divided. Expected: a
        number that is not negative.
    l1 : float, default 0
        How much is taken off the sum of first derivatives of a leaf: small answers become 0. Expected: a number that is not negative.
    l2 : float, default 1
        How much is added to the sum of second derivatives of a leaf: answers of few rows become smaller. Expected: a number that is not
        negative.
    gain : float, default 0
        A division must lower the loss, doubled, by more. Expected: a number that is not negative.
    rows : float, default 1
        The share of the rows that each tree is grown on, drawn anew. Expected: a number above 0 and at most 1.
    columns : float, default 1
        The share of the columns that each tree may test, drawn anew. Expected: a number above 0 and at most 1.
    bins : int, default 255
        The most bins that the values of a column are put into; columns of fewer distinct values are divided exactly. Expected: a whole
        number from 2 to 255.
    loss : Literal["squared", "absolute", "huber", "quantile", "poisson", "gamma"], default "squared"
        What is made small where a number is predicted: the square or the size of the error, both (huber), that of a `quantile`, or the
        deviance of counts (poisson) or of positive amounts (gamma). Expected: one of squared, absolute, huber, quantile, poisson, gamma.
    quantile : float, default 0.5
        Which quantile loss=quantile predicts, between 0 and 1. Expected: a number from 0.000001 to 0.999999.
    delta : float | Literal["auto"], default "auto"
        From where on loss=huber counts errors by their size; `auto` is where nine tenths of the training rows are nearer to the median.
        Expected: a number above 0, or auto.
    stopping : Literal["auto", "holdout", "folds", "none"] | None, default "auto"
        How the number of rounds is chosen: by a part of the rows that is held back (holdout: the latest where rows have a time), by five
        folds, after which all rows are boosted (folds), not at all (none), or by the number of rows (auto: folds below 10000, none below
        30). Expected: one of auto, holdout, folds, none.
    folds : int, default 5
        How many folds there are where folds choose the number of rounds. Expected: a whole number from 2 to 100.
    combine : Literal["average", "refit"], default "average"
        What answers where folds chose the number of rounds: the mean of the models of the folds (average), or one model boosted on all rows
        (refit). Expected: one of average, refit.
    patience : int, default 30
        After so many rounds without gain on the rows held back boosting ends. Expected: a whole number from 1 to 100000.
    weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much the rows of each class count: the same (none), in inverse proportion to their number (balanced), or `LABEL:NUMBER, ...`
        with 1 for the others.
    items : int, default 100
        Of a set, list, string or text, at most so many members, parts or words of a kind are asked for. Expected: a whole number from 0 to
        10000.
    prototypes : int, default 8
        Of a structured column, the distances to at most so many of its values are columns. Expected: a whole number from 0 to 100.
    monotone : str | Mapping[str, Any] | Sequence[Any], default ""
        Columns that predictions may only rise (`+`) or fall (`-`) with: `age:+, price:-`.
    interactions : str | Mapping[str, Any] | Sequence[Any], default ""
        Groups of columns that may act together in a tree: `age, income; height, weight`. Columns in no group make one more.
    flatten : Literal["none", "p1", "p2"] | None, default "p2"
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    n_estimators : int | None, default None
        How many trees there are at most; `trees`.
    max_iter : int | None, default None
        The same, as scikit-learn's histogram boosting calls it; `trees`.
    learning_rate : float | None, default None
        How much each tree counts; `rate`.
    max_leaf_nodes : int | None, default None
        The most leaves of a tree; `leaves`.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_leaf : float | None, default None
        The least weight of the rows in a leaf, which is 1 in the mean, or a share of all rows below 1; `leaf`.
    l2_regularization : float | None, default None
        What large leaves cost; `l2`.
    max_bins : int | None, default None
        Into how many intervals numbers are put at most; `bins`.
    subsample : float | None, default None
        The share of the rows that each tree is grown on; `rows`.
    max_features : float | None, default None
        The share of the columns that each tree may use; `columns`.
    n_iter_no_change : int | None, default None
        After how many trees without gain on held-out rows growing stops; `patience`.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "boost"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "trees": ("trees", "500"),
        "rate": ("rate", "0.1"),
        "leaves": ("leaves", "31"),
        "depth": ("depth", "none"),
        "leaf": ("leaf", "auto"),
        "curvature": ("curvature", "0.001"),
        "l1": ("l1", "0"),
        "l2": ("l2", "1"),
        "gain": ("gain", "0"),
        "rows": ("rows", "1"),
        "columns": ("columns", "1"),
        "bins": ("bins", "255"),
        "loss": ("loss", "squared"),
        "quantile": ("quantile", "0.5"),
        "delta": ("delta", "auto"),
        "stopping": ("stopping", "auto"),
        "folds": ("folds", "5"),
        "combine": ("combine", "average"),
        "patience": ("patience", "30"),
        "weights": ("weights", "none"),
        "items": ("items", "100"),
        "prototypes": ("prototypes", "8"),
        "monotone": ("monotone", ""),
        "interactions": ("interactions", ""),
        "flatten": ("flatten", "p2"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        trees: int = 500,
        rate: float = 0.1,
        leaves: int = 31,
        depth: int | None = None,
        leaf: float | Literal["auto"] = "auto",
        curvature: float = 0.001,
        l1: float = 0,
        l2: float = 1,
        gain: float = 0,
        rows: float = 1,
        columns: float = 1,
        bins: int = 255,
        loss: Literal["squared", "absolute", "huber", "quantile", "poisson", "gamma"] = "squared",
        quantile: float = 0.5,
        delta: float | Literal["auto"] = "auto",
        stopping: Literal["auto", "holdout", "folds", "none"] | None = "auto",
        folds: int = 5,
        combine: Literal["average", "refit"] = "average",
        patience: int = 30,
        weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        items: int = 100,
        prototypes: int = 8,
        monotone: str | Mapping[str, Any] | Sequence[Any] = "",
        interactions: str | Mapping[str, Any] | Sequence[Any] = "",
        flatten: Literal["none", "p1", "p2"] | None = "p2",
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        n_estimators: int | None = None,
        max_iter: int | None = None,
        learning_rate: float | None = None,
        max_leaf_nodes: int | None = None,
        max_depth: int | None = None,
        min_samples_leaf: float | None = None,
        l2_regularization: float | None = None,
        max_bins: int | None = None,
        subsample: float | None = None,
        max_features: float | None = None,
        n_iter_no_change: int | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.trees = trees
        self.rate = rate
        self.leaves = leaves
        self.depth = depth
        self.leaf = leaf
        self.curvature = curvature
        self.l1 = l1
        self.l2 = l2
        self.gain = gain
        self.rows = rows
        self.columns = columns
        self.bins = bins
        self.loss = loss
        self.quantile = quantile
        self.delta = delta
        self.stopping = stopping
        self.folds = folds
        self.combine = combine
        self.patience = patience
        self.weights = weights
        self.items = items
        self.prototypes = prototypes
        self.monotone = monotone
        self.interactions = interactions
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.n_estimators = n_estimators
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_bins = max_bins
        self.subsample = subsample
        self.max_features = max_features
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class BoostClassifier(BoostParameters, Classifier):
    """Gradient boosting: adds up many small trees, each fitted to what those before it leave unexplained; with depth=1 a readable sum of
    one curve a column.

    The learner `boost` of the command.

    Reference: Friedman, Greedy function approximation, Annals of Statistics 29, 2001; Chen and Guestrin, XGBoost, KDD 2016; Ke et al.,
    LightGBM, NIPS 2017

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.BoostClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class BoostRegressor(BoostParameters, Regressor):
    """Gradient boosting: adds up many small trees, each fitted to what those before it leave unexplained; with depth=1 a readable sum of
    one curve a column.

    The learner `boost` of the command.

    Reference: Friedman, Greedy function approximation, Annals of Statistics 29, 2001; Chen and Guestrin, XGBoost, KDD 2016; Ke et al.,
    LightGBM, NIPS 2017

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.BoostRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class M5Parameters:
    """Parameters
    ----------
    leaf : float, default 4
        A node whose rows weigh less is not divided. Expected: a number from 1.
    pruning : bool, default True
        Whether subtrees are cut that do not predict better than the formula of their node. Expected: `true` or `false`.
    smoothing : bool, default True
        Whether the formula of a leaf is blended with those above it. Expected: `true` or `false`.
    constant : bool, default False
        Whether leaves answer by means instead of formulas: a regression tree. Expected: `true` or `false`.
    search : Literal["greedy", "best_first"], default "greedy"
        How the tree is grown: node by node (greedy), or the most gaining leaf first (best_first). Expected: one of greedy, best_first.
    size : int | None, default None
        The most nodes of the tree, leaves included, or `none`; it is pruned to it. Expected: a whole number from 1, or none.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none.
    constraints : str | Mapping[str, Any] | Sequence[Any], default ""
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "m5"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "leaf": ("leaf", "4"),
        "pruning": ("pruning", "true"),
        "smoothing": ("smoothing", "true"),
        "constant": ("constant", "false"),
        "search": ("search", "greedy"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        leaf: float = 4,
        pruning: bool = True,
        smoothing: bool = True,
        constant: bool = False,
        search: Literal["greedy", "best_first"] = "greedy",
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] = "",
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        max_depth: int | None = None,
        min_samples_leaf: float | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.leaf = leaf
        self.pruning = pruning
        self.smoothing = smoothing
        self.constant = constant
        self.search = search
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class M5Regressor(M5Parameters, Regressor):
    """M5': a model tree, whose leaves answer by linear formulas.

    The learner `m5` of the command.

    Reference: Quinlan, Learning with continuous classes, AI 1992; Wang and Witten, Induction of model trees for predicting continuous
    classes, ECML 1997

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.M5Regressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class CentresParameters:
    """Parameters
    ----------
    preset : Literal["none", "paper"] | None, default None
        `paper` divides rows whether or not that helps with others: held_out=false. Expected: one of none, paper.
    leaf : float | None, default None
        The least weight of the rows in a leaf: a node is not divided where a part would have less. Expected: a number from 0.000001. By
        default 1, or what the preset says.
    levels : int | None, default None
        How many centres a row passes at most on its way from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By
        default None, or what the preset says.
    held_out : bool | None, default None
        Whether trees of two thirds of the rows must predict the others better than by what most have in common; if they do not, rows are
        not divided. Expected: `true` or `false`. By default True, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column. By default "euclidean", or what the preset says.
    depth : int | None, default None
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8. By default 1, or what the
        preset says.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2. By default None, or what the preset says.
    flatten_depth : int | None, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. By default 3, or what the
        preset says.
    flatten_rows : int | None, default None
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295. By default 10000000, or what the preset says.
    aggregates : str | Mapping[str, Any] | Sequence[Any] | None, default None
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional. By default "all", or what the preset says.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none. By default "30,90,365,1095", or what the preset says.
    flatten_last : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none. By default "3,5,10", or what
        the preset says.
    flatten_labels : int | None, default None
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000. By default 8, or what the preset says.
    flatten_columns : int | None, default None
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000. By default
        400, or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "centres"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "leaf": ("leaf", "1"),
        "levels": ("levels", "none"),
        "held_out": ("held_out", "true"),
        "distance": ("distance", "euclidean"),
        "depth": ("depth", "1"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        preset: Literal["none", "paper"] | None = None,
        leaf: float | None = None,
        levels: int | None = None,
        held_out: bool | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        depth: int | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.preset = preset
        self.leaf = leaf
        self.levels = levels
        self.held_out = held_out
        self.distance = distance
        self.depth = depth
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class CentresClassifier(CentresParameters, Classifier):
    """Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.

    The learner `centres` of the command.

    Reference: Thornton, Truth from Trash: How Learning Makes Sense, MIT Press, 2000

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.CentresClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """


@documented
class CentresRegressor(CentresParameters, Regressor):
    """Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.

    The learner `centres` of the command.

    Reference: Thornton, Truth from Trash: How Learning Makes Sense, MIT Press, 2000

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.CentresRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class MirtParameters:
    """Parameters
    ----------
    preset : Literal["none", "paper", "best"] | None, default None
        `paper` is MIRT as published, with structured columns tested by prototypes alone and gains as they are; `best` takes what was found
        to predict better: further tests, ridge leaves over aggregates, smoothing, pruning. Expected: one of none, paper, best.
    search : Literal["greedy", "best_first", "beam", "exhaustive"] | None, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), several trees at once (beam), or not at all:
        every tree up to a size is made (exhaustive), of which there must not be too many. Expected: one of greedy, best_first, beam,
        exhaustive. By default "greedy", or what the preset says.
    keys : int | None, default None
        The most foreign keys that one test follows. Expected: a whole number from 0 to 4. By default 2, or what the preset says.
    combined : bool | None, default None
        Whether a test may follow keys and put a condition on what they lead to. Expected: `true` or `false`. By default True, or what the
        preset says.
    at_least : bool | None, default None
        Whether X >= a is tried besides X <= a. Expected: `true` or `false`. By default False, or what the preset says.
    counts : bool | None, default None
        Whether linked rows are counted: count(bond) >= 3. Expected: `true` or `false`. By default False, or what the preset says.
    every : bool | None, default None
        Whether conditions on all linked rows are tried. Expected: `true` or `false`. By default False, or what the preset says.
    aggregates : bool | None, default None
        Whether the mean, the least and the greatest value of linked rows are tested. Expected: `true` or `false`. By default False, or what
        the preset says.
    prototypes : int | None, default None
        How many prototypes of a structured column tests may ask to be near of; with 0 only what values contain is tested. Expected: a whole
        number from 0 to 64. By default 8, or what the preset says.
    structured : Literal["auto", "members", "prototypes"] | None, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. By default "auto", or what
        the preset says.
    labels : int | None, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. By default 1000, or what the preset says.
    stop_words : str | Mapping[str, Any] | Sequence[Any] | None, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. By default "", or what
        the preset says.
    corrected : bool | None, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. By default True, or what the preset says.
    distance : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How far structured values are apart, where the schema does not say: an expression (see the catalogue of distances). By default
        "default", or what the preset says.
    heuristic : Literal["deviation", "variance"] | None, default None
        What tests are compared by: the weighted mean of the standard deviations of the two sides, or of the variances. Expected: one of
        deviation, variance. By default "deviation", or what the preset says.
    objects : int | Literal["sqrt"] | None, default None
        Only nodes with more objects than this are divided; sqrt is the root of the number of training objects. Expected: a whole number
        from 0, or sqrt. By default "sqrt", or what the preset says.
    determined : float | None, default None
        Only nodes whose coefficient of determination is not above this are divided. Expected: a number from 0 to 1. By default 0.8, or what
        the preset says.
    leaf : float | None, default None
        The least weight of the objects in a leaf. Expected: a number from 0.000001. By default 1, or what the preset says.
    leaf_model : Literal["em", "linear", "constant", "smoti"] | None, default None
        How leaves answer for numbers: by stepwise regression over primary instances (em), ridge regression over aggregates (linear), the
        mean (constant), or regressions between the tests (smoti). Expected: one of em, linear, constant, smoti. By default "em", or what
        the preset says.
    restarts : int | None, default None
        How many random choices of primary instances are started from. Expected: a whole number from 1 to 10000. By default 5, or what the
        preset says.
    significance : float | None, default None
        The level of the F-test by which a variable enters a leaf; 1 lets all enter. Expected: a number from 0 to 1. By default 0.05, or
        what the preset says.
    leaf_labels : bool | None, default None
        Whether labels are variables of linear leaves. Expected: `true` or `false`. By default False, or what the preset says.
    leaf_aggregates : bool | None, default None
        Whether aggregates over the rows of the path are variables of linear leaves. Expected: `true` or `false`. By default False, or what
        the preset says.
    around : int | None, default None
        How many keys away from the object linear leaves make aggregates over, whatever the path. Expected: a whole number from 0 to 4. By
        default 0, or what the preset says.
    smoothing : float | None, default None
        What a node says is mixed with what the one above says, which counts as much as so many objects; 0 for none. Expected: a number from
        0. By default 0, or what the preset says.
    clip : bool | None, default None
        Whether linear leaves say nothing beyond what they saw in training. Expected: `true` or `false`. By default False, or what the
        preset says.
    pruning : Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None, default None
        How trees are cut back: not at all, by c45 for classes, by m5, to a size alone (size), by what the models of nodes err on objects
        left out (models), by a third of the objects (reduced_error), by five folds (cost_complexity), or by c45 for classes and m5 for the
        rest unless a size is given (auto). Expected: one of auto, none, c45, m5, size, reduced_error, cost_complexity, models. By default
        None, or what the preset says.
    one_se : bool | None, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. By default
        False, or what the preset says.
    size : int | None, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none. By
        default None, or what the preset says.
    depth : int | None, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. By default None, or what the preset
        says.
    constraints : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What trees must keep to, as `size <= 11 and uses(bond) and not uses(atom.charge)`. By default "", or what the preset says.
    costs : str | Mapping[str, Any] | Sequence[Any] | None, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. By default "", or what the preset says.
    width : int | None, default None
        How many trees a beam holds. Expected: a whole number from 1. By default 10, or what the preset says.
    alpha : float | None, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. By default 1e-05, or what the preset says.
    beta : float | None, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. By default 0, or what the preset says.
    similarity : Literal["predictions", "distributions"] | None, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. By default "predictions", or what the preset says.
    margin : float | None, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. By default 1e-06, or what the preset
        says.
    epsilon : float | None, default None
        Keep every tree whose error in training is at most so much above the least: with search=exhaustive of all trees there are, with
        search=beam of those that were in the beam, 10000 besides the last at most. The error is the share of wrong classes, of numbers
        relative to that of a tree of one leaf; 0 keeps the last beam, or all trees. Expected: a number from 0 to 1. By default 0, or what
        the preset says.
    combine : Literal["best", "vote", "average"] | None, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. By default
        "best", or what the preset says.
    bindings : int | Literal["auto"] | None, default None
        The most linked rows that a key followed from all objects of a node may make; a key that makes more is not tried there. auto is 20
        times the rows of the database, at least a million; a memory limit lowers it. Expected: a whole number from 1, or auto. By default
        "auto", or what the preset says.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt. By default None, or what the preset says.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none. By
        default None, or what the preset says.
    max_depth : int | None, default None
        The most tests from the root to a leaf; `depth`.
    min_samples_leaf : float | None, default None
        The least number of rows in a leaf, or a share of all rows below 1; `leaf`.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "mirt"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "search": ("search", "greedy"),
        "keys": ("keys", "2"),
        "combined": ("combined", "true"),
        "at_least": ("at_least", "false"),
        "counts": ("counts", "false"),
        "every": ("every", "false"),
        "aggregates": ("aggregates", "false"),
        "prototypes": ("prototypes", "8"),
        "structured": ("structured", "auto"),
        "labels": ("labels", "1000"),
        "stop_words": ("stop_words", ""),
        "corrected": ("corrected", "true"),
        "distance": ("distance", "default"),
        "heuristic": ("heuristic", "deviation"),
        "objects": ("objects", "sqrt"),
        "determined": ("determined", "0.8"),
        "leaf": ("leaf", "1"),
        "leaf_model": ("leaf_model", "em"),
        "restarts": ("restarts", "5"),
        "significance": ("significance", "0.05"),
        "leaf_labels": ("leaf_labels", "false"),
        "leaf_aggregates": ("leaf_aggregates", "false"),
        "around": ("around", "0"),
        "smoothing": ("smoothing", "0"),
        "clip": ("clip", "false"),
        "pruning": ("pruning", "none"),
        "one_se": ("one_se", "false"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
        "width": ("width", "10"),
        "alpha": ("alpha", "0.00001"),
        "beta": ("beta", "0"),
        "similarity": ("similarity", "predictions"),
        "margin": ("margin", "0.000001"),
        "epsilon": ("epsilon", "0"),
        "combine": ("combine", "best"),
        "bindings": ("bindings", "auto"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        preset: Literal["none", "paper", "best"] | None = None,
        search: Literal["greedy", "best_first", "beam", "exhaustive"] | None = None,
        keys: int | None = None,
        combined: bool | None = None,
        at_least: bool | None = None,
        counts: bool | None = None,
        every: bool | None = None,
        aggregates: bool | None = None,
        prototypes: int | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        heuristic: Literal["deviation", "variance"] | None = None,
        objects: int | Literal["sqrt"] | None = None,
        determined: float | None = None,
        leaf: float | None = None,
        leaf_model: Literal["em", "linear", "constant", "smoti"] | None = None,
        restarts: int | None = None,
        significance: float | None = None,
        leaf_labels: bool | None = None,
        leaf_aggregates: bool | None = None,
        around: int | None = None,
        smoothing: float | None = None,
        clip: bool | None = None,
        pruning: Literal["auto", "none", "c45", "m5", "size", "reduced_error", "cost_complexity", "models"] | None = None,
        one_se: bool | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        bindings: int | Literal["auto"] | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        max_depth: int | None = None,
        min_samples_leaf: float | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.preset = preset
        self.search = search
        self.keys = keys
        self.combined = combined
        self.at_least = at_least
        self.counts = counts
        self.every = every
        self.aggregates = aggregates
        self.prototypes = prototypes
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.distance = distance
        self.heuristic = heuristic
        self.objects = objects
        self.determined = determined
        self.leaf = leaf
        self.leaf_model = leaf_model
        self.restarts = restarts
        self.significance = significance
        self.leaf_labels = leaf_labels
        self.leaf_aggregates = leaf_aggregates
        self.around = around
        self.smoothing = smoothing
        self.clip = clip
        self.pruning = pruning
        self.one_se = one_se
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.bindings = bindings
        self.calibrate = calibrate
        self.interval = interval
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MIRTClassifier(MirtParameters, Classifier):
    """Grows a tree over the foreign keys of a database, with linear leaves for numbers.

    The learner `mirt` of the command.

    Reference: Appice, Ceci and Malerba, Top-down induction of relational model trees in multi-instance learning, ILP 2008

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.MIRTClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class MIRTRegressor(MirtParameters, Regressor):
    """Grows a tree over the foreign keys of a database, with linear leaves for numbers.

    The learner `mirt` of the command.

    Reference: Appice, Ceci and Malerba, Top-down induction of relational model trees in multi-instance learning, ILP 2008

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.MIRTRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class SvmParameters:
    """Parameters
    ----------
    form : Literal["c", "nu", "one_class"], default "c"
        Errors have a price (c), or a share (nu), or the region of one class is learned from its rows alone (one_class). Expected: one of c,
        nu, one_class.
    c : float | str | Sequence[float], default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    nu : float, default 0.5
        With forms of shares: a bound above on the share of errors, and below on that of support rows. Expected: a number from 0.000001 to
        1.
    weights : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How much errors on classes cost beside others: the same (none), in inverse proportion to their rows (balanced), or `LABEL:NUMBER,
        ...` with 1 for the others.
    class_ : str | Mapping[str, Any] | Sequence[Any], default "frequent"
        The class that form=one_class learns; frequent for the most frequent.
    kernel : str | Callable[..., Any], default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : float | str | Sequence[float], default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : str | Mapping[str, Any] | Sequence[Any] | None, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : Literal["shift", "clip", "flip", "as_is"], default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    probabilities : bool, default True
        Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.
        Expected: `true` or `false`.
    tune : int | Literal["no"], default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    tolerance : float, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    C : float | None, default None
        The price of an error; `c`.
    probability : bool | None, default None
        Whether probabilities are predicted; `probabilities`.
    class_weight : Literal["balanced"] | Mapping[Any, float] | None, default None
        How much the rows of a class count: a dictionary, or `balanced` for the inverse of how many there are.
    decision_function_shape : Literal["ovr", "ovo"] | None, default None
        Whether `decision_function` has a column a class or a pair of classes.
    break_ties : bool | None, default None
        Taken and not used.
    degree : int | None, default None
        The power of `kernel='poly'`; 3 by default.
    coef0 : float | None, default None
        What is added in `kernel='poly'` and `'sigmoid'`; 0 by default.
    tol : float | None, default None
        By how much the optimality conditions may be violated; `tolerance`.
    cache_size : float | None, default None
        Taken and not used: `memory` limits what is kept.
    max_iter : int | None, default None
        Taken and not used: `time` limits the work.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "svm"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "form": ("form", "c"),
        "c": ("c", "1"),
        "nu": ("nu", "0.5"),
        "weights": ("weights", "none"),
        "class_": ("class", "frequent"),
        "kernel": ("kernel", "gaussian(euclidean)"),
        "gamma": ("gamma", "auto"),
        "depth": ("depth", "1"),
        "gram": ("gram", "none"),
        "indefinite": ("indefinite", "shift"),
        "probabilities": ("probabilities", "true"),
        "tune": ("tune", "no"),
        "tolerance": ("tolerance", "0.001"),
        "shrinking": ("shrinking", "true"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        form: Literal["c", "nu", "one_class"] = "c",
        c: float | str | Sequence[float] = 1,
        nu: float = 0.5,
        weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_: str | Mapping[str, Any] | Sequence[Any] = "frequent",
        kernel: str | Callable[..., Any] = "gaussian(euclidean)",
        gamma: float | str | Sequence[float] = "auto",
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        probabilities: bool = True,
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        shrinking: bool = True,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        C: float | None = None,
        probability: bool | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        decision_function_shape: Literal["ovr", "ovo"] | None = None,
        break_ties: bool | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        tol: float | None = None,
        cache_size: float | None = None,
        max_iter: int | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.form = form
        self.c = c
        self.nu = nu
        self.weights = weights
        self.class_ = class_
        self.kernel = kernel
        self.gamma = gamma
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.probabilities = probabilities
        self.tune = tune
        self.tolerance = tolerance
        self.shrinking = shrinking
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.C = C
        self.probability = probability
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelSVC(SvmParameters, Classifier):
    """Separates classes by the widest margin in the space of a kernel between rows of any structure.

    The learner `svm` of the command.

    Reference: Cortes and Vapnik, Support-vector networks, Machine Learning 20, 1995; Schölkopf et al., New support vector algorithms,
    Neural Computation 12, 2000

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.KernelSVC().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """


class SvrParameters:
    """Parameters
    ----------
    form : Literal["epsilon", "nu"], default "epsilon"
        Errors below a bound do not count (epsilon), or the bound is found so that a share of rows lies outside (nu). Expected: one of
        epsilon, nu.
    c : float | str | Sequence[float], default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    epsilon : float, default 0.1
        With form=epsilon: the size of errors that do not count. Expected: a number from 0.
    nu : float, default 0.5
        With forms of shares: a bound above on the share of errors, and below on that of support rows. Expected: a number from 0.000001 to
        1.
    scaled : bool, default True
        Measure the target in standard deviations, so that `c` and `epsilon` do not depend on its unit. Expected: `true` or `false`.
    kernel : str | Callable[..., Any], default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : float | str | Sequence[float], default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : str | Mapping[str, Any] | Sequence[Any] | None, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : Literal["shift", "clip", "flip", "as_is"], default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    tune : int | Literal["no"], default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    tolerance : float, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    C : float | None, default None
        The price of an error; `c`.
    degree : int | None, default None
        The power of `kernel='poly'`; 3 by default.
    coef0 : float | None, default None
        What is added in `kernel='poly'` and `'sigmoid'`; 0 by default.
    tol : float | None, default None
        By how much the optimality conditions may be violated; `tolerance`.
    cache_size : float | None, default None
        Taken and not used: `memory` limits what is kept.
    max_iter : int | None, default None
        Taken and not used: `time` limits the work.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "svr"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "form": ("form", "epsilon"),
        "c": ("c", "1"),
        "epsilon": ("epsilon", "0.1"),
        "nu": ("nu", "0.5"),
        "scaled": ("scaled", "true"),
        "kernel": ("kernel", "gaussian(euclidean)"),
        "gamma": ("gamma", "auto"),
        "depth": ("depth", "1"),
        "gram": ("gram", "none"),
        "indefinite": ("indefinite", "shift"),
        "tune": ("tune", "no"),
        "tolerance": ("tolerance", "0.001"),
        "shrinking": ("shrinking", "true"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        form: Literal["epsilon", "nu"] = "epsilon",
        c: float | str | Sequence[float] = 1,
        epsilon: float = 0.1,
        nu: float = 0.5,
        scaled: bool = True,
        kernel: str | Callable[..., Any] = "gaussian(euclidean)",
        gamma: float | str | Sequence[float] = "auto",
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        shrinking: bool = True,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        C: float | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        tol: float | None = None,
        cache_size: float | None = None,
        max_iter: int | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.form = form
        self.c = c
        self.epsilon = epsilon
        self.nu = nu
        self.scaled = scaled
        self.kernel = kernel
        self.gamma = gamma
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.tune = tune
        self.tolerance = tolerance
        self.shrinking = shrinking
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.C = C
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelSVR(SvrParameters, Regressor):
    """Fits numbers by support vector regression in the space of a kernel between rows of any structure.

    The learner `svr` of the command.

    Reference: Smola and Schölkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.KernelSVR(c=100.0).fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class RidgeParameters:
    """Parameters
    ----------
    lambda_ : float | str | Sequence[float], default 0.1
        The ridge, above 0: the higher, the smoother the fit; loo chooses the one with the least leave-one-out error on the training rows.
    kernel : str | Callable[..., Any], default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : float | str | None, default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : str | Mapping[str, Any] | Sequence[Any] | None, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : Literal["shift", "clip", "flip", "as_is"], default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    flatten : Literal["none", "p1", "p2"] | None, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has aggregates of the
        linked rows, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int, default 10000000
        The most rows that flatten=p1 makes before it gives up, and the most linked rows of a path of flatten=p2. Expected: a whole number
        from 1 to 4294967295.
    aggregates : str | Mapping[str, Any] | Sequence[Any], default "all"
        The aggregates of flatten=p2: all; paper for the published averages and most frequent labels alone; or a list of value, age,
        calendar, count, exists, since, sum, mean, sd, min, max, range, median, quartiles, distinct, trend, change, latest, mode, share,
        windows, last and conditional.
    flatten_windows : str | Mapping[str, Any] | Sequence[Any], default "30,90,365,1095"
        How far back aggregates of flatten=p2 look from a cutoff, beside the whole past: a list of days, or units of a numeric time, or
        none.
    flatten_last : str | Mapping[str, Any] | Sequence[Any], default "3,5,10"
        How many of the latest rows aggregates of flatten=p2 look at, beside all: a list of numbers, or none.
    flatten_labels : int, default 8
        The most frequent labels of a column that have shares and conditions of their own in flatten=p2. Expected: a whole number from 0 to
        1000.
    flatten_columns : int, default 400
        The most aggregates that flatten=p2 keeps, the nearest and plainest first. Expected: a whole number from 1 to 100000.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    alpha : float | None, default None
        The ridge; `lambda_`.
    kernel_params : Mapping[str, Any] | None, default None
        Taken and not used: a kernel is a function of both matrices.
    degree : int | None, default None
        The power of `kernel='poly'`; 3 by default.
    coef0 : float | None, default None
        What is added in `kernel='poly'` and `'sigmoid'`; 0 by default.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "ridge"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "lambda_": ("lambda", "0.1"),
        "kernel": ("kernel", "gaussian(euclidean)"),
        "gamma": ("gamma", "auto"),
        "depth": ("depth", "1"),
        "gram": ("gram", "none"),
        "indefinite": ("indefinite", "shift"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
        "aggregates": ("aggregates", "all"),
        "flatten_windows": ("flatten_windows", "30,90,365,1095"),
        "flatten_last": ("flatten_last", "3,5,10"),
        "flatten_labels": ("flatten_labels", "8"),
        "flatten_columns": ("flatten_columns", "400"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        lambda_: float | str | Sequence[float] = 0.1,
        kernel: str | Callable[..., Any] = "gaussian(euclidean)",
        gamma: float | str | None = "auto",
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        alpha: float | None = None,
        kernel_params: Mapping[str, Any] | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.lambda_ = lambda_
        self.kernel = kernel
        self.gamma = gamma
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.alpha = alpha
        self.kernel_params = kernel_params
        self.degree = degree
        self.coef0 = coef0
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelRidge(RidgeParameters, Regressor):
    """Fits numbers, several at once, by least squares with a ridge in the space of a kernel between rows of any structure.

    The learner `ridge` of the command.

    Reference: Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual variables, ICML 1998

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.KernelRidge().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


class MiSvmParameters:
    """Parameters
    ----------
    form : Literal["bag", "instance", "kernel"], default "bag"
        One member speaks for each positive bag (bag: the paper's MI-SVM), each member of a positive bag has a class of its own (instance:
        the paper's mi-SVM), or bags are compared by normalised(set(kernel)) (kernel). Expected: one of bag, instance, kernel.
    positive : str | Mapping[str, Any] | Sequence[Any], default "rare"
        The class of bags with a positive member; rare for the class of fewer training bags, of equally many the one whose label comes last.
    bags : str | Mapping[str, Any] | Sequence[Any], default "only"
        The column of bags, or the table behind a foreign key that holds members; only for the only one there is.
    kernel : str | Mapping[str, Any] | Sequence[Any], default "gaussian(euclidean)"
        How alike members of bags are: a kernel over their columns (see the catalogue of distances).
    gamma : float | str | Sequence[float], default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    c : float | str | Sequence[float], default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    rounds : int, default 50
        How often the positive members are guessed anew at most. Expected: a whole number from 1 to 10000.
    tune : int | Literal["no"], default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    depth : int, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    indefinite : Literal["shift", "clip", "flip", "as_is"], default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    probabilities : bool, default True
        Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.
        Expected: `true` or `false`.
    tolerance : float, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    C : float | None, default None
        The price of an error; `c`.
    tol : float | None, default None
        `tolerance`.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "mi_svm"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "form": ("form", "bag"),
        "positive": ("positive", "rare"),
        "bags": ("bags", "only"),
        "kernel": ("kernel", "gaussian(euclidean)"),
        "gamma": ("gamma", "auto"),
        "c": ("c", "1"),
        "rounds": ("rounds", "50"),
        "tune": ("tune", "no"),
        "depth": ("depth", "1"),
        "indefinite": ("indefinite", "shift"),
        "probabilities": ("probabilities", "true"),
        "tolerance": ("tolerance", "0.001"),
        "shrinking": ("shrinking", "true"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }

    def __init__(
        self,
        *,
        form: Literal["bag", "instance", "kernel"] = "bag",
        positive: str | Mapping[str, Any] | Sequence[Any] = "rare",
        bags: str | Mapping[str, Any] | Sequence[Any] = "only",
        kernel: str | Mapping[str, Any] | Sequence[Any] = "gaussian(euclidean)",
        gamma: float | str | Sequence[float] = "auto",
        c: float | str | Sequence[float] = 1,
        rounds: int = 50,
        tune: int | Literal["no"] = "no",
        depth: int = 1,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        probabilities: bool = True,
        tolerance: float = 0.001,
        shrinking: bool = True,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        C: float | None = None,
        tol: float | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.form = form
        self.positive = positive
        self.bags = bags
        self.kernel = kernel
        self.gamma = gamma
        self.c = c
        self.rounds = rounds
        self.tune = tune
        self.depth = depth
        self.indefinite = indefinite
        self.probabilities = probabilities
        self.tolerance = tolerance
        self.shrinking = shrinking
        self.calibrate = calibrate
        self.interval = interval
        self.C = C
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MISVC(MiSvmParameters, Classifier):
    """Separates bags, of which the positive ones have a positive member, by support vector machines on members or on bags.

    The learner `mi_svm` of the command.

    Reference: Andrews, Tsochantaridis and Hofmann, Support vector machines for multiple-instance learning, NIPS 15, 2003; Gärtner, Flach,
    Kowalczyk and Smola, Multi-instance kernels, ICML 2002

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood, numpy as np
    >>> near = [np.array([[0.0, 0.1], [5.0, 5.0]]), np.array([[0.1, 0.0]])]
    >>> far = [np.array([[9.0, 9.1], [5.0, 5.1]]), np.array([[9.1, 9.0]])]
    >>> bags = (near + far) * 3
    >>> model = kinwood.MISVC(positive="far").fit(bags, ["near", "near", "far", "far"] * 3)
    >>> print(*model.predict([np.array([[0.0, 0.0], [5.1, 5.0]])]))
    near
    """


class AutoParameters:
    """Parameters
    ----------
    learners : str | Mapping[str, Any] | Sequence[Any], default "all"
        Which learners are tried: those that suit the data (all), or some of them, such as `tree, boost, forest`.
    folds : int, default 5
        How many inner folds they are tried on; validation rows stand in their place where there are some. Expected: a whole number from 2
        to 20.
    answer : Literal["best", "readable"], default "best"
        Which of the two models that are kept predicts: the best one, or the most readable one within one standard error of it. Expected:
        one of best, readable.
    calibrate : Literal["none", "isotonic", "platt"] | None, default None
        How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or
        not at all (none). Expected: one of none, isotonic, platt.
    interval : str | Mapping[str, Any] | Sequence[Any] | None, default None
        How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.
    verbose : int | bool | None, default None
        Whether a progress bar is shown wherever this runs; `progress=True`.
    random_state : int | np.random.RandomState | None, default None
        The seed of whatever is drawn; None for 1, so that the same call gives the same model. A generator is drawn from.
    n_jobs : int | None, default None
        How many threads work: None for one, -1 for all of the machine. Results do not depend on it.
    memory : float | None, default None
        Bytes that large intermediate results may have.
    time : float | None, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | Literal["auto"], default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "auto"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "learners": ("learners", "all"),
        "folds": ("folds", "5"),
        "answer": ("answer", "best"),
        "calibrate": ("calibrate", "none"),
        "interval": ("interval", "none"),
    }
    _several = True

    def __init__(
        self,
        *,
        learners: str | Mapping[str, Any] | Sequence[Any] = "all",
        folds: int = 5,
        answer: Literal["best", "readable"] = "best",
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.learners = learners
        self.folds = folds
        self.answer = answer
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class AutoClassifier(AutoParameters, Classifier):
    """Tries learners that suit the data on inner folds, keeps the best, and beside it the most readable one that is as good.

    The learner `auto` of the command.

    Reference: Jamieson and Talwalkar, Non-stochastic best arm identification, AISTATS 2016; Tsamardinos et al., Bootstrapping the
    out-of-sample predictions, Machine Learning 107, 2018

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.AutoClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _sets = True


@documented
class AutoRegressor(AutoParameters, Regressor):
    """Tries learners that suit the data on inner folds, keeps the best, and beside it the most readable one that is as good.

    The learner `auto` of the command.

    Reference: Jamieson and Talwalkar, Non-stochastic best arm identification, AISTATS 2016; Tsamardinos et al., Bootstrapping the
    out-of-sample predictions, Machine Learning 107, 2018

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.
    notices_ : list of str
        What was decided without being asked.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.AutoRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """


@documented
class DecisionTreeClassifier(PCTClassifier):
    """A decision tree, grown in full by default.

    `PCTClassifier` with the parameters and defaults of scikit-learn's `DecisionTreeClassifier`, which come first; its own are beside them.

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.DecisionTreeClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("pruning", "none"),)

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "gini",
        splitter: Literal["best"] | None = "best",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = 0.0,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        search: Literal["greedy", "best_first", "beam", "exhaustive"] | None = None,
        preset: Literal["none", "paper"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        confidence: float | None = None,
        one_se: bool | None = None,
        smoothing: float | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        first: Literal["score", "error"] | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        verbose: int | bool | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.search = search
        self.preset = preset
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.confidence = confidence
        self.one_se = one_se
        self.smoothing = smoothing
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.first = first
        self.combine = combine
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class DecisionTreeRegressor(PCTRegressor):
    """A regression tree, grown in full by default.

    `PCTRegressor` with the parameters and defaults of scikit-learn's `DecisionTreeRegressor`, which come first; its own are beside them.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.DecisionTreeRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("pruning", "none"),)

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "squared_error",
        splitter: Literal["best"] | None = "best",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        ccp_alpha: float | None = 0.0,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        search: Literal["greedy", "best_first", "beam", "exhaustive"] | None = None,
        preset: Literal["none", "paper"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        confidence: float | None = None,
        one_se: bool | None = None,
        smoothing: float | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        first: Literal["score", "error"] | None = None,
        combine: Literal["best", "vote", "average"] | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        verbose: int | bool | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.search = search
        self.preset = preset
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.confidence = confidence
        self.one_se = one_se
        self.smoothing = smoothing
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.first = first
        self.combine = combine
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.class_weight = class_weight
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class RandomForestClassifier(ForestClassifier):
    """Many trees, each on rows drawn with repetition.

    `ForestClassifier` with the parameters and defaults of scikit-learn's `RandomForestClassifier`, which come first; its own are beside
    them.

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.RandomForestClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    def __init__(
        self,
        n_estimators: int | None = 100,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "gini",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        bootstrap: bool | None = True,
        oob_score: bool | None = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int | bool | None = 0,
        warm_start: bool | None = False,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        preset: Literal["random", "paper", "bagging", "extra", "subspaces", "proximity", "proximity2", "beam"] = "random",
        trees: int | None = None,
        sample: Literal["bootstrap", "subsample", "all"] | None = None,
        inputs: int | Literal["auto", "all"] | None = None,
        space: float | None = None,
        tests: Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None = None,
        draws: int | None = None,
        distances: Literal["one", "several"] | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["average", "vote"] | None = None,
        prior: float | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.preset = preset
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
        self.distances = distances
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.prior = prior
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class RandomForestRegressor(ForestRegressor):
    """Many trees, each on rows drawn with repetition.

    `ForestRegressor` with the parameters and defaults of scikit-learn's `RandomForestRegressor`, which come first; its own are beside them.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.RandomForestRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    def __init__(
        self,
        n_estimators: int | None = 100,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        bootstrap: bool | None = True,
        oob_score: bool | None = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int | bool | None = 0,
        warm_start: bool | None = False,
        ccp_alpha: float | None = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        preset: Literal["random", "paper", "bagging", "extra", "subspaces", "proximity", "proximity2", "beam"] = "random",
        trees: int | None = None,
        sample: Literal["bootstrap", "subsample", "all"] | None = None,
        inputs: int | Literal["auto", "all"] | None = None,
        space: float | None = None,
        tests: Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None = None,
        draws: int | None = None,
        distances: Literal["one", "several"] | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["average", "vote"] | None = None,
        prior: float | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.preset = preset
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
        self.distances = distances
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.prior = prior
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.class_weight = class_weight
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class ExtraTreesClassifier(ForestClassifier):
    """Many trees whose thresholds are drawn.

    `ForestClassifier` with the parameters and defaults of scikit-learn's `ExtraTreesClassifier`, which come first; its own are beside them.

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.ExtraTreesClassifier().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("preset", "extra"),)

    def __init__(
        self,
        n_estimators: int | None = 100,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "gini",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        bootstrap: bool | None = False,
        oob_score: bool | None = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int | bool | None = 0,
        warm_start: bool | None = False,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        ccp_alpha: float | None = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        trees: int | None = None,
        sample: Literal["bootstrap", "subsample", "all"] | None = None,
        inputs: int | Literal["auto", "all"] | None = None,
        space: float | None = None,
        tests: Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None = None,
        draws: int | None = None,
        distances: Literal["one", "several"] | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["average", "vote"] | None = None,
        prior: float | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
        self.distances = distances
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.prior = prior
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class ExtraTreesRegressor(ForestRegressor):
    """Many trees whose thresholds are drawn.

    `ForestRegressor` with the parameters and defaults of scikit-learn's `ExtraTreesRegressor`, which come first; its own are beside them.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.ExtraTreesRegressor().fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("preset", "extra"),)

    def __init__(
        self,
        n_estimators: int | None = 100,
        *,
        criterion: Literal["gini", "entropy", "log_loss", "squared_error", "friedman_mse"] | None = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float | None = 2,
        min_samples_leaf: float | None = 1,
        min_weight_fraction_leaf: float | None = 0.0,
        max_features: float | Literal["sqrt", "log2"] | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float | None = 0.0,
        bootstrap: bool | None = False,
        oob_score: bool | None = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int | bool | None = 0,
        warm_start: bool | None = False,
        ccp_alpha: float | None = 0.0,
        max_samples: float | None = None,
        monotonic_cst: Mapping[str, int] | Sequence[int] | None = None,
        trees: int | None = None,
        sample: Literal["bootstrap", "subsample", "all"] | None = None,
        inputs: int | Literal["auto", "all"] | None = None,
        space: float | None = None,
        tests: Literal["best", "drawn", "prototypes", "drawn_prototypes"] | None = None,
        draws: int | None = None,
        distances: Literal["one", "several"] | None = None,
        search: Literal["greedy", "best_first", "beam"] | None = None,
        heuristic: Literal["auto", "gain", "gain_ratio", "gini", "variance"] | None = None,
        leaf: float | None = None,
        size: int | None = None,
        depth: int | None = None,
        constraints: str | Mapping[str, Any] | Sequence[Any] | None = None,
        costs: str | Mapping[str, Any] | Sequence[Any] | None = None,
        subsets: bool | None = None,
        threshold: Literal["middle", "value"] | None = None,
        missing: Literal["divide", "largest"] | None = None,
        follow: int | None = None,
        distance: str | Mapping[str, Any] | Sequence[Any] | None = None,
        keys: int | None = None,
        prototypes: int | Literal["all"] | None = None,
        attraction: Literal["nearest", "density"] | None = None,
        structured: Literal["auto", "members", "prototypes"] | None = None,
        labels: int | None = None,
        stop_words: str | Mapping[str, Any] | Sequence[Any] | None = None,
        corrected: bool | None = None,
        width: int | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        similarity: Literal["predictions", "distributions"] | None = None,
        margin: float | None = None,
        epsilon: float | None = None,
        combine: Literal["average", "vote"] | None = None,
        prior: float | None = None,
        class_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        target_weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        hierarchy_weight: float | None = None,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int | None = None,
        flatten_rows: int | None = None,
        aggregates: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_last: str | Mapping[str, Any] | Sequence[Any] | None = None,
        flatten_labels: int | None = None,
        flatten_columns: int | None = None,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
        self.distances = distances
        self.search = search
        self.heuristic = heuristic
        self.leaf = leaf
        self.size = size
        self.depth = depth
        self.constraints = constraints
        self.costs = costs
        self.subsets = subsets
        self.threshold = threshold
        self.missing = missing
        self.follow = follow
        self.distance = distance
        self.keys = keys
        self.prototypes = prototypes
        self.attraction = attraction
        self.structured = structured
        self.labels = labels
        self.stop_words = stop_words
        self.corrected = corrected
        self.width = width
        self.alpha = alpha
        self.beta = beta
        self.similarity = similarity
        self.margin = margin
        self.epsilon = epsilon
        self.combine = combine
        self.prior = prior
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.class_weight = class_weight
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class SVC(KernelSVC):
    """A support vector machine of vectors as they are: scale them, or use `KernelSVC`, which does.

    `KernelSVC` with the parameters and defaults of scikit-learn's `SVC`, which come first; its own are beside them.

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.SVC().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    def __init__(
        self,
        *,
        C: float | None = 1.0,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int | None = 3,
        gamma: float | str | Sequence[float] = "scale",
        coef0: float | None = 0.0,
        shrinking: bool = True,
        probability: bool | None = False,
        tol: float | None = 0.001,
        cache_size: float | None = 200,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        verbose: int | bool | None = False,
        max_iter: int | None = -1,
        decision_function_shape: Literal["ovr", "ovo"] | None = "ovr",
        break_ties: bool | None = False,
        random_state: int | np.random.RandomState | None = None,
        form: Literal["c", "nu", "one_class"] = "c",
        c: float | str | Sequence[float] = 1,
        nu: float = 0.5,
        weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_: str | Mapping[str, Any] | Sequence[Any] = "frequent",
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        probabilities: bool = True,
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.form = form
        self.c = c
        self.nu = nu
        self.weights = weights
        self.class_ = class_
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.probabilities = probabilities
        self.tune = tune
        self.tolerance = tolerance
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class NuSVC(KernelSVC):
    """`SVC` with a share of errors in place of their price.

    `KernelSVC` with the parameters and defaults of scikit-learn's `NuSVC`, which come first; its own are beside them.

    Attributes
    ----------
    classes_ : array, or list of arrays for several targets
        The classes.
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X, y = [[1.0, 5.0], [2.0, 4.0], [1.5, 4.5], [8.0, 1.0], [9.0, 2.0], [8.5, 1.5]], ["low", "low", "low", "high", "high", "high"]
    >>> print(*kinwood.NuSVC().fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("form", "nu"),)

    def __init__(
        self,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int | None = 3,
        gamma: float | str | Sequence[float] = "scale",
        coef0: float | None = 0.0,
        shrinking: bool = True,
        probability: bool | None = False,
        tol: float | None = 0.001,
        cache_size: float | None = 200,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
        verbose: int | bool | None = False,
        max_iter: int | None = -1,
        decision_function_shape: Literal["ovr", "ovo"] | None = "ovr",
        break_ties: bool | None = False,
        random_state: int | np.random.RandomState | None = None,
        nu: float = 0.5,
        c: float | str | Sequence[float] = 1,
        weights: str | Mapping[str, Any] | Sequence[Any] | None = None,
        class_: str | Mapping[str, Any] | Sequence[Any] = "frequent",
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        probabilities: bool = True,
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        C: float | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.nu = nu
        self.c = c
        self.weights = weights
        self.class_ = class_
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.probabilities = probabilities
        self.tune = tune
        self.tolerance = tolerance
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.C = C
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class SVR(KernelSVR):
    """Support vector regression of vectors and numbers as they are.

    `KernelSVR` with the parameters and defaults of scikit-learn's `SVR`, which come first; its own are beside them.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.SVR(C=100.0).fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("scaled", "false"),)

    def __init__(
        self,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int | None = 3,
        gamma: float | str | Sequence[float] = "scale",
        coef0: float | None = 0.0,
        tol: float | None = 0.001,
        C: float | None = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float | None = 200,
        verbose: int | bool | None = False,
        max_iter: int | None = -1,
        form: Literal["epsilon", "nu"] = "epsilon",
        c: float | str | Sequence[float] = 1,
        nu: float = 0.5,
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.form = form
        self.c = c
        self.nu = nu
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.tune = tune
        self.tolerance = tolerance
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class NuSVR(KernelSVR):
    """`SVR` with a share of errors in place of their size.

    `KernelSVR` with the parameters and defaults of scikit-learn's `NuSVR`, which come first; its own are beside them.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns that it was fitted on.

    Examples
    --------
    >>> import kinwood
    >>> X = [[float(x)] for x in range(40)]
    >>> y = [2 * row[0] + 1 for row in X]
    >>> model = kinwood.NuSVR(C=100.0).fit(X, y)
    >>> bool(abs(model.predict([[20.0]])[0] - 41) < 6)
    True
    """

    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("form", "nu"), ("scaled", "false"))

    def __init__(
        self,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int | None = 3,
        gamma: float | str | Sequence[float] = "scale",
        coef0: float | None = 0.0,
        tol: float | None = 0.001,
        C: float | None = 1.0,
        shrinking: bool = True,
        cache_size: float | None = 200,
        verbose: int | bool | None = False,
        max_iter: int | None = -1,
        nu: float = 0.5,
        c: float | str | Sequence[float] = 1,
        epsilon: float = 0.1,
        depth: int = 1,
        gram: str | Mapping[str, Any] | Sequence[Any] | None = None,
        indefinite: Literal["shift", "clip", "flip", "as_is"] = "shift",
        tune: int | Literal["no"] = "no",
        tolerance: float = 0.001,
        flatten: Literal["none", "p1", "p2"] | None = None,
        flatten_depth: int = 3,
        flatten_rows: int = 10000000,
        aggregates: str | Mapping[str, Any] | Sequence[Any] = "all",
        flatten_windows: str | Mapping[str, Any] | Sequence[Any] = "30,90,365,1095",
        flatten_last: str | Mapping[str, Any] | Sequence[Any] = "3,5,10",
        flatten_labels: int = 8,
        flatten_columns: int = 400,
        calibrate: Literal["none", "isotonic", "platt"] | None = None,
        interval: str | Mapping[str, Any] | Sequence[Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.nu = nu
        self.c = c
        self.epsilon = epsilon
        self.depth = depth
        self.gram = gram
        self.indefinite = indefinite
        self.tune = tune
        self.tolerance = tolerance
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.aggregates = aggregates
        self.flatten_windows = flatten_windows
        self.flatten_last = flatten_last
        self.flatten_labels = flatten_labels
        self.flatten_columns = flatten_columns
        self.calibrate = calibrate
        self.interval = interval
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


LEARNERS: dict[str, tuple[Any, ...]] = {
    "majority": (MajorityClassifier,),
    "mean": (MeanRegressor,),
    "oner": (OneR,),
    "knn": (KNeighborsClassifier, KNeighborsRegressor),
    "kstar": (KStarClassifier, KStarRegressor),
    "citation_knn": (CitationKNN, CitationKNNRegressor),
    "tree": (PCTClassifier, PCTRegressor, BeamSearch),
    "dbdt": (DBDTClassifier, DBDTRegressor),
    "forest": (ForestClassifier, ForestRegressor),
    "boost": (BoostClassifier, BoostRegressor),
    "m5": (M5Regressor,),
    "centres": (CentresClassifier, CentresRegressor),
    "mirt": (MIRTClassifier, MIRTRegressor),
    "svm": (KernelSVC,),
    "svr": (KernelSVR,),
    "ridge": (KernelRidge,),
    "mi_svm": (MISVC,),
    "auto": (AutoClassifier, AutoRegressor),
}
"""The estimators of each learner, of classes first and of numbers last."""

NAMESAKES = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "SVC",
    "NuSVC",
    "SVR",
    "NuSVR",
)
"""Classes with the names, parameters and defaults of scikit-learn."""
