//! The point of a simplex nearest to the origin in pairs of doubles, for simplices too thin for doubles.
//!
//! Johnson's cofactors of all subsets of the corners; of the subsets whose weights are all positive the nearest point counts, which is
//! the back-up procedure of Q_COLLIDE, section 5.2. With 106 bits the cofactors of a simplex with an aspect of 1e-8 have as many correct digits
//! as doubles have. Weights are positive and add up to one, so that the point is one of the simplex whatever the rounding.

use glam::DVec3;

use super::simplex::{Nearest, Region, Simplex};
use crate::math::exact::{Pair, Pair3};
use crate::math::widen;

/// All four corners.
const WHOLE: usize = 0b1111;

/// Cofactors of one subset, by corner.
type Cofactors = [Pair; 4];

/// Finds the nearest point.
pub fn locate(simplex: &Simplex) -> Region {
    let count = simplex.vertices().len();
    let mut points = [DVec3::ZERO; 4];
    points.iter_mut().zip(simplex.vertices()).for_each(|(slot, vertex)| *slot = widen(vertex.m));
    // Products of six lengths stay in range if the largest is about one; a power of two changes no digit.
    let size = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let scale = if size > 0.0 && size.is_finite() { (-size.log2().floor()).exp2() } else { 1.0 };
    let points = points.map(|p| p * scale);
    let table = cofactors(&points[..count]);
    let mut best: Option<(f64, usize)> = None;
    for subset in 1..1usize << count {
        if !corners(subset).all(|i| table[subset][i].round() > 0.0) {
            continue;
        }
        if subset == WHOLE {
            return Region::Inside(weights(&table, subset));
        }
        let square = point(&table, subset, &points).length_squared();
        if best.is_none_or(|(least, _)| square < least) {
            best = Some((square, subset));
        }
    }
    let subset = best.map_or(usize::from(count > 0), |(_, subset)| subset);
    let weights = weights(&table, subset);
    let nearest = point(&table, subset, &points) / scale;
    Region::Outside(Nearest::new(nearest, corners(subset).map(|i| (i, weights[i]))))
}

fn corners(subset: usize) -> impl Iterator<Item = usize> {
    (0..4).filter(move |i| subset & (1 << i) != 0)
}

/// By growing subsets: a subset's number is larger than those of its own subsets.
fn cofactors(points: &[DVec3]) -> [Cofactors; 16] {
    let zero = Pair::from(0.0);
    let mut table = [[zero; 4]; 16];
    for subset in 1..1usize << points.len() {
        if subset.count_ones() == 1 {
            table[subset][subset.trailing_zeros() as usize] = Pair::from(1.0);
            continue;
        }
        for j in corners(subset) {
            let rest = subset & !(1 << j);
            let across = Pair3::difference(points[rest.trailing_zeros() as usize], points[j]);
            table[subset][j] =
                corners(rest).fold(zero, |sum, i| sum + table[rest][i] * Pair3::from(points[i]).dot(&across));
        }
    }
    table
}

fn total(table: &[Cofactors; 16], subset: usize) -> Pair {
    corners(subset).fold(Pair::from(0.0), |sum, i| sum + table[subset][i])
}

/// The weights of a subset's nearest point; all are zero for no subset.
fn weights(table: &[Cofactors; 16], subset: usize) -> [f64; 4] {
    let total = total(table, subset);
    let mut weights = [0.0; 4];
    corners(subset).for_each(|i| weights[i] = table[subset][i].over(total));
    weights
}

fn point(table: &[Cofactors; 16], subset: usize, points: &[DVec3; 4]) -> DVec3 {
    let zero = Pair3::from(DVec3::ZERO);
    let sum = corners(subset).fold(zero, |sum, i| sum.plus(&Pair3::from(points[i]).times(table[subset][i])));
    let total = total(table, subset);
    DVec3::from_array(sum.to_array().map(|x| x.over(total)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, narrow};
    use crate::narrow::minkowski::Vertex;

    fn simplex(points: &[[f64; 3]]) -> Simplex {
        let mut simplex = Simplex::default();
        for p in points {
            simplex.push(Vertex { m: narrow(DVec3::from_array(*p)), a: Vec3::ZERO, ..Vertex::ZERO });
        }
        simplex
    }

    #[test]
    fn plain_simplices() {
        let Region::Outside(near) = locate(&simplex(&[[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]])) else { panic!("outside") };
        assert_eq!(near.point, DVec3::X);
        let tetrahedron = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
        let Region::Inside(weights) = locate(&simplex(&tetrahedron)) else { panic!("inside") };
        assert_eq!(weights, [0.25; 4]);
        let moved = tetrahedron.map(|[x, y, z]| [x + 4.0, y, z]);
        let Region::Outside(near) = locate(&simplex(&moved)) else { panic!("outside") };
        assert_eq!(near.point, DVec3::new(3.0, 0.0, 0.0));
    }

    #[test]
    fn a_sliver_has_its_foot() {
        // A triangle a millionth wide beside the origin: its plane is at a height of 2⁻²⁰.
        let (height, wide) = (0.5f64.powi(20), 0.5f64.powi(22));
        let corners = [[-1.0, -wide, height], [1.0, -wide, height], [0.25, wide, height]];
        let Region::Outside(near) = locate(&simplex(&corners)) else { panic!("outside") };
        assert_eq!(near.point, DVec3::new(0.0, 0.0, height));
    }
}
