//! Inputs that are nearly right: made by a grammar, then spoiled a little.

use clearance_testkit::Rng;
use serde_json::{Map, Value, json};

/// Numbers at the edges of what is accepted, and beyond.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "0.1",
    "0.5",
    "1e-75",
    "1e-74",
    "1e75",
    "-1e75",
    "1e74",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-300",
    "1e-100",
    "1e100",
    "1e16",
    "1e-16",
    "1e38",
    "1e-38",
    "3.4028235e38",
    "1e999",
    "1e-999",
    "0.30000000000000004",
    "1.0000000000000002",
    "0.9999999999999999",
    "99999999999999999999",
    "4294967295",
    "4294967296",
    "-9223372036854775808",
    "1E+2",
    "0e0",
];

/// Values of the wrong kind.
const OTHERS: &[&str] = &["null", "true", "[]", "{}", "\"\"", "\"s\"", "\"\\ud800\"", "[0,0,0]", "[[0,0,0]]", "[[[]]]"];

/// Names of fields and choices, for the wrong place.
const WORDS: &[&str] = &[
    "type",
    "radius",
    "half_extents",
    "points",
    "vertices",
    "faces",
    "of",
    "parts",
    "shape",
    "pose",
    "translation",
    "rotation",
    "id",
    "op",
    "a",
    "b",
    "pose_a",
    "pose_b",
    "poses_b",
    "algorithm",
    "depth",
    "define",
    "method",
    "direction",
    "distance",
    "bodies",
    "obstacles",
    "motion",
    "clearance",
    "padding",
    "heights",
    "cell",
    "normal",
    "offset",
    "sum",
    "hull",
    "mesh",
    "compound",
    "auto",
    "sa-gjk",
    "mpr",
    "combined",
    "gjk",
    "gilbert",
    "epa",
    "perturbed",
    "frames",
    "room",
    "swarms",
    "count",
    "kind",
    "within",
    "broad",
    "mode",
    "seed",
    "ignore",
    "velocity",
    "spin_degrees",
    "group",
    "most_pairs",
];

/// Ops of `query` with two bodies, and with one.
const PAIR_OPS: &[&str] = &[
    "overlap",
    "closest",
    "within",
    "manifold",
    "contacts",
    "range",
    "cast",
    "time_of_impact",
    "slide",
    "move",
    "pairs",
];
const BODY_OPS: &[&str] = &["support", "aabb", "describe", "ray", "project"];

/// A number that is mostly harmless.
fn number(rng: &mut Rng) -> Value {
    match rng.index(8) {
        0 => json!(rng.integer(-3, 3)),
        1 => json!(rng.log_uniform(1e-9, 1e9)),
        _ => json!(rng.uniform(-2.0, 2.0)),
    }
}

fn size(rng: &mut Rng) -> Value {
    if rng.chance(0.1) { json!(rng.log_uniform(1e-9, 1e9)) } else { json!(rng.uniform(0.1, 2.0)) }
}

fn vector(rng: &mut Rng) -> Value {
    json!([number(rng), number(rng), number(rng)])
}

fn sizes(rng: &mut Rng, count: usize) -> Value {
    (0..count).map(|_| size(rng)).collect()
}

fn points(rng: &mut Rng, count: usize) -> Value {
    // Whole numbers make coincident, collinear and coplanar ones.
    let whole = rng.chance(0.3);
    let one =
        |rng: &mut Rng| (0..3).map(|_| if whole { json!(rng.integer(-1, 1)) } else { number(rng) }).collect::<Value>();
    (0..count).map(|_| one(rng)).collect()
}

/// A pose, unit or nearly so.
pub fn pose(rng: &mut Rng) -> Value {
    let mut pose = Map::new();
    if rng.chance(0.8) {
        pose.insert("translation".to_owned(), vector(rng));
    }
    if rng.chance(0.6) {
        pose.insert("rotation".to_owned(), json!(rng.rotation().to_array()));
    }
    Value::Object(pose)
}

/// A shape; the deeper, the simpler.
pub fn shape(rng: &mut Rng, level: usize) -> Value {
    let simple = 16;
    let kind = rng.index(if level > 2 { simple } else { 24 });
    let mut made = match kind {
        0 => json!({"type": "point"}),
        1 => json!({"type": "segment", "half_length": size(rng)}),
        2 => json!({"type": "rectangle", "half_extents": sizes(rng, 2)}),
        3 => json!({"type": "disc", "radius": size(rng)}),
        4 => json!({"type": "ellipse", "radii": sizes(rng, 2)}),
        5 => json!({"type": "sphere", "radius": size(rng)}),
        6 => json!({"type": "cuboid", "half_extents": sizes(rng, 3)}),
        7 => json!({"type": "ellipsoid", "radii": sizes(rng, 3)}),
        8 => json!({"type": "capsule", "half_length": size(rng), "radius": size(rng)}),
        9 => json!({"type": "lozenge", "half_extents": sizes(rng, 2), "radius": size(rng)}),
        10 => json!({"type": "round_box", "half_extents": sizes(rng, 3), "radius": size(rng)}),
        11 => json!({"type": "cylinder", "half_height": size(rng), "radius": size(rng)}),
        12 => json!({"type": "cone", "height": size(rng), "radius": size(rng)}),
        13 => json!({"type": "wheel", "disc_radius": size(rng), "radius": size(rng)}),
        14 => json!({"type": "frustum", "bottom": sizes(rng, 2), "top": sizes(rng, 2), "height": size(rng)}),
        15 => json!({"type": "triangle", "points": points(rng, 3)}),
        16 | 17 => {
            let count = 3 + rng.index(12);
            json!({"type": "polytope", "points": points(rng, count)})
        }
        18 | 19 => mesh(rng),
        20 => json!({"type": "compound", "parts": [shape(rng, level + 1), shape(rng, level + 1)]}),
        21 => {
            let kind = rng.pick(&["sum", "hull"]);
            json!({"type": kind, "of": [shape(rng, level + 1), shape(rng, level + 1)]})
        }
        22 => json!({"type": "half_space", "normal": vector(rng), "offset": number(rng)}),
        _ => {
            let rows: Value = (0..3).map(|_| points(rng, 1)[0].clone()).collect();
            json!({"type": "height_field", "heights": rows, "cell": sizes(rng, 2)})
        }
    };
    if rng.chance(0.1) {
        made["padding"] = size(rng);
    }
    if level > 0 && rng.chance(0.5) {
        made["pose"] = pose(rng);
    }
    made
}

/// A box, a tetrahedron or a soup of triangles.
fn mesh(rng: &mut Rng) -> Value {
    match rng.index(3) {
        0 => json!({"type": "mesh", "vertices": points(rng, 4), "faces": [[0,2,1],[0,1,3],[1,2,3],[2,0,3]]}),
        1 => {
            let corner = |i: usize| json!([(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64]);
            let faces = json!([[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]);
            json!({"type": "mesh", "vertices": (0..8).map(corner).collect::<Value>(), "faces": faces})
        }
        _ => {
            let count = 5 + rng.index(4);
            let face = |rng: &mut Rng| (0..3).map(|_| json!(rng.index(count))).collect::<Value>();
            let faces: Value = (0..1 + rng.index(6)).map(|_| face(rng)).collect();
            json!({"type": "mesh", "vertices": points(rng, count), "faces": faces})
        }
    }
}

/// A line of `query`, right but for chance.
pub fn query(rng: &mut Rng) -> Value {
    if rng.chance(0.05) {
        return json!({"define": rng.pick(&["part", "prat", "x"]), "shape": shape(rng, 0)});
    }
    if rng.chance(0.04) {
        return trajectory(rng);
    }
    let name = |rng: &mut Rng| if rng.chance(0.1) { json!(rng.pick(&["part", "prat"])) } else { shape(rng, 0) };
    if rng.chance(0.25) {
        let op = rng.pick(BODY_OPS);
        let mut line = json!({"id": rng.index(9), "op": op, "a": name(rng), "pose_a": pose(rng)});
        match op {
            "support" => line["direction"] = vector(rng),
            "ray" => (line["origin"], line["direction"]) = (vector(rng), vector(rng)),
            "project" => line["point"] = vector(rng),
            _ => {}
        }
        return line;
    }
    let op = rng.pick(PAIR_OPS);
    let mut line = json!({"id": rng.index(9), "op": op});
    let placed = |rng: &mut Rng| json!({"shape": shape(rng, 0), "pose": pose(rng)});
    match op {
        "pairs" => line["bodies"] = (0..1 + rng.index(4)).map(|_| placed(rng)).collect(),
        "slide" | "move" => {
            (line["b"], line["pose_b"], line["translation"]) = (name(rng), pose(rng), vector(rng));
            line["obstacles"] = (0..1 + rng.index(2)).map(|_| placed(rng)).collect();
        }
        _ => {
            (line["a"], line["pose_a"], line["b"]) = (name(rng), pose(rng), name(rng));
            line[if rng.chance(0.1) { "poses_b" } else { "pose_b" }] = pose(rng);
        }
    }
    let turn = |rng: &mut Rng| json!({"origin": vector(rng), "axis": vector(rng), "angle": number(rng)});
    match op {
        "overlap" if rng.chance(0.7) => {
            line["algorithm"] =
                json!(rng.pick(&["auto", "sa-gjk", "mpr", "separating-vector", "linear-program", "combined"]));
        }
        "closest" if rng.chance(0.7) => {
            line["algorithm"] = json!(rng.pick(&["auto", "gjk", "gjk-johnson", "gilbert", "closest-features"]));
            line["depth"] = json!(rng.pick(&["epa", "mpr"]));
        }
        "within" | "contacts" => line["distance"] = size(rng),
        "manifold" => line["method"] = json!(rng.pick(&["clip", "perturbed"])),
        "range" => line["direction"] = vector(rng),
        "cast" if rng.chance(0.5) => line["translation"] = vector(rng),
        "cast" => line["rotation"] = turn(rng),
        "time_of_impact" => {
            line["motion_a"] = json!({"linear": vector(rng), "angular": vector(rng)});
            line["motion_b"] = json!({"to": pose(rng)});
        }
        "move" => line["rotation"] = turn(rng),
        _ => {}
    }
    line
}

/// A feature on its way to another.
fn trajectory(rng: &mut Rng) -> Value {
    let edges = rng.chance(0.5);
    let kind = if edges { "edge-edge" } else { "vertex-face" };
    let [moving, resting] = if edges { [2, 2] } else { [1, 3] };
    let (moving, resting) = (points(rng, moving), points(rng, resting));
    let mut line = json!({"op": "trajectory", "kind": kind, "moving": moving, "resting": resting, "zone": size(rng)});
    if rng.chance(0.5) {
        line["translation"] = vector(rng);
    } else {
        line["rotation"] = json!({"origin": vector(rng), "axis": vector(rng), "angle": number(rng)});
    }
    if edges {
        line["outset"] = vector(rng);
    }
    line
}

/// A scene of few frames and bodies.
pub fn scene(rng: &mut Rng) -> Value {
    let body = |rng: &mut Rng| json!({"shape": shape(rng, 0), "pose": pose(rng), "velocity": vector(rng), "spin_degrees": vector(rng), "group": rng.index(3)});
    let mut scene = json!({"clearance": 1, "frames": 1 + rng.index(4)});
    scene["mode"] = json!(rng.pick(&["boolean", "combined", "closest", "contacts"]));
    scene["broad"] = json!(rng.pick(&["grid", "tree", "sweep-and-prune", "partitioned-sweep", "brute-force"]));
    scene["schedule"] = json!(rng.chance(0.3));
    if rng.chance(0.6) {
        scene["bodies"] = (0..1 + rng.index(4)).map(|_| body(rng)).collect();
    }
    if rng.chance(0.6) {
        scene["room"] = if rng.chance(0.5) { json!({"half_extents": [9, 9, 9]}) } else { json!({"density": 0.05}) };
        scene["swarms"] = json!([{"count": 1 + rng.index(12), "kind": rng.pick(&["ellipsoid", "rod", "plate", "mixed"]),
            "vertices": 4 + rng.index(20), "radius": size(rng), "speed": 0.05, "spin_degrees": 10}]);
    }
    if rng.chance(0.2) {
        scene["ignore"] = json!([[0, 1]]);
    }
    scene
}

/// A map of brushes.
pub fn map(rng: &mut Rng) -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for _ in 0..1 + rng.index(3) {
        text.push_str("{\n");
        let (low, high) = (rng.integer(-64, 0), rng.integer(1, 64));
        for axis in 0..3 {
            for (at, turn) in [(low, false), (high, true)] {
                let point = |u: i64, v: i64| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (at, u, v);
                    format!("( {} {} {} )", p[0], p[1], p[2])
                };
                let [a, b] = if turn { [point(0, 1), point(1, 0)] } else { [point(1, 0), point(0, 1)] };
                text.push_str(&format!("{} {a} {b} TEXTURE 0 0 0 1 1\n", point(0, 0)));
            }
        }
        text.push_str("}\n");
    }
    text.push_str("}\n{\n\"classname\" \"light\"\n\"origin\" \"0 0 64\"\n}\n");
    text
}

/// Changes some values of a tree: numbers to others, fields left out, given other names, exchanged, or nested.
pub fn spoil_tree(value: &mut Value, rng: &mut Rng, rate: f64) {
    if rng.chance(rate) {
        *value = match rng.index(6) {
            0 => serde_json::from_str(rng.pick(OTHERS)).unwrap_or(Value::Null),
            1 => json!(rng.pick(WORDS)),
            2 => json!([value.clone()]),
            3 => json!({rng.pick(WORDS): value.clone()}),
            4 => number(rng),
            _ => shape(rng, 3),
        };
        return;
    }
    match value {
        Value::Array(list) => {
            if rng.chance(rate) && !list.is_empty() {
                let i = rng.index(list.len());
                if rng.chance(0.5) { drop(list.remove(i)) } else { list.insert(i, list[i].clone()) }
            }
            list.iter_mut().for_each(|one| spoil_tree(one, rng, rate));
        }
        Value::Object(members) => {
            if rng.chance(rate) && !members.is_empty() {
                let name = members.keys().nth(rng.index(members.len())).cloned().unwrap_or_default();
                let taken = members.remove(&name);
                if let Some(taken) = taken.filter(|_| rng.chance(0.5)) {
                    members.insert(rng.pick(WORDS).to_owned(), taken);
                }
            }
            members.values_mut().for_each(|one| spoil_tree(one, rng, rate));
        }
        _ => {}
    }
}

/// Changes a text: numbers to the edges of their range, and pieces left out, repeated or exchanged.
pub fn spoil_text(text: &mut String, rng: &mut Rng) {
    for _ in 0..1 + rng.index(3) {
        let cut = |text: &str, rng: &mut Rng| {
            let at = rng.index(text.len() + 1);
            (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
        };
        let (a, b) = (cut(text, rng), cut(text, rng));
        let (a, b) = (a.min(b), a.max(b));
        match rng.index(6) {
            0 => text.truncate(a),
            1 if b - a < 200 => text.replace_range(a..b, ""),
            2 if b - a < 200 => {
                let piece = text[a..b].to_owned();
                text.insert_str(b, &piece);
            }
            3 => text.insert_str(a, rng.pick(&["{", "}", "[", "]", ",", ":", "\"", "\\", "é", "\u{0}", " ", "-", "e"])),
            _ => replace_number(text, rng),
        }
    }
}

/// One of the numbers of a text becomes one at the edges.
fn replace_number(text: &mut String, rng: &mut Rng) {
    let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|&(i, c)| c.is_ascii_digit() && !text[..i].ends_with(is_part))
        .map(|(i, _)| i)
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = starts[rng.index(starts.len())];
    let end = text[start..].find(|c: char| !is_part(c)).map_or(text.len(), |length| start + length);
    text.replace_range(start..end, rng.pick(NUMBERS));
}
