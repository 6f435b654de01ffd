"""The traits of examples/traits beside SciPy and scikit-learn, on the same points: CPU seconds, and by how much results differ.

    traits_peers.py build/bin/bench_traits [--points 1e5] [--kinds uniform clustered] [--tasks hausdorff ...] [--repeats 3]

All use one thread. Seconds run from points in memory to results in memory, user and system time of the process, the least of all
repeats. Peers are cKDTree (hausdorff, and neighbours with sums by NumPy for sph_density) and KernelDensity, which is asked for
every tenth density; its seconds are ten times those. Errors of densities are looked at for 500 points.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import scipy
import scipy.spatial
import sklearn
from sklearn.neighbors import KernelDensity

LENGTH = .05  # of the kernel


def hausdorff(folder, _):
    targets, sources = (np.fromfile(folder / name).reshape(-1, 3) for name in ("targets", "sources"))
    return 1, lambda: scipy.spatial.cKDTree(sources).query(targets)[0].max()


def sph_density(folder, _):
    points = np.fromfile(folder / "points").reshape(-1, 3)

    def solve():
        r = scipy.spatial.cKDTree(points).query(points, k=32)[0]
        h = r[:, -1:].copy()
        r /= h
        return (21 / (2 * math.pi) / h ** 3 * (1 - r) ** 4 * (1 + 4 * r)).sum(1)
    return 1, solve


def kernel_density(folder, error):
    points = np.fromfile(folder / "points").reshape(-1, 2)
    norm = 1 / (2 * math.pi * LENGTH ** 2)  # a density is this times a mean kernel

    def solve():
        kde = KernelDensity(bandwidth=LENGTH, atol=error * norm, rtol=0).fit(points)
        return np.exp(kde.score_samples(points[::10])) / norm
    return 10, solve


peers = {"hausdorff": hausdorff, "kernel_density": kernel_density, "sph_density": sph_density}


def exact_means(folder, rows):
    points = np.fromfile(folder / "points").reshape(-1, 2)
    return np.array([np.exp(-((points - points[i]) ** 2).sum(1) / (2 * LENGTH ** 2)).mean() for i in rows])


def difference(task, folder, ours, peer, error):
    """How far results are apart, in words."""
    if task != "kernel_density":
        return f"results differ by {np.max(np.abs(ours - peer) / np.abs(peer)):.0e} of them"
    rows = np.arange(0, len(ours), max(10, len(ours) // 5000 * 10))
    exact = exact_means(folder, rows)
    off = [np.max(np.abs(found - exact)) / error for found in (ours[rows], peer[rows // 10])]
    return f"of the error allowed {off[0]:.3f} and {off[1]:.3f} are there"


def run(options, task, kind, error):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [options.program, task, str(options.points), "1", kind, str(options.repeats), "--write", name,
                   "--error", str(error)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        own = min(float(line.split()[0].removeprefix("cpu=")) for line in lines)
        scale, solve = peers[task](folder, error)
        seconds = []
        for _ in range(options.repeats):
            start = time.process_time()
            found = solve()
            seconds.append(scale * (time.process_time() - start))
        words = difference(task, folder, np.fromfile(folder / "result"), found, error)
    what = f"{task} {error:g}" if task == "kernel_density" else task
    print(f"{what:22} {options.points:g} {kind:10} zwalk {own:7.3f}  peer {min(seconds):7.2f}  {min(seconds) / own:5.1f} x  {words}",
          flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path, help="bench_traits")
    parser.add_argument("--points", type=float, default=1e5)
    parser.add_argument("--kinds", nargs="+", default=["uniform", "clustered"])
    parser.add_argument("--tasks", nargs="+", choices=peers, default=list(peers))
    parser.add_argument("--errors", nargs="+", type=float, default=[1e-2, 1e-3, 1e-4], help="allowed in kernel densities")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}; CPU seconds, one thread")
    for task in options.tasks:
        for error in options.errors if task == "kernel_density" else [0]:
            for kind in options.kinds:
                run(options, task, kind, error)


main()
