"""Points whose squares leave the range of their precision: the results of other units."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

import zwalk

# 10 kpc in metres, 1e-22 of anything: float32. And double precision, further out.
SCALES = [("f4", 100), ("f4", 66), ("f4", -73), ("f4", -100), ("f8", 600), ("f8", -900)]


def unit_cube(dtype):
    return np.random.default_rng(1).random((500, 3)).astype(dtype)


@pytest.fixture(params=SCALES, ids=[f"{t}*2^{k}" for t, k in SCALES])
def far(request):
    """Points of the unit cube, the same in another unit, and that unit."""
    dtype, exponent = request.param
    x = unit_cube(dtype)
    return x, np.ldexp(x, exponent).astype(dtype), 2.0**exponent


def test_neighbours_are_those_of_the_unit_cube(far):
    x, y, unit = far
    near, found = zwalk.knn(x, k=4), zwalk.knn(y, k=4)
    assert np.array_equal(found.indices, near.indices)
    assert np.array_equal(found.distances, near.distances * y.dtype.type(unit))
    assert np.allclose(found.distances / unit, cKDTree(x.astype("f8")).query(x, 4)[0], rtol=1e-5)
    assert np.array_equal(zwalk.KDTree(y).query(y, 4)[1], near.indices)


def test_counts_groups_and_trees(far):
    x, y, unit = far
    tree = cKDTree(x.astype("f8"))
    assert zwalk.radius_count(y, 0.1 * unit).sum() == zwalk.radius_count(x, 0.1).sum()
    assert len(tree.query_pairs(0.1)) == len(zwalk.KDTree(y).query_pairs(0.1 * unit))
    edges = np.array([0, 0.05, 0.2, 1])
    assert np.array_equal(zwalk.pairs(y, edges * unit).counts, zwalk.pairs(x, edges).counts)
    assert np.array_equal(zwalk.fof(y, 0.08 * unit).labels, zwalk.fof(x, 0.08).labels)
    assert np.array_equal(zwalk.dbscan(y, 0.1 * unit, 4).labels, zwalk.dbscan(x, 0.1, 4).labels)
    assert np.array_equal(zwalk.hdbscan(y, 5).labels, zwalk.hdbscan(x, 5).labels)
    assert np.array_equal(zwalk.density_peaks(y, 5).nearest_denser, zwalk.density_peaks(x, 5).nearest_denser)
    near, found = zwalk.minimum_spanning_tree(x), zwalk.minimum_spanning_tree(y)
    assert np.array_equal(found.edges, near.edges)
    assert np.array_equal(found.lengths, near.lengths * y.dtype.type(unit))


def test_visits_and_data_are_in_the_units_of_the_input(far):
    _, y, _ = far
    tree = zwalk.KDTree(y)
    assert np.array_equal(tree.data, y)
    count = tree.query_ball_point(y[:20], 0.1 * float(y.max()), return_length=True)
    assert np.array_equal(count, [len(i) for i in tree.query_ball_point(y[:20], 0.1 * float(y.max()))])


def test_results_that_no_number_holds_are_refused():
    x = unit_cube("f4")
    with pytest.raises(ValueError, match="densities leave the range of single precision"):
        zwalk.density(x * np.float32(3e20))
    with pytest.raises(ValueError, match="accelerations leave the range of single precision"):
        zwalk.gravity(x * np.float32(3e25))
    apart = np.array([[3e38, 0], [-3e38, 0]], "f4")
    for call in (lambda: zwalk.knn(apart, k=1), lambda: zwalk.fof(apart, 1.0)):
        with pytest.raises(ValueError, match="distances leave the range of single precision: use double"):
            call()
    with pytest.raises(ValueError, match="squares of distances"):
        zwalk.KDTree(x).query(np.full((1, 3), 1e30, "f4"))


def test_the_sun_and_its_planets_in_centimetres():
    """Masses in g, distances in cm: nothing of this fits into cubes of single precision."""
    au, sun = 1.495978707e13, 1.98841e33
    distance = np.array([0, 0.387, 0.723, 1, 1.524, 5.203, 9.582, 19.2, 30.05]) * au
    angle = np.arange(9) * 2.4
    mass = sun * np.array([1, 1.66e-7, 2.448e-6, 3.003e-6, 3.227e-7, 9.546e-4, 2.858e-4, 4.366e-5, 5.151e-5])
    x = np.stack([distance * np.cos(angle), distance * np.sin(angle), 0 * angle], axis=1)
    expected = np.zeros((9, 3))
    for i in range(9):
        d = x - x[i]
        r = np.sqrt((d**2).sum(axis=1))
        r[i] = np.inf
        expected[i] = (mass[:, None] * d / r[:, None] ** 3).sum(axis=0)
    found = zwalk.gravity(x.astype("f4"), masses=mass, accuracy=1e-5).accelerations
    error = np.linalg.norm(found - expected, axis=1) / np.linalg.norm(expected, axis=1)
    assert error.max() < 1e-4
