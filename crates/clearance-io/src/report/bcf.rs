//! BCF 3.0: a ZIP file with a topic and a viewpoint for each clash (buildingSMART's schemas, release 3.0).
//!
//! Parts have no IFC GUID; they are named by `AuthoringToolId`. Coordinates are metres with z up, as the format wants them, where the
//! scene states its unit. GUIDs are made from the findings' ids, so that the same clash is the same topic in every run.

use std::io::{Cursor, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clearance::Vec3;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::html::escaped;
use crate::check::{Checked, Finding};
use crate::model::{Unit, Up};
use crate::scene::Assembly;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The clashes as BCF 3.0; touching parts are none. `time` is when the file is made; now if none is given.
///
/// # Errors
/// If the archive cannot be written, for want of memory.
pub fn bcf(assembly: &Assembly, checked: &Checked, time: Option<SystemTime>) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut add = |name: String, text: String| {
        archive.start_file(name, options).map_err(std::io::Error::other)?;
        archive.write_all(text.as_bytes())
    };
    add("bcf.version".to_owned(), format!("{DECLARATION}<Version VersionId=\"3.0\"/>\n"))?;
    add("extensions.xml".to_owned(), extensions())?;
    let date = date(time.unwrap_or_else(SystemTime::now));
    for finding in checked.findings.iter().filter(|finding| finding.kind.is_clash()) {
        let (topic, view) = (guid(&finding.id, "topic"), guid(&finding.id, "viewpoint"));
        add(format!("{topic}/markup.bcf"), markup(assembly, finding, [&topic, &view], &date))?;
        add(format!("{topic}/viewpoint.bcfv"), viewpoint(assembly, finding, &view))?;
    }
    Ok(archive.finish().map_err(std::io::Error::other)?.into_inner())
}

fn extensions() -> String {
    format!(
        "{DECLARATION}<Extensions>\n<TopicTypes><TopicType>Clash</TopicType></TopicTypes>\n\
         <TopicStatuses><TopicStatus>Open</TopicStatus></TopicStatuses>\n<Users><User>clearance</User></Users>\n</Extensions>\n"
    )
}

fn markup(assembly: &Assembly, finding: &Finding, [topic, view]: [&str; 2], date: &str) -> String {
    let [a, b] = [finding.a, finding.b].map(|part| escaped(&assembly.parts[part].name));
    let unit = assembly.unit.map_or("", |unit| unit.name());
    let mut description = format!("{} {unit} (between {} and {})", finding.distance, finding.lower, finding.upper);
    if let Some(required) = finding.required {
        description += &format!(", required {required}");
    }
    if let Some(time) = finding.time {
        description += &format!(", worst at {time}");
    }
    for [from, to] in &finding.intervals {
        description += &format!(", from {from} to {to}");
    }
    let kind = finding.kind.name();
    format!(
        "{DECLARATION}<Markup>\n<Topic Guid=\"{topic}\" TopicType=\"Clash\" TopicStatus=\"Open\">\n<Title>{kind}: {a} and {b}</Title>\n\
         <CreationDate>{date}</CreationDate>\n<CreationAuthor>clearance</CreationAuthor>\n<Description>{description}</Description>\n\
         <Viewpoints><ViewPoint Guid=\"{view}\"><Viewpoint>viewpoint.bcfv</Viewpoint></ViewPoint></Viewpoints>\n</Topic>\n</Markup>\n"
    )
}

/// A camera that sees both parts from above and from the side, the smaller one filling the view.
fn viewpoint(assembly: &Assembly, finding: &Finding, guid: &str) -> String {
    let parts = [finding.a, finding.b];
    let component = |part: usize| {
        let name = escaped(&assembly.parts[part].name);
        format!(
            "<Component><OriginatingSystem>clearance</OriginatingSystem><AuthoringToolId>{name}</AuthoringToolId></Component>"
        )
    };
    let components = parts.map(component).concat();
    let size = |part: usize| {
        let vertices = &assembly.geometry[assembly.parts[part].geometry].surface.vertices;
        let min = vertices.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let max = vertices.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        if vertices.is_empty() { 1.0 } else { (max - min).length() }
    };
    let target = finding.points.map_or(Vec3::ZERO, |[p, q]| 0.5 * (p + q));
    let away = 2.0 * size(parts[0]).min(size(parts[1]));
    let factor = assembly.unit.map_or(1.0, |unit| unit.micrometres() / Unit::M.micrometres());
    let turned = |v: Vec3| if assembly.up == Up::Y { Vec3::new(v.x, -v.z, v.y) } else { v };
    let direction = Vec3::new(-0.6, 0.64, -0.48);
    let side = direction.cross(Vec3::Z).normalize_or_zero();
    let vector = |name: &str, v: Vec3| format!("<{name}><X>{}</X><Y>{}</Y><Z>{}</Z></{name}>", v.x, v.y, v.z);
    let camera = [
        vector("CameraViewPoint", factor * (turned(target) - away * direction)),
        vector("CameraDirection", direction),
        vector("CameraUpVector", side.cross(direction)),
    ]
    .concat();
    format!(
        "{DECLARATION}<VisualizationInfo Guid=\"{guid}\">\n<Components><Selection>{components}</Selection>\
         <Visibility DefaultVisibility=\"true\"/></Components>\n<PerspectiveCamera>{camera}<FieldOfView>60</FieldOfView>\
         <AspectRatio>1.5</AspectRatio></PerspectiveCamera>\n</VisualizationInfo>\n"
    )
}

/// A GUID made from an id and what it is for.
fn guid(id: &str, what: &str) -> String {
    let half = |salt: u8| crate::check::hash(id.bytes().chain([0]).chain(what.bytes()).chain([salt]));
    let (high, low) = (half(1), half(2));
    let digits = format!("{high:016x}{low:016x}");
    // Version 8: made in a way of its own.
    format!("{}-{}-8{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..])
}

/// A time as XML has it, by the civil calendar.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that the leap day is the last of one; eras of 400 years.
    let day = days + 719_468;
    let (era, in_era) = (day / 146_097, day % 146_097);
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let of_month = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}
