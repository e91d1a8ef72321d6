//! Partial relational trees: `like(FILE)` names a JSON file in the form in which models are shown,
//! a test having the `steps` and the `condition` of a shown one.

use serde_json::Value;

use super::relations::{attributes, mentions};
use super::terms::{Kind, Terms};
use super::test::{Condition, Function, Is, Step, Test};
use crate::contents::{Reading, calendar, items_from_json};
use crate::tree::constraint::sketch::shown::{self, Read, ShownTests, meant, whole, word};
use crate::tree::constraint::{Input, Sketch};
use kinwood_learning::error::Result;

/// Reads the text of a file, whose name is for messages.
pub fn read(text: &str, file: &str, terms: &Terms) -> Result<Sketch<Test>> {
    let mut reader = Reader {
        terms,
        inputs: attributes(terms),
    };
    Ok(shown::read(text, file, &mut reader)?)
}

struct Reader<'a> {
    terms: &'a Terms,
    inputs: Vec<Input>,
}

impl ShownTests for Reader<'_> {
    type Test = Test;
    type Path = Vec<Step>;

    fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    fn test(&mut self, test: &Value, path: &Vec<Step>, at: &str) -> Read<(u32, Test)> {
        let test = self.relational(test, path, at)?;
        let mentions = mentions(self.terms, path, &test);
        Ok((mentions.last().copied().unwrap_or_default(), test))
    }

    fn branches(&self, _: &Test) -> usize {
        2
    }

    fn after(&self, path: &Vec<Step>, test: Option<&Test>, branch: usize) -> Vec<Step> {
        // Only where the test holds do its keys lead further.
        match test.filter(|_| branch == 0) {
            Some(test) => path.iter().chain(&test.steps).copied().collect(),
            None => path.clone(),
        }
    }
}

impl Reader<'_> {
    fn relational(&self, test: &Value, path: &[Step], at: &str) -> Read<Test> {
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
            Kind::Moment if items_from_json(condition).is_some() => {
                let items = items_from_json(condition).unwrap_or_else(|| Ok(Vec::new()));
                let items = items.map_err(|reason| format!("{at}: {reason}"))?;
                let places: Option<Vec<u32>> = items.iter().map(calendar::place).collect();
                let mut places = places.ok_or_else(|| {
                    format!("{at}: expected months, weekdays or hours, which times have")
                })?;
                places.sort_unstable();
                places.dedup();
                Ok(Is::Has(places))
            }
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
            Kind::Other if items_from_json(condition).is_some() => {
                let items = items_from_json(condition).unwrap_or_else(|| Ok(Vec::new()));
                let items = items.map_err(|reason| format!("{at}: {reason}"))?;
                let known = self
                    .terms
                    .pool(table, column)
                    .map_or(&[][..], |pool| &pool.items);
                let mut places = Vec::with_capacity(items.len());
                for item in &items {
                    let place = known.iter().position(|own| own == item);
                    places.push(place.ok_or_else(|| {
                        let words = item.words();
                        format!("{at}: {words} is in too few values of this column to be tested")
                    })? as u32);
                }
                places.sort_unstable();
                places.dedup();
                Ok(Is::Has(places))
            }
            Kind::Other if condition.get("size_at_least").is_some() => {
                let least = whole(&condition["size_at_least"], at)?;
                let pool = self.terms.pool(table, column);
                match pool.is_some_and(|pool| Reading::new(pool.measure.of()).is_some()) {
                    true => Ok(Is::Sized(least)),
                    false => Err(format!("{at}: values of this column have no size")),
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
