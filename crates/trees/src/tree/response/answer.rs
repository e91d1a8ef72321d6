//! What a node says of each target: the training examples that reached it, as far as a prediction
//! needs them.
//!
//! An answer is a few numbers, which its kind of target reads: what a node predicts, how wrong it
//! is, how it is shown and drawn. Trees themselves know no kind.

use std::fmt;

use kinwood_learning::drawing::Mark;
use kinwood_learning::target::{KindEntry, TargetKind};
use kinwood_learning::task::Target;
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a node says of each target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// The weight of the training examples that reached the node, whether a target is known of them
    /// or not.
    pub weight: f64,
    /// A target each, in the task's order.
    pub targets: Vec<Answer>,
}

/// What a node says of a target.
#[derive(Clone)]
pub struct Answer {
    leaf: &'static dyn LeafKind,
    numbers: Vec<f64>,
}

/// What trees need of a kind of target.
pub trait LeafKind: LeafNumbers + LeafWords + LeafObjects {}

impl<L: LeafNumbers + LeafWords + LeafObjects> LeafKind for L {}

/// The numbers of an answer, and what they predict.
pub trait LeafNumbers: Sync {
    /// The kind of target.
    fn entry(&self) -> &'static KindEntry;

    /// What the kind is called in files of trees.
    fn stored_name(&self) -> &'static str {
        self.entry().shown
    }

    /// What the numbers are called in files, those that have a name of their own first.
    fn fields(&self) -> Fields;

    /// How many numbers an answer has.
    fn length(&self, kind: &TargetKind) -> usize;

    /// What is wrong with numbers from a file, if anything is.
    fn fault(&self, kind: &TargetKind, numbers: &[f64]) -> Option<&'static str>;

    /// The weight of the examples whose target is known.
    fn weight(&self, numbers: &[f64]) -> f64;

    /// How wrong the answer is on the examples it was made from, summed over them.
    fn error(&self, numbers: &[f64]) -> f64;

    /// The sum of squared errors on the examples it was made from.
    fn squares(&self, numbers: &[f64]) -> f64;

    /// The unit of errors, of the answer of the root: so that the scale of a target does not
    /// matter.
    fn unit(&self, _numbers: &[f64]) -> f64 {
        1.0
    }

    /// Weight and error of each thing that is predicted: one, or one for each label of a set.
    fn tallies(&self, numbers: &[f64]) -> Vec<[f64; 2]> {
        vec![[self.weight(numbers), self.error(numbers)]]
    }

    /// Whether errors are the weight of the wrong ones, which pruning by error rates counts.
    fn counts_wrong(&self) -> bool {
        false
    }

    /// Whether errors are rates of wrong ones among all, which C4.5's pruning estimates.
    fn rates(&self) -> bool {
        self.counts_wrong()
    }

    /// The error of a tree in the unit that people know, from the sum over its leaves over the
    /// weight; of the root's numbers.
    fn mean_error(&self, _numbers: &[f64], mean: f64) -> f64 {
        mean
    }

    /// How many numbers a prediction has.
    fn width(&self, numbers: &[f64]) -> usize;

    /// Adds a share of what is predicted.
    fn say(&self, numbers: &[f64], share: f64, out: &mut [f64]);

    /// What two answers are compared by: what is predicted, or with `whole` how probable
    /// everything is.
    fn compared(&self, numbers: &[f64], whole: bool) -> (Unlikeness, Vec<f64>);

    /// How wrong the answer is for a row of a task.
    fn loss(&self, kind: &TargetKind, target: &Target, row: usize, numbers: &[f64]) -> f64;

    /// How wrong a prediction is for a row of a task, if its target is known.
    fn loss_of(&self, kind: &TargetKind, target: &Target, row: usize, said: &[f64]) -> Option<f64>;

    /// A measure that people know, and its value, from the mean of the losses of predictions.
    fn measured(&self, mean: f64) -> (&'static str, f64);
}

/// An answer as people and programs read it.
pub trait LeafWords: Sync {
    /// In words: what is predicted, and of how many examples.
    fn words(&self, kind: &TargetKind, numbers: &[f64]) -> String;

    /// For programs.
    fn json(&self, kind: &TargetKind, numbers: &[f64]) -> serde_json::Value;

    /// For pictures.
    fn mark(&self, kind: &TargetKind, numbers: &[f64]) -> Mark;
}

/// What relational trees need: they sum up coordinates of objects rather than their targets.
pub trait LeafObjects: Sync {
    /// The target of each object as a point, an object after the other, so that unlike objects are
    /// far apart; not a number where it is unknown. `None` where there is no such point.
    fn points(&self, kind: &TargetKind, target: &Target, weights: &[f64]) -> Option<Vec<f64>>;

    /// The answer of a node of these objects.
    fn gathered(
        &self,
        kind: &TargetKind,
        target: &Target,
        objects: &[u32],
        weights: &[f64],
    ) -> Vec<f64>;
}

/// What two answers are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlikeness {
    /// Whether they are the same, of so many.
    Same {
        /// How many there are.
        of: usize,
    },
    /// By squared differences of numbers from 0 to 1.
    Squared,
    /// By the squared difference of one number, over its range.
    Ranged,
}

/// What the numbers of an answer are called in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The first numbers, one each.
    pub first: &'static [&'static str],
    /// All others, as a list; empty where there are none. An answer that is nothing but a list
    /// stands there as such.
    pub others: &'static str,
}

impl Answer {
    /// The answer of these numbers.
    pub fn new(leaf: &'static dyn LeafKind, numbers: Vec<f64>) -> Self {
        Self { leaf, numbers }
    }

    /// The kind of target that it answers.
    pub fn leaf(&self) -> &'static dyn LeafKind {
        self.leaf
    }

    /// The numbers.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Whether it answers a target of that kind.
    pub fn is(&self, entry: &KindEntry) -> bool {
        self.leaf.entry() == entry
    }

    /// The weight of the examples whose target is known.
    pub fn weight(&self) -> f64 {
        self.leaf.weight(&self.numbers)
    }

    /// How wrong the answer is on the examples it was made from: the weight of the other classes,
    /// the sum of squared deviations, or the weight of labels wrongly said present or absent.
    pub fn error(&self) -> f64 {
        self.leaf.error(&self.numbers)
    }

    /// The sum of squared errors on the examples it was made from.
    pub fn squares(&self) -> f64 {
        self.leaf.squares(&self.numbers)
    }

    /// The unit of errors, where this is the answer of the root.
    pub fn unit(&self) -> f64 {
        self.leaf.unit(&self.numbers)
    }

    /// How many numbers a prediction has.
    pub fn width(&self) -> usize {
        self.leaf.width(&self.numbers)
    }

    /// What it says, and of how many examples.
    pub fn words(&self, kind: &TargetKind) -> String {
        self.leaf.words(kind, &self.numbers)
    }

    /// Adds a share of what is predicted.
    pub fn say(&self, share: f64, out: &mut [f64]) {
        self.leaf.say(&self.numbers, share, out);
    }

    /// What is predicted.
    pub fn said(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.width()];
        self.say(1.0, &mut out);
        out
    }
}

impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.is(other.leaf.entry()) && self.numbers == other.numbers
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple(self.leaf.entry().name)
            .field(&self.numbers)
            .finish()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.leaf.entry().shown, &Named(self))?;
        map.end()
    }
}

/// The numbers of an answer by their names.
struct Named<'a>(&'a Answer);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Fields { first, others } = self.0.leaf.fields();
        let numbers = &self.0.numbers;
        if first.is_empty() {
            return numbers.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        for (name, number) in first.iter().zip(numbers) {
            map.serialize_entry(name, number)?;
        }
        if !others.is_empty() {
            map.serialize_entry(others, &numbers[first.len()..])?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map: serde_json::Map<String, serde_json::Value> =
            Deserialize::deserialize(deserializer)?;
        let (Some(name), 1) = (map.keys().next().cloned(), map.len()) else {
            return Err(D::Error::custom("an answer of one kind is expected"));
        };
        let leaf = super::LEAVES
            .iter()
            .find(|leaf| leaf.entry().shown == name)
            .ok_or_else(|| D::Error::custom(format!("unknown kind of answer `{name}`")))?;
        let content = map.remove(&name).unwrap_or_default();
        let numbers = unnamed(leaf.fields(), content).map_err(D::Error::custom)?;
        Ok(Self::new(*leaf, numbers))
    }
}

/// The numbers of an answer from their names.
fn unnamed(fields: Fields, content: serde_json::Value) -> Result<Vec<f64>, serde_json::Error> {
    if fields.first.is_empty() {
        return serde_json::from_value(content);
    }
    let mut map: serde_json::Map<String, serde_json::Value> = serde_json::from_value(content)?;
    let mut numbers = Vec::new();
    for name in fields.first {
        numbers.push(serde_json::from_value(
            map.remove(*name).unwrap_or_default(),
        )?);
    }
    if !fields.others.is_empty() {
        let others: Vec<f64> =
            serde_json::from_value(map.remove(fields.others).unwrap_or_default())?;
        numbers.extend(others);
    }
    match map.keys().next() {
        Some(name) => Err(serde_json::Error::custom(format!("unknown field `{name}`"))),
        None => Ok(numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_what_the_answer_misses() {
        let classes = Answer::classes(vec![2.0, 3.0, 3.0]);
        assert_eq!(
            (classes.class(), classes.error(), classes.weight()),
            (Some(1), 5.0, 8.0)
        );
        let labels = Answer::labels(4.0, vec![0.25, 0.75, 1.0]);
        assert_eq!(labels.error(), 2.0);
    }

    #[test]
    fn files_hold_the_names_of_numbers() {
        for (answer, written) in [
            (Answer::classes(vec![2.0, 3.5]), r#"{"classes":[2.0,3.5]}"#),
            (
                Answer::number(2.0, -1.5, 0.25),
                r#"{"number":{"weight":2.0,"mean":-1.5,"squares":0.25}}"#,
            ),
            (
                Answer::labels(4.0, vec![0.25, 1.0]),
                r#"{"labels":{"weight":4.0,"shares":[0.25,1.0]}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&answer).unwrap(), written);
            assert_eq!(serde_json::from_str::<Answer>(written).unwrap(), answer);
        }
        for wrong in [
            "{}",
            r#"{"none":[]}"#,
            r#"{"number":{"weight":2.0}}"#,
            r#"{"number":{"weight":2.0,"mean":1.0,"squares":0.0,"more":1}}"#,
        ] {
            assert!(serde_json::from_str::<Answer>(wrong).is_err(), "{wrong}");
        }
    }
}
