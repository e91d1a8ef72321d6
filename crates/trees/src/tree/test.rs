//! Tests on one column: a threshold for numbers, a subset for labels, the nearest of some
//! prototypes for any value, what a structured value contains and how large it is.

use kinwood_values::{Cells as ColumnCells, Column};
use serde::{Deserialize, Serialize};

use crate::contents::{Found, calendar};

/// By how much, relative to each other, distances may differ that count as equal: the order of a
/// sum must not decide a tree.
pub const TOLERANCE: f64 = 1e-9;

/// A test on a column. It leads into one of its branches, or cannot be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// The number or date is greater than the threshold: branch 0, else 1.
    Above {
        /// Where the column stands in its table.
        column: u32,
        /// The threshold: a value of the data, the largest of the lower side, or one between.
        threshold: f64,
    },
    /// The label is one of these: branch 0, else 1.
    Among {
        /// Where the column stands in its table.
        column: u32,
        /// The codes of the labels, ascending.
        values: Vec<u32>,
    },
    /// The prototype that the number or date is nearest to.
    Around {
        /// Where the column stands in its table.
        column: u32,
        /// The prototypes and the cells around them.
        cells: Cells,
    },
    /// The prototype that the value is nearest to.
    Nearest {
        /// Where the column stands in its table; tables that keys lead to stand after its columns.
        column: u32,
        /// The prototypes.
        nearest: Nearest,
    },
    /// The structured value contains one of these, or the time is in one of these months, on one of
    /// these weekdays or at one of these hours: branch 0, else 1.
    Has {
        /// Where the column stands in its table.
        column: u32,
        /// The items by their places among those that the input keeps, those of times among
        /// [`calendar::items`]; ascending, of one kind.
        items: Vec<u32>,
    },
    /// The structured value has at least so many members or characters: branch 0, else 1.
    Size {
        /// Where the column stands in its table; tables that keys lead to stand after its columns.
        column: u32,
        /// How many.
        least: u32,
    },
}

/// Numbers as prototypes, a branch each, and the cells of the line that each attracts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The prototypes, by branch.
    pub prototypes: Vec<f64>,
    /// Where cells end, rising; a number on the bound belongs to the lower cell.
    pub bounds: Vec<f64>,
    /// The branch of each cell, of which there is one more than bounds.
    pub branches: Vec<u32>,
}

impl Cells {
    /// Each number belongs to the nearest prototype; on a tie to the later one.
    pub fn midway(prototypes: Vec<f64>) -> Self {
        let mut order: Vec<u32> = (0..prototypes.len() as u32).collect();
        order.sort_by(|&a, &b| prototypes[a as usize].total_cmp(&prototypes[b as usize]));
        let bound = |pair: &[u32]| {
            let (lower, upper) = (prototypes[pair[0] as usize], prototypes[pair[1] as usize]);
            let middle = lower / 2.0 + upper / 2.0;
            // Distances that differ by rounding alone are a tie.
            let tie = TOLERANCE / 4.0 * (upper - lower);
            let bound = if pair[1] > pair[0] {
                middle - tie
            } else {
                middle + tie
            };
            if bound >= lower && bound < upper {
                bound
            } else {
                lower
            }
        };
        Self {
            bounds: order.windows(2).map(bound).collect(),
            branches: order,
            prototypes,
        }
    }

    /// Each number belongs to the prototype that is nearest in units of its reach; on a tie to the
    /// later one. A prototype of long reach may own what lies beyond that of a short one.
    pub fn reaching(prototypes: Vec<f64>, reach: &[f64]) -> Self {
        let mut crossings = Vec::new();
        for a in 0..prototypes.len() {
            for b in 0..a {
                let (p, q, s, t) = (prototypes[a], prototypes[b], reach[a], reach[b]);
                crossings.push((p * t + q * s) / (s + t));
                if s != t {
                    crossings.push((p * t - q * s) / (t - s));
                }
            }
        }
        crossings.retain(|crossing| crossing.is_finite());
        crossings.sort_by(f64::total_cmp);
        crossings.dedup();
        let nearest = |number: f64| {
            let distances: Vec<f64> = prototypes.iter().map(|p| (p - number).abs()).collect();
            nearest_of(&distances, reach) as u32
        };
        let Some((&first, &last)) = crossings.first().zip(crossings.last()) else {
            return Self::midway(prototypes);
        };
        let wide = 1.0 + (last - first).abs() + first.abs().max(last.abs());
        let mut branches = vec![nearest(first - wide)];
        let mut bounds = Vec::new();
        for (place, &bound) in crossings.iter().enumerate() {
            let next = crossings.get(place + 1).copied().unwrap_or(last + wide);
            let branch = nearest(bound / 2.0 + next / 2.0);
            if branches.last() != Some(&branch) {
                bounds.push(bound);
                branches.push(branch);
            }
        }
        Self {
            prototypes,
            bounds,
            branches,
        }
    }

    /// The branch of a number.
    pub fn branch(&self, number: f64) -> usize {
        let cell = self.bounds.partition_point(|bound| number > *bound);
        self.branches[cell] as usize
    }
}

/// Values as prototypes, a branch each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nearest {
    /// The prototypes by branch: codes of labels, or places among the values that the input keeps.
    pub prototypes: Vec<u32>,
    /// In what unit the distance to each counts; empty where all count the same.
    pub reach: Vec<f64>,
    /// Which of the distances of the input: 0 for its own.
    #[serde(default, skip_serializing_if = "is_own")]
    pub measure: u32,
}

fn is_own(measure: &u32) -> bool {
    *measure == 0
}

impl Nearest {
    /// The branch of a value at these distances from the prototypes; on a tie the last.
    pub fn nearest(&self, distances: &[f64]) -> usize {
        nearest_of(distances, &self.reach)
    }

    /// The branch of a label: labels are as near as they are equal.
    pub fn branch_of_label(&self, code: u32) -> usize {
        let unlike = |other: &u32| f64::from(u8::from(*other != code));
        if self.reach.is_empty() {
            let equal = self.prototypes.iter().position(|other| *other == code);
            return equal.unwrap_or(self.prototypes.len() - 1);
        }
        let distances: Vec<f64> = self.prototypes.iter().map(unlike).collect();
        self.nearest(&distances)
    }
}

/// The last of those nearest, but for rounding.
fn nearest_of(distances: &[f64], reach: &[f64]) -> usize {
    let far = |place: usize| distances[place] / reach.get(place).copied().unwrap_or(1.0);
    let least = (0..distances.len()).map(far).fold(f64::INFINITY, f64::min);
    let tied = |place: &usize| far(*place) <= least * (1.0 + TOLERANCE);
    (0..distances.len()).rev().find(tied).unwrap_or(0)
}

impl Test {
    /// Where the tested column stands in its table.
    pub fn column(&self) -> u32 {
        match self {
            Test::Above { column, .. }
            | Test::Among { column, .. }
            | Test::Around { column, .. }
            | Test::Nearest { column, .. }
            | Test::Has { column, .. }
            | Test::Size { column, .. } => *column,
        }
    }

    /// How many branches it has.
    pub fn branches(&self) -> usize {
        match self {
            Test::Above { .. } | Test::Among { .. } | Test::Has { .. } | Test::Size { .. } => 2,
            Test::Around { cells, .. } => cells.prototypes.len(),
            Test::Nearest { nearest, .. } => nearest.prototypes.len(),
        }
    }

    /// Whether each branch is that of a prototype.
    pub fn has_prototypes(&self) -> bool {
        matches!(self, Test::Around { .. } | Test::Nearest { .. })
    }

    /// The branch of a row of the tested column; `None` where the value is missing, or a label that
    /// training did not have (`known` is how many labels it had) and the test is on a subset.
    /// Structured values are not decided here but by their distances and contents.
    pub fn branch(&self, column: &Column, row: usize, known: u32) -> Option<usize> {
        match self {
            Test::Above { threshold, .. } => Some(usize::from(measure(column, row)? <= *threshold)),
            Test::Among { values, .. } => {
                let code = column.code(row).filter(|code| *code < known)?;
                Some(usize::from(values.binary_search(&code).is_err()))
            }
            Test::Around { cells, .. } => Some(cells.branch(measure(column, row)?)),
            Test::Nearest { nearest, .. } => Some(nearest.branch_of_label(column.code(row)?)),
            Test::Has { items, .. } => match column.cells() {
                ColumnCells::DateTime(moments) if column.is_present(row) => {
                    calendar::has_any(moments[row], items).map(|has| usize::from(!has))
                }
                _ => None,
            },
            Test::Size { .. } => None,
        }
    }

    /// The branch of a structured value by its contents; `None` where it is missing, or the test is
    /// about something else.
    pub fn branch_by_contents(&self, found: &Found, row: usize) -> Option<usize> {
        let holds = match self {
            Test::Has { items, .. } => found.has_any(row, items)?,
            Test::Size { least, .. } => found.size(row)? >= *least,
            _ => return None,
        };
        Some(usize::from(!holds))
    }
}

/// The number of a row, or its date in milliseconds; `None` where it is missing or neither.
pub fn measure(column: &Column, row: usize) -> Option<f64> {
    match column.cells() {
        ColumnCells::DateTime(moments) if column.is_present(row) => Some(moments[row] as f64),
        _ => column.number(row),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn missing_and_unseen_values_decide_nothing() {
        let numbers = Column::numeric(vec![1.0, 2.0, f64::NAN]);
        let above = Test::Above {
            column: 0,
            threshold: 1.0,
        };
        let held: Vec<_> = (0..3).map(|row| above.branch(&numbers, row, 0)).collect();
        assert_eq!(held, [Some(1), Some(0), None]);
        let labels = Column::nominal([Some("a"), Some("b"), None, Some("new")]);
        let among = Test::Among {
            column: 0,
            values: vec![1],
        };
        let held: Vec<_> = (0..4).map(|row| among.branch(&labels, row, 2)).collect();
        assert_eq!(held, [Some(1), Some(0), None, None]);
    }

    #[test]
    fn a_tie_goes_to_the_last_prototype() {
        let cells = Cells::midway(vec![1.0, 2.0]);
        assert_eq!((cells.branch(1.4), cells.branch(1.5)), (0, 1));
        let cells = Cells::midway(vec![2.0, 1.0]);
        assert_eq!((cells.branch(1.5), cells.branch(1.6)), (1, 0));
        let nearest = Nearest {
            prototypes: vec![3, 5, 4],
            reach: vec![],
            measure: 0,
        };
        assert_eq!(nearest.branch_of_label(5), 1);
        assert_eq!(nearest.branch_of_label(9), 2);
        assert_eq!(nearest.nearest(&[1.0, 0.3, 0.1 + 0.2]), 2);
    }

    kinwood_testing::soak! { 256;
        fn soak_cells_are_where_a_prototype_is_nearest(
            prototypes in proptest::collection::btree_set(-20i32..20, 2..6),
            seed in 0usize..100,
            reach in proptest::collection::vec(1u32..6, 6),
            number in -300i32..300,
        ) {
            let mut prototypes: Vec<f64> = prototypes.into_iter().map(f64::from).collect();
            let length = prototypes.len();
            prototypes.rotate_left(seed % length);
            let reach: Vec<f64> = reach[..length].iter().map(|&reach| f64::from(reach)).collect();
            let number = f64::from(number) / 7.0;
            let distances: Vec<f64> = prototypes.iter().map(|p| (p - number).abs()).collect();
            let plain = Cells::midway(prototypes.clone());
            prop_assert_eq!(plain.branch(number), nearest_of(&distances, &[]));
            let far: Vec<f64> = distances.iter().zip(&reach).map(|(d, r)| d / r).collect();
            let mut ranked = far.clone();
            ranked.sort_by(f64::total_cmp);
            // On a boundary itself rounding may decide either way.
            if ranked[1] - ranked[0] > 1e-6 {
                let reaching = Cells::reaching(prototypes, &reach);
                prop_assert_eq!(reaching.branch(number), nearest_of(&distances, &reach));
            }
        }
    }
}
