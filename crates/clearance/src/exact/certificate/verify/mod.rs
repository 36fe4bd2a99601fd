//! The checker of certificates. It takes nothing from the search for proofs: it reads a record strictly and checks every claim by
//! integers of any size, as `docs/certificates.md` says, and so does `tools/check_certificate.py`, which shares no code with it.
//!
//! Why it ends: each value of a record is read once; each leaf of a cut looks at the pieces that it has, and each point with a ray at the
//! triangles of one mesh. Records nested too deep are refused first.

mod body;
mod cuts;
mod motion;
mod number;
mod read;
mod shape;
mod upper;
mod vector;
mod winding;

use super::Certificate;
use super::value::Value;
use body::Body;
use motion::Motion;
use read::{Node, Read};

pub use read::Refused;

/// The most lists and records in one another.
const DEEPEST: usize = 100;

const CLAIMS: [&str; 4] = ["lower", "upper", "free", "near"];

impl Certificate {
    /// Checks every proof of the certificate in integers of any size, with nothing from the code that made it.
    ///
    /// # Errors
    /// The first value where a proof fails, or that is not in the format.
    ///
    /// ```
    /// use clearance::{Cache, Pose, Shape, exact};
    /// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
    /// let pose = Pose::from_translation([2.0, 0.0, 0.0])?;
    /// let certificate = exact::certify(&cube, &Pose::IDENTITY, &ball, &pose, &mut Cache::default())?;
    /// certificate.verify()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(&self) -> Result<(), Refused> {
        let root = Node::root(&self.0);
        if is_deeper(&self.0, DEEPEST) {
            return root.fails(format!("nested more than {DEEPEST} deep"));
        }
        if self.0.field("certificate") != Some(&Value::Count(1)) {
            return root.fails("not a certificate of version 1");
        }
        root.fields(&["certificate", "a", "b"], &["motion", "lower", "upper", "free", "near"])?;
        if CLAIMS.iter().all(|claim| root.field(claim).is_none()) {
            return root.fails("claims nothing");
        }
        claims(&root)
    }
}

fn claims(root: &Node<'_>) -> Read<()> {
    let bodies = [Body::read(&root.get("a")?)?, Body::read(&root.get("b")?)?];
    let motion = root.field("motion").map(|motion| Motion::read(&motion)).transpose()?;
    if let Some(lower) = root.field("lower") {
        cuts::lower(&bodies, &lower)?;
    }
    if let Some(upper) = root.field("upper") {
        upper::upper(&bodies, &upper)?;
    }
    for name in ["free", "near"] {
        let Some(claim) = root.field(name) else { continue };
        let Some(motion) = &motion else { return claim.fails("no motion is given") };
        if name == "free" { cuts::free(&bodies, motion, &claim)? } else { upper::near(&bodies, motion, &claim)? }
    }
    Ok(())
}

/// Whether lists and records are nested deeper than a number.
fn is_deeper(value: &Value, left: usize) -> bool {
    let deeper = |inner: &Value| is_deeper(inner, left - 1);
    match value {
        Value::List(_) | Value::Record(_) if left == 0 => true,
        Value::List(values) => values.iter().any(deeper),
        Value::Record(fields) => fields.iter().any(|(_, inner)| deeper(inner)),
        _ => false,
    }
}
