//! The one way in: a path to a file, a folder or a schema gives a dataset.

use std::path::{Path, PathBuf};

use crate::arff;
use crate::assemble::{Part, assemble, overrule};
use crate::csv::{self, CsvOptions, Delimiter, Header};
use crate::dataset::{Dataset, Origin};
use crate::error::{Error, Result};
use crate::folder::{self, SCHEMA_FILE};
use crate::magic;
use crate::schema::{Schema, TableSchema};
use crate::source::{Source, table_name};

/// What is read, for messages that refuse the rest.
const WHAT_IS_READ: &str =
    "what is read: CSV, TSV and other tables of text, ARFF, each also as .gz, and folders of them";

/// Endings of files that hold rows of cells.
const TEXT_ENDINGS: [&str; 9] = [
    "csv", "tsv", "tab", "data", "asc", "dat", "txt", "train", "test",
];

/// Endings of files that are text without being tables, so that nobody learns from them by mistake.
const OTHER_ENDINGS: [(&str, &str); 12] = [
    ("json", "JSON"),
    ("jsonl", "JSON"),
    ("xml", "XML"),
    ("html", "HTML"),
    ("md", "a text document"),
    ("names", "a description of data"),
    ("info", "a description of data"),
    ("toml", "TOML, but no schema"),
    ("yaml", "YAML"),
    ("sql", "SQL"),
    ("pl", "Prolog or Perl"),
    ("py", "Python"),
];

/// What is stated about how to read; it overrules what a schema states, as the command line overrules files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// A schema file, instead of the one beside the data.
    pub schema: Option<PathBuf>,
    /// Whether first rows name columns.
    pub header: Header,
    /// What stands between cells.
    pub delimiter: Option<Delimiter>,
    /// The texts that stand for a missing value.
    pub missing: Option<Vec<String>>,
}

/// Reads a file, a folder of files, a schema and the files it lists, or (`-`) standard input.
///
/// A folder may hold a `schema.toml`; beside a file `iris.csv` may lie an `iris.schema.toml`.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Dataset> {
    if path.is_dir() {
        return read_folder(path, options);
    }
    if is_schema(path) {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let schema = Schema::read(path)?;
        return read_members(folder, Some((&schema, path)), false, options);
    }
    read_file(path, options)
}

fn is_schema(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == SCHEMA_FILE || name.ends_with(".schema.toml")
}

fn read_folder(folder: &Path, options: &ReadOptions) -> Result<Dataset> {
    let beside = folder.join(SCHEMA_FILE);
    let path = options
        .schema
        .clone()
        .or_else(|| beside.is_file().then_some(beside));
    let schema = path.as_deref().map(Schema::read).transpose()?;
    let stated = schema.as_ref().zip(path.as_deref());
    read_members(folder, stated, true, options)
}

fn read_members(
    folder: &Path,
    stated: Option<(&Schema, &Path)>,
    others: bool,
    options: &ReadOptions,
) -> Result<Dataset> {
    let schema = stated.map(|(schema, _)| schema);
    let (members, notices) = folder::members(folder, schema, others)?;
    if let (Some((_, path)), true) = (stated, members.is_empty()) {
        return Err(Error::Empty {
            file: path.display().to_string(),
            expected: "expected tables".to_owned(),
        });
    }
    let mut parts = Vec::with_capacity(members.len());
    for member in members {
        parts.push(read_part(
            &member.path,
            member.file,
            member.schema,
            options,
        )?);
    }
    let file = stated
        .map_or(folder, |(_, path)| path)
        .display()
        .to_string();
    assemble(parts, schema, &file, notices)
}

fn read_file(path: &Path, options: &ReadOptions) -> Result<Dataset> {
    let name = table_name(path);
    let beside = path.with_file_name(format!("{name}.schema.toml"));
    let schema_path = options
        .schema
        .clone()
        .or_else(|| beside.is_file().then_some(beside));
    let schema = schema_path.as_deref().map(Schema::read).transpose()?;
    let file = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let described = match schema.as_ref().map(|schema| schema.tables.as_slice()) {
        None | Some([]) => None,
        Some([only]) => Some(only),
        Some(several) => {
            let about = |table: &&TableSchema| {
                table.name == name || table.file.as_deref() == Some(file.as_str())
            };
            let valid = || several.iter().map(|table| table.name.clone()).collect();
            Some(several.iter().find(about).ok_or_else(|| {
                Error::Values {
                    file: schema_path
                        .clone()
                        .unwrap_or_default()
                        .display()
                        .to_string(),
                    source: kinwood_values::Error::UnknownTable {
                        table: name.clone(),
                        nearest: None,
                        valid: valid(),
                    },
                }
            })?)
        }
    };
    let part = read_part(path, file, described, options)?;
    let named = schema_path.as_deref().unwrap_or(path).display().to_string();
    assemble(vec![part], schema.as_ref(), &named, Vec::new())
}

/// How a file's cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Arff,
    Csv,
    Tsv,
}

fn read_part<'a>(
    path: &Path,
    file: String,
    schema: Option<&'a TableSchema>,
    options: &ReadOptions,
) -> Result<Part<'a>> {
    let source = Source::open(path)?;
    let format = format_of(&source, path)?;
    let mut stated = schema
        .map(|schema| schema.options.clone())
        .unwrap_or_default();
    if options.header != Header::Detect {
        stated.header = options.header;
    }
    stated.delimiter = options.delimiter.or(stated.delimiter);
    stated.missing = options.missing.clone().or(stated.missing);
    let origin = Origin {
        file,
        options: CsvOptions {
            columns: Vec::new(),
            ..stated.clone()
        },
    };
    if format == Format::Tsv {
        stated.delimiter = stated.delimiter.or(Some(Delimiter::Tab));
    }
    let (read, format) = match format {
        Format::Arff => {
            let read = arff::read(&source)?;
            let read = match schema {
                Some(schema) => overrule(read, schema, source.name())?,
                None => read,
            };
            (read, "ARFF")
        }
        Format::Csv => (csv::read(&source, &stated)?, "CSV"),
        Format::Tsv => (csv::read(&source, &stated)?, "TSV"),
    };
    Ok(Part {
        read,
        format,
        origin,
        schema,
    })
}

/// The format of a file: by its ending, then by what stands in it.
fn format_of(source: &Source, path: &Path) -> Result<Format> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    if ending == "arff" {
        return Ok(Format::Arff);
    }
    let start = source.start()?;
    if let Some(what) = magic::name(&start) {
        return Err(unknown(source, &format!("it looks like {what}")));
    }
    if begins_like_arff(&start) {
        return Ok(Format::Arff);
    }
    if matches!(ending, "tsv" | "tab") {
        return Ok(Format::Tsv);
    }
    if TEXT_ENDINGS.contains(&ending) || path == Path::new("-") {
        return Ok(Format::Csv);
    }
    if let Some((_, what)) = OTHER_ENDINGS.iter().find(|(other, _)| *other == ending) {
        return Err(unknown(source, &format!("its ending says {what}")));
    }
    match csv::looks_like_a_table(source) {
        Ok(true) => Ok(Format::Csv),
        Ok(false) => Err(unknown(
            source,
            "no delimiter splits its first lines into equally many cells",
        )),
        Err(Error::Binary { position, byte, .. }) => Err(unknown(
            source,
            &format!("it is no text (byte {position} is {byte:#04x})"),
        )),
        Err(error) => Err(error),
    }
}

fn unknown(source: &Source, because: &str) -> Error {
    Error::UnknownFormat {
        file: source.name().to_owned(),
        reason: format!("{because}; {WHAT_IS_READ}"),
    }
}

/// Whether the first line that is neither blank nor a comment names a relation.
fn begins_like_arff(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim_start);
    lines
        .find(|line| !line.is_empty() && !line.starts_with('%'))
        .and_then(|line| line.get(..9))
        .is_some_and(|word| word.eq_ignore_ascii_case("@relation"))
}
