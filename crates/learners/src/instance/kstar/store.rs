//! K* models in files, and more rows for them.

use std::sync::Arc;

use kinwood_similarity::{DistanceOn, Registry};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Column, Database, Role, Table};
use serde::{Deserialize, Serialize};

use super::model::{DEEPEST, Declared, Instances, fields_of};
use crate::error::{Error, Result};
use crate::task::Task;

/// What the stored table of targets and its column of weights are called.
const RESPONSES: &str = "responses";
const WEIGHT: &str = "weight";

/// What a file keeps beside the rows.
#[derive(Serialize, Deserialize)]
struct Description {
    declared: Declared,
    /// The distance of each attribute that is compared by one, with every number of training.
    fitted: Vec<Option<String>>,
}

/// The targets and weights of a task, to be stored beside its rows.
pub(super) fn responses(task: &Task) -> Result<Table> {
    let mut responses: Vec<Attribute> = Vec::new();
    for (position, target) in task.targets().iter().enumerate() {
        // Numbered, so that a target called `weight` is not taken for the weights.
        responses.push(Attribute {
            name: format!("{position} {}", target.name()),
            role: Role::Target,
            ..target.values().clone()
        });
    }
    if let Some(weights) = task.weights() {
        let column = Column::numeric(weights.to_vec());
        responses.push(Attribute::new(WEIGHT, column).with_role(Role::Weight));
    }
    Ok(Table::new(RESPONSES, responses)?)
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
        self.stored.write(&mut sections.scope("examples"))?;
        Ok(())
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("kstar")?;
        let scope = stored.scope("examples");
        let database = Database::read(&scope)?;
        let wrong = |reason: &str| -> Error { invalid(scope.full_name("schema"), reason).into() };
        let [rows, responses] = database.tables() else {
            return Err(wrong("a K* model has two tables"));
        };
        let [row] = rows.attributes() else {
            return Err(wrong("rows are stored as one column of tuples"));
        };
        let (_, fields) = fields_of(&row.column);
        if rows.rows() != responses.rows() || rows.rows() == 0 || fields.is_empty() {
            return Err(wrong(
                "inputs and targets of different numbers of rows, or of none",
            ));
        }
        let answers = |attribute: &Attribute| match attribute.role {
            Role::Target => {
                let classes = attribute.column.codes();
                attribute.column.numbers().is_some()
                    || classes.is_some_and(|(_, classes)| !classes.is_empty())
            }
            Role::Weight => {
                let weight = |row| attribute.column.number(row);
                (0..responses.rows()).all(|row| {
                    weight(row).is_some_and(|weight| weight >= 0.0 && weight.is_finite())
                })
            }
            _ => false,
        };
        if !responses.attributes().iter().all(answers) || row.column.missing() > 0 {
            return Err(wrong("a target or weight of the wrong type"));
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
                Registry::builtin().distance(&expression.parse()?, &of, None, "a stored row")?;
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
        Self::with(description.declared, distances, database)
    }

    /// Stores more rows: the model is the one fitted on all of them.
    pub(super) fn take(&mut self, task: &Task) -> Result<()> {
        let added = responses(task)?;
        let known = self.stored.table(1);
        if added.attributes().len() != known.attributes().len() {
            return Err(Error::AppendedData {
                reason: "one side has weights, the other has none".to_owned(),
            });
        }
        let more = self.rows(task.view())?;
        let mut rows = self.references().clone();
        for row in 0..more.len() {
            rows.push(&more.value(row))?;
        }
        let attributes = known
            .attributes()
            .iter()
            .map(|attribute| {
                let added = added.attribute(added.find(&attribute.name)?);
                let mut column = Column::clone(&attribute.column);
                for row in 0..more.len() {
                    column.push(&added.column.value(row))?;
                }
                Ok(Attribute {
                    column: Arc::new(column),
                    ..attribute.clone()
                })
            })
            .collect::<Result<_>>()?;
        let table = Table::new(known.name(), attributes)?;
        *self = Self::new(self.declared.clone(), rows, table)?;
        Ok(())
    }
}
