"""Hand-made certificates of every kind, and changes of them that no checker may accept.

    python3 tools/certificate_samples.py > tools/fixtures/certificates.jsonl

writes them as lines {"name":…, "holds":bool, "certificate":…}, for the tests of both checkers.
"""
import copy
import itertools
import json
import math

ONE = (1, 0, 0, 0, 1, 0, 0, 0, 1)


def H(x):
    return float(x).hex()


def V(*v):
    return [H(x) for x in v]


def up(x):
    return math.nextafter(x, math.inf)


def down(x):
    return math.nextafter(x, -math.inf)


def body(shape, at=(0, 0, 0), matrix=ONE, padding=None):
    result = part(shape, at, matrix)
    return result if padding is None else dict(result, padding=H(padding))


def part(shape, at=(0, 0, 0), matrix=ONE):
    return {"shape": shape, "matrix": V(*matrix), "translation": V(*at)}


def turn_about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return (c, -s, 0, s, c, 0, 0, 0, 1)


def corners(x, y=None, z=None):
    y, z = x if y is None else y, x if z is None else z
    return [(a * x, b * y, c * z) for a, b, c in itertools.product((-1, 1), repeat=3)]


def hull(points):
    return {"hull": [V(*p) for p in points]}


def sphere(r):
    return {"round": [hull([(0, 0, 0)]), H(r)]}


def ball_hull(*balls):
    return {"balls": [[V(*c), H(r)] for c, r in balls]}


def discs(z0, r0, z1, r1):
    return {"discs": [V(z0, r0), V(z1, r1)]}


# The faces of a box over corners(…), counter-clockwise seen from outside, side by side: -x, +x, -y, +y, -z, +z.
BOX = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def mesh(*boxes, solid=True):
    """Boxes (centre, half extent) in one mesh; a negative extent makes a cavity."""
    vertices, triangles = [], []
    for centre, half in boxes:
        first = len(vertices)
        vertices += [tuple(c + k for c, k in zip(centre, corner)) for corner in corners(abs(half))]
        triangles += [[first + i for i in (t if half > 0 else t[::-1])] for t in BOX]
    return {"mesh": {"vertices": [V(*v) for v in vertices], "triangles": triangles, "solid": solid}}


def leaf(*n, frame=None):
    return {"n": V(*n)} if frame is None else {"n": V(*n), "frame": frame}


def split(side, k, x, y):
    return {side: k, "of": [x, y]}


def lower(value, cut, **more):
    return dict(value=H(value), cut=cut, **more)


def upper(value, pairs, weights=None, **more):
    result = dict(value=H(value), pairs=pairs, **more)
    return result if weights is None else dict(result, weights=V(*weights))


def certificate(a, b, **claims):
    return {"certificate": 1, "a": a, "b": b, **claims}


def motion(centre=(0, 0, 0), linear=(0, 0, 0), angular=(0, 0, 0)):
    return {"centre": V(*centre), "linear": V(*linear), "angular": V(*angular)}


def faces_apart(size, b="a"):
    """A cut that takes the six faces of a box one after the other away from what is inside of it."""
    ways = [(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)]
    # From a face of A to what is inside of it: against the face's normal.
    leaves = [leaf(*(-x for x in way)) for way in ways] if b == "a" else [leaf(*way) for way in ways]
    result = leaves[5]
    for i in (4, 3, 2, 1, 0):
        result = split(b, 2, leaves[i], result)
    return result


def change(value, path, new):
    """A copy with the item at a path replaced; `new` may be a function of the old one, and REMOVE removes it."""
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    if new is REMOVE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new(inner[path[-1]]) if callable(new) else new
    return value


REMOVE = object()


def plus(x):
    return lambda old: H(float.fromhex(old) + x)


def swapped(sample):
    """The same with the bodies in each other's place."""
    return dict(sample, a=sample["b"], b=sample["a"])


def cubes():
    one = hull(corners(1))
    apart = certificate(body(one), body(one, (3, 0, 0)), lower=lower(1, leaf(1, 0, 0)), upper=upper(1, [[7, 3]], [1]))
    yield "cubes-apart", apart, [
        (["lower", "value"], H(up(1))), (["upper", "value"], H(down(1))), (["lower", "cut", "n"], V(1, 0.001, 0)),
        (["lower", "cut", "n"], V(0, 0, 0)), (["lower", "cut", "n"], V(-1, 0, 0)), (["a", "shape", "hull", 7, 0], H(up(1))),
        (["b", "translation", 0], H(down(3))), (["b", "translation", 0], H(up(3))), (["upper", "pairs", 0, 0], 8), (["upper", "pairs", 0, 1], 7),
        (["upper", "weights", 0], H(0)), (["upper", "weights", 0], H(-1)), (["lower", "cut"], split("a", 1, leaf(1, 0, 0), leaf(1, 0, 0)))]
    yield "cubes-apart, frames", change(apart, ["lower", "cut", "frame"], "b"), [(["lower", "cut", "frame"], "c")]
    turned = body(one, (4, 1, 0), turn_about_z(0.3))
    gap = 4 - 1 - (math.cos(0.3) + math.sin(0.3))
    yield "cube turned", certificate(body(one), turned, lower=lower(gap - 1e-14, leaf(1, 0, 0))), [
        (["lower", "value"], plus(1e-13)), (["b", "matrix", 0], plus(1e-10)), (["b", "matrix"], V(*turn_about_z(0.301))),
        (["b", "matrix"], V(1, 0, 0, 0, 1, 0, 0, 0, -1)), (["b", "matrix"], V(2, 0, 0, 0, 2, 0, 0, 0, 2)), (["b", "matrix", 8], H(0))]
    yield "cubes touching", certificate(body(one), body(one, (2, 0, 0)), lower=lower(0, leaf(1, 0, 0)), upper=upper(0, [[7, 3]])), [
        (["lower", "value"], H(5e-324)), (["upper", "value"], H(-5e-324)), (["b", "translation", 0], H(down(2))), (["upper", "pairs", 0, 0], 6),
        (["b", "translation", 0], H(up(2)))]
    minus = certificate(body(one), body(one, (2, 0, 0)), lower=lower(-0.0, leaf(1, 0, 0)), upper=upper(-0.0, [[7, 3]], [2.5]))
    yield "cubes touching, minus zero", minus, [(["a", "shape", "hull", 7, 0], H(2))]
    yield from overlapping_cubes()


def difference(points, at):
    return lambda i, j: tuple(at[k] + points[j][k] - points[i][k] for k in range(3))


def overlapping_cubes():
    points, at, one = corners(1), (1, 0.5, 0.25), hull(corners(1))
    m = difference(points, at)
    # Corners of the Minkowski difference, a box from at - 2 to at + 2, by the opposite corners of the cubes that make them.
    box = [[7 - i, i] for i in range(8)]
    deep = certificate(body(one), body(one, at), lower=lower(-1, leaf(1, 0, 0)), upper=upper(-1, box, facets=BOX))
    yield "cubes overlapping, depth", deep, [
        (["lower", "value"], H(up(-1))), (["upper", "value"], H(down(-1))), (["upper", "facets", 3], REMOVE), (["upper", "facets", 3], [4, 5, 7]),
        (["upper", "facets", 0, 1], 2), (["upper", "facets", 0, 2], 8), (["upper", "facets"], []), (["upper", "facets"], BOX + BOX),
        (["upper", "facets"], BOX + [BOX[0]]), (["upper", "weights"], V(*[1] * 8)), (["upper", "pairs", 5, 0], 5), (["upper", "pairs", 2], REMOVE),
        (["b", "translation", 0], H(up(1))), (["b", "translation", 0], H(3)), (["lower", "cut", "n"], V(1, 1e-9, 0))]
    zero = [[0, 7], [7, 0], [3, 4], [5, 2]]
    found = next(c for c in itertools.combinations(itertools.product(range(8), repeat=2), 4) if inside([m(i, j) for i, j in c]))
    yield "cubes overlapping, four pairs", certificate(body(one), body(one, at), upper=upper(0, [list(x) for x in found])), [
        (["upper", "value"], H(-5e-324)), (["upper", "pairs", 0], REMOVE), (["upper", "pairs", 0], list(found[1])),
        (["upper", "pairs"], zero + zero), (["b", "translation", 0], H(2.5)), (["upper", "pairs"], [])]
    yield "segments crossing, two pairs", certificate(body(hull([(-1, 0, 0), (1, 0, 0)])), body(hull([(0, -1, 0), (0, 1, 0)])), upper=upper(0, [[0, 0], [1, 1]])), [
        (["b", "translation", 2], H(1e-300)), (["upper", "pairs"], [[0, 0], [0, 0]]), (["upper", "pairs"], [[0, 0], [1, 0]]), (["b", "translation", 0], H(2))]
    triangle = [(1, 0, 0), (-1, 1, 0), (-1, -1, 0)]
    yield "point on a triangle, three pairs", certificate(body(hull(triangle)), body(hull([(0, 0, 0)])), upper=upper(0, [[0, 0], [1, 0], [2, 0]])), [
        (["b", "translation", 2], H(5e-324)), (["b", "translation", 0], H(1.5)), (["b", "translation", 0], H(-1.5)), (["upper", "pairs", 1, 0], 0),
        (["upper", "pairs", 1, 0], 3)]


def inside(points):
    """Whether zero is well inside of a tetrahedron, in floats."""
    def det(a, b, c):
        return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    a, b, c, d = points
    parts = [det(b, c, d), -det(a, c, d), det(a, b, d), -det(a, b, c)]
    return all(x > 1 for x in parts) or all(x < -1 for x in parts)


def rounded():
    yield "spheres", certificate(body(sphere(1)), body(sphere(2), (4, 6, 12)), lower=lower(11, leaf(2, 3, 6)), upper=upper(11, [[0, 0]], [1])), [
        (["lower", "value"], H(up(11))), (["upper", "value"], H(down(11))), (["a", "shape", "round", 1], H(up(1))), (["a", "shape", "round", 1], H(down(1))),
        (["a", "shape", "round", 1], H(-1)), (["lower", "cut", "n"], V(2, 3, 5)), (["upper", "pairs", 0, 0], {"point": 0, "offset": V(0, 0, 0)})]
    yield "spheres, deep", certificate(body(sphere(1)), body(sphere(2), (2, 0, 0)), lower=lower(-1, leaf(3, 0, 0)), upper=upper(-1, [[0, 0]], [1])), [
        (["lower", "value"], H(up(-1))), (["upper", "value"], H(down(-1))), (["upper", "weights"], REMOVE)]
    twice = {"round": [{"round": [hull([(0, 0, 0)]), H(0.25)]}, H(0.75)]}
    yield "rounded twice, common point", certificate(body(twice, padding=0.5), body(sphere(1)), lower=lower(-2.5, leaf(0, 0, 7)), upper=upper(-2.5, [[0, 0]])), [
        (["upper", "value"], H(down(-2.5))), (["lower", "value"], H(up(-2.5))), (["a", "padding"], H(0.25)), (["a", "padding"], H(0.75)), (["a", "padding"], H(-0.5))]
    capsule = {"round": [hull([(-1, 0, 0), (1, 0, 0)]), H(0.5)]}
    yield "capsules crossing", certificate(body(capsule), body(capsule, (0, 0, 3), turn_about_z(1.0)), lower=lower(2, leaf(0, 0, 1)),
                                           upper=upper(2 + 1e-12, [[0, 0], [0, 1], [1, 0], [1, 1]], [1, 1, 1, 1])), [
        (["lower", "value"], H(up(2))), (["upper", "value"], H(2 - 1e-9)), (["upper", "weights", 1], H(1.01)), (["upper", "weights"], V(1, 1, 1)), (["upper", "pairs", 3, 1], 0)]
    ellipsoid, cylinder, cone = {"ellipsoid": V(1, 2, 3)}, discs(-1, 1, 1, 1), discs(-0.25, 0.5, 0.75, 0)
    yield "ellipsoid and cylinder", certificate(body(ellipsoid), body(cylinder, (4, 0, 0.5)), lower=lower(2, leaf(1, 0, 0)),
                                                upper=upper(2, [[V(1, 0, 0), V(-1, 0, -0.5)]], [1])), [
        (["lower", "value"], H(up(2))), (["upper", "value"], H(down(2))), (["upper", "pairs", 0, 0, 0], H(up(1))), (["upper", "pairs", 0, 0, 2], H(1e-9)),
        (["upper", "pairs", 0, 1, 0], H(down(-1))), (["upper", "pairs", 0, 1, 2], H(-1.5)), (["a", "shape", "ellipsoid", 0], H(up(1))), (["a", "shape", "ellipsoid", 0], H(-1)),
        (["b", "shape", "discs", 0, 1], H(up(1))), (["b", "shape", "discs", 1, 1], H(up(1))), (["b", "shape", "discs", 1, 1], H(0)), (["upper", "pairs", 0, 0], 0)]
    n = (0.6, -0.3, 0.7)
    size = math.sqrt(sum(x * x for x in n))
    tilted = math.sqrt((1 * n[0]) ** 2 + (2 * n[1]) ** 2 + (3 * n[2]) ** 2)
    tip = max(0.25 * n[2] + 0.5 * math.hypot(n[0], n[1]), -0.75 * n[2])
    gap = (6 * n[0] - 2 * n[1] + 5 * n[2] - tilted - tip) / size
    yield "ellipsoid and cone", certificate(body(ellipsoid), body(cone, (6, -2, 5)), lower=lower(gap - 1e-13, leaf(*n))), [
        (["lower", "value"], plus(1e-12)), (["a", "shape", "ellipsoid", 1], plus(1e-9)), (["b", "shape", "discs", 0, 1], plus(1e-9)), (["b", "shape", "discs", 0, 0], plus(-1e-9))]
    flat = {"ellipsoid": V(3, 2, 0)}
    yield "ellipse and disc", certificate(body(flat), body(discs(0, 1, 0, 0.5), (0, 1, 2)), lower=lower(2, leaf(0, 0, 1)),
                                          upper=upper(2, [[V(0, 1, 0), V(0, 0, 0)], [V(0.75, 0.25, 0), V(0.75, -0.625, 0)], [V(0, 0.25, 0), V(0, -0.375, 0)]], [1, 0, 0])), [
        (["lower", "value"], H(up(2))), (["upper", "pairs", 0, 0, 2], H(5e-324)), (["upper", "pairs", 1, 1, 2], H(5e-324)), (["upper", "pairs", 1, 1, 0], H(0.9)),
        (["upper", "weights", 1], H(1))]


def combined():
    balls = ball_hull(((0, 0, 0), 1), ((3, 0, 0), 2))
    yield "balls", certificate(body(balls), body(balls, (10, 0, 0)), lower=lower(4, leaf(1, 0, 0)),
                               upper=upper(4, [[{"ball": 1, "offset": V(2, 0, 0)}, {"ball": 0, "offset": V(-1, 0, 0)}]], [1])), [
        (["lower", "value"], H(up(4))), (["upper", "value"], H(down(4))), (["upper", "pairs", 0, 0, "offset", 0], H(up(2))), (["upper", "pairs", 0, 0, "ball"], 0),
        (["upper", "pairs", 0, 0, "ball"], 2), (["a", "shape", "balls", 1, 1], H(up(2))), (["a", "shape", "balls", 1, 1], H(1)), (["upper", "pairs", 0, 0, "offset", 1], H(1e-9)),
        (["a", "shape", "balls", 1, 1], H(-2))]
    total = {"sum": [part(hull(corners(1))), part({"ellipsoid": V(1, 1, 1)}, (0, 2, 0))]}
    yield "sum", certificate(body(total), body(sphere(1), (6, 2, 0)), lower=lower(3, leaf(1, 0, 0)), upper=upper(3, [[{"sum": [7, V(1, 0, 0)]}, 0], [{"sum": [4, V(1, 0, 0)]}, 0]], [1, 1])), [
        (["lower", "value"], H(up(3))), (["upper", "value"], H(down(3))), (["upper", "pairs", 0, 0, "sum", 1, 0], H(up(1))), (["upper", "pairs", 0, 0, "sum", 0], 1),
        (["upper", "pairs", 0, 0, "sum"], [7]), (["a", "shape", "sum", 0, "matrix", 0], H(1.5)), (["a", "shape", "sum", 1, "translation", 0], H(1e-9)), (["a", "shape", "sum", 1], REMOVE)]
    joined = {"hull_of": [part(sphere(1), (0, 0, 5)), part(hull(corners(1)), (0, 0, 0), (2, 0, 0, 0, 2, 0, 0, 0, 2))]}
    top = {"of": 0, "point": {"point": 0, "offset": V(0, 0, 1)}}
    yield "hull of parts", certificate(body(joined), body({"round": [joined, H(1)]}, (0, 0, 12)), lower=lower(3, leaf(0, 0, 1)),
                                       upper=upper(3, [[top, {"of": 1, "point": 0}], [top, {"of": 1, "point": 6}]], [1, 1])), [
        (["lower", "value"], H(up(3))), (["upper", "value"], H(down(3))), (["upper", "pairs", 0, 0, "point", "offset", 2], H(up(1))), (["upper", "pairs", 0, 0, "of"], 1),
        (["upper", "pairs", 0, 1, "of"], 2), (["a", "shape", "hull_of", 0, "shape", "round", 1], H(up(1))), (["a", "shape", "hull_of", 0, "shape", "round", 1], H(0.5)),
        (["b", "shape", "round", 0, "hull_of", 1, "matrix", 8], H(2.5)), (["upper", "pairs", 0, 1], {"point": {"of": 1, "point": 0}, "offset": V(0, 0, -1)})]
    turned = turn_about_z(0.7)
    floor = {"half_space": [V(0.3, 0.4, 2), H(3)]}
    size = math.sqrt(0.09 + 0.16 + 4)
    world = [turned[0] * 0.3 + turned[1] * 0.4, turned[3] * 0.3 + turned[4] * 0.4, 2]
    at = (1, 2, 9)
    gap = (sum(x * y for x, y in zip(world, at)) - sum(abs(x) for x in world)) / size - 3 / size
    yield "half-space", certificate(body(floor, (0, 0, 0), turned), body(hull(corners(1)), at), lower=lower(gap - 1e-14, leaf(0.3, 0.4, 2, frame="a")),
                                    upper=upper(8, [[V(0, 0, 1.5), 0]], [1])), [
        (["lower", "value"], plus(1e-13)), (["lower", "cut", "frame"], REMOVE), (["lower", "cut", "frame"], "b"), (["lower", "cut", "n", 0], plus(1e-16)),
        (["lower", "cut", "n"], V(-0.3, -0.4, -2)), (["a", "shape", "half_space", 1], plus(1e-9)), (["upper", "pairs", 0, 0, 2], H(1.6)), (["a", "shape", "half_space", 0], V(0, 0, 0)),
        (["upper", "value"], H(6.5))]
    floors = certificate(body(hull(corners(1))), body({"half_space": [V(0, 0, 3), H(-6)]}, padding=0.25), lower=lower(0.75, leaf(0, 0, -3, frame="b")))
    yield "half-space as b, padded", floors, [(["lower", "value"], H(up(0.75))), (["b", "padding"], H(0.5)), (["b", "shape"], {"round": [floors["b"]["shape"], H(0)]})]


def concave():
    pair = certificate(body(mesh(((-3, 0, 0), 1), ((3, 0, 0), 1))), body(mesh(((0, 0, 0), 1))))
    cut = split("a", 12, leaf(1, 0, 0), leaf(-1, 0, 0))
    outside = {"body": "b", "piece": 3, "point": 1, "mesh": 0, "ray": V(0.1, 0.2, 1)}
    between = dict(pair, lower=lower(1, cut, outside=[outside]), upper=upper(1, [[0, 0]], [1], pieces=[2, 0]))
    yield "mesh between two halves", between, [
        (["lower", "value"], H(up(1))), (["upper", "value"], H(down(1))), (["lower", "cut", "a"], 11), (["lower", "cut", "a"], 13), (["lower", "cut", "a"], 0), (["lower", "cut", "a"], 24),
        (["lower", "cut", "b"], 12), (["lower", "cut"], leaf(1, 0, 0)), (["lower", "cut", "of", 0], REMOVE), (["lower", "cut", "of", 1, "n"], V(1, 0, 0)), (["lower", "outside"], []),
        (["lower", "outside", 0, "body"], "a"), (["lower", "outside", 0, "ray"], V(0, 0, 0)), (["lower", "outside", 0, "ray"], V(1, 0, 0)), (["lower", "outside", 0, "mesh"], 1),
        (["lower", "outside", 0, "piece"], 12), (["lower", "outside", 0, "point"], 3), (["upper", "pieces"], [0, 0]), (["upper", "pieces", 0], 24),
        (["lower", "order_a"], [23] + list(range(23))), (["lower", "order_a"], [0] * 24), (["lower", "order_a"], list(range(23))),
        (["a", "shape", "mesh", "triangles", 5], REMOVE), (["a", "shape", "mesh", "triangles", 5, 0], 1), (["a", "shape", "mesh", "triangles", 5, 0], 16),
        (["a", "shape", "mesh", "vertices", 15, 0], H(1.5)), (["a", "shape", "mesh", "solid"], 1), (["lower", "value"], H(-1)), (["a", "matrix"], V(-1, 0, 0, 0, 1, 0, 0, 0, 1)),
        (["lower", "value"], H(0))]
    yield "the same in another order", dict(pair, lower=lower(1, split("a", 12, leaf(-1, 0, 0), leaf(1, 0, 0)), order_a=list(range(12, 24)) + list(range(12)), outside=[outside])), [
        (["lower", "order_a", 0], 13), (["lower", "order_a"], REMOVE)]
    yield "the same, surfaces", dict(change(change(pair, ["a", "shape", "mesh", "solid"], False), ["b", "shape", "mesh", "solid"], False), lower=lower(1, cut)), [
        (["a", "shape", "mesh", "solid"], True)]
    shell = certificate(body(mesh(((0, 0, 0), 3), solid=False)), body(mesh(((0, 0, 0), 1))), lower=lower(2, faces_apart(3)))
    yield "inside of a surface", shell, [(["a", "shape", "mesh", "solid"], True), (["lower", "value"], H(up(2))), (["lower", "cut", "of", 1], leaf(-1, 0, 0))]
    nested = change(shell, ["a", "shape", "mesh", "solid"], True)
    false = dict(nested, lower=dict(nested["lower"], outside=[dict(outside, piece=0, point=0)]))
    within = {"value": H(0), "inside": dict(outside, piece=0, point=0)}
    yield "nested solids", change(dict(nested, upper=within), ["lower"], REMOVE), [
        (["lower"], false["lower"]), (["lower"], nested["lower"]), (["upper", "value"], H(-5e-324)), (["upper", "inside", "body"], "a"), (["upper", "inside", "mesh"], 1),
        (["upper", "inside", "ray"], V(1, 1, 1)), (["upper", "inside", "ray"], V(0, 0, 0)), (["b", "translation", 0], H(6)), (["a", "shape", "mesh", "solid"], False),
        (["a", "shape", "mesh", "triangles"], lambda old: [t[::-1] for t in old])]
    hollow = certificate(body(mesh(((0, 0, 0), 5), ((0, 0, 0), -3))), body(mesh(((0, 0, 0), 1))), lower=lower(2, split("a", 12, faces_apart(5), faces_apart(3)),
                         outside=[dict(outside, piece=0, point=0)]))
    yield "in a cavity", hollow, [(["lower", "outside"], REMOVE), (["lower", "value"], H(up(2))),
                                 (["a", "shape", "mesh", "triangles"], lambda old: old[:12] + [t[::-1] for t in old[12:]])]
    yield from unions()


def unions():
    ell = {"compound": [part(hull(corners(1))), part(sphere(1), (3, 0, 0)), part(mesh(((0, 0, 0), 1)), (0, 4, 0))]}
    outside = {"body": "b", "piece": 0, "point": 0, "mesh": 0, "ray": V(0.1, 0.2, 1)}
    cut = split("a", 2, split("a", 1, leaf(1, 0, 0), leaf(0, 1, 0)), leaf(1, 0, 0))
    placed = certificate(body(ell), body(sphere(0.25), (3, 2.5, 0), padding=0.25), lower=lower(1, cut), upper=upper(1, [[0, 0]], [1], pieces=[1, 0]))
    yield "compound", placed, [(["lower", "value"], H(up(1))), (["upper", "value"], H(down(1))), (["upper", "pieces"], REMOVE), (["b", "padding"], H(0.375)), (["b", "padding"], REMOVE),
                               (["a", "shape", "compound", 1], REMOVE), (["a", "shape", "compound", 2, "matrix", 0], H(-1)), (["lower", "cut", "of", 0, "a"], 2),
                               (["a", "shape", "compound", 0, "shape"], {"cloud": [V(0, 0, 0)]}), (["a", "shape", "compound", 1, "translation", 1], H(1e-9)),
                               (["a", "shape", "compound", 1, "matrix", 8], H(0.99))]
    touching = certificate(body({"compound": [part(hull(corners(1)), (-2, 0, 0)), part(hull(corners(1)), (2, 0, 0))]}), body(hull(corners(1))),
                           lower=lower(0, split("a", 1, leaf(1, 0, 0), leaf(-1, 0, 0))), upper=upper(0, [[7, 3]]))
    yield "a peg that fits its hole", touching, [(["lower", "value"], H(5e-324)), (["lower", "value"], H(-1)), (["b", "shape"], mesh(((0, 0, 0), 1)))]
    cloud = {"cloud": [V(x, y, 0) for x in (-2, 0, 2) for y in (-2, 2)]}
    cut = split("a", 2, leaf(1, 0, 0), split("a", 2, split("a", 1, leaf(0, 1, 0), leaf(0, -1, 0)), leaf(-1, 0, 0)))
    yield "cloud around a ball", certificate(body(cloud, padding=0.5), body(sphere(0.5)), lower=lower(1, cut), upper=upper(1, [[0, 0]], [1], pieces=[2, 0])), [
        (["lower", "value"], H(up(1))), (["upper", "value"], H(down(1))), (["a", "padding"], H(up(0.5))), (["a", "padding"], REMOVE), (["a", "shape", "cloud", 3], REMOVE),
        (["a", "shape", "cloud"], []), (["upper", "pieces", 0], 0), (["upper", "pairs", 0, 0], 1), (["lower", "cut", "of", 1, "of", 0], leaf(0, 1, 0))]
    solid = certificate(body(cloud, padding=0.5), body(mesh(((0, 0, 0), 0.5))), lower=lower(1, cut))
    yield "cloud around a solid", solid, [(["lower", "value"], H(up(1)))]
    triangles = [[0, 1, 3], [1, 0, 2], [0, 1, 2], [0, 0, 1], [1, 0, 3]]
    flat = {"mesh": {"vertices": [V(0, 0, 0), V(2, 0, 0), V(1, 0, 0), V(0, 1, 0)], "triangles": triangles, "solid": True}}
    try_flat = certificate(body(flat), body(hull([(0.25, 0.25, 3)])), lower=lower(3, split("a", 1, leaf(0, 0, 1), leaf(0, 0, 1)), outside=[dict(outside, ray=V(1, 0, 1))]))
    yield "triangles without area", try_flat, [(["lower", "outside", 0, "ray"], V(0.25, -0.25, -3)), (["lower", "outside", 0, "ray"], V(-0.25, -0.25, -3)), (["lower", "outside", 0, "ray"], V(0.75, -0.25, -3)),
                                              (["a", "shape", "mesh", "triangles", 4], [0, 1, 3]), (["lower", "outside"], REMOVE)]


def moving():
    one = hull(corners(1))
    straight = certificate(body(one), body(one, (5, 0, 0)), motion=motion(linear=(-4, 0, 0)),
                           free={"until": H(0.5), "clearance": H(1), "steps": [{"to": H(0.25), "cut": leaf(1, 0, 0)}, {"to": H(0.5), "cut": leaf(1, 0, 0)}]},
                           near={"time": H(0.75), "value": H(0), "pairs": [[7, 3]], "weights": V(1)})
    yield "straight", straight, [
        (["free", "clearance"], H(up(1))), (["free", "until"], H(up(0.5))), (["free", "steps", 1], REMOVE), (["free", "steps", 0, "to"], H(0.5)), (["free", "steps", 0, "to"], H(0)),
        (["free", "steps", 0, "to"], H(-1)), (["free", "steps"], []), (["motion"], REMOVE), (["motion", "linear", 0], H(down(-4))), (["motion", "linear", 0], H(up(-4))), (["near", "time"], H(down(0.75))),
        (["near", "time"], H(-1)), (["near", "value"], H(-5e-324)), (["near", "weights"], REMOVE), (["near", "pairs", 0, 0], 3), (["free", "steps", 1, "cut", "n"], V(1, 1e-6, 0)),
        (["motion", "angular", 2], H(1e-3)), (["b", "translation", 0], H(down(5)))]
    bar = hull([(0, -0.25, -1), (4, -0.25, -1), (4, 0.25, -1), (0, 0.25, -1), (0, 0, 1), (4, 0, 1)])
    steps, n = [], 16
    for i in range(n):
        middle = (2 * i + 1) / (2 * n) * 0.5
        steps.append({"to": H((i + 1) / n * 0.5), "cut": leaf(math.sin(2 * middle), -math.cos(2 * middle), 0)})
    post = (4 * math.cos(2.0), 4 * math.sin(2.0), 0)
    least = min(post[1] * math.cos(2 * s) - post[0] * math.sin(2 * s) for s in (0, 0.25, 0.5)) - 0.25 - 0.5 - 0.08
    turning = certificate(body(sphere(0.5), post), body(bar), motion=motion(angular=(0, 0, 2)),
                          free={"until": H(0.5), "clearance": H(least), "steps": steps},
                          near={"time": H(1), "value": H(-0.25), "pairs": [[0, 1], [0, 2], [0, 5]], "weights": V(1, 1, 2)})
    yield "turning", turning, [
        (["free", "clearance"], H(least + 0.08)), (["free", "until"], H(0.51)), (["free", "steps"], lambda old: old[3::4]), (["free", "steps", 15], REMOVE), (["motion", "angular", 2], H(3)), (["motion", "angular", 2], H(-2)),
        (["motion", "centre", 0], H(-2)), (["near", "time"], H(1.2)), (["near", "value"], H(-0.6)), (["near", "weights"], V(1, 0, 0)), (["motion", "angular", 0], H(2)), (["motion", "angular", 2], H(1e6)),
        (["free", "steps", 3, "cut", "n"], V(-1, 0, 0)), (["free", "steps", 12, "cut"], split("b", 1, leaf(1, 0, 0), leaf(1, 0, 0)))]
    yield from moving_solids()


def moving_solids():
    outside = {"body": "b", "piece": 3, "point": 1, "mesh": 0, "ray": V(0.1, 0.2, 1)}
    cut = split("a", 12, leaf(1, 0, 0), leaf(-1, 0, 0))
    way = certificate(body(mesh(((-3, 0, 0), 1), ((3, 0, 0), 1))), body(mesh(((0, 0, 0), 0.5)), padding=0.125), motion=motion(linear=(0.25, 1, 0), angular=(0, 0, 0.0625)),
                      free={"until": H(1), "clearance": H(1), "steps": [{"to": H(1), "cut": cut}], "outside": [outside]})
    yield "solid moves between two halves", way, [
        (["free", "clearance"], H(1.2)), (["free", "outside"], []), (["motion", "linear", 0], H(1)), (["motion", "angular", 2], H(3)), (["free", "steps", 0, "cut", "a"], 11), (["free", "clearance"], H(0)),
        (["b", "padding"], H(0.5)), (["free", "order_b"], [0] * 12)]
    floor = certificate(body({"half_space": [V(0, 0, 1), H(0)]}), body({"ellipsoid": V(4, 2, 3)}, (0, 0, 5)), motion=motion((0, 0, 5), (0, 0, -1), (0, 0, 8)),
                        free={"until": H(1), "clearance": H(0.8), "steps": [{"to": H(k / 32), "cut": leaf(0, 0, 1, frame="a")} for k in range(2, 33, 2)]})
    yield "ellipsoid above a half-space", floor, [(["free", "clearance"], H(1.1)), (["motion", "linear", 2], H(-2)), (["free", "steps", 4, "cut", "frame"], "c"), (["motion", "angular", 1], H(8))]
    yield "half-space turns", None, [(swapped(floor), ["free", "clearance"], H(0.0))]
    slides = certificate(body(sphere(1), (0, 0, 3)), body({"half_space": [V(0, 0, 1), H(0)]}), motion=motion(linear=(1, 1, 0.5)),
                         free={"until": H(1), "clearance": H(1.5), "steps": [{"to": H(1), "cut": leaf(0, 0, -1, frame="b")}]})
    yield "half-space slides", slides, [(["free", "clearance"], H(up(1.5))), (["motion", "angular", 2], H(1))]
    wild = certificate(body({"compound": [part(sphere(0.5), (0, 0, 3)), part(discs(-1, 1, 1, 0), (0, 0, -3))]}),
                       body({"hull_of": [part(sphere(0.25), (1, 0, 0)), part({"ellipsoid": V(0.5, 0.25, 0.125)})]}, padding=0.125), motion=motion((0, 0, 0), (0, 0, 0), (3, -2, 1)),
                       free={"until": H(1), "clearance": H(0.25), "steps": [{"to": H(k / 16), "cut": split("a", 1, leaf(0, 0, -1), leaf(0, 0, 1))} for k in range(1, 17)]})
    yield "tumbling", wild, [(["free", "clearance"], H(1.75)), (["motion", "centre", 2], H(4)), (["motion", "angular", 0], H(9000)), (["free", "steps", 5, "cut", "a"], 2), (["free", "steps"], lambda old: old[15:])]


def samples():
    """Name, a certificate that holds or None, and changed ones that must be refused."""
    for family in (cubes, rounded, combined, concave, moving):
        for name, good, changes in family():
            bad = []
            for number, item in enumerate(changes):
                base, path, new = item if len(item) == 3 else (good, *item)
                bad.append((f"{name}; {number}: {'.'.join(map(str, path))}", change(base, path, new)))
            yield name, good, bad


if __name__ == "__main__":
    for name, good, bad in samples():
        for title, holds, sample in [(name, True, good)] + [(title, False, sample) for title, sample in bad]:
            if sample is not None:
                print(json.dumps({"name": title, "holds": holds, "certificate": sample}, separators=(",", ":")))
