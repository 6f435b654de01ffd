"""How good density-based clusters are: DBCV (Moulavi et al. 2014), approximated by a minimum spanning tree."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def relative_validity(edges: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """DBCV by edges of the whole set's tree (from, to, length), as the hdbscan package has it. O(N).

    A cluster is as sparse as its longest edge, and as far from others as the shortest edge to one. Where no edge leads from
    it to another, that is twice the longest edge of all; of a single cluster twice the shortest one to noise, if there is any.
    """
    ends, length = edges[:, :2].astype(np.int64), edges[:, 2]
    a, b = labels[ends].T
    sizes = np.bincount(labels[labels >= 0])
    n = len(sizes)
    longest = length.max(initial=0)
    sparse, apart = np.zeros(n), np.full(n, np.inf)
    within = (a == b) & (a >= 0)
    np.maximum.at(sparse, a[within], length[within])
    between = (a != b) & (a >= 0) & (b >= 0)
    for ends_of in (a, b):
        np.minimum.at(apart, ends_of[between], length[between])
    to_noise = length[(a < 0) != (b < 0)]
    far = 2 * (longest if n > 1 else to_noise.min(initial=longest))
    apart[np.isinf(apart)] = far
    scale = np.maximum(apart, sparse)
    value = np.divide(apart - sparse, scale, out=np.zeros(n), where=scale > 0)
    return float(sizes @ value / len(labels))
