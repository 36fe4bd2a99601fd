//! Forward kinematics against products of poses made by hand, and known poses of the Panda.

use clearance::{Pose, Quat, Vec3};
use clearance_robot::{JointKind, MeshUse, Robot, RobotOptions, Urdf};
use clearance_testkit::Rng;

use super::robots::{panda, random, random_urdf};

/// The pose of a link by following its parents, with poses of the library.
fn by_hand(urdf: &Urdf, robot: &Robot, q: &[f64], link: usize) -> Pose {
    let Some(joint) = urdf.joints.iter().find(|joint| joint.child == link) else { return Pose::IDENTITY };
    let parent = by_hand(urdf, robot, q, joint.parent).compose(&joint.origin);
    let values = |name: &str| {
        let known = robot.joints().iter().find(|known| known.name == name).unwrap();
        q[known.first_value..][..known.kind.value_count()].to_vec()
    };
    let value = || match joint.mimic {
        Some(mimic) => mimic.multiplier * values(&urdf.joints[mimic.joint].name)[0] + mimic.offset,
        None => values(&joint.name)[0],
    };
    let own = match joint.kind {
        JointKind::Fixed => Pose::IDENTITY,
        JointKind::Revolute | JointKind::Continuous => Pose::from_axis_angle(joint.axis, value()).unwrap(),
        JointKind::Prismatic => Pose::from_translation(joint.axis * value()).unwrap(),
        JointKind::Floating => {
            let v = values(&joint.name);
            Pose::new(Vec3::new(v[0], v[1], v[2]), [v[3], v[4], v[5], v[6]]).unwrap()
        }
        JointKind::Planar => {
            let v = values(&joint.name);
            // Any two axes across the joint's will do for their lengths; the first is across z.
            let x = if joint.axis.z.abs() > 0.9 { Vec3::X } else { Vec3::Z.cross(joint.axis) };
            let x = (x - joint.axis * joint.axis.dot(x)).normalize();
            let along = x * v[0] + joint.axis.cross(x) * v[1];
            Pose::from_axis_angle(joint.axis, v[2]).unwrap().with_translation(along).unwrap()
        }
    };
    parent.compose(&own)
}

fn assert_same(a: &Pose, b: &Pose) {
    assert!((a.translation() - b.translation()).length() < 1e-12, "{a:?} {b:?}");
    assert!((a.matrix() - b.matrix()).to_cols_array().iter().all(|x| x.abs() < 1e-12), "{a:?} {b:?}");
}

#[test]
fn links_are_where_their_parents_put_them() {
    let mut rng = Rng::new(31);
    for _ in 0..100 {
        let text = random_urdf(&mut rng);
        let robot = Robot::parse(&text, "", &RobotOptions::default()).unwrap();
        let q: Vec<f64> = (0..3).flat_map(|_| random(&robot, &mut rng)).collect();
        let poses = robot.link_poses(&q).unwrap();
        let links = robot.urdf().links.len();
        for (row, q) in q.chunks(robot.dof()).enumerate() {
            for link in 0..links {
                assert_same(&poses[row * links + link], &by_hand(robot.urdf(), &robot, q, link));
            }
        }
    }
}

#[test]
fn held_joints_are_as_if_given() {
    let mut rng = Rng::new(32);
    for _ in 0..30 {
        let robot = Robot::parse(&random_urdf(&mut rng), "", &RobotOptions::default()).unwrap();
        let q = random(&robot, &mut rng);
        let held: Vec<(&str, f64)> = robot
            .joints()
            .iter()
            .filter(|joint| joint.kind.value_count() == 1)
            .filter(|_| rng.chance(0.5))
            .map(|joint| (joint.name.as_str(), q[joint.first_value]))
            .collect();
        let smaller = robot.with_locked(&held).unwrap();
        assert_eq!(smaller.dof(), robot.dof() - held.len());
        let left: Vec<f64> = smaller
            .joints()
            .iter()
            .flat_map(|joint| {
                let same = robot.joints().iter().find(|known| known.name == joint.name).unwrap();
                q[same.first_value..][..same.kind.value_count()].to_vec()
            })
            .collect();
        if left.is_empty() {
            continue;
        }
        let (all, few) = (robot.link_poses(&q).unwrap(), smaller.link_poses(&left).unwrap());
        all.iter().zip(&few).for_each(|(a, b)| assert_same(a, b));
    }
}

#[test]
fn the_panda_is_known() {
    let Some(robot) = panda(MeshUse::Hull) else { return };
    assert_eq!((robot.dof(), robot.urdf().links.len()), (8, 12));
    assert_eq!(robot.value_names()[7], "panda_finger_joint1");
    let arm = robot.with_group("panda_arm").unwrap();
    assert_eq!(arm.dof(), 7);
    let pose = |q: &[f64], link: &str| arm.link_poses(q).unwrap()[arm.link_index(link).unwrap()];
    // Stretched out: the flange is 0.088 in front and 0.333 + 0.316 + 0.384 - 0.107 up, looking down.
    let home = pose(&[0.0; 7], "panda_link8");
    assert!((home.translation() - Vec3::new(0.088, 0.0, 0.926)).length() < 1e-9, "{home:?}");
    assert!((home.direction(Vec3::Z) + Vec3::Z).length() < 1e-9);
    // The known pose of MoveIt's "ready".
    let ready = arm.state("ready").unwrap();
    let flange = pose(&ready, "panda_link8").translation();
    assert!((flange - Vec3::new(0.307, 0.0, 0.590)).length() < 2e-3, "{flange}");
    // A turn of the first joint turns everything.
    let mut turned = ready.clone();
    turned[0] = 1.0;
    let expected = Quat::from_rotation_z(1.0) * flange;
    assert!((pose(&turned, "panda_link8").translation() - expected).length() < 1e-9);
    assert!(arm.is_within_limits(&ready) && !arm.is_within_limits(&[9.0; 7]));
    // The second finger follows the first.
    let open = [&ready[..], &[0.03]].concat();
    let all = robot.link_poses(&open).unwrap();
    let [left, right, hand] =
        ["panda_leftfinger", "panda_rightfinger", "panda_hand"].map(|link| all[robot.link_index(link).unwrap()]);
    assert!(((left.translation() - right.translation()).length() - 0.06).abs() < 1e-9);
    let middle = (left.translation() + right.translation()) * 0.5;
    assert!((middle - hand.point(Vec3::new(0.0, 0.0, 0.0584))).length() < 1e-9);
}
