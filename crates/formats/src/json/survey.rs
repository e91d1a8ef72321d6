//! The first pass: which columns there are, and what holds all values of each.
//!
//! Types are inferred from skeletons: values whose numbers and texts are blotted out. Rows are many
//! but their skeletons few, so that a column's type costs no more memory than its forms.

use std::collections::{HashMap, HashSet};

use kinwood_values::json::{infer_type, infer_types};
use kinwood_values::types::NoCommonType;
use kinwood_values::{Type, datetime};
use serde_json::{Map, Value as Json, json};

use super::place::Place;
use super::rows::Take;
use crate::error::{Error, Result};

/// Where hardly any object has a key that others have, a table would be nearly all holes: so many
/// cells at most …
const MOST_CELLS: usize = 1 << 28;
/// … unless one in so many holds a value.
const SPARSE: usize = 100;

/// The tables of a source, in order.
#[derive(Default)]
pub(super) struct Survey {
    pub tables: Vec<Surveyed>,
}

/// What is known of a table.
pub(super) struct Surveyed {
    pub name: String,
    pub rows: usize,
    /// In order of the first row that has them.
    pub columns: Vec<Found>,
    pub positions: HashMap<String, usize>,
    cells: usize,
}

/// What is known of a column.
pub(super) struct Found {
    pub name: String,
    /// How many rows have a value.
    pub present: usize,
    pub arrays: usize,
    pub objects: usize,
    /// Whether all values are dates.
    dates: bool,
    numbers_seen: bool,
    texts_seen: bool,
    skeletons: Vec<Skeleton>,
    known: HashSet<String>,
}

/// A form that values of a column have, and the first that has it.
struct Skeleton {
    json: Json,
    place: Place,
    row: usize,
}

impl Take for Survey {
    fn table(&mut self, name: &str) -> Result<()> {
        self.tables.push(Surveyed {
            name: name.to_owned(),
            rows: 0,
            columns: Vec::new(),
            positions: HashMap::new(),
            cells: 0,
        });
        Ok(())
    }

    fn row(&mut self, place: Place, row: Map<String, Json>) -> Result<()> {
        let Some(table) = self.tables.last_mut() else {
            return Ok(());
        };
        table.rows += 1;
        for (key, value) in &row {
            let position = match table.positions.get(key) {
                Some(&position) => position,
                None => {
                    table.positions.insert(key.clone(), table.columns.len());
                    table.columns.push(Found::new(key));
                    table.columns.len() - 1
                }
            };
            table.columns[position].add(value, place, table.rows);
            table.cells += 1;
        }
        Ok(())
    }
}

impl Surveyed {
    /// Refuses what is no table.
    pub fn check(&self, file: &str) -> Result<()> {
        let cells = self.rows.saturating_mul(self.columns.len());
        if cells > MOST_CELLS && cells / SPARSE > self.cells {
            return Err(Error::UnknownFormat {
                file: file.to_owned(),
                reason: format!(
                    "its {} objects have {} different keys; rows of a table share theirs",
                    self.rows,
                    self.columns.len()
                ),
            });
        }
        Ok(())
    }
}

impl Found {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            present: 0,
            arrays: 0,
            objects: 0,
            dates: true,
            numbers_seen: false,
            texts_seen: false,
            skeletons: Vec::new(),
            known: HashSet::new(),
        }
    }

    fn add(&mut self, value: &Json, place: Place, row: usize) {
        self.present += usize::from(!value.is_null());
        let is_new = match value {
            Json::Null => false,
            Json::Number(_) => {
                self.dates = false;
                !std::mem::replace(&mut self.numbers_seen, true)
            }
            Json::String(text) => {
                self.dates = self.dates && datetime::parse(text).is_ok();
                !std::mem::replace(&mut self.texts_seen, true)
            }
            Json::Bool(_) => {
                self.dates = false;
                !std::mem::replace(&mut self.texts_seen, true)
            }
            Json::Array(_) | Json::Object(_) => {
                self.dates = false;
                self.arrays += usize::from(value.is_array());
                self.objects += usize::from(value.is_object());
                true
            }
        };
        if !is_new {
            return;
        }
        let json = skeleton(value);
        if self.known.insert(json.to_string()) {
            self.skeletons.push(Skeleton { json, place, row });
        }
    }

    /// The type that holds all values.
    pub fn type_of(&self, file: &str) -> Result<Type> {
        let forms = self.skeletons.iter().map(|skeleton| &skeleton.json);
        match infer_types(forms) {
            Ok(Type::Nominal) if self.present > 0 && self.dates => Ok(Type::DateTime),
            Ok(of) => Ok(of),
            Err(error) => Err(self.conflict(file, error)),
        }
    }

    fn conflict(&self, file: &str, error: NoCommonType) -> Error {
        let NoCommonType {
            index,
            found,
            expected,
        } = error;
        let name = &self.name;
        let expected = format!("a `{expected}` for `{name}`, as in the rows before");
        let found = format!("a `{found}`");
        let odd = index.checked_sub(1).and_then(|at| self.skeletons.get(at));
        let place = odd.map_or(Place { line: 1, column: 1 }, |odd| odd.place);
        let row = odd.map_or(1, |odd| odd.row);
        Error::Syntax {
            file: file.to_owned(),
            line: place.line,
            column: place.column,
            expected,
            found: format!("{found} in row {row}"),
            nearest: None,
        }
    }
}

/// The value with numbers and texts blotted out, and elements of a list that are alike given once.
fn skeleton(value: &Json) -> Json {
    match value {
        Json::Null => Json::Null,
        Json::Number(_) => json!(0),
        Json::Bool(_) | Json::String(_) => json!(""),
        Json::Array(elements) => {
            let all: Vec<Json> = elements.iter().map(skeleton).collect();
            let mut known = HashSet::new();
            let mut last = None;
            let unlike = all.iter().filter(|&json| {
                // Most arrays repeat one form, and to compare is cheaper than to write it out.
                last.replace(json) != Some(json) && known.insert(json.to_string())
            });
            let unlike = Json::Array(unlike.cloned().collect());
            match infer_type(&unlike) {
                Type::List(_) => unlike,
                // The elements of a tuple have their places.
                _ => Json::Array(all),
            }
        }
        Json::Object(object) => {
            if object.contains_key("edges") && infer_type(value) == Type::Graph {
                return json!({"edges": []});
            }
            let fields = object.iter();
            Json::Object(
                fields
                    .map(|(key, json)| (key.clone(), skeleton(json)))
                    .collect(),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_json() -> BoxedStrategy<Json> {
        let plain = prop_oneof![
            Just(Json::Null),
            (0..3).prop_map(|number| json!(number)),
            "[a-b]".prop_map(|text| json!(text)),
            any::<bool>().prop_map(|truth| json!(truth)),
        ];
        plain
            .prop_recursive(3, 12, 3, |inner| {
                let fields = proptest::collection::vec(
                    (prop_oneof!["[xy]", Just("edges".to_owned())], inner.clone()),
                    0..3,
                );
                prop_oneof![
                    proptest::collection::vec(inner, 0..4).prop_map(Json::Array),
                    fields.prop_map(|fields| Json::Object(fields.into_iter().collect())),
                ]
            })
            .boxed()
    }

    proptest! {
        #[test]
        fn skeletons_have_the_type_of_their_values(
            values in proptest::collection::vec(any_json(), 1..6),
        ) {
            let mut found = Found::new("x");
            for (row, value) in values.iter().enumerate() {
                found.add(value, Place { line: 1, column: 1 }, row + 1);
            }
            found.dates = false;
            match (found.type_of("f"), infer_types(&values)) {
                (Ok(by_skeletons), Ok(by_values)) => prop_assert_eq!(by_skeletons, by_values),
                (Err(_), Err(_)) => {}
                (by_skeletons, by_values) => {
                    prop_assert!(false, "{:?} {:?}", by_skeletons, by_values);
                }
            }
        }
    }

    #[test]
    fn alike_elements_are_kept_once() {
        let value = json!([[1, 2, 3], [4], [], [null, 5]]);
        assert_eq!(skeleton(&value), json!([[0], [], [null, 0]]));
        assert_eq!(skeleton(&json!([1, "a", 2])), json!([0, "", 0]));
        let graph = json!({"nodes": {"1": "C"}, "edges": [["1", "1"]]});
        assert_eq!(skeleton(&graph), json!({"edges": []}));
    }
}
