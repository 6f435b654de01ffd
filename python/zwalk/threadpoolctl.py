"""zwalk's threads for threadpoolctl: imported, ``threadpoolctl.threadpool_limits(1)`` holds for zwalk, too.

`zwalk.sklearn` imports it. A limit is what `threads=None` means while it holds; threads that are asked for by number aren't
limited.
"""
from __future__ import annotations

import threadpoolctl

from . import _core, _points

__all__ = ["ZwalkController"]


class ZwalkController(threadpoolctl.LibController):
    """How threadpoolctl asks for the number of threads, and sets it."""

    user_api = internal_api = "zwalk"
    filename_prefixes = ("_core.",)
    check_symbols = ("zwalk_python_module",)  # other packages have a _core, too

    def get_num_threads(self) -> int:
        """The most threads that work with threads=None has."""
        return _points.as_threads(None) or int(_core.threads())

    def set_num_threads(self, num_threads: int) -> None:
        """Let work with threads=None have so many threads."""
        _points.limit_threads(num_threads)

    def get_version(self) -> str:
        """That of zwalk."""
        return str(_core.version)


threadpoolctl.register(ZwalkController)
