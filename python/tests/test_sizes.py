"""Leaf clusters of all least sizes at once, against clusters of every size, and against fast_plscan where that is installed."""
import numpy as np
import pytest
import zwalk

RANDOM = np.random.default_rng(5)
PLACES = [(0, 0), (7, 1), (3, 9), (4.5, 9), (12, 12), (12.5, 11)]
BLOBS = np.concatenate([RANDOM.normal(size=(n, 2)) * width + place
                        for n, place, width in zip([90, 60, 40, 30, 70, 25], PLACES, [1, 1, 0.3, 0.3, 0.5, 0.2])])
NOISE = RANDOM.random((500, 2))


def n_clusters(labels):
    return int(labels.max(initial=-1)) + 1


@pytest.mark.parametrize("x", [BLOBS, NOISE, np.round(NOISE * 20), np.repeat(BLOBS[::9], 9, axis=0)],
                         ids=["blobs", "noise", "grid", "copies"])
@pytest.mark.parametrize("least", [2, 7])
def test_leaves_are_those_of_every_size(x, least):
    tree = zwalk.minimum_spanning_tree(x, min_samples=4)
    found = zwalk.persistent_sizes(tree, least)
    leaves, total = found.leaves, {}
    for size in range(least, len(x) // 2 + 2):
        here = (leaves.above < size) & (size <= leaves.last)
        assert here.sum() == n_clusters(tree.clusters(size, method="leaf").labels)
        total[size] = leaves.persistence[here].sum()
        assert total[size] == found.persistence[np.searchsorted(found.sizes, size, side="right") - 1]
    assert found.best == max(total, key=total.get) and found.sizes[0] == least and found.persistence[-1] == 0
    assert set(found.peaks) <= set(found.sizes)
    np.testing.assert_array_equal(leaves.persistence, leaves.last - np.maximum(leaves.above, least))


def test_of_everything_that_has_a_hierarchy():
    tree = zwalk.minimum_spanning_tree(BLOBS, min_samples=4)
    expected = zwalk.persistent_sizes(tree)
    for other in (tree.linkage(), tree.linkage().tolist(), tree.clusters(9), zwalk.SingleLinkageTree(tree.linkage())):
        again = zwalk.persistent_sizes(other, 5)
        for a, b in zip(again[:4] + again.leaves, expected[:4] + expected.leaves):
            np.testing.assert_array_equal(a, b)
    for wrong, error, said in (((tree, 1), zwalk.InputError, "least must be"), ((tree, 2.5), TypeError, "least must be an integer"),
                               ((BLOBS, 5), zwalk.InputError, r"shape \(N - 1, 4\), not \(315, 2\)"),
                               ((np.ones((5, 4)), 5), zwalk.InputError, "row 0 of the linkage")):
        with pytest.raises(error, match=said):
            zwalk.persistent_sizes(*wrong)


@pytest.mark.parametrize("x", [BLOBS, NOISE[:40], NOISE[:4], NOISE[:1]], ids=["blobs", "few", "four", "one"])
def test_hdbscan_takes_the_best(x):
    tree = zwalk.minimum_spanning_tree(x, min_samples=5)
    best = zwalk.persistent_sizes(tree, 5).best
    for found in (zwalk.hdbscan(x, 5, method="persistent"), tree.clusters(5, method="persistent")):
        expected = tree.clusters(best, method="leaf")
        assert found.min_cluster_size == best == expected.min_cluster_size
        for key in ("labels", "probabilities", "outlier_scores", "persistence"):
            np.testing.assert_array_equal(found[key], expected[key])
        assert zwalk.persistent_sizes(found, 5).best == best
    assert zwalk.hdbscan(x, 5).min_cluster_size == 5


def test_estimator():
    zs = pytest.importorskip("zwalk.sklearn")
    fitted = zs.HDBSCAN(4, min_samples=5, cluster_selection_method="persistent", prediction_data=True).fit(BLOBS)
    expected = zwalk.hdbscan(BLOBS, 4, min_samples=5, method="persistent")
    np.testing.assert_array_equal(fitted.labels_, expected.labels)
    assert fitted.min_cluster_size_ == fitted.persistent_sizes_.best == expected.min_cluster_size > 4
    np.testing.assert_array_equal(fitted.predict(BLOBS), fitted.labels_)
    assert zs.HDBSCAN(4).fit(BLOBS).min_cluster_size_ == 4


@pytest.mark.parametrize("n", [300, 3000])
def test_as_fast_plscan(n):
    """Of the same tree, without equal distances. Its intervals begin at a size where ours are above it, so it says one less."""
    api = pytest.importorskip("fast_plscan.api")
    x = RANDOM.normal(size=(n, 2)) * np.where(RANDOM.random((n, 1)) < 0.5, 1, 0.1)
    tree = zwalk.minimum_spanning_tree(x)
    assert (np.diff(tree.lengths.astype(np.float32)) > 0).all()
    spanning = api.SpanningTree(tree.edges[:, 0].astype(np.uint32), tree.edges[:, 1].astype(np.uint32),
                                tree.lengths.astype(np.float32))
    labels, _, trace, *_ = api.clusters_from_spanning_forest(spanning, n, min_cluster_size=5.0)
    ours = zwalk.persistent_sizes(tree, 5)
    at = np.searchsorted(ours.sizes, trace.min_size + 1, side="right") - 1
    np.testing.assert_array_equal(ours.persistence[at], trace.persistence)
    assert ours.best == trace.min_size[np.argmax(trace.persistence)] + 1
    mine = tree.clusters(5, method="persistent").labels
    assert n_clusters(mine) == n_clusters(labels.label) > 1
    pairs = np.unique(np.column_stack([mine, labels.label]), axis=0)
    assert len(pairs) == n_clusters(mine) + 1
