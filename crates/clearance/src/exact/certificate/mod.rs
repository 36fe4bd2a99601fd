//! Certificates: what was asked, what is claimed and its proof, in one record that anyone can check.
//!
//! `docs/certificates.md` has the format and why a proof in it holds.

pub(crate) mod value;

use std::fmt;

use value::Value;

/// A claim about two bodies with its proof. `Display` and, with the feature `serde`, `Serialize` give its JSON.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Certificate(pub(crate) Value);

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
