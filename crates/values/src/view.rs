//! Views: rows of one table of a database, with hidden columns.
//!
//! Training folds, tree nodes and query sets are views. A hidden column is hidden wherever it is
//! reached from: when a path of foreign keys leads back to the target's table, the target is not
//! there either, and neither are rows of that table outside the view. Learners see data through
//! views only, so a leak has no way in.
//!
//! Rows may have cutoffs ([`AsOf`]): then each reaches only what was known by its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::as_of::AsOf;
use crate::column::Column;
use crate::database::Database;
use crate::role::Role;
use crate::table::{Attribute, Table};

/// Which way a foreign key is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From the row that refers to the row referred to.
    Forward,
    /// From the row referred to, to all rows that refer to it.
    Backward,
}

#[derive(Clone, Debug)]
enum Rows {
    All(usize),
    Some {
        chosen: Arc<[u32]>,
        member: Arc<[bool]>,
    },
}

/// Rows of a table of a database, with hidden columns.
#[derive(Clone, Debug)]
pub struct View {
    database: Arc<Database>,
    table: usize,
    rows: Rows,
    hidden: Arc<BTreeSet<(usize, usize)>>,
    as_of: Option<AsOf>,
    past: Option<Past>,
}

/// A table that tells of the rows of a view's own table, row by row: what was known of each later.
#[derive(Clone, Debug)]
struct Past {
    table: usize,
    /// The rows it tells of, where these are not all.
    known: Option<Arc<[bool]>>,
}

impl Past {
    fn tells_of(&self, row: u32) -> bool {
        let known = self.known.as_ref();
        known.is_none_or(|known| known.get(row as usize).copied().unwrap_or(false))
    }
}

impl View {
    /// All rows of a table, nothing hidden.
    pub fn new(database: Arc<Database>, table: usize) -> Self {
        let rows = Rows::All(database.table(table).rows());
        Self {
            database,
            table,
            rows,
            hidden: Arc::default(),
            as_of: None,
            past: None,
        }
    }

    /// The same rows, each of which reaches only what was known by its cutoff.
    ///
    /// # Panics
    /// If there is not a cutoff for each row of the table: a mistake of the caller, not of data.
    pub fn seen_as_of(&self, as_of: AsOf) -> Self {
        assert_eq!(
            as_of.len(),
            self.table().rows(),
            "every row of the table must have a cutoff"
        );
        Self {
            as_of: Some(as_of),
            ..self.clone()
        }
    }

    /// The same rows, of which another table tells what was known of each later: as many rows in
    /// the same order.
    ///
    /// # Panics
    /// If it has another number of rows: a mistake of the caller, not of data.
    pub fn with_past(&self, table: usize) -> Self {
        assert_eq!(
            self.database.table(table).rows(),
            self.table().rows(),
            "a table of what was known later has a row for each row"
        );
        Self {
            past: Some(Past { table, known: None }),
            ..self.clone()
        }
    }

    /// The table that tells what was known later of each row, if there is one.
    pub fn past_table(&self) -> Option<usize> {
        self.past.as_ref().map(|past| past.table)
    }

    /// The same rows to learn from: what was known later is seen of rows of this view only, so that
    /// nothing that is learned depends on targets of other rows. Rows that are selected of it see
    /// as much.
    pub fn to_learn_from(&self) -> Self {
        self.knowing(|past, row| self.contains(row) && past.tells_of(row))
    }

    /// The same rows, which see what was known later of the rows of another view too.
    pub fn learning_with(&self, other: &View) -> Self {
        self.knowing(|past, row| past.tells_of(row) || other.contains(row))
    }

    fn knowing(&self, known: impl Fn(&Past, u32) -> bool) -> Self {
        let rows = 0..self.table().rows() as u32;
        let past = self.past.as_ref().map(|past| Past {
            known: Some(rows.map(|row| known(past, row)).collect()),
            ..past.clone()
        });
        Self {
            past,
            ..self.clone()
        }
    }

    /// The cutoffs of the rows, if they have any.
    pub fn as_of(&self) -> Option<&AsOf> {
        self.as_of.as_ref()
    }

    /// The same rows with one more column hidden, wherever it is reached from.
    pub fn hiding(&self, table: usize, column: usize) -> Self {
        let mut hidden = BTreeSet::clone(&self.hidden);
        hidden.insert((table, column));
        Self {
            hidden: Arc::new(hidden),
            ..self.clone()
        }
    }

    /// Some of the view's rows, by their position in the view.
    pub fn select(&self, positions: &[u32]) -> Self {
        let chosen: Arc<[u32]> = positions
            .iter()
            .map(|&position| self.row(position as usize))
            .collect();
        let mut member = vec![false; self.table().rows()];
        chosen.iter().for_each(|&row| member[row as usize] = true);
        Self {
            rows: Rows::Some {
                chosen,
                member: member.into(),
            },
            ..self.clone()
        }
    }

    /// The same rows with the same columns hidden, of a database with the same tables and numbers
    /// of rows.
    ///
    /// # Panics
    /// If the view's table has another number of rows there: a mistake of the caller, not of data.
    pub fn of(&self, database: Arc<Database>) -> Self {
        assert_eq!(
            database.table(self.table).rows(),
            self.table().rows(),
            "the view's rows must be the other database's rows"
        );
        Self {
            database,
            ..self.clone()
        }
    }

    /// The database.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The position of the table whose rows these are.
    pub fn table_position(&self) -> usize {
        self.table
    }

    /// The table whose rows these are. Its columns are read through [`View::column`], which hides
    /// the hidden.
    pub fn table(&self) -> &Table {
        self.database.table(self.table)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.rows {
            Rows::All(rows) => *rows,
            Rows::Some { chosen, .. } => chosen.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The table's row at a position of the view.
    #[inline]
    pub fn row(&self, position: usize) -> u32 {
        match &self.rows {
            Rows::All(_) => position as u32,
            Rows::Some { chosen, .. } => chosen[position],
        }
    }

    /// The table's rows in the view's order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        (0..self.len()).map(|position| self.row(position))
    }

    /// Whether a row of the view's own table belongs to the view.
    pub fn contains(&self, row: u32) -> bool {
        match &self.rows {
            Rows::All(rows) => (row as usize) < *rows,
            Rows::Some { member, .. } => member.get(row as usize).copied().unwrap_or(false),
        }
    }

    /// The columns hidden, as (table, column).
    pub fn hidden(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.hidden.iter().copied()
    }

    /// A column of any table of the database; `None` if it is hidden.
    pub fn column(&self, table: usize, column: usize) -> Option<&Arc<Column>> {
        (!self.hidden.contains(&(table, column)))
            .then(|| &self.database.table(table).attribute(column).column)
    }

    /// The input columns of a table that are not hidden.
    pub fn inputs_of(&self, table: usize) -> Vec<usize> {
        let attributes = self.database.table(table).attributes();
        (0..attributes.len())
            .filter(|&column| {
                attributes[column].role == Role::Input && !self.hidden.contains(&(table, column))
            })
            .collect()
    }

    /// The input columns of the view's own table that are not hidden.
    pub fn inputs(&self) -> Vec<usize> {
        self.inputs_of(self.table)
    }

    /// Whether rows of the view may look at a row of a table, if it was known by their cutoff.
    #[inline]
    pub fn may_see(&self, table: usize, row: u32) -> bool {
        if table == self.table && !self.contains(row) {
            return false;
        }
        let past = self.past.as_ref().filter(|past| past.table == table);
        past.is_none_or(|past| past.tells_of(row))
    }

    /// Whether a row of the view's own table may look at a row of a table: not at rows of its own
    /// table that are not in the view, nor at what was not known by its cutoff.
    #[inline]
    pub fn sees(&self, origin: u32, table: usize, row: u32) -> bool {
        if !self.may_see(table, row) {
            return false;
        }
        match &self.as_of {
            None => true,
            Some(as_of) => {
                (table == self.table && row == origin)
                    || as_of.sees(origin, self.database.table(table), row)
            }
        }
    }

    /// The rows reached from a row by a foreign key, on a path that began at a row of the view's
    /// own table and may look at no more than that sees.
    pub fn linked(
        &self,
        origin: u32,
        foreign_key: usize,
        direction: Direction,
        row: u32,
    ) -> impl Iterator<Item = u32> + '_ {
        let key = &self.database.foreign_keys()[foreign_key];
        let link = self.database.link(foreign_key);
        let (one, many, reached) = match direction {
            Direction::Forward => (link.forward(row as usize), &[][..], key.to),
            Direction::Backward => (None, link.backward(row as usize), key.from),
        };
        one.into_iter()
            .chain(many.iter().copied())
            .filter(move |&row| self.sees(origin, reached, row))
    }

    /// Chosen columns of the view's own table, for the view's rows: a table of its own, without a
    /// key.
    pub fn own_rows(&self, columns: &[usize]) -> Table {
        let rows: Vec<u32> = self.rows().collect();
        let taken = columns
            .iter()
            .filter_map(|&column| {
                let values = self.column(self.table, column)?.gather(&rows);
                let attribute = self.table().attribute(column);
                Some(Attribute {
                    column: Arc::new(values),
                    ..attribute.clone()
                })
            })
            .collect();
        Table::new(self.table().name(), taken)
            .expect("columns of one table have one length and distinct names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::ForeignKey;

    /// Molecules with a class, atoms that refer to them, and pairs of molecules that refer to them
    /// twice.
    fn database() -> Arc<Database> {
        let mut molecule = Table::new(
            "molecule",
            vec![
                Attribute::new("id", Column::nominal([Some("m1"), Some("m2"), Some("m3")])),
                Attribute::new(
                    "active",
                    Column::nominal([Some("yes"), Some("no"), Some("yes")]),
                ),
            ],
        )
        .unwrap();
        molecule.set_key(Some(vec![0]));
        let atom = Attribute::new(
            "molecule",
            Column::nominal([Some("m2"), Some("m1"), Some("m2"), Some("m9")]),
        );
        let atom = Table::new("atom", vec![atom]).unwrap();
        let similar = Table::new(
            "similar",
            vec![
                Attribute::new("a", Column::nominal([Some("m1"), Some("m1")])),
                Attribute::new("b", Column::nominal([Some("m2"), Some("m3")])),
            ],
        )
        .unwrap();
        let key = |name: &str, from, column| ForeignKey {
            name: name.to_owned(),
            from,
            from_columns: vec![column],
            to: 0,
            to_columns: vec![0],
            describes: None,
        };
        let keys = vec![
            key("atom_molecule", 1, 0),
            key("similar_a", 2, 0),
            key("similar_b", 2, 1),
        ];
        let (database, notices) = Database::new(vec![molecule, atom, similar], keys).unwrap();
        assert_eq!(
            notices.len(),
            1,
            "one atom refers to a molecule that is not there"
        );
        Arc::new(database)
    }

    fn linked(view: &View, key: usize, direction: Direction, row: u32) -> Vec<u32> {
        view.linked(row, key, direction, row).collect()
    }

    #[test]
    fn links_lead_both_ways() {
        let view = View::new(database(), 0);
        assert_eq!(linked(&view, 0, Direction::Backward, 1), [0, 2]);
        assert_eq!(linked(&view, 0, Direction::Forward, 1), [0]);
        assert!(linked(&view, 0, Direction::Forward, 3).is_empty());
    }

    #[test]
    fn a_hidden_target_stays_hidden_on_a_path_that_leads_back_to_it() {
        let view = View::new(database(), 0).hiding(0, 1);
        let pair = linked(&view, 1, Direction::Backward, 0)[0];
        let other = linked(&view, 2, Direction::Forward, pair);
        assert_eq!(other, [1], "molecule 1 leads by a pair to molecule 2");
        assert!(view.column(0, 1).is_none(), "whose class must not be there");
        assert!(view.column(0, 0).is_some());
    }

    #[test]
    fn rows_outside_the_view_are_not_reached() {
        let training = View::new(database(), 0).select(&[0, 2]);
        let pairs = linked(&training, 1, Direction::Backward, 0);
        let reached: Vec<u32> = pairs
            .iter()
            .flat_map(|&pair| linked(&training, 2, Direction::Forward, pair))
            .collect();
        assert_eq!(reached, [2], "molecule 2 is not in training");
    }

    #[test]
    fn a_selection_of_a_selection_counts_in_the_first() {
        let view = View::new(database(), 0).select(&[2, 0]).select(&[0]);
        assert_eq!(view.rows().collect::<Vec<_>>(), [2]);
        assert_eq!(
            view.own_rows(&[0]).attribute(0).column.value(0).to_string(),
            "m3"
        );
    }

    #[test]
    fn a_row_reaches_what_was_known_by_its_cutoff() {
        let (mut tables, keys) = Database::clone(&database()).into_parts();
        let days = [Some(1.0), Some(2.0), None, Some(9.0)];
        let days = days.map(|day| day.unwrap_or(f64::NAN)).to_vec();
        let mut attributes = tables[1].attributes().to_vec();
        attributes.push(Attribute::new("day", Column::numeric(days)));
        tables[1] = Table::new("atom", attributes).unwrap();
        tables[1].set_time(Some(crate::TableTime::Instant { column: 1 }));
        let (database, _) = Database::new(tables, keys).unwrap();
        let view = View::new(Arc::new(database), 0);
        assert_eq!(linked(&view, 0, Direction::Backward, 1), [0, 2]);
        let as_of = AsOf::new(vec![2.0, 1.0, 0.0]);
        let then = view.seen_as_of(as_of.clone());
        assert_eq!(linked(&then, 0, Direction::Backward, 0), [1]);
        // Nobody knows when the third atom was there.
        assert_eq!(linked(&then, 0, Direction::Backward, 1), [0]);
        let earlier = view.seen_as_of(as_of.clone().with_gap(1.0));
        assert!(linked(&earlier, 0, Direction::Backward, 0).is_empty());
        let windowed = view.seen_as_of(AsOf::new(vec![4.0; 3]).with_window(Some(1.5)));
        assert!(linked(&windowed, 0, Direction::Backward, 0).is_empty());
        // The path of another molecule has that molecule's cutoff.
        let of_another: Vec<u32> = then.linked(0, 0, Direction::Backward, 1).collect();
        assert_eq!(of_another, [0]);
    }
}
