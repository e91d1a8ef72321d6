//! PostgreSQL databases: everything in one read-only snapshot, rows by binary `COPY`.
//!
//! Rows come in the order of the primary key where there is one: the order in which a server finds
//! them changes with every update, and what is learned must not.

mod binary;
mod catalogue;
mod failure;
mod numeric;
mod tls;
mod url;

use std::io::BufReader;
use std::time::Duration;

use kinwood_values::{Notice, NoticeKind};
use postgres::{Client, IsolationLevel, Transaction};

use super::SqlOptions;
use super::builder::Builder;
use super::catalogue::{Catalogue, choose};
use super::declared::DeclaredTable;
use super::finish::Finished;
use crate::allowance::Allowance;
use crate::draft::Draft;
use crate::error::{Error, Result};
use binary::Rows;
use catalogue::{Found, Relation};
use failure::Trouble;
use url::Target;

/// The most cells that memory is reserved for because the server believes there are so many: what
/// is only promised takes little, and columns grow with what comes.
const FORESEEN: usize = 1 << 22;

/// How long a server may take to answer, unless the URL says otherwise.
const PATIENCE: Duration = Duration::from_secs(15);

pub(super) fn read(url: &str, options: &SqlOptions, allowance: &Allowance) -> Result<Draft> {
    let mut target = Target::parse(url)?;
    if target.config.get_connect_timeout().is_none() {
        target.config.connect_timeout(PATIENCE);
    }
    target.config.application_name("kinwood");
    let connector = tls::connector(&target)?;
    let mut client = target
        .config
        .connect(connector)
        .map_err(|error| failure::connecting(&target, &error))?;
    let reading = Reading {
        target: &target,
        allowance,
    };
    reading.read(&mut client, options)
}

/// The URL without password, if it is one.
pub(super) fn place(url: &str) -> Option<String> {
    Target::parse(url).ok().map(|target| target.place)
}

struct Reading<'a> {
    target: &'a Target,
    allowance: &'a Allowance,
}

impl Reading<'_> {
    fn read(&self, client: &mut Client, options: &SqlOptions) -> Result<Draft> {
        let failed = |error: postgres::Error| self.failed(None, 0, &Trouble::Server(error));
        let mut transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .map_err(failed)?;
        // One order of rows and one spelling of values, whatever the server's settings and load
        // are.
        transaction
            .batch_execute(
                "SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0; \
                 SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'; \
                 SET LOCAL TimeZone = 'UTC'; SET LOCAL extra_float_digits = 1",
            )
            .map_err(failed)?;
        let wanted = wanted_schemas(options);
        let schemas =
            catalogue::schemas(&mut transaction, &options.schemas, &wanted).map_err(failed)?;
        if let Some(missing) = schemas.missing {
            return Err(Error::Database {
                place: self.target.place.clone(),
                table: None,
                reason: format!("there is no schema `{missing}`"),
                hint: kinwood_values::suggest::did_you_mean(&kinwood_values::suggest::nearest(
                    &missing,
                    &schemas.valid,
                )),
            });
        }
        let Found {
            relations,
            mut notices,
        } = catalogue::relations(&mut transaction, &schemas.chosen).map_err(failed)?;
        let listed: Vec<_> = relations.iter().map(Relation::listed).collect();
        let chosen = match choose(&self.target.place, &listed, options) {
            Ok(chosen) => chosen,
            Err(error) => {
                let found = self.elsewhere(&mut transaction, &schemas.chosen, &error)?;
                return Err(found.unwrap_or(error));
            }
        };
        let several = {
            let mut of = chosen.iter().map(|&(table, _)| &relations[table].schema);
            let first = of.next();
            of.any(|schema| Some(schema) != first)
        };
        let (mut tables, mut columns, mut unordered) = (Vec::new(), Vec::new(), Vec::new());
        for &(position, by_name) in &chosen {
            let relation = &relations[position];
            let how = (several, by_name);
            let declared = catalogue::declaration(&mut transaction, relation, how, &mut notices)
                .map_err(failed)?;
            let DeclaredTable {
                key, columns: own, ..
            } = &declared.table;
            if key.is_empty() && !own.is_empty() && !relation.view {
                unordered.push(format!("`{}`", declared.table.name));
            }
            tables.push(declared.table);
            columns.push(declared.selected);
        }
        if !unordered.is_empty() {
            let have = if unordered.len() == 1 { "has" } else { "have" };
            notices.push(Notice::about(NoticeKind::Key, format!(
                "{} {have} no primary key: rows come in the order in which the server finds them, which updates change (a primary key keeps it)",
                unordered.join(", ")
            )));
        }
        let others: Vec<String> = relations
            .iter()
            .map(|relation| relation.display_name(several))
            .collect();
        let mut catalogue = Catalogue::new(&self.target.place, tables, &others, notices);
        for (position, &(relation, _)) in chosen.iter().enumerate() {
            // Keys are compared, so that what is nested or binary is read as text there.
            for column in 0..columns[position].len() {
                if catalogue.is_key(position, column) {
                    let selected = &mut columns[position][column];
                    selected.compare_as_text(&mut catalogue.tables[position].columns[column]);
                }
            }
            self.probe(
                &mut transaction,
                &relations[relation],
                &mut columns[position],
            )?;
        }
        let mut read = Vec::new();
        for (position, &(relation, by_name)) in chosen.iter().enumerate() {
            let source = Source {
                relation: &relations[relation],
                columns: &columns[position],
                by_name,
            };
            read.push(self.read_relation(&mut transaction, &mut catalogue, position, &source)?);
        }
        catalogue.draft("PostgreSQL", read)
    }

    /// That an unknown table is one of schemas that are not read, if it is.
    fn elsewhere(
        &self,
        transaction: &mut Transaction<'_>,
        schemas: &[String],
        error: &Error,
    ) -> Result<Option<Error>> {
        let Error::Values {
            source: kinwood_values::Error::UnknownTable { table, .. },
            ..
        } = error
        else {
            return Ok(None);
        };
        let found = catalogue::elsewhere(transaction, table, schemas)
            .map_err(|error| self.failed(None, 0, &Trouble::Server(error)))?;
        let Some(first) = found.first() else {
            return Ok(None);
        };
        Ok(Some(Error::OtherSchema {
            place: self.target.place.clone(),
            table: table.clone(),
            first: first.clone(),
            schemas: found.join("`, `"),
        }))
    }

    /// Leaves out columns of types without a form of their own that cannot even be written as text.
    fn probe(
        &self,
        transaction: &mut Transaction<'_>,
        relation: &Relation,
        columns: &mut [catalogue::Selected],
    ) -> Result<()> {
        let failed =
            |error: postgres::Error| self.failed(Some(relation), 0, &Trouble::Server(error));
        for column in columns.iter_mut().filter(|column| column.doubtful) {
            let mut attempt = transaction.savepoint("probe").map_err(failed)?;
            let query = format!(
                "SELECT {} FROM {} LIMIT 1",
                column.expression,
                relation.from()
            );
            match attempt.batch_execute(&query) {
                Ok(()) => attempt.commit().map_err(failed)?,
                Err(error) if error.as_db_error().is_some_and(|e| !failure::fatal(e)) => {
                    attempt.rollback().map_err(failed)?;
                    // What the table itself refuses is for the reading of the table to tell.
                    if error.code() != Some(&postgres::error::SqlState::INSUFFICIENT_PRIVILEGE) {
                        column.refuse(&failure::words(&error));
                    }
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    fn read_relation(
        &self,
        transaction: &mut Transaction<'_>,
        catalogue: &mut Catalogue,
        position: usize,
        source: &Source<'_>,
    ) -> Result<Option<Vec<Option<Finished>>>> {
        let name = catalogue.tables[position].name.clone();
        source.tell(&name, &mut catalogue.notices);
        if source.columns.iter().all(|column| column.refused.is_some()) {
            return Ok(Some(source.columns.iter().map(|_| None).collect()));
        }
        let relation = source.relation;
        let query = source.query(&catalogue.tables[position].key);
        let failed = |rows: usize, trouble: &Trouble| self.failed(Some(relation), rows, trouble);
        let mut excuse = None;
        let most = FORESEEN / source.columns.len().max(1);
        let capacity = usize::try_from(relation.about_rows).map_or(0, |rows| rows.min(most));
        let read = catalogue.read_table(position, capacity, |builders| {
            let mut attempt = transaction
                .savepoint("read")
                .map_err(|error| failed(0, &Trouble::Server(error)))?;
            let columns = source.columns;
            match pass(&mut attempt, &query, columns, builders, self.allowance) {
                Ok(rows) => {
                    let committed = attempt.commit();
                    committed.map_err(|error| failed(rows, &Trouble::Server(error)))?;
                    Ok(rows)
                }
                Err((trouble, rows)) => {
                    excuse = trouble.excusable();
                    Err(failed(rows, &trouble))
                }
            }
        });
        match (read, excuse) {
            (Err(_), Some(words)) if relation.view && !source.by_name => {
                catalogue.notices.push(Notice::about(
                    NoticeKind::LeftOut,
                    format!("view `{name}` cannot be read ({words}); it is left out"),
                ));
                Ok(None)
            }
            (read, _) => {
                let mut read = read?;
                for (finished, column) in read.iter_mut().zip(source.columns) {
                    if column.refused.is_some() {
                        *finished = None;
                    }
                }
                Ok(Some(read))
            }
        }
    }

    fn failed(&self, relation: Option<&Relation>, rows: usize, trouble: &Trouble) -> Error {
        let table = relation.map(|relation| relation.display_name(false));
        failure::reading(self.target, table, rows, trouble)
    }
}

/// Schemas that the names of tables state.
fn wanted_schemas(options: &SqlOptions) -> Vec<String> {
    let names = options.tables.iter().flatten();
    names
        .filter_map(|name| name.split_once('.'))
        .map(|(schema, _)| schema.to_owned())
        .collect()
}

/// A table or view, and what is selected of it.
struct Source<'a> {
    relation: &'a Relation,
    columns: &'a [catalogue::Selected],
    by_name: bool,
}

impl Source<'_> {
    fn query(&self, key: &[usize]) -> String {
        let selected: Vec<&str> = self
            .columns
            .iter()
            .filter(|column| column.refused.is_none())
            .map(|column| column.expression.as_str())
            .collect();
        let order: Vec<&str> = key
            .iter()
            .map(|&column| self.columns[column].name.as_str())
            .collect();
        let order = match order.as_slice() {
            [] => String::new(),
            columns => format!(" ORDER BY {}", columns.join(", ")),
        };
        format!(
            "COPY (SELECT {} FROM {}{order}) TO STDOUT (FORMAT binary)",
            selected.join(", "),
            self.relation.from()
        )
    }

    fn tell(&self, table: &str, notices: &mut Vec<Notice>) {
        for column in self.columns {
            if let Some(message) = column.notice(table) {
                notices.push(Notice::new(message));
            }
        }
    }
}

/// One pass over the rows; a failure comes with the number of rows before it.
fn pass(
    transaction: &mut Transaction<'_>,
    query: &str,
    columns: &[catalogue::Selected],
    builders: &mut [Builder],
    allowance: &Allowance,
) -> Result<usize, (Trouble, usize)> {
    let reader = transaction
        .copy_out(query)
        .map_err(|error| (Trouble::Server(error), 0))?;
    let watched = BufReader::new(allowance.watch(reader));
    let mut rows = Rows::begin(watched).map_err(|error| (error.into(), 0))?;
    let selected: Vec<usize> = (0..columns.len())
        .filter(|&column| columns[column].refused.is_none())
        .collect();
    let mut count = 0;
    loop {
        let cells = rows.next_row().map_err(|error| (error.into(), count))?;
        let Some(cells) = cells else { return Ok(count) };
        if cells != selected.len() {
            let reason = format!("a row of {cells} values, expected {}", selected.len());
            return Err((Trouble::Protocol(reason), count));
        }
        for &column in &selected {
            let builder = &mut builders[column];
            rows.next_cell(&columns[column].wire, builder)
                .map_err(|error| (error.into(), count))?;
        }
        count += 1;
    }
}
