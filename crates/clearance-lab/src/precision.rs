//! The two precisions of the library and of its rival, parry, under one trait, so that each experiment is written once.
//!
//! The rival has no ellipsoid: it gets one through its support trait, and pairs with one go to its generic algorithms, with
//! the types known to the compiler; all others go through its public queries. Its cone lies along y about its middle, ours
//! along z about its centroid; the difference is in the pose it gets, worked out before any clock runs.

use clearance_testkit::Solid;
use glam::{DMat3, DVec3};

use crate::Failure;
use crate::workload::{Placement, Recipe};

/// A boolean answer of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) overlap: bool,
    /// The normal of the separating plane.
    pub(crate) normal: Option<DVec3>,
    pub(crate) end: End,
    pub(crate) supports: u32,
}

/// A signed distance of the library, in f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) distance: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) normal: DVec3,
    pub(crate) end: End,
    pub(crate) supports: u32,
}

/// How good the library states a signed distance to be: relative to the distance of the cores for curved bodies, and a few
/// errors of a support for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    /// How far apart the bounds may be.
    pub(crate) width: f64,
    /// How far the gap along the normal may fall outside of the bounds. The plane that proves a bound is the best one seen; the
    /// last one may be worse by the relative gap of a distance, or by a few errors.
    pub(crate) gap: f64,
}

/// Errors of a support by which a gap may be off: two supports and two poses.
pub(crate) const GAP_SIGMAS: f64 = 8.0;

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Converged,
    Limit,
    Degenerate,
}

/// A precision: the library and the rival in it.
pub(crate) trait Precision: Sized {
    /// As it is shown in tables.
    const NAME: &'static str;
    /// Half the spacing of the floats above one.
    const ROUNDOFF: f64;
    type Shape;
    type Pose: Copy;
    type Cache: Default;
    type Overlap;
    type Closest;
    type Rival;
    type RivalPose: Copy;
    type RivalPoints;
    type RivalContact;

    fn shape(recipe: &Recipe) -> Result<Self::Shape, Failure>;
    fn pose(placement: &Placement) -> Result<Self::Pose, Failure>;
    fn overlap(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2], cache: &mut Self::Cache) -> Self::Overlap;
    fn closest(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2], cache: &mut Self::Cache) -> Self::Closest;
    /// The distance only: nothing if the cores meet.
    fn distance(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2], cache: &mut Self::Cache) -> Option<Self::Closest>;
    /// SA-GJK alone.
    fn sa_gjk(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> Self::Overlap;
    /// GJK's distance alone, by Voronoi regions or by Johnson's determinants; the number of supports if the cores meet.
    fn gjk(johnson: bool, bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> Result<Self::Closest, u32>;
    /// SA-GJK and the expanding polytope alone; the boolean of bodies that are apart.
    fn epa(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> Result<Self::Closest, Self::Overlap>;
    /// Portal refinement alone: the boolean.
    fn mpr_overlap(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> Self::Overlap;
    /// Portal refinement alone: an estimate of the depth from above; a gap of bodies that are apart.
    fn mpr_depth(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> Self::Closest;
    fn hit(answer: &Self::Overlap) -> Hit;
    fn near(answer: &Self::Closest) -> Near;
    /// The free space between the bodies along a unit vector; the signed distance is never less.
    fn gap(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2], normal: DVec3) -> f64;
    /// Reach of both bodies and their distance: what tolerances are relative to.
    fn size(bodies: [&Self::Shape; 2], poses: &[Self::Pose; 2]) -> f64;
    /// The error that the library allows a support of a pair of that size.
    fn sigma(size: f64) -> f64;
    /// What the library states about a signed distance of bodies of that size.
    fn stated(bodies: [&Self::Shape; 2], size: f64, distance: f64) -> Stated;

    /// What a batch asks of the pairs of two bodies by one of the versions of the lanes that this processor has, the narrowest first.
    fn batch_overlap(
        version: usize,
        bodies: [&Self::Shape; 2],
        at: &Self::Pose,
        poses: &[Self::Pose],
    ) -> Vec<Self::Overlap>;
    fn batch_distance(
        version: usize,
        bodies: [&Self::Shape; 2],
        at: &Self::Pose,
        poses: &[Self::Pose],
    ) -> Vec<Option<Self::Closest>>;
    fn batch_closest(
        version: usize,
        bodies: [&Self::Shape; 2],
        at: &Self::Pose,
        poses: &[Self::Pose],
    ) -> Vec<Self::Closest>;

    fn rival(recipe: &Recipe) -> Result<Self::Rival, Failure>;
    fn rival_pose(rival: &Self::Rival, pose: &Self::Pose) -> Self::RivalPose;
    fn rival_overlap(bodies: [&Self::Rival; 2], poses: &[Self::RivalPose; 2]) -> bool;
    fn rival_closest(bodies: [&Self::Rival; 2], poses: &[Self::RivalPose; 2]) -> Option<Self::RivalPoints>;
    fn rival_contact(bodies: [&Self::Rival; 2], poses: &[Self::RivalPose; 2]) -> Option<Self::RivalContact>;
    /// The distance that the rival found, zero for bodies that meet; nothing if it gave up.
    fn rival_distance(answer: &Self::RivalPoints) -> Option<f64>;
    /// The unit vector between the points that the rival found, if there is one.
    fn rival_direction(answer: &Self::RivalPoints) -> Option<DVec3>;
    /// The signed distance of a contact and its normal, out of the first body.
    fn rival_depth(answer: &Self::RivalContact) -> (f64, DVec3);

    /// The solid that a recipe with flat faces becomes in this precision, exactly.
    fn solid(recipe: &Recipe) -> Result<Solid, Failure>;
    /// The matrix and the translation of a pose, exactly.
    fn stored(pose: &Self::Pose) -> (DMat3, DVec3);
}

macro_rules! precision {
    ($module:ident, $precision:ident, $label:literal, $real:ty, $clearance:ident, $parry:ident) => {
        pub(crate) mod $module {
            use super::{DMat3, DVec3, End, Failure, Hit, Near, Placement, Precision, Recipe, Solid, Stated};
            use $clearance::batch::forced::{self, Version};
            use $clearance::math::{narrow, narrow_real, widen, widen_real};
            use $clearance::study::gjk::SubAlgorithm;
            use $clearance::study::{PairCache, epa, gjk, mpr, sa_gjk};
            use $clearance::tolerance;
            use $clearance::{
                Cache, Closest, Overlap, Polytope, Pose, Quat, Shape, Support, SupportPoint, Vec3, VertexId, Witness,
            };
            use $parry::math::{Pose as RivalPose, Rotation, Vector};
            use $parry::query::details::{
                closest_points_support_map_support_map, contact_support_map_support_map,
                intersection_test_support_map_support_map,
            };
            use $parry::query::{self, ClosestPoints, Contact};
            use $parry::shape::{Cuboid, Shape as RivalShape, SharedShape, SupportMap};

            /// The library and the rival in this precision.
            #[derive(Clone, Copy, Debug)]
            pub(crate) struct $precision;

            struct Ellipsoid(Vector);

            /// A box and a ball, added in the support mapping.
            #[derive(Debug)]
            struct SweptBox {
                half: Vec3,
                radius: $real,
            }

            impl Support for SweptBox {
                #[inline]
                fn support(&self, direction: Vec3, _: VertexId) -> SupportPoint {
                    (self.half.copysign(direction) + direction * (self.radius / direction.length())).into()
                }
            }

            impl SupportMap for Ellipsoid {
                #[inline]
                fn local_support_point(&self, direction: Vector) -> Vector {
                    let scaled = self.0 * direction;
                    let length = scaled.length();
                    if length > 0.0 { self.0 * (scaled / length) } else { Vector::X * self.0.x }
                }
            }

            enum Kind {
                Cuboid(Cuboid),
                Ellipsoid(Ellipsoid),
                Other(SharedShape),
            }

            pub(crate) struct Rival {
                kind: Kind,
                local: RivalPose,
            }

            impl Kind {
                #[inline]
                fn shape(&self) -> Option<&dyn RivalShape> {
                    match self {
                        Self::Cuboid(cuboid) => Some(cuboid),
                        Self::Ellipsoid(_) => None,
                        Self::Other(shape) => Some(&**shape),
                    }
                }
            }

            fn end(end: $clearance::End) -> End {
                match end {
                    $clearance::End::Converged => End::Converged,
                    $clearance::End::IterationLimit => End::Limit,
                    $clearance::End::Degenerate => End::Degenerate,
                }
            }

            fn reals<const N: usize>(values: [f64; N]) -> [$real; N] {
                values.map(narrow_real)
            }

            fn points(points: &[DVec3]) -> Vec<Vec3> {
                points.iter().map(|&point| narrow(point)).collect()
            }

            fn wide(v: Vector) -> DVec3 {
                DVec3::from_array(v.to_array().map(widen_real))
            }

            impl Precision for $precision {
                const NAME: &'static str = $label;
                const ROUNDOFF: f64 = <$real>::EPSILON as f64 / 2.0;
                type Shape = Shape;
                type Pose = Pose;
                type Cache = Cache;
                type Overlap = Overlap;
                type Closest = Closest;
                type Rival = Rival;
                type RivalPose = RivalPose;
                type RivalPoints = ClosestPoints;
                type RivalContact = Contact;

                fn shape(recipe: &Recipe) -> Result<Shape, Failure> {
                    Ok(match recipe {
                        Recipe::Cuboid(half) => Shape::cuboid(reals(*half))?,
                        Recipe::Ellipsoid(radii) => Shape::ellipsoid(reals(*radii))?,
                        Recipe::RoundBox(half, radius) => Shape::round_box(reals(*half), narrow_real(*radius))?,
                        Recipe::SweptBox(half, radius) => {
                            let (half, radius) = (Vec3::from_array(reals(*half)), narrow_real(*radius));
                            Shape::custom(std::sync::Arc::new(SweptBox { half, radius }))?
                        }
                        Recipe::Cone { height, radius } => Shape::cone(narrow_real(*height), narrow_real(*radius))?,
                        Recipe::Hull(cloud) => Shape::polytope(&points(cloud))?,
                    })
                }

                fn pose(placement: &Placement) -> Result<Pose, Failure> {
                    let rotation = Quat::from_array(reals(placement.rotation.to_array())).normalize();
                    Ok(Pose::new(narrow(placement.translation), rotation)?)
                }

                #[inline]
                fn overlap([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2], cache: &mut Cache) -> Overlap {
                    $clearance::overlap(a, pose_a, b, pose_b, cache)
                }

                #[inline]
                fn closest([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2], cache: &mut Cache) -> Closest {
                    $clearance::closest(a, pose_a, b, pose_b, cache)
                }

                #[inline]
                fn distance([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2], cache: &mut Cache) -> Option<Closest> {
                    $clearance::distance(a, pose_a, b, pose_b, cache)
                }

                #[inline]
                fn sa_gjk([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Overlap {
                    sa_gjk::overlap(a, pose_a, b, pose_b, &mut PairCache::default())
                }

                #[inline]
                fn gjk(johnson: bool, [a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Result<Closest, u32> {
                    let way = if johnson { SubAlgorithm::Johnson } else { SubAlgorithm::Regions };
                    gjk::distance_by(way, a, pose_a, b, pose_b, &mut PairCache::default())
                }

                #[inline]
                fn epa([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Result<Closest, Overlap> {
                    epa::depth(a, pose_a, b, pose_b, &mut PairCache::default())
                }

                #[inline]
                fn mpr_overlap([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Overlap {
                    mpr::overlap(a, pose_a, b, pose_b)
                }

                #[inline]
                fn mpr_depth([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> Closest {
                    mpr::depth(a, pose_a, b, pose_b)
                }

                fn hit(answer: &Overlap) -> Hit {
                    let normal = match answer.witness {
                        Witness::Plane { normal, .. } => Some(widen(normal)),
                        _ => None,
                    };
                    Hit { overlap: answer.overlap, normal, end: end(answer.end), supports: answer.iterations }
                }

                fn near(answer: &Closest) -> Near {
                    Near {
                        distance: widen_real(answer.distance),
                        lower: widen_real(answer.lower),
                        upper: widen_real(answer.upper),
                        normal: widen(answer.normal),
                        end: end(answer.end),
                        supports: answer.iterations,
                    }
                }

                fn gap([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2], normal: DVec3) -> f64 {
                    let normal = narrow(normal);
                    let on_a = a.support(pose_a.direction_to_local(normal), VertexId::NONE).point;
                    let on_b = b.support(-pose_b.direction_to_local(normal), VertexId::NONE).point;
                    widen(pose_b.point(on_b) - pose_a.point(on_a)).dot(widen(normal))
                }

                fn size([a, b]: [&Shape; 2], [pose_a, pose_b]: &[Pose; 2]) -> f64 {
                    let apart = (pose_b.translation() - pose_a.translation()).length();
                    widen_real(a.bounding_radius() + b.bounding_radius() + apart)
                }

                fn sigma(size: f64) -> f64 {
                    widen_real(tolerance::sigma(narrow_real(size)))
                }

                fn stated([a, b]: [&Shape; 2], size: f64, distance: f64) -> Stated {
                    let cores = distance + widen_real(a.radius() + b.radius());
                    let flat = a.core().is_polyhedral() && b.core().is_polyhedral();
                    let [near, deep] = [tolerance::STALL_SIGMAS * tolerance::RELATIVE_GAP, tolerance::COARSE_DEPTH_GAP]
                        .map(|relative| if flat { 0.0 } else { widen_real(relative) * cores.abs() });
                    // The library's own size of a pair, and so its error, may be larger by the root of three.
                    let stall = 2.0 * widen_real(tolerance::STALL_SIGMAS) * Self::sigma(size);
                    if cores > 0.0 {
                        Stated { width: near + stall, gap: near + stall }
                    } else {
                        Stated { width: deep + stall, gap: stall }
                    }
                }

                fn batch_overlap(version: usize, [a, b]: [&Shape; 2], at: &Pose, poses: &[Pose]) -> Vec<Overlap> {
                    let version = Version::all().nth(version).unwrap_or(Version::Plain);
                    forced::overlaps_by(version, a.into(), at, b.into(), poses)
                }

                fn batch_distance(
                    version: usize,
                    [a, b]: [&Shape; 2],
                    at: &Pose,
                    poses: &[Pose],
                ) -> Vec<Option<Closest>> {
                    let version = Version::all().nth(version).unwrap_or(Version::Plain);
                    forced::distances_by(version, a.into(), at, b.into(), poses)
                }

                fn batch_closest(version: usize, [a, b]: [&Shape; 2], at: &Pose, poses: &[Pose]) -> Vec<Closest> {
                    let version = Version::all().nth(version).unwrap_or(Version::Plain);
                    forced::closest_by(version, a.into(), at, b.into(), poses)
                }

                fn rival(recipe: &Recipe) -> Result<Rival, Failure> {
                    let mut local = RivalPose::identity();
                    let kind = match recipe {
                        Recipe::Cuboid(half) => Kind::Cuboid(Cuboid::new(Vector::from_array(reals(*half)))),
                        Recipe::Ellipsoid(radii) => Kind::Ellipsoid(Ellipsoid(Vector::from_array(reals(*radii)))),
                        Recipe::RoundBox(half, radius) | Recipe::SweptBox(half, radius) => {
                            let [x, y, z] = reals(*half);
                            Kind::Other(SharedShape::round_cuboid(x, y, z, narrow_real(*radius)))
                        }
                        Recipe::Cone { height, radius } => {
                            let height = narrow_real(*height);
                            local.rotation = Rotation::from_rotation_arc(Vector::Y, Vector::Z);
                            local.translation = Vector::Z * (height / 4.0);
                            Kind::Other(SharedShape::cone(height / 2.0, narrow_real(*radius)))
                        }
                        Recipe::Hull(cloud) => {
                            let cloud: Vec<Vector> =
                                cloud.iter().map(|p| Vector::from_array(reals(p.to_array()))).collect();
                            Kind::Other(SharedShape::convex_hull(&cloud).ok_or("the rival refuses the hull")?)
                        }
                    };
                    Ok(Rival { kind, local })
                }

                fn rival_pose(rival: &Rival, pose: &Pose) -> RivalPose {
                    let translation = Vector::from_array(pose.translation().to_array());
                    let rotation = Rotation::from_array(pose.rotation().to_array());
                    RivalPose::from_parts(translation, rotation) * rival.local
                }

                #[inline]
                fn rival_overlap([a, b]: [&Rival; 2], [pose_a, pose_b]: &[RivalPose; 2]) -> bool {
                    let b_in_a = || pose_a.inv_mul(pose_b);
                    match (&a.kind, &b.kind) {
                        (Kind::Ellipsoid(a), Kind::Ellipsoid(b)) => {
                            intersection_test_support_map_support_map(&b_in_a(), a, b)
                        }
                        (Kind::Cuboid(a), Kind::Ellipsoid(b)) => {
                            intersection_test_support_map_support_map(&b_in_a(), a, b)
                        }
                        (a, b) => a.shape().zip(b.shape()).is_some_and(|(a, b)| {
                            query::intersection_test(pose_a, a, pose_b, b).is_ok_and(|answer| answer.intersecting)
                        }),
                    }
                }

                #[inline]
                fn rival_closest([a, b]: [&Rival; 2], [pose_a, pose_b]: &[RivalPose; 2]) -> Option<ClosestPoints> {
                    let far = <$real>::MAX;
                    let b_in_a = || pose_a.inv_mul(pose_b);
                    let answer = match (&a.kind, &b.kind) {
                        (Kind::Ellipsoid(a), Kind::Ellipsoid(b)) => {
                            closest_points_support_map_support_map(&b_in_a(), a, b, far)
                        }
                        (Kind::Cuboid(a), Kind::Ellipsoid(b)) => {
                            closest_points_support_map_support_map(&b_in_a(), a, b, far)
                        }
                        (a, b) => return query::closest_points(pose_a, a.shape()?, pose_b, b.shape()?, far).ok(),
                    };
                    Some(answer.transform_by(pose_a, pose_b))
                }

                #[inline]
                fn rival_contact([a, b]: [&Rival; 2], [pose_a, pose_b]: &[RivalPose; 2]) -> Option<Contact> {
                    let b_in_a = || pose_a.inv_mul(pose_b);
                    let mut contact = match (&a.kind, &b.kind) {
                        (Kind::Ellipsoid(a), Kind::Ellipsoid(b)) => {
                            contact_support_map_support_map(&b_in_a(), a, b, 0.0)
                        }
                        (Kind::Cuboid(a), Kind::Ellipsoid(b)) => contact_support_map_support_map(&b_in_a(), a, b, 0.0),
                        (a, b) => return query::contact(pose_a, a.shape()?, pose_b, b.shape()?, 0.0).ok().flatten(),
                    }?;
                    contact.transform_by_mut(pose_a, pose_b);
                    Some(contact)
                }

                fn rival_distance(answer: &ClosestPoints) -> Option<f64> {
                    match answer {
                        ClosestPoints::Intersecting => Some(0.0),
                        ClosestPoints::WithinMargin(a, b) => Some(widen_real((*b - *a).length())),
                        ClosestPoints::Disjoint => None,
                    }
                }

                fn rival_direction(answer: &ClosestPoints) -> Option<DVec3> {
                    let ClosestPoints::WithinMargin(a, b) = answer else { return None };
                    wide(*b - *a).try_normalize()
                }

                fn rival_depth(answer: &Contact) -> (f64, DVec3) {
                    (widen_real(answer.dist), wide(answer.normal1).normalize_or_zero())
                }

                fn solid(recipe: &Recipe) -> Result<Solid, Failure> {
                    let polytope = Polytope::from_points(&points(&recipe.corners()))?;
                    let vertices = polytope.vertices().iter().map(|&point| widen(point)).collect();
                    let faces = (0..polytope.face_count() as u32)
                        .map(|face| polytope.face_vertices(face).map(|vertex| vertex as usize).collect());
                    Ok(Solid { vertices, faces: faces.collect() })
                }

                fn stored(pose: &Pose) -> (DMat3, DVec3) {
                    let m = pose.matrix();
                    let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
                    (matrix, widen(pose.translation()))
                }
            }
        }
    };
}

precision!(double, Double, "f64", f64, clearance, parry3d_f64);
precision!(single, Single, "f32", f32, clearance_f32, parry3d);

pub(crate) use double::Double;
pub(crate) use single::Single;
