//! A ball or a rounded body that comes upon an edge or a corner: where it stops and its normal, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic)] // a test says what it found by failing

use crate::common;
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::{Cache, CastOptions, End, Motion, Pose, Shape, cast};
use clearance_testkit::{HitRate, Rng};
use common::{held, pose_of, u};
use glam::{DQuat, DVec3};

/// Where the ball of that radius, moved from `start` along `by`, touches the x axis, and the normal there.
fn at_edge(start: DVec3, by: DVec3, radius: f64) -> Option<(f64, DVec3)> {
    let [p, d] = [start, by].map(|v| DVec3::new(0.0, v.y, v.z));
    let (a, b, c) = (d.dot(d), p.dot(d), p.dot(p) - radius * radius);
    let root = b * b - a * c;
    let at = (-b - root.max(0.0).sqrt()) / a;
    (root > 0.0 && at > 0.0).then(|| (at, (p + d * at) / radius))
}

#[test]
fn balls_stop_at_edges() {
    let mut rng = Rng::new(1210);
    let mut hits = HitRate::new("at the edge");
    let corners = [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|p| narrow(DVec3::from_array(p)));
    let triangle = Shape::triangle(corners).unwrap();
    for _ in 0..4000 {
        let radius = held(rng.uniform(0.2, 1.5));
        let ball = Shape::sphere(narrow_real(radius)).unwrap();
        let start = DVec3::new(rng.uniform(-2.0, 2.0), -rng.uniform(1.6, 6.0), rng.uniform(-1.0, 1.0) * radius);
        let by = DVec3::new(rng.uniform(-6.0, 6.0), 20.0, rng.uniform(-2.0, 2.0));
        let [start, by] = [start, by].map(|v| widen(narrow(v)));
        let motion = Motion::translation(pose_of(start, DQuat::IDENTITY), narrow(by)).unwrap();
        let stop = cast(&triangle, &Pose::IDENTITY, &ball, &motion, &mut Cache::default(), &CastOptions::default());
        let stop = stop.unwrap();
        let Some((at, normal)) = at_edge(start, by, radius).filter(|(at, normal)| {
            let place = start + by * *at;
            place.x.abs() < 2.9 && normal.y < 0.0
        }) else {
            hits.record(false);
            continue;
        };
        hits.record(true);
        let hit = stop.hit.unwrap();
        let what = format!("ball {radius} from {start} by {by}: {stop:?}, truly {at} {normal}");
        assert_eq!(stop.end, End::Converged, "{what}");
        // The nearer to passing by, the more an error of the place turns the normal and moves the stop.
        let steep = -normal.dot(by) / by.length();
        let most = 4000.0 * u() / (steep * radius);
        assert!((widen(hit.normal) - normal).length() <= most, "{what}");
        assert!((widen_real(stop.fraction) - at).abs() * by.length() <= most, "{what}");
        assert!(widen_real(stop.lower) <= at + 8.0 * u() && at <= widen_real(stop.upper) + 8.0 * u(), "{what}");
    }
    hits.assert_between(0.5, 1.0);
}
