//! Up to four contact points of two bodies as soft constraints with friction.

use clearance::{Real, Vec3};

use super::motion::Displacement;
use super::softness::Softness;
use crate::body::{Inertial, Velocity};
use crate::contact::Touch;

/// The most points of one constraint; pairs with more have several.
pub(crate) const POINTS: usize = 4;

/// What the points of a constraint have in common in one pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pass {
    /// Whether overlaps are taken back; not when a pass relaxes.
    pub use_bias: bool,
    pub per_second: Real,
    pub push_speed: Real,
}

/// One contact point.
#[derive(Debug, Clone, Copy)]
struct Row {
    anchors: [Vec3; 2],
    normal: Vec3,
    tangents: [Vec3; 2],
    /// Before the step, and where the bodies are now.
    distance: Real,
    now: Real,
    normal_mass: Real,
    /// The inverse of the 2 × 2 matrix of the tangents: first diagonal, off diagonal, second diagonal.
    friction_mass: [Real; 3],
    /// The least mass along any tangent.
    sliding_mass: Real,
    impulse: Real,
    friction: [Real; 2],
    /// The largest impulse of a sub-step: whether the point has been hit.
    most: Real,
    /// The speed along the normal before the step; negative if the bodies approach.
    approach: Real,
}

/// Up to four contact points of two bodies.
#[derive(Debug, Clone)]
pub(crate) struct ContactConstraint {
    pub bodies: [u32; 2],
    /// Its first point in the table of contacts.
    first: u32,
    count: u32,
    friction: Real,
    restitution: Real,
    softness: Softness,
    twist: Twist,
    rows: [Row; POINTS],
    /// The velocities that a thread leaves the bodies with, until they are stored.
    #[cfg(feature = "parallel")]
    pub result: [Velocity; 2],
}

/// What a constraint is made of beside its points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    pub friction: Real,
    pub restitution: Real,
    pub softness: Softness,
    /// The radius of the patch in which the bodies touch; zero if their points resist a twist.
    pub patch: Real,
}

/// Friction of a patch against a spin about its normal: the first point's.
#[derive(Debug, Clone, Copy)]
struct Twist {
    patch: Real,
    mass: Real,
    impulse: Real,
}

impl ContactConstraint {
    /// The constraint of some points, of which the first has this number in the table.
    pub fn new(
        bodies: [u32; 2],
        centers: [Vec3; 2],
        points: &[Touch],
        first: u32,
        surface: &Surface,
        velocities: [&Velocity; 2],
        inertials: [&Inertial; 2],
    ) -> Self {
        let mut rows = [Row::EMPTY; POINTS];
        for (row, touch) in rows.iter_mut().zip(points) {
            *row = Row::new(touch, centers, inertials);
            row.approach = row.normal.dot(row.slip(velocities[0], velocities[1]));
        }
        Self {
            bodies,
            first,
            count: points.len().min(POINTS) as u32,
            friction: surface.friction,
            restitution: surface.restitution,
            softness: surface.softness,
            twist: Twist::new(surface.patch, rows[0].normal, inertials),
            rows,
            #[cfg(feature = "parallel")]
            result: [Velocity::default(); 2],
        }
    }

    fn rows(&mut self) -> &mut [Row] {
        &mut self.rows[..self.count as usize]
    }

    /// Applies the impulses of the last sub-step again.
    pub fn warm_start(&mut self, velocities: &mut [Velocity; 2], inertials: [&Inertial; 2]) {
        for row in self.rows() {
            let impulse =
                row.normal * row.impulse + row.tangents[0] * row.friction[0] + row.tangents[1] * row.friction[1];
            row.push(velocities, inertials, impulse);
        }
        if self.twist.impulse != 0.0 {
            twist(velocities, inertials, self.rows[0].normal * self.twist.impulse);
        }
    }

    /// One iteration: friction first, so that the more important normals have the last word.
    pub fn solve(
        &mut self,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        displacements: [&Displacement; 2],
        pass: &Pass,
    ) {
        let (friction, softness) = (self.friction, self.softness);
        for row in self.rows() {
            row.solve_friction(velocities, inertials, friction);
        }
        self.twist.solve(&self.rows[0], velocities, inertials, friction);
        for row in self.rows() {
            row.solve_normal(velocities, inertials, displacements, &softness, pass);
        }
    }

    /// Whether any of its points may bounce.
    pub fn can_bounce(&self) -> bool {
        self.restitution > 0.0
    }

    /// Lets the points that have been hit faster than `least` bounce.
    pub fn bounce(&mut self, velocities: &mut [Velocity; 2], inertials: [&Inertial; 2], least: Real) {
        let restitution = self.restitution;
        for row in self.rows() {
            if row.approach > -least || row.most == 0.0 {
                continue;
            }
            let speed = row.normal.dot(row.slip(&velocities[0], &velocities[1]));
            let wanted = (row.impulse - row.normal_mass * (speed + restitution * row.approach)).max(0.0);
            let impulse = row.normal * (wanted - row.impulse);
            row.impulse = wanted;
            row.push(velocities, inertials, impulse);
        }
    }

    /// Writes its impulses into the table of contacts.
    pub fn store(&self, points: &mut [Touch]) {
        let own = &mut points[self.first as usize..(self.first + self.count) as usize];
        for (touch, row) in own.iter_mut().zip(&self.rows) {
            touch.impulse = row.impulse;
            touch.friction = row.tangents[0] * row.friction[0] + row.tangents[1] * row.friction[1];
        }
    }
}

impl Twist {
    fn new(patch: Real, normal: Vec3, [a, b]: [&Inertial; 2]) -> Self {
        let inverse = normal.dot((a.inverse_inertia + b.inverse_inertia) * normal);
        Self { patch, mass: if inverse > 0.0 { 1.0 / inverse } else { 0.0 }, impulse: 0.0 }
    }

    #[inline]
    fn solve(&mut self, row: &Row, velocities: &mut [Velocity; 2], inertials: [&Inertial; 2], coefficient: Real) {
        let most = coefficient * self.patch * row.impulse;
        if most == 0.0 && self.impulse == 0.0 {
            return;
        }
        let spin = row.normal.dot(velocities[1].angular - velocities[0].angular);
        // Not `clamp`, which panics where numbers have left their range: such bodies are held after the step.
        let wanted = (self.impulse - self.mass * spin).max(-most).min(most);
        let change = wanted - self.impulse;
        self.impulse = wanted;
        twist(velocities, inertials, row.normal * change);
    }
}

/// Turns both bodies against each other.
#[inline]
fn twist(velocities: &mut [Velocity; 2], inertials: [&Inertial; 2], impulse: Vec3) {
    velocities[0].angular -= inertials[0].inverse_inertia * impulse;
    velocities[1].angular += inertials[1].inverse_inertia * impulse;
}

impl Row {
    const EMPTY: Self = Self {
        anchors: [Vec3::ZERO; 2],
        normal: Vec3::ZERO,
        tangents: [Vec3::ZERO; 2],
        distance: 0.0,
        now: 0.0,
        normal_mass: 0.0,
        friction_mass: [0.0; 3],
        sliding_mass: 0.0,
        impulse: 0.0,
        friction: [0.0; 2],
        most: 0.0,
        approach: 0.0,
    };

    fn new(touch: &Touch, centers: [Vec3; 2], [a, b]: [&Inertial; 2]) -> Self {
        let anchors = centers.map(|center| touch.point - center);
        let normal = touch.normal;
        let across = normal.any_orthonormal_vector();
        let tangents = [across, normal.cross(across)];
        let inverse = a.inverse_along(anchors[0], normal) + b.inverse_along(anchors[1], normal);
        let response = |along: Vec3| {
            let turn = |body: &Inertial, anchor: Vec3| (body.inverse_inertia * anchor.cross(along)).cross(anchor);
            along * (a.inverse_mass + b.inverse_mass) + turn(a, anchors[0]) + turn(b, anchors[1])
        };
        let [first, second] = tangents.map(response);
        let (k11, k12, k22) = (tangents[0].dot(first), tangents[0].dot(second), tangents[1].dot(second));
        let determinant = k11 * k22 - k12 * k12;
        let friction_mass =
            if determinant > 0.0 { [k22 / determinant, -k12 / determinant, k11 / determinant] } else { [0.0; 3] };
        let largest = 0.5 * (k11 + k22 + ((k11 - k22) * (k11 - k22) + 4.0 * k12 * k12).sqrt());
        Self {
            anchors,
            normal,
            tangents,
            distance: touch.distance,
            now: touch.distance,
            normal_mass: if inverse > 0.0 { 1.0 / inverse } else { 0.0 },
            friction_mass,
            sliding_mass: if largest > 0.0 { 1.0 / largest } else { 0.0 },
            impulse: touch.impulse,
            friction: tangents.map(|tangent| tangent.dot(touch.friction)),
            most: 0.0,
            approach: 0.0,
        }
    }

    /// The velocity of the second body against the first.
    #[inline]
    fn slip(&self, a: &Velocity, b: &Velocity) -> Vec3 {
        b.at(self.anchors[1]) - a.at(self.anchors[0])
    }

    #[inline]
    fn push(&self, velocities: &mut [Velocity; 2], inertials: [&Inertial; 2], impulse: Vec3) {
        velocities[0].push(inertials[0], self.anchors[0], -impulse);
        velocities[1].push(inertials[1], self.anchors[1], impulse);
    }

    /// Both tangents together, held within a circular cone.
    #[inline]
    fn solve_friction(&mut self, velocities: &mut [Velocity; 2], inertials: [&Inertial; 2], coefficient: Real) {
        let most = coefficient * self.impulse;
        if most == 0.0 && self.friction == [0.0; 2] {
            return;
        }
        let slip = self.slip(&velocities[0], &velocities[1]);
        let [u, v] = self.tangents.map(|tangent| tangent.dot(slip));
        let [m11, m12, m22] = self.friction_mass;
        let before = self.friction;
        let mut next = [before[0] - (m11 * u + m12 * v), before[1] - (m12 * u + m22 * v)];
        let length = |[x, y]: [Real; 2]| (x * x + y * y).sqrt();
        if length(next) > most {
            // It slides: friction is against the slip, which the matrix would turn aside.
            next = [before[0] - self.sliding_mass * u, before[1] - self.sliding_mass * v];
            let scale = (most / length(next)).min(1.0);
            next = next.map(|component| component * scale);
        }
        self.friction = next;
        let impulse = self.tangents[0] * (next[0] - before[0]) + self.tangents[1] * (next[1] - before[1]);
        self.push(velocities, inertials, impulse);
    }

    #[inline]
    fn solve_normal(
        &mut self,
        velocities: &mut [Velocity; 2],
        inertials: [&Inertial; 2],
        displacements: [&Displacement; 2],
        softness: &Softness,
        pass: &Pass,
    ) {
        if !pass.use_bias {
            // The bodies have moved since the last pass; before the next one with bias they do not.
            let moved = displacements[1].of(self.anchors[1]) - displacements[0].of(self.anchors[0]);
            self.now = self.distance + self.normal.dot(moved);
        }
        let distance = self.now;
        let (mut bias, mut mass_scale, mut given_back) = (0.0, 1.0, 0.0);
        if distance > 0.0 {
            bias = distance * pass.per_second;
        } else if pass.use_bias {
            bias = (softness.bias_rate * distance).max(-pass.push_speed);
            mass_scale = softness.mass_scale;
            given_back = softness.impulse_scale * self.impulse;
        }
        let speed = self.normal.dot(self.slip(&velocities[0], &velocities[1]));
        let wanted = (self.impulse - self.normal_mass * mass_scale * (speed + bias) - given_back).max(0.0);
        let change = wanted - self.impulse;
        self.impulse = wanted;
        self.most = self.most.max(wanted);
        self.push(velocities, inertials, self.normal * change);
    }
}
