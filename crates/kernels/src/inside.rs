//! What is inside a kernel: the distance that it is made from, its width, and what follows from
//! them.

use kinwood_similarity::entry::{Entry, Inside};
use kinwood_similarity::expression::{Argument, Literal};
use kinwood_similarity::{DistanceOn, Expression, KernelOn, Registry};
use kinwood_values::{Cells, Column, Type};

use kinwood_learning::error::Result;

/// The setting of kernels made from a distance that have a width.
const WIDTH: &str = "gamma";
/// How many training rows the automatic width looks at, evenly spread: comparing their pairs costs
/// little beside the training.
const SAMPLED: usize = 200;

/// A distance inside a kernel, and the fields in which its values lie.
pub struct Inner {
    /// The distance.
    pub distance: DistanceOn,
    fields: Vec<usize>,
}

/// What the measures inside a kernel are about; nothing of what is no kernel.
fn inside(expression: &Expression) -> Option<Inside> {
    let entry = Registry::known().find(&expression.name);
    entry
        .filter(|entry| entry.is_kernel())
        .map(|entry| entry.inside)
}

/// Whether a kernel may be around another kernel of the same values, or of their one field.
fn is_around(expression: &Expression) -> bool {
    matches!(inside(expression), Some(Inside::Same | Inside::Fields))
}

fn is_from_distance(expression: &Expression) -> bool {
    inside(expression) == Some(Inside::FromDistance)
}

/// The distance inside a fitted kernel, if it is made from one.
pub fn inner(kernel: &KernelOn) -> Result<Option<Inner>> {
    let expression = kernel.expression();
    let (mut at, mut of) = (&expression, kernel.of());
    let mut fields = Vec::new();
    loop {
        let mut parts = at.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else {
            return Ok(None);
        };
        match inside(at) {
            Some(Inside::FromDistance) => {
                let place = "the values of a kernel";
                let distance = Registry::known().distance(&part.measure, of, None, place)?;
                return Ok(Some(Inner { distance, fields }));
            }
            Some(Inside::Same) => {}
            Some(Inside::Fields) => {
                let Type::Tuple(of_fields) = of else {
                    return Ok(None);
                };
                let named = |name: &String| {
                    let mut names = of_fields.iter().map(|field| field.name.as_ref());
                    names.position(|field| field == Some(name))
                };
                let place = match (&part.field, of_fields.len()) {
                    (Some(name), _) => named(name),
                    (None, 1) => Some(0),
                    _ => None,
                };
                let Some(place) = place else {
                    return Ok(None);
                };
                fields.push(place);
                of = &of_fields[place].of;
            }
            _ => return Ok(None),
        }
        at = &part.measure;
    }
}

impl Inner {
    /// The values that the distance compares, of rows that the kernel compares.
    pub fn values<'a>(&self, rows: &'a Column) -> &'a Column {
        let mut column = rows;
        for &field in &self.fields {
            if let Cells::Tuple { fields, .. } = column.cells() {
                column = &fields[field];
            }
        }
        column
    }
}

/// Whether the training matrix, centred where that is needed, is known to have no negative
/// eigenvalues: by the kernel's laws, or because the distance inside it is that of points, which
/// columns of numbers and labels without a gap are.
pub fn is_inner_product(kernel: &KernelOn, rows: &Column) -> bool {
    if kernel.laws().positive_semidefinite {
        return true;
    }
    let expression = kernel.expression();
    let mut parts = expression.parts();
    let (true, Some(part), Cells::Tuple { fields, .. }) =
        (is_from_distance(&expression), parts.next(), rows.cells())
    else {
        return false;
    };
    // A field that is missing inside a tuple is no coordinate either.
    let whole =
        |field: &Column| field.missing() == 0 && !matches!(field.cells(), Cells::Tuple { .. });
    let place = "the values of a kernel";
    let distance = Registry::known().distance(&part.measure, kernel.of(), None, place);
    fields.iter().all(whole) && distance.is_ok_and(|distance| distance.is_euclidean())
}

/// The kernel made from a distance that an expression is, or is around.
pub fn made_from_distance(expression: &Expression) -> Option<&Expression> {
    let mut at = expression;
    loop {
        let mut parts = at.parts();
        let (Some(part), None) = (parts.next(), parts.next()) else {
            return None;
        };
        match inside(at) {
            Some(Inside::FromDistance) => return Some(at),
            Some(Inside::Same | Inside::Fields) => at = &part.measure,
            _ => return None,
        }
    }
}

fn made_from_distance_mut(expression: &mut Expression) -> Option<&mut Expression> {
    made_from_distance(expression)?;
    let mut at = expression;
    while is_around(at) {
        at = part_mut(at)?;
    }
    Some(at)
}

/// The distance between rows that a kernel is made from; a kernel of fields has none.
pub fn distance_of(expression: &mut Expression) -> Option<&mut Expression> {
    let mut at = expression;
    while inside(at) == Some(Inside::Same) {
        at = part_mut(at)?;
    }
    match is_from_distance(at) {
        true => part_mut(at),
        false => None,
    }
}

fn part_mut(expression: &mut Expression) -> Option<&mut Expression> {
    expression
        .arguments
        .iter_mut()
        .find_map(|argument| match argument {
            Argument::Part(part) => Some(&mut part.measure),
            _ => None,
        })
}

/// Whether an expression is a kernel made from a distance whose width is left open.
pub fn leaves_width_open(expression: &Expression) -> bool {
    let wide = |made: &Expression| {
        let entry = Registry::known().find(&made.name);
        entry.is_some_and(|entry: &Entry| entry.has_setting(WIDTH))
    };
    made_from_distance(expression).is_some_and(|made| wide(made) && !says_width(made))
}

/// Whether a kernel says its width.
pub fn says_width(expression: &Expression) -> bool {
    let told = |argument: &Argument| match argument {
        Argument::Setting { name, .. } => name == WIDTH,
        Argument::Number(..) => true,
        Argument::Part(_) => false,
    };
    expression.arguments.iter().any(told)
}

/// One over the mean squared distance between some of the objects; 1 where they are all the same.
pub fn width(kernel: &KernelOn, rows: &Column, objects: &[u32]) -> Result<f64> {
    let Some(inner) = inner(kernel)? else {
        return Ok(1.0);
    };
    let taken = objects.len().min(SAMPLED);
    let sample: Vec<u32> = (0..taken)
        .map(|place| objects[place * objects.len() / taken])
        .collect();
    let rows = rows.gather(&sample);
    let values = inner.values(&rows);
    let pairs = inner.distance.bind_real(values, values, "a kernel")?;
    let mut distances = vec![0.0; taken];
    let (mut sum, mut count) = (0.0, 0.0);
    for query in 0..taken {
        let others = query + 1..taken;
        let out = &mut distances[others.clone()];
        pairs.prepare(query).fill(others, out);
        for square in out.iter().map(|distance| distance * distance) {
            if square.is_finite() {
                sum += square;
                count += 1.0;
            }
        }
    }
    let gamma = count / sum;
    Ok(match gamma.is_finite() && gamma > 0.0 {
        true => gamma,
        false => 1.0,
    })
}

/// A fitted kernel with another width.
pub fn with_width(mut expression: Expression, gamma: f64) -> Expression {
    if let Some(made) = made_from_distance_mut(&mut expression) {
        for argument in &mut made.arguments {
            if let Argument::Setting { name, value, .. } = argument
                && name == WIDTH
            {
                *value = Literal::Number(gamma);
            }
        }
    }
    expression
}
