//! Searches for trees: run, kept, and used again.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kinwood_evaluation::members::distance_over_targets;
use kinwood_learners::drawing::{Drawing, TreeDrawn};
use kinwood_learners::trees::TreeError;
use kinwood_learners::{Context, Error as LearnerError, Model, Predictions, StopReason, TreeFacts};
use kinwood_values::{Notice, View};
use kinwood_workbench::output::key_columns;
use kinwood_workbench::{Error as WorkbenchError, Origin, Problem, Trained};

use crate::error::{Error, Result};
use crate::request::Request;
use crate::session::Session;

/// What a search found.
pub(crate) struct Search {
    /// Its number among those of the connection, from 1.
    pub number: usize,
    /// The trees, with the terms they speak in; nothing where no tree meets the conditions.
    pub trained: Option<Trained>,
    /// The rows that they were grown on.
    pub problem: Arc<Problem>,
    /// By tree, the number by which the connection knows it.
    pub ids: Vec<i64>,
    facts: Vec<OnceLock<TreeFacts>>,
    drawings: Vec<OnceLock<Arc<Drawing>>>,
    predicted: OnceLock<Result<Vec<Predictions>, String>>,
    conformed: OnceLock<Result<View, String>>,
}

/// A tree that was found: one of a search.
#[derive(Clone)]
pub(crate) struct Found {
    /// The search.
    pub search: Arc<Search>,
    /// Its place among the trees.
    pub place: usize,
}

/// All searches of a connection.
#[derive(Default)]
pub(crate) struct Searches {
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    searches: Vec<(Request, Arc<Search>)>,
    /// The trees by what they are, so that one that is found twice has one number.
    known: BTreeMap<[u8; 16], i64>,
    first: Vec<Found>,
    begun: usize,
}

impl Searches {
    /// Forgets all: the data is another.
    pub(crate) fn forget(&self) {
        *self.made.lock().unwrap_or_else(PoisonError::into_inner) = Made::default();
    }

    /// The trees that are known by number.
    pub(crate) fn tree(&self, id: i64) -> Option<Found> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let place = usize::try_from(id).ok()?.checked_sub(1)?;
        made.first.get(place).cloned()
    }

    /// How many trees were found.
    pub(crate) fn count(&self) -> i64 {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.first.len() as i64
    }

    /// The tree that a search of that number found as that one.
    pub(crate) fn found(&self, number: usize, id: i64) -> Option<Found> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let mut searches = made.searches.iter();
        let (_, search) = searches.find(|(_, search)| search.number == number)?;
        let place = search.ids.iter().position(|own| *own == id)?;
        Some(Found {
            search: Arc::clone(search),
            place,
        })
    }

    /// What a request comes to: what was found for it, or for one that is wider and complete, else
    /// a search.
    pub(crate) fn answer(&self, session: &Session, request: &Request) -> Result<Arc<Search>> {
        {
            let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            let usable = |(own, _): &&(Request, Arc<Search>)| own == request || own.covers(request);
            if let Some((_, search)) = made.searches.iter().find(usable) {
                return Ok(Arc::clone(search));
            }
        }
        let problem = session.problem(&request.targets)?;
        let trained = run(session, request, &problem)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.begun += 1;
        let number = made.begun;
        let models = trained.as_ref().map_or(0, members);
        let mut ids = Vec::with_capacity(models);
        let mut fresh = Vec::new();
        for place in 0..models {
            let signature = trained
                .as_ref()
                .map(|trained| signature(trained, place, request));
            let next = made.known.len() as i64 + 1;
            let id = *made
                .known
                .entry(signature.unwrap_or_default())
                .or_insert(next);
            if id == next {
                fresh.push(place);
            }
            ids.push(id);
        }
        let empty = |count: usize| std::iter::repeat_with(OnceLock::new).take(count).collect();
        let search = Arc::new(Search {
            number,
            trained,
            problem,
            facts: std::iter::repeat_with(OnceLock::new).take(models).collect(),
            drawings: empty(models),
            ids,
            predicted: OnceLock::new(),
            conformed: OnceLock::new(),
        });
        made.first.extend(fresh.into_iter().map(|place| Found {
            search: Arc::clone(&search),
            place,
        }));
        made.searches.push((request.clone(), Arc::clone(&search)));
        Ok(search)
    }
}

fn members(trained: &Trained) -> usize {
    trained.model().members().map_or(1, <[_]>::len)
}

fn member(trained: &Trained, place: usize) -> &dyn Model {
    match trained.model().members() {
        Some(members) => &*members[place],
        None => trained.model(),
    }
}

/// What makes a tree the same when it is found again: what it predicts, by what, and its nodes.
fn signature(trained: &Trained, place: usize, request: &Request) -> [u8; 16] {
    use sha2::{Digest, Sha256};
    let json = member(trained, place).to_json();
    let mut hash = Sha256::new();
    for text in [
        request.targets.join(","),
        request.learner.clone(),
        json["targets"].to_string(),
        json["trees"].to_string(),
    ] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    let digest = hash.finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}

/// Runs a search, or finds what it found before beside the data.
fn run(session: &Session, request: &Request, problem: &Problem) -> Result<Option<Trained>> {
    if request.never {
        return Ok(None);
    }
    let context = session.context();
    let key = match session.side.keeps_searches() {
        true => Some(cache_key(request, problem, &context)),
        false => None,
    };
    if let Some(known) = key
        .as_ref()
        .and_then(|key| session.side.search(key, &session.registry))
    {
        return Ok(Some(known));
    }
    let sketch = request
        .completes
        .as_ref()
        .map(|text| sketch(text))
        .transpose()?;
    let file = sketch
        .as_ref()
        .map(|file| file.path().display().to_string());
    let settings = request.settings(file.as_deref());
    let entry = session.registry.find(&request.learner)?;
    if entry
        .parameters
        .iter()
        .all(|parameter| parameter.name != "constraints")
    {
        let found = format!("`{}`", request.learner);
        let expected = "a learner of trees under constraints, such as `tree` or `mirt`";
        return Err(Error::argument("learner", expected, &found));
    }
    let origin = Origin {
        command: "query".to_owned(),
        data: session.data()?.source().to_owned(),
    };
    let fitted = Trained::fit(
        &session.registry,
        &request.learner,
        &settings,
        problem,
        &origin,
        &context,
    );
    let (trained, notices) = match fitted {
        Err(error) => return infeasible(error).map(|()| None),
        Ok(fitted) => fitted,
    };
    notices.into_iter().for_each(|notice| session.note(notice));
    context
        .counted()
        .into_iter()
        .for_each(|notice| session.note(notice));
    let stopped = trained.model().facts().stopped;
    if stopped.is_some_and(StopReason::cut_short) {
        // What a search has found until it is stopped answers no question.
        context.check()?;
        return Err(LearnerError::OutOfTime.into());
    }
    if !request.complete {
        session.note(Notice::new(format!(
            "trees were sought by a beam of {}, which may miss some: `complete = 1` finds all up to a size",
            request.width
        )));
    }
    if let Some(key) = key {
        session.side.keep_search(&key, &trained);
    }
    Ok(Some(trained))
}

/// A partial tree as a file, which learners read.
fn sketch(text: &str) -> Result<tempfile::NamedTempFile> {
    let failed = |error: std::io::Error| Error::Side(error.to_string());
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file)
}

fn cache_key(request: &Request, problem: &Problem, context: &Context) -> String {
    use kinwood_workbench::fingerprint::fingerprint;
    let data = fingerprint(problem.view.database());
    let targets = problem.target_names().join(",");
    let own = Request {
        targets: Vec::new(),
        ..request.clone()
    };
    let (version, seed) = (env!("CARGO_PKG_VERSION"), context.seed());
    format!("{version}\n{data}\n{targets}\n{seed}\n{own:?}")
}

/// No tree meets the conditions: then there are no rows. Anything else is an error.
fn infeasible(error: WorkbenchError) -> Result<()> {
    let WorkbenchError::Learners(learner) = &error else {
        return Err(error.into());
    };
    match learner.own::<TreeError>() {
        Some(TreeError::Infeasible { .. }) => Ok(()),
        Some(TreeError::ConstraintAttribute { name, nearest, .. }) => Err(Error::Argument {
            name: "uses".to_owned(),
            expected: "a column or table that tests may look at".to_owned(),
            found: format!("`{name}`"),
            nearest: nearest.clone(),
        }),
        _ => Err(error.into()),
    }
}

impl Search {
    /// How many trees there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The rows of the problem in the terms of the trees.
    pub(crate) fn conformed(&self) -> Result<&View> {
        let make = || {
            let trained = self.trained.as_ref().ok_or("there is no tree")?;
            let conformed = trained.conform(&self.problem.view);
            conformed
                .map(|(view, _)| view)
                .map_err(|error| error.to_string())
        };
        let conformed = self.conformed.get_or_init(make).as_ref();
        conformed.map_err(|error| Error::Side(error.clone()))
    }

    /// What every tree predicts.
    fn predictions(&self, context: &Context) -> Result<&[Predictions]> {
        let make = || {
            let trained = self.trained.as_ref().ok_or("there is no tree")?;
            let view = self.conformed().map_err(|error| error.to_string())?;
            let each = (1..=self.len()).map(|number| {
                let alone = trained.member(number).map_err(|error| error.to_string())?;
                alone
                    .predict(view, context)
                    .map_err(|error| error.to_string())
            });
            each.collect()
        };
        match self.predicted.get_or_init(make) {
            Ok(predicted) => Ok(predicted),
            Err(error) => Err(Error::Side(error.clone())),
        }
    }
}

impl Found {
    /// Its number.
    pub(crate) fn id(&self) -> i64 {
        self.search.ids[self.place]
    }

    /// The handle by which functions take it.
    pub(crate) fn handle(&self) -> String {
        format!("tree {} of search {}", self.id(), self.search.number)
    }

    /// The tree as a model.
    pub(crate) fn model(&self) -> Result<&dyn Model> {
        Ok(member(self.set()?, self.place))
    }

    fn set(&self) -> Result<&Trained> {
        let none = || Error::Side("there is no tree".to_owned());
        self.search.trained.as_ref().ok_or_else(none)
    }

    /// The tree with the terms it speaks in.
    pub(crate) fn trained(&self) -> Result<Trained> {
        Ok(self.set()?.member(self.place + 1)?)
    }

    /// What it is known to be.
    pub(crate) fn facts(&self) -> Result<&TreeFacts> {
        let facts = &self.search.facts[self.place];
        if let Some(facts) = facts.get() {
            return Ok(facts);
        }
        let model = self.model()?;
        let none = || Error::argument("learner", "a learner of trees", "one of something else");
        let found = model.facts().tree.ok_or_else(none)?;
        Ok(facts.get_or_init(|| found))
    }

    /// Its nodes in words and numbers.
    pub(crate) fn drawing(&self) -> Result<Arc<Drawing>> {
        let drawing = &self.search.drawings[self.place];
        if let Some(drawing) = drawing.get() {
            return Ok(Arc::clone(drawing));
        }
        let none = || Error::argument("learner", "a learner of trees", "one of something else");
        let drawn = Arc::new(self.model()?.drawing().ok_or_else(none)?);
        Ok(Arc::clone(drawing.get_or_init(|| drawn)))
    }

    /// The tree of a drawing, which has one.
    pub(crate) fn drawn(drawing: &Drawing) -> Result<&TreeDrawn> {
        let none = || Error::argument("learner", "a learner of trees", "one of something else");
        drawing.trees.first().ok_or_else(none)
    }

    /// How alike its predictions are to those of the other trees of its search, on average: one
    /// less their distance; 0 where there is no other.
    pub(crate) fn similarity(&self, context: &Context) -> Result<f64> {
        let all = self.search.predictions(context)?;
        let own = &all[self.place];
        let others = all
            .iter()
            .enumerate()
            .filter(|(place, _)| *place != self.place);
        let alike: Vec<f64> = others
            .map(|(_, other)| 1.0 - distance_over_targets(own, other))
            .collect();
        Ok(alike.iter().sum::<f64>() / alike.len().max(1) as f64)
    }

    /// What it predicts of the rows that it was grown on.
    pub(crate) fn predictions(&self, context: &Context) -> Result<&Predictions> {
        Ok(&self.search.predictions(context)?[self.place])
    }

    /// What a row is called by the first column that names rows, else its number from 1.
    pub(crate) fn keys(&self) -> Vec<usize> {
        key_columns(&self.search.problem.view)
    }
}
