"""Density peaks beside their definition."""
import numpy as np
import pytest

import zwalk

SEED = 12


def brute(x, k, box=None):
    d = np.abs(x[:, None] - x[None])
    d = np.sqrt((np.minimum(d, box - d) if box else d).__pow__(2).sum(-1))
    radius = np.sort(d, axis=1)[:, k - 1]
    rank = np.empty(len(x), int)
    rank[np.lexsort((np.arange(len(x)), radius))] = np.arange(len(x))
    to_denser = np.where(rank < rank[:, None], d, np.inf)
    return radius, to_denser.min(1), np.where(rank > 0, to_denser.argmin(1), -1)


@pytest.mark.parametrize("box", [None, 1.0])
@pytest.mark.parametrize("k", [2, 9, 300])
def test_definition(k, box):
    x = np.random.default_rng(SEED).random((300, 2))
    found = zwalk.density_peaks(x, k, box=box)
    radius, delta, denser = brute(x, k, box)
    np.testing.assert_allclose(found.radius, radius, rtol=1e-12)
    np.testing.assert_array_equal(found.nearest_denser, denser)
    np.testing.assert_allclose(found.delta, delta, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_grids_have_ties(dtype):
    """Of points with equal radii the first row is denser."""
    x = np.stack(np.meshgrid(*[np.arange(6)] * 3), -1).reshape(-1, 3).astype(dtype)
    found = zwalk.density_peaks(x, 4)
    order = np.lexsort((np.arange(len(x)), found.radius))
    assert found.nearest_denser[order[0]] == -1 and found.delta[order[0]] == np.inf
    rank = np.argsort(order)
    assert (rank[found.nearest_denser[order[1:]]] < rank[order[1:]]).all()


def test_clusters():
    rng = np.random.default_rng(SEED)
    centres = np.array([[0, 0], [40, 0], [0, 40], [40, 40]])
    x = np.concatenate([c + rng.normal(size=(150, 2)) * s for c, s in zip(centres, (0.5, 1, 2, 4))])
    peaks = zwalk.density_peaks(x, 20)
    labels, rows = peaks.clusters(4)
    assert sorted(rows // 150) == [0, 1, 2, 3] and labels[rows].tolist() == [0, 1, 2, 3]
    assert (np.diff(peaks.radius[rows]) >= 0).all()
    assert (labels == labels[np.repeat(rows[np.argsort(rows)], 150)]).mean() > 0.99
    follow = np.setdiff1d(np.arange(len(x)), rows)
    np.testing.assert_array_equal(labels[follow], labels[peaks.nearest_denser[follow]])
    np.testing.assert_array_equal(peaks.clusters(min_delta=15, threads=1).centres, rows)
    assert len(peaks.clusters(min_delta=15, max_radius=float(peaks.radius[rows[1]])).centres) == 2
    assert (peaks.clusters(4, max_radius=0).labels == -1).all()


def test_few_points():
    for n in range(3):
        peaks = zwalk.density_peaks(np.zeros((n, 3)), 2)
        assert peaks.nearest_denser.tolist() == [-1, 0][:n] and len(peaks) == n
        assert peaks.clusters(1).labels.tolist() == [0] * n


def test_what_is_refused():
    x = np.random.default_rng(SEED).random((30, 2))
    peaks = zwalk.density_peaks(x, 3)
    for words, call in (("k must be", lambda: zwalk.density_peaks(x, 0)), ("say which points are centres", peaks.clusters),
                        ("n_clusters must be", lambda: peaks.clusters(0)), ("min_delta", lambda: peaks.clusters(min_delta=-1)),
                        ("max_radius", lambda: peaks.clusters(2, max_radius=np.nan))):
        with pytest.raises(zwalk.InputError, match=words):
            call()
    peaks.nearest_denser[4] = 4
    with pytest.raises(zwalk.InputError, match="row 4 is 4, which isn't denser"):
        peaks.clusters(2)
    with pytest.raises(TypeError, match="did you mean k"):
        zwalk.density_peaks(x, n_neighbors=3)
