"""pytreegrav (pip install pytreegrav) on points that bench_gravity --write left: seconds, and errors against direct sums.

    bench_gravity 1e5 1e-3 1 plummer --write FOLDER
    gravity_peer.py FOLDER [--theta 0.7] [--softening 0.001] [--repeats 3] [--samples 500]

Its softening is a spline's, of compact support, so with --softening errors of both are those of their own force. It is
compiled by numba at the first call, which isn't counted; OMP_NUM_THREADS and NUMBA_NUM_THREADS say how many threads there are.
"""
import argparse
import pathlib
import time

import numpy as np
import pytreegrav

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--theta", type=float, default=.7)
parser.add_argument("--softening", type=float, default=.001)
parser.add_argument("--repeats", type=int, default=3)
parser.add_argument("--samples", type=int, default=500, help="points whose errors are looked at")
parser.add_argument("--serial", action="store_true")
parser.add_argument("--quadrupole", action="store_true")
options = parser.parse_args()

x = np.load(options.folder / "points.npy").astype("f8")
m = np.load(options.folder / "masses.npy")
h = np.full(len(x), 2.8 * options.softening)  # the same potential in the middle as Plummer's


def solve(n):
    return pytreegrav.Accel(x[:n], m[:n], softening=h[:n], theta=options.theta, method="tree", tree=None,
                            parallel=not options.serial, quadrupole=options.quadrupole)


solve(2000)
for _ in range(options.repeats):
    start, cpu_start = time.perf_counter(), time.process_time()
    a = solve(len(x))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    rows = np.arange(0, len(x), max(1, len(x) // options.samples))
    errors = []
    for i in rows:
        d = x - x[i]
        r2 = (d * d).sum(1)
        far = r2 > (2.8 * options.softening) ** 2  # points nearer than that are softened in ways of their own
        if not far.sum() == len(x) - 1:
            continue
        exact = (m[far] / r2[far] ** 1.5) @ d[far]
        errors.append(np.linalg.norm(a[i] - exact) / np.linalg.norm(exact))
    median, tail = np.percentile(errors, [50, 99])
    print(f"pytreegrav, theta {options.theta}: {seconds:.3f} s, of CPUs {cpu:.3f}; accelerations: median {median:.1e}, 99 % {tail:.1e}, "
          f"largest {max(errors):.1e} (of {len(errors)} points)")
