"""The compiled module, as far as its names are public; what else is in it has the signatures that python/src binds."""
from typing import Any

class Error(RuntimeError):
    """The work failed: no memory, a budget that doesn't suffice, a file, ..."""

class InputError(Error, ValueError):
    """What was passed can't be used as it is; a ValueError."""

version: str
few_found: int
max_dim: int

def available_memory() -> int: ...
def config() -> dict[str, Any]: ...
def threads() -> int: ...
def end_threads() -> bool: ...
def __getattr__(name: str) -> Any: ...
