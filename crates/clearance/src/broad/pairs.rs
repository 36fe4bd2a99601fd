//! The pairs of this update and of the last, in order, and the difference.
//!
//! Pairs are sorted by counting their first members and then by insertion among those that share one: linear in bodies and
//! pairs unless a body has very many, which are sorted by comparison.

use super::{Bodies, Pair, Update};

/// More pairs of one body than this are sorted by comparison.
const FEW: usize = 24;

#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    current: Vec<Pair>,
    previous: Vec<Pair>,
    entered: Vec<Pair>,
    left: Vec<Pair>,
    found: Vec<Pair>,
    starts: Vec<u32>,
    /// Pairs of bodies that were removed while updates were not complete, which the next complete one tells.
    dropped: Vec<Pair>,
    is_overfull: bool,
}

impl Pairs {
    /// Where an update puts the pairs it finds, in any order; empty at first.
    #[inline]
    pub fn found(&mut self) -> &mut Vec<Pair> {
        &mut self.found
    }

    /// The pairs of the last update.
    #[inline]
    pub fn current(&self) -> &[Pair] {
        &self.current
    }

    pub fn update(&self) -> Update<'_> {
        let is_complete = !self.is_overfull;
        Update { pairs: &self.current, entered: &self.entered, left: &self.left, is_complete }
    }

    /// Whether the last update found more pairs than are kept.
    #[inline]
    pub fn is_overfull(&self) -> bool {
        self.is_overfull
    }

    /// Takes what was found, each pair once with the smaller number first, as the pairs of this update. If there are more than are kept,
    /// the pairs stay as they were.
    pub fn finish(&mut self, bodies: &mut Bodies) {
        self.is_overfull = self.found.len() > bodies.most_pairs();
        if self.is_overfull {
            return self.refuse(bodies);
        }
        std::mem::swap(&mut self.current, &mut self.previous);
        self.sort(bodies.capacity());
        self.found.clear();
        self.compare(bodies);
        bodies.settle();
    }

    /// Nothing has entered or left; pairs of bodies that are gone are told later.
    #[cold]
    fn refuse(&mut self, bodies: &mut Bodies) {
        let Self { current, entered, left, found, dropped, .. } = self;
        (*found, *entered, *left) = (Vec::new(), Vec::new(), Vec::new());
        current.retain(|&pair| {
            if bodies.replaced(pair) {
                dropped.push(pair);
            }
            !bodies.replaced(pair)
        });
        bodies.settle();
    }

    /// Sorts what was found into `current`.
    fn sort(&mut self, bodies: usize) {
        self.current.clear();
        if self.found.len() < bodies / 8 {
            self.current.extend_from_slice(&self.found);
            self.current.sort_unstable();
            return;
        }
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for pair in &self.found {
            self.starts[pair[0] as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.current.resize(self.found.len(), [0, 0]);
        for pair in &self.found {
            let slot = &mut self.starts[pair[0] as usize];
            *slot -= 1;
            self.current[*slot as usize] = *pair;
        }
        for range in self.starts.windows(2) {
            sort_few(&mut self.current[range[0] as usize..range[1] as usize]);
        }
    }

    /// Walks both lists at once. A pair in both counts as left and entered if one of its bodies was removed in between.
    fn compare(&mut self, bodies: &Bodies) {
        self.entered.clear();
        self.left.clear();
        let (now, before) = (&self.current, &self.previous);
        let (mut i, mut j) = (0, 0);
        while let (Some(&a), Some(&b)) = (now.get(i), before.get(j)) {
            if a < b || a == b && bodies.replaced(a) {
                self.entered.push(a);
            }
            if b < a || a == b && bodies.replaced(a) {
                self.left.push(b);
            }
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        self.entered.extend_from_slice(&now[i..]);
        self.left.extend_from_slice(&before[j..]);
        if !self.dropped.is_empty() {
            self.left.append(&mut self.dropped);
            self.left.sort_unstable();
        }
    }
}

#[inline]
fn sort_few(pairs: &mut [Pair]) {
    if pairs.len() > FEW {
        return pairs.sort_unstable();
    }
    for i in 1..pairs.len() {
        let mut j = i;
        while j > 0 && pairs[j - 1][1] > pairs[j][1] {
            pairs.swap(j - 1, j);
            j -= 1;
        }
    }
}

/// The pair in order.
#[inline]
pub(super) fn ordered(a: u32, b: u32) -> Pair {
    [a.min(b), a.max(b)]
}
