//! Sizes and durations as people write them: `2G`, `500M`, `30s`, `1.5h`.

use std::time::Duration;

/// Units of size by their letter; as memory is counted, a step is 1024.
const SIZES: [(&str, f64); 5] = [
    ("", 1.0),
    ("K", 1024.0),
    ("M", 1_048_576.0),
    ("G", 1_073_741_824.0),
    ("T", 1_099_511_627_776.0),
];

const DURATIONS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// Reads a size in bytes: a number and K, M, G or T.
pub fn size(text: &str) -> Result<u64, String> {
    let upper = text.to_uppercase();
    let plain = upper.trim_end_matches("IB").trim_end_matches('B');
    let bytes = amount(plain, &SIZES).ok_or("expected a size such as 500M or 2G")?;
    if bytes < 1.0 {
        return Err("expected a size above zero".to_owned());
    }
    Ok(bytes as u64)
}

/// Reads a duration: a number and ms, s, m or h.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = amount(text, &DURATIONS).ok_or("expected a duration such as 30s, 5m or 1h")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a shorter duration".to_owned())
}

fn amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    Some(number.parse::<f64>().ok()? * factor)
}

/// A size for people: three digits at most, and a unit.
pub fn show_size(bytes: u64) -> String {
    let bytes = bytes as f64;
    let (name, factor) = SIZES
        .iter()
        .rev()
        .find(|(_, factor)| bytes >= *factor)
        .unwrap_or(&SIZES[0]);
    let number = bytes / factor;
    let digits = usize::from(number < 10.0 && number.fract() > 0.0);
    format!("{number:.digits$} {name}B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("1.5KiB"), Ok(1536));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "G", "-1G", "2X", "1e9", "0"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations_are_read() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "30", "s", "1d", "-1s", "99999999999999999999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_shown() {
        assert_eq!(show_size(17), "17 B");
        assert_eq!(show_size(1536), "1.5 KB");
        assert_eq!(show_size(500 << 20), "500 MB");
    }
}
