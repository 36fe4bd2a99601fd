"""Collision detection for 3D solids: no silent wrong answers.

Every answer carries its witness, bounds with ``lower <= exact <= upper``, and how it ended. One set of verbs serves bodies of every kind:
Shape (convex), Mesh, Compound, HeightField, PointCloud, HalfSpace, and any of them padded.

>>> import clearance
>>> part, tool = clearance.Shape.cuboid([1, 1, 1]), clearance.Shape.capsule(0.5, 0.1)
>>> near = clearance.closest(part, None, tool, [3, 0, 0])
>>> round(near.distance, 9), near.lower <= near.distance <= near.upper
(1.4, True)

A pose is a Pose, a 4 x 4 matrix, a translation, a pair of a translation and a rotation (a quaternion x, y, z, w, or SciPy's Rotation), or
None for the identity. Lengths have no unit; angles are radians. Errors are ValueErrors that name the argument or element.

``clearance.batch`` asks about many pairs at once, with arrays in and out; ``clearance.exact`` answers exactly and writes proofs;
``clearance.World`` keeps many bodies.
"""

from . import batch, exact
from ._answers import (
    Answer,
    Cast,
    Certificate,
    Closest,
    Contact,
    ContactPair,
    ContactPoint,
    Cut,
    Element,
    End,
    Event,
    ExactDistance,
    Feature,
    Intersection,
    Manifold,
    Moved,
    NearBody,
    NearPair,
    Overlap,
    Projection,
    Range,
    RangeEnd,
    RayHit,
    Slid,
    SlideEnd,
    Statistics,
    Step,
    Within,
    Witness,
)
from ._clearance import (
    ArgumentError,
    Body,
    BodyId,
    Cache,
    CastError,
    ClearanceError,
    Compound,
    DirectionError,
    FileError,
    HalfSpace,
    HeightField,
    Mesh,
    MeshError,
    Motion,
    MotionError,
    NotCertified,
    NotExact,
    PointCloud,
    Pose,
    PoseError,
    Poses,
    RayError,
    Shape,
    ShapeError,
    World,
    WorldError,
    __version__,
    cast,
    cast_ray,
    cast_ray_all,
    closest,
    contact_range,
    contacts,
    distance,
    intersection,
    load,
    manifold,
    move_body,
    overlap,
    project,
    slide,
    time_of_impact,
    within,
)

__all__ = [name for name in dir() if not name.startswith("_")]
