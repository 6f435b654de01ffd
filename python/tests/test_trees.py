"""Trees as objects: what hdbscan and SciPy make of the same arrays, and plots of them.

Tests of to_pandas, to_networkx and plots need pandas, networkx and matplotlib, and are left out where these aren't installed.
"""
import contextlib
import pickle
import sys

import numpy as np
import pytest
import zwalk

RANDOM = np.random.default_rng(3)
BLOBS = np.concatenate([RANDOM.normal(size=(80, 2)) + place for place in [(0, 0), (7, 1), (3, 8), (5, 8)]])


def condensed(x=BLOBS, size=6, least=2):
    found = zwalk.hdbscan(x, size, min_samples=least)
    return zwalk.CondensedTree(found.condensed, found.labels)


def linkage(x=BLOBS):
    return zwalk.minimum_spanning_tree(x, min_samples=2).linkage()


def spanning(x=BLOBS):
    tree = zwalk.minimum_spanning_tree(x, min_samples=2)
    return zwalk.MinimumSpanningTree(np.column_stack([tree.edges, tree.lengths]), x)


def theirs(tree):
    """The same tree as an object of hdbscan."""
    plots = pytest.importorskip("hdbscan.plots")
    if isinstance(tree, zwalk.CondensedTree):
        return plots.CondensedTree(tree.to_numpy(), tree._labels)
    if isinstance(tree, zwalk.SingleLinkageTree):
        return plots.SingleLinkageTree(tree.to_numpy())
    return plots.MinimumSpanningTree(tree.to_numpy(), BLOBS)


TREES = {"condensed": condensed, "linkage": lambda: zwalk.SingleLinkageTree(linkage()), "spanning": spanning}


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]()


def test_condensed_tree_is_hdbscan_s():
    made = pytest.importorskip("hdbscan._hdbscan_tree").condense_tree(linkage(), 6)
    ours = condensed().to_numpy()
    assert ours.dtype == made.dtype
    np.testing.assert_array_equal(ours, made)


def test_columns_are_those_of_hdbscan():
    found = zwalk.hdbscan(BLOBS, 6, min_samples=2)
    tree = condensed()
    assert dict(tree) == tree._columns and list(tree) == list(found.condensed) and len(tree) == 9
    again = zwalk.CondensedTree(np.asarray(tree))  # of the rows alone
    for name, column in found.condensed.items():
        for of in (tree, again):
            np.testing.assert_array_equal(of[name], column)
            assert of[name].dtype == column.dtype


def test_threads_of_a_linkage():
    x = np.random.default_rng(3).random((50000, 2))
    trees = [zwalk.minimum_spanning_tree(x, min_samples=2) for _ in range(2)]
    np.testing.assert_array_equal(trees[0].linkage(threads=1), trees[1].linkage())
    with pytest.raises(zwalk.InputError, match="threads"):
        trees[0].linkage(threads=0)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="copy=False means something else")
def test_arrays_that_would_be_copies():
    with pytest.raises(ValueError, match="copy"):
        np.array(condensed(), copy=False)
    with pytest.raises(ValueError, match="copy"):
        np.array(spanning(), np.float32, copy=False)
    tree = spanning()
    assert np.array(tree, copy=False) is np.asarray(tree)


def test_selected_clusters():
    tree = condensed()
    assert tree.selected_clusters().tolist() == theirs(tree)._select_clusters()
    with pytest.raises(zwalk.InputError, match="labels"):
        zwalk.CondensedTree(tree).selected_clusters()


def test_selected_cluster_without_points_of_its_own():
    """All of its points leave it in one of its parts: the smallest cluster that has them all is meant, not one part."""
    rows = {"parent": [9, 9, 10, 10, *[11] * 3, *[12] * 3, *[13] * 3], "child": [10, 11, 12, 13, *range(3), *range(3, 9)],
            "lambda_val": [1, 1, 2, 2, *[3] * 9], "child_size": [6, 3, 3, 3, *[1] * 9]}
    found = zwalk.CondensedTree(rows, [1, 1, 1, *[0] * 6]).selected_clusters()
    assert found.tolist() == [10, 11]


@pytest.mark.parametrize("x", [BLOBS[:1], BLOBS[:2], np.zeros((9, 2))])
def test_small_and_equal_points(x):
    tree = condensed(x)
    assert len(tree.to_numpy()) == (len(x) if len(x) > 1 else 0)
    ours = zwalk.SingleLinkageTree(linkage(x)).get_clusters(1.0, 2)
    assert ours.tolist() == zwalk.minimum_spanning_tree(x).clusters_at(1.0, 2).tolist()
    assert np.isfinite(np.concatenate([np.ravel(v) for k, v in tree.get_plot_data().items() if k != "cluster_bounds"])).all()


def test_single_linkage_is_scipy_s():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    tree = zwalk.SingleLinkageTree(linkage())
    assert np.asarray(tree) is np.asarray(tree) and np.array(tree, copy=True) is not np.asarray(tree)
    np.testing.assert_array_equal(hierarchy.fcluster(tree, 1.0, "distance"), hierarchy.fcluster(linkage(), 1.0, "distance"))
    np.testing.assert_array_equal(hierarchy.cophenet(tree), hierarchy.cophenet(linkage()))
    copy = tree.to_numpy()
    copy[:] = 0
    assert tree[-1, 2] > 0 and not copy.any()
    assert tree.shape == (319, 4) and len(tree) == 319 and tree[3, 2] == linkage()[3, 2]
    assert np.asarray(tree, np.float32).dtype == np.float32
    with pytest.raises(zwalk.InputError, match="4 columns"):
        zwalk.SingleLinkageTree(np.zeros((3, 3)))


def test_single_linkage_get_clusters():
    tree = zwalk.SingleLinkageTree(linkage())
    for distance, size in [(0.5, 5), (1.0, 2), (2.0, 30)]:
        ours, other = tree.get_clusters(distance, size), theirs(tree).get_clusters(distance, size)
        np.testing.assert_array_equal(ours < 0, other < 0)
        assert len(np.unique(ours)) == len(np.unique(other)) == len(np.unique(np.column_stack([ours, other]), axis=0))


def test_to_pandas(tree):
    pandas = pytest.importorskip("pandas")
    pandas.testing.assert_frame_equal(tree.to_pandas(), theirs(tree).to_pandas(), check_dtype=False)
    assert (tree.to_pandas().dtypes.drop(["distance", "lambda_val"], errors="ignore") == np.int64).all()


def test_to_networkx(tree):
    pytest.importorskip("networkx")
    ours, other = tree.to_networkx(), theirs(tree).to_networkx()
    assert type(ours) is type(other) and set(ours) == set(other) and len(ours.edges) == len(other.edges)
    assert all(other.edges[edge] == ours.edges[edge] for edge in ours.edges)
    assert {node: ours.nodes[node] for node in ours} == {node: other.nodes[node] for node in other}


@pytest.mark.parametrize("call, package", [("to_pandas", "pandas"), ("to_networkx", "networkx"), ("plot", "matplotlib")])
def test_what_is_not_installed_is_named(tree, call, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"^{call} needs {package}, which isn't installed: pip install {package}$"):
        getattr(tree, call)()


def test_pickle_and_text(tree):
    again = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(np.asarray(again), np.asarray(tree))
    assert repr(tree).startswith("<zwalk.") and repr(again) == repr(tree)


@pytest.mark.parametrize("log_size", [False, True])
@pytest.mark.parametrize("size", [2, 6, 200])
def test_plot_data_is_hdbscan_s(log_size, size):
    tree = condensed(size=size)
    ours, other = (of.get_plot_data(1.5, log_size, 9) for of in (tree, theirs(tree)))
    assert ours.keys() == other.keys() and ours["cluster_bounds"].keys() == other["cluster_bounds"].keys()
    for name in ours:
        if name != "cluster_bounds":
            expected = np.reshape(other[name], np.shape(ours[name]))
            np.testing.assert_allclose(ours[name], expected, rtol=1e-9, atol=1e-9, err_msg=name)
    for c, bounds in ours["cluster_bounds"].items():
        np.testing.assert_allclose(bounds, other["cluster_bounds"][c], rtol=1e-9, atol=1e-9)


def test_plot_data_of_copies_is_finite():
    data = condensed(np.repeat(BLOBS[:40], 8, axis=0)).get_plot_data()
    for name, values in data.items():
        assert np.isfinite(list(values.values()) if name == "cluster_bounds" else values).all(), name
    assert len(data["bar_tops"]) >= 40


@pytest.mark.parametrize("mode, p", [(None, 0), ("lastp", 7), ("lastp", 0), ("level", 3), ("level", 0)])
def test_dendrogram_is_scipy_s(mode, p):
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    table = hierarchy.linkage(BLOBS)
    from zwalk._tree_plots import dendrogram

    ours, other = dendrogram(table, mode, p), hierarchy.dendrogram(table, p, mode, no_plot=True)
    assert len(ours.height) == len(other["icoord"])
    brackets = np.column_stack([ours.height, ours.x, ours.begin])
    x, y = np.array(other["icoord"]), np.array(other["dcoord"])
    expected = np.column_stack([y[:, 1], (x[:, [0, 3]] - 5) / 10, y[:, [0, 3]]])
    np.testing.assert_allclose(brackets[np.lexsort(brackets.T)], expected[np.lexsort(expected.T)])


def test_dendrogram_of_a_chain():
    """As deep as there are points, where SciPy's would call itself too often."""
    from zwalk._tree_plots import dendrogram

    chain = zwalk.minimum_spanning_tree(np.cumsum(np.arange(5000.0))[:, None]).linkage()
    found = dendrogram(chain, None, 0)
    assert found.points.sum() == chain[:, 3].sum() and found.height[-1] == chain[-1, 2]
    with pytest.raises(zwalk.InputError, match="truncate_mode"):
        dendrogram(chain, "most", 0)


def one_thread():
    """Of t-SNE, whose threads wait for each other a thousand times."""
    try:
        import threadpoolctl
    except ImportError:
        return contextlib.nullcontext()
    return threadpoolctl.threadpool_limits(1)


@pytest.fixture
def axes():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def drawn(axes):
    axes.figure.canvas.draw()
    return [len(collection.get_paths()) for collection in axes.collections]


@pytest.mark.parametrize("log_size", [False, True])
def test_condensed_tree_plot(axes, log_size):
    tree = condensed()
    data, clusters = tree.get_plot_data(log_size=log_size), len(tree.selected_clusters())
    assert tree.plot(axis=axes, log_size=log_size) is axes
    assert drawn(axes) == [len(data["line_xs"])] and len(axes.patches) == len(data["bar_tops"])
    assert len(axes.figure.axes) == 2 and axes.yaxis_inverted()  # with the bar of colours
    low, high = axes.get_ylim()
    assert high <= 0 and low >= max(tree["lambda_val"])
    axes.clear()
    tree.plot(axis=axes, select_clusters=True, label_clusters=True, selection_palette=["r", "g", "b", "c"], cmap="none")
    assert len(axes.patches) == len(tree.get_plot_data()["bar_tops"]) + clusters
    assert [text.get_text() for text in axes.texts] == [str(k) for k in range(clusters)] and len(axes.figure.axes) == 2
    colours = {patch.get_edgecolor() for patch in axes.patches[-clusters:]}
    assert len(colours) == clusters


def test_single_linkage_plot(axes):
    tree = zwalk.SingleLinkageTree(linkage())
    assert tree.plot(axes) is axes
    assert drawn(axes) == [2 * len(tree), len(tree)] and len(axes.figure.axes) == 2
    assert axes.get_ylim()[1] >= tree[-1, 2]
    width = axes.collections[0].get_linewidths()
    assert np.ptp(width) > 1
    axes.clear()
    tree.plot(axes, truncate_mode="lastp", p=10, vary_line_width=False, cmap="none", colorbar=False)
    assert drawn(axes) == [18, 9] and np.ptp(axes.collections[0].get_linewidths()) == 0


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_spanning_tree_plot(axes, columns):
    if columns > 2:
        pytest.importorskip("sklearn")
    x = RANDOM.normal(size=(40, columns))
    with one_thread():
        assert spanning(x).plot(axes, node_size=3) is axes
    assert drawn(axes)[:1] == [39] and len(axes.collections[1].get_offsets()) == 40 and len(axes.figure.axes) == 2
    np.testing.assert_array_equal(axes.collections[0].get_array(), spanning(x).to_numpy()[:, 2])
    if columns == 2:
        segments = axes.collections[0].get_segments()
        length = np.linalg.norm(np.diff(segments, axis=1)[:, 0], axis=1)
        np.testing.assert_allclose(length, zwalk.minimum_spanning_tree(x).lengths)


def test_few_points_in_many_columns(axes):
    pytest.importorskip("sklearn")
    with one_thread():
        spanning(RANDOM.normal(size=(12, 5))).plot(axes)
    assert drawn(axes)[:1] == [11]


def test_edges_of_length_0_are_drawn(axes):
    from zwalk._tree_plots import widths

    np.testing.assert_allclose(widths(np.array([0, 1, np.e]), 2.0), [4, 4, 2])
    assert widths(np.zeros(2), 2.0).tolist() == [2, 2] and widths(np.zeros(0), 2.0).tolist() == []
    spanning(np.repeat(BLOBS[:9], 2, axis=0)).plot(axes)
    assert np.isfinite(axes.collections[0].get_linewidths()).all() and drawn(axes)[:1] == [17]


def test_short_clusters_are_marked(axes):
    from zwalk._tree_plots import draw_selected

    draw_selected([[0, 1, 0, 10], [2, 3, 5, 5]], axes, None, False)
    assert [patch.get_height() for patch in axes.patches] == [12, pytest.approx(1.2)] and not axes.texts


def test_current_axes(axes):
    import matplotlib.pyplot as plt

    assert condensed().plot(colorbar=False) is axes is plt.gca()


def test_spanning_tree_of_rows_that_are_not_finite(axes):
    x = np.insert(BLOBS[:20], 3, np.nan, axis=0)
    rows = np.delete(np.arange(21), 3)
    tree = zwalk.minimum_spanning_tree(BLOBS[:20])
    zwalk.MinimumSpanningTree(np.column_stack([rows[tree.edges], tree.lengths]), x).plot(axes)
    np.testing.assert_allclose(axes.collections[1].get_offsets(), BLOBS[:20])
    np.testing.assert_allclose(axes.collections[0].get_segments(), BLOBS[:20][tree.edges])
