//! Two boxes in closed form.
//!
//! The faces of the Minkowski difference of two boxes have 15 normals: three of each box and nine cross products of edges. So the
//! depth of an overlap is the smallest of 15 heights, exactly. For the boolean the six face normals settle nearly all pairs that
//! are apart, and the nearest point of one box to the other's centre nearly all that meet; what is left goes the general way.

use super::gjk::SupportPlane;
use crate::math::{Mat3, Real, Vec3, length};
use crate::tolerance::PARALLEL_EDGES;

/// Two boxes by their half extents, the second posed in the frame of the first.
pub struct Boxes {
    pub a: Vec3,
    pub b: Vec3,
    pub rotation: Mat3,
    pub translation: Vec3,
}

/// A boolean with its witness.
pub enum Answer {
    /// A face plane separates them by more than the error.
    Apart(SupportPlane),
    /// A point of both.
    Common(Vec3),
}

impl Boxes {
    /// The boolean, if it is easy.
    #[inline]
    pub fn decide(&self, sigma: Real) -> Option<Answer> {
        let Self { a, b, rotation: r, translation: t } = self;
        let columns = r.x_axis.abs() * b.x + r.y_axis.abs() * b.y + r.z_axis.abs() * b.z;
        let along_a = t.abs() - *a - columns;
        if along_a.max_element() > sigma {
            return Some(Answer::Apart(self.plane_of_a(along_a)));
        }
        let in_b = Vec3::new(r.x_axis.dot(*t), r.y_axis.dot(*t), r.z_axis.dot(*t));
        let rows = Vec3::new(r.x_axis.abs().dot(*a), r.y_axis.abs().dot(*a), r.z_axis.abs().dot(*a));
        let along_b = in_b.abs() - *b - rows;
        if along_b.max_element() > sigma {
            return Some(Answer::Apart(self.plane_of_b(along_b, in_b)));
        }
        // The point of A nearest to the centre of B, and the other way round.
        let nearest = t.clamp(-*a, *a);
        let seen = nearest - *t;
        let local = Vec3::new(r.x_axis.dot(seen), r.y_axis.dot(seen), r.z_axis.dot(seen));
        if local.abs().cmple(*b).all() {
            return Some(Answer::Common(nearest));
        }
        let nearest = *r * (-in_b).clamp(-*b, *b) + *t;
        nearest.abs().cmple(*a).all().then_some(Answer::Common(nearest))
    }

    fn plane_of_a(&self, gaps: Vec3) -> SupportPlane {
        let (axis, bound) = largest(gaps);
        let direction = AXES[axis] * (1.0 as Real).copysign(self.translation.to_array()[axis]);
        SupportPlane { direction, bound, on_a: direction * self.a }
    }

    fn plane_of_b(&self, gaps: Vec3, in_b: Vec3) -> SupportPlane {
        let (axis, bound) = largest(gaps);
        let r = &self.rotation;
        let direction = [r.x_axis, r.y_axis, r.z_axis][axis] * (1.0 as Real).copysign(in_b.to_array()[axis]);
        let corner = Vec3::select(direction.cmplt(Vec3::ZERO), -self.a, self.a);
        SupportPlane { direction, bound, on_a: corner }
    }

    /// The unit normal (from A to B) along which overlapping boxes have the least depth, that depth, and the edges' axes if it
    /// is theirs.
    pub fn depth(&self) -> (Vec3, Real, Option<[usize; 2]>) {
        let of_b = [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis];
        let mut best = (Vec3::X, Real::INFINITY, None);
        let mut look = |axis: Vec3, scale: Real, edges: Option<[usize; 2]>| {
            let reach = axis.abs().dot(self.a)
                + of_b[0].dot(axis).abs() * self.b.x
                + of_b[1].dot(axis).abs() * self.b.y
                + of_b[2].dot(axis).abs() * self.b.z;
            let offset = self.translation.dot(axis);
            let depth = (reach - offset.abs()) * scale;
            if depth < best.1 {
                best = (axis * (1.0 as Real).copysign(offset) * scale, depth, edges);
            }
        };
        AXES.into_iter().chain(of_b).for_each(|axis| look(axis, 1.0, None));
        for (i, a) in AXES.into_iter().enumerate() {
            for (j, b) in of_b.into_iter().enumerate() {
                let axis = a.cross(b);
                let length = length(axis);
                // Parallel edges span no face of their own.
                if length > PARALLEL_EDGES {
                    look(axis, 1.0 / length, Some([i, j]));
                }
            }
        }
        best
    }

    /// Points of A and B that differ by `difference`, from their corners `on_a` and `on_b` farthest into each other: a corner
    /// in a face, or the crossing of two edges. Nothing where faces or edges lie along each other and it takes more to tell.
    pub fn points(
        &self,
        on_a: Vec3,
        on_b: Vec3,
        difference: Vec3,
        edges: Option<[usize; 2]>,
        sigma: Real,
    ) -> Option<[Vec3; 2]> {
        let r = &self.rotation;
        let within = |p: Vec3, half: Vec3| p.abs().cmple(half + Vec3::splat(sigma)).all();
        let in_b = |p: Vec3| {
            let seen = p - self.translation;
            within(Vec3::new(r.x_axis.dot(seen), r.y_axis.dot(seen), r.z_axis.dot(seen)), self.b)
        };
        let fits = |[a, b]: [Vec3; 2]| (within(a, self.a) && in_b(b)).then_some([a, b]);
        let Some([i, j]) = edges else {
            return fits([on_b - difference, on_b]).or_else(|| fits([on_a, on_a + difference]));
        };
        // What is missing from the corners' difference lies in the plane of the two edges.
        let (a, b) = (AXES[i], [r.x_axis, r.y_axis, r.z_axis][j]);
        let missing = difference - (on_b - on_a);
        let cosine = a.dot(b);
        let scale = 1.0 / (1.0 - cosine * cosine);
        let (along_a, along_b) = (missing.dot(a), missing.dot(b));
        let (of_a, of_b) = ((along_a - cosine * along_b) * scale, (along_b - cosine * along_a) * scale);
        fits([on_a - a * of_a, on_b + b * of_b])
    }
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

#[inline]
fn largest(v: Vec3) -> (usize, Real) {
    let largest = v.max_element();
    (
        if v.x == largest {
            0
        } else if v.y == largest {
            1
        } else {
            2
        },
        largest,
    )
}
