//! Distances between whole rows: declared, fitted on training rows, kept in models as text.
//!
//! Declare ([`RowDistance`]), fit on training rows ([`FittedRow`]), bind to columns of rows (a
//! [`Pairs`], never kept).

use std::sync::Arc;

use kinwood_values::{Column, Type, View};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::expression::{Argument, Expression};
use crate::laws::Laws;
use crate::measure::{Bound, DistanceOn};
use crate::missing::Missing;
use crate::pairs::Pairs;
use crate::registry::Registry;
use crate::rows::{Reading, fitting, stated, stating_facts};

pub mod kernel;

/// A distance between rows, declared: nothing is known of the data yet.
#[derive(Clone, Debug, PartialEq)]
pub struct RowDistance {
    /// The distance between the tuples that rows are, or of their one column.
    pub expression: Expression,
    /// What a missing value means, where the expression does not say.
    pub missing: Missing,
    /// How many foreign keys away rows are compared.
    pub depth: usize,
}

/// A distance between rows, fitted: the columns compared, and all that training had to say.
#[derive(Clone)]
pub struct FittedRow {
    distance: DistanceOn,
    reading: Reading,
}

/// What a model keeps of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRow {
    /// The expression, with every number of training.
    pub expression: String,
    /// The type of the rows.
    #[serde(rename = "type")]
    pub of: Type,
    /// How rows are read: how many foreign keys away they are compared, or as facts.
    #[serde(rename = "depth")]
    pub reading: Reading,
}

impl RowDistance {
    /// How rows are read for it.
    pub fn reading(&self) -> Reading {
        Reading::of(&self.expression, self.depth)
    }

    /// The rows of a view as the tuples that are compared.
    pub fn rows(&self, view: &View) -> Result<Column, Error> {
        self.reading().rows(view)
    }

    /// Resolves the distance against the rows and takes what it needs from them.
    pub fn fit(&self, training: &View, registry: &Registry) -> Result<FittedRow, Error> {
        let declared = self.over(training)?;
        let rows = declared.rows(training)?;
        declared.fit_on(&rows, training.table().name(), registry)
    }

    /// The same distance with the distances that the view's columns state, where the expression
    /// leaves them open.
    pub fn over(&self, view: &View) -> Result<Self, Error> {
        let joins = Registry::known().joins_fields(&self.expression);
        let mut declared = self.clone();
        declared.expression = stating_facts(&self.expression, view)?;
        if joins
            && declared.expression.parts().next().is_none()
            && let Some(parts) = stated(view, self.depth)?
        {
            let parts = parts.into_iter().map(Argument::Part);
            declared.expression.arguments.splice(0..0, parts);
        }
        Ok(declared)
    }

    /// Resolves the distance against rows as tuples.
    pub fn fit_on(
        &self,
        rows: &Column,
        table: &str,
        registry: &Registry,
    ) -> Result<FittedRow, Error> {
        let of = rows.type_of();
        let Type::Tuple(fields) = &of else {
            return Err(Error::TwoTypes {
                first: "tuple".to_owned(),
                second: of.to_string(),
            });
        };
        if fields.is_empty() {
            return Err(Error::NoColumns {
                table: table.to_owned(),
            });
        }
        let mut expression = self.expression.clone();
        let says = |argument: &Argument| matches!(argument, Argument::Setting { name, .. } if name == "missing");
        if self.missing != Missing::default() && !expression.arguments.iter().any(says) {
            expression = expression.word("missing", self.missing.name());
        }
        let place = format!("a row of `{table}`");
        let distance = match registry.distance(&expression, &of, Some(rows), &place) {
            // Rows of one column are compared by the distance of that column.
            Err(Error::WrongType { place: at, .. }) if at == place && fields.len() == 1 => {
                let column = Expression::new("sum").part(expression);
                registry.distance(&column, &of, Some(rows), &place)?
            }
            other => other?,
        };
        Ok(FittedRow {
            distance,
            reading: self.reading(),
        })
    }
}

impl FittedRow {
    /// The distance between rows as tuples.
    pub fn distance(&self) -> &DistanceOn {
        &self.distance
    }

    /// How rows are read for it.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// What it guarantees.
    pub fn laws(&self) -> Laws {
        self.distance.laws()
    }

    /// The names of the fields of a row.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        let fields = match self.distance.of() {
            Type::Tuple(fields) => fields.as_slice(),
            _ => &[],
        };
        fields.iter().filter_map(|field| field.name.as_deref())
    }

    /// The rows of a view as the tuples that are compared. Fails unless it has every column of the
    /// training rows, of the same type; other columns are left out.
    pub fn rows(&self, view: &View) -> Result<Column, Error> {
        fitting(&self.reading.rows(view)?, self.distance.of())
            .map_err(|column| Error::Layout { column })
    }

    /// Binds the distance to rows as tuples.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        self.distance.bind(queries, references)
    }

    /// Binds the distance to rows as tuples, as numbers.
    pub fn bind_real(
        &self,
        queries: &Column,
        references: &Column,
        within: &str,
    ) -> Result<Arc<dyn Pairs<f64>>, Error> {
        self.distance.bind_real(queries, references, within)
    }

    /// What a model keeps.
    pub fn stored(&self) -> StoredRow {
        StoredRow {
            expression: self.distance.expression().to_string(),
            of: self.distance.of().clone(),
            reading: self.reading,
        }
    }

    /// The distance that a model kept.
    pub fn from_stored(stored: &StoredRow, registry: &Registry) -> Result<Self, Error> {
        let expression: Expression = stored.expression.parse()?;
        let distance = registry.distance(&expression, &stored.of, None, "a stored row")?;
        Ok(Self {
            distance,
            reading: stored.reading,
        })
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Database, Table};

    use super::*;

    fn view(sizes: Vec<f64>, colours: Vec<Option<&str>>) -> View {
        let attributes = vec![
            Attribute::new("size", Column::numeric(sizes)),
            Attribute::new("colour", Column::nominal(colours)),
        ];
        let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
        View::new(Arc::new(database), 0)
    }

    fn row(expression: &str, missing: Missing, view: &View, query: usize) -> Vec<f64> {
        let distance = RowDistance {
            expression: expression.parse().unwrap(),
            missing,
            depth: 0,
        };
        let fitted = distance.fit(view, Registry::builtin()).unwrap();
        let again = FittedRow::from_stored(&fitted.stored(), Registry::builtin()).unwrap();
        assert_eq!(again.stored(), fitted.stored());
        let rows = fitted.rows(view).unwrap();
        let fill = |fitted: &FittedRow| {
            let pairs = fitted.bind_real(&rows, &rows, "a test").unwrap();
            let mut out = vec![0.0; view.len()];
            pairs.prepare(query).fill(0..view.len(), &mut out);
            out
        };
        let (out, out_again) = (fill(&fitted), fill(&again));
        assert_eq!(out, out_again);
        out
    }

    #[test]
    fn mixed_rows_join_shares_of_the_range_and_differences() {
        let view = view(vec![0.0, 3.0, 4.0], vec![Some("a"), Some("a"), Some("b")]);
        assert_eq!(
            row("euclidean", Missing::Own, &view, 0),
            [0.0, 0.75, 2f64.sqrt()]
        );
        assert_eq!(row("sum", Missing::Own, &view, 0), [0.0, 0.75, 2.0]);
        assert_eq!(
            row("sum(size: absolute)", Missing::Own, &view, 0),
            [0.0, 3.0, 4.0]
        );
    }

    #[test]
    fn skipped_fields_are_stood_for_by_the_rest() {
        let view = view(vec![0.0, 4.0, f64::NAN], vec![Some("a"), None, None]);
        assert_eq!(row("sum", Missing::Skip, &view, 0), [0.0, 2.0, 2.0]);
    }

    #[test]
    fn missing_labels_by_policy() {
        let view = view(vec![0.0; 3], vec![None, Some("a"), Some("b")]);
        let colour = "sum(colour: discrete)";
        assert_eq!(row(colour, Missing::Own, &view, 0), [0.0, 1.0, 1.0]);
        assert_eq!(row(colour, Missing::Own, &view, 1), [1.0, 0.0, 1.0]);
        assert_eq!(row(colour, Missing::Max, &view, 0), [1.0, 1.0, 1.0]);
        assert_eq!(row(colour, Missing::Skip, &view, 1), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn what_a_column_states_is_its_distance() {
        let attributes = vec![
            Attribute {
                distance: Some("absolute(range=2)".to_owned()),
                ..Attribute::new("size", Column::numeric(vec![0.0, 3.0]))
            },
            Attribute::new("colour", Column::nominal([Some("a"), Some("b")])),
        ];
        let table = Table::new("t", attributes).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        assert_eq!(row("sum", Missing::Own, &view, 0), [0.0, 2.5]);
        assert_eq!(
            row("sum(absolute, discrete)", Missing::Own, &view, 0),
            [0.0, 4.0]
        );
        let broken = Attribute {
            distance: Some("absolut".to_owned()),
            ..Attribute::new("size", Column::numeric(vec![0.0]))
        };
        let table = Table::new("t", vec![broken]).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        let distance = RowDistance {
            expression: Expression::new("sum"),
            missing: Missing::Own,
            depth: 0,
        };
        let error = distance.fit(&view, Registry::builtin()).err().unwrap();
        assert!(
            error.to_string().contains("did you mean `absolute`?"),
            "{error}"
        );
    }

    #[test]
    fn hidden_columns_are_not_compared() {
        let view = view(vec![0.0, 4.0], vec![Some("a"), Some("b")]).hiding(0, 1);
        assert_eq!(row("sum", Missing::Own, &view, 0), [0.0, 1.0]);
        assert_eq!(row("absolute", Missing::Own, &view, 0), [0.0, 4.0]);
    }
}
