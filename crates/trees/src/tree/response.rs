//! What is to be predicted, as growing sees it: sums that say how spread the responses of a set of
//! rows are.
//!
//! A response keeps what is shared (targets, tables of logarithms); a summary is plain sums, cheap
//! to copy and to move examples between. Spread is the impurity times the weight, so that a tree's
//! score is a sum over its leaves.

pub mod answer;
mod censored;
mod classes;
mod counted;
mod erased;
mod grouped;
mod joint;
mod labels;
mod numbers;
mod ordered;
mod series;
mod sums;
mod unit_classes;

pub use answer::{Answer, Answers, LeafKind, Unlikeness};
pub use classes::{Classes, classes_behind, codes, heaviest, spread_of};
pub use counted::Counted;
pub use erased::Erased;
pub use grouped::by_number;
pub use joint::{Joint, Part};
pub use labels::Labels;
pub use numbers::Numbers;
pub use unit_classes::UnitClasses;

use super::presort::{Entry, rises, row_of};
use kinwood_learning::target::{
    CENSORED, CLASSES, LABELS, NUMBERS, ORDERED, SERIES, TargetKind, Targets,
};
use kinwood_learning::task::Target;

/// Lists the kinds of targets that trees predict: how each is listed, what its leaves are, and the
/// responses that it is grown by, the first that takes a task. Growers are compiled for each of the
/// first list; those of the second share the code of [`Erased`].
macro_rules! kinds {
    ($($entry:ident: $leaf:expr, [$($response:ty),*] [$($erased:ty),*];)+) => {
        /// The kinds of targets that trees predict.
        pub const PREDICTED: Targets = Targets(&[$(&$entry),+]);

        /// What each of them is in a leaf.
        pub static LEAVES: &[&dyn LeafKind] = &[$(&$leaf),+];

        /// Makes the response of a single target and hands it on; the visitor comes back where
        /// there is none.
        pub fn respond_to<V: Visit>(single: &Single<'_>, visitor: V) -> Result<V::Output, V> {
            $($(
                if let Some(response) = <$response as OfTarget>::of_target(single) {
                    return Ok(visitor.visit(response));
                }
            )*
            $(
                if let Some(response) = <$erased as OfTarget>::of_target(single) {
                    return Ok(visitor.visit(Erased::new(response)));
                }
            )*)+
            Err(visitor)
        }
    };
}

kinds! {
    CLASSES: classes::ClassLeaf, [UnitClasses, Classes] [];
    NUMBERS: numbers::NumberLeaf, [Numbers] [];
    LABELS: labels::LabelLeaf, [] [Labels];
    ORDERED: ordered::OrderedLeaf, [] [ordered::Ranks];
    CENSORED: censored::CensoredLeaf, [] [censored::Censored];
    SERIES: series::SeriesLeaf, [] [series::MeanSeries, series::MedoidSeries];
}

/// What a kind of target is in a leaf; `None` where trees do not predict it.
pub fn leaf_of(kind: &TargetKind) -> Option<&'static dyn LeafKind> {
    let mut leaves = LEAVES.iter().copied();
    leaves.find(|leaf| kind.is(leaf.entry()))
}

/// What is done with a response, whatever it is.
pub trait Visit: Sized {
    /// What comes out of it.
    type Output;
    /// Takes the response.
    fn visit<R>(self, response: R) -> Self::Output
    where
        R: Response<Local: 'static, Summary: 'static> + 'static;
}

/// A response that is made of a single target.
pub trait OfTarget: Response + Sized {
    /// The response, if it is one of such a target.
    fn of_target(single: &Single<'_>) -> Option<Self>;
}

/// A target that is predicted alone.
pub struct Single<'a> {
    /// The target.
    pub target: &'a Target,
    /// What it is.
    pub kind: &'a TargetKind,
    /// How many rows there are.
    pub rows: usize,
    /// How much each row counts, where they do not count the same.
    pub weights: Option<&'a [f64]>,
    /// How unlike classes are measured, if it is said.
    pub impurity: Option<Impurity>,
    /// What a label counts relative to the one above it.
    pub hierarchy_weight: f64,
}

impl Single<'_> {
    /// How much a row counts.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }
}

/// How unlike classes in a node are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impurity {
    /// Entropy in bits.
    Entropy,
    /// The probability that two examples differ: the variance of the classes' indicators.
    Gini,
}

/// The responses of the training rows.
pub trait Response: Send + Sync {
    /// The responses of a region's rows, side by side in memory.
    type Local: Send + Sync;
    /// Sums over examples.
    type Summary: Clone + Send + Sync;

    /// The responses of these rows of the task.
    fn gather(&self, rows: &[u32]) -> Self::Local;
    /// The sums over no example.
    fn empty(&self) -> Self::Summary;
    /// Adds an example of a region, by its place there.
    fn add(&self, summary: &mut Self::Summary, local: &Self::Local, place: usize, weight: f64);
    /// Takes away an example that was added.
    fn remove(&self, summary: &mut Self::Summary, local: &Self::Local, place: usize, weight: f64);
    /// What so many examples of a region sum up to, with their weights if not all are the same.
    fn sum(&self, local: &Self::Local, examples: usize, weights: Option<&[f64]>) -> Self::Summary {
        let mut sum = self.empty();
        for place in 0..examples {
            let weight = weights.map_or(1.0, |weights| weights[place]);
            self.add(&mut sum, local, place, weight);
        }
        sum
    }
    /// Adds another summary, so many times.
    fn join(&self, summary: &mut Self::Summary, other: &Self::Summary, times: f64);
    /// The weight of the examples.
    fn weight(&self, summary: &Self::Summary) -> f64;
    /// How many rows the examples are, parts of examples counted as such: what least sizes are
    /// about. Their weight, where rows have none of their own.
    fn rows(&self, summary: &Self::Summary) -> f64 {
        self.weight(summary)
    }
    /// How many rows an example of a region is for each unit of its weight.
    fn row_share(&self, _local: &Self::Local, _place: usize) -> f64 {
        1.0
    }
    /// Impurity times weight: 0 where all are alike.
    fn spread(&self, summary: &Self::Summary) -> f64;
    /// What a node of these examples says of each target.
    fn answers(&self, examples: &Examples<'_, Self::Summary>) -> Vec<Answer>;

    /// The sums of a region from which those of its parts are taken.
    fn dividing(&self, summary: &Self::Summary) -> Self::Summary {
        summary.clone()
    }

    /// Whether the examples are alike, up to rounding.
    fn is_pure(&self, summary: &Self::Summary) -> bool {
        self.spread(summary) <= 1e-9 * self.weight(summary)
    }

    /// The share of the spread around the mean of the whole that is the difference of the means, of
    /// responses that know it.
    fn determined(&self, _: &Self::Summary) -> f64 {
        0.0
    }

    /// The spread of the examples that a node of these answers was made from.
    fn spread_behind(&self, answers: &Answers) -> f64;

    /// A number by which groups of examples are put in order where there are too many to try every
    /// union: the groups that belong together should be near each other. `whole` is all groups
    /// together.
    fn level(&self, summary: &Self::Summary, whole: &Self::Summary) -> f64;

    /// The groups of a region's examples that a prototype each may stand for, at most so many where
    /// they are not classes.
    fn groups(&self, examples: &Examples<'_, Self::Summary>, most: usize) -> Grouping;

    /// How much two sums of spreads may differ by rounding alone.
    fn slack(&self) -> f64 {
        0.0
    }

    /// The same cut as of the list in order, where counting finds it sooner: `Some(None)` if there
    /// is none, `None` if it does not.
    fn cut_by_counting(
        &self,
        _numbers: &Ranked<'_>,
        _local: &Self::Local,
        _whole: &Self::Summary,
        _least: f64,
    ) -> Option<Option<RankedCut>> {
        None
    }

    /// Two branches of a region whose examples all count the same, where counting finds them sooner
    /// than adding example after example: `None` if it does not. `second` is 1 for the examples of
    /// the second branch, 0 for the others.
    fn halved(
        &self,
        _second: &[u8],
        _local: &Self::Local,
        _whole: &Self::Summary,
    ) -> Option<Halved> {
        None
    }

    /// The cut of a list, in order, into a lower and an upper part that are least spread in sum; of
    /// equal ones the last.
    ///
    /// Cuts are between different values and leave `least` on either side.
    fn cut(
        &self,
        list: &Ordered<'_, Self::Local>,
        whole: &Self::Summary,
        least: f64,
    ) -> Option<Cut> {
        let mut lower = self.empty();
        let mut upper = whole.clone();
        let mut best: Option<Cut> = None;
        for (place, pair) in list.entries.windows(2).enumerate() {
            let example = row_of(pair[0]);
            let weight = list.weight(example);
            self.add(&mut lower, list.local, example, weight);
            self.remove(&mut upper, list.local, example, weight);
            if !rises(pair[1]) || self.rows(&lower) < least {
                continue;
            }
            if self.rows(&upper) < least {
                break;
            }
            let spread = self.spread(&lower) + self.spread(&upper);
            if best.is_none_or(|best| spread <= best.spread + self.slack()) {
                best = Some(Cut {
                    below: place + 1,
                    spread,
                });
            }
        }
        best
    }
}

/// The examples of a region, as far as a response needs them to form groups.
pub struct Examples<'a, S> {
    /// The row of each in the task.
    pub rows: &'a [u32],
    /// How much each counts, if not all the same.
    pub weights: Option<&'a [f64]>,
    /// What they sum up to.
    pub whole: &'a S,
}

impl<S> Examples<'_, S> {
    /// How much an example counts.
    pub fn weight(&self, place: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[place])
    }
}

/// Groups of examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The group of each example; [`UNKNOWN`](super::code::UNKNOWN) where it is in none.
    pub of: Vec<u32>,
    /// How many groups there are, empty ones included.
    pub count: usize,
}

/// Few-valued numbers of a region, none of them missing.
pub struct Ranked<'a> {
    /// The rows of the region's examples.
    pub rows: &'a [u32],
    /// The rank of each row's number.
    pub ranks: &'a [u16],
    /// How many ranks there are.
    pub values: usize,
}

/// Where few-valued numbers are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedCut {
    /// The largest rank below and the smallest above.
    pub ranks: [usize; 2],
    /// As in a list.
    pub cut: Cut,
}

/// A list in order, with the responses and weights of its region.
pub struct Ordered<'a, L> {
    /// The region's examples that have a value, by rising value.
    pub entries: &'a [Entry],
    /// The responses.
    pub local: &'a L,
    /// How much each example counts, if not all the same.
    pub weights: Option<&'a [f64]>,
}

impl<L> Ordered<'_, L> {
    /// How much an example counts.
    #[inline]
    pub fn weight(&self, example: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[example])
    }
}

/// A region in two branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halved {
    /// The spreads of both in sum.
    pub spread: f64,
    /// The weight of each.
    pub weights: [f64; 2],
}

/// Where a list is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// How many entries are below it.
    pub below: usize,
    /// The spread of the lower part plus that of the upper.
    pub spread: f64,
}
