"""How this zwalk was built, and what it finds on this machine."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._points import as_threads


def _version_of(package: str) -> str | None:
    import importlib.metadata  # here, and others below: they take longer to import than all of this package

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _gpu(facts: dict[str, Any]) -> str:
    if not _core.built_with_cuda():
        return ("none: this zwalk was built without CUDA (device='cuda' is refused); "
                "pip install . -Ccmake.define.ZWALK_CUDA=ON builds one that has it")
    return f"built for up to {facts['GPU columns']} columns; " + (", ".join(facts["GPUs"]) or "none on this machine")


def _mpi() -> str:
    import importlib.util

    if importlib.util.find_spec("zwalk._mpi") is None:
        return ("none: this zwalk was built without MPI (comm= is refused); "
                "pip install . -Ccmake.define.ZWALK_MPI=ON builds one that has it")
    mpi4py = _version_of("mpi4py")
    return f"with mpi4py {mpi4py}" if mpi4py else "built in; comm= needs mpi4py, which isn't installed"


def _threads(facts: dict[str, Any]) -> int | str:
    try:
        return as_threads(None) or int(facts["threads"])
    except _core.InputError as e:  # of an environment that calls refuse
        return str(e)


def show_config(mode: str = "stdout") -> dict[str, Any] | None:
    """Versions, and what this build can do on this machine: to be pasted into a report of a mistake.

    Parameters
    ----------
    mode : {'stdout', 'dicts'}
        'stdout' prints it; 'dicts' returns it, as functions of this name in NumPy and SciPy do.

    Returns
    -------
    dict or None
        'zwalk', 'Python', 'NumPy', 'scikit-learn' (versions; None if absent), 'platform', 'compiler', 'columns' (numbers of
        columns that there are kernels for; others are padded up to the next one), 'instructions' (the set that kernels
        are chosen for), 'threads' (what threads=None takes), 'cores' (what threads=-1 takes), 'TBB', 'GPU', 'MPI' (what is there, or
        what is lacking).

    Raises
    ------
    InputError
        Another mode.
    """
    if mode not in ("stdout", "dicts"):
        raise _core.InputError(f"mode must be 'stdout' or 'dicts', but is {mode!r}")
    import platform

    facts = _core.config()
    config: dict[str, Any] = {
        "zwalk": _core.version, "Python": platform.python_version(), "NumPy": np.__version__,
        "scikit-learn": _version_of("scikit-learn"), "platform": platform.platform(),
        "compiler": facts["compiler"], "columns": facts["columns"] + " (others are padded)", "instructions": facts["instructions"],
        "threads": _threads(facts), "cores": facts["threads"], "TBB": facts["TBB"], "GPU": _gpu(facts), "MPI": _mpi(),
    }
    if mode == "dicts":
        return config
    width = max(map(len, config))
    for name, value in config.items():
        print(f"{name:{width}}  {value}")
    return None
