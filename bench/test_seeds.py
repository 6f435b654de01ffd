"""bench/seeds on few points: test_seeds.py PROGRAM

That each figure runs, on the points that it names; that rates are what the program's seconds say; that what can't be run is said.
"""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy as np
except ImportError:
    sys.exit("SKIPPED: no numpy")

import seeds
import seeds_figures
from seeds_figures import Data

PROGRAM = pathlib.Path(sys.argv.pop()).resolve()


class Seeds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        os.symlink(PROGRAM, self.folder / "bin" / "zwalk")

    def run_seeds(self, *arguments):
        """What it prints, and the figures of --json."""
        out, figures = io.StringIO(), self.folder / "seeds.json"
        command = ["seeds", "--build", str(self.folder), "--rounds", "1", "--json", str(figures), *arguments]
        with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(out):
            seeds.main()
        return out.getvalue(), json.loads(figures.read_text())

    def test_all_figures(self):
        output, rows = self.run_seeds("--most", "1100")
        for figure in seeds_figures.figures([]):
            self.assertIn(f"### {figure.name}: ", output)
        by_figure = {name: [row for row in rows if row["figure"] == name] for name in {row["figure"] for row in rows}}
        self.assertEqual([row["n"] for row in by_figure["SFC 6"]], [512, 512])
        self.assertEqual({row["dim"] for row in by_figure["jz-tree 9a"]}, {2, 3, 4, 5, 6, 8, 10})
        self.assertEqual({row["n"] for row in by_figure["EMST 6"]}, {1100})
        for row in by_figure["EMST 6"]:
            self.assertAlmostEqual(row["rate"], row["n"] * row["dim"] / row["seconds"] / 1e6)
        for row in by_figure["PSB 5"]:
            self.assertAlmostEqual(row["rate"], 240 / row["seconds"] / 1e6)
        self.assertIn("no hacc37m.npy in --data", output)
        rate = by_figure["SFC 6"][0]["rate"]
        self.assertIn(f"| SFC 6 | grid, 2-D, m 24 | n: 512 | {rate:.3g} points | 4 times as fast", output)
        rates = ", ".join(f"{row['rate'] * 1000:.3g}" for row in by_figure["PSB 8"])
        self.assertIn(f"| k: 1, 512 | {rates} queries |  |", output)
        self.assertNotIn("jz-tree 8a", by_figure)  # copies of a simulation are more

    def test_files_and_copies(self):
        np.save(self.folder / "noaa_isd.npy", np.random.default_rng(1).random((700, 2)))
        np.save(self.folder / "hacc37m.npy", np.random.default_rng(1).random((5000, 3), np.float32))
        output, rows = self.run_seeds("--data", str(self.folder), "--most", "32768", "--only", "PSB 9", "EMST 7", "jz-tree 8a")
        self.assertEqual([row["n"] for row in rows if row["figure"] == "PSB 9"], [700 - 240])
        self.assertEqual([row["n"] for row in rows if row["points"] == "hacc37m"], [1024, 4096, 5000])
        self.assertEqual([row["n"] for row in rows if row["points"] == "cosmo"], [32768])

    def test_copies_fill_the_box(self):
        points = seeds.Points(PROGRAM, self.folder, None)
        x = np.load(points.files(Data("cosmo", 8 * 32768, 3, "f8"))[0])
        self.assertEqual(x.shape, (8 * 32768, 3))
        self.assertTrue(((x >= 0) & (x < 1)).all())
        self.assertEqual(len(np.unique(np.floor(2 * x), axis=0)), 8)

    def test_geolife_from_the_download(self):
        lines = {"000/Trajectory/b.plt": ["39.9,116.3,0,492,39744.1,2008-10-23,02:53:04", "39.8,116.4,0,-777,39744.2,2008-10-23,02:53:10"],
                 "000/Trajectory/a.plt": ["40.0,116.5,0,10,39744.1,2008-10-22,02:53:04"], "001/Trajectory/a.plt": ["22.1,113.5,0,7,1.5,a,b"]}
        for name, rows in lines.items():
            path = self.folder / "Data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\r\n".join(["a", "WGS 84", "c", "d", "0,2,255,My Track", "0", *rows, ""]))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        exec(seeds.RECIPES["geolife.npy"], {})
        np.testing.assert_array_equal(np.load(self.folder / "geolife.npy"),
                                      [[116.5, 40, 10], [116.3, 39.9, 492], [116.4, 39.8, -777], [113.5, 22.1, 7]])
        _, rows = self.run_seeds("--data", str(self.folder), "--only", "EMST 6", "--most", "1100")
        self.assertEqual([(row["n"], row["dim"]) for row in rows if row["points"] == "geolife"], [(4, 3)])

    def test_published_seconds_are_rates(self):
        for figure in seeds_figures.figures([]):
            for p in figure.published:
                self.assertEqual(bool(p.seconds), bool(p.n), figure.name)
                self.assertTrue(p.millions > 0 and (figure.rate == "points" or not p.seconds), figure.name)
        output, _ = self.run_seeds("--only", "jz-tree 7a", "--most", "10000")
        self.assertIn("published, uniform, 1e8: 0.585 s, 171 million points a second", output)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_published_figures_are_drawn(self):
        from matplotlib import pyplot

        for name, crosses, dots in (("jz-tree 8a", 5, 0), ("EMST 6", 0, 4)):
            figure, = [f for f in seeds_figures.figures([]) if f.name == name]
            row = {"points": "made", "dim": 3, "n": 10 ** 6, "what": "", "rate": 5.}
            with mock.patch.object(pyplot, "close"):
                seeds.plot(figure, [row], self.folder)
            lines = pyplot.gca().get_lines()
            self.assertEqual([line.get_marker() for line in lines].count("x"), crosses)
            self.assertEqual([line.get_linestyle() for line in lines].count(":"), dots)
            self.assertEqual({text.get_text() for text in pyplot.gca().texts}, {p.what for p in figure.published})
            self.assertTrue((self.folder / (name.replace(" ", "-") + ".png")).exists())
            pyplot.close()

    def test_refuses(self):
        for arguments in (["--only", "nothing"], ["--build", str(self.folder / "none")]):
            with self.assertRaises(SystemExit) as refused:
                self.run_seeds(*arguments)
            self.assertIn("error", str(refused.exception))


if __name__ == "__main__":
    unittest.main()
