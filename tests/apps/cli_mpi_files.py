"""Inputs of the program on MPI ranks: texts of all kinds, columns, notes.

Usage: cli_mpi_files.py PATH_OF_ZWALK MAX_DIM MPIRUN"""
import gzip
import sys

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

from ranks import Ranks, run_tests


class Files(Ranks):
    def setUp(self):
        super().setUp()
        self.p = self.rng.random((500, 3))
        self.rows = ["%.17g,%.17g,%.17g" % tuple(x) for x in self.p]
        self.save("p.npy", self.p)

    def noted(self, ranks, part, *args):
        """The run succeeds, and rank 0 alone says one note."""
        code, _, err = self.on(ranks, *args)
        self.assertEqual((code, len(err)), (0, 1), (args, err))
        self.assertIn(part, err[0])

    def test_columns(self):
        self.write("c.csv", ",x,y,z,class\n" + "".join(f"{i},{row},A\n" for i, row in enumerate(self.rows)))
        self.save("q.npy", np.column_stack([np.arange(90.), self.p[:90] * .9]))
        expected = self.same("knn", "p.npy", "-k", 3, ranks=())
        for columns in ("x,y,z", "2-4"):
            self.assertEqual(self.same("knn", "c.csv", "-k", 3, "--columns", columns, ranks=(2, 3)), expected)
        self.same("knn", "c.csv", "-k", 3, "--columns", "2-4", "--query", "q.npy", ranks=(3,))
        self.refused_on(3, 2, "'c.csv' has no column 'w': it has '', 'x'", "emst", "c.csv", "--columns", "w", "-o", "no")
        self.refused_on(2, 2, "--columns takes", "emst", "c.csv", "--columns", "0", "-o", "no")
        self.refused_on(2, 2, "line 2, column 5: 'A' is not a number", "emst", "c.csv", "-o", "no")

    def test_lines_that_are_no_points(self):
        for name, head, end in (("a.csv", "0,1,2", "\n"), ("b.tsv", "x,y,z", "\r"), ("c.pts", "500", "\n")):
            self.write(name, end.join([head, *self.rows]))
            expected = self.same("knn", "p.npy", "-k", 2, ranks=())
            self.assertEqual(self.same("knn", name, "-k", 2, ranks=(2, 5), notes=int(name[0] != "b")), expected)

    def test_streams(self):
        text = "\n".join(self.rows)
        self.write("p.csv.gz", gzip.compress(text.encode()))
        only = "can only be read from its beginning"
        self.refused_on(3, 2, "'p.csv.gz' " + only, "knn", "p.csv.gz", "-k", 2, "-o", "no")
        self.refused_on(3, 2, "the standard input " + only, "knn", "-", "-k", 2, "-o", "no")
        self.refused_on(2, 2, "the standard input " + only, "knn", "p.npy", "-k", 2, "--query", "-", "-o", "no")
        self.refused_on(2, 2, "the standard input " + only, "pairs", "p.npy", "--edges", "-", "-o", "no")
        self.refused_on(2, 2, "'a.xyz' is an XYZ file", "emst", self.write("a.xyz", "2\n\nH 0 0 0\nH 0 0 1\n"), "-o", "no")
        self.refused_on(2, 2, "--sphere doesn't work on several MPI ranks", "emst", "p.npy", "--sphere", "degrees", "-o", "no")
        self.refused_on(2, 2, "'u.csv' is UTF-16", "emst", self.write("u.csv", text.encode("utf-16")), "-o", "no")

    def test_notes(self):
        out = "-o", "out", "--force"
        half = "0.6 is more than half of the box"
        self.noted(3, half, "radius", "p.npy", "--radius", .6, "--count", "--box", 1, *out)
        self.noted(2, half, "fof", "p.npy", "--linking-length", .6, "--box", 1, *out)
        self.noted(2, half, "dbscan", "p.npy", "--epsilon", .6, "--min-samples", 3, "--box", 1, *out)
        self.noted(2, half, "pairs", "p.npy", "--bins", "0,.6,3", "--box", 1, *out)
        w = np.ones(500)
        w[499] = 1e15
        self.noted(3, "--weights: beside 1e+15", "pairs", "p.npy", "--bins", "0,.4,3", "--weights", self.save("w.npy", w), *out)


if __name__ == "__main__":
    run_tests()
