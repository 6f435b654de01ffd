"""zwalk knn against brute force."""
import json
import os
import unittest

import numpy as np

from harness import GPU, MAX_DIM, SANITIZED, Case, brute_force


class Knn(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(3)

    def check(self, sources, k, *args, queries=None, box=None, out="out"):
        """Runs the command and compares; returns (indices, distances)."""
        self.save("s.npy", sources)
        extra = list(args)
        rows = sources
        if queries is not None:
            extra += ["--query", self.save("q.npy", queries)]
            rows = queries
        if box is not None:
            extra += ["--box", ",".join(map(str, box))]
        self.ok("knn", "s.npy", "-k", k, "-o", out, "--force", "--quiet", *extra)
        indices, distances = self.load(f"{out}/indices.npy"), self.load(f"{out}/distances.npy")
        self.compare(sources, rows, k, indices, distances, box, "--exclude-self" in args)
        return indices, distances

    def compare(self, sources, rows, k, indices, distances, box, exclude_self):
        self.assertEqual(indices.dtype, np.int64)
        self.assertEqual(distances.dtype, sources.dtype)
        self.assertEqual(indices.shape, (len(rows), k))
        self.assertEqual(distances.shape, (len(rows), k))
        expected = brute_force(sources, rows, k, box, exclude_self)
        eps = np.finfo(sources.dtype).eps
        np.testing.assert_allclose(distances, expected, rtol=8 * eps, atol=0)
        self.assertTrue(np.all((indices == -1) == np.isinf(distances)))
        if exclude_self:
            self.assertFalse(np.any(indices == np.arange(len(rows))[:, None]))
        for i in range(len(rows)):  # the indices are different points at these distances
            there = indices[i][indices[i] >= 0]
            self.assertEqual(len(set(there)), len(there))
            again = brute_force(sources[there], rows[i:i + 1], len(there), box)[0]
            np.testing.assert_allclose(distances[i, :len(there)], again, rtol=8 * eps, atol=0)

    def test_open(self):
        for dtype in ("f4", "f8"):
            for dim in (1, 2, 3, 5, min(10, MAX_DIM)):
                self.check(self.rng.random((200, dim)).astype(dtype), 7)

    @unittest.skipIf(MAX_DIM == 64, "every dimension is compiled")
    def test_too_many_dimensions_for_this_build(self):
        self.save("s.npy", self.rng.random((20, MAX_DIM + 1)))
        self.refused(2, "ZWALK_DIMS", "knn", "s.npy", "-k", 3, "-o", "out")

    def test_reduce(self):
        points = self.rng.random((400, 3)).astype("f4")
        self.save("s.npy", points)
        expected = brute_force(points, points, 12, [1, 1, 1], False)
        radius = expected[:, -1]
        volume = 4 / 3 * np.pi * radius.astype("f8") ** 3
        q = expected / radius[:, None]
        spline = np.where(q < .5, 1 - 6 * q**2 + 6 * q**3, 2 * (1 - q) ** 3)
        for name, value in (("radius", radius), ("density", 12 / volume),
                            ("sph", spline.sum(1) * 8 / np.pi / radius.astype("f8") ** 3)):
            self.ok("knn", "s.npy", "-k", 12, "--box", 1, "--reduce", name, "-o", name)
            self.assertEqual(sorted(os.listdir(self.path(name))), [name + ".npy"])
            got = self.load(f"{name}/{name}.npy")
            self.assertEqual((got.dtype, got.shape), (points.dtype, (400,)))
            np.testing.assert_allclose(got, value, rtol=1e-5)
        queries = self.save("q.npy", self.rng.random((9, 3)).astype("f4"))
        self.ok("knn", "s.npy", "-k", 12, "--query", queries, "--reduce", "radius", "-o", "rq")
        self.assertEqual(self.load("rq/radius.npy").shape, (9,))
        self.refused(2, "--reduce", "knn", "s.npy", "-k", 3, "--reduce", "mean", "-o", "x")
        self.refused(2, "--reduce", "knn", "s.npy", "-k", 3, "--reduce", "sph", "--order", "z",
                     "-o", "x")
        self.save("d5.npy", self.rng.random((50, 5)))
        self.refused(2, "three dimensions", "knn", "d5.npy", "-k", 3, "--reduce", "sph", "-o", "x")

    def test_periodic(self):
        for dtype in ("f4", "f8"):
            p = self.rng.random((300, 3)).astype(dtype)
            self.check(p, 9, box=[1, 1, 1])
            self.check(p, 9, box=[1, 0, 2])

    def test_queries(self):
        s, q = self.rng.random((150, 3)), self.rng.random((40, 3))
        self.check(s, 5, queries=q)
        self.check(s, 5, queries=q, box=[1, 1, 1])
        self.check(s, 5, queries=q[:0])

    def test_notes(self):
        self.save("s.npy", self.rng.random((20, 3), dtype=np.float32))
        self.save("q.npy", self.rng.random((5, 3)))
        for args, note in ((("-k", 21), "k is 21, but there are 20 points to be found: rows end with index -1"),
                           (("-k", 20, "--exclude-self"), "there are 19 points"),
                           (("-k", 2, "--query", "q.npy"), "the queries are float64; they are rounded to float32"),
                           (("-k", 20), ""), (("-k", 21, "--quiet"), ""),
                           (("-k", 2, "--query", "q.npy", "--precision", "f4"), ""),
                           (("-k", 2, "--query", "q.npy", "--precision", "f8"), "")):
            r = self.run_zwalk("knn", "s.npy", *args, "-o", "out", "--force")
            self.assertEqual((r.returncode, r.stderr.count("\n")), (0, int(bool(note))), r.stderr)
            self.assertIn(note, r.stderr)

    def test_more_neighbours_than_points(self):
        for n in (0, 1, 2, 5):
            p = self.rng.random((n, 3))
            self.check(p, 8)
            self.check(p, 8, "--exclude-self")
        self.check(self.rng.random((0, 3)), 2, queries=self.rng.random((4, 3)))

    def test_exclude_self(self):
        self.check(self.rng.random((120, 3)), 4, "--exclude-self")
        self.check(np.repeat(self.rng.random((6, 3)), 20, axis=0), 30, "--exclude-self")

    def test_within(self):
        points = self.rng.random((300, 3))
        indices, distances = self.check(points, 8)
        bound = distances[7, 5]  # taken in
        for name, more in (("near", []), ("near2", ["--query", self.save("q.npy", points)])):
            self.ok("knn", "s.npy", "-k", 8, "--within", repr(float(bound)), *more, "-o", name)
            far = distances > bound
            np.testing.assert_array_equal(self.load(f"{name}/indices.npy"), np.where(far, -1, indices))
            np.testing.assert_array_equal(self.load(f"{name}/distances.npy"), np.where(far, np.inf, distances))
        k = "-k", 8, "--within", repr(float(bound))
        near = distances <= bound
        printed = self.ok("knn", "s.npy", *k, "-o", "said")
        self.assertIn(f"found       {near.sum()} neighbours within {float(bound)!r}; "
                      f"{(near.sum(1) < 8).sum()} points have fewer than 8\n", printed)
        self.assertIn("found       300 neighbours within 0; 300 queries have fewer than 8\n",
                      self.ok("knn", "s.npy", "-k", 8, "--within", 0, "--query", "q.npy", "-o", "zero"))
        self.assertIn(f"found       {(near.sum(1) < 8).sum()} points have fewer than 8 neighbours within ",
                      self.ok("knn", "s.npy", *k, "--reduce", "radius", "-o", "radii"))
        self.assertNotIn("found ", self.ok("knn", "s.npy", "-k", 8, "-o", "all"))
        self.refused(2, "--within must not be negative, but is -1", "knn", "s.npy", "-k", 3, "--within=-1", "-o", "x")
        self.refused(2, "leave out --within", "knn", "s.npy", "-k", 3, "--within", 1, "--reduce", "sph", "-o", "x")
        self.refused(2, "--within need -k and -o", "knn", "s.npy", "--save-index", "i.zwx", "--within", 1)

    def test_precision(self):
        self.save("s.npy", p := self.rng.random((60, 3)))
        self.ok("knn", "s.npy", "-k", 3, "--precision", "f4", "-o", "out")
        d = self.load("out/distances.npy")
        self.assertEqual(d.dtype, np.float32)
        np.testing.assert_allclose(d, brute_force(p.astype("f4"), p.astype("f4"), 3), rtol=1e-6)

    def test_layouts_and_formats(self):
        p = self.rng.random((50, 3))
        reference = self.check(p, 4)
        self.write("p.csv", "x,y,z\n" + "\n".join(",".join(map(repr, r)) for r in p.tolist()))
        for name in (self.save("f.npy", np.asfortranarray(p)), self.save("b.npy", p.astype(">f8")),
                     "p.csv"):
            self.ok("knn", name, "-k", 4, "-o", "again", "--force")
            for file, expected in zip(("indices", "distances"), reference):
                self.assertTrue(np.array_equal(self.load(f"again/{file}.npy"), expected), name)

    def test_order_z(self):
        p, q = self.rng.integers(0, 4, (90, 3)).astype("f4"), self.rng.random((30, 3), "f4")
        for queries in (None, q):
            indices, distances = self.check(p, 6, queries=queries)
            args = [] if queries is None else ["--query", "q.npy"]
            self.ok("knn", "s.npy", "-k", 6, "--order", "z", "-o", "z", "--force", *args)
            order = self.load("z/order.npy")
            sources = order if queries is None else self.load("z/source_order.npy")
            self.assertEqual(order.dtype, np.int64)
            self.assertEqual(sorted(order), list(range(len(distances))))
            self.assertTrue(np.array_equal(self.load("z/distances.npy"), distances[order]))
            self.assertTrue(np.array_equal(sources[self.load("z/indices.npy")], indices[order]))

    def test_wrap(self):
        for dtype in ("f4", "f8"):
            p = (self.rng.random((200, 2)) * 9 - 4).astype(dtype)
            p[:4] = [[0, -1e-30], [-1e-12, 1], [1, 2], [-1, -0.0]]
            w = np.fmod(p, p.dtype.type(1))
            w = np.where(w < 0, w + p.dtype.type(1), w)
            w = np.where(w >= 1, 0, w).astype(dtype)
            self.save("p.npy", p)
            self.refused(2, "box", "knn", "p.npy", "-k", 3, "--box", 1, "-o", "x")
            self.ok("knn", "p.npy", "-k", 3, "--box", 1, "--wrap", "-o", f"o{dtype}")
            d = self.load(f"o{dtype}/distances.npy")
            np.testing.assert_allclose(d, brute_force(w, w, 3, [1, 1]), rtol=1e-6)

    def test_threads_give_the_same_bits(self):
        p = self.rng.integers(0, 6, (400, 3)).astype("f8")
        one, many = self.check(p, 9, "--threads", 1), self.check(p, 9, "--threads", 7, out="many")
        for a, b in zip(one, many):
            self.assertTrue(np.array_equal(a, b))

    def test_a_small_budget_changes_nothing(self):
        p = self.rng.random((500, 3))
        one, small = self.check(p, 9), self.check(p, 9, "--memory-budget", 1000, out="small")
        for a, b in zip(one, small):
            self.assertTrue(np.array_equal(a, b))

    @unittest.skipUnless(GPU, "no GPU")
    def test_a_gpu_gives_the_same_bits(self):
        p = self.rng.random((3000, 3)).astype("f4")
        one = self.check(p, 16, "--device", "cpu")
        there = self.check(p, 16, "--device", "cuda", "--stats", "stats.json", out="gpu")
        for a, b in zip(one, there):
            self.assertTrue(np.array_equal(a, b))
        self.assertEqual(json.load(open(self.path("stats.json")))["device"]["kind"], "cuda")
        self.ok("knn", "s.npy", "--save-index", "p.zwx", "--quiet")
        for reduce in ((), ("--reduce", "density"), ("--reduce", "sph")):
            for source in (("s.npy",), ("--index", "p.zwx")):
                for query in ((), ("--query", "s.npy")):
                    files = []
                    for device in ("cpu", "cuda"):
                        self.ok("knn", *source, *query, *reduce, "-k", 9, "--device", device, "-o", device,
                                "--force", "--quiet")
                        name = reduce[1] if reduce else "indices"
                        files.append(self.load(f"{device}/{name}.npy"))
                    self.assertTrue(np.array_equal(*files))

    def test_stats(self):
        self.save("s.npy", self.rng.random((100, 3)))
        for where in ("stats.json", "out/stats.json"):
            self.ok("knn", "s.npy", "-k", 5, "-o", "out", "--stats", where, "--box", 1, "--wrap",
                    "--threads", 2, "--device", "cpu", "--force")
            s = json.load(open(self.path(where)))
            seconds = s["seconds"]
            self.assertAlmostEqual(sum(seconds["phases"].values()), seconds["compute"], places=9)
            self.assertTrue(all(v >= 0 for v in seconds["phases"].values()))
            self.assertIn("other", seconds["phases"])
            self.assertLessEqual(seconds["read"] + seconds["compute"] + seconds["write"],
                                 seconds["total"] * (1 + 1e-12))
            self.assertEqual(s["bytes"]["input"], os.path.getsize(self.path("s.npy")))
            self.assertEqual(s["bytes"]["output"], sum(os.path.getsize(self.path(f"out/{name}.npy"))
                                                       for name in ("indices", "distances")))
            self.assertGreater(s["bytes"]["peak_resident"], 0)
            for key, value in (("sources", 100), ("queries", 100), ("dim", 3), ("k", 5)):
                self.assertEqual(s["counts"][key], value)
            self.assertEqual((s["device"]["kind"], s["device"]["threads"]), ("cpu", 2))

    def test_words(self):
        self.save("s.npy", self.rng.random((100, 3)))
        self.assertEqual(self.ok("knn", "s.npy", "-k", 5, "-o", "a", "--quiet"), "")
        self.assertIn("100 in 3 dimensions", self.ok("knn", "s.npy", "-k", 5, "-o", "b"))


class Index(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(4)

    def same(self, a, b, *files):
        for file in files or ("indices", "distances"):
            self.assertTrue(np.array_equal(self.load(f"{a}/{file}.npy"),
                                           self.load(f"{b}/{file}.npy")), file)

    def test_round_trip(self):
        for dtype in ("f4", "f8"):
            for box in ((), ("--box", "1,0,1")):
                if SANITIZED and (dtype == "f8") == bool(box):
                    continue
                for n, queries in ((500, 3), (500, 900), (0, 5), (7, 0)):
                    self.save("s.npy", self.rng.random((n, 3)).astype(dtype))
                    self.save("q.npy", self.rng.random((queries, 3)))
                    self.assertEqual(self.ok("knn", "s.npy", "--save-index", "i.zwx", "--force",
                                             "--quiet", *box), "")
                    os.remove(self.path("s.npy"))
                    for order in ("input", "z"):
                        common = ("-k", 9, "--order", order, "--force", "--quiet")
                        self.ok("knn", "--index", "i.zwx", "--query", "q.npy", *common, "-o", "q")
                        self.ok("knn", "--index", "i.zwx", *common, "-o", "self")
                        self.ok("knn", "--index", "i.zwx", *common, "--exclude-self", "-o", "other")
                        self.assertEqual(self.load("q/distances.npy").dtype, np.dtype(dtype))
                        self.assertEqual(self.load("self/indices.npy").shape, (n, 9))

    def test_equals_the_search_without(self):
        for order, files in (("input", ()), ("z", ("indices", "distances", "order"))):
            self.save("s.npy", self.rng.integers(0, 9, (800, 3)).astype("f4"))
            self.save("q.npy", self.rng.random((300, 3), "f4"))
            common = ("-k", 12, "--order", order, "--force")
            query = ("--query", "q.npy")
            self.ok("knn", "s.npy", *query, *common, "-o", "plain")
            self.ok("knn", "s.npy", *query, *common, "-o", "saving", "--save-index", "i.zwx")
            self.ok("knn", "--index", "i.zwx", *query, *common, "-o", "loaded")
            for out in ("saving", "loaded"):
                self.same(out, "plain", *files)
                if order == "z":
                    self.same(out, "plain", "source_order")
            self.ok("knn", "s.npy", *common, "--exclude-self", "-o", "plain2")
            self.ok("knn", "--index", "i.zwx", *common, "--exclude-self", "-o", "loaded2")
            self.same("loaded2", "plain2", *files)

    def test_reduce(self):
        self.save("s.npy", self.rng.random((800, 3)).astype("f4"))
        self.save("q.npy", self.rng.random((9000, 3), "f4"))
        self.ok("knn", "s.npy", "--save-index", "i.zwx")
        for i, more in enumerate(((), ("--exclude-self",), ("--query", "q.npy"),
                                  ("--query", "q.npy", "--memory-budget", 1, "--quiet"))):
            for name in ("radius", "density", "sph"):
                common = ("-k", 12, "--reduce", name, *more)
                self.ok("knn", "s.npy", *common, "-o", f"plain{i}{name}")
                self.ok("knn", "--index", "i.zwx", *common, "-o", f"index{i}{name}")
                self.same(f"plain{i}{name}", f"index{i}{name}", name)

    def test_wrap(self):
        s, q = self.rng.random((300, 2)) * 5 - 2, self.rng.random((40, 2)) * 7
        self.save("s.npy", s), self.save("q.npy", q)
        self.ok("knn", "s.npy", "--save-index", "i.zwx", "--box", 1, "--wrap")
        self.refused(2, "box", "knn", "--index", "i.zwx", "--query", "q.npy", "-k", 3, "-o", "out")
        self.ok("knn", "--index", "i.zwx", "--query", "q.npy", "--wrap", "-k", 3, "-o", "loaded")
        self.ok("knn", "s.npy", "--query", "q.npy", "--box", 1, "--wrap", "-k", 3, "-o", "plain")
        self.same("loaded", "plain")

    def test_outputs(self):
        self.save("s.npy", self.rng.random((100, 3)))
        self.assertIn("i.zwx", self.ok("knn", "s.npy", "--save-index", "i.zwx"))
        self.refused(2, "--force", "knn", "s.npy", "--save-index", "i.zwx")
        self.refused(1, "No such file", "knn", "s.npy", "--save-index", "no/i.zwx")
        self.ok("knn", "s.npy", "--save-index", "out/i.zwx", "-k", 2, "-o", "out", "--stats",
                "out/s.json")
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["distances.npy", "i.zwx", "indices.npy", "s.json"])
        self.ok("knn", "--index", "out/i.zwx", "-k", 2, "-o", "again", "--stats", "s.json")
        self.same("out", "again")
        s = json.load(open(self.path("s.json")))
        self.assertEqual(s["bytes"]["input"], os.path.getsize(self.path("i.zwx")))
        self.assertEqual((s["counts"]["sources"], s["counts"]["queries"]), (100, 100))
        self.ok("knn", "s.npy", "--save-index", "j.zwx", "--stats", "t.json")
        s = json.load(open(self.path("t.json")))
        self.assertEqual(s["bytes"]["output"], os.path.getsize(self.path("j.zwx")))
        self.assertIn("index", s["seconds"]["phases"])
        self.assertAlmostEqual(sum(s["seconds"]["phases"].values()), s["seconds"]["compute"],
                               places=9)

    def test_refusals(self):
        self.save("s.npy", self.rng.random((50, 3)))
        self.save("q.npy", self.rng.random((5, 2)))
        self.ok("knn", "s.npy", "--save-index", "i.zwx")
        work = ("-k", 2, "-o", "out")
        for part, *args in (
                ("INPUT is required", *work),
                ("not from both", "s.npy", "--index", "i.zwx", *work),
                ("saved already", "--index", "i.zwx", "--save-index", "j.zwx", *work),
                ("box is that of the index", "--index", "i.zwx", "--box", 1, *work),
                ("precision is that of the index", "--index", "i.zwx", "--precision", "f4", *work),
                ("-k is required", "s.npy", "--save-index", "j.zwx", "-o", "out"),
                ("-o is required", "s.npy", "--save-index", "j.zwx", "-k", 2),
                ("-k is required", "--index", "i.zwx", "-o", "out"),
                ("need -k and -o", "s.npy", "--save-index", "j.zwx", "--query", "s.npy"),
                ("leave it out with --query", "--index", "i.zwx", "--query", "s.npy",
                 "--exclude-self", *work),
                ("2 coordinates", "--index", "i.zwx", "--query", "q.npy", *work),
                ("--wrap needs", "--index", "i.zwx", "--wrap", *work),
                ("box", "s.npy", "--save-index", "j.zwx", "--box", .1),
                ("No such file", "--index", "missing", *work),
                ("no tree file", "--index", "s.npy", *work)):
            self.refused(2, part, "knn", *args)
        whole = open(self.path("i.zwx"), "rb").read()
        for name, content, part in (("t", whole[:-1], "truncated"), ("l", whole + b"x", "behind"),
                                    ("e", b"", "empty"),
                                    ("c", whole[:700] + b"x" + whole[701:], "corrupted")):
            self.refused(2, part, "knn", "--index", self.write(name, content), *work)
