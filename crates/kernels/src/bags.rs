//! Support vector machines for bags: a bag is positive if one of its members is.
//!
//! Which member makes a bag positive is not known. Two forms guess it and improve the guess in turn
//! with the machine; the third compares bags as wholes.

mod model;
mod settings;
#[cfg(test)]
mod tests;
mod train;

use crate::error::KernelError;
use kinwood_machines::calibrate::{Sigmoid, cross_validated};
use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Limits, Matrix};
use kinwood_similarity::expression::{Argument, Part};
use kinwood_similarity::rows::Reading;
use kinwood_similarity::{Expression, Registry, RowKernel};
use kinwood_values::{Cells, Column, Type, View, column};

pub use settings::{BagForm, MI_SVM, MiSvm};

use self::model::{BagClassifier, Decided};
use self::train::{Bags, Form};
use super::asked::Asked;
use super::class_weights::{ClassWeights, named};
use super::decide::{FOLDS, weighted};
use super::expansion::{Expansion, Function};
use super::folds::stratified;
use super::kernel;
use super::machine::{Machine, SvmForm, nominal};
use super::members::Members;
use super::memory::{cache, fits};
use super::model::{Classifier, Kind};
use super::objects::Objects;
use super::report::{Fitted, Report};
use super::source::Source;
use super::space::{Space, failed};
use super::tune;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::Model;
use kinwood_learning::task::{Target, Task};

/// What the generator is for.
const CALIBRATING: u64 = 2;

/// What the settings come to.
#[derive(Clone)]
struct BagMachine {
    /// The form of machines on members; none where bags are compared.
    form: Option<Form>,
    positive: Option<String>,
    bags: Option<String>,
    kernel: kernel::Declared,
    /// The prices of errors to choose from; the first is taken where nothing is chosen.
    prices: Vec<f64>,
    /// By how many folds settings are chosen, if they are.
    folds: Option<usize>,
    /// How they were chosen, if they were.
    tuned: Option<tune::Tuned>,
    rounds: usize,
    depth: usize,
    correction: Correction,
    probabilities: bool,
    tolerance: f64,
    shrinking: bool,
}

impl BagMachine {
    /// The name of the field that holds bags, and the members of all bags.
    fn field(&self, view: &View, rows: &Column) -> Result<(Option<String>, column::Members)> {
        let Cells::Tuple { names, fields, .. } = rows.cells() else {
            unreachable!("nested rows are tuples")
        };
        let holds = |column: &Column| {
            matches!(
                column.type_of(),
                Type::Set(_) | Type::Bag(_) | Type::List(_)
            )
        };
        let all = names.iter().zip(fields).filter(|(_, field)| holds(field));
        let all: Vec<_> = all.collect();
        let found = match &self.bags {
            Some(name) => all.iter().find(|(field, _)| field.as_ref() == Some(name)),
            None if all.len() == 1 => all.first(),
            None => None,
        };
        let labels = all.iter().filter_map(|(name, _)| name.as_deref());
        match found.map(|(name, column)| (name, column.cells())) {
            Some((name, Cells::Collection { members, .. })) => {
                Ok(((*name).clone(), members.clone()))
            }
            _ => Err(KernelError::Bags {
                table: view.table().name().to_owned(),
                found: labels.map(str::to_owned).collect(),
                wanted: self.bags.clone(),
            }
            .into()),
        }
    }

    /// The kernel of rows that compares their bags in this way, fitted to the members of a task's
    /// bags.
    fn comparing(
        &self,
        task: &Task,
        around: impl Fn(Expression) -> Expression,
    ) -> Result<(Expression, Option<f64>)> {
        let rows = Reading::Nested(self.depth).rows(task.view())?;
        let (field, members) = self.field(task.view(), &rows)?;
        let objects = Objects::distinct(task, &rows)?;
        let of = |&row: &u32| members.range(row as usize).map(|member| member as u32);
        let distinct: Vec<u32> = objects.rows.iter().flat_map(of).collect();
        let (kernel, gamma) = self.kernel.fit_members(&members.child, &distinct)?;
        let mut expression = Expression::new("add");
        expression.arguments.push(Argument::Part(Part {
            field,
            measure: around(Expression::new("set").part(kernel.expression())),
            weight: 1.0,
        }));
        Ok((expression, gamma))
    }

    fn compare_bags(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let normalised = |set| Expression::new("normalised").part(set);
        let (expression, _) = self.comparing(task, normalised)?;
        let asked = Asked::Kernel(kernel::Declared::settled(expression, self.depth));
        let machine = Machine {
            form: SvmForm::C,
            prices: vec![self.prices[0]],
            nu: 0.5,
            weights: ClassWeights::None,
            class: None,
            asked,
            correction: self.correction,
            probabilities: self.probabilities,
            folds: None,
            tuned: self.tuned.clone(),
            tolerance: self.tolerance,
            shrinking: self.shrinking,
        };
        machine.fit(task, context)
    }

    /// The positive class and the other one, of the two there may be; the only class alone where
    /// there is no other.
    fn sides(&self, target: &Target, bags: &[u32]) -> Result<(u32, Option<u32>)> {
        let mut counts = vec![0usize; target.classes().map_or(0, |classes| classes.len())];
        bags.iter().for_each(|&class| counts[class as usize] += 1);
        let present = (0..counts.len() as u32).filter(|&class| counts[class as usize] > 0);
        let present: Vec<u32> = present.collect();
        let told = match &self.positive {
            Some(label) => Some(named(target, "positive", label)?),
            None => None,
        };
        let label = |class: u32| target.classes().map_or("", |classes| classes.label(class));
        match present[..] {
            [only] => Ok((only, None)),
            [first, second] => {
                let rare = match counts[first as usize].cmp(&counts[second as usize]) {
                    std::cmp::Ordering::Less => first,
                    std::cmp::Ordering::Greater => second,
                    std::cmp::Ordering::Equal if label(first) > label(second) => first,
                    std::cmp::Ordering::Equal => second,
                };
                let positive = told.unwrap_or(rare);
                if ![first, second].contains(&positive) {
                    return Err(Error::SettingValue {
                        name: "positive".to_owned(),
                        value: label(positive).to_owned(),
                        expected: format!("`{}` or `{}`", label(first), label(second)),
                        nearest: None,
                    });
                }
                let negative = if positive == first { second } else { first };
                Ok((positive, Some(negative)))
            }
            _ => Err(Error::TargetType {
                learner: MI_SVM.name,
                expected: "two classes of".to_owned(),
                target: target.name().to_owned(),
                found: format!("of {} classes", present.len()),
                hint: ": `form=kernel` separates more",
            }),
        }
    }

    /// The bags of a task and the kernel that compares their members.
    fn gather(&self, task: &Task, target: &Target) -> Result<Gathered> {
        let (expression, gamma) = self.comparing(task, |set| set)?;
        let kernel = RowKernel {
            expression,
            depth: self.depth,
        };
        let (fitted, rows) = kernel.fit(task.view(), Registry::known())?;
        let Some(source) = Members::new(fitted)? else {
            unreachable!("the kernel was made of that form")
        };
        let held = source.bags(task.view())?;
        let objects = Objects::distinct(task, &rows)?;
        let class = |&row: &u32| target.class(row as usize).unwrap_or(0);
        let classes: Vec<u32> = objects.rows.iter().map(class).collect();
        let sides = self.sides(target, &classes)?;
        let mut bags = Bags::default();
        let mut places: Vec<u32> = Vec::new();
        for (object, &row) in objects.rows.iter().enumerate() {
            let first = places.len();
            places.extend(held.range(row as usize).map(|member| member as u32));
            bags.members.push(first..places.len());
            bags.positive.push(classes[object] == sides.0);
            bags.costs.push(self.prices[0] * objects.weights[object]);
        }
        Ok(Gathered {
            owners: (0..held.len())
                .flat_map(|row| std::iter::repeat_n(row as u32, held.range(row).len()))
                .collect(),
            members: *held.child,
            taken: Objects {
                weights: vec![1.0; places.len()],
                rows: places,
            },
            sides,
            source,
            gamma,
            rows,
            objects,
            classes,
            bags,
        })
    }

    fn learn_members(
        &self,
        form: Form,
        task: &Task,
        target: &Target,
        context: &Context,
    ) -> Result<Box<dyn Model>> {
        let gathered = self.gather(task, target)?;
        let mut report = self.report(form, &gathered);
        if form == Form::Bag {
            let advice = "use `form=instance`";
            fits(
                "the means of bags",
                gathered.taken.len(),
                2,
                advice,
                context,
            )?;
        }
        let positive = gathered.sides.0;
        let Some(negative) = gathered.sides.1.filter(|_| gathered.taken.len() > 0) else {
            return gathered.constant(task, report);
        };
        let Gathered {
            members,
            taken,
            bags,
            objects,
            ..
        } = &gathered;
        let source = Source::Members(gathered.source.clone());
        let space = Space::new(&source, members, taken, self.correction, context)?;
        let stop = || context.check().is_err();
        let limits = Limits {
            tolerance: self.tolerance,
            cache_bytes: cache(context),
            shrinking: self.shrinking,
            most_iterations: None,
            stop: &stop,
        };
        let wrong = |error| failed(error, taken, context);
        let train =
            |chosen: &[usize]| bags.train(space.matrix(), chosen, form, self.rounds, &limits);
        let every: Vec<usize> = (0..objects.len()).collect();
        let learned = context.install(|| train(&every)).map_err(wrong)?;
        let mut fitted = None;
        if self.probabilities {
            fitted = context
                .install(|| calibrated(bags, &objects.weights, space.matrix(), &train, context))
                .map_err(wrong)?;
        }
        report.spectrum = space.spectrum.clone();
        report.machines = vec![Fitted::of_solution(&learned.solution)];
        let (coefficients, bias) = space.fold(learned.solution.coefficients, learned.solution.bias);
        // From the members of distinct bags to those of all.
        let mut function = Function {
            coefficients: vec![0.0; members.len()],
            bias,
        };
        for (&member, coefficient) in taken.rows.iter().zip(coefficients) {
            function.coefficients[member as usize] = coefficient;
        }
        let expansion = Expansion::of_members(source, task, members, &gathered.owners, function)?;
        let decided = Decided {
            positive,
            negative,
            probabilities: self.probabilities,
            sigmoid: fitted.map(|sigmoid| (sigmoid.slope, sigmoid.offset)),
            rounds: learned.rounds,
            settled: learned.settled,
            report,
        };
        Ok(Box::new(BagClassifier::new(expansion, decided)))
    }

    fn report(&self, form: Form, gathered: &Gathered) -> Report {
        Report {
            form: form.name().to_owned(),
            c: Some(self.prices[0]),
            gamma: gathered.gamma,
            tuned: self.tuned.clone(),
            objects: gathered.taken.len(),
            ..Report::default()
        }
    }
}

/// The bags of a task, and the kernel that compares their members.
struct Gathered {
    source: Members,
    gamma: Option<f64>,
    /// The rows of the task.
    rows: Column,
    /// All members, and the row that each is of.
    members: Column,
    owners: Vec<u32>,
    /// Distinct rows, and their classes.
    objects: Objects,
    classes: Vec<u32>,
    /// The positive class, and the other where there is one.
    sides: (u32, Option<u32>),
    /// The members of distinct rows, and which bags they are.
    taken: Objects,
    bags: Bags,
}

impl Gathered {
    /// The model where there is nothing to learn from: the most frequent class, the first of
    /// equals.
    fn constant(self, task: &Task, report: Report) -> Result<Box<dyn Model>> {
        let count = |class: u32| self.classes.iter().filter(|&&other| other == class).count();
        let best = self.classes.iter().rev().max_by_key(|&&class| count(class));
        let kind = Kind::Pairs {
            labels: best.into_iter().copied().collect(),
            sigmoids: None,
        };
        let report = Report {
            objects: 0,
            ..report
        };
        let source = Source::Rows(self.source.rows);
        let expansion = Expansion::new(source, task, self.rows, &self.objects, Vec::new())?;
        Ok(Box::new(Classifier::new(expansion, kind, report)))
    }
}

/// The sigmoid of decisions on bags that were held out; none where a class has too few, or
/// decisions say nothing.
fn calibrated(
    bags: &Bags,
    weights: &[f64],
    matrix: &dyn Matrix,
    train: &(impl Fn(&[usize]) -> Result<train::Learned, kinwood_machines::Error> + Sync),
    context: &Context,
) -> Result<Option<Sigmoid>, kinwood_machines::Error> {
    let count = bags.positive.iter().filter(|positive| **positive).count();
    if count.min(bags.positive.len() - count) < FOLDS {
        return Ok(None);
    }
    let classes: Vec<u32> = bags.positive.iter().map(|&side| u32::from(side)).collect();
    let folds = stratified(&classes, FOLDS, &mut context.generator(&[CALIBRATING]));
    let decisions = cross_validated(&folds, |learned, held| {
        let machine = train(learned)?;
        let decide = |&bag: &usize| bags.decide(matrix, bag, &machine.solution);
        Ok(held.iter().map(decide).collect())
    })?;
    let found = weighted(&decisions, &bags.positive, weights)?;
    Ok(Some(found).filter(|found| found.slope < 0.0))
}

impl BagMachine {
    /// Fits the machine to a task, with the best of its settings if there are several.
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let target = nominal(task, MI_SVM.name)?;
        match self.folds {
            None => self.fit_as_said(task, target, context),
            Some(folds) => {
                let chosen = self.chosen(task, target, folds, context)?;
                chosen.fit_as_said(task, target, context)
            }
        }
    }
}

impl BagMachine {
    fn fit_as_said(
        &self,
        task: &Task,
        target: &Target,
        context: &Context,
    ) -> Result<Box<dyn Model>> {
        match self.form {
            None => self.compare_bags(task, context),
            Some(form) => self.learn_members(form, task, target, context),
        }
    }

    /// The same with the width and price of least error on bags that were held out.
    fn chosen(
        &self,
        task: &Task,
        target: &Target,
        folds: usize,
        context: &Context,
    ) -> Result<Self> {
        let mut candidates = Vec::new();
        let mut widths = Vec::new();
        for kernel in self.kernel.widths() {
            let alone = Self {
                kernel,
                folds: None,
                ..self.clone()
            };
            widths.push(alone.comparing(task, |set| set)?.1);
            candidates.extend(self.prices.iter().map(|&price| Self {
                prices: vec![price],
                ..alone.clone()
            }));
        }
        let fit = |candidate: usize, task: &Task| {
            let quick = Self {
                probabilities: false,
                ..candidates[candidate].clone()
            };
            quick.fit_as_said(task, nominal(task, MI_SVM.name)?, context)
        };
        let tried = (candidates.len(), folds);
        let errors = tune::by_fitting_anew(task, target, tried, fit, context)?;
        let prices = self.prices.len();
        let (width, price, tuned) = tune::choose(&widths, &self.prices, folds, |width| {
            Ok(errors[width * prices..][..prices].to_vec())
        })?;
        let place = self.prices.iter().position(|&other| other == price);
        let best = width * prices + place.expect("it is one of the prices");
        Ok(Self {
            tuned: Some(tuned),
            ..candidates.swap_remove(best)
        })
    }
}
