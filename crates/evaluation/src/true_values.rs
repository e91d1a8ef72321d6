//! True values of a target as numbers, whatever kind of target it is.

use kinwood_learning::target::TargetKind;

/// True values of a target, each a few numbers in the terms of its kind; none where they are
/// missing.
#[derive(Clone, Debug, PartialEq)]
pub struct TrueValues {
    kind: TargetKind,
    numbers: Vec<f64>,
    /// Where the numbers of each row end, and whether it has any.
    rows: Vec<(usize, bool)>,
}

impl TrueValues {
    /// The values of rows.
    pub fn new<N: AsRef<[f64]>>(
        kind: TargetKind,
        values: impl IntoIterator<Item = Option<N>>,
    ) -> Self {
        let mut numbers = Vec::new();
        let rows = values.into_iter().map(|row| {
            let known = row.is_some();
            if let Some(row) = row {
                numbers.extend_from_slice(row.as_ref());
            }
            (numbers.len(), known)
        });
        let rows = rows.collect();
        Self {
            kind,
            numbers,
            rows,
        }
    }

    /// What the target is.
    pub fn kind(&self) -> &TargetKind {
        &self.kind
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of rows whose value is missing.
    pub fn missing(&self) -> usize {
        self.rows.iter().filter(|(_, known)| !known).count()
    }

    /// The numbers of a row; none where its value is missing.
    pub fn row(&self, row: usize) -> Option<&[f64]> {
        let (end, known) = self.rows[row];
        let start = row.checked_sub(1).map_or(0, |before| self.rows[before].0);
        known.then(|| &self.numbers[start..end])
    }

    /// The class of a row by its place among the classes, if it is known and the target is a class.
    pub fn class(&self, row: usize) -> Option<u32> {
        self.kind.true_class(self.row(row)?)
    }

    /// The classes of all rows; `None` where the target is no class.
    pub fn classes(&self) -> Option<Vec<Option<u32>>> {
        self.kind.true_class(&[0.0])?;
        Some((0..self.len()).map(|row| self.class(row)).collect())
    }

    /// The number of a row, if it is known and the target is a number.
    pub fn number(&self, row: usize) -> Option<f64> {
        let number = self.row(row)?.first().copied();
        number.filter(|_| self.kind.is_number())
    }

    /// The labels of a row by their places, if they are known and the target is a set of labels.
    pub fn labels(&self, row: usize) -> Option<Vec<u32>> {
        self.kind.as_labels()?;
        let labels = self.row(row)?.iter().map(|label| *label as u32);
        Some(labels.collect())
    }
}
