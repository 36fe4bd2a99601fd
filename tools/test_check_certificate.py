"""Tests of check_certificate.py: `python3 -m unittest discover tools`."""
import contextlib
import io
import itertools
import json
import math
import os
import random
import sys
import tempfile
import unittest
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import certificate_samples as make  # noqa: E402
import check_certificate as checker  # noqa: E402

SAMPLES = list(make.samples())
GOOD = [(name, good) for name, good, _ in SAMPLES if good is not None]
FIXTURES = os.path.join(HERE, "fixtures", "certificates.jsonl")


def refusal(certificate):
    """Why a certificate is refused, or None. Any other exception is a failure of the test."""
    try:
        checker.check(certificate)
    except checker.Refused as reason:
        return str(reason)
    return None


def leaves(value, path=()):
    """All paths to items of lists and objects, and what is there."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield path + (key,), item
        if isinstance(item, (dict, list)):
            yield from leaves(item, path + (key,))


def run(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = checker.main(list(arguments))
    return status, out.getvalue()


class Samples(unittest.TestCase):
    def test_what_is_true_and_proved_passes(self):
        for name, good in GOOD:
            with self.subTest(name):
                self.assertIsNone(refusal(good))

    def test_what_is_changed_is_refused(self):
        changed = [item for _, _, bad in SAMPLES for item in bad]
        self.assertGreater(len(changed), 250)
        for name, bad in changed:
            with self.subTest(name):
                self.assertIsNotNone(refusal(bad))

    def test_the_fixtures_are_these_samples(self):
        with open(FIXTURES, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        wanted = [dict(name=title, holds=holds, certificate=sample) for name, good, bad in SAMPLES
                  for title, holds, sample in [(name, True, good)] + [(title, False, sample) for title, sample in bad] if sample]
        self.assertEqual([line["name"] for line in lines], [line["name"] for line in wanted])
        # The samples have sines and cosines, of which the last bit is the platform's.
        for line in lines:
            self.assertEqual(refusal(line["certificate"]) is None, line["holds"], line["name"])


class Shape(unittest.TestCase):
    """Records that are not in the format, whatever they prove."""

    def test_fields_removed_added_or_of_another_kind(self):
        wrong = [None, True, 1.5, -1, 10 ** 30, "", "1.5", "0x1.8", "inf", "nan", "0x1p+5000", "0x1.00000000000001p+0", " 0x1p+0", "0x1p+0\n", {}, [], [[]], "a" * 1000]
        rng = random.Random(7)
        tried = 0
        for name, good in GOOD:
            found = list(leaves(good))
            for path, item in rng.sample(found, min(len(found), 60)):
                with self.subTest(name, path=path):
                    if isinstance(item, dict):
                        extra = make.change(good, path, dict(item, more=1))
                        self.assertIsNotNone(refusal(extra))
                    for other in rng.sample(wrong, 3):
                        if path[-1] == "solid" and other is True or path[-1] in ("outside", "order_a") and other == []:
                            continue
                        tried += 1
                        self.assertIsNotNone(refusal(make.change(good, path, lambda _: other)), other)
        self.assertGreater(tried, 3000)

    def test_every_field_is_needed_or_optional(self):
        optional = {"padding", "frame", "order_a", "order_b", "outside", "pieces", "weights", "facets", "lower", "upper", "free", "near", "motion"}
        for name, good in GOOD:
            for path, _ in leaves(good):
                if isinstance(path[-1], str) and path[-1] not in optional:
                    with self.subTest(name, path=path):
                        self.assertIsNotNone(refusal(make.change(good, path, make.REMOVE)))

    def test_versions_and_claims(self):
        good = dict(GOOD)["cubes-apart"]
        for version in (0, 2, True, 1.0, "1", None, [1]):
            self.assertIn("version", refusal(dict(good, certificate=version)))
        self.assertIn("claims nothing", refusal({k: v for k, v in good.items() if k not in ("lower", "upper")}))
        for other in (None, 1, "x", [], [good], {}):
            self.assertIsNotNone(refusal(other))

    def test_deep_nesting_ends(self):
        good = dict(GOOD)["mesh between two halves"]
        shape, cut, point = make.hull([(0, 0, 0)]), make.leaf(1, 0, 0), 0
        for _ in range(20000):
            shape, cut, point = {"round": [shape, "0x1p+0"]}, make.split("a", 1, make.leaf(1, 0, 0), cut), {"sum": [point]}
        for path, deep in ((["a", "shape"], shape), (["lower", "cut"], cut), (["upper", "pairs"], [[point, 0]])):
            bad = dict(good, **{path[0]: dict(good[path[0]], **{path[1]: deep})})
            self.assertIn("deep", refusal(bad))
        self.assertEqual(self.read("[" * 200000)[0], 2)

    def test_moderate_nesting_passes(self):
        shape = make.hull([(0, 0, 0)])
        for _ in range(20):
            shape = {"hull_of": [make.part(shape, (1, 0, 0))]}
        good = make.certificate(make.body(shape), make.body(make.hull([(30, 0, 0)])), lower=make.lower(10, make.leaf(1, 0, 0)))
        self.assertIsNone(refusal(good))

    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "file.jsonl")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            return run(name)

    def test_files(self):
        good, bad = GOOD[0][1], SAMPLES[0][2][0][1]
        answers = {"id": 1, "answers": [{"certificate": good}, {"distance": 1}, {"certificate": bad}]}
        lines = [json.dumps(x) for x in (good, {"id": 2, "distance": 3}, {"certificate": good}, {"certificate": None})]
        status, text = self.read("\n".join(lines) + "\n\n")
        self.assertEqual((status, text.split(", in")[0]), (0, "2 verified, 0 refused, 2 without a certificate, 0 unreadable"))
        status, text = self.read("\n".join(lines + [json.dumps(answers)]))
        self.assertEqual(status, 1)
        self.assertRegex(text, r"file\.jsonl:5: refused: answers\[2\]\.certificate: lower\.cut\.n: the planes are 1\.0 apart")
        self.assertEqual(self.read(lines[0] + "\n{\n")[0], 2)
        self.assertEqual(self.read("[1]\n")[0], 2)
        self.assertEqual(self.read('{"certificate":1,"certificate":1}')[0], 1)
        self.assertEqual(self.read('{"certificate":1,"\\ud800":1}')[0], 1)
        twice = json.dumps(good).replace('"value"', '"value": "0x1p-9", "value"', 1)
        self.assertIn("given twice", self.read(twice)[1])
        self.assertEqual(run("/no/such/file")[0], 2)
        self.assertEqual(run()[0], 2)
        self.assertEqual(run("--nothing")[0], 2)


class Numbers(unittest.TestCase):
    def test_every_number_matters(self):
        """For each number of a certificate there is a change of it that is refused."""
        shifts = [2.0 ** 40, -2.0 ** 40, 1, -1, 1e-3, -1e-3]
        rng, tried, idle = random.Random(13), 0, 0
        for name, good in GOOD:
            if name in ("turning", "tumbling", "ellipsoid above a half-space"):
                continue
            numbers = [path for path, item in leaves(good) if isinstance(item, str) and item.lstrip("-").startswith("0x")]
            for path in rng.sample(numbers, min(len(numbers), 20)):
                tried += 1
                if all(refusal(make.change(good, path, make.plus(shift))) is None for shift in shifts):
                    idle += 1
                    # Rays may point anywhere; corners have room along the planes, and weights of pairs equally far apart are alike.
                    self.assertTrue(path[-2] in ("ray", "weights", "translation", "linear", "centre", "n") or "shape" in path, (name, path))
        self.assertLess(4 * idle, tried)

    def test_random_hulls_against_floats(self):
        """Claims above and below the widths along random directions, by float arithmetic that is good to 1e-12."""
        rng = random.Random(3)
        for _ in range(60):
            point = lambda: tuple(rng.uniform(-1, 1) for _ in range(3))
            a, b, n = [point() for _ in range(12)], [point() for _ in range(12)], point()
            at = tuple(5 * x for x in n)
            long = math.sqrt(sum(x * x for x in n))
            along = lambda x: sum(p * q for p, q in zip(x, n)) / long
            gap = along(at) + min(map(along, b)) - max(map(along, a))
            sample = make.certificate(make.body(make.hull(a)), make.body(make.hull(b), at), lower=make.lower(gap - 1e-12, make.leaf(*n)))
            self.assertIsNone(refusal(sample))
            self.assertIsNotNone(refusal(make.change(sample, ["lower", "value"], make.H(gap + 1e-12))))

    def test_smooth_supports_bound_sampled_points(self):
        """No sampled point of a shape is beyond the support value, and some are close to it."""
        rng = random.Random(5)
        shapes = [make.discs(-1, 1, 2, 0.5), {"ellipsoid": make.V(1, 2, 0.5)}]
        for value in shapes:
            shape = checker.convex(value, "")
            members = []
            while len(members) < 300:
                x = tuple(Fraction(rng.uniform(-2, 2)) for _ in range(3))
                if checker.member(*shape, x):
                    members.append(x)
            for _ in range(30):
                d = tuple(Fraction(rng.uniform(-1, 1)) for _ in range(3))
                best = max(checker.dot(d, x) for x in members)
                value = checker.support(shape, d)
                self.assertLessEqual(best, value)
                self.assertGreater(best, value / 2)

    def test_rotations(self):
        rng = random.Random(9)
        for size in (1e-9, 0.1, 3, 50, 900):
            w = tuple(Fraction(rng.uniform(-1, 1) * size) for _ in range(3))
            motion = checker.Motion({k: make.V(*map(float, w)) for k in ("centre", "linear", "angular")}, "")
            r, off = motion.rotation(Fraction(1), "")
            self.assertLess(off, Fraction(1, 2 ** 150))
            angle = math.sqrt(sum(float(x) ** 2 for x in w))
            self.assertAlmostEqual(float(r[0] + r[4] + r[8]), 1 + 2 * math.cos(angle), 9)
            for i, j in itertools.product(range(3), repeat=2):
                self.assertLess(abs(checker.dot(r[3 * i:3 * i + 3], r[3 * j:3 * j + 3]) - (i == j)), Fraction(1, 2 ** 140))
            self.assertLess(max(abs(x) for x in checker.add(checker.times(r, w), w, -1)), Fraction(1, 2 ** 140))
        right = checker.Motion({k: make.V(0, 0, math.pi / 2) for k in ("centre", "linear", "angular")}, "")
        self.assertAlmostEqual(float(right.rotation(Fraction(1), "")[0][3]), 1)

    def test_roots(self):
        for square in (Fraction(1, 4), Fraction(9), Fraction(25, 1 << 80), Fraction(3 ** 40) ** 2):
            low, high = checker.root(square)
            self.assertTrue(low == high and low * low == square)
        for square in (Fraction(2), Fraction(5, 1 << 2001), Fraction(7 << 3001)):
            low, high = checker.root(square)
            self.assertTrue(low * low < square < high * high and (high - low) * 2 ** 120 < low)


class Winding(unittest.TestCase):
    def test_random_points_and_rays(self):
        rng = random.Random(11)
        body = checker.Body(make.body(make.mesh(((0, 0, 0), 2), ((0, 0, 0), -1), ((5, 0, 0), 1)), matrix=make.turn_about_z(0)), "a")
        counts = {0: 0, 1: 0}
        for _ in range(300):
            x = tuple(Fraction(rng.uniform(-3, 3)) for _ in range(3))
            ray = tuple(Fraction(rng.uniform(-1, 1)) for _ in range(3))
            far = max(map(abs, x))
            wanted = 1 if 1 < far < 2 or max(abs(x[0] - 5), abs(x[1]), abs(x[2])) < 1 else 0
            self.assertEqual(checker.winding(body, body.solids[0], x, ray, ""), wanted)
            counts[wanted] += 1
        self.assertGreater(min(counts.values()), 50)

    def test_rays_along_planes_and_edges(self):
        body = checker.Body(make.body(make.mesh(((0, 0, 0), 1))), "a")
        at = lambda *x: tuple(Fraction(y) for y in x)
        for x, ray, fails in [(at(0, 0, 0), at(1, 1, 0), True), (at(0, 0, 0), at(1, 1, 1), True), (at(3, 0, 1), at(-1, 0, 0), True), (at(3, 0, 1), at(1, 0, 0), False),
                              (at(1, 0, 0), at(1, 2, 3), True), (at(1, 1, 1), at(1, 2, 3), True), (at(3, 5, 1), at(-1, 0, 0), False), (at(3, 1, 1), at(-1, 0, 0), True),
                              (at(3, 1, 1), at(1, 0, 0), False)]:
            with self.subTest(x=x, ray=ray):
                if fails:
                    self.assertRaises(checker.Refused, checker.winding, body, body.solids[0], x, ray, "")
                else:
                    self.assertEqual(checker.winding(body, body.solids[0], x, ray, ""), 0)


if __name__ == "__main__":
    unittest.main()
