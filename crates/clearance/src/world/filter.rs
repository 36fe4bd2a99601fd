//! Which bodies a query of a world looks at.

use super::body::Group;
use super::id::BodyId;

/// Which bodies a query of a world looks at: those of some groups, without one of them. All bodies by default.
///
/// ```
/// use clearance::world::{Filter, Group};
/// let walls = Group::new(3)?;
/// let filter = Filter::groups([walls]); // walls only
/// let others = Filter::default().without_group(walls);
/// assert!(filter.includes(walls) && !others.includes(walls));
/// # Ok::<(), clearance::world::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    groups: u64,
    except: Option<BodyId>,
}

impl Default for Filter {
    fn default() -> Self {
        Self { groups: u64::MAX, except: None }
    }
}

impl Filter {
    /// The bodies of these groups; of none, no bodies.
    pub fn groups(groups: impl IntoIterator<Item = Group>) -> Self {
        Self { groups: groups.into_iter().fold(0, |mask, group| mask | 1 << group.0), except: None }
    }

    /// All bodies but one: the one that asks, as a rule.
    pub fn except(body: BodyId) -> Self {
        Self::default().without(body)
    }

    /// The same without the bodies of a group.
    #[must_use]
    pub fn without_group(self, group: Group) -> Self {
        Self { groups: self.groups & !(1 << group.0), ..self }
    }

    /// The same without one body, in place of the one left out before.
    #[must_use]
    pub fn without(self, body: BodyId) -> Self {
        Self { except: Some(body), ..self }
    }

    /// Whether the bodies of a group are looked at.
    pub fn includes(&self, group: Group) -> bool {
        self.groups >> group.0 & 1 == 1
    }

    /// Whether a body of this group is looked at.
    #[inline]
    pub(super) fn admits(&self, id: BodyId, group: Group) -> bool {
        self.includes(group) && self.except != Some(id)
    }
}
