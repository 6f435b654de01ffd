"""Longitudes and latitudes (--sphere) against haversines, and against HDBSCAN of a matrix of angles where scikit-learn is installed."""
import unittest

import numpy as np

from harness import Case


def angles(a, b):
    """In radians, of longitudes and latitudes in radians: haversine, which is right for small angles."""
    lon, lat = (np.subtract.outer(a[:, i], b[:, i]) for i in (0, 1))
    h = np.sin(lat / 2)**2 + np.cos(a[:, 1])[:, None] * np.cos(b[:, 1])[None] * np.sin(lon / 2)**2
    return 2 * np.arcsin(np.sqrt(np.minimum(h, 1)))


def places(rng, n):
    """In radians; a third of them in clumps, some at the poles and on both sides of the turn of longitudes."""
    lon, lat = rng.uniform(-np.pi, 3 * np.pi, n), np.arcsin(rng.uniform(-1, 1, n))
    lon[:n // 3], lat[:n // 3] = rng.integers(0, 5, n // 3) * [[1], [.3]] + rng.normal(0, .01, (2, n // 3))
    lat[-2:] = -np.pi / 2, np.pi / 2
    lon[-6:-2] = np.pi - 1e-6, -np.pi + 1e-6, 0, 2 * np.pi
    return np.column_stack([lon, lat])


class OnSphere(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(9)
        self.p, self.q = places(self.rng, 400), places(self.rng, 50)
        self.d = angles(self.p, self.p)
        self.units = ("radians", 1), ("degrees", 180 / np.pi)

    def go(self, command, unit, scale, *args, queries=False, out="out"):
        self.save("p.npy", self.p * scale)
        if queries:
            self.save("q.npy", self.q * scale)
            args = (*args, "--query", "q.npy")
        return self.ok(command, "p.npy", "--sphere", unit, *args, "-o", out, "--force")

    def test_knn(self):
        for unit, scale in self.units:
            for queries, d in ((False, self.d), (True, angles(self.q, self.p))):
                self.go("knn", unit, scale, "-k", 5, queries=queries)
                expected = np.sort(d, axis=1)[:, :5] * scale
                found, indices = self.load("out/distances.npy"), self.load("out/indices.npy")
                self.assertEqual(found.dtype, np.float64)
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=3e-8 * scale)  # nearly equal places, haversine
                np.testing.assert_allclose(np.take_along_axis(d, indices, 1) * scale, found, rtol=1e-9, atol=3e-8 * scale)
            self.go("knn", unit, scale, "-k", 5, "--reduce", "radius", queries=True)
            np.testing.assert_array_equal(self.load("out/radius.npy"), found[:, -1])
            self.go("knn", unit, scale, "-k", 401, "--quiet")
            self.assertTrue(np.isinf(self.load("out/distances.npy")[:, -1]).all())
            bound = found[3, 2]  # taken in
            self.go("knn", unit, scale, "-k", 5, "--within", repr(float(bound)), queries=True)
            np.testing.assert_array_equal(self.load("out/distances.npy"), np.where(found > bound, np.inf, found))
            self.ok("knn", "p.npy", "--sphere", unit, "--save-index", "p.zwx", "--force", "--quiet")
            self.ok("knn", "--index", "p.zwx", "--sphere", unit, "-k", 5, "--query", "q.npy", "-o", "out", "--force")
            np.testing.assert_array_equal(self.load("out/distances.npy"), found)

    def test_small_angles(self):
        """Places a millimetre apart on Earth."""
        self.p = np.array([[2.3, .7], [2.3, .7 + 1e-3 / 6371e3]])
        self.go("knn", "radians", 1, "-k", 2)
        np.testing.assert_allclose(self.load("out/distances.npy")[:, 1] * 6371e3, 1e-3, rtol=1e-5)

    def test_radius(self):
        for unit, scale in self.units:
            for r in (.02, .5, 2, np.pi):
                for queries, d in ((False, self.d), (True, angles(self.q, self.p))):
                    said = self.go("radius", unit, scale, "--radius", r * scale, queries=queries)
                    self.assertIn("400 on a sphere, float64", said)
                    offsets, indices = self.load("out/offsets.npy"), self.load("out/indices.npy")
                    if r == np.pi:
                        self.assertEqual(len(indices), d.size)
                        continue
                    for i, row in enumerate(d):
                        np.testing.assert_array_equal(np.sort(indices[offsets[i]:offsets[i + 1]]), np.nonzero(row <= r)[0])
                    distances = self.load("out/distances.npy")
                    np.testing.assert_allclose(distances, d[np.repeat(np.arange(len(d)), np.diff(offsets)), indices] * scale,
                                               rtol=1e-8, atol=3e-8 * scale)

    def test_angles_found_are_within_themselves(self):
        """An angle that was reported, taken for a radius, takes in its pair, in both precisions: no rounding is between."""
        self.p = self.p[:60]
        for precision in ("f4", "f8"):
            for unit, scale in self.units:
                self.go("knn", unit, scale, "-k", 4, "--precision", precision)
                d, i = self.load("out/distances.npy"), self.load("out/indices.npy")
                self.assertEqual(d.dtype, precision)
                for row in range(0, 60, 4):
                    self.go("radius", unit, scale, "--radius", repr(float(d[row, 3])), "--precision", precision)
                    offsets, found = self.load("out/offsets.npy"), self.load("out/indices.npy")
                    self.assertLessEqual(set(i[row]), set(found[offsets[row]:offsets[row + 1]]))
                    self.assertLessEqual(self.load("out/distances.npy").max(), d[row, 3])
                self.go("emst", unit, scale, "--precision", precision)
                lengths = self.load("out/lengths.npy")
                for n in (5, 30, 58):
                    self.go("fof", unit, scale, "--linking-length", repr(float(lengths[n])), "--precision", precision, "--labels-only")
                    groups = len(np.unique(self.load("out/labels.npy")))
                    self.assertEqual(groups, 60 - np.count_nonzero(lengths <= lengths[n]))

    def test_fof_and_its_catalogue(self):
        for unit, scale in self.units:
            self.go("fof", unit, scale, "--linking-length", .05 * scale, "--min-members", 3)
            labels, rows = self.load("out/labels.npy"), self.load("out/catalogue.npy")
            expected = np.arange(400)
            while True:  # least index that each reaches
                step = np.where(self.d <= .05, expected[None], 400).min(1)
                if (step == expected).all():
                    break
                expected = step
            np.testing.assert_array_equal(labels, expected)
            self.assertEqual(rows["centre_of_mass"].shape, (len(rows), 2))
            for row in rows:
                members = np.nonzero(labels == row["label"])[0]
                lon, lat = self.p[members].T
                mean = np.mean([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)
                centre = np.array([[np.arctan2(mean[1], mean[0]), np.arctan2(mean[2], np.hypot(mean[0], mean[1]))]])
                np.testing.assert_allclose(row["centre_of_mass"], centre[0] * scale, atol=1e-9 * scale)
                np.testing.assert_allclose(row["radius"], angles(centre, self.p[members]).max() * scale, rtol=1e-7)
                spread = 2 * np.arcsin(np.sqrt(1 - mean @ mean) / 2)
                np.testing.assert_allclose(row["inertia_radius"], spread * scale, rtol=1e-6)
            self.go("fof", unit, scale, "--linking-length", .05 * scale, "--format", "csv")

    def test_trees_and_clusters(self):
        try:
            import sklearn.cluster
            from scipy.sparse.csgraph import minimum_spanning_tree
            from sklearn.metrics import adjusted_rand_score
        except ImportError:
            self.skipTest("no scikit-learn")
        for unit, scale in self.units:
            self.go("emst", unit, scale, "--min-samples", 4)
            core = np.sort(self.d, axis=1)[:, 3]
            np.testing.assert_allclose(self.load("out/core_distances.npy"), core * scale, rtol=1e-8, atol=3e-8 * scale)
            mutual = np.maximum(np.maximum.outer(core, core), self.d)
            expected = np.sort(minimum_spanning_tree(mutual).data)
            np.testing.assert_allclose(self.load("out/lengths.npy"), expected * scale, rtol=1e-8, atol=3e-8 * scale)

            self.go("dbscan", unit, scale, "--epsilon", .03 * scale, "--min-samples", 6)
            theirs = sklearn.cluster.DBSCAN(eps=.03, min_samples=6, metric="precomputed").fit(self.d)
            np.testing.assert_array_equal(np.nonzero(self.load("out/core.npy"))[0], theirs.core_sample_indices_)
            np.testing.assert_array_equal(self.load("out/labels.npy") == -1, theirs.labels_ == -1)

            self.go("hdbscan", unit, scale, "--min-cluster-size", 15)
            theirs = sklearn.cluster.HDBSCAN(min_cluster_size=15, metric="precomputed", copy=True).fit(self.d)
            linkage, tree = self.load("out/linkage.npy"), self.load("out/condensed_tree.npy")
            np.testing.assert_allclose(linkage[:, 2], theirs._single_linkage_tree_["value"] * scale, rtol=1e-8, atol=3e-8 * scale)
            self.assertTrue(np.isin(tree["lambda_val"], 1 / linkage[:, 2]).all())  # of angles, not of chords
            self.assertGreater(adjusted_rand_score(self.load("out/labels.npy"), theirs.labels_), .95)  # ties of distance

    def test_files(self):
        """Names that say that latitudes come first, and columns that say which come."""
        lon, lat = np.degrees(self.p[:, 0]), np.degrees(self.p[:, 1])
        self.go("knn", "degrees", 180 / np.pi, "-k", 3, out="expected")
        rows = "".join("%d,%.17g,%.17g\n" % row for row in zip(range(400), lat, lon))
        for names, columns in (("id,lat,lon", "lon,lat"), ("id,DEC_deg,RA_deg", "RA_deg,DEC_deg"), ("a,b,c", "3,2")):
            self.write("p.csv", names + "\n" + rows)
            self.ok("knn", "p.csv", "--columns", columns, "--sphere", "degrees", "-k", 3, "-o", "out", "--force")
            np.testing.assert_allclose(self.load("out/distances.npy"), self.load("expected/distances.npy"), atol=1e-6)
        self.write("p.csv", "Latitude,Longitude\n" + "".join("%.17g,%.17g\n" % row for row in zip(lat, lon)))
        run = "knn", "p.csv", "--sphere", "degrees", "-k", 3, "-o", "no"
        self.refused(2, "longitude comes first, but the first column of the points is called 'Latitude' (--columns "
                        "Longitude,Latitude", *run)
        self.refused(2, "called 'Latitude'", *run, "--columns", "Latitude,Longitude")
        self.ok("knn", "p.csv", "--sphere", "degrees", "-k", 3, "-o", "out", "--force", "--columns", "2,1", "--quiet")

    def test_refusals(self):
        self.save("p.npy", self.p)
        self.save("three.npy", self.rng.random((9, 3)))
        run = "knn", "p.npy", "-k", 2, "-o", "no", "--sphere"
        self.refused(2, "--sphere must be degrees, radians, not 'deg'", *run, "deg")
        self.refused(2, "a sphere has no --box", *run, "degrees", "--box", 360)
        self.refused(2, "a sphere has no box, so nothing to --wrap", *run, "degrees", "--wrap")
        self.refused(2, "are of points in space", *run, "degrees", "--reduce", "density")
        self.refused(2, "have two columns, longitude and latitude, but there are 3", "knn", "three.npy", "-k", 2, "-o", "no",
                     "--sphere", "degrees")
        self.refused(2, "queries have two columns", *run, "degrees", "--query", "three.npy")
        for row in ([0, 91], [np.nan, 0], [0, np.inf]):
            self.save("bad.npy", np.array([[0., 0], row]))
            self.refused(2, "points: row 1 has longitude", "emst", "bad.npy", "--sphere", "degrees", "-o", "no")
        self.refused(2, "must be an angle from 0 to 180 degrees", "radius", "p.npy", "--radius", 181, "--sphere", "degrees", "-o", "no")
        self.refused(2, "must be an angle from 0 to 3.14159 radians", "dbscan", "p.npy", "--epsilon", 4, "--min-samples", 3,
                     "--sphere", "radians", "-o", "no")
        fof = "fof", "p.npy", "--sphere", "degrees", "-o", "no"
        self.refused(2, "--linking-fraction is of points in space", *fof, "--linking-fraction", .2)
        self.refused(2, "--velocities are of points in space", *fof, "--linking-length", 1, "--velocities", "p.npy")
        self.ok("knn", "three.npy", "--save-index", "i.zwx", "--box", 1, "--quiet")
        self.refused(2, "the index was saved without it", "knn", "--index", "i.zwx", "--sphere", "degrees", "-k", 1, "-o", "no")
        for command in (("pairs", "--bins", "0,1,5"), ("gravity",)):
            self.refused(2, "not expected: --sphere degrees", command[0], "p.npy", *command[1:], "--sphere", "degrees", "-o", "no")


if __name__ == "__main__":
    unittest.main()
