//! What is written can be read: STL, OBJ and GLB, with places, also far from the origin.

use clearance::Pose;
use clearance_io::{Format, Placed, Unit, Up, describe, read as read_file, write};

use super::{cube, model, read, temporary};

#[test]
fn what_is_written_is_read_back() {
    let mut two = model(cube());
    let pose = Pose::new([1000.0, 2.0, 3.0], [0.0, 0.0, 0.6, 0.8]).unwrap();
    two.parts.push(Placed { name: "other".to_owned(), path: Vec::new(), surface: 0, pose });
    for (name, parts) in [("a.stl", 1), ("a.obj", 2), ("a.glb", 2)] {
        let path = temporary(name);
        write(&two, &path).unwrap();
        let back = read_file(&path).unwrap();
        assert_eq!((back.parts.len(), back.triangle_count()), (parts, 24), "{name}");
        let (before, after) = (describe(&two.merged()), describe(&back.merged()));
        for (p, q) in before.bounds.unwrap().iter().flatten().zip(after.bounds.unwrap().iter().flatten()) {
            assert!((p - q).abs() < 1e-4, "{name}: {p} {q}");
        }
        // Single precision spoils coordinates of the merged STL; the others keep the shape.
        if parts == 2 {
            assert!((after.volume.unwrap() - 2.0).abs() < 1e-9, "{name}");
        }
    }
    assert!(write(&two, temporary("a.ply")).unwrap_err().to_string().contains("not written"));
    assert!(
        std::fs::read_dir(temporary("").as_path()).unwrap().all(|entry| !entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .ends_with(".part"))
    );
}

#[test]
fn a_written_scene_is_in_metres_with_y_up() {
    let mut one = model(cube());
    (one.unit, one.up) = (Some(Unit::Mm), Some(Up::Z));
    let bytes = write::glb(&write::GlbScene::of_model(&one));
    let back = read(Format::Glb, &bytes).unwrap();
    assert_eq!((back.unit, back.up), (Some(Unit::M), Some(Up::Y)));
    let found = describe(&back.merged());
    let [min, max] = found.bounds.unwrap();
    assert!((max[1] - 1e-3).abs() < 1e-9 && (min[2] + 1e-3).abs() < 1e-9, "{min:?} {max:?}");
}
