"""Threads as other libraries limit them, and what an import costs."""
import subprocess
import sys

import pytest
import zwalk
from zwalk import _core
from zwalk._points import as_threads


def own(infos):
    return [info for info in infos if info["user_api"] == "zwalk"]


def test_threadpoolctl(monkeypatch):
    threadpoolctl = pytest.importorskip("threadpoolctl")
    import zwalk.threadpoolctl

    for name in ("ZWALK_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    (info,) = own(threadpoolctl.threadpool_info())
    assert info["num_threads"] == _core.threads() and info["version"] == zwalk.__version__
    assert info["filepath"].rsplit("/", 1)[1].startswith("_core.")
    for limit in (1, {"zwalk": 1}):
        with threadpoolctl.threadpool_limits(limit):
            assert as_threads(None) == 1 == own(threadpoolctl.threadpool_info())[0]["num_threads"]
            assert as_threads(3) == 3  # asked for
        assert as_threads(None) == 0  # all, as before
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        assert as_threads(None) == 0
    monkeypatch.setenv("ZWALK_NUM_THREADS", "3")
    with threadpoolctl.threadpool_limits(2, user_api="zwalk"):
        assert as_threads(None) == 2
    monkeypatch.setenv("ZWALK_NUM_THREADS", "5")
    assert as_threads(None) == 5


def test_threads_of_the_environment(monkeypatch):
    for name in ("ZWALK_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert as_threads(None) == as_threads(-1) == 0 and zwalk.show_config("dicts")["threads"] == _core.threads()
    monkeypatch.setenv("OMP_NUM_THREADS", "1,2")
    assert as_threads(None) == zwalk.show_config("dicts")["threads"] == 1 and zwalk.show_config("dicts")["cores"] == _core.threads()
    for odd in ("0", "-3"):  # what OpenMP makes of these is its own affair
        monkeypatch.setenv("OMP_NUM_THREADS", odd)
        assert as_threads(None) == 0
    monkeypatch.setenv("ZWALK_NUM_THREADS", "-1")
    assert as_threads(None) == 0
    for wrong in ("0", "-2"):
        monkeypatch.setenv("ZWALK_NUM_THREADS", wrong)
        with pytest.raises(zwalk.InputError, match=f"^ZWALK_NUM_THREADS must be positive, or -1 for all, not {wrong}$"):
            as_threads(None)
        assert zwalk.show_config("dicts")["threads"].startswith("ZWALK_NUM_THREADS must be positive")


def test_many_threads_bring_no_warning():
    code = "import zwalk; zwalk.knn([[float(i)] for i in range(9000)], k=2, threads=100000)"
    assert not subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stderr


def test_sklearn_limits():
    """Estimators register it."""
    pytest.importorskip("sklearn")
    code = ("import threadpoolctl, zwalk.sklearn; "
            "assert [i for i in threadpoolctl.threadpool_info() if i['user_api'] == 'zwalk']")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_imports_little():
    """After NumPy an import loads nothing but this package: some 4 ms (python -X importtime -c 'import numpy, zwalk')."""
    code = ("import numpy, sys; before = set(sys.modules); import zwalk; "
            "print([m for m in set(sys.modules) - before if m.split('.')[0] not in ('zwalk', '__future__', 'atexit')])")
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
