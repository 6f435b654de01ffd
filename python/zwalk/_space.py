"""What a tree is searched with: rows inside its box, radii that the library takes, other trees in the same space."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._points import as_array, as_number, warn_of_images

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._tree import KDTree

    Extent = tuple[list[float], list[float]]


_LONGEST = {np.dtype(t).itemsize: float(np.sqrt(np.finfo(t).max)) / 2 for t in (np.float32, np.float64)}


def check_same_space(tree: KDTree, other: KDTree) -> None:
    """Refuses trees that can't be searched together."""
    if not isinstance(other, type(tree)):
        raise TypeError(f"other must be a zwalk.KDTree, not {type(other).__name__}")
    if (tree.m, tree.dtype) != (other.m, other.dtype):
        raise _core.InputError(
            f"the trees differ: {tree.m} coordinates of {tree.dtype}, {other.m} of {other.dtype}")
    if tree._box != other._box:
        boxes = (f"boxsize={each._box}" if each._box else "open space" for each in (tree, other))
        raise _core.InputError("the trees differ: " + ", ".join(boxes))


def radius_of(tree: KDTree, r: Any, rows: NDArray[Any] | None, name: str) -> float:
    """A radius; one that is infinite, as SciPy takes it, reaches everything. `rows`: None are the tree's points."""
    radius = as_number(r, name)
    if radius < 0:
        raise _core.InputError(f"{name} must be >= 0, not {radius:g}")
    if radius > tree._half_period:
        warn_of_images(radius, tree._box, name)
    return min(radius, reach(tree, rows)) if radius > longest(tree) else radius


def radii_of(tree: KDTree, r: Any, rows: NDArray[Any] | None, shape: tuple[int, ...],
             name: str) -> float | NDArray[np.float64]:
    """As `radius_of`, of a number, or of an array that is broadcast to the shape of the rows: flat then."""
    if type(r) is float or np.ndim(r) == 0:  # np.ndim takes longer than all else of one query
        return radius_of(tree, r, rows, name)
    radii = as_array(r, name, np.float64, ndim=np.ndim(r))
    if not (radii >= 0).all():
        raise _core.InputError(f"{name} must be numbers >= 0")
    try:
        radii = np.ascontiguousarray(np.broadcast_to(radii, shape)).reshape(-1)
    except ValueError:
        raise _core.InputError(f"{name} must be one for all or as many as there are rows: its shape {radii.shape} doesn't fit "
                               f"theirs, {shape}") from None
    warn_of_images(float(np.max(radii, where=radii < np.inf, initial=0)), tree._box, name)
    return np.minimum(radii, reach(tree, rows)) if (radii > longest(tree)).any() else radii


def longest(tree: KDTree) -> float:
    """What has a square in the tree's precision."""
    return _LONGEST[tree.dtype.itemsize]


def reach(tree: KDTree, rows: NDArray[Any] | None) -> float:
    """A radius within which all rows find all points."""
    return _far(tree, extent_of(tree), None if rows is None else _extent(rows))


def farthest(tree: KDTree, other: KDTree) -> float:
    """A distance within which all points of two trees are."""
    return _far(tree, extent_of(tree), extent_of(other))


def _far(tree: KDTree, *extents: Extent | None) -> float:
    there = [extent for extent in extents if extent is not None]
    if not there:
        return 0.0
    # Python's numbers: for a few axes NumPy takes ten times as long. (Twice: min() wants at least two.)
    least, most = (map(f, *(extent[side] for extent in there * 2)) for side, f in enumerate((min, max)))
    far = 1.01 * math.sqrt(tree.m) * max(b - a for a, b in zip(least, most))
    return far if math.isfinite(far) else float(np.finfo(tree.dtype).max)  # rows that aren't finite are refused


def _extent(rows: NDArray[Any]) -> Extent | None:
    """The least and the largest coordinate on each axis."""
    return (rows.min(axis=0).tolist(), rows.max(axis=0).tolist()) if len(rows) else None


def extent_of(tree: KDTree) -> Extent | None:
    """That of a tree's points, which it remembers."""
    if tree._extent is None and tree.n:
        tree._extent = _extent(tree._points())
    return tree._extent


class Periods(NamedTuple):
    """A tree's box: where it begins on each axis, and how long it is; 0: an open one."""

    begin: NDArray[Any]
    length: NDArray[Any]


def periods_of(tree: KDTree) -> Periods | None:
    """None in open space."""
    if not tree._box:
        return None
    least, most = (np.array(side, tree.dtype) for side in tree._index.extent())  # without points from inf to -inf
    length = np.array(tree._box, tree.dtype)
    begin = np.where((least >= 0) & (most <= length), tree.dtype.type(0), least)
    return Periods(begin, length)


def wrapped(tree: KDTree, rows: NDArray[Any]) -> NDArray[Any]:
    """Rows that lie outside of the box moved into it by whole periods; a copy only if there are such."""
    if tree._periods is None:
        return rows
    begin, length = tree._periods
    if _core.lie_inside(rows, begin, length):
        return rows
    rows = rows.copy()
    for axis in np.flatnonzero(length):
        least, side = begin[axis], length[axis]
        x = rows[:, axis]
        if not np.isfinite(x).all():  # refused later, with its row
            continue
        outside = (x < least) | (x - least > side)
        moved = np.mod(x[outside] - least, side) + least
        x[outside] = np.where((moved - least >= side) | (moved < least), least, moved)
    return rows


def counts_within(index: Any, rows: NDArray[Any] | None, radius: float | NDArray[np.float64]) -> NDArray[np.int64]:
    """How many points of an index each row has within the radius. None: the tree's points, for which no other tree is made."""
    counts: NDArray[np.int64] = index.radius_count(rows, radius, False, False, False, [], False)
    return counts


def lists_of(index: Any, rows: NDArray[Any] | None, radius: float | NDArray[np.float64], distances: bool) -> Any:
    """(offsets, indices, distances) of those points."""
    return index.radius(rows, radius, False, False, distances, [], False)
