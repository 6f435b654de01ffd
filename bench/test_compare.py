"""bench/compare on few points, and that it notices wrong results: test_compare.py BUILD_FOLDER"""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy as np
except ImportError:
    sys.exit("SKIPPED: no numpy")

import compare
from compare_cases import Case

BUILD = sys.argv.pop()


def run(*arguments):
    """Exit status and output of bench/compare, without building."""
    out = io.StringIO()
    command = ["compare", "--no-build", "--build", BUILD, "--rounds", "1", *arguments]
    with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(out):
        status = compare.main()
    return status, out.getvalue()


class Runs(unittest.TestCase):
    def test_all_cases(self):
        status, output = run("--scale", "0.002", "--engines", "nanoflann-tuned")
        self.assertEqual(status, 0)
        for case in compare.CASES:
            self.assertIn(f"{case.name}: ", output)

    def test_all_engines(self):
        cases = ["uniform16", "queries30", "double168", "plane16"]
        status, output = run("--scale", "0.002", "--only", *cases)
        self.assertEqual(status, 0)
        for engine in compare.PROGRAM:  # and those of Python that are installed
            self.assertIn(f"- {engine} (", output)

    def test_markdown(self):
        status, output = run("--scale", "0.002", "--markdown", "--engines", "zwalk",
                             "--only", "growth*", "plane16")
        self.assertEqual(status, 0)
        table = [line for line in output.splitlines() if line.startswith("|")]
        self.assertEqual(len(table), 2 + 4)
        self.assertEqual(len({line.count("|") for line in table}), 1)

    def test_disagreement_is_an_error(self):
        with mock.patch.object(compare, "disagreements", lambda *_: ["wrong"]):
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                status, _ = run("--scale", "0.002", "--only", "growth-small")
        self.assertEqual(status, 1)
        self.assertIn("error: growth-small, zwalk: wrong", errors.getvalue())


class Disagreements(unittest.TestCase):
    """Three points on a line and their nearest other ones, right and then wrong."""

    def check(self, distance, index):
        case = Case("line", 3, 2, dim=2)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            np.array([[0, 0], [1, 0], [3, 0]], np.float32).tofile(folder / "sources")
            np.array([1, 1, 2], np.float32).tofile(folder / "zwalk.distance")
            np.array(distance, np.float32).tofile(folder / "other.distance")
            np.array(index, np.int64).tofile(folder / "other.index")
            return compare.disagreements("other", case, folder)

    def test_right(self):
        self.assertEqual(self.check([1, 1, 2], [1, 0, 1]), [])

    def test_rounding(self):
        self.assertEqual(self.check([1, 1 + 2e-7, 2], [1, 0, 1]), [])

    def test_another_point(self):
        wrong = self.check([1, 2, 2], [1, 2, 1])
        self.assertEqual(wrong, ["1 of 3 k-th distances differ from zwalk's by more than rounding"])

    def test_distance_of_no_point(self):
        wrong = self.check([1, 1, 2], [1, 2, 1])
        self.assertEqual(wrong, ["1 of 3 k-th distances aren't those of the points they name"])

    def test_not_a_number(self):
        self.assertEqual(len(self.check([1, float("nan"), 2], [1, 0, 1])), 2)

    def test_missing(self):
        self.assertEqual(self.check([1, 1], [1, 0]), ["2 distances and 2 indices for 3 queries"])
        self.assertEqual(self.check([1, 1, 2], [1, -1, 1]), ["indices that no point has"])


if __name__ == "__main__":
    unittest.main()
