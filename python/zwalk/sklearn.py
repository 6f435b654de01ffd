"""Estimators for scikit-learn, in the precision of the points. `import zwalk.sklearn` needs scikit-learn."""
from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from . import threadpoolctl as _threadpoolctl  # noqa: F401  (registers)
from ._groups import dbscan
from ._hierarchy import hdbscan
from ._tree import KDTree

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box

__all__ = ["DBSCAN", "HDBSCAN", "NearestNeighbors"]

_COUNT = Interval(Integral, left=1, right=None, closed="left")
_DISTANCE = Interval(Real, left=0, right=None, closed="left")
_BOX = [Real, "array-like", None]


def _threads(n_jobs: int | None) -> int | None:
    """None: all, as in the rest of zwalk; else as joblib has it."""
    return None if n_jobs is None else effective_n_jobs(n_jobs)


def _checked(estimator: BaseEstimator, X: Any, least: int = 1, reset: bool = True) -> Any:
    return validate_data(estimator, X, dtype=[np.float64, np.float32], order="C", ensure_min_samples=least, reset=reset)


class HDBSCAN(ClusterMixin, BaseEstimator):
    """HDBSCAN* clusters; parameters as sklearn.cluster.HDBSCAN has them.

    Parameters
    ----------
    min_cluster_size : int
    min_samples : int, optional
        Counts the point itself. Default: min_cluster_size.
    cluster_selection_epsilon : float
    max_cluster_size : int, optional
    cluster_selection_method : {'eom', 'leaf'}
    allow_single_cluster : bool
    box : float or sequence of floats, optional
        Periods; 0: an open axis. (Not in scikit-learn.)
    n_jobs : int, optional
        None: all threads. No result depends on it.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_samples,); -1: noise
    probabilities_, outlier_scores_ : ndarray of float64, shape (n_samples,)
    cluster_persistence_ : ndarray, shape (n_clusters,)
    single_linkage_tree_ : ndarray, shape (n_samples - 1, 4); SciPy's linkage
    condensed_tree_ : dict of ndarrays; columns as in the hdbscan package
    n_features_in_, feature_names_in_
    """

    _parameter_constraints = {
        "min_cluster_size": [Interval(Integral, left=2, right=None, closed="left")],
        "min_samples": [_COUNT, None],
        "cluster_selection_epsilon": [_DISTANCE],
        "max_cluster_size": [_COUNT, None],
        "cluster_selection_method": [StrOptions({"eom", "leaf"})],
        "allow_single_cluster": ["boolean"],
        "box": _BOX,
        "n_jobs": [Integral, None],
    }

    def __init__(self, min_cluster_size: int = 5, min_samples: int | None = None, cluster_selection_epsilon: float = 0.0,
                 max_cluster_size: int | None = None, cluster_selection_method: str = "eom",
                 allow_single_cluster: bool = False, box: Box = None, n_jobs: int | None = None) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.box = box
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> HDBSCAN:
        """Find the clusters of X, shape (n_samples, n_features)."""
        found = hdbscan(_checked(self, X, 2), self.min_cluster_size, min_samples=self.min_samples,
                        method=self.cluster_selection_method, epsilon=self.cluster_selection_epsilon,
                        max_cluster_size=self.max_cluster_size, allow_single_cluster=self.allow_single_cluster,
                        box=self.box, threads=_threads(self.n_jobs))
        self.labels_ = found["labels"]
        self.probabilities_ = found["probabilities"]
        self.outlier_scores_ = found["outlier_scores"]
        self.cluster_persistence_ = found["persistence"]
        self.single_linkage_tree_ = found["linkage"]
        self.condensed_tree_ = found["condensed"]
        return self


class DBSCAN(ClusterMixin, BaseEstimator):
    """DBSCAN; parameters as sklearn.cluster.DBSCAN has them.

    Parameters
    ----------
    eps : float
        Points at most this far apart are neighbours.
    min_samples : int
        Neighbours, the point itself included, that make a core point.
    box : float or sequence of floats, optional
        Periods; 0: an open axis. (Not in scikit-learn.)
    n_jobs : int, optional
        None: all threads. No result depends on it.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_samples,); -1: noise
        As scikit-learn's, but for border points of several clusters: they go to the nearest core point.
    core_sample_indices_ : ndarray of int64
    components_ : ndarray, shape (n_core_samples, n_features)
    n_features_in_, feature_names_in_
    """

    _parameter_constraints = {
        "eps": [Interval(Real, left=0, right=None, closed="neither")],
        "min_samples": [_COUNT],
        "box": _BOX,
        "n_jobs": [Integral, None],
    }

    def __init__(self, eps: float = 0.5, min_samples: int = 5, box: Box = None, n_jobs: int | None = None) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.box = box
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> DBSCAN:
        """Find the clusters of X, shape (n_samples, n_features)."""
        x = _checked(self, X)
        found = dbscan(x, self.eps, self.min_samples, box=self.box, threads=_threads(self.n_jobs))
        self.labels_ = found.labels
        self.core_sample_indices_ = np.flatnonzero(found.core)
        self.components_ = x[self.core_sample_indices_]
        return self


class NearestNeighbors(BaseEstimator):
    """Searches for neighbours; parameters and methods as sklearn.neighbors.NearestNeighbors has them.

    Parameters
    ----------
    n_neighbors : int
    radius : float
    box : float or sequence of floats, optional
        Periods; 0: an open axis. (Not in scikit-learn.)
    n_jobs : int, optional
        None: all threads. No result depends on it.

    Attributes
    ----------
    n_samples_fit_ : int
    tree_ : zwalk.KDTree
    n_features_in_, feature_names_in_
    """

    _parameter_constraints = {
        "n_neighbors": [_COUNT],
        "radius": [_DISTANCE],
        "box": _BOX,
        "n_jobs": [Integral, None],
    }

    def __init__(self, n_neighbors: int = 5, radius: float = 1.0, box: Box = None, n_jobs: int | None = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.box = box
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> NearestNeighbors:
        """Keep the points X, shape (n_samples, n_features)."""
        x = _checked(self, X)
        self.n_samples_fit_ = len(x)
        self.tree_ = KDTree(x, boxsize=self.box, threads=_threads(self.n_jobs))
        return self

    def _queries(self, X: ArrayLike | None) -> Any:
        check_is_fitted(self)
        return None if X is None else _checked(self, X, reset=False).astype(self.tree_.dtype, copy=False)

    def kneighbors(self, X: ArrayLike | None = None, n_neighbors: int | None = None,
                   return_distance: bool = True) -> Any:
        """The nearest points of each row of X, or (X None) of each point, which is then none of its own.

        Returns
        -------
        (distances, indices), or indices; shape (n_queries, n_neighbors), nearest first
        """
        x = self._queries(X)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        most = self.n_samples_fit_ - (X is None)
        if k > most:
            raise ValueError(f"Expected n_neighbors <= n_samples_fit - {int(X is None)}, but n_neighbors = {k}, "
                             f"n_samples_fit = {self.n_samples_fit_}")
        if x is None:
            d, i = self.tree_.neighbours(k)
        else:
            d, i = (a.reshape(len(x), k) for a in self.tree_.query(x, k))
        return (d, i) if return_distance else i

    def kneighbors_graph(self, X: ArrayLike | None = None, n_neighbors: int | None = None,
                         mode: str = "connectivity") -> csr_matrix:
        """The same as a sparse matrix of ones, or with mode='distance' of distances."""
        d, i = self.kneighbors(X, n_neighbors)
        values = self._values(mode, d.reshape(-1))
        ends = np.arange(len(i) + 1) * i.shape[1]
        return csr_matrix((values, i.reshape(-1), ends), shape=(len(i), self.n_samples_fit_))

    def radius_neighbors(self, X: ArrayLike | None = None, radius: float | None = None,
                         return_distance: bool = True) -> Any:
        """The points within the radius of each row of X, or (X None) of each point, without itself; nearest first.

        Returns
        -------
        (distances, indices), or indices; object arrays of arrays
        """
        offsets, indices, distances = self._within(X, radius)
        parts = [np.empty(len(offsets) - 1, object) for _ in range(2)]
        for row, (begin, end) in enumerate(zip(offsets.tolist(), offsets[1:].tolist())):
            parts[0][row], parts[1][row] = distances[begin:end], indices[begin:end]
        return tuple(parts) if return_distance else parts[1]

    def radius_neighbors_graph(self, X: ArrayLike | None = None, radius: float | None = None,
                               mode: str = "connectivity") -> csr_matrix:
        """The same as a sparse matrix of ones, or with mode='distance' of distances."""
        offsets, indices, distances = self._within(X, radius)
        values = self._values(mode, distances)
        return csr_matrix((values, indices, offsets), shape=(len(offsets) - 1, self.n_samples_fit_))

    def _within(self, X: ArrayLike | None, radius: float | None) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
        x = self._queries(X)
        return self.tree_.radius(self.radius if radius is None else radius, x, exclude_self=x is None)

    @staticmethod
    def _values(mode: str, distances: Any) -> Any:
        if mode not in ("connectivity", "distance"):
            raise ValueError(f"mode must be 'connectivity' or 'distance', not {mode!r}")
        return distances if mode == "distance" else np.ones_like(distances)
