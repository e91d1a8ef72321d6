//! Predicates to tables: names, types and roles of their columns, with the evidence.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use kinwood_values::suggest::nearest;
use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table, Type};

use super::StatedPredicate;
use super::columns::{Columns, Inferred, Refusal, infer};
use super::facts::{Facts, Predicate, Says};
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::schema::StatedColumn;

/// The table of each predicate. `file` stands for all sources in messages.
pub(super) fn tables(
    facts: &Facts<'_>,
    stated: &[StatedPredicate],
    file: &str,
) -> Result<Vec<TableRead>> {
    let names = names(facts);
    let values_error = |source| Error::Values {
        file: file.to_owned(),
        source,
    };
    let mut known = HashSet::new();
    if let Some(repeated) = names.iter().find(|name| !known.insert(name.as_str())) {
        let table = repeated.clone();
        return Err(values_error(kinwood_values::Error::DuplicateTable {
            table,
        }));
    }
    if let Some(unknown) = stated.iter().find(|of| !known.contains(of.name.as_str())) {
        return Err(values_error(kinwood_values::Error::UnknownTable {
            table: unknown.name.clone(),
            nearest: nearest(&unknown.name, &names),
            valid: names,
        }));
    }
    let mut columns = Columns::new(&facts.symbols);
    let mut about: HashMap<&str, &[StatedColumn]> = HashMap::new();
    for of in stated {
        about.entry(of.name.as_str()).or_insert(&of.columns);
    }
    let predicates = facts.predicates.iter().zip(&names);
    predicates
        .map(|(predicate, name)| {
            let about = about.get(name.as_str()).copied().unwrap_or_default();
            table(facts, predicate, name, about, &mut columns, file)
        })
        .collect()
}

/// What the predicates' tables are called: by their names, and where these do not suffice, by
/// `name/arity`.
fn names(facts: &Facts<'_>) -> Vec<String> {
    let mut once = HashSet::new();
    let mut repeated = HashSet::new();
    for predicate in &facts.predicates {
        if !once.insert(predicate.symbol) {
            repeated.insert(predicate.symbol);
        }
    }
    let name = |predicate: &Predicate| {
        let name = facts.symbols.label(predicate.symbol);
        match repeated.contains(&predicate.symbol) {
            true => format!("{name}/{}", predicate.arguments.len()),
            false => name.to_owned(),
        }
    };
    facts.predicates.iter().map(name).collect()
}

fn table(
    facts: &Facts<'_>,
    predicate: &Predicate,
    name: &str,
    stated: &[StatedColumn],
    columns: &mut Columns<'_>,
    file: &str,
) -> Result<TableRead> {
    let arity = predicate.arguments.len();
    if !stated.is_empty() && stated.len() != arity && stated.len() != arity + 1 {
        return Err(Error::ColumnCount {
            file: format!("{file}, `{name}`"),
            found: arity,
            expected: stated.len(),
        });
    }
    let is_example = predicate.is_example() || stated.len() > arity;
    let width = arity + usize::from(is_example);
    let mut attributes = Vec::with_capacity(width);
    let mut evidence = Vec::with_capacity(width);
    let mut stated_roles = BTreeSet::new();
    for (position, arguments) in predicate.arguments.iter().enumerate() {
        let about = stated.get(position);
        let of = about.and_then(|about| match &about.values {
            Some(_) => Some(Type::Nominal),
            None => about.of.clone(),
        });
        let inferred = match of {
            None => Some(infer(arguments, &facts.symbols)),
            Some(_) => None,
        };
        let of = of
            .or_else(|| inferred.as_ref().map(|inferred| inferred.of.clone()))
            .unwrap_or(Type::Term);
        let labels = about.and_then(|about| about.values.as_deref());
        let column = columns
            .build(arguments, &of, labels)
            .map_err(|refusal| refused(facts, predicate, name, position, &of, refusal))?;
        evidence.push(match inferred {
            Some(inferred) => reason(facts, predicate, position, &inferred, &column),
            None => "stated in the schema".to_owned(),
        });
        let mut attribute = Attribute::new(format!("a{}", position + 1), column);
        apply(&mut attribute, about, position, &mut stated_roles);
        attributes.push(attribute);
    }
    if is_example {
        let (positive, column) = class(&predicate.says);
        let negative = predicate.says.len() - positive;
        evidence.push(format!(
            "{positive} positive and {negative} negative examples"
        ));
        let name = unused("class", &attributes);
        let mut attribute = Attribute::new(name, column).with_role(Role::Target);
        stated_roles.insert(arity);
        apply(&mut attribute, stated.get(arity), arity, &mut stated_roles);
        attributes.push(attribute);
    }
    let table = Table::new(name, attributes).map_err(|source| Error::Values {
        file: file.to_owned(),
        source,
    })?;
    Ok(TableRead {
        table,
        evidence,
        stated_roles,
        customary_target: None,
        foreign_keys: Vec::new(),
        notices: Vec::new(),
    })
}

/// Takes over what is stated about a column.
fn apply(
    attribute: &mut Attribute,
    about: Option<&StatedColumn>,
    position: usize,
    stated_roles: &mut BTreeSet<usize>,
) {
    let Some(about) = about else { return };
    if !about.name.is_empty() {
        attribute.name.clone_from(&about.name);
    }
    attribute.hierarchy = about.hierarchy;
    attribute.distance.clone_from(&about.distance);
    attribute.ordered = about.ordered;
    if let Some(role) = about.role {
        attribute.role = role;
        stated_roles.insert(position);
    }
}

/// How many examples are positive, and the column that says which.
fn class(says: &[Says]) -> (usize, Column) {
    let codes: Vec<u32> = says
        .iter()
        .map(|says| u32::from(*says == Says::Negative))
        .collect();
    let positive = codes.iter().filter(|code| **code == 0).count();
    let dictionary = Arc::new(Dictionary::from_labels(["true", "false"]));
    (
        positive,
        Column::new(Cells::Nominal { codes, dictionary }, None),
    )
}

/// The name itself, or the first of `name_2`, `name_3`, … that no attribute has.
pub(super) fn unused(name: &str, attributes: &[Attribute]) -> String {
    let taken: HashSet<&str> = attributes.iter().map(|of| of.name.as_str()).collect();
    let numbered = (2u64..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|candidate| !taken.contains(candidate.as_str()))
        .expect("there are more numbers than attributes")
}

/// Why arguments have their type.
fn reason(
    facts: &Facts<'_>,
    predicate: &Predicate,
    position: usize,
    inferred: &Inferred,
    column: &Column,
) -> String {
    let rows = predicate.places.len();
    let present = rows - column.missing();
    let show = |fact: usize| facts.show_cells(predicate.arguments[position].get(fact));
    match &inferred.of {
        Type::Numeric => format!("{present} of {present} arguments are numbers"),
        Type::List(_) => format!("{present} of {present} arguments are lists"),
        Type::Nominal => {
            let distinct = column.codes().map_or(0, |(_, labels)| labels.len());
            let constants = format!("{distinct} distinct constants in {rows} facts");
            match inferred.numbers {
                0 => constants,
                numbers => format!("{constants}; {numbers} of {present} are numbers"),
            }
        }
        _ => {
            let odd = inferred.odd.unwrap_or_default();
            format!("`{}` in fact {} makes it a term", show(odd), odd + 1)
        }
    }
}

fn refused(
    facts: &Facts<'_>,
    predicate: &Predicate,
    name: &str,
    position: usize,
    of: &Type,
    refusal: Refusal,
) -> Error {
    let cells = predicate.arguments[position].get(refusal.fact);
    let expected = match &refusal.nearest {
        Some(nearest) => format!("one of the declared values, perhaps `{nearest}`,"),
        None => format!("a `{of}`"),
    };
    facts.error(
        predicate.places[refusal.fact],
        format!("{expected} as argument {} of `{name}`", position + 1),
        format!("`{}`", facts.show_cells(cells)),
    )
}
