"""Arrays of other libraries, by what they have in common: DLPack and NumPy's protocols."""
import numpy as np
import pytest
import zwalk

x = np.random.default_rng(9).random((300, 3)).astype("f4")


class Foreign:
    """An array that only DLPack can read."""

    dtype = "float32 of another library"

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device, 0


class Frame:
    """An array that only __array__ can read, as a table of pandas."""

    def __array__(self, dtype=None, copy=None):
        return x if dtype is None else x.astype(dtype)


def test_host_arrays_come_in(monkeypatch):
    seen = []
    original = zwalk._core.knn
    monkeypatch.setattr(zwalk._core, "knn", lambda p, *rest: (seen.append(p.ctypes.data), original(p, *rest))[1])
    expected = zwalk.knn(x, k=4)
    for a in (Foreign(x), Frame()):
        found = zwalk.knn(a, k=4)
        assert found.distances.dtype == np.float32
        np.testing.assert_array_equal(found.indices, expected.indices)
    assert set(seen) == {x.ctypes.data}  # no copies


def test_device_arrays_are_refused_by_name():
    for kind in (4, 8, 10):  # OpenCL, Metal, ROCm; CUDA is in test_device.py
        with pytest.raises(NotImplementedError, match=f"queries is on a device .DLPack kind {kind}.* pass a copy"):
            zwalk.knn(x, Foreign(x, device=kind))


def test_results_go_out():
    d, i = zwalk.knn(x, k=4)
    assert np.from_dlpack(d).ctypes.data == d.ctypes.data
    assert memoryview(i).format == "l" and memoryview(d).shape == (300, 4)


class Unreadable(Foreign):
    """A tensor of a kind that NumPy hasn't, as bfloat16."""

    def __dlpack__(self, **options):
        raise RuntimeError("Unsupported dtype in DLTensor.")


class Nowhere(Unreadable):
    """A tensor without data."""

    def __dlpack_device__(self):
        raise ValueError("Unknown device type meta for Dlpack")


@pytest.mark.parametrize("kind", [Unreadable, Nowhere])
def test_what_dlpack_can_not_read_has_a_name(kind):
    for call, name in ((lambda a: zwalk.knn(a, k=1), "points"), (lambda a: zwalk.knn(x, a, k=1), "queries"),
                       (lambda a: zwalk.KDTree(x).query(a), "x"), (lambda a: zwalk.fof(a, 1.0), "points")):
        with pytest.raises(TypeError, match=fr"^{name} can't be read \(Unsupported dtype in DLTensor.\): pass float32 or float64"):
            call(kind(x))


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"x": x[:, 0], "y": x[:, 1], "kind": "star", "of": "him"})
    for call in (lambda t: zwalk.knn(t, k=1), lambda t: zwalk.KDTree(t), lambda t: zwalk.fof(t, 1.0)):
        with pytest.raises(TypeError, match=r"column 'kind', 'of' has text.*drop\(columns=\['kind', 'of'\]\)$"):
            call(table)
        with pytest.raises(TypeError, match=r"not Python objects; pass \w+\.to_numpy\(float\)$"):
            call(table[["x", "y"]].astype("Float64"))
    zwalk.knn(table.drop(columns=["kind", "of"]), k=1)
