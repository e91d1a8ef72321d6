//! The learner `svm`: the registry's entry, and its settings as a value.

use kinwood_machines::spectrum::Correction;
use kinwood_similarity::Expression;

use super::asked::Asked;
use super::class_weights::ClassWeights;
use super::gamma::Gamma;
use super::machine::{LEARNER, Machine, SvmForm};
use super::model::Classifier;
use super::settings::{
    C, Chosen, GAMMA, GRAM, INDEFINITE, KERNEL, NU, PROBABILITIES, SHRINKING, TOLERANCE, TUNE,
    Tune, check_gammas, check_prices, check_tune, correction, follows, gram, listed, refused,
};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::DEPTH;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const SVM: Entry = Entry {
    name: LEARNER,
    summary: "Separates classes by the widest margin in the space of a kernel between rows of any structure.",
    reference: "Cortes and Vapnik, Support-vector networks, Machine Learning 20, 1995; Schölkopf et al., New support vector algorithms, Neural Computation 12, 2000",
    targets: Targets::NOMINAL,
    several_targets: false,
    follows_keys: follows,
    flat: true,
    parameters: &[
        Parameter {
            name: "form",
            doc: "Errors have a price (c), or a share (nu), or the region of one class is learned from its rows alone (one_class).",
            allowed: Allowed::Choice(SvmForm::NAMES),
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
    build: |settings| Ok(Box::new(Svm::read(settings)?)),
    load: |stored| Ok(Box::new(Classifier::read(stored)?)),
};

/// What `class` is when the most frequent one is meant.
const FREQUENT: &str = "frequent";

/// Support vector machines: classes are separated by the widest margin in the space of a kernel
/// between rows.
///
/// ```
/// use kinwood_kernels::{Gamma, Svm};
/// use kinwood_learning::{Context, Learner, Task, testing::{CLASS, mixed_view}};
///
/// let view = mixed_view(40);
/// let svm = Svm { c: 10.0, gamma: Gamma::Automatic(2.0), ..Svm::default() };
/// let model = svm.fit(&Task::new(&view, &[CLASS])?, &Context::new())?;
/// assert_eq!(model.predict(&view, &Context::new())?.targets[0].name, "class");
/// # Ok::<(), kinwood_learning::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Svm {
    /// What is learned: errors have a price by default.
    pub form: SvmForm,
    /// The price of an error, above 0: 1 by default. With [`SvmForm::C`] only.
    pub c: f64,
    /// A bound above on the share of errors, and below on that of support rows, up to 1: 0.5 by
    /// default. Not with [`SvmForm::C`].
    pub nu: f64,
    /// How much errors on classes cost beside others: the same by default.
    pub weights: ClassWeights,
    /// The class that [`SvmForm::OneClass`] learns: the most frequent by default.
    pub class: Option<String>,
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
    /// Whether sigmoids are fitted to decisions on held-out rows, so that predictions are
    /// probabilities (the default) and not shares of votes.
    pub probabilities: bool,
    /// Choose from lists by folds of the training rows; nothing is chosen by default.
    pub tune: Option<Tune>,
    /// By how much the optimality conditions may be violated: 0.001 by default.
    pub tolerance: f64,
    /// Whether coefficients are left out for a while that seem to stay at a bound, as they are by
    /// default.
    pub shrinking: bool,
}

impl Default for Svm {
    fn default() -> Self {
        Self::read(&SVM.defaults()).expect("the defaults are settings")
    }
}

impl Svm {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let Chosen { c, gamma, tune } = Chosen::read(settings)?;
        let class = settings.text("class");
        let learner = Self {
            form: settings.word("form", SvmForm::named),
            c,
            nu: settings.real(NU.name),
            weights: ClassWeights::read(settings.text("weights"))?,
            class: (class != FREQUENT).then(|| class.to_owned()),
            kernel: settings.text(KERNEL.name).parse()?,
            gamma,
            depth: settings.whole(DEPTH.name),
            gram: gram(settings),
            indefinite: correction(settings),
            probabilities: settings.flag(PROBABILITIES.name),
            tune,
            tolerance: settings.real(TOLERANCE.name),
            shrinking: settings.flag(SHRINKING.name),
        };
        match learner.machine() {
            Ok(_) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// The machine; fails on settings that are out of range or do not go together.
    fn machine(&self) -> Result<Machine> {
        let tune = self.tune.as_ref();
        let (prices, gammas) = (Tune::prices(tune, self.c), Tune::gammas(tune, self.gamma));
        check_prices(&prices)?;
        check_gammas(&gammas)?;
        SVM.check(NU.name, self.nu)?;
        SVM.check(DEPTH.name, self.depth)?;
        SVM.check(TOLERANCE.name, self.tolerance)?;
        self.weights.check()?;
        check_tune(tune)?;
        self.check_form(&prices)?;
        Ok(Machine {
            form: self.form,
            prices,
            nu: self.nu,
            weights: self.weights.clone(),
            class: self.class.clone(),
            asked: Asked::new(self.gram.as_deref(), &self.kernel, gammas, self.depth)?,
            correction: self.indefinite,
            probabilities: self.probabilities,
            folds: tune.map(|tune| tune.folds),
            tuned: None,
            tolerance: self.tolerance,
            shrinking: self.shrinking,
        })
    }

    /// Fails on settings that the form has no use for.
    fn check_form(&self, prices: &[f64]) -> Result<()> {
        if let Some(class) = &self.class
            && self.form != SvmForm::OneClass
        {
            return Err(Error::SettingValue {
                name: "class".to_owned(),
                value: class.clone(),
                expected: format!("`{FREQUENT}` unless form=one_class"),
                nearest: None,
            });
        }
        match self.form {
            SvmForm::C if NU.default.parse() != Ok(self.nu) => {
                let expected = "nothing with form=c, which has `c`";
                return Err(refused(&NU, &self.nu.to_string(), expected));
            }
            SvmForm::Nu | SvmForm::OneClass if listed(prices) != C.default => {
                let expected = "nothing with forms that have `nu`";
                return Err(refused(&C, &listed(prices), expected));
            }
            _ => {}
        }
        match &self.tune {
            Some(tune) if self.form == SvmForm::OneClass => Err(refused(
                &TUNE,
                &tune.folds.to_string(),
                "`no` with form=one_class, which knows no errors to choose by",
            )),
            _ => Ok(()),
        }
    }
}

impl Learner for Svm {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.machine()?.fit(task, context)
    }
}
