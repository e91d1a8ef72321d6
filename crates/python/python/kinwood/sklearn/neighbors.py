"""Nearest neighbours; see :mod:`kinwood.sklearn`."""

from .._estimators import KNeighborsClassifier, KNeighborsRegressor

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]
