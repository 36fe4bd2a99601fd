//! The numbers of the walker, each with its unit and reason.

use clearance::Real;

/// The distance that is always kept in a world at rest, as a share of the skin. The rest is what rounding and sliding may use up without
/// being held; the kept part is what makes it certain that nothing is entered.
pub const KEPT: Real = 0.75;

/// How much less than the skin may be left by a plane between the walker and a body, as a share of the skin: more than the rounding of a
/// pose (see [`SKIN_ROUNDINGS`]), so that what rests at the skin goes along a body without a cast.
pub const PLANE: Real = 0.0078125;

/// What is kept of a distance that is less than that, after a push, until the walker is lifted back.
pub const HELD: Real = 0.9375;

/// How much of its distance a slide may use up in one cast, and by how much it is lifted off a plane that holds it again, as a share
/// of the skin.
pub const SLIDING: Real = 0.015625;

/// How far a direction may lead into a plane, relative to its length, and still count as along it. Normals of curved contacts are good
/// to so many digits in single precision. A way of a thousand skins uses up a tenth of a skin.
pub const ALONG: Real = 1.0e-4;

/// Two planes have a crease if the sine of their angle is above this; below, they are one plane.
pub const CREASE: Real = 1.0e-3;

/// What is left of a way is not worth a cast if it is shorter than this share of the whole.
pub const NEGLIGIBLE: Real = 1.0e-3;

/// Casts of one slide. A corner of three planes takes four.
pub const MOST_CASTS: usize = 8;

/// Planes that a slide remembers at one place.
pub const MOST_PLANES: usize = 8;

/// Pieces of one frame's way on the ground. Faster walkers have longer pieces.
pub const MOST_PIECES: usize = 16;

/// Pushes out of what has moved into the walker, in one frame.
pub const MOST_PUSHES: usize = 8;

/// Places at which the surface behind a steep footing is looked for.
pub const PROBES: u32 = 4;

/// The skin must be at least this many units in the last place of the walker's coordinates, so that [`PLANE`] of it is more than
/// the rounding of a pose, of a cast and of a normal.
pub const SKIN_ROUNDINGS: Real = 1024.0;

/// The share of a skin by which a walker on steep ground must be able to sink to count as falling.
pub const WEDGED: Real = 0.125;

/// How much further a push must get to be worth another one, as a share of the skin.
pub const PUSHED: Real = 0.0625;
