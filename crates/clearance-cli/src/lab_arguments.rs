//! The arguments of `clearance lab`, in a build with the feature `lab`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use clearance_cli::{Outcome, lab};
use clearance_lab::Settings;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the experiments: name, what it reproduces, what it measures.
    List {
        /// One JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Runs an experiment, or all of them. A claim that does not hold is a finding and does not fail the run.
    #[command(after_help = crate::help::LAB)]
    Run {
        /// The name of an experiment, or `all`.
        name: String,
        /// Fewer samples: to see that it works, not to quote its figures.
        #[arg(long)]
        quick: bool,
        /// One JSON object per experiment instead of a table.
        #[arg(long)]
        json: bool,
        /// Write CSV, JSON and SVG files into this directory, which is made if it is missing.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The seed of all random input.
        #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
        seed: u64,
        /// How long an experiment without an end of its own (`hunt`) goes on. With --out it remembers what it has done.
        #[arg(long, value_name = "H")]
        hours: Option<f64>,
    },
    /// Prints a page (Markdown) with every figure, table and claim of the papers and what became of it here.
    Papers {
        /// The directory that `lab run all --out DIR` wrote.
        #[arg(value_name = "DIR")]
        reports: PathBuf,
    },
}

/// Lists or runs experiments.
pub fn run(arguments: Arguments, output: &mut impl Write) -> io::Result<Outcome> {
    match arguments.command {
        Command::List { json } => lab::list(clearance_lab::all(), json, output),
        Command::Run { name, quick, json, out, seed, hours } => {
            let state = out.as_ref().map(|folder| folder.join(format!("{name}-{seed}.state.json")));
            let settings = Settings { hours, state, ..Settings::new(quick, seed) };
            let options = lab::Options { settings, json, out };
            lab::run(clearance_lab::all(), &name, &options, output, &mut io::stderr())
        }
        Command::Papers { reports } => lab::papers(clearance_lab::all(), &reports, output, &mut io::stderr()),
    }
}
