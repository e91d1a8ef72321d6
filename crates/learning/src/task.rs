//! Tasks: what a learner learns from. The targets are hidden in the view and given beside it.

use std::sync::Arc;

use kinwood_values::notice::counted;
use kinwood_values::{Attribute, Dictionary, Notice, Role, View};

use crate::error::{Error, Result};
use crate::target::{TargetColumns, TargetKind, Targets};

/// Rows to learn from, what is to be predicted of them, and how much each counts.
#[derive(Clone, Debug)]
pub struct Task {
    view: View,
    targets: Vec<Target>,
    weights: Option<Vec<f64>>,
    notices: Vec<Notice>,
    validation: Option<Arc<Task>>,
}

/// A target: its name and its value for each row of the task.
#[derive(Clone, Debug)]
pub struct Target {
    column: usize,
    values: Attribute,
    /// Whether what it is the time of has happened, by row.
    event: Option<Attribute>,
    /// What it is; `None` for a type that nothing predicts.
    kind: Option<TargetKind>,
}

impl Task {
    /// A task on the rows of a view, to predict columns of its table. Rows without any known target
    /// are left out.
    pub fn new(view: &View, targets: &[usize]) -> Result<Self> {
        let table = view.table();
        if view.is_empty() {
            return Err(Error::NoRows {
                table: table.name().to_owned(),
            });
        }
        let own = view.table_position();
        let mut hidden = view.to_learn_from();
        for &column in targets {
            let attribute = table.attribute(column);
            if !matches!(attribute.role, Role::Input | Role::Target) {
                return Err(Error::TargetRole {
                    column: attribute.name.clone(),
                    role: format!("`{}`", attribute.role),
                });
            }
            hidden = hidden.hiding(own, column);
        }
        // A column that names the target's role in a schema is a target even where another one is
        // asked for.
        for (column, attribute) in table.attributes().iter().enumerate() {
            if matches!(attribute.role, Role::Target | Role::Event) {
                hidden = hidden.hiding(own, column);
            }
        }
        let known: Vec<u32> = (0..view.len() as u32)
            .filter(|&position| {
                let row = view.row(position as usize) as usize;
                targets
                    .iter()
                    .any(|&column| TargetColumns::new(table, column).is_known(row))
            })
            .collect();
        if known.is_empty() {
            let names: Vec<&str> = targets
                .iter()
                .map(|&column| table.attribute(column).name.as_str())
                .collect();
            return Err(Error::NoResponse {
                target: names.join("`, `"),
                rows: view.len(),
            });
        }
        let mut notices = Vec::new();
        let left_out = view.len() - known.len();
        let view = if left_out == 0 {
            hidden
        } else {
            hidden.select(&known)
        };
        if left_out > 0 {
            notices.push(Notice::new(format!(
                "{} without a known target left out",
                counted(left_out, "row")
            )));
        }
        let rows: Vec<u32> = view.rows().collect();
        let targets: Vec<Target> = targets
            .iter()
            .map(|&column| {
                let gathered = |attribute: &Attribute| Attribute {
                    column: Arc::new(attribute.column.gather(&rows)),
                    ..attribute.clone()
                };
                let columns = TargetColumns::new(table, column);
                let mut target = Target {
                    column,
                    values: gathered(columns.values),
                    event: columns.event.map(gathered),
                    kind: None,
                };
                target.kind = target.columns().kind();
                target
            })
            .collect();
        let weights = weights(&view)?;
        summable(&view, &targets, weights.as_deref())?;
        Ok(Self {
            view,
            targets,
            weights,
            notices,
            validation: None,
        })
    }

    /// The same task with rows beside it, of the same data and targets, by which a learner may
    /// choose: settings, or when to stop. Nothing is fitted to them.
    ///
    /// # Panics
    /// If they have other targets: a mistake of the caller, not of data.
    pub fn with_validation(self, validation: Task) -> Self {
        let columns = |task: &Task| -> Vec<usize> {
            let targets = task.targets.iter();
            targets.map(Target::column).collect()
        };
        assert_eq!(
            columns(&self),
            columns(&validation),
            "validation rows must have the targets of the task"
        );
        // What was known later of rows to learn from is known where a learner chooses.
        let validation = Task {
            view: validation.view.learning_with(&self.view),
            ..validation
        };
        Self {
            validation: Some(Arc::new(validation)),
            ..self
        }
    }

    /// Rows beside those to learn from, by which a learner may choose settings or when to stop,
    /// where there are any. Their positions are those of their own view.
    pub fn validation(&self) -> Option<&Task> {
        self.validation.as_deref()
    }

    /// The rows, their targets hidden.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The targets.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// How much each row counts, if the data says.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// How much a row counts: 1 unless the data says otherwise.
    pub fn weight(&self, position: usize) -> f64 {
        self.weights
            .as_ref()
            .map_or(1.0, |weights| weights[position])
    }

    /// What was decided without being asked.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }
}

/// Fails on numbers to predict of which there is no mean: infinite ones, and those whose sum is.
fn summable(view: &View, targets: &[Target], weights: Option<&[f64]>) -> Result<()> {
    let too_large = |reason: String| Error::TooLarge {
        table: view.table().name().to_owned(),
        reason,
    };
    for target in targets.iter().filter(|target| target.is_number()) {
        let mut sum = 0.0;
        for position in 0..view.len() {
            let Some(number) = target.number(position) else {
                continue;
            };
            if number.is_infinite() {
                return Err(too_large(format!(
                    "the target `{}` is {number} in row {}",
                    target.name(),
                    view.row(position) + 1
                )));
            }
            sum += number.abs() * weights.map_or(1.0, |weights| weights[position]);
        }
        if !f64::is_finite(sum) {
            return Err(too_large(format!(
                "the numbers of the target `{}` exceed every number in sum",
                target.name()
            )));
        }
    }
    Ok(())
}

fn weights(view: &View) -> Result<Option<Vec<f64>>> {
    let attributes = view.table().attributes();
    let Some(attribute) = attributes
        .iter()
        .find(|attribute| attribute.role == Role::Weight)
    else {
        return Ok(None);
    };
    let weights = view
        .rows()
        .map(|row| {
            let weight = attribute
                .column
                .number(row as usize)
                .filter(|weight| *weight >= 0.0 && weight.is_finite());
            weight.ok_or_else(|| Error::Weight {
                column: attribute.name.clone(),
                row: row as usize + 1,
                found: attribute.column.value(row as usize).to_string(),
            })
        })
        .collect::<Result<Vec<f64>>>()?;
    if !weights.iter().sum::<f64>().is_finite() {
        return Err(Error::TooLarge {
            table: view.table().name().to_owned(),
            reason: format!(
                "the weights of column `{}` exceed every number in sum",
                attribute.name
            ),
        });
    }
    if weights.iter().all(|weight| *weight == 0.0) {
        return Err(Error::NoWeight {
            table: view.table().name().to_owned(),
        });
    }
    Ok(Some(weights))
}

impl Target {
    /// The name.
    pub fn name(&self) -> &str {
        &self.values.name
    }

    /// Where the target's column stands in its table.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The values, row by row of the task, with their type and hierarchy.
    pub fn values(&self) -> &Attribute {
        &self.values
    }

    /// The values, and those of the columns beside them that say more about them.
    pub fn columns(&self) -> TargetColumns<'_> {
        TargetColumns {
            values: &self.values,
            event: self.event.as_ref(),
        }
    }

    /// What it is; `None` for a type that nothing predicts.
    pub fn kind(&self) -> Option<&TargetKind> {
        self.kind.as_ref()
    }

    /// Whether it is of one of these kinds.
    pub fn is_one_of(&self, targets: Targets) -> bool {
        self.kind().is_some_and(|kind| targets.have(kind.entry()))
    }

    /// What it is, as messages have it.
    pub fn found(&self) -> String {
        self.columns().found()
    }

    /// The true value of a row in the numbers of its kind; `None` where it is missing.
    pub fn truth(&self, position: usize) -> Option<Vec<f64>> {
        self.kind()?.truth(&self.columns(), position)
    }

    /// The classes, if the target is one of several classes.
    pub fn classes(&self) -> Option<&Arc<Dictionary>> {
        self.kind()?.as_classes()
    }

    /// The class of a row, if it is nominal and known.
    pub fn class(&self, position: usize) -> Option<u32> {
        self.values.column.code(position)
    }

    /// Whether the target is a number.
    pub fn is_number(&self) -> bool {
        self.kind().is_some_and(TargetKind::is_number)
    }

    /// The number of a row, if it is numeric and known.
    pub fn number(&self, position: usize) -> Option<f64> {
        self.values.column.number(position)
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Column, Database, Table};

    use super::*;

    fn view(attributes: Vec<Attribute>) -> View {
        View::new(
            Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
            0,
        )
    }

    fn labelled(labels: [Option<&str>; 3]) -> Vec<Attribute> {
        vec![
            Attribute::new("x", Column::numeric(vec![1.0, 2.0, 3.0])),
            Attribute::new("class", Column::nominal(labels)),
        ]
    }

    #[test]
    fn targets_are_hidden_and_rows_without_them_left_out() {
        let task = Task::new(&view(labelled([Some("a"), None, Some("b")])), &[1]).unwrap();
        assert_eq!(task.view().rows().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(task.view().inputs(), [0]);
        assert!(task.view().column(0, 1).is_none());
        assert_eq!(
            (0..2)
                .map(|i| task.targets()[0].class(i))
                .collect::<Vec<_>>(),
            [Some(0), Some(1)]
        );
        assert_eq!(task.notices().len(), 1);
    }

    #[test]
    fn validation_rows_stand_beside_those_to_learn_from() {
        let all = view(labelled([Some("a"), Some("b"), Some("b")]));
        let task = Task::new(&all.select(&[0, 2]), &[1]).unwrap();
        assert!(task.validation().is_none());
        let task = task.with_validation(Task::new(&all.select(&[1]), &[1]).unwrap());
        let validation = task.validation().unwrap();
        assert_eq!(validation.view().rows().collect::<Vec<_>>(), [1]);
        assert!(validation.view().column(0, 1).is_none());
        assert_eq!(validation.targets()[0].class(0), Some(1));
        assert_eq!(task.view().len(), 2, "nothing is learned from them");
    }

    #[test]
    fn numbers_without_a_mean_and_rows_that_do_not_count_are_refused() {
        let told = |amounts: [f64; 3], weight: f64| {
            let attributes = vec![
                Attribute::new("amount", Column::numeric(amounts.to_vec())),
                Attribute::new("w", Column::numeric(vec![weight; 3])).with_role(Role::Weight),
            ];
            let task = Task::new(&view(attributes), &[0]);
            task.map(|_| ()).map_err(|error| error.to_string())
        };
        let error = told([1.0, f64::INFINITY, 2.0], 1.0).unwrap_err();
        assert!(
            error.ends_with("the target `amount` is inf in row 2"),
            "{error}"
        );
        let error = told([f64::MAX, -f64::MAX, 2.0], 1.0).unwrap_err();
        assert!(error.ends_with("exceed every number in sum"), "{error}");
        let error = told([1.0, 2.0, 3.0], 0.0).unwrap_err();
        assert!(error.contains("all have weight 0"), "{error}");
        assert_eq!(told([1e300, -1e300, f64::NAN], 1e-3), Ok(()));
    }

    #[test]
    fn an_id_is_no_target() {
        let mut attributes = labelled([Some("a"), Some("b"), Some("c")]);
        attributes[1].role = Role::Id;
        let message = Task::new(&view(attributes), &[1]).unwrap_err().to_string();
        assert_eq!(
            message,
            "column `class` is the target and cannot also be `id`"
        );
    }

    #[test]
    fn a_target_without_values_and_an_empty_table_are_refused() {
        let message = Task::new(&view(labelled([None, None, None])), &[1])
            .unwrap_err()
            .to_string();
        assert_eq!(message, "the target `class` has no known value in 3 rows");
        let empty = view(labelled([None; 3])).select(&[]);
        assert_eq!(
            Task::new(&empty, &[1]).unwrap_err().to_string(),
            "table `t` has no rows to learn from"
        );
    }

    #[test]
    fn weights_that_exceed_every_number_in_sum_are_refused() {
        let mut attributes = labelled([Some("a"), Some("b"), Some("c")]);
        let weight = Attribute::new("w", Column::numeric(vec![1e308; 3])).with_role(Role::Weight);
        attributes.push(weight);
        let message = Task::new(&view(attributes), &[1]).unwrap_err().to_string();
        assert!(
            message.contains("weights of column `w` exceed"),
            "{message}"
        );
    }

    #[test]
    fn a_negative_weight_is_refused() {
        let mut attributes = labelled([Some("a"), Some("b"), Some("c")]);
        let weight =
            Attribute::new("w", Column::numeric(vec![1.0, -1.0, 2.0])).with_role(Role::Weight);
        attributes.push(weight);
        let message = Task::new(&view(attributes), &[1]).unwrap_err().to_string();
        assert!(
            message.starts_with("the weight in row 2 of column `w` is -1"),
            "{message}"
        );
    }
}
