"""What goes in and out: dtypes, memory order, byte order, ownership, refusals."""
import gc
import pickle
import sys
import threading
import time

import numpy as np
import pytest
import zwalk


@pytest.fixture(params=[np.float32, np.float64])
def points(request):
    return np.random.default_rng(7).random((3000, 3)).astype(request.param)


def same(a, b):
    for x, y in zip(a, b):
        np.testing.assert_array_equal(x, y)


def test_precision_is_kept(points):
    d, i = zwalk.knn(points, k=5)
    assert d.dtype == points.dtype and i.dtype is np.dtype(np.int64)
    assert zwalk.KDTree(points).dtype == points.dtype
    assert zwalk.minimum_spanning_tree(points).lengths.dtype == points.dtype


def test_layouts_give_the_same(points):
    expected = zwalk.knn(points, k=5)
    readonly = points.copy()
    readonly.flags.writeable = False
    wide = np.zeros((6000, 6), points.dtype)
    wide[::2, 1::2] = points
    record = np.zeros(3000, [("id", "u1"), ("pos", points.dtype, 3)])
    record["pos"] = points
    assert not record["pos"].flags.aligned
    for a in (np.asfortranarray(points), readonly, wide[::2, 1::2], points[::-1][::-1],
              points.astype(points.dtype.newbyteorder(">")), record["pos"]):
        same(zwalk.knn(a, k=5), expected)


def test_lists_and_integers():
    d, i = zwalk.knn([[0, 0], [1, 0], [0, 3]], k=2)
    assert d.dtype == np.float64 and d[2, 1] == 3
    assert zwalk.knn(np.array([[0], [1]], dtype=np.uint8), k=2).distances[0, 1] == 1
    with pytest.raises(ValueError, match="would round"):
        zwalk.knn(np.array([[0], [2**60 + 1]]))


def test_input_is_not_copied(points):
    """The work on a large array needs less than a copy of it where nothing is copied: watched by address."""
    seen = []
    original = zwalk._core.knn

    def spy(p, *rest):
        seen.append(p.ctypes.data)
        return original(p, *rest)

    zwalk._core.knn = spy
    try:
        zwalk.knn(points)
        zwalk.knn(points[1:])
    finally:
        zwalk._core.knn = original
    assert seen == [points.ctypes.data, points[1:].ctypes.data]


def test_results_own_their_memory(points):
    d, i = zwalk.knn(points, k=5)
    kept, copy = d[::7], d[::7].copy()
    del d, i
    gc.collect()
    for _ in range(20):
        zwalk.knn(points, k=5)
    np.testing.assert_array_equal(kept, copy)


@pytest.mark.parametrize("bad, error, says", [
    (np.array([[0, np.nan]]), ValueError, "row 0"),
    (np.zeros((3, 65)), ValueError, "64"),
    (np.zeros(3), ValueError, r"\[:, None\]"),
    (np.zeros((2, 2, 2)), ValueError, "2 dimensions"),
    (np.zeros((3, 2), complex), TypeError, "complex"),
    (np.zeros((3, 2), np.longdouble), TypeError, "round"),
    (np.array([["a", "b"]]), TypeError, "real numbers"),
    (np.ma.masked_array([[0., 1.]], mask=[[True, False]]), ValueError, "masked"),
])
def test_refusals(bad, error, says):
    with pytest.raises(error, match=says):
        zwalk.knn(bad, k=1)


def test_the_library_s_sentence():
    with pytest.raises(zwalk.InputError) as e:
        zwalk.knn(np.array([[0.0, 1.0], [np.inf, 1.0]]), k=1)
    assert isinstance(e.value, ValueError)
    with pytest.raises(ValueError):
        zwalk.knn(np.random.random((10, 2)) * 5, k=1, box=1.0)
    with pytest.raises(TypeError, match="integer"):
        zwalk.knn(np.zeros((3, 2)), k=2.0)
    with pytest.raises(TypeError, match="float32"):
        zwalk.KDTree(np.zeros((3, 2), "f4")).query(np.zeros((3, 2)))


def test_pickle(points, tmp_path):
    tree = zwalk.KDTree(points, boxsize=1)
    again = pickle.loads(pickle.dumps(tree))
    same(again.query(points, k=3), tree.query(points, k=3))
    tree.save(tmp_path / "tree.zwx")
    same(zwalk.KDTree.load(tmp_path / "tree.zwx").query(points, k=3), tree.query(points, k=3))
    np.testing.assert_array_equal(again.data, points)
    assert again.boxsize.tolist() == [1, 1, 1] and again.dtype == points.dtype
    with pytest.raises(FileNotFoundError):
        zwalk.KDTree.load(tmp_path / "none.zwx")
    (tmp_path / "other").write_bytes(b"something else")
    with pytest.raises(ValueError, match="other"):
        zwalk.KDTree.load(tmp_path / "other")


def test_no_points():
    for shape in ((0, 3), (1, 3)):
        x = np.zeros(shape)
        assert zwalk.knn(x, k=2).indices.shape == (shape[0], 2)
        assert len(zwalk.fof(x, 1.0).labels) == shape[0]
        assert len(zwalk.minimum_spanning_tree(x).edges) == 0


def test_other_threads_run_meanwhile():
    x = np.random.default_rng(0).random((300_000, 3))
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    t = threading.Thread(target=tick)
    t.start()
    begin = time.perf_counter()
    zwalk.knn(x, k=16)
    end = time.perf_counter()
    stop.set()
    t.join()
    inside = [s for s in ticks if begin < s < end]
    assert len(inside) > 3, (len(inside), end - begin)


def test_many_threads_one_tree(points):
    tree = zwalk.KDTree(points)
    expected = tree.query(points, k=4)
    failures = []

    def ask():
        try:
            for _ in range(20):
                same(tree.query(points, k=4), expected)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failures


def test_threads_change_nothing(points):
    same(zwalk.knn(points, k=7, threads=1), zwalk.knn(points, k=7, threads=3))


def test_reference_counts(points):
    before = sys.getrefcount(points)
    for _ in range(50):
        zwalk.knn(points, k=1)
        zwalk.KDTree(points)
        with pytest.raises(ValueError):
            zwalk.knn(points, k=1, box=1e-3)
    gc.collect()
    assert sys.getrefcount(points) == before


def test_number_of_threads(monkeypatch):
    from zwalk._points import as_threads

    for omp, own, threads in (("", "", 0), ("1", "", 1), ("1,4", "", 1), ("1", "3", 3), ("100000", "", zwalk._core.threads())):
        monkeypatch.setenv("OMP_NUM_THREADS", omp)
        monkeypatch.setenv("ZWALK_NUM_THREADS", own)
        assert as_threads(None) == threads
    assert as_threads(-1) == 0 and as_threads(2) == 2
    monkeypatch.setenv("ZWALK_NUM_THREADS", "many")
    with pytest.raises(ValueError, match="ZWALK_NUM_THREADS"):
        zwalk.knn([[0.0]], k=1)
    for bad in (0, -2):
        with pytest.raises(ValueError, match="threads"):
            zwalk.knn([[0.0]], k=1, threads=bad)


def test_z_order(points):
    d, i, rows, sources = zwalk.knn(points, k=4, order="z")
    expected = zwalk.knn(points, k=4)
    np.testing.assert_array_equal(d, expected.distances[rows])
    np.testing.assert_array_equal(sources[i], expected.indices[rows])


def test_memory_budget(points):
    same(zwalk.knn(points, points, k=4, memory_budget="1M"), zwalk.knn(points, points, k=4))
    with pytest.raises(zwalk.Error, match="memory"):
        zwalk.radius(points, 1.0, memory_budget=1000)
    with pytest.raises(ValueError, match="memory_budget"):
        zwalk.knn(points, memory_budget="much")
