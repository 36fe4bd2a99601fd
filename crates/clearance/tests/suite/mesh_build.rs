//! Making meshes: what is refused and why, what is repaired, topology, internal edges, mass.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::bvh::{Frame, NodeId};
use clearance::math::{widen, widen_real};
use clearance::shape::mesh::{Kind, NO_FACE, check};
use clearance::{Mesh, MeshError, MeshOptions, Pose, Real, Vec3};
use clearance_testkit::{Polyhedron, Rng, surfaces};
use glam::DVec3;
use meshes::{build, mesh, placed, pose, real};

const STRICT: MeshOptions = MeshOptions {
    kind: Kind::Auto,
    weld: false,
    weld_distance: 0.0,
    drop_degenerate: false,
    drop_unused: false,
    turn_outward: false,
};
const SOLID: MeshOptions = MeshOptions { kind: Kind::Solid, ..STRICT };

fn refused(polyhedron: &Polyhedron, options: &MeshOptions) -> MeshError {
    build(polyhedron, options).err().unwrap_or_else(|| panic!("accepted"))
}

fn cube() -> Polyhedron {
    Polyhedron::cuboid(DVec3::ONE)
}

fn with_face(face: &[u32]) -> Polyhedron {
    let mut bad = cube();
    bad.faces.push(face.to_vec());
    bad
}

#[test]
fn bad_input_is_named() {
    let mut bad = cube();
    bad.vertices[3].y = f64::NAN;
    assert!(matches!(refused(&bad, &STRICT), MeshError::Coordinate { index: 3, axis: 'y', .. }));
    bad.vertices[3].y = f64::INFINITY;
    assert!(refused(&bad, &STRICT).to_string().contains("vertices[3].y"));
    assert_eq!(refused(&with_face(&[0, 1, 8]), &STRICT), MeshError::VertexIndex { face: 6, vertex: 8, count: 8 });
    assert_eq!(refused(&with_face(&[0, 1]), &STRICT), MeshError::ShortFace { face: 6, count: 2 });
    assert_eq!(refused(&with_face(&[0, 1, 1]), &STRICT), MeshError::RepeatedVertex { face: 6, vertex: 1 });
    assert_eq!(refused(&Polyhedron::default(), &STRICT), MeshError::Empty);
    let mut bad = cube();
    bad.vertices.push(DVec3::new(0.0, -1.0, -1.0));
    assert_eq!(refused(&bad, &STRICT), MeshError::UnusedVertex { vertex: 8 });
    bad.faces.push(vec![0, 8, 1]);
    assert_eq!(refused(&bad, &STRICT), MeshError::DegenerateFace { face: 6 });
    // A fold, a face that is not flat, one that is not convex.
    let mut bad = cube();
    bad.vertices[7] *= 1.01;
    assert!(matches!(refused(&bad, &STRICT), MeshError::NotFlat { .. }));
    let arrow = [[0., 0., 0.], [2., 0., 0.], [0.5, 0.5, 0.], [0., 2., 0.]].map(DVec3::from).to_vec();
    let arrow = Polyhedron { vertices: arrow, faces: vec![vec![0, 1, 2, 3]] };
    assert!(matches!(refused(&arrow, &STRICT), MeshError::NotConvexFace { face: 0, .. }));
    let bow = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.]].map(DVec3::from).to_vec();
    let bow = Polyhedron { vertices: bow, faces: vec![vec![0, 1, 2, 3]] };
    assert!(matches!(
        refused(&bow, &STRICT),
        MeshError::NotConvexFace { face: 0, .. } | MeshError::DegenerateFace { .. }
    ));
}

#[test]
fn wrong_surfaces_are_named() {
    let mut open = cube();
    open.faces.remove(2);
    assert!(!build(&open, &STRICT).unwrap().is_solid());
    match refused(&open, &SOLID) {
        MeshError::OpenEdge { count: 4, unwelded: false, .. } => {}
        other => panic!("{other}"),
    }
    assert_eq!(check(&open.faces).open.len(), 4);
    let mut turned = cube();
    turned.faces[2].reverse();
    assert!(matches!(refused(&turned, &STRICT), MeshError::TurnedOver { .. }));
    assert_eq!(check(&turned.faces).turned_over.len(), 4);
    let mut fin = cube();
    fin.vertices.push(DVec3::splat(3.0));
    fin.faces.push(vec![0, 1, 8]);
    assert!(matches!(refused(&fin, &STRICT), MeshError::NonManifoldEdge { from: 0, to: 1, count: 3, .. }));
    assert_eq!(check(&fin.faces).non_manifold, [[0, 1, 3]]);
    assert_eq!(refused(&cube().inside_out(), &STRICT), MeshError::InsideOut { face: 0 });
    // One of two boxes inside out; a hollow is not.
    let beside = cube().inside_out().mapped(|p| p + DVec3::X * 5.0);
    assert_eq!(refused(&cube().joined(&beside), &STRICT), MeshError::InsideOut { face: 6 });
    assert!(mesh(&cube().joined(&cube().inside_out().mapped(|p| p * 0.5))).is_solid());
    assert_eq!(refused(&Polyhedron { faces: vec![], ..cube() }, &SOLID), MeshError::NoFaces);
}

#[test]
fn repairs_are_asked_for_and_listed() {
    let mut rng = Rng::new(3);
    let mut soup = Polyhedron::default();
    for triangle in Polyhedron::star(2, |_| rng.uniform(0.5, 1.0)).triangles() {
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(triangle);
        soup.faces.push(vec![first, first + 1, first + 2]);
    }
    assert!(matches!(refused(&soup, &SOLID), MeshError::OpenEdge { unwelded: true, .. }));
    assert!(refused(&soup, &SOLID).to_string().contains("weld"));
    let welded = build(&soup, &MeshOptions { weld: true, ..SOLID }).unwrap();
    assert!(welded.is_solid());
    assert_eq!(welded.vertices().len() + welded.repairs().welded.len(), soup.vertices.len());
    soup.vertices.extend([DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::Y]);
    let n = soup.vertices.len() as u32;
    soup.faces.push(vec![n - 4, n - 3, n - 2]);
    let repair = MeshOptions { weld: true, drop_degenerate: true, drop_unused: true, ..SOLID };
    let repaired = build(&soup, &repair).unwrap();
    assert_eq!(repaired.repairs().dropped_faces, [soup.faces.len() as u32 - 1]);
    assert_eq!(repaired.repairs().dropped_vertices.len(), 4);
    let turned = build(&cube().inside_out(), &MeshOptions { turn_outward: true, ..SOLID }).unwrap();
    assert_eq!(turned.repairs().turned_faces, [0, 1, 2, 3, 4, 5]);
    assert!((turned.mass().0 - 8.0).abs() < 1e-6);
    assert_eq!(mesh(&cube()).repairs(), &Default::default());
}

/// Every edge of every face is found with its faces, and they run along it in opposite directions.
fn check_features(mesh: &Mesh) {
    let mut met = vec![0; mesh.edges().len()];
    for face in 0..mesh.face_count() as u32 {
        let (corners, edges) = (mesh.face_vertices(face), mesh.face_edges(face));
        assert_eq!(corners.len(), edges.len());
        for (i, &edge) in edges.iter().enumerate() {
            let [from, to] = [corners[i], corners[(i + 1) % corners.len()]];
            let e = mesh.edges()[edge as usize];
            met[edge as usize] += 1;
            if e.vertices == [from, to] {
                assert_eq!(e.faces[0], face);
            } else {
                assert_eq!((e.vertices, e.faces[1]), ([to, from], face));
            }
            let line = mesh.edge_line(edge).0;
            let [a, b] = e.vertices.map(|v| widen(mesh.vertices()[v as usize]));
            assert_eq!([line[2], line[4], line[5]], [a.x - b.x, a.z - b.z, b.y - a.y]);
        }
        for &v in corners {
            let off = mesh.plane(face).distance(mesh.vertices()[v as usize]);
            assert!(widen_real(off.abs()) < 1e-5, "{off}");
        }
    }
    for (edge, met) in mesh.edges().iter().zip(met) {
        assert_eq!(met, if edge.is_dangling() { 1 } else { 2 });
        assert!(!(edge.is_dangling() && edge.internal));
    }
}

#[test]
fn coplanar_faces_become_one() {
    let mut triangulated = cube();
    triangulated.faces = cube().faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect();
    for polyhedron in [cube(), triangulated] {
        let mesh = mesh(&polyhedron);
        assert_eq!((mesh.face_count(), mesh.edges().len(), mesh.triangle_count()), (6, 12, 12));
        assert!(mesh.edges().iter().all(|edge| !edge.internal));
        check_features(&mesh);
    }
    let grid = Polyhedron::terrain(&mut Rng::new(4), 8).mapped(|p| DVec3::new(p.x, p.y, 0.0));
    let flat = mesh(&grid);
    assert_eq!(flat.face_count(), 1);
    assert!(flat.edges().iter().all(|edge| edge.is_dangling() && edge.faces[1] == NO_FACE));
    check_features(&flat);
}

#[test]
fn internal_edges_are_concave_or_flat() {
    let notched = mesh(&Polyhedron::notched());
    check_features(&notched);
    // The two edges along y at the bottom of the notch are concave.
    let at = |v: u32| notched.vertices()[v as usize];
    let inner = |v: u32| at(v).z == 0.0 && at(v).x.abs() == 0.5;
    for edge in notched.edges() {
        let [p, q] = edge.faces.map(|face| notched.plane(face).normal);
        let concave = edge.vertices.into_iter().all(inner) && at(edge.vertices[0]).x == at(edge.vertices[1]).x;
        // Those between coplanar faces that could not be united are flat.
        assert_eq!(edge.internal, concave || p.dot(q) > 0.999, "{edge:?}");
    }
    assert!(notched.edges().iter().filter(|edge| edge.internal).count() >= 2);
    let dented = Polyhedron::star(0, |v| if v == DVec3::Z { -0.1 } else { 1.0 });
    let dented = mesh(&dented);
    let tip = dented.vertices().iter().position(|v| *v == Vec3::Z * -0.1).unwrap();
    assert!(dented.is_internal_vertex(tip as u32));
    assert_eq!((0..6).filter(|&v| dented.is_internal_vertex(v)).count(), 1);
    for polyhedron in
        [Polyhedron::torus(1.0, 0.4, 20, 10), Polyhedron::trefoil(0.3, 60, 8), Polyhedron::shell(1.0, 0.5, 2)]
    {
        let mesh = mesh(&polyhedron);
        check_features(&mesh);
        let share = mesh.edges().iter().filter(|edge| edge.internal).count() as f64 / mesh.edges().len() as f64;
        assert!(share > 0.1 && share < 0.7, "{share}");
    }
}

#[test]
fn faces_with_corners_in_line_are_cut_properly() {
    // A triangle with two corners on each side: no fan of it has proper triangles only.
    let corners = [[0., 0.], [1., 0.], [2., 0.], [3., 0.], [2., 1.], [1., 2.], [0., 3.], [0., 2.], [0., 1.]];
    let vertices = corners.map(|[x, y]| DVec3::new(x, y, 0.5)).to_vec();
    let polygon = mesh(&Polyhedron { vertices, faces: vec![(0..9).collect()] });
    assert_eq!((polygon.face_count(), polygon.triangle_count()), (1, 7));
    let triangles = placed(&polygon, &Pose::IDENTITY);
    let area: f64 = triangles.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).z / 2.0).sum();
    assert_eq!(area, 4.5);
    assert!(triangles.iter().all(|[a, b, c]| (*b - *a).cross(*c - *a).z > 0.0));
}

/// A ring of corners on a circle, some of them with points in line, in random order of places: all are cut into n − 2 triangles of
/// the right area, whatever vertex comes first.
#[test]
fn polygons_are_cut_whole() {
    let mut rng = Rng::new(7);
    for i in 0..300 {
        let corners = 3 + i % 5;
        let lattice = |k: usize| [[0., 0.], [8., 0.], [12., 4.], [12., 8.], [8., 12.], [0., 12.], [-4., 8.]][k];
        let outline: Vec<DVec3> = (0..corners).map(|k| DVec3::new(lattice(k)[0], lattice(k)[1], 0.0)).collect();
        let mut points = Vec::new();
        for (k, &p) in outline.iter().enumerate() {
            let q = outline[(k + 1) % corners];
            points.push(p);
            points.extend((1..1 + rng.index(4)).map(|j| p + (q - p) * (j as f64 / 4.0)));
        }
        points.rotate_left(rng.index(corners));
        let n = points.len() as u32;
        let turn = rng.rotation();
        let area: f64 = (1..corners - 1).map(|k| (outline[k] - outline[0]).cross(outline[k + 1] - outline[0]).z).sum();
        let turned = Polyhedron { vertices: points, faces: vec![(0..n).collect()] }
            .mapped(|p| if i % 2 == 0 { p } else { turn * p });
        let polygon = mesh(&turned);
        assert_eq!((polygon.face_count(), polygon.triangle_count()), (1, n as usize - 2));
        let triangles = placed(&polygon, &Pose::IDENTITY);
        let sum: f64 = triangles.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).length()).sum();
        assert!((sum / area - 1.0).abs() < 1e-5, "{sum} {area}");
    }
    let star = [0, 2, 4, 1, 3].map(|k: u32| f64::from(k) * std::f64::consts::TAU / 5.0);
    let star = Polyhedron {
        vertices: star.map(|t| DVec3::new(t.cos(), t.sin(), 0.0)).to_vec(),
        faces: vec![vec![0, 1, 2, 3, 4]],
    };
    assert!(matches!(refused(&star, &STRICT), MeshError::NotConvexFace { .. }));
    let tiny = cube().mapped(|p| p * if cfg!(single_precision) { 1e-12 } else { 1e-90 });
    assert!(matches!(refused(&tiny, &STRICT), MeshError::TooSmall { .. }));
    // A face of many corners and a plane of many faces take no more than a moment.
    let circle =
        (0..20_000).map(|k| f64::from(k) * std::f64::consts::TAU / 20_000.0).map(|t| DVec3::new(t.cos(), t.sin(), 0.0));
    let circle = Polyhedron { vertices: circle.collect(), faces: vec![(0..20_000).collect()] };
    if !cfg!(single_precision) {
        assert_eq!(mesh(&circle).triangle_count(), 19_998);
    }
    let grid =
        Polyhedron::terrain(&mut rng, 150).mapped(|p| DVec3::new((p.x * 75.0).round(), (p.y * 75.0).round(), 1.0));
    assert_eq!(mesh(&grid).face_count(), 1);
}

#[test]
fn volumes_boxes_and_farthest_points() {
    let mut rng = Rng::new(5);
    for polyhedron in
        [Polyhedron::notched(), Polyhedron::torus(1.0, 0.3, 30, 12), Polyhedron::star(2, |_| rng.uniform(0.5, 1.0))]
    {
        let far = polyhedron.clone().mapped(|p| p + DVec3::new(100.0, -50.0, 20.0));
        let (near, far) = (mesh(&polyhedron), mesh(&far));
        assert!((widen_real(near.mass().0) / polyhedron.volume() - 1.0).abs() < 1e-6);
        assert!(
            (widen_real(far.mass().0) / polyhedron.volume() - 1.0).abs()
                < if cfg!(single_precision) { 1e-3 } else { 1e-9 }
        );
        let turned = pose(&mut rng, DVec3::new(1.0, 2.0, 3.0));
        let bounds = near.aabb(&turned);
        let points: Vec<DVec3> = placed(&near, &turned).concat();
        let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        assert!((widen(bounds.min) - low).length() < 1e-5);
        for _ in 0..50 {
            let d = real(rng.unit_vector());
            let best = near.vertices().iter().map(|v| v.dot(d)).fold(Real::NEG_INFINITY, Real::max);
            assert!((near.support(d).0.dot(d) - best).abs() <= 4.0 * Real::EPSILON);
        }
    }
    let (volume, centroid) = mesh(&Polyhedron::notched()).mass();
    assert!((volume - 6.0).abs() < 1e-5 && (centroid - Vec3::new(0.0, 0.0, -1.0 / 6.0)).length() < 1e-6, "{centroid}");
}

/// What two oriented boxes say of the distance of their triangles holds, at every pair of nodes.
#[test]
fn oriented_boxes_never_promise_too_much() {
    let mut rng = Rng::new(6);
    for i in 0..6 {
        let a = mesh(&Polyhedron::star(1, |_| rng.uniform(0.3, 1.0)));
        let b = mesh(&Polyhedron::soup(&mut rng, 12, 0.3));
        let offset = rng.unit_vector() * 1.5 * f64::from(i % 3);
        let place = pose(&mut rng, offset);
        let frame = Frame::of(&place, &Pose::IDENTITY);
        let below = |mesh: &Mesh, root: NodeId, place: &Pose| {
            let (mut stack, mut all) = (vec![root], Vec::new());
            while let Some(id) = stack.pop() {
                stack.extend(mesh.tree().children(id).into_iter().flatten());
                all.extend(mesh.tree().payload(id).map(|t| placed(mesh, place)[t as usize]));
            }
            all
        };
        let (mut apart, mut tight) = (0, 0);
        for p in (0..a.tree().node_capacity() as u32).step_by(5).map(NodeId) {
            for q in (0..b.tree().node_capacity() as u32).map(NodeId) {
                let promised = a.oriented_boxes().get(p).separation(b.oriented_boxes().get(q), &frame);
                if promised > 0.0 {
                    let truth = surfaces::distance(&below(&a, p, &Pose::IDENTITY), &below(&b, q, &place));
                    assert!(promised <= truth + 1e-12, "{promised} {truth}");
                    apart += 1;
                    tight += usize::from(promised > 0.5 * truth);
                }
            }
        }
        assert!(apart > 20 && tight * 2 > apart, "{tight} of {apart}");
    }
}

#[test]
fn faces_through_each_other_are_found_on_request() {
    let crossed = cube().joined(&cube().mapped(|p| p * 0.5 + DVec3::X));
    let found = mesh(&crossed).self_intersections(100);
    assert!(found.iter().all(|&[a, b]| a < 6 && b >= 6), "{found:?}");
    assert!(found.contains(&[1, 8]), "{found:?}");
    assert!(mesh(&Polyhedron::trefoil(0.3, 60, 8)).self_intersections(100).is_empty());
    assert!(!mesh(&Polyhedron::trefoil(0.9, 60, 8)).self_intersections(100).is_empty());
    assert_eq!(mesh(&Polyhedron::trefoil(0.9, 60, 8)).self_intersections(3).len(), 3);
}
