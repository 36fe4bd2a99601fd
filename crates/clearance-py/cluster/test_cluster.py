"""Ray and Dask: the same bytes for any number of workers, and when a worker or a node dies in the middle."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import clearance as c
import clearance.ray
import numpy as np
import pandas as pd
import pytest
import ray
from ray.cluster_utils import Cluster

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(TESTS))
# Workers import what is defined here.
os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), str(TESTS)])
from robots import ARM, PANDA  # noqa: E402

ROWS = 6000


def make_cell():
    cell = c.robot.Workcell(c.robot.Robot.parse(ARM))
    cell.add("post", c.Shape.cylinder(1, 0.1), [0, 0.9, 0])
    return cell


@pytest.fixture(scope="module")
def cluster():
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    found.add_node(num_cpus=2)
    found.add_node(num_cpus=2)
    ray.init(address=found.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield found
    ray.shutdown()
    found.shutdown()


def configurations():
    q = np.random.default_rng(1).uniform(-3, 3, (ROWS, 2))
    return pd.DataFrame({"number": np.arange(ROWS), "shoulder": q[:, 0], "elbow": q[:, 1]})


def edges():
    q = np.random.default_rng(2).uniform(-3, 3, (ROWS // 4, 4))
    names = ["q0_shoulder", "q0_elbow", "q1_shoulder", "q1_elbow"]
    return pd.DataFrame({"number": np.arange(len(q)), **{name: q[:, i] for i, name in enumerate(names)}})


def dataset(frame):
    return ray.data.from_pandas(frame).repartition(12)


def bytes_of(answers):
    frame = (answers if isinstance(answers, pd.DataFrame) else answers.to_pandas()).sort_values("number")
    return b"".join(np.ascontiguousarray(frame[name].to_numpy()).tobytes() for name in sorted(frame.columns))


def local(kind, frame, *given, **options):
    return bytes_of(kind(*given, **options)(frame))


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_same_bytes_for_any_number_of_workers(cluster, workers):
    wanted = local(clearance.ray.CheckConfigs, configurations(), make_cell, distance="signed", gradient=True)
    got = clearance.ray.check_configs(dataset(configurations()), make_cell, workers=workers, batch_size=500, distance="signed", gradient=True)
    assert bytes_of(got) == wanted
    wanted = local(clearance.ray.CheckEdges, edges(), make_cell)
    assert bytes_of(clearance.ray.check_edges(dataset(edges()), make_cell, workers=workers, batch_size=100)) == wanted


class Dying(clearance.ray.CheckConfigs):
    """Kills its own process in the middle of the work, once."""

    def __init__(self, cell, marker, **options):
        super().__init__(cell, **options)
        self.marker = Path(marker)

    def __call__(self, batch):
        if 3000 in batch["number"].to_pylist() and not self.marker.exists():
            self.marker.write_text("died")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)


def test_a_killed_worker_changes_nothing(cluster, tmp_path):
    wanted = local(clearance.ray.CheckConfigs, configurations(), make_cell, distance="signed")
    marker = tmp_path / "marker"
    got = dataset(configurations()).map_batches(
        Dying,
        fn_constructor_args=(make_cell, str(marker)),
        fn_constructor_kwargs={"distance": "signed"},
        batch_format="pyarrow",
        batch_size=500,
        concurrency=2,
    )
    assert bytes_of(got) == wanted and marker.exists()


def test_a_node_that_goes_changes_nothing(cluster):
    wanted = local(clearance.ray.CheckConfigs, configurations(), make_cell)
    node = cluster.add_node(num_cpus=2)
    got = clearance.ray.check_configs(dataset(configurations()), make_cell, workers=4, batch_size=250)
    parts, gone = [], False
    for batch in got.iter_batches(batch_format="pandas", batch_size=500):
        parts.append(batch)
        if not gone:
            cluster.remove_node(node, allow_graceful=False)
            gone = True
    assert gone and bytes_of(pd.concat(parts)) == wanted


def test_scenes(cluster):
    rng = np.random.default_rng(3)
    bodies = [c.Shape.cuboid(side) for side in rng.uniform(0.2, 1, (100, 3))]
    scene, pairs = (bodies, rng.uniform(-3, 3, (100, 3))), rng.integers(0, 100, (2000, 2))
    frame = pd.DataFrame({"number": np.arange(2000), "a": pairs[:, 0], "b": pairs[:, 1]})
    assert bytes_of(clearance.ray.check_pairs(dataset(frame), scene)) == local(clearance.ray.CheckPairs, frame, scene)


def test_dask():
    dataframe = pytest.importorskip("dask.dataframe")
    for parts in [1, 3]:
        frame = dataframe.from_pandas(configurations(), npartitions=parts)
        check = clearance.ray.CheckConfigs(make_cell(), distance="signed")
        got = frame.map_partitions(check, meta=check(configurations().iloc[:2])).compute(scheduler="processes", num_workers=2)
        assert bytes_of(got) == local(clearance.ray.CheckConfigs, configurations(), make_cell, distance="signed")


@pytest.mark.parametrize("name", ["ray_job", "dask_job"])
def test_the_examples(name):
    if not PANDA.is_dir():
        pytest.skip("no data")
    example = Path(__file__).resolve().parents[1] / "examples" / f"{name}.py"
    done = subprocess.run([sys.executable, example, PANDA, "5000"], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and "5000 configurations" in done.stdout, done.stdout + done.stderr
