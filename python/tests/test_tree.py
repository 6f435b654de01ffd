"""zwalk.KDTree beside scipy.spatial.KDTree."""
import numpy as np
import pytest
import zwalk
from scipy.spatial import KDTree as Reference


@pytest.fixture(params=[np.float32, np.float64])
def points(request):
    return np.random.default_rng(7).random((3000, 3)).astype(request.param)


@pytest.fixture(params=[None, 1.0, [1, 0, 1]])
def trees(request, points):
    return zwalk.KDTree(points, boxsize=request.param), Reference(points.astype(float), boxsize=request.param)


def queries(points):
    return points[3], points[:6].reshape(2, 3, 3), points[:40] + points.dtype.type(0.001), points[:0]


def lists(a):
    return [sorted(row) for row in np.asarray(a, object).reshape(-1)] if isinstance(a, np.ndarray) else sorted(a)


def test_query(points, trees):
    tree, reference = trees
    for k in (1, 4, [1], [2, 5], 3001):
        for q in queries(points)[:3]:
            d, i = tree.query(q, k=k)
            D, I = reference.query(q.astype(float), k=k)
            assert np.shape(d) == np.shape(D) and np.shape(i) == np.shape(I)
            assert (i == I).mean() > 0.999  # distances that float32 rounds to one
            np.testing.assert_allclose(d, D, rtol=1e-4, atol=1e-7)
            assert d.dtype == points.dtype and i.dtype == np.int64
    d, i = tree.query(points[:4], k=3002)
    assert (i[:, 3000:] == 3000).all() and (i[:, :3000] < 3000).all() and np.isinf(d[:, 3000:]).all()
    assert tree.query(points[:0], k=2)[0].shape == (0, 2)
    for bound in (0.03, 0.1, 2, 0, np.inf):
        d, i = tree.query(points[:9], k=3, distance_upper_bound=bound)
        D, I = reference.query(points[:9].astype(float), k=3, distance_upper_bound=bound)
        np.testing.assert_array_equal(i, I)
    assert (tree.query(points[:9], k=3, distance_upper_bound=-1)[1] == tree.n).all()  # SciPy squares it
    far = tree.query(points[:50], k=6)[0][:, 3]
    for q, bound in zip(points, far):  # which isn't taken in
        assert tree.query(q, k=6, distance_upper_bound=bound)[1].tolist().count(tree.n) >= 3
        after = np.nextafter(bound, points.dtype.type(1))
        assert tree.query(q, k=6, distance_upper_bound=after)[0][3] == bound


def test_query_outside_of_the_box(points):
    tree, reference = zwalk.KDTree(points, boxsize=1), Reference(points.astype(float), boxsize=1)
    q = (points[:500] + np.arange(500)[:, None] % 7 - 3).astype(points.dtype)
    d, i = tree.query(q, k=3)
    D, I = reference.query(q.astype(float), k=3)
    np.testing.assert_allclose(d, D, atol=2e-6)
    assert (i == I).mean() > 0.99
    shifted = zwalk.KDTree(points - points.dtype.type(0.5), boxsize=1)  # points anywhere, unlike SciPy
    np.testing.assert_allclose(shifted.query(q, k=3)[0], np.sort(
        Reference(points.astype(float), boxsize=1).query((q.astype(float) + 0.5), k=3)[0]), atol=2e-6)


def test_only_what_is_outside_is_moved(points):
    x = points * points.dtype.type(0.9) - points.dtype.type(0.37)
    d, i = zwalk.KDTree(x, boxsize=1).query(np.append(x, x[:1] + 5, axis=0))
    assert (d[:-1] == 0).all() and (i[:-1] == np.arange(3000)).all() and i[-1] == 0


@pytest.mark.parametrize("r", [0.0, 0.05, 0.2])
def test_query_ball_point(points, trees, r):
    tree, reference = trees
    for q in queries(points)[:3]:
        for sort in (None, True, False):
            ours, theirs = tree.query_ball_point(q, r, return_sorted=sort), reference.query_ball_point(q.astype(float), r)
            assert type(ours) is type(theirs) and np.shape(ours) == np.shape(theirs) or isinstance(ours, list)
            assert sum(a != b for a, b in zip(lists(ours), lists(theirs))) <= 1
        n = tree.query_ball_point(q, r, return_length=True)
        assert np.abs(n - reference.query_ball_point(q.astype(float), r, return_length=True)).sum() <= 1
    assert tree.query_ball_point(points[:0], r).shape == (0,)


def test_radius_for_each(points, trees):
    tree, reference = trees
    r = np.linspace(0, 0.2, 40)
    ours = tree.query_ball_point(points[:40], r)
    assert sum(a != b for a, b in zip(ours, map(sorted, reference.query_ball_point(points[:40].astype(float), r)))) <= 1
    np.testing.assert_array_equal(tree.query_ball_point(points[:40], r, return_length=True), [len(a) for a in ours])


def test_lists_as_arrays(points, trees):
    tree, _ = trees
    q = points[:50]
    offsets, i, d = tree.radius(0.1, q)
    for row, found in enumerate(tree.query_ball_point(q, 0.1)):
        assert sorted(i[offsets[row]:offsets[row + 1]].tolist()) == found
        assert (np.diff(d[offsets[row]:offsets[row + 1]]) >= 0).all()
    assert tree.radius(0.1, distances=False).distances is None
    own = tree.radius(0.1, exclude_self=True)
    assert (own.counts + 1 == tree.radius(0.1).counts).all()
    assert own.to_sparse(tree.n).shape == (3000, 3000)
    with pytest.raises(ValueError, match="exclude_self"):
        tree.radius(0.1, q, exclude_self=True)


def test_query_pairs(points, trees):
    tree, reference = trees
    ours, theirs = tree.query_pairs(0.05), reference.query_pairs(0.05)
    assert len(ours ^ theirs) <= (2 if points.dtype == np.float32 else 0)
    pairs = tree.query_pairs(0.05, output_type="ndarray")
    assert set(map(tuple, pairs.tolist())) == ours and pairs.shape == (len(ours), 2) and pairs.dtype == np.int64
    offsets, j, _ = tree.radius(0.05, exclude_self=True)  # in the same order
    i = np.repeat(np.arange(tree.n), np.diff(offsets))
    np.testing.assert_array_equal(pairs, np.stack([i, j], axis=1)[i < j])
    assert tree.query_pairs(0, output_type="ndarray").shape[1] == 2


def test_count_neighbors(points, trees):
    tree, reference = trees
    x = points[:700] + points.dtype.type(0.001)
    x %= x.dtype.type(1)
    other = zwalk.KDTree(x, boxsize=None if tree.boxsize is None else tree.boxsize.tolist())
    their_other = Reference(x.astype(float), boxsize=None if tree.boxsize is None else tree.boxsize)
    w, w2 = np.random.default_rng(1).random(3000), np.random.default_rng(2).random(700)
    r = np.array([0.1, 0.0, 0.05, 0.05, 9.0])
    assert tree.count_neighbors(tree, -1) == 0
    for (a, A), weights in (((tree, reference), None), ((other, their_other), None), ((tree, reference), w),
                            ((other, their_other), (w, w2)), ((other, their_other), (None, w2))):
        ours, theirs = tree.count_neighbors(a, r, weights=weights), reference.count_neighbors(A, r, weights=weights)
        np.testing.assert_allclose(ours, theirs, rtol=1e-4 if points.dtype == np.float32 else 1e-9)
        one = tree.count_neighbors(a, 0.1, weights=weights)
        assert np.ndim(one) == 0 and one == pytest.approx(ours[0], rel=1e-12)
    steps = np.array([0.0, 0.05, 0.1])
    np.testing.assert_allclose(tree.count_neighbors(tree, steps, cumulative=False),
                               reference.count_neighbors(reference, steps, cumulative=False), rtol=1e-4)


@pytest.mark.parametrize("kind", ["dok_matrix", "coo_matrix", "dict", "ndarray"])
def test_sparse_distance_matrix(points, kind):
    x, y = points[:400], points[200:700]
    ours = zwalk.KDTree(x).sparse_distance_matrix(zwalk.KDTree(y), 0.2, output_type=kind)
    theirs = Reference(x.astype(float)).sparse_distance_matrix(Reference(y.astype(float)), 0.2, output_type=kind)
    if kind == "ndarray":
        assert ours.dtype.names == theirs.dtype.names and abs(len(ours) - len(theirs)) <= 1
    elif kind == "dict":
        assert len(ours.keys() ^ theirs.keys()) <= 1
    else:
        assert type(ours) is type(theirs) and abs(ours - theirs).max() < 1e-6
        assert ours.nnz == (theirs.nnz if kind == "coo_matrix" else ours.nnz)


@pytest.mark.parametrize("kind", ["dok", "coo"])
def test_sparse_distance_array(points, kind):  # SciPy has these from 1.18 on
    tree = zwalk.KDTree(points[:400])
    array, matrix = (tree.sparse_distance_matrix(tree, 0.2, output_type=f"{kind}_{form}") for form in ("array", "matrix"))
    assert type(array).__name__ == f"{kind}_array" and (array != matrix).nnz == 0


def test_refusals(points):
    tree = zwalk.KDTree(points)
    for call in (lambda: tree.query(points, p=1), lambda: tree.query(points, eps=-1), lambda: tree.query(points[:, :2]),
                 lambda: tree.query(points, k=0), lambda: tree.query(points, k=[]), lambda: tree.query(points, k=[1, 0]),
                 lambda: tree.query_ball_point(points, -1.0), lambda: tree.query_ball_point(points, np.nan),
                 lambda: tree.query_pairs(0.1, output_type="list"), lambda: tree.query([[np.nan, 0, 0]]),
                 lambda: tree.count_neighbors(zwalk.KDTree(points, boxsize=1), 0.1),
                 lambda: tree.count_neighbors(tree, [0.2, 0.1], cumulative=False),
                 lambda: tree.count_neighbors(tree, 0.1, weights=np.ones(3)),
                 lambda: tree.sparse_distance_matrix(tree, 0.1, output_type="csr"),
                 lambda: tree.sparse_distance_matrix(zwalk.KDTree(points[:, :2]), 0.1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        tree.count_neighbors(points, 0.1)


@pytest.mark.parametrize("boxsize", [None, 1.0])
def test_few_rows_find_what_lists_find(boxsize):
    """Up to 64 rows that find less than 32 points each go another way than others."""
    lattice = np.stack(np.meshgrid(*[np.arange(12) / 12] * 3), -1).reshape(-1, 3).astype(np.float32)  # distances that are equal
    tree = zwalk.KDTree(lattice, boxsize=boxsize)
    seen = set()
    for r in (0.0, 1 / 12, 0.09, 0.12, 0.17, 0.2, np.inf):
        lists = tree.radius(r, lattice)
        all_lists = np.split(lists.indices, lists.offsets[1:-1])
        for rows in (1, 2, 63, 64, 65, 200):
            found = tree.query_ball_point(lattice[:rows], r, return_sorted=False)
            seen.add((rows < 65, max(map(len, found)) < 32))
            for q, near, all_near in zip(lattice, found, all_lists):
                assert sorted(near) == sorted(all_near.tolist())
                apart = np.abs(lattice[near] - q)
                if boxsize:
                    apart = np.minimum(apart, boxsize - apart)
                assert (np.diff((apart ** 2).sum(1)) > -1e-6).all()
            assert [list(f) for f in tree.query_ball_point(lattice[:rows], r)] == [sorted(a.tolist()) for a in all_lists[:rows]]
            assert tree.query_ball_point(lattice[:rows], r, return_length=True).tolist() == list(map(len, all_lists[:rows]))
        assert sorted(tree.query_ball_point(lattice[5], r)) == sorted(all_lists[5].tolist())
    assert len(seen) == 4
    assert zwalk.KDTree(np.empty((0, 3))).query_ball_point([0.0, 0, 0], 1.0) == []


def test_data_is_kept_and_cannot_be_changed(points):
    tree = zwalk.KDTree(points)
    assert tree.data is tree.data
    np.testing.assert_array_equal(tree.data, points)
    with pytest.raises(ValueError):
        tree.data[0] = 0
    np.testing.assert_array_equal(zwalk.KDTree(tree.data).data, points)


def test_two_trees_of_different_sizes(points):
    """The smaller one is searched for in the larger one, whichever is which."""
    many, few = points[:900], points[850:870]
    for a, b in ((many, few), (few, many)):
        ours, theirs = zwalk.KDTree(a), zwalk.KDTree(b)
        d = np.sqrt(((a[:, None].astype(float) - b[None]) ** 2).sum(-1))
        assert ours.count_neighbors(theirs, [0.0, 0.3]).tolist() == [(d == 0).sum(), (d <= 0.3).sum()]
        w, w2 = np.linspace(1, 2, len(a)), np.linspace(3, 5, len(b))
        expected = ((d <= 0.3) * w[:, None] * w2).sum()
        assert ours.count_neighbors(theirs, 0.3, weights=(w, w2)) == pytest.approx(expected, rel=1e-6)
        found = ours.sparse_distance_matrix(theirs, 0.3, output_type="ndarray")
        i, j = np.nonzero(d <= 0.3)
        assert sorted(zip(found["i"].tolist(), found["j"].tolist())) == list(zip(i.tolist(), j.tolist()))
        assert all(x <= y for x, y in zip(zip(found["i"], found["v"]), zip(found["i"][1:], found["v"][1:])))
