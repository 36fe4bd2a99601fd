//! Three involute gears in mesh, one of which has a tooth that is too long: it cuts the root of the third gear, and nothing else.

use clearance_io::{Format, Model, Placed, Surface};
use serde_json::json;

/// The module: millimetres of pitch diameter for each tooth.
const MODULE: f64 = 2.0;
const TEETH: [usize; 3] = [24, 36, 24];
const WIDTH: f64 = 8.0;
/// The angle of the second gear, in degrees of its turn, at which its long tooth points at the third gear.
pub const LONG_TOOTH_AT: f64 = 15.0;

pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("gear-train.json", super::text(&scene())),
        ("gear-24.stl", stl(TEETH[0], None)),
        ("gear-36-long-tooth.stl", stl(TEETH[1], Some(0))),
    ]
}

fn radius(gear: usize) -> f64 {
    0.5 * MODULE * TEETH[gear] as f64
}

fn scene() -> serde_json::Value {
    let centres = [-(radius(0) + radius(1)), 0.0, radius(1) + radius(2)];
    let part = |name: &str, file: &str, x: f64, degrees: f64, colour: [f64; 3]| json!({"name": name, "file": file, "colour": colour, "pose": {"translation": [x, 0.0, 0.0], "turn": {"axis": [0, 0, 1], "degrees": degrees}}});
    // Tooth 0 of each gear points along x where it is not turned. The second gear begins so that its long tooth comes to x at 15 degrees; 180
    // degrees are 18 teeth of it. The others have a gap where it has a tooth.
    let pitch = |gear: usize| 360.0 / TEETH[gear] as f64;
    let second = -LONG_TOOTH_AT;
    let mesh = |gear: usize, towards: f64| {
        // The phase of the second gear's teeth along that direction, carried over by the ratio, and half a tooth on.
        let phase = (towards - second) / pitch(1);
        180.0 + towards + (phase.fract() + 0.5) * pitch(gear)
    };
    let joint = |part: &str, x: f64, degrees: f64| json!({"part": part, "joint": {"type": "revolute", "axis": [0, 0, 1], "origin": [x, 0.0, 0.0], "values": [[0, 0], [30, degrees]]}});
    json!({
        "clearance_scene": 1,
        "title": "Gear train with one tooth too long",
        "unit": "mm",
        "parts": [
            part("driver", "gear-24.stl", centres[0], mesh(0, 180.0), [0.35, 0.5, 0.75]),
            part("idler", "gear-36-long-tooth.stl", 0.0, second, [0.75, 0.6, 0.3]),
            part("follower", "gear-24.stl", centres[2], mesh(2, 0.0), [0.4, 0.65, 0.45]),
        ],
        "motion": {"end": 30, "unit": "deg", "moves": [
            joint("driver", centres[0], -45.0), joint("idler", 0.0, 30.0), joint("follower", centres[2], -45.0),
        ]},
    })
}

fn stl(teeth: usize, long: Option<usize>) -> Vec<u8> {
    let outline = outline(teeth, long);
    let surface = extruded(&outline, WIDTH);
    let placed = Placed { name: "gear".to_owned(), path: Vec::new(), surface: 0, pose: clearance::Pose::IDENTITY };
    let model = Model {
        format: Format::Stl,
        unit: None,
        up: None,
        surfaces: vec![surface],
        parts: vec![placed],
        notes: Vec::new(),
    };
    clearance_io::write::stl_bytes(&model)
}

/// The outline of a gear with 20 degrees of pressure angle and a backlash of 3 % of the pitch, counter-clockwise; root circles are a quarter
/// module deeper than the mating tips.
fn outline(teeth: usize, long: Option<usize>) -> Vec<[f64; 2]> {
    let pitch = 0.5 * MODULE * teeth as f64;
    let (base, root) = (pitch * 20_f64.to_radians().cos(), pitch - 1.25 * MODULE);
    let involute = |r: f64| {
        let pressure = (base / r).min(1.0).acos();
        pressure.tan() - pressure
    };
    let half_at_pitch = std::f64::consts::FRAC_PI_2 / teeth as f64 * 0.97;
    let mut points = Vec::new();
    for tooth in 0..teeth {
        // Longer by half a module: a quarter more than there is room for.
        let tip = pitch + if long == Some(tooth) { 1.5 * MODULE } else { MODULE };
        let middle = std::f64::consts::TAU * tooth as f64 / teeth as f64;
        let start = root.max(base);
        let mut side: Vec<[f64; 2]> = (0..=6)
            .map(|i| {
                let r = start + (tip - start) * f64::from(i) / 6.0;
                [r, half_at_pitch + involute(pitch) - involute(r)]
            })
            .collect();
        if root < base {
            side.insert(0, [root, side[0][1]]);
        }
        points.extend(side.iter().map(|[r, half]| polar(*r, middle - half)));
        points.extend(side.iter().rev().map(|[r, half]| polar(*r, middle + half)));
    }
    points
}

fn polar(r: f64, angle: f64) -> [f64; 2] {
    [r * angle.cos(), r * angle.sin()]
}

/// A solid with an outline that sees its centre from everywhere: both faces are fans about the axis.
fn extruded(outline: &[[f64; 2]], width: f64) -> Surface {
    let count = outline.len() as u32;
    let mut surface = Surface::default();
    for z in [0.0, width] {
        surface.vertices.extend(outline.iter().map(|[x, y]| clearance::Vec3::new(*x, *y, z)));
    }
    surface.vertices.extend([clearance::Vec3::ZERO, clearance::Vec3::new(0.0, 0.0, width)]);
    let (bottom, top) = (2 * count, 2 * count + 1);
    for i in 0..count {
        let next = (i + 1) % count;
        surface.triangles.extend([
            [bottom, next, i],
            [top, count + i, count + next],
            [i, next, count + next],
            [i, count + next, count + i],
        ]);
    }
    surface
}
