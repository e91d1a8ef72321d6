//! Which labels, and which whole numbers that are used like labels, are frequent among the rows
//! that training rows see.

use std::collections::BTreeMap;

use kinwood_values::Type;

use crate::compute::Work;
use crate::error::Result;
use crate::sweep::Reader;

/// A value counts as frequent from this share of the rows on.
const FREQUENT: f64 = 0.01;

/// Numbers are used like labels if there are no more different ones than this.
const MOST_NUMBERS: usize = 200;

/// As many numbers of a column have shares of their own.
const NUMBERS: usize = 5;

/// The frequent values of the columns of a place, the most frequent first.
#[derive(Default)]
pub(super) struct Frequent {
    /// By column, codes of labels or numbers.
    values: BTreeMap<usize, Vec<f64>>,
}

impl Frequent {
    /// The frequent values of a column.
    pub fn of(&self, column: usize) -> &[f64] {
        self.values.get(&column).map_or(&[], Vec::as_slice)
    }

    /// Counts the rows of a place that any object sees.
    pub fn find(work: &mut Work, place: usize, most: usize) -> Result<Self> {
        let view = work.view;
        let table = work.paths.table_of(place);
        let attribute = |column: usize| view.database().table(table).attribute(column);
        let mut columns: Vec<Counted> = view
            .inputs_of(table)
            .into_iter()
            .filter_map(|column| match attribute(column).type_of() {
                Type::Nominal => Some((column, most)),
                Type::Numeric => Some((column, most.min(NUMBERS))),
                _ => None,
            })
            .map(|(column, most)| Counted {
                column,
                most,
                reader: Reader::new(&attribute(column).column),
                counts: Some(BTreeMap::new()),
            })
            .collect();
        work.seen(place, |linked| {
            for column in &mut columns {
                linked.iter().for_each(|linked| column.add(linked.row));
            }
        })?;
        let values = columns.into_iter().map(|counted| {
            let column = counted.column;
            (column, counted.frequent())
        });
        Ok(Self {
            values: values.collect(),
        })
    }
}

struct Counted<'a> {
    column: usize,
    most: usize,
    reader: Reader<'a>,
    /// How often each value is there, by its bits; none once it is clear that these are no labels.
    counts: Option<BTreeMap<u64, u64>>,
}

impl Counted<'_> {
    fn add(&mut self, row: u32) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        let Some(value) = self.reader.read(row) else {
            return;
        };
        if matches!(self.reader, Reader::Number(..))
            && (value.fract() != 0.0 || counts.len() > MOST_NUMBERS)
        {
            self.counts = None;
            return;
        }
        *counts.entry(value.to_bits()).or_default() += 1;
    }

    fn frequent(self) -> Vec<f64> {
        let counts = self.counts.unwrap_or_default();
        let total: u64 = counts.values().sum();
        let mut values: Vec<(u64, f64)> = counts
            .iter()
            .map(|(&bits, &count)| (count, f64::from_bits(bits)))
            .collect();
        values.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        // Of two values, the share of one says that of the other.
        let most = match values.len() {
            0 | 1 => 0,
            2 => 1,
            _ => self.most,
        };
        let frequent = |&(count, _): &(u64, f64)| count as f64 >= FREQUENT * total as f64;
        let values = values.into_iter().take_while(frequent).take(most);
        values.map(|(_, value)| value).collect()
    }
}
