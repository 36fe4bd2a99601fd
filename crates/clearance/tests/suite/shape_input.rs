//! The promise: bad sizes and points are refused by the name of their field, sizes at the limits are taken, and `is_curved`
//! says where a surface is curved.

// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common;
use std::sync::Arc;

use clearance::tolerance::{LARGEST_SIZE, SMALLEST_SIZE};
use clearance::{Part, PolytopeError, Pose, Real, Shape, ShapeError, Support, SupportPoint, Vec3, VertexId};
use common::bodies::Dome;
use common::cube;

type Maker = Box<dyn Fn(Real) -> Result<Shape, ShapeError>>;

/// Every size of every constructor: the field's name, and the shape with that size free and the others one.
fn makers() -> Vec<(&'static str, Maker)> {
    fn maker(field: &'static str, make: impl Fn(Real) -> Result<Shape, ShapeError> + 'static) -> (&'static str, Maker) {
        (field, Box::new(make))
    }
    vec![
        maker("half_length", Shape::segment),
        maker("half_extents[0]", |x| Shape::rectangle([x, 1.0])),
        maker("half_extents[1]", |x| Shape::rectangle([1.0, x])),
        maker("half_extents[0]", |x| Shape::cuboid([x, 1.0, 1.0])),
        maker("half_extents[1]", |x| Shape::cuboid([1.0, x, 1.0])),
        maker("half_extents[2]", |x| Shape::cuboid([1.0, 1.0, x])),
        maker("radius", Shape::disc),
        maker("radius", Shape::sphere),
        maker("radii[0]", |x| Shape::ellipse([x, 1.0])),
        maker("radii[1]", |x| Shape::ellipse([1.0, x])),
        maker("radii[0]", |x| Shape::ellipsoid([x, 1.0, 1.0])),
        maker("radii[1]", |x| Shape::ellipsoid([1.0, x, 1.0])),
        maker("radii[2]", |x| Shape::ellipsoid([1.0, 1.0, x])),
        maker("half_length", |x| Shape::capsule(x, 1.0)),
        maker("radius", |x| Shape::capsule(1.0, x)),
        maker("half_extents[0]", |x| Shape::lozenge([x, 1.0], 1.0)),
        maker("half_extents[1]", |x| Shape::lozenge([1.0, x], 1.0)),
        maker("radius", |x| Shape::lozenge([1.0, 1.0], x)),
        maker("half_extents[0]", |x| Shape::round_box([x, 1.0, 1.0], 1.0)),
        maker("half_extents[1]", |x| Shape::round_box([1.0, x, 1.0], 1.0)),
        maker("half_extents[2]", |x| Shape::round_box([1.0, 1.0, x], 1.0)),
        maker("radius", |x| Shape::round_box([1.0, 1.0, 1.0], x)),
        maker("half_height", |x| Shape::cylinder(x, 1.0)),
        maker("radius", |x| Shape::cylinder(1.0, x)),
        maker("height", |x| Shape::cone(x, 1.0)),
        maker("radius", |x| Shape::cone(1.0, x)),
        maker("disc_radius", |x| Shape::wheel(x, 1.0)),
        maker("radius", |x| Shape::wheel(1.0, x)),
        maker("bottom[0]", |x| Shape::frustum([x, 1.0], [1.0, 1.0], 1.0)),
        maker("bottom[1]", |x| Shape::frustum([1.0, x], [1.0, 1.0], 1.0)),
        maker("top[0]", |x| Shape::frustum([1.0, 1.0], [x, 1.0], 1.0)),
        maker("top[1]", |x| Shape::frustum([1.0, 1.0], [1.0, x], 1.0)),
        maker("height", |x| Shape::frustum([1.0, 1.0], [1.0, 1.0], x)),
        maker("radius", |x| Shape::cone(1.0, 1.0)?.rounded(x)),
        maker("radius", |x| Shape::polytope(&cube(1.0).0)?.rounded(x)),
    ]
}

#[test]
fn every_bad_size_is_refused_by_its_name() {
    let bad = [
        Real::NAN,
        Real::INFINITY,
        Real::NEG_INFINITY,
        0.0,
        -0.0,
        -1.0,
        SMALLEST_SIZE.next_down(),
        LARGEST_SIZE.next_up(),
    ];
    for (name, make) in makers() {
        for size in bad {
            let error = make(size).expect_err(name);
            let ShapeError::Size { field, value } = &error else { panic!("{error}") };
            assert_eq!(*field, name, "{error}");
            assert!(*value == size || value.is_nan() && size.is_nan(), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
        assert!(make(1.0).is_ok(), "{name}");
    }
}

#[test]
fn sizes_at_the_limits_give_numbers() {
    for (name, make) in makers() {
        for size in [SMALLEST_SIZE, LARGEST_SIZE / 2.0, LARGEST_SIZE] {
            let shape = make(size).unwrap_or_else(|error| panic!("{error}"));
            for d in [Vec3::X, -Vec3::Y, Vec3::Z, Vec3::new(0.3, -0.5, 0.7), Vec3::new(-1.0, 1.0e-3, 1.0e-6)] {
                let point = shape.support(d, VertexId::NONE).point;
                let [low, high] = shape.extent(d);
                assert!(point.is_finite() && low.is_finite() && low <= high && high.is_finite(), "{name} {size:e}");
            }
            let (volume, centroid) = shape.mass();
            assert!(volume.is_finite() && volume >= 0.0 && centroid.is_finite(), "{name} {size:e}: {volume}");
            // Half extents and radii reach as far as they say, heights half as far.
            assert!(shape.bounding_radius() >= size / 2.0 && shape.bounding_radius().is_finite(), "{name} {size:e}");
        }
    }
    // The radii add up, and the sum has the same limit.
    let twice = Shape::sphere(LARGEST_SIZE).unwrap().rounded(LARGEST_SIZE);
    assert!(matches!(twice, Err(ShapeError::Size { field: "radius", .. })));
}

struct Broken;

impl Support for Broken {
    fn support(&self, direction: Vec3, _hint: VertexId) -> SupportPoint {
        Vec3::new(0.0, if direction.y < 0.0 { Real::NAN } else { 1.0 }, 0.0).into()
    }
}

#[test]
fn bad_points_are_refused_for_what_they_are() {
    use PolytopeError as E;
    let error = |result: Result<Shape, ShapeError>| match result.expect_err("bad points") {
        ShapeError::Points(error) => error,
        other => panic!("{other}"),
    };
    let [o, x, y] = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(error(Shape::triangle([o, o, o])), E::Coincident { count: 3 });
    assert_eq!(error(Shape::triangle([o, x, x * 3.0])), E::Collinear { count: 3 });
    assert_eq!(error(Shape::triangle([o, x, o])), E::Collinear { count: 3 });
    let nan = error(Shape::triangle([o, x, Vec3::new(0.0, 1.0, Real::NAN)]));
    assert!(matches!(nan, E::Coordinate { index: 2, axis: 'z', .. }), "{nan}");
    assert_eq!(error(Shape::polytope(&[o, x, y])), E::TooFewPoints { count: 3, needed: 4 });
    assert_eq!(error(Shape::polytope(&[o, x, y, x + y])), E::Coplanar { count: 4 });
    assert_eq!(error(Shape::polygon(&[o, x])), E::TooFewPoints { count: 2, needed: 3 });
    assert_eq!(error(Shape::polygon(&[o, x, x * 2.0])), E::Collinear { count: 3 });
    let broken = Shape::custom(Arc::new(Broken)).expect_err("a support that is no number");
    assert!(matches!(broken, ShapeError::Custom { direction: [0.0, -1.0, 0.0], .. }), "{broken}");
}

fn at(shape: Shape, x: Real) -> Part {
    Part { shape, pose: Pose::from_translation([x, 0.0, 0.0]).unwrap() }
}

/// A shape, and directions with whether its surface is curved there.
type CurvedCase = (&'static str, Shape, Vec<([Real; 3], bool)>);

const UP: [Real; 3] = [0.0, 0.0, 1.0];
const DOWN: [Real; 3] = [0.0, 0.0, -1.0];
const SIDE: [Real; 3] = [1.0, 0.0, 0.0];
const SLANT: [Real; 3] = [1.0, 0.0, 1.0];
const ANY: [Real; 3] = [0.3, -0.5, 0.7];

fn cuboid() -> Shape {
    Shape::cuboid([1.0, 1.0, 1.0]).unwrap()
}

fn cylinder() -> Shape {
    Shape::cylinder(1.0, 1.0).unwrap()
}

fn curved_primitives() -> Vec<CurvedCase> {
    vec![
        ("point", Shape::point(), vec![(UP, false), (ANY, false)]),
        ("sphere", Shape::sphere(1.0).unwrap(), vec![(UP, true), (ANY, true)]),
        ("segment", Shape::segment(1.0).unwrap(), vec![(SIDE, false), (ANY, false)]),
        ("capsule", Shape::capsule(1.0, 1.0).unwrap(), vec![(SIDE, true), (ANY, true)]),
        ("rectangle", Shape::rectangle([1.0, 1.0]).unwrap(), vec![(UP, false), (ANY, false)]),
        (
            "lozenge",
            Shape::lozenge([1.0, 1.0], 1.0).unwrap(),
            vec![(UP, false), (DOWN, false), (SIDE, true), (ANY, true)],
        ),
        ("box", cuboid(), vec![(UP, false), (SIDE, false), (ANY, false)]),
        ("round box", cuboid().rounded(1.0).unwrap(), vec![(UP, false), (SIDE, false), (SLANT, true), (ANY, true)]),
        ("disc", Shape::disc(1.0).unwrap(), vec![(UP, false), (DOWN, false), (SIDE, true), (ANY, true)]),
        ("wheel", Shape::wheel(1.0, 0.5).unwrap(), vec![(UP, false), (SIDE, true), (SLANT, true)]),
        ("ellipse", Shape::ellipse([1.0, 2.0]).unwrap(), vec![(UP, false), (SIDE, true), (ANY, true)]),
        ("ellipsoid", Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap(), vec![(UP, true), (SIDE, true), (ANY, true)]),
        ("cylinder", cylinder(), vec![(UP, false), (DOWN, false), (SIDE, true), (SLANT, true), (ANY, true)]),
        // The mantle's normals rise one in one: beyond them the apex is the farthest point.
        (
            "cone",
            Shape::cone(1.0, 1.0).unwrap(),
            vec![(DOWN, false), (UP, false), (SIDE, true), ([1.0, 0.0, 1.1], false), ([1.0, 0.0, 0.9], true)],
        ),
        (
            "rounded cone",
            Shape::cone(1.0, 1.0).unwrap().rounded(0.5).unwrap(),
            vec![(DOWN, false), (UP, true), (SIDE, true)],
        ),
        ("frustum", Shape::frustum([1.0, 1.0], [0.5, 0.5], 1.0).unwrap(), vec![(UP, false), (ANY, false)]),
        (
            "rounded frustum",
            Shape::frustum([1.0, 1.0], [0.5, 0.5], 1.0).unwrap().rounded(0.5).unwrap(),
            vec![(UP, false), ([1.0, 0.0, 0.5], false), (SIDE, true), (ANY, true)],
        ),
    ]
}

fn curved_combinations() -> Vec<CurvedCase> {
    let quarter = Pose::new([0.0; 3], [0.5 as Real, 0.0, 0.0, 0.5].map(Real::sqrt)).unwrap();
    let corners = cube(1.0).0;
    vec![
        ("polytope", Shape::polytope(&corners).unwrap(), vec![(UP, false), (ANY, false)]),
        (
            "rounded polytope",
            Shape::polytope(&corners).unwrap().rounded(0.5).unwrap(),
            vec![(UP, false), (SIDE, false), (SLANT, true), (ANY, true)],
        ),
        (
            "sum",
            Shape::sum(cuboid().into(), Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap().into()),
            vec![(UP, false), (ANY, true)],
        ),
        ("difference", Shape::difference(cuboid().into(), cylinder().into()), vec![(UP, false), (ANY, true)]),
        (
            "hull",
            Shape::hull(at(cuboid(), -2.0), at(Shape::sphere(1.0).unwrap(), 2.0)),
            vec![(SIDE, true), ([-1.0, 0.1, 0.2], false)],
        ),
        (
            "posed",
            cylinder().posed(quarter),
            vec![([0.0, 1.0, 0.0], false), ([0.0, -1.0, 0.0], false), (UP, true), (ANY, true)],
        ),
        ("custom", Shape::custom(Arc::new(Dome(1.0))).unwrap(), vec![(DOWN, false)]),
    ]
}

#[test]
fn surfaces_are_curved_where_they_should_be() {
    for (name, shape, cases) in curved_primitives().into_iter().chain(curved_combinations()) {
        for (direction, expected) in cases {
            for length in [1.0, 1.0e-3, 1.0e3] {
                let d = Vec3::from(direction) * length;
                assert_eq!(shape.is_curved(d), expected, "{name} along {d}");
            }
        }
    }
}
