//! Work on a thread of its own, while the thread that SQLite called answers it and hears
//! interrupts.
//!
//! A database belongs to the thread that SQLite called: only that one copies it, and only that one
//! asks whether the user interrupted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kinwood::learners::Context;
use kinwood::queries::host::{Copied, Host};
use kinwood::queries::{Error, Result};

/// How often the thread of SQLite asks whether the user interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// What work tells the thread that SQLite called.
enum Message {
    /// It wants a copy of the database.
    Copy(Sender<Copied>),
    /// It is done.
    Done,
}

/// How work reaches the thread that SQLite called, while there is any.
#[derive(Clone, Default)]
pub struct Line(Arc<Mutex<Option<Sender<Message>>>>);

impl Line {
    /// A copy of the database, made by the thread that SQLite called.
    pub fn copy(&self) -> Copied {
        let gone = || "no statement runs".to_owned();
        let line = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let (send, receive) = channel();
        let sent = line.ok_or_else(gone)?.send(Message::Copy(send));
        sent.map_err(|_| gone())?;
        receive.recv().map_err(|_| gone())?
    }

    fn set(&self, sender: Option<Sender<Message>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = sender;
    }
}

/// What the thread that SQLite called can do with the database.
pub trait Database {
    /// A copy of it.
    fn copy(&self) -> Copied;
    /// Whether the user interrupted.
    fn is_interrupted(&self) -> bool;
}

/// Does work, which is stopped when the user interrupts.
pub fn run<T: Send>(
    host: &Host,
    line: &Line,
    database: &dyn Database,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    host.set_context(Context::new().with_stop(Arc::clone(&stop)));
    let (send, messages) = channel();
    line.set(Some(send.clone()));
    let done = std::thread::scope(|scope| {
        let working = scope.spawn(move || {
            // Told also where the work panics.
            let _told = Told(send);
            work()
        });
        attend(&messages, database, &stop);
        working.join()
    });
    line.set(None);
    done.unwrap_or(Err(Error::Panicked))
}

/// Tells that work is done, when it is dropped.
struct Told(Sender<Message>);

impl Drop for Told {
    fn drop(&mut self) {
        // Where nobody listens any more there is nobody to tell.
        let _ = self.0.send(Message::Done);
    }
}

/// Answers work until it is done.
fn attend(messages: &Receiver<Message>, database: &dyn Database, stop: &AtomicBool) {
    loop {
        match messages.recv_timeout(PATIENCE) {
            Ok(Message::Copy(answer)) => {
                // Where nobody waits any more there is nobody to answer.
                let _ = answer.send(database.copy());
            }
            Ok(Message::Done) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if database.is_interrupted() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
