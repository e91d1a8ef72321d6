//! Roles that columns have when nobody has said: keys and near-unique names identify rows, they do
//! not describe them.

use hashbrown::HashSet;

use crate::column::{Cells, Column};
use crate::database::Database;
use crate::role::Role;

/// Below this many rows distinct values prove nothing.
const FEWEST_ROWS: usize = 10;
/// A nominal column with at least this share of distinct values names its rows.
const NEAR_UNIQUE: f64 = 0.9;

/// A role chosen for a column, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultRole {
    /// The role.
    pub role: Role,
    /// The evidence, as the end of a sentence.
    pub because: String,
    /// Whether a key says so, which is no guess.
    pub by_key: bool,
}

/// The role a column of a database has when nobody has said; `None` for an ordinary input.
///
/// Columns of primary and foreign keys, nominal columns that are nearly unique, and columns of
/// distinct whole numbers that come first or are named like an identifier are `id`; a column
/// without any value is `ignore`.
pub fn default_role(database: &Database, table: usize, column: usize) -> Option<DefaultRole> {
    let owner = database.table(table);
    let attribute = owner.attribute(column);
    let id = |because: String| {
        Some(DefaultRole {
            role: Role::Id,
            because,
            by_key: true,
        })
    };
    if owner.key().is_some_and(|key| key.contains(&column)) {
        return id("it is in the primary key".to_owned());
    }
    let refers = |key: &&crate::ForeignKey| key.from == table && key.from_columns.contains(&column);
    if let Some(key) = database.foreign_keys().iter().find(refers) {
        return id(format!("it refers to `{}`", database.table(key.to).name()));
    }
    let values = &attribute.column;
    let present = values.len() - values.missing();
    if present == 0 && !values.is_empty() {
        return Some(DefaultRole {
            role: Role::Ignore,
            because: "it has no value in any row".to_owned(),
            by_key: false,
        });
    }
    if present < FEWEST_ROWS {
        return None;
    }
    match values.cells() {
        Cells::Nominal { .. } => {
            let distinct = distinct_codes(values);
            (distinct as f64 >= NEAR_UNIQUE * present as f64).then(|| DefaultRole {
                role: Role::Id,
                because: format!("{distinct} of its {present} values are distinct"),
                by_key: false,
            })
        }
        Cells::Numeric(numbers) if column == 0 || named_like_an_identifier(&attribute.name) => {
            let whole = (0..values.len()).all(|row| {
                !values.is_present(row) || (numbers[row].fract() == 0.0 && numbers[row] >= 0.0)
            });
            let mut seen = HashSet::with_capacity(present);
            let unique = whole
                && (0..values.len())
                    .filter(|&row| values.is_present(row))
                    .all(|row| seen.insert(numbers[row].to_bits()));
            unique.then(|| DefaultRole {
                role: Role::Id,
                because: format!("its {present} whole numbers are all distinct"),
                by_key: false,
            })
        }
        _ => None,
    }
}

/// How many different codes occur in a nominal column.
fn distinct_codes(column: &Column) -> usize {
    let Some((codes, dictionary)) = column.codes() else {
        return 0;
    };
    let mut seen = vec![false; dictionary.len()];
    for (row, &code) in codes.iter().enumerate() {
        if column.is_present(row) {
            seen[code as usize] = true;
        }
    }
    seen.into_iter().filter(|seen| *seen).count()
}

fn named_like_an_identifier(name: &str) -> bool {
    let name = name.to_lowercase();
    let words: Vec<&str> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let last = words.last().copied().unwrap_or_default();
    matches!(
        last,
        "id" | "key" | "no" | "nr" | "number" | "index" | "code" | "rowid"
    ) || name == "row"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Table};

    fn roles(attributes: Vec<Attribute>) -> Vec<Option<Role>> {
        let columns = attributes.len();
        let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
        (0..columns)
            .map(|c| default_role(&database, 0, c).map(|default| default.role))
            .collect()
    }

    #[test]
    fn near_unique_names_and_first_whole_numbers_identify() {
        let names: Vec<String> = (0..20).map(|i| format!("animal {}", i.max(1))).collect();
        let name = Column::nominal(names.iter().map(|n| Some(n.as_str())));
        let numbers = |f: fn(usize) -> f64| Column::numeric((0..20).map(f).collect());
        assert_eq!(
            roles(vec![
                Attribute::new("c1", numbers(|i| (1000 - i) as f64)),
                Attribute::new("animal", name),
                Attribute::new("weight", numbers(|i| i as f64)),
                Attribute::new("sample_no", numbers(|i| i as f64)),
                Attribute::new("share", numbers(|i| i as f64 / 7.0)),
                Attribute::new("nothing", numbers(|_| f64::NAN)),
            ]),
            [
                Some(Role::Id),
                Some(Role::Id),
                None,
                Some(Role::Id),
                None,
                Some(Role::Ignore)
            ]
        );
    }

    #[test]
    fn a_few_rows_prove_nothing() {
        let column = Column::nominal([Some("a"), Some("b"), Some("c")]);
        assert_eq!(roles(vec![Attribute::new("x", column)]), [None]);
    }

    #[test]
    fn measured_numbers_that_come_first_stay_inputs() {
        let column = Column::numeric((0..20).map(|i| i as f64 * 0.37).collect());
        assert_eq!(roles(vec![Attribute::new("length", column)]), [None]);
    }
}
