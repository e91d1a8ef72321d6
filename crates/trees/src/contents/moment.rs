//! Months, weekdays and hours of times, in UTC: their names, and a place for each.

use kinwood_values::datetime::calendar;

/// How many hours a day has.
pub const HOURS: u8 = 24;
/// Milliseconds of an hour.
const HOUR: i64 = 3_600_000;

/// The names of months.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
/// The names of weekdays.
pub const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// The places of month, weekday and hour of a time, which rise; `None` outside of the calendar.
pub fn places(milliseconds: i64) -> Option<[u32; 3]> {
    let time = calendar(milliseconds)?;
    let (months, weekdays) = (MONTHS.len() as u32, WEEKDAYS.len() as u32);
    Some([
        time.month - 1,
        months + time.weekday,
        months + weekdays + (time.since_midnight / HOUR) as u32,
    ])
}

/// The name of a number from 1 on.
pub fn name(names: &[&'static str], number: u8) -> &'static str {
    let place = usize::from(number).checked_sub(1);
    place
        .and_then(|place| names.get(place).copied())
        .unwrap_or("?")
}

/// The number, from 1, that has a name.
pub fn number(names: &[&str], name: &str) -> Option<u8> {
    let place = names.iter().position(|own| *own == name)?;
    Some(place as u8 + 1)
}

/// The hour of a text.
pub fn hour(text: &str) -> Option<u8> {
    text.parse().ok().filter(|hour| *hour < HOURS)
}
