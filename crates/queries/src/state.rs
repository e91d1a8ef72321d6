//! What all tables and functions of a connection share: the session, what was found, and the models
//! that were created.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::kept::Kept;
use crate::search::Searches;
use crate::session::Session;

/// What a connection shares.
pub(crate) struct State {
    session: Session,
    /// The searches for trees.
    pub searches: Searches,
    /// The models that were created, by name.
    pub models: Mutex<BTreeMap<String, Arc<Kept>>>,
    /// The trees that functions were called with, by handle.
    handles: Mutex<BTreeMap<String, Arc<Kept>>>,
}

impl Deref for State {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Of a session in which nothing was found.
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            searches: Searches::default(),
            models: Mutex::default(),
            handles: Mutex::default(),
        }
    }

    /// The tree of a handle as a model, made when it is first needed.
    pub(crate) fn handle(
        &self,
        handle: &str,
        make: impl FnOnce() -> Result<Kept>,
    ) -> Result<Arc<Kept>> {
        if let Some(kept) = locked(&self.handles).get(handle) {
            return Ok(Arc::clone(kept));
        }
        let kept = Arc::new(make()?);
        locked(&self.handles).insert(handle.to_owned(), Arc::clone(&kept));
        Ok(kept)
    }

    /// The model of that name.
    pub(crate) fn model(&self, name: &str) -> Result<Arc<Kept>> {
        let models = locked(&self.models);
        models.get(name).cloned().ok_or_else(|| Error::Argument {
            name: "model".to_owned(),
            expected: "a model that was created, or the `model` of a tree".to_owned(),
            found: format!("`{name}`"),
            nearest: kinwood_values::suggest::nearest(name, models.keys()),
        })
    }

    /// Forgets the data and all that was found in it: its tables were written to.
    pub(crate) fn forget_data(&self) {
        self.session.forget();
        self.searches.forget();
        locked(&self.handles).clear();
        for kept in locked(&self.models).values() {
            kept.forget();
        }
    }
}
