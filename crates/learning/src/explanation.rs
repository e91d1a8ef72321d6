//! Explanations: which stored rows a prediction comes from and why they count as much as they do,
//! or which tests led to it and which terms it is the sum of.

use kinwood_text::{Align, TextTable};
use std::fmt::Write;
use std::ops::Range;

use kinwood_similarity::Measured;
use kinwood_similarity::nearer::Nearer;
use kinwood_values::{Cells, Column};
use serde_json::{Value, json};

use crate::drawing::short;

/// Why a row is predicted as it is, target by target.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The attributes that were compared.
    pub attributes: Vec<String>,
    /// The values asked about, as text.
    pub values: Vec<String>,
    /// A target each.
    pub targets: Vec<TargetExplanation>,
}

/// Where the prediction of a target comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetExplanation {
    /// The target.
    pub name: String,
    /// What is predicted: the share of each class, or the number alone under an empty name. What
    /// the stored rows and the others contribute adds up to it.
    pub prediction: Vec<(String, f64)>,
    /// What it comes from.
    pub reasons: Reasons,
    /// The training rows that are not named one by one.
    pub others: Others,
}

/// What a prediction comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Reasons {
    /// Stored rows, the most influential first.
    Rows(Vec<Influence>),
    /// Tests, from the root down, that lead to the answer of a leaf.
    Path(Vec<Step>),
    /// Tests that lead to a formula, whose terms add up to the prediction. A formula without a tree
    /// has no tests.
    Formula {
        /// The tests, from the root down.
        path: Vec<Step>,
        /// The terms.
        terms: Vec<Term>,
    },
    /// Tests that lead to nodes which answer together, each by a formula.
    Nodes {
        /// The tests, from the root down.
        path: Vec<Step>,
        /// The nodes.
        nodes: Vec<NodeSaid>,
        /// The terms of all their formulas, which add up to the prediction.
        terms: Vec<Term>,
    },
    /// Scores that the prediction is made of, each a sum of what columns add to it.
    Scores(Vec<ScoreReasons>),
}

/// What columns add to a score: their Shapley values, which add up to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreReasons {
    /// What the score is, such as `log-odds of yes`.
    pub of: String,
    /// The mean score of the training rows.
    pub begins: f64,
    /// What is added to it, the greatest first.
    pub parts: Vec<ScorePart>,
    /// The score.
    pub score: f64,
    /// Whether people are told of it: of several classes only of the predicted one.
    pub told: bool,
}

/// What a column adds to a score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorePart {
    /// The column.
    pub column: String,
    /// What of the column, in words: its name, or what it contains.
    pub term: String,
    /// The row's value.
    pub value: String,
    /// What is added.
    pub adds: f64,
}

/// The training rows that are not named one by one, taken together.
#[derive(Clone, Debug, PartialEq)]
pub struct Others {
    /// How many there are.
    pub rows: usize,
    /// Their share of the whole.
    pub share: f64,
    /// What they contribute to each part of the prediction.
    pub parts: Vec<f64>,
}

impl TargetExplanation {
    /// The stored rows it comes from; empty where it comes from none.
    pub fn influences(&self) -> &[Influence] {
        match &self.reasons {
            Reasons::Rows(influences) => influences,
            _ => &[],
        }
    }

    /// The tests that led to it; empty where no tests are made.
    pub fn path(&self) -> &[Step] {
        match &self.reasons {
            Reasons::Rows(_) | Reasons::Scores(_) => &[],
            Reasons::Path(path) | Reasons::Formula { path, .. } | Reasons::Nodes { path, .. } => {
                path
            }
        }
    }

    /// The terms that add up to it; empty where no formula is.
    pub fn terms(&self) -> &[Term] {
        match &self.reasons {
            Reasons::Formula { terms, .. } | Reasons::Nodes { terms, .. } => terms,
            _ => &[],
        }
    }

    /// The scores that it is made of; empty where it is made of none.
    pub fn scores(&self) -> &[ScoreReasons] {
        match &self.reasons {
            Reasons::Scores(scores) => scores,
            _ => &[],
        }
    }

    /// The nodes that answer together; empty where one alone answers.
    pub fn nodes(&self) -> &[NodeSaid] {
        match &self.reasons {
            Reasons::Nodes { nodes, .. } => nodes,
            _ => &[],
        }
    }
}

/// What a node of a tree says of a row, and how much that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSaid {
    /// The tree, from 1.
    pub tree: usize,
    /// The node, from 1.
    pub node: u32,
    /// What it says.
    pub says: f64,
    /// What that is multiplied by.
    pub counts: f64,
}

/// A term of a formula: a value of the row times a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is multiplied.
    pub name: String,
    /// The row's value of it.
    pub value: f64,
    /// What it is multiplied by.
    pub coefficient: f64,
    /// The product.
    pub contribution: f64,
    /// The other row that the value comes from, where it is one behind a foreign key.
    pub behind: Option<String>,
}

/// A test on the way to a prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The tree whose test it is, from 1.
    pub tree: usize,
    /// How many tests stand above it.
    pub depth: usize,
    /// The share of the row that came here: less than 1 below a test that could not be decided.
    pub share: f64,
    /// The test in words.
    pub test: String,
    /// The row's value of what is tested.
    pub value: String,
    /// Whether the test holds; `None` where it cannot be decided, and the row goes all ways, and of
    /// tests by prototypes.
    pub holds: Option<bool>,
    /// How near the row is to the prototypes, where the test has any.
    pub near: Option<Near>,
}

/// How near a row is to the prototypes of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The branch it takes: that of the prototype which attracts it.
    pub branch: usize,
    /// The prototypes as text, each with its distance to the row.
    pub prototypes: Vec<(String, f64)>,
    /// How the distances to the nearest and to the next come about, of structured values.
    pub why: Option<Nearer>,
}

/// The influence of a stored row.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// Its number among the stored rows, from 1.
    pub row: usize,
    /// Its value of the target.
    pub answer: String,
    /// Its share of the whole: how much it counts, divided by the sum of that over all rows.
    pub share: f64,
    /// What it contributes to the prediction: its share to that of its class, or its share of its
    /// number.
    pub contribution: f64,
    /// Why it counts as much as it does.
    pub reason: Reason,
    /// Its values, as text.
    pub values: Vec<String>,
}

/// Why a stored row counts as much as it does.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The row turns into it at random: it counts its weight times 2 to the minus the bits.
    Bits {
        /// The sum of the bits of its attributes.
        bits: f64,
        /// By attribute: how many bits it takes to get from the value asked about to the stored
        /// one, beyond those of staying; none where the attribute was left out.
        by_attribute: Vec<Option<f64>>,
    },
    /// It is near.
    Near {
        /// How far it is.
        distance: Measured,
        /// How much its vote counts.
        weight: f64,
        /// What it votes as, where there is a choice.
        role: Option<&'static str>,
    },
}

impl Reason {
    /// What its cells between those of the target and of the attributes are called.
    fn headings(&self) -> Vec<&'static str> {
        match self {
            Reason::Bits { .. } => vec!["bits"],
            Reason::Near { role: None, .. } => vec!["distance", "weight"],
            Reason::Near { role: Some(_), .. } => vec!["as", "distance", "weight"],
        }
    }

    fn cells(&self) -> Vec<String> {
        match self {
            Reason::Bits { bits, .. } => vec![format!("{bits:.3}")],
            Reason::Near {
                distance,
                weight,
                role,
            } => {
                let distance = match distance {
                    Measured::Number(number) => format!("{number:.6}"),
                    Measured::Pair(_) => distance.to_string(),
                };
                let role = role.iter().map(|role| (*role).to_owned());
                role.chain([distance, format!("{weight:.6}")]).collect()
            }
        }
    }

    /// The value of an attribute, with what it has to do with the reason.
    fn value(&self, attribute: usize, value: &str) -> String {
        match self {
            Reason::Bits { by_attribute, .. } => match by_attribute.get(attribute).copied() {
                Some(Some(bits)) => format!("{value} ({bits:.3})"),
                _ => format!("{value} (-)"),
            },
            Reason::Near { .. } => value.to_owned(),
        }
    }

    fn add_to(&self, fields: &mut serde_json::Map<String, Value>) {
        match self {
            Reason::Bits { bits, .. } => {
                fields.insert("bits".to_owned(), json!(bits));
            }
            Reason::Near {
                distance,
                weight,
                role,
            } => {
                let distance = match distance {
                    Measured::Number(number) => json!(number),
                    Measured::Pair(pair) => json!([pair.functors, pair.variables]),
                };
                fields.insert("distance".to_owned(), distance);
                fields.insert("weight".to_owned(), json!(weight));
                if let Some(role) = role {
                    fields.insert("as".to_owned(), json!(role));
                }
            }
        }
    }
}

impl Explanation {
    /// For people: a table a target, ending with a line break.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for target in &self.targets {
            let parts = target
                .prediction
                .iter()
                .map(|(name, part)| match name.as_str() {
                    "" => format!("{part:.6}"),
                    name => format!("{name} {part:.6}"),
                });
            let _ = writeln!(
                text,
                "{}: {}",
                target.name,
                parts.collect::<Vec<_>>().join(", ")
            );
            if matches!(target.reasons, Reasons::Scores(_)) {
                for score in target.scores().iter().filter(|score| score.told) {
                    text += &table(&score.lines());
                }
            } else if target.path().is_empty() && target.terms().is_empty() {
                text += &table(&self.rows_of(target));
            }
            if !target.path().is_empty() {
                text += &table(&steps_of(target));
                for step in target.path() {
                    if let Some(why) = step.near.as_ref().and_then(|near| near.why.as_ref()) {
                        let _ = write!(text, "\n{}: {why}", step.test);
                    }
                }
            }
            if !target.nodes().is_empty() {
                text += &table(&nodes_of(target));
            }
            if !target.terms().is_empty() {
                text += &table(&terms_of(target));
            }
        }
        text
    }

    fn rows_of(&self, target: &TargetExplanation) -> Vec<Vec<String>> {
        let reasons = target
            .influences()
            .first()
            .map(|influence| influence.reason.headings())
            .unwrap_or_default();
        let first = ["stored row", "share", target.name.as_str()];
        let mut heading: Vec<String> = first
            .iter()
            .chain(&reasons)
            .map(|cell| (*cell).to_owned())
            .collect();
        let mut asked = vec![String::new(); heading.len()];
        "asked".clone_into(&mut asked[0]);
        heading.extend(self.attributes.iter().cloned());
        asked.extend(self.values.iter().cloned());
        let mut rows = vec![heading, asked];
        for influence in target.influences() {
            let mut row = vec![
                influence.row.to_string(),
                format!("{:.6}", influence.share),
                influence.answer.clone(),
            ];
            row.extend(influence.reason.cells());
            let values = influence.values.iter().enumerate();
            row.extend(values.map(|(place, value)| influence.reason.value(place, value)));
            rows.push(row);
        }
        let others = match target.others.rows {
            1 => "1 other".to_owned(),
            rows => format!("{rows} others"),
        };
        let parts = target.prediction.iter().zip(&target.others.parts);
        let parts: Vec<String> = parts
            .map(|((name, _), part)| match name.as_str() {
                "" => format!("{part:.6}"),
                name => format!("{name} {part:.6}"),
            })
            .collect();
        rows.push(vec![
            others,
            format!("{:.6}", target.others.share),
            parts.join(", "),
        ]);
        rows
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let target = |target: &TargetExplanation| {
            let named = |parts: &mut dyn Iterator<Item = (&str, f64)>| -> Value {
                let parts: Vec<(&str, f64)> = parts.collect();
                match parts.as_slice() {
                    [("", number)] => json!(number),
                    parts => parts
                        .iter()
                        .map(|(name, part)| ((*name).to_owned(), json!(part)))
                        .collect::<serde_json::Map<_, _>>()
                        .into(),
                }
            };
            let names = || target.prediction.iter().map(|(name, _)| name.as_str());
            let influence = |influence: &Influence| {
                let values = self.attributes.iter().zip(&influence.values).enumerate();
                let by_attribute: Vec<Value> = values
                    .map(|(place, (name, value))| match &influence.reason {
                        Reason::Bits { by_attribute, .. } => {
                            let bits = by_attribute.get(place).copied().flatten();
                            json!({"attribute": name, "value": value, "bits": bits})
                        }
                        Reason::Near { .. } => json!({"attribute": name, "value": value}),
                    })
                    .collect();
                let mut fields = serde_json::Map::new();
                fields.insert("stored_row".to_owned(), json!(influence.row));
                fields.insert("target".to_owned(), json!(influence.answer));
                fields.insert("share".to_owned(), json!(influence.share));
                fields.insert("contribution".to_owned(), json!(influence.contribution));
                influence.reason.add_to(&mut fields);
                fields.insert("by_attribute".to_owned(), Value::Array(by_attribute));
                Value::Object(fields)
            };
            let mut explained = json!({
                "target": target.name,
                "prediction": named(&mut target.prediction.iter().map(|(n, p)| (n.as_str(), *p))),
                "influences": target.influences().iter().map(influence).collect::<Vec<_>>(),
                "others": {
                    "rows": target.others.rows,
                    "share": target.others.share,
                    "contribution": named(&mut names().zip(target.others.parts.iter().copied())),
                },
            });
            if !target.path().is_empty() {
                explained["path"] = target.path().iter().map(Step::to_json).collect();
            }
            if !target.terms().is_empty() {
                explained["terms"] = target.terms().iter().map(Term::to_json).collect();
            }
            if !target.scores().is_empty() {
                explained["scores"] = target.scores().iter().map(ScoreReasons::to_json).collect();
            }
            if !target.nodes().is_empty() {
                explained["nodes"] = target.nodes().iter().map(NodeSaid::to_json).collect();
            }
            explained
        };
        Value::Array(self.targets.iter().map(target).collect())
    }
}

/// How many parts of a score are listed for people; the rest are added up.
const LISTED_PARTS: usize = 25;

impl ScoreReasons {
    /// As a table.
    fn lines(&self) -> Vec<Vec<String>> {
        let line = |adds: f64, term: &str, value: &str| {
            vec![format!("{adds:+.6}"), term.to_owned(), value.to_owned()]
        };
        let mut lines = vec![
            vec![
                "adds".to_owned(),
                format!("to the {}", self.of),
                "value".to_owned(),
            ],
            line(self.begins, "mean of the training rows", ""),
        ];
        let (listed, rest) = self.parts.split_at(self.parts.len().min(LISTED_PARTS));
        for part in listed {
            lines.push(line(part.adds, &part.term, &shortened(part.value.clone())));
        }
        if !rest.is_empty() {
            let sum = rest.iter().map(|part| part.adds).sum();
            lines.push(line(sum, &format!("{} more", rest.len()), ""));
        }
        lines.push(line(self.score, "in sum", ""));
        lines
    }

    fn to_json(&self) -> Value {
        let part = |part: &ScorePart| {
            json!({
                "column": part.column,
                "term": part.term,
                "value": part.value,
                "adds": part.adds,
            })
        };
        json!({
            "of": self.of,
            "begins": self.begins,
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
            "score": self.score,
        })
    }
}

impl Term {
    /// The number that a formula starts from, as a term of its own.
    pub fn constant(number: f64) -> Self {
        Self {
            name: "constant".to_owned(),
            value: 1.0,
            coefficient: number,
            contribution: number,
            behind: None,
        }
    }

    /// A value times a number.
    pub fn product(name: String, value: f64, coefficient: f64) -> Self {
        Self {
            name,
            value,
            coefficient,
            // Nothing times a negative number is a negative nothing, which nobody wants to read.
            contribution: value * coefficient + 0.0,
            behind: None,
        }
    }

    fn to_json(&self) -> Value {
        let mut term = json!({
            "term": self.name,
            "value": self.value,
            "coefficient": self.coefficient,
            "contribution": self.contribution,
        });
        if let Some(behind) = &self.behind {
            term["behind"] = json!(behind);
        }
        term
    }
}

impl Step {
    fn to_json(&self) -> Value {
        let mut step = json!({
            "tree": self.tree,
            "depth": self.depth,
            "share": self.share,
            "test": self.test,
            "value": self.value,
            "holds": self.holds,
        });
        if let Some(near) = &self.near {
            let each = near.prototypes.iter();
            let each = each
                .map(|(prototype, distance)| json!({"prototype": prototype, "distance": distance}));
            step["near"] = json!({"branch": near.branch, "prototypes": each.collect::<Vec<_>>()});
            if let Some(why) = &near.why {
                step["near"]["why"] = json!(why);
            }
        }
        step
    }
}

impl Near {
    /// The prototype that attracts the row, and the nearest of the others.
    fn to_text(&self) -> String {
        let say = |(prototype, distance): &(String, f64)| {
            format!("{} at {distance:.4}", shortened(prototype.clone()))
        };
        let others = self.prototypes.iter().enumerate();
        let others = others.filter(|(place, _)| *place != self.branch);
        let second = others.min_by(|a, b| a.1.1.total_cmp(&b.1.1));
        match (self.prototypes.get(self.branch), second) {
            (Some(nearest), Some((_, second))) => {
                format!("near {}, not {}", say(nearest), say(second))
            }
            (Some(nearest), None) => format!("near {}", say(nearest)),
            (None, _) => String::new(),
        }
    }
}

/// The tests that led to a prediction, as a table.
fn steps_of(target: &TargetExplanation) -> Vec<Vec<String>> {
    let heading = ["test", "value", "holds", "share"].map(str::to_owned);
    let several = target.path().iter().any(|step| step.tree != 1);
    let mut rows = vec![heading.to_vec()];
    for step in target.path() {
        let holds = match (step.holds, &step.near) {
            (Some(true), _) => "yes".to_owned(),
            (Some(false), _) => "no".to_owned(),
            (None, Some(near)) => near.to_text(),
            (None, None) => "unknown".to_owned(),
        };
        let tree = match several {
            true => format!("tree {}: ", step.tree),
            false => String::new(),
        };
        rows.push(vec![
            format!("{tree}{}", step.test),
            step.value.clone(),
            holds,
            format!("{:.6}", step.share),
        ]);
    }
    rows
}

impl NodeSaid {
    fn to_json(&self) -> Value {
        json!({"tree": self.tree, "node": self.node, "says": self.says, "counts": self.counts})
    }
}

/// The nodes that answer together, as a table.
fn nodes_of(target: &TargetExplanation) -> Vec<Vec<String>> {
    let several = target.nodes().iter().any(|node| node.tree != 1);
    let mut rows = vec![["node", "says", "counts"].map(str::to_owned).to_vec()];
    for node in target.nodes() {
        rows.push(vec![
            match several {
                true => format!("tree {}, node {}", node.tree, node.node),
                false => node.node.to_string(),
            },
            short(node.says, DIGITS, WRITTEN_OUT),
            format!("{:.6}", node.counts),
        ]);
    }
    rows
}

/// The terms that add up to a prediction, as a table.
fn terms_of(target: &TargetExplanation) -> Vec<Vec<String>> {
    let behind = target.terms().iter().any(|term| term.behind.is_some());
    let mut rows = vec![
        ["term", "value", "coefficient", "contribution"]
            .map(str::to_owned)
            .to_vec(),
    ];
    if behind {
        rows[0].push("of".to_owned());
    }
    for term in target.terms() {
        let mut row = vec![
            term.name.clone(),
            short(term.value, DIGITS, WRITTEN_OUT),
            short(term.coefficient, DIGITS, WRITTEN_OUT),
            format!("{:.6}", term.contribution),
        ];
        if behind {
            row.push(term.behind.clone().map_or_else(String::new, shortened));
        }
        rows.push(row);
    }
    rows
}

/// How many digits values and coefficients have, and which powers of ten are written out.
const DIGITS: usize = 6;
const WRITTEN_OUT: Range<f64> = -5.0..15.0;

/// The fields of a row of tuples as text.
pub fn texts(rows: &Column, row: usize) -> Vec<String> {
    match rows.cells() {
        Cells::Tuple { fields, .. } => fields
            .iter()
            .map(|field| match field.value(row) {
                kinwood_values::Value::Missing => "?".to_owned(),
                value => shortened(value.to_string()),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Bags and graphs may be long; an explanation names them, and the data shows them.
fn shortened(text: String) -> String {
    const LONGEST: usize = 24;
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars()
        .take(LONGEST - 3)
        .chain("...".chars())
        .collect()
}

/// Cells in columns, indented.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut table = TextTable::new(vec![Align::Left; columns]).indented(2);
    for row in rows {
        table.line(row.iter().cloned());
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_stand_below_the_tests_and_name_the_rows_behind() {
        let mut mass = Term::product("mass".to_owned(), 12.0, 0.5);
        mass.behind = Some("atom 3".to_owned());
        let mut told = Explanation {
            attributes: Vec::new(),
            values: Vec::new(),
            targets: vec![TargetExplanation {
                name: "activity".to_owned(),
                prediction: vec![(String::new(), 4.0)],
                reasons: Reasons::Formula {
                    path: Vec::new(),
                    terms: vec![Term::constant(-2.0), mass],
                },
                others: Others {
                    rows: 9,
                    share: 1.0,
                    parts: vec![4.0],
                },
            }],
        };
        assert_eq!(
            told.to_text(),
            "activity: 4.000000
  term      value  coefficient  contribution  of
  constant  1      -2           -2.000000
  mass      12     0.5          6.000000      atom 3
"
        );
        assert_eq!(
            told.to_json()[0]["terms"],
            json!([
                {"term": "constant", "value": 1.0, "coefficient": -2.0, "contribution": -2.0},
                {"term": "mass", "value": 12.0, "coefficient": 0.5, "contribution": 6.0, "behind": "atom 3"},
            ])
        );
        told.targets[0].reasons = Reasons::Path(Vec::new());
        assert!(told.to_json()[0].get("terms").is_none());
        assert!(told.to_text().contains("9 others"));
    }
}
