//! Contacts of edges that are all but parallel, and what is shown of bodies that all but touch.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{Body, Cache, Element, Pose, Real, Shape, Vec3, closest, contacts};
use clearance_testkit::{HitRate, Rng};
use glam::{DQuat, DVec3};

fn pose(rotation: DQuat, at: DVec3) -> Pose {
    Pose::new(narrow(at), rotation.to_array().map(narrow_real)).unwrap()
}

fn distance_to(body: &Body, at: &Pose, point: Vec3) -> f64 {
    let place = Pose::from_translation(point).unwrap();
    widen_real(closest(&Shape::point(), &place, body, at, &mut Cache::default()).distance)
}

/// Boxes end to end, turned against each other by hardly anything: their long edges are near to each other's lines, and apart along them. Both points
/// of every contact are on their bodies.
#[test]
fn contacts_of_edges_end_where_the_edges_do() {
    let mut rng = Rng::new(27);
    let (mut edges, mut apart) = (HitRate::new("contacts of edges"), HitRate::new("no contacts"));
    for round in 0..4000 {
        let half = DVec3::new(1.0, rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5));
        let other = DVec3::new(rng.uniform(0.2, 1.0), half.y, half.z);
        let [a, b] = [half, other].map(|half| Body::from(Shape::cuboid(half.to_array().map(narrow_real)).unwrap()));
        let gap = rng.log_uniform(1e-6, 1e-2);
        let along = if round % 2 == 0 { 1.0 + gap } else { 1.0 - rng.uniform(0.0, 0.5) };
        let turn = DQuat::from_axis_angle(rng.unit_vector(), rng.log_uniform(64.0 * widen_real(Real::EPSILON), 1e-2));
        // Beside each other edge to edge, or one beyond the end of the other.
        let at = DVec3::new(along + if round % 2 == 0 { other.x } else { 0.0 }, 2.0 * half.y, 2.0 * half.z);
        let tilt = rng.rotation();
        let places = [pose(tilt, DVec3::ZERO), pose(tilt * turn, tilt * at)];
        let mut list = Vec::new();
        contacts(&a, &places[0], &b, &places[1], 0.05, &mut Cache::default(), &mut list).unwrap();
        let error = if cfg!(single_precision) { 5e-4 } else { 1e-12 };
        for contact in &list {
            edges.record(matches!(contact.features[0].element, Element::Edge(_)));
            let [p, q] = contact.points;
            let off = distance_to(&a, &places[0], p).max(distance_to(&b, &places[1], q));
            assert!(off <= error, "{off:e} in round {round}: {contact:?}");
            assert!((widen(q - p) - widen(contact.normal) * widen_real(contact.distance)).length() < error);
        }
        apart.record(list.is_empty());
    }
    edges.assert_between(0.02, 0.98);
    apart.assert_between(0.02, 0.98);
}
