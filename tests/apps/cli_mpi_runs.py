"""Runs of the program on MPI ranks: how fast ranks are, statistics, threads, and ranks that are killed.

Usage: cli_mpi_runs.py PATH_OF_ZWALK MAX_DIM MPIRUN"""
import glob
import json
import os
import signal
import sys
import time

try:
    import numpy  # noqa: F401
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

from harness import ZWALK
from ranks import RANKS, Ranks, run_tests


class Speeds(Ranks):
    """zwalk info --ranks"""
    UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

    def info(self, ranks, *args):
        """The lines of output by their first column, as words."""
        code, out, err = self.on(ranks, "info", "--ranks", *args)
        self.assertEqual((code, err), (0, []))
        lines = {}
        for line in out.splitlines():
            lines.setdefault(line[:12].strip(), []).append(line[12:].split())
        return lines

    def predicted(self, ranks, *args):
        """By command and step: bytes, waits, seconds. And the speeds, as they were measured."""
        lines = self.info(ranks, *args)
        steps = {(what, words[0]): (float(words[1]) * self.UNITS[words[2]], int(words[5]), float(words[7]))
                 for what in lines if what.startswith(("knn", "fof")) for words in lines[what] if words[0] != "all"}
        sums = {what: float(words[1]) for what in lines for words in lines[what] if words[0] == "all"}
        return steps, sums, float(lines["latency"][0][-3]) * 1e-6, float(lines["bandwidth"][0][-3]) * 1e9

    def test_speeds(self):
        for ranks in (2, 3):
            lines = self.info(ranks, "--threads", 1)
            self.assertEqual(lines["ranks"], [[str(ranks), "on", "1", "host,", "with", "1", "thread", "each"]])
            self.assertEqual(len(lines["MPI"]), 1)
            self.assertNotIn("predicted", lines)
            for what, unit in (("latency", "us"), ("bandwidth", "GB/s")):
                self.assertEqual(len(lines[what]), 2)
                for words in lines[what]:
                    least, mean, most = map(float, words[-4:-1])
                    self.assertEqual(words[-1], unit)
                    self.assertTrue(0 < least <= mean <= most, words)
            self.assertEqual(lines["latency"][1][3:5], ["0", "and"])
            self.assertEqual(lines["bandwidth"][1][3], f"{ranks - 1},")

    def test_predicted_seconds(self):
        for points in ("3e8", 1000):  # bytes and waits are what takes the time
            steps, sums, alpha, beta = self.predicted(3, "--points", points, "-k", 8)
            self.assertEqual({*steps}, {(what, step) for what in ("knn -k 8", "fof") for step in ("sort", "import", "home")})
            for size, waits, seconds in steps.values():
                self.assertAlmostEqual(seconds / (waits * alpha + size / beta), 1, delta=.03)
            for what in sums:
                self.assertAlmostEqual(sums[what] / sum(s[2] for (w, _), s in steps.items() if w == what), 1, delta=.02)

    def test_predicted_memory(self):
        """What commands themselves reckon with, when they have read as many points."""
        n = 30000
        self.save("p.npy", self.rng.random((n, 3), "f4"))
        commands = {"knn -k 8": ("knn", "-k", 8), "fof": ("fof", "--linking-fraction", .2, "--box", 1), "emst": ("emst",),
                    "hdbscan": ("hdbscan",), "radius, without lists": ("radius", "--radius", .01, "--count"),
                    "dbscan": ("dbscan", "--epsilon", .02, "--min-samples", 5), "pairs": ("pairs", "--bins", "0,.1,10"),
                    "gravity": ("gravity",), "peaks -k 8": ("peaks", "-k", 8)}
        lines = self.info(3, "--points", n, "-k", 8, "--threads", 1)["memory"]
        found = {}
        for words in lines:
            name = " ".join(words[:next(i for i, w in enumerate(words) if w in self.UNITS) - 1])
            rest = words[len(name.split()):]
            found[name] = float(rest[-4] if rest[-1] == "0" else rest[0]) * self.UNITS[rest[-3] if rest[-1] == "0" else rest[1]]
        self.assertEqual({*found}, {*commands})
        for name, (command, *args) in commands.items():
            code, _, err = self.on(3, command, "p.npy", *args, "--threads", 1, "-o", command, "--stats", command + ".json")
            self.assertEqual((code, err), (0, []))
            stats = json.load(open(self.path(command + ".json")))
            self.assertAlmostEqual(found[name] / stats["bytes"]["predicted_peak"], 1, delta=.01, msg=name)
        self.assertEqual(len(self.info(2, "--points", 1e11)["memory"]), len(commands))  # no number overflows

    def test_predicted_is_what_is_sent(self):
        n = 200000
        self.save("p.npy", self.rng.random((n, 3), "f4"))
        for what, args in (("knn -k 8", ("knn", "p.npy", "-k", 8)),
                           ("fof", ("fof", "p.npy", "--linking-length", .2 * n**(-1 / 3), "--labels-only"))):
            steps, _, _, _ = self.predicted(2, "--points", n, "-k", 8)
            code, _, err = self.on(2, *args, "-o", args[0], "--stats", args[0] + "/s.json")
            self.assertEqual((code, err), (0, []))
            sent = json.load(open(self.path(args[0] + "/s.json")))["ranks"]["steps"]
            sent["sort"] = {"bytes": sent["samples"]["bytes"] + sent["points"]["bytes"]}
            for step, low in (("sort", .95), ("home", .95), ("import", .3)):  # the prediction is of the rank with most
                share = sent[step]["bytes"] / 2 / steps[what, step][0]
                self.assertTrue(low < share < 1.05, (what, step, share))
            for step in ("import", "home"):
                self.assertEqual(sent[step]["collectives"], steps[what, step][1])

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.refused_on(1, 2, "the only one", "info", "--ranks")
        self.refused_on(2, 2, "--points must be", "info", "--ranks", "--points", 0)
        self.refused_on(2, 2, "-k must be", "info", "--ranks", "--points", 9, "-k", "x")
        self.refused_on(2, 2, "--threads must be", "info", "--ranks", "--threads", -1)
        self.refused_on(2, 2, "INPUT excludes --ranks", "info", "p.npy", "--ranks")
        self.refused_on(2, 2, "INPUT is required", "info")


class Runs(Ranks):
    def test_stats(self):
        self.save("p.npy", self.rng.random((3000, 3)))
        code, _, err = self.on(3, "knn", "p.npy", "-k", 4, "-o", "out", "--stats", "out/s.json")
        self.assertEqual((code, err), (0, []))
        stats = json.load(open(self.path("out/s.json")))
        for key, value in (("sources", 3000), ("queries", 3000), ("dim", 3), ("k", 4)):
            self.assertEqual(stats["counts"][key], value)
        ranks = stats["ranks"]
        self.assertEqual(ranks["count"], 3)
        self.assertAlmostEqual(ranks["imported_share"], stats["counts"]["imported"] / 3000, places=9)
        self.assertGreaterEqual(ranks["steps"]["home"]["bytes"], 1000)
        self.assertGreater(ranks["steps"]["write"]["bytes"], 10000)  # all of it is in one piece
        self.assertEqual(ranks["steps"]["write"]["collectives"], 2 * 10)  # two files, each in one piece
        for phase in ("sort", "walk", "home"):
            spread = ranks["phases"][phase]
            self.assertLessEqual(spread["min"], spread["mean"])
            self.assertLessEqual(spread["mean"], spread["max"])

    def test_stats_of_dbscan(self):
        self.save("p.npy", self.rng.random((3000, 3)))
        dbscan = "dbscan", "p.npy", "--epsilon", .04, "--min-samples", 3
        self.assertEqual(self.on(3, *dbscan, "-o", "out", "--stats", "s.json")[0], 0)
        self.ok(*dbscan, "-o", "alone", "--stats", "alone.json")
        stats, alone = (json.load(open(self.path(f)))["counts"] for f in ("s.json", "alone.json"))
        for count in ("clusters", "core_points", "noise"):
            self.assertGreater(alone[count], 3)
            self.assertEqual(stats[count], alone[count], count)

    def test_stats_of_hdbscan(self):
        self.save("p.npy", self.rng.random((20000, 3)))
        self.assertEqual(self.on(5, "hdbscan", "p.npy", "-o", "out", "--stats", "s.json")[0], 0)
        self.ok("hdbscan", "p.npy", "-o", "alone", "--stats", "alone.json")
        stats, alone = (json.load(open(self.path(f))) for f in ("s.json", "alone.json"))
        self.assertEqual(stats["counts"]["clusters"], alone["counts"]["clusters"])
        steps = stats["ranks"]["steps"]
        self.assertAlmostEqual(steps["gather"]["bytes"], 16000 * 24, delta=24000)
        self.assertAlmostEqual(steps["scatter"]["bytes"], 16000 * 24, delta=1000)
        self.assertEqual(stats["ranks"]["phases"]["linkage"]["min"], 0)  # rank 0 makes it for all
        # Rank 0 has a fifth of the points, whose tree takes less memory than all clusters.
        expected = (20 << 20) + 4000 * 24 + 20000 * 113
        self.assertAlmostEqual(stats["bytes"]["predicted_peak"], expected, delta=5000)

    def test_threads(self):
        self.save("p.npy", self.rng.random((100, 3)))
        self.same("knn", "p.npy", "-k", 4, "--threads", os.cpu_count() + 1, ranks=(2,), notes=1)
        code, out, _ = self.on(2, "knn", "p.npy", "-k", 4, "-o", "out")
        each = max(1, len(os.sched_getaffinity(0)) // 2)
        self.assertIn(f"ranks       2, with {each} thread", out)

    def ranks_below(self, process):
        """The processes that mpirun has started: under Open MPI by itself, under MPICH by a helper."""
        found = []
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                text = open(stat).read()
            except OSError:
                continue
            name, rest = text.split("(", 1)[1].rsplit(")", 1)
            if int(rest.split()[1]) == process:
                child = int(stat.split("/")[2])
                found += [child] if name == os.path.basename(ZWALK) else self.ranks_below(child)
        return found

    def test_a_killed_rank_leaves_no_output(self):
        self.save("p.npy", self.rng.random((400000, 3), "f4"))
        run = self.start("-n", 2, "--bind-to", "none", ZWALK, "knn", "p.npy", "-k", 32, "-o", "out")
        with run:
            for _ in range(2000):
                if any(".tmp-" in name for name in os.listdir(self.dir)) or run.poll() is not None:
                    break
                time.sleep(.005)
            ranks = self.ranks_below(run.pid)
            self.assertEqual(len(ranks), 2)
            os.kill(max(ranks), signal.SIGKILL)
            run.communicate(timeout=60)
        self.assertNotEqual(run.returncode, 0)
        self.assertNotIn("out", os.listdir(self.dir))


if __name__ == "__main__":
    run_tests()
