"""Centres of one cluster's points, weighted."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.distance import cdist

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _offsets(points: NDArray[Any], place: NDArray[Any], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the place to each point, or with periods (0: none) to its nearest image."""
    d: NDArray[np.float64] = points.astype(np.float64, copy=False) - place
    periodic = box > 0
    if periodic.any():
        d[:, periodic] -= box[periodic] * np.round(d[:, periodic] / box[periodic])
    return d


def distances(points: NDArray[np.float64], place: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """From a place to each point, in a box to its nearest image."""
    if not (box > 0).any():
        return np.asarray(cdist(place[None], points)[0])
    return np.asarray(np.sqrt(np.square(_offsets(points, place, box)).sum(axis=1)))


def centroid(points: NDArray[Any], weights: NDArray[np.float64], box: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weighted mean; in a box of images nearest to the first point of the largest weight."""
    from_ = points[np.argmax(weights)] if (box > 0).any() else np.zeros(points.shape[1])
    mean: NDArray[np.float64] = from_ + np.average(_offsets(points, from_, box), weights=weights, axis=0)
    return mean


def medoid(points: NDArray[Any], weights: NDArray[np.float64], box: NDArray[np.float64]) -> int:
    """The row with the least sum of weight * distance to all points; the first of equal ones.

    Points are tried from the centroid outwards. By the triangle inequality the sum S of a point says that sums at distance d
    from it are at least |S - d * all weights|, so points of which that is too large aren't tried (trimed: Newling and Fleuret
    2017, AISTATS). O(N) for each point that is; memory O(N).
    """
    x = points.astype(np.float64)
    order = np.argsort(distances(x, centroid(x, weights, box), box), kind="stable")
    least, total = np.zeros(len(points)), weights.sum()
    best, row = np.inf, -1
    for i in order.tolist():
        if least[i] * (1 - 1e-9) > best:  # beyond what sums are rounded by
            continue
        d = distances(x, x[i], box)
        found = float((d * weights).sum())  # BLAS would wake threads for it
        if (found, i) < (best, row):
            best, row = found, i
        np.maximum(least, np.abs(found - total * d), out=least)
    return row
