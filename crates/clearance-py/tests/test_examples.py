"""The examples of the guide run."""

import subprocess
import sys
from pathlib import Path

import pytest
from robots import PANDA

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["two_bodies", "mesh_scene"])
def test_bodies(name):
    assert len(run(name).splitlines()) > 3


@pytest.mark.parametrize(("name", "arguments"), [("panda_self_collision", []), ("certified_edges", [10])])
def test_robots(name, arguments):
    if not PANDA.is_dir():
        pytest.skip("no data")
    out = run(name, PANDA, *arguments)
    assert "10 of 10 problems solved" in out or name != "certified_edges", out
