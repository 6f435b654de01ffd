"""Times small calls of zwalk.KDTree beside SciPy's cKDTree: microseconds a call takes whatever it finds.

    PYTHONPATH=build/python .venv/bin/python bench/python_calls.py [N ...]

N points, uniform in a cube, in float64; 20 of them are within the radius. Both engines take turns, and the least of nine is
printed: of calls this short other programs can only make more.
"""
import sys
import time

import numpy as np
import zwalk
from scipy.spatial import cKDTree

ROUNDS = 9


def calls(n, rng):
    """Of each call: its name, and what makes it, of both kinds of trees and of ten of their points."""
    x, r = rng.random((n, 3)), (20 / n / 4.19) ** (1 / 3)
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
    rng = np.random.default_rng(1)
    for n in [int(float(a)) for a in sys.argv[1:]] or [1000, 10_000, 100_000]:
        print(f"\n{n} points{'':34}  zwalk us   SciPy us   SciPy / zwalk")
        for name, both in calls(n, rng):
            ours, theirs = (min(each) for each in zip(*[[seconds(call) for call in both] for _ in range(ROUNDS)]))
            print(f"  {name:44} {ours * 1e6:9.1f}  {theirs * 1e6:9.1f}  {theirs / ours:9.2f}", flush=True)


if __name__ == "__main__":
    main()
