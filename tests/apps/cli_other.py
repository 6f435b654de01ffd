"""zwalk generate, info and render; snapshots."""
import os
import struct
import zlib

import numpy as np

from harness import Case, brute_force

RECORDED = {
    "uniform": "cd4d8b63", "normal": "3eca43e0", "grid": "34614ad5", "halton": "797f3b70",
    "graded": "8084bda3", "clustered": "75e402ba", "duplicates": "7652cf2c", "line": "b1b61aef",
}
KINDS = "uniform normal grid halton graded graded-grid graded-halton clustered duplicates line blobs spread".split()


class Generate(Case):
    def make(self, kind, n, dim, *args):
        self.ok("generate", kind, n, dim, *args, "-o", "g.npy", "--force")
        return self.load("g.npy")

    def test_same_bytes_for_a_seed(self):
        for kind in KINDS:
            a = self.make(kind, 500, 3, "--seed", 5)
            self.assertTrue(np.array_equal(a, self.make(kind, 500, 3, "--seed", 5)))
            if kind not in ("grid", "halton", "graded-grid", "graded-halton"):
                self.assertFalse(np.array_equal(a, self.make(kind, 500, 3, "--seed", 6)))

    def test_bits_do_not_change(self):
        """Recorded when the kinds were defined; another value means other data for everybody."""
        for kind, checksum in RECORDED.items():
            a = self.make(kind, 1000, 3, "--seed", 42)
            self.assertEqual(f"{zlib.crc32(a.astype('<f8').tobytes()):08x}", checksum, kind)

    def test_shapes(self):
        for kind in KINDS:
            for n, dim in ((0, 3), (1, 1), (2, 64), (41, 2)):
                for dtype in ("f4", "f8"):
                    a = self.make(kind, n, dim, "--dtype", dtype)
                    self.assertEqual((a.shape, a.dtype), ((n, dim), np.dtype(dtype)))
                    self.assertTrue(np.all(np.isfinite(a)))

    def test_kinds(self):
        u = self.make("uniform", 20000, 3)
        self.assertTrue(np.all((u >= 0) & (u < 1)))
        np.testing.assert_allclose(u.mean(0), .5, atol=.01)
        n = self.make("normal", 20000, 3)
        np.testing.assert_allclose(n.mean(0), 0, atol=.03)
        np.testing.assert_allclose(n.std(0), 1, atol=.03)
        np.testing.assert_allclose((n ** 4).mean(0), 3, atol=.3)
        g = self.make("grid", 1000, 3)
        for j in range(3):
            np.testing.assert_allclose(np.unique(g[:, j]), (np.arange(10) + .5) / 10)
        self.assertEqual(len(np.unique(g, axis=0)), 1000)
        np.testing.assert_allclose(self.make("halton", 4, 2),
                                   [[1 / 2, 1 / 3], [1 / 4, 2 / 3], [3 / 4, 1 / 9], [1 / 8, 4 / 9]])
        d = self.make("duplicates", 4001, 3)
        _, counts = np.unique(d, axis=0, return_counts=True)
        self.assertEqual((len(counts), counts.max()), (101, 40))
        line = self.make("line", 1000, 3)
        direction = line - line.mean(0)
        self.assertLess(np.linalg.svd(direction, compute_uv=False)[1], 1e-12)
        graded = self.make("graded", 20000, 3)
        r = np.linalg.norm(graded, axis=1)
        self.assertLess(r.max(), 3 ** 1.5)
        self.assertLess(np.median(r), 1)
        for base in ("grid", "halton"):
            x = 2 * self.make(base, 500, 3) - 1
            np.testing.assert_allclose(self.make("graded-" + base, 500, 3), (x ** 2).sum(1, keepdims=True) * x,
                                       rtol=1e-12)
        c = self.make("clustered", 2000, 3)
        near = brute_force(c, c, 2, [1, 1, 1])[:, 1]
        u = u[:2000]
        self.assertLess(np.median(near), .6 * np.median(brute_force(u, u, 2, [1, 1, 1])[:, 1]))

    def test_blobs(self):
        """Clusters of the wished number and width: a point lies sigma sqrt(D) off its centre."""
        b = self.make("blobs", 5000, 8, "--clusters", 5, "--sigma", 1e-4)
        centres = self.make("blobs", 200, 8, "--clusters", 5, "--sigma", 0)
        centres = np.unique(centres, axis=0)
        self.assertEqual(len(centres), 5)
        away = np.linalg.norm(b[:, None] - centres, axis=2).min(1)
        np.testing.assert_allclose((away ** 2).mean() ** .5, 1e-4 * 8 ** .5, rtol=.02)

    def test_spread(self):
        """Balls of 100 points each, of radius 100 to 1000, and little noise."""
        for dim in (2, 3, 5):
            s = self.make("spread", 5000, dim)
            self.assertTrue(np.all((s > -1000) & (s < 101000)))
            near = brute_force(s, s[:400], 50)[:, -1]
            self.assertLess(np.quantile(near, .95), 2000)  # no more than the largest ball is wide
            self.assertGreater(np.quantile(near, .95), 200)  # the smallest ones
            self.assertGreater(np.quantile(near, .9), 1.5 * np.quantile(near, .1))  # the density varies


class Info(Case):
    def test_info(self):
        a = np.repeat(np.arange(30.).reshape(10, 3), 3, axis=0)
        a[0, 0] = -0.0
        self.save("a.npy", a)
        out = self.ok("info", "a.npy")
        for part in ("(30, 3)", "float64", "axis 1      1 .. 28", "20 of 30 points", "10 distinct",
                     "knn -k 16"):
            self.assertIn(part, out)
        self.ok("info", self.save("none.npy", np.zeros((0, 3))))


class Render(Case):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(1)
        self.save("p.npy", rng.random((300, 3)))
        self.save("v.npy", rng.random((300, 4)))
        self.save("i.npy", np.arange(300))

    def pixels(self, name):
        """Decodes an 8-bit RGB PNG enough to see whether anything was drawn."""
        data = open(self.path(name), "rb").read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height, depth, color = struct.unpack(">IIBB", data[16:26])
        self.assertEqual((depth, color), (8, 2))
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IDAT":
                packed += data[at + 8:at + 8 + length]
            at += length + 12
        raw = zlib.decompress(packed)
        self.assertEqual(len(raw), height * (3 * width + 1))
        return width, height, raw

    def test_png(self):
        if "no PNG" in self.run_zwalk("render", "p.npy", "-o", "a.png").stderr:
            self.skipTest("built without libpng")
        self.assertEqual(self.pixels("a.png")[:2], (800, 800))
        for args in (("--values", "i.npy"), ("--values", "v.npy", "--column", "-1", "--log"),
                     ("--values", "v.npy", "--invert", "--range", "-.5,2"),
                     ("--axes", "2,0", "--slab", "1,-.1,.5", "--colormap", "viridis"),
                     ("--colormap", "gray", "--title", "Points + more: 1e-3")):
            self.ok("render", "p.npy", *args, "--size", 400, "-o", "b.png", "--force")
            width, height, raw = self.pixels("b.png")
            self.assertEqual((width, height), (400, 400))
            self.assertGreater(len(set(raw)), 20)

    def test_svg(self):
        for n, whole in ((20, True), (400, False)):  # a long title must not run into the legend
            title = "x\u00e9" * (n // 2)
            self.ok("render", "p.npy", "--values", "i.npy", "--title", title, "-o", f"t{n}.svg")
            svg = open(self.path(f"t{n}.svg"), encoding="utf-8").read()
            self.assertEqual(title in svg, whole)
            self.assertEqual("..." in svg, not whole)
        self.ok("render", "p.npy", "--values", "i.npy", "--title", "a < b & c", "-o", "a.svg")
        text = open(self.path("a.svg")).read()
        self.assertTrue(text.startswith("<svg") and text.endswith("</svg>\n"))
        self.assertIn("a &lt; b &amp; c", text)
        self.assertEqual(text.count("h0"), 300)

    def test_odd_data(self):
        for name, a in (("none", np.zeros((0, 2))), ("one", np.ones((1, 2))),
                        ("same", np.zeros((5, 2))), ("huge", np.array([[0, 0], [1e300, 1e-300]])),
                        ("nan", np.array([[0, np.nan], [1, 1.]]))):
            self.ok("render", self.save(name + ".npy", a), "-o", name + ".svg")
        self.save("inf.npy", np.array([np.inf, 1.]))
        self.ok("render", "huge.npy", "--values", "inf.npy", "--log", "-o", "inf.svg")


class Snapshots(Case):
    def test_box_from_the_header(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("no h5py")
        p = np.random.default_rng(4).random((80, 3)).astype("f4") * 5
        with h5py.File(self.path("s.hdf5"), "w") as f:
            f.create_dataset("PartType1/Coordinates", data=p)
            f.create_dataset("PartType0/Coordinates", data=p[:30].astype("f8"))
            f.create_group("Header").attrs["BoxSize"] = 5.0
        if "no HDF5" in self.run_zwalk("info", "s.hdf5").stderr:
            self.skipTest("built without HDF5")
        for args, box in (((), [5, 5, 5]), (("--box", 0), None), (("--box", "0,6,0"), [0, 6, 0])):
            self.ok("knn", "s.hdf5", "-k", 4, "-o", "out", "--force", *args)
            np.testing.assert_allclose(self.load("out/distances.npy"), brute_force(p, p, 4, box),
                                       rtol=1e-5)
        self.ok("knn", "s.hdf5", "-k", 4, "-o", "out", "--force", "--dataset",
                "PartType0/Coordinates")
        self.assertEqual(self.load("out/distances.npy").dtype, np.float64)
        self.refused(2, "no dataset 'PartType7/X'", "info", "s.hdf5", "--dataset", "PartType7/X")
        self.refused(2, "no dataset", "info", "s.hdf5", "--dataset", "Header")
