"""Predictions for new points: brute force, the hdbscan package on the same hierarchy, and the estimator's interface."""
import pickle
import types
import warnings

import numpy as np
import pytest
import zwalk

sklearn = pytest.importorskip("sklearn")
import zwalk.sklearn as zs  # noqa: E402


def blobs(n, d, seed=0, dtype=float, noise=0.2):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-5, 5, (4, d))
    x = centres[rng.integers(4, size=n)] + rng.normal(0, rng.uniform(0.2, 0.6), (n, d))
    wild = rng.random(n) < noise
    x[wild] = rng.uniform(-7, 7, (wild.sum(), d))
    return x.astype(dtype)


def distances(a, b, box=None):
    d = np.abs(a[:, None].astype(float) - b[None])
    if box is not None:
        d = np.minimum(d, box - d)
    return np.sqrt((d * d).sum(-1))


def brute(model, queries, m, box=None):
    """(rows of the points that queries join, distances), by their definition."""
    d = distances(queries, model.points, box)
    own = np.sort(d, axis=1)[:, m - 1]
    core = model.found.core_distances
    reach = np.maximum(np.maximum(own[:, None], 0 if core is None else core), d)
    least = reach.min(axis=1)
    tied = np.where(reach <= least[:, None] * (1 + 1e-6), d, np.inf)
    return tied.argmin(axis=1), least


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", range(1, 9))
def test_brute_force(d, dtype):
    x, q = blobs(400, d, d, dtype), blobs(150, d, 50 + d, dtype)
    for m in (None, 1, 2, 7):
        model = zwalk.HdbscanModel(x, 8, min_samples=m)
        found = model.predict(q)
        rows, reach = brute(model, q, m or 8)
        np.testing.assert_allclose(found.distances, reach, rtol=1e-5)
        assert (found.neighbours == rows).mean() > 0.98  # float32 rounds distances to ties that float64 doesn't have
        assert found.labels.dtype == np.int64 and found.probabilities.dtype == np.float64
        own = model.predict(x)
        np.testing.assert_array_equal(own.labels, model.found.labels)
        np.testing.assert_array_equal(own.outlier_scores, model.found.outlier_scores)


def test_in_a_box():
    rng = np.random.default_rng(3)
    x, q = rng.random((500, 3)), rng.random((200, 3))
    x[:200] = (0.99 + 0.03 * rng.normal(size=(200, 3))) % 1
    model = zwalk.HdbscanModel(x, 10, box=1)
    found = model.predict(q)
    rows, reach = brute(model, q, 10, 1.0)
    np.testing.assert_allclose(found.distances, reach, rtol=1e-12)
    np.testing.assert_array_equal(found.neighbours, rows)
    with pytest.raises(zwalk.InputError, match="queries"):
        model.predict([[2.5, 0, 0]])


def test_copies_one_query_and_none():
    x = np.repeat(blobs(60, 3, 5), 6, axis=0)
    model = zwalk.HdbscanModel(x, 5, min_samples=4)
    own = model.predict(x)
    assert (own.distances == 0).all()
    np.testing.assert_array_equal(own.neighbours, np.arange(len(x)) // 6 * 6)
    one = model.predict(x[17:18] + 0.01)
    assert [a.shape for a in one] == [(1,)] * 5
    assert [a.shape for a in model.predict(np.empty((0, 3)))] == [(0,)] * 5
    few = zwalk.HdbscanModel(x[:1], 5).predict(x[:3])
    assert few.labels.tolist() == [-1] * 3 and few.outlier_scores.tolist() == [1.0] * 3
    with pytest.raises(zwalk.InputError, match="queries have 2 columns, but the points have 3"):
        model.predict(x[:, :2])
    with pytest.raises(TypeError, match="rounding"):
        zwalk.HdbscanModel(x.astype(np.float32), 5).predict(x)


def as_hdbscan(model, x, m):
    """The hdbscan package's own objects, over the hierarchy of a model: min_samples m of theirs."""
    plots, prediction = pytest.importorskip("hdbscan.plots"), pytest.importorskip("hdbscan.prediction")
    columns = model.found.condensed
    rows = np.empty(len(columns["parent"]), [("parent", np.intp), ("child", np.intp), ("lambda_val", float), ("child_size", np.intp)])
    for name in rows.dtype.names:
        rows[name] = columns[name]
    tree = plots.CondensedTree(rows, model.found.labels)
    data = prediction.PredictionData(x, tree, m)
    data.core_distances = model.found.core_distances  # theirs count a neighbour less than those that the tree is made with
    return types.SimpleNamespace(condensed_tree_=tree, prediction_data_=data, min_samples=m, min_cluster_size=None)


@pytest.mark.parametrize("method", ["eom", "leaf"])
@pytest.mark.parametrize("d", [2, 3, 5])
def test_hdbscan_package(d, method):
    prediction = pytest.importorskip("hdbscan.prediction")
    x, q, m = blobs(600, d, d), blobs(400, d, 9 + d), 6
    model = zwalk.HdbscanModel(x, 12, min_samples=m + 1, method=method)
    theirs = as_hdbscan(model, x, m)
    labels, probabilities, neighbours = prediction.approximate_predict(theirs, q, return_connecting_points=True)
    scores = prediction.approximate_predict_scores(theirs, q)
    ours = model.predict(q)
    same = ours.neighbours == neighbours  # they look at 2 m neighbours only
    assert same.mean() > 0.99
    np.testing.assert_array_equal(ours.labels[same], labels[same])
    np.testing.assert_allclose(ours.probabilities[same], probabilities[same], rtol=1e-9)
    np.testing.assert_allclose(ours.outlier_scores[same], np.maximum(scores, 0)[same], rtol=1e-9, atol=1e-9)
    assert len(set(ours.labels.tolist())) > 3


def test_estimator():
    x, q = blobs(500, 3, 1, np.float32), blobs(100, 3, 2, np.float32)
    fitted = zs.HDBSCAN(10, prediction_data=True).fit(x)
    labels, probabilities = zs.approximate_predict(fitted, q)
    np.testing.assert_array_equal(labels, zwalk.HdbscanModel(x, 10).predict(q).labels)
    np.testing.assert_array_equal(fitted.predict(q), labels)
    np.testing.assert_array_equal(fitted.approximate_predict(q)[1], probabilities)
    np.testing.assert_array_equal(fitted.predict(x), fitted.labels_)
    np.testing.assert_array_equal(zs.membership_vector(fitted, q), fitted.prediction_data_.memberships(q))
    np.testing.assert_array_equal(zs.all_points_membership_vectors(fitted), fitted.prediction_data_.memberships())
    np.testing.assert_array_equal(zs.approximate_predict_scores(fitted, x), fitted.outlier_scores_)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(q), labels)
    np.testing.assert_array_equal(again.prediction_data_.points, x)
    rows = zs.approximate_predict(fitted, q.astype(float), return_connecting_points=True)[2]  # float64, but nothing to round
    np.testing.assert_array_equal(rows, fitted.prediction_data_.predict(q).neighbours)
    with pytest.raises(TypeError, match="rounding"):
        fitted.predict(q.astype(float) + 1e-12)
    with pytest.raises(ValueError, match="features"):
        fitted.predict(q[:, :2])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("options", [{}, {"method": "persistent"}, {"persistence": 0.5}, {"epsilon_max": 1.0},
                                     {"box": 40.0}, {"allow_single_cluster": True}])
def test_files(dtype, options, tmp_path):
    """A model that is loaded predicts what the saved one does, and writes the same file."""
    x, q = blobs(500, 3, 1, dtype), blobs(100, 3, 2, dtype)
    model = zwalk.HdbscanModel(x, 10, **options)
    model.save(tmp_path / "one.zwm")
    again = zwalk.HdbscanModel.load(tmp_path / "one.zwm", threads=1)
    assert repr(again) == repr(model) and again.found is None and again.dtype == dtype
    np.testing.assert_array_equal(again.labels, model.found.labels)
    for copied in (again, pickle.loads(pickle.dumps(again)), pickle.loads(pickle.dumps(model))):
        for a, b in zip(copied.predict(q), model.predict(q)):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(copied.memberships(), model.memberships())
        np.testing.assert_array_equal(copied.points, x)
        for a, b in zip(copied.exemplars(), model.exemplars()):
            np.testing.assert_array_equal(a, b)
    again.save(tmp_path / "two.zwm")
    assert (tmp_path / "one.zwm").read_bytes() == (tmp_path / "two.zwm").read_bytes()


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        zwalk.HdbscanModel.load(tmp_path / "none.zwm")
    zwalk.KDTree(blobs(50, 3)).save(tmp_path / "tree.zwi")
    with pytest.raises(zwalk.InputError, match="no model file"):
        zwalk.HdbscanModel.load(tmp_path / "tree.zwi")


def test_exemplars_are_one_thing():
    """Of the estimator and of its model: the same rows, in the same order."""
    x = blobs(500, 3)
    for options in ({}, {"cluster_selection_method": "leaf"}, {"cluster_selection_epsilon": 2.0}):
        fitted = zs.HDBSCAN(10, prediction_data=True, **options).fit(x)
        rows = fitted.prediction_data_.exemplars()
        assert len(rows) == len(fitted.exemplars_) > 1
        for a, b in zip(rows, fitted.exemplars_):
            np.testing.assert_array_equal(x[a], b)


def test_estimator_without_prediction_data():
    x = blobs(300, 2, 1)
    later = zs.HDBSCAN(10)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        later.approximate_predict(x)
    later.fit(x)
    with pytest.raises(zwalk.InputError, match="prediction_data=True"):
        zs.approximate_predict(later, x)
    assert not hasattr(later, "prediction_data_") and not hasattr(later, "predict")
    later.set_params(min_cluster_size=99).generate_prediction_data()  # it is that of the fit
    np.testing.assert_array_equal(later.predict(x), later.labels_)
    none = zs.HDBSCAN(250, prediction_data=True).fit(x)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert (zs.approximate_predict(none, x)[0] == -1).all()
    assert "does not have any defined clusters" in str(caught[-1].message)
    with pytest.raises(zwalk.InputError, match="one rank"):
        part = zwalk.hdbscan(x)
        part.linkage = None
        zwalk.HdbscanModel.of(x, part)


@pytest.mark.parametrize("method", ["eom", "leaf"])
@pytest.mark.parametrize("d", [2, 3, 5])
def test_memberships_of_hdbscan_package(d, method):
    prediction = pytest.importorskip("hdbscan.prediction")
    x, q, m = blobs(500, d, d), blobs(200, d, 9 + d), 6
    model = zwalk.HdbscanModel(x, 12, min_samples=m + 1, method=method)
    theirs = as_hdbscan(model, x, m)
    for mine, rows in zip(model.exemplars(), theirs.prediction_data_.exemplars):
        np.testing.assert_array_equal(x[mine], x[sorted(np.flatnonzero((x[:, None] == rows).all(-1).any(1)))])
    np.testing.assert_allclose(model.memberships(), prediction.all_points_membership_vectors(theirs), rtol=1e-7)
    same = model.predict(q).neighbours == prediction.approximate_predict(theirs, q, return_connecting_points=True)[2]
    ours, expected = model.memberships(q)[same], prediction.membership_vector(theirs, q)[same]
    np.testing.assert_allclose(ours, expected, rtol=1e-3, atol=1e-4)  # theirs round to float32 in between
    assert ours.shape[1] == model.n_clusters > 2 and (ours.sum(axis=1) <= 1 + 1e-9).all()


def test_memberships_in_a_box_and_of_copies():
    rng = np.random.default_rng(4)
    x = np.concatenate([(c + 0.03 * rng.normal(size=(150, 2))) % 1 for c in ([0.0, 0.5], [0.5, 0.0])])
    model = zwalk.HdbscanModel(x, 20, box=1)
    assert model.n_clusters == 2
    at = model.memberships([[0.98, 0.5], [0.5, 0.97], [0.03, 0.52]])
    assert at.argmax(axis=1).tolist() == model.predict([[0.98, 0.5], [0.5, 0.97], [0.03, 0.52]]).labels.tolist()
    copies = zwalk.HdbscanModel(np.repeat([[0.0], [1.0], [5.0]], [30, 30, 4], axis=0), 10)
    assert np.isfinite(copies.memberships()).all() and np.isfinite(copies.memberships([[0.0], [0.5], [9.0]])).all()
    assert copies.memberships()[:60].argmax(axis=1).tolist() == copies.found.labels[:60].tolist()
    none = zwalk.HdbscanModel(x, 250, box=1)
    assert none.memberships().shape == (300, 0) and none.memberships(x[:7]).shape == (7, 0)
    assert zwalk.HdbscanModel(x[:0]).memberships(x[:7]).shape == (7, 0)


def test_estimators_of_all_kinds_predict_their_own_labels():
    """With the tree kept, and with a wished number of clusters, too."""
    x = blobs(600, 3)
    for options in ({}, {"gen_min_span_tree": True}, {"gen_min_span_tree": True, "cluster_selection_method": "leaf"},
                    {"cluster_selection_epsilon": 0.4}, {"cluster_selection_persistence": 0.1},
                    {"cluster_selection_epsilon_max": 9.0}, {"cluster_selection_method": "persistent"}):
        fitted = zs.HDBSCAN(10, prediction_data=True, **options).fit(x)
        found = len(fitted.cluster_persistence_)
        np.testing.assert_array_equal(fitted.predict(x), fitted.labels_)
        flat = zs.flat_clusters(fitted, 2)
        assert found > 2 and len(flat.cluster_persistence_) == 2
        np.testing.assert_array_equal(flat.predict(x), flat.labels_)
        assert flat.prediction_data_.n_clusters == 2 == flat.membership_vector(x[:5]).shape[1]
        assert fitted.prediction_data_.n_clusters == found  # that stays as it is


def test_rows_that_are_not_finite_take_no_part():
    x = blobs(400, 3)
    x[[7, 30]], x[200, 1] = np.nan, np.inf
    even = np.isfinite(x).all(axis=1)
    fitted = zs.HDBSCAN(10, prediction_data=True).fit(x)
    np.testing.assert_array_equal(fitted.predict(x[even]), fitted.labels_[even])
    labels, _, rows = zs.approximate_predict(fitted, x[even], return_connecting_points=True)
    assert (labels == fitted.labels_[even]).all() and even[rows].all()
    np.testing.assert_array_equal(rows[fitted.probabilities_[even] == 1], np.flatnonzero(even)[fitted.probabilities_[even] == 1])
    vectors = fitted.all_points_membership_vectors()
    assert vectors.shape == (400, len(fitted.cluster_persistence_)) and (vectors[~even] == 0).all()
    np.testing.assert_array_equal(vectors[even], zs.HDBSCAN(10, prediction_data=True).fit(x[even]).all_points_membership_vectors())
    np.testing.assert_array_equal(fitted.predict(x), fitted.labels_)
    assert set(fitted.labels_[~even]) == {-3, -2} and (fitted.membership_vector(x)[~even] == 0).all()
    np.testing.assert_array_equal(fitted.membership_vector(x)[even], fitted.membership_vector(x[even]))


def test_mistakes():
    x = blobs(300, 2)
    fitted = zs.HDBSCAN(10).fit(x)
    for wrong, error, said in (
            (lambda: fitted.predict(x), AttributeError, "has no attribute 'predict'"),
            (lambda: zs.approximate_predict(x, fitted), TypeError, "must be a zwalk.sklearn.HDBSCAN, not numpy.ndarray"),
            (lambda: zs.flat_clusters(x, 2), TypeError, "must be a fitted zwalk.sklearn.HDBSCAN, not numpy.ndarray"),
            (lambda: zs.flat_clusters(fitted, 2, method="foo"), zwalk.InputError, "must be 'eom', 'leaf' or 'persistent', not 'foo'"),
            (lambda: fitted.medoids_, AttributeError, "fit with store_centers='medoid' or 'both'"),
            (lambda: fitted.weighted_cluster_medoid("0"), TypeError, "cluster_id must be an integer"),
            (lambda: zwalk.HdbscanModel.of(x, zwalk.hdbscan(x, 200, min_samples=10), 10), zwalk.InputError,
             "^min_cluster_size is 10, but the clusters were found with 200: leave it out$")):
        with pytest.raises(error, match=said):
            wrong()
    with pytest.raises(AttributeError) as caught:
        fitted.predict(x)
    assert "prediction_data=True" in str(caught.value.__cause__)


def test_models_of_clusters_are_of_what_these_were_found_with():
    x, new = blobs(450, 2, 3), blobs(1000, 2, 4)
    options = {"min_samples": 7, "method": "leaf", "epsilon": 0.1, "max_cluster_size": 300, "box": 20.0}
    found = zwalk.hdbscan(x, 15, **options)
    asked = zwalk.HdbscanModel(x, 15, **options).predict(new)
    tree = zwalk.minimum_spanning_tree(x, min_samples=7, box=20)
    cut = tree.clusters(15, method="leaf", epsilon=0.1, max_cluster_size=300)
    assert tree.min_samples == 7
    for model in (zwalk.HdbscanModel.of(x, found), zwalk.HdbscanModel.of(x.copy(), pickle.loads(pickle.dumps(found))),
                  zwalk.HdbscanModel.of(x, found, 15, **options), zwalk.HdbscanModel.of(x, cut, min_samples=7, threads=1)):
        for ours, theirs in zip(model.predict(new), asked):
            np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(model.predict(x).labels, found.labels)
    for wrong, said in (({"min_cluster_size": 5}, "min_cluster_size is 5, .* with 15"), ({"min_samples": None}, "min_samples is 15, .* with 7"),
                        ({"method": "eom"}, "method is 'eom', .* with 'leaf'"), ({"epsilon": 0}, "epsilon is 0"),
                        ({"max_cluster_size": None}, "max_cluster_size is None"), ({"box": None}, r"box is \[\], .* with \[20.0, 20.0\]"),
                        ({"persistence": 1}, "persistence is 1"), ({"allow_single_cluster": True}, "allow_single_cluster is True")):
        with pytest.raises(zwalk.InputError, match="^" + said + ".*: leave it out$"):
            zwalk.HdbscanModel.of(x, found, **wrong)
    for others in (x[::-1], 10 * x, x[:-1], x + 1e-9):
        with pytest.raises(zwalk.InputError, match="^these aren't the points"):
            zwalk.HdbscanModel.of(others, found)
    for box in (20, [20, 20], np.array([20.0, 20.0])):
        zwalk.HdbscanModel.of(x, found, box=box)
    for box in (None, 0, [0, None], np.inf):
        zwalk.HdbscanModel.of(x, zwalk.hdbscan(x, 15, box=0), box=box)
    with pytest.raises(TypeError, match="has no argument 'samples'; it takes min_cluster_size, min_samples"):
        zwalk.HdbscanModel.of(x, found, samples=3)


def test_models_of_clusters_whose_options_are_not_known():
    x, new = blobs(450, 2, 3), blobs(1000, 2, 4)
    tree = zwalk.minimum_spanning_tree(x, min_samples=7)
    found = zwalk.SpanningTree(tree.n, tree.edges, tree.lengths, tree.core_distances).clusters(15)
    with pytest.raises(zwalk.InputError, match="^these clusters don't know .*: pass min_cluster_size, min_samples"):
        zwalk.HdbscanModel.of(x, found)
    for ours, theirs in zip(zwalk.HdbscanModel.of(x, found, 15, min_samples=7).predict(new),
                            zwalk.HdbscanModel(x, 15, min_samples=7).predict(new)):
        np.testing.assert_array_equal(ours, theirs)
    best = zwalk.hdbscan(x, 5, method="persistent")  # whose min_cluster_size is another one
    assert best.min_cluster_size > 5
    for ours, theirs in zip(zwalk.HdbscanModel.of(x, best).predict(new), zwalk.HdbscanModel(x, 5, method="persistent").predict(new)):
        np.testing.assert_array_equal(ours, theirs)


def test_points_are_copied_if_asked():
    x = blobs(300, 2)
    for copy in (True, False):
        y = x.copy()
        fitted = zs.HDBSCAN(10, copy=copy).fit(y)
        before = [each.copy() for each in fitted.exemplars_]
        y[:] = 0
        same = all(np.array_equal(a, b) for a, b in zip(before, fitted.exemplars_))
        assert same == copy
