"""What a tree is searched with: rows inside its box, radii that the library takes, other trees in the same space."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._points import as_array, as_number, warn_of_images

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._tree import KDTree


def check_same_space(tree: KDTree, other: KDTree) -> None:
    """Refuses trees that can't be searched together."""
    if not isinstance(other, type(tree)):
        raise TypeError(f"other must be a zwalk.KDTree, not {type(other).__name__}")
    if (tree.m, tree.dtype) != (other.m, other.dtype):
        raise _core.InputError(
            f"the trees differ: {tree.m} coordinates of {tree.dtype}, {other.m} of {other.dtype}")
    if tree._index.box != other._index.box:
        raise _core.InputError(f"the trees have different boxes: {tree._index.box}, {other._index.box}")


def radius_of(tree: KDTree, r: Any, rows: NDArray[Any] | None, name: str) -> float:
    """A radius; one that is infinite, as SciPy takes it, reaches everything. `rows`: None are the tree's points."""
    radius = as_number(r, name)
    warn_of_images(radius, tree._index.box, name)
    return min(radius, reach(tree, rows)) if radius > longest(tree) else radius


def radii_of(tree: KDTree, r: Any, rows: NDArray[Any] | None, shape: tuple[int, ...],
             name: str) -> float | NDArray[np.float64]:
    """As `radius_of`, of a number, or of an array that is broadcast to the shape of the rows: flat then."""
    if np.ndim(r) == 0:
        return radius_of(tree, r, rows, name)
    radii = as_array(r, name, np.float64, ndim=np.ndim(r))
    if not (radii >= 0).all():
        raise _core.InputError(f"{name} must be numbers >= 0")
    try:
        radii = np.ascontiguousarray(np.broadcast_to(radii, shape)).reshape(-1)
    except ValueError:
        raise _core.InputError(f"{name} must be one for all or as many as there are rows: its shape {radii.shape} doesn't fit "
                               f"theirs, {shape}") from None
    warn_of_images(float(np.max(radii, where=radii < np.inf, initial=0)), tree._index.box, name)
    return np.minimum(radii, reach(tree, rows)) if (radii > longest(tree)).any() else radii


def longest(tree: KDTree) -> float:
    """What has a square in the tree's precision."""
    return float(np.sqrt(np.finfo(tree.dtype).max)) / 2


def reach(tree: KDTree, rows: NDArray[Any] | None) -> float:
    """A radius within which all rows find all points."""
    sets = [x.astype(np.float64) for x in (tree.data, rows) if x is not None and len(x)]
    if not sets:
        return 0.0
    spans = np.max([x.max(axis=0) for x in sets], axis=0) - np.min([x.min(axis=0) for x in sets], axis=0)
    far = 1.01 * float(np.sqrt(tree.m)) * float(spans.max())
    return far if np.isfinite(far) else float(np.finfo(tree.dtype).max)  # rows that aren't finite are refused


def wrapped(tree: KDTree, rows: NDArray[Any]) -> NDArray[Any]:
    """Rows that lie outside of the box moved into it by whole periods; a copy only if there are such."""
    box = tree._index.box
    if not box or not len(rows):
        return rows
    least, most = tree._index.extent()  # without points from inf to -inf
    copied = False
    for axis, length in enumerate(np.asarray(box, tree.dtype)):
        if length == 0:
            continue
        x, lo, hi = rows[:, axis], tree.dtype.type(least[axis]), tree.dtype.type(most[axis])
        begin = 0 if lo >= 0 and hi <= length else lo
        if (np.minimum(lo, x.min()) >= begin and np.maximum(hi, x.max()) - begin <= length) or not np.isfinite(
                x).all():  # what isn't finite is refused later, with its row
            continue
        if not copied:
            rows, copied = rows.copy(), True
            x = rows[:, axis]
        outside = (x < begin) | (x - begin > length)
        moved = np.mod(x[outside] - begin, length) + begin
        x[outside] = np.where((moved - begin >= length) | (moved < begin), begin, moved)
    return rows


def counts_within(index: Any, rows: NDArray[Any], radius: float | NDArray[np.float64]) -> NDArray[np.int64]:
    """How many points of an index each row has within the radius."""
    counts: NDArray[np.int64] = index.radius_count(rows, radius, False, False, False, [], False)
    return counts


def lists_of(index: Any, rows: NDArray[Any], radius: float | NDArray[np.float64], distances: bool) -> Any:
    """(offsets, indices, distances) of those points."""
    return index.radius(rows, radius, False, False, distances, [], False)
