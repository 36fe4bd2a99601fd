# %% [markdown]
# # Edges that are free with proof, and a planner on them
# RRT-Connect grows two trees. Its edges are not sampled: `check_edges` proves that a straight edge in joint space is free, or tells how far it is.
# Run with the folder of the Panda, as `panda_self_collision.py`.

# %%
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import clearance
from clearance.robot import Robot, Workcell

Config = npt.NDArray[np.float64]


def scene(folder: Path) -> Workcell:
    """The Panda at a table with a shelf."""
    robot = Robot.load(folder / "panda.urdf", folder / "panda.srdf", meshes="hull", mesh_folders=[folder / "meshes"])
    fingers = {name: 0.02 for name in robot.value_names if "finger" in name}
    cell = Workcell(robot.with_locked(fingers))
    cell.add("table", clearance.Shape.cuboid([0.9, 0.9, 0.03]), [0.3, 0.0, -0.1])
    cell.allow("table", "panda_link0")
    for level in range(3):
        cell.add(f"board {level}", clearance.Shape.cuboid([0.15, 0.4, 0.01]), [0.65, 0.0, 0.15 + 0.3 * level])
    for side in [-1, 1]:
        cell.add(f"side {side}", clearance.Shape.cuboid([0.15, 0.01, 0.45]), [0.65, 0.4 * side, 0.4])
    return cell


class Tree:
    """Configurations, each with the one that it was reached from by an edge that is proved free."""

    def __init__(self, root: Config) -> None:
        self.q, self.parents = np.empty((64, len(root))), [-1]
        self.q[0] = root

    def add(self, q: Config, parent: int) -> int:
        """Adds a configuration; returns its number."""
        if len(self.parents) == len(self.q):
            self.q = np.concatenate([self.q, np.empty_like(self.q)])
        self.q[len(self.parents)] = q
        self.parents.append(parent)
        return len(self.parents) - 1

    def nearest(self, q: Config) -> int:
        """The number of the nearest configuration."""
        return int(np.argmin(((self.q[: len(self.parents)] - q) ** 2).sum(axis=1)))

    def branch(self, at: int) -> list[Config]:
        """The way from the root."""
        way = []
        while at >= 0:
            way.append(self.q[at].copy())
            at = self.parents[at]
        return way[::-1]


def grow(cell: Workcell, tree: Tree, towards: Config, reach: float) -> tuple[bool, int | None]:
    """Adds what is proved free of the edge from the nearest configuration of the tree; says whether it was all of it."""
    nearest = tree.nearest(towards)
    start = tree.q[nearest].copy()
    length = float(np.linalg.norm(towards - start))
    target = towards if length <= reach else start + (towards - start) * (reach / length)
    edge = cell.check_edges(start, target, threads=1)[0]
    share = 1.0 if edge["free"] else 0.9 * float(edge["free_from_start"])
    if share * min(length, reach) < 0.01:
        return False, None
    return bool(edge["free"]) and length <= reach, tree.add(start + share * (target - start), nearest)


def rrt_connect(cell: Workcell, start: Config, goal: Config, rng: np.random.Generator, most: int = 30_000) -> list[Config] | None:
    """A path of edges that are all proved free, or None."""
    low, high = cell.robot.limits.T
    trees = [Tree(start), Tree(goal)]
    for step in range(most):
        here, there = trees[step % 2], trees[1 - step % 2]
        # The first try is the straight way.
        wish = trees[1].q[0] if step == 0 else rng.uniform(low, high)
        _, added = grow(cell, here, wish, 1.5)
        while added is not None:
            met, last = grow(cell, there, here.q[added], 1.5)
            if last is None:
                break
            if met:
                ways = [here.branch(added), there.branch(last)]
                forward, backward = ways if step % 2 == 0 else ways[::-1]
                return forward + backward[::-1][1:]
    return None


def main(folder: Path, problems: int) -> dict[str, Any]:
    """Solves random problems."""
    cell = scene(folder)
    low, high = cell.robot.limits.T
    rng, times, solved = np.random.default_rng(1), [], 0
    q = rng.uniform(low, high, (60 * problems, cell.robot.dof))
    free = q[cell.check_configs(q)["free"]]
    for problem in range(problems):
        start = time.perf_counter()
        path = rrt_connect(cell, free[2 * problem], free[2 * problem + 1], rng)
        times.append(time.perf_counter() - start)
        if path is not None:
            solved += 1
            proof = cell.check_edges(np.array(path[:-1]), np.array(path[1:]))
            assert proof["free"].all(), "every edge of the path is proved free"
    print(f"{solved} of {problems} problems solved, median {1e3 * float(np.median(times)):.1f} ms, slowest {max(times):.2f} s")
    return {"solved": solved, "times": times}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20)
