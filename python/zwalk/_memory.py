"""Memory of what Python makes of results, refused before it is made: the library knows only of its own arrays."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = 2**26  # bytes for which the kernel isn't asked: that takes longer than a small search

LIST = 72  # bytes of a list beside its entries: itself, and the reference to it
_INT, _REFERENCE = 32, 8  # bytes of an int, and of what a list keeps of it


def check_memory(bytes_: float, what: str, remedy: str, budget: int = 0, made: int = 0) -> None:
    """Refuses what takes more bytes than can be had, or than the budget (0: none). `made`: how many of them it has already."""
    if bytes_ <= min(SMALL, budget or SMALL):
        return
    free = int(_core.available_memory()) + made
    limit = min(budget or free, free)
    if bytes_ > limit:
        raise _core.Error(f"{what} need {bytes_ / 1e9:.3g} GB, and {limit / 1e9:.3g} GB are "
                          f"{'free' if limit == free else 'allowed'}: {remedy}")


def check_neighbours(rows: int, k: int, itemsize: int, index: int = 8) -> None:
    """Refuses more neighbours than fit into memory: distances of `itemsize` bytes, and indices of `index` bytes."""
    check_memory(float(rows) * k * (itemsize + index), f"{k} neighbours of {rows} rows",
                 "a smaller k helps, or fewer rows at a time (knn_in_batches)")


def bytes_of_lists(n: int, entries: int, rows: int) -> int:
    """Of so many lists of indices of n points: those behind the first n share an int for each point (_core.SharedInts)."""
    return rows * LIST + entries * _REFERENCE + min(entries, 2 * n) * _INT + (n * _REFERENCE if entries > n else 0)
