//! The world's features near a body: which were seen in this query, and lists of all near a box.

use glam::DVec3;

use super::bounds::Bounds;
use super::parts::Sight;
use super::polyhedron::Polyhedron;

/// Which features were seen since the start of a query. Marks are numbers of queries, so that none has to be cleared.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    faces: Vec<u32>,
    edges: Vec<Mark>,
    points: Vec<Mark>,
    mark: u32,
}

/// When an edge or a point was seen, and its row in a table of signs and since when.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    seen: u32,
    in_table: u32,
    row: u32,
}

impl Mark {
    #[inline]
    fn row(&mut self, mark: u32, add: impl FnOnce() -> u32) -> u32 {
        if std::mem::replace(&mut self.in_table, mark) != mark {
            self.row = add();
        }
        self.row
    }
}

impl Seen {
    /// Begins a query, or a step of one: nothing was seen. Room is taken once for the largest world.
    pub fn start(&mut self, world: &Polyhedron) {
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            *self = Self { mark: 1, ..Self::default() };
        }
        grow(&mut self.faces, world.faces.len());
        grow(&mut self.edges, world.edges.len());
        grow(&mut self.points, world.points.len());
    }

    /// Whether this is the first sight of a polygon.
    #[inline]
    pub fn face(&mut self, index: u32) -> bool {
        std::mem::replace(&mut self.faces[index as usize], self.mark) != self.mark
    }

    /// Whether this is the first sight of an edge.
    #[inline]
    pub fn edge(&mut self, index: u32) -> bool {
        std::mem::replace(&mut self.edges[index as usize].seen, self.mark) != self.mark
    }

    /// Whether this is the first sight of a point.
    #[inline]
    pub fn point(&mut self, index: u32) -> bool {
        std::mem::replace(&mut self.points[index as usize].seen, self.mark) != self.mark
    }

    /// The row of an edge, or a new one.
    #[inline]
    pub fn edge_row(&mut self, index: u32, add: impl FnOnce() -> u32) -> u32 {
        self.edges[index as usize].row(self.mark, add)
    }

    /// The row of a point, or a new one.
    #[inline]
    pub fn point_row(&mut self, index: u32, add: impl FnOnce() -> u32) -> u32 {
        self.points[index as usize].row(self.mark, add)
    }
}

fn grow<T: Clone + Default>(list: &mut Vec<T>, count: usize) {
    if list.len() < count {
        list.resize(count, T::default());
    }
}

/// The world's features near a box, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidates {
    pub faces: Vec<u32>,
    /// Those that are not internal.
    pub edges: Vec<u32>,
    /// Those that have such an edge.
    pub points: Vec<u32>,
    pub seen: Seen,
    /// Room for the shadows of a polygon's corners.
    pub corners: Vec<DVec3>,
}

impl Candidates {
    /// All features of the world's polygons that meet the box and can be met.
    pub fn gather(&mut self, world: &Polyhedron, bounds: &Bounds) {
        let Self { faces, edges, points, seen, .. } = self;
        faces.clear();
        edges.clear();
        points.clear();
        seen.start(world);
        world.in_box(&bounds.node_box(), |index| {
            let face = &world.faces[index as usize];
            if face.sight == Sight::Open {
                faces.push(index);
            }
            for corner in world.loop_of(face) {
                if seen.edge(corner.edge) && !world.edges[corner.edge as usize].internal {
                    edges.push(corner.edge);
                }
                if seen.point(corner.point) && !world.blunt[corner.point as usize] {
                    points.push(corner.point);
                }
            }
        });
        if world.faces.is_empty() {
            world.anchor_tree.overlapping(&bounds.node_box(), |index| points.push(world.anchors[index as usize]));
        }
    }
}
