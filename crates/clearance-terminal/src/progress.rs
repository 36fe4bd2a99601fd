//! A progress bar on stderr for work that takes longer than a second.
//!
//! The bar is drawn only from within [`Progress::start`] and [`Progress::advance`]: a thread that redraws
//! it in the background would disturb the timings. So advance between measurements, not inside them.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Work shorter than this ends before a bar could be read.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of one piece of work after the other; may be shared between threads.
#[derive(Debug)]
pub struct Progress {
    visible: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    bar: ProgressBar,
    since: Option<Instant>,
    drawn: bool,
}

impl Progress {
    /// Draws on stderr if that is a terminal.
    pub fn new() -> Self {
        Self::with_visibility(std::io::stderr().is_terminal())
    }

    /// Draws nothing.
    pub fn hidden() -> Self {
        Self::with_visibility(false)
    }

    fn with_visibility(visible: bool) -> Self {
        Self { visible, state: Mutex::new(State { bar: ProgressBar::hidden(), since: None, drawn: false }) }
    }

    /// Begins a piece of work of `len` steps, ending the one before.
    ///
    /// Patience runs from the first piece on: many short pieces are long together.
    pub fn start(&self, len: u64, what: &str) {
        let mut state = self.state();
        state.bar.finish_and_clear();
        let template = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {eta}");
        state.bar = ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::hidden())
            .with_style(template.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_message(what.to_owned())
            .with_finish(ProgressFinish::AndClear);
        state.drawn = false;
        state.since.get_or_insert_with(Instant::now);
        self.draw_if_due(&mut state);
    }

    /// `steps` more steps are done.
    pub fn advance(&self, steps: u64) {
        let mut state = self.state();
        state.bar.inc(steps);
        self.draw_if_due(&mut state);
    }

    /// All is done: removes the bar.
    pub fn finish(&self) {
        let mut state = self.state();
        state.bar.finish_and_clear();
        state.since = None;
    }

    /// Steps done of the current piece of work.
    pub fn position(&self) -> u64 {
        self.state().bar.position()
    }

    fn draw_if_due(&self, state: &mut State) {
        let late = state.since.is_some_and(|since| since.elapsed() >= PATIENCE);
        if self.visible && late && !state.drawn {
            state.bar.set_draw_target(ProgressDrawTarget::stderr());
            state.bar.tick();
            state.drawn = true;
        }
    }

    /// A thread that panicked while it held the bar leaves nothing worse than a stale bar.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
