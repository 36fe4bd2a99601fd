//! The gradient of the distance of a pair by the values of a configuration: how its nearest points move along the normal.

use clearance::{Quat, Vec3};

use crate::answer::Near;
use crate::chain::{BASE, Chain, Movement, Placed, product};
use crate::workcell::Workcell;

/// The derivative of the distance by each value. Of a quaternion's components it is that of the rotation that it stands for when brought to
/// unit length.
pub fn gradient(cell: &Workcell, q: &[f64], frames: &[Placed], near: &Near) -> Box<[f64]> {
    let mut all = vec![0.0; cell.robot.dof()].into_boxed_slice();
    for (owner, point, along) in
        [(near.pair[0], near.points[0], -near.normal), (near.pair[1], near.points[1], near.normal)]
    {
        if let Some(frame) = cell.frame_of(owner) {
            add(&cell.robot.chain, q, &cell.base, frames, frame, point, along, &mut all);
        }
    }
    all
}

/// Adds how a point of a frame moves along a direction, by each value that the frame depends on.
#[allow(clippy::too_many_arguments, reason = "plain data of one loop")]
fn add(
    chain: &Chain,
    q: &[f64],
    base: &Placed,
    frames: &[Placed],
    frame: u32,
    point: Vec3,
    along: Vec3,
    all: &mut [f64],
) {
    let mut at = frame;
    while at != BASE {
        let joint = &chain.frames[at as usize];
        let placed = &frames[at as usize];
        let parent = chain.at(joint.parent, base, frames);
        let turning = |axis: Vec3| along.dot(axis.cross(point - placed.t));
        match &joint.movement {
            Movement::Turn { axis, .. } => all[joint.variable] += joint.multiplier * turning(placed.m * *axis),
            Movement::Slide { along: slide } => {
                all[joint.variable] += joint.multiplier * along.dot(parent.m * *slide);
            }
            Movement::Planar { axes } => {
                let frame = parent.then(joint.rotation, joint.translation);
                all[joint.variable] += along.dot(frame.m * axes.x_axis);
                all[joint.variable + 1] += along.dot(frame.m * axes.y_axis);
                all[joint.variable + 2] += turning(placed.m * axes.z_axis);
            }
            Movement::Free => {
                let frame = parent.then(joint.rotation, joint.translation);
                for (axis, unit) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                    all[joint.variable + axis] += along.dot(frame.m * unit);
                }
                let v = &q[joint.variable + 3..joint.variable + 7];
                let back = Quat::from_xyzw(-v[0], -v[1], -v[2], v[3]);
                for component in 0..4 {
                    let mut unit = [0.0; 4];
                    unit[component] = 1.0;
                    // The angular velocity of a quaternion that changes by dq is twice the vector part of dq times its inverse.
                    let turn = product(Quat::from_array(unit), back);
                    all[joint.variable + 3 + component] += turning(frame.m * (Vec3::new(turn.x, turn.y, turn.z) * 2.0));
                }
            }
        }
        at = joint.parent;
    }
}
