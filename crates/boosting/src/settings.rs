//! The registry's entry, its settings, and the struct they are read into.

use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::flatten::FLATTEN_BY_DEFAULT;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_values::suggest::nearest;

use super::bins::MOST_BINS;
use super::constraints::{INTERACTIONS, MONOTONE, interactions, monotone};
use super::loss::{Loss, TARGETS};
use super::model::BoostedModel;

/// The registry's entry.
pub const BOOST: Entry = Entry {
    name: "boost",
    summary: "Gradient boosting: adds up many small trees, each fitted to what those before it leave unexplained; with depth=1 a readable sum of one curve a column.",
    reference: "Friedman, Greedy function approximation, Annals of Statistics 29, 2001; Chen and Guestrin, XGBoost, KDD 2016; Ke et al., LightGBM, NIPS 2017",
    targets: TARGETS,
    several_targets: true,
    follows_keys: |_| false,
    flat: true,
    parameters: &[
        Parameter {
            name: "trees",
            doc: "The most rounds; each adds a tree for every number, or for every class where there are more than two.",
            allowed: Allowed::Whole {
                least: 1,
                most: 100_000,
            },
            default: "500",
        },
        Parameter {
            name: "rate",
            doc: "The part of each tree's answer that is added: the smaller, the more trees it takes.",
            allowed: Allowed::Share,
            default: "0.1",
        },
        Parameter {
            name: "leaves",
            doc: "The most leaves of a tree; the leaf that gains most is divided next.",
            allowed: Allowed::Whole {
                least: 2,
                most: 65_536,
            },
            default: "31",
        },
        Parameter {
            name: "depth",
            doc: "The most tests from the root of a tree to a leaf, or `none`: 1 makes the model a sum of one curve a column, 2 adds pairs of columns.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &["none"],
            },
            default: "none",
        },
        Parameter {
            name: "leaf",
            doc: "The least weight of the rows of a leaf; `auto` is a twentieth of all, from 2 to 20.",
            allowed: Allowed::PositiveOr(&["auto"]),
            default: "auto",
        },
        Parameter {
            name: "curvature",
            doc: "The least sum of second derivatives of the loss in a leaf: leaves whose rows are as good as certain are not divided.",
            allowed: Allowed::NotNegative,
            default: "0.001",
        },
        Parameter {
            name: "l1",
            doc: "How much is taken off the sum of first derivatives of a leaf: small answers become 0.",
            allowed: Allowed::NotNegative,
            default: "0",
        },
        Parameter {
            name: "l2",
            doc: "How much is added to the sum of second derivatives of a leaf: answers of few rows become smaller.",
            allowed: Allowed::NotNegative,
            default: "1",
        },
        Parameter {
            name: "gain",
            doc: "A division must lower the loss, doubled, by more.",
            allowed: Allowed::NotNegative,
            default: "0",
        },
        Parameter {
            name: "rows",
            doc: "The share of the rows that each tree is grown on, drawn anew.",
            allowed: Allowed::Share,
            default: "1",
        },
        Parameter {
            name: "columns",
            doc: "The share of the columns that each tree may test, drawn anew.",
            allowed: Allowed::Share,
            default: "1",
        },
        Parameter {
            name: "bins",
            doc: "The most bins that the values of a column are put into; columns of fewer distinct values are divided exactly.",
            allowed: Allowed::Whole {
                least: 2,
                most: MOST_BINS as u64,
            },
            default: "255",
        },
        Parameter {
            name: "loss",
            doc: "What is made small where a number is predicted: the square or the size of the error, both (huber), that of a `quantile`, or the deviance of counts (poisson) or of positive amounts (gamma).",
            allowed: Allowed::Choice(&[
                "squared", "absolute", "huber", "quantile", "poisson", "gamma",
            ]),
            default: "squared",
        },
        Parameter {
            name: "quantile",
            doc: "Which quantile loss=quantile predicts, between 0 and 1.",
            allowed: Allowed::Real {
                least: 0.000_001,
                most: 0.999_999,
            },
            default: "0.5",
        },
        Parameter {
            name: "delta",
            doc: "From where on loss=huber counts errors by their size; `auto` is where nine tenths of the training rows are nearer to the median.",
            allowed: Allowed::PositiveOr(&["auto"]),
            default: "auto",
        },
        Parameter {
            name: "stopping",
            doc: "How the number of rounds is chosen: by a part of the rows that is held back (holdout: the latest where rows have a time), by five folds, after which all rows are boosted (folds), not at all (none), or by the number of rows (auto: folds below 10000, none below 30).",
            allowed: Allowed::Choice(Stopping::NAMES),
            default: "auto",
        },
        Parameter {
            name: "folds",
            doc: "How many folds there are where folds choose the number of rounds.",
            allowed: Allowed::Whole {
                least: 2,
                most: 100,
            },
            default: "5",
        },
        Parameter {
            name: "combine",
            doc: "What answers where folds chose the number of rounds: the mean of the models of the folds (average), or one model boosted on all rows (refit).",
            allowed: Allowed::Choice(&["average", "refit"]),
            default: "average",
        },
        Parameter {
            name: "patience",
            doc: "After so many rounds without gain on the rows held back boosting ends.",
            allowed: Allowed::Whole {
                least: 1,
                most: 100_000,
            },
            default: "30",
        },
        Parameter {
            name: "weights",
            doc: "How much the rows of each class count: the same (none), in inverse proportion to their number (balanced), or `LABEL:NUMBER, ...` with 1 for the others.",
            allowed: Allowed::Text,
            default: "none",
        },
        Parameter {
            name: "items",
            doc: "Of a set, list, string or text, at most so many members, parts or words of a kind are asked for.",
            allowed: Allowed::Whole {
                least: 0,
                most: 10_000,
            },
            default: "100",
        },
        Parameter {
            name: "prototypes",
            doc: "Of a structured column, the distances to at most so many of its values are columns.",
            allowed: Allowed::Whole {
                least: 0,
                most: 100,
            },
            default: "8",
        },
        Parameter {
            name: MONOTONE,
            doc: "Columns that predictions may only rise (`+`) or fall (`-`) with: `age:+, price:-`.",
            allowed: Allowed::Text,
            default: "",
        },
        Parameter {
            name: INTERACTIONS,
            doc: "Groups of columns that may act together in a tree: `age, income; height, weight`. Columns in no group make one more.",
            allowed: Allowed::Text,
            default: "",
        },
        FLATTEN_BY_DEFAULT,
    ],
    build: |settings| Ok(Box::new(Boost::read(settings)?)),
    load: |stored| Ok(Box::new(BoostedModel::read(stored)?)),
};

/// How the number of rounds is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// By the number of rows.
    Auto,
    /// By rows that are held back.
    Holdout,
    /// By folds.
    Folds,
    /// Not at all.
    None,
}

impl Stopping {
    /// The names, in the order of the setting.
    pub const NAMES: &'static [&'static str] = &["auto", "holdout", "folds", "none"];

    /// By name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Auto, Self::Holdout, Self::Folds, Self::None];
        let place = Self::NAMES.iter().position(|own| *own == name)?;
        Some(all[place])
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Holdout => "holdout",
            Self::Folds => "folds",
            Self::None => "none",
        }
    }
}

/// What answers where folds chose the number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoostCombine {
    /// The mean of the models of the folds.
    Average,
    /// One model boosted on all rows.
    Refit,
}

impl BoostCombine {
    fn named(name: &str) -> Option<Self> {
        match name {
            "average" => Some(Self::Average),
            "refit" => Some(Self::Refit),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::Refit => "refit",
        }
    }
}

/// How much the rows of each class count.
#[derive(Clone, Debug, PartialEq)]
pub enum BoostClassWeights {
    /// The same.
    None,
    /// In inverse proportion to their number.
    Balanced,
    /// By label, 1 for the others; numbers above 0.
    Given(Vec<(String, f64)>),
}

impl BoostClassWeights {
    fn read(text: &str) -> Result<Self> {
        match text {
            "none" => return Ok(Self::None),
            "balanced" => return Ok(Self::Balanced),
            _ => {}
        }
        let pair = |item: &str| {
            let (label, number) = item.rsplit_once(':')?;
            let number: f64 = number.trim().parse().ok()?;
            Some((label.trim().to_owned(), number))
        };
        let pairs: Option<Vec<(String, f64)>> = text.split(',').map(pair).collect();
        let weights = Self::Given(pairs.ok_or_else(|| Self::wrong(text))?);
        weights.check()?;
        Ok(weights)
    }

    fn wrong(text: &str) -> Error {
        Error::SettingValue {
            name: "weights".to_owned(),
            value: text.to_owned(),
            expected: "`none`, `balanced` or `LABEL:NUMBER, ...` with numbers above 0".to_owned(),
            nearest: nearest(text, ["none", "balanced"]),
        }
    }

    fn check(&self) -> Result<()> {
        let Self::Given(given) = self else {
            return Ok(());
        };
        let fits = |(_, number): &(String, f64)| number.is_finite() && *number > 0.0;
        match !given.is_empty() && given.iter().all(fits) {
            true => Ok(()),
            false => {
                let pair = |(label, number): &(String, f64)| format!("{label}:{number}");
                let pairs: Vec<String> = given.iter().map(pair).collect();
                Err(Self::wrong(&pairs.join(", ")))
            }
        }
    }
}

/// Gradient boosting. The registry's entry has the same name, as a constant, and says what each
/// setting does.
#[derive(Clone, Debug, PartialEq)]
pub struct Boost {
    /// The most rounds.
    pub trees: usize,
    /// The part of each tree's answer that is added.
    pub rate: f64,
    /// The most leaves of a tree.
    pub leaves: usize,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// The least weight of a leaf; `None` for a twentieth of all, from 2 to 20.
    pub leaf: Option<f64>,
    /// The least sum of second derivatives in a leaf.
    pub curvature: f64,
    /// How much is taken off the sum of first derivatives.
    pub l1: f64,
    /// How much is added to the sum of second derivatives.
    pub l2: f64,
    /// What a division must gain at least.
    pub gain: f64,
    /// The share of the rows that a tree is grown on.
    pub rows: f64,
    /// The share of the columns that a tree may test.
    pub columns: f64,
    /// The most bins of a column.
    pub bins: usize,
    /// What is made small where a number is predicted.
    pub loss: Loss,
    /// Which quantile is predicted.
    pub quantile: f64,
    /// From where on errors count by their size; `None` to have it chosen.
    pub delta: Option<f64>,
    /// How the number of rounds is chosen.
    pub stopping: Stopping,
    /// How many folds there are.
    pub folds: usize,
    /// What answers where folds chose the number of rounds.
    pub combine: BoostCombine,
    /// After so many rounds without gain boosting ends.
    pub patience: usize,
    /// How much the rows of each class count.
    pub weights: BoostClassWeights,
    /// At most so many items of a kind are asked for.
    pub items: usize,
    /// At most so many distances to prototypes are columns.
    pub prototypes: usize,
    /// Columns that predictions rise with (1) or fall with (-1).
    pub monotone: Vec<(String, i8)>,
    /// Groups of columns that may act together.
    pub interactions: Vec<Vec<String>>,
}

impl Default for Boost {
    fn default() -> Self {
        Self::read(&BOOST.defaults()).expect("the defaults are settings")
    }
}

impl Boost {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let positive = |name: &str| settings.text(name).parse::<f64>().ok();
        let loss = |name: &str| {
            let mut all = Loss::NUMBERS.into_iter();
            all.find_map(|(own, loss)| (own == name).then_some(loss))
        };
        Ok(Self {
            trees: settings.whole("trees"),
            rate: settings.real("rate"),
            leaves: settings.whole("leaves"),
            depth: settings.number("depth"),
            leaf: positive("leaf"),
            curvature: settings.real("curvature"),
            l1: settings.real("l1"),
            l2: settings.real("l2"),
            gain: settings.real("gain"),
            rows: settings.real("rows"),
            columns: settings.real("columns"),
            bins: settings.whole("bins"),
            loss: settings.word("loss", loss),
            quantile: settings.real("quantile"),
            delta: positive("delta"),
            stopping: settings.word("stopping", Stopping::named),
            folds: settings.whole("folds"),
            combine: settings.word("combine", BoostCombine::named),
            patience: settings.whole("patience"),
            weights: BoostClassWeights::read(settings.text("weights"))?,
            items: settings.whole("items"),
            prototypes: settings.whole("prototypes"),
            monotone: monotone(settings.text(MONOTONE))?,
            interactions: interactions(settings.text(INTERACTIONS)),
        })
    }

    /// Fails on settings that text could not give.
    pub(crate) fn check(&self) -> Result<()> {
        BOOST.check("trees", self.trees)?;
        BOOST.check("rate", self.rate)?;
        BOOST.check("leaves", self.leaves)?;
        if let Some(depth) = self.depth {
            BOOST.check("depth", depth)?;
        }
        if let Some(leaf) = self.leaf {
            BOOST.check("leaf", leaf)?;
        }
        BOOST.check("curvature", self.curvature)?;
        BOOST.check("l1", self.l1)?;
        BOOST.check("l2", self.l2)?;
        BOOST.check("gain", self.gain)?;
        BOOST.check("rows", self.rows)?;
        BOOST.check("columns", self.columns)?;
        BOOST.check("bins", self.bins)?;
        BOOST.check("loss", self.loss.name())?;
        BOOST.check("quantile", self.quantile)?;
        if let Some(delta) = self.delta {
            BOOST.check("delta", delta)?;
        }
        BOOST.check("stopping", self.stopping.name())?;
        BOOST.check("folds", self.folds)?;
        BOOST.check("combine", self.combine.name())?;
        BOOST.check("patience", self.patience)?;
        self.weights.check()?;
        BOOST.check("items", self.items)?;
        BOOST.check("prototypes", self.prototypes)
    }
}
