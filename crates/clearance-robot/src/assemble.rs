//! From the tree of a URDF to moving frames: fixed and held joints are united with what they hang on.

use clearance::{Pose, Vec3};

use crate::chain::{BASE, Chain, Frame, Movement, plane_axes, product, turn};
use crate::error::RobotError;
use crate::read::{JointDescription, JointKind, Mimic, Tree, Urdf, resolved_mimic};
use crate::robot::Joint;

/// The chain, the joints with values in configurations, and how many values these have.
pub fn assemble(
    urdf: &Urdf,
    tree: &Tree,
    locked: &[(usize, Vec<f64>)],
) -> Result<(Chain, Vec<Joint>, usize), RobotError> {
    let held = |at: usize| locked.iter().find(|(joint, _)| *joint == at).map(|(_, values)| values.as_slice());
    let (mut joints, mut dof) = (Vec::new(), 0);
    let mut first_value = vec![0; urdf.joints.len()];
    for (at, joint) in urdf.joints.iter().enumerate() {
        let count = joint.kind.value_count();
        if count > 0 && joint.mimic.is_none() && held(at).is_none() {
            first_value[at] = dof;
            joints.push(Joint { name: joint.name.clone(), kind: joint.kind, first_value: dof, limits: joint.limits });
            dof += count;
        }
    }
    let mut chain =
        Chain { links: vec![(BASE, Pose::IDENTITY); urdf.links.len()], most_multiplied: 1.0, ..Chain::default() };
    let mut depths: Vec<usize> = Vec::new();
    for &at in &tree.order {
        let joint = &urdf.joints[at];
        let (parent, offset) = chain.links[joint.parent];
        let origin = offset.compose(&joint.origin);
        let mimic = resolved_mimic(urdf, at)?;
        let Mimic { joint: model, multiplier, offset: added } =
            mimic.unwrap_or(Mimic { joint: at, multiplier: 1.0, offset: 0.0 });
        if let Some(values) = held(model) {
            let values: Vec<f64> = if mimic.is_some() { vec![multiplier * values[0] + added] } else { values.to_vec() };
            chain.links[joint.child] = (parent, origin.compose(&moved(joint, &values)?));
        } else if let Some(movement) = movement(joint, &origin) {
            let frame = Frame {
                parent,
                rotation: origin.rotation(),
                translation: origin.translation(),
                movement,
                variable: first_value[model],
                multiplier,
                offset: added,
            };
            depths.push(1 + if parent == BASE { 0 } else { depths[parent as usize] });
            chain.reach += frame.translation.length();
            chain.offsets += frame.offset.abs();
            chain.most_multiplied = chain.most_multiplied.max(frame.multiplier.abs());
            chain.links[joint.child] = (chain.frames.len() as u32, Pose::IDENTITY);
            chain.frames.push(frame);
        } else {
            chain.links[joint.child] = (parent, origin);
        }
    }
    chain.reach += chain.links.iter().fold(0.0, |most: f64, (_, offset)| most.max(offset.translation().length()));
    chain.depth = depths.iter().copied().max().unwrap_or(0);
    Ok((chain, joints, dof))
}

/// How a joint moves; nothing for fixed ones.
fn movement(joint: &JointDescription, origin: &Pose) -> Option<Movement> {
    let axis = joint.axis;
    Some(match joint.kind {
        JointKind::Fixed => return None,
        JointKind::Revolute | JointKind::Continuous => {
            let pure = clearance::Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
            Movement::Turn { axis, turned: product(origin.rotation(), pure) }
        }
        JointKind::Prismatic => Movement::Slide { along: origin.direction(axis) },
        JointKind::Floating => Movement::Free,
        JointKind::Planar => Movement::Planar { axes: plane_axes(axis) },
    })
}

/// The pose that held values give a joint.
fn moved(joint: &JointDescription, values: &[f64]) -> Result<Pose, RobotError> {
    let error = |error: clearance::PoseError| RobotError {
        file: String::new(),
        line: joint.line,
        element: format!("joint '{}'", joint.name),
        fault: Box::new(error.into()),
    };
    let turn = |angle: f64| Pose::new(Vec3::ZERO, turn(joint.axis, angle).to_array()).map_err(error);
    let slide = |by: Vec3| Pose::from_translation(by).map_err(error);
    match (joint.kind, values) {
        (JointKind::Revolute | JointKind::Continuous, [angle]) => turn(*angle),
        (JointKind::Prismatic, [length]) => slide(joint.axis * *length),
        (JointKind::Planar, [x, y, angle]) => {
            let axes = plane_axes(joint.axis);
            turn(*angle)?.with_translation(axes.x_axis * *x + axes.y_axis * *y).map_err(error)
        }
        (JointKind::Floating, [x, y, z, qx, qy, qz, qw]) => {
            Pose::new(Vec3::new(*x, *y, *z), [*qx, *qy, *qz, *qw]).map_err(error)
        }
        _ => Ok(Pose::IDENTITY),
    }
}
