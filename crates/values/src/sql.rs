//! How SQL writes names, texts, numbers and times, so that SQLite and PostgreSQL read the same.

use std::fmt::Write;

/// A name as SQL writes it.
pub fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL writes it; `None` for one with a character of code 0, which PostgreSQL cannot
/// hold.
pub fn text(text: &str) -> Option<String> {
    (!text.contains('\0')).then(|| format!("'{}'", text.replace('\'', "''")))
}

/// An instant as a text that both databases compare with their times: `'2008-03-16 04:30:00'`, in
/// UTC. Times of SQLite are texts; those that are compared with it are written so, or are dates
/// alone.
pub fn instant(milliseconds: i64) -> String {
    let text = crate::datetime::print(milliseconds);
    match text.split_once('T') {
        Some((date, time)) => format!("'{date} {}'", time.trim_end_matches('Z')),
        None => format!("'{text} 00:00:00'"),
    }
}

/// A finite number as a double: arithmetic with it is that of doubles, not of decimals.
pub fn double(value: f64) -> String {
    match number(value) {
        exact if exact.starts_with('(') => exact,
        decimal => format!("CAST({decimal} AS double precision)"),
    }
}

/// A finite number as SQL writes it: read as a double, or compared with one, it is the same double
/// everywhere.
///
/// Up to 15 digits and moderate powers of ten are read exactly everywhere. SQLite has rounded
/// longer ones by its own rules, different ones over the years; they are written as a whole number
/// times or over powers of two, which is exact.
pub fn number(number: f64) -> String {
    let shortest = number.to_string();
    let digits = shortest.bytes().filter(u8::is_ascii_digit).count();
    if digits <= 15 {
        let decimal = if shortest.contains('.') { "" } else { ".0" };
        return format!("{shortest}{decimal}");
    }
    let bits = number.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mut whole, mut power) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let twos = (whole.trailing_zeros() as i32).min(-power).max(0);
    whole >>= twos;
    power += twos;
    let sign = if number < 0.0 { "-" } else { "" };
    let mut sql = format!("(CAST({sign}{whole} AS double precision)");
    while power != 0 {
        let step = power.unsigned_abs().min(62);
        let mark = if power < 0 { '/' } else { '*' };
        let _ = write!(sql, " {mark} {}", 1u64 << step);
        power -= power.signum() * step as i32;
    }
    sql + ")"
}

/// A column, or any expression, as a double; nothing where it is missing.
pub fn numeric(column: &str) -> String {
    // Only PostgreSQL keeps what is not a number, as the greatest of all; to us it is missing.
    format!("NULLIF(CAST({column} AS double precision), 'NaN')")
}

/// A column as a text: a label or a string.
pub fn textual(column: &str) -> String {
    format!("CAST({column} AS text)")
}

/// A column of times as milliseconds since 1970-01-01 UTC, a double; nothing where it is missing or
/// of another form.
///
/// The two databases share no function of time, so the text is taken apart, which is ISO 8601 where
/// we write it to SQLite, and what PostgreSQL makes of dates and timestamps: a date, and perhaps a
/// time after a blank or a `T`, and an offset. Years have four digits; what is finer than a
/// millisecond is dropped, as where data are read.
pub fn moment(column: &str) -> String {
    let text = format!("TRIM({})", textual(column));
    let whole = |of: &str| format!("CAST({of} AS bigint)");
    let part = |of: &str, from: u32, length: u32| whole(&format!("SUBSTR({of}, {from}, {length})"));
    let sign = |back: u32| format!("SUBSTR(s, LENGTH(s) - {back}, 1) IN ('+', '-')");
    let last = |back: u32| whole(&format!("SUBSTR(s, LENGTH(s) - {back}, 2)"));
    let written = format!(
        "SELECT CASE WHEN {text} LIKE '____-__-__%' AND {text} NOT LIKE '%BC' THEN {text} END AS s LIMIT 1"
    );
    // `z` is how long the offset is. Those of old times have seconds in PostgreSQL.
    let zoned = format!(
        "SELECT s, CASE WHEN LENGTH(s) < 16 THEN 0 WHEN SUBSTR(s, LENGTH(s), 1) IN ('Z', 'z') THEN 1 \
         WHEN {} THEN 6 WHEN {} THEN 5 WHEN {} THEN 3 WHEN LENGTH(s) > 19 AND {} THEN 9 ELSE 0 END AS z \
         FROM ({written}) AS written LIMIT 1",
        sign(5),
        sign(4),
        sign(2),
        sign(8)
    );
    let divided = format!(
        "SELECT {} AS y, {} AS m, {} AS d, RTRIM(SUBSTR(s, 11, LENGTH(s) - z - 10)) AS c, \
         CASE WHEN z < 3 THEN 0 ELSE CASE SUBSTR(s, LENGTH(s) - z + 1, 1) WHEN '-' THEN -1 ELSE 1 END * \
         ({} * 3600 + CASE z WHEN 3 THEN 0 WHEN 9 THEN {} * 60 + {} ELSE {} * 60 END) END AS east \
         FROM ({zoned}) AS zoned LIMIT 1",
        part("s", 1, 4),
        part("s", 6, 2),
        part("s", 9, 2),
        whole("SUBSTR(s, LENGTH(s) - z + 2, 2)"),
        last(4),
        last(1),
        last(1),
    );
    // Years begin in March, so that the day that some have comes last.
    let counted = format!(
        "SELECT y + 4800 - (14 - m) / 12 AS y, m + (14 - m) / 12 * 12 - 3 AS m, d, \
         CASE WHEN LENGTH(c) < 6 THEN 0 ELSE {} * 3600 + {} * 60 END - east AS seconds, \
         CASE WHEN LENGTH(c) < 9 THEN 0 ELSE {} * 1000 END + CASE WHEN LENGTH(c) < 11 THEN 0 ELSE {} END AS ms \
         FROM ({divided}) AS divided LIMIT 1",
        part("c", 2, 2),
        part("c", 5, 2),
        part("c", 8, 2),
        whole("SUBSTR(SUBSTR(c, 11, 3) || '00', 1, 3)"),
    );
    format!(
        "(SELECT (CAST(d + (153 * m + 2) / 5 + 365 * y + y / 4 - y / 100 + y / 400 - 2472633 AS double precision) \
         * 86400 + seconds) * 1000 + ms FROM ({counted}) AS counted LIMIT 1)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_are_quoted() {
        assert_eq!(identifier("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(text("it's").as_deref(), Some("'it''s'"));
        assert_eq!(text("a\0b"), None);
    }

    #[test]
    fn instants_have_a_date_and_a_time() {
        assert_eq!(instant(0), "'1970-01-01 00:00:00'");
        assert_eq!(instant(90_061_250), "'1970-01-02 01:01:01.250'");
    }

    #[test]
    fn short_numbers_are_decimal_and_long_ones_exact_fractions() {
        assert_eq!((number(1.5), number(-2.0)), ("1.5".into(), "-2.0".into()));
        assert_eq!(
            number(1.0 / 3.0),
            "(CAST(6004799503160661 AS double precision) / 18014398509481984)"
        );
        // The fraction is worked out again: doubles divide by powers of two without loss.
        for written in [
            0.1 + 0.2,
            -1.0e300 / 3.0,
            5e-324,
            123456789.12345679,
            1e22 / 7.0,
        ] {
            let sql = number(written);
            let inner = sql.trim_start_matches("(CAST(").trim_end_matches(')');
            let (whole, rest) = inner.split_once(" AS double precision)").unwrap();
            let mut value: f64 = whole.parse().unwrap();
            let mut words = rest.split_whitespace();
            while let (Some(mark), Some(power)) = (words.next(), words.next()) {
                let power: f64 = power.parse().unwrap();
                value = if mark == "/" {
                    value / power
                } else {
                    value * power
                };
            }
            assert_eq!(value, written, "{sql}");
        }
    }
}
