//! What splits keep in balance: the classes of rows, or nothing.

use crate::error::Error;

/// What the splits shall keep in balance.
#[derive(Debug, Clone, Copy)]
pub enum Strata<'a> {
    /// The shares of the classes; rows without a class are balanced like a class of their own.
    Classes {
        /// The class of each row, as a position in `names`.
        codes: &'a [Option<u32>],
        /// The names of the classes, for notices.
        names: &'a [String],
    },
    /// Nothing: rows are divided at random, as for a numeric target.
    Plain {
        /// The number of rows.
        rows: usize,
    },
}

impl Strata<'_> {
    /// The number of rows to divide.
    pub fn rows(&self) -> usize {
        match self {
            Strata::Classes { codes, .. } => codes.len(),
            Strata::Plain { rows } => *rows,
        }
    }

    /// The stratum of each row as a number, checked.
    pub(super) fn numbered(&self) -> Result<Numbered, Error> {
        let rows = self.rows();
        if rows == 0 {
            return Err(Error::NoRows);
        }
        if u32::try_from(rows).is_err() {
            return Err(Error::TooManyRows { rows });
        }
        let (of, count) = match self {
            Strata::Plain { .. } => (vec![0; rows], 1),
            Strata::Classes { codes, names } => {
                let classes = names.len();
                let number = |(row, code): (usize, &Option<u32>)| match *code {
                    Some(code) if code as usize >= classes => {
                        Err(Error::UnknownClass { row, code, classes })
                    }
                    Some(code) => Ok(code as usize),
                    None => Ok(classes),
                };
                let of = codes
                    .iter()
                    .enumerate()
                    .map(number)
                    .collect::<Result<_, _>>()?;
                (of, classes + 1)
            }
        };
        Ok(Numbered { of, count })
    }
}

/// The stratum of each row, numbered from 0.
pub(super) struct Numbered {
    pub(super) of: Vec<usize>,
    pub(super) count: usize,
}

impl Numbered {
    /// The rows of each stratum, ascending.
    pub(super) fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count];
        for (row, &stratum) in self.of.iter().enumerate() {
            members[stratum].push(row as u32);
        }
        members
    }
}
