"""The notebooks run from top to bottom, and are kept without outputs.

Their code cells are executed here by `exec`, without Jupyter: they use nothing of it, it is dozens of packages to install
for a test, and what fails in a kernel is a second process's error. What is lost is what cells display; these print.
"""
import ast
import json
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/notebooks"
NOTEBOOKS = sorted(p.name for p in FOLDER.glob("*.ipynb"))


def read(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def run(notebook, folder, monkeypatch):
    """Executes the code cells in one fresh namespace, in the folder where Jupyter would start."""
    monkeypatch.chdir(folder)
    namespace = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), namespace)


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("ZWALK_NUM_THREADS", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def test_all_are_here():
    assert NOTEBOOKS == ["digits.ipynb", "halo_catalogue.ipynb", "star_clusters.ipynb"]


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs(name, pictures, monkeypatch, capsys):
    if name != "halo_catalogue.ipynb":
        pytest.importorskip("scipy")
        pytest.importorskip("sklearn")
    if pictures:
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
    else:
        monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it weren't installed
    run(read(name), FOLDER, monkeypatch)
    assert ("no matplotlib" in capsys.readouterr().out) != pictures


def test_a_broken_cell_is_seen(monkeypatch, tmp_path):
    code = {"cell_type": "code", "source": ["assert 1 == 2"], "id": "broken"}
    with pytest.raises(AssertionError):
        run({"cells": [code]}, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_is_clean(name):
    """What Jupyter adds on saving (outputs, counts, versions) would be in every diff."""
    notebook = read(name)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert cell["execution_count"] is None and cell["outputs"] == []
            says = {type(node) for node in ast.walk(ast.parse("".join(cell["source"])))}
            assert ast.Assert in says, f"{name}, {cell['id']}: checks nothing"
            assert max(map(len, cell["source"])) <= 126, cell["id"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_lead_somewhere(name):
    for cell in read(name)["cells"]:
        for part in "".join(cell["source"]).split("](")[1:] if cell["cell_type"] == "markdown" else []:
            link = part.split(")")[0].split("#")[0]
            assert link.startswith("https://") or (FOLDER / link).exists(), part
