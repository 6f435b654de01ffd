"""Inputs as people have them: which columns, which kinds of text, and notes on what may not be meant."""
import gzip
import os
import subprocess

import numpy as np

from harness import ZWALK, Case


class Files(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(6)
        self.p = self.rng.random((60, 3))
        self.save("p.npy", self.p)
        self.rows = ["%.17g,%.17g,%.17g" % tuple(x) for x in self.p]

    def noted(self, part, *args, **options):
        """The run succeeds with one note, which contains `part`. Returns its output."""
        r = self.run_zwalk(*args, **options)
        self.assertEqual((r.returncode, len(r.stderr.splitlines())), (0, 1), (args, r.stderr))
        self.assertTrue(r.stderr.startswith("zwalk: note: "), r.stderr)
        self.assertIn(part, r.stderr)
        return r.stdout

    def count(self, *args):
        self.ok("radius", *args, "--count", "--radius", .2, "-o", "out", "--force")
        return self.load("out/counts.npy")


class ChosenColumns(Files):
    def test_every_command(self):
        """A row number before the points and a name behind them, which every command leaves out."""
        self.write("c.csv", ",x,y,z,class\n" + "".join(f"{i},{row},A\n" for i, row in enumerate(self.rows)))
        self.save("wide.npy", np.column_stack([np.arange(60.), self.p]))
        runs = [("knn", "-k", 3), ("fof", "--linking-length", .1), ("emst",), ("hdbscan",), ("gravity",),
                ("radius", "--radius", .1), ("dbscan", "--epsilon", .1, "--min-samples", 3),
                ("pairs", "--bins", "0,.5,5")]
        for command, *args in runs:
            self.ok(command, "p.npy", *args, "-o", "expected", "--force", "--quiet")
            for file, columns in (("c.csv", "x,y,z"), ("c.csv", "2-4"), ("wide.npy", "2,3-4")):
                self.ok(command, file, *args, "--columns", columns, "-o", "out", "--force", "--quiet")
                for name in os.listdir(self.path("expected")):
                    with open(self.path("expected/" + name), "rb") as a, open(self.path("out/" + name), "rb") as b:
                        self.assertEqual(a.read(), b.read(), (command, file, name))
        self.assertIn("(60, 2)", self.ok("info", "c.csv", "--columns", "z,x"))
        self.ok("render", "c.csv", "--columns", "x,z", "-o", "a.svg")
        self.ok("trace", "c.csv", "--columns", "x,z", "--algorithm", "knn", "-o", "a.html")
        for bad in ("", "x,,y", "0", "3-1"):
            if bad:
                self.refused(2, "--columns takes", "knn", "c.csv", "-k", 1, "--columns", bad, "-o", "no")
        self.refused(2, "no column 'w': it has '', 'x'", "knn", "c.csv", "-k", 1, "--columns", "w", "-o", "no")

    def test_queries_too(self):
        self.write("q.csv", "z,x,y\n" + "".join("%.17g,%.17g,%.17g\n" % tuple(x[[2, 0, 1]]) for x in self.p[:9]))
        self.save("q.npy", self.p[:9])
        self.write("p.csv", "x,y,z\n" + "\n".join(self.rows))
        for command in (("knn", "-k", 3), ("radius", "--radius", .2)):
            file = "counts" if command[0] == "radius" else "indices"
            self.ok(command[0], "p.npy", *command[1:], "--query", "q.npy", "-o", "a", "--force")
            self.ok(command[0], "p.csv", *command[1:], "--columns", "x,y,z", "--query", "q.csv", "-o", "b", "--force")
            np.testing.assert_array_equal(self.load(f"a/{file}.npy"), self.load(f"b/{file}.npy"))
        self.ok("pairs", "p.npy", "--bins", "0,.5,5", "--second", "q.npy", "-o", "a", "--force")
        self.ok("pairs", "p.csv", "--bins", "0,.5,5", "--second", "q.csv", "--columns", "x,y,z", "-o", "b", "--force")
        np.testing.assert_array_equal(self.load("a/counts.npy"), self.load("b/counts.npy"))

    def test_own_tables(self):
        self.ok("fof", "p.npy", "--linking-length", .1, "--min-members", 1, "-o", "g")
        self.assertIn("(", self.ok("info", "g/catalogue.npy", "--columns", "centre_of_mass_0,centre_of_mass_2"))
        self.refused(2, "--columns names: 'label'", "info", "g/catalogue.npy")

    def test_notes_on_lines_and_columns(self):
        info = "info", "c.csv"
        self.write("c.csv", ",x,y,z\n" + "".join(f"{i},{row}\n" for i, row in enumerate(self.rows)))
        self.assertIn("(60, 4)", self.noted("(--columns 2-4 leaves it out)", *info))
        self.assertIn("(60, 3)", self.ok(*info, "--columns", "2-4"))
        self.write("c.csv", "0,1,2\n" + "\n".join(self.rows))
        self.assertIn("(60, 3)", self.noted("is taken for the names of the columns", *info))
        self.ok("emst", "c.csv", "-o", "out", "--quiet")


class KindsOfText(Files):
    def test_names(self):
        expected = self.count("p.npy")
        for end in "csv tsv dat xyz asc pts txt".split():
            text = "\n".join(self.rows).replace(",", "\t" if end == "tsv" else " ")
            np.testing.assert_array_equal(self.count(self.write("a." + end, text)), expected)
            self.write(f"a.{end}.gz", gzip.compress(text.encode()))
            if "no zlib" not in self.run_zwalk("info", f"a.{end}.gz").stderr:
                np.testing.assert_array_equal(self.count(f"a.{end}.gz"), expected)

    def test_standard_input(self):
        expected = self.count("p.npy")
        text = "\n".join(self.rows)
        r = self.run_zwalk("radius", "-", "--count", "--radius", .2, "-o", "out", "--force", input=text)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        np.testing.assert_array_equal(self.load("out/counts.npy"), expected)
        r = self.run_zwalk("radius", "p.npy", "--query", "-", "--count", "--radius", .2, "-o", "q", input=text)
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        np.testing.assert_array_equal(self.load("q/counts.npy"), expected)
        self.refused(2, "standard input: it is empty", "info", "-", stdin=subprocess.DEVNULL)
        self.refused(2, "the standard input, line 2, column 1: 'x'", "info", "-", input="1\nx\n")
        self.refused(2, "it is empty, or has been read already", "knn", "-", "--query", "-", "-k", 1, "-o", "no", input=text)

    def test_gzip(self):
        packed = gzip.compress("\n".join(self.rows).encode())
        self.write("a.csv.gz", packed)
        if "no zlib" in self.run_zwalk("info", "a.csv.gz").stderr:
            self.skipTest("built without zlib")
        self.refused(2, "truncated or damaged", "info", self.write("t.csv.gz", packed[:-9]))
        self.refused(2, "truncated or damaged", "info", self.write("d.csv.gz", packed[:60] + b"\0" * 9 + packed[69:]))
        self.refused(2, "is not packed by gzip", "info", self.write("n.csv.gz", "1,2\n"))
        self.refused(2, "unknown format", "info", self.write("p.npy.gz", packed))

    def test_encodings(self):
        self.refused(2, "is UTF-16 text", "info", self.write("u.csv", "x,y\n1,2\n".encode("utf-16")))
        self.refused(2, "zero bytes", "info", self.write("u.csv", "x,y\n1,2\n".encode("utf-16-le")))
        np.testing.assert_array_equal(self.count(self.write("cr.csv", "x,y,z\r" + "\r".join(self.rows))), self.count("p.npy"))

    def test_no_control_characters_in_messages(self):
        for name, text in (("a.csv", "1,2\n3,\x1b[31mred\x07\n"), ("a\x1b[31m.csv", "1,x2\n"), ("b\r.csv", "1,x2\n")):
            r = self.run_zwalk("info", self.write(name, text))
            self.assertEqual(r.returncode, 2)
            self.assertTrue(r.stderr[:-1].isprintable(), r.stderr)
        for args in (("info", "no\x1b.npy"), ("knn", "p.npy", "-k", "\x1b[1m", "-o", "out"), ("wa\rlk",),
                     ("knn", "p.npy", "-k", 1, "--fo\x1bo", "-o", "out"), ("emst", "p.npy", "--box", "\r1", "-o", "out"),
                     ("info", "p.npy", "--columns", "\x1b"), ("info", "p.npy", "--dataset", "\x1b", "--threads", "\x1b")):
            r = self.run_zwalk(*args)
            self.assertEqual(r.returncode, 2)
            self.assertTrue(r.stderr[:-1].isprintable(), r.stderr)


class Atoms(Files):
    """XYZ files of chemists: a number, a comment, then `Symbol x y z`."""

    def frame(self, comment="", symbols=("C", "H", "Cl", "X1"), more="", end="\n"):
        rows = [f"{symbols[i % len(symbols)]}   {row.replace(',', '  ')}{more}" for i, row in enumerate(self.rows)]
        return end.join(["60", comment, *rows, ""])

    def test_a_frame(self):
        expected = self.count("p.npy")
        for comment in ("", "water", "# water", "a b c d", "1 2 3", "-76.4", "0 0 0 0", 'Properties=species:S:1:pos:R:3:forces:R:3'):
            for more in ("", " 0.1 -0.2 0.3"):
                for end in ("\n", "\r\n", "\r"):
                    self.write("a.xyz", self.frame(comment, more=more, end=end))
                    np.testing.assert_array_equal(self.count("a.xyz"), expected)
        np.testing.assert_array_equal(self.count(self.write("a.xyz", self.frame()[:-1])), expected)  # no end of the last line
        np.testing.assert_array_equal(self.count(self.write("a.xyz", self.frame("oxygen", ("8", "1")))), expected)
        np.testing.assert_array_equal(self.count(self.write("a.xyz", self.frame("", ("8", "1")))), expected)
        np.testing.assert_array_equal(self.count(self.write("a.xyz", self.frame() + "\n \n")), expected)
        r = self.run_zwalk("radius", "-", "--count", "--radius", .2, "-o", "out", "--force", input=self.frame())
        self.assertEqual((r.returncode, r.stderr), (0, ""))
        np.testing.assert_array_equal(self.load("out/counts.npy"), expected)
        self.write("a.xyz", self.frame("c" * (1 << 17)))  # longer than what settles a format elsewhere
        np.testing.assert_array_equal(self.count("a.xyz"), expected)

    def test_columns(self):
        self.write("a.xyz", self.frame(more=" 7 8 9"))
        self.assertIn("(60, 2)", self.ok("info", "a.xyz", "--columns", "z,x"))
        self.assertIn("(60, 3)", self.ok("info", "a.xyz", "--columns", "5-7"))
        self.write("a.xyz", self.frame('Lattice="1 0 0 0 1 0 0 0 1"'))
        self.noted("the Lattice of its comment isn't read", "info", "a.xyz")
        self.write("a.xyz", self.frame("Properties=species:S:1:forces:R:3:pos:R:3", more=" 7 8 9"))
        self.refused(2, "say which are (--columns)", "info", "a.xyz")
        self.assertIn("(60, 3)", self.ok("info", "a.xyz", "--columns", "5-7"))

    def test_several_frames(self):
        self.write("a.xyz", self.frame("first") + self.frame("second").replace("0.", "7."))
        args = "radius", "a.xyz", "--count", "--radius", .2, "-o", "out", "--force"
        self.noted("its first frame is read, of several", *args)
        np.testing.assert_array_equal(self.load("out/counts.npy"), self.count("p.npy"))

    def test_refusals(self):
        info = "info", "a.xyz"
        self.write("a.xyz", self.frame().replace("60", "61", 1))
        self.refused(2, "its first line says 61 atoms, but there are 60", *info)
        self.write("a.xyz", self.frame().replace("60", "59", 1))
        self.refused(2, "its first line says 59 atoms, but more follow", *info)
        self.write("a.xyz", "2\n\nH 0 0 0\nH 0 0\n")
        self.refused(2, "line 4: 3 columns, but 4 in the lines before", *info)
        self.write("a.xyz", "2\n\nH 0 0 0\nH 0 0 x\n")
        self.refused(2, "line 4, column 4: 'x' is not a number", *info)

    def test_other_texts_stay_what_they_were(self):
        self.write("a.xyz", "3\n1 2 3 4\n5 6 7 8\n2 2 2 2\n")  # a point cloud with its number of rows
        self.assertIn("(3, 4)", self.noted("is taken for the number of rows", "info", "a.xyz"))


class WhatMayNotBeMeant(Files):
    def test_half_of_the_box(self):
        for command, *args in (("radius", "--count", "--radius"), ("fof", "--linking-length"),
                               ("dbscan", "--min-samples", 3, "--epsilon")):
            option = args[-1]
            run = command, "p.npy", *args
            self.noted(f"{option} 0.51 is more than half of the box, whose length is 1 on axis 0", *run, .51, "--box", 1,
                       "-o", "out", "--force")
            self.noted("length is 1.01 on axis 2", *run, .51, "--box", "0,2,1.01", "-o", "out", "--force")
            for box in (("--box", 1.02), ("--box", "0,2,1.02"), ("--box", 0), ()):
                self.ok(*run, .51, *box, "-o", "out", "--force")
        self.noted("the last edge 0.7 is", "pairs", "p.npy", "--bins", "0,.7,2", "--box", 1, "-o", "out", "--force")
        self.ok("pairs", "p.npy", "--bins", "0,.5,2", "--box", 1, "-o", "out", "--force")
        rp_pi = "pairs", "p.npy", "--bins", "0,.7,2", "--pi-bins", 2, "--pi-max"
        self.ok(*rp_pi, .5, "--box", "2,2,1", "-o", "out", "--force")
        self.noted("--pi-max 0.6 is", *rp_pi, .6, "--box", "2,2,1", "-o", "out", "--force")
        self.noted("the last edge 0.7 is", *rp_pi, .6, "--box", "2,1,2", "-o", "out", "--force")
        self.ok("fof", "p.npy", "--linking-length", .6, "--box", 1, "-o", "out", "--force", "--quiet")

    def test_weights_that_lose_digits(self):
        for largest, noted in ((1e9, False), (1e11, False), (1e13, True), (1e300, True)):
            w = np.ones(60)
            w[7] = largest
            w[8] = 0
            args = "pairs", "p.npy", "--bins", "0,.5,2", "--weights", self.save("w.npy", w), "-o", "out", "--force"
            if noted:
                self.noted("--weights: beside 1e+", *args)
            else:
                self.ok(*args)
                self.ok("pairs", "p.npy", "--bins", "0,.5,2", "-o", "plain", "--force")
