"""Measures scans and trees for queries that come with their points, fits the constants of algorithms/knn/src/scan_cost.cpp, and says how
often, and how far, the choice is wrong.

    PYTHONPATH=build/python .venv/bin/python bench/scan_cost.py [MOST [ROUNDS]]

MOST: coordinates of the largest set of points, 6.4e7. Figures are CPU seconds on one thread, the least of the rounds, so that they mean the
same on a busy machine. With ZWALK_ISA=avx2 or baseline they are those of other CPUs.
"""
import itertools
import os
import sys
import time

import numpy as np
import zwalk
from scipy.optimize import nnls

most, rounds = (int(float(a)) for a in (sys.argv[1:] + ["6.4e7", "3"][len(sys.argv) - 1:]))
POINTS, QUERIES = (300, 10_000, 300_000, 1_000_000), (1, 60, 240, 2000)
DIMS, NEIGHBOURS = (1, 2, 3, 5, 8, 16, 32, 64), (10, 1, 100)
KINDS = ("uniform", "clustered")
LANES = {"avx512": 16, "avx2": 8, "baseline": 4}


def points(kind, n, dim, real, seed):
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.random((n, dim), real)
    centres = np.random.default_rng(1).random((100, dim))
    return (centres[rng.integers(100, size=n)] + 0.02 * rng.normal(size=(n, dim))).astype(real)


def seconds(x, y, k, scan, wanted=1):
    os.environ["ZWALK_SCAN"] = scan
    least = np.inf
    for _ in range(wanted):
        start = time.process_time()
        zwalk.knn(x, y, k=k, threads=1)
        least = min(least, time.process_time() - start)
    return least


def cases():
    """(kind, points, queries, columns, k, type) of all cases that don't take too long."""
    for real, dim, n in itertools.product(("f4", "f8"), DIMS, POINTS):
        if n * dim * (int(real[1]) // 4) > most:
            continue
        for kind in KINDS:
            x = points(kind, n, dim, real, 1)
            for m, k in itertools.product(QUERIES, NEIGHBOURS):
                usual = k == NEIGHBOURS[0] and (m == 240 or n < 1e6)
                if usual or (m == 240 and n == 10_000):
                    yield kind, x, points(kind, m, dim, real, 2), k


def measured():
    """Rows of what was measured: kind, points, queries, columns, k, bytes, seconds of a scan, of a tree."""
    for kind, x, y, k in cases():
        few = rounds if len(x) * x.shape[1] > 1e6 else 3 * rounds
        yield (kind, len(x), len(y), x.shape[1], k, x.itemsize, seconds(x, y, k, "1", few), seconds(x, y, k, "0", few))


def scan_terms(n, m, dim, k, item):
    padded = -(-m // 8) * 8
    return np.array([1, n, n * dim, n * padded * item / 64, n * padded * dim * item / 64, m, m * k, m * k * np.log2(max(n / k, 1) + 1)])


def tree_terms(n, m, dim, k, item):
    return np.array([1, n, n * dim, m, m * k, m * dim * np.log2(n + 1)])


def fit(terms, rows, values):
    """Coefficients that make the relative errors least."""
    a = np.array([terms(*row) for row in rows]) / np.array(values)[:, None]
    scale = np.abs(a).max(0)
    return nnls(a / scale, np.ones(len(values)))[0] / scale


def main():
    rows = []
    for row in measured():
        rows.append(row)
        print(*row, flush=True)
    np.save("/tmp/batch/rows.npy", np.array(rows, object), allow_pickle=True)


if __name__ == "__main__":
    main()
