"""Friends-of-friends groups and DBSCAN."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._device import DeviceRows
from ._names import also_named
from ._out import as_out, put
from ._place import Gpu, Process, Ranks, place
from ._points import as_array, as_beside, as_box, as_count, as_number, as_points

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box


class Groups:
    """Friends-of-friends groups.

    Attributes
    ----------
    labels : numpy.ndarray of int64, shape (N,), read-only
        Of each point the smallest input index in its group. Where `fof` was passed `out`, that array, which can be written to.
    n_groups : int
        Groups, those of one point included.
    """

    def __init__(self, points: NDArray[Any], labels: NDArray[np.int64], n_groups: int, kept: Any, length: float,
                 box: list[float], where: Process | Ranks) -> None:
        self.labels, self.n_groups = labels, n_groups
        self._points, self._kept, self._length, self._box, self._where = points, kept, length, box, where

    def __repr__(self) -> str:
        return f"<zwalk.Groups: {self.n_groups} groups of {self._where.rows} points>"

    def __getstate__(self) -> dict[str, Any]:
        """With the points, which a catalogue needs; what the library keeps is made again for one."""
        if isinstance(self._where, Ranks) or isinstance(self._points, DeviceRows):
            raise _core.InputError("groups on ranks and on a GPU can't be pickled: pickle their labels")
        return self.__dict__ | {"_kept": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Threads make catalogues of groups that were pickled: there may be no GPU here."""
        self.__dict__.update(state)
        self.labels.flags.writeable = False
        there, self._where = self._where, Process(None)
        self._where.rows = there.rows

    def consecutive(self) -> NDArray[np.int64]:
        """Labels 0, 1, ... in the order of the groups' first points. (On ranks all of them call this.)"""
        return self._where.numbered(self.labels)

    def catalogue(self, min_members: int = 20, *, masses: ArrayLike | None = None, velocities: ArrayLike | None = None,
                  threads: int | None = None) -> Catalogue:
        """What the groups of at least `min_members` points are like, largest first.

        The points must not have been changed since `fof`, which doesn't copy them. A GPU that found the groups makes this, too: then
        points are copied there once more; `threads` do where its memory doesn't suffice, and for groups that were pickled. On ranks all
        of them call this; each has got about as many rows of the catalogue, and groups are found once more.

        Parameters
        ----------
        min_members : int
        masses : array_like, shape (N,), optional
            > 0; default: 1 each. In the precision of the points, or rounded to it, as velocities.
        velocities : array_like, shape (N, D), optional
        threads : int, optional
            As in `knn`.

        Returns
        -------
        Catalogue
        """
        ranks = self._where if isinstance(self._where, Ranks) else None
        if ranks:
            where = place(ranks.comm, threads, ranks.device)
        else:
            where = place(None, threads, f"cuda:{self._where.number}" if isinstance(self._where, Gpu) else None)

        def prepare() -> tuple[Any, ...]:
            p = self._points
            if isinstance(p, DeviceRows):
                raise _core.InputError("the points are on a GPU, but a catalogue wants them on the host: pass a copy there to fof, with "
                                       "device='cuda' for one that the GPU makes")
            return (p, as_beside(masses, "masses", p.dtype), as_beside(velocities, "velocities", p.dtype, ndim=2),
                    as_count(min_members, "min_members", 0, 2**62))

        p, m, v, least = where.prepared(prepare)
        if isinstance(where, Ranks):
            groups, moving = self._length, any(where.comm.allgather(v is not None))
        else:
            if self._kept is None:  # they were pickled
                self._kept = where.call("fof", p, self._length, self._box)[2]
            groups, moving = self._kept, v is not None
        columns, begin, first, order = where.call("fof_catalogue", p, groups, least, self._box, m, v, moving)
        kinds = [(name, c.dtype, c.shape[1:]) for name, c in columns.items()]
        table = np.empty(len(columns["label"]), kinds)
        for name, c in columns.items():
            table[name] = c
        return Catalogue(table, first, order, begin)


class Catalogue:
    """Groups, one row each, largest first; computed in double precision.

    Attributes
    ----------
    table : structured numpy.ndarray
        label (smallest input index of a member), count, mass, centre_of_mass (of the periodic box: not the plain mean
        of members on both sides of a face), inertia_radius (root of the mean squared distance from the centre, weighted
        by mass), most_distant (input index of the member furthest from the centre), radius (that member's distance);
        with velocities velocity and velocity_dispersion (over all axes). ``catalogue["mass"]`` is
        ``catalogue.table["mass"]``, and ``catalogue.table[:5]`` are the five largest groups.
    first_row : int
        0; on ranks the number of this rank's first row among those of all.
    """

    def __init__(self, table: NDArray[np.void], first: NDArray[np.int64] | None, order: NDArray[Any] | None,
                 first_row: int = 0) -> None:
        self.table, self.first_row, self._first, self._order = table, first_row, first, order

    def __getitem__(self, name: str) -> NDArray[Any]:
        if isinstance(name, str) and name not in (self.table.dtype.names or ()):
            raise KeyError(f"no column {name!r}: there are {', '.join(self.table.dtype.names or ())}")
        return self.table[name]

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"<zwalk.Catalogue: {len(self)} groups; {', '.join(self.table.dtype.names or ())}>"

    def members(self, row: int) -> NDArray[np.int64]:
        """Input indices of the members of a group, in z-order. (Not on ranks, where they may be on several.)"""
        if self._first is None or self._order is None:
            raise _core.InputError("members of groups on ranks aren't listed: compare labels with catalogue['label']")
        begin = self._first[row]
        return self._order[begin:begin + self.table["count"][row]].astype(np.int64)


@also_named(b="linking_length=, b * zwalk.mean_spacing()", linking_fraction="linking_length=, a fraction of zwalk.mean_spacing()",
            min_members="zwalk.fof(...).catalogue(min_members=...)", eps="linking_length=", boxsize="box=", n_jobs="threads=")
def fof(points: ArrayLike, linking_length: float, *, box: Box = None, threads: int | None = None,
        out: NDArray[np.int64] | None = None, device: str | None = None, comm: MPI.Comm | None = None) -> Groups:
    """Friends-of-friends groups: what chains of points no further apart than `linking_length` connect.

    Parameters
    ----------
    points : array_like, shape (N, D)
        float32 or float64, worked on in that precision. They aren't copied: a catalogue of the groups reads them again, so change
        them after it alone.
    linking_length : float
        In the unit of the points; see `mean_spacing` for the usual fraction.
    box : float or sequence of D floats, optional
        Periods; 0, None or inf: an open axis. The points may lie in any interval of that length.
    threads, device, comm : optional
        As in `knn`. On ranks labels are rows of all ranks.
    out : numpy.ndarray of int64, shape (N,), optional
        Where to copy the labels, which are `labels` of the result then. C order. The library keeps its own as long as the result
        is there, for a catalogue. `consecutive` reads `out`: don't write to it before.

    Returns
    -------
    Groups
        With ``labels``, ``n_groups``, and ``catalogue()``: a table of the largest ones, and their members.

    Examples
    --------
    >>> import zwalk
    >>> groups = zwalk.fof([[0.], [1.], [5.]], 1.5)
    >>> groups.labels
    array([0, 0, 2])
    >>> groups.catalogue(min_members=2)["centre_of_mass"]
    array([[0.5]])
    """
    def prepare() -> tuple[Any, ...]:
        p = as_points(points, "points")
        if out is not None:
            as_out(out, "out", (len(p),), np.int64, p)
        return p, as_number(linking_length, "linking_length"), as_box(box, p.shape[1])

    where = place(comm, threads, device, points)
    p, length, sides = where.prepared(prepare)
    labels, n, kept = where.call("fof", p, length, sides)
    return Groups(p, put(labels, out), n, kept, length, sides, where)


def mean_spacing(points: ArrayLike, *, box: Box = None) -> float:
    """(V / N)^(1/D), the unit of linking lengths in cosmology: V of the box, or of the points' extent.

    Pass the box to this and to `fof`: without it V is a little too small, and groups end at the faces.

    Parameters
    ----------
    points, box
        As in `fof`.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> import zwalk
    >>> x = np.random.default_rng(0).random((1000, 3))
    >>> spacing = zwalk.mean_spacing(x, box=1)
    >>> round(spacing, 6)
    0.1
    >>> groups = zwalk.fof(x, 0.2 * spacing, box=1)
    """
    p = as_array(points, "points")
    return float(_core.mean_spacing(p, as_box(box, p.shape[1])))


class Dbscan(NamedTuple):
    """Clusters of DBSCAN.

    labels: of each point its cluster, numbered from 0 in the order of their first points; -1: noise. core: of each point
    whether it is a core point. n_clusters: how many clusters there are.
    """

    labels: NDArray[np.int64]
    core: NDArray[np.bool_]
    n_clusters: int


@also_named(epsilon="eps=", min_pts="min_samples=", minpts="min_samples=", boxsize="box=", n_jobs="threads=")
def dbscan(points: ArrayLike, eps: float, min_samples: int = 5, *, box: Box = None, threads: int | None = None,
           out: NDArray[np.int64] | None = None, device: str | None = None, comm: MPI.Comm | None = None) -> Dbscan:
    """DBSCAN: clusters of points in dense places, and noise.

    Parameters
    ----------
    points, box, threads, device, comm
        As in `fof`, but points are on the host. On ranks each gets the numbers of the first points of all clusters.
    eps : float
        Points at most this far apart are neighbours.
    min_samples : int
        Neighbours, the point itself included, that make a core point.
    out : numpy.ndarray of int64, shape (N,), optional
        Where to copy the labels; `labels` of the result then. C order. Labels as the library makes them are there, too, until the
        call ends.

    Returns
    -------
    Dbscan
        (labels, core, n_clusters). Labels number the clusters from 0 in the order of their first points; -1: noise. (In C++
        and of `zwalk dbscan` they are the rows of these points.) A border point goes to the cluster of its nearest core
        point, so that nothing depends on the order of the points; in scikit-learn it goes to the first cluster that
        finds it.

    Examples
    --------
    >>> import zwalk
    >>> zwalk.dbscan([[0.], [1.], [2.], [9.]], 1, 3).labels
    array([ 0,  0,  0, -1])
    """
    def prepare() -> tuple[Any, ...]:
        p = as_array(points, "points")
        if out is not None:
            as_out(out, "out", (len(p),), np.int64, p)
        return p, as_number(eps, "eps"), as_count(min_samples, "min_samples"), as_box(box, p.shape[1])

    where = place(comm, threads, device)
    first, core, n = where.call("dbscan", *where.prepared(prepare))
    return Dbscan(put(where.numbered(first), out), core.view(bool), n)
