//! Files that are wrong are refused with the line or the element.

use clearance_io::Format;

use super::{cube, model, read};

fn refused(format: Format, bytes: &[u8], words: &[&str]) {
    let message = read(format, bytes).expect_err("is accepted");
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

#[test]
fn truncated_files() {
    let stl = clearance_io::write::stl_bytes(&model(cube()));
    refused(Format::Stl, &stl[..300], &["truncated", "12 triangles", "4"]);
    refused(Format::Stl, &stl[..50], &["truncated"]);
    refused(Format::Stl, b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", &["line 4", "z"]);
    refused(Format::Stl, b"solid x\nfacet normal 0 0 1\n", &["outer"]);
    let glb = clearance_io::write::glb(&clearance_io::write::GlbScene::of_model(&model(cube())));
    for length in 0..glb.len() {
        assert!(read(Format::Glb, &glb[..length]).is_err(), "{length} of {} bytes are accepted", glb.len());
    }
}

#[test]
fn numbers_that_are_none() {
    refused(Format::Obj, b"v 0 0 nan\n", &["line 1", "z", "nan"]);
    refused(Format::Obj, b"v 0 0 0\nf 1 2 3\n", &["line 2", "vertex 2"]);
    refused(Format::Obj, b"v 0 0 0\nv 1 0 0\nf 1 2\n", &["line 3", "2 corners"]);
    refused(Format::Obj, b"v 0 0 0\ncurv 1 2\n", &["line 2", "curv"]);
    refused(Format::Off, b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", &["line 6", "vertex 3"]);
    refused(Format::Off, b"FOO\n", &["line 1", "OFF"]);
    refused(
        Format::Ply,
        b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
        &["x, y and z"],
    );
    refused(Format::Obj, b"v 0 0 \xff\n", &["line 1", "UTF-8"]);
}

#[test]
fn counts_are_not_believed() {
    let mut stl = vec![0; 84];
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    refused(Format::Stl, &stl, &["4294967295"]);
    refused(Format::Off, b"OFF\n99999999 99999999 0\n", &["truncated"]);
    refused(Format::Off, b"OFF\n999999999999 1 0\n", &["limit"]);
    let ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 90000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    refused(Format::Ply, ply, &["truncated"]);
}

#[test]
fn gltf_with_missing_buffers_or_cyclic_nodes() {
    let document = |rest: &str| format!("{{\"asset\":{{\"version\":\"2.0\"}},{rest}}}").into_bytes();
    refused(
        Format::Gltf,
        &document("\"buffers\":[{\"byteLength\":4,\"uri\":\"gone.bin\"}]"),
        &["buffers[0]", "gone.bin"],
    );
    refused(Format::Gltf, &document("\"buffers\":[{\"byteLength\":4}]"), &["buffers[0]", "missing"]);
    refused(
        Format::Gltf,
        &document("\"buffers\":[{\"byteLength\":400,\"uri\":\"data:application/octet-stream;base64,AAAA\"}]"),
        &["truncated"],
    );
    refused(
        Format::Gltf,
        &document("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]"),
        &["nodes[0]", "twice"],
    );
    refused(Format::Gltf, &document("\"scenes\":[{\"nodes\":[5]}]"), &["nodes[5]"]);
    refused(Format::Gltf, &document("\"nodes\":[{\"mesh\":3}]"), &["meshes[3]"]);
    let mesh = "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";
    refused(Format::Gltf, &document(mesh), &["accessors[0]"]);
    let views = ",\"buffers\":[{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":3}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1000000000000,\"type\":\"VEC3\"}]";
    refused(Format::Gltf, &document(&(mesh.to_owned() + views)), &["limit"]);
    refused(
        Format::Gltf,
        &document(&(mesh.to_owned() + views).replace("1000000000000", "99")),
        &["accessors[0]", "beyond"],
    );
    refused(Format::Gltf, b"{", &["line 1"]);
}

#[test]
fn a_buffer_outside_of_the_folder_is_not_read() {
    let path = super::temporary("leads-away.gltf");
    for uri in ["../secret.bin", "/etc/passwd", "a/../../b.bin", "%2e%2e/secret.bin"] {
        let text =
            format!("{{\"asset\":{{\"version\":\"2.0\"}},\"buffers\":[{{\"byteLength\":4,\"uri\":\"{uri}\"}}]}}");
        std::fs::write(&path, text).unwrap();
        let message = clearance_io::read(&path).unwrap_err().to_string();
        assert!(message.contains("no path within the folder"), "{message}");
    }
}

#[test]
fn missing_files_and_unknown_formats_are_named() {
    assert!(clearance_io::read("gone.stl").unwrap_err().to_string().contains("gone.stl"));
    assert!(clearance_io::read("part.step").unwrap_err().to_string().contains("'step' is no known mesh format"));
}
