//! K* models in files, and more rows for them.

use kinwood_similarity::{DistanceOn, Registry};
use kinwood_values::Column;
use kinwood_values::container::{Sections, Stored, invalid};
use serde::{Deserialize, Serialize};

use super::model::{Declared, Instances, fields_of};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{DEEPEST, Examples};
use kinwood_learning::task::Task;

/// What a file keeps beside the rows.
#[derive(Serialize, Deserialize)]
struct Description {
    declared: Declared,
    /// The distance of each attribute that is compared by one, with every number of training.
    fitted: Vec<Option<String>>,
}

impl Instances {
    /// Writes what [`Instances::read`] reads.
    pub(super) fn store(&self, sections: &mut Sections) -> Result<()> {
        let text = |distance: &Option<DistanceOn>| {
            let distance = distance.as_ref()?;
            Some(distance.expression().to_string())
        };
        let description = Description {
            declared: self.declared.clone(),
            fitted: self.distances.iter().map(text).collect(),
        };
        sections.put_json("kstar", &description)?;
        self.stored.write(sections)
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("kstar")?;
        let examples = Examples::read(stored)?;
        let wrong = |reason: &str| -> Error { invalid(stored.full_name("kstar"), reason).into() };
        let (_, fields) = fields_of(examples.rows());
        if fields.is_empty() {
            return Err(wrong("rows without attributes"));
        }
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if description.declared.depth > DEEPEST {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        if !description.declared.blend.sound() || description.fitted.len() != fields.len() {
            return Err(wrong(
                "a blend that is none, or distances of other attributes",
            ));
        }
        let distance = |(expression, field): (&Option<String>, &Column)| -> Result<_> {
            let Some(expression) = expression else {
                return Ok(None);
            };
            let of = field.type_of();
            let distance =
                Registry::known().distance(&expression.parse()?, &of, None, "a stored row")?;
            if distance.pair_valued() {
                return Err(wrong("a distance that is no number"));
            }
            Ok(Some(distance))
        };
        let distances = description
            .fitted
            .iter()
            .zip(fields)
            .map(distance)
            .collect::<Result<_>>()?;
        Self::with(description.declared, distances, examples)
    }

    /// Stores more rows: the model is the one fitted on all of them.
    pub(super) fn take(&mut self, task: &Task) -> Result<()> {
        let more = self.rows(task.view())?;
        let examples = self.stored.and(&more, task)?;
        *self = Self::new(self.declared.clone(), examples)?;
        Ok(())
    }
}
