"""Lists of what is within a radius, as SciPy has them, in parts: what a tree's arrays and Python's lists need is never there twice."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._memory import LIST, SharedInts, check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._tree import KDTree

_ENTRIES = 2**21  # of the lists that are made at a time, where no budget is smaller
_REMEDY = "return_length=True counts without listing, zwalk.radius makes arrays, fewer points at a time need less"


def _entries(tree: KDTree) -> int:
    """Of a part: its arrays have 16 bytes for each from the library, and about as many again while they are sorted."""
    budget = tree._limits[1]
    return min(_ENTRIES, budget // 64) if budget else _ENTRIES


def parts(tree: KDTree, counts: NDArray[np.int64] | None, rows: int) -> Iterator[tuple[int, int]]:
    """From where to where rows go that have few entries together, or one row that has more; None: all at once."""
    if counts is None:
        yield 0, rows
        return
    ends = np.cumsum(counts)
    begin = 0
    while begin < rows:
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _entries(tree), "right")))
        yield begin, end
        begin = end


def counts_if_many(tree: KDTree, rows: NDArray[Any], radius: float) -> NDArray[np.int64] | None:
    """How many each row will find, unless they are few even if all rows find all points."""
    if len(rows) * tree.n <= _entries(tree):
        return None
    counts: NDArray[np.int64] = tree._index.radius_count(rows, radius)
    return counts


def _bytes(ints: SharedInts, entries: int, rows: int) -> int:
    return ints.bytes_for(entries) + rows * LIST


def lists_within(tree: KDTree, rows: NDArray[Any], radius: float, by_index: bool) -> NDArray[Any]:
    """One list for each row; by index, or the nearest first."""
    lists, ints = np.empty(len(rows), object), SharedInts(tree.n)
    counts = counts_if_many(tree, rows, radius)
    if counts is not None:
        entries = int(counts.sum())
        check_memory(_bytes(ints, entries, len(rows)), f"{len(rows)} lists with {entries} entries in all", _REMEDY, tree._limits[1])
    for begin, end in parts(tree, counts, len(rows)):
        offsets, indices, _ = tree._index.radius(rows[begin:end], radius, False)
        _put(lists, range(begin, end), offsets, indices, ints, by_index)
    return lists


def _put(lists: NDArray[Any], where: Any, offsets: NDArray[np.int64], indices: NDArray[np.int64], ints: SharedInts,
         by_index: bool) -> None:
    if by_index:
        indices = indices + np.repeat(np.arange(len(offsets) - 1) * ints.n, np.diff(offsets))
        indices.sort()  # far faster than lexsort
        np.remainder(indices, max(ints.n, 1), out=indices)
    flat, ends = ints(indices), offsets.tolist()
    for at, begin, end in zip(where, ends, ends[1:]):
        lists[at] = flat[begin:end]


# --- a radius for each row ------------------------------------------------------------------------------------------


def _groups(radii: NDArray[np.float64], dim: int) -> Iterator[tuple[NDArray[np.intp], float, float]]:
    """Rows whose radii are alike, the least radius of these, and the largest: at most twice the volume is searched."""
    order = np.argsort(radii, kind="stable")
    ascending = radii[order]
    begin = 0
    while begin < len(order):
        end = int(np.searchsorted(ascending, ascending[begin] * 2 ** (1 / dim), "right"))
        yield order[begin:end], float(ascending[begin]), float(ascending[end - 1])
        begin = end


def _each_within(tree: KDTree, rows: NDArray[Any], some: NDArray[np.intp], radii: NDArray[np.float64], longest: float,
                 counts: NDArray[np.int64] | None) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]]:
    """(row numbers, offsets, indices): of what the longest radius finds what each row's own one does.

    `counts` are those of the longest radius.
    """
    for begin, end in parts(tree, counts, len(some)):
        at = some[begin:end]
        alike = bool((radii[at] == longest).all())
        offsets, indices, d = tree._index.radius(rows[at], longest, not alike)
        if alike:
            yield at, offsets, indices
            continue
        near = d <= np.repeat(radii[at].astype(d.dtype), np.diff(offsets))
        yield at, np.append(0, np.cumsum(near))[offsets], indices[near]


def lists_within_each(tree: KDTree, rows: NDArray[Any], radii: NDArray[np.float64], by_index: bool) -> NDArray[Any]:
    """As `lists_within`, with a radius for each row."""
    lists, ints, entries, done = np.empty(len(rows), object), SharedInts(tree.n), 0, 0
    if len(rows) * tree.n > _entries(tree):
        least = sum(int(tree._index.radius_count(rows[some], radius).sum()) for some, radius, _ in _groups(radii, tree.m))
        check_memory(_bytes(ints, least, len(rows)), f"{len(rows)} lists with {least} entries in all, or more,", _REMEDY,
                     tree._limits[1])
    for some, _, longest in _groups(radii, tree.m):
        counts = counts_if_many(tree, rows[some], longest)
        for at, offsets, indices in _each_within(tree, rows, some, radii, longest, counts):
            made = _bytes(ints, entries, done)
            entries, done = entries + len(indices), done + len(at)
            check_memory(_bytes(ints, entries, done), f"{done} of {len(rows)} lists with {entries} entries", _REMEDY,
                         tree._limits[1], made)
            _put(lists, at.tolist(), offsets, indices, ints, by_index)
    return lists


def counts_within_each(tree: KDTree, rows: NDArray[Any], radii: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many each row finds, with a radius for each."""
    counts = np.zeros(len(rows), np.int64)
    for some, least, longest in _groups(radii, tree.m):
        counts[some] = tree._index.radius_count(rows[some], longest)
        if least == longest:
            continue
        open_ = some[counts[some] != tree._index.radius_count(rows[some], least)]
        for at, offsets, _ in _each_within(tree, rows, open_, radii, longest, counts[open_]):
            counts[at] = np.diff(offsets)
    return counts
