//! The blend chosen by cross-validation on the training rows.

use super::blend::Blend;
use super::model::{Declared, Instances};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::model::Model;
use kinwood_learning::task::{Target, Task};

/// The blends that are tried.
const BLENDS: [f64; 11] = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Folds, or as many as there are rows.
const FOLDS: usize = 10;
/// Where the order of rows is drawn from.
const ORDER: u64 = 0x6b73_7461;

/// The blend with the least error over folds of the task's rows, the first of equals.
///
/// The error of a class is 0 or 1, that of a number its square in terms of the variance; several
/// targets add up.
pub fn blend(declared: &Declared, task: &Task, context: &Context) -> Result<f64> {
    let rows = task.view().len();
    if rows < 3 {
        return Ok(declared.blend.common);
    }
    let mut order: Vec<u32> = (0..rows as u32).collect();
    context.generator(&[ORDER]).shuffle(&mut order);
    let folds = FOLDS.min(rows);
    let variances: Vec<f64> = (0..task.targets().len())
        .map(|target| variance(task, target))
        .collect();
    let columns: Vec<usize> = task.targets().iter().map(Target::column).collect();
    let quiet = context.quietly();
    let mut errors = [0.0; BLENDS.len()];
    for fold in 0..folds {
        let rows = |tested: bool| -> Vec<u32> {
            let places = (0..order.len()).filter(|place| (place % folds == fold) == tested);
            let mut rows: Vec<u32> = places.map(|place| order[place]).collect();
            rows.sort_unstable();
            rows
        };
        let train = Task::new(&task.view().select(&rows(false)), &columns)?;
        let test = rows(true);
        let asked = task.view().select(&test);
        for (blend, error) in BLENDS.iter().zip(&mut errors) {
            let declared = Declared {
                blend: Blend::common(*blend),
                ..declared.clone()
            };
            let predictions = Instances::fit(declared, &train)?.predict(&asked, &quiet)?;
            for (target, predicted) in predictions.targets.iter().enumerate() {
                let truth = &task.targets()[target];
                for (place, &row) in test.iter().enumerate() {
                    let row = row as usize;
                    let output = &predicted.output;
                    let wrong = match output.number(place) {
                        None => truth
                            .class(row)
                            .map(|class| f64::from(u8::from(output.class(place) != Some(class)))),
                        Some(said) => truth
                            .number(row)
                            .map(|number| (number - said).powi(2) / variances[target]),
                    };
                    *error += wrong.unwrap_or(0.0) * task.weight(row);
                }
            }
        }
    }
    let best = (1..BLENDS.len()).fold(
        0,
        |best, at| if errors[at] < errors[best] { at } else { best },
    );
    Ok(BLENDS[best])
}

fn variance(task: &Task, target: usize) -> f64 {
    let target = &task.targets()[target];
    let numbers: Vec<f64> = (0..task.view().len())
        .filter_map(|row| target.number(row))
        .collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let variance = numbers
        .iter()
        .map(|number| (number - mean).powi(2))
        .sum::<f64>();
    (variance / numbers.len().max(1) as f64).max(f64::MIN_POSITIVE)
}
