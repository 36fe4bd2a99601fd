"""Bodies, scenes, robots and findings in the Rerun viewer: ``pip install clearance[rerun]``.

    import rerun as rr, clearance.rerun
    rr.init("clearance", spawn=True)
    clearance.rerun.log_body("part", part, pose)
    clearance.rerun.log_closest("gap", clearance.closest(part, pose, tool, other))
    clearance.rerun.log_robot("panda", cell, q)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._answers import Closest, ContactPoint, Finding
from ._clearance import Body, Pose, Workcell
from ._typing import Array, PoseLike


def _rerun() -> Any:
    try:
        import rerun
    except ImportError as error:
        raise ImportError("clearance.rerun needs the Rerun SDK: pip install clearance[rerun]") from error
    return rerun


def _mesh(triangles: Array, colour: tuple[int, int, int] | None) -> Any:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.repeat(normals / np.where(lengths > 0, lengths, 1), 3, axis=0)
    return _rerun().Mesh3D(vertex_positions=triangles.reshape(-1, 3), vertex_normals=normals, albedo_factor=colour)


def _place(entity: str, pose: PoseLike) -> None:
    taken = pose if isinstance(pose, Pose) else Pose() @ pose
    rr = _rerun()
    rr.log(entity, rr.Transform3D(translation=taken.translation, quaternion=rr.Quaternion(xyzw=taken.rotation)))


def log_body(entity: str, body: Body, pose: PoseLike = None, *, colour: tuple[int, int, int] | None = None) -> None:
    """Logs a body at a pose."""
    _place(entity, pose)
    _rerun().log(entity, _mesh(body.surface(), colour))


def log_closest(entity: str, near: Closest | ContactPoint | Finding) -> None:
    """Logs the two points of an answer, with its distance."""
    if near.points is None:
        return
    rr = _rerun()
    colour = (220, 50, 40) if near.distance <= 0 else (40, 160, 80)
    rr.log(entity, rr.LineStrips3D([near.points], colors=[colour], labels=[f"{near.distance:.6g}"]))


def log_robot(entity: str, cell: Workcell, q: Any) -> None:
    """Logs the links of a robot at a configuration; call it again to move it."""
    rr, robot = _rerun(), cell.robot
    places = robot.link_poses(np.asarray(q, dtype=float).reshape(1, -1))[0]
    for number, (link, triangles) in enumerate(robot.link_surfaces()):
        name = f"{entity}/{robot.link_names[link]}/{number}"
        _place(name, cell.base @ Pose.from_matrix(places[link]))
        rr.log(name, _mesh(triangles, None))


__all__ = ["log_body", "log_closest", "log_robot"]
