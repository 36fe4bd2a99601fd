//! Supports of simple shapes in lanes.

use super::block::{Kind, Side, put};
use super::lane::{Lane, Row};
use super::vectors::Vectors;
use crate::math::{Real, Vec3};
use crate::tolerance::{LANE_SQUARE_MIN, UNIT_ROUNDOFF};

/// The farthest points of the shapes of one side, each along its direction; no numbers where squares would lose digits.
#[inline(always)]
pub(super) fn support<L: Lane>(side: &Side<'_>, sizes: &[Row; 3], position: usize, d: Vectors<L>) -> Vectors<L> {
    match side.kind {
        Kind::Cuboid => {
            let half: Vectors<L> = Vectors::load_at(sizes, position);
            Vectors { x: half.x.with_sign_of(d.x), y: half.y.with_sign_of(d.y), z: half.z.with_sign_of(d.z) }
        }
        Kind::Ellipsoid => {
            let radii: Vectors<L> = Vectors::load_at(sizes, position);
            let stretched = radii * d;
            let square = stretched.dot(stretched);
            let sound = square.above(L::splat(LANE_SQUARE_MIN));
            let scale = L::splat(1.0).div(square.sqrt());
            (radii * stretched).scaled(L::select(sound, scale, L::splat(Real::NAN)))
        }
        Kind::Cylinder => {
            let (radius, half) = (L::load_at(&sizes[0], position), L::load_at(&sizes[2], position));
            rim(radius, half.with_sign_of(d.z), d)
        }
        Kind::Cone => {
            let (radius, height) = (L::load_at(&sizes[0], position), L::load_at(&sizes[2], position));
            let rim = rim(radius, height.mul(L::splat(-0.25)), d);
            let zero = L::splat(0.0);
            let apex = Vectors { x: zero, y: zero, z: height.mul(L::splat(0.75)) };
            Vectors::select(d.dot(apex - rim).above(zero), apex, rim)
        }
        Kind::Hull => farthest(side.vertices, d),
    }
}

/// The farthest point of a circle about the z axis.
#[inline(always)]
fn rim<L: Lane>(radius: L, z: L, d: Vectors<L>) -> Vectors<L> {
    let square = d.x.mul(d.x).add(d.y.mul(d.y));
    let sound = square.above(L::splat(LANE_SQUARE_MIN));
    // Along the axis to rounding: the centre falls short by less than that.
    let rounding = d.z.mul(L::splat(0.5 * UNIT_ROUNDOFF));
    let upright = rounding.mul(rounding).above(square);
    let otherwise = L::select(upright, L::splat(0.0), L::splat(Real::NAN));
    let scale = L::select(sound, radius.div(square.sqrt()), otherwise);
    let scale = L::select(upright, L::splat(0.0), scale);
    Vectors { x: d.x.mul(scale), y: d.y.mul(scale), z }
}

/// The farthest of a few points, which all lanes have in common.
#[inline(always)]
fn farthest<L: Lane>(vertices: &[Vec3], d: Vectors<L>) -> Vectors<L> {
    let mut best = L::splat(Real::NEG_INFINITY);
    let mut winner = L::splat(0.0);
    let mut number = L::splat(0.0);
    for vertex in vertices {
        let value = Vectors::splat(*vertex).dot(d);
        let better = value.above(best);
        // Not by the mask: the next comparison waits for this alone.
        best = value.larger(best);
        winner = L::select(better, number, winner);
        number = number.add(L::splat(1.0));
    }
    let mut winners = Row::ZERO;
    winner.store(&mut winners);
    let mut points = [Row::ZERO; 3];
    for (lane, winner) in winners.0.iter().enumerate().take(L::WIDTH) {
        put(&mut points, lane, vertices.get(*winner as usize).copied().unwrap_or(Vec3::NAN));
    }
    Vectors::load(&points)
}
