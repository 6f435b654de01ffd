"""Runs the tests that other packages are installed with, on zwalk in the place of what they test. Nothing is copied."""
import importlib.util
import os
import re
import subprocess
import sys

import pytest


ONLY = """
import re


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if re.match({!r}, item.name)]
"""


def outcomes(folder, module, plugin, wanted="", **environment):
    """What became of each test of a module, by its name: PASSED, FAILED, ...

    In a process of its own, for `plugin`, a text, is run there before the tests are imported, to put zwalk in.
    `wanted`: a regular expression that names of tests to be run begin with.
    """
    try:
        found = importlib.util.find_spec(module)
    except ImportError:
        found = None
    if found is None:
        pytest.skip(f"{module} isn't installed")
    (folder / "zwalk_in_suite.py").write_text(plugin + ONLY.format(wanted))
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "zwalk_in_suite", "-p", "no:cacheprovider", "-rA", "-q",
                           "--disable-warnings", "--pyargs", module], capture_output=True, text=True, cwd=folder,
                          env=os.environ | environment | {"PYTHONPATH": path})
    lines = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL) \S*?::(\S+)", done.stdout, re.MULTILINE)
    assert lines, done.stdout + done.stderr
    return {name: outcome for outcome, name in lines}
