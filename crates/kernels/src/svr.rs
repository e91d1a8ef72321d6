//! The learner `svr`: the registry's entry, and its settings as a value.

use kinwood_machines::spectrum::Correction;
use kinwood_similarity::Expression;

use super::asked::Asked;
use super::gamma::Gamma;
use super::numbers::Numbers;
use super::regress::{LEARNER, METHOD, Regression};
use super::settings::{
    C, Chosen, GAMMA, GRAM, INDEFINITE, KERNEL, NU, SHRINKING, TOLERANCE, TUNE, Tune, check_gammas,
    check_prices, check_tune, correction, follows, gram,
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
pub const SVR: Entry = Entry {
    name: LEARNER,
    summary: "Fits numbers by support vector regression in the space of a kernel between rows of any structure.",
    reference: "Smola and Schölkopf, A tutorial on support vector regression, Statistics and Computing 14, 2004",
    targets: Targets::NUMERIC,
    several_targets: false,
    follows_keys: follows,
    flat: true,
    parameters: &[
        Parameter {
            name: "form",
            doc: "Errors below a bound do not count (epsilon), or the bound is found so that a share of rows lies outside (nu).",
            allowed: Allowed::Choice(SvrForm::NAMES),
            default: "epsilon",
        },
        C,
        Parameter {
            name: "epsilon",
            doc: "With form=epsilon: the size of errors that do not count.",
            allowed: Allowed::Real {
                least: 0.0,
                most: f64::MAX,
            },
            default: "0.1",
        },
        NU,
        Parameter {
            name: "scaled",
            doc: "Measure the target in standard deviations, so that `c` and `epsilon` do not depend on its unit.",
            allowed: Allowed::Flag,
            default: "true",
        },
        KERNEL,
        GAMMA,
        DEPTH,
        GRAM,
        INDEFINITE,
        TUNE,
        TOLERANCE,
        SHRINKING,
    ],
    build: |settings| Ok(Box::new(Svr::read(settings)?)),
    load: |stored| Ok(Box::new(Numbers::read(stored, METHOD)?)),
};

/// Which errors of support vector regression count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvrForm {
    /// Those above a bound.
    Epsilon,
    /// Those of a share of the rows; the bound is found.
    Nu,
}

named!(SvrForm { Epsilon => "epsilon", Nu => "nu" });

/// Support vector regression: numbers are fitted in the space of a kernel between rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Svr {
    /// Which errors count: those above a bound by default.
    pub form: SvrForm,
    /// The price of an error, above 0: 1 by default.
    pub c: f64,
    /// With [`SvrForm::Epsilon`]: the size of errors that do not count, 0.1 by default.
    pub epsilon: f64,
    /// With [`SvrForm::Nu`]: a bound above on the share of errors, and below on that of support
    /// rows, up to 1; 0.5 by default.
    pub nu: f64,
    /// Whether the target is measured in standard deviations, so that `c` and `epsilon` do not
    /// depend on its unit, as it is by default.
    pub scaled: bool,
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
    /// Choose from lists by folds of the training rows; nothing is chosen by default.
    pub tune: Option<Tune>,
    /// By how much the optimality conditions may be violated: 0.001 by default.
    pub tolerance: f64,
    /// Whether coefficients are left out for a while that seem to stay at a bound, as they are by
    /// default.
    pub shrinking: bool,
}

impl Default for Svr {
    fn default() -> Self {
        Self::read(&SVR.defaults()).expect("the defaults are settings")
    }
}

impl Svr {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let Chosen { c, gamma, tune } = Chosen::read(settings)?;
        let learner = Self {
            form: settings.word("form", SvrForm::named),
            c,
            epsilon: settings.real("epsilon"),
            nu: settings.real(NU.name),
            scaled: settings.flag("scaled"),
            kernel: settings.text(KERNEL.name).parse()?,
            gamma,
            depth: settings.whole(DEPTH.name),
            gram: gram(settings),
            indefinite: correction(settings),
            tune,
            tolerance: settings.real(TOLERANCE.name),
            shrinking: settings.flag(SHRINKING.name),
        };
        match learner.regression() {
            Ok(_) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// The machine; fails on settings that are out of range or do not go together.
    fn regression(&self) -> Result<Regression> {
        let tune = self.tune.as_ref();
        let (prices, gammas) = (Tune::prices(tune, self.c), Tune::gammas(tune, self.gamma));
        check_prices(&prices)?;
        check_gammas(&gammas)?;
        SVR.check("epsilon", self.epsilon)?;
        SVR.check(NU.name, self.nu)?;
        SVR.check(DEPTH.name, self.depth)?;
        SVR.check(TOLERANCE.name, self.tolerance)?;
        let asked = Asked::new(self.gram.as_deref(), &self.kernel, gammas, self.depth)?;
        check_tune(tune)?;
        Ok(Regression {
            epsilon: (self.form == SvrForm::Epsilon).then_some(self.epsilon),
            nu: self.nu,
            prices,
            scaled: self.scaled,
            asked,
            correction: self.indefinite,
            folds: tune.map(|tune| tune.folds),
            tolerance: self.tolerance,
            shrinking: self.shrinking,
        })
    }
}

impl Learner for Svr {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.regression()?.fit(task, context)
    }
}
