//! Impulses of bodies that meet on the way.

use clearance::{ContactPoint, Real, Vec3};

use super::contact::{awake, push_apart, relative};
use super::mass::Moving;
use super::room::Room;
use super::tolerance::WAKING;

impl Room {
    /// A collision of a body that moves with one that is in its way, with the normal from that to the first; says whether it changed
    /// anything: not if they do not approach there.
    pub(super) fn collide(&mut self, mover: usize, other: usize, hit: &ContactPoint) -> bool {
        let point = hit.points[0] + (hit.points[1] - hit.points[0]) * 0.5;
        let (bodies, normal) = ([other, mover], hit.normal);
        let coming = |moving: &[Option<Moving>]| -relative(moving, bodies, point).dot(normal);
        let mut speed = coming(&self.moving);
        for body in bodies {
            if let Some(Some(one)) = self.moving.get_mut(body) {
                one.has_met = true;
            }
        }
        if !(speed > 0.0) {
            return false;
        }
        if speed > WAKING * self.options.rest_speed
            && let Some(Some(one)) = self.moving.get_mut(other)
            && one.is_resting
        {
            (one.is_resting, one.slow) = (false, 0.0);
            speed = coming(&self.moving);
        }
        self.collisions += 1;
        let kinetic = |moving: &[Option<Moving>]| -> Real {
            bodies.iter().filter_map(|&body| awake(moving, body)).map(Moving::kinetic).sum()
        };
        let before = kinetic(&self.moving);
        let response = |axis: Vec3| -> Real {
            bodies.iter().filter_map(|&body| awake(&self.moving, body)).map(|one| one.response(axis, point)).sum()
        };
        let both = bodies.map(|body| self.moving.get(body).and_then(Option::as_ref));
        let restitution = both.iter().flatten().map(|one| one.restitution).fold(0.0, Real::max);
        let restitution = if speed > self.bounce { restitution } else { 0.0 };
        let friction = both.map(|one| one.map(|one| one.friction));
        let friction = match friction {
            [Some(a), Some(b)] => (a * b).sqrt(),
            [Some(one), None] | [None, Some(one)] => one,
            [None, None] => 0.0,
        };
        let push = (1.0 + restitution) * speed / response(normal);
        let sliding = relative(&self.moving, bodies, point) + normal * speed;
        let across = sliding.normalize_or_zero();
        let drag = if across == Vec3::ZERO { 0.0 } else { (sliding.length() / response(across)).min(friction * push) };
        if !push.is_finite() || !drag.is_finite() {
            return false;
        }
        push_apart(&mut self.moving, bodies, normal * push, point);
        // Friction and restitution together can add energy in rare cases; then there is no friction.
        push_apart(&mut self.moving, bodies, across * -drag, point);
        if kinetic(&self.moving) > before {
            push_apart(&mut self.moving, bodies, across * drag, point);
        }
        true
    }
}
