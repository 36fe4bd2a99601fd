//! Every format gives the same cube.

use clearance::Vec3;
use clearance_io::{Format, Surface, Unit, Up, describe, write};

use super::{cube, model, read};

fn is_the_cube(surface: &Surface) {
    let found = describe(surface);
    assert!(found.closed && found.oriented && found.convex && found.solid, "{found:?}");
    assert_eq!((found.vertices, found.triangles, found.defect_count), (8, 12, 0));
    assert_eq!(found.volume, Some(1.0));
    assert_eq!(found.bounds, Some([[0.0; 3], [1.0; 3]]));
}

fn corners() -> String {
    cube().vertices.iter().map(|v| format!("{} {} {}\n", v.x, v.y, v.z)).collect()
}

#[test]
fn stl_binary_and_text() {
    let bytes = write::stl_bytes(&model(cube()));
    is_the_cube(&read(Format::Stl, &bytes).unwrap().surfaces[0]);
    let cube = cube();
    let mut text = String::from("solid my cube\n");
    for t in &cube.triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for v in t {
            let p = cube.vertices[*v as usize];
            text += &format!("vertex {} {} {:e}\n", p.x, p.y, p.z);
        }
        text += "endloop\nendfacet\n";
    }
    text += "endsolid my cube\n";
    let twice = text.replace("my cube", "other") + &text;
    let read = read(Format::Stl, twice.as_bytes()).unwrap();
    assert_eq!(read.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["other", "my cube"]);
    read.surfaces.iter().for_each(is_the_cube);
}

#[test]
fn a_binary_stl_that_begins_with_solid_is_binary() {
    let mut bytes = write::stl_bytes(&model(cube()));
    bytes[..6].copy_from_slice(b"solid ");
    is_the_cube(&read(Format::Stl, &bytes).unwrap().surfaces[0]);
}

#[test]
fn a_large_binary_stl_is_read_in_blocks() {
    // More triangles than a block has, and no multiple of it.
    let side = 60;
    let at = |i: u32, j: u32| i * (side + 1) + j;
    let vertices = (0..=side)
        .flat_map(|i| (0..=side).map(move |j| Vec3::new(f64::from(i), f64::from(j), f64::from(i * j % 7))))
        .collect();
    let cells = (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
    let triangles = cells
        .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]])
        .collect();
    let bytes = write::stl_bytes(&model(Surface { name: "grid".to_owned(), vertices, triangles }));
    let folder = std::env::temp_dir().join(format!("clearance-blocks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("grid.stl");
    let of_file = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        clearance_io::read(&path).map(|model| model.surfaces).map_err(|error| error.to_string())
    };
    let whole = read(Format::Stl, &bytes).unwrap().surfaces;
    assert_eq!((whole[0].triangles.len(), whole[0].vertices.len()), (7200, 61 * 61));
    assert_eq!(of_file(&bytes).unwrap(), whole);
    // Bytes after the last triangle are passed over, a missing one is told.
    assert_eq!(of_file(&[bytes.clone(), vec![7; 30]].concat()).unwrap(), whole);
    assert!(of_file(&bytes[..bytes.len() - 1]).unwrap_err().contains("truncated"));
    let mut broken = bytes;
    broken[84 + 50 * 5000 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(of_file(&broken).unwrap_err().contains("triangles[5000]"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn obj_with_quads_negative_numbers_and_groups() {
    let vertices: String = corners().lines().map(|line| format!("v {line}\n")).collect();
    let faces = "f 1 3 4 2\nf -4/1 -3/1/1 -1//2 -2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    let text = format!("# a cube\nmtllib none.mtl\n{vertices}vn 0 0 1\no first\n{faces}usemtl red\ng second\n{faces}");
    let read = read(Format::Obj, text.as_bytes()).unwrap();
    assert_eq!(read.surfaces.len(), 2);
    read.surfaces.iter().for_each(is_the_cube);
    assert_eq!(read.parts[1].name, "second");
}

#[test]
fn off_with_comments() {
    let text = format!(
        "OFF # a cube\n8 6 12\n{}4 0 2 3 1\n4 4 5 7 6 255 0 0\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n",
        corners()
    );
    is_the_cube(&read(Format::Off, text.as_bytes()).unwrap().surfaces[0]);
}

#[test]
fn ply_text_and_both_byte_orders() {
    let cube = cube();
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty float y\nproperty double z\nproperty uchar red\nelement face 12\nproperty list uchar int vertex_indices\nelement other 1\nproperty list uchar short values\nend_header\n"
        )
    };
    let mut text = header("ascii");
    cube.vertices.iter().for_each(|v| text += &format!("{} {} {} 7\n", v.x, v.y, v.z));
    cube.triangles.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text += "2 5 6\n";
    is_the_cube(&read(Format::Ply, text.as_bytes()).unwrap().surfaces[0]);
    for big in [false, true] {
        let mut bytes = header(if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
        let mut put = |number: &[u8]| {
            bytes.extend(if big { number.iter().rev().copied().collect::<Vec<_>>() } else { number.to_vec() })
        };
        for v in &cube.vertices {
            put(&(v.x as f32).to_le_bytes());
            put(&(v.y as f32).to_le_bytes());
            put(&v.z.to_le_bytes());
            put(&[7]);
        }
        for t in &cube.triangles {
            put(&[3]);
            t.iter().for_each(|v| put(&v.to_le_bytes()));
        }
        put(&[1]);
        put(&[9, 0]);
        is_the_cube(&read(Format::Ply, &bytes).unwrap().surfaces[0]);
    }
}

#[test]
fn maps_have_a_part_for_each_brush() {
    let face = |points: &str| format!("{points} wall 0 0 0 1 1\n");
    let brush: String = [
        "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )",
        "( 1 0 0 ) ( 1 0 1 ) ( 1 1 0 )",
        "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )",
        "( 0 1 0 ) ( 1 1 0 ) ( 0 1 1 )",
        "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )",
        "( 0 0 1 ) ( 0 1 1 ) ( 1 0 1 )",
    ]
    .map(face)
    .concat();
    let text = format!("{{\n\"classname\" \"worldspawn\"\n{{\n{brush}}}\n{{\n{brush}}}\n}}\n");
    let read = read(Format::Map, text.as_bytes()).unwrap();
    assert_eq!((read.parts.len(), read.up), (2, Some(Up::Z)));
    read.surfaces.iter().for_each(is_the_cube);
}

#[test]
fn threemf_with_components_and_a_unit() {
    let cube = cube();
    let vertices: String =
        cube.vertices.iter().map(|v| format!("<vertex x=\"{}\" y=\"{}\" z=\"{}\"/>", v.x, v.y, v.z)).collect();
    let triangles: String =
        cube.triangles.iter().map(|[a, b, c]| format!("<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>")).collect();
    let xml = format!(
        "<?xml version=\"1.0\"?><model unit=\"inch\" xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources>\
         <object id=\"1\" name=\"a &amp; b\"><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>\
         <object id=\"2\"><components><component objectid=\"1\"/><component objectid=\"1\" transform=\"1 0 0 0 1 0 0 0 1 5 0 0\"/></components></object>\
         </resources><build><item objectid=\"2\" transform=\"1 0 0 0 1 0 0 0 1 0 7 0\"/></build></model>"
    );
    let bytes = super::hostile::zipped("3D/3dmodel.model", xml.as_bytes());
    let read = read(Format::ThreeMf, &bytes).unwrap();
    assert_eq!((read.unit, read.parts.len(), read.surfaces.len()), (Some(Unit::In), 2, 1));
    assert_eq!(read.parts[1].pose.translation().to_array(), [5.0, 7.0, 0.0]);
    assert_eq!(read.parts[0].name, "a & b");
    is_the_cube(&read.surfaces[0]);
}

#[test]
fn concave_polygons_are_cut_without_overlap() {
    // An L of six corners, extruded: its faces are concave polygons.
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let mut text = String::new();
    for z in 0..2 {
        outline.iter().for_each(|[x, y]| text += &format!("v {x} {y} {z}\n"));
    }
    text += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
    (1..=6).for_each(|i| text += &format!("f {i} {} {} {}\n", i % 6 + 1, i % 6 + 7, i + 6));
    let read = read(Format::Obj, text.as_bytes()).unwrap();
    let found = describe(&read.surfaces[0]);
    assert!(found.solid && !found.convex && found.defect_count == 0, "{found:?}");
    assert_eq!(found.volume, Some(3.0));
}
