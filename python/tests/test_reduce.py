"""Numbers made of neighbours."""
import ctypes

import numpy as np
import pytest
import zwalk


def test_ctypes_callback_takes_the_lock():
    """A plain Python function through ctypes also works: ctypes takes the interpreter's lock for each call."""
    x = np.random.default_rng(3).random((500, 2))
    proto = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int64),
                             ctypes.c_void_p, ctypes.POINTER(ctypes.c_double))

    @proto
    def last(n, d2, index, data, out):
        out[0] = index[n - 1]

    got = zwalk.knn_reduce(x, last, k=3)
    np.testing.assert_array_equal(got, zwalk.knn(x, k=3).indices[:, -1])


def test_density():
    x = np.random.default_rng(3).random((4000, 3)).astype("f4")
    d = zwalk.knn(x, k=12).distances
    np.testing.assert_array_equal(zwalk.density(x, 12, kind="radius"), d[:, -1])
    np.testing.assert_allclose(zwalk.density(x, 12), 12 / (4 / 3 * np.pi * d[:, -1].astype(float) ** 3), rtol=1e-5)
    one, two = (zwalk.density(x, 12, kind="sph", masses=np.full(4000, m, "f4")) for m in (1, 2))
    np.testing.assert_allclose(two, 2 * one, rtol=1e-6)
    np.testing.assert_array_equal(one, zwalk.density(x, 12, kind="sph"))
    for wrong in ({"kind": "other"}, {"masses": np.ones(4000)}, {"kind": "sph", "masses": np.ones(3, "f4")}):
        with pytest.raises(ValueError):
            zwalk.density(x, **wrong)


def test_refusals():
    x = np.zeros((5, 2))
    with pytest.raises(TypeError, match="compiled"):
        zwalk.knn_reduce(x, "f")
    with pytest.raises(TypeError, match="contiguous"):
        zwalk.knn_reduce(x, 1, data=np.zeros((4, 4))[:, 1])
    with pytest.raises(ValueError, match="columns"):
        zwalk.knn_reduce(x, 1, columns=0)
