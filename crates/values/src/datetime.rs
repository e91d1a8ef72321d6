//! Points in time as milliseconds since 1970-01-01 UTC, and their ISO 8601 text.
//!
//! One number per time keeps columns flat and differences exact; what a text without an offset
//! means is settled here once: UTC.

use chrono::{
    DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc,
};

use crate::text::{ParseError, excerpt};

/// Whether the calendar has this point in time: years from -262143 to 262142.
pub fn in_calendar(milliseconds: i64) -> bool {
    DateTime::<Utc>::from_timestamp_millis(milliseconds).is_some()
}

/// A point in time as the calendar has it, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarTime {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u32,
    /// The day of the year, from 1.
    pub day_of_year: u32,
    /// The days of that year: 365 or 366.
    pub days_in_year: u32,
    /// Days since Monday.
    pub weekday: u32,
    /// Milliseconds since midnight.
    pub since_midnight: i64,
}

/// A point in time as the calendar has it; none outside of the calendar.
///
/// ```
/// use kinwood_values::datetime::{calendar, parse};
/// let time = calendar(parse("2024-12-25 06:00")?).unwrap();
/// assert_eq!((time.year, time.month, time.day_of_year, time.days_in_year), (2024, 12, 360, 366));
/// assert_eq!((time.weekday, time.since_midnight), (2, 6 * 3_600_000));
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
pub fn calendar(milliseconds: i64) -> Option<CalendarTime> {
    let time = DateTime::<Utc>::from_timestamp_millis(milliseconds)?;
    let date = time.date_naive();
    Some(CalendarTime {
        year: date.year(),
        month: date.month(),
        day_of_year: date.ordinal(),
        days_in_year: if date.leap_year() { 366 } else { 365 },
        weekday: date.weekday().num_days_from_monday(),
        since_midnight: milliseconds.rem_euclid(86_400_000),
    })
}

/// Reads a date, or a date and a time after `T` or a blank, with an optional offset; parts of a
/// millisecond are dropped.
///
/// ```
/// use kinwood_values::datetime::parse;
/// assert_eq!(parse("1970-01-02")?, 86_400_000);
/// assert_eq!(parse("1970-01-01 01:00:00.25+01:00")?, 250);
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<i64, ParseError> {
    read(text.trim())
        .map(|time| time.and_utc().timestamp_millis())
        .ok_or_else(|| ParseError::NotADate {
            found: excerpt(text),
        })
}

fn read(text: &str) -> Option<NaiveDateTime> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    let Some(time) = time else {
        return Some(date.and_time(NaiveTime::MIN));
    };
    let (time, east) = read_time(time)?;
    date.and_time(time).checked_sub_signed(east)
}

/// A time of day with an optional offset, and how far east of UTC it is.
pub(crate) fn read_time(text: &str) -> Option<(NaiveTime, TimeDelta)> {
    let (time, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (text[..at].trim_end(), read_offset(&text[at..])?),
        None => (text, FixedOffset::east_opt(0)?),
    };
    let time = NaiveTime::parse_from_str(time, "%H:%M:%S%.f")
        .or_else(|_| NaiveTime::parse_from_str(time, "%H:%M"))
        .ok()?;
    Some((time, TimeDelta::seconds(offset.local_minus_utc().into())))
}

/// `Z`, `+01:00`, `+0100` or `+01`.
fn read_offset(text: &str) -> Option<FixedOffset> {
    if matches!(text, "Z" | "z") {
        return FixedOffset::east_opt(0);
    }
    let digits: String = text[1..].chars().filter(|&c| c != ':').collect();
    let shaped = match text.len() {
        6 => text.as_bytes()[3] == b':' && digits.len() == 4,
        5 | 3 => digits.len() == text.len() - 1,
        _ => false,
    };
    if !shaped || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let hours: i32 = digits[..2].parse().ok()?;
    let minutes: i32 = if digits.len() == 4 {
        digits[2..].parse().ok()?
    } else {
        0
    };
    let seconds = (hours * 60 + minutes) * 60;
    if hours > 23 || minutes > 59 {
        return None;
    }
    FixedOffset::east_opt(if text.starts_with('-') {
        -seconds
    } else {
        seconds
    })
}

/// The ISO 8601 text in UTC: a date alone at midnight, else with the time and `Z`.
///
/// A point in time outside of the calendar has no such text and is written as its milliseconds.
pub fn print(milliseconds: i64) -> String {
    let Some(time) = DateTime::<Utc>::from_timestamp_millis(milliseconds) else {
        return format!("{milliseconds} ms");
    };
    let layout = if time.time() == NaiveTime::MIN {
        "%Y-%m-%d"
    } else if time.nanosecond() == 0 {
        "%Y-%m-%dT%H:%M:%SZ"
    } else {
        "%Y-%m-%dT%H:%M:%S%.3fZ"
    };
    time.format(layout).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_spellings() {
        for (text, printed) in [
            ("2024-05-01", "2024-05-01"),
            ("2024-05-01T00:00Z", "2024-05-01"),
            ("2024-05-01 12:30", "2024-05-01T12:30:00Z"),
            ("2024-05-01T12:30:15.5", "2024-05-01T12:30:15.500Z"),
            ("2024-05-01T12:30:15.123999z", "2024-05-01T12:30:15.123Z"),
            ("2024-05-01T00:30:00+02:00", "2024-04-30T22:30:00Z"),
            ("2024-05-01T00:30:00 -0530", "2024-05-01T06:00:00Z"),
            ("2024-05-01T00:30:00+01", "2024-04-30T23:30:00Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            (" 0001-01-01 ", "0001-01-01"),
            ("+12024-05-01", "+12024-05-01"),
        ] {
            assert_eq!(print(parse(text).unwrap()), printed, "{text}");
        }
        assert_eq!(parse("1969-12-31T23:59:59.999Z"), Ok(-1));
    }

    #[test]
    fn refuses_what_is_no_date() {
        for text in [
            "",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "01/05/2024",
            "2024-05-01T",
            "2024-05-01T25:00",
            "2024-05-01T12:00+",
            "2024-05-01T12:00+1",
            "2024-05-01T12:00+é1",
            "2024-05-01T12:00+24:00",
            "2024-05-01T12:00Zulu",
            "2024-05-01T12:00+0:100",
            "2024-05-01T12:00+01:0é",
        ] {
            assert_eq!(
                parse(text),
                Err(ParseError::NotADate { found: text.into() }),
                "{text}"
            );
        }
    }

    #[test]
    fn outside_of_the_calendar_nothing_breaks() {
        assert!(!in_calendar(i64::MAX));
        assert_eq!(print(i64::MIN), "-9223372036854775808 ms");
    }
}
