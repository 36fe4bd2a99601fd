# %% [markdown]
# # Two bodies
# Bodies are made once and are immutable; poses are given with each question. Every answer has bounds, and says how it ended.

# %%
import numpy as np

import clearance

part = clearance.Shape.cuboid([0.5, 0.3, 0.2])  # half extents
tool = clearance.Shape.capsule(0.4, 0.05)  # along x: half length, radius

# %% A pose is a 4 x 4 matrix, a translation, a pair (translation, quaternion x y z w), SciPy's Rotation with a translation, or None.
pose = clearance.Pose([0.9, 0.2, 0.4], [0.0, 0.3826834323650898, 0.0, 0.9238795325112867])
near = clearance.closest(part, None, tool, pose)
print(f"distance {near.distance:.6f}, certainly within [{near.lower:.6f}, {near.upper:.6f}], {near.end.name}")
print("from", near.points[0], "to", near.points[1])
assert near.lower <= near.distance <= near.upper
assert np.allclose(near.points[1] - near.points[0], near.distance * near.normal)

# %% A boolean answer has a witness: here a plane between the bodies.
answer = clearance.overlap(part, None, tool, pose)
assert not answer and answer.witness.kind == "plane"

# %% How far may the tool go down before it touches? And if 2 cm must be kept?
down = clearance.Motion.translation(pose, [-0.3, 0.0, -0.6])
print("free share of the way:", clearance.cast(part, None, tool, down).fraction)
print("with 0.02 kept:       ", clearance.cast(part, None, tool, down, clearance=0.02).fraction)

# %% Many poses at once: arrays in, a structured array out, no Python loop.
rng = np.random.default_rng(1)
turns = rng.normal(size=(100_000, 4))
turns /= np.linalg.norm(turns, axis=1)[:, None]
rows = clearance.batch.closest_at(part, None, tool, (rng.uniform(-1, 1, (100_000, 3)), turns))
print(f"{np.count_nonzero(rows['contact']) / len(rows):.1%} of the poses collide; the largest gap is", rows["distance"].max())

# %% Wrong input is an error that names the argument.
try:
    clearance.Shape.cuboid([1.0, -1.0, 1.0])
except clearance.ShapeError as error:
    print("refused:", error)
