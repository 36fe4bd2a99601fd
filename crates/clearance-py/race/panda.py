"""The Panda's self-collision beside pinocchio with Coal: equal answers, and time per configuration, one thread.

    pip install clearance-….whl pin coal
    python race/panda.py FOLDER [CONFIGURATIONS] [hull|exact]

FOLDER has panda.urdf, panda.srdf and meshes/. Coal takes meshes as surfaces, and so may miss a link that is wholly inside another.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio as pin
from clearance.robot import Robot, Workcell


def peer(folder: Path, hull: bool):  # noqa: ANN201
    """The model, its geometry and pairs."""
    text = re.sub(r'filename="package://[^"]*/([^"/]+\.stl)"', rf'filename="{folder}/meshes/\1"', (folder / "panda.urdf").read_text())
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
        file.write(text)
        file.flush()
        model = pin.buildModelFromUrdf(file.name)
        geometry = pin.buildGeomFromUrdf(model, file.name, pin.GeometryType.COLLISION)
    if hull:
        for thing in geometry.geometryObjects:
            thing.geometry.buildConvexHull(True, "Qt")
            thing.geometry = thing.geometry.convex
    geometry.addAllCollisionPairs()
    pin.removeCollisionPairs(model, geometry, str(folder / "panda.srdf"))
    return model, geometry


def timed(ask):  # noqa: ANN001, ANN201
    start = time.perf_counter()
    answer = ask()
    return time.perf_counter() - start, answer


def main(folder: Path, count: int, meshes: str) -> None:
    robot = Robot.load(folder / "panda.urdf", folder / "panda.srdf", meshes=meshes, mesh_folders=[folder / "meshes"])
    cell = Workcell(robot)
    low, high = robot.limits.T
    q = np.random.default_rng(1).uniform(low, high, (count, robot.dof))
    model, geometry = peer(folder, meshes == "hull")
    data, found = model.createData(), geometry.createData()
    wide = np.hstack([q, q[:, -1:]])  # the second finger follows the first
    print(f"{count} configurations, meshes={meshes}; pairs: here {cell.pair_count}, there {len(geometry.collisionPairs)}")

    ours, rows = min((timed(lambda: cell.check_configs(q, threads=1)) for _ in range(3)), key=lambda run: run[0])
    one, hits = timed(lambda: np.array([pin.computeCollisions(model, data, geometry, found, row, True) for row in wide]))
    # Their loops over batches, with and without a broad phase, on one thread.
    pools = [pin.GeometryPool(model, geometry, 1), pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager(model, geometry, 1)]
    across = np.asfortranarray(wide.T)
    batches = [timed(lambda: pin.computeCollisionsInParallel(1, pool, across, True))[0] for pool in pools]  # noqa: B023
    theirs = min([one, *batches])
    print(
        f"booleans:  here {1e6 * ours / count:8.3f} µs, there {1e6 * one / count:.3f} one by one, {1e6 * batches[0] / count:.3f} in a batch, "
        f"{1e6 * batches[1] / count:.3f} with its broad phase; {theirs / ours:.1f} times; {rows['free'].mean():.2%} free"
    )
    differ = np.flatnonzero(rows["free"] == hits)

    some = min(count, 20_000)
    ours, near = min((timed(lambda: cell.check_configs(q[:some], distance="signed", threads=1)) for _ in range(3)), key=lambda run: run[0])
    free_time, _ = min((timed(lambda: cell.check_configs(q[:some], distance="when-free", threads=1)) for _ in range(3)), key=lambda run: run[0])

    def distances() -> np.ndarray:
        least = np.empty(some)
        for i, row in enumerate(wide[:some]):
            pin.computeDistances(model, data, geometry, found, row)
            least[i] = min(result.min_distance for result in found.distanceResults)
        return least

    theirs_without_python = timed(lambda: [pin.computeDistances(model, data, geometry, found, row) for row in wide[:some]])[0]
    least = distances()
    print(
        f"distances: here {1e6 * ours / some:8.3f} µs signed, {1e6 * free_time / some:8.3f} µs when free, "
        f"there {1e6 * theirs_without_python / some:8.3f} µs, {theirs_without_python / ours:.1f} and {theirs_without_python / free_time:.1f} times"
    )
    free = near["free"]
    error = np.abs(near["distance"] - least)[free]
    print(f"distances of free ones differ by at most {error.max():.3e}")
    # Coal has depths of convex shapes, and answers zero for meshes that overlap.
    deep = (least < 0) & ~free
    off = np.abs(near["distance"] - least)[deep].max(initial=0.0)
    print(f"of {np.count_nonzero(~free)} colliding ones it gives a depth for {np.count_nonzero(deep)}, which differ by at most {off:.3e}")
    least_there = []
    for row in wide[differ]:
        pin.computeDistances(model, data, geometry, found, row)
        least_there.append(min(result.min_distance for result in found.distanceResults))
    explain(cell, q, differ, least_there)


def explain(cell: Workcell, q: np.ndarray, differ: np.ndarray, least_there: list[float]) -> None:
    """Booleans that differ, with our bounds and their own distance."""
    print(f"{len(differ)} booleans differ")
    if len(differ):
        rows = cell.check_configs(q[differ], distance="signed")
        print("  our distances there:", np.sort(np.abs(rows["distance"]))[-5:], "the largest of them last")
        for row, other in list(zip(rows, least_there, strict=True))[:5]:
            bounds = [float(row["lower"]), float(row["upper"])]
            print("  ", [cell.names[i] for i in row["near"]], float(row["distance"]), "certainly in", bounds, "; their own distance:", other)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000, sys.argv[3] if len(sys.argv) > 3 else "hull")
