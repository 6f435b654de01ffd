"""Lists of what is within a radius, as SciPy has them, in parts: what a tree's arrays and Python's lists need is never there twice."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._memory import bytes_of_lists, check_memory
from ._space import counts_within, lists_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._tree import KDTree

    Radius = float | NDArray[np.float64]

_FEW_AXES = 8  # in more, walks of two trees find little to leave out: searches are tried, however many rows there are
_FEW_ROWS = 1024  # that are searched for at a time
_FEW_FOUND = _core.few_found  # by each, at most
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


def counts_if_many(tree: KDTree, rows: NDArray[Any] | None, radius: Radius) -> NDArray[np.int64] | None:
    """How many each row will find (None: each of the tree's points), unless they are few even if all rows find all points."""
    if (tree.n if rows is None else len(rows)) * tree.n <= _entries(tree):
        return None
    return counts_within(tree._index, rows, radius)


def _few_lists(tree: KDTree, rows: NDArray[Any], radius: Radius, by_index: bool) -> list[list[int]] | None:
    """What rows have, where each finds few and all may fit into memory; so many rows at a time. None: they are found otherwise."""
    most = _entries(tree)
    if len(rows) * tree._n <= most or len(rows) == 1 or (len(rows) <= _FEW_ROWS and not tree._limits[1]):  # small, or none are made
        some: list[list[int]] | None = tree._index.few_lists(rows, radius, by_index, most)
        return some
    if tree.m <= _FEW_AXES and len(rows) > _FEW_ROWS:
        return None
    found: list[list[int]] = []
    entries = 0
    for begin in range(0, len(rows), _FEW_ROWS):
        end = min(begin + _FEW_ROWS, len(rows))
        made = bytes_of_lists(tree.n, entries, begin)
        try:
            check_memory(bytes_of_lists(tree.n, entries + (end - begin) * _FEW_FOUND, end), "lists", _REMEDY, tree._limits[1], made)
        except _core.Error:  # perhaps they do: then they are counted first
            return None
        radii = radius if isinstance(radius, float) else radius[begin:end]
        lists = tree._index.few_lists(rows[begin:end], radii, by_index, 0)
        if lists is None:
            return None
        found += lists
        entries += sum(map(len, lists))
    return found


def lists_within(tree: KDTree, rows: NDArray[Any], radius: Radius, by_index: bool) -> list[list[int]]:
    """One list for each row, within one radius or one for each; by index, or the nearest first (ties in any order)."""
    few = _few_lists(tree, rows, radius, by_index)
    if few is not None:
        return few
    counts = counts_within(tree._index, rows, radius)
    entries = int(counts.sum())
    check_memory(bytes_of_lists(tree.n, entries, len(rows)), f"{len(rows)} lists with {entries} entries in all", _REMEDY,
                 tree._limits[1])
    lists: list[list[int]] = []
    ints = _core.SharedInts(tree.n)
    for begin, end in parts(tree, counts, len(rows)):
        asked = rows[begin:end], radius if isinstance(radius, float) else radius[begin:end]
        if by_index:
            offsets, indices = tree._index.ascending(*asked, counts[begin:end])
        else:
            offsets, indices, _ = lists_of(tree._index, *asked, False)
        lists += ints.lists(offsets, indices)
    return lists
