# %% [markdown]
# # A scene of meshes
# Meshes come from arrays or files (`clearance.load("part.stl")`). A closed mesh is a solid; nothing is repaired silently.

# %%
import numpy as np

import clearance


def ring(sides: int, inner: float, outer: float, height: float) -> clearance.Mesh:
    """A ring along z, which is not convex."""
    angles = 2 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    low, high = np.full((sides, 1), -height), np.full((sides, 1), height)
    rings = [np.hstack([inner * circle, low]), np.hstack([outer * circle, low]), np.hstack([outer * circle, high]), np.hstack([inner * circle, high])]
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        for a, b in [(0, 1), (1, 2), (2, 3), (3, 0)]:
            faces.append([b * sides + i, b * sides + j, a * sides + j, a * sides + i])
    return clearance.Mesh(np.vstack(rings), np.array(faces)[:, ::-1], kind="solid")


bearing = ring(48, 1.0, 1.3, 0.4)
shaft = clearance.Shape.cylinder(2.0, 0.95)
print(bearing, "volume", bearing.volume, "convex" if bearing.is_convex else "not convex")

# %% The shaft fits; a shaft that is tilted does not.
fits = clearance.closest(bearing, None, shaft, None)
print(f"clearance of the shaft: {fits.distance:.4f} in [{fits.lower:.4f}, {fits.upper:.4f}]")
assert fits.contact == clearance.Contact.APART
tilted = clearance.Pose.from_axis_angle([1, 0, 0], 0.2)
clash = clearance.intersection(bearing, None, shaft, tilted)
assert clash is not None
print(f"tilted: {len(clash.curves)} curves, volume in {clash.volume}")

# %% A world keeps many bodies, frame after frame, and tells what begins and ends.
world = clearance.World(mode="closest", within=0.5)
floor = world.add(clearance.HalfSpace([0, 0, 1]), fixed=True)
rings = [world.add(bearing, [3.0 * i, 0, 1.0 + 0.5 * i]) for i in range(4)]
for frame in range(6):
    world.set_poses(rings, [[3.0 * i, 0, 1.0 + 0.5 * i - 0.25 * frame] for i in range(4)])
    step = world.step()
    began = [event.bodies[1].index for event in step.events if event.kind == "begin"]
    print("frame", frame, "touching begins:", began, "least gap:", min((pair.closest.distance for pair in step.near), default=None))
assert len(world) == 5
