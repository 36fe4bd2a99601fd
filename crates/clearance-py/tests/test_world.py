"""Worlds: events, modes, queries, the same answers as one by one."""

import clearance as c
import numpy as np
import pytest


def filled(count=60, **options):
    world, rng = c.World(**options), np.random.default_rng(3)
    places = rng.uniform(0, 6, (count, 3))
    shapes = [c.Shape.sphere(0.5) if i % 2 else c.Shape.cuboid([0.4, 0.5, 0.6]) for i in range(count)]
    return world, [world.add(shape, place) for shape, place in zip(shapes, places, strict=True)], shapes, places


def test_events_are_those_of_all_pairs():
    world, ids, shapes, places = filled()
    events = world.step().events
    touching = {event.bodies for event in events}
    pairs = [(i, j) for i in range(60) for j in range(i + 1, 60)]
    rows = c.batch.overlap(shapes, places, pairs)
    wanted = {(ids[i], ids[j]) for (i, j), row in zip(pairs, rows, strict=True) if row["overlap"]}
    assert touching == wanted and len(wanted) > 10
    assert {event.kind for event in events} == {"begin"}
    assert {event.kind for event in world.step().events} == {"persist"}
    world.set_poses(ids, places + [[100 * i, 0, 0] for i in range(60)])
    assert {event.kind for event in world.step().events} == {"end"}


def test_threads_and_broad_phases_agree():
    def told(**options):
        return repr(filled(mode="closest", within=1.0, **options)[0].step().near)

    wanted = told(threads=1)
    for broad in ["grid", "tree", "sweep-and-prune", "partitioned-sweep", "brute-force"]:
        assert told(broad=broad, threads=3) == wanted


def test_steps_as_arrays():
    one, other = filled(mode="closest", within=0.5)[0], filled(mode="closest", within=0.5)[0]
    for _ in range(2):
        step, (events, near) = one.step(), other.step_rows()
        kinds = {"begin": 0, "persist": 1, "end": 2}
        assert [(kinds[e.kind], [b.index for b in e.bodies]) for e in step.events] == [(e["kind"], e["bodies"].tolist()) for e in events]
        assert [pair.closest.distance for pair in step.near] == near["distance"].tolist() and len(near) > 10
        assert [[b.index for b in pair.bodies] for pair in step.near] == near["bodies"].tolist()


def test_modes_and_rules():
    world = c.World(mode="contacts", margin=0.1)
    floor = world.add(c.HalfSpace([0, 0, 1]), fixed=True)
    box = world.add(c.Shape.cuboid([1, 1, 1]), [0, 0, 1.05])
    (pair,) = world.step().contacts
    assert pair.bodies == (floor, box) and len(pair.manifold.points) == 4
    world.set_pair(floor, box, ignore=True)
    assert world.step().contacts == ()
    world.set_pair(floor, box)
    world.set_group(box, 5)
    world.set_groups(0, 5, False)
    assert world.step().contacts == ()
    world.remove(box)
    with pytest.raises(c.WorldError):
        world.pose(box)
    with pytest.raises(c.WorldError):
        world.set_group(floor, 64)
    assert len(world) == 1 and world.ids() == [floor] and floor.index == 0


def test_queries():
    world, ids, shapes, places = filled()
    ball = c.Shape.sphere(0.3)
    found = world.overlapping(ball, [3, 3, 3])
    wanted = [i for i in range(60) if c.overlap(ball, [3, 3, 3], shapes[i], places[i])]
    assert found == [ids[i] for i in wanted]
    near = world.nearest(3, ball, [3, 3, 3])
    distances = sorted(c.closest(ball, [3, 3, 3], shapes[i], places[i]).distance for i in range(60))
    np.testing.assert_allclose([body.closest.distance for body in near], distances[:3], atol=1e-9)
    hit = world.cast_ray([-5, 3, 3], [1, 0, 0])
    first = [c.cast_ray(shapes[i], places[i], [-5, 3, 3], [1, 0, 0]) for i in range(60)]
    assert (hit is None) == all(one is None for one in first)
    if hit is not None:
        assert hit[1].t == min(one.t for one in first if one is not None)
    met = world.cast(ball, c.Motion.translation([-5, 3, 3], [15, 0, 0]))
    assert met is not None and 0 < met[1].fraction < 1
    assert met[0] not in world.overlapping(ball, [3, 3, 3], without=met[0])
    assert len(world.overlapping_box([0, 0, 0], [6, 6, 6])) > 50


def test_wrong_poses_move_nothing():
    world, ids, _, places = filled(3)
    with pytest.raises(c.ArgumentError, match="row 1"):
        world.set_poses(ids, [[9, 9, 9], [np.nan, 0, 0], [0, 0, 0]])
    with pytest.raises(c.ArgumentError, match="poses"):
        world.set_poses(ids, [[9, 9, 9]])
    assert np.array_equal(world.pose(ids[0]).translation, places[0])


def test_contacts_are_kept_while_bodies_hardly_move():
    world = c.World(mode="contacts", margin=0.1, keep_contacts=0.01)
    world.add(c.Shape.cuboid([2, 2, 1]), fixed=True)
    cube = world.add(c.Shape.cuboid([1, 1, 1]), [0, 0, 2.01])
    assert not world.step().contacts[0].is_kept
    world.set_pose(cube, [0, 0, 2.005])
    step = world.step()
    (pair,) = step.contacts
    assert pair.is_kept and step.statistics.kept == 1
    assert pair.manifold.distance == pytest.approx(0.005)
    world.set_pose(cube, [0.5, 0, 2.005])
    assert not world.step().contacts[0].is_kept
    with pytest.raises(c.ArgumentError, match="keep_contacts"):
        c.World(keep_contacts=-1.0)
