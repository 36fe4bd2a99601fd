"""Checks out of one machine: classes for Ray Data's ``map_batches`` and Dask's ``map_partitions``.

Each worker makes its robot or scene once and answers batches with one thread. A batch is an Arrow table, a dictionary of arrays or a pandas
frame; the answers are more columns of it. An answer depends on its row alone, so that neither the number of workers nor a worker that
dies and is replaced changes a bit. Rows may come back in another order, as Ray has it: give them a number if that matters.

    import ray, clearance.ray
    rows = ray.data.read_parquet("configurations.parquet")
    free = clearance.ray.check_configs(rows, cell, workers=8).filter(lambda row: row["free"])

With Dask: ``frame.map_partitions(clearance.ray.CheckConfigs(cell))``.

Ray and Dask are not needed to import this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import batch as _batch
from ._clearance import Body, Poses, Workcell
from ._tables import column, columns, extended

CellOrMaker = Workcell | Callable[[], Workcell]


def _cell(given: CellOrMaker) -> Workcell:
    """The workcell, or what a function makes: one that loads files that are there on the worker."""
    return given if isinstance(given, Workcell) else given()


class CheckConfigs:
    """Answers batches of configurations: a column for each value of a configuration, by the robot's ``value_names`` unless others are named.

    ``cell`` is a Workcell, which is pickled by the files of its robot, or a function that makes one. Options are those of
    ``Workcell.check_configs``.

    >>> import numpy as np
    >>> text = '''<robot name="slider"><link name="rail"/>
    ... <link name="cart"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>
    ... <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><limit lower="0" upper="9"/></joint></robot>'''
    >>> cell = clearance.robot.Workcell(clearance.robot.Robot.parse(text))
    >>> number = cell.add("stop", clearance.Shape.sphere(0.5), [3, 0, 0])
    >>> clearance.ray.CheckConfigs(cell)({"x": np.array([0.0, 2.5])})["free"].tolist()
    [True, False]
    """

    def __init__(self, cell: CellOrMaker, names: Sequence[str] | None = None, **options: Any) -> None:
        self.cell, self.options = _cell(cell), {"threads": 1, **options}
        self.names = list(names) if names is not None else self.cell.robot.value_names

    def __call__(self, batch: Any) -> Any:
        """The batch with its answers."""
        return extended(batch, self.cell.check_configs(columns(batch, self.names), **self.options))


class CheckEdges:
    """Answers batches of edges: columns for each value of both ends, ``q0_`` and ``q1_`` before the robot's ``value_names`` unless others are
    named. Options are those of ``Workcell.check_edges``."""

    def __init__(
        self, cell: CellOrMaker, names: tuple[Sequence[str], Sequence[str]] | None = None, **options: Any
    ) -> None:
        self.cell, self.options = _cell(cell), {"threads": 1, **options}
        values = self.cell.robot.value_names
        self.names = names or ([f"q0_{name}" for name in values], [f"q1_{name}" for name in values])

    def __call__(self, batch: Any) -> Any:
        """The batch with its answers."""
        ends = [columns(batch, names) for names in self.names]
        return extended(batch, self.cell.check_edges(*ends, **self.options))


class CheckPairs:
    """Answers batches of pairs of a scene: two columns of indices into its bodies and poses. ``verb`` is a function of ``clearance.batch`` that
    takes pairs, by name."""

    def __init__(
        self,
        scene: tuple[Sequence[Body], Any] | Callable[[], tuple[Sequence[Body], Any]],
        verb: str = "closest",
        names: tuple[str, str] = ("a", "b"),
        **options: Any,
    ) -> None:
        bodies, poses = scene() if callable(scene) else scene
        self.bodies, self.poses = list(bodies), Poses(poses)
        self.verb, self.names, self.options = getattr(_batch, verb), names, {"threads": 1, **options}

    def __call__(self, batch: Any) -> Any:
        """The batch with its answers."""
        pairs = np.stack([np.asarray(column(batch, name)) for name in self.names], axis=1)
        return extended(batch, self.verb(self.bodies, self.poses, pairs, **self.options))


def _mapped(dataset: Any, kind: type, given: Any, workers: int, batch_size: int, options: dict[str, Any]) -> Any:
    return dataset.map_batches(
        kind,
        fn_constructor_args=(given,),
        fn_constructor_kwargs=options,
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        concurrency=workers,
    )


def check_configs(dataset: Any, cell: CellOrMaker, *, workers: int = 2, batch_size: int = 4096, **options: Any) -> Any:
    """The Ray Dataset of configurations with their answers: see ``CheckConfigs``."""
    return _mapped(dataset, CheckConfigs, cell, workers, batch_size, options)


def check_edges(dataset: Any, cell: CellOrMaker, *, workers: int = 2, batch_size: int = 1024, **options: Any) -> Any:
    """The Ray Dataset of edges with their answers: see ``CheckEdges``."""
    return _mapped(dataset, CheckEdges, cell, workers, batch_size, options)


def check_pairs(dataset: Any, scene: Any, *, workers: int = 2, batch_size: int = 4096, **options: Any) -> Any:
    """The Ray Dataset of pairs of a scene with their answers: see ``CheckPairs``."""
    return _mapped(dataset, CheckPairs, scene, workers, batch_size, options)


__all__ = ["CheckConfigs", "CheckEdges", "CheckPairs", "check_configs", "check_edges", "check_pairs"]
