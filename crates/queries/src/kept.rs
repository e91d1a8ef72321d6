//! Models by name, and what they say of the rows that the data has now.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kinwood_values::View;
use kinwood_workbench::Trained;
use kinwood_workbench::objects::name_by;
use kinwood_workbench::output::key_columns;
use rusqlite::types::Value;
use serde_json::{Map, json};

use crate::cells::cell_of;
use crate::error::{Error, Result};
use crate::session::Session;

/// A model by name.
pub(crate) struct Kept {
    /// Its name.
    pub name: String,
    trained: OnceLock<Trained>,
    predicted: Mutex<Option<Arc<Predicted>>>,
}

/// What a model says of the rows that the data has now.
pub(crate) struct Predicted {
    /// The rows as they are.
    pub rows: View,
    /// The same in the model's terms.
    pub conformed: View,
    /// The columns that name rows.
    pub keys: Vec<usize>,
    /// By target, by row: what is predicted.
    pub values: Vec<Vec<Value>>,
    /// By target: the parts that have a probability, and by row what it is.
    pub probabilities: Vec<(Vec<String>, Vec<Vec<f64>>)>,
    places: BTreeMap<String, usize>,
}

impl Kept {
    /// A model that is there.
    pub(crate) fn of(name: &str, trained: Trained) -> Self {
        let kept = Self::unread(name);
        let _ = kept.trained.set(trained);
        kept
    }

    /// A model whose file is read when it is first needed.
    pub(crate) fn unread(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            trained: OnceLock::new(),
            predicted: Mutex::default(),
        }
    }

    /// The model.
    pub(crate) fn trained(&self, session: &Session) -> Result<&Trained> {
        if let Some(trained) = self.trained.get() {
            return Ok(trained);
        }
        let lost = || Error::Side(format!("the model `{}` is not kept any more", self.name));
        let file = session.side.model(&self.name).ok_or_else(lost)?;
        let trained = Trained::load(&file, &session.registry)?;
        Ok(self.trained.get_or_init(|| trained))
    }

    /// Forgets what was predicted: the data is another.
    pub(crate) fn forget(&self) {
        *self
            .predicted
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What it predicts of the rows that the data has now.
    pub(crate) fn predicted(&self, session: &Session) -> Result<Arc<Predicted>> {
        let known = self
            .predicted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(known) = known {
            return Ok(known);
        }
        let predicted = Arc::new(Predicted::of(self.trained(session)?, session)?);
        *self
            .predicted
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&predicted));
        Ok(predicted)
    }
}

impl Predicted {
    fn of(trained: &Trained, session: &Session) -> Result<Self> {
        let context = session.context();
        let data = trained.arranged((*session.data()?).clone())?;
        let rows = data.view(trained.table_in(data.database())?, None)?;
        let (conformed, notices) = trained.conform(&rows)?;
        notices.into_iter().for_each(|notice| session.note(notice));
        let predictions = context.install(|| trained.predict(&conformed, &context))?;
        context.check()?;
        let keys = key_columns(&rows);
        let names = (0..rows.len()).map(|position| (name_by(&rows, &keys, position), position));
        let places = names.rev().collect();
        let (mut values, mut probabilities) = (Vec::new(), Vec::new());
        for target in &predictions.targets {
            let output = &target.output;
            let value = |row: usize| match output.number(row) {
                Some(number) => Value::Real(number),
                None => cell_of(&output.value(row)),
            };
            values.push((0..output.len()).map(value).collect());
            let kind = output.kind();
            probabilities.push(match kind.entry().probabilities {
                true => {
                    let rows = (0..output.len()).map(|row| output.row(row).to_vec());
                    (kind.parts(), rows.collect())
                }
                false => (Vec::new(), Vec::new()),
            });
        }
        Ok(Self {
            rows,
            conformed,
            keys,
            values,
            probabilities,
            places,
        })
    }

    /// The row of a key, which may be its number from 1 where rows have no key.
    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// The names of some rows, for messages.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.places.keys()
    }

    /// The probability of the class that is predicted.
    pub(crate) fn probability(&self, target: usize, row: usize) -> Value {
        let (parts, shares) = &self.probabilities[target];
        let Some(shares) = shares.get(row) else {
            return Value::Null;
        };
        let label = match &self.values[target][row] {
            Value::Text(label) => label,
            _ => return Value::Null,
        };
        let part = parts.iter().position(|part| part == label);
        part.map_or(Value::Null, |part| Value::Real(shares[part]))
    }

    /// The probability of each part, as JSON.
    pub(crate) fn all_probabilities(&self, target: usize, row: usize) -> Value {
        let (parts, shares) = &self.probabilities[target];
        match shares.get(row) {
            None => Value::Null,
            Some(shares) => {
                let pairs = parts
                    .iter()
                    .cloned()
                    .zip(shares.iter().map(|share| json!(share)));
                Value::Text(json!(pairs.collect::<Map<_, _>>()).to_string())
            }
        }
    }
}
