//! Loading: from what the command line says to data with roles, and from a path to a model.

use std::path::Path;

use kinwood::clus::Run;
use kinwood::container::Error as ContainerError;
use kinwood::objects::{Compared, Objects};
use kinwood::open::allowance;
use kinwood::{Data, Error as LibraryError, Opening, Problem, Purpose, Trained};
use kinwood_values::{Notice, Role, View};

use crate::arguments::{Comparing, Reading, Roles};
use crate::error::{Error, Result};
use crate::session::Session;

/// Reads data to learn from or to look at, and gives its columns their roles.
pub fn load(reading: &Reading, roles: &[(String, Role)], session: &Session<'_>) -> Result<Data> {
    load_for(Purpose::Learn, reading, roles, Vec::new(), session)
}

/// Reads data that is brought into the terms of a model or of other data: no key and no role is
/// guessed.
pub fn load_to_conform(reading: &Reading, session: &Session<'_>) -> Result<Data> {
    load_for(Purpose::Conform, reading, &[], Vec::new(), session)
}

fn load_for(
    purpose: Purpose,
    reading: &Reading,
    roles: &[(String, Role)],
    texts: Vec<String>,
    session: &Session<'_>,
) -> Result<Data> {
    let name = reading.name();
    let running = session.context.progress(&format!("reading {name}"), 0);
    let mut read = reading.stated.options();
    read.allowance = allowance(&session.context);
    read.texts = texts;
    let opening = Opening {
        purpose,
        read,
        roles: roles.to_vec(),
        bag: reading.stated.bag.clone(),
    };
    let open = || kinwood::open(&reading.data, &opening);
    let read = session
        .interrupt
        .while_reading(|| session.context.install(open));
    drop(running);
    // Reading that was stopped says so in the words of all work that is.
    session.check()?;
    let data = read?;
    let needed = data.database().memory() as u64;
    match session.context.memory() {
        Some(allowed) if needed > allowed => Err(Error::Memory {
            data: name,
            needed,
            allowed,
        }),
        _ => Ok(data),
    }
}

/// Reads data and takes the objects to compare from it; tells what was decided.
pub fn load_objects(
    comparing: &Comparing,
    reading: &Reading,
    roles: &Roles,
    session: &mut Session<'_>,
) -> Result<Objects> {
    // What is wrong with the expression itself is told before a large file is read.
    if let Some(distance) = &comparing.distance {
        distance
            .parse::<kinwood::similarity::Expression>()
            .map_err(kinwood::Error::from)?;
    }
    let data = load(reading, &roles.stated(), session)?;
    session.note(data.notices());
    let asked = Compared {
        table: comparing.table.clone(),
        column: comparing.column.clone(),
        distance: comparing.distance.clone(),
        depth: usize::from(comparing.depth),
        targets: roles.targets.clone(),
        rows: reading.rows.clone(),
        time: reading.seeing.choices(),
    };
    let (objects, notices) = Objects::of(&data, &asked)?;
    session.note(&notices);
    session.check()?;
    Ok(objects)
}

/// Reads data to learn from, and tells what was decided about it.
pub fn load_problem(
    reading: &Reading,
    roles: &Roles,
    more_roles: &[(String, Role)],
    session: &mut Session<'_>,
) -> Result<(Data, Problem)> {
    let mut stated = roles.stated();
    stated.extend_from_slice(more_roles);
    let data = load(reading, &stated, session)?;
    let problem = pose(&data, stated, reading, roles, session)?;
    Ok((data, problem))
}

/// Reads the data that a CLUS settings file describes, and tells what was decided about it.
pub fn load_run(
    run: &Run,
    reading: &Reading,
    roles: &Roles,
    session: &mut Session<'_>,
) -> Result<(Data, Problem)> {
    let reading = Reading {
        data: run.data.clone(),
        ..reading.clone()
    };
    let stated = roles.stated();
    let data = run.restate(&load(&reading, &stated, session)?, &stated)?;
    let problem = pose(&data, stated, &reading, roles, session)?;
    Ok((data, problem))
}

fn pose(
    data: &Data,
    stated: Vec<(String, Role)>,
    reading: &Reading,
    roles: &Roles,
    session: &mut Session<'_>,
) -> Result<Problem> {
    let choices = kinwood::Choices {
        roles: stated,
        targets: roles.targets.clone(),
        rows: reading.rows.clone(),
        time: reading.seeing.choices(),
    };
    let outcome = data.problem(&choices);
    session.note(data.notices());
    let (problem, notices) = outcome?;
    session.note(&notices);
    Ok(problem)
}

/// Reads data in a model's terms: the rows that are stated, or else those of the condition that the
/// model was fitted with.
pub fn load_rows(
    reading: &Reading,
    trained: &Trained,
    session: &mut Session<'_>,
) -> Result<(Data, View)> {
    let data = load_for_model(reading, trained, session)?;
    in_terms_of(data, reading, trained, session)
}

/// Reads data in a model's terms: the rows that are stated, or else all of them, whatever the model
/// was fitted with.
pub fn load_all_rows(
    reading: &Reading,
    trained: &Trained,
    session: &mut Session<'_>,
) -> Result<(Data, View)> {
    let data = load_for_model(reading, trained, session)?;
    all_in_terms_of(data, reading, trained, session)
}

fn load_for_model(reading: &Reading, trained: &Trained, session: &mut Session<'_>) -> Result<Data> {
    let texts = trained.notated_columns();
    load_for(Purpose::Conform, reading, &[], texts, session)
}

/// Brings data in a model's terms, with the rows of [`load_rows`], and reports what was decided
/// about it.
pub fn in_terms_of(
    data: Data,
    reading: &Reading,
    trained: &Trained,
    session: &mut Session<'_>,
) -> Result<(Data, View)> {
    let (data, conformed) = all_in_terms_of(data, reading, trained, session)?;
    if reading.rows.is_some() {
        return Ok((data, conformed));
    }
    let (kept, notice) = trained.kept_rows(conformed, data.database())?;
    session.note(&notice);
    Ok((data, kept))
}

fn all_in_terms_of(
    data: Data,
    reading: &Reading,
    trained: &Trained,
    session: &mut Session<'_>,
) -> Result<(Data, View)> {
    let data = trained.arranged(data)?;
    let decided = data.notices();
    session.note(decided);
    let table = trained.table_in(data.database())?;
    let rows = data.view(table, reading.rows.as_deref())?;
    let rows = trained.seen(&rows, &reading.seeing.choices())?;
    let (conformed, notices) = trained.conform(&rows)?;
    // Keys that refer to nothing are found again in the model's terms.
    session.note(
        notices
            .iter()
            .filter(|notice: &&Notice| !decided.contains(notice)),
    );
    Ok((data, conformed))
}

/// Reads a model file; what is wrong with it is told with its name.
pub fn load_model(path: &Path, session: &Session<'_>) -> Result<Trained> {
    Trained::load(path, session.registry).map_err(|error| match error {
        LibraryError::Container(ContainerError::Read { path, source }) => {
            Error::read(&path, source)
        }
        LibraryError::Model { .. } => error.into(),
        _ => Error::Model {
            path: path.to_owned(),
            source: error,
        },
    })
}

/// Reads a model file, and chooses one of a set of models where that is asked.
pub fn load_member(path: &Path, member: Option<usize>, session: &Session<'_>) -> Result<Trained> {
    let mut trained = load_model(path, session)?;
    if let Some(member) = member {
        trained.choose(member)?;
    }
    Ok(trained)
}
