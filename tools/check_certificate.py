#!/usr/bin/env python3
"""Checks certificates of the collision-detection library `clearance` in exact arithmetic.

    python3 tools/check_certificate.py FILE... [--quiet]        FILE may be - for the standard input

Files are JSON Lines: certificates, or answers with a field `certificate` or a list `answers` of such. The format, and why a
certificate that passes is true, is in docs/certificates.md. Nothing here comes from the library; the standard library is enough.
Exit status: 0 if every certificate holds, 1 if one is refused, 2 if a file or a line cannot be read.
"""
import json
import re
import sys
import time
from fractions import Fraction
from math import isqrt

DEEPEST = 100          # lists and objects in one another
ROOT_BITS = 160        # of square roots that are no fractions
LARGEST_ANGLE = 1024   # radians
MOST_NESTED = 1 << 22  # components times solid meshes of the other body
CONVEX = ("hull", "ellipsoid", "discs", "balls", "half_space", "round", "sum", "hull_of")
NUMBER = re.compile(r"(-?)0x([0-9a-fA-F]+)(?:\.([0-9a-fA-F]+))?p([+-]?[0-9]{1,5})", re.ASCII)


class Refused(Exception):
    def __init__(self, path, reason):
        super().__init__(f"{path}: {reason}" if path else reason)


# ---------------------------------------------------------------- reading

def number(value, path, least=None):
    found = NUMBER.fullmatch(value) if isinstance(value, str) and len(value) <= 100 else None
    if not found:
        raise Refused(path, "not a hexadecimal float in a string")
    sign, whole, part, power = found.groups()
    size, power = int(whole + (part or ""), 16), int(power) - 4 * len(part or "")
    if size:
        zeros = (size & -size).bit_length() - 1
        size, power = size >> zeros, power + zeros
        if size.bit_length() > 53 or power < -1074 or size.bit_length() + power > 1024:
            raise Refused(path, "not a finite double")
        size = Fraction(size << power) if power >= 0 else Fraction(size, 1 << -power)
    result = -size if sign else Fraction(size)
    if least is not None and result < least:
        raise Refused(path, f"below {least}")
    return result


def items(value, path, count=None):
    if not isinstance(value, list):
        raise Refused(path, "not a list")
    if count is not None and len(value) != count:
        raise Refused(path, f"a list of {len(value)} instead of {count}")
    if not value:
        raise Refused(path, "empty")
    return [(item, f"{path}[{i}]") for i, item in enumerate(value)]


def fields(value, path, wanted, optional=()):
    if not isinstance(value, dict):
        raise Refused(path, "not an object")
    if None in value:
        raise Refused(path, f"{ascii(value[None])[:40]} is given twice")
    for name in value:
        if name not in wanted and name not in optional:
            raise Refused(path, f"unknown field {ascii(name)[:40]}")
    for name in wanted:
        if name not in value:
            raise Refused(path, f"no field `{name}`")
    return value


def count(value, path, below=None):
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Refused(path, "not a count")
    if below is not None and value >= below:
        raise Refused(path, f"{value} is not below {below}")
    return value


def vector(value, path, nonzero=False):
    result = tuple(number(*item) for item in items(value, path, 3))
    if nonzero and not any(result):
        raise Refused(path, "a direction of zero")
    return result


def matrix(value, path):
    return tuple(number(*item) for item in items(value, path, 9))


def letter(value, path):
    if value != "a" and value != "b":
        raise Refused(path, "neither \"a\" nor \"b\"")
    return value


def nesting(value):
    """How deep lists and objects are in each other, or more than allowed."""
    layer, depth = [value], 0
    while layer and depth <= DEEPEST:
        inner = [x for x in layer if isinstance(x, (list, dict))]
        layer = [y for x in inner for y in (x.values() if isinstance(x, dict) else x)]
        depth += bool(inner)
    return depth


# ---------------------------------------------------------------- arithmetic

def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def add(a, b, factor=1):
    return tuple(x + factor * y for x, y in zip(a, b))


def times(m, x):
    return (dot(m[0:3], x), dot(m[3:6], x), dot(m[6:9], x))


def transposed(m):
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


def det(a, b, c):
    return dot(a, cross(b, c))


def root(square):
    """Fractions not above and not below the square root; equal if it is one with a power of two below."""
    if square == 0:
        return Fraction(0), Fraction(0)
    inner = square.numerator * square.denominator
    more = max(0, ROOT_BITS - inner.bit_length() // 2)
    low, below = isqrt(inner << 2 * more), square.denominator << more
    exact = low * low == inner << 2 * more
    return Fraction(low, below), Fraction(low if exact else low + 1, below)


def rough(x):
    """For messages."""
    try:
        return repr(float(x))
    except OverflowError:
        return "far"


def length_above(v):
    return root(dot(v, v))[1]


def integers(vectors):
    """The vectors times a common power of two, as integers, and the power's exponent."""
    power = max((x.denominator.bit_length() - 1 for v in vectors for x in v), default=0)
    return [tuple(x.numerator << (power - x.denominator.bit_length() + 1) for x in v) for v in vectors], power


def unevenness(m):
    """e: the largest sum of magnitudes in a row of M Mᵀ - 1."""
    rows = (m[0:3], m[3:6], m[6:9])
    return max(sum(abs(dot(rows[i], rows[j]) - (i == j)) for j in range(3)) for i in range(3))


# ---------------------------------------------------------------- shapes

def convex(value, path):
    if not isinstance(value, dict) or len(value) != 1:
        raise Refused(path, "not an object with the one field that names a convex shape")
    (kind, inner), = value.items()
    if kind not in CONVEX:
        raise Refused(path, f"{ascii(kind)[:40]} is not a convex shape")
    path = f"{path}.{kind}"
    if kind == "hull":
        return kind, [vector(*item) for item in items(inner, path)]
    if kind == "ellipsoid":
        return kind, tuple(number(*item, least=0) for item in items(inner, path, 3))
    if kind == "discs":
        pairs = [items(*item, 2) for item in items(inner, path, 2)]
        return kind, sorted((number(*z), number(*r, least=0)) for z, r in pairs)
    if kind == "balls":
        pairs = [items(*item, 2) for item in items(inner, path)]
        return kind, [(vector(*c), number(*r, least=0)) for c, r in pairs]
    if kind == "half_space":
        normal, offset = items(inner, path, 2)
        return kind, (vector(*normal, nonzero=True), number(*offset))
    if kind == "round":
        core, radius = items(inner, path, 2)
        core, radius = convex(*core), number(*radius, least=0)
        if core[0] == "half_space":
            raise Refused(path, "a half-space cannot be round")
        return kind, (core, radius)
    return kind, [part(*item) for item in items(inner, path)]


def part(value, path, shape=convex):
    value = fields(value, path, ("shape", "matrix", "translation"))
    return (shape(value["shape"], f"{path}.shape"), matrix(value["matrix"], f"{path}.matrix"),
            vector(value["translation"], f"{path}.translation"))


def any_shape(value, path):
    """A mesh, a cloud or a convex shape."""
    if isinstance(value, dict) and len(value) == 1 and "mesh" in value:
        path += ".mesh"
        inner = fields(value["mesh"], path, ("vertices", "triangles", "solid"))
        vertices = [vector(*item) for item in items(inner["vertices"], f"{path}.vertices")]
        triangles = [tuple(count(*corner, below=len(vertices)) for corner in items(*item, 3))
                     for item in items(inner["triangles"], f"{path}.triangles")]
        if not isinstance(inner["solid"], bool):
            raise Refused(f"{path}.solid", "neither true nor false")
        if inner["solid"]:
            closed(triangles, path)
        return "mesh", (vertices, triangles, inner["solid"])
    if isinstance(value, dict) and len(value) == 1 and "cloud" in value:
        return "cloud", [vector(*item) for item in items(value["cloud"], f"{path}.cloud")]
    return convex(value, path)


def closed(triangles, path):
    edges = {}
    for t in triangles:
        for i, j in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            if i != j:
                edges[min(i, j), max(i, j)] = edges.get((min(i, j), max(i, j)), 0) + (1 if i < j else -1)
    for (i, j), sum_ in edges.items():
        if sum_:
            raise Refused(path, f"not closed at the edge from vertex {i} to {j}")


def support(shape, d):
    """A number not below d · x for all points x of a convex shape; None if there is none."""
    kind, inner = shape
    if kind == "hull":
        return max(dot(x, d) for x in inner)
    if kind == "ellipsoid":
        return length_above(tuple(r * x for r, x in zip(inner, d)))
    if kind == "discs":
        across = length_above((d[0], d[1], 0))
        return max(z * d[2] + r * across for z, r in inner)
    if kind == "balls":
        long = length_above(d)
        return max(dot(c, d) + r * long for c, r in inner)
    if kind == "round":
        core = support(inner[0], d)
        return None if core is None else core + inner[1] * length_above(d)
    if kind == "half_space":
        normal, offset = inner
        along = dot(d, normal)
        if any(d) and (any(cross(d, normal)) or along < 0):
            return None
        return offset * along / dot(normal, normal)
    values = [moved_support(*p, d) for p in inner]
    if None in values:
        return None
    return sum(values) if kind == "sum" else max(values)


def moved_support(shape, m, t, d):
    value = support(shape, times(transposed(m), d))
    return None if value is None else value + dot(t, d)


def point(shape, value, path, within_part=False):
    """The point of a convex shape, in its frame, that a certificate names."""
    kind, inner = shape
    if kind == "round":
        if isinstance(value, dict) and "offset" in value and "point" in value:
            value = fields(value, path, ("point", "offset"))
            if not within_part:
                raise Refused(path, "an offset, though the radius counts by itself")
            return add(point(inner[0], value["point"], f"{path}.point", True), offset(value, path, inner[1]))
        return point(inner[0], value, path, within_part)
    if kind == "hull":
        return inner[count(value, path, below=len(inner))]
    if kind == "balls":
        value = fields(value, path, ("ball", "offset"))
        centre, radius = inner[count(value["ball"], f"{path}.ball", below=len(inner))]
        return add(centre, offset(value, path, radius))
    if kind == "hull_of":
        value = fields(value, path, ("of", "point"))
        shape, m, t = inner[count(value["of"], f"{path}.of", below=len(inner))]
        return add(times(m, point(shape, value["point"], f"{path}.point", True)), t)
    if kind == "sum":
        points = items(fields(value, path, ("sum",))["sum"], f"{path}.sum", len(inner))
        total = (Fraction(0),) * 3
        for (shape, m, t), item in zip(inner, points):
            total = add(total, add(times(m, point(shape, *item, True)), t))
        return total
    x = vector(value, path)
    if not member(kind, inner, x):
        raise Refused(path, f"not a point of the {kind}")
    return x


def offset(value, path, radius):
    step = vector(value["offset"], f"{path}.offset")
    if dot(step, step) > radius * radius:
        raise Refused(f"{path}.offset", "longer than the radius")
    return step


def member(kind, inner, x):
    if kind == "ellipsoid":
        if any(r == 0 and y != 0 for r, y in zip(inner, x)):
            return False
        return sum((y / r) ** 2 for r, y in zip(inner, x) if r) <= 1
    if kind == "half_space":
        return dot(inner[0], x) <= inner[1]
    (z0, r0), (z1, r1) = inner
    if not z0 <= x[2] <= z1:
        return False
    if z0 == z1:
        radius, scale = max(r0, r1), 1
    else:
        radius, scale = r0 * (z1 - x[2]) + r1 * (x[2] - z0), z1 - z0
    return (x[0] ** 2 + x[1] ** 2) * scale ** 2 <= radius ** 2


# ---------------------------------------------------------------- bodies

class Piece:
    """A convex shape, the matrices and translations that move it, inmost first, and the component of the body it belongs to."""

    def __init__(self, shape, maps, component):
        self.shape, self.maps, self.component = shape, maps, component
        self.radius, core = 0, shape
        while core[0] == "round":
            self.radius, core = self.radius + core[1][1], core[1][0]
        self.core, self.corners = core, None

    def place(self, x):
        for m, t in self.maps:
            x = add(times(m, x), t)
        return x

    def support(self, d):
        return moved_chain_support(self.shape, self.maps, d)


def moved_chain_support(shape, maps, d):
    moved = 0
    for m, t in reversed(maps):
        moved, d = moved + dot(t, d), times(transposed(m), d)
    value = support(shape, d)
    return None if value is None else value + moved


class Body:
    def __init__(self, value, path):
        value = fields(value, path, ("shape", "matrix", "translation"), ("padding",))
        self.path = path
        self.matrix = matrix(value["matrix"], f"{path}.matrix")
        self.translation = vector(value["translation"], f"{path}.translation")
        self.padding = number(value["padding"], f"{path}.padding", least=0) if "padding" in value else Fraction(0)
        self.uneven = unevenness(self.matrix)
        if self.uneven >= Fraction(1, 2) or det(self.matrix[0:3], self.matrix[3:6], self.matrix[6:9]) <= 0:
            raise Refused(f"{path}.matrix", "not a rotation to rounding")
        self.pieces, self.solids, self.components, self.farthest = [], [], 0, None
        shape, at = value["shape"], f"{path}.shape"
        if isinstance(shape, dict) and len(shape) == 1 and "compound" in shape:
            for item in items(shape["compound"], f"{at}.compound"):
                inner, m, t = part(*item, any_shape)
                if inner[0] == "cloud":
                    raise Refused(item[1], "a cloud in a compound")
                self.take(inner, [(m, t)], item[1])
        else:
            self.take(any_shape(shape, at), [], at)
        self.scale()

    def take(self, shape, maps, path):
        maps = maps + [(self.matrix, self.translation)]
        kind, inner = shape
        if kind == "mesh":
            vertices, triangles, solid = inner
            if any(det(m[0:3], m[3:6], m[6:9]) <= 0 for m, _ in maps) and solid:
                raise Refused(path, "the matrix of a solid mesh has no positive determinant")
            first, groups = len(self.pieces), components(triangles, len(vertices))
            names = {}
            for t, group in zip(triangles, groups):
                component = names.setdefault(group, self.components + len(names))
                self.pieces.append(Piece(("hull", [vertices[i] for i in t]), maps, component))
            self.components += len(names)
            if solid:
                self.solids.append(range(first, len(self.pieces)))
        elif kind == "cloud":
            for x in inner:
                self.pieces.append(Piece(("hull", [x]), maps, self.components))
                self.components += 1
        else:
            self.pieces.append(Piece(shape, maps, self.components))
            self.components += 1

    def scale(self):
        """World coordinates of all corners of hulls as integers with a common power of two."""
        hulls = [p for p in self.pieces if p.core[0] == "hull"]
        known = {}
        for p in hulls:
            for x in p.core[1]:
                if (id(p.maps), id(x)) not in known:
                    known[id(p.maps), id(x)] = p.place(x)
        scaled, self.power = integers(list(known.values()))
        scaled = dict(zip(known, scaled))
        for p in hulls:
            p.corners = [scaled[id(p.maps), id(x)] for x in p.core[1]]

    def support(self, numbers, d):
        """A number not below d · x for all points of some pieces; None if there is none."""
        (whole,), power = integers([d])
        x, y, z = whole
        best = bound = None
        for i in numbers:
            p = self.pieces[i]
            if p.corners and not p.radius:
                h = max([c[0] * x + c[1] * y + c[2] * z for c in p.corners])
                best = h if best is None or h > best else best
            else:
                h = p.support(d)
                if h is None:
                    return None
                bound = h if bound is None or h > bound else bound
        if best is not None:
            best = Fraction(best, 1 << (self.power + power))
            bound = best if bound is None or best > bound else bound
        if self.padding:
            bound += self.padding * length_above(times(transposed(self.matrix), d))
        return bound

    def effective_radius(self, piece):
        inner = piece.radius
        for m, _ in piece.maps[:-1]:
            inner *= max(0, 1 - unevenness(m))
        return (inner + self.padding) * (1 - self.uneven)

    def reach(self, centre, path):
        """A number not below the distance of any point of the body from a centre, which is always the same."""
        if self.farthest is None:
            farthest = max(chain_reach(p.shape, p.maps, centre, path) for p in self.pieces)
            self.farthest = farthest + self.padding * (1 + self.uneven)
        return self.farthest

    def direction(self, n):
        """The world's direction of a direction in the body's frame: cofactor(M) n."""
        m = self.matrix
        rows = (m[0:3], m[3:6], m[6:9])
        return tuple(dot(cross(rows[(i + 1) % 3], rows[(i + 2) % 3]), n) for i in range(3))


def chain_reach(shape, maps, centre, path):
    kind, inner = shape
    core = shape
    while core[0] == "round":
        core = core[1][0]
    if kind == "round" and core[0] in ("hull", "hull_of"):
        radius = inner[1]
        for m, _ in maps:
            radius *= 1 + unevenness(m)
        return chain_reach(inner[0], maps, centre, path) + radius
    if kind == "hull":
        placed = [Piece.place(Piece(shape, maps, 0), x) for x in inner]
        return root(max(dot(y, y) for y in (add(x, centre, -1) for x in placed)))[1]
    if kind == "hull_of":
        return max(chain_reach(s, [(m, t)] + maps, centre, path) for s, m, t in inner)
    square = Fraction(0)
    for axis in range(3):
        for sign in (1, -1):
            unit = tuple(Fraction(sign * (k == axis)) for k in range(3))
            h = moved_chain_support(shape, maps, unit)
            if h is None:
                raise Refused(path, "a body without bounds turns")
            far = h - sign * centre[axis]
            most = far if sign == 1 or far > most else most
        square += most * most
    return root(square)[1]


def components(triangles, vertices):
    """For each triangle a name of the set of triangles that hang together at vertices."""
    parent = list(range(vertices))

    def top(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for t in triangles:
        parent[top(t[1])] = parent[top(t[2])] = top(t[0])
    return [top(t[0]) for t in triangles]


# ---------------------------------------------------------------- winding numbers

def winding(body, mesh, origin, ray, path):
    """The winding number of a solid mesh of a body about a point, along a ray."""
    (o, d), power = integers([origin, ray])
    up, down = max(0, power - body.power), max(0, body.power - power)
    o = tuple(x << down for x in o)
    k = next(axis for axis in range(3) if d[axis])
    i, j, flip = (k + 1) % 3, (k + 2) % 3, 1 if d[k] > 0 else -1
    seen, total = {}, 0
    for number_ in mesh:
        corners = []
        for c in body.pieces[number_].corners:
            if c not in seen:
                x = tuple((c[axis] << up) - o[axis] for axis in range(3))
                seen[c] = x, flip * (x[i] * d[k] - x[k] * d[i]), x[j] * d[k] - x[k] * d[j]
            corners.append(seen[c])
        (a, ax, ay), (b, bx, by), (c, cx, cy) = corners
        sides = (bx * cy - cx * by, cx * ay - ax * cy, ax * by - bx * ay)
        least, most = min(sides), max(sides)
        if least < 0 < most:
            continue
        if least == 0 == most:
            if any(meets_edge(d, p, q) for p, q in ((a, b), (b, c), (c, a))):
                raise Refused(path, f"the ray meets triangle {number_ - mesh[0]} along its plane")
            continue
        sign = 1 if most > 0 else -1
        ahead = det(a, b, c) * sign
        if ahead < 0:
            continue
        if ahead == 0:
            raise Refused(path, f"the point is on triangle {number_ - mesh[0]}")
        if 0 in sides:
            raise Refused(path, f"the ray meets the border of triangle {number_ - mesh[0]}")
        total += sign
    return total


def meets_edge(d, a, b):
    """Whether the ray from zero along d meets the segment from a to b, which is in a plane with it."""
    p, q = cross(a, d), cross(b, d)
    if not any(p) and not any(q):
        return dot(a, d) >= 0 or dot(b, d) >= 0
    if dot(p, q) > 0:
        return False
    between = add(p, q, -1)
    return dot(between, between) * dot(a, d) + dot(p, between) * dot(add(b, a, -1), d) >= 0


class Containment:
    """A point of a piece of one body and a solid mesh of the other."""

    def __init__(self, bodies, value, path):
        value = fields(value, path, ("body", "piece", "point", "mesh", "ray"))
        self.owner = letter(value["body"], f"{path}.body")
        own, other = bodies[self.owner], bodies["b" if self.owner == "a" else "a"]
        piece = own.pieces[count(value["piece"], f"{path}.piece", below=len(own.pieces))]
        self.component = piece.component
        self.mesh = count(value["mesh"], f"{path}.mesh", below=len(other.solids))
        x = piece.place(point(piece.core, value["point"], f"{path}.point"))
        ray = vector(value["ray"], f"{path}.ray", nonzero=True)
        self.inside = winding(other, other.solids[self.mesh], x, ray, f"{path}.ray") > 0


# ---------------------------------------------------------------- motions

class Motion:
    def __init__(self, value, path):
        value = fields(value, path, ("centre", "linear", "angular"))
        self.centre, self.linear, self.angular = (vector(value[k], f"{path}.{k}") for k in ("centre", "linear", "angular"))

    def rotation(self, t, path):
        """R(t · angular) as fractions, and how far it may be off as an operator."""
        w = tuple(t * x for x in self.angular)
        square = dot(w, w)
        if square > LARGEST_ANGLE ** 2:
            raise Refused(path, "turns by more than 1024 radians")
        if square == 0:
            return tuple(Fraction(int(i % 4 == 0)) for i in range(9)), Fraction(0)
        bits = 192 + 4 * (isqrt(int(square)) + 1)
        s, s_off = series(square, 2, bits)
        c, c_off = series(square, 3, bits)
        x, y, z = w
        r = (1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y,
             c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x,
             c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y))
        return r, s_off * root(square)[1] + c_off * square


def series(square, first, bits):
    """x = square: 1 - x/(2·3) + x²/(2·3·4·5) … for first = 2, 1/2 - x/(2·3·4) + … for first = 3, and how far it may be off."""
    low = square.numerator << bits
    low, high = low // square.denominator, -(-low // square.denominator)
    one = (1 << bits) // (first - 1)
    term, total, k = (one, one), [one, one], first
    sign = -1
    while True:
        divisor = k * (k + 1)
        decreasing = high < divisor << bits
        term = ((term[0] * low // divisor) >> bits, -((-term[1] * high // divisor) >> bits))
        if decreasing and term[1] <= 1:
            total = [total[0] - term[1], total[1] + term[1]]
            break
        total = [total[0] + (term[0] if sign > 0 else -term[1]), total[1] + (term[1] if sign > 0 else -term[0])]
        sign, k = -sign, k + 2
    return Fraction(sum(total), 2 << bits), Fraction(total[1] - total[0], 2 << bits)


class Rest:
    """What a leaf of a lower bound needs to hold."""
    name = "value"

    def __init__(self, bodies):
        self.bodies = bodies

    def room(self, n, p, q):
        """A number not above the least n · (y - x) over points x of pieces p of A and y of pieces q of B; None if there is none."""
        a, b = self.bodies["a"].support(p, n), self.bodies["b"].support(q, tuple(-x for x in n))
        return None if a is None or b is None else -a - b


class Step:
    """The same for an interval of a motion."""
    name = "clearance"

    def __init__(self, bodies, motion, start, end, path):
        self.bodies, self.motion, self.ends = bodies, motion, (start, end)
        self.half = (end - start) / 2
        self.rotation, off = motion.rotation((start + end) / 2, path)
        self.turns = any(motion.angular)
        self.reach = bodies["b"].reach(motion.centre, path) if self.turns else Fraction(0)
        self.off = off * self.reach
        self.bend = self.half ** 2 * dot(motion.angular, motion.angular) * self.reach / 2

    def room(self, n, p, q):
        a = self.bodies["a"].support(p, n)
        least = None
        for time_, side in zip(self.ends, (-1, 1)):
            v = add(n, cross(n, self.motion.angular), side * self.half)
            back = times(transposed(self.rotation), v)
            b = self.bodies["b"].support(q, tuple(-x for x in back))
            if a is None or b is None:
                return None
            place = dot(n, self.motion.centre) + time_ * dot(n, self.motion.linear)
            value = place - b - dot(self.motion.centre, back) - a
            if self.turns:
                value -= self.off * length_above(v) + self.bend * length_above(n)
            least = value if least is None or value < least else least
        return least


# ---------------------------------------------------------------- claims

def permutation(value, body, path):
    if value is None:
        return list(range(len(body.pieces)))
    numbers = [count(*item, below=len(body.pieces)) for item in items(value, path, len(body.pieces))]
    if len(set(numbers)) != len(numbers):
        raise Refused(path, "a piece occurs twice")
    return numbers


class Cuts:
    """The rules for the cuts of a lower bound, or of the steps of a motion."""

    def __init__(self, bodies, claim, value, path):
        self.bodies, self.value, self.path = bodies, value, path
        self.order = {k: permutation(claim.get(f"order_{k}"), bodies[k], f"{path}.order_{k}") for k in "ab"}
        self.entries = claim.get("outside")
        self.open = {}
        for own, other in ("ab", "ba"):
            number_ = bodies[own].components * len(bodies[other].solids)
            if number_ > MOST_NESTED:
                raise Refused(path, "too many components and solid meshes")
            # For each component, and each solid mesh of the other body, whether it is still to be shown to be outside.
            self.open[own] = bytearray(b"\1") * number_
        self.solids = bool(self.open["a"] or self.open["b"])
        self.one_leaf = value < 0 or (value == 0 and self.solids)

    def check(self, cut, path, situation):
        if self.one_leaf and (not isinstance(cut, dict) or "n" not in cut):
            raise Refused(path, "a cut of several leaves proves only values above zero here")
        pending = [(cut, path, self.order["a"], self.order["b"])]
        while pending:
            cut, path, p, q = pending.pop()
            if isinstance(cut, dict) and "n" in cut:
                self.leaf(cut, path, p, q, situation)
                continue
            side = "a" if isinstance(cut, dict) and "a" in cut else "b"
            cut = fields(cut, path, (side, "of"))
            numbers = p if side == "a" else q
            k = count(cut[side], f"{path}.{side}", below=len(numbers))
            if k == 0:
                raise Refused(f"{path}.{side}", "a half without pieces")
            (x, x_path), (y, y_path) = items(cut["of"], f"{path}.of", 2)
            halves = [(numbers[:k], q), (numbers[k:], q)] if side == "a" else [(p, numbers[:k]), (p, numbers[k:])]
            pending += [(y, y_path, *halves[1]), (x, x_path, *halves[0])]

    def leaf(self, cut, path, p, q, situation):
        cut = fields(cut, path, ("n",), ("frame",))
        n = vector(cut["n"], f"{path}.n", nonzero=True)
        if "frame" in cut:
            n = self.bodies[letter(cut["frame"], f"{path}.frame")].direction(n)
        room = situation.room(n, p, q)
        low, high = root(dot(n, n))
        if room is None:
            raise Refused(f"{path}.n", "a half-space has no bound in this direction")
        if room < self.value * (high if self.value > 0 else low):
            raise Refused(f"{path}.n", f"the planes are {rough(room / high)} apart, less than the {situation.name} {rough(self.value)}")
        if self.solids:
            self.covered("a", p, "b", set(q))
            self.covered("b", q, "a", set(p))

    def covered(self, owner, own, other, others):
        for m, mesh in enumerate(self.bodies[other].solids):
            if len(others) >= len(mesh) and all(i in others for i in mesh):
                for i in own:
                    self.shown(owner, self.bodies[owner].pieces[i].component, m)

    def shown(self, owner, component, mesh):
        self.open[owner][component * len(self.bodies["b" if owner == "a" else "a"].solids) + mesh] = 0

    def finish(self):
        at = f"{self.path}.outside"
        for value, path in items(self.entries, at) if self.entries is not None and self.entries != [] else ():
            entry = Containment(self.bodies, value, path)
            if entry.inside:
                raise Refused(path, "the point is inside")
            self.shown(entry.owner, entry.component, entry.mesh)
        for owner, other in ("ab", "ba"):
            place = self.open[owner].find(1)
            if place < 0 or self.one_leaf:
                continue
            component, m = divmod(place, len(self.bodies[other].solids))
            piece = next(i for i, p in enumerate(self.bodies[owner].pieces) if p.component == component)
            raise Refused(at, f"nothing shows that piece {piece} of {owner}, and what hangs together with it, is not in solid mesh {m} of the other")


def check_lower(bodies, value, path):
    claim = fields(value, path, ("value", "cut"), ("order_a", "order_b", "outside"))
    cuts = Cuts(bodies, claim, number(claim["value"], f"{path}.value"), path)
    cuts.check(claim["cut"], f"{path}.cut", Rest(bodies))
    cuts.finish()


def check_free(bodies, motion, value, path):
    claim = fields(value, path, ("until", "clearance", "steps"), ("order_a", "order_b", "outside"))
    until, start = number(claim["until"], f"{path}.until"), Fraction(0)
    cuts = Cuts(bodies, claim, number(claim["clearance"], f"{path}.clearance"), path)
    for item, at in items(claim["steps"], f"{path}.steps"):
        item = fields(item, at, ("to", "cut"))
        end = number(item["to"], f"{at}.to")
        if end <= start:
            raise Refused(f"{at}.to", "not later than the step before")
        cuts.check(item["cut"], f"{at}.cut", Step(bodies, motion, start, end, at))
        start = end
    if start != until:
        raise Refused(f"{path}.until", "not the end of the last step")
    cuts.finish()


def named_pairs(bodies, claim, path):
    """The points of A and of B in the world that are named, and the sum of the effective radii."""
    chosen = [0, 0]
    if "pieces" in claim:
        chosen = [count(*item) for item in items(claim["pieces"], f"{path}.pieces", 2)]
    pieces = []
    for k, i in zip("ab", chosen):
        pieces.append(bodies[k].pieces[count(i, f"{path}.pieces", below=len(bodies[k].pieces))])
    pairs = [items(*item, 2) for item in items(claim["pairs"], f"{path}.pairs")]
    places = [[piece.place(point(piece.core, *pair[k])) for pair in pairs] for k, piece in enumerate(pieces)]
    return places, sum(bodies[k].effective_radius(piece) for k, piece in zip("ab", pieces))


def weighted(places, claim, path):
    """Σ w p and Σ w q over the pairs, and Σ w."""
    weights = [number(*item, least=0) for item in items(claim["weights"], f"{path}.weights", len(places[0]))]
    if not any(weights):
        raise Refused(f"{path}.weights", "all zero")
    return [tuple(sum(w * x[k] for w, x in zip(weights, side)) for k in range(3)) for side in places] + [sum(weights)]


def not_above(square, limit, path, what):
    if limit < 0 or square > limit * limit:
        raise Refused(path, f"{what}, more than the value allows")


def check_upper(bodies, value, path):
    if isinstance(value, dict) and "inside" in value:
        claim = fields(value, path, ("value", "inside"))
        number(claim["value"], f"{path}.value", least=0)
        if not Containment(bodies, claim["inside"], f"{path}.inside").inside:
            raise Refused(f"{path}.inside", "the point is not inside")
        return
    claim = fields(value, path, ("value", "pairs"), ("pieces", "weights", "facets"))
    bound = number(claim["value"], f"{path}.value")
    if "weights" in claim and "facets" in claim:
        raise Refused(path, "both weights and facets")
    places, radius = named_pairs(bodies, claim, path)
    if "weights" in claim:
        p, q, total = weighted(places, claim, path)
        gap = add(p, q, -1)
        not_above(dot(gap, gap), (bound + radius) * total, f"{path}.value", "the points are farther apart")
        return
    differences, power = integers([add(q, p, -1) for p, q in zip(*places)])
    if "facets" in claim:
        check_facets(differences, claim["facets"], (-bound - radius) * (1 << power), f"{path}.facets")
        return
    if not contains_zero(differences):
        raise Refused(f"{path}.pairs", "no unique combination of the pairs is a common point")
    if bound + radius < 0:
        raise Refused(f"{path}.value", "a common point alone does not prove that depth")


def contains_zero(points):
    """Whether affinely independent points, four or fewer, have zero in their hull."""
    if len(points) > 4:
        return False
    first, *others = points
    sides = [add(x, first, -1) for x in others]
    if len(sides) == 0:
        return not any(first)
    if len(sides) == 3:
        whole = det(*sides)
        parts = [det(*points[1:]), -det(points[0], points[2], points[3]), det(points[0], points[1], points[3]), -det(*points[:3])]
        return whole != 0 and all(x * whole >= 0 for x in parts)
    if len(sides) == 1:
        return any(sides[0]) and not any(cross(*points)) and dot(*points) <= 0
    normal = cross(*sides)
    if not any(normal) or dot(normal, first):
        return False
    return all(dot(normal, cross(points[i], points[(i + 1) % 3])) >= 0 for i in range(3))


def check_facets(points, facets, depth, path):
    edges = set()
    for item, at in items(facets, path):
        i, j, k = (count(*corner, below=len(points)) for corner in items(item, at, 3))
        for edge in ((i, j), (j, k), (k, i)):
            if edge in edges or edge[0] == edge[1]:
                raise Refused(at, f"the edge from {edge[0]} to {edge[1]} occurs twice")
            edges.add(edge)
        a, b, c = points[i], points[j], points[k]
        height = det(a, b, c)
        if height <= 0:
            raise Refused(at, "does not face away from the origin")
        normal = cross(add(b, a, -1), add(c, a, -1))
        if depth > 0 and height * height < depth * depth * dot(normal, normal):
            raise Refused(at, "nearer to the origin than the value allows")
    for i, j in edges:
        if (j, i) not in edges:
            raise Refused(path, f"open at the edge from {i} to {j}")


def check_near(bodies, motion, value, path):
    claim = fields(value, path, ("time", "value", "pairs", "weights"), ("pieces",))
    time_, bound = number(claim["time"], f"{path}.time", least=0), number(claim["value"], f"{path}.value")
    places, radius = named_pairs(bodies, claim, path)
    p, q, total = weighted(places, claim, path)
    arm = add(q, motion.centre, -total)
    rotation, off = motion.rotation(time_, f"{path}.time")
    moved = add(add(times(rotation, arm), motion.centre, total), motion.linear, total * time_)
    gap = add(p, moved, -1)
    limit = (bound + radius) * total - off * length_above(arm)
    not_above(dot(gap, gap), limit, f"{path}.value", "the points are farther apart")


def check(certificate):
    """Raises Refused unless every claim of a certificate is proved."""
    if nesting(certificate) > DEEPEST:
        raise Refused("", f"nested more than {DEEPEST} deep")
    claims = ("lower", "upper", "free", "near")
    version = certificate.get("certificate") if isinstance(certificate, dict) else None
    if isinstance(version, bool) or version != 1 or not isinstance(version, int):
        raise Refused("certificate", "not version 1")
    certificate = fields(certificate, "", ("certificate", "a", "b"), ("motion",) + claims)
    if not any(claim in certificate for claim in claims):
        raise Refused("", "claims nothing")
    bodies = {k: Body(certificate[k], k) for k in "ab"}
    motion = Motion(certificate["motion"], "motion") if "motion" in certificate else None
    for claim in claims[2:]:
        if claim in certificate and motion is None:
            raise Refused(claim, "no motion is given")
    if "lower" in certificate:
        check_lower(bodies, certificate["lower"], "lower")
    if "upper" in certificate:
        check_upper(bodies, certificate["upper"], "upper")
    if "free" in certificate:
        check_free(bodies, motion, certificate["free"], "free")
    if "near" in certificate:
        check_near(bodies, motion, certificate["near"], "near")


# ---------------------------------------------------------------- the program

def unique(pairs):
    result = dict(pairs)
    if len(result) != len(pairs):
        seen = set()
        result[None] = next(name for name, _ in pairs if name in seen or seen.add(name))
    return result


def certificates(line, path="", depth=0):
    """The certificates of a line, each with where it is; None for an answer without."""
    if not isinstance(line, dict):
        raise ValueError("not an object")
    inner = line.get("certificate")
    if isinstance(inner, dict):
        yield f"{path}certificate", inner
    elif inner is not None:
        yield path.rstrip("."), line
    elif isinstance(line.get("answers"), list) and depth < 4:
        for i, answer in enumerate(line["answers"]):
            yield from certificates(answer, f"{path}answers[{i}].", depth + 1)
    else:
        yield path, None


def check_line(text, where, tally):
    try:
        found = list(certificates(json.loads(text, object_pairs_hook=unique)))
    except (ValueError, RecursionError) as error:
        tally["unreadable"] += 1
        print(f"{where}: unreadable: {error}")
        return
    for path, certificate in found:
        if certificate is None:
            tally["without"] += 1
            continue
        try:
            check(certificate)
            tally["verified"] += 1
        except Refused as reason:
            tally["refused"] += 1
            print(f"{where}: refused: {path + ': ' if path else ''}{reason}")
        except Exception as error:  # an error of this program; never taken for a proof
            tally["refused"] += 1
            print(f"{where}: refused: {path + ': ' if path else ''}cannot be checked: {type(error).__name__}: {error}")


def main(arguments):
    quiet = "--quiet" in arguments
    files = [name for name in arguments if name != "--quiet"]
    if not files or any(name.startswith("--") for name in files):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tally, start = dict(verified=0, refused=0, without=0, unreadable=0), time.monotonic()
    for name in files:
        try:
            with (open(0, encoding="utf-8", closefd=False) if name == "-" else open(name, encoding="utf-8")) as file:
                for line, text in enumerate(file, 1):
                    if text.strip():
                        check_line(text, f"{name}:{line}", tally)
        except (OSError, UnicodeDecodeError) as error:
            tally["unreadable"] += 1
            print(f"{name}: unreadable: {error}")
    if not quiet:
        print(f"{tally['verified']} verified, {tally['refused']} refused, {tally['without']} without a certificate, "
              f"{tally['unreadable']} unreadable, in {time.monotonic() - start:.2f} s")
    return 2 if tally["unreadable"] else 1 if tally["refused"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
