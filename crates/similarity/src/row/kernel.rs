//! Kernels between whole rows: the twin of [`RowDistance`](super::RowDistance), declared, fitted on
//! training rows, kept in models as text.

use std::sync::Arc;

use kinwood_values::{Column, Type, View};

use super::StoredRow;
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::KernelOn;
use crate::registry::Registry;
use crate::rows::{Reading, fitting, stating_facts};

/// A kernel between rows, declared: nothing is known of the data yet.
#[derive(Clone, Debug, PartialEq)]
pub struct RowKernel {
    /// The kernel of the tuples that rows are, or of their one column.
    pub expression: Expression,
    /// How many foreign keys away rows are compared.
    pub depth: usize,
}

/// A kernel between rows, fitted: the columns compared, and all that training had to say.
#[derive(Clone)]
pub struct FittedRowKernel {
    kernel: KernelOn,
    reading: Reading,
}

impl RowKernel {
    /// Resolves the kernel against the rows of a view and takes what it needs from them; also gives
    /// the rows.
    pub fn fit(
        &self,
        training: &View,
        registry: &Registry,
    ) -> Result<(FittedRowKernel, Column), Error> {
        let expression = stating_facts(&self.expression, training)?;
        let reading = Reading::of(&expression, self.depth);
        let rows = reading.rows(training)?;
        let table = training.table().name();
        let of = rows.type_of();
        let fields = match &of {
            Type::Tuple(fields) => fields.len(),
            _ => 0,
        };
        if fields == 0 {
            return Err(Error::NoColumns {
                table: table.to_owned(),
            });
        }
        let place = format!("a row of `{table}`");
        let kernel = match registry.kernel(&expression, &of, Some(&rows), &place) {
            // Rows of one column are compared by the kernel of that column.
            Err(Error::WrongType { place: at, .. }) if at == place && fields == 1 => {
                let column = Expression::new("add").part(expression);
                registry.kernel(&column, &of, Some(&rows), &place)?
            }
            other => other?,
        };
        Ok((FittedRowKernel { kernel, reading }, rows))
    }
}

impl FittedRowKernel {
    /// The kernel of rows as tuples.
    pub fn kernel(&self) -> &KernelOn {
        &self.kernel
    }

    /// How rows are read for it.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// What it guarantees.
    pub fn laws(&self) -> KernelLaws {
        self.kernel.laws()
    }

    /// The rows of a view as the tuples that are compared. Fails unless it has every column of the
    /// training rows, of the same type; other columns are left out.
    pub fn rows(&self, view: &View) -> Result<Column, Error> {
        fitting(&self.reading.rows(view)?, self.kernel.of())
            .map_err(|column| Error::Layout { column })
    }

    /// Binds the kernel to rows as tuples.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        self.kernel.bind(queries, references)
    }

    /// What a model keeps.
    pub fn stored(&self) -> StoredRow {
        StoredRow {
            expression: self.kernel.expression().to_string(),
            of: self.kernel.of().clone(),
            reading: self.reading,
        }
    }

    /// The kernel that a model kept.
    pub fn from_stored(stored: &StoredRow, registry: &Registry) -> Result<Self, Error> {
        let expression: Expression = stored.expression.parse()?;
        let kernel = registry.kernel(&expression, &stored.of, None, "a stored row")?;
        Ok(Self {
            kernel,
            reading: stored.reading,
        })
    }
}
