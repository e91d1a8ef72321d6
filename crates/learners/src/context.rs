//! What a computation runs with: threads, seed, limits, progress, and a way to stop.
//!
//! A context is cheap to clone. Random numbers are drawn from streams named by numbers (repeat, fold, tree …), each
//! a function of the seed and the stream alone, so that results do not depend on the number of threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::error::{Error, Result};

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
    deadline: Option<Instant>,
    progress: Arc<dyn Progress>,
    stop: Arc<AtomicBool>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            pool: None,
            seed: 1,
            memory: None,
            deadline: None,
            progress: Arc::new(Silence),
            stop: Arc::default(),
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
        self.pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok().map(Arc::new);
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
        self.deadline = Instant::now().checked_add(limit);
        self
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
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::OutOfTime);
        }
        Ok(())
    }

    /// Tells that work of so many steps begins; dropping the answer tells that it is done.
    pub fn progress(&self, what: &str, steps: u64) -> Running {
        self.progress.begin(what, steps);
        Running { progress: Arc::clone(&self.progress) }
    }

    /// The same context telling no progress: for the inner parts of work that tells its own.
    pub fn quietly(&self) -> Self {
        Self { progress: Arc::new(Silence), ..self.clone() }
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

/// Random numbers whose values are fixed by this crate, not by the version of another.
#[derive(Clone, Debug)]
pub struct Generator(ChaCha8Rng);

impl Generator {
    /// The generator of a stream under a seed.
    pub fn new(seed: u64, stream: &[u64]) -> Self {
        // The length goes in, so that [1] and [1, 0] are different streams.
        let mixed = stream.iter().fold(mix(seed ^ stream.len() as u64), |so_far, &part| mix(so_far ^ mix(part)));
        Self(ChaCha8Rng::seed_from_u64(mixed))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        let bound = bound as u64;
        // Draws beyond the last full multiple of the bound would favour small numbers.
        let reject_from = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.bits();
            if draw < reject_from {
                return (draw % bound) as usize;
            }
        }
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A standard normal number (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Puts the items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// SplitMix64's finaliser: every bit of the input moves every bit of the output.
fn mix(bits: u64) -> u64 {
    let mut bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_and_differ() {
        let draw = |seed, stream: &[u64]| Generator::new(seed, stream).bits();
        assert_eq!(draw(1, &[2, 3]), draw(1, &[2, 3]));
        assert_ne!(draw(1, &[2, 3]), draw(1, &[3, 2]));
        assert_ne!(draw(1, &[]), draw(1, &[0]));
        assert_ne!(draw(1, &[]), draw(2, &[]));
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        let mut items: Vec<u32> = (0..100).collect();
        Generator::new(7, &[]).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn bounded_numbers_are_even() {
        let mut generator = Generator::new(3, &[]);
        let mut counts = [0; 5];
        (0..50_000).for_each(|_| counts[generator.below(5)] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut generator = Generator::new(3, &[1]);
        let draws: Vec<f64> = (0..50_000).map(|_| generator.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 50_000.0;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 50_000.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
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
