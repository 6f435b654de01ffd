"""HDBSCAN* of points with weights, against arrays in which each row is there so often."""
import pickle

import numpy as np
import pytest
import zwalk

RANDOM = np.random.default_rng(8)
X = np.concatenate([RANDOM.normal(size=(n, 2)) * width + place
                    for n, place, width in [(60, (0, 0), 1), (50, (7, 1), 1), (40, (3, 9), 0.3), (60, (5, 5), 4)]])
W = np.where(RANDOM.random(len(X)) < 0.2, RANDOM.integers(2, 9, len(X)), 1)
OFTEN = np.repeat(np.arange(len(X)), W)


def same_parts(a, b):
    pairs = np.unique(np.column_stack([a, b]), axis=0)
    assert len(pairs) == len(np.unique(a)) == len(np.unique(b)) > 1
    assert [-1, -1] in pairs.tolist() or -1 not in pairs


@pytest.mark.parametrize("options", [{}, {"min_samples": 1}, {"min_samples": 3, "method": "leaf"}, {"method": "persistent"},
                                     {"max_cluster_size": 60}, {"persistence": 0.3}, {"epsilon": 1.0}, {"box": 60.0}])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_integers_are_rows_that_are_there_so_often(options, dtype):
    x = X.astype(dtype)
    found, expected = zwalk.hdbscan(x, 6, weights=W, **options), zwalk.hdbscan(x[OFTEN], 6, **options)
    same_parts(found.labels[OFTEN], expected.labels)
    for name in ("probabilities", "outlier_scores", "core_distances"):
        if expected[name] is not None:
            np.testing.assert_array_equal(found[name][OFTEN], expected[name])
    np.testing.assert_allclose(np.sort(found.persistence), np.sort(expected.persistence))
    assert found.min_cluster_size == expected.min_cluster_size and found.linkage.shape == (len(x) - 1, 4)
    assert zwalk.persistent_sizes(found, 6)[2] == zwalk.persistent_sizes(expected, 6)[2]
    np.testing.assert_array_equal(found.weights, W)


def test_estimator():
    zs = pytest.importorskip("zwalk.sklearn")
    fitted = zs.HDBSCAN(6, gen_min_span_tree=True).fit(X, sample_weight=W)
    expected = zs.HDBSCAN(6).fit(X[OFTEN])
    same_parts(fitted.labels_[OFTEN], expected.labels_)
    for mine, rows in zip(fitted.exemplars_, expected.exemplars_):
        assert len(mine) and any((np.unique(mine, axis=0).shape == np.unique(other, axis=0).shape) for other in expected.exemplars_)
    assert fitted.persistent_sizes_.best == expected.persistent_sizes_.best
    flat = zs.flat_clusters(fitted, 2)
    same_parts(flat.labels_[OFTEN], zs.flat_clusters(expected, 2).labels_)
    new = RANDOM.normal(size=(200, 2)) * 4 + 3
    predicts, often = zs.HDBSCAN(6, prediction_data=True).fit(X, sample_weight=W), zs.HDBSCAN(6, prediction_data=True).fit(X[OFTEN])
    same_parts(np.concatenate([predicts.labels_, predicts.predict(new)]), np.concatenate([often.predict(X), often.predict(new)]))
    np.testing.assert_array_equal(predicts.predict(X), predicts.labels_)
    assert predicts.membership_vector(new).shape == often.membership_vector(new).shape
    np.testing.assert_array_equal(zs.HDBSCAN(6).fit(X, sample_weight=np.ones(len(X))).labels_, zs.HDBSCAN(6).fit(X).labels_)


def test_rows_that_weigh_nothing_or_are_not_finite():
    zs = pytest.importorskip("zwalk.sklearn")
    x, w = X.copy(), W.astype(float)
    x[3], x[10, 1], w[20:40] = np.nan, np.inf, 0
    good = np.isfinite(x).all(axis=1) & (w > 0)
    fitted, expected = (zs.HDBSCAN(6, prediction_data=True).fit(*a) for a in ((x, None, w), (x[good], None, w[good])))
    np.testing.assert_array_equal(fitted.predict(X), expected.predict(X))
    np.testing.assert_array_equal(fitted.labels_[good], expected.labels_)
    assert fitted.labels_[3] == -3 and fitted.labels_[10] == -2 and (fitted.labels_[20:40] == -1).all()
    assert (fitted.probabilities_[20:40] == 0).all()
    assert zs.HDBSCAN(6, allow_single_cluster=True).fit(X, sample_weight=np.full(len(X), 5 / len(X))).labels_.max() == -1


def test_fractions_reach_further():
    """Half the weight, and half of both sizes: the same clusters."""
    found, expected = zwalk.hdbscan(X, 3, min_samples=4, weights=np.full(len(X), 0.5)), zwalk.hdbscan(X, 6, min_samples=8)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.core_distances, expected.core_distances)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_points(n):
    assert (zwalk.hdbscan(X[:n], 2, weights=np.full(n, 3.0)).labels == -1).all() or n == 2


def test_mistakes():
    for wrong, error, said in ((dict(weights=np.ones(3)), zwalk.InputError, r"shape \(210,\), one for each point, not \(3,\)"),
                               (dict(weights=np.where(np.arange(210) == 7, 0, 1)), zwalk.InputError, "that of row 7 is 0.0"),
                               (dict(sample_weight=W), TypeError, "weights=")):
        with pytest.raises(error, match=said):
            zwalk.hdbscan(X, 6, **wrong)
    with pytest.raises(zwalk.InputError, match="leave out device= and comm="):
        zwalk.minimum_spanning_tree(X, weights=W, device="cuda")


def test_models(tmp_path):
    """Also of clusters found before, from a file, and pickled."""
    # Many: near a heavy point a new one looks at neighbours outside its core distance, too.
    found, new = zwalk.hdbscan(X, 6, weights=W), np.random.default_rng(0).normal(size=(4000, 2)) * 4 + 3
    with pytest.raises(zwalk.InputError, match="come with found: leave them out"):
        zwalk.HdbscanModel.of(X, found, 6, weights=W)
    model = zwalk.HdbscanModel.of(X, found, 6, weights=None, device="cpu")
    model.save(tmp_path / "m.zwm")
    expected = zwalk.HdbscanModel(X[OFTEN], 6).predict(new)
    for other in (model, zwalk.HdbscanModel(X, 6, weights=W), zwalk.HdbscanModel.load(tmp_path / "m.zwm"), pickle.loads(pickle.dumps(model))):
        now = other.predict(new)
        same_parts(now.labels, expected.labels)
        for a, b in zip(now[1:3] + now[4:], expected[1:3] + expected[4:]):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(other.predict(X).labels, found.labels)
