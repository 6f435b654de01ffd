"""zwalk predict against brute force, and models in files. (python/tests/test_predict.py compares with the hdbscan package.)"""
import json
import os
import unittest

import numpy as np

from cli_radius import squared_distances
from harness import GPU, Case


class Predict(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(9)

    def blobs(self, n, dtype="f8"):
        x = self.rng.random((n, 3)) * 0.9
        x[: n // 2] = self.rng.choice([0.2, 0.4, 0.7], (n // 2, 1)) + 0.02 * self.rng.normal(size=(n // 2, 3))
        return x.astype(dtype) % 1

    def model(self, points, *args):
        self.save("p.npy", points)
        self.ok("hdbscan", "p.npy", "--min-cluster-size", 8, *args, "--save-model", "m", "-o", "fit", "--force", "--quiet")

    def predict(self, queries, *args):
        self.save("q.npy", queries)
        self.ok("predict", "m", "q.npy", *args, "-o", "out", "--force", "--quiet")
        return [self.load(f"out/{name}.npy") for name in ("labels", "probabilities", "outlier_scores", "neighbours", "distances")]

    def test_brute_force(self):
        for dtype in ("f4", "f8"):
            for box in (None, [1.0, 1.0, 1.0]):
                points, queries = self.blobs(300, dtype), self.blobs(100, dtype)
                self.model(points, *([] if box is None else ["--box", 1]))
                labels, probabilities, scores, neighbours, distances = self.predict(queries)
                self.assertEqual([a.dtype for a in (labels, probabilities, scores, neighbours, distances)],
                                 [np.int64, np.float64, np.float64, np.int64, dtype])
                core = np.sort(np.sqrt(squared_distances(points, points, box)), axis=1)[:, 7]
                d = np.sqrt(squared_distances(points, queries, box))
                d = d if d.shape == (100, 300) else d.T
                reach = np.maximum(np.maximum(np.sort(d, axis=1)[:, 7:8], core), d)
                np.testing.assert_allclose(distances, reach.min(1), rtol=1e-4 if dtype == "f4" else 1e-12)
                own = self.predict(points)
                np.testing.assert_array_equal(own[0], self.load("fit/labels.npy"))
                np.testing.assert_array_equal(own[2], self.load("fit/outlier_scores.npy"))
                self.assertTrue(set(labels) <= set(own[0]) and len(set(labels)) > 1)

    def test_rows_and_notes(self):
        self.model(self.blobs(200, "f4"))
        self.assertEqual(self.predict(np.empty((0, 3), "f4"))[0].shape, (0,))
        self.save("q.npy", self.blobs(20))
        r = self.run_zwalk("predict", "m", "q.npy", "-o", "out", "--force", "--stats", "s.json")
        self.assertEqual(r.returncode, 0)
        self.assertIn("rounded to float32, the precision of the points", r.stderr)
        with open(self.path("s.json")) as f:
            counts = json.load(f)["counts"]
        self.assertEqual((counts["points"], counts["dim"]), (20, 3))

    def test_wrap(self):
        points = self.blobs(200)
        self.model(points, "--box", 1)
        inside = self.predict(points[:50])
        moved = self.predict(points[:50] + [2, -1, 0], "--wrap")
        np.testing.assert_array_equal(inside[0], moved[0])
        np.testing.assert_allclose(inside[4], moved[4], rtol=1e-9)  # (which of several neighbours at a distance, rounding decides)

    def test_devices(self):
        self.model(self.blobs(200, "f4"))
        queries = self.blobs(100, "f4")
        if not GPU:
            self.save("q.npy", queries)
            self.refused(2, "no CUDA", "predict", "m", "q.npy", "--device", "cuda", "-o", "x")
            return
        here = self.predict(queries, "--device", "cpu")
        for a, b in zip(here, self.predict(queries, "--device", "cuda")):
            np.testing.assert_array_equal(a, b)

    def test_what_is_refused(self):
        points = self.blobs(100)
        self.model(points)
        with open(self.path("m"), "rb") as f:
            whole = f.read()
        self.write("short", whole[:500])
        self.write("changed", whole[:700] + b"\x00\x01" + whole[702:])
        self.save("two.npy", points[:, :2])
        for words, *args in [("this is no model file", "p.npy", "p.npy"), ("truncated", "short", "p.npy"),
                             ("corrupted", "changed", "p.npy"), ("2 columns", "m", "two.npy"), ("No such file", "none", "p.npy"),
                             ("leave out --box", "m", "p.npy", "--box", 1), ("leave out --precision", "m", "p.npy", "--precision", "f4"),
                             ("leave out --order z", "m", "p.npy", "--order", "z")]:
            self.refused(2, words, "predict", *args, "-o", "x")
        self.refused(2, "'m' exists", "hdbscan", "p.npy", "--save-model", "m", "-o", "x")
        self.refused(2, "--sphere", "hdbscan", "two.npy", "--sphere", "degrees", "--save-model", "n", "-o", "x")
        self.assertEqual(os.path.getsize(self.path("m")), len(whole))


if __name__ == "__main__":
    unittest.main(argv=["cli_predict"])
