"""Groups, trees and clusters, beside SciPy."""
import copy
import pickle

import numpy as np
import pytest
import zwalk
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial import KDTree
from scipy.spatial.distance import pdist, squareform


@pytest.mark.parametrize("box", [None, 1.0, [1, 0, 1]])
def test_groups_are_connected_components(box):
    x = np.random.default_rng(2).random((1500, 3))
    b = 0.07
    reference = KDTree(x, boxsize=box).query_pairs(b, output_type="ndarray")
    ones = coo_array((np.ones(len(reference)), reference.T), shape=(1500, 1500))
    n, labels = connected_components(ones, directed=False)
    g = zwalk.fof(x, b, box=box)
    assert g.n_groups == n
    np.testing.assert_array_equal(g.consecutive(), np.unique(
        np.unique(labels, return_index=True)[1][labels], return_inverse=True)[1])
    assert (g.labels <= np.arange(1500)).all()


def test_catalogue():
    x = np.random.default_rng(2).random((1500, 3)).astype("f4")
    g = zwalk.fof(x, 0.07, box=1)
    c = g.catalogue(5, masses=np.ones(1500, "f4"), velocities=x)
    label, count = np.unique(g.labels, return_counts=True)
    assert sorted(c["count"]) == sorted(count[count >= 5]) and (np.diff(c["count"]) <= 0).all()
    row = c.members(0)
    assert set(row) == set(np.flatnonzero(g.labels == c["label"][0]))
    np.testing.assert_allclose(c["velocity"][0], x[row].mean(0), rtol=1e-5)
    assert c.table.dtype["centre_of_mass"].shape == (3,) and len(c) == len(c["mass"])
    with pytest.raises(ValueError):
        g.catalogue(masses=np.zeros(1500, "f4"))


def test_tree_length():
    x = np.random.default_rng(2).random((300, 2))
    t = zwalk.minimum_spanning_tree(x)
    np.testing.assert_allclose(t.lengths.sum(), minimum_spanning_tree(squareform(pdist(x))).sum())
    assert (np.diff(t.lengths) >= 0).all() and t.to_sparse().nnz == 299


def test_one_tree_many_clusterings():
    x = np.random.default_rng(2).normal(size=(900, 2)) * [[1, 1]] + np.repeat([[0, 0], [9, 0], [0, 9]], 300, 0)
    t = zwalk.minimum_spanning_tree(x, min_samples=5)
    for size in (5, 15, 50):
        for method in ("eom", "leaf"):
            one, all_ = t.clusters(size, method=method), zwalk.hdbscan(x, size, min_samples=5, method=method)
            for key in ("labels", "probabilities", "outlier_scores"):
                np.testing.assert_array_equal(one[key], all_[key])
    assert set(t.clusters_at(1.5, 20)) >= {0, 1, 2}


def test_clusters_by_attribute_and_by_key():
    found = zwalk.hdbscan(np.random.default_rng(2).random((300, 2)), 10)
    keys = ["labels", "probabilities", "outlier_scores", "persistence", "core_distances", "min_cluster_size", "linkage", "condensed",
            "weights"]
    assert list(found) == keys and dict(found).keys() == set(keys) and len(found) == 9
    for key in keys:
        assert found[key] is getattr(found, key) is found.get(key)
    assert f"{found.labels.max() + 1} clusters of 300 points" in repr(found)
    with pytest.raises(KeyError):
        found["label"]
    with pytest.raises(AttributeError):
        found.label
    assert "persistence" in {**found} and zwalk.minimum_spanning_tree([[0.0], [1.0]]).clusters(2).keys() == found.keys()
    import pickle

    assert (pickle.loads(pickle.dumps(found)).labels == found.labels).all()


def test_damaged_linkage():
    from zwalk import _core

    z = zwalk.minimum_spanning_tree(np.random.random((10, 2))).linkage()
    for i, j, value in ((0, 0, -1), (8, 3, 99), (0, 3, -5), (3, 1, 99), (3, 1, np.nan), (8, 2, 0), (4, 0, 0.5)):
        bad = z.copy()
        bad[i, j] = value
        with pytest.raises(ValueError, match="linkage"):
            _core.clusters_at(10, bad, 1.0, 2)


def test_dbscan_is_numbered():
    x = np.array([[9.0], [0.0], [1.0], [2.0], [20.0], [21.0], [22.0]])
    found = zwalk.dbscan(x, 1, 3)
    assert found.labels.tolist() == [-1, 0, 0, 0, 1, 1, 1] and found.n_clusters == 2
    assert found.core.tolist() == [False, False, True, False, False, True, False]
    assert zwalk.dbscan(np.zeros((0, 2)), 1).labels.shape == (0,)


def test_linkage_is_scipys():
    from scipy.cluster.hierarchy import is_valid_linkage, linkage

    x = np.random.default_rng(5).random((400, 3))
    ours = zwalk.minimum_spanning_tree(x).linkage()
    assert is_valid_linkage(ours)
    np.testing.assert_allclose(ours[:, 2:], linkage(x, "single")[:, 2:], rtol=1e-12)


@pytest.mark.parametrize("box", [None, 1.0])
def test_groups_are_pickled(box):
    x = np.random.default_rng(2).random((1500, 3))
    g = zwalk.fof(x, 0.07, box=box)
    catalogue = g.catalogue(2)
    for again in (pickle.loads(pickle.dumps(g)), copy.deepcopy(g)):
        np.testing.assert_array_equal(again.labels, g.labels)
        assert repr(again) == repr(g) and not again.labels.flags.writeable
        np.testing.assert_array_equal(again.consecutive(), g.consecutive())
        other = again.catalogue(2)
        np.testing.assert_array_equal(other.table, catalogue.table)
        np.testing.assert_array_equal(other.members(0), catalogue.members(0))
    g._where, rows = zwalk._place.Gpu.__new__(zwalk._place.Gpu), g._where.rows  # as if found on a GPU that isn't here
    g._where.rows, g._where.threads, g._where.number = rows, 0, 99
    for again in (pickle.loads(pickle.dumps(g)), copy.deepcopy(g)):
        for _ in range(2):  # the second takes what the first has kept
            np.testing.assert_array_equal(again.catalogue(2).table, catalogue.table)
    g._where = zwalk._place.Ranks.__new__(zwalk._place.Ranks)
    with pytest.raises(zwalk.InputError, match="pickle their labels"):
        pickle.dumps(g)


RESULTS = {
    "knn": lambda x: zwalk.knn(x), "z": lambda x: zwalk.knn(x, order="z"), "radius": lambda x: zwalk.radius(x, 0.1),
    "catalogue": lambda x: zwalk.fof(x, 0.1).catalogue(), "dbscan": lambda x: zwalk.dbscan(x, 0.1), "pairs": lambda x: zwalk.pairs(x, [0, 1]),
    "tree": zwalk.minimum_spanning_tree, "hdbscan": zwalk.hdbscan, "peaks": zwalk.density_peaks, "gravity": zwalk.gravity, "KDTree": zwalk.KDTree,
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_pickled(name):
    found = RESULTS[name](np.random.default_rng(2).random((200, 2)))
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)


@pytest.mark.parametrize("masses", [np.float32, np.float64, np.int64, list])
@pytest.mark.parametrize("points", [np.float32, np.float64])
def test_masses_have_any_precision(points, masses):
    """Of all that takes them."""
    x = np.random.default_rng(2).random((300, 3)).astype(points)
    m = [1 + i % 5 for i in range(300)] if masses is list else (1 + np.arange(300) % 5).astype(masses)
    same = np.asarray(m, points)
    g = zwalk.fof(x, 0.1)
    velocities = x.astype(masses) if masses in (np.float32, np.float64) else None
    with_v = None if velocities is None else velocities.astype(points)
    np.testing.assert_array_equal(g.catalogue(2, masses=m, velocities=velocities).table, g.catalogue(2, masses=same, velocities=with_v).table)
    np.testing.assert_array_equal(zwalk.density(x, 8, kind="sph", masses=m), zwalk.density(x, 8, kind="sph", masses=same))
    np.testing.assert_array_equal(zwalk.gravity(x, m).potentials, zwalk.gravity(x, same).potentials)
    np.testing.assert_array_equal(zwalk.pairs(x, [0, 1], weights=m).weighted, zwalk.pairs(x, [0, 1], weights=same).weighted)
    tree = zwalk.KDTree(x)
    assert tree.count_neighbors(tree, 0.3, weights=m) == tree.count_neighbors(tree, 0.3, weights=same)


def test_masses_beyond_the_points_precision():
    x = np.random.default_rng(2).random((30, 3)).astype("f4")
    for call in (lambda m: zwalk.fof(x, 0.1).catalogue(masses=m), lambda m: zwalk.density(x, kind="sph", masses=m)):
        with pytest.raises(zwalk.InputError, match="^masses: 2e.45 is out of the range of the points' float32"):
            call(np.full(30, 2e45))


def test_fewer_points_than_min_samples():
    """One rule, whether min_samples was passed, is so by default, or is a tree's."""
    x = np.random.default_rng(2).random((4, 2))
    for n in (0, 1, 2, 4):
        for found in (zwalk.hdbscan(x[:n], 5), zwalk.hdbscan(x[:n], 5, min_samples=5), zwalk.hdbscan(x[:n], 2, min_samples=9)):
            assert found.labels.tolist() == [-1] * n
        tree = zwalk.minimum_spanning_tree(x[:n], min_samples=9)
        np.testing.assert_array_equal(tree.lengths, zwalk.minimum_spanning_tree(x[:n], min_samples=max(n, 1)).lengths)
        furthest = np.sqrt(((x[:n, None] - x[None, :n])**2).sum(-1)).max(1, initial=0)
        np.testing.assert_allclose(tree.core_distances, furthest)
        np.testing.assert_allclose(zwalk.hdbscan(x[:n], 2, min_samples=9)["core_distances"], furthest)
