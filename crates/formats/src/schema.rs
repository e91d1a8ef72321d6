//! `schema.toml`: what somebody states about tables, in a file to write by hand or to edit.
//!
//! Everything in it is optional; what it states overrules what would be decided from the data. [`Schema::of`]
//! makes one of data that were read, which reads them the same way again.

mod parse;
mod print;

use std::path::Path;

use kinwood_values::{Cells, Column, Role, Type};

use crate::csv::{CsvOptions, StatedColumn};
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::prolog::Pattern;
use crate::source::Source;

/// What is stated about a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// What is to be predicted: `table.column`, or `column` alone when there is one table.
    pub targets: Vec<String>,
    /// Whether the keys stated are all there are, so that none is looked for.
    pub keys_declared: bool,
    /// What is stated about tables, in the order of the file.
    pub tables: Vec<TableSchema>,
    /// What is declared about Prolog facts.
    pub facts: Option<FactsSchema>,
}

/// What is declared about Prolog facts: which are examples, which describe them, and by which arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct FactsSchema {
    /// The files, relative to the schema; those that are read anyway if empty.
    pub files: Vec<String>,
    /// The predicate of the examples.
    pub example: Pattern,
    /// The predicates that describe.
    pub describe: Vec<Pattern>,
    /// Rules of one condition that make facts of facts, in the order in which they are applied.
    pub rules: Vec<String>,
    /// Whether examples may have IDs that no fact describes.
    pub allows_undescribed: bool,
}

/// What is stated about a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableSchema {
    /// The table's name.
    pub name: String,
    /// The file to read it from, relative to the schema; else the one named like the table.
    pub file: Option<String>,
    /// The columns of the primary key.
    pub key: Vec<String>,
    /// How the file is to be read, and what is stated about its columns.
    pub options: CsvOptions,
    /// References to other tables.
    pub foreign_keys: Vec<ForeignKeySchema>,
    /// Why each column has its type: written as comments, never read.
    pub evidence: Vec<String>,
}

/// What is stated about a foreign key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignKeySchema {
    /// The columns that refer.
    pub columns: Vec<String>,
    /// The table referred to.
    pub references: String,
    /// The columns referred to; the other table's key if empty.
    pub to: Vec<String>,
    /// What it is called; made from table and columns if absent.
    pub name: Option<String>,
    /// Whether the rows that refer describe what they refer to, or only mention it.
    pub describes: Option<bool>,
}

impl Schema {
    /// Reads a schema file.
    pub fn read(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        let text = String::from_utf8(source.read_text()?).map_err(|error| Error::Binary {
            file: source.name().to_owned(),
            position: error.utf8_error().valid_up_to() as u64 + 1,
            byte: error.as_bytes()[error.utf8_error().valid_up_to()],
            hint: "; a schema is UTF-8 text".to_owned(),
        })?;
        Self::parse(&text, source.name())
    }

    /// Reads a schema; `file` is its name in messages.
    ///
    /// ```
    /// use kinwood_formats::Schema;
    /// let text = "target = 'class'\n[tables.iris.columns]\nclass = 'nominal'\n";
    /// let schema = Schema::parse(text, "iris.schema.toml")?;
    /// assert_eq!(schema.tables[0].name, "iris");
    /// # Ok::<(), kinwood_formats::Error>(())
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        parse::schema(text, file)
    }

    /// The text of a schema file, with the evidence as comments.
    pub fn to_toml(&self) -> String {
        print::schema(self)
    }

    /// Everything that is known about a dataset, as a schema that reads it the same way again.
    pub fn of(dataset: &Dataset) -> Self {
        let database = &dataset.database;
        let single = database.tables().len() == 1;
        let column_name = |&(table, column): &(usize, usize)| {
            let table = database.table(table);
            let column = &table.attribute(column).name;
            if single {
                column.clone()
            } else {
                format!("{}.{column}", table.name())
            }
        };
        let mut tables: Vec<TableSchema> = (0..database.tables().len())
            .map(|table| table_of(dataset, table))
            .collect();
        if dataset.facts.is_some() {
            // Patterns say what refers to what.
            for table in &mut tables {
                table.key.clear();
                table.foreign_keys.clear();
            }
        }
        Self {
            targets: dataset.targets.iter().map(column_name).collect(),
            keys_declared: dataset.keys_declared && dataset.facts.is_none(),
            tables,
            facts: dataset.facts.as_ref().map(|read| read.declared.clone()),
        }
    }

    /// What is stated about the table of that name.
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|table| table.name == name)
    }
}

fn table_of(dataset: &Dataset, position: usize) -> TableSchema {
    let database = &dataset.database;
    let table = database.table(position);
    let names = |columns: &[usize]| -> Vec<String> {
        let name = |&column: &usize| table.attribute(column).name.clone();
        columns.iter().map(name).collect()
    };
    let columns = table
        .attributes()
        .iter()
        .enumerate()
        .map(|(column, attribute)| {
            let here = (position, column);
            let is_target = dataset.targets.contains(&here);
            let stated = dataset.stated_roles.contains(&here) || attribute.role != Role::Input;
            StatedColumn {
                name: attribute.name.clone(),
                of: Some(attribute.type_of()),
                role: Some(attribute.role).filter(|_| stated && !is_target),
                values: labels_to_state(&attribute.column),
                hierarchy: attribute.hierarchy,
                distance: attribute.distance.clone(),
            }
        });
    let origin = dataset.origins.get(position).cloned().unwrap_or_default();
    let foreign_keys = database
        .foreign_keys()
        .iter()
        .filter(|key| key.from == position);
    TableSchema {
        name: table.name().to_owned(),
        file: Some(origin.file)
            .filter(|file| !file.is_empty() && !found_by_name(file, table.name())),
        key: table.key().map(names).unwrap_or_default(),
        options: CsvOptions {
            columns: columns.collect(),
            ..origin.options
        },
        foreign_keys: foreign_keys
            .map(|key| ForeignKeySchema {
                columns: names(&key.from_columns),
                references: database.table(key.to).name().to_owned(),
                to: key
                    .to_columns
                    .iter()
                    .map(|&column| database.table(key.to).attribute(column).name.clone())
                    .collect(),
                name: Some(key.name.clone()),
                describes: key.describes,
            })
            .collect(),
        evidence: dataset.evidence.get(position).cloned().unwrap_or_default(),
    }
}

/// Whether a table without stated file would be read from this one.
fn found_by_name(file: &str, table: &str) -> bool {
    let path = Path::new(file);
    path.parent()
        .is_none_or(|folder| folder.as_os_str().is_empty())
        && crate::folder::holds_a_table(file)
        && crate::source::table_name(path) == table
}

/// The labels of a nominal column, where reading it again would not find them in this order.
fn labels_to_state(column: &Column) -> Option<Vec<String>> {
    let Cells::Nominal { codes, dictionary } = column.cells() else {
        return None;
    };
    let mut expected = 0;
    for (row, &code) in codes.iter().enumerate() {
        if column.is_present(row) {
            if code > expected {
                break;
            }
            expected += u32::from(code == expected);
        }
    }
    (expected as usize != dictionary.len())
        .then(|| dictionary.labels().map(str::to_owned).collect())
}

impl TableSchema {
    /// What is stated about the column of that name.
    pub fn column(&self, name: &str) -> Option<&StatedColumn> {
        self.options
            .columns
            .iter()
            .find(|column| column.name == name)
    }
}

impl StatedColumn {
    /// The stated type; stated values make a column nominal.
    pub fn type_of(&self) -> Option<Type> {
        self.of
            .clone()
            .or_else(|| self.values.as_ref().map(|_| Type::Nominal))
    }
}
