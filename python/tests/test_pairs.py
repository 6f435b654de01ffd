"""Pair counts, radius search, gravity: beside sums over all pairs."""
import numpy as np
import pytest
import zwalk

x = np.random.default_rng(4).random((600, 3))
y = np.random.default_rng(5).random((500, 3))


def separations(a, b, box=None):
    d = np.abs(a[:, None] - b[None])
    return d if box is None else np.minimum(d, box - d)


@pytest.mark.parametrize("box", [None, 1.0])
def test_pairs(box):
    edges, w, w2 = [0, 0.1, 0.15, 0.4], np.arange(600.0), np.arange(500.0) / 7
    d = np.sqrt((separations(x, y, box) ** 2).sum(-1))
    counts, weighted = zwalk.pairs(x, edges, y, weights=w, second_weights=w2, box=box)
    assert counts.dtype == np.int64
    for i, (a, b) in enumerate(zip(edges, edges[1:])):
        inside = (d > a) & (d <= b)
        assert counts[i] == inside.sum()
        np.testing.assert_allclose(weighted[i], (w[:, None] * w2 * inside).sum(), rtol=1e-9)
    auto = zwalk.pairs(x, edges, box=box)
    assert auto.weighted is None and auto.counts.sum() == (np.sqrt((separations(x, x, box) ** 2).sum(-1)) <= 0.4).sum() - 600


def test_along_the_line_of_sight():
    s = separations(x, x)
    for axis in (0, 2, -1):
        pi = s[..., axis]
        rp = np.sqrt((np.delete(s, axis, -1) ** 2).sum(-1))
        counts = zwalk.pairs(x, [0, 0.1, 0.3], bins="rp_pi", los_edges=[0, 0.2, 0.5], line_of_sight=axis).counts
        assert counts.shape == (2, 2)
        assert counts[1, 1] == ((rp > 0.1) & (rp <= 0.3) & (pi > 0.2) & (pi <= 0.5)).sum()


def test_radius():
    d = np.sqrt((separations(y, x) ** 2).sum(-1))
    lists = zwalk.radius(x, 0.2, y)
    for row in (0, 7, 499):
        mine = lists.indices[lists.offsets[row]:lists.offsets[row + 1]]
        np.testing.assert_array_equal(mine, np.flatnonzero(d[row] <= 0.2)[np.argsort(d[row][d[row] <= 0.2])])
    np.testing.assert_array_equal(lists.counts, (d <= 0.2).sum(1))
    np.testing.assert_array_equal(zwalk.radius_count(x, 0.2, y), lists.counts)
    assert lists.offsets.dtype is lists.indices.dtype is np.dtype(np.int64)


def test_gravity():
    m = np.random.default_rng(6).random(600)
    r = x[None] - x[:, None]
    d = np.sqrt((r ** 2).sum(-1) + 0.01 ** 2)
    expected = (m[None, :, None] * r / d[..., None] ** 3).sum(1)
    potential = -(m / d).sum(1) + m / 0.01
    a, p = zwalk.gravity(x, m, softening=0.01, accuracy=1e-4)
    error = np.linalg.norm(a - expected, axis=1) / np.linalg.norm(expected, axis=1)
    assert np.quantile(error, 0.99) < 1e-4
    np.testing.assert_allclose(p, potential, rtol=1e-4)
    assert zwalk.gravity(x.astype("f4")).potentials.dtype == np.float32
    one = zwalk.gravity(x[:1], box=2.0)  # the lattice of its images
    np.testing.assert_allclose(one.potentials, 2.837297479 / 2, rtol=1e-6)
    np.testing.assert_allclose(zwalk.gravity(x, m, box=(1, 1, 1)).accelerations, zwalk.gravity(x, m, box=1).accelerations)
    for wrong in ({"masses": -m}, {"masses": m[:3]}, {"accuracy": 2}, {"softening": -1}, {"order": 9}, {"opening": np.nan}, {"box": (1, 1, 0)}):
        with pytest.raises(ValueError):
            zwalk.gravity(x, **wrong)


def test_refusals():
    for wrong in ({"edges": [1]}, {"edges": [1, 0]}, {"edges": [0, np.nan]}, {"edges": [0, 1], "bins": "r"},
                  {"edges": [0, 1], "weights": [1]}, {"edges": [0, 1], "second_weights": m_for(x)},
                  {"edges": [0, 1], "line_of_sight": 3}, {"edges": [0, 1], "bins": "rp_pi"}, {"edges": 1}):
        with pytest.raises(ValueError):
            zwalk.pairs(x, **wrong)


def m_for(points):
    return np.ones(len(points))
