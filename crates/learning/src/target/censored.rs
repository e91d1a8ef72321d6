//! A time until an event that may not have happened yet: a prediction is the probability that it
//! has not happened by each of some times.
//!
//! Where the event has not been seen the time is censored: it happens later, nobody knows when. The
//! times of a prediction are those at which events happened in training; what happens between them
//! cannot be known. Of very many, so many quantiles are taken that a curve stays readable, and
//! events count at the next of them.

use std::any::Any;
use std::sync::Arc;

use kinwood_values::text::number_text;
use kinwood_values::{Attribute, Value};

use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind};

/// How censored times are listed.
pub const CENSORED: KindEntry = KindEntry {
    name: "censored",
    shown: "censored",
    one: "a censored time",
    words: "censored times",
    of: "numeric with events",
    measure: "concordance",
    probabilities: true,
    alone: Some(": a censored time is predicted alone"),
    recognise: |columns| {
        columns.event?;
        columns.values.column.numbers()?;
        let rows = 0..columns.values.column.len();
        let seen = rows.filter_map(|row| observed(columns, row));
        CensoredTime::new(seen).map(TargetKind::new)
    },
    read: |terms| {
        let rising = terms.numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = terms.numbers.iter().all(|time| time.is_finite());
        match rising && finite && !terms.numbers.is_empty() {
            true => Ok(TargetKind::new(CensoredTime {
                times: terms.numbers.into(),
            })),
            false => Err("times that do not rise"),
        }
    },
};

/// More times than this are thinned out.
const MOST_TIMES: usize = 256;

/// What a nominal column of events says where none has happened.
const CENSORED_WORDS: [&str; 4] = ["0", "false", "no", "censored"];

/// A time until an event. A true value is the time, and 1 if the event happened then, or 0 if it
/// had not happened by then.
#[derive(Clone, Debug, PartialEq)]
pub struct CensoredTime {
    /// The times that predictions speak of, rising; at least one.
    times: Arc<[f64]>,
}

/// Whether the event of a row has happened; `None` where that is missing.
pub fn happened(event: &Attribute, row: usize) -> Option<bool> {
    match event.column.code(row) {
        Some(code) => {
            let (_, labels) = event.column.codes()?;
            let word = labels.label(code).to_lowercase();
            Some(!CENSORED_WORDS.contains(&word.as_str()))
        }
        None => event.column.number(row).map(|number| number != 0.0),
    }
}

/// Time and event of a row, if both are known.
fn observed(columns: &TargetColumns<'_>, row: usize) -> Option<(f64, bool)> {
    let time = columns.values.column.number(row)?;
    Some((time, happened(columns.event?, row)?))
}

impl CensoredTime {
    /// From the times of rows and whether the event happened; `None` of no rows.
    pub fn new(rows: impl IntoIterator<Item = (f64, bool)>) -> Option<Self> {
        let (mut times, mut last) = (Vec::new(), None::<f64>);
        for (time, event) in rows {
            last = Some(last.map_or(time, |last| last.max(time)));
            if event {
                times.push(time);
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.is_empty() {
            // Nothing has happened: nothing does until the end.
            times.push(last?);
        }
        if times.len() > MOST_TIMES {
            let step = (times.len() - 1) as f64 / (MOST_TIMES - 1) as f64;
            let chosen = (0..MOST_TIMES).map(|place| (place as f64 * step).round() as usize);
            times = chosen.map(|place| times[place]).collect();
        }
        Some(Self {
            times: times.into(),
        })
    }

    /// The times that predictions speak of, rising.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// At how many of the times a row is at risk: whether it can have its event then. A row whose
    /// event happened is at risk up to it, which counts at the next of the times.
    pub fn at_risk(&self, time: f64, event: bool) -> usize {
        match event {
            true => {
                let before = self.times.partition_point(|other| *other < time);
                (before + 1).min(self.times.len())
            }
            false => self.times.partition_point(|other| *other <= time),
        }
    }

    /// The expected time up to the last of the times: the area under the curve.
    pub fn restricted_mean(&self, survival: &[f64]) -> f64 {
        let (mut area, mut from, mut alive) = (0.0, self.times[0].min(0.0), 1.0);
        for (time, survival) in self.times.iter().zip(survival) {
            area += alive * (time - from);
            (from, alive) = (*time, *survival);
        }
        area + self.times[0].min(0.0)
    }

    /// The first time by which the event has happened in at least half of all cases.
    pub fn median(&self, survival: &[f64]) -> Option<f64> {
        let place = survival.iter().position(|alive| *alive <= 0.5)?;
        Some(self.times[place])
    }
}

/// The Kaplan-Meier estimate: the probability that the event has not happened by each time.
///
/// `S(t) = product over times u <= t of 1 - d(u) / r(u)`, with the weight `d` of events and `r` of
/// rows at risk. `left[k]` is the weight of the rows that are at risk at exactly the first `k`
/// times, `events[k]` that of the events at time `k`.
///
/// Reference: E. L. Kaplan and P. Meier, Nonparametric estimation from incomplete observations,
/// Journal of the American Statistical Association 53, 1958.
pub fn kaplan_meier(left: &[f64], events: &[f64]) -> Vec<f64> {
    let mut risk: f64 = left.iter().sum();
    let mut alive: f64 = 1.0;
    let steps = left.iter().zip(events);
    steps
        .map(|(left, events)| {
            risk -= left;
            if risk > 0.0 && *events > 0.0 {
                alive *= (1.0 - events / risk).clamp(0.0, 1.0);
            }
            alive
        })
        .collect()
}

impl Kind for CensoredTime {
    fn entry(&self) -> &'static KindEntry {
        &CENSORED
    }

    fn width(&self) -> usize {
        self.times.len()
    }

    fn parts(&self) -> Vec<String> {
        let times = self.times.iter();
        times
            .map(|time| format!(">{}", number_text(*time)))
            .collect()
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        let (time, event) = observed(columns, row)?;
        Some(vec![time, f64::from(u8::from(event))])
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        match truth[1] > 0.0 {
            true => Value::Number(truth[0]),
            false => Value::Symbol(format!("{}+", number_text(truth[0]))),
        }
    }

    fn value(&self, numbers: &[f64]) -> Value {
        Value::Number(self.restricted_mean(numbers))
    }

    fn settle(&self, numbers: &mut [f64]) {
        let mut most: f64 = 1.0;
        for alive in numbers {
            *alive = alive.clamp(0.0, most);
            most = *alive;
        }
    }

    fn aligned(&self, known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        let Some(known) = known.as_kind::<CensoredTime>() else {
            return numbers.to_vec();
        };
        let alive = |time: &f64| {
            let places = known.times.partition_point(|other| other <= time);
            places.checked_sub(1).map_or(1.0, |place| numbers[place])
        };
        self.times.iter().map(alive).collect()
    }

    /// How far the expected time is from the true one; of a censored time only what it is too early.
    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        let later = truth[0] - self.restricted_mean(numbers);
        match truth[1] > 0.0 {
            true => later.abs(),
            false => later.max(0.0),
        }
    }

    fn fits(&self, truth: &[f64]) -> bool {
        matches!(truth, [time, event] if time.is_finite() && [0.0, 1.0].contains(event))
    }

    fn terms(&self) -> KindTerms {
        KindTerms {
            numbers: self.times.to_vec(),
            ..KindTerms::default()
        }
    }

    fn same(&self, other: &dyn Kind) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of remission times in Cox and Oakes: 6-mercaptopurine against placebo, here its
    /// first rows.
    #[test]
    fn the_curve_falls_at_events_by_their_share_of_those_at_risk() {
        let rows = [
            (6.0, true),
            (6.0, true),
            (6.0, true),
            (6.0, false),
            (7.0, true),
            (9.0, false),
            (10.0, true),
            (11.0, false),
        ];
        let kind = CensoredTime::new(rows).unwrap();
        assert_eq!(kind.times(), [6.0, 7.0, 10.0]);
        let (mut left, mut events) = (vec![0.0; 4], vec![0.0; 3]);
        for (time, event) in rows {
            let until = kind.at_risk(time, event);
            left[until] += 1.0;
            if event {
                events[until - 1] += 1.0;
            }
        }
        let curve = kaplan_meier(&left, &events);
        let expected = [5.0 / 8.0, 5.0 / 8.0 * 0.75, 5.0 / 8.0 * 0.75 * 0.5];
        for (found, expected) in curve.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{curve:?}");
        }
        assert_eq!(kind.median(&curve), Some(7.0));
        let mean = 6.0 + 0.625 + 3.0 * 0.46875;
        assert!((kind.restricted_mean(&curve) - mean).abs() < 1e-12);
        assert_eq!(kind.true_value(&[9.0, 0.0]).to_string(), "9+");
    }

    #[test]
    fn many_times_are_thinned_and_curves_are_read_at_other_times() {
        let many = CensoredTime::new((0..1000).map(|time| (f64::from(time), true))).unwrap();
        assert_eq!(many.width(), MOST_TIMES);
        assert_eq!(
            (many.times()[0], many.times()[MOST_TIMES - 1]),
            (0.0, 999.0)
        );
        let few = TargetKind::new(CensoredTime::new([(1.0, true), (3.0, true)]).unwrap());
        let other =
            CensoredTime::new([(0.5, true), (1.0, true), (2.0, true), (9.0, true)]).unwrap();
        assert_eq!(other.aligned(&few, &[0.5, 0.25]), [1.0, 0.5, 0.5, 0.25]);
        assert_eq!(CensoredTime::new([]), None);
        let none = CensoredTime::new([(4.0, false), (2.0, false)]).unwrap();
        assert_eq!(none.times(), [4.0]);
    }
}
