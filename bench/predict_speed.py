"""Times predictions of new points by HDBSCAN* models, and the hdbscan package's on fewer points.

    PYTHONPATH=build/python .venv/bin/python bench/predict_speed.py [POINTS [QUERIES [THREADS]]]

Printed are CPU seconds of the whole process, so that the figures mean the same on a busy machine; on two threads a free machine
takes about half of zwalk's. (Processes that hdbscan starts for core distances aren't counted.) Both are asked a tenth of the queries, of a tenth of
the points.
"""
import sys
import time

import numpy as np
import zwalk

try:
    import hdbscan
except ImportError:
    hdbscan = None

size, asked, threads = (int(float(a)) for a in (sys.argv[1:] + ["1e6", "1e5", "2"][len(sys.argv) - 1:]))
min_cluster_size, min_samples = 50, 15


def points(n, seed):
    """50 round clusters of different widths, and a tenth of noise."""
    centres = np.random.default_rng(1).uniform(0, 100, (50, 3))
    rng = np.random.default_rng(seed)
    x = centres[rng.integers(50, size=n)] + rng.uniform(0.5, 3, (n, 1)) * rng.normal(size=(n, 3))
    noise = rng.random(n) < 0.1
    x[noise] = rng.uniform(0, 100, (noise.sum(), 3))
    return x


def timed(work):
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def main():
    print(f"{threads} threads, min_cluster_size {min_cluster_size}, min_samples {min_samples}; CPU seconds\n")
    print("| points | queries | dtype | engine | fit | predict | one query alone |\n| --- | --- | --- | --- | --- | --- | --- |")
    labels = {}

    def show(n, m, dtype, engine, fit, predict):
        x, q = points(n, 2).astype(dtype), points(m, 3).astype(dtype)
        model, fitted = timed(lambda: fit(x))
        labels[engine, n], took = timed(lambda: predict(model, q))
        some = min(m, 200)
        _, alone = timed(lambda: [predict(model, q[i:i + 1]) for i in range(some)])
        print(f"| {n} | {m} | {dtype} | {engine} | {fitted:.3g} | {took:.3g} | {alone / some:.2g} |", flush=True)

    def ours(x):
        return zwalk.HdbscanModel(x, min_cluster_size, min_samples=min_samples, threads=threads)

    for n, m in ((size, asked), (size // 10, asked // 10)):
        for dtype in ("f4", "f8"):
            show(n, m, dtype, "zwalk", ours, lambda model, q: model.predict(q).labels)
    if hdbscan:
        show(size // 10, asked // 10, "f8", "hdbscan",
             lambda x: hdbscan.HDBSCAN(min_cluster_size, min_samples=min_samples - 1, prediction_data=True,
                                       approx_min_span_tree=False, core_dist_n_jobs=threads).fit(x),
             lambda model, q: hdbscan.approximate_predict(model, q)[0])
        a, b = labels["zwalk", size // 10] >= 0, labels["hdbscan", size // 10] >= 0
        print(f"\nnoise in both or in neither: {(a == b).mean():.4f} of the queries")


main()
