//! Height fields, point clouds and half-spaces against brute force over all triangles and points.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::concave::{BodyCache, closest, overlap};
use clearance::math::{widen, widen_real};
use clearance::tolerance::sigma;
use clearance::{
    Body, Cache, Compound, Contact, HalfSpace, HeightField, PointCloud, Polytope, Pose, Real, Shape, Vec3, Within,
    Witness,
};
use clearance_testkit::{HitRate, Polyhedron, Rng, features, surfaces};
use glam::DVec3;
use meshes::{mesh, pose, real};

fn within(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, distance: Real) -> Within {
    clearance::within(a, pose_a, b, pose_b, distance, &mut Cache::default())
}

/// Relative to the size of the pair: what answers must agree to.
const AGREEMENT: f64 = if cfg!(single_precision) { 4e-6 } else { 1e-12 };

/// A body as triangles, balls and closed surfaces in the world, in f64 for the pose as stored.
#[derive(Default, Clone)]
struct Soup {
    triangles: Vec<[DVec3; 3]>,
    balls: Vec<(DVec3, f64)>,
    /// Closed surfaces, each of which bounds a solid.
    solids: Vec<Vec<[DVec3; 3]>>,
}

fn to_world(pose: &Pose, p: Vec3) -> DVec3 {
    let m = pose.matrix();
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(widen);
    let p = widen(p);
    x * p.x + y * p.y + z * p.z + widen(pose.translation())
}

impl Soup {
    fn of(body: &Body, pose: &Pose) -> Self {
        let mut soup = Self::default();
        match body {
            Body::HeightField(field) => {
                let cells = 2 * (field.columns() - 1) * (field.rows() - 1);
                soup.triangles
                    .extend((0..cells).filter_map(|t| field.triangle(t)).map(|t| t.map(|p| to_world(pose, p))));
                assert_eq!(soup.triangles.len(), field.triangle_count());
            }
            Body::PointCloud(cloud) => {
                soup.balls.extend(cloud.points().map(|(_, p)| (to_world(pose, p), widen_real(cloud.radius()))));
            }
            Body::Mesh(mesh) => {
                let all: Vec<_> =
                    (0..mesh.triangle_count() as u32).map(|t| mesh.triangle(t).0.map(|p| to_world(pose, p))).collect();
                soup.solids.extend(mesh.is_solid().then(|| all.clone()));
                soup.triangles.extend(all);
            }
            Body::Convex(shape) => match shape.core() {
                clearance::Core::Point => soup.balls.push((to_world(pose, Vec3::ZERO), widen_real(shape.radius()))),
                clearance::Core::Polytope(polytope) => {
                    let at = |v: u32| to_world(pose, polytope.vertices()[v as usize]);
                    let mut all = Vec::new();
                    for face in 0..polytope.face_count() as u32 {
                        let corners: Vec<DVec3> = polytope.face_vertices(face).map(at).collect();
                        all.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
                    }
                    soup.solids.push(all.clone());
                    soup.triangles.extend(all);
                }
                other => panic!("no oracle for {other:?}"),
            },
            Body::Compound(compound) => {
                for part in 0..compound.part_count() as u32 {
                    let (body, own) = compound.part(part).unwrap();
                    let part = Self::of(&body, &pose.compose(&own));
                    soup.triangles.extend(part.triangles);
                    soup.balls.extend(part.balls);
                    soup.solids.extend(part.solids);
                }
            }
            other => panic!("no oracle for {other:?}"),
        }
        soup
    }

    /// The distance of what is there, at least zero for triangles, signed for balls; below zero if something is inside a solid.
    fn distance(&self, other: &Self) -> f64 {
        let mut least = if self.triangles.is_empty() || other.triangles.is_empty() {
            f64::INFINITY
        } else {
            surfaces::distance(&self.triangles, &other.triangles)
        };
        for (a, b) in [(self, other), (other, self)] {
            for &(centre, r) in &a.balls {
                for t in &b.triangles {
                    least = least.min(features::point_polygon(centre, t) - r);
                }
                if b.solids.iter().any(|solid| surfaces::winding(solid, centre) > 0.5) {
                    least = least.min(-r).min(-f64::MIN_POSITIVE);
                }
            }
            for solid in &b.solids {
                if least > 0.0 && a.triangles.iter().any(|t| surfaces::winding(solid, t[0]) > 0.5) {
                    least = -f64::MIN_POSITIVE;
                }
            }
        }
        for &(p, r) in &self.balls {
            for &(q, s) in &other.balls {
                least = least.min(p.distance(q) - r - s);
            }
        }
        least
    }
}

fn pair_size(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let between = (pose_a.translation() - pose_b.translation()).abs().element_sum();
    widen_real(a.bounding_radius() + b.bounding_radius() + between)
}

/// Checks all that is promised of a pair against brute force; returns the true distance, not positive if they meet.
fn check(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> f64 {
    let truth = Soup::of(a, pose_a).distance(&Soup::of(b, pose_b));
    let size = pair_size(a, pose_a, b, pose_b);
    let far = widen(pose_a.translation()).length().max(widen(pose_b.translation()).length());
    let error = AGREEMENT * size + far * if cfg!(single_precision) { 4e-7 } else { 1e-15 };
    let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
    let met = overlap(a, pose_a, b, pose_b, &mut BodyCache::default());
    let values = format!("truth {truth} {near:?} {met:?}");
    assert!(near.lower <= near.distance && near.distance <= near.upper, "{values}");
    let [p, q] = near.points.map(widen);
    assert!((q - p - widen(near.normal) * widen_real(near.distance)).length() <= 4.0 * error, "{values}");
    assert!((widen(near.normal).length() - 1.0).abs() < 1e-6, "{values}");
    let swapped = closest(b, pose_b, a, pose_a, &mut BodyCache::default());
    if truth > 8.0 * error {
        assert!((widen_real(near.distance) - truth).abs() <= error, "{values}");
        assert!(widen_real(near.lower) <= truth + error && truth <= widen_real(near.upper) + error, "{values}");
        assert_eq!((near.contact, met.contact), (Contact::Apart, Contact::Apart), "{values}");
        let gap = met.gap().unwrap();
        assert!(gap > 0.0 && widen_real(gap) <= truth + error, "{values}");
        assert!(near.upper - near.lower <= 16.0 * sigma(size as Real), "{values}");
        assert!((swapped.distance - near.distance).abs() <= 4.0 * error as Real, "{values} {swapped:?}");
        for share in [0.0, 0.5, 0.99, 1.01, 2.0] {
            let asked = (truth * share) as Real;
            let answer = within(a, pose_a, b, pose_b, asked);
            assert!(
                answer.within == (share > 1.0) || (truth * (share - 1.0)).abs() <= error,
                "{share} {answer:?} {values}"
            );
            assert!(
                widen_real(answer.lower) <= truth + error && truth <= widen_real(answer.upper) + error,
                "{answer:?}"
            );
            match answer.witness {
                Witness::Points([p, q]) => {
                    assert!(answer.within && (widen(p) - widen(q)).length() <= truth * share + 4.0 * error);
                }
                Witness::Gap(gap) => assert!(!answer.within && gap >= asked, "{answer:?} {values}"),
                other => panic!("{other:?}"),
            }
        }
    } else if truth <= 0.0 {
        assert!(widen_real(near.distance) <= 4.0 * error, "{values}");
        assert_ne!(near.contact, Contact::Apart, "{values}");
        assert!(met.overlap() && within(a, pose_a, b, pose_b, 0.0).within, "{values}");
        if truth < -16.0 * error {
            // The deepest pair of pieces is at least as deep as that of balls.
            assert!(widen_real(near.distance) <= truth + error, "{values}");
            assert_eq!((near.contact, met.contact), (Contact::Overlapping, Contact::Overlapping), "{values}");
        }
    }
    truth
}

fn field(rng: &mut Rng, columns: usize, rows: usize, scale: f64, holes: f64) -> HeightField {
    let mut height = || {
        let keep = !rng.chance(holes);
        let z = rng.uniform(-0.3, 0.3) * scale;
        keep.then_some(z as Real)
    };
    let grid: Vec<Vec<Option<Real>>> = (0..rows).map(|_| (0..columns).map(|_| height()).collect()).collect();
    HeightField::with_holes(&grid, [(0.4 * scale) as Real, (0.3 * scale) as Real]).unwrap()
}

fn cloud(rng: &mut Rng, count: usize, scale: f64, radius: f64) -> PointCloud {
    let points: Vec<Vec3> = (0..count).map(|_| real(rng.in_box(DVec3::new(1.5, 1.0, 0.5)) * scale)).collect();
    PointCloud::new(&points, (radius * scale) as Real).unwrap()
}

fn lump(rng: &mut Rng, scale: f64) -> Polyhedron {
    Polyhedron::star(1, |_| scale * (0.8 + rng.uniform(-0.3, 0.3)))
}

/// One body of each kind that has an oracle.
fn others(rng: &mut Rng, scale: f64) -> Vec<Body> {
    let s = scale as Real;
    let cube = Body::from(Polytope::cuboid([0.5 * s, 0.3 * s, 0.7 * s]).unwrap());
    let ball = Body::from(Shape::sphere(0.4 * s).unwrap());
    let at = |x: Real, y: Real| Pose::from_translation([x * s, y * s, 0.1 * s]).unwrap();
    let solid = Body::from(mesh(&lump(rng, scale)));
    let parts = [(cube.clone(), at(-0.8, 0.2)), (ball.clone(), at(0.9, 0.0)), (solid.clone(), at(0.0, 1.0))];
    let surface = Body::from(mesh(&Polyhedron::soup(rng, 30, 1.2 * scale)));
    vec![cube, ball, solid, Compound::new(parts).unwrap().into(), surface]
}

/// Fields and clouds of several kinds.
fn fields(rng: &mut Rng, scale: f64) -> Vec<Body> {
    let solid = field(rng, 8, 7, scale, 0.0);
    vec![
        solid.into(),
        field(rng, 9, 6, scale, 0.2).into(),
        field(rng, 2, 2, scale, 0.0).into(),
        field(rng, 2, 23, 0.4 * scale, 0.05).into(),
        cloud(rng, 60, scale, 0.05).into(),
        cloud(rng, 17, scale, 0.0).into(),
        cloud(rng, 1, scale, 0.3).into(),
    ]
}

#[test]
fn random_pairs_match_brute_force() {
    let mut rng = Rng::new(5);
    let mut hits = HitRate::new("pairs that meet");
    for _ in 0..30 {
        let fields = fields(&mut rng, 1.0);
        let mut all = others(&mut rng, 1.0);
        all.extend(fields.iter().cloned());
        for a in &fields {
            for b in &all {
                let pose_a = pose(&mut rng, DVec3::ZERO);
                let away = rng.unit_vector() * rng.uniform(0.0, 3.5);
                let middle = to_world(&pose_a, a.aabb(&Pose::IDENTITY).center());
                let pose_b = pose(&mut rng, middle + away);
                let truth = if rng.chance(0.5) { check(a, &pose_a, b, &pose_b) } else { check(b, &pose_b, a, &pose_a) };
                hits.record(truth <= 0.0);
            }
        }
    }
    hits.assert_between(0.15, 0.6);
}

#[test]
fn scales_and_places_make_no_difference() {
    let mut rng = Rng::new(6);
    let mut hits = HitRate::new("pairs that meet");
    for scale in [1.0 / 1048576.0, 1.0 / 1024.0, 1.0, 1024.0, 1048576.0] {
        for far in [0.0, 100.0] {
            let fields = fields(&mut rng, scale);
            let all = others(&mut rng, scale);
            let place = rng.unit_vector() * far * scale;
            for a in &fields {
                for b in all.iter().chain(&fields) {
                    let pose_a = pose(&mut rng, place);
                    let middle = to_world(&pose_a, a.aabb(&Pose::IDENTITY).center());
                    let away = rng.unit_vector() * rng.uniform(0.0, 3.0) * scale;
                    let pose_b = pose(&mut rng, middle + away);
                    hits.record(check(a, &pose_a, b, &pose_b) <= 0.0);
                }
            }
        }
    }
    hits.assert_between(0.15, 0.6);
}

/// Pairs that are moved along their normal to where they touch, a little apart and a little into each other.
#[test]
fn touching_pairs_are_touching() {
    let mut rng = Rng::new(7);
    let mut touching = HitRate::new("pairs that touch");
    for _ in 0..12 {
        let fields = fields(&mut rng, 1.0);
        let all = others(&mut rng, 1.0);
        for a in &fields {
            for (k, b) in all.iter().chain(&fields).enumerate() {
                let away = rng.unit_vector() * 6.0;
                let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, away));
                let near = closest(a, &pose_a, b, &pose_b, &mut BodyCache::default());
                let error = sigma(pair_size(a, &pose_a, b, &pose_b) as Real);
                for gap in [0.0, 1.0e2, 1.0e3, -1.0e2, -1.0e3] {
                    let gap = gap * error;
                    let moved = pose_b.translation() - near.normal * (near.distance - gap);
                    let there = pose_b.with_translation(moved).unwrap();
                    let now = closest(a, &pose_a, b, &there, &mut BodyCache::default());
                    let met = overlap(a, &pose_a, b, &there, &mut BodyCache::default());
                    // The points that were nearest are so far apart now; points and surfaces may have passed each other.
                    assert!(now.lower <= gap.abs() + 16.0 * error, "{gap} {now:?}");
                    if gap > 0.0 {
                        assert_eq!((now.contact, met.contact), (Contact::Apart, Contact::Apart), "{gap} {now:?}");
                        assert!((now.distance - gap).abs() <= 0.02 * gap + 16.0 * error, "{gap} {now:?}");
                    } else {
                        // Points and surfaces pass each other; a point of the other one that is drawn into a box or a ball stays in it.
                        if k < 2 || gap == 0.0 {
                            assert!(now.distance <= 16.0 * error, "{gap} {now:?}");
                        }
                        if k < 2 && gap < 0.0 {
                            assert_ne!(met.contact, Contact::Apart, "{gap} {now:?} {met:?}");
                        }
                        touching.record(gap == 0.0 && now.distance.abs() <= 16.0 * error);
                    }
                }
            }
        }
    }
    touching.assert_between(0.3, 0.4);
}

/// All inside of a solid mesh, away from its surface: they overlap, and the depth is that of the deepest point asked.
#[test]
fn what_is_inside_a_solid_overlaps() {
    let mut rng = Rng::new(8);
    let hull = Body::from(mesh(&Polyhedron::sphere(20.0, 3)));
    let surface = Body::from(
        meshes::build(
            &Polyhedron::sphere(20.0, 3),
            &clearance::MeshOptions { kind: clearance::shape::mesh::Kind::Surface, ..Default::default() },
        )
        .unwrap(),
    );
    for body in fields(&mut rng, 1.0) {
        let place = pose(&mut rng, DVec3::new(1.0, 2.0, 3.0));
        for (a, pose_a, b, pose_b) in [(&hull, &Pose::IDENTITY, &body, &place), (&body, &place, &hull, &Pose::IDENTITY)]
        {
            let near = closest(a, pose_a, b, pose_b, &mut BodyCache::default());
            let met = overlap(a, pose_a, b, pose_b, &mut BodyCache::default());
            assert_eq!((near.contact, met.contact), (Contact::Overlapping, Contact::Overlapping), "{near:?}");
            assert!(near.distance < -12.0 && near.lower <= near.distance, "{near:?}");
            assert!(within(a, pose_a, b, pose_b, 0.0).within);
            let Witness::Point(point) = met.witness else { panic!("{met:?}") };
            assert!(widen(point).length() < 8.0, "{met:?}");
            // Moved along the normal by the depth, the deepest point is out.
            let [p, q] = near.points.map(widen);
            assert!((q - p - widen(near.normal) * widen_real(near.distance)).length() < 1e-4);
        }
        let apart = closest(&surface, &Pose::IDENTITY, &body, &place, &mut BodyCache::default());
        assert_eq!(apart.contact, Contact::Apart);
        assert!(apart.distance > 10.0);
    }
}

/// Half-spaces: the height of the lowest vertex, on both sides of zero, whatever the body.
#[test]
fn half_spaces_match_the_lowest_vertex() {
    let mut rng = Rng::new(9);
    let mut below = HitRate::new("bodies below the plane");
    for round in 0..60 {
        let mut all = others(&mut rng, 1.0);
        all.extend(fields(&mut rng, 1.0));
        let far = if round % 3 == 0 { 1000.0 } else { 0.0 };
        let place = rng.unit_vector() * far;
        for body in &all {
            let normal = rng.unit_vector() * rng.uniform(0.5, 2.0);
            let floor = HalfSpace::new(real(normal), rng.uniform(-1.0, 1.0) as Real).unwrap();
            let away = rng.unit_vector() * rng.uniform(0.0, 4.0);
            let (pose_f, pose_b) = (pose(&mut rng, place), pose(&mut rng, place + away));
            let soup = Soup::of(body, &pose_b);
            let up = to_world(&pose_f, floor.normal()) - widen(pose_f.translation());
            let height = |p: DVec3| up.dot(p - widen(pose_f.translation())) - widen_real(floor.offset());
            let corners = soup.triangles.iter().flatten().map(|&p| height(p));
            let truth = corners.chain(soup.balls.iter().map(|&(p, r)| height(p) - r)).fold(f64::INFINITY, f64::min);
            let floor = Body::from(floor);
            let near = closest(&floor, &pose_f, body, &pose_b, &mut BodyCache::default());
            let met = overlap(&floor, &pose_f, body, &pose_b, &mut BodyCache::default());
            let error = AGREEMENT * 10.0 + far * if cfg!(single_precision) { 1e-6 } else { 1e-14 };
            assert!((widen_real(near.distance) - truth).abs() <= error, "{truth} {near:?}");
            assert!(widen_real(near.lower) <= truth + error && truth <= widen_real(near.upper) + error);
            assert!(near.upper - near.lower < 1e-2 as Real);
            if truth.abs() > 16.0 * error {
                let contact = if below.record(truth < 0.0) { Contact::Overlapping } else { Contact::Apart };
                assert_eq!((near.contact, met.contact), (contact, contact));
            }
            match met.witness {
                Witness::Point(p) => assert!(height(widen(p)) <= error && truth <= 16.0 * error),
                Witness::Plane { normal, offset_a, offset_b } => {
                    assert!((widen(normal) - up).length() < 1e-6 && offset_a < offset_b);
                }
                other => panic!("{other:?}"),
            }
            let swapped = closest(body, &pose_b, &floor, &pose_f, &mut BodyCache::default());
            assert_eq!((swapped.distance, swapped.normal), (near.distance, -near.normal));
            assert_eq!(swapped.points, [near.points[1], near.points[0]]);
            for share in [-1.0, 0.5, 2.0] {
                let asked = (truth + share * truth.abs().max(0.1)) as Real;
                assert_eq!(within(&floor, &pose_f, body, &pose_b, asked).within, share > 0.0);
            }
        }
    }
    below.assert_between(0.2, 0.8);
}

#[test]
fn two_half_spaces_are_opposite_or_without_end() {
    let floor = Body::from(HalfSpace::new(Vec3::Z, 1.0).unwrap());
    let ceiling = Body::from(HalfSpace::new(-Vec3::Z, -3.0).unwrap());
    let slope = Body::from(HalfSpace::new(Vec3::new(1.0, 0.0, 1.0), 0.0).unwrap());
    let ask = |a: &Body, b: &Body| closest(a, &Pose::IDENTITY, b, &Pose::IDENTITY, &mut BodyCache::default());
    let near = ask(&floor, &ceiling);
    assert_eq!((near.distance, near.contact), (2.0, Contact::Apart));
    let turned = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
    let near = closest(&floor, &turned, &ceiling, &turned, &mut BodyCache::default());
    assert!((near.distance - 2.0).abs() < 1e-5);
    for (a, b) in [(&floor, &slope), (&floor, &floor), (&ceiling, &slope)] {
        let near = ask(a, b);
        assert_eq!((near.distance, near.contact), (Real::NEG_INFINITY, Contact::Overlapping));
        let met = overlap(a, &Pose::IDENTITY, b, &Pose::IDENTITY, &mut BodyCache::default());
        let Witness::Point(p) = met.witness else { panic!("{met:?}") };
        for body in [a, b] {
            let Body::HalfSpace(half_space) = body else { panic!() };
            assert!(half_space.signed_distance(p) <= 1e-5 as Real, "{p}");
        }
        assert!(within(a, &Pose::IDENTITY, b, &Pose::IDENTITY, -5.0).within);
    }
}

/// The pieces of a body as shapes in its frame.
fn pieces(body: &Body) -> Vec<Shape> {
    match body {
        Body::HeightField(field) => {
            let cells = 2 * (field.columns() - 1) * (field.rows() - 1);
            (0..cells).filter_map(|t| field.triangle(t)).map(|t| Shape::triangle(t).unwrap()).collect()
        }
        Body::PointCloud(cloud) => {
            let ball = |p: Vec3| {
                let shape = if cloud.radius() > 0.0 { Shape::sphere(cloud.radius()).unwrap() } else { Shape::point() };
                shape.posed(Pose::from_translation(p).unwrap())
            };
            cloud.points().map(|(_, p)| ball(p)).collect()
        }
        Body::Convex(shape) => vec![shape.clone()],
        other => panic!("{other:?}"),
    }
}

/// Contact ranges against all pairs of pieces; and with a half-space against the lowest point.
#[test]
fn contact_ranges_match_all_pairs() {
    let mut rng = Rng::new(12);
    let mut hits = HitRate::new("pairs that meet on the way");
    for _ in 0..6 {
        let fields = fields(&mut rng, 1.0);
        let shapes = [Polytope::cuboid([0.5, 0.3, 0.7]).unwrap().into(), Shape::sphere(0.4).unwrap()].map(Body::from);
        for a in &fields {
            for b in shapes.iter().chain(&fields[3..]) {
                let away = rng.unit_vector() * rng.uniform(0.0, 4.0);
                let (pose_a, pose_b) = (pose(&mut rng, DVec3::ZERO), pose(&mut rng, away));
                let d = real(rng.unit_vector());
                let ask = |a: &Shape, b: &Shape| {
                    clearance::contact_range(a, &pose_a, b, &pose_b, d, &mut Cache::default()).unwrap()
                };
                let (mut lo, mut hi) = (Real::INFINITY, Real::NEG_INFINITY);
                for (p, q) in pieces(a).iter().flat_map(|p| pieces(b).into_iter().map(move |q| (p.clone(), q))) {
                    if let Some(range) = ask(&p, &q) {
                        (lo, hi) = (lo.min(range.lo()), hi.max(range.hi()));
                    }
                }
                let found = clearance::contact_range(a, &pose_a, b, &pose_b, d, &mut Cache::default()).unwrap();
                match found {
                    Some(range) => {
                        assert!(
                            (range.lo() - lo).abs() < 1e-4 && (range.hi() - hi).abs() < 1e-4,
                            "{lo} {hi} {range:?}"
                        );
                    }
                    None => assert!(lo > hi),
                }
                hits.record(found.is_some());
                let floor = HalfSpace::new(real(rng.unit_vector()), 0.3).unwrap();
                for (first, second, sign) in
                    [(Body::from(floor), a.clone(), 1.0 as Real), (a.clone(), Body::from(floor), -1.0)]
                {
                    let range = clearance::contact_range(&first, &pose_b, &second, &pose_b, d, &mut Cache::default());
                    let range = range.unwrap().unwrap();
                    let finite = range.ends.into_iter().find(|end| end.at.is_finite()).unwrap();
                    // Nearly along the plane the contact is far away.
                    if finite.at.abs() > 50.0 {
                        continue;
                    }
                    let moved = pose_b.with_translation(pose_b.translation() + d * finite.at).unwrap();
                    let near = clearance::closest(&first, &pose_b, &second, &moved, &mut Cache::default());
                    assert!(near.distance.abs() < 1e-4, "{sign} {range:?} {near:?}");
                    let beyond = if range.lo().is_finite() { 1.0 } else { -1.0 };
                    let moved = pose_b.with_translation(pose_b.translation() + d * (finite.at + beyond)).unwrap();
                    let near = clearance::closest(&first, &pose_b, &second, &moved, &mut Cache::default());
                    assert_eq!(near.contact, Contact::Overlapping, "{range:?}");
                    let [p, q] = finite.points;
                    assert!((q + d * finite.at - p).length() < 1e-4);
                }
            }
        }
    }
    hits.assert_between(0.2, 0.9);
}

/// A large cloud against brute force over its points; a large field against brute force over its triangles.
#[test]
fn large_clouds_and_fields_match_brute_force() {
    let mut rng = Rng::new(10);
    let many = cloud(&mut rng, 100_000, 1.0, 0.001);
    let wide = field(&mut rng, 200, 150, 1.0, 0.01);
    assert!(many.memory_bytes() < 100_000 * 60 && wide.memory_bytes() < 200 * 150 * 20);
    let ball = Shape::sphere(0.1).unwrap();
    let (many, wide, ball) = (Body::from(many), Body::from(wide), Body::from(ball));
    for body in [&many, &wide] {
        let bounds = body.aabb(&Pose::IDENTITY);
        for _ in 0..8 {
            let at = widen(bounds.min) + (widen(bounds.max) - widen(bounds.min)) * rng.in_box(DVec3::ONE).abs();
            let place = Pose::from_translation(real(at + DVec3::Z * rng.uniform(0.0, 2.0))).unwrap();
            check(body, &Pose::IDENTITY, &ball, &place);
        }
    }
}

/// Supports, boxes and radii against all vertices.
#[test]
fn extents_match_all_vertices() {
    let mut rng = Rng::new(11);
    for _ in 0..40 {
        for body in fields(&mut rng, 1.0) {
            let place = pose(&mut rng, DVec3::new(1.0, -2.0, 3.0));
            let soup = Soup::of(&body, &place);
            let tips = |d: DVec3| {
                let of_balls = soup.balls.iter().map(move |&(p, r)| d.dot(p) + r);
                soup.triangles
                    .iter()
                    .flatten()
                    .map(move |&p| d.dot(p))
                    .chain(of_balls)
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let bounds = body.aabb(&place);
            for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                assert!((widen_real(bounds.max[axis]) - tips(unit)).abs() < 100.0 * AGREEMENT);
                assert!((widen_real(bounds.min[axis]) + tips(-unit)).abs() < 100.0 * AGREEMENT);
            }
            let d = rng.unit_vector();
            let local = place.direction_to_local(real(d));
            let found = d.dot(to_world(&place, body.support(local)));
            assert!((found - tips(d)).abs() < 100.0 * AGREEMENT);
            let own = Soup::of(&body, &Pose::IDENTITY);
            let reach = own.triangles.iter().flatten().map(|p| p.length());
            let reach = reach.chain(own.balls.iter().map(|(p, r)| p.length() + r)).fold(0.0, f64::max);
            assert!((widen_real(body.bounding_radius()) - reach).abs() < 10.0 * AGREEMENT);
        }
    }
}

/// Bodies move between threads.
#[test]
fn bodies_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<HeightField>();
    shared::<PointCloud>();
    shared::<HalfSpace>();
}
