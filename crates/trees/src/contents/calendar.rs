//! What a time contains: its month, its weekday and its hour, in UTC.
//!
//! Years and days since are thresholds, which times have as numbers do; what comes round again is
//! not. The items are the same for all columns, so that a test names them by their places here.

use std::sync::LazyLock;

use kinwood_values::{Cells, Column};

use super::find::Found;
use super::item::Item;
use super::moment::{HOURS, MONTHS, WEEKDAYS, places};

static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    let months = (1..=MONTHS.len() as u8).map(Item::Month);
    let weekdays = (1..=WEEKDAYS.len() as u8).map(Item::Weekday);
    let hours = (0..HOURS).map(Item::Hour);
    months.chain(weekdays).chain(hours).collect()
});

/// All items that times can have, by place.
pub fn items() -> &'static [Item] {
    &ITEMS
}

/// The items of a test on times, by their places.
pub fn named(places: &[u32]) -> impl Iterator<Item = &'static Item> {
    places.iter().filter_map(|&place| ITEMS.get(place as usize))
}

/// The place of an item; `None` for one that no time has.
pub fn place(item: &Item) -> Option<u32> {
    let place = ITEMS.iter().position(|own| own == item)?;
    Some(place as u32)
}

/// Whether a time has one of some items, by their places, which rise.
pub fn has_any(milliseconds: i64, items: &[u32]) -> Option<bool> {
    let own = places(milliseconds)?;
    Some(own.iter().any(|place| items.binary_search(place).is_ok()))
}

/// The items of each time of a column; nothing of other columns.
pub fn find(column: &Column) -> Found {
    let mut found = Found::new(column.len());
    for row in 0..column.len() {
        let moment = match column.cells() {
            Cells::DateTime(moments) if column.is_present(row) => places(moments[row]),
            _ => None,
        };
        match moment {
            Some(places) => found.push(&places),
            None => found.close_missing(),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use kinwood_values::Value;
    use kinwood_values::datetime::parse;

    use super::super::moment::{hour, number};
    use super::*;

    #[test]
    fn a_time_has_one_month_one_weekday_and_one_hour() {
        let time = parse("2024-12-25 06:59").unwrap();
        let own = places(time).unwrap();
        let words: Vec<String> = named(&own).map(Item::words).collect();
        assert_eq!(words, ["Dec", "Wed", "6"]);
        for item in items() {
            let inside = place(item).is_some_and(|place| own.contains(&place));
            assert_eq!(item.is_in(&Value::DateTime(time)), inside, "{item:?}");
        }
        assert_eq!(has_any(time, &[3, own[0]]), Some(true));
        assert_eq!(has_any(time, &[3, 4]), Some(false));
        let before = places(parse("1969-12-31 23:30").unwrap()).unwrap();
        let words: Vec<String> = named(&before).map(Item::words).collect();
        assert_eq!(words, ["Dec", "Wed", "23"]);
    }

    #[test]
    fn names_are_read_back() {
        for item in items() {
            let words = item.words();
            let read = number(&MONTHS, &words)
                .map(Item::Month)
                .or_else(|| number(&WEEKDAYS, &words).map(Item::Weekday))
                .or_else(|| hour(&words).map(Item::Hour));
            assert_eq!(read.as_ref(), Some(item));
        }
        assert_eq!((hour("24"), number(&MONTHS, "Mai")), (None, None));
    }
}
