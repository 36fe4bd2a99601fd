//! One face plane with a fast side test that admits when it cannot tell.

use crate::exact::{Exact3, orient3d};
use glam::DVec3;

/// The plane of a face, its normal rounded from the exact one.
pub(super) struct FacePlane {
    corners: [DVec3; 3],
    normal: DVec3,
}

/// Each normal component carries one rounding, each difference one, each product one, and the sum
/// two: five unit roundoffs in all, of the sum of the sizes. This is eight.
const RELATIVE: f64 = 4.0 * f64::EPSILON;
/// Below this the products may have lost digits to underflow.
const SMALLEST: f64 = 1e-250;

impl FacePlane {
    pub(super) fn new(a: DVec3, b: DVec3, c: DVec3) -> Self {
        Self { corners: [a, b, c], normal: rounded_normal(a, b, c) }
    }

    /// 1 strictly below (inside), 0 on the plane, −1 strictly above (outside).
    pub(super) fn side(&self, point: DVec3) -> i32 {
        let offset = point - self.corners[0];
        let height = self.normal.dot(offset);
        let size = self.normal.abs().dot(offset.abs());
        if size > SMALLEST && height.abs() > RELATIVE * size {
            return if height < 0.0 { 1 } else { -1 };
        }
        let [a, b, c] = self.corners;
        orient3d(a, b, c, point)
    }
}

/// The exact normal brought to a size near one and rounded; zero, which makes every test exact, if
/// a component is too small to keep its digits.
fn rounded_normal(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let [a, b, c] = [a, b, c].map(Exact3::from);
    let exact = (&b - &a).cross(&(&c - &a));
    let Some(top) = exact.top() else {
        return DVec3::ZERO;
    };
    let rounded = exact.scaled(-top).to_dvec3();
    let kept = |exact_zero: bool, value: f64| exact_zero || value.is_normal();
    let good =
        kept(exact.x.is_zero(), rounded.x) && kept(exact.y.is_zero(), rounded.y) && kept(exact.z.is_zero(), rounded.z);
    if good { rounded } else { DVec3::ZERO }
}
