//! The learner and the model around a learner and a model whose predictions are put right.

use kinwood_values::View;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::notice::counted;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::curve::{Calibration, Curve, Point};
use super::{Adjust, CALIBRATE, INTERVAL};
use crate::context::Context;
use crate::drawing::{Drawing, SumDrawn};
use crate::error::{Error, Result};
use crate::explanation::Explanation;
use crate::facts::ModelFacts;
use crate::inner::{FOLDS, HeldRow, HeldTarget, OutOfFold, folds, is_timed, out_of_fold};
use crate::model::{Contributions, Decisions, Learner, Model, Near};
use crate::predictions::{Output, Predictions, TargetPrediction};
use crate::ranges::{Ranges, RangesOf};
use crate::sql::{Asked, Expression, Gap, Seen};
use crate::target::{CLASSES, LABELS, NUMBERS, ORDERED, TargetKind};
use crate::task::Task;

/// The section of a model file that says how predictions are put right.
const SECTION: &str = "adjusted";
/// The scope that the inner model is in.
const INNER: &str = "inner";
/// Fewer rows than this are not divided.
const FEWEST: usize = 10;

/// A learner whose models are put right.
pub struct AdjustingLearner<L> {
    adjust: Adjust,
    inner: L,
}

/// What is done to the predictions of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Adjustment {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calibrate: Option<Calibration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interval: Option<f64>,
    /// How the rows that it was learned from came to be predicted.
    by: String,
    targets: Vec<TargetAdjustment>,
}

/// What is done to the predictions of a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetAdjustment {
    name: String,
    /// By number of a prediction; `None` where nothing was learned of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    curves: Vec<Option<Curve>>,
    /// How many rows it was learned from.
    rows: usize,
    /// How far predictions are off at most, of which a class is off by what its probability lacks
    /// of one; `None` where too few rows were predicted to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reach: Option<f64>,
}

impl<L: Learner> AdjustingLearner<L> {
    pub(super) fn new(adjust: Adjust, inner: L) -> Self {
        Self { adjust, inner }
    }

    /// Fails on targets that have nothing to put right.
    fn check(&self, task: &Task) -> Result<()> {
        let Adjust {
            calibrate,
            interval,
        } = self.adjust;
        for target in task.targets() {
            let kind = target.kind();
            let wrong = |learner, expected: &str, hint| {
                Err(Error::TargetType {
                    learner,
                    expected: expected.to_owned(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint,
                })
            };
            if calibrate.is_some() && !kind.is_some_and(is_probable) {
                let hint = ": only probabilities are put right";
                return wrong(CALIBRATE.name, "nominal and set<nominal>", hint);
            }
            if interval.is_some() && !kind.is_some_and(has_ranges) {
                return wrong(INTERVAL.name, "numeric and nominal", "");
            }
        }
        Ok(())
    }
}

/// Whether predictions are probabilities of what is or is not.
fn is_probable(kind: &TargetKind) -> bool {
    kind.is(&CLASSES) || kind.is(&LABELS) || kind.is(&ORDERED)
}

/// Whether there are intervals or sets of classes.
fn has_ranges(kind: &TargetKind) -> bool {
    kind.is(&NUMBERS) || kind.is(&CLASSES) || kind.is(&ORDERED)
}

/// Whether what a number of a prediction is the probability of happened.
fn happened(kind: &TargetKind, part: usize, truth: &[f64]) -> bool {
    let part = part as f64;
    match () {
        () if kind.is(&LABELS) => truth.contains(&part),
        () if kind.is(&ORDERED) => truth.first().is_some_and(|own| *own <= part),
        () => truth.first() == Some(&part),
    }
}

impl TargetAdjustment {
    fn new(name: &str, held: &HeldTarget, adjust: Adjust) -> Self {
        let mut own = Self {
            name: name.to_owned(),
            curves: Vec::new(),
            rows: held.rows.len(),
            reach: None,
        };
        if let Some(how) = adjust.calibrate {
            own.curves = curves(how, held);
        }
        if let Some(level) = adjust.interval {
            let off = held.rows.iter().filter(|row| row.weight > 0.0).map(|row| {
                let mut predicted = row.predicted.clone();
                own.correct(&held.kind, &mut predicted);
                how_far_off(&held.kind, row, &predicted)
            });
            own.reach = quantile(off.collect(), level);
        }
        own
    }

    /// Puts the probabilities of a row right.
    fn correct(&self, kind: &TargetKind, numbers: &mut [f64]) {
        if self.curves.is_empty() {
            return;
        }
        if kind.is(&CLASSES) && numbers.len() == 2 {
            if let Some(Some(curve)) = self.curves.get(1) {
                let second = curve.at(numbers[1]);
                numbers.copy_from_slice(&[1.0 - second, second]);
            }
            return;
        }
        let before = numbers.to_vec();
        for (number, curve) in numbers.iter_mut().zip(&self.curves) {
            if let Some(curve) = curve {
                *number = curve.at(*number);
            }
        }
        if kind.is(&CLASSES) {
            let sum: f64 = numbers.iter().sum();
            match sum > 0.0 {
                true => numbers.iter_mut().for_each(|number| *number /= sum),
                false => numbers.copy_from_slice(&before),
            }
        }
        if let Some(labels) = kind.as_labels() {
            let own = numbers.to_vec();
            for (label, number) in (0..).zip(numbers.iter_mut()) {
                let mut above = labels.parent(label);
                while let Some(place) = above {
                    *number = number.min(own[place as usize]);
                    above = labels.parent(place);
                }
            }
        }
        kind.settle(numbers);
    }

    /// The ranges of rows.
    fn ranges(&self, output: &Output, level: f64) -> Option<Ranges> {
        let kind = output.kind();
        let rows = 0..output.len();
        let of = match kind.is(&NUMBERS) {
            true => {
                let reach = self.reach.unwrap_or(f64::INFINITY);
                let around = |row: usize| {
                    let middle = output.row(row)[0];
                    [middle - reach, middle + reach]
                };
                RangesOf::Numbers(rows.map(around).collect())
            }
            false => {
                let reach = self.reach.unwrap_or(1.0);
                let among = |row: usize| -> Option<Vec<u32>> {
                    let numbers = output.row(row);
                    let shares = kind.class_probabilities(numbers)?;
                    let best = kind.class(numbers)?;
                    let classes = shares.iter().zip(0_u32..);
                    let near = classes.filter(|(share, class)| {
                        // What is predicted is always among them.
                        1.0 - **share <= reach || *class == best
                    });
                    Some(near.map(|(_, class)| class).collect())
                };
                RangesOf::Classes(rows.map(among).collect::<Option<_>>()?)
            }
        };
        Some(Ranges { level, of })
    }
}

/// The curves of a target's probabilities.
fn curves(how: Calibration, held: &HeldTarget) -> Vec<Option<Curve>> {
    let width = held.kind.width();
    let one = |part: usize| {
        // Of two classes, one is what the other is not.
        if held.kind.is(&CLASSES) && width == 2 && part == 0 {
            return None;
        }
        let points: Vec<Point> = held
            .rows
            .iter()
            .map(|row| Point {
                predicted: row.predicted[part],
                happened: happened(&held.kind, part, &row.truth),
                weight: row.weight,
            })
            .collect();
        Curve::fit(how, &points)
    };
    (0..width).map(one).collect()
}

/// How far a prediction is off: the size of the error, or what the probability of the true class
/// lacks of one.
fn how_far_off(kind: &TargetKind, row: &HeldRow, predicted: &[f64]) -> f64 {
    match kind.class_probabilities(predicted) {
        Some(shares) => {
            let class = kind.true_class(&row.truth).unwrap_or(0) as usize;
            1.0 - shares.get(class).copied().unwrap_or(0.0)
        }
        None => (row.truth[0] - predicted[0]).abs(),
    }
}

/// What a new row is not farther off with a probability, as far as the others tell: the one of so
/// many that has its place among them and the new one. `None` where they are too few.
fn quantile(mut off: Vec<f64>, level: f64) -> Option<f64> {
    off.sort_by(f64::total_cmp);
    // 0.9 of 10 rows is the ninth, whatever is rounded.
    let place = ((off.len() + 1) as f64 * level - 1e-9).ceil() as usize;
    off.get(place.max(1) - 1).copied()
}

impl<L: Learner> Learner for AdjustingLearner<L> {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check(task)?;
        let folds = match task.view().len() < FEWEST && task.validation().is_none() {
            true => Vec::new(),
            false => folds(task, FOLDS, context),
        };
        let held: OutOfFold = out_of_fold(&self.inner, task, &folds, context)?;
        let model = self.inner.fit(task, context)?;
        let by = match folds.as_slice() {
            [] => "too few rows to divide".to_owned(),
            [only] if only.beside => "validation rows".to_owned(),
            several if is_timed(task.view()) => {
                let blocks = counted(several.len(), "block");
                format!("{blocks} in order of time, each by those before it")
            }
            several => format!("{} inner folds", several.len()),
        };
        let targets = task.targets().iter().zip(&held.targets);
        let targets = targets
            .map(|(target, held)| TargetAdjustment::new(target.name(), held, self.adjust))
            .collect();
        let adjustment = Adjustment {
            calibrate: self.adjust.calibrate,
            interval: self.adjust.interval,
            by,
            targets,
        };
        Ok(Box::new(Adjusted { adjustment, model }))
    }
}

/// A model whose predictions are put right.
pub struct Adjusted {
    adjustment: Adjustment,
    model: Box<dyn Model>,
}

impl Adjusted {
    /// Whether a model file holds a model whose predictions are put right.
    pub fn is_in(stored: &Stored) -> bool {
        stored.has(SECTION)
    }

    /// Reads the model; `load` reads the inner one.
    pub fn read(
        stored: &Stored,
        load: impl FnOnce(&Stored) -> Result<Box<dyn Model>>,
    ) -> Result<Self> {
        let adjustment: Adjustment = stored.json(SECTION)?;
        let inside = |level: f64| level > 0.0 && level < 1.0;
        let sound = adjustment.interval.is_none_or(inside)
            && adjustment.targets.iter().all(|target| {
                target.curves.iter().flatten().all(Curve::is_sound)
                    && target.reach.is_none_or(|reach| reach >= 0.0)
            });
        if !sound {
            return Err(invalid(SECTION, "curves or intervals that there are none of").into());
        }
        Ok(Self {
            adjustment,
            model: load(&stored.scope(INNER))?,
        })
    }

    /// The model whose predictions are put right.
    pub fn inner(&self) -> &dyn Model {
        &*self.model
    }

    fn corrected(&self, target: TargetPrediction, place: usize) -> TargetPrediction {
        let Some(own) = self.adjustment.targets.get(place) else {
            return target;
        };
        let kind = target.output.kind().clone();
        let width = kind.width().max(1);
        let mut numbers = target.output.into_numbers();
        numbers
            .chunks_exact_mut(width)
            .for_each(|row| own.correct(&kind, row));
        let output = Output::new(kind, numbers);
        let ranges = self.adjustment.interval;
        let ranges = ranges.and_then(|level| own.ranges(&output, level));
        TargetPrediction {
            name: target.name,
            output: output.with_ranges(ranges),
        }
    }

    /// What is put right, in words.
    fn summary(&self) -> String {
        let own = &self.adjustment;
        let mut text = String::new();
        if let Some(how) = own.calibrate {
            text += &format!("probabilities put right ({}) by {}\n", how.name(), own.by);
        }
        if let Some(level) = own.interval {
            for target in &own.targets {
                let reach = match target.reach {
                    Some(reach) => {
                        format!("a reach of {}", kinwood_values::text::number_text(reach))
                    }
                    None => "no bounds".to_owned(),
                };
                text += &format!(
                    "{}: intervals of probability {level} have {reach}, by {} ({})\n",
                    target.name,
                    own.by,
                    counted(target.rows, "row"),
                );
            }
        }
        text
    }
}

impl Model for Adjusted {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let predicted = self.model.predict(data, context)?.targets.into_iter();
        let targets = predicted.enumerate();
        Ok(Predictions {
            targets: targets
                .map(|(place, target)| self.corrected(target, place))
                .collect(),
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        sections.put_json(SECTION, &self.adjustment)?;
        self.model.write(&mut sections.scope(INNER))
    }

    fn show(&self) -> String {
        format!("{}\n{}", self.summary(), self.model.show())
    }

    fn to_json(&self) -> serde_json::Value {
        let mut shown = self.model.to_json();
        let own = &self.adjustment;
        if let Some(object) = shown.as_object_mut() {
            let targets = own.targets.iter().map(|target| {
                json!({
                    "target": target.name,
                    "rows": target.rows,
                    "reach": target.reach,
                    "curves": target.curves,
                })
            });
            let adjusted = json!({
                "calibrate": own.calibrate.map(Calibration::name),
                "interval": own.interval,
                "by": own.by,
                "targets": targets.collect::<Vec<_>>(),
            });
            object.insert("adjusted".to_owned(), adjusted);
        }
        shown
    }

    fn facts(&self) -> ModelFacts {
        self.model.facts()
    }

    fn neighbours(
        &self,
        data: &View,
        count: usize,
        context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        self.model.neighbours(data, count, context)
    }

    fn contributions(&self, data: &View, context: &Context) -> Option<Result<Vec<Contributions>>> {
        self.model.contributions(data, context)
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        self.model.decisions(data, context)
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        self.model.explain(data, row, most)
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        match self.adjustment.calibrate {
            Some(_) => Some(Err(Gap::Calibrated.into())),
            None => self.model.sql(asked),
        }
    }

    fn view(&self, name: &str, asked: Asked, seen: Option<&Seen>) -> Option<Result<String>> {
        match self.adjustment.calibrate {
            Some(_) => Some(Err(Gap::Calibrated.into())),
            None => self.model.view(name, asked, seen),
        }
    }

    fn reads_one_table(&self) -> bool {
        self.model.reads_one_table()
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        self.model.members()
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        self.model.pick(member)
    }

    fn drawing(&self) -> Option<Drawing> {
        self.model.drawing()
    }

    fn sums(&self) -> Option<Vec<SumDrawn>> {
        self.model.sums()
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        self.model.visited(data, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_counts_the_new_row_too() {
        let off: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(quantile(off.clone(), 0.9), Some(9.0));
        assert_eq!(quantile(off.clone(), 0.91), None);
        assert_eq!(quantile(off, 0.5), Some(5.0));
        assert_eq!(quantile(Vec::new(), 0.5), None);
    }
}
