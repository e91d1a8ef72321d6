//! A bound on the nesting of JSON, checked on the bytes before anything is parsed.
//!
//! The parser recurses, so its own limit is the last guard; checking when writing as well means
//! that no file is written which cannot be read.

use crate::error::{Error, Place, Result};

/// The deepest nesting allowed; below the 128 at which the parser gives up.
pub(crate) const DEEPEST: usize = 100;

/// Refuses JSON text nested deeper than [`DEEPEST`].
pub(crate) fn check(place: impl FnOnce() -> Place, json: &[u8]) -> Result<()> {
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    for &byte in json {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Error::TooDeep {
                        place: place(),
                        limit: DEEPEST,
                    });
                }
            }
            // Unbalanced brackets are the parser's to report.
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(json: &str) -> bool {
        check(|| Place::Manifest, json.as_bytes()).is_ok()
    }

    #[test]
    fn depth_counts_brackets_outside_strings() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(allowed(&nested(DEEPEST)));
        assert!(!allowed(&nested(DEEPEST + 1)));
        assert!(allowed(&format!("\"{}\"", "[".repeat(1000))));
        assert!(allowed(&format!("\"\\\"{}\"", "[".repeat(1000))));
        assert!(!allowed(&format!("\"\\\\\"{}", "[".repeat(1000))));
        assert!(allowed(&"[],".repeat(1000)));
        assert!(serde_json::from_str::<serde_json::Value>(&nested(DEEPEST)).is_ok());
    }
}
