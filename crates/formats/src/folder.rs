//! Folders: each file that holds a table is one, and a `schema.toml` says more about them.

use std::path::{Path, PathBuf};

use kinwood_values::suggest::nearest;
use kinwood_values::{Notice, NoticeKind};

use crate::error::{Error, Result};
use crate::format::{Formats, InFolder, ending_of};
use crate::prolog;
use crate::schema::{Schema, TableSchema};
use crate::source::table_name;

/// The schema of a folder.
pub const SCHEMA_FILE: &str = "schema.toml";

/// A table to be read: from which file, and what is stated about it.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub path: PathBuf,
    /// The file as a schema would name it.
    pub file: String,
    pub schema: Option<&'a TableSchema>,
}

/// What a folder's file of that name is.
fn in_folder(formats: &Formats, file: &str) -> InFolder {
    let lower = file.to_lowercase();
    match lower.starts_with('.') || lower.starts_with("readme") {
        true => InFolder::Other,
        false => formats.in_folder(&ending_of(file)),
    }
}

/// Whether a folder's file of that name is read as a table.
pub(crate) fn holds_a_table(formats: &Formats, file: &str) -> bool {
    in_folder(formats, file) != InFolder::Other
}

/// Whether the files of a folder that could hold tables are all Prolog facts, and no schema names
/// other files.
pub(crate) fn holds_facts_only(
    formats: &Formats,
    folder: &Path,
    schema: Option<&Schema>,
) -> Result<bool> {
    let files = files(folder)?;
    let mut described = schema.iter().flat_map(|schema| &schema.tables);
    Ok(!files.iter().any(|file| holds_a_table(formats, file))
        && files
            .iter()
            .any(|file| prolog::holds_facts(Path::new(file)))
        && described.all(|table| table.file.is_none()))
}

/// The tables of a folder: those of the schema in its order, then the other files by name. `others`
/// says whether files that the schema does not mention are read too.
pub(crate) fn members<'a>(
    formats: &Formats,
    folder: &Path,
    schema: Option<&'a Schema>,
    others: bool,
) -> Result<(Vec<Member<'a>>, Vec<Notice>)> {
    let files = files(folder)?;
    let (mut tables, mut skipped): (Vec<String>, Vec<String>) = files
        .into_iter()
        .partition(|file| holds_a_table(formats, file));
    let named = tables.clone();
    // Beside tables of other kinds, a JSON file is rather a description of them.
    let describes = |file: &String| in_folder(formats, file) == InFolder::TableAlone;
    if !tables.iter().all(describes) {
        skipped.extend(tables.extract_if(.., |file| describes(file)));
        skipped.sort();
    }
    let mut members = Vec::new();
    for described in schema.iter().flat_map(|schema| &schema.tables) {
        let file = match &described.file {
            Some(file) => file.clone(),
            None => named_like(folder, &named, described)?,
        };
        members.push(Member {
            path: folder.join(&file),
            file,
            schema: Some(described),
        });
    }
    let mentioned = |file: &String| members.iter().any(|member| member.file == *file);
    tables.retain(|file| !mentioned(file));
    skipped.retain(|file| !mentioned(file) && file != SCHEMA_FILE);
    let mut notices = Vec::new();
    if others {
        let described = members.len();
        members.extend(tables.into_iter().map(|file| Member {
            path: folder.join(&file),
            file,
            schema: None,
        }));
        if members.is_empty() {
            return Err(Error::Empty {
                file: folder.display().to_string(),
                expected: format!(
                    "expected files that end with .{} (or .gz behind that), or Prolog facts",
                    formats.table_endings().join(", .")
                ),
            });
        }
        if !skipped.is_empty() {
            notices.push(Notice::about(
                NoticeKind::File,
                format!(
                    "files of `{}` that are not read as tables: {}",
                    folder.display(),
                    listed(&skipped)
                ),
            ));
        }
        if described > 0 && described < members.len() {
            let further: Vec<String> = members[described..]
                .iter()
                .map(|member| member.file.clone())
                .collect();
            notices.push(Notice::about(
                NoticeKind::File,
                format!(
                    "files that the schema does not mention are read too: {}",
                    listed(&further)
                ),
            ));
        }
    }
    Ok((members, notices))
}

/// The files of a folder by name, hidden ones left out.
fn files(folder: &Path) -> Result<Vec<String>> {
    let failed = |source| Error::Read {
        path: folder.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() && !name.starts_with('.') {
            files.push(name);
        }
    }
    files.sort();
    Ok(files)
}

/// The file of a table whose schema names none.
fn named_like(folder: &Path, files: &[String], table: &TableSchema) -> Result<String> {
    let names: Vec<String> = files
        .iter()
        .map(|file| table_name(Path::new(file)))
        .collect();
    match names.iter().position(|name| *name == table.name) {
        Some(position) => Ok(files[position].clone()),
        None => Err(Error::Values {
            file: folder.display().to_string(),
            source: kinwood_values::Error::UnknownTable {
                table: table.name.clone(),
                nearest: nearest(&table.name, &names),
                valid: names,
            },
        }),
    }
}

/// A list of file names, cut when it grows long.
fn listed(files: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = files[..files.len().min(SHOWN)].join(", ");
    match files.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
