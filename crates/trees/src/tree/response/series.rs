//! One target of series: the mean squared distance, and a mean or a medoid in the leaves.
//!
//! Series of one length are points, whose spread is that around their mean. Under any other
//! distance the spread is half the mean squared distance of two series, which is the same for
//! points; a leaf says the series whose squared distances to the others add up to the least.
//!
//! Reference: S. Džeroski, V. Gjorgjioski, I. Slavkov and J. Struyf, Analysis of time series data
//! with predictive clustering trees, Knowledge Discovery in Inductive Databases, 2006.

use kinwood_learning::drawing::{Mark, amount, short};
use kinwood_learning::target::{KindEntry, SERIES, Series, TargetKind};
use kinwood_learning::task::Target;
use serde_json::{Value, json};

use super::answer::{Answer, Answers, Fields, LeafNumbers, LeafObjects, LeafWords, Unlikeness};
use super::grouped::by_number;
use super::{Examples, Grouping, OfTarget, Response, Single};

/// Series of one length.
pub struct MeanSeries {
    /// Rows times length, centred so that squares keep their digits.
    numbers: Vec<f64>,
    centre: Vec<f64>,
    scale: f64,
    slack: f64,
}

/// Sums over series of one length.
#[derive(Clone, Debug)]
pub struct PointSums {
    weight: f64,
    sums: Vec<f64>,
    squares: f64,
}

impl PointSums {
    fn empty(length: usize) -> Self {
        Self {
            weight: 0.0,
            sums: vec![0.0; length],
            squares: 0.0,
        }
    }

    fn add(&mut self, numbers: &[f64], weight: f64) {
        self.weight += weight;
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum += weight * number;
            self.squares += weight * number * number;
        }
    }

    fn deviations(&self) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let between: f64 = self.sums.iter().map(|sum| sum * sum).sum();
        (self.squares - between / self.weight).max(0.0)
    }

    fn answer(&self, centre: &[f64]) -> Answer {
        let settled = |number: f64, of: f64| match number.abs() < 1e-14 * of {
            true => 0.0,
            false => number,
        };
        let weight = self.weight.max(f64::MIN_POSITIVE);
        let mean = self.sums.iter().zip(centre);
        let mean = mean.map(|(sum, centre)| settled(sum / weight + centre, centre.abs()));
        let squares = settled(self.deviations(), self.squares);
        SeriesLeaf::mean(self.weight.max(0.0), squares, mean.collect())
    }
}

impl MeanSeries {
    fn row(&self, row: usize) -> &[f64] {
        let length = self.centre.len();
        &self.numbers[row * length..(row + 1) * length]
    }
}

impl OfTarget for MeanSeries {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let Series::Mean { length } = single.kind.as_kind::<Series>()? else {
            return None;
        };
        let mut numbers = Vec::with_capacity(single.rows * length);
        for row in 0..single.rows {
            let mut series = single.target.truth(row).unwrap_or_default();
            series.resize(*length, 0.0);
            numbers.extend(series);
        }
        let mut whole = PointSums::empty(*length);
        for (row, series) in numbers.chunks(*length).enumerate() {
            whole.add(series, single.weight(row));
        }
        let total = whole.weight.max(f64::MIN_POSITIVE);
        let centre: Vec<f64> = whole.sums.iter().map(|sum| sum / total).collect();
        let mut centred = PointSums::empty(*length);
        for (row, series) in numbers.chunks_mut(*length).enumerate() {
            let pairs = series.iter_mut().zip(&centre);
            pairs.for_each(|(number, centre)| *number -= centre);
            centred.add(series, single.weight(row));
        }
        let deviations = centred.deviations();
        Some(Self {
            numbers,
            centre,
            scale: match deviations > 0.0 {
                true => total / deviations,
                false => 1.0,
            },
            slack: 1e-12 * total,
        })
    }
}

impl Response for MeanSeries {
    type Local = Vec<u32>;
    type Summary = PointSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    /// By the place at which the series differ most.
    fn groups(&self, examples: &Examples<'_, PointSums>, most: usize) -> Grouping {
        let mut squares = vec![0.0; self.centre.len()];
        let weight = examples.whole.weight.max(f64::MIN_POSITIVE);
        for (place, &row) in examples.rows.iter().enumerate() {
            for (at, number) in self.row(row as usize).iter().enumerate() {
                let mean = examples.whole.sums[at] / weight;
                squares[at] += examples.weight(place) * (number - mean).powi(2);
            }
        }
        let at = super::heaviest(&squares);
        let numbers = examples.rows.iter().map(|&row| self.row(row as usize)[at]);
        let numbers: Vec<f64> = numbers.collect();
        by_number(&numbers, |place| examples.weight(place), most)
    }

    fn empty(&self) -> PointSums {
        PointSums::empty(self.centre.len())
    }

    fn add(&self, summary: &mut PointSums, local: &Vec<u32>, place: usize, weight: f64) {
        summary.add(self.row(local[place] as usize), weight);
    }

    fn remove(&self, summary: &mut PointSums, local: &Vec<u32>, place: usize, weight: f64) {
        summary.add(self.row(local[place] as usize), -weight);
    }

    fn join(&self, summary: &mut PointSums, other: &PointSums, times: f64) {
        summary.weight += times * other.weight;
        summary.squares += times * other.squares;
        for (sum, other) in summary.sums.iter_mut().zip(&other.sums) {
            *sum += times * other;
        }
    }

    fn weight(&self, summary: &PointSums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &PointSums) -> f64 {
        summary.deviations() * self.scale
    }

    /// By the sum of the numbers.
    fn level(&self, summary: &PointSums, _: &PointSums) -> f64 {
        summary.sums.iter().sum::<f64>() / summary.weight.max(f64::MIN_POSITIVE)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        answers.targets.first().map_or(0.0, Answer::squares) * self.scale
    }

    fn answers(&self, examples: &Examples<'_, PointSums>) -> Vec<Answer> {
        let summary = examples.whole;
        vec![summary.answer(&self.centre)]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

/// Series under a distance.
pub struct MedoidSeries {
    /// The place of each row's series among the different ones.
    places: Vec<u32>,
    /// Squared distances of the different series, a row after the other.
    squares: Vec<f64>,
    count: usize,
    scale: f64,
    slack: f64,
}

/// Different series beyond which their distances would fill the memory.
const MOST_SERIES: usize = 16_384;

/// Sums over series under a distance.
#[derive(Clone, Debug)]
pub struct PairSums {
    weight: f64,
    /// The weight of each different series.
    weights: Vec<f64>,
    /// The sum over pairs of series of their squared distance, times both weights.
    pairs: f64,
}

impl MedoidSeries {
    fn row(&self, place: usize) -> &[f64] {
        &self.squares[place * self.count..(place + 1) * self.count]
    }

    fn shift(&self, summary: &mut PairSums, place: usize, weight: f64) {
        let others = self.row(place).iter().zip(&summary.weights);
        let others: f64 = others.map(|(square, weight)| square * weight).sum();
        summary.pairs += 2.0 * weight * others;
        summary.weights[place] += weight;
        summary.weight += weight;
    }

    fn deviations(&self, summary: &PairSums) -> f64 {
        match summary.weight > 0.0 {
            true => (summary.pairs / (2.0 * summary.weight)).max(0.0),
            false => 0.0,
        }
    }
}

/// The series of least summed squared distance to all, the first of equals, and that sum. What has
/// no weight is no candidate.
fn medoid(squares: &[f64], weights: &[f64]) -> (usize, f64) {
    let mut best: Option<(usize, f64)> = None;
    for (place, row) in squares.chunks(weights.len().max(1)).enumerate() {
        if weights[place] <= 0.0 {
            continue;
        }
        let sum: f64 = row
            .iter()
            .zip(weights)
            .map(|(square, weight)| square * weight.max(0.0))
            .sum();
        if best.is_none_or(|(_, least)| sum < least) {
            best = Some((place, sum));
        }
    }
    best.unwrap_or((0, 0.0))
}

impl OfTarget for MedoidSeries {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let Series::Medoid(candidates) = single.kind.as_kind::<Series>()? else {
            return None;
        };
        let count = candidates.rows().len();
        if count > MOST_SERIES {
            return None;
        }
        let place = |row: usize| {
            let series = single.target.truth(row).unwrap_or_default();
            candidates.place(&series).unwrap_or(0) as u32
        };
        let mut response = Self {
            places: (0..single.rows).map(place).collect(),
            squares: candidates.squares(),
            count,
            scale: 1.0,
            slack: 0.0,
        };
        let mut whole = response.empty();
        for row in 0..single.rows {
            response.shift(
                &mut whole,
                response.places[row] as usize,
                single.weight(row),
            );
        }
        let deviations = response.deviations(&whole);
        if deviations > 0.0 {
            response.scale = whole.weight / deviations;
        }
        response.slack = 1e-12 * whole.weight;
        Some(response)
    }
}

impl Response for MedoidSeries {
    type Local = Vec<u32>;
    type Summary = PairSums;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.places[row as usize]).collect()
    }

    /// By how far the series are from the medoid.
    fn groups(&self, examples: &Examples<'_, PairSums>, most: usize) -> Grouping {
        let (medoid, _) = medoid(&self.squares, &examples.whole.weights);
        let distance = |&row: &u32| self.row(medoid)[self.places[row as usize] as usize].sqrt();
        let distances: Vec<f64> = examples.rows.iter().map(distance).collect();
        by_number(&distances, |place| examples.weight(place), most)
    }

    fn empty(&self) -> PairSums {
        PairSums {
            weight: 0.0,
            weights: vec![0.0; self.count],
            pairs: 0.0,
        }
    }

    fn add(&self, summary: &mut PairSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, weight);
    }

    fn remove(&self, summary: &mut PairSums, local: &Vec<u32>, place: usize, weight: f64) {
        self.shift(summary, local[place] as usize, -weight);
    }

    fn join(&self, summary: &mut PairSums, other: &PairSums, times: f64) {
        for (place, weight) in other.weights.iter().enumerate() {
            if *weight != 0.0 {
                self.shift(summary, place, times * weight);
            }
        }
    }

    fn weight(&self, summary: &PairSums) -> f64 {
        summary.weight
    }

    fn spread(&self, summary: &PairSums) -> f64 {
        self.deviations(summary) * self.scale
    }

    /// By how far the medoid of the group is from that of all.
    fn level(&self, summary: &PairSums, whole: &PairSums) -> f64 {
        let (all, _) = medoid(&self.squares, &whole.weights);
        let (own, _) = medoid(&self.squares, &summary.weights);
        self.row(all)[own].sqrt()
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        let own = answers.targets.first();
        own.map_or(0.0, |answer| answer.numbers()[2]) * self.scale
    }

    fn answers(&self, examples: &Examples<'_, PairSums>) -> Vec<Answer> {
        let summary = examples.whole;
        let (medoid, squares) = medoid(&self.squares, &summary.weights);
        vec![SeriesLeaf::medoid(
            summary.weight.max(0.0),
            squares,
            self.deviations(summary),
            medoid,
            self.count,
        )]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}

/// A series in a leaf: the weight of the examples, the sum of their squared distances to what is
/// said, half that of their mean squared distance to each other, the place of the medoid, if it is
/// one, and the mean otherwise.
pub struct SeriesLeaf;

/// Stands for the place of a medoid where there is none.
const NO_MEDOID: f64 = -1.0;
/// The numbers before the mean.
const HEAD: usize = 5;
/// How many numbers of a series are listed.
const LISTED: usize = 5;

impl SeriesLeaf {
    fn mean(weight: f64, squares: f64, mean: Vec<f64>) -> Answer {
        let mut numbers = vec![weight, squares, squares, NO_MEDOID, mean.len() as f64];
        numbers.extend(mean);
        Answer::new(&SeriesLeaf, numbers)
    }

    fn medoid(weight: f64, squares: f64, deviations: f64, medoid: usize, width: usize) -> Answer {
        let numbers = vec![weight, squares, deviations, medoid as f64, width as f64];
        Answer::new(&SeriesLeaf, numbers)
    }

    /// What is said, as a series.
    fn series<'a>(kind: &'a TargetKind, numbers: &'a [f64]) -> &'a [f64] {
        match kind.as_kind::<Series>() {
            Some(Series::Medoid(candidates)) => &candidates.rows()[numbers[3] as usize],
            _ => &numbers[HEAD..],
        }
    }

    /// The root of the mean squared distance to what is said.
    fn deviation(numbers: &[f64]) -> f64 {
        match numbers[0] > 0.0 {
            true => (numbers[1] / numbers[0]).sqrt(),
            false => 0.0,
        }
    }
}

impl LeafNumbers for SeriesLeaf {
    fn entry(&self) -> &'static KindEntry {
        &SERIES
    }

    fn fields(&self) -> Fields {
        Fields {
            first: &["weight", "squares", "deviations", "medoid", "width"],
            others: "mean",
        }
    }

    fn length(&self, kind: &TargetKind) -> usize {
        match kind.as_kind::<Series>() {
            Some(Series::Mean { length }) => HEAD + length,
            _ => HEAD,
        }
    }

    fn fault(&self, kind: &TargetKind, numbers: &[f64]) -> Option<&'static str> {
        let fits = numbers.len() == self.length(kind)
            && numbers.iter().all(|number| number.is_finite())
            && numbers[..3].iter().all(|number| *number >= 0.0)
            && numbers[4] == kind.width() as f64
            && match kind.as_kind::<Series>() {
                Some(Series::Medoid(_)) => {
                    let place = numbers[3];
                    place >= 0.0 && place.fract() == 0.0 && place < kind.width() as f64
                }
                _ => numbers[3] == NO_MEDOID,
            };
        (!fits).then_some("no series of its target")
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
        numbers[4] as usize
    }

    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]) {
        if numbers[3] >= 0.0 {
            out[numbers[3] as usize] += share;
            return;
        }
        for (out, number) in out.iter_mut().zip(&numbers[HEAD..]) {
            *out += share * number;
        }
    }

    fn compared(&self, numbers: &[f64], _whole: bool) -> (Unlikeness, Vec<f64>) {
        if numbers[3] >= 0.0 {
            let same = Unlikeness::Same {
                of: numbers[4] as usize,
            };
            return (same, vec![numbers[3]]);
        }
        // One number has a range, many have none: that of the series' levels.
        let level = numbers[HEAD..].iter().sum::<f64>() / numbers[4].max(1.0);
        (Unlikeness::Ranged, vec![level])
    }

    fn loss(&self, kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64 {
        let mut said = vec![0.0; self.width(numbers)];
        self.say(numbers, 1.0, &mut said);
        self.loss_of(kind, target, row, &said).unwrap_or(0.0)
    }

    fn loss_of(&self, kind: &TargetKind, target: &Target, row: usize, said: &[f64]) -> Option<f64> {
        Some(kind.distance(&target.truth(row)?, said))
    }

    fn measured(&self, mean: f64) -> (&'static str, f64) {
        ("root mean squared distance", mean.sqrt())
    }
}

fn digits(number: f64) -> String {
    short(number, 4, -5.0..15.0)
}

impl LeafWords for SeriesLeaf {
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String {
        let series = Self::series(kind, numbers);
        let listed = series.iter().take(LISTED).map(|number| digits(*number));
        let listed = listed.collect::<Vec<_>>().join(", ");
        let more = if series.len() > LISTED { ", ..." } else { "" };
        format!(
            "[{listed}{more}] sd {} of {}",
            digits(Self::deviation(numbers)),
            amount(numbers[0])
        )
    }

    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> Value {
        let what = match numbers[3] >= 0.0 {
            true => "medoid",
            false => "mean",
        };
        let deviation = Self::deviation(numbers);
        let series = Self::series(kind, numbers);
        json!({"weight": numbers[0], what: series, "sd": deviation})
    }

    fn mark(&self, kind: &TargetKind, numbers: &[f64]) -> Mark {
        let series = Self::series(kind, numbers);
        let points = series.iter().enumerate();
        let said = match (series.first(), series.last()) {
            (Some(first), Some(last)) => format!("{} … {}", digits(*first), digits(*last)),
            _ => "[]".to_owned(),
        };
        Mark::Line {
            points: points.map(|(at, number)| (at as f64, *number)).collect(),
            steps: false,
            said,
            ground: format!(
                "sd {} of {}",
                digits(Self::deviation(numbers)),
                amount(numbers[0])
            ),
        }
    }
}

impl LeafObjects for SeriesLeaf {
    /// The series themselves, where they are of one length.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>> {
        let Series::Mean { length } = kind.as_kind::<Series>()? else {
            return None;
        };
        let mut points = vec![f64::NAN; weights.len() * length];
        for (object, point) in points.chunks_mut(*length).enumerate() {
            if let Some(series) = target.truth(object) {
                let pairs = point.iter_mut().zip(series);
                pairs.for_each(|(point, number)| *point = number);
            }
        }
        Some(points)
    }

    fn gathered(
        &self,
        kind: &TargetKind,
        target: &Target,
        objects: &[u32],
        weights: &[f64],
    ) -> Vec<f64> {
        let mut sums = PointSums::empty(kind.width());
        let each = objects.iter().map(|&object| object as usize);
        for (object, series) in each.filter_map(|object| Some((object, target.truth(object)?))) {
            sums.add(&series, weights[object]);
        }
        sums.answer(&vec![0.0; kind.width()]).numbers().to_vec()
    }
}

#[cfg(test)]
mod tests;
