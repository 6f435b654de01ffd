"""Two trees at once: pair counts and sparse distance matrices."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._lists import counts_if_many, parts
from ._memory import SharedInts, check_memory
from ._place import THREADS
from ._space import counts_within, lists_of, longest, radius_of, reach, wrapped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._tree import KDTree

# Bytes of an entry and of what it is made from, as measured. A dict has a tuple and a float for each, and room to grow.
_MATRIX_BYTES = {"dok_matrix": 420, "coo_matrix": 48, "dict": 260, "ndarray": 48}
_PAIR_BYTES = {"set": 240, "ndarray": 48}


def query_pairs(tree: KDTree, radius: float, output_type: str) -> Any:
    """Pairs (i, j > i) of a tree's points within a radius."""
    bytes_ = _PAIR_BYTES[output_type]
    counts = counts_if_many(tree, tree.data, radius)
    if counts is not None:
        entries = (int(counts.sum()) - tree.n) // 2
        check_memory(entries * bytes_, f"{entries} pairs", "count_neighbors counts without listing, a smaller radius needs less",
                     tree._limits[1])
    pairs = tree._index.pairs_within(radius)
    if output_type == "ndarray":
        return pairs
    ints = SharedInts(tree.n)
    found: set[tuple[int, int]] = set()
    for begin in range(0, len(pairs), 2**20):
        some = pairs[begin:begin + 2**20]
        found.update(zip(ints(some[:, 0]), ints(some[:, 1])))
    return found


def distance_matrix(tree: KDTree, other: KDTree, max_distance: float, output_type: str) -> Any:
    """Distances of the points of two trees, in SciPy's kinds of sparse matrices."""
    points = wrapped(other, tree.data)
    max_distance = radius_of(other, max_distance, points, "max_distance")
    counts = counts_if_many(other, points, max_distance)
    if counts is not None:
        entries = int(counts.sum())
        check_memory(entries * _MATRIX_BYTES[output_type], f"{entries} distances", "a smaller max_distance needs less",
                     tree._limits[1])
    if output_type == "dict":
        found: dict[tuple[int, int], float] = {}
        ours, theirs = SharedInts(tree.n), SharedInts(other.n)
        for begin, end in parts(other, counts, tree.n):
            offsets, j, v = lists_of(other._index, points[begin:end], max_distance, True)
            found.update(zip(zip(ours(_rows_of(offsets, begin)), theirs(j)), v.tolist()))
        return found
    offsets, j, v = lists_of(other._index, points, max_distance, True)
    i = _rows_of(offsets)
    if output_type == "ndarray":
        records = np.empty(len(v), [("i", np.intp), ("j", np.intp), ("v", tree.dtype)])
        records["i"], records["j"], records["v"] = i, j, v
        return records
    from scipy.sparse import coo_matrix

    matrix = coo_matrix((v, (i, j)), shape=(tree.n, other.n))
    return matrix if output_type == "coo_matrix" else matrix.todok()


def _rows_of(offsets: NDArray[np.int64], first: int = 0) -> NDArray[np.int64]:
    return np.repeat(np.arange(first, first + len(offsets) - 1), np.diff(offsets))


def count_pairs(tree: KDTree, other: KDTree, radii: NDArray[np.float64], w: NDArray[np.float64] | None,
                w_other: NDArray[np.float64] | None) -> NDArray[Any]:
    """Pairs within each radius, or the sums of their weights."""
    weighted = w is not None or w_other is not None
    dtype = np.float64 if weighted else np.int64
    ours, theirs = wrapped(other, tree.data), other.data
    # The bins of pair counts hold no pairs at distance 0.
    at_zero = counts_within(other._index, ours, 0.0)
    together = _weight_at_zero(other, ours, theirs, w, w_other, at_zero) if weighted else at_zero.sum()
    # Edges must ascend in the precision of the points, whatever the radii.
    most = reach(other, ours) if (radii > longest(other)).any() else np.inf
    rounded = np.where(radii < most, np.maximum(radii, 0), most).astype(tree.dtype)
    edges = np.unique(np.append(rounded, 0))
    if len(edges) > 1 and tree.n and other.n:
        counts, sums = _core.pairs(ours, theirs, edges.tolist(), 0, [], -1, w, w_other, tree._index.box,
                                   _core.Here(tree._limits[0], 0, THREADS))
        total = np.append(0, np.cumsum(sums if weighted else counts)).astype(dtype)
    else:
        total = np.zeros(len(edges), dtype)
    found = total[np.searchsorted(edges, rounded)] + dtype(together)
    return np.where(radii < 0, dtype(0), found)


def _weight_at_zero(other: KDTree, ours: NDArray[Any], theirs: NDArray[Any], w: NDArray[np.float64] | None,
                    w_other: NDArray[np.float64] | None, counts: NDArray[np.int64]) -> float:
    """The sum of products of weights over pairs at distance 0."""
    index = other._index
    w = np.ones(len(ours)) if w is None else w
    w_other = np.ones(len(theirs)) if w_other is None else w_other
    if counts.sum() > 4 * (len(ours) + len(theirs)):  # copies of points: one stands for all, with their weights
        (ours, w), (theirs, w_other) = _without_copies(ours, w), _without_copies(theirs, w_other)
        index = type(index).build(theirs, index.box, *other._limits)
        counts = counts_within(index, ours, 0.0)
    total = 0.0
    for begin, end in parts(other, counts, len(ours)):
        offsets, j, _ = lists_of(index, ours[begin:end], 0.0, False)
        total += float((w[_rows_of(offsets, begin)] * w_other[j]).sum())
    return total


def _without_copies(x: NDArray[Any], w: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Each point once, with the sum of the weights at its place."""
    each, of = np.unique(x, axis=0, return_inverse=True)
    sums = np.zeros(len(each))
    np.add.at(sums, of.reshape(-1), w)
    return each, sums
