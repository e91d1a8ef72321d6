//! `kinwood convert`: data in another form.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::formats::Written;
use kinwood::formats::write::check;
use serde_json::json;

use crate::arguments::{Reading, Roles, Seeing};
use crate::error::{Error, Result};
use crate::loading::load;
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
}

impl Convert {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
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
}
