"""Pair counts and gravity."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._out import as_out, as_two, put
from ._place import place
from ._points import as_array, as_box, as_count, as_number, as_points, as_weights, both, warn_of_images

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box


class PairCounts(NamedTuple):
    """Ordered pairs in each bin, and with weights the sums of their products (else None)."""

    counts: NDArray[np.int64]
    weighted: NDArray[np.float64] | None


def pairs(points: ArrayLike, edges: ArrayLike, second: ArrayLike | None = None, *, bins: str = "distance",
          los_edges: ArrayLike | None = None, line_of_sight: int = -1, weights: ArrayLike | None = None,
          second_weights: ArrayLike | None = None, box: Box = None, threads: int | None = None,
          device: str | None = None, comm: MPI.Comm | None = None) -> PairCounts:
    """How many pairs of points there are in each bin of separation.

    Parameters
    ----------
    points : array_like, shape (N, D)
    edges : array_like
        Of the bins, ascending: bin i holds edges[i] < d <= edges[i + 1], so points at the same place are in no bin.
    second : array_like, shape (M, D), optional
        Count pairs of a point of each set. Default: pairs among the points, each of which counts twice (i, j and j, i).
    bins : {'distance', 'rp_pi', 's_mu'}
        'rp_pi': separations across and along the line of sight; 's_mu': distance, and pi / distance. Two or three
        dimensions.
    los_edges : array_like, optional
        Edges of the bins of pi or mu, for 'rp_pi' and 's_mu'; the first of these bins holds its lower edge, too.
    line_of_sight : int
        An axis; -1: the last one.
    weights, second_weights : array_like, optional
        One for each point, of either precision.
    box, threads, device, comm
        As in `knn`, but that results are always on the host. On ranks all get the counts of all pairs.

    Returns
    -------
    PairCounts
        Arrays of shape (bins,), or (bins, bins of los_edges).

    Notes
    -----
    On a periodic axis a pair is met once, by its nearest image. In a box with period L on all three axes as many points
    that are strewn at random have N (N - 1) 4/3 pi (edges[i + 1]^3 - edges[i]^3) / L^3 pairs in bin i, as long as the
    edges are at most L / 2: further out shells stick out of the box, and have fewer (a UserWarning).

    Examples
    --------
    >>> import zwalk
    >>> zwalk.pairs([[0.], [1.], [3.]], [0, 1, 2, 3]).counts
    array([2, 2, 2])

    A correlation function, here of random points, where it is 0 but for noise:

    >>> import numpy as np
    >>> x = np.random.default_rng(0).random((1000, 3))
    >>> edges = np.array([0.1, 0.2, 0.3])
    >>> random_pairs = 1000 * 999 * 4 / 3 * np.pi * np.diff(edges**3)
    >>> xi = zwalk.pairs(x, edges, box=1).counts / random_pairs - 1
    >>> bool((abs(xi) < 0.05).all())
    True
    """
    kinds = {"distance": 0, "rp_pi": 1, "s_mu": 2}

    def prepare() -> tuple[Any, ...]:
        if bins not in kinds:
            raise _core.InputError(f"bins must be one of {', '.join(kinds)}, not {bins!r}")
        p, q = both(points, second, ("points", "second"))
        if second_weights is not None and q is None:
            raise _core.InputError("second_weights are for a second set of points")
        e = as_array(edges, "edges", np.float64, ndim=1)
        los = as_array([] if los_edges is None else los_edges, "los_edges", np.float64, ndim=1)
        axis = as_count(line_of_sight, "line_of_sight", -p.shape[1], p.shape[1] - 1) % max(p.shape[1], 1)
        w = as_weights(weights, "weights", len(p))
        w2 = None if q is None else as_weights(second_weights, "second_weights", len(q))
        sides = as_box(box, p.shape[1])
        if len(e) and bins != "rp_pi":
            warn_of_images(float(e[-1]), sides, "the last of edges,")
        elif len(e):
            warn_of_images(float(e[-1]), sides[:axis] + sides[axis + 1:] if len(sides) > 1 else sides, "the last of edges,")
            warn_of_images(float(los[-1]) if len(los) else 0.0, sides[axis:axis + 1] or sides, "the last of los_edges,")
        return (p, q, e.tolist(), kinds[bins], los.tolist(), axis if kinds[bins] else -1, w, w2, sides)

    where = place(comm, threads, device, points, second)
    arguments = where.prepared(prepare)
    counts, sums = where.call("pairs", *arguments)
    if kinds[bins]:
        shape = len(arguments[2]) - 1, len(arguments[4]) - 1
        counts, sums = counts.reshape(shape), None if sums is None else sums.reshape(shape)
    return PairCounts(counts, sums)


class Gravity(NamedTuple):
    """Accelerations, shape (N, D), and potentials, shape (N,)."""

    accelerations: NDArray[np.floating[Any]]
    potentials: NDArray[np.floating[Any]]


def gravity(points: ArrayLike, masses: ArrayLike | None = None, *, softening: float = 0.0, accuracy: float = 1e-3,
            order: int | None = None, opening: float | None = None, box: Box = None,
            threads: int | None = None, out: tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]] | None = None,
            device: str | None = None, comm: MPI.Comm | None = None) -> Gravity:
    """Accelerations and potentials of masses, by a fast multipole method; G = 1.

    Parameters
    ----------
    points : array_like, shape (N, D)
        1 <= D <= 3.
    masses : array_like, shape (N,), optional
        >= 0; default: 1 each.
    softening : float
        Plummer's: a mass m at distance r has the potential -m / sqrt(r^2 + softening^2).
    accuracy : float
        Error of accelerations, relative to their length, that 99 of 100 points keep: from 1e-6 to 0.1, for float32 from
        1e-5.
    order : int, optional
        Of the expansions, 1 to 5; default: by accuracy. A GPU has 4 and 5, which are those that are chosen.
        In a package that pip built lower ones become 4.
    opening : float, optional
        How near nodes may be that act as a whole; default: by accuracy and order.
    box : float or array_like of 3, optional
        Periods of all three axes: points feel all images, too, and a background that cancels the mean density, so that
        the potential is zero on average. Default: open space.
    threads, device, comm : optional
        As in `knn`; masses are on the host. On a GPU and on ranks the last bits differ from those of one process on CPU
        threads, within the same accuracy.
    out : tuple of two numpy.ndarray, optional
        (accelerations, potentials) of shapes (N, D) and (N,) to copy the results to, in the precision of the points and C order;
        they are returned. The library's own arrays are there, too, until the call ends.

    Returns
    -------
    Gravity
        (accelerations, potentials), in the precision of the points.

    Raises
    ------
    ValueError
        Points of more than three dimensions, masses < 0, arrays in `out` that don't fit, ...; the message says which.
    TypeError
        Arrays in `out` of another precision than the points'.
    """
    def prepare() -> tuple[Any, ...]:
        p = as_points(points, "points")
        w = as_weights(masses, "masses", len(p))
        if out is not None:
            accelerations, potentials = as_two(out, "accelerations, potentials")
            as_out(accelerations, "out[0]", p.shape, p.dtype, p, w)
            as_out(potentials, "out[1]", p.shape[:1], p.dtype, p, w, accelerations)
        return (p, w, as_number(softening, "softening"),
                as_number(accuracy, "accuracy"), 0 if order is None else as_count(order, "order", 1, 5),
                0.0 if opening is None else as_number(opening, "opening"), as_box(box, p.shape[1]))

    where = place(comm, threads, device, points)
    accelerations, potentials = where.call("gravity", *where.prepared(prepare))
    return Gravity(accelerations, potentials) if out is None else Gravity(put(accelerations, out[0]), put(potentials, out[1]))
