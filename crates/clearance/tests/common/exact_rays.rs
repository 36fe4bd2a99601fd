//! Rays and triangles in exact arithmetic, over all triangles: the oracle of the ray tests.

use clearance_testkit::exact::{Dyadic, Exact3};
use glam::DVec3;

/// A position on a ray as an exact fraction with a positive denominator.
#[derive(Clone, Debug)]
pub struct Position {
    pub numerator: Dyadic,
    pub denominator: Dyadic,
}

impl Position {
    fn new(numerator: Dyadic, denominator: Dyadic) -> Self {
        if denominator.sign() < 0 {
            return Self { numerator: -numerator, denominator: -denominator };
        }
        Self { numerator, denominator }
    }

    pub fn is_less(&self, other: &Self) -> bool {
        (&self.numerator * &other.denominator - &other.numerator * &self.denominator).sign() < 0
    }

    /// Whether it is in a closed interval.
    pub fn is_within(&self, lower: f64, upper: f64) -> bool {
        let compare = |x: f64| (&Dyadic::from_f64(x) * &self.denominator - self.numerator.clone()).sign();
        (lower == f64::NEG_INFINITY || compare(lower) <= 0) && (upper == f64::INFINITY || compare(upper) >= 0)
    }

    pub fn to_f64(&self) -> f64 {
        clearance_testkit::exact::ratio(&self.numerator, &self.denominator)
    }
}

/// A triangle that the ray touches.
pub struct Touch {
    pub triangle: usize,
    pub at: Position,
    /// −1 if it faces the ray, 1 if it shows its back.
    pub facing: i32,
    /// How many of the three weights are zero.
    pub zeros: usize,
}

/// The sign and, if asked for, the value of the determinant of d, p − o, q − o.
fn side(d: &Exact3, o: &Exact3, p: &Exact3, q: &Exact3) -> Dyadic {
    d.dot(&(p - o).cross(&(q - o)))
}

fn sure_sign(d: DVec3, o: DVec3, p: DVec3, q: DVec3) -> i32 {
    let (p, q) = (p - o, q - o);
    let value = d.dot(p.cross(q));
    let error = 1e-13 * d.length() * (p.length() + o.length()) * (q.length() + o.length());
    if value > error {
        1
    } else if value < -error {
        -1
    } else {
        0
    }
}

/// Every closed triangle, not seen edge-on, that the ray touches, exactly.
pub fn touches(triangles: &[[DVec3; 3]], origin: DVec3, direction: DVec3) -> Vec<Touch> {
    let (o, d) = (Exact3::from(origin), Exact3::from(direction));
    let mut found = Vec::new();
    for (index, corners) in triangles.iter().enumerate() {
        let sure = [[1, 2], [2, 0], [0, 1]].map(|[i, j]| sure_sign(direction, origin, corners[i], corners[j]));
        if sure.contains(&1) && sure.contains(&-1) {
            continue;
        }
        let [a, b, c] = corners.map(Exact3::from);
        let sides = [side(&d, &o, &b, &c), side(&d, &o, &c, &a), side(&d, &o, &a, &b)];
        let signs = sides.each_ref().map(Dyadic::sign);
        let facing = signs.iter().sum::<i32>().signum();
        if signs.contains(&1) && signs.contains(&-1) || facing == 0 {
            continue;
        }
        let normal = (&b - &a).cross(&(&c - &a));
        let at = Position::new(normal.dot(&(&a - &o)), normal.dot(&d));
        if at.numerator.sign() < 0 {
            continue;
        }
        let zeros = signs.iter().filter(|&&s| s == 0).count();
        found.push(Touch { triangle: index, at, facing, zeros });
    }
    found
}

/// The first of the touched triangles.
pub fn first(touches: &[Touch]) -> Option<&Touch> {
    touches.iter().reduce(|best, touch| if touch.at.is_less(&best.at) { touch } else { best })
}
