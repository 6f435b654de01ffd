"""Points for golden.py, with the same bits on every machine: integers, and then only operations that IEEE 754
rounds exactly. Functions of a C library, or generators of NumPy, don't promise that."""
import re
import zlib

import numpy as np

U = np.uint64


def mix(x):
    """The finaliser of splitmix64: every bit of the result depends on every bit of x."""
    x = (x ^ (x >> U(30))) * U(0xbf58476d1ce4e5b9)
    x = (x ^ (x >> U(27))) * U(0x94d049bb133111eb)
    return x ^ (x >> U(31))


def fraction(bits):
    """In [0, 1), multiples of 2^-53."""
    return (bits >> U(11)).astype("f8") * 2.**-53


class Stream:
    """Random bits that belong to a name."""

    def __init__(self, name):
        self.key = U(zlib.crc32(name.encode()) << 32)
        self.used = 0

    def bits(self, *shape):
        count = int(np.prod(shape))
        counter = np.arange(self.used, self.used + count, dtype=U) + self.key
        self.used += count
        return mix(mix(counter + U(1)) + U(0x9e3779b97f4a7c15)).reshape(shape)

    def uniform(self, *shape):
        return fraction(self.bits(*shape))

    def below(self, n, *shape):
        return self.bits(*shape) % U(n)


def uniform(r, n, dim):
    return r.uniform(n, dim)


def normal(r, n, dim):
    """Nearly: sums of eight uniform numbers, around 0. Added as integers, so that no order matters."""
    return (r.bits(8, n, dim) >> U(14)).sum(axis=0).astype("f8") * 2.**-50 - 4


def grid(r, n, dim):
    """Sites of a lattice with spacing 1/16, from the origin on, shuffled: distances tie."""
    side = 1
    while side**dim < n:
        side += 1
    site = np.argsort(r.bits(n), kind="stable")
    return np.stack([site // side**j % side for j in range(dim)], axis=1) / 16.


def graded(r, n, dim):
    """Around the origin, at distances of all orders from 2^-20 to 1."""
    scale = U(1 << 20) >> r.below(21, n, 1)
    return (2 * r.uniform(n, dim) - 1) * scale.astype("f8") * 2.**-20


def clustered(r, n, dim):
    """Clumps of clumps in the periodic unit cube: on each of nine levels a point goes to one of three children,
    half as large."""
    node = np.full(n, r.bits(1)[0])
    x = np.zeros((n, dim))
    for level in range(9):
        node = mix(node + r.below(3, n) + U(1))
        x += fraction(mix(node[:, None] + np.arange(1, dim + 1, dtype=U))) * 2.**-level
    x += r.uniform(n, dim) * 2.**-9
    return x - np.floor(x)


def duplicates(r, n, dim):
    """On a few sites, with some 30 points each."""
    sites = r.uniform(n // 30 + 1, dim)
    return sites[r.below(len(sites), n)]


def equal(r, n, dim):
    return np.tile(r.uniform(1, dim), (n, 1))


def line(r, n, dim):
    return np.ldexp(r.uniform(n, 1), -np.arange(dim))


def outlier(r, n, dim):
    """One point far from all others."""
    x = r.uniform(n, dim)
    x[n // 2] = 2.**40
    return x


def huge(r, n, dim):
    return normal(r, n, dim) * 1e15


def tiny(r, n, dim):
    """Squares of distances are denormal floats."""
    return uniform(r, n, dim) * 2.**-70


def spread(r, n, dim):
    """Coordinates of both signs and of all orders of which squares fit a float."""
    x = np.ldexp(1 + r.uniform(n, dim), r.below(120, n, dim).astype("i4") - 60)
    return np.where(r.below(2, n, dim) == 0, x, -x)


def zeros(r, n, dim):
    """Of both signs, and ones."""
    return np.array([0., -0., 1.])[r.below(3, n, dim)]


def masses(r, n, dim):
    return 1 + r.uniform(n, dim)


KINDS = {f.__name__: f for f in (uniform, normal, grid, graded, clustered, duplicates, equal, line, outlier, huge,
                                 tiny, spread, zeros, masses)}
NAME = re.compile(r"([a-z]+)-(\d+)-(f[48])-(\d+)\.")  # kind, dimension, precision, number of points


def make(name):
    """The points that a file name such as uniform-3-f4-1000.npy speaks of."""
    kind, dim, dtype, n = NAME.match(name).groups()
    return KINDS[kind](Stream(name.split(".")[0]), int(n), int(dim)).astype(dtype)
