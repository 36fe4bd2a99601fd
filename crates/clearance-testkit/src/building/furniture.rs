//! What stands in rooms, away from their middles.

use glam::DVec3;

use super::solids::{BuildingBrush, cuboid, prism, round_profile, tapered};
use super::{CLEAR, ROOM};
use crate::Rng;

/// Furnishes a room, given its corner: four columns, or a piece of furniture in each corner.
pub(super) fn furnish(rng: &mut Rng, room: DVec3, brushes: &mut Vec<BuildingBrush>) {
    if rng.chance(0.2) {
        let sides = rng.pick(&[8, 12, 16]);
        for (x, y) in [(56.0, 56.0), (200.0, 56.0), (56.0, 200.0), (200.0, 200.0)] {
            column(room + DVec3::new(x, y, 0.0), sides, brushes);
        }
        return;
    }
    let far = ROOM - 48.0;
    for (x, y) in [(48.0, 48.0), (far, 48.0), (48.0, far), (far, far)] {
        let at = room + DVec3::new(x, y, 0.0);
        match rng.index(7) {
            0 => table(at, brushes),
            1 => chair(at, brushes),
            2 => shelf(at, brushes),
            3 => lamp(at, rng.pick(&[6, 8]), brushes),
            4 => crates(at, rng, brushes),
            5 => bed(at, brushes),
            _ => {}
        }
    }
}

fn put(brushes: &mut Vec<BuildingBrush>, texture: &'static str, at: DVec3, x: [f64; 2], y: [f64; 2], z: [f64; 2]) {
    let (min, max) = (DVec3::new(x[0], y[0], z[0]), DVec3::new(x[1], y[1], z[1]));
    brushes.push(cuboid(texture, at + min, at + max));
}

/// A round column from floor to ceiling, with its foot and head in boxes.
fn column(at: DVec3, sides: u32, brushes: &mut Vec<BuildingBrush>) {
    let profile = round_profile([at.x, at.y], 16.0, sides);
    brushes.push(prism("column", &profile, 2, at.z, at.z + CLEAR));
    for z in [[0.0, 12.0], [CLEAR - 8.0, CLEAR]] {
        put(brushes, "plinth", at, [-20.0, 20.0], [-20.0, 20.0], z);
    }
}

fn legs(at: DVec3, half: [f64; 2], thick: f64, height: f64, brushes: &mut Vec<BuildingBrush>) {
    for x in [-half[0], half[0] - thick] {
        for y in [-half[1], half[1] - thick] {
            put(brushes, "leg", at, [x, x + thick], [y, y + thick], [0.0, height]);
        }
    }
}

fn table(at: DVec3, brushes: &mut Vec<BuildingBrush>) {
    legs(at, [28.0, 20.0], 4.0, 36.0, brushes);
    put(brushes, "board", at, [-30.0, 30.0], [-22.0, 22.0], [36.0, 40.0]);
}

fn chair(at: DVec3, brushes: &mut Vec<BuildingBrush>) {
    legs(at, [12.0, 12.0], 3.0, 20.0, brushes);
    put(brushes, "seat", at, [-12.0, 12.0], [-12.0, 12.0], [20.0, 23.0]);
    // A back that leans: its profile is in z and x.
    let back = [[23.0, -12.0], [52.0, -16.0], [52.0, -13.0], [23.0, -9.0]].map(|[z, x]| [at.z + z, at.x + x]);
    brushes.push(prism("seat", &back, 1, at.y - 12.0, at.y + 12.0));
}

fn shelf(at: DVec3, brushes: &mut Vec<BuildingBrush>) {
    for x in [-28.0, 25.0] {
        put(brushes, "board", at, [x, x + 3.0], [-12.0, 12.0], [0.0, 96.0]);
    }
    for z in [8.0, 36.0, 64.0, 93.0] {
        put(brushes, "board", at, [-25.0, 25.0], [-12.0, 12.0], [z, z + 3.0]);
    }
    put(brushes, "board", at, [-25.0, 25.0], [10.0, 12.0], [0.0, 96.0]);
}

fn lamp(at: DVec3, sides: u32, brushes: &mut Vec<BuildingBrush>) {
    let profile = |radius| round_profile([at.x, at.y], radius, sides);
    brushes.push(prism("metal", &profile(12.0), 2, at.z, at.z + 2.0));
    brushes.push(prism("metal", &profile(2.0), 2, at.z + 2.0, at.z + 64.0));
    let (narrow, center) = (profile(8.0), [at.x, at.y]);
    let wide: Vec<[f64; 2]> = narrow.iter().map(|p| [0, 1].map(|i| 2.0 * p[i] - center[i])).collect();
    brushes.push(tapered("shade", &wide, &narrow, 2, [at.z + 56.0, at.z + 80.0]));
}

/// A stack of boxes, each turned, the uppermost a pointed one.
fn crates(at: DVec3, rng: &mut Rng, brushes: &mut Vec<BuildingBrush>) {
    let turned = |x: f64, y: f64| [[x, y], [-y, x], [-x, -y], [y, -x]].map(|[u, v]| [at.x + u, at.y + v]);
    let mut base = 0.0;
    for size in [24.0, 18.0, 12.0] {
        let tilt = f64::from(rng.integer(0, 8) as i32);
        brushes.push(prism("crate", &turned(size, tilt), 2, at.z + base, at.z + base + size));
        base += size;
    }
    brushes.push(tapered("crate", &turned(8.0, 2.0), &turned(2.0, 0.5), 2, [at.z + base, at.z + base + 16.0]));
}

fn bed(at: DVec3, brushes: &mut Vec<BuildingBrush>) {
    put(brushes, "bed", at, [-32.0, 32.0], [-24.0, 24.0], [8.0, 24.0]);
    legs(at, [32.0, 24.0], 6.0, 8.0, brushes);
    put(brushes, "board", at, [-36.0, -32.0], [-24.0, 24.0], [0.0, 44.0]);
    // A pillow with slanted sides.
    let profile = [[-20.0, 24.0], [20.0, 24.0], [16.0, 30.0], [-16.0, 30.0]].map(|[y, z]| [at.y + y, at.z + z]);
    brushes.push(prism("pillow", &profile, 0, at.x - 30.0, at.x - 12.0));
}
