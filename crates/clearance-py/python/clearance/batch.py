"""The verbs for many pairs at once: arrays in, structured arrays out, no Python loop, other threads of Python running.

Pairs come in two forms: rows of two indices into a table of bodies with their poses (``overlap``, ``closest``, ``distance``, ``within``), or two
bodies of which the second is at many poses (``overlap_at``, ``closest_at``, ``distance_at``, ``within_at``). Poses are what ``clearance.Poses``
takes; one of these, and ``clearance.Bodies``, are read and checked once.

A row whose pose is none has its reason in the field ``error`` (see ``ERRORS``) and NaN elsewhere; the others are answered. Rows are the same
bits whatever the number of ``threads`` (all processors by default) and whichever other rows are asked; booleans are those of the verbs for one
pair, distances are within the bounds of both. Ctrl-C ends a long batch.

>>> import clearance
>>> rows = clearance.batch.closest_at(clearance.Shape.sphere(1), None, clearance.Shape.sphere(1), [[3, 0, 0], [1, 0, 0]])
>>> rows["distance"].tolist(), (rows["contact"] == clearance.Contact.APART).tolist()
([1.0, -1.0], [True, False])
"""

from ._clearance import batch_closest as closest
from ._clearance import batch_closest_at as closest_at
from ._clearance import batch_distance as distance
from ._clearance import batch_distance_at as distance_at
from ._clearance import batch_overlap as overlap
from ._clearance import batch_overlap_at as overlap_at
from ._clearance import batch_within as within
from ._clearance import batch_within_at as within_at

#: What the numbers in the field ``error`` mean.
ERRORS = {
    0: "",
    1: "a number is NaN or infinite",
    2: "a matrix or quaternion is no rotation",
    3: "a number is out of the range of poses",
}

__all__ = ["ERRORS", "closest", "closest_at", "distance", "distance_at", "overlap", "overlap_at", "within", "within_at"]
