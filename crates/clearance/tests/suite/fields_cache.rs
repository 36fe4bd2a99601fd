//! One `Cache` for height fields, point clouds and half-spaces: a warm answer is the cold one, whatever pair the cache comes from, and
//! costs less.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::meshes;
use clearance::tolerance::{COARSE_DEPTH_GAP, sigma};
use clearance::{
    Body, Cache, Compound, Contact, HalfSpace, HeightField, ManifoldOptions, PointCloud, Polytope, Pose, Real, Shape,
    Vec3, Witness, closest, contact_range, distance, manifold, overlap, within,
};
use clearance_testkit::{HitRate, Polyhedron, Rng};
use glam::{DQuat, DVec3};
use meshes::{mesh, real};

/// Waves of ground, about 8 by 8.
fn ground(i: usize, j: usize) -> f64 {
    0.3 * (i as f64 * 0.35).sin() + 0.2 * (j as f64 * 0.45 + 1.0).cos()
}

fn grounds(rng: &mut Rng) -> Vec<Body> {
    let rows: Vec<Vec<Option<Real>>> =
        (0..33).map(|j| (0..33).map(|i| (!rng.chance(0.03)).then_some(ground(i, j) as Real)).collect()).collect();
    let field = HeightField::with_holes(&rows, [0.25, 0.25]).unwrap();
    let mut point = || {
        let (i, j) = (rng.uniform(0.0, 32.0) as usize, rng.uniform(0.0, 32.0) as usize);
        Vec3::new(i as Real * 0.25, j as Real * 0.25, ground(i, j) as Real)
    };
    let points: Vec<Vec3> = (0..800).map(|_| point()).collect();
    vec![
        field.into(),
        PointCloud::new(&points, 0.05).unwrap().into(),
        HalfSpace::new(Vec3::new(0.1, -0.2, 1.0), 0.1).unwrap().into(),
    ]
}

fn movers(rng: &mut Rng) -> Vec<Body> {
    let cube = Body::from(Polytope::cuboid([0.5, 0.3, 0.7]).unwrap());
    let rock: Vec<Vec3> = (0..60).map(|_| real(rng.unit_vector() * 0.6)).collect();
    let ball = Body::from(Shape::sphere(0.4).unwrap());
    let ring = Body::from(mesh(&Polyhedron::torus(0.6, 0.25, 9, 6)));
    let at = |x: Real, y: Real| Pose::from_translation([x, y, 0.1]).unwrap();
    let parts = [(cube.clone(), at(-0.8, 0.2)), (ball.clone(), at(0.9, 0.0)), (ring.clone(), at(0.0, 1.0))];
    let rows: Vec<Vec<Real>> = (0..6).map(|j| (0..7).map(|i| -ground(2 * i, 3 * j) as Real).collect()).collect();
    vec![
        cube,
        Polytope::from_points(&rock).unwrap().into(),
        ball,
        Shape::cylinder(0.4, 0.3).unwrap().into(),
        ring,
        Compound::new(parts).unwrap().into(),
        HeightField::new(&rows, [0.2, 0.3]).unwrap().into(),
    ]
}

/// A slow path over the ground.
struct Path {
    from: DVec3,
    step: DVec3,
    axis: DVec3,
    turn: f64,
}

impl Path {
    fn new(rng: &mut Rng) -> Self {
        let from = DVec3::new(rng.uniform(2.0, 6.0), rng.uniform(2.0, 6.0), rng.uniform(-0.2, 2.0));
        let step = DVec3::new(rng.uniform(-0.02, 0.02), rng.uniform(-0.02, 0.02), rng.uniform(-0.05, 0.03));
        Self { from, step, axis: rng.unit_vector(), turn: rng.uniform(0.0, 6.0) }
    }

    fn at(&self, frame: usize) -> Pose {
        let t = frame as f64;
        let turn = DQuat::from_axis_angle(self.axis, self.turn + 0.01 * t);
        Pose::new(real(self.from + self.step * t), turn.to_array().map(|x| x as Real)).unwrap()
    }
}

/// Two bodies at their places.
type Placed<'b> = [(&'b Body, Pose); 2];

/// What two answers of the same question may differ by.
fn slack(pair: &Placed<'_>, measure: Real) -> Real {
    let [(a, pose_a), (b, pose_b)] = pair;
    let reach = |body: &Body| Some(body.bounding_radius()).filter(|r| r.is_finite()).unwrap_or(1.0);
    let size = reach(a) + reach(b) + (pose_b.translation() - pose_a.translation()).length();
    128.0 * sigma(size) + if measure < 0.0 { COARSE_DEPTH_GAP * measure.abs() } else { 0.0 }
}

/// Asks every verb with a cache and without, and compares; returns whether the bodies meet.
fn compare(pair: &Placed<'_>, cache: &mut Cache, what: &str) -> bool {
    let [(a, pose_a), (b, pose_b)] = pair;
    let cold = closest(*a, pose_a, *b, pose_b, &mut Cache::default());
    let warm = closest(*a, pose_a, *b, pose_b, cache);
    let slack = slack(pair, cold.distance);
    let values = format!("{what}\n{cold:?}\n{warm:?}");
    assert!((warm.distance - cold.distance).abs() <= slack || warm.distance == cold.distance, "{values}");
    assert!(warm.lower <= cold.upper && cold.lower <= warm.upper, "{values}");
    assert!(warm.lower <= warm.distance && warm.distance <= warm.upper, "{values}");
    assert_eq!(warm.end, cold.end, "{values}");
    let is_certain = cold.distance.abs() > 2.0 * slack;
    if is_certain {
        assert_eq!(warm.contact, cold.contact, "{values}");
        let met = overlap(*a, pose_a, *b, pose_b, cache);
        assert_eq!(met.overlap, cold.contact != Contact::Apart, "{met:?} {values}");
        let near = distance(*a, pose_a, *b, pose_b, cache).map(|near| near.distance);
        assert!(near.map_or(met.overlap, |near| (near - cold.distance).abs() <= slack), "{near:?} {values}");
    }
    for share in [0.5, 0.99, 1.01, 3.0] {
        let asked = cold.distance.abs() * share;
        if is_certain && (cold.distance * (share - 1.0)).abs() > 2.0 * slack {
            let found = within(*a, pose_a, *b, pose_b, asked, cache);
            assert_eq!(found.within, cold.distance < asked, "{share} {found:?} {values}");
            assert!(found.lower <= cold.upper && cold.lower <= found.upper + slack, "{share} {found:?} {values}");
            if let Witness::Points([p, q]) = found.witness {
                assert!((q - p).length() <= asked + slack, "{share} {found:?} {values}");
            }
        }
    }
    let options = ManifoldOptions { margin: 0.1, ..ManifoldOptions::default() };
    if is_certain && (cold.distance - 0.1).abs() > 2.0 * slack {
        let of = |cache: &mut Cache| manifold(*a, pose_a, *b, pose_b, cache, &options);
        let (new, kept) = (of(&mut Cache::default()), of(cache));
        assert_eq!(new.is_some(), kept.is_some(), "{values}");
        assert_eq!(new.is_some(), cold.distance < 0.1 && cold.distance.is_finite(), "{values}");
        if let (Some(new), Some(kept)) = (new, kept) {
            assert!((new.distance - kept.distance).abs() <= slack, "{new:?}\n{kept:?}\n{values}");
        }
    }
    let direction = Vec3::new(0.1, 0.05, -1.0);
    let of = |cache: &mut Cache| contact_range(*a, pose_a, *b, pose_b, direction, cache).unwrap();
    let (new, kept) = (of(&mut Cache::default()), of(cache));
    let lows = [new, kept].map(|range| range.map(|range| range.lo()));
    let same = |[new, kept]: [Option<Real>; 2]| match (new, kept) {
        (Some(new), Some(kept)) => new == kept || (new - kept).abs() <= 8.0 * slack,
        (new, kept) => new == kept,
    };
    assert!(same(lows), "{lows:?} {values}");
    cold.contact != Contact::Apart
}

#[test]
fn warm_answers_are_the_cold_ones() {
    let mut rng = Rng::new(41);
    let mut hits = HitRate::new("frames in which the bodies meet");
    for round in 0..4 {
        let (grounds, movers) = (grounds(&mut rng), movers(&mut rng));
        for (i, ground) in grounds.iter().enumerate() {
            for (j, mover) in movers.iter().enumerate() {
                let (path, swapped) = (Path::new(&mut rng), rng.chance(0.5));
                let mut cache = Cache::default();
                for frame in 0..12 {
                    let still = (ground, Pose::IDENTITY);
                    let moving = (mover, path.at(frame));
                    let pair = if swapped { [moving, still] } else { [still, moving] };
                    hits.record(compare(&pair, &mut cache, &format!("{round} {i} {j} {frame} {swapped}")));
                }
            }
        }
    }
    hits.assert_between(0.2, 0.8);
}

#[test]
fn a_cache_of_any_other_pair_changes_nothing() {
    let mut rng = Rng::new(42);
    let mut hits = HitRate::new("pairs that meet");
    let mut cache = Cache::default();
    for round in 0..6 {
        let mut bodies = grounds(&mut rng);
        let (count, movers) = (bodies.len(), movers(&mut rng));
        bodies.extend(movers);
        for k in 0..40 {
            let (i, j) = (rng.uniform(0.0, count as f64) as usize, rng.uniform(0.0, bodies.len() as f64) as usize);
            let other = (&bodies[j], Path::new(&mut rng).at(0));
            let pair = [(&bodies[i], Pose::IDENTITY), other];
            let [first, second] = pair;
            let pair = if rng.chance(0.5) { [second, first] } else { pair };
            // Two half-spaces have no contact points and mostly no distance.
            if !(i == 2 && j == 2) {
                hits.record(compare(&pair, &mut cache, &format!("{round} {k}: {i} {j}")));
            }
            if rng.chance(0.1) {
                cache.clear();
            }
        }
    }
    hits.assert_between(0.2, 0.8);
}

/// Pairs of leaves looked at along a path, with a new cache for every frame and with one that is kept.
fn work(ground: &Body, mover: &Body, height: f64, ask: impl Fn(&Placed<'_>, &mut Cache) -> u32) -> [u32; 2] {
    let path =
        Path { from: DVec3::new(5.3, 2.8, height), step: DVec3::new(0.004, 0.002, 0.0), axis: DVec3::Y, turn: 0.3 };
    let (mut kept, mut total) = (Cache::default(), [0; 2]);
    for frame in 0..60 {
        let pair = [(ground, Pose::IDENTITY), (mover, path.at(frame))];
        total[0] += ask(&pair, &mut Cache::default());
        total[1] += ask(&pair, &mut kept);
    }
    total
}

#[test]
fn warm_queries_look_at_fewer_leaves() {
    let mut rng = Rng::new(43);
    let (grounds, movers) = (grounds(&mut rng), movers(&mut rng));
    type Ask = (&'static str, f64, fn(&Placed<'_>, &mut Cache) -> u32);
    let asks: [Ask; 4] = [
        ("closest, apart", 1.6, |[(a, p), (b, q)], cache| closest(*a, p, *b, q, cache).iterations),
        ("overlap, meeting", 0.2, |[(a, p), (b, q)], cache| overlap(*a, p, *b, q, cache).iterations),
        ("within, apart", 1.6, |[(a, p), (b, q)], cache| within(*a, p, *b, q, 3.0, cache).iterations),
        ("within, meeting", 0.2, |[(a, p), (b, q)], cache| within(*a, p, *b, q, 0.1, cache).iterations),
    ];
    for (what, height, ask) in asks {
        let (mut cold, mut warm) = (0, 0);
        for (i, ground) in grounds[..2].iter().enumerate() {
            for (j, mover) in movers.iter().enumerate() {
                let [new, kept] = work(ground, mover, height, ask);
                println!("{what} {i} {j}: {new} with a new cache, {kept} with a kept one");
                (cold, warm) = (cold + new, warm + kept);
            }
        }
        assert!(f64::from(warm) < 0.8 * f64::from(cold), "{what}: {cold} cold, {warm} warm");
    }
}
