//! `clearance describe`: what the meshes of a file are, and what is wrong with them.

use std::io::{self, Write};
use std::path::Path;

use clearance_io::{Diagnosis, Model, Repair, describe, read, repaired};
use serde_json::json;

use crate::Outcome;

/// Defects of each mesh that people are told.
const SHOWN: usize = 10;

/// Describes every mesh of a file to `output`; what is wrong with the file itself goes to `complaints`.
///
/// # Errors
/// If writing fails.
pub fn run(
    path: &Path,
    repairs: &[Repair],
    json: bool,
    output: &mut impl Write,
    complaints: &mut impl Write,
) -> io::Result<Outcome> {
    let model = match read(path) {
        Ok(model) => model,
        Err(error) => {
            writeln!(complaints, "clearance: {error}")?;
            return Ok(Outcome::BadInput);
        }
    };
    let diagnoses: Vec<Diagnosis> = model.surfaces.iter().map(describe).collect();
    if json {
        let meshes: Vec<_> = model
            .surfaces
            .iter()
            .zip(&diagnoses)
            .map(|(surface, diagnosis)| json!({"name": surface.name, "mesh": diagnosis}))
            .collect();
        let whole = json!({"file": path, "format": model.format.name(), "unit": model.unit, "up": model.up, "parts": model.parts.len(), "meshes": meshes, "notes": model.notes});
        writeln!(output, "{whole}")?;
    } else {
        for_people(path, &model, &diagnoses, output)?;
    }
    if !repairs.is_empty() && !json {
        for surface in &model.surfaces {
            match repaired(surface, repairs) {
                Ok((mesh, done)) => {
                    let what = if done.summary().is_empty() { "nothing to repair".to_owned() } else { done.summary() };
                    writeln!(
                        output,
                        "  repaired '{}': {what}; {}",
                        surface.name,
                        if mesh.is_solid() { "a solid" } else { "an open surface" }
                    )?;
                }
                Err(error) => writeln!(output, "  repaired '{}': still refused: {error}", surface.name)?,
            }
        }
    }
    let is_sound = diagnoses.iter().all(|diagnosis| diagnosis.solid && diagnosis.defect_count == 0);
    Ok(if is_sound { Outcome::Fine } else { Outcome::Found })
}

fn for_people(path: &Path, model: &Model, diagnoses: &[Diagnosis], output: &mut impl Write) -> io::Result<()> {
    let unit = model.unit.map_or("no unit stated", |unit| unit.name());
    let up = match model.up {
        Some(clearance_io::Up::Y) => "y up",
        Some(clearance_io::Up::Z) => "z up",
        None => "no up axis stated",
    };
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (meshes, parts) =
        (count(model.surfaces.len(), "mesh").replace("meshs", "meshes"), count(model.parts.len(), "part"));
    writeln!(output, "{}: {}, {meshes}, {parts}, {unit}, {up}", path.display(), model.format.name())?;
    for note in &model.notes {
        writeln!(output, "  {note}")?;
    }
    for (surface, diagnosis) in model.surfaces.iter().zip(diagnoses) {
        mesh(&surface.name, diagnosis, output)?;
    }
    Ok(())
}

fn mesh(name: &str, diagnosis: &Diagnosis, output: &mut impl Write) -> io::Result<()> {
    let Diagnosis { vertices, triangles, closed, oriented, convex, solid, holes, .. } = diagnosis;
    let yes = |flag: &bool| if *flag { "yes" } else { "no" };
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(output, "mesh '{name}': {vertices} vertices, {triangles} triangles")?;
    writeln!(
        output,
        "  closed {}, oriented {}, convex {}, solid {}, holes {holes}",
        yes(closed),
        yes(oriented),
        yes(convex),
        yes(solid)
    )?;
    if let Some([min, max]) = diagnosis.bounds {
        writeln!(output, "  from {min:?} to {max:?}, area {}", diagnosis.area)?;
    }
    if let (Some(volume), Some(centroid), Some(inertia)) = (diagnosis.volume, diagnosis.centroid, diagnosis.inertia) {
        writeln!(output, "  volume {volume}, centroid {centroid:?}")?;
        writeln!(output, "  inertia for unit density {inertia:?}")?;
    }
    if let Some(refused) = &diagnosis.refused {
        writeln!(output, "  no body can be made of it: {refused}")?;
    }
    for defect in diagnosis.defects.iter().take(SHOWN) {
        writeln!(output, "  {}", serde_json::to_string(defect).unwrap_or_default())?;
    }
    if diagnosis.defect_count > SHOWN {
        writeln!(
            output,
            "  … {} defects in all (--json lists up to {} of each kind)",
            diagnosis.defect_count,
            Diagnosis::MOST_DEFECTS
        )?;
    }
    Ok(())
}
