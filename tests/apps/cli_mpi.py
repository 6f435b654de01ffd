"""The program on MPI ranks: the bytes of one process, and failures of all together.

Usage: cli_mpi.py PATH_OF_ZWALK MAX_DIM MPIRUN"""
import json
import os
import sys
import time
import unittest

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

from harness import GPU, MAX_DIM, ZWALK
from ranks import ENV, RANKS, Ranks, run_tests

class SameBytes(Ranks):
    def test_knn(self):
        p = self.rng.random((700, 3))
        self.save("f8.npy", p)
        self.save("f4.npy", p.astype("f4"))
        for args in (("f4.npy", "-k", 4), ("f8.npy", "-k", 3, "--box", 1, "--order", "z"),):
            self.same("knn", *args)
        for args in (("f8.npy", "-k", 1, "--exclude-self", "--box", "0,1,0", "--precision", "f4"),
                     ("f4.npy", "-k", 2, "--box", .3, "--wrap", "--precision", "f8")):
            self.same("knn", *args, ranks=(3,))
        self.same("knn", "f4.npy", "-k", 750, "--order", "z", "--memory-budget", "1M", ranks=(3,), notes=1)

    def test_queries_and_reductions(self):
        self.save("p.npy", self.rng.random((600, 3), "f4"))
        self.save("q.npy", self.rng.random((200, 3), "f4") * .4)
        self.same("knn", "p.npy", "-k", 3, "--query", "q.npy", ranks=(2, 5))
        found = self.same("knn", "p.npy", "-k", 3, "--query", "q.npy", "--box", 1, "--order", "z")
        self.assertEqual({*found}, {"indices.npy", "distances.npy", "order.npy", "source_order.npy"})
        self.same("knn", "p.npy", "-k", 3, "--query", "q.npy", "--box", .2, "--wrap", ranks=(3,))
        for what in ("density", "sph", "radius"):
            self.assertEqual({*self.same("knn", "p.npy", "-k", 5, "--reduce", what, ranks=(3,))}, {what + ".npy"})
        self.same("knn", "p.npy", "-k", 5, "--reduce", "density", "--query", "q.npy", ranks=(2,))

    def test_within(self):
        """The summary counts what all ranks have found, at once or in batches."""
        self.save("p.npy", self.rng.random((3000, 3), "f4"))
        for more in ((), ("--reduce", "radius"), ("--memory-budget", "30K")):
            args = "knn", "p.npy", "-k", 8, "--within", .07, *more
            found = [line for line in self.run_zwalk(*args, "-o", "w", "--force").stdout.splitlines() if "found " in line]
            code, out, _ = self.on(3, *args, "-o", "w3", "--force")
            self.assertEqual((code, len(found)), (0, 1))
            self.assertIn(found[0], out.splitlines())

    def test_index(self):
        self.save("p.npy", self.rng.random((60000, 3), "f4"))  # some MiB
        self.save("q.npy", self.rng.random((100, 3), "f4") * 3)
        self.ok("knn", "p.npy", "--box", 1, "--save-index", "alone.zwx")
        expected = open(self.path("alone.zwx"), "rb").read()
        for n in RANKS:
            code, out, err = self.on(n, "knn", "p.npy", "--box", 1, "--save-index", f"{n}.zwx")
            self.assertEqual((code, err), (0, []))
            self.assertEqual(open(self.path(f"{n}.zwx"), "rb").read(), expected)
            self.assertIn(f"index       {n}.zwx", out)
            self.assertNotIn("written", out)
        self.same("knn", "--index", "3.zwx", "-k", 3)
        for args in (("--order", "z"), ("--order", "z", "--query", "q.npy", "--wrap"), ("--reduce", "density")):
            self.same("knn", "--index", "2.zwx", "-k", 3, *args, ranks=(3,))
        code, out, _ = self.on(3, "knn", "p.npy", "--box", 1, "-k", 2, "--save-index", "both/i.zwx", "-o", "both",
                               "--stats", "both/s.json")
        self.assertEqual(code, 0)
        both = self.files("both")
        self.assertEqual(both["i.zwx"], expected)
        self.assertEqual({*both}, {"indices.npy", "distances.npy", "i.zwx", "s.json"})
        steps = json.loads(both["s.json"])["ranks"]["steps"]
        self.assertLess(steps["points"]["bytes"], 60000 * 20)  # they are sorted once
        self.ok("knn", "--index", "alone.zwx", "-k", 2, "-o", "alone")
        for name, content in self.files("alone").items():
            self.assertEqual(both[name], content)

    def test_few_points(self):
        for n, ranks in ((4, (5,)), (1, (2,)), (0, (3,))):
            self.save("p.npy", np.round(self.rng.random((n, 3)), 1))
            few = int(n < 2)  # a note says so
            self.same("knn", "p.npy", "-k", 2, ranks=ranks, notes=few)
            self.same("knn", "p.npy", "-k", 2, "--order", "z", ranks=ranks, notes=few)
            self.same("fof", "p.npy", "--linking-length", .4, "--labels-only", ranks=ranks)
            for least in (1, 3):
                self.same("fof", "p.npy", "--linking-length", .4, "--min-members", least, "--velocities", "p.npy",
                          "--members", ranks=ranks)
            self.same("emst", "p.npy", ranks=ranks)
            self.same("hdbscan", "p.npy", ranks=ranks)

    def test_equal_points(self):
        self.save("p.npy", self.rng.integers(0, 3, (400, 3)).astype("f4"))
        self.same("knn", "p.npy", "-k", 9, "--order", "z", ranks=(3,))
        self.same("knn", "p.npy", "-k", 9, "--box", 3, ranks=(5,))

    def test_files_of_several_pieces(self):  # ranks write whole MiB of them
        self.save("p.npy", self.rng.random((50000, 3), "f4"))
        found = self.same("knn", "p.npy", "-k", 9, ranks=(2, 5))
        self.assertGreater(len(found["indices.npy"]), 3 << 20)
        self.assertGreater(len(found["distances.npy"]), 1 << 20)

    def test_batches(self):
        """Neighbours that don't fit into the budget: in batches, which end anywhere in the pieces that ranks write."""
        self.save("p.npy", self.rng.random((50000, 3), "f4"))
        self.save("q.npy", self.rng.random((9000, 3), "f4") * .2)
        self.ok("knn", "p.npy", "--save-index", "i.zwx")
        budget = "--memory-budget", "1M"
        for args, ranks, says in ((("p.npy", "-k", 9), 2, "9, in 6 batches"), (("p.npy", "-k", 9, "--order", "z"), 3, "9, in 2 batches"),
                                  (("p.npy", "-k", 9, "--exclude-self"), 5, "9, in 4 batches"),
                                  (("--index", "i.zwx", "-k", 2, "--exclude-self"), 3, "2, in 2 batches"),
                                  (("p.npy", "-k", 40, "--query", "q.npy", "--order", "z"), 2, "40, in 3 batches"),
                                  (("p.npy", "-k", 2, "--query", "q.npy"), 3, "2")):
            self.same("knn", *args, *budget, ranks=(ranks,))
            code, out, _ = self.on(ranks, "knn", *args, *budget, "-o", "again", "--force")
            self.assertEqual(code, 0)
            self.assertIn(says, [line[12:] for line in out.splitlines() if line.startswith("neighbours ")])

    def test_layouts(self):
        p = self.rng.random((101, 3))
        self.save("fortran.npy", np.asfortranarray(p))
        self.save("swapped.npy", p.astype(">f4"))
        self.write("text.csv", "x,y,z\n" + "".join("%.17g,%.17g,%.17g\n" % tuple(x) for x in p))
        for name in ("fortran.npy", "swapped.npy", "text.csv"):
            self.same("knn", name, "-k", 3, ranks=(3,))

    def test_text(self):
        """Each rank reads the lines in its part of the bytes; rows are cut as ever, so those of other files fit."""
        p = self.rng.random((300, 2))
        lines = ["# by hand\n", "\n", "x y\n"]
        for i, x in enumerate(p):
            lines += ["%.17g  %.17g %s\n" % (*x, "#" + "-" * (i * 37 % 90) if i % 3 else ""), "\n" * (i % 4), "# more\n" * (i % 2)]
        self.write("p.csv", "".join(lines))
        self.write("few.txt", "1\n2\n4")
        self.save("w.npy", self.rng.random(300))
        self.write("w.csv", "\n".join("%.17g" % w for w in np.load(self.path("w.npy"))))
        self.same("knn", "p.csv", "-k", 3)
        self.same("knn", "few.txt", "-k", 2, ranks=(2, 5))
        bins = "pairs", "p.csv", "--bins", "0,.5,5"
        found = self.same(*bins, "--weights", "w.npy", ranks=(3,))
        self.assertEqual(found, self.same(*bins, "--weights", "w.csv", "--precision", "f8", ranks=(2, 5)))
        for wrong, says in (("0.5 x", "column 2: 'x' is not a number"), ("1 2 3", ": 3 numbers, but 2 in the lines before")):
            text = "".join(lines + [wrong + "\n"] + lines[3:])
            self.write("wrong.csv", text)
            number = text[:text.index(wrong)].count("\n") + 1
            separator = "" if says[0] == ":" else ", "
            self.refused_on(3, 2, f"'wrong.csv', line {number}{separator}{says}", "knn", "wrong.csv", "-k", 2, "-o", "no")
        self.write("empty.csv", "x y\n# nothing\n")
        self.refused_on(3, 2, "holds no numbers", "knn", "empty.csv", "-k", 2, "-o", "no")

    def test_fof(self):
        self.save("p.npy", self.rng.random((900, 3), "f4"))
        for args in (("--linking-length", .06, "--box", 1), ("--linking-length", .05, "--order", "z")):
            found = self.same("fof", "p.npy", *args, "--labels-only")
            self.assertLess({"labels.npy"}, {*found, "order.npy"})
        self.same("fof", "p.npy", "--linking-fraction", .7, "--box", 1, "--labels-only", ranks=(3,))
        self.same("fof", "p.npy", "--linking-fraction", .7, "--labels-only", ranks=(3,), notes=1)

    @unittest.skipUnless(GPU, "no GPU")
    def test_gpus(self):
        self.save("p.npy", self.rng.random((20000, 3), "f4"))
        self.save("q.npy", self.rng.random((3000, 3), "f4"))
        self.save("w.npy", self.rng.normal(size=20000))
        self.ok("knn", "p.npy", "--box", 1, "--save-index", "i.zwx")
        for i, args in enumerate((("fof", "p.npy", "--linking-length", .02, "--box", 1, "--min-members", 2),
                                  ("fof", "p.npy", "--linking-length", .01, "--labels-only", "--order", "z"),
                                  ("knn", "p.npy", "-k", 16, "--box", 1),
                                  ("knn", "p.npy", "-k", 40, "--query", "q.npy", "--order", "z"),
                                  ("knn", "--index", "i.zwx", "-k", 3),
                                  ("knn", "p.npy", "-k", 9, "--reduce", "sph"),
                                  ("radius", "p.npy", "--radius", .03),
                                  ("radius", "p.npy", "--radius", .1, "--count", "--query", "q.npy"),
                                  ("pairs", "p.npy", "--bins", "0,.1,100", "--box", 1),
                                  ("pairs", "p.npy", "--bins", ".01,.3,20,log", "--second", "q.npy", "--weights", "w.npy"),
                                  ("pairs", "p.npy", "--bins", "0,.1,9", "--pi-max", .2, "--pi-bins", 7, "--weights", "w.npy"),
                                  ("pairs", "p.npy", "--bins", "0,.1,9", "--mu-bins", 5, "--second", "q.npy", "--box", 1),
                                  ("dbscan", "p.npy", "--epsilon", .03, "--min-samples", 4),
                                  ("emst", "p.npy", "--box", 1), ("emst", "p.npy", "--min-samples", 12),
                                  ("hdbscan", "p.npy", "--min-cluster-size", 10))):
            expected = self.same(*args, "--device", "cpu", ranks=())
            for n in RANKS[1:]:  # which share a GPU, if there is but one
                code, out, err = self.on(n, *args, "--device", "cuda", "-o", f"{i}-{n}", "--stats", f"{i}-{n}.json")
                self.assertEqual((code, err), (0, []))
                self.assertIn("and a GPU each", out)
                self.assertEqual(json.load(open(self.path(f"{i}-{n}.json")))["device"]["kind"], "cuda")
                self.assertEqual(self.files(f"{i}-{n}"), expected)

    @unittest.skipUnless(GPU, "there is no GPU")
    def test_gpu_aware(self):
        self.save("p.npy", self.rng.random((3000, 3), "f4"))
        args = "knn", "p.npy", "-k", 16
        expected = self.same(*args, "--device", "cpu", ranks=())
        code, _, err = self.on(2, *args, "--device", "cuda", "--gpu-aware", "-o", "out")
        if code == 0:
            self.assertEqual(self.files("out"), expected)
        else:
            self.assertIn("can't read the memory of a GPU", "".join(err))

    def test_catalogue(self):
        n = 3000
        self.save("p.npy", self.rng.random((n, 3), "f4"))
        self.save("m.npy", 10 ** self.rng.uniform(-30, 30, n))
        self.save("v.npy", self.rng.normal(size=(n, 3)))
        found = self.same("fof", "p.npy", "--linking-length", .05, "--box", 1, "--min-members", 2)
        self.assertEqual({*found}, {"labels.npy", "catalogue.npy"})
        beside = "--masses", "m.npy", "--velocities", "v.npy"
        found = self.same("fof", "p.npy", "--linking-length", .06, "--box", "1,0,1", "--members", *beside)
        self.assertEqual({*found}, {"labels.npy", "catalogue.npy", "members.npy"})
        found = self.same("fof", "p.npy", "--linking-length", .05, "--min-members", 1, "--format", "csv",
                          "--order", "z", *beside)
        self.assertEqual({*found}, {"labels.npy", "order.npy", "catalogue.csv"})
        found = self.same("fof", "p.npy", "--linking-fraction", .2, "--box", 1, *beside, ranks=(3,))
        self.assertLess(len(found["catalogue.npy"]), 1000)  # no group is that large
        code, out, _ = self.on(3, "fof", "p.npy", "--linking-length", .06, "--box", 1, "-o", "out", "--stats", "s.json")
        alone = self.ok("fof", "p.npy", "--linking-length", .06, "--box", 1, "-o", "alone").splitlines()
        self.assertEqual(code, 0)
        for line in ("groups", "largest"):
            said = [text for text in alone if text.startswith(line)]
            self.assertEqual([text for text in out.splitlines() if text.startswith(line)], said)
        rows = len(self.load("out/catalogue.npy"))
        self.assertGreater(rows, 1)
        self.assertEqual(json.load(open(self.path("s.json")))["counts"]["catalogue"], rows)

    def test_hdf5_catalogue(self):
        self.save("p.npy", self.rng.random((900, 3)))
        args = "fof", "p.npy", "--linking-length", .03, "--min-members", 1, "--velocities", "p.npy", "--format", "hdf5"
        made = self.run_zwalk(*args, "-o", "alone")
        if "no HDF5" in made.stderr:
            self.skipTest("built without HDF5")
        code, _, err = self.on(3, *args, "-o", "ranks")
        self.assertEqual((code, err), (0, []))
        # Files of HDF5 have the time in them.
        for name in ("centre_of_mass", "velocity", "mass", "radius"):
            read = [self.run_zwalk("knn", f"{made}/catalogue.hdf5", "--dataset", f"Groups/{name}", "-k", 3, "-o",
                                   f"{made}-{name}") for made in ("alone", "ranks")]
            self.assertEqual([r.returncode for r in read], [0, 0], [r.stderr for r in read])
            self.assertEqual(self.files(f"alone-{name}"), self.files(f"ranks-{name}"))

    def test_emst(self):
        self.save("p.npy", np.round(self.rng.random((3000, 3), "f4"), 2))
        self.same("emst", "p.npy")
        found = self.same("emst", "p.npy", "--min-samples", 5, "--box", 1, "--precision", "f8", ranks=(3, 5))
        self.assertEqual({*found}, {"edges.npy", "lengths.npy", "core_distances.npy"})
        for ranks in (2, 5):  # counts of all, not of each rank
            code, _, _ = self.on(ranks, "emst", "p.npy", "-o", f"on{ranks}", "--stats", "s.json")
            self.assertEqual(code, 0)
            counts = json.load(open(self.path("s.json")))["counts"]
            self.assertLessEqual(counts["searches"], counts["rounds"])
            self.assertLessEqual(counts["rounds"], 10)
            self.assertLess(counts["parts"], 1000)
            os.remove(self.path("s.json"))

    def test_hdbscan(self):
        blobs = [self.rng.normal(self.rng.random(3), .03, (n, 3)) for n in (300, 200, 150, 90)]
        self.save("p.npy", np.round(np.concatenate([*blobs, self.rng.random((260, 3))]), 3))
        names = {"labels.npy", "probabilities.npy", "outlier_scores.npy", "linkage.npy"}
        found = self.same("hdbscan", "p.npy")
        self.assertEqual({*found}, names | {"condensed_tree.npy", "clusters.npy"})
        found = self.same("hdbscan", "p.npy", "--format", "csv", "--min-samples", 1, "--precision", "f4",
                          "--selection", "leaf", "--epsilon", .01, ranks=(2, 5))
        self.assertEqual({*found}, names | {"condensed_tree.csv", "clusters.csv"})
        found = self.same("hdbscan", "p.npy", "--selection", "persistent", "--persistence", .1, ranks=(2,))
        self.assertEqual({*found}, names | {"condensed_tree.npy", "clusters.npy", "sizes.npy"})
        # The root is the only cluster, and has fewer points than there are.
        self.same("hdbscan", "p.npy", "--min-cluster-size", 400, "--min-samples", 5, "--allow-single-cluster",
                  "--format", "csv", ranks=(3,))
        self.same("hdbscan", "p.npy", "--box", 2, "--wrap", "--max-cluster-size", 250, ranks=(3,))

    def test_labels_are_those_beside_the_catalogue(self):
        self.save("p.npy", self.rng.random((900, 3), "f4"))
        args = ("fof", "p.npy", "--linking-length", .06)
        alone = self.same(*args, "--labels-only", ranks=(2,))
        self.ok(*args, "-o", "whole")
        self.assertEqual(alone, {"labels.npy": self.files("whole")["labels.npy"]})

    def test_hdf5(self):
        self.save("p.npy", self.rng.random((900, 3)))
        made = self.run_zwalk("fof", "p.npy", "--linking-length", .03, "--min-members", 1, "--format", "hdf5",
                              "-o", "h5")
        if "no HDF5" in made.stderr:
            self.skipTest("built without HDF5")
        self.same("knn", "h5/catalogue.hdf5", "--dataset", "Groups/centre_of_mass", "-k", 5, ranks=(2, 5), notes=1)
        self.same("emst", "h5/catalogue.hdf5", "--dataset", "Groups/mass", "--columns", "radius,mass", "--box", 0, ranks=(3,))

    def test_force_replaces(self):
        self.save("p.npy", self.rng.random((50, 3)))
        self.ok("knn", "p.npy", "-k", 2, "-o", "out")
        self.ok("knn", "p.npy", "-k", 3, "-o", "expected")
        self.refused_on(2, 2, "--force", "knn", "p.npy", "-k", 3, "-o", "out")
        self.write("out/notes.txt", "mine")
        self.assertEqual(self.on(2, "knn", "p.npy", "-k", 3, "-o", "out", "--force", "--quiet"), (0, "", []))
        self.assertEqual(self.files("out"), {**self.files("expected"), "notes.txt": b"mine"})


class Refusals(Ranks):
    def setUp(self):
        super().setUp()
        self.points = self.rng.random((20, 3))
        self.save("p.npy", self.points)
        self.knn = ("knn", "p.npy", "-k", 2, "-o", "out")

    def test_what_ranks_cannot_do(self):
        cuda = *self.knn, "--device", "cuda"
        self.refused_on(2, 2, "--save-index needs --device cpu", *cuda, "--save-index", "i.zwx")
        self.refused_on(2, 2, "--gpu-aware is for ranks with a GPU each", *self.knn, "--gpu-aware")
        if not GPU:  # on one rank, on all
            fof = "fof", "p.npy", "--linking-length", 1, "--device", "cuda", "-o", "out"
            radius = "radius", "p.npy", "--radius", .1, "--device", "cuda", "-o", "out"
            pairs = "pairs", "p.npy", "--bins", "0,1,3", "--device", "cuda", "-o", "out"
            dbscan = "dbscan", "p.npy", "--epsilon", 1, "--min-samples", 3, "--device", "cuda", "-o", "out"
            gravity, emst, hdbscan = ((name, "p.npy", "--device", "cuda", "-o", "out") for name in ("gravity", "emst", "hdbscan"))
            for command in (fof, cuda, (*cuda, "--gpu-aware"), (*cuda, "--query", "p.npy"), (*cuda, "--reduce", "sph"), radius,
                            (*radius, "--count"), pairs, (*pairs, "--second", "p.npy"), dbscan, gravity, emst,
                            (*emst, "--min-samples", 3), hdbscan):
                self.refused_on(3, 2, "no CUDA", *command)
            self.refused_on(2, 2, "no CUDA", *fof, "--labels-only")
        self.refused_on(2, 2, "zwalk generate", "generate", "grid", 8, 3, "-o", "g.npy")

    def test_said_once(self):
        self.refused_on(3, 2, "--bogus", *self.knn, "--bogus")
        self.refused_on(3, 2, "-k must be", "knn", "p.npy", "-k", 0, "-o", "out")
        for args, line in ((("--version",), "zwalk "), (("info", "p.npy"), "shape "),
                           (("--mpi", "info", "p.npy"), "shape ")):
            code, out, _ = self.on(3, *args)
            self.assertEqual((code, sum(text.startswith(line) for text in out.splitlines())), (0, 1), out)

    def test_bad_input(self):
        self.points[13, 1] = np.nan  # rank 1 of 2 has it
        self.save("nan.npy", self.points)
        self.refused_on(2, 2, "row 13", "knn", "nan.npy", "-k", 2, "-o", "out")
        self.refused_on(2, 2, "row 13", "fof", "nan.npy", "--linking-fraction", 1, "--box", 1, "--labels-only",
                        "-o", "out")
        self.save("m.npy", np.where(np.arange(20) == 13, 0, 1.))
        self.save("19.npy", np.ones(19))
        fof = "fof", "p.npy", "--linking-length", 1, "-o", "out"
        self.refused_on(2, 2, "mass 13 is 0", *fof, "--masses", "m.npy")
        self.refused_on(2, 2, "19 rows and 1 columns, but there are 20 points", *fof, "--masses", "19.npy")
        self.refused_on(2, 2, "the velocities have 19 rows and 1 columns", *fof, "--velocities", "19.npy")
        self.refused_on(2, 2, "row 13", *fof, "--velocities", "nan.npy")
        self.refused_on(2, 2, "No such file", *fof, "--masses", "missing.npy")
        self.refused_on(2, 2, "row 13", "hdbscan", "nan.npy", "-o", "out")
        self.refused_on(2, 2, "--epsilon", "hdbscan", "p.npy", "--epsilon", -1, "-o", "out")
        self.refused_on(3, 2, "--order z", "hdbscan", "p.npy", "--order", "z", "-o", "out")
        self.same("hdbscan", "p.npy", "--min-samples", 21, ranks=(2,))  # no refusal: of fewer points all are counted
        self.refused_on(2, 2, "box", *self.knn, "--box", .1)
        self.refused_on(2, 2, "No such file", "knn", "missing.npy", "-k", 2, "-o", "out")
        self.refused_on(2, 1, "No such file", "knn", "p.npy", "-k", 2, "-o", "no/where")
        self.refused_on(2, 1, "not enough memory", "knn", "p.npy", "-k", 10**12, "-o", "out")
        self.refused_on(2, 2, f"{MAX_DIM + 1} columns" if MAX_DIM < 64 else "65", "knn",
                        self.save("d.npy", np.zeros((4, MAX_DIM + 1))), "-k", 2, "-o", "out")

    def test_bad_queries(self):
        self.save("flat.npy", np.zeros((9, 2)))
        self.refused_on(2, 2, "the queries have 2 coordinates", *self.knn, "--query", "flat.npy")
        self.refused_on(2, 2, "No such file", *self.knn, "--query", "missing.npy")
        self.refused_on(2, 2, "exclude", *self.knn, "--query", "p.npy", "--exclude-self")
        self.refused_on(2, 2, "--reduce", *self.knn, "--reduce", "sum")
        if MAX_DIM > 3:
            self.save("p4.npy", np.zeros((9, 4)))
            self.refused_on(2, 2, "sph", "knn", "p4.npy", "-k", 2, "--reduce", "sph", "-o", "out")

    def test_bad_index(self):
        self.ok("knn", "p.npy", "--save-index", "i.zwx")
        index = "knn", "--index", "i.zwx", "-k", 2, "-o", "out"
        self.refused_on(2, 2, "--box", *index, "--box", 1)
        self.refused_on(2, 2, "--wrap needs", *index, "--wrap")
        self.refused_on(3, 2, "exists", "knn", "p.npy", "--save-index", "i.zwx")
        self.refused_on(2, 1, "No such file", "knn", "p.npy", "--save-index", "no/i.zwx")
        self.refused_on(2, 2, "No such file", "knn", "--index", "missing.zwx", "-k", 2, "-o", "out")
        good = open(self.path("i.zwx"), "rb").read()
        for bad, why in ((good[:-9], "truncated"), (good[:200] + b"!" + good[201:], "checksum")):
            open(self.path("i.zwx"), "wb").write(bad)
            self.refused_on(3, 2, why, *index)

    def test_one_rank_fails(self):
        os.makedirs(self.path("a"))
        os.makedirs(self.path("b"))
        self.save("a/q.npy", self.points)
        rank = (ZWALK, "knn", "q.npy", "-k", 2, "-o", "../out")
        for folders in (("a", "b"), ("b", "a")):
            self.refused(2, "No such file", *self.in_folders(folders, *rank))
        self.save("b/q.npy", self.points[:10])
        self.refused(2, "the number of points", *self.in_folders("ab", *rank))

    def test_command_lines_differ(self):
        code, _, err = self.mpirun("-n", 1, ZWALK, *self.knn, ":", "-n", 1, ZWALK, *self.knn, "--quiet")
        self.assertEqual(code, 2)
        self.assertIn("ranks disagree on the command line", err[0])
        self.assertEqual(os.listdir(self.dir), ["p.npy"])

    def test_processes_that_are_no_ranks(self):
        for variables in ({"OMPI_COMM_WORLD_SIZE": "2"}, {"PMI_RANK": "0", "PMI_SIZE": "2"}):
            r = self.run_zwalk(*self.knn, env={**ENV, **variables})
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn("one of several processes", r.stderr)
            self.assertEqual(len(r.stderr.splitlines()), 1)
        self.assertEqual(os.listdir(self.dir), ["p.npy"])
        r = self.run_zwalk(*self.knn, env={**ENV, "SLURM_NTASKS": "2"})  # a script of sbatch, without srun
        self.assertEqual(r.returncode, 0, r.stderr)


if __name__ == "__main__":
    run_tests()
