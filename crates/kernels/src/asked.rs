//! Where kernel values are to come from, as it was asked for: a kernel, or a file.

use kinwood_values::{Column, View};

use super::kernel;
use super::objects::Objects;
use super::settings::{self, GAMMA, GRAM, KERNEL};
use super::source::Source;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::settings::Settings;

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
            file => {
                for other in [KERNEL, GAMMA] {
                    settings::unused(settings, &other, "nothing beside `gram`")?;
                }
                Ok(Asked::File(file.to_owned()))
            }
        }
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
