//! The program `clearance`: arguments, files and exit status. What it does is in the library beside it.

mod help;
#[cfg(feature = "lab")]
#[path = "lab_arguments.rs"]
mod lab;
#[cfg(not(feature = "lab"))]
#[path = "lab_absent.rs"]
mod lab;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use clearance_cli::query::{LONGEST_LINE, Session, StreamError, Summary, converse};
use clearance_cli::simulate::scene::{BroadName, MAX_FRAMES, ModeName, Overrides};
use clearance_cli::single;
use clearance_cli::{Outcome, cast, check, demo, describe, distance, quiet_if_closed, range, simulate, verify};
use clearance_io::Repair;
use clearance_io::write::part_of;
use clearance_terminal::Progress;

/// Answers questions about solid bodies in 3D.
#[derive(Parser)]
#[command(name = "clearance", version, after_help = help::PROGRAM, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The numbers that `query` computes with.
#[derive(Clone, Copy, ValueEnum)]
enum Precision {
    /// Double precision.
    F64,
    /// Single precision.
    F32,
}

#[derive(Subcommand)]
enum Command {
    /// Finds every clash of a scene, or of mesh files in one place, and writes reports.
    #[command(after_help = help::CHECK)]
    Check(CheckArguments),
    /// Says what the meshes of a file are, and what is wrong with them.
    #[command(after_help = help::DESCRIBE)]
    Describe {
        /// A mesh file: STL, OBJ, PLY, OFF, glTF, GLB, 3MF or a brush map.
        file: PathBuf,
        /// Also try repairs, and list what they do.
        #[arg(long, value_delimiter = ',', value_name = "REPAIRS")]
        repair: Vec<RepairName>,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// The signed distance of two mesh files or shapes.
    Distance {
        /// A mesh file, a file with a shape as JSON, or the JSON itself.
        a: String,
        /// The same for the other body.
        b: String,
        /// Where A is: {"translation":[x,y,z],"rotation":[x,y,z,w]}.
        #[arg(long, value_name = "JSON")]
        pose_a: Option<String>,
        /// Where B is.
        #[arg(long, visible_alias = "pose", value_name = "JSON")]
        pose_b: Option<String>,
        /// One line of JSON, as `query` answers.
        #[arg(long)]
        json: bool,
    },
    /// The first contact along the motions of a scene.
    Cast {
        /// A scene with a motion (docs/scene-format.md).
        scene: PathBuf,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Answers JSON Lines: one question per line in, one answer per line out, in the same order.
    #[command(after_help = help::QUERY_SHORT, after_long_help = help::query())]
    Query {
        /// The file of questions; standard input if absent or `-`.
        file: Option<PathBuf>,
        /// Numbers to compute with: `f64` asks the library clearance, `f32` clearance-f32.
        #[arg(long, value_enum, default_value_t = Precision::F64)]
        precision: Precision,
    },
    /// Checks certificates: the proofs that `query` gives with its answers where a line has "certify":true.
    #[command(after_help = help::VERIFY)]
    Verify {
        /// A file of certificates or of answers with them, one JSON object per line; standard input if absent or `-`.
        file: Option<PathBuf>,
        /// One JSON object per refused certificate, and one with the counts.
        #[arg(long)]
        json: bool,
    },
    /// The positions of B along a direction at which it touches A, in units of the direction's length.
    #[command(after_help = help::RANGE)]
    Range {
        /// A mesh file, a file with a shape as JSON, or the JSON itself.
        a: String,
        /// The same for the body that moves.
        b: String,
        /// Components of the direction: x,y,z.
        #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
        direction: String,
        /// Where A is: {"translation":[x,y,z],"rotation":[x,y,z,w]}.
        #[arg(long, value_name = "JSON")]
        pose_a: Option<String>,
        /// Where B is.
        #[arg(long, value_name = "JSON")]
        pose_b: Option<String>,
        /// One line of JSON, as `query` answers.
        #[arg(long)]
        json: bool,
    },
    /// Runs a moving environment from a scene and tells what it came to.
    #[command(after_help = help::SIMULATE_SHORT, after_long_help = help::SIMULATE)]
    Simulate(SimulateArguments),
    /// Lists and runs the experiments of the papers and the races against peers.
    #[command(after_help = help::LAB)]
    Lab(lab::Arguments),
    /// Shows what the program answers, on an example it brings along.
    Demo,
}

/// A repair of meshes.
#[derive(Clone, Copy, ValueEnum)]
enum RepairName {
    /// Make vertices at the same place one.
    Weld,
    /// Leave out triangles without area, triangles that are there twice, and vertices that none uses.
    DropDegenerate,
    /// Turn triangles so that neighbours agree and closed parts face outwards.
    Orient,
}

impl RepairName {
    fn repair(self) -> Repair {
        match self {
            Self::Weld => Repair::Weld,
            Self::DropDegenerate => Repair::DropDegenerate,
            Self::Orient => Repair::Orient,
        }
    }
}

#[derive(clap::Args)]
struct CheckArguments {
    /// A scene (JSON or TOML, docs/scene-format.md), or mesh files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The clearance that pairs must keep which no rule is about, in place of what the scene says of all.
    #[arg(long, value_name = "D")]
    clearance: Option<f64>,
    /// Repairs of mesh files; they are listed.
    #[arg(long, value_delimiter = ',', value_name = "REPAIRS")]
    repair: Vec<RepairName>,
    /// One line of JSON instead of a table.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// CSV instead of a table.
    #[arg(long)]
    csv: bool,
    /// Write an HTML page to look at.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the clashes as BCF 3.0.
    #[arg(long, value_name = "FILE")]
    bcf: Option<PathBuf>,
    /// Write the scene, its motion and its clashes as GLB.
    #[arg(long, value_name = "FILE")]
    glb: Option<PathBuf>,
    /// How many threads; as many as there are processors if absent. The answers do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(clap::Args)]
struct SimulateArguments {
    /// A scene file, the name of a scene of the program, or `-` for standard input.
    #[arg(required_unless_present = "list")]
    scene: Option<String>,
    /// Lists the scenes of the program.
    #[arg(long)]
    list: bool,
    /// How many frames, in place of what the scene says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FRAMES)))]
    frames: Option<u32>,
    /// How many threads; as many as there are processors if absent. The answers do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// JSON: the summary, or with --per-frame a line for each frame and then the summary.
    #[arg(long)]
    json: bool,
    /// Tells every frame.
    #[arg(long)]
    per_frame: bool,
    /// What is asked about the pairs, in place of what the scene says.
    #[arg(long)]
    mode: Option<ModeName>,
    /// How pairs of boxes are found, in place of what the scene says. The answers do not depend on it.
    #[arg(long)]
    broad: Option<BroadName>,
    /// The seed of the swarms, in place of what the scene says.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Where to write the motion as GLB, an animation that any viewer of glTF shows.
    #[arg(long, value_name = "FILE")]
    glb: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = BufWriter::new(io::stdout());
    let result = match arguments.command {
        Command::Check(arguments) => run_check(arguments, &mut output),
        Command::Describe { file, repair, json } => {
            let repairs: Vec<Repair> = repair.into_iter().map(RepairName::repair).collect();
            describe::run(&file, &repairs, json, &mut output, &mut io::stderr())
        }
        Command::Distance { a, b, pose_a, pose_b, json } => {
            let question = distance::Question { a, b, pose_a, pose_b, json };
            distance::run(&question, &mut output, &mut io::stderr())
        }
        Command::Cast { scene, json } => cast::run(scene, json, &Progress::new(), &mut output, &mut io::stderr()),
        Command::Query { file, precision } => query(file.as_deref(), precision, &mut output),
        Command::Verify { file, json } => verify_file(file.as_deref(), json, &mut output),
        Command::Range { a, b, direction, pose_a, pose_b, json } => {
            let question = range::Question { a, b, direction, pose_a, pose_b, json };
            range::run(&question, &mut output, &mut io::stderr())
        }
        Command::Simulate(arguments) => run_simulate(arguments, &mut output),
        Command::Demo => demo::run(&mut output),
        Command::Lab(arguments) => lab::run(arguments, &mut output),
    };
    let outcome = quiet_if_closed(result.and_then(|outcome| output.flush().map(|()| outcome)));
    match outcome {
        Ok(outcome) => ExitCode::from(outcome.status()),
        Err(error) => {
            complain(&format!("cannot write: {error}"));
            ExitCode::from(Outcome::BadInput.status())
        }
    }
}

/// A message on standard error; that nobody reads it is no reason to stop.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "clearance: {message}");
}

fn run_check(arguments: CheckArguments, output: &mut (impl Write + Send)) -> io::Result<Outcome> {
    let CheckArguments { files, clearance, repair, json, csv, report, bcf, glb, threads } = arguments;
    if let Some(clearance) = clearance.filter(|clearance| !(*clearance >= 0.0 && clearance.is_finite())) {
        complain(&format!("--clearance is {clearance}; it must be finite and not negative"));
        return Ok(Outcome::BadInput);
    }
    let repairs = repair.into_iter().map(RepairName::repair).collect();
    let question = check::Question { files, clearance, repairs, json, csv, report, bcf, glb };
    remove_on_interrupt(question.written());
    let progress = Progress::new();
    let mut run = || check::run(&question, &progress, output, &mut io::stderr());
    match threads.map(|threads| rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build()) {
        Some(Ok(pool)) => pool.install(run),
        _ => run(),
    }
}

/// Without this Ctrl-C would leave a part of a file beside its place.
fn remove_on_interrupt<'p>(written: impl Iterator<Item = &'p PathBuf>) {
    let begun: Vec<PathBuf> = written.map(|path| part_of(path)).collect();
    let _ = ctrlc::set_handler(move || {
        begun.iter().for_each(|part| _ = std::fs::remove_file(part));
        std::process::exit(130);
    });
}

fn run_simulate(arguments: SimulateArguments, output: &mut (impl Write + Send)) -> io::Result<Outcome> {
    let SimulateArguments { scene, list, frames, threads, json, per_frame, mode, broad, seed, glb } = arguments;
    let Some(scene) = scene.filter(|_| !list) else {
        return simulate::list(json, output);
    };
    let overrides = Overrides { frames, seed, mode, broad };
    remove_on_interrupt(glb.iter());
    let options = simulate::Options { overrides, threads: threads.map(usize::from), json, per_frame, glb };
    // On a terminal the frames themselves show the progress, and a bar would run through them.
    let shown = per_frame && io::stdout().is_terminal();
    let progress = if shown { Progress::hidden() } else { Progress::new() };
    simulate::run(&scene, &options, &progress, output, &mut io::stderr())
}

fn verify_file(file: Option<&Path>, json: bool, output: &mut impl Write) -> io::Result<Outcome> {
    let file = file.filter(|path| *path != Path::new("-"));
    let name = file.map_or("standard input".to_owned(), |path| path.display().to_string());
    let counts = match file {
        None => verify::run(&name, io::stdin().lock(), json, output),
        Some(path) => match File::open(path) {
            Ok(file) => verify::run(&name, BufReader::new(file), json, output),
            Err(error) => {
                complain(&format!("{name}: cannot read: {error}"));
                return Ok(Outcome::BadInput);
            }
        },
    };
    counts.map(|counts| counts.outcome())
}

fn query(file: Option<&Path>, precision: Precision, output: &mut impl Write) -> io::Result<Outcome> {
    let file = file.filter(|path| *path != Path::new("-"));
    let name = file.map_or("standard input".to_owned(), |path| path.display().to_string());
    let result = match file {
        None => {
            if io::stdin().is_terminal() {
                complain("reading questions from the terminal, one JSON object per line (see: clearance query --help)");
            }
            answer(precision, None, io::stdin().lock(), output, |_| {})
        }
        Some(path) => {
            File::open(path).map_err(StreamError::Read).and_then(|file| query_file(path, file, precision, output))
        }
    };
    match result {
        Ok(summary) => Ok(conclude(&name, &summary)),
        Err(StreamError::Read(error)) => {
            complain(&format!("{name}: cannot read: {error}"));
            Ok(Outcome::BadInput)
        }
        Err(StreamError::Write(error)) => Err(error),
    }
}

fn query_file(path: &Path, file: File, precision: Precision, output: &mut impl Write) -> Result<Summary, StreamError> {
    // On a terminal the answers themselves show the progress, and a bar would run through them.
    let progress = if io::stdout().is_terminal() { Progress::hidden() } else { Progress::new() };
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    progress.start(length, "bytes answered");
    let summary = answer(precision, path.parent(), BufReader::new(file), output, |bytes| progress.advance(bytes));
    progress.finish();
    summary
}

fn answer(
    precision: Precision,
    folder: Option<&Path>,
    input: impl BufRead,
    output: &mut impl Write,
    advance: impl FnMut(u64),
) -> Result<Summary, StreamError> {
    match precision {
        Precision::F64 => {
            let session = folder.map_or_else(Session::new, |folder| Session::in_folder(folder.to_owned()));
            converse(session, input, output, LONGEST_LINE, advance)
        }
        Precision::F32 => {
            let new = single::query::Session::new;
            let session = folder.map_or_else(new, |folder| single::query::Session::in_folder(folder.to_owned()));
            single::query::converse(session, input, output, LONGEST_LINE, advance)
        }
    }
}

/// Says where the first error is: in a long output it is easily missed.
fn conclude(name: &str, summary: &Summary) -> Outcome {
    let Some((line, error)) = &summary.first_error else {
        return Outcome::Fine;
    };
    let Summary { answers, errors, .. } = summary;
    complain(&format!("{errors} of {answers} lines had errors, the first at {name}:{line}: {error}"));
    Outcome::BadInput
}
