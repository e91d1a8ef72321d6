//! Where kernel values come from: a kernel between rows, or a matrix that was computed before.

use crate::error::KernelError;
use kinwood_learning::facts::Comparison;
use std::sync::Arc;

use kinwood_machines::Dense;
use kinwood_similarity::row::StoredRow;
use kinwood_similarity::{FittedRowKernel, Gram, KernelOn, Registry};
use kinwood_values::{Column, Database, View};
use serde::{Deserialize, Serialize};

use super::gram_file;
use super::inside::{self, Inner};
use super::members::Members;
use super::memory::fits;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::DEEPEST;

/// Where kernel values come from.
#[derive(Clone)]
pub enum Source {
    /// A kernel between rows.
    Rows(FittedRowKernel),
    /// A kernel between the members of bags.
    Members(Members),
    /// A file that holds them.
    File(Given),
}

/// A matrix from a file, over the rows of one table.
#[derive(Clone)]
pub struct Given {
    file: String,
    /// The matrix, and the data whose rows it is of; a model that was written and read has it no
    /// more.
    matrix: Option<(Arc<Dense>, Arc<Database>)>,
}

/// What a model file keeps of a source.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredSource {
    /// The fitted kernel.
    Kernel(StoredRow),
    /// The fitted kernel of rows whose bags are compared by that of their members.
    Members(StoredRow),
    /// The name of the file.
    Gram(String),
}

/// Kernel values between queries and references.
pub enum Bound {
    /// Computed.
    Gram(Arc<dyn Gram>),
    /// Looked up.
    Given {
        /// The matrix of all rows.
        matrix: Arc<Dense>,
        /// The rows asked about.
        queries: Vec<u32>,
        /// The rows they are compared with.
        references: Vec<u32>,
    },
}

impl Bound {
    /// The numbers of queries and of references.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Bound::Gram(gram) => gram.shape(),
            Bound::Given {
                queries,
                references,
                ..
            } => (queries.len(), references.len()),
        }
    }

    /// The values of a query with the references from one on.
    pub fn fill(&self, query: usize, from: usize, out: &mut [f64]) {
        match self {
            Bound::Gram(gram) => gram.prepare(query).fill(from..from + out.len(), out),
            Bound::Given {
                matrix,
                queries,
                references,
            } => {
                let row = matrix.at(queries[query] as usize);
                for (out, &reference) in out.iter_mut().zip(&references[from..]) {
                    *out = row[reference as usize];
                }
            }
        }
    }
}

impl Source {
    /// The matrix of a file, over the rows of the view's table.
    pub fn file(file: &str, view: &View, context: &Context) -> Result<Self> {
        let rows = view.table().rows();
        fits("a Gram matrix", rows, 1, "use `kernel` instead", context)?;
        let entries = gram_file::read(file, rows)?;
        let matrix = Dense::new(rows, entries).map_err(KernelError::from)?;
        Ok(Source::File(Given {
            file: file.to_owned(),
            matrix: Some((Arc::new(matrix), Arc::clone(view.database()))),
        }))
    }

    /// The rows of a view as they are compared: tuples, or places in the matrix.
    pub fn rows(&self, view: &View) -> Result<Column> {
        match self {
            Source::Rows(kernel) => Ok(kernel.rows(view)?),
            Source::Members(members) => Ok(*members.bags(view)?.child),
            Source::File(given) => {
                let known = given.matrix.as_ref();
                if !known.is_some_and(|(_, data)| Arc::ptr_eq(data, view.database())) {
                    return Err(KernelError::GramUnseen {
                        file: given.file.clone(),
                    }
                    .into());
                }
                Ok(Column::numeric(view.rows().map(f64::from).collect()))
            }
        }
    }

    /// Binds the kernel to rows as [`Source::rows`] gives them.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Bound> {
        let given = match self {
            Source::Rows(kernel) => return Ok(Bound::Gram(kernel.bind(queries, references)?)),
            Source::Members(members) => {
                return Ok(Bound::Gram(members.kernel.bind(queries, references)?));
            }
            Source::File(given) => given,
        };
        let Some((matrix, _)) = &given.matrix else {
            return Err(KernelError::GramUnseen {
                file: given.file.clone(),
            }
            .into());
        };
        let places = |rows: &Column| -> Vec<u32> {
            let place = |row: usize| rows.number(row).unwrap_or(0.0) as u32;
            let last = matrix.len() as u32 - 1;
            (0..rows.len()).map(|row| place(row).min(last)).collect()
        };
        Ok(Bound::Given {
            matrix: Arc::clone(matrix),
            queries: places(queries),
            references: places(references),
        })
    }

    /// The kernel, unless there is none.
    fn kernel(&self) -> Option<&KernelOn> {
        match self {
            Source::Rows(rows) => Some(rows.kernel()),
            Source::Members(members) => Some(&members.kernel),
            Source::File(_) => None,
        }
    }

    /// Fails if the kernel of two rows depends on which of them comes first: half a matrix says
    /// nothing of the other half then, and there are no eigenvalues to correct.
    pub fn check_symmetry(&self) -> Result<()> {
        match self.kernel().is_none_or(|kernel| kernel.laws().symmetric) {
            true => Ok(()),
            false => Err(KernelError::AsymmetricKernel {
                kernel: self.name(),
            }
            .into()),
        }
    }

    /// Whether matrices are centred before they are used.
    pub fn needs_centring(&self) -> bool {
        self.kernel().is_some_and(|kernel| kernel.needs_centring())
    }

    /// Whether the matrix of these rows is known to be one of inner products.
    pub fn is_inner_product(&self, rows: &Column) -> bool {
        self.kernel()
            .is_some_and(|kernel| inside::is_inner_product(kernel, rows))
    }

    /// The distance that the kernel is made from, if it is.
    pub fn distance(&self) -> Result<Option<Inner>> {
        self.kernel().map_or(Ok(None), inside::inner)
    }

    /// The kernel as a person reads it.
    pub fn name(&self) -> String {
        match (self, self.kernel()) {
            (Source::File(given), _) => format!("matrix of `{}`", given.file),
            (_, kernel) => {
                kernel.map_or_else(String::new, |kernel| kernel.expression().to_string())
            }
        }
    }

    /// What a stored row is called, given its number among the training rows.
    pub fn called(&self, number: u32) -> String {
        match self {
            Source::Members(_) => format!("a member of row {number}"),
            _ => format!("row {number}"),
        }
    }

    /// What a model file keeps.
    pub fn stored(&self) -> StoredSource {
        match self {
            Source::Rows(kernel) => StoredSource::Kernel(kernel.stored()),
            Source::Members(members) => StoredSource::Members(members.rows.stored()),
            Source::File(given) => StoredSource::Gram(given.file.clone()),
        }
    }

    /// How rows are compared, where a kernel says so.
    pub fn comparison(&self) -> Option<Comparison> {
        match self {
            Source::Rows(kernel) => Some(Comparison::Kernel(kernel.stored().expression)),
            Source::Members(_) | Source::File(_) => None,
        }
    }

    /// What a model file kept, if it can have come from a machine whose rows are of this column's
    /// type.
    pub fn from_stored(
        stored: &StoredSource,
        rows: &Column,
        wrong: &dyn Fn(&str) -> Error,
    ) -> Result<Self> {
        let (stored, of_members) = match stored {
            StoredSource::Gram(file) => {
                if rows.numbers().is_none() {
                    return Err(wrong("rows that are no places in a matrix"));
                }
                return Ok(Source::File(Given {
                    file: file.clone(),
                    matrix: None,
                }));
            }
            StoredSource::Kernel(stored) => (stored, false),
            StoredSource::Members(stored) => (stored, true),
        };
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if stored.reading.deeper_than(DEEPEST) {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        let kernel = FittedRowKernel::from_stored(stored, Registry::known())?;
        let source = match of_members {
            false => Source::Rows(kernel),
            true => Members::new(kernel)?
                .map(Source::Members)
                .ok_or_else(|| wrong("a kernel that is not one of bags"))?,
        };
        match source
            .kernel()
            .is_some_and(|kernel| *kernel.of() == rows.type_of())
        {
            true => Ok(source),
            false => Err(wrong("rows that the kernel does not compare")),
        }
    }
}
