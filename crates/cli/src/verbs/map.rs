//! `kinwood map`: a picture of all objects, near ones near each other.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::clusters::place;
use kinwood::components::place_by_kernel;
use kinwood::map_page::{self, Map as Page};
use kinwood::objects::colours;
use kinwood::output::save;
use kinwood::similarity::Expression;
use kinwood_values::notice::counted;
use serde_json::json;

use crate::arguments::{Comparing, Reading, Roles};
use crate::error::{Error, Result};
use crate::loading::load_objects;
use crate::session::Session;

/// The arguments of `kinwood map`.
#[derive(Args, Debug)]
pub struct Map {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    comparing: Comparing,
    /// Place objects by the two leading principal components of this kernel instead of by a
    /// distance, such as "gaussian(euclidean)"
    #[arg(
        long,
        value_name = "EXPR",
        conflicts_with = "distance",
        help_heading = "Distance"
    )]
    kernel: Option<String>,
    /// The file to write, by its ending: a page (.html) or a picture (.svg)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

/// What is written.
#[derive(Clone, Copy)]
enum Form {
    Html,
    Svg,
}

impl Form {
    /// The form that the ending of a file names; without one, a page.
    fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            None | Some("html" | "htm") => Ok(Form::Html),
            Some("svg") => Ok(Form::Svg),
            Some(_) => {
                let reason = std::io::Error::other("expected a file ending with .html or .svg");
                Err(Error::write(path, reason))
            }
        }
    }
}

impl Map {
    /// The kernel; what is wrong with it is told before a large file is read.
    fn kernel(&self) -> Result<Option<Expression>> {
        let kernel = self.kernel.as_deref().map(str::parse::<Expression>);
        Ok(kernel.transpose().map_err(kinwood::Error::from)?)
    }

    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        session.check_output(&self.output, &self.reading.sources())?;
        let form = Form::of(&self.output)?;
        let kernel = self.kernel()?;
        let comparing = match &kernel {
            Some(kernel) => Comparing {
                distance: Some(Expression::new("induced").part(kernel.clone()).to_string()),
                ..self.comparing.clone()
            },
            None => self.comparing.clone(),
        };
        let objects = load_objects(&comparing, &self.reading, &self.roles, session)?;
        let (scaled, measure) = match &kernel {
            Some(kernel) => {
                let depth = usize::from(self.comparing.depth);
                place_by_kernel(&objects, kernel, depth, &session.context)?
            }
            None => {
                let placed = place(&objects, &session.context)?;
                (placed, objects.distance().expression())
            }
        };
        let names: Vec<String> = (0..objects.len()).map(|i| objects.name(i)).collect();
        let lines: Vec<String> = (0..objects.len()).map(|i| objects.describe(i)).collect();
        let classes = colours(&objects);
        let distance = measure.to_string();
        let shown = Page {
            title: &self.reading.name(),
            distance: &distance,
            scaled: &scaled,
            names: &names,
            objects: &lines,
            classes: classes
                .as_ref()
                .map(|(column, labels)| (column.as_str(), labels.as_slice())),
        };
        let page = match form {
            Form::Svg => map_page::svg(&shown).alone(),
            Form::Html => map_page::html(&shown),
        };
        session.check()?;
        save(&self.output, |out| out.write_all(page.as_bytes()))?;
        if session.json {
            return session.print_json(&json!({
                "objects": objects.len(),
                "distance": distance,
                "shown": scaled.shown,
                "file": self.output.display().to_string(),
            }));
        }
        session.print(&format!(
            "{} placed by {distance}; the picture shows {:.0} % of the spread\nwrote {}\n",
            counted(objects.len(), "object"),
            scaled.shown * 100.0,
            self.output.display()
        ))
    }
}
