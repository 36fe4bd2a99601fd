"""Batches: the same answers as one by one, any input array, wrong rows, threads, Ctrl-C, memory."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import clearance as c
import numpy as np
import pytest

CUBE, BALL = c.Shape.cuboid([1, 0.5, 0.25]), c.Shape.sphere(0.5)


def random_poses(count, seed=1, spread=2.5):
    rng = np.random.default_rng(seed)
    places, turns = rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 4))
    return np.hstack([places, turns / np.linalg.norm(turns, axis=1)[:, None]])


def matrices(rows):
    return np.array([c.Pose(row[:3], row[3:]).matrix() for row in rows])


def test_rows_are_the_answers_of_the_verbs():
    rows = random_poses(300)
    hull = c.Shape.polytope(np.random.default_rng(2).normal(size=(50, 3)))
    for body in [BALL, hull, c.Compound([CUBE, (BALL, [1, 1, 1])])]:
        closest, overlap = c.batch.closest_at(CUBE, None, body, rows), c.batch.overlap_at(CUBE, None, body, rows)
        distance, within = c.batch.distance_at(CUBE, None, body, rows), c.batch.within_at(CUBE, None, body, rows, 0.5)
        assert 10 < overlap["overlap"].sum() < 290
        for i, row in enumerate(rows):
            pose = (row[:3], row[3:])
            one = c.closest(CUBE, None, body, pose)
            got = closest[i]
            # Lanes of vectors may round another way than the verb for one pair; both are within their bounds.
            assert got["lower"] <= one.upper and one.lower <= got["upper"] and abs(got["distance"] - one.distance) < 1e-9
            assert got["lower"] <= got["distance"] <= got["upper"]
            np.testing.assert_allclose(got["points"][1] - got["points"][0], got["distance"] * got["normal"], atol=1e-9)
            assert (got["contact"], got["end"]) == (one.contact, one.end)
            assert tuple(got["elements"]) == tuple(feature.element for feature in one.features)
            assert overlap[i]["overlap"] == c.overlap(CUBE, None, body, pose).overlap
            apart = c.distance(CUBE, None, body, pose)
            assert np.isnan(distance[i]["distance"]) if apart is None else abs(distance[i]["distance"] - apart.distance) < 1e-9
            near = c.within(CUBE, None, body, pose, 0.5)
            assert within[i]["within"] == near.within and within[i]["lower"] <= near.upper and near.lower <= within[i]["upper"]


def test_pairs_of_a_table():
    shapes = [CUBE, BALL, c.Shape.cone(1, 0.5), c.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])]
    rows = random_poses(len(shapes), seed=4, spread=1.5)
    pairs = [(i, j) for i in range(4) for j in range(i)]
    answers = c.batch.closest(shapes, rows, pairs)
    for (i, j), row in zip(pairs, answers, strict=True):
        one = c.closest(shapes[i], (rows[i, :3], rows[i, 3:]), shapes[j], (rows[j, :3], rows[j, 3:]))
        assert abs(row["distance"] - one.distance) < 1e-9
    assert c.batch.overlap(shapes, rows, pairs)["overlap"].tolist() == [row["contact"] != 0 for row in answers]
    assert c.batch.within(shapes, rows, pairs, 100.0)["within"].all()
    assert len(c.batch.distance(shapes, rows, [])) == 0


def test_any_array_is_taken():
    rows = random_poses(50)
    whole = matrices(rows)
    wanted = c.batch.closest_at(CUBE, None, BALL, rows)["distance"]
    big = np.zeros((100, 4, 4))
    big[::2] = whole
    for given in [
        whole,
        np.asfortranarray(whole),
        big[::2],
        whole[::-1][::-1],
        c.Poses(whole),
        c.Poses(rows),
        (rows[:, :3], rows[:, 3:]),
        rows.tolist(),
        [c.Pose(row[:3], row[3:]) for row in rows],
    ]:
        np.testing.assert_allclose(c.batch.closest_at(CUBE, None, BALL, given)["distance"], wanted, atol=1e-12)
    single = c.batch.closest_at(CUBE, None, BALL, rows.astype(np.float32))["distance"]
    np.testing.assert_allclose(single, wanted, atol=1e-5)
    assert len(c.batch.closest_at(CUBE, None, BALL, np.zeros((0, 4, 4)))) == 0
    two = c.batch.closest_at(CUBE, None, BALL, [[3, 0, 0], [4, 0, 0]])
    np.testing.assert_allclose(two["distance"], [1.5, 2.5])
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    given = (rows[:, :3], rotation.from_quat(rows[:, 3:]))
    np.testing.assert_allclose(c.batch.closest_at(CUBE, None, BALL, given)["distance"], wanted, atol=1e-12)


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("poses_b", lambda: c.batch.closest_at(CUBE, None, BALL, np.zeros((3, 5)))),
        ("poses_b", lambda: c.batch.closest_at(CUBE, None, BALL, np.zeros((3, 4, 4), dtype=complex))),
        ("poses_b", lambda: c.batch.closest_at(CUBE, None, BALL, ["a"])),
        ("poses_b", lambda: c.batch.closest_at(CUBE, None, BALL, (np.zeros((3, 3)), np.zeros((2, 4))))),
        ("pose_a", lambda: c.batch.closest_at(CUBE, 3, BALL, np.zeros((3, 3)))),
        ("pairs", lambda: c.batch.closest([CUBE], [[0, 0, 0]], [[0, 1]])),
        ("pairs", lambda: c.batch.closest([CUBE], [[0, 0, 0]], [[0.0, 0.0]])),
        ("pairs", lambda: c.batch.closest([CUBE], [[0, 0, 0]], [[0, 0, 0]])),
        ("pairs", lambda: c.batch.closest([CUBE], [[0, 0, 0]], [[0, -1]])),
        ("poses", lambda: c.batch.closest([CUBE], np.zeros((2, 3)), [[0, 0]])),
        ("bodies[1]", lambda: c.batch.closest([CUBE, 3], np.zeros((2, 3)), [[0, 0]])),
        ("threads", lambda: c.batch.closest_at(CUBE, None, BALL, np.zeros((3, 3)), threads=0)),
    ],
)
def test_errors_name_the_argument(field, ask):
    with pytest.raises(c.ArgumentError) as caught:
        try:
            ask()
        except c.PoseError as error:  # of one pose
            raise c.ArgumentError(str(error)) from error
    assert str(caught.value).startswith(field), str(caught.value)


def test_wrong_rows_are_marked_and_the_others_answered():
    whole = matrices(random_poses(5))
    wanted = c.batch.closest_at(CUBE, None, BALL, whole)
    wrong = whole.copy()
    wrong[1, 0, 3], wrong[3] = np.nan, 2 * wrong[3]
    got = c.batch.closest_at(CUBE, None, BALL, wrong)
    assert got["error"].tolist() == [0, 1, 0, 2, 0]
    assert np.isnan(got["distance"][[1, 3]]).all() and np.array_equal(got[[0, 2, 4]], wanted[[0, 2, 4]])
    table = c.batch.overlap([CUBE, BALL, BALL], [[0, 0, 0], [np.nan, 0, 0], [0, 0, 0]], [[0, 1], [0, 2], [1, 2]])
    assert table["error"].tolist() == [1, 0, 1] and table["overlap"].tolist() == [False, True, False]
    assert c.batch.ERRORS[1]
    assert c.Poses([[0, 0, 0, 0, 0, 0, 0], [1e200, 0, 0, 0, 0, 0, 1]]).errors.tolist() == [2, 3]


def test_threads_change_no_bit():
    rows = random_poses(20_000)
    bodies = [c.Shape.cuboid(side) for side in np.random.default_rng(5).uniform(0.1, 1, (20_000, 3))]
    pairs = np.random.default_rng(6).integers(0, 20_000, (20_000, 2))
    for ask in [
        lambda threads: c.batch.overlap(bodies, rows, pairs, threads=threads),
        lambda threads: c.batch.closest_at(CUBE, None, c.Shape.cone(1, 1), rows, threads=threads),
    ]:
        one = ask(1).tobytes()
        assert ask(2).tobytes() == one and ask(5).tobytes() == one and ask(None).tobytes() == one


def test_other_threads_run_meanwhile():
    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    rows = random_poses(60_000)
    hull = c.Shape.polytope(np.random.default_rng(2).normal(size=(200, 3)))
    thread.start()
    before, start = counts[0], time.perf_counter()
    c.batch.closest_at(hull, None, hull, rows, threads=1)
    counted, took = counts[0] - before, time.perf_counter() - start
    stop.set()
    thread.join()
    assert took < 0.05 or counted > 5, (counted, took)


LONG = """
import clearance as c, numpy as np, signal, sys
# A process that was started in the background may ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
hull = c.Shape.polytope(np.random.default_rng(2).normal(size=(500, 3)))
poses = c.Poses(np.random.default_rng(1).uniform(-1, 1, (3_000_000, 3)))
print("ready", flush=True)
try:
    c.batch.closest_at(hull, None, hull, poses, threads=1)
except KeyboardInterrupt:
    sys.exit(42)
"""


def test_interrupt_ends_a_long_batch():
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"ready"
    time.sleep(0.3)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 42
    assert time.perf_counter() - start < 5


def test_a_forked_process_answers_too():
    rows = random_poses(3000)
    wanted = c.batch.closest_at(CUBE, None, BALL, rows).tobytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if c.batch.closest_at(CUBE, None, BALL, rows).tobytes() == wanted else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_memory_does_not_grow():
    rows = random_poses(20_000)

    def round_of_batches():
        for _ in range(10):
            c.batch.closest_at(CUBE, None, BALL, rows)
            c.batch.overlap_at(CUBE, None, BALL, matrices(rows[:10]))
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    round_of_batches()
    before = round_of_batches()
    assert round_of_batches() - before < 20_000  # kilobytes; what one round allocates in all is 27,000
