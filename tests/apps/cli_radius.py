"""zwalk radius against brute force, and against SciPy where it is installed."""
import json
import os
import unittest

import numpy as np

from harness import GPU, MAX_DIM, Case


def squared_distances(sources, queries, box=None):
    """(queries, sources), by sums in double: for radii that no pair is close to."""
    d2 = np.zeros((len(queries), len(sources)))
    for j in range(sources.shape[1]):
        dx = np.abs(queries[:, j, None] - sources[None, :, j]).astype("f8")
        if box is not None and box[j] > 0:
            dx = np.minimum(dx, box[j] - dx)
        d2 += dx * dx
    return d2


class Radius(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(8)

    def radius(self, points, *args):
        """offsets, indices, distances; counts.npy is checked here."""
        self.save("p.npy", points)
        self.ok("radius", "p.npy", *args, "-o", "out", "--force", "--quiet")
        offsets, indices, distances = (self.load(f"out/{name}.npy") for name in ("offsets", "indices", "distances"))
        counts = self.load("out/counts.npy")
        np.testing.assert_array_equal(counts, np.diff(offsets))
        for array in (offsets, indices, counts):
            self.assertEqual(array.dtype, np.int64)
        self.assertEqual(distances.dtype, points.dtype)
        self.assertEqual((offsets[0], offsets[-1]), (0, len(indices)))
        self.assertEqual(len(indices), len(distances))
        return offsets, indices, distances

    def check(self, found, d2, r, tolerance):
        """Each row has those within r, or r[i], nearest first, with their distances."""
        offsets, indices, distances = found
        self.assertEqual(len(offsets), len(d2) + 1)
        for i, row in enumerate(d2):
            here = slice(offsets[i], offsets[i + 1])
            np.testing.assert_array_equal(np.sort(indices[here]), np.nonzero(np.sqrt(row) <= (r[i] if np.ndim(r) else r))[0])
            self.assertTrue(np.all(np.diff(distances[here]) >= 0))
            np.testing.assert_allclose(distances[here], np.sqrt(row[indices[here]]), rtol=tolerance, atol=1e-7)

    def test_lists(self):
        for dtype, tolerance in (("f4", 1e-5), ("f8", 1e-12)):
            for dim, r in ((1, .01), (2, .08), (3, .2), (5, .4)):
                if dim > MAX_DIM:
                    continue
                points, queries = self.rng.random((200, dim)).astype(dtype), self.rng.random((30, dim)).astype(dtype)
                self.save("q.npy", queries)
                for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                    args = ["--radius", r] + ([] if box is None else ["--box", ",".join(map(str, box))])
                    d2 = squared_distances(points, points, box)
                    self.check(self.radius(points, *args), d2, r, tolerance)
                    np.fill_diagonal(d2, np.inf)
                    self.check(self.radius(points, *args, "--exclude-self"), d2, r, tolerance)
                    self.check(self.radius(points, *args, "--query", "q.npy"),
                               squared_distances(points, queries, box), r, tolerance)

    def test_scipy(self):
        try:
            from scipy.spatial import cKDTree
        except ImportError:
            self.skipTest("no SciPy")
        points = self.rng.random((5000, 3))
        offsets, indices, _ = self.radius(points, "--radius", .07, "--box", 1)
        expected = cKDTree(points, boxsize=1).query_ball_point(points, .07, return_sorted=True)
        for i, row in enumerate(expected):
            self.assertEqual(sorted(indices[offsets[i]:offsets[i + 1]]), row)

    def test_radii(self):
        for dtype, tolerance in (("f4", 1e-5), ("f8", 1e-12)):
            points, queries = self.rng.random((300, 3)).astype(dtype), self.rng.random((40, 3)).astype(dtype)
            r = self.rng.random(300).round(3) ** 3 / 2
            self.save("q.npy", queries)
            self.save("r.npy", r)
            self.save("rq.npy", r[:40].astype("f4"))
            np.savetxt(self.path("r.txt"), r)
            for box in (None, [1., 0., 1.]):
                args = ["--radii", "r.npy"] + ([] if box is None else ["--box", ",".join(map(str, box))])
                d2 = squared_distances(points, points, box)
                found = self.radius(points, *args)
                self.check(found, d2, r[:, None], tolerance)
                for a, b in zip(found, self.radius(points, "--radii", "r.txt", *args[2:])):
                    self.assertEqual(a.tobytes(), b.tobytes())
                self.check(self.radius(points, *args, "--larger"), d2, np.maximum.outer(r, r), tolerance)
                self.check(self.radius(points, "--radii", "rq.npy", *args[2:], "--query", "q.npy"),
                           squared_distances(points, queries, box), r[:40, None], tolerance)
                np.fill_diagonal(d2, np.inf)
                self.check(self.radius(points, *args, "--exclude-self"), d2, r[:, None], tolerance)
            z = self.radius(points, "--radii", "r.npy", "--order", "z")
            order = self.load("out/order.npy")
            self.save("r.npy", r[order])
            for a, b in zip(z, self.radius(points[order], "--radii", "r.npy")):
                self.assertEqual(a.tobytes(), b.tobytes())
            self.ok("radius", "p.npy", "--radii", "r.npy", "--count", "-o", "n", "--quiet", "--force")
            np.testing.assert_array_equal(self.load("n/counts.npy"), self.load("out/counts.npy"))

    def test_distances_of_neighbours_as_radii(self):
        for dtype in ("f4", "f8"):
            self.save("p.npy", self.rng.normal(size=(2000, 3)).astype(dtype))
            self.ok("knn", "p.npy", "-k", 5, "-o", "near", "--quiet", "--force")
            self.save("r.npy", np.ascontiguousarray(self.load("near/distances.npy")[:, -1]))
            self.ok("radius", "p.npy", "--radii", "r.npy", "--count", "-o", "n", "--quiet", "--force")
            self.assertTrue((self.load("n/counts.npy") >= 5).all())

    def test_radii_that_are_refused(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.save("two.npy", np.ones((20, 2)))
        for name, r in ("r", np.ones(20)), ("few", np.ones(19)), ("none", np.ones(0)), ("negative", np.arange(20) - 2.):
            self.save(name + ".npy", r)
        for value in ("nan", "inf"):
            np.savetxt(self.path(value + ".txt"), np.where(np.arange(20) == 3, float(value), 1.))
        for part, *args in (
                ("leave out either", "--radii", "r.npy", "--radius", 1),
                ("there are 19 radii, but 20 points: give one for each", "--radii", "few.npy"),
                ("there are 0 radii, but 20 points: give one for each", "--radii", "none.npy"),
                ("there are 20 radii, but 19 queries: give one for each", "--radii", "r.npy", "--query", "q.npy"),
                ("one number per row", "--radii", "two.npy"),
                ("the radius of row 0 must be a finite number >= 0, but is -2", "--radii", "negative.npy"),
                ("row 3", "--radii", "nan.txt"), ("row 3", "--radii", "inf.txt"),
                ("--larger", "--radius", 1, "--larger"),
                ("--larger", "--radii", "r.npy", "--larger", "--query", "p.npy"),
                ("No such file", "--radii", "lost.npy")):
            self.save("q.npy", self.rng.random((19, 3)))
            self.refused(2, part, "radius", "p.npy", *args, "-o", "out")

    def test_count(self):
        points = self.rng.random((500, 3)).astype("f4")
        offsets, _, _ = self.radius(points, "--radius", .2)
        self.ok("radius", "p.npy", "--radius", .2, "--count", "-o", "n", "--quiet")
        self.assertEqual(os.listdir(self.path("n")), ["counts.npy"])
        np.testing.assert_array_equal(self.load("n/counts.npy"), np.diff(offsets))
        self.ok("radius", "p.npy", "--radius", .2, "--count", "-o", "n", "--quiet", "--force", "--order", "z")
        np.testing.assert_array_equal(self.load("n/counts.npy"), np.diff(offsets)[self.load("n/order.npy")])

    def test_images(self):
        one = np.array([[.25, .5, .1]])  # the cell of a simple cubic crystal
        offsets, indices, distances = self.radius(one, "--radius", 1.5, "--box", 1, "--images", "--exclude-self")
        self.assertEqual((list(offsets), set(indices)), ([0, 18], {0}))
        np.testing.assert_allclose(distances, [1.] * 6 + [2**.5] * 12)
        self.ok("radius", "p.npy", "--radius", 1.5, "--box", 1, "--images", "--count", "-o", "c")  # without a note
        self.refused(2, "--images doesn't go with --order z", "radius", "p.npy", "--radius", 1, "--box", 1, "--images",
                     "--order", "z", "-o", "x")
        self.refused(2, "give a box", "radius", "p.npy", "--radius", 1, "--images", "-o", "x")

    def test_equal_points_come_in_order_of_rows(self):
        offsets, indices, distances = self.radius(np.zeros((40, 2)), "--radius", 0)
        np.testing.assert_array_equal(indices, np.tile(np.arange(40), 40))
        np.testing.assert_array_equal(distances, 0)

    def test_orders_and_threads_give_the_same(self):
        points = self.rng.normal(size=(3000, 3)).astype("f4")
        first = self.radius(points, "--radius", .2, "--threads", 1)
        for a, b in zip(first, self.radius(points, "--radius", .2, "--threads", 3)):
            self.assertEqual(a.tobytes(), b.tobytes())
        z = self.radius(points, "--radius", .2, "--order", "z")
        order = self.load("out/order.npy")
        for a, b in zip(z, self.radius(points[order], "--radius", .2)):
            self.assertEqual(a.tobytes(), b.tobytes())
        queries = self.rng.normal(size=(100, 3)).astype("f4")
        self.save("q.npy", queries)
        z = self.radius(points, "--radius", .2, "--order", "z", "--query", "q.npy")
        rows, sources = self.load("out/order.npy"), self.load("out/source_order.npy")
        self.save("q.npy", queries[rows])
        for a, b in zip(z, self.radius(points[sources], "--radius", .2, "--query", "q.npy")):
            self.assertEqual(a.tobytes(), b.tobytes())

    def test_wrap(self):
        points, queries = self.rng.random((300, 3)), self.rng.random((20, 3))
        self.save("q.npy", queries)
        a = self.radius(points, "--radius", .2, "--box", 1, "--query", "q.npy")
        self.save("q.npy", queries + self.rng.integers(-2, 3, size=queries.shape))
        b = self.radius(points + self.rng.integers(-2, 3, size=points.shape), "--radius", .2, "--box", 1, "--wrap",
                        "--query", "q.npy")
        np.testing.assert_array_equal(a[0], b[0])
        np.testing.assert_allclose(a[2], b[2], atol=1e-12)

    def test_stats(self):
        self.save("q.npy", self.rng.random((30, 3)))
        offsets, _, _ = self.radius(self.rng.random((300, 3)), "--radius", .1, "--query", "q.npy",
                                    "--stats", "out/s.json")
        with open(self.path("out/s.json")) as f:
            s = json.load(f)
        seconds = s["seconds"]
        self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], 6)
        for phase in ("sort", "planes", "queries", "walk"):
            self.assertIn(phase, seconds["phases"])
        self.assertEqual((s["counts"]["points"], s["counts"]["queries"], s["counts"]["found"]), (300, 30, offsets[-1]))
        files = [os.path.getsize(self.path(f"out/{name}.npy")) for name in ("counts", "offsets", "indices", "distances")]
        self.assertEqual(s["bytes"]["output"], sum(files))

    def test_few_points(self):
        for n in (0, 1, 2):
            offsets, indices, _ = self.radius(np.zeros((n, 3)), "--radius", 1)
            np.testing.assert_array_equal(offsets, np.arange(n + 1) * n)
            np.testing.assert_array_equal(indices, np.tile(np.arange(n), n))

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.save("flat.npy", np.zeros((5, 2)))
        self.save("bad.npy", np.full((5, 3), np.nan))
        for part, *args in (
                ("--radius is required", ),
                ("--radius must not be negative", "--radius", -1),
                ("--radius", "--radius", "far"),
                ("--radius", "--radius", "inf"),
                ("--radius", "--radius", "nan"),
                ("too large for the precision", "--radius", 1e39, "--precision", "f4"),
                ("--exclude-self is for points among themselves", "--radius", 1, "--exclude-self", "--query", "p.npy"),
                ("2 coordinates", "--radius", 1, "--query", "flat.npy"),
                ("queries", "--radius", 1, "--query", "bad.npy"),
                ("box", "--radius", 1, "--box", .5),
                ("--order", "--radius", 1, "--order", "x"),
                ("No such file", "--radius", 1, "--query", "none.npy")):
            self.refused(2, part, "radius", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "radius", "p.npy", "--radius", 1, "--device", "cuda", "-o", "out")
        self.refused(2, "-o", "radius", "p.npy", "--radius", 1)

    def test_lists_that_do_not_fit(self):
        self.save("p.npy", np.zeros((2000, 3), "f4"))
        args = "radius", "p.npy", "--radius", 1, "--memory-budget", "40M", "-o", "out", "--quiet"
        self.refused(1, "4000000 entries in all need 0.048 GB, and 0.0419 GB are the memory budget", *args)
        self.ok(*args, "--count")

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        points = self.rng.random((3000, 3)).astype("f4")
        for more in ((), ("--exclude-self", ), ("--order", "z")):
            one = self.radius(points, "--radius", .1, "--box", 1, "--device", "cpu", *more)
            there = self.radius(points, "--radius", .1, "--box", 1, "--device", "cuda", *more)
            for a, b in zip(one, there):
                np.testing.assert_array_equal(a, b)


if __name__ == "__main__":
    unittest.main()
