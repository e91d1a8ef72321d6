//! Kernel ridge regression of several numbers at once: the registry's entry, its settings, and how
//! coefficients are found.

use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Dense, Matrix, Part, ridge};
use kinwood_similarity::Expression;
use kinwood_values::suggest::nearest;

use super::asked::Asked;
use super::expansion::{Expansion, Function};
use super::gamma::Gamma;
use super::numbers::Numbers;
use super::objects::Objects;
use super::report::Report;
use super::settings::{
    GAMMA, GRAM, INDEFINITE, KERNEL, check_gammas, correction, follows, gammas, gram,
};
use super::space::{Space, failed};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::DEPTH;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::{Target, Task};

/// The registry's entry.
pub const RIDGE: Entry = Entry {
    name: "ridge",
    summary: "Fits numbers, several at once, by least squares with a ridge in the space of a kernel between rows of any structure.",
    reference: "Saunders, Gammerman and Vovk, Ridge regression learning algorithm in dual variables, ICML 1998",
    targets: Targets::NUMERIC,
    several_targets: true,
    follows_keys: follows,
    flat: true,
    parameters: &[
        Parameter {
            name: "lambda",
            doc: "The ridge, above 0: the higher, the smoother the fit; loo chooses the one with the least leave-one-out error on the training rows.",
            allowed: Allowed::Text,
            default: LAMBDA,
        },
        KERNEL,
        Parameter {
            doc: "How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between training rows, auto*2 for twice that.",
            ..GAMMA
        },
        DEPTH,
        GRAM,
        INDEFINITE,
    ],
    build: |settings| Ok(Box::new(Ridge::read(settings)?)),
    load: |stored| Ok(Box::new(Numbers::read(stored, METHOD)?)),
};

const METHOD: &str = "kernel ridge regression";
/// What `lambda` is when nobody says.
const LAMBDA: &str = "0.1";
/// What `lambda` is when leaving one out is to choose it.
const BY_LEAVE_ONE_OUT: &str = "loo";
/// The powers of ten from which the ridge is chosen, in terms of the mean of the matrix's diagonal.
const POWERS: std::ops::RangeInclusive<i32> = -6..=3;

/// Kernel ridge regression: numbers, several at once, are fitted by least squares in the space of a
/// kernel between rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// The ridge, above 0: 0.1 by default; not looked at where [`Ridge::choose_lambda`] is set.
    pub lambda: f64,
    /// Whether the ridge with the least leave-one-out error on the training rows is chosen.
    pub choose_lambda: bool,
    /// How alike rows are: `gaussian(euclidean)` by default.
    pub kernel: Expression,
    /// How fast similarity falls with distance, where the kernel does not say.
    pub gamma: Gamma,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
    /// A .npy or .csv file with the kernel between all rows of the table, in their order, instead
    /// of a kernel.
    pub gram: Option<String>,
    /// What is done about negative eigenvalues of the training matrix: all are raised by default.
    pub indefinite: Correction,
}

impl Default for Ridge {
    fn default() -> Self {
        Self::read(&RIDGE.defaults()).expect("the defaults are settings")
    }
}

/// What is said of text that is no ridge.
fn no_ridge(found: &str) -> Error {
    Error::SettingValue {
        name: "lambda".to_owned(),
        value: found.to_owned(),
        expected: format!("a number above 0, or `{BY_LEAVE_ONE_OUT}`"),
        nearest: nearest(found, [BY_LEAVE_ONE_OUT]),
    }
}

impl Ridge {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let text = settings.text("lambda");
        let choose_lambda = text == BY_LEAVE_ONE_OUT;
        let lambda = match choose_lambda {
            true => LAMBDA,
            false => text,
        };
        let learner = Self {
            lambda: lambda.parse().map_err(|_| no_ridge(text))?,
            choose_lambda,
            kernel: settings.text(KERNEL.name).parse()?,
            gamma: gammas(settings)?[0],
            depth: settings.whole(DEPTH.name),
            gram: gram(settings),
            indefinite: correction(settings),
        };
        match learner.asked() {
            Ok(_) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// Where kernel values come from; fails on settings that are out of range or do not go
    /// together.
    fn asked(&self) -> Result<Asked> {
        let fits = self.lambda.is_finite() && self.lambda > 0.0;
        if !self.choose_lambda && !fits {
            return Err(no_ridge(&self.lambda.to_string()));
        }
        check_gammas(&[self.gamma])?;
        RIDGE.check(DEPTH.name, self.depth)?;
        let gammas = vec![self.gamma];
        Asked::new(self.gram.as_deref(), &self.kernel, gammas, self.depth)
    }

    /// The ridge, unless it is to be chosen.
    fn fixed(&self) -> Option<f64> {
        (!self.choose_lambda).then_some(self.lambda)
    }

    /// The functions of targets that the same objects know, and the ridge.
    fn solve(
        &self,
        matrix: &Dense,
        numbers: &[Vec<f64>],
        weights: &[f64],
    ) -> Result<(Vec<Function>, f64), kinwood_machines::Error> {
        let targets: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
        let size = (0..matrix.len()).map(|object| matrix.diagonal(object).abs());
        let size = size.sum::<f64>() / matrix.len() as f64;
        let size = if size > 0.0 { size } else { 1.0 };
        let lambda = match self.fixed() {
            Some(lambda) => lambda,
            None if matrix.len() < 2 => size,
            None => {
                let tried: Vec<f64> = POWERS.map(|power| size * 10f64.powi(power)).collect();
                ridge::choose(matrix, &targets, &tried)?.lambda
            }
        };
        let solved = match weights.iter().all(|weight| *weight == weights[0]) {
            true => ridge::solve(matrix, &targets, lambda / weights[0])?,
            false => weighted(matrix, &targets, weights, lambda)?,
        };
        let functions = solved.coefficients.into_iter().zip(solved.offsets);
        let functions = functions.map(|(coefficients, bias)| Function { coefficients, bias });
        Ok((functions.collect(), lambda))
    }
}

/// Least squares where objects count by their weights: `(S K S + lambda I) z = S (y - offset)` with
/// the roots of the weights on the diagonal of `S`, the offset the weighted mean and the
/// coefficients `S z`.
fn weighted(
    matrix: &Dense,
    targets: &[&[f64]],
    weights: &[f64],
    lambda: f64,
) -> Result<ridge::Ridge, kinwood_machines::Error> {
    let len = matrix.len();
    let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    let all: f64 = weights.iter().sum();
    let mean = |target: &&[f64]| {
        let both = target.iter().zip(weights);
        both.map(|(number, weight)| number * weight).sum::<f64>() / all
    };
    let offsets: Vec<f64> = targets.iter().map(mean).collect();
    // The solver takes the mean of its targets away, which here must stay: one more object that is
    // like no other, with the number that makes the mean 0, leaves nothing to take away.
    let wide = len + 1;
    let mut entries = vec![0.0; wide * wide];
    for (row, out) in entries.chunks_mut(wide).take(len).enumerate() {
        for (column, entry) in matrix.at(row).iter().enumerate() {
            out[column] = roots[row] * entry * roots[column];
        }
    }
    let scaled: Vec<Vec<f64>> = targets
        .iter()
        .zip(&offsets)
        .map(|(target, offset)| {
            let both = target.iter().zip(&roots);
            let mut scaled: Vec<f64> = both.map(|(y, root)| root * (y - offset)).collect();
            scaled.push(-scaled.iter().sum::<f64>());
            scaled
        })
        .collect();
    let scaled: Vec<&[f64]> = scaled.iter().map(Vec::as_slice).collect();
    let solved = ridge::solve(&Dense::new(wide, entries)?, &scaled, lambda)?;
    let coefficients = solved.coefficients.into_iter().map(|mut found| {
        found.truncate(len);
        let both = found.iter_mut().zip(&roots);
        both.for_each(|(coefficient, root)| *coefficient *= root);
        found
    });
    Ok(ridge::Ridge {
        coefficients: coefficients.collect(),
        offsets,
    })
}

/// Targets known of the same objects, by their places.
fn groups(task: &Task, objects: &Objects) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for (place, target) in task.targets().iter().enumerate() {
        let known = |object: &usize| target.number(objects.rows[*object] as usize).is_some();
        let known: Vec<usize> = (0..objects.len()).filter(known).collect();
        match groups.iter_mut().find(|(members, _)| *members == known) {
            Some((_, targets)) => targets.push(place),
            None => groups.push((known, vec![place])),
        }
    }
    groups
}

impl Learner for Ridge {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let asked = self.asked()?;
        if let Some(target) = task.targets().iter().find(|target| !target.is_number()) {
            return Err(Error::TargetType {
                learner: RIDGE.name,
                expected: Targets::NUMERIC.name(),
                target: target.name().to_owned(),
                found: target.found(),
                hint: ": `svm` predicts classes",
            });
        }
        let opened = asked.open(task.view(), context)?;
        let objects = match self.fixed() {
            Some(_) => Objects::distinct(task, &opened.rows)?,
            None => Objects::equal(task, RIDGE.name, "lambda=loo")?,
        };
        let sources = opened.sources(&objects)?;
        let (source, gamma) = sources[0].clone();
        let space = Space::new(&source, &opened.rows, &objects, self.indefinite, context)?;
        let matrix = space.dense("a Cholesky factor", context)?;
        let none = || Function {
            coefficients: vec![0.0; objects.len()],
            bias: 0.0,
        };
        let mut functions: Vec<Function> = task.targets().iter().map(|_| none()).collect();
        let mut lambdas = vec![0.0; functions.len()];
        for (members, places) in groups(task, &objects) {
            context.check()?;
            if members.is_empty() {
                return Err(Error::NoResponse {
                    target: task.targets()[places[0]].name().to_owned(),
                    rows: objects.len(),
                });
            }
            let number = |target: &Target, member: usize| {
                target.number(objects.rows[member] as usize).unwrap_or(0.0)
            };
            let numbers: Vec<Vec<f64>> = places
                .iter()
                .map(|&place| {
                    let target = &task.targets()[place];
                    members
                        .iter()
                        .map(|&member| number(target, member))
                        .collect()
                })
                .collect();
            let weights: Vec<f64> = members.iter().map(|&m| objects.weights[m]).collect();
            let wrong = |error| failed(error, &objects.only(&members), context);
            let solved = context.install(|| match members.len() == objects.len() {
                true => self.solve(matrix, &numbers, &weights),
                false => {
                    let part = Dense::of(&Part::new(matrix, &members))?;
                    self.solve(&part, &numbers, &weights)
                }
            });
            let (found, lambda) = solved.map_err(wrong)?;
            for (place, found) in places.into_iter().zip(found) {
                let mut coefficients = vec![0.0; objects.len()];
                for (&member, coefficient) in members.iter().zip(found.coefficients) {
                    coefficients[member] = coefficient;
                }
                let (coefficients, bias) = space.fold(coefficients, found.bias);
                functions[place] = Function { coefficients, bias };
                lambdas[place] = lambda;
            }
        }
        let report = Report {
            form: match self.fixed() {
                Some(_) => "ridge".to_owned(),
                None => "ridge chosen by leave-one-out".to_owned(),
            },
            lambda: lambdas,
            gamma,
            objects: objects.len(),
            spectrum: space.spectrum.clone(),
            ..Report::default()
        };
        let expansion = Expansion::new(source, task, opened.rows, &objects, functions)?;
        Ok(Box::new(Numbers::new(expansion, report, METHOD)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_repetitions() {
        let points: [f64; 4] = [0.0, 1.0, 1.5, 3.0];
        let gram = |rows: &[usize]| {
            let entries = rows.iter().flat_map(|&a| {
                rows.iter()
                    .map(move |&b| (-(points[a] - points[b]).powi(2)).exp())
            });
            Dense::new(rows.len(), entries.collect()).unwrap()
        };
        let numbers = [2.0, -1.0, 0.5, 4.0];
        let found = weighted(
            &gram(&[0, 1, 2, 3]),
            &[&numbers],
            &[1.0, 2.0, 1.0, 3.0],
            0.3,
        );
        let found = found.unwrap();
        let rows = [0, 1, 1, 2, 3, 3, 3];
        let repeated: Vec<f64> = rows.iter().map(|&row| numbers[row]).collect();
        let written_out = ridge::solve(&gram(&rows), &[&repeated], 0.3).unwrap();
        for asked in [0.2, 1.0, 2.5] {
            let row = |rows: &[usize]| -> Vec<f64> {
                rows.iter()
                    .map(|&row| (-(points[row] - asked).powi(2)).exp())
                    .collect()
            };
            let one = found.predict(&row(&[0, 1, 2, 3]))[0];
            let other = written_out.predict(&row(&rows))[0];
            assert!((one - other).abs() < 1e-9, "{one} {other}");
        }
    }
}
