"""Compares the files that the program writes with golden.txt, which holds their hashes.

Usage: golden.py PATH_OF_ZWALK MAX_DIM [--update] [--only TEXT] [--part I/N] [--keep DIR] [--threads N] [--device NAME]

Results are the same bits for any number of threads, on every machine, and from version to version; other tests
compare them with brute force, this one with what they were. So a difference is an error, or a change of results on
purpose. `--update` rewrites golden.txt, after such a change and where cases are added to golden_cases.py or removed.
The same commit has the change and golden.txt. Its message says which results change and why, and after a release
CHANGELOG.md says so, too (CONTRIBUTING.md).

Left out is what passes through functions that C libraries round differently (pow, log, exp), pictures, and
the files of indices, whose layout is no result.
"""
import argparse
import hashlib
import os
import shlex
import shutil
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no numpy")
    sys.exit(0)

import golden_points
from golden_cases import cases
from harness import MAX_DIM, ZWALK, Case

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden.txt")
DATA = {"cosmo32768.npy": "cosmo32768/pos.npy", "gaia_open_clusters.npy": "gaia_open_clusters/xyz.npy"}
REPORTED = 10  # differing cases in full; of others, the name


def read_golden():
    """Hashes by file, by case."""
    golden = {}
    with open(GOLDEN) as f:
        for line in f:
            case, file, digest = line.rstrip("\n").split("  ")
            golden.setdefault(case, {})[file] = digest
    return golden


def write_golden(found):
    with open(GOLDEN, "w") as f:
        f.writelines(sorted(f"{case}  {file}  {digest}\n" for case, files in found.items()
                            for file, digest in files.items()))


def inputs(case):
    return [word for word in case.split() if word in DATA or golden_points.NAME.match(word)]


def input_hashes():
    """Of the points of each kind: to tell another NumPy from another result."""
    found = {}
    for name in sorted({name for case in cases() for name in inputs(case)} - {*DATA}):
        kind = golden_points.NAME.match(name)[1]
        found.setdefault(kind, hashlib.sha256()).update(golden_points.make(name).tobytes())
    return {kind: digest.hexdigest()[:16] for kind, digest in found.items()}


def dimension(case):
    if case.startswith("generate "):
        return 1  # needs no compiled one
    return max(3 if name in DATA else int(golden_points.NAME.match(name)[2]) for name in inputs(case))


def run_arguments(case):
    """The whole command line, behind the program's name."""
    if case.startswith("generate "):
        return [*case.split(), "-o", "out/points.npy", "--quiet"]
    return [*case.split(), "-o", "out", "--device", options.device, "--threads", options.threads, "--force",
            "--quiet"]


class Golden(Case):
    def setUp(self):
        if options.keep:
            self.dir = os.path.abspath(options.keep)
            os.makedirs(self.dir, exist_ok=True)
        else:
            super().setUp()

    def make_input(self, name):
        path, (base, kind) = self.path(name), os.path.splitext(name)
        if os.path.exists(path):
            return
        if name in DATA:
            shutil.copyfile(os.path.join(HERE, "../../data", DATA[name]), path)
        elif kind == ".zwx":
            self.make_input(base + ".npy")
            self.ok("knn", base + ".npy", "--save-index", name, "--quiet")
        elif kind == ".csv":  # the shortest text that reads back as the same number
            self.write(name, "".join(",".join(map(repr, row)) + "\n" for row in golden_points.make(name).tolist()))
        else:
            self.save(name, golden_points.make(name))

    def hashes(self, case):
        """Of every file that the case's results are in."""
        for name in inputs(case):
            self.make_input(name)
        shutil.rmtree(self.path("out"), ignore_errors=True)
        if case.startswith("generate "):
            os.mkdir(self.path("out"))
        self.ok(*run_arguments(case))
        found = {}
        for file in os.listdir(self.path("out")):
            with open(self.path(os.path.join("out", file)), "rb") as f:
                found[file] = hashlib.sha256(f.read()).hexdigest()[:16]
        return found

    def difference(self, case, golden):
        """What to say of the case; empty if all is as it was."""
        try:
            found = self.hashes(case)
        except AssertionError as e:  # refused, or a crash
            lines = ["  fails: " + str(e).splitlines()[0]]
        else:
            lines = [f"  {file}: {found.get(file, 'missing')}, but golden.txt has {golden.get(file, 'no such file')}"
                     for file in sorted({*found, *golden}) if found.get(file) != golden.get(file)]
        if not lines:
            return ""
        here = shlex.join([sys.executable, os.path.abspath(__file__), ZWALK, str(MAX_DIM), "--only", case])
        command = shlex.join([ZWALK, *run_arguments(case)])
        return "\n".join([case, *lines, f"  again: {here} --keep DIR", f"  which runs in DIR: {command}"])

    def test_inputs(self):
        self.assertEqual(input_hashes(), read_golden()["inputs"], "the points themselves differ")

    def test_outputs(self):
        golden = read_golden()
        named = [options.only] if options.only in cases() else [case for case in cases() if options.only in case]
        part, parts = options.part
        chosen = [case for case in named if dimension(case) <= MAX_DIM][part - 1::parts]
        self.assertTrue(chosen, "no such case")
        self.assertEqual(sorted({*golden} ^ {"inputs", *cases()}), [], "golden.txt is of other cases")
        different = [text for text in (self.difference(case, golden[case]) for case in chosen) if text]
        if different:
            rest = [text.splitlines()[0] for text in different[REPORTED:]]
            self.fail("\n".join([f"{len(different)} of {len(chosen)} cases differ", *different[:REPORTED], *rest]))
        print(f"{len(chosen)} cases, {sum(len(golden[case]) for case in chosen)} files")


def part_of(text):
    """(I, N) of the text "I/N"."""
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError
    return part, parts


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("zwalk")
    parser.add_argument("max_dim", type=int)
    parser.add_argument("--update", action="store_true", help="rewrite golden.txt")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases that contain this")
    parser.add_argument("--part", type=part_of, default=(1, 1), metavar="I/N", help="every N-th case, from the I-th on")
    parser.add_argument("--keep", metavar="DIR", help="work there, and leave inputs and the last output")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--device", default="cpu")
    return parser.parse_args()


def update():
    if options.only or options.part != (1, 1) or any(dimension(case) > MAX_DIM for case in cases()):
        sys.exit("--update is for all cases, and needs all their dimensions")
    run = Golden("test_outputs")
    run.setUp()
    write_golden({"inputs": input_hashes(), **{case: run.hashes(case) for case in cases()}})
    run.doCleanups()


if __name__ == "__main__":
    options = parse_options()
    if options.update:
        update()
    else:
        unittest.main(argv=sys.argv[:1])
