//! `kinwood distance`: how far two values are apart, and why.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::objects::{Compared, Objects};
use kinwood::similarity::suggested::suggested_type;
use kinwood::similarity::{Account, Detail, DistanceOn, Expression, KernelOn, Measured, Registry};
use kinwood_values::{Type, Value};
use serde_json::{Value as Json, json};

use crate::arguments::Reading;
use crate::error::{Error, Result};
use crate::loading::load;
use crate::session::Session;

/// The arguments of `kinwood distance`.
#[derive(Args, Debug)]
pub struct Distance {
    /// The distance or kernel, such as "hausdorff(absolute)"; `kinwood distances` lists them
    #[arg(value_name = "EXPR")]
    expression: String,
    /// One value, as JSON; what is no JSON is text
    #[arg(
        value_name = "A",
        required_unless_present = "pairs",
        allow_hyphen_values = true
    )]
    a: Option<String>,
    /// The other value
    #[arg(
        value_name = "B",
        required_unless_present = "pairs",
        allow_hyphen_values = true
    )]
    b: Option<String>,
    /// Compare the pairs of this file instead, a JSON array of two values a line; - for standard
    /// input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["a", "b"])]
    pairs: Option<PathBuf>,
    /// The type of the values, such as "set<numeric>", where it is not clear
    #[arg(long = "type", value_name = "TYPE")]
    of: Option<Type>,
    /// Take training ranges from this data: from its rows, or from --column
    #[arg(long, value_name = "DATA", value_hint = ValueHint::AnyPath)]
    fit: Option<PathBuf>,
    /// The column of --fit that holds values like these
    #[arg(long, value_name = "COLUMN", requires = "fit")]
    column: Option<String>,
    /// The table of --fit, where there are several
    #[arg(long, value_name = "TABLE", requires = "fit")]
    table: Option<String>,
    /// Show how a distance comes about: edit script, matching, nearest elements, shares of the
    /// fields
    #[arg(long)]
    explain: bool,
}

/// A measure ready for values of a type.
enum Measure {
    Distance(DistanceOn),
    Kernel(KernelOn),
}

/// What is said of a pair.
enum Answer {
    Alone(Measured),
    Account(Box<Account>),
}

impl Distance {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let expression: Expression = self.expression.parse().map_err(kinwood::Error::from)?;
        let pairs = self.read_pairs()?;
        let measure = self.measure(&expression, &pairs, session)?;
        let of = match &measure {
            Measure::Distance(distance) => distance.of(),
            Measure::Kernel(kernel) => kernel.of(),
        };
        let running = session
            .context
            .progress("comparing values", pairs.len() as u64);
        let mut results = Vec::with_capacity(pairs.len());
        for (line, pair) in pairs.iter().enumerate() {
            session.check()?;
            let value = |json: &Json| {
                Value::from_json(of, json).map_err(|error| Error::PairValue {
                    place: self.place(line),
                    reason: error.to_string(),
                })
            };
            let (a, b) = (value(&pair[0])?, value(&pair[1])?);
            let result = match &measure {
                Measure::Distance(distance) if self.explain => {
                    let account = distance.account(&a, &b, Detail::default());
                    Answer::Account(Box::new(account.map_err(kinwood::Error::from)?))
                }
                Measure::Distance(distance) => {
                    let measured = distance.between(&a, &b);
                    Answer::Alone(measured.map_err(kinwood::Error::from)?)
                }
                Measure::Kernel(kernel) => {
                    let inner = kernel.inner(&a, &b).map_err(kinwood::Error::from)?;
                    Answer::Alone(Measured::Number(inner))
                }
            };
            running.advance(1);
            results.push(result);
        }
        drop(running);
        match session.json {
            true => session.print_json(&as_json(&measure, &results)),
            false => session.print(&as_text(&results, self.explain)),
        }
    }

    fn place(&self, line: usize) -> String {
        match &self.pairs {
            Some(path) => format!("line {} of `{}`", line + 1, path.display()),
            None => "the values".to_owned(),
        }
    }

    /// The values as JSON; what is no JSON is text.
    fn read_pairs(&self) -> Result<Vec<[Json; 2]>> {
        let Some(path) = &self.pairs else {
            let json = |text: &Option<String>| {
                let text = text.clone().unwrap_or_default();
                serde_json::from_str(&text).unwrap_or(Json::String(text))
            };
            return Ok(vec![[json(&self.a), json(&self.b)]]);
        };
        let reader: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(path).map_err(|error| Error::read(path, error))?;
            Box::new(BufReader::new(file))
        };
        let mut pairs = Vec::new();
        for (number, line) in reader.lines().enumerate() {
            let line = line.map_err(|error| Error::read(path, error))?;
            if line.trim().is_empty() {
                continue;
            }
            let pair: [Json; 2] =
                serde_json::from_str(&line).map_err(|error| Error::PairValue {
                    place: self.place(number),
                    reason: format!("expected a JSON array of two values ({error})"),
                })?;
            pairs.push(pair);
        }
        Ok(pairs)
    }

    fn measure(
        &self,
        expression: &Expression,
        pairs: &[[Json; 2]],
        session: &mut Session<'_>,
    ) -> Result<Measure> {
        let registry = Registry::known();
        let objects = match &self.fit {
            Some(path) => Some(self.training(path, session)?),
            None => None,
        };
        let training = objects.as_ref().map(Objects::values);
        let of = match (&self.of, training) {
            (Some(of), None) => of.clone(),
            (_, Some(training)) => training.type_of(),
            (None, None) => {
                let values: Vec<&Json> = pairs.iter().flatten().collect();
                suggested_type(expression, &values).map_err(|error| Error::PairValue {
                    place: self.place(0),
                    reason: error.to_string(),
                })?
            }
        };
        let kernel = registry
            .find(&expression.name)
            .is_some_and(|of| of.is_kernel());
        let place = "the value";
        Ok(if kernel {
            let kernel = registry.kernel(expression, &of, training, place);
            Measure::Kernel(kernel.map_err(kinwood::Error::from)?)
        } else {
            let distance = registry.distance(expression, &of, training, place);
            Measure::Distance(distance.map_err(kinwood::Error::from)?)
        })
    }

    fn training(&self, path: &Path, session: &mut Session<'_>) -> Result<Objects> {
        let reading = Reading {
            data: path.to_owned(),
            ..Reading::default()
        };
        let data = load(&reading, &[], session)?;
        session.note(data.notices());
        let asked = Compared {
            table: self.table.clone(),
            column: self.column.clone(),
            ..Compared::default()
        };
        let (objects, notices) = Objects::of(&data, &asked)?;
        session.note(&notices);
        Ok(objects)
    }
}

fn as_text(results: &[Answer], explain: bool) -> String {
    let text = |answer: &Answer| match answer {
        Answer::Alone(measured) if explain => {
            format!("{measured}\n  nothing is behind the number but the values themselves\n")
        }
        Answer::Alone(measured) => format!("{measured}\n"),
        Answer::Account(account) => account.to_string(),
    };
    results.iter().map(text).collect()
}

fn as_json(measure: &Measure, results: &[Answer]) -> Json {
    let (of, expression) = match measure {
        Measure::Distance(distance) => (distance.of(), distance.expression()),
        Measure::Kernel(kernel) => (kernel.of(), kernel.expression()),
    };
    let results: Vec<Json> = results
        .iter()
        .map(|answer| match answer {
            Answer::Alone(measured) => json!({"value": measured}),
            Answer::Account(account) => {
                let steps = account.lines();
                json!({
                    "value": account.distance,
                    "explanation": {"title": account.title(), "steps": steps, "account": account},
                })
            }
        })
        .collect();
    json!({
        "expression": expression.to_string(),
        "type": of.to_string(),
        "results": results,
    })
}
