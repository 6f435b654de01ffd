"""Density peaks."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._names import also_named
from ._place import Ranks, place
from ._points import as_array, as_box, as_count, as_number

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box


class PeakClusters(NamedTuple):
    """Clusters of a decision graph.

    labels: of each point its cluster, 0, 1, ...; -1 for all if there is no centre. centres: rows of the centres, the densest first:
    centres[c] is that of cluster c.
    """

    labels: NDArray[np.int64]
    centres: NDArray[np.int64]


class DensityPeaks:
    """The decision graph of `density_peaks`: for each point how dense it is there, and how much it stands out.

    Attributes
    ----------
    radius : numpy.ndarray, shape (N,)
        Distance to the k-th neighbour: the smaller, the denser; inf for fewer than k points.
    delta : numpy.ndarray, shape (N,)
        Distance to the nearest denser point; inf for the densest of all.
    nearest_denser : numpy.ndarray, shape (N,)
        The row of that point; -1 for the densest of all. On ranks a row of all ranks.
    """

    def __init__(self, radius: NDArray[Any], delta: NDArray[Any], nearest_denser: NDArray[np.int64], comm: Any = None) -> None:
        self.radius, self.delta, self.nearest_denser, self._comm = radius, delta, nearest_denser, comm

    def __len__(self) -> int:
        return len(self.radius)

    def __repr__(self) -> str:
        return f"<zwalk.DensityPeaks: {len(self)} points>"

    def __getstate__(self) -> dict[str, Any]:
        if self._comm is not None:
            raise _core.InputError("this is one rank's part of the decision graph: pickle its arrays")
        return self.__dict__

    def clusters(self, n_clusters: int | None = None, *, min_delta: float | None = None, max_radius: float | None = None,
                 threads: int | None = None) -> PeakClusters:
        """The clusters of some centres; every other point belongs to that of its nearest denser point. (On ranks all call this.)

        As many cuts may be made of one graph as you like.

        Parameters
        ----------
        n_clusters : int, optional
            So many centres at most: those with the largest delta / radius.
        min_delta, max_radius : float, optional
            Centres have a larger delta, and no larger radius. n_clusters or min_delta must be given.
        threads : int, optional
            As in `knn`.

        Returns
        -------
        PeakClusters
            (labels, centres)
        """
        where = place(self._comm, threads)

        def prepare() -> tuple[Any, ...]:
            n = 0 if n_clusters is None else as_count(n_clusters, "n_clusters")
            least = 0.0 if min_delta is None else as_number(min_delta, "min_delta")
            most = np.inf if max_radius is None else as_number(max_radius, "max_radius")
            return self.radius, self.delta, self.nearest_denser, n, least, most

        return PeakClusters(*where.call("peaks_clusters", *where.prepared(prepare)))


@also_named(n_neighbors="k", n_neighbours="k", min_samples="k")
def density_peaks(points: ArrayLike, k: int = 16, *, box: Box = None, threads: int | None = None, device: str | None = None,
                  comm: MPI.Comm | None = None) -> DensityPeaks:
    """Density peaks (Rodriguez & Laio 2014): the decision graph, which `clusters` makes clusters of.

    Points are ordered by density: the smaller the distance to the k-th neighbour, the denser; of equally dense ones the first row
    is denser. For each the nearest denser one is found. Centres of clusters are dense, and far from any denser point.

    Parameters
    ----------
    points, box, threads, device, comm
        As in `fof`, but points are on the host.
    k : int
        The density at a point is that out to its k-th neighbour; the point itself is the first.

    Returns
    -------
    DensityPeaks
        With ``radius``, ``delta``, ``nearest_denser``, and ``clusters()``.

    Examples
    --------
    >>> import zwalk
    >>> peaks = zwalk.density_peaks([[0.], [1.], [1.5], [9.], [9.5], [11.]], 2)
    >>> peaks.radius
    array([1. , 0.5, 0.5, 0.5, 0.5, 1.5])
    >>> peaks.nearest_denser
    array([ 1, -1,  1,  2,  3,  4])
    >>> peaks.clusters(2)
    PeakClusters(labels=array([0, 0, 0, 1, 1, 1]), centres=array([1, 3]))
    """
    def prepare() -> tuple[Any, ...]:
        p = as_array(points, "points")
        return p, as_count(k, "k"), as_box(box, p.shape[1])

    where = place(comm, threads, device)
    radius, delta, nearest_denser = where.call("density_peaks", *where.prepared(prepare))
    return DensityPeaks(radius, delta, nearest_denser, where.comm if isinstance(where, Ranks) else None)
