//! Kinds of targets: classes, numbers, sets of labels and what else can be predicted.
//!
//! A [`TargetKind`] is all that is known of what a target is, apart from its values: which classes
//! there are, how long its series are. A prediction is a row of numbers in its terms, a true value
//! likewise; the kind says what they mean. Whoever keeps, averages, prints or scores predictions
//! asks the kind and knows no kind by name, so a new one is a file here, a line of [`KINDS`], and
//! whatever learners do with it.

mod censored;
mod classes;
mod labels;
mod number;
mod ordered;
mod series;

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use kinwood_values::{Attribute, Dictionary, Role, Table, Value};
use serde::{Deserialize, Serialize, Serializer};

pub use censored::{CENSORED, CensoredTime, kaplan_meier};
pub use classes::{CLASSES, Classes};
pub use labels::{LABELS, LabelSets, PRESENT};
pub use number::{NUMBERS, Number};
pub use ordered::{ORDERED, OrderedClasses};
pub use series::{Candidates, SERIES, Series, Warping};

/// All kinds of targets, in the order in which they are listed. A column is of the last that takes
/// it: those that need something said beside the type of the column stand behind those that do not.
pub static KINDS: &[&KindEntry] = &[&CLASSES, &NUMBERS, &LABELS, &ORDERED, &CENSORED, &SERIES];

/// A kind of target as it is listed: its names, and how a column or a file becomes a target of it.
#[derive(Clone, Copy)]
pub struct KindEntry {
    /// The name in JSON, of several: `numbers`.
    pub name: &'static str,
    /// The name in JSON of models and drawings, of one target: `number`.
    pub shown: &'static str,
    /// One of them in words, with an article: `a set of labels`.
    pub one: &'static str,
    /// Several in words: `sets of labels`.
    pub words: &'static str,
    /// The type of its columns: `set<nominal>`.
    pub of: &'static str,
    /// The measure that people look at first.
    pub measure: &'static str,
    /// Whether the numbers of a prediction are probabilities, each of which is worth telling.
    pub probabilities: bool,
    /// What is said, as the end of a sentence, where it cannot be predicted beside other targets.
    pub alone: Option<&'static str>,
    /// The kind of a target of these columns, if it is one of these.
    pub recognise: fn(&TargetColumns<'_>) -> Option<TargetKind>,
    /// The kind from a file, or what is wrong with it.
    pub read: fn(KindTerms) -> Result<TargetKind, &'static str>,
}

impl KindEntry {
    /// The kind of that name.
    pub fn named(name: &str) -> Option<&'static KindEntry> {
        KINDS.iter().copied().find(|entry| entry.name == name)
    }
}

impl PartialEq for KindEntry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for KindEntry {}

impl fmt::Debug for KindEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl fmt::Display for KindEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.words)
    }
}

impl Serialize for KindEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// Which kinds of targets a learner predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets(pub &'static [&'static KindEntry]);

impl Targets {
    /// Classes only.
    pub const NOMINAL: Targets = Targets(&[&CLASSES]);
    /// Numbers only.
    pub const NUMERIC: Targets = Targets(&[&NUMBERS]);
    /// Classes and numbers.
    pub const BOTH: Targets = Targets(&[&CLASSES, &NUMBERS]);

    /// Whether it predicts a kind.
    pub fn have(self, kind: &KindEntry) -> bool {
        self.0.contains(&kind)
    }

    /// The types of their columns.
    pub fn types(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|kind| kind.of)
    }

    /// In words: `nominal, numeric and set<nominal>`.
    pub fn name(self) -> String {
        let names: Vec<&str> = self.types().collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// The values of a target, and those of the columns beside it that say more about them.
#[derive(Clone, Copy, Debug)]
pub struct TargetColumns<'a> {
    /// The target's own column.
    pub values: &'a Attribute,
    /// The column that says whether what the target is the time of has happened.
    pub event: Option<&'a Attribute>,
}

impl<'a> TargetColumns<'a> {
    /// The columns of a target of a table.
    pub fn new(table: &'a Table, target: usize) -> Self {
        let mut attributes = table.attributes().iter();
        Self {
            values: table.attribute(target),
            event: attributes.find(|attribute| attribute.role == Role::Event),
        }
    }

    /// Whether all that is known of a row is known of it.
    pub fn is_known(&self, row: usize) -> bool {
        let known = |attribute: &Attribute| attribute.column.is_present(row);
        let timed = self.values.column.numbers().is_some();
        known(self.values) && self.event.filter(|_| timed).is_none_or(known)
    }

    /// The kind of the target; `None` if it is none that can be predicted.
    pub fn kind(&self) -> Option<TargetKind> {
        let mut kinds = KINDS.iter().rev();
        kinds.find_map(|entry| (entry.recognise)(self))
    }

    /// What the target is, as messages have it: the type of its column, or its kind where that
    /// says more.
    pub fn found(&self) -> String {
        let own = self.values.type_of().to_string();
        match self.kind() {
            Some(kind) if kind.entry().of != own => kind.entry().one.to_owned(),
            _ => own,
        }
    }
}

/// What a target is. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TargetKind(Arc<dyn Kind>);

/// What is known of a target apart from its values: how predictions and true values of it, rows of
/// numbers both, are to be read.
pub trait Kind: Any + fmt::Debug + Send + Sync {
    /// How it is listed.
    fn entry(&self) -> &'static KindEntry;

    /// How many numbers a prediction is.
    fn width(&self) -> usize;

    /// What each number of a prediction is called: a class, a label; empty for a number that is the
    /// prediction itself.
    fn parts(&self) -> Vec<String>;

    /// The true value of a row in numbers; `None` where it is missing.
    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>>;

    /// What numbers of a true value are.
    fn true_value(&self, truth: &[f64]) -> Value;

    /// What is predicted by these numbers.
    fn value(&self, numbers: &[f64]) -> Value;

    /// What a prediction becomes when several models vote.
    fn vote(&self, _numbers: &mut [f64]) {}

    /// Puts the mean of several predictions in order where rounding may have put it out of order.
    fn settle(&self, _numbers: &mut [f64]) {}

    /// The class that is predicted, by its place; `None` for what has no classes.
    fn class(&self, _numbers: &[f64]) -> Option<u32> {
        None
    }

    /// The class of a true value, by its place; `None` for what has no classes.
    fn true_class(&self, _truth: &[f64]) -> Option<u32> {
        None
    }

    /// The probability of each class; `None` for what has no classes.
    fn class_probabilities(&self, numbers: &[f64]) -> Option<Vec<f64>> {
        self.class(numbers).map(|_| numbers.to_vec())
    }

    /// The classes or labels that true values and predictions are made of, if they are.
    fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        None
    }

    /// A prediction in the terms of another target of this kind, such as those of a model that has
    /// not seen every class; as many numbers as measures of this kind expect.
    fn aligned(&self, _known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        numbers.to_vec()
    }

    /// How unlike two predictions are, from 0 to 1; `range` is that of all numbers predicted,
    /// where [`Kind::ranged`] asks for it.
    fn unlike(&self, a: &[f64], b: &[f64], range: f64) -> f64 {
        let squares = a.iter().zip(b).map(|(a, b)| ((a - b) / range).powi(2));
        squares.sum::<f64>() / a.len().max(1) as f64
    }

    /// Whether predictions have no scale of their own.
    fn ranged(&self) -> bool {
        false
    }

    /// How far a prediction is from the truth, to find the worst.
    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64;

    /// How many of what there are, in words: `3 classes`.
    fn extent(&self) -> String {
        self.entry().words.to_owned()
    }

    /// Fails on numbers that are no true value of this kind.
    fn fits(&self, truth: &[f64]) -> bool;

    /// What a file keeps of it.
    fn terms(&self) -> KindTerms;

    /// Whether another kind is the same.
    fn same(&self, other: &dyn Kind) -> bool;

    /// Itself, to be asked which kind it is.
    fn as_any(&self) -> &dyn Any;
}

/// What a file keeps of a kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindTerms {
    /// Classes or labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What divides labels into paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<char>,
    /// Numbers, such as times.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<f64>,
    /// Rows of numbers, such as series.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<f64>>,
    /// An expression, such as a distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

impl KindTerms {
    /// Labels as a dictionary; `None` where one stands twice.
    pub fn dictionary(&self) -> Option<Arc<Dictionary>> {
        let dictionary = Dictionary::from_labels(self.labels.iter().map(String::as_str));
        (dictionary.len() == self.labels.len()).then(|| Arc::new(dictionary))
    }
}

impl TargetKind {
    /// A kind.
    pub fn new(kind: impl Kind) -> Self {
        Self(Arc::new(kind))
    }

    /// One of these classes.
    pub fn classes(classes: Arc<Dictionary>) -> Self {
        Self::new(Classes(classes))
    }

    /// A number.
    pub fn number() -> Self {
        Self::new(Number)
    }

    /// Itself as that kind, if it is of that kind.
    pub fn as_kind<K: Kind>(&self) -> Option<&K> {
        self.0.as_any().downcast_ref()
    }

    /// Whether it is listed so.
    pub fn is(&self, entry: &KindEntry) -> bool {
        self.entry() == entry
    }

    /// The classes, if the target is one of several classes and nothing more.
    pub fn as_classes(&self) -> Option<&Arc<Dictionary>> {
        self.as_kind::<Classes>().map(|classes| &classes.0)
    }

    /// The labels, if the target is a set of them.
    pub fn as_labels(&self) -> Option<&crate::labels::Labels> {
        self.as_kind::<LabelSets>().map(|sets| &sets.labels)
    }

    /// Whether the target is a number.
    pub fn is_number(&self) -> bool {
        self.is(&NUMBERS)
    }
}

impl Deref for TargetKind {
    type Target = dyn Kind;

    fn deref(&self) -> &(dyn Kind + 'static) {
        &*self.0
    }
}

impl PartialEq for TargetKind {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.same(&*other.0)
    }
}

/// The place of the greatest number, the first of equals.
pub fn first_greatest(numbers: &[f64]) -> usize {
    (1..numbers.len()).fold(0, |best, place| {
        if numbers[place] > numbers[best] {
            place
        } else {
            best
        }
    })
}
