//! Brushes as convex polyhedra: what their planes enclose, what is refused, and the maps of others.
#![allow(clippy::unwrap_used)] // a test says what it found by failing

use clearance::brush::{Brush, BrushFace, BrushFault, BrushPiece, Faulty, Map, is_blocking, is_structural};
use clearance::math::{narrow, widen, widen_real};
use clearance::tolerance::UNIT_ROUNDOFF;
use clearance::{Mesh, Real};
use clearance_testkit::ccd::data_folder;
use clearance_testkit::{HitRate, Rng, Solid};
use glam::{DMat3, DVec3};

fn brush(planes: &[[DVec3; 3]]) -> Brush {
    let face = |&points: &[DVec3; 3]| BrushFace { points, texture: "x".into() };
    Brush { faces: planes.iter().map(face).collect(), line: 0 }
}

/// Three points, clockwise from outside, of the plane through a point with this outward normal.
fn plane(normal: DVec3, point: DVec3) -> [DVec3; 3] {
    let (u, v) = normal.any_orthonormal_pair();
    let turned = u.cross(v).dot(normal) < 0.0;
    let [u, v] = if turned { [v, u] } else { [u, v] };
    [point + u, point, point + v]
}

/// The planes of a box.
fn slabs(half: DVec3, center: DVec3) -> Vec<[DVec3; 3]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    axes.into_iter().flat_map(|n| [-n, n]).map(|n| plane(n, center + n * half)).collect()
}

/// Outward unit normals and a point of each plane.
fn normals(brush: &Brush) -> Vec<(DVec3, DVec3)> {
    let of = |[a, b, c]: [DVec3; 3]| ((a - b).cross(c - b).normalize(), b);
    brush.faces.iter().map(|face| of(face.points)).collect()
}

/// All planes hold the vertices to within the slack, three or more of them pass through each; the surface is closed, without handles.
fn check_piece(brush: &Brush, piece: &BrushPiece, slack: f64) {
    let planes = normals(brush);
    for &p in &piece.vertices {
        let heights = || planes.iter().map(|&(n, b)| n.dot(widen(p) - b));
        let highest = heights().fold(f64::NEG_INFINITY, f64::max);
        assert!(highest <= slack, "{highest} {p} {brush:?}");
        let on = heights().filter(|h| h.abs() <= slack).count();
        assert!(on >= 3, "{on} planes at {p}: {brush:?}");
    }
    let mesh = Mesh::new(&piece.vertices, &piece.faces).unwrap();
    assert!(mesh.is_solid() && piece.volume > 0.0);
    let edges = piece.faces.iter().map(Vec::len).sum::<usize>() / 2;
    assert_eq!(piece.vertices.len() + piece.faces.len(), 2 + edges, "Euler");
}

fn largest(piece: &BrushPiece) -> f64 {
    piece.vertices.iter().map(|p| widen(*p).abs().max_element()).fold(0.0, f64::max)
}

#[test]
fn faults_are_named() {
    let cube = slabs(DVec3::ONE, DVec3::ZERO);
    let fault = |planes: &[[DVec3; 3]]| brush(planes).piece().unwrap_err();
    assert_eq!(fault(&cube[..3]), BrushFault::TooFewFaces { count: 3 });
    assert_eq!(fault(&cube[..5]), BrushFault::Unbounded);
    let mut flat = cube.clone();
    flat[1] = plane(DVec3::X, -DVec3::X);
    assert_eq!(fault(&flat), BrushFault::NoVolume);
    flat[1] = plane(DVec3::X, -1.5 * DVec3::X);
    assert_eq!(fault(&flat), BrushFault::NoVolume);
    let turned: Vec<_> = cube.iter().map(|&[a, b, c]| [c, b, a]).collect();
    assert!(matches!(fault(&turned), BrushFault::NoVolume | BrushFault::Unbounded));
    let mut line = cube.clone();
    line[4] = [DVec3::ZERO, DVec3::ONE, 3.0 * DVec3::ONE];
    assert_eq!(fault(&line), BrushFault::NoPlane { face: 4 });
    line[4] = [DVec3::ONE; 3];
    assert_eq!(fault(&line), BrushFault::NoPlane { face: 4 });
    line[4][0].x = f64::NAN;
    assert_eq!(fault(&line), BrushFault::Coordinate { face: 4 });
    assert_eq!(fault(&cube.repeat(200)), BrushFault::TooManyFaces { count: 1200 });
    // Thinner than the precision allows so far away: an error, not a sheet.
    let far = slabs(DVec3::new(1.0, 1.0, widen_real(UNIT_ROUNDOFF)), DVec3::splat(1000.0));
    assert_eq!(fault(&far), BrushFault::NoVolume);
}

/// Where three planes meet within all others, by brute force; nothing if a fourth plane passes nearby.
fn meeting_points(brush: &Brush, near: f64) -> Option<Vec<(DVec3, [usize; 3])>> {
    let planes = normals(brush);
    let mut points = Vec::new();
    for i in 0..planes.len() {
        for j in 0..i {
            for k in 0..j {
                let [a, b, c] = [i, j, k].map(|plane| planes[plane]);
                let rows = DMat3::from_cols(a.0, b.0, c.0).transpose();
                let p = rows.inverse() * DVec3::new(a.0.dot(a.1), b.0.dot(b.1), c.0.dot(c.1));
                let others = planes.iter().enumerate().filter(|(plane, _)| ![i, j, k].contains(plane));
                let highest = others.map(|(_, &(n, b))| n.dot(p - b)).fold(f64::NEG_INFINITY, f64::max);
                if !(highest.abs() > near && rows.determinant().abs() > 1e-3) {
                    return None;
                }
                if highest < 0.0 {
                    points.push((p, [i, j, k]));
                }
            }
        }
    }
    Some(points)
}

/// Random planes about a centre: a vertex wherever three of them meet within all others, and nowhere else.
#[test]
fn random_brushes_are_what_their_planes_enclose() {
    let mut rng = Rng::new(0x6272_7573);
    let [mut redundant, mut bounded, mut clear] = ["redundant planes", "bounded", "clear"].map(HitRate::new);
    for _ in 0..3000 {
        let far = rng.pick(&[0.0, 100.0, 3000.0]);
        let center = rng.in_box(DVec3::splat(far));
        let size = rng.log_uniform(30.0, 400.0);
        let normals: Vec<DVec3> = (0..4 + rng.index(8)).map(|_| rng.unit_vector()).collect();
        let away: Vec<f64> = normals.iter().map(|_| size * rng.uniform(0.5, 1.0)).collect();
        let planes: Vec<_> = normals.iter().zip(away).map(|(&n, h)| plane(n, center + n * h)).collect();
        let brush = brush(&planes);
        match brush.piece() {
            Ok(piece) => {
                bounded.record(true);
                let slack = 1e4 * widen_real(UNIT_ROUNDOFF) * largest(&piece);
                check_piece(&brush, &piece, slack);
                redundant.record(!piece.redundant.is_empty());
                let truth = meeting_points(&brush, 10.0 * slack);
                if clear.record(truth.is_some()) {
                    compare(&piece, &truth.unwrap(), slack);
                }
            }
            Err(BrushFault::Unbounded) => drop(bounded.record(false)),
            Err(fault) => unreachable!("{fault} {brush:?}"),
        }
    }
    bounded.assert_between(0.3, 0.95);
    redundant.assert_between(0.05, 0.9);
    clear.assert_between(0.3, 1.0);
}

fn compare(piece: &BrushPiece, truth: &[(DVec3, [usize; 3])], slack: f64) {
    assert_eq!(piece.vertices.len(), truth.len(), "{piece:?}");
    for &(p, planes) in truth {
        // The error of a meeting point grows with how acute the planes are: 1e3 at most here.
        assert!(piece.vertices.iter().any(|&v| (widen(v) - p).length() < 1e3 * slack), "{p}");
        assert!(planes.iter().all(|&plane| !piece.redundant.contains(&(plane as u32))));
    }
    let used: std::collections::BTreeSet<usize> = truth.iter().flat_map(|(_, planes)| *planes).collect();
    assert_eq!(piece.faces.len().min(used.len()), used.len(), "a face for each plane");
}

/// The hull of random integer points, given by its planes, comes back with the same vertices, exactly.
#[test]
fn hulls_come_back_from_their_planes() {
    let mut rng = Rng::new(0x6875_6c6c);
    let mut many = HitRate::new("vertices of more than three faces");
    for _ in 0..400 {
        let span = rng.pick(&[3, 20, 2000]);
        let count = 6 + rng.index(12);
        let points: Vec<DVec3> =
            (0..count).map(|_| DVec3::from_array([0; 3].map(|_| rng.integer(-span, span) as f64))).collect();
        let Some(hull) = Solid::hull(&points) else { continue };
        let planes: Vec<_> =
            hull.faces.iter().map(|face| [face[2], face[1], face[0]].map(|v| hull.vertices[v])).collect();
        let piece = brush(&planes).piece().unwrap();
        let sorted = |points: &mut dyn Iterator<Item = [Real; 3]>| {
            let mut points: Vec<_> = points.collect();
            points.sort_by(|a, b| a.partial_cmp(b).unwrap());
            points.dedup();
            points
        };
        let found = sorted(&mut piece.vertices.iter().map(|p| p.to_array()));
        let given = sorted(&mut hull.faces.iter().flatten().map(|&v| narrow(hull.vertices[v]).to_array()));
        assert_eq!(found, given);
        assert!(piece.redundant.len() < planes.len());
        many.record(piece.vertices.len() * 3 != piece.faces.iter().map(Vec::len).sum::<usize>());
    }
    many.assert_between(0.3, 1.0);
}

/// Decimals: pyramids whose sides meet at one tip only to the last digits still have one tip.
#[test]
fn faces_that_nearly_meet_share_a_vertex() {
    let mut rng = Rng::new(0x7469_7073);
    for _ in 0..500 {
        let sides = 5 + rng.index(8);
        let tip = rng.in_box(DVec3::splat(1000.0)) + DVec3::Z * 200.0;
        let base = |i: usize| {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
            tip + DVec3::new(100.0 * cos, 100.0 * sin, -200.0)
        };
        let mut planes: Vec<_> = (0..sides).map(|i| [tip, base((i + 1) % sides), base(i)]).collect();
        planes.push([base(0), base(1), base(2)].map(|p| DVec3::new(p.x, p.y, tip.z - 200.0)));
        let piece = brush(&planes).piece().unwrap();
        assert_eq!((piece.vertices.len(), piece.faces.len()), (sides + 1, sides + 1), "{piece:?}");
        let near = piece.vertices.iter().filter(|&&v| (widen(v) - tip).length() < 1e-2).count();
        assert_eq!(near, 1);
    }
}

/// A brush at any scale, and a plate and a needle.
#[test]
fn scales_do_not_matter() {
    for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        for half in [DVec3::ONE, DVec3::new(1e3, 1e3, 1.0), DVec3::new(1.0, 1e3, 1.0)] {
            let cube =
                brush(&slabs(DVec3::ONE, DVec3::ZERO).iter().map(|f| f.map(|p| p * half * scale)).collect::<Vec<_>>());
            let piece = cube.piece().unwrap();
            assert_eq!((piece.vertices.len(), piece.faces.len()), (8, 6));
            let volume = 8.0 * half.element_product() * scale.powi(3);
            assert!((widen_real(piece.volume) - volume).abs() < 1e-6 * volume);
        }
    }
}

/// What the maps of others consist of.
#[test]
fn maps_of_others() {
    let Some(folder) = data_folder("maps") else {
        println!("skipped: the data is not here");
        return;
    };
    // File, entities, brushes, faces, brushes of the world, of these blocking ones.
    let known = [("lqdm1.map", 214, 808, 4752, 765, 759), ("lqdm2.map", 244, 609, 3689, 582, 582)];
    for (name, entities, brushes, faces, structural, blocking) in known {
        let map = Map::parse(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap();
        let all = || map.entities.iter().flat_map(|entity| &entity.brushes);
        let counts = (map.entities.len(), all().count(), all().map(|brush| brush.faces.len()).sum::<usize>());
        assert_eq!(counts, (entities, brushes, faces), "{name}");
        for brush in all() {
            let piece = brush.piece().unwrap();
            check_piece(brush, &piece, 64.0 * widen_real(UNIT_ROUNDOFF) * largest(&piece));
            assert!(piece.redundant.is_empty() && piece.volume > 1.0);
        }
        let world = map.world().unwrap();
        assert_eq!(world.pieces.len(), structural, "{name}");
        assert!(world.mesh.is_solid());
        let solid = map.world_of(|entity, brush| is_structural(entity) && is_blocking(brush), Faulty::Refuse).unwrap();
        assert_eq!(solid.pieces.len(), blocking, "{name}");
        assert!(map.origins("info_player_deathmatch").count() >= 8);
    }
}
