//! Structured inputs: values that are compared by a distance, each distinct value held once.

mod several;

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_similarity::matrix::{Condensed, Refused};
use kinwood_similarity::{DistanceOn, Pairs, Registry, RowDistance};
use kinwood_values::{Cells, Column, Type, Value, View};

use super::code::UNKNOWN;
use super::test::Test;
use crate::contents::{Contents, ItemRules};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// The values of an input that are compared by a distance.
pub struct Kin {
    /// Which value each row of the task has; [`UNKNOWN`] where it has none.
    pub codes: Vec<u32>,
    /// The distinct values, rising; after them those that were added.
    pub values: Column,
    /// The distance they are compared by.
    pub measure: DistanceOn,
    /// The distances between them.
    pub distances: Distances,
    /// Further distances, of which nodes draw.
    pub more: Vec<(DistanceOn, Distances)>,
    /// Whether tests ask which prototype a value is nearest to.
    pub prototypes: bool,
    /// What they contain, where tests ask for that.
    pub contents: Option<Contents>,
}

/// Which tests structured values have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuredTests {
    /// Whether prototypes are tried.
    pub prototypes: bool,
    /// Which items tests on contents speak of; `None` where there are no such tests.
    pub contents: Option<ItemRules>,
    /// Whether nodes draw among several distances.
    pub several: bool,
}

impl StructuredTests {
    /// The most items of a kind that tests in a node look at.
    pub fn items(&self) -> usize {
        self.contents.as_ref().map_or(0, |rules| rules.most)
    }
}

impl Default for StructuredTests {
    fn default() -> Self {
        Self {
            prototypes: true,
            contents: None,
            several: false,
        }
    }
}

/// Distances between distinct values.
pub enum Distances {
    /// All of them, where they fit in memory.
    Known(Condensed),
    /// Computed whenever they are asked for.
    Computed(Arc<dyn Pairs<f64>>),
    /// Those of the data, and computed ones to values that were added to them.
    Extended {
        /// Between the values of the data.
        own: Box<Distances>,
        /// How many values the data have.
        count: u32,
        /// Between all.
        all: Arc<dyn Pairs<f64>>,
    },
}

impl Distances {
    /// The distances of a value to others.
    pub fn between(&self, value: u32, others: &[u32], out: &mut Vec<f64>) {
        out.clear();
        match self {
            Distances::Known(matrix) => {
                out.extend(
                    others
                        .iter()
                        .map(|&other| matrix.get(value as usize, other as usize)),
                );
            }
            Distances::Computed(pairs) => computed(&**pairs, value, others, out),
            Distances::Extended { own, count, all } => {
                match value < *count && others.iter().all(|other| other < count) {
                    true => own.between(value, others, out),
                    false => computed(&**all, value, others, out),
                }
            }
        }
    }
}

fn computed(pairs: &dyn Pairs<f64>, value: u32, others: &[u32], out: &mut Vec<f64>) {
    let row = pairs.prepare(value as usize);
    let mut one = [0.0];
    out.extend(others.iter().map(|&other| {
        row.fill(other as usize..other as usize + 1, &mut one);
        one[0]
    }));
}

/// A field of a row as it is compared.
pub struct Field {
    /// Its name: the column's, or that of the table a key leads to.
    pub name: String,
    /// The values of the task's rows.
    pub column: Column,
    /// The distance; `None` where the rows' distance leaves the field out.
    pub measure: Option<DistanceOn>,
}

/// The fields of the rows of a view, each with its distance. A distance between whole rows that
/// does not join those of the fields makes the row itself the one field.
pub fn fields(view: &View, distance: &RowDistance) -> Result<Vec<Field>> {
    let registry = Registry::known();
    let declared = distance.over(view)?;
    let rows = declared.rows(view)?;
    let table = view.table().name();
    let fitted = declared.fit_on(&rows, table, registry)?;
    let expression = fitted.distance().expression();
    let (Cells::Tuple { fields, .. }, Type::Tuple(types)) = (rows.cells(), fitted.distance().of())
    else {
        return Ok(Vec::new());
    };
    if !registry.joins_fields(&expression) {
        return Ok(vec![Field {
            name: table.to_owned(),
            measure: Some(fitted.distance().clone()),
            column: rows,
        }]);
    }
    let mut all = Vec::with_capacity(fields.len());
    for (place, (column, of)) in fields.iter().zip(types).enumerate() {
        let name = of.name.clone().unwrap_or_default();
        let part = expression
            .parts()
            .enumerate()
            .find(|(position, part)| match &part.field {
                Some(field) => *field == name,
                None => *position == place,
            });
        let place = format!("`{name}` of a row of `{table}`");
        let measure = match part.filter(|(_, part)| part.weight > 0.0) {
            Some((_, part)) => {
                Some(registry.distance(&part.measure, &of.of, Some(column), &place)?)
            }
            None => None,
        };
        all.push(Field {
            name,
            column: column.clone(),
            measure,
        });
    }
    Ok(all)
}

impl Kin {
    /// Takes the distinct values of a field and, where there is room for them and tests need them,
    /// all distances between them.
    pub fn new(
        field: &Field,
        measure: DistanceOn,
        tests: &StructuredTests,
        most: usize,
        context: &Context,
    ) -> Result<Self> {
        let mut distinct: BTreeMap<Value, Vec<u32>> = BTreeMap::new();
        for row in 0..field.column.len() {
            if field.column.is_present(row) {
                let rows = distinct.entry(field.column.value(row)).or_default();
                rows.push(row as u32);
            }
        }
        let mut codes = vec![UNKNOWN; field.column.len()];
        let mut firsts = Vec::with_capacity(distinct.len());
        let mut counts = Vec::with_capacity(distinct.len());
        for (code, rows) in distinct.values().enumerate() {
            rows.iter()
                .for_each(|&row| codes[row as usize] = code as u32);
            firsts.push(rows[0]);
            counts.push(rows.len() as u32);
        }
        drop(distinct);
        let values = field.column.gather(&firsts);
        let rules = tests.contents.as_ref();
        let contents = rules.and_then(|rules| Contents::new(&values, &counts, rules));
        // What contains nothing is compared, or it could not be tested at all.
        let prototypes = tests.prototypes || contents.is_none();
        let pairs = measure.bind_real(&values, &values, "a prototype test")?;
        let fits = Condensed::memory(firsts.len()).is_some_and(|bytes| bytes <= most);
        let distances = if fits && prototypes {
            let all = firsts.len() as u64 * (firsts.len() as u64).saturating_sub(1) / 2;
            let running = context.progress(&format!("comparing values of `{}`", field.name), all);
            let advance = |done: u64| {
                running.advance(done);
                context.check().is_ok()
            };
            match Condensed::of(&*pairs, &advance) {
                Ok(matrix) => Distances::Known(matrix),
                Err(Refused::Stopped) => {
                    context.check()?;
                    Distances::Computed(pairs)
                }
                Err(_) => Distances::Computed(pairs),
            }
        } else {
            Distances::Computed(pairs)
        };
        let mut more = Vec::new();
        if tests.several && prototypes {
            for other in several::distances(&values, &measure) {
                // Prototypes are few: not all distances are needed.
                let pairs = other.bind_real(&values, &values, "a prototype test")?;
                more.push((other, Distances::Computed(pairs)));
            }
        }
        Ok(Self {
            codes,
            values,
            measure,
            distances,
            more,
            prototypes,
            contents,
        })
    }

    /// The distances by one of the measures.
    pub fn distances_by(&self, measure: u32) -> &Distances {
        let other = (measure as usize).checked_sub(1);
        let other = other.and_then(|place| self.more.get(place));
        other.map_or(&self.distances, |more| &more.1)
    }

    /// The branch of a row by a test on contents; `None` where its value is missing.
    pub fn branch_by_contents(&self, test: &Test, row: u32) -> Option<usize> {
        let code = Some(self.codes[row as usize]).filter(|code| *code != UNKNOWN)?;
        test.branch_by_contents(&self.contents.as_ref()?.found, code as usize)
    }

    /// The codes of values, which are added where the data do not have them; if they cannot be
    /// compared, why.
    pub fn places(&mut self, values: &[Value]) -> std::result::Result<Vec<u32>, String> {
        let count = match &self.distances {
            Distances::Extended { count, .. } => *count as usize,
            Distances::Known(_) | Distances::Computed(_) => self.values.len(),
        };
        let before = self.values.len();
        let mut codes = Vec::with_capacity(values.len());
        for value in values {
            let place = self.place(value, count);
            if place == self.values.len() {
                let pushed = self.values.push(value);
                pushed.map_err(|error| error.to_string())?;
            }
            codes.push(place as u32);
        }
        if self.values.len() > before {
            let all = self
                .measure
                .bind_real(&self.values, &self.values, "a prototype test")
                .map_err(|error| error.to_string())?;
            let nothing = Distances::Computed(Arc::clone(&all));
            let own = match std::mem::replace(&mut self.distances, nothing) {
                Distances::Extended { own, .. } => own,
                own => Box::new(own),
            };
            self.distances = Distances::Extended {
                own,
                count: count as u32,
                all,
            };
        }
        Ok(codes)
    }

    /// Where a value stands, of which the first so many rise; past the end if it is not there.
    fn place(&self, value: &Value, rising: usize) -> usize {
        let (mut from, mut to) = (0, rising);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.values.value(middle) < *value {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        if from < rising && self.values.value(from) == *value {
            return from;
        }
        let mut added = rising..self.values.len();
        let found = added.find(|&place| self.values.value(place) == *value);
        found.unwrap_or(self.values.len())
    }
}
