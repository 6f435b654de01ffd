"""Estimators for scikit-learn, in the precision of the points. `import zwalk.sklearn` needs scikit-learn."""
from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import threadpoolctl as _threadpoolctl  # noqa: F401  (registers)
from ._estimators import CONSTRAINTS, COUNT, DISTANCE, check_metric, checked, points_of, refuse, threads
from ._groups import dbscan
from ._hierarchy_objects import HierarchyObjects, flat_clusters
from ._predictions import (Predictions, all_points_membership_vectors, approximate_predict, approximate_predict_scores,
                           membership_vector)
from ._tree import KDTree
from ._validity import validity_index
from ._weights import weighted_dbscan

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box

__all__ = ["DBSCAN", "HDBSCAN", "NearestNeighbors", "all_points_membership_vectors", "approximate_predict",
           "approximate_predict_scores", "flat_clusters", "membership_vector", "validity_index"]


class HDBSCAN(Predictions, HierarchyObjects, ClusterMixin, BaseEstimator):
    """HDBSCAN* clusters; parameters as sklearn.cluster.HDBSCAN has them, and by name also those of hdbscan.HDBSCAN.

    Rows with NaN are labelled -3, others with infinities -2, as in scikit-learn.

    Parameters
    ----------
    min_cluster_size : int
    min_samples : int, optional
        Counts the point itself. Default: min_cluster_size.
    cluster_selection_epsilon : float
    max_cluster_size : int, optional
        None or 0: any size.
    metric : {'euclidean', 'l2', 'minkowski'}
        Others are refused, with what to do instead; so are `p` but 2, `metric_params`, `alpha` but 1,
        `branch_detection_data` and `match_reference_implementation`, for what they ask for isn't there.
    algorithm, leaf_size, memory, approx_min_span_tree, core_dist_n_jobs
        Change nothing: the tree is exact always.
    copy : bool
        False keeps X itself, if it has the form that is worked on, for what is computed when it is asked for: then it must not change.
    gen_min_span_tree : bool
        Keep the tree's edges, for `minimum_spanning_tree_` and `relative_validity_`.
    n_jobs : int, optional
        None: all threads. No result depends on it.
    cluster_selection_method : {'eom', 'leaf', 'persistent'}
        'persistent': the clusters that never split, at the best of all sizes from `min_cluster_size` on (`zwalk.persistent_sizes`).
    allow_single_cluster : bool
    store_centers : {'centroid', 'medoid', 'both'}, optional
        Which centres are attributes; also `weighted_cluster_centroid` and `weighted_cluster_medoid` of one cluster.
    cluster_selection_persistence : float
        Splits are undone of which one part lasts for less than this, in lambda.
    cluster_selection_epsilon_max : float
        'eom' takes no cluster that parts from its sibling at a larger distance.
    prediction_data : bool
        Keep what predictions of new points need: the points, sorted, and 24 bytes for each.
    box : float or sequence of floats, optional
        Periods; 0: an open axis. (Not in scikit-learn.)

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_samples,); -1: noise, -2: infinite, -3: with NaN
    probabilities_, outlier_scores_ : ndarray of float64, shape (n_samples,)
        Rows with NaN have NaN for probability.
    cluster_persistence_ : ndarray, shape (n_clusters,)
    min_cluster_size_ : int
        That of the condensed tree: with 'persistent' the one that was found, else `min_cluster_size`.
    persistent_sizes_ : zwalk.PersistentSizes
    condensed_tree_ : zwalk.CondensedTree
    single_linkage_tree_ : zwalk.SingleLinkageTree
    minimum_spanning_tree_ : zwalk.MinimumSpanningTree; needs gen_min_span_tree=True
    relative_validity_ : float; needs gen_min_span_tree=True
    exemplars_ : list of ndarray, each of shape (n_exemplars, n_features)
    centroids_ : ndarray of float64, shape (n_clusters, n_features)
    medoids_ : ndarray, shape (n_clusters, n_features)
    prediction_data_ : zwalk.HdbscanModel
        With `prediction_data`, or after `generate_prediction_data`.
    n_features_in_, feature_names_in_

    Notes
    -----
    The points are kept, for what is computed when it is asked for.
    """

    _parameter_constraints = CONSTRAINTS | {
        "min_cluster_size": [Interval(Integral, left=2, right=None, closed="left")],
        "min_samples": [COUNT, None],
        "cluster_selection_epsilon": [Interval(Real, left=0, right=None, closed="left")],
        "max_cluster_size": [Interval(Integral, left=0, right=None, closed="left"), None],
        "cluster_selection_method": [StrOptions({"eom", "leaf", "persistent"})],
        "cluster_selection_persistence": [DISTANCE],
        "cluster_selection_epsilon_max": [DISTANCE],
        "allow_single_cluster": ["boolean"],
        "store_centers": [None, StrOptions({"centroid", "medoid", "both"})],
        "gen_min_span_tree": ["boolean"],
    }

    def __init__(self, min_cluster_size: int = 5, min_samples: int | None = None, cluster_selection_epsilon: float = 0.0,
                 max_cluster_size: int | None = None, metric: str = "euclidean", metric_params: dict[str, Any] | None = None,
                 alpha: float = 1.0, algorithm: str = "auto", leaf_size: int = 40, n_jobs: int | None = None,
                 cluster_selection_method: str = "eom", allow_single_cluster: bool = False, store_centers: str | None = None,
                 copy: bool = True, *, p: float | None = None, memory: Any = None, approx_min_span_tree: bool = True,
                 gen_min_span_tree: bool = False, core_dist_n_jobs: int | None = None, prediction_data: bool = False,
                 branch_detection_data: bool = False, match_reference_implementation: bool = False,
                 cluster_selection_persistence: float = 0.0, cluster_selection_epsilon_max: float = np.inf,
                 box: Box = None) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy
        self.p = p
        self.memory = memory
        self.approx_min_span_tree = approx_min_span_tree
        self.gen_min_span_tree = gen_min_span_tree
        self.core_dist_n_jobs = core_dist_n_jobs
        self.prediction_data = prediction_data
        self.branch_detection_data = branch_detection_data
        self.match_reference_implementation = match_reference_implementation
        self.cluster_selection_persistence = cluster_selection_persistence
        self.cluster_selection_epsilon_max = cluster_selection_epsilon_max
        self.box = box

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> HDBSCAN:
        """Find the clusters of X, shape (n_samples, n_features).

        With sample_weight, shape (n_samples,), a point counts as so many in min_samples, min_cluster_size and stabilities; those that weigh
        0 are noise. Integers make the clusters of an X in which each row is there so often.
        """
        check_metric(self)
        refuse(self, {
            "alpha": (1.0, "distances aren't scaled"),
            "branch_detection_data": (False, "branches aren't looked for"),
            "match_reference_implementation": (False, "pass min_samples, which counts the point itself"),
        })
        x = checked(self, X, 2, all_finite=False)
        if self.copy and np.may_share_memory(x, X):
            x = x.copy()  # what is asked for later is of these points, whatever becomes of X
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True)
        self._find(x, threads(self.n_jobs), weights)
        self._store_centres()
        self._model = None
        if self.prediction_data:
            self.generate_prediction_data()
        return self

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> NDArray[np.int64]:
        """Labels of the clusters of DBSCAN* at one distance, without border points; -1: noise, others as of `labels_`."""
        check_is_fitted(self)
        labels = self.single_linkage_tree_.get_clusters(cut_distance, min_cluster_size)
        self._name_odd_rows(labels)
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class DBSCAN(ClusterMixin, BaseEstimator):
    """DBSCAN; parameters as sklearn.cluster.DBSCAN has them.

    Parameters
    ----------
    eps : float
        Points at most this far apart are neighbours.
    min_samples : int
        Neighbours, the point itself included, that make a core point.
    metric : {'euclidean', 'l2', 'minkowski'}
        Others are refused, with what to do instead, and so are `p` but 2 and `metric_params`.
    algorithm, leaf_size
        Change nothing.
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

    _parameter_constraints = CONSTRAINTS | {
        "eps": [Interval(Real, left=0, right=None, closed="neither")],
        "min_samples": [COUNT],
    }

    def __init__(self, eps: float = 0.5, *, min_samples: int = 5, metric: str = "euclidean",
                 metric_params: dict[str, Any] | None = None, algorithm: str = "auto", leaf_size: int = 30,
                 p: float | None = None, n_jobs: int | None = None, box: Box = None) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs
        self.box = box

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> DBSCAN:
        """Find the clusters of X, shape (n_samples, n_features).

        With sample_weight, shape (n_samples,), core points are those whose neighbours, themselves included, have weights
        that sum to min_samples. These are listed for points whose number of neighbours doesn't decide it, some at a time.
        """
        check_metric(self)
        x = checked(self, X)
        if sample_weight is None:
            found = dbscan(x, self.eps, self.min_samples, box=self.box, threads=threads(self.n_jobs))
        else:
            found = weighted_dbscan(x, self.eps, self.min_samples, _check_sample_weight(sample_weight, x, dtype=np.float64),
                                    self.box, threads(self.n_jobs))
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
    metric : {'minkowski', 'euclidean', 'l2'}
        Others are refused, with what to do instead, and so are `p` but 2 and `metric_params`.
    algorithm, leaf_size
        Change nothing.
    box : float or sequence of floats, optional
        Periods; 0: an open axis. (Not in scikit-learn.)
    n_jobs : int, optional
        None: all threads. No result depends on it.

    Attributes
    ----------
    n_samples_fit_ : int
    effective_metric_ : 'euclidean'
    tree_ : zwalk.KDTree
        In the precision of the points. Queries in float64 of points in float32 are searched for in another one, in float64,
        and have distances in float64.
    n_features_in_, feature_names_in_
    """

    _parameter_constraints = CONSTRAINTS | {
        "n_neighbors": [COUNT],
        "radius": [DISTANCE],
    }

    def __init__(self, *, n_neighbors: int = 5, radius: float = 1.0, algorithm: str = "auto", leaf_size: int = 30,
                 metric: str = "minkowski", p: float = 2, metric_params: dict[str, Any] | None = None,
                 n_jobs: int | None = None, box: Box = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.box = box

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: ArrayLike, y: object = None) -> NearestNeighbors:
        """Keep the points X, shape (n_samples, n_features); or those of a fitted NearestNeighbors, a KDTree or BallTree."""
        check_metric(self)
        x = checked(self, X.tree_.data if isinstance(X, NearestNeighbors) else points_of(X))
        self.n_samples_fit_ = len(x)
        self.effective_metric_ = "euclidean"
        self.effective_metric_params_: dict[str, Any] = {}
        self.tree_: KDTree = KDTree(x, boxsize=self.box, threads=threads(self.n_jobs))
        self._wide_tree: KDTree | None = None
        return self

    def _asked(self, X: ArrayLike | None) -> tuple[KDTree, Any]:
        """Queries, and the tree that has their precision: nothing is rounded."""
        check_is_fitted(self)
        if X is None:
            return self.tree_, None
        x = checked(self, X, reset=False)
        if x.dtype == self.tree_.dtype or x.dtype == np.float32:
            return self.tree_, x.astype(self.tree_.dtype, copy=False)
        if self._wide_tree is None:
            box = self.tree_.boxsize  # in the precision in which the points are known to fit
            self._wide_tree = KDTree(self.tree_.data.astype(np.float64), threads=threads(self.n_jobs),
                                     boxsize=None if box is None else box.astype(np.float32))
        return self._wide_tree, x

    def kneighbors(self, X: ArrayLike | None = None, n_neighbors: int | None = None,
                   return_distance: bool = True) -> Any:
        """The nearest points of each row of X, or (X None) of each point, which is then none of its own.

        Returns
        -------
        (distances, indices), or indices; shape (n_queries, n_neighbors), nearest first
        """
        tree, x = self._asked(X)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        most = self.n_samples_fit_ - (X is None)
        if k > most:
            raise ValueError(f"Expected n_neighbors <= n_samples_fit - {int(X is None)}, but n_neighbors = {k}, "
                             f"n_samples_fit = {self.n_samples_fit_}")
        if x is None:
            d, i = tree.neighbours(k)
        else:
            d, i = (a.reshape(len(x), k) for a in tree.query(x, k))
        return (d, i) if return_distance else i

    def kneighbors_graph(self, X: ArrayLike | None = None, n_neighbors: int | None = None,
                         mode: str = "connectivity") -> csr_matrix:
        """The same as a sparse matrix of ones, or with mode='distance' of distances."""
        d, i = self.kneighbors(X, n_neighbors)
        values = self._values(mode, d.reshape(-1))
        ends = np.arange(len(i) + 1) * i.shape[1]
        return csr_matrix((values, i.reshape(-1), ends), shape=(len(i), self.n_samples_fit_))

    def radius_neighbors(self, X: ArrayLike | None = None, radius: float | None = None,
                         return_distance: bool = True, sort_results: bool = False) -> Any:
        """The points within the radius of each row of X, or (X None) of each point, without itself; nearest first, always.

        Returns
        -------
        (distances, indices), or indices; object arrays of arrays
        """
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")  # as scikit-learn
        offsets, indices, distances = self._within(X, radius, return_distance)
        ends = offsets.tolist()
        parts = []
        for found in (distances, indices) if return_distance else (indices,):
            parts.append(np.empty(len(ends) - 1, object))
            for row, (begin, end) in enumerate(zip(ends, ends[1:])):
                parts[-1][row] = found[begin:end]
        return tuple(parts) if return_distance else parts[0]

    def radius_neighbors_graph(self, X: ArrayLike | None = None, radius: float | None = None,
                               mode: str = "connectivity", sort_results: bool = False) -> csr_matrix:
        """The same as a sparse matrix of ones, or with mode='distance' of distances."""
        offsets, indices, distances = self._within(X, radius)
        values = self._values(mode, distances)
        return csr_matrix((values, indices, offsets), shape=(len(offsets) - 1, self.n_samples_fit_))

    def _within(self, X: ArrayLike | None, radius: float | None,
                distances: bool = True) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]], Any]:
        tree, x = self._asked(X)
        return tree.radius(self.radius if radius is None else radius, x, exclude_self=x is None, distances=distances)

    @staticmethod
    def _values(mode: str, distances: Any) -> Any:
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead')
        return distances if mode == "distance" else np.ones_like(distances)
