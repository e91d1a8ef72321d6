//! From the targets of a task to the response that growing sums up.

use std::collections::BTreeMap;

use super::model::TargetOf;
use super::response::{
    Counted, Erased, Impurity, Joint, PREDICTED, Part, Response, Single, Visit, codes, respond_to,
};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::{Target, Task};

/// How targets are graded.
pub struct Grades<'a> {
    /// How unlike classes are measured, if it is said.
    pub impurity: Option<Impurity>,
    /// How much the examples of a class count, by label.
    pub class_weights: &'a BTreeMap<String, f64>,
    /// How much each target counts.
    pub target_weights: Vec<f64>,
    /// What a label counts relative to the one above it.
    pub hierarchy_weight: f64,
}

/// What is done with a response, whatever it is.
pub trait ResponseVisitor {
    /// What comes out of it.
    type Output;
    /// Takes the response, and the weights of the rows where they are not all the same or may be
    /// divided.
    fn visit<R: Response>(self, response: R, weights: Option<Vec<f64>>) -> Result<Self::Output>;
}

/// Makes the response of a task's targets and hands it on; with `divided`, rows may be divided
/// among branches.
pub fn respond<V: ResponseVisitor>(
    task: &Task,
    divided: bool,
    kinds: &[TargetOf],
    grades: &Grades<'_>,
    visitor: V,
) -> Result<V::Output> {
    let rows = task.view().len();
    let mut weights = weights(task, kinds, grades)?;
    let targets = task.targets();
    if divided {
        weights.get_or_insert_with(|| vec![1.0; rows]);
    }
    if let ([target], [of]) = (targets, kinds) {
        let single = Single {
            target,
            kind: &of.kind,
            rows,
            weights: weights.as_deref(),
            impurity: grades.impurity,
            hierarchy_weight: grades.hierarchy_weight,
        };
        let hand_on = HandOn {
            visitor,
            weights: weights.clone(),
            counted: counted(task),
        };
        return match respond_to(&single, hand_on) {
            Ok(done) => done,
            Err(_) => Err(refused(target)),
        };
    }
    let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
    let parts = targets.iter().zip(kinds).enumerate();
    let parts = parts.map(|(place, (target, of))| {
        let part = match of.kind.as_classes() {
            Some(classes) => Part::Classes {
                codes: codes(target, rows),
                count: classes.len(),
            },
            None if of.kind.is_number() => {
                let number = |row| target.number(row).unwrap_or(f64::NAN);
                Part::Numbers((0..rows).map(number).collect())
            }
            None => return Err(refused(target)),
        };
        Ok((part, grades.target_weights[place]))
    });
    let parts = parts.collect::<Result<_>>()?;
    // As CLUS has it: of several targets classes are graded by Gini, the variance of their
    // indicators.
    let impurity = grades.impurity.unwrap_or(Impurity::Gini);
    let response = Joint::new(parts, impurity, rows, weight);
    match counted(task) {
        Some(own) => visitor.visit(Erased::new(Counted::new(response, &own)), weights),
        None => visitor.visit(Erased::new(response), weights),
    }
}

/// The weights that rows have of their own, where they differ: then rows are counted beside them.
fn counted(task: &Task) -> Option<Vec<f64>> {
    let own = task.weights()?;
    own.iter()
        .any(|weight| *weight != 1.0)
        .then(|| own.to_vec())
}

/// Hands a response on with what goes with it.
struct HandOn<V> {
    visitor: V,
    weights: Option<Vec<f64>>,
    counted: Option<Vec<f64>>,
}

impl<V: ResponseVisitor> Visit for HandOn<V> {
    type Output = Result<V::Output>;

    fn visit<R>(self, response: R) -> Self::Output
    where
        R: Response<Local: 'static, Summary: 'static> + 'static,
    {
        match self.counted {
            Some(own) => {
                let counted = Counted::new(response, &own);
                self.visitor.visit(Erased::new(counted), self.weights)
            }
            None => self.visitor.visit(response, self.weights),
        }
    }
}

/// That there is no response to a target; learners refuse such targets before.
fn refused(target: &Target) -> Error {
    Error::TargetType {
        learner: "tree",
        expected: PREDICTED.name(),
        target: target.name().to_owned(),
        found: target.found(),
        hint: "",
    }
}

/// The weights of a task's rows, those of their classes included; `None` where all are the same.
pub fn weights(task: &Task, kinds: &[TargetOf], grades: &Grades<'_>) -> Result<Option<Vec<f64>>> {
    let rows = task.view().len();
    let mut weights: Option<Vec<f64>> = task.weights().map(<[f64]>::to_vec);
    if let ([target], [of]) = (task.targets(), kinds)
        && let Some(classes) = of.kind.as_classes()
        && !grades.class_weights.is_empty()
    {
        let by_class: Vec<f64> = classes
            .labels()
            .map(|label| grades.class_weights.get(label).copied().unwrap_or(1.0))
            .collect();
        let weights = weights.get_or_insert_with(|| vec![1.0; rows]);
        for (row, weight) in weights.iter_mut().enumerate() {
            *weight *= target
                .class(row)
                .map_or(1.0, |class| by_class[class as usize]);
        }
    }
    if weights
        .as_ref()
        .is_some_and(|weights| weights.iter().sum::<f64>() <= 0.0)
    {
        return Err(Error::NoWeight {
            table: task.view().table().name().to_owned(),
        });
    }
    Ok(weights)
}
