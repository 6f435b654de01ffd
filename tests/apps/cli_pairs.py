"""zwalk pairs against all pairs."""
import json
import os
import unittest

import numpy as np

from harness import GPU, MAX_DIM, Case
from cli_radius import squared_distances


def histogram(d, edges, weights):
    """Sums of weights of those with edges[i] < d <= edges[i + 1]."""
    bins = np.searchsorted(edges, d, side="left") - 1
    inside = (bins >= 0) & (bins < len(edges) - 1)
    return np.bincount(bins[inside], weights[inside], len(edges) - 1)


class Pairs(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(11)

    def pairs(self, points, *args):
        self.save("p.npy", points)
        self.ok("pairs", "p.npy", *args, "-o", "out", "--force", "--quiet")
        counts = self.load("out/counts.npy")
        self.assertEqual(counts.dtype, np.int64)
        return counts

    def test_counts(self):
        for dtype in ("f4", "f8"):
            for dim in (1, 2, 3, 5):
                if dim > MAX_DIM:
                    continue
                points, others = self.rng.random((300, dim)).astype(dtype), self.rng.random((80, dim)).astype(dtype)
                self.save("q.npy", others)
                for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                    args = ["--bins", "0.01,0.4,7"] + ([] if box is None else ["--box", ",".join(map(str, box))])
                    d = np.sqrt(squared_distances(points, points, box))
                    counts = self.pairs(points, *args)
                    edges = self.load("out/edges.npy")
                    np.testing.assert_allclose(edges, np.linspace(.01, .4, 8), rtol=1e-15)
                    np.testing.assert_array_equal(counts, histogram(d, edges, np.ones_like(d)))
                    self.assertFalse(os.path.exists(self.path("out/weighted.npy")))
                    d = np.sqrt(squared_distances(points, others, box))
                    np.testing.assert_array_equal(self.pairs(points, *args, "--second", "q.npy"),
                                                  histogram(d, edges, np.ones_like(d)))

    def test_weights(self):
        points, others = self.rng.random((300, 3)), self.rng.random((90, 3))
        w, v = self.rng.random(300), self.rng.random(90)
        self.save("q.npy", others)
        self.save("w.npy", w)
        self.save("v.npy", v)
        self.write("edges.csv", "0.02\n0.1\n0.3\n0.31\n")
        edges = np.array([.02, .1, .3, .31])
        d, e = np.sqrt(squared_distances(points, points)), np.sqrt(squared_distances(others, points))
        self.pairs(points, "--edges", "edges.csv", "--weights", "w.npy")
        np.testing.assert_allclose(self.load("out/weighted.npy"), histogram(d, edges, w[:, None] * w), rtol=1e-10)
        for args, first, second in ((["--weights", "w.npy", "--second-weights", "v.npy"], w, v),
                                    (["--weights", "w.npy"], w, np.ones(90)),
                                    (["--second-weights", "v.npy"], np.ones(300), v)):
            self.pairs(points, "--edges", "edges.csv", "--second", "q.npy", *args)
            np.testing.assert_allclose(self.load("out/weighted.npy"),
                                       histogram(e, edges, first[:, None] * second), rtol=1e-10)

    def test_line_of_sight(self):
        points = self.rng.random((300, 3))
        dx = np.abs(points[:, None] - points)
        dx = np.minimum(dx, 1 - dx)
        for axis in (2, 0):
            pi = dx[..., axis]
            rp, s = np.sqrt((dx ** 2).sum(-1) - pi ** 2), np.sqrt((dx ** 2).sum(-1))
            sight = [] if axis == 2 else ["--line-of-sight", axis]
            counts = self.pairs(points, "--bins", ".02,.3,4,log", "--pi-max", .4, "--pi-bins", 5, "--box", 1, *sight)
            edges, los = self.load("out/edges.npy"), self.load("out/los_edges.npy")
            np.testing.assert_allclose(edges, np.geomspace(.02, .3, 5), rtol=1e-14)
            np.testing.assert_array_equal(los, np.arange(6) * .4 / 5)
            np.testing.assert_array_equal(counts, np.histogram2d(rp.ravel(), pi.ravel(), (edges, los))[0])
            counts = self.pairs(points, "--bins", ".02,.3,4,log", "--mu-bins", 4, "--box", 1, *sight)
            off = ~np.eye(300, dtype=bool)
            np.testing.assert_array_equal(
                counts, np.histogram2d(s[off], (pi[off] / s[off]), (edges, np.arange(5) / 4))[0])

    def test_same_bytes(self):
        points = self.rng.random((3000, 3)).astype("f4")
        self.save("w.npy", self.rng.random(3000))
        args = ["--bins", "0,.5,10", "--weights", "w.npy", "--box", "1"]
        first = self.pairs(points, *args, "--threads", 1), self.load("out/weighted.npy")
        self.ok("pairs", "p.npy", *args, "-o", "s", "--quiet", "--stats", "stats.json")
        with open(self.path("stats.json")) as f:
            stats = json.load(f)
        self.assertAlmostEqual(sum(stats["seconds"]["phases"].values()), stats["seconds"]["compute"], delta=.05)
        self.assertGreater(stats["counts"]["leaf_entries"], 0)
        for more in (["--threads", 3], ["--memory-budget", "40M"]) + ((["--device", "cuda"],) if GPU else ()):
            np.testing.assert_array_equal(self.pairs(points, *args, *more), first[0])
            np.testing.assert_array_equal(self.load("out/weighted.npy"), first[1])

    def test_wrap(self):
        points, others = self.rng.random((200, 3)), self.rng.random((50, 3))
        self.save("q.npy", others)
        a = self.pairs(points, "--bins", "0,.3,5", "--box", 1, "--second", "q.npy")
        self.save("q.npy", others + 3)
        b = self.pairs(points - 2, "--bins", "0,.3,5", "--box", 1, "--wrap", "--second", "q.npy")
        np.testing.assert_array_equal(a, b)

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.save("flat.npy", self.rng.random((20, 2)))
        self.save("w.npy", np.ones(19))
        bins = "--bins", "0,1,3"
        for part, *args in (
                ("either --edges or --bins is required", ),
                ("either --edges or --bins is required", *bins, "--edges", "w.npy"),
                ("--bins takes", "--bins", "0,1"),
                ("--bins takes", "--bins", "1,0,3"),
                ("--bins takes", "--bins", "0,1,2.5"),
                ("RMIN > 0", "--bins", "0,1,3,log"),
                ("--bins", "--bins", "0,far,3"),
                ("finite numbers >= 0", "--bins", "-1,1,3"),
                ("edges must ascend", "--edges", "w.npy"),
                ("one number per row", "--edges", "flat.npy"),
                ("19 weights, but 20 points", *bins, "--weights", "w.npy"),
                ("the weights of the points of --second", *bins, "--second-weights", "w.npy"),
                ("2 columns", *bins, "--second", "flat.npy"),
                ("go together", *bins, "--pi-max", 1),
                ("exclude each other", *bins, "--pi-max", 1, "--pi-bins", 2, "--mu-bins", 3),
                ("--line-of-sight goes with", *bins, "--line-of-sight", 1),
                ("--line-of-sight", *bins, "--mu-bins", 3, "--line-of-sight", 5),
                ("--mu-bins", *bins, "--mu-bins", 0),
                ("--pi-max must be positive", *bins, "--pi-max", 0, "--pi-bins", 2),
                ("--order z", *bins, "--order", "z"),
                ("box", *bins, "--box", .2),
                ("No such file", *bins, "--second", "none.npy")):
            self.refused(2, part, "pairs", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "pairs", "p.npy", *bins, "--device", "cuda", "-o", "out")
        self.refused(2, "-o", "pairs", "p.npy", *bins)


if __name__ == "__main__":
    unittest.main()
