"""Commands of README.md run as they stand there."""
import pathlib
import re
import shlex

import numpy as np

from harness import Case

PAGE = pathlib.Path(__file__).resolve().parents[2] / "README.md"


class Readme(Case):
    def test_its_commands(self):
        self.save("points.npy", np.random.default_rng(1).random((500, 3)))
        commands = re.findall(r"`zwalk ([a-z]+ points[^`]*)`", PAGE.read_text())
        self.assertTrue(commands)
        for command in commands:
            self.ok(*shlex.split(command), "--quiet")
        self.assertEqual(self.load("neighbours/indices.npy").shape, (500, 16))
