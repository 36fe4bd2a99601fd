//! What is wrong with a mesh is told by element, and repairs are listed.

use clearance_io::{MeshDefect, Repair, describe, repaired};

use super::cube;

#[test]
fn an_open_cube_has_a_hole() {
    let mut open = cube();
    open.triangles.remove(0);
    let found = describe(&open);
    assert!(!found.closed && found.oriented && !found.solid && found.volume.is_none());
    assert_eq!((found.holes, found.defect_count), (1, 3));
    assert!(found.defects.iter().all(|defect| matches!(defect, MeshDefect::OpenEdge { .. })));
    // On the other side of the cube.
    open.triangles.remove(1);
    assert_eq!(describe(&open).holes, 2);
}

#[test]
fn a_turned_triangle_is_named_and_turned_back() {
    let mut spoilt = cube();
    spoilt.triangles[4].swap(0, 1);
    let found = describe(&spoilt);
    assert!(found.closed && !found.oriented && !found.solid && found.refused.is_some());
    assert!(
        found
            .defects
            .iter()
            .all(|defect| matches!(defect, MeshDefect::TurnedOver { triangles, .. } if triangles.contains(&4)))
    );
    assert!(repaired(&spoilt, &[]).is_err());
    let (mesh, done) = repaired(&spoilt, &[Repair::Orient]).unwrap();
    assert!(mesh.is_solid());
    assert_eq!(done.turned_triangles, [4]);
}

#[test]
fn a_cube_inside_out_is_turned() {
    let mut spoilt = cube();
    spoilt.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let (mesh, done) = repaired(&spoilt, &[Repair::Orient]).unwrap();
    assert!(mesh.is_solid());
    assert_eq!(done.turned_triangles.len(), 12);
}

#[test]
fn duplicates_slivers_and_loose_ends_are_named() {
    let mut spoilt = cube();
    spoilt.triangles.push(spoilt.triangles[3]);
    spoilt.triangles.push([0, 1, 1]);
    spoilt.vertices.push(spoilt.vertices[2]);
    let found = describe(&spoilt);
    let has = |wanted: &MeshDefect| found.defects.contains(wanted);
    assert!(has(&MeshDefect::Duplicate { triangle: 12, of: 3 }), "{:?}", found.defects);
    assert!(has(&MeshDefect::Degenerate { triangle: 13 }));
    assert!(has(&MeshDefect::SamePlace { vertex: 8, of: 2 }));
    assert!(has(&MeshDefect::Unused { vertex: 8 }));
    assert!(found.defects.iter().any(|defect| matches!(defect, MeshDefect::NonManifoldEdge { count: 3, .. })));
    let (mesh, done) = repaired(&spoilt, &[Repair::DropDegenerate]).unwrap();
    assert!(mesh.is_solid());
    assert_eq!((done.dropped_triangles, done.dropped_vertices), (vec![12, 13], vec![8]));
    let mut thin = cube();
    thin.vertices[7].x = 1e-5;
    assert!(
        describe(&thin)
            .defects
            .iter()
            .any(|defect| matches!(defect, MeshDefect::Sliver { .. } | MeshDefect::SelfIntersection { .. }))
    );
}

#[test]
fn loose_triangles_are_welded_on_request() {
    let cube = cube();
    let mut soup = cube.clone();
    soup.vertices = cube.triangles.iter().flatten().map(|v| cube.vertices[*v as usize]).collect();
    soup.triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    assert!(!describe(&soup).closed);
    let (mesh, done) = repaired(&soup, &[Repair::Weld, Repair::DropDegenerate]).unwrap();
    assert!(mesh.is_solid());
    assert_eq!(done.welded.len(), 28);
}

#[test]
fn inertia_of_a_cube_is_known() {
    let found = describe(&cube());
    let inertia = found.inertia.unwrap();
    for (i, row) in inertia.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert!((entry - if i == j { 1.0 / 6.0 } else { 0.0 }).abs() < 1e-12, "{inertia:?}");
        }
    }
    assert_eq!(found.centroid, Some([0.5; 3]));
}
