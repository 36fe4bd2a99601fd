"""Batches of tables as Ray and Dask hand them out: dictionaries of arrays, Arrow tables or pandas frames, in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._typing import Array, Records


def _is_arrow(batch: Any) -> bool:
    return hasattr(batch, "schema") and hasattr(batch, "append_column")


def names_of(batch: Any) -> list[str]:
    """The names of the columns."""
    return list(batch.column_names if _is_arrow(batch) else batch.keys())


def column(batch: Any, name: str) -> Any:
    """A column as an array."""
    if name not in names_of(batch):
        raise KeyError(f"there is no column '{name}'; there are {', '.join(names_of(batch))}")
    values = batch.column(name) if _is_arrow(batch) else batch[name]
    return values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)


def columns(batch: Any, names: Sequence[str]) -> Array:
    """Columns side by side, or one column of rows of numbers."""
    if len(names) == 1:
        values = column(batch, names[0])
        if values.ndim == 2:
            return np.asarray(values, dtype=np.float64)
        if values.dtype == object:
            return np.array(values.tolist(), dtype=np.float64)
    parts = [np.asarray(column(batch, name), dtype=np.float64) for name in names]
    return np.stack(parts, axis=1)


def flat(rows: Records) -> dict[str, Any]:
    """The fields of records as plain columns: those of several numbers are divided, ``points`` into ``points_0_0`` and so on."""
    found: dict[str, Any] = {}
    for name in rows.dtype.names or ():
        values = rows[name]
        if values.ndim == 1:
            found[name] = np.ascontiguousarray(values)
            continue
        for index in np.ndindex(values.shape[1:]):
            found["_".join([name, *map(str, index)])] = np.ascontiguousarray(values[(slice(None), *index)])
    return found


def extended(batch: Any, rows: Records) -> Any:
    """The batch with the answers as more columns, of the same kind as it was."""
    more = flat(rows)
    if _is_arrow(batch):
        import pyarrow as pa

        for name, values in more.items():
            batch = batch.append_column(name, pa.array(values))
        return batch
    if hasattr(batch, "assign"):
        return batch.assign(**more)
    return {**batch, **more}
