"""What zwalk.sklearn.HDBSCAN says of new points, and the functions that the hdbscan package has for it."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._estimators import checked
from ._models import HdbscanModel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._models import Prediction


class Predictions:
    """A mixin of the estimator."""

    _model: HdbscanModel | None
    _even: NDArray[np.int64] | None  # rows of the model's points, where some weren't finite

    def generate_prediction_data(self: Any) -> None:
        """Make what predictions need. (The fitted points are those of `fit` as they are now: so don't change them in between.)"""
        check_is_fitted(self)
        if self._model is not None:
            return
        if self._asked_for is None:
            raise _core.InputError("new points can't be predicted where cluster_selection_persistence or "
                                   "cluster_selection_epsilon_max choose the clusters: leave them out")
        even = np.isfinite(self._points).all(axis=1)
        if even.all():
            self._even, self._model = None, HdbscanModel.of(self._points, self._clusters, **self._asked_for)
        else:  # the clusters of the others alone are the same
            self._even, self._model = np.flatnonzero(even), HdbscanModel(self._points[even], **self._asked_for)

    @property
    def prediction_data_(self) -> HdbscanModel:
        """The model that predictions ask."""
        check_is_fitted(self)
        if self._model is None:
            raise AttributeError("there is no prediction data: pass prediction_data=True, or call generate_prediction_data()")
        return self._model

    def _kept(self) -> HdbscanModel:
        check_is_fitted(self)
        if self._model is None:
            raise _core.InputError("new points can't be predicted yet: fit with prediction_data=True, or call "
                                   "generate_prediction_data()")
        return self._model

    def _asked(self: Any, X: ArrayLike, ask: Callable[[HdbscanModel, Any], Any] = HdbscanModel.predict) -> Any:
        """What is predicted for these points, in the precision of those that were fitted."""
        model = self._kept()
        x = checked(self, X, 0, reset=False)
        asked = x.astype(model.dtype, copy=False)
        if asked.dtype != x.dtype and (asked != x).any():
            raise TypeError("X is float64, but the fitted points are float32: rounding would be silent. Pass "
                            "X.astype(numpy.float32), or fit float64 points")
        return ask(model, asked)

    def approximate_predict(self, X: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(labels, probabilities) of new points, as hdbscan.approximate_predict has them; but the search is exact.

        See zwalk.HdbscanModel.predict. `prediction_data=True` must have been passed, or `generate_prediction_data` been called.
        """
        found: Prediction = self._asked(X)
        return found.labels, found.probabilities

    def _can_predict(self: Any) -> bool:
        return self.prediction_data or getattr(self, "_model", None) is not None

    @available_if(_can_predict)
    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Labels of new points; -1: noise. Those of the points that were fitted are `labels_`."""
        found: Prediction = self._asked(X)
        return found.labels

    def membership_vector(self, X: ArrayLike) -> NDArray[np.float64]:
        """Of new points the probabilities to be in each cluster, shape (n_queries, n_clusters), as hdbscan.membership_vector."""
        values: NDArray[np.float64] = self._asked(X, HdbscanModel.memberships)
        return values

    def all_points_membership_vectors(self: Any) -> NDArray[np.float64]:
        """Those of the points that were fitted, as hdbscan.all_points_membership_vectors; 0 for rows with NaN or infinities."""
        values = self._kept().memberships()
        if self._even is None:
            return values
        all_rows = np.zeros((len(self.labels_), values.shape[1]))
        all_rows[self._even] = values
        return all_rows


def approximate_predict(clusterer: Predictions, points_to_predict: ArrayLike, return_connecting_points: bool = False) -> Any:
    """hdbscan.approximate_predict for an HDBSCAN of this module: (labels, probabilities), and if asked the rows of the points that
    the new ones join."""
    found = clusterer._asked(points_to_predict)
    _warn_without_clusters(clusterer)
    if not return_connecting_points:
        return found[:2]
    rows = found.neighbours if clusterer._even is None else np.where(found.neighbours < 0, -1, clusterer._even[found.neighbours])
    return found[:2] + (rows,)


def approximate_predict_scores(clusterer: Predictions, points_to_predict: ArrayLike) -> NDArray[np.float64]:
    """hdbscan.approximate_predict_scores for an HDBSCAN of this module: outlier scores of new points, from 0 to 1."""
    found: Prediction = clusterer._asked(points_to_predict)
    _warn_without_clusters(clusterer)
    return found.outlier_scores


def membership_vector(clusterer: Predictions, points_to_predict: ArrayLike) -> NDArray[np.float64]:
    """hdbscan.membership_vector for an HDBSCAN of this module."""
    return clusterer.membership_vector(points_to_predict)


def all_points_membership_vectors(clusterer: Predictions) -> NDArray[np.float64]:
    """hdbscan.all_points_membership_vectors for an HDBSCAN of this module."""
    return clusterer.all_points_membership_vectors()


def _warn_without_clusters(clusterer: Predictions) -> None:
    if clusterer.prediction_data_.n_clusters == 0:
        warnings.warn("Clusterer does not have any defined clusters: new points are noise", UserWarning, 3)
