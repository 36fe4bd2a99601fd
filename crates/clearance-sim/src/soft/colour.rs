//! Colours for constraints: no two of one colour move the same body, so that threads may solve a colour in any order.

/// Colours that are handed out; what finds none free is solved by one thread, in order.
const COLOURS: u32 = 64;

/// A constraint to be made: the points of a pair from `first` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planned {
    /// The pair in the table of contacts.
    pub pair: u32,
    pub first: u32,
    pub count: u32,
    colour: u32,
}

impl Planned {
    pub fn new(pair: u32, first: u32, count: u32) -> Self {
        Self { pair, first, count, colour: 0 }
    }
}

/// The order in which constraints are solved, colour by colour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Colouring {
    /// Colours already used at each body.
    taken: Vec<u64>,
    /// Where each colour ends.
    pub ends: Vec<usize>,
    sorted: Vec<Planned>,
}

impl Colouring {
    /// Gives each constraint a colour and sorts them by it, otherwise leaving their order. `movable` tells the bodies of a constraint
    /// that are moved by it; constraints of two come before those of one, so that what rests on fixed bodies is solved last.
    pub fn sort(&mut self, planned: &mut Vec<Planned>, count: usize, movable: impl Fn(&Planned) -> [Option<u32>; 2]) {
        let mut first = 0;
        self.ends.clear();
        self.sorted.clear();
        let two = |plan: &Planned| movable(plan).iter().flatten().count() == 2;
        for wanted in [true, false] {
            self.taken.clear();
            self.taken.resize(count, 0);
            let mut counts = [0usize; COLOURS as usize + 1];
            for plan in planned.iter_mut().filter(|plan| two(plan) == wanted) {
                let bodies = movable(plan);
                let used = bodies.iter().flatten().fold(0, |used, &body| used | self.taken[body as usize]);
                plan.colour = used.trailing_ones();
                if plan.colour < COLOURS {
                    bodies.iter().flatten().for_each(|&body| self.taken[body as usize] |= 1 << plan.colour);
                }
                counts[plan.colour as usize] += 1;
            }
            for colour in 0..=COLOURS {
                if counts[colour as usize] == 0 {
                    continue;
                }
                let own = |plan: &&Planned| plan.colour == colour && two(plan) == wanted;
                self.sorted.extend(planned.iter().filter(own));
                first += counts[colour as usize];
                if colour == COLOURS {
                    // Each by itself: one range per constraint.
                    self.ends.extend(first - counts[colour as usize] + 1..=first);
                } else {
                    self.ends.push(first);
                }
            }
        }
        std::mem::swap(planned, &mut self.sorted);
    }
}
