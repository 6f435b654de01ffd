"""Condensed trees as columns: their clusters, and which of these are labelled. Loops go over clusters, arrays over rows."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

ROWS = ("parent", "child", "lambda_val", "child_size")

Columns = dict[str, Any]  # of rows, and of clusters: cluster_parent, ...


def with_clusters(rows: Mapping[str, ArrayLike] | NDArray[np.void]) -> Columns:
    """Rows of a condensed tree, with those columns of its clusters that `zwalk.hdbscan` has, made anew. O(rows)."""
    out: Columns = {name: np.ascontiguousarray(rows[name]) for name in ROWS}
    parent, child, leaves_at, size = (out[name] for name in ROWS)
    root = root_of(out)
    of, n = parent - root, int(parent.max()) - root + 1 if len(parent) else 0
    splits = np.flatnonzero(child >= root)
    up, birth, death = np.full(n, -1), np.zeros(n), np.zeros(n)
    up[child[splits] - root], birth[child[splits] - root] = of[splits], leaves_at[splits]
    np.maximum.at(death, of, leaves_at)
    later = leaves_at > birth[of]  # not infinity - infinity
    gained = np.zeros(len(of))
    gained[later] = (leaves_at[later] - birth[of[later]]) * size[later]
    sizes = np.bincount(of, size, n).astype(np.int64) if n else np.zeros(0, np.int64)
    stability = np.bincount(of, gained, n) if n else np.zeros(0)
    return out | {"cluster_parent": up, "cluster_size": sizes, "cluster_birth": birth, "cluster_death": death,
                  "cluster_stability": stability}


def root_of(tree: Mapping[str, Any]) -> int:
    """The id of the root, which is the number of points; 0 without rows."""
    return int(tree["parent"].min()) if len(tree["parent"]) else 0


def points_of(tree: Mapping[str, Any]) -> NDArray[np.int64]:
    """The rows of points: each point has one."""
    return np.flatnonzero(tree["child"] < root_of(tree))


def leaves_of(tree: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Of each cluster, whether it never splits."""
    up = tree["cluster_parent"]
    leaf = np.ones(len(up), bool)
    leaf[up[up >= 0]] = False
    return leaf


def labelled(tree: Columns, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each label the smallest cluster of the tree, by its index, that has all of its points. O(rows)."""
    rows = points_of(tree)
    up, n = tree["cluster_parent"], int(labels.max(initial=-1)) + 1
    label, inside = np.full(len(up), -1), np.zeros(len(up), np.int64)
    of, own = tree["parent"][rows] - len(rows), labels[tree["child"][rows]]
    np.maximum.at(label, of, own)
    np.add.at(inside, of, own >= 0)
    total, found = np.bincount(labels[labels >= 0], minlength=n), np.zeros(n, np.int64)
    for c in range(len(up) - 1, -1, -1):
        k = label[c]
        if k >= 0 and inside[c] == total[k]:
            found[k] = c
        elif c > 0:
            label[up[c]] = max(label[up[c]], k)
            inside[up[c]] += inside[c]
    return found


def born_at(tree: Columns) -> NDArray[np.float64]:
    """Of each cluster the distance at which it parts from its sibling, of the root the largest of the tree, if finite."""
    birth, leaves_at = tree["cluster_birth"].copy(), tree["lambda_val"]
    birth[:1] = leaves_at.min(initial=np.inf, where=leaves_at > 0)
    with np.errstate(divide="ignore"):
        return np.asarray(1 / birth)


def around_at(tree: Columns, epsilon: float, allow_single_cluster: bool) -> NDArray[np.int64]:
    """Of each cluster the nearest one around it, itself included, that was born at this distance or a larger one."""
    up, far = tree["cluster_parent"], born_at(tree)
    around = np.arange(len(up))
    for c in range(1, len(up)):
        top = up[c] == 0 and not allow_single_cluster
        if not (top or far[c] >= epsilon):
            around[c] = around[up[c]]
    return around
