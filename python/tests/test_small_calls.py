"""What small calls of a tree leave out, and that they find the same: where SciPy or scikit-learn were once faster."""
import gc
import pickle
import threading
import types
import weakref

import numpy as np
import pytest
import zwalk
from scipy.spatial import KDTree as Reference
from spies import spied

X = np.random.default_rng(4).random((20_000, 3))


def within(radius, n):
    """In which a point of n in a unit cube finds so many."""
    return (radius / n / 4.19) ** (1 / 3)


@pytest.mark.parametrize("n", [1000, 20_000])
@pytest.mark.parametrize("rows", [1, 40, 1200])
@pytest.mark.parametrize("found", [3, 30, 300])
def test_lists_ascend(n, rows, found):
    """Few or many of few or many points: by bits or by comparisons, in lists that were counted first or not."""
    tree, q = zwalk.KDTree(X[:n]), np.random.default_rng(5).random((rows, 3))
    for r in (within(found, n), np.linspace(0, within(found, n), rows)):
        theirs = Reference(X[:n]).query_ball_point(q, r, return_sorted=True)
        assert tree.query_ball_point(q, r).tolist() == theirs.tolist()
        nearest = tree.query_ball_point(q, r, return_sorted=False)
        lists = tree.radius(r, q)
        for row, expected in zip(nearest, np.split(lists.indices, lists.offsets[1:-1])):
            assert row == expected.tolist()


def test_few_lists_take_one_call():
    tree = zwalk.KDTree(X[:1000])
    called = spied(tree)
    tree.query_ball_point(X[:1000], 0.1)
    tree.query_ball_point(X[:3], 0.1, return_sorted=False)
    assert called == ["few_lists"] * 2


def test_rows_that_change_meanwhile():
    """Lists go where their counts say: one of another length is noticed before it is written."""
    tree = zwalk.KDTree(X)
    counts = tree.query_ball_point(X, 0.05, return_length=True)
    assert tree._index.ascending(X, 0.05, counts)[1].size == counts.sum()
    counts[7] += 1
    with pytest.raises(zwalk.Error, match="rows were changed"):
        tree._index.ascending(X, 0.05, counts)


def test_data_is_no_property_of_python():
    """A getter in C, which nothing can be written to, and which is asked for once."""
    assert type(zwalk.KDTree.data) is types.GetSetDescriptorType and "read-only" in zwalk.KDTree.data.__doc__
    tree = zwalk.KDTree(X[:50])
    assert tree._data is None and tree.mins.size and tree._data is None
    with pytest.raises(AttributeError):
        tree.data = X
    with pytest.raises(AttributeError):
        del tree.data
    assert tree.data is tree._data is tree.data
    again = pickle.loads(pickle.dumps(tree))
    assert again._data is None and (again.data == X[:50]).all()
    gone = weakref.ref(tree.data)
    del tree
    assert gone() is None

    class Named(zwalk.KDTree):
        def _make_data(self):
            raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        Named(X[:5]).data


def test_data_is_one_for_all_threads():
    tree, seen, ready = zwalk.KDTree(X), [], threading.Barrier(8)

    def look():
        ready.wait()
        seen.append(tree.data)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8 and all(each is tree.data for each in seen)


def test_lists_of_numbers_are_read_once(monkeypatch):
    tree, narrow = zwalk.KDTree(X), zwalk.KDTree(X.astype(np.float32))
    with monkeypatch.context() as m:
        m.setattr(np, "require", None)
        m.setattr(np, "ndim", None)
        for q in (X[3].tolist(), X[3:5].tolist(), X[:6].reshape(2, 3, 3).tolist(), tuple(X[3]), list(X[3:5])):
            for ours, theirs in zip(tree.query(q), tree.query(np.array(q))):
                assert np.array_equal(ours, theirs) and np.shape(ours) == np.shape(q)[:-1]
    assert tree.query([1, 0, 1])[1] == tree.query([1.0, 0, 1])[1]
    assert narrow.query(X[3].tolist())[1] == 3 and narrow.query(X[3].tolist())[0].dtype == np.float32
    for wrong, message in ((0.5, "sequence of numbers"), ([[0.1, 0.2, 0.3], [0.1]], "rows of one length"), ([0.1], "3 coordinates")):
        with pytest.raises(ValueError, match=message):
            tree.query(wrong)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("box", [None, 1.0])
def test_pairs_within_one_radius(dtype, box, monkeypatch):
    """The counts of an array of one radius, without the NumPy that these take."""
    a, b = (zwalk.KDTree(x.astype(dtype), boxsize=box) for x in (X[:900], np.concatenate([X[890:920], X[:1]])))
    radii = (0, 0.0, 1e-3, 0.1, 1 / 3, np.float64(0.5))
    expected = [[int(s.count_neighbors(t, [r])[0]) for r in radii] for s, t in ((a, b), (b, a), (a, a))]
    with monkeypatch.context() as m:
        m.setattr(np, "unique", None)
        for (s, t), counts in zip(((a, b), (b, a), (a, a)), expected):
            found = [s.count_neighbors(t, r) for r in radii]
            assert found == counts and all(type(each) is int for each in found)
    assert a.count_neighbors(zwalk.KDTree(X[:0].astype(dtype), boxsize=box), 0.2) == 0
    assert a.count_neighbors(b, -1.0) == 0
    with pytest.raises(ValueError, match="NaN"):
        a.count_neighbors(b, np.nan)
    if box is None:
        for r in (9, True, 1e300, np.inf):
            assert a.count_neighbors(b, r) == a.count_neighbors(b, [r])[0]
    else:
        with pytest.warns(UserWarning, match="half of the period"):
            assert a.count_neighbors(b, 0.9) == 900 * 31


def test_pairs_are_nothing_to_collect():
    """Tuples of ints are no garbage, as the collector would find out one by one."""
    tree = zwalk.KDTree(X[:300])
    gc.disable()
    try:
        for made in (tree.query_pairs(0.2), tree.sparse_distance_matrix(tree, 0.2, output_type="dict")):
            assert len(made) > 100 and not any(map(gc.is_tracked, made))
    finally:
        gc.enable()


def test_a_dict_of_a_tree_with_itself(monkeypatch):
    """Its points are searched for as such: no tree is made of them."""
    tree = zwalk.KDTree(X[:1000])
    called = spied(tree)
    records = tree.sparse_distance_matrix(tree, 0.1, output_type="ndarray")
    called.clear()
    whole = tree.sparse_distance_matrix(tree, 0.1, output_type="dict")
    assert list(whole.items()) == [((i, j), v) for i, j, v in records.tolist()] and called == ["radius"]
    monkeypatch.setattr("zwalk._lists._ENTRIES", 500)
    assert list(tree.sparse_distance_matrix(tree, 0.1, output_type="dict").items()) == list(whole.items())


def test_neighbours_beyond_the_bound():
    tree, theirs = zwalk.KDTree(X), Reference(X)
    for ours, expected in zip(tree.query(X[:500], 32, distance_upper_bound=0.05), theirs.query(X[:500], 32, distance_upper_bound=0.05)):
        np.testing.assert_array_equal(np.isinf(ours), np.isinf(expected))
        np.testing.assert_allclose(ours, expected)


def test_distances_that_nobody_wants():
    sklearn = pytest.importorskip("zwalk.sklearn")
    model = sklearn.NearestNeighbors(radius=0.1).fit(X)
    expected = model.radius_neighbors(X[:100])[1]
    asked = []
    real = type(model.tree_).radius
    model.tree_.radius = lambda *a, **more: (asked.append(more["distances"]), real(model.tree_, *a, **more))[1]
    found = model.radius_neighbors(X[:100], return_distance=False)
    assert asked == [False] and all(map(np.array_equal, found, expected)) and found.dtype == object
    distances = model.radius_neighbors(X[:100])[0]
    assert asked == [False, True] and all(len(d) == len(i) and (d <= 0.1).all() for d, i in zip(distances, expected))
