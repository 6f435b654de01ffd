"""What zwalk.sklearn.HDBSCAN says of new points, and the functions that the hdbscan package has for it."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._estimators import checked
from ._hierarchy_objects import INFINITE, MISSING
from ._models import HdbscanModel, Prediction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Predictions:
    """A mixin of the estimator."""

    _model: HdbscanModel | None
    _even: NDArray[np.int64] | None  # rows of the model's points, where some weren't finite

    def generate_prediction_data(self: Any) -> None:
        """Make what predictions need. (The fitted points are those of `fit` as they are now: so don't change them in between.)"""
        check_is_fitted(self)
        if self._model is not None:
            return
        even = ~self._odd
        if even.all():
            self._even, self._model = None, HdbscanModel.of(self._points, self._clusters, **self._asked_for)
        else:  # the clusters of the others alone are the same
            self._even, self._model = np.flatnonzero(even), self._model_of(even)

    def _model_of(self: Any, rows: NDArray[np.bool_]) -> HdbscanModel:
        weights = None if self._weighed is None else self._weighed[0][rows]
        return HdbscanModel(self._points[rows], weights=weights, **self._asked_for)

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

    def _queries(self: Any, X: ArrayLike) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """These points in the precision of those that were fitted, and which of them are finite."""
        model = self._kept()
        x = checked(self, X, 0, reset=False, all_finite=False)
        asked: NDArray[Any] = x.astype(model.dtype, copy=False)
        if asked.dtype != x.dtype and ((asked != x) & np.isfinite(x)).any():
            raise TypeError("X is float64, but the fitted points are float32: rounding would be silent. Pass "
                            "X.astype(numpy.float32), or fit float64 points")
        return asked, np.isfinite(asked).all(axis=1)

    def _asked(self: Any, X: ArrayLike) -> Prediction:
        """What is predicted for these points; rows that aren't finite are labelled as in a fit."""
        x, even = self._queries(X)
        if even.all():
            found: Prediction = self._kept().predict(x)
            return found
        missing = np.isnan(x).any(axis=1)
        whole = Prediction(np.where(missing, MISSING, INFINITE), np.where(missing, np.nan, 0.0), np.ones(len(x)),
                           np.full(len(x), -1), np.full(len(x), np.inf, x.dtype))
        for values, found in zip(whole, self._kept().predict(x[even])):
            values[even] = found
        return whole

    def approximate_predict(self, X: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(labels, probabilities) of new points, as hdbscan.approximate_predict has them; but the search is exact.

        See zwalk.HdbscanModel.predict. `prediction_data=True` must have been passed, or `generate_prediction_data` been called.
        """
        found = self._asked(X)
        return found.labels, found.probabilities

    def _can_predict(self: Any) -> bool:
        if self.prediction_data or getattr(self, "_model", None) is not None:
            return True
        raise AttributeError("new points are predicted after a fit with prediction_data=True, or after generate_prediction_data()")

    @available_if(_can_predict)
    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """Labels of new points; -1: noise. Those of the points that were fitted are `labels_`.

        It is there after a fit with `prediction_data=True`, or after `generate_prediction_data()`.
        """
        return self._asked(X).labels

    def membership_vector(self, X: ArrayLike) -> NDArray[np.float64]:
        """Of new points the probabilities to be in each cluster, shape (n_queries, n_clusters), as hdbscan.membership_vector; 0 for rows
        that aren't finite."""
        x, even = self._queries(X)
        values = np.zeros((len(x), self._kept().n_clusters))
        values[even] = self._kept().memberships(x[even])
        return values

    def all_points_membership_vectors(self: Any) -> NDArray[np.float64]:
        """Those of the points that were fitted, as hdbscan.all_points_membership_vectors; 0 for rows with NaN or infinities."""
        values: NDArray[np.float64] = self._kept().memberships()
        if self._even is None:
            return values
        all_rows = np.zeros((len(self.labels_), values.shape[1]))
        all_rows[self._even] = values
        return all_rows


def _model_of(clusterer: Any) -> Predictions:
    if not isinstance(clusterer, Predictions):
        raise TypeError(f"clusterer must be a zwalk.sklearn.HDBSCAN, not {type(clusterer).__module__}.{type(clusterer).__name__}")
    return clusterer


def approximate_predict(clusterer: Predictions, points_to_predict: ArrayLike, return_connecting_points: bool = False) -> Any:
    """hdbscan.approximate_predict for an HDBSCAN of this module: (labels, probabilities), and if asked the rows of the points that
    the new ones join."""
    found = _model_of(clusterer)._asked(points_to_predict)
    _warn_without_clusters(clusterer)
    if not return_connecting_points:
        return found[:2]
    rows = found.neighbours if clusterer._even is None else np.where(found.neighbours < 0, -1, clusterer._even[found.neighbours])
    return found[:2] + (rows,)


def approximate_predict_scores(clusterer: Predictions, points_to_predict: ArrayLike) -> NDArray[np.float64]:
    """hdbscan.approximate_predict_scores for an HDBSCAN of this module: outlier scores of new points, from 0 to 1."""
    found = _model_of(clusterer)._asked(points_to_predict)
    _warn_without_clusters(clusterer)
    return found.outlier_scores


def membership_vector(clusterer: Predictions, points_to_predict: ArrayLike) -> NDArray[np.float64]:
    """hdbscan.membership_vector for an HDBSCAN of this module."""
    return _model_of(clusterer).membership_vector(points_to_predict)


def all_points_membership_vectors(clusterer: Predictions) -> NDArray[np.float64]:
    """hdbscan.all_points_membership_vectors for an HDBSCAN of this module."""
    return _model_of(clusterer).all_points_membership_vectors()


def _warn_without_clusters(clusterer: Predictions) -> None:
    if clusterer.prediction_data_.n_clusters == 0:
        warnings.warn("Clusterer does not have any defined clusters: new points are noise", UserWarning, 3)
