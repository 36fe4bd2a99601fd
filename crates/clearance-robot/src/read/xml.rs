//! What both readers need of XML: the root, attributes as numbers and poses, errors with element and line.

use clearance::{Pose, Vec3};
use roxmltree::{Document, Node, ParsingOptions};

use crate::chain::{product, turn};
use crate::error::{RobotError, RobotFault};

/// Elements, attributes and texts that are read at most: far more than any robot has, and a bound on memory.
const MOST_NODES: u32 = 4_000_000;

/// The document, whose root element must be `robot`.
pub fn document(text: &str) -> Result<Document<'_>, RobotError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| RobotError {
        file: String::new(),
        line: error.pos().row,
        element: "XML".to_owned(),
        fault: Box::new(RobotFault::Xml(error.to_string())),
    })?;
    let found = document.root_element().tag_name().name().to_owned();
    if found != "robot" {
        return Err(fault(document.root_element(), RobotFault::NotARobot { found }));
    }
    Ok(document)
}

/// The line of an element, from 1.
pub fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// `joint 'elbow'`, `origin of joint 'elbow'`: the element and the nearest ancestor that has a name.
fn named(node: Node<'_, '_>) -> String {
    let tag = node.tag_name().name();
    if let Some(name) = node.attribute("name") {
        return format!("{tag} '{name}'");
    }
    let outer = node.ancestors().skip(1).find(|outer| outer.is_element() && outer.attribute("name").is_some());
    match outer.filter(|outer| outer.tag_name().name() != "robot") {
        Some(outer) => format!("{tag} of {}", named(outer)),
        None => tag.to_owned(),
    }
}

/// The error of an element.
pub fn fault(node: Node<'_, '_>, fault: RobotFault) -> RobotError {
    RobotError { file: String::new(), line: line(node), element: named(node), fault: Box::new(fault) }
}

/// The elements of that name directly in an element.
pub fn children<'a, 'd: 'a>(node: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// The only or first child of that name.
pub fn child<'a, 'd: 'a>(node: Node<'a, 'd>, name: &'static str) -> Option<Node<'a, 'd>> {
    children(node, name).next()
}

/// An attribute that must be there.
pub fn required<'a>(node: Node<'a, '_>, attribute: &'static str) -> Result<&'a str, RobotError> {
    node.attribute(attribute).ok_or_else(|| fault(node, RobotFault::Missing { what: attribute }))
}

/// An attribute of so many finite numbers, if it is there.
pub fn numbers<const N: usize>(node: Node<'_, '_>, attribute: &'static str) -> Result<Option<[f64; N]>, RobotError> {
    let Some(text) = node.attribute(attribute) else { return Ok(None) };
    let wrong = || {
        let text = text.chars().take(80).collect();
        fault(node, RobotFault::Numbers { attribute, text, count: N })
    };
    let mut values = [0.0; N];
    let mut words = text.split_ascii_whitespace();
    for value in &mut values {
        let word = words.next().ok_or_else(wrong)?;
        *value = word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong)?;
    }
    if words.next().is_some() { Err(wrong()) } else { Ok(Some(values)) }
}

/// One number, or what it is by default.
pub fn number(node: Node<'_, '_>, attribute: &'static str, default: f64) -> Result<f64, RobotError> {
    Ok(numbers::<1>(node, attribute)?.map_or(default, |[value]| value))
}

/// One number that must be there.
pub fn required_number(node: Node<'_, '_>, attribute: &'static str) -> Result<f64, RobotError> {
    required(node, attribute)?;
    number(node, attribute, 0.0)
}

/// The pose in the child `origin`: `xyz`, and `rpy` as rotations about the fixed axes x, y, z in this order.
pub fn origin(node: Node<'_, '_>) -> Result<Pose, RobotError> {
    let Some(origin) = child(node, "origin") else { return Ok(Pose::IDENTITY) };
    let xyz = numbers::<3>(origin, "xyz")?.unwrap_or_default();
    let [roll, pitch, yaw] = numbers::<3>(origin, "rpy")?.unwrap_or_default();
    let turn = product(turn(Vec3::Z, yaw), product(turn(Vec3::Y, pitch), turn(Vec3::X, roll)));
    Pose::new(Vec3::from(xyz), turn.to_array()).map_err(|error| fault(origin, error.into()))
}
