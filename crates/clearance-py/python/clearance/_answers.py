"""What the verbs answer: frozen classes, in world space. Index 0 belongs to A and 1 to B; normals are unit vectors from A to B;
distances are negative where bodies overlap, and the exact value is within ``lower`` and ``upper``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._clearance import BodyId, Pose, Shape

Array = npt.NDArray[np.float64]


class Contact(IntEnum):
    """Apart, touching (a translation within the tolerance separates the bodies) or overlapping."""

    APART = 0
    TOUCHING = 1
    OVERLAPPING = 2


class End(IntEnum):
    """How a query ended: with bounds within the tolerance, at its iteration limit, or stopped by rounding. Bounds are valid in any case."""

    CONVERGED = 0
    ITERATION_LIMIT = 1
    DEGENERATE = 2


class Element(IntEnum):
    """The kind of a feature: a part of a body's surface, or the body as a whole where the query does not look for features."""

    VERTEX = 0
    EDGE = 1
    FACE = 2
    SMOOTH = 3
    WHOLE = 4


class Cut(IntEnum):
    """How one of two solids that overlap is in the other."""

    PIERCING = 0
    PROTRUDING = 1
    INSIDE_B = 2
    INSIDE_A = 3
    DUPLICATE = 4


class SlideEnd(IntEnum):
    """How a slide ended."""

    FREE = 0
    SLID = 1
    STOPPED = 2
    STEP_LIMIT = 3
    OVERLAPPING = 4


CONTACTS, ENDS, ELEMENTS, CUTS, SLIDE_ENDS = tuple(Contact), tuple(End), tuple(Element), tuple(Cut), tuple(SlideEnd)


def _plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Answer):
        return value.to_dict()
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    return str(value)


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return str(value.tolist())
    if isinstance(value, IntEnum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


class Answer:
    """What all answers have: equality, a readable ``repr``, a table in notebooks, ``to_dict`` for JSON, and they can be pickled."""

    __slots__ = ()

    def _items(self) -> list[tuple[str, Any]]:
        return [(field.name, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values, as JSON has them."""
        return {name: _plain(value) for name, value in self._items()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={_shown(value)}' for name, value in self._items())})"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{name}</th><td>{escape(_shown(value))}</td></tr>" for name, value in self._items())
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(value, getattr(other, name)) for name, value in self._items())

    def __hash__(self) -> int:
        return hash(repr(self))


_answer = dataclass(frozen=True, slots=True, eq=False, repr=False)


@_answer
class Feature(Answer):
    """A part of a body's surface: of a part of a compound (0 for other bodies), its kind, and the numbers of its vertices or face."""

    part: int
    element: Element
    index: tuple[int, ...]


@_answer
class Closest(Answer):
    """The signed distance of two bodies: ``points[1] - points[0] = distance * normal``."""

    distance: float
    lower: float
    upper: float
    points: Array
    normal: Array
    features: tuple[Feature, Feature]
    contact: Contact
    end: End
    iterations: int


@_answer
class Witness(Answer):
    """Why a boolean answer is right. ``kind`` is "plane" (``normal``, and ``offsets`` up to which A and down to which B reach), "point" (a
    common one), "gap" (the bodies are at least so far apart) or "points" (one of each body, near enough)."""

    kind: str
    normal: Array | None
    offsets: tuple[float, float] | None
    points: Array | None
    gap: float | None


@_answer
class Overlap(Answer):
    """Whether two bodies have a point in common; touching counts."""

    overlap: bool
    witness: Witness
    end: End
    iterations: int

    def __bool__(self) -> bool:
        return self.overlap


@_answer
class Within(Answer):
    """Whether two bodies are within a distance of each other."""

    within: bool
    witness: Witness
    lower: float
    upper: float
    end: End
    iterations: int

    def __bool__(self) -> bool:
        return self.within


@_answer
class ContactPoint(Answer):
    """A place where two bodies are in contact or near each other: ``points[1] - points[0] = distance * normal``."""

    points: Array
    normal: Array
    distance: float
    features: tuple[Feature, Feature]

    @property
    def depth(self) -> float:
        """How far the surfaces have passed each other."""
        return -self.distance


@_answer
class Manifold(Answer):
    """The contact of two bodies: a few points for a simulator to push on."""

    normal: Array
    distance: float
    points: tuple[ContactPoint, ...]
    end: End

    @property
    def depth(self) -> float:
        """How deep the bodies overlap as a whole; negative if they do not."""
        return -self.distance


@_answer
class Cast(Answer):
    """The first contact along a motion: the share of it that is free. ``start`` says how the bodies were placed, ``way_out`` is a translation
    of B that ends an overlap at the start, ``hit`` the contact at ``fraction``, None if the whole motion is free."""

    fraction: float
    lower: float
    upper: float
    start: Contact
    way_out: Array | None
    hit: ContactPoint | None
    end: End
    iterations: int


@_answer
class RayHit(Answer):
    """Where a ray meets a body: at ``t`` lengths of its direction, on the "front" or the "back" of the surface."""

    t: float
    lower: float
    upper: float
    point: Array
    normal: Array
    feature: Feature
    side: str
    inside: bool
    end: End


@_answer
class Projection(Answer):
    """The point of a body nearest to a given point, with the signed distance."""

    distance: float
    lower: float
    upper: float
    nearest: Array
    normal: Array
    feature: Feature
    contact: Contact
    end: End


@_answer
class RangeEnd(Answer):
    """The first or the last contact along a direction, at ``at`` lengths of it."""

    at: float
    lower: float
    upper: float
    points: Array
    normal: Array
    features: tuple[Feature, Feature]
    end: End


@_answer
class Range(Answer):
    """The positions of B along a direction at which it meets A: all from the first end to the last. ``distance`` is how far B is from
    touching along it, negative where the bodies overlap."""

    ends: tuple[RangeEnd, RangeEnd]
    distance: float
    iterations: int


@_answer
class Intersection(Answer):
    """What two solids have in common: closed polylines where their surfaces cross, a box around it, bounds of its volume. Box and volume hold
    whatever the end; ``cut`` and ``curves`` are those of inscribed polyhedra if it is ITERATION_LIMIT, and not known if DEGENERATE."""

    cut: Cut | None
    curves: tuple[Array, ...]
    bounds: Array
    volume: tuple[float, float]
    end: End


@_answer
class PushOut(Answer):
    """A translation that takes a body out of another, and the signed distance after it."""

    translation: Array
    near: Closest
    end: End


@_answer
class Slid(Answer):
    """How a body slid: ``hits`` are pairs of the number of an obstacle and the contact."""

    pose: Pose
    hits: tuple[tuple[int, ContactPoint], ...]
    left: Array
    end: SlideEnd
    way_out: Array | None
    zone: float


@_answer
class Moved(Answer):
    """How a translation and then a rotation went: each with the number of the obstacle that stopped it."""

    pose: Pose
    translation: tuple[int, Cast]
    rotation: tuple[int, Cast]


@_answer
class ExactDistance(Answer):
    """An exact distance: the doubles next to it, which are equal where it is one, and those next to its square."""

    lower: float
    upper: float
    square: tuple[float, float]


@_answer
class Certificate(Answer):
    """A proof that anyone can check with exact arithmetic: its text (JSON), and what it claims."""

    text: str
    lower: float | None
    upper: float | None
    free_until: float | None


@_answer
class Event(Answer):
    """Something that has happened to a pair: ``kind`` is "begin", "persist" or "end" of touching."""

    kind: str
    bodies: tuple[BodyId, BodyId]
    before: Closest | None


@_answer
class NearPair(Answer):
    """Two bodies of a world within the distance asked for."""

    bodies: tuple[BodyId, BodyId]
    closest: Closest


@_answer
class NearBody(Answer):
    """A body of a world near what was asked about, which is A."""

    body: BodyId
    closest: Closest


@_answer
class ContactPair(Answer):
    """Two bodies of a world in contact."""

    bodies: tuple[BodyId, BodyId]
    manifold: Manifold
    is_kept: bool


@_answer
class Statistics(Answer):
    """What a step of a world did."""

    pairs: int
    beyond_spheres: int
    asleep: int
    tested: int
    kept: int
    touching: int
    supports: int
    surprises: int


@_answer
class Step(Answer):
    """What a step of a world tells, in ascending order of the bodies."""

    events: tuple[Event, ...]
    near: tuple[NearPair, ...]
    contacts: tuple[ContactPair, ...]
    statistics: Statistics


@_answer
class PathClearance(Answer):
    """The least signed distance along a path of a robot: ``time`` is the number of the edge and the share of it, ``pair`` the numbers of the two
    links or bodies that are nearest or deepest there."""

    clearance: float
    lower: float
    upper: float
    time: float
    pair: tuple[int, int] | None
    points: Array | None
    normal: Array | None
    steps: int


@_answer
class Finding(Answer):
    """A finding about two parts of a scene: ``kind`` is "piercing", "protruding", "contained", "duplicate", "clearance" (not kept) or "touching",
    which is no clash; ``volume`` has bounds of what they share."""

    kind: str
    parts: tuple[str, str]
    distance: float
    lower: float
    upper: float
    points: Array | None
    normal: Array | None
    volume: tuple[float, float] | None


@_answer
class Decomposition(Answer):
    """Convex parts that together cover a solid, and how far a point of them can be from it at most."""

    parts: tuple[Shape, ...]
    error: float
    end: End
