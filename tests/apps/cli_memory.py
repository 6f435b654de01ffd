"""Memory: what info predicts is what a run takes; refusals before any work."""
import json
import os
import re
import unittest

import numpy as np

from harness import SANITIZED, Case


class Memory(Case):
    def predicted(self, *args):
        return int(re.search(r"\((\d+) bytes\)", self.ok("info", *args)).group(1))

    def run_stats(self, *args):
        self.ok("knn", *args, "-o", "out", "--stats", "s.json", "--force", "--quiet")
        return json.load(open(self.path("s.json")))

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_the_prediction_holds(self):
        rng = np.random.default_rng(1)
        self.save("p.npy", rng.random((500000, 3), "f4"))
        self.save("q.npy", rng.random((500000, 3), "f4"))
        for args in (("-k", 8), ("-k", 1, "--query", "q.npy"),
                     ("-k", 1, "--query", "q.npy", "--memory-budget", "24M")):
            args = ("p.npy", *args, "--threads", 2)
            stats = self.run_stats(*args)
            peak = stats["bytes"]["peak_resident"]
            self.assertLess(abs(self.predicted(*args) / peak - 1), .2, (args, peak))
            self.assertAlmostEqual(stats["bytes"]["predicted_peak"] / self.predicted(*args), 1,
                                   places=2)
        self.assertEqual(stats["bytes"]["budget"], 24 << 20)
        self.assertGreater(stats["counts"]["batches"], 1)

    def test_batches_give_the_same_files(self):
        rng = np.random.default_rng(2)
        self.save("p.npy", rng.random((4000, 3)))
        self.save("q.npy", rng.random((20000, 3)))
        for order, files in (("input", ()), ("z", ("order", "source_order"))):
            args = ("knn", "p.npy", "-k", 5, "--query", "q.npy", "--order", order, "--quiet")
            self.ok(*args, "-o", f"{order}all", "--memory-budget", "1T")
            for budget in (1, "1M"):
                self.ok(*args, "-o", f"{order}{budget}", "--memory-budget", budget)
                for file in ("indices", "distances", *files):
                    a, b = (self.load(f"{order}{way}/{file}.npy") for way in ("all", budget))
                    self.assertTrue(np.array_equal(a, b), (order, budget, file))

    def test_batches_of_an_index(self):
        rng = np.random.default_rng(5)
        self.save("p.npy", rng.random((4000, 3)))
        self.save("q.npy", rng.random((20000, 3)))
        self.ok("knn", "p.npy", "--save-index", "i.zwx")
        self.ok("knn", "p.npy", "--query", "q.npy", "-k", 5, "-o", "plain")
        stats = self.run_stats("--index", "i.zwx", "--query", "q.npy", "-k", 5,
                               "--memory-budget", 1)
        self.assertEqual(stats["counts"]["batches"], 3)
        for file in ("indices", "distances"):
            self.assertTrue(np.array_equal(*(self.load(f"{a}/{file}.npy") for a in ("plain", "out"))))
        self.refused(1, "not enough memory", "knn", "--index", "i.zwx", "--query", "q.npy",
                     "-k", 10**12, "-o", "no")
        self.assertFalse(os.path.exists(self.path("no")))

    def test_a_budget_that_cannot_be_kept_is_said(self):
        self.save("p.npy", np.random.default_rng(3).random((1000, 3)))
        run = self.run_zwalk("knn", "p.npy", "-k", 2, "-o", "out", "--memory-budget", "1K")
        self.assertEqual(run.returncode, 0)
        self.assertIn("zwalk: note: ", run.stderr)
        self.assertIn("memory budget", run.stderr)

    def test_refused_before_work(self):
        self.save("p.npy", np.random.default_rng(4).random((1000, 3)))
        for k in (10**12, 2**62):
            for more in ((), ("--query", "p.npy"), ("--memory-budget", 1)):
                self.refused(1, "not enough memory", "knn", "p.npy", "-k", k, *more, "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")))
        self.assertIn("PiB at the peak", self.ok("info", "p.npy", "-k", 10**12))
