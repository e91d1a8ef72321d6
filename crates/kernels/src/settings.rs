//! Settings that all kernel machines share, and lists of numbers to choose from.

use kinwood_machines::spectrum::Correction;
use kinwood_similarity::rows::Reading;

use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::{Allowed, Parameter, Settings};

/// The setting of how alike rows are.
pub const KERNEL: Parameter = Parameter {
    name: "kernel",
    doc: "How alike rows are: a kernel over their columns (see `kinwood distances`), often one made from a distance.",
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

/// How many folds choose from lists, if any do. Without a list there is nothing to choose from.
pub fn folds(settings: &Settings) -> Result<Option<usize>> {
    let folds = settings.text(TUNE.name).parse().ok();
    let lists = [C, GAMMA]
        .iter()
        .any(|list| settings.text(list.name).contains(','));
    if folds.is_some() && !lists {
        unused(
            settings,
            &TUNE,
            "`no`, or a list of `c` or `gamma` to choose from",
        )?;
    }
    Ok(folds)
}

/// Fails if a setting is not what it is by default, for here it would do nothing.
pub fn unused(settings: &Settings, parameter: &Parameter, expected: &str) -> Result<()> {
    match settings.text(parameter.name) {
        value if value == parameter.default => Ok(()),
        value => Err(Error::SettingValue {
            name: parameter.name.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
            nearest: None,
        }),
    }
}

/// Items of a list separated by commas, each read in the same way; `None` says that one cannot be read.
pub fn list<T>(
    settings: &Settings,
    name: &'static str,
    expected: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>> {
    let text = settings.text(name);
    let wrong = |expected: String| Error::SettingValue {
        name: name.to_owned(),
        value: text.to_owned(),
        expected,
        nearest: None,
    };
    let items: Option<Vec<T>> = text.split(',').map(|item| read(item.trim())).collect();
    let items = items.ok_or_else(|| wrong(format!("{expected}, or a list of them")))?;
    match settings.get(TUNE.name) {
        Some("no") if items.len() > 1 => Err(wrong(format!(
            "{expected}; to choose from a list, say by how many folds: `tune=5`"
        ))),
        None if items.len() > 1 => Err(wrong(format!("{expected}, one alone"))),
        _ => Ok(items),
    }
}

/// A list of numbers above 0.
pub fn positive(settings: &Settings, name: &'static str) -> Result<Vec<f64>> {
    list(settings, name, "a number above 0", |item| {
        item.parse()
            .ok()
            .filter(|number: &f64| number.is_finite() && *number > 0.0)
    })
}
