"""Robots: kinematics, configurations, edges, wrong input, pickling."""

import pickle

import clearance as c
import numpy as np
import pytest
from robots import ARM, arm_cell, panda

Robot, Workcell, Verdict, EdgeVerdict = c.robot.Robot, c.robot.Workcell, c.robot.Verdict, c.robot.EdgeVerdict


def random_configs(robot, count, seed=1):
    low, high = np.clip(robot.limits, -np.pi, np.pi).T
    return np.random.default_rng(seed).uniform(low, high, (count, robot.dof))


def test_kinematics():
    robot = Robot.parse(ARM)
    poses = robot.link_poses([[0.3, 0.4], [0, 0]])
    assert poses.shape == (2, 4, 4, 4) and robot.link_names == ["base", "upper", "fore", "hand"]
    hand = [np.cos(0.3) + np.cos(0.7), np.sin(0.3) + np.sin(0.7), 0]
    np.testing.assert_allclose(poses[0, 3, :3, 3], hand, atol=1e-12)
    np.testing.assert_allclose(robot.limits, [[-3, 3]] * 2)
    assert robot.is_within_limits([[0, 0], [4, 0]]).tolist() == [True, False]
    assert robot.with_locked({"elbow": 0.5}).value_names == ["shoulder"]


def test_configurations_are_as_the_verbs_say():
    cell = arm_cell()
    robot, tool, post = cell.robot, c.Shape.capsule(0.1, 0.02), c.Shape.cylinder(1, 0.1)
    q = random_configs(robot, 300)
    rows = cell.check_configs(q, distance="signed", gradient=True)
    plain = cell.check_configs(q)
    assert np.array_equal(rows["free"], plain["free"]) and 20 < rows["free"].sum() < 280
    upper, fore, hand = c.Shape.cuboid([0.5, 0.05, 0.05]), c.Shape.cuboid([0.5, 0.04, 0.04]), c.Shape.sphere(0.1)
    for i, poses in enumerate(robot.link_poses(q)):
        places = [c.Pose.from_matrix(pose) for pose in poses]
        bodies = {
            "upper": (upper, places[1] @ [0.5, 0, 0]),
            "fore": (fore, places[2] @ [0.5, 0, 0]),
            "hand": (hand, places[3]),
            "tool": (tool, places[3] @ [0.1, 0, 0]),
            "post": (post, c.Pose([0, 0.9, 0])),
        }
        pairs = [("upper", "hand"), ("upper", "tool"), *((name, "post") for name in ["upper", "fore", "hand", "tool"])]
        near = {pair: c.closest(*bodies[pair[0]], *bodies[pair[1]]) for pair in pairs}
        least = min(near.values(), key=lambda one: one.distance)
        assert rows[i]["lower"] <= least.upper + 1e-12 and least.lower <= rows[i]["upper"] + 1e-12
        if abs(least.distance) > 1e-9:
            assert rows[i]["free"] == (least.distance > 0)
        if not rows[i]["free"]:
            pair = tuple(cell.names[k] for k in rows[i]["pair"])
            assert near[pair if pair in near else pair[::-1]].distance < 1e-9


def test_gradients_are_slopes():
    cell, h, seen = arm_cell(), 1e-6, 0
    for row in random_configs(cell.robot, 40, seed=3):
        steps = np.array([row, *(row + h * e for e in np.eye(2)), *(row - h * e for e in np.eye(2))])
        rows = cell.check_configs(steps, distance="when-free", gradient=True)
        if rows["free"].all() and len({tuple(pair) for pair in rows["near"]}) == 1:
            slopes = (rows["distance"][1:3] - rows["distance"][3:5]) / (2 * h)
            seen += np.allclose(slopes, rows["gradient"][0], atol=1e-3)
    assert seen > 10


def test_edges_that_are_free_are_free_everywhere():
    cell = arm_cell()
    q0, q1 = random_configs(cell.robot, 200, 5), random_configs(cell.robot, 200, 6)
    rows = cell.check_edges(q0, q1)
    assert 10 < rows["free"].sum() < 190 and (rows["verdict"] == EdgeVerdict.UNDECIDED).sum() <= 2
    for i, row in enumerate(rows):
        shares = np.linspace(0, 1, 200)
        free = cell.check_configs(q0[i] + shares[:, None] * (q1[i] - q0[i]))["free"]
        assert free[shares < row["free_from_start"]].all() and free[shares > 1 - row["free_from_end"]].all()
        if row["verdict"] == EdgeVerdict.COLLIDING:
            hits = q0[i] + row["hits"][:, None] * (q1[i] - q0[i])
            assert not cell.check_configs(hits)["free"].any()


def test_paths_samples_and_ways_out():
    cell = arm_cell()
    path = cell.sample_free(4, seed=3)
    assert path.shape == (4, 2) and cell.check_configs(path)["free"].all()
    assert np.array_equal(path, cell.sample_free(4, seed=3, threads=1))
    least = cell.clearance_along(path)
    shares = np.linspace(0, 1, 500)[:, None]
    along = np.vstack([a + shares * (b - a) for a, b in zip(path[:-1], path[1:], strict=True)])
    sampled = cell.check_configs(along, distance="signed")["distance"].min()
    assert least.lower <= sampled + 1e-12 and least.lower <= least.clearance <= least.upper and 0 <= least.time <= 3
    assert sampled - least.upper < 0.02
    hit = next(q for q in random_configs(cell.robot, 1000) if not cell.check_configs(q)["free"][0])
    free = cell.nearest_free(hit)
    assert free is not None and cell.check_configs(free)["free"][0]
    assert pickle.loads(pickle.dumps(least)) == least


def test_threads_change_no_bit():
    cell = arm_cell()
    q = random_configs(cell.robot, 5000)
    for ask in [
        lambda threads: cell.check_configs(q, distance="signed", gradient=True, threads=threads),
        lambda threads: cell.check_edges(q[:500], q[500:1000], threads=threads),
    ]:
        assert len({ask(threads).tobytes() for threads in [1, 2, 3, None]}) == 1


def test_rows_that_are_no_configurations():
    cell = arm_cell()
    rows = cell.check_configs([[0, 0], [np.nan, 0], [0, np.inf]])
    assert rows["verdict"].tolist() == [Verdict.FREE, Verdict.INVALID, Verdict.INVALID] and rows["error"].tolist() == [0, 1, 1]
    edges = cell.check_edges([[0, 0], [np.nan, 0]], [[0.1, 0], [0, 0]])
    assert edges["verdict"].tolist() == [EdgeVerdict.FREE, EdgeVerdict.INVALID]
    stopped = cell.check_configs([[0, 0], [1.57, 0], [0, 0]], stop_at_collision=True)
    assert stopped["verdict"].tolist() == [Verdict.FREE, Verdict.COLLIDING, Verdict.UNCHECKED]
    assert len(cell.check_configs(np.zeros((0, 2)))) == 0


WRONG = {
    "q": lambda cell: cell.check_configs([[0, 0, 0]]),
    "q1": lambda cell: cell.check_edges([[0, 0]], [[0, 0], [1, 1]]),
    "gradient": lambda cell: cell.check_configs([[0, 0]], gradient=True),
    "distance": lambda cell: cell.check_configs([[0, 0]], distance="banana"),
    "threads": lambda cell: cell.check_configs([[0, 0]], threads=-0),
    "post": lambda cell: cell.add("post", c.Shape.sphere(1)),
    "nowhere": lambda cell: cell.attach("box", "nowhere", c.Shape.sphere(1)),
    "nobody": lambda cell: cell.remove("nobody"),
    "meshes": lambda cell: Robot.parse(ARM, meshes="banana"),
    "padding_of": lambda cell: Robot.parse(ARM, padding_of=3),
    "ghost": lambda cell: Robot.parse(ARM.replace('child link="fore"', 'child link="ghost"')),
    "elbow": lambda cell: Robot.parse(ARM.replace('<axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>\n<joint name="wrist"', '<axis xyz="0 0 0"/><limit lower="-3" upper="3"/></joint>\n<joint name="wrist"')),
    "missing.stl": lambda cell: Robot.parse(ARM.replace('<sphere radius="0.1"/>', '<mesh filename="missing.stl"/>')),
    "nowhere.urdf": lambda cell: Robot.load("nowhere.urdf"),
    "upper": lambda cell: Robot.parse(ARM.replace('<parent link="base"/>', '<parent link="fore"/>')),
    "no state": lambda cell: cell.robot.state("ready"),
}


@pytest.mark.parametrize("named", WRONG)
def test_errors_name_the_element(named):
    with pytest.raises(c.ClearanceError) as caught:
        WRONG[named](arm_cell())
    assert named in str(caught.value), str(caught.value)


def test_workcells_are_pickled():
    cell = arm_cell()
    cell.set_base([0.1, 0, 0])
    cell.add("box", c.Shape.cuboid([0.1, 0.1, 0.1]), [3, 0, 0])
    cell.remove("box")
    assert cell.add_all([(f"ball {i}", c.Shape.sphere(0.05), [3, i, 0]) for i in range(3)]) == [7, 8, 9]
    with pytest.raises(c.ClearanceError, match="ball 1"):
        cell.add_all([("new", c.Shape.sphere(0.05), None), ("ball 1", c.Shape.sphere(0.05), None)])
    cell.allow("upper", "post")
    again = pickle.loads(pickle.dumps(cell))
    q = random_configs(cell.robot, 500)
    assert again.names == cell.names and again.base == cell.base and repr(again) == repr(cell)
    assert again.check_configs(q, distance="signed").tobytes() == cell.check_configs(q, distance="signed").tobytes()
    locked = cell.robot.with_locked({"elbow": 0.5})
    assert pickle.loads(pickle.dumps(locked)).value_names == ["shoulder"]


def test_the_panda():
    robot = panda()
    cell = Workcell(pickle.loads(pickle.dumps(robot)))
    q = random_configs(robot, 2000)
    rows = cell.check_configs(q, distance="signed")
    assert 0.02 < 1 - rows["free"].mean() < 0.98, rows["free"].mean()
    assert (rows["lower"] <= rows["distance"]).all() and (rows["distance"] <= rows["upper"]).all()
    assert np.array_equal(rows["free"], cell.check_configs(q)["free"])
    cell.add("table", c.Shape.cuboid([1, 1, 0.05]), [0, 0, -0.2])
    assert (cell.check_configs(q)["free"] <= rows["free"]).all()
