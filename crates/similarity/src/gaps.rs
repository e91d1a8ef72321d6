//! What a distance guarantees where values may lack something: be missing, or hold empty
//! collections.
//!
//! Laws are stated for complete values, and exactly for the values that a distance is bound to.
//! Between both lies the question what `missing=` and `empty=` cost, whatever the data. It is
//! answered by binding the distance to values that lack all that may be lacking and are otherwise
//! as far apart as values get, so that each policy is asked where it is written.

use kinwood_values::{Column, Type, Value};

use crate::laws::Laws;
use crate::measure::DistanceOn;

/// What values may lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gaps {
    /// Values may be missing, in collections and tuples too.
    pub missing: bool,
    /// Collections may be empty.
    pub empty: bool,
}

impl Gaps {
    /// Nothing.
    pub const NONE: Gaps = Gaps {
        missing: false,
        empty: false,
    };
    /// Values may be missing.
    pub const MISSING: Gaps = Gaps {
        missing: true,
        empty: false,
    };
    /// Collections may be empty.
    pub const EMPTY: Gaps = Gaps {
        missing: false,
        empty: true,
    };

    /// What these values lack.
    pub fn of(values: &[Value]) -> Self {
        let mut gaps = Gaps::NONE;
        for value in values {
            let inside = match value {
                Value::Missing => Gaps::MISSING,
                Value::List(members) | Value::Set(members) | Value::Bag(members) => {
                    let inside = Gaps::of(members);
                    Gaps {
                        empty: inside.empty || members.is_empty(),
                        ..inside
                    }
                }
                Value::Tuple(fields) => Gaps::of(fields),
                _ => Gaps::NONE,
            };
            gaps.missing |= inside.missing;
            gaps.empty |= inside.empty;
        }
        gaps
    }
}

impl DistanceOn {
    /// What it guarantees on values that may lack something; `None` if it refuses such values, or
    /// cannot tell without training data how far a missing one is.
    ///
    /// ```
    /// use kinwood_similarity::{Gaps, Registry};
    /// let of = "set<nominal>".parse()?;
    /// let registry = Registry::builtin();
    /// let expression = "hausdorff(discrete, empty=0.1)".parse()?;
    /// let distance = registry.distance(&expression, &of, None, "sets")?;
    /// assert!(distance.laws().triangle);
    /// // By way of the empty set it is 0.2 from anywhere to anywhere.
    /// assert!(!distance.laws_with(Gaps::EMPTY).unwrap().triangle);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn laws_with(&self, gaps: Gaps) -> Option<Laws> {
        if gaps == Gaps::NONE {
            return Some(self.laws());
        }
        let values = Column::from_values(self.of(), &lacking(self.of(), gaps)).ok()?;
        let bound = self.bind(&values, &values).ok()?;
        Some(self.laws().and(bound.laws()))
    }
}

/// Values of a type, far apart and near, that lack all that may be lacking at every level.
fn lacking(of: &Type, gaps: Gaps) -> Vec<Value> {
    let term = |text: &str| text.parse().map(Value::Term).ok();
    let tree = |text: &str| text.parse().map(Value::Tree).ok();
    let graph = |label: &str| Value::from_json(of, &serde_json::json!([[label, "b"]])).ok();
    let members = |of: &Type, together: fn(Vec<Value>) -> Value| {
        let each = lacking(of, gaps).into_iter();
        let mut values: Vec<Value> = each.map(|value| together(vec![value])).collect();
        values.extend(gaps.empty.then(|| together(Vec::new())));
        values
    };
    let mut values = match of {
        Type::Nominal => ["a", "b"]
            .map(|label| Value::Symbol(label.to_owned()))
            .to_vec(),
        Type::Numeric => [0.0, 1.0, 1e12].map(Value::Number).to_vec(),
        Type::DateTime => [0, 1_000, 1_000_000_000_000].map(Value::DateTime).to_vec(),
        Type::String => ["a", "b"].map(|text| Value::Text(text.to_owned())).to_vec(),
        Type::List(of) => members(of, Value::List),
        Type::Set(of) => members(of, Value::set),
        Type::Bag(of) => members(of, Value::bag),
        Type::Tuple(fields) => {
            let columns: Vec<Vec<Value>> = fields
                .iter()
                .map(|field| lacking(&field.of, gaps))
                .collect();
            let rows = columns.iter().map(Vec::len).max().unwrap_or(1);
            let at = |column: &Vec<Value>, row: usize| column[row % column.len()].clone();
            (0..rows)
                .map(|row| Value::Tuple(columns.iter().map(|column| at(column, row)).collect()))
                .collect()
        }
        Type::Tree => [tree("a"), tree("b(c)")].into_iter().flatten().collect(),
        Type::Term => [term("a"), term("b(c)")].into_iter().flatten().collect(),
        Type::Graph => [graph("a"), graph("c")].into_iter().flatten().collect(),
        Type::Ref(_) => vec![Value::Ref(0), Value::Ref(1)],
    };
    values.extend(gaps.missing.then_some(Value::Missing));
    values
}
