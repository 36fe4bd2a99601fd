//! The planes that a slide has met, and what they leave of a way.

use clearance::{Real, Vec3};

use super::tolerance::{ALONG, CREASE, MOST_PLANES};

/// Planes by their normals, which point to the side where the walker is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Planes {
    normals: [Vec3; MOST_PLANES],
    count: usize,
}

impl Planes {
    /// Another plane; says whether it was known. Of the same plane met again only one is kept; if there are too many, the oldest goes.
    pub fn meet(&mut self, normal: Vec3) -> bool {
        let is_same = |known: &Vec3| known.cross(normal).length() < CREASE && known.dot(normal) > 0.0;
        if let Some(same) = self.normals[..self.count].iter_mut().find(|known| is_same(known)) {
            *same = normal;
            return true;
        }
        if self.count == MOST_PLANES {
            self.normals.rotate_left(1);
            self.count -= 1;
        }
        self.normals[self.count] = normal;
        self.count += 1;
        false
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The vector nearest to the given one that leads into none of the planes: itself, its projection on a plane or on the crease of two,
    /// or zero in a corner.
    pub fn along(&self, want: Vec3) -> Vec3 {
        let normals = &self.normals[..self.count];
        if normals.iter().all(|n| n.dot(want) >= 0.0) {
            return want;
        }
        let slack = ALONG * want.length();
        let is_free = |v: Vec3| normals.iter().all(|n| n.dot(v) >= -slack);
        let mut best = Vec3::ZERO;
        let mut gain: Real = 0.0;
        let mut offer = |v: Vec3| {
            // Of all projections the nearest is the longest.
            if v.length_squared() > gain && is_free(v) {
                (best, gain) = (v, v.length_squared());
            }
        };
        for (i, &n) in normals.iter().enumerate() {
            if n.dot(want) < 0.0 {
                offer(want - n * n.dot(want));
            }
            for &m in &normals[..i] {
                let crease = n.cross(m);
                if crease.length() > CREASE {
                    let crease = crease.normalize_or_zero();
                    offer(crease * crease.dot(want));
                }
            }
        }
        best
    }
}
