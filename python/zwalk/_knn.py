"""Nearest neighbours of points that are used once, and numbers made of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from . import _core
from ._device import DeviceRows
from ._memory import check_neighbours
from ._names import also_named
from ._out import as_out, as_two, index_type, put
from ._place import Process, place
from ._points import as_array, as_beside, as_box, as_budget, as_count, as_k, as_number, both

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray

    from ._out import Indices
    from ._points import Box


class Neighbours(NamedTuple):
    """Distances and indices of neighbours, each of shape (N, k), nearest first."""

    distances: NDArray[np.floating[Any]]
    indices: NDArray[np.integer[Any]]


class OrderedNeighbours(NamedTuple):
    """Neighbours in z-order, with the input index of each row and of each source."""

    distances: NDArray[np.floating[Any]]
    indices: NDArray[np.int64]
    row_order: NDArray[np.integer[Any]]
    source_order: NDArray[np.integer[Any]]


@overload
def knn(points: ArrayLike, queries: ArrayLike | None = None, k: int = 16, *, exclude_self: bool = False,
        within: float = np.inf, box: Box = None,
        order: Literal["input"] = "input", indices: Indices | None = None, threads: int | None = None,
        memory_budget: float | str | None = None, out: tuple[NDArray[Any], NDArray[np.integer[Any]]] | None = None,
        device: str | None = None, comm: MPI.Comm | None = None) -> Neighbours: ...


@overload
def knn(points: ArrayLike, queries: ArrayLike | None = None, k: int = 16, *, exclude_self: bool = False,
        within: float = np.inf, box: Box = None,
        order: Literal["z"], indices: None = None, threads: int | None = None, memory_budget: float | str | None = None, out: None = None,
        device: str | None = None, comm: MPI.Comm | None = None) -> OrderedNeighbours: ...


@also_named(radius="within=, or zwalk.radius()", r="within=, or zwalk.radius()", max_distance="within=",
            distance_upper_bound="within=", n_neighbors="k=", workers="threads=", n_jobs="threads=", boxsize="box=")
def knn(points: ArrayLike, queries: ArrayLike | None = None, k: int = 16, *, exclude_self: bool = False,
        within: float = np.inf, box: Box = None,
        order: str = "input", indices: Indices | None = None, threads: int | None = None,
        memory_budget: float | str | None = None, out: tuple[NDArray[Any], NDArray[np.integer[Any]]] | None = None,
        device: str | None = None, comm: MPI.Comm | None = None) -> Neighbours | OrderedNeighbours:
    """The k nearest points of every point, or of every query, exactly.

    Parameters
    ----------
    points : array_like, shape (N, D)
        float32 or float64, worked on in that precision and without a copy if in C order. 1 <= D <= 64.
    queries : array_like, shape (M, D), optional
        Whose neighbours to find. Default: those of the points themselves; each point is then its own first
        neighbour, unless `exclude_self`.
    k : int
        Neighbours per row; may exceed N.
    exclude_self : bool
        A point is no neighbour of itself. (Not with `queries`.)
    within : float
        Only neighbours at this distance or nearer: rows may hold fewer than k. The smaller, the faster.
    box : float or sequence of D floats, optional
        Periods; 0, None or inf: an open axis. The points may lie in any interval of that length.
    order : {'input', 'z'}
        'z': rows, and the sources that indices refer to, in z-order; faster to make and to use.
    indices : {'i8', 'u4', 'i4'}, optional
        Type of the indices, by default 'i8' (int64). 32 bits save a third of the result's memory for float32, and of the time
        to fill it. For points on the host with order='input', without `comm`.
    threads : int, optional
        None: $ZWALK_NUM_THREADS, or all, but no more than $OMP_NUM_THREADS; -1: all. No result depends on it.
    memory_budget : int or str, optional
        Bytes of working memory, also as "8G" (2^30 each) or "8GB" (10^9). A small one costs time, no success and no bit.
    out : tuple of two numpy.ndarray, optional
        (distances, indices) of shape (rows, k) to write into, the first in the precision of the points, the second
        int64 (or as `indices` may be), both in C order; they are returned. Nothing else of their size is made. Only with order='input'.
    device : str, optional
        'cpu', or 'cuda', 'cuda:1', ... for a GPU, where points on the host are copied to, and results from. None: where
        the points are. Results of points on a GPU stay there (`DeviceArray`).
    comm : mpi4py.MPI.Comm, optional
        All ranks of the communicator make this call, each with its own rows of points and of queries (any number, also
        none), and get the results of these rows. Rows are numbered through all ranks, those of lower ranks first.
        `threads` are then those of this rank; None: its share of the cores. Ctrl-C has no effect meanwhile. With
        device='cuda' each rank walks on a GPU: those of a host go round among its ranks ('cuda:1': the one that this rank
        knows by that number). Points are on the host.

    Returns
    -------
    Neighbours
        (distances, indices), each of shape (rows, k), nearest first; ties go to the point that is first in z-order.
        Distances have the precision of the points, indices are int64, or as `indices` says. Where there are fewer than k
        points (`within` the distance): distance inf, index -1 (beware: NumPy takes that for the last row), as 'u4'
        2**32 - 1. With order='z' OrderedNeighbours.

    Raises
    ------
    ValueError
        Coordinates that aren't finite, a box that is smaller than the data, k < 1, ...; the message says which.

    Examples
    --------
    >>> import zwalk
    >>> d, i = zwalk.knn([[0.0], [1.0], [5.0]], k=2)
    >>> i
    array([[0, 1],
           [1, 0],
           [2, 1]])
    """
    def prepare() -> tuple[Any, ...]:
        if order not in ("input", "z"):
            raise _core.InputError(f"order must be 'input' or 'z', not {order!r}")
        p, q = both(points, queries)
        rows, kk = p if q is None else q, as_k(k)
        if out is not None and order == "z":
            raise _core.InputError("out is for order='input'")
        into = None if out is None else as_two(out, "distances, indices")
        index = np.dtype(np.int64)
        if type(where) is Process and order == "input":
            index = index_type(indices, None if into is None else into[1])
        elif indices is not None:
            raise _core.InputError("indices is for points on the host with order='input', without comm")
        written: list[NDArray[Any]] = []
        if into is not None:
            written = [as_out(into[0], "out[0]", (len(rows), kk), p.dtype, p, q),
                       as_out(into[1], "out[1]", (len(rows), kk), index, p, q, into[0])]
        elif not isinstance(rows, DeviceRows):
            check_neighbours(len(rows), kk, p.dtype.itemsize, index.itemsize)
            if index != np.int64:
                written = [np.empty((len(rows), kk), p.dtype), np.empty((len(rows), kk), index)]
        return (p, q, kk, bool(exclude_self), as_number(within, "within"), as_box(box, p.shape[1]), written,
                as_budget(memory_budget))

    where = place(comm, threads, device, points, queries)
    p, q, kk, without_self, limit, sides, written, budget = where.prepared(prepare)
    if written and type(where) is Process:
        where.call("knn_into", p, q, kk, without_self, limit, sides, *written, budget=budget)
        return Neighbours(written[0], written[1])
    d, i, rows, sources = where.call("knn", p, q, kk, without_self, limit, sides, order == "z", budget=budget)
    if written:
        return Neighbours(put(d, written[0]), put(i, written[1]))
    if order == "input":
        return Neighbours(d, i)
    empty = np.empty(0, np.uint32)
    rows = empty if rows is None else rows
    return OrderedNeighbours(d, i, rows, (rows if q is None else empty) if sources is None else sources)


def _address(f: Any) -> int:
    """The address of a compiled function: numba's cfunc, scipy.LowLevelCallable, ctypes, cffi's or an int."""
    import ctypes

    if isinstance(f, int):
        return f
    if hasattr(f, "address"):
        return int(f.address)
    if isinstance(f, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(f, ctypes.c_void_p).value or 0
    raise TypeError(f"f must be a compiled function (such as numba's cfunc) or its address, not {type(f).__name__}")


def knn_reduce(points: ArrayLike, f: Any, queries: ArrayLike | None = None, k: int = 16, *,
               data: NDArray[Any] | None = None, columns: int = 1, exclude_self: bool = False, box: Box = None,
               threads: int | None = None, memory_budget: float | str | None = None) -> NDArray[np.floating[Any]]:
    """Numbers per point from its neighbours, by a compiled function of yours; no (N, k) array is made.

    Parameters
    ----------
    points, queries, k, exclude_self, box, threads, memory_budget
        As in `knn`.
    f : numba.cfunc, ctypes function, or an address
        ``void f(int64 n, T* d2, int64* index, void* data, T* out)``, T the precision of the points: squared
        distances and input indices of the n neighbours, nearest first; `out` is this row's `columns` numbers.
        Called by several threads at once. It is trusted: what it writes elsewhere is lost, and maybe Python with it.
        (Of exceptions in a numba cfunc nothing is heard here: `out` stays undefined.)
    data : numpy.ndarray, optional
        What f gets as `data`: the address of its first element. It must be C-contiguous.
    columns : int
        How many numbers each row has.

    Returns
    -------
    numpy.ndarray, shape (rows, columns), or (rows,) for one column, in the precision of the points
    """
    p, q = both(points, queries)
    address = 0
    if data is not None:
        if not (isinstance(data, np.ndarray) and data.flags.c_contiguous):
            raise TypeError("data must be a C-contiguous NumPy array")
        address = data.ctypes.data
    asked = _address(f), address, as_count(columns, "columns", 1, 2**16), as_k(k), bool(exclude_self), as_box(box, p.shape[1])
    out: NDArray[np.floating[Any]] = Process(threads).call("knn_reduce", p, q, *asked, budget=as_budget(memory_budget))
    return out[:, 0] if columns == 1 else out


@also_named(queries="zwalk.knn()", weights="masses=", boxsize="box=", n_jobs="threads=")
def density(points: ArrayLike, k: int = 16, *, kind: str = "ball", masses: ArrayLike | None = None,
            exclude_self: bool = False, box: Box = None, threads: int | None = None,
            out: NDArray[np.floating[Any]] | None = None) -> NDArray[np.floating[Any]]:
    """Density at every point from its k nearest; no (N, k) array is made.

    Parameters
    ----------
    points, k, exclude_self, box, threads
        As in `knn`.
    kind : {'ball', 'sph', 'radius'}
        'ball': k points in the ball out to the k-th, per volume. 'sph': the sum of masses with the cubic spline of
        particle methods, whose support h is the distance to the k-th; one to three dimensions. With q = r / h it is
        c (1 - 6 q^2 (1 - q)) up to q = 1/2, then 2 c (1 - q)^3, where c is 4 / (3 h), 40 / (7 pi h^2) or 8 / (pi h^3). 'radius': that
        distance. The point itself is one of the k, at q = 0, unless excluded.
    masses : array_like, shape (N,), optional
        For 'sph', > 0; default: 1 each. In the precision of the points, or rounded to it.
    out : numpy.ndarray, shape (N,), optional
        Where to write, in the precision of the points and C order; returned.

    Returns
    -------
    numpy.ndarray, shape (N,), in the precision of the points
        Points (or mass) per volume in the unit of the points: divide by N / V for the contrast to the mean. inf where
        the k-th neighbour is at the same place. With k > N all N points are taken. In a box each neighbour is the nearest
        image of a point: where the k-th is beyond half a period, the ball overlaps itself, and densities are too small or large.

    Examples
    --------
    >>> import zwalk
    >>> zwalk.density([[0.], [1.], [3.]], k=2)  # 2 points in an interval of 1 to both sides, of 1, of 2
    array([1. , 1. , 0.5])
    """
    p = as_array(points, "points")
    kinds = {"radius": 0, "ball": 1, "sph": 2}
    if kind not in kinds:
        raise _core.InputError(f"kind must be one of {', '.join(kinds)}, not {kind!r}")
    if kind == "sph" and p.shape[1] > 3:
        raise _core.InputError("SPH densities are defined in one to three dimensions")
    m = as_beside(masses, "masses", p.dtype)
    if m is not None:
        if kind != "sph":
            raise _core.InputError("masses are for kind='sph'")
        if len(m) != len(p):
            raise _core.InputError(f"masses must be one for each of the {len(p)} points, not {len(m)}")
    k, without_self = as_k(k), bool(exclude_self)
    if k == 1 and not without_self and kind != "radius":
        raise _core.InputError("with k=1 each point finds only itself, in a ball of no volume: pass a larger k, or "
                               "exclude_self=True")
    if k == 1 and kind == "sph":
        raise _core.InputError("with k=1 the only neighbour is where the kernel ends, and densities are 0: pass a larger k")
    if out is None:
        out = np.empty(len(p), p.dtype)
    else:
        as_out(out, "out", (len(p),), p.dtype, p, m)
    Process(threads).call("density", p, kinds[kind], m, k, without_self, as_box(box, p.shape[1]), out)
    return out
