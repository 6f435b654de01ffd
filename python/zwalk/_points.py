"""From what users have to what zwalk reads: rows of float32 or float64 in C order. No rounding of points is silent."""
from __future__ import annotations

import math
import operator
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core
from ._device import DeviceRows, device_rows, is_on_gpu, kind_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

Box = Optional[Union[float, Sequence[Optional[float]], np.ndarray]]  # as users pass it

_COLUMNS = 64  # of points, at most


def _from_dlpack(x: Any, name: str) -> NDArray[Any]:
    """An array of another library in host memory, without a copy; GPU arrays are refused by name."""
    kind = kind_of(x)
    if kind not in (0, 1, 3):  # one that it doesn't say, kDLCPU, kDLCUDAHost
        raise NotImplementedError(
            f"{name} is on a device (DLPack kind {kind}), but this works in host memory: pass a copy there, "
            "such as numpy.asarray(x), cupy.asnumpy(x) or x.cpu()")
    if not hasattr(x, "__dlpack__"):
        return np.asarray(x)
    try:
        return np.from_dlpack(x)
    except Exception as e:  # bfloat16, sparse, without data, with a gradient ...: each library has its own kinds and words
        raise TypeError(f"{name} can't be read ({e}): pass float32 or float64 in host memory, such as "
                        f"numpy.asarray({name}), or of a tensor {name}.detach().float()") from e


def as_array(x: ArrayLike, name: str, dtype: DTypeLike | None = None, ndim: int | None = 2) -> NDArray[Any]:
    """`x` as a C-contiguous float32 or float64 array; itself where it is one already.

    dtype: the precision asked for by what it is used with. Arrays of another one are refused, numbers without a
    dtype (lists, Python floats) take it. ndim: of how many axes; None: at least one.
    """
    if type(x) is np.ndarray and x.ndim == ndim and _is_read_as_it_is(x, dtype):  # to say so takes a tenth of what follows
        return x
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise _core.InputError(f"{name} has masked values; leave those rows out")
    if (hasattr(x, "__dlpack_device__") or hasattr(x, "__cuda_array_interface__")) and not isinstance(x, np.ndarray):
        x = _from_dlpack(x, name)
    typed = hasattr(x, "dtype") or hasattr(x, "__array_interface__") or hasattr(x, "dtypes")
    try:
        a = np.asarray(x)
    except ValueError as e:
        what = "numbers" if ndim == 1 else "rows of one length"
        raise _core.InputError(f"{name} must be {what}: {e}") from None
    if ndim is None:
        ndim = max(a.ndim, 1)
    if a.ndim == ndim and _is_read_as_it_is(a, dtype):  # of a list, too: what follows takes as long as a search for it
        return a
    if a.dtype.kind in "iub":
        wanted = np.dtype(dtype or np.float64)
        if a.dtype.itemsize >= 4 and a.size:
            exact = 2 ** (24 if wanted.itemsize == 4 else 53)
            if max(-int(a.min()), int(a.max())) > exact:
                raise _core.InputError(f"{name} holds integers that {wanted} would round; convert them yourself")
        a = a.astype(wanted)
    elif a.dtype.kind == "f":
        if a.dtype.itemsize == 2:
            a = a.astype(dtype or np.float32)
        elif a.dtype.itemsize > 8:
            raise TypeError(f"{name} is {a.dtype}, which zwalk would round; convert it to float64 yourself")
        elif dtype is not None and a.dtype.itemsize != np.dtype(dtype).itemsize:
            if typed and a.size and a.dtype.itemsize > np.dtype(dtype).itemsize:
                raise TypeError(
                    f"{name} is float64, but the points are float32: rounding would be silent. "
                    f"Pass {name}.astype(numpy.float32), or build with float64 points"
                )
            a = a.astype(dtype)
    elif a.dtype.names:
        raise TypeError(_structured(name, a.dtype.names, ndim))
    else:
        if a.ndim and a.dtype == object:
            raise TypeError(_objects(x, a, name))
        raise TypeError(f"{name} must be real numbers, not {type(x).__name__ if a.ndim == 0 else a.dtype}")
    if a.ndim != ndim:
        raise _core.InputError(wrong_dimensions(name, a.ndim, ndim))
    if ndim == 2 and 0 < a.shape[0] <= _COLUMNS < a.shape[1]:
        raise _core.InputError(
            f"{name} have shape {a.shape}, but from 1 to {_COLUMNS} columns are possible; "
            f"pass {name}.T if each row is an axis"
        )
    # Also native byte order (FITS files are big-endian) and alignment (fields of structured arrays).
    return np.require(a, dtype=a.dtype.newbyteorder("="), requirements=["C", "A"])


def _is_read_as_it_is(x: NDArray[Any], dtype: DTypeLike | None) -> bool:
    own, flags = x.dtype, x.flags
    return (own.char in "fd" and own.isnative and flags.c_contiguous and flags.aligned and (dtype is None or own == dtype)
            and (x.ndim != 2 or x.shape[1] <= _COLUMNS))


def _structured(name: str, fields: Sequence[str], ndim: int) -> str:
    """What to do with an array of records."""
    if ndim == 1:
        return f"{name} is a structured array: pass one of its fields, such as {name}[{fields[0]!r}]"
    some = [f"{name}[{field!r}]" for field in fields[:3]]
    return (f"{name} is a structured array with the fields {', '.join(fields)}: pass its coordinates as columns, such as "
            f"numpy.column_stack([{', '.join(some)}])")


def _is_numbers(column: Any) -> bool:
    try:
        np.asarray(column, np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _objects(x: Any, a: NDArray[Any], name: str) -> str:
    """What to do with objects: tables with a column of text or of missing values, or numbers that have no dtype."""
    table = hasattr(x, "columns") and hasattr(x, "__getitem__")
    if table:
        odd = [column for column in x.columns if not _is_numbers(x[column])]
    else:
        odd = [j for j in range(a.shape[1]) if not _is_numbers(a[:, j])] if a.ndim == 2 else []
    if odd:
        which = ", ".join(map(repr, odd[:5])) + ", ..." * (len(odd) > 5)
        rest = f"{name}.drop(columns=[{which}])" if table else f"numpy.delete({name}, [{which}], axis=1).astype(float)"
        return f"{name} must be real numbers, but column {which} has text, missing values or the like: pass {rest}"
    if hasattr(x, "to_numpy"):  # pandas' nullable numbers
        return f"{name} must be real numbers, not Python objects; pass {name}.to_numpy(float)"
    return f"{name} must be real numbers, not Python objects; if they are numbers, pass numpy.asarray({name}, float)"


def wrong_dimensions(name: str, has: int, wants: int) -> str:
    """What is wrong, and what was probably meant."""
    if wants == 2 and has == 1:
        return f"{name} must have shape (N, D); for N numbers on a line pass {name}[:, None], for one point {name}[None]"
    if wants == 2 and has == 0:
        return f"{name} must have shape (N, D), but are one number; other arguments go by name, such as k=8"
    if has == 0:
        return f"{name} must be a sequence of numbers, not one number"
    return f"{name} must have {wants} dimension{'s' * (wants > 1)}, not {has}"


def as_points(x: ArrayLike, name: str) -> NDArray[Any]:
    """As `as_array`; points on a GPU stay there, as DeviceRows, which have a shape and a dtype, too."""
    return device_rows(x, name) if is_on_gpu(x) else as_array(x, name)  # type: ignore[return-value]


def both(points: ArrayLike, queries: ArrayLike | None,
         names: tuple[str, str] = ("points", "queries")) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Two sets of points in one precision: the larger, if they differ (which rounds nothing). On a GPU they must agree."""
    p = as_points(points, names[0])
    if queries is None:
        return p, None
    q = as_points(queries, names[1])
    there = isinstance(p, DeviceRows), isinstance(q, DeviceRows)
    if there[0] != there[1]:
        raise _core.InputError(f"{names[0]} and {names[1]} must be both on the host or both on a GPU")
    if there[0] and p.dtype != q.dtype:
        raise _core.InputError(f"{names[0]} are {p.dtype} and {names[1]} {q.dtype}: convert one of them on the GPU")
    if p.dtype != q.dtype:
        p, q = p.astype(np.float64, copy=False), q.astype(np.float64, copy=False)
    return p, q


def as_weights(w: ArrayLike | None, name: str, n: int) -> NDArray[np.float64] | None:
    """One float64 for each of n points, or None."""
    if w is None:
        return None
    w = as_array(w, name, dtype=np.float64, ndim=1)
    if len(w) != n:
        raise _core.InputError(f"{name} must be one for each of the {n} points, not {len(w)}")
    return w


def as_beside(x: ArrayLike | None, name: str, dtype: DTypeLike, ndim: int = 1) -> NDArray[Any] | None:
    """Masses, velocities and the like in the precision of their points, whatever theirs is.

    They may be rounded, unlike points: no neighbour is lost by that. What leaves the range of float32 is refused.
    """
    if x is None:
        return None
    a = as_array(x, name, ndim=ndim)
    with np.errstate(over="ignore"):
        values = a.astype(dtype, copy=False)
    lost = np.isinf(values) & np.isfinite(a)
    if lost.any():
        raise _core.InputError(f"{name}: {a[lost][0]:g} is out of the range of the points' float32: use another unit, or "
                               "float64 points")
    return values


def warn_of_images(radius: float, box: Sequence[float], name: str = "radius") -> None:
    """Warns of a radius that reaches more than one image of a source, of which the nearest is found."""
    shortest = min((side for side in box if side > 0), default=np.inf)
    if shortest / 2 < radius < np.inf:
        frame, level = sys._getframe(), 1
        while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "zwalk":
            frame, level = frame.f_back, level + 1
        warnings.warn(f"{name} {radius:g} is beyond half of the period {shortest:g}: each source is found once, at its nearest "
                      "image (zwalk.radius and radius_count find all with images=True)", UserWarning, level)


def as_box(box: Box, dim: int, name: str = "box") -> list[float]:
    """`box` as zwalk has it: [] for open space, else one period per axis, 0 for open axes."""
    if box is None:
        return []
    sides = np.atleast_1d(np.asarray(box, dtype=object)).tolist()
    sides = [0.0 if s is None else as_number(s, f"each side of {name}") for s in sides]
    if len(sides) not in (1, dim):
        raise _core.InputError(f"{name} must be one number or {dim}, not {len(sides)}")
    return [0.0 if s == float("inf") else s for s in sides]


def _from_environment(name: str) -> int | None:
    """The number of threads that an environment variable asks for, if it is set."""
    value = (_core.environment(name) or "").split(",")[0].strip()  # OMP_NUM_THREADS may be a list, one for each level
    try:
        return int(value) if value else None
    except ValueError:
        raise _core.InputError(f"{name} must be a number, not {value!r}") from None


_limit = 0  # on threads=None, by threadpoolctl; 0: none


def limit_threads(n: int) -> None:
    """What threads=None means from now on; as many as without a limit: there is none."""
    global _limit
    _limit = 0
    if n != (as_threads(None) or _core.threads()):
        _limit = max(int(n), 1)


def as_threads(threads: int | None) -> int:
    """None: $ZWALK_NUM_THREADS, else all, but no more than $OMP_NUM_THREADS. -1: all, as in SciPy and scikit-learn."""
    if threads is None and _limit:
        return _limit
    if threads is None:
        bound, own = _from_environment("OMP_NUM_THREADS"), _from_environment("ZWALK_NUM_THREADS")
        if own is None:
            return min(bound, _core.threads()) if bound and bound > 0 else 0
        if own < -1 or own == 0:
            raise _core.InputError(f"ZWALK_NUM_THREADS must be positive, or -1 for all, not {own}")
        return _no_more_than_there_are(own)
    try:
        if isinstance(threads, bool):
            raise TypeError
        threads = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads must be an integer, or None or -1 for all, not {type(threads).__name__}") from None
    if threads < -1 or threads == 0:
        raise _core.InputError(f"threads must be positive, or None or -1 for all, not {threads}")
    return _no_more_than_there_are(threads)


def _no_more_than_there_are(threads: int) -> int:
    """As many as oneTBB has without a warning, 0 for all."""
    return min(max(threads, 0), max(256, 4 * _core.threads()))


def as_number(x: Any, name: str) -> float:
    """A float; NaN, arrays, strings, True and False are refused with the name."""
    try:
        if isinstance(x, (str, bytes, bool, np.bool_)):  # which float() takes
            raise TypeError
        value = float(x)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {type(x).__name__}") from None
    if value != value:
        raise _core.InputError(f"{name} must not be NaN")
    return value


def as_count(n: Any, name: str, least: int = 1, most: int = 2**31 - 1) -> int:
    """An integer (also NumPy's, not 3.0, and not True) from `least` to `most`."""
    try:
        if isinstance(n, (bool, np.bool_)):
            raise TypeError
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(n).__name__}") from None
    if not least <= n <= most:
        raise _core.InputError(f"{name} must be from {least} to {most}, not {n}")
    return int(n)


def as_k(k: Any) -> int:
    return as_count(k, "k")


def as_path(path: str | bytes | os.PathLike[Any]) -> str:
    return os.fsdecode(path)


def as_budget(bytes_: float | str | None, name: str = "memory_budget", least: int = 1) -> int:
    """Bytes, or a string such as "8G" or "8 GiB", of 2^30 bytes each, or "8GB", of 10^9; None (0): half of what is free."""
    if bytes_ is None:
        return 0
    if isinstance(bytes_, str):
        read = re.fullmatch(r"\s*(\d+|[\d.]+(?:e\d+)?)\s*([kmgt]?)(i?)(b?)\s*", bytes_, re.IGNORECASE)
        try:
            if read is None or read[3] and not (read[2] and read[4]):
                raise ValueError
            unit = (1000 if read[4] and not read[3] else 1024) ** ("kmgt".index(read[2].lower()) + 1 if read[2] else 0)
            bytes_ = (int(read[1]) if read[1].isdigit() else float(read[1])) * unit
        except (ValueError, OverflowError):
            raise _core.InputError(f'{name} must be bytes, or such as "8G", not {bytes_!r}') from None
        if isinstance(bytes_, float):
            bytes_ = math.ceil(bytes_) if math.isfinite(bytes_) else 2**63
    elif isinstance(bytes_, (float, np.floating)) and bytes_ >= 1 and float(bytes_).is_integer():  # 8e9
        bytes_ = int(bytes_)
    return as_count(bytes_, name, least, 2**63 - 1)
