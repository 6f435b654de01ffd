"""The compiled module, as far as its names are public; what else is in it has the signatures that python/src binds."""
from typing import Any

from numpy.typing import NDArray

class Error(RuntimeError):
    """The work failed: no memory, a budget that doesn't suffice, a file, ..."""

class InputError(Error, ValueError):
    """What was passed can't be used as it is; a ValueError."""

class WithData:
    """The base of KDTree, which makes its data."""
    @property
    def data(self) -> NDArray[Any]:
        """The points, shape (n, m), read-only; made when it is first asked for, and kept."""
    @property
    def _data(self) -> NDArray[Any] | None: ...

version: str
few_found: int
max_dim: int

def available_memory() -> int: ...
def config() -> dict[str, Any]: ...
def threads() -> int: ...
def end_threads() -> bool: ...
def __getattr__(name: str) -> Any: ...
