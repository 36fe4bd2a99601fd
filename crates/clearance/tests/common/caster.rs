//! The library of this build as the judge of casts sees it.

use clearance::ccd::polyhedra::{
    Cast, CastScratch, Polyhedron, Rotation, SlideEnd, TrajectoryOptions, cast_point, cast_rotation, cast_translation,
    slide,
};
use clearance::math::{narrow, narrow_real, widen, widen_real};
use clearance::shape::mesh::{Kind as MeshKind, MeshOptions};
use clearance::tolerance::UNIT_ROUNDOFF;
use clearance::{End, Mesh, Pose, Vec3};
use clearance_testkit::Polyhedron as Flat;
use clearance_testkit::passing::{Answer, Caster, Kind, Motion, Placement, Slid};
use glam::{DMat3, DQuat, DVec3};

pub struct Library;

pub fn answer(cast: &Cast) -> Answer<Pose> {
    Answer {
        fraction: widen_real(cast.fraction),
        bounds: [cast.lower, cast.upper].map(widen_real),
        normal: cast.hit.map(|hit| widen(hit.normal)),
        pose: cast.pose,
        overlaps: cast.overlap.is_some(),
        zone: widen_real(cast.zone),
        converged: cast.end == End::Converged,
    }
}

impl Caster for Library {
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
        let mesh = Mesh::with_options(&vertices, &polyhedron.faces, &options).map_err(|error| error.to_string())?;
        let mut shape = Polyhedron::from(&mesh);
        if kind == Kind::Pieces {
            shape.hide_covered();
        }
        Ok(shape)
    }

    fn pose(place: DVec3, turn: DQuat) -> Pose {
        super::pose_of(place, turn)
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
            Motion::Translation(by) => cast_translation(world, pose_w, body, pose_b, narrow(by), &options, scratch),
            Motion::Rotation { origin, axis, angle } => {
                let rotation = Rotation { origin: narrow(origin), axis: narrow(axis), angle: narrow_real(angle) };
                cast_rotation(world, pose_w, body, pose_b, rotation, &options, scratch)
            }
        };
        cast.map(|cast| answer(&cast)).map_err(|error| error.to_string())
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
        let hit = cast_point(world, pose, narrow(from), narrow(by)).expect("finite numbers");
        hit.map_or(1.0, |hit| widen_real(hit.fraction))
    }
}
