//! Sweep and prune in each region of a partition of space: the first two steps of Q_COLLIDE's pipeline (section 3.1).
//!
//! Space is cut into equal boxes, the outermost of which go on without end. A body is listed in every region that its box touches, and each
//! region has three sorted axes of its own, kept in order by insertion as in [`SweepAndPrune`](super::SweepAndPrune): ends of bodies in different
//! regions are never exchanged, which is what the partition saves. Two boxes that overlap have a point in common and therefore
//! the region of that point. If they did not overlap before and both were listed there, an exchange there tells; if one
//! has only entered the region, its ends come in from the far end of each axis and pass the ends of the other.
//!
//! The thesis says no more about the partition than "spatial partitioning". Here it has about [`PER_REGION`] bodies to a region and follows
//! the bodies: it is made anew when their number has doubled or halved, or what they span has changed. Bodies that touch more than [`MOST_REGIONS`] regions, infinite ones among them, are in no region but in a tree, which every other body is looked up in.

use super::pairs::{Pairs, ordered};
use super::sweep::{End, find_by_tree, merge, patience, sort_by_insertion, sort_ends};
use super::{Bodies, BroadPhase, Pair, Update};
use crate::bvh::{Bvh, NodeBox};
use crate::math::{Aabb, Vec3, widen};
use glam::DVec3;

/// Bodies to a region if they are spread evenly.
const PER_REGION: f64 = 64.0;
/// Most regions along an axis.
const MOST_ALONG: f64 = 32.0;
/// A body in more regions than this is kept in the tree.
const MOST_REGIONS: usize = 27;
/// A region is at least so many times as large as the mean box.
const ROOM: f64 = 2.0;
/// The partition is made anew if an end of what the bodies span has moved by more than this, relative to its extent.
const DRIFT: f64 = 0.25;

/// The regions that a box touches, from the first to the last along each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    first: [u8; 3],
    last: [u8; 3],
}

impl Span {
    /// Of a body that is in no region.
    const NONE: Self = Self { first: [1; 3], last: [0; 3] };

    fn has(&self, at: [u8; 3]) -> bool {
        (0..3).all(|axis| self.first[axis] <= at[axis] && at[axis] <= self.last[axis])
    }

    fn count(&self) -> usize {
        (0..3).map(|axis| (usize::from(self.last[axis]) + 1).saturating_sub(usize::from(self.first[axis]))).product()
    }

    fn each(&self, mut visit: impl FnMut([u8; 3])) {
        for z in self.first[2]..=self.last[2] {
            for y in self.first[1]..=self.last[1] {
                (self.first[0]..=self.last[0]).for_each(|x| visit([x, y, z]));
            }
        }
    }
}

/// What the moving bodies with finite boxes are like.
#[derive(Debug, Clone, Copy)]
struct Census {
    count: usize,
    /// The box of the bodies' middles.
    min: DVec3,
    max: DVec3,
    /// The mean size of their boxes.
    mean: DVec3,
}

impl Census {
    const NOBODY: Self = Self { count: 0, min: DVec3::INFINITY, max: DVec3::NEG_INFINITY, mean: DVec3::ZERO };

    fn of(bodies: &Bodies) -> Self {
        let mut all = Self::NOBODY;
        for (_, bounds) in bodies.iter_moving() {
            let (min, max) = (widen(bounds.min), widen(bounds.max));
            let (middle, size) = (min * 0.5 + max * 0.5, max - min);
            if middle.is_finite() && size.is_finite() {
                (all.min, all.max) = (all.min.min(middle), all.max.max(middle));
                all.count += 1;
                all.mean += (size - all.mean) / all.count as f64;
            }
        }
        all
    }

    /// Whether a partition made for these bodies is still good for those.
    fn is_like(&self, other: &Self) -> bool {
        let is_as_many = other.count <= 2 * self.count && self.count <= 2 * other.count;
        let extent = self.max - self.min;
        let slack = DRIFT * extent.max(DVec3::splat(extent.max_element() / MOST_ALONG)).max(self.mean);
        let stays = |was: DVec3, is: DVec3| (was - is).abs().cmple(slack).all();
        is_as_many && stays(self.min, other.min) && stays(self.max, other.max)
    }
}

/// How space is cut: from `min` on, `along` regions of this `size` along each axis.
#[derive(Debug, Clone, Copy)]
struct Partition {
    min: DVec3,
    size: DVec3,
    along: [u8; 3],
    made_for: Census,
}

impl Partition {
    const WHOLE: Self = Self { min: DVec3::ZERO, size: DVec3::ONE, along: [1; 3], made_for: Census::NOBODY };

    /// As many regions along an axis as it is long, relative to the others, but none that a usual body would mostly fill.
    fn new(made_for: Census) -> Self {
        let extent = made_for.max - made_for.min;
        let shares = (extent / extent.max_element()).max(DVec3::splat(1.0 / MOST_ALONG));
        let wanted = (made_for.count as f64 / PER_REGION).max(1.0);
        let unit = (wanted / shares.to_array().iter().product::<f64>()).cbrt();
        let along = (shares * unit).round().min(extent / (ROOM * made_for.mean));
        let along = along.to_array().map(|count| count.clamp(1.0, MOST_ALONG) as u8);
        let size = extent / DVec3::from_array(along.map(f64::from));
        let is_good = size.is_finite() && size.min_element() >= 0.0 && along.iter().all(|&count| count > 0);
        if is_good { Self { min: made_for.min, size, along, made_for } } else { Self { made_for, ..Self::WHOLE } }
    }

    /// The region of a coordinate: monotone, so that a box touches all regions between those of its corners.
    #[inline]
    fn region(&self, axis: usize, at: f64) -> u8 {
        let place = (at - self.min[axis]) / self.size[axis];
        // A number that is none, in a partition without extent, is the first region; conversion cuts off at both ends.
        (place as i64).clamp(0, i64::from(self.along[axis]) - 1) as u8
    }

    fn span(&self, bounds: &Aabb) -> Span {
        let of = |corner: Vec3| [0, 1, 2].map(|axis| self.region(axis, widen(corner)[axis]));
        Span { first: of(bounds.min), last: of(bounds.max) }
    }

    fn index(&self, at: [u8; 3]) -> usize {
        let [x, y, z] = at.map(usize::from);
        (z * usize::from(self.along[1]) + y) * usize::from(self.along[0]) + x
    }
}

/// One region: where it is, and the ends of the boxes that touch it.
#[derive(Debug, Clone, Default)]
struct Region {
    at: [u8; 3],
    axes: [Vec<End>; 3],
}

/// Sweep and prune in each region of a partition of space.
#[derive(Debug, Clone)]
pub struct PartitionedSweep {
    bodies: Bodies,
    pairs: Pairs,
    partition: Partition,
    regions: Vec<Region>,
    /// The regions of each body by number.
    spans: Vec<Span>,
    begun: Vec<Pair>,
    /// Bodies in too many regions.
    wide: Vec<u32>,
    tree: Bvh,
    exchanges: usize,
}

impl Default for PartitionedSweep {
    fn default() -> Self {
        Self::new()
    }
}

impl PartitionedSweep {
    /// Without bodies.
    pub fn new() -> Self {
        Self {
            bodies: Bodies::default(),
            pairs: Pairs::default(),
            partition: Partition::WHOLE,
            regions: vec![Region::default()],
            spans: Vec::new(),
            begun: Vec::new(),
            wide: Vec::new(),
            tree: Bvh::default(),
            exchanges: 0,
        }
    }

    /// Exchanges of neighbouring ends that the last update made, in all regions together.
    pub fn exchanges(&self) -> usize {
        self.exchanges
    }

    /// Regions of the partition.
    pub fn regions(&self) -> usize {
        self.regions.len()
    }

    /// Makes the partition anew if the bodies have outgrown it; the regions are empty then.
    fn repartition(&mut self) {
        let census = Census::of(&self.bodies);
        if census.count == 0 || self.partition.made_for.is_like(&census) {
            return;
        }
        self.partition = Partition::new(census);
        let [x, y, z] = self.partition.along;
        self.regions.resize_with(usize::from(x) * usize::from(y) * usize::from(z), Region::default);
        let all = Span { first: [0; 3], last: self.partition.along.map(|count| count - 1) };
        let Self { partition, regions, .. } = self;
        all.each(|at| {
            let region = &mut regions[partition.index(at)];
            region.at = at;
            region.axes.iter_mut().for_each(Vec::clear);
        });
        self.spans.fill(Span::NONE);
    }

    /// Lists the bodies in the regions that they touch now, and takes over their boxes.
    fn refresh(&mut self) {
        let Self { bodies, partition, regions, spans, wide, .. } = self;
        spans.resize(bodies.capacity(), Span::NONE);
        wide.clear();
        for id in bodies.removed() {
            if !bodies.contains(*id) || bodies.is_fixed(*id) {
                spans[*id as usize] = Span::NONE;
            }
        }
        for &id in bodies.moving() {
            let span = bodies.get(id).map_or(Span::NONE, |bounds| partition.span(bounds));
            let is_wide = span.count() > MOST_REGIONS;
            if is_wide {
                wide.push(id);
            }
            let span = if is_wide { Span::NONE } else { span };
            let before = std::mem::replace(&mut spans[id as usize], span);
            if before != span {
                span.each(|at| {
                    if !before.has(at) {
                        let axes = &mut regions[partition.index(at)].axes;
                        axes.iter_mut().for_each(|ends| ends.extend(End::both(id)));
                    }
                });
            }
        }
        for Region { at, axes } in regions {
            for (axis, ends) in axes.iter_mut().enumerate() {
                ends.retain(|end| spans[end.body() as usize].has(*at));
                ends.iter_mut().for_each(|end| end.follow(bodies, axis));
            }
        }
    }

    /// Sorts all axes of all regions by insertion; whether it was worth it.
    fn insert_all(&mut self) -> bool {
        let Self { bodies, regions, begun, exchanges, .. } = self;
        let ends = |region: &Region| region.axes[0].len();
        let patience: usize = regions.iter().map(|region| patience(ends(region))).sum();
        let mut left = patience;
        let sorted = regions.iter_mut().flat_map(|region| &mut region.axes).all(|ends| {
            sort_by_insertion(ends, &mut left, |a, b| {
                if bodies.overlap(a, b) {
                    begun.push(ordered(a, b));
                }
            })
        });
        *exchanges = if sorted { patience - left } else { patience };
        sorted
    }

    /// Pairs with bodies that are in no region.
    fn pairs_of_wide(&mut self) {
        let Self { bodies, begun, wide, tree, .. } = self;
        if wide.is_empty() {
            return;
        }
        tree.build(wide.iter().filter_map(|&id| Some((id, NodeBox::enclosing(bodies.get(id)?)))));
        let enough = begun.len().saturating_add(bodies.most_pairs());
        for (id, bounds) in bodies.iter_moving() {
            tree.overlapping(&NodeBox::enclosing(bounds), |other| {
                if other != id && bodies.overlap(id, other) {
                    begun.push(ordered(id, other));
                }
            });
            // Each pair of two wide bodies is found twice: what is found so far is more than half of what there is.
            if begun.len() / 2 > enough {
                break;
            }
        }
    }
}

impl BroadPhase for PartitionedSweep {
    fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn update(&mut self) -> Update<'_> {
        self.bodies.prepare();
        self.repartition();
        self.refresh();
        self.begun.clear();
        // The pairs before an update that was not complete are none to go on from.
        if !self.pairs.is_overfull() && self.insert_all() {
            self.pairs_of_wide();
            merge(&self.bodies, &mut self.pairs, &mut self.begun);
        } else {
            self.regions.iter_mut().flat_map(|region| &mut region.axes).for_each(|ends| sort_ends(ends));
            find_by_tree(&self.bodies, &mut self.tree, self.pairs.found());
        }
        self.bodies.pairs_with_fixed(self.pairs.found());
        self.pairs.finish(&mut self.bodies);
        self.pairs.update()
    }
}
