//! A setting as its owner declares it: a name, what it does, what it may be and its default.
//!
//! Learners read settings from text (`k=3`), measures read numbers and words of an expression
//! (`edit(insert=2)`). Both declare them here, so that help, catalogues and errors have one source.

use std::fmt;

use crate::suggest::nearest;

/// A setting of a learner or of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name in `--set name=value` or in an expression.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// What it may be.
    pub allowed: Allowed,
    /// The default as text; empty where there is none.
    pub default: &'static str,
}

/// What a setting may be.
///
/// Displayed, it says so in words (`one of own, max`). In the alternate form (`{:#}`) words stand
/// in quotes, as they do in expressions (`` `own`, `max` ``).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed {
    /// Any finite number.
    Number,
    /// A number that is not negative.
    NotNegative,
    /// A number that is zero or below.
    NotPositive,
    /// A number above zero.
    Positive,
    /// A number above zero, up to one.
    Share,
    /// A number in a range, ends included.
    Real {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// A whole number in a range, ends included.
    Whole {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A whole number from the least on, or one of these words.
    WholeOr {
        /// The least.
        least: u64,
        /// The words.
        words: &'static [&'static str],
    },
    /// A number above zero, or one of these words.
    PositiveOr(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or of those that the program has added to them.
    ChoiceOrAdded {
        /// The words.
        words: &'static [&'static str],
        /// Those that were added.
        added: AddedWords,
    },
    /// One of these names, each with what it makes of other settings, unless they are given too.
    Preset(&'static [Preset]),
    /// Any text; its owner reads it and reports what is wrong with it.
    Text,
}

/// Where words are found that the program has added to those of a setting.
#[derive(Clone, Copy, Debug)]
pub struct AddedWords(pub fn() -> Vec<&'static str>);

impl PartialEq for AddedWords {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

/// A name for settings that belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// Settings and their values; the rest keep their defaults.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A value that a setting may not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The name of the setting.
    pub name: &'static str,
    /// The value.
    pub value: String,
    /// What it may be, in words.
    pub expected: String,
    /// The word most like the value, of those it may be.
    pub nearest: Option<String>,
}

/// Whole numbers are held exactly up to here.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Parameter {
    /// Fails when the text is not a value the parameter may have.
    pub fn check(&self, value: &str) -> Result<(), Refused> {
        if self.allowed.accepts_text(value) {
            return Ok(());
        }
        Err(Refused {
            name: self.name,
            value: value.to_owned(),
            expected: self.allowed.to_string(),
            nearest: nearest(value, self.allowed.words()),
        })
    }
}

impl Allowed {
    /// Whether a finite number is allowed.
    pub fn accepts_number(self, number: f64) -> bool {
        let whole =
            |least: u64| number >= least as f64 && number.fract() == 0.0 && number < MOST_WHOLE;
        match self {
            Allowed::Number | Allowed::Text => true,
            Allowed::NotNegative => number >= 0.0,
            Allowed::NotPositive => number <= 0.0,
            Allowed::Positive | Allowed::PositiveOr(_) => number > 0.0,
            Allowed::Share => number > 0.0 && number <= 1.0,
            Allowed::Real { least, most } => (least..=most).contains(&number),
            Allowed::Whole { least, most } => whole(least) && number <= most as f64,
            Allowed::WholeOr { least, .. } => whole(least),
            Allowed::Flag
            | Allowed::Choice(_)
            | Allowed::ChoiceOrAdded { .. }
            | Allowed::Preset(_) => false,
        }
    }

    /// Whether a word is allowed.
    pub fn accepts_word(self, word: &str) -> bool {
        match self {
            Allowed::Text => true,
            Allowed::Flag => matches!(word, "true" | "false"),
            _ => self.words().contains(&word),
        }
    }

    /// Whether a text is an allowed word or number.
    pub fn accepts_text(self, text: &str) -> bool {
        let whole = |range: std::ops::RangeInclusive<u64>| {
            text.parse::<u64>()
                .is_ok_and(|number| range.contains(&number))
        };
        self.accepts_word(text)
            || match self {
                Allowed::Flag
                | Allowed::Choice(_)
                | Allowed::ChoiceOrAdded { .. }
                | Allowed::Preset(_)
                | Allowed::Text => false,
                Allowed::Whole { least, most } => whole(least..=most),
                Allowed::WholeOr { least, .. } => whole(least..=u64::MAX),
                Allowed::Real { least, most } => text
                    .parse::<f64>()
                    .is_ok_and(|number| (least..=most).contains(&number)),
                Allowed::Number
                | Allowed::NotNegative
                | Allowed::NotPositive
                | Allowed::Positive
                | Allowed::PositiveOr(_)
                | Allowed::Share => text
                    .parse::<f64>()
                    .is_ok_and(|number| number.is_finite() && self.accepts_number(number)),
            }
    }

    /// The words that are allowed by name, of which the nearest helps.
    fn words(self) -> Vec<&'static str> {
        match self {
            Allowed::Choice(words)
            | Allowed::WholeOr { words, .. }
            | Allowed::PositiveOr(words) => words.to_vec(),
            Allowed::ChoiceOrAdded { words, added } => {
                words.iter().copied().chain((added.0)()).collect()
            }
            Allowed::Preset(presets) => presets.iter().map(|preset| preset.name).collect(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |words: &[&str]| format!("`{}`", words.join("`, `"));
        let expression = f.alternate();
        match self {
            Allowed::Number => f.write_str("a number"),
            Allowed::NotNegative => f.write_str("a number that is not negative"),
            Allowed::NotPositive => f.write_str("a number that is at most 0"),
            Allowed::Positive => f.write_str("a number above 0"),
            Allowed::Share => f.write_str("a number above 0 and at most 1"),
            Allowed::Real { least, most } if *most >= f64::MAX => {
                write!(f, "a number from {least}")
            }
            Allowed::Real { least, most } => write!(f, "a number from {least} to {most}"),
            Allowed::Whole {
                least,
                most: u64::MAX,
            } => write!(f, "a whole number from {least}"),
            Allowed::Whole { least, most } => write!(f, "a whole number from {least} to {most}"),
            Allowed::WholeOr { least, words } if expression => {
                write!(f, "{} or a whole number from {least}", quoted(words))
            }
            Allowed::WholeOr { least, words } => {
                write!(f, "a whole number from {least}, or {}", words.join(" or "))
            }
            Allowed::PositiveOr(words) if expression => {
                write!(f, "{} or a number above 0", quoted(words))
            }
            Allowed::PositiveOr(words) => {
                write!(f, "a number above 0, or {}", words.join(" or "))
            }
            Allowed::Flag => f.write_str("`true` or `false`"),
            Allowed::Choice(words) if expression => f.write_str(&quoted(words)),
            Allowed::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Allowed::ChoiceOrAdded { .. } if expression => f.write_str(&quoted(&self.words())),
            Allowed::ChoiceOrAdded { .. } | Allowed::Preset(_) => {
                write!(f, "one of {}", self.words().join(", "))
            }
            Allowed::Text if expression => f.write_str("a value"),
            Allowed::Text => f.write_str("text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_numbers_and_words_are_checked_by_one_rule() {
        let whole = Allowed::Whole {
            least: 1,
            most: u64::MAX,
        };
        assert!(whole.accepts_text("3") && whole.accepts_number(3.0));
        assert!(!whole.accepts_text("2.5") && !whole.accepts_number(2.5));
        assert!(!whole.accepts_text("0") && !whole.accepts_number(0.0));
        let either = Allowed::PositiveOr(&["train"]);
        assert!(either.accepts_word("train") && either.accepts_number(0.5));
        assert!(either.accepts_text("train") && either.accepts_text("0.5"));
        assert!(!either.accepts_text("inf") && !either.accepts_word("trian"));
        assert!(Allowed::Text.accepts_word("anything") && Allowed::Text.accepts_number(1.0));
        assert!(Allowed::Flag.accepts_text("true") && !Allowed::Flag.accepts_text("yes"));
    }

    #[test]
    fn words_are_quoted_in_expressions() {
        let either = Allowed::WholeOr {
            least: 1,
            words: &["all", "none"],
        };
        assert_eq!(either.to_string(), "a whole number from 1, or all or none");
        assert_eq!(
            format!("{either:#}"),
            "`all`, `none` or a whole number from 1"
        );
    }

    #[test]
    fn what_is_refused_comes_with_the_nearest_word() {
        let parameter = Parameter {
            name: "missing",
            doc: "",
            allowed: Allowed::Choice(&["own", "max"]),
            default: "own",
        };
        assert_eq!(parameter.check("max"), Ok(()));
        let refused = parameter.check("maxx").unwrap_err();
        assert_eq!(refused.expected, "one of own, max");
        assert_eq!(refused.nearest.as_deref(), Some("max"));
    }
}
