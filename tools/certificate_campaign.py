#!/usr/bin/env python3
"""Certificates in bulk: random questions to `clearance query`, every certificate checked by both checkers, some tampered with.

    python3 tools/certificate_campaign.py --program target/release/clearance --count 100000 --seed 1

Every certificate must hold for `tools/check_certificate.py` and for `clearance verify`; every tampered one must be refused by both.
Prints counts, sizes and times. Exit status 0 if all that holds, 1 if not.
"""

import argparse
import collections
import copy
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKER = Path(__file__).with_name("check_certificate.py")
CHUNK = 5000


def rotation(rng):
    if rng.random() < 0.2:
        return [0, 0, 0, 1]
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q)) or 1.0
    return [x / length for x in q]


def pose(rng, reach):
    return {"translation": [rng.uniform(-reach, reach) for _ in range(3)], "rotation": rotation(rng)}


def angle_bracket(rng, times=1.0):
    """A solid that is not convex: an L with a thickness."""
    outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
    scale = [times * rng.uniform(0.4, 1.2) for _ in range(3)]
    vertices = [[x * scale[0], y * scale[1], z * scale[2]] for z in (0, 1) for x, y in outline]
    caps = [[2, 1, 0], [3, 2, 0], [4, 3, 0], [5, 4, 0], [6, 7, 8], [6, 8, 9], [6, 9, 10], [6, 10, 11]]
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return {"type": "mesh", "vertices": vertices, "faces": caps + sides}


def shape(rng):
    def size():
        return rng.uniform(0.2, 1.5)

    def sizes(count):
        return [size() for _ in range(count)]

    def points(count):
        return [[rng.uniform(-1, 1) for _ in range(3)] for _ in range(count)]

    def row():
        return [rng.uniform(0, 0.5) if rng.random() < 0.95 else None for _ in range(6)]

    def rounded():
        return rng.choice([{"type": "ellipsoid", "radii": sizes(3)}, {"type": "sphere", "radius": size()}])

    makers = {
        "point": lambda: {},
        "segment": lambda: {"half_length": size()},
        "rectangle": lambda: {"half_extents": sizes(2)},
        "disc": lambda: {"radius": size()},
        "ellipse": lambda: {"radii": sizes(2)},
        "sphere": lambda: {"radius": size()},
        "cuboid": lambda: {"half_extents": sizes(3)},
        "ellipsoid": lambda: {"radii": sizes(3)},
        "capsule": lambda: {"half_length": size(), "radius": size()},
        "lozenge": lambda: {"half_extents": sizes(2), "radius": size()},
        "round_box": lambda: {"half_extents": sizes(3), "radius": size()},
        "cylinder": lambda: {"half_height": size(), "radius": size()},
        "cone": lambda: {"height": size(), "radius": size()},
        "wheel": lambda: {"disc_radius": size(), "radius": size()},
        "frustum": lambda: {"bottom": sizes(2), "top": sizes(2), "height": size()},
        "triangle": lambda: {"points": points(3)},
        "polytope": lambda: {"points": points(rng.choice([6, 12, 20]))},
        "mesh": lambda: angle_bracket(rng) | ({"padding": size() / 4} if rng.random() < 0.3 else {}),
        "sum": lambda: {"of": [rounded(), {"type": "cuboid", "half_extents": sizes(3), "pose": pose(rng, 1)}]},
        "hull": lambda: {"of": [rounded(), {"type": "cuboid", "half_extents": sizes(3), "pose": pose(rng, 1)}]},
        "compound": lambda: {
            "parts": [
                {"type": "cuboid", "half_extents": sizes(3), "pose": pose(rng, 2)},
                {"type": "sphere", "radius": size(), "pose": pose(rng, 2)},
                angle_bracket(rng) | {"pose": pose(rng, 1)},
            ]
        },
        "half_space": lambda: {"normal": [rng.uniform(-1, 1) for _ in range(3)], "offset": rng.uniform(-2, 2)},
        "height_field": lambda: {"heights": [row() for _ in range(5)], "cell": [0.5, 0.5]},
        "points": lambda: {"points": points(20), "radius": rng.uniform(0, 0.2)},
    }
    kind = rng.choice(list(makers))
    return {"type": kind} | makers[kind]()


def question(rng, number):
    op = rng.choice(["closest", "closest", "overlap", "within", "cast", "cast"])
    reach = rng.choice([0.5, 2, 4])
    line = {"id": number, "op": op, "a": shape(rng), "b": shape(rng), "certify": True}
    line |= {"pose_a": pose(rng, reach), "pose_b": pose(rng, reach)}
    if rng.random() < 0.05:
        # One body about the inside of the other: only winding numbers tell.
        line |= {"a": angle_bracket(rng, 12.0), "pose_a": {}, "pose_b": {"translation": [2.4, 2.4, 2.4], "rotation": rotation(rng)}}
    if op == "within":
        line["distance"] = rng.uniform(0, 2)
    if op == "cast":
        line["pose_b"]["translation"] = [2 * x + 3 for x in line["pose_b"]["translation"]]
        vector = lambda reach: [rng.uniform(-reach, reach) for _ in range(3)]
        line |= rng.choice(
            [
                lambda: {"translation": [rng.uniform(-8, 2) for _ in range(3)]},
                lambda: {"rotation": {"origin": vector(1), "axis": vector(1), "angle": rng.uniform(-3, 3)}},
                lambda: {"motion": {"linear": vector(4), "angular": vector(3)}},
                lambda: {"motion": {"to": pose(rng, 4)}},
            ]
        )()
    return line


def kinds(certificate):
    """What a certificate proves, and by what."""
    if "lower" in certificate:
        cut = certificate["lower"]["cut"]
        yield "lower by a plane" if "n" in cut else "lower by a cut"
        if certificate["lower"].get("outside"):
            yield "outside of solids"
    if "upper" in certificate:
        upper = certificate["upper"]
        yield "upper by " + next(name for name in ("inside", "facets", "weights", "pairs") if name in upper)
    if "free" in certificate:
        turns = any(float.fromhex(x) for x in certificate["motion"]["angular"])
        yield "free while turning" if turns else "free translation"
    if "near" in certificate:
        yield "near at a time"


def moved(text, up):
    """A number larger or smaller by more than the bodies are: bounds may have room for a little."""
    return (float.fromhex(text) + (100.0 if up else -100.0)).hex()


def leaves(cut):
    """The records of a cut, with their parents."""
    found = [cut]
    for node in found:
        found.extend(node.get("of", []))
    return found


def tampered(rng, certificate):
    """The certificate with one change after which a claim is not proved, and the name of the change."""
    record = copy.deepcopy(certificate)
    changes = []
    if "lower" in record:
        lower = record["lower"]
        changes.append(("a larger lower bound", lambda: lower.update(value=moved(lower["value"], True))))
        node = rng.choice(leaves(lower["cut"]))
        if "n" in node:
            away = lambda: node.update(n=[(-float.fromhex(x)).hex() for x in node["n"]])
            # A body deep in another may be taken out of it either way.
            if float.fromhex(lower["value"]) > 0:
                changes.append(("a plane turned round", away))
        else:
            changes.append(("a part of the cut left out", lambda: node["of"].pop()))
        changes.append(("no plane", lambda: lower["cut"].clear()))
    upper = record.get("upper", record.get("near"))
    if upper:
        changes.append(("a smaller upper bound", lambda: upper.update(value=moved(upper["value"], False))))
        if "pairs" in upper:
            changes.append(("a corner that is not there", lambda: upper["pairs"][0].__setitem__(0, 4000000)))
        if "facets" in upper:
            changes.append(("a facet left out", lambda: upper["facets"].pop()))
        if "inside" in upper:
            changes.append(("a mesh that is not there", lambda: upper["inside"].update(mesh=7)))
    if "free" in record:
        free = record["free"]
        changes.append(("the last step left out", lambda: free["steps"].pop()))
        later = (float.fromhex(free["until"]) * (1 + 1e-9)).hex()
        changes.append(("a later end", lambda: free.update(until=later)))
    changes.append(("another version", lambda: record.update(certificate=2)))
    changes.append(("a field of no meaning", lambda: record.update(proof=1)))
    changes.append(("no body", lambda: record.pop("b")))
    name, change = rng.choice(changes)
    change()
    return name, record


def run(command, text=None):
    start = time.perf_counter()
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done, time.perf_counter() - start


def check(path, program, counts, times):
    """Both checkers on a file of certificates: how many each refuses."""
    refused = []
    for name, command in (
        ("python", [sys.executable, str(CHECKER), str(path)]),
        ("rust", [program, "verify", str(path)]),
    ):
        done, took = run(command)
        times[name] += took
        lines = done.stdout.splitlines()
        refused.append(sum(": refused" in line for line in lines))
        if done.returncode == 2 or not lines:
            print(f"{name}: {done.stderr.strip()} {lines[-1:]}", file=sys.stderr)
            counts["unreadable"] += 1
    return refused


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", default="target/release/clearance")
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--precision", choices=["f64", "f32"], default="f64")
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    counts, proved, times, sizes = collections.Counter(), collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificates.jsonl"
        for first in range(0, options.count, CHUNK):
            numbers = range(first, min(first + CHUNK, options.count))
            text = "".join(json.dumps(question(rng, number)) + "\n" for number in numbers)
            answers, took = run([options.program, "query", "-", "--precision", options.precision], text)
            times["query"] += took
            records = []
            for line in answers.stdout.splitlines():
                answer = json.loads(line)
                counts["answers"] += 1
                record = answer.get("certificate")
                if record:
                    records.append(record)
                    proved.update(kinds(record))
                else:
                    counts["errors" if "error" in answer else answer.get("uncertified", "?")] += 1
            texts = [json.dumps(record) for record in records]
            sizes += [len(text) for text in texts]
            path.write_text("\n".join(texts) + "\n")
            for name, refused in zip(("python", "rust"), check(path, options.program, counts, times)):
                counts[f"refused by {name}"] += refused
            changed = [tampered(rng, record) for record in rng.sample(records, min(len(records), 100))]
            path.write_text("\n".join(json.dumps(record) for _, record in changed) + "\n")
            counts["tampered"] += len(changed)
            for name, refused in zip(("python", "rust"), check(path, options.program, counts, collections.Counter())):
                counts[f"tampered and refused by {name}"] += refused
            print(f"{numbers[-1] + 1} of {options.count}", file=sys.stderr)
    sizes.sort()
    total = len(sizes)
    print(f"{total} certificates of {counts['answers']} answers; {dict(counts)}")
    print(f"proofs: {dict(proved)}")
    print(f"bytes: median {sizes[total // 2]}, 99 % {sizes[total * 99 // 100]}, most {sizes[-1]}")
    each = {name: f"{1e3 * took / total:.2f} ms" for name, took in times.items()}
    print(f"each (query with answer and proof; checks with reading): {each}")
    wrong = counts["refused by python"] + counts["refused by rust"] + counts["unreadable"]
    missed = 2 * counts["tampered"] - counts["tampered and refused by python"] - counts["tampered and refused by rust"]
    print(f"{wrong} refused, {missed} tampered ones not refused")
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main())
