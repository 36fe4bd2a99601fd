# %% [markdown]
# # When one machine is too small
# Configurations as a Ray Dataset, checked by workers that load the robot once: `python ray_job.py FOLDER [ROWS]`, with the folder of the Panda.
# Needs `pip install clearance[ray]`. `ray.init()` starts a local cluster; `ray.init("auto")` joins one.

# %%
import sys
from pathlib import Path

import numpy as np
import ray

import clearance.ray
from clearance.robot import Robot, Workcell

folder, count = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000


def cell() -> Workcell:
    """Runs once on each worker: the files must be there."""
    robot = Robot.load(folder / "panda.urdf", folder / "panda.srdf", meshes="hull", mesh_folders=[folder / "meshes"])
    return Workcell(robot)


# %% A column for each value of a configuration, and a number, since rows may come back in another order.
robot = cell().robot
low, high = robot.limits.T
q = np.random.default_rng(1).uniform(low, high, (count, robot.dof))
ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
rows = ray.data.from_numpy(np.hstack([np.arange(count)[:, None], q]))
names = ["number", *robot.value_names]
rows = rows.map_batches(lambda batch: {name: batch["data"][:, i] for i, name in enumerate(names)}, batch_format="numpy")

# %%
answers = clearance.ray.check_configs(rows, cell, workers=2, distance="when-free").to_pandas().sort_values("number")
print(f"{answers['free'].mean():.1%} of {len(answers)} configurations are free; the largest clearance is {answers['distance'].max():.4f}")
assert np.array_equal(answers["free"].to_numpy(), cell().check_configs(q)["free"])
ray.shutdown()
