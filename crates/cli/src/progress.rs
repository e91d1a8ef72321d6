//! Progress on a terminal: a bar for work that takes longer than a second, gone when the work is
//! done.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use kinwood::learners::Progress;

/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(120);

/// The bars of the work under way; none where nobody looks.
pub struct Bars {
    screen: Option<MultiProgress>,
    running: Mutex<Vec<Bar>>,
}

struct Bar {
    bar: ProgressBar,
    ended: Arc<(Mutex<bool>, Condvar)>,
}

impl Bars {
    /// Bars on standard error, if it is a terminal and the user does not want silence.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        Self {
            screen: shown.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr())),
            running: Mutex::default(),
        }
    }
}

impl Progress for Bars {
    fn begin(&self, what: &str, steps: u64) {
        let Some(screen) = self.screen.clone() else {
            return;
        };
        let bar = ProgressBar::with_draw_target(
            Some(steps).filter(|steps| *steps > 0),
            ProgressDrawTarget::hidden(),
        )
        .with_style(style(steps))
        .with_message(what.to_owned());
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        lock(&self.running).push(Bar {
            bar: bar.clone(),
            ended: Arc::clone(&ended),
        });
        // Work may be long in its first step: a thread of its own sees that the bar appears.
        thread::spawn(move || {
            let (done, signal) = &*ended;
            let waited = signal.wait_timeout_while(lock(done), PATIENCE, |done| !*done);
            let (done, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if !*done {
                screen.add(bar.clone());
                bar.enable_steady_tick(TICK);
            }
        });
    }

    fn advance(&self, steps: u64) {
        if let Some(running) = lock(&self.running).last() {
            running.bar.inc(steps);
        }
    }

    fn end(&self) {
        if let Some(running) = lock(&self.running).pop() {
            let (done, signal) = &*running.ended;
            *lock(done) = true;
            signal.notify_all();
            running.bar.finish_and_clear();
        }
    }
}

fn style(steps: u64) -> ProgressStyle {
    let template = match steps {
        0 => "{spinner} {msg} {elapsed}",
        _ => "{msg} [{bar:30}] {pos}/{len}, {eta} left",
    };
    ProgressStyle::with_template(template)
        .expect("the templates are right")
        .progress_chars("=> ")
}

/// What a bar shows is worth showing whatever happened to another thread.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
