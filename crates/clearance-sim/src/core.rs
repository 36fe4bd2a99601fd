//! What is cast for a body that is fast: smaller bodies inside of it, which do not touch what the body rests on.

use clearance::{Body, Real, Shape, Vec3};

use crate::body::State;
use crate::tolerance::{FAST_SHARE, INNER_SHARE};

/// What is cast for a body that is fast.
#[derive(Debug, Clone)]
pub(crate) struct Core {
    /// A ball about the centre of mass.
    pub ball: Shape,
    /// Of a slender body the hull of some of its farthest points, as it is and drawn in towards the centre of mass, which is its origin.
    pub turning: Option<[Shape; 2]>,
}

impl Core {
    /// What is cast for a dynamic body, unless it is too thin for even a ball.
    pub fn new(body: &Body, state: &State) -> Option<Self> {
        let ball = Shape::sphere(state.core * FAST_SHARE).ok().filter(|_| state.is_dynamic())?;
        let hull = |share: Real| {
            let point = |direction| (body.support(direction) - state.local_center) * share;
            Shape::polytope(&directions().map(point).collect::<Vec<_>>()).ok()
        };
        let turning = if state.is_slender() { hull(1.0).zip(hull(INNER_SHARE)) } else { None };
        Some(Self { ball, turning: turning.map(<[Shape; 2]>::from) })
    }
}

/// The axes of a body's frame and their diagonals.
fn directions() -> impl Iterator<Item = Vec3> {
    let steps = (0..27).filter(|&number| number != 13);
    steps.map(|number| {
        let [x, y, z] = [number % 3, number / 3 % 3, number / 9].map(|step| step as Real - 1.0);
        Vec3::new(x, y, z).normalize_or_zero()
    })
}

/// The least extent of a body from its centre along the axes of its frame and their diagonals.
pub(crate) fn inner_radius(body: &Body, center: Vec3) -> Real {
    let extent = |direction: Vec3| direction.dot(body.support(direction) - center);
    directions().map(extent).fold(Real::INFINITY, Real::min).max(0.0)
}
