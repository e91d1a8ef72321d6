//! Arguments to columns: what type they have, and their values by it.

use std::sync::Arc;

use kinwood_values::suggest::nearest;
use kinwood_values::text::number_text;
use kinwood_values::types::DEEPEST_TYPE;
use kinwood_values::{Cells, Column, Dictionary, Tree, Type, Validity, Value, datetime};

use super::MISSING;
use super::facts::Arguments;
use super::graph::read_graph;
use crate::prolog_syntax::cells::{CONS, Cell, EMPTY, end_of, term};

/// What an argument is, parts of it possibly unknown.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Unknown,
    Number,
    Constant,
    /// A name with arguments.
    Compound,
    List(Box<Shape>),
}

impl Shape {
    /// What both are, if they are one thing.
    fn join(self, other: Shape) -> Option<Shape> {
        match (self, other) {
            (Shape::Unknown, shape) | (shape, Shape::Unknown) => Some(shape),
            (Shape::List(a), Shape::List(b)) => Some(Shape::List(Box::new(a.join(*b)?))),
            (a, b) => (a == b).then_some(a),
        }
    }

    fn type_of(self) -> Type {
        match self {
            Shape::Number => Type::Numeric,
            Shape::Unknown | Shape::Constant => Type::Nominal,
            Shape::Compound => Type::Term,
            Shape::List(of) => Type::List(Box::new(of.type_of())),
        }
    }
}

/// The shape of the subterm at `at`, which is moved behind it; none if only a term can hold it.
fn shape(cells: &[Cell], at: &mut usize, level: usize, missing: Option<Cell>) -> Option<Shape> {
    let cell = cells[*at];
    match cell {
        cell if Some(cell) == missing => {
            *at += 1;
            Some(Shape::Unknown)
        }
        Cell::Variable(_) => None,
        Cell::Number(_) => {
            *at += 1;
            Some(Shape::Number)
        }
        CONS => {
            if level == DEEPEST_TYPE {
                return None;
            }
            let mut elements = Shape::Unknown;
            while cells[*at] == CONS {
                *at += 1;
                elements = elements.join(shape(cells, at, level + 1, missing)?)?;
            }
            let proper = cells[*at] == EMPTY;
            *at += 1;
            proper.then(|| Shape::List(Box::new(elements)))
        }
        EMPTY => {
            *at += 1;
            (level < DEEPEST_TYPE).then(|| Shape::List(Box::new(Shape::Unknown)))
        }
        Cell::Functor { arity: 0, .. } => {
            *at += 1;
            Some(Shape::Constant)
        }
        Cell::Functor { .. } => {
            *at = end_of(cells, *at);
            Some(Shape::Compound)
        }
    }
}

/// The constant that stands for a missing value, if it occurs.
fn missing(symbols: &Dictionary) -> Option<Cell> {
    symbols.code(MISSING).map(Cell::constant)
}

/// What type arguments have.
pub(super) struct Inferred {
    pub of: Type,
    /// How many of them are numbers.
    pub numbers: usize,
    /// The first that only a term can hold, or that is unlike those before it.
    pub odd: Option<usize>,
}

/// The narrowest type that holds all arguments without loss, numbers among constants being
/// constants.
pub(super) fn infer(arguments: &Arguments, symbols: &Dictionary) -> Inferred {
    let missing = missing(symbols);
    // Nothing once constants and numbers are mixed.
    let mut common = Some(Shape::Unknown);
    let mut constants = true;
    let mut numbers = 0;
    let mut odd = None;
    for (fact, cells) in arguments.iter().enumerate() {
        let found = shape(cells, &mut 0, 1, missing);
        constants &= matches!(
            found,
            Some(Shape::Unknown | Shape::Number | Shape::Constant)
        );
        numbers += usize::from(found == Some(Shape::Number));
        common = common
            .zip(found)
            .and_then(|(common, found)| common.join(found));
        if common.is_none() {
            odd = odd.or(Some(fact));
            if !constants {
                let of = Type::Term;
                let odd = Some(fact);
                return Inferred { of, numbers, odd };
            }
        }
    }
    let of = common.map_or(Type::Nominal, Shape::type_of);
    if of == Type::Term {
        odd = Some(0);
    }
    Inferred { of, numbers, odd }
}

/// An argument that its type does not hold.
pub(super) struct Refusal {
    pub fact: usize,
    pub nearest: Option<String>,
}

/// Builds columns; remembers between them which symbols the last column has seen.
pub(super) struct Columns<'a> {
    symbols: &'a Dictionary,
    /// For each symbol the column it was last seen in, and its code there.
    seen: Vec<(u32, u32)>,
    column: u32,
    missing: Option<Cell>,
}

impl<'a> Columns<'a> {
    pub fn new(symbols: &'a Dictionary) -> Self {
        Self {
            symbols,
            seen: vec![(0, 0); symbols.len()],
            column: 0,
            missing: missing(symbols),
        }
    }

    /// The arguments as a column of the type; of the stated labels only, if there are any.
    pub fn build(
        &mut self,
        arguments: &Arguments,
        of: &Type,
        labels: Option<&[String]>,
    ) -> Result<Column, Refusal> {
        if *of == Type::Nominal {
            return self.nominal(arguments, labels);
        }
        let refused = |fact| Refusal {
            fact,
            nearest: None,
        };
        if *of == Type::Numeric {
            let numbers = arguments
                .iter()
                .enumerate()
                .map(|(fact, cells)| match cells {
                    [Cell::Number(number)] => Ok(*number),
                    [cell] if Some(*cell) == self.missing => Ok(f64::NAN),
                    _ => Err(refused(fact)),
                });
            return Ok(Column::numeric(numbers.collect::<Result<_, _>>()?));
        }
        let mut column = Column::empty(of);
        for (fact, cells) in arguments.iter().enumerate() {
            let value = self.value(cells, &mut 0, of).ok_or_else(|| refused(fact))?;
            column.push(&value).map_err(|_| refused(fact))?;
        }
        Ok(column)
    }

    fn nominal(
        &mut self,
        arguments: &Arguments,
        labels: Option<&[String]>,
    ) -> Result<Column, Refusal> {
        self.column += 1;
        let mut dictionary = Dictionary::from_labels(labels.unwrap_or_default());
        let mut codes = Vec::with_capacity(arguments.len());
        let mut validity = Validity::new();
        for (fact, cells) in arguments.iter().enumerate() {
            let [cell] = cells else {
                return Err(Refusal {
                    fact,
                    nearest: None,
                });
            };
            validity.push(Some(*cell) != self.missing);
            if Some(*cell) == self.missing {
                codes.push(0);
                continue;
            }
            if let Cell::Functor { symbol, .. } = cell
                && let (column, code) = self.seen[*symbol as usize]
                && column == self.column
            {
                codes.push(code);
                continue;
            }
            let Some(text) = self.text(*cell) else {
                return Err(Refusal {
                    fact,
                    nearest: None,
                });
            };
            let code = match labels {
                None => dictionary.intern(&text),
                Some(labels) => dictionary.code(&text).ok_or_else(|| Refusal {
                    fact,
                    nearest: nearest(&text, labels),
                })?,
            };
            if let Cell::Functor { symbol, .. } = cell {
                self.seen[*symbol as usize] = (self.column, code);
            }
            codes.push(code);
        }
        let dictionary = Arc::new(dictionary);
        let cells = Cells::Nominal { codes, dictionary };
        Ok(Column::new(cells, Some(validity)))
    }

    /// The text of a constant or number.
    fn text(&self, cell: Cell) -> Option<String> {
        match cell {
            Cell::Functor { symbol, arity: 0 } => Some(self.symbols.label(symbol).to_owned()),
            Cell::Number(number) => Some(number_text(number)),
            Cell::Functor { .. } | Cell::Variable(_) => None,
        }
    }

    /// The subterm at `at`, which is moved behind it, as a value of the type; nothing if it is
    /// none.
    fn value(&self, cells: &[Cell], at: &mut usize, of: &Type) -> Option<Value> {
        if Some(cells[*at]) == self.missing {
            *at += 1;
            return Some(Value::Missing);
        }
        match of {
            Type::List(of) => self.elements(cells, at, of).map(Value::List),
            Type::Set(of) => self.elements(cells, at, of).map(Value::set),
            Type::Bag(of) => self.elements(cells, at, of).map(Value::bag),
            Type::Tuple(fields) => {
                let types: Vec<&Type> = fields.iter().map(|field| &field.of).collect();
                self.fields(cells, at, &types).map(Value::Tuple)
            }
            Type::Tree | Type::Term | Type::Graph => {
                let begin = *at;
                *at = end_of(cells, begin);
                let subterm = &cells[begin..*at];
                match of {
                    Type::Term => term(subterm, self.symbols).ok().map(Value::Term),
                    Type::Graph => {
                        let term = term(subterm, self.symbols).ok()?;
                        read_graph(&term).map(Value::Graph)
                    }
                    _ => self.tree(subterm).map(Value::Tree),
                }
            }
            Type::Nominal | Type::Numeric | Type::String | Type::DateTime => {
                let cell = cells[*at];
                *at += 1;
                match (of, cell) {
                    (Type::Numeric, Cell::Number(number)) => Some(Value::Number(number)),
                    (Type::Numeric, _) => None,
                    (Type::Nominal, cell) => self.text(cell).map(Value::Symbol),
                    (Type::String, cell) => self.text(cell).map(Value::Text),
                    (_, cell) => datetime::parse(&self.text(cell)?).ok().map(Value::DateTime),
                }
            }
            Type::Ref(_) => {
                let Cell::Number(row) = cells[*at] else {
                    return None;
                };
                *at += 1;
                Value::from_json(of, &Value::Number(row).to_json()).ok()
            }
        }
    }

    /// The elements of a list.
    fn elements(&self, cells: &[Cell], at: &mut usize, of: &Type) -> Option<Vec<Value>> {
        let mut elements = Vec::new();
        while cells[*at] == CONS {
            *at += 1;
            elements.push(self.value(cells, at, of)?);
        }
        let proper = cells[*at] == EMPTY;
        *at += 1;
        proper.then_some(elements)
    }

    /// The fields of a tuple: a list of as many elements, or a name with as many arguments.
    fn fields(&self, cells: &[Cell], at: &mut usize, types: &[&Type]) -> Option<Vec<Value>> {
        let list = cells[*at] == CONS || cells[*at] == EMPTY;
        if !list {
            let matching = cells[*at].arity() == types.len();
            *at += 1;
            let values = types.iter().map(|of| self.value(cells, at, of));
            return matching.then(|| values.collect()).flatten();
        }
        let mut values = Vec::with_capacity(types.len());
        for of in types {
            if cells[*at] != CONS {
                return None;
            }
            *at += 1;
            values.push(self.value(cells, at, of)?);
        }
        let proper = cells[*at] == EMPTY;
        *at += 1;
        proper.then_some(values)
    }

    fn tree(&self, cells: &[Cell]) -> Option<Tree> {
        let label = |cell: &Cell| match *cell {
            Cell::Functor { symbol, .. } => Some(self.symbols.label(symbol).to_owned()),
            Cell::Number(number) => Some(number_text(number)),
            Cell::Variable(_) => None,
        };
        let labels: Vec<String> = cells.iter().map(label).collect::<Option<_>>()?;
        let arities = cells.iter().map(|cell| cell.arity() as u32).collect();
        Tree::new(labels, arities).ok()
    }
}
