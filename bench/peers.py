"""Runs one Python engine once on the points that `bench_knn --write` or another of these programs left in a folder.

Prints JSON and leaves the k-th neighbours, labels or lengths in the folder, as `--engine` of those programs
does. Seconds likewise hold all that the engine needs to get from an array of points in the given
precision to arrays of results: its tree, conversions, the memory of its results, the search.
"""
import argparse
import dataclasses
import importlib.metadata
import json
import os
import pathlib
import time
import typing


def pykdtree_knn(leaf):
    """pykdtree searches on as many threads as OMP_NUM_THREADS says, in the points' precision."""
    from pykdtree.kdtree import KDTree

    def run(sources, queries, k, threads):
        start = time.perf_counter()
        tree = KDTree(sources, leafsize=leaf)
        built = time.perf_counter()
        distance, index = tree.query(queries, k=k)
        return built - start, time.perf_counter() - built, distance, index

    return run


def scipy_knn(**options):
    """SciPy's cKDTree works in double, whatever the points are."""
    from scipy.spatial import cKDTree

    def run(sources, queries, k, threads):
        start = time.perf_counter()
        tree = cKDTree(sources, **options)
        built = time.perf_counter()
        distance, index = tree.query(queries, k=k, workers=threads)
        return built - start, time.perf_counter() - built, distance, index

    return run


def hfof_labels():
    """hfof hashes points into cells, in double and on one thread."""
    from hfof import fof

    return lambda points, length, threads: fof(points.astype("f8"), length)


def dbscan_labels():
    """Each point is a core of its own, so clusters are friends-of-friends groups."""
    from sklearn.cluster import DBSCAN

    return lambda points, length, threads: DBSCAN(eps=length, min_samples=1,
                                                  n_jobs=threads).fit(points).labels_


def dbscan_core_labels():
    """Border points are -2: they may be in any of the clusters near to them."""
    import numpy as np
    from sklearn.cluster import DBSCAN

    def run(points, length, threads, samples):
        found = DBSCAN(eps=length, min_samples=samples, n_jobs=threads).fit(points)
        labels = np.where(found.labels_ < 0, -1, -2)
        labels[found.core_sample_indices_] = found.labels_[found.core_sample_indices_]
        return labels

    return run


def scipy_labels():
    """All pairs of friends by SciPy's cKDTree, in double, then its connected components."""
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    def run(points, length, threads):
        pairs = cKDTree(points).query_pairs(length, output_type="ndarray")
        graph = coo_matrix((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])),
                           shape=(len(points), len(points)))
        return connected_components(graph, directed=False)[1]

    return run


def scipy_balls():
    """Lists of Python, as query_ball_point makes them: in no order, without distances."""
    from scipy.spatial import cKDTree

    def run(points, length, threads):
        return cKDTree(points).query_ball_point(points, length, workers=threads, return_sorted=False)

    return run


def scipy_pairs():
    """Cumulative counts of ordered pairs, a point and itself included; one thread."""
    import numpy as np
    from scipy.spatial import cKDTree

    def run(points, edges, threads):
        tree = cKDTree(points)
        return np.diff(tree.count_neighbors(tree, edges))

    return run


def corrfunc_pairs():
    """In bins edges[i] <= d < edges[i + 1]."""
    import numpy as np
    from Corrfunc.theory.DD import DD

    def run(points, edges, threads):
        x, y, z = (np.ascontiguousarray(points[:, j]) for j in range(3))
        return DD(1, threads, edges, x, y, z, periodic=False)["npairs"]

    return run


def delaunay_lengths():
    """The Delaunay graph has the Euclidean tree in it; SciPy makes both, in double and on one thread."""
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial import Delaunay

    def run(points, samples, threads):
        if samples > 1:
            raise SystemExit("delaunay: Euclidean distances only")
        simplices = Delaunay(points).simplices
        corners = range(simplices.shape[1])
        pairs = np.concatenate([simplices[:, [a, b]] for a in corners for b in range(a)])
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        d = np.sqrt(((points[pairs[:, 0]].astype("f8") - points[pairs[:, 1]]) ** 2).sum(1))
        graph = coo_matrix((d, (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
        return minimum_spanning_tree(graph.tocsr()).data

    return run


def mlpack_lengths():
    """mlpack's dual-tree Borůvka, in double and on one thread."""
    from mlpack import emst

    def run(points, samples, threads):
        if samples > 1:
            raise SystemExit("mlpack: Euclidean distances only")
        return emst(input_=points.astype("f8"))["output"][:, 2]

    return run


def fast_hdbscan_lengths():
    """The tree of fast_hdbscan: Numba, Borůvka on a kd-tree. It doesn't count a point as its own neighbour; to
    the first other one, mutual reachability is the distance."""
    from fast_hdbscan.hdbscan import compute_minimum_spanning_tree

    def run(points, samples, threads):
        return compute_minimum_spanning_tree(points, min_samples=max(samples - 1, 1))[0][:, 2]

    return run


@dataclasses.dataclass
class Engine:
    package: str
    in_z_order: bool  # are the points brought into z-order before? That isn't counted
    prepare: typing.Callable  # imports the package, and returns what runs it
    settings: str


ENGINES = {
    "pykdtree": Engine("pykdtree", False, lambda: pykdtree_knn(leaf=16),
                       "its defaults (leaf 16), input order; as on PyPI; 32-bit indices"),
    "pykdtree-tuned": Engine("pykdtree", True, lambda: pykdtree_knn(leaf=24),
                             "leaf 24, points and queries already in z-order, else the same"),
    "scipy": Engine("scipy", False, lambda: scipy_knn(),
                    "cKDTree, its defaults (leaf 16), input order; workers = threads; "
                    "works in double; as on PyPI; 64-bit indices"),
    "scipy-tuned": Engine("scipy", True,
                          lambda: scipy_knn(balanced_tree=False, compact_nodes=False),
                          "balanced_tree=False, compact_nodes=False, points and queries already "
                          "in z-order, else the same"),
    "hfof": Engine("hfof", False, hfof_labels, "converted to double; one thread; only where it is installed"),
    "dbscan": Engine("scikit-learn", False, dbscan_labels,
                     "scikit-learn's DBSCAN, min_samples=1, n_jobs = threads; as on PyPI"),
    "sklearn-dbscan": Engine("scikit-learn", False, dbscan_core_labels,
                             "scikit-learn's DBSCAN, n_jobs = threads; as on PyPI"),
    "scipy-fof": Engine("scipy", False, scipy_labels,
                        "cKDTree.query_pairs and connected_components; as on PyPI"),
    "scipy-ball": Engine("scipy", False, scipy_balls,
                         "cKDTree.query_ball_point, workers = threads; lists without order and distances; works in "
                         "double; as on PyPI"),
    "scipy-pairs": Engine("scipy", False, scipy_pairs,
                          "cKDTree.count_neighbors, one thread; works in double; as on PyPI"),
    "corrfunc": Engine("Corrfunc", False, corrfunc_pairs,
                       "theory.DD, nthreads = threads; only where it is installed"),
    "delaunay": Engine("scipy", False, delaunay_lengths,
                       "Delaunay and minimum_spanning_tree, one thread; as on PyPI"),
    "mlpack": Engine("mlpack", False, mlpack_lengths,
                     "emst, its defaults; converted to double; one thread; only where it is installed"),
    "fast-hdbscan": Engine("fast_hdbscan", False, fast_hdbscan_lengths,
                           "compute_minimum_spanning_tree, NUMBA_NUM_THREADS = threads; only where it is "
                           "installed"),
}
FOF = ("hfof", "dbscan", "scipy-fof")
RADIUS = ("scipy-ball",)
DBSCAN = ("sklearn-dbscan",)
PAIRS = ("scipy-pairs", "corrfunc")
EMST = ("delaunay", "mlpack", "fast-hdbscan")  # the others are kNN
MODULES = {"scikit-learn": "sklearn"}  # packages that are imported by another name


def report(name, build, query):
    print(json.dumps({"engine": name, "build": build, "query": query,
                      "version": importlib.metadata.version(ENGINES[name].package)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--k", type=int, help="neighbours; of trees and DBSCAN, min_samples")
    for option in ("dim", "threads"):
        parser.add_argument("--" + option, type=int, required=True)
    parser.add_argument("--real", choices=("float", "double"), required=True)
    o = parser.parse_args()
    for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):  # before such a library is loaded
        os.environ[variable] = str(o.threads)
    import numpy as np

    engine = ENGINES[o.engine]
    run = engine.prepare()
    real = np.float32 if o.real == "float" else np.float64

    if o.engine in EMST:
        rows = np.fromfile(o.folder / "sources", real).reshape(-1, o.dim)
        run(rows[:1000].copy(), o.k, o.threads)
        start = time.perf_counter()
        lengths = run(rows, o.k, o.threads)
        seconds = time.perf_counter() - start
        np.sort(lengths).astype(real).tofile(o.folder / (o.engine + ".lengths"))
        return report(o.engine, 0, seconds)
    if o.engine in FOF + DBSCAN:
        rows = np.fromfile(o.folder / "sources", real).reshape(-1, o.dim)
        length = float(np.fromfile(o.folder / "length")[0])
        more = (o.k,) if o.engine in DBSCAN else ()
        run(rows[:1000].copy(), length, o.threads, *more)
        start = time.perf_counter()
        labels = run(rows, length, o.threads, *more)
        seconds = time.perf_counter() - start
        np.asarray(labels, np.int64).tofile(o.folder / (o.engine + ".labels"))
        return report(o.engine, 0, seconds)

    if o.engine in PAIRS:
        rows = np.fromfile(o.folder / "sources", real).reshape(-1, o.dim)
        edges = np.fromfile(o.folder / "edges")
        run(rows[:1000].copy(), edges, o.threads)
        start = time.perf_counter()
        counts = run(rows, edges, o.threads)
        seconds = time.perf_counter() - start
        np.asarray(counts, np.int64).tofile(o.folder / (o.engine + ".counts"))
        return report(o.engine, 0, seconds)

    if o.engine in RADIUS:
        rows = np.fromfile(o.folder / "sources", real).reshape(-1, o.dim)
        length = float(np.fromfile(o.folder / "length")[0])
        run(rows[:1000].copy(), length, o.threads)
        start = time.perf_counter()
        lists = run(rows, length, o.threads)
        seconds = time.perf_counter() - start
        sizes = np.fromiter((len(row) for row in lists), np.int64, len(lists))
        np.concatenate([[0], np.cumsum(sizes)]).tofile(o.folder / (o.engine + ".offsets"))
        return report(o.engine, 0, seconds)

    def points(name):
        """Points as the engine gets them, and their rows in the file."""
        rows = np.fromfile(o.folder / name, real).reshape(-1, o.dim)
        order = np.arange(len(rows))
        if engine.in_z_order:
            order = np.fromfile(o.folder / (name + ".order"), np.uint32)
        return rows[order], order

    sources, source_row = points("sources")
    queries, query_row = sources, source_row
    if (o.folder / "queries").exists():
        queries, query_row = points("queries")
    run(sources[:1000].copy(), queries[:1000].copy(), min(o.k, len(sources), 1000), o.threads)
    build, query, distance, index = run(sources, queries, o.k, o.threads)

    last = (distance, index) if o.k == 1 else (distance[:, -1], index[:, -1])
    kth_distance, kth_index = np.empty(len(queries), real), np.empty(len(queries), np.int64)
    kth_distance[query_row], kth_index[query_row] = last[0], source_row[last[1]]
    kth_distance.tofile(o.folder / (o.engine + ".distance"))
    kth_index.tofile(o.folder / (o.engine + ".index"))
    report(o.engine, build, query)


if __name__ == "__main__":
    main()
