//! A series of numbers, such as a vector or a time series: a prediction is a series.
//!
//! Series of one length are points, and the prediction is the mean of those in a leaf. Under any
//! other distance, declared with the column, there is no mean: the prediction is then a medoid, the
//! series of training that is least far from the others, which may be of any length. A prediction
//! says how probable each series of training is, as with classes, so that predictions of several
//! trees can be averaged; what is predicted is the most probable one.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

pub use kinwood_similarity::algorithms::warping::Warping;
use kinwood_similarity::{DistanceOn, Registry};
use kinwood_values::{Cells, Column, Type, Value};

use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind, first_greatest};

/// How series are listed.
pub const SERIES: KindEntry = KindEntry {
    name: "series",
    shown: "series",
    one: "a series",
    words: "series",
    of: "list<numeric>",
    measure: "series_rmse",
    probabilities: false,
    alone: Some(": a series is predicted alone"),
    recognise: |columns| {
        let rows = 0..columns.values.column.len();
        let all = rows.filter_map(|row| numbers(&columns.values.column, row));
        let all: Vec<Vec<f64>> = all.collect();
        let declared = columns.values.distance.as_deref().unwrap_or(EUCLIDEAN);
        is_series(&columns.values.column)
            .then(|| Series::new(all, declared))
            .flatten()
            .map(TargetKind::new)
    },
    read: |terms| {
        let length = terms.numbers.first().map(|length| *length as usize);
        match (terms.expression.as_deref(), length) {
            (Some(declared), _) => Series::new(terms.rows, declared),
            (None, Some(length)) if length > 0 && length < LONGEST => Some(Series::Mean { length }),
            (None, _) => None,
        }
        .map(TargetKind::new)
        .ok_or("no series of one length, and no distance for others")
    },
};

/// The distance that has means.
const EUCLIDEAN: &str = "euclidean";
/// More numbers than any series has.
const LONGEST: usize = 1 << 32;

/// A series of numbers. A true value is the numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Series {
    /// Of one length, averaged.
    Mean {
        /// The length.
        length: usize,
    },
    /// One of the series of training.
    Medoid(Arc<Candidates>),
}

/// The series that can be predicted, and how far apart they are.
#[derive(Clone)]
pub struct Candidates {
    rows: Vec<Vec<f64>>,
    distance: DistanceOn,
}

impl fmt::Debug for Candidates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Candidates")
            .field("rows", &self.rows)
            .field("distance", &self.expression())
            .finish()
    }
}

impl PartialEq for Candidates {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.expression() == other.expression()
    }
}

impl Candidates {
    /// The series, each once, in the order of their first appearance.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The place of a series; `None` of one that training did not have.
    pub fn place(&self, series: &[f64]) -> Option<usize> {
        self.rows.iter().position(|row| row == series)
    }

    /// The distance as an expression.
    pub fn expression(&self) -> String {
        self.distance.expression().to_string()
    }

    /// How far a series is from another.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let column = |series: &[f64]| column_of(std::slice::from_ref(&series.to_vec()));
        let pairs = self.distance.bind_real(&column(a), &column(b), "a series");
        let mut out = [0.0];
        if let Ok(pairs) = pairs {
            pairs.prepare(0).fill(0..1, &mut out);
        }
        out[0]
    }

    /// The squared distances of all series, a row after the other.
    pub fn squares(&self) -> Vec<f64> {
        let (column, count) = (column_of(&self.rows), self.rows.len());
        let mut squares = vec![0.0; count * count];
        if let Ok(pairs) = self.distance.bind_real(&column, &column, "a series") {
            for (place, row) in squares.chunks_mut(count.max(1)).enumerate() {
                pairs.prepare(place).fill(0..count, row);
                row.iter_mut().for_each(|distance| *distance *= *distance);
            }
        }
        squares
    }
}

/// The type of a series.
fn of_series() -> Type {
    Type::List(Box::new(Type::Numeric))
}

fn is_series(column: &Column) -> bool {
    column.type_of() == of_series()
}

fn value(series: &[f64]) -> Value {
    Value::List(series.iter().map(|number| Value::Number(*number)).collect())
}

fn column_of(rows: &[Vec<f64>]) -> Column {
    let values: Vec<Value> = rows.iter().map(|row| value(row)).collect();
    Column::from_values(&of_series(), &values).expect("lists of numbers")
}

/// The numbers of a row; `None` where the series or one of its numbers is missing.
fn numbers(column: &Column, row: usize) -> Option<Vec<f64>> {
    let Cells::Collection { members, .. } = column.cells() else {
        return None;
    };
    let known = column.is_present(row);
    let mut numbers = members.range(row).map(|item| members.child.number(item));
    known.then(|| numbers.by_ref().collect::<Option<_>>())?
}

impl Series {
    /// The kind of some series under a distance; `None` of none, and of series of different lengths
    /// where the distance needs one length.
    pub fn new(rows: Vec<Vec<f64>>, declared: &str) -> Option<Self> {
        let length = rows.first()?.len();
        if declared == EUCLIDEAN {
            let same = length > 0 && rows.iter().all(|row| row.len() == length);
            return same.then_some(Series::Mean { length });
        }
        let expression = declared.parse().ok()?;
        let registry = Registry::known();
        let distance = registry.distance(&expression, &of_series(), None, "a series");
        let mut distinct: Vec<Vec<f64>> = Vec::new();
        for row in rows {
            if !distinct.contains(&row) {
                distinct.push(row);
            }
        }
        Some(Series::Medoid(Arc::new(Candidates {
            rows: distinct,
            distance: distance.ok()?,
        })))
    }

    /// The series that numbers of a prediction say.
    pub fn said<'a>(&'a self, numbers: &'a [f64]) -> &'a [f64] {
        match self {
            Series::Mean { .. } => numbers,
            Series::Medoid(candidates) => &candidates.rows[first_greatest(numbers)],
        }
    }
}

impl Kind for Series {
    fn entry(&self) -> &'static KindEntry {
        &SERIES
    }

    fn width(&self) -> usize {
        match self {
            Series::Mean { length } => *length,
            Series::Medoid(candidates) => candidates.rows.len(),
        }
    }

    fn parts(&self) -> Vec<String> {
        match self {
            Series::Mean { length } => (1..=*length).map(|place| place.to_string()).collect(),
            Series::Medoid(candidates) => {
                let rows = candidates.rows.iter();
                rows.map(|row| value(row).to_string()).collect()
            }
        }
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        numbers(&columns.values.column, row)
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        value(truth)
    }

    fn value(&self, numbers: &[f64]) -> Value {
        value(self.said(numbers))
    }

    fn vote(&self, numbers: &mut [f64]) {
        if let Series::Medoid(_) = self {
            let best = first_greatest(numbers);
            numbers.fill(0.0);
            numbers[best] = 1.0;
        }
    }

    /// Series, whatever was said of those of training.
    fn aligned(&self, known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        match known.as_kind::<Series>() {
            Some(known) => known.said(numbers).to_vec(),
            None => numbers.to_vec(),
        }
    }

    fn ranged(&self) -> bool {
        matches!(self, Series::Mean { .. })
    }

    /// The squared distance of the series.
    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        let said = self.said(numbers);
        match self {
            Series::Mean { .. } => {
                let pairs = truth.iter().zip(said);
                pairs.map(|(a, b)| (a - b).powi(2)).sum()
            }
            Series::Medoid(candidates) => candidates.distance(truth, said).powi(2),
        }
    }

    fn extent(&self) -> String {
        match self {
            Series::Mean { length } => format!("series of {length}"),
            Series::Medoid(candidates) => format!("series by {}", candidates.expression()),
        }
    }

    fn fits(&self, truth: &[f64]) -> bool {
        truth.iter().all(|number| number.is_finite())
    }

    fn terms(&self) -> KindTerms {
        match self {
            Series::Mean { length } => KindTerms {
                numbers: vec![*length as f64],
                ..KindTerms::default()
            },
            Series::Medoid(candidates) => KindTerms {
                rows: candidates.rows.clone(),
                expression: Some(candidates.expression()),
                ..KindTerms::default()
            },
        }
    }

    fn same(&self, other: &dyn Kind) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
