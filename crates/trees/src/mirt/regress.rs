//! The linear models of a node.

use super::bags::Bags;
use super::em::Stepwise;
use super::leaf::{Linear, Term, Variable};
use super::ridge::ridge;
use super::terms::{Kind, Terms};
use super::test::{Function, Step};
use super::values::Values;
use super::variables::{Choices, Reader, surroundings};
use crate::tree::Answer;
use crate::tree::prune::mean_left_out;
use kinwood_learning::random::Generator;
use kinwood_machines::least_squares;
use rayon::prelude::*;

/// How leaves answer for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the mean.
    Constant,
    /// By stepwise regression over primary instances.
    Primary,
    /// By ridge regression over what objects have one value of: their own columns, and aggregates.
    Ridge,
}

/// How linear models are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// By which method.
    pub method: Method,
    /// The stepwise regression.
    pub stepwise: Stepwise,
    /// Whether labels are variables.
    pub labels: bool,
    /// Whether aggregates over the rows of the path are variables.
    pub aggregates: bool,
    /// How many keys away from the object aggregates are made over as well.
    pub around: usize,
    /// Whether nothing is said beyond what was seen in training.
    pub clip: bool,
    /// The most slots that following keys may make.
    pub most: usize,
    /// What no model may speak of.
    pub banned: Banned,
}

/// Tables and columns that are not to be used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Banned {
    /// The tables.
    pub tables: Vec<usize>,
    /// The columns, each with its table.
    pub columns: Vec<(usize, u32)>,
}

impl Banned {
    /// Whether a column may be used.
    pub fn allows(&self, table: usize, column: u32) -> bool {
        !self.tables.contains(&table) && !self.columns.contains(&(table, column))
    }
}

/// What models are fitted from.
pub struct Ground<'a> {
    /// Tables and keys.
    pub terms: &'a Terms,
    /// Their values.
    pub values: &'a Values<'a>,
    /// How much each object counts.
    pub weights: &'a [f64],
}

impl Regression {
    /// The model of a target for the objects of bags; `None` where the mean does as well.
    pub fn fit(
        &self,
        ground: &Ground<'_>,
        bags: &Bags,
        target: &dyn Fn(u32) -> Option<f64>,
        answer: &Answer,
        generator: &mut Generator,
    ) -> Option<Linear> {
        if self.method == Method::Constant {
            return None;
        }
        let known: Vec<bool> = bags
            .objects
            .iter()
            // Objects that count nothing are no examples.
            .map(|&object| target(object).is_some() && ground.weights[object as usize] > 0.0)
            .collect();
        let some;
        let bags = match known.contains(&false) {
            true => {
                some = bags.restricted(&known);
                &some
            }
            false => bags,
        };
        let response: Vec<f64> = bags
            .objects
            .iter()
            .filter_map(|&object| target(object))
            .collect();
        let weights: Vec<f64> = bags
            .objects
            .iter()
            .map(|&object| ground.weights[object as usize])
            .collect();
        if response.len() < 3 {
            return None;
        }
        let beyond = self.beyond(ground, bags);
        let wide;
        let reader = Reader {
            bags: match beyond.is_empty() {
                true => bags,
                false => {
                    let mut followed = bags.clone();
                    followed.followed(ground.values.view(), &beyond);
                    wide = followed;
                    &wide
                }
            },
            terms: ground.terms,
            values: ground.values,
        };
        let mut model = match self.method {
            Method::Constant => return None,
            Method::Primary => self.primary(&reader, bags, &response, &weights, generator)?,
            Method::Ridge => self.ridge(&reader, bags, &response, &weights, answer)?,
        };
        model.beyond = beyond;
        model.trim(bags.steps.len());
        if self.clip {
            let least = response.iter().copied().fold(f64::INFINITY, f64::min);
            let most = response.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            model.range = Some((least, most));
        }
        let finite = model.intercept.is_finite()
            && model.terms.iter().all(|term| term.coefficient.is_finite());
        finite.then_some(model)
    }

    /// The keys that lead away from objects, of those that lead not too far.
    fn beyond(&self, ground: &Ground<'_>, bags: &Bags) -> Vec<Step> {
        let steps = surroundings(ground.terms, bags.occurrences.len(), self.around);
        let mut followed = bags.clone();
        let mut kept = Vec::with_capacity(steps.len());
        let view = ground.values.view();
        for step in steps {
            // A step that was left out takes those with it that hang on it: they would count from
            // another occurrence.
            if step.from as usize >= followed.occurrences.len()
                || followed.reach(view, &[], step) > self.most
            {
                break;
            }
            followed.followed(view, &[step]);
            kept.push(step);
        }
        kept
    }

    /// The variables that have one value an object.
    fn singles(&self, reader: &Reader<'_>, own: usize) -> Vec<Variable> {
        let mut variables = Vec::new();
        let occurrences = reader.bags.occurrences.len() as u32;
        for occurrence in 0..occurrences {
            if (occurrence > 0 && (occurrence as usize) < own) && !self.aggregates {
                continue;
            }
            let table = reader.terms.table_of(&reader.bags.steps, occurrence);
            if occurrence > 0 && !self.banned.tables.contains(&table) {
                variables.push(Variable::Count { occurrence });
            }
            let inputs = reader.terms.inputs(table);
            for (column, of) in inputs.filter(|(column, _)| self.banned.allows(table, *column)) {
                match &of.kind {
                    Kind::Number | Kind::Moment if occurrence == 0 => {
                        variables.push(Variable::Value { occurrence, column });
                    }
                    Kind::Number | Kind::Moment => {
                        variables.extend(Function::ALL.map(|function| Variable::Aggregate {
                            occurrence,
                            column,
                            function,
                        }));
                    }
                    Kind::Labels(labels) if self.labels => {
                        let each = 0..labels.len() as u32;
                        variables.extend(each.map(|label| Variable::Label {
                            occurrence,
                            column,
                            label,
                        }));
                    }
                    Kind::Labels(_) | Kind::Other => {}
                }
            }
        }
        variables
    }

    /// The stepwise regression of the paper.
    fn primary(
        &self,
        reader: &Reader<'_>,
        bags: &Bags,
        response: &[f64],
        weights: &[f64],
        generator: &mut Generator,
    ) -> Option<Linear> {
        let own = bags.occurrences.len();
        let mut variables: Vec<Variable> = Vec::new();
        for occurrence in 0..own as u32 {
            let table = reader.terms.table_of(&bags.steps, occurrence);
            let numeric = reader.terms.inputs(table);
            let numeric = numeric.filter(|(column, of)| {
                matches!(of.kind, Kind::Number | Kind::Moment) && self.banned.allows(table, *column)
            });
            variables.extend(numeric.map(|(column, _)| Variable::Value { occurrence, column }));
        }
        if self.labels || self.aggregates || self.around > 0 {
            let singles = self.singles(reader, own).into_iter();
            variables.extend(
                singles.filter(|variable| !variable.is_chosen() || variable.occurrence() > 0),
            );
        }
        let read = |variable: &Variable| {
            let choices = reader.choices(*variable);
            let mean = choices.mean();
            (choices.filled(mean), mean)
        };
        let read: Vec<(Choices, f64)> = variables.par_iter().map(read).collect();
        let (choices, means): (Vec<Choices>, Vec<f64>) = read.into_iter().unzip();
        let entered = self.stepwise.run(&choices, response, weights, generator);
        let last = entered.last()?;
        let columns: Vec<&[f64]> = entered.iter().map(|entered| &*entered.primary).collect();
        let fitted = least_squares::fit(&columns, response, weights);
        let terms: Vec<Term> = entered
            .iter()
            .zip(fitted.coefficients)
            .map(|(entered, coefficient)| Term {
                variable: variables[entered.variable],
                coefficient,
                otherwise: means[entered.variable],
            })
            .collect();
        let chosen: Vec<&[f64]> = entered
            .iter()
            .filter(|entered| variables[entered.variable].is_chosen())
            .map(|entered| &*entered.primary)
            .collect();
        let mut instances: Vec<Vec<f64>> = (0..response.len())
            .map(|object| chosen.iter().map(|column| column[object]).collect())
            .collect();
        instances.sort_by(|a, b| {
            let each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        instances.dedup();
        let (weight, parameters) = (weights.iter().sum::<f64>(), terms.len() as f64 + 1.0);
        let penalty = match weight > parameters {
            true => (weight + parameters) / (weight - parameters),
            false => 10.0,
        };
        Some(Linear {
            beyond: Vec::new(),
            intercept: fitted.intercept,
            terms,
            primary: instances.concat(),
            range: None,
            squares: last.squares * penalty * penalty,
        })
    }

    /// Ridge regression over what objects have one value of.
    fn ridge(
        &self,
        reader: &Reader<'_>,
        bags: &Bags,
        response: &[f64],
        weights: &[f64],
        answer: &Answer,
    ) -> Option<Linear> {
        let variables = self.singles(reader, bags.occurrences.len());
        let columns: Vec<(Variable, Vec<f64>)> = variables
            .into_par_iter()
            .filter_map(|variable| {
                let mut numbers = reader.numbers(variable);
                let (mut sum, mut count) = (0.0, 0usize);
                for number in numbers.iter().filter(|number| !number.is_nan()) {
                    sum += number;
                    count += 1;
                }
                let mean = if count > 0 { sum / count as f64 } else { 0.0 };
                numbers
                    .iter_mut()
                    .filter(|number| number.is_nan())
                    .for_each(|number| *number = mean);
                let first = numbers.first().copied()?;
                numbers
                    .iter()
                    .any(|number| *number != first)
                    .then_some((variable, numbers))
            })
            .collect();
        let (variables, columns): (Vec<Variable>, Vec<Vec<f64>>) = columns.into_iter().unzip();
        let fitted = ridge(&columns, response, weights, None);
        let own = answer.as_number()?;
        if fitted.squares >= mean_left_out(own.squares, own.weight) {
            return None;
        }
        let terms = variables.into_iter().enumerate().map(|(place, variable)| {
            let term = Term {
                variable,
                coefficient: fitted.coefficients[place],
                otherwise: fitted.means[place],
            };
            (term, fitted.coefficients[place].abs() * fitted.units[place])
        });
        let mut terms: Vec<(Term, f64)> =
            terms.filter(|(term, _)| term.coefficient != 0.0).collect();
        // What moves the answer most is read first.
        terms.sort_by(|a, b| b.1.total_cmp(&a.1));
        Some(Linear {
            beyond: Vec::new(),
            intercept: fitted.intercept,
            terms: terms.into_iter().map(|(term, _)| term).collect(),
            primary: Vec::new(),
            range: None,
            squares: fitted.squares,
        })
    }
}

impl Linear {
    /// Leaves out the keys beyond a path of so many steps that no variable needs.
    fn trim(&mut self, path: usize) {
        let mut needed = vec![false; self.beyond.len()];
        for term in &self.terms {
            let mut occurrence = term.variable.occurrence() as usize;
            while let Some(place) = occurrence.checked_sub(path + 1) {
                needed[place] = true;
                occurrence = self.beyond[place].from as usize;
            }
        }
        let mut numbers: Vec<u32> = (0..=path as u32).collect();
        let mut kept = Vec::new();
        for (place, step) in self.beyond.iter().enumerate() {
            numbers.push((path + 1 + kept.len()) as u32);
            if needed[place] {
                kept.push(Step {
                    from: numbers[step.from as usize],
                    ..*step
                });
            }
        }
        self.beyond = kept;
        for term in &mut self.terms {
            let occurrence = match &mut term.variable {
                Variable::Value { occurrence, .. }
                | Variable::Label { occurrence, .. }
                | Variable::Aggregate { occurrence, .. }
                | Variable::Count { occurrence } => occurrence,
            };
            *occurrence = numbers[*occurrence as usize];
        }
    }
}
