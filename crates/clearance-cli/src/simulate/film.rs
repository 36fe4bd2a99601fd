//! The motion of a run as a GLB file, to be looked at: every body once, and its poses over time.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use clearance::{Body, Pose};
use clearance_io::write::{Colour, GlbPart, GlbScene, Track, glb, write_whole};
use clearance_io::{Surface, Up};

/// Poses a second that are kept, about: viewers show no more.
const A_SECOND: f64 = 60.0;
/// Poses that are kept at most; a file of these has some 120 megabytes.
const MOST_POSES: usize = 4_000_000;
/// The colours of bodies that move, in turn.
const COLOURS: [Colour; 6] = [
    [0.30, 0.50, 0.75],
    [0.85, 0.55, 0.25],
    [0.40, 0.65, 0.40],
    [0.75, 0.35, 0.35],
    [0.55, 0.45, 0.70],
    [0.80, 0.75, 0.40],
];

/// A body to be filmed.
pub struct Filmed<'b> {
    /// What it is called.
    pub name: String,
    /// Its solid.
    pub body: &'b Body,
    /// Where it is at first.
    pub pose: Pose,
    /// Whether it moves.
    pub moves: bool,
}

/// The poses of bodies over time.
pub struct Film {
    surfaces: Vec<Surface>,
    parts: Vec<GlbPart>,
    tracks: Vec<Track>,
    step: f64,
    /// One of so many frames is kept.
    every: u32,
    kept: usize,
}

impl Film {
    /// A film of bodies that has not begun; frames follow each other after `step` seconds.
    pub fn new<'b>(bodies: impl Iterator<Item = Filmed<'b>>, step: f64) -> Self {
        let every = (1.0 / (A_SECOND * step)).round().max(1.0) as u32;
        let mut film = Self { surfaces: Vec::new(), parts: Vec::new(), tracks: Vec::new(), step, every, kept: 0 };
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        for filmed in bodies {
            // Half-spaces and clouds of points are not shown; their poses are.
            let surface = Surface::of_body(filmed.body).unwrap_or_default();
            let corners = surface.vertices.iter().flat_map(|vertex| vertex.to_array()).map(f64::to_bits);
            let number = *known.entry(corners.collect()).or_insert(film.surfaces.len());
            if number == film.surfaces.len() {
                film.surfaces.push(surface);
            }
            let part = film.parts.len();
            if filmed.moves {
                film.tracks.push(Track { part, times: Vec::new(), poses: Vec::new() });
            }
            let colour = filmed.moves.then(|| COLOURS[part % COLOURS.len()]);
            film.parts.push(GlbPart { name: filmed.name, surface: number, pose: filmed.pose, colour });
        }
        film
    }

    /// Keeps a frame, given the pose of each body in order.
    ///
    /// # Errors
    /// If there are more poses than a film holds.
    pub fn take(&mut self, frame: u32, pose: impl Fn(usize) -> Option<Pose>) -> Result<(), TooLong> {
        if !frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let time = f64::from(frame) * self.step;
        for track in &mut self.tracks {
            let Some(pose) = pose(track.part) else { continue };
            let rests = matches!(track.poses.as_slice(), [.., a, b] if *a == pose && *b == pose);
            if let Some(last) = track.times.last_mut().filter(|_| rests) {
                *last = time;
            } else {
                track.times.push(time);
                track.poses.push(pose);
                self.kept += 1;
            }
        }
        if self.kept > MOST_POSES { Err(TooLong) } else { Ok(()) }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, path: &Path) -> io::Result<()> {
        let surfaces = self.surfaces.iter().collect();
        let scene = GlbScene { surfaces, parts: self.parts, tracks: self.tracks, up: Up::Z, ..GlbScene::default() };
        write_whole(path, &glb(&scene))
    }
}

/// A film has more poses than it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("--glb: more than {MOST_POSES} poses; fewer --frames have fewer")]
pub struct TooLong;
