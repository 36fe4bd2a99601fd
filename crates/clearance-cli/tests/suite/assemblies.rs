//! `clearance check`, `cast`, `distance` and `describe`: the example scenes have the findings that are known by construction, every kind of finding
//! has a scene of its own, and bad scenes are refused with all that is wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clearance_cli::check::{Question, run};
use clearance_terminal::Progress;
use serde_json::{Value, json};

use super::{make, plant};

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes")
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("clearance-assemblies-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The exit status, the report and the complaints.
fn check(files: &[PathBuf]) -> (u8, Value, String) {
    let question = Question { files: files.to_vec(), json: true, ..Question::default() };
    let (mut output, mut complaints) = (Vec::new(), Vec::new());
    let outcome = run(&question, &Progress::hidden(), &mut output, &mut complaints).unwrap();
    let report = serde_json::from_slice(&output).unwrap_or(Value::Null);
    (outcome.status(), report, String::from_utf8(complaints).unwrap())
}

fn check_value(name: &str, scene: &Value) -> (u8, Value, String) {
    let path = folder(name).join("scene.json");
    std::fs::write(&path, scene.to_string()).unwrap();
    check(&[path])
}

/// Findings as `kind a b`, sorted.
fn found(report: &Value) -> Vec<String> {
    let name = |part: &Value| report["parts"][part.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned();
    let line = |f: &Value| format!("{} {} {}", f["kind"].as_str().unwrap(), name(&f["a"]), name(&f["b"]));
    let mut all: Vec<String> = report["findings"].as_array().unwrap().iter().map(line).collect();
    all.sort();
    all
}

fn clearances(report: &Value) -> BTreeMap<String, [f64; 3]> {
    let name = |part: &Value| report["parts"][part.as_u64().unwrap() as usize]["name"].as_str().unwrap();
    let entry = |c: &Value| {
        (
            format!("{} {}", name(&c["a"]), name(&c["b"])),
            ["distance", "lower", "upper"].map(|field| c[field].as_f64().unwrap()),
        )
    };
    report["clearances"].as_array().unwrap().iter().map(entry).collect()
}

fn cube(name: &str, at: [f64; 3]) -> Value {
    json!({"name": name, "shape": {"type": "cuboid", "half_extents": [1, 1, 1]}, "pose": {"translation": at}})
}

fn scene(parts: Value) -> Value {
    json!({"clearance_scene": 1, "parts": parts})
}

#[test]
fn the_committed_scenes_are_those_of_the_generator() {
    for (name, bytes) in make::all() {
        let committed = std::fs::read(scenes().join(name)).unwrap_or_default();
        assert!(committed == bytes, "{name} is out of date: cargo run --release -p clearance-cli --example scenes");
    }
}

#[test]
fn the_cabinet_has_every_kind_of_finding() {
    let (status, report, _) = check(&[scenes().join("cabinet.json")]);
    assert_eq!(status, 1);
    let expected = [
        "clearance shelf drawer",
        "contained box ball in the box",
        "duplicate shelf shelf again",
        "piercing left side rail",
        "protruding right side screw",
        "touching bottom box",
    ];
    assert_eq!(found(&report), expected);
    for finding in report["findings"].as_array().unwrap() {
        let [distance, lower, upper] = ["distance", "lower", "upper"].map(|field| finding[field].as_f64().unwrap());
        assert!(lower <= distance && distance <= upper);
        let known = match finding["kind"].as_str().unwrap() {
            "clearance" => 1.5,
            "protruding" => -4.0,
            "touching" => 0.0,
            _ => continue,
        };
        assert!((distance - known).abs() < 1e-9, "{finding}");
    }
}

#[test]
fn the_crank_meets_the_post_at_the_known_angles() {
    let (status, report, _) = check(&[scenes().join("crank.json")]);
    let all = found(&report);
    assert!(status == 1 && all.len() == 1 && all[0].ends_with("arm post"), "{all:?}");
    let finding = &report["findings"][0];
    let numbers =
        |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let interval = numbers(&finding["intervals"][0]);
    assert_eq!(finding["intervals"].as_array().unwrap().len(), 1);
    assert!(
        (interval[0] - make::CONTACT_FROM).abs() < 1e-4 && (interval[1] - make::CONTACT_TO).abs() < 1e-4,
        "{interval:?}"
    );
    let [lower, upper] = ["lower", "upper"].map(|side| finding["first_contact"][side].as_f64().unwrap());
    assert!(lower <= make::CONTACT_FROM && make::CONTACT_FROM <= upper + 1e-9, "{lower} {upper}");
    // The slider keeps two millimetres from both sides of its guide.
    let least = clearances(&report);
    for side in ["upper", "lower"] {
        let [distance, lower, upper] = least[&format!("slider guide/{side}")];
        assert!(
            (distance - 2.0).abs() < 1e-9 && lower <= distance && distance <= upper && lower > 1.9,
            "{distance} {lower} {upper}"
        );
    }
}

#[test]
fn one_tooth_of_the_gear_train_clashes() {
    let (status, report, _) = check(&[scenes().join("gear-train.json")]);
    assert_eq!(status, 1);
    let all = found(&report);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].ends_with("idler follower"), "{all:?}");
    let intervals = report["findings"][0]["intervals"].as_array().unwrap();
    let holds =
        |i: &Value| i[0].as_f64().unwrap() < make::LONG_TOOTH_AT && make::LONG_TOOTH_AT < i[1].as_f64().unwrap();
    assert!(intervals.iter().any(holds), "{intervals:?}");
    let first = intervals[0][0].as_f64().unwrap();
    assert!((5.0..15.0).contains(&first), "{first}");
}

#[test]
fn the_last_domino_falls_on_the_bottle() {
    let (status, report, _) = check(&[scenes().join("dominoes.json")]);
    let all = found(&report);
    assert!(status == 1 && all.len() == 1 && all[0].ends_with("bottle stone 8"), "{all:?}");
    assert!(report["motion"]["times"].as_array().unwrap().len() > 40);
}

#[test]
fn furniture_stands_in_walls_of_brushes() {
    let (status, report, _) = check(&[scenes().join("building.json")]);
    assert_eq!(status, 1);
    let all = found(&report);
    let clashes: Vec<&String> = all.iter().filter(|line| !line.starts_with("touching")).collect();
    assert_eq!(clashes.len(), 2, "{all:?}");
    assert!(clashes.iter().any(|line| line.ends_with("wardrobe") && line.contains("brush 7")), "{all:?}");
    assert!(clashes.iter().any(|line| line.ends_with("lamp") && line.contains("brush 1")), "{all:?}");
    // Four legs, the wardrobe and the bed stand on the floor.
    assert_eq!(
        all.iter().filter(|line| line.starts_with("touching") && line.contains("brush 0")).count(),
        6,
        "{all:?}"
    );
}

#[test]
fn in_a_plant_only_the_displaced_pipes_clash() {
    let folder = folder("plant");
    for (name, bytes) in plant::files(4_000) {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let (status, report, _) = check(&[folder.join("plant.json")]);
    assert_eq!((status, report["parts"].as_array().unwrap().len()), (1, 4_000));
    let clashes: Vec<String> = found(&report).into_iter().filter(|line| !line.starts_with("touching")).collect();
    for pipe in (0..2_000).filter(|pipe| pipe % plant::CLASH_EVERY == plant::CLASH_EVERY - 1) {
        assert!(
            clashes
                .iter()
                .any(|line| line.contains(&format!("pipe {pipe} ")) && line.ends_with(&format!("flange {pipe}"))),
            "{clashes:?}"
        );
    }
    assert!(clashes.iter().all(|line| line.contains("99 ") || line.ends_with("99")), "{clashes:?}");
}

#[test]
fn each_kind_alone() {
    let rod = json!({"name": "b", "shape": {"type": "cuboid", "half_extents": [0.2, 0.2, 5]}});
    let cases = [
        ("piercing", scene(json!([cube("a", [0.0; 3]), rod])), 1),
        ("protruding", scene(json!([cube("a", [0.0; 3]), cube("b", [1.5, 0.3, 0.2])])), 1),
        (
            "contained",
            scene(json!([cube("a", [0.0; 3]), {"name": "b", "shape": {"type": "sphere", "radius": 0.5}}])),
            1,
        ),
        ("duplicate", scene(json!([cube("a", [0.0; 3]), cube("b", [0.0; 3])])), 1),
        ("touching", scene(json!([cube("a", [0.0; 3]), cube("b", [2.0, 0.0, 0.0])])), 0),
        (
            "clearance",
            json!({"clearance_scene": 1, "parts": [cube("a", [0.0; 3]), cube("b", [2.5, 0.0, 0.0])], "rules": {"clearance": 1}}),
            1,
        ),
    ];
    for (kind, scene, status) in cases {
        let (code, report, complaints) = check_value(kind, &scene);
        assert_eq!((code, found(&report)), (status, vec![format!("{kind} a b")]), "{complaints}");
    }
}

#[test]
fn nested_and_flush_parts_are_contained_and_a_clearance_hides_no_clash() {
    let small = json!({"name": "b", "shape": {"type": "cuboid", "half_extents": [0.5, 0.5, 0.5]}, "pose": {"translation": [0.5, 0, 0]}});
    let flush = scene(json!([cube("a", [0.0; 3]), small]));
    assert_eq!(found(&check_value("flush", &flush).1), ["contained a b"]);
    let mut ruled = flush.clone();
    ruled["rules"] = json!({"clearance": 3.0});
    assert_eq!(found(&check_value("ruled", &ruled).1), ["contained a b"]);
}

#[test]
fn stacked_boxes_touch_at_every_size_and_far_away() {
    for size in [1e-3, 1.0, 1e3, 1e6] {
        for away in [0.0, 1e6 * size] {
            let part = |name: &str, z: f64| json!({"name": name, "shape": {"type": "cuboid", "half_extents": [size, size, size]}, "pose": {"translation": [away, away, z * size]}});
            let (status, report, _) =
                check_value("stack", &scene(json!([part("a", 0.0), part("b", 2.0), part("c", 4.0)])));
            assert_eq!(
                (status, found(&report)),
                (0, vec!["touching a b".to_owned(), "touching b c".to_owned()]),
                "{size} {away}"
            );
        }
    }
}

#[test]
fn all_problems_of_a_scene_in_one_run() {
    let wrong = json!({"clearance_scene": 1, "titel": "x", "parts": [
        {"name": "a", "file": "gone.stl"}, {"name": "a", "shape": {"type": "cuboid", "half_extents": [1, -1, 1]}},
        {"name": "c", "shape": {"type": "cubiod"}}, {"name": "d"}]});
    let (status, _, complaints) = check_value("wrong", &wrong);
    assert_eq!(status, 2);
    assert!(complaints.contains("titel: is no field here (did you mean 'title'?)"), "{complaints}");
    let mut wrong = wrong;
    wrong.as_object_mut().unwrap().remove("titel");
    wrong["rules"] = json!({"pairs": [{"a": "cc", "b": "zzz"}]});
    let (status, _, complaints) = check_value("wrong", &wrong);
    assert_eq!(status, 2);
    for words in [
        "'a' is the name of two parts",
        "gone.stl",
        "half_extents",
        "cuboid'?",
        "exactly one of file",
        "rules.pairs[0].b: 'zzz'",
    ] {
        assert!(complaints.contains(words), "'{words}' is not in:\n{complaints}");
    }
    assert!(complaints.lines().count() >= 6, "{complaints}");
}

#[test]
fn a_scene_that_includes_itself_is_refused() {
    let folder = folder("itself");
    let inner = json!({"clearance_scene": 1, "parts": [{"name": "x", "scene": "scene.json"}]});
    std::fs::write(folder.join("inner.json"), inner.to_string()).unwrap();
    let (status, _, complaints) = check_value("itself", &scene(json!([{"name": "inner", "scene": "inner.json"}])));
    assert_eq!(status, 2);
    assert!(complaints.contains("includes itself"), "{complaints}");
}

#[test]
fn toml_nested_scenes_and_files() {
    let folder = folder("toml");
    let off = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
    std::fs::write(folder.join("part.off"), off).unwrap();
    std::fs::write(folder.join("inner.json"), scene(json!([cube("cube", [5.0, 0.0, 0.0])])).to_string()).unwrap();
    let text = "clearance_scene = 1\ntitle = \"toml\"\nunit = \"mm\"\n[[parts]]\nname = \"corner\"\nfile = \"part.off\"\ngroup = \"small\"\n[[parts]]\nname = \"inner\"\nscene = \"inner.json\"\npose = { translation = [-4.0, 0.0, 0.0] }\n[rules]\ntouching = \"allow\"\n";
    std::fs::write(folder.join("scene.toml"), text).unwrap();
    let (status, report, complaints) = check(&[folder.join("scene.toml")]);
    assert_eq!(
        (status, report["unit"].as_str(), report["parts"][1]["name"].as_str()),
        (1, Some("mm"), Some("inner/cube")),
        "{complaints}"
    );
    assert_eq!(found(&report).len(), 1);
    // The files alone.
    let (status, report, _) = check(&[folder.join("part.off"), folder.join("part.off")]);
    assert_eq!((status, found(&report)), (1, vec!["duplicate part part (2)".to_owned()]));
}

#[test]
fn a_screw_in_motion_goes_through_its_nut_and_a_press_fit_is_allowed() {
    let mut moving = scene(json!([cube("a", [0.0; 3]), cube("b", [0.0, 0.0, 10.0])]));
    moving["motion"] =
        json!({"end": 2, "unit": "s", "moves": [{"part": "b", "screw": {"to": {"translation": [0, 0, 0]}}}]});
    let (status, report, _) = check_value("screw", &moving);
    assert_eq!(status, 1);
    // From 10 to 0 in two seconds: contact at 2, after 1.6 seconds.
    let first = &report["findings"][0]["first_contact"];
    let [lower, upper] = ["lower", "upper"].map(|side| first[side].as_f64().unwrap());
    assert!(lower <= 1.6 && 1.6 <= upper + 1e-9 && upper - lower < 1e-6, "{lower} {upper}");
    moving["rules"] = json!({"pairs": [{"a": "a", "b": "b", "depth": 3.0}]});
    assert_eq!(check_value("press", &moving).0, 0);
}

#[test]
fn what_is_called_free_is_free_at_every_sample() {
    let mut rng = clearance_testkit::Rng::new(7);
    let mut collides = clearance_testkit::HitRate::new("collides");
    for _ in 0..40 {
        let at = [rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), rng.uniform(-0.8, 0.8)];
        let turn = rng.uniform(-300.0, 300.0);
        let bar = json!({"name": "bar", "shape": {"type": "cuboid", "half_extents": [2, 0.1, 0.1]}});
        let ball = json!({"name": "ball", "shape": {"type": "cuboid", "half_extents": [0.3, 0.2, 0.4]}, "pose": {"translation": at}});
        let mut moving = scene(json!([bar, ball]));
        let joint =
            json!({"type": "revolute", "axis": [0.1, 0.2, 1], "origin": [0.3, 0, 0], "values": [[0, 0], [1, turn]]});
        moving["motion"] = json!({"end": 1, "moves": [{"part": "bar", "joint": joint}]});
        let report = check_value("samples", &moving).1;
        let [distance, lower, upper] = clearances(&report)["bar ball"];
        assert!(lower <= distance && distance <= upper);
        let intervals: Vec<[f64; 2]> = report["findings"][0]["intervals"]
            .as_array()
            .map(|all| all.iter().map(|i| [0, 1].map(|k| i[k].as_f64().unwrap())).collect())
            .unwrap_or_default();
        let bodies = [[2.0, 0.1, 0.1], [0.3, 0.2, 0.4]].map(|half| clearance::Shape::cuboid(half).unwrap());
        let start = clearance::Pose::IDENTITY;
        let motion = clearance::Motion::rotation(start, [0.3, 0.0, 0.0], [0.1, 0.2, 1.0], turn.to_radians()).unwrap();
        let other = clearance::Pose::from_translation(at).unwrap();
        for sample in 0..=1000 {
            let time = f64::from(sample) / 1000.0;
            let cache = &mut clearance::Cache::default();
            let near = clearance::closest(&bodies[0], &motion.pose(time), &bodies[1], &other, cache);
            if near.distance < -1e-9 {
                assert!(
                    intervals.iter().any(|[from, to]| *from <= time && time <= *to),
                    "{time} {near:?} {intervals:?}"
                );
            } else {
                assert!(near.distance >= lower - 1e-9, "{time}: {} below {lower}", near.distance);
            }
        }
        collides.record(!intervals.is_empty());
    }
    collides.assert_between(0.2, 0.9);
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let at = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| check(&[scenes().join("building.json")]).1)
    };
    assert_eq!(at(1), at(4));
}

#[test]
fn reports_are_whole_and_hold_no_markup_of_files() {
    let folder = folder("reports");
    let name = "</script><script>alert(1)</script>&'\"";
    let path = folder.join("scene.json");
    let parts =
        json!([cube("a", [0.0; 3]), {"name": name.replace('/', "|"), "shape": {"type": "sphere", "radius": 1}}]);
    std::fs::write(&path, json!({"clearance_scene": 1, "title": name, "parts": parts}).to_string()).unwrap();
    let [html, bcf, glb] = ["r.html", "r.bcf", "r.glb"].map(|file| folder.join(file));
    let question = Question {
        files: vec![path],
        report: Some(html.clone()),
        bcf: Some(bcf.clone()),
        glb: Some(glb.clone()),
        ..Question::default()
    };
    let mut output = Vec::new();
    assert_eq!(run(&question, &Progress::hidden(), &mut output, &mut Vec::new()).unwrap().status(), 1);
    let page = std::fs::read_to_string(html).unwrap();
    assert!(!page.contains("<script>alert"), "a title is markup");
    let start = page.find("id=\"clearance-report\">").unwrap() + "id=\"clearance-report\">".len();
    let json = &page[start..start + page[start..].find("</script>").unwrap()];
    let report: Value = serde_json::from_str(json).unwrap();
    assert_eq!((report["format"].as_str(), report["title"].as_str()), (Some("clearance-report"), Some(name)));
    assert_eq!(report["meshes"].as_array().unwrap().len(), 2);
    assert_eq!(&std::fs::read(glb).unwrap()[..4], b"glTF");
    assert_eq!(&std::fs::read(bcf).unwrap()[..2], b"PK");
    assert!(
        std::fs::read_dir(&folder).unwrap().all(|entry| !entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .ends_with(".part"))
    );
}

#[test]
fn meshes_by_file_in_queries() {
    let folder = folder("query");
    let off = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
    std::fs::write(folder.join("part.off"), off).unwrap();
    let line = r#"{"op":"describe","a":{"type":"mesh","file":"part.off"}}"#;
    let answer = clearance_cli::query::Session::in_folder(folder.clone()).answer(line).unwrap().to_string();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!((answer["volume"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12, "{answer}");
    let single = clearance_cli::single::query::Session::in_folder(folder).answer(line).unwrap().to_string();
    assert!(single.contains("volume"), "{single}");
    let gone = r#"{"op":"describe","a":{"type":"mesh","file":"gone.stl"}}"#;
    assert!(clearance_cli::query::Session::new().answer(gone).unwrap().to_string().contains("gone.stl"));
}

#[test]
fn a_mesh_can_be_taken_as_its_hull_or_as_convex_parts() {
    // A block with a step, and a ball in the step: the hull covers it, the mesh and its parts do not.
    let folder = folder("taken");
    let profile = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let mut obj: String =
        [0, 1].iter().flat_map(|z| profile.map(|[x, y]| format!("v {x} {y} {z}\n"))).collect::<Vec<_>>().concat();
    obj += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
    for i in 1..=6 {
        let next = i % 6 + 1;
        obj += &format!("f {i} {next} {} {}\n", next + 6, i + 6);
    }
    std::fs::write(folder.join("step.obj"), obj).unwrap();
    for (taken, expected) in [("mesh", 0), ("hull", 1), ("parts", 0)] {
        let ball = json!({"name": "ball", "shape": {"type": "sphere", "radius": 0.2}, "pose": {"translation": [1.3, 1.3, 0.5]}});
        let scene = json!({"clearance_scene": 1, "parts": [{"name": "step", "file": "step.obj", "as": taken}, ball]});
        let path = folder.join(format!("{taken}.json"));
        std::fs::write(&path, scene.to_string()).unwrap();
        let (status, report, complaints) = check(&[path]);
        assert_eq!((status, found(&report).len()), (expected, usize::from(expected)), "{taken}: {report} {complaints}");
        let notes = report.to_string() + &complaints;
        assert_eq!(notes.contains("2 convex parts"), taken == "parts", "{taken}: {notes}");
    }
    let scene = json!({"clearance_scene": 1, "parts": [{"name": "step", "file": "step.obj", "as": "pieces"}]});
    let (status, _, complaints) = check_value("taken-bad", &scene);
    assert_eq!(status, 2, "{complaints}");
    assert!(complaints.contains("parts"), "{complaints}");
}
