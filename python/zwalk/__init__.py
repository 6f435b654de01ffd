"""zwalk: exact nearest neighbours, radius search, friends-of-friends, spanning trees, HDBSCAN*, DBSCAN, density peaks, pair
counts, and gravity. The same answer on any number of threads.

Estimators for scikit-learn are in zwalk.sklearn, imported when it is used; the rest needs NumPy only.
"""
import os as _os
from typing import Any as _Any

from . import _core
from ._batches import knn_in_batches
from ._config import show_config
from ._core import Error, InputError
from ._device import DeviceArray, release_gpu_memory
from ._groups import Catalogue, Dbscan, Groups, dbscan, fof, mean_spacing
from ._hierarchy import Clusters, SpanningTree, hdbscan, minimum_spanning_tree
from ._keep import keep_memory
from ._knn import Neighbours, OrderedNeighbours, density, knn, knn_reduce
from ._models import HdbscanModel, Prediction
from ._names import function_meant as _function_meant
from ._pairs import Gravity, PairCounts, gravity, pairs
from ._peaks import DensityPeaks, PeakClusters, density_peaks
from ._progress import progress
from ._radius import RadiusLists, radius, radius_count
from ._sizes import LeafClusters, PersistentSizes, persistent_sizes
from ._sphere import chord_to_degrees, degrees_to_chord, lonlat_to_unit, unit_to_lonlat
from ._tree import KDTree
from ._trees import CondensedTree, MinimumSpanningTree, SingleLinkageTree

__all__ = ["Catalogue", "Clusters", "CondensedTree", "Dbscan", "DensityPeaks", "DeviceArray", "Error", "Gravity",
           "Groups", "HdbscanModel", "InputError", "KDTree", "LeafClusters", "MinimumSpanningTree", "Neighbours", "OrderedNeighbours",
           "PairCounts", "PeakClusters", "PersistentSizes", "Prediction", "RadiusLists", "SingleLinkageTree", "SpanningTree", "chord_to_degrees", "dbscan",
           "degrees_to_chord", "density", "density_peaks", "fof", "gravity", "hdbscan", "keep_memory", "knn", "knn_in_batches",
           "knn_reduce", "lonlat_to_unit", "mean_spacing", "minimum_spanning_tree", "pairs", "persistent_sizes", "progress", "radius", "radius_count",
           "release_gpu_memory", "show_config", "unit_to_lonlat"]
__version__: str = _core.version


def __getattr__(name: str) -> _Any:
    """zwalk.sklearn, once it is used: scikit-learn takes long to import, and may not be there.
    For other names it says what was meant."""
    if name == "sklearn":
        import importlib

        return importlib.import_module("zwalk.sklearn")
    meant = "" if name.startswith("_") else _function_meant(name, __all__)
    raise AttributeError(f"module 'zwalk' has no attribute {name!r}{meant}")


if hasattr(_os, "register_at_fork"):  # children would have no threads else
    _os.register_at_fork(before=_core.end_threads)
