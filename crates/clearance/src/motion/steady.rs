//! Motions with a constant angular velocity, over the time from 0 to 1.
//!
//! A body's origin moves straight while the body turns about it at a constant rate; or the whole body follows the one screw that
//! takes it from its first pose to its last; or it turns about a fixed axis. Each knows its pose at any time, and a bound on how fast
//! any of its points moves along a direction at any time: what conservative advancement needs.
//!
//! Steady motions are kept in f64 in both builds; a pose is rounded once, when it is asked for. A screw is kept by the chord of its arc and
//! not by its axis, which for a small turn is far away.

use glam::{DMat3, DQuat, DVec3};

use super::error::MotionError;
use crate::math::{Mat3, Pose, Quat, Real, Vec3, narrow_real, unit_or, widen, widen_real};
use crate::tolerance::STRAIGHT_SCREW;

/// A motion with a constant angular velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Steady {
    start: Pose,
    way: Way,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The origin moves straight, the body turns about it; both per unit of time.
    Straight { linear: DVec3, angular: DVec3 },
    /// A turn about an axis and a slide along it; the chord is what the turn moves the origin by, across the axis.
    Screw { axis: DVec3, chord: DVec3, angle: f64, slide: f64 },
    /// A turn of any size about an axis through a point; the arm goes from the axis to the body's origin.
    Turn { axis: DVec3, origin: DVec3, arm: DVec3, angle: f64 },
}

/// A motion that casts by trajectories follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Simple {
    Translation(DVec3),
    Rotation { origin: DVec3, axis: DVec3, angle: f64 },
}

/// Where a moving frame is at a time and how it moves there, in f64 and world space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instant {
    pub rotation: DMat3,
    pub origin: DVec3,
    /// The velocity of the origin.
    pub velocity: DVec3,
}

impl Steady {
    /// No motion.
    pub fn still(pose: Pose) -> Self {
        Self { start: pose, way: Way::Straight { linear: DVec3::ZERO, angular: DVec3::ZERO } }
    }

    /// What a cast by trajectories follows, if this is one of its motions.
    pub fn simple(&self) -> Option<Simple> {
        match self.way {
            Way::Straight { linear, angular } if angular == DVec3::ZERO => Some(Simple::Translation(linear)),
            Way::Turn { axis, origin, angle, .. } => Some(Simple::Rotation { origin, axis, angle }),
            _ => None,
        }
    }

    /// The same motion up to a share of its time.
    pub fn cut(&self, share: f64) -> Self {
        let way = match self.way {
            Way::Straight { linear, angular } => Way::Straight { linear: linear * share, angular: angular * share },
            Way::Turn { axis, arm, angle, origin } => Way::Turn { axis, arm, angle: angle * share, origin },
            way @ Way::Screw { .. } => way,
        };
        Self { way, ..*self }
    }

    /// The origin moves with the linear velocity, and the body turns about it with the angular one (an axis of the world, with
    /// the angle per unit of time as its length).
    pub fn with_velocity(start: Pose, linear: impl Into<Vec3>, angular: impl Into<Vec3>) -> Result<Self, MotionError> {
        let (linear, angular) = (linear.into(), angular.into());
        for (name, velocity) in [("linear", linear), ("angular", angular)] {
            for (axis, value) in ['x', 'y', 'z'].into_iter().zip(velocity.to_array()) {
                if !value.is_finite() {
                    return Err(MotionError::Velocity { name, axis, value });
                }
            }
        }
        Pose::from_translation(start.translation() + linear)?;
        Ok(Self { start, way: Way::Straight { linear: widen(linear), angular: widen(angular) } })
    }

    /// The constant screw from one pose to the other, by the shorter turn. Without a turn, the straight line.
    pub fn between(start: Pose, end: Pose) -> Self {
        let linear = widen(end.translation()) - widen(start.translation());
        let turn = wide_quat(&end) * wide_quat(&start).conjugate();
        // The shorter way round: of the two quaternions of a rotation the one with a positive real part.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let half = DVec3::new(turn.x, turn.y, turn.z);
        let sine = half.length();
        if !(sine > widen_real(STRAIGHT_SCREW)) {
            return Self { start, way: Way::Straight { linear, angular: half * 2.0 } };
        }
        let axis = half / sine;
        let slide = linear.dot(axis);
        let angle = 2.0 * sine.atan2(turn.w);
        Self { start, way: Way::Screw { axis, chord: linear - axis * slide, angle, slide } }
    }

    /// A turn by an angle of any size, right-handed, about an axis of the world through a point.
    pub fn rotation(
        start: Pose,
        origin: impl Into<Vec3>,
        axis: impl Into<Vec3>,
        angle: Real,
    ) -> Result<Self, MotionError> {
        let (origin, axis) = (origin.into(), axis.into());
        let unit = unit_or(axis, Vec3::ZERO);
        if unit == Vec3::ZERO || !(axis.is_finite() && angle.is_finite()) {
            return Err(MotionError::Axis { axis, angle });
        }
        Pose::from_translation(origin)?;
        let (axis, from) = (widen(unit).normalize(), widen(start.translation()) - widen(origin));
        let arm = from - axis * axis.dot(from);
        Pose::from_translation(crate::math::narrow(widen(origin) + arm * 2.0))?;
        Ok(Self { start, way: Way::Turn { axis, origin: widen(origin), arm, angle: widen_real(angle) } })
    }

    /// The pose at time 0.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// The pose at a time.
    pub fn pose(&self, time: Real) -> Pose {
        if time == 0.0 {
            return self.start;
        }
        self.pose_at(widen_real(time))
    }

    /// The pose at a time in f64.
    pub(crate) fn pose_at(&self, time: f64) -> Pose {
        let place = crate::math::narrow(widen(self.start.translation()) + self.displacement(time));
        let omega = self.omega();
        if omega == DVec3::ZERO {
            return self.start.moved_to(place);
        }
        let turned = DQuat::from_scaled_axis(omega * time) * wide_quat(&self.start);
        Pose::IDENTITY.turned(Quat::from_array(turned.to_array().map(narrow_real)), place)
    }

    /// How far the origin has moved at a time.
    fn displacement(&self, time: f64) -> DVec3 {
        match self.way {
            Way::Straight { linear, .. } => linear * time,
            // On an arc that is seen from its centre under the angle, and at this time under φ.
            Way::Screw { axis, chord, angle, slide } => {
                let (half, left) = (0.5 * angle * time, 0.5 * angle * (1.0 - time));
                let share = half.sin() / (0.5 * angle).sin();
                (chord * left.cos() - axis.cross(chord) * left.sin()) * share + axis * (slide * time)
            }
            Way::Turn { axis, arm, angle, .. } => {
                let half = (0.5 * angle * time).sin();
                axis.cross(arm) * (angle * time).sin() - arm * (2.0 * half * half)
            }
        }
    }

    /// The velocity of the origin at a time.
    fn velocity(&self, time: f64) -> DVec3 {
        match self.way {
            Way::Straight { linear, .. } => linear,
            Way::Screw { axis, chord, angle, slide } => {
                let turn = angle * (time - 0.5);
                let speed = 0.5 * angle / (0.5 * angle).sin();
                (chord * turn.cos() + axis.cross(chord) * turn.sin()) * speed + axis * slide
            }
            Way::Turn { axis, arm, angle, .. } => {
                let turn = angle * time;
                (axis.cross(arm) * turn.cos() - arm * turn.sin()) * angle
            }
        }
    }

    /// Where the body's frame is at a time, and how it moves.
    pub(crate) fn at(&self, time: f64) -> Instant {
        let start = wide_matrix(self.start.matrix());
        let omega = self.omega();
        let turn = if omega == DVec3::ZERO { start } else { turn_by(omega * time) * start };
        Instant {
            rotation: turn,
            origin: widen(self.start.translation()) + self.displacement(time),
            velocity: self.velocity(time),
        }
    }

    /// The angular velocity: the same at all times.
    pub(crate) fn omega(&self) -> DVec3 {
        match self.way {
            Way::Straight { angular, .. } => angular,
            Way::Screw { axis, angle, .. } | Way::Turn { axis, angle, .. } => axis * angle,
        }
    }

    /// A centre, a linear and an angular velocity: at time t a point x of the body at its start is at
    /// `centre + t · linear + R(t · angular)(x − centre)`. The centre of a screw is on its axis, to rounding.
    pub(crate) fn about(&self) -> [DVec3; 3] {
        let start = widen(self.start.translation());
        match self.way {
            Way::Straight { linear, angular } => [start, linear, angular],
            Way::Screw { axis, chord, angle, slide } => {
                let across = axis.cross(chord) / (2.0 * (0.5 * angle).tan());
                [start + chord * 0.5 + across, axis * slide, axis * angle]
            }
            Way::Turn { axis, origin, angle, .. } => [origin, DVec3::ZERO, axis * angle],
        }
    }

    /// The speed of the origin across the axis that it turns about; zero if it moves straight.
    pub(crate) fn drift(&self) -> f64 {
        match self.way {
            Way::Straight { .. } => 0.0,
            Way::Screw { chord, angle, .. } => chord.length() * (0.5 * angle / (0.5 * angle).sin()),
            Way::Turn { arm, angle, .. } => arm.length() * angle.abs(),
        }
    }

    /// How long the way of the origin is.
    pub(crate) fn length(&self) -> f64 {
        match self.way {
            Way::Straight { linear, .. } => linear.length(),
            Way::Screw { slide, .. } => self.drift() + slide.abs(),
            Way::Turn { .. } => self.drift(),
        }
    }

    /// The fastest that any point within `radius` of the body's origin ever moves along the unit direction.
    #[inline]
    pub fn speed_along(&self, direction: Vec3, radius: Real) -> Real {
        let (along, radius) = (widen(direction), widen_real(radius));
        narrow_real(match self.way {
            Way::Straight { linear, angular } => linear.dot(along) + angular.cross(along).length() * radius,
            Way::Screw { axis, angle, slide, .. } => {
                slide * axis.dot(along) + axis.cross(along).length() * (self.drift() + angle * radius)
            }
            Way::Turn { axis, angle, .. } => axis.cross(along).length() * (self.drift() + angle.abs() * radius),
        })
    }

    /// The fastest that any such point ever moves.
    pub fn speed(&self, radius: Real) -> Real {
        let radius = widen_real(radius);
        narrow_real(match self.way {
            Way::Straight { linear, angular } => linear.length() + angular.length() * radius,
            Way::Screw { angle, slide, .. } => (self.drift() + angle * radius).hypot(slide),
            Way::Turn { angle, .. } => self.drift() + angle.abs() * radius,
        })
    }
}

pub(crate) fn wide_matrix(m: Mat3) -> DMat3 {
    DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis))
}

fn wide_quat(pose: &Pose) -> DQuat {
    DQuat::from_array(pose.rotation().to_array().map(widen_real))
}

fn turn_by(scaled_axis: DVec3) -> DMat3 {
    DMat3::from_quat(DQuat::from_scaled_axis(scaled_axis))
}
