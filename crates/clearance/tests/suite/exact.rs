//! Exact answers: apart, touching and overlapping for the numbers as given, and exact distances, against exact arithmetic and counting.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::cells;
use crate::common;
use std::cmp::Ordering;

use cells::{Built, Rates, Voxels};
use clearance::exact::{self, NotExact};
use clearance::math::{narrow, narrow_real, widen};
use clearance::shape::mesh::Kind;
use clearance::{
    Body, BodyRef, Cache, Compound, Contact, HalfSpace, Mesh, MeshOptions, Polytope, Pose, Real, Shape, Vec3, closest,
};
use clearance_testkit::{HitRate, MinkowskiDifference, PosedSolid, Rng, Solid};
use common::{pose_of, solid_of, wide_matrix};
use glam::{DQuat, DVec3};

/// Both orders agree, and the integers alone say the same as the filter and the integers.
fn contact<'a>(a: impl Into<BodyRef<'a>>, pose_a: &Pose, b: impl Into<BodyRef<'a>>, pose_b: &Pose) -> Contact {
    let (a, b) = (a.into(), b.into());
    let found = exact::contact(&a, pose_a, &b, pose_b, &mut Cache::default()).unwrap();
    assert_eq!(found, exact::contact(&b, pose_b, &a, pose_a, &mut Cache::default()).unwrap(), "the other order");
    assert_eq!(found, exact::in_integers(&a, pose_a, &b, pose_b).unwrap(), "without the filter");
    found
}

fn placed(solid: &Solid, pose: &Pose) -> PosedSolid {
    PosedSolid::new(solid, wide_matrix(pose), widen(pose.translation()))
}

fn integers(rng: &mut Rng, reach: i64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| rng.integer(-reach, reach) as f64))
}

/// Boxes, tetrahedra, octahedra and other hulls of a few small integers.
fn small_shape(rng: &mut Rng) -> (Shape, Solid) {
    if rng.chance(0.3) {
        let half = DVec3::from_array([0; 3].map(|_| rng.integer(1, 3) as f64));
        return (Shape::cuboid(narrow(half).to_array()).unwrap(), Solid::cuboid(DVec3::ZERO, half));
    }
    loop {
        let points: Vec<DVec3> = if rng.chance(0.4) {
            let (middle, reach) = (integers(rng, 1), rng.integer(1, 2) as f64);
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            axes.iter().flat_map(|&axis| [middle + axis * reach, middle - axis * reach]).collect()
        } else {
            (0..rng.integer(4, 7)).map(|_| integers(rng, 2)).collect()
        };
        if let Ok(polytope) = Polytope::from_points(&common::narrowed(&points)) {
            let solid = solid_of(&polytope);
            return (polytope.into(), solid);
        }
    }
}

/// Half turns, thirds of a turn, quarter turns as rounded, turns by 3, 4 and 5, and none.
fn simple_turn(rng: &mut Rng) -> DQuat {
    let root = 0.5f64.sqrt();
    let all = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.5, 0.5, 0.5, 0.5],
        [0.5, -0.5, 0.5, 0.5],
        [0.0, 0.0, root, root],
        [root, 0.0, 0.0, root],
        [0.6, 0.0, 0.0, 0.8],
        [0.0, 0.8, 0.0, 0.6],
    ];
    DQuat::from_array(rng.pick(&all))
}

fn judged(a: &PosedSolid, b: &PosedSolid) -> (Contact, clearance_testkit::SignedDistance) {
    let truth = MinkowskiDifference::new(a, b).signed_distance();
    (cells::contact(truth.kind), truth)
}

fn step(x: Real, way: i64) -> Real {
    match way {
        1 => x.next_up(),
        -1 => x.next_down(),
        _ => x,
    }
}

#[test]
fn convex_bodies_of_small_integers_are_as_exact_arithmetic_says() {
    let mut rng = Rng::new(301);
    let (mut rates, mut close) = (Rates::new(), HitRate::new("moved by a last place"));
    for case in 0..3000 {
        let [(a, solid_a), (b, solid_b)] = [small_shape(&mut rng), small_shape(&mut rng)];
        let nudged = close.record(rng.chance(0.25));
        let pose = |rng: &mut Rng, reach: i64| {
            let at = integers(rng, reach);
            let way = if nudged { rng.integer(-1, 1) } else { 0 };
            let turn = if rng.chance(0.6) { DQuat::IDENTITY } else { simple_turn(rng) };
            pose_of(at, turn).with_translation(narrow(at).to_array().map(|x| step(x, way))).unwrap()
        };
        let (pose_a, pose_b) = (pose(&mut rng, 1), pose(&mut rng, 3));
        let (truth, signed) = judged(&placed(&solid_a, &pose_a), &placed(&solid_b, &pose_b));
        let found = contact(&a, &pose_a, &b, &pose_b);
        assert_eq!(found, truth, "case {case}: {a:?} {pose_a:?} {b:?} {pose_b:?}");
        rates.record(found);
        let distance = exact::distance(&a, &pose_a, &b, &pose_b, &mut Cache::default()).unwrap();
        assert_eq!(distance.is_zero(), truth != Contact::Apart, "case {case}");
        if truth == Contact::Apart {
            let [below, above] = distance.bounds();
            assert!(above <= below.next_up(), "case {case}: {below} to {above}");
            assert!(signed.compare(below).is_ge() && signed.compare(above).is_le(), "case {case}");
            assert_eq!(distance.compare(below).unwrap(), signed.compare(below), "case {case}");
        }
    }
    rates.assert_at_least(0.08);
    close.assert_between(0.2, 0.4);
}

#[test]
fn one_last_place_tells_touching_from_apart_and_overlapping() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let octahedron: Vec<Vec3> = [Vec3::X, Vec3::Y, Vec3::Z].iter().flat_map(|&v| [v, -v]).collect();
    let octahedron = Shape::polytope(&octahedron).unwrap();
    for (a, b, at) in [(&cube, &cube, 2.0), (&cube, &octahedron, 2.0), (&octahedron, &octahedron, 2.0)] {
        let cases = [(0, Contact::Touching), (1, Contact::Apart), (-1, Contact::Overlapping)];
        for (way, expected) in cases {
            let pose = Pose::from_translation([step(at, way), 0.0, 0.0]).unwrap();
            assert_eq!(contact(a, &Pose::IDENTITY, b, &pose), expected, "{a:?} {b:?} {way}");
        }
    }
}

#[test]
fn meshes_of_cells_are_as_counting_says() {
    let mut rng = Rng::new(302);
    let (mut rates, mut turned, mut made) = (Rates::new(), HitRate::new("turned"), HitRate::new("meshes"));
    for case in 0..2500 {
        let (one, two) = (Voxels::random(&mut rng, 2), Voxels::random(&mut rng, 4));
        let (Some(a), Some(b)) = (one.mesh(Kind::Auto), two.mesh(Kind::Auto)) else {
            made.record(false);
            continue;
        };
        made.record(true);
        // Both at one pose: what it does to them, as stored, it does to both.
        let pose = match turned.record(rng.chance(0.3)) {
            true => pose_of(rng.in_box(DVec3::splat(9.0)), rng.rotation()),
            false => pose_of(integers(&mut rng, 5), DQuat::from_array(rng.pick(&[[0.0, 0.0, 0.0, 1.0], [0.5; 4]]))),
        };
        let (truth, square) = one.judged(&two);
        let found = contact(&a, &pose, &b, &pose);
        assert_eq!(found, truth, "case {case}: {one:?} {two:?} {pose:?}");
        rates.record(found);
        if pose.matrix() == Pose::IDENTITY.matrix() {
            let distance = exact::distance(&a, &pose, &b, &pose, &mut Cache::default()).unwrap();
            assert_eq!(distance.square_bounds(), [square as f64 / 4.0; 2], "case {case}: {one:?} {two:?}");
        }
    }
    rates.assert_at_least(0.1);
    made.assert_between(0.2, 0.9);
    turned.assert_between(0.2, 0.4);
}

#[test]
fn meshes_and_compounds_and_boxes_are_as_counting_says() {
    let mut rng = Rng::new(303);
    let (mut rates, mut made) = (Rates::new(), 0);
    for case in 0..1500 {
        let (one, two) = (Voxels::random(&mut rng, 2), Voxels::random(&mut rng, 4));
        let pose = if rng.chance(0.5) { Pose::IDENTITY } else { pose_of(integers(&mut rng, 3), rng.rotation()) };
        let (truth, square) = one.judged(&two);
        let b = two.compound();
        // Pieces of a compound are moved twice without rounding, as vertices of a mesh at the same place are.
        let found = match one.mesh(Kind::Auto) {
            Some(a) => {
                made += 1;
                contact(&a, &pose, &b, &pose)
            }
            None => contact(&one.compound(), &pose, &b, &pose),
        };
        assert_eq!(found, truth, "case {case}: {one:?} {two:?} {pose:?}");
        rates.record(found);
        if case % 4 == 0 && pose == Pose::IDENTITY {
            let distance = exact::distance(&one.compound(), &pose, &b, &pose, &mut Cache::default()).unwrap();
            assert_eq!(distance.square_bounds(), [square as f64 / 4.0; 2], "case {case}");
        }
    }
    rates.assert_at_least(0.1);
    assert!(made > 400, "{made} meshes");
}

#[test]
fn sheets_in_solids_are_as_sampling_says() {
    let mut rng = Rng::new(304);
    let mut rates = Rates::new();
    for case in 0..2500 {
        let solid = Voxels { offset: [0; 3], ..Voxels::random(&mut rng, 0) };
        let Some(mesh) = solid.mesh(Kind::Auto) else { continue };
        // Half sides in half units: 0 makes a segment or a point.
        let half = [rng.integer(0, 3), rng.integer(0, 3)];
        let middle = [0; 3].map(|_| rng.integer(-2, 3));
        let half = if rng.chance(0.4) { [0, half[1]] } else { half };
        let axis = rng.index(3);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let corner = |i: i64, j: i64| {
            let mut p = middle;
            (p[u], p[v]) = (p[u] + i * half[0], p[v] + j * half[1]);
            Vec3::from_array(p.map(|x| x as Real / 2.0))
        };
        let corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
        let at = Pose::from_translation(middle.map(|x| x as Real / 2.0)).unwrap();
        let turn = pose_of(DVec3::ZERO, rng.rotation());
        let (sheet, pose): (Body, Pose) = match half {
            [0, 0] => (Shape::point().posed(at).into(), turn),
            [0, _] | [_, 0] => (Shape::hull_of(&corners), turn),
            _ if rng.chance(0.5) => (Shape::polygon(&corners).unwrap().into(), turn),
            _ => {
                let options = MeshOptions { kind: Kind::Surface, ..MeshOptions::default() };
                (Mesh::with_options(&corners, &[[0, 1, 2, 3]], &options).unwrap().into(), turn)
            }
        };
        // In quarter units: points inside of the half cells of the sheet, and all of its corners of half cells.
        let grid = |half: i64| if half == 0 { vec![0] } else { (-2 * half..=2 * half).collect::<Vec<_>>() };
        let (mut meets, mut enters) = (false, false);
        for i in grid(half[0]) {
            for j in grid(half[1]) {
                let mut p = middle.map(|x| 2 * x);
                (p[u], p[v]) = (p[u] + i, p[v] + j);
                let [holds, inside] = solid.holds(p);
                (meets, enters) = (meets || holds, enters || inside);
            }
        }
        let truth = match (meets, enters) {
            (_, true) => Contact::Overlapping,
            (true, _) => Contact::Touching,
            _ => Contact::Apart,
        };
        let found = contact(&mesh, &pose, &sheet, &pose);
        assert_eq!(found, truth, "case {case}: {solid:?} {corners:?} {pose:?}");
        rates.record(found);
    }
    rates.assert_at_least(0.1);
}

/// A segment between the far ones of four corners.
trait HullOf {
    fn hull_of(corners: &[Vec3; 4]) -> Body;
}

impl HullOf for Shape {
    fn hull_of(corners: &[Vec3; 4]) -> Body {
        let (from, to) = (corners[0], corners[2]);
        let middle = (from + to) * 0.5;
        let way = to - from;
        // Along x; the others by an exact turn.
        let turn: [Real; 4] = match way.abs().max_position() {
            0 => [0.0, 0.0, 0.0, 1.0],
            1 => [0.5, 0.5, 0.5, 0.5],
            _ => [-0.5, -0.5, -0.5, 0.5],
        };
        let pose = Pose::new(middle, turn).unwrap();
        assert_eq!(pose.direction(Vec3::X).abs() * way.length(), way.abs());
        Shape::segment(way.length() / 2.0).unwrap().posed(pose).into()
    }
}

#[test]
fn solids_in_solids_without_room_touch_and_equal_ones_overlap() {
    let full: Vec<[i64; 3]> = (0..27).map(|i| [i % 3, i / 3 % 3, i / 9]).collect();
    let through: Vec<[i64; 3]> = full.iter().copied().filter(|c| !(c[0] == 1 && c[1] == 1)).collect();
    let hollow: Vec<[i64; 3]> = full.iter().copied().filter(|c| *c != [1; 3]).collect();
    let peg = Voxels { cells: vec![[1, 1, 1]], offset: [0; 3] };
    let mut rng = Rng::new(305);
    for _ in 0..20 {
        let pose = pose_of(rng.in_box(DVec3::ONE), rng.rotation());
        for cells in [&through, &hollow] {
            let shell = Voxels { cells: cells.clone(), offset: [0; 3] };
            let (a, b) = (shell.mesh(Kind::Auto).unwrap(), peg.mesh(Kind::Auto).unwrap());
            assert_eq!(contact(&a, &pose, &b, &pose), Contact::Touching); // it fits exactly
            assert_eq!(contact(&a, &pose, &a, &pose), Contact::Overlapping); // itself
            let moved = Voxels { offset: [0, 1, 0], ..peg.clone() }.mesh(Kind::Auto).unwrap();
            assert_eq!(contact(&a, &pose, &moved, &pose), Contact::Overlapping);
            let surface = shell.mesh(Kind::Surface).unwrap();
            assert_eq!(contact(&surface, &pose, &surface, &pose), Contact::Touching); // two sheets
            assert_eq!(contact(&surface, &pose, &b, &pose), Contact::Touching);
        }
        let [outer, inner] = [full.clone(), vec![[1; 3]]].map(|cells| Voxels { cells, offset: [0; 3] });
        let [outer, inner] = [outer, inner].map(|voxels| voxels.mesh(Kind::Auto).unwrap());
        assert_eq!(contact(&outer, &pose, &inner, &pose), Contact::Overlapping); // nested
    }
}

#[test]
fn general_pairs_of_meshes_and_polytopes_are_as_their_hulls() {
    let mut rng = Rng::new(306);
    let mut rates = Rates::new();
    for case in 0..600 {
        let [(a, solid_a), (b, solid_b)] = [small_shape(&mut rng), small_shape(&mut rng)];
        let faces: Vec<Vec<u32>> = solid_a.faces.iter().map(|face| face.iter().map(|&v| v as u32).collect()).collect();
        let mesh = Mesh::new(&common::narrowed(&solid_a.vertices), &faces).unwrap();
        let at = |rng: &mut Rng| if rng.chance(0.9) { integers(rng, 2) } else { rng.in_box(DVec3::splat(4.0)) };
        let turn = |rng: &mut Rng| if rng.chance(0.6) { DQuat::IDENTITY } else { simple_turn(rng) };
        let [pose_a, pose_b] = [0; 2].map(|_| {
            let place = at(&mut rng);
            pose_of(place, turn(&mut rng))
        });
        let (truth, signed) = judged(&placed(&solid_a, &pose_a), &placed(&solid_b, &pose_b));
        let found = contact(&mesh, &pose_a, &b, &pose_b);
        assert_eq!(found, truth, "case {case}: {a:?} {pose_a:?} {b:?} {pose_b:?}");
        rates.record(found);
        let distance = exact::distance(&mesh, &pose_a, &b, &pose_b, &mut Cache::default()).unwrap();
        if truth == Contact::Apart {
            let [below, above] = distance.bounds();
            assert!(signed.compare(below).is_ge() && signed.compare(above).is_le(), "case {case}");
        } else {
            assert!(distance.is_zero(), "case {case}");
        }
    }
    rates.assert_at_least(0.05);
}

/// B brought to where the floating-point answer has them touch, give or take some rounding errors.
fn brought_near(rng: &mut Rng, a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Pose {
    let near = closest(a, pose_a, b, pose_b, &mut Cache::default());
    let error = clearance::tolerance::sigma(clearance::math::pair_size(
        [a.bounding_radius(), b.bounding_radius()],
        pose_b.translation() - pose_a.translation(),
    ));
    // From much less than an error to what the filter decides.
    let off = error * narrow_real(rng.sign() * rng.log_uniform(1e-3, 30.0));
    pose_b.with_translation(pose_b.translation() - near.normal * (near.distance + off)).unwrap()
}

#[test]
fn turned_bodies_within_rounding_of_touching_are_as_exact_arithmetic_says() {
    let mut rng = Rng::new(307);
    let (mut rates, mut shut) = (Rates::new(), HitRate::new("within four errors"));
    for case in 0..1500 {
        let [(a, solid_a), (b, solid_b)] = [small_shape(&mut rng), small_shape(&mut rng)];
        let pose_a = pose_of(rng.in_box(DVec3::splat(3.0)), rng.rotation());
        let pose_b = pose_of(rng.in_box(DVec3::splat(6.0)), rng.rotation());
        let pose_b = brought_near(&mut rng, &a, &pose_a, &b, &pose_b);
        let (truth, signed) = judged(&placed(&solid_a, &pose_a), &placed(&solid_b, &pose_b));
        let found = contact(&a, &pose_a, &b, &pose_b);
        assert_eq!(found, truth, "case {case}: {a:?} {pose_a:?} {b:?} {pose_b:?}");
        shut.record(signed.distance.abs() < 1000.0 * common::u());
        let distance = exact::distance(&a, &pose_a, &b, &pose_b, &mut Cache::default()).unwrap();
        let [below, above] = distance.bounds();
        assert!(truth != Contact::Apart || (signed.compare(below).is_ge() && signed.compare(above).is_le()));
        if case % 3 == 0 {
            let faces: Vec<Vec<u32>> =
                solid_a.faces.iter().map(|face| face.iter().map(|&v| v as u32).collect()).collect();
            let mesh = Mesh::new(&common::narrowed(&solid_a.vertices), &faces).unwrap();
            assert_eq!(contact(&mesh, &pose_a, &b, &pose_b), truth, "case {case}");
            let again = exact::distance(&mesh, &pose_a, &b, &pose_b, &mut Cache::default()).unwrap();
            assert_eq!(again.bounds(), [below, above], "case {case}");
        }
        rates.record(found);
    }
    rates.0[0].assert_between(0.3, 0.7);
    rates.0[2].assert_between(0.3, 0.7);
    shut.assert_between(0.5, 1.0);
}

#[test]
fn meshes_of_parts_that_overlap_are_as_counting_says() {
    let mut rng = Rng::new(308);
    let (mut rates, mut made) = (Rates::new(), HitRate::new("meshes"));
    for case in 0..1500 {
        let (one, more, two) = (Voxels::random(&mut rng, 1), Voxels::random(&mut rng, 2), Voxels::random(&mut rng, 4));
        let (Some(first), Some(second), Some(b)) = (one.mesh(Kind::Auto), more.mesh(Kind::Auto), two.mesh(Kind::Auto))
        else {
            continue;
        };
        let moved = first.vertices().len() as u32;
        let points = [first.vertices(), second.vertices()].concat();
        let faces = |mesh: &Mesh, by: u32| -> Vec<Vec<u32>> {
            (0..mesh.face_count() as u32).map(|f| mesh.face_vertices(f).iter().map(|v| v + by).collect()).collect()
        };
        let Ok(a) = Mesh::new(&points, &[faces(&first, 0), faces(&second, moved)].concat()) else {
            made.record(false);
            continue;
        };
        made.record(a.is_solid());
        let truth = match (one.judged(&two).0, more.judged(&two).0) {
            (Contact::Overlapping, _) | (_, Contact::Overlapping) => Contact::Overlapping,
            (Contact::Apart, Contact::Apart) => Contact::Apart,
            _ => Contact::Touching,
        };
        let pose = if rng.chance(0.5) { Pose::IDENTITY } else { pose_of(integers(&mut rng, 3), rng.rotation()) };
        let found = contact(&a, &pose, &b, &pose);
        assert_eq!(found, truth, "case {case}: {one:?} {more:?} {two:?} {pose:?}");
        rates.record(found);
    }
    rates.assert_at_least(0.1);
    made.assert_between(0.8, 1.0);
}

#[test]
fn closed_meshes_without_volume_are_sheets() {
    let corners = [[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 4.0, 0.0]].map(Vec3::from);
    let doubled = Mesh::new(&corners, &[[0, 1, 2], [2, 1, 0]]).unwrap();
    assert!(doubled.is_solid());
    let (sheet, cube) = (Shape::triangle(corners).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
    let across = pose_of(DVec3::ZERO, DQuat::from_array([0.6, 0.0, 0.0, 0.8]));
    assert_eq!(contact(&doubled, &Pose::IDENTITY, &sheet, &across), Contact::Touching);
    assert_eq!(contact(&doubled, &Pose::IDENTITY, &doubled, &across), Contact::Touching);
    assert_eq!(contact(&doubled, &Pose::IDENTITY, &doubled, &Pose::IDENTITY), Contact::Touching);
    assert_eq!(contact(&doubled, &Pose::IDENTITY, &cube, &across), Contact::Overlapping);
}

#[test]
fn polygons_off_their_plane_are_thin_solids() {
    let mut rng = Rng::new(309);
    let (mut rates, mut thin) = (Rates::new(), HitRate::new("thin"));
    for case in 0..400 {
        let turn = rng.rotation();
        let points: Vec<Vec3> =
            (0..6).map(|_| narrow(turn * (rng.in_box(DVec3::ONE) * DVec3::new(1.0, 1.0, 0.0)) * 2.0)).collect();
        let Ok(polygon) = Shape::polygon(&points) else { continue };
        let clearance::Core::Polygon(flat) = polygon.core() else { panic!("no polygon") };
        let Ok(hull) = Polytope::from_points(flat.vertices()) else {
            thin.record(false);
            continue;
        };
        thin.record(true);
        let (b, solid_b) = small_shape(&mut rng);
        let [pose_a, pose_b] = [0; 2].map(|_| pose_of(rng.in_box(DVec3::splat(2.0)), rng.rotation()));
        let pose_b = brought_near(&mut rng, &polygon, &pose_a, &b, &pose_b);
        let (truth, _) = judged(&placed(&solid_of(&hull), &pose_a), &placed(&solid_b, &pose_b));
        assert_eq!(contact(&polygon, &pose_a, &b, &pose_b), truth, "case {case}");
        rates.record(truth);
    }
    rates.0[0].assert_between(0.2, 0.8);
    thin.assert_between(0.5, 1.0);
}

#[test]
fn what_has_no_exact_answer_says_why() {
    let cube = Shape::cuboid([1.0; 3]).unwrap();
    let at = Pose::IDENTITY;
    let why = |body: &Body| exact::contact(&cube, &at, body, &at, &mut Cache::default()).unwrap_err();
    let whole = |shape: Shape| why(&shape.into());
    assert_eq!(whole(Shape::sphere(1.0).unwrap()), NotExact::Rounded { body: 'B', part: None });
    assert_eq!(whole(Shape::cylinder(1.0, 1.0).unwrap()), NotExact::Curved { body: 'B', part: None });
    assert_eq!(
        whole(Shape::hull(cube.clone().into(), cube.clone().into())),
        NotExact::Combined { body: 'B', part: None }
    );
    assert_eq!(why(&HalfSpace::new(Vec3::Z, 0.0).unwrap().into()), NotExact::Field { body: 'B' });
    let mesh = Voxels { cells: vec![[0; 3]], offset: [0; 3] }.mesh(Kind::Auto).unwrap();
    assert_eq!(why(&Body::from(mesh).padded(0.5).unwrap()), NotExact::Padded { body: 'B' });
    let parts = [cube.clone(), Shape::cone(1.0, 1.0).unwrap()].map(|shape| (Body::from(shape), at));
    let error = why(&Compound::new(parts).unwrap().into());
    assert_eq!(error, NotExact::Curved { body: 'B', part: Some(1) });
    assert!(error.to_string().contains("B, part 1"), "{error}");
}

#[test]
fn distances_compare_with_any_number() {
    let (cube, at) = (Shape::cuboid([1.0; 3]).unwrap(), Pose::from_translation([3.0, 3.0, 3.0]).unwrap());
    let distance = exact::distance(&cube, &Pose::IDENTITY, &cube, &at, &mut Cache::default()).unwrap();
    assert_eq!(distance.compare(f64::NAN), None);
    assert_eq!(distance.compare(f64::INFINITY), Some(Ordering::Less));
    assert_eq!(distance.compare(-1.0), Some(Ordering::Greater));
    assert_eq!(distance.compare(f64::MIN_POSITIVE), Some(Ordering::Greater));
    assert_eq!(distance.compare(f64::MAX), Some(Ordering::Less));
    // The smallest and the largest sizes together.
    let [small, large] = [clearance::SMALLEST_SIZE, clearance::LARGEST_SIZE / 4.0];
    let [tiny, huge] = [small, large].map(|x| Shape::cuboid([x; 3]).unwrap());
    let beside = Pose::from_translation([large, 0.0, 0.0]).unwrap();
    assert_eq!(contact(&huge, &Pose::IDENTITY, &tiny, &beside), Contact::Overlapping);
    let point = Shape::point();
    assert_eq!(contact(&huge, &Pose::IDENTITY, &point, &beside), Contact::Touching);
    let over = Pose::from_translation([large.next_up(), 0.0, 0.0]).unwrap();
    assert_eq!(contact(&huge, &Pose::IDENTITY, &point, &over), Contact::Apart);
    let gap = exact::distance(&huge, &Pose::IDENTITY, &tiny, &over, &mut Cache::default()).unwrap();
    assert!(gap.bounds()[0] > 0.0 && !gap.is_zero());
    assert_eq!(narrow_real(gap.bounds()[1]), large.next_up() - large);
}
