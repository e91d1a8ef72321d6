//! Prolog facts: each predicate a table, each argument a column.
//!
//! Only facts are data. Rules and directives are passed over and told, except that `:- p(a).`
//! denies the fact `p(a)` where `p` has facts: that is how collections of logical examples write
//! their negatives. Files that end in `.f` and `.n`, as Golem and Progol have them, hold positive
//! and negative examples.
//!
//! Files are read once from beginning to end, by an own tokenizer, into flat columns of symbols;
//! types are inferred when all facts are there. Nothing recurses over terms, so their depth is
//! bounded by memory alone.

mod columns;
mod declared;
mod facts;
mod graph;
mod relation;
mod relations;
mod rules;
pub(crate) mod stated;
mod tables;
mod told;
pub mod write;

use std::path::{Path, PathBuf};

use kinwood_values::{Notice, NoticeKind};

use crate::allowance::Allowance;
use crate::dataset::TableRead;
pub use crate::error::FactsFault;
use crate::error::{Error, Result};
pub use crate::prolog_syntax::pattern::{Argument, ArgumentKind, Flaw, Pattern};
pub use crate::prolog_syntax::print::print;
use crate::schema::{FactsSchema, StatedColumn};
use crate::source::Source;
use facts::Facts;

/// The endings by which a folder's files are known to hold facts, each possibly followed by `.gz`.
pub const ENDINGS: [&str; 6] = ["pl", "pro", "prolog", "b", "f", "n"];

/// The constant that stands for a missing value.
pub const MISSING: &str = "?";

/// A set of facts as read.
#[derive(Clone, Debug)]
pub struct PrologRead {
    /// A table for each predicate, in order of their first facts.
    pub tables: Vec<TableRead>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// What is stated about a predicate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedPredicate {
    /// Its table's name: the predicate's, or `name/arity` where several predicates have one name.
    pub name: String,
    /// Its arguments in order, and behind them the label, if its facts are examples.
    pub columns: Vec<StatedColumn>,
}

/// Reads the facts of all sources as one set.
///
/// - The table of a predicate has its name, or `name/arity` where there are several of one name.
///   Its columns are `a1`, `a2`, …. Repeated facts stay repeated.
/// - Arguments that are all numbers are numeric; all constants (a text in double quotes is one), or
///   constants and numbers, nominal; all lists without open end, of elements of one kind, lists;
///   all else terms. `<[a],[b]>` is the list `[[a],[b]]`. The constant `'?'` is a missing value.
/// - Where there are negatives, or a source's name ends in `.f` or `.n`, a column `class` behind
///   the arguments says `true` or `false`, and its role is target. A fact that is said to be both
///   is an error.
///
/// ```
/// use kinwood_formats::{Source, prolog};
/// let text = "atm(m1, c, 0.25).\nactive(m1).\n:- active(m2).\n";
/// let read = prolog::read(&[Source::from_bytes("muta.pl", text.as_bytes())])?;
/// assert_eq!(read.tables[0].table.name(), "atm");
/// assert_eq!(read.tables[1].table.attribute(1).name, "class");
/// assert_eq!(read.tables[1].table.rows(), 2);
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read(sources: &[Source]) -> Result<PrologRead> {
    read_stated(sources, &[])
}

/// Reads the facts of all sources as one set, with names, types and roles of columns as stated.
///
/// A stated `set` or `bag` is read from a list, a `tuple` from a list or from a name with as many
/// arguments, a `tree` from any term without variables, a `graph` from
/// `graph(directed,[n(a),n(b,label)],[e(a,b)])`.
pub fn read_stated(sources: &[Source], stated: &[StatedPredicate]) -> Result<PrologRead> {
    let facts = Facts::read(sources, None)?;
    let file = named(sources);
    if facts.predicates.is_empty() {
        return Err(Error::Empty {
            file,
            expected: "expected facts such as `atom(m1, c, 0.25).`".to_owned(),
        });
    }
    let tables = tables::tables(&facts, stated, &file)?;
    let mut notices = facts.notices;
    notices.extend(told::several_arities(&facts.predicates, &facts.symbols));
    Ok(PrologRead { tables, notices })
}

/// Reads the facts of all sources as relational examples, by what a schema declares; `file` is the
/// schema's name.
///
/// The first table holds the examples, then comes one for each kind of ID, then one for each
/// predicate that describes; keys lead from arguments to the kinds. What was understood is told in
/// sentences.
///
/// ```
/// use kinwood_formats::{Schema, Source, prolog};
/// let example = "[facts]\nexample = 'less(compound, compound)'\n";
/// let schema = &format!("{example}describe = ['weight(compound, number)']");
/// let schema = Schema::parse(schema, "s")?.facts.unwrap();
/// let text = "weight(a, 1.5). weight(b, 2). less(a, b). :- less(b, a).";
/// let sources = [Source::from_bytes("f.pl", text.as_bytes())];
/// let (read, told) = prolog::read_declared(&sources, &schema, "s")?;
/// let names: Vec<&str> = read.tables.iter().map(|read| read.table.name()).collect();
/// assert_eq!(names, ["less", "compound", "weight"]);
/// assert!(told[0].starts_with("an example is a pair of IDs of `compound`"));
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read_declared(
    sources: &[Source],
    declared: &FactsSchema,
    file: &str,
) -> Result<(PrologRead, Vec<String>)> {
    let example = &declared.example;
    let examples = (example.predicate.as_str(), example.arguments.len());
    let mut facts = Facts::read(sources, Some(examples))?;
    let relations = relations::relations(&mut facts, declared, file)?;
    let mut notices = facts.notices;
    let tables = relations.tables(&named(sources))?;
    let told = told::sentences(&relations);
    notices.extend(relations.notices);
    Ok((PrologRead { tables, notices }, told))
}

/// What several sources are called in messages.
fn named(sources: &[Source]) -> String {
    match sources {
        [] => "no source".to_owned(),
        [source] => source.name().to_owned(),
        [first, others @ ..] => format!("{} and {} more", first.name(), others.len()),
    }
}

/// Reads the facts of a folder: of its files that end in one of [`ENDINGS`], in order of their
/// names.
///
/// Folders inside of it are not looked into; if they hold such files, that is told.
pub fn read_folder(folder: &Path, stated: &[StatedPredicate]) -> Result<PrologRead> {
    read_folder_within(folder, stated, &Allowance::default())
}

/// The same, taking no more than is allowed.
pub(crate) fn read_folder_within(
    folder: &Path,
    stated: &[StatedPredicate],
    allowance: &Allowance,
) -> Result<PrologRead> {
    let (sources, told) = folder_sources(folder, allowance)?;
    let mut read = read_stated(&sources, stated)?;
    read.notices.extend(told);
    Ok(read)
}

/// The files of a folder that hold facts, and what is told of folders inside of it.
pub(crate) fn folder_sources(
    folder: &Path,
    allowance: &Allowance,
) -> Result<(Vec<Source>, Vec<Notice>)> {
    let mut files = Vec::new();
    let mut below = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            if entries(&path)?.iter().any(|path| holds_facts(path)) {
                below.push(path);
            }
        } else if holds_facts(&path) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Error::Empty {
            file: folder.display().to_string(),
            expected: format!("expected files that end in .{}", ENDINGS.join(", .")),
        });
    }
    let sources: Vec<Source> = files
        .iter()
        .map(|path| Source::open_within(path, allowance))
        .collect::<Result<_>>()?;
    let told = below.iter().map(|path| {
        Notice::about(
            NoticeKind::File,
            format!(
                "the folder `{}` holds facts too, and is not read",
                path.display()
            ),
        )
    });
    Ok((sources, told.collect()))
}

/// Examples lie beside the background knowledge `x.b`, in `x.f` and `x.n`.
pub(crate) fn with_examples(source: Source, path: &Path) -> Result<(Vec<Source>, Vec<Notice>)> {
    let mut sources = vec![source];
    let mut notices = Vec::new();
    if path.extension().is_some_and(|ending| ending == "b") {
        for ending in ["f", "n"] {
            let beside: PathBuf = path.with_extension(ending);
            if beside.is_file() {
                notices.push(Notice::about(
                    NoticeKind::File,
                    format!("the examples of `{}` are read too", beside.display()),
                ));
                let beside = Source::open_within(&beside, sources[0].allowance())?;
                sources.push(beside);
            }
        }
    }
    Ok((sources, notices))
}

/// What a folder holds, in order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::Read {
        path: folder.to_owned(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Whether a file's ending says that it holds facts.
pub(crate) fn holds_facts(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    facts::ending(&name).is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests;
