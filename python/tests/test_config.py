"""show_config: what a build is and has."""
import os
import pathlib
import platform
import subprocess
import sys

import numpy as np
import pytest
import zwalk


def test_dicts():
    config = zwalk.show_config("dicts")
    assert config["zwalk"] == zwalk.__version__ and config["NumPy"] == np.__version__
    assert config["Python"] == platform.python_version()
    columns = [int(c) for c in config["columns"].removesuffix(" (others are padded)").split(", ")]
    assert columns == sorted(columns) and columns[-1] == zwalk._core.max_dim
    assert config["instructions"] in ("baseline", "avx2", "avx512")
    assert config["threads"] == zwalk._core.threads()
    assert ("without CUDA" in config["GPU"]) != zwalk._core.built_with_cuda()
    assert ("without MPI" in config["MPI"]) == (not list(pathlib.Path(zwalk.__file__).parent.glob("_mpi*.so")))


def test_instruction_set_follows_the_environment():
    code = "import zwalk; print(zwalk.show_config('dicts')['instructions'])"
    run = subprocess.run([sys.executable, "-c", code], env=os.environ | {"ZWALK_ISA": "baseline"}, check=False,
                         capture_output=True, text=True)
    if "alone, and ZWALK_ISA asks for baseline" in run.stderr:
        assert run.returncode != 0
        pytest.skip("built for one instruction set, as pip does")
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["baseline"]


def test_printed(capsys):
    assert zwalk.show_config() is None
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines] == list(zwalk.show_config("dicts"))


def test_other_modes_are_refused():
    with pytest.raises(zwalk.InputError, match="'stdout' or 'dicts', but is 'json'"):
        zwalk.show_config("json")
