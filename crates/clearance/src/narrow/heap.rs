//! A binary heap of fixed capacity, smallest key first.

use arrayvec::ArrayVec;

/// Keys with what they stand for.
pub struct Heap<const CAPACITY: usize>(ArrayVec<(f64, u16), CAPACITY>);

impl<const CAPACITY: usize> Heap<CAPACITY> {
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Adds an entry; a full heap stays as it is.
    #[inline]
    pub fn push(&mut self, key: f64, value: u16) {
        if self.0.try_push((key, value)).is_err() {
            return;
        }
        let mut at = self.0.len() - 1;
        while at > 0 && self.0[at].0 < self.0[(at - 1) / 2].0 {
            self.0.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    /// Takes the entry with the smallest key off.
    #[inline]
    pub fn pop(&mut self) -> Option<(f64, u16)> {
        let first = *self.0.first()?;
        self.0.swap_remove(0);
        let mut at = 0;
        while 2 * at + 1 < self.0.len() {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let child = if right < self.0.len() && self.0[right].0 < self.0[left].0 { right } else { left };
            if !(self.0[child].0 < self.0[at].0) {
                break;
            }
            self.0.swap(at, child);
            at = child;
        }
        Some(first)
    }

    /// Keeps only some entries.
    pub fn retain(&mut self, mut keep: impl FnMut(f64, u16) -> bool) {
        self.0.retain(|&mut (key, value)| keep(key, value));
        // In ascending order an array is a heap.
        self.0.sort_by(|x, y| x.0.total_cmp(&y.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_in_order() {
        let mut heap = Heap::<64>::new();
        for i in 0..64u16 {
            heap.push(f64::from((i * 37) % 64), i);
        }
        heap.push(-1.0, 99);
        assert!(heap.is_full());
        heap.retain(|key, _| key >= 8.0);
        let keys: Vec<f64> = std::iter::from_fn(|| heap.pop()).map(|(key, _)| key).collect();
        assert_eq!(keys, (8..64).map(f64::from).collect::<Vec<_>>());
    }
}
