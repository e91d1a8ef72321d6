//! Lists: positions over a child column, in whole buffers where no row in between is missing.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::DataType;
use kinwood_values::offsets::Offsets;

/// More items than a column can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// Where rows end, as offsets that are not finished yet.
pub(super) struct Positions(Vec<u32>);

impl Default for Positions {
    fn default() -> Self {
        Self(vec![0])
    }
}

impl Positions {
    fn end(&mut self, items: usize) -> Result<(), TooMany> {
        self.0.push(u32::try_from(items).map_err(|_| TooMany)?);
        Ok(())
    }

    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) {
        self.0.reserve_exact(rows);
    }

    /// The offsets over so many items.
    pub fn finish(self, items: usize) -> Offsets {
        Offsets::from_positions(self.0, items)
            .expect("positions never fall and end where the child ends")
    }
}

/// What items are added to.
pub(super) trait Child {
    /// How many items there are.
    fn items(&self) -> usize;

    /// Adds the items of an array.
    fn append(&mut self, items: &dyn Array) -> Result<(), TooMany>;
}

/// Adds the rows of an array of lists.
pub(super) fn extend(
    positions: &mut Positions,
    child: &mut dyn Child,
    array: &dyn Array,
    nulls: Option<&NullBuffer>,
) -> Result<(), TooMany> {
    let mut lists = Lists {
        positions,
        child,
        nulls,
    };
    match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            lists.add(list.value_offsets(), list.values().as_ref())
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            lists.add(list.value_offsets(), list.values().as_ref())
        }
        DataType::Map(..) => {
            let map = array.as_map();
            lists.add(map.value_offsets(), map.entries())
        }
        _ => {
            let list = array.as_fixed_size_list();
            let width = list.value_length().as_usize();
            let begins: Vec<i64> = (0..=list.len()).map(|row| (row * width) as i64).collect();
            lists.add(&begins, list.values().as_ref())
        }
    }
}

struct Lists<'a> {
    positions: &'a mut Positions,
    child: &'a mut dyn Child,
    nulls: Option<&'a NullBuffer>,
}

impl Lists<'_> {
    fn add<O: ArrowNativeType>(&mut self, begins: &[O], values: &dyn Array) -> Result<(), TooMany> {
        let at = |row: usize| begins[row].as_usize();
        let rows = begins.len().saturating_sub(1);
        // A missing list may still have items in the array, which nobody may see.
        let hidden = self
            .nulls
            .is_some_and(|nulls| (0..rows).any(|row| nulls.is_null(row) && at(row) < at(row + 1)));
        if !hidden {
            let (begin, before) = (at(0), self.child.items());
            let items = values.slice(begin, at(rows) - begin);
            self.child.append(items.as_ref())?;
            return (1..=rows).try_for_each(|row| self.positions.end(before + at(row) - begin));
        }
        for row in 0..rows {
            if self.nulls.is_none_or(|nulls| nulls.is_valid(row)) {
                let items = values.slice(at(row), at(row + 1) - at(row));
                self.child.append(items.as_ref())?;
            }
            self.positions.end(self.child.items())?;
        }
        Ok(())
    }
}
