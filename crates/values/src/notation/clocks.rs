//! Times of day and lengths of time as people write them: `14:30`, `2:30 PM`, `36:15:00`.

/// The hours that the text writes: of the day, or how many there were.
pub fn read(text: &str) -> Option<f64> {
    let text = text.trim();
    let (figures, half) = halved(text);
    let mut parts = figures.trim_end().split(':');
    let hours = parts.next()?;
    if !(1..=3).contains(&hours.len()) || !hours.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let minutes = two_figures(parts.next()?)?;
    let seconds = match parts.next() {
        Some(seconds) => with_fraction(seconds)?,
        None => 0.0,
    };
    if parts.next().is_some() {
        return None;
    }
    let hours: u32 = hours.parse().ok()?;
    let hours = match half {
        None => hours,
        Some(_) if !(1..=12).contains(&hours) => return None,
        Some(afternoon) => hours % 12 + if afternoon { 12 } else { 0 },
    };
    Some(f64::from(hours) + f64::from(minutes) / 60.0 + seconds / 3600.0)
}

/// The text without `AM` or `PM`, and whether it is the afternoon.
fn halved(text: &str) -> (&str, Option<bool>) {
    let ending = |end: &str| {
        let start = text.len().checked_sub(end.len())?;
        let tail = text.get(start..)?;
        tail.eq_ignore_ascii_case(end).then(|| &text[..start])
    };
    for (end, afternoon) in [("am", false), ("a.m.", false), ("pm", true), ("p.m.", true)] {
        if let Some(figures) = ending(end) {
            return (figures, Some(afternoon));
        }
    }
    (text, None)
}

/// A number of two figures below sixty.
fn two_figures(text: &str) -> Option<u32> {
    let figures = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| figures && *number < 60)
}

/// Seconds, with decimals or without.
fn with_fraction(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let whole = two_figures(whole)?;
    let figures = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: f64 = format!("0.{part}").parse().ok().filter(|_| figures)?;
    Some(f64::from(whole) + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_and_lengths_in_hours() {
        for (text, expected) in [
            ("14:30", 14.5),
            ("00:00", 0.0),
            ("7:15", 7.25),
            ("2:30 PM", 14.5),
            ("12:00am", 0.0),
            ("12:30 p.m.", 12.5),
            ("36:15:00", 36.25),
            ("1:00:36", 1.01),
            ("1:00:00.9", 1.00025),
        ] {
            let found = read(text);
            assert!(
                found.is_some_and(|found| (found - expected).abs() < 1e-12),
                "{text}: {found:?}"
            );
        }
        for text in [
            "",
            "14",
            "16:9",
            "4:3",
            "14:60",
            "14:5",
            "13:00 PM",
            "0:30 am",
            "1:2:3",
            "a:30",
            "14:30:15:00",
            "-1:30",
            "12345:00",
            "14:30 h",
            "1:00:00.",
            "::",
            "PM",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
