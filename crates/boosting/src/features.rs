//! What trees look at: columns of numbers and labels as they are, and what structured values
//! contain and how far they are from prototypes, a number each.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_learning::error::{Error, Result};
use kinwood_similarity::rows::{column as own_column, fitting};
use kinwood_similarity::{DistanceOn, Pairs};
use kinwood_trees::contents::{Found, Item, find, items_words};
use kinwood_values::{Cells, Column, Dictionary, Type, View};

/// A column that is looked at.
#[derive(Clone)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: InputKind,
}

/// What a column holds.
#[derive(Clone)]
pub enum InputKind {
    /// Numbers.
    Number,
    /// Times, in milliseconds.
    Moment,
    /// Labels.
    Labels {
        /// Those of training.
        labels: Arc<Dictionary>,
        /// Labels that are too rare to be told apart, rising: they are taken as missing.
        rare: Vec<u32>,
    },
    /// Structured values.
    Structured(Arc<Pool>),
}

/// What structured values are asked for.
#[derive(Clone)]
pub struct Pool {
    /// What they may contain.
    pub items: Vec<Item>,
    /// Values that others are near to or far from.
    pub prototypes: Column,
    /// How far values are apart.
    pub measure: DistanceOn,
}

/// A number or label of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The column, by its place among the inputs.
    pub input: u32,
    /// What of it.
    pub part: Part,
}

/// What of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The number or label that it is.
    Whole,
    /// Whether it contains an item, by its place: 1 or 0.
    Item(u32),
    /// How many members or characters it has.
    Size,
    /// How far it is from a prototype, by its place.
    Distance(u32),
}

/// The columns and what trees look at in them.
#[derive(Clone, Default)]
pub struct Features {
    /// The columns, in the order of the table.
    pub inputs: Vec<Input>,
    /// What is looked at, by column.
    pub all: Vec<Feature>,
}

impl Features {
    /// Whether a feature is a label.
    pub fn is_label(&self, feature: usize) -> bool {
        matches!(self.input(feature).kind, InputKind::Labels { .. })
    }

    /// The column of a feature.
    pub fn input(&self, feature: usize) -> &Input {
        &self.inputs[self.all[feature].input as usize]
    }

    /// How many labels a feature can be; 0 for a number.
    pub fn labels(&self, feature: usize) -> usize {
        match &self.input(feature).kind {
            InputKind::Labels { labels, .. } => labels.len(),
            _ => 0,
        }
    }

    /// A feature in words, such as `age` or `basket contains milk`.
    pub fn words(&self, feature: usize) -> String {
        let input = self.input(feature);
        match (&input.kind, self.all[feature].part) {
            (InputKind::Structured(pool), Part::Item(item)) => {
                items_words(&input.name, [&pool.items[item as usize]])
            }
            (InputKind::Structured(pool), Part::Size) => {
                let measure = match pool.measure.of() {
                    Type::String => "length",
                    _ => "size",
                };
                format!("{measure}({})", input.name)
            }
            (InputKind::Structured(pool), Part::Distance(place)) => {
                let value = pool.prototypes.value(place as usize).to_string();
                format!("distance({}, {})", input.name, shortened(&value))
            }
            _ => input.name.clone(),
        }
    }

    /// Whether a feature is 1 or 0: whether something is contained.
    pub fn is_flag(&self, feature: usize) -> bool {
        matches!(self.all[feature].part, Part::Item(_))
    }

    /// The features that are kept, and the columns, items and prototypes that these need.
    pub fn picked(&self, kept: &[usize]) -> Self {
        let mut picked = Self::default();
        for (place, input) in self.inputs.iter().enumerate() {
            let own = kept.iter().map(|&feature| self.all[feature]);
            let own: Vec<Feature> = own.filter(|own| own.input == place as u32).collect();
            if own.is_empty() {
                continue;
            }
            let position = picked.inputs.len() as u32;
            let InputKind::Structured(pool) = &input.kind else {
                let part = Part::Whole;
                picked.inputs.push(input.clone());
                picked.all.push(Feature {
                    input: position,
                    part,
                });
                continue;
            };
            let (mut items, mut prototypes) = (Vec::new(), Vec::new());
            for feature in own {
                let part = match feature.part {
                    Part::Item(item) => {
                        items.push(pool.items[item as usize].clone());
                        Part::Item(items.len() as u32 - 1)
                    }
                    Part::Distance(prototype) => {
                        prototypes.push(prototype);
                        Part::Distance(prototypes.len() as u32 - 1)
                    }
                    other => other,
                };
                picked.all.push(Feature {
                    input: position,
                    part,
                });
            }
            let pool = Pool {
                items,
                prototypes: pool.prototypes.gather(&prototypes),
                measure: pool.measure.clone(),
            };
            picked.inputs.push(Input {
                name: input.name.clone(),
                kind: InputKind::Structured(Arc::new(pool)),
            });
        }
        picked
    }
}

/// Long values are named, and the data shows them.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.chars().count() <= LONGEST {
        true => text.to_owned(),
        false => text
            .chars()
            .take(LONGEST - 3)
            .chain("...".chars())
            .collect(),
    }
}

/// The columns of a view, ready to be read.
pub struct Reader<'a> {
    features: &'a Features,
    rows: Cow<'a, [u32]>,
    columns: Vec<Read<'a>>,
}

enum Read<'a> {
    /// By row of the table; `None` where it is hidden.
    Flat(Option<&'a Column>),
    /// By row of the view.
    Structured(Box<Structured>),
}

/// A structured column of the rows of a view.
struct Structured {
    found: Found,
    column: Column,
    pairs: Option<Arc<dyn Pairs<f64>>>,
}

impl<'a> Reader<'a> {
    /// Finds the columns of a view.
    pub fn new(features: &'a Features, view: &'a View) -> Result<Self> {
        let read = |input: &Input| -> Result<Read<'a>> {
            let place = view.table().find(&input.name)?;
            match &input.kind {
                InputKind::Structured(pool) => structured(&input.name, pool, view, place),
                _ => {
                    let column = view.column(view.table_position(), place);
                    Ok(Read::Flat(column.map(|column| &**column)))
                }
            }
        };
        Ok(Self {
            features,
            rows: view.rows().collect(),
            columns: features.inputs.iter().map(read).collect::<Result<_>>()?,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The numbers of a feature for rows from a position on, each `step` places after the other:
    /// NaN where there is none; labels by code.
    pub fn fill(&self, feature: usize, from: usize, step: usize, out: &mut [f64]) {
        let part = self.features.all[feature].part;
        let places = out.iter_mut().step_by(step);
        match &self.columns[self.features.all[feature].input as usize] {
            Read::Flat(None) => places.for_each(|out| *out = f64::NAN),
            Read::Flat(Some(column)) => {
                match (column.cells(), &self.features.input(feature).kind) {
                    (Cells::Nominal { codes, .. }, InputKind::Labels { labels, rare }) => {
                        for (place, out) in places.enumerate() {
                            let row = self.rows[from + place] as usize;
                            let code = codes[row];
                            let known = (code as usize) < labels.len()
                                && column.is_present(row)
                                && rare.binary_search(&code).is_err();
                            *out = if known { f64::from(code) } else { f64::NAN };
                        }
                    }
                    (Cells::DateTime(moments), InputKind::Moment) => {
                        for (place, out) in places.enumerate() {
                            let row = self.rows[from + place] as usize;
                            *out = match column.is_present(row) {
                                true => moments[row] as f64,
                                false => f64::NAN,
                            };
                        }
                    }
                    (_, InputKind::Number) => match column.numbers() {
                        Some(numbers) => {
                            for (place, out) in places.enumerate() {
                                let row = self.rows[from + place] as usize;
                                *out = match column.is_present(row) {
                                    true => numbers[row],
                                    false => f64::NAN,
                                };
                            }
                        }
                        None => places.for_each(|out| *out = f64::NAN),
                    },
                    // A column of another type than in training holds nothing that is known.
                    _ => places.for_each(|out| *out = f64::NAN),
                }
            }
            Read::Structured(structured) => {
                let Structured {
                    found,
                    column,
                    pairs,
                } = &**structured;
                for (place, out) in places.enumerate() {
                    let position = from + place;
                    *out = match part {
                        Part::Item(item) => found
                            .has_any(position, &[item])
                            .map_or(f64::NAN, |has| f64::from(u8::from(has))),
                        Part::Size => found.size(position).map_or(f64::NAN, f64::from),
                        Part::Distance(prototype) => match pairs {
                            Some(pairs) if column.is_present(position) => {
                                let mut one = [0.0];
                                let prototype = prototype as usize;
                                pairs
                                    .prepare(position)
                                    .fill(prototype..prototype + 1, &mut one);
                                one[0]
                            }
                            _ => f64::NAN,
                        },
                        Part::Whole => f64::NAN,
                    };
                }
            }
        }
    }

    /// The values of a row in words, by column.
    pub fn value(&self, feature: usize, position: usize) -> String {
        let feature = self.features.all[feature];
        match &self.columns[feature.input as usize] {
            Read::Flat(column) => column.map_or_else(
                || "?".to_owned(),
                |column| column.value(self.rows[position] as usize).to_string(),
            ),
            Read::Structured(own) => shortened(&own.column.value(position).to_string()),
        }
    }
}

fn structured<'a>(name: &str, pool: &Pool, view: &View, place: usize) -> Result<Read<'a>> {
    let of = pool.measure.of();
    let layout = |column: String| -> Error {
        let column = match column.is_empty() {
            true => name.to_owned(),
            false => column,
        };
        kinwood_similarity::Error::Layout { column }.into()
    };
    let column = match own_column(view, place) {
        Some(column) => fitting(&column, of).map_err(layout)?,
        // Hidden: nothing is known of it.
        None => {
            let mut column = Column::empty(of);
            (0..view.len()).for_each(|_| column.push_missing());
            column
        }
    };
    let pairs = match pool.prototypes.is_empty() {
        true => None,
        false => Some(
            pool.measure
                .bind_real(&column, &pool.prototypes, "a prototype")?,
        ),
    };
    Ok(Read::Structured(Box::new(Structured {
        found: find(&pool.items, &column),
        column,
        pairs,
    })))
}
