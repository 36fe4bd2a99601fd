//! Concave worlds of about four units: cells, rooms, terrain, pieces, stars, plates and needles.

use std::collections::HashMap;

use glam::DVec3;

use super::bodies::{hull, prism, star_outline};
use crate::meshes::Polyhedron;
use crate::random::Rng;

/// A world, and how often its surface winds about free points (see [`Fixed`](super::Fixed)).
#[derive(Clone, Debug)]
pub struct World {
    /// What it is, in a word or two.
    pub kind: &'static str,
    /// Its vertices and convex faces.
    pub polyhedron: Polyhedron,
    /// 0 about solids, −1 in rooms.
    pub free: i32,
}

/// The sides of the region in which worlds are: from the origin to here along each axis.
pub const EXTENT: f64 = 4.0;

/// The kinds of worlds.
pub const KINDS: usize = 9;

/// A random world of a kind below [`KINDS`].
pub fn world(kind: usize, rng: &mut Rng) -> World {
    let (name, polyhedron, free) = match kind {
        0 => ("block", block(rng), 0),
        1 => ("columns", columns(rng), 0),
        2 => ("room", room(rng), -1),
        3 => ("terrain", terrain(rng), 0),
        4 => ("pieces", pieces(rng, 14), 0),
        5 => ("stars", stars(rng), 0),
        6 => ("plates", plates(rng), 0),
        7 => ("needles", needles(rng), 0),
        _ => ("furnished room", hall().joined(&pieces(rng, 7)), -1),
    };
    World { kind: name, polyhedron, free }
}

/// Each face as triangles of its own.
pub fn triangulated(polyhedron: Polyhedron) -> Polyhedron {
    let fan = |face: &Vec<u32>| -> Vec<Vec<u32>> {
        face[1..].windows(2).map(|pair| vec![face[0], pair[0], pair[1]]).collect()
    };
    Polyhedron { faces: polyhedron.faces.iter().flat_map(fan).collect(), vertices: polyhedron.vertices }
}

/// The boundary between free and solid cells of a grid, facing the free side; a square for each face of a cell, or two triangles
/// if the corners are moved. Cells out of the grid are free, or solid for a room. Nothing if two cells meet at an edge only.
pub fn cells(
    size: [i32; 3],
    room: bool,
    jitter: f64,
    rng: &mut Rng,
    solid: impl Fn([i32; 3]) -> bool,
) -> Option<Polyhedron> {
    let is_solid = |cell: [i32; 3]| {
        let within = (0..3).all(|i| (0..size[i]).contains(&cell[i]));
        if within { solid(cell) } else { room }
    };
    let (mut numbers, mut vertices, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    let grid = |n: i32| -1..n + 1;
    let all = grid(size[0]).flat_map(|x| grid(size[1]).flat_map(move |y| grid(size[2]).map(move |z| [x, y, z])));
    for cell in all {
        for (axis, step) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
            let mut next = cell;
            next[axis] += step;
            if !is_solid(cell) || is_solid(next) {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut square = [[0, 0], [1, 0], [1, 1], [0, 1]];
            if step < 0 {
                square.reverse();
            }
            let corners = square.map(|[a, b]| {
                let mut corner = cell;
                corner[axis] += i32::from(step > 0);
                corner[u] += a;
                corner[v] += b;
                *numbers.entry(corner).or_insert_with(|| {
                    let at = DVec3::from_array(corner.map(f64::from));
                    vertices.push(at + rng.in_ball(1.0) * jitter);
                    vertices.len() as u32 - 1
                })
            });
            faces.push(corners.to_vec());
        }
    }
    let made = Polyhedron { vertices, faces };
    let made = if jitter > 0.0 { triangulated(made) } else { made };
    is_manifold(&made).then_some(made)
}

/// Each directed side once.
fn is_manifold(polyhedron: &Polyhedron) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut sides = polyhedron.faces.iter().flat_map(|f| (0..f.len()).map(|i| [f[i], f[(i + 1) % f.len()]]));
    !polyhedron.faces.is_empty() && sides.all(|side| seen.insert(side))
}

fn jitter(rng: &mut Rng) -> f64 {
    if rng.chance(0.5) { 0.15 } else { 0.0 }
}

fn repeated(rng: &mut Rng, mut make: impl FnMut(&mut Rng) -> Option<Polyhedron>) -> Polyhedron {
    loop {
        if let Some(made) = make(rng) {
            return made;
        }
    }
}

fn block(rng: &mut Rng) -> Polyhedron {
    repeated(rng, |rng| {
        let holes: Vec<bool> = (0..27).map(|_| rng.chance(0.2)).collect();
        let jitter = jitter(rng);
        cells([3, 3, 3], false, jitter, rng, |c| !holes[(c[0] * 9 + c[1] * 3 + c[2]) as usize])
    })
}

fn heights(rng: &mut Rng) -> Vec<i32> {
    (0..16).map(|_| rng.integer(0, 3) as i32).collect()
}

fn columns(rng: &mut Rng) -> Polyhedron {
    repeated(rng, |rng| {
        let (heights, jitter) = (heights(rng), jitter(rng));
        cells([4, 4, 4], false, jitter, rng, |c| c[2] == 0 || c[2] <= heights[(c[0] * 4 + c[1]) as usize])
    })
}

fn room(rng: &mut Rng) -> Polyhedron {
    repeated(rng, |rng| {
        let (heights, jitter) = (heights(rng), jitter(rng));
        cells([4, 4, 4], true, jitter, rng, |c| c[2] < heights[(c[0] * 4 + c[1]) as usize] - 1)
    })
}

/// An empty room of six walls.
fn hall() -> Polyhedron {
    let half = DVec3::splat(0.5 * EXTENT);
    Polyhedron::cuboid(half).inside_out().mapped(|v| v + half)
}

/// A solid with a random surface above and a flat one below.
fn terrain(rng: &mut Rng) -> Polyhedron {
    let count = 6_u32;
    let rough = rng.uniform(0.1, 1.2);
    let at = |i: u32, j: u32| i * (count + 1) + j;
    let place = |i: u32| EXTENT * f64::from(i) / f64::from(count);
    let grid: Vec<(u32, u32)> = (0..=count).flat_map(|i| (0..=count).map(move |j| (i, j))).collect();
    let mut vertices: Vec<DVec3> =
        grid.iter().map(|&(i, j)| DVec3::new(place(i), place(j), 1.5 + rng.uniform(-rough, rough))).collect();
    vertices.extend(grid.iter().map(|&(i, j)| DVec3::new(place(i), place(j), 0.0)));
    let below = (count + 1) * (count + 1);
    let mut faces = Vec::new();
    for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        faces.extend([vec![a, b, c], vec![a, c, d]]);
        faces.push([d, c, b, a].map(|v| v + below).to_vec());
    }
    for i in 0..count {
        let rim = [
            [at(i, 0), at(i + 1, 0)],
            [at(count, i), at(count, i + 1)],
            [at(i + 1, count), at(i, count)],
            [at(0, i + 1), at(0, i)],
        ];
        faces.extend(rim.map(|[a, b]| vec![b, a, a + below, b + below]));
    }
    Polyhedron { vertices, faces }
}

fn anywhere(rng: &mut Rng) -> DVec3 {
    rng.in_box(DVec3::splat(0.5 * EXTENT)) + DVec3::splat(0.5 * EXTENT)
}

/// Turned and put somewhere; in triangles half of the time, since turned squares are flat only to rounding.
fn scattered(piece: Polyhedron, rng: &mut Rng) -> Polyhedron {
    let (turn, place) = (rng.rotation(), anywhere(rng));
    let piece = if rng.chance(0.5) { triangulated(piece) } else { piece };
    if rng.chance(0.25) { piece.mapped(|v| v + place) } else { piece.mapped(|v| turn * v + place) }
}

fn together(count: usize, rng: &mut Rng, mut make: impl FnMut(&mut Rng) -> Polyhedron) -> Polyhedron {
    (0..count).fold(Polyhedron::default(), |all, _| {
        let piece = make(rng);
        all.joined(&scattered(piece, rng))
    })
}

/// Boxes, hulls and tetrahedra that may overlap.
fn pieces(rng: &mut Rng, count: usize) -> Polyhedron {
    together(count, rng, |rng| match rng.index(3) {
        0 => Polyhedron::cuboid(DVec3::from_array([0; 3].map(|_| rng.uniform(0.1, 0.9)))),
        1 => hull(rng, 10, 0.9),
        _ => hull(rng, 4, 1.2),
    })
}

fn stars(rng: &mut Rng) -> Polyhedron {
    together(3, rng, |rng| {
        let teeth = 4 + rng.index(8);
        let outer = rng.uniform(0.6, 1.5);
        let outline = star_outline(teeth, outer, outer * rng.uniform(0.4, 0.9));
        prism(&outline, rng.uniform(0.1, 0.6))
    })
}

/// Boxes from a hundredth down to a millionth thick, and some without any thickness.
fn plates(rng: &mut Rng) -> Polyhedron {
    together(8, rng, |rng| {
        let half = [0; 2].map(|_| rng.uniform(0.4, 1.4));
        if rng.chance(0.3) {
            let vertices = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]];
            let vertices = vertices.map(|[x, y]| DVec3::new(x * half[0], y * half[1], 0.0)).to_vec();
            return triangulated(Polyhedron { vertices, faces: vec![vec![0, 1, 2, 3], vec![3, 2, 1, 0]] });
        }
        Polyhedron::cuboid(DVec3::new(half[0], half[1], rng.log_uniform(1e-6, 1e-2)))
    })
}

/// Spikes on a floor and loose in the air.
fn needles(rng: &mut Rng) -> Polyhedron {
    let floor = Polyhedron::cuboid(DVec3::new(2.0, 2.0, 0.25)).mapped(|v| v + DVec3::new(2.0, 2.0, 0.25));
    let spikes = (0..10).fold(floor, |all, _| {
        let (wide, high) = (rng.log_uniform(0.002, 0.15), rng.uniform(0.5, 3.0));
        let place = DVec3::new(rng.uniform(0.2, 3.8), rng.uniform(0.2, 3.8), 0.5);
        let lean = DVec3::new(rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), high);
        let foot = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]];
        let mut vertices = foot.map(|[x, y]| place + DVec3::new(x, y, 0.0) * wide - DVec3::Z * 0.1).to_vec();
        vertices.push(place + lean);
        let faces = vec![vec![3, 2, 1, 0], vec![0, 1, 4], vec![1, 2, 4], vec![2, 3, 4], vec![3, 0, 4]];
        all.joined(&Polyhedron { vertices, faces })
    });
    spikes.joined(&together(5, rng, |rng| {
        let wide = rng.log_uniform(1e-4, 0.02);
        let long = rng.uniform(1.0, 3.0);
        prism(&star_outline(2, wide, wide * 0.8), 0.5 * long)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passing::{Fixed, Placement, Surface};
    use glam::DMat3;

    #[test]
    fn worlds_are_closed_and_have_free_and_solid_places() {
        for kind in 0..KINDS {
            let mut rng = Rng::new(100 + kind as u64);
            let mut solid = crate::HitRate::new("solid places");
            for _ in 0..6 {
                let world = world(kind, &mut rng);
                let surface = Surface::new(&world.polyhedron);
                assert!(surface.closed && is_manifold(&world.polyhedron), "{}", world.kind);
                let rest = Placement { matrix: DMat3::IDENTITY, translation: DVec3::ZERO };
                let fixed = Fixed::new(&surface, rest, Some(world.free));
                let far = DVec3::splat(100.0);
                assert_eq!(fixed.holds_point(far), world.free == -1, "{}", world.kind);
                (0..50).for_each(|_| {
                    solid.record(fixed.holds_point(anywhere(&mut rng) - fixed.origin));
                });
            }
            assert!(solid.rate() < 0.9, "kind {kind}: {}", solid.rate());
            assert!(solid.rate() > 0.0 || kind == 6 || kind == 7, "kind {kind}: {}", solid.rate());
        }
    }
}
