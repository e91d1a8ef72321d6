//! Arguments as declared: IDs by their kind, symbols, numbers and labels, each checked against its
//! pattern, and their columns.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use kinwood_values::notice::counted;
use kinwood_values::text::number_text;
use kinwood_values::{
    Attribute, Cells, Column, Dictionary, Notice, NoticeKind, Role, Table, Validity,
};

use super::MISSING;
use super::facts::{Facts, Place, Predicate};
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::prolog_syntax::cells::{Cell, term};
use crate::prolog_syntax::pattern::{ArgumentKind, Pattern};

/// The symbols of terms, equal for equal terms.
pub(super) type Identity = Vec<(u8, u32, u64)>;

/// The column that names the rows of a kind's table.
pub(super) const ID: &str = "id";

/// The IDs of a kind, in order of their first occurrence.
struct KindOfId {
    name: String,
    ids: Dictionary,
    described: Vec<bool>,
    /// Where an ID is first an argument of a fact that describes another.
    mentioned: Vec<Option<Place>>,
}

/// All kinds of IDs, in order of the patterns.
pub(super) struct Kinds(Vec<KindOfId>);

impl Kinds {
    fn new(patterns: &[&Pattern]) -> Self {
        let mut kinds: Vec<KindOfId> = Vec::new();
        for argument in patterns.iter().flat_map(|pattern| &pattern.arguments) {
            if let ArgumentKind::Id(name) = &argument.of
                && kinds.iter().all(|kind| kind.name != *name)
            {
                kinds.push(KindOfId {
                    name: name.clone(),
                    ids: Dictionary::new(),
                    described: Vec::new(),
                    mentioned: Vec::new(),
                });
            }
        }
        Self(kinds)
    }

    /// Where the kind of that name stands.
    pub fn find(&self, name: &str) -> usize {
        let found = self.0.iter().position(|kind| kind.name == name);
        found.expect("kinds are those of all patterns")
    }

    fn intern(&mut self, kind: usize, label: &str) -> u32 {
        let kind = &mut self.0[kind];
        let id = kind.ids.intern(label);
        kind.described.resize(kind.ids.len(), false);
        kind.mentioned.resize(kind.ids.len(), None);
        id
    }

    pub fn describe(&mut self, kind: usize, id: u32) {
        self.0[kind].described[id as usize] = true;
    }

    pub fn mention(&mut self, kind: usize, id: u32, place: Place) {
        self.0[kind].mentioned[id as usize].get_or_insert(place);
    }

    pub fn is_described(&self, kind: usize, id: u32) -> bool {
        self.0[kind].described[id as usize]
    }

    pub fn name(&self, kind: usize) -> &str {
        &self.0[kind].name
    }

    pub fn label(&self, kind: usize, id: u32) -> &str {
        self.0[kind].ids.label(id)
    }

    /// Names of the kinds, and how many IDs each has.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0
            .iter()
            .map(|kind| (kind.name.as_str(), kind.ids.len()))
    }

    /// Tells of IDs that facts mention and none describes.
    pub fn never_described(&self, facts: &Facts<'_>) -> Vec<Notice> {
        let told = |kind: &KindOfId| {
            let ids = 0..kind.ids.len();
            let mut never = ids
                .filter(|&id| !kind.described[id])
                .filter_map(|id| Some((id, kind.mentioned[id]?)));
            let (first, place) = never.next()?;
            let count = never.count() + 1;
            Some(Notice::about(
                NoticeKind::Key,
                format!(
                    "{count} of {} of `{}` {} mentioned by facts and described by none (first: `{}` at {})",
                    counted(kind.ids.len(), "ID"),
                    kind.name,
                    if count == 1 { "is" } else { "are" },
                    kind.ids.label(first as u32),
                    facts.location(place)
                ),
            ))
        };
        self.0.iter().filter_map(told).collect()
    }

    /// A table of each kind, one row an ID.
    pub fn tables(&self, file: &str) -> impl Iterator<Item = Result<TableRead>> {
        self.0.iter().map(move |kind| {
            let column = Column::nominal(kind.ids.labels().map(Some));
            let id = Attribute::new(ID, column).with_role(Role::Id);
            let mut table =
                Table::new(kind.name.clone(), vec![id]).map_err(|source| Error::Values {
                    file: file.to_owned(),
                    source,
                })?;
            table.set_key(Some(vec![0]));
            Ok(TableRead {
                table,
                evidence: vec![format!("{} of this kind", counted(kind.ids.len(), "ID"))],
                stated_roles: BTreeSet::from([0]),
                customary_target: None,
                foreign_keys: Vec::new(),
                notices: Vec::new(),
            })
        })
    }
}

/// Labels by code, in order of their first occurrence.
#[derive(Default)]
pub(super) struct Labels {
    dictionary: Dictionary,
    codes: Vec<u32>,
    validity: Validity,
    /// Codes of constants and numbers that have been met.
    met: HashMap<(u8, u32, u64), u32>,
}

/// The values of an argument.
pub(super) enum Values {
    Number(Vec<f64>),
    Symbol(Labels),
    /// Labels of IDs; the kind's own codes differ.
    Id(String, Labels),
    /// Labels and numbers of examples, until it is known which they are.
    Target {
        labels: Labels,
        numbers: Vec<f64>,
    },
}

impl Values {
    pub fn new(of: &ArgumentKind) -> Self {
        match of {
            ArgumentKind::Number => Values::Number(Vec::new()),
            ArgumentKind::Id(kind) => Values::Id(kind.clone(), Labels::default()),
            ArgumentKind::Target => Values::Target {
                labels: Labels::default(),
                numbers: Vec::new(),
            },
            ArgumentKind::Symbol | ArgumentKind::LeftOut => Values::Symbol(Labels::default()),
        }
    }

    /// The ID in a row, if it is one.
    pub fn id(&self, row: usize, kinds: &Kinds) -> Option<(usize, u32)> {
        let Values::Id(name, labels) = self else {
            return None;
        };
        let kind = kinds.find(name);
        let label = labels.dictionary.label(labels.codes[row]);
        Some((kind, kinds.0[kind].ids.code(label)?))
    }

    /// The column of the values.
    pub fn column(&self) -> Column {
        match self {
            Values::Number(numbers) => Column::numeric(numbers.clone()),
            Values::Symbol(labels) | Values::Id(_, labels) => labels.column(),
            Values::Target { numbers, .. } if self.is_numeric() => Column::numeric(numbers.clone()),
            Values::Target { labels, .. } => labels.column(),
        }
    }

    /// Whether the values are numbers: for labels, whether all are.
    pub fn is_numeric(&self) -> bool {
        match self {
            Values::Number(_) => true,
            Values::Symbol(_) | Values::Id(..) => false,
            Values::Target { labels, numbers } => {
                let rows = 0..numbers.len();
                let mut present = rows.filter(|&row| labels.validity.is_present(row));
                present.all(|row| !numbers[row].is_nan())
            }
        }
    }
}

impl Labels {
    fn column(&self) -> Column {
        let cells = Cells::Nominal {
            codes: self.codes.clone(),
            dictionary: Arc::new(self.dictionary.clone()),
        };
        Column::new(cells, Some(self.validity.clone()))
    }

    fn missing(&mut self) {
        self.codes.push(0);
        self.validity.push(false);
    }

    /// Adds a value, and says whether it has a text; `whole` asks numbers to be whole.
    fn push(&mut self, cells: &[Cell], symbols: &Dictionary, whole: bool) -> bool {
        let known = match cells {
            [cell] => self.met.get(&cell.identity()).copied(),
            _ => None,
        };
        let code = known.or_else(|| {
            let code = self.dictionary.intern(&text(cells, symbols, whole)?);
            if let [cell] = cells {
                self.met.insert(cell.identity(), code);
            }
            Some(code)
        });
        let Some(code) = code else {
            return false;
        };
        self.codes.push(code);
        self.validity.push(true);
        true
    }

    fn last(&self) -> Option<&str> {
        self.codes.last().map(|&code| self.dictionary.label(code))
    }
}

/// The text of a constant, a whole number or a term without variables.
fn text(cells: &[Cell], symbols: &Dictionary, whole: bool) -> Option<String> {
    match cells {
        [Cell::Functor { symbol, .. }] => Some(symbols.label(*symbol).to_owned()),
        [Cell::Number(number)] => (!whole || number.fract() == 0.0).then(|| number_text(*number)),
        _ if cells.iter().any(|cell| matches!(cell, Cell::Variable(_))) => None,
        _ => term(cells, symbols).ok().map(|term| term.to_string()),
    }
}

/// Takes arguments in, each by its pattern.
pub(super) struct Arguments {
    pub kinds: Kinds,
    missing: Option<Cell>,
}

impl Arguments {
    pub fn new(facts: &Facts<'_>, patterns: &[&Pattern]) -> Self {
        Self {
            kinds: Kinds::new(patterns),
            missing: facts.symbols.code(MISSING).map(Cell::constant),
        }
    }

    /// Adds the argument of a fact to its column; the kind and the ID, if it is one.
    pub fn push(
        &mut self,
        facts: &Facts<'_>,
        pattern: &Pattern,
        (predicate, fact, position): (&Predicate, usize, usize),
        values: &mut Values,
    ) -> Result<Option<(usize, u32)>> {
        let cells = predicate.arguments[position].get(fact);
        let is_missing = matches!(cells, [cell] if Some(*cell) == self.missing);
        let refused = |expected: &str| {
            facts.error(
                predicate.places[fact],
                format!("{expected} as argument {} of `{pattern}`", position + 1),
                format!("`{}`", facts.show_cells(cells)),
            )
        };
        const WHOLE: &str = "a constant, a whole number or a term without variables";
        match values {
            Values::Number(numbers) => numbers.push(match cells {
                [Cell::Number(number)] => *number,
                _ if is_missing => f64::NAN,
                _ => return Err(refused("a number")),
            }),
            Values::Symbol(labels) if is_missing => labels.missing(),
            Values::Symbol(labels) => {
                if !labels.push(cells, &facts.symbols, true) {
                    return Err(refused(&format!("a symbol ({WHOLE})")));
                }
            }
            Values::Target { labels, numbers } => {
                if is_missing {
                    labels.missing();
                } else if !labels.push(cells, &facts.symbols, false) {
                    return Err(refused("a class or a number"));
                }
                numbers.push(match cells {
                    [Cell::Number(number)] => *number,
                    _ => f64::NAN,
                });
            }
            Values::Id(name, labels) => {
                let kind = self.kinds.find(name);
                if is_missing || !labels.push(cells, &facts.symbols, true) {
                    return Err(refused(&format!("an ID of `{name}` ({WHOLE})")));
                }
                let label = labels.last().unwrap_or_default();
                return Ok(Some((kind, self.kinds.intern(kind, label))));
            }
        }
        Ok(None)
    }
}
