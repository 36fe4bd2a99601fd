//! How far a point is inside of a convex shape, where that is simple: what shows an overlap without measuring its depth.

use clearance::{Core, Shape, Vec3};

/// The distance of a point of the shape's own frame from its surface, at least; negative outside, and nothing for shapes that are not simple.
pub fn inside_by(shape: &Shape, point: Vec3) -> Option<f64> {
    let core = match shape.core() {
        Core::Point => -point.length(),
        Core::Cuboid { half_extents } => (*half_extents - point.abs()).min_element(),
        Core::Cylinder { half_height, radius } => (radius - point.truncate().length()).min(half_height - point.z.abs()),
        Core::Polytope(polytope) => {
            let faces = 0..polytope.face_count() as u32;
            let below = faces.map(|face| {
                let plane = polytope.plane(face);
                plane.offset - plane.normal.dot(point)
            });
            below.fold(f64::INFINITY, f64::min)
        }
        _ => return None,
    };
    // Outside of a core that is simple, but for a point, the distance is not known; it may still be within the radius.
    let is_known = core >= 0.0 || matches!(shape.core(), Core::Point);
    is_known.then_some(core + shape.radius())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance::{Cache, Pose, closest};

    #[test]
    fn is_the_depth_of_a_point() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut number = || 2.0 * rng.f64() - 1.0;
        let points: Vec<Vec3> = (0..30).map(|_| Vec3::new(number(), number(), number())).collect();
        let shapes = [
            Shape::polytope(&points),
            Shape::sphere(0.7),
            Shape::cuboid([0.5, 0.8, 0.9]),
            Shape::cylinder(0.8, 0.6),
            Shape::round_box([0.5, 0.5, 0.5], 0.1),
        ];
        let mut inside = 0;
        for shape in shapes.map(Result::unwrap) {
            for _ in 0..2_000 {
                let point = Vec3::new(number(), number(), number());
                let at = Pose::from_translation(point).unwrap();
                let near = closest(&Shape::point(), &at, &shape, &Pose::IDENTITY, &mut Cache::default());
                match inside_by(&shape, point) {
                    Some(depth) if depth > 0.0 => {
                        inside += 1;
                        assert!(
                            depth <= -near.lower + 1e-9 && depth >= -near.upper - 1e-2,
                            "{shape:?} {depth} {near:?}"
                        );
                    }
                    Some(_) => assert!(near.upper > -1e-9, "{shape:?} {point} {near:?}"),
                    None => assert!(near.distance > -shape.radius() - 1e-9),
                }
            }
        }
        assert!(inside > 1_000);
    }
}
