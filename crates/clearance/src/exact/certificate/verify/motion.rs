//! Motions of a record: rotations enclosed, and what is between two sets of pieces at rest or during an interval of time.

use super::body::Body;
use super::number::Num;
use super::read::{Node, Read};
use super::vector::{Matrix, Vector, cross, dot, is_zero, length_above, negative, plus, times};
use crate::math::integer::Int;

/// Angles above are refused: the series would be long.
const LARGEST_ANGLE: f64 = 1024.0;

/// Bits of the series after the point, for small angles.
const SERIES_BITS: u32 = 192;

/// A motion of B.
pub(super) struct Motion {
    pub centre: Vector,
    pub linear: Vector,
    pub angular: Vector,
}

impl Motion {
    pub fn read(node: &Node<'_>) -> Read<Self> {
        node.fields(&["centre", "linear", "angular"], &[])?;
        let get = |name| node.get(name)?.vector();
        Ok(Self { centre: get("centre")?, linear: get("linear")?, angular: get("angular")? })
    }

    /// The rotation until a time, and a number not below the norm of its error; nothing for too large an angle.
    pub fn rotation(&self, time: &Num) -> Option<(Matrix, Num)> {
        let w = times(&self.angular, time);
        let square = dot(&w, &w);
        let most = Num::from(LARGEST_ANGLE);
        if square > &most * &most {
            return None;
        }
        // Terms of the series grow up to e^angle before they fall.
        let angle = square.root()[1].whole(0).ratio_to_power(64) * 2f64.powi(64);
        let bits = SERIES_BITS + 4 * (angle as u32 + 1);
        let (s, s_error) = series(&square, 2, bits);
        let (c, c_error) = series(&square, 3, bits);
        let [x, y, z] = &w;
        let both = |a: &Num, b: &Num| &c * &(a * b);
        let straight = |a: &Num, b: &Num| &Num::from(1.0) - &(&c * &(&(a * a) + &(b * b)));
        let [sx, sy, sz] = [x, y, z].map(|part| &s * part);
        let matrix = Matrix([
            [straight(y, z), &both(x, y) - &sz, &both(x, z) + &sy],
            [&both(x, y) + &sz, straight(x, z), &both(y, z) - &sx],
            [&both(x, z) - &sy, &both(y, z) + &sx, straight(x, y)],
        ]);
        Some((matrix, &(&s_error * &square.root()[1]) + &(&c_error * &square)))
    }
}

/// `1 − x/(2·3) + x²/(2·3·4·5) − …` for `first` = 2, `1/2 − x/(2·3·4) + …` for 3, and how far that may be off.
fn series(x: &Num, first: u64, bits: u32) -> (Num, Num) {
    let one = Int::from(1);
    let low = x.whole(-(bits as i32));
    let high = &low + &one;
    let start = Int::shifted(1, bits + 1 - (first as u32 - 1), false);
    let mut term = [start.clone(), start.clone()];
    let mut sum = [start.clone(), start];
    let (mut k, mut negative) = (first, true);
    // The loop ends: divisors grow without limit, and a term below the last bit is 1 as rounded up.
    loop {
        let divisor = k * (k + 1);
        let falling = (&high - &Int::shifted(divisor, bits, false)).sign() < 0;
        let next = |term: &Int, x: &Int| (term * x).over(divisor).without_bits(u64::from(bits));
        term = [next(&term[0], &low), &next(&term[1], &high) + &one];
        if falling && (&term[1] - &one).sign() <= 0 {
            sum = [&sum[0] - &term[1], &sum[1] + &term[1]];
            break;
        }
        sum =
            if negative { [&sum[0] - &term[1], &sum[1] - &term[0]] } else { [&sum[0] + &term[0], &sum[1] + &term[1]] };
        (k, negative) = (k + 2, !negative);
    }
    let power = -(bits as i32) - 1;
    (Num::new(&sum[0] + &sum[1], power), Num::new(&sum[1] - &sum[0], power))
}

/// Two bodies at rest, or during an interval of a motion.
pub(super) enum Situation<'a> {
    Rest(&'a [Body; 2]),
    Step(Box<Step<'a>>),
}

pub(super) struct Step<'a> {
    bodies: &'a [Body; 2],
    motion: &'a Motion,
    /// The two ends of the interval.
    ends: [Num; 2],
    half: Num,
    rotation: Matrix,
    turns: bool,
    /// The error of the rotation times the reach of B: per length of a direction.
    off: Num,
    /// What the rotation's bend takes away: per length of a direction.
    bend: Num,
}

impl<'a> Step<'a> {
    /// The reach is that of B about the motion's centre.
    pub fn new(bodies: &'a [Body; 2], motion: &'a Motion, ends: [Num; 2], reach: &Num) -> Option<Self> {
        let middle = (&ends[0] + &ends[1]).times_power(-1);
        let half = (&ends[1] - &ends[0]).times_power(-1);
        let (rotation, error) = motion.rotation(&middle)?;
        let bend = (&(&(&half * &half) * &dot(&motion.angular, &motion.angular)) * reach).times_power(-1);
        let turns = !is_zero(&motion.angular);
        Some(Self { bodies, motion, ends, half, rotation, turns, off: &error * reach, bend })
    }

    fn room(&self, n: &Vector, [p, q]: [&[usize]; 2]) -> Option<Num> {
        let a = self.bodies[0].support(p, n)?;
        let aside = times(&cross(n, &self.motion.angular), &self.half);
        let mut least: Option<Num> = None;
        for (time, side) in self.ends.iter().zip([negative(&aside), aside.clone()]) {
            let v = plus(n, &side);
            let back = if self.turns { self.rotation.transposed_times(&v) } else { v.clone() };
            let b = self.bodies[1].support(q, &negative(&back))?;
            let place = &dot(n, &self.motion.centre) + &(time * &dot(n, &self.motion.linear));
            let mut room = &(&place - &dot(&self.motion.centre, &back)) - &(&a + &b);
            if self.turns {
                room = &room - &(&(&self.off * &length_above(&v)) + &(&self.bend * &length_above(n)));
            }
            least = Some(least.map_or(room.clone(), |least| least.min(room)));
        }
        least
    }
}

impl Situation<'_> {
    /// A number not above the least `n · (y − x)` over points x of pieces of A and y of pieces of B; nothing if there is none.
    pub fn room(&self, n: &Vector, pieces: [&[usize]; 2]) -> Option<Num> {
        match self {
            Self::Rest([a, b]) => Some(&-&a.support(pieces[0], n)? - &b.support(pieces[1], &negative(n))?),
            Self::Step(step) => step.room(n, pieces),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_keep_lengths_and_turn_to_the_right() {
        for angle in [1e-9, 0.3, 3.0, 40.0, 1000.0] {
            let angular = [0.48, -0.6, 0.64].map(|x| Num::from(x * angle));
            let motion = Motion { centre: Vector::default(), linear: Vector::default(), angular: angular.clone() };
            let (rotation, error) = motion.rotation(&Num::from(1.0)).unwrap();
            let small = Num::scaled(1.0, -150);
            assert!(error < small, "{angle}: {}", error.to_f64());
            assert!(rotation.unevenness() < small.times_power(10));
            let trace = [0, 1, 2].map(|k| rotation.0[k][k].to_f64()).iter().sum::<f64>();
            let length = dot(&angular, &angular).to_f64().sqrt();
            assert!((trace - 1.0 - 2.0 * length.cos()).abs() < 1e-9, "{angle}");
        }
        let angular = [0.0, 0.0, 1.0].map(Num::from);
        let motion = Motion { centre: Vector::default(), linear: Vector::default(), angular };
        let (rotation, _) = motion.rotation(&Num::from(1.0)).unwrap();
        assert!((rotation.0[1][0].to_f64() - 1f64.sin()).abs() < 1e-15);
        assert!(motion.rotation(&Num::from(1025.0)).is_none());
    }
}
