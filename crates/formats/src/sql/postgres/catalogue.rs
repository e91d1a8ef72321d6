//! What a PostgreSQL database declares: schemas, tables, columns with their types, keys.

use kinwood_values::{Notice, NoticeKind, Remedy};
use postgres::types::{FromSql, Type};
use postgres::{Error, Row, Transaction};

use super::binary::Wire;
use crate::sql::builder::Plan;
use crate::sql::declared::{DeclaredColumn, DeclaredKey, DeclaredTable, Listed};

/// A table or view.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    oid: u32,
    pub schema: String,
    pub name: String,
    pub view: bool,
    /// Whether rows of tables that inherit from it are left to those tables.
    only: bool,
    /// How many rows the server believes there are.
    pub about_rows: i64,
}

impl Relation {
    pub fn listed(&self) -> Listed {
        Listed {
            schema: Some(self.schema.clone()),
            name: self.name.clone(),
            view: self.view,
        }
    }

    /// The name, with its schema where tables come from several.
    pub fn display_name(&self, several: bool) -> String {
        match several {
            true => format!("{}.{}", self.schema, self.name),
            false => self.name.clone(),
        }
    }

    /// The table as a query names it.
    pub fn from(&self) -> String {
        let only = if self.only { "ONLY " } else { "" };
        format!("{only}{}.{}", quoted(&self.schema), quoted(&self.name))
    }
}

/// The schemas that are read.
pub(super) struct Schemas {
    pub chosen: Vec<String>,
    /// The first that was asked for and does not exist.
    pub missing: Option<String>,
    pub valid: Vec<String>,
}

/// Finds the schemas asked for, or those of the search path; and those that names of tables begin
/// with, if they exist.
pub(super) fn schemas(
    transaction: &mut Transaction<'_>,
    asked: &[String],
    by_tables: &[String],
) -> Result<Schemas, Error> {
    let query = "SELECT nspname::text FROM pg_catalog.pg_namespace ORDER BY nspname";
    let rows = transaction.query(query, &[])?;
    let valid: Vec<String> = first_column(&rows)?;
    let mut chosen: Vec<String> = if asked.is_empty() {
        let query = "SELECT pg_catalog.current_schemas(false)::text[]";
        let Members(schemas) = transaction.query_one(query, &[])?.try_get(0)?;
        schemas
    } else {
        asked.to_vec()
    };
    let missing = chosen
        .iter()
        .find(|schema| !valid.contains(schema))
        .cloned();
    let more = by_tables.iter().filter(|schema| valid.contains(schema));
    for schema in more {
        if !chosen.contains(schema) {
            chosen.push(schema.clone());
        }
    }
    Ok(Schemas {
        chosen,
        missing,
        valid,
    })
}

/// The tables and views, and what is to be told about them.
pub(super) struct Found {
    pub relations: Vec<Relation>,
    pub notices: Vec<Notice>,
}

/// The tables and views of these schemas, in their order and by name. A partitioned table is one,
/// its parts are none.
pub(super) fn relations(
    transaction: &mut Transaction<'_>,
    schemas: &[String],
) -> Result<Found, Error> {
    let rows = transaction.query(
        "SELECT c.oid, n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::int8, \
                EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid) \
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname = ANY ($1) \
         ORDER BY pg_catalog.array_position($1, n.nspname::text), c.relname",
        &[&schemas],
    )?;
    let mut notices = Vec::new();
    let relations = rows.iter().map(|row| {
        let kind: String = row.try_get(3)?;
        let relation = Relation {
            oid: row.try_get(0)?,
            schema: row.try_get(1)?,
            name: row.try_get(2)?,
            view: kind == "v" || kind == "m",
            only: kind == "r",
            about_rows: row.try_get(4)?,
        };
        if kind == "r" && row.try_get(5)? {
            notices.push(Notice::about(
                NoticeKind::LeftOut,
                format!(
                    "table `{}` is read without the rows of the tables that inherit from it",
                    relation.name
                ),
            ));
        }
        Ok(relation)
    });
    Ok(Found {
        relations: relations.collect::<Result<_, Error>>()?,
        notices,
    })
}

/// How a column is selected and received.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    /// The column's name, quoted.
    pub name: String,
    declared: String,
    pub expression: String,
    pub wire: Wire,
    /// Whether its type has no form of its own here, so that it is written as text, if it can be.
    pub doubtful: bool,
    /// Why it is left out.
    pub refused: Option<String>,
}

impl Selected {
    /// Reads the column as text if it is nested or binary: as part of a key it will be compared.
    pub fn compare_as_text(&mut self, column: &mut DeclaredColumn) {
        let binary = self.declared == "bytea";
        if binary {
            self.expression = format!("pg_catalog.encode({}, 'hex')", self.name);
            self.refused = None;
        } else if matches!(column.plan, Plan::Json | Plan::List(_)) {
            self.expression = format!("{}::text", self.name);
        } else {
            return;
        }
        self.wire = Wire::Text;
        column.plan = Plan::Text;
    }

    pub fn refuse(&mut self, words: &str) {
        self.refused = Some(format!("cannot be written as text ({words})"));
    }

    /// What is to be told about the column's type.
    pub fn notice(&self, table: &str) -> Option<String> {
        let column = self.name.trim_matches('"').replace("\"\"", "\"");
        let of = format!(
            "column `{column}` of table `{table}` has type `{}`",
            self.declared
        );
        match &self.refused {
            Some(reason) => Some(format!(
                "{of}, which {reason}; it is left out (a view can cast it to another type)"
            )),
            None if self.doubtful => Some(format!(
                "{of}, read as string (a view can cast it to another type)"
            )),
            None => None,
        }
    }
}

/// A table as declared, and how its columns are selected.
pub(super) struct Declaration {
    pub table: DeclaredTable,
    pub selected: Vec<Selected>,
}

/// Columns with the type that a domain stands for, and the type of an array's members likewise.
const COLUMNS: &str = "\
WITH RECURSIVE base(column_number, oid) AS (
    SELECT attnum, atttypid FROM pg_catalog.pg_attribute
    WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped
  UNION ALL
    SELECT b.column_number, t.typbasetype FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
    WHERE t.typtype = 'd'
), member(column_number, oid) AS (
    SELECT b.column_number, t.typelem FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.oid
    WHERE t.typtype <> 'd' AND t.typcategory = 'A' AND t.typelem <> 0
  UNION ALL
    SELECT m.column_number, t.typbasetype FROM member m JOIN pg_catalog.pg_type t ON t.oid = m.oid
    WHERE t.typtype = 'd'
)
SELECT a.attnum, a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
       t.oid, t.typtype::text || t.typcategory::text, e.oid, e.typtype::text || e.typcategory::text
FROM pg_catalog.pg_attribute a
JOIN base b ON b.column_number = a.attnum
JOIN pg_catalog.pg_type t ON t.oid = b.oid AND t.typtype <> 'd'
LEFT JOIN (member m JOIN pg_catalog.pg_type e ON e.oid = m.oid AND e.typtype <> 'd')
    ON m.column_number = a.attnum
WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum";

const KEYS: &str = "\
SELECT c.contype::text, c.conname::text, c.conkey, n.nspname::text, f.relname::text,
       ARRAY(SELECT a.attname::text FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY k(number, place)
             JOIN pg_catalog.pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number
             ORDER BY k.place)
FROM pg_catalog.pg_constraint c
LEFT JOIN pg_catalog.pg_class f ON f.oid = c.confrelid
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = f.relnamespace
WHERE c.conrelid = $1 AND (c.contype = 'p' OR c.contype = 'f' AND c.conparentid = 0)
ORDER BY c.contype, c.conname";

/// The schemas besides these that have a table or view of that name.
pub(super) fn elsewhere(
    transaction: &mut Transaction<'_>,
    name: &str,
    schemas: &[String],
) -> Result<Vec<String>, Error> {
    let rows = transaction.query(
        "SELECT n.nspname::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
         WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition \
           AND pg_catalog.lower(c.relname) = pg_catalog.lower($1) \
           AND n.nspname <> ALL ($2) AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' \
         ORDER BY n.nspname",
        &[&name, &schemas],
    )?;
    first_column(&rows)
}

/// The texts of the first column. What a server sends is converted, never trusted: values of other
/// types than were asked for are an error of the server.
fn first_column(rows: &[Row]) -> Result<Vec<String>, Error> {
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// What is declared about a table, whose names have their schema where tables come from `several`.
pub(super) fn declaration(
    transaction: &mut Transaction<'_>,
    relation: &Relation,
    (several, by_name): (bool, bool),
    notices: &mut Vec<Notice>,
) -> Result<Declaration, Error> {
    let mut numbers: Vec<i16> = Vec::new();
    let mut columns = Vec::new();
    let mut selected = Vec::new();
    for row in transaction.query(COLUMNS, &[&relation.oid])? {
        let name: String = row.try_get(1)?;
        let declared: String = row.try_get(2)?;
        let member: Option<u32> = row.try_get(5)?;
        let form = form(
            transaction,
            (row.try_get(3)?, row.try_get(4)?),
            member.zip(row.try_get(6)?),
        )?;
        numbers.push(row.try_get(0)?);
        let quoted = quoted(&name);
        selected.push(Selected {
            expression: format!("{quoted}{}", form.cast),
            name: quoted,
            declared: declared.clone(),
            wire: form.wire,
            doubtful: form.doubtful,
            refused: form
                .binary
                .then(|| "holds binary values, which are not read".to_owned()),
        });
        columns.push(DeclaredColumn {
            name,
            declared,
            plan: form.plan,
        });
    }
    let position = |number: &i16| numbers.iter().position(|other| other == number);
    let mut table = DeclaredTable {
        name: relation.display_name(several),
        columns,
        key: Vec::new(),
        foreign_keys: Vec::new(),
        view: relation.view,
        by_name,
    };
    for row in transaction.query(KEYS, &[&relation.oid])? {
        let kind: String = row.try_get(0)?;
        let Members::<i16>(stated) = row.try_get(2)?;
        let positions: Vec<usize> = stated.iter().filter_map(position).collect();
        if kind == "p" {
            table.key = positions;
            continue;
        }
        let schema: String = row.try_get(3)?;
        let name: String = row.try_get(1)?;
        let target: String = row.try_get(4)?;
        let Members(to) = row.try_get(5)?;
        if !several && schema != relation.schema {
            let told = Notice::about(
                NoticeKind::Key,
                format!(
                    "foreign key `{name}` of table `{}` refers to table `{schema}.{target}`, which is not read; it is left out",
                    relation.name
                ),
            );
            notices.push(told.with_remedy(Remedy::ReadTable { other_schema: true }));
            continue;
        }
        let names = positions.iter().map(|&p| table.columns[p].name.clone());
        table.foreign_keys.push(DeclaredKey {
            name: Some(name),
            columns: names.collect(),
            table: match several {
                true => format!("{schema}.{target}"),
                false => target,
            },
            to,
        });
    }
    Ok(Declaration { table, selected })
}

/// How values of a type are read.
struct Form {
    plan: Plan,
    wire: Wire,
    /// What stands behind the column in the query.
    cast: &'static str,
    doubtful: bool,
    binary: bool,
}

fn form(
    transaction: &mut Transaction<'_>,
    (oid, kind): (u32, String),
    member: Option<(u32, String)>,
) -> Result<Form, Error> {
    let of = |plan, wire, cast| Form {
        plan,
        wire,
        cast,
        doubtful: false,
        binary: false,
    };
    if let Some((plan, wire, cast)) = scalar(transaction, oid, &kind)? {
        return Ok(of(plan, wire, cast));
    }
    if let Some((member, kind)) = member
        && let Some((plan, wire, cast)) = scalar(transaction, member, &kind)?
        && plan != Plan::Json
    {
        let cast = if cast.is_empty() { "" } else { "::text[]" };
        let plan = Plan::List(Box::new(plan));
        return Ok(of(plan, Wire::Array(Box::new(wire)), cast));
    }
    Ok(Form {
        doubtful: oid != BYTEA,
        binary: oid == BYTEA,
        ..of(Plan::String, Wire::Text, "::text")
    })
}

const BYTEA: u32 = 17;

/// How values of a type that is not nested are read; `None` where the type has no form here. `kind`
/// is the type's kind and category, a letter each.
fn scalar(
    transaction: &mut Transaction<'_>,
    oid: u32,
    kind: &str,
) -> Result<Option<(Plan, Wire, &'static str)>, Error> {
    // PostgreSQL's built-in types have these numbers for good.
    Ok(Some(match oid {
        16 => (Plan::Truth, Wire::Truth, ""),
        20 => (Plan::Number, Wire::Int8, ""),
        21 => (Plan::Number, Wire::Int2, ""),
        23 => (Plan::Number, Wire::Int4, ""),
        26 => (Plan::Number, Wire::Oid, ""),
        700 => (Plan::Number, Wire::Float4, ""),
        701 => (Plan::Number, Wire::Float8, ""),
        1700 => (Plan::Number, Wire::Numeric, ""),
        // name, text, bpchar, varchar
        19 | 25 | 1042 | 1043 => (Plan::Text, Wire::Text, ""),
        // "char"
        18 => (Plan::Text, Wire::Text, "::text"),
        // uuid
        2950 => (Plan::Labels(Vec::new()), Wire::Text, "::text"),
        1082 => (Plan::Date, Wire::Date, ""),
        // without and with time zone: the latter is sent in UTC
        1114 | 1184 => (Plan::Date, Wire::Timestamp, ""),
        // json, jsonb
        114 | 3802 => (Plan::Json, Wire::Text, "::text"),
        // Other kinds of text, as `citext` is.
        _ if kind == "bS" => (Plan::Text, Wire::Text, "::text"),
        _ if kind.starts_with('e') => {
            let query = "SELECT enumlabel::text FROM pg_catalog.pg_enum WHERE enumtypid = $1 ORDER BY enumsortorder";
            let rows = transaction.query(query, &[&oid])?;
            let labels = first_column(&rows)?;
            (Plan::Labels(labels), Wire::Text, "::text")
        }
        _ => return Ok(None),
    }))
}

/// The members of an array of one dimension, of which there are no more than the bytes can hold:
/// the conversion of the library reserves memory for as many as are stated.
struct Members<T>(Vec<T>);

impl<'a, T: FromSql<'a>> FromSql<'a> for Members<T> {
    fn from_sql(
        of: &Type,
        raw: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        let number = |at: usize| {
            let bytes = raw.get(at..at + 4)?;
            bytes.try_into().ok().map(i32::from_be_bytes)
        };
        let stated = match number(0) {
            Some(0) => Some(0),
            Some(1) => number(12).and_then(|stated| usize::try_from(stated).ok()),
            _ => None,
        };
        match stated {
            // Each member has a length of four bytes.
            Some(stated) if stated <= raw.len() / 4 => Vec::from_sql(of, raw).map(Self),
            _ => Err("an array that states more than it holds".into()),
        }
    }

    fn accepts(of: &Type) -> bool {
        <Vec<T> as FromSql>::accepts(of)
    }
}

/// A name as SQL writes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
