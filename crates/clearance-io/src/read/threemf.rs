//! 3MF: a ZIP file with a model as XML: objects that are meshes or made of other objects, and the items to build.
//!
//! The archive is unpacked by the crate `zip` and the text read by `quick-xml` (which expands no entities of the file's own). What a
//! file unpacks to is limited by [`Limits::bytes`]; objects that contain themselves are refused.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use clearance::glam::DAffine3;
use clearance::{Pose, Vec3};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::place::{rigid, stretch};
use crate::error::{Fault, at_most};
use crate::limits::Limits;
use crate::model::{Format, Model, Placed, Surface, Unit, Up};
use crate::text::short;

/// How deeply objects may be made of objects.
const DEEPEST: usize = 32;

#[derive(Default)]
struct Object {
    surface: Surface,
    components: Vec<(u32, DAffine3)>,
}

#[derive(Default)]
struct Content {
    unit: Option<Unit>,
    objects: HashMap<u32, Object>,
    items: Vec<(u32, DAffine3)>,
}

pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model, Fault> {
    let refused = |error: &dyn std::fmt::Display| Fault::Unsupported(format!("is no 3MF archive: {error}"));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| refused(&error))?;
    let names = archive.file_names().filter_map(Result::ok).map(|name| name.into_owned());
    let names: Vec<String> = names.filter(|name| name.to_ascii_lowercase().ends_with(".model")).collect();
    let name = match &names[..] {
        [only] => only,
        _ => names
            .iter()
            .find(|name| name.trim_start_matches('/').eq_ignore_ascii_case("3D/3dmodel.model"))
            .ok_or_else(|| refused(&"there is no 3D/3dmodel.model"))?,
    };
    let entry = archive.by_name(name).map_err(|error| refused(&error))?;
    let mut text = Vec::new();
    // What an entry says of its size is not believed.
    entry.take(limits.bytes + 1).read_to_end(&mut text)?;
    at_most("bytes", text.len() as u64, limits.bytes)?;
    let content = content(super::text(&text)?, limits)?;
    placed(content, limits)
}

fn content(text: &str, limits: &Limits) -> Result<Content, Fault> {
    let mut reader = Reader::from_str(text);
    let mut content = Content::default();
    let mut current: Option<u32> = None;
    let mut corners = 0;
    loop {
        let position = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|error| Fault::element(format!("byte {position} of the model"), error.to_string()))?;
        let (Event::Start(tag) | Event::Empty(tag)) = event else {
            match event {
                Event::Eof => return Ok(content),
                Event::DocType(_) => {
                    return Err(Fault::Unsupported("a model with a document type is not read".to_owned()));
                }
                _ => continue,
            }
        };
        let place = || format!("byte {position} of the model");
        let object = current.and_then(|id| content.objects.get_mut(&id));
        match (tag.local_name().as_ref(), object) {
            ("model", _) => content.unit = unit(&tag),
            ("object", _) => {
                let id = whole(&tag, "id", &place)?;
                let name = attribute(&tag, "name").unwrap_or_default();
                let surface = Surface { name, ..Surface::default() };
                if content.objects.insert(id, Object { surface, components: Vec::new() }).is_some() {
                    return Err(Fault::element(place(), format!("object {id} is given twice")));
                }
                current = Some(id);
            }
            ("vertex", Some(object)) => {
                let vertex =
                    Vec3::new(number(&tag, "x", &place)?, number(&tag, "y", &place)?, number(&tag, "z", &place)?);
                object.surface.vertices.push(vertex);
            }
            ("triangle", Some(object)) => {
                let triangle = [whole(&tag, "v1", &place)?, whole(&tag, "v2", &place)?, whole(&tag, "v3", &place)?];
                let count = object.surface.vertices.len();
                if let Some(vertex) = triangle.iter().find(|v| **v as usize >= count) {
                    return Err(Fault::element(
                        place(),
                        format!("a triangle refers to vertex {vertex}, but there are {count} vertices"),
                    ));
                }
                object.surface.triangles.push(triangle);
            }
            ("component", Some(object)) => {
                object.components.push((whole(&tag, "objectid", &place)?, transform(&tag, &place)?))
            }
            ("item", _) => content.items.push((whole(&tag, "objectid", &place)?, transform(&tag, &place)?)),
            _ => {}
        }
        corners += 1;
        at_most("elements", corners, limits.vertices + limits.triangles)?;
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|a| a.key.local_name().as_ref() == name)?;
    found.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}

fn number(tag: &BytesStart<'_>, name: &str, place: &impl Fn() -> String) -> Result<f64, Fault> {
    let text = attribute(tag, name).ok_or_else(|| Fault::element(place(), format!("{name} is missing")))?;
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Fault::element(place(), format!("{name} is '{}', no finite number", short(&text))))
}

fn whole(tag: &BytesStart<'_>, name: &str, place: &impl Fn() -> String) -> Result<u32, Fault> {
    let text = attribute(tag, name).ok_or_else(|| Fault::element(place(), format!("{name} is missing")))?;
    text.trim().parse().map_err(|_| Fault::element(place(), format!("{name} is '{}', no whole number", short(&text))))
}

fn unit(tag: &BytesStart<'_>) -> Option<Unit> {
    Some(match attribute(tag, "unit").as_deref() {
        Some("micron") => Unit::Um,
        Some("centimeter") => Unit::Cm,
        Some("inch") => Unit::In,
        Some("foot") => Unit::Ft,
        Some("meter") => Unit::M,
        // The format's own default.
        _ => Unit::Mm,
    })
}

/// Twelve numbers: the rows of a matrix that rows of coordinates are multiplied by.
fn transform(tag: &BytesStart<'_>, place: &impl Fn() -> String) -> Result<DAffine3, Fault> {
    let Some(text) = attribute(tag, "transform") else { return Ok(DAffine3::IDENTITY) };
    let numbers: Vec<f64> = text.split_ascii_whitespace().take(13).filter_map(|word| word.parse().ok()).collect();
    let numbers: Result<[f64; 12], _> = numbers.try_into();
    let numbers = numbers.ok().filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    numbers
        .map(|numbers| DAffine3::from_cols_array(&numbers))
        .ok_or_else(|| Fault::element(place(), "transform must be 12 finite numbers"))
}

/// The items of the build as parts; without any, all objects.
fn placed(content: Content, limits: &Limits) -> Result<Model, Fault> {
    let mut model = Model::of_surfaces(Format::ThreeMf, Vec::new());
    (model.unit, model.up) = (content.unit, Some(Up::Z));
    let mut surfaces: HashMap<u32, usize> = HashMap::new();
    let mut vertices = 0;
    let mut open: Vec<(u32, DAffine3, Vec<u32>)> =
        content.items.iter().rev().map(|&(id, place)| (id, place, Vec::new())).collect();
    let mut visits = 0;
    while let Some((id, place, above)) = open.pop() {
        // Objects within objects can double with every level.
        visits += 1;
        at_most("places of objects", visits, limits.parts)?;
        let name = format!("object {id}");
        let object = content.objects.get(&id).ok_or_else(|| Fault::element(&name, "does not exist"))?;
        if above.contains(&id) || above.len() > DEEPEST {
            return Err(Fault::element(name, format!("contains itself, or is nested more than {DEEPEST} deep")));
        }
        let path: Vec<String> = above.iter().map(|id| format!("object {id}")).collect();
        if !object.surface.triangles.is_empty() {
            let pose = rigid(&place);
            let known = surfaces.get(&id).copied().filter(|_| pose.is_some());
            let surface = known.unwrap_or_else(|| {
                let mut surface = object.surface.clone();
                match pose {
                    Some(_) => _ = surfaces.insert(id, model.surfaces.len()),
                    None => stretch(&mut surface, &place),
                }
                vertices += surface.vertices.len() as u64;
                model.surfaces.push(surface);
                model.surfaces.len() - 1
            });
            at_most("vertices", vertices, limits.vertices)?;
            let name = object.surface.name.clone();
            model.parts.push(Placed { name, path, surface, pose: pose.unwrap_or(Pose::IDENTITY) });
        }
        at_most("parts", (model.parts.len() + open.len() + object.components.len()) as u64, limits.parts)?;
        let inner = [above, vec![id]].concat();
        open.extend(object.components.iter().rev().map(|(child, within)| (*child, place * *within, inner.clone())));
    }
    Ok(model)
}
