"""Points on a GPU: what is said of them is read and checked here without one; what is found there, where there is one."""
import pickle
import threading
import types

import numpy as np
import pytest
import zwalk
from zwalk import _core
from zwalk._device import DeviceArray, device_number, device_rows, is_on_gpu
from zwalk._place import Gpu, Process, one_device, place
from zwalk._points import as_array, both

X = np.random.default_rng(4).random((50, 3))


def interface(x, **changed):
    """An object as numba has them, over memory of the host, which nobody looks at."""
    says = {"shape": x.shape, "typestr": x.dtype.str, "data": (x.ctypes.data, False), "strides": None, "version": 3}
    return types.SimpleNamespace(__cuda_array_interface__=says | changed, kept=x)


class Exporter:
    """An object as CuPy, PyTorch and JAX have them, whose device is of this kind."""

    def __init__(self, x, kind=2):
        self.x, self.kind, self.streams = x, kind, []

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.x.__dlpack__()


def as_if_on_gpu(monkeypatch, kind=2, device=0):
    """dlpack_parts() takes capsules of the host for such of a GPU."""
    parts = _core.dlpack_parts
    monkeypatch.setattr(_core, "dlpack_parts", lambda c: (p := parts(c))[:1] + (kind, device) + p[3:])


def test_where_arrays_are():
    for x in (X, X.tolist(), [], None, "x", interface, Exporter(X, 1), Exporter(X, 3)):
        assert not is_on_gpu(x)
    for x in (interface(X), Exporter(X), Exporter(X, 13)):
        assert is_on_gpu(x)
    assert (as_array(Exporter(X, 1), "x") == X).all()


def test_interface():
    rows = device_rows(interface(X), "points")
    assert (rows.address, rows.shape, rows.strides, rows.dtype, rows.device) == (X.ctypes.data, (50, 3), (3, 1), "f8", None)
    assert len(rows) == 50 and rows.ndim == 2 and rows.owner.kept is X
    columns = np.asfortranarray(X.astype("f4"))
    rows = device_rows(interface(columns, strides=columns.strides, stream=1), "points")
    assert rows.strides == (1, 50) and rows.dtype == "f4" and isinstance(rows.native(), _core.DevicePoints32)
    assert isinstance(device_rows(interface(X), "points").native(), _core.DevicePoints64)
    assert len(device_rows(interface(np.empty((0, 3)), data=(0, False)), "points")) == 0


@pytest.mark.parametrize("changed, error, says", [
    ({"typestr": "<f2"}, TypeError, "^points is <f2 on a GPU"),
    ({"typestr": "<i8"}, TypeError, "convert it first"),
    ({"typestr": ">f8"}, TypeError, "convert it first"),
    ({"shape": (150,)}, zwalk.InputError, r"points\[:, None\]"),
    ({"shape": (5, 10, 3)}, zwalk.InputError, "must have 2 dimensions"),
    ({"strides": (-24, 8)}, zwalk.InputError, "negative strides"),
    ({"strides": (25, 8)}, zwalk.InputError, "no multiples"),
    ({"data": (0, False)}, zwalk.InputError, "address 0x0"),
    ({"data": (4, False)}, zwalk.InputError, "address 0x4, where no float64"),
    ({"mask": object()}, zwalk.InputError, "masked"),
    ({"stream": 2}, zwalk.InputError, "stream of its own"),
])
def test_interfaces_that_are_refused(changed, error, says):
    with pytest.raises(error, match=says):
        device_rows(interface(X, **changed), "points")


def test_dlpack(monkeypatch):
    with pytest.raises(zwalk.InputError, match="capsule is of device kind 1"):
        device_rows(Exporter(X), "points")
    as_if_on_gpu(monkeypatch, device=1)
    x = np.asfortranarray(X.astype("f4"))
    exporter = Exporter(x)
    rows = device_rows(exporter, "points")
    assert (rows.address, rows.shape, rows.strides, rows.dtype, rows.device) == (x.ctypes.data, (50, 3), (1, 50), "f4", 1)
    assert exporter.streams == [1]  # pending work on x is waited for in the stream that zwalk works in
    for wrong, error, says in ((np.zeros((3, 3), np.int64), TypeError, "DLPack type 0"), (X[0], ValueError, "dimension|N, D"),
                               (X.astype("f2"), TypeError, "<f2"), (X[::-1], ValueError, "negative strides")):
        with pytest.raises(error, match=says):
            device_rows(Exporter(wrong), "points")


def test_names_of_devices():
    assert [device_number(d) for d in (None, "cpu", "cuda", "cuda:0", "cuda:12")] == [None, -1, 0, 0, 12]
    for wrong in ("gpu", "cuda:", "cuda:x", "CUDA", "", "cuda:-1", "cuda:0 "):
        with pytest.raises(zwalk.InputError, match="'cpu', 'cuda', 'cuda:1'"):
            zwalk.knn(X, device=wrong)
    with pytest.raises(TypeError, match="not int"):
        zwalk.fof(X, 0.1, device=0)


def test_mixed(monkeypatch):
    as_if_on_gpu(monkeypatch)
    with pytest.raises(zwalk.InputError, match="both on the host or both on a GPU"):
        both(X, interface(X))
    with pytest.raises(zwalk.InputError, match="points are float64 and queries float32: convert"):
        both(interface(X), interface(X.astype("f4")))
    assert one_device(None, []) == 0 and one_device(2, []) == 2 and one_device(0, []) == 0
    here, there = device_rows(interface(X), "points"), device_rows(Exporter(X), "points")
    there.device = 3
    assert one_device(None, [here]) == 0 and one_device(None, [here, there]) == one_device(3, [there]) == 3
    with pytest.raises(zwalk.InputError, match="one GPU, not on cuda:1 and cuda:3"):
        one_device(1, [there])


def test_places():
    assert type(place(None, None, None, X, None)) is type(place(None, None, "cpu", X)) is Process
    with pytest.raises(zwalk.InputError, match="device='cpu', but points are on a GPU"):
        place(None, None, "cpu", X, interface(X))


FUNCTIONS = {
    "knn": lambda x, **o: zwalk.knn(x, k=3, **o), "radius": lambda x, **o: zwalk.radius(x, 0.2, **o),
    "radius_count": lambda x, **o: zwalk.radius_count(x, 0.2, **o), "fof": lambda x, **o: zwalk.fof(x, 0.1, **o),
    "emst": lambda x, **o: zwalk.minimum_spanning_tree(x, **o),
    "pairs": lambda x, **o: zwalk.pairs(x, [0, 0.1, 0.2], **o),
    "gravity": lambda x, **o: zwalk.gravity(x, np.ones(50), **o),
    "dbscan": lambda x, **o: zwalk.dbscan(x, 0.1, **o), "hdbscan": lambda x, **o: zwalk.hdbscan(x, **o),
    "peaks": lambda x, **o: zwalk.density_peaks(x, 4, **o),
}


@pytest.mark.skipif(_core.built_with_cuda(), reason="this build has CUDA")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_builds_without_cuda_refuse(name):
    with pytest.raises(zwalk.InputError, match="built without CUDA; leave out device"):
        FUNCTIONS[name](X, device="cuda")
    if name not in ("dbscan", "hdbscan", "peaks"):
        with pytest.raises(zwalk.InputError, match="built without CUDA; points are on a GPU: pass a copy"):
            FUNCTIONS[name](interface(X))


@pytest.mark.skipif(_core.cuda_devices() > 0, reason="there is a GPU")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_library_is_asked(monkeypatch, name):
    """Arguments fit the functions of the module, which refuse because there is no GPU."""
    monkeypatch.setattr(_core, "built_with_cuda", lambda: True)
    for x in (X, X.astype("f4")):
        with pytest.raises(zwalk.InputError, match="CUDA"):
            FUNCTIONS[name](x, device="cuda:0")
        if name not in ("dbscan", "hdbscan", "peaks"):
            with pytest.raises(zwalk.InputError, match="CUDA"):
                FUNCTIONS[name](interface(x))


@pytest.mark.skipif(_core.cuda_devices() > 0, reason="there is a GPU")
def test_memory_of_what_is_not_there_cant_be_released():
    for device in ("cuda", "cuda:1"):
        with pytest.raises(zwalk.InputError, match="CUDA"):
            zwalk.release_gpu_memory(device)
    with pytest.raises(zwalk.InputError, match="but is 'cpu'"):
        zwalk.release_gpu_memory("cpu")


@pytest.mark.parametrize("call", [
    lambda x: zwalk.dbscan(x, 0.1), zwalk.hdbscan, zwalk.KDTree, zwalk.density, zwalk.mean_spacing,
    lambda x: zwalk.gravity(X, x),
])
def test_what_works_on_the_host_only(call):
    for x in (interface(X), Exporter(X)):
        with pytest.raises(NotImplementedError, match="on a device .*works in host memory: pass a copy there"):
            call(x)


def test_exports_by_dlpack():
    a = DeviceArray(_core.OnDevice(4096, [50, 3], 1))
    assert (a.shape, a.dtype, a.device) == ((50, 3), "f4", 1)
    for options in ({}, {"stream": 7}, {"stream": None, "max_version": (1, 0), "copy": None}):
        address, kind, device, shape, strides, code, bits, _ = _core.dlpack_parts(a.__dlpack__(**options))
        assert (address, kind, device, shape, strides, code, bits) == (4096, 2, 1, [50, 3], [3, 1], 2, 32)
    rows = device_rows(a, "points")  # results are points, too
    assert (rows.address, rows.shape, rows.device) == (4096, (50, 3), 1)


class Held:
    """What the module hands over of a result on a GPU."""

    address, shape, type, device = 4096, [50, 3], "<f4", 1


def test_results_on_a_gpu(monkeypatch):
    monkeypatch.setattr(_core, "built_with_cuda", lambda: True)
    monkeypatch.setattr(_core, "OnDevice", Held)
    monkeypatch.setattr(_core, "knn", lambda *arguments: (asked := arguments) and (Held(), Held(), None, None))
    found = zwalk.knn(interface(X), k=3)
    a = found.distances
    assert isinstance(a, DeviceArray) and (a.shape, a.dtype, a.ndim, len(a)) == ((50, 3), "f4", 2, 50)
    assert a.__cuda_array_interface__ == {"shape": (50, 3), "typestr": "<f4", "data": (4096, False), "strides": None,
                                          "version": 3, "stream": None}
    assert a.__dlpack_device__() == (2, 1) and is_on_gpu(a) and "cuda:1" in repr(a)
    assert device_rows(types.SimpleNamespace(__cuda_array_interface__=a.__cuda_array_interface__), "x").address == 4096
    with pytest.raises(TypeError, match="on a GPU: use torch.from_dlpack"):
        np.asarray(a)
    with pytest.raises(zwalk.InputError, match="out is for results on the host"):
        zwalk.knn(interface(X), k=3, out=(np.empty((50, 3)), np.empty((50, 3), np.int64)))
    with pytest.raises(zwalk.InputError, match="out is for results on the host"):
        zwalk.fof(interface(X), 0.1, out=np.empty(50, np.int64))
    with pytest.raises(zwalk.InputError, match="out is for results on the host"):
        zwalk.gravity(interface(X), out=(np.empty((50, 3), "f4"), np.empty(50, "f4")))
    with pytest.raises(zwalk.InputError, match="indices is for points on the host"):
        zwalk.radius(interface(X), 0.1, indices="u4")

    monkeypatch.setattr(_core, "fof", lambda *arguments: (Held(), 7, None))
    groups = zwalk.fof(interface(X), 0.1)
    assert isinstance(groups.labels, DeviceArray) and groups.n_groups == 7
    for call in (groups.consecutive, groups.catalogue):
        with pytest.raises(zwalk.InputError, match="with device='cuda'"):
            call()
    monkeypatch.setattr(_core, "emst", lambda *arguments: (Held(), Held(), None, None))
    tree = zwalk.minimum_spanning_tree(interface(X))
    assert "50 points" in repr(tree)
    with pytest.raises(zwalk.InputError, match="with device='cuda'"):
        tree.clusters()


@pytest.mark.skipif(not _core.cuda_devices(), reason="no GPU")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_on_a_gpu(dtype):
    """Points of the host, and results there: the bits of the CPU."""
    x = np.random.default_rng(6).random((20_000, 3)).astype(dtype)
    for name in ("knn", "radius"):
        for a, b in zip(FUNCTIONS[name](x, device="cuda", box=1), FUNCTIONS[name](x, box=1)):
            np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(FUNCTIONS["radius_count"](x, device="cuda"), FUNCTIONS["radius_count"](x))
    for name, parts in (("fof", ["labels"]), ("emst", ["edges", "lengths"]), ("pairs", ["counts"]),
                        ("dbscan", ["labels", "core"]), ("hdbscan", ["labels", "probabilities"]),
                        ("peaks", ["radius", "delta", "nearest_denser"])):
        a, b = FUNCTIONS[name](x, device="cuda"), FUNCTIONS[name](x)
        for part in parts:
            np.testing.assert_array_equal(getattr(a, part), getattr(b, part))
    for a, b in zip(zwalk.gravity(x, device="cuda"), zwalk.gravity(x)):  # sums in another order
        np.testing.assert_allclose(np.median(abs(a - b)) / np.median(abs(b)), 0, atol=1e-5)
    a, b = zwalk.fof(x, 0.02, device="cuda").catalogue(2), zwalk.fof(x, 0.02).catalogue(2)
    np.testing.assert_array_equal(a.table, b.table)
    np.testing.assert_array_equal(a.members(0), b.members(0))


@pytest.mark.skipif(not _core.cuda_devices(), reason="no GPU")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("weighted", [False, True])
def test_models_on_a_gpu(dtype, weighted, tmp_path):
    rng = np.random.default_rng(8)
    x, queries = ((rng.normal(size=(n, 3)) * 0.1 + rng.integers(0, 2, (n, 1))).astype(dtype) for n in (300, 100))
    weights = rng.integers(1, 4, len(x)) / 2 if weighted else None
    here = zwalk.HdbscanModel(x, 5, weights=weights)
    there = zwalk.HdbscanModel(x, 5, weights=weights, device="cuda")
    there.save(tmp_path / "m.zwm")
    for model in (there, zwalk.HdbscanModel.load(tmp_path / "m.zwm", device="cuda:0"), pickle.loads(pickle.dumps(there)),
                  zwalk.HdbscanModel.of(x, here.found, 5, device="cuda")):
        for a, b in zip(model.predict(queries), here.predict(queries)):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(model.memberships(queries), here.memberships(queries))
        np.testing.assert_array_equal(model.memberships(), here.memberships())
        np.testing.assert_array_equal(model.points, x)
        np.testing.assert_array_equal(model.labels, here.labels)
        assert model.dtype == x.dtype


@pytest.mark.skipif(_core.cuda_devices() > 0, reason="there is a GPU")
def test_models_without_a_gpu(tmp_path):
    zwalk.HdbscanModel(np.eye(9), 2).save(tmp_path / "m.zwm")
    for call in (lambda: zwalk.HdbscanModel(np.eye(9), 2, device="cuda"),
                 lambda: zwalk.HdbscanModel.of(np.eye(9), zwalk.hdbscan(np.eye(9), 2), 2, device="cuda"),
                 lambda: zwalk.HdbscanModel.load(tmp_path / "m.zwm", device="cuda")):
        with pytest.raises(zwalk.InputError, match="CUDA"):
            call()


@pytest.mark.parametrize("ask", [
    lambda model: model.predict(X), lambda model: model.memberships(X), lambda model: model.exemplars(), lambda model: model.points,
    lambda model: model.save("none.zwm"), pickle.dumps])
def test_models_on_a_gpu_do_not_wait_for_themselves(ask, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    model = zwalk.HdbscanModel(X, 2)
    many = np.repeat(X, 1000, axis=0)
    expected = model.predict(many)
    model._device = 0  # it is asked as if it were there
    with pytest.raises(zwalk.InputError, match="is at work in this thread"), zwalk.progress(lambda step, part: ask(model)):
        model.predict(many)
    found = []
    threads = [threading.Thread(target=lambda: found.append(model.predict(many))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 3 and all(np.array_equal(a, b) for each in found for a, b in zip(each, expected))


def test_pickles_of_models_on_another_gpu():
    model = zwalk.HdbscanModel(X, 2)
    model._device = 99  # as if it were there
    with pytest.raises(zwalk.InputError, match=r"pickled on cuda:99, which isn't here: save\(\) it there, and use HdbscanModel\.load"):
        pickle.loads(pickle.dumps(model))


@pytest.mark.skipif(not _core.cuda_devices(), reason="no GPU")
@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_arrays_of_other_libraries_on_a_gpu(library):
    there = pytest.importorskip(library)
    x = np.random.default_rng(6).random((20_000, 3), dtype="f4")
    on_gpu = there.asarray(x) if library == "cupy" else there.from_numpy(x).cuda()
    for rows in (on_gpu, on_gpu.T.copy().T if library == "cupy" else on_gpu.T.contiguous().T):
        found, expected = zwalk.knn(rows, k=5), zwalk.knn(x, k=5)
        for a, b in zip(found, expected):
            back = there.from_dlpack(a)
            np.testing.assert_array_equal(back.get() if library == "cupy" else back.cpu().numpy(), b)
    del found, a  # memory stays while the other library has it
    np.testing.assert_array_equal(back.get() if library == "cupy" else back.cpu().numpy(), expected.indices)
