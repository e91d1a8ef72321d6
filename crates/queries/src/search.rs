//! Searches for trees: run, kept, and used again.

use std::collections::{BTreeMap, BTreeSet};
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
    /// The rows that trees were grown on.
    pub problem: Arc<Problem>,
    /// By tree, the number by which the connection knows it.
    pub ids: Vec<i64>,
    whole: Arc<Whole>,
    /// By tree, its place in what was found: some are left out where a wider search was made
    /// before.
    places: Vec<usize>,
}

/// What was fitted at once, and what is known of it.
struct Whole {
    /// The trees, with the terms they speak in; nothing where no tree meets the conditions.
    trained: Option<Trained>,
    facts: Vec<OnceLock<TreeFacts>>,
    drawings: Vec<OnceLock<Arc<Drawing>>>,
    predicted: Vec<OnceLock<Result<Predictions, String>>>,
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

    /// What a request comes to: what was found for it, or the part that meets it of what was found
    /// for one that is wider and complete, else a search.
    pub(crate) fn answer(&self, session: &Session, request: &Request) -> Result<Arc<Search>> {
        if !request.complete && !request.never {
            session.note(Notice::new(format!(
                "trees were sought by a beam of {}, which may miss some: `complete = 1` finds all up to a size",
                request.width
            )));
        }
        let (same, wider) = self.before(request);
        if let Some(search) = same {
            return Ok(search);
        }
        let problem = session.problem(&request.targets)?;
        let kept = Kept::new(session, request, &problem);
        let wider = match wider {
            None => kept.wider(session, request),
            some => some,
        };
        let Some((own, whole)) = wider else {
            let trained = run(session, request, &problem, &kept)?;
            return Ok(self.take(request, &problem, Arc::new(Whole::new(trained)), None));
        };
        let mut places = Vec::new();
        let mut known = BTreeSet::new();
        for place in 0..whole.len() {
            let facts = whole.facts(place)?;
            known.extend(facts.uses.iter());
            if request.holds(facts) {
                places.push(place);
            }
        }
        // A name that no tree uses may be one that nothing has.
        if request.names().any(|name| !known.contains(name)) {
            let least = Request {
                size: Some(1),
                ..request.clone()
            };
            run(session, &least, &problem, &Kept::default())?;
        }
        session.note(Notice::new(format!(
            "answered from an earlier search for all trees{}",
            own.bounds()
        )));
        Ok(self.take(request, &problem, whole, Some(places)))
    }

    /// What was found for a request, or for one that is wider and complete.
    #[expect(clippy::type_complexity)]
    fn before(&self, request: &Request) -> (Option<Arc<Search>>, Option<(Request, Arc<Whole>)>) {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let mut searches = made.searches.iter();
        if let Some((_, search)) = searches.find(|(own, _)| own == request) {
            return (Some(Arc::clone(search)), None);
        }
        let mut searches = made.searches.iter();
        let wider = searches.find(|(own, search)| search.is_whole() && own.covers(request));
        let wider = wider.map(|(own, search)| (own.clone(), Arc::clone(&search.whole)));
        (None, wider)
    }

    /// Takes what was found for a request: all of it, or some places.
    fn take(
        &self,
        request: &Request,
        problem: &Arc<Problem>,
        whole: Arc<Whole>,
        places: Option<Vec<usize>>,
    ) -> Arc<Search> {
        let places = places.unwrap_or_else(|| (0..whole.len()).collect());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.begun += 1;
        let number = made.begun;
        let mut ids = Vec::with_capacity(places.len());
        let mut fresh = Vec::new();
        for (own, &place) in places.iter().enumerate() {
            let signature = whole.trained.as_ref();
            let signature = signature.map(|trained| signature_of(trained, place, request));
            let next = made.known.len() as i64 + 1;
            let id = *made
                .known
                .entry(signature.unwrap_or_default())
                .or_insert(next);
            if id == next {
                fresh.push(own);
            }
            ids.push(id);
        }
        let search = Arc::new(Search {
            number,
            problem: Arc::clone(problem),
            ids,
            whole,
            places,
        });
        made.first.extend(fresh.into_iter().map(|place| Found {
            search: Arc::clone(&search),
            place,
        }));
        made.searches.push((request.clone(), Arc::clone(&search)));
        search
    }
}

/// What is kept beside the data of searches for a request.
#[derive(Default)]
struct Kept {
    /// The key of what the request itself finds; nothing where searches are not kept.
    key: Option<String>,
    /// The key of all complete searches that differ from it in their bounds alone.
    family: String,
}

impl Kept {
    fn new(session: &Session, request: &Request, problem: &Problem) -> Self {
        if !session.side.keeps_searches() {
            return Self::default();
        }
        let context = session.context();
        Self {
            key: Some(cache_key(request, problem, &context)),
            family: cache_key(&request.unbounded(), problem, &context),
        }
    }

    /// What the request itself found before.
    fn same(&self, session: &Session) -> Option<Trained> {
        session.side.search(self.key.as_ref()?, &session.registry)
    }

    /// What a wider complete search found before.
    fn wider(&self, session: &Session, request: &Request) -> Option<(Request, Arc<Whole>)> {
        let key = self.key.as_ref().filter(|_| request.complete)?;
        if session.side.has_search(key) {
            return None;
        }
        let all = session.side.complete_searches(&self.family).into_iter();
        let mut covering = all.filter_map(|(key, bounds)| {
            let own = request.unbounded().bounded_by(&bounds)?;
            (own != *request && own.covers(request)).then_some((key, own))
        });
        covering.find_map(|(key, own)| {
            let trained = session.side.search_named(&key, &session.registry)?;
            Some((own, Arc::new(Whole::new(Some(trained)))))
        })
    }

    /// Keeps what the request found.
    fn keep(&self, session: &Session, request: &Request, trained: &Trained) {
        let Some(key) = &self.key else { return };
        session.side.keep_search(key, trained);
        if request.complete {
            let bounds = request.bounds_json();
            session.side.keep_bounds(key, &self.family, &bounds);
        }
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
fn signature_of(trained: &Trained, place: usize, request: &Request) -> [u8; 16] {
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
fn run(
    session: &Session,
    request: &Request,
    problem: &Problem,
    kept: &Kept,
) -> Result<Option<Trained>> {
    if request.never {
        return Ok(None);
    }
    let context = session.context();
    if let Some(known) = kept.same(session) {
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
    kept.keep(session, request, &trained);
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

impl Whole {
    fn new(trained: Option<Trained>) -> Self {
        let count = trained.as_ref().map_or(0, members);
        fn empty<T>(count: usize) -> Vec<OnceLock<T>> {
            std::iter::repeat_with(OnceLock::new).take(count).collect()
        }
        Self {
            trained,
            facts: empty(count),
            drawings: empty(count),
            predicted: empty(count),
            conformed: OnceLock::new(),
        }
    }

    fn len(&self) -> usize {
        self.facts.len()
    }

    fn set(&self) -> Result<&Trained> {
        let none = || Error::Side("there is no tree".to_owned());
        self.trained.as_ref().ok_or_else(none)
    }

    fn facts(&self, place: usize) -> Result<&TreeFacts> {
        let facts = &self.facts[place];
        if let Some(facts) = facts.get() {
            return Ok(facts);
        }
        let model = member(self.set()?, place);
        let none = || Error::argument("learner", "a learner of trees", "one of something else");
        let found = model.facts().tree.ok_or_else(none)?;
        Ok(facts.get_or_init(|| found))
    }

    /// The rows of a problem in the terms of the trees.
    fn conformed(&self, problem: &Problem) -> Result<&View> {
        let make = || {
            let trained = self.trained.as_ref().ok_or("there is no tree")?;
            let conformed = trained.conform(&problem.view);
            conformed
                .map(|(view, _)| view)
                .map_err(|error| error.to_string())
        };
        let conformed = self.conformed.get_or_init(make).as_ref();
        conformed.map_err(|error| Error::Side(error.clone()))
    }

    /// What a tree predicts of the rows of a problem.
    fn predictions(
        &self,
        place: usize,
        problem: &Problem,
        context: &Context,
    ) -> Result<&Predictions> {
        let predicted = &self.predicted[place];
        if predicted.get().is_none() {
            context.check()?;
        }
        let make = || {
            let words = |error: &dyn std::fmt::Display| error.to_string();
            let view = self.conformed(problem).map_err(|error| words(&error))?;
            let trained = self.set().map_err(|error| words(&error))?;
            let alone = trained.member(place + 1).map_err(|error| words(&error))?;
            alone.predict(view, context).map_err(|error| words(&error))
        };
        let predicted = predicted.get_or_init(make).as_ref();
        predicted.map_err(|error| Error::Side(error.clone()))
    }
}

impl Search {
    /// How many trees there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether it is all that was found at once.
    fn is_whole(&self) -> bool {
        self.places.len() == self.whole.len()
    }

    /// The rows of the problem in the terms of the trees.
    pub(crate) fn conformed(&self) -> Result<&View> {
        self.whole.conformed(&self.problem)
    }

    /// What a tree predicts.
    fn predictions(&self, place: usize, context: &Context) -> Result<&Predictions> {
        let place = self.places[place];
        self.whole.predictions(place, &self.problem, context)
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
        Ok(member(self.search.whole.set()?, self.own()))
    }

    /// Its place among all that was found at once.
    fn own(&self) -> usize {
        self.search.places[self.place]
    }

    /// The tree with the terms it speaks in.
    pub(crate) fn trained(&self) -> Result<Trained> {
        Ok(self.search.whole.set()?.member(self.own() + 1)?)
    }

    /// What it is known to be.
    pub(crate) fn facts(&self) -> Result<&TreeFacts> {
        self.search.whole.facts(self.own())
    }

    /// Its nodes in words and numbers.
    pub(crate) fn drawing(&self) -> Result<Arc<Drawing>> {
        let drawing = &self.search.whole.drawings[self.own()];
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
        let own = self.predictions(context)?;
        let others = (0..self.search.len()).filter(|place| *place != self.place);
        let mut alike = Vec::with_capacity(self.search.len());
        for other in others {
            let other = self.search.predictions(other, context)?;
            alike.push(1.0 - distance_over_targets(own, other));
        }
        Ok(alike.iter().sum::<f64>() / alike.len().max(1) as f64)
    }

    /// What it predicts of the rows that it was grown on.
    pub(crate) fn predictions(&self, context: &Context) -> Result<&Predictions> {
        self.search.predictions(self.place, context)
    }

    /// What a row is called by the first column that names rows, else its number from 1.
    pub(crate) fn keys(&self) -> Vec<usize> {
        key_columns(&self.search.problem.view)
    }
}
