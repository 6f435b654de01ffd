"""The public API is typed and documented."""
import inspect
import pathlib
import subprocess
import sys

import pytest
import zwalk

PACKAGE = pathlib.Path(zwalk.__file__).parent
MYPY = ["--strict", "--ignore-missing-imports", "--allow-untyped-decorators", "--allow-subclassing-any",
        "--cache-dir=/dev/null"]


def members():
    """(name, function) of each public function, and of each public method of a public class."""
    for name in zwalk.__all__:
        what = getattr(zwalk, name)
        if not inspect.isclass(what):
            yield name, what
            continue
        for own, method in vars(what).items():
            method = getattr(method, "fget", None) or getattr(method, "__func__", method)
            if inspect.isfunction(method) and not own.startswith("_") and method.__module__.startswith("zwalk"):
                yield f"{name}.{own}", method


ALL = dict(members())


@pytest.mark.parametrize("name", ALL)
def test_annotations(name):
    signature = inspect.signature(ALL[name])
    assert signature.return_annotation is not signature.empty, "returns"
    for parameter in signature.parameters.values():
        assert parameter.name in ("self", "cls") or parameter.annotation is not parameter.empty, parameter


@pytest.mark.parametrize("name", [name for name in ALL if "." not in name])
def test_docstrings_name_all_parameters(name):
    """In NumPy's style: a heading for each part, a line that begins with each name."""
    text = inspect.cleandoc(ALL[name].__doc__)
    assert "\nParameters\n----------\n" in text and "\nReturns\n-------\n" in text
    part = text.split("\nParameters\n----------\n")[1].split("\n\n")[0]
    named = set()
    for line in part.splitlines():
        if not line.startswith(" "):
            named |= {word.strip() for word in line.split(":")[0].split(",")}
    assert named == set(inspect.signature(ALL[name]).parameters)


def test_methods_have_docstrings():
    assert not [name for name, f in ALL.items() if not f.__doc__]


def test_marker_and_stub():
    assert (PACKAGE / "py.typed").exists() and (PACKAGE / "_core.pyi").exists()
    assert issubclass(zwalk.InputError, zwalk.Error) and issubclass(zwalk.InputError, ValueError)


def test_mypy(tmp_path):
    """The package by mypy's strict rules, and what a user's code sees of it."""
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text("""import numpy as np
import zwalk

x = np.zeros((3, 3))
reveal_type(zwalk.knn(x, k=2).indices)
reveal_type(zwalk.knn(x, k=2, order="z"))
reveal_type(zwalk.KDTree(x).m)
reveal_type(zwalk.hdbscan(x).labels)
try:
    zwalk.fof(x, "0.1")
except zwalk.InputError as e:
    reveal_type(e)
""")
    source = PACKAGE / "__init__.py"
    done = subprocess.run([sys.executable, "-m", "mypy", *MYPY, str(user)], capture_output=True, text=True,
                          cwd=source.resolve().parents[1])
    for revealed in ("_64Bit]", "OrderedNeighbours", '"int"', "InputError"):
        assert revealed in done.stdout, done.stdout
    assert 'incompatible type "str"; expected "float"' in done.stdout
    assert "Found 1 error" in done.stdout, done.stdout
    done = subprocess.run([sys.executable, "-m", "mypy", *MYPY, "-p", "zwalk"], capture_output=True, text=True,
                          cwd=source.resolve().parents[1])
    assert done.returncode == 0, done.stdout
