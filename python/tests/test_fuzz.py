"""Whatever it is given, the module answers or raises ValueError, TypeError or zwalk.Error; it never ends Python."""
import numpy as np
import pytest
import zwalk

POINTS = [np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((0, 0)), np.zeros((1, 3)), np.zeros(3), np.zeros((2, 2, 2)), np.float64(1),
          [[1, 2], [3]], None, "points", b"points", object(), {}, [], [[]], [[None, 1]], np.full((4, 3), np.nan),
          np.full((4, 3), np.inf), np.full((4, 3), -1e308), np.full((4, 3), 5e-324), np.zeros((5, 64)), np.zeros((5, 65)),
          np.zeros((5, 10**4)), np.zeros((4, 3), "i8"), np.full((4, 3), 2**62), np.zeros((4, 3), bool),
          np.zeros((4, 3), "c16"), np.zeros((4, 3), "f2"), np.zeros((4, 3), "g"), np.zeros((4, 3), "M8[s]"),
          np.zeros((4, 3), "S3"), np.zeros(4, [("x", "f8"), ("y", "f8")]), np.lib.stride_tricks.as_strided(np.zeros(3), (9, 3), (0, 8)),
          np.random.default_rng(1).random((50, 3)), np.random.default_rng(1).random((50, 3)).astype("f4"),
          np.random.default_rng(1).random((50, 2)).astype(">f4")[:, ::-1]]
NUMBERS = [0, 1, 5, -1, 2**31, 2**31 - 1, 2**63, 2**64, -(2**70), 0.0, 0.1, -0.1, 1e300, 1e-300, np.nan, np.inf, -np.inf, None,
           "3", [1], np.int8(3), np.float32(0.2), np.array(2), 3 + 0j, True]
BOXES = [None, 1, 0, -1, np.nan, np.inf, [1, 1, 1], [1, 0, None], [], "1", [[1]], 1e-300, 1e300, object()]

CALLS = {
    "knn": lambda p, q, n, b: zwalk.knn(p, q, n if n not in (2**31 - 1,) else 70, box=b),
    "knn self": lambda p, q, n, b: zwalk.knn(p, k=3, exclude_self=True, box=b, threads=n),
    "budget": lambda p, q, n, b: zwalk.knn(p, q, 3, memory_budget=n),
    "tree": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).query(q, k=4, distance_upper_bound=n),
    "tree k": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).query(q, k=n if n != 2**31 - 1 else 9),
    "ball": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).query_ball_point(q, n),
    "pairs of tree": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).query_pairs(n),
    "two trees": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).count_neighbors(zwalk.KDTree(q, boxsize=b), n),
    "matrix": lambda p, q, n, b: zwalk.KDTree(p, boxsize=b).sparse_distance_matrix(zwalk.KDTree(q, boxsize=b), n, output_type="dict"),
    "radius": lambda p, q, n, b: zwalk.radius(p, n, q, box=b),
    "radius_count": lambda p, q, n, b: zwalk.radius_count(p, n, q, box=b),
    "fof": lambda p, q, n, b: zwalk.fof(p, n, box=b).catalogue(1, velocities=q),
    "fof masses": lambda p, q, n, b: zwalk.fof(p, 0.3, box=b).catalogue(n, masses=q),
    "mean_spacing": lambda p, q, n, b: zwalk.mean_spacing(p, box=b),
    "emst": lambda p, q, n, b: zwalk.minimum_spanning_tree(p, min_samples=n, box=b).clusters(2),
    "clusters": lambda p, q, n, b: zwalk.minimum_spanning_tree(p).clusters(n, epsilon=0.1),
    "clusters_at": lambda p, q, n, b: zwalk.minimum_spanning_tree(p).clusters_at(n, 2),
    "hdbscan": lambda p, q, n, b: zwalk.hdbscan(p, 3, min_samples=n, box=b),
    "dbscan": lambda p, q, n, b: zwalk.dbscan(p, n, 3, box=b),
    "dbscan samples": lambda p, q, n, b: zwalk.dbscan(p, 0.2, n, box=b),
    "peaks": lambda p, q, n, b: zwalk.density_peaks(p, n, box=b).clusters(3),
    "cuts": lambda p, q, n, b: zwalk.density_peaks(p, 3, box=b).clusters(n, min_delta=n, max_radius=n),
    "pairs": lambda p, q, n, b: zwalk.pairs(p, [0, n], q, box=b),
    "pairs weights": lambda p, q, n, b: zwalk.pairs(p, [0, 1], weights=q, box=b),
    "gravity": lambda p, q, n, b: zwalk.gravity(p, softening=n, box=b),
    "gravity masses": lambda p, q, n, b: zwalk.gravity(p, q, accuracy=n),
    "density": lambda p, q, n, b: zwalk.density(p, n if n not in (2**31 - 1,) else 70, box=b),
    "density sph": lambda p, q, n, b: zwalk.density(p, 5, kind="sph", masses=q, box=b),
}


@pytest.mark.parametrize("name", CALLS)
def test_anything(name):
    rng = np.random.default_rng(len(name))
    answered = 0
    for _ in range(600):
        p, q, n, b = (values[rng.integers(len(values))] for values in (POINTS, POINTS, NUMBERS, BOXES))
        if rng.random() < 0.7:  # mostly one thing is odd
            p = POINTS[-3 + rng.integers(2)]
        if rng.random() < 0.5:
            q = p
        if rng.random() < 0.5:
            b = None
        try:
            CALLS[name](p, q, n, b)
            answered += 1
        except (ValueError, TypeError, zwalk.Error):
            pass
    assert answered > 0 or name in ("gravity masses", "pairs weights", "fof masses", "density sph")


def test_huge_k_is_refused_or_answered():
    x = np.random.default_rng(1).random((50, 3))
    with pytest.raises((ValueError, MemoryError, zwalk.Error)):
        zwalk.knn(np.random.default_rng(1).random((100_000, 3)), k=2**31 - 1)
    d, i = zwalk.knn(x, k=5000)
    assert (i[:, 50:] == -1).all() and np.isinf(d[:, 50:]).all()
