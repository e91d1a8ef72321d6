//! What a drawing shows: tables as boxes of lines, references between lines.

use kinwood_values::keys::count;
use kinwood_values::{Database, Role};

/// The tables and references of a database, ready to be drawn.
pub(super) struct Schema {
    pub tables: Vec<TableBox>,
    pub references: Vec<Reference>,
}

/// A table.
pub(super) struct TableBox {
    pub name: String,
    /// How many rows and columns it has.
    pub size: String,
    /// Whether something in it is to be predicted.
    pub target: bool,
    pub lines: Vec<Line>,
    /// Columns left out.
    pub more: usize,
}

/// A column.
pub(super) struct Line {
    pub name: String,
    pub of: String,
    /// What it is for, unless it is an ordinary input or says so by its key.
    pub role: Option<&'static str>,
    pub key: bool,
    pub foreign: bool,
}

/// A foreign key between lines of boxes.
pub(super) struct Reference {
    pub from: usize,
    pub to: usize,
    /// The lines of the first columns on either side.
    pub from_line: usize,
    pub to_line: usize,
    /// The columns on either side.
    pub from_columns: Vec<String>,
    pub to_columns: Vec<String>,
    /// Whether no row is referred to twice.
    pub one_to_one: bool,
    /// `many to one, 13 to 40 rows each`.
    pub cardinality: String,
}

impl Schema {
    /// The schema of a database with at most so many lines a table, keys and targets first.
    pub fn of(database: &Database, most_lines: usize) -> Self {
        let mut positions: Vec<Vec<usize>> = Vec::new();
        let tables = (0..database.tables().len())
            .map(|table| {
                let shown = shown(database, table, most_lines);
                let drawn = table_box(database, table, &shown);
                positions.push(shown);
                drawn
            })
            .collect();
        // The first column of a key is shown unless there are more keys than lines: then the last
        // line stands for it.
        let line = |table: usize, column: usize| {
            let shown = &positions[table];
            shown
                .binary_search(&column)
                .unwrap_or(shown.len().saturating_sub(1))
        };
        let names = |table: usize, columns: &[usize]| {
            let table = database.table(table);
            columns
                .iter()
                .map(|&column| table.attribute(column).name.clone())
                .collect()
        };
        let references = database
            .foreign_keys()
            .iter()
            .enumerate()
            .filter(|(_, key)| !key.from_columns.is_empty())
            .map(|(position, key)| Reference {
                from: key.from,
                to: key.to,
                from_line: line(key.from, key.from_columns[0]),
                to_line: line(key.to, key.to_columns[0]),
                from_columns: names(key.from, &key.from_columns),
                to_columns: names(key.to, &key.to_columns),
                one_to_one: database.link(position).one_to_one(),
                cardinality: cardinality(database, position),
            })
            .collect();
        Self { tables, references }
    }
}

/// The columns to show, ascending.
fn shown(database: &Database, table: usize, most: usize) -> Vec<usize> {
    let owner = database.table(table);
    let mut columns: Vec<usize> = (0..owner.attributes().len()).collect();
    if columns.len() <= most {
        return columns;
    }
    let refers = |column: usize| {
        let keys = database.foreign_keys().iter();
        keys.into_iter().any(|key| {
            key.from == table && key.from_columns.contains(&column)
                || key.to == table && key.to_columns.contains(&column)
        })
    };
    columns.sort_by_key(|&column| {
        let in_key = owner.key().is_some_and(|key| key.contains(&column)) || refers(column);
        let target = owner.attribute(column).role == Role::Target;
        (!in_key, !target, column)
    });
    columns.truncate(most);
    columns.sort_unstable();
    columns
}

fn table_box(database: &Database, table: usize, shown: &[usize]) -> TableBox {
    let owner = database.table(table);
    let columns = owner.attributes().len();
    let refers = |column: usize| {
        let keys = database.foreign_keys().iter();
        keys.into_iter()
            .any(|key| key.from == table && key.from_columns.contains(&column))
    };
    let lines = shown
        .iter()
        .map(|&column| {
            let attribute = owner.attribute(column);
            let key = owner.key().is_some_and(|key| key.contains(&column));
            let foreign = refers(column);
            let obvious = attribute.role == Role::Id && (key || foreign);
            Line {
                name: attribute.name.clone(),
                of: attribute.type_of().to_string(),
                role: (attribute.role != Role::Input && !obvious).then(|| attribute.role.name()),
                key,
                foreign,
            }
        })
        .collect();
    TableBox {
        name: owner.name().to_owned(),
        size: format!(
            "{}, {}",
            plural(owner.rows(), "row", "rows"),
            plural(columns, "column", "columns")
        ),
        target: owner
            .attributes()
            .iter()
            .any(|attribute| attribute.role == Role::Target),
        lines,
        more: columns - shown.len(),
    }
}

/// How many rows refer to one row, and how many to none.
fn cardinality(database: &Database, position: usize) -> String {
    let key = &database.foreign_keys()[position];
    let (link, from) = (database.link(position), database.table(key.from));
    let counts = (0..database.table(key.to).rows()).map(|row| link.backward(row).len());
    let (least, most) = counts.fold((usize::MAX, 0), |(least, most), rows| {
        (least.min(rows), most.max(rows))
    });
    let mut text = if link.one_to_one() {
        "one to one"
    } else {
        "many to one"
    }
    .to_owned();
    if most > 0 && !(link.one_to_one() && least == 1) {
        let each = if least == most {
            plural(most, "row", "rows")
        } else {
            format!("{} to {}", count(least), plural(most, "row", "rows"))
        };
        text.push_str(&format!(", {each} each"));
    }
    let dangling = link.dangling().map_or(0, |dangling| dangling.rows);
    let nowhere = (0..from.rows())
        .filter(|&row| link.forward(row).is_none())
        .count();
    if nowhere > dangling {
        text.push_str(&format!(", {} without", count(nowhere - dangling)));
    }
    if dangling > 0 {
        text.push_str(&format!(", {} dangling", count(dangling)));
    }
    text
}

fn plural(number: usize, one: &str, several: &str) -> String {
    format!(
        "{} {}",
        count(number),
        if number == 1 { one } else { several }
    )
}
