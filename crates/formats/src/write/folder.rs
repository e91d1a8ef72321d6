//! A folder: one CSV file a table, and a schema that says what they are.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use kinwood_values::Database;

use super::Written;
use crate::csv::write as csv;
use crate::error::{Error, Result};
use crate::folder::SCHEMA_FILE;
use crate::schema::Schema;

/// Writes the folder, wholly or not at all.
pub(super) fn write(
    database: &Database,
    mut schema: Schema,
    path: &Path,
    overwrite: bool,
) -> Result<Written> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    let there = standing(path, overwrite)?;
    // `a/` is `a`: what stands behind the last separator is its name.
    let path: PathBuf = path.components().collect();
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // A temporary folder is private by default; the new one gets the rights of any other new
    // folder.
    #[cfg(unix)]
    let rights = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777);
    #[cfg(unix)]
    builder.permissions(rights);
    let temporary = builder.tempdir_in(parent).map_err(failed)?;
    let mut notices = Vec::new();
    let names = file_names(database);
    for ((table, described), name) in database.tables().iter().zip(&mut schema.tables).zip(names) {
        let dialect = csv::Dialect::of(table);
        dialect.state(table, &mut described.options);
        notices.extend(csv::losses(table));
        save(&temporary.path().join(&name), |out| {
            csv::write(out, table, &dialect)
        })
        .map_err(failed)?;
        described.file = Some(name).filter(|name| *name != format!("{}.csv", described.name));
    }
    let text = schema.to_toml();
    save(&temporary.path().join(SCHEMA_FILE), |out| {
        out.write_all(text.as_bytes())
    })
    .map_err(failed)?;
    put(temporary.path(), &path, there).map_err(failed)?;
    // It is not there any more under its temporary name.
    let _ = temporary.keep();
    Ok(Written {
        files: vec![path],
        notices,
    })
}

/// Whether a folder is there that may be replaced: an empty one, or one of tables and their schema
/// only.
pub(super) fn standing(path: &Path, overwrite: bool) -> Result<bool> {
    let exists = || Error::Exists {
        path: path.to_owned(),
    };
    if !path.exists() {
        return Ok(false);
    }
    let read = |source| Error::Read {
        path: path.to_owned(),
        source,
    };
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(read)? {
        entries.push(
            entry
                .map_err(read)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    if entries.is_empty() {
        return Ok(true);
    }
    if !overwrite {
        return Err(exists());
    }
    // Other people's files do not vanish: only what a schema lists was written as one.
    let schema_path = path.join(SCHEMA_FILE);
    let mut known: HashSet<String> = HashSet::from([SCHEMA_FILE.to_owned()]);
    if schema_path.is_file() {
        let schema = Schema::read(&schema_path)?;
        known.extend(
            schema
                .tables
                .into_iter()
                .map(|table| table.file.unwrap_or_else(|| format!("{}.csv", table.name))),
        );
    }
    entries.sort();
    match entries.iter().find(|entry| !known.contains(*entry)) {
        None => Ok(true),
        Some(other) => Err(Error::NotHeld {
            path: path.to_owned(),
            reason: format!(
                "the folder holds `{other}`, which its schema does not list; only a folder of tables is replaced"
            ),
        }),
    }
}

/// Puts the new folder in its place; the old one steps aside until that is done.
fn put(new: &Path, path: &Path, there: bool) -> io::Result<()> {
    if !there {
        return fs::rename(new, path);
    }
    let aside = new.with_extension("old");
    fs::rename(path, &aside)?;
    if let Err(error) = fs::rename(new, path) {
        fs::rename(&aside, path)?;
        return Err(error);
    }
    fs::remove_dir_all(&aside)
}

/// A file's name for each table, such as every system allows, no two alike in lower case.
fn file_names(database: &Database) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |table: &str| {
        let allowed = |c: char| !c.is_control() && !"/\\:*?\"<>|".contains(c);
        let plain: String = table
            .chars()
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        let hidden = plain.is_empty()
            || plain.starts_with('.')
            || plain.trim() != plain
            || plain.to_lowercase().starts_with("readme");
        let plain = if hidden {
            format!("table_{}", plain.trim())
        } else {
            plain
        };
        let numbered = (2u64..).map(|number| format!("{plain}_{number}"));
        std::iter::once(plain.clone())
            .chain(numbered)
            .find(|candidate| taken.insert(candidate.to_lowercase()))
            .expect("there are more numbers than tables")
    };
    let tables = database.tables().iter().map(|table| table.name());
    let names: Vec<String> = tables.map(name).collect();
    names.iter().map(|name| format!("{name}.csv")).collect()
}

fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create_new(path)?);
    write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()
}
