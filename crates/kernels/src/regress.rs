//! Support vector regression: how a machine is fitted.
//!
//! Numbers are measured in standard deviations while a machine is fitted, unless told otherwise:
//! the price of errors and the errors that do not count then mean the same whatever the unit of the
//! target.

use kinwood_machines::calibrate::cross_validated;
use kinwood_machines::solve::{nu_regress, regress};
use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Error as Machine, Limits, Matrix, Part, Solution};

use super::asked::Asked;
use super::expansion::{Expansion, Function};
use super::folds::spread;
use super::memory::cache;
use super::numbers::Numbers;
use super::objects::Objects;
use super::report::{Fitted, Report};
use super::source::Source;
use super::space::{Space, failed};
use super::tune;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::Model;
use kinwood_learning::task::{Target, Task};

/// The name of the learner, for messages.
pub const LEARNER: &str = "svr";
/// What its models are called.
pub const METHOD: &str = "support vector regression";
/// What the generator is for.
const TUNING: u64 = 1;

/// What the settings come to.
pub struct Regression {
    /// The errors that do not count, or else the share of rows outside.
    pub epsilon: Option<f64>,
    /// The share of rows outside.
    pub nu: f64,
    /// The prices of errors to choose from; the first is taken where nothing is chosen.
    pub prices: Vec<f64>,
    /// Whether the target is measured in standard deviations.
    pub scaled: bool,
    /// Where kernel values come from.
    pub asked: Asked,
    /// What is done about negative eigenvalues.
    pub correction: Correction,
    /// By how many folds settings are chosen, if they are.
    pub folds: Option<usize>,
    /// When the solver is content.
    pub tolerance: f64,
    /// Whether it leaves coefficients out for a while.
    pub shrinking: bool,
}

/// The only target there may be, a number.
fn numeric(task: &Task) -> Result<&Target> {
    let wrong = |target: &Target, found: String, hint| Error::TargetType {
        learner: LEARNER,
        expected: "single numeric".to_owned(),
        target: target.name().to_owned(),
        found,
        hint,
    };
    match task.targets() {
        [target] if target.is_number() => Ok(target),
        [target] if target.classes().is_some() => Err(wrong(
            target,
            "nominal".to_owned(),
            ": `svm` predicts classes",
        )),
        [target] => Err(wrong(target, target.found(), "")),
        [first, ..] => Err(wrong(
            first,
            "one of several".to_owned(),
            ": `ridge` predicts several numbers at once",
        )),
        [] => unreachable!("a task has a target"),
    }
}

/// Objects with their numbers, in the unit in which a machine sees them.
struct Training<'a> {
    objects: &'a Objects,
    numbers: Vec<f64>,
    /// The number that 0 stands for, and the one that 1 is apart from it.
    origin: f64,
    unit: f64,
}

impl<'a> Training<'a> {
    fn new(target: &Target, objects: &'a Objects, scaled: bool) -> Self {
        let number = |&row: &u32| target.number(row as usize).unwrap_or(0.0);
        let mut numbers: Vec<f64> = objects.rows.iter().map(number).collect();
        let all: f64 = objects.weights.iter().sum();
        let mean = |of: &dyn Fn(f64) -> f64| {
            let both = numbers.iter().zip(&objects.weights);
            both.map(|(&number, weight)| weight * of(number))
                .sum::<f64>()
                / all
        };
        let origin = mean(&|number| number);
        let deviation = mean(&|number| (number - origin) * (number - origin)).sqrt();
        let (origin, unit) = match scaled && deviation > 0.0 && deviation.is_finite() {
            true => (origin, deviation),
            false => (0.0, 1.0),
        };
        let measured = |number: &mut f64| *number = (*number - origin) / unit;
        numbers.iter_mut().for_each(measured);
        Self {
            objects,
            numbers,
            origin,
            unit,
        }
    }

    /// The mean squared error, in the unit of the target.
    fn error(&self, found: &[f64]) -> f64 {
        let all: f64 = self.objects.weights.iter().sum();
        let errors = found.iter().zip(&self.numbers).zip(&self.objects.weights);
        let errors = errors.map(|((found, number), weight)| weight * (found - number).powi(2));
        errors.sum::<f64>() / all * self.unit * self.unit
    }
}

impl Regression {
    /// The machine of some objects.
    fn train(
        &self,
        matrix: &dyn Matrix,
        training: &Training<'_>,
        members: &[usize],
        c: f64,
        context: &Context,
    ) -> Result<Solution, Machine> {
        let numbers: Vec<f64> = members.iter().map(|&m| training.numbers[m]).collect();
        let mut coefficients = vec![0.0; matrix.len()];
        if numbers.iter().all(|number| *number == numbers[0]) {
            return Ok(Solution {
                coefficients,
                bias: numbers[0],
                objective: 0.0,
                iterations: 0,
                converged: true,
            });
        }
        let part = Part::new(matrix, members);
        let whole = members.len() == matrix.len();
        let matrix: &dyn Matrix = if whole { matrix } else { &part };
        let stop = || context.check().is_err();
        let limits = Limits {
            tolerance: self.tolerance,
            cache_bytes: cache(context),
            shrinking: self.shrinking,
            most_iterations: None,
            stop: &stop,
        };
        let solution = match self.epsilon {
            Some(epsilon) => {
                let weights = &training.objects.weights;
                let costs: Vec<f64> = members.iter().map(|&m| c * weights[m]).collect();
                regress(matrix, &numbers, epsilon, &costs, &limits)?
            }
            None => nu_regress(matrix, &numbers, self.nu, c, &limits)?,
        };
        for (&member, found) in members.iter().zip(&solution.coefficients) {
            coefficients[member] = *found;
        }
        Ok(Solution {
            coefficients,
            ..solution
        })
    }

    /// The source and price of errors with the least error of held-out objects, of those that can
    /// be chosen from.
    fn chosen(
        &self,
        sources: &[(Source, Option<f64>)],
        rows: &kinwood_values::Column,
        training: &Training<'_>,
        context: &Context,
    ) -> Result<(usize, f64, Option<tune::Tuned>)> {
        let several = sources.len() * self.prices.len() > 1 && training.objects.len() > 1;
        let Some(folds) = self.folds.filter(|_| several) else {
            return Ok((0, self.prices[0], None));
        };
        let folds = folds.min(training.objects.len());
        let held = spread(&training.numbers, folds, &mut context.generator(&[TUNING]));
        let widths: Vec<Option<f64>> = sources.iter().map(|(_, gamma)| *gamma).collect();
        let running = context.progress("tuning", (sources.len() * self.prices.len()) as u64);
        let quiet = context.quietly();
        let errors = |source: usize| {
            let (source, _) = &sources[source];
            let space = Space::new(source, rows, training.objects, self.correction, &quiet)?;
            let matrix = space.matrix();
            let error = |&c: &f64| {
                let found = context.install(|| {
                    cross_validated(&held, |learned, asked| {
                        let machine = self.train(matrix, training, learned, c, context)?;
                        let mut row = vec![0.0; matrix.len()];
                        let decide = |&object: &usize| {
                            matrix.fill(object, &mut row);
                            machine.decide(&row)
                        };
                        Ok(asked.iter().map(decide).collect())
                    })
                });
                let found = found.map_err(|error| failed(error, training.objects, context))?;
                running.advance(1);
                Ok(training.error(&found))
            };
            self.prices.iter().map(error).collect()
        };
        let (source, c, tuned) = tune::choose(&widths, &self.prices, folds, errors)?;
        Ok((source, c, Some(tuned)))
    }
}

impl Regression {
    /// Fits the machine to a task.
    pub fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let target = numeric(task)?;
        let opened = self.asked.open(task.view(), context)?;
        let objects = match self.epsilon {
            Some(_) => Objects::distinct(task, &opened.rows)?,
            None => Objects::equal(task, LEARNER, "form=nu")?,
        };
        let training = Training::new(target, &objects, self.scaled);
        let sources = opened.sources(&objects)?;
        let (source, c, tuned) = self.chosen(&sources, &opened.rows, &training, context)?;
        let (source, gamma) = sources[source].clone();
        let space = Space::new(&source, &opened.rows, &objects, self.correction, context)?;
        let all: Vec<usize> = (0..objects.len()).collect();
        let solution = context
            .install(|| self.train(space.matrix(), &training, &all, c, context))
            .map_err(|error| failed(error, &objects, context))?;
        let report = Report {
            form: if self.epsilon.is_some() {
                "epsilon"
            } else {
                "nu"
            }
            .to_owned(),
            c: Some(c),
            nu: self.epsilon.is_none().then_some(self.nu),
            epsilon: self.epsilon,
            gamma,
            objects: objects.len(),
            spectrum: space.spectrum.clone(),
            machines: vec![Fitted::of_solution(&solution)],
            tuned,
            ..Report::default()
        };
        let (mut coefficients, bias) = space.fold(solution.coefficients, solution.bias);
        coefficients
            .iter_mut()
            .for_each(|coefficient| *coefficient *= training.unit);
        let function = Function {
            coefficients,
            bias: bias * training.unit + training.origin,
        };
        let expansion = Expansion::new(source, task, opened.rows, &objects, vec![function])?;
        Ok(Box::new(Numbers::new(expansion, report, METHOD)))
    }
}
