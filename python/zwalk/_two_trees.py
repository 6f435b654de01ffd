"""Two trees at once: pair counts and sparse distance matrices."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _memory
from ._lists import counts_if_many, parts
from ._memory import check_memory
from ._points import as_weights, warn_of_images
from ._space import counts_within, farthest, lists_of, longest, radius_of, reach, wrapped

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._tree import KDTree

# Bytes of an entry and of what it is made from, as measured. A dict has a tuple and a float for each, and room to grow.
_MATRIX_BYTES = {"dok_matrix": 420, "dok_array": 420, "coo_matrix": 48, "coo_array": 48, "dict": 260, "ndarray": 48}
_PAIR_BYTES = {"set": 240, "ndarray": 48}


def query_pairs(tree: KDTree, radius: float, output_type: str) -> Any:
    """Pairs (i, j > i) of a tree's points within a radius."""
    bytes_, budget = _PAIR_BYTES[output_type], tree._limits[1]
    pairs = tree._index.pairs_within(radius, min(_memory.SMALL, budget or _memory.SMALL) // bytes_)
    if pairs is None:  # there are more than need no question; counting takes half as long as finding
        entries = (int(counts_within(tree._index, None, radius).sum()) - tree.n) // 2
        check_memory(entries * bytes_, f"{entries} pairs", "count_neighbors counts without listing, a smaller radius needs less",
                     budget)
        pairs = tree._index.pairs_within(radius, entries)
    return pairs if output_type == "ndarray" else _core.set_of_pairs(pairs, tree.n)


def distance_matrix(tree: KDTree, other: KDTree, max_distance: float, output_type: str) -> Any:
    """Distances of the points of two trees, in SciPy's kinds of sparse matrices."""
    own = tree is other
    swapped = other.n < tree.n  # the points of the smaller tree are searched for in the larger one
    asking, asked = (other, tree) if swapped else (tree, other)
    points: Any = None if own else wrapped(asked, asking._points())
    max_distance = radius_of(asked, max_distance, points, "max_distance")
    counts = counts_if_many(asked, points, max_distance)
    if counts is not None:
        entries = int(counts.sum())
        check_memory(entries * _MATRIX_BYTES[output_type], f"{entries} distances", "a smaller max_distance needs less",
                     tree._limits[1])
    if output_type == "dict":
        found: dict[tuple[int, int], float] = {}
        asking_ints, asked_ints = _core.SharedInts(asking.n), _core.SharedInts(asked.n)
        several = list(parts(asked, counts, asking.n))
        if own and len(several) > 1:
            points = wrapped(asked, asking._points())
        for begin, end in several:
            offsets, j, v = lists_of(asked._index, None if points is None else points[begin:end], max_distance, True)
            both = asking_ints, _rows_of(offsets, begin), asked_ints, j
            _core.put_pairs(found, *(both[2:] + both[:2] if swapped else both), v)
        return found
    offsets, j, v = lists_of(asked._index, points, max_distance, True)
    i = _rows_of(offsets)
    if swapped:  # in the order that they have otherwise: of each point of this tree the nearest first
        order = np.lexsort((i, v, j))
        i, j, v = j[order], i[order], v[order]
    if output_type == "ndarray":
        records = np.empty(len(v), [("i", np.intp), ("j", np.intp), ("v", tree.dtype)])
        records["i"], records["j"], records["v"] = i, j, v
        return records
    from scipy.sparse import coo_array, coo_matrix

    kind = coo_array if output_type.endswith("array") else coo_matrix
    matrix = kind((v, (i, j)), shape=(tree.n, other.n))
    return matrix if output_type.startswith("coo") else matrix.todok()


def _rows_of(offsets: NDArray[np.int64], first: int = 0) -> NDArray[np.int64]:
    return np.repeat(np.arange(first, first + len(offsets) - 1), np.diff(offsets))


def count_neighbors(tree: KDTree, other: KDTree, r: ArrayLike, weights: Any, cumulative: bool) -> Any:
    """Pairs of the points of two trees within each distance of r, or (not cumulative) from the one before it to that one."""
    if weights is None and isinstance(r, (float, int)) and 0 <= r <= min(tree._half_period, longest(tree)):
        return _count_within(tree, other, float(r))
    radii = np.asarray(r, np.float64)
    if radii.ndim > 1:
        raise _core.InputError("r must be a number or numbers along one axis")
    if np.isnan(radii).any():
        raise _core.InputError("r must not be NaN")
    flat = radii.reshape(-1)
    if not cumulative and (np.diff(flat) < 0).any():
        raise _core.InputError("r must not descend where counts aren't cumulative")
    pair = weights if isinstance(weights, tuple) else (weights, weights)
    if len(pair) != 2:
        raise _core.InputError("weights must be one array or two")
    w = as_weights(pair[0], "weights", tree.n), as_weights(pair[1], "weights of the other tree", other.n)
    warn_of_images(float(np.max(flat, where=flat < np.inf, initial=0)), tree._box, "r")
    counts = _count_pairs(tree, other, flat, *w)
    if not cumulative:
        counts = np.diff(counts, prepend=counts.dtype.type(0))
    return counts.reshape(radii.shape) if radii.ndim else counts[0].item()


def _count_within(tree: KDTree, other: KDTree, radius: float) -> int:
    """Pairs within one radius, which is as it should be: as `_count_pairs` without NumPy, which takes longer than to count few."""
    if tree.n < other.n:
        tree, other = other, tree
    if radius >= farthest(tree, other):
        return tree.n * other.n
    theirs = None if tree is other else wrapped(tree, other._points())
    together, rounded = _pairs_at_zero(tree, theirs), float(tree.dtype.type(radius))
    if rounded > 0 and other.n:
        counts, _ = tree._index.pairs(theirs, [0.0, rounded], 0, [], -1, None, None, [])
        together += int(counts[0])
    return together


def _count_pairs(tree: KDTree, other: KDTree, radii: NDArray[np.float64], w: NDArray[np.float64] | None,
                 w_other: NDArray[np.float64] | None) -> NDArray[Any]:
    """Pairs within each radius, or the sums of their weights."""
    if tree.n < other.n:  # the larger one has its order already
        tree, other, w, w_other = other, tree, w_other, w
    weighted = w is not None or w_other is not None
    if not weighted and len(radii) and radii.min() >= farthest(tree, other):
        return np.full(len(radii), tree.n * other.n)
    dtype = np.float64 if weighted else np.int64
    if tree is other and (w is w_other or (w is not None and w_other is not None and np.array_equal(w, w_other))):
        theirs = None
    else:
        theirs = wrapped(tree, other._points())
    # The bins of pair counts hold no pairs at distance 0.
    together = _weight_at_zero(tree, theirs, w, w_other) if weighted else _pairs_at_zero(tree, theirs)
    # Edges must ascend in the precision of the points, whatever the radii.
    most = reach(tree, theirs) if (radii > longest(tree)).any() else np.inf
    rounded = np.where(radii < most, np.maximum(radii, 0), most).astype(tree.dtype)
    edges = np.unique(np.append(rounded, 0))
    if len(edges) > 1 and other.n:
        counts, sums = tree._index.pairs(theirs, edges.tolist(), 0, [], -1, w, None if theirs is None else w_other, [])
        total = np.append(0, np.cumsum(sums if weighted else counts)).astype(dtype)
    else:
        total = np.zeros(len(edges), dtype)
    found = total[np.searchsorted(edges, rounded)] + dtype(together)
    return np.where(radii < 0, dtype(0), found)


def _pairs_at_zero(tree: KDTree, theirs: NDArray[Any] | None) -> int:
    """Pairs at distance 0 of a tree's points and others; None: and its own, of which it remembers them, since they take longer
    than pairs at large distances."""
    if theirs is not None:
        return int(counts_within(tree._index, theirs, 0.0).sum())
    if tree._own_at_zero is None:
        tree._own_at_zero = int(counts_within(tree._index, tree._points(), 0.0).sum())
    return tree._own_at_zero


def _weight_at_zero(tree: KDTree, theirs: NDArray[Any] | None, w: NDArray[np.float64] | None,
                    w_theirs: NDArray[np.float64] | None) -> float:
    """The sum of products of weights over those pairs."""
    ours, index = tree._points(), tree._index
    if theirs is None:
        theirs, w_theirs = ours, w
    w = np.ones(len(ours)) if w is None else w
    w_theirs = np.ones(len(theirs)) if w_theirs is None else w_theirs
    counts = counts_within(index, theirs, 0.0)
    if counts.sum() > 4 * (len(ours) + len(theirs)):  # copies of points: one stands for all, with their weights
        (ours, w), (theirs, w_theirs) = _without_copies(ours, w), _without_copies(theirs, w_theirs)
        index = type(index).build(ours, tree._box, *tree._limits)
        counts = counts_within(index, theirs, 0.0)
    total = 0.0
    for begin, end in parts(tree, counts, len(theirs)):
        offsets, j, _ = lists_of(index, theirs[begin:end], 0.0, False)
        total += float((w_theirs[_rows_of(offsets, begin)] * w[j]).sum())
    return total


def _without_copies(x: NDArray[Any], w: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Each point once, with the sum of the weights at its place."""
    each, of = np.unique(x, axis=0, return_inverse=True)
    sums = np.zeros(len(each))
    np.add.at(sums, of.reshape(-1), w)
    return each, sums
