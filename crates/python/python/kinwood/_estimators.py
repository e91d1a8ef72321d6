"""The estimators, one for each learner and kind of target. Written by generate.py from the registry of learners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ._base import ByTarget, Classifier, Regressor, Unweighted, Weighted, documented

__all__ = [
    "BeamSearch",
    "CentresClassifier",
    "CentresRegressor",
    "CitationKNN",
    "CitationKNNRegressor",
    "DBDTClassifier",
    "DBDTRegressor",
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
    "OneR",
    "PCTClassifier",
    "PCTRegressor",
]


class MajorityParameters:
    """Parameters
    ----------
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "majority"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }
    _several = True

    def __init__(
        self,
        *,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MajorityClassifier(Weighted, MajorityParameters, Classifier):
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
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "mean"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }
    _several = True

    def __init__(
        self,
        *,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MeanRegressor(Weighted, MeanParameters, Regressor):
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
    bucket : int | str, default 6
        How many rows of its most frequent class an interval of numbers holds at least. Expected: a whole number from 1.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "oner"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "bucket": ("bucket", "6"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }

    def __init__(
        self,
        *,
        bucket: int | str = 6,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.bucket = bucket
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class OneR(Unweighted, OnerParameters, Classifier):
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
    preset : any, default None
        Other defaults: ib1 for k=1, weights=uniform, distance=euclidean, missing=max; settings given beside it win. Expected: one of none,
        ib1.
    k : any, default None
        How many neighbours vote; loo chooses the number with the least leave-one-out error on the training rows. Expected: a whole number
        from 1, or loo. Unless said, 1 or what the preset says.
    most : any, default None
        The largest k that k=loo tries. Expected: a whole number from 1 to 10000. Unless said, 30 or what the preset says.
    weights : any, default None
        How much a neighbour's vote counts: the same for all, the inverse of its distance, or the tricube kernel of its distance over that
        of neighbour k+1. Expected: one of uniform, inverse, kernel. Unless said, "uniform" or what the preset says.
    filter : any, default None
        Which training rows are kept: all (none), those that the ones kept before misclassify (ib2), or of these the ones with a
        significantly good record (ib3). Expected: one of none, ib2, ib3. Unless said, None or what the preset says.
    distance : any, default None
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column. Unless said, "euclidean" or what the preset says.
    depth : any, default None
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8. Unless said, 1 or what the
        preset says.
    missing : any, default None
        A missing value is a point of its own (own), as far as can be (max: IB1), or left out (skip). Expected: one of own, max, skip.
        Unless said, "own" or what the preset says.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2. Unless said, None or what the preset
        says.
    flatten_depth : any, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. Unless said, 3 or what the
        preset says.
    flatten_rows : any, default None
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295. Unless said, 10000000 or what
        the preset says.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "knn"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "preset": ("preset", "none"),
        "k": ("k", "1"),
        "most": ("most", "30"),
        "weights": ("weights", "uniform"),
        "filter": ("filter", "none"),
        "distance": ("distance", "euclidean"),
        "depth": ("depth", "1"),
        "missing": ("missing", "own"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }
    _several = True

    def __init__(
        self,
        *,
        preset: Any = None,
        k: Any = None,
        most: Any = None,
        weights: Any = None,
        filter: Any = None,
        distance: Any = None,
        depth: Any = None,
        missing: Any = None,
        flatten: Any = None,
        flatten_depth: Any = None,
        flatten_rows: Any = None,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KNeighborsClassifier(Unweighted, KnnParameters, Classifier):
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
    >>> print(*kinwood.KNeighborsClassifier(k=3).fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
    low high
    """


@documented
class KNeighborsRegressor(Unweighted, KnnParameters, Regressor):
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


class KstarParameters:
    """Parameters
    ----------
    blend : float | str, default 0.2
        How far the sphere of influence reaches, from 0 (the nearest values) to 1 (all alike); `0.2, age=0.5` for a column of its own,
        `cross_validation` to choose on the training rows.
    auto_blend : bool, default False
        Whether the blend of each column and value is chosen by the entropy of the targets. Expected: `true` or `false`.
    missing : str, default "average"
        A missing stored value is any of the others (average), leaves its row out (ignore), is the furthest (maximal), or the one asked
        about (none). Expected: one of average, ignore, maximal, none.
    compat : any, default None
        Follow the paper (none), or compute as Weka 3.9.7 does (weka). Expected: one of none, weka.
    distance : str, default ""
        How far values of columns are apart, as `column: expression, ...`; structured columns have a default.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _several = True

    def __init__(
        self,
        *,
        blend: float | str = 0.2,
        auto_blend: bool = False,
        missing: str | Any = "average",
        compat: Any = None,
        distance: str | Any = "",
        depth: int | str = 1,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KStarClassifier(Unweighted, KstarParameters, Classifier):
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
class KStarRegressor(Unweighted, KstarParameters, Regressor):
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
    references : int | str, default 2
        How many of the nearest stored rows vote. Expected: a whole number from 1.
    citers : int | str, default 4
        Stored rows vote that would count the row asked about among so many nearest of theirs. Expected: a whole number from 0.
    ties : str, default "nearest"
        Which of classes with equally many votes is predicted: that of the nearest voter (nearest), or this class.
    bags : str, default "min_hausdorff"
        How bags and sets are compared where the distance does not say; a name alone joins members that are rows by euclidean.
    distance : str, default "euclidean"
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    missing : str, default "own"
        A missing value is a point of its own (own), as far as can be (max), or left out (skip). Expected: one of own, max, skip.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _several = True

    def __init__(
        self,
        *,
        references: int | str = 2,
        citers: int | str = 4,
        ties: str | Any = "nearest",
        bags: str | Any = "min_hausdorff",
        distance: str | Any = "euclidean",
        depth: int | str = 1,
        missing: str | Any = "own",
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.references = references
        self.citers = citers
        self.ties = ties
        self.bags = bags
        self.distance = distance
        self.depth = depth
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class CitationKNN(Unweighted, CitationKnnParameters, Classifier):
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
class CitationKNNRegressor(Unweighted, CitationKnnParameters, Regressor):
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
    search : any, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. Unless said, "greedy" or what the preset says.
    preset : any, default None
        `paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data,
        structured columns are tested by prototypes alone, gains are not corrected, and the tree of a beam that errs least in training
        answers. Expected: one of none, paper.
    heuristic : any, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. Unless said, "auto" or what the preset says.
    leaf : any, default None
        The least weight of the examples in a leaf. Expected: a number from 0.000001. Unless said, 2 or what the preset says.
    size : any, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none.
        Unless said, None or what the preset says.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. Unless said, None or what the preset
        says.
    constraints : any, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.
        Unless said, "" or what the preset says.
    costs : any, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. Unless said, "" or what the preset says.
    pruning : any, default None
        How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else. Expected: one of auto,
        none, c45, m5, size, reduced_error, cost_complexity, models. Unless said, "auto" or what the preset says.
    confidence : any, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. Unless said, 0.25 or what the
        preset says.
    one_se : any, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. Unless said,
        False or what the preset says.
    smoothing : any, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. Unless said, 0 or what the preset says.
    subsets : any, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. Unless said, True or what
        the preset says.
    threshold : any, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. Unless said,
        "middle" or what the preset says.
    missing : any, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. Unless said, "divide" or what the preset says.
    follow : any, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. Unless said, 2 or what the preset says.
    distance : any, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. Unless said, "mean" or what the preset says.
    keys : any, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. Unless
        said, 0 or what the preset says.
    prototypes : any, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. Unless said, 2 or what the preset says.
    attraction : any, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. Unless said, "nearest" or what the preset says.
    structured : any, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. Unless said, "auto" or what
        the preset says.
    labels : any, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. Unless said, 1000 or what the preset says.
    stop_words : any, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. Unless said, "" or what
        the preset says.
    corrected : any, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. Unless said, True or what the preset says.
    width : any, default None
        How many trees a beam holds. Expected: a whole number from 1. Unless said, 10 or what the preset says.
    alpha : any, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. Unless said, 1e-05 or what the preset says.
    beta : any, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. Unless said, 0 or what the preset says.
    similarity : any, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. Unless said, "predictions" or what the preset says.
    margin : any, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. Unless said, 1e-06 or what the preset
        says.
    epsilon : any, default None
        With search=beam, keep every tree that was in the beam whose error in training is at most so much above the least: the share of
        wrong classes, of numbers the error relative to that of a tree of one leaf; 0 keeps the last beam alone. Expected: a number from 0
        to 1. Unless said, 0 or what the preset says.
    first : any, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. Unless said, "score" or what the preset says.
    combine : any, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. Unless said,
        "best" or what the preset says.
    class_weights : any, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. Unless said, "" or what the preset says.
    target_weights : any, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. Unless
        said, "" or what the preset says.
    hierarchy_weight : any, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. Unless said, 0.75 or what
        the preset says.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2. Unless said, None or what the preset
        says.
    flatten_depth : any, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. Unless said, 3 or what the
        preset says.
    flatten_rows : any, default None
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295. Unless said, 10000000 or what
        the preset says.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _several = True

    def __init__(
        self,
        *,
        search: Any = None,
        preset: Any = None,
        heuristic: Any = None,
        leaf: Any = None,
        size: Any = None,
        depth: Any = None,
        constraints: Any = None,
        costs: Any = None,
        pruning: Any = None,
        confidence: Any = None,
        one_se: Any = None,
        smoothing: Any = None,
        subsets: Any = None,
        threshold: Any = None,
        missing: Any = None,
        follow: Any = None,
        distance: Any = None,
        keys: Any = None,
        prototypes: Any = None,
        attraction: Any = None,
        structured: Any = None,
        labels: Any = None,
        stop_words: Any = None,
        corrected: Any = None,
        width: Any = None,
        alpha: Any = None,
        beta: Any = None,
        similarity: Any = None,
        margin: Any = None,
        epsilon: Any = None,
        first: Any = None,
        combine: Any = None,
        class_weights: Any = None,
        target_weights: Any = None,
        hierarchy_weight: Any = None,
        flatten: Any = None,
        flatten_depth: Any = None,
        flatten_rows: Any = None,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class PCTClassifier(Weighted, TreeParameters, Classifier):
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
class PCTRegressor(Weighted, TreeParameters, Regressor):
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
    preset : any, default None
        `paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data,
        structured columns are tested by prototypes alone, gains are not corrected, and the tree of a beam that errs least in training
        answers. Expected: one of none, paper.
    heuristic : any, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. Unless said, "auto" or what the preset says.
    leaf : any, default None
        The least weight of the examples in a leaf. Expected: a number from 0.000001. Unless said, 2 or what the preset says.
    size : any, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none.
        Unless said, None or what the preset says.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. Unless said, None or what the preset
        says.
    constraints : any, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.
        Unless said, "" or what the preset says.
    costs : any, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. Unless said, "" or what the preset says.
    pruning : any, default None
        How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else. Expected: one of auto,
        none, c45, m5, size, reduced_error, cost_complexity, models. Unless said, "auto" or what the preset says.
    confidence : any, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. Unless said, 0.25 or what the
        preset says.
    one_se : any, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. Unless said,
        False or what the preset says.
    smoothing : any, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. Unless said, 0 or what the preset says.
    subsets : any, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. Unless said, True or what
        the preset says.
    threshold : any, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. Unless said,
        "middle" or what the preset says.
    missing : any, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. Unless said, "divide" or what the preset says.
    follow : any, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. Unless said, 2 or what the preset says.
    distance : any, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. Unless said, "mean" or what the preset says.
    keys : any, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. Unless
        said, 0 or what the preset says.
    prototypes : any, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. Unless said, 2 or what the preset says.
    attraction : any, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. Unless said, "nearest" or what the preset says.
    structured : any, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. Unless said, "auto" or what
        the preset says.
    labels : any, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. Unless said, 1000 or what the preset says.
    stop_words : any, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. Unless said, "" or what
        the preset says.
    corrected : any, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. Unless said, True or what the preset says.
    width : any, default None
        How many trees a beam holds. Expected: a whole number from 1. Unless said, 10 or what the preset says.
    alpha : any, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. Unless said, 1e-05 or what the preset says.
    beta : any, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. Unless said, 0 or what the preset says.
    similarity : any, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. Unless said, "predictions" or what the preset says.
    margin : any, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. Unless said, 1e-06 or what the preset
        says.
    epsilon : any, default None
        With search=beam, keep every tree that was in the beam whose error in training is at most so much above the least: the share of
        wrong classes, of numbers the error relative to that of a tree of one leaf; 0 keeps the last beam alone. Expected: a number from 0
        to 1. Unless said, 0 or what the preset says.
    first : any, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. Unless said, "score" or what the preset says.
    combine : any, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. Unless said,
        "best" or what the preset says.
    class_weights : any, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. Unless said, "" or what the preset says.
    target_weights : any, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. Unless
        said, "" or what the preset says.
    hierarchy_weight : any, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. Unless said, 0.75 or what
        the preset says.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2. Unless said, None or what the preset
        says.
    flatten_depth : any, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. Unless said, 3 or what the
        preset says.
    flatten_rows : any, default None
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295. Unless said, 10000000 or what
        the preset says.
    task : str, default "classification"
        `classification` or `regression`: whether targets are classes or numbers.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _fixed: ClassVar[tuple[tuple[str, str], ...]] = (("search", "beam"),)
    _several = True

    def __init__(
        self,
        *,
        preset: Any = None,
        heuristic: Any = None,
        leaf: Any = None,
        size: Any = None,
        depth: Any = None,
        constraints: Any = None,
        costs: Any = None,
        pruning: Any = None,
        confidence: Any = None,
        one_se: Any = None,
        smoothing: Any = None,
        subsets: Any = None,
        threshold: Any = None,
        missing: Any = None,
        follow: Any = None,
        distance: Any = None,
        keys: Any = None,
        prototypes: Any = None,
        attraction: Any = None,
        structured: Any = None,
        labels: Any = None,
        stop_words: Any = None,
        corrected: Any = None,
        width: Any = None,
        alpha: Any = None,
        beta: Any = None,
        similarity: Any = None,
        margin: Any = None,
        epsilon: Any = None,
        first: Any = None,
        combine: Any = None,
        class_weights: Any = None,
        target_weights: Any = None,
        hierarchy_weight: Any = None,
        flatten: Any = None,
        flatten_depth: Any = None,
        flatten_rows: Any = None,
        task: str | Any = "classification",
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.task = task
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class BeamSearch(Weighted, BeamSearchParameters, ByTarget):
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
    preset : any, default None
        `paper` takes the choice of the paper for every setting that is not given: structured columns are tested by prototypes alone, and
        gains are not corrected. Expected: one of none, paper.
    prototypes : any, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. Unless said, 2 or what the preset says.
    distance : any, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. Unless said, "mean" or what the preset says.
    keys : any, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. Unless
        said, 1 or what the preset says.
    attraction : any, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. Unless said, "nearest" or what the preset says.
    boundary : any, default None
        Where the boundary between two prototypes that are numbers lies: midway, or where the branches are least spread (best). Expected:
        one of middle, best. Unless said, "middle" or what the preset says.
    structured : any, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. Unless said, "auto" or what
        the preset says.
    labels : any, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. Unless said, 1000 or what the preset says.
    stop_words : any, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. Unless said, "" or what
        the preset says.
    corrected : any, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. Unless said, True or what the preset says.
    missing : any, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. Unless said, "largest" or what the preset says.
    gain : any, default None
        Whether a test must gain something: without, a node is divided until it is pure or nothing divides it. Expected: `true` or `false`.
        Unless said, False or what the preset says.
    search : any, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. Unless said, "greedy" or what the preset says.
    heuristic : any, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. Unless said, "gain_ratio" or what the preset says.
    leaf : any, default None
        The least weight of the examples in a leaf. Expected: a number from 0. Unless said, 0 or what the preset says.
    size : any, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none.
        Unless said, None or what the preset says.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. Unless said, None or what the preset
        says.
    constraints : any, default None
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.
        Unless said, "" or what the preset says.
    costs : any, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. Unless said, "" or what the preset says.
    pruning : any, default None
        How trees are cut back: by default not at all, as in the paper; auto takes c45 for classes and m5 for all else. Expected: one of
        auto, none, c45, m5, size, reduced_error, cost_complexity, models. Unless said, None or what the preset says.
    confidence : any, default None
        The confidence of c45 pruning: the smaller, the more is pruned. Expected: a number from 0.000001 to 1. Unless said, 0.25 or what the
        preset says.
    one_se : any, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. Unless said,
        False or what the preset says.
    smoothing : any, default None
        For numbers, what a node predicts is mixed with what the node above it predicts, which counts as much as so many examples; 0 lets
        the leaf answer alone. Expected: a number from 0. Unless said, 0 or what the preset says.
    width : any, default None
        How many trees a beam holds. Expected: a whole number from 1. Unless said, 10 or what the preset says.
    alpha : any, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. Unless said, 1e-05 or what the preset says.
    beta : any, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. Unless said, 0 or what the preset says.
    similarity : any, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. Unless said, "predictions" or what the preset says.
    margin : any, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. Unless said, 1e-06 or what the preset
        says.
    epsilon : any, default None
        With search=beam, keep every tree that was in the beam whose error in training is at most so much above the least: the share of
        wrong classes, of numbers the error relative to that of a tree of one leaf; 0 keeps the last beam alone. Expected: a number from 0
        to 1. Unless said, 0 or what the preset says.
    first : any, default None
        Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training. Expected: one of
        score, error. Unless said, "score" or what the preset says.
    combine : any, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. Unless said,
        "best" or what the preset says.
    class_weights : any, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. Unless said, "" or what the preset says.
    target_weights : any, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. Unless
        said, "" or what the preset says.
    hierarchy_weight : any, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. Unless said, 0.75 or what
        the preset says.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2. Unless said, None or what the preset
        says.
    flatten_depth : any, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. Unless said, 3 or what the
        preset says.
    flatten_rows : any, default None
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295. Unless said, 10000000 or what
        the preset says.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
        "pruning": ("pruning", "none"),
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
    }
    _several = True

    def __init__(
        self,
        *,
        preset: Any = None,
        prototypes: Any = None,
        distance: Any = None,
        keys: Any = None,
        attraction: Any = None,
        boundary: Any = None,
        structured: Any = None,
        labels: Any = None,
        stop_words: Any = None,
        corrected: Any = None,
        missing: Any = None,
        gain: Any = None,
        search: Any = None,
        heuristic: Any = None,
        leaf: Any = None,
        size: Any = None,
        depth: Any = None,
        constraints: Any = None,
        costs: Any = None,
        pruning: Any = None,
        confidence: Any = None,
        one_se: Any = None,
        smoothing: Any = None,
        width: Any = None,
        alpha: Any = None,
        beta: Any = None,
        similarity: Any = None,
        margin: Any = None,
        epsilon: Any = None,
        first: Any = None,
        combine: Any = None,
        class_weights: Any = None,
        target_weights: Any = None,
        hierarchy_weight: Any = None,
        flatten: Any = None,
        flatten_depth: Any = None,
        flatten_rows: Any = None,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class DBDTClassifier(Weighted, DbdtParameters, Classifier):
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
class DBDTRegressor(Weighted, DbdtParameters, Regressor):
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
    preset : str, default "random"
        What is drawn: rows and the columns of each node (random), rows alone (bagging), thresholds too (extra), the columns of each tree
        (subspaces), prototypes (proximity), or nothing, the trees being those of a beam (beam); settings given beside it win. Expected: one
        of random, bagging, extra, subspaces, proximity, beam.
    trees : any, default None
        How many samples of the rows a tree is grown on, or with search=beam the trees of a beam. Expected: a whole number from 1 to 100000.
        Unless said, 100 or what the preset says.
    sample : any, default None
        The rows of a tree: as many as there are, drawn with repetition (bootstrap), 63.2 percent of them (subsample), or all. Expected: one
        of bootstrap, subsample, all. Unless said, "bootstrap" or what the preset says.
    inputs : any, default None
        How many columns a node looks at, drawn anew in each: a number, all, or by default the root of their number for classes and a third
        of it for numbers. Expected: a whole number from 1, or auto or all. Unless said, "auto" or what the preset says.
    space : any, default None
        The share of the columns that a tree may use, drawn for each tree. Expected: a number from 0.000001 to 1. Unless said, 1 or what the
        preset says.
    tests : any, default None
        Thresholds and subsets are sought (best) or drawn at random (drawn), structured columns being tested as `structured` says; or
        prototypes are sought for all columns (prototypes), or drawn for all (drawn_prototypes). Expected: one of best, drawn, prototypes,
        drawn_prototypes. Unless said, "best" or what the preset says.
    draws : any, default None
        How often prototypes are drawn in a node, the best draw being taken. Expected: a whole number from 1 to 10000. Unless said, 5 or
        what the preset says.
    search : any, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. Unless said, "greedy" or what the preset says.
    heuristic : any, default None
        What makes a test good: by default the gain in information for a class, else the fall of the variance. Expected: one of auto, gain,
        gain_ratio, gini, variance. Unless said, "auto" or what the preset says.
    leaf : any, default None
        The least weight of the examples in a leaf. Expected: a number from 0.000001. Unless said, 1 or what the preset says.
    size : any, default None
        The most nodes of a tree, leaves included, or `none`; with search=best_first or beam. Expected: a whole number from 1, or none.
        Unless said, None or what the preset says.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. Unless said, None or what the preset
        says.
    constraints : any, default None
        What every tree must keep to, such as `depth <= 4 or cost <= 2.5`, `leaf >= 5`, `not uses(age)`, `monotone(age, up)`, `like(FILE)`.
        Unless said, "" or what the preset says.
    costs : any, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. Unless said, "" or what the preset says.
    subsets : any, default None
        Whether labels are divided by subsets, or by one label against the others. Expected: `true` or `false`. Unless said, True or what
        the preset says.
    threshold : any, default None
        Whether a threshold lies midway between two values of the data or is the lower one. Expected: one of middle, value. Unless said,
        "middle" or what the preset says.
    missing : any, default None
        Where a row goes whose value a test needs and does not have: into every branch by its share (divide), or where most rows went
        (largest). Expected: one of divide, largest. Unless said, "divide" or what the preset says.
    follow : any, default None
        On a database, the most foreign keys that one test follows to linked rows; 0 looks at the columns of the target's table alone.
        Expected: a whole number from 0 to 4. Unless said, 2 or what the preset says.
    distance : any, default None
        How far values are apart: an expression over the columns (see the catalogue of distances), of which each column's part is taken; a
        name alone takes the default distance of every column. Unless said, "mean" or what the preset says.
    keys : any, default None
        How many foreign keys away rows are compared: what a key leads to is one more column. Expected: a whole number from 0 to 8. Unless
        said, 0 or what the preset says.
    prototypes : any, default None
        The most prototypes of a test, one a class; `all` for as many as there are classes. A numeric target is cut into as many ranges.
        Expected: a whole number from 2, or all. Unless said, 2 or what the preset says.
    attraction : any, default None
        Which prototype attracts a value: the nearest, or the nearest in units of how widely its class lies around it (density). Expected:
        one of nearest, density. Unless said, "nearest" or what the preset says.
    structured : any, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. Unless said, "auto" or what
        the preset says.
    labels : any, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. Unless said, 1000 or what the preset says.
    stop_words : any, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. Unless said, "" or what
        the preset says.
    corrected : any, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. Unless said, True or what the preset says.
    width : any, default None
        How many trees a beam holds. Expected: a whole number from 1. Unless said, 10 or what the preset says.
    alpha : any, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. Unless said, 1e-05 or what the preset says.
    beta : any, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. Unless said, 0 or what the preset says.
    similarity : any, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. Unless said, "predictions" or what the preset says.
    margin : any, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. Unless said, 1e-06 or what the preset
        says.
    epsilon : any, default None
        With search=beam, keep every tree that was in the beam whose error in training is at most so much above the least: the share of
        wrong classes, of numbers the error relative to that of a tree of one leaf; 0 keeps the last beam alone. Expected: a number from 0
        to 1. Unless said, 0 or what the preset says.
    combine : any, default None
        How the trees predict: by the average of their answers, or by vote. Expected: one of average, vote. Unless said, "average" or what
        the preset says.
    class_weights : any, default None
        How much the examples of a class count, as `label=3, ...`; 1 for the others. Unless said, "" or what the preset says.
    target_weights : any, default None
        How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets. Unless
        said, "" or what the preset says.
    hierarchy_weight : any, default None
        In a hierarchy, what a label counts relative to the one above it. Expected: a number from 0.000001 to 1. Unless said, 0.75 or what
        the preset says.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2. Unless said, None or what the preset
        says.
    flatten_depth : any, default None
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32. Unless said, 3 or what the
        preset says.
    flatten_rows : any, default None
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295. Unless said, 10000000 or what
        the preset says.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
        "search": ("search", "greedy"),
        "heuristic": ("heuristic", "auto"),
        "leaf": ("leaf", "1"),
        "size": ("size", "none"),
        "depth": ("depth", "none"),
        "constraints": ("constraints", ""),
        "costs": ("costs", ""),
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
        "combine": ("combine", "average"),
        "class_weights": ("class_weights", ""),
        "target_weights": ("target_weights", ""),
        "hierarchy_weight": ("hierarchy_weight", "0.75"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }
    _several = True

    def __init__(
        self,
        *,
        preset: str | Any = "random",
        trees: Any = None,
        sample: Any = None,
        inputs: Any = None,
        space: Any = None,
        tests: Any = None,
        draws: Any = None,
        search: Any = None,
        heuristic: Any = None,
        leaf: Any = None,
        size: Any = None,
        depth: Any = None,
        constraints: Any = None,
        costs: Any = None,
        subsets: Any = None,
        threshold: Any = None,
        missing: Any = None,
        follow: Any = None,
        distance: Any = None,
        keys: Any = None,
        prototypes: Any = None,
        attraction: Any = None,
        structured: Any = None,
        labels: Any = None,
        stop_words: Any = None,
        corrected: Any = None,
        width: Any = None,
        alpha: Any = None,
        beta: Any = None,
        similarity: Any = None,
        margin: Any = None,
        epsilon: Any = None,
        combine: Any = None,
        class_weights: Any = None,
        target_weights: Any = None,
        hierarchy_weight: Any = None,
        flatten: Any = None,
        flatten_depth: Any = None,
        flatten_rows: Any = None,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.preset = preset
        self.trees = trees
        self.sample = sample
        self.inputs = inputs
        self.space = space
        self.tests = tests
        self.draws = draws
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
        self.class_weights = class_weights
        self.target_weights = target_weights
        self.hierarchy_weight = hierarchy_weight
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class ForestClassifier(Unweighted, ForestParameters, Classifier):
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
class ForestRegressor(Unweighted, ForestParameters, Regressor):
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


class M5Parameters:
    """Parameters
    ----------
    leaf : int | str, default 4
        A node whose rows weigh less is not divided. Expected: a number from 1.
    pruning : bool, default True
        Whether subtrees are cut that do not predict better than the formula of their node. Expected: `true` or `false`.
    smoothing : bool, default True
        Whether the formula of a leaf is blended with those above it. Expected: `true` or `false`.
    constant : bool, default False
        Whether leaves answer by means instead of formulas: a regression tree. Expected: `true` or `false`.
    search : str, default "greedy"
        How the tree is grown: node by node (greedy), or the most gaining leaf first (best_first). Expected: one of greedy, best_first.
    size : any, default None
        The most nodes of the tree, leaves included, or `none`; it is pruned to it. Expected: a whole number from 1, or none.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none.
    constraints : str, default ""
        What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }

    def __init__(
        self,
        *,
        leaf: int | str = 4,
        pruning: bool = True,
        smoothing: bool = True,
        constant: bool = False,
        search: str | Any = "greedy",
        size: Any = None,
        depth: Any = None,
        constraints: str | Any = "",
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class M5Regressor(Weighted, M5Parameters, Regressor):
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
    leaf : int | str, default 1
        The least weight of the rows in a leaf: a node is not divided where a part would have less. Expected: a number from 0.000001.
    levels : any, default None
        How many centres a row passes at most on its way from the root to a leaf, or `none`. Expected: a whole number from 0, or none.
    distance : str, default "euclidean"
        How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance
        of every column.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
        Whether a progress bar is shown for long work: `auto` shows one on terminals and in notebooks.
    """

    _learner = "centres"
    _settings: ClassVar[Mapping[str, tuple[str, str]]] = {
        "leaf": ("leaf", "1"),
        "levels": ("levels", "none"),
        "distance": ("distance", "euclidean"),
        "depth": ("depth", "1"),
        "flatten": ("flatten", "none"),
        "flatten_depth": ("flatten_depth", "3"),
        "flatten_rows": ("flatten_rows", "10000000"),
    }

    def __init__(
        self,
        *,
        leaf: int | str = 1,
        levels: Any = None,
        distance: str | Any = "euclidean",
        depth: int | str = 1,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
    ) -> None:
        self.leaf = leaf
        self.levels = levels
        self.distance = distance
        self.depth = depth
        self.flatten = flatten
        self.flatten_depth = flatten_depth
        self.flatten_rows = flatten_rows
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class CentresClassifier(Unweighted, CentresParameters, Classifier):
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
class CentresRegressor(Unweighted, CentresParameters, Regressor):
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
    preset : any, default None
        `paper` is MIRT as published, with structured columns tested by prototypes alone and gains as they are; `best` takes what was found
        to predict better: further tests, ridge leaves over aggregates, smoothing, pruning. Expected: one of none, paper, best.
    search : any, default None
        How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam). Expected:
        one of greedy, best_first, beam. Unless said, "greedy" or what the preset says.
    keys : any, default None
        The most foreign keys that one test follows. Expected: a whole number from 0 to 4. Unless said, 2 or what the preset says.
    combined : any, default None
        Whether a test may follow keys and put a condition on what they lead to. Expected: `true` or `false`. Unless said, True or what the
        preset says.
    at_least : any, default None
        Whether X >= a is tried besides X <= a. Expected: `true` or `false`. Unless said, False or what the preset says.
    counts : any, default None
        Whether linked rows are counted: count(bond) >= 3. Expected: `true` or `false`. Unless said, False or what the preset says.
    every : any, default None
        Whether conditions on all linked rows are tried. Expected: `true` or `false`. Unless said, False or what the preset says.
    aggregates : any, default None
        Whether the mean, the least and the greatest value of linked rows are tested. Expected: `true` or `false`. Unless said, False or
        what the preset says.
    prototypes : any, default None
        How many prototypes of a structured column tests may ask to be near of; with 0 only what values contain is tested. Expected: a whole
        number from 0 to 64. Unless said, 8 or what the preset says.
    structured : any, default None
        What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are
        nearest to (prototypes), or whichever divides better (auto). Expected: one of auto, members, prototypes. Unless said, "auto" or what
        the preset says.
    labels : any, default None
        The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a
        string and pairs of labels in order. Expected: a whole number from 1. Unless said, 1000 or what the preset says.
    stop_words : any, default None
        Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones. Unless said, "" or what
        the preset says.
    corrected : any, default None
        Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance,
        for each label that it names. Expected: `true` or `false`. Unless said, True or what the preset says.
    distance : any, default None
        How far structured values are apart, where the schema does not say: an expression (see the catalogue of distances). Unless said,
        "default" or what the preset says.
    heuristic : any, default None
        What tests are compared by: the weighted mean of the standard deviations of the two sides, or of the variances. Expected: one of
        deviation, variance. Unless said, "deviation" or what the preset says.
    objects : any, default None
        Only nodes with more objects than this are divided; sqrt is the root of the number of training objects. Expected: a whole number
        from 0, or sqrt. Unless said, "sqrt" or what the preset says.
    determined : any, default None
        Only nodes whose coefficient of determination is not above this are divided. Expected: a number from 0 to 1. Unless said, 0.8 or
        what the preset says.
    leaf : any, default None
        The least weight of the objects in a leaf. Expected: a number from 0.000001. Unless said, 1 or what the preset says.
    leaf_model : any, default None
        How leaves answer for numbers: by stepwise regression over primary instances (em), ridge regression over aggregates (linear), the
        mean (constant), or regressions between the tests (smoti). Expected: one of em, linear, constant, smoti. Unless said, "em" or what
        the preset says.
    restarts : any, default None
        How many random choices of primary instances are started from. Expected: a whole number from 1 to 10000. Unless said, 5 or what the
        preset says.
    significance : any, default None
        The level of the F-test by which a variable enters a leaf; 1 lets all enter. Expected: a number from 0 to 1. Unless said, 0.05 or
        what the preset says.
    leaf_labels : any, default None
        Whether labels are variables of linear leaves. Expected: `true` or `false`. Unless said, False or what the preset says.
    leaf_aggregates : any, default None
        Whether aggregates over the rows of the path are variables of linear leaves. Expected: `true` or `false`. Unless said, False or what
        the preset says.
    around : any, default None
        How many keys away from the object linear leaves make aggregates over, whatever the path. Expected: a whole number from 0 to 4.
        Unless said, 0 or what the preset says.
    smoothing : any, default None
        What a node says is mixed with what the one above says, which counts as much as so many objects; 0 for none. Expected: a number from
        0. Unless said, 0 or what the preset says.
    clip : any, default None
        Whether linear leaves say nothing beyond what they saw in training. Expected: `true` or `false`. Unless said, False or what the
        preset says.
    pruning : any, default None
        How trees are cut back: not at all, by c45 for classes, by m5, to a size alone (size), by what the models of nodes err on objects
        left out (models), by a third of the objects (reduced_error), by five folds (cost_complexity), or by c45 for classes and m5 for the
        rest unless a size is given (auto). Expected: one of auto, none, c45, m5, size, reduced_error, cost_complexity, models. Unless said,
        None or what the preset says.
    one_se : any, default None
        Whether cost_complexity takes the smallest tree within one standard error of the best. Expected: `true` or `false`. Unless said,
        False or what the preset says.
    size : any, default None
        The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it. Expected: a whole number from 1, or none.
        Unless said, None or what the preset says.
    depth : any, default None
        The most tests from the root to a leaf, or `none`. Expected: a whole number from 0, or none. Unless said, None or what the preset
        says.
    constraints : any, default None
        What trees must keep to, as `size <= 11 and uses(bond) and not uses(atom.charge)`. Unless said, "" or what the preset says.
    costs : any, default None
        What a test on a column costs, as `column=2.5, ...`; 1 for the others. Unless said, "" or what the preset says.
    width : any, default None
        How many trees a beam holds. Expected: a whole number from 1. Unless said, 10 or what the preset says.
    alpha : any, default None
        What each node adds to the score of a tree in a beam. Expected: a number from 0. Unless said, 1e-05 or what the preset says.
    beta : any, default None
        How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out. Expected: a number
        from 0. Unless said, 0 or what the preset says.
    similarity : any, default None
        What makes trees similar: their predictions, or their distributions of classes, which is smoother. Expected: one of predictions,
        distributions. Unless said, "predictions" or what the preset says.
    margin : any, default None
        By how much a tree must beat the worst of a full beam to enter. Expected: a number from 0. Unless said, 1e-06 or what the preset
        says.
    epsilon : any, default None
        With search=beam, keep every tree that was in the beam whose error in training is at most so much above the least: the share of
        wrong classes, of numbers the error relative to that of a tree of one leaf; 0 keeps the last beam alone. Expected: a number from 0
        to 1. Unless said, 0 or what the preset says.
    combine : any, default None
        How the trees of a beam predict: as the best, by vote, or by the average of all. Expected: one of best, vote, average. Unless said,
        "best" or what the preset says.
    bindings : any, default None
        The most linked rows that a key followed from all objects of a node may make; a key that makes more is not tried there. auto is 20
        times the rows of the database, at least a million; a memory limit lowers it. Expected: a whole number from 1, or auto. Unless said,
        "auto" or what the preset says.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _several = True

    def __init__(
        self,
        *,
        preset: Any = None,
        search: Any = None,
        keys: Any = None,
        combined: Any = None,
        at_least: Any = None,
        counts: Any = None,
        every: Any = None,
        aggregates: Any = None,
        prototypes: Any = None,
        structured: Any = None,
        labels: Any = None,
        stop_words: Any = None,
        corrected: Any = None,
        distance: Any = None,
        heuristic: Any = None,
        objects: Any = None,
        determined: Any = None,
        leaf: Any = None,
        leaf_model: Any = None,
        restarts: Any = None,
        significance: Any = None,
        leaf_labels: Any = None,
        leaf_aggregates: Any = None,
        around: Any = None,
        smoothing: Any = None,
        clip: Any = None,
        pruning: Any = None,
        one_se: Any = None,
        size: Any = None,
        depth: Any = None,
        constraints: Any = None,
        costs: Any = None,
        width: Any = None,
        alpha: Any = None,
        beta: Any = None,
        similarity: Any = None,
        margin: Any = None,
        epsilon: Any = None,
        combine: Any = None,
        bindings: Any = None,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MIRTClassifier(Unweighted, MirtParameters, Classifier):
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
class MIRTRegressor(Unweighted, MirtParameters, Regressor):
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
    form : str, default "c"
        Errors have a price (c), or a share (nu), or the region of one class is learned from its rows alone (one_class). Expected: one of c,
        nu, one_class.
    c : int | str, default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    nu : float | str, default 0.5
        With forms of shares: a bound above on the share of errors, and below on that of support rows. Expected: a number from 0.000001 to
        1.
    weights : any, default None
        How much errors on classes cost beside others: the same (none), in inverse proportion to their rows (balanced), or `LABEL:NUMBER,
        ...` with 1 for the others.
    class_ : str, default "frequent"
        The class that form=one_class learns; frequent for the most frequent.
    kernel : str, default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : str, default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : any, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : str, default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    probabilities : bool, default True
        Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.
        Expected: `true` or `false`.
    tune : str, default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    tolerance : float | str, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }

    def __init__(
        self,
        *,
        form: str | Any = "c",
        c: int | str = 1,
        nu: float | str = 0.5,
        weights: Any = None,
        class_: str | Any = "frequent",
        kernel: str | Any = "gaussian(euclidean)",
        gamma: str | Any = "auto",
        depth: int | str = 1,
        gram: Any = None,
        indefinite: str | Any = "shift",
        probabilities: bool = True,
        tune: str | Any = "no",
        tolerance: float | str = 0.001,
        shrinking: bool = True,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelSVC(Unweighted, SvmParameters, Classifier):
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
    form : str, default "epsilon"
        Errors below a bound do not count (epsilon), or the bound is found so that a share of rows lies outside (nu). Expected: one of
        epsilon, nu.
    c : int | str, default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    epsilon : float | str, default 0.1
        With form=epsilon: the size of errors that do not count. Expected: a number from 0.
    nu : float | str, default 0.5
        With forms of shares: a bound above on the share of errors, and below on that of support rows. Expected: a number from 0.000001 to
        1.
    scaled : bool, default True
        Measure the target in standard deviations, so that `c` and `epsilon` do not depend on its unit. Expected: `true` or `false`.
    kernel : str, default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : str, default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : any, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : str, default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    tune : str, default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    tolerance : float | str, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }

    def __init__(
        self,
        *,
        form: str | Any = "epsilon",
        c: int | str = 1,
        epsilon: float | str = 0.1,
        nu: float | str = 0.5,
        scaled: bool = True,
        kernel: str | Any = "gaussian(euclidean)",
        gamma: str | Any = "auto",
        depth: int | str = 1,
        gram: Any = None,
        indefinite: str | Any = "shift",
        tune: str | Any = "no",
        tolerance: float | str = 0.001,
        shrinking: bool = True,
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelSVR(Unweighted, SvrParameters, Regressor):
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
    lambda_ : float | str, default 0.1
        The ridge, above 0: the higher, the smoother the fit; loo chooses the one with the least leave-one-out error on the training rows.
    kernel : str, default "gaussian(euclidean)"
        How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.
    gamma : str, default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    gram : any, default None
        A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.
    indefinite : str, default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    flatten : any, default None
        How linked tables become columns: p1 joins them all, several rows an object, and averages the predictions; p2 has the average or
        most frequent value of each linked column, one row an object. Expected: one of none, p1, p2.
    flatten_depth : int | str, default 3
        The most foreign keys that flattening follows one after the other. Expected: a whole number from 1 to 32.
    flatten_rows : int | str, default 10000000
        The most rows that flatten=p1 makes before it gives up. Expected: a whole number from 1 to 4294967295.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }
    _several = True

    def __init__(
        self,
        *,
        lambda_: float | str = 0.1,
        kernel: str | Any = "gaussian(euclidean)",
        gamma: str | Any = "auto",
        depth: int | str = 1,
        gram: Any = None,
        indefinite: str | Any = "shift",
        flatten: Any = None,
        flatten_depth: int | str = 3,
        flatten_rows: int | str = 10000000,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class KernelRidge(Unweighted, RidgeParameters, Regressor):
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
    form : str, default "bag"
        One member speaks for each positive bag (bag: the paper's MI-SVM), each member of a positive bag has a class of its own (instance:
        the paper's mi-SVM), or bags are compared by normalised(set(kernel)) (kernel). Expected: one of bag, instance, kernel.
    positive : str, default "rare"
        The class of bags with a positive member; rare for the class of fewer training bags, of equally many the one whose label comes last.
    bags : str, default "only"
        The column of bags, or the table behind a foreign key that holds members; only for the only one there is.
    kernel : str, default "gaussian(euclidean)"
        How alike members of bags are: a kernel over their columns (see the catalogue of distances).
    gamma : str, default "auto"
        How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between
        training rows, auto*2 for twice that; a list for `tune`.
    c : int | str, default 1
        The price of an error, above 0: the higher, the closer the fit; a list for `tune`.
    rounds : int | str, default 50
        How often the positive members are guessed anew at most. Expected: a whole number from 1 to 10000.
    tune : str, default "no"
        Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows. Expected: a whole number from 2, or no.
    depth : int | str, default 1
        How many foreign keys away rows are compared: 0 for the row alone. Expected: a whole number from 0 to 8.
    indefinite : str, default "shift"
        What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip)
        or positive (flip), or nothing (as_is). Expected: one of shift, clip, flip, as_is.
    probabilities : bool, default True
        Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.
        Expected: `true` or `false`.
    tolerance : float | str, default 0.001
        By how much the optimality conditions may be violated. Expected: a number from 0.000000000001 to 1.
    shrinking : bool, default True
        Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without. Expected: `true` or `false`.
    random_state : any, default None
        The seed of whatever is drawn; 1 unless said, so that the same call gives the same model. A generator is drawn from.
    n_jobs : any, default None
        How many threads work; all of the machine unless said. Results do not depend on it.
    memory : any, default None
        Bytes that large intermediate results may have.
    time : any, default None
        Seconds after which fitting stops: a search gives the best it has found, anything else raises TimeoutError.
    progress : bool | str, default "auto"
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
    }

    def __init__(
        self,
        *,
        form: str | Any = "bag",
        positive: str | Any = "rare",
        bags: str | Any = "only",
        kernel: str | Any = "gaussian(euclidean)",
        gamma: str | Any = "auto",
        c: int | str = 1,
        rounds: int | str = 50,
        tune: str | Any = "no",
        depth: int | str = 1,
        indefinite: str | Any = "shift",
        probabilities: bool = True,
        tolerance: float | str = 0.001,
        shrinking: bool = True,
        random_state: Any = None,
        n_jobs: Any = None,
        memory: Any = None,
        time: Any = None,
        progress: bool | str = "auto",
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
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress


@documented
class MISVC(Unweighted, MiSvmParameters, Classifier):
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
    "m5": (M5Regressor,),
    "centres": (CentresClassifier, CentresRegressor),
    "mirt": (MIRTClassifier, MIRTRegressor),
    "svm": (KernelSVC,),
    "svr": (KernelSVR,),
    "ridge": (KernelRidge,),
    "mi_svm": (MISVC,),
}
"""The estimators of each learner, of classes first and of numbers last."""
