//! Contact points by cutting the two contact features against each other.
//!
//! The reference is the face more nearly across the normal; the other feature is cut by the reference's sides (Sutherland and
//! Hodgman), seen along the normal. Unlike the usual way, which measures depth along the reference face's own normal, each
//! contact is a vertical pair of points, one on either surface, along the one normal of the manifold: the answer does not
//! depend on which face was the reference.
//!
//! Every side of the cut outline lies on a side of one of the two; a corner is named after the sides before and after it: two
//! of the same outline are its vertex, one of either are two edges crossing. That is the feature id. Where outlines coincide, a place
//! has several of these names; it keeps that of the last frame.
//!
//! Without a face across the normal only two parallel lines touch in more than one point.
//! It ends: one pass over the cut outline for each side of the reference.

use arrayvec::ArrayVec;

use super::contact::{Candidate, Candidates, Contact, Whole};
use super::outline::{CORNERS, Outline, add, cross, flat};
use super::patch;
use crate::math::{Real, Vec3, length, unit_or};
use crate::narrow::{Label, Labels, Names};
use crate::tolerance::{PARALLEL_LINES, REFERENCE_TIE, REFERENCE_TILT, SLENDER_FACE};

/// A side of one of the two outlines, by the index of its first corner.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Subject(usize),
    Reference(usize),
}

/// A corner of the cut outline: a point of the subject, and the side that the outline follows from there.
#[derive(Debug, Clone, Copy)]
struct Cut {
    p: Vec3,
    side: Side,
}

type Cuts = ArrayVec<Cut, { 2 * CORNERS }>;

/// A point of the subject with the features of subject and reference that make it.
struct Found {
    p: Vec3,
    subject: Label,
    reference: Label,
}

type FoundPoints = ArrayVec<Found, { 2 * CORNERS }>;

/// The contact places, in counter-clockwise order, are added to a list, which is better not moved; names as in the last frame where there
/// are several. Returns the two features as a whole.
pub(super) fn candidates(contact: &Contact<'_>, known: &Names, found: &mut Candidates) -> Whole {
    let mut a = patch::toward(contact.shapes[0], contact.toward[0]);
    let mut b = patch::toward(contact.shapes[1], contact.toward[1]);
    a.place(&contact.placements[0]);
    b.place(&contact.placements[1]);
    let [a, b] = [&mut a, &mut b];
    let whole = Whole { feature: Labels { a: a.label, b: b.label }, lost: a.lost + b.lost };
    let Some(reference) = reference(a, b) else {
        if let (Some(a), Some(b)) = (line(a, 1.0), line(b, -1.0)) {
            found.extend(parallel_lines(&a, &b, contact));
            contact.settle(found, [&a, &b], known);
        }
        return whole;
    };
    let areas = [&mut *a, &mut *b].map(|outline| {
        outline.inflate();
        outline.orient()
    });
    let reach = contact.shapes[reference].bounding_radius();
    // The plane of a face as slender as this, or united from several, is not where its surface is.
    let is_rough = if reference == 0 { a.rough } else { b.rough };
    let slender = is_rough || !(areas[reference] > SLENDER_FACE * (reach * reach));
    let cutter = Cutter { is_a: reference == 0, slender, slop: contact.slop };
    if reference == 0 {
        cutter.cut(a, b, found)
    } else {
        cutter.cut(b, a, found)
    }
    contact.settle(found, [a, b], known);
    whole
}

/// Which of the two is a face across the normal: the more nearly so, or the larger if there is no telling.
fn reference(a: &Outline, b: &Outline) -> Option<usize> {
    let tilt = |o: &Outline| if o.is_face() { length(flat(o.normal)) } else { Real::INFINITY };
    let (tilt_a, tilt_b) = (tilt(a), tilt(b));
    if !(tilt_a.min(tilt_b) <= REFERENCE_TILT) {
        return None;
    }
    if (tilt_a - tilt_b).abs() > REFERENCE_TIE {
        return Some(usize::from(tilt_b < tilt_a));
    }
    let (area_a, area_b) = (a.area().abs(), b.area().abs());
    Some(usize::from(area_b - area_a > REFERENCE_TIE * area_a))
}

/// What is known of the reference.
struct Cutter {
    is_a: bool,
    slender: bool,
    slop: Real,
}

impl Cutter {
    /// Cuts the subject by the sides of the reference and pairs each point with the one above or below it on the reference.
    fn cut(&self, reference: &Outline, subject: &Outline, candidates: &mut Candidates) {
        let mut found = FoundPoints::new();
        match subject.corners.len() {
            0 | 1 => {}
            2 => found.extend(cut_line(reference, subject, self.slop)),
            _ => cut_face(reference, subject, self.slop, &mut found),
        }
        let pair = |found: &Found| {
            if !reference.covers(found.p, 2.0 * self.slop) {
                return None;
            }
            let height =
                if self.slender { reference.height_across(found.p, self.slop)? } else { reference.height(found.p) };
            let (above, below) = if self.is_a { (height, found.p.z) } else { (found.p.z, height) };
            let (a, b) = if self.is_a { (found.reference, found.subject) } else { (found.subject, found.reference) };
            let at = Vec3::new(found.p.x, found.p.y, above);
            Some(Candidate { at, depth: above - below, feature: Labels { a, b } })
        };
        candidates.extend(found.iter().filter_map(pair));
    }
}

/// How far a place is inside of the side after corner `j`.
fn side(reference: &Outline, j: usize) -> impl Fn(Vec3) -> Real + use<> {
    let [start, end] = reference.edge(j).map(|c| c.p);
    let along = unit_or(flat(end - start), Vec3::ZERO);
    move |p| cross(along, p - start)
}

/// Where the line from `p` to `q`, with such distances from a side, meets it.
fn crossing(p: Vec3, q: Vec3, p_inside: Real, q_inside: Real) -> Vec3 {
    p + (q - p) * (p_inside / (p_inside - q_inside)).clamp(0.0, 1.0)
}

fn cut_face(reference: &Outline, subject: &Outline, slop: Real, found: &mut FoundPoints) {
    let (mut first, mut second) = (Cuts::new(), Cuts::new());
    let corners = subject.corners.iter().enumerate();
    first.extend(corners.map(|(i, c)| Cut { p: c.p, side: Side::Subject(i) }));
    let (mut cuts, mut kept) = (&mut first, &mut second);
    for j in 0..reference.corners.len() {
        let inside = side(reference, j);
        if cuts.iter().all(|cut| inside(cut.p) >= -slop) {
            continue;
        }
        kept.clear();
        let Some(mut now) = cuts.last().copied() else { break };
        let mut now_in = inside(now.p);
        for &next in cuts.iter() {
            let next_in = inside(next.p);
            if now_in >= -slop && next_in < -slop {
                add(kept, Cut { p: crossing(now.p, next.p, now_in, next_in), side: Side::Reference(j) });
            } else if now_in < -slop && next_in >= -slop {
                add(kept, Cut { p: crossing(now.p, next.p, now_in, next_in), side: now.side });
            }
            if next_in >= -slop {
                add(kept, next);
            }
            (now, now_in) = (next, next_in);
        }
        std::mem::swap(&mut cuts, &mut kept);
    }
    name(reference, subject, cuts, slop, found);
}

/// Names the corners after the sides before and after them; of several in one place a vertex stays.
fn name(reference: &Outline, subject: &Outline, cuts: &Cuts, slop: Real, found: &mut FoundPoints) {
    for (i, cut) in cuts.iter().enumerate() {
        let before = cuts[(i + cuts.len() - 1) % cuts.len()].side;
        let vertex = |o: &Outline, i: usize| Label::Vertex(o.corners[i].vertex);
        let edge = |o: &Outline, i: usize| Label::Edge(o.corners[i].edge);
        let (s, r) = match (before, cut.side) {
            (Side::Subject(_), Side::Subject(i)) => (vertex(subject, i), reference.label),
            (Side::Reference(_), Side::Reference(j)) => (subject.label, vertex(reference, j)),
            (Side::Subject(i), Side::Reference(j)) | (Side::Reference(j), Side::Subject(i)) => {
                (edge(subject, i), edge(reference, j))
            }
        };
        let point = Found { p: cut.p, subject: s, reference: r };
        let same = |other: &Found| length(flat(other.p - cut.p)) <= slop;
        match found.iter().position(same) {
            None => add(found, point),
            Some(at) if matches!(s, Label::Vertex(_)) => found[at] = point,
            Some(_) => {}
        }
    }
}

/// The part of a line that lies over the reference: its two ends.
fn cut_line(reference: &Outline, subject: &Outline, slop: Real) -> ArrayVec<Found, 2> {
    let [start, end] = subject.edge(0);
    let mut ends = [start, end].map(|c| Found { p: c.p, subject: Label::Vertex(c.vertex), reference: reference.label });
    let mut span = [0.0, 1.0];
    for j in 0..reference.corners.len() {
        let inside = side(reference, j);
        let (start_in, end_in) = (inside(start.p), inside(end.p));
        if start_in < -slop && end_in < -slop {
            return ArrayVec::new();
        }
        let outer = usize::from(end_in < start_in);
        if [start_in, end_in][outer] < -slop {
            let t = (start_in / (start_in - end_in)).clamp(0.0, 1.0);
            if (outer == 0 && t > span[0]) || (outer == 1 && t < span[1]) {
                span[outer] = t;
                let crossed = Label::Edge(reference.corners[j].edge);
                ends[outer] = Found { p: start.p.lerp(end.p, t), subject: subject.label, reference: crossed };
            }
        }
    }
    let across = (span[1] - span[0]) * length(flat(end.p - start.p));
    match ends {
        // The line passes the outline by.
        _ if across < -slop => ArrayVec::new(),
        [start, _] if across <= slop => ArrayVec::from_iter([start]),
        both => ArrayVec::from_iter(both),
    }
}

/// A line of contact: the feature itself, or the edge of a face that reaches farthest; `up` is the outward sense of z.
fn line(outline: &Outline, up: Real) -> Option<Outline> {
    if outline.corners.len() < 2 {
        return None;
    }
    let reach = |i: &usize| outline.edge(*i).map(|c| c.p.z * up).into_iter().fold(Real::INFINITY, Real::min);
    let sides = if outline.is_face() { outline.corners.len() } else { 1 };
    let best = (0..sides).max_by(|i, j| reach(i).total_cmp(&reach(j)))?;
    let ends = outline.edge(best);
    let along = ends[1].p - ends[0].p;
    let level = along.z.abs() <= REFERENCE_TILT * length(along);
    let mut line = Outline::line(ends, Vec3::Z * up);
    line.round(outline.radius);
    line.bends = outline.bends;
    line.inflate();
    level.then_some(line)
}

/// Two lines side by side touch along the stretch that both cover; its two ends. Lines that cross have no such stretch, and edges have
/// one only where they lie above each other to rounding.
fn parallel_lines(a: &Outline, b: &Outline, contact: &Contact<'_>) -> ArrayVec<Candidate, 2> {
    let slop = contact.slop;
    let mut found = ArrayVec::new();
    let along = unit_or(flat(a.corners[1].p - a.corners[0].p), Vec3::X);
    let [span_a, span_b] = [a, b].map(|o| [0, 1].map(|i: usize| (along.dot(o.corners[i].p), o.corners[i].vertex)));
    let other = flat(b.corners[1].p - b.corners[0].p);
    let size = length(other) + (span_a[1].0 - span_a[0].0).abs();
    if !(cross(along, other).abs() <= PARALLEL_LINES * length(other)) {
        return found;
    }
    let sorted = |s: [(Real, u32); 2]| if s[0].0 <= s[1].0 { s } else { [s[1], s[0]] };
    let ([low_a, high_a], [low_b, high_b]) = (sorted(span_a), sorted(span_b));
    let of_a = |end: (Real, u32)| (end.0, Labels { a: Label::Vertex(end.1), b: b.label });
    let of_b = |end: (Real, u32)| (end.0, Labels { a: a.label, b: Label::Vertex(end.1) });
    let low = if low_a.0 >= low_b.0 { of_a(low_a) } else { of_b(low_b) };
    let high = if high_a.0 <= high_b.0 { of_a(high_a) } else { of_b(high_b) };
    if !(high.0 - low.0 > slop) {
        return found;
    }
    for (s, feature) in [low, high] {
        let [(on_a, of_a), (on_b, of_b)] = [(a, span_a), (b, span_b)].map(|(o, span)| {
            let t = (s - span[0].0) / (span[1].0 - span[0].0);
            (o.corners[0].p.lerp(o.corners[1].p, t), o.bends[0] + (o.bends[1] - o.bends[0]) * t)
        });
        let apart = flat(on_b - on_a);
        let aside = length(apart);
        // An edge is where it is; curved surfaces meet between their lines, each a little lower there than on its line.
        let share = if of_a + of_b > 0.0 { of_a / (of_a + of_b) } else { 0.5 };
        let at = on_a + apart * share;
        let near = aside <= slop || aside <= 2.0 * PARALLEL_LINES * size && 2.0 * aside <= of_a + of_b;
        let beside = cross(unit_or(other, along), flat(on_b - at)).abs();
        let [fall_a, fall_b] = if aside > slop { [fall(of_a, aside * share), fall(of_b, beside)] } else { [0.0; 2] };
        let candidate = Candidate { at: at - Vec3::Z * fall_a, depth: on_a.z - on_b.z - fall_a - fall_b, feature };
        if !near || fall_a.max(fall_b) > slop && !contact.is_on_both(&candidate) {
            return ArrayVec::new();
        }
        found.push(candidate);
    }
    found
}

/// How much lower a circle of that radius is so far beside its highest point; nothing for a sharp edge.
fn fall(radius: Real, aside: Real) -> Real {
    if radius > 0.0 { aside * aside / (radius + (radius * radius - aside * aside).max(0.0).sqrt()) } else { 0.0 }
}
