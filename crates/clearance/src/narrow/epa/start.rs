//! The tetrahedron from which the polytope grows, and what to say where there is none.

use super::*;

impl<A: Support, B: Support> Epa<'_, '_, A, B> {
    /// Four points that span space: those of the simplex as far as they do, and supports along what is missing. The error is
    /// a direction in which M has no extent.
    pub(super) fn start(&mut self, simplex: &Simplex) -> Result<(), Vec3> {
        for vertex in simplex.vertices() {
            if self
                .height_above_span(vertex.m)
                .is_none_or(|height| widen_real(height) > widen_real(FLAT_SIGMAS) * self.sigma)
            {
                self.vertices.push(*vertex);
            }
        }
        while self.vertices.len() < 4 {
            let (vertex, height, direction) = self.widest();
            if !(widen_real(height) > widen_real(FLAT_SIGMAS) * self.sigma) {
                return Err(direction);
            }
            self.vertices.push(vertex);
        }
        let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| self.vertices[i].m);
        if normal_of(widen(a), widen(b), widen(c)).dot(widen(d) - widen(a)) > 0.0 {
            self.vertices.swap(1, 2);
        }
        self.surface.points.extend(self.vertices.iter().map(|vertex| widen(vertex.m)));
        Ok(())
    }

    /// How far a point is from the affine span of the vertices so far; nothing to be far from if there are none.
    fn height_above_span(&self, p: Vec3) -> Option<Real> {
        let origin = self.vertices.first()?.m;
        let mut residual = p - origin;
        for axis in self.span() {
            residual -= axis * axis.dot(residual);
        }
        Some(length(residual))
    }

    /// Orthonormal axes of the affine span of the vertices.
    fn span(&self) -> ArrayVec<Vec3, 3> {
        let mut axes = ArrayVec::<Vec3, 3>::new();
        let Some(origin) = self.vertices.first() else {
            return axes;
        };
        for vertex in &self.vertices[1..] {
            let mut residual = vertex.m - origin.m;
            for axis in &axes {
                residual -= *axis * axis.dot(residual);
            }
            if axes.len() < 3 {
                axes.push(unit_or(residual, Vec3::X));
            }
        }
        axes
    }

    /// The support farthest from the span of the vertices among the directions perpendicular to it, both ways.
    fn widest(&mut self) -> (Vertex, Real, Vec3) {
        let axes = self.span();
        let mut best = (Vertex::ZERO, Real::NEG_INFINITY, Vec3::X);
        let candidates: ArrayVec<Vec3, 3> = match axes.as_slice() {
            [] => [Vec3::X, Vec3::Y, Vec3::Z].into(),
            [axis] => {
                let side = unit_or(axis.any_orthogonal_vector(), Vec3::X);
                [side, axis.cross(side)].into_iter().collect()
            }
            [first, second, ..] => [first.cross(*second)].into_iter().collect(),
        };
        for direction in candidates.into_iter().flat_map(|d| [d, -d]) {
            let vertex = self.farthest(direction);
            let height = self.height_above_span(vertex.m).unwrap_or(Real::INFINITY);
            if height > best.1 {
                best = (vertex, height, direction);
            }
        }
        best
    }

    /// M is flat across `direction` to within the error: the bodies touch, and either way along it separates them.
    pub(super) fn flat(&mut self, direction: Vec3) -> Depth {
        // Of the two sides the one on which M reaches less far beyond the origin.
        let (up, down) = (self.farthest(direction), self.farthest(-direction));
        let (vertex, outward) =
            if direction.dot(up.m) <= -direction.dot(down.m) { (up, direction) } else { (down, -direction) };
        let depth = outward.dot(vertex.m);
        let points = self.points_in_span(outward * depth).unwrap_or([vertex.a, vertex.a + vertex.m]);
        Depth {
            depth,
            lower: depth.min(0.0),
            upper: depth.max(0.0),
            normal: -outward,
            points,
            iterations: self.iterations,
            end: End::Converged,
        }
    }

    /// The points of the bodies for a point of M near the flat simplex found so far.
    fn points_in_span(&self, target: Vec3) -> Option<[Vec3; 2]> {
        let mut simplex = Simplex::default();
        for vertex in &self.vertices {
            simplex.push(Vertex { m: vertex.m - target, ..*vertex });
        }
        simplex.reduce();
        let [a, b] = simplex.points();
        (!self.vertices.is_empty()).then_some([a, b + target])
    }
}
