//! Where kernel values are to come from, as it was asked for: a kernel, or a file.

use kinwood_similarity::Expression;
use kinwood_values::{Column, View};

use super::gamma::Gamma;
use super::kernel;
use super::objects::Objects;
use super::settings::{self, GAMMA, KERNEL};
use super::source::Source;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

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
    /// The file, if there is one, and else the kernel; a file leaves nothing to say about kernels.
    pub fn new(
        gram: Option<&str>,
        kernel: &Expression,
        gammas: Vec<Gamma>,
        depth: usize,
    ) -> Result<Self> {
        let Some(file) = gram else {
            let declared = kernel::Declared::new(kernel.clone(), depth, gammas)?;
            return Ok(Asked::Kernel(declared));
        };
        let unused = "nothing beside `gram`";
        if *kernel != KERNEL.default.parse()? {
            return Err(settings::refused(&KERNEL, &kernel.to_string(), unused));
        }
        if gammas != [Gamma::default()] {
            return Err(settings::refused(
                &GAMMA,
                &settings::listed(&gammas),
                unused,
            ));
        }
        Ok(Asked::File(file.to_owned()))
    }

    /// Fits the kernel to the rows of a view, or reads the file.
    pub fn open(&self, view: &View, context: &Context) -> Result<Opened> {
        match self {
            Asked::Kernel(declared) => {
                let (prepared, rows) = declared.fit(view)?;
                let kind = Kind::Kernel(prepared);
                Ok(Opened { rows, kind })
            }
            Asked::File(file) => {
                let source = Source::file(file, view, context)?;
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
