//! A slot for something that is made from a shape when it is first asked for, and kept with it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Holds one value, made on first use. A shape does not know what it is, so that modules which build on shapes can keep what they
/// prepare with the shape it was prepared from. A clone shares what was made before it.
#[derive(Clone, Default)]
pub(crate) struct Derived(OnceLock<Arc<dyn Any + Send + Sync>>);

impl Derived {
    /// The value, or the one made now. A value of another type is not found here and is made each time: a slot has one use.
    pub fn get_or_make<T: Any + Send + Sync>(&self, make: impl Fn() -> T) -> Arc<T> {
        let kept = self.0.get_or_init(|| Arc::new(make()));
        Arc::clone(kept).downcast().unwrap_or_else(|_| Arc::new(make()))
    }
}

impl fmt::Debug for Derived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() { "made" } else { "not made" })
    }
}
