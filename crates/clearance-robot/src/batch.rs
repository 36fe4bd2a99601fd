//! Batches: rows of values, checks of their numbers, and work shared among threads with the same results for any number of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::BatchError;
use crate::read::JointKind;
use crate::robot::Joint;
use crate::tolerance::{LARGEST_VALUE, QUATERNION_LENGTH};

/// Rows that a thread takes at a time.
const CHUNK: usize = 64;
/// Threads that are started at most.
const MOST_THREADS: usize = 256;

/// How many configurations a slice has.
pub fn rows(what: &'static str, q: &[f64], dof: usize) -> Result<usize, BatchError> {
    if dof == 0 && q.is_empty() {
        return Ok(0);
    }
    if dof == 0 || !q.len().is_multiple_of(dof) {
        return Err(BatchError::Length { what, found: q.len(), dof });
    }
    Ok(q.len() / dof)
}

/// Checks that all values are finite and in range, and quaternions of unit length.
pub fn check_row(joints: &[Joint], q: &[f64], row: usize) -> Result<(), BatchError> {
    if let Some(column) = q.iter().position(|value| !(value.abs() <= LARGEST_VALUE)) {
        return Err(BatchError::Value { row, column, value: q[column] });
    }
    for joint in joints.iter().filter(|joint| joint.kind == JointKind::Floating) {
        let column = joint.first_value + 3;
        let length = q[column..column + 4].iter().map(|value| value * value).sum::<f64>().sqrt();
        if !((length - 1.0).abs() <= QUATERNION_LENGTH) {
            return Err(BatchError::Value { row, column, value: q[column] });
        }
    }
    Ok(())
}

/// Answers rows one by one, each by itself, so that neither the number of threads nor the division of the rows changes a bit. Each
/// thread has scratch memory of its own.
pub fn for_rows<S: Default, T: Send>(
    count: usize,
    threads: usize,
    answer: impl Fn(usize, &mut S) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(MOST_THREADS).min(count.div_ceil(CHUNK)).max(1);
    if threads == 1 {
        let mut scratch = S::default();
        return (0..count).map(|row| answer(row, &mut scratch)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut scratch, mut done) = (S::default(), Vec::new());
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let first = chunk * CHUNK;
            if first >= count {
                return done;
            }
            let answers: Vec<T> = (first..count.min(first + CHUNK)).map(|row| answer(row, &mut scratch)).collect();
            done.push((chunk, answers));
        }
    };
    let mut chunks: Vec<(usize, Vec<T>)> = Vec::new();
    std::thread::scope(|scope| {
        // A thread that the system refuses is not there; the others do its work.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        chunks.extend(work());
        for other in others {
            match other.join() {
                Ok(done) => chunks.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    chunks.sort_unstable_by_key(|(chunk, _)| *chunk);
    chunks.into_iter().flat_map(|(_, answers)| answers).collect()
}
