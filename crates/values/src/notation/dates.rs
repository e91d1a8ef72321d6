//! Dates as people write them: `28/01/2024`, `28.1.24`, `Jan 28, 2024`, `28-Jan-2024 2:30 PM`.
//!
//! ISO 8601 comes first and means what [`datetime::parse`] says. A date in figures alone does not
//! tell day from month unless one of them is above twelve: that is the [`Order`] of its column.

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use crate::datetime;

/// Which of day and month comes first where both are figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `28/01/2024`.
    DayFirst,
    /// `01/28/2024`.
    MonthFirst,
}

/// What the figures of a date tell about the order of day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The order is written: a name of a month, or the year first.
    Settled,
    /// Only the day can come first.
    DayFirst,
    /// Only the month can come first.
    MonthFirst,
    /// Either can.
    Either,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Years of two figures below this are of this century, others of the last.
const TURN: i32 = 70;

/// The point in time that the text writes; a text without an offset means UTC.
pub fn read(text: &str, order: Order) -> Option<i64> {
    if let Ok(instant) = datetime::parse(text) {
        return Some(instant);
    }
    let (parts, rest) = date(text.trim())?;
    let date = parts.date(order)?;
    let (time, east) = match rest.trim_start_matches([',', ' ', 'T', 't']).trim_end() {
        "" if rest.trim().is_empty() => (NaiveTime::MIN, TimeDelta::zero()),
        time => clock(time)?,
    };
    let moment = date.and_time(time).checked_sub_signed(east)?;
    Some(moment.and_utc().timestamp_millis())
}

/// What the text tells about the order of day and month; nothing if it is no date.
pub fn told(text: &str) -> Option<Told> {
    if datetime::parse(text).is_ok() {
        return Some(Told::Settled);
    }
    let day_first = read(text, Order::DayFirst);
    let month_first = read(text, Order::MonthFirst);
    match (day_first, month_first) {
        (None, None) => None,
        (Some(_), None) => Some(Told::DayFirst),
        (None, Some(_)) => Some(Told::MonthFirst),
        (Some(_), Some(_)) => Some(match date(text.trim())?.0 {
            Parts::Figures { first, second, .. } if first != second => Told::Either,
            Parts::Figures { .. } | Parts::Settled(_) => Told::Settled,
        }),
    }
}

/// The parts of a date.
enum Parts {
    /// Year, month and day are known.
    Settled(NaiveDate),
    /// Day and month, or month and day.
    Figures { first: u32, second: u32, year: i32 },
}

impl Parts {
    fn date(&self, order: Order) -> Option<NaiveDate> {
        match (*self, order) {
            (Parts::Settled(date), _) => Some(date),
            (
                Parts::Figures {
                    first,
                    second,
                    year,
                },
                Order::DayFirst,
            ) => NaiveDate::from_ymd_opt(year, second, first),
            (
                Parts::Figures {
                    first,
                    second,
                    year,
                },
                Order::MonthFirst,
            ) => NaiveDate::from_ymd_opt(year, first, second),
        }
    }
}

impl Clone for Parts {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Parts {}

/// The date that the text begins with, and what follows it.
fn date(text: &str) -> Option<(Parts, &str)> {
    let text = after_weekday(text);
    match text.as_bytes().first()? {
        b'0'..=b'9' => in_figures(text).or_else(|| day_then_month(text)),
        _ => month_then_day(text),
    }
}

/// The text behind a name of a weekday, if it begins with one.
fn after_weekday(text: &str) -> &str {
    match word(text) {
        Some((name, rest)) if named(&WEEKDAYS, name).is_some() => {
            rest.trim_start_matches([',', '.', ' '])
        }
        _ => text,
    }
}

/// `28/01/2024`, `28.1.24`, `2024/01/28`.
fn in_figures(text: &str) -> Option<(Parts, &str)> {
    let (first, rest) = figures(text)?;
    let mark = rest.chars().next().filter(|mark| "/.-".contains(*mark))?;
    let (second, rest) = figures(&rest[1..])?;
    let (third, rest) = figures(rest.strip_prefix(mark)?)?;
    let number = |text: &str| text.parse::<u32>().ok();
    let (one, two) = (number(first)?, number(second)?);
    if second.len() > 2 {
        return None;
    }
    match (first.len(), third.len()) {
        (4, 1 | 2) => {
            let date = NaiveDate::from_ymd_opt(one as i32, two, number(third)?)?;
            Some((Parts::Settled(date), rest))
        }
        (1 | 2, 4) => {
            let year = number(third)? as i32;
            Some((
                Parts::Figures {
                    first: one,
                    second: two,
                    year,
                },
                rest,
            ))
        }
        // `1.2.3` is rather a number of a version: short years follow days and months in full.
        (2, 2) if second.len() == 2 || mark == '/' => Some((
            Parts::Figures {
                first: one,
                second: two,
                year: short_year(third)?,
            },
            rest,
        )),
        (1, 2) if mark == '/' => Some((
            Parts::Figures {
                first: one,
                second: two,
                year: short_year(third)?,
            },
            rest,
        )),
        _ => None,
    }
}

/// `28 Jan 2024`, `28-Jan-24`, `28th of January, 2024`.
fn day_then_month(text: &str) -> Option<(Parts, &str)> {
    let (day, rest) = figures(text).filter(|(day, _)| day.len() <= 2)?;
    let rest = after_ordinal(rest).trim_start_matches([' ', '-', '/']);
    let rest = rest.strip_prefix("of ").unwrap_or(rest);
    let (month, rest) = word(rest)?;
    let month = named(&MONTHS, month)?;
    let rest = rest.trim_start_matches(['.', ',', ' ', '-', '/']);
    with_year(day, month, rest)
}

/// `Jan 28 2024`, `January 28th, 2024`, `Jan-28-2024`.
fn month_then_day(text: &str) -> Option<(Parts, &str)> {
    let (month, rest) = word(text)?;
    let month = named(&MONTHS, month)?;
    let rest = rest.trim_start_matches(['.', ' ', '-', '/']);
    let (day, rest) = figures(rest).filter(|(day, _)| day.len() <= 2)?;
    let rest = after_ordinal(rest).trim_start_matches([',', ' ', '-', '/']);
    with_year(day, month, rest)
}

fn with_year<'a>(day: &str, month: u32, rest: &'a str) -> Option<(Parts, &'a str)> {
    let (year, rest) = figures(rest)?;
    let year = match year.len() {
        4 => year.parse().ok()?,
        2 => short_year(year)?,
        _ => return None,
    };
    let date = NaiveDate::from_ymd_opt(year, month, day.parse().ok()?)?;
    Some((Parts::Settled(date), rest))
}

fn short_year(text: &str) -> Option<i32> {
    let year: i32 = text.parse().ok()?;
    Some(if year < TURN { 2000 } else { 1900 } + year)
}

fn after_ordinal(text: &str) -> &str {
    let endings = ["st", "nd", "rd", "th"];
    endings
        .iter()
        .find_map(|ending| text.strip_prefix(ending))
        .unwrap_or(text)
}

fn figures(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    (1..=4).contains(&end).then(|| text.split_at(end))
}

fn word(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_alphabetic())
        .unwrap_or(text.len());
    (end >= 3).then(|| text.split_at(end))
}

/// The number, from one, of the name that a word is or abbreviates by three letters or more.
fn named(names: &[&str], word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let place = names.iter().position(|name| {
        name.starts_with(&word) && (word.len() <= 4 || word.len() == name.len())
    })?;
    Some(place as u32 + 1)
}

/// `14:30`, `2:30:15 PM`, with an offset or none.
fn clock(text: &str) -> Option<(NaiveTime, TimeDelta)> {
    let upper = text.to_ascii_uppercase();
    let upper = upper.replace("A.M.", "AM").replace("P.M.", "PM");
    let half = ["AM", "PM"]
        .into_iter()
        .find_map(|half| Some((upper.strip_suffix(half)?.trim_end(), half)));
    if let Some((time, half)) = half {
        let twelve = format!("{time} {half}");
        let read = ["%I:%M:%S%.f %p", "%I:%M %p", "%I %p"]
            .iter()
            .find_map(|layout| NaiveTime::parse_from_str(&twelve, layout).ok())?;
        return Some((read, TimeDelta::zero()));
    }
    let upper = upper
        .strip_suffix("UTC")
        .or_else(|| upper.strip_suffix("GMT"))
        .unwrap_or(&upper)
        .trim_end();
    datetime::read_time(upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<String> {
        read(text, Order::DayFirst).map(datetime::print)
    }

    #[test]
    fn dates_in_common_forms() {
        for (text, expected) in [
            ("2024-01-28", "2024-01-28"),
            ("28/01/2024", "2024-01-28"),
            ("28.1.2024", "2024-01-28"),
            ("28-01-2024", "2024-01-28"),
            ("8/1/24", "2024-01-08"),
            ("08.01.99", "1999-01-08"),
            ("2024/1/28", "2024-01-28"),
            ("Jan 28 2024", "2024-01-28"),
            ("January 28, 2024", "2024-01-28"),
            ("Sept. 3rd, 2024", "2024-09-03"),
            ("28 Jan 2024", "2024-01-28"),
            ("28-JAN-24", "2024-01-28"),
            ("28th of January, 2024", "2024-01-28"),
            ("Sun, 28 Jan 2024 14:30:15", "2024-01-28T14:30:15Z"),
            ("28/01/2024 14:30", "2024-01-28T14:30:00Z"),
            ("28/01/2024, 2:30 PM", "2024-01-28T14:30:00Z"),
            ("Jan 28 2024 12:05 a.m.", "2024-01-28T00:05:00Z"),
            ("28/01/2024T14:30+02:00", "2024-01-28T12:30:00Z"),
            ("28/01/2024 14:30 UTC", "2024-01-28T14:30:00Z"),
        ] {
            assert_eq!(day(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(
            read("01/28/2024", Order::MonthFirst).map(datetime::print),
            Some("2024-01-28".to_owned())
        );
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "",
            "1.2.3",
            "10.0.0.1",
            "1/2",
            "32/01/2024",
            "30/02/2024",
            "Mary 3 2024",
            "Jan",
            "Jan 2024",
            "28 Jan",
            "1/2/3",
            "28/01/2024 soon",
            "28/01.2024",
            "555-12-3456",
            "2024-01",
            "Ma 3 2024",
            "28/01/2024,",
            "12345/1/2",
        ] {
            // A comma alone behind a date is tolerated nowhere.
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_date_tells_of_its_order() {
        for (text, expected) in [
            ("28/01/2024", Some(Told::DayFirst)),
            ("01/28/2024", Some(Told::MonthFirst)),
            ("03/04/2024", Some(Told::Either)),
            ("04/04/2024", Some(Told::Settled)),
            ("Jan 28 2024", Some(Told::Settled)),
            ("2024-01-28", Some(Told::Settled)),
            ("soon", None),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
