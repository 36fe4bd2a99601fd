//! `clearance lab` in a build without the feature `lab`: says how to get it.

use std::io::{self, Write};

use clap::Args;
use clearance_cli::Outcome;

#[derive(Args)]
pub struct Arguments {
    /// Whatever a build with the lab would take.
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Says how to get a program with the lab: bad input, whatever the arguments.
pub fn run(arguments: Arguments, _: &mut impl Write) -> io::Result<Outcome> {
    let rest = arguments.arguments.join(" ");
    let rest = if rest.is_empty() { "list" } else { &rest };
    let _ = writeln!(
        io::stderr(),
        "clearance: this program was built without the lab. From the sources of clearance:\n  \
         cargo run --release -p clearance-cli --features lab -- lab {rest}"
    );
    Ok(Outcome::BadInput)
}
