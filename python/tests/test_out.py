"""Results in arrays of the user's."""
import numpy as np
import pytest
import zwalk

X = np.random.default_rng(8).random((500, 3))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("queries", [None, X[:100] * 0.9])
@pytest.mark.parametrize("k", [1, 8, 600])
def test_knn(dtype, queries, k):
    x, q = X.astype(dtype), None if queries is None else queries.astype(dtype)
    there = zwalk.knn(x, q, k, box=1)
    out = np.full(there.distances.shape, np.nan, dtype), np.full(there.indices.shape, 77, np.int64)
    found = zwalk.knn(x, q, k, box=1, out=out)
    assert found.distances is out[0] and found.indices is out[1]
    assert (out[0] == there.distances).all() and (out[1] == there.indices).all()


@pytest.mark.parametrize("index", ["u4", "i4", "i8"])
@pytest.mark.parametrize("queries", [None, X[:100] * 0.9])
@pytest.mark.parametrize("k", [1, 8, 600])
def test_narrow_indices(index, queries, k):
    wide = zwalk.knn(X, queries, k)
    found = zwalk.knn(X, queries, k, indices=index)
    assert found.indices.dtype == index and (found.distances == wide.distances).all()
    assert (found.indices == wide.indices.astype(index)).all()
    out = np.full(wide.distances.shape, np.nan), np.full(wide.indices.shape, 77, index)
    assert zwalk.knn(X, queries, k, out=out, indices=None).indices is out[1]
    assert (out[0] == wide.distances).all() and (out[1] == found.indices).all()
    assert not (k > 500) or (found.indices[:, 500:] == np.array(-1).astype(index)).all()


def test_knn_of_nothing():
    out = np.full((3, 2), 5.0), np.full((3, 2), 5)
    zwalk.knn(np.empty((0, 3)), X[:3], 2, out=out)
    assert np.isinf(out[0]).all() and (out[1] == -1).all()


def test_knn_of_many():
    """More than a small call, with a thread that can be interrupted; parts of a larger array."""
    x = np.random.default_rng(0).random((30_000, 3), dtype="f4")
    table = np.zeros((2, 30_000, 4), "f4")
    zwalk.knn(x, k=4, exclude_self=True, out=(table[1], index := np.empty((30_000, 4), np.int64)))
    there = zwalk.knn(x, k=4, exclude_self=True)
    assert (table[0] == 0).all() and (table[1] == there.distances).all() and (index == there.indices).all()


def test_counts_and_densities():
    counts = np.zeros(500, np.int64)
    assert zwalk.radius_count(X, 0.2, out=counts) is counts
    assert (counts == zwalk.radius_count(X, 0.2)).all()
    few = np.zeros(7, np.int64)
    assert (zwalk.radius_count(X, 0.2, X[:7], out=few) == counts[:7]).all()
    for kind in ("ball", "sph", "radius"):
        out = np.zeros(500)
        assert zwalk.density(X, 5, kind=kind, out=out) is out
        assert (out == zwalk.density(X, 5, kind=kind)).all()


def distances(a):
    return zwalk.knn(X, k=4, out=(a, np.empty((500, 4), np.int64)))


def read_only():
    a = np.empty((500, 4))
    a.flags.writeable = False
    return a


def unaligned():
    return np.frombuffer(bytearray(500 * 4 * 8 + 1), np.uint8)[1:].view("f8").reshape(500, 4)


@pytest.mark.parametrize("call, error, says", [
    (lambda: distances([[0.0] * 4] * 500), TypeError, r"out\[0\] must be a numpy.ndarray, not list"),
    (lambda: distances(np.empty((500, 4), "f4")), TypeError, "must be float64, not float32"),
    (lambda: distances(np.empty((500, 4), ">f8")), TypeError, "must be float64, not >f8"),
    (lambda: distances(np.empty((500, 5))), ValueError, r"shape \(500, 4\), not \(500, 5\)"),
    (lambda: distances(np.empty((4, 500)).T), ValueError, "C order"),
    (lambda: distances(np.empty((500, 8))[:, ::2]), ValueError, "C order"),
    (lambda: distances(unaligned()), ValueError, "aligned"),
    (lambda: distances(read_only()), ValueError, "read-only"),
    (lambda: zwalk.knn(X, k=3, out=(X, np.empty((500, 3), np.int64))), ValueError, "over the memory"),
    (lambda: zwalk.knn(X, X[:9], k=3, out=(X[20:29], np.empty((9, 3), np.int64))), ValueError, "over the memory"),
    (lambda: zwalk.knn(X, k=4, out=((a := np.empty((500, 4))), a.view("i8"))), ValueError, "over the memory"),
    (lambda: zwalk.knn(X, k=4, out=np.empty((500, 4))), ValueError, "two arrays"),
    (lambda: zwalk.knn(X, k=4, order="z", out=(np.empty((500, 4)), np.empty((500, 4), np.int64))), ValueError, "order"),
    (lambda: zwalk.knn(X, k=3, indices="i2"), ValueError, "'i8', 'u4' or 'i4', not 'i2'"),
    (lambda: zwalk.knn(X, k=3, indices="small"), ValueError, "not 'small'"),
    (lambda: zwalk.knn(X, k=3, indices="u4", order="z"), ValueError, "order='input'"),
    (lambda: zwalk.knn(X, k=3, indices="u4", out=(np.empty((500, 3)), np.empty((500, 3), np.int64))), TypeError, "uint32"),
    (lambda: zwalk.knn(X, k=3, out=(np.empty((500, 3)), np.empty((500, 3), np.int16))), TypeError, "int64, not int16"),
    (lambda: zwalk.radius_count(X, 0.1, out=np.empty(500, np.int32)), TypeError, "out must be int64, not int32"),
    (lambda: zwalk.radius_count(X, 0.1, X[:3], out=np.empty(500, np.int64)), ValueError, r"shape \(3,\)"),
    (lambda: zwalk.density(X, 5, out=np.empty(500, "f4")), TypeError, "out must be float64"),
    (lambda: zwalk.density(X, 5, out=X.reshape(-1)[:500]), ValueError, "over the memory"),
    (lambda: zwalk.density(X, 5, kind="sph", masses=(m := np.ones(500)), out=m), ValueError, "over the memory"),
])
def test_refusals(call, error, says):
    before = X.copy()
    with pytest.raises(error, match=says):
        call()
    assert (before == X).all()
