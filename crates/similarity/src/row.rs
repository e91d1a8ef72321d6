//! Distances between whole rows: each column by the distance of its type, joined into one number.
//!
//! Declare ([`RowDistance`]), fit on training rows ([`FittedRow`], kept in models), bind to queries and references
//! (a [`Pairs`], never kept). The join works on whole rows of distances, one call a field.

use std::ops::Range;

use kinwood_values::{Cells, View};
use serde::{Deserialize, Serialize};

use crate::distances::nominal::{ABSENT, NominalPairs};
use crate::distances::real::{Absolute, RealPairs};
use crate::error::Error;
use crate::laws::Laws;
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};

/// How the distances of the columns become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combination {
    /// Their sum.
    Sum,
    /// The root of the sum of their squares.
    Euclidean,
}

impl Combination {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["euclidean", "sum"];

    /// The combination of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "euclidean" => Some(Combination::Euclidean),
            "sum" => Some(Combination::Sum),
            _ => None,
        }
    }
}

/// A distance between rows, declared: nothing is known of the data yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowDistance {
    /// How the columns' distances become one.
    pub combination: Combination,
    /// What a missing value means.
    pub missing: Missing,
}

/// A distance between rows, fitted: which columns, and the range of each number in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedRow {
    combination: Combination,
    missing: Missing,
    fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Field {
    name: String,
    measure: Measure,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Measure {
    Absolute { least: f64, greatest: f64 },
    Discrete,
}

impl RowDistance {
    /// Chooses a distance for every input column of the rows and takes their ranges from them.
    pub fn fit(&self, training: &View) -> Result<FittedRow, Error> {
        let mut fields = Vec::new();
        for column in training.inputs() {
            let attribute = training.table().attribute(column);
            let measure = match attribute.column.cells() {
                Cells::Nominal { .. } => Measure::Discrete,
                Cells::Numeric(_) | Cells::DateTime(_) => {
                    let numbers = numbers(training, column)
                        .into_iter()
                        .filter(|x| !x.is_nan());
                    let Absolute { least, greatest } = Absolute::over(numbers);
                    Measure::Absolute { least, greatest }
                }
                _ => {
                    return Err(Error::NoDistance {
                        column: attribute.name.clone(),
                        found: attribute.type_of().to_string(),
                    });
                }
            };
            fields.push(Field {
                name: attribute.name.clone(),
                measure,
            });
        }
        if fields.is_empty() {
            return Err(Error::NoColumns {
                table: training.table().name().to_owned(),
            });
        }
        let missing = self.missing;
        Ok(FittedRow {
            combination: self.combination,
            missing,
            fields,
        })
    }
}

impl FittedRow {
    /// How the columns' distances become one.
    pub fn combination(&self) -> Combination {
        self.combination
    }

    /// What a missing value means.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// The names of the columns compared.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fields.iter().map(|field| field.name.as_str())
    }

    /// Fails unless the view has every column the distance compares, of the type it compares: what a stored model
    /// must ask before it binds.
    pub fn check(&self, rows: &View) -> Result<(), Error> {
        self.positions(rows).map(drop)
    }

    fn positions(&self, rows: &View) -> Result<Vec<usize>, Error> {
        let (own, table) = (rows.table_position(), rows.table());
        self.fields
            .iter()
            .map(|field| {
                table
                    .position(&field.name)
                    .filter(|&column| {
                        rows.column(own, column)
                            .is_some_and(|values| field.fits(values.cells()))
                    })
                    .ok_or_else(|| Error::Layout {
                        column: field.name.clone(),
                    })
            })
            .collect()
    }

    /// Binds the distance to queries and references, both in the terms of the training data.
    pub fn bind(&self, queries: &View, references: &View) -> Result<Joined, Error> {
        let of_queries = self.positions(queries)?;
        let of_references = self.positions(references)?;
        let missing = self.missing;
        let part =
            |((field, &query), &reference): ((&Field, &usize), &usize)| -> Box<dyn Pairs<f64>> {
                match field.measure {
                    Measure::Absolute { least, greatest } => Box::new(RealPairs {
                        distance: Absolute { least, greatest },
                        missing,
                        queries: numbers(queries, query),
                        references: numbers(references, reference),
                    }),
                    Measure::Discrete => Box::new(NominalPairs {
                        missing,
                        queries: labels(queries, query),
                        references: labels(references, reference),
                    }),
                }
            };
        let parts = self
            .fields
            .iter()
            .zip(&of_queries)
            .zip(&of_references)
            .map(part)
            .collect();
        let shape = (queries.len(), references.len());
        Ok(Joined {
            combination: self.combination,
            parts,
            shape,
        })
    }
}

impl Field {
    fn fits(&self, cells: &Cells) -> bool {
        match self.measure {
            Measure::Absolute { least, greatest } => {
                let range = least.is_finite() && greatest.is_finite() && least <= greatest;
                range && matches!(cells, Cells::Numeric(_) | Cells::DateTime(_))
            }
            Measure::Discrete => matches!(cells, Cells::Nominal { .. }),
        }
    }
}

/// The numbers or times of the view's rows, NaN where missing.
fn numbers(view: &View, column: usize) -> Vec<f64> {
    let Some(column) = view.column(view.table_position(), column) else {
        return vec![f64::NAN; view.len()];
    };
    let number = |row: usize| match column.cells() {
        Cells::Numeric(numbers) => numbers[row],
        Cells::DateTime(instants) => instants[row] as f64,
        _ => f64::NAN,
    };
    view.rows()
        .map(|row| {
            if column.is_present(row as usize) {
                number(row as usize)
            } else {
                f64::NAN
            }
        })
        .collect()
}

/// The codes of the view's rows from 1, [`ABSENT`] where missing.
fn labels(view: &View, column: usize) -> Vec<u32> {
    let column = view.column(view.table_position(), column);
    view.rows()
        .map(|row| {
            column
                .and_then(|column| column.code(row as usize))
                .map_or(ABSENT, |code| code + 1)
        })
        .collect()
}

/// The columns' distances joined into one.
pub struct Joined {
    combination: Combination,
    parts: Vec<Box<dyn Pairs<f64>>>,
    shape: (usize, usize),
}

impl Pairs<f64> for Joined {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn laws(&self) -> Laws {
        self.parts
            .iter()
            .map(|part| part.laws())
            .reduce(Laws::and)
            .unwrap_or(Laws::PSEUDO_METRIC)
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let parts = self.parts.iter().map(|part| part.prepare(query)).collect();
        Box::new(JoinedRow {
            combination: self.combination,
            parts,
        })
    }
}

struct JoinedRow<'a> {
    combination: Combination,
    parts: Vec<Box<dyn Row<f64> + 'a>>,
}

/// References joined at a time: the scratch rows stay in the nearest cache.
const BLOCK: usize = 512;

impl Row<f64> for JoinedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let mut part_row = [0.0; BLOCK];
        let mut skipped = [0.0; BLOCK];
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = references.start + block * BLOCK;
            let (part_row, skipped) = (&mut part_row[..out.len()], &mut skipped[..out.len()]);
            out.fill(0.0);
            skipped.fill(0.0);
            for part in &self.parts {
                part.fill(start..start + out.len(), part_row);
                for ((out, &distance), skipped) in out.iter_mut().zip(&*part_row).zip(&mut *skipped)
                {
                    let joined = match self.combination {
                        Combination::Sum => distance,
                        Combination::Euclidean => distance * distance,
                    };
                    let left_out = distance.is_nan();
                    *out += if left_out { 0.0 } else { joined };
                    *skipped += f64::from(u8::from(left_out));
                }
            }
            let all = self.parts.len() as f64;
            for (out, &skipped) in out.iter_mut().zip(&*skipped) {
                // What was left out is as far as the rest on average; with nothing left, as far as can be.
                if skipped > 0.0 {
                    *out = if skipped < all {
                        *out * all / (all - skipped)
                    } else {
                        all
                    };
                }
                if self.combination == Combination::Euclidean {
                    *out = out.sqrt();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_values::{Attribute, Column, Database, Table};

    use super::*;

    fn view(sizes: Vec<f64>, colours: Vec<Option<&str>>) -> View {
        let attributes = vec![
            Attribute::new("size", Column::numeric(sizes)),
            Attribute::new("colour", Column::nominal(colours)),
        ];
        let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
        View::new(Arc::new(database), 0)
    }

    fn row(distance: RowDistance, view: &View, query: usize) -> Vec<f64> {
        let pairs = distance.fit(view).unwrap().bind(view, view).unwrap();
        let mut out = vec![0.0; view.len()];
        pairs.prepare(query).fill(0..view.len(), &mut out);
        out
    }

    #[test]
    fn mixed_rows_join_shares_of_the_range_and_differences() {
        let view = view(vec![0.0, 3.0, 4.0], vec![Some("a"), Some("a"), Some("b")]);
        let distance = RowDistance {
            combination: Combination::Euclidean,
            missing: Missing::Own,
        };
        assert_eq!(row(distance, &view, 0), [0.0, 0.75, 2f64.sqrt()]);
        let distance = RowDistance {
            combination: Combination::Sum,
            missing: Missing::Own,
        };
        assert_eq!(row(distance, &view, 0), [0.0, 0.75, 2.0]);
    }

    #[test]
    fn skipped_fields_are_stood_for_by_the_rest() {
        let view = view(vec![0.0, 4.0, f64::NAN], vec![Some("a"), None, None]);
        let distance = RowDistance {
            combination: Combination::Sum,
            missing: Missing::Skip,
        };
        assert_eq!(row(distance, &view, 0), [0.0, 2.0, 2.0]);
    }

    #[test]
    fn blocks_join_without_a_seam() {
        let many = BLOCK * 2 + 7;
        let sizes: Vec<f64> = (0..many).map(|i| ((i * 37) % 101) as f64).collect();
        let view = view(sizes.clone(), vec![Some("a"); many]);
        let distance = RowDistance {
            combination: Combination::Sum,
            missing: Missing::Own,
        };
        let distances = row(distance, &view, 5);
        for (i, found) in distances.iter().enumerate() {
            assert!((found - (sizes[5] - sizes[i]).abs() / 100.0).abs() < 1e-12);
        }
    }

    #[test]
    fn hidden_columns_are_not_compared() {
        let view = view(vec![0.0, 4.0], vec![Some("a"), Some("b")]).hiding(0, 1);
        let distance = RowDistance {
            combination: Combination::Sum,
            missing: Missing::Own,
        };
        assert_eq!(
            distance.fit(&view).unwrap().columns().collect::<Vec<_>>(),
            ["size"]
        );
        assert_eq!(row(distance, &view, 0), [0.0, 1.0]);
    }
}
