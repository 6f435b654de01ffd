"""Times small calls of zwalk.KDTree beside SciPy's cKDTree: microseconds a call takes whatever it finds.

    PYTHONPATH=build/python .venv/bin/python bench/python_calls.py [--rows TEXT] [N ...]

N points, uniform in a cube, in float64; 20 of them are within the radius. Then longer calls, for at most 10 000 of the points: those
for which SciPy or scikit-learn (where a row names it) were seen to be about as fast, or faster. Both engines take turns, and the
least of nine is printed: of calls this short other programs can only make more. --rows: only rows with that text in their names.
"""
import argparse
import itertools
import pickle
import time

import numpy as np
import zwalk
import zwalk.sklearn
from scipy.spatial import cKDTree
from sklearn.neighbors import KDTree as SklearnTree
from sklearn.neighbors import NearestNeighbors

ROUNDS = 9
MOST = 10_000  # points of longer calls: a round of all of them takes seconds


def calls(n, rng):
    """Of each call: its name, and what makes it, of both kinds of trees and of ten of their points."""
    x, r = rng.random((n, 3)), radius_for(20, n)
    point, ten, many = x[5], x[:10], rng.random((1000, 3))
    radii = rng.random(1000) * r
    trees = [kind(x) for kind in (zwalk.KDTree, cKDTree)]
    periodic = [kind(x, boxsize=1) for kind in (zwalk.KDTree, cKDTree)]
    small = [kind(ten.copy()) for kind in (zwalk.KDTree, cKDTree)]
    yield "query, one point", [lambda t=t: t.query(point) for t in trees]
    yield "query, one point, a list", [lambda t=t: t.query(point.tolist()) for t in trees]
    yield "query, one point, k = 8", [lambda t=t: t.query(point, 8) for t in trees]
    yield "query, one point, periodic", [lambda t=t: t.query(point) for t in periodic]
    yield "query_ball_point, one point", [lambda t=t: t.query_ball_point(point, r) for t in trees]
    yield "query_ball_point, one point, periodic", [lambda t=t: t.query_ball_point(point, r) for t in periodic]
    yield "query_ball_point, its length", [lambda t=t: t.query_ball_point(point, r, return_length=True) for t in trees]
    yield "query_ball_point, ten points", [lambda t=t: t.query_ball_point(ten, r) for t in trees]
    yield "query_ball_point, 1000 points", [lambda t=t: t.query_ball_point(many, r) for t in trees]
    yield "query_ball_point, 1000 points, a radius each", [lambda t=t: t.query_ball_point(many, radii) for t in trees]
    yield "data[5]", [lambda t=t: t.data[5] for t in trees]
    yield "count_neighbors of ten points", [lambda t=t, s=s: t.count_neighbors(s, r) for t, s in zip(trees, small)]
    yield "count_neighbors of itself, all pairs", [lambda t=t: t.count_neighbors(t, 2.) for t in trees]
    yield "sparse_distance_matrix with ten points", [
        lambda t=t, s=s: t.sparse_distance_matrix(s, r, output_type="ndarray") for t, s in zip(trees, small)]
    yield "build", [lambda kind=kind: kind(x) for kind in (zwalk.KDTree, cKDTree)]


def radius_for(found, n):
    """Within which so many of n points are."""
    return (found / n / 4.19) ** (1 / 3)


def longer_calls(n, rng):
    """As `calls`: of many points, and whose time goes into what is made of the results."""
    n = min(n, MOST)
    x, r = rng.random((n, 3)), radius_for(20, n)
    radii, spacing = rng.random(n) * r, n ** (-1 / 3)
    trees = [kind(x) for kind in (zwalk.KDTree, cKDTree)]
    ours, sklearn_s = trees[0], SklearnTree(x)
    models = [kind().fit(x) for kind in (zwalk.sklearn.NearestNeighbors, NearestNeighbors)]
    thousand = x[:1000]
    of_thousand = [kind(thousand) for kind in (zwalk.KDTree, cKDTree)]
    yield "query, all of 1000 points, k = 16", [lambda t=t: t.query(thousand, 16) for t in of_thousand]
    yield "knn of 1000 points, build and query", [lambda: zwalk.knn(thousand, k=16), lambda: cKDTree(thousand).query(thousand, 16)]
    yield "query, all, k = 32 within the spacing", [lambda t=t: t.query(x, 32, distance_upper_bound=spacing) for t in trees]
    yield "query, all, k = 1 within a tenth of it", [lambda t=t: t.query(x, distance_upper_bound=spacing / 10) for t in trees]
    yield "query, all far outside", [lambda t=t: t.query(x + 5) for t in trees]
    for many in (3, 30, 100, 300):
        yield f"query_ball_point, {many} points", [lambda t=t: t.query_ball_point(x[:many], r) for t in trees]
    yield "query_ball_point, all, a radius each", [lambda t=t: t.query_ball_point(x, radii) for t in trees]
    yield "the same, their lengths", [lambda t=t: t.query_ball_point(x, radii, return_length=True) for t in trees]
    for found in (0.1, 200):
        near = radius_for(found, n)
        yield f"query_ball_point, all, {found} each", [lambda t=t: t.query_ball_point(x, near) for t in trees]
        yield f"the same, scikit-learn's arrays, {found} each", [
            lambda: ours.query_ball_point(x, near), lambda: sklearn_s.query_radius(x, near)]
        yield f"radius, {found} each, scikit-learn's query_radius", [
            lambda: ours.radius(near, x, distances=False), lambda: sklearn_s.query_radius(x, near)]
        for wanted in (False, True):
            yield f"radius_neighbors{', distances' * wanted}, {found} each", [
                lambda m=m: m.radius_neighbors(x, near, return_distance=wanted) for m in models]
    for kind in ("set", "ndarray"):
        yield f"query_pairs, {kind}", [lambda t=t: t.query_pairs(r, output_type=kind) for t in trees]
    yield "sparse_distance_matrix, dict", [lambda t=t: t.sparse_distance_matrix(t, r, output_type="dict") for t in trees]
    yield "pickled and back", [lambda t=t: pickle.loads(pickle.dumps(t)) for t in trees]
    yield "build, ten points", [lambda kind=kind: kind(x[:10]) for kind in (zwalk.KDTree, cKDTree)]


def seconds(call):
    """The least time of a call, of as many as take some 10 ms together."""
    begin = time.perf_counter()
    call()
    many = max(1, int(0.01 / max(time.perf_counter() - begin, 1e-7)))
    begin = time.perf_counter()
    for _ in range(many):
        call()
    return (time.perf_counter() - begin) / many


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", nargs="*", type=float, default=[1000, 10_000, 100_000])
    parser.add_argument("--rows", default="")
    asked = parser.parse_args()
    rng = np.random.default_rng(1)
    for n in map(int, asked.n):
        print(f"\n{n} points{'':38}  zwalk us   SciPy us   SciPy / zwalk")
        for name, both in itertools.chain(calls(n, rng), longer_calls(n, rng)):
            if asked.rows not in name:
                continue
            ours, theirs = (min(each) for each in zip(*[[seconds(call) for call in both] for _ in range(ROUNDS)]))
            print(f"  {name:48} {ours * 1e6:9.1f}  {theirs * 1e6:9.1f}  {theirs / ours:9.2f}", flush=True)


if __name__ == "__main__":
    main()
