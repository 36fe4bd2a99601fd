//! The promise: a mistake made once is not made again. Each case gave a wrong or an unsound answer at some time.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use clearance::exact::certify_unchecked;
use clearance::math::{narrow_real, widen, widen_real};
use clearance::narrow::PairCache;
use clearance::narrow::closest_by;
use clearance::narrow::gjk::SubAlgorithm;
use clearance::tolerance::UNIT_ROUNDOFF;
use clearance::{
    Cache, CastOptions, Contact, End, Motion, Part, Polytope, Pose, Real, Shape, Vec3, Witness, closest, distance,
    overlap, time_of_impact,
};
use clearance_testkit::Rng;
use common::{SINGLE, narrowed, pose_of};
use glam::{DQuat, DVec3};

fn apart(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let answer = overlap(a, pose_a, b, pose_b, &mut Cache::default());
    if let Witness::Plane { offset_a, offset_b, .. } = answer.witness {
        assert!(offset_b > offset_a, "{answer:?}");
    }
    !answer.overlap
}

/// A run whose direction turned by too little to shorten its vector was taken for a meeting.
#[test]
fn a_long_thin_polygon_beside_a_point() {
    let far = if SINGLE { 1.0e3 } else { 1.0e8 };
    let corners = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [far, 0.5, 1.0]];
    let polygon = Shape::polygon(&corners.map(Vec3::from)).unwrap();
    let pose = Pose::from_translation([1.0 / far, 0.5, 0.0]).unwrap();
    assert!(apart(&polygon, &Pose::IDENTITY, &Shape::point(), &pose));
}

/// The sixth power of the size overflowed.
#[test]
fn bodies_near_the_largest_size() {
    let large = clearance::tolerance::LARGEST_SIZE / 10.0;
    let cube = Shape::cuboid([1.0; 3]).unwrap().posed(Pose::from_translation([0.1, large, 0.0]).unwrap());
    let ellipse = Shape::ellipse([1.0e4, large]).unwrap();
    assert!(apart(&cube, &Pose::IDENTITY, &ellipse, &Pose::from_translation([1.0, large, -large]).unwrap()));
}

/// A boolean stopped at a relative gap, while the distance was known to be positive.
#[test]
fn a_sphere_all_but_touching_an_ellipse() {
    let (sphere, ellipse) = (Shape::sphere(1.0).unwrap(), Shape::ellipse([1.0, 2.0]).unwrap());
    let pose = Pose::from_translation([2.0, 1.0e-6, 0.0]).unwrap();
    let near = closest(&sphere, &Pose::IDENTITY, &ellipse, &pose, &mut Cache::default());
    let is_apart = apart(&sphere, &Pose::IDENTITY, &ellipse, &pose);
    assert!(is_apart || near.lower <= 0.0, "{near:?}");
    assert!(!is_apart || near.upper >= 0.0, "{near:?}");
}

/// An edge beside an edge, 1e-8 off: the normal was tilted by as much and the run gave up.
#[test]
fn a_segment_beside_a_box() {
    let (cuboid, segment) = (Shape::cuboid([1.0, 2.0, 3.0]).unwrap(), Shape::segment(2.0).unwrap());
    let pose = Pose::new([1.0e-8, 3.0, 0.0], [0.1, 0.7, -0.7, 0.1]).unwrap();
    let near = closest(&cuboid, &Pose::IDENTITY, &segment, &pose, &mut Cache::default());
    let error = clearance::tolerance::sigma(16.0);
    assert!((near.distance - 1.0).abs() <= 4.0 * error && near.upper - near.lower <= 32.0 * error, "{near:?}");
}

/// The volume of a hull far from the origin was sampled where its points had no digits left.
#[test]
fn a_hull_far_away_keeps_its_volume() {
    let part = || Part {
        shape: Shape::ellipsoid([1.0, 1.0, 1.1]).unwrap(),
        pose: Pose::from_translation([1.0e8, 0.0, 0.0]).unwrap(),
    };
    let volume = Shape::hull(part(), part()).volume();
    assert!((volume - 4.6077).abs() < 0.01, "{volume}");
}

/// Rounding put the origin into a thin tetrahedron, and a distance of twelve errors was called touching.
#[test]
#[allow(clippy::excessive_precision)] // in single precision it is just another pair
fn a_cylinder_all_but_touching_a_frustum() {
    let (cylinder, frustum) =
        (Shape::cylinder(0.9, 0.65).unwrap(), Shape::frustum([0.9, 0.5], [0.3, 0.8], 1.2).unwrap());
    let pose_a = Pose::new(
        [-0.5793410100273233, -0.003641953770559314, -0.1876847050877044],
        [0.7289427297395474, -0.662338284311185, -0.17295138007662741, -0.006189832401844602],
    );
    let pose_b = Pose::new(
        [-1.2516782027159523, 0.2109589567635905, -2.055433127093475],
        [-0.8984885458761095, 0.045291540295412054, 0.4093884316668569, -0.15188193218567794],
    );
    let (pose_a, pose_b) = (pose_a.unwrap(), pose_b.unwrap());
    let near = closest(&cylinder, &pose_a, &frustum, &pose_b, &mut Cache::default());
    let certain = near.lower > 4.0 * clearance::tolerance::sigma(4.6);
    assert!(certain != SINGLE, "{near:?}");
    assert!(!certain || apart(&cylinder, &pose_a, &frustum, &pose_b), "{near:?}");
}

/// The normal of a face 700 times as long as wide was tilted so much that the depth was off by six errors.
#[test]
fn a_point_under_the_skin_of_a_long_box() {
    let (long, point) = (Shape::cuboid([1.0e3, 1.0e3, 723_866.0]).unwrap(), Shape::point());
    for i in 0..200u16 {
        let share = Real::from(i) / 200.0;
        let under = Vec3::new(1.0e3 - share * 1.0e-8, 700.0 * share - 350.0, 7.0e5 * (0.5 - share));
        let turn = [0.3, -0.4, 0.5, 0.5 + share].map(|x: Real| x);
        let length = turn.iter().map(|x| x * x).sum::<Real>().sqrt();
        let pose = Pose::new([0.0; 3], turn.map(|x| x / length)).unwrap();
        let at = Pose::from_translation(pose.point(under)).unwrap();
        let formula = closest(&long, &pose, &point, &at, &mut Cache::default());
        let general = closest_by(SubAlgorithm::Regions, &long, &pose, &point, &at, &mut PairCache::default());
        assert!(general.lower <= formula.upper && formula.lower <= general.upper, "{general:?} but {formula:?}");
    }
}

/// Two directions were as good as each other, and the depth of the one was above the upper bound known from the other.
#[test]
#[allow(clippy::excessive_precision)] // found in single precision
fn the_depth_of_two_cones_is_within_its_bounds() {
    let cone = Shape::cone(2.0, 1.0).unwrap();
    let pose = |translation: [Real; 3], [x, y, z, w]: [Real; 4]| {
        Pose::new(translation, clearance::Quat::from_xyzw(x, y, z, w).normalize()).unwrap()
    };
    let pose_a = pose(
        [-0.04902286932699429, 0.09465624438293396, 0.11628568329689504],
        [-0.7855089747535895, 0.43909491615626, -0.266237617981934, -0.34538215929401617],
    );
    let pose_b = pose(
        [-1.1942539262749854, -0.7351986281229809, 1.2501630712671683],
        [0.8459660986246265, 0.28347670714186063, -0.2371595140915711, 0.3843665976144214],
    );
    let near = closest(&cone, &pose_a, &cone, &pose_b, &mut Cache::default());
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{near:?}");
}

/// Bodies that only spin, hundreds of turns, and whose balls never meet: free, after a few looks.
#[test]
fn spinning_bodies_that_cannot_meet_are_free() {
    let (rod, ball) = (Shape::cuboid([1.0, 0.5, 0.5]).unwrap(), Shape::sphere(0.5).unwrap());
    let there = Pose::from_translation([5.0, 0.0, 0.0]).unwrap();
    for (angular_a, linear_b, angular_b) in [
        ([300.0, 200.0, 400.0], [0.0; 3], [0.0; 3]),
        ([300.0, 200.0, 400.0], [0.0; 3], [300.0, 200.0, -400.0]),
        ([0.0, 0.0, 6300.0], [-3.0, 0.0, 0.0], [0.0, 70.0, 0.0]),
    ] {
        let of_a = Motion::with_velocity(Pose::IDENTITY, [0.0; 3], angular_a).unwrap();
        let of_b = Motion::with_velocity(there, linear_b, angular_b).unwrap();
        let cast = time_of_impact(&rod, &of_a, &ball, &of_b, &mut Cache::default(), &CastOptions::default()).unwrap();
        assert!(cast.hit.is_none() && cast.lower == 1.0 && cast.end == End::Converged, "{cast:?}");
        assert!(cast.iterations < 100, "{cast:?}");
    }
}

/// The direction between needles that all but touch is of unit length.
#[test]
fn normals_of_tiny_distances_are_unit_vectors() {
    let mut rng = Rng::new(0x756e_6974);
    for i in 0..4000 {
        let thin = rng.log_uniform(if SINGLE { 1e-5 } else { 1e-13 }, 1e-3);
        let mut needle = || {
            let points: Vec<DVec3> = (0..6).map(|_| rng.in_ball(1.0) * DVec3::new(1.0, thin, thin)).collect();
            Polytope::from_points(&narrowed(&points)).ok()
        };
        let (Some(a), Some(b)) = (needle(), needle()) else { continue };
        let turn = rng.rotation();
        let (pose_a, pose_b) = (pose_of(DVec3::ZERO, turn), pose_of(rng.in_ball(thin), turn * rng.rotation()));
        let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        let off = (widen(near.normal).length() - 1.0).abs();
        assert!(off <= 16.0 * widen_real(UNIT_ROUNDOFF), "{i}: {off} {near:?}");
    }
}

/// The points of a depth were moved to agree with it by two hundred times the width of its bounds.
#[test]
#[allow(clippy::excessive_precision)] // in single precision it is just another pair
fn points_moved_to_agree_with_a_depth_count_in_its_bounds() {
    let cone = Shape::cone(0.12382536705326741, 0.12427176694650088).unwrap();
    let plate = Shape::cuboid([1.0955630632146356, 0.05605973319086392, 1.1741733050643812]).unwrap();
    let pose_a = pose_of(
        DVec3::new(-0.8054703488240571, 0.8539762091559089, 0.13847626400929736),
        DQuat::from_array([-0.5370355869567496, 0.649101598530791, -0.5168563168022665, -0.15205078397820387]),
    );
    let pose_b = pose_of(
        DVec3::new(0.361832003106309, 0.23681459349803516, 0.41707902483024684),
        DQuat::from_array([0.5442515078930209, -0.31377922416878734, -0.757019940666978, -0.17959316264482916]),
    );
    let near = closest(&cone, &pose_a, &plate, &pose_b, &mut Cache::default());
    let room = widen_real(near.upper - near.lower) + 64.0 * widen_real(clearance::tolerance::sigma(4.0));
    for (body, pose, point) in [(&cone, &pose_a, near.points[0]), (&plate, &pose_b, near.points[1])] {
        let dot = Pose::from_translation(point).unwrap();
        let off = closest(&Shape::point(), &dot, body, pose, &mut Cache::default());
        assert!(widen_real(off.distance) <= room, "off by {:e}, bounds and rounding {room:e}: {near:?}", off.distance);
    }
}

/// Corners of a facet a millionth long are off by rounding, which tilts its plane: the depth claimed was more than it proves.
#[test]
#[allow(clippy::excessive_precision)] // found in single precision
fn a_proof_of_a_depth_by_slivers_holds() {
    let cones =
        [[0.28714520, 0.11747292], [0.38282888, 0.47907310]].map(|[height, radius]| Shape::cone(height, radius));
    let [a, b] = cones.map(Result::unwrap);
    let pose_a = pose_of(
        DVec3::new(0.75837076, -1.3381326, 1.0191724),
        DQuat::from_array([-0.027002333, 0.97847676, -0.10279395, 0.17688285]),
    );
    let pose_b = pose_of(
        DVec3::new(0.36693504, -1.2636111, 1.1276665),
        DQuat::from_array([0.2054158, -0.7836749, 0.16448396, -0.562675]),
    );
    let proof = certify_unchecked(&a, &pose_a, &b, &pose_b, &mut Cache::default(), [true; 2]).unwrap();
    proof.verify().unwrap_or_else(|refused| panic!("{refused}"));
}

/// Points of two boxes were within the error of each other, and the boxes apart by a little more across two edges: `closest` said that they
/// are apart, `overlap` and `distance` that they are not.
#[test]
fn boxes_that_two_edges_keep_apart_by_little_more_than_the_error() {
    let cases = [
        (
            [
                [0.574325543874541, 0.42998714077483347, 1.1448860440566062],
                [0.22655338639831368, 0.4695660756532972, 0.31347482733709414],
            ],
            [
                (
                    [-59.62864623944846, -22.999170488199404, -69.81275496036213],
                    [0.6277077575479183, -0.5640020923748992, 0.5264071663566857, -0.10382728985784222],
                ),
                (
                    [-60.877066005147526, -21.920361113620757, -69.79357264342953],
                    [0.8682115246375288, -0.4224906279697402, -0.24503473489221825, -0.08756938083949746],
                ),
            ],
        ),
        (
            [
                [0.41547411835897197, 0.3716909525662644, 1.4107863020420774],
                [1.4293910914154997, 0.7310094439728074, 0.33635919937035497],
            ],
            [
                ([0.0, 0.0, 0.0], [-0.585524789683815, -0.7478935253374127, 0.28797792025993085, -0.1220029215505354]),
                (
                    [1.6583626763349002, -1.151221843977772, -0.30988638172079597],
                    [-0.16303308080060586, -0.2826066008526362, -0.13183546823085326, 0.9360412026377545],
                ),
            ],
        ),
    ];
    for (half, poses) in cases {
        let [a, b] = half.map(|half| Shape::cuboid(half.map(narrow_real)).unwrap());
        let [pose_a, pose_b] = poses.map(|(at, turn)| pose_of(DVec3::from_array(at), DQuat::from_array(turn)));
        let near = closest(&a, &pose_a, &b, &pose_b, &mut Cache::default());
        let is_apart = near.contact == Contact::Apart;
        assert_eq!(apart(&a, &pose_a, &b, &pose_b), is_apart, "{near:?}");
        assert_eq!(distance(&a, &pose_a, &b, &pose_b, &mut Cache::default()).is_some(), is_apart, "{near:?}");
    }
}
