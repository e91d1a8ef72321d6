//! One target of censored times: log-rank scores, and Kaplan-Meier curves in the leaves.
//!
//! The log-rank score of an example is 1 if its event happened, less the cumulative hazard of the
//! whole training set up to its time. Over any part of the examples the scores add up to the events
//! that happened there less those that would be expected if the part were like all others: the
//! numerator of the log-rank statistic. With the scores' variance, a cut that lets the variance
//! fall most is one whose log-rank statistic, in the form with the variance of permutations, is
//! greatest. The hazard is that of the whole set in every node, so that impurities add up over a
//! tree.
//!
//! Reference: T. M. Therneau, P. M. Grambsch and T. R. Fleming, Martingale-based residuals for
//! survival models, Biometrika 77, 1990; S. Keleş and M. R. Segal, Residual-based tree-structured
//! survival analysis, Statistics in Medicine 21, 2002.

use kinwood_learning::drawing::{Mark, amount, short};
use kinwood_learning::target::{CENSORED, CensoredTime, KindEntry, TargetKind, kaplan_meier};
use kinwood_learning::task::Target;
use serde_json::{Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::classes::weigh;
use super::numbers::Numbers;
use super::sums::Sums;
use super::{Cut, Examples, Grouping, OfTarget, Ordered, Response, Single};

/// One target of censored times.
pub struct Censored {
    scores: Numbers,
    seen: Vec<Seen>,
    /// How many times curves have.
    times: usize,
}

/// What is known of an example.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// At how many of the times it is at risk.
    until: usize,
    event: bool,
}

/// Sums over examples.
#[derive(Clone, Debug)]
pub struct CensoredSums {
    scores: Sums,
    curve: Curve,
}

/// What a Kaplan-Meier curve is made of.
#[derive(Clone, Debug)]
struct Curve {
    /// The weight of the examples that are at risk at exactly so many times.
    left: Vec<f64>,
    /// The weight of the events at each time.
    events: Vec<f64>,
}

impl Curve {
    fn empty(times: usize) -> Self {
        Self {
            left: vec![0.0; times + 1],
            events: vec![0.0; times],
        }
    }

    fn add(&mut self, seen: Seen, weight: f64) {
        self.left[seen.until] += weight;
        if let (true, Some(at)) = (seen.event, seen.until.checked_sub(1)) {
            self.events[at] += weight;
        }
    }

    /// The hazard that has added up when an example is at risk no more, by the number of times.
    fn hazards(&self) -> Vec<f64> {
        let mut risk: f64 = self.left.iter().sum();
        let mut hazards = vec![0.0];
        let mut sum = 0.0;
        for (left, events) in self.left.iter().zip(&self.events) {
            risk -= left;
            if risk > 0.0 {
                sum += events / risk;
            }
            hazards.push(sum);
        }
        hazards
    }
}

/// What is known of the rows of a target.
fn seen(kind: &CensoredTime, target: &Target, rows: usize) -> Vec<Option<Seen>> {
    let of_row = |row: usize| {
        let truth = target.truth(row)?;
        let event = truth[1] > 0.0;
        Some(Seen {
            until: kind.at_risk(truth[0], event),
            event,
        })
    };
    (0..rows).map(of_row).collect()
}

/// The log-rank scores of rows; not a number where nothing is known.
fn scores(seen: &[Option<Seen>], times: usize, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut curve = Curve::empty(times);
    for (row, seen) in seen.iter().enumerate() {
        if let Some(seen) = seen {
            curve.add(*seen, weight(row));
        }
    }
    let hazards = curve.hazards();
    let score = |seen: Seen| f64::from(u8::from(seen.event)) - hazards[seen.until];
    seen.iter()
        .map(|seen| seen.map_or(f64::NAN, score))
        .collect()
}

impl OfTarget for Censored {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let kind = single.kind.as_kind::<CensoredTime>()?;
        let times = kind.times().len();
        let known = seen(kind, single.target, single.rows);
        let scores = scores(&known, times, |row| single.weight(row));
        // Tasks have rows whose time and event are known only.
        let unseen = Seen {
            until: 0,
            event: false,
        };
        Some(Self {
            scores: Numbers::new(scores, |row| single.weight(row)),
            seen: known
                .into_iter()
                .map(|seen| seen.unwrap_or(unseen))
                .collect(),
            times,
        })
    }
}

/// The responses of a region's rows.
pub struct Local {
    scores: Vec<f64>,
    seen: Vec<Seen>,
}

impl Response for Censored {
    type Local = Local;
    type Summary = CensoredSums;

    fn gather(&self, rows: &[u32]) -> Local {
        Local {
            scores: self.scores.gather(rows),
            seen: rows.iter().map(|&row| self.seen[row as usize]).collect(),
        }
    }

    fn groups(&self, examples: &Examples<'_, CensoredSums>, most: usize) -> Grouping {
        let scores = Examples {
            rows: examples.rows,
            weights: examples.weights,
            whole: &examples.whole.scores,
        };
        self.scores.groups(&scores, most)
    }

    fn empty(&self) -> CensoredSums {
        CensoredSums {
            scores: Sums::default(),
            curve: Curve::empty(self.times),
        }
    }

    fn add(&self, summary: &mut CensoredSums, local: &Local, place: usize, weight: f64) {
        summary.scores.add(local.scores[place], weight);
        summary.curve.add(local.seen[place], weight);
    }

    fn remove(&self, summary: &mut CensoredSums, local: &Local, place: usize, weight: f64) {
        self.add(summary, local, place, -weight);
    }

    fn join(&self, summary: &mut CensoredSums, other: &CensoredSums, times: f64) {
        summary.scores.join(&other.scores, times);
        let curve = &mut summary.curve;
        for (own, other) in [
            (&mut curve.left, &other.curve.left),
            (&mut curve.events, &other.curve.events),
        ] {
            for (own, other) in own.iter_mut().zip(other) {
                *own += times * other;
            }
        }
    }

    fn weight(&self, summary: &CensoredSums) -> f64 {
        summary.scores.weight
    }

    fn spread(&self, summary: &CensoredSums) -> f64 {
        self.scores.spread(&summary.scores)
    }

    fn level(&self, summary: &CensoredSums, _: &CensoredSums) -> f64 {
        summary.scores.mean()
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let squares = answers.targets.first().map_or(0.0, Answer::squares);
        self.scores.scaled(squares)
    }

    fn answers(&self, examples: &Examples<'_, CensoredSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let number = summary.scores.answer(0.0);
        let squares = number.as_number().map_or(0.0, |number| number.squares);
        vec![CensoredLeaf::answer(
            summary.scores.weight,
            squares,
            &summary.curve,
        )]
    }

    fn slack(&self) -> f64 {
        self.scores.slack()
    }

    /// The scores decide; curves are made of what is left of a node.
    fn cut(&self, list: &Ordered<'_, Local>, whole: &CensoredSums, least: f64) -> Option<Cut> {
        let scores = Ordered {
            entries: list.entries,
            local: &list.local.scores,
            weights: list.weights,
        };
        self.scores.cut(&scores, &whole.scores, least)
    }
}

/// A censored time in a leaf: the weight of the examples, the sum of squared deviations of their
/// log-rank scores, and what their Kaplan-Meier curve is made of.
pub struct CensoredLeaf;

impl CensoredLeaf {
    fn answer(weight: f64, squares: f64, curve: &Curve) -> Answer {
        let mut numbers = vec![weight.max(0.0), squares.max(0.0)];
        let parts = curve.left.iter().chain(&curve.events);
        numbers.extend(parts.map(|weight| weight.max(0.0)));
        Answer::new(&CensoredLeaf, numbers)
    }

    fn times(numbers: &[f64]) -> usize {
        numbers.len().saturating_sub(3) / 2
    }

    fn survival(numbers: &[f64]) -> Vec<f64> {
        let events = numbers.len() - Self::times(numbers);
        kaplan_meier(&numbers[2..events], &numbers[events..])
    }

    fn events(numbers: &[f64]) -> f64 {
        numbers[numbers.len() - Self::times(numbers)..].iter().sum()
    }
}

impl LeafNumbers for CensoredLeaf {
    fn entry(&self) -> &'static KindEntry {
        &CENSORED
    }

    fn fields(&self) -> Fields {
        Fields {
            first: &["weight", "squares"],
            others: "curve",
        }
    }

    fn length(&self, kind: &TargetKind) -> usize {
        2 * kind.width() + 3
    }

    fn fault(&self, kind: &TargetKind, numbers: &[f64]) -> Option<&'static str> {
        let fits = numbers.len() == self.length(kind)
            && weigh(numbers)
            && numbers.iter().sum::<f64>().is_finite();
        (!fits).then_some("no curve of its times")
    }

    fn weight(&self, numbers: &[f64]) -> f64 {
        numbers[0]
    }

    fn error(&self, numbers: &[f64]) -> f64 {
        numbers[1]
    }

    fn squares(&self, numbers: &[f64]) -> f64 {
        numbers[1]
    }

    fn unit(&self, numbers: &[f64]) -> f64 {
        match numbers[1] > 0.0 {
            true => numbers[1] / numbers[0],
            false => 1.0,
        }
    }

    fn mean_error(&self, _numbers: &[f64], mean: f64) -> f64 {
        mean.sqrt()
    }

    fn width(&self, numbers: &[f64]) -> usize {
        Self::times(numbers)
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        for (out, alive) in out.iter_mut().zip(Self::survival(numbers)) {
            *out += share * alive;
        }
    }

    fn compared(&self, numbers: &[f64], _whole: bool) -> (Unlikeness, Vec<f64>) {
        (Unlikeness::Squared, Self::survival(numbers))
    }

    fn loss(&self, kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let said = Self::survival(numbers);
        self.loss_of(kind, target, row, &said).unwrap_or(0.0)
    }

    fn loss_of(&self, kind: &TargetKind, target: &Target, row: usize, said: &[f64]) -> Option<f64> {
        Some(kind.distance(&target.truth(row)?, said))
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("time_error", mean)
    }
}

/// The median of a curve in words.
fn median(kind: &TargetKind, survival: &[f64]) -> String {
    let times = kind.as_kind::<CensoredTime>();
    let digits = |time: f64| short(time, 6, -5.0..15.0);
    match times.and_then(|times| times.median(survival)) {
        Some(time) => format!("median {}", digits(time)),
        None => {
            let last = times.and_then(|times| times.times().last());
            format!(
                "median > {}",
                last.map_or_else(String::new, |time| digits(*time))
            )
        }
    }
}

impl LeafWords for CensoredLeaf {
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String {
        format!(
            "{}, {} events of {}",
            median(kind, &Self::survival(numbers)),
            amount(Self::events(numbers)),
            amount(numbers[0])
        )
    }

    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> Value {
        let times = kind.as_kind::<CensoredTime>();
        let survival = Self::survival(numbers);
        json!({
            "weight": numbers[0],
            "events": Self::events(numbers),
            "median": times.and_then(|times| times.median(&survival)),
            "times": times.map(CensoredTime::times),
            "survival": survival,
        })
    }

    fn mark(&self, kind: &TargetKind, numbers: &[f64]) -> Mark {
        let survival = Self::survival(numbers);
        let times = kind.as_kind::<CensoredTime>().map(CensoredTime::times);
        let times = times.unwrap_or_default();
        let start = (times.first().map_or(0.0, |time| time.min(0.0)), 1.0);
        let points = times.iter().copied().zip(survival.iter().copied());
        Mark::Line {
            points: std::iter::once(start).chain(points).collect(),
            steps: true,
            said: median(kind, &survival),
            ground: format!(
                "{} events of {}",
                amount(Self::events(numbers)),
                amount(numbers[0])
            ),
        }
    }
}

impl LeafObjects for CensoredLeaf {
    /// The log-rank score.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let kind = kind.as_kind::<CensoredTime>()?;
        let known = seen(kind, target, weights.len());
        Some(scores(&known, kind.times().len(), |object| weights[object]))
    }

    fn gathered(
        &self,
        kind: &TargetKind,
        target: &Target,
        objects: &[u32],
        weights: &[f64],
    ) -> Vec<f64> {
        let Some(times) = kind.as_kind::<CensoredTime>() else {
            return Vec::new();
        };
        let known = seen(times, target, weights.len());
        let scores = scores(&known, times.times().len(), |object| weights[object]);
        let mut sums = Sums::default();
        let mut curve = Curve::empty(times.times().len());
        for &object in objects {
            let object = object as usize;
            if let Some(seen) = known[object] {
                sums.add(scores[object], weights[object]);
                curve.add(seen, weights[object]);
            }
        }
        let answer = CensoredLeaf::answer(sums.weight, sums.deviations(), &curve);
        answer.numbers().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    kinwood_testing::soak! { 256;
        /// Scores over a part add up to observed less expected events, as the log-rank test counts
        /// them time by time.
        fn soak_scores_add_up_to_observed_less_expected(
            rows in prop::collection::vec((0u8..12, any::<bool>(), any::<bool>()), 2..40),
        ) {
            let times = rows.iter().map(|row| (f64::from(row.0), row.1));
            let kind = CensoredTime::new(times).unwrap();
            let known: Vec<Option<Seen>> = rows
                .iter()
                .map(|row| {
                    let until = kind.at_risk(f64::from(row.0), row.1);
                    Some(Seen { until, event: row.1 })
                })
                .collect();
            let scores = scores(&known, kind.times().len(), |_| 1.0);
            let sum: f64 = rows.iter().zip(&scores).filter(|(row, _)| row.2).map(|(_, s)| s).sum();
            let mut naive = 0.0;
            for time in 0u8..12 {
                let at_risk = |part: bool| {
                    rows.iter().filter(|row| row.0 >= time && (!part || row.2)).count() as f64
                };
                let events = |part: bool| {
                    let own = |row: &&(u8, bool, bool)| row.0 == time && row.1 && (!part || row.2);
                    rows.iter().filter(own).count() as f64
                };
                if events(false) > 0.0 {
                    naive += events(true) - at_risk(true) * events(false) / at_risk(false);
                }
            }
            prop_assert!((sum - naive).abs() < 1e-9, "{sum} {naive}");
            prop_assert!(scores.iter().sum::<f64>().abs() < 1e-9);
        }
    }
}
