"""What tests of the program on MPI ranks have in common."""
import glob
import itertools
import os
import subprocess
import sys
import unittest

import numpy as np

from harness import ZWALK, Case

MPIRUN = sys.argv[3] if len(sys.argv) > 3 else ""
# Open MPI starts neither ranks of root's nor more of them than there are cores, unless it is told to. To look for networks is a third
# of the time that it needs to start them, which is most of what these tests take; tests of the library (ranks) let it look.
ENV = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_pml": "ob1"}
RANKS = (1, 2, 3, 5)


class Ranks(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(5)
        self.outputs = itertools.count()

    def start(self, *command, **variables):
        return subprocess.Popen([MPIRUN, *map(str, command)], cwd=self.dir, env={**ENV, **variables}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def mpirun(self, *command):
        """Return code, stdout, and of stderr what zwalk says: mpirun says more when a rank has failed.

        On a machine that is busy mpirun itself fails at times, which has been seen: with 1, before any rank has said a word.
        """
        code, out, err = self._mpirun(*command)
        if code == 1 and not out and "zwalk: " not in err:
            print(f"mpirun failed, and is started again: {command}\n{err}", flush=True)
            code, out, err = self._mpirun(*command)
        return code, out, [line for line in err.splitlines() if "zwalk: " in line]

    def _mpirun(self, *command):
        # When a rank has failed, Open MPI waits before it ends the others, which have ended by themselves here.
        with self.start(*command, OMPI_MCA_odls_base_sigkill_timeout="0") as run:
            try:
                out, err = run.communicate(timeout=100)
            except subprocess.TimeoutExpired:
                run.terminate()
                self.fail(f"hangs: {command}")
        return run.returncode, out, err

    def on(self, ranks, *args):
        return self.mpirun("-n", ranks, "--bind-to", "none", ZWALK, *args)

    def files(self, directory):
        return {os.path.basename(f): open(f, "rb").read() for f in glob.glob(self.path(f"{directory}/*"))}

    def same(self, *args, ranks=RANKS, notes=0):
        """One process and these numbers of ranks write the same files. Returns these."""
        name = f"out{next(self.outputs)}-"
        alone = self.run_zwalk(*args, "-o", name + "alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        expected = self.files(name + "alone")
        for n in ranks:
            code, out, err = self.on(n, *args, "-o", name + str(n))
            self.assertEqual((code, len(err)), (0, notes), (n, args, err))
            self.assertIn(f"ranks       {n}, " if n > 1 else "seconds ", out)
            found = self.files(name + str(n))
            differ = [f for f in {**found, **expected} if found.get(f) != expected.get(f)]
            self.assertEqual(differ, [], (n, args))
        return expected

    def refused(self, code, part, *command):
        """All ranks give up, with one message; nothing is left behind."""
        before = sorted(os.listdir(self.dir))
        got, out, err = self.mpirun(*command)
        self.assertEqual((got, len(err)), (code, 1), (command, err))
        self.assertIn(part, err[0])
        self.assertNotIn("written", out)
        self.assertEqual(sorted(os.listdir(self.dir)), before, command)

    def in_folders(self, folders, *command):
        """Words for mpirun: a rank in each of these."""
        words = [word for folder in folders for word in (":", "-n", 1, "-wdir", self.path(folder), *command)]
        return "--bind-to", "none", *words[1:]  # MPICH wants to hear it once

    def refused_on(self, ranks, code, part, *args):
        self.refused(code, part, "-n", ranks, "--bind-to", "none", ZWALK, *args)


def run_tests():
    """All tests of the main module."""
    if not MPIRUN:
        print("SKIPPED: there is no mpirun")
        sys.exit(0)
    if "no MPI" in subprocess.run([ZWALK, "--mpi", "--version"], env=ENV, capture_output=True, text=True).stderr:
        print("SKIPPED: built without MPI")
        sys.exit(0)
    sys.argv[1:] = []
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
