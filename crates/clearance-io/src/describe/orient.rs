//! Turns triangles until neighbours agree on which side is outside.

/// Turns triangles so that each runs along its edges against its neighbours, starting from the first of each connected part. Edges of more than
/// two triangles connect nothing. Returns which were turned.
pub(super) fn agree(triangles: &mut [[u32; 3]]) -> Vec<u32> {
    let mut sides: Vec<([u32; 2], bool, u32)> = Vec::with_capacity(3 * triangles.len());
    for (index, t) in triangles.iter().enumerate() {
        for [from, to] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            sides.push(([from.min(to), from.max(to)], from > to, index as u32));
        }
    }
    sides.sort_unstable();
    // Neighbours of each triangle, and whether they run along the common edge in the same direction.
    let mut beside: Vec<Vec<(u32, bool)>> = vec![Vec::new(); triangles.len()];
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        if let [a, b] = edge {
            beside[a.2 as usize].push((b.2, a.1 == b.1));
            beside[b.2 as usize].push((a.2, a.1 == b.1));
        }
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    for first in 0..triangles.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut open = vec![first as u32];
        while let Some(at) = open.pop() {
            let own = turned[at as usize] == Some(true);
            for &(next, same) in &beside[at as usize] {
                if turned[next as usize].is_none() {
                    turned[next as usize] = Some(own != same);
                    open.push(next);
                }
            }
        }
    }
    let which: Vec<u32> = (0..triangles.len() as u32).filter(|t| turned[*t as usize] == Some(true)).collect();
    which.iter().for_each(|t| triangles[*t as usize].swap(1, 2));
    which
}
