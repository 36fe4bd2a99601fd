//! What pieces of a world hide of each other, against the union of the pieces as points see it; and casts with and without hiding.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use crate::common;
use clearance::brush::{Brush, Entity, Faulty, Map, WorldMesh, is_blocking, is_structural};
use clearance::ccd::polyhedra::{
    CastScratch, Polyhedron, Rotation, TrajectoryOptions, cast_rotation, cast_translation,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::shape::mesh::Side;
use clearance::{Mesh, Vec3};
use clearance_testkit::ccd::data_folder;
use clearance_testkit::{Building, BuildingPlan, HitRate, Rng, Solid};
use common::{SINGLE, pose_of};
use glam::{DQuat, DVec3};

/// Directions around an edge that are looked at.
const RING: usize = 24;
/// Places along an edge, or on a polygon.
const PLACES: usize = 5;
/// How near to features points are looked at, in units of the size of the world: far beyond the rounding of its coordinates.
const NEAR: f64 = if SINGLE { 1.0e-5 } else { 1.0e-9 };

/// Whether a point is in the union.
fn is_solid(mesh: &Mesh, p: DVec3) -> bool {
    mesh.locate(narrow(p)) != Side::Outside
}

/// The largest number of neighbouring directions around an edge, at some places of it, that lead into air.
fn widest_air(mesh: &Mesh, [a, b]: [DVec3; 2], near: f64, places: usize) -> usize {
    let (u, v) = (b - a).normalize().any_orthonormal_pair();
    let at = |place: usize| a + (b - a) * ((place as f64 + 0.371) / places as f64);
    let widest = |place: usize| {
        let free: Vec<bool> = (0..RING)
            .map(|i| {
                let (sin, cos) = (std::f64::consts::TAU * (i as f64 + 0.463) / RING as f64).sin_cos();
                !is_solid(mesh, at(place) + (u * cos + v * sin) * near)
            })
            .collect();
        let (mut run, mut longest) = (0, 0);
        for i in 0..2 * RING {
            run = if free[i % RING] { run + 1 } else { 0 };
            longest = longest.max(run);
        }
        longest.min(RING)
    };
    (0..places).map(widest).max().unwrap_or(0)
}

/// Whether the air outside of a polygon is seen at one of some places within it, and around that: slanted sides of what covers it leave
/// a little air near their ends at any distance.
fn sees_air(mesh: &Mesh, corners: &[DVec3], near: f64, rng: &mut Rng) -> bool {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
    (0..4 * PLACES).any(|_| {
        let weights: Vec<f64> = corners.iter().map(|_| rng.uniform(0.0, 1.0).powi(2)).collect();
        let sum: f64 = weights.iter().sum();
        let p = corners.iter().zip(&weights).map(|(&p, &w)| p * (w / sum)).sum::<DVec3>();
        let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
        let depths = sides.map(|(from, to)| normal.cross(to - from).normalize().dot(p - from));
        let is_within = depths.fold(f64::INFINITY, f64::min) > 64.0 * near;
        let (u, v) = normal.any_orthonormal_pair();
        let around = [DVec3::ZERO, u, v, -u, -v].map(|by| p + normal * near + by * (64.0 * near));
        is_within && around.into_iter().all(|p| !is_solid(mesh, p))
    })
}

#[derive(Default)]
struct Tally {
    internal: usize,
    edges: usize,
    hidden: usize,
    faces: usize,
    /// Edges and polygons that could have been hidden, as far as the places looked at tell.
    missed: [usize; 2],
}

/// Of every so many features, none that is met is hidden; what could be hidden and is not is counted.
fn check(mesh: &Mesh, every: usize, rng: &mut Rng) -> Tally {
    let near = NEAR * widen_real(mesh.bounding_radius());
    let mut world = Polyhedron::from(mesh);
    world.hide_covered();
    let mut tally = Tally::default();
    for index in (0..world.edge_counts().0 as u32).step_by(every) {
        let (ends, internal) = world.edge(index).unwrap();
        let ends = ends.map(widen);
        // A short edge is looked at from nearer, so that places beside its ends are not taken for it.
        let near = near.min(0.02 * (ends[1] - ends[0]).length());
        let air = widest_air(mesh, ends, near, PLACES);
        assert!(!internal || air <= RING / 2 + 1, "hidden edge {ends:?} with {air} of {RING} free around it");
        tally.edges += 1;
        tally.internal += usize::from(internal);
        if !internal && air <= RING / 2 && widest_air(mesh, ends, near, 8 * PLACES) <= RING / 2 {
            tally.missed[0] += 1;
        }
    }
    for index in (0..world.face_count() as u32).step_by(every) {
        let corners: Vec<DVec3> = world.face_points(index).map(widen).collect();
        let (hidden, seen) = (world.is_hidden_face(index), sees_air(mesh, &corners, near, rng));
        assert!(!hidden || !seen, "hidden polygon {corners:?} sees air");
        tally.faces += 1;
        tally.hidden += usize::from(hidden);
        tally.missed[1] += usize::from(!hidden && !seen);
    }
    tally
}

/// Convex solids as one mesh.
fn union(solids: &[Solid]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for solid in solids {
        let first = vertices.len();
        vertices.extend(solid.vertices.iter().map(|&p| narrow(p)));
        faces.extend(solid.faces.iter().map(|face| face.iter().map(|&v| (v + first) as u32).collect::<Vec<u32>>()));
    }
    Mesh::new(&vertices, &faces).unwrap()
}

/// A box between lattice points, or half of one, or a tetrahedron of them.
fn lattice_solid(rng: &mut Rng) -> Solid {
    loop {
        let corner = |rng: &mut Rng| DVec3::from_array([0; 3].map(|_| rng.integer(0, 5) as f64));
        let (a, b) = (corner(rng), corner(rng));
        let (low, high) = (a.min(b), a.max(b));
        if (high - low).min_element() <= 0.0 {
            continue;
        }
        let cuboid = Solid::cuboid(0.5 * (low + high), 0.5 * (high - low));
        let cut: Vec<DVec3> = match rng.index(4) {
            0 => cuboid
                .vertices
                .iter()
                .copied()
                .filter(|p| (p - low).element_sum() <= (high - low).max_element())
                .collect(),
            1 => (0..4).map(|_| corner(rng)).collect(),
            _ => return cuboid,
        };
        if let Some(hull) = Solid::hull(&cut) {
            return hull;
        }
    }
}

/// Solids on a small lattice share planes, edges and points in every way.
#[test]
fn lattice_worlds_hide_only_what_is_never_met() {
    let mut rng = Rng::new(0x636f_7665);
    let mut all = Tally::default();
    for _ in 0..60 {
        let mut solids: Vec<Solid> = (0..4 + rng.index(13)).map(|_| lattice_solid(&mut rng)).collect();
        if rng.chance(0.3) {
            solids.push(solids[0].clone());
        }
        let far = rng.pick(&[0.0, 0.0, 64.0]);
        let mesh = union(&solids.iter().map(|solid| solid.moved(DVec3::splat(far))).collect::<Vec<_>>());
        let tally = check(&mesh, 1, &mut rng);
        all.edges += tally.edges;
        all.internal += tally.internal;
        all.faces += tally.faces;
        all.hidden += tally.hidden;
        all.missed = [all.missed[0] + tally.missed[0], all.missed[1] + tally.missed[1]];
    }
    let [edges, faces] = [all.internal as f64 / all.edges as f64, all.hidden as f64 / all.faces as f64];
    assert!((0.15..0.8).contains(&edges) && (0.1..0.7).contains(&faces), "{edges} {faces}");
    // Places that are looked at can miss a short part that is free.
    assert!(
        all.missed[0] * 50 <= all.edges && all.missed[1] * 20 <= all.faces,
        "{:?} of {} {}",
        all.missed,
        all.edges,
        all.faces
    );
}

/// Turned and moved by rounding: flush pieces are flush to rounding only.
#[test]
fn turned_worlds_hide_as_much() {
    let mut rng = Rng::new(0x7475_726e);
    let mut kept = HitRate::new("as many hidden as before turning");
    for _ in 0..30 {
        let solids: Vec<Solid> = (0..2 + rng.index(7)).map(|_| lattice_solid(&mut rng)).collect();
        let (turn, shift) = (rng.rotation(), rng.in_box(DVec3::splat(10.0)));
        let turned: Vec<Solid> = solids
            .iter()
            .map(|solid| Solid {
                vertices: solid.vertices.iter().map(|&p| turn * p + shift).collect(),
                faces: solid.faces.clone(),
            })
            .collect();
        let before = check(&union(&solids), 1, &mut rng);
        let after = check(&union(&turned), 1, &mut rng);
        kept.record(before.internal == after.internal && before.hidden == after.hidden);
    }
    kept.assert_between(0.8, 1.0);
}

/// Cases that are easy to get wrong.
#[test]
fn single_cases() {
    let slab = |low: [f64; 3], high: [f64; 3]| {
        let (low, high) = (DVec3::from(low), DVec3::from(high));
        Solid::cuboid(0.5 * (low + high), 0.5 * (high - low))
    };
    let covered = |solids: &[Solid]| {
        let covered = Polyhedron::from(&union(solids)).hide_covered();
        (covered.faces, covered.edges)
    };
    let cube = slab([0.0; 3], [1.0; 3]);
    assert_eq!(covered(std::slice::from_ref(&cube)), (0, 0));
    assert_eq!(covered(&[cube.clone(), cube.clone()]), (0, 0), "the same twice does not hide itself");
    assert_eq!(covered(&[cube.clone(), slab([2.0, 0.0, 0.0], [3.0, 1.0, 1.0])]), (0, 0), "apart");
    assert_eq!(covered(&[cube.clone(), slab([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])]), (2, 8), "side by side");
    assert_eq!(
        covered(&[cube.clone(), slab([1.0, 0.0, 0.0], [2.0, 1.0, 2.0])]),
        (1, 5),
        "a step: its inner edge is concave"
    );
    assert_eq!(covered(&[cube.clone(), slab([-1.0; 3], [2.0; 3])]), (6, 12), "buried");
    assert_eq!(covered(&[cube.clone(), slab([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0])]), (1, 4), "standing on a floor");
    assert_eq!(
        covered(&[cube.clone(), slab([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])]),
        (0, 2),
        "joined at an edge: two notches"
    );
    let concave = |solids: &[Solid]| {
        let mut world = Polyhedron::from(&union(solids));
        world.hide_covered();
        (world.concave_edge_count(), world.visible_edge_counts().1)
    };
    assert_eq!(concave(&[cube.clone(), slab([2.0, 0.0, 0.0], [3.0, 1.0, 1.0])]), (0, 0), "apart");
    assert_eq!(concave(&[cube.clone(), slab([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])]).0, 0, "side by side: flat edges only");
    assert_eq!(concave(&[cube.clone(), slab([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0])]), (4, 4), "standing on a floor");
    assert_eq!(concave(&[cube.clone(), slab([-1.0; 3], [2.0; 3])]), (0, 0), "buried: no edge is seen");
    let halves = [slab([1.0, 0.0, 0.0], [2.0, 0.5, 1.0]), slab([1.0, 0.5, 0.0], [2.0, 1.0, 1.0])];
    let two = [cube.clone(), halves[0].clone(), halves[1].clone()];
    assert_eq!(covered(&two).0, 5, "a polygon that two others cover together");
    let one = covered(&two[..2]);
    assert_eq!(one.0, 1, "half covered is seen");
    let gap = [cube, halves[0].clone(), slab([1.0, 0.5625, 0.0], [2.0, 1.0, 1.0])];
    assert_eq!(covered(&gap).0, 2, "seen through a gap");
}

/// The building and maps: more than the paper's 30 % of all edges are internal.
#[test]
fn worlds_hide_only_what_is_never_met() {
    let building = Building::new(&BuildingPlan { seed: 5, rooms: [2, 2], storeys: 2 });
    let world = Map::parse(&building.map_text()).unwrap().world().unwrap();
    let mut rng = Rng::new(0x776f_726c);
    let tally = check(&world.mesh, 1, &mut rng);
    assert!(tally.internal * 10 > tally.edges * 4, "{} of {}", tally.internal, tally.edges);
    assert!(tally.missed[0] * 50 <= tally.edges && tally.missed[1] * 20 <= tally.faces, "{:?}", tally.missed);
    let Some(folder) = data_folder("maps") else {
        println!("skipped maps: the data is not here");
        return;
    };
    for name in ["lqdm1.map", "lqdm2.map"] {
        let map = Map::parse(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap();
        let world = map.world_of(|entity, _| is_structural(entity), Faulty::Refuse).unwrap();
        let tally = check(&world.mesh, 3, &mut rng);
        let Tally { internal, edges, hidden, faces, missed } = tally;
        println!(
            "{name}: {internal} of {edges} edges internal, {hidden} of {faces} polygons hidden; {missed:?} more could be"
        );
        assert!(internal * 10 > edges * 3);
    }
}

/// Random bodies go and turn from given places: the same with and without hiding, to the zone.
fn compare_casts(solid: &WorldMesh, spawns: &[DVec3], count: usize, rng: &mut Rng) {
    let (plain, hiding) = (Polyhedron::from(&solid.mesh), solid.polyhedron());
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let (mut hits, mut fewer) = (HitRate::new("hits"), HitRate::new("fewer tests"));
    let rest = pose_of(DVec3::ZERO, DQuat::IDENTITY);
    for _ in 0..count {
        let cloud: Vec<DVec3> = (0..5 + rng.index(5)).map(|_| rng.in_ball(20.0)).collect();
        let Some(hull) = Solid::hull(&cloud) else { continue };
        let body = Polyhedron::from(&union(&[hull]));
        let start = spawns[rng.index(spawns.len())] + rng.in_ball(8.0);
        let pose = pose_of(start, DQuat::IDENTITY);
        let turning = rng.chance(0.3);
        let (way, angle) = (rng.in_ball(if turning { 200.0 } else { 600.0 }), rng.uniform(-2.0, 2.0));
        let axis = narrow(way.cross(DVec3::ONE));
        let about = Rotation { origin: narrow(start + way), axis, angle: narrow_real(angle) };
        let [a, b] = [&plain, &hiding].map(|world| {
            if turning {
                cast_rotation(world, &rest, &body, &pose, about, &options, &mut scratch).unwrap()
            } else {
                cast_translation(world, &rest, &body, &pose, narrow(way), &options, &mut scratch).unwrap()
            }
        });
        let length = if turning { angle.abs() * (way.length() + 20.0) } else { way.length() };
        let apart = (widen_real(a.fraction) - widen_real(b.fraction)).abs() * length;
        assert!(apart <= widen_real(a.zone), "{a:?} {b:?}");
        assert_eq!(a.overlap.is_some(), b.overlap.is_some());
        hits.record(a.hit.is_some());
        fewer.record(b.counts.edge_edge < a.counts.edge_edge);
    }
    hits.assert_between(0.5, 0.98);
    fewer.assert_between(0.3, 1.0);
}

#[test]
fn hiding_changes_no_cast() {
    let mut rng = Rng::new(0x6361_7374);
    let building = Building::new(&BuildingPlan { seed: 2, rooms: [3, 2], storeys: 2 });
    let solid = Map::parse(&building.map_text()).unwrap().world().unwrap();
    compare_casts(&solid, &building.spawns, 1500, &mut rng);
    let Some(folder) = data_folder("maps") else {
        println!("skipped maps: the data is not here");
        return;
    };
    for name in ["lqdm1.map", "lqdm2.map"] {
        let map = Map::parse(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap();
        let keep = |entity: &Entity, brush: &Brush| is_structural(entity) && is_blocking(brush);
        let solid = map.world_of(keep, Faulty::Refuse).unwrap();
        let spawns: Vec<DVec3> = map.origins("info_player_deathmatch").map(|p| p + DVec3::Z * 16.0).collect();
        compare_casts(&solid, &spawns, 500, &mut rng);
    }
}

/// Bodies and ways in line with a lattice world, or nearly: passing along its planes, onto its edges and into its corners. Some start
/// in touch with it and are caught at what is covered if that is not hidden; then they are free further on.
#[test]
fn hiding_changes_no_cast_through_lattices() {
    let mut rng = Rng::new(0x6c61_7474);
    let (options, mut scratch) = (TrajectoryOptions::default(), CastScratch::default());
    let (mut hits, mut covered) = (HitRate::new("hits"), HitRate::new("worlds with covered edges"));
    let mut caught = HitRate::new("caught at something covered");
    let rest = pose_of(DVec3::ZERO, DQuat::IDENTITY);
    for _ in 0..300 {
        let solids: Vec<Solid> = (0..3 + rng.index(8)).map(|_| lattice_solid(&mut rng)).collect();
        let plain = Polyhedron::from(&union(&solids));
        let mut hiding = plain.clone();
        covered.record(hiding.hide_covered().edges > 0);
        for _ in 0..100 {
            let half = DVec3::from_array([0; 3].map(|_| rng.pick(&[0.125, 0.25, 0.5])));
            let body = Polyhedron::from(&union(&[Solid::cuboid(DVec3::ZERO, half)]));
            let whole = DVec3::from_array([0; 3].map(|_| rng.integer(-2, 14) as f64));
            let off = if rng.chance(0.5) { rng.in_box(DVec3::splat(0.4)) } else { DVec3::ZERO };
            let turn = if rng.chance(0.5) { rng.rotation() } else { DQuat::IDENTITY };
            let pose = pose_of(whole * 0.5 + off, turn);
            let way = if rng.chance(0.5) {
                DVec3::from_array([0; 3].map(|_| rng.integer(-1, 1) as f64)) * 6.0
            } else {
                DVec3::splat(2.5) - whole * 0.5 + rng.in_ball(4.0)
            };
            let [a, b] = [&plain, &hiding].map(|world| {
                cast_translation(world, &rest, &body, &pose, narrow(way), &options, &mut scratch).unwrap()
            });
            assert_eq!(a.overlap.is_some(), b.overlap.is_some());
            let apart = widen_real(b.fraction) - widen_real(a.fraction);
            let speed = a.hit.or(b.hit).map_or(0.0, |hit| widen(hit.normal).dot(way).abs());
            // Along the way, a zone is as long as the way is aslant.
            let slack = 2.0 * widen_real(a.zone);
            assert!(apart * speed >= -slack, "{pose:?} {way} {a:?} {b:?}");
            if caught.record(apart * speed > slack) {
                for part in 1..16 {
                    let at = widen_real(a.fraction) + apart * f64::from(part) / 16.0;
                    let there = pose_of(widen(pose.translation()) + way * at, turn);
                    let start = cast_translation(&plain, &rest, &body, &there, Vec3::ZERO, &options, &mut scratch);
                    assert_eq!(start.unwrap().overlap, None, "{pose:?} {way} {a:?} {b:?}");
                }
            }
            if a.overlap.is_none() {
                hits.record(a.hit.is_some());
            }
        }
    }
    hits.assert_between(0.2, 0.9);
    covered.assert_between(0.8, 1.0);
    caught.assert_between(0.0, 0.02);
}
