//! Work without the interpreter's lock: on threads of its own, while the calling thread listens for
//! Ctrl-C and shows progress.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use kinwood::learners::{Context, Progress};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::error::raised;
use crate::threads::{Threads, Watch, at_work, here, lock};

/// How often the calling thread looks up.
const TICK: Duration = Duration::from_millis(50);

/// What came of work, or what it panicked with.
type Outcome<T> = Result<T, Box<dyn Any + Send>>;

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
    ) -> PyResult<Self> {
        if let Some(seconds) = seconds.filter(|seconds| !(seconds.is_finite() && *seconds >= 0.0)) {
            return Err(PyValueError::new_err(format!(
                "time is a number of seconds from 0, not {seconds}"
            )));
        }
        Ok(Self {
            threads,
            seed,
            memory,
            seconds,
            progress: progress.map(Arc::new),
        })
    }
}

impl Work {
    /// Bytes that large results may have, if there is a limit.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Runs work on the package's threads, the interpreter's lock released. Ctrl-C stops it, and a
    /// panic is an exception.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Context) -> kinwood::Result<T> + Send,
    ) -> PyResult<T> {
        let watch = Arc::new(Watch::default());
        let told = Arc::new(Told::default());
        let mut context = Context::new()
            .with_seed(self.seed)
            .with_stop(Arc::clone(watch.stop()))
            .with_progress(Arc::clone(&told) as Arc<dyn Progress>);
        if let Some(bytes) = self.memory {
            context = context.with_memory(bytes);
        }
        if let Some(seconds) = self.seconds {
            context = context.with_time(Duration::from_secs_f64(seconds.min(1e9)));
        }
        // Called by a distance that is written in Python, this is work already: waiting for threads
        // that wait for this one would have no end.
        let (outcome, signal) = match at_work() {
            true => {
                let guarded = || catch_unwind(AssertUnwindSafe(|| work(&context)));
                (Some(py.detach(|| here(&watch, guarded))), None)
            }
            false => {
                let threads = Threads::take(self.threads)?;
                threads.watched(&watch);
                let context = context.with_pool(Arc::clone(threads.pool()));
                py.detach(|| self.wait(threads.pool(), &watch, &told, || work(&context)))
            }
        };
        if let Some(progress) = &self.progress {
            progress.call_method0(py, "close")?;
        }
        if let Some(error) = signal.or_else(|| watch.raised()) {
            return Err(error);
        }
        match outcome {
            Some(Ok(outcome)) => outcome.map_err(raised),
            Some(Err(panic)) => Err(internal(&*panic)),
            None => Err(PyRuntimeError::new_err("the work was not done")),
        }
    }

    /// Has work done by threads, and looks up meanwhile: what came of it, and what was heard.
    fn wait<T: Send>(
        &self,
        pool: &ThreadPool,
        watch: &Watch,
        told: &Told,
        work: impl FnOnce() -> T + Send,
    ) -> (Option<Outcome<T>>, Option<PyErr>) {
        let mut outcome = None;
        let mut signal = None;
        let (done, doing) = sync_channel::<()>(1);
        let slot = &mut outcome;
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                *slot = Some(catch_unwind(AssertUnwindSafe(work)));
                drop(done);
            });
            while doing.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| self.look_up(py, told)) {
                    watch.stop().store(true, Ordering::Relaxed);
                    signal.get_or_insert(error);
                }
            }
        });
        (outcome, signal)
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
