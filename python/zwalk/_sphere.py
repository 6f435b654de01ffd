"""Places on a sphere as points of three dimensions, whose distances are chords: the nearest by angle are the nearest by chord."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def lonlat_to_unit(lon_degrees: ArrayLike, lat_degrees: ArrayLike) -> NDArray[np.float64]:
    """Unit vectors of longitudes and latitudes, or of right ascensions and declinations.

    Parameters
    ----------
    lon_degrees, lat_degrees : array_like, shapes that broadcast
        Degrees; latitudes from -90 to 90. (Of radians: numpy.degrees.)

    Returns
    -------
    numpy.ndarray, shape (..., 3)
        float64: two places 1 cm apart on Earth differ in the ninth digit.

    Raises
    ------
    InputError
        A latitude beyond a pole, or an angle that isn't finite.

    Examples
    --------
    >>> import zwalk
    >>> cities = zwalk.lonlat_to_unit([13.4, 2.35, -0.13], [52.5, 48.86, 51.5])
    >>> near = zwalk.knn(cities, k=1, exclude_self=True)
    >>> near.indices[:, 0]
    array([1, 2, 1])
    >>> zwalk.chord_to_degrees(near.distances[:, 0]).round(1)
    array([7.9, 3.1, 3.1])
    """
    lon, lat = np.broadcast_arrays(np.asarray(lon_degrees, np.float64), np.asarray(lat_degrees, np.float64))
    for name, angles, wrong in (("lon_degrees", lon, ~np.isfinite(lon)), ("lat_degrees", lat, ~(np.abs(lat) <= 90))):
        if wrong.any():
            at = tuple(np.argwhere(wrong)[0].tolist())
            limits = "finite" if name == "lon_degrees" else "from -90 to 90"
            raise _core.InputError(f"{name} must be {limits}, but {list(at) if at else 'it'} is {angles[at]}")
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def unit_to_lonlat(points: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Longitudes (-180 to 180) and latitudes of vectors of any length, such as the mean of a group; in degrees.

    Parameters
    ----------
    points : array_like, shape (..., 3)

    Returns
    -------
    lon_degrees, lat_degrees : numpy.ndarray, shape (...)

    Raises
    ------
    InputError
        The last axis isn't three long.
    """
    p = np.asarray(points, np.float64)
    if p.ndim == 0 or p.shape[-1] != 3:
        raise _core.InputError(f"points must have three coordinates, but their shape is {p.shape}")
    x, y, z = np.moveaxis(p, -1, 0)
    return np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))


def degrees_to_chord(degrees: ArrayLike) -> Any:
    """The distance of two unit vectors with this angle between them, 0 to 180 degrees: 2 sin(a / 2).

    Parameters
    ----------
    degrees : array_like

    Returns
    -------
    numpy.float64 or numpy.ndarray

    Raises
    ------
    InputError
        An angle that isn't from 0 to 180.
    """
    a = np.asarray(degrees, np.float64)
    _check((a >= 0) & (a <= 180), "degrees must be from 0 to 180")
    return 2 * np.sin(np.radians(a) / 2)


def chord_to_degrees(chord: ArrayLike) -> Any:
    """The angle between two unit vectors at this distance, in degrees; infinite distances (no neighbour) stay so.

    Parameters
    ----------
    chord : array_like
        As results have them, of unit vectors: at most 2, but for rounding.

    Returns
    -------
    numpy.float64 or numpy.ndarray

    Raises
    ------
    InputError
        A distance below 0 or above 2: the points are no unit vectors.
    """
    d = np.asarray(chord, np.float64)
    _check((d >= 0) & ((d <= 2 + 1e-6) | np.isinf(d)), "distances of unit vectors must be from 0 to 2")
    return np.where(np.isinf(d), np.inf, np.degrees(2 * np.arcsin(np.minimum(d, 2) / 2)))[()]


def _check(fine: Any, sentence: str) -> None:
    if not np.all(fine):
        raise _core.InputError(sentence)
