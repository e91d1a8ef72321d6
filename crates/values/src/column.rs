//! Columns: plain contiguous buffers, nested by offsets over child columns.
//!
//! A set-valued attribute and the rows behind a one-to-many foreign key are the same thing
//! underneath: offsets into something that has rows ([`Members`] here, [`crate::Link`] there).
//! Buffers are ordinary vectors in Arrow's arrangement, so that Arrow and NumPy cost at most one
//! copy a column.

mod gather;
mod push;
mod store;
mod structured;

use std::sync::Arc;

pub use structured::{Graphs, Members, TermNode, Terms, Texts, Trees};

use crate::dictionary::Dictionary;
pub use crate::types::Kind;
use crate::types::{Field, Type};
use crate::validity::Validity;
use crate::value::Value;

/// The buffers of a column. Cells that are missing hold a filler that nobody may read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cells {
    /// One of a set of labels.
    Nominal {
        /// A code a row.
        codes: Vec<u32>,
        /// What the codes mean; it may hold labels that no row has.
        dictionary: Arc<Dictionary>,
    },
    /// Numbers; never NaN where present.
    Numeric(Vec<f64>),
    /// Milliseconds since 1970-01-01 UTC.
    DateTime(Vec<i64>),
    /// Character strings.
    String(Texts),
    /// Lists, sets or bags of one type.
    Collection {
        /// Which of the three.
        kind: Kind,
        /// The members of each row.
        members: Members,
    },
    /// A fixed number of fields.
    Tuple {
        /// The fields' names, where they have one.
        names: Vec<Option<String>>,
        /// A column a field, all of the tuple's length.
        fields: Vec<Column>,
        /// Number of rows, which a tuple without fields would not know.
        rows: usize,
    },
    /// Ordered labelled trees.
    Tree(Trees),
    /// First-order terms.
    Term(Terms),
    /// Labelled graphs.
    Graph(Graphs),
    /// Rows of another table.
    Ref {
        /// The other table's name.
        table: String,
        /// Its row numbers, from 0.
        rows: Vec<u32>,
    },
}

/// The values of one attribute, one a row, any of them possibly missing.
#[derive(Clone, Debug)]
pub struct Column {
    cells: Cells,
    validity: Option<Validity>,
}

impl Column {
    /// A column of these buffers. Which rows hold a value is stated for every row, or not at all.
    ///
    /// # Panics
    /// If the validity speaks of another number of rows: a mistake of the caller, not of data.
    pub fn new(cells: Cells, validity: Option<Validity>) -> Self {
        if let Some(validity) = &validity {
            assert_eq!(
                validity.len(),
                cells.len(),
                "validity and cells must have as many rows"
            );
        }
        Self {
            cells,
            validity: validity.filter(|validity| validity.missing() > 0),
        }
    }

    /// A column without rows.
    pub fn empty(of: &Type) -> Self {
        Self {
            cells: Cells::empty(of),
            validity: None,
        }
    }

    /// A column of numbers, NaN standing for missing.
    pub fn numeric(numbers: Vec<f64>) -> Self {
        let any_missing = numbers.iter().any(|number| number.is_nan());
        let validity =
            any_missing.then(|| Validity::from_bits(numbers.iter().map(|x| !x.is_nan())));
        Self::new(Cells::Numeric(numbers), validity)
    }

    /// A nominal column of labels, `None` standing for missing.
    pub fn nominal<'a>(labels: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut dictionary = Dictionary::new();
        let mut validity = Validity::new();
        let codes = labels
            .into_iter()
            .map(|label| {
                validity.push(label.is_some());
                label.map_or(0, |label| dictionary.intern(label))
            })
            .collect();
        Self::new(
            Cells::Nominal {
                codes,
                dictionary: Arc::new(dictionary),
            },
            Some(validity),
        )
    }

    /// A column of the given type from values.
    pub fn from_values<'a>(
        of: &Type,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> Result<Self, crate::Error> {
        let mut column = Self::empty(of);
        for value in values {
            column.push(value)?;
        }
        Ok(column)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The buffers.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Which rows hold a value; `None` when all do.
    pub fn validity(&self) -> Option<&Validity> {
        self.validity.as_ref()
    }

    /// Whether the row holds a value.
    #[inline]
    pub fn is_present(&self, row: usize) -> bool {
        self.validity
            .as_ref()
            .is_none_or(|validity| validity.is_present(row))
    }

    /// Number of rows without a value.
    pub fn missing(&self) -> usize {
        self.validity.as_ref().map_or(0, Validity::missing)
    }

    /// What the column holds.
    pub fn type_of(&self) -> Type {
        self.cells.type_of()
    }

    /// The numbers, if it is numeric.
    pub fn numbers(&self) -> Option<&[f64]> {
        match &self.cells {
            Cells::Numeric(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The codes and what they mean, if it is nominal.
    pub fn codes(&self) -> Option<(&[u32], &Arc<Dictionary>)> {
        match &self.cells {
            Cells::Nominal { codes, dictionary } => Some((codes, dictionary)),
            _ => None,
        }
    }

    /// The number in a row, if it is numeric and present.
    pub fn number(&self, row: usize) -> Option<f64> {
        self.numbers()
            .filter(|_| self.is_present(row))
            .map(|numbers| numbers[row])
    }

    /// The code in a row, if it is nominal and present.
    pub fn code(&self, row: usize) -> Option<u32> {
        self.codes()
            .filter(|_| self.is_present(row))
            .map(|(codes, _)| codes[row])
    }

    /// The value in a row, as an owned value.
    pub fn value(&self, row: usize) -> Value {
        if !self.is_present(row) {
            return Value::Missing;
        }
        match &self.cells {
            Cells::Nominal { codes, dictionary } => {
                Value::Symbol(dictionary.label(codes[row]).to_owned())
            }
            Cells::Numeric(numbers) => Value::Number(numbers[row]),
            Cells::DateTime(instants) => Value::DateTime(instants[row]),
            Cells::String(texts) => Value::Text(texts.get(row).to_owned()),
            Cells::Collection { kind, members } => {
                let values = members
                    .range(row)
                    .map(|member| members.child.value(member))
                    .collect();
                match kind {
                    Kind::List => Value::List(values),
                    // Member by member the order may differ from that of whole values: make it
                    // canonical.
                    Kind::Set => Value::set(values),
                    Kind::Bag => Value::bag(values),
                }
            }
            Cells::Tuple { fields, .. } => {
                Value::Tuple(fields.iter().map(|field| field.value(row)).collect())
            }
            Cells::Tree(trees) => Value::Tree(trees.get(row)),
            Cells::Term(terms) => Value::Term(terms.get(row)),
            Cells::Graph(graphs) => Value::Graph(graphs.get(row)),
            Cells::Ref { rows, .. } => Value::Ref(rows[row]),
        }
    }

    /// Bytes held by the buffers, shared dictionaries included.
    pub fn memory(&self) -> usize {
        let validity = self
            .validity
            .as_ref()
            .map_or(0, |validity| validity.words().len() * 8);
        validity
            + match &self.cells {
                Cells::Nominal { codes, dictionary } => codes.len() * 4 + dictionary.memory(),
                Cells::Numeric(numbers) => numbers.len() * 8,
                Cells::DateTime(instants) => instants.len() * 8,
                Cells::String(texts) => texts.memory(),
                Cells::Collection { members, .. } => members.memory(),
                Cells::Tuple { fields, .. } => fields.iter().map(Column::memory).sum(),
                Cells::Tree(trees) => trees.memory(),
                Cells::Term(terms) => terms.memory(),
                Cells::Graph(graphs) => graphs.memory(),
                Cells::Ref { rows, .. } => rows.len() * 4,
            }
    }
}

impl PartialEq for Column {
    /// Equal buffers; the filler of missing numbers, which is not even equal to itself, does not
    /// count.
    fn eq(&self, other: &Self) -> bool {
        let cells = match (&self.cells, &other.cells) {
            (Cells::Numeric(a), Cells::Numeric(b)) => {
                let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            (a, b) => a == b,
        };
        cells && self.validity == other.validity
    }
}

impl Cells {
    fn empty(of: &Type) -> Self {
        let collection = |kind, of: &Type| Cells::Collection {
            kind,
            members: Members::empty(of),
        };
        match of {
            Type::Nominal => Cells::Nominal {
                codes: Vec::new(),
                dictionary: Arc::default(),
            },
            Type::Numeric => Cells::Numeric(Vec::new()),
            Type::DateTime => Cells::DateTime(Vec::new()),
            Type::String => Cells::String(Texts::default()),
            Type::List(of) => collection(Kind::List, of),
            Type::Set(of) => collection(Kind::Set, of),
            Type::Bag(of) => collection(Kind::Bag, of),
            Type::Tuple(fields) => Cells::Tuple {
                names: fields.iter().map(|field| field.name.clone()).collect(),
                fields: fields
                    .iter()
                    .map(|field| Column::empty(&field.of))
                    .collect(),
                rows: 0,
            },
            Type::Tree => Cells::Tree(Trees::default()),
            Type::Term => Cells::Term(Terms::default()),
            Type::Graph => Cells::Graph(Graphs::default()),
            Type::Ref(table) => Cells::Ref {
                table: table.clone(),
                rows: Vec::new(),
            },
        }
    }

    fn len(&self) -> usize {
        match self {
            Cells::Nominal { codes, .. } => codes.len(),
            Cells::Numeric(numbers) => numbers.len(),
            Cells::DateTime(instants) => instants.len(),
            Cells::String(texts) => texts.len(),
            Cells::Collection { members, .. } => members.len(),
            Cells::Tuple { rows, .. } => *rows,
            Cells::Tree(trees) => trees.len(),
            Cells::Term(terms) => terms.len(),
            Cells::Graph(graphs) => graphs.len(),
            Cells::Ref { rows, .. } => rows.len(),
        }
    }

    fn type_of(&self) -> Type {
        match self {
            Cells::Nominal { .. } => Type::Nominal,
            Cells::Numeric(_) => Type::Numeric,
            Cells::DateTime(_) => Type::DateTime,
            Cells::String(_) => Type::String,
            Cells::Collection { kind, members } => {
                let of = Box::new(members.child.type_of());
                match kind {
                    Kind::List => Type::List(of),
                    Kind::Set => Type::Set(of),
                    Kind::Bag => Type::Bag(of),
                }
            }
            Cells::Tuple { names, fields, .. } => Type::Tuple(
                names
                    .iter()
                    .zip(fields)
                    .map(|(name, field)| Field {
                        name: name.clone(),
                        of: field.type_of(),
                    })
                    .collect(),
            ),
            Cells::Tree(_) => Type::Tree,
            Cells::Term(_) => Type::Term,
            Cells::Graph(_) => Type::Graph,
            Cells::Ref { table, .. } => Type::Ref(table.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_with_a_missing_number_equals_itself() {
        let column = Column::numeric(vec![1.0, f64::NAN]);
        assert_eq!(column, column.clone());
        assert_ne!(column, Column::numeric(vec![1.0, 2.0]));
        assert_ne!(column, Column::numeric(vec![f64::NAN, f64::NAN]));
    }
}
