//! Stored examples: rows as tuples, beside their targets and weights. What instance-based learners
//! keep and files hold.

use std::sync::Arc;

use kinwood_similarity::RowDistance;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Cells, Column, Database, Role, Table};

use crate::error::{Error, Result};
use crate::target::Targets;
use crate::task::Task;

/// How many foreign keys away rows are compared, at most.
pub const DEEPEST: usize = 8;

/// What the stored tables and the column of rows and of weights are called.
const ROWS: &str = "rows";
const ROW: &str = "row";
const RESPONSES: &str = "responses";
const WEIGHT: &str = "weight";
const EXAMPLES: &str = "examples";

/// Rows with their targets and weights. Cheap to clone.
#[derive(Clone)]
pub struct Examples {
    /// Two tables of as many rows: the rows as tuples, and the targets with the weights.
    stored: Arc<Database>,
}

/// The rows of a task as tuples. Fails unless there is something to compare, and targets that are
/// classes or numbers.
pub fn rows_of(task: &Task, distance: &RowDistance, learner: &'static str) -> Result<Column> {
    for target in task.targets() {
        if !target.is_one_of(Targets::BOTH) {
            return Err(Error::TargetType {
                learner,
                expected: Targets::BOTH.name(),
                target: target.name().to_owned(),
                found: target.found(),
                hint: "",
            });
        }
    }
    let rows = distance.rows(task.view())?;
    if matches!(rows.cells(), Cells::Tuple { fields, .. } if fields.is_empty()) {
        return Err(Error::NoInputs {
            learner,
            table: task.view().table().name().to_owned(),
        });
    }
    Ok(rows)
}

/// The targets and weights of a task, to be stored beside its rows.
fn responses(task: &Task) -> Result<Table> {
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

/// The target's own name, without the number that sets it apart in the stored table.
pub fn target_name(target: &Attribute) -> &str {
    target
        .name
        .split_once(' ')
        .map_or(target.name.as_str(), |(_, name)| name)
}

impl Examples {
    /// Rows, with the targets and weights of their task.
    pub fn new(rows: Column, task: &Task) -> Result<Self> {
        Self::of(rows, responses(task)?)
    }

    /// Rows that are parts of those of a task, with the targets and weights of the row that each is
    /// a part of.
    pub fn of_rows(rows: Column, task: &Task, owners: &[u32]) -> Result<Self> {
        Self::of(rows, responses(task)?.gather(owners))
    }

    fn of(rows: Column, responses: Table) -> Result<Self> {
        let rows = Table::new(ROWS, vec![Attribute::new(ROW, rows)])?;
        let (stored, _) = Database::new(vec![rows, responses], Vec::new())?;
        Ok(Self {
            stored: Arc::new(stored),
        })
    }

    /// The rows as tuples.
    pub fn rows(&self) -> &Column {
        &self.stored.table(0).attribute(0).column
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stored.table(0).rows()
    }

    /// Whether there are none, which stored examples never are.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn responses(&self) -> &Table {
        self.stored.table(1)
    }

    /// The targets, in the task's order.
    pub fn targets(&self) -> impl Iterator<Item = &Attribute> {
        let attributes = self.responses().attributes().iter();
        attributes.filter(|attribute| attribute.role == Role::Target)
    }

    /// The names of the targets.
    pub fn target_names(&self) -> Vec<&str> {
        self.targets().map(target_name).collect()
    }

    /// How much a row counts.
    pub fn weight(&self, row: usize) -> f64 {
        let weights = self.responses().attributes().last();
        weights
            .filter(|last| last.role == Role::Weight)
            .and_then(|weights| weights.column.number(row))
            .unwrap_or(1.0)
    }

    /// Some of the rows, in this order.
    pub fn only(&self, rows: &[u32]) -> Result<Self> {
        Self::of(self.rows().gather(rows), self.responses().gather(rows))
    }

    /// With more rows, and the targets and weights of their task.
    pub fn and(&self, more: &Column, task: &Task) -> Result<Self> {
        let added = responses(task)?;
        let known = self.responses();
        if added.attributes().len() != known.attributes().len() {
            return Err(Error::AppendedData {
                reason: "one side has weights, the other has none".to_owned(),
            });
        }
        let attributes = known
            .attributes()
            .iter()
            .map(|attribute| {
                let added = added.attribute(added.find(&attribute.name)?);
                Ok(Attribute {
                    column: Arc::new(joined(&attribute.column, &added.column)?),
                    ..attribute.clone()
                })
            })
            .collect::<Result<_>>()?;
        let responses = Table::new(known.name(), attributes)?;
        Self::of(joined(self.rows(), more)?, responses)
    }

    /// Writes what [`Examples::read`] reads.
    pub fn write(&self, sections: &mut Sections) -> Result<()> {
        Ok(self.stored.write(&mut sections.scope(EXAMPLES))?)
    }

    /// Reads examples, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let scope = stored.scope(EXAMPLES);
        let database = Database::read(&scope)?;
        let wrong = |reason: &str| -> Error { invalid(scope.full_name("schema"), reason).into() };
        let [rows, responses] = database.tables() else {
            return Err(wrong("stored examples are two tables"));
        };
        let [row] = rows.attributes() else {
            return Err(wrong("rows are stored as one column of tuples"));
        };
        if rows.rows() != responses.rows() || rows.rows() == 0 {
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
        Ok(Self {
            stored: Arc::new(database),
        })
    }
}

/// A column with the values of another added.
fn joined(column: &Column, more: &Column) -> Result<Column> {
    let mut joined = column.clone();
    for row in 0..more.len() {
        joined.push(&more.value(row))?;
    }
    Ok(joined)
}
