"""The verbs for one pair: answers, poses, errors."""

import json
import math
import pickle

import clearance as c
import numpy as np
import pytest

CUBE, BALL = c.Shape.cuboid([1, 1, 1]), c.Shape.sphere(1)
QUARTER = [0, 0, 0.5**0.5, 0.5**0.5]
TURN = [0.1, 0.3, 0.3, 0.9]
TETRA = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]


def bodies():
    mesh = c.Mesh(TETRA, FACES)
    return [
        c.Shape.point(),
        c.Shape.segment(1),
        c.Shape.rectangle([1, 2]),
        CUBE,
        c.Shape.disc(1),
        BALL,
        c.Shape.ellipse([1, 2]),
        c.Shape.ellipsoid([1, 2, 3]),
        c.Shape.capsule(1, 0.5),
        c.Shape.lozenge([1, 2], 0.5),
        c.Shape.round_box([1, 2, 3], 0.5),
        c.Shape.cylinder(1, 0.5),
        c.Shape.cone(2, 1),
        c.Shape.wheel(1, 0.2),
        c.Shape.frustum([1, 1], [0.5, 0.5], 2),
        c.Shape.tapered_cylinder(1, 0.5, 2),
        c.Shape.tapered_capsule(1, [0.5, 0.25]),
        c.Shape.capsule_between([0, 0, 0], [1, 1, 1], 0.2),
        c.Shape.cylinder_between([0, 0, 0], [1, 1, 1], 0.2),
        c.Shape.cone_between([0, 0, 0], [1, 1, 1], 0.2),
        c.Shape.tapered_capsule_between([0, 0, 0], [1, 1, 1], [0.2, 0.1]),
        c.Shape.tapered_cylinder_between([0, 0, 0], [1, 1, 1], [0.2, 0.1]),
        c.Shape.triangle([[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        c.Shape.polytope(TETRA),
        c.Shape.polygon([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]),
        c.Shape.sum(CUBE, (BALL, [1, 0, 0])),
        c.Shape.difference(CUBE, BALL),
        c.Shape.hull(CUBE, (BALL, [3, 0, 0])),
        CUBE.rounded(0.1),
        CUBE.posed(([1, 0, 0], QUARTER)),
        mesh,
        mesh.scaled([1, 2, 3]),
        c.Mesh(TETRA, [[0, 2, 1], [0, 1, 3]]),
        c.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]], [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]),
        c.Compound([CUBE, (BALL, [3, 0, 0]), (mesh, [0, 3, 0])]),
        c.HeightField([[0, 0, 0], [0, 1, 0]], [1, 1]),
        c.HeightField([[0, 0, math.nan], [0, 1, 0]], [1, 1], holes=True),
        c.PointCloud(TETRA, 0.1),
        c.HalfSpace([0, 0, 1], -5),
        mesh.padded(0.25),
        CUBE.padded(0.5),
    ]


def same_bits(a, b):
    return pickle.dumps(a) == pickle.dumps(b)


@pytest.mark.parametrize("body", bodies(), ids=repr)
def test_bodies_are_pickled_compared_and_shown(body):
    again = pickle.loads(pickle.dumps(body))
    assert again == body and hash(again) == hash(body) and repr(again) == repr(body) and type(again) is type(body)
    place = ([7, 0.3, 0.2], TURN)
    assert same_bits(c.closest(CUBE, None, again, place), c.closest(CUBE, None, body, place))
    assert body != c.Shape.sphere(0.123)


@pytest.mark.parametrize("body", bodies(), ids=repr)
def test_every_verb_takes_every_body(body):
    place = c.Pose([2.5, 0.1, 0.2], TURN)
    near = c.closest(CUBE, None, body, place)
    assert near.lower <= near.distance <= near.upper
    np.testing.assert_allclose(near.points[1] - near.points[0], near.distance * near.normal, atol=1e-9)
    apart = c.distance(CUBE, None, body, place)
    assert (apart is None) == bool(c.overlap(CUBE, None, body, place))
    assert c.within(CUBE, None, body, place, max(near.upper, 0) + 0.01).within
    c.manifold(CUBE, None, body, place, margin=1.0)
    c.intersection(CUBE, None, body, place)
    c.cast_ray_all(body, place, [0, 0, 0.5], [1, 0, 0])
    c.project(body, place, [0, 0, 0])
    stop = c.cast(body, place, BALL, c.Motion.translation([-9, 0, 0], [5, 0.1, 0]))
    assert 0 <= stop.lower <= stop.upper <= 1


def test_answers_are_frozen_and_plain():
    near = c.closest(CUBE, None, BALL, [3, 0, 0])
    assert near == c.closest(CUBE, None, BALL, [3, 0, 0]) and near != c.closest(CUBE, None, BALL, [4, 0, 0])
    assert pickle.loads(pickle.dumps(near)) == near
    with pytest.raises(AttributeError):
        near.distance = 1.0
    with pytest.raises(ValueError):
        near.points[0] = 1.0
    assert json.loads(json.dumps(near.to_dict()))["contact"] == "apart"
    assert repr(near).startswith("Closest(distance=1.0, lower=") and "Contact.APART" in repr(near)
    assert "<table>" in near._repr_html_()
    assert c.overlap(CUBE, None, BALL, None) and not c.overlap(CUBE, None, BALL, [9, 0, 0])


class Turn:
    """A rotation as SciPy has it, where SciPy is not there."""

    def as_quat(self):
        return np.array(TURN)

    def as_matrix(self):
        return c.Pose(None, TURN).matrix()[:3, :3]


def test_poses_of_every_kind_are_one():
    try:
        from scipy.spatial.transform import Rotation

        turn = Rotation.from_euler("xyz", [0.3, 0.4, 0.5])
    except ImportError:
        turn = Turn()
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), [3, 0.1, 0.2]
    ways = [
        matrix,
        matrix.tolist(),
        np.asfortranarray(matrix),
        ([3, 0.1, 0.2], turn.as_quat()),
        ([3, 0.1, 0.2], turn),
        (np.array([3, 0.1, 0.2]), tuple(turn.as_quat())),
        c.Pose([3, 0.1, 0.2], turn.as_quat()),
        c.Pose.from_matrix(matrix),
    ]
    distances = [c.closest(CUBE, None, CUBE, way).distance for way in ways]
    np.testing.assert_allclose(distances, distances[0], rtol=1e-12)
    np.testing.assert_allclose(c.Pose.from_matrix(matrix).matrix(), matrix, atol=1e-15)
    pose = c.Pose([1, 2, 3], QUARTER)
    assert pickle.loads(pickle.dumps(pose)) == pose and hash(pickle.loads(pickle.dumps(pose))) == hash(pose)
    assert pose @ None == pose


WRONG = [
    (lambda: c.Shape.cuboid([1, 2]), "half_extents"),
    (lambda: c.Shape.cuboid("abc"), "half_extents"),
    (lambda: c.Shape.cuboid([1, math.nan, 1]), "half_extents"),
    (lambda: c.Shape.sphere(-1), "radius"),
    (lambda: c.Shape.polytope([[0, 0, 0]]), "point"),
    (lambda: c.Shape.polytope(np.zeros((4, 2))), "points"),
    (lambda: c.Shape.polytope([["a", "b", "c"]]), "points"),
    (lambda: c.Mesh(TETRA, [[0, 1, 9]]), "faces[0]"),
    (lambda: c.Mesh(TETRA, [[0, 1, -1]]), "faces"),
    (lambda: c.Mesh(TETRA, [[0.5, 1, 2]]), "faces"),
    (lambda: c.Mesh(TETRA, FACES, kind="banana"), "kind"),
    (lambda: c.Mesh(np.array(TETRA) * math.nan, FACES), "vertices[0]"),
    (lambda: c.Compound([CUBE, 3]), "parts[1]"),
    (lambda: c.HeightField([0, 1], [1, 1]), "heights"),
    (lambda: c.HeightField([[0, 1], [math.nan, 1]], [1, 1]), "height"),
    (lambda: c.PointCloud([], 1), "points"),
    (lambda: c.HalfSpace([0, 0, 0]), "normal"),
    (lambda: c.Pose([math.nan, 0, 0]), "translation"),
    (lambda: c.Pose(None, [0, 0, 0, 0]), "rotation"),
    (lambda: c.closest(CUBE, [1, 2], CUBE, None), "pose_a"),
    (lambda: c.closest(CUBE, None, CUBE, 2 * np.eye(4)), "pose_b"),
    (lambda: c.closest(CUBE, None, CUBE, ([0, 0, 0], [1, 2])), "pose_b.rotation"),
    (lambda: c.closest(CUBE, None, CUBE, [math.inf, 0, 0]), "pose_b"),
    (lambda: c.Motion.rotation(None, [0, 0, 0], [0, 0, 0], 1), "axis"),
    (lambda: c.cast_ray(CUBE, None, [0, 0, 0], [0, 0, 0]), "direction"),
    (lambda: c.contact_range(CUBE, None, CUBE, None, [0, 0, 0]), "direction"),
    (lambda: c.project(CUBE, None, [math.nan, 0, 0]), "point"),
    (lambda: c.cast(CUBE, None, CUBE, None, clearance=-1), "clearance"),
    (lambda: c.exact.contact(CUBE, None, BALL, None), "B"),
    (lambda: c.World(mode="banana"), "mode"),
    (lambda: c.load("nowhere.stl"), "nowhere.stl"),
    (lambda: c.load("nowhere.xyz"), "nowhere.xyz"),
    (lambda: c.manifold(CUBE, None, CUBE, None, method="banana"), "method"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_errors_name_the_field(number):
    ask, field = WRONG[number]
    with pytest.raises(c.ClearanceError) as caught:
        ask()
    assert isinstance(caught.value, ValueError) and field in str(caught.value), str(caught.value)


def test_wrong_types_are_type_errors():
    for ask in [lambda: c.closest(3, None, CUBE, None), lambda: c.Shape.sphere("a"), lambda: c.closest(CUBE, None, None, None)]:
        with pytest.raises(TypeError):
            ask()


def test_motions():
    for motion in [
        c.Motion.still([1, 0, 0]),
        c.Motion.translation([6, 0, 0], [-8, 0, 0]),
        c.Motion.rotation([6, 0, 0], [0, 0, 0], [0, 0, 1], 7),
        c.Motion.between([6, 0, 0], ([0, 0, 0], QUARTER)),
        c.Motion.with_velocity([6, 0, 0], [-8, 0, 0], [0, 0, 1]),
    ]:
        again = pickle.loads(pickle.dumps(motion))
        assert again == motion and repr(again) == repr(motion)
        assert same_bits(c.cast(CUBE, None, CUBE, again), c.cast(CUBE, None, CUBE, motion))
        assert motion.pose(0) == motion.start


def test_a_cache_does_not_change_answers():
    cache = c.Cache()
    for i in range(20):
        place = ([3 - 0.1 * i, 0.1, 0.2], TURN)
        warm, cold = c.closest(CUBE, None, CUBE, place, cache=cache), c.closest(CUBE, None, CUBE, place)
        assert abs(warm.distance - cold.distance) < 1e-12 and warm.contact == cold.contact
    cache.clear()


def test_files(tmp_path):
    path = tmp_path / "tetra.obj"
    path.write_text("\n".join(["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 3 1 4"]))
    mesh = c.load(path)
    assert isinstance(mesh, c.Mesh) and mesh.is_solid and abs(mesh.volume - 1 / 6) < 1e-12
    assert pickle.loads(pickle.dumps(mesh)) == mesh
    assert abs(c.load(path, scale=2).volume - 8 / 6) < 1e-12
    (tmp_path / "broken.obj").write_text("v 0 0\nf 1 2 3\n")
    with pytest.raises(c.FileError, match="broken.obj"):
        c.load(tmp_path / "broken.obj")
