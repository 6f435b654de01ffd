"""zwalk trace: the numbers on a page, and the page in a browser."""
import json
import re
import unittest

import numpy as np

from browser import CHROMIUM, Browser
from harness import Case


def pair_counts(d):
    """Pairs of points that each pair of nodes stands for."""
    sources = d["sources"] or d["targets"]
    sizes = [np.diff(p["first"]) for p in d["targets"]["planes"]], [np.diff(p["first"]) for p in sources["planes"]]
    p = {k: np.array([np.nan if x is None else x for x in v]) for k, v in d["pairs"].items()}
    count = np.empty(len(p["t"]), "i8")
    for i, (tp, sp, t, s) in enumerate(zip(*(p[k].astype(int) for k in ("tp", "sp", "t", "s")))):
        n, m = sizes[0][tp][t], sizes[1][sp][s]
        count[i] = n * (n - 1) // 2 if d["symmetric"] and t == s else n * m
    return p, count


class Trace(Case):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(5)
        self.points = {dim: np.concatenate([rng.random((200, dim)), .5 + .03 * rng.normal(size=(150, dim))])
                       for dim in (2, 3)}
        for dim, x in self.points.items():
            self.save(f"p{dim}.npy", x)

    def trace(self, *args, name="walk.html"):
        """Its data, and what was said."""
        said = self.ok("trace", *args, "-o", name, "--force")
        with open(self.path(name)) as f:
            text = f.read()
        return json.loads(re.search('id="data">(.*?)</script>', text, re.S)[1]), said

    def check_counts(self, d, n):
        p, count = pair_counts(d)
        self.assertEqual(d["all"], n * (n - 1) // 2 if d["symmetric"] else n * n)
        leaves = (p["tp"] == 0) & (p["sp"] == 0)
        met = count[leaves & (p["decision"] == 1)].sum()
        self.assertEqual(met, d["met"])
        self.assertEqual(count[p["decision"] != 1].sum() + met, d["all"])
        self.assertEqual(sum(sum(row["nodes"]) for row in d["table"]), len(count))
        self.assertTrue((p["lo2"] <= p["hi2"]).all())
        return p, count

    def test_algorithms(self):
        for dim, x in self.points.items():
            for args in (("knn", "-k", 4), ("radius", "--radius", .1), ("fof", "--linking-length", .02), ("fof",),
                         ("dbscan", "--epsilon", .05), ("emst",), ("emst", "--round", 1), ("gravity",),
                         ("knn", "--box", 2), ("fof", "--box", 2, "--leaf-size", 20)):
                with self.subTest(dim=dim, args=args):
                    d, _ = self.trace(f"p{dim}.npy", "--algorithm", *args)
                    p, _ = self.check_counts(d, len(x))
                    self.assertGreaterEqual(len(d["targets"]["planes"]), 2)
                    rows = np.array(d["targets"]["x"]).reshape(len(x), -1)[:, :dim]
                    np.testing.assert_array_equal(rows, x[d["targets"]["input"]])
                    self.assertEqual(d["symmetric"], args[0] == "fof")
                    self.assertEqual(all(np.isnan(p["reach"])), args[0] in ("radius", "fof", "gravity"))
                    self.assertEqual(len(d["horizons"]) > 0, args[0] in ("knn", "emst", "dbscan", "radius"))

    def test_answers(self):
        x = self.points[2]
        d2 = ((x[:, None] - x[None]) ** 2).sum(2)
        _, said = self.trace("p2.npy", "--algorithm", "radius", "--radius", .1)
        self.assertIn(f"There are {(d2 <= .01).sum()}:", said)
        _, said = self.trace("p2.npy", "--algorithm", "dbscan", "--epsilon", .05, "--min-samples", 7)
        self.assertIn(f"{((d2 <= .0025).sum(1) >= 7).sum()} do.", said)
        d, _ = self.trace("p2.npy", "--algorithm", "knn", "-k", 4)
        kth = np.sort(d2, axis=1)[:, 3][d["targets"]["input"]]
        np.testing.assert_allclose(d["horizons"], kth, rtol=1e-12)
        self.ok("fof", "p2.npy", "--linking-length", .02, "-o", "fof", "--quiet")
        groups = len(np.unique(self.load("fof/labels.npy")))
        _, said = self.trace("p2.npy", "--algorithm", "fof", "--linking-length", .02)
        self.assertIn(f": {groups} groups", said)

    def test_spanning_tree(self):
        # Each round begins with what the one before has left; in the end all is one component.
        left, n = len(self.points[2]), 1
        while left > 1:
            _, said = self.trace("p2.npy", "--algorithm", "emst", "--round", n)
            components, rest = map(int, re.search(r"each of (\d+) components.* (\d+) are left", said).groups())
            self.assertEqual(components, left)
            self.assertLessEqual(rest, left // 2)
            left, n = rest, n + 1
        self.refused(2, f"connected after round {n - 1}", "trace", "p2.npy", "--algorithm", "emst", "--round", n,
                     "-o", "w.html")

    def test_table(self):
        d, said = self.trace("p3.npy", "--algorithm", "radius", "--radius", .1)
        self.assertIn(f"{d['met']} of {350 * 350} pairs of points met", said)
        self.assertEqual(self.ok("trace", "p3.npy", "--algorithm", "knn", "-o", "quiet.html", "--quiet"), "")

    def test_help(self):
        said = " ".join(self.ok("trace", "--help").split())
        self.assertIn('A trait of your own can have such a page: docs/traits-reference.md, installed in share/doc/zwalk, shows '
                      'how under "See it walk"', said)

    def test_few(self):
        for n in (1, 2, 3):
            self.save("few.npy", self.points[2][:n])
            for a in (("knn",), ("fof", "--linking-length", 1), ("radius", "--radius", 1), ("gravity",)):
                d, _ = self.trace("few.npy", "--algorithm", *a)
                self.check_counts(d, n)
        self.save("equal.npy", np.ones((30, 3)))
        for a in (("knn",), ("fof", "--linking-length", 0), ("gravity",), ("emst", "--round", 1)):
            d, _ = self.trace("equal.npy", "--algorithm", *a)
            self.check_counts(d, 30)

    def test_refusals(self):
        self.save("p1.npy", np.zeros((5, 1)))
        self.save("p4.npy", np.zeros((5, 4)))
        self.save("many.npy", np.random.default_rng(1).random((5001, 2)))
        self.save("none.npy", np.zeros((0, 2)))
        self.save("nan.npy", np.array([[0, 1], [np.nan, 2]]))
        a = "--algorithm"
        for part, *args in (
                ("--algorithm is required", "p2.npy"), ("knn", "p2.npy", a, "pairs"), ("but the points have 1", "p1.npy", a, "knn"),
                ("but the points have 4", "p4.npy", a, "knn"), ("1 to 5000 points, but there are 5001", "many.npy", a, "knn"),
                ("but there are 0", "none.npy", a, "knn"), ("row 1", "nan.npy", a, "knn"),
                ("needs --radius", "p2.npy", a, "radius"), ("needs --epsilon", "p2.npy", a, "dbscan"),
                ("--radius is for --algorithm radius, not for knn", "p2.npy", a, "knn", "--radius", 1),
                ("-k is for", "p2.npy", a, "fof", "-k", 1), ("-k must be", "p2.npy", a, "knn", "-k", 0),
                ("must not be negative", "p2.npy", a, "radius", "--radius", -1), ("not both", "p2.npy", a, "fof",
                 "--linking-length", 1, "--linking-fraction", 1), ("--leaf-size", "p2.npy", a, "knn", "--leaf-size", 0),
                ("open space", "p2.npy", a, "gravity", "--box", 1), ("box", "p2.npy", a, "knn", "--box", .5)):
            self.refused(2, part, "trace", *args, "-o", "w.html")
        self.refused(2, "must end in .html", "trace", "p2.npy", a, "knn", "-o", "w.png")
        self.save("many.npy", np.random.default_rng(1).random((5000, 2)))
        self.refused(2, "more than 1000 leaves", "trace", "many.npy", a, "knn", "--leaf-size", 1, "-o", "w.html")


@unittest.skipUnless(CHROMIUM, "no Chromium here")
class InBrowser(Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(6)
        for dim in (2, 3):
            self.save(f"p{dim}.npy", np.concatenate([rng.random((150, dim)), .5 + .05 * rng.normal(size=(100, dim))]))

    def page(self, *args, **kwargs):
        self.ok("trace", *args, "-o", "walk.html", "--force", "--quiet")
        self.browser.show(self.path("walk.html"), **kwargs)
        return self.browser

    def changed(self, change, **kwargs):
        """The page made last, with other data."""
        with open(self.path("walk.html")) as f:
            text = f.read()
        data = re.search('id="data">(.*?)</script>', text, re.S)[1]
        d = json.loads(data)
        change(d)
        self.browser.show(self.path(self.write("changed.html", text.replace(data, json.dumps(d)))), **kwargs)
        return self.browser

    def apart(self, d):
        """Makes the targets a set of their own, beside the sources."""
        d["sources"] = json.loads(json.dumps(d["targets"]))
        d["targets"]["x"] = [x + 1.5 for x in d["targets"]["x"]]

    def test_checks_itself(self):
        for args in (("knn", "-k", 4), ("fof",), ("radius", "--radius", .1), ("dbscan", "--epsilon", .05), ("emst",),
                     ("gravity",)):
            for dim in (2, 3):
                with self.subTest(args=args, dim=dim):
                    page = self.page(f"p{dim}.npy", "--algorithm", *args)
                    self.assertEqual(page.errors, [])
                    self.assertEqual(page.value("document.documentElement.dataset.check"), "ok")

    def test_notices(self):
        # A page with one decision changed must say so.
        self.ok("trace", "p2.npy", "--algorithm", "fof", "-o", "walk.html", "--quiet")
        with open(self.path("walk.html")) as f:
            text = f.read()
        self.write("wrong.html", re.sub(r'("decision":\[1,)\d', r"\g<1>0", text))
        self.browser.show(self.path("wrong.html"))
        self.assertEqual(self.browser.value("document.documentElement.dataset.check"), "wrong")
        self.assertIn("WRONG", self.browser.value("document.getElementById('check').textContent"))

    def test_keys_and_clicks(self):
        page = self.page("p2.npy", "--algorithm", "knn", "-k", 4)

        def at():
            return page.value("[state.leaf, state.done]")

        leaf, done = at()
        last = page.value("state.steps.length")
        self.assertEqual(done, 0)  # a page opens at the first step
        self.assertGreater(last, 0)
        page.key("n")  # the next target begins there, too
        self.assertEqual(at(), [leaf + 1, 0])
        page.key("p")
        page.key("End")
        self.assertEqual(at(), [leaf, last])
        page.key("n")  # unless this one is at its end
        self.assertEqual(at(), [leaf + 1, page.value("state.steps.length")])
        page.key("p")
        page.key("Home")
        self.assertEqual(at(), [leaf, 0])
        page.key("ArrowRight")
        page.key("ArrowRight")
        page.key("ArrowLeft")
        self.assertEqual(at(), [leaf, 1])
        self.assertIn("Plane", page.value("document.getElementById('step').textContent"))
        page.key("ArrowDown")
        planes = page.value("state.steps.slice(0, state.done).map(s => s.depth)")
        top = page.value("depths[0]")
        self.assertEqual(set(planes), {top, top - 1})
        page.key("ArrowUp")
        self.assertEqual(set(page.value("state.steps.slice(0, state.done).map(s => s.depth)")), {top})
        page.key("End")
        self.assertEqual(at(), [leaf, last])
        page.value("go(1 + state.steps.findIndex(s => fateOf(s) === 'meet'))")
        wanted = page.value("Math.max(...data.horizons.slice(...targets.planes[0].first.slice(state.leaf, state.leaf + 2)))")
        self.assertIn(f"horizon²{float(f'{wanted:.4g}')}, distance", page.value("document.getElementById('step').textContent"))
        page.key("n")
        self.assertEqual(at()[0], leaf + 1)
        page.key("p")
        page.key("z")
        self.assertTrue(page.value("document.getElementById('curve').checked"))
        page.key("Home")
        page.key(" ")
        self.assertIn("Pause", page.value("document.getElementById('play').textContent"))
        page.key(" ")
        # A click on a point makes its leaf the target.
        x, y, wanted = page.value("(() => { const b = canvas.getBoundingClientRect(), [x, y] = place(pointOf(targets, 9));"
                                  "return [b.left + x, b.top + y, nodeAt(targets, 0, 9)]; })()")
        self.assertGreater(wanted, 0)
        page.move(x, y)
        self.assertIn("row", page.value("document.getElementById('hover').textContent"))
        page.click(x, y)
        self.assertEqual(at()[0], wanted)
        self.assertEqual(page.errors, [])

    def test_reasons(self):
        page = self.page("p2.npy", "--algorithm", "radius", "--radius", .1)
        later = page.value("document.getElementById('list').textContent")
        self.assertNotIn("radius", later)  # nothing is decided yet
        page.key("End")
        reasons = {"discarded": "all of it is beyond the radius", "accepted": "all of it is within the radius",
                   "the points meet": "the radius ends between the bounds"}
        items = page.value("[...document.querySelectorAll('#list button')].map(b => b.textContent)")
        self.assertGreater(len(items), 0)
        for item in items:
            fate, reason = re.fullmatch(r"node \d+, \d+ points?, (.*?): (.*)", item).groups()
            self.assertEqual(reason, reasons[fate])

    def test_two_sets(self):
        page = self.page("p2.npy", "--algorithm", "radius", "--radius", .1)
        self.assertTrue(page.value("document.getElementById('others').hidden"))
        page = self.changed(self.apart)
        self.assertEqual(page.errors, [])
        self.assertEqual(page.value("document.documentElement.dataset.check"), "ok")
        self.assertFalse(page.value("document.getElementById('others').hidden"))
        self.assertIn("targets are rings", page.value("document.querySelector('.help').textContent"))
        # The place of a target outside of the leaf, that of its leaf, and how many pixels about it are drawn in blue.
        x, y, wanted, blue = page.value("""(() => {
          const b = canvas.getBoundingClientRect(), dots = window.devicePixelRatio || 1, i = targets.input.length - 1;
          const [x, y] = place(pointOf(targets, i)), about = pen.getImageData((x - 5) * dots, (y - 5) * dots, 10 * dots, 10 * dots).data;
          let blue = 0;
          for (let k = 0; k < about.length; k += 4) blue += about[k + 3] > 0 && about[k + 2] > about[k] + 60;
          return [b.left + x, b.top + y, nodeAt(targets, 0, i), blue];
        })()""")
        self.assertNotEqual(page.value("state.leaf"), wanted)
        self.assertGreater(blue, 8)
        page.click(x, y)
        self.assertEqual(page.value("state.leaf"), wanted)

    def test_texts(self):
        page = self.page("p2.npy", "--algorithm", "fof")
        page.key("End")
        self.assertEqual(page.value("document.querySelectorAll('#step .text').length"), 0)

        def describe(d):
            d["texts"] = ["", "own <b>", "other"]
            d["pairs"]["tt"], d["pairs"]["st"] = ([i] * len(d["pairs"]["t"]) for i in (1, 2))

        page = self.changed(describe)
        steps = page.value("state.steps.map(s => s.swapped)")
        self.assertEqual(set(steps), {False, True})  # in a symmetric walk the target may be the second of a pair
        for swapped in (False, True):
            page.value(f"go({steps.index(swapped) + 1})")
            rows = dict(page.value("[...document.querySelectorAll('#step dt')].map(dt => [dt.textContent, "
                                   "dt.nextSibling.querySelector('.text')?.textContent])"))
            self.assertEqual([rows["target"], rows["source"]], ["own <b>", "other"][::-1 if swapped else 1])

    def test_nothing_is_cut_off(self):
        def long(d):
            self.apart(d)
            d["title"] = d["about"] = "a_rather_long_word" * 8
            d["reasons"] = ["a_rather_long_word" * 8 + reason for reason in d["reasons"]]
            for row in d["table"]:
                row["nodes"], row["points"] = [23456, 1234, 23456], [12499999, 2499999, 9999999]

        self.page("p2.npy", "--algorithm", "radius", "--radius", .1)
        for width in (390, 400, 500, 650, 850, 1000, 1200):
            page = self.changed(long, width=width)
            page.key("End")
            cut = page.value("""[...document.querySelectorAll('body *')].filter(e => {
              const style = getComputedStyle(e);
              return style.display !== 'inline' && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1;
            }).map(e => e.tagName + '#' + e.id + '.' + e.className)""")
            self.assertEqual(cut, [], width)
            # The table's last column lies inside of its card.
            right = page.value("[...document.querySelectorAll('#table tbody td:last-child')].map(e => "
                               "e.closest('section').getBoundingClientRect().right - e.getBoundingClientRect().right)")
            self.assertGreater(min(right), 0, width)
            self.assertEqual(page.errors, [])

    def test_widths(self):
        for dim, args in ((2, ("fof",)), (3, ("gravity",))):
            for dark in (False, True):
                for width in (1280, 390):
                    page = self.page(f"p{dim}.npy", "--algorithm", *args, width=width, dark=dark)
                    self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                    paper = page.value("getComputedStyle(document.body).backgroundColor")
                    self.assertEqual(sum(map(int, re.findall(r"\d+", paper))) < 200, dark)
                    # Something is drawn, in more colours than one.
                    colours = page.value("new Set(pen.getImageData(0, 0, canvas.width, canvas.height).data).size")
                    self.assertGreater(colours, 20)


if __name__ == "__main__":
    unittest.main()
