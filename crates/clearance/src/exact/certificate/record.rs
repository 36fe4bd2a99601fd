//! Bodies as records: every number as stored; and as convex pieces to prove something about.

use glam::{DMat3, DVec3};
use thiserror::Error;

use super::block::{Block, Form, Map};
use super::value::{Certificate, Value};
use crate::math::{Pose, Real, Vec3, widen, widen_real};
use crate::shape::mesh::Mesh;
use crate::shape::{BodyRef, Compound, Core, Geometry, HeightField, Leaf, Part, Shape};

/// Why there is no certificate about a body or a motion.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum NotCertified {
    /// A shape is a user's own: its code would have to be in the record.
    #[error("{body}: a user-defined support has no certificate")]
    Custom {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// A mesh is a room: solid without bounds.
    #[error("{body}: a room, which is solid outside of its surface, has no certificate")]
    Room {
        /// `'A'` or `'B'`.
        body: char,
    },
    /// A motion is a user's own.
    #[error("a user-defined trajectory has no certificate")]
    Trajectory,
    /// The proof would have more steps than are written.
    #[error("the proof has more than {limit} steps")]
    TooLong {
        /// The most steps of a proof.
        limit: u32,
    },
    /// Neither bound could be proved: the bodies touch, or are at the limits of the precision.
    #[error("nothing could be proved about the pair: it is at the limits of rounding")]
    Unproved,
    /// A cast was refused.
    #[error("the cast was refused: {0}")]
    Cast(crate::ccd::polyhedra::CastError),
}

/// A closed mesh with an inside, in the common frame.
#[derive(Debug)]
pub(super) struct Shell {
    pub triangles: Vec<[DVec3; 3]>,
}

/// A body in a record, and what is proved about it.
#[derive(Debug)]
pub(super) struct Side {
    pub record: Value,
    pub blocks: Vec<Block>,
    /// Places in the record to blocks, so that halves of a part of the list are near each other.
    pub order: Vec<u32>,
    /// A piece of each connected component.
    pub components: Vec<u32>,
    pub shells: Vec<Shell>,
}

impl Side {
    /// The body at a pose, seen from `origin` in the proof's own arithmetic.
    pub fn new(body: &BodyRef<'_>, pose: &Pose, origin: DVec3, name: char) -> Result<Self, NotCertified> {
        let map = map_of(pose);
        let near = Map { shift: map.shift - origin, ..map };
        let mut side = Self {
            record: Value::List(Vec::new()),
            blocks: Vec::new(),
            order: Vec::new(),
            components: Vec::new(),
            shells: Vec::new(),
        };
        let mut padding = widen_real(body.padding);
        let shape = match body.geometry() {
            Geometry::Convex(shape) => side.convex(shape, &near, name)?,
            Geometry::Mesh(mesh) => side.mesh(mesh, &near, name)?,
            Geometry::Compound(compound) => side.compound(compound, &near, name)?,
            Geometry::HeightField(field) => side.height_field(field, &near),
            Geometry::PointCloud(cloud) => {
                padding += widen_real(cloud.radius());
                let mut points: Vec<(u32, Vec3)> = cloud.points().collect();
                points.sort_by_key(|(index, _)| *index);
                points.iter().for_each(|(_, point)| side.alone(Form::Corners(vec![widen(*point)]), 0.0, near));
                Value::record([("cloud", Value::list(points.iter().map(|(_, point)| widen(*point))))])
            }
            Geometry::HalfSpace(half_space) => {
                let (normal, offset) = (widen(half_space.normal()), widen_real(half_space.offset()));
                side.alone(Form::HalfSpace(normal, offset), 0.0, near);
                Value::record([("half_space", Value::List(vec![normal.into(), offset.into()]))])
            }
        };
        let share = map.shrinks();
        for block in &mut side.blocks {
            block.radius += padding;
            block.sure = (block.sure + padding) * share;
        }
        side.record = placed(shape, &map);
        if padding > 0.0 {
            side.record = side.record.with("padding", padding);
        }
        side.order = (0..side.blocks.len() as u32).collect();
        let middles: Vec<DVec3> = side.blocks.iter().map(|block| block.ball().0).collect();
        sort(&mut side.order, &middles);
        Ok(side)
    }

    fn alone(&mut self, form: Form, radius: f64, map: Map) {
        self.components.push(self.blocks.len() as u32);
        self.blocks.push(Block { form, radius, sure: radius, map });
    }

    fn convex(&mut self, shape: &Shape, map: &Map, name: char) -> Result<Value, NotCertified> {
        let (value, form) = convex(shape.core(), name)?;
        self.alone(form, widen_real(shape.radius()), *map);
        Ok(rounded(value, shape.radius()))
    }

    fn mesh(&mut self, mesh: &Mesh, map: &Map, name: char) -> Result<Value, NotCertified> {
        if let Some(shape) = mesh.convex() {
            return self.convex(shape, map, name);
        }
        if mesh.is_room() {
            return Err(NotCertified::Room { body: name });
        }
        let triangles: Vec<[u32; 3]> = (0..mesh.triangle_count() as u32).map(|t| mesh.triangle_corners(t)).collect();
        let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&vertex| widen(vertex)).collect();
        Ok(self.surface(vertices, triangles, mesh.is_solid(), map))
    }

    fn height_field(&mut self, field: &HeightField, map: &Map) -> Value {
        let (columns, rows) = (field.columns(), field.rows());
        let mut vertices = Vec::new();
        let mut number = vec![u32::MAX; columns as usize * rows as usize];
        let mut triangles = Vec::new();
        for triangle in 0..2 * (columns - 1) * (rows - 1) {
            let Some(corners) = field.triangle(triangle) else { continue };
            let (column, row) = (triangle / 2 % (columns - 1), triangle / 2 / (columns - 1));
            let third = if triangle % 2 == 0 { [[1, 0], [1, 1]] } else { [[1, 1], [0, 1]] };
            let places = [[0, 0], third[0], third[1]].map(|[x, y]| ((row + y) * columns + column + x) as usize);
            triangles.push([0, 1, 2].map(|corner: usize| {
                let slot = &mut number[places[corner]];
                if *slot == u32::MAX {
                    *slot = vertices.len() as u32;
                    vertices.push(widen(corners[corner]));
                }
                *slot
            }));
        }
        self.surface(vertices, triangles, false, map)
    }

    fn surface(&mut self, vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>, solid: bool, map: &Map) -> Value {
        let first = self.blocks.len() as u32;
        self.components.extend(connected(&triangles, vertices.len()).into_iter().map(|triangle| first + triangle));
        let corners = |triangle: &[u32; 3]| triangle.map(|v| vertices[v as usize]);
        for triangle in &triangles {
            self.blocks.push(Block { form: Form::Triangle(corners(triangle)), radius: 0.0, sure: 0.0, map: *map });
        }
        if solid {
            self.shells.push(Shell { triangles: triangles.iter().map(|t| corners(t).map(|p| map.at(p))).collect() });
        }
        Value::record([(
            "mesh",
            Value::record([
                ("vertices", Value::list(vertices.iter().copied())),
                ("triangles", Value::List(triangles.iter().map(|t| Value::counts(*t)).collect())),
                ("solid", Value::Bool(solid)),
            ]),
        )])
    }

    fn compound(&mut self, compound: &Compound, map: &Map, name: char) -> Result<Value, NotCertified> {
        let mut parts = Vec::new();
        for (leaf, pose) in &compound.parts {
            let own = map_of(pose);
            let both = map.after(&own);
            let shape = match leaf {
                Leaf::Convex(shape) => self.convex(shape, &both, name)?,
                Leaf::Mesh(mesh) => self.mesh(mesh, &both, name)?,
            };
            if let (Leaf::Convex(_), Some(block)) = (leaf, self.blocks.last_mut()) {
                block.sure *= own.shrinks();
            }
            parts.push(placed(shape, &own));
        }
        Ok(Value::record([("compound", Value::List(parts))]))
    }
}

fn map_of(pose: &Pose) -> Map {
    let m = pose.matrix();
    Map {
        matrix: DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis)),
        shift: widen(pose.translation()),
    }
}

fn placed(shape: Value, map: &Map) -> Value {
    Value::record([("shape", shape), ("matrix", map.matrix_value()), ("translation", map.shift.into())])
}

fn rounded(shape: Value, radius: Real) -> Value {
    if radius > 0.0 { Value::record([("round", Value::List(vec![shape, widen_real(radius).into()]))]) } else { shape }
}

/// A convex core as a record and as a form.
fn convex(core: &Core, name: char) -> Result<(Value, Form), NotCertified> {
    let ellipsoid = |radii: DVec3| (Value::record([("ellipsoid", radii.into())]), Form::Ellipsoid(radii));
    let discs = |radii: [Real; 2], heights: [Real; 2]| {
        let ends = [0, 1].map(|i: usize| [widen_real(heights[i]), widen_real(radii[i])]);
        let value = Value::List(ends.iter().map(|end| Value::numbers(*end)).collect());
        (Value::record([("discs", value)]), Form::Discs(ends))
    };
    Ok(match core {
        Core::Disc { radius } => ellipsoid(widen(Vec3::new(*radius, *radius, 0.0))),
        Core::Ellipse { radii: [x, y] } => ellipsoid(widen(Vec3::new(*x, *y, 0.0))),
        Core::Ellipsoid { radii } => ellipsoid(widen(*radii)),
        Core::Cylinder { half_height: z, radius } => discs([*radius; 2], [-z, *z]),
        Core::Cone { height, radius } => discs([*radius, 0.0], [-0.25 * height, 0.75 * height]),
        Core::TaperedCylinder { radii, heights } => discs(*radii, *heights),
        Core::Drop { point, ball, radius } => {
            let balls = [(DVec3::X * widen_real(*point), 0.0), (DVec3::X * widen_real(*ball), widen_real(*radius))];
            let of = |(centre, radius): &(DVec3, f64)| Value::List(vec![(*centre).into(), (*radius).into()]);
            (Value::record([("balls", Value::List(balls.iter().map(of).collect()))]), Form::Balls(balls.to_vec()))
        }
        Core::Sum(both) => combined("sum", both.iter().map(|part| (part, 1.0)), name)?,
        Core::Difference(both) => combined("sum", both.iter().zip([1.0, -1.0]), name)?,
        Core::Posed(part) => combined("sum", [(&**part, 1.0)].into_iter(), name)?,
        Core::Hull(both) => combined("hull_of", both.iter().map(|part| (part, 1.0)), name)?,
        Core::Custom(_) => return Err(NotCertified::Custom { body: name }),
        _ => {
            let corners = corners(core);
            (Value::record([("hull", Value::list(corners.iter().copied()))]), Form::Corners(corners))
        }
    })
}

/// A sum or a hull of parts; a part with a sign of −1 is seen through the origin.
fn combined<'p>(
    kind: &str,
    parts: impl Iterator<Item = (&'p Part, f64)>,
    name: char,
) -> Result<(Value, Form), NotCertified> {
    let (mut values, mut blocks) = (Vec::new(), Vec::new());
    for (part, sign) in parts {
        let (value, form) = convex(part.shape.core(), name)?;
        let own = map_of(&part.pose);
        let map = Map { matrix: own.matrix * sign, shift: own.shift * sign };
        values.push(placed(rounded(value, part.shape.radius()), &map));
        let radius = widen_real(part.shape.radius());
        blocks.push(Block { form, radius, sure: 0.0, map });
    }
    let form = if kind == "sum" { Form::Sum(blocks) } else { Form::HullOf(blocks) };
    Ok((Value::record([(kind, Value::List(values))]), form))
}

/// The corners of a shape with flat faces.
fn corners(core: &Core) -> Vec<DVec3> {
    let around = |[x, y]: [Real; 2], z: Real| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[i, j]| widen(Vec3::new(i * x, j * y, z)))
    };
    match core {
        Core::Segment { half_length: x } => [-*x, *x].map(|x| widen(Vec3::new(x, 0.0, 0.0))).to_vec(),
        Core::Rectangle { half_extents } => around(*half_extents, 0.0).to_vec(),
        Core::Cuboid { half_extents: half } => {
            [-half.z, half.z].iter().flat_map(|&z| around([half.x, half.y], z)).collect()
        }
        Core::Frustum { bottom, top, bottom_z, top_z } => [around(*bottom, *bottom_z), around(*top, *top_z)].concat(),
        Core::Triangle(corners) => corners.map(widen).to_vec(),
        Core::Polygon(polygon) => polygon.vertices().iter().map(|&p| widen(p)).collect(),
        Core::Polytope(polytope) => polytope.vertices().iter().map(|&p| widen(p)).collect(),
        _ => vec![DVec3::ZERO],
    }
}

/// A triangle of each connected component of a surface.
fn connected(triangles: &[[u32; 3]], vertices: usize) -> Vec<u32> {
    let mut root: Vec<u32> = (0..vertices as u32).collect();
    let find = |root: &mut Vec<u32>, mut v: u32| {
        while root[v as usize] != v {
            root[v as usize] = root[root[v as usize] as usize];
            v = root[v as usize];
        }
        v
    };
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| find(&mut root, v));
        let least = a.min(b).min(c);
        [a, b, c].iter().for_each(|&v| root[v as usize] = least);
    }
    let mut seen = vec![false; vertices];
    let mut first = Vec::new();
    for (index, triangle) in triangles.iter().enumerate() {
        let of = find(&mut root, triangle[0]) as usize;
        if !std::mem::replace(&mut seen[of], true) {
            first.push(index as u32);
        }
    }
    first
}

/// Sorts a list of pieces so that the first and the second half are apart along the longest side of their box, and so on in each half.
fn sort(order: &mut [u32], middles: &[DVec3]) {
    if order.len() < 2 {
        return;
    }
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &block in order.iter() {
        low = low.min(middles[block as usize]);
        high = high.max(middles[block as usize]);
    }
    let axis = (high - low).max_position();
    let half = order.len() / 2;
    let along = |block: &u32| middles[*block as usize][axis];
    order.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
    let (first, second) = order.split_at_mut(half);
    sort(first, middles);
    sort(second, middles);
}

/// Two bodies in records, seen from the first one's place.
pub(super) fn sides(bodies: [&BodyRef<'_>; 2], poses: [&Pose; 2]) -> Result<[Side; 2], NotCertified> {
    let origin = widen(poses[0].translation());
    let a = Side::new(bodies[0], poses[0], origin, 'A')?;
    Ok([a, Side::new(bodies[1], poses[1], origin, 'B')?])
}

/// A record with the claims that could be proved.
pub(super) fn written<const N: usize>(
    sides: &[Side; 2],
    claims: [(&str, Option<Value>); N],
) -> Result<Certificate, NotCertified> {
    let [a, b] = sides.each_ref().map(|side| side.record.clone());
    let head = Value::record([("certificate", Value::Count(1)), ("a", a), ("b", b)]);
    let claimed = |name: &str| name != "motion";
    if !claims.iter().any(|(name, claim)| claimed(name) && claim.is_some()) {
        return Err(NotCertified::Unproved);
    }
    Ok(Certificate(claims.into_iter().fold(head, |record, (name, claim)| match claim {
        Some(claim) => record.with(name, claim),
        None => record,
    })))
}
