//! Bad descriptions are errors that name the element and its line; no bytes make a reader panic.

use clearance_robot::{Robot, RobotOptions, Srdf, Urdf};
use clearance_testkit::Rng;

use super::robots::random_urdf;

const GOOD: &str = "<robot name='r'>
<link name='a'/>
<link name='b'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
<link name='c'/>
<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>
<joint name='k' type='prismatic'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>
</robot>";

#[test]
fn errors_name_element_and_line() {
    assert!(Urdf::parse(GOOD).is_ok());
    let cases: [(&str, &str, &str, &[&str]); 21] = [
        ("an unknown link", "<child link='c'/>", "<child link='d'/>", &["line 6", "joint 'k'", "'d'"]),
        (
            "no axis",
            "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>\n<joint name='k'",
            "<axis xyz='0 0 0'/><limit lower='-1' upper='1'/></joint>\n<joint name='k'",
            &["line 5", "axis of joint 'j'", "zero"],
        ),
        (
            "an axis of NaN",
            "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>\n<joint name='k'",
            "<axis xyz='0 nan 1'/><limit lower='-1' upper='1'/></joint>\n<joint name='k'",
            &["line 5", "axis of joint 'j'", "finite"],
        ),
        (
            "limits reversed",
            "<child link='c'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>",
            "<child link='c'/><axis xyz='0 0 1'/><limit lower='2' upper='1'/>",
            &["line 6", "limit of joint 'k'", "2"],
        ),
        (
            "a limit that is no number",
            "<child link='c'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>",
            "<child link='c'/><axis xyz='0 0 1'/><limit lower='x' upper='1'/>",
            &["line 6", "lower", "'x'"],
        ),
        (
            "no limit",
            "<child link='c'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>",
            "<child link='c'/><axis xyz='0 0 1'/>",
            &["line 6", "joint 'k'", "limit is missing"],
        ),
        ("a cycle", "<parent link='a'/>", "<parent link='c'/>", &["depends on itself", "b", "c"]),
        ("several roots", "<link name='c'/>", "<link name='c'/><link name='d'/>", &["line 4", "'a'", "'d'", "root"]),
        ("two parents", "<child link='c'/>", "<child link='b'/>", &["line 6", "joint 'k'", "joint 'j'"]),
        ("a name used twice", "<link name='c'/>", "<link name='b'/>", &["line 4", "link 'b'", "line 3"]),
        ("a joint's name used twice", "name='k'", "name='j'", &["line 6", "joint 'j'", "line 5"]),
        ("an unknown type", "type='revolute'", "type='hinge'", &["line 5", "joint 'j'", "hinge"]),
        ("no name", "<link name='c'/>", "<link/>", &["line 4", "link", "name is missing"]),
        ("no parent", "<parent link='a'/>", "", &["line 5", "joint 'j'", "parent is missing"]),
        ("an unknown geometry", "<box size='1 1 1'/>", "<torus size='1 1 1'/>", &["line 3", "torus", "link 'b'"]),
        (
            "two numbers of three",
            "<box size='1 1 1'/>",
            "<box size='1 1'/>",
            &["line 3", "box of link 'b'", "size", "3 finite"],
        ),
        ("an infinite number", "<box size='1 1 1'/>", "<box size='1 1 1e999'/>", &["line 3", "size"]),
        ("no geometry", "<geometry><box size='1 1 1'/></geometry>", "<geometry/>", &["line 3", "geometry of link 'b'"]),
        (
            "mimicry of itself",
            "upper='1'/></joint>\n</robot>",
            "upper='1'/><mimic joint='k'/></joint>\n</robot>",
            &["line 6", "joint 'k'", "itself"],
        ),
        (
            "mimicry of nothing",
            "upper='1'/></joint>\n</robot>",
            "upper='1'/><mimic joint='z'/></joint>\n</robot>",
            &["line 6", "mimic of joint 'k'", "'z'"],
        ),
        ("no robot", "<robot name='r'>", "<sdf name='r'>", &["line 7", "sdf"]),
    ];
    for (name, from, to, words) in cases {
        assert!(GOOD.contains(from), "{name}");
        let error = Urdf::parse(&GOOD.replacen(from, to, 1)).expect_err(name).to_string();
        for word in words.iter().filter(|word| !(name == "no robot" && **word == "line 7")) {
            assert!(error.contains(word), "{name}: '{word}' is not in: {error}");
        }
    }
}

#[test]
fn errors_of_shapes_meshes_and_options() {
    let error = |text: &str| Robot::parse(text, "", &RobotOptions::default()).unwrap_err().to_string();
    let text = error(&GOOD.replace("1 1 1", "1 0 1"));
    assert!(text.contains("line 3") && text.contains("link 'b'") && text.contains("half_extents[1]"), "{text}");
    let text = error(&GOOD.replace("<box size='1 1 1'/>", "<mesh filename='package://x/none.stl'/>"));
    assert!(text.contains("line 3") && text.contains("package://x/none.stl"), "{text}");
    let text = error(&GOOD.replace("<box size='1 1 1'/>", "<mesh filename='none.dae'/>"));
    assert!(text.contains("none.dae"), "{text}");
    let options = RobotOptions { padding_of: vec![("z".to_owned(), 0.1)], ..RobotOptions::default() };
    assert!(Robot::parse(GOOD, "", &options).unwrap_err().to_string().contains("'z'"));
    let options = RobotOptions { padding: -1.0, ..RobotOptions::default() };
    assert!(Robot::parse(GOOD, "", &options).unwrap_err().to_string().contains("link 'b'"));
    let robot = Robot::parse(GOOD, "", &RobotOptions::default()).unwrap();
    assert!(robot.with_locked(&[("z", 0.0)]).is_err() && robot.with_locked(&[("j", f64::NAN)]).is_err());
    assert!(robot.with_group("none").is_err());
    assert!(robot.link_poses(&[0.0; 3]).is_err() && robot.link_poses(&[f64::NAN, 0.0]).is_err());
}

#[test]
fn errors_of_srdf() {
    let urdf = Urdf::parse(GOOD).unwrap();
    let parse = |inner: &str| Srdf::parse(&format!("<robot name='r'>\n{inner}\n</robot>"), &urdf);
    let good = "<group name='g'><chain base_link='a' tip_link='c'/></group><group name='h'><group name='g'/></group>
        <group_state name='s' group='g'><joint name='j' value='0.5'/></group_state><passive_joint name='k'/>
        <disable_collisions link1='a' link2='c'/><end_effector name='e' group='g' parent_link='c'/>";
    let srdf = parse(good).unwrap();
    assert_eq!(srdf.group("h").unwrap().joints, ["j", "k"]);
    for (wrong, words) in [
        ("<disable_collisions link1='a' link2='z'/>", ["line 2", "'z'"]),
        ("<disable_collisions link1='a'/>", ["line 2", "link2"]),
        ("<group name='g'><joint name='z'/></group>", ["line 2", "'z'"]),
        ("<group name='g'><group name='z'/></group>", ["line 2", "'z'"]),
        ("<group name='g'><chain base_link='c' tip_link='a'/></group>", ["line 2", "does not hang"]),
        ("<group_state name='s' group='z'/>", ["line 2", "'z'"]),
        (
            "<group name='g'/><group_state name='s' group='g'><joint name='j' value='x'/></group_state>",
            ["line 2", "'x'"],
        ),
        ("<passive_joint name='z'/>", ["line 2", "'z'"]),
    ] {
        let error = parse(wrong).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{wrong}: {error}");
    }
    let robot = Robot::parse(GOOD, &format!("<robot name='r'>{good}</robot>"), &RobotOptions::default()).unwrap();
    assert_eq!((robot.dof(), robot.state("s").unwrap()), (1, vec![0.5]));
}

/// Changes bytes, takes some out, repeats some.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.index(6) {
        let at = rng.index(bytes.len());
        let len = rng.index(30).min(bytes.len() - at);
        match rng.index(5) {
            0 => bytes[at] = rng.index(256) as u8,
            1 => drop(bytes.drain(at..at + len)),
            2 => {
                let copy = bytes[at..at + len].to_vec();
                let to = rng.index(bytes.len());
                bytes.splice(to..to, copy);
            }
            3 => bytes[at] = b"0123456789e-+.<>/'& nai"[rng.index(23)],
            _ => {
                let word: &[u8] = rng.pick(&[
                    b"nan".as_slice(),
                    b"inf",
                    b"1e308",
                    b"-1e308",
                    b"0",
                    b"1e-320",
                    b"<link name='a'/>",
                    b"&amp;",
                ]);
                bytes.splice(at..at, word.iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_text_makes_a_reader_panic() {
    let mut rng = Rng::new(51);
    let urdf = Urdf::parse(GOOD).unwrap();
    let srdf = "<robot name='r'><group name='g'><chain base_link='a' tip_link='c'/></group><passive_joint name='k'/>
        <disable_collisions link1='a' link2='c'/><group_state name='s' group='g'><joint name='j' value='0.5'/></group_state></robot>";
    let mut read = 0;
    for round in 0..6_000 {
        let base = if round % 3 == 0 { random_urdf(&mut rng) } else { GOOD.to_owned() };
        let text = mutated(&base, &mut rng);
        if let Ok(robot) = Robot::parse(&text, "", &RobotOptions::default()) {
            read += 1;
            let q = robot.home();
            if robot.dof() > 0 && robot.link_poses(&q).is_ok() {
                let cell = clearance_robot::Workcell::new(&robot);
                let far: Vec<f64> =
                    q.iter().zip(robot.limits()).map(|(x, [l, h])| if l.is_finite() { h } else { *x }).collect();
                let options = clearance_robot::EdgeOptions { max_steps: 50, ..Default::default() };
                let _ = cell.check_edges(&q, &far, &options).unwrap();
            }
        }
        let _ = Srdf::parse(&mutated(srdf, &mut rng), &urdf);
    }
    assert!(read > 100, "{read}");
    let deep = "<a>".repeat(100_000);
    assert!(Urdf::parse(&deep).is_err());
    let deep =
        format!("<robot name='r'><link name='a'>{}{}</link></robot>", "<b>".repeat(50_000), "</b>".repeat(50_000));
    let _ = Urdf::parse(&deep);
    assert!(Urdf::parse("").is_err() && Urdf::parse("<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='&a;'/>").is_err());
}
