//! What `--help` says after the options.

use std::fmt::Write;

use clearance_cli::query::Code;

/// After the help of the program.
pub const PROGRAM: &str = "\
Examples:
  clearance demo
  clearance check scene.json --report report.html
  echo '{\"op\":\"aabb\",\"a\":{\"type\":\"sphere\",\"radius\":2}}' | clearance query
  clearance simulate thesis-500
  clearance lab list

Exit status: 0 if all went well, 1 if a clash is found or a certificate is refused, 2 for bad input.";

/// After the help of `check`.
pub const CHECK: &str = "\
Examples:
  clearance check housing.stl shaft.stl cover.stl --clearance 0.5
  clearance check scene.json --report report.html
  clearance check scene.toml --json --bcf clashes.bcf --glb scene.glb

Kinds: piercing, protruding, contained, duplicate, clearance (nearer than required), touching (no clash).
docs/scene-format.md describes scenes: parts, motions, rules.

Exit status: 0 if there is no clash, 1 if there is one, 2 for bad input.";

/// After the help of `describe`.
pub const DESCRIBE: &str = "\
Examples:
  clearance describe part.stl
  clearance describe part.obj --repair weld,orient

Exit status: 0 if every mesh is a solid without defects, 1 if one is not, 2 if the file cannot be read.";

/// After the help of `verify`.
pub const VERIFY: &str = "\
Examples:
  echo '{\"op\":\"closest\",\"a\":{\"type\":\"sphere\",\"radius\":1},\"b\":{\"type\":\"point\"},
    \"pose_b\":{\"translation\":[3,0,0]},\"certify\":true}' | tr -d '\\n' | clearance query | clearance verify

docs/certificates.md has the format and why a proof in it holds; tools/check_certificate.py is an independent checker.

Exit status: 0 if every certificate holds, 1 if one is refused, 2 if a line is no JSON object.";

/// After the help of `range`.
pub const RANGE: &str = "\
Examples:
  clearance range a.stl b.stl --direction 0,0,-1
  clearance range a.json b.json --direction 0,0,-1
  clearance range '{\"type\":\"cuboid\",\"half_extents\":[1,1,1]}' '{\"type\":\"sphere\",\"radius\":1}' \\
    --pose-b '{\"translation\":[5,0,0]}' --direction -1,0,0 --json

Shapes are those of clearance query --help.";

/// After `simulate -h`.
pub const SIMULATE_SHORT: &str = "\
Examples:
  clearance simulate --list
  clearance simulate thesis-500
  clearance simulate bowl --glb bowl.glb
  clearance simulate scene.json --frames 1000 --json --per-frame > frames.jsonl

--help describes the scene format and the output.";

/// After `simulate --help`.
pub const SIMULATE: &str = "\
Examples:
  clearance simulate --list
  clearance simulate thesis-500
  clearance simulate bowl --glb bowl.glb      to be looked at in any viewer of glTF
  clearance simulate bowl --json --per-frame > poses.jsonl
  clearance simulate scene.json --frames 1000 --json --per-frame > frames.jsonl

A scene is a JSON object (docs/scene.md has the whole of it):
  {
    \"clearance\": 1,                       the version of the format
    \"title\": \"..\",                        shown above the summary
    \"frames\": 500,
    \"seed\": 1,                            of the swarms
    \"room\": {\"half_extents\": [9,9,9]},    walls that send bodies back; or {\"density\": 0.05}
    \"mode\": \"boolean\",                    or combined, closest (with \"within\": D), contacts
    \"broad\": \"grid\",                      or tree, sweep-and-prune, brute-force
    \"boxes\": \"auto\",                      or dynamic (tight), fixed (cubes)
    \"schedule\": false,                    or true: let far pairs sleep until they could meet
    \"reaction\": \"reverse\",                what bodies do that begin to touch; or pass
    \"ignore\": [[1,1]],                    pairs of groups that are not tested
    \"shapes\": {\"part\": SHAPE},            shapes by name
    \"bodies\": [{\"name\", \"shape\", \"pose\", \"velocity\", \"spin_degrees\": [x,y,z], \"group\"}],
    \"swarms\": [{\"count\", \"kind\": ellipsoid, rod, plate or mixed, \"vertices\", \"models\", \"radius\",
                \"speed\": in radii, \"spin_degrees\", \"group\"}]
  }
Shapes and poses are those of `clearance query --help`. Velocities and spins are per frame. A field that the format
does not have is an error.

With --json --per-frame each frame is a line {\"frame\", \"events\": [{\"kind\": begin, persist or end, \"bodies\",
\"names\"}], \"statistics\"}, and the last line is {\"summary\"}. All times are in the summary's \"time\"; the rest is the
same in every run and for any number of threads.

The scenes stacking, stacking-round, brick-wall, figure, bowl, card-house and dominoes have gravity, contacts and joints;
in walker a character wanders through a generated building, and the summary tells whether it was ever in a solid or stuck.
With --json --per-frame the first line is {\"scene\", \"step\", \"bodies\": [fixed, kinematic, dynamic or walker]}, each frame a line
{\"frame\", \"poses\": [{\"translation\", \"rotation\"}]}, and the last line is {\"summary\"}.

Exit status: 0 if the scene ran to its end, whether or not bodies touched; 2 for bad input.";

/// After the help of `lab`, in a build without it.
#[cfg(not(feature = "lab"))]
pub const LAB: &str = "\
This program was built without the lab. From the sources of clearance:
  cargo run --release -p clearance-cli --features lab -- lab list";

/// After the help of `lab`.
#[cfg(feature = "lab")]
pub const LAB: &str = "\
Examples:
  clearance lab list
  clearance lab run all --quick
  clearance lab run NAME --json --seed 7 --out results";

/// After `query -h`.
pub const QUERY_SHORT: &str = "\
Examples:
  echo '{\"id\":1,\"op\":\"aabb\",\"a\":{\"type\":\"sphere\",\"radius\":2}}' | clearance query
  clearance query questions.jsonl > answers.jsonl

--help lists the ops, the shapes and the error codes.";

const QUERY_LONG: &str = "\
Examples:
  $ echo '{\"id\":1,\"op\":\"aabb\",\"a\":{\"type\":\"sphere\",\"radius\":2}}' | clearance query
  {\"id\":1,\"min\":[-2.0,-2.0,-2.0],\"max\":[2.0,2.0,2.0]}

  A shape may be defined once and named afterwards:
  {\"define\":\"part\",\"shape\":{\"type\":\"cuboid\",\"half_extents\":[1,2,3]}}
  {\"op\":\"support\",\"a\":\"part\",\"pose_a\":{\"translation\":[5,0,0]},\"direction\":[1,1,1]}

Ops (of two bodies, a and b with pose_a and pose_b; P stands for these four):
  support   a, pose_a, direction -> point, value (its dot product with the direction)
  aabb      a, pose_a -> min, max
  describe  a, pose_a -> vertices, edges, faces (counts, of flat-faced shapes), solid (of a mesh), parts (of a compound),
            volume, centroid
  overlap   P, algorithm (auto, sa-gjk, mpr, separating-vector, linear-program, combined)
            -> overlap (touching counts), witness {plane: {normal, offset_a, offset_b}} or {point}, end, iterations
  closest   P, algorithm (auto, gjk, gjk-johnson, gilbert, closest-features), depth (epa, mpr)
            -> distance (negative: the depth), lower, upper, points (on a, on b), normal (from a to b), end, iterations,
            features (of closest-features)
  within    P, distance -> within (at the distance counts), witness {plane}, {gap} or {points} (one of each body, that near),
            lower, upper (bounds of the distance), end, iterations
  manifold  P, method (clip, perturbed), max_points (1 to 16; 4), margin (0)
            -> normal (from a to b), depth, points, points_a, points_b, depths, features (a list each), end
  contacts  P, distance -> contacts [{point, normal, distance, features}]: every vertex of one body over a face of the other,
            and every two edges across each other, within the distance; flat faces without padding only; end
  range     P, direction, algorithm (auto, dual)
            -> range [first, last] or null, lower, upper, distance, features, points_a, points_b, normals, end (of both
            ends each), faces_visited {face_vertex, vertex_face, edge_edge}, iterations; convex shapes only
  cast      P, and of b one of: translation; rotation {origin, axis, angle} (right-handed, in radians); motion {to: an end
            pose, reached by a constant screw} or {linear, angular} (velocities over the time from 0 to 1); clearance (a
            distance to keep; 0) -> fraction (1: free), overlapping (if true also overlap and way_out, a translation of b),
            start (apart, touching, overlapping), lower, upper (bounds of the first contact), point, points (on a, on b),
            normal (from a to b), distance, features (null without a contact; of an overlap, the contact at the start), end
  time_of_impact  P, motion_a, motion_b (each an end pose {translation, rotation}, reached by a constant screw, or
            velocities {linear, angular}; over the time from 0 to 1; absent: at rest), tolerance (relative), clearance (0)
            -> time (never later than the contact), point, normal, distance, features (null without a contact), lower,
            upper (bounds of the time), start (as of cast), at_start (met at time 0), end, iterations, way_out (of an overlap)
  ray       a, pose_a, origin, direction, max (in units of the direction's length), all (false)
            -> t (in the same units), lower, upper, point, normal (outward), feature, side (front: the ray enters; back: it
            leaves), inside (the ray starts in the solid, and t is where it leaves), end; without a hit t, point, normal and
            feature are null; with all: hits, a list of these in order, one for each pass through the surface
  project   a, pose_a, point -> distance (negative inside), lower, upper, nearest (on the surface), normal (outward), feature,
            contact (apart, touching, overlapping: inside), end
  pairs     bodies [{shape, pose}, ..], within (a distance; 0) -> pairs [{a, b (indices in the list, a < b), and what closest
            answers}]: those no farther apart, in ascending order
  push_out  P -> translation (of b, after which it does not overlap a; as short as is found), after (what closest answers
            then), end (converged, or iteration-limit if no way was found)
  slide     b, pose_b, translation, obstacles [{shape, pose}, ..], clearance (0): b moves, and on along what it meets
            -> pose (where it is then), fraction (distance from where it was, as a share of the translation's length, at most
            1), contacts [{obstacle (an index), point, normal (from the obstacle to b), distance, features}] in order, left
            (what is left of the translation), way_out (of an overlap at the start), end (free, slid, stopped,
            iteration-limit, overlapping)
  move      b, pose_b, translation, rotation {origin, axis, angle} (either may be absent), obstacles, clearance (0): b
            translates, then turns about the origin moved along with it, each as far as it is free
            -> pose, and of the translation and the rotation each: fractions, lower, upper, end; contacts (what stopped it),
            way_out (of an overlap at the start)
  feature_ccd  kind (vertex-face: the first point and a triangle; edge-edge: the first two points and the last two),
            t0, t1 (four points each) -> hit (touching counts), time, latest (bounds of the first contact), end
  trajectory  kind (vertex-face, edge-edge), moving (the vertex, or the edge's ends: a list of points), resting (corners of a
            convex polygon, counter-clockwise seen from its front, or an edge's ends), translation or rotation {origin, axis,
            angle} (below half a turn), zone (the thickness of the expel zone; 0), outset (of the resting edge: how far its
            line is moved where both planes beside it are moved out by one; 0) -> hit, fraction (null without a contact)

overlap, closest and within take a list poses_b in place of pose_b and then answer {\"answers\": [..]}, one for each.
overlap, closest, within and cast take certify (true): the answer has a certificate, which clearance verify checks; null, with the
reason in uncertified, where there is none.

A plane is the witness of two bodies apart: along its normal a ends at offset_a and b begins at offset_b. The true
distance is between lower and upper, and points[1] - points[0] = distance * normal. The end is converged, or
iteration-limit or degenerate if the bounds are farther apart than usual. Algorithm, depth and method may be left
out, which chooses the first; those that this version lacks are answered by unsupported-algorithm. Auto is the best
way for the pair. Sa-gjk, mpr, separating-vector, combined, gjk, gjk-johnson, gilbert and epa are those algorithms and
nothing else: what one cannot decide ends as degenerate or iteration-limit, a boolean then counts as touching, and its
witness is {\"points\"}, a point of each body.

Depth epa is the depth itself. Depth mpr is an estimate and never less than the depth, so of the bounds only lower is
near it while upper merely says that the bodies meet; for bodies apart it changes nothing.

The contacts of a manifold are parallel lists in the order of their features: points_a on a, points_b on b, points halfway
between, points_b[i] - points_a[i] = -depths[i] * normal. Bodies up to margin apart count as in contact, with negative
depths. Without contact, normal and depth are null and the lists are empty.

Features are {\"a\":F,\"b\":F}, F being {\"vertex\":I}, {\"edge\":[I,J]} (by its two vertices, the lower first), {\"face\":I},
\"smooth\" (a place on a curved surface) or, where the query does not look for features, null ({} in a manifold).
Of a compound F has a part as well, {\"part\":I,..} ({\"part\":I,\"feature\":\"smooth\"} on a curved one). The same contact
keeps its features from frame to frame. Vertices and faces have their numbers in the input, a face the least of those united
in one plane. A rounded or padded shape has the features of what is rounded, a sphere those of a point.

A range has the positions of b along the direction, in units of its length, at which it meets a; an end that is infinite,
as with a half_space, is null; points_b are where b
is now, so that points_b[i] + range[i] * direction = points_a[i]. The distance is that along the direction, negative if
the bodies overlap. A cast is a hit only if b would enter a: sliding along it is free, and so is leaving it. Polyhedra stop
short of each other by a few roundings, curved bodies that turn or meet a mesh by at most 1e-9 of their size; a fraction is
never too large, but for bodies without volume that touch at the start. Bodies that touch at the start of a time_of_impact
have met only if they get deeper than half the tolerance; until then they may part and slide.

The points of feature_ccd move on straight lines from t0 at time 0 to t1 at time 1. Its answer is exact for the numbers
as given; without a hit, time and latest are null. A trajectory is the formula of the paper on DOOM III as printed, for study: it has
no bounds, its rounding is relative to the distance from the origin, and a zone must be larger than that. Cast is the product.

Poses have a translation [x,y,z] and a rotation [x,y,z,w], a unit quaternion; both may be left out.
Answers are in world space. The id may be any JSON value; it is echoed as it is given.

Shapes (type: fields):
  point                              cylinder: half_height, radius (along z)
  segment: half_length (along x)     cone: height, radius (apex +z)
  rectangle: half_extents [x,y]      wheel: disc_radius, radius (axis z)
  disc: radius (normal z)            frustum: bottom [x,y], top [x,y], height
  ellipse: radii [x,y]               triangle: points
  sphere: radius                     polygon: points (of one plane, hulled)
  cuboid: half_extents               polytope: points (hulled), or points and faces
  ellipsoid: radii                   sum, hull, difference: of [shape, shape],
  capsule: half_length, radius         each may have a pose
  lozenge: half_extents, radius      posed: shape, pose
  round_box: half_extents, radius    rounded: shape, radius
  tapered_capsule: half_length,      tapered_cylinder: bottom_radius, top_radius,
    radii [at -x, at +x]               height (along z)
  mesh: vertices, faces (lists of    compound: parts [shape, ..],
    indices, counter-clockwise         each may have a pose; convex shapes,
    outside; a closed one is solid)    meshes and compounds
  points: points, radius (of each    height_field: heights [[..], ..] (a row along x,
    point; 0)                          the rows along y, null for a hole; the first
  half_space: normal, offset (0):      is above the origin), cell [x,y] (the spacing);
    solid where normal . x <= offset   a surface
Any shape may have a padding: every point within that distance belongs to it.

A mesh may be a file instead: {\"type\":\"mesh\",\"file\":\"a.stl\"}, relative to the file of questions or the working directory.
A pair with a body that is not convex (a mesh, a compound, points, a half_space or a height_field) has no algorithm to choose.
Its manifold may have several directions: normals has one for each point, and max_points are shared out among the directions.
Its overlap and closest also say contact (apart, touching, overlapping) and elements, the part and the face of each body; the
witness of bodies apart may be {gap}, a distance that they are at least apart. A negative distance is minus a local depth: no
shorter translation separates them, and lower says how long a one is enough. The volume of a compound is the sum of its parts'.
A half_space has no box and no volume that numbers could express: aabb and describe of it are out-of-range.

With --precision f32 everything is computed in single precision, by the library clearance-f32; numbers are read and printed in
it, and bounds are as much wider.

A bad line is answered by {\"error\":{\"code\":..,\"message\":..}} and the others are answered all the same; the exit
status is then 2. Codes:
";

/// After `query --help`.
pub fn query() -> String {
    let mut text = QUERY_LONG.to_owned();
    for code in Code::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<21} {}", code.name(), code.meaning());
    }
    text.truncate(text.trim_end().len());
    text
}
