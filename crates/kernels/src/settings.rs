//! Settings that all kernel machines share, and lists of numbers to choose from.

use kinwood_machines::spectrum::Correction;
use kinwood_similarity::rows::Reading;

use super::gamma::Gamma;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::{Allowed, Parameter, Settings};

/// The setting of how alike rows are.
pub const KERNEL: Parameter = Parameter {
    name: "kernel",
    doc: "How alike rows are: a kernel over their columns (see the catalogue of distances), often one made from a distance.",
    allowed: Allowed::Text,
    default: "gaussian(euclidean)",
};

/// The setting of the width of a kernel that does not say it.
pub const GAMMA: Parameter = Parameter {
    name: "gamma",
    doc: "How fast similarity falls with distance, where the kernel does not say: a number, auto for 1 / the mean squared distance between training rows, auto*2 for twice that; a list for `tune`.",
    allowed: Allowed::Text,
    default: "auto",
};

/// The setting of the price of errors.
pub const C: Parameter = Parameter {
    name: "c",
    doc: "The price of an error, above 0: the higher, the closer the fit; a list for `tune`.",
    allowed: Allowed::Text,
    default: "1",
};

/// The setting of what is done about kernels that are no inner products.
pub const INDEFINITE: Parameter = Parameter {
    name: "indefinite",
    doc: "What is done about negative eigenvalues of the training matrix: all are raised until none is negative (shift), they become 0 (clip) or positive (flip), or nothing (as_is).",
    allowed: Allowed::Choice(&["shift", "clip", "flip", "as_is"]),
    default: "shift",
};

/// The setting of when the solver is content.
pub const TOLERANCE: Parameter = Parameter {
    name: "tolerance",
    doc: "By how much the optimality conditions may be violated.",
    allowed: Allowed::Real {
        least: 1e-12,
        most: 1.0,
    },
    default: "0.001",
};

/// The setting of whether the solver leaves coefficients out for a while.
pub const SHRINKING: Parameter = Parameter {
    name: "shrinking",
    doc: "Leave coefficients out for a while that seem to stay at a bound; the result is as accurate without.",
    allowed: Allowed::Flag,
    default: "true",
};

/// The setting of the share of errors.
pub const NU: Parameter = Parameter {
    name: "nu",
    doc: "With forms of shares: a bound above on the share of errors, and below on that of support rows.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: 1.0,
    },
    default: "0.5",
};

/// The setting of what predictions are.
pub const PROBABILITIES: Parameter = Parameter {
    name: "probabilities",
    doc: "Fit sigmoids to decisions on held-out training rows, so that predictions are probabilities; without, they are shares of votes.",
    allowed: Allowed::Flag,
    default: "true",
};

/// The setting of a matrix that was computed before.
pub const GRAM: Parameter = Parameter {
    name: "gram",
    doc: "A .npy or .csv file with the kernel between all rows of the table, in their order, instead of `kernel`; none for none.",
    allowed: Allowed::Text,
    default: "none",
};

/// The setting of how lists of settings are chosen from.
pub const TUNE: Parameter = Parameter {
    name: "tune",
    doc: "Choose from the lists of `c`, `gamma` and the like by so many folds of the training rows.",
    allowed: Allowed::WholeOr {
        least: 2,
        words: &["no"],
    },
    default: "no",
};

/// Whether rows of other tables take part, as for the distances of instance-based learners.
pub fn follows(settings: &Settings) -> bool {
    let depth = settings.whole("depth");
    match settings.text(KERNEL.name).parse() {
        _ if settings.get(GRAM.name).is_some_and(|file| file != "none") => false,
        Ok(expression) => Reading::reaches(&expression, depth),
        Err(_) => depth > 0,
    }
}

/// What is done about negative eigenvalues.
pub fn correction(settings: &Settings) -> Correction {
    match settings.text(INDEFINITE.name) {
        "clip" => Correction::Clip,
        "flip" => Correction::Flip,
        "as_is" => Correction::AsIs,
        _ => Correction::Shift,
    }
}

/// What a correction is called.
pub fn correction_name(correction: Correction) -> &'static str {
    match correction {
        Correction::AsIs => "as_is",
        Correction::Shift => "shift",
        Correction::Clip => "clip",
        Correction::Flip => "flip",
    }
}

/// A file of kernel values, unless there is none.
pub fn gram(settings: &Settings) -> Option<String> {
    let file = settings.text(GRAM.name);
    (file != "none").then(|| file.to_owned())
}

/// What settings are chosen from, by folds of the training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Tune {
    /// How many folds, from 2.
    pub folds: usize,
    /// The prices of errors to choose from; that of the learner alone where there is none.
    pub c: Vec<f64>,
    /// The widths to choose from; that of the learner alone where there is none.
    pub gamma: Vec<Gamma>,
}

impl Tune {
    /// The prices to choose from; `c` alone where nothing is chosen.
    pub(crate) fn prices(tune: Option<&Self>, c: f64) -> Vec<f64> {
        match tune {
            Some(tune) if !tune.c.is_empty() => tune.c.clone(),
            _ => vec![c],
        }
    }

    /// The widths to choose from; `gamma` alone where nothing is chosen.
    pub(crate) fn gammas(tune: Option<&Self>, gamma: Gamma) -> Vec<Gamma> {
        match tune {
            Some(tune) if !tune.gamma.is_empty() => tune.gamma.clone(),
            _ => vec![gamma],
        }
    }
}

/// What the settings `c`, `gamma` and `tune` say together.
pub struct Chosen {
    /// The first price.
    pub c: f64,
    /// The first width.
    pub gamma: Gamma,
    /// All of them, where they are chosen from.
    pub tune: Option<Tune>,
}

impl Chosen {
    /// Reads the settings.
    pub fn read(settings: &Settings) -> Result<Self> {
        let price = |item: &str| item.parse().ok().filter(|price| above_zero(*price));
        let prices = list(settings, &C, PRICE, price)?;
        let gammas = gammas(settings)?;
        Ok(Self {
            c: prices[0],
            gamma: gammas[0],
            tune: settings.number(TUNE.name).map(|folds| Tune {
                folds,
                c: prices,
                gamma: gammas,
            }),
        })
    }
}

/// The widths in the setting `gamma`.
pub fn gammas(settings: &Settings) -> Result<Vec<Gamma>> {
    list(settings, &GAMMA, WIDTH, Gamma::read)
}

const PRICE: &str = "a number above 0";
const WIDTH: &str = "`auto`, `auto*FACTOR` or a number above 0";

fn above_zero(number: f64) -> bool {
    number.is_finite() && number > 0.0
}

/// Fails on a price that is not above 0.
pub fn check_prices(prices: &[f64]) -> Result<()> {
    match prices.iter().all(|price| above_zero(*price)) {
        true => Ok(()),
        false => Err(refused(&C, &listed(prices), &or_list(PRICE))),
    }
}

/// Fails on a width that is not above 0.
pub fn check_gammas(gammas: &[Gamma]) -> Result<()> {
    match gammas.iter().all(|gamma| gamma.fits()) {
        true => Ok(()),
        false => Err(refused(&GAMMA, &listed(gammas), &or_list(WIDTH))),
    }
}

/// Fails if folds are to choose and there is nothing to choose from.
pub fn check_tune(tune: Option<&Tune>) -> Result<()> {
    let Some(tune) = tune else { return Ok(()) };
    let folds = tune.folds.to_string();
    TUNE.check(&folds)?;
    match tune.c.len().max(tune.gamma.len()) > 1 {
        true => Ok(()),
        false => Err(refused(
            &TUNE,
            &folds,
            "`no`, or a list of `c` or `gamma` to choose from",
        )),
    }
}

/// What is said of a setting that cannot have a value here.
pub fn refused(parameter: &Parameter, value: &str, expected: &str) -> Error {
    Error::SettingValue {
        name: parameter.name.to_owned(),
        value: value.to_owned(),
        expected: expected.to_owned(),
        nearest: None,
    }
}

/// A list as settings have it.
pub fn listed<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(", ")
}

fn or_list(expected: &str) -> String {
    format!("{expected}, or a list of them")
}

/// Items of a list separated by commas, each read in the same way, at least one; `None` says that
/// one cannot be read.
fn list<T>(
    settings: &Settings,
    parameter: &Parameter,
    expected: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>> {
    let text = settings.text(parameter.name);
    let items: Option<Vec<T>> = text.split(',').map(|item| read(item.trim())).collect();
    let items = items.ok_or_else(|| refused(parameter, text, &or_list(expected)))?;
    let wrong = |expected: String| Err(refused(parameter, text, &expected));
    match settings.get(TUNE.name) {
        Some("no") if items.len() > 1 => wrong(format!(
            "{expected}; to choose from a list, say by how many folds: `tune=5`"
        )),
        None if items.len() > 1 => wrong(format!("{expected}, one alone")),
        _ => Ok(items),
    }
}
