"""Friends-of-friends groups and DBSCAN."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from ._points import as_array, as_box, as_count, as_number, as_threads


class Groups:
    """Friends-of-friends groups.

    Attributes
    ----------
    labels : numpy.ndarray of int64, shape (N,), read-only
        Of each point the smallest input index in its group.
    n_groups : int
        Groups, those of one point included.
    """

    def __init__(self, points, labels, n_groups, kept, box):
        self.labels, self.n_groups = labels, n_groups
        self._points, self._kept, self._box = points, kept, box

    def __repr__(self):
        return f"<zwalk.Groups: {self.n_groups} groups of {len(self.labels)} points>"

    def consecutive(self):
        """Labels 0, 1, ... in the order of the groups' first points."""
        return np.unique(self.labels, return_inverse=True)[1].reshape(-1)

    def catalogue(self, min_members=20, *, masses=None, velocities=None, threads=None):
        """What the groups of at least `min_members` points are like, largest first.

        The points must not have been changed since `fof`, which doesn't copy them.

        Parameters
        ----------
        min_members : int
        masses : array_like, shape (N,), optional
            > 0; default: 1 each.
        velocities : array_like, shape (N, D), optional

        Returns
        -------
        Catalogue
        """
        p = self._points
        m = None if masses is None else as_array(masses, "masses", dtype=p.dtype, ndim=1)
        v = None if velocities is None else as_array(velocities, "velocities", dtype=p.dtype)
        columns = _core.fof_catalogue(p, self._kept, as_count(min_members, "min_members", 0, 2**62), self._box, m, v,
                                      as_threads(threads))
        first, order = columns.pop("first"), columns.pop("order")
        kinds = [(name, c.dtype, c.shape[1:]) for name, c in columns.items()]
        table = np.empty(len(first), kinds)
        for name, c in columns.items():
            table[name] = c
        return Catalogue(table, first, order)


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
    """

    def __init__(self, table, first, order):
        self.table, self._first, self._order = table, first, order

    def __getitem__(self, name):
        return self.table[name]

    def __len__(self):
        return len(self.table)

    def __repr__(self):
        return f"<zwalk.Catalogue: {len(self)} groups; {', '.join(self.table.dtype.names)}>"

    def members(self, row):
        """Input indices of the members of a group, in z-order."""
        begin = self._first[row]
        return self._order[begin:begin + self.table["count"][row]].astype(np.int64)


def fof(points, linking_length, *, box=None, threads=None):
    """Friends-of-friends groups: what chains of points no further apart than `linking_length` connect.

    Parameters
    ----------
    points : array_like, shape (N, D)
        float32 or float64, worked on in that precision.
    linking_length : float
        In the unit of the points; see `mean_spacing` for the usual fraction.
    box : float or sequence of D floats, optional
        Periods; 0, None or inf: an open axis. The points may lie in any interval of that length.
    threads : int, optional
        As in `knn`.

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
    p = as_array(points, "points")
    sides = as_box(box, p.shape[1])
    labels, n, kept = _core.fof(p, as_number(linking_length, "linking_length"), sides, as_threads(threads))
    return Groups(p, labels, n, kept, sides)


def mean_spacing(points, *, box=None):
    """(V / N)^(1/D), the unit of linking lengths in cosmology: V of the box, or of the points' extent.

    Pass the box to this and to `fof`: without it V is a little too small, and groups end at the faces.

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
    return _core.mean_spacing(p, as_box(box, p.shape[1]))


class Dbscan(NamedTuple):
    """Clusters of DBSCAN.

    labels: of each point its cluster, numbered from 0 in the order of their first points; -1: noise. core: of each point
    whether it is a core point.
    """

    labels: np.ndarray
    core: np.ndarray
    n_clusters: int


def dbscan(points, eps, min_samples=5, *, box=None, threads=None):
    """DBSCAN: clusters of points in dense places, and noise.

    Parameters
    ----------
    points, box, threads
        As in `fof`.
    eps : float
        Points at most this far apart are neighbours.
    min_samples : int
        Neighbours, the point itself included, that make a core point.

    Returns
    -------
    Dbscan
        (labels, core, n_clusters). A border point goes to the cluster of its nearest core point, so that nothing depends
        on the order of the points; in scikit-learn it goes to the first cluster that finds it.

    Examples
    --------
    >>> import zwalk
    >>> zwalk.dbscan([[0.], [1.], [2.], [9.]], 1, 3).labels
    array([ 0,  0,  0, -1])
    """
    p = as_array(points, "points")
    first, core, n = _core.dbscan(p, as_number(eps, "eps"), as_count(min_samples, "min_samples"),
                                  as_box(box, p.shape[1]), as_threads(threads))
    # Clusters are named by their first points, ascending.
    names = np.flatnonzero(first == np.arange(len(first)))
    number = np.full(len(first) + 1, -1, np.int64)
    number[names] = np.arange(len(names))
    return Dbscan(number[first], core.view(bool), n)
