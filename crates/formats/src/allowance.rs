//! What reading may take: so much memory, and only until it is asked to stop.
//!
//! A small file may hold much: gzip unpacks a thousandfold, a sparse row stands for all its
//! columns, a view has no end. Readers ask here before they reserve memory and whenever another
//! piece has been read, so that they end in a sentence and not in the system's hands.

use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

/// The share of the machine's memory that data may take where nobody says how much, in percent.
const SHARE: u64 = 80;

/// Bytes between two looks at what the process takes.
pub(crate) const PIECE: u64 = 4 << 20;

/// Why reading ends before the end of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Halted {
    /// The user wants no more.
    #[error("it was interrupted")]
    Interrupted,
    /// The time is over.
    #[error("the time is over")]
    OutOfTime,
    /// It takes more memory than is allowed.
    #[error("it takes more than {}, which is all that is allowed", shown(*allowed))]
    Memory {
        /// How many bytes are allowed.
        allowed: u64,
    },
    /// It would take more memory than is allowed.
    #[error("it needs {}, and {} are allowed", shown(*needed), shown(*allowed))]
    Needs {
        /// How many bytes it needs at least.
        needed: u64,
        /// How many are allowed.
        allowed: u64,
    },
}

fn shown(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{bytes} bytes of memory"),
        1_000_000..10_000_000_000 => format!("{} MB of memory", bytes / 1_000_000),
        _ => format!("{} GB of memory", bytes / 1_000_000_000),
    }
}

/// Says whether reading is to stop, and why.
pub type Asked = Arc<dyn Fn() -> Option<Halted> + Send + Sync>;

/// What reading may take.
#[derive(Clone)]
pub struct Allowance {
    memory: Option<u64>,
    asked: Option<Asked>,
    /// What the process took when it was first looked at, which is soon after reading began.
    before: Arc<OnceLock<u64>>,
}

impl Allowance {
    /// So many bytes; where nobody says, four fifths of the memory that the machine gives the
    /// process.
    pub fn of(memory: Option<u64>) -> Self {
        Self {
            memory: memory.or_else(ceiling),
            asked: None,
            before: Arc::default(),
        }
    }

    /// Asks whether to stop.
    pub fn asking(mut self, asked: Asked) -> Self {
        self.asked = Some(asked);
        self
    }

    /// The bytes that may be taken, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Fails where the work is to stop.
    pub fn go_on(&self) -> Result<(), Halted> {
        match self.asked.as_ref().and_then(|asked| asked()) {
            Some(halted) => Err(halted),
            None => Ok(()),
        }
    }

    /// Fails where the work is to stop, or takes more memory than it may.
    pub fn check(&self) -> Result<(), Halted> {
        self.go_on()?;
        let (Some(allowed), Some(now)) = (self.memory, resident()) else {
            return Ok(());
        };
        let before = *self.before.get_or_init(|| now);
        match now.saturating_sub(before) > allowed {
            true => Err(Halted::Memory { allowed }),
            false => Ok(()),
        }
    }

    /// Fails where so many bytes may not be taken.
    pub fn needs(&self, needed: u64) -> Result<(), Halted> {
        match self.memory {
            Some(allowed) if needed > allowed => Err(Halted::Needs { needed, allowed }),
            _ => Ok(()),
        }
    }

    /// Bytes that stop coming where the work is to stop.
    pub(crate) fn watch<R: Read>(&self, reader: R) -> Watched<R> {
        Watched {
            reader,
            allowance: self.clone(),
            since: 0,
        }
    }
}

impl Default for Allowance {
    fn default() -> Self {
        Self::of(None)
    }
}

impl fmt::Debug for Allowance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Allowance({:?})", self.memory)
    }
}

/// How much may be taken is no matter of what is read.
impl PartialEq for Allowance {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory
    }
}

/// Bytes that stop coming where the work is to stop.
pub(crate) struct Watched<R> {
    reader: R,
    allowance: Allowance,
    /// Bytes since memory was looked at.
    since: u64,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.allowance.go_on().map_err(io::Error::other)?;
        let read = self.reader.read(buffer)?;
        self.since += read as u64;
        if self.since >= PIECE {
            self.since = 0;
            self.allowance.check().map_err(io::Error::other)?;
        }
        Ok(read)
    }
}

/// The bytes that the process has in memory, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmRSS:")
}

/// Most of the memory that the machine, or the group of processes, has.
fn ceiling() -> Option<u64> {
    static CEILING: OnceLock<Option<u64>> = OnceLock::new();
    *CEILING.get_or_init(|| {
        let machine = std::fs::read_to_string("/proc/meminfo");
        let machine = machine.ok().and_then(|text| kilobytes(&text, "MemTotal:"));
        let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max");
        let group = group.ok().and_then(|text| text.trim().parse().ok());
        let least = [machine, group].into_iter().flatten().min();
        least.map(|bytes: u64| bytes / 100 * SHARE)
    })
}

/// The bytes behind a name in a list of kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn amounts_are_read_from_what_the_system_tells() {
        let text = "VmPeak:\t  10 kB\nVmRSS:\t   2048 kB\n";
        assert_eq!(kilobytes(text, "VmRSS:"), Some(2 << 20));
        assert_eq!(kilobytes(text, "VmData:"), None);
    }

    #[test]
    fn what_is_needed_is_refused_before_it_is_taken() {
        let allowance = Allowance::of(Some(1_000_000));
        assert_eq!(allowance.needs(1_000_000), Ok(()));
        let refused = allowance.needs(5_000_000).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "it needs 5 MB of memory, and 1 MB of memory are allowed"
        );
    }

    #[test]
    fn bytes_stop_coming_when_asked() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let asked: Asked = Arc::new(move || {
            let call = counted.fetch_add(1, Ordering::SeqCst);
            (call >= 3).then_some(Halted::Interrupted)
        });
        let allowance = Allowance::of(None).asking(asked);
        let mut watched = allowance.watch(io::repeat(b'x'));
        let mut buffer = [0; 16];
        let stopped = (0..10)
            .find_map(|_| watched.read(&mut buffer).err())
            .unwrap();
        let inner = stopped.get_ref().and_then(|error| error.downcast_ref());
        assert_eq!(inner, Some(&Halted::Interrupted));
        assert_eq!(calls.load(Ordering::SeqCst), 4);
    }
}
