"""Times the Python package beside SciPy, scikit-learn, and pykdtree where it is installed, in one process.

    PYTHONPATH=build/python .venv/bin/python bench/python_speed.py [N [ROUNDS [THREADS]]]

Each round runs all engines of a task in turn; printed are medians, from an array of points to arrays of results, trees
included. Answers are compared: the sums of what each of them found.
"""
import os
import statistics
import sys
import time

size, rounds, threads = (int(float(a)) for a in (sys.argv[1:] + ["1e6", "3", "2"][len(sys.argv) - 1:]))
os.environ["OMP_NUM_THREADS"] = str(threads)  # pykdtree's

import numpy as np  # noqa: E402
import sklearn.cluster  # noqa: E402
import zwalk  # noqa: E402
from scipy.spatial import cKDTree  # noqa: E402

try:
    from pykdtree.kdtree import KDTree as PyKDTree
except ImportError:
    PyKDTree = None


def tasks(x):
    """Of each task: its name, how many points it takes, and what finds the same number by each engine."""
    n = len(x)
    spacing = n ** (-1 / 3)

    def knn_of(tree, **options):
        return lambda p: tree(p).query(p, k=16, **options)[0].sum(dtype=float)

    engines = {"zwalk": lambda p: zwalk.knn(p, k=16, threads=threads).distances.sum(dtype=float),
               "zwalk.KDTree": knn_of(lambda p: zwalk.KDTree(p, threads=threads)),
               "cKDTree": knn_of(cKDTree, workers=threads)}
    if PyKDTree:
        engines["pykdtree"] = knn_of(PyKDTree)
    yield "16 nearest", n, engines

    r = 1.5 * spacing
    yield "points within 1.5 spacings, counted", n, {
        "zwalk": lambda p: zwalk.radius_count(p, r, threads=threads).sum(),
        "cKDTree": lambda p: cKDTree(p).query_ball_point(p, r, workers=threads, return_length=True).sum()}
    yield "pairs within 1.5 spacings, listed", n, {
        "zwalk": lambda p: len(zwalk.KDTree(p, threads=threads).query_pairs(r, output_type="ndarray")),
        "cKDTree": lambda p: len(cKDTree(p).query_pairs(r, output_type="ndarray"))}
    yield "DBSCAN", n // 10, {
        "zwalk": lambda p: zwalk.dbscan(p, 2 * spacing, 3, threads=threads).core.sum(),
        "scikit-learn": lambda p: len(
            sklearn.cluster.DBSCAN(eps=2 * spacing, min_samples=3, n_jobs=threads).fit(p).core_sample_indices_)}
    few = min(n, 20_000)
    yield "HDBSCAN*", few, {
        "zwalk": lambda p: zwalk.hdbscan(p, 15, threads=threads)["linkage"][:, 2].sum(),
        "scikit-learn": lambda p: sklearn.cluster.HDBSCAN(15, n_jobs=threads, copy=True).fit(
            p)._single_linkage_tree_["value"].sum()}


def main():
    points = np.random.default_rng(1).random((size, 3))
    print(f"{size} uniform points in 3-D, {threads} threads, medians of {rounds} rounds\n")
    print("| | points | dtype | engine | s | times zwalk's |\n| --- | --- | --- | --- | --- | --- |")
    for dtype in ("f4", "f8"):
        for task, n, engines in tasks(points):
            x = np.ascontiguousarray(points[:n], dtype)
            seconds, found = {e: [] for e in engines}, {}
            for _ in range(rounds):
                for engine, run in engines.items():
                    start = time.perf_counter()
                    found[engine] = float(run(x))
                    seconds[engine].append(time.perf_counter() - start)
            if max(found.values()) > min(found.values()) * (1 + 1e-4):
                sys.exit(f"{task}: the engines disagree: {found}")
            for engine, s in seconds.items():
                ratio = statistics.median(b / a for a, b in zip(seconds["zwalk"], s))
                print(f"| {task} | {n} | {dtype} | {engine} | {statistics.median(s):.3g} | {ratio:.3g} |", flush=True)


main()
