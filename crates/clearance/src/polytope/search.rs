//! Support search on a polytope, four ways: scanning all vertices, climbing from a hint, climbing from a direction table, and
//! descending a hierarchy. No search keeps state in the shape.
//!
//! Climbing (Q_COLLIDE, section 3.3) moves to the neighbour with the largest gain. A polytope lies in the cone that a
//! vertex spans with its neighbours, so a vertex without a better neighbour is a farthest one, plateaus included. In
//! floating point the gain is computed from the *edge*, `direction · (neighbour − here)`, not as a difference of two
//! products: it is then right to a few roundings of the edge's length, so that a long chain of tiny gains (finely divided,
//! nearly flat regions) is climbed to the end and the value lost over a whole walk is a few roundings of the body's size.
//! It ends because a step needs a positive gain; a cycle, possible only through rounding, is cut off after as many steps as
//! there are vertices, and a scan of all of them answers.

use glam::DVec3;

use super::{Casing, DirectionTable, Hierarchy, PolytopeError};
use crate::math::lanes::Lanes;
use crate::math::{Mat3, Real, Vec3, length};
use crate::support::{Support, SupportPoint, VertexId};

/// Up to this many vertices the default scans them all, without and with a hint (measured: `lab run support-search`).
const SCAN_LIMIT: usize = 224;
const SCAN_LIMIT_WITH_HINT: usize = 160;
/// From this many vertices on, the table's vertex is always compared with the hint (measured).
const TABLE_WITH_HINT_FROM: usize = 3_000;
/// From this many vertices on, a cold default search descends the hierarchy instead of climbing from the table (measured).
const HIERARCHY_FROM: usize = 2_000_000;

/// Where a search ended and how many vertices it looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Climb {
    /// A farthest vertex.
    pub vertex: u32,
    /// How many products with the direction it took.
    pub visited: usize,
}

/// Which vertices a climb has looked at, for the climbs with marks (Q_COLLIDE, section 3.3): a time stamp for each vertex and a counter of
/// climbs. It belongs to the caller and may serve any number of polytopes.
///
/// ```
/// use clearance::study::hill_climbing::Marks;
/// use clearance::{Polytope, Vec3};
/// let octahedron = Polytope::from_points(&[Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z])?;
/// let mut marks = Marks::default();
/// let direction = Vec3::new(1.0, 2.0, 3.0);
/// let search = octahedron.search();
/// let (plain, marked) = (search.climb(direction, 5), search.climb_marked(direction, 5, &mut marks));
/// assert_eq!(plain.vertex, marked.vertex);
/// assert!(marked.visited <= plain.visited);
/// # Ok::<(), clearance::PolytopeError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    /// Begins a climb on a polytope of so many vertices, none of which is marked.
    fn begin(&mut self, vertices: usize) {
        if self.stamps.len() < vertices {
            self.stamps.resize(vertices, 0);
        }
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Marks a vertex; whether it had no mark yet.
    #[inline]
    fn mark(&mut self, vertex: u32) -> bool {
        let stamp = &mut self.stamps[vertex as usize];
        let is_new = *stamp != self.now;
        *stamp = self.now;
        is_new
    }
}

/// The vertices of a polytope with their neighbours: all that a support query needs.
#[derive(Debug, Clone)]
pub struct SupportPolytope {
    points: Box<[Vec3]>,
    neighbour_starts: Box<[u32]>,
    neighbours: Box<[u32]>,
    lanes: Lanes,
    table: Option<DirectionTable>,
    hierarchy: Option<Hierarchy>,
    bounding_radius: Real,
    casing: Casing,
}

impl SupportPolytope {
    pub(super) fn unconnected(points: Vec<Vec3>) -> Self {
        let bounding_radius = points.iter().map(|&p| length(p)).fold(0.0, Real::max);
        let casing = Casing::new(&points);
        Self {
            points: points.into(),
            neighbour_starts: Box::default(),
            neighbours: Box::default(),
            lanes: Lanes::new(&[]),
            table: None,
            hierarchy: None,
            bounding_radius,
            casing,
        }
    }

    pub(super) fn connect(&mut self, starts: Vec<u32>, neighbours: Vec<u32>) {
        self.neighbour_starts = starts.into();
        self.neighbours = neighbours.into();
    }

    /// Builds what the default search uses at this size.
    pub(super) fn prepare(
        &mut self,
        scaled: &[DVec3],
        face_starts: &[u32],
        loops: &[u32],
    ) -> Result<(), PolytopeError> {
        if self.points.len() <= SCAN_LIMIT {
            self.lanes = Lanes::new(&self.points);
        }
        if self.points.len() <= SCAN_LIMIT_WITH_HINT {
            return Ok(());
        }
        if self.points.len() >= HIERARCHY_FROM {
            self.hierarchy = Some(Hierarchy::new(&self.points, scaled, face_starts, loops)?);
        }
        self.build_table();
        Ok(())
    }

    fn build_table(&mut self) {
        self.table = Some(DirectionTable::new(|direction, start| self.climb(direction, start).vertex));
    }

    pub(super) fn without_hierarchy(&self) -> Self {
        Self { hierarchy: None, ..self.clone() }
    }

    /// The vertices.
    #[inline]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The vertices joined to `vertex` by an edge, counter-clockwise seen from outside.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbours[self.neighbour_starts[v] as usize..self.neighbour_starts[v + 1] as usize]
    }

    /// The radius of the smallest ball about the local origin that contains all vertices.
    #[inline]
    pub fn bounding_radius(&self) -> Real {
        self.bounding_radius
    }

    /// Scanning all vertices: several at a time where they were laid out for it (small polytopes), else one by one.
    #[inline]
    pub fn scan(&self, direction: Vec3) -> Climb {
        let vertex =
            if self.lanes.is_empty() { self.scan_plain(direction) } else { self.lanes.farthest(direction) as u32 };
        Climb { vertex, visited: self.points.len() }
    }

    /// Scanning all vertices one by one.
    pub fn scan_plain(&self, direction: Vec3) -> u32 {
        let (mut best, mut best_value) = (0, Real::NEG_INFINITY);
        for (i, p) in self.points.iter().enumerate() {
            let value = p.dot(direction);
            if value > best_value {
                (best, best_value) = (i as u32, value);
            }
        }
        best
    }

    /// Climbing from a start vertex; one that does not exist stands for the first.
    #[inline]
    pub fn climb(&self, direction: Vec3, start: u32) -> Climb {
        let mut vertex = if (start as usize) < self.points.len() { start } else { 0 };
        let mut visited = 1;
        for _ in 0..self.points.len() {
            let here = self.points[vertex as usize];
            let (mut next, mut gain) = (vertex, 0.0);
            for &neighbour in self.neighbours(vertex) {
                let step = direction.dot(self.points[neighbour as usize] - here);
                // Selected, not branched on: which neighbour is best is as good as random.
                let better = step > gain;
                gain = if better { step } else { gain };
                next = if better { neighbour } else { next };
            }
            visited += self.neighbours(vertex).len();
            if next == vertex {
                return Climb { vertex, visited };
            }
            vertex = next;
        }
        Climb { vertex: self.scan_plain(direction), visited: visited + self.points.len() }
    }

    /// Climbing from a start vertex without looking twice at any vertex. What was looked at before is no farther than where the climb is
    /// now, but for rounding. It ends as [`SupportPolytope::climb`] does.
    pub fn climb_marked(&self, direction: Vec3, start: u32, marks: &mut Marks) -> Climb {
        let mut vertex = if (start as usize) < self.points.len() { start } else { 0 };
        marks.begin(self.points.len());
        marks.mark(vertex);
        let mut visited = 1;
        // Each step goes to a vertex marked for the first time: there are no more steps than vertices.
        loop {
            let here = self.points[vertex as usize];
            let (mut next, mut gain) = (vertex, 0.0);
            for &neighbour in self.neighbours(vertex) {
                if !marks.mark(neighbour) {
                    continue;
                }
                visited += 1;
                let step = direction.dot(self.points[neighbour as usize] - here);
                if step > gain {
                    (next, gain) = (neighbour, step);
                }
            }
            if next == vertex {
                return Climb { vertex, visited };
            }
            vertex = next;
        }
    }

    /// Climbing from the direction table's vertex, or from the first vertex where there is no table.
    #[inline]
    pub fn climb_from_table(&self, direction: Vec3) -> Climb {
        self.climb(direction, self.table.as_ref().map_or(0, |table| table.start(direction)))
    }

    /// Descending the hierarchy, or climbing from the table where there is none.
    #[inline]
    pub fn descend(&self, direction: Vec3) -> Climb {
        match &self.hierarchy {
            Some(hierarchy) => {
                let (vertex, visited) = hierarchy.farthest(direction);
                Climb { vertex, visited }
            }
            None => self.climb_from_table(direction),
        }
    }

    /// Two simple bodies around it.
    #[inline]
    pub fn casing(&self) -> &Casing {
        &self.casing
    }

    /// Whether the default climbs, with a hint or without, instead of looking at all vertices.
    #[inline]
    pub fn is_climbed(&self) -> bool {
        self.points.len() > SCAN_LIMIT
    }

    /// The default: the fastest way for this many vertices, with or without a hint.
    #[inline]
    pub fn farthest(&self, direction: Vec3, hint: VertexId) -> u32 {
        let count = self.points.len();
        if count <= SCAN_LIMIT_WITH_HINT || count <= SCAN_LIMIT && hint == VertexId::NONE {
            return self.lanes.farthest(direction) as u32;
        }
        self.farthest_of_many(direction, hint)
    }

    /// The least and the greatest products of all vertices with each of three directions, the columns of `directions`.
    /// Small polytopes are scanned once for all six; on others the search for each starts from the vertex in `hints`, lower
    /// and upper per direction, and leaves there the vertex it ended at.
    #[inline]
    pub fn extents(&self, directions: &Mat3, hints: &mut [[VertexId; 2]; 3]) -> [Vec3; 2] {
        if self.points.len() <= SCAN_LIMIT_WITH_HINT {
            return self.lanes.extents(directions);
        }
        let mut extents = [Vec3::ZERO; 2];
        for axis in 0..3 {
            let direction = directions.col(axis);
            for (side, direction) in [-direction, direction].into_iter().enumerate() {
                let hint = &mut hints[axis][side];
                *hint = VertexId(self.farthest(direction, *hint));
                extents[side][axis] = self.points[hint.index()].dot(directions.col(axis));
            }
        }
        extents
    }

    /// Apart, so that small polytopes do not pay for its registers.
    #[inline(never)]
    fn farthest_of_many(&self, direction: Vec3, hint: VertexId) -> u32 {
        if self.points.len() >= HIERARCHY_FROM && hint == VertexId::NONE {
            return self.descend(direction).vertex;
        }
        self.climb(direction, self.start(direction, hint)).vertex
    }

    /// Where the default starts climbing: at a hint that looks the right way (within 60° as seen from the origin), else at the
    /// better of the hint and the table's vertex. A hint of the last frame is good; one from the last step of an algorithm may
    /// be on the far side. On large polytopes the table's vertex is the nearer one soon, and is always asked.
    #[inline]
    fn start(&self, direction: Vec3, hint: VertexId) -> u32 {
        let hinted = self.points.get(hint.index());
        if let Some(p) = hinted.filter(|_| self.points.len() < TABLE_WITH_HINT_FROM) {
            let along = direction.dot(*p);
            if along > 0.0 && 4.0 * along * along > direction.length_squared() * p.length_squared() {
                return hint.0;
            }
        }
        let tabled = self.table.as_ref().map_or(0, |table| table.start(direction));
        match hinted {
            Some(&p) if direction.dot(p - self.points[tabled as usize]) >= 0.0 => hint.0,
            _ => tabled,
        }
    }

    /// The hierarchy, where it was built.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// Heap memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.points)
            + size_of_val(&*self.neighbour_starts)
            + size_of_val(&*self.neighbours)
            + self.lanes.memory_bytes()
            + self.table.as_ref().map_or(0, DirectionTable::memory_bytes)
            + self.hierarchy.as_ref().map_or(0, Hierarchy::memory_bytes)
    }

    /// Builds every search structure, whether its size calls for it or not. `scaled` are the points in predicate range.
    pub(super) fn build_all(
        &mut self,
        scaled: &[DVec3],
        face_starts: &[u32],
        loops: &[u32],
    ) -> Result<(), PolytopeError> {
        self.lanes = Lanes::new(&self.points);
        self.build_table();
        self.hierarchy = Some(Hierarchy::new(&self.points, scaled, face_starts, loops)?);
        Ok(())
    }
}

impl Support for SupportPolytope {
    #[inline]
    fn support(&self, direction: Vec3, hint: VertexId) -> SupportPoint {
        let vertex = self.farthest(direction, hint);
        SupportPoint { point: self.points[vertex as usize], vertex: VertexId(vertex) }
    }

    #[inline]
    fn vertex(&self, id: VertexId) -> Option<Vec3> {
        self.points.get(id.index()).copied()
    }
}
