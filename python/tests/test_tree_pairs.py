"""Pairs of a tree's own points beside the lists of each."""
import numpy as np
import pytest
import zwalk

RNG = np.random.default_rng(11)
FIELDS = {
    "uniform": RNG.random((700, 3)),
    "clustered": (RNG.normal(size=(700, 3)) * RNG.choice([0.001, 0.05, 1], (700, 1))) % 1,
    "grid": RNG.integers(0, 6, (700, 3)) / 8,  # copies, and many distances that are equal
    "one place": np.full((60, 3), 0.25),
    "plane": RNG.random((500, 2)),
    "line": RNG.random((300, 1)),
    "eight axes": RNG.random((200, 8)),
    "two": RNG.random((2, 3)),
    "one": RNG.random((1, 3)),
    "none": np.empty((0, 3)),
}


def pairs_one_by_one(tree, r):
    """Each point's list, in its order, without the points before it."""
    offsets, j, _ = tree.radius(r)
    i = np.repeat(np.arange(tree.n), np.diff(offsets))
    return np.stack([i, j], axis=1)[i < j]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("boxsize", [None, 1.0])
@pytest.mark.parametrize("name", FIELDS)
def test_pairs_are_those_of_lists(name, boxsize, dtype):
    tree = zwalk.KDTree(FIELDS[name].astype(dtype), boxsize=boxsize)
    for r in (0, 1e-9, 0.01, 0.125, 0.3, 0.49):
        expected = pairs_one_by_one(tree, r)
        pairs = tree.query_pairs(r, output_type="ndarray")
        np.testing.assert_array_equal(pairs, expected)
        assert pairs.dtype == np.int64 and pairs.flags.c_contiguous and pairs.flags.writeable
        assert tree.query_pairs(r) == set(map(tuple, expected.tolist()))


@pytest.mark.filterwarnings("ignore:r 0.6 is beyond half")
@pytest.mark.parametrize("boxsize", [None, 1.0])
def test_all_pairs(boxsize):
    tree = zwalk.KDTree(FIELDS["grid"], boxsize=boxsize)
    n = tree.n
    pairs = tree.query_pairs(np.inf, output_type="ndarray")
    assert len(pairs) == n * (n - 1) // 2 and (pairs[:, 0] < pairs[:, 1]).all()
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    np.testing.assert_array_equal(tree.query_pairs(0.6, output_type="ndarray"), pairs_one_by_one(tree, 0.6))


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_pairs_whose_squares_leave_the_range(scale):
    tree = zwalk.KDTree(FIELDS["uniform"] * scale)
    pairs = zwalk.KDTree(FIELDS["uniform"] * 2.0**-4).query_pairs(0.01, output_type="ndarray")
    ours = tree.query_pairs(0.16 * scale, output_type="ndarray")
    np.testing.assert_array_equal(ours, pairs_one_by_one(tree, 0.16 * scale))
    assert abs(len(ours) - len(pairs)) <= 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pairs_are_the_same_from_any_number_of_threads(threads):
    x = np.random.default_rng(12).random((30_000, 3))
    tree = zwalk.KDTree(x, threads=threads)
    np.testing.assert_array_equal(tree.query_pairs(0.03, output_type="ndarray"), pairs_one_by_one(tree, 0.03))
