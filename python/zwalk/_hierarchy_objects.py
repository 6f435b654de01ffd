"""What zwalk.sklearn.HDBSCAN has after a fit, beyond labels: trees as objects, exemplars, centres, validity."""
from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._centres import centroid, medoid
from ._condensed import around_at, born_at, labelled
from ._hierarchy import Clusters, SpanningTree, Weighed, hdbscan, minimum_spanning_tree, selection, weighed
from ._place import Process
from ._points import as_box, as_count
from ._sizes import PersistentSizes, sizes_of
from ._trees import CondensedTree, MinimumSpanningTree, SingleLinkageTree
from ._validity import relative_validity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._points import Box

SELECTION = ("method", "epsilon", "max_cluster_size", "allow_single_cluster", "epsilon_max", "persistence")
MISSING, INFINITE = -3, -2  # labels of rows with NaN, and of others with infinities, as in scikit-learn


class HierarchyObjects:
    """A mixin of the estimator: attributes that follow from its fit, made when they are asked for."""

    labels_: NDArray[np.int64]
    probabilities_: NDArray[np.float64]
    outlier_scores_: NDArray[np.float64]
    cluster_persistence_: NDArray[np.float64]
    min_cluster_size_: int
    condensed_tree_: CondensedTree
    single_linkage_tree_: SingleLinkageTree
    _clusters: Clusters
    _asked_for: dict[str, Any]
    _weighed: Weighed
    _weight: float  # of all points
    _odd: NDArray[np.bool_]  # rows that take no part
    _points: NDArray[Any]
    _edges: NDArray[np.float64] | None

    def _selection(self: Any) -> dict[str, Any]:
        """Which clusters are to be taken: keywords of `zwalk.hdbscan`."""
        if self.cluster_selection_epsilon_max < self.cluster_selection_epsilon:
            raise _core.InputError(f"cluster_selection_epsilon_max ({self.cluster_selection_epsilon_max}) must be at least "
                                   f"cluster_selection_epsilon ({self.cluster_selection_epsilon})")
        enough = self._weight >= self.min_cluster_size  # odd rows don't make a cluster of the others
        return {"method": self.cluster_selection_method, "epsilon": self.cluster_selection_epsilon,
                "max_cluster_size": self.max_cluster_size or None, "allow_single_cluster": bool(self.allow_single_cluster and enough),
                "epsilon_max": self.cluster_selection_epsilon_max, "persistence": self.cluster_selection_persistence}

    def _find(self: Any, x: NDArray[Any], threads: int | None, weights: NDArray[np.float64] | None = None) -> None:
        """Fit the checked points, of which some rows may have NaN or infinities, or weigh nothing."""
        odd = ~np.isfinite(x).all(axis=1)
        if weights is not None:
            odd |= weights == 0
        self._weight = float((~odd).sum() if weights is None else weights[~odd].sum())
        selected, least = self._selection(), self.min_samples or self.min_cluster_size
        tree = None
        if odd.any() or self.gen_min_span_tree or weights is not None:
            even = x[~odd] if odd.any() else x
            some = None if weights is None else weights[~odd]
            tree = minimum_spanning_tree(even, min_samples=least, weights=some, box=self.box, threads=threads)
            tree = _with_odd_rows(tree, odd)
        if tree is None:
            found = hdbscan(x, self.min_cluster_size, min_samples=least, box=self.box, threads=threads, **selected)
        else:
            found = tree.clusters(self.min_cluster_size, threads=threads, **selected)
        self._points = x  # a copy, or not (`copy`)
        # What makes the same clusters, whatever parameters are set to later.
        self._asked_for = dict(selected, min_cluster_size=self.min_cluster_size, min_samples=least, box=self.box, threads=threads)
        self._edges = _finite_edges(tree) if tree is not None and self.gen_min_span_tree else None
        self.single_linkage_tree_ = SingleLinkageTree(found.linkage)
        self._weighed, self._odd = None if tree is None else weighed(tree), odd
        self._keep(found)

    def _cut(self, selected: dict[str, Any]) -> Clusters:
        """Clusters of the hierarchy that was fitted, selected in another way."""
        n, linkage, asked = len(self._points), np.asarray(self.single_linkage_tree_), self._asked_for
        found = Process(asked["threads"]).call("clusters", n, linkage, asked["min_cluster_size"], selection(**selected),
                                              self._weighed)
        return Clusters(dict(self._clusters) | found)

    def _keep(self, found: Clusters) -> None:
        self._clusters = found
        self.labels_, self.probabilities_ = found.labels.copy(), found.probabilities.copy()
        self._name_odd_rows(self.labels_, self.probabilities_)
        self.outlier_scores_, self.cluster_persistence_ = found.outlier_scores, found.persistence
        self.min_cluster_size_ = found.min_cluster_size
        self.condensed_tree_ = CondensedTree(found.condensed, self.labels_)

    def _name_odd_rows(self, labels: NDArray[np.int64], probabilities: NDArray[np.float64] | None = None) -> None:
        if np.isfinite(self._points).all():
            return
        missing = np.isnan(self._points).any(axis=1)
        labels[np.isinf(self._points).any(axis=1)] = INFINITE
        labels[missing] = MISSING
        if probabilities is not None:
            probabilities[missing] = np.nan

    @property
    def minimum_spanning_tree_(self) -> MinimumSpanningTree:
        """The tree of mutual reachability, after a fit with gen_min_span_tree=True."""
        check_is_fitted(self)
        if self._edges is None:
            raise AttributeError("there is no minimum_spanning_tree_: fit with gen_min_span_tree=True")
        return MinimumSpanningTree(self._edges, self._points)

    @property
    def exemplars_(self) -> list[NDArray[Any]]:
        """Of each cluster the points that stay longest, in each of the clusters below it that never split."""
        check_is_fitted(self)
        asked = self._asked_for
        rows = _core.exemplars(len(self._points), np.asarray(self.single_linkage_tree_), asked["min_cluster_size"],
                               selection(**{name: asked[name] for name in SELECTION}), self._weighed)
        return [self._points[of_cluster] for of_cluster in rows]

    @property
    def persistent_sizes_(self) -> PersistentSizes:
        """For which min_cluster_size, from the given one on, clusters last."""
        check_is_fitted(self)
        return sizes_of(np.asarray(self.single_linkage_tree_), self._weighed, self._asked_for["min_cluster_size"])

    @property
    def relative_validity_(self) -> float:
        """DBCV's approximation by the minimum spanning tree, to compare parameters on one set of points; -1 to 1, larger is
        better. After a fit with gen_min_span_tree=True."""
        return relative_validity(np.asarray(self.minimum_spanning_tree_), self.labels_)

    def weighted_cluster_centroid(self, cluster_id: int) -> NDArray[np.float64]:
        """The mean of a cluster's points, by their probabilities. O(points of the cluster).

        With a `box` of their images nearest to the first of the most certain points.
        """
        return self._centroid(self._members(cluster_id))

    def weighted_cluster_medoid(self, cluster_id: int) -> NDArray[Any]:
        """The point of a cluster with the least sum of distances to the others, times their probabilities.

        Exact. Distances to all are computed from a few points in two or three dimensions (of 1e5 in a plane from some 2000),
        from nearly all of them in ten; memory is that of the cluster.
        """
        return self._medoid(self._members(cluster_id))

    def _centroid(self: Any, members: NDArray[np.int64]) -> NDArray[np.float64]:
        return centroid(self._points[members], self.probabilities_[members], self._periods())

    def _medoid(self: Any, members: NDArray[np.int64]) -> NDArray[Any]:
        chosen = medoid(self._points[members], self.probabilities_[members], self._periods())
        row: NDArray[Any] = self._points[members[chosen]]
        return row

    def _periods(self: Any) -> NDArray[np.float64]:
        columns = self._points.shape[1]
        return np.zeros(columns) + (as_box(self.box, columns) or 0)

    def _store_centres(self: Any) -> None:
        n, wanted = len(self.cluster_persistence_), self.store_centers
        parts = _parts(self.labels_, n) if wanted else []
        shape = (n, self._points.shape[1])
        self._centroids = self._medoids = None
        if wanted in ("centroid", "both"):
            self._centroids = np.array([self._centroid(part) for part in parts], np.float64).reshape(shape)
        if wanted in ("medoid", "both"):
            self._medoids = np.array([self._medoid(part) for part in parts], self._points.dtype).reshape(shape)

    @property
    def centroids_(self: Any) -> NDArray[np.float64]:
        """`weighted_cluster_centroid` of each cluster, after a fit with store_centers='centroid' or 'both'."""
        check_is_fitted(self)
        if self._centroids is None:
            raise AttributeError("there are no centroids_: fit with store_centers='centroid' or 'both'")
        return self._centroids  # type: ignore[no-any-return]

    @property
    def medoids_(self: Any) -> NDArray[Any]:
        """`weighted_cluster_medoid` of each cluster, after a fit with store_centers='medoid' or 'both'."""
        check_is_fitted(self)
        if self._medoids is None:
            raise AttributeError("there are no medoids_: fit with store_centers='medoid' or 'both'")
        return self._medoids  # type: ignore[no-any-return]

    def _members(self: Any, cluster_id: int) -> NDArray[np.int64]:
        check_is_fitted(self)
        cluster_id = as_count(cluster_id, "cluster_id", MISSING)
        if cluster_id < 0:
            raise _core.InputError(f"cluster_id must be a cluster, not {cluster_id}: that is noise, which has no centre")
        members = np.flatnonzero(self.labels_ == cluster_id)
        if not len(members):
            raise _core.InputError(f"there is no cluster {cluster_id}: there are {len(self.cluster_persistence_)}, from 0 on")
        return members


def _parts(labels: NDArray[np.int64], n: int) -> list[NDArray[np.int64]]:
    """Of each label from 0 to n - 1 the rows that have it. O(N log N)."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], np.arange(n + 1)))[1:-1]


def _finite_edges(tree: SpanningTree) -> NDArray[np.float64]:
    finite = np.isfinite(tree.lengths)
    return np.column_stack([tree.edges[finite], tree.lengths[finite]])


def _with_odd_rows(tree: SpanningTree, odd: NDArray[np.bool_]) -> SpanningTree:
    """The tree of the finite rows as one of all rows: the others are infinitely far from all."""
    others = np.flatnonzero(odd)
    if not len(others):
        return tree
    rows = np.concatenate([np.flatnonzero(~odd), others])
    edges = np.concatenate([rows[tree.edges], np.column_stack([np.broadcast_to(rows[:1], len(others)), others])])
    lengths = np.concatenate([tree.lengths, np.full(len(others), np.inf, tree.lengths.dtype)])
    begin = 1 if len(others) == len(rows) else 0  # no finite row: the first of them has no edge to itself
    if tree.weights is None:
        return SpanningTree(len(rows), edges[begin:], lengths[begin:], None)
    core, weights = np.full(len(rows), np.inf, tree.lengths.dtype), np.ones(len(rows))  # whatever they weigh, they are in no cluster
    core[~odd], weights[~odd] = tree.core_distances, tree.weights
    return SpanningTree(len(rows), edges[begin:], lengths[begin:], core, weights=weights)


Model = TypeVar("Model", bound=HierarchyObjects)


def flat_clusters(model: Model, n_clusters: int, method: str | None = None) -> Model:
    """A fitted HDBSCAN with as many clusters as are wished: the same hierarchy, with another `cluster_selection_epsilon`.

    It is the largest distance that gives so many, when splits below it are undone (0 for as many as there are anyway).

    Parameters
    ----------
    model : HDBSCAN
        Fitted; it stays as it is.
    n_clusters : int
        Noise not counted.
    method : {'eom', 'leaf', 'persistent'}, optional
        Default: the model's, but 'leaf' where 'eom' has fewer clusters than that.

    Returns
    -------
    HDBSCAN
        Its parameters are those that a fit finds the same clusters with.

    Notes
    -----
    Splits of one distance are undone together, so that some numbers may be impossible: the error names those next to it.
    O(points + clusters log clusters).
    """
    if not isinstance(model, HierarchyObjects):
        raise TypeError(f"model must be a fitted zwalk.sklearn.HDBSCAN, not {type(model).__module__}.{type(model).__name__}")
    check_is_fitted(model)
    wanted = as_count(n_clusters, "n_clusters")
    if method is not None:
        selection(method)  # refuses others
    new: Any = copy.copy(model)
    if method is not None:
        new.cluster_selection_method = method
    epsilon = _epsilon_for(new, wanted)
    if epsilon is None and method is None and new.cluster_selection_method == "eom":
        new.cluster_selection_method = "leaf"
        epsilon = _epsilon_for(new, wanted)
    if epsilon is None:
        most = len(new._cut(new._selection()).persistence)
        raise _core.InputError(f"there are at most {most} clusters, those of the method {new.cluster_selection_method!r}, not "
                               f"{wanted}: a smaller min_cluster_size has more")
    new.cluster_selection_epsilon = epsilon
    selected = new._selection()
    new._keep(new._cut(selected))
    new._store_centres()
    new._asked_for, new._model = new._asked_for | selected, None
    if getattr(model, "_model", None) is not None:
        new.generate_prediction_data()
    return new  # type: ignore[no-any-return]


def _epsilon_for(model: Any, wanted: int) -> float | None:
    """The epsilon that gives so many clusters; None if there aren't as many at all."""
    model.cluster_selection_epsilon = 0.0
    selected = model._selection()
    found = model._cut(selected)
    tree = found.condensed
    take = labelled(tree, found.labels)

    def count(epsilon: float) -> int:
        return len(np.unique(around_at(tree, epsilon, selected["allow_single_cluster"])[take]))

    if len(take) <= wanted:
        return 0.0 if len(take) == wanted else None
    distances = np.unique(born_at(tree))  # the larger epsilon, the fewer clusters
    distances = np.append(distances, np.nextafter(distances[-1], np.inf))  # which undoes all splits
    limit = model.cluster_selection_epsilon_max
    limited = limit < distances[-1]
    distances = np.append(0.0, distances[distances <= limit]) if limited else distances
    last, end = 0, len(distances)  # count at last is >= wanted, that at end smaller
    while end - last > 1:
        middle = (last + end) // 2
        last, end = (middle, end) if count(distances[middle]) >= wanted else (last, middle)
    found = count(distances[last])
    if found == wanted:
        return float(distances[last])
    if end == len(distances) and limited:
        raise _core.InputError(f"n_clusters must be at least {found}, not {wanted}: fewer take a larger cluster_selection_epsilon than "
                               f"cluster_selection_epsilon_max, which is {limit:g}")
    if end == len(distances):
        raise _core.InputError(f"n_clusters must be at least {found}, not {wanted}: with allow_single_cluster=True all points may "
                               "be one")
    raise _core.InputError(f"n_clusters must be {count(distances[end])} or {found}, not {wanted}: splits at one distance make "
                           "these")
