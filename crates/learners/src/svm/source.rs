//! Where kernel values come from: a kernel between rows, or a matrix that was computed before.

use std::sync::Arc;

use kinwood_machines::Dense;
use kinwood_similarity::row::StoredRow;
use kinwood_similarity::{FittedRowKernel, Gram, Registry};
use kinwood_values::{Column, Database, View};
use serde::{Deserialize, Serialize};

use super::gram_file;
use super::kernel::{self, Inner};
use super::objects::Objects;
use super::settings::GRAM;
use crate::error::{Error, Result};
use crate::instance::examples::DEEPEST;
use crate::settings::Settings;

/// Where kernel values come from.
#[derive(Clone)]
pub enum Source {
    /// A kernel between rows.
    Rows(FittedRowKernel),
    /// A file that holds them.
    File(Given),
}

/// A matrix from a file, over the rows of one table.
#[derive(Clone)]
pub struct Given {
    file: String,
    /// The matrix, and the data whose rows it is of; a model that was written and read has it no more.
    matrix: Option<(Arc<Dense>, Arc<Database>)>,
}

/// What a model file keeps of a source.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredSource {
    /// The fitted kernel.
    Kernel(StoredRow),
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
    pub fn file(file: &str, view: &View) -> Result<Self> {
        let rows = view.table().rows();
        let entries = gram_file::read(file, rows)?;
        let matrix = Dense::new(rows, entries)?;
        Ok(Source::File(Given {
            file: file.to_owned(),
            matrix: Some((Arc::new(matrix), Arc::clone(view.database()))),
        }))
    }

    /// The rows of a view as they are compared: tuples, or places in the matrix.
    pub fn rows(&self, view: &View) -> Result<Column> {
        match self {
            Source::Rows(kernel) => Ok(kernel.rows(view)?),
            Source::File(given) => {
                let known = given.matrix.as_ref();
                if !known.is_some_and(|(_, data)| Arc::ptr_eq(data, view.database())) {
                    return Err(Error::GramUnseen {
                        file: given.file.clone(),
                    });
                }
                Ok(Column::numeric(view.rows().map(f64::from).collect()))
            }
        }
    }

    /// Binds the kernel to rows as [`Source::rows`] gives them.
    pub fn bind(&self, queries: &Column, references: &Column) -> Result<Bound> {
        let given = match self {
            Source::Rows(kernel) => return Ok(Bound::Gram(kernel.bind(queries, references)?)),
            Source::File(given) => given,
        };
        let Some((matrix, _)) = &given.matrix else {
            return Err(Error::GramUnseen {
                file: given.file.clone(),
            });
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

    /// Whether matrices are centred before they are used.
    pub fn needs_centring(&self) -> bool {
        match self {
            Source::Rows(fitted) => kernel::needs_centring(&fitted.kernel().expression()),
            Source::File(_) => false,
        }
    }

    /// Whether the matrix of these rows is known to be one of inner products.
    pub fn is_inner_product(&self, rows: &Column) -> bool {
        match self {
            Source::Rows(fitted) => kernel::is_inner_product(fitted, rows),
            Source::File(_) => false,
        }
    }

    /// The distance that the kernel is made from, if it is.
    pub fn distance(&self) -> Result<Option<Inner>> {
        match self {
            Source::Rows(fitted) => kernel::inner(fitted),
            Source::File(_) => Ok(None),
        }
    }

    /// The kernel as a person reads it.
    pub fn name(&self) -> String {
        match self {
            Source::Rows(kernel) => kernel.kernel().expression().to_string(),
            Source::File(given) => format!("matrix of `{}`", given.file),
        }
    }

    /// What a model file keeps.
    pub fn stored(&self) -> StoredSource {
        match self {
            Source::Rows(kernel) => StoredSource::Kernel(kernel.stored()),
            Source::File(given) => StoredSource::Gram(given.file.clone()),
        }
    }

    /// What a model file kept, if it can have come from a machine whose rows are of this column's type.
    pub fn from_stored(
        stored: &StoredSource,
        rows: &Column,
        wrong: &dyn Fn(&str) -> Error,
    ) -> Result<Self> {
        let stored = match stored {
            StoredSource::Gram(file) => {
                if rows.numbers().is_none() {
                    return Err(wrong("rows that are no places in a matrix"));
                }
                return Ok(Source::File(Given {
                    file: file.clone(),
                    matrix: None,
                }));
            }
            StoredSource::Kernel(stored) => stored,
        };
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if stored.reading.deeper_than(DEEPEST) {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        let kernel = FittedRowKernel::from_stored(stored, Registry::builtin())?;
        if rows.type_of() != *kernel.kernel().of() {
            return Err(wrong("rows that the kernel does not compare"));
        }
        Ok(Source::Rows(kernel))
    }
}

/// A kernel or a file of kernel values, as it was asked for.
#[derive(Clone)]
pub enum Asked {
    /// A kernel.
    Kernel(kernel::Declared),
    /// A file.
    File(String),
}

/// What was asked for, with the rows of a task as it compares them.
pub struct Opened {
    /// The rows.
    pub rows: Column,
    kind: Kind,
}

enum Kind {
    Kernel(kernel::Prepared),
    File(Source),
}

impl Asked {
    /// Reads the settings `gram`, `kernel`, `depth` and `gamma`.
    pub fn read(settings: &Settings) -> Result<Self> {
        match settings.text(GRAM.name) {
            "none" => Ok(Asked::Kernel(kernel::Declared::read(settings)?)),
            file => Ok(Asked::File(file.to_owned())),
        }
    }

    /// Fits the kernel to the rows of a view, or reads the file.
    pub fn open(&self, view: &View) -> Result<Opened> {
        match self {
            Asked::Kernel(declared) => {
                let (prepared, rows) = declared.fit(view)?;
                let kind = Kind::Kernel(prepared);
                Ok(Opened { rows, kind })
            }
            Asked::File(file) => {
                let source = Source::file(file, view)?;
                Ok(Opened {
                    rows: source.rows(view)?,
                    kind: Kind::File(source),
                })
            }
        }
    }
}

impl Opened {
    /// The sources to choose from, each with the width of its kernel where it was left open.
    pub fn sources(&self, objects: &Objects) -> Result<Vec<(Source, Option<f64>)>> {
        match &self.kind {
            Kind::File(source) => Ok(vec![(source.clone(), None)]),
            Kind::Kernel(prepared) => {
                let kernels = prepared.kernels(&self.rows, &objects.rows)?;
                let source = |(kernel, gamma)| (Source::Rows(kernel), gamma);
                Ok(kernels.into_iter().map(source).collect())
            }
        }
    }
}
