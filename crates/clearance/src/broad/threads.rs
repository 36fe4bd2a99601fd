//! Work shared out among threads, in parts of fixed size: what a part does never depends on who does it.

use std::ops::Range;

use super::pair::Pair;

/// Entries that one thread takes at a time.
#[cfg(feature = "parallel")]
const PART: usize = 1024;

/// Whether work on so many entries is shared out.
#[cfg(feature = "parallel")]
fn is_shared(count: usize) -> bool {
    count > PART && rayon::current_num_threads() > 1
}

/// Runs over `0..count` in parts, each with a list of its own; the lists are in order.
pub fn each_range(count: usize, lists: &mut Vec<Vec<Pair>>, work: impl Fn(Range<usize>, &mut Vec<Pair>) + Sync) {
    lists.iter_mut().for_each(Vec::clear);
    #[cfg(feature = "parallel")]
    if is_shared(count) {
        use rayon::prelude::*;
        let parts = count.div_ceil(PART);
        if lists.len() < parts {
            lists.resize_with(parts, Vec::new);
        }
        let each = lists[..parts].par_iter_mut().enumerate();
        each.for_each(|(nth, list)| work(nth * PART..count.min((nth + 1) * PART), list));
        return;
    }
    if lists.is_empty() {
        lists.push(Vec::new());
    }
    work(0..count, &mut lists[0]);
}

/// Runs over two tables of the same length in parts, each with the index of its first entry.
pub fn each_part<A: Send, B: Send>(a: &mut [A], b: &mut [B], work: impl Fn(usize, &mut [A], &mut [B]) + Sync) {
    #[cfg(feature = "parallel")]
    if is_shared(a.len()) {
        use rayon::prelude::*;
        let parts = a.par_chunks_mut(PART).zip(b.par_chunks_mut(PART)).enumerate();
        parts.for_each(|(nth, (a, b))| work(nth * PART, a, b));
        return;
    }
    work(0, a, b);
}
