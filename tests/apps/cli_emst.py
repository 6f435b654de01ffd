"""zwalk emst against SciPy; zwalk render --edges."""
import json
import os
import struct
import unittest

import numpy as np

from harness import GPU, SANITIZED, Case

try:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial import Delaunay
except ImportError:
    Delaunay = None


def prim_lengths(points, box=None, min_samples=1):
    """Lengths of the edges, ascending, by all pairs in double."""
    d2 = np.zeros((len(points), len(points)))
    for j in range(points.shape[1]):
        dx = np.abs(points[:, j, None].astype("f8") - points[None, :, j])
        if box is not None and box[j] > 0:
            dx = np.minimum(dx, box[j] - dx)
        d2 += dx * dx
    core = np.sort(d2, axis=1)[:, min_samples - 1] if min_samples > 1 else np.zeros(len(points))
    w2 = np.maximum(d2, np.maximum(core[:, None], core[None, :]))
    best, inside, lengths = w2[0].copy(), np.zeros(len(points), bool), []
    inside[0] = True
    for _ in range(len(points) - 1):
        at = np.argmin(np.where(inside, np.inf, best))
        lengths.append(best[at])
        inside[at] = True
        best = np.minimum(best, w2[at])
    return np.sqrt(np.sort(lengths)), np.sqrt(core)


def is_spanning(edges, n):
    """Whether n - 1 edges i < j connect everything."""
    group = np.arange(n)

    def root(i):
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    for i, j in edges:
        a, b = root(i), root(j)
        if i >= j or a == b:
            return False
        group[max(a, b)] = min(a, b)
    return len(edges) == n - 1


class Emst(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(6)

    def emst(self, points, *args):
        self.save("p.npy", points)
        self.ok("emst", "p.npy", *args, "-o", "out", "--force", "--quiet")
        return self.load("out/edges.npy"), self.load("out/lengths.npy")

    def test_trees(self):
        for dtype, tolerance in (("f4", 1e-5), ("f8", 1e-12)):
            for dim in (1, 2, 3, 5):
                points = self.rng.random((300, dim)).astype(dtype)
                for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                    for m in (1, 5):
                        args = [] if box is None else ["--box", ",".join(map(str, box))]
                        edges, lengths = self.emst(points, "--min-samples", m, *args)
                        expected, core = prim_lengths(points, box, m)
                        self.assertEqual(edges.dtype, np.int64)
                        self.assertEqual(lengths.dtype, dtype)
                        self.assertTrue(is_spanning(edges, 300))
                        np.testing.assert_allclose(lengths, expected, rtol=tolerance, atol=tolerance)
                        if m > 1:
                            np.testing.assert_allclose(self.load("out/core_distances.npy"), core,
                                                       rtol=tolerance, atol=tolerance)

    @unittest.skipIf(Delaunay is None, "needs SciPy")
    def test_the_length_of_many_points(self):
        for dim, n in ((2, "3e4"), (3, "8e3")):  # triangulations take most of the time
            for kind in ("uniform", "normal", "clustered"):
                self.ok("generate", kind, n, dim, "-o", "g.npy", "--force", "--quiet")
                points = self.load("g.npy")
                _, lengths = self.emst(points)
                simplices = Delaunay(points).simplices
                pairs = np.concatenate([simplices[:, [a, b]] for a in range(dim + 1) for b in range(a)])
                pairs = np.unique(np.sort(pairs, axis=1), axis=0)
                d = np.sqrt(((points[pairs[:, 0]] - points[pairs[:, 1]]) ** 2).sum(1))
                graph = coo_matrix((d, (pairs[:, 0], pairs[:, 1])), shape=(len(points),) * 2)
                expected = np.sort(minimum_spanning_tree(graph.tocsr()).data)
                np.testing.assert_allclose(lengths, expected, rtol=1e-9, atol=1e-12)

    def test_threads_give_the_same(self):
        points = self.rng.normal(size=(5000, 3)).astype("f4")
        for m in (1, 6):
            edges, lengths = self.emst(points, "--threads", 1, "--min-samples", m)
            again, same = self.emst(points, "--threads", 3, "--min-samples", m)
            np.testing.assert_array_equal(edges, again)
            np.testing.assert_array_equal(lengths, same)

    def test_wrap(self):
        points = self.rng.random((300, 3))
        moved = points + self.rng.integers(-2, 3, size=points.shape)
        _, a = self.emst(points, "--box", 1)
        _, b = self.emst(moved, "--box", 1, "--wrap")
        np.testing.assert_allclose(a, b, rtol=1e-12)

    def test_stats(self):
        self.emst(self.rng.random((300, 3)), "--stats", "s.json")
        with open(self.path("s.json")) as f:
            s = json.load(f)
        seconds = s["seconds"]
        self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], 6)
        for phase in ("sort", "planes", "neighbours", "rounds", "search", "order"):
            self.assertIn(phase, seconds["phases"])
        self.assertEqual((s["counts"]["points"], s["counts"]["edges"]), (300, 299))
        files = [os.path.getsize(self.path("out/" + f)) for f in os.listdir(self.path("out"))]
        self.assertEqual(s["bytes"]["output"], sum(files))

    def test_memory(self):
        for m in (1, 16):
            self.ok("generate", "uniform", "1e5" if SANITIZED else "1e6", 3, "--dtype", "f4", "-o", "u.npy", "--quiet", "--force")
            self.ok("emst", "u.npy", "-o", "out", "--quiet", "--force", "--min-samples", m,
                    "--stats", "s.json")
            with open(self.path("s.json")) as f:
                b = json.load(f)["bytes"]
            if not SANITIZED:
                self.assertLess(abs(b["predicted_peak"] / b["peak_resident"] - 1), .25, b)
        r = self.run_zwalk("emst", "u.npy", "--memory-budget", "1M", "-o", "n")
        self.assertIn("more than the memory budget", r.stderr)
        self.assertEqual(r.returncode, 0)

    def test_few_points(self):
        for n in (0, 1, 2):
            edges, lengths = self.emst(np.zeros((n, 3)))
            self.assertEqual((edges.shape, lengths.shape), ((max(n - 1, 0), 2), (max(n - 1, 0),)))

    def test_fewer_points_than_min_samples(self):
        """All are counted."""
        for n in (0, 1, 2, 20):
            points = self.rng.random((n, 3))
            self.emst(points, "--min-samples", 1000)
            lengths = self.load("out/lengths.npy")
            if n < 2:
                self.assertEqual((len(lengths), os.path.exists(self.path("out/core_distances.npy"))), (0, False))
                continue
            expected, core = prim_lengths(points, None, n)
            np.testing.assert_allclose(lengths, expected)
            np.testing.assert_allclose(self.load("out/core_distances.npy"), core)
            self.ok("hdbscan", "p.npy", "--min-samples", 1000, "-o", "clusters", "--force", "--quiet")
            np.testing.assert_allclose(self.load("clusters/linkage.npy")[:, 2], expected)

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        for part, *args in (("--min-samples", "--min-samples", 0), ("--min-samples", "--min-samples", "x"),
                            ("--order z", "--order", "z"),
                            ("box", "--box", .5)):
            self.refused(2, part, "emst", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "emst", "p.npy", "--device", "cuda", "-o", "out")
        self.refused(2, "-o", "emst", "p.npy")

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        points = self.rng.random((3000, 3)).astype("f4")
        for args in ((), ("--min-samples", 5, "--box", 1, "--memory-budget", 100000)):
            one = self.emst(points, *args, "--device", "cpu")
            there = self.emst(points, *args, "--device", "cuda")
            for a, b in zip(one, there):
                np.testing.assert_array_equal(a, b)


class RenderEdges(Case):
    def test_png_and_svg(self):
        points = np.random.default_rng(7).random((200, 2))
        self.save("p.npy", points)
        self.ok("emst", "p.npy", "-o", "tree", "--quiet")
        self.ok("render", "p.npy", "-o", "plain.svg", "--quiet")
        self.ok("render", "p.npy", "--edges", "tree", "-o", "tree.svg", "--quiet")
        lines = []
        for name in ("plain.svg", "tree.svg"):
            with open(self.path(name)) as f:
                lines.append(f.read().count("L"))
        self.assertEqual(lines[1] - lines[0], 199)
        # Edges through the faces of a box aren't drawn.
        self.ok("emst", "p.npy", "--box", 1, "-o", "periodic", "--quiet")
        edges, lengths = self.load("periodic/edges.npy"), self.load("periodic/lengths.npy")
        seen = np.sqrt(((points[edges[:, 0]] - points[edges[:, 1]]) ** 2).sum(1)) < lengths + 1e-9
        self.assertLess(seen.sum(), 199)
        self.ok("render", "p.npy", "--edges", "periodic", "-o", "periodic.svg", "--quiet")
        with open(self.path("periodic.svg")) as f:
            self.assertEqual(f.read().count("L") - lines[0], seen.sum())
        r = self.run_zwalk("render", "p.npy", "--edges", "tree", "-o", "t.png", "--quiet")
        if r.returncode == 0:  # a build with libpng
            with open(self.path("t.png"), "rb") as f:
                self.assertEqual(struct.unpack(">II", f.read(24)[16:]), (800, 800))
        self.save("few.npy", points[:50])
        self.refused(2, "there are 50 points", "render", "few.npy", "--edges", "tree", "-o", "x.svg")
        self.refused(2, "edges.npy", "render", "p.npy", "--edges", "none", "-o", "x.svg")


if __name__ == "__main__":
    unittest.main()
