"""Minimum spanning trees and HDBSCAN*."""
from __future__ import annotations

import numpy as np

from . import _core
from ._points import as_array, as_box, as_count, as_number, as_threads


class SpanningTree:
    """Edges of a minimum spanning tree, shortest first.

    Attributes
    ----------
    n : int
        Points.
    edges : numpy.ndarray of int64, shape (N - 1, 2)
    lengths : numpy.ndarray, shape (N - 1,), in the precision of the points
    core_distances : numpy.ndarray, shape (N,), or None for min_samples = 1
    """

    def __init__(self, n, edges, lengths, core_distances):
        self.n, self.edges, self.lengths, self.core_distances = n, edges, lengths, core_distances
        self._linkage = None

    def __repr__(self):
        return f"<zwalk.SpanningTree of {self.n} points, length {self.lengths.sum(dtype=float):g}>"

    def linkage(self):
        """Single linkage, shape (N - 1, 4): the Z of scipy.cluster.hierarchy. Computed once."""
        if self._linkage is None:
            self._linkage = _core.single_linkage(self.n, self.edges, self.lengths)
        return self._linkage

    def clusters(self, min_cluster_size=5, *, method="eom", epsilon=0.0, max_cluster_size=None,
                 allow_single_cluster=False, threads=None):
        """HDBSCAN* clusters of this tree: as `hdbscan` with the tree's min_samples, without looking for it again."""
        found = _core.clusters(self.n, self.linkage(), as_count(min_cluster_size, "min_cluster_size", 2),
                               _selection(method, epsilon, max_cluster_size, allow_single_cluster),
                               as_threads(threads))
        return found | {"linkage": self.linkage(), "core_distances": self.core_distances}

    def clusters_at(self, distance, min_cluster_size=5):
        """DBSCAN*: labels of the clusters at one distance; -1: noise."""
        return _core.clusters_at(self.n, self.linkage(), as_number(distance, "distance"),
                                 as_count(min_cluster_size, "min_cluster_size"))

    def to_sparse(self):
        """As scipy.sparse.csgraph.minimum_spanning_tree has it. (Edges of length 0 vanish in many of its
        functions.)"""
        from scipy.sparse import coo_array

        return coo_array((self.lengths, self.edges.T), shape=(self.n, self.n)).tocsr()


def minimum_spanning_tree(points, *, min_samples=1, box=None, threads=None):
    """The Euclidean minimum spanning tree, or (min_samples > 1) that of mutual reachability, exactly.

    Parameters
    ----------
    points : array_like, shape (N, D)
        float32 or float64, worked on in that precision.
    min_samples : int
        m > 1: the distance of two points is the largest of their distance and their core distances, those to the m-th
        neighbour, the point itself counted.
    box, threads
        As in `knn`.

    Returns
    -------
    SpanningTree

    Examples
    --------
    >>> import zwalk
    >>> tree = zwalk.minimum_spanning_tree([[0.], [5.], [1.]])
    >>> tree.edges
    array([[0, 2],
           [1, 2]])
    """
    p = as_array(points, "points")
    edges, lengths, core = _core.emst(p, as_count(min_samples, "min_samples"), as_box(box, p.shape[1]),
                                      as_threads(threads))
    return SpanningTree(len(p), edges, lengths, core)


def hdbscan(points, min_cluster_size=5, *, min_samples=None, method="eom", epsilon=0.0, max_cluster_size=None,
            allow_single_cluster=False, box=None, threads=None):
    """HDBSCAN* clusters.

    Parameters
    ----------
    points, box, threads
        As in `minimum_spanning_tree`.
    min_cluster_size : int
        >= 2. Smaller branches of the hierarchy are no clusters.
    min_samples : int, optional
        Counts the point itself, as in scikit-learn (the hdbscan package's is one less). Default: min_cluster_size.
    method : {'eom', 'leaf'}
    epsilon : float
        Splits at smaller distances are undone.
    max_cluster_size : int, optional
    allow_single_cluster : bool

    Returns
    -------
    dict of numpy.ndarray
        labels (-1: noise), probabilities, outlier_scores, persistence (of each cluster), core_distances, linkage (as
        scipy.cluster.hierarchy has it), condensed (a dict of columns as the hdbscan package has them).

    Notes
    -----
    Edges of equal length, of which mutual reachability has many, are one event: no order of the points, and no choice
    between minimum spanning trees, changes a cluster. Other implementations take them one by one, and differ by some
    points, from this one as among themselves.

    Examples
    --------
    >>> import zwalk
    >>> found = zwalk.hdbscan([[0.], [1.], [2.5], [20.], [21.5], [22.5]], 3, min_samples=1)
    >>> found["labels"]
    array([0, 0, 0, 1, 1, 1])
    """
    p = as_array(points, "points")
    least = 0 if min_samples is None else as_count(min_samples, "min_samples")
    return _core.hdbscan(p, as_count(min_cluster_size, "min_cluster_size", 2), least,
                         _selection(method, epsilon, max_cluster_size, allow_single_cluster),
                         as_box(box, p.shape[1]), as_threads(threads))


def _selection(method, epsilon, max_cluster_size, allow_single_cluster):
    if method not in ("eom", "leaf"):
        raise _core.InputError(f"method must be 'eom' or 'leaf', not {method!r}")
    most = 0 if max_cluster_size is None else as_count(max_cluster_size, "max_cluster_size")
    return method == "leaf", as_number(epsilon, "epsilon"), most, bool(allow_single_cluster)
