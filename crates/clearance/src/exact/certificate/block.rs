//! Convex pieces of bodies in doubles: where they are farthest along a direction, and how a record names that point.

use glam::{DMat3, DVec3};

use super::value::Value;
use crate::tolerance::{POINT_SHRINK, PROOF_MARGIN};

/// The name of a point of a convex shape in a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    Corner(u32),
    At(DVec3),
    Of(u32, Box<Mark>),
    Sum(Vec<Mark>),
    Ball(u32, DVec3),
    /// A point of the core of a rounded part, and where from it.
    Beside(Box<Mark>, DVec3),
}

impl From<&Mark> for Value {
    fn from(mark: &Mark) -> Self {
        match mark {
            Mark::Corner(index) => Self::from(*index),
            Mark::At(point) => Self::from(*point),
            Mark::Of(part, point) => Self::record([("of", Self::from(*part)), ("point", Self::from(&**point))]),
            Mark::Sum(points) => Self::record([("sum", Self::list(points))]),
            Mark::Ball(ball, offset) => Self::record([("ball", Self::from(*ball)), ("offset", Self::from(*offset))]),
            Mark::Beside(point, offset) => {
                Self::record([("point", Self::from(&**point)), ("offset", Self::from(*offset))])
            }
        }
    }
}

/// `x ↦ matrix · x + shift`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map {
    pub matrix: DMat3,
    pub shift: DVec3,
}

impl Map {
    /// First the inner map, then this one.
    pub fn after(&self, inner: &Self) -> Self {
        Self { matrix: self.matrix * inner.matrix, shift: self.at(inner.shift) }
    }

    pub fn at(&self, point: DVec3) -> DVec3 {
        self.matrix * point + self.shift
    }

    /// The share of a ball's radius that is left in all directions.
    pub fn shrinks(&self) -> f64 {
        let off = self.matrix * self.matrix.transpose() - DMat3::IDENTITY;
        let rows = off.transpose().to_cols_array_2d().map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        1.0 - rows.into_iter().fold(0.0, f64::max) - PROOF_MARGIN
    }

    /// Row by row.
    pub fn matrix_value(&self) -> Value {
        Value::numbers(self.matrix.transpose().to_cols_array())
    }
}

/// What a convex piece is before it is rounded and moved.
#[derive(Debug, Clone)]
pub(super) enum Form {
    Corners(Vec<DVec3>),
    Triangle([DVec3; 3]),
    Ellipsoid(DVec3),
    Discs([[f64; 2]; 2]),
    Balls(Vec<(DVec3, f64)>),
    HalfSpace(DVec3, f64),
    Sum(Vec<Block>),
    HullOf(Vec<Block>),
}

/// A convex piece: a form, rounded and moved.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub form: Form,
    pub radius: f64,
    /// Balls of this radius about points before rounding are in the piece: the radius, less what the matrices take away that are rotations
    /// to rounding only.
    pub sure: f64,
    pub map: Map,
}

impl Block {
    /// A point before rounding that is farthest along a direction of the world, with its name.
    pub fn farthest(&self, direction: DVec3) -> (DVec3, Mark) {
        let (local, mark) = self.form.farthest(self.map.matrix.transpose() * direction);
        (self.map.at(local), mark)
    }

    /// The same of a part of a combined shape, with the rounding.
    fn farthest_rounded(&self, direction: DVec3) -> (DVec3, Mark) {
        let local = self.map.matrix.transpose() * direction;
        let (point, mark) = self.form.farthest(local);
        if self.radius == 0.0 {
            return (self.map.at(point), mark);
        }
        let offset = local.normalize_or_zero() * (self.radius * POINT_SHRINK);
        (self.map.at(point + offset), Mark::Beside(Box::new(mark), offset))
    }

    /// The support value, with the rounding.
    pub fn reach(&self, direction: DVec3) -> f64 {
        let rounding = self.radius * (self.map.matrix.transpose() * direction).length();
        self.farthest(direction).0.dot(direction) + rounding
    }

    /// Not less than the largest distance of its points from a centre, as checkers compute it: for shapes without corners that of a corner of
    /// its box.
    pub fn arm(&self, centre: DVec3) -> f64 {
        let rounding = self.radius * (1.0 + f64::EPSILON.sqrt());
        let farthest = |corners: &[DVec3]| corners.iter().map(|&p| self.map.at(p).distance(centre)).fold(0.0, f64::max);
        match &self.form {
            Form::Corners(corners) => farthest(corners) + rounding,
            Form::Triangle(corners) => farthest(corners) + rounding,
            _ => {
                let along =
                    |axis: DVec3| (self.reach(axis) - centre.dot(axis)).max(self.reach(-axis) + centre.dot(axis));
                DVec3::from_array(DVec3::AXES.map(along)).length() + rounding
            }
        }
    }

    /// A point in the middle, and a radius about it that holds the piece.
    pub fn ball(&self) -> (DVec3, f64) {
        let (middle, reach) = self.form.ball();
        (self.map.at(middle), (reach + self.radius) * (1.0 + f64::EPSILON.sqrt()))
    }
}

impl Form {
    fn farthest(&self, d: DVec3) -> (DVec3, Mark) {
        match self {
            Self::Corners(points) => corner(points, d),
            Self::Triangle(points) => corner(points, d),
            Self::Ellipsoid(radii) => {
                let scaled = *radii * d;
                let length = scaled.length();
                let point = if length > 0.0 { *radii * scaled / length * POINT_SHRINK } else { DVec3::ZERO };
                (point, Mark::At(point))
            }
            Self::Discs(discs) => {
                let across = d.truncate();
                let length = across.length();
                let [low, high] = discs.map(|[z, r]| z * d.z + r * length);
                let [z, r] = discs[usize::from(high > low)];
                let out = if length > 0.0 { across / length * (r * POINT_SHRINK) } else { glam::DVec2::ZERO };
                let point = out.extend(z);
                (point, Mark::At(point))
            }
            Self::Balls(balls) => {
                let unit = d.normalize_or_zero();
                let reach = |(centre, radius): &(DVec3, f64)| centre.dot(unit) + radius;
                let best = (0..balls.len()).max_by(|&i, &j| reach(&balls[i]).total_cmp(&reach(&balls[j]))).unwrap_or(0);
                let offset = unit * (balls[best].1 * POINT_SHRINK);
                (balls[best].0 + offset, Mark::Ball(best as u32, offset))
            }
            Self::HalfSpace(normal, offset) => {
                let point = *normal * (*offset / normal.length_squared());
                (point, Mark::At(point))
            }
            Self::Sum(parts) => {
                let points: Vec<_> = parts.iter().map(|part| part.farthest_rounded(d)).collect();
                (points.iter().map(|(point, _)| *point).sum(), Mark::Sum(points.into_iter().map(|(_, m)| m).collect()))
            }
            Self::HullOf(parts) => {
                let best =
                    (0..parts.len()).max_by(|&i, &j| parts[i].reach(d).total_cmp(&parts[j].reach(d))).unwrap_or(0);
                let (point, mark) = parts[best].farthest_rounded(d);
                (point, Mark::Of(best as u32, Box::new(mark)))
            }
        }
    }

    fn ball(&self) -> (DVec3, f64) {
        match self {
            Self::Corners(points) => around(points),
            Self::Triangle(points) => around(points),
            Self::Ellipsoid(radii) => (DVec3::ZERO, radii.max_element()),
            Self::Discs(discs) => (DVec3::ZERO, discs.iter().fold(0.0, |reach, [z, r]| z.hypot(*r).max(reach))),
            Self::Balls(balls) => (DVec3::ZERO, balls.iter().fold(0.0, |reach, (c, r)| (c.length() + r).max(reach))),
            Self::HalfSpace(normal, offset) => (*normal * (*offset / normal.length_squared()), f64::INFINITY),
            Self::Sum(parts) => parts.iter().map(Block::ball).fold((DVec3::ZERO, 0.0), |(c, r), (d, s)| (c + d, r + s)),
            Self::HullOf(parts) => {
                let reach = parts.iter().map(Block::ball).map(|(c, r)| c.length() + r).fold(0.0, f64::max);
                (DVec3::ZERO, reach)
            }
        }
    }
}

fn corner(points: &[DVec3], d: DVec3) -> (DVec3, Mark) {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, point) in points.iter().enumerate() {
        let along = point.dot(d);
        if along > best.1 {
            best = (index, along);
        }
    }
    (points.get(best.0).copied().unwrap_or_default(), Mark::Corner(best.0 as u32))
}

fn around(points: &[DVec3]) -> (DVec3, f64) {
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    (middle, points.iter().map(|p| p.distance(middle)).fold(0.0, f64::max))
}
