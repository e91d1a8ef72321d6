//! From the targets of a task to the response that growing sums up.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::code::UNKNOWN;
use super::model::{TargetKind, TargetOf};
use super::response::{Classes, Impurity, Joint, Labels, Numbers, Part, Response, UnitClasses};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

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
    let weight = {
        let weights = weights.clone();
        move |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row])
    };
    let codes = |target: usize| -> Vec<u32> {
        (0..rows)
            .into_par_iter()
            .map(|row| targets[target].class(row).unwrap_or(UNKNOWN))
            .collect()
    };
    let numbers = |target: usize| -> Vec<f64> {
        (0..rows)
            .map(|row| targets[target].number(row).unwrap_or(f64::NAN))
            .collect()
    };
    if let [kind] = kinds {
        match &kind.kind {
            TargetKind::Classes(classes) => {
                let impurity = grades.impurity.unwrap_or(Impurity::Entropy);
                return match weights {
                    None => {
                        visitor.visit(UnitClasses::new(codes(0), classes.len(), impurity), None)
                    }
                    Some(weights) => {
                        let total = weights.iter().sum();
                        let response = Classes::new(codes(0), classes.len(), impurity, total);
                        visitor.visit(response, Some(weights))
                    }
                };
            }
            TargetKind::Number => {
                return visitor.visit(Numbers::new(numbers(0), weight), weights);
            }
            TargetKind::Labels { labels, .. } => {
                let depth = |label: u32| {
                    let above = std::iter::successors(Some(label), |&label| labels.parent(label));
                    above.count() as i32 - 1
                };
                let counts = (0..labels.dictionary().len() as u32)
                    .map(|label| grades.hierarchy_weight.powi(depth(label)))
                    .collect();
                let response = Labels::new(labels, &targets[0].values().column, counts, weight);
                return visitor.visit(response, weights);
            }
        }
    }
    let parts = kinds.iter().enumerate().map(|(place, kind)| {
        let part = match &kind.kind {
            TargetKind::Classes(classes) => Part::Classes {
                codes: codes(place),
                count: classes.len(),
            },
            TargetKind::Number | TargetKind::Labels { .. } => Part::Numbers(numbers(place)),
        };
        (part, grades.target_weights[place])
    });
    // As CLUS has it: of several targets classes are graded by Gini, the variance of their
    // indicators.
    let impurity = grades.impurity.unwrap_or(Impurity::Gini);
    let response = Joint::new(parts.collect(), impurity, rows, weight);
    visitor.visit(response, weights)
}

/// The weights of a task's rows, those of their classes included; `None` where all are the same.
pub fn weights(task: &Task, kinds: &[TargetOf], grades: &Grades<'_>) -> Result<Option<Vec<f64>>> {
    let rows = task.view().len();
    let mut weights: Option<Vec<f64>> = task.weights().map(<[f64]>::to_vec);
    if let (
        [target],
        [
            TargetOf {
                kind: TargetKind::Classes(classes),
                ..
            },
        ],
    ) = (task.targets(), kinds)
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
