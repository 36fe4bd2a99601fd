//! Workcells: surroundings of every kind, attached objects, allowed pairs, bases.

use clearance::{Body, Compound, HalfSpace, HeightField, Mesh, PointCloud, Pose, Shape, Vec3};
use clearance_robot::{
    ConfigOptions, Distance, EdgeOptions, EdgeVerdict, MeshUse, PathOptions, Robot, RobotOptions, Verdict, Workcell,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};

use super::edges::confirm;
use super::oracle::Oracle;
use super::robots::{random, random_urdf, workcell};

const SLIDER: &str = "<robot name='slider'>
    <link name='rail'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>
    <link name='cart'><collision><geometry><sphere radius='0.5'/></geometry></collision></link>
    <joint name='x' type='prismatic'><parent link='rail'/><child link='cart'/><axis xyz='1 0 0'/><limit lower='-9' upper='9'/></joint></robot>";

fn slider() -> Workcell {
    Workcell::new(&Robot::parse(SLIDER, "", &RobotOptions::default()).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

fn verdict(cell: &Workcell, q: &[f64]) -> Verdict {
    cell.check_configs(q, &ConfigOptions::default()).unwrap().answers[0].verdict
}

fn mesh(polyhedron: &Polyhedron) -> Mesh {
    Mesh::new(&polyhedron.vertices, &polyhedron.faces).unwrap()
}

/// Bodies that are not convex.
fn concave(rng: &mut Rng) -> Vec<(Body, Pose)> {
    let place =
        |rng: &mut Rng| Pose::new(rng.unit_vector() * rng.uniform(0.5, 1.2), rng.rotation().to_array()).unwrap();
    let cube: Body = Shape::cuboid([0.1, 0.1, 0.1]).unwrap().into();
    let pair = Compound::new([(cube.clone(), at(0.3, 0.0, 0.0)), (cube, at(-0.3, 0.1, 0.0))]).unwrap();
    let points: Vec<Vec3> = (0..60).map(|_| rng.in_ball(0.4)).collect();
    let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| 0.1 * f64::from(i * j % 3)).collect()).collect();
    let field = HeightField::new(&rows, [0.4, 0.4]).unwrap();
    vec![
        (mesh(&Polyhedron::torus(0.4, 0.1, 12, 8)).into(), place(rng)),
        (pair.into(), place(rng)),
        (PointCloud::new(&points, 0.03).unwrap().into(), place(rng)),
        (field.into(), at(-1.0, -1.0, -1.0)),
        (Body::from(mesh(&Polyhedron::notched())).padded(0.02).unwrap(), place(rng)),
    ]
}

#[test]
fn surroundings_of_every_kind() {
    let mut rng = Rng::new(71);
    let (mut free, mut edges, mut decided) =
        (HitRate::new("free"), HitRate::new("free edges"), HitRate::new("decided"));
    for _ in 0..12 {
        let robot = Robot::parse(&random_urdf(&mut rng), "", &RobotOptions::default()).unwrap();
        let all = concave(&mut rng);
        let around = [all[rng.index(5)].clone(), all[rng.index(5)].clone()];
        let cell = workcell(&robot, &around);
        let oracle = Oracle::new(&robot, &around, 0.0, MeshUse::Exact);
        for _ in 0..15 {
            let q = random(&robot, &mut rng);
            let collides = oracle.collides(&q);
            assert_eq!(verdict(&cell, &q) == Verdict::Free, !collides);
            free.record(!collides);
            let options = ConfigOptions { distance: Distance::Signed, ..Default::default() };
            let near = cell.check_configs(&q, &options).unwrap().answers[0].near.unwrap();
            // Depths of concave bodies are bounds; the least distance is between the least of them.
            let all = oracle.distances(&q);
            let least = |bound: fn(&clearance::Closest) -> f64| all.iter().map(bound).fold(f64::INFINITY, f64::min);
            let [lower, upper] = [least(|near| near.lower), least(|near| near.upper)];
            assert!(near.lower <= upper + 1e-9 && near.upper >= lower - 1e-9, "{near:?} {lower} {upper}");
        }
        for _ in 0..4 {
            let (q0, q1) = (random(&robot, &mut rng), random(&robot, &mut rng));
            let q1 = super::edges::between(&robot, &q0, &q1, 0.1);
            let options = EdgeOptions { resolution: 0.05, max_steps: 500, ..EdgeOptions::default() };
            let answer = cell.check_edges(&q0, &q1, &options).unwrap()[0];
            confirm(&robot, &oracle, &q0, &q1, &answer, 40, &mut rng);
            edges.record(answer.verdict == EdgeVerdict::Free);
            decided.record(answer.verdict != EdgeVerdict::Undecided);
            if answer.verdict == EdgeVerdict::Free {
                let options = PathOptions { accuracy: 0.01, max_steps: 200 };
                let least = cell.clearance_along(&[&q0[..], &q1].concat(), &options).unwrap();
                let sampled = (0..20).map(|i| super::edges::between(&robot, &q0, &q1, f64::from(i) / 19.0));
                let sampled = sampled.map(|q| oracle.distances(&q)[0].distance).fold(f64::INFINITY, f64::min);
                assert!(least.lower <= sampled + 1e-9, "{least:?} {sampled}");
            }
        }
    }
    free.assert_between(0.1, 0.9);
    edges.assert_between(0.1, 0.9);
    decided.assert_between(0.9, 1.0);
}

#[test]
fn pairs_are_allowed_and_forbidden() {
    let mut cell = slider();
    // Joined by a joint: not checked, until it is asked for.
    assert_eq!(verdict(&cell, &[0.0]), Verdict::Free);
    cell.forbid("rail", "cart").unwrap();
    assert_eq!(verdict(&cell, &[0.0]), Verdict::Colliding);
    cell.allow("rail", "cart").unwrap();
    cell.add("wall", Shape::cuboid([0.1, 1.0, 1.0]).unwrap(), &at(3.0, 0.0, 0.0)).unwrap();
    assert_eq!(verdict(&cell, &[2.5]), Verdict::Colliding);
    cell.allow("wall", "cart").unwrap();
    assert_eq!(verdict(&cell, &[2.5]), Verdict::Free);
    cell.remove("wall").unwrap();
    cell.add("wall", Shape::cuboid([0.1, 1.0, 1.0]).unwrap(), &at(3.0, 0.0, 0.0)).unwrap();
    assert_eq!(verdict(&cell, &[2.5]), Verdict::Colliding);
    assert!(cell.allow("wall", "none").is_err() && cell.remove("cart").is_err() && cell.remove("none").is_err());
    assert!(cell.add("wall", Shape::sphere(1.0).unwrap(), &Pose::IDENTITY).is_err());
    assert!(cell.add("cart", Shape::sphere(1.0).unwrap(), &Pose::IDENTITY).is_err());
    assert!(cell.attach("tool", "none", Shape::sphere(1.0).unwrap(), &Pose::IDENTITY, &[]).is_err());
}

#[test]
fn attached_objects_move_with_their_link() {
    let mut cell = slider();
    cell.add("wall", Shape::cuboid([0.1, 1.0, 1.0]).unwrap(), &at(3.0, 0.0, 0.0)).unwrap();
    assert_eq!(verdict(&cell, &[2.0]), Verdict::Free);
    let tool = cell.attach("tool", "cart", Shape::cuboid([0.5, 0.05, 0.05]).unwrap(), &at(0.9, 0.0, 0.0), &[]).unwrap();
    let options = ConfigOptions { distance: Distance::Signed, gradient: true, ..Default::default() };
    let found = cell.check_configs(&[2.0, 1.0], &options).unwrap();
    assert_eq!(found.answers[0].verdict, Verdict::Colliding);
    assert!(found.answers[0].pair.unwrap().contains(&tool));
    let near = found.answers[1].near.unwrap();
    assert!((near.distance - 0.5).abs() < 1e-9 && near.pair.contains(&tool) && (found.gradients[1] + 1.0).abs() < 1e-9);
    // The tool touches the rail, to which it is not attached, unless that is allowed.
    assert_eq!(verdict(&cell, &[-0.9]), Verdict::Colliding);
    cell.remove("tool").unwrap();
    cell.attach("tool", "cart", Shape::cuboid([0.5, 0.05, 0.05]).unwrap(), &at(0.9, 0.0, 0.0), &["rail"]).unwrap();
    assert_eq!(verdict(&cell, &[-0.9]), Verdict::Free);
}

#[test]
fn bases_move_the_robot_and_what_rests_is_checked_once() {
    let mut cell = slider();
    cell.add("floor", HalfSpace::new([0.0, 0.0, 1.0], -0.6).unwrap(), &Pose::IDENTITY).unwrap();
    assert_eq!(verdict(&cell, &[1.0]), Verdict::Free);
    cell.set_base(&at(0.0, 0.0, -0.2));
    let found = cell.check_configs(&[1.0], &ConfigOptions::default()).unwrap().answers[0];
    assert_eq!(found.pair.map(|pair| pair.map(|body| cell.name(body))), Some(["cart", "floor"]));
    // The rail, which no joint moves, reaches into the floor.
    cell.set_base(&at(0.0, 0.0, -0.55));
    cell.allow("cart", "floor").unwrap();
    let found = cell.check_configs(&[1.0], &ConfigOptions::default()).unwrap().answers[0];
    assert_eq!(found.pair.map(|pair| pair.map(|body| cell.name(body))), Some(["rail", "floor"]));
    assert_eq!(cell.check_edges(&[1.0], &[2.0], &EdgeOptions::default()).unwrap()[0].verdict, EdgeVerdict::Colliding);
    cell.allow("rail", "floor").unwrap();
    assert_eq!(verdict(&cell, &[1.0]), Verdict::Free);
    let alone =
        cell.check_configs(&[1.0], &ConfigOptions { distance: Distance::Signed, ..Default::default() }).unwrap();
    assert!(alone.answers[0].near.is_none());
    let least = cell.clearance_along(&[1.0, 2.0], &PathOptions::default()).unwrap();
    assert!(least.clearance == f64::INFINITY && least.near.is_none());
}

#[test]
fn links_grow_by_their_padding() {
    let options = RobotOptions { padding: 0.1, padding_of: vec![("cart".to_owned(), 0.25)], ..Default::default() };
    let mut cell = Workcell::new(&Robot::parse(SLIDER, "", &options).unwrap());
    cell.add("wall", Shape::cuboid([0.1, 1.0, 1.0]).unwrap(), &at(3.0, 0.0, 0.0)).unwrap();
    let options = ConfigOptions { distance: Distance::Signed, ..Default::default() };
    let near = cell.check_configs(&[1.0], &options).unwrap().answers[0].near.unwrap();
    assert!((near.distance - 1.15).abs() < 1e-9, "{near:?}");
}

#[test]
fn meshes_come_from_any_loader_flat_ones_too() {
    let text = "<robot name='r'><link name='a'/><link name='b'><collision><geometry><mesh filename='flat.stl' scale='2 -1 1'/></geometry></collision></link>
        <joint name='x' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-9' upper='9'/></joint></robot>";
    let load = |file: &str| {
        assert_eq!(file, "flat.stl");
        let vertices = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]].map(Vec3::from).to_vec();
        Ok(clearance_io::Surface { name: String::new(), vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] })
    };
    let urdf = clearance_robot::Urdf::parse(text).unwrap();
    for meshes in [MeshUse::Hull, MeshUse::Exact] {
        let options = RobotOptions { meshes, ..RobotOptions::default() };
        let robot = Robot::new(urdf.clone(), Default::default(), &load, &options).unwrap();
        let mut cell = Workcell::new(&robot);
        cell.add("ball", Shape::sphere(0.5).unwrap(), &at(1.9, -0.9, 0.0)).unwrap();
        assert_eq!([-0.6, 0.0, 0.6].map(|q| verdict(&cell, &[q])), [Verdict::Free, Verdict::Colliding, Verdict::Free]);
        let options = ConfigOptions { distance: Distance::Signed, ..Default::default() };
        let near = cell.check_configs(&[2.0], &options).unwrap().answers[0].near.unwrap();
        assert!((near.distance - 1.5).abs() < 1e-9, "{near:?}");
        let edge = |from: f64, to: f64| cell.check_edges(&[from], &[to], &EdgeOptions::default()).unwrap()[0];
        assert_eq!(edge(0.6, 3.0).verdict, EdgeVerdict::Free);
        let hit = edge(3.0, -1.0);
        assert!(hit.verdict == EdgeVerdict::Colliding && (hit.free_from_start - 0.625).abs() < 0.01, "{hit:?}");
    }
    let gone = |_: &str| Err("is not there".to_owned());
    let error = Robot::new(urdf, Default::default(), &gone, &RobotOptions::default()).unwrap_err().to_string();
    assert!(error.contains("flat.stl") && error.contains("link 'b'") && error.contains("is not there"), "{error}");
}
