//! Facts as relational examples, by the patterns of a schema: a table for the examples, one for
//! each kind of ID, and one for each predicate that describes them.
//!
//! What is declared is not guessed: an argument that is not what its pattern says, a predicate
//! without facts, a fact of another arity, an example with two labels and an ID of an example that
//! nothing describes are errors, each with its place.

use std::collections::{HashMap, HashSet};

use kinwood_values::{Notice, NoticeKind, notice::counted};

use super::declared::{Arguments, Identity, Kinds, Values};
use super::facts::{Facts, Place, Predicate, Says};
use super::relation::Relation;
use super::rules::Applied;
use crate::dataset::TableRead;
use crate::error::{Error, FactsFault, Result};
use crate::prolog_syntax::pattern::{ArgumentKind, Pattern, atom};
use crate::schema::FactsSchema;

/// What was understood of facts.
pub(super) struct Relations {
    pub example: Relation,
    pub described: Vec<Relation>,
    pub kinds: Kinds,
    pub rules: Vec<Applied>,
    pub notices: Vec<Notice>,
}

/// Reads the facts by what the schema declares; `file` is the schema's name.
pub(super) fn relations(
    facts: &mut Facts<'_>,
    declared: &FactsSchema,
    file: &str,
) -> Result<Relations> {
    let faulty = |statement: String, fault: FactsFault| Error::Facts {
        file: file.to_owned(),
        statement,
        fault,
    };
    let mut rules = Vec::with_capacity(declared.rules.len());
    for rule in &declared.rules {
        let applied = facts.apply(rule);
        rules.push(applied.map_err(|fault| faulty(rule.trim().to_owned(), fault))?);
    }
    let patterns: Vec<&Pattern> = std::iter::once(&declared.example)
        .chain(&declared.describe)
        .collect();
    let mut places = Vec::with_capacity(patterns.len());
    for pattern in &patterns {
        let arity = pattern.arguments.len();
        other_arity(facts, pattern, &patterns, &rules)?;
        let symbol = facts.symbols.code(&pattern.predicate);
        match symbol.and_then(|symbol| facts.position((symbol, arity))) {
            Some(position) => places.push(position),
            None => {
                let fault = facts.unknown(&pattern.predicate, arity);
                return Err(faulty(pattern.to_string(), fault));
            }
        }
    }
    let mut notices = left_out(facts, &places, &rules);
    let names = names(&patterns);
    let mut arguments = Arguments::new(facts, &patterns);
    let mut reading = patterns.iter().zip(&places).zip(&names);
    let ((pattern, &place), name) = reading.next().expect("there is a pattern of the examples");
    let predicate = &facts.predicates[place];
    let (example, at) = examples(
        facts,
        predicate,
        pattern,
        name,
        &mut arguments,
        &mut notices,
    )?;
    let mut described = Vec::with_capacity(declared.describe.len());
    for ((pattern, &place), name) in reading {
        let predicate = &facts.predicates[place];
        let relation = descriptions(
            facts,
            predicate,
            pattern,
            name,
            &mut arguments,
            &mut notices,
        )?;
        described.push(relation);
    }
    let kinds = arguments.kinds;
    undescribed(facts, &example, &at, &kinds, declared, &mut notices)?;
    notices.extend(kinds.never_described(facts));
    for applied in rules.iter().filter(|applied| applied.fits == 0) {
        notices.push(Notice::new(format!(
            "no fact fits the condition of the rule `{}`",
            applied.rule
        )));
    }
    Ok(Relations {
        example,
        described,
        kinds,
        rules,
        notices,
    })
}

fn used_by_rules(predicate: &Predicate, rules: &[Applied]) -> bool {
    let of = (predicate.symbol, predicate.arguments.len());
    rules.iter().any(|applied| applied.of == of)
}

/// Refuses facts of a pattern's name with a number of arguments that no pattern and no rule has.
fn other_arity(
    facts: &Facts<'_>,
    pattern: &Pattern,
    patterns: &[&Pattern],
    rules: &[Applied],
) -> Result<()> {
    let symbol = facts.symbols.code(&pattern.predicate);
    let known = |predicate: &Predicate| {
        patterns.iter().any(|other| {
            other.predicate == pattern.predicate
                && other.arguments.len() == predicate.arguments.len()
        })
    };
    let other = facts.predicates.iter().find(|predicate| {
        Some(predicate.symbol) == symbol
            && !predicate.places.is_empty()
            && !known(predicate)
            && !used_by_rules(predicate, rules)
    });
    match other {
        None => Ok(()),
        Some(other) => Err(facts.error(
            other.places[0],
            format!(
                "{} of `{}`, as in `{pattern}`",
                counted(pattern.arguments.len(), "argument"),
                pattern.predicate
            ),
            format!("{}: `{}`", other.arguments.len(), facts.show(other, 0)),
        )),
    }
}

/// What the tables are called: by the predicate, where neither a kind of ID nor another pattern has
/// the name.
fn names(patterns: &[&Pattern]) -> Vec<String> {
    let arguments = patterns.iter().flat_map(|pattern| &pattern.arguments);
    let kinds: HashSet<String> = arguments
        .filter_map(|argument| match &argument.of {
            ArgumentKind::Id(kind) => Some(kind.clone()),
            _ => None,
        })
        .collect();
    let mut taken = kinds.clone();
    let mut names = Vec::with_capacity(patterns.len());
    for pattern in patterns {
        let arity = pattern.arguments.len();
        let name = &pattern.predicate;
        let alone = patterns
            .iter()
            .all(|other| other.predicate != *name || other.arguments.len() == arity);
        let plain = match alone && !kinds.contains(name) {
            true => name.clone(),
            false => format!("{name}/{arity}"),
        };
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let free = std::iter::once(plain.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name))
            .expect("there are more numbers than patterns");
        taken.insert(free.clone());
        names.push(free);
    }
    names
}

/// Tells of the predicates that no pattern and no rule names.
fn left_out(facts: &Facts<'_>, places: &[usize], rules: &[Applied]) -> Vec<Notice> {
    let predicates = facts.predicates.iter().enumerate();
    let unnamed: Vec<String> = predicates
        .filter(|(position, predicate)| {
            !places.contains(position)
                && !predicate.places.is_empty()
                && !used_by_rules(predicate, rules)
        })
        .map(|(_, predicate)| {
            let name = atom(facts.symbols.label(predicate.symbol));
            let arity = predicate.arguments.len();
            format!("{name}/{arity} ({})", predicate.places.len())
        })
        .collect();
    match unnamed.len() {
        0 => Vec::new(),
        count => vec![Notice::about(
            NoticeKind::LeftOut,
            format!(
                "{} that neither patterns nor rules name, with so many facts, {} left out: {}",
                counted(count, "predicate"),
                if count == 1 { "is" } else { "are" },
                unnamed.join(", ")
            ),
        )],
    }
}

/// The columns of a pattern, none of them with values yet.
fn columns(pattern: &Pattern) -> Vec<(usize, Values)> {
    let arguments = pattern.arguments.iter().enumerate();
    arguments
        .filter(|(_, argument)| argument.of != ArgumentKind::LeftOut)
        .map(|(position, argument)| (position, Values::new(&argument.of)))
        .collect()
}

/// Tells how many facts say again what others say.
fn repeated(name: &str, count: usize, notices: &mut Vec<Notice>) {
    if count > 0 {
        notices.push(Notice::about(
            NoticeKind::LeftOut,
            format!(
                "{} of `{name}` {} what others say and {} left out: facts are a set",
                counted(count, "fact"),
                if count == 1 { "repeats" } else { "repeat" },
                if count == 1 { "is" } else { "are" },
            ),
        ));
    }
}

fn descriptions(
    facts: &Facts<'_>,
    predicate: &Predicate,
    pattern: &Pattern,
    name: &str,
    arguments: &mut Arguments,
    notices: &mut Vec<Notice>,
) -> Result<Relation> {
    let mut columns = columns(pattern);
    let mut seen: HashSet<Identity> = HashSet::new();
    let mut rows = 0;
    for fact in 0..predicate.places.len() {
        if predicate.says[fact] == Says::Negative {
            return Err(facts.error(
                predicate.places[fact],
                format!("facts that hold, for `{pattern}` describes"),
                format!(
                    "that `{}` is a negative example",
                    facts.show(predicate, fact)
                ),
            ));
        }
        if !seen.insert(identity(predicate, fact, columns.iter().map(|(at, _)| *at))) {
            continue;
        }
        rows += 1;
        for (place, (position, values)) in columns.iter_mut().enumerate() {
            let at = (predicate, fact, *position);
            let id = arguments.push(facts, pattern, at, values)?;
            match id {
                Some((kind, id)) if place == 0 => arguments.kinds.describe(kind, id),
                Some((kind, id)) => arguments.kinds.mention(kind, id, predicate.places[fact]),
                None => {}
            }
        }
    }
    repeated(name, predicate.places.len() - rows, notices);
    Ok(Relation {
        pattern: pattern.clone(),
        name: name.to_owned(),
        rows,
        columns,
        labels: None,
    })
}

/// The examples, and where each stands.
fn examples(
    facts: &Facts<'_>,
    predicate: &Predicate,
    pattern: &Pattern,
    name: &str,
    arguments: &mut Arguments,
    notices: &mut Vec<Notice>,
) -> Result<(Relation, Vec<Place>)> {
    let mut columns = columns(pattern);
    let target = pattern
        .arguments
        .iter()
        .position(|argument| argument.of == ArgumentKind::Target);
    let mut seen: HashMap<Identity, usize> = HashMap::new();
    let mut kept = Vec::new();
    let mut labels = Vec::new();
    for fact in 0..predicate.places.len() {
        let holds = predicate.says[fact] != Says::Negative;
        if target.is_some() && predicate.says[fact] != Says::Fact {
            let label = if holds { "positive" } else { "negative" };
            return Err(facts.error(
                predicate.places[fact],
                format!("facts, for the label is an argument in `{pattern}`"),
                format!(
                    "that `{}` is a {label} example",
                    facts.show(predicate, fact)
                ),
            ));
        }
        let about = columns.iter().map(|(at, _)| *at);
        let about = about.filter(|at| Some(*at) != target);
        let next = kept.len();
        let earlier = *seen.entry(identity(predicate, fact, about)).or_insert(next);
        if earlier != next {
            let first = kept[earlier];
            let label = |fact: usize| match target {
                Some(target) => {
                    format!(
                        "`{}`",
                        facts.show_cells(predicate.arguments[target].get(fact))
                    )
                }
                None if predicate.says[fact] == Says::Negative => "negative".to_owned(),
                None => "positive".to_owned(),
            };
            if label(first) != label(fact) {
                return Err(facts.error(
                    predicate.places[fact],
                    format!(
                        "one label for the example `{}`",
                        facts.show(predicate, fact)
                    ),
                    format!(
                        "that it is {} here and {} at {}",
                        label(fact),
                        label(first),
                        facts.location(predicate.places[first])
                    ),
                ));
            }
            continue;
        }
        for (position, values) in &mut columns {
            arguments.push(facts, pattern, (predicate, fact, *position), values)?;
        }
        kept.push(fact);
        labels.push(holds);
    }
    repeated(name, predicate.places.len() - kept.len(), notices);
    let relation = Relation {
        pattern: pattern.clone(),
        name: name.to_owned(),
        rows: kept.len(),
        columns,
        labels: Some(labels).filter(|_| predicate.is_example()),
    };
    let places = kept.iter().map(|&fact| predicate.places[fact]).collect();
    Ok((relation, places))
}

fn identity(predicate: &Predicate, fact: usize, at: impl Iterator<Item = usize>) -> Identity {
    at.flat_map(|position| predicate.arguments[position].get(fact))
        .map(|cell| cell.identity())
        .collect()
}

/// Refuses examples with an ID that no fact describes, or tells of them where that is allowed.
fn undescribed(
    facts: &Facts<'_>,
    example: &Relation,
    at: &[Place],
    kinds: &Kinds,
    declared: &FactsSchema,
    notices: &mut Vec<Notice>,
) -> Result<()> {
    let mut found: Option<(usize, usize, u32)> = None;
    let mut ids: HashSet<(usize, u32)> = HashSet::new();
    for row in 0..example.rows {
        for (_, values) in &example.columns {
            if let Some((kind, id)) = values.id(row, kinds)
                && !kinds.is_described(kind, id)
            {
                ids.insert((kind, id));
                found = found.or(Some((row, kind, id)));
            }
        }
    }
    let Some((row, kind, id)) = found else {
        return Ok(());
    };
    let (name, shown) = (kinds.name(kind), kinds.label(kind, id));
    if !declared.allows_undescribed {
        return Err(facts.error(
            at[row],
            format!("an ID of `{name}` that facts describe"),
            format!(
                "`{shown}`, which none does (`undescribed = \"allow\"` in [facts] lets it pass)"
            ),
        ));
    }
    notices.push(Notice::about(
        NoticeKind::Key,
        format!(
            "{} of examples {} described by no fact (first: `{shown}` of `{name}` at {})",
            counted(ids.len(), "ID"),
            if ids.len() == 1 { "is" } else { "are" },
            facts.location(at[row])
        ),
    ));
    Ok(())
}

impl Relations {
    /// The tables: the examples, the kinds of IDs in order of their first occurrence, the
    /// predicates that describe.
    pub fn tables(&self, file: &str) -> Result<Vec<TableRead>> {
        let examples = self.example.table(&self.kinds, None, file);
        let kinds = self.kinds.tables(file);
        let described = self.described.iter();
        let described = described.map(|relation| relation.table(&self.kinds, Some(true), file));
        std::iter::once(examples)
            .chain(kinds)
            .chain(described)
            .collect()
    }
}
