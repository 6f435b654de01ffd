"""Neighbours batch by batch, for more of them than fit into memory."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._memory import check_neighbours
from ._place import Gpu, Process, Ranks, place
from ._points import as_box, as_budget, as_k, as_number, both
from ._tree import _kind

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box

    Take = Callable[[int, NDArray[np.floating[Any]], NDArray[np.int64]], object]


def knn_in_batches(points: ArrayLike, take: Take, queries: ArrayLike | None = None, k: int = 16, *,
                   batch_bytes: float | str = "1G", exclude_self: bool = False, within: float = np.inf,
                   box: Box = None, threads: int | None = None, memory_budget: float | str | None = None,
                   device: str | None = None, comm: MPI.Comm | None = None) -> int:
    """The k nearest points of every point, or of every query, as `knn` finds them, handed over batch by batch.

    Rows of a batch are walked as queries, further apart than all of them: the more batches, the longer it takes.

    Parameters
    ----------
    points, queries, k, exclude_self, within, box, threads, memory_budget
        As in `knn`.
    take : callable
        ``take(first, distances, indices)`` is called for one batch after the other: the rows first, first + 1, ... of the
        points or queries, with their neighbours as `knn` has them, shape (rows, k). The arrays are new ones, to keep or
        drop. What it raises ends the call.
    batch_bytes : int or str
        About so many bytes of neighbours are in memory at a time, also as "8G"; there are as few batches as that takes.
    device : str, optional
        With `comm`, as in `knn`. One GPU alone hasn't batches.
    comm : mpi4py.MPI.Comm, optional
        As in `knn`; `first` is then a number among the rows that this rank passes. Points are sorted, and imported, once
        for all batches. All ranks have equally many, the rank with the least `batch_bytes` decides, and `take` is called
        on all of them alike, so it may communicate. If it raises on one rank, it is a zwalk.Error on the others.

    Returns
    -------
    int
        How many batches there were.

    Examples
    --------
    >>> import numpy as np, zwalk
    >>> x = np.random.default_rng(0).random((1000, 3))
    >>> furthest = np.empty(1000)
    >>> def take(first, distances, indices):
    ...     furthest[first:first + len(distances)] = distances[:, -1]
    >>> zwalk.knn_in_batches(x, take, k=8, batch_bytes=50_000)
    3
    """
    def prepare() -> tuple[Any, ...]:
        if not callable(take):
            raise TypeError(f"take must be callable, not {type(take).__name__}")
        p, q = both(points, queries)
        check_neighbours(min(len(p if q is None else q), 1), as_k(k), p.dtype.itemsize)  # a batch has a row, at least
        return (p, q, as_k(k), bool(exclude_self), as_number(within, "within"), as_box(box, p.shape[1]),
                as_budget(memory_budget), as_budget(batch_bytes, "batch_bytes"))

    where = place(comm, threads, device, points, queries)
    if isinstance(where, Gpu):
        raise _core.InputError("a GPU finds neighbours all at once, by knn: pass points on the host, and no device")
    arguments = where.prepared(prepare)
    if isinstance(where, Ranks):
        return _on_ranks(where, take, *arguments)
    return _here(where, take, *arguments)


def _here(where: Process, take: Take, p: NDArray[Any], q: NDArray[Any] | None, k: int, exclude_self: bool,
          within: float, sides: list[float], budget: int, batch_bytes: int) -> int:
    rows = p if q is None else q
    spare = exclude_self and q is None  # of one more neighbour all but the point itself are copied
    listed = len(rows) * (k + spare) * (p.itemsize + 8) * (1 + spare)
    batches = max(1, min(len(rows), -(-listed // batch_bytes)))
    if batches == 1 or exclude_self and not spare:  # which is refused
        d, i, *_ = where.call("knn", p, q, k, exclude_self, within, sides, False, budget=budget)
        take(0, d, i)
        return 1
    index = _kind(p.itemsize).build(p, sides, where.threads, budget)
    if q is not None:
        index.check_queries(q)
    for batch in range(batches):
        first, end = (len(rows) * b // batches for b in (batch, batch + 1))
        d, i, *_ = index.knn(rows[first:end], k + spare, False, within, [], False)
        take(first, *(_without_self(first, d, i) if spare else (d, i)))
    return batches


def _without_self(first: int, d: NDArray[Any], i: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Of k + 1 neighbours of the points first, first + 1, ... the k others."""
    left_out = i == np.arange(first, first + len(i))[:, None]
    left_out[~left_out.any(axis=1), -1] = True  # copies of it are all that is listed: the last one is too many
    shape = len(i), i.shape[1] - 1
    return d[~left_out].reshape(shape), i[~left_out].reshape(shape)


def _on_ranks(where: Ranks, take: Take, *arguments: Any) -> int:
    *asked, budget, batch_bytes = arguments
    batches = 0
    failure: BaseException | None = None

    def told(first: int, d: NDArray[Any], i: NDArray[np.int64]) -> str:
        """What all ranks hear of what it raised."""
        nonlocal batches, failure
        batches += 1
        try:
            take(first, d, i)
        except BaseException as e:
            failure = e
            return f"{type(e).__name__}: {e}"
        return ""

    try:
        where.call("knn_in_batches", *asked, batch_bytes, told, budget=budget)
    except _core.Error:
        if failure is None:
            raise
    if failure is not None:
        raise failure
    return batches
