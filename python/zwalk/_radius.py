"""Neighbours within a radius, of points that are used once: lists and counts."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._names import also_named
from ._out import as_out, index_type, narrowed, put
from ._place import Process, place
from ._points import as_array, as_box, as_budget, as_number, both, warn_of_images

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    from ._out import Indices
    from ._points import Box


class RadiusLists(NamedTuple):
    """What is within the radius of each row: row i has indices[offsets[i]:offsets[i + 1]], nearest first.

    `distances` is None where they weren't asked for.
    """

    offsets: NDArray[np.int64]
    indices: NDArray[np.integer[Any]]
    distances: NDArray[np.floating[Any]] | None

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many each row has."""
        return np.diff(self.offsets)

    def to_sparse(self, n: int) -> csr_array:
        """As a scipy.sparse.csr_array with `n` columns: distances, or 1 where there are none."""
        from scipy.sparse import csr_array

        values = np.ones(len(self.indices)) if self.distances is None else self.distances
        return csr_array((values, self.indices, self.offsets), shape=(len(self.offsets) - 1, n))


def _radii(radius: ArrayLike, of: Any, what: str, sides: Sequence[float], images: bool) -> float | NDArray[np.float64]:
    """One for all, or one for each of the rows `of`, which are called `what`."""
    if np.ndim(radius) == 0:
        r = as_number(radius, "radius")
        if not images:
            warn_of_images(r, sides)
        return r
    radii = as_array(radius, "radius", np.float64, ndim=1)
    if len(radii) != len(of):
        raise _core.InputError(f"radius must be one for all or one for each of the {len(of)} {what}, not {len(radii)}")
    if not images:
        warn_of_images(float(np.max(radii, where=radii < np.inf, initial=0)), sides)
    return radii


@also_named(within="radius=", r="radius=", k="zwalk.knn() with within=", workers="threads=", n_jobs="threads=", boxsize="box=")
def radius(points: ArrayLike, radius: ArrayLike, queries: ArrayLike | None = None, *, exclude_self: bool = False,
           larger: bool = False, distances: bool = True, box: Box = None, images: bool = False, indices: Indices | None = None,
           threads: int | None = None, memory_budget: float | str | None = None, device: str | None = None,
           comm: MPI.Comm | None = None) -> RadiusLists:
    """All points within a radius of every point, or of every query, exactly.

    Parameters
    ----------
    points, queries, exclude_self, box, threads, device, comm
        As in `knn`.
    radius : float or array_like, shape (rows,)
        One for all, or one for each row: of the queries, if there are any, else of the points. Points at exactly this
        distance are found, too. In a periodic box each is found once, at its nearest image, also by a radius beyond half of
        a period, which other images may be within (a UserWarning): see `images`.
    larger : bool
        Of two points of `points` with a radius each, both find the other if it is within the larger of their radii. (Not with
        `queries`.)
    distances : bool
        Also keep the distances.
    images : bool
        Find every image of a point within the radius, each as an entry of its own, among them a point's own, which
        `exclude_self` doesn't leave out: an atom of a simple cubic cell has 18 others within 1.5 periods. Which image an
        entry is, isn't in the result. For points on the host, without `comm`; not with `larger`.
    indices : {'i8', 'u4', 'i4'}, optional
        Type of the indices, by default 'i8' (int64). Those of 32 bits are made from these, which are there until the call ends.
        For work on threads, without `comm`.
    memory_budget : int or str, optional
        Lists that need more are refused (zwalk.Error) once their sizes are known, before they are made.

    Returns
    -------
    RadiusLists
        (offsets, indices, distances): row i at [offsets[i], offsets[i + 1]), nearest first, ties by index.

    Raises
    ------
    ValueError
        A radius < 0, other types of `indices`, or `indices` of what a GPU or ranks find, ...; the message says which.

    Examples
    --------
    >>> import zwalk
    >>> lists = zwalk.radius([[0.0], [1.0], [5.0]], 1.5)
    >>> lists.indices, lists.counts
    (array([0, 1, 1, 0, 2]), array([2, 2, 1]))
    """
    def prepare() -> tuple[Any, ...]:
        p, q = both(points, queries)
        if indices is not None and type(where) is not Process:
            raise _core.InputError("indices is for points on the host, without comm")
        index = index_type(indices)
        sides = as_box(box, p.shape[1])
        r = _radii(radius, p if q is None else q, "points" if q is None else "queries", sides, images)
        return p, q, r, bool(larger), bool(exclude_self), bool(distances), sides, bool(images), as_budget(memory_budget), index

    where = place(comm, threads, device, points, queries)
    *arguments, budget, index = where.prepared(prepare)
    offsets, i, d = where.call("radius", *arguments, budget=budget)
    return RadiusLists(offsets, i if indices is None else narrowed(i, index), d if distances else None)


@also_named(within="radius=", r="radius=", workers="threads=", n_jobs="threads=", boxsize="box=")
def radius_count(points: ArrayLike, radius: ArrayLike, queries: ArrayLike | None = None, *, exclude_self: bool = False,
                 larger: bool = False, box: Box = None, images: bool = False, threads: int | None = None,
                 out: NDArray[np.int64] | None = None, device: str | None = None, comm: MPI.Comm | None = None) -> NDArray[np.int64]:
    """How many points are within the radius of every point, or of every query.

    Nothing is listed: many points that are all near enough are counted as a whole.

    Parameters
    ----------
    points, queries, radius, exclude_self, larger, box, images, threads, device, comm
        As in `radius`.
    out : numpy.ndarray of int64, shape (rows,), optional
        Where to write the counts; returned. C order.

    Returns
    -------
    numpy.ndarray of int64, shape (rows,)

    Examples
    --------
    >>> import zwalk
    >>> zwalk.radius_count([[0.0], [1.0], [5.0]], 1.5)
    array([2, 2, 1])
    """
    def prepare() -> tuple[Any, ...]:
        p, q = both(points, queries)
        if out is not None:
            as_out(out, "out", (len(p if q is None else q),), np.int64, p, q)
        sides = as_box(box, p.shape[1])
        r = _radii(radius, p if q is None else q, "points" if q is None else "queries", sides, images)
        return p, q, r, bool(larger), bool(exclude_self), False, sides, bool(images)

    where = place(comm, threads, device, points, queries)
    counts: NDArray[np.int64] = where.call("radius_count", *where.prepared(prepare))
    return put(counts, out)
