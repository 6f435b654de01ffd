"""Times the Python package beside SciPy, scikit-learn, and pykdtree where it is installed, in one process.

    PYTHONPATH=build/python .venv/bin/python bench/python_speed.py [N [ROUNDS [THREADS [batches]]]]

Each round runs all engines of a task in turn; printed are medians, from an array of points to arrays of results, trees
included, and the least CPU seconds of the process, which mean more on a busy machine. Answers are compared: the sums of what each of
them found. With `batches` tasks are small batches of queries in many dimensions, and FAISS is asked, too, where it is installed.
"""
import itertools
import os
import statistics
import sys
import time

size, rounds, threads = (int(float(a)) for a in (sys.argv[1:4] + ["1e6", "3", "2"][len(sys.argv[:4]) - 1:]))
os.environ["OMP_NUM_THREADS"] = str(threads)  # pykdtree's

import numpy as np  # noqa: E402
import sklearn.cluster  # noqa: E402
import sklearn.neighbors  # noqa: E402
import zwalk  # noqa: E402
from scipy.spatial import cKDTree  # noqa: E402

try:
    from pykdtree.kdtree import KDTree as PyKDTree
except ImportError:
    PyKDTree = None
try:
    import faiss
except ImportError:
    faiss = None


def tasks(x):
    """Of each task: its name, its points, and what finds the same number by each engine."""
    n = len(x)
    spacing = n ** (-1 / 3)

    def knn_of(tree, **options):
        return lambda p: tree(p).query(p, k=16, **options)[0].sum(dtype=float)

    engines = {"zwalk": lambda p: zwalk.knn(p, k=16, threads=threads).distances.sum(dtype=float),
               "zwalk.KDTree": knn_of(lambda p: zwalk.KDTree(p, threads=threads)),
               "cKDTree": knn_of(cKDTree, workers=threads)}
    if PyKDTree:
        engines["pykdtree"] = knn_of(PyKDTree)
    yield "16 nearest", x, engines

    r = 1.5 * spacing
    yield "points within 1.5 spacings, counted", x, {
        "zwalk": lambda p: zwalk.radius_count(p, r, threads=threads).sum(),
        "cKDTree": lambda p: cKDTree(p).query_ball_point(p, r, workers=threads, return_length=True).sum()}
    yield "pairs within 1.5 spacings, listed", x, {
        "zwalk": lambda p: len(zwalk.KDTree(p, threads=threads).query_pairs(r, output_type="ndarray")),
        "cKDTree": lambda p: len(cKDTree(p).query_pairs(r, output_type="ndarray"))}
    yield "DBSCAN", x[:n // 10], {
        "zwalk": lambda p: zwalk.dbscan(p, 2 * spacing, 3, threads=threads).core.sum(),
        "scikit-learn": lambda p: len(
            sklearn.cluster.DBSCAN(eps=2 * spacing, min_samples=3, n_jobs=threads).fit(p).core_sample_indices_)}
    few = min(n, 20_000)
    yield "HDBSCAN*", x[:few], {
        "zwalk": lambda p: zwalk.hdbscan(p, 15, threads=threads)["linkage"][:, 2].sum(),
        "scikit-learn": lambda p: sklearn.cluster.HDBSCAN(15, n_jobs=threads, copy=True).fit(
            p)._single_linkage_tree_["value"].sum()}


def batches(n, queries=240, k=10):
    """Tasks as those of tasks(): few queries among n points in many dimensions, which come without a tree."""
    def flat(x, y):
        faiss.omp_set_num_threads(threads)
        index = faiss.IndexFlatL2(x.shape[1])
        index.add(x)
        return np.sqrt(index.search(y, k)[0])

    def scikit(x, y, **options):
        return sklearn.neighbors.NearestNeighbors(n_neighbors=k, n_jobs=threads, **options).fit(x).kneighbors(y)[0]

    def sums(engines):
        return {name: lambda x, run=run: run(x[queries:], x[:queries]).sum(dtype=float) for name, run in engines.items()}

    rng = np.random.default_rng(1)
    for dim, kind in itertools.product((16, 64), ("uniform", "clustered")):
        x = rng.random((queries + n, dim), "f4")
        if kind == "clustered":
            x = (rng.random((100, dim))[rng.integers(100, size=len(x))] + 0.02 * rng.normal(size=x.shape)).astype("f4")
        engines = {"zwalk": lambda x, y: zwalk.knn(x, y, k=k, threads=threads).distances}
        if faiss:
            engines["FAISS flat"] = flat
        if PyKDTree:
            engines["pykdtree"] = lambda x, y: PyKDTree(x).query(y, k=k)[0]
        engines["scikit-learn"] = scikit
        engines["scikit-learn brute"] = lambda x, y: scikit(x, y, algorithm="brute")
        yield f"{queries} queries, {dim}-D, {kind}", x, sums(engines)


def main():
    print(f"{size} points, {threads} threads, {rounds} rounds\n")
    print("| | points | dtype | engine | s | CPU s | times zwalk's |\n| --- | --- | --- | --- | --- | --- | --- |")
    if "batches" in sys.argv:
        for task in batches(size):
            measure(*task)
        return
    points = np.random.default_rng(1).random((size, 3))
    for dtype in ("f4", "f8"):
        for task in tasks(np.ascontiguousarray(points, dtype)):
            measure(*task)


def measure(task, x, engines):
    seconds, cpu, found = {e: [] for e in engines}, {e: [] for e in engines}, {}
    for _ in range(rounds):
        for engine, run in engines.items():
            start, worked = time.perf_counter(), time.process_time()
            found[engine] = float(run(x))
            seconds[engine].append(time.perf_counter() - start)
            cpu[engine].append(time.process_time() - worked)
    if max(found.values()) > min(found.values()) * (1 + 1e-4):
        sys.exit(f"{task}: the engines disagree: {found}")
    for engine, s in seconds.items():
        ratio = statistics.median(b / a for a, b in zip(seconds["zwalk"], s))
        print(f"| {task} | {len(x)} | {x.dtype} | {engine} | {statistics.median(s):.3g} | {min(cpu[engine]):.3g} | {ratio:.3g} |",
              flush=True)


main()
