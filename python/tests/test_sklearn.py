"""Estimators: what scikit-learn asks of them, and its own results."""
import numpy as np
import pytest

pytest.importorskip("sklearn")
import sklearn.cluster
import sklearn.neighbors
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks
import zwalk
from zwalk.sklearn import DBSCAN, HDBSCAN, NearestNeighbors


@pytest.mark.skipif(zwalk._core.max_dim < 20, reason="some checks have 20 features, this build fewer dimensions")
@parametrize_with_checks([HDBSCAN(), HDBSCAN(prediction_data=True), DBSCAN(), NearestNeighbors()])
def test_estimator(estimator, check):
    check(estimator)


@pytest.fixture(params=[np.float32, np.float64])
def blobs(request):
    x, _ = make_blobs(3000, centers=6, n_features=3, cluster_std=0.8, random_state=3)
    return x.astype(request.param)


def test_hdbscan(blobs):
    ours = HDBSCAN(min_cluster_size=15).fit(blobs)
    theirs = sklearn.cluster.HDBSCAN(min_cluster_size=15, copy=True).fit(blobs.astype(float))
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.98
    assert ours.labels_.dtype == np.int64


def test_dbscan(blobs):
    ours = DBSCAN(eps=0.5, min_samples=8).fit(blobs)
    theirs = sklearn.cluster.DBSCAN(eps=0.5, min_samples=8).fit(blobs)
    np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    np.testing.assert_array_equal(ours.labels_ == -1, theirs.labels_ == -1)
    core = ours.core_sample_indices_
    assert adjusted_rand_score(ours.labels_[core], theirs.labels_[core]) == 1
    assert ours.components_.dtype == blobs.dtype


def test_nearest_neighbors(blobs):
    ours = NearestNeighbors(n_neighbors=7, radius=0.4).fit(blobs)
    theirs = sklearn.neighbors.NearestNeighbors(n_neighbors=7, radius=0.4).fit(blobs.astype(float))
    for x in (None, blobs[:50] + blobs.dtype.type(0.01)):
        d, i = ours.kneighbors(x)
        D, I = theirs.kneighbors(None if x is None else x.astype(float))
        assert d.dtype == blobs.dtype and (i == I).mean() > 0.999
        np.testing.assert_allclose(d, D, rtol=1e-4)
        graph, reference = ours.kneighbors_graph(x), theirs.kneighbors_graph(None if x is None else x.astype(float))
        assert abs(graph - reference).sum() <= 0.002 * reference.nnz
        found = ours.radius_neighbors(x, return_distance=False)
        expected = theirs.radius_neighbors(None if x is None else x.astype(float), return_distance=False)
        assert sum(set(a) == set(b) for a, b in zip(found, expected)) >= len(found) - 2
        assert ours.radius_neighbors_graph(x, mode="distance").max() <= 0.4
    with pytest.raises(ValueError, match="n_neighbors"):
        ours.kneighbors(n_neighbors=3000)


def test_box(blobs):
    x = np.mod(blobs, blobs.dtype.type(3))
    assert NearestNeighbors(n_neighbors=3, box=3).fit(x).kneighbors()[0].max() <= 1.5
