"""Robots for the tests: a small arm, and the Panda where its files are."""

import os
from pathlib import Path

import clearance as c
import pytest

ARM = """<robot name="arm"><link name="base"/>
<link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.08 0.08"/></geometry></collision></link>
<link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<joint name="elbow" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<joint name="wrist" type="fixed"><origin xyz="1 0 0"/><parent link="fore"/><child link="hand"/></joint></robot>"""

DATA = Path(os.environ.get("CLEARANCE_DATA") or Path(__file__).resolve().parents[4] / "shared" / "data")
PANDA = DATA / "robots" / "panda"


def arm_cell() -> c.robot.Workcell:
    cell = c.robot.Workcell(c.robot.Robot.parse(ARM))
    cell.add("post", c.Shape.cylinder(1, 0.1), [0, 0.9, 0])
    cell.attach("tool", "hand", c.Shape.capsule(0.1, 0.02), [0.1, 0, 0], ["fore"])
    return cell


def panda(meshes: str = "hull") -> c.robot.Robot:
    if not PANDA.is_dir():
        pytest.skip("no data")
    (urdf,), srdf = list(PANDA.glob("*.urdf"))[:1], next(iter(PANDA.glob("*.srdf")), None)
    return c.robot.Robot.load(urdf, srdf, meshes=meshes, mesh_folders=[folder for folder in PANDA.rglob("*") if folder.is_dir()])
