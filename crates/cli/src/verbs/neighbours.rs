//! `kinwood neighbours`: the objects most like one.

use kinwood::text::{Align, TextTable, shortened};
use std::path::{Path, PathBuf};

use clap::Args;
use kinwood::objects::Objects;
use kinwood::similarity::neighbours::index::Index;
use kinwood::similarity::{Bound, Measured, Neighbour, nearest};
use serde_json::{Value as Json, json};

use crate::arguments::{Comparing, Reading, Roles};
use crate::error::Result;
use crate::loading::{load_objects, load_to_conform};
use crate::session::Session;

/// The arguments of `kinwood neighbours`.
#[derive(Args, Debug)]
pub struct Neighbours {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    comparing: Comparing,
    /// The object: its key or its row from 1; or a file with objects like those of DATA
    #[arg(long, value_name = "ROW|FILE")]
    query: String,
    /// How many neighbours
    #[arg(short, value_name = "N", default_value_t = 5)]
    k: usize,
}

/// A query and what is nearest to it.
struct Answer {
    query: String,
    nearest: Vec<(usize, Measured)>,
}

impl Neighbours {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let objects = load_objects(&self.comparing, &self.reading, &self.roles, session)?;
        let file = Path::new(&self.query);
        let answers = match objects.find(&self.query) {
            Ok(position) => vec![self.of_object(&objects, position)?],
            Err(_) if file.exists() => self.of_file(&objects, file.to_owned(), session)?,
            Err(error) => return Err(error.into()),
        };
        match session.json {
            true => {
                let answers: Vec<Json> = answers
                    .iter()
                    .map(|answer| as_json(&objects, answer))
                    .collect();
                let distance = objects.distance().expression().to_string();
                session.print_json(&json!({"distance": distance, "queries": answers}))
            }
            false => {
                let text: Vec<String> = answers
                    .iter()
                    .map(|answer| as_text(&objects, answer))
                    .collect();
                session.print(&text.join("\n"))
            }
        }
    }

    /// The neighbours of an object among the others.
    fn of_object(&self, objects: &Objects, position: usize) -> Result<Answer> {
        let wanted = self.k.saturating_add(1).min(objects.len());
        let nearest = match objects.bind()? {
            Bound::Real(pairs) => {
                numbers(nearest(&*pairs.prepare(position), objects.len(), wanted))
            }
            Bound::Term(pairs) => nearest(&*pairs.prepare(position), objects.len(), wanted)
                .into_iter()
                .map(|found| (found.reference, Measured::Pair(found.distance)))
                .collect(),
        };
        let others = nearest.into_iter().filter(|(other, _)| *other != position);
        Ok(Answer {
            query: objects.name(position),
            nearest: others.take(self.k).collect(),
        })
    }

    /// The neighbours of the objects of another file.
    fn of_file(
        &self,
        objects: &Objects,
        path: PathBuf,
        session: &mut Session<'_>,
    ) -> Result<Vec<Answer>> {
        let reading = Reading {
            data: path,
            rows: None,
            ..self.reading.clone()
        };
        let data = load_to_conform(&reading, session)?;
        let (values, names, notices) = objects.alike(&data)?;
        session.note(data.notices());
        session.note(&notices);
        let bound = objects
            .distance()
            .bind(&values, objects.values())
            .map_err(kinwood::Error::from)?;
        let running = session
            .context
            .progress("comparing objects", names.len() as u64);
        let index = match objects.bind()? {
            Bound::Real(pairs) if names.len() > 16 => Index::build(&*pairs),
            _ => None,
        };
        let mut answers = Vec::with_capacity(names.len());
        for (query, name) in names.into_iter().enumerate() {
            session.check()?;
            let nearest = match (&bound, &index) {
                (Bound::Real(pairs), Some(index)) => {
                    numbers(index.nearest(&*pairs.prepare(query), self.k))
                }
                (Bound::Real(pairs), None) => {
                    numbers(nearest(&*pairs.prepare(query), objects.len(), self.k))
                }
                (Bound::Term(pairs), _) => nearest(&*pairs.prepare(query), objects.len(), self.k)
                    .into_iter()
                    .map(|found| (found.reference, Measured::Pair(found.distance)))
                    .collect(),
            };
            running.advance(1);
            answers.push(Answer {
                query: name,
                nearest,
            });
        }
        Ok(answers)
    }
}

fn numbers(found: Vec<Neighbour<f64>>) -> Vec<(usize, Measured)> {
    found
        .into_iter()
        .map(|found| (found.reference, Measured::Number(found.distance)))
        .collect()
}

fn as_json(objects: &Objects, answer: &Answer) -> Json {
    let neighbours: Vec<Json> = answer
        .nearest
        .iter()
        .map(|(position, measured)| {
            let distance = match measured {
                Measured::Number(number) => json!(number),
                Measured::Pair(pair) => json!([pair.functors, pair.variables]),
            };
            json!({
                "object": objects.name(*position),
                "row": objects.view().row(*position) + 1,
                "distance": distance,
                "value": objects.values().value(*position).to_json(),
            })
        })
        .collect();
    json!({"query": answer.query, "neighbours": neighbours})
}

/// Characters of an object shown in a line.
const SHOWN: usize = 100;

fn as_text(objects: &Objects, answer: &Answer) -> String {
    let text = format!("nearest to {}\n", answer.query);
    let mut table = TextTable::new([Align::Left; 2]).indented(2);
    for (position, measured) in &answer.nearest {
        let distance = match measured {
            Measured::Number(number) => format!("{number:.6}"),
            pair => pair.to_string(),
        };
        let object = shortened(&objects.describe(*position), SHOWN);
        let targets: String = objects
            .target_values(*position)
            .iter()
            .map(|(name, value)| format!("  {name} {value}"))
            .collect();
        table.line([
            objects.name(*position),
            format!("{distance}{targets}  {object}"),
        ]);
    }
    text + &table.to_string()
}
