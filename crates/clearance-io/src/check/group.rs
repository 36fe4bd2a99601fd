//! Names of findings that stay the same, and findings that have one cause.

use std::collections::BTreeMap;

use super::finding::Finding;
use crate::scene::Assembly;

/// FNV-1a, 64 bits: short, and the same on every machine.
pub(crate) fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The id of a finding about two parts.
pub(super) fn id(names: [&str; 2]) -> String {
    let mut names = names;
    names.sort_unstable();
    let bytes = names[0].bytes().chain([0]).chain(names[1].bytes());
    format!("{:016x}", hash(bytes))
}

/// Gives a group to findings of the same kind about the same two geometries: a pattern of bolts in a plate.
pub(super) fn group(assembly: &Assembly, findings: &mut [Finding]) {
    let key = |finding: &Finding| {
        let mut of = [finding.a, finding.b].map(|part| assembly.parts[part].geometry);
        of.sort_unstable();
        (finding.kind, of)
    };
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    findings.iter().for_each(|finding| *counts.entry(key(finding)).or_default() += 1);
    for finding in findings {
        let (kind, of) = key(finding);
        if counts.get(&(kind, of)).is_some_and(|count| *count > 1) {
            let [a, b] = of.map(|geometry| name(&assembly.geometry[geometry].source));
            finding.group = Some(format!("{} {a} and {b}", kind.name()));
        }
    }
}

/// The last part of a source's path.
fn name(source: &str) -> &str {
    source.rsplit('/').next().unwrap_or(source)
}
