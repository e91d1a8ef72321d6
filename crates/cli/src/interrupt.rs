//! Ctrl-C: the first asks the work to stop, the second ends the process.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::INTERRUPTED;

/// How often a reader is looked at before it is left, and what lies between.
const PATIENCE: u32 = 20;
const MOMENT: Duration = Duration::from_millis(50);

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
            // Readers look at the flag with every piece, and take away what they have put aside.
            // One that waits for another program does not, and nothing is half done: it is not
            // waited for.
            let mut patience = if again { 0 } else { PATIENCE };
            while patience > 0 && reading.load(Ordering::Relaxed) {
                std::thread::sleep(MOMENT);
                patience -= 1;
            }
            if again || reading.load(Ordering::Relaxed) {
                let _ = writeln!(io::stderr(), "interrupted");
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

    /// Forgets an interrupt: the work that it stopped is over, and other work begins.
    #[cfg(feature = "sqlite")]
    pub fn forget(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Does work that may be cut off anywhere.
    pub fn while_reading<T>(&self, work: impl FnOnce() -> T) -> T {
        self.reading.store(true, Ordering::Relaxed);
        let done = work();
        self.reading.store(false, Ordering::Relaxed);
        done
    }
}
