//! The promise: faces that describe a convex solid are accepted, flat to the digits of a file; anything else is an error
//! that names the face, the edge or the vertex.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::math::{narrow, widen};
use clearance::{Polytope, PolytopeError, Vec3};
use clearance_testkit::{HitRate, Rng};
use common::{cube, solid_of, u};
use glam::DVec3;

/// The error of a cube after a change to its vertices and faces.
fn refusal(change: impl FnOnce(&mut Vec<Vec3>, &mut Vec<Vec<u32>>)) -> PolytopeError {
    let (mut vertices, mut faces) = cube(1.0);
    change(&mut vertices, &mut faces);
    Polytope::from_faces(&vertices, &faces).expect_err("a broken cube")
}

#[test]
fn a_cube_and_a_tetrahedron_are_taken_as_given() {
    let (vertices, faces) = cube(1.0);
    let polytope = Polytope::from_faces(&vertices, &faces).unwrap();
    assert_eq!(polytope.vertices(), vertices);
    assert_eq!((polytope.edge_count(), polytope.face_count(), polytope.volume()), (12, 6, 8.0));
    assert_eq!(solid_of(&polytope).check(), Ok(()));

    let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let polytope = Polytope::from_faces(&corners, &faces).unwrap();
    assert_eq!((polytope.vertices().len(), polytope.face_count()), (4, 4));
    assert_eq!(solid_of(&polytope).check(), Ok(()));
}

#[test]
fn triangulated_faces_are_united() {
    let (vertices, faces) = cube(1.0);
    let triangles: Vec<[u32; 3]> = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    let polytope = Polytope::from_faces(&vertices, &triangles).unwrap();
    assert_eq!((polytope.vertices().len(), polytope.face_count()), (8, 6));
}

#[test]
fn a_rotated_cube_is_flat_enough() {
    let mut rng = Rng::new(301);
    let (vertices, faces) = cube(1.0);
    let mut split = HitRate::new("turned cubes whose quads are not exactly flat");
    for _ in 0..200 {
        let (turn, shift) = (rng.rotation(), rng.in_ball(3.0));
        let turned: Vec<Vec3> = vertices.iter().map(|&v| narrow(turn * widen(v) + shift)).collect();
        let polytope = Polytope::from_faces(&turned, &faces).unwrap();
        assert_eq!(polytope.vertices(), turned);
        assert_eq!(polytope.validate(), Ok(()));
        // 8 corners off by at most 3 · 5 u each (coordinates up to 5), over a surface of 24.
        assert!((widen(polytope.centroid()) - shift).length() < 16.0 * u() * 5.0);
        split.record(polytope.face_count() > 6);
    }
    split.assert_between(0.8, 1.0);
}

#[test]
fn topology_errors_name_their_place() {
    use PolytopeError as E;
    let out_of_range = refusal(|_, f| f[2][1] = 8);
    assert_eq!(out_of_range, E::VertexIndex { face: 2, vertex: 8, count: 8 });
    let short = refusal(|_, f| f[4].truncate(2));
    assert_eq!(short, E::ShortFace { face: 4, count: 2 });
    let empty = refusal(|_, f| f[1].clear());
    assert_eq!(empty, E::ShortFace { face: 1, count: 0 });
    let repeated = refusal(|_, f| f[3].push(2));
    assert_eq!(repeated, E::RepeatedVertex { face: 3, vertex: 2 });
    let unused = refusal(|v, _| v.push(Vec3::splat(2.0)));
    assert_eq!(unused, E::UnusedVertex { vertex: 8 });
    // Face 5 is 4 5 7 6; without it the first face's edge from 4 to 6 is open.
    let open = refusal(|_, f| drop(f.pop()));
    assert_eq!(open, E::OpenEdge { face: 0, from: 4, to: 6 });
    let flipped = refusal(|_, f| f[5].reverse());
    assert!(matches!(flipped, E::EdgeTwice { second: 5, .. }), "{flipped}");
    let twice = refusal(|_, f| f.push(f[0].clone()));
    assert_eq!(twice, E::EdgeTwice { from: 0, to: 4, first: 0, second: 6 });
    let inside_out = refusal(|_, f| f.iter_mut().for_each(|face| face.reverse()));
    assert_eq!(inside_out, E::InsideOut);
    let nothing: [[u32; 3]; 0] = [];
    assert_eq!(Polytope::from_faces(&[], &nothing).expect_err("nothing"), E::TooFewPoints { count: 0, needed: 4 });
}

/// Replaces the top of the cube (4 5 7 6) by four triangles to a new vertex at the given height.
fn with_top_at(height: f64) -> impl FnOnce(&mut Vec<Vec3>, &mut Vec<Vec<u32>>) {
    move |vertices, faces| {
        vertices.push(narrow(DVec3::new(0.0, 0.0, height)));
        faces.pop();
        faces.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]].map(|f| f.to_vec()));
    }
}

#[test]
fn shape_errors_name_their_place() {
    use PolytopeError as E;
    let dented = refusal(with_top_at(0.5));
    let E::NotConvex { face, above, .. } = dented else { panic!("{dented}") };
    assert!(face >= 5 && above > 0.1, "{dented}");
    // Only the top (face 5) and nothing else is warped when one of its corners moves along z.
    let warped = refusal(|v, _| v[7].z = 1.25);
    let E::NotFlat { face: 5, off, .. } = warped else { panic!("{warped}") };
    assert!((0.05..0.25).contains(&off), "{warped}");
    let on_face = refusal(with_top_at(1.0));
    assert_eq!(on_face, E::NotACorner { vertex: 8 });
    // The edge from 0 to 4 gets a vertex in its middle, in both of its faces.
    let on_edge = refusal(|vertices, faces| {
        vertices.push(Vec3::new(-1.0, -1.0, 0.0));
        for face in faces.iter_mut() {
            let ends = |i: usize| [face[i], face[(i + 1) % 4]];
            if let Some(at) = (0..face.len()).find(|&i| ends(i) == [0, 4] || ends(i) == [4, 0]) {
                face.insert(at + 1, 8);
            }
        }
    });
    assert_eq!(on_edge, E::NotACorner { vertex: 8 });
    let pyramid = cube(1.0);
    let (mut vertices, mut faces) = pyramid;
    with_top_at(1.5)(&mut vertices, &mut faces);
    assert_eq!(Polytope::from_faces(&vertices, &faces).unwrap().face_count(), 9);
}

#[test]
fn coincident_vertices_are_named() {
    // For each corner of the cube: one of its faces uses a copy of it, and two triangles without area close the gap.
    for corner in 0..8u32 {
        let error = refusal(|vertices, faces| {
            vertices.push(vertices[corner as usize]);
            let face = faces.iter_mut().find(|face| face.contains(&corner)).unwrap();
            let at = face.iter().position(|&v| v == corner).unwrap();
            let (before, after) = (face[(at + 3) % 4], face[(at + 1) % 4]);
            face[at] = 8;
            faces.push(vec![8, before, corner]);
            faces.push(vec![corner, after, 8]);
        });
        assert_eq!(error, PolytopeError::DuplicateVertex { first: corner as usize, second: 8 });
    }
}

#[test]
fn a_face_without_area_is_no_reason_to_call_a_cube_dented() {
    // The edge from 0 to 4 of the first face gets a vertex in its middle, and a triangle in line closes the gap.
    let error = refusal(|vertices, faces| {
        vertices.push(Vec3::new(-1.0, -1.0, 0.0));
        assert_eq!(faces[0][..2], [0, 4]);
        faces[0].insert(1, 8);
        faces.push(vec![8, 0, 4]);
    });
    assert_eq!(error, PolytopeError::NotACorner { vertex: 8 });
}

#[test]
fn points_without_volume_are_refused_for_what_they_are() {
    // Two triangles back to back.
    let flat = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.]].map(Vec3::from);
    let faces = [[0u32, 1, 3, 2], [2, 3, 1, 0]];
    assert_eq!(Polytope::from_faces(&flat, &faces).expect_err("flat"), PolytopeError::Coplanar { count: 4 });
    let (mut vertices, faces) = cube(1.0);
    vertices[6].z = clearance::Real::NAN;
    let error = Polytope::from_faces(&vertices, &faces).expect_err("NaN");
    assert!(matches!(error, PolytopeError::Coordinate { index: 6, axis: 'z', .. }), "{error}");
}
