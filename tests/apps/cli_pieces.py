"""zwalk fof --pieces and knn --reduce --pieces: the files of a run in memory, byte for byte, in the memory that was said."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import numpy as np

from harness import SANITIZED, ZWALK, Case


class Pieces(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(6)

    def clustered(self, n, dim=3):
        centres = self.rng.random((max(1, n // 200), dim))
        spread = self.rng.standard_normal((n, dim)) * .01
        return (centres[self.rng.integers(0, len(centres), n)] + spread) % 1

    def same(self, *args, pieces=(1, 2, 7), command="fof"):
        """Runs with these numbers of pieces write what a run in memory does, and say the same."""
        for name in ("all", "all2"):
            shutil.rmtree(self.path(name), ignore_errors=True)
        said = self.ok(command, *args, "-o", "all")
        for count in pieces:
            got = self.ok(command, *args, "--pieces", count, "-o", "all2", "--force")
            self.assertEqual(said.split("seconds")[0], got.split("seconds")[0])
            for file in sorted(os.listdir(self.path("all"))):
                a, b = (open(self.path(f"{d}/{file}"), "rb").read() for d in ("all", "all2"))
                self.assertTrue(a == b, (args, count, file))
            self.assertEqual(sorted(os.listdir(self.path("all"))), sorted(os.listdir(self.path("all2"))))

    def test_all_ways_to_read(self):
        x = self.clustered(5000).astype("f4")
        self.save("p.npy", x)
        self.save("d.npy", self.clustered(4000, 2))
        self.save("fortran.npy", np.asfortranarray(x))
        self.save("swapped.npy", x.astype(">f4"))
        self.save("wide.npy", np.hstack([np.zeros((5000, 1)), x]))
        self.save("out.npy", x + np.float32(3))
        self.save("m.npy", self.rng.random(5000) + .5)
        self.save("v.npy", self.rng.standard_normal((5000, 3)).astype("f4"))
        b = ("--linking-length", .02, "--min-members", 2)
        self.same("p.npy", *b, "--masses", "m.npy", "--velocities", "v.npy", "--box", 1)
        self.same("p.npy", "--linking-fraction", .2, "--box", 1, "--format", "csv")
        self.same("d.npy", *b, "--box", "0,1")
        self.same("d.npy", *b, "--precision", "f4", "--threads", 1)
        self.same("p.npy", *b[:2], "--labels-only")
        for file, more in (("fortran.npy", ()), ("swapped.npy", ()), ("wide.npy", ("--columns", "1,2,3")),
                           ("out.npy", ("--box", 1, "--wrap"))):
            self.same(file, *b, *more, pieces=(3,))

    @unittest.skipIf(SANITIZED, "takes long with sanitizers")
    def test_more_than_one_of_everything(self):
        """Parts, samples that aren't all points, blocks of pieces, windows and batches of labels."""
        self.save("big.npy", self.clustered(1200000).astype("f4"))
        self.same("big.npy", "--linking-fraction", .2, "--box", 1, pieces=(3,))
        self.same("big.npy", "-k", 6, "--reduce", "radius", "--box", 1, pieces=(3,), command="knn")

    def test_reductions(self):
        self.save("p.npy", self.clustered(5000).astype("f4"))
        self.save("wide.npy", np.hstack([np.zeros((3000, 1)), self.clustered(3000)]))
        self.save("out.npy", self.clustered(3000, 2) + 3)
        for what in ("radius", "density", "sph"):
            self.same("p.npy", "-k", 16, "--reduce", what, "--box", 1, command="knn")
        self.save("m.npy", self.rng.random(5000) + .5)
        for what in ("density", "sph"):
            self.same("p.npy", "-k", 16, "--reduce", what, "--box", 1, "--masses", "m.npy", command="knn")
        self.save("q.npy", self.rng.random((7000, 3), "f4"))
        self.same("p.npy", "-k", 16, "--reduce", "density", "--box", 1, "--masses", "m.npy", "--query", "q.npy", command="knn")
        self.same("p.npy", "-k", 5, "--reduce", "radius", "--within", .01, "--query", "q.npy", command="knn")
        self.same("p.npy", "-k", 7, "--reduce", "density", "--exclude-self", "--threads", 1, command="knn")
        self.same("p.npy", "-k", 7, "--reduce", "radius", "--within", .003, command="knn")
        self.same("p.npy", "-k", 6000, "--reduce", "radius", "--quiet", command="knn", pieces=(3,))
        self.same("wide.npy", "-k", 5, "--reduce", "sph", "--columns", "1,2,3", command="knn", pieces=(3,))
        self.same("out.npy", "-k", 5, "--reduce", "sph", "--box", 1, "--wrap", "--precision", "f4", command="knn", pieces=(3,))
        for n in (0, 1, 2, 5):
            self.save("p.npy", self.rng.random((n, 3)))
            self.same("p.npy", "-k", 3, "--reduce", "radius", "--quiet", command="knn")

    def test_refused_reductions_leave_nothing(self):
        x = self.rng.random((300000, 3)).astype("f4")
        self.save("p.npy", x)
        self.write("cut.npy", open(self.path("p.npy"), "rb").read()[:-400])
        x[-1, 2] = np.nan
        self.save("nan.npy", x)
        self.write("t.csv", "0,0,0\n")
        b = ("-k", 4, "--reduce", "radius", "-o", "out", "--pieces")
        self.refused(2, "row 299999", "knn", "nan.npy", *b, 3)
        self.refused(2, "cut.npy", "knn", "cut.npy", *b, 3)
        self.refused(2, "a text", "knn", "t.csv", *b, 3)
        self.refused(2, "box length 0.5", "knn", "p.npy", *b, 3, "--box", .5)
        for bad in (0, "", "many", 16385):
            self.refused(2, f"--pieces must be a whole number 1 to 16384, not '{bad}'", "knn", "p.npy", *b, bad)
        for k in (2**63 - 1, 2**31):
            k_max = ("-k", k, "--reduce", "radius", "--exclude-self", "--quiet", "-o", "out")
            for pieces in ((), ("--pieces", 2)):
                self.refused(2, f"k = {k} is more than one device can hold", "knn", "p.npy", *k_max, *pieces)
        self.refused(2, "more than one device", "knn", "missing.npy", *k_max, "--pieces", 2)  # before it's read
        self.refused(1, "memory", "knn", "p.npy", *b, "auto", "--memory-budget", "1M")
        self.refused(2, "--reduce", "knn", "p.npy", "-k", 4, "-o", "out", "--pieces", 3)
        self.refused(2, "--reduce density and sph", "knn", "p.npy", *b, 3, "--masses", "p.npy")
        density = ("-k", 4, "--reduce", "density", "-o", "out")
        self.save("m.npy", np.append(np.ones(299999, "f4"), np.float32(0)))
        self.save("few.npy", np.ones(29))
        for pieces in ((), ("--pieces", 3)):
            self.refused(2, "mass 299999", "knn", "p.npy", *density, *pieces, "--masses", "m.npy")
            self.refused(2, "29 rows and 1 columns", "knn", "p.npy", *density, *pieces, "--masses", "few.npy")
            self.refused(2, "--device cpu", "knn", "p.npy", *density, *pieces, "--masses", "m.npy", "--device", "cuda")
        self.refused(2, "order of input", "knn", "p.npy", *b, 3, "--order", "z")
        self.save("q.npy", self.rng.random((10, 2), "f4"))
        self.refused(2, "2 coordinates", "knn", "p.npy", *b, 3, "--query", "q.npy")
        self.refused(2, "leave it out with --query", "knn", "p.npy", *b, 3, "--query", "p.npy", "--exclude-self")
        for option in (("--sphere", "degrees"), ("--save-index", "i.zwx")):
            self.refused(2, option[0], "knn", "q.npy", *b, 3, *option)

    def test_pieces_that_exceed_the_budget_are_noted(self):
        self.save("p.npy", self.clustered(3000))
        for command in (("knn", "p.npy", "-k", 4, "--reduce", "radius"), ("fof", "p.npy", "--linking-length", .01)):
            for budget, noted in (("1M", True), ("4G", False)):
                r = self.run_zwalk(*command, "--pieces", 3, "--memory-budget", budget, "-o", "out", "--force")
                self.assertEqual(r.returncode, 0, r.stderr)
                self.assertEqual("points in 3 pieces need up to" in r.stderr, noted, r.stderr)
                self.assertEqual("memory budget of 1.0 MiB" in r.stderr, noted, r.stderr)

    def test_snapshot(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        with h5py.File(self.path("s.hdf5"), "w") as f:
            f.create_group("Header").attrs["BoxSize"] = 1.
            f["PartType1/Coordinates"] = self.clustered(3000)
            f["PartType1/Velocities"] = self.rng.standard_normal((3000, 3)).astype("f4")
            f["PartType1/Masses"] = self.rng.random(3000) + 1
        if "no HDF5" in self.run_zwalk("info", "s.hdf5").stderr:
            self.skipTest("a build without HDF5")
        self.same("s.hdf5", "--linking-fraction", .3, "--velocities", "s.hdf5", "--masses", "s.hdf5")
        self.same("s.hdf5", "-k", 9, "--reduce", "sph", "--masses", "s.hdf5", command="knn")

    def test_one_group_through_all_pieces_and_few_points(self):
        self.save("p.npy", self.rng.random((4000, 3)))
        self.same("p.npy", "--linking-length", .3)
        self.save("p.npy", np.full((3000, 3), .3, "f4"))
        self.same("p.npy", "--linking-length", 0)
        for n in (0, 1, 2, 5):
            self.save("p.npy", self.rng.random((n, 3)))
            self.same("p.npy", "--linking-length", .3, "--min-members", 1)

    def test_refusals_leave_nothing(self):
        x = self.rng.random((600000, 3)).astype("f4")
        self.save("p.npy", x)
        bytes_of = open(self.path("p.npy"), "rb").read()
        self.write("cut.npy", bytes_of[:-400])
        x[-1, 2] = np.nan
        self.save("nan.npy", x)
        self.save("m.npy", np.append(np.ones(599999, "f4"), np.float32(0)))
        self.write("t.csv", "0,0,0\n")
        b = ("--linking-length", .001, "-o", "out")
        self.refused(2, "row 599999", "fof", "nan.npy", *b, "--pieces", 3)
        self.refused(2, "mass 599999", "fof", "p.npy", *b, "--pieces", 3, "--masses", "m.npy")
        self.refused(2, "cut.npy", "fof", "cut.npy", *b, "--pieces", 3)
        self.refused(2, "a text", "fof", "t.csv", *b, "--pieces", 3)
        self.refused(2, "box length 0.5", "fof", "p.npy", *b, "--pieces", 3, "--box", .5)
        for bad in (0, "", "many", 16385):
            self.refused(2, f"--pieces must be a whole number 1 to 16384, not '{bad}'", "fof", "p.npy", *b, "--pieces", bad)
        self.refused(1, "memory", "fof", "p.npy", *b, "--pieces", "auto", "--memory-budget", "1M")
        for option in (("--members",), ("--order", "z"), ("--sphere", "degrees")):
            self.save("q.npy", self.rng.random((10, 3 if option[0] != "--sphere" else 2)))
            self.refused(2, option[0], "fof", "q.npy", *b, "--pieces", 3, *option)

    def test_killed_runs_leave_no_temporary_file(self):
        self.save("p.npy", self.clustered(2000000).astype("f4"))
        before = sorted(os.listdir(self.dir))
        p = subprocess.Popen([ZWALK, "fof", "p.npy", "--linking-length", ".001", "--pieces", "9", "-o", "out", "--quiet"],
                             cwd=self.dir)
        while not any(name.startswith("out.tmp") for name in os.listdir(self.dir)) and p.poll() is None:
            time.sleep(.001)
        time.sleep(.05)
        p.send_signal(signal.SIGTERM)
        if p.wait() == 0:
            self.skipTest("it was through before")
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def kept(self, megabytes):
        """The stats of a run in pieces that kept to the memory that was predicted, within a budget."""
        stats = json.load(open(self.path("s.json")))
        peak, predicted = stats["bytes"]["peak_resident"], stats["bytes"]["predicted_peak"]
        self.assertLessEqual(predicted, megabytes << 20)
        self.assertLess(peak, 1.1 * predicted)
        self.assertGreater(peak, .4 * predicted)
        self.assertGreater(stats["counts"]["pieces"], 1)
        return stats

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_memory_is_kept(self):
        n = 2000000
        self.save("p.npy", self.clustered(n).astype("f4"))
        for budget, catalogue in ((100, ()), (50, ()), (50, ("--labels-only",))):
            self.ok("fof", "p.npy", "--linking-fraction", .2, "--pieces", "auto", "--memory-budget", f"{budget}M",
                    "--threads", 2, "--stats", "s.json", "--quiet", "--box", 1, "-o", "out", "--force", *catalogue)
            stats = self.kept(budget)
            self.assertLess(stats["counts"]["border_points"], .2 * n)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_memory_of_reductions_is_kept(self):
        n = 2000000
        self.save("p.npy", self.clustered(n).astype("f4"))
        for budget, k in ((100, 16), (60, 4)):
            self.ok("knn", "p.npy", "-k", k, "--reduce", "sph", "--pieces", "auto", "--memory-budget", f"{budget}M",
                    "--threads", 2, "--stats", "s.json", "--quiet", "--box", 1, "-o", "out", "--force")
            stats = self.kept(budget)
            self.assertGreater(stats["counts"]["border_points"], 0)
            self.assertLess(stats["counts"]["border_points"], .3 * n)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_memory_of_queries_is_kept(self):
        n = 1000000
        self.save("p.npy", self.clustered(n).astype("f4"))
        self.save("m.npy", self.rng.random(n).astype("f4") + 1)
        self.save("q.npy", np.vstack([self.rng.random((n, 3)), self.rng.random((n, 3)) * .01]).astype("f4"))
        self.ok("knn", "p.npy", "-k", 12, "--reduce", "sph", "--pieces", "auto", "--memory-budget", "68M", "--query", "q.npy",
                "--masses", "m.npy", "--threads", 2, "--stats", "s.json", "--quiet", "--box", 1, "-o", "out")
        self.kept(68)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_columns_of_a_wide_array_take_no_more_memory(self):
        n, budget = 500000, 55
        self.save("wide.npy", self.rng.random((n, 64), "f4"))
        self.ok("fof", "wide.npy", "--columns", "3,7,60", "--linking-length", .001, "--pieces", "auto", "--memory-budget", f"{budget}M",
                "--threads", 1, "--stats", "s.json", "--quiet", "--labels-only", "-o", "out")
        self.assertLess(json.load(open(self.path("s.json")))["bytes"]["peak_resident"], 1.1 * (budget << 20))
