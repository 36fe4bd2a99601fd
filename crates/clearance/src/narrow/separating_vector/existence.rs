//! Whether some plane through the origin has all points of M seen so far on one side (Q_COLLIDE, sections 4.1 and 4.2): if
//! not, they enclose the origin and the bodies meet.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::math::{Real, widen, widen_real};
use crate::narrow::minkowski::Vertex;
use crate::narrow::simplex::Simplex;
use crate::tolerance::CERTAIN_DETERMINANT;

/// Steps before the question is handed on. The thesis counts up to 55, for rods of 1,000 vertices (figure 6.5).
pub const STEP_LIMIT: usize = 64;

/// How the existence of a separating plane is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existence {
    /// Section 4.2.1: most new vectors cost one product.
    #[default]
    Hemisphere,
    /// Section 4.2.2: every new vector cuts a polygon, whose middle is a better direction to restart from.
    HalfPlanes,
}

/// A test of existence that takes one vector after the other.
pub(super) trait PlaneTest: Default {
    /// Takes a unit vector in; `earlier` are those before it. If no plane has them all on one side: the three that enclose
    /// the origin together with it.
    fn add(&mut self, earlier: &[DVec3], r: DVec3) -> Option<[usize; 3]>;

    /// A direction on whose side all of `seen` are, if they do not enclose the origin.
    fn w(&self, seen: &[DVec3]) -> DVec3;
}

/// The points of M seen so far.
pub(super) struct Seen<T> {
    vertices: ArrayVec<Vertex, STEP_LIMIT>,
    units: ArrayVec<DVec3, STEP_LIMIT>,
    test: T,
}

impl<T: PlaneTest> Seen<T> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { vertices: ArrayVec::new(), units: ArrayVec::new(), test: T::default() }
    }

    /// Whether the point was seen before.
    #[inline]
    pub(super) fn contains(&self, vertex: &Vertex) -> bool {
        self.vertices.iter().any(|seen| seen.m == vertex.m)
    }

    /// A direction on whose side all points are.
    pub(super) fn w(&self) -> DVec3 {
        self.test.w(&self.units)
    }

    /// Takes in a point other than the origin; the four points that enclose the origin, if no plane is left.
    #[inline]
    pub(super) fn add(&mut self, vertex: Vertex) -> Option<[Vertex; 4]> {
        let r = widen(vertex.m).normalize_or_zero();
        if let Some(three) = self.test.add(&self.units, r) {
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
    use super::super::half_planes::HalfPlanes;
    use super::super::hemisphere::Hemisphere;
    use super::*;
    use clearance_testkit::{HitRate, Rng};

    fn vertex(m: DVec3) -> Vertex {
        Vertex { m: crate::math::narrow(m), ..Vertex::ZERO }
    }

    /// Until they enclose the origin, random vectors are all on the side of `w`, by either method.
    fn a_plane_or_four_vectors<T: PlaneTest>(what: &str) {
        let mut rng = Rng::new(81);
        {
            let mut enclosed = HitRate::new("enclosed");
            for round in 0..2000 {
                let mut seen = Seen::<T>::new();
                let cap = rng.uniform(-1.0, 0.5);
                for _ in 0..20 {
                    let mut m = rng.unit_vector();
                    if round % 2 == 0 {
                        // All on one side of z, so that a plane must be found.
                        m.z = m.z.abs() + cap.max(0.01);
                    }
                    if let Some(corners) = seen.add(vertex(m)) {
                        let inside = shares(corners.map(|c| widen(c.m))).iter().all(|share| *share > 0.0);
                        assert!(inside && round % 2 == 1, "{what} round {round}: {corners:?}");
                        break;
                    }
                    let w = seen.w();
                    let least = seen.units.iter().map(|r| r.dot(w)).fold(1.0, f64::min);
                    assert!(least > 0.0, "{what} round {round}: {least}, w {w}, {:?}", seen.units);
                }
                enclosed.record(seen.units.len() < 20);
            }
            enclosed.assert_between(0.45, 0.55);
        }
    }

    #[test]
    fn a_plane_or_four_vectors_around_the_origin() {
        a_plane_or_four_vectors::<Hemisphere>("hemisphere");
        a_plane_or_four_vectors::<HalfPlanes>("half planes");
    }
}
