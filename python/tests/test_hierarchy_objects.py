"""What the HDBSCAN estimator has after a fit: exemplars, centres, validity, other selections, rows that aren't finite.

Beside hdbscan and scikit-learn, on points without equal distances (min_samples=2 is plain distance), or given our arrays.
"""
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")
import sklearn.cluster
import zwalk
from sklearn.base import clone
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from zwalk import _centres, _condensed, _validity
from zwalk.sklearn import HDBSCAN, flat_clusters, validity_index

RANDOM = np.random.default_rng(11)
PLACES = [(0, 0), (7, 1), (3, 9), (4.5, 9), (12, 12), (12.5, 11)]
X = np.concatenate([RANDOM.normal(size=(90, 2)) * width + place for place, width in zip(PLACES, [1, 1, 0.3, 0.3, 0.5, 0.2])])
LABELS = np.repeat(range(6), 90)  # by place
NOISE = RANDOM.random((1500, 2))


def fitted(x=X, **parameters):
    return HDBSCAN(**{"min_cluster_size": 8, "min_samples": 2, "gen_min_span_tree": True} | parameters).fit(x)


def theirs(x=X, **parameters):
    hdbscan = pytest.importorskip("hdbscan")
    exact = {"min_cluster_size": 8, "min_samples": 1, "gen_min_span_tree": True, "approx_min_span_tree": False}
    return hdbscan.HDBSCAN(**exact | parameters).fit(x)


def renumbered(labels, like):
    """Labels, numbered as those of `like`."""
    pairs = np.unique(np.column_stack([labels, like]), axis=0)
    assert len(pairs) == len(np.unique(labels)) == len(np.unique(like))
    return dict(pairs.tolist())


def test_same_as_hdbscan():
    ours, other = fitted(), theirs()
    to = renumbered(ours.labels_, other.labels_)
    assert len(to) > 5 and -1 in to
    np.testing.assert_allclose(ours.probabilities_, other.probabilities_, rtol=1e-12)
    np.testing.assert_allclose(ours.outlier_scores_, other.outlier_scores_, rtol=1e-9, atol=1e-12)
    assert ours.relative_validity_ == pytest.approx(other.relative_validity_, rel=1e-12)
    for k, exemplars in enumerate(ours.exemplars_):
        np.testing.assert_array_equal(np.unique(exemplars, axis=0), np.unique(other.exemplars_[to[k]], axis=0))
        np.testing.assert_allclose(ours.weighted_cluster_centroid(k), other.weighted_cluster_centroid(to[k]), rtol=1e-12)
        np.testing.assert_array_equal(ours.weighted_cluster_medoid(k), other.weighted_cluster_medoid(to[k]))
    edges, expected = ours.minimum_spanning_tree_.to_numpy(), other.minimum_spanning_tree_.to_numpy()
    np.testing.assert_allclose(edges[:, 2], expected[:, 2], rtol=1e-12)
    ends, wanted = (np.sort(table[:, :2], axis=1) for table in (edges, expected))
    np.testing.assert_array_equal(ends[np.lexsort(ends.T)], wanted[np.lexsort(wanted.T)])


@pytest.mark.parametrize("parameters", [dict(min_samples=9), dict(cluster_selection_method="leaf"), dict(min_cluster_size=200),
                                        dict(allow_single_cluster=True, min_cluster_size=60), dict(cluster_selection_epsilon=0.9)])
def test_same_as_hdbscan_makes_of_our_trees(parameters):
    """Also where distances are equal: validity and exemplars of one tree and its labels."""
    hdbscan, ours = pytest.importorskip("hdbscan"), fitted(**parameters)
    other = hdbscan.HDBSCAN(gen_min_span_tree=True)
    other.labels_, other._min_spanning_tree = ours.labels_, ours.minimum_spanning_tree_.to_numpy()
    assert ours.relative_validity_ == pytest.approx(other.relative_validity_, rel=1e-12)
    if ours.labels_.max() < 0:
        assert ours.exemplars_ == [] and ours.relative_validity_ == 0
        return
    tree = hdbscan.plots.CondensedTree(ours.condensed_tree_.to_numpy(), ours.labels_)
    expected = hdbscan.prediction.PredictionData(X, tree, 3).exemplars
    assert len(expected) == len(ours.exemplars_)
    for a, b in zip(ours.exemplars_, expected):
        np.testing.assert_array_equal(np.unique(a, axis=0), np.unique(b, axis=0))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_store_centers_as_scikit_learn(dtype):
    x = X.astype(dtype)
    both, other = fitted(x, store_centers="both"), sklearn.cluster.HDBSCAN(8, min_samples=2, store_centers="both", copy=True).fit(x)
    to = renumbered(both.labels_, other.labels_)
    order = [to[k] for k in range(len(to) - 1)]
    np.testing.assert_allclose(both.centroids_, other.centroids_[order], rtol=1e-5 if dtype == np.float32 else 1e-12)
    np.testing.assert_array_equal(both.medoids_, other.medoids_[order])
    assert both.centroids_.dtype == np.float64 and both.medoids_.dtype == dtype
    for wanted, has, has_not in [("centroid", "centroids_", "medoids_"), ("medoid", "medoids_", "centroids_")]:
        one = fitted(x, store_centers=wanted)
        np.testing.assert_array_equal(getattr(one, has), getattr(both, has))
        assert not hasattr(one, has_not)
    none = fitted(x, store_centers="both", min_cluster_size=500)
    assert none.centroids_.shape == none.medoids_.shape == (0, 2)


@pytest.mark.parametrize("dim, n", [(1, 50), (2, 400), (3, 400), (12, 100)])
@pytest.mark.parametrize("box", [0, 4.0])
def test_medoid_is_the_best_of_all(dim, n, box):
    for x in (RANDOM.normal(size=(n, dim)), RANDOM.integers(0, 3, (n, dim)).astype(float)):
        weights = RANDOM.random(n) * (RANDOM.random(n) < 0.8)
        d = np.abs(x[:, None] - x)
        if box:
            d = np.minimum(d % box, box - d % box)
        sums = np.sqrt(np.square(d).sum(axis=2)) @ weights
        found = _centres.medoid(x, weights, np.full(dim, float(box)))
        assert sums[found] == pytest.approx(sums.min(), rel=1e-12)


def test_medoid_tries_few_points(monkeypatch):
    tried, distances = [], _centres.distances
    monkeypatch.setattr(_centres, "distances", lambda *args: tried.append(1) or distances(*args))
    n = 10_000
    _centres.medoid(RANDOM.normal(size=(n, 2)), np.ones(n), np.zeros(2))
    assert len(tried) < 10 * np.sqrt(n)


def test_centres_in_a_box():
    x = np.concatenate([RANDOM.normal(size=(60, 2)) * 0.1, RANDOM.normal(size=(60, 2)) * 0.1 + 5]) % 10
    model = fitted(x, box=10.0)
    assert model.labels_.max() == 1
    for k in range(2):
        for centre in (model.weighted_cluster_centroid(k), model.weighted_cluster_medoid(k)):
            d = centre - (5 if k == model.labels_[-1] else 0)
            assert (np.abs(d - 10 * np.round(d / 10)) < 0.1).all()
    np.testing.assert_allclose(_centres.centroid(X, np.ones(len(X)), np.array([0.0, 0])), X.mean(axis=0))


@pytest.mark.parametrize("method", ["weighted_cluster_centroid", "weighted_cluster_medoid"])
def test_no_centre(method):
    model = fitted()
    with pytest.raises(zwalk.InputError, match="noise"):
        getattr(model, method)(-1)
    with pytest.raises(zwalk.InputError, match="^there is no cluster 99: there are "):
        getattr(model, method)(99)


def test_without_the_spanning_tree():
    model = fitted().set_params(gen_min_span_tree=False).fit(X)
    for name in ("minimum_spanning_tree_", "relative_validity_"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match="gen_min_span_tree=True"):
            getattr(model, name)
    np.testing.assert_array_equal(model.labels_, fitted().labels_)
    np.testing.assert_array_equal(model.condensed_tree_, fitted().condensed_tree_)


def with_odd_rows():
    x = X.copy()
    x[[0, 4, 300]], x[[2, 77], 1], x[3] = np.nan, np.inf, [-np.inf, np.nan]
    return x, np.isfinite(x).all(axis=1)


@pytest.mark.parametrize("parameters", [{}, dict(cluster_selection_persistence=0.5), dict(min_samples=9, store_centers="both"),
                                        dict(allow_single_cluster=True, min_cluster_size=60, cluster_selection_epsilon=0.5),
                                        dict(allow_single_cluster=True, min_cluster_size=300, cluster_selection_epsilon_max=50.0)])
def test_rows_that_are_not_finite(parameters):
    x, even = with_odd_rows()
    model, clean = fitted(x, **parameters), fitted(x[even], **parameters)
    np.testing.assert_array_equal(model.labels_[even], clean.labels_)
    np.testing.assert_array_equal(model.probabilities_[even], clean.probabilities_)
    np.testing.assert_array_equal(model.outlier_scores_[even], clean.outlier_scores_)
    other = sklearn.cluster.HDBSCAN(8, copy=True).fit(x)
    np.testing.assert_array_equal(model.labels_[~even], other.labels_[~even])
    np.testing.assert_array_equal(model.probabilities_[~even], other.probabilities_[~even])
    np.testing.assert_array_equal(model.labels_[[0, 2, 3, 4, 77, 300]], [-3, -2, -3, -3, -2, -3])
    for a, b in zip(model.exemplars_, clean.exemplars_):
        np.testing.assert_array_equal(a, b)
    if "store_centers" in parameters:
        np.testing.assert_array_equal(model.medoids_, clean.medoids_)
    assert model.relative_validity_ * len(x) == pytest.approx(clean.relative_validity_ * len(clean.labels_))
    cut = model.dbscan_clustering(0.8)
    np.testing.assert_array_equal(cut[even], clean.dbscan_clustering(0.8))
    np.testing.assert_array_equal(cut[~even], model.labels_[~even])
    np.testing.assert_array_equal(fitted(x, **parameters | {"gen_min_span_tree": False}).labels_, model.labels_)


def test_trees_of_rows_that_are_not_finite():
    x, even = with_odd_rows()
    model, clean = fitted(x), fitted(x[even])
    lengths = clean.minimum_spanning_tree_.to_numpy()[:, 2]
    np.testing.assert_array_equal(model.minimum_spanning_tree_.to_numpy()[:, 2], lengths)
    assert even[model.minimum_spanning_tree_.to_numpy()[:, :2].astype(int)].all()
    assert model.single_linkage_tree_.shape == (len(x) - 1, 4)
    np.testing.assert_array_equal(model.single_linkage_tree_[:, 2], [*lengths, *[np.inf] * (~even).sum()])
    rows, expected = model.condensed_tree_.to_numpy(), clean.condensed_tree_.to_numpy()
    odd = np.isin(rows["child"], np.flatnonzero(~even))
    assert (rows[odd]["lambda_val"] == 0).all() and (rows[odd]["parent"] == len(x)).all()
    np.testing.assert_array_equal(rows[~odd]["lambda_val"], expected["lambda_val"])


@pytest.mark.parametrize("good", [0, 1, 2, 6])
def test_few_rows_that_are_finite(good):
    x = np.full((12, 2), np.nan)
    x[:good], x[11] = X[:good], np.inf
    for parameters in ({}, {"allow_single_cluster": True}):
        model = fitted(x, **parameters)
        assert model.labels_.tolist() == [-1] * good + [-3] * (11 - good) + [-2]
        assert len(model.minimum_spanning_tree_) == max(good - 1, 0) and model.exemplars_ == []
        with pytest.raises(zwalk.InputError, match="at most 0 clusters"):
            flat_clusters(model, 1)


def test_persistence_as_hdbscan():
    """But that every point of a part that leaves, leaves: no row of a cluster comes after its split."""
    simplify = pytest.importorskip("hdbscan._hdbscan_tree").simplify_hierarchy
    changed = earlier = 0
    for x, size in [(X, 3), (NOISE, 5), (NOISE[:600], 2)]:
        spanning = zwalk.minimum_spanning_tree(x, min_samples=2)
        tree = zwalk.CondensedTree(spanning.clusters(size).condensed)
        for persistence in (0.01, 0.5, 2.0, 5.0, 20.0, 1e3):
            ours = zwalk.CondensedTree(spanning.clusters(size, persistence=persistence).condensed)
            rows, expected = ours.to_numpy(), simplify(tree.to_numpy(), persistence)
            for name in ("parent", "child", "child_size"):
                np.testing.assert_array_equal(rows[name], expected[name])
            differ = ~np.isclose(rows["lambda_val"], expected["lambda_val"], rtol=1e-6)
            assert (rows["lambda_val"][differ] < expected["lambda_val"][differ]).all()
            changed, earlier = changed + (len(rows) < len(tree["parent"])), earlier + differ.sum()
            up, birth, death = (ours["cluster_" + name] for name in ("parent", "birth", "death"))
            np.testing.assert_array_equal(death[up[1:]], birth[1:])
            leaf = _condensed.leaves_of(dict(ours))
            assert (death[1:] - birth[1:] >= persistence)[leaf[1:]].all()
    assert changed > 10 and earlier > 10


def test_persistence_of_the_estimator():
    ours, other = (f(cluster_selection_persistence=2.0) for f in (fitted, theirs))
    renumbered(ours.labels_, other.labels_)
    np.testing.assert_allclose(ours.probabilities_, other.probabilities_, rtol=1e-6)
    np.testing.assert_allclose(ours.outlier_scores_, other.outlier_scores_, rtol=1e-5, atol=1e-6)
    assert len(ours.condensed_tree_["parent"]) < len(fitted().condensed_tree_["parent"])
    np.testing.assert_array_equal(fitted(cluster_selection_persistence=1e-12).labels_, fitted().labels_)


@pytest.mark.parametrize("parameters", [dict(cluster_selection_epsilon_max=0.5), dict(cluster_selection_epsilon_max=1.2),
                                        dict(cluster_selection_epsilon_max=6.0, allow_single_cluster=True),
                                        dict(cluster_selection_epsilon_max=0.9, cluster_selection_epsilon=0.3),
                                        dict(cluster_selection_epsilon_max=0.9, cluster_selection_method="leaf")])
def test_epsilon_max_as_hdbscan(parameters):
    ours, other = fitted(**parameters), theirs(**parameters)
    renumbered(ours.labels_, other.labels_)
    np.testing.assert_allclose(ours.probabilities_, other.probabilities_, rtol=1e-12)
    with pytest.raises(zwalk.InputError, match="cluster_selection_epsilon_max"):
        fitted(cluster_selection_epsilon=2.0, cluster_selection_epsilon_max=1.0)


def test_epsilon_max_does_something():
    most = [fitted(cluster_selection_epsilon_max=e).labels_.max() for e in (0.05, 0.5, np.inf)]
    assert most[0] == -1 and most[1] > most[2]


@pytest.mark.parametrize("method", ["eom", "leaf", "persistent"])
@pytest.mark.parametrize("more", [{}, dict(cluster_selection_persistence=0.5), dict(max_cluster_size=100), dict(min_samples=7)])
def test_flat_clusters(method, more):
    model = fitted(cluster_selection_method=method, store_centers="medoid", **more)
    has = model.labels_.max() + 1
    before = pickle.dumps(model)
    for wanted in range(2, has + 1):
        flat = flat_clusters(model, wanted)
        assert flat.labels_.max() + 1 == wanted == len(flat.exemplars_) == len(flat.medoids_) == len(flat.cluster_persistence_)
        again = clone(flat).fit(X)
        np.testing.assert_array_equal(again.labels_, flat.labels_)
        np.testing.assert_array_equal(again.probabilities_, flat.probabilities_)
    np.testing.assert_array_equal(flat.labels_, model.labels_)
    assert flat.cluster_selection_epsilon == 0 and pickle.dumps(model) == before


def test_flat_clusters_up_to_a_largest_distance():
    rows = fitted().condensed_tree_.to_numpy()
    found = set()
    for limit in np.quantile(1 / rows["lambda_val"][rows["child_size"] > 1], [0.05, 0.5, 0.95]):
        model = fitted(cluster_selection_epsilon_max=limit)
        for wanted in range(1, model.labels_.max() + 2):
            try:
                flat = flat_clusters(model, wanted)
            except zwalk.InputError as e:
                found.add(e.args)
                assert "than cluster_selection_epsilon_max, which is" in str(e) or "splits at one distance" in str(e)
                continue
            assert flat.labels_.max() + 1 == wanted and flat.cluster_selection_epsilon <= limit
            np.testing.assert_array_equal(clone(flat).fit(X).labels_, flat.labels_)
    assert found


def test_flat_clusters_as_hdbscan():
    flat = pytest.importorskip("hdbscan.flat")
    model = fitted()
    for wanted in (2, 3, 5, 8, 9):  # beyond those of 'eom', too
        ours, other = flat_clusters(model, wanted), flat.HDBSCAN_flat(X, wanted, clusterer=theirs(prediction_data=True))
        assert ours.cluster_selection_method == other.cluster_selection_method
        renumbered(ours.labels_, other.labels_)
        assert ours.cluster_selection_epsilon == pytest.approx(other.cluster_selection_epsilon) or wanted == model.labels_.max() + 1


def test_flat_clusters_that_are_impossible():
    model = fitted()
    with pytest.raises(zwalk.InputError, match="at least 2, not 1: with allow_single_cluster"):
        flat_clusters(model, 1)
    with pytest.raises(zwalk.InputError, match="at most .* of the method 'leaf', not 300"):
        flat_clusters(model, 300)
    with pytest.raises(zwalk.InputError, match="at most .* of the method 'eom', not 300"):
        flat_clusters(model, 300, method="eom")
    corners = np.concatenate([X[:90] * 0.01 + place for place in [(0, 0), (0, 64), (64, 0), (64, 64)]])
    with pytest.raises(zwalk.InputError, match="n_clusters must be 2 or 4, not 3: splits at one distance"):
        flat_clusters(fitted(corners, min_samples=1, min_cluster_size=90), 3)
    assert flat_clusters(fitted(allow_single_cluster=True), 1).labels_.max() == 0


@pytest.mark.parametrize("dim", [1, 2, 3, 20])
@pytest.mark.parametrize("raw", [False, True])
def test_validity_index_as_hdbscan(dim, raw, monkeypatch):
    hdbscan = pytest.importorskip("hdbscan")
    monkeypatch.setattr("zwalk._validity._CHUNK", 500)  # several parts
    for spread in (0.3, 1.0, 3.0):
        places = RANDOM.normal(size=(4, dim)) * 5
        x = np.concatenate([RANDOM.normal(size=(n, dim)) * spread + place for n, place in zip([60, 90, 2, 40], places)])
        labels = np.repeat(range(4), [60, 90, 2, 40])
        labels[::9] = -1
        labels[labels == 3] = 4  # 3 is nobody's
        ours = validity_index(x, labels, per_cluster_scores=True, mst_raw_dist=raw)
        total, scores = hdbscan.validity_index(x, np.where(labels == 4, 3, labels), per_cluster_scores=True, mst_raw_dist=raw)
        assert ours[0] == pytest.approx(total, rel=1e-6, abs=1e-9) and np.isnan(ours[1][3])
        np.testing.assert_allclose(ours[1][[0, 1, 2, 4]], scores, rtol=1e-6, atol=1e-9)
        assert validity_index(x, labels, mst_raw_dist=raw) == ours[0]


def test_separation_is_the_least_of_all(monkeypatch):
    monkeypatch.setattr("zwalk._validity._CHUNK", 50)  # several parts
    a, b = (_validity._Cluster(RANDOM.random((n, 2)), RANDOM.random(n) + 0.5, 0.0) for n in (40, 15))
    a.core[25] = b.core[9] = 0.1
    a.inner[25] = b.inner[9] + 0.2
    d = np.linalg.norm(a.inner[:, None] - b.inner, axis=2)
    expected = np.maximum(np.maximum(d, a.core[:, None]), b.core).min()
    assert _validity._separation(a, b) == pytest.approx(expected) == pytest.approx(_validity._separation(b, a))


def test_validity_index_of_little():
    assert validity_index(X, np.full(len(X), -1)) == 0
    assert np.isnan(validity_index(X, np.zeros(len(X), int)))
    assert validity_index([[0.0], [1], [5]], [0, 0, 1]) == pytest.approx((2 * 4 / 5 + 1) / 3)
    assert validity_index([[0.0], [0], [0], [0]], [0, 0, 1, 1]) == 0  # all at one place
    small = X * 1e-12
    assert validity_index(np.repeat(small, 30, axis=1), LABELS) == pytest.approx(validity_index(np.repeat(X, 30, axis=1), LABELS))


@pytest.mark.parametrize("x, labels, says", [(X, [0, 1], "^labels must be 540 integers"), (X, np.zeros(len(X)), "not float64"),
                                             (np.full_like(X, np.nan), LABELS, "row 0, which is in a cluster: label it -1")])
def test_validity_index_mistakes(x, labels, says):
    with pytest.raises(zwalk.InputError, match=says):
        validity_index(x, labels)
    with pytest.raises(zwalk.InputError, match="metric"):
        validity_index(X, LABELS, "cosine")


def test_pipeline_grid_search_clone_pickle():
    search = GridSearchCV(fitted(), {"min_cluster_size": [8, 60, 500]}, cv=[(np.arange(len(X)), np.arange(3))],
                          scoring=lambda model, x, y=None: model.relative_validity_).fit(X)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) > 0
    assert search.best_estimator_.relative_validity_ == search.best_score_
    pipe = make_pipeline(StandardScaler(), clone(fitted(store_centers="both"))).fit(X)
    again = pickle.loads(pickle.dumps(pipe))[-1]
    for name in ("centroids_", "medoids_", "relative_validity_", "condensed_tree_", "single_linkage_tree_",
                 "minimum_spanning_tree_"):
        np.testing.assert_array_equal(np.asarray(getattr(again, name)), np.asarray(getattr(pipe[-1], name)))
    assert len(again.exemplars_) == len(again.centroids_)
    assert pairwise_distances(again.medoids_, again.centroids_).diagonal().max() < 1
