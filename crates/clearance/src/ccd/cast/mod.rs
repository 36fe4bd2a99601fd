//! Casts of bodies of every kind along any motion: how far B may go before it meets A.
//!
//! Which algorithm answers depends on the pair and the motion:
//!
//! - two convex shapes and a translation: the first end of their contact range (`contact_range`), also with a required clearance, for
//!   which a shape is rounded;
//! - bodies with flat faces and a translation or a rotation about an axis: trajectories of their features, with an expel zone
//!   (`polyhedra`);
//! - all others, curved bodies that turn or that meet a mesh, screws, users' own motions, and clearances of meshes: conservative
//!   advancement (`bodies`, `custom`).
//!
//! A compound is all its parts: the first contact counts, and [`cast_all`] gives that of each pair of parts.
//!
//! **Starts.** What starts within the zone of a cast by trajectories may only leave it; bodies that rest on each other exactly get a second
//! opinion by advancement, which has no zone, and which counts if the way is found free of overlap up to where it ends. A start
//! in an overlap is answered with the contact there, its depth, and a way out.
//!
//! **Bounds.** The true fraction is that of the first place on the way at which the bodies, as given and in exact arithmetic, share a point
//! (or are as near as the clearance); 1 if there is none. `lower` is never more, and `upper` never less: by then an overlap is
//! certain. `upper` is 1 where no overlap was found, as for bodies that pass within the error of each other. For bodies that touch at the
//! start the true fraction is that from which they get deeper than touching.

mod contacts;
mod features;
mod impact;
mod many;
mod options;
mod pair;
mod parts;
mod start;
mod upper;

pub use contacts::contacts_between;
pub use impact::impact_body;
pub use many::{Moved, Slid, cast_obstacles, move_among, slide_among};
pub use options::CastOptions;
pub use parts::{cast_all, cast_body};
