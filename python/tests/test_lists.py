"""Lists and counts within a radius: one for each row, infinite ones, beyond half a box; memory of what is made of them."""
import inspect
import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
import zwalk
from scipy.spatial import KDTree as Reference
from spies import spied
from zwalk import _lists, _two_trees

X = np.random.default_rng(8).random((3000, 2))


@pytest.fixture(params=[np.float32, np.float64])
def points(request):
    return X.astype(request.param)


@pytest.fixture
def small_parts(monkeypatch):
    """Few entries at a time, so that a test has many parts."""
    monkeypatch.setattr(_lists, "_ENTRIES", 500)


def test_arguments_are_in_scipy_s_order():
    for name in ("__init__", "query", "query_ball_point", "query_ball_tree", "query_pairs", "count_neighbors",
                 "sparse_distance_matrix"):
        theirs = list(inspect.signature(getattr(Reference, name)).parameters.values())
        ours = list(inspect.signature(getattr(zwalk.KDTree, name)).parameters.values())
        assert [p.name for p in ours[:len(theirs)]] == [p.name for p in theirs]
        assert all(p.kind is p.KEYWORD_ONLY for p in ours[len(theirs):])
        assert [p.default for p in ours[:len(theirs)] if p.name != "workers"] == [p.default for p in theirs if p.name != "workers"]


def test_leafsize_is_no_period():
    x = X * 9
    for tree in (zwalk.KDTree(x, 10), zwalk.KDTree(x, leafsize=16, compact_nodes=False, copy_data=True, balanced_tree=False),
                 zwalk.KDTree(x, 10, True, False, False, None)):
        assert tree.boxsize is None
        np.testing.assert_array_equal(tree.query([0.0, 0], 3)[1], Reference(x).query([0.0, 0], 3)[1])
    assert zwalk.KDTree(X, 10, True, False, True, 1.0).boxsize.tolist() == [1, 1]
    for wrong, error in ((0, ValueError), (-1, ValueError), (1.0, TypeError), ([1, 1], TypeError)):
        with pytest.raises(error, match="leafsize"):
            zwalk.KDTree(X, wrong)


def test_attributes(points):
    ours, theirs = zwalk.KDTree(points, 7), Reference(points, 7)
    assert (ours.n, ours.m, ours.leafsize) == (theirs.n, theirs.m, 7)
    for name in ("mins", "maxes", "data"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    assert zwalk.KDTree(points[:0]).maxes.tolist() == [0, 0]
    assert pickle.loads(pickle.dumps(ours)).leafsize == 7


@pytest.mark.parametrize("box", [None, 1.0])
def test_radius_for_each_is_that_of_one_call_for_each(points, small_parts, box):
    tree = zwalk.KDTree(points, boxsize=box)
    rng = np.random.default_rng(1)
    r = np.concatenate([np.zeros(9), rng.random(400) ** 4 / 3, np.full(50, 0.02), [1e-300, 0.4, 2.0, np.inf]])
    q = points[:len(r)].copy()
    rng.shuffle(r)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lists, counts = tree.query_ball_point(q, r), tree.query_ball_point(q, r, return_length=True)
        near = tree.query_ball_point(q, r, return_sorted=False)
        for row in range(len(r)):
            assert lists[row] == sorted(tree.query_ball_point(q[row], r[row]))
            assert near[row] == tree.query_ball_point(q[row], r[row])
    assert counts.tolist() == [len(a) for a in lists] and counts.dtype == np.int64
    two = tree.query_ball_point(q[:6].reshape(2, 3, 2), r[:6].reshape(2, 3) * 0 + 0.1)
    assert two.shape == (2, 3) and two[1, 2] == tree.query_ball_point(q[5:6], 0.1)[0]


def test_radius_for_each_is_linear(monkeypatch):
    """Neither a mask nor a call for each of the radii, which are all different."""
    tree = zwalk.KDTree(X)
    r = tree.query(X, 5)[0][:, -1]
    calls = spied(tree)
    tracemalloc.start()
    tree.query_ball_point(X, r, return_length=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert calls.count("radius_count") == 1 and "radius" not in calls and peak < 1e6  # a mask for each takes 9e6


@pytest.mark.parametrize("box", [None, 1.0])
@pytest.mark.parametrize("larger", [False, True])
def test_radius_of_arrays(points, box, larger):
    """radius=array is brute force in the points' precision, by the distances that are reported; `larger` takes both radii."""
    x = points[:600]
    r = np.random.default_rng(5).random(len(x)) ** 3 / 4
    every = zwalk.radius(x, 2.0, box=None) if box is None else zwalk.KDTree(x, boxsize=box).radius(0.75)
    d = every.to_sparse(len(x)).toarray()  # 0: the point itself, too
    limit = r.astype(x.dtype)
    expected = d <= (np.maximum.outer(limit, limit) if larger else limit[:, None])
    for alone in (False, True):
        lists = zwalk.radius(x, r, box=box, larger=larger, exclude_self=alone)
        wanted = expected & ~np.eye(len(x), dtype=bool) if alone else expected
        for row, found in enumerate(np.split(lists.indices, lists.offsets[1:-1])):
            np.testing.assert_array_equal(np.sort(found), np.nonzero(wanted[row])[0])
        kept = zwalk.KDTree(x, boxsize=box).radius(r, larger=larger, exclude_self=alone)
        for a, b in zip(lists, kept):
            np.testing.assert_array_equal(a, b)
        counts = zwalk.radius_count(x, r, box=box, larger=larger, exclude_self=alone)
        np.testing.assert_array_equal(counts, lists.counts)
        out = np.empty(len(x), np.int64)
        assert zwalk.radius_count(x, r, box=box, larger=larger, exclude_self=alone, out=out) is out
        np.testing.assert_array_equal(out, counts)
    if larger:
        assert (expected == expected.T).all()
    else:
        q = zwalk.radius(x, r[:50], x[:50], box=box)
        np.testing.assert_array_equal(q.indices, zwalk.radius(x, r, box=box).indices[:len(q.indices)])


def test_radii_that_are_refused(points):
    x, r = points[:5], np.array([0, 0.1, 2, 1, 1])
    tree = zwalk.KDTree(x)
    for wrong, message in ((r[:4], "one for each of the 5 points, not 4"), (r[:0], "one for each of the 5 points, not 0"),
                           (r[:, None], "radius"), (np.where(r == 2, -1, r), "of row 2 must be a finite number >= 0, but is -1"),
                           (np.where(r == 2, np.nan, r), "of row 2 must be a finite number >= 0, but is nan"),
                           (np.where(r == 2, np.inf, r), "of row 2 must be a finite number >= 0, but is inf")):
        for call in (zwalk.radius, zwalk.radius_count):
            with pytest.raises(zwalk.InputError, match=message):
                call(x, wrong)
    with pytest.raises(zwalk.InputError, match="one for each of the 2 queries, not 5"):
        zwalk.radius(x, r, x[:2])
    for call in (lambda: tree.query_ball_point(x, r[:3]), lambda: tree.radius(r[:4]), lambda: tree.radius(r[:4], x)):
        with pytest.raises(zwalk.InputError, match="one for all or as many as there are rows"):
            call()
    for call in (lambda: tree.query_ball_point(x, -r), lambda: tree.query_ball_point(x, r * np.nan), lambda: tree.radius(-r)):
        with pytest.raises(zwalk.InputError, match="must be numbers >= 0"):
            call()
    for call in (lambda: zwalk.radius(x, 0.1, larger=True), lambda: zwalk.radius(x, r[:2], x[:2], larger=True),
                 lambda: tree.radius(r, x, larger=True), lambda: tree.radius(0.1, larger=True)):
        with pytest.raises(zwalk.InputError, match="larger"):
            call()
    assert zwalk.radius(x[:0], r[:0]).offsets.tolist() == [0] and zwalk.radius(x[:1], [0.1]).indices.tolist() == [0]


def test_lists_in_parts(points, small_parts):
    tree, reference = zwalk.KDTree(points), Reference(points.astype(float))
    for r in (0.0, 0.03):
        ours = tree.query_ball_point(points, r)
        assert sum(a != sorted(b) for a, b in zip(ours, reference.query_ball_point(points.astype(float), r))) <= 2
        assert sum(map(len, tree.query_ball_tree(tree, r))) == sum(map(len, ours))
    ours = tree.sparse_distance_matrix(tree, 0.03, output_type="dict")
    theirs = reference.sparse_distance_matrix(reference, 0.03, output_type="dict")
    assert len(ours.keys() ^ theirs.keys()) <= 2


def test_distances_of_neighbours_as_radii(points):
    """A radius that is the distance to the k-th finds k, whether it is one of many or all rows have it."""
    tree = zwalk.KDTree(points)
    d = tree.query(points, 5)[0][:, -1]
    assert (tree.query_ball_point(points, d, return_length=True) == 5).all()
    assert [len(a) for a in tree.query_ball_point(points, d)] == [5] * len(points)
    for row in range(200):
        assert len(tree.query_ball_point(points[row], d[row])) == 5


def test_parts_have_few_entries(small_parts):
    tree = zwalk.KDTree(X)
    counts = np.random.default_rng(3).integers(0, 300, 1000)
    counts[::50] = 700
    parts = list(_lists.parts(tree, counts, 1000))
    assert [begin for begin, _ in parts[1:]] == [end for _, end in parts[:-1]] and parts[0][0] == 0 and parts[-1][1] == 1000
    for (begin, end), (_, after) in zip(parts, parts[1:]):
        assert counts[begin:end].sum() <= 500 or end == begin + 1
        assert counts[begin:end + 1].sum() > 500  # no more would have fit
    assert list(_lists.parts(tree, None, 5)) == [(0, 5)] and list(_lists.parts(tree, counts[:0], 0)) == []


def test_query_ball_tree(points):
    y = points[:500] + points.dtype.type(0.3)
    for box in (None, 2.0):
        ours = zwalk.KDTree(points, boxsize=box).query_ball_tree(zwalk.KDTree(y, boxsize=box), 0.05)
        theirs = Reference(points.astype(float), boxsize=box).query_ball_tree(Reference(y.astype(float), boxsize=box), 0.05)
        assert type(ours) is list and sum(a != b for a, b in zip(ours, theirs)) <= 1 and len(ours) == len(theirs)
    with pytest.raises(TypeError, match="other"):
        zwalk.KDTree(points).query_ball_tree(y, 0.1)


def test_infinite_radii(points):
    few = points[:40]
    for box in (None, 1.0):
        tree, reference = zwalk.KDTree(few, boxsize=box), Reference(few.astype(float), boxsize=box)
        for r in (np.inf, 3e38):
            assert tree.query_ball_point(few[0], r, return_sorted=True) == list(range(40))
            assert tree.query_pairs(r) == reference.query_pairs(np.inf)
            assert len(tree.sparse_distance_matrix(tree, r, output_type="dict")) == 1600
            assert tree.count_neighbors(tree, r) == 1600
            assert tree.radius(r).counts.tolist() == [40] * 40
            assert tree.query_ball_point(few + 9, [r] * 40, return_length=True).tolist() == [40] * 40
        assert zwalk.KDTree(few[:0], boxsize=box).query_ball_point(few, np.inf, return_length=True).sum() == 0
        for wrong in (-1.0, -np.inf, np.nan, [0.1, -0.1], [0.1, np.nan]):
            with pytest.raises(ValueError):
                tree.query_ball_point(few[:2], wrong)


def test_empty():
    tree = zwalk.KDTree(X)
    assert tree.query(np.empty((0, 2)), k=[1])[0].shape == (0, 1) and tree.query(np.empty((0, 3, 2)), k=[2, 5])[1].shape == (0, 3, 2)
    none = zwalk.KDTree(X[:0], boxsize=1)
    d, i = none.query([[0, 0], [2.0, -7]])
    assert np.isinf(d).all() and (i == 0).all()
    assert none.query_ball_point([[0, 0], [2.0, -7]], 0.3, return_length=True).tolist() == [0, 0]
    assert tree.query_ball_point(X[:0], np.zeros(0)).shape == (0,)


IMAGES = [
    lambda x, r: zwalk.radius(x, r, box=1),
    lambda x, r: zwalk.radius_count(x, r, box=[0, 1]),
    lambda x, r: zwalk.pairs(x, [0, r], box=1),
    lambda x, r: zwalk.pairs(x, [0, r], box=[0, 1], bins="rp_pi", los_edges=[0, 0.1], line_of_sight=0),
    lambda x, r: zwalk.pairs(x, [0, 0.1], box=[0, 1], bins="rp_pi", los_edges=[0, r]),
    lambda x, r: zwalk.KDTree(x, boxsize=1).radius(r),
    lambda x, r: zwalk.KDTree(x, boxsize=1).query_ball_point(x, r),
    lambda x, r: zwalk.KDTree(x, boxsize=1).query_ball_point(x[:2], [0.1, r]),
    lambda x, r: zwalk.KDTree(x, boxsize=1).query_pairs(r),
    lambda x, r: zwalk.KDTree(x, boxsize=1).count_neighbors(zwalk.KDTree(x, boxsize=1), [0.1, r]),
]


@pytest.mark.parametrize("call", IMAGES)
def test_beyond_half_a_box(call):
    with pytest.warns(UserWarning, match="0.6 is beyond half of the period 1: .* nearest image") as caught:
        call(X[:40], 0.6)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(X[:40], 0.5)
        zwalk.radius_count(X, 0.6)
        zwalk.radius_count(X, 0.6, box=[0, 2])
        zwalk.pairs(X, [0, 0.6], box=[0, 1], bins="rp_pi", los_edges=[0, 0.1], line_of_sight=1)


# --- memory ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "lists": lambda t: t.query_ball_point(X, 0.5),
    "lists of each": lambda t: t.query_ball_point(X, np.linspace(0.4, 0.5, len(X))),
    "lists of a tree": lambda t: t.query_ball_tree(t, 0.5),
    "set": lambda t: t.query_pairs(0.5),
    "pairs": lambda t: t.query_pairs(0.5, output_type="ndarray"),
    "dict": lambda t: t.sparse_distance_matrix(t, 0.5, output_type="dict"),
    "dok": lambda t: t.sparse_distance_matrix(t, 0.5),
    "records": lambda t: t.sparse_distance_matrix(t, 0.5, output_type="ndarray"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_lists_are_refused_before_they_are_made(name, monkeypatch):
    """Of some million entries, where little memory is free, or allowed."""
    tracemalloc.start()
    with pytest.raises(zwalk.Error, match=r"need .* GB, and 0.01 GB are allowed: ."):
        REFUSED[name](zwalk.KDTree(X, memory_budget=10**7))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3e7  # of 3e7 to 8e8 that they take
    monkeypatch.setattr("zwalk._memory.SMALL", 0)
    monkeypatch.setattr(zwalk._core, "available_memory", lambda: 10**7)
    with pytest.raises(zwalk.Error, match=r"need .* GB, and 0.01 GB are free: ."):
        REFUSED[name](zwalk.KDTree(X))


@pytest.mark.parametrize("rows", [1, 16, 17, 750, 751, 1024, 1025])
@pytest.mark.parametrize("kind", ["few", "many", "many later", "each few", "each many"])
def test_few_rows_and_many(points, rows, kind):
    """On both sides of where lists are found in another way: of rows, of entries, and of these in the first rows."""
    t, theirs = zwalk.KDTree(points), Reference(points.astype("f8"))
    x = points[:rows] if rows <= len(points) else points
    r = {"few": 0.05, "many": 0.4, "many later": 0.05, "each few": np.linspace(0, 0.1, rows),
         "each many": np.where(np.arange(rows) == rows - 1, 0.5, 0.01)}[kind]
    if kind == "many later":  # copies of a point, of which the last row has some
        t = zwalk.KDTree(np.concatenate([points, np.full((513, 2), x[-1])]))
        theirs = Reference(np.concatenate([points, np.full((513, 2), x[-1])]).astype("f8"))
    there = theirs.query_ball_point(x.astype("f8"), r, return_sorted=True)
    found, nearest = (t.query_ball_point(x, r, return_sorted=sort) for sort in (True, False))
    for i, row in enumerate(found):
        at_the_edge = set(row) ^ set(there[i])  # in one precision and not in the other one
        d = np.linalg.norm(theirs.data[list(at_the_edge)] - x[i], axis=1)
        assert (abs(d - np.broadcast_to(r, rows)[i]) < 1e-7).all() and (points.dtype == np.float32 or not at_the_edge)
        assert row == sorted(row) == sorted(nearest[i])
        assert (np.diff(np.linalg.norm(theirs.data[nearest[i]] - x[i], axis=1)) > -1e-7).all()
    assert t.query_ball_point(x, r, return_length=True).tolist() == [len(row) for row in found]


def test_radii_are_rounded_as_one_radius_is():
    """Points at distances that a radius has in their precision only, asked for in all ways."""
    for dtype in (np.float32, np.float64):
        x = np.arange(40, dtype=dtype)[:, None] * dtype(0.1)
        t = zwalk.KDTree(np.concatenate([x, x + 900, np.linspace(5000, 6000, 8000, dtype=dtype)[:, None]]))
        for r in (0.1, 0.3, 0.7, np.nextafter(0.1, 0)):
            one = t.query_ball_point(x, r).tolist()
            for rows in (1, 16, 17, 40):
                assert t.query_ball_point(x[:rows], np.full(rows, r)).tolist() == one[:rows]
            many = np.concatenate([x] * 60)
            assert t.query_ball_point(many, np.full(len(many), r)).tolist() == one * 60
            assert t.query_ball_point(many, r, return_length=True).tolist() == [len(row) for row in one] * 60


def test_many_axes_and_many_rows():
    x = np.random.default_rng(1).random((2500, 9))
    t, theirs = zwalk.KDTree(x), Reference(x)
    for r in (0.3, np.random.default_rng(2).random(2500) / 2, 2.0):  # the last finds more than few
        assert t.query_ball_point(x, r).tolist() == theirs.query_ball_point(x, r, return_sorted=True).tolist()
    counts = t.query_ball_point(x, 0.76, return_length=True)
    assert 64 < counts.mean() and counts.max() < 512
    with pytest.raises(zwalk.Error, match=r"^2500 lists with \d+ entries in all need .* are allowed"):
        zwalk.KDTree(x, memory_budget=10**6).query_ball_point(x, 0.76)


@pytest.mark.parametrize("threads", [1, 4])
def test_pairs_are_refused_by_all_threads_together(threads):
    t = zwalk.KDTree(X, threads=threads)
    pairs = len(Reference(X).query_pairs(0.05))
    assert t._index.pairs_within(0.05, pairs).shape == (pairs, 2)
    assert t._index.pairs_within(0.05, pairs - 1) is None


@pytest.mark.parametrize("limit", [0, 10**5, 2**26])
def test_pairs_that_are_counted_first(limit, monkeypatch):
    monkeypatch.setattr("zwalk._memory.SMALL", limit)
    t, theirs = zwalk.KDTree(X[:900]), Reference(X[:900])
    for r in (0.0, 0.03, 0.3):
        assert t.query_pairs(r) == theirs.query_pairs(r)
        assert sorted(map(tuple, t.query_pairs(r, output_type="ndarray").tolist())) == sorted(theirs.query_pairs(r))


def test_all_pairs_are_counted_by_the_extents():
    a, b = zwalk.KDTree(X[:900]), zwalk.KDTree(X[900:] + 5)
    assert a.mins.tolist() == X[:900].min(axis=0).tolist() and b.maxes.tolist() == (X[900:] + 5).max(axis=0).tolist()
    A, B = Reference(X[:900]), Reference(X[900:] + 5)
    for r in ([9.0], [7.0, 9.0], [100.0, np.inf], [6.9, 7.1, 8.6]):
        assert a.count_neighbors(b, r).tolist() == A.count_neighbors(B, np.minimum(r, 1e9)).tolist()
        assert a.count_neighbors(a, r).tolist() == [900**2] * len(r)


def test_lists_share_their_numbers():
    tree = zwalk.KDTree(X)
    tracemalloc.start()
    lists = tree.query_ball_point(X, 0.3)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    entries = sum(map(len, lists))
    assert entries > 1e6 and kept < 9 * entries and peak < 9 * entries + 90e6  # a part is made at a time


@pytest.mark.parametrize("call", [lambda: zwalk.knn(X, k=10**9), lambda: zwalk.knn(X, X, k=10**9, exclude_self=False),
                                  lambda: zwalk.KDTree(X).query(X, k=10**9), lambda: zwalk.KDTree(X).query(X, k=[1, 10**9]),
                                  lambda: zwalk.KDTree(X).neighbours(10**9)])
def test_too_many_neighbours(call):
    with pytest.raises(zwalk.Error, match=r"^1000000000 neighbours of 3000 rows need 4.8e\+04 GB, .* a smaller k"):
        call()


def test_too_many_neighbours_for_a_batch(monkeypatch):
    monkeypatch.setattr(zwalk._core, "available_memory", lambda: 10**9)
    with pytest.raises(zwalk.Error, match="^1000000000 neighbours of 1 rows need 16 GB"):
        zwalk.knn_in_batches(X, print, k=10**9)


def test_copies_are_counted_without_listing(monkeypatch):
    listed = []
    parts = _two_trees.parts
    monkeypatch.setattr(_two_trees, "parts", lambda tree, counts, rows: (listed.append(counts.sum()), parts(tree, counts, rows))[1])
    p = np.concatenate([np.zeros((60_000, 3)), np.ones((10, 3))])
    tree = zwalk.KDTree(p, memory_budget="100M")
    assert tree.count_neighbors(tree, [-1, 0.0, 0.5, 2.0]).tolist() == [0, 60_000**2 + 100, 60_000**2 + 100, 60_010**2]
    w = np.arange(len(p)) % 7.0
    at_zero = w[:60_000].sum() ** 2 + w[60_000:].sum() ** 2
    np.testing.assert_allclose(tree.count_neighbors(tree, [0, 0.5, 2.0], weights=w), [at_zero, at_zero, w.sum() ** 2], rtol=1e-12)
    one = zwalk.KDTree(p[-20:])
    assert one.count_neighbors(tree, 0.0, weights=(None, w)) == 10 * w[:60_000].sum() + 10 * w[60_000:].sum()
    assert listed == [2, 2]


def test_images(points):
    """Every image of a point within the radius, beside copies of the points in open space."""
    x = points[:40]
    shifts = np.array([(i, j) for i in range(-2, 3) for j in range(-2, 3)], points.dtype)
    copies = (x[:, None] + shifts).reshape(-1, 2)
    for r in (0.3, 0.9, np.linspace(0, 1.4, 40)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nothing is left out
            found, counts = (f(x, r, box=1, images=True) for f in (zwalk.radius, zwalk.radius_count))
        near = np.linalg.norm(x[:, None].astype("f8") - copies, axis=2) <= np.broadcast_to(r, 40)[:, None]
        np.testing.assert_array_equal(counts, near.sum(axis=1))
        np.testing.assert_array_equal(found.counts, counts)
        for i in range(40):
            row = found.indices[found.offsets[i]:found.offsets[i + 1]]
            np.testing.assert_array_equal(np.sort(row), np.flatnonzero(near[i]) // len(shifts))
    assert zwalk.radius(x[:1], 1.0, box=1, images=True, exclude_self=True).counts.tolist() == [4]
    with pytest.raises(ValueError, match="give a box, or leave out images"):
        zwalk.radius(x, 1.0, images=True)
