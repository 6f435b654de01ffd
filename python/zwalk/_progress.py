"""How far long calls are: zwalk.progress()."""
from __future__ import annotations

import contextlib
import contextvars
import sys
from collections.abc import Callable, Iterator
from typing import Any

from . import _core

_Show = Callable[[int, float], object]
_shown: contextvars.ContextVar[_Show | None] = contextvars.ContextVar("zwalk.progress", default=None)


def shown() -> _Show | None:
    """What the module calls, in the thread that made the call: None if nobody asked for it."""
    show = _shown.get()
    return None if show is None else lambda step, part: _apart(show, step, part)


def _apart(show: _Show, step: int, part: float) -> None:
    """Calls of zwalk that show() makes show nothing."""
    before = _shown.set(None)
    try:
        show(step, part)
    finally:
        _shown.reset(before)


class _Line:
    """One line of a terminal; elsewhere nothing."""

    def __init__(self, out: Any) -> None:
        self._out = out  # None where there is no standard error, or a file of somebody's own
        self._is_shown = hasattr(out, "isatty") and out.isatty()

    def __call__(self, step: int, part: float) -> None:
        if self._is_shown:
            self._print(f"zwalk: step {step}, {part:.0%}")

    def close(self) -> None:
        if self._is_shown:
            self._print("")

    def _print(self, what: str) -> None:
        self._out.write(f"\r\033[K{what}")
        self._out.flush()


class _Bar:
    """A bar of tqdm, begun anew with each step."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._step = 0

    def __call__(self, step: int, part: float) -> None:
        if step != self._step or part * 100 < self._bar.n:
            self._bar.reset(total=100)
            self._step = step
        self._bar.update(int(part * 100) - self._bar.n)


@contextlib.contextmanager
def progress(show: Callable[[int, float], object] | Any = None) -> Iterator[Any]:
    """Shows how far long calls are, while the `with` block lasts: calls of all functions, trees and estimators.

    A call takes several steps: some for the sort and the tree, then walks, which take the longest. What is shown is the step
    at work, so that a bar begins anew with each. How many there will be isn't known before. Calls of up to 20 000 rows (for
    neighbours: rows times k) show nothing. Larger ones show at least their end, however short they are. So do calls with
    ``device='cuda'`` of any size, which show little more. Calls on MPI ranks show nothing.

    Parameters
    ----------
    show : optional
        - None: a line on standard error, if that is a terminal;
        - a bar of tqdm, such as ``tqdm()``, which counts per cent of each step;
        - a function f(step, part): the number of the step, from 1, and how much of it is done, from 0 to 1. It is called in the
          thread that made the call of zwalk, at most 20 times a second, and at the end with part == 1. What it raises ends the
          call of zwalk, as Ctrl-C does.

    Returns
    -------
    context manager
        of which `as` gives `show`, as it was passed.

    Raises
    ------
    InputError
        if `show` is none of these.

    Examples
    --------
    >>> with zwalk.progress(tqdm(desc="clusters")):             # doctest: +SKIP
    ...     labels = zwalk.sklearn.HDBSCAN().fit(x).labels_
    """
    call: _Show
    line = None
    if show is None:
        call = line = _Line(sys.stderr)
    elif all(hasattr(show, name) for name in ("n", "reset", "update")):
        call = _Bar(show)
    elif callable(show):
        call = show
    else:
        raise _core.InputError("progress: show must be a function f(step, part), a bar of tqdm, or None, not "
                               f"{type(show).__name__}")
    before = _shown.set(call)
    try:
        yield show
    finally:
        _shown.reset(before)
        if line is not None:
            line.close()
