# %% [markdown]
# # The same class with Dask
# A frame of configurations, checked partition by partition: `python dask_job.py FOLDER [ROWS]`, with the folder of the Panda. Needs
# `pip install clearance[dask]`.

# %%
import sys
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd

import clearance.ray
from clearance.robot import Robot, Workcell


def main(folder: Path, count: int) -> None:
    """Checks configurations in two processes, and here."""
    robot = Robot.load(folder / "panda.urdf", folder / "panda.srdf", meshes="hull", mesh_folders=[folder / "meshes"])
    cell = Workcell(robot)  # pickled by the files it was made from, which the workers have
    low, high = robot.limits.T
    q = np.random.default_rng(1).uniform(low, high, (count, robot.dof))
    frame = pd.DataFrame(q, columns=robot.value_names)
    check = clearance.ray.CheckConfigs(cell, distance="when-free")
    answers = dd.from_pandas(frame, npartitions=4).map_partitions(check, meta=check(frame.iloc[:2])).compute(scheduler="processes", num_workers=2)
    print(f"{answers['free'].mean():.1%} of {len(answers)} configurations are free; the largest clearance is {answers['distance'].max():.4f}")
    assert np.array_equal(answers["free"].to_numpy(), cell.check_configs(q)["free"])


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
