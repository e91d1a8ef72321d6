//! The parts of data whose importance is measured, and the data with one of them permuted.
//!
//! Only rows that the view reaches are permuted among each other: rows of other objects neither
//! give nor take. One column or one link is made anew, all else is shared with the data as it is.

use kinwood_learning::Generator;
use kinwood_values::{Database, Direction, View};

/// A part of the data whose importance can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The values of a column.
    Column {
        /// The table, by position.
        table: usize,
        /// The column, by position.
        column: usize,
    },
    /// All that a foreign key leads to: which row owns which linked rows.
    Link {
        /// The foreign key, by position.
        foreign_key: usize,
        /// The way it is followed from the view's table.
        direction: Direction,
    },
}

impl Part {
    /// The parts of a view's data: the inputs of its own table, then the foreign keys in the order
    /// in which they are reached, each followed by the inputs of the table it reaches first.
    ///
    /// Columns that say when rows are stay as they are where rows have cutoffs: they decide what is
    /// seen, and to permute them would show what was known later.
    pub fn all(view: &View) -> Vec<Part> {
        let column = |table: usize| {
            let times = view
                .as_of()
                .and_then(|_| view.database().table(table).time());
            let time = move |column: usize| {
                times.is_some_and(|time| time.begin() == column || time.end() == Some(column))
            };
            let inputs = view.inputs_of(table).into_iter();
            inputs
                .filter(move |&column| !time(column))
                .map(move |column| Part::Column { table, column })
        };
        let mut parts: Vec<Part> = column(view.table_position()).collect();
        for step in steps(view) {
            parts.push(Part::Link {
                foreign_key: step.foreign_key,
                direction: step.direction,
            });
            if step.first {
                parts.extend(column(step.there));
            }
        }
        parts
    }

    /// The position of the table that the part is in or leads to.
    pub fn table(self, database: &Database) -> usize {
        match self {
            Part::Column { table, .. } => table,
            Part::Link {
                foreign_key,
                direction,
            } => {
                let key = &database.foreign_keys()[foreign_key];
                match direction {
                    Direction::Forward => key.to,
                    Direction::Backward => key.from,
                }
            }
        }
    }

    /// What names the part's random streams.
    pub(super) fn place(self) -> [u64; 3] {
        match self {
            Part::Column { table, column } => [0, table as u64, column as u64],
            Part::Link { foreign_key, .. } => [1, foreign_key as u64, 0],
        }
    }
}

/// A foreign key on the way from a view's table.
struct Step {
    foreign_key: usize,
    direction: Direction,
    there: usize,
    /// Whether no key before led to that table.
    first: bool,
}

/// Every foreign key that can be reached from a view's table, once, the nearest first: away from
/// the table where it leads away.
fn steps(view: &View) -> Vec<Step> {
    let database = view.database();
    let mut reached = vec![view.table_position()];
    let mut steps: Vec<Step> = Vec::new();
    let mut next = 0;
    while let Some(&here) = reached.get(next) {
        next += 1;
        for (foreign_key, key) in database.foreign_keys().iter().enumerate() {
            let (direction, there) = match here {
                _ if steps.iter().any(|step| step.foreign_key == foreign_key) => continue,
                here if key.to == here => (Direction::Backward, key.from),
                here if key.from == here => (Direction::Forward, key.to),
                _ => continue,
            };
            let first = !reached.contains(&there);
            if first {
                reached.push(there);
            }
            steps.push(Step {
                foreign_key,
                direction,
                there,
                first,
            });
        }
    }
    steps
}

/// A view's data, to be permuted in one part.
pub(super) struct Permuted<'a> {
    view: &'a View,
    /// The rows of each table that the view reaches, ascending; the view's own in its own table.
    reached: Vec<Vec<u32>>,
}

impl<'a> Permuted<'a> {
    pub fn new(view: &'a View) -> Self {
        Self {
            view,
            reached: reached(view),
        }
    }

    /// The data with one part permuted.
    pub fn by(&self, part: Part, generator: &mut Generator) -> Database {
        let database = self.view.database();
        match part {
            Part::Column { table, column } => {
                let taken = self.exchanged(table, generator);
                let values = &database.table(table).attribute(column).column;
                database.with_column(table, column, values.gather(&taken))
            }
            Part::Link {
                foreign_key,
                direction,
            } => {
                let key = &database.foreign_keys()[foreign_key];
                let link = database.link(foreign_key);
                match direction {
                    Direction::Forward => {
                        let taken = self.exchanged(key.from, generator);
                        database.with_link(foreign_key, |row| link.forward(taken[row] as usize))
                    }
                    Direction::Backward => {
                        let taken = self.exchanged(key.to, generator);
                        database.with_link(foreign_key, |row| {
                            link.forward(row).map(|owner| taken[owner as usize])
                        })
                    }
                }
            }
        }
    }

    /// For each row of a table the row whose place it takes: the rows that are reached, permuted;
    /// every other row its own.
    fn exchanged(&self, table: usize, generator: &mut Generator) -> Vec<u32> {
        let rows = self.view.database().table(table).rows();
        let mut taken: Vec<u32> = (0..rows as u32).collect();
        let mut shuffled = self.reached[table].clone();
        generator.shuffle(&mut shuffled);
        for (&row, other) in self.reached[table].iter().zip(shuffled) {
            taken[row as usize] = other;
        }
        taken
    }
}

/// The rows of each table that a view reaches by any number of keys, ascending; the view's own in
/// its own table.
pub fn reached(view: &View) -> Vec<Vec<u32>> {
    let own = view.table_position();
    let tables = view.database().tables().iter();
    let mut any: Vec<Vec<bool>> = tables.map(|table| vec![false; table.rows()]).collect();
    let mut origins: Vec<u32> = view.rows().collect();
    if let Some(as_of) = view.as_of() {
        // Who sees most goes first.
        let cutoff = |row: u32| match as_of.cutoff(row) {
            missing if missing.is_nan() => f64::NEG_INFINITY,
            cutoff => cutoff,
        };
        origins.sort_by(|&a, &b| cutoff(b).total_cmp(&cutoff(a)));
    }
    let mut pending: Vec<(usize, u32)> = Vec::new();
    if alike(view) {
        // What one row reaches beyond another, all who reach that one later in this order do too.
        for origin in origins {
            if !std::mem::replace(&mut any[own][origin as usize], true) {
                pending.push((own, origin));
            }
            follow(view, origin, &mut pending, |table, row| {
                !std::mem::replace(&mut any[table][row as usize], true)
            });
        }
    } else {
        // By table and row, the last origin, from 1, that has reached it.
        let mut last: Vec<Vec<u32>> = any.iter().map(|rows| vec![0; rows.len()]).collect();
        for (number, origin) in (1..).zip(origins) {
            last[own][origin as usize] = number;
            any[own][origin as usize] = true;
            pending.push((own, origin));
            follow(view, origin, &mut pending, |table, row| {
                any[table][row as usize] = true;
                std::mem::replace(&mut last[table][row as usize], number) != number
            });
        }
    }
    let rows = |seen: Vec<bool>| {
        let rows = seen.iter().enumerate().filter(|(_, seen)| **seen);
        rows.map(|(row, _)| row as u32).collect()
    };
    any.into_iter().map(rows).collect()
}

/// Whether a row that sees later sees all that an earlier one does, so that it matters once only
/// who has reached a row.
fn alike(view: &View) -> bool {
    let forgotten = || {
        let mut tables = view.database().tables().iter();
        tables.any(|table| table.time().is_some_and(|time| time.end().is_some()))
    };
    view.as_of()
        .is_none_or(|as_of| as_of.grows() && !forgotten())
}

/// Follows all keys from the rows that are pending, on paths that began at a row of the view's own
/// table; `first` says whether a row is reached for the first time.
fn follow(
    view: &View,
    origin: u32,
    pending: &mut Vec<(usize, u32)>,
    mut first: impl FnMut(usize, u32) -> bool,
) {
    let keys = view.database().foreign_keys();
    while let Some((here, row)) = pending.pop() {
        for (position, key) in keys.iter().enumerate() {
            for (direction, from, there) in [
                (Direction::Backward, key.to, key.from),
                (Direction::Forward, key.from, key.to),
            ] {
                if from != here {
                    continue;
                }
                for linked in view.linked(origin, position, direction, row) {
                    if first(there, linked) {
                        pending.push((there, linked));
                    }
                }
            }
        }
    }
}
