//! Compounds from bodies, and their parts as bodies.

use super::body::Body;
use super::compound::{Compound, Leaf};
use super::error::ShapeError;
use crate::math::Pose;

impl Compound {
    /// A body of parts, each with its pose; compounds among them are taken apart.
    ///
    /// # Errors
    /// If there are no parts, or a part is neither convex, a mesh nor a compound.
    pub fn new(parts: impl IntoIterator<Item = (Body, Pose)>) -> Result<Self, ShapeError> {
        let mut leaves = Vec::new();
        for (index, (body, pose)) in parts.into_iter().enumerate() {
            match body {
                Body::Convex(shape) => leaves.push((Leaf::Convex(shape), pose)),
                Body::Mesh(mesh) => leaves.push((Leaf::Mesh(mesh), pose)),
                Body::Compound(inner) => {
                    leaves.extend(inner.parts.iter().map(|(leaf, own)| (leaf.clone(), pose.compose(own))));
                }
                _ => return Err(ShapeError::Part { index }),
            }
        }
        if leaves.is_empty() {
            return Err(ShapeError::NoParts);
        }
        Ok(Self::of_leaves(leaves))
    }

    /// A part as a body, and its pose.
    pub fn part(&self, part: u32) -> Option<(Body, Pose)> {
        self.parts.get(part as usize).map(|(leaf, pose)| {
            let body = match leaf {
                Leaf::Convex(shape) => Body::Convex(shape.clone()),
                Leaf::Mesh(mesh) => Body::Mesh(mesh.clone()),
            };
            (body, *pose)
        })
    }
}
