//! A building of convex brushes: storeys of rooms with doors, windows, stairs, ramps, columns, furniture and a sloped roof.
//!
//! Deterministic for a seed, and of any size. All coordinates are multiples of 1/8 and below 4096 for up to 30 rooms in a row, so
//! that they are exact in single precision too. Brushes touch (walls stand on floors), overlap (plinths around columns, a
//! chimney through the roof) and share faces, as those of maps made by hand do.

mod furniture;
mod solids;

use glam::DVec3;

use crate::Rng;
use furniture::furnish;
pub use solids::BuildingBrush;
use solids::{beam, cuboid, prism};

/// The side of a room, from the middle of one wall to the middle of the next.
const ROOM: f64 = 256.0;
/// From floor to floor.
const STOREY: f64 = 160.0;
/// Thickness of walls and floors.
const THICK: f64 = 16.0;
/// From a floor to the ceiling.
const CLEAR: f64 = STOREY - THICK;
/// Height of a storey's steps; as many deep.
const STEP: f64 = 16.0;

/// What to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildingPlan {
    /// Decides openings and furniture.
    pub seed: u64,
    /// How many rooms there are along x and y.
    pub rooms: [u32; 2],
    /// How many floors of them.
    pub storeys: u32,
}

impl Default for BuildingPlan {
    /// A building of a little more than 5,000 polygons.
    fn default() -> Self {
        Self { seed: 1, rooms: [4, 3], storeys: 3 }
    }
}

impl BuildingPlan {
    /// A building of at least so many polygons, about as high as it is wide.
    pub fn of_polygons(seed: u64, polygons: usize) -> Self {
        let plan = |k: u32| Self { seed, rooms: [k + 1, k], storeys: k };
        (1..30).map(plan).find(|plan| Building::new(plan).polygon_count() >= polygons).unwrap_or(plan(30))
    }
}

/// The building: brushes, and places in the middle of rooms.
#[derive(Clone, Debug, PartialEq)]
pub struct Building {
    /// Convex solids, each the points behind its faces.
    pub brushes: Vec<BuildingBrush>,
    /// Points with free space around them: 28 to each side and 40 up and down.
    pub spawns: Vec<DVec3>,
}

impl Building {
    /// Builds it.
    pub fn new(plan: &BuildingPlan) -> Self {
        let mut site = Site { rng: Rng::new(plan.seed), plan: *plan, brushes: Vec::new() };
        let mut spawns = Vec::new();
        site.ground();
        for storey in 0..plan.storeys {
            site.posts(storey);
            for j in 0..plan.rooms[1] {
                for i in 0..plan.rooms[0] {
                    let at = site.corner(i, j, storey);
                    site.floor(i, j, storey);
                    site.walls(i, j, storey);
                    if site.has_stairs(i, j, storey) {
                        site.stairs(at, storey);
                    } else {
                        furnish(&mut site.rng, at, &mut site.brushes);
                    }
                    spawns.push(at + DVec3::new(0.5 * ROOM, 0.5 * ROOM, 48.0));
                }
            }
        }
        site.roof();
        Self { brushes: site.brushes, spawns }
    }

    /// How many faces all brushes have together.
    pub fn polygon_count(&self) -> usize {
        self.brushes.iter().map(|brush| brush.faces.len()).sum()
    }

    /// The building as the text of a map: one entity with all brushes, and one for each place to start from.
    pub fn map_text(&self) -> String {
        let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
        for brush in &self.brushes {
            text.push_str("{\n");
            for face in &brush.faces {
                for p in face {
                    text.push_str(&format!("( {} {} {} ) ", p.x, p.y, p.z));
                }
                text.push_str(&format!("{} 0 0 0 1 1\n", brush.texture));
            }
            text.push_str("}\n");
        }
        text.push_str("}\n");
        for p in &self.spawns {
            let origin = format!("\"origin\" \"{} {} {}\"", p.x, p.y, p.z);
            text.push_str(&format!("{{\n\"classname\" \"info_player_deathmatch\"\n{origin}\n}}\n"));
        }
        text
    }
}

struct Site {
    rng: Rng,
    plan: BuildingPlan,
    brushes: Vec<BuildingBrush>,
}

/// An opening of a wall, along it and up.
#[derive(Clone, Copy)]
struct Opening {
    from: f64,
    to: f64,
    bottom: f64,
    top: f64,
}

impl Site {
    /// The corner of a room at its floor with the smallest coordinates.
    fn corner(&self, i: u32, j: u32, storey: u32) -> DVec3 {
        let half = DVec3::new(f64::from(self.plan.rooms[0]), f64::from(self.plan.rooms[1]), 0.0) * (0.5 * ROOM);
        DVec3::new(f64::from(i) * ROOM, f64::from(j) * ROOM, f64::from(storey) * STOREY) - half
    }

    fn block(&mut self, texture: &'static str, min: DVec3, max: DVec3) {
        self.brushes.push(cuboid(texture, min, max));
    }

    /// The flight up from a storey is in the first room or the last one, in turns.
    fn has_stairs(&self, i: u32, j: u32, storey: u32) -> bool {
        let [columns, rows] = self.plan.rooms;
        let place = if storey.is_multiple_of(2) { (0, 0) } else { (columns - 1, rows - 1) };
        storey + 1 < self.plan.storeys && (i, j) == place
    }

    /// The ground with a wall around it, and a ramp to the door.
    fn ground(&mut self) {
        let low = self.corner(0, 0, 0) - DVec3::new(ROOM, ROOM, 0.0);
        let high = -low;
        self.block("ground", low - DVec3::Z * 32.0, high);
        for (from, to) in [(low.x, low.x + THICK), (high.x - THICK, high.x)] {
            self.block("fence", DVec3::new(from, low.y, 0.0), DVec3::new(to, high.y, 64.0));
        }
        for (from, to) in [(low.y, low.y + THICK), (high.y - THICK, high.y)] {
            self.block("fence", DVec3::new(low.x + THICK, from, 0.0), DVec3::new(high.x - THICK, to, 64.0));
        }
        // A curb that leans on the house, cut off at its ends.
        let [south, north] = [self.corner(0, 0, 0).y, -self.corner(0, 0, 0).y];
        let wall = 0.5 * THICK;
        let lean = [[north + wall, 0.0], [north + wall + 32.0, 0.0], [north + wall, 24.0]];
        self.brushes.push(beam("stone", &lean, low.x + ROOM, high.x - ROOM));
        let lean = [[south - wall, 0.0], [south - wall, 24.0], [south - wall - 32.0, 0.0]];
        self.brushes.push(beam("stone", &lean, low.x + ROOM + 96.0, high.x - ROOM));
    }

    /// Pillars where walls meet.
    fn posts(&mut self, storey: u32) {
        for j in 0..=self.plan.rooms[1] {
            for i in 0..=self.plan.rooms[0] {
                let at = self.corner(i, j, storey);
                let half = DVec3::new(0.5 * THICK, 0.5 * THICK, 0.0);
                self.block("post", at - half, at + half + DVec3::Z * CLEAR);
            }
        }
    }

    /// What is below a room: the ground, or a floor with a hole above stairs.
    fn floor(&mut self, i: u32, j: u32, storey: u32) {
        if storey == 0 {
            return;
        }
        let at = self.corner(i, j, storey);
        let above_stairs = self.has_stairs(i, j, storey - 1);
        let mut slab = |x: [f64; 2], y: [f64; 2]| {
            self.brushes.push(cuboid("floor", at + DVec3::new(x[0], y[0], -THICK), at + DVec3::new(x[1], y[1], 0.0)));
        };
        if above_stairs {
            slab([0.0, 16.0], [0.0, ROOM]);
            slab([192.0, ROOM], [0.0, ROOM]);
            slab([16.0, 192.0], [0.0, 16.0]);
            slab([16.0, 192.0], [80.0, ROOM]);
        } else {
            slab([0.0, ROOM], [0.0, ROOM]);
        }
    }

    /// Two flights of stairs, then two ramps.
    fn stairs(&mut self, at: DVec3, storey: u32) {
        if storey % 4 < 2 {
            for step in 0..(STOREY / STEP) as u32 {
                let x = 32.0 + f64::from(step) * STEP;
                let top = f64::from(step + 1) * STEP;
                self.block("step", at + DVec3::new(x, 16.0, 0.0), at + DVec3::new(x + STEP, 80.0, top));
            }
            return;
        }
        // Its profile is in z and x.
        let profile = [[0.0, 24.0], [STOREY, 192.0], [0.0, 192.0]].map(|[z, x]| [at.z + z, at.x + x]);
        self.brushes.push(prism("ramp", &profile, 1, at.y + 16.0, at.y + 80.0));
        self.block("rail", at + DVec3::new(16.0, 80.0, 0.0), at + DVec3::new(192.0, 84.0, 40.0));
    }

    /// The walls at a room's lower x and y, and at the upper ones where no room follows.
    fn walls(&mut self, i: u32, j: u32, storey: u32) {
        let at = self.corner(i, j, storey);
        let [columns, rows] = self.plan.rooms;
        let entrance = storey == 0 && i == 0;
        self.wall(at, 0, i == 0, false);
        self.wall(at, 1, j == 0, entrance && j == 0);
        if i + 1 == columns {
            self.wall(at + DVec3::X * ROOM, 0, true, false);
        }
        if j + 1 == rows {
            self.wall(at + DVec3::Y * ROOM, 1, true, false);
        }
    }

    /// A wall between two posts: across x (axis 0) or across y (axis 1).
    fn wall(&mut self, at: DVec3, axis: usize, outer: bool, entrance: bool) {
        let opening = self.opening(outer, entrance);
        let mut put = |texture, along: [f64; 2], up: [f64; 2], half: f64| {
            let (low, high) = if axis == 0 {
                (DVec3::new(-half, along[0], up[0]), DVec3::new(half, along[1], up[1]))
            } else {
                (DVec3::new(along[0], -half, up[0]), DVec3::new(along[1], half, up[1]))
            };
            self.brushes.push(cuboid(texture, at + low, at + high));
        };
        let (half, ends) = (0.5 * THICK, [0.5 * THICK, ROOM - 0.5 * THICK]);
        let Some(Opening { from, to, bottom, top }) = opening else {
            put("wall", ends, [0.0, CLEAR], half);
            return;
        };
        put("wall", [ends[0], from], [0.0, CLEAR], half);
        put("wall", [to, ends[1]], [0.0, CLEAR], half);
        put("wall", [from, to], [top, CLEAR], half);
        if bottom > 0.0 {
            put("wall", [from, to], [0.0, bottom], half);
            // A sill on the wall's top, and bars across the window.
            put("sill", [from - 4.0, to + 4.0], [bottom, bottom + 4.0], half + 4.0);
            let middle = 0.5 * (from + to);
            put("bar", [middle - 2.0, middle + 2.0], [bottom + 4.0, top], 2.0);
            put("bar", [from, to], [0.5 * (bottom + top) - 2.0, 0.5 * (bottom + top) + 2.0], 1.0);
        } else {
            put("frame", [from, from + 4.0], [0.0, top], half + 2.0);
            put("frame", [to - 4.0, to], [0.0, top], half + 2.0);
            put("frame", [from + 4.0, to - 4.0], [top - 4.0, top], half + 2.0);
        }
    }

    fn opening(&mut self, outer: bool, entrance: bool) -> Option<Opening> {
        if entrance {
            return Some(Opening { from: 24.0, to: 96.0, bottom: 0.0, top: 112.0 });
        }
        let kind = self.rng.index(6);
        let from = 88.0 + 8.0 * self.rng.index(5) as f64;
        match (outer, kind) {
            (true, 0) | (false, 1) => None,
            (true, _) => Some(Opening { from, to: from + 64.0, bottom: 40.0, top: 112.0 }),
            (false, 0) => Some(Opening { from: 40.0, to: 216.0, bottom: 0.0, top: 128.0 }),
            (false, _) => Some(Opening { from, to: from + 64.0, bottom: 0.0, top: 112.0 }),
        }
    }

    /// Sloped slabs over a flat top floor, gables at the ends, a chimney through it all.
    fn roof(&mut self) {
        let low = self.corner(0, 0, self.plan.storeys);
        let (columns, depth) = (self.plan.rooms[0], -low.y);
        let ridge = low.z + 0.5 * depth;
        for j in 0..self.plan.rooms[1] {
            for i in 0..columns {
                let at = self.corner(i, j, self.plan.storeys);
                self.block("ceiling", at - DVec3::Z * THICK, at + DVec3::new(ROOM, ROOM, 0.0));
            }
        }
        let (out, foot) = (-depth - 32.0, low.z - 16.0);
        let south = [[out, foot], [0.0, ridge], [0.0, ridge + THICK], [out, foot + THICK]];
        let north = south.map(|[y, z]| [-y, z]);
        let north = [north[0], north[3], north[2], north[1]];
        for i in 0..columns {
            let x = low.x + f64::from(i) * ROOM;
            self.brushes.push(beam("tiles", &south, x, x + ROOM));
            self.brushes.push(beam("tiles", &north, x, x + ROOM));
        }
        let gable = [[-depth, low.z], [depth, low.z], [0.0, ridge]];
        for x in [low.x, -low.x - THICK] {
            self.brushes.push(beam("wall", &gable, x, x + THICK));
        }
        let chimney = DVec3::new(low.x + 96.0, 32.0, low.z);
        self.block("brick", chimney, chimney + DVec3::new(48.0, 48.0, ridge - low.z + 64.0));
    }
}
