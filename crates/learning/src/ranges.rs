//! Between which numbers, or among which classes, the truth lies.

/// Where the truth of each row lies with a probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// The probability.
    pub level: f64,
    /// By row.
    pub of: RangesOf,
}

/// What rows have.
#[derive(Clone, Debug, PartialEq)]
pub enum RangesOf {
    /// The least and the greatest number.
    Numbers(Vec<[f64; 2]>),
    /// Classes by their places, rising.
    Classes(Vec<Vec<u32>>),
}

impl Ranges {
    /// The least and the greatest number of a row; `None` where classes are predicted.
    pub fn interval(&self, row: usize) -> Option<[f64; 2]> {
        match &self.of {
            RangesOf::Numbers(intervals) => intervals.get(row).copied(),
            RangesOf::Classes(_) => None,
        }
    }

    /// The classes of a row; `None` where numbers are predicted.
    pub fn classes(&self, row: usize) -> Option<&[u32]> {
        match &self.of {
            RangesOf::Numbers(_) => None,
            RangesOf::Classes(sets) => sets.get(row).map(Vec::as_slice),
        }
    }

    /// Whether a row's range has a true value, in the terms of the target's kind.
    pub fn has(&self, row: usize, truth: &[f64]) -> bool {
        let Some(&truth) = truth.first() else {
            return false;
        };
        match (self.interval(row), self.classes(row)) {
            (Some([least, most]), _) => least <= truth && truth <= most,
            (_, Some(classes)) => classes.contains(&(truth as u32)),
            _ => false,
        }
    }

    /// How wide the range of a row is: the difference of its numbers, or how many classes it has.
    pub fn size(&self, row: usize) -> f64 {
        match (self.interval(row), self.classes(row)) {
            (Some([least, most]), _) => most - least,
            (_, Some(classes)) => classes.len() as f64,
            _ => f64::NAN,
        }
    }

    /// Adds those of further rows.
    pub fn extend(&mut self, more: Ranges) {
        match (&mut self.of, more.of) {
            (RangesOf::Numbers(own), RangesOf::Numbers(more)) => own.extend(more),
            (RangesOf::Classes(own), RangesOf::Classes(more)) => own.extend(more),
            _ => {}
        }
    }
}
