#!/usr/bin/env python3
"""Compares the total length of zwalk's spanning trees with that of trees that others find.

    bench/emst_weight.py [--program build/bin/zwalk] [--points 1e5 1e6] [--kinds uniform clustered ...]

The others: SciPy (Kruskal on the edges of a Delaunay triangulation, which hold the tree; 2 and 3 dimensions) and
mlpack (dual-tree Boruvka). Lengths are computed in double precision from the edges, and summed exactly. Packages:
scripts/setup-packages --bench, then run by .venv/bin/python. Exit code 1 if a pair differs by more than 1e-9.
"""
import argparse
import itertools
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

LIMIT = 1e-9  # relative


def total(points, edges):
    """The sum of the lengths of edges, in double precision."""
    a, b = points[edges[:, 0]].astype(float), points[edges[:, 1]].astype(float)
    return math.fsum(np.sqrt(((a - b) ** 2).sum(axis=1)))


def by_zwalk(program, points, folder):
    np.save(folder / "points.npy", points)
    subprocess.run([program, "emst", folder / "points.npy", "-o", folder / "tree", "--quiet", "--force"], check=True)
    return np.load(folder / "tree" / "edges.npy")


def by_scipy(points):
    import scipy.sparse
    import scipy.spatial

    corners = scipy.spatial.Delaunay(points).simplices
    pairs = np.concatenate([corners[:, [i, j]] for i, j in itertools.combinations(range(corners.shape[1]), 2)])
    pairs.sort(axis=1)
    pairs = np.unique(pairs[:, 0].astype(np.int64) * len(points) + pairs[:, 1])
    i, j = pairs // len(points), pairs % len(points)
    lengths = np.linalg.norm(points[i] - points[j], axis=1)
    graph = scipy.sparse.coo_matrix((lengths, (i, j)), shape=(len(points),) * 2)
    tree = scipy.sparse.csgraph.minimum_spanning_tree(graph.tocsr()).tocoo()
    return np.stack([tree.row, tree.col], axis=1)


def by_mlpack(points):
    import mlpack

    return mlpack.emst(input_=points)["output"][:, :2].astype(np.int64)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bin/zwalk")
    parser.add_argument("--points", nargs="+", type=float, default=[1e5, 1e6])
    parser.add_argument("--dims", nargs="+", type=int, default=[2, 3])
    parser.add_argument("--kinds", nargs="+", default=["uniform", "normal", "clustered", "halton"])
    parser.add_argument("--others", nargs="+", choices=["scipy", "mlpack"], default=["scipy", "mlpack"])
    o = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="emst-weight-") as name:
        folder = pathlib.Path(name)
        for count, dim, kind in itertools.product(o.points, o.dims, o.kinds):
            subprocess.run([o.program, "generate", kind, f"{int(count)}", f"{dim}", "--dtype", "f8", "--seed", "1",
                            "-o", folder / "input.npy", "--force"], check=True, stdout=subprocess.DEVNULL)
            points = np.load(folder / "input.npy")
            ours = total(points, by_zwalk(o.program, points, folder))
            for other in o.others:
                start = time.monotonic()
                edges = by_scipy(points) if other == "scipy" else by_mlpack(points)
                seconds = time.monotonic() - start
                if len(edges) != len(points) - 1:  # a triangulation leaves points out that are nearly equal
                    print(f"{kind} {count:g} {dim}-D: {other} has {len(edges)} edges, no tree", flush=True)
                    continue
                theirs = total(points, edges)
                difference = abs(ours - theirs) / theirs
                failed += difference > LIMIT
                print(f"{kind} {count:g} {dim}-D: {ours:.12g}, {other} {theirs:.12g}, "
                      f"difference {difference:.1e} ({seconds:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
