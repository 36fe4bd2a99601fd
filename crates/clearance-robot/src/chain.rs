//! The moving frames of a robot: what is left of its tree when fixed joints are united with what they hang on.

use clearance::{Mat3, Pose, Quat, Vec3};

use crate::tolerance::{ANGLE_ERROR, FRAME_ERROR, UNIT_ROUNDOFF};

/// No frame: the base of the robot.
pub const BASE: u32 = u32::MAX;

/// How a frame moves against its parent.
#[derive(Debug, Clone, Copy)]
pub enum Movement {
    /// It turns: its quaternion is `cos · origin + sin · turned` of half the value, with `turned` = origin times axis.
    Turn { axis: Vec3, turned: Quat },
    /// It slides along a direction of the parent's frame.
    Slide { along: Vec3 },
    /// A pose of seven values.
    Free,
    /// It slides along the first two and turns about the third of these axes of its own frame.
    Planar { axes: Mat3 },
}

/// A frame that moves with one joint.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The frame that it hangs on, which is before it in the chain; or [`BASE`].
    pub parent: u32,
    /// Where it is in its parent's frame when its values are zero.
    pub rotation: Quat,
    pub translation: Vec3,
    pub movement: Movement,
    /// Its first value in a configuration.
    pub variable: usize,
    /// Factor and offset of a mimic joint.
    pub multiplier: f64,
    pub offset: f64,
}

/// A frame, a link or a body in its place: a unit quaternion and its matrix, and a translation.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    pub q: Quat,
    pub m: Mat3,
    pub t: Vec3,
}

impl Placed {
    pub const IDENTITY: Self = Self { q: Quat::IDENTITY, m: Mat3::IDENTITY, t: Vec3::ZERO };

    pub fn of(pose: &Pose) -> Self {
        Self { q: pose.rotation(), m: pose.matrix(), t: pose.translation() }
    }

    /// A pose of the library. The numbers are finite and far below its limits, which the checks of input see to.
    pub fn pose(&self) -> Pose {
        Pose::new(self.t, self.q.to_array()).unwrap_or_default()
    }

    /// The place of what is at `rotation`, `translation` in this frame.
    #[inline]
    pub fn then(&self, rotation: Quat, translation: Vec3) -> Self {
        let q = product(self.q, rotation);
        Self { q, m: matrix(q), t: self.t + self.m * translation }
    }

    /// A world direction in this frame.
    #[inline]
    pub fn to_local(self, direction: Vec3) -> Vec3 {
        Vec3::new(self.m.x_axis.dot(direction), self.m.y_axis.dot(direction), self.m.z_axis.dot(direction))
    }
}

/// The frames in an order in which parents come first, and the links on them.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    pub frames: Vec<Frame>,
    /// For each link the frame that it moves with, and its pose there.
    pub links: Vec<(u32, Pose)>,
    /// Frames on the longest way from the base to a link.
    pub depth: usize,
    /// The sum of the lengths of all offsets: no frame is farther from the base, but for values that are lengths.
    pub reach: f64,
    /// The sum of the offsets of mimic joints, and the largest of their factors, at least one.
    pub offsets: f64,
    pub most_multiplied: f64,
}

impl Chain {
    /// Places the frames for a configuration.
    #[inline]
    pub fn place(&self, q: &[f64], base: &Placed, out: &mut Vec<Placed>) {
        out.clear();
        for frame in &self.frames {
            let (rotation, translation) = frame.local(q);
            let parent = if frame.parent == BASE { base } else { &out[frame.parent as usize] };
            let placed = parent.then(rotation, translation);
            out.push(placed);
        }
    }

    /// A bound on how far a point of the robot that is `size` from its frame may be off its exact place, by rounding.
    pub fn error(&self, q: &[f64], base: &Placed, size: f64) -> f64 {
        let values = self.offsets + self.most_multiplied * q.iter().map(|value| value.abs()).sum::<f64>();
        let factor = FRAME_ERROR * (self.depth + 2) as f64 + ANGLE_ERROR * values;
        let lengths = self.reach + size + values + base.t.abs().element_sum();
        UNIT_ROUNDOFF * factor * lengths
    }

    /// The frame of a link in its place.
    #[inline]
    pub fn at<'p>(&self, frame: u32, base: &'p Placed, placed: &'p [Placed]) -> &'p Placed {
        if frame == BASE { base } else { &placed[frame as usize] }
    }
}

impl Frame {
    /// The value of a frame with one.
    #[inline]
    pub fn value(&self, q: &[f64]) -> f64 {
        self.multiplier * q[self.variable] + self.offset
    }

    /// Rotation and translation in the parent's frame.
    #[inline]
    fn local(&self, q: &[f64]) -> (Quat, Vec3) {
        match &self.movement {
            Movement::Turn { turned, .. } => {
                let (sin, cos) = libm::sincos(0.5 * self.value(q));
                (self.rotation * cos + *turned * sin, self.translation)
            }
            Movement::Slide { along } => (self.rotation, self.translation + *along * self.value(q)),
            Movement::Free => {
                let v = &q[self.variable..];
                let turn = Quat::from_xyzw(v[3], v[4], v[5], v[6]).normalize();
                (product(self.rotation, turn), self.translation + self.rotation * Vec3::new(v[0], v[1], v[2]))
            }
            Movement::Planar { axes } => {
                let v = &q[self.variable..];
                let along = axes.x_axis * v[0] + axes.y_axis * v[1];
                let turn = turn(axes.z_axis, v[2]);
                (product(self.rotation, turn), self.translation + self.rotation * along)
            }
        }
    }
}

/// A rotation about a unit axis. Sines are those of `libm` everywhere: the system's may differ between processors by the last bit.
pub fn turn(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The product of two quaternions in plain arithmetic, the same bits on every machine.
#[inline]
pub fn product(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// The matrix of a quaternion that is of unit length to rounding.
#[inline]
pub fn matrix(q: Quat) -> Mat3 {
    Mat3::from_quat(q)
}

/// Two unit vectors across an axis and the axis; x and y for the z axis.
pub fn plane_axes(axis: Vec3) -> Mat3 {
    let x = if axis.z.abs() > 0.9 { Vec3::X } else { Vec3::Z.cross(axis) };
    let x = (x - axis * axis.dot(x)).normalize();
    Mat3::from_cols(x, axis.cross(x), axis)
}
