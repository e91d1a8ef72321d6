//! The learner `mi_svm`: the registry's entry, and its settings as a value.

use kinwood_machines::spectrum::Correction;
use kinwood_similarity::Expression;

use super::BagMachine;
use super::model::BagClassifier;
use super::train::Form;
use crate::gamma::Gamma;
use crate::kernel::Declared;
use crate::model::Classifier;
use crate::settings::{
    C, Chosen, GAMMA, INDEFINITE, KERNEL, PROBABILITIES, SHRINKING, TOLERANCE, TUNE, Tune,
    check_gammas, check_prices, check_tune, correction, follows,
};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::Result;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::named;
use kinwood_learning::rows::DEPTH;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const MI_SVM: Entry = Entry {
    name: "mi_svm",
    summary: "Separates bags, of which the positive ones have a positive member, by support vector machines on members or on bags.",
    reference: "Andrews, Tsochantaridis and Hofmann, Support vector machines for multiple-instance learning, NIPS 15, 2003; Gärtner, Flach, Kowalczyk and Smola, Multi-instance kernels, ICML 2002",
    targets: Targets::NOMINAL,
    several_targets: false,
    follows_keys: follows,
    flat: false,
    parameters: &[
        Parameter {
            name: "form",
            doc: "One member speaks for each positive bag (bag: the paper's MI-SVM), each member of a positive bag has a class of its own (instance: the paper's mi-SVM), or bags are compared by normalised(set(kernel)) (kernel).",
            allowed: Allowed::Choice(BagForm::NAMES),
            default: "bag",
        },
        Parameter {
            name: "positive",
            doc: "The class of bags with a positive member; rare for the class of fewer training bags, of equally many the one whose label comes last.",
            allowed: Allowed::Text,
            default: RARE,
        },
        Parameter {
            name: "bags",
            doc: "The column of bags, or the table behind a foreign key that holds members; only for the only one there is.",
            allowed: Allowed::Text,
            default: ONLY,
        },
        Parameter {
            doc: "How alike members of bags are: a kernel over their columns (see the catalogue of distances).",
            ..KERNEL
        },
        GAMMA,
        C,
        Parameter {
            name: "rounds",
            doc: "How often the positive members are guessed anew at most.",
            allowed: Allowed::Whole {
                least: 1,
                most: 10_000,
            },
            default: "50",
        },
        TUNE,
        DEPTH,
        INDEFINITE,
        PROBABILITIES,
        TOLERANCE,
        SHRINKING,
    ],
    build: |settings| Ok(Box::new(MiSvm::read(settings)?)),
    load: |stored| match BagClassifier::is_in(stored) {
        true => Ok(Box::new(BagClassifier::read(stored)?)),
        false => Ok(Box::new(Classifier::read(stored)?)),
    },
};

/// What `positive` and `bags` are when nobody names one.
const RARE: &str = "rare";
const ONLY: &str = "only";

/// What a support vector machine for bags compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BagForm {
    /// Members, one of which speaks for each positive bag: the paper's MI-SVM.
    Bag,
    /// Members, each of a positive bag having a class of its own: the paper's mi-SVM.
    Instance,
    /// Bags as wholes, by `normalised(set(kernel))`.
    Kernel,
}

named!(BagForm { Bag => "bag", Instance => "instance", Kernel => "kernel" });

/// Support vector machines for bags, of which the positive ones have a positive member.
#[derive(Clone, Debug, PartialEq)]
pub struct MiSvm {
    /// What is compared: one member of each positive bag speaks for it by default.
    pub form: BagForm,
    /// The class of bags with a positive member; by default the class of fewer training bags, of
    /// equally many the one whose label comes last.
    pub positive: Option<String>,
    /// The column of bags, or the table behind a foreign key that holds members; by default the
    /// only one there is.
    pub bags: Option<String>,
    /// How alike members of bags are: `gaussian(euclidean)` by default.
    pub kernel: Expression,
    /// How fast similarity falls with distance, where the kernel does not say.
    pub gamma: Gamma,
    /// The price of an error, above 0: 1 by default.
    pub c: f64,
    /// How often the positive members are guessed anew at most, from 1: 50 by default.
    pub rounds: usize,
    /// Choose from lists by folds of the training rows; nothing is chosen by default.
    pub tune: Option<Tune>,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
    /// What is done about negative eigenvalues of the training matrix: all are raised by default.
    pub indefinite: Correction,
    /// Whether sigmoids are fitted to decisions on held-out bags, so that predictions are
    /// probabilities, as they are by default.
    pub probabilities: bool,
    /// By how much the optimality conditions may be violated: 0.001 by default.
    pub tolerance: f64,
    /// Whether coefficients are left out for a while that seem to stay at a bound, as they are by
    /// default.
    pub shrinking: bool,
}

impl Default for MiSvm {
    fn default() -> Self {
        Self::read(&MI_SVM.defaults()).expect("the defaults are settings")
    }
}

impl MiSvm {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let named = |name: &str, default: &str| {
            let text = settings.text(name);
            (text != default).then(|| text.to_owned())
        };
        let Chosen { c, gamma, tune } = Chosen::read(settings)?;
        let learner = Self {
            form: settings.word("form", BagForm::named),
            positive: named("positive", RARE),
            bags: named("bags", ONLY),
            kernel: settings.text(KERNEL.name).parse()?,
            gamma,
            c,
            rounds: settings.whole("rounds"),
            tune,
            depth: settings.whole(DEPTH.name),
            indefinite: correction(settings),
            probabilities: settings.flag(PROBABILITIES.name),
            tolerance: settings.real(TOLERANCE.name),
            shrinking: settings.flag(SHRINKING.name),
        };
        match learner.machine() {
            Ok(_) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// The machine; fails on settings that are out of range or do not go together.
    fn machine(&self) -> Result<BagMachine> {
        let tune = self.tune.as_ref();
        let (prices, gammas) = (Tune::prices(tune, self.c), Tune::gammas(tune, self.gamma));
        check_prices(&prices)?;
        check_gammas(&gammas)?;
        MI_SVM.check("rounds", self.rounds)?;
        MI_SVM.check(DEPTH.name, self.depth)?;
        MI_SVM.check(TOLERANCE.name, self.tolerance)?;
        let kernel = Declared::new(self.kernel.clone(), self.depth, gammas)?;
        check_tune(tune)?;
        Ok(BagMachine {
            form: match self.form {
                BagForm::Bag => Some(Form::Bag),
                BagForm::Instance => Some(Form::Instance),
                BagForm::Kernel => None,
            },
            positive: self.positive.clone(),
            bags: self.bags.clone(),
            kernel,
            prices,
            folds: tune.map(|tune| tune.folds),
            tuned: None,
            rounds: self.rounds,
            depth: self.depth,
            correction: self.indefinite,
            probabilities: self.probabilities,
            tolerance: self.tolerance,
            shrinking: self.shrinking,
        })
    }
}

impl Learner for MiSvm {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.machine()?.fit(task, context)
    }
}
