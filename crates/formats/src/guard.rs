//! Other people's panics: a damaged file may bring down a decoder that is not ours, and is refused
//! even so.

use std::cell::Cell;
#[cfg(feature = "arrow")]
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread would become an error of this crate: a panic hook may then keep
/// silent.
pub fn panic_is_caught() -> bool {
    CAUGHT.get()
}

/// Does the work; what a panic in it says is the error.
#[cfg(feature = "arrow")]
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = CAUGHT.replace(true);
    // Nothing that the work has touched is looked at after a panic: it owns its buffers.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(before);
    outcome.map_err(|payload| {
        let said = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        said.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "its content does not fit together".to_owned())
    })
}

#[cfg(all(test, feature = "arrow"))]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_words() {
        assert_eq!(guarded(panic_is_caught), Ok(true));
        assert_eq!(
            guarded(|| panic!("index {}", 7)),
            Err::<(), _>("index 7".to_owned())
        );
        assert_eq!(
            guarded(|| panic!("static")),
            Err::<(), _>("static".to_owned())
        );
        assert!(!panic_is_caught());
    }
}
