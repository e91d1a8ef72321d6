//! Partial relational trees: `like(FILE)` names a JSON file in the form in which models are shown.
//!
//! A node is `{"test": …, "yes": …, "no": …}`, whose test has the `steps` and the `condition` of a
//! shown model; what is shown besides is passed over, so that a shown model, or a part of one, is a
//! partial tree. `{"uses": "table.column", …}` leaves the test on a table or column to the learner.
//! `"?"`, or nothing, is an open leaf, from which anything may grow; `"leaf"`, or a shown node
//! without a test, is a leaf that stays one.

use serde_json::Value;

use super::relations::{attributes, mentions};
use super::terms::{Kind, Terms};
use super::test::{Condition, Function, Is, Step, Test};
use crate::error::TreeError;
use crate::tree::constraint::Sketch;
use kinwood_learning::error::Result;
use kinwood_values::suggest::{did_you_mean, nearest};

/// How many tests may stand above each other.
const DEEPEST: usize = 256;

/// Reads the text of a file, whose name is for messages.
pub fn read(text: &str, file: &str, terms: &Terms) -> Result<Sketch<Test>> {
    let wrong = |reason: String| TreeError::SketchFile {
        file: file.to_owned(),
        reason,
    };
    let shown: Value = serde_json::from_str(text).map_err(|error| {
        wrong(format!(
            "partial trees over a database are JSON, as `show` prints models in it: {error}"
        ))
    })?;
    let tree = [&shown["model"]["trees"][0], &shown["trees"][0], &shown]
        .into_iter()
        .find(|tree| !tree.is_null())
        .unwrap_or(&Value::Null);
    let root = match tree.get("root") {
        Some(root) => root,
        None => tree,
    };
    let reader = Reader {
        terms,
        subtrees: &tree["subtrees"],
    };
    let sketch = reader.node(root, &[], "root", 0);
    Ok(sketch.map_err(wrong)?)
}

struct Reader<'a> {
    terms: &'a Terms,
    subtrees: &'a Value,
}

/// What is wrong, in words.
type Read<T> = std::result::Result<T, String>;

/// The name that was perhaps meant, as the end of a message.
fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    did_you_mean(&nearest(name, &names))
}

fn whole(value: &Value, at: &str) -> Read<u32> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{at}: expected a whole number, found {value}"))
}

fn word<'v>(value: &'v Value, at: &str) -> Read<&'v str> {
    value
        .as_str()
        .ok_or_else(|| format!("{at}: expected a name, found {value}"))
}

impl Reader<'_> {
    fn node(&self, node: &Value, path: &[Step], at: &str, depth: usize) -> Read<Sketch<Test>> {
        if depth > DEEPEST {
            return Err(format!("{at}: more than {DEEPEST} tests above each other"));
        }
        if let Some(place) = node.get("subtree") {
            let place = whole(place, at)? as usize;
            return match self.subtrees.get(place) {
                Some(subtree) => self.node(subtree, path, at, depth + 1),
                None => Err(format!("{at}: there is no subtree {place}")),
            };
        }
        let (column, test) = match (node.get("test"), node.get("uses")) {
            (Some(test), _) => {
                let test = self.test(test, path, &format!("{at}.test"))?;
                let mentions = mentions(self.terms, path, &test);
                (mentions.last().copied().unwrap_or_default(), Some(test))
            }
            (None, Some(name)) => (self.column(word(name, at)?, at)?, None),
            (None, None) => {
                return match node {
                    Value::Null => Ok(Sketch::Open),
                    Value::String(text) if text == "?" => Ok(Sketch::Open),
                    Value::String(text) if text == "leaf" => Ok(Sketch::Closed),
                    Value::Object(fields) if fields.contains_key("targets") => Ok(Sketch::Closed),
                    found => Err(format!(
                        "{at}: expected a node with `test` or `uses`, \"?\" or \"leaf\", found {found}"
                    )),
                };
            }
        };
        let held: Vec<Step> = match &test {
            Some(test) => path.iter().chain(&test.steps).copied().collect(),
            None => path.to_vec(),
        };
        let below = |branch: &str, path: &[Step]| {
            let node = node.get(branch).unwrap_or(&Value::Null);
            let at = format!("{at}.{branch}");
            self.node(node, path, &at, depth + 1).map(Box::new)
        };
        Ok(Sketch::Split {
            column,
            yes: below("yes", &held)?,
            no: below("no", path)?,
            test,
        })
    }

    fn column(&self, name: &str, at: &str) -> Read<u32> {
        let inputs = attributes(self.terms);
        let found = inputs.iter().find(|input| input.name == name);
        let names = || inputs.iter().map(|input| input.name.as_str());
        found
            .map(|input| input.position)
            .ok_or_else(|| format!("{at}: unknown attribute `{name}`{}", meant(name, names())))
    }

    fn test(&self, test: &Value, path: &[Step], at: &str) -> Read<Test> {
        let mut steps: Vec<Step> = Vec::new();
        for step in test["steps"].as_array().into_iter().flatten() {
            let before: Vec<Step> = path.iter().chain(&steps).copied().collect();
            steps.push(self.step(step, &before, at)?);
        }
        let all: Vec<Step> = path.iter().chain(&steps).copied().collect();
        let condition = match &test["condition"] {
            Value::Null => None,
            condition => Some(self.condition(condition, &all, at)?),
        };
        match steps.is_empty() && condition.is_none() {
            true => Err(format!("{at}: expected `steps`, a `condition` or both")),
            false => Ok(Test { steps, condition }),
        }
    }

    fn step(&self, step: &Value, before: &[Step], at: &str) -> Read<Step> {
        let name = word(&step["key"], at)?;
        let keys = &self.terms.keys;
        let key = keys.iter().position(|key| key.name == name);
        let names = || keys.iter().map(|key| key.name.as_str());
        let key =
            key.ok_or_else(|| format!("{at}: unknown key `{name}`{}", meant(name, names())))?;
        let step = Step {
            from: whole(&step["from"], at)?,
            key: key as u32,
            backward: step["backward"].as_bool().unwrap_or(false),
        };
        let start = match step.backward {
            true => keys[key].to,
            false => keys[key].from,
        };
        let follows =
            step.from as usize <= before.len() && self.terms.table_of(before, step.from) == start;
        match follows {
            true => Ok(step),
            false => Err(format!(
                "{at}: key `{name}` cannot be followed from occurrence {}",
                step.from
            )),
        }
    }

    fn condition(&self, condition: &Value, steps: &[Step], at: &str) -> Read<Condition> {
        let occurrence = whole(&condition["occurrence"], at)?;
        if occurrence as usize > steps.len() {
            return Err(format!("{at}: there is no occurrence {occurrence} here"));
        }
        let of = word(&condition["of"], at)?;
        if of == "count" {
            let least = whole(&condition["at_least"], at)?;
            return Ok(Condition::Count { occurrence, least });
        }
        let table = self.terms.table_of(steps, occurrence);
        let name = word(&condition["column"], at)?;
        let mut inputs = self.terms.inputs(table);
        let Some((column, kind)) = inputs.find(|(_, column)| column.name == name) else {
            let names = self.terms.inputs(table);
            let names = names.map(|(_, column)| column.name.as_str());
            return Err(format!(
                "{at}: table `{}` has no input `{name}`{}",
                self.terms.tables[table].name,
                meant(name, names)
            ));
        };
        let is = self.is(condition, (table, column), &kind.kind, at)?;
        Ok(match of {
            "some" => Condition::Some {
                occurrence,
                column,
                is,
            },
            "every" => Condition::Every {
                occurrence,
                column,
                is,
            },
            function => Condition::Aggregate {
                occurrence,
                column,
                function: Function::ALL
                    .into_iter()
                    .find(|known| known.name() == function)
                    .ok_or_else(|| {
                        let names = ["some", "every", "count", "mean", "minimum", "maximum"];
                        let meant = meant(function, names);
                        format!("{at}: unknown condition `{function}`{meant}")
                    })?,
                is,
            },
        })
    }

    fn is(
        &self,
        condition: &Value,
        (table, column): (usize, u32),
        kind: &Kind,
        at: &str,
    ) -> Read<Is> {
        let bound = |name: &str| condition[name].as_f64().filter(|bound| bound.is_finite());
        match kind {
            Kind::Number | Kind::Moment => match (bound("at_most"), bound("at_least")) {
                (Some(bound), _) => Ok(Is::AtMost(bound)),
                (None, Some(bound)) => Ok(Is::AtLeast(bound)),
                (None, None) => Err(format!("{at}: expected `at_most` or `at_least`")),
            },
            Kind::Labels(labels) => {
                let mut codes = Vec::new();
                for label in condition["among"].as_array().into_iter().flatten() {
                    let label = word(label, at)?;
                    let meant = || meant(label, labels.labels());
                    let code = labels.code(label);
                    codes.push(
                        code.ok_or_else(|| format!("{at}: unknown label `{label}`{}", meant()))?,
                    );
                }
                codes.sort_unstable();
                codes.dedup();
                match codes.is_empty() {
                    true => Err(format!("{at}: expected labels in `among`")),
                    false => Ok(Is::Among(codes)),
                }
            }
            Kind::Other => {
                let pool = self.terms.pool(table, column);
                let shown = &condition["prototype"];
                let prototype = pool.and_then(|pool| {
                    let mut values = 0..pool.values.len();
                    values.find(|&place| pool.values.value(place).to_json() == *shown)
                });
                match (prototype, bound("radius")) {
                    (Some(prototype), Some(radius)) => Ok(Is::Near {
                        prototype: prototype as u32,
                        radius,
                    }),
                    (None, _) => Err(format!("{at}: {shown} is no prototype of this column")),
                    (_, None) => Err(format!("{at}: expected a `radius`")),
                }
            }
        }
    }
}
