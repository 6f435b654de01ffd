"""The trees of HDBSCAN* as objects, with the names that the hdbscan package has for them.

pandas, networkx, matplotlib and scikit-learn are imported by the methods that need them, and by nothing else.
"""
from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _tree_plots
from ._condensed import ROWS, Columns, labelled, root_of, with_clusters
from ._points import as_count, as_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


def needs(module: str, what: str) -> Any:
    """An optional module, or an ImportError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as e:
        package = {"sklearn": "scikit-learn"}.get(module.split(".")[0], module.split(".")[0])
        raise ImportError(f"{what} needs {package}, which isn't installed: pip install {package}") from e


class CondensedTree(Mapping[str, Any]):
    """A condensed tree: at which lambda = 1 / distance which point or cluster leaves which cluster.

    By key it has columns: `parent`, `child`, `lambda_val`, `child_size` of its rows, and of its clusters `cluster_parent` (an
    index; -1: the root), `cluster_size`, `cluster_birth`, `cluster_death`, `cluster_stability`. Ids below N are points, N is
    the root, N + c is the cluster of index c. ``numpy.asarray(tree)`` are the rows as records.

    Parameters
    ----------
    columns : mapping or structured array
        `condensed` of `zwalk.hdbscan`, or the rows in the order of the hdbscan package.
    labels : array_like of int, shape (N,), optional
        Of points; negative: noise. `select_clusters` needs them.
    """

    def __init__(self, columns: Mapping[str, ArrayLike] | NDArray[np.void], labels: ArrayLike | None = None) -> None:
        whole = isinstance(columns, Mapping) and "cluster_parent" in columns
        self._columns: Columns = dict(columns) if whole else with_clusters(columns)
        self._labels = None if labels is None else np.asarray(labels, np.int64)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<zwalk.CondensedTree: {len(self['cluster_parent'])} clusters in {len(self['parent'])} rows>"

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _as_asked(self.to_numpy(), dtype, copy, made=True)

    def selected_clusters(self) -> NDArray[np.int64]:
        """Of each label the id of its cluster: the smallest one that has all of its points. O(N)."""
        if self._labels is None:
            raise _core.InputError("which clusters were selected follows from labels: pass them to CondensedTree")
        return labelled(self._columns, self._labels) + root_of(self)

    def to_numpy(self) -> NDArray[np.void]:
        """The rows as records: parent, child, lambda_val, child_size."""
        rows = np.empty(len(self["parent"]), [(name, np.float64 if name == "lambda_val" else np.int64) for name in ROWS])
        for name in ROWS:
            rows[name] = self[name]
        return rows

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame: parent, child, lambda_val, child_size."""
        return needs("pandas", "to_pandas").DataFrame({name: self[name] for name in ROWS})

    def to_networkx(self) -> Any:
        """The tree as a networkx.DiGraph from parents to children.

        An edge has its lambda for `weight`, a node but the root its number of points for `size`.
        """
        graph = needs("networkx", "to_networkx").DiGraph()
        parent, child, leaves_at, size = (self[name].tolist() for name in ROWS)
        graph.add_weighted_edges_from(zip(parent, child, leaves_at))
        for node, points in zip(child, size):
            graph.nodes[node]["size"] = points
        return graph

    def get_plot_data(self, leaf_separation: float = 1, log_size: bool = False,
                      max_rectangle_per_icicle: int = 20) -> dict[str, Any]:
        """What `plot` draws; for other programs.

        Returns
        -------
        dict
            `bar_centers`, `bar_tops` (heights), `bar_bottoms`, `bar_widths` of bars, along lambda; `line_xs`, `line_ys` of the
            lines at splits; `cluster_bounds`: of each cluster id (left, right, bottom, top). An infinite lambda is drawn a tenth
            beyond the largest finite one.
        """
        return _tree_plots.icicles(self._columns, leaf_separation, log_size, max_rectangle_per_icicle)

    def plot(self, leaf_separation: float = 1, cmap: Any = "viridis", select_clusters: bool = False, label_clusters: bool = False,
             selection_palette: Any = None, axis: Any = None, colorbar: bool = True, log_size: bool = False,
             max_rectangles_per_icicle: int = 20) -> Any:
        """Draw it: bars as wide as clusters have points, from the root on top to larger lambda below. Needs matplotlib.

        Parameters
        ----------
        leaf_separation : float
            Between clusters that never split, in units of the number of points (or its logarithm).
        cmap : str or matplotlib colormap
            Of numbers of points. 'none': black.
        select_clusters, label_clusters : bool
            Ellipses around the clusters that have labels, and these labels.
        selection_palette : sequence of colours, optional
            Of ellipses; the default, and of too few colours: red.
        axis : matplotlib Axes, optional
            Default: the current ones.
        colorbar, log_size : bool
            A bar of colours; logarithms of the numbers of points.
        max_rectangles_per_icicle : int
            Bars of a cluster.

        Returns
        -------
        matplotlib Axes
        """
        needs("matplotlib", "plot")
        data = self.get_plot_data(leaf_separation, log_size, max_rectangles_per_icicle)
        axis = _tree_plots.draw_icicles(data, axis, cmap, colorbar, log_size)
        if select_clusters:
            bounds = [data["cluster_bounds"][int(c)] for c in self.selected_clusters()]
            _tree_plots.draw_selected(bounds, axis, selection_palette, label_clusters)
        return axis


class SingleLinkageTree:
    """A single-linkage tree: which clusters merge at which distance.

    ``numpy.asarray(tree)`` is SciPy's table, shape (N - 1, 4), and what is indexed: functions of scipy.cluster.hierarchy take
    the tree as it is.

    Parameters
    ----------
    linkage : array_like, shape (N - 1, 4)
        Two ids, the distance, points. Ids below N are points, N + i is what row i makes.
    """

    def __init__(self, linkage: ArrayLike) -> None:
        table = np.require(linkage, np.float64, "C")
        if table.ndim != 2 or table.shape[1] != 4:
            raise _core.InputError(f"linkage must have 4 columns, as SciPy's have, but has the shape {table.shape}")
        self._table: NDArray[np.float64] = table

    @property
    def shape(self) -> tuple[int, ...]:
        """(N - 1, 4)"""
        return self._table.shape

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, key: Any) -> Any:
        return self._table[key]

    def __repr__(self) -> str:
        return f"<zwalk.SingleLinkageTree of {len(self) + 1} points>"

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _as_asked(self._table, dtype, copy)

    def get_clusters(self, cut_distance: float, min_cluster_size: int = 5) -> NDArray[np.int64]:
        """DBSCAN*: labels of the clusters at one distance; -1: points of clusters below min_cluster_size."""
        labels: NDArray[np.int64] = _core.clusters_at(len(self) + 1, self._table, as_number(cut_distance, "cut_distance"),
                                                      as_count(min_cluster_size, "min_cluster_size"))
        return labels

    def to_numpy(self) -> NDArray[np.float64]:
        """SciPy's table, a copy."""
        return self._table.copy()

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame: parent, left_child, right_child, distance, size."""
        left, right, distance, size = self._columns()
        parent = np.arange(len(self)) + len(self) + 1
        return needs("pandas", "to_pandas").DataFrame(
            {"parent": parent, "left_child": left, "right_child": right, "distance": distance, "size": size})

    def to_networkx(self) -> Any:
        """The tree as a networkx.DiGraph from what merges make to what they join.

        An edge has the distance for `weight`, a node but points its number of points for `size`.
        """
        graph = needs("networkx", "to_networkx").DiGraph()
        left, right, distance, size = (column.tolist() for column in self._columns())
        for parent, row in enumerate(zip(left, right, distance, size), len(self) + 1):
            graph.add_edge(parent, row[0], weight=row[2])
            graph.add_edge(parent, row[1], weight=row[2])
            graph.nodes[parent]["size"] = row[3]
        return graph

    def plot(self, axis: Any = None, truncate_mode: str | None = None, p: int = 0, vary_line_width: bool = True,
             cmap: Any = "viridis", colorbar: bool = True) -> Any:
        """Draw a dendrogram. Needs matplotlib.

        Parameters
        ----------
        axis : matplotlib Axes, optional
            Default: the current ones.
        truncate_mode : {None, 'none', 'lastp', 'level'}
            As SciPy's. 'lastp': p clusters are drawn as leaves, whatever is inside. 'level': those more than p merges below the
            last one are.
        p : int
            0: nothing is left out.
        vary_line_width : bool
            Lines widen with the logarithm of the number of points.
        cmap : str or matplotlib colormap
            Of the logarithm of the number of points. 'none': black.
        colorbar : bool

        Returns
        -------
        matplotlib Axes
        """
        needs("matplotlib", "plot")
        brackets = _tree_plots.dendrogram(self._table, truncate_mode, p)
        return _tree_plots.draw_dendrogram(brackets, axis, vary_line_width, cmap, colorbar)

    def _columns(self) -> tuple[NDArray[Any], ...]:
        left, right, distance, size = self._table.T
        return left.astype(np.int64), right.astype(np.int64), distance, size.astype(np.int64)


class MinimumSpanningTree:
    """A minimum spanning tree of mutual reachability, shortest edges first. ``numpy.asarray(tree)`` has its edges.

    Parameters
    ----------
    edges : array_like, shape (E, 3)
        Two points and the distance between them.
    points : array_like, shape (N, D)
    """

    def __init__(self, edges: ArrayLike, points: ArrayLike) -> None:
        self._edges = np.asarray(edges, np.float64).reshape(-1, 3)
        self._points = np.asarray(points)

    def __len__(self) -> int:
        return len(self._edges)

    def __repr__(self) -> str:
        return f"<zwalk.MinimumSpanningTree of {len(self._points)} points, length {self._edges[:, 2].sum():g}>"

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return _as_asked(self._edges, dtype, copy)

    def to_numpy(self) -> NDArray[np.float64]:
        """The edges, shape (E, 3): two points and the distance. A copy."""
        return self._edges.copy()

    def to_pandas(self) -> Any:
        """The edges as a pandas.DataFrame: from, to, distance."""
        ends = self._ends()
        return needs("pandas", "to_pandas").DataFrame({"from": ends[:, 0], "to": ends[:, 1], "distance": self._edges[:, 2]})

    def to_networkx(self) -> Any:
        """The tree as a networkx.Graph. An edge has the distance for `weight`, a node the coordinates for `data`."""
        graph = needs("networkx", "to_networkx").Graph()
        for node, row in enumerate(self._points.tolist()):
            graph.add_node(node, data=tuple(row))
        graph.add_weighted_edges_from(zip(*self._ends().T.tolist(), self._edges[:, 2].tolist()))
        return graph

    def plot(self, axis: Any = None, node_size: float = 40, node_color: Any = "k", node_alpha: float = 0.8,
             edge_alpha: float = 0.5, edge_cmap: Any = "viridis_r", edge_linewidth: float = 2, vary_line_width: bool = True,
             colorbar: bool = True) -> Any:
        """Draw points and edges. Needs matplotlib, and for more than two columns scikit-learn, whose t-SNE makes two of them.

        Parameters
        ----------
        axis : matplotlib Axes, optional
            Default: the current ones.
        node_size, node_color, node_alpha
            As `s`, `c` and `alpha` of matplotlib's `scatter`.
        edge_alpha, edge_linewidth : float
        edge_cmap : str or matplotlib colormap
            Of distances.
        vary_line_width : bool
            The shorter an edge, the wider: by the logarithm of its length.
        colorbar : bool

        Returns
        -------
        matplotlib Axes
        """
        needs("matplotlib", "plot")
        if self._points.shape[1] > 2:
            needs("sklearn.manifold", "plot of more than two columns")
        finite = np.isfinite(self._points).all(axis=1)  # others have no edges
        ends = (np.cumsum(finite) - 1)[self._ends()]
        places = _tree_plots.in_a_plane(self._points[finite])
        nodes = {"s": node_size, "c": node_color, "alpha": node_alpha}
        edges = {"alpha": edge_alpha, "cmap": edge_cmap}
        lengths = self._edges[:, 2]
        width = _tree_plots.widths(lengths, edge_linewidth) if vary_line_width else edge_linewidth
        return _tree_plots.draw_edges(places, ends, lengths, axis, nodes, edges | {"linewidth": width}, colorbar)

    def _ends(self) -> NDArray[np.int64]:
        return self._edges[:, :2].astype(np.int64)


def _as_asked(a: NDArray[Any], dtype: DTypeLike | None, copy: bool | None, made: bool = False) -> NDArray[Any]:
    """What numpy asks of `__array__`. `made`: the array is a new one, which nobody else has."""
    converts = dtype is not None and np.dtype(dtype) != a.dtype
    if copy is False and (converts or made):
        raise ValueError("this needs a copy: numpy.asarray makes one")
    if converts:
        return a.astype(dtype)
    return a.copy() if copy and not made else a
