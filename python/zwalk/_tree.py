"""Points that are kept, with the interface of scipy.spatial.KDTree."""
from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._knn import Neighbours
from ._lists import lists_within
from ._memory import check_neighbours
from ._out import as_out, as_two, index_type, narrowed, put
from ._points import as_array, as_box, as_budget, as_k, as_number, as_path, as_threads
from ._radius import RadiusLists
from ._space import check_same_space, counts_within, extent_of, periods_of, radii_of, radius_of, wrapped
from ._two_trees import count_neighbors, distance_matrix, query_pairs

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

    from ._out import Indices
    from ._points import Box


def _euclidean(p: float, eps: float = 0.0) -> None:
    if p != 2:
        raise _core.InputError(f"p must be 2: distances are Euclidean, not {p!r}")
    if not eps >= 0:  # what is exact is within any tolerance
        raise _core.InputError(f"eps must be >= 0, not {eps!r}")


class KDTree(_core.WithData):
    """Points ready to be searched again and again, with the interface of scipy.spatial.KDTree.

    Parameters
    ----------
    data : array_like, shape (n, m)
        float32 stays float32, in all results.
    leafsize, compact_nodes, copy_data, balanced_tree
        As SciPy has them, also in this order: they change nothing, and the points are always copied.
    boxsize : float or sequence of m floats, optional
        Periods; 0, None or inf: an open axis. The points may lie in any interval of that length; points to search from
        may lie anywhere (those outside are wrapped).
    threads : int, optional
        Of the build and of all searches, as in `knn`. `workers`, which SciPy has in each of them, is accepted and left
        alone: no result depends on it.
    memory_budget : int or str, optional
        As in `knn` and `radius`.

    Attributes
    ----------
    n, m : int
        Points, and their coordinates.
    dtype : numpy.dtype
    boxsize : numpy.ndarray or None
    leafsize : int
        As it was passed; 10 of a tree from a file.
    mins, maxes : numpy.ndarray, shape (m,)
        The least and the largest coordinates; looked for once.
    data : numpy.ndarray, shape (n, m)
        The points, read-only; made when it is first asked for, and kept.

    Notes
    -----
    Any number of threads may search one tree at once. Trees can be pickled.
    """

    def __init__(self, data: ArrayLike, leafsize: int = 10, compact_nodes: bool = True, copy_data: bool = False,
                 balanced_tree: bool = True, boxsize: Box = None, *, threads: int | None = None,
                 memory_budget: float | str | None = None) -> None:
        a = as_array(data, "data")
        self.leafsize = _leafsize(leafsize)
        limits = as_threads(threads), as_budget(memory_budget)
        sides = as_box(boxsize, a.shape[1], "boxsize")
        try:
            self._keep(_kind(a.dtype.itemsize).build(a, sides, *limits), limits)
        except _core.InputError as e:
            if not str(e).startswith("box: "):
                raise
            said = str(e).replace("box: ", "boxsize: ", 1).replace("the points span", "data span").replace("the box length", "the period")
            raise _core.InputError(said.replace("(points % box)", "(data % boxsize)")) from None

    @classmethod
    def _of(cls, index: Any, limits: tuple[int, int], leafsize: int = 10) -> KDTree:
        self = cls.__new__(cls)
        self.leafsize = leafsize
        self._keep(index, limits)
        return self

    def _keep(self, index: Any, limits: tuple[int, int]) -> None:
        self._index, self._limits = index, limits
        # What each search asks for: the module takes longer to tell it than to search.
        self._n, self._m, self._box = int(index.size), int(index.dim), list(index.box)
        self._dtype = np.dtype(np.float32 if isinstance(index, _core.Index32) else np.float64)
        self._extent: tuple[list[float], list[float]] | None = None
        self._periods = periods_of(self)
        self._half_period = min((side for side in self._box if side > 0), default=math.inf) / 2 if self._box else math.inf
        self._own_at_zero: int | None = None

    @property
    def n(self) -> int:
        """How many points there are."""
        return self._n

    @property
    def m(self) -> int:
        """How many coordinates each has."""
        return self._m

    @property
    def dtype(self) -> np.dtype[Any]:
        """The precision of the points and of all distances."""
        return self._dtype

    def _make_data(self) -> NDArray[Any]:
        """What `data` keeps."""
        data: NDArray[Any] = self._index.data()
        data.flags.writeable = False
        return data

    def _points(self) -> NDArray[Any]:
        """The points; a new array that isn't kept, if there is none."""
        if self._data is not None:
            return self._data
        data: NDArray[Any] = self._index.data()
        return data

    @property
    def boxsize(self) -> NDArray[np.float64] | None:
        """Periods, shape (m,), or None in open space."""
        return np.array(self._box) if self._box else None

    @property
    def mins(self) -> NDArray[Any]:
        """The least coordinate on each axis, shape (m,); 0 without points."""
        extent = extent_of(self)
        return np.array(extent[0] if extent else [0] * self.m, self.dtype)

    @property
    def maxes(self) -> NDArray[Any]:
        """The largest coordinate on each axis, shape (m,); 0 without points."""
        extent = extent_of(self)
        return np.array(extent[1] if extent else [0] * self.m, self.dtype)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        box = f", boxsize={self._box}" if self._box else ""
        return f"zwalk.KDTree(n={self.n}, m={self.m}, dtype={self.dtype}{box})"

    # --- nearest ----------------------------------------------------------------------------------------------------

    def query(self, x: ArrayLike, k: int | Sequence[int] = 1, eps: float = 0.0, p: float = 2,
              distance_upper_bound: float = np.inf, workers: int = -1, *, indices: Indices | None = None) -> tuple[Any, Any]:
        """The k nearest points of every x, nearest first.

        Parameters
        ----------
        x : array_like, shape (..., m)
        k : int or sequence of ints
            A sequence: which neighbours, counted from 1.
        eps, p, workers
            As SciPy has them: p must be 2, the others change nothing.
        distance_upper_bound : float
            Neighbours at this distance or further are left out.
        indices : {'i8', 'u4', 'i4'}, optional
            Type of i, by default 'i8' (int64). Those of 32 bits are made from these, which are there until the call ends; other
            types are a ValueError. (Not in SciPy.)

        Returns
        -------
        d : numpy.ndarray, shape (...) for k = 1, else (..., k)
            In the precision of the tree; inf where there is none.
        i : numpy.ndarray of int64, or as `indices` says
            Where there is none: n, as SciPy has it.
        """
        _euclidean(p, eps)
        bound = as_number(distance_upper_bound, "distance_upper_bound")
        index = None if indices is None else index_type(indices)
        which = None
        if k is None:
            raise _core.InputError("k must be an integer or a sequence of integers, not None")
        if type(k) is not int and np.ndim(k):  # np.ndim takes a tenth of a small search
            several: Any = k
            which = np.asarray([as_k(j) for j in several], np.intp) - 1
            if not which.size:
                raise _core.InputError("k must name at least one neighbour")
        kmax = as_k(k) if which is None else int(which.max()) + 1
        rows, shape = self._rows(x)
        check_neighbours(len(rows), kmax, self.dtype.itemsize)
        within = bound if bound > 0 else 0.0  # which takes in those at the bound
        d, i, *_ = self._index.knn(rows, kmax, False, within, [], False)
        if kmax > self.n:
            i[i < 0] = self.n
        if bound < np.inf:
            far = ~(d < np.float64(bound))  # as it is, not in the tree's precision
            np.putmask(d, far, np.inf)
            np.putmask(i, far, self.n)
        if index is not None:
            i = narrowed(i, index)
        if which is not None:
            return d[:, which].reshape(*shape, len(which)), i[:, which].reshape(*shape, len(which))
        if kmax > 1:
            return d.reshape(*shape, kmax), i.reshape(*shape, kmax)
        d, i = d.reshape(shape), i.reshape(shape)
        return (d, i) if shape else (d[()], i[()])

    def neighbours(self, k: int = 16, *, exclude_self: bool = True, indices: Indices | None = None,
                   out: tuple[NDArray[np.floating[Any]], NDArray[np.integer[Any]]] | None = None) -> Neighbours:
        """The k nearest points of every point of the tree: `Neighbours` of shape (n, k). (Not in SciPy.)

        `out`, if there is one, has two arrays of that shape to copy (distances, indices) to, as in `knn`: the first in the
        tree's precision, the second of int64, uint32 or int32, both in C order. They are returned. Arrays of the library's
        own are there, too, until the call ends. Arrays that don't fit are a ValueError, or of another dtype a TypeError.
        `indices` as in `query`; where there are fewer than k points, indices are as in `knn`.
        """
        kk = as_k(k)
        index = index_type(indices, None if out is None else as_two(out, "distances, indices")[1])
        if out is not None:
            as_out(out[0], "out[0]", (self.n, kk), self.dtype)
            as_out(out[1], "out[1]", (self.n, kk), index, out[0])
        check_neighbours(self.n, kk, self.dtype.itemsize)
        d, i, *_ = self._index.knn(None, kk, bool(exclude_self), np.inf, [], False)
        return Neighbours(d, narrowed(i, index)) if out is None else Neighbours(put(d, out[0]), put(i, out[1]))

    # --- within a radius --------------------------------------------------------------------------------------------

    def radius(self, radius: ArrayLike, x: ArrayLike | None = None, *, exclude_self: bool = False, larger: bool = False,
               distances: bool = True, indices: Indices | None = None) -> RadiusLists:
        """All points within the radius of every x, shape (M, m), or of every point of the tree: `RadiusLists`.

        The same as `query_ball_point` in arrays instead of lists of lists. One radius, or one for each row; `larger` as in
        `zwalk.radius`, and `indices`. (Not in SciPy.)
        """
        index = index_type(indices)
        if x is None:
            rows = None
            r = radii_of(self, radius, None, (self.n,), "radius")
        elif exclude_self or larger:
            raise _core.InputError(f"{'exclude_self' if exclude_self else 'larger'} is for the points of the tree: leave out x")
        else:
            rows, shape = self._rows(x)
            if len(shape) != 1:
                raise _core.InputError(f"x must have shape (M, {self.m})")
            r = radii_of(self, radius, rows, shape, "radius")
        found = self._index.radius(rows, r, bool(larger), bool(exclude_self), bool(distances), [], False)
        return RadiusLists(found[0], narrowed(found[1], index), found[2] if distances else None)

    def query_ball_point(self, x: ArrayLike, r: ArrayLike, p: float = 2, eps: float = 0.0, workers: int = -1,
                         return_sorted: bool | None = None, return_length: bool = False) -> Any:
        """The indices of all points within distance r of every x.

        Parameters
        ----------
        x : array_like, shape (..., m)
        r : array_like
            One radius, or as many as there are x; inf is everything. In a periodic box each point is found once, at its
            nearest image, also by a radius beyond half of a period (a UserWarning).
        p, eps, workers
            As SciPy has them: p must be 2, the others change nothing.
        return_sorted : bool, optional
            Sort each list by index; None: those of several x only. Otherwise the nearest come first.
        return_length : bool
            Only how many there are.

        Returns
        -------
        list, or array of lists of shape (...)
            With return_length an integer, or an array of int64. `radius` gives arrays, which are far smaller and faster.
        """
        _euclidean(p, eps)
        rows, shape = self._rows(x)
        radii = radii_of(self, r, rows, shape, "r")
        if return_length:
            return counts_within(self._index, rows, radii).reshape(shape)[()]
        lists = lists_within(self, rows, radii, bool(shape) if return_sorted is None else return_sorted)
        return np.fromiter(lists, object, len(lists)).reshape(shape) if shape else lists[0]

    def query_pairs(self, r: float, p: float = 2, eps: float = 0.0, output_type: str = "set") -> Any:
        """All pairs of points within distance r of each other, as (i, j) with i < j.

        Returns
        -------
        set of tuples, or with output_type='ndarray' an int64 array of shape (pairs, 2): ascending i, nearest j first
        """
        _euclidean(p, eps)
        if output_type not in ("set", "ndarray"):
            raise _core.InputError(f"output_type must be 'set' or 'ndarray', not {output_type!r}")
        return query_pairs(self, radius_of(self, r, None, "r"), output_type)

    def query_ball_tree(self, other: KDTree, r: float, p: float = 2, eps: float = 0.0) -> list[list[int]]:
        """Of each point of this tree the points of another one within distance r, as a list of indices, ascending.

        `other` is in the same space: of the same dimension, dtype and boxsize.
        """
        _euclidean(p, eps)
        check_same_space(self, other)
        rows = wrapped(other, self._points())
        return lists_within(other, rows, radius_of(other, r, rows, "r"), True)

    # --- two trees --------------------------------------------------------------------------------------------------

    def sparse_distance_matrix(self, other: KDTree, max_distance: float, p: float = 2,
                               output_type: str = "dok_matrix") -> Any:
        """Distances of the points of this tree and of another one, as far as they are at most max_distance.

        Parameters
        ----------
        other : KDTree
            In the same space: of the same dimension, dtype and boxsize.
        output_type : {'dok_matrix', 'coo_matrix', 'dok_array', 'coo_array', 'dict', 'ndarray'}
            'ndarray': records (i, j, v). Distances of 0 are kept, but in 'dok_matrix' and 'dok_array'.
        """
        _euclidean(p)
        if output_type not in ("dok_matrix", "coo_matrix", "dok_array", "coo_array", "dict", "ndarray"):
            raise _core.InputError(
                "output_type must be 'dok_matrix', 'coo_matrix', 'dok_array', 'coo_array', 'dict' or 'ndarray', "
                f"not {output_type!r}")
        check_same_space(self, other)
        return distance_matrix(self, other, max_distance, output_type)

    def count_neighbors(self, other: KDTree, r: ArrayLike, p: float = 2, weights: Any = None,
                        cumulative: bool = True) -> Any:
        """How many pairs of a point of this tree and a point of another one are within each distance.

        Parameters
        ----------
        other : KDTree
            In the same space: of the same dimension, dtype and boxsize. The tree itself: each pair counts twice, and
            each point with itself.
        r : float or array_like, one axis
        weights : array_like or tuple of two, optional
            One for each point of this tree and of the other one (or None), or one array for both: the sum of the
            products of both points' weights.
        cumulative : bool
            False: those with r[i-1] < distance <= r[i]; r must not descend.

        Returns
        -------
        int (float with weights), or an array of them
        """
        _euclidean(p)
        check_same_space(self, other)
        return count_neighbors(self, other, r, weights, cumulative)

    # --- files ------------------------------------------------------------------------------------------------------

    def save(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Write the tree into a file, whole or not at all."""
        self._index.save(as_path(path))

    @classmethod
    def load(cls, path: str | bytes | os.PathLike[Any], *, threads: int | None = None,
             memory_budget: float | str | None = None) -> KDTree:
        """The tree in a file that `save` has written, without sorting again."""
        limits = as_threads(threads), as_budget(memory_budget)
        path = as_path(path)
        open(path, "rb").close()  # FileNotFoundError and its like
        return cls._of(_kind(_core.index_item_bytes(path)).load(path, *limits), limits)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._index.to_bytes(), self.dtype.itemsize, self._limits, self.leafsize)

    # --- what to search with --------------------------------------------------------------------------------------

    def _rows(self, x: ArrayLike) -> tuple[NDArray[Any], tuple[int, ...]]:
        """x as rows of the tree's precision inside its box, and the shape of results."""
        if type(x) is not np.ndarray or x.dtype != self._dtype or not x.ndim or not x.flags.c_contiguous or not x.flags.aligned:
            x = as_array(x, "x", dtype=self._dtype, ndim=None)
        if x.shape[-1] != self._m:
            raise _core.InputError(f"x must have {self._m} coordinates, not {x.shape[-1]}")
        shape = x.shape[:-1]
        return wrapped(self, x.reshape(math.prod(shape), self._m)), shape


def _kind(item_bytes: int) -> Any:
    return _core.Index32 if operator.index(item_bytes) == 4 else _core.Index64


def _leafsize(n: Any) -> int:
    """As SciPy wants it, though nothing comes of it; what is no integer was meant as something else."""
    try:
        size = operator.index(n)
    except TypeError:
        raise TypeError(f"leafsize must be an integer, not {type(n).__name__}; periods go by name: boxsize=...") from None
    if size < 1:
        raise _core.InputError(f"leafsize must be at least 1, not {size}")
    return size


def _unpickled(data: bytes, item_bytes: int, limits: tuple[int, int], leafsize: int) -> KDTree:
    return KDTree._of(_kind(item_bytes).from_bytes(data, *limits), limits, leafsize)
