//! Facts that a schema declares as relational examples: which files they are in, and their dataset.

use std::path::{Path, PathBuf};

use kinwood_values::Notice;

use super::detect::detect;
use crate::allowance::Allowance;
use crate::dataset::{Dataset, FactsRead, Origin};
use crate::draft::{Draft, Part, overrule};
use crate::error::{Error, Result};
use crate::format::{Formats, Stated};
use crate::prolog::{self, with_examples};
use crate::schema::{FactsSchema, Schema};
use crate::source::{Source, table_name};

/// Reads Prolog facts as relational examples, by the `[facts]` of a schema; `file` is the schema's
/// name in messages.
///
/// What the schema states about the tables that come of it, their columns' types, orders of labels,
/// roles and distances, holds too; its keys are those of the facts.
pub fn read_facts(
    sources: &[Source],
    declared: &FactsSchema,
    schema: &Schema,
    file: &str,
) -> Result<Dataset> {
    let (read, understood) = prolog::read_declared(sources, declared, file)?;
    let stated = Stated::Schema(schema, Path::new(file));
    stated.check(&read.tables)?;
    let mut parts = Vec::with_capacity(read.tables.len());
    for table in read.tables {
        let about = stated.about(&table, false);
        let keys = table.foreign_keys.clone();
        let mut read = match about {
            Some(schema) => overrule(table, schema, file)?,
            None => table,
        };
        read.foreign_keys = keys;
        parts.push(Part {
            read,
            format: "Prolog",
            origin: Origin::default(),
            schema: None,
        });
    }
    let mut draft = Draft::new(parts);
    draft.notices = read.notices;
    let mut dataset = draft.assemble(Some(schema), file)?;
    dataset.keys_declared = true;
    dataset.facts = Some(FactsRead {
        declared: declared.clone(),
        understood,
    });
    Ok(dataset)
}

/// Facts of the files that a schema names; without such, of the file that is called like the
/// schema, or of the folder.
pub(super) fn of_schema(
    folder: &Path,
    schema: &Schema,
    declared: &FactsSchema,
    path: &Path,
    allowance: &Allowance,
) -> Result<Dataset> {
    let (sources, told) = match declared.files.is_empty() {
        false => (listed(declared, path, allowance)?, Vec::new()),
        true => match named_like(path) {
            Some(file) => with_examples(Source::open_within(&file, allowance)?, &file)?,
            None => prolog::folder_sources(folder, allowance)?,
        },
    };
    told_with(&sources, told, declared, schema, path)
}

/// Facts of a file, and of those that the schema names beside it.
pub(super) fn of_file(
    (formats, allowance): (&Formats, &Allowance),
    file: &Path,
    schema: &Schema,
    declared: &FactsSchema,
    path: &Path,
) -> Result<Dataset> {
    let source = Source::open_within(file, allowance)?;
    if detect(formats, &source, file)?.name != "Prolog" {
        return Err(Error::NoFacts {
            file: path.display().to_string(),
            found: file.display().to_string(),
        });
    }
    let (mut sources, told) = with_examples(source, file)?;
    for other in listed(declared, path, allowance)? {
        let same = |source: &Source| whole(source.name()) == whole(other.name());
        if !sources.iter().any(same) {
            sources.push(other);
        }
    }
    told_with(&sources, told, declared, schema, path)
}

fn told_with(
    sources: &[Source],
    told: Vec<Notice>,
    declared: &FactsSchema,
    schema: &Schema,
    path: &Path,
) -> Result<Dataset> {
    let mut dataset = read_facts(sources, declared, schema, &path.display().to_string())?;
    dataset.notices.extend(told);
    Ok(dataset)
}

/// The files that a schema names, relative to it.
fn listed(declared: &FactsSchema, schema: &Path, allowance: &Allowance) -> Result<Vec<Source>> {
    let folder = schema.parent().unwrap_or(Path::new(""));
    let open = |file: &String| Source::open_within(&folder.join(file), allowance);
    declared.files.iter().map(open).collect()
}

/// The path from the root on, where there is such a file.
fn whole(name: &str) -> PathBuf {
    std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name))
}

/// The file of facts `NAME.pl` of a schema `NAME.schema.toml`.
fn named_like(schema: &Path) -> Option<PathBuf> {
    let name = table_name(schema);
    let name = name.strip_suffix(".schema")?;
    let files = prolog::ENDINGS
        .iter()
        .map(|ending| schema.with_file_name(format!("{name}.{ending}")));
    files.into_iter().find(|file| file.is_file())
}
