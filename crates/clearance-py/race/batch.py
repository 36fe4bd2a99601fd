"""Batches from Python beside the same batches in Rust, one thread: seconds, and that the answers are the same.

    cargo build --release -p clearance-py --example rust_batch
    python race/batch.py TARGET/release/examples/rust_batch
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import clearance
import numpy as np


def best(rounds: int, ask):  # noqa: ANN001, ANN201
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        answer = ask()
        times.append(time.perf_counter() - start)
    return min(times), answer


def race(name: str, shapes: np.ndarray, count: int, program: str) -> None:
    """One kind of bodies: so many pairs of 2 * count bodies."""
    rng = np.random.default_rng(7)
    turns = rng.normal(size=(2 * count, 4))
    poses = np.hstack([rng.uniform(-1.5, 1.5, (2 * count, 3)), turns / np.linalg.norm(turns, axis=1)[:, None]])
    hulls = shapes.ndim == 3
    made = [clearance.Shape.polytope(shape) if hulls else clearance.Shape.cuboid(shape) for shape in shapes]
    table_time, bodies = best(1, lambda: clearance.Bodies([made[i % len(made)] for i in range(2 * count)]))
    pairs = np.arange(2 * count, dtype=np.uint32).reshape(-1, 2)
    read_time, read = best(3, lambda: clearance.Poses(poses))
    print(f"{name}: {count} pairs; reading the poses takes {read_time:.3f} s, the bodies {table_time:.3f} s")
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        file.write(np.concatenate([[float(hulls), 2 * count], shapes.ravel(), poses.ravel()]).astype(np.float64).tobytes())
        file.flush()
        compare(file.name, program, bodies, read, pairs)


def compare(file: str, program: str, bodies: clearance.Bodies, read: clearance.Poses, pairs: np.ndarray) -> None:
    """Both in turn, so that a busy machine is busy for both; the best of each."""
    rust: dict[str, tuple[float, float]] = {}
    python: dict[str, float] = {}
    verbs = [("overlap", lambda rows: rows["overlap"].sum()), ("closest", lambda rows: rows["distance"].sum())]
    for _ in range(4):
        for line in subprocess.run([program, file], capture_output=True, text=True, check=True).stdout.splitlines():
            verb, took, total = line.split()
            rust[verb] = min(rust.get(verb, (np.inf, 0.0)), (float(took), float(total)))
        for verb, total in verbs:
            took, rows = best(3, lambda: getattr(clearance.batch, verb)(bodies, read, pairs, threads=1))  # noqa: B023
            python[verb] = min(python.get(verb, np.inf), took)
            assert np.isclose(total(rows), rust[verb][1], rtol=1e-9), verb
    for verb, took in python.items():
        print(f"  {verb}: Python {took:.3f} s, Rust {rust[verb][0]:.3f} s, {took / rust[verb][0]:.2f} times")
    print("  largest memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "MiB")


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    race("boxes", rng.uniform(0.2, 1, (1000, 3)), 1_000_000, str(Path(sys.argv[1]).resolve()))
    points = rng.normal(size=(200, 50, 3))
    race("polytopes of 50 vertices", points / np.linalg.norm(points, axis=2)[:, :, None], 100_000, str(Path(sys.argv[1]).resolve()))
