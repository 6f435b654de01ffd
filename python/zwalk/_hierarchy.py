"""Minimum spanning trees and HDBSCAN*."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._device import DeviceArray
from ._names import also_named
from ._out import as_out, put
from ._place import Process, place
from ._points import as_array, as_box, as_count, as_number, as_points

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    from ._points import Box


METHODS = ("eom", "leaf", "persistent")
Weighed = Optional[tuple[np.ndarray, np.ndarray]]  # weights of points, and their core distances


class Origin(NamedTuple):
    """Where clusters and trees come from: options of `hdbscan` as it took them, and a checksum of the points where all are here."""

    asked: dict[str, Any]
    points: tuple[Any, ...] | None

    @classmethod
    def of(cls, points: NDArray[Any], where: Any, **asked: Any) -> Origin:
        here = isinstance(where, Process) and isinstance(points, np.ndarray)
        return cls(asked, checksum(points, where.threads) if here else None)

    def check(self, points: NDArray[Any], given: Mapping[str, Any]) -> None:
        """Refuses other points, and options that aren't those."""
        if self.points is not None and checksum(points) != self.points:
            raise _core.InputError("these aren't the points that the clusters were found of, or they have changed since")
        for name, value in given.items():
            if value != self.asked[name]:
                raise _core.InputError(f"{name} is {value!r}, but the clusters were found with {self.asked[name]!r}: leave it out")


def checksum(points: NDArray[Any], threads: int = 0) -> tuple[Any, ...]:
    return points.shape, points.dtype.str, _core.checksum(points, _core.Here(threads, 0, Process.number))


def periods(sides: list[float], dim: int) -> list[float]:
    """One for each axis; none of open space."""
    sides = sides * dim if len(sides) == 1 else sides
    return sides if any(sides) else []


class Clusters(Mapping[str, Any]):
    """Clusters of HDBSCAN*. What it has goes by attribute or by key: ``found.labels``, ``found["labels"]``.

    Attributes
    ----------
    labels : numpy.ndarray of int64, shape (N,)
        Of each point its cluster; -1: noise.
    probabilities, outlier_scores : numpy.ndarray of float64, shape (N,)
    persistence : numpy.ndarray of float64
        Of each cluster.
    min_cluster_size : int
        That of the condensed tree: the one asked for, or with method='persistent' the one found.
    core_distances : numpy.ndarray, shape (N,), or None for min_samples = 1
    weights : numpy.ndarray of float64, shape (N,), or None
    linkage : numpy.ndarray, shape (N - 1, 4)
        As scipy.cluster.hierarchy has it.
    condensed : dict of numpy.ndarray
        Columns as the hdbscan package has them. `zwalk.CondensedTree(found.condensed, found.labels)` draws them.

    Notes
    -----
    On ranks `persistence`, `min_cluster_size`, `linkage` and `condensed` are on rank 0, and None elsewhere. It also knows what it was
    asked for, and of which points: `zwalk.HdbscanModel.of` looks at that.
    """

    labels: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    outlier_scores: NDArray[np.float64]
    persistence: NDArray[np.float64]
    min_cluster_size: int
    core_distances: NDArray[np.floating[Any]] | None
    weights: NDArray[np.float64] | None
    linkage: NDArray[np.float64]
    condensed: dict[str, NDArray[Any]]

    _origin: Origin | None = None

    def __init__(self, found: Mapping[str, Any], origin: Origin | None = None) -> None:
        self.__dict__.update(found, _origin=origin)

    def __getitem__(self, name: str) -> Any:
        if name.startswith("_"):
            raise KeyError(name)
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.__dict__ if not name.startswith("_"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        n = int(self.labels.max(initial=-1)) + 1
        return f"<zwalk.Clusters: {n} clusters of {len(self.labels)} points; {', '.join(self)}>"


class SpanningTree:
    """Edges of a minimum spanning tree, shortest first.

    Attributes
    ----------
    n : int
        Points.
    edges : numpy.ndarray of int64, shape (N - 1, 2)
    lengths : numpy.ndarray, shape (N - 1,), in the precision of the points
    core_distances : numpy.ndarray, shape (N,), or None for min_samples = 1
    weights : numpy.ndarray of float64, shape (N,), or None
        Of the points; with these there are core distances always.
    min_samples : int or None
        What it was grown with, if that is known.
    first_edge : int
        0; on ranks, where each has a range of the edges, the number of its first one. `n` is that of all ranks, and
        `core_distances` are those of this rank's points.
    """

    def __init__(self, n: int, edges: NDArray[np.int64], lengths: NDArray[np.floating[Any]],
                 core_distances: NDArray[np.floating[Any]] | None, first_edge: int | None = None,
                 weights: NDArray[np.float64] | None = None, origin: Origin | None = None) -> None:
        self._origin = origin
        self.n, self.edges, self.lengths, self.core_distances = n, edges, lengths, core_distances
        self.first_edge, self.weights = first_edge or 0, weights
        self._whole = first_edge is None
        self._linkage: NDArray[np.float64] | None = None

    @property
    def min_samples(self) -> int | None:
        """What the tree was grown with, if that is known."""
        return None if self._origin is None else int(self._origin.asked["min_samples"])

    def __repr__(self) -> str:
        if not self._whole or isinstance(self.lengths, DeviceArray):
            return f"<zwalk.SpanningTree of {self.n} points, {len(self.lengths)} edges from number {self.first_edge} on>"
        return f"<zwalk.SpanningTree of {self.n} points, length {self.lengths.sum(dtype=float):g}>"

    def _check_whole(self) -> None:
        if isinstance(self.lengths, DeviceArray):
            raise _core.InputError("the tree is on a GPU: hdbscan of points on the host, with device='cuda', finds clusters")
        if not self._whole:
            raise _core.InputError("this is one rank's part of the edges: hdbscan(points, comm=comm) finds clusters on ranks")

    def linkage(self, *, threads: int | None = None) -> NDArray[np.float64]:
        """Single linkage, shape (N - 1, 4): the Z of scipy.cluster.hierarchy. Computed once."""
        where = Process(threads)
        self._check_whole()
        if self._linkage is None:
            self._linkage = where.call("single_linkage", self.n, self.edges, self.lengths, weighed(self))
        return self._linkage

    def clusters(self, min_cluster_size: int = 5, *, method: str = "eom", epsilon: float = 0.0,
                 max_cluster_size: int | None = None, allow_single_cluster: bool = False, epsilon_max: float = np.inf,
                 persistence: float = 0.0, threads: int | None = None) -> Clusters:
        """HDBSCAN* clusters of this tree: as `hdbscan` with the tree's min_samples, without looking for it again."""
        size = as_count(min_cluster_size, "min_cluster_size", 2)
        select = selection(method, epsilon, max_cluster_size, allow_single_cluster, epsilon_max, persistence)
        linkage = self.linkage(threads=threads)
        found = Process(threads).call("clusters", self.n, linkage, size, select, weighed(self))
        origin = self._origin and Origin(self._origin.asked | {"min_cluster_size": size} | selected(select), self._origin.points)
        return Clusters(found | {"linkage": linkage, "core_distances": self.core_distances, "weights": self.weights}, origin)

    def clusters_at(self, distance: float, min_cluster_size: int = 5) -> NDArray[np.int64]:
        """DBSCAN*: labels of the clusters at one distance; -1: noise."""
        labels: NDArray[np.int64] = _core.clusters_at(self.n, self.linkage(), as_number(distance, "distance"),
                                                      as_count(min_cluster_size, "min_cluster_size"))
        return labels

    def to_sparse(self) -> csr_array:
        """As scipy.sparse.csgraph.minimum_spanning_tree has it. (Edges of length 0 vanish in many of its
        functions.)"""
        from scipy.sparse import coo_array

        return coo_array((self.lengths, self.edges.T), shape=(self.n, self.n)).tocsr()


def minimum_spanning_tree(points: ArrayLike, *, min_samples: int = 1, weights: ArrayLike | None = None, box: Box = None,
                          threads: int | None = None, device: str | None = None, comm: MPI.Comm | None = None) -> SpanningTree:
    """The Euclidean minimum spanning tree, or (min_samples > 1) that of mutual reachability, exactly.

    Parameters
    ----------
    points : array_like, shape (N, D)
        float32 or float64, worked on in that precision.
    min_samples : int
        m > 1: the distance of two points is the largest of their distance and their core distances, those to the m-th
        neighbour, the point itself counted; to the furthest one, if there are fewer points.
    weights : array_like of float, shape (N,), optional
        How many points each one counts as, > 0. A core distance is the least one within which weights, with the point's own, sum to
        min_samples. Not on a GPU, and not on ranks.
    box, threads, device, comm
        As in `knn`. On ranks each gets about as many edges.

    Returns
    -------
    SpanningTree

    Examples
    --------
    >>> import zwalk
    >>> tree = zwalk.minimum_spanning_tree([[0.], [5.], [1.]])
    >>> tree.edges
    array([[0, 2],
           [1, 2]])
    """
    def prepare() -> tuple[Any, ...]:
        p = as_points(points, "points")
        return p, as_count(min_samples, "min_samples"), as_box(box, p.shape[1])

    if weights is not None:
        _refuse_weights(device, comm)
        p, least, sides = prepare()
        return _weighted_tree(p, least, sides, weights, Process(threads))
    where = place(comm, threads, device, points)
    p, least, sides = where.prepared(prepare)
    edges, lengths, core, first_edge = where.call("emst", p, least, sides)
    if core is None and least > 1:  # one point, or none here
        core = np.zeros(p.shape[0], p.dtype)
    origin = Origin.of(p, where, min_samples=least, box=periods(sides, p.shape[1]))
    return SpanningTree(where.rows, edges, lengths, core, first_edge, origin=origin)


def weighed(tree: SpanningTree | Clusters) -> Weighed:
    """Weights and core distances, as the compiled module takes them; None: there are no weights."""
    return None if tree.weights is None else (tree.weights, np.asarray(tree.core_distances, np.float64))


def _weighted_tree(p: NDArray[Any], least: int, sides: Any, weights: ArrayLike, where: Process) -> SpanningTree:
    w = as_weights(weights, len(p))
    if len(p) < 2:
        edges, lengths, core = np.empty((0, 2), np.int64), np.empty(0, p.dtype), np.zeros(len(p), p.dtype)
    else:
        edges, lengths, core = where.call("weighted_emst", p, least, sides, w)
    origin = Origin.of(p, where, min_samples=least, box=periods(sides, p.shape[1]))
    return SpanningTree(len(p), edges, lengths, core, weights=w, origin=origin)


def as_weights(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    """One number > 0 for each of n points."""
    w = np.ascontiguousarray(weights, np.float64)
    if w.shape != (n,):
        raise _core.InputError(f"weights must have the shape ({n},), one for each point, not {w.shape}")
    wrong = np.flatnonzero(~(w > 0) | np.isinf(w))
    if len(wrong):
        raise _core.InputError(f"weights must be finite and > 0: that of row {wrong[0]} is {w[wrong[0]]}")
    return w


def _refuse_weights(device: str | None, comm: Any) -> None:
    if comm is not None or device not in (None, "cpu"):
        raise _core.InputError("the tree of points with weights is for threads of one process: leave out device= and comm=, or let "
                               "hdbscan find clusters")


@also_named(cluster_selection_epsilon="epsilon=", cluster_selection_epsilon_max="epsilon_max=", cluster_selection_method="method=",
            cluster_selection_persistence="persistence=", boxsize="box=", n_jobs="threads=", prediction_data="zwalk.HdbscanModel()",
            sample_weight="weights=")
def hdbscan(points: ArrayLike, min_cluster_size: int = 5, *, min_samples: int | None = None, method: str = "eom",
            epsilon: float = 0.0, max_cluster_size: int | None = None, allow_single_cluster: bool = False,
            epsilon_max: float = np.inf, persistence: float = 0.0, weights: ArrayLike | None = None, box: Box = None,
            threads: int | None = None, out: NDArray[np.int64] | None = None, device: str | None = None,
            comm: MPI.Comm | None = None) -> Clusters:
    """HDBSCAN* clusters.

    Parameters
    ----------
    points, box, threads, device, comm
        As in `minimum_spanning_tree`, but points are on the host. A GPU finds the tree and, of many points, makes
        linkage and condensed tree; clusters are chosen on the host.
    min_cluster_size : int
        >= 2. Smaller branches of the hierarchy are no clusters.
    min_samples : int, optional
        Counts the point itself, as in scikit-learn (the hdbscan package's is one less). Default: min_cluster_size. Of fewer
        points all are counted.
    method : {'eom', 'leaf', 'persistent'}
        Excess of mass, the clusters that never split, or those at the best size of all from `min_cluster_size` on
        (`persistent_sizes`).
    epsilon : float
        Splits at smaller distances are undone.
    max_cluster_size : int, optional
    allow_single_cluster : bool
    epsilon_max : float
        'eom' takes no cluster that parts from its sibling at a larger distance.
    persistence : float
        Splits are undone of which one part lasts for less than this, in lambda = 1 / distance.
    weights : array_like of float, shape (N,), optional
        How many points each one counts as, > 0: in `min_samples`, `min_cluster_size` and stabilities. Integers make the clusters of an
        array in which each row is there so often. On ranks those of this rank's points.
    out : numpy.ndarray of int64, shape (N,), optional
        Where to copy the labels; `labels` of the result then. C order. The library's own are there, too, until the call ends.

    Returns
    -------
    Clusters
        ``.labels`` (-1: noise), ``.probabilities``, ``.outlier_scores``, ``.persistence`` (of each cluster),
        ``.min_cluster_size``, ``.core_distances``, ``.linkage``, ``.condensed``; also by key, as ``found["labels"]``. On ranks those of the
        rank's points; what is of clusters and of the hierarchy has rank 0, which also makes it, and needs memory for all.

    Notes
    -----
    Edges of equal length, of which mutual reachability has many, are one event: no order of the points, and no choice
    between minimum spanning trees, changes a cluster. Other implementations take them one by one, and differ by some
    points, from this one as among themselves.

    Examples
    --------
    >>> import zwalk
    >>> found = zwalk.hdbscan([[0.], [1.], [2.5], [20.], [21.5], [22.5]], 3, min_samples=1)
    >>> found.labels
    array([0, 0, 0, 1, 1, 1])
    """
    def prepare() -> tuple[Any, ...]:
        p = as_array(points, "points")
        least = 0 if min_samples is None else as_count(min_samples, "min_samples")
        w = None if weights is None else as_weights(weights, len(p))
        if out is not None:
            as_out(out, "out", (len(p),), np.int64, p, w)
        return (p, as_count(min_cluster_size, "min_cluster_size", 2), least,
                selection(method, epsilon, max_cluster_size, allow_single_cluster, epsilon_max, persistence),
                as_box(box, p.shape[1]), w)

    where = place(comm, threads, device)
    p, size, least, *arguments, w = where.prepared(prepare)
    found = where.call("hdbscan", p, size, least, *arguments, w)
    if found["core_distances"] is None and (min_samples != 1 or w is not None):  # one point, or none here
        found["core_distances"] = np.zeros(p.shape[0], p.dtype)
    select, sides = arguments
    origin = Origin.of(p, where, min_cluster_size=size, min_samples=least or size, box=periods(sides, p.shape[1]), **selected(select))
    return Clusters(found | {"labels": put(found["labels"], out), "weights": w}, origin)


def selection(method: str = "eom", epsilon: float = 0.0, max_cluster_size: int | None = None, allow_single_cluster: bool = False,
              epsilon_max: float = np.inf, persistence: float = 0.0) -> tuple[int, float, int, bool, float, float]:
    """SelectionOptions, as the compiled module takes them."""
    if method not in METHODS:
        raise _core.InputError(f"method must be 'eom', 'leaf' or 'persistent', not {method!r}")
    most = 0 if max_cluster_size is None else as_count(max_cluster_size, "max_cluster_size")
    return (METHODS.index(method), as_number(epsilon, "epsilon"), most, bool(allow_single_cluster),
            as_number(epsilon_max, "epsilon_max"), as_number(persistence, "persistence"))


def selected(select: tuple[int, float, int, bool, float, float]) -> dict[str, Any]:
    """The arguments of `selection`, of what it has made of them."""
    method, epsilon, most, single, epsilon_max, persistence = select
    return {"method": METHODS[method], "epsilon": epsilon, "max_cluster_size": most or None, "allow_single_cluster": single,
            "epsilon_max": epsilon_max, "persistence": persistence}
