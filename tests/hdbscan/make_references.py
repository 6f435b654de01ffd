"""Writes tests/data/hdbscan/references.npz: what the hdbscan package finds (pip install hdbscan).

The hierarchy is the package's, of its exact algorithm; merges of one distance are put into the order that
zwalk documents (single_linkage), because the package's own order of them is arbitrary. All that follows is the
package's work. Our min_samples counts the point itself, the package's doesn't.
"""
import os

import hdbscan
import numpy as np
from hdbscan._hdbscan_tree import compute_stability, condense_tree, get_clusters, outlier_scores

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = {"clusterable": os.path.join(HERE, "../data/hdbscan/clusterable.npy"),
        "gaia": os.path.join(HERE, "../../data/gaia_open_clusters/xyz.npy")}
# set, min_cluster_size, min_samples, selection, epsilon
CASES = [("clusterable", 5, 5, "eom", 0.), ("clusterable", 15, 15, "eom", 0.),
         ("clusterable", 15, 5, "leaf", 0.), ("clusterable", 15, 5, "leaf", .03),
         ("clusterable", 50, 2, "eom", 0.), ("gaia", 5, 5, "eom", 0.), ("gaia", 30, 10, "leaf", 0.),
         ("gaia", 40, 25, "eom", 0.)]


def linkage_of(points, edges, lengths):
    """SciPy's form; of merges at one distance the largest clusters first, the smallest last."""
    groups = {i: i for i in range(points)}  # of a point: the cluster it is in
    members = {i: [i] for i in range(points)}
    rows = []
    for length in np.unique(lengths):
        parts = {}  # of a cluster before the event: those that it is connected with
        for a, b in edges[lengths == length]:
            a, b = groups[a], groups[b]
            joined = parts.get(a, {a}) | parts.get(b, {b})
            for c in joined:
                parts[c] = joined
        wholes = {min(min(members[c]) for c in p): p for p in parts.values()}
        for _, whole in sorted(wholes.items()):
            order = sorted(whole, key=lambda c: (-len(members[c]), c))
            now = order[0]
            for c in order[1:]:
                new = points + len(rows)
                members[new] = members.pop(now) + members.pop(c)
                rows.append((min(now, c), max(now, c), length, len(members[new])))
                now = new
            for point in members[now]:
                groups[point] = now
    return np.array(rows, dtype=float)


def reference(points, min_cluster_size, min_samples, selection, epsilon):
    tree = hdbscan.HDBSCAN(min_cluster_size=5, min_samples=min_samples - 1, algorithm="prims_kdtree",
                           approx_min_span_tree=False, gen_min_span_tree=True).fit(points)
    edges = tree.minimum_spanning_tree_.to_numpy()
    linkage = linkage_of(len(points), edges[:, :2].astype(int), edges[:, 2])
    condensed = condense_tree(linkage, min_cluster_size)
    labels, probabilities, persistence = get_clusters(
        condensed, compute_stability(condensed), selection, cluster_selection_epsilon=epsilon)
    scores = outlier_scores(condensed)
    clusters = condensed[condensed["child_size"] > 1]
    return {"weight": linkage[:, 2].sum(), "labels": labels.astype("i2"),
            "probabilities": probabilities.astype("f2"), "scores": scores.astype("f2"),
            "persistence": np.array(persistence), "parent": clusters["parent"].astype("i4"),
            "child": clusters["child"].astype("i4"), "lambda_val": clusters["lambda_val"],
            "child_size": clusters["child_size"].astype("i4")}


if __name__ == "__main__":
    arrays = {}
    for i, (name, *options) in enumerate(CASES):
        for key, value in reference(np.load(SETS[name]), *options).items():
            arrays[f"{i}_{key}"] = value
    np.savez_compressed(os.path.join(HERE, "../data/hdbscan/references.npz"), **arrays)
