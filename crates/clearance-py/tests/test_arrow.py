"""Arrow data through capsules, both ways, with what libraries are there."""

import clearance as c
import numpy as np
import pytest
from robots import arm_cell

CUBE, BALL = c.Shape.cuboid([1, 0.5, 0.25]), c.Shape.sphere(0.5)


def poses(count=100):
    rng = np.random.default_rng(1)
    turns = rng.normal(size=(count, 4))
    return np.hstack([rng.uniform(-2, 2, (count, 3)), turns / np.linalg.norm(turns, axis=1)[:, None]])


def named(rows):
    return {name: rows[:, i] for i, name in enumerate(["x", "y", "z", "qx", "qy", "qz", "qw"])}


def test_columns_come_back():
    rows = c.batch.closest_at(CUBE, None, BALL, poses())
    back = c.arrow.columns(c.arrow.Records(rows))
    assert np.array_equal(back["distance"], rows["distance"]) and np.array_equal(back["points_1_2"], rows["points"][:, 1, 2])
    assert np.array_equal(back["iterations"], rows["iterations"])


def test_poses_of_columns():
    rows = poses()
    wanted = c.batch.closest_at(CUBE, None, BALL, rows).tobytes()
    assert c.batch.closest_at(CUBE, None, BALL, c.arrow.Records(named(rows))).tobytes() == wanted
    only = {name: values for name, values in named(rows).items() if name in "xyz"}
    assert len(c.Poses(c.arrow.Records(only))) == 100
    with pytest.raises(c.ArgumentError, match="poses_b: no columns x, y, z"):
        c.batch.closest_at(CUBE, None, BALL, c.arrow.Records({"a": rows[:, 0]}))


def test_configurations_of_columns():
    cell, q = arm_cell(), np.random.default_rng(1).uniform(-3, 3, (50, 2))
    table = c.arrow.Records({"other": q[:, 0], "shoulder": q[:, 0], "elbow": q[:, 1]})
    assert cell.check_configs(table).tobytes() == cell.check_configs(q).tobytes()
    with pytest.raises(c.ArgumentError, match="shoulder"):
        cell.check_configs(c.arrow.Records({"shoulder": q[:, 0]}))


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    rows = c.batch.overlap_at(CUBE, None, BALL, poses())
    for table in [pa.table(c.arrow.Records(rows)), pa.record_batch(c.arrow.Records(rows))]:
        table.validate(full=True)
        assert table.column("overlap").to_pylist() == rows["overlap"].tolist()
        assert table.column("offsets_1").to_numpy().tobytes() == np.ascontiguousarray(rows["offsets"][:, 1]).tobytes()
    del table
    given = pa.table(named(poses()))
    wanted = c.batch.overlap_at(CUBE, None, BALL, poses()).tobytes()
    pieces = pa.concat_tables([given.slice(0, 33), given.slice(33, 7), given.slice(40)])
    lists = pa.table({
        "translation": pa.FixedSizeListArray.from_arrays(pa.array(poses()[:, :3].ravel()), 3),
        "rotation": pa.FixedSizeListArray.from_arrays(pa.array(poses()[:, 3:].ravel()), 4),
        "text": ["a"] * 100,
    })
    for table in [given, pieces, given.to_batches()[0], lists, lists.slice(10).slice(0), pa.concat_tables([lists.slice(0, 10), lists.slice(10)])]:
        count = table.num_rows
        assert c.batch.overlap_at(CUBE, None, BALL, table).tobytes() == wanted[-48 * count :]
    missing = pa.table({"x": [1.0, None, 3.0], "y": pa.array([0, 0, 0]), "z": pa.array([0.0, 0, 0], type=pa.float32())})
    assert c.Poses(missing).errors.tolist() == [0, 1, 0]
    assert len(c.Poses(missing.slice(0, 0))) == 0 and len(c.Poses(pa.Table.from_batches([], schema=missing.schema))) == 0


def test_nanoarrow():
    na = pytest.importorskip("nanoarrow")
    rows = c.batch.closest_at(CUBE, None, BALL, poses())
    array = na.Array(c.arrow.Records(rows))
    assert len(array) == 100 and array.schema.n_fields == len(c.arrow.columns(c.arrow.Records(rows)))
    assert array.child(0).to_pylist() == rows["distance"].tolist()
    assert np.array_equal(c.arrow.columns(array)["upper"], rows["upper"])


def test_what_is_no_arrow_data():
    for wrong in [3, None, np.zeros(3), "abc"]:
        with pytest.raises(c.ArgumentError):
            c.arrow.columns(wrong)
    for wrong in [{"a": np.zeros((2, 2))}, {"a": np.zeros(2), "b": np.zeros(3)}, {"a": np.array(["x"])}, {"a\0b": np.zeros(2)}]:
        with pytest.raises(c.ArgumentError):
            c.arrow.Records(wrong)

    class Lies:
        def __arrow_c_array__(self):
            return (1, 2)

    class LiesMore:
        def __arrow_c_stream__(self):
            return c.arrow.Records({"x": np.zeros(3)}).__arrow_c_array__()[0]

    for wrong in [Lies(), LiesMore()]:
        with pytest.raises((TypeError, ValueError)):
            c.Poses(wrong)
