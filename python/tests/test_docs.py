"""Examples of docstrings and of the documentation are what happens."""
import doctest
import pathlib

import pytest
import zwalk
from zwalk import _batches, _groups, _hierarchy, _knn, _pairs, _sphere


@pytest.mark.parametrize("module", [_batches, _groups, _hierarchy, _knn, _pairs, _sphere])
def test_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_page():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 5 and failed == 0


def test_everything_public_is_documented():
    for name in zwalk.__all__:
        assert getattr(zwalk, name).__doc__, name
