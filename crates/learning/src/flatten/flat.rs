//! The flat table of a plan: joined or averaged.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Attribute, Database, Table, View};

use super::plan::{Flattening, Kind};
use super::{average, join};
use crate::error::Result;

/// The rows of a flat table, and which of them are whose.
pub struct Flat {
    /// The rows, with the columns hidden that were hidden in the target's table.
    pub view: View,
    /// Where the rows of each object start, and where the last ones end.
    pub offsets: Vec<usize>,
}

impl Flattening {
    /// The flat table of some of the view's rows. Joined, it may have so many rows; the error names
    /// the object with most.
    pub fn flat(&self, view: &View, objects: Range<usize>, limit: u64) -> Result<Flat> {
        let (taken, offsets) = match self.kind {
            Kind::Joined => {
                let joined = join::joined(self, view, objects.clone(), limit)?;
                (joined.columns(self, view), joined.offsets)
            }
            Kind::Averaged => {
                let columns = average::averaged(self, view, objects.clone());
                (columns, (0..=objects.len()).collect())
            }
        };
        let owners: Vec<u32> = objects
            .clone()
            .zip(offsets.windows(2))
            .flat_map(|(object, ends)| std::iter::repeat_n(view.row(object), ends[1] - ends[0]))
            .collect();
        let own = view.table().attributes().iter().map(|attribute| Attribute {
            column: Arc::new(attribute.column.gather(&owners)),
            ..attribute.clone()
        });
        let reached = self.columns.iter().zip(taken).map(|(taken, column)| {
            let table = view.database().table(self.table_of(taken.place));
            Attribute {
                name: taken.name.clone(),
                column: Arc::new(column),
                ..table.attribute(taken.column).clone()
            }
        });
        let table = Table::new(view.table().name(), own.chain(reached).collect())?;
        let flat = View::new(Arc::new(Database::single(table)?), 0);
        let hidden = view.hidden().filter(|&(table, _)| table == self.table);
        let view = hidden.fold(flat, |flat, (_, column)| flat.hiding(0, column));
        Ok(Flat { view, offsets })
    }
}
