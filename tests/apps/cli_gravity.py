"""zwalk gravity against direct sums."""
import unittest

import numpy as np

from harness import GPU, Case


def direct(x, m, softening):
    """Accelerations, potentials, and the sums of the lengths of all that adds up to accelerations; in double."""
    x = x.astype("f8")
    d = x[None] - x[:, None]
    r2 = (d * d).sum(2) + softening**2
    np.fill_diagonal(r2, np.inf)
    g = m / np.sqrt(r2)
    pulls = (g / r2)[:, :, None] * d
    return pulls.sum(1), -g.sum(1), np.linalg.norm(pulls, axis=2).sum(1)


class Gravity(Case):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(12)

    def gravity(self, points, *args):
        self.save("p.npy", points)
        self.ok("gravity", "p.npy", *args, "-o", "out", "--force", "--quiet")
        a, p = self.load("out/accelerations.npy"), self.load("out/potentials.npy")
        self.assertEqual(a.dtype, points.dtype)
        self.assertEqual(p.dtype, points.dtype)
        self.assertEqual(a.shape, points.shape)
        self.assertEqual(p.shape, points.shape[:1])
        return a, p

    def test_direct(self):
        for dtype in ("f4", "f8"):
            for dim in (1, 2, 3):
                x, m = self.rng.random((1000, dim)).astype(dtype), self.rng.random(1000)
                self.save("m.npy", m)
                for accuracy in (1e-2, 1e-4):
                    a, p = self.gravity(x, "--masses", "m.npy", "--softening", .01, "--accuracy", accuracy)
                    exact, potential, pulls = direct(x, m, .01)
                    errors = np.linalg.norm(a - exact, axis=1) / pulls
                    self.assertLess(np.percentile(errors, 99), accuracy if dim == 3 else 3 * accuracy)
                    np.testing.assert_allclose(p, potential, rtol=accuracy)

    def test_defaults(self):
        x = self.rng.random((500, 3))
        a, p = self.gravity(x)
        exact, potential, _ = direct(x, np.ones(500), 0)
        np.testing.assert_allclose(p, potential, rtol=1e-3)
        b, q = self.gravity(x, "--expansion-order", 5, "--opening", 1e-6)
        np.testing.assert_allclose(b, exact, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(q, potential, rtol=1e-12)
        z, _ = self.gravity(x, "--order", "z")
        np.testing.assert_array_equal(z, a[self.load("out/order.npy")])
        self.gravity(x[:0])
        self.gravity(x[:1])

    def test_periodic(self):
        x = self.rng.random((500, 3))
        a, p = self.gravity(x, "--box", 1)
        self.assertLess(np.linalg.norm(a.sum(0)), 1e-3 * np.linalg.norm(a, axis=1).sum())
        b, q = self.gravity(x + .7, "--box", "1,1,1", "--wrap")
        np.testing.assert_allclose(b, a, atol=2e-3 * np.abs(a).max())
        np.testing.assert_allclose(q, p, atol=1e-3 * 500)
        one, potential = self.gravity(x[:1], "--box", 2)
        np.testing.assert_allclose(potential, 2.837297479 / 2, rtol=1e-6)
        np.testing.assert_allclose(one, 0, atol=1e-9)

    def test_refusals(self):
        self.save("p.npy", self.rng.random((20, 3)))
        self.save("four.npy", self.rng.random((20, 4)))
        self.save("m.npy", np.ones(19))
        self.save("minus.npy", -np.ones(20))
        for part, *args in (
                ("19 masses, but 20 points", "p.npy", "--masses", "m.npy"),
                ("one number per row", "p.npy", "--masses", "p.npy"),
                ("that of row 0 is -1", "p.npy", "--masses", "minus.npy"),
                ("1 to 3 columns, but there are 4", "four.npy"),
                ("softening must be", "p.npy", "--softening", -1),
                ("accuracy must be from 1e-06 to 0.1", "p.npy", "--accuracy", 1),
                ("--expansion-order", "p.npy", "--expansion-order", 6),
                ("opening must be from 0 to 8", "p.npy", "--opening", 9),
                ("all three axes or none", "p.npy", "--box", "1,1,0"),
                ("needs a periodic --box", "p.npy", "--wrap"),
                ("No such file", "none.npy")):
            self.refused(2, part, "gravity", *args, "-o", "out")
        self.refused(2, "-o", "gravity", "p.npy")
        if not GPU:
            self.refused(2, "no CUDA", "gravity", "p.npy", "--device", "cuda", "-o", "out")

    @unittest.skipUnless(GPU, "no GPU")
    def test_gpu(self):
        x = self.rng.random((3000, 3))
        for args in ((), ("--order", "z"), ("--accuracy", 1e-4), ("--box", 1)):
            a, p = self.gravity(x, *args)
            b, q = self.gravity(x, *args, "--device", "cuda")
            self.assertLess(np.quantile(np.linalg.norm(a - b, axis=1) / np.linalg.norm(a, axis=1), .99), 1e-4)
            np.testing.assert_allclose(p, q, rtol=1e-4, atol=1e-4 * np.abs(p).max())
        self.refused(2, "expansion_order must be 4 or 5", "gravity", "p.npy", "--expansion-order", 3, "--device", "cuda",
                     "-o", "out")


if __name__ == "__main__":
    unittest.main()
