"""How good density-based clusters are: DBCV (Moulavi et al. 2014, SDM), and its approximation by a spanning tree."""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from . import _core
from ._hierarchy import minimum_spanning_tree
from ._points import as_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

_CHUNK = 1 << 22  # distances at a time


def relative_validity(edges: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """DBCV by edges of the whole set's tree (from, to, length), as the hdbscan package has it. O(N).

    A cluster is as sparse as its longest edge, and as far from others as the shortest edge to one. Where no edge leads from
    it to another, that is twice the longest edge of all; of a single cluster twice the shortest one to noise, if there is any.
    """
    ends, length = edges[:, :2].astype(np.int64), edges[:, 2]
    a, b = labels[ends].T
    sizes = np.bincount(labels[labels >= 0])
    n = len(sizes)
    longest = length.max(initial=0)
    sparse, apart = np.zeros(n), np.full(n, np.inf)
    within = (a == b) & (a >= 0)
    np.maximum.at(sparse, a[within], length[within])
    between = (a != b) & (a >= 0) & (b >= 0)
    for ends_of in (a, b):
        np.minimum.at(apart, ends_of[between], length[between])
    to_noise = length[(a < 0) != (b < 0)]
    far = 2 * (longest if n > 1 else to_noise.min(initial=longest))
    apart[np.isinf(apart)] = far
    return float(sizes @ _validity(apart, sparse) / len(labels))


def validity_index(X: ArrayLike, labels: ArrayLike, metric: str = "euclidean", *, per_cluster_scores: bool = False,
                   mst_raw_dist: bool = False) -> float | tuple[float, NDArray[np.float64]]:
    """DBCV, the density-based validity of any clusters: from -1 to 1, larger is better.

    Parameters
    ----------
    X : array_like, shape (N, D)
        In open space; there are no periods.
    labels : array_like of int, shape (N,)
        Of each point its cluster, from 0; negative: noise, which counts as badly clustered.
    metric : {'euclidean'}
    per_cluster_scores : bool
        Also return the validity of each cluster, by its label; NaN for labels that no point has.
    mst_raw_dist : bool
        Take distances as they are, not the larger of them and both points' core distances.

    Returns
    -------
    float, or (float, numpy.ndarray of float64)
        NaN for a single cluster, which has nothing to be apart from.

    Notes
    -----
    A core distance is by definition a mean over all of a cluster's points (of d ** -D, to the power -1 / D). So each cluster
    takes time as the square of its points, and so do all of them together, for the distances between them; memory is O(N).
    Distances of 0 don't count in it, and edges of equal length lead to the first of the points, as in the hdbscan package.
    """
    if metric != "euclidean":
        raise _core.InputError(f"metric must be 'euclidean', not {metric!r}")
    x = as_array(X, "X").astype(np.float64)
    label = np.asarray(labels)
    if label.shape != (len(x),) or label.dtype.kind not in "iu":
        raise _core.InputError(f"labels must be {len(x)} integers, not {label.dtype} of the shape {label.shape}")
    odd = np.flatnonzero((label >= 0) & ~np.isfinite(x).all(axis=1))
    if len(odd):
        raise _core.InputError(f"X contains NaN or inf in row {odd[0]}, which is in a cluster: label it -1")
    n = int(label.max(initial=-1)) + 1
    sizes = np.bincount(label[label >= 0], minlength=n)
    has = np.flatnonzero(sizes)
    clusters = {k: _cluster(x[label == k], mst_raw_dist) for k in has}
    sparse, apart = np.zeros(n), np.full(n, np.inf)
    for i in has:
        sparse[i] = clusters[i].sparse
        for j in has[has > i]:
            apart[[i, j]] = np.minimum(apart[[i, j]], _separation(clusters[i], clusters[j]))
    scores = _validity(apart, sparse)  # of labels without points NaN
    total = float(sizes[has] @ scores[has] / max(len(x), 1))
    return (total, scores) if per_cluster_scores else total


class _Cluster(NamedTuple):
    """The points at which its tree branches or goes on, their core distances, and its longest edge between these."""

    inner: NDArray[np.float64]
    core: NDArray[np.float64]
    sparse: float


def _cluster(x: NDArray[np.float64], raw: bool) -> _Cluster:
    core = np.zeros(len(x)) if raw else core_distances(x)
    if raw:
        tree = minimum_spanning_tree(x)
        ends, lengths = tree.edges, tree.lengths
    else:
        ends, lengths = _tree(x, core)
    inner = np.bincount(ends.reshape(-1), minlength=len(x)) > 1
    between = inner[ends].all(axis=1)
    longest = lengths[between].max() if between.any() else lengths.max(initial=0)
    if not inner.any():
        inner[0] = True
    return _Cluster(x[inner], core[inner], float(longest))


def core_distances(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The all-points core distance of each of a cluster's points: a mean of its distances to the others. O(N^2 D)."""
    core, dim = np.zeros(len(x)), x.shape[1]
    for begin, d in _rows_of_distances(x):
        d[d == 0] = np.inf  # itself and copies
        least = d.min(axis=1, initial=np.inf)
        some = np.isfinite(least)
        mean = ((least[some, None] / d[some]) ** dim).sum(axis=1) / (len(x) - 1)  # no power overflows
        core[begin + np.flatnonzero(some)] = least[some] * mean ** (-1 / dim)
    return core


def _rows_of_distances(x: NDArray[np.float64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """(first row, distances of rows from it on to all)"""
    step = max(1, _CHUNK // max(len(x), 1))
    for begin in range(0, len(x), step):
        yield begin, cdist(x[begin:begin + step], x)


def _tree(x: NDArray[np.float64], core: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Prim's tree of the larger of distances and core distances; `minimum_spanning_tree` takes no core distances like these."""
    n = len(x)
    near, outside = np.full(n, np.inf), np.ones(n, bool)
    ends, lengths = np.empty((max(n - 1, 0), 2), np.int64), np.empty(max(n - 1, 0))
    new = 0
    for row in range(n):
        d = np.maximum(np.maximum(cdist(x[new:new + 1], x)[0], core), core[new])
        if row > 0:
            lengths[row - 1] = near[new]
            ends[row - 1] = np.argmax(~outside & (d == near[new])), new
        outside[new] = False
        near = np.where(outside, np.minimum(near, d), np.inf)
        new = int(np.argmin(near))
    return ends, lengths


def _separation(a: _Cluster, b: _Cluster) -> float:
    """The least of the larger of distances and core distances between inner points."""
    least, step = np.inf, max(1, _CHUNK // len(b.inner))
    for begin in range(0, len(a.inner), step):
        part = slice(begin, begin + step)
        d = np.maximum(np.maximum(cdist(a.inner[part], b.inner), a.core[part, None]), b.core)
        least = min(least, float(d.min()))
    return least


def _validity(apart: NDArray[np.float64], sparse: NDArray[np.float64]) -> NDArray[np.float64]:
    """(apart - sparse) / the larger one; NaN for infinity, 0 for zeros."""
    scale = np.maximum(apart, sparse)
    out = np.zeros(len(scale))
    with np.errstate(invalid="ignore"):
        return np.divide(apart - sparse, scale, out=out, where=scale > 0)
