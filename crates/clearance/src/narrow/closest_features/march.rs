//! One step of the march: from a pair of features to the pair that the Voronoi regions point to, or the end of it.
//!
//! The regions are asked about the *nearest points* of the two features. If each lies in the region of the other's feature,
//! they are the nearest points of the bodies (Lin and Canny). If one lies beyond a plane of a region, the feature on the far
//! side of that plane takes over: one of lower dimension at the same distance, or one of higher dimension that is nearer.

use glam::DVec3;

use super::feature::PolytopeFeature;
use super::geometry::{Body, Place, from_segment};
use crate::narrow::simplex::normal_of;
use crate::tolerance::PARALLEL_MARCH;

/// What a step found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Go on with these features.
    To([PolytopeFeature; 2]),
    /// These features are the closest, as far as their regions can tell.
    Closest(Nearest),
    /// The features meet, to within the error, at this point of the frame of A.
    Meeting(DVec3),
    /// This vertex of that body is behind the face it is over: inside, or in front of another face.
    Behind {
        /// Whose vertex it is.
        body: usize,
        /// The vertex.
        vertex: u32,
    },
}

/// The nearest points of two features, in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Unit vector from A to B.
    pub normal: DVec3,
    pub distance: f64,
    pub points: [DVec3; 2],
    /// A vertex of each feature.
    pub vertices: [u32; 2],
}

pub(super) struct March<'p> {
    pub bodies: [Body<'p>; 2],
    /// Nearer than this is touching.
    pub sigma: f64,
}

/// The part of an edge that is above a face, from `low` to `high`, and the half-edges of the face that end it there.
struct Clipped {
    low: f64,
    high: f64,
    at_low: Option<u32>,
    at_high: Option<u32>,
}

/// The features in the order of the bodies, given that of body `first` first.
#[inline]
fn ordered(first: usize, one: PolytopeFeature, other: PolytopeFeature) -> [PolytopeFeature; 2] {
    if first == 0 { [one, other] } else { [other, one] }
}

impl March<'_> {
    /// One step; it goes up to edges and faces only if the nearest points say so by more than `angle`, so that with an infinite
    /// one a pair stays where it is as long as its nearest points are inside its features. Two faces are never a pair.
    pub fn step(&self, features: [PolytopeFeature; 2], angle: f64) -> Step {
        use PolytopeFeature::{Edge, Face, Vertex};
        match self.without_two_faces(features) {
            [Vertex(a), Vertex(b)] => self.vertices(a, b, angle),
            [Vertex(v), Edge(e)] => self.vertex_edge(0, v, e, angle),
            [Edge(e), Vertex(v)] => self.vertex_edge(1, v, e, angle),
            [Vertex(v), Face(f)] => self.vertex_face(0, v, f, angle),
            [Face(f), Vertex(v)] => self.vertex_face(1, v, f, angle),
            [Edge(a), Edge(b)] => self.edges(a, b, angle),
            [Edge(e), Face(f)] => self.edge_face(0, e, f),
            // Two faces do not come here.
            [Face(f), Edge(e) | Face(e)] => self.edge_face(1, e, f),
        }
    }

    /// Of two faces the first gives way to one of its corners: nearest points of faces are always also those of less.
    pub fn without_two_faces(&self, features: [PolytopeFeature; 2]) -> [PolytopeFeature; 2] {
        match features {
            [PolytopeFeature::Face(a), PolytopeFeature::Face(b)] => {
                [PolytopeFeature::Vertex(self.bodies[0].corner(a)), PolytopeFeature::Face(b)]
            }
            other => other,
        }
    }

    fn vertices(&self, a: u32, b: u32, angle: f64) -> Step {
        let from = self.bodies[0].own(a);
        let way = self.bodies[1].moved(b) - from;
        let distance = way.length();
        if !(distance > self.sigma) {
            return Step::Meeting(from);
        }
        if let Some(next) = self.nearer(0, a, way, angle) {
            return Step::To([next, PolytopeFeature::Vertex(b)]);
        }
        if let Some(next) = self.nearer(1, b, self.bodies[0].rotation * -way, angle) {
            return Step::To([PolytopeFeature::Vertex(a), next]);
        }
        Step::Closest(Nearest { normal: way / distance, distance, points: [from, from + way], vertices: [a, b] })
    }

    /// The feature next to a vertex of body `i` that is nearer to a point, which is `way` from the vertex: an edge, or the vertex
    /// at its other end if the point is beyond that.
    fn nearer(&self, i: usize, vertex: u32, way: DVec3, angle: f64) -> Option<PolytopeFeature> {
        let body = &self.bodies[i];
        let neighbour = body.ascent(vertex, way, angle)?;
        let along = body.own(neighbour) - body.own(vertex);
        if (way - along).dot(along) > 0.0 {
            return Some(PolytopeFeature::Vertex(neighbour));
        }
        body.half_edge_between(vertex, neighbour).map(PolytopeFeature::Edge)
    }

    /// The edge from a vertex of body `i` along which `direction` climbs steepest.
    fn ascending(&self, i: usize, vertex: u32, direction: DVec3, angle: f64) -> Option<u32> {
        let neighbour = self.bodies[i].ascent(vertex, direction, angle)?;
        self.bodies[i].half_edge_between(vertex, neighbour)
    }

    /// A vertex of body `i` and an edge of the other.
    fn vertex_edge(&self, i: usize, vertex: u32, edge: u32, angle: f64) -> Step {
        let (own, other) = (&self.bodies[i], &self.bodies[1 - i]);
        let point = own.moved(vertex);
        let [start, finish] = other.ends(edge);
        let (away, place) = from_segment(other.own(start), other.own(finish), point);
        let to = |feature| Step::To(ordered(i, PolytopeFeature::Vertex(vertex), feature));
        match place {
            Place::Start => return to(PolytopeFeature::Vertex(start)),
            Place::Finish => return to(PolytopeFeature::Vertex(finish)),
            Place::Inside => {}
        }
        let distance = away.length();
        if !(distance > self.sigma) {
            return Step::Meeting(self.in_a(1 - i, point));
        }
        for half_edge in [edge, other.twin(edge)] {
            let outward = other.outward(half_edge);
            // By the sidedness that the face would be asked for, so that it does not send the vertex back; and by more than
            // the rounding of the direction.
            let over_face = away.dot(outward) < -angle * distance * outward.length();
            if over_face && other.beyond(half_edge, point) < 0.0 {
                return to(PolytopeFeature::Face(other.face_of(half_edge)));
            }
        }
        if let Some(ascent) = self.ascending(i, vertex, other.rotation * -away, angle) {
            return Step::To(ordered(i, PolytopeFeature::Edge(ascent), PolytopeFeature::Edge(edge)));
        }
        Step::Closest(self.seen_from(1 - i, point - away, away / distance, distance, [start, vertex]))
    }

    /// A vertex of body `i` and a face of the other.
    fn vertex_face(&self, i: usize, vertex: u32, face: u32, angle: f64) -> Step {
        let (own, other) = (&self.bodies[i], &self.bodies[1 - i]);
        let point = own.moved(vertex);
        if let Some(edge) = self.nearest_beyond(1 - i, face, point) {
            return Step::To(ordered(i, PolytopeFeature::Vertex(vertex), PolytopeFeature::Edge(edge)));
        }
        let (normal, corner) = (other.normal(face), other.corner(face));
        let height = normal.dot(point - other.own(corner));
        if !(height.abs() > self.sigma) {
            return Step::Meeting(self.in_a(1 - i, point));
        }
        if height < 0.0 {
            return Step::Behind { body: i, vertex };
        }
        if let Some(descent) = self.ascending(i, vertex, other.rotation * -normal, angle) {
            return Step::To(ordered(i, PolytopeFeature::Edge(descent), PolytopeFeature::Face(face)));
        }
        Step::Closest(self.seen_from(1 - i, point - normal * height, normal, height, [corner, vertex]))
    }

    /// Of the edges of a face of body `j` that a point is beyond the nearest; the point of the face nearest to it is there.
    fn nearest_beyond(&self, j: usize, face: u32, point: DVec3) -> Option<u32> {
        let body = &self.bodies[j];
        let mut nearest = None;
        let mut least = f64::INFINITY;
        for half_edge in body.polytope.face_half_edges(face) {
            if body.beyond(half_edge, point) > 0.0 {
                let [start, finish] = body.ends(half_edge);
                let square = from_segment(body.own(start), body.own(finish), point).0.length_squared();
                if square < least {
                    (nearest, least) = (Some(half_edge), square);
                }
            }
        }
        nearest
    }

    fn edges(&self, a: u32, b: u32, angle: f64) -> Step {
        let ([a0, a1], [b0, b1]) = (self.bodies[0].ends(a), self.bodies[1].ends(b));
        let segment_a = [a0, a1].map(|vertex| self.bodies[0].own(vertex));
        let segment_b = [b0, b1].map(|vertex| self.bodies[1].moved(vertex));
        let lines = Lines::new(segment_a, segment_b);
        if let Some(end) = lines.nearest_end() {
            let edges = [PolytopeFeature::Edge(a), PolytopeFeature::Edge(b)];
            return Step::To(match end {
                LineEnd::OfA(finish) => [PolytopeFeature::Vertex(if finish { a1 } else { a0 }), edges[1]],
                LineEnd::OfB(finish) => [edges[0], PolytopeFeature::Vertex(if finish { b1 } else { b0 })],
            });
        }
        let sine = lines.normal.length();
        let along = lines.normal.dot(lines.between) / sine;
        let on_a = segment_a[0] + lines.along[0] * lines.parameters[0];
        if !(along.abs() > self.sigma) {
            return Step::Meeting(on_a);
        }
        let sign = along.signum();
        let along_a_in_b = self.bodies[0].rotation * lines.along[0];
        if let Some(face) = self.face_beside(0, a, lines.along[1] * sign, angle * sine / lines.along[0].length()) {
            return Step::To([PolytopeFeature::Face(face), PolytopeFeature::Edge(b)]);
        }
        if let Some(face) = self.face_beside(1, b, along_a_in_b * sign, angle * sine / lines.along[1].length()) {
            return Step::To([PolytopeFeature::Edge(a), PolytopeFeature::Face(face)]);
        }
        let on_b = segment_b[0] + lines.along[1] * lines.parameters[1];
        let normal = lines.normal * (sign / sine);
        Step::Closest(Nearest { normal, distance: along.abs(), points: [on_a, on_b], vertices: [a0, b0] })
    }

    /// The face beside an edge of body `i` that the other edge points down to: with `e` this edge, `d` the other and `n` a
    /// face's normal, the product of the normal `e × d` with the face's outward side `e × n` is `e² (d·n)`.
    fn face_beside(&self, i: usize, edge: u32, other_way: DVec3, least: f64) -> Option<u32> {
        let body = &self.bodies[i];
        let faces = [edge, body.twin(edge)].map(|half_edge| body.face_of(half_edge));
        let [left, right] = faces.map(|face| other_way.dot(body.normal(face)));
        if -left > least && -left >= right {
            return Some(faces[0]);
        }
        (right > least).then_some(faces[1])
    }

    /// An edge of body `i` and a face of the other.
    fn edge_face(&self, i: usize, edge: u32, face: u32) -> Step {
        let (own, other) = (&self.bodies[i], &self.bodies[1 - i]);
        let vertices = own.ends(edge);
        let [start, finish] = vertices.map(|vertex| own.moved(vertex));
        let Some(part) = self.clip(1 - i, face, start, finish) else {
            let boundary = self.nearest_side(1 - i, face, [start, finish]);
            return Step::To(ordered(i, PolytopeFeature::Edge(edge), PolytopeFeature::Edge(boundary)));
        };
        let normal = other.normal(face);
        let slope = normal.dot(finish - start);
        let base = normal.dot(start - other.own(other.corner(face)));
        let [low, high] = [part.low, part.high].map(|at| base + slope * at);
        if low * high <= 0.0 || low.abs().min(high.abs()) <= self.sigma {
            let share = if low.abs() + high.abs() > 0.0 { low.abs() / (low.abs() + high.abs()) } else { 0.0 };
            let at = part.low + (part.high - part.low) * share;
            return Step::Meeting(self.in_a(1 - i, start + (finish - start) * at));
        }
        // The nearer end of the part; behind the face, the one less deep.
        let at_low = (slope > 0.0) == (low > 0.0);
        let (vertex, side) = if at_low { (vertices[0], part.at_low) } else { (vertices[1], part.at_high) };
        Step::To(match side {
            Some(side) => ordered(i, PolytopeFeature::Edge(edge), PolytopeFeature::Edge(side)),
            None => ordered(i, PolytopeFeature::Vertex(vertex), PolytopeFeature::Face(face)),
        })
    }

    /// The part of a segment within the planes that stand on the edges of a face; nothing if there is none.
    fn clip(&self, j: usize, face: u32, start: DVec3, finish: DVec3) -> Option<Clipped> {
        let body = &self.bodies[j];
        let mut part = Clipped { low: 0.0, high: 1.0, at_low: None, at_high: None };
        for half_edge in body.polytope.face_half_edges(face) {
            let (from, to) = (body.beyond(half_edge, start), body.beyond(half_edge, finish));
            if from > 0.0 && to > 0.0 {
                return None;
            }
            let at = from / (from - to);
            if from > 0.0 && at > part.low {
                (part.low, part.at_low) = (at, Some(half_edge));
            } else if to > 0.0 && at < part.high {
                (part.high, part.at_high) = (at, Some(half_edge));
            }
        }
        (part.low <= part.high).then_some(part)
    }

    /// The edge of a face nearest to a segment.
    fn nearest_side(&self, j: usize, face: u32, segment: [DVec3; 2]) -> u32 {
        let body = &self.bodies[j];
        let square = |half_edge: u32| {
            let side = body.ends(half_edge).map(|vertex| body.own(vertex));
            Lines::new(side, segment).distance_squared()
        };
        let range = body.polytope.face_half_edges(face);
        let (mut nearest, mut least) = (range.start, f64::INFINITY);
        for half_edge in range {
            let square = square(half_edge);
            if square < least {
                (nearest, least) = (half_edge, square);
            }
        }
        nearest
    }

    /// A point of the frame of body `i` in that of A.
    fn in_a(&self, i: usize, point: DVec3) -> DVec3 {
        if i == 0 { point } else { self.bodies[1].rotation * point + self.bodies[1].translation }
    }

    /// Nearest points in the frame of body `j`: one of its own and, from there along the normal, one of the other body.
    fn seen_from(&self, j: usize, point: DVec3, normal: DVec3, distance: f64, vertices: [u32; 2]) -> Nearest {
        if j == 0 {
            return Nearest { normal, distance, points: [point, point + normal * distance], vertices };
        }
        let normal = self.bodies[1].rotation * -normal;
        let on_b = self.in_a(1, point);
        let [of_b, of_a] = vertices;
        Nearest { normal, distance, points: [on_b - normal * distance, on_b], vertices: [of_a, of_b] }
    }
}

/// Two segments and the lines they lie on.
struct Lines {
    a: [DVec3; 2],
    b: [DVec3; 2],
    along: [DVec3; 2],
    /// From the start of A to that of B.
    between: DVec3,
    normal: DVec3,
    /// Where the lines are nearest, as fractions of the segments; no numbers if they are parallel.
    parameters: [f64; 2],
}

/// The end of a segment that is nearest to the other one: its finish, or its start.
enum LineEnd {
    OfA(bool),
    OfB(bool),
}

impl Lines {
    #[inline]
    fn new(a: [DVec3; 2], b: [DVec3; 2]) -> Self {
        let along = [a[1] - a[0], b[1] - b[0]];
        let between = b[0] - a[0];
        let normal = normal_of(DVec3::ZERO, along[0], along[1]);
        let square = normal.length_squared();
        let limit = PARALLEL_MARCH * PARALLEL_MARCH * along[0].length_squared() * along[1].length_squared();
        let inverse = if square > limit { 1.0 / square } else { f64::NAN };
        let parameters = [along[1], along[0]].map(|other| between.cross(other).dot(normal) * inverse);
        Self { a, b, along, between, normal, parameters }
    }

    /// The end at which the segments are nearest; nothing if they are nearest between their ends. The distance is convex in the
    /// two parameters, so its least value is on a border that the lines' nearest points are beyond.
    #[inline]
    fn nearest_end(&self) -> Option<LineEnd> {
        let [s, t] = self.parameters;
        let inside = |x: f64| x > 0.0 && x < 1.0;
        if inside(s) && inside(t) {
            return None;
        }
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let parallel = s.is_nan();
        let mut best = (f64::INFINITY, LineEnd::OfA(false));
        let mut consider = |beyond: bool, [start, finish]: [DVec3; 2], point: DVec3, end: LineEnd| {
            if beyond || parallel {
                let square = from_segment(start, finish, point).0.length_squared();
                if square < best.0 {
                    best = (square, end);
                }
            }
        };
        consider(s <= 0.0, self.b, a0, LineEnd::OfA(false));
        consider(s >= 1.0, self.b, a1, LineEnd::OfA(true));
        consider(t <= 0.0, self.a, b0, LineEnd::OfB(false));
        consider(t >= 1.0, self.a, b1, LineEnd::OfB(true));
        Some(best.1)
    }

    fn distance_squared(&self) -> f64 {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let of = |segment: [DVec3; 2], point: DVec3| from_segment(segment[0], segment[1], point).0.length_squared();
        match self.nearest_end() {
            None => self.normal.dot(self.between).powi(2) / self.normal.length_squared(),
            Some(LineEnd::OfA(finish)) => of(self.b, if finish { a1 } else { a0 }),
            Some(LineEnd::OfB(finish)) => of(self.a, if finish { b1 } else { b0 }),
        }
    }
}
