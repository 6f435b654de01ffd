"""zwalk peaks against brute force, and its cuts."""
import json
import os
import unittest

import numpy as np

from cli_radius import squared_distances
from harness import GPU, MAX_DIM, Case


def brute(points, k, box=None):
    """radius, delta, denser by sums in double, for points without ties of distances."""
    d = np.sqrt(squared_distances(points, points, box))
    n = len(points)
    radius = np.sort(d, axis=1)[:, k - 1] if k <= n else np.full(n, np.inf)
    order = np.lexsort((np.arange(n), radius))
    rank = np.empty(n, int)
    rank[order] = np.arange(n)
    to_denser = np.where(rank < rank[:, None], d, np.inf)
    denser = np.where(rank > 0, np.argmin(to_denser, axis=1), -1) if n else np.zeros(0, int)
    return radius, to_denser.min(1, initial=np.inf), denser


class Peaks(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(8)

    def peaks(self, points, k, *args):
        self.save("p.npy", points)
        self.ok("peaks", "p.npy", "-k", k, *args, "-o", "out", "--force", "--quiet")
        found = [self.load(f"out/{name}.npy") for name in ("radius", "delta", "nearest_denser")]
        self.assertEqual([a.dtype for a in found], [points.dtype, points.dtype, np.int64])
        self.assertEqual({a.shape for a in found}, {(len(points), )})
        return found

    def test_brute_force(self):
        for dtype in ("f4", "f8"):
            for dim in (1, 2, 3, 5):
                if dim > MAX_DIM:
                    continue
                points = self.rng.random((300, dim)).astype(dtype)
                for k in (2, 5, 30, 301):
                    for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                        args = [] if box is None else ["--box", ",".join(map(str, box))]
                        radius, delta, denser = self.peaks(points, k, *args)
                        expected = brute(points, k, box)
                        np.testing.assert_allclose(radius, expected[0], rtol=1e-4 if dtype == "f4" else 1e-12)
                        # Where radii are so close that rounding decides, single points differ.
                        self.assertLess(np.count_nonzero(denser != expected[2]), 4)
                        same = denser == expected[2]
                        np.testing.assert_allclose(delta[same], expected[1][same], rtol=1e-4 if dtype == "f4" else 1e-12)

    def test_clusters(self):
        centres = np.array([[0, 0], [30, 0], [0, 30]])
        points = np.concatenate([c + self.rng.normal(size=(200, 2)) * s for c, s in zip(centres, (1, 2, 4), strict=True)])
        radius, delta, denser = self.peaks(points, 20, "--clusters", 3)
        labels, rows = self.load("out/labels.npy"), self.load("out/centres.npy")
        self.assertEqual(rows.tolist(), sorted(rows.tolist(), key=lambda r: radius[r]))
        np.testing.assert_array_equal(np.sort(rows), np.sort(np.argsort(-delta / radius)[:3]))
        self.assertGreater(np.mean(labels == np.repeat(labels[rows][np.argsort(rows)], 200)), .98)
        follows = np.setdiff1d(np.arange(600), rows)
        np.testing.assert_array_equal(labels[follows], labels[denser[follows]])
        np.testing.assert_array_equal(labels[rows], np.arange(3))
        self.peaks(points, 20, "--min-delta", 10)
        np.testing.assert_array_equal(self.load("out/labels.npy"), labels)
        self.peaks(points, 20, "--clusters", 3, "--max-radius", float(radius[rows[0]]))
        self.assertEqual(self.load("out/centres.npy").tolist(), [rows[0]])
        self.peaks(points, 20, "--clusters", 3, "--max-radius", 0)
        self.assertEqual(self.load("out/labels.npy").tolist(), [-1] * 600)

    def test_few_points(self):
        for n in (0, 1, 2):
            radius, delta, denser = self.peaks(np.zeros((n, 3)), 2, "--clusters", 1)
            self.assertEqual(denser.tolist(), [-1, 0][:n])
            self.assertEqual(delta.tolist(), [np.inf, 0][:n])
            self.assertEqual(self.load("out/labels.npy").tolist(), [0] * n)

    def test_orders_and_threads_give_the_same(self):
        points = self.rng.normal(size=(5000, 3)).astype("f4")
        first = self.peaks(points, 8, "--threads", 1)
        for a, b in zip(first, self.peaks(points, 8, "--threads", 3, "--memory-budget", "1M"), strict=True):
            np.testing.assert_array_equal(a, b)
        z = self.peaks(points, 8, "--order", "z")
        order = self.load("out/order.npy")
        for a, b in zip(z, first, strict=True):
            np.testing.assert_array_equal(a, b[order])

    def test_on_a_sphere(self):
        self.save("p.npy", self.rng.random((200, 2)) * [360, 60])
        self.ok("peaks", "p.npy", "-k", 5, "--sphere", "degrees", "--min-delta", 20, "-o", "out")
        delta, rows = self.load("out/delta.npy"), self.load("out/centres.npy")
        np.testing.assert_array_equal(np.sort(rows), np.nonzero(delta > 20)[0])

    def test_stats_and_words(self):
        self.save("p.npy", self.rng.random((500, 3)))
        said = self.ok("peaks", "p.npy", "-k", 6, "--clusters", 4, "-o", "out", "--stats", "out/s.json")
        self.assertIn("clusters    4\n", said)
        with open(self.path("out/s.json")) as f:
            s = json.load(f)
        self.assertEqual([s["counts"][name] for name in ("points", "clusters")], [500, 4])
        self.assertAlmostEqual(sum(s["seconds"]["phases"].values()), s["seconds"]["compute"], 3)
        for phase in ("sort", "planes", "density", "walk", "clusters"):
            self.assertIn(phase, s["seconds"]["phases"])
        names = "radius", "delta", "nearest_denser", "labels", "centres"
        self.assertEqual(s["bytes"]["output"], sum(os.path.getsize(self.path(f"out/{name}.npy")) for name in names))

    def test_refusals(self):
        self.save("p.npy", self.rng.random((50, 3)))
        for words, args in (("-k is required", ()), ("-k", ("-k", 0)), ("--clusters", ("-k", 3, "--clusters", 0)),
                            ("--min-delta must not be negative", ("-k", 3, "--min-delta", "-1")),
                            ("--max-radius needs --clusters or --min-delta", ("-k", 3, "--max-radius", 1)),
                            ("--order z", ("-k", 3, "--clusters", 2, "--order", "z"))):
            self.refused(2, words, "peaks", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "peaks", "p.npy", "-k", 3, "--device", "cuda", "-o", "out")

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        points = self.rng.random((3000, 3)).astype("f4")
        for more in ((), ("--order", "z")):
            args = points, 8, "--box", 1, *more
            for a, b in zip(self.peaks(*args, "--device", "cpu"), self.peaks(*args, "--device", "cuda"), strict=True):
                np.testing.assert_array_equal(a, b)


if __name__ == "__main__":
    unittest.main()
