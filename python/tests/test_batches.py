"""Neighbours batch by batch: those of knn, row by row."""
import numpy as np
import pytest
import zwalk

RNG = np.random.default_rng(12)
X = RNG.random((700, 3))
COPIES = np.repeat(RNG.random((9, 3)), 40, axis=0)  # of most points more than are listed


class Collected:
    def __init__(self, k):
        self.k, self.sizes, self.distances, self.indices = k, [], [], []

    def __call__(self, first, distances, indices):
        assert first == sum(self.sizes) and distances.shape == indices.shape == (len(indices), self.k)
        self.sizes.append(len(indices))
        self.distances.append(distances), self.indices.append(indices)

    def same_as(self, there):
        d, i = np.concatenate(self.distances), np.concatenate(self.indices)
        return d.dtype == there.distances.dtype and i.dtype == np.int64 and \
            (d == there.distances).all() and (i == there.indices).all()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("points", [X, COPIES, X[:1], X[:0]])
@pytest.mark.parametrize("k, options", [(1, {}), (7, {"box": 1}), (7, {"exclude_self": True}), (800, {"exclude_self": True}),
                                        (7, {"exclude_self": True, "within": .1}), (9, {"within": .05}),
                                        (45, {"exclude_self": True, "box": 2})])
def test_points(dtype, points, k, options):
    x = points.astype(dtype)
    there = zwalk.knn(x, k=k, **options)
    for parts in (1, 3, len(x) + 1):
        seen = Collected(k)
        batch_bytes = max(1, len(x) * k * (8 + x.itemsize) // parts)
        batches = zwalk.knn_in_batches(x, seen, k=k, batch_bytes=batch_bytes, **options)
        assert batches == len(seen.sizes) >= min(parts, max(1, len(x))) and seen.same_as(there)
        assert max(seen.sizes) - min(seen.sizes) <= 1


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("box", [None, 1, [0, 1, 1]])
def test_queries(dtype, box):
    x, q = X.astype(dtype), (X[::-3] * 0.9).astype(dtype)
    there = zwalk.knn(x, q, 5, box=box)
    for batch_bytes, batches in ((10**6, 1), ("4K", -(-len(q) * 5 * (8 + x.itemsize) // 4096)), (1, len(q))):
        seen = Collected(5)
        assert zwalk.knn_in_batches(x, seen, q, 5, batch_bytes=batch_bytes, box=box, threads=2) == batches
        assert len(seen.sizes) == batches and seen.same_as(there)
    seen = Collected(5)
    assert zwalk.knn_in_batches(x, seen, q[:0], 5, batch_bytes=1) == 1 and seen.sizes == [0]


def test_many():
    """More than a small call, in threads that can be interrupted; few batches by default."""
    x = RNG.random((40_000, 2), dtype="f4")
    for batch_bytes, batches in (("1G", 1), ("1M", 4)):
        seen = Collected(8)
        assert zwalk.knn_in_batches(x, seen, k=8, batch_bytes=batch_bytes) == batches and seen.same_as(zwalk.knn(x, k=8))
    seen = Collected(8)
    assert zwalk.knn_in_batches(x, seen, k=8) == 1 and seen.sizes == [40_000]


def never(*_):
    raise AssertionError("called")


def wrong(x, row):
    x = x.copy()
    x[row, 1] = np.nan
    return x


SMALL = {"k": 3, "batch_bytes": 1000}


@pytest.mark.parametrize("call, error, says", [
    (lambda: zwalk.knn_in_batches(X, None), TypeError, "take must be callable, not NoneType"),
    (lambda: zwalk.knn_in_batches(X, never, **SMALL | {"batch_bytes": "some"}), ValueError, "batch_bytes must be bytes"),
    (lambda: zwalk.knn_in_batches(X, never, **SMALL | {"batch_bytes": 0}), ValueError, "batch_bytes"),
    (lambda: zwalk.knn_in_batches(X, never, **SMALL | {"k": 0}), ValueError, "k must be"),
    (lambda: zwalk.knn_in_batches(X, never, X, exclude_self=True, **SMALL), ValueError, "exclude_self"),
    (lambda: zwalk.knn_in_batches(X, never, X[:, :2], **SMALL), ValueError, "columns|coordinates"),
    (lambda: zwalk.knn_in_batches(wrong(X, 690), never, **SMALL), ValueError, "points: row 690, column 1"),
    (lambda: zwalk.knn_in_batches(X, never, wrong(X, 690), **SMALL), ValueError, "queries: row 690, column 1"),
    (lambda: zwalk.knn_in_batches(X, never, box=0.5, **SMALL), ValueError, r"points span .* \(points % box\)"),
    (lambda: zwalk.knn_in_batches(X, never, X * 4, box=2, **SMALL), ValueError, r"queries span .* \(points % box\)"),
    (lambda: zwalk.knn_in_batches(X, never, np.vstack([X, X[:1] + 4]), box=2, **SMALL), ValueError, "queries span"),
    (lambda: zwalk.knn_in_batches(X, never, X + 4, box=2, **SMALL), ValueError, "points and queries together span"),
    (lambda: zwalk.knn_in_batches(X, never, threads="all", **SMALL), TypeError, "threads must be"),
    (lambda: zwalk.knn_in_batches(X, never, device="cuda", **SMALL), ValueError, "without CUDA|all at once"),
])
def test_refusals(call, error, says):
    """Before any batch."""
    with pytest.raises(error, match=says):
        call()


def test_what_is_raised_ends_the_call():
    seen = []

    def take(first, distances, indices):
        seen.append(first)
        if len(seen) == 2:
            raise KeyError("full")

    with pytest.raises(KeyError, match="full"):
        zwalk.knn_in_batches(X, take, **SMALL)
    assert len(seen) == 2 and seen[0] == 0
