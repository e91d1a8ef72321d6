//! Dates by the pattern an attribute declares, in the letters of Java's `SimpleDateFormat`.
//!
//! Unlike Java this reader does not roll over (there is no 32nd of January), does not depend on the
//! day it is run (two-digit years are 1970 to 2069), and takes a time without a zone to be UTC.

use chrono::{NaiveDate, TimeDelta};

/// The pattern of an attribute that declares none.
pub(super) const CUSTOMARY: &str = "yyyy-MM-dd'T'HH:mm:ss";

/// The letters that are understood.
pub(super) const LETTERS: &str = "y M d H h k K m s S a E z Z X";

/// A date pattern, taken apart.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    pieces: Vec<Piece>,
}

/// Why a pattern is none.
#[derive(Debug, PartialEq)]
pub(super) enum BadPattern {
    Letter(char),
    OpenQuote,
}

#[derive(Debug)]
enum Piece {
    Literal(char),
    Letters {
        letter: char,
        count: usize,
        /// Digits follow at once, so this field has exactly as many digits as letters.
        abuts: bool,
    },
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Self, BadPattern> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\'' if characters.next_if_eq(&'\'').is_some() => {
                    pieces.push(Piece::Literal('\''));
                }
                '\'' => loop {
                    match characters.next() {
                        None => return Err(BadPattern::OpenQuote),
                        Some('\'') if characters.next_if_eq(&'\'').is_none() => break,
                        Some(literal) => pieces.push(Piece::Literal(literal)),
                    }
                },
                letter if letter.is_ascii_alphabetic() => {
                    if !LETTERS.contains(letter) {
                        return Err(BadPattern::Letter(letter));
                    }
                    let mut count = 1;
                    while characters.next_if_eq(&letter).is_some() {
                        count += 1;
                    }
                    if let Some(Piece::Letters { abuts, .. }) = pieces.last_mut() {
                        *abuts = is_number(letter, count);
                    }
                    pieces.push(Piece::Letters {
                        letter,
                        count,
                        abuts: false,
                    });
                }
                literal => pieces.push(Piece::Literal(literal)),
            }
        }
        Ok(Self {
            text: text.to_owned(),
            pieces,
        })
    }

    /// The pattern as declared.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Milliseconds since 1970-01-01 UTC, if the whole text is of this pattern.
    pub(super) fn read(&self, text: &str) -> Option<i64> {
        let mut rest = text.trim();
        let mut fields = Fields::default();
        for piece in &self.pieces {
            rest = match *piece {
                Piece::Literal(literal) => rest.strip_prefix(literal)?,
                Piece::Letters {
                    letter,
                    count,
                    abuts,
                } if is_number(letter, count) => fields.number(rest, letter, count, abuts)?,
                Piece::Letters { letter, .. } => fields.word(rest, letter)?,
            };
        }
        rest.is_empty().then(|| fields.instant())?
    }
}

fn is_number(letter: char, count: usize) -> bool {
    match letter {
        'M' => count < 3,
        letter => "ydHhkKmsS".contains(letter),
    }
}

/// What a text says; what it does not say is as on 1970-01-01 at midnight.
struct Fields {
    year: i32,
    month: u32,
    day: u32,
    hour: u32,
    /// Hours of half a day, and whether it is the second half.
    half_day: Option<u32>,
    afternoon: bool,
    minute: u32,
    second: u32,
    millisecond: u32,
    /// Seconds east of Greenwich.
    east: i64,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            year: 1970,
            month: 1,
            day: 1,
            hour: 0,
            half_day: None,
            afternoon: false,
            minute: 0,
            second: 0,
            millisecond: 0,
            east: 0,
        }
    }
}

impl Fields {
    /// Takes digits off the text; the rest.
    fn number<'a>(
        &mut self,
        text: &'a str,
        letter: char,
        count: usize,
        abuts: bool,
    ) -> Option<&'a str> {
        let run = text.bytes().take_while(u8::is_ascii_digit).count();
        let length = if abuts { count } else { run };
        let digits = text.get(..length.min(run)).filter(|_| length <= run)?;
        let number: u32 = digits.parse().ok()?;
        let up_to = |limit: u32| Some(number).filter(|number| *number <= limit);
        match letter {
            'y' if count == 2 && digits.len() == 2 => {
                self.year = i32::try_from(number).ok()? + if number < 70 { 2000 } else { 1900 };
            }
            'y' => self.year = i32::try_from(number).ok()?,
            'M' => self.month = number,
            'd' => self.day = number,
            'H' => self.hour = number,
            'k' => self.hour = up_to(24).filter(|hour| *hour > 0)? % 24,
            'h' => self.half_day = Some(up_to(12).filter(|hour| *hour > 0)? % 12),
            'K' => self.half_day = Some(up_to(11)?),
            'm' => self.minute = number,
            's' => self.second = number,
            _ => self.millisecond = up_to(999)?,
        }
        Some(&text[length..])
    }

    /// Takes a name or a zone off the text; the rest.
    fn word<'a>(&mut self, text: &'a str, letter: char) -> Option<&'a str> {
        if "zZX".contains(letter) {
            let (east, rest) = zone(text)?;
            self.east = east;
            return Some(rest);
        }
        let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = text[..length].to_ascii_lowercase();
        match letter {
            'M' => self.month = place(&MONTHS, &word)? + 1,
            'a' => self.afternoon = place(&["am", "pm"], &word)? == 1,
            _ => {
                place(&DAYS, &word)?;
            }
        }
        Some(&text[length..])
    }

    fn instant(self) -> Option<i64> {
        let hour = match self.half_day {
            Some(hour) => hour + if self.afternoon { 12 } else { 0 },
            None => self.hour,
        };
        let time = NaiveDate::from_ymd_opt(self.year, self.month, self.day)?.and_hms_milli_opt(
            hour,
            self.minute,
            self.second,
            self.millisecond,
        )?;
        let utc = time.checked_sub_signed(TimeDelta::seconds(self.east))?;
        Some(utc.and_utc().timestamp_millis())
    }
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

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Where a name stands, given in full or by its first three letters.
fn place(names: &[&str], word: &str) -> Option<u32> {
    names
        .iter()
        .position(|name| word == *name || word.len() == 3 && name.get(..3) == Some(word))
        .and_then(|at| u32::try_from(at).ok())
}

/// Zones by name: those RFC 822 lists, and Europe's.
const ZONES: [(&str, i64); 19] = [
    ("z", 0),
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
    ("wet", 0),
    ("west", 1),
    ("cet", 1),
    ("cest", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
];

/// Seconds east of Greenwich and the text after: `Z`, `+01`, `+0100`, `+01:00`, `GMT+1:00`, `PST`.
fn zone(text: &str) -> Option<(i64, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = text[..length].to_ascii_lowercase();
    let (named, rest) = (ZONES.iter().find(|zone| zone.0 == name), &text[length..]);
    let signed = rest.starts_with(['+', '-']);
    if length > 0 {
        let hours = named?.1;
        if !signed || !["utc", "gmt", "ut"].contains(&name.as_str()) {
            return Some((hours * 3600, rest));
        }
    } else if !signed {
        return None;
    }
    let digits = &rest[1..];
    let run = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (hours, minutes, end) = match run {
        1 | 2 => match digits[run..].strip_prefix(':') {
            Some(minutes) => (&digits[..run], minutes.get(..2)?, run + 3),
            None => (&digits[..run], "0", run),
        },
        3 | 4 => (&digits[..run - 2], &digits[run - 2..run], run),
        _ => return None,
    };
    let hours: i64 = hours.parse().ok().filter(|hours| *hours < 24)?;
    let minutes: u8 = minutes.parse().ok().filter(|minutes| *minutes < 60)?;
    let seconds = (hours * 60 + i64::from(minutes)) * 60;
    let seconds = if rest.starts_with('-') {
        -seconds
    } else {
        seconds
    };
    Some((seconds, &digits[end..]))
}

#[cfg(test)]
mod tests {
    use kinwood_values::datetime;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_by_the_pattern() {
        for (pattern, text, expected) in [
            (CUSTOMARY, "2001-04-03T12:12:12", "2001-04-03T12:12:12Z"),
            ("yyyy-MM-dd", "2001-4-3", "2001-04-03"),
            ("yyyyMMddHHmm", "200104031259", "2001-04-03T12:59:00Z"),
            ("dd/MM/yy", "03/04/01", "2001-04-03"),
            ("d.M.yy", "3.4.98", "1998-04-03"),
            ("dd MMM yyyy", "03 apr 2001", "2001-04-03"),
            ("EEE, d MMMM yyyy", "Tue, 3 April 2001", "2001-04-03"),
            ("E yyyy", "Friday 2001", "2001-01-01"),
            (
                "yyyy-MM-dd hh:mm a",
                "2001-04-03 12:30 AM",
                "2001-04-03T00:30:00Z",
            ),
            (
                "yyyy-MM-dd h:m a",
                "2001-04-03 1:5 pm",
                "2001-04-03T13:05:00Z",
            ),
            ("yyyy KK a", "2001 11 PM", "2001-01-01T23:00:00Z"),
            ("yyyy kk", "2001 24", "2001-01-01"),
            ("HH:mm:ss.SSS", "01:02:03.045", "1970-01-01T01:02:03.045Z"),
            (
                "yyyy-MM-dd HH:mm z",
                "2001-04-03 12:00 PST",
                "2001-04-03T20:00:00Z",
            ),
            (
                "yyyy-MM-dd HH:mm z",
                "2001-04-03 12:00 GMT+1:30",
                "2001-04-03T10:30:00Z",
            ),
            (
                "yyyy-MM-dd HH:mmZ",
                "2001-04-03 12:00-0800",
                "2001-04-03T20:00:00Z",
            ),
            ("yyyy-MM-dd'T'HHX", "2001-04-03T12Z", "2001-04-03T12:00:00Z"),
            (
                "yyyy-MM-dd'T'HHXXX",
                "2001-04-03T12+02:00",
                "2001-04-03T10:00:00Z",
            ),
            ("yyyy 'o''clock' ''", "2001 o'clock '", "2001-01-01"),
        ] {
            let pattern = Pattern::parse(pattern).unwrap();
            let read = pattern.read(text).map(datetime::print);
            assert_eq!(read.as_deref(), Some(expected), "{} {text}", pattern.text());
        }
    }

    #[test]
    fn refuses_what_is_no_date() {
        for (pattern, text) in [
            ("yyyy-MM-dd", "2001-02-29"),
            ("yyyy-MM-dd", "2001-02-01x"),
            ("yyyy-MM-dd", "2001-02"),
            ("yyyy-MM-dd", ""),
            ("yyyy-MM-dd", "99999999999-01-01"),
            ("yyyyMMdd", "20010"),
            ("HH", "24"),
            ("hh a", "13 PM"),
            ("SSS", "1000"),
            ("MMM", "Foo"),
            ("E", "Blursday"),
            ("z", "XYZ"),
            ("z", "+1:é"),
            ("X", "12"),
        ] {
            assert_eq!(
                Pattern::parse(pattern).unwrap().read(text),
                None,
                "{pattern} {text}"
            );
        }
    }

    #[test]
    fn unknown_letters_and_open_quotes_are_refused() {
        assert_eq!(Pattern::parse("YYYY").unwrap_err(), BadPattern::Letter('Y'));
        assert_eq!(Pattern::parse("yyyy'T").unwrap_err(), BadPattern::OpenQuote);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(pattern in "[yMdHhkKmsSaEzZX:/ '+-]{0,12}", text in "\\PC{0,16}|[0-9:/+ -]{0,16}") {
            if let Ok(pattern) = Pattern::parse(&pattern) {
                pattern.read(&text);
            }
        }

        #[test]
        fn what_is_written_is_read(milliseconds in -60_000_000_000_000i64..250_000_000_000_000) {
            let time = chrono::DateTime::from_timestamp_millis(milliseconds).unwrap();
            let pattern = Pattern::parse("E, d MMM yyyy HH:mm:ss.SSS Z").unwrap();
            let text = time.format("%a, %-d %b %Y %H:%M:%S%.3f +0000").to_string();
            prop_assert_eq!(pattern.read(&text), Some(milliseconds));
        }
    }
}
