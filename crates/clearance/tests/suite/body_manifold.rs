//! Contacts of bodies of any shape: corners of what rests, no normals from inside of a surface, few points for each region.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use crate::meshes;
use clearance::concave::{BodyCache, BodyManifold, BodyManifoldOptions, closest, manifold};
use clearance::math::{narrow_real, widen, widen_real};
use clearance::tolerance::{CONTACT_SIGMAS, sigma};
use clearance::{Body, Compound};
use clearance::{End, Pose, Real, Shape};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use common::{SINGLE, held, pose_of};
use glam::{DQuat, DVec3};
use meshes::body;

fn ask(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, margin: f64) -> BodyManifold {
    let options = BodyManifoldOptions { margin: narrow_real(margin), ..BodyManifoldOptions::default() };
    manifold(a, pose_a, b, pose_b, &mut BodyCache::default(), &options)
}

/// A square of 2 · cells² triangles about the origin, its heights zero; with sides and a bottom if it is to be solid.
fn floor(half: f64, cells: u32, solid: bool) -> Polyhedron {
    let place = |i: u32| half * (2.0 * f64::from(i) / f64::from(cells) - 1.0);
    let at = |i: u32, j: u32| i * (cells + 1) + j;
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for i in 0..=cells {
        vertices.extend((0..=cells).map(|j| DVec3::new(place(i), place(j), 0.0)));
    }
    for i in 0..cells {
        for j in 0..cells {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend(if (i + j) % 2 == 0 {
                [vec![a, b, c], vec![a, c, d]]
            } else {
                [vec![a, b, d], vec![b, c, d]]
            });
        }
    }
    if solid {
        let apex = vertices.len() as u32;
        vertices.push(DVec3::new(0.0, 0.0, -half));
        for i in 0..cells {
            faces.push(vec![at(i + 1, 0), at(i, 0), apex]);
            faces.push(vec![at(i, cells), at(i + 1, cells), apex]);
            faces.push(vec![at(0, i), at(0, i + 1), apex]);
            faces.push(vec![at(cells, i + 1), at(cells, i), apex]);
        }
    }
    Polyhedron { vertices, faces }
}

fn boxes(half: f64) -> [Body; 3] {
    let shape = Body::from(Shape::cuboid([narrow_real(half); 3]).unwrap());
    let part: Body = Compound::new([(shape.clone(), Pose::IDENTITY)]).unwrap().into();
    [body(&Polyhedron::cuboid(DVec3::splat(half))), shape, part]
}

fn check_points(found: &BodyManifold, slop: f64) {
    for contact in &found.contacts {
        let gap = widen(contact.on_b - contact.on_a) + widen(contact.normal) * widen_real(contact.depth);
        assert!(gap.length() <= slop && (widen(contact.normal).length() - 1.0).abs() < 1e-5, "{contact:?}");
    }
}

/// A box on a floor of many triangles: its four corners, one direction, whether it rests, has sunk in or hovers; turned about, too.
#[test]
fn a_box_on_many_triangles_has_four_corners() {
    let mut rng = Rng::new(5);
    for case in 0..60 {
        let solid = case % 2 == 0;
        let ground = body(&floor(4.0, 2 + case % 17, solid));
        let half = 0.75;
        for block in &boxes(half) {
            for depth in [0.0, 0.01, -0.01].map(held) {
                let at = DVec3::new(rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), half - depth);
                let turn = DQuat::from_rotation_z(rng.uniform(0.0, 6.0));
                let pose = pose_of(at, turn);
                let found = ask(&ground, &Pose::IDENTITY, block, &pose, 0.02);
                let swapped = ask(block, &pose, &ground, &Pose::IDENTITY, 0.02);
                let slop = 1e4 * common::u();
                for (found, sign) in [(&found, 1.0), (&swapped, -1.0)] {
                    check_points(found, slop);
                    let what = format!("{case} {depth} {sign}: {found:?}");
                    assert_eq!((found.contacts.len(), found.end), (4, End::Converged), "{what}");
                    for contact in &found.contacts {
                        assert!((widen(contact.normal) - DVec3::Z * sign).length() < 1e-5, "{what}");
                        assert!((widen_real(contact.depth) - depth).abs() < slop, "{what}");
                        let on = if sign > 0.0 { contact.on_b } else { contact.on_a };
                        let local = common::unposed(&pose, widen(on));
                        assert!((local.abs() - DVec3::splat(half)).length() < 10.0 * slop, "{what}");
                    }
                }
            }
        }
    }
}

/// A floor and a wall.
fn corner() -> Body {
    let outline = [[0.0, 0.0], [4.0, 0.0], [4.0, -1.0], [-1.0, -1.0], [-1.0, 4.0], [0.0, 4.0]];
    let n = outline.len() as u32;
    let level = |y: f64| outline.map(|[x, z]: [f64; 2]| DVec3::new(x, y, z));
    let cells = [vec![0, 1, 2, 3], vec![0, 3, 4, 5]];
    let mut faces: Vec<Vec<u32>> = cells.iter().map(|cell| cell.iter().map(|v| v + n).collect()).collect();
    faces.extend(cells.map(|cell| cell.into_iter().rev().collect::<Vec<u32>>()));
    faces.extend((0..n).map(|i| vec![i, (i + 1) % n, (i + 1) % n + n, i + n]));
    let solid = Polyhedron { vertices: [level(-4.0), level(4.0)].concat(), faces };
    let solid = if solid.volume() < 0.0 { solid.inside_out() } else { solid };
    body(&solid)
}

#[test]
fn a_box_in_a_corner_has_two_directions() {
    let corner = corner();
    for block in &boxes(0.5) {
        for (dx, dz) in [(0.0, 0.0), (0.01, 0.02), (0.02, 0.0), (-0.005, 0.01)].map(|(x, z)| (held(x), held(z))) {
            let pose = pose_of(DVec3::new(0.5 - dx, 0.3, 0.5 - dz), DQuat::IDENTITY);
            let found = ask(&corner, &Pose::IDENTITY, block, &pose, 0.01);
            check_points(&found, 1e4 * common::u());
            let count =
                |direction: DVec3| found.contacts.iter().filter(|c| widen(c.normal).dot(direction) > 0.9999).count();
            assert_eq!((count(DVec3::X), count(DVec3::Z), found.contacts.len()), (4, 4, 8), "{dx} {dz}: {found:?}");
            for contact in &found.contacts {
                let depth = if contact.normal.x > 0.5 { dx } else { dz };
                assert!((widen_real(contact.depth) - depth).abs() < 1e4 * common::u(), "{dx} {dz}: {found:?}");
            }
        }
    }
}

/// A table of parts has the corners of all its feet; one of a single mesh the four outermost.
#[test]
fn a_table_stands_on_its_legs() {
    let leg = Shape::cuboid([0.1, 0.1, 0.5]).unwrap();
    let places = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let at = |[x, y]: [f64; 2]| pose_of(DVec3::new(x, y, 0.5), DQuat::IDENTITY);
    let top = (Body::from(Shape::cuboid([1.2, 1.2, 0.1]).unwrap()), pose_of(DVec3::Z * 1.1, DQuat::IDENTITY));
    let parts = places.map(|place| (Body::from(leg.clone()), at(place)));
    let table: Body = Compound::new(parts.into_iter().chain([top])).unwrap().into();
    let one =
        |[x, y]: [f64; 2]| Polyhedron::cuboid(DVec3::new(0.1, 0.1, 0.5)).mapped(move |p| p + DVec3::new(x, y, 0.5));
    let joined = places[1..].iter().fold(one(places[0]), |all, &place| all.joined(&one(place)));
    for ground in
        [body(&floor(4.0, 7, true)), body(&floor(4.0, 7, false)), Body::from(Shape::cuboid([4.0, 4.0, 1.0]).unwrap())]
    {
        let z = if matches!(ground, Body::Convex(_)) { -1.0 } else { 0.0 };
        let pose = pose_of(DVec3::new(0.05, 0.02, z + held(0.01)), DQuat::IDENTITY);
        let found = ask(&ground, &pose, &table, &Pose::IDENTITY, 0.0);
        assert_eq!(found.contacts.len(), 16, "{found:?}");
        for part in 0..4 {
            assert_eq!(found.contacts.iter().filter(|c| c.features[1].part == part).count(), 4, "{found:?}");
        }
        let found = ask(&ground, &pose, &body(&joined), &Pose::IDENTITY, 0.0);
        assert_eq!(found.contacts.len(), 4, "{found:?}");
        for contact in &found.contacts {
            assert!(contact.on_b.x.abs() > 1.09 && contact.on_b.y.abs() > 1.09, "{found:?}");
            assert!((widen_real(contact.depth) - held(0.01)).abs() < 1e4 * common::u(), "{found:?}");
        }
    }
}

/// On an edge two points, on a corner one; across another edge one, with the direction across both.
#[test]
fn edges_and_corners() {
    let grounds = [body(&floor(4.0, 9, true)), body(&floor(4.0, 9, false))];
    let depth = held(0.01);
    for ground in &grounds {
        for block in &boxes(1.0) {
            let on_edge = DQuat::from_rotation_z(0.3) * DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
            let pose = pose_of(DVec3::new(0.1, 0.2, 2.0_f64.sqrt() - depth), on_edge);
            let found = ask(ground, &Pose::IDENTITY, block, &pose, 0.0);
            let steep = |found: &BodyManifold| found.contacts.iter().all(|c| c.normal.z > 0.999);
            // Where a small triangle meets the edge it may be left sideways more easily; the ends of the edge are there in any case.
            let ends =
                found.contacts.iter().filter(|c| (widen_real(c.depth) - depth).abs() < 1e4 * common::u()).count();
            assert!(steep(&found) && ends >= 2 && found.contacts.len() <= 4, "{found:?}");
            let diagonal = DQuat::from_rotation_arc(DVec3::ONE.normalize(), -DVec3::Z);
            let pose = pose_of(DVec3::new(0.1, 0.2, 3.0_f64.sqrt() - depth), diagonal);
            let found = ask(ground, &Pose::IDENTITY, block, &pose, 0.0);
            assert!(!found.contacts.is_empty() && steep(&found), "{found:?}");
            assert!((widen_real(found.contacts[0].depth) - depth).abs() < 1e4 * common::u(), "{found:?}");
        }
    }
    let roof = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let across = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2) * roof;
    for a in &boxes(1.0) {
        for b in &boxes(1.0) {
            let (low, high) = (pose_of(DVec3::ZERO, roof), pose_of(DVec3::Z * (8.0_f64.sqrt() - depth), across));
            let found = ask(a, &low, b, &high, 0.0);
            assert_eq!(found.contacts.len(), 1, "{found:?}");
            let contact = &found.contacts[0];
            assert!(
                contact.normal.z > 0.9999 && (widen_real(contact.depth) - depth).abs() < 1e4 * common::u(),
                "{found:?}"
            );
        }
    }
}

/// A ball on a floor has one contact, straight up, wherever it is: on an edge between triangles, on a corner of many.
#[test]
fn a_ball_has_one_contact() {
    let mut rng = Rng::new(9);
    for case in 0..60 {
        let ground = body(&floor(4.0, 8, case % 2 == 0));
        let ball = Body::from(Shape::sphere(0.5).unwrap());
        let at = match case % 3 {
            0 => DVec3::ZERO,
            1 => DVec3::new(0.5, 0.3, 0.0),
            _ => DVec3::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), 0.0),
        };
        for depth in [0.0, 0.01, -0.005].map(held) {
            let found =
                ask(&ground, &Pose::IDENTITY, &ball, &pose_of(at + DVec3::Z * (0.5 - depth), DQuat::IDENTITY), 0.01);
            assert_eq!(found.contacts.len(), 1, "{case} {depth} {at}: {found:?}");
            let contact = &found.contacts[0];
            let near = if SINGLE { 1e-3 } else { 1e-6 };
            assert!(contact.normal.z > 0.9999 && (widen_real(contact.depth) - depth).abs() < near, "{found:?}");
        }
    }
}

/// Faces that rest on each other in part: the corners of what is common to them.
#[test]
fn resting_faces_have_the_corners_of_the_common_polygon() {
    let options = BodyManifoldOptions { max_points: 8, margin: 0.0 };
    for a in &boxes(1.0) {
        for b in &boxes(1.0) {
            let shifted = pose_of(DVec3::new(0.5, 0.25, 2.0), DQuat::IDENTITY);
            let found = manifold(a, &Pose::IDENTITY, b, &shifted, &mut BodyCache::default(), &options);
            let mut corners: Vec<[Real; 2]> = found.contacts.iter().map(|c| [c.on_a.x, c.on_a.y]).collect();
            corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
            assert_eq!(corners, [[-0.5, -0.75], [-0.5, 1.0], [1.0, -0.75], [1.0, 1.0]], "{found:?}");
            let eighth = pose_of(DVec3::Z * 2.0, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4));
            let found = manifold(a, &Pose::IDENTITY, b, &eighth, &mut BodyCache::default(), &options);
            assert_eq!(found.contacts.len(), 8, "{found:?}");
            for contact in &found.contacts {
                let radius = widen_real(contact.on_a.x).hypot(widen_real(contact.on_a.y));
                assert!((radius - 1.0 / (std::f64::consts::PI / 8.0).cos()).abs() < 1e4 * common::u(), "{found:?}");
            }
        }
    }
}

/// What holds of all contacts: they are consistent, no deeper than the bodies, in both orders, and the same again.
#[test]
fn contacts_of_concave_bodies_are_consistent() {
    let mut rng = Rng::new(13);
    let mut hits = HitRate::new("pairs in contact");
    for case in 0..300 {
        let spiky = Polyhedron::star(1, |_| rng.uniform(0.5, 1.0));
        let ring = Polyhedron::torus(0.8, 0.25, 12, 8);
        let kinds = [
            body(&spiky),
            body(&ring),
            body(&Polyhedron::notched().mapped(|p| p * 0.6)),
            Body::from(Shape::cone(0.8, 0.5).unwrap()),
        ];
        let (a, b) = (&kinds[rng.index(4)], &kinds[rng.index(4)]);
        let far = if case % 3 == 0 { DVec3::splat(100.0) } else { DVec3::ZERO };
        let pose_a = pose_of(far, rng.rotation());
        let mut at = rng.unit_vector() * 3.0;
        let turn = rng.rotation();
        let near = |at: DVec3| closest(a, &pose_a, b, &pose_of(far + at, turn), &mut BodyCache::default());
        for _ in 0..20 {
            let gap = widen_real(near(at).distance);
            at -= at.normalize() * (gap + 0.02).max(-0.01);
            if gap < 0.0 {
                break;
            }
        }
        let pose_b = pose_of(far + at, turn);
        let margin = 0.01;
        let found = ask(a, &pose_a, b, &pose_b, margin);
        assert_eq!(found, ask(a, &pose_a, b, &pose_b, margin));
        let whole = near(at);
        let size = widen_real(a.bounding_radius() + b.bounding_radius()) + at.abs().element_sum();
        let slop = 4.0 * widen_real(CONTACT_SIGMAS * sigma(narrow_real(size))) + 8.0 * common::u() * far.length();
        check_points(&found, slop);
        // A contact's depth is along its own normal, which for the curved body is known to a few digits less than the depth is.
        let deepest = widen_real(-whole.lower).max(widen_real(-whole.distance)) * (1.0 + 1e-8);
        for contact in &found.contacts {
            let depth = widen_real(contact.depth);
            assert!(depth <= deepest + slop && depth >= -margin - slop, "{case}: {contact:?} {whole:?}");
        }
        if whole.distance > narrow_real(margin * 1.1) {
            assert!(found.contacts.is_empty(), "{case}: {found:?} {whole:?}");
        }
        if whole.distance < 0.0 {
            hits.record(!found.contacts.is_empty());
        }
    }
    // Deep in each other, features may be beyond all limits.
    hits.assert_between(0.9, 1.0);
}

/// A box beside rough ground: contacts are on both surfaces, and the nearest of a box that hovers is as far away as `closest` finds by
/// another way.
#[test]
fn a_box_on_rough_ground_touches_where_both_are() {
    let mut rng = Rng::new(17);
    let mut hits = HitRate::new("boxes that hover, with a contact at the distance of the bodies");
    let point = Body::from(Shape::point());
    for case in 0..150 {
        let mut ground = floor(4.0, 8, case % 4 == 0);
        let rough = [0.05, 0.3, 1.0][case as usize % 3];
        ground.vertices.iter_mut().take(81).for_each(|v| v.z = rng.uniform(-rough, rough));
        let ground = body(&ground);
        let half = DVec3::new(rng.uniform(0.2, 1.2), rng.uniform(0.2, 1.2), rng.uniform(0.2, 1.2));
        let block = Body::from(Shape::cuboid(half.to_array().map(narrow_real)).unwrap());
        let turn = if case % 2 == 0 { rng.rotation() } else { DQuat::from_rotation_z(rng.uniform(0.0, 6.0)) };
        let mut at = DVec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 4.0);
        let hover = if case % 5 == 0 { -0.02 } else { 0.01 };
        let near = |at: DVec3| closest(&ground, &Pose::IDENTITY, &block, &pose_of(at, turn), &mut BodyCache::default());
        for _ in 0..60 {
            at.z -= (widen_real(near(at).distance) - hover) * 0.9;
        }
        let (pose, whole) = (pose_of(at, turn), near(at));
        let found = ask(&ground, &Pose::IDENTITY, &block, &pose, 0.02);
        let slop = 1e4 * common::u();
        check_points(&found, slop);
        let away = |body: &Body, pose: &Pose, p| {
            let there = pose_of(widen(p), DQuat::IDENTITY);
            widen_real(closest(body, pose, &point, &there, &mut BodyCache::default()).distance)
        };
        for contact in &found.contacts {
            let (on_a, on_b) = (away(&ground, &Pose::IDENTITY, contact.on_a), away(&block, &pose, contact.on_b));
            // In each other's way, a triangle may be left sideways sooner: then the point of the box is where that leads.
            let is_on_b = on_b.abs() < slop || whole.distance < 0.0;
            assert!(on_a.abs() < slop && is_on_b, "{case}: {on_a} {on_b} {contact:?}");
        }
        if whole.distance > 0.0 {
            let nearest = found.contacts.iter().map(|c| -widen_real(c.depth)).fold(f64::INFINITY, f64::min);
            hits.record((nearest - widen_real(whole.distance)).abs() < slop);
        }
    }
    hits.assert_between(1.0, 1.0);
}
