//! Exceptions: one class for each kind of error of the libraries, all of them `ValueError`s.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    clearance,
    ClearanceError,
    PyValueError,
    "What is wrong with a value: the base of all errors of this package."
);
create_exception!(clearance, ArgumentError, ClearanceError, "An argument has the wrong shape, type or name.");
create_exception!(clearance, ShapeError, ClearanceError, "A shape cannot be made of these numbers.");
create_exception!(clearance, MeshError, ClearanceError, "A mesh cannot be made of these vertices and faces.");
create_exception!(clearance, PoseError, ClearanceError, "A pose is not finite, or no rigid transform.");
create_exception!(clearance, MotionError, ClearanceError, "A motion is not finite, or has no axis.");
create_exception!(clearance, RayError, ClearanceError, "A ray has no direction, or is not finite.");
create_exception!(clearance, CastError, ClearanceError, "A cast, a slide or a search for contacts was asked nonsense.");
create_exception!(clearance, DirectionError, ClearanceError, "A direction is zero or not finite.");
create_exception!(clearance, WorldError, ClearanceError, "A world has no such body, or cannot do this.");
create_exception!(
    clearance,
    FileError,
    ClearanceError,
    "A file cannot be read; the message names the line or element."
);
create_exception!(clearance, NotExact, ClearanceError, "Exact answers are not known for this body.");
create_exception!(clearance, NotCertified, ClearanceError, "This answer has no certificate.");
create_exception!(
    clearance,
    RobotError,
    ClearanceError,
    "A robot's description is wrong; the message names the element and its line."
);

/// The exception of an argument: its name, then what is wrong with it.
pub fn argument(field: &str, message: impl Display) -> PyErr {
    ArgumentError::new_err(format!("{field}: {message}"))
}

/// Makes exceptions of the libraries' errors, which name the field themselves.
macro_rules! raises {
    ($($error:ty => $exception:ident),* $(,)?) => {
        $(impl Raise for $error {
            fn raise(self) -> PyErr {
                $exception::new_err(self.to_string())
            }
        })*
    };
}

/// An error of the libraries that becomes an exception.
pub trait Raise {
    /// The exception.
    fn raise(self) -> PyErr;
}

raises! {
    clearance::ShapeError => ShapeError,
    clearance::PolytopeError => ShapeError,
    clearance::MeshError => MeshError,
    clearance::PoseError => PoseError,
    clearance::MotionError => MotionError,
    clearance::RayError => RayError,
    clearance::CastError => CastError,
    clearance::DirectionError => DirectionError,
    clearance::world::WorldError => WorldError,
    clearance::exact::NotExact => NotExact,
    clearance::exact::NotCertified => NotCertified,
    clearance_io::IoError => FileError,
    clearance_robot::RobotError => RobotError,
    clearance_robot::WorkcellError => RobotError,
    clearance_robot::BatchError => ArgumentError,
}

/// The exception in place of the error.
pub fn raised<T>(result: Result<T, impl Raise>) -> Result<T, PyErr> {
    result.map_err(Raise::raise)
}
