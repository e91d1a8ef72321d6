//! Texts as words: lower-cased runs of letters and digits, without those that say nothing of what a
//! text is about.

use std::collections::BTreeSet;
use std::sync::Arc;

use kinwood_values::column::Members;
use kinwood_values::offsets::Offsets;
use kinwood_values::parameter::{Allowed, Parameter};

use kinwood_values::{Cells, Column, Dictionary, Kind, Type, Validity};

use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::{Argument, Expression, Literal};
use crate::weights::{OTHER, VOCABULARY, WEIGHTS};

/// Words that are left out.
const STOP: Parameter = Parameter {
    name: "stop",
    doc: "Words that are left out: `none`, `english`, or a JSON list of words.",
    allowed: Allowed::Text,
    default: "none",
};

/// The shortest word.
const SHORTEST: Parameter = Parameter {
    name: "shortest",
    doc: "How many characters a word has at least; shorter ones are left out.",
    allowed: Allowed::Whole {
        least: 1,
        most: 100,
    },
    default: "2",
};

/// Weights, from training unless they are given.
const IDF: Parameter = Parameter {
    doc: "How much each word counts: `idf`, the less the more training texts have it, or a JSON object of words and weights.",
    default: "idf",
    ..WEIGHTS
};

/// The settings of every measure of texts by words.
pub(crate) const SETTINGS: [Parameter; 5] = [IDF, OTHER, VOCABULARY, STOP, SHORTEST];

/// How texts become words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    stop: Stop,
    shortest: usize,
}

/// Which words are left out.
#[derive(Clone, Debug, PartialEq)]
enum Stop {
    None,
    English,
    These(BTreeSet<String>),
}

impl Reading {
    /// What the settings of a measure say.
    pub(crate) fn declared(declaration: &Declaration<'_>) -> Result<Self, Error> {
        let wrong = |found: String| Error::Setting {
            measure: declaration.name().to_owned(),
            setting: STOP.name.to_owned(),
            found,
            expected: "`none`, `english` or a JSON list of words".to_owned(),
        };
        let stop = match declaration.setting(STOP.name) {
            Some(Literal::Word(word)) if word == "none" => Stop::None,
            Some(Literal::Word(word)) if word == "english" => Stop::English,
            Some(Literal::Word(text)) => {
                let words: Vec<String> = serde_json::from_str(&text).map_err(|_| {
                    let shown: String = text.chars().take(40).collect();
                    wrong(format!("`{shown}`"))
                })?;
                Stop::These(words.iter().map(|word| word.to_lowercase()).collect())
            }
            Some(Literal::Number(number)) => return Err(wrong(number.to_string())),
            None => Stop::None,
        };
        Ok(Self {
            stop,
            shortest: declaration.number(SHORTEST.name) as usize,
        })
    }

    /// The settings that say the same.
    pub(crate) fn settings(&self, expression: Expression) -> Expression {
        let expression = match &self.stop {
            Stop::None => expression,
            Stop::English => expression.word(STOP.name, "english"),
            Stop::These(words) => {
                let words: Vec<serde_json::Value> =
                    words.iter().map(|word| word.as_str().into()).collect();
                expression.word(STOP.name, &serde_json::Value::Array(words).to_string())
            }
        };
        match self.shortest {
            2 => expression,
            shortest => expression.number(SHORTEST.name, shortest as f64),
        }
    }

    /// A column of texts as lists of their words, in the order they stand.
    pub(crate) fn lists(&self, column: &Column) -> Column {
        let mut dictionary = Dictionary::new();
        let mut codes = Vec::new();
        let mut lengths = Vec::with_capacity(column.len());
        for row in 0..column.len() {
            let before = codes.len();
            if let (Cells::String(texts), true) = (column.cells(), column.is_present(row)) {
                self.each(texts.get(row), |word| codes.push(dictionary.intern(word)));
            }
            lengths.push(codes.len() - before);
        }
        let words = Cells::Nominal {
            codes,
            dictionary: Arc::new(dictionary),
        };
        let members = Members {
            offsets: Offsets::from_lengths(lengths),
            child: Box::new(Column::new(words, None)),
        };
        let kind = Kind::List;
        let present = (0..column.len()).map(|row| column.is_present(row));
        Column::new(
            Cells::Collection { kind, members },
            Some(Validity::from_bits(present)),
        )
    }

    fn each(&self, text: &str, mut found: impl FnMut(&str)) {
        let lower = text.to_lowercase();
        for word in lower.split(|c: char| !c.is_alphanumeric()) {
            let long = word.chars().nth(self.shortest - 1).is_some();
            if long && !self.leaves_out(word) {
                found(word);
            }
        }
    }

    fn leaves_out(&self, word: &str) -> bool {
        match &self.stop {
            Stop::None => false,
            Stop::English => ENGLISH.binary_search(&word).is_ok(),
            Stop::These(words) => words.contains(word),
        }
    }
}

/// The type of texts as words.
pub(crate) fn of_words() -> Type {
    Type::List(Box::new(Type::Nominal))
}

/// The measure of words that a measure of texts declares: a coefficient of lists by this name, with
/// the weights that are given or come from training texts.
pub(crate) fn inside(declaration: &Declaration<'_>, name: &str) -> Result<Expression, Error> {
    let mut inner = Expression::new(name);
    let weights = declaration.setting(IDF.name);
    if weights == Some(Literal::Word("idf".to_owned())) && declaration.training().is_none() {
        return Err(declaration.needs_training(IDF.name));
    }
    for setting in [IDF.name, OTHER.name, VOCABULARY.name, "empty"] {
        if let Some(value) = declaration.setting(setting) {
            inner.arguments.push(Argument::Setting {
                name: setting.to_owned(),
                value,
                at: inner.at,
            });
        }
    }
    Ok(inner)
}

/// The fitted measure of words as that of texts.
pub(crate) fn outside(mut inner: Expression, name: &str, reading: &Reading) -> Expression {
    inner.name = name.to_owned();
    reading.settings(inner)
}

/// English words of grammar, in the order of the alphabet.
const ENGLISH: [&str; 127] = [
    "about",
    "above",
    "after",
    "again",
    "against",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "down",
    "during",
    "each",
    "else",
    "few",
    "for",
    "from",
    "further",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "may",
    "me",
    "might",
    "more",
    "most",
    "must",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "same",
    "shall",
    "she",
    "should",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "upon",
    "very",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "why",
    "will",
    "with",
    "would",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(reading: &Reading, text: &str) -> Vec<String> {
        let mut all = Vec::new();
        reading.each(text, |word| all.push(word.to_owned()));
        all
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let plain = Reading {
            stop: Stop::None,
            shortest: 2,
        };
        let text = "The cat's 2nd Ünïcode-CAT, a c4t.";
        assert_eq!(
            words(&plain, text),
            ["the", "cat", "2nd", "ünïcode", "cat", "c4t"]
        );
        let english = Reading {
            stop: Stop::English,
            shortest: 1,
        };
        assert_eq!(words(&english, "a cat, THE cat"), ["a", "cat", "cat"]);
    }

    #[test]
    fn words_of_grammar_are_in_order() {
        assert!(ENGLISH.is_sorted());
    }
}
