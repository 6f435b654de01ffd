"""zwalk.progress: what it calls and when, and what ends a call."""
import functools
import io
import os
import signal
import threading
import time
import types

import numpy as np
import pytest
import zwalk


@pytest.fixture(scope="module")
def x():
    return np.random.default_rng(0).random((1_000_000, 3)).astype("f4")


def long(x):
    return zwalk.knn(x, k=24)


# On one thread the longest step of each takes many times the 50 ms between two calls, also on a fast machine.
@pytest.mark.parametrize("prepare", [
    lambda x: lambda: zwalk.knn(x, k=24, threads=1),
    lambda x: lambda: zwalk.minimum_spanning_tree(x, min_samples=16, threads=1),
    lambda x: functools.partial(zwalk.KDTree(x).query, x, k=24, workers=1),
])
def test_steps(x, prepare):
    calls = []
    work = prepare(x)
    with zwalk.progress(lambda *call: calls.append((*call, threading.get_ident()))) as show:
        work()
    assert callable(show)
    steps, parts, threads = zip(*calls)
    assert list(steps) == sorted(steps) and steps[0] >= 1 and all(isinstance(step, int) for step in steps)
    assert all(0 <= part <= 1 for part in parts) and parts[-1] == 1
    assert set(threads) == {threading.get_ident()}
    # Within a step it rises, and the longest one is seen before its end, too.
    assert all(a[1] <= b[1] for a, b in zip(calls, calls[1:]) if a[0] == b[0])
    assert max(steps.count(step) for step in set(steps)) >= 2
    seen = len(calls)
    long(x)
    assert len(calls) == seen  # the block is over


def test_results_are_the_same(x):
    with zwalk.progress(lambda step, part: None):
        shown = long(x)
    plain = long(x)
    assert (shown.indices == plain.indices).all() and (shown.distances == plain.distances).all()


def test_small_calls_show_nothing(x):
    calls = []
    with zwalk.progress(lambda *call: calls.append(call)):
        zwalk.knn(x[:500], k=4)
    assert calls == []


def test_what_show_raises_ends_the_call(x):
    class Enough(Exception):
        pass

    def show(step, part):
        raised.append(time.perf_counter())
        raise Enough

    raised = []
    with pytest.raises(Enough), zwalk.progress(show):
        zwalk.knn(x, k=300)
    assert len(raised) == 1 and time.perf_counter() - raised[0] < 2
    long(x[:100_000])  # the block is over, and the threads are there


def test_what_show_raises_at_the_end():
    def show(step, part):
        if part == 1:
            raise KeyError("end")

    x = np.random.default_rng(0).random((25_000, 2))
    with pytest.raises(KeyError, match="end"), zwalk.progress(show):
        for _ in range(100):
            zwalk.knn(x, k=1)


def test_ctrl_c(x):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells leave it ignored in the background
    with pytest.raises(KeyboardInterrupt), zwalk.progress(lambda step, part: None):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        zwalk.knn(x, k=300, threads=1)
    signal.signal(signal.SIGINT, before)


def test_calls_in_show_show_nothing(x):
    depth = []

    def show(step, part):
        depth.append(1)
        assert len(depth) == 1
        zwalk.knn(x[:50_000], k=8)
        depth.pop()

    with zwalk.progress(show):
        long(x)


def test_blocks_nest_and_are_of_their_thread(x):
    outer, inner = [], []
    with zwalk.progress(lambda *call: outer.append(call)):
        with zwalk.progress(lambda *call: inner.append(call)):
            long(x)
        assert inner and not outer
        thread = threading.Thread(target=long, args=(x,))
        thread.start()
        thread.join()
        assert not outer
        long(x)
        assert outer


class Bar:
    """What zwalk calls of a bar of tqdm."""

    def __init__(self):
        self.n, self.resets = 0, 0

    def reset(self, total):
        self.n, self.resets = 0, self.resets + 1
        assert total == 100

    def update(self, n):
        self.n += n
        assert n >= 0 and self.n <= 100


def test_bar(x):
    bar = Bar()
    with zwalk.progress(bar) as same:
        assert same is bar
        for twice in 1, 2:
            long(x)
            assert bar.n == 100 and bar.resets >= twice


def test_tqdm(x):
    tqdm = pytest.importorskip("tqdm")
    out = io.StringIO()
    with tqdm.tqdm(file=out, mininterval=0) as bar, zwalk.progress(bar):
        long(x)
    assert bar.n == bar.total == 100 and "100%" in out.getvalue()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_line(x, monkeypatch, is_terminal):
    out = io.StringIO()
    out.isatty = lambda: is_terminal
    monkeypatch.setattr("sys.stderr", out)
    with zwalk.progress() as show:
        long(x)
    assert show is None
    if is_terminal:
        assert "100%" in out.getvalue() and out.getvalue().endswith("\r\033[K")
    else:
        assert out.getvalue() == ""


@pytest.mark.parametrize("err", [None, types.SimpleNamespace(write=None)])
def test_no_terminal_needed(monkeypatch, err):
    """Programs without a console have no standard error, others put in what isn't quite a file."""
    monkeypatch.setattr("sys.stderr", err)
    x, calls = np.random.default_rng(0).random((25_000, 2)), []
    for show in None, lambda *call: calls.append(call):
        with zwalk.progress(show):
            zwalk.knn(x, k=1)
    assert calls[-1][1] == 1


def test_refusal():
    with pytest.raises(zwalk.InputError, match=r"f\(step, part\), a bar of tqdm, or None, not int"), zwalk.progress(3):
        pass
