//! A constraint as a damped spring, integrated implicitly: stable for any stiffness.

use clearance::Real;

/// How a soft constraint answers an error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Softness {
    /// The share of an error that is taken back per second.
    pub bias_rate: Real,
    /// The share of the rigid constraint's impulse that is applied.
    pub mass_scale: Real,
    /// The share of the impulse so far that is given back.
    pub impulse_scale: Real,
}

impl Softness {
    /// A constraint that only stops motion, without taking back any error.
    pub const RIGID: Self = Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };

    /// A spring of this natural frequency and damping ratio for a sub-step of `h` seconds.
    pub fn new(hertz: Real, damping: Real, h: Real) -> Self {
        let omega = 2.0 * std::f64::consts::PI as Real * hertz;
        let a1 = 2.0 * damping + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self { bias_rate: omega / a1, mass_scale: a2 * a3, impulse_scale: a3 }
    }
}
