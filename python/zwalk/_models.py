"""HDBSCAN* models: where new points belong among clusters that were found before."""
from __future__ import annotations

import contextlib
import os
from _thread import allocate_lock, get_ident
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._device import device_rows, is_on_gpu
from ._hierarchy import Clusters, hdbscan, periods, selected, selection, weighed
from ._place import THREADS, Gpu, Process, one_device, place
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
    device : str, optional
        'cuda', 'cuda:1', ...: the clusters' tree is found on that GPU, and the model is there: `predict` searches on it. Labels, scores
        and memberships are then made by all threads of the host, whatever `threads` is.

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
    It can be pickled, and saved in the file that `zwalk hdbscan --save-model` and C++ write. A pickle of a model on a GPU needs that
    GPU, a file doesn't. Threads may ask one model at once; on a GPU they wait for each other.

    Examples
    --------
    >>> import zwalk
    >>> model = zwalk.HdbscanModel([[0.], [1.], [2.5], [20.], [21.5], [22.5]], 3, min_samples=1)
    >>> model.predict([[1.5], [22.], [1000.]]).labels
    array([ 0,  1, -1])
    """

    found: Clusters | None
    _device: int | None = None  # the GPU that has it

    def __init__(self, points: ArrayLike, min_cluster_size: int = 5, *, min_samples: int | None = None, method: str = "eom",
                 epsilon: float = 0.0, max_cluster_size: int | None = None, allow_single_cluster: bool = False,
                 epsilon_max: float = np.inf, persistence: float = 0.0, weights: ArrayLike | None = None,
                 box: Box = None, threads: int | None = None, device: str | None = None) -> None:
        p = as_array(points, "points")
        asked: dict[str, Any] = {"min_samples": min_samples, "method": method, "epsilon": epsilon,
                                 "max_cluster_size": max_cluster_size, "allow_single_cluster": allow_single_cluster,
                                 "epsilon_max": epsilon_max, "persistence": persistence, "box": box, "threads": threads}
        self._keep(p, hdbscan(p, min_cluster_size, weights=weights, device=device, **asked), min_cluster_size, asked)
        self._bring(device)

    @classmethod
    def of(cls, points: ArrayLike, found: Clusters, min_cluster_size: int | None = None, *, device: str | None = None,
           threads: int | None = None, **asked: Any) -> HdbscanModel:
        """The model of clusters that `hdbscan` has found of these points, without looking for them again.

        Options are those that it was called with, and weights those in `found`: other ones, and other points (where all were in one
        process), are refused. Clusters of a tree that you have put together don't know these: there they must be passed. With
        ``device='cuda'`` it is on that GPU.
        """
        p = as_array(points, "points")
        if asked.pop("weights", None) is not None:
            raise _core.InputError("weights are those that hdbscan() was called with, and come with found: leave them out")
        if not isinstance(found, Clusters):
            raise TypeError(f"found must be what zwalk.hdbscan() returns, not {type(found).__name__}")
        if found.linkage is None:
            raise _core.InputError("this is one rank's part of the clusters: a model is made in one process, of all points")
        if found.core_distances is not None and found.core_distances.dtype != p.dtype:
            raise _core.InputError(f"points are {p.dtype}, but the clusters were found of {found.core_distances.dtype}")
        if min_cluster_size is not None:
            asked["min_cluster_size"] = min_cluster_size
        origin = found._origin
        if origin is not None:
            origin.check(p, _taken(asked, p.shape[1], origin.asked["min_cluster_size"]))
            asked = origin.asked | {"box": origin.asked["box"] or None}
        elif not {"min_cluster_size", "min_samples"} <= set(asked):
            raise _core.InputError("these clusters don't know what they were found with: pass min_cluster_size, min_samples, and what "
                                   "else hdbscan() was called with")
        model = cls.__new__(cls)
        model._keep(p, found, asked.pop("min_cluster_size"), asked | {"threads": threads})
        if model.n_clusters != len(found.persistence):
            raise _core.InputError(f"these options give {model.n_clusters} clusters, but {len(found.persistence)} were found: pass those "
                                   "that hdbscan() was called with")
        model._bring(device)
        return model

    def _keep(self, points: NDArray[Any], found: Clusters, min_cluster_size: int, asked: dict[str, Any]) -> None:
        self.found = found
        least = asked.get("min_samples")
        select = selection(**{name: value for name, value in asked.items() if name not in ("min_samples", "box", "threads")})
        self._model = Process(asked.get("threads")).call(
            "hdbscan_model", points, as_box(asked.get("box"), points.shape[1]), found.linkage, found.core_distances,
            as_count(min_cluster_size, "min_cluster_size", 2), 0 if least is None else as_count(least, "min_samples"), select,
            weighed(found))

    def _bring(self, device: str | None) -> None:
        """To the GPU that is asked for, if one is."""
        where = place(None, None, device)
        if where.number == THREADS:
            return
        if not isinstance(where, Gpu) or _core.cuda_devices() == 0:
            raise _core.InputError("there is no CUDA device: leave out device='cuda'")
        self._model = _kind_there(self.dtype.itemsize).from_bytes(self._model.to_bytes(), where.here())
        self._device = where.number

    def save(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Write the model into a file, whole or not at all: points, core distances and clusters, without `found`."""
        with self._alone():
            self._model.save(as_path(path))

    @classmethod
    def load(cls, path: str | bytes | os.PathLike[Any], *, threads: int | None = None, device: str | None = None) -> HdbscanModel:
        """The model in a file that `save`, `zwalk hdbscan --save-model` or C++ has written, without sorting again."""
        path, limits = as_path(path), (as_threads(threads), 0)
        open(path, "rb").close()  # FileNotFoundError and its like
        model = _of(_kind(_core.model_item_bytes(path)).load(path, *limits))
        model._bring(device)
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        with self._alone():
            return _unpickled, (self._model.to_bytes(), self.dtype.itemsize, self.found, self._device)

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
        return np.dtype(np.float32 if isinstance(self._model, (_core.HdbscanModel32, _core.CudaHdbscanModel32)) else np.float64)

    @property
    def points(self) -> NDArray[Any]:
        """The points, as a new array."""
        with self._alone():
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
            In the precision of the model's points. With a box they fit into one period together with the points. For a model on a
            GPU they may be there.

        Returns
        -------
        Prediction
            ``.labels``, ``.probabilities``, ``.outlier_scores``, ``.neighbours``, ``.distances``.

        Notes
        -----
        The points of the model themselves get their own labels and scores back. The hdbscan package's approximate_predict is the same
        but for its search, which isn't exact (docs/clustering.md).
        """
        is_there = self._device is not None and is_on_gpu(queries)
        asked = self._rows_there(queries) if is_there else as_array(queries, "queries", dtype=self.dtype)
        with self._alone():
            return Prediction(*self._model.predict(asked))

    def _rows_there(self, queries: Any) -> Any:
        rows = device_rows(queries, "queries")
        if rows.dtype != self.dtype:
            raise _core.InputError(f"queries are {rows.dtype}, but the model's points {self.dtype}: convert them on the GPU")
        one_device(self._device, [rows])
        return rows.native()

    def memberships(self, queries: ArrayLike | None = None) -> NDArray[np.float64]:
        """The probabilities of new points to be in each cluster, shape (M, n_clusters); without `queries` those of the model's points.

        What a row lacks to a sum of 1 is the probability of noise. From the distance to the nearest exemplar of each cluster, and
        from where a point leaves the tree: as the hdbscan package's membership_vector and all_points_membership_vectors.
        """
        asked = None if queries is None else as_array(queries, "queries", dtype=self.dtype)
        with self._alone():
            values: NDArray[np.float64] = self._model.memberships(asked)
        return values

    def exemplars(self) -> list[NDArray[np.int64]]:
        """Of each cluster the rows of its exemplars: the points that stay in it to the end, in all parts of it that never split."""
        with self._alone():
            rows: list[NDArray[np.int64]] = self._model.exemplars()
        return rows

    def _alone(self) -> contextlib.AbstractContextManager[None]:
        """While the compiled model is asked."""
        return contextlib.nullcontext() if self._device is None else _one_at_a_time()


_OPTIONS = ("min_cluster_size", "min_samples", "method", "epsilon", "max_cluster_size", "allow_single_cluster", "epsilon_max",
            "persistence", "box")


def _taken(asked: dict[str, Any], dim: int, min_cluster_size: int) -> dict[str, Any]:
    """These options of `hdbscan` as it takes them."""
    for name in asked:
        if name not in _OPTIONS:
            raise TypeError(f"HdbscanModel.of() has no argument {name!r}; it takes {', '.join(_OPTIONS)}, threads and device")
    of_selection = {name: value for name, value in asked.items() if name not in ("min_cluster_size", "min_samples", "box")}
    all_selected = selected(selection(**of_selection))
    taken = {name: all_selected[name] for name in of_selection}
    if "min_cluster_size" in asked:
        taken["min_cluster_size"] = as_count(asked["min_cluster_size"], "min_cluster_size", 2)
    if "min_samples" in asked:
        least = asked["min_samples"]
        taken["min_samples"] = min_cluster_size if least is None else as_count(least, "min_samples")
    if "box" in asked:
        taken["box"] = periods(as_box(asked["box"], dim), dim)
    return taken


_ON_GPUS = allocate_lock()  # (threading takes long to import)
_asking: int | None = None  # the thread that has it


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Lets one thread at a time ask models on GPUs, and refuses it within its own question, where it would wait for itself."""
    global _asking
    if _asking == get_ident():
        raise _core.InputError("a model on a GPU is at work in this thread: what shows its progress can't ask models there")
    with _ON_GPUS:
        try:
            _asking = get_ident()
            yield
        finally:
            _asking = None


def _kind_there(item_bytes: int) -> Any:
    return _core.CudaHdbscanModel32 if item_bytes == 4 else _core.CudaHdbscanModel64


def _kind(item_bytes: int) -> Any:
    return _core.HdbscanModel32 if item_bytes == 4 else _core.HdbscanModel64


def _of(compiled: Any, found: Clusters | None = None) -> HdbscanModel:
    model = HdbscanModel.__new__(HdbscanModel)
    model._model, model.found = compiled, found
    return model


def _unpickled(data: bytes, item_bytes: int, found: Clusters | None, device: int | None = None) -> HdbscanModel:
    if device is not None and device >= _core.cuda_devices():
        raise _core.InputError(f"the model was pickled on cuda:{device}, which isn't here: save() it there, and use "
                               "HdbscanModel.load(path) here, with device= for another GPU")
    model = _of(_kind(item_bytes).from_bytes(data, as_threads(None), 0), found)
    model._bring(None if device is None else f"cuda:{device}")
    return model
