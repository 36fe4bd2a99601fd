//! Convex parts of solids: they cover the solid, reach no farther beyond it than is said, and are those one expects where these are known.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::shape::mesh::Kind;
use clearance::{Body, Cache, Decomposition, End, Mesh, MeshError, Pose, Shape, Vec3, decompose, project};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::DVec3;

use crate::cells::{Built, Voxels};
use crate::meshes::mesh;

/// What rounding leaves, relative to the size.
const ROUNDING: f64 = if cfg!(single_precision) { 1e-4 } else { 1e-9 };

fn signed(body: &Body, point: Vec3) -> f64 {
    widen_real(project(body, &Pose::IDENTITY, point, &mut Cache::default()).distance)
}

/// Random points of the solid are in a part, and random points of parts are within the error of the solid; vertices, too.
fn check(solid: &Mesh, found: &Decomposition, rng: &mut Rng, what: &str) {
    let whole: Body = solid.clone().into();
    let parts: Vec<Body> = found.parts.iter().map(|part| Shape::from(part.clone()).into()).collect();
    let bounds = *solid.bounds();
    let (low, high) = (widen(bounds.min), widen(bounds.max));
    let size = (high - low).max_element();
    let error = widen_real(found.error);
    let [mut in_solid, mut in_parts] = ["points in the solid", "points in parts"].map(HitRate::new);
    let mut points: Vec<Vec3> = solid.vertices().to_vec();
    points.extend(found.parts.iter().flat_map(|part| part.vertices().to_vec()));
    let vertices = points.len();
    points.extend((0..1500).map(|_| {
        narrow(low + (high - low) * DVec3::new(rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0)))
    }));
    for (nth, &point) in points.iter().enumerate() {
        let of_solid = signed(&whole, point);
        let of_parts = parts.iter().map(|part| signed(part, point)).fold(f64::INFINITY, f64::min);
        if of_solid <= 0.0 {
            assert!(of_parts <= ROUNDING * size, "{what}: point {nth} of the solid is {of_parts} beside all parts");
        }
        if of_parts <= 0.0 {
            assert!(of_solid <= error + ROUNDING * size, "{what}: point {nth} is {of_solid} beyond, error {error}");
        }
        if nth >= vertices {
            in_solid.record(of_solid <= 0.0);
            in_parts.record(of_parts <= 0.0);
        }
    }
    in_solid.assert_between(0.01, 1.0);
    in_parts.assert_between(0.01, 1.0);
}

#[test]
fn unions_of_cells_fall_into_boxes() {
    let mut rng = Rng::new(61);
    let mut several = HitRate::new("more than one part");
    for round in 0..60 {
        let cells = Voxels::random(&mut rng, 3);
        let Some(solid) = cells.mesh(Kind::Solid) else { continue };
        let found = decompose(&solid, narrow_real(0.01), 64).unwrap();
        let what = format!("round {round}");
        assert_eq!(found.end, End::Converged, "{what}: {}", found.error);
        check(&solid, &found, &mut rng, &what);
        // Nothing but the solid is covered, and nothing twice.
        let sum: f64 = found.parts.iter().map(|part| widen_real(part.volume())).sum();
        let volume = widen_real(solid.mass_properties().volume);
        assert!((sum - volume).abs() <= 0.02 * volume, "{what}: {sum} for {volume}");
        several.record(found.parts.len() > 1);
    }
    several.assert_between(0.5, 1.0);
}

#[test]
fn convex_solids_are_one_part() {
    for (name, solid) in
        [("cuboid", Polyhedron::cuboid(DVec3::new(1.0, 2.0, 0.1))), ("ball", Polyhedron::sphere(1.0, 2))]
    {
        let found = decompose(&mesh(&solid), narrow_real(1e-3), 8).unwrap();
        assert_eq!((found.parts.len(), found.end), (1, End::Converged), "{name}: {}", found.error);
        assert!(widen_real(found.error) <= 1e-4 + 4.0 * ROUNDING, "{name}: {}", found.error);
    }
}

#[test]
fn rings_take_more_parts_for_less_error() {
    let mut rng = Rng::new(62);
    let ring = mesh(&Polyhedron::torus(1.0, 0.3, 24, 12));
    let mut before = 0;
    for tolerance in [0.5, 0.2, 0.1, 0.05] {
        let found = decompose(&ring, narrow_real(tolerance), 128).unwrap();
        let what = format!("within {tolerance}");
        assert_eq!(found.end, End::Converged, "{what}: {} parts, {}", found.parts.len(), found.error);
        assert!(widen_real(found.error) <= tolerance * 1.001, "{what}: {}", found.error);
        check(&ring, &found, &mut rng, &what);
        assert!(found.parts.len() >= before, "{what}: {} parts, {before} before", found.parts.len());
        before = found.parts.len();
    }
    assert!(before >= 12, "{before} parts within 0.05");
    // The hole is closed by one part, which says so.
    let whole = decompose(&ring, narrow_real(0.01), 1).unwrap();
    assert_eq!((whole.parts.len(), whole.end), (1, End::IterationLimit));
    assert!(widen_real(whole.error) >= 0.69, "{}", whole.error);
}

#[test]
fn gaps_between_teeth_count() {
    // Parts of a comb end at its base: there the solid is beside a part, and the gap above it is not in the solid.
    let mut rng = Rng::new(64);
    let mut cells: Vec<[i64; 3]> = (0..7).map(|x| [x, 0, 0]).collect();
    for tooth in [0, 2, 6] {
        cells.extend((1..4).map(|y| [tooth, y, 0]));
    }
    let comb = Voxels { cells, offset: [0; 3] };
    let solid = comb.mesh(Kind::Solid).unwrap();
    let mut ends = HitRate::new("within the tolerance");
    for most in 1..=6 {
        for tolerance in [0.05, 0.3, 0.6, 1.7] {
            let found = decompose(&solid, narrow_real(tolerance), most).unwrap();
            check(&solid, &found, &mut rng, &format!("{most} parts, {tolerance}"));
            ends.record(found.end == End::Converged);
        }
    }
    ends.assert_between(0.2, 0.9);
}

#[test]
fn thin_solids_have_parts() {
    let mut rng = Rng::new(65);
    for thin in [1e-3, 1e-6] {
        let plate = mesh(&Polyhedron::notched().mapped(|p| p * DVec3::new(1.0, 1.0, thin)));
        let found = decompose(&plate, narrow_real(0.01), 16).unwrap();
        assert!(!found.parts.is_empty());
        check(&plate, &found, &mut rng, &format!("{thin}"));
    }
}

#[test]
fn the_same_at_any_scale_and_place() {
    let mut rng = Rng::new(63);
    let notched = Polyhedron::notched();
    let parts = decompose(&mesh(&notched), narrow_real(0.01), 16).unwrap().parts.len();
    for (scale, away) in [(1e-3, 0.0), (1e3, 0.0), (1.0, 100.0)] {
        let moved = notched.clone().mapped(|p| p * scale + DVec3::splat(away * scale));
        let solid = mesh(&moved);
        let found = decompose(&solid, narrow_real(0.01 * scale), 16).unwrap();
        assert_eq!(found.parts.len(), parts, "{scale}, {away} away");
        check(&solid, &found, &mut rng, &format!("{scale}, {away} away"));
    }
}

#[test]
fn bad_input_is_named() {
    let solid = mesh(&Polyhedron::cuboid(DVec3::ONE));
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = decompose(&solid, narrow_real(value), 4).unwrap_err();
        assert!(matches!(error, MeshError::Tolerance { .. }), "{value}: {error}");
    }
    assert_eq!(decompose(&solid, 1.0, 0).unwrap_err(), MeshError::NoParts);
    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vec3::from);
    let open = Mesh::new(&corners, &[[0, 1, 2]]).unwrap();
    assert_eq!(decompose(&open, 1.0, 4).unwrap_err(), MeshError::NotSolid);
}
