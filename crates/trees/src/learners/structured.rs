//! How learners of trees test structured columns and columns of many labels: the settings
//! `structured`, `labels`, `stop_words` and `corrected`.

use std::collections::BTreeSet;

use super::parameters::POSITIVE;
use crate::contents::ItemRules;
use crate::tree::kin::StructuredTests;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::named;
use kinwood_learning::settings::{Allowed, Parameter, Settings};

/// What tests on sets, bags, lists, strings and other structured values ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructuredKind {
    /// Whatever divides better: what they contain, or which prototype they are near.
    Auto,
    /// What they contain and how large they are; of values that contain nothing, prototypes.
    Members,
    /// Which prototype they are near.
    Prototypes,
}

named!(StructuredKind {
    Auto => "auto",
    Members => "members",
    Prototypes => "prototypes",
});

/// How structured columns, and columns of many labels, are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured {
    /// What tests ask: both kinds of tests compete by default.
    pub tests: StructuredKind,
    /// The most labels (or words, or parts of strings) of a column that a node looks at, the most
    /// frequent first: 1000 by default.
    pub labels: usize,
    /// Words of texts that no test asks for: none by default.
    pub stop_words: BTreeSet<String>,
    /// Whether a test on a column of many labels must gain more than the best of as many gains by
    /// chance: it must by default.
    pub corrected: bool,
}

/// The setting `structured`.
pub const STRUCTURED: Parameter = Parameter {
    name: "structured",
    doc: "What tests on sets, bags, lists and strings ask: what they contain and how large they are (members), which prototype they are nearest to (prototypes), or whichever divides better (auto).",
    allowed: Allowed::Choice(StructuredKind::NAMES),
    default: "auto",
};

/// The setting `labels`.
pub const LABELS: Parameter = Parameter {
    name: "labels",
    doc: "The most labels of a set, bag or list that a node looks at, the most frequent first; also the most words of a text, parts of a string and pairs of labels in order.",
    allowed: POSITIVE,
    default: "1000",
};

/// The setting `corrected`.
pub const CORRECTED: Parameter = Parameter {
    name: "corrected",
    doc: "Whether a test on a column of more than 32 labels must gain more than the best of as many labels that say nothing gains by chance, for each label that it names.",
    allowed: Allowed::Flag,
    default: "true",
};

/// The setting `stop_words`.
pub const STOP_WORDS: Parameter = Parameter {
    name: "stop_words",
    doc: "Words of texts that no test asks for, as `the, and, of`; `english` stands for the most usual English ones.",
    allowed: Allowed::Text,
    default: "",
};

/// The most usual words of English, which say little of a text.
const ENGLISH: &str = "a about after all also an and any are as at be because been before but by can could \
    did do does down even first for from get had has have he her here him his how i if in into is it its \
    just like make many me more most my no not now of on one only or other our out over said same see she \
    should so some such than that the their them then there these they this those through to too two up us \
    very was way we well were what when where which while who will with would you your";

impl Structured {
    /// As the settings have it.
    pub(crate) fn read(settings: &Settings) -> Self {
        let words = settings.text("stop_words").to_lowercase();
        let words = words.split([',', ' ']).filter(|word| !word.is_empty());
        Self {
            tests: settings.word("structured", StructuredKind::named),
            labels: settings.whole("labels"),
            stop_words: words.map(str::to_owned).collect(),
            corrected: settings.flag("corrected"),
        }
    }

    /// Fails on a number out of range.
    pub(crate) fn check(&self, entry: &Entry) -> Result<()> {
        let odd = |word: &&String| !word.chars().all(char::is_alphanumeric);
        if let Some(word) = self.stop_words.iter().find(odd) {
            return Err(Error::SettingValue {
                name: STOP_WORDS.name.to_owned(),
                value: word.clone(),
                expected: "words of letters and digits, separated by commas".to_owned(),
                nearest: None,
            });
        }
        entry.check("labels", self.labels)
    }

    /// Whether prototypes are tried.
    pub(crate) fn prototypes(&self) -> bool {
        self.tests != StructuredKind::Members
    }

    /// Which items tests speak of; `None` where tests are by prototypes alone.
    pub(crate) fn contents(&self) -> Option<ItemRules> {
        let mut stop_words = self.stop_words.clone();
        if stop_words.remove("english") {
            stop_words.extend(ENGLISH.split_whitespace().map(str::to_owned));
        }
        (self.tests != StructuredKind::Prototypes).then_some(ItemRules {
            most: self.labels,
            stop_words,
        })
    }

    /// As papers have it: by prototypes alone, and gains as they are.
    pub(crate) fn paper() -> Self {
        Self {
            tests: StructuredKind::Prototypes,
            corrected: false,
            ..Self::default()
        }
    }

    /// Which tests structured inputs have.
    pub(crate) fn of_columns(&self) -> StructuredTests {
        StructuredTests {
            prototypes: self.prototypes(),
            contents: self.contents(),
            several: false,
        }
    }
}

impl Default for Structured {
    fn default() -> Self {
        Self {
            tests: StructuredKind::Auto,
            labels: 1000,
            stop_words: BTreeSet::new(),
            corrected: true,
        }
    }
}
