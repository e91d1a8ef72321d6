//! `kinwood convert`: data in another form.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use kinwood::formats::Written;
use kinwood::formats::write::check;
use kinwood::learners::flatten::{FLATTEN, Flatten, PARAMETERS};
use kinwood::learners::settings::Settings;
use kinwood_values::notice::counted;
use serde_json::json;

use crate::arguments::pairs::setting;
use crate::arguments::{Reading, Roles, Seeing};
use crate::error::{Error, Result};
use crate::loading::{load, load_problem};
use crate::session::Session;
use crate::writing;

/// The arguments of `kinwood convert`.
#[derive(Args, Debug)]
pub struct Convert {
    #[command(flatten)]
    reading: Reading,
    /// The file to write, by its ending (.csv .arff .json .jsonl .parquet .arrow .pl .sqlite), or a
    /// folder
    #[arg(value_name = "OUT", value_hint = ValueHint::AnyPath)]
    out: PathBuf,
    #[command(flatten)]
    roles: Roles,
    /// Write the rows of the target's table with aggregates of linked rows as columns, and what
    /// these are to OUT.catalogue.json
    #[arg(long)]
    flatten: bool,
    /// A setting of --flatten, such as flatten_depth=2; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting, requires = "flatten")]
    settings: Vec<(String, String)>,
}

impl Convert {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if self.flatten {
            return self.flatten(session);
        }
        if self.reading.seeing != Seeing::default() {
            return Err(Error::SeesNothing);
        }
        writing::check_folder(&self.out)?;
        check(&self.out, session.force).map_err(kinwood::Error::from)?;
        let stated = self.roles.stated();
        let data = load(&self.reading, &stated, session)?;
        // Guessed roles are not written, so they need not be told.
        session.note(&data.dataset().notices);
        let choices = kinwood::Choices {
            roles: stated,
            targets: self.roles.targets.clone(),
            rows: self.reading.rows.clone(),
            ..kinwood::Choices::default()
        };
        session.check()?;
        let (Written { files, notices }, decided) =
            kinwood::convert(&data, &choices, &self.out, session.force)?;
        session.note(decided.iter().chain(&notices));
        let files: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        if session.json {
            let notices: Vec<&str> = notices.iter().map(|notice| notice.message()).collect();
            return session.print_json(&json!({
                "data": data.source(),
                "files": files,
                "lost": notices,
            }));
        }
        session.print(&format!("wrote {}\n", files.join(" and ")))
    }

    /// Writes the rows with aggregates.
    fn flatten(&self, session: &mut Session<'_>) -> Result<()> {
        writing::check_folder(&self.out)?;
        check(&self.out, session.force).map_err(kinwood::Error::from)?;
        let mut given = self.settings.clone();
        given.push((FLATTEN.name.to_owned(), "p2".to_owned()));
        let settings =
            Settings::read("convert", &PARAMETERS, &given).map_err(kinwood::Error::from)?;
        let flatten = Flatten::read(&settings).expect("a way to flatten is among the settings");
        let (data, problem) = load_problem(&self.reading, &self.roles, &[], session)?;
        let begun = Instant::now();
        let flat = kinwood::flatten(
            &problem,
            &flatten,
            &self.out,
            session.force,
            &session.context,
        )?;
        session.check()?;
        session.note(
            session
                .context
                .counted()
                .iter()
                .chain(&flat.written.notices),
        );
        let files = flat.written.files.iter();
        let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
        if session.json {
            let notices = flat.written.notices.iter();
            let notices: Vec<&str> = notices.map(|notice| notice.message()).collect();
            return session.print_json(&json!({
                "data": data.source(),
                "files": files,
                "columns": flat.columns,
                "seconds": begun.elapsed().as_secs_f64(),
                "lost": notices,
            }));
        }
        session.print(&format!(
            "wrote {} with {} of linked rows\n",
            files.join(" and "),
            counted(flat.columns, "aggregate"),
        ))
    }
}
