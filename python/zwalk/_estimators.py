"""What the estimators take for the sake of scikit-learn's and hdbscan's interfaces: accepted, or refused with what to do instead."""
from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.neighbors import BallTree, NearestNeighbors
from sklearn.neighbors import KDTree as SklearnKDTree
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._tree import KDTree

COUNT = Interval(Integral, left=1, right=None, closed="left")
DISTANCE = Interval(Real, left=0, right=None, closed="both")
BOX = [Real, "array-like", None]

_ALGORITHMS = {"auto", "brute", "kd_tree", "kdtree", "ball_tree", "balltree", "best", "generic", "prims_kdtree", "prims_balltree",
               "boruvka_kdtree", "boruvka_balltree"}

# Of parameters that change nothing. A metric is checked by `check_metric`, which has more to say.
CONSTRAINTS: dict[str, Any] = {
    "metric": "no_validation",
    "metric_params": [dict, None],
    "p": "no_validation",
    "algorithm": [StrOptions(_ALGORITHMS)],
    "leaf_size": [COUNT],
    "box": BOX,
    "n_jobs": [Integral, None],
}

_EUCLIDEAN = {"euclidean", "l2", "minkowski"}
_INSTEAD = {
    "haversine": "pass zwalk.lonlat_to_unit(lon, lat), of degrees: an angle is a distance of zwalk.degrees_to_chord(angle) of these",
    "cosine": "divide rows by their lengths, X / numpy.linalg.norm(X, axis=1, keepdims=True): a cosine distance c is a distance of "
              "sqrt(2 * c) of these",
    "precomputed": "pass the points themselves",
    "sqeuclidean": "take metric='euclidean' and the roots of distances",
    "seuclidean": "divide each column by its standard deviation",
    "mahalanobis": "multiply the points by numpy.linalg.cholesky(VI)",
}


def check_metric(estimator: BaseEstimator) -> None:
    """Refuses whatever isn't the Euclidean metric."""
    metric, p = estimator.metric, estimator.p
    if not (isinstance(metric, str) and metric in _EUCLIDEAN):
        instead = _INSTEAD.get(metric) if isinstance(metric, str) else None
        raise _core.InputError(f"metric must be 'euclidean', not {metric!r}" + (f": {instead}" if instead else ""))
    if p is not None and p != 2:
        raise _core.InputError(f"p must be 2: distances are Euclidean, not {p!r}")
    if estimator.metric_params:
        raise _core.InputError("metric_params must be None: the Euclidean metric has none (for weights multiply each column by the "
                               "root of its own)")


def refuse(estimator: BaseEstimator, parameters: dict[str, tuple[Any, str]]) -> None:
    """Refuses what isn't there: of each parameter the value that is, and what to do."""
    for name, (only, instead) in parameters.items():
        value = getattr(estimator, name)
        if value is not only and value != only:
            raise _core.InputError(f"{name} must be {only!r}, not {value!r}: {instead}")


def threads(n_jobs: int | None) -> int | None:
    """None: all, as in the rest of zwalk; else as joblib has it."""
    return None if n_jobs is None else effective_n_jobs(n_jobs)


def points_of(X: Any) -> Any:
    """The points of what scikit-learn takes in their place, a fitted NearestNeighbors or a tree; anything else as it is."""
    if isinstance(X, NearestNeighbors):
        check_is_fitted(X)
        return X._fit_X
    return np.asarray(X.data) if isinstance(X, (BallTree, SklearnKDTree, KDTree)) else X


def checked(estimator: BaseEstimator, X: Any, least: int = 1, reset: bool = True, all_finite: bool = True) -> Any:
    """X as scikit-learn checks it; rows that aren't finite are named, if they may not be."""
    x = validate_data(estimator, X, dtype=[np.float64, np.float32], order="C", ensure_min_samples=least, reset=reset,
                      ensure_all_finite=False)
    if all_finite and not (finite := np.isfinite(x)).all():
        row, column = np.argwhere(~finite)[0].tolist()
        raise _core.InputError(f"Input X contains NaN or inf, first in row {row}, column {column}: leave out such rows")
    return x
