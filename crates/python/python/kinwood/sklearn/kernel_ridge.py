"""Ridge regression by kernels; see :mod:`kinwood.sklearn`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from .. import _estimators

__all__ = ["KernelRidge"]


class KernelRidge(_estimators.KernelRidge):
    """`kinwood.KernelRidge` with the parameters and defaults of scikit-learn's, the linear kernel among them.

    Examples
    --------
    >>> from kinwood.sklearn.kernel_ridge import KernelRidge
    >>> X, y = [[float(x)] for x in range(-5, 6)], [2.0 * x for x in range(-5, 6)]
    >>> bool(abs(KernelRidge(alpha=0.001).fit(X, y).predict([[3.0]])[0] - 6) < 0.01)
    True
    """

    def __init__(
        self,
        alpha: float | None = 1.0,
        *,
        kernel: str | Callable[..., Any] = "linear",
        gamma: float | str | None = None,
        degree: int | None = 3,
        coef0: float | None = 1.0,
        kernel_params: Mapping[str, Any] | None = None,
        lambda_: Any = None,
        indefinite: Any = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        memory: float | None = None,
        time: float | None = None,
        progress: bool | Literal["auto"] = "auto",
        verbose: int | bool | None = None,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma  # type: ignore[assignment]
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.lambda_ = lambda_
        self.indefinite = indefinite
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory
        self.time = time
        self.progress = progress
        self.verbose = verbose
