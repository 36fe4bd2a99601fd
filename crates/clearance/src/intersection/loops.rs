//! The curve in which two surfaces cross, as closed polylines.

use std::collections::BTreeMap;

use glam::DVec3;

use super::cross::Crossing;

/// The segments put together: each ends where the next begins.
pub(super) fn closed(crossing: &Crossing) -> Vec<Vec<DVec3>> {
    let mut after = BTreeMap::<u32, Vec<u32>>::new();
    for segment in &crossing.segments {
        after.entry(segment.nodes[0]).or_default().push(segment.nodes[1]);
    }
    let mut curves = Vec::new();
    while let Some((&first, _)) = after.first_key_value() {
        let (mut here, mut curve) = (first, vec![crossing.nodes[first as usize]]);
        while let Some(next) = after.get_mut(&here).and_then(Vec::pop) {
            if after.get(&here).is_some_and(Vec::is_empty) {
                after.remove(&here);
            }
            curve.push(crossing.nodes[next as usize]);
            here = next;
            if here == first {
                break;
            }
        }
        after.retain(|_, next| !next.is_empty());
        curves.push(curve);
    }
    curves
}
