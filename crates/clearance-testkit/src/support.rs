//! Brute-force support: the farthest point along a direction, exactly.
//!
//! Plain dot products single out the points that could win; those few are compared exactly, so
//! the value is the nearest `f64` to the truth and ties are real ties.

use crate::exact::{Dyadic, Exact3};
use glam::DVec3;

/// Error of a computed dot product of three terms, relative to the sum of their sizes: three unit
/// roundoffs, two more for comparing with it. This is eight.
const RELATIVE: f64 = 4.0 * f64::EPSILON;

/// The largest dot product of a point with the direction, exact; nothing without points.
pub fn support_exact(points: &[DVec3], dir: DVec3) -> Option<Dyadic> {
    winner(points, dir).map(|(_, value)| value)
}

/// The largest dot product of a point with the direction, rounded once; −∞ without points.
pub fn support_value(points: &[DVec3], dir: DVec3) -> f64 {
    support_exact(points, dir).map_or(f64::NEG_INFINITY, |value| value.to_f64())
}

/// The first point whose dot product with the direction is largest, exactly.
pub fn support_index(points: &[DVec3], dir: DVec3) -> Option<usize> {
    winner(points, dir).map(|(index, _)| index)
}

fn winner(points: &[DVec3], dir: DVec3) -> Option<(usize, Dyadic)> {
    let error = |p: DVec3| RELATIVE * p.abs().dot(dir.abs()) + f64::MIN_POSITIVE;
    let floor = points.iter().map(|&p| p.dot(dir) - error(p)).fold(f64::NEG_INFINITY, f64::max);
    let exact_dir = Exact3::from(dir);
    let mut best: Option<(usize, Dyadic)> = None;
    for (index, &point) in points.iter().enumerate() {
        if point.dot(dir) + error(point) < floor {
            continue;
        }
        let value = Exact3::from(point).dot(&exact_dir);
        if best.as_ref().is_none_or(|(_, top)| value > *top) {
            best = Some((index, value));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::HitRate;
    use crate::random::Rng;

    #[test]
    fn agrees_with_exact_evaluation_of_every_point() {
        let mut rng = Rng::new(11);
        let mut ties = HitRate::new("tied supports");
        for round in 0..500 {
            let mut points: Vec<_> = (0..20).map(|_| rng.in_ball(1.0).round()).collect();
            let mut dir = rng.unit_vector();
            if round % 2 == 0 {
                points.iter_mut().for_each(|p| *p += rng.in_ball(1e-17));
                dir = (dir * 3.0).round();
            }
            let values: Vec<_> = points.iter().map(|&p| Exact3::from(p).dot(&dir.into())).collect();
            let best = values.iter().max().unwrap();
            let first = values.iter().position(|v| v == best);
            assert_eq!(support_index(&points, dir), first);
            assert_eq!(support_value(&points, dir), best.to_f64());
            ties.record(values.iter().filter(|v| *v == best).count() > 1);
        }
        ties.assert_between(0.2, 1.0);
    }

    #[test]
    fn cancellation_does_not_hurt() {
        let points = [DVec3::new(1e20, 1.0, -1e20), DVec3::new(0.0, 0.5, 0.0)];
        assert_eq!(support_value(&points, DVec3::ONE), 1.0);
        assert_eq!(support_index(&points, DVec3::ONE), Some(0));
        assert_eq!(support_index(&[], DVec3::X), None);
    }
}
