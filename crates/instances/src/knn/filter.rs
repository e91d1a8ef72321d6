//! IB2 and IB3: training rows are looked at one by one, and only some are kept.
//!
//! IB2 keeps a row that the rows kept so far misclassify. IB3 does too, and keeps a record of how
//! often each kept row, when it was near, was right about the class of a later one. A row is
//! *acceptable* when its accuracy is significantly above the frequency of its class, and dropped
//! when it is significantly below. Only acceptable rows answer.
//!
//! Reference: Aha, Kibler and Albert, *Instance-based learning algorithms*, Machine Learning 6,
//! 1991, sections 3 and 4.

use std::cmp::Ordering;

use kinwood_similarity::{Pairs, Row, Score};
use serde::{Deserialize, Serialize};

use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;

/// Which rows are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstanceFilter {
    /// Those misclassified by the ones before.
    Ib2,
    /// Of these, those with a good record.
    Ib3,
}

/// Quantiles of the normal distribution between which 90 and 75 of 100 lie: the paper's confidence
/// for accepting and dropping.
const ACCEPT: f64 = 1.644_853_626_951_472_7;
const DROP: f64 = 1.150_349_380_376_008;

/// Where the rank is drawn from that stands in for an acceptable row.
const RANK: u64 = 0x6962_3300;

impl InstanceFilter {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["none", "ib2", "ib3"];

    /// The rule of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ib2" => Some(InstanceFilter::Ib2),
            "ib3" => Some(InstanceFilter::Ib3),
            _ => None,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            InstanceFilter::Ib2 => "ib2",
            InstanceFilter::Ib3 => "ib3",
        }
    }

    /// Fails unless there is one target, a class: only of classes can be said that they are
    /// misclassified.
    pub fn check(self, task: &Task) -> Result<()> {
        let [target] = task.targets() else {
            return Err(Error::SettingValue {
                name: "filter".to_owned(),
                value: self.name().to_owned(),
                expected: "`none` where several targets are predicted".to_owned(),
                nearest: None,
            });
        };
        if target.classes().is_none() {
            return Err(Error::TargetType {
                learner: match self {
                    InstanceFilter::Ib2 => "knn with filter=ib2",
                    InstanceFilter::Ib3 => "knn with filter=ib3",
                },
                expected: "nominal".to_owned(),
                target: target.name().to_owned(),
                found: target.found(),
                hint: "; filter=none predicts it",
            });
        }
        Ok(())
    }
}

/// What is known of the rows seen and of those kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Which rows are kept.
    pub rule: InstanceFilter,
    /// The seed of the numbers drawn.
    pub seed: u64,
    /// How many rows of each class were seen.
    pub classes: Vec<u64>,
    /// One for each kept row, in their order.
    pub records: Vec<Record>,
}

/// What is known of a kept row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number among the rows seen, from 1.
    pub row: u64,
    /// How often it was near a later row.
    tested: u64,
    /// How often it was of that row's class.
    right: u64,
}

/// A kept row while rows are looked at: where it stands, its class, its record.
struct Kept {
    place: usize,
    class: u32,
    record: Record,
}

impl Filter {
    /// Nothing is seen yet.
    pub fn new(rule: InstanceFilter, seed: u64) -> Self {
        Self {
            rule,
            seed,
            classes: Vec::new(),
            records: Vec::new(),
        }
    }

    /// Whether the counts of a file can be true of so many kept rows.
    pub fn sound(&self, kept: usize) -> bool {
        let add = |sum: u64, &count: &u64| sum.checked_add(count);
        let seen = self.classes.iter().try_fold(0, add);
        // Beyond this, counting on is no longer exact, and nobody has seen as many.
        let Some(seen) = seen.filter(|&seen| seen < 1 << 53) else {
            return false;
        };
        let sound = |record: &Record| {
            record.right <= record.tested && record.tested <= seen && record.row <= seen
        };
        self.records.len() == kept && self.records.iter().all(sound)
    }

    /// How many rows were seen.
    pub fn seen(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// Looks at rows of known class. The first are those kept before, as many as there are records;
    /// the others are looked at in their order. Returns which of all are kept.
    ///
    /// Cost: a distance for each row and each row kept at its time.
    pub fn look<S: Score>(
        &mut self,
        pairs: &dyn Pairs<S>,
        classes: &[u32],
        context: &Context,
    ) -> Result<Vec<u32>> {
        let kept = self.records.iter().zip(classes).enumerate();
        let mut kept: Vec<Kept> = kept
            .map(|(place, (&record, &class))| Kept {
                place,
                class,
                record,
            })
            .collect();
        let first = kept.len();
        let running = context.progress("filtering rows", (classes.len() - first) as u64);
        let mut distances: Vec<S> = Vec::new();
        for (place, &class) in classes.iter().enumerate().skip(first) {
            context.check()?;
            measure(&*pairs.prepare(place), &kept, &mut distances);
            let judge = self.judge(&kept, &distances);
            self.count(class);
            let right = judge.is_some_and(|judge| kept[judge].class == class);
            if let Some(judge) = judge
                && self.rule == InstanceFilter::Ib3
            {
                let reach = distances[judge];
                for (other, distance) in kept.iter_mut().zip(&distances) {
                    if distance.compare(&reach) != Ordering::Greater {
                        other.record.tested += 1;
                        other.record.right += u64::from(other.class == class);
                    }
                }
                kept.retain(|other| !self.poor(other.class, other.record));
            }
            if !right {
                let record = Record {
                    row: self.seen(),
                    tested: 0,
                    right: 0,
                };
                kept.push(Kept {
                    place,
                    class,
                    record,
                });
            }
            running.advance(1);
        }
        self.records = kept.iter().map(|kept| kept.record).collect();
        Ok(kept.iter().map(|kept| kept.place as u32).collect())
    }

    fn count(&mut self, class: u32) {
        let class = class as usize;
        if self.classes.len() <= class {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += 1;
    }

    /// The kept row that classifies: the nearest acceptable one, the first of equals; where none is
    /// acceptable, IB3 draws how near it is. For IB2 all are.
    fn judge<S: Score>(&self, kept: &[Kept], distances: &[S]) -> Option<usize> {
        let order = |&a: &usize, &b: &usize| distances[a].compare(&distances[b]).then(a.cmp(&b));
        let acceptable = |&place: &usize| match self.rule {
            InstanceFilter::Ib2 => true,
            InstanceFilter::Ib3 => self.acceptable(kept[place].class, kept[place].record),
        };
        let nearest = (0..kept.len()).filter(acceptable).min_by(order);
        if nearest.is_some() || kept.is_empty() {
            return nearest;
        }
        let rank = Generator::new(self.seed, &[RANK, self.seen()]).below(kept.len());
        let mut places: Vec<usize> = (0..kept.len()).collect();
        Some(*places.select_nth_unstable_by(rank, order).1)
    }

    /// The interval of a class's frequency among the rows seen.
    fn frequency(&self, class: u32, quantile: f64) -> (f64, f64) {
        let count = self.classes.get(class as usize).copied().unwrap_or(0);
        interval(count, self.seen(), quantile)
    }

    fn acceptable(&self, class: u32, record: Record) -> bool {
        let accuracy = interval(record.right, record.tested, ACCEPT);
        accuracy.0 > self.frequency(class, ACCEPT).1
    }

    fn poor(&self, class: u32, record: Record) -> bool {
        let accuracy = interval(record.right, record.tested, DROP);
        accuracy.1 < self.frequency(class, DROP).0
    }

    /// Which of the kept rows answer, given their classes: for IB3 the acceptable ones, or all
    /// where none is.
    pub fn answering(&self, classes: &[u32]) -> Vec<u32> {
        let all = 0..self.records.len() as u32;
        let rows: Vec<u32> = match self.rule {
            InstanceFilter::Ib2 => all.clone().collect(),
            InstanceFilter::Ib3 => {
                let kept = classes.iter().zip(&self.records);
                let kept = kept.map(|(&class, &record)| self.acceptable(class, record));
                all.clone()
                    .zip(kept)
                    .filter_map(|(row, good)| good.then_some(row))
                    .collect()
            }
        };
        if rows.is_empty() { all.collect() } else { rows }
    }
}

/// The distances of a query to the kept rows, runs of neighbouring ones at once.
fn measure<S: Score>(row: &dyn Row<S>, kept: &[Kept], distances: &mut Vec<S>) {
    distances.clear();
    distances.resize(kept.len(), S::zero());
    let mut out = distances.as_mut_slice();
    for run in kept.chunk_by(|one, next| one.place + 1 == next.place) {
        let (now, later) = out.split_at_mut(run.len());
        let start = run[0].place;
        row.fill(start..start + run.len(), now);
        out = later;
    }
}

/// The interval that holds the probability of which `count` in `of` were seen, with the confidence
/// of the quantile; all that is possible where nothing was seen.
fn interval(count: u64, of: u64, quantile: f64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = count as f64 / n;
    let square = quantile * quantile;
    let middle = share + square / (2.0 * n);
    let width = quantile * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let scale = 1.0 + square / n;
    ((middle - width) / scale, (middle + width) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_by_hand() {
        // p = 1/2, n = 4, z = 2: (0.5 + 0.5 ± 2 sqrt(1/16 + 1/16)) / 2.
        let (low, high) = interval(2, 4, 2.0);
        let width = 2.0 * 0.125f64.sqrt();
        assert!((low - (1.0 - width) / 2.0).abs() < 1e-15);
        assert!((high - (1.0 + width) / 2.0).abs() < 1e-15);
        assert_eq!(interval(0, 0, 2.0), (0.0, 1.0));
    }

    fn filter(seen: [u64; 2]) -> Filter {
        Filter {
            classes: seen.to_vec(),
            ..Filter::new(InstanceFilter::Ib3, 1)
        }
    }

    fn record(right: u64, tested: u64) -> Record {
        Record {
            row: 1,
            tested,
            right,
        }
    }

    #[test]
    fn records_are_judged_beside_the_frequency_of_the_class() {
        let even = filter([50, 50]);
        // 9 of 10 has a lower end of 0.65, the class an upper end of 0.58.
        assert!(even.acceptable(0, record(9, 10)));
        // 6 of 10 is neither.
        assert!(!even.acceptable(0, record(6, 10)) && !even.poor(0, record(6, 10)));
        assert!(even.poor(0, record(2, 10)));
        // What is good for one class is poor for a class that is everywhere.
        let one_sided = filter([99, 1]);
        assert!(one_sided.poor(0, record(6, 10)) && one_sided.acceptable(1, record(6, 10)));
        // Nothing is known of a row that was never near.
        assert!(!even.acceptable(0, record(0, 0)) && !even.poor(0, record(0, 0)));
    }
}
