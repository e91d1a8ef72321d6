//! What is watched while trees grow: predictions that only rise with a column, and rates that
//! differ little between groups.
//!
//! A tree is kept monotone by bounds: where a test on the column divides a node, what is predicted
//! on either side stays on its side of the mean of the two, all the way down. So the whole tree is
//! monotone, and not only each test (the way of gradient boosting libraries). Whether a finished
//! tree is, is decided by its leaves: any two whose boxes differ in that column alone.

use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;
use kinwood_values::suggest::nearest;
use smallvec::SmallVec;

use super::code::UNKNOWN;
use super::constraint::{Bound, Fair, Limits, Monotone};
use super::language::{Language, Narrowed, Vocabulary};
use super::response::{Answer, Answers, heaviest};
use super::structure::Tree;

/// By rule: the least and the most that may be predicted; empty where nothing is bounded yet.
pub type Bounds = SmallVec<[(f64, f64); 1]>;

/// What is watched.
#[derive(Default)]
pub struct Watch {
    monotone: Vec<MonotoneRule>,
    fair: Vec<FairRule>,
}

/// Predictions that only rise, or only fall, with a column.
struct MonotoneRule {
    written: Monotone,
    value: Watched,
}

/// The number of an answer that is watched.
#[derive(Clone, Copy)]
enum Watched {
    Mean,
    Share(usize),
}

impl Watched {
    fn of(self, answers: &Answers) -> f64 {
        let said = answers
            .targets
            .first()
            .map(Answer::said)
            .unwrap_or_default();
        let place = match self {
            Watched::Mean => 0,
            Watched::Share(class) => class,
        };
        said.get(place).copied().unwrap_or_default()
    }
}

/// Rates that differ little between groups.
struct FairRule {
    written: Fair,
    /// By row of the task.
    groups: Vec<u32>,
    count: usize,
    /// By row: whether it is of the positive class.
    positive: Vec<bool>,
    class: usize,
}

/// The examples of a leaf as a rule on rates sees them.
#[derive(Clone, Debug)]
pub struct Rates {
    /// By group: the weight of those that are not positive, and of those that are.
    weights: Vec<[f64; 2]>,
    /// Whether the leaf predicts that they are.
    predicted: bool,
}

impl Watch {
    /// What limits watch in trees of a language. Fails where the targets or the language do not
    /// allow it.
    pub fn new<L: Language>(
        limits: &Limits,
        language: &L,
        name: &dyn Fn(u32) -> String,
    ) -> Result<Self> {
        let task = language.task();
        let monotone = limits.monotone.iter().map(|written| {
            let refuse = |expected: &str| refused("monotone", &name(written.column), expected);
            language
                .divides_by_thresholds(written.column)
                .map_err(refuse)?;
            let target = only_target(task, "monotone", &name(written.column))?;
            let value = match target.is_number() {
                true if written.class.is_none() => Watched::Mean,
                true => return Err(refuse("no class: a number is predicted")),
                false => Watched::Share(positive(task, written.class.as_deref(), "monotone")?),
            };
            Ok(MonotoneRule {
                written: written.clone(),
                value,
            })
        });
        let fair = limits.fair.iter().map(|written| {
            only_target(task, "fair", &name(written.column))?;
            let class = positive(task, written.class.as_deref(), "fair")?;
            let view = task.view();
            let column = &view.table().attribute(written.column as usize).column;
            let count = column.codes().map_or(0, |(_, labels)| labels.len());
            let rows = || view.rows().map(|row| row as usize);
            let target = &task.targets()[0];
            Ok(FairRule {
                written: written.clone(),
                groups: rows()
                    .map(|row| column.code(row).unwrap_or(UNKNOWN))
                    .collect(),
                count,
                positive: (0..view.len())
                    .map(|row| target.class(row) == Some(class as u32))
                    .collect(),
                class,
            })
        });
        Ok(Self {
            monotone: monotone.collect::<Result<_>>()?,
            fair: fair.collect::<Result<_>>()?,
        })
    }

    /// Whether predictions are kept monotone.
    pub fn bounds_predictions(&self) -> bool {
        !self.monotone.is_empty()
    }

    /// Whether rates are watched.
    pub fn compares_groups(&self) -> bool {
        !self.fair.is_empty()
    }

    /// The bounds of the children by a candidate; `None` if it breaks a rule.
    pub fn divided<L: Language>(
        &self,
        language: &L,
        region: &L::Region,
        candidate: &L::Candidate,
        bounds: &Bounds,
    ) -> Option<Vec<Bounds>> {
        let parts = language.parts(region, candidate);
        let answers: Vec<Answers> = parts.iter().map(|part| language.answers(part)).collect();
        let test = language.test(candidate);
        let mut below = vec![Bounds::new(); parts.len()];
        for (place, rule) in self.monotone.iter().enumerate() {
            let (least, most) = bounds
                .get(place)
                .copied()
                .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let values: Vec<f64> = answers.iter().map(|own| rule.value.of(own)).collect();
            if values.iter().any(|value| *value < least || *value > most) {
                return None;
            }
            let above = (0..parts.len()).find(|&branch| {
                matches!(language.narrowed(&test, branch), Narrowed::Above(column, _) if column == rule.written.column)
            });
            let Some(above) = above else {
                below.iter_mut().for_each(|below| below.push((least, most)));
                continue;
            };
            let greater = if rule.written.up { above } else { 1 - above };
            if values[greater] < values[1 - greater] {
                return None;
            }
            let middle = values[0] / 2.0 + values[1] / 2.0;
            below[greater].push((middle, most));
            below[1 - greater].push((least, middle));
        }
        Some(below)
    }

    /// Which of the written rules the predictions of a tree keep to.
    pub fn kept<V: Vocabulary>(
        &self,
        vocabulary: &V,
        tree: &Tree<V::Test, Answers>,
    ) -> Vec<Monotone> {
        let kept = self
            .monotone
            .iter()
            .filter(|rule| rule.holds(vocabulary, tree));
        kept.map(|rule| rule.written.clone()).collect()
    }

    /// By how much the rates of a tree differ between groups, for each written rule.
    pub fn differences<L: Language>(
        &self,
        language: &L,
        tree: &Tree<L::Test, Answers>,
    ) -> Vec<(Fair, f64)> {
        if self.fair.is_empty() {
            return Vec::new();
        }
        let rows = 0..language.task().view().len() as u32;
        let rows = rows.map(|row| (row, language.row_weight(row))).collect();
        let reached = language.route(tree, rows, false).rows;
        let of_rule = |rule: &FairRule| {
            let leaves = reached.iter().zip(tree.nodes());
            let leaves = leaves.filter(|(_, node)| node.split.is_none());
            let rates: Vec<Rates> = leaves
                .map(|(rows, node)| rule.rates(rows.iter().copied(), &node.payload))
                .collect();
            (rule.written.clone(), rule.difference(rates.iter()))
        };
        self.fair.iter().map(of_rule).collect()
    }

    /// The rates of a region as a leaf, by rule.
    pub fn rates<L: Language>(&self, language: &L, region: &L::Region) -> Vec<Rates> {
        if self.fair.is_empty() {
            return Vec::new();
        }
        let answers = language.answers(region);
        let rows = || {
            let rows = language.rows(region).iter().enumerate();
            rows.map(|(place, &row)| (row, language.example_weight(region, place)))
        };
        let each = self.fair.iter();
        each.map(|rule| rule.rates(rows(), &answers)).collect()
    }

    /// Whether a tree with such leaves differs as little between groups as is written.
    pub fn is_fair(&self, leaves: &[&[Rates]]) -> bool {
        self.fair.iter().enumerate().all(|(place, rule)| {
            let difference = rule.difference(leaves.iter().map(|leaf| &leaf[place]));
            let most: Bound = rule.written.most;
            most.at_most(difference)
        })
    }
}

fn refused(what: &str, column: &str, expected: &str) -> Error {
    Error::SettingValue {
        name: "constraints".to_owned(),
        value: format!("{what}({column}, …)"),
        expected: expected.to_owned(),
        nearest: None,
    }
}

fn only_target<'t>(
    task: &'t Task,
    what: &str,
    column: &str,
) -> Result<&'t kinwood_learning::task::Target> {
    match task.targets() {
        [target] if target.is_number() && what == "fair" => Err(refused(
            what,
            column,
            "a class to be predicted, and no number",
        )),
        [target] if target.is_number() || target.classes().is_some() => Ok(target),
        _ => Err(refused(what, column, "one number or class to be predicted")),
    }
}

/// The class that is written, or of two the one whose label comes last: `yes`, `true`, `1`.
fn positive(task: &Task, written: Option<&str>, what: &str) -> Result<usize> {
    let Some(classes) = task.targets()[0].classes() else {
        return Err(refused(what, "", "a class to be predicted"));
    };
    if let Some(class) = written {
        return match classes.code(class) {
            Some(code) => Ok(code as usize),
            None => Err(Error::SettingValue {
                name: "constraints".to_owned(),
                value: class.to_owned(),
                expected: "a class of the target".to_owned(),
                nearest: nearest(class, classes.labels()),
            }),
        };
    }
    let last = (0..classes.len()).max_by_key(|&class| classes.label(class as u32));
    match (classes.len(), last) {
        (1..=2, Some(last)) => Ok(last),
        (count, _) => Err(refused(
            what,
            "…",
            &format!("a class too: the target has {count} of them"),
        )),
    }
}

impl FairRule {
    fn rates(&self, rows: impl Iterator<Item = (u32, f64)>, answers: &Answers) -> Rates {
        let mut weights = vec![[0.0; 2]; self.count];
        for (row, weight) in rows {
            let group = self.groups[row as usize];
            if group != UNKNOWN {
                weights[group as usize][usize::from(self.positive[row as usize])] += weight;
            }
        }
        let said = answers
            .targets
            .first()
            .map(Answer::said)
            .unwrap_or_default();
        let predicted = heaviest(&said) == self.class;
        Rates { weights, predicted }
    }

    /// The greater of two differences between groups: of the rates of positive predictions, and of
    /// those among the rows that are positive.
    fn difference<'r>(&self, leaves: impl Iterator<Item = &'r Rates>) -> f64 {
        let mut sums = vec![[0.0; 4]; self.count];
        for leaf in leaves {
            for (sums, [negative, positive]) in sums.iter_mut().zip(&leaf.weights) {
                let predicted = f64::from(u8::from(leaf.predicted));
                sums[0] += predicted * (negative + positive);
                sums[1] += negative + positive;
                sums[2] += predicted * positive;
                sums[3] += positive;
            }
        }
        let spread = |part: usize| {
            let rates = sums.iter().filter(|sums| sums[part + 1] > 0.0);
            let rates = rates.map(|sums| sums[part] / sums[part + 1]);
            let (least, most) = rates.fold((f64::INFINITY, f64::NEG_INFINITY), |range, rate| {
                (range.0.min(rate), range.1.max(rate))
            });
            (most - least).max(0.0)
        };
        spread(0).max(spread(2))
    }
}

/// What the tests on the way to a leaf say of a column.
#[derive(Clone, Debug)]
struct Extent {
    column: u32,
    /// Above the first, not above the second.
    range: (f64, f64),
    /// Labels that are excluded, or those that alone are left.
    without: Vec<u32>,
    only: Option<Vec<u32>>,
}

impl Extent {
    fn new(column: u32) -> Self {
        Self {
            column,
            range: (f64::NEG_INFINITY, f64::INFINITY),
            without: Vec::new(),
            only: None,
        }
    }

    fn narrow(&mut self, to: &Narrowed) {
        match to {
            Narrowed::Above(_, bound) => self.range.0 = self.range.0.max(*bound),
            Narrowed::AtMost(_, bound) => self.range.1 = self.range.1.min(*bound),
            Narrowed::Among(_, labels, true) => match &mut self.only {
                Some(only) => only.retain(|label| labels.contains(label)),
                None => self.only = Some(labels.clone()),
            },
            Narrowed::Among(_, labels, false) => self.without.extend(labels),
            Narrowed::Unknown => {}
        }
    }

    /// Whether some value is in both.
    fn meets(&self, other: &Self) -> bool {
        let range = self.range.0.max(other.range.0) < self.range.1.min(other.range.1);
        let left = |label: &u32| {
            let may = |extent: &Self| {
                let only = extent.only.as_ref();
                !extent.without.contains(label) && only.is_none_or(|only| only.contains(label))
            };
            may(self) && may(other)
        };
        let labels = match (&self.only, &other.only) {
            (Some(only), _) | (None, Some(only)) => only.iter().any(left),
            (None, None) => true,
        };
        range && labels
    }
}

impl MonotoneRule {
    /// Whether no two leaves break the rule: those of which one can be reached from the other by
    /// changing the column alone.
    fn holds<V: Vocabulary>(&self, vocabulary: &V, tree: &Tree<V::Test, Answers>) -> bool {
        let mut boxes: Vec<Leaf> = vec![Leaf::default(); tree.size()];
        let mut leaves: Vec<(Leaf, f64)> = Vec::new();
        for (node, at) in tree.nodes().iter().enumerate() {
            let own = std::mem::take(&mut boxes[node]);
            let Some(split) = &at.split else {
                leaves.push((own, self.value.of(&at.payload)));
                continue;
            };
            for (branch, &child) in split.children.iter().enumerate() {
                let mut below = own.clone();
                below.narrow(node, branch, &vocabulary.narrowed(&split.test, branch));
                boxes[child as usize] = below;
            }
        }
        let column = self.written.column;
        let broken = |low: f64, high: f64| match self.written.up {
            true => low > high,
            false => low < high,
        };
        leaves.iter().all(|(lower, low)| {
            leaves.iter().all(|(upper, high)| {
                let below = lower.range(column).1 <= upper.range(column).0;
                !(below && broken(*low, *high)) || lower.is_apart(upper, column)
            })
        })
    }
}

/// What the tests on the way to a leaf say.
#[derive(Clone, Debug, Default)]
struct Leaf {
    extents: Vec<Extent>,
    /// The other tests, by node, and the branch that was taken.
    others: Vec<(usize, usize)>,
}

impl Leaf {
    fn narrow(&mut self, node: usize, branch: usize, to: &Narrowed) {
        let column = match to {
            Narrowed::Above(column, _) | Narrowed::AtMost(column, _) => *column,
            Narrowed::Among(column, ..) => *column,
            Narrowed::Unknown => {
                self.others.push((node, branch));
                return;
            }
        };
        let known = self.extents.iter().position(|own| own.column == column);
        let place = known.unwrap_or_else(|| {
            self.extents.push(Extent::new(column));
            self.extents.len() - 1
        });
        self.extents[place].narrow(to);
    }

    fn range(&self, column: u32) -> (f64, f64) {
        let own = self.extents.iter().find(|extent| extent.column == column);
        own.map_or((f64::NEG_INFINITY, f64::INFINITY), |own| own.range)
    }

    /// Whether no row gets from here to another leaf by changing the column alone.
    fn is_apart(&self, other: &Self, column: u32) -> bool {
        let extents = self.extents.iter().filter(|extent| extent.column != column);
        let apart = extents.into_iter().any(|extent| {
            let mut same = other.extents.iter();
            let same = same.find(|other| other.column == extent.column);
            same.is_some_and(|other| !extent.meets(other))
        });
        let differ = |(node, branch): &(usize, usize)| {
            let mut tests = other.others.iter();
            tests.any(|(other, taken)| other == node && taken != branch)
        };
        apart || self.others.iter().any(differ)
    }
}
