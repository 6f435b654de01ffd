"""HDBSCAN* models: where new points belong among clusters that were found before."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._hierarchy import Clusters, hdbscan, selection, weighed
from ._place import Process
from ._points import as_array, as_box, as_count, as_path, as_threads

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._points import Box


class Prediction(NamedTuple):
    """What is predicted for M new points.

    labels: of each its cluster in the model; -1: noise. probabilities: how far into that it is, 0 for noise. outlier_scores: 0 to 1.
    neighbours: the row of the point of the model that each joins, and distances: the mutual reachability distance to that; -1 and inf
    for a model without points.
    """

    labels: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    outlier_scores: NDArray[np.float64]
    neighbours: NDArray[np.int64]
    distances: NDArray[Any]


class HdbscanModel:
    """HDBSCAN* clusters of points, kept so that new points can be compared with them.

    Parameters
    ----------
    points, min_cluster_size, min_samples, method, epsilon, max_cluster_size, allow_single_cluster, epsilon_max, persistence, weights, box, threads
        As in `hdbscan`. The points are copied.

    Attributes
    ----------
    found : Clusters or None
        Those of the points, as `hdbscan` has them. None for a model from a file: that has no hierarchy.
    labels : numpy.ndarray of int64, shape (n,)
        Of the points.
    n, m : int
        Points, and their columns.
    n_clusters : int
    dtype : numpy.dtype
        The precision of the points: new ones need the same.
    points : numpy.ndarray, shape (n, m)
        A copy, made at each access.

    Notes
    -----
    It can be pickled, and saved in the file that `zwalk hdbscan --save-model` and C++ write. Threads may ask one model at once.

    Examples
    --------
    >>> import zwalk
    >>> model = zwalk.HdbscanModel([[0.], [1.], [2.5], [20.], [21.5], [22.5]], 3, min_samples=1)
    >>> model.predict([[1.5], [22.], [1000.]]).labels
    array([ 0,  1, -1])
    """

    found: Clusters | None

    def __init__(self, points: ArrayLike, min_cluster_size: int = 5, *, min_samples: int | None = None, method: str = "eom",
                 epsilon: float = 0.0, max_cluster_size: int | None = None, allow_single_cluster: bool = False,
                 epsilon_max: float = np.inf, persistence: float = 0.0, weights: ArrayLike | None = None,
                 box: Box = None, threads: int | None = None) -> None:
        p = as_array(points, "points")
        asked: dict[str, Any] = {"min_samples": min_samples, "method": method, "epsilon": epsilon,
                                 "max_cluster_size": max_cluster_size, "allow_single_cluster": allow_single_cluster,
                                 "epsilon_max": epsilon_max, "persistence": persistence, "box": box, "threads": threads}
        self._keep(p, hdbscan(p, min_cluster_size, weights=weights, **asked), min_cluster_size, asked)

    @classmethod
    def of(cls, points: ArrayLike, found: Clusters, min_cluster_size: int = 5, **asked: Any) -> HdbscanModel:
        """The model of clusters that ``hdbscan(points, min_cluster_size, **asked)`` has found, without looking for them again."""
        p = as_array(points, "points")
        if not isinstance(found, Clusters):
            raise TypeError(f"found must be what zwalk.hdbscan() returns, not {type(found).__name__}")
        if found.linkage is None:
            raise _core.InputError("this is one rank's part of the clusters: a model is made in one process, of all points")
        if found.core_distances is not None and found.core_distances.dtype != p.dtype:
            raise _core.InputError(f"points are {p.dtype}, but the clusters were found of {found.core_distances.dtype}")
        model = cls.__new__(cls)
        model._keep(p, found, min_cluster_size, asked)
        if model.n_clusters != len(found.persistence):
            raise _core.InputError(f"these options give {model.n_clusters} clusters, but {len(found.persistence)} were found: pass those "
                                   "that hdbscan() was called with")
        return model

    def _keep(self, points: NDArray[Any], found: Clusters, min_cluster_size: int, asked: dict[str, Any]) -> None:
        self.found = found
        least = asked.get("min_samples")
        select = selection(**{name: value for name, value in asked.items() if name not in ("min_samples", "box", "threads")})
        self._model = Process(asked.get("threads")).call(
            "hdbscan_model", points, as_box(asked.get("box"), points.shape[1]), found.linkage, found.core_distances,
            as_count(min_cluster_size, "min_cluster_size", 2), 0 if least is None else as_count(least, "min_samples"), select,
            weighed(found))

    def save(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Write the model into a file, whole or not at all: points, core distances and clusters, without `found`."""
        self._model.save(as_path(path))

    @classmethod
    def load(cls, path: str | bytes | os.PathLike[Any], *, threads: int | None = None) -> HdbscanModel:
        """The model in a file that `save`, `zwalk hdbscan --save-model` or C++ has written, without sorting again."""
        path, limits = as_path(path), (as_threads(threads), 0)
        open(path, "rb").close()  # FileNotFoundError and its like
        return _of(_kind(_core.model_item_bytes(path)).load(path, *limits))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._model.to_bytes(), self.dtype.itemsize, self.found)

    def __repr__(self) -> str:
        return f"<zwalk.HdbscanModel: {self.n_clusters} clusters of {self.n} points in {self.m} dimensions, {self.dtype}>"

    @property
    def n(self) -> int:
        """How many points it has."""
        return int(self._model.size)

    @property
    def m(self) -> int:
        """How many columns these have."""
        return int(self._model.dim)

    @property
    def labels(self) -> NDArray[np.int64]:
        """Of each point its cluster; -1: noise."""
        labels: NDArray[np.int64] = self.predict(self.points).labels if self.found is None else self.found.labels
        return labels

    @property
    def n_clusters(self) -> int:
        """How many clusters they are in."""
        return int(self._model.clusters)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The precision of the points; queries have it, too."""
        return np.dtype(np.float32 if isinstance(self._model, _core.HdbscanModel32) else np.float64)

    @property
    def points(self) -> NDArray[Any]:
        """The points, as a new array."""
        data: NDArray[Any] = self._model.data()
        return data

    def predict(self, queries: ArrayLike) -> Prediction:
        """The cluster of each new point, as if it joined the tree that the clusters were cut from. The clusters stay as they are.

        A new point joins that point of the model which is nearest by mutual reachability: the largest of the distance and both core
        distances. Its own core distance is that to the m-th point of the model, m being min_samples. It is in the cluster of
        that point, or in one around it, if it comes near enough to the others only there.

        Parameters
        ----------
        queries : array_like, shape (M, D)
            In the precision of the model's points. With a box they fit into one period together with the points.

        Returns
        -------
        Prediction
            ``.labels``, ``.probabilities``, ``.outlier_scores``, ``.neighbours``, ``.distances``.

        Notes
        -----
        The points of the model themselves get their own labels and scores back. The hdbscan package's approximate_predict is the same
        but for its search, which isn't exact (docs/clustering.md).
        """
        return Prediction(*self._model.predict(as_array(queries, "queries", dtype=self.dtype)))

    def memberships(self, queries: ArrayLike | None = None) -> NDArray[np.float64]:
        """The probabilities of new points to be in each cluster, shape (M, n_clusters); without `queries` those of the model's points.

        What a row lacks to a sum of 1 is the probability of noise. From the distance to the nearest exemplar of each cluster, and
        from where a point leaves the tree: as the hdbscan package's membership_vector and all_points_membership_vectors.
        """
        asked = None if queries is None else as_array(queries, "queries", dtype=self.dtype)
        values: NDArray[np.float64] = self._model.memberships(asked)
        return values

    def exemplars(self) -> list[NDArray[np.int64]]:
        """Of each cluster the rows of its exemplars: the points that stay in it to the end, in all parts of it that never split."""
        rows: list[NDArray[np.int64]] = self._model.exemplars()
        return rows


def _kind(item_bytes: int) -> Any:
    return _core.HdbscanModel32 if item_bytes == 4 else _core.HdbscanModel64


def _of(compiled: Any, found: Clusters | None = None) -> HdbscanModel:
    model = HdbscanModel.__new__(HdbscanModel)
    model._model, model.found = compiled, found
    return model


def _unpickled(data: bytes, item_bytes: int, found: Clusters | None) -> HdbscanModel:
    return _of(_kind(item_bytes).from_bytes(data, as_threads(None), 0), found)
