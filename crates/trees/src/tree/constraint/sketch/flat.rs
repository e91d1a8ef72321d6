//! Tests on columns as models show them in JSON.

use kinwood_values::Value as Cell;
use kinwood_values::suggest::did_you_mean;
use serde_json::Value;

use super::prototypes::{Boundaries, PrototypeValues, checked};
use super::shown::{Read, ShownTests, meant, whole, word};
use crate::contents::items_from_json;
use crate::tree::Test;
use crate::tree::constraint::Input;

/// Reads tests on columns.
pub struct FlatTests<'a> {
    /// The columns.
    pub inputs: &'a [Input],
    /// What prototypes they may have.
    pub values: &'a mut dyn PrototypeValues,
}

impl ShownTests for FlatTests<'_> {
    type Test = Test;
    type Path = ();

    fn inputs(&self) -> &[Input] {
        self.inputs
    }

    fn test(&mut self, test: &Value, _: &(), at: &str) -> Read<(u32, Test)> {
        let name = word(&test["column"], at)?;
        let tested = || self.inputs.iter().filter(|input| input.tested);
        let Some(input) = tested().find(|input| input.name == name) else {
            let names = tested().map(|input| input.name.as_str());
            return Err(format!(
                "{at}: unknown attribute `{name}`{}",
                meant(name, names)
            ));
        };
        let column = input.position;
        if let Some(items) = items_from_json(test) {
            let has = items.and_then(|items| self.values.has(column, &items));
            return Ok((column, has.map_err(|reason| format!("{at}: {reason}"))?));
        }
        if let Some(least) = test.get("size_at_least") {
            let least = whole(least, &format!("{at}.size_at_least"))?;
            let sized = self.values.sized(column, least);
            return Ok((column, sized.map_err(|reason| format!("{at}: {reason}"))?));
        }
        let test = match (test.get("above"), test.get("among"), test.get("prototypes")) {
            (Some(above), _, _) => Test::Above {
                column,
                threshold: number(above, &format!("{at}.above"))?,
            },
            (None, Some(among), _) => Test::Among {
                column,
                values: labels(input, among, at)?,
            },
            (None, None, Some(prototypes)) => {
                let values = self.prototypes(input, prototypes, at)?;
                let boundaries = boundaries(test, at)?;
                let nearest = self.values.nearest(column, &values, boundaries);
                nearest.map_err(|reason| format!("{at}: {reason}"))?
            }
            (None, None, None) => {
                return Err(format!(
                    "{at}: expected `above`, `among`, `prototypes`, `contains` or `size_at_least`, found {test}"
                ));
            }
        };
        Ok((column, test))
    }

    fn branches(&self, test: &Test) -> usize {
        test.branches()
    }

    fn after(&self, _: &(), _: Option<&Test>, _: usize) {}
}

impl FlatTests<'_> {
    fn prototypes(&self, input: &Input, shown: &Value, at: &str) -> Read<Vec<Cell>> {
        let name = &input.name;
        let of = self.values.type_of(input.position);
        let of = of.ok_or_else(|| format!("{at}: `{name}` is not compared with prototypes"))?;
        let listed = shown.as_array().ok_or_else(|| {
            format!("{at}.prototypes: expected a list of values of `{name}`, found {shown}")
        })?;
        let value = |(place, shown): (usize, &Value)| {
            let at = format!("{at}.prototypes[{place}]");
            let value = Cell::from_json(&of, shown).map_err(|error| {
                format!(
                    "{at}: expected a value of `{name}`, which is `{of}`, found {shown}: {error}"
                )
            })?;
            checked(input, value)
                .map_err(|(why, meant)| format!("{at}: {why} of `{name}`{}", did_you_mean(&meant)))
        };
        listed.iter().enumerate().map(value).collect()
    }
}

fn number(shown: &Value, at: &str) -> Read<f64> {
    let number = shown.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("{at}: expected a number, found {shown}"))
}

fn list<'v>(shown: &'v Value, at: &str) -> Read<&'v [Value]> {
    let listed = shown.as_array().map(Vec::as_slice);
    listed.ok_or_else(|| format!("{at}: expected a list, found {shown}"))
}

fn numbers(shown: &Value, at: &str) -> Read<Vec<f64>> {
    list(shown, at)?
        .iter()
        .map(|shown| number(shown, at))
        .collect()
}

/// The codes of labels, ascending.
fn labels(input: &Input, among: &Value, at: &str) -> Read<Vec<u32>> {
    let at = format!("{at}.among");
    let Some(known) = &input.labels else {
        return Err(format!("{at}: `{}` has no labels", input.name));
    };
    let mut codes = Vec::new();
    for label in list(among, &at)? {
        let label = word(label, &at)?;
        let meant = || meant(label, known.labels());
        let code = known.code(label);
        codes.push(code.ok_or_else(|| {
            format!(
                "{at}: unknown label `{label}` of `{}`{}",
                input.name,
                meant()
            )
        })?);
    }
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}

fn boundaries(test: &Value, at: &str) -> Read<Boundaries> {
    Ok(match (test.get("bounds"), test.get("reach")) {
        (Some(bounds), _) => {
            let cells = test.get("cells").map(|shown| {
                let at = format!("{at}.cells");
                let cells = list(shown, &at)?.iter().map(|cell| whole(cell, &at));
                cells.collect::<Read<Vec<u32>>>()
            });
            Boundaries::Cells {
                bounds: numbers(bounds, &format!("{at}.bounds"))?,
                cells: cells.transpose()?,
            }
        }
        (None, Some(reach)) => Boundaries::Reach(numbers(reach, &format!("{at}.reach"))?),
        (None, None) => Boundaries::Midway,
    })
}
