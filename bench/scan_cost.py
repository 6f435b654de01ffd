"""Measures scans and trees for queries that come with their points, fits the constants of algorithms/knn/src/scan_cost.cpp, and says how
far a choice by these would be from the best one.

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

most, rounds = (int(float(a)) for a in (sys.argv[1:] + ["6.4e7", "1"][len(sys.argv) - 1:]))
POINTS, QUERIES = (300, 10_000, 300_000, 1_000_000), (1, 60, 240, 2000)
DIMS, NEIGHBOURS = (1, 2, 3, 5, 8, 16, 32, 64), (10, 1, 100)
SCAN = ("begin_scan", "transpose", "pair", "pair_axis", "settle")
TREE = ("begin_tree", "sort_point", "sort_axis", "ask", "met_axis")


def points(kind, n, dim, real, seed):
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.random((n, dim), real)
    centres = np.random.default_rng(1).random((100, dim))
    return (centres[rng.integers(100, size=n)] + 0.02 * rng.normal(size=(n, dim))).astype(real)


def cases():
    """Points, queries and k of all cases: with the usual k all sizes, with others one."""
    for real, dim, n, kind in itertools.product(("f4", "f8"), DIMS, POINTS, ("uniform", "clustered")):
        if n * dim * np.dtype(real).itemsize / 4 > most:
            continue
        x = points(kind, n, dim, real, 1)
        for m, k in itertools.product(QUERIES, NEIGHBOURS):
            if (k == NEIGHBOURS[0] and (m == 240 or n < 1e6)) or (m == 240 and n == 10_000):
                yield f"{kind} {n} x {dim} {real}, {m} queries, k = {k}", x, points(kind, m, dim, real, 2), k


def seconds(x, y, k, scan):
    os.environ["ZWALK_SCAN"] = scan
    least = np.inf
    for _ in range(rounds if x.size > 1e6 else 3 * rounds):
        start = time.process_time()
        zwalk.knn(x, y, k=k, threads=1)
        least = min(least, time.process_time() - start)
    return least


def share_near(x, y):
    """As algorithms/knn/src/share_near.cpp has it, by other samples."""
    x, y = x[::-(-len(x) // 4096)].astype("f8"), y[::-(-len(y) // 16)]
    d2 = np.sort([((x - q) ** 2).sum(1) for q in y], axis=1)
    return (d2 <= 2.25 * d2[:, 1:2]).mean()


def terms(x, y, k, near):
    """What the constants are multiplied by, of a scan and of a tree."""
    (n, dim), m, real = x.shape, len(y), x.itemsize / 4
    padded = -(-m // 8) * 8
    return ([1, n * dim * real, n * padded * real, n * padded * dim * real, m * k],
            [1, n, n * dim * np.log2(n + 1), m * (k + dim), m * n * near ** 0.5 * (dim + 6) * real])


def fit(a, measured):
    """Constants, none of them negative, for the least relative errors; far outliers count less."""
    a = np.array(a) / measured[:, None]
    scale, weight = a.max(0), np.ones(len(a))
    for _ in range(6):
        found = nnls(a / scale * weight[:, None], weight)[0] / scale
        weight = 1 / np.maximum(0.3, abs(np.log(np.maximum(a @ found, 1e-9))))
    return found


def main():
    names, a, measured = [], ([], []), ([], [])
    for name, x, y, k in cases():
        names.append(name)
        for way, row in enumerate(terms(x, y, k, share_near(x, y))):
            a[way].append(row)
            measured[way].append(seconds(x, y, k, "10"[way]))
        print(f"{name}: scan {measured[0][-1]:.3g} s, tree {measured[1][-1]:.3g} s", flush=True)
    scan, tree = (np.array(s) for s in measured)
    predicted = []
    for constants, rows, found in zip((SCAN, TREE), a, (scan, tree)):
        values = fit(rows, found)
        predicted.append(np.array(rows) @ values)
        print("\n".join(f"{c} = {v:.2g}" for c, v in zip(constants, values)))
    loss = np.where(predicted[0] <= predicted[1], scan, tree) / np.minimum(scan, tree)
    print(f"chosen / best: above 1.3 in {np.mean(loss > 1.3):.1%} of {len(loss)} cases; the worst ones:")
    for i in np.argsort(-loss)[:10]:
        print(f"{loss[i]:.2f}  {names[i]}")


main()
