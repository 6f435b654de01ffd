"""Memory that goes from one call to the next."""
from __future__ import annotations

from . import _core
from ._points import as_budget


def keep_memory(limit: int | str | None = None) -> int:
    """Lets large arrays that calls and their results no longer use be kept for later calls.

    To set up fresh memory takes about as long as to fill it. This is for programs that call again and
    again, whatever functions with whatever sizes: results must have been dropped before the next call makes use of their memory.

    Parameters
    ----------
    limit : int or str, optional
        Bytes that are kept at most, also as "8G". 0, as in the beginning: memory goes back to the system at once, and so
        does now what was kept (at the end of a call of `hdbscan` in another thread). None: nothing changes.

    Returns
    -------
    int
        Bytes that are kept now, and that nobody uses. They count as free where memory is predicted.

    Notes
    -----
    One limit for the process; any thread may set it at any time. Memory of a GPU is another matter: `release_gpu_memory`.
    Without effect on systems other than Linux.

    Examples
    --------
    >>> import zwalk
    >>> zwalk.keep_memory("2G")
    0
    >>> zwalk.keep_memory(0)
    0
    """
    if limit is not None:
        _core.keep_memory(as_budget(limit, "limit", 0))
    return int(_core.kept_memory())
