"""Bad input and failing work: exit code, one line, nothing left behind."""
import os
import signal
import subprocess
import time

import numpy as np

from harness import GPU, ZWALK, Case


class BadUsage(Case):
    def setUp(self):
        super().setUp()
        self.save("p.npy", np.random.default_rng(1).random((20, 3)))

    def knn(self, code, part, *args):
        self.refused(code, part, "knn", "p.npy", *args, "-o", "out")

    def test_k(self):
        for k in ("0", "-3", "abc", "1.5", "", "99999999999999999999"):
            self.knn(2, "-k must be a whole number", "-k", k)
        self.knn(2, "-k must be a whole number", "--k", 0)

    def test_options(self):
        self.knn(2, "--bogus", "-k", 1, "--bogus")
        self.knn(2, "not expected: --boxsize 1 (did you mean --box?); see", "-k", 1, "--boxsize", 1)
        self.knn(2, "not expected: --exlude-self (did you mean --exclude-self?)", "-k", 1, "--exlude-self")
        self.knn(2, "not expected: one two --frobnicate; see", "-k", 1, "one", "two", "--frobnicate")
        self.knn(2, "not expected: --radius 0.1 (did you mean --within, or the command zwalk radius?)", "-k", 1,
                 "--radius", .1)
        self.knn(2, "(did you mean -k?)", "-n", 1)
        self.knn(2, "(did you mean -k?)", "--neighbors=1")
        self.knn(2, "(did you mean --device cuda?)", "-k", 1, "--gpu")
        self.refused(2, "(did you mean --linking-length?)", "fof", "p.npy", "--radius", .1, "-o", "out")
        self.refused(2, "(did you mean --epsilon?)", "dbscan", "p.npy", "--radius", .1, "-o", "out")
        self.refused(2, "(did you mean --radius, or the command zwalk knn?)", "radius", "p.npy", "-k", 3, "-o", "out")
        self.refused(2, "not expected: --gpu; see", "generate", "grid", 8, 3, "--gpu", "-o", "g.npy")
        self.knn(2, "see zwalk knn --help", "-k", 1, "extra")
        self.knn(2, "-k is required")
        self.knn(2, "--threads", "-k", 1, "--threads", "many")
        self.knn(2, "--device", "-k", 1, "--device", "tpu")
        if not GPU:
            self.knn(2, "no CUDA ", "-k", 1, "--device", "cuda")
        self.knn(2, "--order", "-k", 1, "--order", "random")
        self.knn(2, "--precision", "-k", 1, "--precision", "f2")
        self.knn(2, "--memory-budget", "-k", 1, "--memory-budget", "lots")
        self.refused(2, "-o", "knn", "p.npy", "-k", 1)
        self.refused(2, "subcommand")
        self.refused(2, "no command 'walk'", "walk")

    def test_box(self):
        for box, part in (("-1", ">= 0"), ("abc", "--box"), ("1,2", "2 lengths"), ("inf", "--box"),
                          ("1,,1", "--box"), ("0.5", "box")):
            self.knn(2, part, "-k", 1, "--box", box)
        self.knn(2, "--wrap needs", "-k", 1, "--wrap")
        self.save("wide.npy", np.array([[0., 0, 0], [3, 0, 0]]))
        self.knn(2, "box: the queries span 3 (0 to 3) on axis 0, more than the box length 2; wrap them into one period "
                 "first (--wrap)", "-k", 1, "--query", "wide.npy", "--box", 2)

    def test_queries(self):
        self.save("q.npy", np.zeros((2, 2)))
        self.knn(2, "--exclude-self", "-k", 1, "--query", "p.npy", "--exclude-self")
        self.knn(2, "2 coordinates", "-k", 1, "--query", "q.npy")
        self.knn(2, "No such file", "-k", 1, "--query", "missing.npy")

    def test_generate(self):
        for args, part in ((("blob", 3, 3), "kind 'blob'"), (("grid", -1, 3), "N must"),
                           (("grid", 3, 0), "D must"), (("grid", 3, 65), "1 to 64"),
                           (("grid", "x", 3), "N must"),
                           (("grid", 3, 3, "--dtype", "f2"), "--dtype"),
                           (("grid", 3, 3, "--sigma", 1), "for blobs, not for grid"),
                           (("blobs", 3, 3, "--sigma", -1), "--sigma must"),
                           (("blobs", 3, 3, "--sigma", "nan"), "--sigma"),
                           (("blobs", 3, 3, "--clusters", 0), "--clusters must")):
            self.refused(2, part, "generate", *args, "-o", "g.npy")
        self.refused(2, ".npy", "generate", "grid", 3, 3, "-o", "g.csv")

    def test_render(self):
        self.save("short.npy", np.zeros(3))
        self.save("line.npy", np.zeros(20))
        for args, part in ((("--values", "short.npy"), "3 rows"),
                           (("--values", "line.npy", "--column", 1), "no column 1"),
                           (("--values", "line.npy", "--log"), "above 0"),
                           (("--axes", "0,3"), "no axis 3"), (("--axes", "0"), "--axes"),
                           (("--slab", "2,1,0"), "--slab"), (("--size", 1), "--size"),
                           (("--colormap", "jet"), "--colormap"), (("--range", "1,0"), "--range")):
            self.refused(2, part, "render", "p.npy", *args, "-o", "a.svg")
        self.refused(2, ".png or .svg", "render", "p.npy", "-o", "a.gif")
        self.refused(2, "two", "render", "line.npy", "-o", "a.svg")


class BadFiles(Case):
    def input(self, part, name, *args):
        self.refused(2, part, "knn", name, "-k", 2, "-o", "out", *args)
        self.refused(2, part, "info", name)

    def test_files(self):
        self.input("No such file", "missing.npy")
        self.input("empty", self.write("empty.npy", ""))
        self.input("no .npy file", self.write("junk.npy", os.urandom(200)))
        os.mkdir(self.path("dir.npy"))
        self.input("directory", "dir.npy")
        self.input("unknown format", self.write("a.bin", "1 2\n"))
        self.input("HDF5", self.write("a.hdf5", "1 2\n"))
        whole = open(self.path(self.save("w.npy", np.zeros((10, 3)))), "rb").read()
        self.input("truncated", self.write("t.npy", whole[:-1]))
        self.input("1 bytes behind", self.write("l.npy", whole + b"x"))

    def test_arrays(self):
        self.input("int64", self.save("i.npy", np.zeros((4, 3), int)))
        self.input("float16", self.save("h.npy", np.zeros((4, 3), "f2")))
        self.input("65", self.save("d.npy", np.zeros((4, 65))))
        self.input("1 to 64", self.save("z.npy", np.zeros((4, 0))))
        self.input("(2, 2, 2)", self.save("n.npy", np.zeros((2, 2, 2))))

    def test_not_finite(self):
        for value in (np.nan, np.inf, -np.inf):
            a = np.random.default_rng(2).random((50, 3))
            a[17, 2] = value
            for name, box in ((self.save("n.npy", a), ()), ("n.npy", ("--box", 2, "--wrap"))):
                r = self.run_zwalk("knn", name, "-k", 2, "-o", "out", *box)
                self.assertEqual(r.returncode, 2)
                self.assertRegex(r.stderr, r"(?s)row 17\b.*column 2\b")
                self.assertEqual(len(r.stderr.splitlines()), 1)
            self.assertEqual(os.listdir(self.dir), ["n.npy"])


class Outputs(Case):
    def setUp(self):
        super().setUp()
        self.save("p.npy", np.random.default_rng(1).random((20, 3)))

    def test_existing(self):
        os.mkdir(self.path("out"))
        self.ok("knn", "p.npy", "-k", 2, "-o", "out")  # empty is as good as new
        self.write("out/notes.txt", "mine")
        self.refused(2, "--force", "knn", "p.npy", "-k", 3, "-o", "out")
        self.assertEqual(self.load("out/indices.npy").shape, (20, 2))
        self.ok("knn", "p.npy", "-k", 3, "-o", "out", "--force")
        self.assertEqual(self.load("out/indices.npy").shape, (20, 3))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["distances.npy", "indices.npy", "notes.txt"])
        self.refused(2, "no directory", "knn", "p.npy", "-k", 3, "-o", "p.npy", "--force")
        self.refused(2, "--force", "generate", "grid", 8, 3, "-o", "p.npy")
        self.refused(1, "No such file", "knn", "p.npy", "-k", 2, "-o", "no/where")

    def test_failure_keeps_the_old(self):
        self.ok("knn", "p.npy", "-k", 2, "-o", "out")
        old = open(self.path("out/indices.npy"), "rb").read()
        self.refused(2, "box", "knn", "p.npy", "-k", 3, "-o", "out", "--force", "--box", ".1")
        self.assertEqual(open(self.path("out/indices.npy"), "rb").read(), old)
        self.assertEqual(len(os.listdir(self.path("out"))), 2)

    def test_unwritable(self):
        os.mkdir(self.path("locked"), 0o555)
        user = {}
        if os.geteuid() == 0:  # root may write everywhere, so somebody else tries
            user = {"user": 65534}
            os.chmod(self.dir, 0o755)
            try:
                subprocess.run([ZWALK, "--version"], check=True, capture_output=True, **user)
            except (OSError, subprocess.SubprocessError):
                self.skipTest("nobody may not run the program")
        self.refused(1, "Permission denied", "knn", "p.npy", "-k", 2, "-o", "locked/out", **user)
        self.refused(1, "Permission denied", "generate", "grid", 8, 3, "-o", "locked/g.npy", **user)
        self.assertEqual(os.listdir(self.path("locked")), [])

    def test_full_disk(self):
        os.mkdir(self.path("disk"))
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs",
                                  self.path("disk")], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("cannot mount a small disk")
        try:
            self.save("big.npy", np.random.default_rng(1).random((2000, 3)))
            self.refused(1, "No space left", "knn", "big.npy", "-k", 8, "-o", "disk/out")
            self.refused(1, "No space left", "knn", "big.npy", "-k", 8, "-o", "disk")
            self.refused(1, "No space left", "generate", "grid", 1e5, 3, "-o", "disk/g.npy")
            self.assertEqual(os.listdir(self.path("disk")), [])
        finally:
            subprocess.run(["umount", self.path("disk")], check=True)

    def test_full_stdout(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            r = subprocess.run([ZWALK, "info", self.path("p.npy")], stdout=full,
                               stderr=subprocess.PIPE, text=True)
        self.assertEqual(r.returncode, 1)
        self.assertIn("No space left", r.stderr)

    def test_signals_remove_what_is_unfinished(self):
        for sig in (signal.SIGINT, signal.SIGTERM):
            p = subprocess.Popen([ZWALK, "generate", "normal", "1e8", "8", "-o", "g.npy"],
                                 cwd=self.dir, stderr=subprocess.PIPE)
            for _ in range(500):
                if any(".tmp-" in name for name in os.listdir(self.dir)):
                    break
                time.sleep(.01)
            time.sleep(.1)
            p.send_signal(sig)
            self.assertEqual(p.wait(30), -sig)
            p.stderr.close()
            self.assertEqual(os.listdir(self.dir), ["p.npy"])
