//! What a computation runs with: threads, seed, limits, progress, and a way to stop.
//!
//! A context is cheap to clone. Random numbers are drawn from streams named by numbers (repeat,
//! fold, tree …), each a function of the seed and the stream alone, so that results do not depend
//! on the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kinwood_values::Notice;

use crate::error::{Error, Result};
use crate::random::Generator;

/// Where progress is told. Implemented by interfaces; silence is the default.
pub trait Progress: Send + Sync {
    /// Work of so many steps begins.
    fn begin(&self, what: &str, steps: u64);
    /// So many more steps are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn end(&self);
}

struct Silence;

impl Progress for Silence {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// Threads, seed, limits, progress and cancellation.
#[derive(Clone)]
pub struct Context {
    pool: Option<Arc<rayon::ThreadPool>>,
    seed: u64,
    memory: Option<u64>,
    time: Option<Duration>,
    deadline: Option<Instant>,
    progress: Arc<dyn Progress>,
    stop: Arc<AtomicBool>,
    cut_short: Arc<AtomicBool>,
    counts: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            pool: None,
            seed: 1,
            memory: None,
            time: None,
            deadline: None,
            progress: Arc::new(Silence),
            stop: Arc::default(),
            cut_short: Arc::default(),
            counts: Arc::default(),
        }
    }
}

impl Context {
    /// Every thread of the machine, seed 1, no limits, no progress shown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Works on so many threads; results are the same for any number.
    pub fn with_threads(mut self, threads: usize) -> Self {
        // Where the system refuses threads, the work still gets done on those it gave.
        self.pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .build()
            .ok()
            .map(Arc::new);
        self
    }

    /// Works on these threads, which others may share.
    pub fn with_pool(mut self, pool: Arc<rayon::ThreadPool>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// Draws random numbers from another seed.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Keeps large intermediate results below so many bytes.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Stops after this long, returning what was found so far where that means something.
    pub fn with_time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// The same for work that begins now: its time is counted from now on.
    pub fn again(&self) -> Self {
        match self.time {
            Some(limit) => self.clone().with_time(limit),
            None => self.clone(),
        }
    }

    /// Tells progress there.
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// Stops when the flag is set: the other end is held by whoever hears the interrupt.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Runs a closure on the context's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The memory limit in bytes, if there is one.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Fails when the work was interrupted or its time is over. To be asked between pieces of work.
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Error::OutOfTime);
        }
        Ok(())
    }

    /// How long there is until the time is over; `None` without a limit.
    pub fn remaining(&self) -> Option<Duration> {
        let now = Instant::now();
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(now))
    }

    /// The same context for work that may fail or be cut short by itself: what it tells of that is
    /// told to nobody else.
    pub fn apart(&self) -> Self {
        Self {
            cut_short: Arc::default(),
            counts: Arc::default(),
            ..self.quietly()
        }
    }

    /// Tells that work was asked to stop and returns what it has found so far, which is whole and
    /// can be used. Clones tell together.
    pub fn cut_short(&self) {
        self.cut_short.store(true, Ordering::Relaxed);
    }

    /// Whether what was returned is what was found until the work was asked to stop.
    pub fn was_cut_short(&self) -> bool {
        self.cut_short.load(Ordering::Relaxed)
    }

    /// Tells that work of so many steps begins; dropping the answer tells that it is done.
    pub fn progress(&self, what: &str, steps: u64) -> Running {
        self.progress.begin(what, steps);
        Running {
            progress: Arc::clone(&self.progress),
        }
    }

    /// Counts what a user should be told of once the work is done, in words that follow a number;
    /// clones count together.
    pub fn count(&self, what: &'static str, more: u64) {
        if more > 0 {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            *counts.entry(what).or_default() += more;
        }
    }

    /// What was counted since this was last asked.
    pub fn counted(&self) -> Vec<Notice> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *counts)
            .into_iter()
            .map(|(what, count)| Notice::new(format!("{count} {what}")))
            .collect()
    }

    /// The same context telling no progress: for the inner parts of work that tells its own.
    pub fn quietly(&self) -> Self {
        Self {
            progress: Arc::new(Silence),
            ..self.clone()
        }
    }

    /// The generator of a stream: a function of seed and stream alone.
    pub fn generator(&self, stream: &[u64]) -> Generator {
        Generator::new(self.seed, stream)
    }
}

/// Work under way, of which progress is told.
pub struct Running {
    progress: Arc<dyn Progress>,
}

impl Running {
    /// So many more steps are done.
    pub fn advance(&self, steps: u64) {
        self.progress.advance(steps);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.progress.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_count_together() {
        let context = Context::new();
        context.clone().with_threads(2).count("rows skipped", 2);
        context.quietly().count("rows skipped", 3);
        context.count("never", 0);
        let told: Vec<String> = context.counted().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["5 rows skipped"]);
        assert!(context.counted().is_empty());
    }

    #[test]
    fn a_set_flag_or_a_past_deadline_stops() {
        let stop = Arc::new(AtomicBool::new(false));
        let context = Context::new().with_stop(Arc::clone(&stop));
        assert!(context.check().is_ok());
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(context.check(), Err(Error::Interrupted)));
        let late = Context::new().with_time(Duration::ZERO);
        assert!(matches!(late.check(), Err(Error::OutOfTime)));
    }
}
