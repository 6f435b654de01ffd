"""Memory that is kept from call to call."""
import os
import sys

import numpy as np
import pytest
import zwalk

X = np.random.default_rng(8).random((150_000, 3))
LINUX = sys.platform == "linux"


@pytest.fixture(autouse=True)
def give_back():
    yield
    zwalk.keep_memory(0)


def test_results_that_were_dropped_serve_the_next_call():
    there = zwalk.knn(X, k=16)  # 20 MB each of distances and indices
    assert zwalk.keep_memory() == 0
    assert zwalk.keep_memory("100M") == 0
    kept = []
    for _ in range(3):
        found = zwalk.knn(X, k=16)
        assert (found.indices == there.indices).all() and (found.distances == there.distances).all()
        del found
        kept.append(zwalk.keep_memory())
    assert not LINUX or (kept[0] > 35e6 and kept[0] == kept[1] == kept[2])
    first = zwalk.knn(X, k=16)
    assert zwalk.keep_memory() < max(kept[0], 1)
    second = zwalk.knn(X, k=16)  # not in the memory of the first
    assert (first.indices == there.indices).all() and (second.indices == there.indices).all()


def test_no_more_than_allowed():
    zwalk.keep_memory(20_000_000)
    for f in (lambda: zwalk.knn(X, k=40), lambda: zwalk.hdbscan(X, 10), lambda: zwalk.radius(X, 0.01)):
        f()
        assert zwalk.keep_memory() <= 20_000_000
    assert zwalk.keep_memory(0) == 0


def test_a_child_keeps_nothing():
    zwalk.keep_memory("1G")
    zwalk.knn(X, k=16)
    child = os.fork()
    if child == 0:
        os._exit(0 if zwalk.keep_memory() == 0 and zwalk.knn(X[:100], k=3).indices.shape == (100, 3) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize(("limit", "error", "says"), [
    (-1, ValueError, "limit"), ("much", ValueError, "limit must be bytes"), (2**63, ValueError, "limit"), (0.5, TypeError, "limit"),
    (0.0, TypeError, "limit"), (True, TypeError, "limit"), (np.inf, TypeError, "limit"), ("8X", ValueError, "limit must be bytes")])
def test_refusals(limit, error, says):
    with pytest.raises(error, match=says):
        zwalk.keep_memory(limit)
