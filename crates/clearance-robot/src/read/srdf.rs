//! SRDF: pairs of links that need not be checked, groups, named states, passive joints. End effectors and virtual joints are passed over.

use roxmltree::Node;

use super::urdf::Urdf;
use super::xml::{children, document, fault, required, required_number};
use crate::error::{RobotError, RobotFault};

/// What an SRDF says about a robot. Names of links and joints are those of the URDF.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Srdf {
    /// Pairs of links whose contact is allowed (`disable_collisions`).
    pub disabled: Vec<[String; 2]>,
    /// The groups in the order of the file, with their subgroups resolved.
    pub groups: Vec<Group>,
    /// The named states.
    pub states: Vec<GroupState>,
    /// Joints without an actuator.
    pub passive: Vec<String>,
}

/// A named set of joints and links.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its joints, those of its chains, links and subgroups included.
    pub joints: Vec<String>,
    /// The links that it names.
    pub links: Vec<String>,
}

/// A named configuration of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupState {
    /// Its name.
    pub name: String,
    /// The group.
    pub group: String,
    /// Joints and their values.
    pub values: Vec<(String, Vec<f64>)>,
}

impl Srdf {
    /// Reads the text of an SRDF file for a robot.
    ///
    /// # Errors
    /// With the element and its line: text that is no XML, missing attributes, links, joints and groups that do not exist.
    ///
    /// ```
    /// use clearance_robot::{Srdf, Urdf};
    /// let urdf = Urdf::parse(r#"<robot name="r"><link name="a"/><link name="b"/>
    ///   <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"#)?;
    /// let srdf = Srdf::parse(r#"<robot name="r"><disable_collisions link1="a" link2="b"/></robot>"#, &urdf)?;
    /// assert_eq!(srdf.disabled.len(), 1);
    /// assert!(Srdf::parse(r#"<robot name="r"><disable_collisions link1="a" link2="c"/></robot>"#, &urdf).is_err());
    /// # Ok::<(), clearance_robot::RobotError>(())
    /// ```
    pub fn parse(text: &str, urdf: &Urdf) -> Result<Self, RobotError> {
        let document = document(text)?;
        let root = document.root_element();
        let mut srdf = Self::default();
        for node in children(root, "disable_collisions") {
            srdf.disabled.push([link(node, "link1", urdf)?, link(node, "link2", urdf)?]);
        }
        for node in root.descendants().filter(|node| node.has_tag_name("passive_joint")) {
            srdf.passive.push(joint(node, urdf)?);
        }
        for node in children(root, "group") {
            let group = group(node, urdf, &srdf.groups)?;
            srdf.groups.push(group);
        }
        for node in children(root, "group_state") {
            let group = required(node, "group")?;
            if !srdf.groups.iter().any(|known| known.name == group) {
                return Err(fault(node, RobotFault::UnknownGroup { name: group.to_owned() }));
            }
            srdf.states.push(state(node, urdf)?);
        }
        Ok(srdf)
    }

    /// The group of a name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }
}

fn link(node: Node<'_, '_>, attribute: &'static str, urdf: &Urdf) -> Result<String, RobotError> {
    let name = required(node, attribute)?;
    let known = urdf.links.iter().any(|link| link.name == name);
    if known { Ok(name.to_owned()) } else { Err(fault(node, RobotFault::UnknownLink { name: name.to_owned() })) }
}

fn joint(node: Node<'_, '_>, urdf: &Urdf) -> Result<String, RobotError> {
    let name = required(node, "name")?;
    let known = urdf.joints.iter().any(|joint| joint.name == name);
    if known { Ok(name.to_owned()) } else { Err(fault(node, RobotFault::UnknownJoint { name: name.to_owned() })) }
}

/// A group whose subgroups are defined before it.
fn group(node: Node<'_, '_>, urdf: &Urdf, before: &[Group]) -> Result<Group, RobotError> {
    let mut group = Group { name: required(node, "name")?.to_owned(), ..Group::default() };
    let parent = |link: &str| {
        let child = urdf.links.iter().position(|known| known.name == link);
        urdf.joints.iter().find(|joint| Some(joint.child) == child)
    };
    for inner in node.children().filter(Node::is_element) {
        match inner.tag_name().name() {
            "joint" => group.joints.push(joint(inner, urdf)?),
            "link" => {
                let link = link(inner, "name", urdf)?;
                group.joints.extend(parent(&link).map(|joint| joint.name.clone()));
                group.links.push(link);
            }
            "chain" => {
                let (base, tip) = (link(inner, "base_link", urdf)?, link(inner, "tip_link", urdf)?);
                let mut at = tip.clone();
                let mut joints = Vec::new();
                // The description is a tree, so that this walk ends at the root.
                while at != base {
                    let Some(joint) = parent(&at) else {
                        let path = format!("{tip} does not hang on {base}");
                        return Err(fault(inner, RobotFault::Cycle { path }));
                    };
                    joints.push(joint.name.clone());
                    group.links.push(at);
                    at = urdf.links[joint.parent].name.clone();
                }
                group.links.push(base);
                group.joints.extend(joints.into_iter().rev());
            }
            "group" => {
                let name = required(inner, "name")?;
                let unknown = || fault(inner, RobotFault::UnknownGroup { name: name.to_owned() });
                let sub = before.iter().find(|known| known.name == name).ok_or_else(unknown)?;
                group.joints.extend(sub.joints.iter().cloned());
                group.links.extend(sub.links.iter().cloned());
            }
            _ => {}
        }
    }
    for names in [&mut group.joints, &mut group.links] {
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
    }
    Ok(group)
}

fn state(node: Node<'_, '_>, urdf: &Urdf) -> Result<GroupState, RobotError> {
    let mut values = Vec::new();
    for inner in children(node, "joint") {
        let name = joint(inner, urdf)?;
        let text = required(inner, "value")?;
        // Joints of several values have them one after the other.
        let several: Option<Vec<f64>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        match several.filter(|list| list.len() > 1 && list.iter().all(|value| value.is_finite())) {
            Some(list) => values.push((name, list)),
            None => values.push((name, vec![required_number(inner, "value")?])),
        }
    }
    Ok(GroupState { name: required(node, "name")?.to_owned(), group: required(node, "group")?.to_owned(), values })
}
