//! A mesh and a convex shape that moves over it, frame after frame: whether they meet, with what is known from the frames before.
//!
//! A patch keeps the triangles around the shape: all whose boxes meet a ball somewhat larger than that around the shape. While the shape
//! stays in that ball no other triangle can meet it, and the tree of the mesh is not walked. A frame asks in turn, and ends where the
//! answer is certain:
//!
//! 1. Does the segment that passed through a triangle in the last frame, from the middle of the shape to another point of it, still do so?
//! 2. Is every triangle behind the plane that separated last, or behind a side of the shape's box? All corners are compared with these
//!    planes, several at a time; a triangle that has all its corners behind one of them is left out.
//! 3. Does the segment from the middle to the lowest point of the shape pass through a triangle that is left?
//! 4. Of each triangle that is left, does its own plane separate it, or a segment across that plane pass through it?
//! 5. What is open after that goes to the narrow phase. Every plane found on the way is tried on all triangles that are left.
//!
//! Corners are kept once each, in single precision and relative to the patch. What is concluded from them is certain beyond rounding and
//! beyond what counts as touching; all else is decided in step 5, as by [`meets`](super::meets), the plain twin. A patch belongs to one
//! mesh and one shape: whoever keeps it clears it for others.

use arrayvec::ArrayVec;

use super::boolean::{self, Posed};
use super::meeting::BodyCache;
use crate::answer::Witness;
use crate::math::{Aabb, Pose, Real, Vec3, narrow, pair_size, unit_or, widen, widen_real};
use crate::narrow::PairCache;
use crate::shape::Shape;
use crate::shape::mesh::Mesh;
use crate::support::{Support, VertexId};
use crate::tolerance::{PATCH_ERROR, sigma};

/// The most triangles, and the most corners, of a patch: one bit each.
const MOST: usize = 64;
/// How far the shape may move before the patch is made anew, relative to how far it reaches from its middle.
const ROOM: Real = 0.35;
/// No room: there is no patch.
const NONE: Real = -1.0;
/// For how many frames no patch is tried where triangles were too many.
const PAUSE: u32 = 16;

/// The triangles of a mesh around a convex shape, and what separated the two.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    /// The middle of the region: all triangles whose boxes meet that are in the patch. Corners are relative to it.
    center: Vec3,
    /// The rounding of a comparison with a corner.
    slack: f32,
    /// The corners by coordinate.
    places: [[f32; MOST]; 3],
    corner_count: usize,
    /// The corners of each triangle.
    corners: [[u8; 4]; MOST],
    triangles: [u32; MOST],
    triangle_count: usize,
    /// Of unit length, from the mesh towards the shape: that which separated last.
    direction: Vec3,
    hint: VertexId,
    pause: u32,
    /// A point of the shape in its own frame, and how far the shape reaches from it.
    middle: Vec3,
    reach: Real,
    /// How far the middle of the shape may be from the centre for all of the shape to be in the region.
    room: Real,
    /// A point of the shape in its own frame: the segment from the middle to it passed through the triangle met last.
    end: Vec3,
    /// The place of the triangle met last; none there if none was.
    met: usize,
    /// For the plain way.
    cache: BodyCache,
}

impl Default for Patch {
    fn default() -> Self {
        Self {
            center: Vec3::ZERO,
            slack: 0.0,
            places: [[0.0; MOST]; 3],
            corner_count: 0,
            corners: [[0; 4]; MOST],
            triangles: [0; MOST],
            triangle_count: 0,
            direction: Vec3::ZERO,
            hint: VertexId::NONE,
            pause: 0,
            middle: Vec3::ZERO,
            reach: 0.0,
            room: NONE,
            end: Vec3::ZERO,
            met: MOST,
            cache: BodyCache::default(),
        }
    }
}

impl Patch {
    /// Forgets everything, so that it may be of another mesh or shape.
    pub fn clear(&mut self) {
        (self.room, self.direction, self.hint, self.pause) = (NONE, Vec3::ZERO, VertexId::NONE, 0);
        (self.met, self.cache, self.triangle_count) = (MOST, BodyCache::default(), 0);
    }

    /// Whether the mesh of the patch and a convex shape have a point in common, and how many triangles or supports that took.
    pub fn meets(&mut self, mesh: &Mesh, pose_mesh: &Pose, shape: &Shape, pose_shape: &Pose) -> (bool, u32) {
        let pair = Posed { mesh, shape, pose: pose_shape.relative_to(pose_mesh) };
        let error = sigma(pair_size([mesh.bounding_radius(), shape.bounding_radius()], pair.pose.translation()));
        let margin = widen_real(2.0 * error) as f32 + self.slack;
        let away = pair.pose.point(self.middle) - self.center;
        // Farther away single precision is not good enough, and nothing is met.
        if self.met < self.triangle_count && away.length_squared() <= self.reach * self.reach {
            let ends = [away, pair.pose.point(self.end) - self.center].map(single);
            if self.passes(ends, self.met, margin) {
                return (true, 1);
            }
        }
        if !(away.length_squared() <= self.room * self.room.abs()) && !self.gather(&pair, error) {
            let answer = boolean::meets(mesh, pose_mesh, shape, pose_shape, &mut self.cache);
            return (answer.overlap, answer.iterations);
        }
        let (met, tested) = self.anew(&pair, error);
        self.met = met.unwrap_or(MOST);
        (met.is_some() || pair.inside().is_some(), tested)
    }

    /// A triangle that meets the shape, where that of the last frame does not tell, and how many looks and supports it took to find it.
    fn anew(&mut self, pair: &Posed<'_>, error: Real) -> (Option<usize>, u32) {
        let lowest = self.lowest(pair);
        let height = self.height(pair, lowest, error);
        let mut left = self.left_by_plane(height);
        if left == 0 {
            return (None, 1);
        }
        left &= self.left_by_box(&pair.shape.aabb(&pair.pose).grown(2.0 * error));
        if left == 0 {
            return (None, 1);
        }
        let ends = [self.middle, lowest].map(|point| single(pair.pose.point(point) - self.center));
        let margin = widen_real(2.0 * error) as f32 + self.slack;
        if let Some(place) = places(left).find(|&place| self.passes(ends, place, margin)) {
            self.end = lowest;
            return (Some(place), 1);
        }
        self.search(pair, left, error)
    }

    /// A triangle that meets the shape, of those whose bits are set, and how many looks and supports that took.
    fn search(&mut self, pair: &Posed<'_>, mut left: u64, error: Real) -> (Option<usize>, u32) {
        let (mut open, mut tested) = (0, 1);
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            tested += 1;
            match self.look(pair, place, error) {
                Some(true) => return (Some(place), tested),
                Some(false) => (left, open) = self.without(pair, [left, open], error),
                None => open |= 1 << place,
            }
        }
        while open != 0 {
            let place = open.trailing_zeros() as usize;
            open &= open - 1;
            let answer = pair.test(self.triangles[place % MOST], &mut PairCache::along(self.direction));
            tested += answer.iterations.max(1);
            if answer.overlap {
                return (Some(place), tested);
            }
            if let Witness::Plane { normal, .. } = answer.witness {
                self.direction = normal;
                (open, _) = self.without(pair, [open, 0], error);
            }
        }
        (None, tested)
    }

    /// What remains of two sets of triangles without those that the plane across the direction separates from the shape.
    fn without(&mut self, pair: &Posed<'_>, [first, second]: [u64; 2], error: Real) -> (u64, u64) {
        if first | second == 0 {
            return (0, 0);
        }
        let lowest = self.lowest(pair);
        let height = self.height(pair, lowest, error);
        let left = self.left_by_plane(height);
        (first & left, second & left)
    }

    /// A look at one triangle with one support: whether its plane separates it from the shape, or else the segment from the middle of
    /// the shape to its lowest point passes through it. Nothing if that does not tell.
    fn look(&mut self, pair: &Posed<'_>, place: usize, error: Real) -> Option<bool> {
        let [a, b, c] = self.triangle(place);
        let middle = pair.pose.point(self.middle) - self.center;
        let upright = (b - a).cross(c - a);
        let square = upright.length_squared();
        if !is_plain(square) {
            return None;
        }
        let turn = if upright.dot(single(middle) - a) < 0.0 { -1.0 } else { 1.0 };
        let unit = upright * (turn / square.sqrt());
        let before = std::mem::replace(&mut self.direction, narrow(unit.as_dvec3()));
        let lowest = self.lowest(pair);
        let end = pair.pose.point(lowest) - self.center;
        let low = single(end);
        let margin = widen_real(2.0 * error) as f32 + self.slack;
        if [a, b, c].iter().all(|&corner| unit.dot(low - corner) > margin) {
            return Some(false);
        }
        self.direction = before;
        let passes = self.passes([single(middle), low], place, margin);
        if passes {
            self.end = lowest;
        }
        passes.then_some(true)
    }

    /// Whether a segment passes through a triangle, for certain: each end is a margin away from its plane, and the point in between from its
    /// sides. The plane of a thin triangle is known less well, by as much as it is thin.
    fn passes(&self, [from, to]: [glam::Vec3; 2], place: usize, margin: f32) -> bool {
        let [a, b, c] = self.triangle(place);
        let sides = [b - a, c - b, a - c];
        let upright = sides[2].cross(sides[0]);
        let square = upright.length_squared();
        let (high, low) = (upright.dot(from - a), upright.dot(to - a));
        if !(high * low < 0.0 && is_plain(square)) {
            return false;
        }
        let squares = sides.map(glam::Vec3::length_squared);
        let length = square.sqrt();
        let most = margin * length + self.slack * squares[0].max(squares[1]).max(squares[2]);
        if !(high.abs().min(low.abs()) > most) {
            return false;
        }
        let through = from + (to - from) * (high / (high - low));
        [a, b, c].into_iter().zip(sides).zip(squares).all(|((corner, side), square)| {
            let inside = side.cross(through - corner).dot(upright);
            inside > 0.0 && inside * inside > most * most * square
        })
    }

    #[inline]
    fn triangle(&self, place: usize) -> [glam::Vec3; 3] {
        let [a, b, c, _] = self.corners[place % MOST];
        [a, b, c].map(|corner| self.corner(corner))
    }

    #[inline]
    fn corner(&self, corner: u8) -> glam::Vec3 {
        glam::Vec3::from_array(self.places.each_ref().map(|row| row[corner as usize % MOST]))
    }

    /// Takes the triangles around the shape into the patch; false if they are too many.
    fn gather(&mut self, pair: &Posed<'_>, error: Real) -> bool {
        let was = std::mem::replace(&mut self.room, NONE);
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        if self.direction == Vec3::ZERO {
            self.direction = Vec3::Z;
            (self.middle, self.reach) = pair.ball();
            self.end = self.middle;
        }
        let known = self.triangles[..self.triangle_count].get(self.met).copied();
        (self.triangle_count, self.met) = (0, MOST);
        let middle = pair.pose.point(self.middle);
        // A shape that has moved out of the last region is likely to go on that way.
        let ahead = if was > 0.0 { unit_or(middle - self.center, Vec3::ZERO) * 0.5 } else { Vec3::ZERO };
        // Distances from the centre are rounded, and what touches within the error counts.
        let reach = self.reach + 4.0 * error;
        for room in [self.reach * ROOM, self.reach * (0.25 * ROOM)] {
            if self.take(pair.mesh, middle + ahead * room, reach + room) {
                self.room = room;
                self.met = self.triangles.iter().position(|&triangle| Some(triangle) == known).unwrap_or(MOST);
                return true;
            }
        }
        self.pause = PAUSE;
        false
    }

    /// Takes the triangles whose boxes meet a ball into the patch; false if they are too many, or too large for single precision.
    fn take(&mut self, mesh: &Mesh, center: Vec3, radius: Real) -> bool {
        let (around, wide) = (single(center), widen_real(radius) as f32);
        let wide = wide * (1.0 + f32::EPSILON) + around.abs().element_sum() * f32::EPSILON;
        if !(wide * wide < f32::MAX) {
            return false;
        }
        let (mut count, mut is_full) = (0, false);
        mesh.wide_tree().meeting_ball(around, wide, |triangle| {
            is_full = count == MOST;
            if !is_full {
                self.triangles[count] = triangle;
                count += 1;
            }
            !is_full
        });
        if is_full || !self.take_corners(mesh, center, count) {
            return false;
        }
        let rows = self.places.iter().map(|row| &row[..self.corner_count]);
        let extent = rows.flatten().fold(widen_real(radius) as f32, |extent, x| extent.max(x.abs()));
        (self.center, self.slack) = (center, extent * PATCH_ERROR + f32::MIN_POSITIVE);
        self.triangle_count = count;
        true
    }

    /// Takes the corners of the first so many triangles, each once; false if they are too many.
    fn take_corners(&mut self, mesh: &Mesh, center: Vec3, count: usize) -> bool {
        let mut vertices = ArrayVec::<u32, MOST>::new();
        // Where each vertex may be in the list, by its last bits and beyond.
        let mut table = [u8::MAX; 2 * MOST];
        for place in 0..count {
            for (corner, vertex) in mesh.triangle_corners(self.triangles[place]).into_iter().enumerate() {
                let mut at = vertex as usize % table.len();
                while vertices.get(table[at] as usize).is_some_and(|&known| known != vertex) {
                    at = (at + 1) % table.len();
                }
                if table[at] == u8::MAX {
                    table[at] = vertices.len() as u8;
                    if vertices.try_push(vertex).is_err() {
                        return false;
                    }
                }
                self.corners[place][corner] = table[at];
            }
        }
        for (place, &vertex) in vertices.iter().enumerate() {
            let local = single(mesh.vertices()[vertex as usize] - center);
            for axis in 0..3 {
                self.places[axis][place] = local[axis];
            }
        }
        self.corner_count = vertices.len();
        true
    }

    /// The point of the shape that is lowest along the direction, in the shape's frame.
    #[inline]
    fn lowest(&mut self, pair: &Posed<'_>) -> Vec3 {
        let down = pair.pose.direction_to_local(-self.direction);
        let lowest = pair.shape.core().support(down, self.hint);
        self.hint = lowest.vertex;
        lowest.point + down * pair.shape.radius()
    }

    /// How high above the centre the lowest point of the shape is along the direction, less what counts as touching and rounding.
    #[inline]
    fn height(&self, pair: &Posed<'_>, lowest: Vec3, error: Real) -> f32 {
        let along = self.direction.dot(pair.pose.point(lowest) - self.center);
        widen_real(along - 2.0 * error) as f32 - self.slack
    }

    /// A bit for each triangle that no side of the box separates from it.
    fn left_by_box(&self, bounds: &Aabb) -> u64 {
        let low = single(bounds.min - self.center) - glam::Vec3::splat(self.slack);
        let high = single(bounds.max - self.center) + glam::Vec3::splat(self.slack);
        self.triangles_left(|x, y, z| {
            u32::from(x < low.x)
                | u32::from(x > high.x) << 1
                | u32::from(y < low.y) << 2
                | u32::from(y > high.y) << 3
                | u32::from(z < low.z) << 4
                | u32::from(z > high.z) << 5
        })
    }

    /// A bit for each triangle that the plane at a height along the direction does not separate from the shape.
    fn left_by_plane(&self, height: f32) -> u64 {
        let d = single(self.direction);
        self.triangles_left(|x, y, z| u32::from(d.x * x + d.y * y + d.z * z < height))
    }

    /// A bit for each triangle whose corners have no bit of their codes in common.
    #[inline]
    fn triangles_left(&self, code: impl Fn(f32, f32, f32) -> u32) -> u64 {
        let mut codes = [0; MOST];
        let [x, y, z] = self.places.each_ref().map(|row| &row[..self.corner_count.min(MOST)]);
        for (((known, &x), &y), &z) in codes.iter_mut().zip(x).zip(y).zip(z) {
            *known = code(x, y, z);
        }
        let mut left = 0;
        for (place, &[a, b, c, _]) in self.corners[..self.triangle_count.min(MOST)].iter().enumerate() {
            let common = [a, b, c].iter().fold(u32::MAX, |all, &corner| all & codes[corner as usize % MOST]);
            left |= u64::from(common == 0) << place;
        }
        left
    }
}

/// The places of the bits that are set.
#[inline]
fn places(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < MOST).then_some(first)
    })
}

/// Whether a squared length is right to rounding.
#[inline]
fn is_plain(square: f32) -> bool {
    square > f32::MIN_POSITIVE / f32::EPSILON && square < f32::MAX
}

/// In single precision, rounded.
#[inline]
fn single(v: Vec3) -> glam::Vec3 {
    widen(v).as_vec3()
}
