//! What a run came to, for people and for programs.

use std::io::{self, Write};
use std::time::Duration;

use clearance::world::{EventKind, Mode, Statistics};
use serde_json::{Value, json};

use super::coherence::Coherence;
use super::motion::Frame;
use super::scene::{ModeName, Scene, name};

/// Sums over the frames of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Of what the world tells; touching pairs are counted in each frame anew.
    pub statistics: Statistics,
    /// Pairs that began to touch.
    pub begun: u64,
    /// Pairs that ceased to.
    pub ended: u64,
    /// Pairs within the distance that was asked for.
    pub near: u64,
    /// Points of contact.
    pub contact_points: u64,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The name of the scene, or its file.
    pub source: String,
    /// Sums over all frames.
    pub totals: Totals,
    /// The time of each frame.
    pub times: Vec<Duration>,
    /// How many threads there were.
    pub threads: usize,
    /// What remembering has saved.
    pub coherence: Option<Coherence>,
}

impl Totals {
    /// Those of one frame.
    pub fn of(frame: &Frame<'_>) -> Self {
        let count = |kind| frame.step.events.iter().filter(|event| event.kind == kind).count() as u64;
        Self {
            statistics: frame.step.statistics,
            begun: count(EventKind::Begin),
            ended: count(EventKind::End),
            near: frame.step.near.len() as u64,
            contact_points: frame.step.contacts.iter().map(|contact| contact.manifold.points.len() as u64).sum(),
        }
    }

    /// Adds another frame.
    pub fn add(&mut self, other: &Self) {
        let (sum, more) = (&mut self.statistics, &other.statistics);
        sum.pairs += more.pairs;
        sum.beyond_spheres += more.beyond_spheres;
        sum.asleep += more.asleep;
        sum.tested += more.tested;
        sum.kept += more.kept;
        sum.touching += more.touching;
        sum.supports += more.supports;
        sum.surprises += more.surprises;
        self.begun += other.begun;
        self.ended += other.ended;
        self.near += other.near;
        self.contact_points += other.contact_points;
    }

    /// As JSON.
    pub fn to_json(self) -> Value {
        let Statistics { pairs, beyond_spheres, asleep, tested, kept, touching, supports, surprises } = self.statistics;
        json!({
            "pairs": pairs, "beyond_spheres": beyond_spheres, "asleep": asleep, "tested": tested, "kept": kept,
            "touching": touching, "supports": supports, "surprises": surprises, "begun": self.begun, "ended": self.ended,
            "near": self.near, "contact_points": self.contact_points,
        })
    }
}

/// Every pair of so many bodies.
fn possible_pairs(bodies: usize) -> u64 {
    bodies as u64 * (bodies as u64).saturating_sub(1) / 2
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The middle one: a machine that does something else now and then does not change it.
fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

impl Summary {
    /// As JSON; whatever differs from run to run is under `time`.
    pub fn to_json(&self, scene: &Scene) -> Value {
        let room = scene
            .room
            .map(|room| json!({"center": room.center.to_array(), "half_extents": room.half_extents.to_array()}));
        let coherence = self.coherence.as_ref().map(|of| {
            json!({
                "frames": of.frames, "tested_warm": of.tested[0], "tested_cold": of.tested[1],
                "supports_warm": of.supports[0], "supports_cold": of.supports[1], "differing": of.differing,
            })
        });
        let compared = self.coherence.as_ref().map(|of| of.times.each_ref().map(|times| milliseconds(median(times))));
        json!({
            "scene": self.source,
            "title": scene.title,
            "bodies": scene.bodies.len(),
            "frames": self.times.len(),
            "seed": scene.seed,
            "mode": name(scene.mode),
            "broad": name(scene.broad),
            "room": room,
            "possible_pairs": possible_pairs(scene.bodies.len()),
            "totals": self.totals.to_json(),
            "coherence": coherence,
            "time": {
                "threads": self.threads,
                "frame_ms": milliseconds(median(&self.times)),
                "total_ms": milliseconds(self.times.iter().sum()),
                "frame_ms_warm_cold": compared,
            },
        })
    }

    /// For people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, scene: &Scene, output: &mut dyn Write) -> io::Result<()> {
        let mut line = |label: &str, text: String| writeln!(output, "{label:<18} {text}");
        let frames = self.times.len().max(1) as f64;
        let Statistics { pairs, tested, touching, supports, asleep, .. } = self.totals.statistics;
        let possible = possible_pairs(scene.bodies.len());
        let per_frame = |count: u64| format!("{:>9.1}", count as f64 / frames);
        line("bodies", format!("{:>9}    {}", scene.bodies.len(), place(scene)))?;
        line("frames", format!("{:>9}    seed {}", self.times.len(), scene.seed))?;
        line("pairs of bodies", format!("{possible:>9}    every two of them could touch; in each frame, on average:"))?;
        let share = percent(pairs as f64, possible as f64 * frames);
        line("  boxes overlap", format!("{}    {share} of all pairs: only these are looked at", per_frame(pairs)))?;
        if scene.options.schedule {
            line("  asleep", format!("{}    too far apart to have met since they were looked at", per_frame(asleep)))?;
        }
        line("  tested exactly", format!("{}    those whose bounding balls meet as well", per_frame(tested)))?;
        line(
            "  touching",
            format!("{}    {} of the tests", per_frame(touching), percent(touching as f64, tested as f64)),
        )?;
        match scene.options.mode {
            Mode::Closest { within } => {
                let near = per_frame(self.totals.near);
                line("  near", format!("{near}    no farther apart than {within}"))?;
            }
            Mode::Contacts(_) => {
                let points = per_frame(self.totals.contact_points);
                line("  points", format!("{points}    where they touch"))?;
            }
            Mode::Boolean | Mode::Combined => {}
        }
        let (begun, reaction) = (self.totals.begun, name(scene.reaction));
        line("collisions", format!("{begun:>9}    pairs that began to touch, over all frames (reaction: {reaction})"))?;
        let steps = ratio(supports as f64, tested as f64);
        line("steps per test", format!("{steps:>9.2}    how often a test asks both bodies for their farthest points"))?;
        self.write_times(scene, output)
    }

    fn write_times(&self, scene: &Scene, output: &mut dyn Write) -> io::Result<()> {
        let typical = median(&self.times);
        let (rate, threads) = (ratio(1.0, typical.as_secs_f64()), self.threads);
        let (time, plural) = (milliseconds(typical), if threads == 1 { "" } else { "s" });
        let label = "time per frame";
        writeln!(output, "{label:<18} {time:>9.3} ms {rate:.0} frames per second, on {threads} thread{plural}")?;
        let Some(of) = &self.coherence else {
            return writeln!(output, "\nWhat coherence saves is not known from one frame.");
        };
        let per_test = [0, 1].map(|i| ratio(of.supports[i] as f64, of.tested[i] as f64));
        let per_frame = of.times.each_ref().map(|times| milliseconds(median(times)));
        let frames = of.frames;
        writeln!(output, "\nA pair remembers from frame to frame where its last test ended. To see what that saves,")?;
        writeln!(output, "{frames} of the frames were run again by a world that has forgotten all pairs:\n")?;
        writeln!(output, "{:<18} {:>9}  {:>9}", "", "steps per", "time per")?;
        writeln!(output, "{:<18} {:>9}  {:>9}", "", "test", "frame, ms")?;
        for (i, label) in ["remembering", "forgetting"].into_iter().enumerate() {
            writeln!(output, "{label:<18} {:>9.2}  {:>9.3}", per_test[i], per_frame[i])?;
        }
        let saved = |[warm, cold]: [f64; 2]| percent(cold - warm, cold);
        writeln!(output, "{:<18} {:>9}  {:>9}", "saved", saved(per_test), saved(per_frame))?;
        match (of.differing, scene.mode) {
            (0, _) => writeln!(output, "\nThe same pairs touch either way."),
            (n, ModeName::Boolean | ModeName::Combined) => {
                writeln!(output, "\nIn {n} of these frames other pairs touch: please report this, with the scene.")
            }
            (n, _) => writeln!(output, "\nIn {n} of these frames other pairs are within the tolerance of touching."),
        }
    }
}

fn place(scene: &Scene) -> String {
    let Some(room) = scene.room else {
        return "in open space".to_owned();
    };
    let [x, y, z] = (2.0 * room.half_extents).to_array().map(rounded);
    format!("in a closed room of {x} x {y} x {z}")
}

/// About three digits.
fn rounded(x: f64) -> String {
    if (0.1..1e6).contains(&x) { format!("{x:.1}") } else { format!("{x:.2e}") }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn percent(part: f64, whole: f64) -> String {
    let share = 100.0 * ratio(part, whole);
    if share.abs() < 1.0 && share != 0.0 { format!("{share:.2} %") } else { format!("{share:.0} %") }
}
