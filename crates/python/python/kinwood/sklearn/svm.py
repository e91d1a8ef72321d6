"""Support vector machines; see :mod:`kinwood.sklearn`."""

from .._estimators import SVC, SVR, NuSVC, NuSVR

__all__ = ["SVC", "SVR", "NuSVC", "NuSVR"]
