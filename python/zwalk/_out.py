"""Arrays of the user's that results are written to, and types of indices."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from ._device import DeviceRows
from ._memory import check_memory

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

Indices = Literal["i8", "u4", "i4"]
_KNOWN = tuple(np.dtype(name) for name in ("i8", "u4", "i4"))


def index_type(asked: Any, out: Any = None) -> np.dtype[Any]:
    """What indices are kept in: as asked, or as the array `out` has it. There never are more points than each of them holds."""
    if asked is not None and asked not in _KNOWN:
        raise _core.InputError(f"indices must be 'i8', 'u4' or 'i4', not {asked!r}")
    index = getattr(out, "dtype", None) if asked is None else np.dtype(asked)
    return index if index in _KNOWN else _KNOWN[0]


def narrowed(indices: NDArray[np.int64], index: np.dtype[Any]) -> NDArray[np.integer[Any]]:
    """Indices of 64 bits in another type, in which -1 is the largest number if it has no sign. None is lost (`index_type`)."""
    if index == indices.dtype:
        return indices
    check_memory(indices.size * index.itemsize, f"{indices.size} indices of 32 bits", "those of 64 bits fit, without indices=")
    return indices.astype(index)


def as_out(out: Any, name: str, shape: tuple[int, ...], dtype: DTypeLike, *apart: Any) -> NDArray[Any]:
    """An array to write results into, as it was passed; refused if it doesn't fit, or lies over one of `apart`."""
    dtype = np.dtype(dtype)
    if any(isinstance(other, DeviceRows) for other in apart):
        raise _core.InputError("out is for results on the host; those of points on a GPU stay there")
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} must be a numpy.ndarray, not {type(out).__name__}")
    if out.dtype != dtype:
        raise TypeError(f"{name} must be {dtype}, not {out.dtype}: results are never rounded")
    if out.shape != shape:
        raise _core.InputError(f"{name} must have shape {shape}, not {out.shape}")
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise _core.InputError(f"{name} must be in C order and aligned: pass numpy.empty({shape}, {str(dtype)!r})")
    if not out.flags.writeable:
        raise _core.InputError(f"{name} is read-only")
    if any(isinstance(other, np.ndarray) and np.may_share_memory(out, other) for other in apart):
        raise _core.InputError(f"{name} lies over the memory of another argument, which is read while it is written")
    return out


def as_two(out: Any, names: str) -> tuple[Any, Any]:
    """The two arrays of `out`, which `names` says the meaning of; each is still to be looked at."""
    if not (isinstance(out, tuple) and len(out) == 2):
        raise _core.InputError(f"out must be two arrays ({names})")
    return out


def put(found: NDArray[Any], out: NDArray[Any] | None) -> NDArray[Any]:
    """A result, or `out` (an array by `as_out`) with a copy of it: a call that makes an array of its own can't write elsewhere."""
    if out is None:
        return found
    np.copyto(out, found, casting="unsafe")  # indices of 64 bits, of which 32 suffice
    return out
