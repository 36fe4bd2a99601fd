//! Convex shapes of a record: what they are, their support values, and the points that a proof names.

use super::number::Num;
use super::read::{Node, Read};
use super::vector::{Map, Vector, cross, dot, is_zero, length_above, minus, plus, times};

#[derive(Debug, Clone)]
pub(super) enum Convex {
    Hull(Vec<Vector>),
    Ellipsoid(Vector),
    /// Heights and radii, the lower one first.
    Discs([[Num; 2]; 2]),
    Balls(Vec<(Vector, Num)>),
    HalfSpace(Vector, Num),
    Round(Box<Convex>, Num),
    Sum(Vec<Part>),
    HullOf(Vec<Part>),
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub shape: Convex,
    pub map: Map,
}

impl Part {
    fn read(node: &Node<'_>) -> Read<Self> {
        node.fields(&["shape", "matrix", "translation"], &[])?;
        Ok(Self { shape: Convex::read(&node.get("shape")?)?, map: node.map()? })
    }

    pub fn support(&self, d: &Vector) -> Option<Num> {
        let own = self.shape.support(&self.map.matrix.transposed_times(d))?;
        Some(&own + &dot(&self.map.translation, d))
    }
}

impl Convex {
    pub fn read(node: &Node<'_>) -> Read<Self> {
        let inner = node.kind()?;
        Ok(match inner.name() {
            "hull" => Self::Hull(inner.items()?.map(|item| item.vector()).collect::<Read<_>>()?),
            "ellipsoid" => {
                let [x, y, z] = inner.exactly()?;
                Self::Ellipsoid([x.size()?, y.size()?, z.size()?])
            }
            "discs" => Self::discs(&inner)?,
            "balls" => Self::Balls(inner.items()?.map(|item| ball(&item)).collect::<Read<_>>()?),
            "half_space" => {
                let [normal, offset] = inner.exactly()?;
                Self::HalfSpace(normal.direction()?, offset.number()?)
            }
            "round" => {
                let [core, radius] = inner.exactly()?;
                let (core, radius) = (Self::read(&core)?, radius.size()?);
                if matches!(core, Self::HalfSpace(..)) {
                    return inner.fails("a half-space cannot be round");
                }
                Self::Round(Box::new(core), radius)
            }
            "sum" => Self::Sum(inner.items()?.map(|item| Part::read(&item)).collect::<Read<_>>()?),
            "hull_of" => Self::HullOf(inner.items()?.map(|item| Part::read(&item)).collect::<Read<_>>()?),
            _ => return node.fails("not a convex shape"),
        })
    }

    fn discs(inner: &Node<'_>) -> Read<Self> {
        let read = |item: &Node<'_>| {
            let [height, radius] = item.exactly()?;
            Ok([height.number()?, radius.size()?])
        };
        let [first, second] = inner.exactly()?;
        let (first, second) = (read(&first)?, read(&second)?);
        Ok(Self::Discs(if first[0] <= second[0] { [first, second] } else { [second, first] }))
    }

    /// What is left without outer roundings, and the sum of their radii.
    pub fn sharp(&self) -> (&Self, Num) {
        let (mut core, mut radius) = (self, Num::default());
        while let Self::Round(inner, more) = core {
            radius = &radius + more;
            core = inner;
        }
        (core, radius)
    }

    /// A number not below `d · x` for all points x; nothing if there is none.
    pub fn support(&self, d: &Vector) -> Option<Num> {
        match self {
            Self::Hull(corners) => corners.iter().map(|corner| dot(corner, d)).max(),
            Self::Ellipsoid(radii) => Some(length_above(&std::array::from_fn(|k| &radii[k] * &d[k]))),
            Self::Discs(discs) => {
                let across = length_above(&[d[0].clone(), d[1].clone(), Num::default()]);
                discs.iter().map(|[height, radius]| &(height * &d[2]) + &(radius * &across)).max()
            }
            Self::Balls(balls) => {
                let length = length_above(d);
                balls.iter().map(|(centre, radius)| &dot(centre, d) + &(radius * &length)).max()
            }
            Self::Round(core, radius) => Some(&core.support(d)? + &(radius * &length_above(d))),
            Self::Sum(parts) => parts.iter().try_fold(Num::default(), |sum, part| Some(&sum + &part.support(d)?)),
            Self::HullOf(parts) => {
                let values: Option<Vec<Num>> = parts.iter().map(|part| part.support(d)).collect();
                values?.into_iter().max()
            }
            Self::HalfSpace(normal, offset) => half_space_support(normal, offset, d),
        }
    }

    /// The point that a proof names, in the frame of the shape; `offsets` says whether points of roundings may be named.
    pub fn point(&self, node: &Node<'_>, offsets: bool) -> Read<Vector> {
        match self {
            Self::Round(core, radius) => {
                if offsets && node.field("offset").is_some() && node.field("point").is_some() {
                    node.fields(&["point", "offset"], &[])?;
                    return Ok(plus(&core.point(&node.get("point")?, true)?, &offset(node, radius)?));
                }
                core.point(node, offsets)
            }
            Self::Hull(corners) => Ok(corners[node.count(corners.len())?].clone()),
            Self::Balls(balls) => {
                node.fields(&["ball", "offset"], &[])?;
                let (centre, radius) = &balls[node.get("ball")?.count(balls.len())?];
                Ok(plus(centre, &offset(node, radius)?))
            }
            Self::HullOf(parts) => {
                node.fields(&["of", "point"], &[])?;
                let part = &parts[node.get("of")?.count(parts.len())?];
                Ok(part.map.place(&part.shape.point(&node.get("point")?, true)?))
            }
            Self::Sum(parts) => sum_point(parts, node),
            Self::Ellipsoid(_) | Self::Discs(_) | Self::HalfSpace(..) => {
                let x = node.vector()?;
                if self.holds(&x) { Ok(x) } else { node.fails("not a point of the shape") }
            }
        }
    }

    /// Whether a point is in an ellipsoid, between discs, or in a half-space.
    fn holds(&self, x: &Vector) -> bool {
        match self {
            Self::Ellipsoid(radii) => in_ellipsoid(radii, x),
            Self::HalfSpace(normal, offset) => dot(normal, x) <= *offset,
            Self::Discs([[bottom, first], [top, second]]) => {
                if x[2] < *bottom || *top < x[2] {
                    return false;
                }
                let height = top - bottom;
                let (radius, scale) = if height.is_zero() {
                    (first.max(second).clone(), Num::from(1.0))
                } else {
                    (&(first * &(top - &x[2])) + &(second * &(&x[2] - bottom)), height)
                };
                let across = &(&x[0] * &x[0]) + &(&x[1] * &x[1]);
                &across * &(&scale * &scale) <= &radius * &radius
            }
            _ => false,
        }
    }
}

fn ball(item: &Node<'_>) -> Read<(Vector, Num)> {
    let [centre, radius] = item.exactly()?;
    Ok((centre.vector()?, radius.size()?))
}

fn sum_point(parts: &[Part], node: &Node<'_>) -> Read<Vector> {
    node.fields(&["sum"], &[])?;
    let list = node.get("sum")?;
    let items = list.items()?;
    if items.len() != parts.len() {
        return list.fails(format!("a list of {} instead of {}", items.len(), parts.len()));
    }
    let mut total = Vector::default();
    for (part, item) in parts.iter().zip(items) {
        total = plus(&total, &part.map.place(&part.shape.point(&item, true)?));
    }
    Ok(total)
}

/// The field `offset`, which is not longer than a radius.
fn offset(node: &Node<'_>, radius: &Num) -> Read<Vector> {
    let field = node.get("offset")?;
    let step = field.vector()?;
    if dot(&step, &step) > radius * radius { field.fails("longer than the radius") } else { Ok(step) }
}

/// `Σ (xᵢ/rᵢ)² ≤ 1`, multiplied by the squares of the radii that are not zero.
fn in_ellipsoid(radii: &Vector, x: &Vector) -> bool {
    if radii.iter().zip(x).any(|(radius, x)| radius.is_zero() && !x.is_zero()) {
        return false;
    }
    let squares = radii.each_ref().map(|radius| if radius.is_zero() { Num::from(1.0) } else { radius * radius });
    let part = |k: usize| &(&x[k] * &x[k]) * &(&squares[(k + 1) % 3] * &squares[(k + 2) % 3]);
    let sum = &(&part(0) + &part(1)) + &part(2);
    sum <= &squares[0] * &(&squares[1] * &squares[2])
}

fn half_space_support(normal: &Vector, offset: &Num, d: &Vector) -> Option<Num> {
    if is_zero(d) {
        return Some(Num::default());
    }
    let along = dot(d, normal);
    if along.sign() < 0 || !is_zero(&cross(d, normal)) {
        return None;
    }
    // d is the normal times a factor; any coordinate of the normal that is not zero tells it.
    let k = normal.iter().position(|x| !x.is_zero())?;
    let [_, above] = (offset * &d[k]).quotient(&normal[k])?;
    Some(above)
}

/// A number not below the distance of any point of a moved shape from a centre; nothing if there is none. The maps are applied from the
/// first to the last.
pub(super) fn reach(shape: &Convex, maps: &[&Map], centre: &Vector) -> Option<Num> {
    let place = |x: &Vector| maps.iter().fold(x.clone(), |x, map| map.place(&x));
    match shape {
        Convex::Hull(corners) => {
            let squares = corners.iter().map(|corner| minus(&place(corner), centre)).map(|arm| dot(&arm, &arm));
            squares.max().map(|square| square.root()[1].clone())
        }
        Convex::HullOf(parts) => {
            let mut most = Num::default();
            for part in parts {
                let longer: Vec<&Map> = std::iter::once(&part.map).chain(maps.iter().copied()).collect();
                most = most.max(reach(&part.shape, &longer, centre)?);
            }
            Some(most)
        }
        Convex::Round(core, radius) if matches!(shape.sharp().0, Convex::Hull(_) | Convex::HullOf(_)) => {
            let grown = maps.iter().fold(radius.clone(), |radius, map| &radius * &map.matrix.norm_above());
            Some(&reach(core, maps, centre)? + &grown)
        }
        _ => box_reach(shape, maps, centre),
    }
}

/// The distance of the farthest corner of the shape's box.
fn box_reach(shape: &Convex, maps: &[&Map], centre: &Vector) -> Option<Num> {
    let mut square = Num::default();
    for axis in 0..3 {
        let mut most = Num::default();
        for sign in [1.0, -1.0] {
            let mut unit = Vector::default();
            unit[axis] = Num::from(sign);
            let far = &moved_support(shape, maps, &unit)? - &(&centre[axis] * &unit[axis]);
            most = most.max(far);
        }
        square = &square + &(&most * &most);
    }
    let [_, above] = square.root();
    Some(above)
}

/// The support value of a shape moved by maps, from the first to the last.
pub(super) fn moved_support(shape: &Convex, maps: &[&Map], d: &Vector) -> Option<Num> {
    let (mut d, mut moved) = (times(d, &Num::from(1.0)), Num::default());
    for map in maps.iter().rev() {
        moved = &moved + &dot(&map.translation, &d);
        d = map.matrix.transposed_times(&d);
    }
    Some(&shape.support(&d)? + &moved)
}
