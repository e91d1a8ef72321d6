//! Prototypes that are prescribed: the values that a partial tree names, whether or not the data
//! have them.

use kinwood_values::{Cells as ColumnCells, Type, Value};

use super::columns::{Input, Inputs, Values};
use super::constraint::sketch::{Boundaries, PrototypeValues};
use super::propose::prototypes::MOST;
use super::terms::shortened;
use super::test::{Cells, Nearest, Test};
use crate::contents::{Item, Reading, calendar};

impl Inputs<'_> {
    fn place_of(&self, column: u32) -> Option<usize> {
        let sought = self
            .all
            .binary_search_by_key(&column, |input| input.position);
        sought.ok()
    }
}

impl PrototypeValues for Inputs<'_> {
    fn type_of(&self, column: u32) -> Option<Type> {
        let input = &self.all[self.place_of(column)?];
        match &input.values {
            Values::Kin(kin) => Some(kin.measure.of().clone()),
            _ => input.column.map(|column| column.type_of()),
        }
    }

    fn shown(&self, column: u32, text: &str) -> Option<Value> {
        let Values::Kin(kin) = &self.all[self.place_of(column)?].values else {
            return None;
        };
        let values = (0..kin.values.len()).map(|place| kin.values.value(place));
        let mut alike = values.filter(|value| {
            let shown = value.to_string();
            shown == text || shortened(&shown) == text
        });
        let first = alike.next()?;
        alike.next().is_none().then_some(first)
    }

    fn nearest(
        &mut self,
        column: u32,
        prototypes: &[Value],
        drawn: Boundaries,
    ) -> Result<Test, String> {
        let place = self
            .place_of(column)
            .ok_or_else(|| "the distance leaves this column out".to_owned())?;
        let input = &mut self.all[place];
        let name = input.name.clone();
        let count = prototypes.len();
        if !(2..=MOST).contains(&count) {
            return Err(format!(
                "expected 2 to {MOST} prototypes of `{name}`, found {count}"
            ));
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = prototypes.iter().find(|value| !seen.insert(*value)) {
            return Err(format!("the prototype {twice} of `{name}` stands twice"));
        }
        if let Some(cells) = cells(input, prototypes, &drawn) {
            return Ok(Test::Around {
                column,
                cells: cells?,
            });
        }
        let reach = match drawn {
            Boundaries::Midway => Vec::new(),
            Boundaries::Reach(reach) => units(reach, &name, count)?,
            Boundaries::Cells { .. } => {
                return Err(format!("bounds divide numbers and dates, not `{name}`"));
            }
        };
        let prototypes = match &mut input.values {
            Values::Kin(kin) => kin.places(prototypes)?,
            _ => prototypes
                .iter()
                .map(|value| label(input, value))
                .collect::<Result<_, _>>()?,
        };
        let nearest = Nearest {
            prototypes,
            reach,
            measure: 0,
        };
        Ok(Test::Nearest { column, nearest })
    }

    fn has(&mut self, column: u32, items: &[Item]) -> Result<Test, String> {
        let place = self.place_of(column);
        let moments = place.is_some_and(|place| self.all[place].calendar.is_some());
        let places: Option<Vec<u32>> = items.iter().map(calendar::place).collect();
        if let (true, Some(mut items)) = (moments, places) {
            items.sort_unstable();
            items.dedup();
            return Ok(Test::Has { column, items });
        }
        let values = place.map(|place| &mut self.all[place].values);
        let Some(Values::Kin(kin)) = values else {
            return Err("this column contains nothing that could be asked for".to_owned());
        };
        let reading = Reading::new(kin.measure.of());
        let fits = |item: &Item| reading.is_some_and(|reading| reading.has(item.kind()));
        match (&mut kin.contents, items.iter().all(fits)) {
            (Some(contents), true) => Ok(Test::Has {
                column,
                items: contents.places(items, &kin.values),
            }),
            (None, _) => Err("structured=prototypes asks for no contents".to_owned()),
            (_, false) => Err(format!("values of `{}` cannot have it", kin.measure.of())),
        }
    }

    fn sized(&self, column: u32, least: u32) -> Result<Test, String> {
        let place = self.place_of(column);
        match place.map(|place| &self.all[place].values) {
            Some(Values::Kin(kin)) if kin.contents.is_some() => Ok(Test::Size { column, least }),
            _ => Err("the size of this column's values is not asked for".to_owned()),
        }
    }
}

/// The code of a label.
fn label(input: &Input<'_>, value: &Value) -> Result<u32, String> {
    let labels = input.column.and_then(|column| column.codes());
    let code = match (labels, value) {
        (Some((_, labels)), Value::Symbol(label)) => labels.code(label),
        _ => None,
    };
    code.ok_or_else(|| format!("{value} is no label of `{}`", input.name))
}

fn units(reach: Vec<f64>, name: &str, count: usize) -> Result<Vec<f64>, String> {
    let wide = |reach: &f64| reach.is_finite() && *reach > 0.0;
    match reach.len() == count && reach.iter().all(wide) {
        true => Ok(reach),
        false => Err(format!(
            "expected a number greater than 0 for each of the {count} prototypes of `{name}` as its unit"
        )),
    }
}

/// The cells around numbers or dates; `None` for other columns.
fn cells(
    input: &Input<'_>,
    prototypes: &[Value],
    drawn: &Boundaries,
) -> Option<Result<Cells, String>> {
    let plain = matches!(
        input.column?.cells(),
        ColumnCells::Numeric(_) | ColumnCells::DateTime(_)
    );
    let number = |value: &Value| match value {
        Value::Number(number) => Some(*number),
        Value::DateTime(moment) => Some(*moment as f64),
        _ => None,
    };
    let numbers: Option<Vec<f64>> = prototypes.iter().map(number).collect();
    let numbers = numbers.filter(|_| plain)?;
    let name = &input.name;
    Some(match drawn {
        Boundaries::Midway => Ok(Cells::midway(numbers)),
        Boundaries::Reach(reach) => {
            let reach = units(reach.clone(), name, numbers.len());
            reach.map(|reach| Cells::reaching(numbers, &reach))
        }
        Boundaries::Cells { bounds, cells } => bounded(numbers, bounds, cells.as_deref(), name),
    })
}

/// Cells between bounds that are written.
fn bounded(
    prototypes: Vec<f64>,
    bounds: &[f64],
    cells: Option<&[u32]>,
    name: &str,
) -> Result<Cells, String> {
    let count = prototypes.len();
    let midway = Cells::midway(prototypes);
    let branches = cells.map_or_else(|| midway.branches.clone(), <[u32]>::to_vec);
    if branches.len() != bounds.len() + 1 {
        return Err(format!(
            "expected {} bounds between the cells of `{name}`, found {}",
            branches.len().saturating_sub(1),
            bounds.len()
        ));
    }
    let rising = bounds.windows(2).all(|pair| pair[0] < pair[1]);
    if !rising || bounds.iter().any(|bound| !bound.is_finite()) {
        return Err(format!("expected bounds of `{name}` that rise"));
    }
    let known = branches.iter().all(|branch| (*branch as usize) < count);
    let each = (0..count as u32).all(|branch| branches.contains(&branch));
    if !known || !each {
        return Err(format!(
            "expected a cell for each of the {count} prototypes of `{name}`, by their places from 0"
        ));
    }
    // In text bounds have a few digits: those that are midway are meant to be.
    let same = |own: &f64, written: &f64| (own - written).abs() <= 1e-5 * own.abs().max(1e-300);
    let alike = cells.is_none()
        && midway
            .bounds
            .iter()
            .zip(bounds)
            .all(|(own, written)| same(own, written));
    Ok(match alike {
        true => midway,
        false => Cells {
            bounds: bounds.to_vec(),
            branches,
            prototypes: midway.prototypes,
        },
    })
}
