"""Angles on a sphere, against the haversine formula."""
import numpy as np
import pytest

import zwalk

rng = np.random.default_rng(7)
LON = rng.uniform(-180, 360, 400)
LAT = np.degrees(np.arcsin(rng.uniform(-1, 1, 400)))
LON[:4], LAT[:4] = [0, 180, -180, 77], [90, -90, 0, 90]  # poles, and both sides of the date line


def haversine(lon, lat):
    lon, lat = np.radians(lon), np.radians(lat)
    s = (np.sin((lat[:, None] - lat) / 2) ** 2
         + np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2)
    return np.degrees(2 * np.arcsin(np.sqrt(np.minimum(s, 1))))


def test_neighbours_by_angle():
    angles = haversine(LON, LAT)
    near = zwalk.knn(zwalk.lonlat_to_unit(LON, LAT), k=6)
    np.testing.assert_allclose(zwalk.chord_to_degrees(near.distances), np.sort(angles, axis=1)[:, :6], atol=1e-6)
    counts = zwalk.radius_count(zwalk.lonlat_to_unit(LON, LAT), zwalk.degrees_to_chord(20.0))
    np.testing.assert_array_equal(counts, (angles <= 20).sum(1))


def test_there_and_back():
    lon, lat = zwalk.unit_to_lonlat(3 * zwalk.lonlat_to_unit(LON, LAT))
    np.testing.assert_allclose(lat, LAT, atol=1e-12)
    away = (lon - LON + 180) % 360 - 180
    assert np.abs(away[np.abs(LAT) < 90]).max() < 1e-11
    for degrees in (0.0, 1e-9, 5 / 3600, 90.0, 180.0):
        np.testing.assert_allclose(zwalk.chord_to_degrees(zwalk.degrees_to_chord(degrees)), degrees, rtol=1e-12)


def test_shapes():
    assert zwalk.lonlat_to_unit(0, 90).shape == (3,)
    assert zwalk.lonlat_to_unit(np.zeros((4, 1)), np.zeros(5)).shape == (4, 5, 3)
    assert zwalk.unit_to_lonlat([0.0, 0.0, 2.0])[1] == 90
    np.testing.assert_array_equal(zwalk.chord_to_degrees([0, 2, np.inf]), [0, 180, np.inf])


@pytest.mark.parametrize("call, message", [
    (lambda: zwalk.lonlat_to_unit([0, 1], [0, 91]), r"lat_degrees must be from -90 to 90, but \[1\] is 91.0"),
    (lambda: zwalk.lonlat_to_unit([[0, np.nan]], [0, 1]), r"lon_degrees must be finite, but \[0, 1\] is nan"),
    (lambda: zwalk.lonlat_to_unit(0, np.inf), "lat_degrees must be from -90 to 90, but it is inf"),
    (lambda: zwalk.unit_to_lonlat(np.zeros((5, 2))), r"three coordinates, but their shape is \(5, 2\)"),
    (lambda: zwalk.degrees_to_chord([10, 181]), "degrees must be from 0 to 180"),
    (lambda: zwalk.chord_to_degrees([0.5, 2.1]), "from 0 to 2"),
    (lambda: zwalk.chord_to_degrees(-1), "from 0 to 2"),
])
def test_refusals(call, message):
    with pytest.raises(zwalk.InputError, match=message):
        call()
