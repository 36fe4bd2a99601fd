"""Bodies are pickled as the call that made them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _clearance


def _given(value: Any) -> Any:
    """An argument as it was given: arrays are kept as their bytes."""
    if isinstance(value, tuple) and value and value[0] == "array":
        _, kind, shape, data = value
        return np.frombuffer(data, dtype=kind).reshape(shape)
    if isinstance(value, tuple) and value and value[0] == "rows":
        corners, counts = _given(value[1]), _given(value[2])
        return [row.tolist() for row in np.split(corners, np.cumsum(counts)[:-1])]
    return value


def remake(call: str, arguments: tuple[Any, ...]) -> Any:
    """The body that a call makes."""
    target: Any = _clearance
    for name in call.split("."):
        target = getattr(target, name)
    return target(*map(_given, arguments))


def remake_robot(call: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The robot that a call makes."""
    return getattr(_clearance.Robot, call)(*arguments, **keywords)


def remake_workcell(robot: _clearance.Robot, calls: tuple[tuple[str, tuple[Any, ...]], ...]) -> _clearance.Workcell:
    """The workcell that calls make."""
    cell = _clearance.Workcell(robot)
    for name, arguments in calls:
        getattr(cell, name)(*arguments)
    return cell


def remake_scene(parts: tuple[tuple[str, _clearance.Body, _clearance.Pose], ...], clearance: float, title: str) -> _clearance.Scene:
    """The scene of these parts."""
    return _clearance.Scene(parts, clearance=clearance, title=title)
