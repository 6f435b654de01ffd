"""Results in arrays of the user's."""
import pickle

import numpy as np
import pytest
import zwalk
from zwalk import _core, _memory

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


@pytest.mark.parametrize("index", ["u4", "i4", "i8"])
def test_narrow_indices_of_lists(index):
    for wide, found in [(zwalk.radius(X, 0.1, **more), zwalk.radius(X, 0.1, indices=index, **more))
                        for more in ({}, {"queries": X[:9] * 0.9}, {"distances": False}, {"images": True, "box": 1})]:
        assert found.indices.dtype == index and (found.indices == wide.indices).all()
        assert (found.offsets == wide.offsets).all() and (found.counts == wide.counts).all()
        assert (found.to_sparse(500) != wide.to_sparse(500)).nnz == 0
    tree = zwalk.KDTree(X)
    for x in (None, X[:9] * 0.9):
        wide, found = tree.radius(0.1, x), tree.radius(0.1, x, indices=index)
        assert found.indices.dtype == index and (found.indices == wide.indices).all() and (found.distances == wide.distances).all()
    assert zwalk.radius(X, 0).indices.dtype == tree.radius(0).indices.dtype == np.int64


@pytest.mark.parametrize("index", ["u4", "i4", "i8"])
def test_narrow_indices_of_a_tree(index):
    tree = zwalk.KDTree(X)
    for x, k, bound in [(X[3], 1, np.inf), (X[3], 4, np.inf), (X[:8].reshape(2, 4, 3), 3, 0.1), (X[:9], [1, 600], np.inf), (X[:0], 2, 1)]:
        (d, wide), (e, found) = tree.query(x, k, distance_upper_bound=bound), tree.query(x, k, distance_upper_bound=bound, indices=index)
        assert found.dtype == index and np.shape(found) == np.shape(wide)
        assert np.array_equal(found, wide) and np.array_equal(d, e)  # among them n, where there is none
    for k in (1, 8, 600):
        wide, found = tree.neighbours(k), tree.neighbours(k, indices=index)
        assert found.indices.dtype == index and (found.indices == wide.indices.astype(index)).all()
        out = np.empty((500, k)), np.empty((500, k), index)
        assert tree.neighbours(k, indices=index, out=out).indices is out[1] and (out[1] == found.indices).all()
    assert tree.query(X, 2)[1].dtype == tree.neighbours(2).indices.dtype == np.int64


def test_narrow_indices_that_memory_does_not_hold(monkeypatch):
    monkeypatch.setattr(_memory, "SMALL", 1000)
    monkeypatch.setattr(_core, "available_memory", lambda: 5000)
    lists = zwalk.radius(X, 0.2)
    with pytest.raises(zwalk.Error, match="indices of 32 bits"):
        zwalk.radius(X, 0.2, indices="u4")
    assert len(lists.indices) > 5000 // 4


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


@pytest.mark.parametrize("box", [None, 1])
@pytest.mark.parametrize("index", ["i8", "u4", "i4"])
@pytest.mark.parametrize("k", [1, 8, 600])
def test_neighbours_of_a_tree(box, index, k):
    tree = zwalk.KDTree(X.astype("f4"), boxsize=box)
    there = tree.neighbours(k)
    out = np.full((500, k), np.nan, "f4"), np.full((500, k), 77, index)
    found = tree.neighbours(k, out=out)
    assert found.distances is out[0] and found.indices is out[1]
    assert (out[0] == there.distances).all() and (out[1] == there.indices.astype(index)).all()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("box", [None, 1])
def test_gravity(dtype, box):
    x, masses = X.astype(dtype), np.linspace(1, 2, 500)
    there = zwalk.gravity(x, masses, box=box)
    out = np.full((500, 3), np.nan, dtype), np.full(500, np.nan, dtype)
    found = zwalk.gravity(x, masses, box=box, out=out)
    assert found.accelerations is out[0] and found.potentials is out[1]
    assert (out[0] == there.accelerations).all() and (out[1] == there.potentials).all()


def test_labels_of_groups():
    labels = np.full((2, 500), 77, np.int64)
    found, there = zwalk.fof(X, 0.08, box=1, out=labels[1]), zwalk.fof(X, 0.08, box=1)
    assert found.labels.base is labels and (labels[0] == 77).all() and found.labels.flags.writeable
    assert (labels[1] == there.labels).all() and 1 < found.n_groups == there.n_groups < 500
    assert (found.consecutive() == there.consecutive()).all()
    labels[1] = -5  # a catalogue is of the groups that were found, whatever is in the array now
    assert (found.catalogue(2).table == there.catalogue(2).table).all()
    again = pickle.loads(pickle.dumps(zwalk.fof(X, 0.08, box=1, out=labels[0])))
    assert (again.labels == there.labels).all() and not again.labels.flags.writeable and labels.flags.writeable


def test_labels_of_clusters():
    out = np.full(500, 77, np.int64)
    found, there = zwalk.dbscan(X, 0.1, 4, out=out), zwalk.dbscan(X, 0.1, 4)
    assert found.labels is out and (out == there.labels).all() and (found.core == there.core).all()
    assert 1 < found.n_clusters == there.n_clusters and -1 in out
    out = np.full(500, 77, np.int64)
    clusters, those = zwalk.hdbscan(X, 5, out=out), zwalk.hdbscan(X, 5)
    assert clusters.labels is out and clusters["labels"] is out and list(clusters) == list(those)
    assert (out == those.labels).all() and (clusters.probabilities == those.probabilities).all() and out.max() > 0


def test_nothing_is_written_to_without_points():
    none = np.empty(0, np.int64)
    x = np.empty((0, 3))
    assert zwalk.fof(x, 1, out=none).labels is none
    assert zwalk.dbscan(x, 1, out=none).labels is none
    assert zwalk.hdbscan(x, out=none).labels is none
    assert zwalk.gravity(x, out=(x.copy(), np.empty(0))).potentials.shape == (0,)
    assert zwalk.KDTree(x).neighbours(2, out=(np.empty((0, 2)), np.empty((0, 2), np.int64))).indices.shape == (0, 2)


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
    (lambda: zwalk.radius(X, 0.1, indices="i2"), ValueError, "'i8', 'u4' or 'i4', not 'i2'"),
    (lambda: zwalk.KDTree(X).radius(0.1, indices="i2"), ValueError, "'i8', 'u4' or 'i4', not 'i2'"),
    (lambda: zwalk.KDTree(X).query(X, indices="f4"), ValueError, "'i8', 'u4' or 'i4', not 'f4'"),
    (lambda: zwalk.KDTree(X).neighbours(3, indices="i2"), ValueError, "'i8', 'u4' or 'i4', not 'i2'"),
    (lambda: zwalk.KDTree(X).neighbours(3, indices="u4", out=(np.empty((500, 3)), np.empty((500, 3), np.int64))), TypeError, "uint32"),
    (lambda: zwalk.radius_count(X, 0.1, out=np.empty(500, np.int32)), TypeError, "out must be int64, not int32"),
    (lambda: zwalk.radius_count(X, 0.1, X[:3], out=np.empty(500, np.int64)), ValueError, r"shape \(3,\)"),
    (lambda: zwalk.density(X, 5, out=np.empty(500, "f4")), TypeError, "out must be float64"),
    (lambda: zwalk.density(X, 5, out=X.reshape(-1)[:500]), ValueError, "over the memory"),
    (lambda: zwalk.density(X, 5, kind="sph", masses=(m := np.ones(500)), out=m), ValueError, "over the memory"),
    (lambda: zwalk.KDTree(X).neighbours(4, out=np.empty((500, 4))), ValueError, "two arrays"),
    (lambda: zwalk.KDTree(X).neighbours(4, out=(np.empty((500, 4)), np.empty((500, 3), np.int64))), ValueError, r"out\[1\] must have shape"),
    (lambda: zwalk.KDTree(X).neighbours(4, out=(np.empty((500, 4), "f4"), np.empty((500, 4), np.int64))), TypeError, "float64"),
    (lambda: zwalk.KDTree(X).neighbours(4, out=(np.empty((500, 4)), np.empty((500, 4), np.uint64))), TypeError, "int64, not uint64"),
    (lambda: zwalk.KDTree(X).neighbours(4, out=((a := np.empty((500, 4))), a.view("i8"))), ValueError, "over the memory"),
    (lambda: zwalk.gravity(X, out=np.empty((500, 3))), ValueError, r"two arrays \(accelerations, potentials\)"),
    (lambda: zwalk.gravity(X, out=(np.empty((500, 3)), np.empty((500, 1)))), ValueError, r"out\[1\] must have shape \(500,\)"),
    (lambda: zwalk.gravity(X, out=(np.empty((500, 3), "f4"), np.empty(500))), TypeError, "float64, not float32"),
    (lambda: zwalk.gravity(X, out=(X, np.empty(500))), ValueError, "over the memory"),
    (lambda: zwalk.gravity(X, m := np.ones(500), out=(np.empty((500, 3)), m)), ValueError, "over the memory"),
    (lambda: zwalk.fof(X, 0.1, out=np.empty(499, np.int64)), ValueError, r"shape \(500,\), not \(499,\)"),
    (lambda: zwalk.fof(X, 0.1, out=np.empty(500, np.int32)), TypeError, "int64, not int32"),
    (lambda: zwalk.fof(X, 0.1, out=zwalk.fof(X, 0.1).labels), ValueError, "read-only"),
    (lambda: zwalk.fof(X, 0.1, out=X.view(np.int64).reshape(-1)[:500]), ValueError, "over the memory"),
    (lambda: zwalk.dbscan(X, 0.1, out=[0] * 500), TypeError, "numpy.ndarray, not list"),
    (lambda: zwalk.dbscan(X, 0.1, out=np.empty(1000, np.int64)[::2]), ValueError, "C order"),
    (lambda: zwalk.hdbscan(X, out=np.empty((500, 1), np.int64)), ValueError, r"shape \(500,\)"),
    (lambda: zwalk.hdbscan(X, weights=(w := np.ones(500)), out=w.view(np.int64)), ValueError, "over the memory"),
])
def test_refusals(call, error, says):
    before = X.copy()
    with pytest.raises(error, match=says):
        call()
    assert (before == X).all()
