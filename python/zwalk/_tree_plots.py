"""What plots of HDBSCAN*'s trees consist of, and how matplotlib draws it.

Data are made by functions of their own, which need NumPy only. Lines are collections: one artist, however many there are.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._condensed import Columns, leaves_of, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def icicles(tree: Columns, leaf_separation: float, log_size: bool, most: int) -> dict[str, Any]:
    """Bars and lines of a condensed tree, as CondensedTree.get_plot_data says. O(rows log rows)."""
    up, sizes = tree["cluster_parent"], tree["cluster_size"]
    n, root = len(up), root_of(tree)
    leaves_at, top = _finite(tree["lambda_val"])
    birth, death = np.minimum(tree["cluster_birth"], top), np.minimum(tree["cluster_death"], top)
    scale = _width(sizes[:1].sum(), log_size)
    x = _places(tree) * leaf_separation * scale
    of = tree["parent"] - root
    order = np.lexsort((leaves_at, of))
    ends = np.searchsorted(of[order], np.arange(n + 1))
    data: dict[str, Any] = {name: [] for name in ("bar_centers", "bar_tops", "bar_bottoms", "bar_widths")}
    bounds: dict[int, list[float]] = {}
    for c in range(n - 1, -1, -1):
        rows = order[ends[c]:ends[c + 1]]
        for bottom, height, width in _bars(leaves_at[rows], tree["child_size"][rows], birth[c], log_size, most):
            data["bar_centers"].append(x[c])
            data["bar_tops"].append(height)
            data["bar_bottoms"].append(bottom)
            data["bar_widths"].append(width)
        half = _width(sizes[c], log_size) / 2
        bounds[root + c] = [x[c] - half, x[c] + half, birth[c], death[c]]
    children = np.arange(1, n)
    parts = np.sign(x[children] - x[up[children]]) * [_width(size, log_size) / 2 for size in sizes[1:]] if n > 1 else children
    data["line_xs"] = np.column_stack([x[up[children]], x[children] + parts]).tolist()
    data["line_ys"] = np.column_stack([birth[1:], birth[1:]]).tolist()
    return data | {"cluster_bounds": bounds}


def _finite(leaves_at: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Lambdas to be drawn, and their upper limit: in place of infinity something beyond the others."""
    finite = np.isfinite(leaves_at)
    if finite.all():
        return leaves_at, np.inf
    top = 1.1 * leaves_at.max(initial=0, where=finite) or 1.0
    return np.minimum(leaves_at, top), float(top)


def _width(points: float, log_size: bool) -> float:
    if log_size:
        return float(np.log(points)) if points > 0 else 0.0
    return float(points)


def _places(tree: Columns) -> NDArray[np.float64]:
    """Of each cluster its place from left to right: leaves are numbered, others in the middle of their two parts."""
    up, leaf = tree["cluster_parent"], leaves_of(tree)
    n = len(up)
    below = leaf.astype(np.int64)  # leaves
    for c in range(n - 1, 0, -1):
        below[up[c]] += below[c]
    begin = np.zeros(n, np.int64)  # leaves to the left of it
    for c in range(1, n, 2):  # siblings are numbered one after the other
        begin[c], begin[c + 1] = begin[up[c]], begin[up[c]] + below[c]
    place = begin.astype(float)
    for c in range(n - 1, 0, -2):
        place[up[c]] = (place[c] + place[c - 1]) / 2
    return place


def _bars(leaves_at: NDArray[np.float64], size: NDArray[np.int64], birth: float, log_size: bool,
          most: int) -> list[tuple[float, float, float]]:
    """(bottom, height, width) of a cluster's bars: its width falls at each lambda at which points leave; small steps are
    drawn together, so that there are about `most`. Each bar begins at the lambda before the one at which it is seen to be due."""
    levels, first = np.unique(leaves_at, return_index=True)
    gone = np.add.reduceat(size, first)
    left = size.sum() - np.concatenate([[0], np.cumsum(gone)[:-1]])  # when each level is reached
    step = (_width(left[0], log_size) - _width(gone[-1], log_size)) / most
    bars = []
    bottom = before = birth
    width = _width(left[0], log_size)
    for at, points in zip(levels.tolist(), left.tolist()):
        now = _width(points, log_size)
        if at != before and (width - now > step or at == levels[-1]):
            bars.append((bottom, at - bottom, width))
            bottom, width = before, now
        before = at
    return bars


def draw_icicles(data: dict[str, Any], axis: Any, cmap: Any, colorbar: bool, log_size: bool) -> Any:
    """Bars and lines of `icicles`."""
    axis = _axes(axis)
    widths = data["bar_widths"]
    scale = None if _is_black(cmap) else _colours(cmap, widths, 0, max(widths, default=1))
    axis.bar(data["bar_centers"], data["bar_tops"], bottom=data["bar_bottoms"], width=widths, align="center", linewidth=0,
             color="black" if scale is None else scale.to_rgba(widths))
    _add_lines(axis, _lines(data["line_xs"], data["line_ys"]), colors="black", linewidths=1)
    if colorbar and scale is not None:
        axis.figure.colorbar(scale, ax=axis, label="log(Number of points)" if log_size else "Number of points")
    _frame(axis, "$\\lambda$ value")
    axis.invert_yaxis()
    return axis


def draw_selected(bounds: list[list[float]], axis: Any, palette: Sequence[Any] | None, label: bool) -> None:
    """An ellipse around each cluster of these bounds, and its number."""
    from matplotlib.patches import Ellipse

    least = 0.1 * max((top - bottom for _, _, bottom, top in bounds), default=0)
    enough = palette is not None and len(palette) >= len(bounds)
    for number, (left, right, bottom, top) in enumerate(bounds):
        x, y, width, height = (left + right) / 2, (bottom + top) / 2, right - left, max(top - bottom, least)
        colour = palette[number] if enough and palette is not None else "r"
        axis.add_patch(Ellipse((x, y), 2 * width, 1.2 * height, facecolor="none", edgecolor=colour, linewidth=2))
        if label:
            axis.annotate(str(number), (x + width, y), ha="left", va="bottom")


class Dendrogram(NamedTuple):
    """Brackets of a dendrogram: of each merge the places and heights of both parts, its own height, points of both."""

    x: NDArray[np.float64]  # (M, 2)
    begin: NDArray[np.float64]  # (M, 2)
    height: NDArray[np.float64]  # (M,)
    points: NDArray[np.float64]  # (M, 2)


def dendrogram(table: NDArray[np.float64], truncate_mode: str | None, p: int) -> Dendrogram:
    """Brackets of SciPy's table, those left out that the mode leaves out. O(N).

    scipy.cluster.hierarchy.dendrogram calls itself for each level, and HDBSCAN*'s trees have as many levels as points.
    """
    if truncate_mode not in (None, "none", "lastp", "level"):
        raise _core.InputError(f"truncate_mode must be None, 'none', 'lastp' or 'level', not {truncate_mode!r}")
    merges, n = len(table), len(table) + 1
    ids = table[:, :2].astype(np.int64)
    shown = np.zeros(n + merges, bool)
    shown[n:] = True
    if truncate_mode == "lastp" and p > 0:
        shown[n:max(2 * n - p, n)] = False
    level = np.zeros(n + merges, np.int64)
    for i in range(merges - 1, -1, -1):
        level[ids[i]] = level[n + i] + 1
    if truncate_mode == "level" and p > 0:
        shown &= level <= p
    ends = np.where(shown, 0, 1)  # of each id: how many ends below it are drawn
    for i in range(merges):
        if shown[n + i]:
            ends[n + i] = ends[ids[i]].sum()
    x, begin = np.zeros(n + merges), np.zeros(n + merges, np.int64)
    for i in range(merges - 1, -1, -1):
        left, right = ids[i]
        begin[left], begin[right] = begin[n + i], begin[n + i] + ends[left]
    x[~shown] = begin[~shown]
    for i in range(merges):
        if shown[n + i]:
            x[n + i] = x[ids[i]].mean()
    drawn = np.flatnonzero(shown[n:])
    height, points = np.zeros(n + merges), np.ones(n + merges)
    height[n:], points[n:] = table[:, 2], table[:, 3]
    of = ids[drawn]
    return Dendrogram(x[of], np.where(shown[of], height[of], 0), height[n + drawn], points[of])


def draw_dendrogram(brackets: Dendrogram, axis: Any, vary_line_width: bool, cmap: Any, colorbar: bool) -> Any:
    """Two upright lines for each bracket, and one across."""
    axis = _axes(axis)
    x, height = brackets.x, brackets.height[:, None]
    points = (brackets.points if vary_line_width else np.ones_like(x)).reshape(-1)
    upright = np.stack([np.stack([x, x], -1), np.stack([brackets.begin, np.broadcast_to(height, x.shape)], -1)], -1)
    logs = np.log2(points)
    scale = None if _is_black(cmap) else _colours(cmap, logs, 0, logs.max(initial=0))
    _add_lines(axis, upright.reshape(-1, 2, 2), linewidths=np.log2(1 + points), capstyle="butt",
               colors="black" if scale is None else scale.to_rgba(logs))
    across = np.stack([x, np.broadcast_to(height, x.shape)], -1)
    _add_lines(axis, across, linewidths=1, colors="black")
    axis.autoscale_view()
    if colorbar and scale is not None:
        axis.figure.colorbar(scale, ax=axis, label="log(Number of points)")
    _frame(axis, "distance")
    return axis


def in_a_plane(points: NDArray[Any]) -> NDArray[np.float64]:
    """Places of points in two columns: their own, or those that t-SNE finds."""
    points = points.astype(np.float64)
    if points.shape[1] <= 2:
        return np.column_stack([points, np.zeros(len(points))])[:, :2]
    from sklearn.manifold import TSNE

    places: NDArray[np.float64] = TSNE(random_state=0, perplexity=min(30, max(1, (len(points) - 1) / 3))).fit_transform(points)
    return places


def widths(lengths: NDArray[np.float64], widest: float) -> NDArray[np.float64]:
    """Of lines that stand for edges: the logarithm of their length, `widest` for the longest and more for shorter ones."""
    positive = lengths > 0
    if not positive.any():
        return np.full(len(lengths), widest)
    shown = np.maximum(lengths, lengths[positive].min())
    return np.asarray(widest * (np.log(shown.max() / shown) + 1))


def draw_edges(places: NDArray[np.float64], ends: NDArray[np.int64], lengths: NDArray[np.float64], axis: Any,
               nodes: dict[str, Any], edges: dict[str, Any], colorbar: bool) -> Any:
    """Points at their places, and edges between them, coloured by length."""
    axis = _axes(axis)
    lines = _add_lines(axis, places[ends], **edges)
    lines.set_array(lengths)
    axis.scatter(places[:, 0], places[:, 1], **nodes)
    axis.set_xticks([])
    axis.set_yticks([])
    if colorbar:
        axis.figure.colorbar(lines, ax=axis, label="Mutual reachability distance")
    return axis


def _axes(axis: Any) -> Any:
    if axis is not None:
        return axis
    import matplotlib.pyplot as plt

    return plt.gca()


def _add_lines(axis: Any, lines: Any, **options: Any) -> Any:
    from matplotlib.collections import LineCollection

    return axis.add_collection(LineCollection(lines, **options))


def _is_black(cmap: Any) -> bool:
    return isinstance(cmap, str) and cmap == "none"


def _colours(cmap: Any, values: Any, least: float, most: float) -> Any:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    scale = ScalarMappable(Normalize(least, most), cmap)
    scale.set_array(np.asarray(values, float))
    return scale


def _lines(xs: list[list[float]], ys: list[list[float]]) -> NDArray[np.float64]:
    return np.stack([np.reshape(xs, (-1, 2)), np.reshape(ys, (-1, 2))], -1)


def _frame(axis: Any, label: str) -> None:
    axis.set_xticks([])
    for side in ("right", "top", "bottom"):
        axis.spines[side].set_visible(False)
    axis.set_ylabel(label)
