"""Estimators take what scikit-learn's and hdbscan's do, or say what to do instead; nothing is rounded in silence."""
import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")
import sklearn.cluster
import sklearn.neighbors
import zwalk
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from zwalk.sklearn import DBSCAN, HDBSCAN, NearestNeighbors

X = np.random.default_rng(5).normal(size=(400, 3)) + np.repeat([[0, 0, 0], [8, 0, 0]], 200, axis=0)
PAIRS = [(HDBSCAN, sklearn.cluster.HDBSCAN), (DBSCAN, sklearn.cluster.DBSCAN), (NearestNeighbors, sklearn.neighbors.NearestNeighbors)]


@pytest.mark.parametrize("ours, theirs", PAIRS)
def test_parameters_are_scikit_learn_s(ours, theirs):
    """Names, order, kinds and defaults; what is added has to be named."""
    has, wants = (list(inspect.signature(cls).parameters.values()) for cls in (ours, theirs))
    assert [(p.name, p.kind) for p in has[:len(wants)]] == [(p.name, p.kind) for p in wants]
    assert all(p.kind is p.KEYWORD_ONLY for p in has[len(wants):])
    assert [p.default for p in has[:len(wants)] if p.name != "copy"] == [p.default for p in wants if p.name != "copy"]
    for name in ("fit", "kneighbors", "kneighbors_graph", "radius_neighbors", "radius_neighbors_graph"):
        if hasattr(ours, name):
            has, wants = (list(inspect.signature(getattr(cls, name)).parameters) for cls in (ours, theirs))
            assert has[:len(wants)] == wants


FREE = {
    HDBSCAN: dict(metric=["euclidean", "l2", "minkowski"], metric_params=[None, {}], p=[None, 2], alpha=[1.0, 1], leaf_size=[40, 7],
                  algorithm=["auto", "best", "boruvka_kdtree", "brute"], copy=[True, False], memory=["cache"],
                  approx_min_span_tree=[False], gen_min_span_tree=[True], store_centers=["both"], core_dist_n_jobs=[4], max_cluster_size=[None, 0],
                  prediction_data=[False, True], match_reference_implementation=[False], cluster_selection_persistence=[0.0]),
    DBSCAN: dict(metric=["euclidean", "l2", "minkowski"], metric_params=[None], p=[None, 2.0], leaf_size=[3],
                 algorithm=["kd_tree", "ball_tree"]),
    NearestNeighbors: dict(metric=["euclidean", "l2", "minkowski"], metric_params=[None], p=[2], leaf_size=[3], algorithm=["brute"]),
}


@pytest.mark.parametrize("cls", FREE)
def test_what_changes_nothing(cls):
    def result(estimator):
        estimator.fit(X)
        return estimator.labels_ if hasattr(estimator, "labels_") else estimator.kneighbors(return_distance=False)

    expected = result(cls())
    for name, values in FREE[cls].items():
        for value in values:
            estimator = clone(cls(**{name: value}))
            assert estimator.get_params()[name] == value
            np.testing.assert_array_equal(result(estimator), expected)
            np.testing.assert_array_equal(result(cls().set_params(**{name: value})), expected)
    for parameters in ParameterGrid({"metric": ["euclidean", "l2"], "algorithm": ["auto", "brute"]}):
        np.testing.assert_array_equal(result(cls().set_params(**parameters)), expected)


@pytest.mark.parametrize("cls", FREE)
@pytest.mark.parametrize("wrong, says", [
    (dict(metric="haversine"), "metric must be 'euclidean', not 'haversine': pass zwalk.lonlat_to_unit"),
    (dict(metric="cosine"), "divide rows by their lengths"), (dict(metric="precomputed"), "pass the points"),
    (dict(metric="manhattan"), "^metric must be 'euclidean', not 'manhattan'$"), (dict(metric=max), "not <built-in function max>"),
    (dict(metric=None), "not None"), (dict(p=1), "p must be 2"), (dict(metric_params={"w": [1, 2, 3]}), "metric_params must be None"),
    (dict(algorithm="faiss"), "algorithm"), (dict(leaf_size=0), "leaf_size"),
])
def test_what_is_not_there(cls, wrong, says):
    with pytest.raises(ValueError, match=says):
        cls(**wrong).fit(X)


@pytest.mark.parametrize("wrong", [
    dict(alpha=0.5), dict(branch_detection_data=True), dict(match_reference_implementation=True)])
def test_what_hdbscan_has_and_zwalk_has_not(wrong):
    (name, value), = wrong.items()
    with pytest.raises(zwalk.InputError, match=f"^{name} must be .*, not {value!r}: ."):
        HDBSCAN(**wrong).fit(X)


def test_advice_for_other_metrics_is_right():
    lat, lon = np.random.default_rng(1).uniform(-1, 1, (2, 200))
    x = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    angle = sklearn.metrics.pairwise.haversine_distances(np.column_stack([lat, lon]))
    d, i = NearestNeighbors(n_neighbors=5).fit(x).kneighbors(x)
    np.testing.assert_allclose(2 * np.arcsin(d / 2), np.sort(angle)[:, :5], atol=1e-7)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    d, i = NearestNeighbors(n_neighbors=5).fit(unit).kneighbors(unit)
    np.testing.assert_allclose(d, np.sqrt(2 * np.sort(sklearn.metrics.pairwise.cosine_distances(X))[:, :5]), atol=1e-7)
    covariance = np.cov(X.T)
    y = X @ np.linalg.cholesky(np.linalg.inv(covariance))
    theirs = sklearn.neighbors.NearestNeighbors(n_neighbors=5, metric="mahalanobis", metric_params={"VI": np.linalg.inv(covariance)})
    np.testing.assert_allclose(NearestNeighbors(n_neighbors=5).fit(y).kneighbors(y)[0], theirs.fit(X).kneighbors(X)[0], atol=1e-7)


def test_queries_are_not_rounded():
    points = np.float32([[16777216.0], [3.0]])
    for box in (None, 3e7):
        nn = NearestNeighbors(n_neighbors=1, box=box).fit(points)
        for q in ([[16777217.0]], np.array([[16777217.0]])):
            d, i = nn.kneighbors(q)
            assert d.dtype == np.float64 and d.tolist() == [[1.0]] and i.tolist() == [[0]]
            assert nn.radius_neighbors(q, 0.5, return_distance=False)[0].size == 0
            assert nn.radius_neighbors_graph(q, 1.0, mode="distance").data.tolist() == [1.0]
        assert nn.kneighbors(points)[0].dtype == nn.kneighbors()[0].dtype == np.float32
    assert NearestNeighbors(n_neighbors=1).fit(points).kneighbors([[1e39]])[0] == 1e39 - 16777216
    rng = np.random.default_rng(2)
    x, q = rng.random((500, 3), dtype=np.float32), rng.random((200, 3))
    ours, theirs = NearestNeighbors(n_neighbors=6).fit(x), sklearn.neighbors.NearestNeighbors(n_neighbors=6).fit(x.astype(float))
    for a, b in zip(ours.kneighbors(q), theirs.kneighbors(q)):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.kneighbors(q)[1], ours.kneighbors(q)[1])
    third = np.float32(0.3)  # beyond 0.3, as it is rounded
    edge = NearestNeighbors(n_neighbors=1, box=0.3).fit(np.array([[0], [third]], np.float32))
    assert edge.kneighbors([[0.1]])[1].shape == (1, 1)


def test_radius_neighbors_sort_results_and_infinity():
    nn = NearestNeighbors(radius=np.inf).fit(X)
    d, i = nn.radius_neighbors(X[:4], sort_results=True)
    assert all(len(row) == len(X) and (np.diff(row) >= 0).all() for row in d)
    assert nn.radius_neighbors_graph(X[:4], 1.0, sort_results=True).shape == (4, len(X))


@pytest.mark.parametrize("cls", [DBSCAN, NearestNeighbors])  # HDBSCAN labels them
def test_rows_that_are_not_finite_are_named(cls):
    for bad in (np.nan, np.inf):
        x = X.copy()
        x[7, 1] = bad
        with pytest.raises(zwalk.InputError, match="^Input X contains NaN or inf, first in row 7, column 1: leave out such rows$"):
            cls().fit(x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["one", "integers", "some", "negative"])
def test_dbscan_with_weights(dtype, kind):
    rng = np.random.default_rng(4)
    x = (rng.random((800, 2)) * 10).astype(dtype)
    w = {"one": np.ones(800), "integers": rng.integers(0, 5, 800), "some": rng.random(800) * 2, "negative": rng.normal(1, 2, 800)}[kind]
    ours = DBSCAN(eps=0.4, min_samples=5).fit(x, sample_weight=w)
    theirs = sklearn.cluster.DBSCAN(eps=0.4, min_samples=5).fit(x, sample_weight=w)
    np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    np.testing.assert_array_equal(ours.labels_ < 0, theirs.labels_ < 0)
    core = ours.core_sample_indices_
    assert sklearn.metrics.adjusted_rand_score(ours.labels_[core], theirs.labels_[core]) == 1
    if kind == "one":
        for box in (None, 10.5):
            plain, weighted = DBSCAN(0.4, box=box).fit(x), DBSCAN(0.4, box=box).fit(x, sample_weight=w)
            np.testing.assert_array_equal(plain.labels_, weighted.labels_)
    if kind == "integers":  # as copies of points
        copies = DBSCAN(eps=0.4, min_samples=5).fit(np.repeat(x, w, axis=0))
        np.testing.assert_array_equal(np.unique(np.repeat(np.arange(800), w)[copies.core_sample_indices_]), core[w[core] > 0])
    with pytest.raises(ValueError):
        DBSCAN().fit(x, sample_weight=w[:3])
