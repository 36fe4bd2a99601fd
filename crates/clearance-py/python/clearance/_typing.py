"""Names for what arguments take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._clearance import Body, Pose, Poses


class HasQuaternion(Protocol):
    """A rotation such as SciPy's."""

    def as_quat(self) -> Any:
        """The quaternion x, y, z, w."""


Vector: TypeAlias = npt.ArrayLike
#: A Pose, a 4 x 4 matrix, a translation, a pair (translation, rotation), a rotation, or None for the identity.
PoseLike: TypeAlias = "Pose | npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike | HasQuaternion] | HasQuaternion | None"
#: Poses, or an array of shape (n, 4, 4), (n, 7) or (n, 3), or a pair of translations (n, 3) and rotations.
PosesLike: TypeAlias = "Poses | npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike | HasQuaternion] | list[Pose]"
#: A body, or a pair (body, pose).
Placed: TypeAlias = "Body | tuple[Body, PoseLike]"
Array: TypeAlias = npt.NDArray[np.float64]
Records: TypeAlias = npt.NDArray[np.void]
