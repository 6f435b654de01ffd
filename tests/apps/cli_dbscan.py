"""zwalk dbscan against brute force, and against scikit-learn where it is installed."""
import json
import os
import unittest

import numpy as np

from cli_radius import squared_distances
from harness import GPU, MAX_DIM, Case


def brute(points, epsilon, min_samples, box=None):
    """labels, core by sums in double: for an epsilon that no pair is close to, and no ties of border points."""
    d2 = squared_distances(points, points, box)
    near = np.sqrt(d2) <= epsilon
    core = near.sum(1) >= min_samples
    links = near & core & core[:, None]
    cluster = np.where(core, np.arange(len(points)), -1)
    for start in np.nonzero(core)[0]:  # from each one that is in no cluster yet, along the links
        if cluster[start] != start:
            continue
        members = np.zeros(len(points), bool)
        members[start] = True
        while True:
            more = members | links[members].any(0)
            if (more == members).all():
                break
            members = more
        cluster[members] = start
    for i in np.nonzero(~core & (near & core).any(1))[0]:
        cluster[i] = cluster[np.argmin(np.where(core, d2[i], np.inf))]
    labels = np.full(len(points), -1)
    for c in np.unique(cluster[cluster >= 0]):
        labels[cluster == c] = np.nonzero(cluster == c)[0][0]
    return labels, core


class Dbscan(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(8)

    def dbscan(self, points, epsilon, min_samples, *args):
        """labels, core"""
        self.save("p.npy", points)
        self.ok("dbscan", "p.npy", "--epsilon", epsilon, "--min-samples", min_samples, *args, "-o", "out", "--force",
                "--quiet")
        labels, core = self.load("out/labels.npy"), self.load("out/core.npy")
        self.assertEqual((labels.dtype, core.dtype), (np.int64, np.uint8))
        self.assertEqual((labels.shape, core.shape), ((len(points), ), (len(points), )))
        return labels, core

    def assert_same(self, a, b):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)

    def test_brute_force(self):
        found = 0
        for dtype in ("f4", "f8"):
            for dim, epsilon in ((1, .001), (2, .03), (3, .08), (5, .3)):
                if dim > MAX_DIM:
                    continue
                points = self.rng.random((400, dim)).astype(dtype)
                for min_samples in (1, 3, 5, 30):
                    for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                        args = [] if box is None else ["--box", ",".join(map(str, box))]
                        labels, core = self.dbscan(points, epsilon, min_samples, *args)
                        self.assert_same((labels, core), brute(points, epsilon, min_samples, box))
                        found += np.count_nonzero((labels >= 0) & (core == 0))
        self.assertGreater(found, 100)  # border points

    def test_sklearn(self):
        try:
            from sklearn.cluster import DBSCAN
        except ImportError:
            self.skipTest("no scikit-learn")
        centres = self.rng.random((30, 3))
        points = np.concatenate([self.rng.random((2000, 3)),
                                 centres[self.rng.integers(0, 30, 4000)] + self.rng.normal(size=(4000, 3)) * .02])
        for epsilon, min_samples in ((.02, 5), (.05, 12), (.1, 100)):
            labels, core = self.dbscan(points, epsilon, min_samples)
            expected = DBSCAN(eps=epsilon, min_samples=min_samples).fit(points)
            is_core = np.zeros(len(points), bool)
            is_core[expected.core_sample_indices_] = True
            np.testing.assert_array_equal(core, is_core)
            np.testing.assert_array_equal(labels == -1, expected.labels_ == -1)
            # Clusters are numbered otherwise, and of several that a border point is near to there is another choice.
            pairs = np.unique(np.stack([labels, expected.labels_])[:, is_core], axis=1)
            self.assertEqual(pairs.shape[1], len(np.unique(pairs[0])))
            self.assertEqual(pairs.shape[1], len(np.unique(pairs[1])))
            self.assertEqual(pairs.shape[1], expected.labels_.max() + 1)
            border = np.nonzero((labels >= 0) & ~is_core)[0]
            self.assertGreater(len(border), 20)
            for i in border:
                near = is_core & (labels == labels[i])
                self.assertLessEqual(((points[near] - points[i]) ** 2).sum(1).min(), epsilon * epsilon * (1 + 1e-12))

    def test_labels_are_smallest_indices(self):
        points = self.rng.random((3000, 2))
        labels, core = self.dbscan(points, .02, 5)
        for label in np.unique(labels[labels >= 0]):
            self.assertEqual(np.nonzero(labels == label)[0][0], label)
        self.assertTrue(np.all(labels[core == 1] >= 0))

    def test_equal_points(self):
        self.assert_same(self.dbscan(np.zeros((40, 2)), 0, 40), (np.zeros(40), np.ones(40)))
        self.assert_same(self.dbscan(np.zeros((40, 2)), 0, 41), (np.full(40, -1), np.zeros(40)))

    def test_few_points(self):
        for n in (0, 1, 2):
            self.assert_same(self.dbscan(np.zeros((n, 3)), 1, 2), (np.full(n, 0 if n == 2 else -1), np.full(n, n == 2)))

    def test_orders_and_threads_give_the_same(self):
        points = self.rng.normal(size=(5000, 3)).astype("f4")
        first = self.dbscan(points, .2, 8, "--threads", 1)
        self.assert_same(first, self.dbscan(points, .2, 8, "--threads", 3, "--memory-budget", "1M"))
        z = self.dbscan(points, .2, 8, "--order", "z")
        order = self.load("out/order.npy")
        self.assert_same(z, [a[order] for a in first])

    def test_precision_and_wrap(self):
        points = self.rng.random((2000, 3))
        single = self.dbscan(points.astype("f4"), .06, 4)
        self.assert_same(single, self.dbscan(points, .06, 4, "--precision", "f4"))
        inside = self.dbscan(points.astype("f4"), .06, 4, "--box", 1)
        moved = points.astype("f4").astype("f8") + self.rng.integers(-2, 3, size=points.shape)
        self.assert_same(inside, self.dbscan(moved, .06, 4, "--box", 1, "--wrap"))

    def test_output_and_stats(self):
        self.save("p.npy", self.rng.random((3000, 2)))
        said = self.ok("dbscan", "p.npy", "--epsilon", .01, "--min-samples", 4, "-o", "out", "--stats", "out/s.json")
        labels, core = self.load("out/labels.npy"), self.load("out/core.npy")
        clusters, noise = len(np.unique(labels[labels >= 0])), np.count_nonzero(labels < 0)
        with open(self.path("out/s.json")) as f:
            s = json.load(f)
        seconds = s["seconds"]
        self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], 6)
        for phase in ("sort", "planes", "core", "clusters", "borders", "labels"):
            self.assertIn(phase, seconds["phases"])
        self.assertEqual([s["counts"][name] for name in ("points", "clusters", "core_points", "noise")],
                         [3000, clusters, core.sum(), noise])
        self.assertEqual(s["bytes"]["output"],
                         sum(os.path.getsize(self.path(f"out/{name}.npy")) for name in ("labels", "core")))
        for line in ("epsilon     0.01", f"clusters    {clusters}", f"core        {core.sum()} points",
                     f"noise       {noise} points"):
            self.assertIn(line, said)

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        for part, *args in (
                ("--epsilon is required", "--min-samples", 3),
                ("--min-samples is required", "--epsilon", 1),
                ("--epsilon must not be negative", "--epsilon", -1, "--min-samples", 3),
                ("--epsilon", "--epsilon", "far", "--min-samples", 3),
                ("--epsilon", "--epsilon", "inf", "--min-samples", 3),
                ("--epsilon", "--epsilon", "nan", "--min-samples", 3),
                ("--min-samples", "--epsilon", 1, "--min-samples", 0),
                ("--min-samples", "--epsilon", 1, "--min-samples", "some"),
                ("too large for the precision", "--epsilon", 1e39, "--min-samples", 3, "--precision", "f4"),
                ("box", "--epsilon", 1, "--min-samples", 3, "--box", .5),
                ("--order", "--epsilon", 1, "--min-samples", 3, "--order", "x")):
            self.refused(2, part, "dbscan", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "dbscan", "p.npy", "--epsilon", 1, "--min-samples", 3, "--device", "cuda",
                         "-o", "out")
        self.refused(2, "-o", "dbscan", "p.npy", "--epsilon", 1, "--min-samples", 3)

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        points = self.rng.random((3000, 3)).astype("f4")
        for more in ((), ("--order", "z")):
            args = points, .08, 6, "--box", 1, *more
            self.assert_same(self.dbscan(*args, "--device", "cpu"), self.dbscan(*args, "--device", "cuda"))


if __name__ == "__main__":
    unittest.main()
