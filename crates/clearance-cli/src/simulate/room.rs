//! A closed room: a box whose walls send bodies back.
//!
//! A body is kept inside by its bounding ball, so that its turning cannot push it through a wall. Its way is folded at the walls
//! like a ray between mirrors, in closed form: however fast it is, one step is one computation, and it ends inside.

use crate::suggest::Short;
use std::f64::consts::PI;

use clearance::Vec3;

use crate::query::QueryError;
use crate::query::parse::Node;
use crate::query::shapes::vector;

/// A box with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Its middle.
    pub center: Vec3,
    /// Half its edges.
    pub half_extents: Vec3,
}

/// How a scene says how large its room is.
#[derive(Clone, Copy, Debug)]
pub enum RoomSize {
    /// As it is.
    Given(Room),
    /// A cube about the origin, this part of which the bounding balls of the bodies would fill.
    Density(f64),
}

impl RoomSize {
    /// Reads it.
    ///
    /// # Errors
    /// If it is none; the message names the field.
    pub fn read(node: &Node) -> Result<Self, QueryError> {
        let object = node.object()?;
        object.only(&["half_extents", "center", "density"])?;
        let Some(density) = object.find("density") else {
            let sides = object.get("half_extents")?;
            let half_extents = vector(&sides)?;
            if !(half_extents.min_element() > 0.0) {
                return Err(sides.bad("must be positive"));
            }
            let center = object.find("center").map_or(Ok(Vec3::ZERO), |center| vector(&center))?;
            return Ok(Self::Given(Room { center, half_extents }));
        };
        object.only(&["density"])?;
        let part = density.number()?;
        let fits = part > 0.0 && part <= 1.0;
        if fits {
            Ok(Self::Density(part))
        } else {
            Err(density.bad(format!("is {}; it must be above 0 and at most 1", Short(part))))
        }
    }

    /// The room for bodies with these bounding radii.
    pub fn room(self, radii: impl Iterator<Item = f64>) -> Room {
        match self {
            Self::Given(room) => room,
            Self::Density(part) => {
                let volume: f64 = radii.map(|radius| 4.0 / 3.0 * PI * radius.powi(3)).sum();
                Room { center: Vec3::ZERO, half_extents: Vec3::splat(0.5 * (volume / part).cbrt()) }
            }
        }
    }
}

impl Room {
    /// How far the middle of a ball may be from the room's.
    fn reach(&self, radius: f64) -> Vec3 {
        (self.half_extents - Vec3::splat(radius)).max(Vec3::ZERO)
    }

    /// Whether it holds a ball of this radius.
    pub fn holds(&self, middle: Vec3, radius: f64) -> bool {
        (middle - self.center).abs().cmple(self.reach(radius)).all()
    }

    /// The point of the room nearest to where the middle of a ball should be.
    pub fn nearest(&self, middle: Vec3, radius: f64) -> Vec3 {
        let reach = self.reach(radius);
        self.center + (middle - self.center).clamp(-reach, reach)
    }

    /// Folds a ball that has moved to `middle` back into the room; its velocity follows.
    pub fn fold(&self, middle: &mut Vec3, velocity: &mut Vec3, radius: f64) {
        if self.holds(*middle, radius) {
            return;
        }
        let (reach, offset) = (self.reach(radius), *middle - self.center);
        let mut folded = offset;
        for axis in 0..3 {
            let (place, turned) = fold_at(offset[axis], reach[axis]);
            folded[axis] = place;
            if turned {
                velocity[axis] = -velocity[axis];
            }
        }
        *middle = self.nearest(self.center + folded, radius);
    }
}

/// Where `x` is between mirrors at ±`reach`, and whether it goes the other way there.
fn fold_at(x: f64, reach: f64) -> (f64, bool) {
    if x.abs() <= reach {
        return (x, false);
    }
    let width = 2.0 * reach;
    let along = (x + reach).rem_euclid(2.0 * width);
    if along.is_nan() {
        return (0.0, true);
    }
    let turned = along > width;
    let place = if turned { 2.0 * width - along } else { along };
    (place - reach, turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_fold_a_way_of_any_length() {
        assert_eq!(fold_at(0.5, 1.0), (0.5, false));
        assert_eq!(fold_at(1.25, 1.0), (0.75, true));
        assert_eq!(fold_at(-1.25, 1.0), (-0.75, true));
        assert_eq!(fold_at(3.25, 1.0), (-0.75, false));
        assert_eq!(fold_at(-4.5, 1.0), (-0.5, false));
        assert_eq!(fold_at(1.0, 0.0), (0.0, true));
    }

    #[test]
    fn whatever_is_folded_is_inside() {
        let room = Room { center: Vec3::new(1.0, -2.0, 0.1), half_extents: Vec3::new(2.0, 3.0, 0.7) };
        for step in 0..1000 {
            let way = Vec3::new(0.37, -1.91, 5.3) * f64::from(step);
            let (mut middle, mut velocity) = (room.center + way, way);
            room.fold(&mut middle, &mut velocity, 0.5);
            assert!(room.nearest(middle, 0.5) == middle, "{way}: {middle}");
            assert_eq!(velocity.abs(), way.abs());
        }
    }
}
