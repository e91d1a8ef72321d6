"""Transformers: the tables around a row as columns, distances to medoids as columns, and components of any kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _input
from ._data import BEHIND, Rows, owner_of
from ._kinwood import Data
from .measures import medoids, pairwise

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self


class _Transformer(TransformerMixin, BaseEstimator):
    """What the transformers share."""

    _names: list[str]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns that come out."""
        check_is_fitted(self)
        return np.array(self._names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_names")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.no_validation = True
        return tags


class RelationalFeatures(_Transformer):
    """The tables around the rows of a database as columns: aggregates of what a row's keys reach, beside the row's own columns.

    Targets, identifiers and columns that are left out stay out. With ``set_output(transform="pandas")`` a frame comes out, which a
    :class:`~sklearn.compose.ColumnTransformer` takes.

    Parameters
    ----------
    depth : int, default 3
        The most foreign keys that are followed one after the other.
    aggregates : str, default "all"
        Which aggregates there are: `all`; `paper` for the average of each number and the most frequent of each label; or a list of kinds,
        such as ``"count, mean, max"``.
    numeric : bool, default False
        Whether labels are left out, so that a matrix of numbers comes out.
    own : bool, default True
        Whether the row's own columns come out too, not the aggregates alone.

    Examples
    --------
    >>> import kinwood
    >>> shop = kinwood.Database(
    ...     {"customer": {"id": ["a", "b"], "age": [30.0, 40.0]}, "order": {"customer_id": ["a", "a", "b"], "amount": [3.0, 4.0, 50.0]}},
    ...     table="customer", keys={"order.customer_id": "customer.id"}, primary={"customer": "id"},
    ... )
    >>> features = kinwood.RelationalFeatures(aggregates="paper", numeric=True).fit(shop)
    >>> print(*features.get_feature_names_out())
    age order.amount
    >>> features.transform(shop)
    array([[30. ,  3.5],
           [40. , 50. ]])
    """

    def __init__(self, *, depth: int = 3, aggregates: str = "all", numeric: bool = False, own: bool = True) -> None:
        self.depth = depth
        self.aggregates = aggregates
        self.numeric = numeric
        self.own = own

    def fit(self, X: Any, y: Any = None) -> Self:
        """Finds the columns of a :class:`Database`."""
        X = _rows_of(X)
        if isinstance(self.depth, bool) or not isinstance(self.depth, (int, np.integer)) or not 1 <= self.depth <= 32:
            raise ValueError(f"depth is a whole number from 1 to 32, not {self.depth!r}")
        self._plan = X._data.flattening(int(self.depth), self.aggregates, _input.work())
        flat = self._flat(X)
        left_out = {*X._targets, *([] if self.own else X.inputs)}
        self._names = [
            name for name, of, role in flat.columns if role == "input" and name not in left_out and (of == "numeric" or not self.numeric)
        ]
        self.n_features_in_ = len(X.inputs)
        return self

    def _flat(self, X: Rows) -> Data:
        return X._data.flat(self._plan, _input.work())

    def transform(self, X: Any) -> Any:
        """The columns of the rows: an array of numbers, or of objects where there are labels."""
        check_is_fitted(self)
        flat = self._flat(_rows_of(X))
        columns = [flat.column(name) for name in self._names]
        if all(column.of == "numeric" for column in columns):
            return np.column_stack([np.array(column.to_list(), dtype=np.float64) for column in columns])
        cells = np.empty((len(flat), len(columns)), dtype=object)
        for place, column in enumerate(columns):
            cells[:, place] = list(column.to_list())
        return cells


def _rows_of(X: Any) -> Rows:
    """The rows that are given, or that a frame of some of their columns is of."""
    found = owner_of(X)
    behind = getattr(X, "attrs", {}).get(BEHIND) if _input.library(X) == "pandas" else None
    if isinstance(behind, Rows) and len(behind) == len(X):
        found = behind
    if not isinstance(found, Rows):
        raise TypeError(f"RelationalFeatures is of a Database or Table, not of `{type(X).__qualname__}`")
    return found


class DistanceFeatures(_Transformer):
    """The distances of things to some of the training things, which stand in the middle of groups (medoids): a column each.

    Parameters
    ----------
    distance : str, default "euclidean"
        How far things are apart: an expression, or a common name such as `manhattan` or `levenshtein`.
    n_medoids : int, default 8
        How many medoids there are; as many as training things where there are fewer.
    n_jobs : int, optional
        Threads; one by default.

    Attributes
    ----------
    medoids_ : array
        The places of the medoids among the training things.

    Examples
    --------
    >>> import kinwood
    >>> words = ["kitten", "mitten", "bitten", "table", "cable"]
    >>> features = kinwood.DistanceFeatures(distance="levenshtein", n_medoids=2).fit(words)
    >>> features.transform(["sitten", "fable"])
    array([[1., 5.],
           [5., 1.]])
    """

    def __init__(self, distance: str = "euclidean", *, n_medoids: int = 8, n_jobs: int | None = None) -> None:
        self.distance = distance
        self.n_medoids = n_medoids
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Finds the medoids."""
        if isinstance(self.n_medoids, bool) or not isinstance(self.n_medoids, (int, np.integer)) or self.n_medoids < 1:
            raise ValueError(f"n_medoids is a whole number from 1, not {self.n_medoids!r}")
        X = _things(X)
        matrix = pairwise(self.distance, X, n_jobs=self.n_jobs)
        found = medoids(matrix, min(int(self.n_medoids), len(matrix)))
        self.medoids_ = np.sort(found.medoids)
        self._fit_X = X
        self._names = [f"distance_{place}" for place in range(len(self.medoids_))]
        self.n_features_in_ = X.shape[1] if hasattr(X, "shape") and len(X.shape) == 2 else 1
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The distances to the medoids."""
        check_is_fitted(self)
        # Ranges and the like are those of all training things.
        found = pairwise(self.distance, _things(X), self._fit_X, n_jobs=self.n_jobs)
        return np.ascontiguousarray(found[:, self.medoids_])


class KernelPCA(_Transformer):
    """The directions in which things differ most by a kernel (Schölkopf, Smola and Müller 1998).

    Parameters
    ----------
    n_components : int, default 2
        How many directions.
    kernel : str, default "gaussian(euclidean)"
        How alike things are: any kernel of any values; or a distance, whose squares are taken as in classical scaling.
    n_jobs : int, optional
        Threads; one by default.

    Attributes
    ----------
    eigenvalues_ : array
        How much each direction holds.

    Examples
    --------
    >>> import kinwood
    >>> baskets = [{"bread", "milk"}, {"bread"}, {"nail", "hammer"}, {"nail"}]
    >>> placed = kinwood.KernelPCA(1, kernel="tanimoto").fit_transform(baskets)
    >>> placed.shape, bool((placed[0] > 0) == (placed[1] > 0)), bool((placed[0] > 0) == (placed[2] > 0))
    ((4, 1), True, False)
    """

    def __init__(self, n_components: int = 2, *, kernel: str = "gaussian(euclidean)", n_jobs: int | None = None) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.n_jobs = n_jobs

    def _gram(self, X: Any, Y: Any) -> np.ndarray:
        from . import _kinwood

        found = pairwise(self.kernel, X, Y, n_jobs=self.n_jobs)
        return found if _kinwood.is_kernel(self.kernel) else -0.5 * found**2

    def fit(self, X: Any, y: Any = None) -> Self:
        """Finds the directions."""
        if isinstance(self.n_components, bool) or not isinstance(self.n_components, (int, np.integer)) or self.n_components < 1:
            raise ValueError(f"n_components is a whole number from 1, not {self.n_components!r}")
        X = _things(X)
        gram = self._gram(X, None)
        self._means = gram.mean(axis=0)
        self._mean = float(gram.mean())
        centred = gram - self._means[None, :] - self._means[:, None] + self._mean
        values, vectors = np.linalg.eigh((centred + centred.T) / 2)
        order = np.argsort(-values, kind="stable")[: min(int(self.n_components), len(values))]
        values, vectors = values[order], vectors[:, order]
        # The same data gives the same signs.
        signs = np.sign(vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])])
        signs[signs == 0] = 1.0
        self.eigenvalues_ = np.maximum(values, 0.0)
        roots = np.sqrt(np.where(self.eigenvalues_ > 1e-12 * max(1.0, values.max(initial=0.0)), self.eigenvalues_, np.inf))
        self._coefficients = vectors * signs / roots
        self._fit_X = X
        self._names = [f"kernelpca{place}" for place in range(len(values))]
        self.n_features_in_ = X.shape[1] if hasattr(X, "shape") and len(X.shape) == 2 else 1
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Where things are along the directions."""
        check_is_fitted(self)
        gram = self._gram(_things(X), self._fit_X)
        centred = gram - gram.mean(axis=1, keepdims=True) - self._means[None, :] + self._mean
        return centred @ self._coefficients


def _things(X: Any) -> Any:
    X = owner_of(X)
    return X if isinstance(X, (Rows, np.ndarray, list)) or hasattr(X, "columns") else list(X)
