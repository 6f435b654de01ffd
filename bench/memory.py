#!/usr/bin/env python3
"""Peak memory of `zwalk knn` beside the prediction. Usage: memory.py ZWALK [POINTS [KIND]]

Prints one line per run: what was run, the peak in MB, predicted / measured.
"""
import itertools
import json
import subprocess
import sys
import tempfile

zwalk = sys.argv[1]
points = sys.argv[2] if len(sys.argv) > 2 else "1e6"
kind = sys.argv[3] if len(sys.argv) > 3 else "uniform"


def run(*args):
    subprocess.run([zwalk, *map(str, args), "--quiet", "--force"], check=True)


worst = 0
with tempfile.TemporaryDirectory() as place:
    print(f"{'type':6}{'D':>2}{'k':>4} {'queries':8}{'threads':>8}{'budget':>8}{'batches':>8}"
          f"{'peak MB':>9}{'ratio':>7}")
    for dtype, dim in itertools.product(("f4", "f8"), (2, 3, 8)):
        for name, seed in (("p", 1), ("q", 2)):
            run("generate", kind, points, dim, "--dtype", dtype, "--seed", seed,
                "-o", f"{place}/{name}.npy")
        for k, queries, threads, budget in itertools.product(
                (1, 16, 64), ("self", "separate"), (1, 2), ("default", "1M", "64M")):
            if dim == 8 and (k != 1 or threads == 1):
                continue  # slow to search, and no other in memory
            args = ["--query", f"{place}/q.npy"] if queries == "separate" else []
            if budget != "default":
                args += ["--memory-budget", budget]
            run("knn", f"{place}/p.npy", "-k", k, "--threads", threads, *args,
                "-o", f"{place}/out", "--stats", f"{place}/s.json")
            stats = json.load(open(f"{place}/s.json"))
            peak, predicted = (stats["bytes"][key] for key in ("peak_resident", "predicted_peak"))
            print(f"{dtype:6}{dim:2}{k:4} {queries:8}{threads:8}{budget:>8}"
                  f"{stats['counts']['batches']:8}{peak / 1e6:9.0f}{predicted / peak:7.2f}",
                  flush=True)
            worst = max(worst, abs(predicted / peak - 1))
print(f"worst: {worst:.0%}")
