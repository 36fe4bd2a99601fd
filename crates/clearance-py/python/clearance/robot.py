"""Robots: URDF and SRDF, forward kinematics, self-collision and surroundings, and joint-space edges that are free *with proof*.

>>> import clearance
>>> text = '''<robot name="arm"><link name="base"/>
... <link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
... <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/></joint></robot>'''
>>> cell = clearance.robot.Workcell(clearance.robot.Robot.parse(text))
>>> number = cell.add("post", clearance.Shape.cylinder(1, 0.1), [0, 0.8, 0])
>>> edge = cell.check_edges([[0.0]], [[3.0]])[0]
>>> clearance.robot.EdgeVerdict(edge["verdict"]).name, bool(1.2 < 3 * edge["free_from_start"] < 1.6)
('COLLIDING', True)
"""

from enum import IntEnum

from ._answers import PathClearance
from ._clearance import Robot, RobotError, Workcell


class Verdict(IntEnum):
    """What is known about a configuration: free certainly, colliding (or apart by no more than rounding), not a configuration, not looked at."""

    FREE = 0
    COLLIDING = 1
    INVALID = 2
    UNCHECKED = 3


class EdgeVerdict(IntEnum):
    """What is known about an edge: all of it free with proof, a configuration on it overlaps certainly, neither proved, no edge."""

    FREE = 0
    COLLIDING = 1
    UNDECIDED = 2
    INVALID = 3


__all__ = ["EdgeVerdict", "PathClearance", "Robot", "RobotError", "Verdict", "Workcell"]
