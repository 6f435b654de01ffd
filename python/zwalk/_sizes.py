"""Which least sizes clusters of HDBSCAN* last for."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._hierarchy import Clusters, SpanningTree, Weighed, weighed
from ._points import as_count
from ._trees import SingleLinkageTree

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class LeafClusters(NamedTuple):
    """Clusters that never split in the condensed tree of each min_cluster_size above `above`, up to `last`.

    node: of each its id in the linkage. persistence: last - above, but no sizes count that are smaller than the least one looked at.
    """

    node: NDArray[np.int64]
    above: NDArray[np.float64]
    last: NDArray[np.float64]
    persistence: NDArray[np.float64]


class PersistentSizes(NamedTuple):
    """Leaf clusters for every min_cluster_size at once, and how persistent they are together.

    sizes: ascending; from each one up to the one before the next, the leaf clusters are the same, and from the last one on there are
    none. persistence: of each of these, the sum over its leaf clusters. best: the size where that is largest; of several the smallest.
    peaks: all sizes where it is larger than at the next smaller and larger ones. leaves: the clusters.
    """

    sizes: NDArray[np.int64]
    persistence: NDArray[np.float64]
    best: int
    peaks: NDArray[np.int64]
    leaves: LeafClusters


def persistent_sizes(tree: SpanningTree | Clusters | SingleLinkageTree | ArrayLike, least: int = 5) -> PersistentSizes:
    """For which min_cluster_size clusters of HDBSCAN* last: PLSCAN (Bot, McInnes and Aerts 2025, arXiv:2512.16558), by size.

    A part of the hierarchy is a leaf cluster for those sizes that it has, and that what it parts from has, but that none of two parts
    inside it has both. The length of that interval is its persistence.

    Parameters
    ----------
    tree : SpanningTree, Clusters, SingleLinkageTree or array_like of shape (N - 1, 4)
        Whose hierarchy; an array is SciPy's linkage.
    least : int
        >= 2. Smaller sizes aren't looked at.

    Returns
    -------
    PersistentSizes
        ``.sizes``, ``.persistence``, ``.best``, ``.peaks``, ``.leaves``

    Notes
    -----
    ``hdbscan(points, least, method="persistent")`` has the clusters at the best size; `SpanningTree.clusters(size, method="leaf")`
    those at any other. O(N).

    Examples
    --------
    >>> import zwalk
    >>> tree = zwalk.minimum_spanning_tree([[0.], [1.], [2.5], [4.], [20.], [21.5], [23.]])
    >>> zwalk.persistent_sizes(tree, 2).best
    2
    """
    return sizes_of(*_hierarchy_of(tree), least)


def sizes_of(linkage: NDArray[np.float64], weights: Weighed, least: int) -> PersistentSizes:
    """Of a table, and of what points weigh in it."""
    sizes, persistence, best, peaks, *leaves = _core.persistent_sizes(len(linkage) + 1, linkage, as_count(least, "least", 2), weights)
    return PersistentSizes(sizes, persistence, best, peaks, LeafClusters(*leaves))


def _hierarchy_of(tree: Any) -> tuple[NDArray[np.float64], Weighed]:
    if isinstance(tree, SpanningTree):
        return tree.linkage(), weighed(tree)
    weights: Weighed = None
    if isinstance(tree, Clusters):
        if tree.linkage is None:
            raise _core.InputError("this is one rank's part of the clusters: rank 0 has their hierarchy")
        weights, tree = weighed(tree), tree.linkage
    linkage = np.ascontiguousarray(tree, np.float64)
    if linkage.ndim != 2 or linkage.shape[1] != 4:
        raise _core.InputError(f"a linkage has the shape (N - 1, 4), not {linkage.shape}")
    return linkage, weights
