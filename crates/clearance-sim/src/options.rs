//! What to ask of a simulation.

use clearance::{Method, Real, Vec3};

use crate::error::SimError;

/// What to ask of a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulationOptions {
    /// Seconds that one step takes.
    pub step: Real,
    /// The acceleration of everything that falls.
    pub gravity: Vec3,
    /// How contacts and joints are solved.
    pub solver: Solver,
    /// Bodies this near to each other have contacts already, so that they are slowed down before they meet.
    pub margin: Real,
    /// Whether islands of calm bodies sleep: those of which no point strays by more than 0.0125 in half a second.
    pub sleeping: bool,
    /// A body farther than this from the origin is held where it is, and reported by each step.
    pub bounds: Real,
    /// Whether the ways of fast bodies are cast, so that they pass through nothing.
    pub continuous: bool,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self {
            step: 1.0 / 60.0,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            solver: Solver::default(),
            margin: 0.02,
            sleeping: true,
            bounds: 100_000.0,
            continuous: true,
        }
    }
}

/// How contacts and joints are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Solver {
    /// Soft constraints in sub-steps, with warm starting, joints, islands and threads.
    SoftStep(SoftStep),
    /// The solver of the thesis on implicit objects, section 4.2. It has no joints and no sleep, and does not
    /// cast fast bodies.
    Thesis(Thesis),
}

impl Default for Solver {
    fn default() -> Self {
        Self::SoftStep(SoftStep::default())
    }
}

/// The numbers of the soft-step solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftStep {
    /// Sub-steps per step, each with one iteration and one pass that relaxes it.
    pub sub_steps: u32,
    /// Natural frequency of a contact as a spring, in hertz; at most a quarter of the frequency of sub-steps is used.
    pub contact_hertz: Real,
    /// Damping ratio of a contact.
    pub contact_damping: Real,
    /// Natural frequency of a joint.
    pub joint_hertz: Real,
    /// Damping ratio of a joint.
    pub joint_damping: Real,
    /// Iterations over the joints for each one over the contacts.
    pub joint_iterations: u32,
    /// The largest speed at which overlaps are pushed apart.
    pub push_speed: Real,
    /// Bodies that meet slower than this do not bounce.
    pub bounce_speed: Real,
    /// Contacts of two bodies are kept, and move with them, while these move against each other by no more than this share of the smaller
    /// one's radius ([`WorldOptions::keep_contacts`](clearance::world::WorldOptions::keep_contacts)); 0: they are found anew in every step.
    pub keep_contacts: Real,
}

impl Default for SoftStep {
    fn default() -> Self {
        Self {
            sub_steps: 4,
            contact_hertz: 30.0,
            contact_damping: 10.0,
            joint_hertz: 60.0,
            joint_damping: 2.0,
            joint_iterations: 4,
            push_speed: 3.0,
            bounce_speed: 1.0,
            keep_contacts: 0.05,
        }
    }
}

impl SoftStep {
    /// The springs of the default, made for 60 steps a second, for a step of another length: as stiff against the sub-steps.
    ///
    /// A tower of soft contacts buckles above a height that grows with the stiffness to the power of 2/3: cubes at 30 Hz stand up to
    /// 15 high, the slabs of the thesis up to 27.
    ///
    /// ```
    /// use clearance_sim::SoftStep;
    /// assert_eq!(SoftStep::for_step(1.0 / 240.0).contact_hertz.round(), 120.0);
    /// ```
    pub fn for_step(step: Real) -> Self {
        let default = Self::default();
        let factor = 1.0 / (60.0 * step);
        Self { contact_hertz: default.contact_hertz * factor, joint_hertz: default.joint_hertz * factor, ..default }
    }
}

/// The numbers of the thesis's solver, which it does not all print.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thesis {
    /// The most iterations over all contact points in a step: 20, 40 and 60 in the tables.
    pub iterations: u32,
    /// The share of each overlap that is projected away in a step.
    pub projection: Real,
    /// The share of all velocities that is lost in a second.
    pub damping: Real,
    /// The algorithm that finds normal and depth of a pair of convex bodies.
    pub narrow: Narrow,
    /// How the contact points are found.
    pub manifold: Method,
}

impl Default for Thesis {
    fn default() -> Self {
        Self { iterations: 60, projection: 0.2, damping: 0.2, narrow: Narrow::Verbs, manifold: Method::Clip }
    }
}

/// The algorithm that finds normal and depth of two convex bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Narrow {
    /// The library's verbs.
    #[default]
    Verbs,
    /// GJK of bodies swept by a ball of this radius, with the expanding polytope behind it.
    SweptGjk {
        /// The radius; 0.05 in the thesis.
        radius: Real,
    },
    /// SA-GJK for the boolean and the expanding polytope for the depth.
    SaGjk,
    /// Minkowski portal refinement with its estimate of the depth.
    Mpr,
}

impl Narrow {
    /// Its name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verbs => "verbs",
            Self::SweptGjk { .. } => "swept GJK + EPA",
            Self::SaGjk => "SA-GJK + EPA",
            Self::Mpr => "MPR",
        }
    }
}

impl SimulationOptions {
    pub(crate) fn check(&self) -> Result<(), SimError> {
        if !(self.step.is_finite() && self.step > 0.0) {
            return Err(SimError::Step { value: self.step });
        }
        let positive = "positive and finite";
        let not_negative = "finite and not negative";
        let mut wanted = vec![
            ("gravity", self.gravity.length(), true, not_negative),
            ("margin", self.margin, true, not_negative),
            ("bounds", self.bounds, false, positive),
        ];
        match self.solver {
            Solver::SoftStep(soft) => wanted.extend([
                ("sub_steps", soft.sub_steps as Real, false, positive),
                ("contact_hertz", soft.contact_hertz, false, positive),
                ("contact_damping", soft.contact_damping, true, not_negative),
                ("joint_hertz", soft.joint_hertz, false, positive),
                ("joint_damping", soft.joint_damping, true, not_negative),
                ("joint_iterations", soft.joint_iterations as Real, false, positive),
                ("push_speed", soft.push_speed, false, positive),
                ("bounce_speed", soft.bounce_speed, true, not_negative),
                ("keep_contacts", soft.keep_contacts, true, not_negative),
            ]),
            Solver::Thesis(thesis) => {
                wanted.extend([
                    ("iterations", thesis.iterations as Real, false, positive),
                    ("projection", thesis.projection, true, not_negative),
                    ("damping", thesis.damping, true, not_negative),
                ]);
                if let Narrow::SweptGjk { radius } = thesis.narrow {
                    wanted.push(("radius", radius, true, not_negative));
                }
                if thesis.narrow != Narrow::Verbs && !cfg!(feature = "study") {
                    return Err(SimError::WithoutStudy { name: thesis.narrow.name() });
                }
            }
        }
        for (name, value, may_be_zero, wanted) in wanted {
            if !(value.is_finite() && (value > 0.0 || may_be_zero && value == 0.0)) {
                return Err(SimError::Option { name, value, wanted });
            }
        }
        Ok(())
    }
}
