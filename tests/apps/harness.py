"""Runs the program and keeps an eye on what it leaves behind."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ZWALK = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "zwalk"
MAX_DIM = int(sys.argv[2]) if len(sys.argv) > 2 else 64  # the largest of ZWALK_DIMS
GPU = bool(glob.glob("/dev/nvidia[0-9]*"))
SANITIZED = bool(os.environ.get("ZWALK_SANITIZE"))  # runs take some ten times as long


class Case(unittest.TestCase):
    """A test in an empty directory of its own."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="zwalk-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def save(self, name, array):
        np.save(self.path(name), array)
        return name

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return name

    def load(self, name):
        return np.load(self.path(name))

    def run_zwalk(self, *args, **options):
        return subprocess.run([ZWALK, *map(str, args)], cwd=self.dir, capture_output=True,
                              text=True, timeout=300, **options)

    def ok(self, *args):
        """The run succeeds and says nothing on stderr. Returns its output."""
        r = self.run_zwalk(*args)
        self.assertEqual((r.returncode, r.stderr), (0, ""), args)
        return r.stdout

    def refused(self, code, part, *args, **options):
        """The run fails with one line that contains `part`, and leaves nothing behind."""
        before = sorted(os.listdir(self.dir))
        r = self.run_zwalk(*args, **options)
        self.assertEqual(r.returncode, code, (args, r.stderr))
        lines = r.stderr.splitlines()
        self.assertEqual(len(lines), 1, r.stderr)
        self.assertTrue(lines[0].startswith("zwalk: error: "), r.stderr)
        self.assertIn(part, lines[0])
        self.assertEqual(r.stdout, "")
        self.assertEqual(sorted(os.listdir(self.dir)), before, args)


def brute_force(sources, queries, k, box=None, exclude_self=False):
    """Distances of the k nearest, by the definition of the library but without fma."""
    dtype = sources.dtype
    d2 = np.zeros((len(queries), len(sources)), np.float64)
    for j in range(sources.shape[1]):
        dx = np.abs(queries[:, j, None] - sources[None, :, j]).astype(np.float64)
        if box is not None and box[j] > 0:
            dx = np.minimum(dx, dtype.type(box[j]) - dx)
        d2 += dx * dx
    if exclude_self:
        np.fill_diagonal(d2, np.inf)
    d = np.sqrt(np.sort(d2, axis=1))[:, :k]
    missing = k - d.shape[1]
    return np.pad(d, ((0, 0), (0, max(missing, 0))), constant_values=np.inf)
