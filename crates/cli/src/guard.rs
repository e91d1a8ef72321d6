//! Panics: our mistakes, told as such in two lines, with exit code 1.

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::INTERNAL;

/// Several threads may fail for one reason; it is told once.
static TOLD: AtomicBool = AtomicBool::new(false);

/// From now on a panic is told in words for users.
pub fn install() {
    panic::set_hook(Box::new(|information| {
        // What a damaged file does to a decoder becomes an error that names the file.
        if kinwood::formats::guard::panic_is_caught() {
            return;
        }
        if !TOLD.swap(true, Ordering::Relaxed) {
            // Where standard error is closed there is nobody to tell.
            let _ = io::stderr().write_all(message(information).as_bytes());
        }
    }));
}

fn message(information: &PanicHookInfo<'_>) -> String {
    let payload = information.payload();
    let said = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason was given");
    let place = information
        .location()
        .map(|place| format!(" ({}:{})", place.file(), place.line()))
        .unwrap_or_default();
    format!(
        "error: kinwood itself failed: {said}{place}\n help: please report this with the command and, if you can, \
         the data: {}/issues\n",
        env!("CARGO_PKG_REPOSITORY")
    )
}

/// Runs the work; a panic in it is exit code 1.
pub fn guarded(work: impl FnOnce() -> u8) -> u8 {
    // After a panic nothing of the work is looked at again.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(INTERNAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_exit_code_1() {
        assert_eq!(guarded(|| panic!("an invariant is broken")), 1);
        assert_eq!(guarded(|| 0), 0);
    }
}
