//! What makes a distance of the least cost of a way through two series, by measure: what becomes of
//! the cost, what an empty series is, what is cheap to say from below, and the laws.

use crate::algorithms::elastic::bounds::Extremes;
use crate::algorithms::elastic::rules::{
    CommonSubsequence, MoveSplitMerge, RealPenalty, Squares, TimeWarpEdit,
};
use crate::algorithms::elastic::{Backward, Elastic, Onward, Rule, Ways};
use crate::algorithms::warping;
use crate::expression::Expression;
use crate::laws::Laws;

/// An elastic distance.
pub(super) trait Method: Rule + Send + Sync + 'static {
    /// Its name in expressions.
    const NAME: &'static str;
    /// Whether costs are not negative, so that ways are given up beyond a limit.
    const LIMITED: bool = true;
    /// Whether a cell costs the squared difference of its numbers, which envelopes bound.
    const SQUARES: bool = false;

    /// The distance by the least cost of a way through series of these lengths.
    fn distance(&self, cost: f64, lengths: (usize, usize)) -> f64;
    /// The largest cost at this distance.
    fn cost_at(&self, distance: f64) -> f64;
    /// How far a series is from the empty one.
    fn beside_nothing(&self, numbers: &[f64]) -> f64;
    /// What is kept of a series for [`Method::least`].
    fn amount(&self, numbers: &[f64]) -> f64;
    /// No more than the cost of two series, neither of them empty.
    fn least(&self, first: &Summary, second: &Summary) -> f64;
    /// What holds without a window, of series that are complete and as they are.
    fn laws(&self) -> Laws;
    /// Its settings, for the expression.
    fn settings(&self, expression: Expression) -> Expression;
    /// The largest distance there is.
    fn largest(&self) -> Option<f64> {
        None
    }
}

/// What is known of a series at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) length: usize,
    pub(super) extremes: Extremes,
    pub(super) amount: f64,
}

/// Far more than rounding, far less than matters.
const SLACK: f64 = 1e-9;

/// The difference of two amounts, less what rounding may have done to it.
fn apart(first: &Summary, second: &Summary) -> f64 {
    let (a, b) = (first.amount, second.amount);
    ((a - b).abs() - SLACK * (a.abs() + b.abs())).max(0.0)
}

impl Method for Squares {
    const NAME: &'static str = "dtw";
    const SQUARES: bool = true;

    fn distance(&self, cost: f64, _: (usize, usize)) -> f64 {
        cost.sqrt()
    }

    fn cost_at(&self, distance: f64) -> f64 {
        distance * distance
    }

    fn beside_nothing(&self, numbers: &[f64]) -> f64 {
        warping::beside_nothing(numbers.iter().copied())
    }

    fn amount(&self, _: &[f64]) -> f64 {
        0.0
    }

    fn least(&self, first: &Summary, second: &Summary) -> f64 {
        let alone = first.length == 1 && second.length == 1;
        first.extremes.least_cost(&second.extremes, alone)
    }

    fn laws(&self) -> Laws {
        Laws {
            separates: false,
            triangle: false,
            ..Laws::METRIC
        }
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression
    }
}

impl Method for RealPenalty {
    const NAME: &'static str = "erp";

    fn distance(&self, cost: f64, _: (usize, usize)) -> f64 {
        cost
    }

    fn cost_at(&self, distance: f64) -> f64 {
        distance
    }

    fn beside_nothing(&self, numbers: &[f64]) -> f64 {
        numbers.iter().map(|number| (number - self.gap).abs()).sum()
    }

    /// The numbers from the gap on, added up: an edit changes the sum by what it costs at most.
    fn amount(&self, numbers: &[f64]) -> f64 {
        numbers.iter().map(|number| number - self.gap).sum()
    }

    fn least(&self, first: &Summary, second: &Summary) -> f64 {
        // Sums that cancel each other are rounded by more than themselves.
        let widest = |of: &Summary| {
            let (least, greatest) = (
                of.extremes.least - self.gap,
                of.extremes.greatest - self.gap,
            );
            of.length as f64 * least.abs().max(greatest.abs())
        };
        let rounding = SLACK * (widest(first) + widest(second));
        ((first.amount - second.amount).abs() - rounding).max(0.0)
    }

    fn laws(&self) -> Laws {
        Laws::PSEUDO_METRIC
    }

    fn settings(&self, expression: Expression) -> Expression {
        match self.gap == 0.0 {
            true => expression,
            false => expression.number("gap", self.gap),
        }
    }
}

impl Method for MoveSplitMerge {
    const NAME: &'static str = "msm";

    fn distance(&self, cost: f64, _: (usize, usize)) -> f64 {
        cost
    }

    fn cost_at(&self, distance: f64) -> f64 {
        distance
    }

    /// Nothing can split from nothing: the empty series is put beside that of one 0, at the cost of
    /// a split, which keeps the laws.
    fn beside_nothing(&self, numbers: &[f64]) -> f64 {
        let ways = Ways {
            first: &Onward::new(&[0.0]),
            second: &Backward::new(numbers),
            window: None,
            limit: f64::INFINITY,
        };
        self.cost + Elastic::default().least(*self, ways)
    }

    /// What it takes to change the length.
    fn amount(&self, numbers: &[f64]) -> f64 {
        self.cost * numbers.len() as f64
    }

    fn least(&self, first: &Summary, second: &Summary) -> f64 {
        apart(first, second)
    }

    fn laws(&self) -> Laws {
        Laws {
            separates: self.cost > 0.0,
            ..Laws::METRIC
        }
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression.number("cost", self.cost)
    }
}

impl Method for TimeWarpEdit {
    const NAME: &'static str = "twe";

    fn distance(&self, cost: f64, _: (usize, usize)) -> f64 {
        cost
    }

    fn cost_at(&self, distance: f64) -> f64 {
        distance
    }

    fn beside_nothing(&self, numbers: &[f64]) -> f64 {
        self.whole(numbers)
    }

    /// What it costs to leave all out: an edit changes it by what it costs at most.
    fn amount(&self, numbers: &[f64]) -> f64 {
        self.whole(numbers)
    }

    fn least(&self, first: &Summary, second: &Summary) -> f64 {
        apart(first, second)
    }

    fn laws(&self) -> Laws {
        Laws {
            separates: self.stiffness + self.penalty > 0.0,
            ..Laws::METRIC
        }
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression
            .number("nu", self.stiffness)
            .number("lambda", self.penalty)
    }
}

impl Method for CommonSubsequence {
    const NAME: &'static str = "lcss";
    const LIMITED: bool = false;

    fn distance(&self, cost: f64, (first, second): (usize, usize)) -> f64 {
        1.0 + cost / first.min(second) as f64
    }

    fn cost_at(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn beside_nothing(&self, numbers: &[f64]) -> f64 {
        f64::from(u8::from(!numbers.is_empty()))
    }

    fn amount(&self, _: &[f64]) -> f64 {
        0.0
    }

    fn least(&self, _: &Summary, _: &Summary) -> f64 {
        f64::NEG_INFINITY
    }

    fn laws(&self) -> Laws {
        Laws {
            separates: false,
            triangle: false,
            ..Laws::METRIC
        }
    }

    fn settings(&self, expression: Expression) -> Expression {
        expression.number("epsilon", self.near)
    }

    fn largest(&self) -> Option<f64> {
        Some(1.0)
    }
}
