//! Support vector machines for classes: the registry's entry, its settings, and how a machine is fitted.

use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Limits, calibrate::cross_validated};

use super::asked::{Asked, Opened};
use super::class_weights::Weights;
use super::decide::{Form, Problem, pairs, present};
use super::expansion::{Expansion, Function};
use super::folds::stratified;
use super::memory::cache;
use super::model::{Classifier, Kind};
use super::objects::Objects;
use super::one_class::{OneClass, enclose};
use super::report::{Fitted, Report};
use super::settings::{
    C, GAMMA, GRAM, INDEFINITE, KERNEL, SHRINKING, TOLERANCE, TUNE, correction, folds, follows,
    positive, unused,
};
use super::source::Source;
use super::space::{Space, failed};
use super::tune;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::DEPTH;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::{Target, Task};

/// The registry's entry.
pub const SVM: Entry = Entry {
    name: "svm",
    summary: "Separates classes by the widest margin in the space of a kernel between rows of any structure.",
    reference: "Cortes and Vapnik, Support-vector networks, Machine Learning 20, 1995; Schölkopf et al., New support vector algorithms, Neural Computation 12, 2000",
    targets: Targets::Nominal,
    several_targets: false,
    follows_keys: follows,
    flat: true,
    parameters: &[
        Parameter {
            name: "form",
            doc: "Errors have a price (c), or a share (nu), or the region of one class is learned from its rows alone (one_class).",
            allowed: Allowed::Choice(&["c", "nu", "one_class"]),
            default: "c",
        },
        C,
        NU,
        Parameter {
            name: "weights",
            doc: "How much errors on classes cost beside others: the same (none), in inverse proportion to their rows (balanced), or `LABEL:NUMBER, ...` with 1 for the others.",
            allowed: Allowed::Text,
            default: "none",
        },
        Parameter {
            name: "class",
            doc: "The class that form=one_class learns; frequent for the most frequent.",
            allowed: Allowed::Text,
            default: FREQUENT,
        },
        KERNEL,
        GAMMA,
        DEPTH,
        GRAM,
        INDEFINITE,
        PROBABILITIES,
        TUNE,
        TOLERANCE,
        SHRINKING,
    ],
    build: |settings| Ok(Box::new(Svm::new(settings)?)),
    load: |stored| Ok(Box::new(Classifier::read(stored)?)),
};

/// The setting of the share of errors.
pub(super) const NU: Parameter = Parameter {
    name: "nu",
    doc: "With forms of shares: a bound above on the share of errors, and below on that of support rows.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: 1.0,
    },
    default: "0.5",
};

/// The setting of what predictions are.
pub(super) const PROBABILITIES: Parameter = Parameter {
    name: "probabilities",
    doc: "Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.",
    allowed: Allowed::Flag,
    default: "true",
};

/// What `class` is when the most frequent one is meant.
const FREQUENT: &str = "frequent";

/// What generators are for.
const TUNING: u64 = 1;
const CALIBRATING: u64 = 2;

/// What is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Classes apart, errors having a price.
    C,
    /// Classes apart, errors being a share.
    Nu,
    /// The region of one class.
    OneClass,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Shape::C => "c",
            Shape::Nu => "nu",
            Shape::OneClass => "one_class",
        }
    }
}

pub(super) struct Svm {
    form: Shape,
    prices: Vec<f64>,
    nu: f64,
    weights: Weights,
    class: Option<String>,
    asked: Asked,
    correction: Correction,
    probabilities: bool,
    folds: Option<usize>,
    /// How settings were chosen before, if they were.
    tuned: Option<tune::Tuned>,
    tolerance: f64,
    shrinking: bool,
}

/// The only target there may be, a nominal one.
pub(super) fn nominal<'a>(task: &'a Task, learner: &'static str) -> Result<&'a Target> {
    let wrong = |target: &Target, found: String, hint| Error::TargetType {
        learner,
        expected: "single nominal",
        target: target.name().to_owned(),
        found,
        hint,
    };
    match task.targets() {
        [target] if target.classes().is_some() => Ok(target),
        [target] if target.is_number() => Err(wrong(
            target,
            target.values().type_of().to_string(),
            ": `svr` and `ridge` predict numbers",
        )),
        [target] => Err(wrong(target, target.values().type_of().to_string(), "")),
        [first, ..] => Err(wrong(first, "one of several".to_owned(), "")),
        [] => unreachable!("a task has a target"),
    }
}

/// A machine of the price of errors alone, for learners that are around one.
pub(super) struct Separating {
    /// The price of errors.
    pub c: f64,
    /// What is done about negative eigenvalues.
    pub correction: Correction,
    /// Whether predictions are probabilities.
    pub probabilities: bool,
    /// When the solver is content.
    pub tolerance: f64,
    /// Whether it leaves coefficients out for a while.
    pub shrinking: bool,
    /// How its settings were chosen, if they were.
    pub tuned: Option<tune::Tuned>,
}

impl Separating {
    /// Fits the machine by a kernel.
    pub fn fit(self, task: &Task, asked: Asked, context: &Context) -> Result<Box<dyn Model>> {
        let machine = Svm {
            form: Shape::C,
            prices: vec![self.c],
            nu: 0.5,
            weights: Weights::None,
            class: None,
            asked,
            correction: self.correction,
            probabilities: self.probabilities,
            folds: None,
            tuned: self.tuned,
            tolerance: self.tolerance,
            shrinking: self.shrinking,
        };
        machine.fit(task, context)
    }
}

impl Svm {
    fn new(settings: &Settings) -> Result<Self> {
        let form = match settings.text("form") {
            "nu" => Shape::Nu,
            "one_class" => Shape::OneClass,
            _ => Shape::C,
        };
        let class = settings.text("class");
        let folds = folds(settings)?;
        if form != Shape::OneClass && class != FREQUENT {
            return Err(Error::SettingValue {
                name: "class".to_owned(),
                value: class.to_owned(),
                expected: format!("`{FREQUENT}` unless form=one_class"),
                nearest: None,
            });
        }
        match form {
            Shape::C => unused(settings, &NU, "nothing with form=c, which has `c`")?,
            Shape::Nu | Shape::OneClass => {
                unused(settings, &C, "nothing with forms that have `nu`")?
            }
        }
        if form == Shape::OneClass && folds.is_some() {
            return Err(Error::SettingValue {
                name: TUNE.name.to_owned(),
                value: settings.text(TUNE.name).to_owned(),
                expected: "`no` with form=one_class, which knows no errors to choose by".to_owned(),
                nearest: None,
            });
        }
        Ok(Self {
            form,
            prices: positive(settings, C.name)?,
            nu: settings.real(NU.name),
            weights: Weights::read(settings.text("weights"))?,
            class: (class != FREQUENT).then(|| class.to_owned()),
            asked: Asked::read(settings)?,
            correction: correction(settings),
            probabilities: settings.flag(PROBABILITIES.name),
            folds,
            tuned: None,
            tolerance: settings.real(TOLERANCE.name),
            shrinking: settings.flag(SHRINKING.name),
        })
    }

    fn form(&self, c: f64) -> Form {
        match self.form {
            Shape::Nu => Form::Nu(self.nu),
            _ => Form::C(c),
        }
    }

    pub(super) fn limits<'a>(
        &self,
        context: &Context,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Limits<'a> {
        Limits {
            tolerance: self.tolerance,
            cache_bytes: cache(context),
            shrinking: self.shrinking,
            most_iterations: None,
            stop,
        }
    }

    /// The source and price of errors with the least error of held-out objects, of those that can be chosen from.
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
            Shape::Nu => Objects::equal(task, SVM.name, "form=nu")?,
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
            c: (self.form == Shape::C).then_some(c),
            nu: (self.form == Shape::Nu).then_some(self.nu),
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

impl Learner for Svm {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let target = nominal(task, SVM.name)?;
        let opened = self.asked.open(task.view(), context)?;
        let model = match self.form {
            Shape::OneClass => {
                let stop = || context.check().is_err();
                let settings = OneClass {
                    learner: SVM.name,
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
