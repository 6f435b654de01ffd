"""Ctrl-C ends long work soon, and leaves everything as it was."""
import os
import signal
import threading
import time

import numpy as np
import pytest
import zwalk

# Each would take at least some seconds.
@pytest.mark.parametrize("work", [
    lambda x: zwalk.knn(x, k=300),
    lambda x: zwalk.density(x, k=500, out=np.empty(len(x), "f4")),
    lambda x: zwalk.minimum_spanning_tree(x, min_samples=200),
    lambda x: zwalk.KDTree(x).query(x, k=300),
    lambda x: zwalk.radius_count(x, 0.1),
    lambda x: zwalk.KDTree(x).query_pairs(0.05, output_type="ndarray"),
    lambda x: zwalk.gravity(x, accuracy=1e-5),
    lambda x: zwalk.pairs(x, np.linspace(0, 0.2, 200)),
])
def test_ctrl_c(work):
    interrupted(work, np.random.default_rng(0).random((1_000_000, 3)).astype("f4"))


def test_ctrl_c_with_out():
    x = np.random.default_rng(0).random((1_000_000, 3)).astype("f4")
    # Memory that was touched before: some virtual machines take 5 ms for the first write to each page.
    out = np.ones((len(x), 100), "f4"), np.ones((len(x), 100), np.int64)
    interrupted(lambda x: zwalk.knn(x, k=100, out=out), x)


def interrupted(work, x):
    """Ends work(x) by Ctrl-C, which must not take long."""
    sent = []

    def kick():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    t = threading.Thread(target=kick)
    t.start()
    with pytest.raises(KeyboardInterrupt):
        work(x)
    late = time.perf_counter() - sent[0]
    t.join()
    assert late < 2
    assert (zwalk.knn(x[:1000], k=1).indices[:, 0] == np.arange(1000)).all()
