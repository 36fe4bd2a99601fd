//! Threads for batches: pools by their size, and work in pieces between which Ctrl-C is looked for.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::argument;

/// The most threads that are asked for by a number.
const MOST_THREADS: usize = 1024;
/// How long a piece of work may take before signals are looked at.
const PIECE: Duration = Duration::from_millis(50);
/// Rows of the first piece, and the most of any.
const ROWS: [usize; 2] = [64, 1 << 15];

/// Pools by the process and the number of threads. A forked process has none of its parent's threads, so that it makes its own.
type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

/// The pool of so many threads; of as many as there are processors if nothing is said.
pub fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let count = thread_count(threads)?;
    let mut pools = POOLS.get_or_init(Pools::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(pool) = pools.get(&(std::process::id(), count)) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(count).build();
    let pool = Arc::new(pool.map_err(|error| argument("threads", error))?);
    pools.insert((std::process::id(), count), Arc::clone(&pool));
    Ok(pool)
}

/// How many threads are asked for.
pub fn thread_count(threads: Option<usize>) -> PyResult<usize> {
    if threads.is_some_and(|threads| threads == 0 || threads > MOST_THREADS) {
        return Err(argument("threads", format_args!("expected 1 to {MOST_THREADS}, or None for all processors")));
    }
    Ok(threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)))
}

/// Does the work of rows `0..count` in pieces in the pool; see [`pieces`].
pub fn in_pieces(
    py: Python<'_>,
    threads: Option<usize>,
    count: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()> + Send,
) -> PyResult<()> {
    let pool = pool(threads)?;
    pieces(py, count, |range| pool.install(|| work(range)))
}

/// Does the work of rows `0..count` in pieces with other threads of Python running; signals are looked at between the pieces, which take a
/// twentieth of a second or so.
pub fn pieces(py: Python<'_>, count: usize, mut work: impl FnMut(Range<usize>) -> PyResult<()> + Send) -> PyResult<()> {
    let (mut done, mut rows) = (0, ROWS[0]);
    while done < count {
        let end = count.min(done + rows);
        let took = py.detach(|| {
            let start = Instant::now();
            work(done..end).map(|()| start.elapsed())
        })?;
        done = end;
        if 2 * took < PIECE {
            rows = (2 * rows).min(ROWS[1]);
        } else if took > PIECE {
            rows = (rows / 2).max(16);
        }
        py.check_signals()?;
    }
    Ok(())
}
