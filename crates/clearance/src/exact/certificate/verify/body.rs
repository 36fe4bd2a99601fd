//! Bodies of a record as lists of convex pieces, with the corners of hulls as integers in the world's frame.

use std::collections::HashMap;
use std::ops::Range;

use super::number::Num;
use super::read::{Node, Read};
use super::shape::{Convex, moved_support, reach};
use super::vector::{Map, Vector, integers, length_above, lowest_power};
use crate::exact::vector::Int3;
use crate::math::integer::Int;

/// A convex piece of a body.
#[derive(Debug)]
pub(super) struct Piece {
    pub shape: Convex,
    /// The part of a compound that it belongs to: the number of its map.
    part: Option<usize>,
    /// Pieces of one mesh that hang together at vertices have the same number; every other piece has its own.
    pub component: usize,
    /// The solid mesh that it is a triangle of.
    pub solid: Option<usize>,
    /// If it is a hull without rounding: the numbers of its corners in [`Body::corners`].
    pub corners: Vec<usize>,
}

/// A body.
#[derive(Debug)]
pub(super) struct Body {
    pub map: Map,
    padding: Num,
    parts: Vec<Map>,
    pub pieces: Vec<Piece>,
    /// The pieces of the solid meshes.
    pub solids: Vec<Range<usize>>,
    /// The number of components.
    pub components: usize,
    /// The corners of hulls in the world, in units of two to the power.
    pub corners: Vec<Int3>,
    pub power: i32,
}

impl Body {
    pub fn read(node: &Node<'_>) -> Read<Self> {
        node.fields(&["shape", "matrix", "translation"], &["padding"])?;
        let map = node.map()?;
        if map.matrix.unevenness() >= Num::from(0.5) || map.matrix.determinant().sign() <= 0 {
            return node.get("matrix")?.fails("not a rotation to rounding");
        }
        let padding = node.field("padding").map_or(Ok(Num::default()), |padding| padding.size())?;
        let mut reader = Reader {
            body: Self {
                map,
                padding,
                parts: Vec::new(),
                pieces: Vec::new(),
                solids: Vec::new(),
                components: 0,
                corners: Vec::new(),
                power: 0,
            },
            world: Vec::new(),
        };
        let shape = node.get("shape")?;
        match shape.field("compound") {
            Some(parts) => {
                shape.fields(&["compound"], &[])?;
                for part in parts.items()? {
                    part.fields(&["shape", "matrix", "translation"], &[])?;
                    reader.body.parts.push(part.map()?);
                    let number = reader.body.parts.len() - 1;
                    reader.take(&part.get("shape")?, Some(number))?;
                }
            }
            None => reader.take(&shape, None)?,
        }
        Ok(reader.finish())
    }

    /// The maps that move a piece, in the order in which they do.
    fn maps(&self, part: Option<usize>) -> Vec<&Map> {
        part.map(|number| &self.parts[number]).into_iter().chain([&self.map]).collect()
    }

    pub fn place(&self, piece: usize, x: &Vector) -> Vector {
        self.maps(self.pieces[piece].part).into_iter().fold(x.clone(), |x, map| map.place(&x))
    }

    /// The point of a piece before rounding that a proof names, in the world.
    pub fn point(&self, piece: usize, node: &Node<'_>) -> Read<Vector> {
        Ok(self.place(piece, &self.pieces[piece].shape.sharp().0.point(node, false)?))
    }

    /// A number not below `d · x` for all points x of some pieces; nothing if there is none.
    pub fn support(&self, pieces: &[usize], d: &Vector) -> Option<Num> {
        let power = lowest_power([d]);
        let whole = integers(d, power);
        let (mut corner, mut most): (Option<Int>, Option<Num>) = (None, None);
        for &number in pieces {
            let piece = &self.pieces[number];
            if piece.corners.is_empty() {
                most = most.max(Some(moved_support(&piece.shape, &self.maps(piece.part), d)?));
            }
            for &place in &piece.corners {
                let value = self.corners[place].dot(&whole);
                if corner.as_ref().is_none_or(|best| (&value - best).sign() > 0) {
                    corner = Some(value);
                }
            }
        }
        let most = most.max(corner.map(|value| Num::new(value, self.power + power)))?;
        if self.padding.is_zero() {
            return Some(most);
        }
        Some(&most + &(&self.padding * &length_above(&self.map.matrix.transposed_times(d))))
    }

    /// The radius of a ball that a piece contains about each of its points before rounding.
    pub fn effective_radius(&self, piece: usize) -> Num {
        let piece = &self.pieces[piece];
        let mut radius = piece.shape.sharp().1;
        if let Some(part) = piece.part {
            radius = &radius * &least_stretch(&self.parts[part]);
        }
        &(&radius + &self.padding) * &least_stretch(&self.map)
    }

    /// A number not below the distance of any point from a centre; nothing if there is none.
    pub fn reach(&self, centre: &Vector) -> Option<Num> {
        let mut most = Num::default();
        for piece in &self.pieces {
            most = most.max(reach(&piece.shape, &self.maps(piece.part), centre)?);
        }
        Some(&most + &(&self.padding * &self.map.matrix.norm_above()))
    }
}

/// A number, not negative, that is not above the factor by which a map makes any vector longer.
fn least_stretch(map: &Map) -> Num {
    (&Num::from(1.0) - &map.matrix.unevenness()).max(Num::default())
}

struct Reader {
    body: Body,
    world: Vec<Vector>,
}

impl Reader {
    /// Takes in a shape that is no compound; in a compound no cloud either.
    fn take(&mut self, node: &Node<'_>, part: Option<usize>) -> Read<()> {
        let inner = node.kind()?;
        match inner.name() {
            "mesh" => self.mesh(&inner, part),
            "cloud" if part.is_some() => node.fails("a cloud in a compound"),
            "cloud" => {
                for item in inner.items()? {
                    let point = item.vector()?;
                    self.piece(Convex::Hull(vec![point]), part);
                }
                Ok(())
            }
            _ => {
                let shape = Convex::read(node)?;
                self.piece(shape, part);
                Ok(())
            }
        }
    }

    /// A piece that is a component by itself.
    fn piece(&mut self, shape: Convex, part: Option<usize>) {
        let mut corners = Vec::new();
        if let Convex::Hull(points) = &shape {
            for point in points {
                corners.push(self.corner(point, part));
            }
        }
        let component = self.body.components;
        self.body.components += 1;
        self.body.pieces.push(Piece { shape, part, component, solid: None, corners });
    }

    fn corner(&mut self, point: &Vector, part: Option<usize>) -> usize {
        let placed = self.body.maps(part).into_iter().fold(point.clone(), |x, map| map.place(&x));
        self.world.push(placed);
        self.world.len() - 1
    }

    fn mesh(&mut self, node: &Node<'_>, part: Option<usize>) -> Read<()> {
        node.fields(&["vertices", "triangles", "solid"], &[])?;
        let vertices: Vec<Vector> = node.get("vertices")?.items()?.map(|item| item.vector()).collect::<Read<_>>()?;
        let field = node.get("triangles")?;
        let mut triangles = Vec::new();
        for item in field.items()? {
            let [i, j, k] = item.exactly()?;
            triangles.push([i.count(vertices.len())?, j.count(vertices.len())?, k.count(vertices.len())?]);
        }
        let solid = node.get("solid")?.truth()?;
        if solid {
            closed(&triangles, node)?;
            if part.is_some_and(|part| self.body.parts[part].matrix.determinant().sign() <= 0) {
                return node.fails("the matrix of a solid mesh has no positive determinant");
            }
        }
        let first = self.body.pieces.len();
        let places: Vec<usize> = vertices.iter().map(|vertex| self.corner(vertex, part)).collect();
        let tops = hanging_together(&triangles, vertices.len());
        let mut names = HashMap::new();
        for triangle in &triangles {
            let more = self.body.components + names.len();
            let component = *names.entry(tops[triangle[0]]).or_insert(more);
            let shape = Convex::Hull(triangle.map(|corner| vertices[corner].clone()).to_vec());
            let corners = triangle.map(|corner| places[corner]).to_vec();
            let solid = solid.then_some(self.body.solids.len());
            self.body.pieces.push(Piece { shape, part, component, solid, corners });
        }
        self.body.components += names.len();
        if solid {
            self.body.solids.push(first..self.body.pieces.len());
        }
        Ok(())
    }

    fn finish(self) -> Body {
        let Self { mut body, world } = self;
        body.power = lowest_power(&world);
        body.corners = world.iter().map(|corner| integers(corner, body.power)).collect();
        body
    }
}

/// Refuses a mesh unless as many triangles go from one vertex to another as back.
fn closed(triangles: &[[usize; 3]], node: &Node<'_>) -> Read<()> {
    let mut edges: HashMap<[usize; 2], i64> = HashMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]].into_iter().filter(|[from, to]| from != to) {
            let (edge, count) = if from < to { ([from, to], 1) } else { ([to, from], -1) };
            *edges.entry(edge).or_default() += count;
        }
    }
    match edges.iter().filter(|(_, count)| **count != 0).map(|(edge, _)| edge).min() {
        Some([i, j]) => node.fails(format!("not closed at the edge from vertex {i} to {j}")),
        None => Ok(()),
    }
}

/// For each vertex one that names the set of vertices that it hangs together with by triangles.
fn hanging_together(triangles: &[[usize; 3]], vertices: usize) -> Vec<usize> {
    fn top(parents: &mut [usize], mut vertex: usize) -> usize {
        while parents[vertex] != vertex {
            parents[vertex] = parents[parents[vertex]];
            vertex = parents[vertex];
        }
        vertex
    }
    let mut parents: Vec<usize> = (0..vertices).collect();
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (from, to) = (top(&mut parents, other), top(&mut parents, a));
            parents[from] = to;
        }
    }
    (0..vertices).map(|vertex| top(&mut parents, vertex)).collect()
}
