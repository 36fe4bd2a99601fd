//! Turning edges against resting edges (sections 2.5 and 3.4).
//!
//! The determinant of two lines is the product of the moment of one and the direction of the other, both ways round; it is a wave.
//! Its zeros with the line of the expanded planes tell when the edges come within half the zone, its zeros with the edge itself
//! when they meet. Both are solved in pairs of doubles: edges that are all but parallel lose as many digits as their angle has.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::super::translation::{across, cross_within, crossing, is_between};
use super::super::wave::{Low, Roots, Wave, last_before, precise_roots};
use super::arc::Arc;
use super::rings::Ring;
use super::sweep::Sweep;
use crate::ccd::polyhedra::answer::Feature;
use crate::ccd::polyhedra::first::Contact;
use crate::ccd::polyhedra::parts::Edge;
use crate::math::exact::{Pair, Pair3};
use crate::tolerance::{SAME_DIRECTION, SIDE_ERROR, SIDE_MARGIN};

/// Two edges at some place on the arc.
struct Crossing {
    normal: DVec3,
    point: DVec3,
    /// The height of the turning line above the resting one.
    height: f64,
    /// Half the zone, where the planes beside the resting edge are moved out by it.
    half: f64,
    /// How fast the turning edge moves along the normal there, per radian.
    speed: f64,
    /// The direction across both is out of both wedges.
    is_contact: bool,
    /// The lines cross between the ends of both, or as near as the zone is thick.
    within: bool,
}

impl Crossing {
    fn is_low(&self, zone: f64) -> bool {
        self.height < self.half && self.height >= -zone
    }
}

/// The two lines in pairs of doubles: the directions u and w, a place c of the resting one, and products with the moment of the
/// turning one.
struct Lines {
    axis: Pair3,
    u: Pair3,
    turned: Pair3,
    w: Pair3,
    c: Pair3,
    along: Pair,
    start: Pair,
    sine: Pair,
    constant: Pair,
}

impl Lines {
    /// Where the lines meet when the resting one is moved by so much; and the wave, rounded.
    fn meetings(&self, out: DVec3) -> (Roots, Wave) {
        let z = self.w.cross(&self.c.plus(&Pair3::from(out)));
        let start = self.start - z.dot(&self.u);
        let constant = self.constant - z.dot(&self.axis) * self.along;
        let sine = self.sine - z.dot(&self.turned);
        let cosine = start - constant;
        let wave = Wave { start: start.round(), cosine: cosine.round(), sine: sine.round() };
        (precise_roots(start - cosine - cosine, sine, start), wave)
    }
}

struct EdgePair<'a> {
    ends: [DVec3; 2],
    into: [DVec3; 2],
    /// How far a direction may be outside the polygons beside the moving edge.
    wedge: f64,
    fixed: [DVec3; 2],
    theirs: &'a Edge,
    /// Where the resting line goes when the planes beside it are moved out by one: to the mitre; if that was drawn back, it is
    /// also moved out with each plane alone.
    outs: ArrayVec<DVec3, 3>,
    about: Arc,
    zone: f64,
}

impl Sweep<'_> {
    /// An edge of the world against the body's edges.
    pub(super) fn edge_on_body(&mut self, index: u32) {
        let (world, rings) = (self.world, self.rings);
        let theirs = &world.edges[index as usize];
        let fixed = theirs.ends.map(|v| world.points[v as usize]);
        if self.shortcuts.back_edges && !theirs.has_no_back() && !self.edge_is_approached(fixed, theirs.polygons) {
            self.counts.back_edges += 1;
            return;
        }
        let ring = Ring::of_segment(fixed.map(|p| rings.of(p)));
        for (own, _) in rings.edges.iter().filter(|(_, own)| own.overlaps(&ring)) {
            self.counts.edge_edge += 1;
            let pair = self.edge_pair(*own, index);
            if !pair.may_meet() {
                continue;
            }
            let features = [Feature::Edge(index), Feature::Edge(*own)];
            let lines = pair.lines();
            for (at, crossing) in pair.outs.iter().flat_map(|&out| pair.contacts(&lines, out)) {
                let (normal, point) = (crossing.normal, crossing.point);
                self.first.offer(Contact { at, normal, point, features });
            }
        }
    }
}

impl<'a> Sweep<'a> {
    fn edge_pair(&self, own: u32, index: u32) -> EdgePair<'a> {
        let (world, about, zone) = (self.world, self.about, self.zone);
        let theirs = &world.edges[index as usize];
        let fixed = theirs.ends.map(|v| world.points[v as usize]);
        let edge = &self.body.edges[own as usize];
        let ends = edge.ends.map(|v| self.posed.points[v as usize]);
        let mut outs = ArrayVec::from_iter([theirs.outset]);
        if theirs.is_sharp() {
            outs.extend(theirs.polygons.iter().filter_map(|&f| world.faces.get(f as usize)).map(|f| f.normal));
        }
        EdgePair { ends, into: self.posed.into[own as usize], wedge: edge.wedge, fixed, theirs, outs, about, zone }
    }

    /// The place on the arc by which two edges have gone through each other, from a place where they were apart.
    pub(super) fn edges_met_by(&self, own: u32, theirs: u32, at: f64) -> Option<f64> {
        let (pair, zone) = (self.edge_pair(own, theirs), self.zone);
        let out = pair.theirs.outset;
        let first = pair.at(at, out)?;
        if !(first.height >= 0.25 * zone && first.speed < 0.0) {
            return None;
        }
        // Ever farther on, until the edges are a zone behind each other; the crossing must stay on both all the way.
        let step = (first.height + 2.0 * zone) / -first.speed * 0.5 * (1.0 + at * at);
        (0..6).map(|i| at + step * f64::from(1 << i)).take_while(|&to| to <= self.about.limit).find(|&to| {
            let within = |r: f64, there: &Crossing, margin: f64| {
                cross_within(pair.ends.map(|p| self.about.at(p, r)), pair.fixed, there.normal, -margin)
            };
            pair.at(to, out).is_some_and(|there| {
                let margin = zone + (there.point - first.point).length();
                let same = there.normal.dot(first.normal) > SAME_DIRECTION;
                same && there.height <= -zone && within(at, &first, margin) && within(to, &there, margin)
            })
        })
    }
}

impl EdgePair<'_> {
    /// Whether the determinant comes near to zero on the arc, in plain doubles with their error.
    fn may_meet(&self) -> bool {
        let Arc { axis, origin, limit } = self.about;
        let (a, u) = (self.ends[0] - origin, self.ends[1] - self.ends[0]);
        let (c, w) = (self.fixed[0] - origin, self.fixed[1] - self.fixed[0]);
        let (moment, z) = (a.cross(u), w.cross(c));
        let start = w.dot(moment) - z.dot(u);
        let constant = w.dot(axis) * axis.dot(moment) - z.dot(axis) * axis.dot(u);
        let (cosine, sine) = (start - constant, w.dot(axis.cross(moment)) - z.dot(axis.cross(u)));
        let lengths = u.length() * w.length();
        let slack = lengths * (4.0 * SIDE_ERROR * (a.length() + c.length()) + self.zone * self.theirs.outset.length());
        let square = limit * limit;
        let change = (sine.abs() * 2.0 * limit + cosine.abs() * 2.0 * square) / (1.0 + square);
        start.abs() <= change + slack && constant.abs() <= sine.hypot(cosine) + slack
    }

    /// What of the determinant does not depend on where the resting line is moved to.
    fn lines(&self) -> Lines {
        let axis = Pair3::from(self.about.axis).unit();
        let a = Pair3::difference(self.ends[0], self.about.origin);
        let u = Pair3::difference(self.ends[1], self.ends[0]);
        let w = Pair3::difference(self.fixed[1], self.fixed[0]);
        let c = Pair3::difference(self.fixed[0], self.about.origin);
        let moment = a.cross(&u);
        let (turned, side) = (axis.cross(&u), axis.cross(&moment));
        let constant = w.dot(&axis) * axis.dot(&moment);
        Lines { along: axis.dot(&u), start: w.dot(&moment), sine: w.dot(&side), constant, axis, u, turned, w, c }
    }

    /// How the edges stand to each other at a place on the arc; none if they are parallel.
    fn at(&self, r: f64, out: DVec3) -> Option<Crossing> {
        let ends = self.ends.map(|p| self.about.at(p, r));
        let point = crossing(ends, self.fixed);
        // The two sides of a sharp edge are told apart by where the other one goes.
        let towards = if self.outs.len() > 1 { -self.about.velocity(point) } else { out };
        let normal = across(ends, self.fixed, towards, self.zone)?;
        let into = self.into.map(|v| self.about.direction_at(v, r));
        let is_contact =
            is_between(normal, &self.theirs.into, self.theirs.wedge) && is_between(-normal, &into, self.wedge);
        let half = 0.5 * self.zone * out.dot(normal);
        let height = normal.dot(ends[0] - self.fixed[0]);
        let within = cross_within(ends, self.fixed, normal, SIDE_MARGIN * self.zone);
        let speed = normal.dot(self.about.velocity(point + normal * height));
        Some(Crossing { normal, point, height, half, speed, is_contact, within })
    }

    /// The contacts on the arc, where they are reported.
    fn contacts(&self, lines: &Lines, out: DVec3) -> ArrayVec<(f64, Crossing), 3> {
        let (halves, wave) = lines.meetings(out * (0.5 * self.zone));
        let limit = self.about.limit;
        let mut froms = ArrayVec::<(f64, bool), 3>::new();
        if let Some(start) = self.at(0.0, out).filter(|start| start.is_low(self.zone)) {
            let is_low = |&r: &f64| r <= limit && self.at(r, out).is_some_and(|top| top.is_low(self.zone));
            let turning = if start.speed < 0.0 { None } else { turning_point(&wave).filter(is_low) };
            froms.push((turning.unwrap_or(0.0), true));
        }
        froms.extend(halves.iter().copied().filter(|&from| from <= limit).map(|from| (from, false)));
        if froms.is_empty() {
            return ArrayVec::new();
        }
        let (surface, _) = lines.meetings(DVec3::ZERO);
        let (below, _) = lines.meetings(out.normalize_or_zero() * (-0.5 * self.zone));
        let low = |from: f64, starts: bool| {
            // What starts at the surface may pass it at once, by rounding.
            let passed = if starts { &below } else { &surface };
            let to = halves.iter().chain(passed).copied().filter(|&r| r > from).fold(limit, f64::min);
            Low { from, to, report: from }
        };
        froms.into_iter().filter_map(|(from, starts)| self.contact(&low(from, starts), out, starts)).collect()
    }

    /// Whether a stretch in the lower half of the zone is a contact, and where it began.
    fn contact(&self, low: &Low, out: DVec3, starts: bool) -> Option<(f64, Crossing)> {
        // Moving out of the zone, unless it starts in it.
        if !starts && self.at(low.from, out).is_some_and(|here| here.speed > 0.0) {
            return None;
        }
        let stops = low.to >= self.about.limit;
        let blocks = |r: f64| {
            let here = self.at(r, out).filter(|here| here.within && here.is_contact && here.height >= -self.zone)?;
            let moves_in = here.speed < 0.0;
            // The end of a stretch counts at the surface; where the next stretch begins, it is that one's.
            let sinks = match (stops, starts) {
                (false, _) => moves_in,
                // What spins on the spot sinks by rounding only.
                (true, true) => here.speed < -self.zone,
                (true, false) => true,
            };
            let sunk = sinks && here.height < 0.75 * here.half;
            (if r > low.from { sunk } else { moves_in }).then_some(here)
        };
        if let Some(found) = blocks(low.from) {
            // Back to where the whole zone was entered: by the speed, or by what an arc rises at least.
            let arm = (found.point - self.about.origin).length();
            let back = (found.half / found.speed.abs()).min((self.zone / arm).sqrt());
            let back = if back.is_finite() { back * 0.5 * (1.0 + low.from * low.from) } else { 0.0 };
            return Some(((low.from - back).max(0.0), found));
        }
        let found = blocks(low.to)?;
        Some((
            last_before(low.from, low.to, |r| self.at(r, out).is_some_and(|here| here.within && here.is_contact)),
            found,
        ))
    }
}

/// Where a wave turns first, up or down.
fn turning_point(wave: &Wave) -> Option<f64> {
    let other = Wave { start: 0.0, cosine: -wave.cosine, sine: -wave.sine };
    [wave.peak(), other.peak()].into_iter().flatten().reduce(f64::min)
}
