//! The links and joints of a description as a tree: one root, one parent joint for each other link, no cycles.

use super::urdf::{Mimic, Urdf};
use crate::error::{RobotError, RobotFault};

/// The order in which links are reached from the root.
#[derive(Debug, Clone)]
pub struct Tree {
    /// Joints, each after the one that its parent link hangs on; among children of a link in the order of the file.
    pub order: Vec<usize>,
}

impl Tree {
    /// The tree of a description.
    pub fn new(urdf: &Urdf) -> Result<Self, RobotError> {
        let parent_joint = parents(urdf)?;
        let roots: Vec<usize> = (0..urdf.links.len()).filter(|&link| parent_joint[link].is_none()).collect();
        let root = match roots[..] {
            [root] => root,
            [] => return Err(cycle(urdf, &parent_joint, 0)),
            _ => return Err(several_roots(urdf, &roots)),
        };
        let mut children = vec![Vec::new(); urdf.links.len()];
        for (at, joint) in urdf.joints.iter().enumerate().rev() {
            children[joint.parent].push(at);
        }
        let (mut order, mut open) = (Vec::with_capacity(urdf.joints.len()), children[root].clone());
        let mut reached = vec![false; urdf.links.len()];
        reached[root] = true;
        while let Some(joint) = open.pop() {
            let child = urdf.joints[joint].child;
            reached[child] = true;
            order.push(joint);
            open.extend_from_slice(&children[child]);
        }
        // A cycle apart from the root: every link of it has a parent, and none is reached.
        match reached.iter().position(|reached| !reached) {
            Some(link) => Err(cycle(urdf, &parent_joint, link)),
            None => Ok(Self { order }),
        }
    }
}

/// Checks that a description is a tree and that mimicry ends at joints with values of their own.
pub fn check(urdf: &Urdf) -> Result<(), RobotError> {
    Tree::new(urdf)?;
    for at in 0..urdf.joints.len() {
        resolved_mimic(urdf, at)?;
    }
    Ok(())
}

/// The joint with a value of its own that a joint follows, through other mimic joints, with factor and offset.
pub fn resolved_mimic(urdf: &Urdf, at: usize) -> Result<Option<Mimic>, RobotError> {
    let joint = &urdf.joints[at];
    let Some(mut mimic) = joint.mimic else { return Ok(None) };
    let error = |fault| RobotError {
        file: String::new(),
        line: joint.line,
        element: format!("joint '{}'", joint.name),
        fault: Box::new(fault),
    };
    let single = |index: usize| urdf.joints[index].kind.value_count() == 1;
    for _ in 0..=urdf.joints.len() {
        if let Some(wrong) = [at, mimic.joint].into_iter().find(|index| !single(*index)) {
            return Err(error(RobotFault::Mimic { name: urdf.joints[wrong].name.clone() }));
        }
        match urdf.joints[mimic.joint].mimic {
            None => return Ok(Some(mimic)),
            Some(next) => {
                mimic = Mimic {
                    joint: next.joint,
                    multiplier: mimic.multiplier * next.multiplier,
                    offset: mimic.multiplier * next.offset + mimic.offset,
                };
            }
        }
    }
    let path = format!("{} follows {}", joint.name, urdf.joints[mimic.joint].name);
    Err(error(RobotFault::Cycle { path }))
}

fn parents(urdf: &Urdf) -> Result<Vec<Option<usize>>, RobotError> {
    let mut parents: Vec<Option<usize>> = vec![None; urdf.links.len()];
    for (at, joint) in urdf.joints.iter().enumerate() {
        if let Some(first) = parents[joint.child].replace(at) {
            let (link, first) = (urdf.links[joint.child].name.clone(), urdf.joints[first].name.clone());
            let element = format!("joint '{}'", joint.name);
            let fault = RobotFault::TwoParents { link, first };
            return Err(RobotError { file: String::new(), line: joint.line, element, fault: Box::new(fault) });
        }
    }
    Ok(parents)
}

/// The cycle that following parents from a link leads into.
fn cycle(urdf: &Urdf, parents: &[Option<usize>], from: usize) -> RobotError {
    let up = |link: usize| parents[link].map_or(link, |joint| urdf.joints[joint].parent);
    // After as many steps as there are links, the walk is on the cycle.
    let start = (0..urdf.links.len()).fold(from, |link, _| up(link));
    let mut names = vec![urdf.links[start].name.as_str()];
    let mut link = up(start);
    while link != start {
        names.push(&urdf.links[link].name);
        link = up(link);
    }
    names.push(&urdf.links[start].name);
    let fault = RobotFault::Cycle { path: names.join(" → ") };
    let (line, element) = (urdf.links[start].line, format!("link '{}'", urdf.links[start].name));
    RobotError { file: String::new(), line, element, fault: Box::new(fault) }
}

fn several_roots(urdf: &Urdf, roots: &[usize]) -> RobotError {
    let mut names: Vec<String> = roots.iter().take(8).map(|&link| format!("'{}'", urdf.links[link].name)).collect();
    if roots.len() > names.len() {
        names.push("…".to_owned());
    }
    let fault = RobotFault::SeveralRoots { names: names.join(", ") };
    let second = &urdf.links[roots[1]];
    RobotError {
        file: String::new(),
        line: second.line,
        element: format!("link '{}'", second.name),
        fault: Box::new(fault),
    }
}
