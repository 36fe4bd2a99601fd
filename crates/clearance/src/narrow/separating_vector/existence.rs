//! Whether some plane through the origin has all points of M seen so far on one side (Q_COLLIDE, sections 4.1 and 4.2): if
//! not, they enclose the origin and the bodies meet.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::STEP_LIMIT;
use super::half_planes::HalfPlanes;
use super::hemisphere::Hemisphere;
use crate::math::{Real, widen, widen_real};
use crate::narrow::minkowski::Vertex;
use crate::narrow::simplex::Simplex;
use crate::tolerance::CERTAIN_DETERMINANT;

/// How the existence of a separating plane is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existence {
    /// Section 4.2.1: most new vectors cost one product.
    #[default]
    Hemisphere,
    /// Section 4.2.2: every new vector cuts a polygon, whose middle is a better direction to restart from.
    HalfPlanes,
}

// One is made per search and none is moved.
#[allow(clippy::large_enum_variant)]
enum Test {
    Hemisphere(Hemisphere),
    HalfPlanes(HalfPlanes),
}

/// The points of M seen so far.
pub(super) struct Seen {
    vertices: ArrayVec<Vertex, STEP_LIMIT>,
    units: ArrayVec<DVec3, STEP_LIMIT>,
    test: Test,
}

impl Seen {
    #[inline]
    pub(super) fn new(existence: Existence) -> Self {
        let test = match existence {
            Existence::Hemisphere => Test::Hemisphere(Hemisphere::default()),
            Existence::HalfPlanes => Test::HalfPlanes(HalfPlanes::default()),
        };
        Self { vertices: ArrayVec::new(), units: ArrayVec::new(), test }
    }

    /// Whether the point was seen before.
    #[inline]
    pub(super) fn contains(&self, vertex: &Vertex) -> bool {
        self.vertices.iter().any(|seen| seen.m == vertex.m)
    }

    /// A direction on whose side all points are.
    pub(super) fn w(&self) -> DVec3 {
        match &self.test {
            Test::Hemisphere(hemisphere) => hemisphere.w(),
            Test::HalfPlanes(half_planes) => half_planes.w(&self.units),
        }
    }

    /// Takes in a point other than the origin; the four points that enclose the origin, if no plane is left.
    pub(super) fn add(&mut self, vertex: Vertex) -> Option<[Vertex; 4]> {
        let r = widen(vertex.m).normalize_or_zero();
        let found = match &mut self.test {
            Test::Hemisphere(hemisphere) => hemisphere.add(&self.units, r),
            Test::HalfPlanes(half_planes) => half_planes.add(&self.units, r),
        };
        if let Some(three) = found {
            let [a, b, c] = three.map(|i| self.vertices.get(i).copied().unwrap_or(vertex));
            return Some([vertex, a, b, c]);
        }
        // There is room for as many as there are steps.
        let _ = self.vertices.try_push(vertex);
        let _ = self.units.try_push(r);
        None
    }
}

/// Four determinants in proportion to the weights of the origin in a tetrahedron, all positive if it is inside.
pub(super) fn shares([a, b, c, d]: [DVec3; 4]) -> [f64; 4] {
    let (ab, cd) = (a.cross(b), c.cross(d));
    let shares = [b.dot(cd), -a.dot(cd), d.dot(ab), -c.dot(ab)];
    let turned = shares.iter().sum::<f64>() < 0.0;
    shares.map(|share| if turned { -share } else { share })
}

/// The tetrahedron with the weights of the origin, if the origin is inside by more than the points may be off. `size` is that
/// of the pair.
pub(super) fn enclosing(corners: [Vertex; 4], size: Real) -> Option<Simplex> {
    let points = corners.map(|corner| widen(corner.m));
    let [a, b, c, d] = points.map(DVec3::length);
    let shares = shares(points);
    let error = |p: f64, q: f64, r: f64| widen_real(CERTAIN_DETERMINANT * size) * (p * q + q * r + r * p);
    let errors = [error(b, c, d), error(a, c, d), error(a, b, d), error(a, b, c)];
    let certain = shares.iter().zip(errors).all(|(share, error)| *share > error);
    certain.then(|| {
        let scale = 1.0 / shares.iter().sum::<f64>();
        let mut simplex = Simplex::with_weights(corners, shares.map(|share| share * scale));
        let rest: DVec3 = points.iter().zip(simplex.weights()).map(|(point, weight)| *point * *weight).sum();
        if rest.length() > widen_real(CERTAIN_DETERMINANT * size) {
            // The weights of a thin tetrahedron have fewer digits than its corners.
            simplex.refine(DVec3::ZERO);
        }
        simplex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance_testkit::{HitRate, Rng};

    fn vertex(m: DVec3) -> Vertex {
        Vertex { m: crate::math::narrow(m), ..Vertex::ZERO }
    }

    /// Until they enclose the origin, random vectors are all on the side of `w`, by either method.
    #[test]
    fn a_plane_or_four_vectors_around_the_origin() {
        let mut rng = Rng::new(81);
        for existence in [Existence::Hemisphere, Existence::HalfPlanes] {
            let mut enclosed = HitRate::new("enclosed");
            for round in 0..2000 {
                let mut seen = Seen::new(existence);
                let cap = rng.uniform(-1.0, 0.5);
                for _ in 0..20 {
                    let mut m = rng.unit_vector();
                    if round % 2 == 0 {
                        // All on one side of z, so that a plane must be found.
                        m.z = m.z.abs() + cap.max(0.01);
                    }
                    if let Some(corners) = seen.add(vertex(m)) {
                        let inside = shares(corners.map(|c| widen(c.m))).iter().all(|share| *share > 0.0);
                        assert!(inside && round % 2 == 1, "{existence:?} round {round}: {corners:?}");
                        break;
                    }
                    let w = seen.w();
                    let least = seen.units.iter().map(|r| r.dot(w)).fold(1.0, f64::min);
                    assert!(least > 0.0, "{existence:?} round {round}: {least}, w {w}, {:?}", seen.units);
                }
                enclosed.record(seen.units.len() < 20);
            }
            enclosed.assert_between(0.45, 0.55);
        }
    }
}
