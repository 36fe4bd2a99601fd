//! The assembly as GLB: parts, motion, and a line for each finding.

use crate::check::Checked;
use crate::scene::Assembly;
use crate::write::{GlbPart, GlbScene, Track, glb};

/// The assembly with what was found, as GLB: clashing parts are red unless they have a colour, curves and witnesses are lines.
pub fn scene_glb(assembly: &Assembly, checked: &Checked) -> Vec<u8> {
    let mut clashes = vec![false; assembly.parts.len()];
    for finding in checked.findings.iter().filter(|finding| finding.kind.is_clash()) {
        (clashes[finding.a], clashes[finding.b]) = (true, true);
    }
    let part = |(part, clashes): (&crate::scene::Part, bool)| GlbPart {
        name: part.name.clone(),
        surface: part.geometry,
        pose: part.pose,
        colour: part.colour.or(clashes.then_some([0.8, 0.25, 0.2])),
    };
    let mut lines = Vec::new();
    for finding in &checked.findings {
        let name = format!("{} {}", finding.kind.name(), finding.id);
        lines.extend(finding.curve.iter().map(|curve| (name.clone(), curve.clone())));
        lines.extend(finding.points.filter(|[a, b]| a != b).map(|points| (name, points.to_vec())));
    }
    let tracks = assembly.timeline.iter().flat_map(|timeline| {
        let start = timeline.times.first().copied().unwrap_or(0.0);
        let length = timeline.times.last().copied().unwrap_or(1.0) - start;
        // Ten seconds for the whole motion, whatever its time is measured in.
        let times: Vec<f64> = timeline.times.iter().map(|time| 10.0 * (time - start) / length).collect();
        timeline.moving.iter().map(move |moving| Track {
            part: moving.part,
            times: times.clone(),
            poses: moving.poses.clone(),
        })
    });
    glb(&GlbScene {
        surfaces: assembly.geometry.iter().map(|geometry| &geometry.surface).collect(),
        parts: assembly.parts.iter().zip(clashes).map(part).collect(),
        lines,
        tracks: tracks.collect(),
        unit: assembly.unit,
        up: assembly.up,
    })
}
