//! Mesh files and scenes of parts for the fuzzer. Bytes are letters of the same number, so that text and binary files are spoilt alike.

use clearance::Vec3;
use clearance_cli::check::{Question, run};
use clearance_cli::query::Session;
use clearance_io::{Format, Limits, Repair, Surface, describe, parse, repaired, write};
use clearance_terminal::Progress;
use clearance_testkit::Rng;
use serde_json::{Value, json};

use super::grammar;

const FORMATS: [(&str, Format); 8] = [
    ("stl", Format::Stl),
    ("ascii-stl", Format::Stl),
    ("obj", Format::Obj),
    ("off", Format::Off),
    ("ply", Format::Ply),
    ("gltf", Format::Gltf),
    ("glb", Format::Glb),
    ("3mf", Format::ThreeMf),
];

/// A small surface: a tetrahedron or a box, some triangles of it left out or turned.
fn surface(rng: &mut Rng) -> Surface {
    let mut surface = Surface::default();
    let point =
        |rng: &mut Rng| Vec3::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)).round();
    if rng.chance(0.5) {
        surface.vertices = (0..4).map(|_| point(rng)).collect();
        surface.triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    } else {
        surface.vertices =
            (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        surface.triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    }
    if rng.chance(0.3) {
        let at = rng.index(surface.triangles.len());
        surface.triangles.swap_remove(at);
    }
    if rng.chance(0.3) {
        let at = rng.index(surface.triangles.len());
        surface.triangles[at].swap(0, 1);
    }
    surface
}

/// A mesh file: the name of its format on the first line, then its bytes as letters.
pub fn mesh_file(rng: &mut Rng) -> String {
    let (name, _) = FORMATS[rng.index(FORMATS.len())];
    let surface = surface(rng);
    let bytes = match name {
        "stl" | "glb" => {
            let part = clearance_io::Placed {
                name: "part".to_owned(),
                path: Vec::new(),
                surface: 0,
                pose: clearance::Pose::IDENTITY,
            };
            let format = Format::Stl;
            let (surfaces, parts) = (vec![surface], vec![part]);
            let model = clearance_io::Model { format, unit: None, up: None, surfaces, parts, notes: Vec::new() };
            if name == "stl" { write::stl_bytes(&model) } else { write::glb(&write::GlbScene::of_model(&model)) }
        }
        "3mf" => archive(&surface),
        _ => text_file(name, &surface).into_bytes(),
    };
    let mut text = format!("{name}\n");
    text.extend(bytes.into_iter().map(char::from));
    text
}

fn text_file(name: &str, surface: &Surface) -> String {
    let lines = |before: &str| -> String {
        surface.vertices.iter().map(|v| format!("{before}{} {} {}\n", v.x, v.y, v.z)).collect()
    };
    let faces = |before: &str, first: u32| -> String {
        surface
            .triangles
            .iter()
            .map(|[a, b, c]| format!("{before} {} {} {}\n", a + first, b + first, c + first))
            .collect()
    };
    let [vertices, triangles] = [surface.vertices.len(), surface.triangles.len()];
    match name {
        "obj" => format!("o part\n{}{}", lines("v "), faces("f", 1)),
        "off" => format!("OFF\n{vertices} {triangles} 0\n{}{}", lines(""), faces("3", 0)),
        "ply" => format!(
            "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face {triangles}\n\
             property list uchar int vertex_indices\nend_header\n{}{}",
            lines(""),
            faces("3", 0)
        ),
        "gltf" => {
            let numbers = surface.vertices.iter().flat_map(|v| v.to_array()).flat_map(|x| (x as f32).to_le_bytes());
            let corners = surface.triangles.iter().flatten().flat_map(|v| v.to_le_bytes());
            let bytes: Vec<u8> = numbers.chain(corners).collect();
            let split = 12 * vertices;
            json!({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                "nodes": [{"children": [1], "scale": [1, 2, 1]}, {"mesh": 0, "translation": [1, 0, 0], "name": "part"}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "accessors": [
                    {"bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3"},
                    {"bufferView": 1, "componentType": 5125, "count": 3 * triangles, "type": "SCALAR"}],
                "bufferViews": [{"buffer": 0, "byteLength": split}, {"buffer": 0, "byteOffset": split, "byteLength": bytes.len() - split}],
                "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{}", base64(&bytes))}],
            })
            .to_string()
        }
        _ => {
            let facet = |t: &[u32; 3]| {
                let corner = |v: &u32| surface.vertices[*v as usize].to_array().map(|x| x.to_string()).join(" ");
                let corners: String = t.iter().map(|v| format!("vertex {}\n", corner(v))).collect();
                format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
            };
            let facets: String = surface.triangles.iter().map(facet).collect();
            format!("solid part\n{facets}endsolid part\n")
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = [0, 1, 2].iter().fold(0_u32, |word, i| word << 8 | u32::from(chunk.get(*i).copied().unwrap_or(0)));
        for i in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// A 3MF file, stored without compression so that spoilt letters reach the model.
fn archive(surface: &Surface) -> Vec<u8> {
    let vertices: String =
        surface.vertices.iter().map(|v| format!("<vertex x=\"{}\" y=\"{}\" z=\"{}\"/>", v.x, v.y, v.z)).collect();
    let triangles: String =
        surface.triangles.iter().map(|[a, b, c]| format!("<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>")).collect();
    let xml = format!(
        "<model unit=\"millimeter\"><resources><object id=\"1\"><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh>\
         </object><object id=\"2\"><components><component objectid=\"1\"/></components></object></resources><build><item objectid=\"2\"/></build></model>"
    );
    clearance_io::write::stored_zip("3D/3dmodel.model", xml.as_bytes())
}

/// Reads a mesh file; what is read is described and repaired.
pub fn read_mesh_file(text: &str) -> bool {
    let Some((name, content)) = text.split_once('\n') else { return false };
    let Some((_, format)) = FORMATS.iter().find(|known| known.0 == name) else { return false };
    let bytes: Vec<u8> = content.chars().map(|c| c as u32 as u8).collect();
    let limits = Limits { bytes: 1 << 20, vertices: 100_000, triangles: 100_000, parts: 10_000 };
    let Ok(model) = parse(*format, &bytes, &limits, &|_| Err("no other files".to_owned())) else { return false };
    for surface in &model.surfaces {
        let found = describe(surface);
        assert!(found.defects.len() <= found.defect_count, "{found:?}");
        let _ = repaired(surface, &Repair::ALL);
    }
    true
}

/// A shape that is accepted, mostly.
fn shape(rng: &mut Rng) -> Value {
    let mut shape = grammar::shape(rng, 1);
    for _ in 0..8 {
        let answer = Session::new().answer(&json!({"op": "aabb", "a": shape}).to_string());
        let is_endless = ["half_space", "points"].contains(&shape["type"].as_str().unwrap_or_default());
        if answer.is_some_and(|answer| answer.body.is_ok()) && !is_endless {
            break;
        }
        shape = grammar::shape(rng, 1);
    }
    shape
}

/// A scene of a few parts.
pub fn assembly(rng: &mut Rng) -> String {
    let name = |i: usize| format!("part {i}");
    let part = |rng: &mut Rng, i: usize| {
        let mut part = json!({"name": name(i), "shape": shape(rng), "pose": grammar::pose(rng)});
        if rng.chance(0.3) {
            part["group"] = json!("group");
        }
        part
    };
    let count = 1 + rng.index(4);
    let parts: Vec<Value> = (0..count).map(|i| part(rng, i)).collect();
    let mut scene = json!({"clearance_scene": 1, "title": "fuzz", "parts": parts});
    if rng.chance(0.5) {
        scene["rules"] = json!({"clearance": rng.uniform(0.0, 1.0), "pairs": [{"a": name(0), "b": "*", "depth": 0.1, "touching": "allow"}]});
    }
    if rng.chance(0.5) {
        let moved = match rng.index(3) {
            0 => json!({"part": name(0), "screw": {"to": grammar::pose(rng)}}),
            1 => {
                json!({"part": name(0), "joint": {"type": "revolute", "axis": [0, 0, 1], "values": [[0, 0], [1, rng.uniform(-90.0, 90.0)]]}})
            }
            _ => {
                json!({"part": name(0), "keyframes": [{"time": 0, "pose": grammar::pose(rng)}, {"time": 0.5, "pose": grammar::pose(rng)}]})
            }
        };
        scene["motion"] = json!({"end": 1, "unit": "s", "moves": [moved]});
    }
    scene.to_string()
}

/// Checks a scene; bounds are in their order.
pub fn read_assembly(text: &str) -> bool {
    let path = std::env::temp_dir().join(format!("clearance-fuzz-{}.json", std::process::id()));
    if std::fs::write(&path, text).is_err() {
        return false;
    }
    let question = Question { files: vec![path], json: true, ..Question::default() };
    let (mut output, mut complaints) = (Vec::new(), Vec::new());
    let outcome = run(&question, &Progress::hidden(), &mut output, &mut complaints);
    if outcome.is_ok_and(|outcome| outcome.status() == 2) {
        assert!(!complaints.is_empty(), "refused without a reason: {text}");
        return false;
    }
    let report: Value = serde_json::from_slice(&output).unwrap_or_default();
    for finding in report["findings"].as_array().into_iter().flatten() {
        if let [Some(lower), Some(distance), Some(upper)] = ["lower", "distance", "upper"].map(|f| finding[f].as_f64())
        {
            assert!(lower <= distance && distance <= upper, "{finding} of {text}");
        }
    }
    true
}
