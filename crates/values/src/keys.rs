//! Keys that nobody declared, found from names, distinctness and inclusion of values, with the
//! evidence for each.
//!
//! Distinct values alone prove little (any measurement may be distinct), nor does inclusion (the
//! numbers 1 to 5 occur in every table numbered from 1). So each candidate collects evidence that
//! could not arise by chance, and what is independent is combined as such: `1 - (1 - a)(1 - b)`.
//! Only candidates with enough of it are accepted; the others are shown, ranked, for somebody to
//! accept.
//!
//! Order of work: columns that identify rows by themselves; references to them; pairs and triples
//! of columns for tables that have no such column (what refers elsewhere is a likely part of them);
//! references to those.

mod foreign;
mod names;
mod primary;
mod profile;
mod sentence;
mod survey;
#[cfg(test)]
mod tests;

use crate::database::{Database, ForeignKey};
use crate::error::Error;
use crate::notice::{Notice, NoticeKind};
use crate::table::Table;
pub use sentence::count;
use survey::Survey;

/// Columns that perhaps identify the rows of their table.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyCandidate {
    /// The table, by position.
    pub table: usize,
    /// The columns, by position.
    pub columns: Vec<usize>,
    /// How well founded it is, in [0, 1].
    pub score: f64,
    /// Whether it is taken for the primary key.
    pub accepted: bool,
    /// What speaks for and against it, a sentence each.
    pub evidence: Vec<String>,
}

/// Columns whose values perhaps name rows of another table, or of the same.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkCandidate {
    /// The table that refers, by position.
    pub from: usize,
    /// Its columns.
    pub from_columns: Vec<usize>,
    /// The table referred to, by position.
    pub to: usize,
    /// The columns referred to.
    pub to_columns: Vec<usize>,
    /// How well founded it is, in [0, 1].
    pub score: f64,
    /// Whether it is taken for a foreign key.
    pub accepted: bool,
    /// What speaks for and against it, a sentence each.
    pub evidence: Vec<String>,
}

/// The keys found: by table, and within a table those accepted first, then by score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inferred {
    /// Candidates for primary keys, of tables that declare none.
    pub primary: Vec<KeyCandidate>,
    /// Candidates for foreign keys besides the declared ones.
    pub foreign: Vec<LinkCandidate>,
}

/// From this score on a candidate is accepted.
pub const ACCEPTED: f64 = 0.7;
/// Below this score a candidate is not worth showing.
const SHOWN: f64 = 0.3;

/// Finds primary and foreign keys that are not declared.
///
/// ```
/// use kinwood_values::{Attribute, Column, Database, Table, keys};
/// let numbers = |numbers: &[f64]| Column::numeric(numbers.to_vec());
/// let trains = Table::new("trains", vec![Attribute::new("id", numbers(&[1.0, 2.0, 3.0]))])?;
/// let tid = Attribute::new("train_id", numbers(&[1.0, 1.0, 2.0, 3.0]));
/// let cars = Table::new("cars", vec![tid])?;
/// let (database, _) = Database::new(vec![trains, cars], vec![])?;
/// let found = keys::infer(&database);
/// let evidence = "4 of 4 rows of `cars` have their `train_id` in `trains.id`";
/// assert_eq!(found.foreign[0].evidence[0], evidence);
/// let (database, _) = keys::apply(database, &found)?;
/// assert_eq!(database.foreign_keys().len(), 1);
/// # Ok::<(), kinwood_values::Error>(())
/// ```
///
/// Cost: one pass over each column that may be in a key, and a walk along the distinct values of
/// each pair of columns that may refer to one another.
pub fn infer(database: &Database) -> Inferred {
    let survey = Survey::of(database);
    let mut primary: Vec<KeyCandidate> = (0..database.tables().len())
        .flat_map(|table| primary::candidates(&survey, table))
        .collect();
    let mut foreign = foreign::candidates(&survey, &primary);
    primary.extend(primary::composite::candidates(&survey, &primary, &foreign));
    foreign.extend(foreign::composite::candidates(&survey, &primary));
    primary.sort_by(|a, b| {
        let rank = |key: &KeyCandidate| (key.table, !key.accepted);
        let by_score = b.score.total_cmp(&a.score);
        rank(a)
            .cmp(&rank(b))
            .then(by_score)
            .then_with(|| a.columns.cmp(&b.columns))
    });
    foreign.sort_by(|a, b| {
        let rank = |link: &LinkCandidate| (link.from, !link.accepted);
        let place =
            |link: &LinkCandidate| (link.from_columns.clone(), link.to, link.to_columns.clone());
        let by_place = || place(a).cmp(&place(b));
        rank(a)
            .cmp(&rank(b))
            .then(b.score.total_cmp(&a.score))
            .then_with(by_place)
    });
    Inferred { primary, foreign }
}

/// Puts the database together anew with the accepted keys, and tells each of them.
///
/// Declared keys stay. Of several accepted keys of one table the first counts.
pub fn apply(database: Database, found: &Inferred) -> Result<(Database, Vec<Notice>), Error> {
    let (mut tables, mut foreign_keys) = database.into_parts();
    let mut notices = Vec::new();
    for key in found.primary.iter().filter(|key| key.accepted) {
        let table = &mut tables[key.table];
        if table.key().is_none() {
            table.set_key(Some(key.columns.clone()));
            notices.push(Notice::about(
                NoticeKind::InferredKey,
                format!(
                    "{} is taken for the primary key of `{}`: {}",
                    sentence::columns(table, &key.columns),
                    table.name(),
                    key.evidence.join("; "),
                ),
            ));
        }
    }
    for link in found.foreign.iter().filter(|link| link.accepted) {
        let (from, to) = (&tables[link.from], &tables[link.to]);
        notices.push(Notice::about(
            NoticeKind::InferredKey,
            format!(
                "{} of `{}` is taken to refer to `{}`: {}",
                sentence::columns(from, &link.from_columns),
                from.name(),
                to.name(),
                link.evidence.join("; "),
            ),
        ));
        let name = free_name(&foreign_keys, from, &link.from_columns, to);
        foreign_keys.push(ForeignKey {
            name,
            from: link.from,
            from_columns: link.from_columns.clone(),
            to: link.to,
            to_columns: link.to_columns.clone(),
            describes: None,
        });
    }
    let (database, told) = Database::new(tables, foreign_keys)?;
    notices.extend(told);
    Ok((database, notices))
}

/// A name for a foreign key that no other has: `atom_molecule_id`, then longer ones.
fn free_name(taken: &[ForeignKey], from: &Table, columns: &[usize], to: &Table) -> String {
    let columns: Vec<&str> = columns
        .iter()
        .map(|&column| from.attribute(column).name.as_str())
        .collect();
    let plain = format!("{}_{}", from.name(), columns.join("_"));
    let longer = format!("{plain}_{}", to.name());
    let numbered = (2..).map(|count| format!("{longer}_{count}"));
    [plain, longer.clone()]
        .into_iter()
        .chain(numbered)
        .find(|name| taken.iter().all(|key| key.name != *name))
        .expect("there are more names than keys")
}

/// Joins evidence that is independent: how sure one is when either would do.
fn either(evidence: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - evidence.into_iter().map(|sure| 1.0 - sure).product::<f64>()
}
