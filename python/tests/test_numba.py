"""Reductions written in Python and compiled by numba."""
import numpy as np
import pytest
import zwalk

numba = pytest.importorskip("numba")
from numba import cfunc, types  # noqa: E402


def signature(t):
    return types.void(types.int64, types.CPointer(t), types.CPointer(types.int64), types.CPointer(t), types.CPointer(t))


@cfunc(signature(types.float32))
def mean_temperature(n, d2, index, data, out):
    s = 0.0
    for i in range(n):
        s += data[index[i]]
    out[0] = s / n


@cfunc(signature(types.float64))
def mean_and_radius(n, d2, index, data, out):
    s = 0.0
    for i in range(n):
        s += data[index[i]]
    out[0] = s / n
    out[1] = np.sqrt(d2[n - 1])


def test_numba_single():
    rng = np.random.default_rng(3)
    x, t = rng.random((5000, 3)).astype("f4"), rng.random(5000).astype("f4")
    got = zwalk.knn_reduce(x, mean_temperature, k=8, data=t)
    expected = t[zwalk.knn(x, k=8).indices].astype(float).mean(1)
    assert got.dtype == np.float32 and got.shape == (5000,)
    np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_numba_columns_and_queries():
    rng = np.random.default_rng(3)
    x, q, t = rng.random((5000, 3)), rng.random((700, 3)), rng.random(5000)
    got = zwalk.knn_reduce(x, mean_and_radius, q, k=8, data=t, columns=2, box=1)
    d, i = zwalk.knn(x, q, k=8, box=1)
    np.testing.assert_allclose(got, np.stack([t[i].mean(1), d[:, -1]], 1), rtol=1e-12)
    one = zwalk.knn_reduce(x, mean_and_radius, q, k=8, data=t, columns=2, box=1, threads=1)
    np.testing.assert_array_equal(got, one)
