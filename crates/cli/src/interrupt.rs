//! Ctrl-C: the first asks the work to stop, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::INTERRUPTED;

/// What an interrupt sets.
#[derive(Debug, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    reading: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to interrupts from now on.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let (stop, reading) = (Arc::clone(&interrupt.stop), Arc::clone(&interrupt.reading));
        let heard = move || {
            let again = stop.swap(true, Ordering::Relaxed);
            // While data is read nothing is half done: there is no reason to wait for the end of
            // the file.
            if again || reading.load(Ordering::Relaxed) {
                std::process::exit(i32::from(INTERRUPTED));
            }
        };
        // Where the system lets nobody listen, an interrupt ends the process at once, as it does by
        // itself.
        let _ = ctrlc::set_handler(heard);
        interrupt
    }

    /// The flag that an interrupt sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Does work that may be cut off anywhere.
    pub fn while_reading<T>(&self, work: impl FnOnce() -> T) -> T {
        self.reading.store(true, Ordering::Relaxed);
        let done = work();
        self.reading.store(false, Ordering::Relaxed);
        done
    }
}
