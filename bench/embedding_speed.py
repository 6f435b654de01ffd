"""Times HDBSCAN* of rows with 5 to 50 columns, as embeddings have, beside other packages: CPU seconds and peak memory.

    PYTHONPATH=build/python .venv/bin/python bench/embedding_speed.py [--rows N ...] [--columns D ...] [--data sheets spots ...]

Each engine has a process of its own for each input, is warmed up on 3000 rows of it, and may take --limit seconds. Engines that aren't
installed are left out (pip install fast-hdbscan hdbscan scikit-learn). Printed are CPU seconds of the process, all threads
together, so that figures mean the same on a busy machine; the peak of memory is that of the process. Labels are compared with zwalk's by
the adjusted Rand index: engines break ties of equal distances otherwise, and fast-hdbscan works in single precision.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

MIN_CLUSTER_SIZE, MIN_SAMPLES = 50, 10
ENGINES = ("zwalk", "hdbscan", "fast_hdbscan", "sklearn")


def sheets(rows, columns, rng):
    """40 curved sheets of two or three dimensions, each of its own size and density, thickened; a tenth of uniform noise."""
    x = np.empty((rows, columns), np.float32)
    which = rng.choice(40, size=rows, p=rng.dirichlet(np.full(40, 3.0)))
    for sheet in range(40):
        mine = which == sheet
        inner = rng.uniform(-1, 1, (mine.sum(), int(rng.integers(2, 4))))
        bent = np.hstack([inner, inner**2, np.sin(2 * inner)])
        flat = bent @ rng.normal(size=(bent.shape[1], columns)) * rng.uniform(0.3, 1.5)
        x[mine] = rng.uniform(-8, 8, columns) + flat + rng.normal(scale=0.05, size=flat.shape)
    noise = rng.random(rows) < 0.1
    x[noise] = rng.uniform(x.min(0), x.max(0), (noise.sum(), columns))
    return x


def spots(rows, columns, rng):
    """60 spots with heavy tails, drawn out to strings, of widths that differ thirtyfold: what UMAP makes of classes."""
    which = rng.integers(60, size=rows)
    centres, widths = rng.uniform(0, 20, (60, columns)), 10 ** rng.uniform(-1.5, 0, 60)
    tails = rng.normal(size=(rows, columns)) / np.sqrt(rng.chisquare(4, (rows, 1)) / 4)
    string = rng.normal(size=(60, columns)) / np.sqrt(columns)
    along = rng.uniform(-4, 4, (rows, 1)) * string[which]
    return (centres[which] + widths[which, None] * (tails / np.sqrt(columns) + along)).astype(np.float32)


def fitted(engine, threads):
    """What labels rows by that engine, all of them with the same meaning of min_samples."""
    if engine == "zwalk":
        import zwalk
        return lambda x: zwalk.hdbscan(x, MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, threads=threads).labels
    if engine == "hdbscan":  # its min_samples doesn't count the point itself
        import hdbscan
        return lambda x: hdbscan.HDBSCAN(min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES - 1,
                                         approx_min_span_tree=False, core_dist_n_jobs=1).fit(x).labels_
    if engine == "fast_hdbscan":
        import fast_hdbscan
        return lambda x: fast_hdbscan.HDBSCAN(min_cluster_size=MIN_CLUSTER_SIZE,
                                              min_samples=MIN_SAMPLES - 1).fit(x).labels_
    from sklearn.cluster import HDBSCAN
    return lambda x: HDBSCAN(min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, copy=True).fit(x).labels_


def one(engine, data, rows, columns, threads, labels_file):
    """The work of one process: labels go to a file, figures to standard output."""
    x = {"sheets": sheets, "spots": spots}[data](rows, columns, np.random.default_rng(columns))
    try:
        fit = fitted(engine, threads)
    except ImportError:
        print(json.dumps({"absent": True}))
        return
    fit(x[:3000])
    start, wall = time.process_time(), time.perf_counter()
    labels = fit(x)
    figures = {"cpu": time.process_time() - start, "wall": time.perf_counter() - wall,
               "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "clusters": int(labels.max() + 1)}
    np.save(labels_file, labels)
    print(json.dumps(figures))


def run(engine, data, rows, columns, options, labels_file):
    command = [sys.executable, __file__, "--one", engine, data, str(rows), str(columns), labels_file,
               "--threads", str(options.threads)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
    except subprocess.TimeoutExpired:
        return {"text": f"> {options.limit} s"}
    if done.returncode:
        return {"text": done.stderr.strip().splitlines()[-1][:60] if done.stderr.strip() else f"exit {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def agreement(ours, theirs):
    """The adjusted Rand index of two labellings."""
    from sklearn.metrics import adjusted_rand_score  # all engines but zwalk bring it along
    return f"{adjusted_rand_score(ours, theirs):.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", type=lambda a: int(float(a)), default=[20000, 100000])
    parser.add_argument("--columns", nargs="+", type=int, default=[5, 10, 16, 32, 50])
    parser.add_argument("--data", nargs="+", choices=("sheets", "spots"), default=["sheets", "spots"])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=300, help="seconds of the clock for a run")
    parser.add_argument("--one", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        engine, data, rows, columns, file = options.one
        return one(engine, data, int(rows), int(columns), options.threads, file)
    print(f"min_cluster_size {MIN_CLUSTER_SIZE}, min_samples {MIN_SAMPLES}, float32, {options.threads} threads\n")
    print("| data | rows | columns | engine | CPU s | times zwalk | peak MB | clusters | agreement |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for data in options.data:
            for rows in options.rows:
                for columns in options.columns:
                    cell = f"| {data} | {rows} | {columns} |"
                    ours = None
                    for engine in options.engines:
                        file = os.path.join(folder, f"{engine}.npy")
                        f = run(engine, data, rows, columns, options, file)
                        if f.get("absent"):
                            continue
                        if "text" in f:
                            print(f"{cell} {engine} | {f['text']} | | | | |", flush=True)
                            continue
                        if ours is None:
                            ours, reference = f["cpu"], np.load(file)
                        print(f"{cell} {engine} | {f['cpu']:.3g} | {f['cpu'] / ours:.3g} | {f['peak']:.0f} | {f['clusters']} | "
                              f"{'' if engine == options.engines[0] else agreement(reference, np.load(file))} |", flush=True)


if __name__ == "__main__":
    main()
