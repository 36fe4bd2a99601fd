"""Arrow data in and out through the PyCapsule interface, which pyarrow, polars, DuckDB, pandas and others speak. None of them is needed here.

Answers: ``pyarrow.table(clearance.arrow.Records(rows))`` or ``polars.DataFrame(clearance.arrow.Records(rows))``. Questions: whatever hands out Arrow data
is taken for poses (columns x, y, z and qx, qy, qz, qw) and for configurations (a column for each value of the robot).

>>> rows = clearance.batch.overlap_at(clearance.Shape.sphere(1), None, clearance.Shape.sphere(1), [[1, 0, 0], [3, 0, 0]])
>>> table = clearance.arrow.Records(rows)
>>> clearance.arrow.columns(table)["iterations"].dtype.name, len(clearance.batch.overlap_at(
...     clearance.Shape.sphere(1), None, clearance.Shape.sphere(1), clearance.arrow.Records({"x": [1.0], "y": [0.0], "z": [0.0]})))
('float64', 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._clearance import ArrowColumns
from ._clearance import arrow_columns as columns
from ._tables import flat


class Records(ArrowColumns):
    """An array of records, or columns by name, as Arrow data: fields of several numbers are divided, ``points`` into ``points_0_0`` and so on."""

    def __new__(cls, rows: Any) -> Records:
        """Takes the columns over."""
        named = rows if isinstance(rows, Mapping) else flat(rows)
        return super().__new__(cls, [(name, np.asarray(values)) for name, values in named.items()])


__all__ = ["Records", "columns"]
