//! Work without the interpreter's lock: on threads of its own, while the calling thread listens for Ctrl-C and shows progress.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kinwood::learners::{Context, Progress};
use kinwood::{Error, Result};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::raised;
use crate::foreign;

/// How often the calling thread looks up.
const TICK: Duration = Duration::from_millis(50);
/// Room for deep trees and expressions.
const STACK: usize = 16 << 20;

/// How work is done: what every function that may take long is told.
#[pyclass(frozen, module = "kinwood._kinwood", from_py_object)]
#[derive(Clone)]
pub(crate) struct Work {
    threads: usize,
    seed: u64,
    memory: Option<u64>,
    seconds: Option<f64>,
    progress: Option<Arc<Py<PyAny>>>,
}

#[pymethods]
impl Work {
    #[new]
    #[pyo3(signature = (*, threads=0, seed=1, memory=None, seconds=None, progress=None))]
    fn new(
        threads: usize,
        seed: u64,
        memory: Option<u64>,
        seconds: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> Self {
        Self {
            threads,
            seed,
            memory,
            seconds: seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
            progress: progress.map(Arc::new),
        }
    }
}

impl Work {
    /// Runs work on the package's threads, the interpreter's lock released. Ctrl-C stops it, and a panic is an exception.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Context) -> Result<T> + Send,
    ) -> PyResult<T> {
        let pool = pool(self.threads)?;
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::new(Told::default());
        let mut context = Context::new()
            .with_pool(Arc::clone(&pool))
            .with_seed(self.seed)
            .with_stop(Arc::clone(&stop))
            .with_progress(Arc::clone(&told) as Arc<dyn Progress>);
        if let Some(bytes) = self.memory {
            context = context.with_memory(bytes);
        }
        if let Some(seconds) = self.seconds {
            context = context.with_time(Duration::from_secs_f64(seconds.min(1e9)));
        }
        let failures = foreign::Failures::watch(&stop);
        let (outcome, signal) = py.detach(|| {
            // Called by a distance that is written in Python, this is work already: waiting for threads that wait for this one
            // would have no end.
            if rayon::current_thread_index().is_some() {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(&context)));
                return (Some(outcome), None);
            }
            let mut outcome = None;
            let mut signal = None;
            let (done, doing) = sync_channel::<()>(1);
            let (context, slot) = (&context, &mut outcome);
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| {
                    *slot = Some(catch_unwind(AssertUnwindSafe(|| work(context))));
                    drop(done);
                });
                while doing.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = Python::attach(|py| self.look_up(py, &told)) {
                        stop.store(true, Ordering::Relaxed);
                        signal.get_or_insert(error);
                    }
                }
            });
            (outcome, signal)
        });
        if let Some(progress) = &self.progress {
            progress.call_method0(py, "close")?;
        }
        if let Some(error) = signal {
            return Err(error);
        }
        if let Some(error) = failures.first(py) {
            return Err(error);
        }
        match outcome {
            Some(Ok(outcome)) => outcome.map_err(raised),
            Some(Err(panic)) => Err(internal(&*panic)),
            None => Err(PyRuntimeError::new_err("the work was not done")),
        }
    }

    /// Hears signals, and tells how far the work is.
    fn look_up(&self, py: Python<'_>, told: &Told) -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = &self.progress else {
            return Ok(());
        };
        let outermost = told.running().first().cloned();
        if let Some((what, steps, done)) = outermost {
            progress.call_method1(py, "update", (what, done, steps))?;
        }
        Ok(())
    }
}

/// Runs a short piece of work where it stands; a panic is an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(&*panic)))
}

fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    PyRuntimeError::new_err(format!(
        "a mistake inside Kinwood, please report it: {message}"
    ))
}

/// Threads by process and number.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

/// The threads of a process; as many as the machine has for 0. A forked process has none of its parent's, and gets its own.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);
    let mut pools = lock(&POOLS);
    let pools = pools.get_or_insert_with(HashMap::new);
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|number| format!("kinwood-{number}"))
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no threads to work on: {error}")))?;
    let pool = Arc::new(pool);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}

/// Progress as it is told by the work: what is under way, its steps, and how many are done.
#[derive(Default)]
struct Told(Mutex<Vec<(String, u64, u64)>>);

impl Told {
    fn running(&self) -> MutexGuard<'_, Vec<(String, u64, u64)>> {
        lock(&self.0)
    }
}

impl Progress for Told {
    fn begin(&self, what: &str, steps: u64) {
        self.running().push((what.to_owned(), steps, 0));
    }

    fn advance(&self, steps: u64) {
        if let Some((_, _, done)) = self.running().last_mut() {
            *done += steps;
        }
    }

    fn end(&self) {
        self.running().pop();
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// That a closure for [`Work::run`] fails with a library error.
pub(crate) fn library<E: Into<Error>>(error: E) -> Error {
    error.into()
}
