"""zwalk fof against brute force and published numbers; zwalk render --labels."""
import json
import os
import struct
import unittest

import numpy as np

from harness import GPU, SANITIZED, Case

SNAPSHOT = os.path.join(os.path.dirname(__file__), "../../data/cosmo32768/pos.npy")
# Numbers of groups, those of one point included, that the authors of the snapshot publish
# (hfof/tests/test_cosmo.py at https://github.com/pec27/hfof).
PUBLISHED = {(None, 0.1): 2, (None, 0.05): 461, (None, 0.01): 9600, (None, 0.005): 14497,
             (None, 0.001): 27824, (1, 0.3): 1, (1, 0.1): 1, (1, 0.05): 396, (1, 0.01): 9580,
             (1, 0.005): 14488, (1, 0.001): 27823}


def brute_labels(points, b, box=None):
    """Smallest index in each point's group, by sums in double: for lengths that no pair is close to."""
    d2 = np.zeros((len(points), len(points)))
    for j in range(points.shape[1]):
        dx = np.abs(points[:, j, None] - points[None, :, j]).astype("f8")
        if box is not None and box[j] > 0:
            dx = np.minimum(dx, box[j] - dx)
        d2 += dx * dx
    labels = np.full(len(points), -1)
    for i in range(len(points)):
        queue = [] if labels[i] >= 0 else [i]
        while queue:
            p = queue.pop()
            labels[p] = i
            queue += list(np.nonzero((np.sqrt(d2[p]) <= b) & (labels < 0))[0])
    return labels


class Fof(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(4)

    def fof(self, points, *args):
        self.save("p.npy", points)
        self.ok("fof", "p.npy", *args, "-o", "out", "--force", "--quiet")
        return self.load("out/labels.npy"), self.load("out/catalogue.npy")

    def test_labels(self):
        for dtype in ("f4", "f8"):
            for dim, b in ((1, .002), (2, .04), (3, .1), (5, .3)):
                points = self.rng.random((300, dim)).astype(dtype)
                for box in (None, [1.] * dim, [1.] + [0.] * (dim - 1)):
                    args = [] if box is None else ["--box", ",".join(map(str, box))]
                    labels, c = self.fof(points, "--linking-length", b, "--min-members", 2, *args)
                    expected = brute_labels(points, b, box)
                    self.assertEqual(labels.dtype, np.int64)
                    np.testing.assert_array_equal(labels, expected)
                    label, count = np.unique(expected, return_counts=True)
                    order = np.lexsort((label, -count))
                    order = order[count[order] >= 2]
                    np.testing.assert_array_equal(c["label"], label[order])
                    np.testing.assert_array_equal(c["count"], count[order])

    def test_published_numbers_of_groups(self):
        for (box, b), groups in PUBLISHED.items():
            for precision in ("f4", "f8"):
                args = [] if box is None else ["--box", box]
                self.ok("fof", SNAPSHOT, "--linking-length", b, *args, "--precision", precision,
                        "-o", "out", "--force", "--quiet", "--stats", "out/s.json")
                with open(self.path("out/s.json")) as f:
                    self.assertEqual(json.load(f)["counts"]["groups"], groups, (box, b))
                self.assertEqual(len(np.unique(self.load("out/labels.npy"))), groups)

    def test_catalogue(self):
        points = self.rng.random((400, 3))
        mass, velocity = self.rng.random(400) + .5, self.rng.normal(size=(400, 3))
        labels, c = self.fof(points, "--linking-length", .08, "--min-members", 3, "--box", 1,
                             "--masses", self.save("m.npy", mass), "--members",
                             "--velocities", self.save("v.npy", velocity))
        self.assertGreater(len(c), 5)
        members = self.load("out/members.npy")
        np.testing.assert_array_equal(np.sort(members), np.arange(400))
        for row in c:
            own = np.nonzero(labels == row["label"])[0]
            listed = members[row["first"]:row["first"] + row["count"]]
            np.testing.assert_array_equal(np.sort(listed), own)
            m, total = mass[own, None], mass[own].sum()
            x = points[own] - points[own[0]]
            x -= np.round(x)  # these groups are small
            centre = (m * x).sum(0) / total
            mean = (m * velocity[own]).sum(0) / total
            distance = np.sqrt(((x - centre) ** 2).sum(1))
            self.assertAlmostEqual(row["mass"], total, 12)
            off = row["centre_of_mass"] - points[own[0]] - centre
            np.testing.assert_allclose(off - np.round(off), 0, atol=1e-14)
            self.assertTrue(np.all((row["centre_of_mass"] >= 0) & (row["centre_of_mass"] < 1)))
            np.testing.assert_allclose(row["velocity"], mean, rtol=1e-12, atol=1e-14)
            dispersion = np.sqrt((m * (velocity[own] - mean) ** 2).sum() / total)
            self.assertAlmostEqual(row["velocity_dispersion"], dispersion, 12)
            inertia = np.sqrt((m[:, 0] * distance ** 2).sum() / total)
            self.assertAlmostEqual(row["inertia_radius"], inertia, 12)
            self.assertAlmostEqual(row["radius"], distance.max(), 12)
            self.assertEqual(row["most_distant"], own[distance.argmax()])

    def test_formats(self):
        points = self.rng.random((300, 2))
        _, c = self.fof(points, "--linking-length", .05, "--min-members", 2)
        self.assertEqual(c.dtype.names, ("label", "count", "mass", "centre_of_mass", "inertia_radius",
                                         "radius", "most_distant", "first"))
        self.ok("fof", "p.npy", "--linking-length", .05, "--min-members", 2, "--format", "csv",
                "-o", "csv")
        table = np.genfromtxt(self.path("csv/catalogue.csv"), delimiter=",", names=True)
        self.assertEqual(sorted(os.listdir(self.path("csv"))), ["catalogue.csv", "labels.npy"])
        for name in c.dtype.names:
            if name == "centre_of_mass":
                for j in range(2):
                    np.testing.assert_array_equal(table[f"{name}_{j}"], c[name][:, j])
            else:
                np.testing.assert_array_equal(table[name], c[name])
        r = self.run_zwalk("fof", "p.npy", "--linking-length", .05, "--format", "hdf5", "-o", "h5")
        if "no HDF5" in r.stderr:
            self.assertEqual(r.returncode, 2)
            return
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        with open(self.path("h5/catalogue.hdf5"), "rb") as f:
            content = f.read()
        self.assertTrue(content.startswith(b"\x89HDF\r\n\x1a\n"))
        for name in c.dtype.names:
            self.assertIn(name.encode(), content)
        # Read back as points: columns are datasets of the group Groups.
        self.ok("fof", "p.npy", "--linking-length", .05, "--min-members", 2, "--format", "hdf5",
                "-o", "h5", "--force", "--quiet")
        self.ok("fof", "h5/catalogue.hdf5", "--dataset", "Groups/centre_of_mass",
                "--linking-length", 0, "--min-members", 1, "-o", "again", "--quiet")
        self.assertEqual(len(self.load("again/labels.npy")), len(c))
        tree = "emst", "h5/catalogue.hdf5", "--dataset", "Groups/mass", "--columns", "radius,mass", "-o"
        r = self.run_zwalk(*tree, "a")
        self.assertEqual((r.returncode, r.stderr.count("no Header/BoxSize: open space")), (0, 1), r.stderr)
        self.ok(*tree, "b", "--box", 0)
        self.save("rm.npy", np.stack([c["radius"], c["mass"]], -1))
        self.ok("emst", "rm.npy", "-o", "c")
        np.testing.assert_array_equal(self.load("b/lengths.npy"), self.load("c/lengths.npy"))

    def test_linking_fraction(self):
        points = self.rng.random((1000, 3))
        a, _ = self.fof(points, "--linking-fraction", .7, "--box", 1)
        b, _ = self.fof(points, "--linking-length", .07, "--box", 1)
        np.testing.assert_array_equal(a, b)
        r = self.run_zwalk("fof", "p.npy", "--linking-fraction", .7, "-o", "open")
        self.assertIn("--box", r.stderr)  # a note
        self.assertEqual(r.returncode, 0)

    def test_summary_names_the_least_size(self):
        self.save("p.npy", np.arange(30.).reshape(10, 3) // 6)
        args = "fof", "p.npy", "--linking-length", 0
        self.assertRegex(self.ok(*args, "-o", "large"),
                         "groups .* of which 0 have 20 points or more; --min-members takes smaller ones\n")
        self.assertRegex(self.ok(*args, "--min-members", 1, "-o", "all"), "groups .* have 1 points or more\n")

    def test_help_has_a_description_of_each_option(self):
        text = self.ok("fof", "--help")
        self.assertNotIn("Excludes", text)
        for option in ("--min-members", "--labels-only"):
            self.assertRegex(text, rf"\n  {option}[^\n]*  [A-Z][a-z]+ ")

    def test_two_lengths(self):
        self.save("p.npy", self.rng.random((10, 3)))
        self.refused(2, "not from both", "fof", "p.npy", "--linking-length", 1, "--linking-fraction", 1, "-o", "out")

    def test_orders_and_threads_give_the_same(self):
        points = self.rng.normal(size=(5000, 3)).astype("f4")
        labels, c = self.fof(points, "--linking-length", .2, "--threads", 1)
        again, d = self.fof(points, "--linking-length", .2, "--threads", 3)
        np.testing.assert_array_equal(labels, again)
        self.assertEqual(c.tobytes(), d.tobytes())
        z, _ = self.fof(points, "--linking-length", .2, "--order", "z")
        np.testing.assert_array_equal(z, labels[self.load("out/order.npy")])

    def test_wrap(self):
        points = self.rng.random((300, 3))
        moved = points + self.rng.integers(-2, 3, size=points.shape)
        a, _ = self.fof(points, "--linking-length", .08, "--box", 1)
        b, _ = self.fof(moved, "--linking-length", .08, "--box", 1, "--wrap")
        np.testing.assert_array_equal(a, b)

    def test_stats(self):
        self.fof(self.rng.random((300, 3)), "--linking-length", .05, "--stats", "s.json")
        with open(self.path("s.json")) as f:
            s = json.load(f)
        seconds = s["seconds"]
        self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], 6)
        for phase in ("sort", "planes", "walk", "labels", "catalogue"):
            self.assertIn(phase, seconds["phases"])
        self.assertEqual(s["counts"]["points"], 300)
        files = [os.path.getsize(self.path("out/" + f)) for f in os.listdir(self.path("out"))]
        self.assertEqual(s["bytes"]["output"], sum(files))

    def test_memory(self):
        self.ok("generate", "uniform", "1e5" if SANITIZED else "1e6", 3, "--dtype", "f4", "-o", "u.npy", "--quiet")
        for labels_only in ((), ("--labels-only",)):
            self.ok("fof", "u.npy", "--linking-length", .002, "--box", 1, "-o", "out", "--quiet",
                    "--stats", "s.json", "--force", *labels_only)
            with open(self.path("s.json")) as f:
                b = json.load(f)["bytes"]
            if not SANITIZED:
                self.assertLess(b["peak_resident"], (12 + 60) * 1e6)
                self.assertLess(abs(b["predicted_peak"] / b["peak_resident"] - 1), .12)
        r = self.run_zwalk("fof", "u.npy", "--linking-length", .002, "--memory-budget", "1M", "-o", "n")
        self.assertIn("more than the memory budget", r.stderr)
        self.assertEqual(r.returncode, 0)

    def test_few_points(self):
        for n in (0, 1, 2):
            labels, c = self.fof(np.zeros((n, 3)), "--linking-length", 0, "--min-members", 1)
            np.testing.assert_array_equal(labels, np.zeros(n))
            self.assertEqual(len(c), min(n, 1))

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.save("m.npy", np.zeros(20))
        self.save("short.npy", np.ones(19))
        self.save("flat.npy", np.zeros((5, 3)))
        for part, *args in (
                ("either --linking-length or", ),
                ("--linking-length", "--linking-length", -1),
                ("--linking-length", "--linking-length", "far"),
                ("--linking-length", "--linking-length", "inf"),
                ("--min-members", "--linking-length", 1, "--min-members", 0),
                ("--format", "--linking-length", 1, "--format", "txt"),
                ("mass 0", "--linking-length", 1, "--masses", "m.npy"),
                ("19 rows", "--linking-length", 1, "--masses", "short.npy"),
                ("velocities", "--linking-length", 1, "--velocities", "m.npy"),
                ("box", "--linking-length", 1, "--box", .5),
                ("No such file", "--linking-length", 1, "--masses", "none.npy")):
            self.refused(2, part, "fof", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "fof", "p.npy", "--linking-length", 1, "--device", "cuda", "-o", "out")
        self.refused(2, "volume", "fof", "flat.npy", "--linking-fraction", 1, "--box", "1,1,0",
                     "-o", "out", "--quiet")
        self.refused(2, "-o", "fof", "p.npy", "--linking-length", 1)

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        points = self.rng.random((3000, 3)).astype("f4")
        args = "--linking-length", .03, "--box", 1, "--min-members", 2
        one = self.fof(points, *args, "--device", "cpu")
        there = self.fof(points, *args, "--device", "cuda", "--memory-budget", 100000)
        for a, b in zip(one, there):
            np.testing.assert_array_equal(a, b)


class RenderLabels(Case):
    def test_png_and_svg(self):
        rng = np.random.default_rng(5)
        points = rng.random((500, 2))
        labels = np.arange(500)
        labels[:200], labels[200:300] = 0, 200
        self.save("p.npy", points)
        self.save("l.npy", labels)
        self.ok("render", "p.npy", "--labels", "l.npy", "-o", "g.svg", "--quiet")
        with open(self.path("g.svg")) as f:
            first = f.read()
        self.ok("render", "p.npy", "--labels", "l.npy", "--groups", 1, "-o", "one.svg", "--quiet")
        with open(self.path("one.svg")) as f:
            self.assertNotEqual(first, f.read())
        r = self.run_zwalk("render", "p.npy", "--labels", "l.npy", "-o", "g.png", "--quiet")
        if r.returncode == 0:  # a build with libpng
            with open(self.path("g.png"), "rb") as f:
                head = f.read(24)
            self.assertEqual(struct.unpack(">II", head[16:]), (800, 800))
        self.refused(2, "not by both", "render", "p.npy", "--labels", "l.npy", "--values", "l.npy",
                     "-o", "x.svg")
        self.save("short.npy", labels[:9])
        self.refused(2, "9 rows", "render", "p.npy", "--labels", "short.npy", "-o", "x.svg")
        self.refused(2, "--groups", "render", "p.npy", "--labels", "l.npy", "--groups", 0,
                     "-o", "x.svg")


if __name__ == "__main__":
    unittest.main()
