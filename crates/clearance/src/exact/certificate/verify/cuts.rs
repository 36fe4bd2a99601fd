//! Lower bounds: cuts of the pieces into groups with planes between them, and what shows that solids are not in one another.

use super::body::Body;
use super::motion::{Motion, Situation, Step};
use super::number::Num;
use super::read::{Node, Read};
use super::vector::dot;
use super::winding::Containment;

/// Components times solid meshes of the other body above are refused.
const MOST_NESTED: usize = 1 << 22;

/// A claim that bodies are so far apart, which one or several cuts prove.
struct Cuts<'a> {
    bodies: &'a [Body; 2],
    value: Num,
    order: [Vec<usize>; 2],
    /// For each body, each of its components and each solid mesh of the other, whether it is still to be shown to be outside.
    open: [Vec<bool>; 2],
}

pub(super) fn lower(bodies: &[Body; 2], node: &Node<'_>) -> Read<()> {
    node.fields(&["value", "cut"], &["order_a", "order_b", "outside"])?;
    let mut cuts = Cuts::new(bodies, node, node.get("value")?.number()?)?;
    cuts.check(&node.get("cut")?, &Situation::Rest(bodies))?;
    cuts.finish(node)
}

pub(super) fn free(bodies: &[Body; 2], motion: &Motion, node: &Node<'_>) -> Read<()> {
    node.fields(&["until", "clearance", "steps"], &["order_a", "order_b", "outside"])?;
    let until = node.get("until")?.number()?;
    let mut cuts = Cuts::new(bodies, node, node.get("clearance")?.number()?)?;
    let turns = motion.angular.iter().any(|x| !x.is_zero());
    let reach = if turns { bodies[1].reach(&motion.centre) } else { Some(Num::default()) };
    let Some(reach) = reach else { return node.fails("a body without bounds turns") };
    let mut start = Num::default();
    let steps = node.get("steps")?;
    for item in steps.items()? {
        item.fields(&["to", "cut"], &[])?;
        let end = item.get("to")?.number()?;
        if end <= start {
            return item.get("to")?.fails("not later than the step before");
        }
        let Some(step) = Step::new(bodies, motion, [start, end.clone()], &reach) else {
            return item.fails("turns by more than 1024 radians");
        };
        cuts.check(&item.get("cut")?, &Situation::Step(Box::new(step)))?;
        start = end;
    }
    if start != until {
        return node.get("until")?.fails("not the end of the last step");
    }
    cuts.finish(node)
}

impl<'a> Cuts<'a> {
    fn new(bodies: &'a [Body; 2], node: &Node<'_>, value: Num) -> Read<Self> {
        let order = [order(&bodies[0], node, "order_a")?, order(&bodies[1], node, "order_b")?];
        let counts = [0, 1].map(|own: usize| bodies[own].components.saturating_mul(bodies[1 - own].solids.len()));
        if counts.iter().any(|count| *count > MOST_NESTED) {
            return node.fails("too many components and solid meshes");
        }
        let open = counts.map(|count| vec![true; count]);
        Ok(Self { bodies, value, order, open })
    }

    /// Whether a cut of several leaves proves nothing.
    fn one_leaf(&self) -> bool {
        let solids = self.bodies.iter().any(|body| !body.solids.is_empty());
        self.value.sign() < 0 || (self.value.is_zero() && solids)
    }

    fn check(&mut self, cut: &Node<'_>, situation: &Situation<'_>) -> Read<()> {
        if self.one_leaf() && cut.field("n").is_none() {
            return cut.fails("a cut of several leaves proves only values above zero here");
        }
        let [a, b] = std::mem::take(&mut self.order);
        let checked = self.part(cut, [&a, &b], situation);
        self.order = [a, b];
        checked
    }

    fn part(&mut self, cut: &Node<'_>, pieces: [&[usize]; 2], situation: &Situation<'_>) -> Read<()> {
        if cut.field("n").is_some() {
            return self.leaf(cut, pieces, situation);
        }
        let (side, name) = if cut.field("a").is_some() { (0, "a") } else { (1, "b") };
        cut.fields(&[name, "of"], &[])?;
        let field = cut.get(name)?;
        let count = field.count(pieces[side].len())?;
        if count == 0 {
            return field.fails("a half without pieces");
        }
        let (first, second) = pieces[side].split_at(count);
        let (mut x, mut y) = (pieces, pieces);
        (x[side], y[side]) = (first, second);
        let of = cut.get("of")?;
        let [first, second] = of.exactly()?;
        self.part(&first, x, situation)?;
        self.part(&second, y, situation)
    }

    fn leaf(&mut self, cut: &Node<'_>, pieces: [&[usize]; 2], situation: &Situation<'_>) -> Read<()> {
        cut.fields(&["n"], &["frame"])?;
        let field = cut.get("n")?;
        let mut n = field.direction()?;
        if let Some(frame) = cut.field("frame") {
            n = self.bodies[frame.body()?].map.matrix.cofactor_times(&n);
        }
        let Some(room) = situation.room(&n, pieces) else {
            return field.fails("a half-space has no bound in this direction");
        };
        let [low, high] = dot(&n, &n).root();
        let length = if self.value.sign() > 0 { &high } else { &low };
        if room < &self.value * length {
            let (found, wanted) = (room.to_f64() / high.to_f64(), self.value.to_f64());
            return field.fails(format!("the planes are {found:?} apart, less than {wanted:?}"));
        }
        for own in [0, 1] {
            self.outside_of_hulls(own, pieces[own], pieces[1 - own]);
        }
        Ok(())
    }

    /// Pieces on one side of a plane are outside of solid meshes that are on the other side as a whole.
    fn outside_of_hulls(&mut self, own: usize, pieces: &[usize], others: &[usize]) {
        let other = &self.bodies[1 - own];
        if other.solids.is_empty() {
            return;
        }
        let mut counts = vec![0; other.solids.len()];
        for solid in others.iter().filter_map(|&number| other.pieces[number].solid) {
            counts[solid] += 1;
        }
        for (mesh, _) in other.solids.iter().enumerate().filter(|(mesh, solid)| counts[*mesh] == solid.len()) {
            for &number in pieces {
                self.open[own][self.bodies[own].pieces[number].component * other.solids.len() + mesh] = false;
            }
        }
    }

    /// Checks the entries of `outside`, and that nothing is left open.
    fn finish(mut self, node: &Node<'_>) -> Read<()> {
        let empty = |list: &Node<'_>| *list.value == crate::exact::certificate::value::Value::List(Vec::new());
        if let Some(list) = node.field("outside").filter(|list| !empty(list)) {
            for item in list.items()? {
                let entry = Containment::read(self.bodies, &item)?;
                if entry.inside {
                    return item.fails("the point is inside");
                }
                self.open[entry.owner][entry.component * self.bodies[1 - entry.owner].solids.len() + entry.mesh] =
                    false;
            }
        }
        if self.one_leaf() {
            return Ok(());
        }
        for (own, name) in ["a", "b"].into_iter().enumerate() {
            let Some(place) = self.open[own].iter().position(|open| *open) else { continue };
            let meshes = self.bodies[1 - own].solids.len();
            let (component, mesh) = (place / meshes, place % meshes);
            let piece = self.bodies[own].pieces.iter().position(|piece| piece.component == component).unwrap_or(0);
            return node.fails(format!(
                "nothing shows that piece {piece} of {name}, and what hangs together with it, is not in solid mesh {mesh} of the other"
            ));
        }
        Ok(())
    }
}

/// The order in which the pieces of a body are cut.
fn order(body: &Body, node: &Node<'_>, name: &str) -> Read<Vec<usize>> {
    let count = body.pieces.len();
    let Some(field) = node.field(name) else { return Ok((0..count).collect()) };
    let numbers: Vec<usize> = field.items()?.map(|item| item.count(count)).collect::<Read<_>>()?;
    let mut seen = vec![false; count];
    if numbers.len() != count || numbers.iter().any(|&number| std::mem::replace(&mut seen[number], true)) {
        return field.fails("not every piece once");
    }
    Ok(numbers)
}
