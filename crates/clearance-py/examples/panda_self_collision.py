# %% [markdown]
# # Does the Panda hit itself?
# Run with the folder that has `panda.urdf`, `panda.srdf` and `meshes/`: `python panda_self_collision.py FOLDER`.

# %%
import sys
import time
from pathlib import Path

import numpy as np

import clearance
from clearance.robot import Robot, Workcell

folder = Path(sys.argv[1])
robot = Robot.load(folder / "panda.urdf", folder / "panda.srdf", meshes="hull", mesh_folders=[folder / "meshes"])
cell = Workcell(robot)
print(robot, cell.pair_count, "pairs are checked; values:", robot.value_names)

# %% 20,000 random configurations: free or not, and which pair.
low, high = robot.limits.T
q = np.random.default_rng(1).uniform(low, high, (20_000, robot.dof))
start = time.perf_counter()
rows = cell.check_configs(q)
took = time.perf_counter() - start
print(f"{rows['free'].mean():.1%} free, {1e6 * took / len(q):.2f} microseconds each")
pairs, counts = np.unique(np.sort(rows["pair"][~rows["free"]], axis=1), axis=0, return_counts=True)
for pair, count in sorted(zip(pairs.tolist(), counts.tolist(), strict=True), key=lambda found: -found[1])[:5]:
    print(f"  {cell.names[pair[0]]} and {cell.names[pair[1]]}: {count}")

# %% Signed distances with bounds, and their gradient by the joints.
rows = cell.check_configs(q[:2000], distance="signed", gradient=True)
assert (rows["lower"] <= rows["distance"]).all() and (rows["distance"] <= rows["upper"]).all()
best = rows["distance"].argmax()
print("largest clearance", rows["distance"][best], "between", [cell.names[i] for i in rows["near"][best]], "gradient", rows["gradient"][best].round(3))

# %% With a table under it, and a tool in its hand.
cell.add("table", clearance.Shape.cuboid([1.0, 1.0, 0.05]), [0.0, 0.0, -0.1])
cell.allow("table", "panda_link0")
cell.attach("tool", "panda_hand", clearance.Shape.cylinder(0.1, 0.01), [0.0, 0.0, 0.2], ["panda_leftfinger", "panda_rightfinger"])
print(f"{cell.check_configs(q)['free'].mean():.1%} free above a table, with a tool")
