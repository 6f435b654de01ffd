"""Trees that were pickled beside what they were before."""
import pickle

import numpy as np
import pytest
import zwalk
from zwalk import _core

RNG = np.random.default_rng(13)
FIELDS = {
    "uniform": RNG.random((700, 3)),
    "grid": RNG.integers(0, 6, (700, 3)) / 8,
    "plane": RNG.random((500, 2)),
    "eight axes": RNG.random((200, 8)),
    "one": RNG.random((1, 3)),
    "none": np.empty((0, 3)),
}


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("boxsize", [None, 1.0])
@pytest.mark.parametrize("name", FIELDS)
def test_pickled_trees_are_the_same(name, boxsize, dtype):
    tree = zwalk.KDTree(FIELDS[name].astype(dtype), 7, boxsize=boxsize, threads=2, memory_budget="1G")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(tree, protocol))
        np.testing.assert_array_equal(again.data, tree.data)
        assert (again.n, again.m, again.dtype, again.leafsize, again._limits) == (tree.n, tree.m, tree.dtype, 7, tree._limits)
        assert again._box == tree._box and again._index.extent() == tree._index.extent()
        q = FIELDS[name][:9].astype(dtype)
        np.testing.assert_array_equal(again.query(q, 3), tree.query(q, 3))
        np.testing.assert_array_equal(again.query_pairs(0.1, output_type="ndarray"), tree.query_pairs(0.1, output_type="ndarray"))
        assert again._index.to_bytes() == tree._index.to_bytes()


def test_a_pickle_of_what_was_unpickled_is_a_file(tmp_path):
    tree = zwalk.KDTree(FIELDS["uniform"], boxsize=1)
    files = []
    for number, each in enumerate((tree, pickle.loads(pickle.dumps(tree)))):
        each.save(tmp_path / str(number))
        files.append((tmp_path / str(number)).read_bytes())
    assert files[0] == files[1] != tree._index.to_bytes()  # files have checksums
    (tmp_path / "bare").write_bytes(tree._index.to_bytes())
    with pytest.raises(zwalk.InputError, match="wrong checksum"):
        zwalk.KDTree.load(tmp_path / "bare")


def test_pickles_that_are_damaged_are_refused_or_harmless():
    tree = zwalk.KDTree(FIELDS["uniform"])
    held = tree._index.to_bytes()
    for short in (held[:-1], held[:100], held[:8], b"", held + b"x"):
        with pytest.raises(zwalk.InputError):
            _core.Index64.from_bytes(short, 1, 0)
    for at in RNG.integers(0, len(held), 300).tolist() + list(range(104)):
        changed = bytearray(held)
        changed[at] ^= 0xff
        try:
            index = _core.Index64.from_bytes(bytes(changed), 1, 0)
        except zwalk.Error:
            continue
        index.data()
