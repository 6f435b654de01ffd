"""Reruns the figures of the papers that zwalk builds on, and prints ours beside what was published: a table for each, and one of all.

    bench/seeds                                        # sizes up to 1e6 points, all threads
    bench/seeds --only 'jz-tree 7*' --most 1e8 --device cuda --plots plots
    bench/seeds --ranks 1 2 4 8 --mpirun 'mpirun --bind-to core'

Each run is a process of its own, `zwalk COMMAND FILE`. Its seconds are those from points in memory to results in memory,
fresh memory included, and of a GPU the copies, too: the median of --rounds. Points are those of the paper where they can be made
or had; files are looked for in --data under the names that --list has. Figures of the papers are from their texts; where they only
have a plot, the table says what the text says of it.
"""
import argparse
import collections
import dataclasses
import fnmatch
import importlib.util
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import textwrap

import seeds_figures
from seeds_figures import figures

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = {
    "ngsim.npy": "vehicles' x, y: data.transportation.gov, NGSIM vehicle trajectories", "ngsimlocation3.npy": "one highway of these",
    "portotaxi.npy": "longitude, latitude: UCI, taxi service trajectory prediction challenge",
    "roadnetwork.npy": "longitude, latitude: UCI, 3D road network (North Jutland)",
    "geolife.npy": "longitude, latitude, altitude: Microsoft, GeoLife GPS trajectories 1.3",
    "hacc37m.npy": "positions of one rank of a HACC simulation; not public", "hacc497m.npy": "likewise",
    "noaa_isd.npy": "latitude, longitude of stations: NOAA, isd-history.csv",
}
# How a file is made, where that takes more than to read columns of a table. In doubles: 6 decimals of a degree are more than floats have.
RECIPES = {"geolife.npy": """\
# In the folder that 'Geolife Trajectories 1.3.zip' unpacks to. Lines: latitude, longitude, 0, altitude in feet (-777: unknown), days,
# date, time; before them six others. Microsoft's terms come with the file: for uses that aren't commercial.
import glob
import numpy as np

files = sorted(glob.glob("Data/*/Trajectory/*.plt"))
np.save("geolife.npy", np.concatenate([np.loadtxt(file, delimiter=",", skiprows=6, usecols=(1, 0, 3), ndmin=2) for file in files]))
"""}


def options():
    parser = argparse.ArgumentParser(prog="bench/seeds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="the figures, and which files they would need")
    parser.add_argument("--only", nargs="+", metavar="FIGURE", default=["*"], help="these, e.g. 'jz-tree 7*' 'EMST 6'")
    parser.add_argument("--most", type=lambda a: int(float(a)), default=10 ** 6, metavar="N", help="no more points than this (1e6). Figures that sweep over N end there; others have N cut")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="0: all")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--ranks", nargs="+", type=int, default=[], metavar="P", help="run the figures of many GPUs on so many ranks")
    parser.add_argument("--mpirun", default="mpirun", help="what starts ranks, with options; -n P is added")
    parser.add_argument("--data", type=pathlib.Path, help="a folder with the papers' files, as .npy")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a build with the program")
    parser.add_argument("--plots", type=pathlib.Path, help="draw each figure to this folder (needs matplotlib)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures there")
    return parser.parse_args()


class Points:
    """Files of points in a folder, made when they are first asked for."""

    def __init__(self, zwalk, folder, given):
        self.zwalk, self.folder, self.given = zwalk, folder, given

    def files(self, data):
        """Paths of points and of queries, or None for the latter; and how many points there are."""
        import numpy as np

        stem = self.folder / "-".join(map(str, (data.kind, data.n, data.dim, data.dtype, *data.options, data.queries)))
        sources, queries = stem.with_name(stem.name + ".npy"), stem.with_name(stem.name + ".queries.npy")
        if not sources.exists():
            if not data.queries and not data.file and data.kind != "cosmo":
                self.generate(data, data.n, sources)
            else:
                x = self.rows(data, data.n + data.queries if data.n else 0, stem)
                np.save(sources, np.ascontiguousarray(x[:len(x) - data.queries]))
                if data.queries:
                    np.save(queries, np.ascontiguousarray(x[len(x) - data.queries:]))
        return sources, queries if data.queries else None, len(np.load(sources, mmap_mode="r"))

    def generate(self, data, n, path):
        run([self.zwalk, "generate", data.kind, n, data.dim, "--dtype", data.dtype, *data.options, "-o", path, "--quiet"])

    def rows(self, data, n, stem):
        """So many rows (0: all), so that the last ones are like the others."""
        import numpy as np

        if data.file:
            x = np.load(self.given / data.kind, mmap_mode="r")
            if n and n < len(x):
                x = x[np.sort(np.random.default_rng(1).choice(len(x), n, replace=False))]
            if data.queries:
                x = x[np.random.default_rng(2).permutation(len(x))]
            return x
        if data.kind == "cosmo":
            x = np.load(ROOT / "data" / "cosmo32768" / "pos.npy")
            c = round((n / len(x)) ** (1 / 3))
            cells = np.stack(np.meshgrid(*[np.arange(c)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
            return ((cells + x) / c).reshape(-1, 3).astype(data.dtype)
        whole = stem.with_name(stem.name + ".whole.npy")
        self.generate(data, n, whole)
        x = np.load(whole)
        whole.unlink()
        return x

    def forget(self):
        for path in self.folder.glob("*.npy"):
            path.unlink()


def run(command):
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench/seeds: error: {shlex.join(command)}\n{done.stderr}")
    return done.stdout


def cut(data, most):
    """The same points, but no more than this: of copies of a simulation whole ones."""
    if data.file or data.n <= most:
        return data
    n = max(n for n in (seeds_figures.COSMO[0], *seeds_figures.COSMO) if n <= max(most, seeds_figures.COSMO[0])) \
        if data.kind == "cosmo" else most
    return dataclasses.replace(data, n=n)


def chosen_runs(figure, o):
    """Those that are for this machine, and of the others how many there are for each reason."""
    runs, left = [], collections.Counter()
    for what in figure.runs:
        data = cut(what.data, o.most) if figure.cut else what.data
        if data.file and not (o.data and (o.data / data.kind).exists()):
            left[f"no {data.kind} in --data"] += 1
        elif max(data.n, data.queries) > o.most:
            left["more points than --most"] += 1
        else:
            runs.append(dataclasses.replace(what, data=data))
    return list(dict.fromkeys(runs)), left


def measure(what, points, o):
    """Seconds, those of phases, and how many points there were."""
    sources, queries, n = points.files(what.data)
    stats, out = points.folder / "stats.json", points.folder / "out"
    command = [points.zwalk, what.command[0], sources, *what.command[1:], "-o", out, "--stats", stats, "--force", "--quiet",
               "--device", o.device, "--threads", what.threads or o.threads]
    if queries:
        command += ["--query", queries]
    if what.ranks:
        command = [*shlex.split(o.mpirun), "-n", what.ranks, *command]
    found = []
    for _ in range(o.rounds):
        run(command)
        found.append(json.loads(stats.read_text())["seconds"])
    found.sort(key=lambda seconds: seconds["compute"])
    middle = found[len(found) // 2]
    return statistics.median(s["compute"] for s in found), middle["phases"], n


def label(data):
    return data.kind.removesuffix(".npy")


def rate_of(figure, data, n, seconds):
    """Millions each second."""
    count = {"points": n, "features": n * data.dim, "queries": data.queries}[figure.rate]
    return count / seconds / 1e6


def phases_text(phases, seconds):
    return ", ".join(f"{name} {100 * s / seconds:.0f} %" for name, s in phases.items() if s > .03 * seconds)


def show(figure, points, o, found):
    """Prints a figure's table; appends to `found`."""
    print(f"\n### {figure.name}: {figure.title}" + ("\n" if figure.published or figure.remarks else ""))
    for p in figure.published:
        print(f"- published, {p.what}: " + (f"{p.seconds:g} s, " if p.seconds else "") + f"{p.millions:.3g} million {figure.rate} a second")
    if figure.remarks:
        print(f"- {figure.remarks}")
    runs, left = chosen_runs(figure, o)
    if runs:
        print(f"\n| points | N | D | | s | million {figure.rate} / s | of it |\n| --- | --- | --- | --- | --- | --- | --- |")
    for what in runs:
        seconds, phases, n = measure(what, points, o)
        rate = rate_of(figure, what.data, n, seconds)
        print(f"| {label(what.data)} | {n} | {what.data.dim} | {what.what} | {seconds:.4g} | {rate:.3g} | "
              f"{phases_text(phases, seconds)} |", flush=True)
        found.append({"figure": figure.name, "points": label(what.data), "n": n, "dim": what.data.dim, "what": what.what,
                      "queries": what.data.queries, "seconds": seconds, "rate": rate, "phases": phases})
    points.forget()
    if left:
        print("\nLeft out: " + "; ".join(f"{count}, {reason}" for reason, count in left.items()) + ".")
    if not figure.runs:
        print("\nLeft out: without --ranks.")


def lines_of(figure, rows):
    """Rates over the figure's own axis, (place, rate), for each kind of points."""
    def place(row):
        return row[figure.axis] if figure.axis in ("n", "dim") else float(row["what"].split()[-1])

    lines = collections.defaultdict(list)
    for row in rows:
        name = row["points"] + (f", {row['dim']}-D" if figure.axis != "dim" else "")
        if figure.axis in ("n", "dim") and row["what"]:
            name += ", " + row["what"]
        elif figure.axis not in ("n", "dim"):
            name += f", {row['n']:.3g}"
        lines[name].append((place(row), row["rate"]))
    return {name: sorted(line) for name, line in lines.items()}


def summary(figures, found):
    """One table of all figures, a row for each line that plot() draws."""
    print("\n### All figures\n\nMillions each second, of queries thousands, from the first to the last place of the axis.\n\n"
          "| figure | points | axis | ours | published |\n| --- | --- | --- | --- | --- |")
    for figure in figures:
        rows = [row for row in found if row["figure"] == figure.name]
        published = [f"{p.what}: {p.millions:.3g}" for p in figure.published] + [figure.remarks.removeprefix("published: ")]
        said, scale = "; ".join(filter(None, published)), 1000 if figure.rate == "queries" else 1
        for name, line in lines_of(figure, rows).items():
            places = ", ".join(f"{place:g}" for place in dict.fromkeys((line[0][0], line[-1][0])))
            rates = ", ".join(f"{rate * scale:.3g}" for _, rate in line)
            print(f"| {figure.name} | {name} | {figure.axis}: {places} | {rates} {figure.rate} | {said} |")
            said = ""  # once for each figure


def plot(figure, rows, folder):
    """Rates over the figure's own axis, a line for each kind of points."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = lines_of(figure, rows)
    pyplot.figure(figsize=(7, 4.5))
    for name, line in lines.items():
        pyplot.plot(*zip(*line), "o-", label=name, markersize=4)
    left = min(x for line in lines.values() for x, _ in line)
    for p in figure.published:
        size = p.n if figure.axis == "n" else 0
        if size:
            pyplot.plot(size, p.millions, "x", color="grey")
        else:  # for the size of no run
            pyplot.axhline(p.millions, color="grey", linestyle=":")
        pyplot.annotate(p.what, (size or left, p.millions), (-6 if size else 0, 0), textcoords="offset points", fontsize=7,
                        va="center" if size else "baseline", ha="right" if size else "left")
    pyplot.xscale("log"), pyplot.yscale("log")
    pyplot.xlabel({"n": "points", "dim": "dimensions"}.get(figure.axis, figure.axis))
    pyplot.ylabel(f"million {figure.rate} / s")
    pyplot.title(f"{figure.name}: {figure.title}", fontsize=9), pyplot.legend(fontsize=7)
    pyplot.tight_layout()
    pyplot.savefig(folder / (figure.name.replace(" ", "-") + ".png"), dpi=120)
    pyplot.close()


def main():
    o = options()
    chosen = [f for f in figures(o.ranks) if any(fnmatch.fnmatch(f.name, pattern) for pattern in o.only)]
    if not chosen:
        sys.exit("bench/seeds: error: --only names no figure; --list has them")
    if o.list:
        for figure in chosen:
            print(f"{figure.name:12} {figure.title}; {len(figure.runs)} runs")
        for name, why in seeds_figures.ABSENT:
            print(f"{name:12} not rerun: {why}")
        print("\nFiles for --data, which aren't made:")
        for name, source in SOURCES.items():
            print(f"  {name:20} {source}")
        for name, recipe in RECIPES.items():
            print(f"\nWhat makes {name}, in Python with NumPy:\n\n{textwrap.indent(recipe, '  ')}")
        return
    zwalk = (o.build / "bin" / "zwalk").resolve()
    if not zwalk.exists():
        sys.exit(f"bench/seeds: error: there is no {zwalk}; bench/seeds without --build makes it")
    if o.plots:
        if not importlib.util.find_spec("matplotlib"):
            sys.exit("bench/seeds: error: --plots needs matplotlib: .venv/bin/pip install matplotlib")
        o.plots.mkdir(parents=True, exist_ok=True)
    version = run([zwalk, "--version"]).split("\n")[0]
    print(f"{version}, {o.device}, {o.threads or len(os.sched_getaffinity(0))} threads, medians of {o.rounds}")
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-seeds-") as folder:
        points = Points(zwalk, pathlib.Path(folder), o.data)
        for figure in chosen:
            rows = []
            show(figure, points, o, rows)
            found += rows
            if o.plots and rows:
                plot(figure, rows, o.plots)
    summary(chosen, found)
    if o.json:
        o.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
