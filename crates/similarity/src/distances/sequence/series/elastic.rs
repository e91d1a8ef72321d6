//! The elastic distances of the catalogue, their settings and what is fitted.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Column;
use kinwood_values::parameter::{Allowed, Parameter};

use super::derivative::derivative;
use super::methods::Method;
use super::pairs::SeriesPairs;
use super::window::{WINDOW, Window};
use super::{SERIES, is_series, lacks_numbers, series};
use crate::algorithms::elastic::rules::{
    CommonSubsequence, MoveSplitMerge, RealPenalty, Squares, TimeWarpEdit,
};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

type Built = Result<Arc<dyn FittedDistance>, Error>;

const DERIVATIVE: Parameter = Parameter {
    name: "derivative",
    doc: "Whether series are compared by how steep they are at each number.",
    allowed: Allowed::Flag,
    default: "false",
};

/// Dynamic time warping, as the catalogue has it.
pub(super) const DTW: Entry = entry(
    Squares::NAME,
    "Dynamic time warping: the root of the least sum of squared differences over all ways to go through both series at the same time, where either may stand still; missing numbers are left out, and an empty series is compared as zeros.",
    "zero on itself and symmetric; no triangle, and series that differ in how long they stand still are 0 apart",
    "Sakoe and Chiba, Dynamic programming algorithm optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech and Signal Processing 26, 1978; Keogh and Pazzani, Derivative dynamic time warping, SDM 2001; bounds after Kim, Park and Chu, ICDE 2001, and Keogh, VLDB 2002",
    &[WINDOW, DERIVATIVE],
    ("dtw", "[1, 2, 3, 3]", "[1, 1, 2, 5]", "2.23606797749979"),
    |declaration| build(declaration, |_| Ok(Squares)),
);

/// Edit distance with real penalty, as the catalogue has it.
pub(super) const ERP: Entry = entry(
    RealPenalty::NAME,
    "Edit distance with real penalty: numbers that match cost their difference, one that is left out its difference from `gap`; missing numbers are left out at no cost.",
    "metric but for separation: a number equal to `gap` is left out at no cost; with a window no triangle",
    "Chen and Ng, On the marriage of Lp-norms and edit distance, VLDB 2004",
    &[
        Parameter {
            name: "gap",
            doc: "What a number without a partner is compared with.",
            allowed: Allowed::Number,
            default: "0",
        },
        WINDOW,
        DERIVATIVE,
    ],
    ("erp", "[1, 2, 3]", "[2, 3]", "1"),
    |declaration| {
        build(declaration, |declaration| {
            Ok(RealPenalty {
                gap: declaration.number("gap"),
            })
        })
    },
);

/// Move-split-merge, as the catalogue has it.
pub(super) const MSM: Entry = entry(
    MoveSplitMerge::NAME,
    "Move-split-merge: a number moves at its difference, splits into two equal ones or merges with an equal neighbour at `cost`; missing numbers are left out, and an empty series is one `cost` beside that of a single 0.",
    "metric; a `cost` of 0, a missing number and `derivative` cost separation, a window the triangle",
    "Stefan, Athitsos and Das, The move-split-merge metric for time series, IEEE Transactions on Knowledge and Data Engineering 25, 2013",
    &[
        Parameter {
            name: "cost",
            doc: "What a split or a merge costs, on the scale of the numbers.",
            allowed: Allowed::NotNegative,
            default: "1",
        },
        WINDOW,
        DERIVATIVE,
    ],
    ("msm(cost=0.5)", "[1, 2]", "[1, 2, 3]", "1.5"),
    |declaration| {
        build(declaration, |declaration| {
            Ok(MoveSplitMerge {
                cost: declaration.number("cost"),
            })
        })
    },
);

/// Time warp edit distance, as the catalogue has it.
pub(super) const TWE: Entry = entry(
    TimeWarpEdit::NAME,
    "Time warp edit distance: two numbers match at their difference, that of the numbers before them and `nu` a place that they are apart; one is left out at its difference from the one before, `nu` and `lambda`. A 0 stands before the first number; missing numbers are left out, and from an empty series all are.",
    "metric; with `nu` and `lambda` both 0, a missing number or `derivative` no separation, with a window no triangle",
    "Marteau, Time warp edit distance with stiffness adjustment for time series matching, IEEE Transactions on Pattern Analysis and Machine Intelligence 31, 2009",
    &[
        Parameter {
            name: "nu",
            doc: "How stiff time is: what a place of difference costs.",
            allowed: Allowed::NotNegative,
            default: "0.001",
        },
        Parameter {
            name: "lambda",
            doc: "What leaving a number out costs, on the scale of the numbers.",
            allowed: Allowed::NotNegative,
            default: "1",
        },
        WINDOW,
        DERIVATIVE,
    ],
    ("twe(nu=0.5)", "[1, 2, 3]", "[1, 3]", "3.5"),
    |declaration| {
        build(declaration, |declaration| {
            Ok(TimeWarpEdit {
                stiffness: declaration.number("nu"),
                penalty: declaration.number("lambda"),
            })
        })
    },
);

/// The longest common subsequence, as the catalogue has it.
pub(super) const LCSS: Entry = entry(
    CommonSubsequence::NAME,
    "1 - l / n, where l is the length of the longest common subsequence of numbers at most `epsilon` apart and n that of the shorter series; missing numbers are left out; 1 if one series is empty, 0 if both are.",
    "zero on itself and symmetric; no triangle, and a series is 0 from one that it is part of",
    "Vlachos, Kollios and Gunopulos, Discovering similar multidimensional trajectories, ICDE 2002",
    &[
        Parameter {
            name: "epsilon",
            doc: "How far numbers may be apart that are common: a number, or a quarter of the standard deviation of the training numbers.",
            allowed: Allowed::PositiveOr(&["train"]),
            default: "train",
        },
        WINDOW,
        DERIVATIVE,
    ],
    (
        "lcss(epsilon=0.1)",
        "[1, 2, 3, 4]",
        "[1, 9, 3.05]",
        "0.33333333333333337",
    ),
    |declaration| {
        build(declaration, |declaration| {
            Ok(CommonSubsequence {
                near: near(declaration)?,
            })
        })
    },
);

const fn entry(
    name: &'static str,
    summary: &'static str,
    laws: &'static str,
    reference: &'static str,
    parameters: &'static [Parameter],
    (expression, a, b, gives): (&'static str, &'static str, &'static str, &'static str),
    build: fn(&Declaration<'_>) -> Built,
) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed(SERIES),
        takes: Takes::Accepted(is_series),
        inside: Inside::Leaf,
        facts: None,
        summary: Cow::Borrowed(summary),
        laws,
        cost: "|a| |b|, with a window |a| times its width; memory linear",
        reference,
        parameters,
        example: Some(Example {
            expression,
            of: "list<numeric>",
            a,
            b,
            gives,
        }),
        build: Build::Distance(build),
    }
}

/// How far numbers may be apart that are common.
fn near(declaration: &Declaration<'_>) -> Result<f64, Error> {
    if let Some(Literal::Number(number)) = declaration.setting("epsilon") {
        return Ok(number);
    }
    let training = declaration
        .training()
        .ok_or_else(|| declaration.needs_training("epsilon"))?;
    let steep = declaration.is_word(DERIVATIVE.name, "true");
    let numbers: Vec<f64> = prepared(training, steep).into_iter().flatten().collect();
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let quarter = (squares / count).sqrt() / 4.0;
    // Where training has nothing apart, any is as good as another.
    Ok(match quarter > 0.0 && quarter.is_finite() {
        true => quarter,
        false => 1.0,
    })
}

fn build<M: Method>(
    declaration: &Declaration<'_>,
    method: impl FnOnce(&Declaration<'_>) -> Result<M, Error>,
) -> Built {
    declaration.no_parts()?;
    if !is_series(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(Fitted {
        method: method(declaration)?,
        window: Window::declared(declaration)?,
        derivative: declaration.is_word(DERIVATIVE.name, "true"),
    }))
}

struct Fitted<M> {
    method: M,
    window: Window,
    derivative: bool,
}

/// The series of each row as they are compared.
fn prepared(column: &Column, steep: bool) -> Vec<Vec<f64>> {
    let mut all = series(column);
    if steep {
        for numbers in &mut all {
            *numbers = derivative(numbers);
        }
    }
    all
}

impl<M: Method> Fitted<M> {
    /// What holds, given whether numbers are left out.
    fn laws_where(&self, lacking: bool) -> Laws {
        let laws = self.method.laws();
        Laws {
            separates: laws.separates && !self.derivative && !lacking,
            // Two ways within a window may make one beyond it.
            triangle: laws.triangle && self.window == Window::Any,
            ..laws
        }
    }
}

impl<M: Method> FittedDistance for Fitted<M> {
    fn laws(&self) -> Laws {
        self.laws_where(false)
    }

    fn expression(&self) -> Expression {
        let expression = self.method.settings(Expression::new(M::NAME));
        let expression = self.window.setting(expression);
        match self.derivative {
            true => expression.word(DERIVATIVE.name, "true"),
            false => expression,
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let lacking = lacks_numbers(queries) || lacks_numbers(references);
        Ok(Bound::real(SeriesPairs::new(
            self.method,
            self.window,
            self.laws_where(lacking),
            &prepared(queries, self.derivative),
            &prepared(references, self.derivative),
        )))
    }

    fn largest(&self) -> Option<f64> {
        self.method.largest()
    }
}
