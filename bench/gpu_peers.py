"""Other programs on the GPU that bench_cuda was run on, and SciPy on all cores; prints lines as bench_cuda's.

    python3 bench/gpu_peers.py [--points-scale F] [--only jztree,cupy,lbvh,scipy]

Builds nothing: jz-tree (jztree, jztree-cu13, with JAX), CuPy, cupy-knn and SciPy are used where they can be imported, and what can't
run is said in a line. Points are uniform float32 in a cube of 1, as bench_cuda's are, but others. What JIT compilers take is in the first
run, which isn't counted. Each program runs in a process of its own, so that it has the GPU's memory to itself.
"""
import argparse
import os
import subprocess
import sys
import time

import numpy as np


def best(name, points, setting, run, repeats=3):
    """Prints the fastest of `repeats` runs after one more, or why there is none."""
    try:
        run()
        seconds = []
        for _ in range(repeats):
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
        print(f"best peer {name} points={points} {setting} seconds={min(seconds):.5f}", flush=True)
    except Exception as error:  # whatever it is, the next ones are tried
        print(f"FAILED peer {name} points={points} {setting}: {type(error).__name__}: {str(error)[:200]}", flush=True)


def jztree(scaled):
    import jax
    from jztree.data import ParticleData
    from jztree.fof import fof_and_catalogue, fof_labels
    from jztree.knn import knn

    def uniform(n, seed):
        return jax.block_until_ready(jax.random.uniform(jax.random.PRNGKey(seed), (n, 3), dtype=np.float32))

    wait = jax.block_until_ready
    for n in map(scaled, (10**6, 10**7, 10**8)):
        x = uniform(n, 1)
        best("jztree knn self z", n, "k=16", lambda: wait(knn.jit(x, k=16, output_order="z")))
    for n in map(scaled, (10**6, 10**7)):
        x, queries = uniform(n, 1), uniform(n, 2)
        best("jztree knn separate", n, "k=30", lambda: wait(knn.jit(x, k=30, part_query=queries)))
    n = scaled(512**3)
    x, link = uniform(n, 1), .2 * n**(-1 / 3)
    best("jztree fof z", n, "b=0.2", lambda: wait(fof_labels.jit(x, rlink=link)))
    best("jztree fof catalogue", n, "b=0.2", lambda: wait(fof_and_catalogue.jit(ParticleData(pos=x), rlink=link)))


def cupy(scaled):
    import cupy
    from cupyx.scipy.spatial import KDTree

    n = scaled(10**6)
    x = cupy.random.default_rng(1).random((n, 3), dtype=np.float32)

    def run():
        KDTree(x).query(x, k=16)
        cupy.cuda.Device().synchronize()
    best("cupy kdtree knn self", n, "k=16", run)


def lbvh(scaled):  # J. Jakob, M. Guthe 2021
    import cupy
    from cupy_knn import LBVHIndex

    n = scaled(10**6)
    x = cupy.random.default_rng(1).random((n, 3), dtype=np.float32)
    index = LBVHIndex()

    def run():
        index.build(x)
        index.query_knn(x)
        cupy.cuda.Device().synchronize()

    try:
        index.prepare_knn_default(16)
    except Exception as error:
        print(f"FAILED peer cupy-knn: {type(error).__name__}: {str(error)[:200]}", flush=True)
    else:
        best("cupy-knn knn self", n, "k=16", run)


def scipy(scaled):
    from scipy.spatial import cKDTree

    n = scaled(10**6)
    x = np.random.default_rng(1).random((n, 3), dtype=np.float32)
    best("scipy ckdtree knn self", n, f"k=16 cores={os.cpu_count()}", lambda: cKDTree(x).query(x, 16, workers=-1), 1)


peers = {"jztree": (jztree, 120), "cupy": (cupy, 40), "lbvh": (lbvh, 40), "scipy": (scipy, 40)}  # with their seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points-scale", type=float, default=1, help="times all numbers of points; at least 1000 are left")
    parser.add_argument("--only", default=",".join(peers))
    parser.add_argument("--here", action="store_true", help="in this process")
    options = parser.parse_args()
    names = options.only.split(",")
    if unknown := set(names) - set(peers):
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    if not options.here:
        # JAX would take three quarters of the GPU's memory, which 1e8 points don't fit into.
        settings = {"XLA_PYTHON_CLIENT_MEM_FRACTION": ".9", "PYTHONUNBUFFERED": "1"} | os.environ
        for name in names:
            words = [sys.executable, __file__, "--here", "--only", name, "--points-scale", str(options.points_scale)]
            try:
                status = subprocess.run(words, env=settings, timeout=peers[name][1]).returncode
            except subprocess.TimeoutExpired:
                status = f"more than {peers[name][1]} s"
            if status:
                print(f"FAILED peer {name}: {status}", flush=True)
        return
    for name in names:
        try:
            peers[name][0](lambda n: min(n, max(1000, round(options.points_scale * n))))
        except ImportError as error:
            print(f"FAILED peer {name}: not there ({str(error)[:200]})", flush=True)


if __name__ == "__main__":
    main()
