"""zwalk hdbscan against the hdbscan package: its results in tests/data, and the package itself if it is here."""
import json
import os
import re
import unittest

import numpy as np

from harness import GPU, SANITIZED, Case

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "../data/hdbscan")
SETS = {"clusterable": os.path.join(DATA, "clusterable.npy"),
        "gaia": os.path.join(HERE, "../../data/gaia_open_clusters/xyz.npy")}
try:
    from hdbscan import _hdbscan_tree as package
except ImportError:
    package = None


def cases():
    """The list in make_references.py, which can't be imported without the package."""
    with open(os.path.join(HERE, "../hdbscan/make_references.py")) as f:
        return eval(re.search(r"^CASES = (\[.*?\])\n\n", f.read(), re.M | re.S).group(1))


class Hdbscan(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(8)

    def hdbscan(self, points, *args):
        file = points if isinstance(points, str) else self.save("p.npy", points)
        self.ok("hdbscan", file, *args, "-o", "out", "--force", "--quiet")
        names = ("labels", "probabilities", "outlier_scores", "linkage", "condensed_tree", "clusters")
        return {name: self.load(f"out/{name}.npy") for name in names}

    def test_what_the_package_finds(self):
        with np.load(os.path.join(DATA, "references.npz")) as references:
            for i, (name, size, samples, selection, epsilon) in enumerate(cases()):
                r = self.hdbscan(SETS[name], "--min-cluster-size", size, "--min-samples", samples,
                                 "--selection", selection, "--epsilon", epsilon)
                expected = {key[len(f"{i}_"):]: references[key] for key in references.files
                            if key.startswith(f"{i}_")}
                with self.subTest(case=cases()[i]):
                    np.testing.assert_array_equal(r["labels"], expected["labels"])
                    np.testing.assert_allclose(r["probabilities"], expected["probabilities"], atol=1e-3)
                    np.testing.assert_allclose(r["outlier_scores"], expected["scores"], atol=1e-3)
                    self.assertAlmostEqual(r["linkage"][:, 2].sum() / float(expected["weight"]), 1, 12)
                    if epsilon == 0:
                        np.testing.assert_allclose(r["clusters"]["persistence"], expected["persistence"],
                                                   rtol=1e-9)
                    split = r["condensed_tree"][r["condensed_tree"]["child_size"] > 1]
                    for field in ("parent", "child", "child_size"):
                        np.testing.assert_array_equal(split[field], expected[field])
                    np.testing.assert_allclose(split["lambda_val"], expected["lambda_val"], rtol=1e-12)

    @unittest.skipUnless(package, "the hdbscan package isn't installed")
    def test_the_package_on_the_same_hierarchy(self):
        """The same bits, also where distances are equal."""
        sets = {"lattice": np.stack(np.meshgrid(*[np.arange(12.)] * 2), -1).reshape(-1, 2),
                "integers": self.rng.integers(0, 25, (600, 2)).astype(float),
                "blobs": np.concatenate([self.rng.normal(c, s, (150, 3)) for c, s in
                                         ((0, .1), (1, .3), (3, .05))])}
        for name, points in sets.items():
            for size, samples in ((2, 2), (5, 1), (10, 10), (40, 5)):
                for method in ("eom", "leaf"):
                    r = self.hdbscan(points, "--min-cluster-size", size, "--min-samples", samples,
                                     "--selection", method)
                    tree = package.condense_tree(r["linkage"], size)
                    self.assertEqual(tree.tobytes(), r["condensed_tree"].tobytes())
                    labels, probabilities, persistence = package.get_clusters(
                        tree, package.compute_stability(tree), method)
                    np.testing.assert_array_equal(labels, r["labels"], (name, size, samples, method))
                    np.testing.assert_array_equal(probabilities, r["probabilities"])
                    np.testing.assert_allclose(persistence, r["clusters"]["persistence"])
                    if np.isfinite(tree["lambda_val"]).all():  # the package's are NaN otherwise
                        np.testing.assert_array_equal(package.outlier_scores(tree), r["outlier_scores"])

    def test_files(self):
        points = np.concatenate([self.rng.normal(c, .1, (100, 2)) for c in (0, 2)]).astype("f4")
        r = self.hdbscan(points)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["clusters.npy", "condensed_tree.npy", "labels.npy", "linkage.npy",
                          "outlier_scores.npy", "probabilities.npy"])
        self.assertEqual(r["labels"].dtype, np.int64)
        self.assertEqual(r["linkage"].shape, (199, 4))
        self.assertEqual(r["condensed_tree"].dtype.names, ("parent", "child", "lambda_val", "child_size"))
        self.assertEqual(len(r["clusters"]), r["labels"].max() + 1)
        for label, cluster in enumerate(r["clusters"]):
            self.assertEqual(cluster["size"], (r["labels"] == label).sum())
            self.assertGreater(cluster["death"], cluster["birth"])
        self.ok("hdbscan", "p.npy", "--format", "csv", "-o", "csv", "--quiet")
        table = np.genfromtxt(self.path("csv/condensed_tree.csv"), delimiter=",", names=True)
        for field in table.dtype.names:
            np.testing.assert_array_equal(table[field], r["condensed_tree"][field])

    def test_threads_and_stats(self):
        points = self.rng.normal(size=(5000, 3)).astype("f4")
        a = self.hdbscan(points, "--threads", 1)
        b = self.hdbscan(points, "--threads", 3, "--stats", "s.json")
        for name in a:
            self.assertEqual(a[name].tobytes(), b[name].tobytes())
        with open(self.path("s.json")) as f:
            s = json.load(f)
        seconds = s["seconds"]
        self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], 6)
        for phase in ("sort", "linkage", "condense", "clusters", "outliers"):
            self.assertIn(phase, seconds["phases"])
        self.assertEqual(s["counts"]["clusters"], a["labels"].max() + 1)
        files = [os.path.getsize(self.path("out/" + f)) for f in os.listdir(self.path("out"))]
        self.assertEqual(s["bytes"]["output"], sum(files))

    def test_box_and_wrap(self):
        points = self.rng.normal(0, .01, (100, 2))
        r = self.hdbscan(points % 1, "--box", 1, "--allow-single-cluster")
        self.assertEqual(r["labels"].max(), 0)
        moved = self.hdbscan(points + 5, "--box", 1, "--wrap", "--allow-single-cluster")
        self.assertLess(moved["linkage"][:, 2].max(), .1)

    def test_memory(self):
        self.ok("generate", "clustered", "1e5" if SANITIZED else "1e6", 3, "--dtype", "f4", "-o", "c.npy", "--quiet")
        self.save("w.npy", self.rng.integers(1, 4, len(self.load("c.npy"))).astype("f8"))
        for more in ([], ["--weights", "w.npy"], ["--selection", "persistent"]):
            self.ok("hdbscan", "c.npy", *more, "-o", "out", "--quiet", "--force", "--stats", "s.json")
            with open(self.path("s.json")) as f:
                b = json.load(f)["bytes"]
            if not SANITIZED:
                self.assertLess(abs(b["predicted_peak"] / b["peak_resident"] - 1), .25, more)

    def test_few_points(self):
        for n in (0, 1, 2):
            r = self.hdbscan(np.zeros((n, 3)))
            np.testing.assert_array_equal(r["labels"], np.full(n, -1))
            self.assertEqual(r["linkage"].shape, (max(n - 1, 0), 4))

    def test_largest_cluster(self):
        self.save("p.npy", self.rng.random((60, 3)))
        run = "hdbscan", "p.npy", "-o", "no", "--max-cluster-size"
        self.refused(2, "is for --selection eom", *run, 20, "--selection", "leaf")
        self.refused(2, "doesn't go with --epsilon", *run, 20, "--epsilon", .1)
        self.refused(2, "--max-cluster-size 4 is below --min-cluster-size 5", *run, 4)
        self.ok("hdbscan", "p.npy", "-o", "out", "--max-cluster-size", 5)

    def test_persistent(self):
        """Leaves at the size that is best: of the table of all sizes the first with the largest persistence."""
        points = np.concatenate([self.rng.normal(c, .1, (60, 2)) for c in ((0, 0), (1, 0), (0, 4))] + [self.rng.random((40, 2)) * 5])
        r = self.hdbscan(points, "--selection", "persistent", "--min-samples", 5, "--min-cluster-size", 4)
        sizes = self.load("out/sizes.npy")
        self.assertEqual(sizes.dtype.names, ("min_cluster_size", "persistence"))
        self.assertTrue((np.diff(sizes["min_cluster_size"]) > 0).all() and sizes[0]["min_cluster_size"] == 4)
        best = sizes[np.argmax(sizes["persistence"])]["min_cluster_size"]
        self.assertGreater(best, 4)
        self.assertIn(f"best size   {best}", self.ok("hdbscan", "p.npy", "--selection", "persistent", "--min-samples", 5,
                                                     "--min-cluster-size", 4, "--format", "csv", "-o", "text"))
        text = np.genfromtxt(self.path("text/sizes.csv"), delimiter=",", names=True)
        np.testing.assert_array_equal(text["persistence"], sizes["persistence"])
        leaves = self.hdbscan(points, "--selection", "leaf", "--min-samples", 5, "--min-cluster-size", best)
        for name in r:
            self.assertEqual(r[name].tobytes(), leaves[name].tobytes(), name)

    def test_distances_and_persistence(self):
        """Of clusters that may be taken, and of splits that count."""
        points = np.concatenate([self.rng.normal(c, .1, (60, 2)) for c in ((0, 0), (1, 0), (0, 4))] + [self.rng.random((40, 2)) * 5])
        r = self.hdbscan(points)
        far = 1 / r["clusters"]["birth"].min()
        near = self.hdbscan(points, "--epsilon-max", far / 2)
        self.assertTrue((1 / near["clusters"]["birth"] <= far / 2).all() and near["clusters"].tobytes() != r["clusters"].tobytes())
        fewer = self.hdbscan(points, "--persistence", 5)
        self.assertLess(len(fewer["condensed_tree"]), len(r["condensed_tree"]))
        self.assertEqual(self.hdbscan(points, "--persistence", 0, "--epsilon-max", "inf")["clusters"].tobytes(),
                         r["clusters"].tobytes())
        self.refused(2, "--epsilon-max must be at least --epsilon 2", "hdbscan", "p.npy", "--epsilon", 2, "--epsilon-max", 1,
                     "-o", "no")
        self.refused(2, "--persistence must not be negative", "hdbscan", "p.npy", "--persistence", -1, "-o", "no")

    def test_weights(self):
        """Integers make the clusters of a file in which each row is there so often."""
        points = np.concatenate([self.rng.normal(c, .1, (60, 2)) for c in ((0, 0), (1, 0), (0, 4))] + [self.rng.random((40, 2)) * 5])
        weights = np.where(self.rng.random(len(points)) < .2, self.rng.integers(2, 9, len(points)), 1)
        self.save("w.npy", weights.astype("f8"))
        for options in ([], ["--selection", "persistent"], ["--min-cluster-size", 9, "--min-samples", 3]):
            r = self.hdbscan(points, *options, "--weights", self.path("w.npy"))
            often = self.hdbscan(np.repeat(points, weights, axis=0), *options)
            pairs = np.unique(np.column_stack([np.repeat(r["labels"], weights), often["labels"]]), axis=0)
            self.assertEqual(len(pairs), len(np.unique(r["labels"])))
            self.assertEqual(len(pairs), len(np.unique(often["labels"])))
            np.testing.assert_array_equal(np.repeat(r["probabilities"], weights), often["probabilities"])
            self.assertEqual(r["linkage"][-1, 3], len(points))
        self.save("p.npy", points)
        run = "hdbscan", "p.npy", "-o", "no", "--weights", "w.npy"
        self.refused(2, "--weights are for distances in space", *run, "--sphere", "degrees")
        self.ok("hdbscan", "p.npy", "-o", "with", "--weights", "w.npy", "--save-model", "m.zwm", "--quiet")
        self.ok("predict", "m.zwm", "p.npy", "-o", "now", "--quiet")
        np.testing.assert_array_equal(self.load("now/labels.npy"), self.load("with/labels.npy"))
        if GPU:
            self.ok(*run[:2], "-o", "there", "--weights", "w.npy", "--device", "cuda")
            np.testing.assert_array_equal(self.load("there/labels.npy"), self.load("with/labels.npy"))
        self.save("w.npy", np.ones(7))
        self.refused(2, "there are 7 weights, but 220 points", *run)
        self.save("w.npy", np.zeros(220))
        self.refused(2, "weight 0 is 0: it must be finite and > 0", *run)

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        for part, *args in (("--min-cluster-size", "--min-cluster-size", 1),
                            ("--min-samples", "--min-samples", -1),
                            ("--selection", "--selection", "best"),
                            ("--epsilon", "--epsilon", -1),
                            ("--max-cluster-size", "--max-cluster-size", "few"),
                            ("--format", "--format", "hdf5"),
                            ("--order z", "--order", "z"),
                            ("box", "--box", .5)):
            self.refused(2, part, "hdbscan", "p.npy", *args, "-o", "out")
        if not GPU:
            self.refused(2, "no CUDA", "hdbscan", "p.npy", "--device", "cuda", "-o", "out")
        self.refused(2, "-o", "hdbscan", "p.npy")


class RenderNoise(Case):
    def test_noise_is_grey_and_no_group(self):
        points = np.random.default_rng(5).random((90, 2))
        self.save("p.npy", points)
        self.save("l.npy", np.repeat([-1, 0, 1], [60, 20, 10]))
        self.ok("render", "p.npy", "--labels", "l.npy", "-o", "c.svg", "--quiet")
        with open(self.path("c.svg")) as f:
            text = f.read()
        for entry in (">20<", ">10<", ">noise<"):
            self.assertIn(entry, text)
        self.assertNotIn(">60<", text)


class RenderTree(Case):
    def bars(self, file):
        """(x, width, colour) of the rectangles but the first, the background."""
        with open(self.path(file)) as f:
            found = re.findall(r'<rect x="([-\d.]+)" .* width="([\d.]+)" .* fill="(.*)"', f.read())
        return [(float(x), float(width), colour) for x, width, colour in found[1:]]

    def test_bars(self):
        rng = np.random.default_rng(3)
        points = np.concatenate([rng.normal(c, .1, (n, 2)) for c, n in ((0, 200), (3, 100))])
        self.save("p.npy", points)
        self.ok("hdbscan", "p.npy", "--min-cluster-size", 50, "-o", "out", "--quiet")
        self.ok("render-tree", "out", "-o", "t.svg", "--quiet")
        bars = self.bars("t.svg")
        widths = {}
        for _, width, colour in bars:
            widths[colour] = max(widths.get(colour, 0), width)
        self.assertEqual(len(widths), 3)  # the root and two clusters
        root, large, small = sorted(widths.values(), reverse=True)
        self.assertAlmostEqual(root, .86 * 800, 1)
        tree = self.load("out/condensed_tree.npy")
        sizes = sorted(tree["child_size"][tree["child_size"] > 1], reverse=True)
        self.assertAlmostEqual(large / root, sizes[0] / 300, 3)
        self.assertAlmostEqual(small / root, sizes[1] / 300, 3)
        self.ok("render", "p.npy", "--labels", "out/labels.npy", "-o", "c.svg", "--quiet")
        with open(self.path("c.svg")) as f:
            picture = f.read()
        for colour, width in widths.items():
            self.assertEqual(colour in picture, width < root)  # the same colours as the points'

    def test_few_points_and_copies(self):
        for points in (np.zeros((0, 2)), np.zeros((1, 2)), np.zeros((50, 2))):
            self.save("p.npy", points)
            self.ok("hdbscan", "p.npy", "-o", "out", "--force", "--quiet")
            self.ok("render-tree", "out", "-o", "t.svg", "--force", "--quiet")

    def test_refusals(self):
        self.save("p.npy", np.random.default_rng(4).random((40, 2)))
        self.ok("hdbscan", "p.npy", "-o", "out", "--quiet")
        self.refused(2, ".png or .svg", "render-tree", "out", "-o", "t.txt")
        self.refused(2, "No such file", "render-tree", "none", "-o", "t.svg")
        self.refused(2, "it holds records", "render", "p.npy", "--values", "out/condensed_tree.npy",
                     "-o", "x.svg")
        good = self.load("out/condensed_tree.npy")
        self.save("out/condensed_tree.npy", good[["parent", "child"]])
        self.refused(2, "columns parent, child", "render-tree", "out", "-o", "t.svg")
        for field, value in (("parent", 0), ("parent", 1000), ("child", -1), ("child", 1000),
                             ("lambda_val", np.nan), ("child_size", 0)):
            bad = good.copy()
            bad[field][0] = value
            self.save("out/condensed_tree.npy", bad)
            self.refused(2, "row 0", "render-tree", "out", "-o", "t.svg")
        with open(self.path("out/condensed_tree.npy"), "r+b") as f:
            f.truncate(os.path.getsize(f.name) - 8)
        self.refused(2, "columns parent, child", "render-tree", "out", "-o", "t.svg")


if __name__ == "__main__":
    unittest.main()
