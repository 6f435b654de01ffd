"""Where work runs: in this process, on a GPU, or on the ranks of an mpi4py communicator, of whose points each passes its own."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._device import DeviceArray, DeviceRows, device_number, is_on_gpu
from ._points import as_threads

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import NDArray

THREADS, _ANY_GPU = -1, -2  # in place of the number of a GPU


class Process:
    """This process alone."""

    first_row = 0
    number = THREADS  # of the GPU

    def __init__(self, threads: int | None) -> None:
        self.threads = as_threads(threads)

    def prepared(self, prepare: Callable[[], tuple[Any, ...]]) -> Any:
        """The arguments of a call, checked."""
        arguments = prepare()
        self.rows = len(arguments[0])
        return arguments

    def call(self, name: str, *arguments: Any, budget: int = 0) -> Any:
        """A function of the module, with where it is to work."""
        return getattr(_core, name)(*arguments, self.here(budget))

    def here(self, budget: int = 0) -> Any:
        """Where it is to work, as the module knows it."""
        return _core.Here(self.threads, budget, self.number)

    def numbered(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """Groups as 0, 1, ... where they are called by their first rows; -1 stays."""
        names = np.flatnonzero(first == np.arange(len(first)))
        number = np.full(len(first) + 1, -1, np.int64)
        number[names] = np.arange(len(names))
        return number[first]


class Gpu(Process):
    """A GPU. Points may be on the host, or on that GPU: then results stay there, as DeviceArray."""

    def __init__(self, device: int | None, threads: int | None) -> None:
        super().__init__(threads)
        if not _core.built_with_cuda():
            here = ("points are on a GPU: pass a copy on the host, such as cupy.asnumpy(x) or x.cpu()" if device is None else
                    "leave out device='cuda'")
            raise _without_cuda(here)
        self._asked, self.number = device, device or 0

    def prepared(self, prepare: Callable[[], tuple[Any, ...]]) -> Any:
        arguments = super().prepared(prepare)
        self.number = one_device(self._asked, [a for a in arguments if isinstance(a, DeviceRows)])
        return arguments

    def call(self, name: str, *arguments: Any, budget: int = 0) -> Any:
        return _shown(super().call(name, *map(_native, arguments), budget=budget))

    def numbered(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        if isinstance(first, DeviceArray):
            raise _core.InputError("labels are on a GPU, but are numbered on the host: pass points there, with device='cuda'")
        return super().numbered(first)


def _without_cuda(advice: str) -> _core.InputError:
    return _core.InputError(f"this zwalk was built without CUDA; {advice}, or build one with "
                            "pip install . -Ccmake.define.ZWALK_CUDA=ON, where nvcc is on PATH")


def one_device(asked: int | None, arrays: list[DeviceRows]) -> int:
    """The GPU that is asked for, or that arrays are on; they must agree. (Some don't know.)"""
    there = {a.device for a in arrays if a.device is not None} | ({asked} - {None})
    if len(there) > 1:
        raise _core.InputError("points, queries and device must be on one GPU, not on " + " and ".join(
            f"cuda:{n}" for n in sorted(n for n in there if n is not None)))
    return there.pop() or 0 if there else 0


def _native(argument: Any) -> Any:
    return argument.native() if isinstance(argument, DeviceRows) else argument


def _shown(found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(map(_shown, found))
    return DeviceArray(found) if isinstance(found, _core.OnDevice) else found


class _Prepared(NamedTuple):
    """What a rank says of its arguments."""

    failure: Exception | None
    own_rows: int
    any_rows: int  # queries and the like, too
    dtype: str
    host: str
    cores: frozenset[int]
    device: str
    on_gpu: bool


class Ranks:
    """The ranks of a communicator. All of them make the same calls, in the same order.

    `device` 'cuda' is a GPU for each rank: those of a host go round among its ranks; 'cuda:1' is what this rank knows by that
    number.

    A rank that raised alone would leave the others waiting for ever: so arguments are checked in `prepared`, which raises on
    all ranks or on none; and what is called then is the library, which keeps to the same rule.
    """

    def __init__(self, comm: MPI.Comm, threads: int | None, device: str | None = None, arrays: tuple[Any, ...] = ()) -> None:
        self._mpi, self.comm, self._asked, self.device, self._arrays = _module(), comm, threads, device, arrays
        self._handle, self.number = _handle(self._mpi, comm), THREADS

    def prepared(self, prepare: Callable[[], tuple[Any, ...]]) -> Any:
        """The arguments of a call, checked on all ranks; with `threads`, this rank's share of its host."""
        arguments: tuple[Any, ...] = ()
        failure = None
        try:
            self.number = self._own_device()
            arguments = prepare()
            threads = as_threads(self._asked)
        except Exception as e:
            failure = e
        points = [a for a in arguments if isinstance(a, np.ndarray) and a.ndim == 2]
        cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
        own = _Prepared(_that_travels(failure), len(points[0]) if points else 0, sum(map(len, points)),
                        points[0].dtype.str if points else "", sys.modules["mpi4py.MPI"].Get_processor_name(),
                        frozenset(cores), repr(self.device), self.number != THREADS)
        all_: list[_Prepared] = self.comm.allgather(own)
        for rank, other in enumerate(all_):
            if other.failure is not None:
                if rank == self.comm.rank and failure is not None:
                    raise failure
                raise type(other.failure)(f"{other.failure} (on rank {rank})")
        for rank, other in enumerate(all_):
            if other.on_gpu != all_[0].on_gpu:
                raise _core.InputError(f"ranks disagree on device ({all_[0].device} on rank 0, {other.device} on rank {rank})")
        beside = [other for other in all_ if other.host == own.host]
        share = min(len(own.cores), len(frozenset().union(*(other.cores for other in beside))) // len(beside))
        self.threads = threads or max(1, share)
        self.first_row = sum(other.own_rows for other in all_[:self.comm.rank])
        self.rows = sum(other.own_rows for other in all_)
        # A rank without rows has the others' precision. (Those with rows that differ are refused by the library.)
        dtypes = {other.dtype for other in all_ if other.any_rows}
        if not own.any_rows and len(dtypes) == 1:
            dtype = np.dtype(dtypes.pop())
            arguments = tuple(a.astype(dtype) if isinstance(a, np.ndarray) and a.ndim == 2 else a for a in arguments)
        return arguments

    def _own_device(self) -> int:
        """As the module wants it."""
        number = device_number(self.device)
        if any(map(is_on_gpu, self._arrays)):
            raise _core.InputError("ranks take points from host memory: pass a copy there, with device='cuda' for walks on GPUs")
        if number in (None, -1):
            return THREADS
        if not _core.built_with_cuda():
            raise _without_cuda("leave out device='cuda'")
        return _ANY_GPU if self.device == "cuda" else number

    def call(self, name: str, *arguments: Any, budget: int = 0) -> Any:
        where = self._mpi.Ranks(self._handle, self.threads, budget, self.number)
        return getattr(self._mpi, name)(*arguments, where)

    def numbered(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """As that of a process. All ranks get the names of all groups."""
        own = np.flatnonzero(first == np.arange(self.first_row, self.first_row + len(first))) + self.first_row
        names = np.concatenate(self.comm.allgather(own))
        return np.where(first < 0, np.int64(-1), np.searchsorted(names, first))


def place(comm: MPI.Comm | None, threads: int | None, device: str | None = None, *arrays: Any) -> Process | Ranks:
    """Where a call runs.

    Parameters
    ----------
    device
        As users pass it; None: where the arrays are.
    arrays
        Points and queries, or None, as users pass them.
    """
    if comm is not None:
        return Ranks(comm, threads, device, arrays)
    number = device_number(device)
    on_gpu = any(map(is_on_gpu, arrays))
    if number is None and not on_gpu or number == -1:
        if on_gpu:
            raise _core.InputError("device='cpu', but points are on a GPU: pass a copy on the host")
        return Process(threads)
    return Gpu(number, threads)


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
    if not theirs.Is_initialized() or theirs.Is_finalized():  # all else that is asked would end the process
        raise _core.InputError("comm: MPI isn't initialised, or has been finalized")
    if comm == theirs.COMM_NULL:
        raise _core.InputError("comm is MPI.COMM_NULL")
    handle = comm.py2f()
    why = mpi.refusal(theirs.Get_library_version().rstrip("\0"), theirs.COMM_WORLD.py2f(), handle, comm.rank, comm.size)
    if why:
        raise _core.InputError(f"comm: {why}")
    return int(handle)
