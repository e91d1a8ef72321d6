//! Numbers as drawings and pages have them.

use kinwood_learners::drawing;

/// A length to a tenth of a pixel.
pub(crate) struct Tenth(pub f64);

impl std::fmt::Display for Tenth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

/// A length to a tenth of a pixel, without needless digits.
pub(crate) struct Figure(pub f64);

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}

/// A size in whole pixels.
pub(crate) fn whole(width: f64, height: f64) -> (f64, f64) {
    (width.round_ties_even(), height.round_ties_even())
}

/// A number to four digits.
pub(crate) fn short(number: f64) -> String {
    match number.is_finite() {
        true => drawing::short(number, 4, -4.0..9.0),
        false => "–".to_owned(),
    }
}

/// The least and the greatest of numbers; of none, infinity and its opposite.
pub(crate) fn ends(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let numbers = numbers.into_iter();
    numbers.fold(none, |(least, greatest), number| {
        (least.min(number), greatest.max(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        let written = [1.0, 2.3456, -0.01].map(|length| Figure(length).to_string());
        assert_eq!(written, ["1", "2.3", "0"]);
        assert_eq!(
            (Tenth(2.0).to_string(), short(f64::NAN)),
            ("2.0".into(), "–".into())
        );
        assert_eq!(ends([2.0, -1.0]), (-1.0, 2.0));
    }
}
