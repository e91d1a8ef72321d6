//! Support vector machines for classes: how a machine is fitted.

use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Limits, calibrate::cross_validated};

use super::asked::{Asked, Opened};
use super::class_weights::ClassWeights;
use super::decide::{Form, Problem, pairs, present};
use super::expansion::{Expansion, Function};
use super::folds::stratified;
use super::memory::cache;
use super::model::{Classifier, Kind};
use super::objects::Objects;
use super::one_class::{OneClass, enclose};
use super::report::{Fitted, Report};
use super::source::Source;
use super::space::{Space, failed};
use super::tune;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::Model;
use kinwood_learning::named;
use kinwood_learning::task::{Target, Task};

/// The name of the learner, for messages.
pub const LEARNER: &str = "svm";

/// What generators are for.
const TUNING: u64 = 1;
const CALIBRATING: u64 = 2;

/// What a support vector machine learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvmForm {
    /// Classes apart, errors having a price.
    C,
    /// Classes apart, errors being a share.
    Nu,
    /// The region of one class, from its rows alone.
    OneClass,
}

named!(SvmForm { C => "c", Nu => "nu", OneClass => "one_class" });

/// What the settings come to.
pub struct Machine {
    /// What is learned.
    pub form: SvmForm,
    /// The prices of errors to choose from; the first is taken where nothing is chosen.
    pub prices: Vec<f64>,
    /// The share of errors.
    pub nu: f64,
    /// How much errors on classes cost beside others.
    pub weights: ClassWeights,
    /// The class whose region is learned; the most frequent where there is none.
    pub class: Option<String>,
    /// Where kernel values come from.
    pub asked: Asked,
    /// What is done about negative eigenvalues.
    pub correction: Correction,
    /// Whether predictions are probabilities.
    pub probabilities: bool,
    /// By how many folds settings are chosen, if they are.
    pub folds: Option<usize>,
    /// How settings were chosen before, if they were.
    pub tuned: Option<tune::Tuned>,
    /// When the solver is content.
    pub tolerance: f64,
    /// Whether it leaves coefficients out for a while.
    pub shrinking: bool,
}

/// The only target there may be, a nominal one.
pub(super) fn nominal<'a>(task: &'a Task, learner: &'static str) -> Result<&'a Target> {
    let wrong = |target: &Target, found: String, hint| Error::TargetType {
        learner,
        expected: "single nominal".to_owned(),
        target: target.name().to_owned(),
        found,
        hint,
    };
    match task.targets() {
        [target] if target.classes().is_some() => Ok(target),
        [target] if target.is_number() => Err(wrong(
            target,
            target.found(),
            ": `svr` and `ridge` predict numbers",
        )),
        [target] => Err(wrong(target, target.found(), "")),
        [first, ..] => Err(wrong(first, "one of several".to_owned(), "")),
        [] => unreachable!("a task has a target"),
    }
}

impl Machine {
    fn form(&self, c: f64) -> Form {
        match self.form {
            SvmForm::Nu => Form::Nu(self.nu),
            _ => Form::C(c),
        }
    }

    fn limits<'a>(&self, context: &Context, stop: &'a (dyn Fn() -> bool + Sync)) -> Limits<'a> {
        Limits {
            tolerance: self.tolerance,
            cache_bytes: cache(context),
            shrinking: self.shrinking,
            most_iterations: None,
            stop,
        }
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
        let held = stratified(&training.classes, folds, &mut context.generator(&[TUNING]));
        let widths: Vec<Option<f64>> = sources.iter().map(|(_, gamma)| *gamma).collect();
        let running = context.progress("tuning", (sources.len() * self.prices.len()) as u64);
        let quiet = context.quietly();
        let errors = |source: usize| {
            let (source, _) = &sources[source];
            let space = Space::new(source, rows, training.objects, self.correction, &quiet)?;
            let stop = || context.check().is_err();
            let error = |&c: &f64| {
                let problem = Problem {
                    matrix: space.matrix(),
                    classes: &training.classes,
                    costs: &training.costs,
                    form: self.form(c),
                    limits: self.limits(context, &stop),
                };
                // A class is a number here, as a decision is elsewhere.
                let voted = context.install(|| {
                    cross_validated(&held, |learned, asked| {
                        let voted = problem.voted(learned, asked)?;
                        Ok(voted.into_iter().map(f64::from).collect())
                    })
                });
                let voted = voted.map_err(|error| failed(error, training.objects, context))?;
                running.advance(1);
                Ok(training.wrong(&voted))
            };
            self.prices.iter().map(error).collect()
        };
        let (source, c, tuned) = tune::choose(&widths, &self.prices, folds, errors)?;
        Ok((source, c, Some(tuned)))
    }

    fn separate(
        &self,
        task: &Task,
        target: &Target,
        opened: Opened,
        context: &Context,
    ) -> Result<Classifier> {
        let objects = match self.form {
            SvmForm::Nu => Objects::equal(task, LEARNER, "form=nu")?,
            _ => Objects::distinct(task, &opened.rows)?,
        };
        let classes: Vec<u32> = objects
            .rows
            .iter()
            .filter_map(|&row| target.class(row as usize))
            .collect();
        let mut totals = vec![0.0; target.classes().map_or(0, |classes| classes.len())];
        for (&class, weight) in classes.iter().zip(&objects.weights) {
            totals[class as usize] += weight;
        }
        let factors = self.weights.factors(target, &totals)?;
        let both = classes.iter().zip(&objects.weights);
        let training = Training {
            costs: both
                .map(|(&class, weight)| weight * factors[class as usize])
                .collect(),
            objects: &objects,
            classes,
        };
        let sources = opened.sources(&objects)?;
        let (source, c, tuned) = self.chosen(&sources, &opened.rows, &training, context)?;
        let (source, gamma) = sources[source].clone();
        let space = Space::new(&source, &opened.rows, &objects, self.correction, context)?;
        let stop = || context.check().is_err();
        let problem = Problem {
            matrix: space.matrix(),
            classes: &training.classes,
            costs: &training.costs,
            form: self.form(c),
            limits: self.limits(context, &stop),
        };
        let all: Vec<usize> = (0..objects.len()).collect();
        let labels = present(&training.classes, &all);
        let wrong = |error| failed(error, &objects, context);
        let machines = context.install(|| problem.train(&all)).map_err(wrong)?;
        let mut sigmoids = None;
        if self.probabilities {
            let fitted = pairs(&labels).into_iter().map(|pair| {
                let stream = [CALIBRATING, u64::from(pair.0), u64::from(pair.1)];
                let mut generator = context.generator(&stream);
                context.install(|| problem.calibrated(pair, &all, &objects.weights, &mut generator))
            });
            let fitted: Result<Vec<_>, _> = fitted.collect();
            sigmoids = Some(fitted.map_err(wrong)?);
        }
        let report = Report {
            form: self.form.name().to_owned(),
            c: (self.form == SvmForm::C).then_some(c),
            nu: (self.form == SvmForm::Nu).then_some(self.nu),
            gamma,
            objects: objects.len(),
            spectrum: space.spectrum.clone(),
            machines: machines.iter().map(Fitted::of_machine).collect(),
            tuned: tuned.or_else(|| self.tuned.clone()),
            ..Report::default()
        };
        let functions = machines
            .into_iter()
            .map(|machine| {
                let solution = machine.solution;
                let (coefficients, bias) = space.fold(solution.coefficients, solution.bias);
                Function { coefficients, bias }
            })
            .collect();
        let expansion = Expansion::new(source, task, opened.rows, &objects, functions)?;
        Ok(Classifier::new(
            expansion,
            Kind::Pairs { labels, sigmoids },
            report,
        ))
    }
}

/// Objects with their classes, and how much errors on them cost beside others.
struct Training<'a> {
    objects: &'a Objects,
    classes: Vec<u32>,
    costs: Vec<f64>,
}

impl Training<'_> {
    /// The share of errors, by cost.
    fn wrong(&self, voted: &[f64]) -> f64 {
        let all: f64 = self.costs.iter().sum();
        let cost = |place: usize| match f64::from(self.classes[place]) == voted[place] {
            true => 0.0,
            false => self.costs[place],
        };
        (0..voted.len()).map(cost).sum::<f64>() / all
    }
}

impl Machine {
    /// Fits the machine to a task.
    pub fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let target = nominal(task, LEARNER)?;
        let opened = self.asked.open(task.view(), context)?;
        let model = match self.form {
            SvmForm::OneClass => {
                let stop = || context.check().is_err();
                let settings = OneClass {
                    learner: LEARNER,
                    nu: self.nu,
                    class: self.class.as_deref(),
                    correction: self.correction,
                    limits: &self.limits(context, &stop),
                };
                enclose(&settings, task, target, opened, context)?
            }
            _ => self.separate(task, target, opened, context)?,
        };
        Ok(Box::new(model))
    }
}
