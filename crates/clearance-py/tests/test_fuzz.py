"""Whatever is passed, the interpreter lives: there is an answer or an exception, never a panic."""

import inspect
import math
import random

import clearance as c
import numpy as np


class Odd:
    """Pretends to be many things and is none of them."""

    def __len__(self):
        return 3

    def __getitem__(self, key):
        if key > 2:
            raise IndexError(key)
        return "x"

    def __float__(self):
        raise RuntimeError("no number")

    def as_quat(self):
        return [1, 2]


class Raising:
    def __array__(self, *args, **kwargs):
        raise KeyError("no array")

    def __iter__(self):
        raise OSError("no items")


def values(rng):
    numbers = [0, 1, -1, 0.5, 3.7, math.nan, math.inf, -math.inf, 1e300, -1e300, 1e-300, 2**70, True, 7j, 10**400]
    arrays = [
        np.zeros(3),
        np.ones((4, 4)),
        np.eye(4),
        np.full((4, 4), np.nan),
        np.zeros((0, 3)),
        np.zeros((5, 3)),
        np.zeros((5, 7)),
        np.random.default_rng(rng.randrange(100)).normal(size=(8, 3)),
        np.zeros((2, 4, 4))[::2],
        np.zeros(3, dtype=np.float32),
        np.zeros(3, dtype=">f8"),
        np.array(["a"]),
        np.array([None, 1]),
        np.zeros((3, 3), dtype=np.int8),
        np.array(5.0),
        np.zeros((1, 1, 1, 1)),
        np.array([[0, 1, 2]], dtype=np.uint64),
        np.array([[0, 1, 2**63]], dtype=np.uint64),
        np.zeros(3, dtype=[("a", "f8")]),
        np.zeros((3, 3), order="F"),
        np.lib.stride_tricks.as_strided(np.zeros(3), (100, 3), (0, 8)),
        np.ma.masked_array([1.0, 2, 3], mask=[1, 0, 0]),
    ]
    bodies = [
        c.Shape.cuboid([1, 1, 1]),
        c.Shape.sphere(1e-70),
        c.Shape.sphere(1e70),
        c.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        c.HalfSpace([0, 0, 1]),
        c.Compound([c.Shape.sphere(1)]),
        c.PointCloud([[0, 0, 0]], 0),
        c.HeightField([[0, 0], [0, 1]], [1, 1]),
        c.Shape.sphere(1).padded(0.1),
    ]
    others = [None, "", "solid", b"x", [], (), {}, set(), [[]], [1, 2, 3], [1, 2], [[1, 2, 3]], (1, [2]), [[0, 1]], "abc", object(), int, Odd()]
    poses = [c.Pose(), c.Pose([1, 2, 3], [0.6, 0, 0, 0.8]), c.Poses([[1, 2, 3]]), ([0, 0, 0], [0, 0, 0, 1]), ([1e80, 0, 0], None), Raising()]
    more = [c.Motion.still(), c.Motion.translation(None, [1, 0, 0]), c.Cache(), c.World(), *c.World().ids()]
    return numbers + arrays + bodies * 3 + others + poses * 2 + more


def targets():
    found = []
    for module in [c, c.batch, c.exact]:
        for name in (name for name in module.__all__ if not name.startswith("__")):
            thing = getattr(module, name)
            if inspect.isclass(thing) and issubclass(thing, (c.Body, c.Pose, c.Poses, c.Motion, c.World, c.Cache)):
                found.append(thing)
                found.extend(getattr(thing, member) for member in dir(thing) if not member.startswith("__"))
            elif inspect.isbuiltin(thing):
                found.append(thing)
    return [target for target in found if callable(target)]


# Files have a fuzzer of their own; two balls of 1e70 keep `intersection` busy for seconds.
NOT = {"load", "intersection"}


def test_no_argument_crashes_the_interpreter():
    rng = random.Random(17)
    pool, calls = values(rng), [target for target in targets() if getattr(target, "__name__", "") not in NOT]
    assert len(calls) > 90
    answered = refused = 0
    for _ in range(30_000):
        target = rng.choice(calls)
        arguments = [rng.choice(pool) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 4, 4, 4, 5]))]
        options = {"threads": rng.choice(pool)} if rng.random() < 0.02 else {}
        try:
            target(*arguments, **options)
            answered += 1
        except Exception:  # a panic is no Exception
            refused += 1
    assert answered > 150 and refused > 10_000, (answered, refused)


def valid_calls():
    cube, ball, place = c.Shape.cuboid([1, 1, 1]), c.Shape.sphere(1), [1.5, 0.1, 0.2]
    world = c.World()
    body = world.add(cube)
    motion = c.Motion.translation([5, 0, 0], [-9, 0, 0])
    corners, faces = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    pair, many = (cube, None, ball, place), (cube, None, ball, [place, place])
    verbs = [c.overlap, c.closest, c.distance, c.manifold, c.intersection, c.exact.contact, c.exact.distance, c.exact.certify]
    calls = [(verb, pair) for verb in verbs]
    calls += [(verb, many) for verb in [c.batch.overlap_at, c.batch.closest_at, c.batch.distance_at]]
    calls += [(verb, ([cube, ball], [place, place], [[0, 1]])) for verb in [c.batch.overlap, c.batch.closest, c.batch.distance]]
    calls += [(verb, (*pair, 0.5)) for verb in [c.within, c.contacts, c.exact.certify_within]]
    calls += [(c.batch.within_at, (*many, 0.5)), (c.contact_range, (*pair, [1, 0, 0])), (c.cast, (cube, None, ball, motion))]
    calls += [(c.time_of_impact, (cube, motion, ball, motion)), (c.cast_ray, (cube, None, [5, 0, 0], [-1, 0, 0]))]
    calls += [(c.project, (cube, None, place)), (c.slide, ([cube], ball, place, [1, 1, 1])), (c.move_body, ([cube], ball, place, [1, 1, 1]))]
    calls += [(c.Mesh, (corners, faces)), (c.Mesh, (corners, faces, "solid", True, 0.1, True, True, True)), (c.Compound, ([cube, (ball, place)],))]
    calls += [(c.Shape.polytope, (corners,)), (c.Shape.hull, (cube, (ball, place))), (c.PointCloud, (corners, 0.1)), (c.Poses, ([place],))]
    calls += [(c.HeightField, ([[0, 0], [0, 1]], [1, 1])), (c.HalfSpace, ([0, 0, 1], 0)), (c.Pose, (place, [0, 0, 0, 1]))]
    calls += [(world.add, (cube, place)), (world.set_pose, (body, place)), (world.set_poses, ([body], [place])), (world.step, ())]
    calls += [(world.nearest, (2, cube, place)), (world.cast, (cube, motion)), (world.cast_ray, (place, [1, 0, 0])), (world.overlapping, (cube, place))]
    return calls


def test_one_wrong_argument_among_right_ones():
    rng = random.Random(19)
    pool, calls = values(rng), valid_calls()
    for target, arguments in calls:
        try:
            target(*arguments)
        except (c.NotExact, c.CastError):  # a ball has no flat faces
            pass
    answered = 0
    for _ in range(20_000):
        target, arguments = rng.choice(calls)
        arguments = list(arguments)
        if arguments:
            arguments[rng.randrange(len(arguments))] = rng.choice(pool)
        try:
            target(*arguments)
            answered += 1
        except Exception:  # a panic is no Exception
            pass
    assert answered > 2000, answered


def test_likely_arguments_do_not_either():
    rng = random.Random(18)
    pool = values(rng)
    bodies = [value for value in pool if isinstance(value, c.Body)]
    places = [None, [1, 2, 3], [0, 0, 0], c.Pose([0, 0, 1e70]), ([0.1, 0, 0], [0.5, 0.5, 0.5, 0.5]), np.eye(4)]
    verbs = [c.overlap, c.closest, c.distance, c.manifold, c.exact.contact, c.exact.distance, c.exact.certify]
    answered = 0
    for _ in range(4000):
        try:
            rng.choice(verbs)(rng.choice(bodies), rng.choice(places), rng.choice(bodies), rng.choice(places))
            answered += 1
        except c.ClearanceError:
            pass
    assert answered > 2000


def test_a_panic_is_an_exception():
    try:
        c._clearance._panic()
    except BaseException as panic:  # PanicException is no Exception, so that nobody catches it by accident
        assert type(panic).__name__ == "PanicException" and "on purpose" in str(panic)
    assert c.closest(c.Shape.sphere(1), None, c.Shape.sphere(1), [3, 0, 0]).distance == 1.0
