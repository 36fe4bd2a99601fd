//! URDF from its text. What is only for drawing, masses and controllers is passed over.

use std::collections::HashMap;

use clearance::Vec3;
use roxmltree::Node;

use super::urdf::{Collision, Geometry, JointDescription, JointKind, LinkDescription, Mimic, Urdf};
use super::xml::{child, children, document, fault, line, number, numbers, origin, required, required_number};
use crate::error::{RobotError, RobotFault};

impl Urdf {
    /// Reads the text of a URDF file. Meshes are not opened.
    ///
    /// # Errors
    /// With the element and its line: text that is no XML, missing or wrong attributes, names that are used twice or unknown, axes of no
    /// length, limits in the wrong order, links with two parents, cycles and several roots.
    ///
    /// ```
    /// use clearance_robot::Urdf;
    /// let text = r#"<robot name="arm">
    ///   <link name="base"/>
    ///   <link name="fore"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
    ///   <joint name="elbow" type="continuous"><parent link="base"/><child link="fore"/><axis xyz="0 0 2"/></joint>
    /// </robot>"#;
    /// let urdf = Urdf::parse(text)?;
    /// assert_eq!((urdf.links.len(), urdf.joints[0].axis.z), (2, 1.0));
    /// let wrong = Urdf::parse(&text.replace("0 0 2", "0 0 0")).unwrap_err();
    /// assert!(wrong.to_string().contains("line 4") && wrong.to_string().contains("elbow"));
    /// # Ok::<(), clearance_robot::RobotError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, RobotError> {
        let document = document(text)?;
        let root = document.root_element();
        let (link_nodes, joint_nodes): (Vec<_>, Vec<_>) =
            (children(root, "link").collect(), children(root, "joint").collect());
        if link_nodes.is_empty() {
            return Err(fault(root, RobotFault::NoLinks));
        }
        let links_by_name = index(&link_nodes)?;
        let joints_by_name = index(&joint_nodes)?;
        let links = link_nodes.iter().map(|node| link(*node)).collect::<Result<Vec<_>, _>>()?;
        let joints = joint_nodes
            .iter()
            .map(|node| joint(*node, &links_by_name, &joints_by_name))
            .collect::<Result<Vec<_>, _>>()?;
        let name = root.attribute("name").unwrap_or_default().to_owned();
        let urdf = Self { name, links, joints };
        super::tree::check(&urdf)?;
        Ok(urdf)
    }
}

/// Elements by their names, each of which must be there and used once.
fn index<'a>(nodes: &[Node<'a, '_>]) -> Result<HashMap<&'a str, usize>, RobotError> {
    let mut all = HashMap::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        if let Some(first) = all.insert(required(*node, "name")?, at) {
            return Err(fault(*node, RobotFault::Duplicate { line: line(nodes[first]) }));
        }
    }
    Ok(all)
}

fn link(node: Node<'_, '_>) -> Result<LinkDescription, RobotError> {
    let collisions = children(node, "collision").map(collision).collect::<Result<_, _>>()?;
    Ok(LinkDescription { name: required(node, "name")?.to_owned(), line: line(node), collisions })
}

fn collision(node: Node<'_, '_>) -> Result<Collision, RobotError> {
    let holder = child(node, "geometry").ok_or_else(|| fault(node, RobotFault::Missing { what: "geometry" }))?;
    let inner = holder.children().find(Node::is_element);
    let inner = inner.ok_or_else(|| fault(holder, RobotFault::Missing { what: "a shape" }))?;
    Ok(Collision { line: line(node), origin: origin(node)?, geometry: geometry(inner)? })
}

fn geometry(node: Node<'_, '_>) -> Result<Geometry, RobotError> {
    let radius = || required_number(node, "radius");
    let length = || required_number(node, "length");
    Ok(match node.tag_name().name() {
        "box" => {
            required(node, "size")?;
            Geometry::Box { size: numbers(node, "size")?.unwrap_or_default() }
        }
        "cylinder" => Geometry::Cylinder { radius: radius()?, length: length()? },
        "sphere" => Geometry::Sphere { radius: radius()? },
        "capsule" => Geometry::Capsule { radius: radius()?, length: length()? },
        "mesh" => Geometry::Mesh {
            file: required(node, "filename")?.to_owned(),
            scale: numbers(node, "scale")?.unwrap_or([1.0; 3]),
        },
        name => return Err(fault(node, RobotFault::Geometry { name: name.to_owned() })),
    })
}

fn joint(
    node: Node<'_, '_>,
    links: &HashMap<&str, usize>,
    joints: &HashMap<&str, usize>,
) -> Result<JointDescription, RobotError> {
    let kind = kind(node)?;
    let end = |what: &'static str| {
        let end = child(node, what).ok_or_else(|| fault(node, RobotFault::Missing { what }))?;
        let name = required(end, "link")?;
        links.get(name).copied().ok_or_else(|| fault(end, RobotFault::UnknownLink { name: name.to_owned() }))
    };
    Ok(JointDescription {
        name: required(node, "name")?.to_owned(),
        line: line(node),
        kind,
        parent: end("parent")?,
        child: end("child")?,
        origin: origin(node)?,
        axis: axis(node, kind)?,
        limits: limits(node, kind)?,
        mimic: mimic(node, joints)?,
    })
}

fn kind(node: Node<'_, '_>) -> Result<JointKind, RobotError> {
    Ok(match required(node, "type")? {
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "fixed" => JointKind::Fixed,
        "floating" => JointKind::Floating,
        "planar" => JointKind::Planar,
        name => return Err(fault(node, RobotFault::JointType { name: name.to_owned() })),
    })
}

/// The unit axis; that of fixed and floating joints does not matter.
fn axis(node: Node<'_, '_>, kind: JointKind) -> Result<Vec3, RobotError> {
    let given = child(node, "axis").filter(|_| !matches!(kind, JointKind::Fixed | JointKind::Floating));
    let Some(element) = given else { return Ok(Vec3::X) };
    let axis = numbers::<3>(element, "xyz")?.unwrap_or([1.0, 0.0, 0.0]);
    // Divided by its largest component first, so that no square overflows or vanishes.
    let largest = axis.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if largest == 0.0 {
        return Err(fault(element, RobotFault::ZeroAxis { axis }));
    }
    Ok((Vec3::from(axis) / largest).normalize())
}

fn limits(node: Node<'_, '_>, kind: JointKind) -> Result<Option<[f64; 2]>, RobotError> {
    if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        return Ok(None);
    }
    let limit = child(node, "limit").ok_or_else(|| fault(node, RobotFault::Missing { what: "limit" }))?;
    let (lower, upper) = (number(limit, "lower", 0.0)?, number(limit, "upper", 0.0)?);
    if lower > upper {
        return Err(fault(limit, RobotFault::LimitsReversed { lower, upper }));
    }
    Ok(Some([lower, upper]))
}

fn mimic(node: Node<'_, '_>, joints: &HashMap<&str, usize>) -> Result<Option<Mimic>, RobotError> {
    let Some(mimic) = child(node, "mimic") else { return Ok(None) };
    let name = required(mimic, "joint")?;
    let unknown = || fault(mimic, RobotFault::UnknownJoint { name: name.to_owned() });
    let joint = joints.get(name).copied().ok_or_else(unknown)?;
    Ok(Some(Mimic { joint, multiplier: number(mimic, "multiplier", 1.0)?, offset: number(mimic, "offset", 0.0)? }))
}
