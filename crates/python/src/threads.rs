//! Threads to work on. Each piece of work has a pool of its own while it runs, so that threads know
//! whose work they do, and what a Python function raises on them goes to whoever called.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Room for deep trees and expressions.
const STACK: usize = 16 << 20;

thread_local! {
    /// The work that this thread has a part in.
    static PART: RefCell<Option<Arc<Party>>> = const { RefCell::new(None) };
}

/// Those who wait for what some threads do, the innermost last: a function that is called by work
/// may start work itself.
#[derive(Default)]
struct Party(Mutex<Vec<Weak<Watch>>>);

/// One who waits: told to stop, and why.
#[derive(Default)]
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    /// What is set when the work is to stop.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// What was raised first.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        lock(&self.raised).take()
    }
}

/// Tells whoever waits for this thread's work that it failed.
pub(crate) fn fail(py: Python<'_>, error: &PyErr) {
    let party = PART.with(|part| part.borrow().clone());
    let Some(party) = party else { return };
    let watches: Vec<Arc<Watch>> = lock(&party.0).iter().filter_map(Weak::upgrade).collect();
    for watch in watches {
        watch.stop.store(true, Ordering::Relaxed);
        lock(&watch.raised).get_or_insert_with(|| error.clone_ref(py));
    }
}

/// Threads that are taken for one piece of work, and given back afterwards.
pub(crate) struct Threads {
    key: (u32, usize),
    pool: Arc<ThreadPool>,
    party: Arc<Party>,
}

type Free = HashMap<(u32, usize), Vec<(Arc<ThreadPool>, Arc<Party>)>>;
static FREE: Mutex<Option<Free>> = Mutex::new(None);

impl Threads {
    /// So many threads, as many as the machine has for 0. A forked process has none of its
    /// parent's, and gets its own.
    pub(crate) fn take(threads: usize) -> PyResult<Self> {
        let key = (std::process::id(), threads);
        let free = lock(&FREE)
            .get_or_insert_with(HashMap::new)
            .get_mut(&key)
            .and_then(Vec::pop);
        let (pool, party) = match free {
            Some(free) => free,
            None => new(threads)?,
        };
        Ok(Self { key, pool, party })
    }

    pub(crate) fn pool(&self) -> &Arc<ThreadPool> {
        &self.pool
    }

    /// Has somebody wait for what these threads do.
    pub(crate) fn watched(&self, watch: &Arc<Watch>) {
        *lock(&self.party.0) = vec![Arc::downgrade(watch)];
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let mut free = lock(&FREE);
        let free = free.get_or_insert_with(HashMap::new);
        let kept = (Arc::clone(&self.pool), Arc::clone(&self.party));
        free.entry(self.key).or_default().push(kept);
    }
}

fn new(threads: usize) -> PyResult<(Arc<ThreadPool>, Arc<Party>)> {
    let party = Arc::new(Party::default());
    let of = Arc::clone(&party);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|number| format!("kinwood-{number}"))
        .start_handler(move |_| PART.with(|part| *part.borrow_mut() = Some(Arc::clone(&of))))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no threads to work on: {error}")))?;
    Ok((Arc::new(pool), party))
}

/// Runs work on this very thread: work inside of work, or work too short for threads.
pub(crate) fn here<T>(watch: &Arc<Watch>, work: impl FnOnce() -> T) -> T {
    let outer = PART.with(|part| part.borrow().clone());
    let party = outer.clone().unwrap_or_default();
    PART.with(|part| *part.borrow_mut() = Some(Arc::clone(&party)));
    lock(&party.0).push(Arc::downgrade(watch));
    let done = work();
    lock(&party.0).retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(watch)));
    PART.with(|part| *part.borrow_mut() = outer);
    done
}

/// Whether this thread does work already.
pub(crate) fn at_work() -> bool {
    rayon::current_thread_index().is_some()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
