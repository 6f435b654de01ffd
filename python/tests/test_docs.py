"""Examples of docstrings and of the documentation are what happens."""
import doctest
import pathlib
import re

import numpy as np
import pytest
import zwalk
from zwalk import _batches, _groups, _hierarchy, _knn, _pairs, _radius, _sphere


@pytest.mark.parametrize("module", [_batches, _groups, _hierarchy, _knn, _pairs, _radius, _sphere])
def test_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "docs/friends-of-friends.md", "algorithms/pairs/README.md",
                                  "algorithms/density/README.md"])
def test_page(page, monkeypatch):
    root = pathlib.Path(__file__).resolve().parents[2]
    monkeypatch.chdir(root)
    failed, tried = doctest.testfile(str(root / page), module_relative=False)
    assert tried > 4 and failed == 0


def test_readme():
    pytest.importorskip("sklearn")
    page = pathlib.Path(__file__).resolve().parents[2] / "README.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    assert blocks
    random = np.random.default_rng(1)
    names = {"zwalk": zwalk, "points": random.random((2000, 3), "f4"), "queries": random.random((10, 3), "f4")}
    for block in blocks:
        exec(block, names)
    assert names["indices"].shape == (2000, 16)
    assert len(names["groups"].labels) == len(names["clusters"]) == 2000
    assert names["groups"].catalogue() is not None
    assert len(names["nearby"]) == 10


def test_clustering(monkeypatch):
    """The section on objects; plots where matplotlib is installed."""
    pytest.importorskip("sklearn")
    root = pathlib.Path(__file__).resolve().parents[2]
    section = (root / "docs/clustering.md").read_text().split("## In Python: the objects")[1].split("\n## ")[0]
    use, plot = re.findall(r"```python\n(.*?)```", section, re.S)
    monkeypatch.chdir(root)
    names = {}
    exec(use, names)
    assert names["six"].labels_.max() == 5 and len(names["typical"]) > 0 and len(names["lengths"]) == 2308
    np.testing.assert_array_equal(names["cut"], names["model"].dbscan_clustering(0.02))
    assert len(np.unique(names["cut"])) > 2 and 0 < min(names["better"])
    pytest.importorskip("matplotlib").use("Agg")
    exec(plot, names)
    assert all(axes.has_data() for axes in names["axes"])


def test_everything_public_is_documented():
    for name in zwalk.__all__:
        assert getattr(zwalk, name).__doc__, name
