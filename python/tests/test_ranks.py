"""On MPI ranks: what each finds for its rows is what one process finds, bit for bit."""
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import zwalk
from zwalk import _core

ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
                            "OMPI_MCA_pml": "ob1"}  # as tests/apps/ranks.py has it

START = """
import numpy as np, sys, zwalk
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
cuts = [0, 0, 700, 3000] if size == 3 else [3000 * r // size for r in range(size + 1)]  # the first of three has nothing
mine = slice(cuts[rank], cuts[rank + 1])

def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape and (a == b).all(), (rank, a, b)

def refused(kind, says, call):
    try:
        call()
    except kind as e:
        assert says in str(e), (rank, str(e))
    else:
        raise AssertionError(f"rank {rank}: not refused")

rng = np.random.default_rng(5)
x = rng.random((3000, 3)).astype(sys.argv[1])
q = rng.random((1000, 3)).astype(sys.argv[1])
asked = slice(1000 * rank // size, 1000 * (rank + 1) // size)
weights = rng.random(3000)
"""


def on_ranks(script, ranks=3, dtype="f4", before=""):
    """Runs a script on ranks, and gives what they print."""
    # By -m mpi4py an assertion on one rank ends them all.
    python = [sys.executable, "-m", "mpi4py", "-c", before + START + script, dtype]
    done = subprocess.run(["mpirun", "-n", str(ranks), "--oversubscribe", *python], env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def mpi():
    pytest.importorskip("zwalk._mpi", reason="built without MPI", exc_type=ImportError)
    if not shutil.which("mpirun") or subprocess.run([sys.executable, "-c", "from mpi4py import MPI"], env=ENVIRONMENT,
                                                    capture_output=True).returncode:
        pytest.skip("no mpi4py, or no MPI that it can load")
    out = on_ranks("from zwalk._place import Ranks; Ranks(comm, None); print('fits')", 1)
    assert "fits" in out


@pytest.mark.parametrize("ranks, dtype", [(3, "f4"), (3, "f8"), (1, "f4"), (2, "f8")])
def test_neighbours(ranks, dtype):
    on_ranks("""
own, all_ = zwalk.knn(x[mine], k=5, box=1, comm=comm), zwalk.knn(x, k=5, box=1)
same(own.distances, all_.distances[mine]), same(own.indices, all_.indices[mine])
own, all_ = zwalk.knn(x[mine], q[asked], 7, comm=comm), zwalk.knn(x, q, 7)
same(own.distances, all_.distances[asked]), same(own.indices, all_.indices[asked])
out = np.empty((len(x[mine]), 4), x.dtype), np.empty((len(x[mine]), 4), np.int64)
own = zwalk.knn(x[mine], k=4, exclude_self=True, out=out, comm=comm)
assert own.distances is out[0] and own.indices is out[1]
same(out[1], zwalk.knn(x, k=4, exclude_self=True).indices[mine])
own, all_ = zwalk.knn(x[mine], k=5, within=.05, comm=comm), zwalk.knn(x, k=5, within=.05)
same(own.indices, all_.indices[mine])
assert (all_.indices < 0).any() and np.isinf(all_.distances[all_.indices < 0]).all()
z = zwalk.knn(x[mine], k=5, order="z", comm=comm)
same(z.distances, zwalk.knn(x, k=5).distances[z.row_order])
z = zwalk.knn(x[mine], q[asked], 5, order="z", comm=comm)
assert len(z.source_order) == 0 or z.source_order.max() < 3000
same(z.distances, zwalk.knn(x, q, 5).distances[z.row_order])

own, all_ = zwalk.radius(x[mine], 0.1, box=1, comm=comm), zwalk.radius(x, 0.1, box=1)
begin, end = all_.offsets[mine.start], all_.offsets[mine.stop]
same(own.counts, all_.counts[mine]), same(own.indices, all_.indices[begin:end])
same(own.distances, all_.distances[begin:end])
assert zwalk.radius(x[mine], 0.1, distances=False, comm=comm).distances is None
same(zwalk.radius_count(x[mine], 0.1, exclude_self=True, comm=comm), zwalk.radius_count(x, 0.1, exclude_self=True)[mine])
same(zwalk.radius_count(x[mine], 0.1, q[asked], comm=comm), zwalk.radius_count(x, 0.1, q)[asked])
r = np.random.default_rng(6).random(len(x)) ** 3 / 4
same(zwalk.radius_count(x[mine], r[mine], larger=True, comm=comm), zwalk.radius_count(x, r, larger=True)[mine])
same(zwalk.radius(x[mine], r[:len(q)][asked], q[asked], comm=comm).counts, zwalk.radius(x, r[:len(q)], q).counts[asked])
""", ranks, dtype)


def test_arrays_of_the_users():
    on_ranks("""
labels = np.full(len(x[mine]), 77)
for call in (lambda *a, **o: zwalk.fof(*a, .04, **o), lambda *a, **o: zwalk.dbscan(*a, .05, 3, **o), zwalk.hdbscan):
    own = call(x[mine], out=labels, comm=comm)
    assert own.labels is labels
    same(labels, call(x).labels[mine])
out = np.empty(x[mine].shape, x.dtype), np.empty(len(x[mine]), x.dtype)
own = zwalk.gravity(x[mine], out=out, comm=comm)
assert own.accelerations is out[0] and own.potentials is out[1]
assert np.allclose(out[1], zwalk.gravity(x).potentials[mine], rtol=1e-4)
refused(zwalk.InputError, "must have shape", lambda: zwalk.fof(x[mine], .04, out=labels[:-1] if rank == 1 else labels, comm=comm))
refused(TypeError, "not int32", lambda: zwalk.hdbscan(x[mine], out=labels.astype("i4" if rank == 2 else "i8"), comm=comm))
refused(zwalk.InputError, "without comm", lambda: zwalk.radius(x[mine], .04, indices="u4", comm=comm))
""")


@pytest.mark.parametrize("ranks, dtype", [(3, "f4"), (2, "f8"), (1, "f8")])
def test_batches(ranks, dtype):
    on_ranks("""
class Seen:
    def __init__(self):
        self.next, self.times, self.rows = 0, 0, []
    def __call__(self, first, distances, indices):
        assert first == self.next
        self.next += len(indices)
        self.times += 1
        self.rows.append((distances, indices))
        assert comm.allreduce(1) == size  # on all ranks alike
    def same_as(self, there, rows):
        for one, of_all in zip(map(np.concatenate, zip(*self.rows)), there):
            same(one, of_all[rows])

for options in ({"box": 1}, {"exclude_self": True}):
    there = zwalk.knn(x, k=5, **options)
    for batch_bytes in (20000, "1M"):
        batches = zwalk.knn_in_batches(x[mine], seen := Seen(), k=5, batch_bytes=batch_bytes, comm=comm, **options)
        seen.same_as(there, mine)
        assert batches == seen.times and (batches > 1) == (batch_bytes != "1M"), batches
zwalk.knn_in_batches(x[mine], seen := Seen(), q[asked], 7, batch_bytes="10K" if rank == size - 1 else "1G", comm=comm)
seen.same_as(zwalk.knn(x, q, 7), asked)
assert len(set(comm.allgather(seen.times))) == 1 < seen.times

class Full(Exception):
    pass
def full(first, distances, indices):
    if rank == size - 1:
        raise Full("disk")
refused(Full if rank == size - 1 else zwalk.Error, "disk" if rank == size - 1 else "Full: disk",
        lambda: zwalk.knn_in_batches(x[mine], full, k=5, batch_bytes=20000, comm=comm))
refused(TypeError, "take must be callable", lambda: zwalk.knn_in_batches(x[mine], print if rank else 3, comm=comm))
refused(zwalk.InputError, "k must be", lambda: zwalk.knn_in_batches(x[mine], full, k=0, comm=comm))
same(zwalk.knn(x[mine], k=3, comm=comm).indices, zwalk.knn(x, k=3).indices[mine])
""", ranks, dtype)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_groups(dtype):
    on_ranks("""
own, all_ = zwalk.fof(x[mine], 0.05, box=1, comm=comm), zwalk.fof(x, 0.05, box=1)
same(own.labels, all_.labels[mine])
assert own.n_groups == all_.n_groups and "3000 points" in repr(own)
same(own.consecutive(), all_.consecutive()[mine])
v = rng.standard_normal(x.shape).astype(x.dtype)
m = weights.astype(x.dtype)
a = own.catalogue(5, masses=m[mine], velocities=v[mine])
b = all_.catalogue(5, masses=m, velocities=v)
assert sum(comm.allgather(len(a))) == len(b) and b.first_row == 0
for name in b.table.dtype.names:
    same(a[name], b[name][a.first_row:a.first_row + len(a)])
same(own.catalogue(5)["count"], all_.catalogue(5)["count"][a.first_row:a.first_row + len(a)])
refused(zwalk.InputError, "aren't listed", lambda: a.members(0))

own, all_ = zwalk.dbscan(x[mine], 0.06, 5, comm=comm), zwalk.dbscan(x, 0.06, 5)
same(own.labels, all_.labels[mine]), same(own.core, all_.core[mine])
assert own.n_clusters == all_.n_clusters > 5 and (all_.labels < 0).any()

own, all_ = zwalk.density_peaks(x[mine], 9, comm=comm), zwalk.density_peaks(x, 9)
for name in ("radius", "delta", "nearest_denser"):
    same(getattr(own, name), getattr(all_, name)[mine])
for cut in ({"n_clusters": 7}, {"min_delta": 0.1}, {"n_clusters": 3, "max_radius": 0.0}):
    a, b = own.clusters(**cut), all_.clusters(**cut)
    same(a.labels, b.labels[mine]), same(a.centres, b.centres)
refused(zwalk.InputError, "say which points are centres", own.clusters)
refused(zwalk.InputError, "pickle its arrays", lambda: __import__("pickle").dumps(own))
""", dtype=dtype)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_trees(dtype):
    on_ranks("""
for m in (1, 4):
    own, all_ = (zwalk.minimum_spanning_tree(x[rows], min_samples=m, **more) for rows, more in (
        (mine, {"comm": comm}), (slice(None), {})))
    edges = slice(own.first_edge, own.first_edge + len(own.edges))
    same(own.edges, all_.edges[edges]), same(own.lengths, all_.lengths[edges])
    assert own.n == all_.n and sum(comm.allgather(len(own.edges))) == 2999
    assert (own.core_distances is None) == (m == 1)
    if m > 1:
        same(own.core_distances, all_.core_distances[mine])
refused(zwalk.InputError, "part of the edges", own.linkage)
refused(zwalk.InputError, "part of the edges", lambda: own.clusters(5))
assert "from number" in repr(own)

heavy = weights * 2 + .5
own, all_ = zwalk.hdbscan(x[mine], 5, weights=heavy[mine], comm=comm), zwalk.hdbscan(x, 5, weights=heavy)
same(own.labels, all_.labels[mine]), same(own.core_distances, all_.core_distances[mine])
same(own.outlier_scores, all_.outlier_scores[mine])
refused(zwalk.InputError, "that of row 0 is 0.0", lambda: zwalk.hdbscan(x[mine], 5, weights=0 * heavy[mine], comm=comm) if len(x[mine])
        else zwalk.hdbscan(x[mine], 5, weights=heavy[mine], comm=comm))
own, all_ = zwalk.hdbscan(x[mine], 5, comm=comm), zwalk.hdbscan(x, 5)
for name in ("labels", "probabilities", "outlier_scores", "core_distances"):
    same(own[name], all_[name][mine])
for name in ("linkage", "persistence"):
    if rank == 0:
        same(own[name], all_[name])
    else:
        assert own[name] is None
assert (own.condensed is None) == (rank > 0)
alone = zwalk.hdbscan(x, 9, min_samples=3, comm=MPI.COMM_SELF)  # which knows its options, too
same(zwalk.HdbscanModel.of(x, alone).predict(x).labels, alone.labels)
refused(zwalk.InputError, "min_samples is 4, but the clusters were found with 3", lambda: zwalk.HdbscanModel.of(x, alone, min_samples=4))
""", dtype=dtype)


def test_sums():
    on_ranks("""
edges = np.linspace(0, 0.2, 6)
own, all_ = (zwalk.pairs(x[rows], edges, weights=weights[rows], box=1, **more) for rows, more in (
    (mine, {"comm": comm}), (slice(None), {})))
same(own.counts, all_.counts), same(own.weighted, all_.weighted)
same(zwalk.pairs(x[mine], edges, q[asked], bins="rp_pi", los_edges=[0, 0.1, 0.2], comm=comm).counts,
     zwalk.pairs(x, edges, q, bins="rp_pi", los_edges=[0, 0.1, 0.2]).counts)
own, all_ = zwalk.gravity(x[mine], weights[mine], softening=0.01, comm=comm), zwalk.gravity(x, weights, softening=0.01)
length = np.linalg.norm(all_.accelerations[mine], axis=1)
error = np.linalg.norm(own.accelerations - all_.accelerations[mine], axis=1)
assert own.accelerations.dtype == x.dtype and (error < 0.01 * length).all()
own_box = zwalk.gravity(x[mine], weights[mine], softening=0.01, box=1, comm=comm)
in_box = zwalk.gravity(x, weights, softening=0.01, box=1).accelerations
errors = np.concatenate(comm.allgather(np.linalg.norm(own_box.accelerations - in_box[mine], axis=1)))
assert np.quantile(errors, 0.98) < 0.003 * np.abs(in_box).max()
again = zwalk.gravity(x[mine], weights[mine], softening=0.01, threads=2, comm=comm)
same(own.accelerations, again.accelerations), same(own.potentials, again.potentials)
""")


def test_parts_of_the_world_and_types_of_empty_ranks():
    on_ranks("""
part = comm.Split(rank > 0)
if rank > 0:
    same(zwalk.knn(x[mine], k=3, comm=part).indices, zwalk.knn(x, k=3).indices[mine])
nothing = np.empty((0, 3), "f8")  # takes the type of the others
same(zwalk.fof(x[mine] if rank else nothing, 0.05, comm=comm).labels, zwalk.fof(x, 0.05).labels[mine])
part.Free()
""")


def test_refusals_on_all_ranks():
    """One rank's mistake is an error on all of them, of the same kind, and the next call is as good as ever."""
    on_ranks("""
wrong = x[mine] if rank != 1 else x[mine][:, 0]
refused(zwalk.InputError, "points[:, None]", lambda: zwalk.knn(wrong, k=3, comm=comm))
wrong = x[mine] if rank != 2 else "x.npy"
refused(TypeError, "not str", lambda: zwalk.dbscan(wrong, 0.1, comm=comm))
refused(zwalk.InputError, "ranks disagree on k", lambda: zwalk.knn(x[mine], k=3 + rank, comm=comm))
refused(zwalk.InputError, "disagree on the type", lambda: zwalk.fof(x[mine].astype("f8" if rank == 2 else "f4"), 0.1,
                                                                     comm=comm))
refused(zwalk.InputError, "points % box", lambda: zwalk.radius_count(x[mine], 0.1, box=0.5, comm=comm))
bad = x[mine].copy()
bad[5 if rank == 2 else 0:, 0] = np.nan if rank == 2 else 0
refused(zwalk.InputError, "705", lambda: zwalk.minimum_spanning_tree(bad, comm=comm))
out = np.empty((len(x[mine]), 3), "f4"), np.empty((len(x[mine]), 3), "i4" if rank == 1 else "i8")
refused(TypeError, "int64, not int32", lambda: zwalk.knn(x[mine], k=3, out=out, comm=comm))
refused(TypeError, "threads must be", lambda: zwalk.pairs(x[mine], [0, 1], threads="all" if rank == 0 else 1, comm=comm))
class OnGpu:
    __cuda_array_interface__ = {}
refused(zwalk.InputError, "host memory", lambda: zwalk.knn(x[mine], OnGpu() if rank == 1 else q[asked], comm=comm))
refused(NotImplementedError, "on a device", lambda: zwalk.dbscan(OnGpu() if rank == 2 else x[mine], 0.1, comm=comm))
refused(zwalk.InputError, "COMM_NULL", lambda: zwalk.knn(x[mine], comm=MPI.COMM_NULL))
same(zwalk.knn(x[mine], k=3, comm=comm).indices, zwalk.knn(x, k=3).indices[mine])

from zwalk._place import _module
version, world, own = MPI.Get_library_version().rstrip(chr(0)), MPI.COMM_WORLD.py2f(), comm.py2f()
refusal = _module().refusal
assert refusal(version, world, own, rank, size) == ""
assert "another MPI library (MPICH Version: 4.0.2)" in refusal("MPICH Version: 4.0.2\\nmore", world, own, rank, size)
assert "another MPI library" in refusal(version, world + 1, own, rank, size)
assert "another MPI library" in refusal(version, world, own, rank + 1, size)
""")


CALLS = """
from zwalk import _core
def in_batches(**o):
    seen = []
    zwalk.knn_in_batches(x[mine], lambda *batch: seen.append(batch[1:]), k=5, batch_bytes=20000, comm=comm, **o)
    return tuple(map(np.concatenate, zip(*seen)))
calls = {
    "knn": lambda **o: zwalk.knn(x[mine], k=5, comm=comm, **o),
    "queries": lambda **o: zwalk.knn(x[mine], q[asked], 7, comm=comm, **o),
    "batches": in_batches,
    "radius": lambda **o: zwalk.radius(x[mine], 0.1, comm=comm, **o),
    "radius_count": lambda **o: (zwalk.radius_count(x[mine], 0.1, q[asked], comm=comm, **o),),
    "fof": lambda **o: (zwalk.fof(x[mine], 0.05, box=1, comm=comm, **o).labels,),
    "catalogue": lambda **o: (zwalk.fof(x[mine], 0.05, box=1, comm=comm, **o).catalogue(5)["count"],),
    "dbscan": lambda **o: zwalk.dbscan(x[mine], 0.06, 5, comm=comm, **o)[:2],
    "peaks": lambda **o: (lambda p: (p.radius, p.delta, p.nearest_denser))(zwalk.density_peaks(x[mine], 6, comm=comm, **o)),
    "pairs": lambda **o: zwalk.pairs(x[mine], [0, 0.1, 0.2], weights=weights[mine], comm=comm, **o),
    "two": lambda **o: zwalk.pairs(x[mine], [0, 0.1, 0.2], bins="s_mu", los_edges=[0, 0.5, 1], comm=comm, **o)[:1],
    "tree": lambda **o: (lambda t: (t.edges, t.lengths))(zwalk.minimum_spanning_tree(x[mine], min_samples=3, comm=comm, **o)),
    "hdbscan": lambda **o: (zwalk.hdbscan(x[mine], comm=comm, **o).labels,),
}
gravity = lambda **o: zwalk.gravity(x[mine], comm=comm, **o)
"""


@pytest.mark.skipif(_core.built_with_cuda(), reason="this build has CUDA")
def test_builds_without_cuda_refuse_gpus_on_all_ranks():
    on_ranks(CALLS + """
for call in (*calls.values(), gravity):
    refused(zwalk.InputError, "built without CUDA; leave out device", lambda: call(device="cuda"))
refused(zwalk.InputError, "built without CUDA", lambda: calls["fof"](device="cuda:1" if rank == 1 else None))
for a, b in zip(calls["knn"](device="cpu"), calls["knn"]()):
    same(a, b)
""")


@pytest.mark.skipif(_core.cuda_devices() > 0, reason="there is a GPU")
def test_the_library_is_asked_for_gpus_on_ranks():
    """Arguments fit the functions of the module, which refuse because there is no GPU, on all ranks."""
    on_ranks(CALLS + """
_core.built_with_cuda = lambda: True
for name, call in calls.items():
    for device in ("cuda", f"cuda:{rank}"):
        refused(zwalk.InputError, "CUDA", lambda: call(device=device))
refused(zwalk.InputError, "CUDA", lambda: gravity(device="cuda"))
if size > 1:
    refused(zwalk.InputError, f"disagree on device ('cuda' on rank 0, None on rank {size - 1})",
            lambda: calls["knn"](device="cuda" if rank < size - 1 else None))
refused(zwalk.InputError, "device must be", lambda: calls["knn"](device="gpu" if rank == 1 else "cuda"))
same(calls["knn"]().indices, zwalk.knn(x, k=5).indices[mine])
""")


@pytest.mark.skipif(not _core.cuda_devices(), reason="no GPU")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_gpus_of_ranks(dtype):
    """The bits of threads."""
    on_ranks(CALLS + """
for call in calls.values():
    for a, b in zip(call(device="cuda", threads=1), call(threads=1), strict=True):
        same(a, b)
for a, b in zip(gravity(device="cuda"), gravity()):
    assert abs(a - b).max(initial=0) < 1e-3 * abs(b).max(initial=1)
""", dtype=dtype)


def test_states_of_mpi():
    on_ranks("""
inter = MPI.COMM_SELF.Create_intercomm(0, comm, 1 - rank)
refused(zwalk.InputError, "intercommunicator", lambda: zwalk.knn(x[mine], comm=inter))
inter.Free()
refused(zwalk.InputError, "COMM_NULL", lambda: zwalk.knn(x[mine], comm=inter))
MPI.Finalize()
refused(zwalk.InputError, "finalized", lambda: zwalk.knn(x[mine], comm=comm))
""", 2)
    once = "import mpi4py; mpi4py.rc.thread_level = 'funneled'"
    on_ranks("""
import threading
call = lambda: zwalk.knn(x[mine], k=3, comm=comm).indices
same(call(), zwalk.knn(x, k=3).indices[mine])
t = threading.Thread(target=refused, args=(zwalk.InputError, "from one thread", call))
t.start(), t.join()
""", 2, before=once)
    on_ranks("refused(zwalk.InputError, 'single thread', lambda: zwalk.knn(x[mine], comm=comm))", 2,
             before=once.replace("funneled", "single"))


def test_threads_are_shared_out():
    on_ranks("""
import os
from zwalk._place import Ranks
where = Ranks(comm, None)
where.prepared(lambda: (x,))
assert where.threads == max(1, len(os.sched_getaffinity(0)) // size), where.threads
where = Ranks(comm, 3)
where.prepared(lambda: (x,))
assert where.threads == 3
""")


def test_what_is_no_communicator():
    with pytest.raises(TypeError, match="communicator of mpi4py, such as MPI.COMM_WORLD, not int"):
        zwalk.knn(np.zeros((3, 3)), comm=3)
