//! The library in both precisions, as the judge of casts sees it.

use clearance_testkit::passing::Caster;
use clearance_testkit::{Building, Polyhedron};
use glam::DVec3;

use crate::Failure;

/// A precision of the library.
pub(crate) trait Library: Caster {
    /// As it is shown in tables.
    const NAME: &'static str;

    /// The solid of all brushes of a map, in this precision, and where players start.
    fn map(text: &str) -> Result<(Polyhedron, Vec<DVec3>), Failure>;

    /// The same of a building.
    fn building(building: &Building) -> Result<(Polyhedron, Vec<DVec3>), Failure> {
        Ok((Self::map(&building.map_text())?.0, building.spawns.clone()))
    }
}

macro_rules! library {
    ($module:ident, $library:ident, $label:literal, $clearance:ident) => {
        pub(crate) mod $module {
            use clearance_testkit::Polyhedron as Flat;
            use clearance_testkit::passing::{Answer, Caster, Kind, Motion, Placement, Slid};
            use glam::{DMat3, DQuat, DVec3};
            use $clearance::brush::{Faulty, Map, is_blocking, is_structural};
            use $clearance::ccd::polyhedra::{
                CastScratch, Polyhedron, Rotation, SlideEnd, TrajectoryOptions, cast_point, cast_rotation,
                cast_translation, slide,
            };
            use $clearance::math::{narrow, narrow_real, widen, widen_real};
            use $clearance::shape::mesh::Kind as MeshKind;
            use $clearance::tolerance::UNIT_ROUNDOFF;
            use $clearance::{End, Mesh, MeshOptions, Pose, Vec3};

            use crate::Failure;

            /// The library in this precision.
            pub(crate) struct $library;

            impl Caster for $library {
                type Shape = Polyhedron;
                type Pose = Pose;
                type Scratch = CastScratch;

                fn roundoff() -> f64 {
                    widen_real(UNIT_ROUNDOFF)
                }

                fn held(x: f64) -> f64 {
                    widen_real(narrow_real(x))
                }

                fn shape(polyhedron: &Flat, kind: Kind) -> Result<Polyhedron, String> {
                    let vertices: Vec<Vec3> = polyhedron.vertices.iter().map(|&v| narrow(v)).collect();
                    let mesh_kind = if kind == Kind::Room { MeshKind::Room } else { MeshKind::default() };
                    let options = MeshOptions { kind: mesh_kind, ..MeshOptions::default() };
                    let mesh = Mesh::with_options(&vertices, &polyhedron.faces, &options);
                    let mut shape = Polyhedron::from(&mesh.map_err(|error| error.to_string())?);
                    if kind == Kind::Pieces {
                        shape.hide_covered();
                    }
                    Ok(shape)
                }

                fn pose(place: DVec3, turn: DQuat) -> Pose {
                    // The judge's places are finite and its quaternions of unit length.
                    Pose::new(narrow(place), turn.to_array().map(narrow_real)).unwrap_or_default()
                }

                fn stored(pose: &Pose) -> (Placement, DQuat) {
                    let m = pose.matrix();
                    let matrix = DMat3::from_cols(widen(m.x_axis), widen(m.y_axis), widen(m.z_axis));
                    let turn = DQuat::from_array(pose.rotation().to_array().map(widen_real));
                    (Placement { matrix, translation: widen(pose.translation()) }, turn)
                }

                fn cast(
                    [world, body]: [&Polyhedron; 2],
                    [pose_w, pose_b]: [&Pose; 2],
                    motion: &Motion,
                    scratch: &mut CastScratch,
                ) -> Result<Answer<Pose>, String> {
                    let options = TrajectoryOptions::default();
                    let cast = match *motion {
                        Motion::Translation(by) => {
                            cast_translation(world, pose_w, body, pose_b, narrow(by), &options, scratch)
                        }
                        Motion::Rotation { origin, axis, angle } => {
                            let (origin, axis) = (narrow(origin), narrow(axis));
                            let rotation = Rotation { origin, axis, angle: narrow_real(angle) };
                            cast_rotation(world, pose_w, body, pose_b, rotation, &options, scratch)
                        }
                    };
                    let cast = cast.map_err(|error| error.to_string())?;
                    Ok(Answer {
                        fraction: widen_real(cast.fraction),
                        bounds: [cast.lower, cast.upper].map(widen_real),
                        normal: cast.hit.map(|hit| widen(hit.normal)),
                        pose: cast.pose,
                        overlaps: cast.overlap.is_some(),
                        zone: widen_real(cast.zone),
                        converged: cast.end == End::Converged,
                    })
                }

                fn slide(
                    [world, body]: [&Polyhedron; 2],
                    [pose_w, pose_b]: [&Pose; 2],
                    translation: DVec3,
                    scratch: &mut CastScratch,
                ) -> Result<Slid<Pose>, String> {
                    let options = TrajectoryOptions::default();
                    let slid = slide(world, pose_w, body, pose_b, narrow(translation), &options, scratch);
                    let slid = slid.map_err(|error| error.to_string())?;
                    Ok(Slid {
                        pose: slid.pose,
                        zone: widen_real(slid.zone),
                        overlaps: slid.overlap.is_some(),
                        arrived: matches!(slid.end, SlideEnd::Free | SlideEnd::Slid),
                    })
                }

                fn cast_point(world: &Polyhedron, pose: &Pose, from: DVec3, by: DVec3) -> f64 {
                    let hit = cast_point(world, pose, narrow(from), narrow(by));
                    hit.ok().flatten().map_or(1.0, |hit| widen_real(hit.fraction))
                }
            }

            impl super::Library for $library {
                const NAME: &'static str = $label;

                fn map(text: &str) -> Result<(Flat, Vec<DVec3>), Failure> {
                    let map = Map::parse(text)?;
                    let keep = |entity: &_, brush: &_| is_structural(entity) && is_blocking(brush);
                    let world = map.world_of(keep, Faulty::Skip)?;
                    let faces = (0..world.mesh.face_count() as u32).map(|face| world.mesh.face_vertices(face).to_vec());
                    let vertices = world.mesh.vertices().iter().map(|&v| widen(v)).collect();
                    let spawns = map.origins("info_player_deathmatch").collect();
                    Ok((Flat { vertices, faces: faces.collect() }, spawns))
                }
            }
        }
    };
}

library!(double, Double, "f64", clearance);
library!(single, Single, "f32", clearance_f32);
