"""Radius search, DBSCAN, density peaks, pair counts and gravity on MPI ranks: the bytes of one process, or its accuracy.

Usage: cli_mpi_algorithms.py PATH_OF_ZWALK MAX_DIM MPIRUN"""
import sys

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

from ranks import Ranks, run_tests


class SameBytes(Ranks):
    def setUp(self):
        super().setUp()
        self.save("f4.npy", self.rng.random((600, 3), "f4"))
        self.save("f8.npy", self.rng.random((600, 3)))
        self.save("q.npy", self.rng.random((200, 3), "f4") * .4)
        self.save("two.npy", self.rng.random((200, 2), "f4"))

    def test_radius(self):
        found = self.same("radius", "f4.npy", "--radius", .1)
        self.assertEqual({*found}, {"counts.npy", "offsets.npy", "indices.npy", "distances.npy"})
        found = self.same("radius", "f8.npy", "--radius", .2, "--box", 1, "--order", "z", "--query", "q.npy", ranks=(3,))
        self.assertIn("source_order.npy", found)
        self.same("radius", "f8.npy", "--radius", .15, "--exclude-self", "--order", "z", ranks=(2, 5))
        found = self.same("radius", "f4.npy", "--radius", .4, "--count", "--exclude-self")
        self.assertEqual({*found}, {"counts.npy"})
        self.same("radius", "f4.npy", "--radius", .1, "--query", "q.npy", "--box", .3, "--wrap", "--count", ranks=(2,))
        self.save("r.npy", self.rng.random(600) ** 3 / 2)
        self.save("rq.npy", self.rng.random(200) ** 3 / 2)
        self.same("radius", "f4.npy", "--radii", "r.npy", "--larger", ranks=(2, 3))
        self.same("radius", "f8.npy", "--radii", "r.npy", "--box", 1, "--exclude-self", "--count", ranks=(3,))
        self.same("radius", "f8.npy", "--radii", "rq.npy", "--query", "q.npy", "--order", "z", ranks=(2,))

    def test_dbscan(self):
        blobs = [self.rng.normal(self.rng.random(3), .03, (n, 3)) for n in (300, 200, 90)]
        self.save("blobs.npy", np.round(np.concatenate([*blobs, self.rng.random((260, 3))]), 2))
        found = self.same("dbscan", "blobs.npy", "--epsilon", .03, "--min-samples", 6)
        self.assertEqual({*found}, {"labels.npy", "core.npy"})
        self.same("dbscan", "blobs.npy", "--epsilon", .05, "--min-samples", 4, "--order", "z", "--box", 2, "--wrap",
                  "--precision", "f4", ranks=(3, 5))

    def test_weights_of_hdbscan(self):
        blobs = [self.rng.normal(self.rng.random(3), .03, (n, 3)) for n in (300, 200, 90)]
        self.save("blobs.npy", np.round(np.concatenate([*blobs, self.rng.random((260, 3))]), 2))
        self.save("w.npy", self.rng.integers(1, 5, 850) / 2)
        found = self.same("hdbscan", "blobs.npy", "--min-cluster-size", 12, "--weights", "w.npy")
        self.assertIn("linkage.npy", found)
        self.same("hdbscan", "blobs.npy", "--min-samples", 3, "--selection", "persistent", "--box", 2, "--wrap", "--weights", "w.npy",
                  ranks=(8,))
        self.save("few.npy", np.ones(7))
        self.refused_on(2, 2, "there are 7 weights, but 850 points", "hdbscan", "blobs.npy", "--weights", "few.npy", "-o", "no")
        self.save("none.npy", np.where(np.arange(850) == 800, 0, 1.))
        self.refused_on(3, 2, "weight 800 is 0: it must be finite and > 0", "hdbscan", "blobs.npy", "--weights", "none.npy", "-o", "no")

    def test_predict(self):
        """Each rank reads the model, and some rows."""
        self.save("p.npy", self.rng.normal(size=(300, 1, 3)) * .03 + self.rng.random((1, 5, 3)))
        self.save("p.npy", self.load("p.npy").reshape(-1, 3).astype("f4"))
        self.ok("hdbscan", "p.npy", "--min-cluster-size", 12, "--save-model", "m.zwm", "-o", "fit")
        found = self.same("predict", "m.zwm", "f4.npy")
        self.assertEqual({*found}, {"labels.npy", "probabilities.npy", "outlier_scores.npy", "neighbours.npy", "distances.npy"})
        self.same("predict", "m.zwm", "p.npy", ranks=(2, 8))
        self.save("few.npy", self.load("f4.npy")[:2])
        self.same("predict", "m.zwm", "few.npy", ranks=(3,))
        bad = self.load("f4.npy")
        bad[450, 1] = np.nan
        self.save("bad.npy", bad)
        self.refused_on(3, 2, "queries: row 450, column 1 is nan", "predict", "m.zwm", "bad.npy", "-o", "out")
        # Each row by itself would fit into the box with the points, which are in a third of it.
        self.save("third.npy", (self.load("p.npy") % 1 * .3 + .3).astype("f4"))
        self.ok("hdbscan", "third.npy", "--min-cluster-size", 12, "--box", 1, "--save-model", "box.zwm", "-o", "fit", "--force")
        self.save("wide.npy", np.array([[-.1, .4, .4], [1.05, .4, .4]], "f4"))
        for ranks in (1, 2):
            self.refused_on(ranks, 2, "queries", "predict", "box.zwm", "wide.npy", "-o", "out")
        self.same("predict", "box.zwm", "wide.npy", "--wrap", ranks=(2,))
        self.refused_on(2, 2, "this is no model file", "predict", "p.npy", "f4.npy", "-o", "out")
        self.refused_on(2, 2, "2 columns", "predict", "m.zwm", "two.npy", "-o", "out")

    def test_peaks(self):
        blobs = [self.rng.normal(self.rng.random(3), .03, (n, 3)) for n in (300, 200, 90)]
        self.save("blobs.npy", np.round(np.concatenate([*blobs, self.rng.random((260, 3))]), 2))
        found = self.same("peaks", "blobs.npy", "-k", 12, "--clusters", 3)
        self.assertEqual({*found}, {"radius.npy", "delta.npy", "nearest_denser.npy", "labels.npy", "centres.npy"})
        self.same("peaks", "blobs.npy", "-k", 5, "--order", "z", "--box", 2, "--wrap", "--precision", "f4", ranks=(3, 5))
        self.same("peaks", "f8.npy", "-k", 30, "--min-delta", .05, ranks=(2,))
        self.refused_on(2, 2, "-k is required", "peaks", "f8.npy", "-o", "out")

    def test_pairs(self):
        weights, others = self.rng.random(600), self.rng.random(200)
        self.save("w.npy", weights)
        self.save("v.npy", others - .5)
        found = self.same("pairs", "f4.npy", "--bins", "0.01,0.5,80,log")
        self.assertEqual({*found}, {"counts.npy", "edges.npy"})
        found = self.same("pairs", "f8.npy", "--bins", "0,0.3,5", "--weights", "w.npy", "--box", 1)
        self.assertIn("weighted.npy", found)
        self.same("pairs", "f8.npy", "--bins", "0,0.3,5", "--second", "q.npy", "--weights", "w.npy",
                  "--second-weights", "v.npy", ranks=(2, 5))
        self.same("pairs", "f8.npy", "--bins", "0,0.3,5", "--pi-max", .2, "--pi-bins", 4, ranks=(3,))
        self.save("edges.npy", np.array([0., .1, .4]))
        self.same("pairs", "f4.npy", "--edges", "edges.npy", "--second", "q.npy", "--mu-bins", 3, ranks=(3,))
        self.refused_on(2, 2, "200 weights, but 600 points", "pairs", "f4.npy", "--bins", "0,1,3", "--weights", "v.npy",
                        "-o", "out")

    def test_gravity(self):
        self.save("m.npy", self.rng.random(600))
        self.gravity("f8.npy")
        self.same("gravity", "f8.npy", ranks=(1,))

    def test_periodic_gravity(self):
        self.save("x.npy", self.rng.random((600, 3)))
        self.save("m.npy", self.rng.random(600))
        self.gravity("x.npy", "--box", 1)
        self.gravity("x.npy", "--box", ".7,1,.9", "--wrap", ranks=(3,))
        self.same("gravity", "x.npy", "--box", 1, ranks=(1,))
        self.refused_on(2, 2, "all three axes or none", "gravity", "x.npy", "--box", "1,1,0", "-o", "out")

    def gravity(self, *args, ranks=(2, 3, 5)):
        """On ranks as in one process, but for errors, and in both orders."""
        args = ("gravity", *args, "--masses", "m.npy", "--softening", .01, "--accuracy", 1e-4, "--force")
        self.ok(*args, "-o", "alone")
        expected = self.load("alone/accelerations.npy")
        for count in ranks:
            name = f"on{count}"
            code, _, err = self.on(count, *args, "-o", name)
            self.assertEqual((code, err), (0, []))
            found = self.load(name + "/accelerations.npy")
            off = np.linalg.norm(found - expected, axis=1) / np.linalg.norm(expected, axis=1)
            self.assertLess(np.quantile(off, .98), 2e-4)
            potentials = self.load("alone/potentials.npy")
            off = np.abs(self.load(name + "/potentials.npy") - potentials)
            self.assertLess(off.max(), 1e-3 * np.abs(potentials).max())
            self.assertEqual(self.on(count, *args, "--order", "z", "-o", name + "z")[0], 0)
            order = self.load(name + "z/order.npy")
            np.testing.assert_array_equal(self.load(name + "z/accelerations.npy"), found[order])


if __name__ == "__main__":
    run_tests()
