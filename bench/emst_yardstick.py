#!/usr/bin/env python3
"""Spanning trees beside the yardstick: tuned nanoflann's kNN of 1e6 uniform points, k = 16, in turn.

Usage: emst_yardstick.py BIN [ROUNDS [POINTS]], where BIN holds bench_knn and bench_emst. In each round every case
is a process of its own, with four runs: the first in memory that the process hasn't used before, as the
yardstick's, and the best of the others. Prints medians and leasts of seconds, and of their ratios to the yardstick
of the same round.
"""
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = [(m, kind) for m in (1, 16) for kind in ("uniform", "normal", "clustered")]


def output(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def yardstick(programs, points, folder):
    run = json.loads(output(programs / "bench_knn", points, 16, 2, "uniform", 1, "--engine", "nanoflann-tuned",
                            "--folder", folder).splitlines()[-1])
    return run["build"] + run["query"]


def spanning_tree(programs, points, m, kind):
    """Seconds of the first run, and of the best of three more."""
    runs = [float(line.split()[0])
            for line in output(programs / "bench_emst", points, m, 2, kind, 4).splitlines()]
    return runs[0], min(runs[1:])


def summary(seconds, ratios):
    return (f"{statistics.median(seconds):.3f} s, least {min(seconds):.3f}; "
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) of it")


def main():
    programs = Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    points = sys.argv[3] if len(sys.argv) > 3 else "1e6"
    seconds, unit = {case: [] for case in CASES}, []
    with tempfile.TemporaryDirectory() as folder:
        output(programs / "bench_knn", points, 16, 2, "uniform", 1, "--write", folder)
        for _ in range(rounds):
            unit.append(yardstick(programs, points, folder))
            for case in CASES:
                seconds[case].append(spanning_tree(programs, points, *case))
    print(f"yardstick: median {statistics.median(unit):.3f} s, least {min(unit):.3f}")
    for m, kind in CASES:
        for name, runs in zip(("first run", "later"), zip(*seconds[m, kind])):
            print(f"{kind:10} min_samples {m:2} {name:10}", summary(runs, [t / u for t, u in zip(runs, unit)]))


if __name__ == "__main__":
    main()
