//! `make fuzz`: inputs that are nearly right, for everything that reads input, for a minute each.
//!
//! ```text
//! cargo run --release -p clearance-cli --example fuzz -- [--seconds 60] [--seed N] [TARGET …]
//! cargo run --release -p clearance-cli --example fuzz -- --show TARGET SEED
//! ```
//!
//! Inputs come from a grammar and are then spoiled; the seed of each is its number, so that what is found can be made again. A target runs in a
//! process of its own that writes the seed it is at to a file: a panic, an abort (for want of memory or stack) or an input that takes
//! longer than [`LONGEST`] ends that process, and the input is shown and kept in `target/fuzz/`. The exit status is 1 if anything was found.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::unwrap_used, clippy::expect_used)] // a tool for people

mod files;
mod grammar;
mod targets;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use targets::{TARGETS, Target};

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(20);

struct Arguments {
    seconds: u64,
    seed: u64,
    targets: Vec<String>,
}

fn main() -> ExitCode {
    let mut list: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, seed] = list.as_slice() {
        let seed = seed.parse().unwrap_or(0);
        match flag.as_str() {
            "--show" => {
                println!("{}", target(name).input(seed));
                return ExitCode::SUCCESS;
            }
            "--run" => {
                println!("accepted: {}", (target(name).read)(&target(name).input(seed)));
                return ExitCode::SUCCESS;
            }
            _ => {}
        }
    }
    if list.first().is_some_and(|first| first == "--child") {
        let number = |i: usize| list[i].parse().expect("a number");
        child(target(&list[1]), number(2), number(3));
        return ExitCode::SUCCESS;
    }
    let mut take = |flag: &str, otherwise: u64| {
        let Some(at) = list.iter().position(|one| one == flag) else { return otherwise };
        let value = list.get(at + 1).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        list.drain(at..(at + 2).min(list.len()));
        value
    };
    let (seconds, seed) = (take("--seconds", 60), take("--seed", 1));
    let arguments = Arguments { seconds, seed, targets: list };
    let chosen = TARGETS
        .iter()
        .filter(|target| arguments.targets.is_empty() || arguments.targets.iter().any(|name| name == target.name));
    let found = chosen.map(|target| watch(target, &arguments)).sum::<u64>();
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"))
}

fn state_file(target: &Target) -> PathBuf {
    let folder = PathBuf::from("target/fuzz");
    std::fs::create_dir_all(&folder).expect("a folder for what is found");
    folder.join(format!("{}.at", target.name))
}

/// Reads one input after the other, and says at which it is.
fn child(target: &Target, first: u64, seconds: u64) {
    let (start, file) = (Instant::now(), state_file(target));
    let (mut seed, mut accepted) = (first, 0u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        std::fs::write(&file, seed.to_string()).expect("the state can be written");
        accepted += u64::from((target.read)(&target.input(seed)));
        seed += 1;
    }
    println!("{:<10} {} inputs, {accepted} of them accepted", target.name, seed - first);
}

/// Runs a target for its time, again after each input that ends it; how many did.
fn watch(target: &Target, arguments: &Arguments) -> u64 {
    let (start, file) = (Instant::now(), state_file(target));
    let (mut found, mut first) = (0, arguments.seed);
    loop {
        let left = arguments.seconds.saturating_sub(start.elapsed().as_secs());
        if left == 0 || found >= 10 {
            return found;
        }
        let program = std::env::current_exe().expect("this program");
        let mut process = Command::new(program)
            .args(["--child", target.name, &first.to_string(), &left.to_string()])
            .spawn()
            .expect("a process");
        let at = || std::fs::read_to_string(&file).ok().and_then(|text| text.parse::<u64>().ok());
        let (mut last, mut since) = (at(), Instant::now());
        let end = loop {
            if let Some(status) = process.try_wait().expect("a process that was started") {
                break (!status.success()).then_some("a panic or an abort");
            }
            std::thread::sleep(Duration::from_millis(100));
            if at() != last {
                (last, since) = (at(), Instant::now());
            }
            if since.elapsed() > LONGEST {
                process.kill().expect("a process that was started");
                process.wait().expect("a process that was started");
                break Some("no end");
            }
        };
        let Some(what) = end else { return found };
        let seed = at().unwrap_or(first);
        let input = target.input(seed);
        let kept = file.with_file_name(format!("{}-{seed}.txt", target.name));
        std::fs::write(&kept, &input).expect("what was found can be kept");
        eprintln!("{}: {what} at seed {seed}, kept in {}:\n{input}", target.name, kept.display());
        (found, first) = (found + 1, seed + 1);
    }
}
