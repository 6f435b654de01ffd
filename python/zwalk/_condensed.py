"""Condensed trees as columns: their clusters, which of them are taken, and trees without splits that don't last.

What the compiled module does is done there; here is what it has no option for. Loops go over clusters, arrays over rows.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

ROWS = ("parent", "child", "lambda_val", "child_size")

Columns = dict[str, Any]  # of rows, and of clusters: cluster_parent, ...


class Choice(NamedTuple):
    """Which clusters of a condensed tree are taken; what `zwalk.hdbscan` has, and the largest distance to be born at."""

    method: str = "eom"
    epsilon: float = 0.0
    max_cluster_size: int | None = None
    allow_single_cluster: bool = False
    epsilon_max: float = np.inf


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


def taken(tree: Columns, choice: Choice, min_cluster_size: int = 0) -> NDArray[np.bool_]:
    """Of each cluster, whether it is taken; the definitions are those of zwalk/hdbscan/clusters.hpp.

    With `epsilon_max` excess of mass takes no cluster that was born at a larger distance than that. The root is born at the
    largest of all. O(clusters).
    """
    up, stability = tree["cluster_parent"], tree["cluster_stability"]
    n = len(up)
    first = 0 if choice.allow_single_cluster and n and tree["cluster_size"][0] >= min_cluster_size else 1
    take = leaves_of(tree)
    if choice.method == "eom":
        take[:] = False
        most = choice.max_cluster_size or np.iinfo(np.int64).max
        allowed = (tree["cluster_size"] <= most) & (born_at(tree) <= choice.epsilon_max)
        below = np.zeros(n)
        for c in range(n - 1, first - 1, -1):
            take[c] = allowed[c] and below[c] <= stability[c]
            if c > 0:
                below[up[c]] += stability[c] if take[c] else below[c]
        _only_outermost(take, up)
    elif first == 1:
        take[:1] = False
    if choice.epsilon > 0:
        around = around_at(tree, choice.epsilon, choice.allow_single_cluster)
        instead = np.zeros(n, bool)
        instead[around[take]] = True
        return instead
    return take


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


def _only_outermost(take: NDArray[np.bool_], up: NDArray[np.int64]) -> None:
    inside = np.zeros(len(take), bool)
    for c in range(1, len(take)):
        inside[c] = inside[up[c]] or take[up[c]]
    take[inside] = False


def flat(tree: Columns, choice: Choice, min_cluster_size: int = 0) -> Columns:
    """Labels, probabilities and persistence of the clusters taken, as `zwalk.hdbscan` has them. O(rows)."""
    take = taken(tree, choice, min_cluster_size)
    ids, up, death = np.flatnonzero(take), tree["cluster_parent"], tree["cluster_death"]
    label = np.full(len(up), -1)
    label[ids] = np.arange(len(ids))
    for c in range(1, len(up)):
        if not take[c]:
            label[c] = label[up[c]]
    rows = points_of(tree)
    own, leaves_at = label[tree["parent"][rows] - len(rows)], tree["lambda_val"][rows]
    if len(ids) and ids[0] == 0:  # of the root's points those that stay are its own
        own[leaves_at < (1 / choice.epsilon if choice.epsilon > 0 else death[0])] = -1
    labels, probabilities = np.full(len(rows), -1), np.zeros(len(rows))
    labels[tree["child"][rows]] = own
    probabilities[tree["child"][rows]] = _memberships(leaves_at, own, death[ids])
    most = tree["cluster_size"][ids] * death.max(initial=0)
    limited = np.isfinite(most) & (most > 0)
    persistence = np.ones(len(ids))
    persistence[limited] = np.minimum(tree["cluster_stability"][ids[limited]] / most[limited], 1)
    return {"labels": labels, "probabilities": probabilities, "persistence": persistence}


def _memberships(leaves_at: NDArray[np.float64], own: NDArray[np.int64], death: NDArray[np.float64]) -> NDArray[np.float64]:
    out, members = np.zeros(len(own)), np.flatnonzero(own >= 0)
    at, most = leaves_at[members], death[own[members]]
    sure = (most == 0) | np.isinf(at)
    with np.errstate(invalid="ignore"):
        out[members] = np.where(sure, 1, np.minimum(at, most) / np.where(most == 0, 1, most))
    return out


def outlier_scores(tree: Columns) -> NDArray[np.float64]:
    """GLOSH scores of all points, as `zwalk.hdbscan` has them, of any condensed tree. O(rows)."""
    up, densest = tree["cluster_parent"], tree["cluster_death"].copy()
    for c in range(len(up) - 1, 0, -1):
        densest[up[c]] = max(densest[up[c]], densest[c])
    rows = points_of(tree)
    at, most = tree["lambda_val"][rows], densest[tree["parent"][rows] - len(rows)]
    with np.errstate(invalid="ignore", divide="ignore"):
        score = np.where((most == 0) | np.isinf(at), 0, np.where(np.isinf(most), 1, (most - at) / most))
    out = np.zeros(len(rows))
    out[tree["child"][rows]] = score
    return out


def simplified(tree: Columns, persistence: float) -> Columns:
    """The tree without splits of which the less dense part lasts for less than this, in lambda. O(rows).

    From the leaves up: a cluster lasts from its birth to the largest lambda inside it. Where the shorter-lived one of two
    siblings doesn't last, their split is undone: both are their parent again. If the other one splits later on, the points
    of the shorter-lived one leave at the split, as those of a branch that is too small do. Clusters are numbered anew.

    The hdbscan package (`simplify_hierarchy`) does this in single precision, and where the shorter-lived one was itself put
    together, lets points of its parts stay beyond the split; here all of them leave.
    """
    up, birth, densest = tree["cluster_parent"], tree["cluster_birth"], tree["cluster_death"].copy()
    n = len(up)
    leaf, undone, last = np.ones(n, bool), np.zeros(n, bool), np.full(n, np.inf)
    leaf[up[1:]] = False
    for c in range(n - 1, 0, -2):  # siblings are numbered one after the other
        less, more = (c - 1, c) if densest[c - 1] <= densest[c] else (c, c - 1)
        densest[up[c]] = max(densest[up[c]], densest[more])
        if birth[c] < np.inf and densest[less] - birth[c] >= persistence:
            continue
        undone[[less, more]] = True
        if leaf[more]:
            leaf[up[c]] = True
        else:
            last[less] = birth[c]
    into = np.arange(n)
    for c in range(1, n):
        if undone[c]:
            into[c], last[c] = into[up[c]], min(last[c], last[up[c]])
    number = np.cumsum(~undone) - 1
    root = root_of(tree)
    parent, child, leaves_at, size = (tree[name] for name in ROWS)
    of, split = parent - root, child >= root
    keep = np.ones(len(child), bool)
    keep[split] = ~undone[child[split] - root]
    child = child.copy()
    child[split & keep] = root + number[child[split & keep] - root]
    rows = {"parent": root + number[into[of]], "child": child, "lambda_val": np.minimum(leaves_at, last[of]), "child_size": size}
    return with_clusters({name: column[keep] for name, column in rows.items()})
