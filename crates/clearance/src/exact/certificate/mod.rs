//! Certificates: what was asked, what is claimed and its proof, in one record that anyone can check.
//!
//! `docs/certificates.md` has the format and why a proof in it holds. The verbs answer first; the proof is then searched for in doubles, near
//! the answer, written down with every number of the bodies as stored, and checked exactly before it is given. Bounds in a certificate are those that the proof shows: they may be
//! a few rounding errors wider than the answer's, and for depths of curved bodies more.
//!
//! No certificates: user-defined supports and trajectories, rooms, depths of concave bodies.

mod block;
mod bounds;
mod cut;
mod motion;
mod nearest;
mod record;
mod shell;
pub(crate) mod value;
mod verify;

use crate::ccd::CastOptions;
use crate::math::{Pose, Real, widen, widen_real};
use crate::motion::Motion;
use crate::shape::BodyRef;
use crate::verbs::{Cache, closest, within};
use cut::Scene;
use record::{sides, written};

pub use record::NotCertified;
pub use value::Certificate;
pub use verify::Refused;

/// A certificate of the signed distance of two bodies: bounds as near to the answer of [`closest`] as a proof is found for.
///
/// # Errors
/// If a body is a user's own support or a room, or the proof would be too long.
///
/// ```
/// use clearance::{Cache, Pose, Shape, exact};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let pose = Pose::from_translation([2.0, 0.0, 0.0])?;
/// let certificate = exact::certify(&cube, &Pose::IDENTITY, &ball, &pose, &mut Cache::default())?;
/// let bounds = [certificate.lower(), certificate.upper()].map(Option::unwrap_or_default);
/// assert!(bounds[0] <= 0.5 && 0.5 <= bounds[1] && bounds[1] - bounds[0] < 1e-6);
/// assert!(certificate.to_string().starts_with("{\"certificate\":1,")); // JSON for anyone to check
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
) -> Result<Certificate, NotCertified> {
    distance(&a.into(), pose_a, &b.into(), pose_b, cache, [true; 2]).and_then(checked)
}

/// The same as [`certify`] without the check, and with the claims that are asked for, the lower bound and the upper one: for experiments
/// that judge many answers.
///
/// # Errors
/// As [`certify`].
#[cfg(feature = "internals")]
#[doc(hidden)]
pub fn certify_unchecked<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    cache: &mut Cache,
    claims: [bool; 2],
) -> Result<Certificate, NotCertified> {
    distance(&a.into(), pose_a, &b.into(), pose_b, cache, claims)
}

fn distance(
    a: &BodyRef<'_>,
    pose_a: &Pose,
    b: &BodyRef<'_>,
    pose_b: &Pose,
    cache: &mut Cache,
    claims: [bool; 2],
) -> Result<Certificate, NotCertified> {
    let near = closest(a, pose_a, b, pose_b, cache);
    let hint = widen(near.normal);
    let sides = sides([a, b], [pose_a, pose_b])?;
    let mut scene = Scene::new([&sides[0], &sides[1]], None);
    let lower = if claims[0] { bounds::lower(&mut scene, widen_real(near.lower), hint)? } else { None };
    let upper = if claims[1] { bounds::upper(&mut scene, widen_real(near.upper), hint)? } else { None };
    written(&sides, [("lower", lower), ("upper", upper)])
}

/// The certificate with the claims whose proofs hold when checked: the search may be off by more than it allows for.
fn checked(mut certificate: Certificate) -> Result<Certificate, NotCertified> {
    while let Err(refused) = certificate.verify() {
        let claim = refused.at.split('.').next().unwrap_or_default();
        if !certificate.withdraw(claim) {
            return Err(NotCertified::Unproved);
        }
    }
    Ok(certificate)
}

/// A certificate that two bodies are within a distance of each other, or that they are not: what [`within`] answers. A distance of zero
/// asks whether they overlap.
///
/// # Errors
/// If a body is a user's own support or a room, or the proof would be too long.
///
/// ```
/// use clearance::{Cache, Pose, Shape, exact};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let pose = Pose::from_translation([2.0, 0.0, 0.0])?;
/// let proof = exact::certify_within(&cube, &Pose::IDENTITY, &ball, &pose, 0.25, &mut Cache::default())?;
/// assert!(proof.lower().is_some_and(|lower| lower > 0.25)); // they are farther apart
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_within<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    pose_b: &Pose,
    distance: Real,
    cache: &mut Cache,
) -> Result<Certificate, NotCertified> {
    let (a, b) = (a.into(), b.into());
    let answer = within(&a, pose_a, &b, pose_b, distance, cache);
    let near = closest(&a, pose_a, &b, pose_b, cache);
    let hint = widen(near.normal);
    let sides = sides([&a, &b], [pose_a, pose_b])?;
    let mut scene = Scene::new([&sides[0], &sides[1]], None);
    let claim = if answer.within {
        ("upper", bounds::upper(&mut scene, widen_real(near.upper), hint)?)
    } else {
        // Some of the room between the two numbers makes the proof short.
        let enough = widen_real(distance) + 0.25 * widen_real(near.lower - distance);
        ("lower", bounds::lower(&mut scene, enough.max(0.0), hint)?)
    };
    written(&sides, [claim]).and_then(checked)
}

/// A certificate of the free part of a motion, and of how near the bodies are where it ends: what [`cast`](crate::cast()) answers.
///
/// # Errors
/// If a body is a user's own support or a room, the motion is a user's own, the proof would be too long, or the cast is refused.
///
/// ```
/// use clearance::{Cache, CastOptions, Motion, Pose, Shape, exact};
/// let (cube, ball) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::sphere(0.5)?);
/// let motion = Motion::translation(Pose::from_translation([5.0, 0.0, 0.0])?, [-7.0, 0.0, 0.0])?;
/// let (mut cache, options) = (Cache::default(), CastOptions::default());
/// let proof = exact::certify_cast(&cube, &Pose::IDENTITY, &ball, &motion, &mut cache, &options)?;
/// assert!(proof.free_until().is_some_and(|until| (0.499..=0.5).contains(&until)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_cast<'a, 'b>(
    a: impl Into<BodyRef<'a>>,
    pose_a: &Pose,
    b: impl Into<BodyRef<'b>>,
    motion: &Motion,
    cache: &mut Cache,
    options: &CastOptions,
) -> Result<Certificate, NotCertified> {
    motion::certify(&a.into(), pose_a, &b.into(), motion, cache, options).and_then(checked)
}
