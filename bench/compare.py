"""kNN, friends-of-friends, minimum spanning trees, radius search, DBSCAN and pair counts of zwalk beside other libraries: the same points, in turn, round by round.

Every run is a process of its own, warmed up on 1000 points, and timed from points in memory to
indices and distances in memory: trees, conversions and the memory of the results are counted for
all engines, reading points and freeing results for none. Each answer's k-th neighbours are checked
against zwalk's; if they differ by more than rounding, that is said and the exit status is 1. So are
the groups of friends-of-friends, of which one point in 1e5 may be elsewhere: some engines link pairs at
the linking length by sums that are rounded otherwise; of the rows of radius search
one in 1e3 may have another length for that reason. Of
spanning trees the sorted lengths are compared; of DBSCAN the clusters of core points, and which others are noise, of which
one in 1e3 may differ; of pair counts each bin, of whose pairs one in 1e4, or a few, may be in the next one.
"""
import argparse
import dataclasses
import datetime
import fnmatch
import importlib.util
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import peers
from compare_cases import CASES, PROGRAM, SETTINGS

ROOT = pathlib.Path(__file__).resolve().parents[1]


def options():
    parser = argparse.ArgumentParser(prog="bench/compare", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--only", nargs="+", metavar="CASE", default=["*"],
                        help="these cases, e.g. uniform16 'growth*'")
    parser.add_argument("--engines", nargs="+", choices=SETTINGS, default=list(SETTINGS),
                        metavar="ENGINE", help=f"of {', '.join(SETTINGS)}; zwalk always runs")
    parser.add_argument("--threads", type=int, default=cores, help=f"default here: {cores}")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1, help="multiplies all numbers of points")
    parser.add_argument("--quick", action="store_true", help="--scale 0.1 --rounds 1")
    parser.add_argument("--markdown", action="store_true", help="one table, for documents")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", metavar="FOLDER",
                        help="where to build bench_knn; default: build")
    parser.add_argument("--no-build", action="store_true", help="take bench_knn as it is there")
    o = parser.parse_args()
    if o.threads < 1 or o.rounds < 1 or o.scale <= 0:
        parser.error("--threads, --rounds and --scale must be positive")
    if o.quick:
        o.scale, o.rounds = 0.1, 1
    for pattern in o.only:
        if not fnmatch.filter([case.name for case in CASES], pattern):
            parser.error(f"there is no case {pattern}: --list shows them")
    o.cases = [scaled(case, o) for case in CASES
               if any(fnmatch.fnmatch(case.name, pattern) for pattern in o.only)]
    return o


def scaled(case, o):
    chosen = ("zwalk", *(e for e in case.engines if e in o.engines and e != "zwalk"))
    return dataclasses.replace(case, points=max(case.k, round(case.points * o.scale)),
                               queries=math.ceil(case.queries * o.scale),
                               threads=case.threads or o.threads, engines=chosen)


def cached(folder, variable):
    """A variable of a build folder's CMake cache, or None."""
    cache = folder / "CMakeCache.txt"
    found = cache.exists() and re.search(rf"^{variable}:\w+=(.*)$", cache.read_text(), re.M)
    return found.group(1) if found else None


def build(folder):
    """Builds bench_knn, bench_fof, bench_emst, bench_radius, bench_dbscan and bench_pairs in the folder, as it is configured, or else as preset release says."""
    configure = ["--preset", "release"]
    if (folder / "CMakeCache.txt").exists():
        configure = ["-S", str(ROOT)]
    parallel = [] if "CMAKE_BUILD_PARALLEL_LEVEL" in os.environ else ["-j", str(os.cpu_count())]
    for command in (configure + ["-B", str(folder), "-DZWALK_BENCH=ON"],
                    ["--build", str(folder), "--target", "bench_knn", "bench_fof", "bench_emst", "bench_radius",
                     "bench_dbscan", "bench_pairs", *parallel]):
        if subprocess.run(["cmake", *command], cwd=ROOT, stdout=sys.stderr).returncode:
            sys.exit("bench/compare: error: the benchmarks can't be built")
    if cached(folder, "CMAKE_BUILD_TYPE") != "Release":
        sys.exit(f"bench/compare: error: {folder} is no Release build; take another --build")


def run(command, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if result.returncode:
        sys.exit(f"bench/compare: error: {' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def program(case, o):
    if case.fraction:
        return [o.build / "bin" / "bench_fof", f"{case.points}", f"{case.fraction}",
                f"{case.threads}", case.kind, "--real", case.real]
    if case.radius:
        return [o.build / "bin" / "bench_radius", f"{case.points}", f"{case.radius}",
                f"{case.threads}", case.kind, "--real", case.real]
    if case.epsilon:
        return [o.build / "bin" / "bench_dbscan", f"{case.points}", f"{case.epsilon}",
                f"{case.threads}", case.kind, "--min-samples", f"{case.k}", "--real", case.real]
    if case.pairs:
        return [o.build / "bin" / "bench_pairs", f"{case.points}", f"{case.pairs}",
                f"{case.threads}", case.kind, "--real", case.real]
    if case.tree:
        return [o.build / "bin" / "bench_emst", f"{case.points}", f"{case.k}", f"{case.threads}",
                case.kind, "--real", case.real]
    command = [o.build / "bin" / "bench_knn", f"{case.points}", f"{case.k}", f"{case.threads}",
               case.kind, "--dim", f"{case.dim}", "--real", case.real]
    return command + ["--queries", f"{case.queries}"] if case.queries else command


def run_engine(engine, case, o, folder):
    """{"build": seconds, "query": seconds, "version": ...}; k-th neighbours lie in the folder."""
    if engine in PROGRAM:
        command = program(case, o) + ["--engine", engine, "--folder", folder]
    else:
        command = [sys.executable, ROOT / "bench" / "peers.py", engine, folder, "--k", f"{case.k}",
                   "--dim", f"{case.dim}", "--real", case.real, "--threads", f"{case.threads}"]
    return json.loads(run(command))


def disagreements(engine, case, folder):
    """What is wrong with an engine's results; zwalk has run before."""
    import compare_results  # here, so that --help needs no NumPy

    return compare_results.disagreements(engine, case, folder)


@dataclasses.dataclass
class Row:
    """The runs of one engine in one case."""
    engine: str
    version: str
    build: list
    query: list
    ratio: list  # of the total to zwalk's, round by round

    def total(self):
        return [b + q for b, q in zip(self.build, self.query)]

    def spread(self):
        return max(self.total()) / min(self.total())


def measure(case, o, errors):
    """Rows for the engines of a case. Appends to errors what doesn't agree."""
    rows = {engine: Row(engine, "", [], [], []) for engine in case.engines}
    with tempfile.TemporaryDirectory(prefix="bench-compare-") as name:
        folder = pathlib.Path(name)
        run(program(case, o) + ["--write", folder])
        for number in range(o.rounds):
            print(f"{case.name}: round {number + 1} of {o.rounds}", file=sys.stderr)
            for engine in case.engines:
                result = run_engine(engine, case, o, folder)
                row = rows[engine]
                row.version = result["version"]
                row.build.append(result["build"])
                row.query.append(result["query"])
                row.ratio.append(row.total()[-1] / rows["zwalk"].total()[-1])
                errors += [f"{case.name}, {engine}: {e}"
                           for e in disagreements(engine, case, folder)]
    return list(rows.values())


def print_case(case, rows):
    median = statistics.median
    print(f"\n{case.name}: {case}")
    print(f"  {'':18}{'build s':>9}{'query s':>9}{'total s':>9}{'least':>9}{'most':>9}"
          f"{'us/query':>10}{'ratio':>8}{'of least':>10}")
    least = min(rows[0].total())
    for row in rows:
        total = row.total()
        each = median(total) / (case.queries or case.points) * 1e6
        figures = [median(row.build), median(row.query), median(total), min(total), max(total)]
        print(f"  {row.engine:18}" + "".join(f"{figure:9.3f}" for figure in figures)
              + f"{each:10.3f}{median(row.ratio):8.2f}{min(total) / least:10.2f}",
              flush=True)


def print_markdown(cases, results, engines):
    median = statistics.median
    lines = [["case", "zwalk s", "us/query", *engines[1:]], ["---"] * (len(engines) + 2)]
    for case, rows in zip(cases, results):
        by_engine = {row.engine: row for row in rows}
        ours = median(by_engine["zwalk"].total())
        cells = [str(case), f"{ours:.3f}", f"{ours / (case.queries or case.points) * 1e6:.2f}"]
        for engine in engines[1:]:
            row = by_engine.get(engine)
            cells.append(f"{median(row.total()):.3f} ({median(row.ratio):.2f} x)" if row else "")
        lines.append(cells)
    print("\n".join("| " + " | ".join(cells) + " |" for cells in lines))


def print_machine(o):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    compiler = cached(o.build, "CMAKE_CXX_COMPILER")
    version = run([compiler, "--version"]).splitlines()[0] if compiler else "unknown compiler"
    try:
        commit = run(["git", "-C", ROOT, "describe", "--always", "--dirty"]).strip()
    except (SystemExit, FileNotFoundError):
        commit = "unknown"
    bullet = "- " if o.markdown else ""
    print(f"{bullet}{datetime.date.today()}, {cpu.group(1) if cpu else 'unknown CPU'}, "
          f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f} at the start")
    print(f"{bullet}{version}, {cached(o.build, 'CMAKE_BUILD_TYPE')}, "
          f"-march={cached(o.build, 'ZWALK_ARCH')}; zwalk at {commit}")
    print(f"{bullet}{o.rounds} rounds; medians; ratio: median over rounds of the time to zwalk's")
    if not o.markdown:
        print("of least: ratio of the shortest times, steadier on a busy machine")


def print_settings(results, engines):
    versions = {row.engine: row.version for rows in results for row in rows}
    print()
    for engine in engines:
        print(f"- {engine} ({versions[engine]}): {SETTINGS[engine]}")


def main():
    o = options()
    if o.list:
        print("\n".join(f"{case.name:20} {case}" for case in o.cases))
        return 0
    missing = {name for name, engine in peers.ENGINES.items()
               if not importlib.util.find_spec(peers.MODULES.get(engine.package, engine.package))}
    for case in o.cases:
        case.engines = tuple(e for e in case.engines if e not in missing)
    for engine in sorted(missing.intersection(o.engines)):
        print(f"{engine}: left out, {peers.ENGINES[engine].package} isn't installed",
              file=sys.stderr)
    if not o.no_build:
        build(o.build.resolve())

    print_machine(o)
    errors, results = [], []
    for case in o.cases:
        results.append(measure(case, o, errors))
        if not o.markdown:
            print_case(case, results[-1])
        noisy = max(row.spread() for row in results[-1])
        if noisy > 1.3:
            print(f"{case.name}: the machine is busy, equal runs differ by a factor {noisy:.1f}",
                  file=sys.stderr)
    ran = [e for e in SETTINGS if any(e in case.engines for case in o.cases)]
    if o.markdown:
        print()
        print_markdown(o.cases, results, ran)
    print_settings(results, ran)
    for error in errors:
        print(f"bench/compare: error: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
