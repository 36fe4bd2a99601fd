//! Cases of the hunt: two bodies with poses and a question, made from a seed and a number alone; and smaller ones like them.

use clearance_testkit::{PairFamily, Rng};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::solid::{Place, Solid, composed, convex_hull, curved, field, mesh};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verb {
    /// `closest`, `distance` and `overlap` of the pair.
    Closest,
    /// `within` at a distance.
    Within(f64),
    Manifold,
    /// `closest` with the cache of another pair.
    Warm,
    /// `cast` along a translation of B.
    Cast(DVec3),
    /// `time_of_impact` of B that moves by the first and turns about its origin by the second, and A that turns by the third.
    Turn([DVec3; 3]),
    /// `cast_ray` against A, from a point along a direction.
    Ray([DVec3; 2]),
    /// `project` of a point on A.
    Project(DVec3),
    /// `contact_range` along a direction.
    Range(DVec3),
    /// `push_out` of B.
    PushOut,
    /// `slide` of B along a translation.
    Slide(DVec3),
    /// `contacts` within a distance.
    Contacts(f64),
}

/// Two bodies and a question.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) solids: [Solid; 2],
    pub(crate) places: [Place; 2],
    pub(crate) verb: Verb,
    /// Move B so that the bodies are as far apart as this, relative to their sizes, before the question.
    pub(crate) touching: Option<f64>,
    pub(crate) number: u64,
}

impl Case {
    /// The question as `clearance query` reads it.
    pub(crate) fn json(&self) -> Value {
        let mut line = json!({
            "op": "closest", "a": self.solids[0].json(), "b": self.solids[1].json(),
            "pose_a": self.places[0].json(), "pose_b": self.places[1].json(),
        });
        match self.verb {
            Verb::Closest | Verb::Warm => {}
            Verb::Within(distance) => {
                line["op"] = json!("within");
                line["distance"] = json!(distance);
            }
            Verb::Manifold => line["op"] = json!("manifold"),
            Verb::Cast(by) => {
                line["op"] = json!("cast");
                line["translation"] = json!(by.to_array());
            }
            Verb::Turn([linear, angular, other]) => {
                line["op"] = json!("time_of_impact");
                line["motion_a"] = json!({"linear": [0, 0, 0], "angular": other.to_array()});
                line["motion_b"] = json!({"linear": linear.to_array(), "angular": angular.to_array()});
            }
            Verb::Ray([origin, direction]) => {
                line["op"] = json!("ray");
                line["origin"] = json!(origin.to_array());
                line["direction"] = json!(direction.to_array());
            }
            Verb::Project(point) => {
                line["op"] = json!("project");
                line["point"] = json!(point.to_array());
            }
            Verb::Range(direction) => {
                line["op"] = json!("range");
                line["direction"] = json!(direction.to_array());
            }
            Verb::PushOut => line["op"] = json!("push_out"),
            Verb::Slide(by) => {
                line["op"] = json!("slide");
                line["obstacles"] = json!([{"shape": line["a"].take(), "pose": line["pose_a"].take()}]);
                line["translation"] = json!(by.to_array());
                if let Some(fields) = line.as_object_mut() {
                    fields.retain(|_, value| !value.is_null());
                }
            }
            Verb::Contacts(distance) => {
                line["op"] = json!("contacts");
                line["distance"] = json!(distance);
            }
        }
        line
    }

    /// Cases that are simpler in one thing.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for side in 0..2 {
            for solid in self.solids[side].simpler() {
                let mut case = self.clone();
                case.solids[side] = solid;
                found.push(case);
            }
            if self.places[side].rotation != DQuat::IDENTITY {
                let mut case = self.clone();
                case.places[side].rotation = DQuat::IDENTITY;
                found.push(case);
            }
        }
        if self.places[0].at != DVec3::ZERO {
            let mut case = self.clone();
            case.places[1].at -= case.places[0].at;
            case.places[0].at = DVec3::ZERO;
            found.push(case);
        }
        found
    }
}

/// Families of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Family {
    Hulls(PairFamily),
    /// Plates and needles down to a millionth of their length, at a slab.
    Thin,
    /// Curved and rounded bodies anywhere.
    Curved,
    /// Bodies of revolution about one axis, or about parallel ones.
    Aligned,
    /// Closed surfaces of any shape.
    Meshes,
    /// Height fields, point clouds and half-spaces against convex bodies.
    Fields,
    /// Flat, tapered and combined shapes, compounds, and what is padded, against each other and others.
    Composed,
}

pub(crate) const FAMILIES: [Family; 13] = [
    Family::Hulls(PairFamily::Random),
    Family::Hulls(PairFamily::ParallelFaces),
    Family::Hulls(PairFamily::CoincidentVertices),
    Family::Hulls(PairFamily::Needles),
    Family::Hulls(PairFamily::Inside),
    Family::Hulls(PairFamily::FarFromOrigin),
    Family::Hulls(PairFamily::Scales),
    Family::Thin,
    Family::Curved,
    Family::Aligned,
    Family::Meshes,
    Family::Fields,
    Family::Composed,
];

impl Family {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hulls(family) => family.name(),
            Self::Thin => "thin",
            Self::Curved => "curved",
            Self::Aligned => "aligned",
            Self::Meshes => "meshes",
            Self::Fields => "fields",
            Self::Composed => "composed",
        }
    }

    /// How many of its cases are asked for one of every family.
    pub(crate) fn share(self) -> u64 {
        match self {
            Self::Meshes | Self::Fields => 1,
            Self::Composed => 4,
            _ => 16,
        }
    }

    /// The case of a number.
    pub(crate) fn case(self, seed: u64, number: u64) -> Case {
        let place = FAMILIES.iter().position(|family| *family == self).unwrap_or(0) as u64;
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place.wrapping_mul(0xd1b5_4a32_d192_ed03);
        let mut rng = Rng::new((mixed ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ number >> 7);
        let (solids, places) = self.pair(&mut rng);
        let verb = verb(&mut rng, number, &places);
        let touching =
            rng.chance(0.25).then(|| if rng.chance(0.3) { 0.0 } else { rng.sign() * rng.log_uniform(1e-17, 1e-3) });
        Case {
            solids,
            places,
            verb,
            touching: touching
                .filter(|_| !matches!(verb, Verb::Cast(_) | Verb::Turn(_) | Verb::Range(_) | Verb::Slide(_))),
            number,
        }
    }

    fn pair(self, rng: &mut Rng) -> ([Solid; 2], [Place; 2]) {
        let anywhere = |rng: &mut Rng| Place { rotation: rng.rotation(), at: rng.in_ball(2.0) };
        match self {
            Self::Hulls(family) => {
                let case = family.generate(rng);
                let place = |(rotation, at)| Place { rotation, at };
                ([Solid::Hull(case.a), Solid::Hull(case.b)], [place(case.pose_a), place(case.pose_b)])
            }
            Self::Thin => {
                let thin = rng.log_uniform(1e-6, 1e-2);
                let narrow = rng.log_uniform(thin, 1.0);
                let count = 8 + rng.index(8);
                let corners = (0..count).map(|_| rng.in_box(DVec3::new(1.0, narrow, thin))).collect();
                let slab = Solid::Cuboid(DVec3::new(1.0, rng.log_uniform(1e-3, 1.0), rng.log_uniform(1e-4, 1.0)));
                let mut places = [anywhere(rng), anywhere(rng)];
                places[0].at *= 0.3;
                ([Solid::Hull(corners), slab], places)
            }
            Self::Curved => {
                let solids = [curved(rng), curved(rng)];
                (solids, [anywhere(rng), anywhere(rng)])
            }
            Self::Aligned => {
                let solids = [curved(rng), curved(rng)];
                let turn = if rng.chance(0.5) { DQuat::IDENTITY } else { rng.rotation() };
                let other = if rng.chance(0.5) { turn } else { turn * DQuat::from_rotation_x(std::f64::consts::PI) };
                let (along, across) = (rng.uniform(-2.0, 2.0), rng.uniform(0.0, 2.0));
                let along = if rng.chance(0.2) { 0.0 } else { along };
                let across = if rng.chance(0.5) { 0.0 } else { across };
                let at = turn * DVec3::new(across, 0.0, along);
                (solids, [Place { rotation: turn, at: DVec3::ZERO }, Place { rotation: other, at }])
            }
            Self::Meshes => {
                let solids = [mesh(rng), if rng.chance(0.5) { mesh(rng) } else { curved(rng) }];
                (solids, [anywhere(rng), anywhere(rng)])
            }
            Self::Fields => {
                let other = if rng.chance(0.5) { curved(rng) } else { convex_hull(rng) };
                ([field(rng), other], [anywhere(rng), anywhere(rng)])
            }
            Self::Composed => {
                let of = [composed, composed, curved, mesh, convex_hull];
                let solids = [composed(rng), of[rng.index(of.len())](rng)];
                (solids, [anywhere(rng), anywhere(rng)])
            }
        }
    }
}

/// The question of a number: nearly half of them are distances and booleans.
fn verb(rng: &mut Rng, number: u64, places: &[Place; 2]) -> Verb {
    let towards = (places[0].at - places[1].at) * rng.uniform(0.5, 1.5) + rng.in_ball(1.0);
    match number % 20 {
        0..6 => Verb::Closest,
        6..8 => Verb::Within(rng.log_uniform(1e-6, 2.0)),
        8..10 => Verb::Manifold,
        10..12 => Verb::Warm,
        12 => Verb::Cast(towards),
        13 => Verb::Turn([towards, rng.in_ball(2.0), rng.in_ball(2.0)]),
        14 => {
            let origin = places[0].at + rng.in_ball(3.0);
            Verb::Ray([origin, places[0].at - origin + rng.in_ball(0.6)])
        }
        15 => Verb::Project(places[0].at + rng.in_ball(2.0)),
        16 => Verb::Range(rng.unit_vector() * rng.log_uniform(0.1, 10.0) + towards),
        17 => Verb::PushOut,
        18 => Verb::Slide(towards),
        _ => Verb::Contacts(rng.log_uniform(1e-3, 1.0)),
    }
}
