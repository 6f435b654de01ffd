"""Calls each algorithm of an installed zwalk, with nothing but NumPy around, and compares with brute force where that is a line."""
import importlib.util
import pathlib

import numpy as np
import zwalk

assert importlib.util.find_spec("scipy") is None, "this is to be tried where there is nothing else"
x = np.random.default_rng(0).random((500, 3))
d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))
r = 0.1

distances, indices = zwalk.knn(x, k=5)
assert np.allclose(distances, np.sort(d, axis=1)[:, :5])
assert zwalk.radius_count(x, r).sum() == (d <= r).sum() == len(zwalk.radius(x, r).indices)
assert (zwalk.KDTree(x).query(x[:3])[1] == np.arange(3)).all()
assert zwalk.density(x, k=8).shape == (500,)
reach = d <= r
while (reach != (wider := (reach.astype(int) @ reach) > 0)).any():
    reach = wider
groups = zwalk.fof(x, r)
assert (reach == (groups.labels[:, None] == groups.labels[None])).all() and groups.catalogue(min_members=1)["count"].sum() == 500
tree = zwalk.minimum_spanning_tree(x)
assert len(tree.edges) == 499 and np.isclose(tree.lengths.max(), min(
    cut for cut in np.unique(d) if zwalk.fof(x, cut).n_groups == 1))
assert len(zwalk.hdbscan(x, 10).labels) == len(zwalk.dbscan(x, r, 5).labels) == 500
model = zwalk.HdbscanModel(x, 10)
assert len(model.predict(x).labels) == 500
assert zwalk.persistent_sizes(tree).best >= 2
assert len(zwalk.density_peaks(x).clusters(3).labels) == 500
assert zwalk.pairs(x, np.array([0, r])).counts.sum() == (d <= r).sum() - 500
assert zwalk.gravity(x).accelerations.shape == (500, 3)
for columns in (n for n in (1, 2, 5, 12, 40, 64) if n <= zwalk._core.max_dim):  # exact ones and padded ones
    y = np.random.default_rng(columns).random((200, columns))
    exact = np.sort(np.sqrt(((y[:, None] - y[None]) ** 2).sum(-1)), axis=1)[:, :4]
    assert np.allclose(zwalk.knn(y, k=4).distances, exact)

gpu = zwalk.show_config("dicts")["GPU"]
try:
    on_gpu = zwalk.knn(x, k=5, device="cuda")
    assert (on_gpu.indices == indices).all() and (on_gpu.distances == distances).all()
except zwalk.InputError as error:  # which says what is missing: kernels in this build, or a GPU in this machine
    assert ("built without CUDA" if gpu.startswith("none") else "no CUDA device") in str(error), (gpu, error)

zwalk.show_config()
print("libraries:", *sorted(p.name for p in pathlib.Path(zwalk.__file__).parents[1].glob("zwalk*/*.so*")))
