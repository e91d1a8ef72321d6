//! What the conditions of a query on `trees` come to for the search.

use kinwood_learners::TreeFacts;
use kinwood_learners::trees::tree::constraint::{Atom, Bound, Constraint, Name};
use rusqlite::types::Value;
use serde_json::{Value as Json, json};

use crate::conditions::{Comparison, Conditions, Given};
use crate::error::{Error, Result};

/// The most trees that a `LIMIT` lets a beam hold; a width that is written is taken as it is.
const WIDEST: i64 = 1000;
/// Settings that the conditions of a query stand for.
const OWN: &[&str] = &["search", "width", "beta", "constraints"];

/// What a search for trees is to find.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Request {
    /// What is predicted; nothing where the data is to say.
    pub targets: Vec<String>,
    /// The learner.
    pub learner: String,
    /// Its settings that are given.
    pub settings: Vec<(String, String)>,
    /// The most nodes.
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// The most error.
    pub error: Option<Bound>,
    /// The least accuracy.
    pub accuracy: Option<Bound>,
    /// Of each of these sets a tree uses one.
    pub uses: Vec<Vec<String>>,
    /// What no tree uses.
    pub avoids: Vec<String>,
    /// A partial tree that all trees complete.
    pub completes: Option<String>,
    /// More constraints, as learners have them.
    pub constraints: Option<Constraint>,
    /// Whether all trees are wanted, not those of a beam.
    pub complete: bool,
    /// How many trees a beam holds.
    pub width: usize,
    /// Whether trees are to be unlike each other.
    pub unlike: bool,
    /// Whether a condition can never hold.
    pub never: bool,
}

impl Request {
    /// As the conditions of a query have it.
    pub(crate) fn read(conditions: &Conditions) -> Result<Self> {
        let learner = conditions.text("learner")?;
        let mut request = Self {
            targets: targets(conditions.text("target")?),
            learner: learner.unwrap_or_else(|| "tree".to_owned()),
            settings: settings(conditions.text("settings")?)?,
            completes: conditions.text("completes")?,
            constraints: constraints(conditions.text("constraints")?)?,
            complete: conditions.whole("complete")?.unwrap_or(0) != 0,
            unlike: conditions.on("similarity").next().is_some(),
            width: width(conditions)?,
            ..Self::default()
        };
        for given in &conditions.0 {
            request.take(given);
        }
        Ok(request)
    }

    fn take(&mut self, given: &Given) {
        if given.values.iter().all(|value| *value == Value::Null) && is_found(&given.name) {
            self.never = true;
            return;
        }
        match given.name.as_str() {
            "size" => self.size = self.most(self.size, given, 1),
            "depth" => self.depth = self.most(self.depth, given, 0),
            "error" | "training_error" => {
                if let Some(bound) = bound(given) {
                    self.never |= bound.value < 0.0 || (bound.strict && bound.value == 0.0);
                    let tighter = |own: &Bound| own.value <= bound.value;
                    if !self.error.as_ref().is_some_and(tighter) {
                        self.error = Some(bound);
                    }
                }
            }
            "accuracy" => {
                if let Some(bound) = bound(given) {
                    self.never |= bound.value > 1.0 || (bound.strict && bound.value == 1.0);
                    let tighter = |own: &Bound| own.value >= bound.value;
                    if !self.accuracy.as_ref().is_some_and(tighter) {
                        self.accuracy = Some(bound);
                    }
                }
            }
            "uses" => {
                let names: Vec<String> = given.values.iter().filter_map(text).collect();
                match given.comparison {
                    Comparison::Unequal => self.avoids.extend(names),
                    _ => self.uses.push(names),
                }
            }
            _ => {}
        }
    }

    /// The most of a whole number that a condition allows: of `IN`, which SQLite also makes of `=`
    /// with `OR`, the largest value.
    fn most(&mut self, known: Option<usize>, given: &Given, least: usize) -> Option<usize> {
        let mut number = f64::NEG_INFINITY;
        for value in &given.values {
            number = number.max(match value {
                Value::Integer(number) => *number as f64,
                Value::Real(number) => *number,
                Value::Null => continue,
                // SQLite knows how it compares.
                Value::Text(_) | Value::Blob(_) => return known,
            });
        }
        let most = match given.comparison {
            Comparison::Below => number.ceil() - 1.0,
            _ => number.floor(),
        };
        if most < least as f64 {
            self.never = true;
            return known;
        }
        // No tree has as many nodes.
        let most = most.min(1e9) as usize;
        Some(known.map_or(most, |known| known.min(most)))
    }

    /// All of it as a constraint of the learner, with the file of the partial tree.
    pub(crate) fn constraint(&self, sketch: Option<&str>) -> Option<Constraint> {
        let mut all: Vec<Constraint> = Vec::new();
        let atoms = [
            self.size.map(Atom::Size),
            self.depth.map(Atom::Depth),
            self.accuracy.map(Atom::Accuracy),
            self.error.map(Atom::Error),
        ];
        all.extend(atoms.into_iter().flatten().map(Constraint::Atom));
        for names in &self.uses {
            let one = |name: &String| Constraint::Atom(Atom::Uses(Name::new(name.clone())));
            let mut any: Vec<Constraint> = names.iter().map(one).collect();
            match any.len() {
                0 => {}
                1 => all.extend(any.pop()),
                _ => all.push(Constraint::any(any)),
            }
        }
        let avoided = self.avoids.iter().cloned().map(Name::new);
        all.extend(avoided.map(|name| Constraint::Atom(Atom::Avoids(name))));
        all.extend(sketch.map(|file| Constraint::Atom(Atom::Like(file.to_owned()))));
        all.extend(self.constraints.clone());
        (!all.is_empty()).then(|| Constraint::all(all))
    }

    /// The settings of the learner.
    pub(crate) fn settings(&self, sketch: Option<&str>) -> Vec<(String, String)> {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: String| settings.push((name.to_owned(), value));
        match self.complete {
            true => set("search", "exhaustive".to_owned()),
            false => {
                set("search", "beam".to_owned());
                set("width", self.width.to_string());
                if self.unlike {
                    set("beta", "1".to_owned());
                }
            }
        }
        if let Some(constraint) = self.constraint(sketch) {
            set("constraints", constraint.to_string());
        }
        settings
    }

    /// Whether all trees of another request are among those of this one: both are complete, and
    /// what this one demands the other demands too.
    pub(crate) fn covers(&self, other: &Request) -> bool {
        let most = |own: Option<usize>, other: Option<usize>| match (own, other) {
            (None, _) => true,
            (Some(own), Some(other)) => other <= own,
            (Some(_), None) => false,
        };
        let bounded = |own: &Option<Bound>,
                       other: &Option<Bound>,
                       tighter: fn(f64, f64) -> bool| match (own, other) {
            (None, _) => true,
            (Some(own), Some(other)) => own == other || tighter(other.value, own.value),
            (Some(_), None) => false,
        };
        let same = self.targets == other.targets
            && self.learner == other.learner
            && self.settings == other.settings
            && self.completes == other.completes
            && self.constraints == other.constraints;
        same && self.complete
            && other.complete
            && most(self.size, other.size)
            && most(self.depth, other.depth)
            && bounded(&self.error, &other.error, |new, old| new < old)
            && bounded(&self.accuracy, &other.accuracy, |new, old| new > old)
            && self.uses.iter().all(|names| other.uses.contains(names))
            && self.avoids.iter().all(|name| other.avoids.contains(name))
    }
}

impl Request {
    /// The same request without the bounds in which complete searches may differ.
    pub(crate) fn unbounded(&self) -> Self {
        Self {
            size: None,
            depth: None,
            error: None,
            accuracy: None,
            uses: Vec::new(),
            avoids: Vec::new(),
            width: 0,
            unlike: false,
            ..self.clone()
        }
    }

    /// The bounds in which complete searches may differ.
    pub(crate) fn bounds_json(&self) -> Json {
        let bound = |bound: &Option<Bound>| match bound {
            Some(bound) => json!([bound.value, bound.strict]),
            None => Json::Null,
        };
        json!({
            "size": self.size, "depth": self.depth, "uses": self.uses, "avoids": self.avoids,
            "error": bound(&self.error), "accuracy": bound(&self.accuracy),
        })
    }

    /// The request under bounds that were kept; nothing where they cannot be read.
    pub(crate) fn bounded_by(mut self, bounds: &Json) -> Option<Self> {
        let whole = |name: &str| -> Option<Option<usize>> {
            match &bounds[name] {
                Json::Null => Some(None),
                number => Some(Some(usize::try_from(number.as_u64()?).ok()?)),
            }
        };
        let bound = |name: &str| -> Option<Option<Bound>> {
            match bounds[name].as_array().map(Vec::as_slice) {
                None => Some(None),
                Some([value, strict]) => Some(Some(Bound {
                    value: value.as_f64()?,
                    strict: strict.as_bool()?,
                })),
                Some(_) => None,
            }
        };
        self.size = whole("size")?;
        self.depth = whole("depth")?;
        self.error = bound("error")?;
        self.accuracy = bound("accuracy")?;
        self.uses = serde_json::from_value(bounds["uses"].clone()).ok()?;
        self.avoids = serde_json::from_value(bounds["avoids"].clone()).ok()?;
        Some(self)
    }

    /// The most nodes or tests below each other, in words that follow `trees`.
    pub(crate) fn bounds(&self) -> String {
        match (self.size, self.depth) {
            (Some(size), _) => format!(" of at most {size} nodes"),
            (None, Some(depth)) => format!(" of at most depth {depth}"),
            (None, None) => String::new(),
        }
    }

    /// The names that trees are to use, or not to use.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.uses.iter().flatten().chain(&self.avoids)
    }

    /// Whether a tree meets the bounds.
    pub(crate) fn holds(&self, facts: &TreeFacts) -> bool {
        let at_most = |most: Option<usize>, own: usize| most.is_none_or(|most| own <= most);
        let bounded = |bound: &Option<Bound>, own: Option<f64>, sign: f64| match (bound, own) {
            (Some(bound), Some(own)) => {
                let (own, most) = (sign * own, sign * bound.value);
                own < most || (own == most && !bound.strict)
            }
            (Some(_), None) => false,
            (None, _) => true,
        };
        !self.never
            && at_most(self.size, facts.size)
            && at_most(self.depth, facts.depth)
            && bounded(&self.error, facts.error, 1.0)
            && bounded(&self.accuracy, facts.accuracy, -1.0)
            && self.use_one_each(facts)
            && !self.avoids.iter().any(|name| facts.uses.contains(name))
    }

    /// Whether a tree uses one of each set of names.
    pub(crate) fn use_one_each(&self, facts: &TreeFacts) -> bool {
        let mut sets = self.uses.iter();
        sets.all(|names| names.iter().any(|name| facts.uses.contains(name)))
    }
}

/// Whether a column holds what was found: a comparison of it with nothing never holds.
fn is_found(name: &str) -> bool {
    [
        "size",
        "depth",
        "error",
        "training_error",
        "accuracy",
        "uses",
        "similarity",
    ]
    .contains(&name)
}

fn targets(written: Option<String>) -> Vec<String> {
    let written = written.unwrap_or_default();
    let names = written.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Settings as `name=value; name=value`.
fn settings(written: Option<String>) -> Result<Vec<(String, String)>> {
    let written = written.unwrap_or_default();
    let pairs = written
        .split(';')
        .map(str::trim)
        .filter(|pair| !pair.is_empty());
    let pair = |pair: &str| {
        let wrong = |found: &str| Error::argument("settings", "`name=value; name=value`", found);
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| wrong(&format!("`{pair}`")))?;
        let name = name.trim();
        if OWN.contains(&name) {
            let expected = "settings other than those that conditions stand for";
            return Err(Error::argument("settings", expected, &format!("`{name}`")));
        }
        Ok((name.to_owned(), value.trim().to_owned()))
    };
    pairs.map(pair).collect()
}

fn constraints(written: Option<String>) -> Result<Option<Constraint>> {
    let Some(written) = written else {
        return Ok(None);
    };
    let constraint = Constraint::parse(&written)?;
    match constraint.files().first() {
        // A query reads no files.
        Some(file) => Err(Error::argument(
            "constraints",
            "no file: `completes = 'tree'` has the partial tree itself",
            &format!("`like({file})`"),
        )),
        None => Ok(Some(constraint)),
    }
}

/// How many trees a beam holds: as many as are written, else as are wanted, else as by default.
fn width(conditions: &Conditions) -> Result<usize> {
    if let Some(width) = conditions.whole("width")? {
        return usize::try_from(width)
            .ok()
            .filter(|width| (1..=100_000).contains(width))
            .ok_or_else(|| {
                Error::argument(
                    "width",
                    "a whole number from 1 to 100000",
                    &format!("`{width}`"),
                )
            });
    }
    let wanted = conditions.whole("limit")?.filter(|limit| *limit >= 0);
    let passed = conditions.whole("offset")?.unwrap_or(0).max(0);
    let width = wanted.map(|limit| limit.saturating_add(passed).clamp(1, WIDEST) as usize);
    Ok(width.unwrap_or(DEFAULT))
}

/// As many trees as a beam holds where nobody says.
const DEFAULT: usize = 10;

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Real(number) => Some(number.to_string()),
        Value::Null | Value::Blob(_) => None,
    }
}

fn bound(given: &Given) -> Option<Bound> {
    let value = match given.values.first()? {
        Value::Integer(number) => *number as f64,
        Value::Real(number) => *number,
        _ => return None,
    };
    let strict = matches!(given.comparison, Comparison::Below | Comparison::Above);
    value.is_finite().then_some(Bound { value, strict })
}
