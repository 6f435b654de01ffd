"""DBSCAN of points with weights."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._groups import Dbscan, fof
from ._lists import parts
from ._space import counts_within, lists_of
from ._tree import KDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._points import Box


def weighted_dbscan(x: NDArray[Any], eps: float, least: float, w: NDArray[np.float64], box: Box, threads: int | None) -> Dbscan:
    """As `dbscan`, where core points have neighbours, themselves included, whose weights sum to `least`."""
    tree = KDTree(x, boxsize=box, threads=threads)
    core = _core_points(tree, x, eps, least, w)
    labels = np.full(len(x), -1, np.int64)
    rows = np.flatnonzero(core)
    if len(rows):
        groups = fof(x[rows], eps, box=box, threads=threads)
        labels[rows] = rows[groups.labels]  # the cluster's first core point
        others = np.flatnonzero(~core)
        found = KDTree(x[rows], boxsize=box, threads=threads).query(x[others], 1)
        near = found[0] <= x.dtype.type(eps)
        labels[others[near]] = labels[rows[found[1][near]]]
    clusters, first, of = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(np.where(clusters < 0, -1, first), kind="stable")  # noise, then by first points
    number = np.empty(len(clusters), np.int64)
    number[order] = np.arange(len(clusters)) - bool((clusters < 0).any())
    return Dbscan(number[of.reshape(-1)], core, int((clusters >= 0).sum()))


def _core_points(tree: KDTree, x: NDArray[Any], eps: float, least: float, w: NDArray[np.float64]) -> NDArray[np.bool_]:
    counts = counts_within(tree._index, x, eps)
    sure = 1e-9  # beyond what sums are rounded by
    core: NDArray[np.bool_] = counts * w.min() >= least * (1 + sure)
    open_ = np.flatnonzero(~core & (counts * w.max() >= least * (1 - sure)))  # for the others their number is enough
    for begin, end in parts(tree, counts[open_], len(open_)):
        some = open_[begin:end]
        offsets, indices, _ = lists_of(tree._index, x[some], eps, False)
        core[some] = np.add.reduceat(w[indices], offsets[:-1]) >= least  # no row is empty: each finds itself
    return core
