//! Scene files and mesh files as an assembly, with everything that is wrong with them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use clearance::glam::DQuat;
use clearance::{Body, Pose};
use serde_json::Value;

use super::format::{MotionEntry, PartEntry, RulesEntry, SceneFile, TakenEntry};
use super::rules::Rules;
use super::schema::{nearest, problems};
use super::timeline::{Link, knots_of, timeline};
use super::tree::{Knots, pose_of};
use super::{Assembly, Geometry, Part, SceneError, taken};
use crate::describe::Repair;
use crate::limits::Limits;
use crate::model::{Model, Surface, Unit, Up};
use crate::read::{read_bytes, read_within};

/// Makes a body of a shape as `clearance query` takes it; the path is that of the scene's folder.
pub type ShapeReader<'r> = &'r (dyn Fn(&Value, &Path) -> Result<Body, String> + Sync);

/// How scenes and files are loaded.
#[derive(Clone, Copy)]
pub struct LoadOptions<'r> {
    /// Limits of each file, and of the parts of the scene.
    pub limits: Limits,
    /// Makes bodies of shapes.
    pub shapes: ShapeReader<'r>,
    /// Repairs of all mesh files.
    pub repairs: &'r [Repair],
}

/// Bytes of the largest scene file.
const LARGEST_SCENE: u64 = 256 << 20;
/// How deeply scenes and assemblies may be in one another.
const DEEPEST: usize = 64;

/// Loads a scene file: JSON, or TOML by its extension.
///
/// # Errors
/// All that is wrong with it, with the scenes that it names and with the files that these name.
pub fn load(path: &Path, options: &LoadOptions<'_>) -> Result<Assembly, SceneError> {
    let mut loader = Loader::new(options);
    let Some(scene) = loader.read_scene(path) else { return Err(SceneError { problems: loader.problems }) };
    loader.assembly.title = scene.title.clone().unwrap_or_else(|| path.display().to_string());
    (loader.assembly.unit, loader.assembly.up) = (scene.unit, scene.up.unwrap_or_default());
    loader.units = (scene.unit, scene.up);
    loader.take_moves(scene.motion.as_ref());
    let (file, canonical) = (path.display().to_string(), fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    loader.open.push(canonical);
    let place = Place { prefix: String::new(), chain: Vec::new(), group: None, colour: None, depth: 0 };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    loader.entries(&scene.parts, &place, &file, "parts", &folder);
    loader.rules.insert(0, (scene.rules.unwrap_or_default(), String::new(), file.clone()));
    loader.finish(scene.motion.as_ref(), &file)
}

/// Loads mesh files as the parts of an assembly.
///
/// # Errors
/// All that is wrong with any of them.
pub fn load_files(paths: &[PathBuf], options: &LoadOptions<'_>) -> Result<Assembly, SceneError> {
    let mut loader = Loader::new(options);
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    loader.assembly.title = names.join(", ");
    let mut used = HashSet::new();
    for path in paths {
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let name = unique_in(&[], stem, &mut used);
        let place = Place { prefix: String::new(), chain: Vec::new(), group: None, colour: None, depth: 0 };
        loader.add_file(path, &name, &place, (TakenEntry::Mesh, Vec::new()), None);
    }
    let stated: Vec<Unit> = loader.seen_units.clone();
    if let [first, rest @ ..] = &stated[..] {
        loader.assembly.unit = Some(*first);
        if rest.iter().any(|unit| unit != first) {
            loader.problems.push("the files are in different units; a scene file states which one counts".to_owned());
        }
    }
    if let Some(up) = loader.seen_up {
        loader.assembly.up = up;
    }
    loader.finish(None, "")
}

/// Where an entry is.
#[derive(Clone)]
struct Place {
    /// The names of the assemblies that it is in, each with a `/` behind it.
    prefix: String,
    chain: Vec<Link>,
    group: Option<String>,
    colour: Option<[f64; 3]>,
    depth: usize,
}

struct Loader<'o> {
    options: &'o LoadOptions<'o>,
    assembly: Assembly,
    chains: Vec<Vec<Link>>,
    problems: Vec<String>,
    /// The scenes that are being read, the outermost first.
    open: Vec<PathBuf>,
    /// What was read of a file already: its parts, or nothing if it was refused.
    files: HashMap<(PathBuf, TakenEntry, Vec<u8>), Option<Vec<FilePart>>>,
    rules: Vec<(RulesEntry, String, String)>,
    /// Moves by the name of what moves, and their place.
    moves: BTreeMap<String, usize>,
    knots: Vec<Option<Knots>>,
    motion: Option<MotionEntry>,
    units: (Option<Unit>, Option<Up>),
    seen_units: Vec<Unit>,
    seen_up: Option<Up>,
}

/// A part of a file: its name, the groups it is in, its geometry and its pose.
#[derive(Clone)]
struct FilePart {
    name: String,
    path: Vec<String>,
    geometry: usize,
    pose: Pose,
}

impl<'o> Loader<'o> {
    fn new(options: &'o LoadOptions<'o>) -> Self {
        let assembly = Assembly {
            title: String::new(),
            unit: None,
            up: Up::Z,
            geometry: Vec::new(),
            parts: Vec::new(),
            timeline: None,
            rules: Rules::default(),
            notes: Vec::new(),
        };
        Self {
            options,
            assembly,
            chains: Vec::new(),
            problems: Vec::new(),
            open: Vec::new(),
            files: HashMap::new(),
            rules: Vec::new(),
            moves: BTreeMap::new(),
            knots: Vec::new(),
            motion: None,
            units: (None, None),
            seen_units: Vec::new(),
            seen_up: None,
        }
    }

    /// A scene file, if it is one; otherwise what is wrong is noted.
    fn read_scene(&mut self, path: &Path) -> Option<SceneFile> {
        let file = path.display();
        let value = match scene_value(path) {
            Ok(value) => value,
            Err(error) => {
                self.problems.push(format!("{file}:{error}"));
                return None;
            }
        };
        let found = problems(&value);
        if !found.is_empty() {
            self.problems.extend(found.into_iter().map(|problem| format!("{file}: {problem}")));
            return None;
        }
        match serde_json::from_value::<SceneFile>(value) {
            Ok(scene) if scene.clearance_scene != 1 => {
                let message = format!("clearance_scene: version {} is not known; 1 is", scene.clearance_scene);
                self.problems.push(format!("{file}: {message}"));
                None
            }
            Ok(scene) => Some(scene),
            Err(error) => {
                self.problems.push(format!("{file}: {error}"));
                None
            }
        }
    }

    fn take_moves(&mut self, motion: Option<&MotionEntry>) {
        let Some(motion) = motion else { return };
        for (index, entry) in motion.moves.iter().enumerate() {
            if self.moves.insert(entry.part.clone(), index).is_some() {
                self.problems.push(format!("motion.moves[{index}].part: '{}' moves twice", entry.part));
            }
        }
        self.knots = vec![None; motion.moves.len()];
        self.motion = Some(motion.clone());
    }

    fn entries(&mut self, entries: &[PartEntry], place: &Place, file: &str, path: &str, folder: &Path) {
        let mut names = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            let at = format!("{file}: {path}[{index}]");
            if entry.name.is_empty() || entry.name.contains('/') {
                self.problems.push(format!("{at}.name: '{}' is empty or has a '/' in it", entry.name));
            }
            if !names.insert(entry.name.as_str()) {
                self.problems.push(format!("{at}.name: '{}' is the name of two parts", entry.name));
            }
            if self.assembly.parts.len() as u64 > self.options.limits.parts || self.problems.len() > 1000 {
                self.problems.push(format!("{at}: there are more than {} parts", self.options.limits.parts));
                return;
            }
            self.entry(entry, place, (file, &format!("{path}[{index}]")), folder);
        }
    }

    fn entry(&mut self, entry: &PartEntry, place: &Place, (file, path): (&str, &str), folder: &Path) {
        let at = format!("{file}: {path}");
        let name = format!("{}{}", place.prefix, entry.name);
        let pose = pose_of(entry.pose.as_ref()).unwrap_or_else(|error| {
            self.problems.push(format!("{at}.pose: {error}"));
            Pose::IDENTITY
        });
        let mut inner = Place {
            prefix: format!("{name}/"),
            chain: [place.chain.clone(), vec![self.link(&name, pose)]].concat(),
            group: entry.group.clone().or_else(|| place.group.clone()),
            colour: entry.colour.or(place.colour),
            depth: place.depth + 1,
        };
        if let Some(colour) = entry.colour.filter(|colour| !colour.iter().all(|part| (0.0..=1.0).contains(part))) {
            self.problems.push(format!("{at}.colour: {colour:?} is not from 0 to 1"));
        }
        if inner.depth > DEEPEST {
            self.problems.push(format!("{at}: is nested more than {DEEPEST} deep"));
            return;
        }
        match (&entry.file, &entry.shape, &entry.scene, &entry.parts) {
            (Some(mesh), None, None, None) => {
                let taken = entry.taken.unwrap_or(TakenEntry::Mesh);
                inner.prefix.clone_from(&place.prefix);
                self.add_file(&folder.join(mesh), &entry.name, &inner, (taken, entry.repair.clone()), entry.unit);
            }
            (None, Some(shape), None, None) => {
                let value = Value::Object(shape.clone().into_iter().collect());
                inner.prefix.clone_from(&place.prefix);
                self.shape(&value, &entry.name, &inner, &format!("{at}.shape"), folder);
            }
            (None, None, Some(scene), None) => self.scene(&folder.join(scene), &inner, &format!("{at}.scene")),
            (None, None, None, Some(parts)) => self.entries(parts, &inner, file, &format!("{path}.parts"), folder),
            _ => self.problems.push(format!("{at}: exactly one of file, shape, scene and parts must be given")),
        }
    }

    /// How an entry is placed in its assembly: by its pose, or by the move that names it.
    fn link(&mut self, name: &str, pose: Pose) -> Link {
        let (Some(&at), Some(motion)) = (self.moves.get(name), &self.motion) else { return Link::Fixed(pose) };
        match knots_of(&motion.moves[at], motion, pose) {
            Ok(knots) => self.knots[at] = Some(knots),
            Err(error) => {
                self.knots[at] = Some(Knots { times: Vec::new(), poses: Vec::new() });
                self.problems.push(format!("motion.moves[{at}]: {error}"));
            }
        }
        Link::Moved(at)
    }

    /// A scene within a scene.
    fn scene(&mut self, path: &Path, place: &Place, at: &str) {
        let canonical = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.open.contains(&canonical) {
            self.problems.push(format!("{at}: the scene {} includes itself", path.display()));
            return;
        }
        let Some(scene) = self.read_scene(path) else { return };
        if scene.motion.is_some() {
            self.assembly
                .notes
                .push(format!("{}: the motion of a scene within a scene is not taken over", path.display()));
        }
        if let (Some(inner), Some(outer)) = (scene.unit, self.units.0)
            && inner != outer
        {
            self.problems.push(format!("{at}: the scene is in {}, not in {}", inner.name(), outer.name()));
        }
        self.open.push(canonical);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        self.entries(&scene.parts, place, &path.display().to_string(), "parts", &folder);
        self.open.pop();
        self.rules.push((scene.rules.unwrap_or_default(), place.prefix.clone(), path.display().to_string()));
    }

    fn shape(&mut self, value: &Value, name: &str, place: &Place, at: &str, folder: &Path) {
        let made = (self.options.shapes)(value, folder).and_then(|body| {
            let surface = Surface::of_body(&body).ok_or("half-spaces and point clouds cannot be parts of a scene")?;
            Ok((body, surface))
        });
        match made {
            Ok((body, surface)) => {
                let geometry = self.assembly.geometry.len();
                self.assembly.geometry.push(Geometry::of_body(at.to_owned(), body, surface));
                self.part(name, Vec::new(), geometry, Pose::IDENTITY, place);
            }
            Err(error) => self.problems.push(format!("{at}: {error}")),
        }
    }

    fn part(&mut self, name: &str, path: Vec<String>, geometry: usize, within: Pose, place: &Place) {
        let mut full: Vec<String> = place.prefix.split_terminator('/').map(str::to_owned).collect();
        full.extend(path);
        let full_name = full.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
        let mut chain = place.chain.clone();
        if within != Pose::IDENTITY {
            chain.push(Link::Fixed(within));
        }
        let (group, colour) = (place.group.clone(), place.colour);
        self.assembly.parts.push(Part { name: full_name, path: full, group, colour, geometry, pose: Pose::IDENTITY });
        self.chains.push(chain);
    }

    fn add_file(
        &mut self,
        path: &Path,
        name: &str,
        place: &Place,
        (taken, mut repairs): (TakenEntry, Vec<Repair>),
        unit: Option<Unit>,
    ) {
        repairs.extend(
            self.options.repairs.iter().filter(|repair| !repairs.contains(repair)).copied().collect::<Vec<_>>(),
        );
        let mut key: Vec<u8> = repairs.iter().map(|repair| *repair as u8).collect();
        key.push(unit.map_or(u8::MAX, |unit| unit as u8));
        let key = (path.to_owned(), taken, key);
        if !self.files.contains_key(&key) {
            let parts = match read_within(path, &self.options.limits) {
                Ok(model) => Some(self.model(path, model, taken, &repairs, unit)),
                Err(error) => {
                    self.problems.push(error.to_string());
                    None
                }
            };
            self.files.insert(key.clone(), parts);
        }
        let Some(Some(parts)) = self.files.get(&key).cloned() else { return };
        let several = parts.len() > 1;
        let mut used = HashSet::new();
        for (index, part) in parts.into_iter().enumerate() {
            if !several {
                self.part(name, Vec::new(), part.geometry, part.pose, place);
                continue;
            }
            let own = if part.name.is_empty() { format!("part {index}") } else { part.name.replace('/', "|") };
            let path: Vec<String> =
                [name.to_owned()].into_iter().chain(part.path.iter().map(|group| group.replace('/', "|"))).collect();
            let own = unique_in(&path, own, &mut used);
            self.part(&own, path, part.geometry, part.pose, place);
        }
    }

    /// The surfaces of a model as geometry, in the unit and with the up axis of the scene.
    fn model(
        &mut self,
        path: &Path,
        model: Model,
        taken: TakenEntry,
        repairs: &[Repair],
        unit: Option<Unit>,
    ) -> Vec<FilePart> {
        let file = path.display().to_string();
        self.assembly.notes.extend(model.notes.iter().map(|note| format!("{file}: {note}")));
        if model.parts.is_empty() {
            self.problems.push(format!("{file}: there are no triangles in it"));
        }
        let stated = unit.or(model.unit);
        self.seen_units.extend(stated);
        self.seen_up = self.seen_up.or(model.up);
        let factor = match (stated, self.units.0) {
            (Some(from), Some(to)) => from.micrometres() / to.micrometres(),
            _ => 1.0,
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let turn = match (model.up, self.units.1) {
            (Some(Up::Y), Some(Up::Z)) => DQuat::from_rotation_x(quarter),
            (Some(Up::Z), Some(Up::Y)) => DQuat::from_rotation_x(-quarter),
            _ => DQuat::IDENTITY,
        };
        let first = self.assembly.geometry.len();
        let several = model.surfaces.len() > 1;
        for (index, mut surface) in model.surfaces.into_iter().enumerate() {
            if factor != 1.0 {
                surface.vertices.iter_mut().for_each(|vertex| *vertex *= factor);
            }
            let name =
                if surface.name.is_empty() { format!("mesh {index}") } else { format!("mesh '{}'", surface.name) };
            let source = if several { format!("{file}: {name}") } else { file.clone() };
            match taken::geometry(&source, surface, taken, repairs) {
                Ok((geometry, said)) => {
                    self.assembly.notes.extend(said.map(|said| format!("{source}: {said}")));
                    self.assembly.geometry.push(geometry);
                }
                Err(error) => self.problems.push(format!("{source}: {error}")),
            }
        }
        let place = |pose: Pose| {
            let rotation = (turn * pose.rotation()).normalize();
            Pose::new(turn * (pose.translation() * factor), rotation.to_array()).unwrap_or(Pose::IDENTITY)
        };
        let part = |part: crate::model::Placed| FilePart {
            name: part.name,
            path: part.path,
            geometry: first + part.surface,
            pose: if factor == 1.0 && turn == DQuat::IDENTITY { part.pose } else { place(part.pose) },
        };
        model.parts.into_iter().map(part).collect()
    }

    /// Rules, motions and names, now that all parts are known.
    fn finish(mut self, motion: Option<&MotionEntry>, file: &str) -> Result<Assembly, SceneError> {
        for (rules, prefix, file) in std::mem::take(&mut self.rules) {
            let mut found = Vec::new();
            self.assembly.rules.add(&rules, &prefix, &self.assembly.parts, &mut found);
            self.problems.extend(found.into_iter().map(|problem| format!("{file}: {problem}")));
        }
        let unknown: Vec<(String, usize)> = self
            .moves
            .iter()
            .filter(|(_, at)| self.knots[**at].is_none())
            .map(|(name, at)| (name.clone(), *at))
            .collect();
        for (name, at) in unknown {
            let hint = nearest(&name, self.assembly.parts.iter().map(|part| part.name.as_str()).take(1000));
            self.problems.push(format!("{file}: motion.moves[{at}].part: '{name}' is no part{hint}"));
        }
        if self.assembly.parts.is_empty() && self.problems.is_empty() {
            self.problems.push(format!("{file}: there are no parts"));
        }
        if self.problems.is_empty() {
            let at = |knots: &[Option<Knots>], chain: &[Link]| {
                chain.iter().fold(Pose::IDENTITY, |outer, link| match link {
                    Link::Fixed(pose) => outer.compose(pose),
                    Link::Moved(index) => {
                        let start = motion.and_then(|motion| motion.start).unwrap_or(0.0);
                        outer.compose(&knots[*index].as_ref().map_or(Pose::IDENTITY, |knots| knots.pose(start)))
                    }
                })
            };
            let poses: Vec<Pose> = self.chains.iter().map(|chain| at(&self.knots, chain)).collect();
            self.assembly.parts.iter_mut().zip(poses).for_each(|(part, pose)| part.pose = pose);
            let knots: Vec<Knots> = self.knots.iter().flatten().cloned().collect();
            match motion.map(|motion| timeline(motion, &knots, &self.chains)).transpose() {
                Ok(timeline) => self.assembly.timeline = timeline,
                Err(error) => self.problems.push(format!("{file}: {error}")),
            }
        }
        if self.problems.is_empty() { Ok(self.assembly) } else { Err(SceneError { problems: self.problems }) }
    }
}

/// The values of a scene file; an error begins with the line, or with a space.
fn scene_value(path: &Path) -> Result<Value, String> {
    let limits = Limits { bytes: LARGEST_SCENE, ..Limits::default() };
    let bytes = read_bytes(path, &limits).map_err(|fault| format!(" {fault}"))?;
    let text = crate::read::text(&bytes).map_err(|fault| format!(" {fault}"))?;
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if is_toml {
        return toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = 1 + text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b == b'\n').count();
            format!("{line}: {}", error.message())
        });
    }
    serde_json::from_str(text).map_err(|error| format!("{}: {error}", error.line()))
}

/// A name that is not used yet in its assembly: with a number behind it if it is.
fn unique_in(path: &[String], name: String, used: &mut HashSet<(Vec<String>, String)>) -> String {
    let mut own = name.clone();
    let mut number = 2;
    while !used.insert((path.to_vec(), own.clone())) {
        own = format!("{name} ({number})");
        number += 1;
    }
    own
}
