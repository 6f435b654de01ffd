"""Where work runs: in this process, or on the ranks of an mpi4py communicator, of whose points each passes its own."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._points import as_threads

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import NDArray


class Process:
    """This process alone."""

    first_row = 0

    def __init__(self, threads: int | None) -> None:
        self.threads = as_threads(threads)

    def prepared(self, prepare: Callable[[], tuple[Any, ...]]) -> Any:
        """The arguments of a call, checked."""
        arguments = prepare()
        self.rows = len(arguments[0])
        return arguments

    def call(self, name: str, *arguments: Any) -> Any:
        return getattr(_core, name)(*arguments)

    def numbered(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """Groups as 0, 1, ... where they are called by their first rows; -1 stays."""
        names = np.flatnonzero(first == np.arange(len(first)))
        number = np.full(len(first) + 1, -1, np.int64)
        number[names] = np.arange(len(names))
        return number[first]


class _Prepared(NamedTuple):
    """What a rank says of its arguments."""

    failure: Exception | None
    own_rows: int
    any_rows: int  # queries and the like, too
    dtype: str
    host: str
    cores: frozenset[int]


class Ranks:
    """The ranks of a communicator. All of them make the same calls, in the same order.

    A rank that raised alone would leave the others waiting for ever: so arguments are checked in `prepared`, which raises on
    all ranks or on none; and what is called then is the library, which keeps to the same rule.
    """

    def __init__(self, comm: MPI.Comm, threads: int | None) -> None:
        self._mpi, self.comm, self._asked = _module(), comm, threads
        self._handle = _handle(self._mpi, comm)

    def prepared(self, prepare: Callable[[], tuple[Any, ...]]) -> Any:
        """The arguments of a call, checked on all ranks; with `threads`, this rank's share of its host."""
        arguments: tuple[Any, ...] = ()
        failure = None
        try:
            arguments = prepare()
            threads = as_threads(self._asked)
        except Exception as e:
            failure = e
        points = [a for a in arguments if isinstance(a, np.ndarray) and a.ndim == 2]
        cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
        own = _Prepared(_that_travels(failure), len(points[0]) if points else 0, sum(map(len, points)),
                        points[0].dtype.str if points else "", sys.modules["mpi4py.MPI"].Get_processor_name(),
                        frozenset(cores))
        all_: list[_Prepared] = self.comm.allgather(own)
        for rank, other in enumerate(all_):
            if other.failure is not None:
                if rank == self.comm.rank and failure is not None:
                    raise failure
                raise type(other.failure)(f"{other.failure} (on rank {rank})")
        beside = [other for other in all_ if other.host == own.host]
        self.threads = threads or max(
            1, min(len(own.cores), len(frozenset().union(*(other.cores for other in beside))) // len(beside)))
        self.first_row = sum(other.own_rows for other in all_[:self.comm.rank])
        self.rows = sum(other.own_rows for other in all_)
        # A rank without rows has the others' precision. (Those with rows that differ are refused by the library.)
        dtypes = {other.dtype for other in all_ if other.any_rows}
        if not own.any_rows and len(dtypes) == 1:
            dtype = np.dtype(dtypes.pop())
            arguments = tuple(a.astype(dtype) if isinstance(a, np.ndarray) and a.ndim == 2 else a for a in arguments)
        return arguments

    def call(self, name: str, *arguments: Any) -> Any:
        return getattr(self._mpi, name)(self._handle, *arguments)

    def numbered(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """As that of a process. All ranks get the names of all groups."""
        own = np.flatnonzero(first == np.arange(self.first_row, self.first_row + len(first))) + self.first_row
        names = np.concatenate(self.comm.allgather(own))
        return np.where(first < 0, np.int64(-1), np.searchsorted(names, first))


def place(comm: MPI.Comm | None, threads: int | None) -> Process | Ranks:
    return Process(threads) if comm is None else Ranks(comm, threads)


_KINDS = _core.Error, _core.InputError, ValueError, TypeError, NotImplementedError, MemoryError


def _that_travels(failure: Exception | None) -> Exception | None:
    """An exception with the same words that can be pickled."""
    if failure is None:
        return None
    kind = next((k for k in _KINDS if type(failure) is k), None)
    return kind(str(failure)) if kind else _core.Error(f"{type(failure).__name__}: {failure}")


def _module() -> Any:
    import importlib

    try:
        return importlib.import_module("zwalk._mpi")
    except ModuleNotFoundError as e:
        if e.name != "zwalk._mpi":
            raise
        raise _core.InputError("comm: this zwalk was built without MPI; pip install . -Ccmake.define.ZWALK_MPI=ON "
                               "builds one that has it") from None


def _handle(mpi: Any, comm: MPI.Comm) -> int:
    """A communicator as the module knows it, an int of Fortran's; refused if it means nothing there."""
    theirs = sys.modules.get("mpi4py.MPI")
    if theirs is None or not isinstance(comm, theirs.Comm):
        raise TypeError(f"comm must be a communicator of mpi4py, such as MPI.COMM_WORLD, not {type(comm).__name__}")
    if comm == theirs.COMM_NULL:
        raise _core.InputError("comm is MPI.COMM_NULL")
    handle = comm.py2f()
    why = mpi.refusal(theirs.Get_library_version().rstrip("\0"), theirs.COMM_WORLD.py2f(), handle, comm.rank, comm.size)
    if why:
        raise _core.InputError(f"comm: {why}")
    return int(handle)
